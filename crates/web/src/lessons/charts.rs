//! Charts of lessons: on the page with their numbers one click away, and as files to keep.

use std::fmt::Display;

use maud::{Markup, html};

use super::picture::Picture;
use crate::keep::csv_line;
use crate::pages::say;

/// A part of a lesson's page, and what can be kept of it.
pub(super) struct Part {
    /// The part as it stands on the page.
    pub(super) page: Markup,
    /// Its drawing.
    pub(super) picture: Option<Picture>,
    /// The numbers behind it; the first row says what they are.
    rows: Vec<Vec<String>>,
}

impl From<Markup> for Part {
    fn from(page: Markup) -> Part {
        Part {
            page,
            picture: None,
            rows: Vec::new(),
        }
    }
}

impl Part {
    /// The numbers as a CSV file, if there are any.
    pub(super) fn csv(&self) -> Option<String> {
        let lines = self.rows.iter().map(csv_line);
        (!self.rows.is_empty()).then(|| lines.collect())
    }
}

/// A drawing under its title that has no numbers behind it; one that may be wider than the page
/// scrolls by itself.
pub(super) fn drawing(picture: Picture, scrolls: bool) -> Part {
    let page = html! {
        figure.lesson-chart {
            figcaption { (picture.title) }
            @if scrolls {
                div.doc-wide tabindex="0" role="region" aria-label=(picture.title) { (picture.on_page(true)) }
            } @else { (picture.on_page(false)) }
        }
    };
    Part {
        page,
        picture: Some(picture),
        rows: Vec::new(),
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
pub(super) fn bars(caption: &str, heads: [&str; 2], rows: &[Bar]) -> Part {
    let most = rows
        .iter()
        .map(|r| r.value)
        .fold(f64::MIN_POSITIVE, f64::max);
    let long = |row: &Bar, all: f64| format!("{:.1}", all * row.value.max(0.0) / most);
    let page = html! {
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
                                    rect x="0" y="2" height="10" width=(long(row, 200.0)) {}
                                }
                            }
                        }
                    }
                }
            }
        }
    };
    let inner = html! {
        @for (i, row) in rows.iter().enumerate() {
            @let down = 24 * i;
            text.ls-tick x=(LINE - 8.0) y=(down + 16) text-anchor="end" { (row.name) }
            rect.ls-column.mark[row.mark] x=(LINE) y=(down + 6) height="12" width=(long(row, 200.0)) {}
            text.ls-tick x=(LINE + 208.0) y=(down + 16) { (row.shown) }
        }
    };
    let picture = Picture {
        title: caption.to_owned(),
        size: (WIDE, 24.0 * rows.len() as f64 + 8.0),
        inner,
        legend: Vec::new(),
    };
    Part {
        page,
        picture: Some(picture),
        rows: std::iter::once(heads.map(str::to_owned).to_vec())
            .chain(rows.iter().map(|r| vec![r.name.clone(), r.shown.clone()]))
            .collect(),
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
const LEFT: f64 = 70.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 48.0;
/// Where bars begin in a file.
const LINE: f64 = 180.0;

/// Where a point of a chart lies.
struct Frame {
    x: (f64, f64),
    y: (f64, f64),
}

impl Frame {
    fn at(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let share = |v: f64, (low, high): (f64, f64)| (v - low) / (high - low).max(1e-12);
        let right = LEFT + (WIDE - LEFT - 12.0) * share(x, self.x);
        let down = HIGH - BOTTOM - (HIGH - BOTTOM - TOP) * share(y, self.y);
        (right, down)
    }

    fn axes(&self, [x, y]: [&str; 2], show: &dyn Fn(f64) -> String) -> Markup {
        let quarter = |(low, high): (f64, f64), i: i32| low + (high - low) * f64::from(i) / 4.0;
        html! {
            @for i in 0..=4 {
                @let height = quarter(self.y, i);
                @let (left, down) = self.at((self.x.0, height));
                @let (right, _) = self.at((self.x.1, height));
                line.ls-grid x1=(place(left)) x2=(place(right)) y1=(place(down)) y2=(place(down)) {}
                text.ls-tick x=(LEFT - 6.0) y=(place(down)) dy="5" text-anchor="end" { (show(height)) }
                @let (at, _) = self.at((quarter(self.x, i), 0.0));
                text.ls-tick x=(place(at)) y=(HIGH - BOTTOM + 18.0) text-anchor="middle" { (format!("{:.0}", quarter(self.x, i))) }
            }
            text.ls-tick x=(f64::midpoint(LEFT, WIDE)) y=(HIGH - 8.0) text-anchor="middle" { (x) }
            @let middle = f64::midpoint(TOP, HIGH - BOTTOM);
            text.ls-tick transform={ "translate(14 " (middle) ") rotate(-90)" } text-anchor="middle" { (y) }
        }
    }
}

/// A place in a drawing; a tenth is more than anybody sees.
pub(super) fn place(at: f64) -> String {
    format!("{at:.1}")
}

/// A chart with the table behind it one click away.
pub(super) fn chart(picture: Picture, rows: Vec<Vec<String>>) -> Part {
    let title = &picture.title;
    let page = html! {
        figure.lesson-chart {
            figcaption { (title) }
            (picture.on_page(false))
            @if !picture.legend.is_empty() {
                p.ls-legend {
                    @for (i, name) in picture.legend.iter().enumerate() {
                        span { svg viewBox="0 0 28 8" width="28" height="8" aria-hidden="true" { line class={ "ls-line l" (i) } x1="0" x2="28" y1="4" y2="4" {} } " " (name) }
                    }
                }
            }
            details {
                summary { (say("lesson-table")) }
                div.doc-wide tabindex="0" role="region" aria-label=(title) {
                    table.data {
                        thead { tr { @for head in rows.first().into_iter().flatten() { th scope="col" { (head) } } } }
                        tbody { @for row in rows.iter().skip(1) { tr { @for cell in row { td { (cell) } } } } }
                    }
                }
            }
        }
    };
    Part {
        page,
        picture: Some(picture),
        rows,
    }
}

/// Lines over numbers; the axes say what lies on them.
pub(super) fn lines(
    title: &str,
    axes: [&str; 2],
    lines: &[Line],
    range: (f64, f64),
    show: &dyn Fn(f64) -> String,
) -> Part {
    let xs = || lines.iter().flat_map(|l| &l.points).map(|p| p.0);
    let frame = Frame {
        x: (xs().fold(f64::MAX, f64::min), xs().fold(f64::MIN, f64::max)),
        y: range,
    };
    let pair = |p: (f64, f64)| {
        let (x, y) = frame.at(p);
        place(x) + "," + &place(y)
    };
    let inner = html! {
        (frame.axes(axes, show))
        @for (i, line) in lines.iter().enumerate() {
            @let points: Vec<String> = line.points.iter().map(|&p| pair(p)).collect();
            polyline class={ "ls-line l" (i) } points=(points.join(" ")) {}
        }
    };
    let legend: Vec<String> = lines.iter().map(|l| l.name.clone()).collect();
    let mut rows = vec![[vec![axes[0].to_owned()], legend.clone()].concat()];
    let first = lines.first().map_or(&[][..], |l| &l.points);
    rows.extend(first.iter().enumerate().map(|(i, (at, _))| {
        let cell = |l: &Line| l.points.get(i).map_or(String::new(), |p| show(p.1));
        std::iter::once(at.to_string())
            .chain(lines.iter().map(cell))
            .collect()
    }));
    let picture = Picture {
        title: title.to_owned(),
        size: (WIDE, HIGH),
        inner,
        legend,
    };
    chart(picture, rows)
}

/// How often each number came, as columns; those the mark reaches stand out.
pub(super) fn columns(title: &str, x: &str, counts: &[(f64, u64)], mark: f64) -> Part {
    let often = say("lesson-how-often");
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
    let inner = html! {
        (frame.axes([x, &often], &|v| format!("{v:.0}")))
        @for &(at, count) in counts {
            @let (x0, y0) = frame.at((at - wide * 0.45, count as f64));
            @let (x1, y1) = frame.at((at + wide * 0.45, 0.0));
            rect.ls-column.mark[at >= mark] x=(place(x0)) y=(place(y0)) width=(place(x1 - x0)) height=(place(y1 - y0)) {}
        }
        @let (at, top) = frame.at((mark, most as f64));
        @let (_, foot) = frame.at((mark, 0.0));
        line.ls-mark x1=(place(at)) x2=(place(at)) y1=(place(top)) y2=(place(foot)) {}
    };
    let row = |at: &dyn Display, count: &dyn Display| vec![at.to_string(), count.to_string()];
    let mut rows = vec![row(&x, &often)];
    let came = counts.iter().filter(|c| c.1 > 0);
    rows.extend(came.map(|(at, count)| row(at, count)));
    let picture = Picture {
        title: title.to_owned(),
        size: (WIDE, HIGH),
        inner,
        legend: Vec::new(),
    };
    chart(picture, rows)
}
