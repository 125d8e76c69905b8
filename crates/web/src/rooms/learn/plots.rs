//! The curves of one pipeline: probabilities, learning curve, importance, decision regions.

use std::sync::Arc;

use axum::extract::{Extension, Path, Query, State};
use axum::http::HeaderMap;
use axum::response::Response;
use maud::{Markup, html};
use wits_desk::Block;
use wits_learn::draw;

use super::asked::Asked;
use super::files::{Desk, Subject};
use super::parts::{figure, picture};
use super::pipeline::opened;
use crate::keep::{SVG, download};
use crate::pages::say;
use crate::visitor::Visitor;
use crate::{App, Fault};

/// A plot: its name, its title, what is said about it, the verb that draws it, what it is asked
/// for, and the table behind it.
struct Plot {
    name: &'static str,
    title: &'static str,
    about: &'static str,
    verb: &'static str,
    asks: Option<(&'static str, &'static str)>,
    part: &'static str,
    table: Option<&'static str>,
}

const PLOTS: [Plot; 6] = [
    Plot {
        name: "roc",
        title: "learn-roc",
        about: "learn-roc-about",
        verb: "curves",
        asks: None,
        part: "out/roc.svg",
        table: Some("areas"),
    },
    Plot {
        name: "precision-recall",
        title: "learn-precision-recall",
        about: "learn-precision-recall-about",
        verb: "curves",
        asks: None,
        part: "out/precision-recall.svg",
        table: Some("areas"),
    },
    Plot {
        name: "calibration",
        title: "learn-calibration",
        about: "learn-calibration-about",
        verb: "curves",
        asks: None,
        part: "out/calibration.svg",
        table: Some("calibration"),
    },
    Plot {
        name: "learning",
        title: "learn-learning",
        about: "learn-learning-about",
        verb: "tune",
        asks: Some(("learning", "true")),
        part: "svg",
        table: Some("curve"),
    },
    Plot {
        name: "importance",
        title: "learn-importance",
        about: "learn-importance-about",
        verb: "tune",
        asks: Some(("importance", "true")),
        part: "svg",
        table: Some("importance"),
    },
    Plot {
        name: "regions",
        title: "learn-regions",
        about: "learn-plane-about",
        verb: "regions",
        asks: None,
        part: "out/regions.svg",
        table: None,
    },
];

/// All plots of a pipeline, each computed when it is opened.
pub(super) fn section(subject: &Subject, pipeline: &str, pair: Option<&str>) -> Markup {
    html! {
        section #plots {
            h2 { (say("learn-plots")) }
            @for plot in &PLOTS {
                @let mut fields = vec![("pipeline", pipeline)];
                @let () = fields.extend(pair.filter(|_| plot.name == "regions").map(|pair| ("pair", pair)));
                @let address = |more: &[(&str, &str)]| subject.page(&format!("plot/{}", plot.name), &[&fields, more].concat());
                details.panel id={ "plot-" (plot.name) } open[plot.name == "regions" && pair.is_some()] {
                    summary { (say(plot.title)) }
                    p.muted { (say(plot.about)) }
                    @if plot.name == "regions" { (pair_form(subject, pipeline, pair)) }
                    @let csv = plot.table.map(|table| address(&[("table", table)]));
                    (figure(&address(&[]), &address(&[("keep", "1")]), &say(plot.title), csv.as_deref()))
                }
            }
        }
    }
}

/// Which two features the regions lie on.
fn pair_form(subject: &Subject, pipeline: &str, pair: Option<&str>) -> Markup {
    let data = &subject.data;
    let named = pair.map(|pair| draw::named_pair(data, pair));
    let drawn = draw::pair_of(data, named).map(|(across, up)| [across, up]);
    let features = data.features();
    html! {
        form.row method="get" action={ (subject.opened.page("pipeline", "")) "#plot-regions" } {
            (super::pipeline::hidden(subject, &[]))
            input type="hidden" name="pipeline" value=(pipeline);
            @for (at, key) in [(0, "learn-across"), (1, "learn-upwards")] {
                span.mb-pair {
                    label for={ "pair" (at) } { (say(key)) }
                    select id={ "pair" (at) } name="pair" {
                        @for (place, feature) in features.iter().enumerate() { option selected[drawn.as_ref().is_ok_and(|pair| pair[at] == place)] { (feature) } }
                    }
                }
            }
            button.button type="submit" { (say("learn-look-again")) }
        }
    }
}

/// Two features that an address names, as a verb takes them.
pub(super) fn pair(asked: &Asked) -> Option<String> {
    let named: Vec<&str> = asked.all("pair").collect();
    (!named.is_empty()).then(|| named.join(","))
}

/// `GET /learn/data/NAME/plot/WHAT`
pub(super) async fn plot(
    State(app): State<App>,
    Extension(desk): Extension<Arc<Desk>>,
    Path((name, what)): Path<(String, String)>,
    Query(pairs): Query<Vec<(String, String)>>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let asked = Asked(pairs);
    let made = async {
        let plot = PLOTS.iter().find(|plot| plot.name == what);
        let plot = plot.ok_or_else(Fault::missing)?;
        let (subject, pipeline) = opened(&app, &desk, name, &asked).await?;
        let (text, pair) = (pipeline.to_string(), pair(&asked));
        let mut args = vec![("pipeline", text.as_str())];
        args.extend(plot.asks);
        args.extend(pair.as_deref().map(|pair| ("pair", pair)));
        let question = subject.question(plot.verb, &args)?.with_outputs(None);
        let answer = question.ask(&app, visitor).await?;
        if let Some(table) = asked.one("table") {
            return crate::desk::keep(&answer.blocks, table);
        }
        let drawn = answer.blocks.iter().find_map(|block| match block {
            Block::Picture(picture) if picture.name == plot.part => Some(picture.svg.clone()),
            _ => None,
        });
        let svg = drawn.ok_or_else(Fault::missing)?;
        Ok(match asked.one("keep") {
            Some(_) => download(SVG, &format!("{what}.svg"), svg),
            None => picture(svg),
        })
    };
    made.await.map_err(|f: Fault| f.for_reader(&headers))
}
