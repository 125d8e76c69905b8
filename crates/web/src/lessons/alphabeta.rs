//! What alpha-beta cuts, and why: the reply that refutes a move is the reply with which it is cut.

use maud::html;
use wits_game::Eyes;
use wits_play::Budget;

use super::asked::{Asked, MOVE, address};
use super::boards::{Seated, Story, live, moves, picker, search, table};
use super::charts::{Bar, bars};
use super::guess::Guess;
use super::parts::{Live, percent, slider, whole};
use crate::pages::say;
use crate::{App, Fault, WORDS};

/// Steps that a thread keeps.
const STEPS: usize = 4000;
/// The position of the question: O must answer in a corner, and most people answer beside it.
const MOVES: &str = "b2 a1 c3";
/// Who plays out what the reader tries: to the end of the game.
const BEST: &str = "alphabeta:depth=9";

/// The position that the reader made, and how far to look.
fn asking(app: &App, asked: &Asked) -> Result<(Seated, u32), Fault> {
    let at = table(app, "tictactoe", moves(asked, MOVES))?;
    Ok((at, asked.number("depth", 6, 1, 6)?))
}

/// The thread of one of the two.
pub(super) fn follow(app: &App, asked: &Asked, budget: &Budget) -> Result<String, Fault> {
    let ((game, table), depth) = asking(app, asked)?;
    let by = asked.one_of("by", &["alphabeta", "minimax"])?;
    let by = format!("{by}:depth={depth}");
    let found = search(app, &*game, &*table, &by, budget, Some(STEPS))?;
    Ok(found.thread.unwrap_or_default())
}

/// What the reader tries in the position of the question, with the reply that refutes it; whether it holds.
fn tried(app: &App, guess: &str, budget: &Budget) -> Result<(Story, bool), Fault> {
    let (game, mut table) = table(app, "tictactoe", MOVES)?;
    let mut story = Story::default();
    story.add(table.scene(Eyes::All), say("lesson-ab-start"));
    let pays = story.answered(app, &*game, &mut *table, guess, BEST, budget)?;
    Ok((story, pays >= 0))
}

/// The question, and both searches at every depth up to the one asked for.
pub(super) fn run(app: &App, asked: &Asked, budget: &Budget) -> Result<Live, Fault> {
    let ((game, table_now), depth) = asking(app, asked)?;
    let (mut rows, mut last) = (Vec::new(), None);
    for ahead in 1..=depth {
        let by = |name: &str| {
            let by = format!("{name}:depth={ahead}");
            search(app, &*game, &*table_now, &by, budget, None)
        };
        let (all, cut) = (by("minimax")?, by("alphabeta")?);
        for (key, found) in [("lesson-minimax", &all), ("lesson-alphabeta", &cut)] {
            rows.push(Bar {
                name: WORDS.say(key).with("depth", ahead).to_string(),
                value: found.nodes as f64,
                shown: whole(found.nodes),
                mark: key == "lesson-alphabeta",
            });
        }
        last = Some((all, cut));
    }
    let (all, cut) = last.ok_or_else(Fault::missing)?;
    let given = asked.text(MOVE);
    let guess = match given {
        None => {
            let (_, table) = table(app, "tictactoe", MOVES)?;
            Guess::about(live(&table.scene(Eyes::All)))
        }
        Some(text) => {
            let (story, holds) = tried(app, text, budget)?;
            Guess::about(story.on_page()).right(Some(holds))
        }
    };
    let heads = ["lesson-search", "lesson-positions"].map(say);
    let counted = |title: &str, rows: &[Bar]| bars(title, [&heads[0], &heads[1]], rows);
    let two = [("lesson-by-minimax", &all), ("lesson-by-alphabeta", &cut)];
    let two = two.map(|(key, found)| Bar {
        name: say(key),
        value: found.nodes as f64,
        shown: whole(found.nodes),
        mark: key == "lesson-by-alphabeta",
    });
    let ahead = WORDS.say("lesson-ahead").with("depth", depth).to_string();
    let guess = guess.showing(counted(&ahead, &two).page);
    let told = moves(asked, MOVES);
    let far = depth.to_string();
    let picked = format!("-{told}");
    let src = |by| {
        let fields = [("by", by), ("moves", &*picked), ("depth", &far)];
        address("/lessons/alphabeta/thread", &fields)
    };
    let same = all.worth == cut.worth;
    let seat = table_now.turn().seat();
    let who = seat.map(|s| game.seat_name(s).to_string());
    Ok(Live::default()
        .ask(guess)
        .say("guess", given.unwrap_or_default())
        .say("depth", depth)
        .say("who", who.unwrap_or_default())
        .say("minimax", all.nodes)
        .say("alphabeta", cut.nodes)
        .say("share", percent(cut.nodes as f64 / all.nodes.max(1) as f64))
        .say("move", &cut.choice)
        .say("worth", &cut.worth)
        .say("same", say(if same { "lesson-same" } else { "lesson-other" }))
        .part("form", html! {
            (picker("lesson-picker", &table_now.scene(Eyes::All), told))
            (slider("depth", "lesson-depth", depth, [1, 6, 1]))
        })
        .part("counts", counted(&say("lesson-counts"), &rows))
        .part("threads", html! { wits-threads at="1" { wits-thread src=(src("minimax")) {} wits-thread src=(src("alphabeta")) {} } }))
}
