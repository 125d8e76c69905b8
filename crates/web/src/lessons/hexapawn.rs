//! Why whoever starts loses at Hexapawn: every first move with its refutation.

use maud::html;
use wits_game::{Eyes, Game, Scene};
use wits_matchbox::hexapawn::{Answer, Board, Hexapawn, Solver, outcome, solve};
use wits_play::Budget;

use super::alphabeta::{search, table};
use super::asked::{Asked, address, late, refused};
use super::parts::{Live, slider, thread};
use crate::pages::{board, say};
use crate::{App, Fault, WORDS};

/// Entries of the solver's table, as a power of two: boards of a lesson are small.
const TABLE: u32 = 16;
/// Positions up to which all games are counted.
const COUNTED: u64 = 200_000;
/// Steps that a thread keeps.
const STEPS: usize = 6000;

fn size(asked: &Asked) -> Result<Hexapawn, Fault> {
    let (rows, cols) = (
        asked.number("rows", 3, 3, 5)?,
        asked.number("cols", 3, 1, 5)?,
    );
    Hexapawn::new(rows, cols).map_err(|bad| {
        let why = WORDS
            .say("lesson-bad-number")
            .with("text", bad.to_string())
            .with("name", "rows");
        refused("bad-size", why, WORDS.say("lesson-late-hint"))
    })
}

/// What a side can do in a position, and whether the other side then wins.
fn moves(
    game: Hexapawn,
    at: &Board,
    solver: &mut Solver,
    budget: &Budget,
) -> Vec<(String, Board, Answer)> {
    let mut all = Vec::new();
    for step in game.options(at) {
        let after = game.after(at, step);
        let answer = if game.winner(&after).is_some() {
            Answer::Loses
        } else {
            solver.ask(&after, budget)
        };
        all.push((game.write_step(step), after, answer));
    }
    all
}

/// The thread of alpha-beta to the end of the game.
pub(super) fn follow(app: &App, asked: &Asked, budget: &Budget) -> Result<String, Fault> {
    let spec = format!(
        "hexapawn:rows={},cols={}",
        asked.number("rows", 3, 3, 3)?,
        asked.number("cols", 3, 1, 3)?
    );
    let first = asked.text("first").unwrap_or_default();
    let (game, table) = table(app, &spec, first)?;
    let found = search(
        app,
        &*game,
        &*table,
        "alphabeta:depth=20",
        budget,
        Some(STEPS),
    )?;
    Ok(found.thread.unwrap_or_default())
}

/// The proof for one board, and who wins on all boards up to it.
pub(super) fn run(app: &App, asked: &Asked, budget: &Budget) -> Result<Live, Fault> {
    let game = size(asked)?;
    let (rows, cols) = (game.rows(), game.cols());
    let solved = solve(rows, cols, budget, COUNTED, &mut |_| {}).map_err(|_| late())?;
    let winner = solved.winner.ok_or_else(late)?;
    let mut solver = Solver::new(game, TABLE);
    let opening = game.opening();
    let mut lines = Vec::new();
    for (first, after, answer) in moves(game, &opening, &mut solver, budget) {
        let reply = if answer == Answer::Wins {
            let replies = moves(game, &after, &mut solver, budget);
            replies
                .into_iter()
                .find(|r| r.2 == Answer::Loses)
                .map(|r| r.0)
        } else {
            None
        };
        lines.push((first, answer, reply));
    }
    let mut sizes = Vec::new();
    for r in 3..=rows {
        let each = (1..=cols).map(|c| outcome(r, c, budget).map_or(Answer::Unknown, |o| o.0));
        sizes.push((r, each.collect::<Vec<_>>()));
    }
    let name = |answer: Answer| {
        say(match answer {
            Answer::Wins => "lesson-first",
            Answer::Loses => "lesson-second",
            Answer::Unknown => "lesson-unknown",
        })
    };
    let spec = format!("hexapawn:rows={rows},cols={cols}");
    let (_, start) = table(app, &spec, "")?;
    let scene = Scene {
        targets: Vec::new(),
        ..start.scene(Eyes::All)
    };
    let small = rows == 3 && cols <= 3;
    let (r, c) = (rows.to_string(), cols.to_string());
    let first = lines.first().map_or("", |l| l.0.as_str());
    let src = address(
        "/lessons/hexapawn/thread",
        &[("rows", &r), ("cols", &c), ("first", first)],
    );
    let games = solved
        .games
        .clone()
        .unwrap_or_else(|| say("lesson-uncounted"));
    Ok(Live::default()
        .say("rows", rows)
        .say("cols", cols)
        .say("winner", say(if winner == "first" { "lesson-first" } else { "lesson-second" }))
        .say("nodes", solved.nodes)
        .say("games", games)
        .say("length", solved.distance.map_or_else(|| say("lesson-uncounted"), |d| d.to_string()))
        .part("form", html! {
            (slider("rows", "lesson-rows", rows, [3, 5, 1]))
            (slider("cols", "lesson-cols", cols, [1, 5, 1]))
        })
        .part("board", html! { div.lesson-board { (board(&scene)) } })
        .part("refutations", html! {
            table.data #refutations {
                caption { (say("lesson-refutations")) }
                thead { tr { @for key in ["lesson-first-move", "lesson-then-wins", "lesson-reply"] { th scope="col" { (say(key)) } } } }
                tbody {
                    @for (first, answer, reply) in &lines {
                        tr {
                            th scope="row" { (first) }
                            // The answer is about the side that moves next: the second one.
                            td { (name(match answer { Answer::Wins => Answer::Loses, Answer::Loses => Answer::Wins, Answer::Unknown => Answer::Unknown })) }
                            td { (reply.as_deref().unwrap_or("–")) }
                        }
                    }
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
        .part("thread", html! { @if small { (thread(&src)) } @else { p.muted { (say("lesson-thread-small")) } } }))
}
