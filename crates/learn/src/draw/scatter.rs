//! Points: every pair of features, and two of them before and after transforms.

use super::canvas::{Canvas, Scale, fit};
use super::raster::{Marks, mixed};
use super::words;
use crate::control::NEVER;
use crate::dataset::Dataset;
use crate::error::LearnError;
use crate::impute::Imputer;
use crate::matrix::Matrix;
use crate::pipeline::fit_chain;
use crate::spec::{Kind, Spec};
use crate::transform::f_scores;

/// Features of a scatter matrix.
const MOST_FEATURES: usize = 12;
/// Rows of a picture: more would cover each other.
const MOST_ROWS: usize = 50_000;
/// A panel of a scatter matrix, and the part of it that is drawn in.
const CELL: f64 = 110.0;
const INSIDE: f64 = CELL - 6.0;

/// The features that are numbers in the file; all of them where fewer than two are.
fn numbers(data: &Dataset) -> Vec<usize> {
    let spans = data.schema.spans().into_iter().zip(&data.schema.sources);
    let found: Vec<usize> = spans
        .filter(|(_, source)| source.levels.is_none())
        .map(|(span, _)| span.start)
        .collect();
    if found.len() >= 2 {
        found
    } else {
        (0..data.x.columns()).collect()
    }
}

/// Every pair of features, coloured and shaped by class; on the diagonal their histograms. At most
/// twelve features are drawn. Many points become pixels, so that a large table is a small file.
#[expect(clippy::many_single_char_names, reason = "places on a plane")]
pub fn scatter_matrix(data: &Dataset) -> String {
    let places: Vec<usize> = numbers(data).into_iter().take(MOST_FEATURES).collect();
    let names = data.features();
    let names: Vec<&str> = places.iter().map(|&j| names[j].as_str()).collect();
    let side = CELL * names.len() as f64;
    let (left, top) = (40.0, 34.0);
    let mut c = Canvas::new(
        left + side + 20.0,
        top + side + 40.0,
        &words("draw-scatter"),
    );
    c.legend(20.0, 20.0, data.classes());
    let columns: Vec<Vec<f64>> = places.iter().map(|&j| data.x.column(j)).collect();
    let known = |a: usize| columns[a].iter().copied().filter(|v| !v.is_nan());
    let rows = data.x.rows().min(MOST_ROWS);
    let count = rows * places.len() * places.len().saturating_sub(1);
    let mut marks = Marks::new(count, (left, top), (side, side));
    for (a, name) in names.iter().enumerate() {
        let y = top + CELL * a as f64;
        let up = Scale::of(known(a), y + INSIDE, y);
        for b in 0..names.len() {
            let x = left + CELL * b as f64;
            c.line((x, y + INSIDE), (x + INSIDE, y + INSIDE), "axis");
            c.line((x, y), (x, y + INSIDE), "axis");
            if a == b {
                histogram(&mut c, &known(a).collect::<Vec<_>>(), (x, y), INSIDE);
                c.text(
                    x + CELL / 2.0,
                    y + 12.0,
                    "middle",
                    "",
                    &fit(name, INSIDE, 12.0),
                );
                continue;
            }
            let across = Scale::of(known(b), x, x + INSIDE);
            for i in mixed(data.x.rows(), rows) {
                let (u, v) = (columns[b][i], columns[a][i]);
                if !u.is_nan() && !v.is_nan() {
                    let class = data.y[i] as usize;
                    marks.mark(&mut c, (across.at(u), up.at(v)), class, 1.6);
                }
            }
        }
        let along = top + CELL * (a as f64 + 0.5);
        c.upright(left - 10.0, along, "s", &fit(name, CELL, 10.0));
        let along = left + CELL * (a as f64 + 0.5);
        c.text(
            along,
            top + side + 12.0,
            "middle",
            "s",
            &fit(name, CELL, 10.0),
        );
    }
    marks.finish(&mut c);
    c.finish()
}

fn histogram(c: &mut Canvas, values: &[f64], (x, y): (f64, f64), side: f64) {
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
        let tip = crate::words::WORDS.say("draw-rows").with("rows", count);
        let corner = (x + k as f64 * width, y + side - tall);
        c.rect(
            corner.0,
            corner.1,
            (width - 1.0, tall),
            "accent",
            &tip.to_string(),
        );
    }
}

