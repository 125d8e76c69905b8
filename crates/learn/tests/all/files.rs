//! Models, runs and Rust source: what leaves the desk as a file and comes back.
#![allow(clippy::unwrap_used, reason = "in a test a panic is the message")]

use crate::common::glass;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, Ordering};

use wits_learn::bench::sample;
use wits_learn::classify::{Classifier, Prepared};
use wits_learn::{
    Control, Dataset, Found, GridPlan, Kind, LearnError, Model, ReadOptions, Run, Spec,
    TableLimits, TooLarge, Validation, cross_validate, grid, read_table, read_table_within,
    rust_source, train, train_controlled, tune,
};

fn table(text: &str) -> wits_learn::Table {
    read_table(text.as_bytes(), &ReadOptions::default()).unwrap()
}

#[test]
fn a_model_is_one_file_that_predicts_the_same() {
    let whole = read_table(
        wits_learn::SAMPLES[0].text.as_bytes(),
        &ReadOptions::default(),
    )
    .unwrap();
    let data = glass();
    for text in [
        "knn:k=2 + quantile + random-forest:trees=5",
        "median + power + boosting:trees=3",
        "mean + kbins + naive-bayes",
        "mean + robust + knn:weights=distance",
        "mean + minmax + svc-rbf",
        "mean + standard + select:k=4 + svc-linear",
        "most-frequent + normalize + pca:components=3 + tree:splitter=random",
        "majority",
        "variance + extra-trees:trees=3",
    ] {
        let model = train(&data, &text.parse().unwrap(), 7).unwrap();
        let reopened = Model::from_json(&model.to_json()).unwrap();
        assert_eq!(reopened, model, "{text}");
        let (a, b) = (
            model.predict(&whole).unwrap(),
            reopened.predict(&whole).unwrap(),
        );
        assert_eq!(a, b);
        let judged = reopened.evaluate(&whole).unwrap();
        assert!(judged.warnings.iter().any(|w| w.key == "trained-on-this"));
        assert_eq!(
            judged.wrong.len() + (judged.scores.accuracy.value * 214.0).round() as usize,
            214
        );
        let one = model.predict_one(data.x.row(5)).unwrap();
        assert_eq!(one.class, a.rows[5].class);
        assert!(model.predict_one(&[1.0]).is_err());
    }
}

#[test]
fn a_model_for_other_columns_or_a_damaged_one_says_so() {
    let data = glass();
    let model = train(&data, &"standard + tree:depth=3".parse().unwrap(), 1).unwrap();
    let told = model.predict(&table("a,b\n1,2\n")).unwrap_err().to_string();
    assert!(
        told.contains("column `RI`") && told.contains("`a`, `b`"),
        "{told}"
    );
    let text = wits_learn::SAMPLES[0]
        .text
        .lines()
        .next()
        .unwrap()
        .to_owned()
        + "\n1,one,2,3,4,5,6,7,8,9,1\n";
    assert!(
        model
            .predict(&table(&text))
            .unwrap_err()
            .to_string()
            .contains("column `RI`: `one`")
    );
    for bad in [
        "",
        "{}",
        "[1]",
        "{\"format\":\"wits-learn-model\",\"version\":99}",
        "{\"format\":\"wits-learn-model\",\"version\":1}",
    ] {
        assert!(Model::from_json(bad).is_err(), "{bad}");
    }
    // Every number of a model file in turn replaced by a large one: an error or a model that
    // still answers, never a panic.
    let json: Value = serde_json::from_str(&model.to_json()).unwrap();
    let whole = read_table(
        wits_learn::SAMPLES[0].text.as_bytes(),
        &ReadOptions::default(),
    )
    .unwrap();
    let (mut refused, mut tried) = (0, 0);
    for at in 0..count(&json) {
        let mut forged = json.clone();
        let mut left = at;
        replace(&mut forged, &mut left);
        tried += 1;
        match Model::from_json(&forged.to_string()) {
            Err(_) => refused += 1,
            Ok(model) => drop(model.predict(&whole)),
        }
    }
    assert!(tried > 50 && refused > 10, "{tried} {refused}");
}

fn count(value: &Value) -> usize {
    match value {
        Value::Number(_) => 1,
        Value::Array(list) => list.iter().map(count).sum(),
        Value::Object(map) => map.values().map(count).sum(),
        _ => 0,
    }
}

fn replace(value: &mut Value, left: &mut usize) {
    match value {
        Value::Number(_) => {
            if *left == 0 {
                *value = json!(1_000_000);
            }
            *left = left.wrapping_sub(1);
        }
        Value::Array(list) => list.iter_mut().for_each(|v| replace(v, left)),
        Value::Object(map) => map.values_mut().for_each(|v| replace(v, left)),
        _ => {}
    }
}

