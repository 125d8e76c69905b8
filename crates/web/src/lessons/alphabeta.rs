//! What alpha-beta cuts, and why: the same position by minimax and by alpha-beta.

use std::sync::Arc;

use maud::html;
use wits_game::{Seed, Turn};
use wits_play::{AnyDesk, AnyGame, AnyMatch, Budget, Choice, Recorder, Spec, Thought};

use super::asked::{Asked, address, refused};
use super::charts::{Bar, bars};
use super::parts::{Live, line, percent, slider};
use crate::pages::{board, say};
use crate::{App, Fault, WORDS};

/// Steps that a thread keeps.
const STEPS: usize = 4000;
/// The position at first: X threatens, O has one answer.
const MOVES: &str = "b2 a1 c3";

/// A game in the position that the reader asks about.
struct Asking {
    game: Arc<dyn AnyGame>,
    table: Box<dyn AnyMatch>,
    moves: String,
    depth: u32,
}

/// A game, and a match of it.
pub(super) type Seated = (Arc<dyn AnyGame>, Box<dyn AnyMatch>);

/// What one search came to.
pub(super) struct Searched {
    /// The move.
    pub(super) choice: String,
    /// What it is worth, in words.
    pub(super) worth: String,
    /// Positions looked at.
    pub(super) nodes: u64,
    /// The thread, where one was asked for.
    pub(super) thread: Option<String>,
}

/// A table of a game after some moves.
pub(super) fn table(app: &App, spec: &str, moves: &str) -> Result<Seated, Fault> {
    let spec: Spec = spec.parse()?;
    let game = app.catalog.game(&spec, &app.shelf)?;
    let mut table = game.begin(Seed::new(1), None);
    for text in moves.split_whitespace() {
        if let Turn::Of(seat) = table.turn() {
            table.play(seat, text, None)?;
        }
    }
    if table.turn().seat().is_none() {
        return Err(refused(
            "over",
            WORDS.say("lesson-over"),
            WORDS.say("lesson-over-hint"),
        ));
    }
    Ok((game, table))
}

/// A table of a game that starts from a position.
pub(super) fn table_from(app: &App, spec: &str, position: &str) -> Result<Seated, Fault> {
    let spec: Spec = spec.parse()?;
    let game = app.catalog.game(&spec, &app.shelf)?;
    let table = game.begin_from(position, Seed::new(1), None)?;
    Ok((game, table))
}

/// Lets a machine decide, and keeps how it did.
pub(super) fn search(
    app: &App,
    game: &dyn AnyGame,
    table: &dyn AnyMatch,
    by: &str,
    budget: &Budget,
    steps: Option<usize>,
) -> Result<Searched, Fault> {
    let spec: Spec = by.parse()?;
    let seat = table.turn().seat().ok_or_else(Fault::missing)?;
    let mut player = game.player(&spec, seat, &app.shelf)?;
    let mut last: Option<Thought<String>> = None;
    let mut tell = |thought: &Thought<String>| last = Some(thought.clone());
    let mut recorder = steps.map(Recorder::new);
    let desk = AnyDesk {
        budget,
        dice: table.dice(seat),
        tell: &mut tell,
        record: recorder.as_mut(),
    };
    let choice = match player.choose(table, desk) {
        Choice::Move(text) => text,
        Choice::Resign => "resign".to_owned(),
    };
    let thread = recorder.map(|r| player.thread(r, game, table, Seed::new(1), &choice).text());
    let worth = last.as_ref().and_then(|t| t.lines.first());
    Ok(Searched {
        worth: worth.map_or_else(String::new, |line| line.worth.to_string()),
        nodes: last.map_or(0, |t| t.nodes),
        choice,
        thread,
    })
}

fn asking(app: &App, asked: &Asked) -> Result<Asking, Fault> {
    let moves = asked.text("moves").unwrap_or(MOVES).to_owned();
    let (game, table) = table(app, "tictactoe", if moves == "-" { "" } else { &moves })?;
    Ok(Asking {
        game,
        table,
        moves,
        depth: asked.number("depth", 4, 1, 6)?,
    })
}

/// The thread of one of the two.
pub(super) fn follow(app: &App, asked: &Asked, budget: &Budget) -> Result<String, Fault> {
    let at = asking(app, asked)?;
    let by = asked.one_of("by", &["alphabeta", "minimax"])?;
    let by = format!("{by}:depth={}", at.depth);
    let found = search(app, &*at.game, &*at.table, &by, budget, Some(STEPS))?;
    Ok(found.thread.unwrap_or_default())
}

/// Both searches at every depth up to the one asked for.
pub(super) fn run(app: &App, asked: &Asked, budget: &Budget) -> Result<Live, Fault> {
    let at = asking(app, asked)?;
    let mut rows = Vec::new();
    let mut last = None;
    for depth in 1..=at.depth {
        let by = |name: &str| {
            let by = format!("{name}:depth={depth}");
            search(app, &*at.game, &*at.table, &by, budget, None)
        };
        let (all, cut) = (by("minimax")?, by("alphabeta")?);
        for (key, found) in [("lesson-minimax", &all), ("lesson-alphabeta", &cut)] {
            rows.push(Bar {
                name: WORDS.say(key).with("depth", depth).to_string(),
                value: found.nodes as f64,
                shown: found.nodes.to_string(),
                mark: key == "lesson-alphabeta",
            });
        }
        last = Some((all, cut));
    }
    let (all, cut) = last.ok_or_else(Fault::missing)?;
    let depth = at.depth.to_string();
    let src = |by| {
        address(
            "/lessons/alphabeta/thread",
            &[("by", by), ("moves", &at.moves), ("depth", &depth)],
        )
    };
    let same = if all.worth == cut.worth {
        "lesson-same"
    } else {
        "lesson-other"
    };
    let seat = at
        .table
        .turn()
        .seat()
        .map(|s| at.game.seat_name(s).to_string());
    Ok(Live::default()
        .say("depth", at.depth)
        .say("who", seat.unwrap_or_default())
        .say("minimax", all.nodes)
        .say("alphabeta", cut.nodes)
        .say("share", percent(cut.nodes as f64 / all.nodes.max(1) as f64))
        .say("move", &cut.choice)
        .say("worth", &cut.worth)
        .say("same", say(same))
        .part("form", html! {
            (line("moves", "lesson-moves", "lesson-moves-about", &at.moves, 60))
            (slider("depth", "lesson-depth", at.depth, [1, 6, 1]))
        })
        .part("board", html! { div.lesson-board { (board(&wits_game::Scene { targets: Vec::new(), ..at.table.scene(wits_game::Eyes::All) })) } })
        .part("counts", bars(&say("lesson-counts"), [&say("lesson-search"), &say("lesson-positions")], &rows))
        .part("threads", html! { wits-threads at="0.3" { wits-thread src=(src("minimax")) {} wits-thread src=(src("alphabeta")) {} } }))
}
