//! What must not take long: work on many rows, and the end of work after a stop in its midst, which
//! keeps what is finished. The time is that of the processor on the thread that works, so that other
//! work does not count.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use wits_learn::verbs::in_time;
use wits_learn::{
    Control, Dataset, GridPlan, GridWork, Kind, LearnError, NestedWork, Pipeline, Validation,
    bench, compare, cross_validate, grid, importance, learning_curve, methods, nested,
    probability_curves, regions, tune, with_threads,
};
use wits_search::{Budget, Limits};

/// What a stop may take, in seconds of the processor.
const SOON: f64 = 0.5;

/// Where the system shows this thread's figures.
fn own_figures() -> PathBuf {
    Path::new("/proc").join(std::fs::read_link("/proc/thread-self").unwrap())
}

/// Seconds of the processor that a thread has used; nothing once it is gone.
fn spent(thread: &Path) -> Option<f64> {
    let text = std::fs::read_to_string(thread.join("schedstat")).ok()?;
    let nanos: f64 = text.split(' ').next()?.parse().ok()?;
    Some(nanos / 1e9)
}

/// Does work on one thread and raises its flag from another one as soon as it has used so many
/// seconds of the processor. Gives what came of it and the seconds that it went on.
fn stopped<T: Send>(
    after: f64,
    work: impl FnOnce(&'static AtomicBool) -> T + Send,
) -> Option<(T, f64)> {
    // Grids in steps keep the flag.
    let flag: &'static AtomicBool = Box::leak(Box::new(AtomicBool::new(false)));
    let (begins, begun) = mpsc::channel();
    std::thread::scope(|scope| {
        let worker = scope.spawn(move || {
            let timed = || {
                let own = own_figures();
                begins.send((own.clone(), spent(&own).unwrap())).unwrap();
                (work(flag), spent(&own).unwrap())
            };
            with_threads(1, timed).unwrap()
        });
        let (own, start) = begun.recv().unwrap();
        let mut raised = None;
        while raised.is_none() && !worker.is_finished() {
            std::thread::sleep(Duration::from_millis(1));
            if spent(&own).is_some_and(|now| now - start >= after) {
                flag.store(true, Ordering::Relaxed);
                raised = spent(&own);
            }
        }
        let (found, end) = worker.join().unwrap();
        raised.map(|raised| (found, end - raised))
    })
}

/// Rows that a stop once took 18.9 s for, with gaps.
fn rows() -> Dataset {
    let (x, y) = bench::sample(18_000, 30, 3, 1);
    Dataset::made_up(x, y).with_missing(0.02, 1)
}

/// So many folds that even the quickest method takes a while.
const FOLDS: Validation = Validation::Folds {
    folds: 10,
    repeats: 20,
    shuffle: false,
};

/// Stops the cross-validation of a pipeline; whether it was still at work then.
fn stops_soon(data: &Dataset, text: &str, after: f64) -> bool {
    let pipeline: Pipeline = text.parse().unwrap();
    let work = |stop| {
        let control = Control {
            stop,
            ..Control::quiet()
        };
        cross_validate(data, &pipeline, FOLDS, 1, &control)
    };
    let Some((found, seconds)) = stopped(after, work) else {
        return false;
    };
    match found {
        Ok(found) => assert!(found.stopped && !found.folds.is_empty(), "{text}"),
        Err(error) => assert_eq!(error, LearnError::Stopped, "{text}"),
    }
    assert!(seconds <= SOON, "{text} at {after} s: {seconds:.2} s");
    true
}

/// Every method ends soon after the flag is raised, wherever it is; the slow ones are in the midst of
/// their first fit both times.
#[test]
fn every_method_ends_soon_after_a_stop() {
    let data = rows();
    for kind in [Kind::Imputer, Kind::Transformer, Kind::Classifier] {
        for method in methods(kind) {
            let text = match kind {
                Kind::Imputer => format!("{} + majority", method.name),
                Kind::Transformer => format!("mean + {} + majority", method.name),
                Kind::Classifier => format!("mean + {}", method.name),
            };
            assert!(stops_soon(&data, &text, 0.1), "{text} was over before");
        }
    }
    for slow in [
        "knn:k=5 + majority",
        "mean + random-forest:trees=1000",
        "mean + extra-trees:trees=1000",
        "mean + boosting:trees=1000",
        "mean + svc-rbf:c=1e6",
        "mean + svc-linear:c=1e6",
        "mean + logistic:c=1e6",
        "mean + tree:calibrate=isotonic",
        "mean + svc-rbf:calibrate=sigmoid",
        "mean + knn:k=50",
    ] {
        assert!(stops_soon(&data, slow, 0.6), "{slow} was over before");
    }
}

/// Something that is done with a pipeline; whether it was stopped.
type Work<'a> = Box<dyn FnOnce(&Control<'_>) -> bool + Send + 'a>;

