//! Columns of texts as bars: a text of a column is counted, not measured.

use super::canvas::{Canvas, colour, fit};
use crate::dataset::Dataset;
use crate::words::WORDS;

/// Rows of each class that have each text of a source column.
fn counts(data: &Dataset, source: usize) -> Vec<Vec<usize>> {
    let span = data.schema.spans()[source].clone();
    let mut counts = vec![vec![0; data.classes().len()]; span.len()];
    for i in 0..data.x.rows() {
        let row = &data.x.row(i)[span.clone()];
        if let Some(level) = row.iter().position(|&v| v > 0.5) {
            counts[level][data.y[i] as usize] += 1;
        }
    }
    counts
}

fn tip(level: &str, rows: usize) -> String {
    let says = WORDS.say("draw-level").with("level", level);
    says.with("rows", rows).to_string()
}

/// One bar a text, from top to bottom, as long as it is frequent.
pub(super) fn frequencies(
    c: &mut Canvas,
    data: &Dataset,
    source: usize,
    (x, y): (f64, f64),
    (width, height): (f64, f64),
) {
    let levels = data.schema.sources[source]
        .levels
        .clone()
        .unwrap_or_default();
    let rows: Vec<usize> = counts(data, source)
        .iter()
        .map(|c| c.iter().sum())
        .collect();
    let most = rows.iter().copied().max().unwrap_or(1).max(1) as f64;
    let step = (height / levels.len().max(1) as f64).min(28.0);
    for (k, (level, &count)) in levels.iter().zip(&rows).enumerate() {
        let top = y + step * k as f64;
        let long = width * count as f64 / most;
        c.rect(
            x,
            top,
            (long, (step - 2.0).max(1.0)),
            "band",
            &tip(level, count),
        );
        if step >= 12.0 {
            let text = fit(&format!("{level} {count}"), width - 4.0, 10.0);
            c.text(x + 3.0, top + step / 2.0 + 2.5, "start", "s", &text);
        }
    }
}

/// A group of bars for every text, one bar a class: how many rows of the class have it.
pub(super) fn by_class(
    c: &mut Canvas,
    data: &Dataset,
    source: usize,
    (x, bottom): (f64, f64),
    (width, height): (f64, f64),
) {
    let levels = data.schema.sources[source]
        .levels
        .clone()
        .unwrap_or_default();
    let counts = counts(data, source);
    let most = counts.iter().flatten().copied().max().unwrap_or(1).max(1) as f64;
    let group = width / levels.len().max(1) as f64;
    let bar = (group * 0.85 / data.classes().len().max(1) as f64).min(24.0);
    for (k, level) in levels.iter().enumerate() {
        let left = x + group * k as f64;
        for (class, &count) in counts[k].iter().enumerate() {
            let tall = height * count as f64 / most;
            let at = left + bar * class as f64;
            let tip = format!("{}, {}", data.classes()[class], tip(level, count));
            c.rect(
                at,
                bottom - tall,
                ((bar - 1.0).max(0.5), tall),
                colour(class),
                &tip,
            );
            if bar >= 8.0 && count > 0 {
                // The mark of the class above its bar, so that nobody needs the colour.
                c.mark(at + bar / 2.0, bottom - tall - 5.0, class, 2.5);
            }
        }
        if group >= 14.0 {
            let text = fit(level, group - 2.0, 10.0);
            c.text(left, bottom + 12.0, "start", "s", &text);
        }
    }
}
