//! Drawings of data: boxes, pairs, correlations, densities, before and after a transform.

use super::canvas::{Canvas, Scale, colour, short};
use super::words;
use crate::control::NEVER;
use crate::dataset::Dataset;
use crate::describe::{Statistics, explore};
use crate::error::LearnError;
use crate::impute::Imputer;
use crate::numbers::sample_sd;
use crate::pipeline::fit_chain;
use crate::spec::{Kind, Spec};
use crate::transform::f_scores;
use crate::words::WORDS;

fn known(data: &Dataset, j: usize) -> Vec<f64> {
    data.x
        .column(j)
        .into_iter()
        .filter(|v| !v.is_nan())
        .collect()
}

/// A box plot of every feature, each on its own scale: box from quarter to three quarters, whiskers
/// to the last value within one and a half box widths, the others one by one.
pub fn box_plots(data: &Dataset) -> String {
    let features = data.features();
    let (cell, height) = (110.0, 260.0);
    let across = features.len().clamp(1, 9);
    let down = features.len().div_ceil(across);
    let mut c = Canvas::new(
        20.0 + cell * across as f64,
        40.0 + height * down as f64,
        &words("draw-boxes"),
    );
    c.text(16.0, 24.0, "start", "t", &words("draw-own-scale"));
    for (j, name) in features.iter().enumerate() {
        let (x, y) = (
            10.0 + cell * (j % across) as f64,
            40.0 + height * (j / across) as f64,
        );
        let values = known(data, j);
        let Some(s) = Statistics::of(&values) else {
            continue;
        };
        let scale = Scale::of(values.iter().copied(), y + height - 40.0, y + 10.0);
        let reach = 1.5 * (s.q75 - s.q25);
        let (low_end, high_end) = (s.q25 - reach, s.q75 + reach);
        let inside = || {
            values
                .iter()
                .copied()
                .filter(|&v| v >= low_end && v <= high_end)
        };
        let low = inside().fold(f64::INFINITY, f64::min);
        let high = inside().fold(f64::NEG_INFINITY, f64::max);
        let middle = x + cell / 2.0;
        for tick in scale.ticks() {
            c.line(
                (x + 34.0, scale.at(tick)),
                (x + 38.0, scale.at(tick)),
                "axis",
            );
            c.text(x + 32.0, scale.at(tick) + 3.0, "end", "s n", &short(tick));
        }
        c.line(
            (middle + 10.0, scale.at(low)),
            (middle + 10.0, scale.at(s.q25)),
            "ink",
        );
        c.line(
            (middle + 10.0, scale.at(s.q75)),
            (middle + 10.0, scale.at(high)),
            "ink",
        );
        c.rect(
            middle - 8.0,
            scale.at(s.q75),
            (36.0, scale.at(s.q25) - scale.at(s.q75)),
            "band",
            &WORDS
                .say("draw-middle")
                .with("name", name)
                .with("low", short(s.q25))
                .with("high", short(s.q75))
                .to_string(),
        );
        c.line(
            (middle - 8.0, scale.at(s.median)),
            (middle + 28.0, scale.at(s.median)),
            "line",
        );
        for v in values.iter().filter(|&&v| v < low_end || v > high_end) {
            c.mark(middle + 10.0, scale.at(*v), 0, 2.0);
        }
        c.text(middle + 10.0, y + height - 18.0, "middle", "", name);
    }
    c.finish()
}

#[expect(clippy::many_single_char_names, reason = "places on a plane")]
/// Every pair of features, coloured and shaped by class; on the diagonal their histograms. At most
/// twelve features and 2,000 rows are drawn.
pub fn scatter_matrix(data: &Dataset) -> String {
    let features: Vec<String> = data.features().into_iter().take(12).collect();
    let step = data.x.rows().div_ceil(2000).max(1);
    let (p, cell) = (features.len(), 110.0);
    let side = 60.0 + cell * p as f64;
    let mut c = Canvas::new(side, side + 20.0, &words("draw-scatter"));
    c.legend(20.0, 20.0, data.classes());
    for (a, name) in features.iter().enumerate() {
        for b in 0..p {
            let (x, y) = (40.0 + cell * b as f64, 34.0 + cell * a as f64);
            c.line(
                (x, y + cell - 6.0),
                (x + cell - 6.0, y + cell - 6.0),
                "axis",
            );
            c.line((x, y), (x, y + cell - 6.0), "axis");
            let across = Scale::of(known(data, b).into_iter(), x, x + cell - 6.0);
            if a == b {
                histogram(&mut c, &known(data, a), x, y, cell - 6.0);
                c.text(x + cell / 2.0, y + 12.0, "middle", "", name);
                continue;
            }
            let up = Scale::of(known(data, a).into_iter(), y + cell - 6.0, y);
            for i in (0..data.x.rows()).step_by(step) {
                let (u, v) = (data.x.at(i, b), data.x.at(i, a));
                if !u.is_nan() && !v.is_nan() {
                    c.mark(across.at(u), up.at(v), data.y[i] as usize, 1.6);
                }
            }
        }
        c.text(34.0, 34.0 + cell * (a as f64 + 0.5), "end", "s", name);
        c.text(
            40.0 + cell * (a as f64 + 0.5),
            46.0 + cell * p as f64,
            "middle",
            "s",
            name,
        );
    }
    c.finish()
}

