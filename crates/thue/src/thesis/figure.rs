//! Decision times as pictures.

use std::fmt::Write;

/// A chart of one or two series over the length of the word.
#[derive(Clone, PartialEq, Debug)]
pub struct Chart {
    /// What it shows.
    pub title: String,
    /// What is on the upright axis, with its unit.
    pub upright: String,
    /// The points: length of the word and value.
    pub points: Vec<(f64, f64)>,
}

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 360.0;
const LEFT: f64 = 80.0;
const BOTTOM: f64 = 48.0;
const TOP: f64 = 36.0;
const RIGHT: f64 = 16.0;

impl Chart {
    /// The picture as SVG, with labelled axes, in the colours of the page that holds it.
    pub fn svg(&self) -> String {
        let most = |pick: fn(&(f64, f64)) -> f64| self.points.iter().map(pick).fold(0.0, f64::max);
        let (wide, tall) = (nice(most(|p| p.0)), nice(most(|p| p.1)));
        let x = |v: f64| LEFT + v / wide * (WIDTH - LEFT - RIGHT);
        let y = |v: f64| HEIGHT - BOTTOM - v / tall * (HEIGHT - BOTTOM - TOP);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" font-family=\"system-ui, sans-serif\" font-size=\"12\" fill=\"currentColor\">\n<title>{0}</title>\n<text x=\"{LEFT}\" y=\"20\" font-size=\"14\">{0}</text>\n",
            escape(&self.title)
        );
        for i in 0..=4 {
            let (vx, vy) = (wide * f64::from(i) / 4.0, tall * f64::from(i) / 4.0);
            let _ = writeln!(
                svg,
                "<line x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{1:.1}\" y2=\"{1:.1}\" stroke=\"currentColor\" stroke-opacity=\"0.15\"/>",
                WIDTH - RIGHT,
                y(vy)
            );
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                LEFT - 6.0,
                y(vy) + 4.0,
                label(vy)
            );
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                x(vx),
                HEIGHT - BOTTOM + 18.0,
                label(vx)
            );
        }
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">length of the word (symbols)</text>",
            f64::midpoint(LEFT, WIDTH),
            HEIGHT - 8.0
        );
        let _ = writeln!(
            svg,
            "<text x=\"14\" y=\"{:.1}\" text-anchor=\"middle\" transform=\"rotate(-90 14 {0:.1})\">{1}</text>",
            HEIGHT / 2.0,
            escape(&self.upright)
        );
        let line: Vec<String> = self
            .points
            .iter()
            .map(|&(a, b)| format!("{:.1},{:.1}", x(a), y(b)))
            .collect();
        let _ = writeln!(
            svg,
            "<polyline fill=\"none\" stroke=\"#0f766e\" stroke-width=\"1.5\" points=\"{}\"/>",
            line.join(" ")
        );
        svg.push_str("</svg>\n");
        svg
    }
}

/// The next round number: 1, 2 or 5 times a power of ten.
fn nice(most: f64) -> f64 {
    if most <= 0.0 {
        return 1.0;
    }
    let mut step = 1e-9;
    loop {
        for factor in [1.0, 2.0, 4.0, 5.0, 8.0] {
            if step * factor >= most {
                return step * factor;
            }
        }
        step *= 10.0;
    }
}

fn label(value: f64) -> String {
    if value == 0.0 || (0.01..10_000.0).contains(&value) {
        let text = format!("{value:.3}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        format!("{value:.1e}")
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_has_axes_and_stays_inside() {
        let chart = Chart {
            title: "a < b".into(),
            upright: "seconds".into(),
            points: (1..=50).map(|i| (f64::from(i), f64::from(i * i))).collect(),
        };
        let svg = chart.svg();
        assert!(
            svg.contains("a &lt; b")
                && svg.contains("seconds")
                && svg.contains("length of the word")
        );
        let points = svg
            .split("points=\"")
            .nth(1)
            .unwrap()
            .split('"')
            .next()
            .unwrap();
        for pair in points.split(' ') {
            let (x, y) = pair.split_once(',').unwrap();
            let (x, y): (f64, f64) = (x.parse().unwrap(), y.parse().unwrap());
            assert!(
                (LEFT..=WIDTH).contains(&x) && (0.0..=HEIGHT - BOTTOM).contains(&y),
                "{pair}"
            );
        }
    }
}
