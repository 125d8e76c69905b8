//! Laws that hold for any data, and slow twins of the fast parts.
#![allow(
    clippy::unwrap_used,
    clippy::float_cmp,
    reason = "in a test a panic is the message, and equal means equal"
)]

use proptest::prelude::*;
use wits_learn::classify::{Classifier, Node, Prepared};
use wits_learn::transform::Transformer;
use wits_learn::{
    Dataset, Kind, Matrix, Model, ReadOptions, Roles, Spec, TableReader, Validation, read_table,
};

fn rows(columns: usize) -> impl Strategy<Value = (Matrix, Vec<u32>)> {
    // Few different values, so that ties are the rule.
    let row = (prop::collection::vec(-4i32..5, columns), 0u32..3);
    prop::collection::vec(row, 6..40).prop_map(move |list| {
        let cells = list
            .iter()
            .flat_map(|(r, _)| r.iter().map(|&v| f64::from(v) * 0.75))
            .collect();
        let y = list.iter().map(|&(_, c)| c).collect();
        (Matrix::new(list.len(), columns, cells), y)
    })
}

fn transformer(text: &str, x: &Matrix, y: &[u32]) -> Transformer {
    Transformer::fit(&Spec::read(Kind::Transformer, text).unwrap(), x, y).unwrap()
}

