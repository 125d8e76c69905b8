//! The best scores of solitaire: kept by whoever played the game, once a game.

use axum::Form;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use serde::Deserialize;
use serde_json::json;
use wits_game::{Eyes, Turn};
use wits_play::{Header, Spec};
use wits_store::{Id, Score, Which};
use wits_thue::{Variant, Word};

use super::asked::Subject;
use super::bad;
use super::room::variant_key;
use crate::app::now;
use crate::pages::say;
use crate::routes::{blocking, open};
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// The room whose tables these are.
const ROOM: &str = "thue-solitaire";
/// How many finished games are looked through for the visitor's own.
const LOOKED_AT: u32 = 100;
/// How many of them can be kept from the page.
const OFFERED: usize = 3;
/// How many of the best are shown.
const SHOWN: u32 = 20;
/// How many of the best a game is looked for in.
const KNOWN: u32 = 1000;
/// The longest name, in characters.
const LONGEST: usize = 40;

/// A finished game of solitaire.
pub(super) struct Done {
    id: Id,
    symbols: usize,
    variant: Variant,
    /// The length of the word without the fatal symbol.
    points: i64,
    /// The word as it stands, with the fatal symbol.
    word: String,
}

fn board(symbols: usize, variant: Variant) -> String {
    format!("{symbols}/{variant}")
}

/// The alphabet and the variant that a game is played with.
pub(super) fn rules(spec: &Spec) -> Option<(usize, Variant)> {
    let value = |key: &str| spec.value(key).map(ToString::to_string);
    let symbols = value("symbols")?.parse().ok()?;
    let variant = value("variant")?.parse().ok()?;
    Some((symbols, variant))
}

/// The game, if it is a solitaire that a person played from the beginning to its end.
fn done(app: &App, id: Id) -> Result<Option<Done>, Fault> {
    let table = app.table(id)?;
    let Ok(spec) = table.header.game.parse::<Spec>() else {
        return Ok(None);
    };
    let alone = spec.name == ROOM && table.header.players == ["human"];
    let Some((symbols, variant)) = rules(&spec) else {
        return Ok(None);
    };
    let inside = table.lock();
    let Turn::Over(outcome) = inside.table.turn() else {
        return Ok(None);
    };
    if !alone || table.header.start.is_some() || inside.table.aborted() {
        return Ok(None);
    }
    let view = inside.table.view(Eyes::All);
    let word = serde_json::from_value::<Word>(view["word"].clone());
    Ok(Some(Done {
        id,
        symbols,
        variant,
        points: outcome.payoffs.first().copied().map_or(0, i64::from),
        word: word.map(|w| w.to_string()).unwrap_or_default(),
    }))
}

/// The visitor's last games whose scores are not kept yet.
pub(super) fn offered(app: &App, visitor: Visitor) -> Result<Vec<Done>, Fault> {
    let which = Which {
        kind: Some("game"),
        finished: Some(true),
    };
    let mut found = Vec::new();
    for session in app.store.recent(which, None, LOOKED_AT)? {
        let Ok(header) = serde_json::from_value::<Header>(session.header) else {
            continue;
        };
        let solitaire = header.game.split(':').next() == Some(ROOM);
        if !solitaire || app.store.seats(session.id, &visitor.text())?.is_empty() {
            continue;
        }
        let Some(game) = done(app, session.id)? else {
            continue;
        };
        let kept = app
            .store
            .top(ROOM, &board(game.symbols, game.variant), KNOWN)?;
        if kept.iter().all(|score| score.id != score_id(game.id)) {
            found.push(game);
            if found.len() == OFFERED {
                break;
            }
        }
    }
    Ok(found)
}

fn score_id(id: Id) -> String {
    format!("{ROOM}/{id}")
}

/// The best of one alphabet and variant.
pub(super) fn best(app: &App, subject: &Subject) -> Result<Vec<Score>, Fault> {
    let board = board(subject.symbols, subject.variant);
    Ok(app.store.top(ROOM, &board, SHOWN)?)
}

/// A day as people write it everywhere: year, month, day; from UTC microseconds.
pub(crate) fn day(at: i64) -> String {
    // Years begin in March here, so that the leap day is the last one of its year.
    let days = at.div_euclid(86_400_000_000) + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * march + 2) / 5 + 1;
    let month = if march < 10 { march + 3 } else { march - 9 };
    let year = year + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

