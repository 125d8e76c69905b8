//! The deterministic parts against scikit-learn's outputs.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "in a test a panic is the message"
)]

use crate::common::{all_same, floats, glass, masked, matrix, parity, same, within};
use serde_json::Value;
use wits_learn::impute::Imputer;
use wits_learn::transform::{Transformer, f_scores};
use wits_learn::{Fitted, Kind, Matrix, Pipeline, Spec, Validation};

fn fit(text: &str, x: &Matrix, y: &[u32]) -> Transformer {
    Transformer::fit(&Spec::read(Kind::Transformer, text).unwrap(), x, y).unwrap()
}

fn impute(text: &str, x: &Matrix) -> Matrix {
    Imputer::fit(&Spec::read(Kind::Imputer, text).unwrap(), x).apply(x)
}

/// Rows of a transform of all of Glass against the reference's chosen rows.
fn check_rows(what: &str, found: &Matrix, expected: &Value, absolute: bool) {
    let chosen = [0, 50, 107, 163, 185, 213];
    let expected = matrix(expected);
    for (k, &i) in chosen.iter().enumerate() {
        let row: Vec<f64> = found
            .row(i)
            .iter()
            .map(|v| if absolute { v.abs() } else { *v })
            .collect();
        all_same(&format!("{what} row {i}"), &row, expected.row(k));
    }
}

#[test]
fn toy() {
    let Some(p) = parity() else { return };
    let toy = &p["toy"];
    let x = matrix(&toy["X"]);
    let y = vec![0, 1, 0, 1, 0, 1, 0];
    for (key, spec) in [
        ("standard", "standard"),
        ("robust", "robust"),
        ("quantile_uniform_4", "quantile:n_quantiles=4"),
        ("quantile_normal_4", "quantile:n_quantiles=4,output=normal"),
    ] {
        all_same(
            key,
            fit(spec, &x, &y).apply(&x).cells(),
            matrix(&toy[key]).cells(),
        );
    }
    let Transformer::Power(power) = fit("power", &x, &y) else {
        panic!()
    };
    for (c, e) in power
        .columns
        .iter()
        .zip(floats(&toy["yeo_johnson_lambdas"]))
    {
        assert!((c.lambda() - e).abs() < 1e-4, "{} {e}", c.lambda());
    }
    let out = power.apply(&x);
    for (f, e) in out.cells().iter().zip(matrix(&toy["yeo_johnson"]).cells()) {
        assert!((f - e).abs() < 1e-4);
    }
    let Transformer::Bins(bins) = fit("kbins:bins=3,quantiles=linear", &x, &y) else {
        panic!()
    };
    for (edges, e) in bins
        .edges
        .iter()
        .zip(toy["kbins3_linear_edges"].as_array().unwrap())
    {
        all_same("kbins3", edges, &floats(e));
    }
    let mut gaps = x.clone();
    gaps.set(1, 1, f64::NAN);
    gaps.set(5, 0, f64::NAN);
    let expected = matrix(&toy["knn2_imputed_with_missing_(1,1)_(5,0)"]);
    all_same("knn2", impute("knn:k=2", &gaps).cells(), expected.cells());
    let Transformer::Pca(pca) = fit("pca", &x, &y) else {
        panic!()
    };
    all_same(
        "pca",
        &pca.variance,
        &floats(&toy["pca_explained_variance"]),
    );
}

#[test]
fn scalers_and_selection() {
    let Some(p) = parity() else { return };
    let (data, g) = (glass(), &p["glass"]);
    let (x, y) = (&data.x, &data.y);
    for (key, spec, centre, width) in [
        ("standard_scaler", "standard", "mean", "scale"),
        ("robust_scaler", "robust", "center", "scale"),
        ("minmax_scaler", "minmax", "min", ""),
    ] {
        let fitted = fit(spec, x, y);
        let Transformer::Scale(scale) = &fitted else {
            panic!()
        };
        all_same(key, &scale.centre, &floats(&g[key][centre]));
        if !width.is_empty() {
            all_same(key, &scale.width, &floats(&g[key][width]));
        }
        check_rows(key, &fitted.apply(x), &g[key]["rows"], false);
    }
    check_rows(
        "normalize",
        &fit("normalize", x, y).apply(x),
        &g["normalizer_l2"]["rows"],
        false,
    );
    let scores = f_scores(x, y);
    let select = &g["select_k_best_f_classif"];
    all_same(
        "F",
        &scores.iter().map(|s| s.0).collect::<Vec<_>>(),
        &floats(&select["scores"]),
    );
    for (s, e) in scores.iter().zip(floats(&select["pvalues"])) {
        assert!(within(s.1, e, 1e-8, 0.0), "p {} {e}", s.1);
    }
    for (spec, kept) in [
        ("select:k=3", &select["kept"]),
        (
            "variance:threshold=0.5",
            &g["variance_threshold"]["kept_at_0.5"],
        ),
    ] {
        let Transformer::Keep { columns } = fit(spec, x, y) else {
            panic!()
        };
        let expected: Vec<usize> = floats(kept)
            .iter()
            .enumerate()
            .filter(|(_, v)| **v > 0.5)
            .map(|(j, _)| j)
            .collect();
        assert_eq!(columns, expected, "{spec}");
    }
}