/// The least impurity any single question reaches, by trying them all.
fn best_question(x: &Matrix, y: &[u32], entropy: bool) -> Option<f64> {
    let impurity = |side: &[usize]| {
        let n = side.len() as f64;
        let mut sum = 0.0;
        for class in 0..3 {
            let p = side.iter().filter(|&&i| y[i] == class).count() as f64 / n;
            sum += match (entropy, p > 0.0) {
                (true, true) => -p * p.ln(),
                (true, false) => 0.0,
                (false, _) => p * (1.0 - p),
            };
        }
        n * sum
    };
    let mut best: Option<f64> = None;
    for j in 0..x.columns() {
        for i in 0..x.rows() {
            let (left, right): (Vec<usize>, Vec<usize>) =
                (0..x.rows()).partition(|&k| x.at(k, j) <= x.at(i, j));
            if right.is_empty() {
                continue;
            }
            let total = impurity(&left) + impurity(&right);
            best = Some(best.map_or(total, |b: f64| b.min(total)));
        }
    }
    best
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_stump_asks_the_best_question((x, y) in rows(3), entropy: bool, seed in 0u64..1000) {
        let criterion = if entropy { "entropy" } else { "gini" };
        let spec = Spec::read(Kind::Classifier, &format!("tree:depth=1,criterion={criterion}")).unwrap();
        let prepared = Prepared::new(x.clone(), y.clone(), 3);
        let Classifier::Tree(tree) = Classifier::fit(&spec, &prepared, seed).unwrap() else { panic!() };
        let pure = y.iter().all(|c| *c == y[0]);
        match (tree.node(0), best_question(&x, &y, entropy)) {
            (Node::Leaf, best) => prop_assert!(pure || best.is_none()),
            (Node::Ask { left, right, .. }, best) => {
                let impurity = |node: usize| {
                    let counts = tree.counts(node);
                    let n = f64::from(counts.iter().sum::<u32>());
                    n * counts.iter().filter(|c| **c > 0).map(|&c| {
                        let p = f64::from(c) / n;
                        if entropy { -p * p.ln() } else { p * (1.0 - p) }
                    }).sum::<f64>()
                };
                let found = impurity(left) + impurity(right);
                prop_assert!((found - best.unwrap()).abs() < 1e-9, "{found} {best:?}");
            }
        }
    }

    #[test]
    fn a_full_tree_knows_its_rows((x, y) in rows(4), seed in 0u64..1000) {
        // Wherever equal rows have equal classes, a tree without limits is never wrong.
        let spec = Spec::read(Kind::Classifier, "tree").unwrap();
        let prepared = Prepared::new(x.clone(), y.clone(), 3);
        let tree = Classifier::fit(&spec, &prepared, seed).unwrap();
        let predicted = tree.predict(&x);
        for i in 0..x.rows() {
            let twins_agree = (0..x.rows()).all(|k| x.row(k) != x.row(i) || y[k] == y[i]);
            prop_assert!(!twins_agree || predicted[i] == y[i]);
        }
    }

    #[test]
    fn neighbours_equal_a_full_sort((x, y) in rows(3), k in 1usize..6) {
        let spec = Spec::read(Kind::Classifier, &format!("knn:k={k}")).unwrap();
        let prepared = Prepared::new(x.clone(), y.clone(), 3);
        let Classifier::Neighbours(knn) = Classifier::fit(&spec, &prepared, 0).unwrap() else { panic!() };
        for i in 0..x.rows() {
            let distance = |j: usize| -> f64 {
                x.row(i).iter().zip(x.row(j)).map(|(a, b)| (a - b) * (a - b)).sum()
            };
            let mut all: Vec<f64> = (0..x.rows()).map(distance).collect();
            all.sort_by(f64::total_cmp);
            let mut near: Vec<f64> = knn.nearest(x.row(i)).iter().map(|n| n.1).collect();
            near.sort_by(f64::total_cmp);
            prop_assert_eq!(near, all[..k.min(x.rows())].to_vec());
        }
    }

    #[test]
    fn transforms_keep_what_they_promise((x, y) in rows(3)) {
        let ranks = transformer("quantile", &x, &y).apply(&x);
        let powers = transformer("power", &x, &y).apply(&x);
        for j in 0..3 {
            for a in 0..x.rows() {
                prop_assert!((0.0..=1.0).contains(&ranks.at(a, j)));
                for b in 0..x.rows() {
                    if x.at(a, j) < x.at(b, j) {
                        prop_assert!(ranks.at(a, j) <= ranks.at(b, j));
                        prop_assert!(powers.at(a, j) < powers.at(b, j));
                    }
                }
            }
        }
        // Turning the axes keeps every distance.
        let turned = transformer("pca", &x, &y).apply(&x);
        let far = |m: &Matrix, a: usize, b: usize| -> f64 {
            m.row(a).iter().zip(m.row(b)).map(|(u, v)| (u - v) * (u - v)).sum::<f64>()
        };
        for a in 1..x.rows() {
            prop_assert!((far(&x, 0, a) - far(&turned, 0, a)).abs() < 1e-9);
        }
        let onehot = transformer("kbins:bins=3", &x, &y).apply(&x);
        for i in 0..x.rows() {
            prop_assert_eq!(onehot.row(i).iter().sum::<f64>(), 3.0);
        }
    }

    #[test]
    fn folds_part_the_rows((_, y) in rows(1), folds in 2usize..8, shuffle: bool, seed in 0u64..99) {
        let plan = Validation::Folds { folds, repeats: 1, shuffle };
        let Ok(dealt) = plan.deal(&y, seed) else { return Ok(()) };
        let mut seen: Vec<usize> = dealt.iter().flat_map(|f| f.test.clone()).collect();
        seen.sort_unstable();
        prop_assert_eq!(seen, (0..y.len()).collect::<Vec<_>>());
        for fold in &dealt {
            prop_assert_eq!(fold.train.len() + fold.test.len(), y.len());
            prop_assert!(fold.train.iter().all(|i| !fold.test.contains(i)));
        }
    }

    #[test]
    fn any_bytes_are_a_table_or_a_sentence(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        if let Ok(table) = read_table(&bytes, &ReadOptions::default()) {
            let _ = Dataset::new(&table, &Roles::default());
        }
    }

    #[test]
    fn any_small_table_is_read_and_learned_or_refused(text in "[a-c0-9.,;\"\n -]{0,120}") {
        let whole = read_table(text.as_bytes(), &ReadOptions::default());
        let mut reader = TableReader::new(ReadOptions::default());
        let fed = text.as_bytes().chunks(7).try_for_each(|piece| reader.feed(piece));
        let pieces = fed.and_then(|()| reader.finish());
        // NaN is not equal to itself, so tables are compared as they print.
        prop_assert_eq!(format!("{whole:?}"), format!("{pieces:?}"));
        if let Ok(table) = whole
            && let Ok(data) = Dataset::new(&table, &Roles::default())
        {
            for text in ["knn:k=2 + quantile + tree", "median + power + svc-rbf", "standard + boosting:trees=2"] {
                let model = wits_learn::train(&data, &text.parse().unwrap(), 1).unwrap();
                prop_assert_eq!(model.predict(&table).unwrap().rows.len(), table.rows);
            }
        }
    }

    #[test]
    fn any_text_is_a_pipeline_or_a_sentence(text in "[a-z+:=,. 0-9-]{0,40}") {
        if let Ok(pipeline) = text.parse::<wits_learn::Pipeline>() {
            prop_assert_eq!(pipeline.to_string().parse::<wits_learn::Pipeline>().unwrap(), pipeline);
        }
        prop_assert!(Model::from_json(&text).is_err());
    }
}