fn histogram(c: &mut Canvas, values: &[f64], x: f64, y: f64, side: f64) {
    let bins = 15;
    let scale = Scale::of(values.iter().copied(), 0.0, f64::from(bins));
    let mut counts = vec![0usize; bins as usize];
    for &v in values {
        counts[(scale.at(v) as usize).min(bins as usize - 1)] += 1;
    }
    let most = counts.iter().copied().max().unwrap_or(1).max(1) as f64;
    let width = side / f64::from(bins);
    for (k, &count) in counts.iter().enumerate() {
        let tall = count as f64 / most * (side - 20.0);
        let tip = format!("{count} rows");
        c.rect(
            x + k as f64 * width,
            y + side - tall,
            (width - 1.0, tall),
            "accent",
            &tip,
        );
    }
}

#[expect(clippy::many_single_char_names, reason = "places on a plane")]
/// Correlations as a map: blue together, orange against each other, the number in every field.
pub fn correlation_map(data: &Dataset) -> String {
    let found = explore(data);
    let (p, cell) = (found.features.len(), 52.0);
    let side = 90.0 + cell * p as f64;
    let mut c = Canvas::new(side, side, &words("draw-correlations"));
    for (a, name) in found.features.iter().enumerate() {
        let at = 70.0 + cell * (a as f64 + 0.5);
        c.text(64.0, at + 4.0, "end", "", name);
        c.text(at, 60.0, "middle", "", name);
        for b in 0..p {
            let (x, y) = (70.0 + cell * b as f64, 70.0 + cell * a as f64);
            let Some(r) = found.correlations[a][b] else {
                c.text(
                    x + cell / 2.0,
                    y + cell / 2.0 + 4.0,
                    "middle",
                    "s",
                    &words("draw-constant"),
                );
                continue;
            };
            let tip = format!("{name}, {}: {r:.2}", found.features[b]);
            c.rect(x, y, (cell - 2.0, cell - 2.0), &shade(r), &tip);
            c.ink_on(
                x + cell / 2.0 - 1.0,
                y + cell / 2.0 + 3.0,
                r.abs() > 0.6,
                &format!("{r:.2}"),
            );
        }
    }
    c.finish()
}

/// From orange over paper to blue.
fn shade(r: f64) -> String {
    let (to, t) = if r >= 0.0 {
        ([0.0, 114.0, 178.0], r)
    } else {
        ([213.0, 94.0, 0.0], -r)
    };
    let mix = |k: usize| (251.0 + (to[k] - 251.0) * t.min(1.0)).round() as u8;
    format!("#{:02x}{:02x}{:02x}", mix(0), mix(1), mix(2))
}

/// The density of every feature per class (Gaussian kernel, Scott's width), each class scaled by its
/// share of the rows.
pub fn densities(data: &Dataset) -> String {
    let features = data.features();
    let (wide, tall) = (300.0, 170.0);
    let across = 3.min(features.len()).max(1);
    let down = features.len().div_ceil(across);
    let mut c = Canvas::new(
        20.0 + wide * across as f64,
        44.0 + tall * down as f64,
        &words("draw-densities"),
    );
    c.legend(20.0, 24.0, data.classes());
    for (j, name) in features.iter().enumerate() {
        let (x, y) = (
            20.0 + wide * (j % across) as f64,
            40.0 + tall * (j / across) as f64,
        );
        let all = known(data, j);
        let scale = Scale::of(all.iter().copied(), x, x + wide - 24.0);
        let curves: Vec<Vec<(f64, f64)>> = (0..data.classes().len())
            .map(|class| {
                let part: Vec<f64> = (0..data.x.rows())
                    .filter(|&i| data.y[i] as usize == class && !data.x.at(i, j).is_nan())
                    .map(|i| data.x.at(i, j))
                    .collect();
                density(&part, &all)
            })
            .collect();
        let most = curves.iter().flatten().map(|p| p.1).fold(1e-300, f64::max);
        let bottom = y + tall - 34.0;
        c.line((x, bottom), (x + wide - 24.0, bottom), "axis");
        for tick in scale.ticks() {
            c.text(scale.at(tick), bottom + 12.0, "middle", "s n", &short(tick));
        }
        for (class, points) in curves.iter().enumerate() {
            let drawn: Vec<(f64, f64)> = points
                .iter()
                .map(|&(v, d)| (scale.at(v), bottom - d / most * (tall - 60.0)))
                .collect();
            if !drawn.is_empty() {
                c.path(&drawn, colour(class), class, false);
                // The class at its peak, so that nobody needs the colour.
                let peak = drawn.iter().copied().fold((0.0, f64::INFINITY), |best, p| {
                    if p.1 < best.1 { p } else { best }
                });
                c.text(peak.0, peak.1 - 3.0, "middle", "s", &data.classes()[class]);
            }
        }
        c.text(x + (wide - 24.0) / 2.0, bottom + 26.0, "middle", "", name);
    }
    c.finish()
}

