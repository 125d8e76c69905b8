//! Looking through a game that was played here, with the machine that analyses it beside the board.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Redirect, Response};
use futures_util::stream::Stream;
use maud::{Markup, html};
use serde_json::{Value, json};
use wits_game::{Eyes, Figure, Scene, Seat, Turn};
use wits_play::{AnyMatch, Limits, Remark, Review, Spec, Thought};

use super::course::{Course, Curve, Made};
use super::{frame, machines, page, say, sentence};
use crate::ending::reason;
use crate::rooms;
use crate::rooms::live::{Told, stream_aloud};
use crate::routes::{blocking, followable};
use crate::snapshot::{Place, ended, lit};
use crate::table::{Table, thought_json};
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// The longest variation that an address carries.
const LONGEST: usize = 400;

/// How long the machine looks at one position.
const LOOK: Duration = Duration::from_millis(1500);

/// The page hears no more often than this what the machine thinks.
const PAUSE: Duration = Duration::from_millis(100);

/// What an address names: a game, moves that were tried in place of its own, and a place in the whole.
struct Subject {
    /// How many moves are the game's own.
    shared: usize,
    /// The moves that were tried from there.
    tried: Vec<String>,
    /// How many moves are made on the board.
    ply: usize,
    /// The position before each move, and the last one.
    positions: Vec<Box<dyn AnyMatch>>,
    /// For whom values are shown.
    own: Seat,
    /// The seats of the visitor.
    place: Place,
}

/// Whether games of this table can be looked through here.
pub(crate) fn reviewed(table: &Table) -> bool {
    !table.game.hidden() && table.game.analyst(Seat::FIRST).is_some()
}

fn bad(why: wits_game::Message) -> Fault {
    let status = StatusCode::UNPROCESSABLE_ENTITY;
    Fault::new(status, "bad-place", why, WORDS.say("review-bad-hint"))
}

/// A whole number that an address has for a place.
fn number(text: &str, most: usize) -> Result<usize, Fault> {
    let number = text.trim().parse().ok().filter(|n| *n <= most);
    number.ok_or_else(|| {
        let shown: String = text.chars().take(40).collect();
        bad(WORDS
            .say("review-bad-ply")
            .with("text", shown)
            .with("most", most))
    })
}

impl Subject {
    /// Reads what an address says, and whether it says it in another way than this page would.
    fn read(
        app: &App,
        table: &Table,
        visitor: Visitor,
        pairs: &[(String, String)],
    ) -> Result<(Subject, bool), Fault> {
        if !reviewed(table) {
            return Err(bad(WORDS.say("review-no-analyst")));
        }
        let place = Place::of(app, table, visitor)?;
        let own = match place.seats[..] {
            [own] => own,
            _ => Seat::FIRST,
        };
        let value = |name: &str| pairs.iter().find(|(key, _)| key == name).map(|(_, v)| v);
        let all = table.lock().table.ply() as usize;
        let tried: Vec<String> = pairs
            .iter()
            .filter(|(key, _)| key == "try")
            .map(|(_, text)| text.clone())
            .collect();
        if tried.len() > LONGEST {
            return Err(bad(WORDS.say("review-too-long").with("most", LONGEST)));
        }
        let shared = match value("from") {
            Some(text) if !tried.is_empty() => number(text, all)?,
            _ => all,
        };
        let mut positions = Vec::with_capacity(shared + tried.len() + 1);
        for ply in 0..=shared {
            positions.push(table.at(ply as u32)?);
        }
        let mut subject = Subject {
            shared,
            tried: Vec::new(),
            ply: shared,
            positions,
            own,
            place,
        };
        for text in &tried {
            subject.play(text)?;
        }
        let most = subject.positions.len() - 1;
        if let Some(text) = value("ply") {
            subject.ply = number(text, most)?;
        }
        let Some(text) = value("play") else {
            return Ok((subject, false));
        };
        subject.go(text)?;
        Ok((subject, true))
    }

    /// One more move at the end.
    fn play(&mut self, text: &str) -> Result<(), Fault> {
        let mut next = self.position(self.positions.len() - 1).copy();
        let Turn::Of(seat) = next.turn() else {
            return Err(bad(wits_game::WORDS.say("over")));
        };
        next.play(seat, text, None)?;
        next.settle();
        self.positions.push(next);
        self.tried.push(text.to_owned());
        self.ply = self.positions.len() - 1;
        Ok(())
    }

