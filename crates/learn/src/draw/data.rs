//! Drawings of data: boxes, correlations, densities.

use super::canvas::{Canvas, Scale, colour, fit, short, widest};
use super::categories::{by_class, frequencies};
use super::words;
use crate::dataset::Dataset;
use crate::describe::{Statistics, explore};
use crate::numbers::sample_sd;
use crate::words::WORDS;

fn known(data: &Dataset, j: usize) -> Vec<f64> {
    data.x
        .column(j)
        .into_iter()
        .filter(|v| !v.is_nan())
        .collect()
}

/// A box plot of every column of numbers, each on its own scale: box from quarter to three
/// quarters, whiskers to the last value within one and a half box widths, the others one by one.
/// A column of texts has a bar for each text.
pub fn box_plots(data: &Dataset) -> String {
    let sources = &data.schema.sources;
    let (cell, height) = (110.0, 260.0);
    let across = sources.len().clamp(1, 9);
    let down = sources.len().div_ceil(across);
    let mut c = Canvas::new(
        20.0 + cell * across as f64,
        40.0 + height * down as f64,
        &words("draw-boxes"),
    );
    c.text(16.0, 24.0, "start", "t", &words("draw-own-scale"));
    for (k, (source, span)) in sources.iter().zip(data.schema.spans()).enumerate() {
        let x = 10.0 + cell * (k % across) as f64;
        let y = 40.0 + height * (k / across) as f64;
        let name = fit(&source.name, cell - 4.0, 12.0);
        c.text(x + cell / 2.0 + 4.0, y + height - 18.0, "middle", "", &name);
        if source.levels.is_some() {
            frequencies(
                &mut c,
                data,
                k,
                (x + 12.0, y + 10.0),
                (cell - 20.0, height - 50.0),
            );
        } else {
            box_plot(&mut c, &known(data, span.start), &source.name, (x, y));
        }
    }
    c.finish()
}

fn box_plot(c: &mut Canvas, values: &[f64], name: &str, (x, y): (f64, f64)) {
    let (cell, height) = (110.0, 260.0);
    let Some(s) = Statistics::of(values) else {
        return;
    };
    let scale = Scale::of(values.iter().copied(), y + height - 40.0, y + 10.0);
    let reach = 1.5 * (s.q75 - s.q25);
    let (low_end, high_end) = (s.q25 - reach, s.q75 + reach);
    let inside = || {
        let all = values.iter().copied();
        all.filter(|&v| v >= low_end && v <= high_end)
    };
    let low = inside().fold(f64::INFINITY, f64::min);
    let high = inside().fold(f64::NEG_INFINITY, f64::max);
    let middle = x + cell / 2.0;
    for tick in scale.ticks() {
        let at = scale.at(tick);
        c.line((x + 34.0, at), (x + 38.0, at), "axis");
        c.text(x + 32.0, at + 3.0, "end", "s n", &short(tick));
    }
    let whisker = middle + 10.0;
    c.line((whisker, scale.at(low)), (whisker, scale.at(s.q25)), "ink");
    c.line((whisker, scale.at(s.q75)), (whisker, scale.at(high)), "ink");
    let tip = WORDS
        .say("draw-middle")
        .with("name", name)
        .with("low", short(s.q25))
        .with("high", short(s.q75));
    c.rect(
        middle - 8.0,
        scale.at(s.q75),
        (36.0, scale.at(s.q25) - scale.at(s.q75)),
        "band",
        &tip.to_string(),
    );
    let median = scale.at(s.median);
    c.line((middle - 8.0, median), (middle + 28.0, median), "line");
    // Outliers that fall on the same spot are one mark: there may be thousands.
    let outside = values.iter().filter(|&&v| v < low_end || v > high_end);
    let mut spots: Vec<i64> = outside
        .map(|&v| (2.0 * scale.at(v)).round() as i64)
        .collect();
    spots.sort_unstable();
    spots.dedup();
    for spot in spots {
        c.mark(whisker, spot as f64 / 2.0, 0, 2.0);
    }
}

