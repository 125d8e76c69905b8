//! Lessons: short guided pages on which the machines themselves show what is said.
//!
//! - `prose`: the words, a file for each lesson and language, with holes for live numbers;
//! - `guess`: the question that the reader answers first; `boards`: positions to click on, and lines
//!   that are played out on them;
//! - `asked`: what a reader changed; `parts`: forms and numbers; `charts` and `picture`: drawings;
//! - one file for each lesson: what it runs, and what it shows of that.

mod alphabeta;
mod asked;
mod astar;
mod beads;
mod boards;
mod chance;
mod charts;
mod cross_checks;
mod cross_validation;
mod dawg;
mod endgame;
mod guess;
mod hexapawn;
mod pairing;
mod parts;
mod picture;
mod proofs;
mod prose;
mod rating;
mod squarefree;
mod tournament;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use maud::{Markup, html};
use wits_game::Lang;
use wits_play::Budget;

use crate::keep::{CSV, SVG, download};
use crate::pages::{frame, page, say};
use crate::recent::Recent;
use crate::think::think;
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

use asked::Asked;
pub(crate) use parts::Live;
use picture::Picture;

/// How long a lesson may hold a thinker.
const PATIENCE: Duration = Duration::from_secs(8);

/// What a lesson runs.
type Run = fn(&App, &Asked, &Budget) -> Result<Live, Fault>;
/// The thread of something that a lesson shows.
type Follow = fn(&App, &Asked, &Budget) -> Result<String, Fault>;

/// A lesson: its name in addresses, what it runs, and its threads.
struct Lesson {
    name: &'static str,
    run: Run,
    follow: Option<Follow>,
}

const fn lesson(name: &'static str, run: Run, follow: Option<Follow>) -> Lesson {
    Lesson { name, run, follow }
}

/// All lessons, in the order in which they are best read.
const LESSONS: [Lesson; 14] = [
    lesson("hexapawn", hexapawn::run, Some(hexapawn::follow)),
    lesson("beads", beads::run, None),
    lesson("alphabeta", alphabeta::run, Some(alphabeta::follow)),
    lesson("astar", astar::run, Some(astar::follow)),
    lesson("endgame", endgame::run, Some(endgame::follow)),
    lesson("proofs", proofs::run, None),
    lesson("squarefree", squarefree::run, None),
    lesson("pairing", pairing::run, None),
    lesson("dawg", dawg::run, None),
    lesson("cross-checks", cross_checks::run, None),
    lesson("cross-validation", cross_validation::run, None),
    lesson("chance", chance::run, None),
    lesson("rating", rating::run, None),
    lesson("tournament", tournament::run, None),
];

/// The addresses of the lessons.
pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/lessons", get(list))
        .route("/lessons/{name}", get(show))
        .route("/lessons/{name}/thread", get(thread))
        .route("/lessons/{name}/keep/{file}", get(keep))
}

/// The address and the title of every lesson.
pub(crate) fn titles() -> impl Iterator<Item = (String, String)> {
    let one = |l: &Lesson| (format!("/lessons/{}", l.name), prose::of(l.name).title);
    LESSONS.iter().map(one)
}

fn named(name: &str) -> Result<(usize, &'static Lesson), Fault> {
    let found = LESSONS.iter().enumerate().find(|(_, l)| l.name == name);
    found.ok_or_else(Fault::missing)
}

/// `GET /lessons`
async fn list(visitor: Visitor) -> Response {
    let title = say("lessons-title");
    let body = html! {
        main #main {
            h1 { (title) }
            p.lead { (say("lessons-lead")) }
            ol.cards.lessons {
                @for lesson in &LESSONS {
                    @let prose = prose::of(lesson.name);
                    li.card data-lesson-card=(lesson.name) { a href={ "/lessons/" (lesson.name) } { h2 { (prose.title) } p { (prose.plain("lead", &Live::default())) } } }
                }
            }
            p { a href="/maxsum" { (say("maxsum-title")) } ": " (say("maxsum-about")) }
        }
    };
    page(visitor, frame(&title, &["lessons.js"], &body))
}

/// `GET /lessons/NAME`
async fn show(
    State(app): State<App>,
    Path(name): Path<String>,
    Query(pairs): Query<Vec<(String, String)>>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let (at, lesson) = named(&name).map_err(|f| f.for_reader(&headers))?;
    let asked = Asked::new(pairs);
    let live = opened(&app, lesson, &asked, visitor).await;
    let live = live.map_err(|f| f.for_reader(&headers))?;
    let prose = prose::of(lesson.name);
    let body = html! {
        main.lesson #main {
            nav.lesson-place aria-label=(say("lessons-title")) {
                a href="/lessons" { (say("lessons-title")) } " · "
                (WORDS.say("lessons-place").with("number", at + 1).with("count", LESSONS.len()))
            }
            h1 { (prose.title) }
            p.lead { (prose.plain("lead", &live)) }
            (live.guess.on_page(lesson.name, &prose, &live, &asked))
            (prose.body(lesson.name, &live, &asked))
            (prose.teachers(&live))
            (onward(at))
        }
    };
    let scripts = ["thread.js", "threads.js", "lessons.js"];
    Ok(page(visitor, frame(&prose.title, &scripts, &body)))
}

