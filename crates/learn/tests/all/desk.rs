//! Each verb of the desk through the public API, as its front ends use it.

#![allow(clippy::unwrap_used, reason = "in a test a panic is the message")]

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::common::{all_same, floats, glass, parity, same};
use serde_json::{Value, json};
use wits_learn::{
    Control, Dataset, GridPlan, GridWork, Kind, NestedWork, Pipeline, ReadOptions, ReportPlan,
    Roles, Score, Validation, bench, compare, cross_validate, describe, draw, explore, grid,
    honesty, importance, learning_curve, metrics, nested, read_steps, read_table, read_values,
    report, train, transform, tune, with_threads,
};

fn small_plan() -> GridPlan {
    GridPlan::new(
        &["mean", "knn:k=1"],
        &["passthrough", "standard + pca:components=4", "power"],
        &[
            "naive-bayes",
            "tree",
            "knn:k=3",
            "svc-linear",
            "svc-rbf",
            "random-forest:trees=20",
            "extra-trees:trees=20",
            "boosting:trees=10",
        ],
    )
    .unwrap()
}

fn table(text: &str) -> wits_learn::Table {
    read_table(text.as_bytes(), &ReadOptions::default()).unwrap()
}

fn quiet() -> Control<'static> {
    Control::quiet()
}

#[test]
fn same_numbers_on_one_and_on_many_threads() {
    let data = glass().with_missing(0.05, 3);
    let runs: Vec<_> = [1, 2, 5]
        .into_iter()
        .map(|n| {
            with_threads(n, || grid(&data, &small_plan(), &quiet()))
                .unwrap()
                .unwrap()
        })
        .collect();
    assert_eq!(runs[0], runs[1]);
    assert_eq!(runs[0], runs[2]);
    assert_eq!(runs[0].pipelines.len(), 48);
    let mut other = small_plan();
    other.seed = 9;
    assert_ne!(
        grid(&data, &other, &quiet()).unwrap().pipelines,
        runs[0].pipelines
    );
}

#[test]
fn a_grid_and_a_single_pipeline_agree() {
    let data = glass().with_missing(0.05, 3);
    let result = grid(&data, &small_plan(), &quiet()).unwrap();
    for line in result.pipelines.iter().step_by(7) {
        let pipeline: Pipeline = line.pipeline().parse().unwrap();
        let alone = cross_validate(&data, &pipeline, Validation::folds(5), 0, &quiet()).unwrap();
        assert_eq!(alone.folds, line.folds, "{}", line.pipeline());
        all_same("interval", &alone.interval, &line.interval);
    }
    let value = serde_json::to_value(&result).unwrap();
    assert_eq!(value["best"], 0);
    for key in [
        "imputer",
        "transformer",
        "classifier",
        "mean",
        "sd",
        "folds",
    ] {
        assert!(!value["pipelines"][0][key].is_null(), "{key}");
    }
    assert!((result.baseline - 76.0 / 214.0).abs() < 0.01);
}

#[test]
fn a_grid_tells_its_cells_and_can_be_stopped() {
    let data = glass();
    let (stop, cells) = (AtomicBool::new(false), Mutex::new(Vec::new()));
    let tell = |p: &wits_learn::Progress| {
        if let Some(cell) = &p.cell {
            cells.lock().unwrap().push(cell.clone());
        }
    };
    let result = grid(
        &data,
        &small_plan(),
        &Control {
            stop: &stop,
            tell: &tell,
        },
    )
    .unwrap();
    let cells = cells.into_inner().unwrap();
    // Nothing is missing, so one imputer stands for both.
    assert_eq!(cells.len(), 24);
    for cell in &cells {
        assert!(result.pipelines.iter().any(|l| {
            cell.row == format!("{} + {}", l.imputer, l.transformer)
                && cell.column == l.classifier
                && (l.mean - cell.value).abs() < 1e-15
        }));
    }
    let halt = |_: &wits_learn::Progress| stop.store(true, Ordering::Relaxed);
    let stopped = grid(
        &data,
        &small_plan(),
        &Control {
            stop: &stop,
            tell: &halt,
        },
    );
    // No pipeline is through every fold; what is finished is kept, fold by fold.
    let stopped = stopped.unwrap();
    assert!(stopped.stopped);
    assert!(stopped.warnings.iter().any(|w| w.key == "some-folds"));
    for line in &stopped.pipelines {
        let same = |l: &&wits_learn::Line| l.place == line.place;
        let whole = result.pipelines.iter().find(same).unwrap();
        assert!(line.folds.len() < whole.folds.len());
        assert!(line.folds.iter().all(|fold| whole.folds.contains(fold)));
    }
}

