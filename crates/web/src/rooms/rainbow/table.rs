//! A game in this room: the board with hints of five levels beside it, and the rainbow as arcs.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::rejection::FormRejection;
use axum::extract::{Extension, Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Form, Json};
use maud::{Markup, html};
use serde::Deserialize;
use serde_json::json;
use wits_game::{Dice, Eyes, Game, Seat, Stream, Turn};
use wits_play::{AnyEntry, Refusal, Spec};
use wits_rainbow::drawing::draw;
use wits_rainbow::players::{Hint, Level};
use wits_rainbow::{Board, Rainbow, Side, Terms};

use super::think;
use crate::fault::reads_pages;
use crate::pages::{AtTable, board as plain, embedded, frame, page, say};
use crate::routes::{blocking, open};
use crate::snapshot::Place;
use crate::table::Table;
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// Of how many games it is remembered how often somebody asked.
const MOST_GAMES: usize = 4_096;

/// How often hints were asked for at the last ply of each game: every time other dice are thrown,
/// and all of them follow the game's seed.
#[derive(Default)]
pub(super) struct Asked(Mutex<BTreeMap<String, (u32, u64)>>);

impl Asked {
    /// How often before somebody asked at this ply.
    fn before(&self, id: &str, ply: u32) -> u64 {
        let mut games = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if games.len() >= MOST_GAMES && !games.contains_key(id) {
            games.pop_first();
        }
        let (at, count) = games.entry(id.to_owned()).or_insert((ply, 0));
        if *at != ply {
            (*at, *count) = (ply, 0);
        }
        *count += 1;
        *count - 1
    }
}

/// The position of a table of this room, from its moves.
fn position(table: &Table) -> Result<Board, Fault> {
    let spec: Spec = table.header.game.parse()?;
    if spec.name != "rainbow" {
        return Err(Fault::missing());
    }
    let text = |name: &str| spec.value(name).map(ToString::to_string);
    let number = |name: &str| {
        text(name)
            .and_then(|value| value.parse::<u64>().ok())
            .ok_or_else(|| crate::routes::lacking(name))
    };
    let first: Side = text("first")
        .unwrap_or_default()
        .parse()
        .map_err(Refusal::from)?;
    let terms = Terms::new(number("n")?, number("k")?, number("c")?, first);
    let game = Rainbow::new(terms.map_err(Refusal::from)?);
    let mut board = match &table.header.start {
        Some(text) => game.position(text)?,
        None => game.start(),
    };
    let told = table.lock().table.told(Eyes::All);
    for played in told {
        let paint = game.read(&board, &played.text)?;
        game.legal(&board, &paint)?;
        game.play(&mut board, &paint);
    }
    Ok(board)
}

/// The numbers as they are coloured, the rainbow as arcs where there is one.
fn drawing(board: &Board) -> String {
    let arcs: Vec<_> = board.rainbow().into_iter().collect();
    let svg = draw(board.colours(), board.terms().k(), &arcs);
    as_on_board(&svg, board.colours())
}

/// A drawing whose tiles have the colours of the board where the page's stylesheet reaches them, and their own elsewhere.
pub(super) fn as_on_board(svg: &str, colours: &[u16]) -> String {
    let (mut out, mut rest) = (String::with_capacity(2 * svg.len()), svg);
    // Tiles come in the order of the numbers, each with its digits after it.
    for colour in colours.iter().filter(|&&colour| colour != 0) {
        for (own, shown) in [("hsl", "--colour"), ("#111", "--on-colour")] {
            let from = format!("fill=\"{own}");
            let Some((before, after)) = rest.split_once(from.as_str()) else {
                break;
            };
            let Some((value, after)) = after.split_once('"') else {
                break;
            };
            out.push_str(before);
            let class = colour % 8;
            let _ = write!(
                out,
                "class=\"c{class}\" fill=\"var({shown}, {own}{value})\""
            );
            rest = after;
        }
    }
    out + rest
}

/// `GET /rainbow/picture/ID.svg`
pub(super) async fn picture(
    State(app): State<App>,
    Path(file): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let work = async {
        let id = file.strip_suffix(".svg").ok_or_else(Fault::missing)?;
        let table = open(&app, id).await?;
        blocking(move || Ok(drawing(&position(&table)?))).await
    };
    let svg = work.await.map_err(|f| f.for_reader(&headers))?;
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], svg).into_response())
}