    /// A move at the place: along the game where it goes on in the same way, otherwise a variation.
    fn go(&mut self, text: &str) -> Result<(), Fault> {
        let next = self.positions.get(self.ply + 1);
        let told = next.and_then(|next| next.told(Eyes::All).pop());
        if told.is_some_and(|told| told.text == text) {
            self.ply += 1;
            return Ok(());
        }
        let kept = self.ply;
        self.positions.truncate(kept + 1);
        self.tried.truncate(kept.saturating_sub(self.shared));
        self.shared = self.shared.min(kept);
        self.play(text)
    }

    fn position(&self, ply: usize) -> &dyn AnyMatch {
        self.positions[ply].as_ref()
    }

    /// Whose turn it is at the place, or how the game ended there.
    fn status(&self, table: &Table) -> String {
        let told = |position: &dyn AnyMatch| match position.turn() {
            Turn::Of(seat) => WORDS.say("turn").with("who", table.name(seat)).to_string(),
            Turn::Over(outcome) => {
                let result = ended(table, position, &outcome, &self.place);
                let why = reason(table, position, &outcome, &self.place);
                format!("{} {why}", sentence(&result.to_string()))
            }
            Turn::Chance => say("chance"),
        };
        // Whoever gave up did so after the last move.
        let inside = table.lock();
        if self.tried.is_empty() && self.ply == inside.table.ply() as usize {
            return told(&*inside.table);
        }
        drop(inside);
        told(self.position(self.ply))
    }

    fn course(&self, table: &Table) -> Course {
        let told = self.position(self.positions.len() - 1).told(Eyes::All);
        let made = told.iter().map(|told| Made {
            who: told.seat.map(|seat| table.name(seat)).unwrap_or_default(),
            text: told.text.clone(),
            note: (told.ply as usize >= self.shared).then(|| say("review-tried")),
        });
        let mut fields = Vec::new();
        if !self.tried.is_empty() {
            fields.push(("from", self.shared.to_string()));
            fields.extend(self.tried.iter().map(|text| ("try", text.clone())));
        }
        Course {
            address: format!("/games/{}/review", table.id),
            fields,
            ply: self.ply,
            moves: made.collect(),
        }
    }
}

type Pairs = Query<Vec<(String, String)>>;

async fn subject(
    app: &App,
    id: &str,
    visitor: Visitor,
    pairs: Vec<(String, String)>,
) -> Result<(Arc<Table>, Subject, bool), Fault> {
    let table = followable(app, id).await?;
    let (house, at) = (app.clone(), Arc::clone(&table));
    let (subject, elsewhere) =
        blocking(move || Subject::read(&house, &at, visitor, &pairs)).await?;
    Ok((table, subject, elsewhere))
}

/// `GET /games/ID/review`
pub(crate) async fn review(
    State(app): State<App>,
    Path(id): Path<String>,
    Query(pairs): Pairs,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let (table, subject, elsewhere) = subject(&app, &id, visitor, pairs)
        .await
        .map_err(|f| f.for_reader(&headers))?;
    let course = subject.course(&table);
    if elsewhere {
        return Ok(Redirect::to(&course.at(subject.ply)).into_response());
    }
    let title = WORDS
        .say("review-title")
        .with("game", table.game.title())
        .to_string();
    let body = body(&title, &table, &subject, &course);
    Ok(page(
        visitor,
        frame(&title, &["board.js", "review-page.js"], &body),
    ))
}

fn body(title: &str, table: &Table, subject: &Subject, course: &Course) -> Markup {
    let position = subject.position(subject.ply);
    let last = if subject.ply > 0 {
        table.last_of(position).touched
    } else {
        Vec::new()
    };
    let scene: Scene = lit(position.scene(Eyes::All), &last);
    let analyst = table.game.analyst(subject.own);
    let by = analyst.map_or_else(String::new, |spec| machines::called(&spec.to_string()));
    let who = table.name(subject.own);
    let curve = Curve {
        review: format!("/games/{}/remarks?{}", table.id, course.query()),
        counted: None,
        axis: WORDS.say("review-axis").with("who", &who).to_string(),
        about: WORDS
            .say("review-about")
            .with("who", &who)
            .with("by", by)
            .to_string(),
        none: say("review-none"),
    };
    html! {
        main.game.review #main data-address=(course.address) data-query=(course.query()) data-ply=(subject.ply) data-most=(course.moves.len()) {
            header.game-head { h1 { (title) } }
            section.panel.turn-card aria-label=(say("turn-card")) { p #status aria-live="polite" { (subject.status(table)) } }
            div.table { div.stay {
                (course.board(&scene, &say("review-board")))
                (course.steps())
            } }
            div.side {
                (course.graph(&curve))
                (course.moves())
                (deeds(table, subject, position))
            }
        }
    }
}