#[test]
fn a_grid_in_steps_is_the_same_grid_and_may_end_early() {
    let data = glass().with_missing(0.05, 1);
    let plan = small_plan();
    let whole = grid(&data, &plan, &quiet()).unwrap();
    let mut work = GridWork::new(data.clone(), plan.clone()).unwrap();
    assert!(work.finish().is_err(), "nothing is known yet");
    let (mut cells, mut half) = (0, None);
    while let Some(progress) = work.step() {
        assert_eq!(progress.total, work.total());
        cells += usize::from(progress.cell.is_some());
        if progress.done == work.total() / 2 {
            half = Some((cells, work.finish().unwrap()));
        }
    }
    assert_eq!(cells, plan.len());
    assert_eq!(work.finish().unwrap(), whole);
    let (known, half) = half.unwrap();
    assert_eq!(half.pipelines.len(), known);
    for line in &half.pipelines {
        let same = whole.pipelines.iter().find(|l| l.place == line.place);
        assert_eq!(same.unwrap().folds, line.folds);
    }
    // Without gaps the imputers do nothing, and one of them stands for all.
    let work = GridWork::new(glass(), plan.clone()).unwrap();
    assert_eq!(work.plan().imputers.len(), 1);
}

#[test]
fn a_nested_grid_in_steps_is_the_same() {
    let data = glass();
    let plan = GridPlan::new(&["mean"], &["standard"], &["knn:k=3", "tree:depth=3"]).unwrap();
    let outer = Validation::folds(3);
    let mut work = NestedWork::new(data.clone(), plan.clone(), outer).unwrap();
    let mut last = None;
    while let Some(progress) = work.step().unwrap() {
        last = Some(progress);
    }
    assert!(last.is_some_and(|p| p.done == p.total && p.total == 3 * 2 * 5));
    assert_eq!(
        work.finish(),
        nested(&data, &plan, outer, &quiet()).unwrap()
    );
}

#[test]
fn pipelines_that_cannot_be_fitted_are_named_and_the_rest_goes_on() {
    let plan = GridPlan::new(
        &["mean"],
        &["variance:threshold=1000", "pca:components=9", "standard"],
        &["knn"],
    )
    .unwrap();
    let result = grid(&glass(), &plan, &quiet()).unwrap();
    assert_eq!((result.pipelines.len(), result.failed.len()), (2, 1));
    assert!(result.failed[0].why.contains("variance above 1000"));
    let none = GridPlan::new(&["mean"], &["variance:threshold=1000"], &["knn"]).unwrap();
    assert!(
        grid(&glass(), &none, &quiet())
            .unwrap_err()
            .to_string()
            .contains("no pipeline")
    );
}

#[test]
fn the_leaderboard_says_what_cannot_be_told_apart() {
    let result = grid(&glass(), &small_plan(), &quiet()).unwrap();
    assert!(result.pipelines[0].indistinguishable);
    assert!(result.indistinguishable >= 2 && result.indistinguishable < result.pipelines.len());
    for line in &result.pipelines {
        assert_eq!(line.indistinguishable, line.p >= 0.05);
        assert!(line.interval[0] <= line.mean && line.mean <= line.interval[1]);
    }
}

