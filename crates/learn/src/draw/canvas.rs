//! The little that is needed to write SVG.

use std::fmt::Write as _;

use super::raster::Raster;

/// Okabe and Ito's eight colours, safe for colour-blind readers; black is left to ink.
const COLOURS: [&str; 8] = [
    "#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9", "#a6761d", "#7570b3",
];

const STYLE: &str = "text{font:12px system-ui,sans-serif;fill:#1d1f23}.s{font-size:10px}.t{font-size:16px;font-weight:600}.n{font-variant-numeric:tabular-nums}.paper{fill:#fbfaf7}.axis{stroke:#8a8d93;stroke-opacity:.45;fill:none}.ink{stroke:#1d1f23;fill:none}.fill{fill:#1d1f23;stroke:none}.accent{fill:#0f766e}.line{stroke:#0f766e;fill:none;stroke-width:2}.band{fill:#0f766e;opacity:.18}.field{fill:#8a8d93;fill-opacity:.12}@media(prefers-color-scheme:dark){text{fill:#e9e7e2}.paper{fill:#16181c}.ink{stroke:#e9e7e2}.fill{fill:#e9e7e2}.accent{fill:#5eead4}.line{stroke:#5eead4}.band{fill:#5eead4}}";

/// The colour of a class.
pub(super) fn colour(class: usize) -> &'static str {
    COLOURS[class % COLOURS.len()]
}

/// A drawing in the making.
pub(super) struct Canvas {
    width: f64,
    height: f64,
    title: String,
    body: String,
}

/// A number short enough for a file and exact enough for an eye.
fn r(x: f64) -> f64 {
    (x * 100.0).round() / 100.0
}

