//! Drawings of results: method bars, curves, confusion matrices, importances.

use super::canvas::{Canvas, Scale, fit, short, wide, widest};
use super::words;
use crate::grid::{GridResult, Line};
use crate::spec::Kind;
use crate::tune::{Curve, Importance};
use crate::words::WORDS;

/// For every method of one kind the best pipeline containing it, with mean and standard deviation
/// over folds, as in the report's figures 8 to 10.
pub fn method_bars(result: &GridResult, kind: Kind) -> String {
    let method = |line: &Line| match kind {
        Kind::Imputer => line.imputer.clone(),
        Kind::Transformer => line.transformer.clone(),
        Kind::Classifier => line.classifier.clone(),
    };
    let mut best: Vec<(String, &Line)> = Vec::new();
    for line in &result.pipelines {
        let name = method(line);
        if !best.iter().any(|(n, _)| *n == name) {
            best.push((name, line));
        }
    }
    let title = match kind {
        Kind::Imputer => "draw-imputers",
        Kind::Transformer => "draw-transformers",
        Kind::Classifier => "draw-classifiers",
    };
    let names: Vec<&String> = best.iter().map(|(name, _)| name).collect();
    let (row, left) = (28.0, f64::max(240.0, widest(&names, 12.0) + 20.0));
    let right = left + 450.0;
    let height = 70.0 + row * best.len() as f64;
    let mut c = Canvas::new(right + 30.0, height + 20.0, &words(title));
    c.text(16.0, 24.0, "start", "t", &words(title));
    let scale = Scale::between(0.0, 1.0, left, right);
    for tick in scale.ticks() {
        c.line(
            (scale.at(tick), 38.0),
            (scale.at(tick), height - 20.0),
            "axis",
        );
        c.text(scale.at(tick), height - 6.0, "middle", "s n", &short(tick));
    }
    for (k, (name, line)) in best.iter().enumerate() {
        let y = 44.0 + row * k as f64;
        let tip = format!("{}: {:.3} ± {:.3}", line.pipeline(), line.mean, line.sd);
        c.rect(
            left,
            y,
            (scale.at(line.mean) - left, row - 8.0),
            "band",
            &tip,
        );
        let middle = y + (row - 8.0) / 2.0;
        let (low, high) = (
            scale.at((line.mean - line.sd).max(0.0)),
            scale.at((line.mean + line.sd).min(1.0)),
        );
        c.line((low, middle), (high, middle), "line");
        c.text(left - 8.0, middle + 4.0, "end", "", name);
        c.text(
            left + 6.0,
            middle + 4.0,
            "start",
            "n",
            &format!("{:.3} ± {:.3}", line.mean, line.sd),
        );
    }
    let x = scale.at(result.baseline);
    c.line((x, 38.0), (x, height - 20.0), "ink");
    c.text(
        x,
        height + 10.0,
        "middle",
        "s",
        &WORDS
            .say("draw-majority")
            .with("score", format!("{:.3}", result.baseline))
            .to_string(),
    );
    c.finish()
}

/// Mean accuracy as a parameter or the number of rows changes; the band is the 95 % interval.
pub fn curve(curve: &Curve) -> String {
    let mut c = Canvas::new(720.0, 360.0, &curve.axis);
    c.text(
        16.0,
        24.0,
        "start",
        "t",
        &WORDS
            .say("draw-accuracy")
            .with("axis", curve.axis.as_str())
            .to_string(),
    );
    let place = |k: usize| curve.points[k].at.unwrap_or(k as f64);
    let across = Scale::of((0..curve.points.len()).map(place), 60.0, 700.0);
    let ends = curve.points.iter().flat_map(|p| p.interval);
    let up = Scale::of(ends.map(|v| v.clamp(0.0, 1.0)), 310.0, 40.0);
    for tick in up.ticks() {
        c.line((60.0, up.at(tick)), (700.0, up.at(tick)), "axis");
        c.text(54.0, up.at(tick) + 4.0, "end", "s n", &short(tick));
    }
    let numeric = curve.points.iter().all(|p| p.at.is_some());
    if numeric {
        for tick in across.ticks() {
            c.text(across.at(tick), 326.0, "middle", "s n", &short(tick));
        }
    } else {
        for (k, point) in curve.points.iter().enumerate() {
            c.text(across.at(place(k)), 326.0, "middle", "s", &point.value);
        }
    }
    c.text(380.0, 348.0, "middle", "", &curve.axis);
    let band: Vec<(f64, f64)> = (0..curve.points.len())
        .map(|k| (across.at(place(k)), up.at(curve.points[k].interval[1])))
        .chain(
            (0..curve.points.len())
                .rev()
                .map(|k| (across.at(place(k)), up.at(curve.points[k].interval[0]))),
        )
        .collect();
    c.path(&band, "band", 0, true);
    let line: Vec<(f64, f64)> = (0..curve.points.len())
        .map(|k| (across.at(place(k)), up.at(curve.points[k].mean)))
        .collect();
    c.path(&line, "line", 0, false);
    if let Some(best) = curve.points.get(curve.best) {
        let (x, y) = (across.at(place(curve.best)), up.at(best.mean));
        c.mark(x, y, 0, 4.0);
        c.text(
            x,
            y - 8.0,
            "middle",
            "n",
            &format!("{}: {:.3}", best.value, best.mean),
        );
    }
    c.finish()
}

