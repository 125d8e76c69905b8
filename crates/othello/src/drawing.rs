//! Pictures that stand alone: a board, and curves over the number of the move.

use std::fmt::Write;

use wits_game::Seat;

use crate::{Position, Square};

const CELL: usize = 48;
const EDGE: usize = 28;

/// The large board as an SVG file: discs, names of columns and rows, the last move and the squares
/// where the side to move may play.
pub fn board(position: &Position, last: Option<Square>, caption: &str) -> String {
    let side = 8 * CELL;
    let (width, height) = (side + EDGE + 8, side + EDGE + 40);
    let mut out = head(width, height, caption);
    let _ = writeln!(
        out,
        "<rect x=\"{}\" y=\"4\" width=\"{}\" height=\"{}\" rx=\"6\" fill=\"#2f6b4f\"/>",
        EDGE - 4,
        side + 8,
        side + 8
    );
    for i in 0..8 {
        let middle = i * CELL + CELL / 2;
        let name = char::from(b'a' + i as u8);
        let _ = writeln!(
            out,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{name}</text><text x=\"12\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            EDGE + middle,
            side + 28,
            8 + middle + 5,
            i + 1
        );
    }
    let open = position.moves();
    for square in Square::all(u64::MAX) {
        let (x, y) = (EDGE + square.column() * CELL, 8 + square.row() * CELL);
        let (cx, cy) = (x + CELL / 2, y + CELL / 2);
        let _ = write!(
            out,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"#3c8263\" stroke=\"#24523d\"/>"
        );
        if let Some(seat) = position.disc(square) {
            let (fill, line) = if seat == Seat::FIRST {
                ("#1d1f23", "#000000")
            } else {
                ("#fdfbf5", "#6e6a60")
            };
            let _ = write!(
                out,
                "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"19\" fill=\"{fill}\" stroke=\"{line}\"/>"
            );
        } else if open & square.bit() != 0 {
            let _ = write!(
                out,
                "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"4\" fill=\"#f0e442\"/>"
            );
        }
        if Some(square) == last {
            let _ = write!(
                out,
                "<rect x=\"{}\" y=\"{}\" width=\"10\" height=\"10\" fill=\"#e69f00\"/>",
                cx - 5,
                cy - 5
            );
        }
        out.push('\n');
    }
    let _ = writeln!(
        out,
        "<text x=\"{EDGE}\" y=\"{}\">{}</text>\n</svg>",
        height - 6,
        escaped(caption)
    );
    out
}

fn head(width: usize, height: usize, title: &str) -> String {
    let title = escaped(title);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" aria-label=\"{title}\" font-family=\"system-ui, sans-serif\" font-size=\"14\" fill=\"#1d1f23\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#fbfaf7\"/>\n"
    )
}

/// Text that cannot become markup.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// One curve: what it is called where it ends, and its points.
pub struct Curve {
    /// What it shows.
    pub name: String,
    /// Its points, from left to right.
    pub points: Vec<(f64, f64)>,
}

/// Curves over the number of the move, with labelled axes.
pub struct Plot {
    /// What is shown.
    pub title: String,
    /// What the upright axis counts.
    pub upright: String,
    /// Whether the upright axis counts powers of ten.
    pub log: bool,
    /// The curves; the first four have colours of their own.
    pub curves: Vec<Curve>,
}

/// Four of the Okabe-Ito eight that stand out from paper, each with a dash of its own.
const STYLES: [(&str, &str); 4] = [
    ("#0072b2", "none"),
    ("#d55e00", "7 4"),
    ("#009e73", "2 4"),
    ("#cc79a7", "10 3 2 3"),
];

