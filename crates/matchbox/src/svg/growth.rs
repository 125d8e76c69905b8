//! Cost against size on a doubly logarithmic page.

use super::pen::{FAINT, INK, PAPER, Pen, num};
use crate::growth::{Growth, amount};

const WIDE: f64 = 720.0;
const HIGH: f64 = 430.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 190.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 44.0;
const COLOURS: [&str; 6] = [
    "#D55E00", "#0072B2", "#009E73", "#CC79A7", "#E69F00", "#56B4E9",
];

/// Measured points, the laws through them, and the forecast for the target size. `unit` is `s` for
/// seconds or what else was counted.
pub fn growth_chart(title: &str, growths: &[Growth], unit: &str) -> String {
    let mut pen = Pen::default();
    pen.rect([0.0, 0.0, WIDE, HIGH], PAPER, "");
    pen.text((LEFT, 20.0), 13.0, "start", INK, title);
    let sizes = growths
        .iter()
        .flat_map(|g| g.samples.iter().map(|s| s.n).chain([g.target]));
    let costs = growths
        .iter()
        .flat_map(|g| g.samples.iter().map(|s| s.cost).chain(g.predicted));
    let (Some((left, right)), Some((low, high))) = (decades(sizes), decades(costs)) else {
        return pen.finish((WIDE, HIGH), (num(WIDE), num(HIGH)), title);
    };
    let place = |n: f64, cost: f64| {
        let x = (libm::log10(n) - f64::from(left)) / f64::from(right - left);
        let y = (libm::log10(cost) - f64::from(low)) / f64::from(high - low);
        (
            LEFT + (WIDE - LEFT - RIGHT) * x,
            TOP + (HIGH - TOP - BOTTOM) * (1.0 - y),
        )
    };
    let power = |e: i32| libm::pow(10.0, f64::from(e));
    for e in left..=right {
        pen.line(
            place(power(e), power(low)),
            place(power(e), power(high)),
            "#ded9cc",
            1.0,
            "",
        );
        let (x, y) = place(power(e), power(low));
        pen.text((x, y + 16.0), 11.0, "middle", INK, &format!("10^{e}"));
    }
    // At most about ten lines across, however many decades there are.
    let step = ((high - low) / 10 + 1) as usize;
    for e in (low..=high).step_by(step) {
        pen.line(
            place(power(left), power(e)),
            place(power(right), power(e)),
            "#ded9cc",
            1.0,
            "",
        );
        let (x, y) = place(power(left), power(e));
        pen.text(
            (x - 6.0, y + 4.0),
            11.0,
            "end",
            INK,
            &amount(power(e), unit),
        );
    }
    for (i, growth) in growths.iter().enumerate() {
        let colour = COLOURS[i % COLOURS.len()];
        if let Some(law) = growth.law {
            let first = growth.samples.first().map_or(power(left), |s| s.n);
            // Many short pieces: an exponential law bends on this page.
            let at = |step: u32| first * libm::pow(growth.target / first, f64::from(step) / 40.0);
            let points: Vec<(f64, f64)> = (0..=40)
                .map(|step| place(at(step), law.predict(at(step))))
                .collect();
            pen.polyline(&points, colour, 1.5, "stroke-dasharray=\"5 4\"");
        }
        for sample in growth.samples.iter().filter(|s| s.n > 0.0 && s.cost > 0.0) {
            let (x, y) = place(sample.n, sample.cost);
            mark(&mut pen, i, (x, y), colour);
        }
        let (x, y) = (WIDE - RIGHT + 14.0, TOP + 12.0 + 46.0 * i as f64);
        mark(&mut pen, i, (x, y - 4.0), colour);
        pen.text((x + 10.0, y), 12.0, "start", INK, &growth.name);
        if let (Some(law), Some(cost)) = (growth.law, growth.predicted) {
            let law = law.to_string();
            pen.text((x + 10.0, y + 14.0), 11.0, "start", FAINT, &law);
            let then = format!("n = {}: {}", growth.target, amount(cost, unit));
            pen.text((x + 10.0, y + 28.0), 11.0, "start", FAINT, &then);
        }
    }
    pen.finish((WIDE, HIGH), (num(WIDE), num(HIGH)), title)
}

/// Each method has its own shape, so that colour is not needed.
fn mark(pen: &mut Pen, which: usize, (x, y): (f64, f64), colour: &str) {
    match which % 3 {
        0 => pen.circle((x, y), 4.0, colour, ""),
        1 => pen.rect([x - 3.5, y - 3.5, 7.0, 7.0], colour, ""),
        _ => pen.polygon(
            &[(x, y - 4.5), (x + 4.5, y + 3.5), (x - 4.5, y + 3.5)],
            colour,
            "",
        ),
    }
}

/// The whole decades around all numbers above zero; at least one.
fn decades(numbers: impl Iterator<Item = f64>) -> Option<(i32, i32)> {
    let logs: Vec<f64> = numbers
        .filter(|n| *n > 0.0 && n.is_finite())
        .map(libm::log10)
        .collect();
    let low = logs.iter().copied().reduce(f64::min)?;
    let high = logs.iter().copied().reduce(f64::max)?;
    let (low, high) = (libm::floor(low) as i32, libm::ceil(high) as i32);
    Some((low, high.max(low + 1)))
}