/// A number as an axis shows it.
pub(super) fn short(x: f64) -> String {
    let size = x.abs();
    if size >= 1e5 || size > 0.0 && size < 1e-3 {
        format!("{x:.1e}")
    } else {
        let digits = if size >= 100.0 {
            0
        } else if size >= 10.0 {
            1
        } else {
            3
        };
        let text = format!("{x:.digits$}");
        if digits == 0 {
            text
        } else {
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
    }
}

/// About how wide a text is, in units of the canvas. Fonts differ, so it errs on the wide side.
pub(super) fn wide(text: &str, size: f64) -> f64 {
    let share = |c: char| match c {
        'f' | 'i' | 'j' | 'l' | 'r' | 't' | ' ' | '.' | ',' | ':' | ';' | '|' | '!' | '(' | ')' => {
            0.38
        }
        'm' | 'w' | 'M' | 'W' | '%' | '@' => 0.95,
        'A'..='Z' => 0.7,
        c if c.is_ascii() => 0.6,
        c if c.is_alphabetic() && (c as u32) < 0x2000 => 0.68,
        _ => 1.0,
    };
    text.chars().map(share).sum::<f64>() * size
}

/// A text, or as much of it as a width holds.
pub(super) fn fit(text: &str, width: f64, size: f64) -> String {
    if wide(text, size) <= width {
        return text.to_owned();
    }
    let mut kept = String::new();
    for c in text.chars() {
        kept.push(c);
        if wide(&kept, size) + size > width {
            kept.pop();
            break;
        }
    }
    kept + "…"
}

/// The widest of some texts.
pub(super) fn widest<T: AsRef<str>>(texts: &[T], size: f64) -> f64 {
    let each = texts.iter().map(|text| wide(text.as_ref(), size));
    each.fold(0.0, f64::max)
}

/// Text made safe for SVG.
pub(super) fn safe(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

impl Canvas {
    pub(super) fn new(width: f64, height: f64, title: &str) -> Canvas {
        Canvas {
            width,
            height,
            title: title.to_owned(),
            body: String::new(),
        }
    }

    pub(super) fn text(&mut self, x: f64, y: f64, anchor: &str, class: &str, text: &str) {
        let _ = writeln!(
            self.body,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"{anchor}\" class=\"{class}\">{}</text>",
            r(x),
            r(y),
            safe(text)
        );
    }

    /// Text that reads upwards around a point.
    pub(super) fn upright(&mut self, x: f64, y: f64, class: &str, text: &str) {
        self.turned((x, y), -90, ("middle", class), text);
    }

    /// Text that rises to the right from a point.
    pub(super) fn slanted(&mut self, x: f64, y: f64, text: &str) {
        self.turned((x, y), -45, ("start", ""), text);
    }

    fn turned(&mut self, (x, y): (f64, f64), by: i32, (anchor, class): (&str, &str), text: &str) {
        let (x, y) = (r(x), r(y));
        let _ = writeln!(
            self.body,
            "<text x=\"{x}\" y=\"{y}\" transform=\"rotate({by} {x} {y})\" text-anchor=\"{anchor}\" class=\"{class}\">{}</text>",
            safe(text)
        );
    }

    /// A picture of pixels with sharp edges.
    pub(super) fn image(&mut self, (x, y): (f64, f64), size: (f64, f64), raster: &Raster) {
        use base64::Engine as _;
        let text = base64::engine::general_purpose::STANDARD.encode(raster.png());
        let _ = writeln!(
            self.body,
            "<image x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" preserveAspectRatio=\"none\" style=\"image-rendering:pixelated\" href=\"data:image/png;base64,{text}\"/>",
            r(x),
            r(y),
            r(size.0),
            r(size.1)
        );
    }

    /// A number on a coloured field: light on dark, dark on light, whatever the page.
    pub(super) fn ink_on(&mut self, x: f64, y: f64, dark: bool, text: &str) {
        let ink = if dark { "#ffffff" } else { "#1d1f23" };
        let _ = writeln!(
            self.body,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" class=\"n\" style=\"fill:{ink}\">{}</text>",
            r(x),
            r(y),
            safe(text)
        );
    }

    pub(super) fn line(&mut self, from: (f64, f64), to: (f64, f64), class: &str) {
        let _ = writeln!(
            self.body,
            "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" class=\"{class}\"/>",
            r(from.0),
            r(from.1),
            r(to.0),
            r(to.1)
        );
    }

    /// A rectangle with a class or, starting with `#`, a colour.
    pub(super) fn rect(&mut self, x: f64, y: f64, size: (f64, f64), paint: &str, tip: &str) {
        let paint = if paint.starts_with('#') {
            format!("fill=\"{paint}\"")
        } else {
            format!("class=\"{paint}\"")
        };
        let _ = writeln!(
            self.body,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" {paint}><title>{}</title></rect>",
            r(x),
            r(y),
            r(size.0.max(0.0)),
            r(size.1.max(0.0)),
            safe(tip)
        );
    }

    /// A mark in the colour and the shape of a class.
    pub(super) fn mark(&mut self, x: f64, y: f64, class: usize, size: f64) {
        let s = size;
        let path = match class % 6 {
            0 => format!(
                "M{},{}a{s},{s} 0 1,0 {},0a{s},{s} 0 1,0 {},0",
                r(x - s),
                r(y),
                r(2.0 * s),
                r(-2.0 * s)
            ),
            1 => format!(
                "M{},{}h{}v{}h{}z",
                r(x - s),
                r(y - s),
                r(2.0 * s),
                r(2.0 * s),
                r(-2.0 * s)
            ),
            2 => format!("M{},{}l{s},{}h{}z", r(x), r(y - s), r(2.0 * s), r(-2.0 * s)),
            3 => format!("M{},{}l{s},{s}l-{s},{s}l-{s},-{s}z", r(x), r(y - s)),
            4 => format!(
                "M{},{}l{s},-{}h{}z",
                r(x),
                r(y + s),
                r(2.0 * s),
                r(-2.0 * s)
            ),
            _ => format!(
                "M{},{}h{}M{},{}v{}",
                r(x - s),
                r(y),
                r(2.0 * s),
                r(x),
                r(y - s),
                r(2.0 * s)
            ),
        };
        let paint = if class % 6 == 5 { "stroke" } else { "fill" };
        let _ = writeln!(
            self.body,
            "<path d=\"{path}\" {paint}=\"{}\" {}fill-opacity=\".7\"/>",
            colour(class),
            if class % 6 == 5 {
                "stroke-width=\"1.5\" "
            } else {
                ""
            }
        );
    }

    /// A line through points; a class or, starting with `#`, a colour. `dash` tells classes apart
    /// without colour.
    pub(super) fn path(&mut self, points: &[(f64, f64)], paint: &str, dash: usize, closed: bool) {
        let mut d = String::new();
        for (i, (x, y)) in points.iter().enumerate() {
            let _ = write!(d, "{}{},{}", if i == 0 { 'M' } else { 'L' }, r(*x), r(*y));
        }
        if closed {
            d.push('z');
        }
        let paint = if paint.starts_with('#') {
            format!("stroke=\"{paint}\" fill=\"none\" stroke-width=\"1.5\"")
        } else {
            format!("class=\"{paint}\"")
        };
        let dashes = ["", "6 2", "2 2", "8 2 2 2", "4 4", "10 3"];
        let _ = writeln!(
            self.body,
            "<path d=\"{d}\" {paint} stroke-dasharray=\"{}\"/>",
            dashes[dash % dashes.len()]
        );
    }

    /// A faint area inside a line.
    pub(super) fn area(&mut self, points: &[(f64, f64)], colour: &str) {
        let each = points.iter().map(|(x, y)| format!("{},{}", r(*x), r(*y)));
        let points = each.collect::<Vec<_>>().join(" ");
        let _ = writeln!(
            self.body,
            "<polygon points=\"{points}\" fill=\"{colour}\" fill-opacity=\".14\"/>"
        );
    }

    /// The classes with their marks, in one row.
    pub(super) fn legend(&mut self, x: f64, y: f64, classes: &[String]) {
        let mut at = x;
        for (c, class) in classes.iter().enumerate() {
            self.mark(at, y - 4.0, c, 4.0);
            self.text(at + 9.0, y, "start", "", class);
            at += 26.0 + wide(class, 12.0);
        }
        self.width = self.width.max(at);
    }

    pub(super) fn finish(self) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\" role=\"img\"><title>{t}</title><style>{STYLE}</style><rect class=\"paper\" width=\"{w}\" height=\"{h}\"/>\n{body}</svg>\n",
            w = r(self.width),
            h = r(self.height),
            t = safe(&self.title),
            body = self.body
        )
    }
}

