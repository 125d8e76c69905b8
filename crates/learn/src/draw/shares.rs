//! Drawings of probabilities: ROC, precision and recall, calibration.

use super::canvas::{Canvas, Scale, colour, short, wide};
use super::words;
use crate::curves::{ClassCurves, ProbabilityCurves};
use crate::metrics::{Measured, share};

/// The side of the square that a curve is drawn in, and where it starts.
const SIDE: f64 = 320.0;
const LEFT: f64 = 64.0;
const TOP: f64 = 44.0;

/// False against true positives, with the intervals of the true ones.
pub fn roc(curves: &ProbabilityCurves) -> String {
    let mut c = frame(
        curves,
        ["draw-roc", "draw-false-positives", "draw-true-positives"],
    );
    c.path(&[at([0.0, 0.0]), at([1.0, 1.0])], "axis", 2, false);
    bands(&mut c, curves, |one| {
        let found = |&[x, y]: &[f64; 2]| (x, share(count(y, one.support), one.support));
        one.roc.iter().map(found).collect()
    });
    each(&mut c, curves, |one| {
        let [low, high] = one.auc.interval;
        let area = format!("AUC {:.3} ({low:.3} – {high:.3})", one.auc.value);
        (one.roc.clone(), area)
    });
    c.finish()
}

/// Recall against precision, with the intervals of precision.
pub fn precision_recall(curves: &ProbabilityCurves) -> String {
    let mut c = frame(curves, ["draw-precision-recall", "recall", "precision"]);
    bands(&mut c, curves, |one| {
        // Of those that are named, as many are right as are found.
        let found = |&[x, y]: &[f64; 2]| {
            let right = count(x, one.support);
            let named = (right as f64 / y.max(1e-9)).round() as usize;
            (x, share(right, named.max(right)))
        };
        let named = one.precision_recall.iter().filter(|p| p[0] > 0.0);
        named.map(found).collect()
    });
    each(&mut c, curves, |one| {
        let [low, high] = one.average_precision.interval;
        let value = one.average_precision.value;
        (
            one.precision_recall.clone(),
            format!("AP {value:.3} ({low:.3} – {high:.3})"),
        )
    });
    c.finish()
}

/// Probabilities given against shares found, with Wilson's intervals.
pub fn calibration(curves: &ProbabilityCurves) -> String {
    let mut c = frame(curves, ["draw-calibration", "draw-given", "draw-found"]);
    c.path(&[at([0.0, 0.0]), at([1.0, 1.0])], "axis", 2, false);
    for (k, one) in curves.classes.iter().enumerate() {
        for bin in &one.calibration {
            let [low, high] = bin.found.interval;
            let ends = [at([bin.given, low]), at([bin.given, high])];
            c.path(&ends, colour(k), 0, false);
            let (x, y) = at([bin.given, bin.found.value]);
            c.mark(x, y, k, 3.0);
        }
    }
    each(&mut c, curves, |one| {
        let bins = one.calibration.iter();
        let line = bins.map(|b| [b.given, b.found.value]).collect();
        (line, String::new())
    });
    c.finish()
}

/// Bands of more classes than this would cover each other.
const BANDED: usize = 4;

/// How many of so many a share is.
fn count(share: f64, of: usize) -> usize {
    (share * of as f64).round() as usize
}

/// Wilson's interval at every point of a curve, where there are few classes.
fn bands(
    c: &mut Canvas,
    curves: &ProbabilityCurves,
    of: impl Fn(&ClassCurves) -> Vec<(f64, Measured)>,
) {
    if curves.classes.len() > BANDED {
        return;
    }
    for (k, one) in curves.classes.iter().enumerate() {
        let points = of(one);
        let upper = points.iter().map(|(x, m)| at([*x, m.interval[1]]));
        let lower = points.iter().rev().map(|(x, m)| at([*x, m.interval[0]]));
        c.area(&upper.chain(lower).collect::<Vec<_>>(), colour(k));
    }
}

fn at([x, y]: [f64; 2]) -> (f64, f64) {
    let across = Scale::between(0.0, 1.0, LEFT, LEFT + SIDE);
    let up = Scale::between(0.0, 1.0, TOP + SIDE, TOP);
    (across.at(x), up.at(y))
}

/// The title, both axes from 0 to 1, and room for a line of text per class.
fn frame(curves: &ProbabilityCurves, [title, x, y]: [&'static str; 3]) -> Canvas {
    let longest = curves.classes.iter().map(|c| wide(&c.class, 12.0));
    let words_wide = longest.fold(0.0, f64::max) + 220.0;
    let height = (TOP + SIDE + 56.0).max(TOP + 20.0 * curves.classes.len() as f64 + 20.0);
    let title = words(title);
    let mut c = Canvas::new(LEFT + SIDE + 30.0 + words_wide, height, &title);
    c.text(16.0, 24.0, "start", "t", &title);
    for k in 0..=5 {
        let v = f64::from(k) / 5.0;
        c.line(at([0.0, v]), at([1.0, v]), "axis");
        c.text(LEFT - 8.0, at([0.0, v]).1 + 4.0, "end", "s n", &short(v));
        c.text(
            at([v, 0.0]).0,
            TOP + SIDE + 16.0,
            "middle",
            "s n",
            &short(v),
        );
    }
    c.text(
        LEFT + SIDE / 2.0,
        TOP + SIDE + 38.0,
        "middle",
        "",
        &words(x),
    );
    c.upright(22.0, TOP + SIDE / 2.0, "", &words(y));
    c
}

/// A line and its words for every class.
fn each(
    c: &mut Canvas,
    curves: &ProbabilityCurves,
    of: impl Fn(&ClassCurves) -> (Vec<[f64; 2]>, String),
) {
    for (k, one) in curves.classes.iter().enumerate() {
        let (points, told) = of(one);
        let points: Vec<(f64, f64)> = points.into_iter().map(at).collect();
        c.path(&points, colour(k), k, false);
        let y = TOP + 14.0 + 20.0 * k as f64;
        c.mark(LEFT + SIDE + 24.0, y - 4.0, k, 4.0);
        let words = format!("{} {told}", one.class);
        c.text(LEFT + SIDE + 34.0, y, "start", "n", words.trim());
    }
}
