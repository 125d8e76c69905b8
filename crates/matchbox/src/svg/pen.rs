//! Drawing: shapes into a text.

use std::fmt::Write as _;

pub(super) const INK: &str = "#1d1f23";
pub(super) const PAPER: &str = "#fbfaf7";
pub(super) const FAINT: &str = "#8a8f98";
pub(super) const SHADE: &str = "#e4e1d8";
pub(super) const ACCENT: &str = "#0f766e";

/// A picture in the making. Lengths are in the units of its view box.
#[derive(Debug, Default)]
pub(super) struct Pen {
    out: String,
}

/// A length with as few digits as it needs.
pub(super) fn num(n: f64) -> String {
    let text = format!("{n:.2}");
    let short = text.trim_end_matches('0').trim_end_matches('.');
    if short == "-0" {
        "0".to_owned()
    } else {
        short.to_owned()
    }
}

/// Text that means itself inside SVG.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

impl Pen {
    pub(super) fn raw(&mut self, text: &str) {
        self.out.push_str(text);
    }

    pub(super) fn rect(&mut self, [x, y, w, h]: [f64; 4], fill: &str, more: &str) {
        let (x, y, w, h) = (num(x), num(y), num(w), num(h));
        let _ = writeln!(
            self.out,
            r#"<rect x="{x}" y="{y}" width="{w}" height="{h}" fill="{fill}" {more}/>"#
        );
    }

    pub(super) fn line(
        &mut self,
        from: (f64, f64),
        to: (f64, f64),
        stroke: &str,
        width: f64,
        more: &str,
    ) {
        let (x1, y1, x2, y2) = (num(from.0), num(from.1), num(to.0), num(to.1));
        let width = num(width);
        let _ = writeln!(
            self.out,
            r#"<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{stroke}" stroke-width="{width}" {more}/>"#
        );
    }

    pub(super) fn circle(&mut self, at: (f64, f64), r: f64, fill: &str, more: &str) {
        let (x, y, r) = (num(at.0), num(at.1), num(r));
        let _ = writeln!(
            self.out,
            r#"<circle cx="{x}" cy="{y}" r="{r}" fill="{fill}" {more}/>"#
        );
    }

    pub(super) fn text(&mut self, at: (f64, f64), size: f64, anchor: &str, fill: &str, text: &str) {
        let (x, y, size, text) = (num(at.0), num(at.1), num(size), escape(text));
        let _ = writeln!(
            self.out,
            r#"<text x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}" fill="{fill}">{text}</text>"#
        );
    }

    pub(super) fn polyline(&mut self, points: &[(f64, f64)], stroke: &str, width: f64, more: &str) {
        let list: Vec<String> = points
            .iter()
            .map(|p| format!("{},{}", num(p.0), num(p.1)))
            .collect();
        let (list, width) = (list.join(" "), num(width));
        let _ = writeln!(
            self.out,
            r#"<polyline points="{list}" fill="none" stroke="{stroke}" stroke-width="{width}" {more}/>"#
        );
    }

    pub(super) fn polygon(&mut self, points: &[(f64, f64)], fill: &str, more: &str) {
        let list: Vec<String> = points
            .iter()
            .map(|p| format!("{},{}", num(p.0), num(p.1)))
            .collect();
        let list = list.join(" ");
        let _ = writeln!(
            self.out,
            r#"<polygon points="{list}" fill="{fill}" {more}/>"#
        );
    }

    /// An arrow whose head ends at `to`.
    pub(super) fn arrow(
        &mut self,
        from: (f64, f64),
        to: (f64, f64),
        colour: &str,
        width: f64,
        more: &str,
    ) {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let length = libm::hypot(dx, dy).max(1e-9);
        let (ux, uy) = (dx / length, dy / length);
        let head = width * 3.0;
        let neck = (to.0 - ux * head, to.1 - uy * head);
        self.line(from, neck, colour, width, more);
        let side = width * 1.6;
        self.polygon(
            &[
                to,
                (neck.0 - uy * side, neck.1 + ux * side),
                (neck.0 + uy * side, neck.1 - ux * side),
            ],
            colour,
            "",
        );
    }

    /// Ends the picture: `size` is what stands in `width` and `height`, with its unit.
    pub(super) fn finish(self, view: (f64, f64), size: (String, String), title: &str) -> String {
        let (w, h) = (num(view.0), num(view.1));
        let (width, height) = size;
        let title = escape(title);
        let body = self.out;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {w} {h}\" role=\"img\" font-family=\"system-ui, sans-serif\">\n\
             <title>{title}</title>\n{body}</svg>\n"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_text_are_plain() {
        assert_eq!(
            (num(1.0), num(0.125), num(-0.001), num(10.5)),
            ("1".into(), "0.12".into(), "0".into(), "10.5".into())
        );
        assert_eq!(escape("<a & \"b\">"), "&lt;a &amp; &quot;b&quot;&gt;");
    }
}
