//! A curve with its 95% band and labelled axes.

use maud::{Markup, html};

/// One point of a curve, and how far it may be off.
pub(super) struct Point {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) spread: f64,
}

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 56.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 44.0;

/// A step for about five marks: 1, 2 or 5 times a power of ten.
fn step(range: f64) -> f64 {
    let rough = (range / 5.0).max(1e-9);
    let power = 10f64.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .find(|f| f * power >= rough)
        .unwrap_or(10.0);
    factor * power
}

fn marks(low: f64, high: f64, least: f64) -> Vec<f64> {
    let step = step(high - low).max(least);
    let first = (low / step).ceil() as i64;
    let last = (high / step).floor() as i64;
    (first..=last).map(|n| n as f64 * step).collect()
}

/// The curve as a picture that can also stand alone: colours are attributes, and the stylesheet of the
/// page may replace them.
pub(super) fn curve(label: &str, x_label: &str, y_label: &str, points: &[Point]) -> Markup {
    let (mut low, mut high) = (0.0_f64, 1.0_f64);
    for p in points {
        low = low.min(p.y - p.spread);
        high = high.max(p.y + p.spread);
    }
    let last = points.iter().map(|p| p.x).fold(1.0, f64::max);
    let x = |v: f64| LEFT + (WIDTH - LEFT - RIGHT) * v / last;
    let y = |v: f64| HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (v - low) / (high - low);
    let place = |v: f64| format!("{v:.1}");
    let pair = |px: f64, py: f64| format!("{:.1},{:.1}", x(px), y(py));
    let line: Vec<String> = points.iter().map(|p| pair(p.x, p.y)).collect();
    let upper = points.iter().map(|p| pair(p.x, p.y + p.spread));
    let lower = points.iter().rev().map(|p| pair(p.x, p.y - p.spread));
    let band: Vec<String> = upper.chain(lower).collect();
    let middle = place((TOP + HEIGHT - BOTTOM) / 2.0);
    html! {
        svg.arena-chart xmlns="http://www.w3.org/2000/svg" viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="img" aria-label=(label)
            font-family="system-ui, sans-serif" font-size="13" {
            @for mark in marks(low, high, 0.0) {
                line.mark x1=(place(LEFT)) x2=(place(WIDTH - RIGHT)) y1=(place(y(mark))) y2=(place(y(mark))) stroke="#d8d4cb" stroke-width=(if mark == 0.0 { "2" } else { "1" }) {}
                text x=(place(LEFT - 6.0)) y=(place(y(mark) + 4.0)) text-anchor="end" fill="#5b5f66" { (mark) }
            }
            @for mark in marks(0.0, last, 1.0) {
                text x=(place(x(mark))) y=(place(HEIGHT - BOTTOM + 18.0)) text-anchor="middle" fill="#5b5f66" { (mark) }
            }
            polygon.band points=(band.join(" ")) fill="#0f766e" fill-opacity="0.18" {}
            polyline points=(line.join(" ")) fill="none" stroke="#0f766e" stroke-width="2" {}
            @for p in points { circle cx=(place(x(p.x))) cy=(place(y(p.y))) r="2.5" fill="#0f766e" {} }
            text x=(place(f64::midpoint(LEFT, WIDTH - RIGHT))) y=(place(HEIGHT - 8.0)) text-anchor="middle" fill="#5b5f66" { (x_label) }
            text x="14" y=(middle) text-anchor="middle" fill="#5b5f66" transform={ "rotate(-90 14 " (middle) ")" } { (y_label) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_round_and_inside() {
        for (low, high) in [(0.0, 1.0), (-120.0, 340.0), (0.0, 7.0), (-3.0, 0.5)] {
            let all = marks(low, high, 0.0);
            assert!((3..=11).contains(&all.len()), "{all:?}");
            assert!(all.iter().all(|m| (low..=high).contains(m)), "{all:?}");
            assert!(all.contains(&0.0), "{all:?}");
        }
        assert_eq!(marks(0.0, 3.0, 1.0), [0.0, 1.0, 2.0, 3.0]);
    }

    #[test]
    fn a_curve_stays_in_its_frame_whatever_it_shows() {
        for points in [
            vec![],
            vec![(0.0, -80.0, 30.0)],
            vec![(0.0, 0.0, 0.0), (9.0, 400.0, 90.0)],
        ] {
            let points: Vec<Point> = points
                .into_iter()
                .map(|(x, y, spread)| Point { x, y, spread })
                .collect();
            let svg = curve("a", "b", "c", &points).into_string();
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }
}
