//! Small plots as SVG: dots over two axes, for pages and files.

use std::fmt::Write;

use wits_desk::Picture;
use wits_game::Message;

const STYLE: &str = "text{font:12px system-ui,sans-serif;fill:#1d1f23}.paper{fill:#fbfaf7}.axis{stroke:#8a8d93;stroke-opacity:.45;fill:none}.dot{fill:#0f766e}.way{stroke:#0f766e;fill:none;stroke-width:1.5;stroke-opacity:.6}@media(prefers-color-scheme:dark){text{fill:#e9e7e2}.paper{fill:#16181c}.dot{fill:#5eead4}.way{stroke:#5eead4}}";
const WIDE: f64 = 760.0;
const TALL: f64 = 260.0;
const LEFT: f64 = 52.0;
const BOTTOM: f64 = 40.0;
const EDGE: f64 = 18.0;

/// What is plotted, and how its axes read.
pub(crate) struct Plot<'a> {
    /// Its name in addresses and file names.
    pub(crate) name: &'a str,
    /// What it shows.
    pub(crate) title: Message,
    /// What the axes count, across and up.
    pub(crate) axes: [Message; 2],
    /// The ends of the axis across.
    pub(crate) across: (f64, f64),
    /// How a place on the axis across is written, and how far apart such places are.
    pub(crate) ticks: (f64, &'a dyn Fn(f64) -> String),
    /// Dots: across, up, and what is written beside them.
    pub(crate) dots: Vec<(f64, f64, String)>,
    /// Whether dots are joined in their order.
    pub(crate) joined: bool,
}

/// A round step that divides a length into about four.
fn step(length: f64) -> f64 {
    let rough = (length / 4.0).max(1e-9);
    let unit = 10f64.powf(rough.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|n| n * unit);
    steps.into_iter().find(|&s| s >= rough).unwrap_or(rough)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

impl Plot<'_> {
    /// Draws it.
    pub(crate) fn picture(&self) -> Picture {
        let highest = self.dots.iter().map(|d| d.1).fold(0.0, f64::max);
        let up = step(highest);
        let top = (highest / up).ceil().max(1.0) * up;
        let (low, high) = self.across;
        let x = |v: f64| LEFT + (v - low) / (high - low).max(1e-9) * (WIDE - LEFT - EDGE);
        let y = |v: f64| TALL - BOTTOM - v / top * (TALL - BOTTOM - EDGE);
        let mut body = String::new();
        let mut at = 0.0;
        while at <= top + up / 2.0 {
            let _ = write!(
                body,
                r#"<path class="axis" d="M{LEFT} {y:.1}H{right}"/><text x="{x}" y="{t:.1}" text-anchor="end">{at}</text>"#,
                y = y(at),
                right = WIDE - EDGE,
                x = LEFT - 6.0,
                t = y(at) + 4.0,
            );
            at += up;
        }
        let (apart, written) = &self.ticks;
        let mut at = (low / apart).ceil() * apart;
        while at <= high + 1e-9 {
            let _ = write!(
                body,
                r#"<text x="{x:.1}" y="{y}" text-anchor="middle">{t}</text>"#,
                x = x(at),
                y = TALL - BOTTOM + 16.0,
                t = escaped(&written(at)),
            );
            at += apart;
        }
        let [across, upwards] = self.axes.clone().map(|m| escaped(&m.to_string()));
        let _ = write!(
            body,
            r#"<text x="{mid}" y="{low}" text-anchor="middle">{across}</text><text x="4" y="12">{upwards}</text>"#,
            mid = f64::midpoint(LEFT, WIDE),
            low = TALL - 6.0,
        );
        if self.joined && self.dots.len() > 1 {
            let points = self.dots.iter().enumerate().map(|(i, d)| {
                let pen = if i == 0 { 'M' } else { 'L' };
                format!("{pen}{:.1} {:.1}", x(d.0), y(d.1))
            });
            let _ = write!(
                body,
                r#"<path class="way" d="{}"/>"#,
                points.collect::<String>()
            );
        }
        for (across, up, label) in &self.dots {
            let (x, y) = (x(*across), y(*up));
            let _ = write!(
                body,
                r#"<circle class="dot" cx="{x:.1}" cy="{y:.1}" r="3"/>"#
            );
            if !label.is_empty() {
                let _ = write!(
                    body,
                    r#"<text x="{:.1}" y="{:.1}">{}</text>"#,
                    x + 5.0,
                    y - 5.0,
                    escaped(label)
                );
            }
        }
        let title = escaped(&self.title.to_string());
        Picture {
            name: self.name.to_owned(),
            title: self.title.clone(),
            svg: format!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDE} {TALL}\" width=\"{WIDE}\" height=\"{TALL}\" role=\"img\"><title>{title}</title><style>{STYLE}</style><rect class=\"paper\" width=\"{WIDE}\" height=\"{TALL}\"/>{body}</svg>\n"
            ),
        }
    }
}