/// The part of the page about scores.
pub(super) fn section(subject: &Subject, best: &[Score], offered: &[Done]) -> Markup {
    html! {
        section #scores {
            h2 { (say("thue-scores")) }
            @for (n, game) in offered.iter().enumerate() { (keep_form(n, game)) }
            p {
                (WORDS.say("thue-scores-of").with("symbols", subject.symbols).with("variant", say(variant_key(subject.variant))))
            }
            @if best.is_empty() {
                p.muted { (say("thue-scores-none")) }
            } @else {
                div.mb-scroll tabindex="0" role="region" aria-label=(say("thue-scores")) {
                    table.data.thue-best {
                        thead { tr {
                            @for key in ["thue-rank", "thue-name", "thue-length", "thue-date", "thue-word"] { th scope="col" { (say(key)) } }
                        } }
                        tbody {
                            @for (n, score) in best.iter().enumerate() {
                                tr {
                                    td { (n + 1) }
                                    th scope="row" { (score.name) }
                                    td { (score.points) }
                                    td { time datetime=(day(score.at)) { (day(score.at)) } }
                                    td { a href={ "/thue/replay/" (score.id.rsplit('/').next().unwrap_or_default()) } { (say("thue-replay")) } }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn keep_form(n: usize, game: &Done) -> Markup {
    let field = format!("keep-{n}");
    html! {
        form.panel.keep action={ "/thue/scores/" (game.id) } method="post" {
            p {
                (WORDS.say("thue-done").with("length", game.points).with("symbols", game.symbols).with("variant", say(variant_key(game.variant))))
                " " a href={ "/thue/replay/" (game.id) } { code.thue-code { (game.word) } }
            }
            div.row {
                label for=(field) { (say("thue-your-name")) }
                input id=(field) name="name" type="text" required maxlength=(LONGEST) autocomplete="nickname";
                button.button.primary type="submit" { (say("thue-keep")) }
            }
        }
    }
}

/// What the form says.
#[derive(Deserialize)]
pub(super) struct Named {
    #[serde(default)]
    name: String,
}

fn name_of(text: &str) -> Result<String, Fault> {
    let name = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let fine = !name.is_empty() && name.chars().count() <= LONGEST;
    if !fine || name.chars().any(char::is_control) {
        let why = WORDS.say("thue-bad-name").with("most", LONGEST);
        return Err(bad("bad-name", why));
    }
    Ok(name)
}

/// `POST /thue/scores/ID`: keeps the score of a finished game.
pub(super) async fn keep(
    State(app): State<App>,
    Path(id): Path<String>,
    visitor: Visitor,
    headers: HeaderMap,
    Form(named): Form<Named>,
) -> Result<Response, Fault> {
    let work = async {
        let name = name_of(&named.name)?;
        let id = open(&app, &id).await?.id;
        blocking(move || {
            if app.store.seats(id, &visitor.text())?.is_empty() {
                return Err(Fault::forbidden());
            }
            let game = done(&app, id)?.ok_or_else(|| {
                let (why, hint) = (WORDS.say("thue-not-done"), WORDS.say("thue-not-done-hint"));
                Fault::new(StatusCode::CONFLICT, "not-done", why, hint)
            })?;
            app.store.add_score(&Score {
                id: score_id(id),
                room: ROOM.to_owned(),
                board: board(game.symbols, game.variant),
                name,
                points: game.points,
                at: now(),
                detail: json!({ "word": game.word }),
            })?;
            let (symbols, variant) = (game.symbols, game.variant);
            Ok(format!("/thue?symbols={symbols}&variant={variant}#scores"))
        })
        .await
    };
    let to = work.await.map_err(|f| f.for_reader(&headers))?;
    let mut response = Redirect::to(&to).into_response();
    if visitor.new {
        let cookie = visitor.cookie();
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    Ok(response)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted_right() {
        let second = 1_000_000;
        for (at, expected) in [
            (0, "1970-01-01"),
            (951_782_400, "2000-02-29"),
            (951_868_800, "2000-03-01"),
            (1_709_164_799, "2024-02-28"),
            (1_735_689_599, "2024-12-31"),
            (-1, "1969-12-31"),
        ] {
            assert_eq!(day(at * second), expected);
        }
    }

    #[test]
    fn names_are_short_and_plain() {
        assert_eq!(name_of("  Ada   L. ").unwrap(), "Ada L.");
        for name in ["", "   ", &"x".repeat(LONGEST + 1), "a\u{7}b"] {
            assert_eq!(name_of(name).unwrap_err().code, "bad-name");
        }
    }
}
