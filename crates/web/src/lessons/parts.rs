//! Forms and pictures of lessons.

use std::fmt::Display;

use maud::{Markup, html};
use wits_game::Lang;

use crate::pages::say;

/// What a run of a lesson gives: numbers for the text, and parts that stand in it.
#[derive(Default)]
pub(super) struct Live {
    says: Vec<(&'static str, String)>,
    parts: Vec<(&'static str, Markup)>,
}

impl Live {
    /// A number or a phrase for a hole of the text.
    pub(super) fn say(mut self, hole: &'static str, value: impl Display) -> Live {
        self.says.push((hole, value.to_string()));
        self
    }

    /// A part of the page.
    pub(super) fn part(mut self, name: &'static str, markup: Markup) -> Live {
        self.parts.push((name, markup));
        self
    }

    /// What stands for a hole: the value itself, or for `name:game|games` the form that goes with it.
    pub(super) fn said(&self, hole: &str) -> Option<String> {
        let (name, forms) = hole
            .split_once(':')
            .map_or((hole, None), |(name, forms)| (name, Some(forms)));
        let (_, value) = self.says.iter().find(|(known, _)| *known == name)?;
        Some(forms.map_or_else(
            || value.clone(),
            |forms| Lang::spoken().form(value, forms).to_owned(),
        ))
    }

    pub(super) fn part_named(&self, name: &str) -> Option<&Markup> {
        self.parts
            .iter()
            .find(|(part, _)| *part == name)
            .map(|(_, markup)| markup)
    }
}

/// A share as people write it.
pub(super) fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// A slider with its number beside it.
pub(super) fn slider(
    name: &str,
    label: &'static str,
    value: impl Display,
    bounds: [i64; 3],
) -> Markup {
    let [least, most, step] = bounds;
    html! {
        div.field.lesson-slider {
            label for={ "ls-" (name) } { (say(label)) }
            div.row {
                input id={ "ls-" (name) } name=(name) type="range" min=(least) max=(most) step=(step) value=(value);
                output for={ "ls-" (name) } { (value) }
            }
        }
    }
}

/// A choice of words: what is sent, and what is shown.
pub(super) fn choice(
    name: &str,
    label: &'static str,
    chosen: &str,
    options: &[(&str, String)],
) -> Markup {
    html! {
        div.field {
            label for={ "ls-" (name) } { (say(label)) }
            select id={ "ls-" (name) } name=(name) {
                @for (value, shown) in options { option value=(value) selected[*value == chosen] { (shown) } }
            }
        }
    }
}

/// A line of text to type.
pub(super) fn line(
    name: &str,
    label: &'static str,
    about: &'static str,
    value: &str,
    most: usize,
) -> Markup {
    html! {
        div.field.wide {
            label for={ "ls-" (name) } { (say(label)) }
            input id={ "ls-" (name) } name=(name) type="text" value=(value) maxlength=(most) autocomplete="off" spellcheck="false";
            small { (say(about)) }
        }
    }
}

/// A row of a table with a bar.
pub(super) struct Bar {
    /// What it is.
    pub(super) name: String,
    /// How long the bar is.
    pub(super) value: f64,
    /// The number as it is shown.
    pub(super) shown: String,
    /// Whether it stands out.
    pub(super) mark: bool,
}

/// A table whose rows are bars: the picture and its numbers in one.
pub(super) fn bars(caption: &str, heads: [&str; 2], rows: &[Bar]) -> Markup {
    let most = rows
        .iter()
        .map(|r| r.value)
        .fold(f64::MIN_POSITIVE, f64::max);
    html! {
        div.doc-wide tabindex="0" role="region" aria-label=(caption) {
            table.data.lesson-bars {
                caption { (caption) }
                thead { tr { th scope="col" { (heads[0]) } th scope="col" { (heads[1]) } td {} } }
                tbody {
                    @for row in rows {
                        tr.mark[row.mark] {
                            th scope="row" { (row.name) }
                            td { (row.shown) }
                            td.bar {
                                svg viewBox="0 0 200 14" width="200" height="14" aria-hidden="true" {
                                    rect x="0" y="2" height="10" width=(format!("{:.1}", 200.0 * row.value.max(0.0) / most)) {}
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A line of a chart: its name and its points.
pub(super) struct Line {
    /// What it shows.
    pub(super) name: String,
    /// Points from left to right.
    pub(super) points: Vec<(f64, f64)>,
}

const WIDE: f64 = 480.0;
const HIGH: f64 = 260.0;
const LEFT: f64 = 52.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 48.0;

/// Where a point of a chart lies.
struct Frame {
    x: (f64, f64),
    y: (f64, f64),
}

impl Frame {
    fn at(&self, (x, y): (f64, f64)) -> (String, String) {
        let share = |v: f64, (low, high): (f64, f64)| (v - low) / (high - low).max(1e-12);
        let right = LEFT + (WIDE - LEFT - 12.0) * share(x, self.x);
        let down = HIGH - BOTTOM - (HIGH - BOTTOM - TOP) * share(y, self.y);
        (format!("{right:.1}"), format!("{down:.1}"))
    }

    fn axes(&self, x: &str, y: &str, show: &dyn Fn(f64) -> String) -> Markup {
        let quarter = |(low, high): (f64, f64), i: i32| low + (high - low) * f64::from(i) / 4.0;
        html! {
            @for i in 0..=4 {
                @let y = quarter(self.y, i);
                @let (left, down) = self.at((self.x.0, y));
                @let (right, _) = self.at((self.x.1, y));
                line.ls-grid x1=(left) x2=(right) y1=(down) y2=(down) {}
                text.ls-tick x=(LEFT - 6.0) y=(down) dy="5" text-anchor="end" { (show(y)) }
                @let (at, _) = self.at((quarter(self.x, i), 0.0));
                text.ls-tick x=(at) y=(HIGH - BOTTOM + 18.0) text-anchor="middle" { (format!("{:.0}", quarter(self.x, i))) }
            }
            text.ls-tick x=(f64::midpoint(LEFT, WIDE)) y=(HIGH - 8.0) text-anchor="middle" { (x) }
            text.ls-tick x="0" y=(TOP) dy="0" visibility="hidden" { (y) }
        }
    }
}

/// Lines over numbers, with the table behind them one click away.
pub(super) fn lines(
    title: &str,
    x: &str,
    lines: &[Line],
    range: (f64, f64),
    show: &dyn Fn(f64) -> String,
) -> Markup {
    let xs = || lines.iter().flat_map(|l| &l.points).map(|p| p.0);
    let frame = Frame {
        x: (xs().fold(f64::MAX, f64::min), xs().fold(f64::MIN, f64::max)),
        y: range,
    };
    html! {
        figure.lesson-chart {
            figcaption { (title) }
            svg viewBox={ "0 0 " (WIDE) " " (HIGH) } role="img" aria-label=(title) {
                (frame.axes(x, title, show))
                @for (i, line) in lines.iter().enumerate() {
                    @let points: Vec<String> = line.points.iter().map(|&p| frame.at(p)).map(|(x, y)| format!("{x},{y}")).collect();
                    polyline class={ "ls-line l" (i) } points=(points.join(" ")) {}
                }
            }
            p.ls-legend {
                @for (i, line) in lines.iter().enumerate() {
                    span { svg viewBox="0 0 28 8" width="28" height="8" aria-hidden="true" { line class={ "ls-line l" (i) } x1="0" x2="28" y1="4" y2="4" {} } " " (line.name) }
                }
            }
            details {
                summary { (say("lesson-table")) }
                div.doc-wide tabindex="0" role="region" aria-label=(title) {
                    table.data {
                        thead { tr { th scope="col" { (x) } @for line in lines { th scope="col" { (line.name) } } } }
                        tbody {
                            @for (i, &(at, _)) in lines.first().map_or(&[][..], |l| &l.points).iter().enumerate() {
                                tr { td { (at) } @for line in lines { td { @if let Some(p) = line.points.get(i) { (show(p.1)) } } } }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// How often each number came, as columns; those the mark reaches stand out.
pub(super) fn columns(title: &str, x: &str, counts: &[(f64, u64)], mark: f64) -> Markup {
    let most = counts.iter().map(|c| c.1).max().unwrap_or(0).max(1);
    let wide = counts
        .windows(2)
        .map(|w| w[1].0 - w[0].0)
        .fold(f64::MAX, f64::min);
    let (low, high) = (
        counts.first().map_or(0.0, |c| c.0),
        counts.last().map_or(1.0, |c| c.0),
    );
    let wide = if wide < f64::MAX { wide } else { 1.0 };
    let frame = Frame {
        x: (low - wide / 2.0, high + wide / 2.0),
        y: (0.0, most as f64),
    };
    html! {
        figure.lesson-chart {
            figcaption { (title) }
            svg viewBox={ "0 0 " (WIDE) " " (HIGH) } role="img" aria-label=(title) {
                (frame.axes(x, title, &|v| format!("{v:.0}")))
                @for &(at, count) in counts {
                    @let (x0, y0) = frame.at((at - wide * 0.45, count as f64));
                    @let (x1, y1) = frame.at((at + wide * 0.45, 0.0));
                    @let (width, height) = (number(&x1) - number(&x0), number(&y1) - number(&y0));
                    rect.ls-column.mark[at >= mark] x=(x0) y=(y0) width=(format!("{width:.1}")) height=(format!("{height:.1}")) {}
                }
                @let (at, top) = frame.at((mark, most as f64));
                @let (_, foot) = frame.at((mark, 0.0));
                line.ls-mark x1=(at) x2=(at) y1=(top) y2=(foot) {}
            }
            details {
                summary { (say("lesson-table")) }
                div.doc-wide tabindex="0" role="region" aria-label=(title) {
                    table.data {
                        thead { tr { th scope="col" { (x) } th scope="col" { (say("lesson-how-often")) } } }
                        tbody { @for (at, count) in counts.iter().filter(|c| c.1 > 0) { tr { td { (at) } td { (count) } } } }
                    }
                }
            }
        }
    }
}

fn number(text: &str) -> f64 {
    text.parse().unwrap_or(0.0)
}

/// A thread that can be followed.
pub(super) fn thread(src: &str) -> Markup {
    html! { wits-thread src=(src) {} }
}