#[test]
fn quantiles_and_bins() {
    let Some(reference) = parity() else { return };
    let (data, g) = (glass(), &reference["glass"]);
    let (x, y) = (&data.x, &data.y);
    for n in [10, 50] {
        for output in ["uniform", "normal"] {
            let key = format!("quantile_{output}_{n}");
            let fitted = fit(&format!("quantile:output={output},n_quantiles={n}"), x, y);
            check_rows(&key, &fitted.apply(x), &g[&key]["rows"], false);
            if output == "uniform" {
                let Transformer::Quantile(q) = &fitted else {
                    panic!()
                };
                let expected = g[&key]["quantiles_by_column"].as_array().unwrap();
                for (marks, e) in q.landmarks.iter().zip(expected) {
                    all_same(&key, marks, &floats(e));
                }
            }
        }
    }
    for n in [3, 5] {
        for (method, key) in [("linear", "linear"), ("step", "averaged_inverted_cdf")] {
            let key = &g[format!("kbins_quantile_{n}_{key}")];
            let spec = format!("kbins:bins={n},quantiles={method}");
            let Transformer::Bins(bins) = fit(&spec, x, y) else {
                panic!()
            };
            for (j, e) in key["edges"].as_array().unwrap().iter().enumerate() {
                all_same(&spec, &bins.edges[j], &floats(e));
                assert_eq!(bins.count(j), key["n_bins"][j].as_u64().unwrap() as usize);
            }
            let wide = fit(&spec, x, y).apply(x);
            assert_eq!(
                wide.columns(),
                key["onehot_width"].as_u64().unwrap() as usize
            );
            let ordinal = fit(&format!("{spec},encode=ordinal"), x, y).apply(x);
            check_rows(&spec, &ordinal, &key["ordinal_rows"], false);
        }
    }
}

#[test]
fn principal_components() {
    let Some(p) = parity() else { return };
    let (data, g) = (glass(), &p["glass"]);
    let (x, y) = (&data.x, &data.y);
    let fitted = fit("pca", x, y);
    let Transformer::Pca(pca) = &fitted else {
        panic!()
    };
    all_same(
        "variance",
        &pca.variance,
        &floats(&g["pca"]["explained_variance"]),
    );
    all_same("share", &pca.share, &floats(&g["pca"]["ratio"]));
    for (axis, e) in pca
        .axes
        .iter()
        .zip(g["pca"]["abs_components_first2"].as_array().unwrap())
    {
        let axis: Vec<f64> = axis.iter().map(|v| v.abs()).collect();
        all_same("axis", &axis, &floats(e));
    }
    check_rows("pca", &fitted.apply(x), &g["pca"]["abs_rows"], true);
    let scaled = fit("standard", x, y).apply(x);
    let Transformer::Pca(pca) = fit("pca", &scaled, y) else {
        panic!()
    };
    all_same(
        "scaled",
        &pca.variance,
        &floats(&g["pca_standardised"]["explained_variance"]),
    );
    let Transformer::Pca(pca) = fit("pca:share=0.9", &scaled, y) else {
        panic!()
    };
    assert_eq!(pca.width(), 6);
}

#[test]
fn yeo_johnson_where_the_reference_is_sound() {
    let Some(p) = parity() else { return };
    let (data, g) = (glass(), &p["glass"]["power_yeo_johnson"]);
    let fitted = fit("power", &data.x, &data.y);
    let Transformer::Power(power) = &fitted else {
        panic!()
    };
    let lambdas = floats(&g["lambdas"]);
    let rows = matrix(&g["rows"]);
    let out = fitted.apply(&data.x);
    for (j, &lambda) in lambdas.iter().enumerate().skip(1) {
        let found = power.columns[j].lambda();
        assert!(
            (found - lambda).abs() < 1e-4,
            "column {j}: {found} {lambda}"
        );
        for (k, &i) in [0, 50, 107, 163, 185, 213].iter().enumerate() {
            assert!((out.at(i, j) - rows.at(k, j)).abs() < 1e-4);
        }
    }
    // The refractive index: the reference keeps 82 of 178 different values, here none is lost.
    let distinct = |x: &Matrix| {
        let mut v = x.column(0);
        v.sort_by(f64::total_cmp);
        v.dedup_by(|a, b| a.to_bits() == b.to_bits());
        v.len()
    };
    assert_eq!((distinct(&data.x), distinct(&out)), (178, 178));
}

