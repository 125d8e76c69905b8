//! Decision regions, drawn: the colour of a class wherever it would be named, the rows on top.

use super::canvas::{Canvas, Scale, fit, short, wide, widest};
use super::raster::{Marks, Raster, mixed};
use super::words;
use crate::regions::Regions;
use crate::words::WORDS;

/// Rows that are drawn on top.
const MOST_ROWS: usize = 20_000;

/// The plane with its axes, its classes and what the two features suffice for.
pub fn regions(found: &Regions) -> String {
    let side = 420.0;
    let (left, top) = (72.0, 64.0);
    let title = words("draw-regions");
    let width = widest(&found.classes, 12.0) + 60.0;
    let words_wide = wide(&found.pipeline.to_string(), 12.0);
    let whole = f64::max(left + side + width, words_wide + 32.0);
    let mut c = Canvas::new(whole, top + side + 70.0, &title);
    c.text(16.0, 24.0, "start", "t", &title);
    c.text(16.0, 44.0, "start", "", &found.pipeline.to_string());
    plane(&mut c, found, (left, top), side);
    let [across, up] = scales(found, (left, top), side);
    for tick in across.ticks() {
        c.text(
            across.at(tick),
            top + side + 16.0,
            "middle",
            "s n",
            &short(tick),
        );
    }
    for tick in up.ticks() {
        c.text(left - 6.0, up.at(tick) + 4.0, "end", "s n", &short(tick));
    }
    let [x, y] = found.features.each_ref().map(|n| fit(n, side, 12.0));
    c.text(left + side / 2.0, top + side + 36.0, "middle", "", &x);
    c.upright(16.0, top + side / 2.0, "s", &y);
    let says = WORDS
        .say("draw-suffice")
        .with("mean", format!("{:.3}", found.accuracy.value))
        .with("low", format!("{:.3}", found.accuracy.interval[0]))
        .with("high", format!("{:.3}", found.accuracy.interval[1]))
        .with("baseline", format!("{:.3}", found.baseline));
    c.text(16.0, top + side + 58.0, "start", "s n", &says.to_string());
    for (k, class) in found.classes.iter().enumerate() {
        let y = top + 14.0 + 20.0 * k as f64;
        c.mark(left + side + 24.0, y - 4.0, k, 4.0);
        c.text(left + side + 34.0, y, "start", "", class);
    }
    c.finish()
}

/// The plane alone, as a small picture without words.
pub fn picture_of_regions(found: &Regions, side: f64) -> String {
    let title = words("draw-regions");
    let mut c = Canvas::new(side, side, &title);
    plane(&mut c, found, (0.0, 0.0), side);
    c.finish()
}

fn scales(found: &Regions, (left, top): (f64, f64), side: f64) -> [Scale; 2] {
    let [[west, east], [south, north]] = found.ranges;
    [
        Scale::between(west, east, left, left + side),
        Scale::between(south, north, top + side, top),
    ]
}

fn plane(c: &mut Canvas, found: &Regions, corner: (f64, f64), side: f64) {
    let fields = found.fields.len();
    let mut raster = Raster::of_classes(fields, fields, 80);
    for (up, row) in found.fields.iter().enumerate() {
        for (across, &class) in row.iter().enumerate() {
            raster.set(across, fields - 1 - up, 1 + class as usize);
        }
    }
    c.image(corner, (side, side), &raster);
    let [across, up] = scales(found, corner, side);
    let rows = &found.rows;
    let count = rows.y.len().min(MOST_ROWS);
    let mut marks = Marks::new(count * 4, corner, (side, side));
    for i in mixed(rows.y.len(), count) {
        let (u, v) = (rows.x.at(i, 0), rows.x.at(i, 1));
        if !u.is_nan() && !v.is_nan() {
            marks.mark(c, (across.at(u), up.at(v)), rows.y[i] as usize, 3.0);
        }
    }
    marks.finish(c);
}