/// The names of two features with a comma between them. Names may hold commas themselves.
pub fn named_pair<'t>(data: &Dataset, text: &'t str) -> (&'t str, &'t str) {
    let features = data.features();
    let known = |name: &str| features.iter().any(|f| f == name.trim());
    let parts = |(at, _): (usize, &str)| (&text[..at], &text[at + 1..]);
    let mut parted = text.match_indices(',').map(parts);
    parted
        .find(|(a, b)| known(a) && known(b))
        .or_else(|| text.split_once(','))
        .unwrap_or((text, ""))
}

/// The places of two features by name, or of the two that differ most between the classes.
pub fn pair_of(data: &Dataset, pair: Option<(&str, &str)>) -> Result<(usize, usize), LearnError> {
    let features = data.features();
    let place = |name: &str| {
        let found = features.iter().position(|f| f == name.trim());
        found.ok_or_else(|| LearnError::NoColumn {
            name: name.to_owned(),
            known: features.join(", "),
            close: None,
        })
    };
    if let Some((a, b)) = pair {
        return Ok((place(a)?, place(b)?));
    }
    let scores = f_scores(&filled(data)?, &data.y);
    let mut order = numbers(data);
    order.sort_by(|&i, &j| scores[j].0.total_cmp(&scores[i].0));
    Ok((order[0], order.get(1).copied().unwrap_or(order[0])))
}

fn filled(data: &Dataset) -> Result<Matrix, LearnError> {
    Ok(Imputer::fit(&Spec::read(Kind::Imputer, "mean")?, &data.x).apply(&data.x))
}

/// Two features before and after several transforms. A transform that makes other columns (PCA)
/// shows its first two.
#[expect(clippy::many_single_char_names, reason = "places on a plane")]
pub fn transformed_views(
    data: &Dataset,
    pair: Option<(&str, &str)>,
    transforms: &[&str],
) -> Result<String, LearnError> {
    let (features, full) = (data.features(), filled(data)?);
    let (a, b) = pair_of(data, pair)?;
    let side = 230.0;
    let across = 4.min(transforms.len()).max(1);
    let down = transforms.len().div_ceil(across);
    let size = (20.0 + side * across as f64, 44.0 + side * down as f64);
    let mut c = Canvas::new(size.0, size.1, &words("draw-transformed"));
    c.legend(20.0, 24.0, data.classes());
    let rows = full.rows().min(MOST_ROWS);
    let mut marks = Marks::new(rows * transforms.len(), (0.0, 0.0), size);
    for (k, text) in transforms.iter().enumerate() {
        let (x, y) = (
            16.0 + side * (k % across) as f64,
            40.0 + side * (k / across) as f64,
        );
        let spec = Spec::read(Kind::Transformer, text)?;
        let (steps, changed) = fit_chain(&[spec], full.clone(), &data.y, &NEVER)?;
        let names = steps[0].names(&features);
        let place = |name: &String| names.iter().position(|n| n == name);
        let (u, v) = match (place(&features[a]), place(&features[b])) {
            (Some(u), Some(v)) => (u, v),
            _ => (0, 1.min(changed.columns() - 1)),
        };
        let (left, right, bottom) = (x + 6.0, x + side - 20.0, y + side - 36.0);
        let column = |j: usize| (0..changed.rows()).map(move |i| (i, j));
        let scale_x = Scale::of(column(u).map(|(i, j)| changed.at(i, j)), left, right);
        let scale_y = Scale::of(column(v).map(|(i, j)| changed.at(i, j)), bottom, y + 20.0);
        c.text(left, y + 12.0, "start", "", text);
        c.line((left, bottom), (right, bottom), "axis");
        c.line((left, y + 20.0), (left, bottom), "axis");
        for i in mixed(changed.rows(), rows) {
            let at = (scale_x.at(changed.at(i, u)), scale_y.at(changed.at(i, v)));
            marks.mark(&mut c, at, data.y[i] as usize, 2.2);
        }
        let axes = format!("{} →, {} ↑", names[u], names[v]);
        c.text(
            right,
            y + side - 24.0,
            "end",
            "s",
            &fit(&axes, side - 26.0, 10.0),
        );
    }
    marks.finish(&mut c);
    Ok(c.finish())
}