#[test]
fn choosing_the_best_flatters_it() {
    // Rows whose class has nothing to do with their features: any score above the baseline is luck.
    let (x, _) = bench::sample(120, 6, 2, 5);
    let mut text = String::from("a,b,c,d,e,f,class\n");
    for i in 0..120 {
        let row: Vec<String> = x.row(i).iter().map(f64::to_string).collect();
        text += &row.join(",");
        text += if (i * 7919) % 13 < 6 { ",x\n" } else { ",y\n" };
    }
    let data = Dataset::new(&table(&text), &Roles::default()).unwrap();
    let plan = GridPlan::new(
        &["mean"],
        &[
            "passthrough",
            "standard",
            "quantile",
            "pca:components=2",
            "select:k=2",
            "kbins:bins=3",
        ],
        &[
            "naive-bayes",
            "tree:depth=2",
            "tree",
            "knn:k=1",
            "knn:k=3",
            "knn:k=5",
            "knn:k=9",
        ],
    )
    .unwrap();
    let outer = Validation::Folds {
        folds: 4,
        repeats: 6,
        shuffle: true,
    };
    let found = nested(&data, &plan, outer, &quiet()).unwrap();
    assert!(found.optimism > 0.03, "{}", found.optimism);
    assert_eq!(found.winners.len(), 24);
    assert!((found.mean - 0.5).abs() < 0.1, "{}", found.mean);
}

#[test]
fn leave_one_out_and_repeats() {
    let data = glass();
    let knn: Pipeline = "standard + knn:k=1".parse().unwrap();
    let loo = cross_validate(&data, &knn, Validation::LeaveOneOut, 0, &quiet()).unwrap();
    assert_eq!(loo.folds.len(), 214);
    assert!(loo.interval[0] > 0.6 && loo.interval[1] < 0.85);
    let plan = Validation::Folds {
        folds: 5,
        repeats: 3,
        shuffle: true,
    };
    let repeated = cross_validate(&data, &knn, plan, 1, &quiet()).unwrap();
    assert_eq!(
        (repeated.folds.len(), repeated.answers.len()),
        (15, 3 * 214)
    );
}

#[test]
fn two_pipelines_side_by_side() {
    let data = glass();
    let (forest, bayes) = (
        "random-forest:trees=30".parse().unwrap(),
        "naive-bayes".parse().unwrap(),
    );
    let plan = Validation::Folds {
        folds: 5,
        repeats: 4,
        shuffle: true,
    };
    let found = compare(&data, &forest, &bayes, plan, 1, &quiet()).unwrap();
    assert_eq!(found.verdict, "a");
    assert!(found.difference.mean > 0.1 && found.difference.interval[0] > 0.0);
    let same = compare(&data, &forest, &forest, plan, 1, &quiet()).unwrap();
    assert_eq!(
        (same.verdict.as_str(), same.only_a.len()),
        ("indistinguishable", 0)
    );
}