impl Plot {
    /// The plot as an SVG file.
    pub fn svg(&self) -> String {
        let (width, height, left, right, top, bottom) = (720, 420, 76, 120, 44, 52);
        let all = || self.curves.iter().flat_map(|c| c.points.iter().copied());
        let fold = |f: fn(f64, f64) -> f64, from: f64, x: bool| {
            all().map(|p| if x { p.0 } else { p.1 }).fold(from, f)
        };
        let (x0, x1) = (
            fold(f64::min, f64::INFINITY, true),
            fold(f64::max, f64::NEG_INFINITY, true),
        );
        let most = fold(f64::max, 1.0, false);
        let top_tick = if self.log {
            most.log10().ceil().max(1.0)
        } else {
            most
        };
        let step = step(top_tick, self.log);
        let reach = (top_tick / step).ceil() * step;
        let (w, h) = (
            f64::from(width - left - right),
            f64::from(height - top - bottom),
        );
        let x = |v: f64| f64::from(left) + (v - x0) / (x1 - x0).max(1.0) * w;
        let up = |v: f64| {
            if self.log { v.max(1.0).log10() } else { v }
        };
        let y = |v: f64| f64::from(top) + h - v / reach * h;
        let mut out = head(width as usize, height as usize, &self.title);
        let _ = writeln!(
            out,
            "<text x=\"{left}\" y=\"22\" font-weight=\"600\">{}</text>",
            escaped(&self.title)
        );
        let mut tick = 0.0;
        while tick <= reach + step / 2.0 {
            let label = if self.log {
                format!("{:.0}", 10f64.powf(tick))
            } else {
                format!("{tick:.0}")
            };
            let _ = writeln!(
                out,
                "<path d=\"M{left} {0:.1}H{1}\" stroke=\"#ddd8cc\"/><text x=\"{2}\" y=\"{3:.1}\" text-anchor=\"end\" font-size=\"12\">{label}</text>",
                y(tick),
                width - right,
                left - 6,
                y(tick) + 4.0
            );
            tick += step;
        }
        let wide = if x1 - x0 > 20.0 { 10 } else { 1 };
        for n in (x0.ceil() as i64)..=(x1.floor() as i64) {
            if n % wide == 0 || (wide > 1 && n == 1) {
                let _ = writeln!(
                    out,
                    "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\" font-size=\"12\">{n}</text>",
                    x(n as f64),
                    height - bottom + 18
                );
            }
        }
        let _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">number of the move</text>\
             <text transform=\"translate(18 {:.1}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
            f64::from(left) + w / 2.0,
            height - 8,
            f64::from(top) + h / 2.0,
            escaped(&self.upright)
        );
        for (curve, (colour, dash)) in self.curves.iter().zip(STYLES) {
            let path: Vec<String> = curve
                .points
                .iter()
                .map(|&(px, py)| format!("{:.1},{:.1}", x(px), y(up(py))))
                .collect();
            let _ = writeln!(
                out,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" stroke-dasharray=\"{dash}\"/>",
                path.join(" ")
            );
            for &(px, py) in &curve.points {
                let _ = write!(
                    out,
                    "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"2.5\" fill=\"{colour}\"/>",
                    x(px),
                    y(up(py))
                );
            }
            // The name stands at the highest point: the ends of curves often meet.
            let peak = curve
                .points
                .iter()
                .copied()
                .reduce(|a, b| if b.1 > a.1 { b } else { a });
            if let Some((px, py)) = peak {
                let _ = writeln!(
                    out,
                    "<text x=\"{:.1}\" y=\"{:.1}\" fill=\"{colour}\" font-size=\"12\">{}</text>",
                    x(px) + 8.0,
                    y(up(py)) - 6.0,
                    escaped(&curve.name)
                );
            }
        }
        out + "</svg>\n"
    }
}

/// A round distance between ticks.
fn step(most: f64, log: bool) -> f64 {
    if log {
        return 1.0;
    }
    let rough = most / 6.0;
    let ten = 10f64.powf(rough.log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|n| n * ten)
        .find(|s| *s >= rough)
        .unwrap_or(10.0 * ten)
        .max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_shows_discs_moves_and_the_last_one() {
        let next = Position::START.played("f5".parse().unwrap());
        let svg = board(&next, "f5".parse().ok(), "5 < 6");
        assert_eq!(svg.matches("r=\"19\"").count(), 5);
        assert_eq!(svg.matches("r=\"4\"").count(), 3);
        assert_eq!(svg.matches("#e69f00").count(), 1);
        assert!(svg.contains("5 &lt; 6") && !svg.contains("5 < 6"));
    }

    #[test]
    fn a_plot_keeps_its_curves_inside() {
        let points = vec![(1.0, 4.0), (2.0, 1000.0), (30.0, 12.0)];
        for log in [false, true] {
            let curve = Curve {
                name: "a&b".to_owned(),
                points: points.clone(),
            };
            let plot = Plot {
                title: "t".to_owned(),
                upright: "u".to_owned(),
                log,
                curves: vec![curve],
            };
            let svg = plot.svg();
            let line = svg.split("points=\"").nth(1).unwrap();
            for pair in line.split('"').next().unwrap().split(' ') {
                let (x, y) = pair.split_once(',').unwrap();
                let (x, y): (f64, f64) = (x.parse().unwrap(), y.parse().unwrap());
                assert!(
                    (76.0..=600.0).contains(&x) && (44.0..=368.0).contains(&y),
                    "{pair}"
                );
            }
            assert!(svg.contains("a&amp;b"));
        }
    }
}