/// A confusion matrix: rows are the truth, columns what was said; right answers on the diagonal.
pub fn confusion(classes: &[String], table: &[Vec<usize>], title: &str) -> String {
    let (k, cell) = (classes.len(), 56.0);
    let names: Vec<String> = classes.iter().map(|n| fit(n, 180.0, 12.0)).collect();
    let heads: Vec<String> = classes.iter().map(|n| fit(n, cell, 12.0)).collect();
    let left = f64::max(90.0, widest(&names, 12.0) + 24.0);
    let side = 110.0 + cell * k as f64;
    let width = f64::max(left + cell * k as f64 + 60.0, 32.0 + wide(title, 16.0));
    let mut c = Canvas::new(width, side + 20.0, title);
    c.text(16.0, 24.0, "start", "t", title);
    c.text(
        left + cell * k as f64 / 2.0,
        48.0,
        "middle",
        "s",
        &words("draw-predicted"),
    );
    c.text(16.0, 90.0, "start", "s", &words("draw-truth"));
    for (a, class) in classes.iter().enumerate() {
        let middle = cell * (a as f64 + 0.5);
        c.text(left + middle, 66.0, "middle", "", &heads[a]);
        c.text(left - 8.0, 76.0 + middle, "end", "", &names[a]);
        let rows: usize = table[a].iter().sum();
        for (b, &count) in table[a].iter().enumerate() {
            let (x, y) = (left + cell * b as f64, 72.0 + cell * a as f64);
            let share = if rows > 0 {
                count as f64 / rows as f64
            } else {
                0.0
            };
            let to = if a == b {
                [15.0, 118.0, 110.0]
            } else {
                [213.0, 94.0, 0.0]
            };
            let mix = |i: usize| (251.0 + (to[i] - 251.0) * share).round() as u8;
            let paint = format!("#{:02x}{:02x}{:02x}", mix(0), mix(1), mix(2));
            let tip = WORDS
                .say("draw-called")
                .with("count", count)
                .with("rows", rows)
                .with("class", class)
                .with("called", &classes[b])
                .to_string();
            c.rect(x, y, (cell - 2.0, cell - 2.0), &paint, &tip);
            c.ink_on(
                x + cell / 2.0 - 1.0,
                y + cell / 2.0 + 3.0,
                share > 0.55,
                &count.to_string(),
            );
        }
    }
    c.finish()
}

/// How much accuracy falls when a feature is shuffled, with intervals.
pub fn importances(list: &[Importance]) -> String {
    let names: Vec<String> = list.iter().map(|i| fit(&i.feature, 240.0, 12.0)).collect();
    let (row, left) = (26.0, f64::max(140.0, widest(&names, 12.0) + 20.0));
    let right = left + 480.0;
    let height = 60.0 + row * list.len() as f64;
    let mut c = Canvas::new(right + 20.0, height + 10.0, &words("draw-importance"));
    c.text(16.0, 24.0, "start", "t", &words("draw-falls"));
    let ends = list
        .iter()
        .flat_map(|i| [i.interval[0].max(-1.0), i.interval[1].min(1.0), 0.0]);
    let scale = Scale::of(ends, left, right);
    for tick in scale.ticks() {
        c.line(
            (scale.at(tick), 36.0),
            (scale.at(tick), height - 16.0),
            "axis",
        );
        c.text(scale.at(tick), height - 2.0, "middle", "s n", &short(tick));
    }
    for (k, item) in list.iter().enumerate() {
        let y = 52.0 + row * k as f64;
        c.text(left - 8.0, y + 4.0, "end", "", &names[k]);
        c.line(
            (scale.at(item.interval[0].max(-1.0)), y),
            (scale.at(item.interval[1].min(1.0)), y),
            "line",
        );
        c.mark(scale.at(item.drop), y, 0, 4.0);
    }
    c.finish()
}