/// Lessons as they open, before anybody changed anything: every lesson in every language.
pub(crate) type FirstLook = Recent<Live, { LESSONS.len() * Lang::ALL.len() }>;

/// A lesson as a page shows it. A lesson that nobody changed is the same for everybody: it is run once, so that
/// the link a teacher passes on opens at once, and a picture on a foreign page that names it starts nothing.
async fn opened(
    app: &App,
    lesson: &'static Lesson,
    asked: &Asked,
    visitor: Visitor,
) -> Result<Arc<Live>, Fault> {
    if !asked.is_empty() {
        return taught(app, lesson, asked, visitor).await.map(Arc::new);
    }
    let name = format!("{} {}", lesson.name, Lang::spoken().code());
    if let Some(live) = app.lessons.get(&name) {
        return Ok(live);
    }
    let live = taught(app, lesson, asked, visitor.with_form()).await?;
    Ok(app.lessons.put(name, live))
}

/// Runs a lesson.
async fn taught(
    app: &App,
    lesson: &'static Lesson,
    asked: &Asked,
    visitor: Visitor,
) -> Result<Live, Fault> {
    let (house, asked) = (app.clone(), asked.clone());
    let work = think(app, visitor, PATIENCE, move |budget| {
        (lesson.run)(&house, &asked, budget)
    });
    work.await?
}

/// `GET /lessons/NAME/keep/PART.svg` and `PART.csv`: a drawing of a lesson, and the numbers behind it.
async fn keep(
    State(app): State<App>,
    Path((name, file)): Path<(String, String)>,
    Query(pairs): Query<Vec<(String, String)>>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let work = async {
        let (_, lesson) = named(&name)?;
        let live = taught(&app, lesson, &Asked::new(pairs), visitor).await?;
        let (part, kind) = file.rsplit_once('.').ok_or_else(Fault::missing)?;
        let part = live.part_named(part).ok_or_else(Fault::missing)?;
        let (kind, text) = match kind {
            "svg" => (SVG, part.picture.as_ref().map(Picture::file)),
            "csv" => (CSV, part.csv()),
            _ => (SVG, None),
        };
        let text = text.ok_or_else(Fault::missing)?;
        Ok(download(kind, &format!("{name}-{file}"), text))
    };
    work.await.map_err(|f: Fault| f.for_reader(&headers))
}

/// The way to the lessons before and after.
fn onward(at: usize) -> Markup {
    let neighbour = |other: Option<usize>, key: &'static str| {
        let lesson = other.and_then(|i| LESSONS.get(i))?;
        let title = prose::of(lesson.name).title;
        Some(html! { a.button href={ "/lessons/" (lesson.name) } { (say(key)) ": " (title) } })
    };
    html! {
        p.row.lesson-on {
            @if let Some(link) = neighbour(at.checked_sub(1), "lessons-before") { (link) }
            @if let Some(link) = neighbour(Some(at + 1), "lessons-after") { (link) }
        }
    }
}

/// `GET /lessons/NAME/thread`
async fn thread(
    State(app): State<App>,
    Path(name): Path<String>,
    Query(pairs): Query<Vec<(String, String)>>,
    visitor: Visitor,
) -> Result<Response, Fault> {
    let (_, lesson) = named(&name)?;
    let follow = lesson.follow.ok_or_else(Fault::missing)?;
    let asked = Asked::new(pairs);
    let house = app.clone();
    let text = think(&app, visitor, PATIENCE, move |budget| {
        follow(&house, &asked, budget)
    })
    .await??;
    let kind = [(header::CONTENT_TYPE, "application/jsonl; charset=utf-8")];
    Ok((kind, text).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The holes and the parts of a text, each once.
    fn needs(text: &str) -> std::collections::BTreeSet<String> {
        let cut = |open: &str, close: char| -> Vec<String> {
            let parts = text
                .split(open)
                .skip(1)
                .filter_map(|r| r.split(close).next());
            parts
                .map(|hole| hole.split(':').next().unwrap_or(hole).to_owned())
                .collect()
        };
        cut("{", '}').into_iter().chain(cut("[[", ']')).collect()
    }

    #[test]
    fn every_lesson_is_written_in_every_language_with_the_same_numbers_and_parts() {
        for lesson in &LESSONS {
            let english = prose::text(lesson.name, Lang::En).expect("it is written");
            for lang in Lang::ALL {
                let text = prose::text(lesson.name, lang).expect("it is written");
                assert!(text.starts_with("# "), "{} in {}", lesson.name, lang.code());
                assert!(
                    text.contains("[[form]]"),
                    "{} has nothing to change",
                    lesson.name
                );
                assert_eq!(
                    needs(text),
                    needs(english),
                    "{} in {}",
                    lesson.name,
                    lang.code()
                );
            }
        }
    }
}
