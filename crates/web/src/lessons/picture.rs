//! A drawing that stands on a page in the page's own colours, and in a file with its colours inside.

use std::sync::OnceLock;

use maud::{Markup, PreEscaped, html};

/// A drawing.
pub(super) struct Picture {
    /// What it shows.
    pub(super) title: String,
    /// How wide and how high it is.
    pub(super) size: (f64, f64),
    /// The shapes in it.
    pub(super) inner: Markup,
    /// What its lines are called, where it has several.
    pub(super) legend: Vec<String>,
}

/// The house's stylesheet.
const SHEET: &str = include_str!("../../assets/wits.css");

/// What the stylesheet says of drawings, in light colours, with every variable in its place: other
/// programs than browsers know no variables.
fn look() -> &'static str {
    static LOOK: OnceLock<String> = OnceLock::new();
    LOOK.get_or_init(|| {
        let rules = SHEET.lines().filter(|l| l.starts_with(".ls-"));
        rules.map(|rule| resolved(rule) + "\n").collect()
    })
}

/// A variable of the stylesheet as it is by day.
fn by_day(name: &str) -> &'static str {
    let value = SHEET
        .lines()
        .find_map(|l| l.trim().strip_prefix(name)?.strip_prefix(": "));
    let value = value.map_or("inherit", |v| v.trim_end_matches(';'));
    value
        .strip_prefix("light-dark(")
        .and_then(|both| both.split(',').next())
        .unwrap_or(value)
}

fn resolved(rule: &str) -> String {
    let mut parts = rule.split("var(");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once(')').unwrap_or((part, ""));
        out += by_day(name);
        out += rest;
    }
    out
}

impl Picture {
    /// The drawing on a page: as large as there is room for it, or as large as it is.
    pub(super) fn on_page(&self, real: bool) -> Markup {
        let (wide, high) = self.size;
        html! {
            svg viewBox={ "0 0 " (wide) " " (high) } width=[real.then_some(wide)] height=[real.then_some(high)] role="img" aria-label=(self.title) {
                (self.inner)
            }
        }
    }

    /// The drawing as a file.
    pub(super) fn file(&self) -> String {
        const TITLE: f64 = 32.0;
        const LINE: f64 = 22.0;
        const MARGIN: f64 = 8.0;
        let (wide, high) = (self.size.0 + 2.0 * MARGIN, self.size.1 + TITLE + MARGIN);
        let all = high + LINE * self.legend.len() as f64;
        let file = html! {
            svg xmlns="http://www.w3.org/2000/svg" viewBox={ "0 0 " (wide) " " (all) } width=(wide) height=(all)
                font-family="system-ui, sans-serif" font-size="15" {
                title { (self.title) }
                style { (PreEscaped(look())) }
                rect width="100%" height="100%" fill=(by_day("--paper")) {}
                text x=(MARGIN) y="21" fill=(by_day("--ink")) { (self.title) }
                g transform={ "translate(" (MARGIN) " " (TITLE) ")" } { (self.inner) }
                @for (i, name) in self.legend.iter().enumerate() {
                    @let down = high + LINE * i as f64 + 6.0;
                    line class={ "ls-line l" (i) } x1=(MARGIN) x2=(MARGIN + 28.0) y1=(down) y2=(down) {}
                    text.ls-tick x=(MARGIN + 36.0) y=(down + 5.0) { (name) }
                }
            }
        };
        file.into_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_its_colours_inside() {
        let look = look();
        assert!(look.contains(".ls-column { fill: #8b877c; }"), "{look}");
        assert!(
            !look.contains("var(") && !look.contains("light-dark") && !look.contains("inherit")
        );
        let picture = Picture {
            title: "a < b".to_owned(),
            size: (480.0, 260.0),
            inner: html! { rect.ls-column x="1" y="2" width="3" height="4" {} },
            legend: vec!["first".to_owned()],
        };
        let file = picture.file();
        assert!(
            file.starts_with("<svg xmlns=") && file.contains("a &lt; b"),
            "{file}"
        );
        assert!(file.contains(">first</text>"), "{file}");
    }
}