/// Which hint somebody wants.
#[derive(Deserialize)]
pub(super) struct Wanted {
    game: Option<String>,
    level: Option<String>,
}

/// What a hint says: a move, unless the level gives none, and why.
struct Told {
    text: Option<String>,
    why: String,
}

/// The advice of a level for a seat: Breaker's hints, Maker's strategies.
fn advise(table: &Table, seat: Seat, ply: u32, level: u8, asked: &Asked) -> Result<Told, Fault> {
    let board = position(table)?;
    let nth = asked.before(&table.id.to_string(), ply);
    let mut dice = Dice::at(table.header.seed.nth(nth), Stream::Aside, ply);
    let advice = match Side::of(seat) {
        _ if level == 0 => None,
        Side::Maker => Level::new(level).and_then(|kind| kind.advise(&board, &mut dice)),
        Side::Breaker => Hint::new(level).and_then(|kind| kind.advise(&board, &mut dice)),
    };
    Ok(match advice {
        Some(advice) => Told {
            text: Some(format!("{}={}", advice.paint.number, advice.paint.colour)),
            why: advice.why.to_string(),
        },
        None => Told {
            text: None,
            why: say("rainbow-no-hint"),
        },
    })
}

fn bad_level(text: &str) -> Fault {
    let shown: String = text.chars().take(40).collect();
    Fault::new(
        StatusCode::UNPROCESSABLE_ENTITY,
        "bad-level",
        WORDS.say("rainbow-bad-level").with("text", shown),
        WORDS.say("rainbow-bad-level-hint"),
    )
}

/// `POST /rainbow/hint?game=ID&level=L`; the level may also be a field of a form.
pub(super) async fn hint(
    State(app): State<App>,
    Extension(asked): Extension<Arc<Asked>>,
    Query(wanted): Query<Wanted>,
    visitor: Visitor,
    headers: HeaderMap,
    form: Result<Form<Vec<(String, String)>>, FormRejection>,
) -> Result<Response, Fault> {
    let id = wanted.game.unwrap_or_default();
    let work = async {
        let fields = form.map(|Form(fields)| fields).unwrap_or_default();
        let field = fields.into_iter().find(|(key, _)| key == "level");
        let text = wanted.level.or(field.map(|(_, value)| value));
        let text = text.unwrap_or_else(|| "4".to_owned());
        let level = text.trim().parse::<u8>().ok().filter(|&l| l < 5);
        let level = level.ok_or_else(|| bad_level(&text))?;
        let table = open(&app, &id).await?;
        let (house, at) = (app.clone(), Arc::clone(&table));
        let place = blocking(move || Place::of(&house, &at, visitor)).await?;
        let (turn, ply) = {
            let inside = table.lock();
            (inside.table.turn(), inside.table.ply())
        };
        let Turn::Of(seat) = turn else {
            return Err(not_now());
        };
        if place.seats.is_empty() {
            return Err(Fault::forbidden());
        }
        if !place.seats.contains(&seat) {
            return Err(not_now());
        }
        let told = think(&app, visitor, move |_| {
            advise(&table, seat, ply, level, &asked)
        })
        .await??;
        Ok((level, told))
    };
    let (level, told) = work.await.map_err(|f: Fault| f.for_reader(&headers))?;
    if !reads_pages(&headers) {
        let value = json!({"move": told.text, "why": told.why, "level": level});
        return Ok(Json(value).into_response());
    }
    let title = WORDS
        .say("rainbow-hint-of")
        .with("level", level)
        .to_string();
    let body = html! {
        main #main {
            h1 { (title) }
            @if let Some(text) = &told.text { p { b.move-text { (text) } } }
            p { (told.why) }
            p { a.button href={ "/games/" (id) } { (say("rainbow-back")) } }
        }
    };
    Ok(page(visitor, frame(&title, &[], &body)))
}

fn not_now() -> Fault {
    Fault::new(
        StatusCode::CONFLICT,
        "turn",
        WORDS.say("no-hint"),
        WORDS.say("turn-hint"),
    )
}

/// The page of a game, with its scripts.
pub(crate) fn page_of(
    at: &AtTable<'_>,
    table: &Table,
    title: &str,
    entry: Option<&dyn AnyEntry>,
) -> Option<(&'static [&'static str], Markup)> {
    let board = position(table).ok()?;
    Some((&SCRIPTS, body(at, title, &board, entry)))
}