/// Whatever is done with a slow pipeline ends soon after a stop.
#[test]
fn every_kind_of_work_ends_soon_after_a_stop() {
    let data = rows();
    let slow: Pipeline = "mean + boosting:trees=1000".parse().unwrap();
    let quick: Pipeline = "mean + naive-bayes".parse().unwrap();
    let plan = || GridPlan::new(&["mean"], &["standard"], &["boosting:trees=1000"]).unwrap();
    let folds = Validation::folds(3);
    let (data, slow, quick) = (&data, &slow, &quick);
    let depths = ["1".to_owned(), "2".to_owned()];
    let works: [(&str, Work<'_>); 8] = [
        (
            "compare",
            Box::new(|c| compare(data, quick, slow, folds, 1, c).is_err()),
        ),
        (
            "curves",
            Box::new(|c| probability_curves(data, slow, folds, 1, c).is_err()),
        ),
        (
            "regions",
            Box::new(|c| regions(data, slow, None, folds, 1, c).is_err()),
        ),
        (
            "tune",
            Box::new(|c| tune(data, slow, "depth", &depths, folds, 1, c).is_err()),
        ),
        (
            "learning",
            Box::new(|c| learning_curve(data, slow, &[0.5, 1.0], folds, 1, c).is_err()),
        ),
        (
            "importance",
            Box::new(|c| importance(data, slow, folds, 2, 1, c).is_err()),
        ),
        ("grid", Box::new(|c| grid(data, &plan(), c).is_err())),
        (
            "nested",
            Box::new(|c| nested(data, &plan(), folds, c).is_err()),
        ),
    ];
    for (name, work) in works {
        let work = |stop| {
            work(&Control {
                stop,
                ..Control::quiet()
            })
        };
        let (ended, seconds) = stopped(0.4, work).expect(name);
        assert!(ended, "{name} found something");
        assert!(seconds <= SOON, "{name}: {seconds:.2} s");
    }
}

/// The check of a winner once looked at no flag: a stop in its midst waited for the fit at work, and a
/// page lost the whole grid.
#[test]
fn the_check_of_a_winner_ends_soon_after_a_stop() {
    let data = rows();
    let plan = GridPlan::new(&["mean"], &["standard"], &["boosting:trees=1000"]).unwrap();
    let works: [fn(Dataset, GridPlan, &'static AtomicBool) -> bool; 2] = [
        |data, plan, stop| {
            let work = GridWork::new(data, plan).unwrap().with_stop(stop);
            { work }.step().is_none()
        },
        |data, plan, stop| {
            let outer = Validation::folds(2);
            let work = NestedWork::new(data, plan, outer).unwrap().with_stop(stop);
            { work }.step().unwrap().is_none()
        },
    ];
    for work in works {
        let (data, plan) = (data.clone(), plan.clone());
        let (ended, seconds) = stopped(0.4, |stop| work(data, plan, stop)).expect("it takes long");
        assert!(ended && seconds <= SOON, "{seconds:.2} s");
    }
}

/// A fit of minutes looks at no clock: whoever watches it raises the flag.
#[test]
fn time_that_is_up_ends_a_long_fit() {
    let slow: Pipeline = "mean + boosting:trees=10000,depth=10".parse().unwrap();
    let budget = Budget::start(Limits::time(Duration::from_millis(200)));
    let flag = budget.flag();
    let control = Control {
        stop: &flag,
        ..Control::quiet()
    };
    let data = rows();
    let work = || cross_validate(&data, &slow, Validation::folds(2), 1, &control);
    let found = in_time(&budget, || with_threads(1, work).unwrap());
    assert_eq!(found.unwrap_err(), LearnError::Stopped);
    assert!(budget.late() && budget.stopped());
}

/// The intervals once came from a thousand draws of all rows: 40 s for a million rows of ten columns,
/// which have six. A quarter of the rows has a quarter of the time.
#[test]
fn a_million_rows_are_cross_validated_in_six_seconds() {
    let (x, y) = bench::sample(250_000, 10, 2, 1);
    let data = Dataset::made_up(x, y);
    let pipeline: Pipeline = "naive-bayes".parse().unwrap();
    let timed = || {
        let (own, quiet) = (own_figures(), Control::quiet());
        let start = spent(&own).unwrap();
        let found = cross_validate(&data, &pipeline, Validation::folds(5), 1, &quiet).unwrap();
        (found, spent(&own).unwrap() - start)
    };
    let (found, seconds) = with_threads(1, timed).unwrap();
    assert_eq!(found.answers.len(), 250_000);
    assert!(seconds <= 6.0 / 4.0, "{seconds:.2} s");
}