/// What can be done with the position: play it on against a machine, or go back to the game.
fn deeds(table: &Table, subject: &Subject, position: &dyn AnyMatch) -> Markup {
    let seats = position.turn().seat().zip(position.notation());
    html! {
        section.panel #deeds {
            h2 { (say("review-deeds")) }
            @if let Some((turn, notation)) = seats {
                form action="/games" method="post" {
                    input type="hidden" name="game" value=(table.header.game);
                    input type="hidden" name="position" value=(notation);
                    @for seat in Seat::all(table.game.seats()) {
                        @let player = if seat == turn { Spec::named("human") } else { table.game.opponent(seat) };
                        input type="hidden" name={ "seats." (seat.index() + 1) } value=(player);
                    }
                    button.button type="submit" { (say("review-play-on")) }
                }
            }
            ul.oth-links {
                @if !subject.tried.is_empty() {
                    li { a href={ "/games/" (table.id) "/review?ply=" (subject.shared) } { (say("review-back")) } }
                }
                li { a href={ "/games/" (table.id) } { (say("review-to-game")) } }
            }
        }
    }
}

/// `GET /games/ID/remarks`: a remark on every move, from the last one on.
pub(crate) async fn remarks(
    State(app): State<App>,
    Path(id): Path<String>,
    Query(pairs): Pairs,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Fault> {
    let (table, subject, _) = subject(&app, &id, visitor, pairs)
        .await
        .map_err(|f| f.for_reader(&headers))?;
    let own = subject.own;
    let mut review = Review::new(
        Arc::clone(&table.game),
        table.shelf().clone(),
        subject.positions,
    );
    let all = review.left();
    stream_aloud(&app, visitor, move |budget, voice| {
        let mut said = None::<Duration>;
        let mut listen = |at: u32, thought: &Thought<String>| {
            let now = budget.elapsed();
            if thought.why.is_some() || said.is_none_or(|last| now >= last + PAUSE) {
                said = Some(now);
                let about = WORDS.say("review-looking").with("number", at + 1);
                let mut value = thought_json(thought);
                value["millis"] = json!(now.as_millis() as u64);
                value["about"] = json!(about.to_string());
                voice.say("thought", value);
            }
        };
        let remark = review.step(&budget.within(Limits::time(LOOK)), &mut listen);
        let done = all - review.left();
        let note = WORDS.say("review-done").with("done", done).with("all", all);
        let mut data = remark.map_or_else(|| json!({}), |r| remarked(&table, &r, own));
        data["note"] = json!(note.to_string());
        Told {
            event: "remark",
            data,
            over: review.left() == 0 || budget.stopped(),
        }
    })
}

/// A remark as the page reads it; worths are for the seat that looks on.
fn remarked(table: &Table, remark: &Remark, own: Seat) -> Value {
    let sign = if remark.seat == own { 1.0 } else { -1.0 };
    let turned = |value: f64| sign * value + 0.0;
    let worth = remark.worth;
    let sure = if remark.exact { "exact" } else { "estimate" };
    let digits = |value: f64| usize::from(value.fract() != 0.0);
    let text = rooms::remark(table, remark).unwrap_or_else(|| remark.text.clone());
    json!({
        "ply": remark.ply, "move": remark.played, "best": remark.best,
        "value": worth.map(|(_, after)| turned(after)), "best_value": worth.map(|(before, _)| turned(before)),
        "sign": remark.slip.sign(), "decisive": remark.slip >= wits_play::Slip::Mistake,
        "sure": sure, "text": text.to_string(), "line": remark.line,
        "worth": worth.map(|(_, after)| Figure::Signed(turned(after), digits(after)).to(wits_game::Lang::spoken())),
        "sure_says": say(if remark.exact { "review-exact" } else { "review-estimate" }),
    })
}