/// What `rainbow.js` must know to offer so many colours as swatches.
pub(super) fn palette(colours: impl maud::Render) -> Markup {
    html! {
        div #palette hidden data-colours=(colours) data-find=(say("rainbow-find-colour")) data-label=(WORDS.say("rainbow-colour").with("colour", "{colour}")) data-paint=(say("rainbow-paint")) {}
    }
}

/// The scripts of the page.
const SCRIPTS: [&str; 4] = ["board.js", "thread.js", "game.js", "rainbow.js"];

/// The page of a game with this room's own hints; `game.js` keeps it alive as it does every game.
fn body(at: &AtTable<'_>, title: &str, board: &Board, entry: Option<&dyn AnyEntry>) -> Markup {
    let (base, id, state) = (at.base(), at.id, at.state);
    let over = !state["over"].is_null();
    let terms = board.terms();
    // Maker is advised by the strategies, Breaker by the hints.
    let kinds = if state["you"][0] == json!(Side::Maker.seat()) {
        "rainbow-hints-maker"
    } else {
        "rainbow-hints-breaker"
    };
    // What the visitor wants; what both want where somebody only watches, or plays both sides.
    let seat = |side: Side| state["you"] == json!([side.seat()]);
    let key = match (seat(Side::Maker), seat(Side::Breaker)) {
        (true, _) => "rainbow-goal-maker",
        (_, true) => "rainbow-goal-breaker",
        _ => "rainbow-goal",
    };
    let goal = WORDS.say(key).with("n", terms.n());
    let goal = goal.with("k", terms.k()).with("c", terms.c()).to_string();
    html! {
        main.game.wide-board #main data-id=(id) data-base=(base) {
            (AtTable::head(title, &goal, entry))
            (at.turn())
            div.table { div.stay {
                form.move.plain action={ (base) "/move" } method="post" {
                    input type="hidden" name="ply" value=(state["ply"]);
                    @if at.mine() { input type="hidden" name="seat" value=(state["turn"]); }
                    wits-board live[at.mine()] {
                        script.scene type="application/json" { (embedded(&state["scene"])) }
                        (plain(&serde_json::from_value(state["scene"].clone()).unwrap_or_default()))
                    }
                }
                (palette(terms.c()))
                p #message role="alert" {}
                (at.controls(Some(&format!("/rainbow/hint?game={id}"))))
                figure #picture data-src={ "/rainbow/picture/" (id) ".svg" } hidden[!over] {
                    figcaption { (say("rainbow-picture")) }
                    (super::picture(&say("rainbow-picture"), if over { drawing(board) } else { String::new() }))
                }
            } }
            div.side {
                (at.seats())
                section.panel {
                    h2 { (say("rainbow-hints")) }
                    div.field {
                        label for="level" { (say("rainbow-hint-level")) " " output for="level" { "4" } }
                        input #level form="to-hint" type="range" name="level" min="0" max="4" step="1" value="4" aria-describedby="level-about";
                        small #level-about { (say(kinds)) }
                    }
                    div #lines aria-live="polite" { p.muted { (say("lines-none")) } }
                }
                (at.moves())
            }
            (AtTable::thread())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawing_has_the_colours_of_the_board() {
        let svg = draw(&[3, 0, 12], 3, &[]);
        let shown = as_on_board(&svg, &[3, 0, 12]);
        assert_eq!(shown.matches("var(--colour, hsl(").count(), 2);
        assert_eq!(shown.matches("var(--on-colour, #111)").count(), 2);
        assert!(shown.find("\"c3\"") < shown.find("\"c4\""), "{shown}");
        assert!(shown.starts_with("<svg") && shown.ends_with("</svg>"));
    }

    #[test]
    fn every_question_at_a_ply_has_its_own_number() {
        let asked = Asked::default();
        assert_eq!([asked.before("a", 0), asked.before("a", 0)], [0, 1]);
        assert_eq!(asked.before("b", 0), 0, "another game");
        assert_eq!(asked.before("a", 2), 0, "another ply");
        for n in 0..MOST_GAMES {
            asked.before(&format!("game {n}"), 0);
        }
        assert!(asked.0.lock().unwrap().len() <= MOST_GAMES);
    }
}
