//! What an endgame solver proves: exact scores beside the guesses of a heuristic.

use maud::html;
use wits_game::{Game, Scene, Seat};
use wits_othello::endgame::{Solved, exact};
use wits_othello::notation::{Replay, board_text};
use wits_othello::{Heuristic, Othello, Position};
use wits_play::Budget;

use super::alphabeta::{search, table_from};
use super::asked::{Asked, address, late, refused};
use super::charts::{Bar, bars};
use super::parts::{Live, choice, slider, thread};
use crate::pages::{board, say};
use crate::{App, Fault, WORDS};

/// Games whose ends are looked at.
const GAMES: [(&str, &str); 2] = [
    (
        "perfect",
        "f5d6c3d3c4f4f6f3e6e7d7c5b6d8c6c7d2b5a5a6a7g5e3b4c8g6g4c2e8d1f7e2g3h4f1e1f2g1b1f8g8b3h3b2h5b7a3a4a1a2c1h2h1g2b8a8g7h8h7h6",
    ),
    (
        "passes",
        "f5d6c4g5d7c7h5d8b8b7b6a7b5a6a5b4b3c6e8f8c8a8e7a4b2a2c2d2d1e2f2c5c3a1a3e6d3f6f7f1g2h2e3f4b1g1c1e1g8g7f3h1h3h4h6",
    ),
];
/// The fewest empty squares that are asked about.
const FEWEST: u32 = 3;
/// Up to so many empty squares the whole tree can be followed.
const FOLLOWED: u32 = 7;
/// Steps that a thread keeps.
const STEPS: usize = 6000;

fn position(asked: &Asked) -> Result<(Position, &'static str, u32), Fault> {
    let game = asked.one_of("game", &GAMES.map(|g| g.0))?;
    let empties = asked.number("empties", 8, FEWEST, 12)?;
    Ok((at(game, empties)?, game, empties))
}

/// The position of a game with so many empty squares.
fn at(game: &str, empties: u32) -> Result<Position, Fault> {
    let moves = GAMES.iter().find(|g| g.0 == game).map_or("", |g| g.1);
    let replay = Replay::read(&Othello::default(), moves).map_err(|_| Fault::missing())?;
    let found = replay
        .positions
        .iter()
        .find(|p| 64 - p.taken().count_ones() == empties && p.moves() != 0);
    found.copied().ok_or_else(|| {
        refused(
            "no-position",
            WORDS.say("lesson-no-position"),
            WORDS.say("lesson-late-hint"),
        )
    })
}

/// Alpha-beta to the end, where that can be followed.
pub(super) fn follow(app: &App, asked: &Asked, budget: &Budget) -> Result<String, Fault> {
    let (position, _, empties) = position(asked)?;
    if empties > FOLLOWED {
        return Err(Fault::missing());
    }
    let (game, table) = table_from(app, "othello", &board_text(8, &position))?;
    let found = search(
        app,
        &*game,
        &*table,
        "alphabeta:depth=16",
        budget,
        Some(STEPS),
    )?;
    Ok(found.thread.unwrap_or_default())
}

/// Scores of all moves, proved and guessed.
pub(super) fn run(_: &App, asked: &Asked, budget: &Budget) -> Result<Live, Fault> {
    let (position, game, empties) = position(asked)?;
    let ids: Vec<&'static str> = ["korman"]
        .into_iter()
        .chain(Heuristic::ALL.map(Heuristic::id))
        .collect();
    let heuristic: Heuristic = asked
        .one_of("heuristic", &ids)?
        .parse()
        .map_err(|_| Fault::missing())?;
    let solved = exact(&position, budget).ok_or_else(late)?;
    let sign = if position.turn == Seat::FIRST {
        1.0
    } else {
        -1.0
    };
    let guess = |square| sign * heuristic.value(&position.played(square));
    let chosen = solved
        .moves
        .iter()
        .max_by(|a, b| guess(a.0).total_cmp(&guess(b.0)))
        .ok_or_else(Fault::missing)?;
    let mut growth = Vec::new();
    for n in FEWEST..=empties {
        let Solved { nodes, .. } = match at(game, n) {
            Ok(position) => exact(&position, budget).ok_or_else(late)?,
            Err(_) => continue,
        };
        growth.push(Bar {
            name: n.to_string(),
            value: libm::log10(nodes as f64 + 1.0),
            shown: nodes.to_string(),
            mark: n == empties,
        });
    }
    let scene = Scene {
        targets: Vec::new(),
        ..Othello::default().scene(&position)
    };
    let text = empties.to_string();
    let src = address(
        "/lessons/endgame/thread",
        &[("game", game), ("empties", &text)],
    );
    let side = say(if position.turn == Seat::FIRST {
        "othello-black"
    } else {
        "othello-white"
    });
    let mut options: Vec<(&str, String)> = Heuristic::ALL
        .iter()
        .map(|h| (h.id(), h.id().to_owned()))
        .collect();
    options.sort();
    Ok(Live::default()
        .say("empties", empties)
        .say("side", side)
        .say("score", format!("{:+}", solved.score))
        .say("best", solved.best.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))
        .say("nodes", solved.nodes)
        .say("moves", solved.moves.len())
        .say("heuristic", heuristic.id())
        .say("chosen", chosen.0)
        .say("cost", solved.score - chosen.1)
        .say("verdict", say(if chosen.1 == solved.score { "lesson-guess-right" } else { "lesson-guess-wrong" }))
        .part("form", html! {
            (slider("empties", "lesson-empties", empties, [i64::from(FEWEST), 12, 1]))
            (choice("game", "lesson-game", game, &[("perfect", say("othello-game-perfect")), ("passes", say("othello-game-passes"))]))
            (choice("heuristic", "lesson-heuristic", heuristic.id(), &options))
        })
        .part("board", html! { div.lesson-board.othello { (board(&scene)) } })
        .part("scores", html! {
            div.doc-wide tabindex="0" role="region" aria-label=(say("lesson-scores")) {
                table.data #scores {
                    caption { (say("lesson-scores")) }
                    thead { tr { @for key in ["lesson-move", "lesson-proved", "lesson-guessed"] { th scope="col" { (say(key)) } } } }
                    tbody {
                        @for (square, score) in &solved.moves {
                            tr.mark[*score == solved.score] {
                                th scope="row" { (square) @if *square == chosen.0 { " " small.muted { "← " (heuristic.id()) } } }
                                td { (format!("{score:+}")) } td { (format!("{:+.3}", guess(*square))) }
                            }
                        }
                    }
                }
            }
        })
        .part("growth", bars(&say("lesson-growth"), [&say("lesson-empties"), &say("lesson-positions")], &growth))
        .part("thread", html! { @if empties <= FOLLOWED { (thread(&src)) } @else { p.muted { (WORDS.say("lesson-thread-empties").with("most", FOLLOWED)) } } }))
}