#[test]
fn measures_equal_the_reference() {
    let Some(p) = parity() else { return };
    let m = &p["glass"]["metrics"];
    let labels: Vec<String> = m["labels"]
        .as_array()
        .unwrap()
        .iter()
        .map(ToString::to_string)
        .collect();
    let codes = |key: &str| -> Vec<u32> {
        let place = |v: &Value| {
            let name = v.to_string();
            labels.iter().position(|l| *l == name).unwrap() as u32
        };
        m[key].as_array().unwrap().iter().map(place).collect()
    };
    let (truth, predicted) = (codes("y_true"), codes("y_pred"));
    let found = metrics::measure(&truth, &predicted, None, &labels, 1);
    let expect = |key: &str| m[key].as_f64().unwrap();
    assert!(same(found.accuracy.value, expect("accuracy")));
    assert!(same(
        found.balanced_accuracy.value,
        expect("balanced_accuracy")
    ));
    assert!(same(found.plain.f1.value, expect("macro_f1")));
    assert!(same(found.weighted.f1.value, expect("weighted_f1")));
    assert!(same(found.mcc.value, expect("mcc")) && same(found.kappa.value, expect("kappa")));
    assert!(same(
        Score::MacroF1.of(&truth, &predicted, 6),
        expect("macro_f1")
    ));
    for (row, e) in found
        .confusion
        .iter()
        .zip(m["confusion"].as_array().unwrap())
    {
        assert_eq!(json!(row), *e);
    }
    for class in &found.classes {
        let e = &m["report"][&class.class];
        let row = [
            class.precision.value,
            class.recall.value,
            class.f1.value,
            class.support as f64,
        ];
        let keys = ["precision", "recall", "f1-score", "support"];
        all_same(&class.class, &row, &keys.map(|k| e[k].as_f64().unwrap()));
        for measured in [class.precision, class.recall, class.f1] {
            assert!(
                measured.interval[0] <= measured.value && measured.value <= measured.interval[1]
            );
        }
    }
    for (average, key) in [(found.plain, "macro avg"), (found.weighted, "weighted avg")] {
        assert!(same(
            average.precision.value,
            m["report"][key]["precision"].as_f64().unwrap()
        ));
        assert!(same(
            average.recall.value,
            m["report"][key]["recall"].as_f64().unwrap()
        ));
    }
    let sure = vec![vec![0.25, 0.75], vec![1.0, 0.0]];
    let two = ["a".to_owned(), "b".to_owned()];
    let loss = metrics::measure(&[1, 0], &[1, 0], Some(&sure), &two, 1)
        .log_loss
        .unwrap()
        .value;
    assert!((loss - 0.5 * -(0.75f64.ln())).abs() < 1e-12);
}

#[test]
fn a_first_look_equals_the_reference() {
    let whole = read_table(
        wits_learn::SAMPLES[0].text.as_bytes(),
        &ReadOptions::default(),
    )
    .unwrap();
    let data = glass();
    let seen = describe(&whole, &data, 10);
    assert_eq!(
        (seen.rows, seen.columns.len(), seen.head.len()),
        (214, 11, 10)
    );
    assert_eq!(
        seen.head[0].join(","),
        "1,1.52101,13.64,4.49,1.1,71.78,0.06,8.75,0,0,1"
    );
    let roles: Vec<&str> = seen.columns.iter().map(|c| c.role).collect();
    assert_eq!(
        (roles[0], roles[1], roles[10]),
        ("left out", "feature", "target")
    );
    let counts: Vec<usize> = seen.classes.iter().map(|c| c.rows).collect();
    assert_eq!(counts, [70, 76, 17, 13, 9, 29]);
    let keys: Vec<&str> = seen.warnings.iter().map(|w| w.key.as_str()).collect();
    assert_eq!(keys, ["target-guessed", "id-column", "duplicates"]);
    let found = explore(&data);
    let (a, b, r) = found.closest_pair.clone().unwrap();
    assert_eq!(
        (a.as_str(), b.as_str(), (r * 100.0).round() as i32),
        ("RI", "Ca", 81)
    );
    let Some(p) = parity() else { return };
    let expected = &p["glass"]["describe"];
    for (key, get) in [
        ("mean", (|s| s.mean) as fn(&wits_learn::Statistics) -> f64),
        ("std_ddof1", |s| s.sd),
        ("q25", |s| s.q25),
        ("median", |s| s.median),
        ("q75", |s| s.q75),
    ] {
        let ours: Vec<f64> = seen.columns[1..10]
            .iter()
            .map(|c| get(&c.numbers.unwrap()))
            .collect();
        all_same(key, &ours, &floats(&expected[key]));
    }
    for (row, e) in found
        .correlations
        .iter()
        .zip(p["glass"]["correlation_matrix"].as_array().unwrap())
    {
        let row: Vec<f64> = row.iter().map(|r| r.unwrap()).collect();
        all_same("correlation", &row, &floats(e));
    }
}