/// Where values of a range stand on a stretch of the canvas.
#[derive(Clone, Copy)]
pub(super) struct Scale {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Scale {
    /// A range with a little air; a range without width gets some.
    pub(super) fn of(values: impl Iterator<Item = f64>, from: f64, to: f64) -> Scale {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for v in values.filter(|v| v.is_finite()) {
            low = low.min(v);
            high = high.max(v);
        }
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        let air = if high > low { (high - low) * 0.04 } else { 0.5 };
        Scale {
            low: low - air,
            high: high + air,
            from,
            to,
        }
    }

    pub(super) fn between(low: f64, high: f64, from: f64, to: f64) -> Scale {
        let high = if high > low { high } else { low + 1.0 };
        Scale {
            low,
            high,
            from,
            to,
        }
    }

    pub(super) fn at(&self, value: f64) -> f64 {
        self.from + (value - self.low) / (self.high - self.low) * (self.to - self.from)
    }

    /// Round numbers inside the range, about five of them; where the range is so narrow that their
    /// labels round them, only those that are labelled as they are.
    pub(super) fn ticks(&self) -> Vec<f64> {
        let rough = (self.high - self.low) / 5.0;
        let power = libm::pow(10.0, libm::floor(libm::log10(rough)));
        let step = [1.0, 2.0, 5.0, 10.0]
            .map(|m| m * power)
            .into_iter()
            .find(|s| *s >= rough);
        let step = step.unwrap_or(power * 10.0);
        let first = (self.low / step).ceil() as i64;
        let last = (self.high / step).floor() as i64;
        let ticks = (first..=last.min(first + 20)).map(|k| k as f64 * step);
        let as_labelled = |tick: &f64| {
            let label: Result<f64, _> = short(*tick).parse();
            label.is_ok_and(|label| (label - tick).abs() <= 0.01 * step)
        };
        ticks.filter(as_labelled).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tick_is_labelled_as_it_is() {
        for (low, high) in [
            (0.0, 1.0),
            (-3.7, 12.4),
            (2024.5, 2025.5),
            (1e-7, 2e-7),
            (123_456.0, 345_678.0),
            (1_000_001.0, 1_000_009.0),
        ] {
            let labels: Vec<String> = Scale::between(low, high, 0.0, 1.0)
                .ticks()
                .into_iter()
                .map(short)
                .collect();
            let mut different = labels.clone();
            different.dedup();
            assert_eq!(labels, different);
        }
        let year = Scale::between(2024.5, 2025.5, 0.0, 1.0);
        assert_eq!(year.ticks(), [2025.0]);
        assert!(Scale::between(0.0, 1.0, 0.0, 1.0).ticks().len() >= 5);
    }
}