#[expect(clippy::many_single_char_names, reason = "places on a plane")]
/// Correlations as a map: blue together, orange against each other, the number in every field.
pub fn correlation_map(data: &Dataset) -> String {
    let found = explore(data);
    let (p, cell) = (found.features.len(), 52.0);
    let names: Vec<String> = found.features.iter().map(|n| fit(n, 180.0, 12.0)).collect();
    let longest = widest(&names, 12.0);
    let left = (longest + 20.0).max(70.0);
    // Names that are wider than a field rise to the right.
    let slanted = longest > cell - 4.0;
    let rise = if slanted { longest * 0.71 } else { 0.0 };
    let top = 70.0_f64.max(rise + 30.0);
    let side = cell * p as f64;
    let size = (left + side + rise.max(20.0), top + side + 20.0);
    let mut c = Canvas::new(size.0, size.1, &words("draw-correlations"));
    for (a, name) in names.iter().enumerate() {
        let middle = cell * (a as f64 + 0.5);
        c.text(left - 6.0, top + middle + 4.0, "end", "", name);
        if slanted {
            c.slanted(left + middle, top - 8.0, name);
        } else {
            c.text(left + middle, top - 10.0, "middle", "", name);
        }
        for b in 0..p {
            let (x, y) = (left + cell * b as f64, top + cell * a as f64);
            let (middle, line) = (x + cell / 2.0, y + cell / 2.0);
            let Some(r) = found.correlations[a][b] else {
                c.text(
                    middle,
                    line + 4.0,
                    "middle",
                    "s",
                    &fit(&words("draw-constant"), cell, 10.0),
                );
                continue;
            };
            let tip = format!("{}, {}: {r:.2}", found.features[a], found.features[b]);
            c.rect(x, y, (cell - 2.0, cell - 2.0), &shade(r), &tip);
            c.ink_on(middle - 1.0, line + 3.0, r.abs() > 0.6, &format!("{r:.2}"));
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

/// The density of every column of numbers per class (Gaussian kernel, Scott's width), each class
/// scaled by its share of the rows; a column of texts has bars.
pub fn densities(data: &Dataset) -> String {
    let sources = &data.schema.sources;
    let (wide, tall) = (300.0, 170.0);
    let across = 3.min(sources.len()).max(1);
    let down = sources.len().div_ceil(across);
    let mut c = Canvas::new(
        20.0 + wide * across as f64,
        44.0 + tall * down as f64,
        &words("draw-densities"),
    );
    c.legend(20.0, 24.0, data.classes());
    for (k, (source, span)) in sources.iter().zip(data.schema.spans()).enumerate() {
        let x = 20.0 + wide * (k % across) as f64;
        let bottom = 40.0 + tall * (k / across) as f64 + tall - 34.0;
        let size = (wide - 24.0, tall - 60.0);
        c.line((x, bottom), (x + size.0, bottom), "axis");
        let name = fit(&source.name, size.0, 12.0);
        c.text(x + size.0 / 2.0, bottom + 26.0, "middle", "", &name);
        if source.levels.is_some() {
            by_class(&mut c, data, k, (x, bottom), size);
        } else {
            class_densities(&mut c, data, span.start, (x, bottom), size);
        }
    }
    c.finish()
}

fn class_densities(
    c: &mut Canvas,
    data: &Dataset,
    feature: usize,
    (x, bottom): (f64, f64),
    (width, height): (f64, f64),
) {
    let all = known(data, feature);
    let scale = Scale::of(all.iter().copied(), x, x + width);
    let curves: Vec<Vec<(f64, f64)>> = (0..data.classes().len())
        .map(|class| {
            let own = (0..data.x.rows()).filter(|&i| data.y[i] as usize == class);
            let values = own.map(|i| data.x.at(i, feature));
            let part: Vec<f64> = values.filter(|v| !v.is_nan()).collect();
            density(&part, &all)
        })
        .collect();
    let most = curves.iter().flatten().map(|p| p.1).fold(1e-300, f64::max);
    for tick in scale.ticks() {
        c.text(scale.at(tick), bottom + 12.0, "middle", "s n", &short(tick));
    }
    for (class, points) in curves.iter().enumerate().filter(|(_, p)| !p.is_empty()) {
        let drawn: Vec<(f64, f64)> = points
            .iter()
            .map(|&(v, d)| (scale.at(v), bottom - d / most * height))
            .collect();
        c.path(&drawn, colour(class), class, false);
        // The class at its peak, so that nobody needs the colour.
        let peak =
            drawn.iter().copied().fold(
                (0.0, f64::INFINITY),
                |best, p| {
                    if p.1 < best.1 { p } else { best }
                },
            );
        let name = fit(&data.classes()[class], width / 2.0, 10.0);
        let half = super::canvas::wide(&name, 10.0) / 2.0;
        let middle = peak.0.clamp(x + half - 8.0, x + width - half + 8.0);
        c.text(middle, peak.1 - 3.0, "middle", "s", &name);
    }
}

/// Groups that many values are counted in before their density is drawn.
const GROUPS: usize = 1_000;

fn density(part: &[f64], all: &[f64]) -> Vec<(f64, f64)> {
    let sd = sample_sd(part);
    if part.len() < 2 || sd <= 0.0 {
        return Vec::new();
    }
    let n = part.len() as f64;
    let width = sd * libm::pow(n, -0.2);
    let low = all.iter().copied().fold(f64::INFINITY, f64::min);
    let high = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let grouped = (part.len() > GROUPS).then(|| groups(part, low, high));
    (0..=120)
        .map(|k| {
            let at = low + (high - low) * f64::from(k) / 120.0;
            let kernel = |v: f64| libm::exp(-0.5 * ((at - v) / width).powi(2));
            let sum: f64 = match &grouped {
                None => part.iter().map(|&v| kernel(v)).sum(),
                Some(groups) => groups.iter().map(|&(v, count)| count * kernel(v)).sum(),
            };
            (at, sum / (width * all.len() as f64))
        })
        .collect()
}

/// The middles of equal stretches and how many values lie in each; empty ones are left out.
fn groups(values: &[f64], low: f64, high: f64) -> Vec<(f64, f64)> {
    let step = (high - low) / GROUPS as f64;
    let mut counts = vec![0.0; GROUPS];
    for v in values {
        counts[(((v - low) / step) as usize).min(GROUPS - 1)] += 1.0;
    }
    let middles = counts.iter().enumerate();
    let middles = middles.map(|(k, &count)| (low + step * (k as f64 + 0.5), count));
    middles.filter(|&(_, count)| count > 0.0).collect()
}