#[test]
fn transformed_tables() {
    let (imputer, chain) = read_steps("knn:k=1 + standard + pca:components=2").unwrap();
    let gaps = glass().with_missing(0.1, 1);
    let found = transform(&gaps, imputer.as_ref(), &chain).unwrap();
    assert_eq!(
        (found.columns, found.rows.len()),
        (vec!["pca1".to_owned(), "pca2".to_owned()], 214)
    );
    let (_, chain) = read_steps("standard").unwrap();
    let told = transform(&gaps, None, &chain).unwrap_err().to_string();
    assert!(
        told.contains("put an imputer first, e.g. `mean + standard`"),
        "{told}"
    );
}

#[test]
fn a_grid_leaves_the_same_thread_on_any_number_of_threads() {
    let data = glass().with_missing(0.05, 3);
    let plan = GridPlan::new(
        &["mean", "knn:k=1"],
        &["passthrough", "variance:threshold=1000"],
        &["tree", "naive-bayes"],
    )
    .unwrap();
    let steps = |n: usize| {
        let result = with_threads(n, || grid(&data, &plan, &quiet()))
            .unwrap()
            .unwrap();
        let mut steps: Vec<wits_search::Step> = Vec::new();
        wits_learn::watch_grid(&result, &mut steps);
        steps
    };
    let found = steps(1);
    assert_eq!(found, steps(3));
    let kinds: Vec<&str> = found.iter().map(|s| s.kind.word()).collect();
    assert_eq!(kinds.iter().filter(|k| **k == "cell").count(), 4);
    assert_eq!(kinds.iter().filter(|k| **k == "cut").count(), 4);
    assert_eq!(kinds.last(), Some(&"choose"));
    let said = found.last().unwrap().says.to_string();
    assert!(said.contains("tree is the best: 0."), "{said}");
}

#[test]
fn curves_and_importance() {
    let data = glass();
    let forest: Pipeline = "knn:k=1 + quantile + random-forest:trees=20"
        .parse()
        .unwrap();
    let values = read_values("1..13:4").unwrap();
    let trees = tune(
        &data,
        &forest,
        "trees",
        &values,
        Validation::folds(5),
        1,
        &quiet(),
    )
    .unwrap();
    assert_eq!(trees.points.len(), 4);
    assert!(trees.points[3].mean > trees.points[0].mean);
    assert!(
        tune(
            &data,
            &forest,
            "gamma",
            &values,
            Validation::folds(5),
            1,
            &quiet()
        )
        .is_err()
    );
    let plan = Validation::Folds {
        folds: 5,
        repeats: 1,
        shuffle: true,
    };
    let rows = learning_curve(&data, &forest, &[0.2, 1.0], plan, 1, &quiet()).unwrap();
    assert!(rows.points[1].mean > rows.points[0].mean);
    assert!(learning_curve(&data, &forest, &[0.0], plan, 1, &quiet()).is_err());
    let list = importance(&data, &forest, plan, 3, 1, &quiet()).unwrap();
    assert_eq!(list.len(), 9);
    assert!(list[0].drop > 0.05 && list[0].drop >= list[8].drop);
    well_formed("trees", &draw::curve(&trees));
    well_formed("importance", &draw::importances(&list));
}

/// Tags are closed in order and nothing is NaN: enough to see that a browser would draw it.
fn well_formed(name: &str, svg: &str) {
    assert!(
        svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"),
        "{name}"
    );
    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{name}");
    let mut open = Vec::new();
    for tag in svg.split('<').skip(1) {
        let (inside, _) = tag.split_once('>').unwrap();
        if let Some(end) = inside.strip_prefix('/') {
            assert_eq!(open.pop(), Some(end), "{name}");
        } else if !inside.ends_with('/') {
            open.push(inside.split_whitespace().next().unwrap());
        }
    }
    assert!(open.is_empty(), "{name}");
    if let Ok(folder) = std::env::var("WITS_DRAWINGS") {
        std::fs::write(format!("{folder}/{name}.svg"), svg).unwrap();
    }
}

