//! Why whoever starts loses at Hexapawn: every first move has a refutation, and the reader looks for one.

use maud::html;
use wits_game::Eyes;
use wits_matchbox::hexapawn::{Answer, Hexapawn, outcome, solve};
use wits_play::Budget;

use super::asked::{Asked, MOVE, address, late, refused};
use super::boards::{Story, live, search, table};
use super::guess::Guess;
use super::parts::{Live, slider, thread};
use crate::pages::say;
use crate::{App, Fault, WORDS};

/// Positions up to which all games are counted.
const COUNTED: u64 = 200_000;
/// Steps that a thread keeps.
const STEPS: usize = 6000;
/// The board of the question, White's first move there, and who plays it out.
const BOARD: &str = "hexapawn:rows=3,cols=3";
const FIRST: &str = "b1-b2";
const BEST: &str = "alphabeta:depth=20";

fn size(asked: &Asked) -> Result<Hexapawn, Fault> {
    let (rows, cols) = (
        asked.number("rows", 3, 3, 5)?,
        asked.number("cols", 3, 1, 5)?,
    );
    Hexapawn::new(rows, cols).map_err(|bad| {
        let why = WORDS.say("lesson-failed").with("what", bad.to_string());
        refused("bad-size", why, WORDS.say("lesson-late-hint"))
    })
}

/// The thread of alpha-beta to the end of the game.
pub(super) fn follow(app: &App, _: &Asked, budget: &Budget) -> Result<String, Fault> {
    let (game, table) = table(app, BOARD, FIRST)?;
    let found = search(app, &*game, &*table, BEST, budget, Some(STEPS))?;
    Ok(found.thread.unwrap_or_default())
}

/// Black's answer to White's first move, played out; whether it wins.
fn answered(app: &App, guess: &str, budget: &Budget) -> Result<(Story, bool), Fault> {
    let (game, mut table) = table(app, BOARD, "")?;
    let mut story = Story::default();
    let plays = WORDS.say("lesson-plays").with("who", say("lesson-white"));
    story.play(&mut *table, FIRST, plays.with("move", FIRST))?;
    let pays = story.answered(app, &*game, &mut *table, guess, BEST, budget)?;
    Ok((story, pays > 0))
}

/// The question, every refutation, and who wins on boards of all sizes.
pub(super) fn run(app: &App, asked: &Asked, budget: &Budget) -> Result<Live, Fault> {
    let game = size(asked)?;
    let (rows, cols) = (game.rows(), game.cols());
    let small = solve(3, 3, budget, COUNTED, &mut |_| {}).map_err(|_| late())?;
    let (_, opening) = table(app, BOARD, "")?;
    let mut refuted = Vec::new();
    for first in opening.options() {
        let (hexapawn, mut table) = table(app, BOARD, &first)?;
        let found = search(app, &*hexapawn, &*table, BEST, budget, None)?;
        let mut story = Story::default();
        story.play(&mut *table, &found.choice, "")?;
        refuted.push((first, found.choice, story));
    }
    let given = asked.text(MOVE);
    let guess = match given {
        None => {
            let (_, table) = table(app, BOARD, FIRST)?;
            Guess::about(live(&table.scene(Eyes::All)))
        }
        Some(text) => {
            let (story, wins) = answered(app, text, budget)?;
            Guess::about(story.on_page()).right(Some(wins))
        }
    };
    let mut sizes = Vec::new();
    for r in 3..=rows {
        let each = (1..=cols).map(|c| outcome(r, c, budget).map_or(Answer::Unknown, |o| o.0));
        sizes.push((r, each.collect::<Vec<_>>()));
    }
    let name = |answer: Answer| match answer {
        Answer::Wins => say("lesson-first"),
        Answer::Loses => say("lesson-second"),
        Answer::Unknown => say("lesson-unknown"),
    };
    let corner = sizes.last().and_then(|(_, each)| each.last()).copied();
    let big = outcome(rows, cols, budget).map_err(|_| late())?;
    Ok(Live::default()
        .ask(guess)
        .say("guess", given.unwrap_or_default())
        .say("first", FIRST)
        .say("nodes", small.nodes)
        .say("games", small.games.unwrap_or_else(|| say("lesson-uncounted")))
        .say("length", small.distance.map_or_else(|| say("lesson-uncounted"), |d| d.to_string()))
        .say("rows", rows)
        .say("cols", cols)
        .say("winner", name(corner.unwrap_or(Answer::Unknown)))
        .say("bignodes", big.1)
        .part("form", html! {
            (slider("rows", "lesson-rows", rows, [3, 5, 1]))
            (slider("cols", "lesson-cols", cols, [1, 5, 1]))
        })
        .part("refutations", html! {
            div.lesson-row #refutations {
                @for (first, reply, story) in &refuted {
                    figure { (story.last()) figcaption { (first) " → " b { (reply) } } }
                }
            }
        })
        .part("sizes", html! {
            div.doc-wide tabindex="0" role="region" aria-label=(say("lesson-sizes")) {
                table.data #sizes {
                    caption { (say("lesson-sizes")) }
                    thead { tr { th scope="col" { (say("lesson-rows")) } @for c in 1..=cols { th scope="col" { (c) } } } }
                    tbody { @for (r, each) in &sizes { tr { th scope="row" { (r) } @for answer in each { td { (name(*answer)) } } } } }
                }
            }
        })
        .part("thread", thread(&address("/lessons/hexapawn/thread", &[]))))
}
