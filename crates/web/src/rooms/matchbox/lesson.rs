//! The last game of a machine as a thread: every draw, and what teaching did to the beads.

use std::collections::BTreeMap;

use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use serde_json::{Map, Value};
use wits_game::{Eyes, Outcome, Turn};
use wits_matchbox::{Edit, Machine, Verdict};
use wits_play::{Header, Spec, Value as Argument};
use wits_search::{Footer, Kind, Line, Step, Thread, ThreadHeader};
use wits_store::{Id, Which};

use super::refusal;
use super::shelf::{self, Name};
use crate::pages::say;
use crate::routes::blocking;
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// How many finished games are looked through for the last one of a machine.
const LOOKED_AT: u32 = 200;

/// A finished game of a machine.
pub(super) struct LastGame {
    id: Id,
    header: Header,
    moves: Vec<String>,
    /// The machine's own plies.
    plies: Vec<u32>,
    outcome: Outcome,
    verdict: Verdict,
}

/// Whether a player is this machine, and learns.
fn is_this(player: &str, name: &Name) -> bool {
    let Ok(spec) = player.parse::<Spec>() else {
        return false;
    };
    spec.name == "matchbox"
        && matches!(spec.value("file"), Some(Argument::Text(file)) if file == name.key())
        && spec.value("learn").is_some_and(|v| v.to_string() == "true")
}

/// The last finished game in which the machine sat in its own seat and was taught.
pub(super) fn last_game(
    app: &App,
    name: &Name,
    machine: &Machine,
) -> Result<Option<LastGame>, Fault> {
    let which = Which {
        kind: Some("game"),
        finished: Some(true),
    };
    let seat = machine.cabinet().seat();
    for session in app.store.recent(which, None, LOOKED_AT)? {
        let Ok(header) = serde_json::from_value::<Header>(session.header) else {
            continue;
        };
        let mine = header.players.get(seat.index());
        if header.game != machine.cabinet().game()
            || header.start.is_some()
            || !mine.is_some_and(|player| is_this(player, name))
        {
            continue;
        }
        let table = app.table(session.id)?;
        let inside = table.lock();
        let Turn::Over(outcome) = inside.table.turn() else {
            continue;
        };
        let told = inside.table.told(Eyes::All);
        return Ok(Some(LastGame {
            id: session.id,
            header,
            plies: (told.iter().filter(|t| t.seat == Some(seat)))
                .map(|t| t.ply)
                .collect(),
            moves: told.into_iter().map(|t| t.text).collect(),
            verdict: Verdict::of(&outcome, seat),
            outcome,
        }));
    }
    Ok(None)
}

const fn verdict_key(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Win => "matchbox-verdict-win",
        Verdict::Draw => "matchbox-verdict-draw",
        Verdict::Loss => "matchbox-verdict-loss",
    }
}

/// The part of the page about the last game.
pub(super) fn section(name: &Name, last: Option<&LastGame>) -> Markup {
    html! {
        section #lesson {
            h2 { (say("matchbox-last-game")) }
            @if let Some(game) = last {
                p {
                    (say(verdict_key(game.verdict))) " "
                    a href={ "/games/" (game.id) } { (WORDS.say("matchbox-last-moves").with("moves", game.moves.join(", "))) }
                }
                wits-thread src={ (name.page()) "/thread" } {}
            } @else {
                p.muted { (say("matchbox-no-game")) }
            }
        }
    }
}

/// `GET /matchbox/NAME/thread`
pub(super) async fn thread(
    State(app): State<App>,
    Path(name): Path<String>,
    visitor: Visitor,
) -> Result<Response, Fault> {
    let text = blocking(move || {
        let name = Name::find(&app, visitor, &name)?;
        let machine = shelf::load(&app.store, &name)?.machine;
        let game = last_game(&app, &name, &machine)?.ok_or_else(no_game)?;
        Ok(lesson(&app, machine, &game)?.text())
    })
    .await?;
    let kind = [(header::CONTENT_TYPE, "application/jsonl; charset=utf-8")];
    Ok((kind, text).into_response())
}

fn no_game() -> Fault {
    refusal(
        StatusCode::NOT_FOUND,
        "no-game",
        "matchbox-no-game",
        "matchbox-no-game-hint",
    )
}

/// Draws as they were kept while the machine played, then the same teaching once more over the
/// beads that lay in the boxes then.
fn lesson(app: &App, mut machine: Machine, game: &LastGame) -> Result<Thread, Fault> {
    let mut steps: Vec<(Kind, String, Map<String, Value>)> = Vec::new();
    for &ply in &game.plies {
        let Some(text) = app.kept_thread(game.id, ply)? else {
            continue;
        };
        let Ok(kept) = Thread::read(&text) else {
            continue;
        };
        for line in kept.steps {
            put_back(&mut machine, &line);
            steps.push((line.kind, line.text, line.data));
        }
    }
    let cabinet = machine.cabinet().clone();
    let drawn = cabinet.subject().drawn(&cabinet, &game.moves)?;
    let end = WORDS
        .say("matchbox-end")
        .with("verdict", WORDS.say(verdict_key(game.verdict)))
        .with("why", game.outcome.why.clone());
    steps.push((Kind::Note, end.to_string(), Map::new()));
    let mut taught: Vec<Step> = Vec::new();
    machine.teach(&drawn, game.verdict, &mut taught);
    steps.extend(
        taught
            .into_iter()
            .map(|step| (step.kind, step.says.to_string(), step.data)),
    );
    let mut counts = BTreeMap::new();
    for (kind, _, _) in &steps {
        *counts.entry(kind.word().to_owned()).or_insert(0) += 1;
    }
    let lines: Vec<Line> = (0..)
        .zip(steps)
        .map(|(at, (kind, text, data))| Line {
            at,
            kind,
            text,
            data,
        })
        .collect();
    let mut header = ThreadHeader::new("matchbox", "beads");
    header.subject = game.moves.join(" ");
    header
        .by
        .clone_from(&game.header.players[cabinet.seat().index()]);
    header.seed = game.header.seed.number();
    header.title = say("matchbox-thread-title");
    let footer = Footer {
        end: true,
        counts,
        kept: lines.len() as u64,
        dropped: 0,
        sample: None,
        result: say(verdict_key(game.verdict)),
    };
    Ok(Thread::new(header, lines, footer))
}

/// Gives a box the beads it had when one was drawn from it.
fn put_back(machine: &mut Machine, line: &Line) {
    let at = line.data.get("box").and_then(Value::as_u64);
    let (Some(at), Some(Value::Object(then))) = (at, line.data.get("beads")) else {
        return;
    };
    let Some(label) = machine.cabinet().labels().get(at as usize) else {
        return;
    };
    let count = |text: &String| then.get(text).and_then(Value::as_u64).unwrap_or(0) as u32;
    let beads = label.moves.iter().map(count).collect();
    // A box of another kind of machine does not fit; then the beads of today serve.
    let _ = machine.edit(&Edit::Fill {
        at: at as usize,
        beads,
    });
}