#[test]
fn drawings() {
    let data = glass().with_missing(0.05, 1);
    for drawing in draw::first_look(&data, Some(("Al", "Ca"))).unwrap() {
        well_formed(&drawing.name, &drawing.svg);
    }
    assert!(draw::first_look(&data, Some(("Al", "Xx"))).is_err());
    let result = grid(&data, &small_plan(), &quiet()).unwrap();
    for kind in [Kind::Imputer, Kind::Transformer, Kind::Classifier] {
        well_formed(&format!("bars-{kind:?}"), &draw::method_bars(&result, kind));
    }
    let found = cross_validate(
        &data,
        &"tree".parse().unwrap(),
        Validation::folds(5),
        1,
        &quiet(),
    )
    .unwrap();
    well_formed(
        "confusion",
        &draw::confusion(data.classes(), &found.scores.confusion, "A <tree> & more"),
    );
    let model = train(&data, &"tree:depth=4".parse().unwrap(), 1).unwrap();
    let wits_learn::classify::Classifier::Tree(tree) = &model.fitted.classifier else {
        panic!()
    };
    well_formed(
        "tree",
        &draw::tree(tree, &data.features(), data.classes(), 4),
    );
}

#[test]
fn bad_data_is_met_with_a_sentence() {
    let told = |text: &str| {
        Dataset::new(&table(text), &Roles::default())
            .unwrap_err()
            .to_string()
    };
    assert!(told("a,class\n1,x\n2,x\n").contains("every row has the class `x`"));
    assert!(told("class\nx\ny\n").contains("no column is left"));
    let mut measured = String::from("a,class\n");
    for i in 0..60 {
        measured += &[f64::from(i % 7) + 0.5, f64::from(i) + 0.25]
            .map(|v| v.to_string())
            .join(",");
        measured += "\n";
    }
    assert!(told(&measured).contains("a measurement, not a class"));
    let roles = Roles {
        target: Some("klass".to_owned()),
        ids: None,
    };
    let wrong = Dataset::new(&table("a,class\n1,x\n2,y\n"), &roles)
        .unwrap_err()
        .to_string();
    assert!(wrong.contains("did you mean `class`"), "{wrong}");
    let few = Dataset::new(&table("a,class\n1.5,x\n2.5,x\n2.5,y\n"), &Roles::default()).unwrap();
    let knn: Pipeline = "knn".parse().unwrap();
    let refused = cross_validate(&few, &knn, Validation::folds(5), 0, &quiet()).unwrap_err();
    assert!(refused.to_string().contains("at most 2 folds"), "{refused}");
    // Constant and empty columns, a class of one row, gaps everywhere: warned about, and survived
    // by every method.
    let text = "k,e,a,t,class\n1,,0.5,red,x\n1,,,blue,x\n1,,1.5,red,x\n1,,0.5,,y\n1,,2.5,blue,y\n1,,9.5,red,y\n1,,1.0,red,z\n";
    let odd = Dataset::new(&table(text), &Roles::default()).unwrap();
    assert_eq!(odd.features(), ["k", "e", "a", "t=blue", "t=red"]);
    let folds = Validation::folds(2).deal(&odd.y, 0).unwrap();
    let keys: Vec<String> = honesty::warnings(&odd, &folds)
        .into_iter()
        .map(|w| w.key)
        .collect();
    for key in [
        "constant-column",
        "empty-column",
        "small-class",
        "untaught-class",
    ] {
        assert!(keys.iter().any(|k| k == key), "{key} {keys:?}");
    }
    let all = |kind| -> Vec<&str> { wits_learn::methods(kind).iter().map(|m| m.name).collect() };
    let plan = GridPlan {
        validation: Validation::folds(2),
        ..GridPlan::new(
            &all(Kind::Imputer),
            &all(Kind::Transformer),
            &all(Kind::Classifier),
        )
        .unwrap()
    };
    let result = grid(&odd, &plan, &quiet()).unwrap();
    assert_eq!(result.pipelines.len() + result.failed.len(), plan.len());
    assert!(result.pipelines.iter().all(|l| l.mean.is_finite()));
}