fn density(part: &[f64], all: &[f64]) -> Vec<(f64, f64)> {
    let sd = sample_sd(part);
    if part.len() < 2 || sd <= 0.0 {
        return Vec::new();
    }
    let n = part.len() as f64;
    let width = sd * libm::pow(n, -0.2);
    let low = all.iter().copied().fold(f64::INFINITY, f64::min);
    let high = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    (0..=120)
        .map(|k| {
            let at = low + (high - low) * f64::from(k) / 120.0;
            let sum: f64 = part
                .iter()
                .map(|v| libm::exp(-0.5 * ((at - v) / width).powi(2)))
                .sum();
            (at, sum / (width * all.len() as f64))
        })
        .collect()
}

#[expect(clippy::many_single_char_names, reason = "places on a plane")]
/// Two features before and after several transforms. A transform that makes other columns (PCA)
/// shows its first two.
pub fn transformed_views(
    data: &Dataset,
    pair: Option<(&str, &str)>,
    transforms: &[&str],
) -> Result<String, LearnError> {
    let features = data.features();
    let full = Imputer::fit(&Spec::read(Kind::Imputer, "mean")?, &data.x).apply(&data.x);
    let place = |name: &str| {
        features
            .iter()
            .position(|f| f == name)
            .ok_or_else(|| LearnError::NoColumn {
                name: name.to_owned(),
                known: features.join(", "),
                close: None,
            })
    };
    let (a, b) = if let Some((a, b)) = pair {
        (place(a)?, place(b)?)
    } else {
        let scores = f_scores(&full, &data.y);
        let mut order: Vec<usize> = (0..features.len()).collect();
        order.sort_by(|&i, &j| scores[j].0.total_cmp(&scores[i].0));
        (order[0], order.get(1).copied().unwrap_or(order[0]))
    };
    let side = 230.0;
    let across = 4.min(transforms.len()).max(1);
    let down = transforms.len().div_ceil(across);
    let mut c = Canvas::new(
        20.0 + side * across as f64,
        44.0 + side * down as f64,
        &words("draw-transformed"),
    );
    c.legend(20.0, 24.0, data.classes());
    for (k, text) in transforms.iter().enumerate() {
        let (x, y) = (
            16.0 + side * (k % across) as f64,
            40.0 + side * (k / across) as f64,
        );
        let spec = Spec::read(Kind::Transformer, text)?;
        let (steps, changed) = fit_chain(&[spec], full.clone(), &data.y, &NEVER)?;
        let names = steps[0].names(&features);
        let (u, v) = match (
            names.iter().position(|n| *n == features[a]),
            names.iter().position(|n| *n == features[b]),
        ) {
            (Some(u), Some(v)) => (u, v),
            _ => (0, 1.min(changed.columns() - 1)),
        };
        let scale_x = Scale::of(
            (0..changed.rows()).map(|i| changed.at(i, u)),
            x + 6.0,
            x + side - 20.0,
        );
        let scale_y = Scale::of(
            (0..changed.rows()).map(|i| changed.at(i, v)),
            y + side - 36.0,
            y + 20.0,
        );
        c.text(x + 6.0, y + 12.0, "start", "", text);
        c.line(
            (x + 6.0, y + side - 36.0),
            (x + side - 20.0, y + side - 36.0),
            "axis",
        );
        c.line((x + 6.0, y + 20.0), (x + 6.0, y + side - 36.0), "axis");
        for i in (0..changed.rows()).step_by(changed.rows().div_ceil(2000).max(1)) {
            c.mark(
                scale_x.at(changed.at(i, u)),
                scale_y.at(changed.at(i, v)),
                data.y[i] as usize,
                2.2,
            );
        }
        c.text(
            x + side - 20.0,
            y + side - 24.0,
            "end",
            "s",
            &format!("{} →, {} ↑", names[u], names[v]),
        );
    }
    Ok(c.finish())
}