#[test]
fn imputers() {
    let Some(p) = parity() else { return };
    let (data, g) = (masked(), &p["glass"]["impute"]);
    assert_eq!(data.missing(), g["n_missing"].as_u64().unwrap() as usize);
    for text in ["mean", "median"] {
        let spec = Spec::read(Kind::Imputer, text).unwrap();
        let Imputer::Constant { values } = Imputer::fit(&spec, &data.x) else {
            panic!()
        };
        all_same(text, &values, &floats(&g[text]));
    }
    for k in [1, 3, 5] {
        let full = impute(&format!("knn:k={k}"), &data.x);
        let found: Vec<f64> = g["positions"]
            .as_array()
            .unwrap()
            .iter()
            .map(|at| {
                full.at(
                    at[0].as_u64().unwrap() as usize,
                    at[1].as_u64().unwrap() as usize,
                )
            })
            .collect();
        all_same(&format!("knn{k}"), &found, &floats(&g[format!("knn{k}")]));
    }
}

#[test]
fn classifiers_on_all_of_glass() {
    let Some(p) = parity() else { return };
    let (data, g) = (glass(), &p["glass"]);
    let accuracy = |text: &str| {
        let pipeline: Pipeline = text.parse().unwrap();
        let fitted = Fitted::fit(&pipeline, &data.x, &data.y, 6, 0).unwrap();
        let right = fitted
            .predict(&data.x)
            .iter()
            .zip(&data.y)
            .filter(|(a, b)| a == b)
            .count();
        (fitted, right as f64 / 214.0)
    };
    let (bayes, right) = accuracy("naive-bayes");
    let expected = &g["gaussian_nb"];
    assert!(same(right, expected["train_accuracy"].as_f64().unwrap()));
    let shares = bayes.probabilities(&data.x).unwrap();
    for (k, &i) in [0, 50, 107, 163, 185, 213].iter().enumerate() {
        all_same("bayes", &shares[i], &floats(&expected["proba_rows"][k]));
    }
    for (text, key) in [
        ("naive-bayes:smoothing=1e-6", "gaussian_nb_1e-06"),
        ("naive-bayes:smoothing=1e-3", "gaussian_nb_0.001"),
        ("knn:k=3", "knn3_raw"),
        ("standard + knn:k=3", "knn3_scaled"),
    ] {
        assert!(
            same(accuracy(text).1, g[key]["train_accuracy"].as_f64().unwrap()),
            "{text}"
        );
    }
    for (text, key) in [
        ("svc-rbf:gamma=auto", "svc_rbf_gamma_auto_raw"),
        ("standard + svc-rbf:gamma=auto", "svc_rbf_gamma_auto_scaled"),
    ] {
        let (fitted, right) = accuracy(text);
        let expected = &g[key];
        assert!(
            (right - expected["train_accuracy"].as_f64().unwrap()).abs() <= 0.01,
            "{text}"
        );
        let wits_learn::classify::Classifier::KernelSvc(svc) = &fitted.classifier else {
            panic!()
        };
        for (found, e) in svc
            .support_counts()
            .iter()
            .zip(floats(&expected["n_support"]))
        {
            assert!(
                (*found as f64 - e).abs() <= 2.0,
                "{text}: {:?}",
                svc.support_counts()
            );
        }
    }
}