#[test]
fn a_file_scaled_as_a_whole_is_noticed() {
    let (_, chain) = read_steps("standard").unwrap();
    let scaled = transform(&glass(), None, &chain).unwrap();
    let mut text = scaled.columns.join(",") + ",class\n";
    for (row, y) in scaled.rows.iter().zip(&glass().y) {
        text +=
            &(row.iter().map(f64::to_string).collect::<Vec<_>>().join(",") + &format!(",{y}\n"));
    }
    let data = Dataset::new(&table(&text), &Roles::default()).unwrap();
    let keys: Vec<String> = honesty::warnings(&data, &[])
        .into_iter()
        .map(|w| w.key)
        .collect();
    assert!(keys.contains(&"scaled-before".to_owned()), "{keys:?}");
}

#[test]
fn the_report_is_repeated() {
    let plan = ReportPlan {
        seeds: 6,
        nested: false,
        curves: false,
        seed: 1,
    };
    let found = report(&plan, &quiet()).unwrap();
    assert_eq!(found.grid.pipelines.len(), 484);
    // The report's winner is among those that cannot be told from the best, and its score is near.
    assert!(found.grid.pipelines[found.winner_rank - 1].indistinguishable);
    assert!(
        (found.winner_mean - 0.751).abs() < 0.04,
        "{}",
        found.winner_mean
    );
    assert_eq!(found.test_whole.rows, 65);
    assert_eq!(found.paired[0].seeds.len(), 6);
    assert!(found.claims.len() >= 6 && found.slips.len() >= 5);
    serde_json::to_string(&found).unwrap();
    // The same grid by scikit-learn on the same rows: pipelines
    // that draw nothing within three rows of 149 (neighbours at equal distance).
    let Some(p) = parity() else { return };
    let ours: std::collections::BTreeMap<String, f64> = found
        .grid
        .pipelines
        .iter()
        .map(|l| (l.pipeline(), l.mean))
        .collect();
    let plan = GridPlan::report();
    let names = |list: &[&'static str], specs: Vec<String>| -> Vec<(&'static str, String)> {
        list.iter().copied().zip(specs).collect()
    };
    let imputers = names(
        &["KNN-1", "KNN-3", "MEAN", "MEDIAN"],
        plan.imputers.iter().map(ToString::to_string).collect(),
    );
    let transformers = names(
        &[
            "PASSTHROUGH",
            "SCALE",
            "NORMALIZE",
            "DISCRETIZE-3",
            "VAR-THRESHOLD-0.5",
            "SELECT-3-BEST",
            "PCA",
            "ROBUST",
            "POWER",
            "QUANTILE-UNIFORM",
            "QUANTILE-NORMAL",
        ],
        plan.transformers
            .iter()
            .map(|t| wits_learn::chain_text(t))
            .collect(),
    );
    let classifiers = names(
        &[
            "NAIVE-BAYES-1e-9",
            "NAIVE-BAYES-1e-6",
            "NAIVE-BAYES-1e-3",
            "",
            "",
            "",
            "",
            "KNN-3",
            "SVC-LINEAR",
            "SVC-RBF",
            "",
        ],
        plan.classifiers.iter().map(ToString::to_string).collect(),
    );
    let spec = |list: &[(&str, String)], name: &Value| {
        list.iter().find(|(n, _)| name == n).map(|(_, s)| s.clone())
    };
    let mut compared = 0;
    for row in p["seed_grid_cv5"]["rows"].as_array().unwrap() {
        let (Some(i), Some(t), Some(c)) = (
            spec(&imputers, &row[0]),
            spec(&transformers, &row[1]),
            spec(&classifiers, &row[2]),
        ) else {
            continue;
        };
        if t == "power" {
            continue;
        }
        compared += 1;
        let (ours, theirs) = (ours[&format!("{i} + {t} + {c}")], row[3].as_f64().unwrap());
        assert!(
            (ours - theirs).abs() < 0.0205,
            "{i} + {t} + {c}: {ours} {theirs}"
        );
    }
    assert_eq!(compared, 4 * 10 * 6);
}
