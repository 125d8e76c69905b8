//! Response curves, drawn: a small panel for every column.

use super::canvas::{Canvas, Scale, colour, fit, short};
use super::words;
use crate::respond::Response;

const WIDE: f64 = 300.0;
const TALL: f64 = 170.0;

/// The probability of every class as each column changes; a line marks what the row has.
pub fn responses(list: &[Response], classes: &[String]) -> String {
    let across = 3.min(list.len()).max(1);
    let down = list.len().div_ceil(across);
    let size = (30.0 + WIDE * across as f64, 44.0 + TALL * down as f64);
    let mut c = Canvas::new(size.0, size.1, &words("draw-responses"));
    c.legend(20.0, 24.0, classes);
    for (k, one) in list.iter().enumerate() {
        let x = 34.0 + WIDE * (k % across) as f64;
        let top = 48.0 + TALL * (k / across) as f64;
        panel(&mut c, one, (x, top));
    }
    c.finish()
}

fn panel(c: &mut Canvas, one: &Response, (x, top): (f64, f64)) {
    let (width, bottom) = (WIDE - 40.0, top + TALL - 48.0);
    let up = Scale::between(0.0, 1.0, bottom, top);
    let across = Scale::of(one.at.iter().copied().chain(one.own), x, x + width);
    for share in [0.0, 0.5, 1.0] {
        c.line((x, up.at(share)), (x + width, up.at(share)), "axis");
        c.text(x - 4.0, up.at(share) + 3.0, "end", "s n", &short(share));
    }
    match &one.levels {
        None => {
            for tick in across.ticks() {
                c.text(
                    across.at(tick),
                    bottom + 12.0,
                    "middle",
                    "s n",
                    &short(tick),
                );
            }
        }
        Some(levels) => {
            let room = width / levels.len().max(1) as f64;
            for (k, level) in levels.iter().enumerate().filter(|_| room >= 14.0) {
                let text = fit(level, room - 2.0, 10.0);
                c.text(across.at(k as f64), bottom + 12.0, "middle", "s", &text);
            }
        }
    }
    if let Some(own) = one.own {
        c.line((across.at(own), top), (across.at(own), bottom), "ink");
    }
    let classes = one.shares.first().map_or(0, Vec::len);
    for class in 0..classes {
        let points = one.at.iter().zip(&one.shares);
        let points: Vec<(f64, f64)> = points
            .map(|(&at, shares)| (across.at(at), up.at(shares[class])))
            .collect();
        if one.levels.is_some() || points.len() <= 12 {
            for &(x, y) in &points {
                c.mark(x, y, class, 3.0);
            }
        }
        if one.levels.is_none() {
            c.path(&points, colour(class), class, false);
        }
    }
    let name = fit(&one.column, width, 12.0);
    c.text(x + width / 2.0, bottom + 27.0, "middle", "", &name);
}