#[test]
fn small_trees_node_by_node() {
    let Some(p) = parity() else { return };
    let (data, g) = (glass(), &p["glass"]);
    for criterion in ["gini", "entropy"] {
        let expected = &g[format!("tree_depth2_{criterion}")];
        let pipeline: Pipeline = format!("tree:depth=2,criterion={criterion}")
            .parse()
            .unwrap();
        let fitted = Fitted::fit(&pipeline, &data.x, &data.y, 6, 0).unwrap();
        let wits_learn::classify::Classifier::Tree(tree) = &fitted.classifier else {
            panic!()
        };
        let order = tree.in_order();
        assert_eq!(order.len(), expected["feature"].as_array().unwrap().len());
        for (k, &node) in order.iter().enumerate() {
            let rows: u32 = tree.counts(node).iter().sum();
            assert_eq!(
                u64::from(rows),
                expected["n_node_samples"][k].as_u64().unwrap()
            );
            match tree.node(node) {
                wits_learn::classify::Node::Leaf => assert_eq!(expected["feature"][k], -2),
                wits_learn::classify::Node::Ask {
                    column, threshold, ..
                } => {
                    assert_eq!(column as u64, expected["feature"][k].as_u64().unwrap());
                    // The reference keeps features in single precision.
                    let e = expected["threshold"][k].as_f64().unwrap();
                    assert!(within(threshold, e, 1e-6, 0.0), "{threshold} {e}");
                }
            }
            let shares: Vec<f64> = tree
                .counts(node)
                .iter()
                .map(|&c| f64::from(c) / f64::from(rows))
                .collect();
            let impurity: f64 = if criterion == "gini" {
                1.0 - shares.iter().map(|s| s * s).sum::<f64>()
            } else {
                -shares
                    .iter()
                    .filter(|s| **s > 0.0)
                    .map(|s| s * s.log2())
                    .sum::<f64>()
            };
            assert!(same(impurity, expected["impurity"][k].as_f64().unwrap()));
        }
    }
}

#[test]
fn folds_in_file_order() {
    let Some(p) = parity() else { return };
    let folds = Validation::folds(5).deal(&glass().y, 0).unwrap();
    let expected = p["glass"]["stratified_kfold5_no_shuffle_test_folds"]
        .as_array()
        .unwrap();
    for (fold, e) in folds.iter().zip(expected) {
        let e: Vec<usize> = floats(e).iter().map(|&v| v as usize).collect();
        assert_eq!(fold.test, e);
    }
}

/// What the reference's names mean here.
fn ours(name: &str) -> &'static str {
    match name {
        "KNN-1" => "knn:k=1",
        "KNN-3" => "knn:k=3",
        "MEAN" => "mean",
        "MEDIAN" => "median",
        "PASSTHROUGH" => "passthrough",
        "SCALE" => "standard",
        "NORMALIZE" => "normalize",
        "DISCRETIZE-3" => "kbins:bins=3",
        "VAR-THRESHOLD-0.5" => "variance:threshold=0.5",
        "SELECT-3-BEST" => "select:k=3",
        "PCA" => "pca",
        "ROBUST" => "robust",
        "QUANTILE-UNIFORM" => "quantile:output=uniform",
        "QUANTILE-NORMAL" => "quantile:output=normal",
        "NAIVE-BAYES-1e-9" => "naive-bayes:smoothing=1e-9",
        "NAIVE-BAYES-1e-3" => "naive-bayes:smoothing=1e-3",
        "SVC-RBF" => "svc-rbf",
        other => panic!("{other}"),
    }
}

#[test]
fn deterministic_pipelines_fold_by_fold() {
    let Some(p) = parity() else { return };
    let data = masked();
    let folds = Validation::folds(5).deal(&data.y, 0).unwrap();
    let scores = p["glass"]["cv5_accuracy_per_fold_deterministic"]["scores"]
        .as_object()
        .unwrap();
    let (mut compared, mut exact, mut wrong) = (0, 0, Vec::new());
    for (key, expected) in scores {
        let parts: Vec<&str> = key.split('|').collect();
        if parts[1] == "POWER" {
            continue;
        }
        compared += 1;
        let text = parts
            .iter()
            .map(|p| ours(p))
            .collect::<Vec<_>>()
            .join(" + ");
        let pipeline: Pipeline = text.parse().unwrap();
        for (fold, e) in folds.iter().zip(floats(expected)) {
            let y: Vec<u32> = fold.train.iter().map(|&i| data.y[i]).collect();
            let fitted = Fitted::fit(&pipeline, &data.x.pick(&fold.train), &y, 6, 0).unwrap();
            let predicted = fitted.predict(&data.x.pick(&fold.test));
            let right = predicted
                .iter()
                .zip(&fold.test)
                .filter(|(a, i)| **a == data.y[**i])
                .count() as f64;
            let off = (right - e * fold.test.len() as f64).abs();
            exact += usize::from(off < 0.01);
            if off > 1.01 {
                wrong.push(format!("{key}: {off} rows off"));
            }
        }
    }
    println!(
        "{compared} pipelines, {exact} of {} folds equal",
        compared * 5
    );
    assert_eq!(compared, 160);
    assert!(wrong.is_empty(), "{wrong:#?}");
}
