//! The map of missing values: where they are, column by column, down the file.

use super::canvas::{Canvas, fit, wide};
use super::raster::{Raster, channels};
use super::words;
use crate::dataset::Dataset;
use crate::words::WORDS;

/// Bands of rows from top to bottom.
const BANDS: usize = 150;
/// Shades of how many rows of a band lack a value.
const SHADES: usize = 16;
const TALL: f64 = 300.0;
/// The longest that a slanted name may be.
const NAME: f64 = 160.0;

/// Every column from top to bottom of the file, dark where values are missing; above each column
/// the share that is.
pub fn missing_map(data: &Dataset) -> String {
    let (spans, rows) = (data.schema.spans(), data.x.rows());
    let names: Vec<String> = data
        .schema
        .sources
        .iter()
        .map(|s| fit(&s.name, NAME, 12.0))
        .collect();
    let cell = (900.0 / names.len().max(1) as f64).clamp(14.0, 56.0);
    let longest = names.iter().map(|n| wide(n, 12.0)).fold(0.0, f64::max);
    // Names rise to the right at 45 degrees above the columns.
    let rise = longest * 0.71 + 8.0;
    let (left, top) = (64.0, 40.0 + rise + 16.0);
    let width = cell * names.len() as f64;
    let mut c = Canvas::new(
        left + width + rise.max(20.0),
        top + TALL + 30.0,
        &words("draw-gaps"),
    );
    let missing = data.missing_by_source();
    let all: usize = missing.iter().sum();
    let title = if all == 0 {
        "draw-no-gaps"
    } else {
        "draw-gaps"
    };
    c.text(16.0, 24.0, "start", "t", &words(title));
    let bands = rows.clamp(1, BANDS);
    let [red, green, blue] = channels("#d55e00");
    let shades: Vec<[u8; 4]> = (1..=SHADES)
        .map(|k| [red, green, blue, (40 + k * 215 / SHADES) as u8])
        .collect();
    let mut raster = Raster::new(spans.len(), bands, &shades);
    for (j, span) in spans.iter().enumerate() {
        for band in 0..bands {
            let part = band * rows / bands..(band + 1) * rows / bands;
            let of = part.len().max(1);
            let gone = part.filter(|&i| data.x.at(i, span.start).is_nan()).count();
            if gone > 0 {
                raster.set(j, band, (gone * SHADES).div_ceil(of));
            }
        }
        let x = left + cell * (j as f64 + 0.5);
        c.slanted(x - 2.0, top - 20.0, &names[j]);
        let share = missing[j] as f64 / rows.max(1) as f64;
        if missing[j] > 0 {
            let text = format!("{:.0}%", (100.0 * share).max(1.0));
            c.text(x, top - 5.0, "middle", "s n", &text);
        }
        let tip = WORDS.say("draw-gaps-of").with("count", missing[j]);
        let tip = tip
            .with("rows", rows)
            .with("column", &data.schema.sources[j].name);
        c.rect(
            x - cell / 2.0,
            top,
            (cell - 1.0, TALL),
            "field",
            &tip.to_string(),
        );
    }
    c.image((left, top), (width, TALL), &raster);
    for k in 0..=4 {
        let y = top + TALL * f64::from(k) / 4.0;
        let row = (rows * k as usize / 4).max(1);
        c.text(left - 8.0, y + 4.0, "end", "s n", &row.to_string());
    }
    c.text(16.0, top - 6.0, "start", "s", &words("draw-row"));
    c.finish()
}