#[test]
fn runs_are_files() {
    let data = glass();
    let result = grid(&data, &GridPlan::quick(), &Control::quiet()).unwrap();
    let run = Run::new(
        &data,
        Found::Grid {
            result: Box::new(result),
            nested: None,
        },
    );
    let again = Run::from_json(&run.to_json()).unwrap();
    assert_eq!(again, run);
    assert!(again.is_about(&data));
    assert!(Run::from_json("{}").is_err());
}

#[test]
fn rust_source_answers_like_the_model() {
    let data = glass();
    for text in [
        "mean + standard + tree:depth=6",
        "median + random-forest:trees=7",
    ] {
        let model = train(&data, &text.parse().unwrap(), 1).unwrap();
        let mut source = rust_source(&model).unwrap();
        source += "\nfn main() {\n    for line in std::io::stdin().lines() {\n        let mut row = [0.0; 9];\n        for (cell, text) in row.iter_mut().zip(line.unwrap().split(',')) {\n            *cell = text.parse().unwrap();\n        }\n        println!(\"{}\", classify(&row));\n    }\n}\n";
        let folder =
            std::env::temp_dir().join(format!("wits-learn-{}-{}", std::process::id(), text.len()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("main.rs"), source).unwrap();
        let built = std::process::Command::new("rustc")
            .args(["--edition", "2024", "-o", "main", "main.rs"])
            .current_dir(&folder)
            .status()
            .unwrap();
        assert!(built.success());
        let gaps = data.with_missing(0.1, 4);
        let input: String = (0..214)
            .map(|i| {
                gaps.x
                    .row(i)
                    .iter()
                    .map(f64::to_string)
                    .collect::<Vec<_>>()
                    .join(",")
                    + "\n"
            })
            .collect();
        std::fs::write(folder.join("rows"), input).unwrap();
        let output = std::process::Command::new(folder.join("main"))
            .stdin(std::fs::File::open(folder.join("rows")).unwrap())
            .output()
            .unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        let ours: Vec<&str> = model
            .fitted
            .predict(&gaps.x)
            .iter()
            .map(|&c| data.classes()[c as usize].as_str())
            .collect();
        assert_eq!(said.lines().collect::<Vec<_>>(), ours, "{text}");
        std::fs::remove_dir_all(&folder).unwrap();
    }
    let knn = train(&data, &"knn".parse().unwrap(), 1).unwrap();
    assert!(
        rust_source(&knn)
            .unwrap_err()
            .to_string()
            .contains("not made of trees")
    );
}

#[test]
fn every_fit_obeys_the_flag() {
    let data = glass();
    let stop = AtomicBool::new(true);
    let rows = Prepared::until(data.x.clone(), data.y.clone(), 6, &stop);
    // Without a look at the flag these take minutes to hours.
    for text in [
        "boosting:trees=10000,depth=10",
        "random-forest:trees=10000",
        "extra-trees:trees=10000",
        "svc-rbf:c=1e6",
        "svc-linear",
        "tree",
        "knn",
        "naive-bayes",
        "lda",
        // Fewer rows than columns are fitted for some classes: it may not say so now.
        "qda",
    ] {
        let spec = Spec::read(Kind::Classifier, text).unwrap();
        let fitted = Classifier::fit(&spec, &rows, 1);
        assert_eq!(fitted.err(), Some(LearnError::Stopped), "{text}");
    }
    let control = Control {
        stop: &stop,
        tell: &|_| {},
    };
    let slow = "knn:k=3 + power + boosting:trees=10000,depth=10"
        .parse()
        .unwrap();
    let stopped = Some(LearnError::Stopped);
    assert_eq!(train_controlled(&data, &slow, 1, &control).err(), stopped);
    let validation = Validation::folds(5);
    let found = cross_validate(&data, &slow, validation, 1, &control);
    assert_eq!(found.err(), stopped);
    let depths = ["1".to_owned(), "2".to_owned()];
    let curve = tune(&data, &slow, "depth", &depths, validation, 1, &control);
    assert_eq!(curve.err(), stopped);
    assert_eq!(grid(&data, &GridPlan::report(), &control).err(), stopped);
}

#[test]
fn a_grid_that_is_stopped_keeps_what_is_finished() {
    let data = glass();
    let plan = GridPlan::quick();
    let whole = grid(&data, &plan, &Control::quiet()).unwrap();
    assert!(!whole.stopped);
    let stop = AtomicBool::new(false);
    let tell = |progress: &wits_learn::Progress| {
        if progress.cell.is_some() {
            stop.store(true, Ordering::Relaxed);
        }
    };
    let control = Control {
        stop: &stop,
        tell: &tell,
    };
    let part = wits_learn::with_threads(1, || grid(&data, &plan, &control)).unwrap();
    let part = part.unwrap();
    assert!(part.stopped && part.pipelines.len() < whole.pipelines.len());
    assert!(part.warnings.iter().any(|w| w.key == "stopped"));
    for line in &part.pipelines {
        let same = |l: &&wits_learn::Line| l.place == line.place;
        let there = whole.pipelines.iter().find(same).unwrap();
        assert_eq!(there.folds, line.folds);
    }
}

/// Stopped in the midst of a fold, a grid knows the folds that went before.
#[test]
fn folds_that_were_finished_outlive_a_stop() {
    let data = glass();
    let plan = GridPlan::new(
        &["mean"],
        &["passthrough", "standard"],
        &["knn:k=3", "tree"],
    )
    .unwrap();
    let whole = grid(&data, &plan, &Control::quiet()).unwrap();
    let stop = AtomicBool::new(false);
    let tell = |progress: &wits_learn::Progress| {
        // The first two pipelines are through, the others are at their second fold.
        if progress.done == 7 {
            stop.store(true, Ordering::Relaxed);
        }
    };
    let control = Control {
        stop: &stop,
        tell: &tell,
    };
    let part = wits_learn::with_threads(1, || grid(&data, &plan, &control)).unwrap();
    let part = part.unwrap();
    assert_eq!((part.pipelines.len(), part.unfinished.len()), (2, 2));
    for one in &part.unfinished {
        let same = |l: &&wits_learn::Line| {
            l.transformer == one.transformer && l.classifier == one.classifier
        };
        let there = whole.pipelines.iter().find(same).unwrap();
        assert_eq!(one.folds, there.folds[..2]);
    }
    let json = serde_json::to_value(&part).unwrap();
    assert_eq!(json["unfinished"][0]["folds"].as_array().unwrap().len(), 2);
}

#[test]
fn tables_have_limits() {
    let limits = TableLimits {
        bytes: 1000,
        rows: 3,
        columns: 4,
        cells: 8,
        cell: 10,
        labels: 2,
    };
    let read = |text: &str| {
        let read = read_table_within(text.as_bytes(), &ReadOptions::default(), limits);
        read.map(|table| table.rows)
    };
    let large = |what, most| Err(LearnError::TooLarge { what, most });
    assert_eq!(read("a,b\n1,x\n2,y\n3,x\n"), Ok(3));
    let bytes = "1,2\n".repeat(300);
    for (text, refused) in [
        (bytes.as_str(), large(TooLarge::Bytes, 1000)),
        ("a,b\n1,x\n2,y\n3,x\n4,x\n", large(TooLarge::Rows, 3)),
        ("a,b,c,d,e\n1,2,3,4,5\n", large(TooLarge::Columns, 4)),
        ("a,b,c\n1,2,3\n1,2,3\n1,2,3\n", large(TooLarge::Cells, 8)),
        ("a,b\n1,abcdefghijklm\n", large(TooLarge::Cell(2), 10)),
        (
            "a,b\n1,x\n2,y\n3,z\n",
            large(TooLarge::Labels("b".to_owned()), 2),
        ),
    ] {
        assert_eq!(read(text), refused);
        assert!(
            refused
                .unwrap_err()
                .to_string()
                .contains("take a part of it")
        );
    }
}

/// A flag that is raised once so many parts are done, and what listens for it.
fn stopping_after(parts: usize, work: impl Fn(&Control<'_>) + Send + Sync) {
    let stop = AtomicBool::new(false);
    let tell = |progress: &wits_learn::Progress| {
        if progress.done == parts {
            stop.store(true, Ordering::Relaxed);
        }
    };
    let control = Control {
        stop: &stop,
        tell: &tell,
    };
    wits_learn::with_threads(1, || work(&control)).unwrap();
}

/// Stopped after some folds, values or pairs, everything else keeps those too.
#[test]
fn folds_values_and_pairs_that_were_finished_outlive_a_stop() {
    let data = glass();
    let (folds, quiet) = (Validation::folds(5), Control::quiet());
    let pipeline = |text: &str| -> wits_learn::Pipeline { text.parse().unwrap() };
    let (knn, tree) = (pipeline("standard + knn:k=3"), pipeline("tree:depth=4"));
    let whole = cross_validate(&data, &knn, folds, 1, &quiet).unwrap();
    assert!(!whole.stopped);
    stopping_after(2, |control| {
        let part = cross_validate(&data, &knn, folds, 1, control).unwrap();
        assert!(part.stopped && part.folds.len() == 2, "{:?}", part.folds);
        assert!(part.folds.iter().all(|f| whole.folds.contains(f)));
        assert_eq!(part.scores.rows, part.answers.len());
        assert!(part.answers.iter().all(|a| whole.answers.contains(a)));
        let told = part.warnings.iter().find(|w| w.key == "cv-stopped");
        assert!(told.unwrap().text.contains("2 of 5"));
    });
    let naive = pipeline("naive-bayes");
    let curves = |control: &Control<'_>| {
        wits_learn::probability_curves(&data, &naive, folds, 1, control).unwrap()
    };
    assert_eq!(curves(&quiet).rows, 214);
    stopping_after(2, |control| {
        let part = curves(control);
        assert!(part.stopped && part.rows < 100, "{} rows", part.rows);
        assert!(part.warnings[0].text.contains("2 of 5"));
    });
    // Two folds of both, and the first of the third.
    stopping_after(5, |control| {
        let part = wits_learn::compare(&data, &knn, &tree, folds, 1, control).unwrap();
        assert_eq!((part.a.folds.len(), part.b.folds.len()), (2, 2));
        assert!(part.a.stopped && part.a.folds.iter().all(|f| whole.folds.contains(f)));
    });
    stopping_after(1, |control| {
        let pair = wits_learn::compare(&data, &knn, &tree, folds, 1, control);
        assert_eq!(pair.err(), Some(LearnError::Stopped));
    });
    let values = ["1", "3", "5"].map(str::to_owned);
    let whole = tune(&data, &knn, "knn.k", &values, folds, 1, &quiet).unwrap();
    assert!(!whole.stopped);
    stopping_after(2, |control| {
        let part = tune(&data, &knn, "knn.k", &values, folds, 1, control).unwrap();
        assert!(part.stopped && part.points.len() == 2);
        for point in &part.points {
            let there = whole.points.iter().find(|p| p.value == point.value);
            assert_eq!(there.unwrap().folds, point.folds);
        }
    });
    let shares = [0.2, 0.5, 1.0];
    stopping_after(2, |control| {
        let part = wits_learn::learning_curve(&data, &knn, &shares, folds, 1, control).unwrap();
        assert!(part.stopped && part.points.len() == 2);
    });
}

/// Hundreds of folds that have not begun are not even dealt out once the end is asked for: of 400
/// folds of 5,000 rows that took as long as a good part of the work.
#[test]
fn folds_that_have_not_begun_cost_nothing_after_a_stop() {
    let (x, y) = sample(5_000, 20, 3, 1);
    let data = Dataset::made_up(x, y);
    let pipeline: wits_learn::Pipeline = "naive-bayes".parse().unwrap();
    let at = std::sync::Mutex::new(std::time::Instant::now());
    let stop = AtomicBool::new(false);
    let control = Control {
        stop: &stop,
        tell: &|_| {
            if !stop.swap(true, Ordering::Relaxed) {
                *at.lock().unwrap() = std::time::Instant::now();
            }
        },
    };
    let validation = Validation::folds(400);
    let work = || cross_validate(&data, &pipeline, validation, 1, &control);
    let started = std::time::Instant::now();
    let found = wits_learn::with_threads(1, work).unwrap().unwrap();
    assert!(found.stopped && found.folds.len() == 1);
    // What one fold takes tells how slow this machine is: all of them would take 400 times that.
    let first = *at.lock().unwrap();
    let (one, after) = (first - started, first.elapsed());
    assert!(after < one * 100, "{after:?} after a fold of {one:?}");
}

/// Ways to fill gaps that compare all rows come last, whatever their place in the plan: who stops
/// a grid soon has what the others found.
#[test]
fn a_slow_way_to_fill_gaps_does_not_hold_up_the_others() {
    let data = glass().with_missing(0.05, 1);
    let plan = GridPlan::new(&["knn:k=3", "mean"], &["standard"], &["naive-bayes"]).unwrap();
    let whole = grid(&data, &plan, &Control::quiet()).unwrap();
    assert_eq!(whole.pipelines.len(), 2);
    stopping_after(5, |control| {
        let part = grid(&data, &plan, control).unwrap();
        assert!(part.stopped);
        assert_eq!(part.pipelines[0].imputer, "mean");
        let there = whole.pipelines.iter().find(|l| l.imputer == "mean");
        assert_eq!(there.unwrap().folds, part.pipelines[0].folds);
    });
}
