//! What an endgame solver proves: the move that looks best, the reply to it, and the exact scores.

use maud::html;
use serde_json::{Map, Value, json};
use wits_game::{Game, Light, Scene, Seat};
use wits_othello::endgame::{Solved, exact};
use wits_othello::notation::{Replay, board_text};
use wits_othello::{Heuristic, Othello, Position, Square};
use wits_play::Budget;

use super::asked::{Asked, MOVE, address, late, refused};
use super::boards::{Story, live, search, table_from};
use super::charts::{Bar, bars};
use super::guess::Guess;
use super::parts::{Live, choice, signed, slider, thread, whole};
use crate::pages::say;
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
    let empties = asked.number("empties", 7, FEWEST, 12)?;
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

/// The picture of a position with the disc that was played last.
fn scene(position: &Position, last: Option<Square>) -> Scene {
    let mut scene = Othello::default().scene(position);
    if let Some(at) = last.and_then(|square| scene.cell(&square.to_string())) {
        scene.cells[at].light = Some(Light::Last);
    }
    scene
}

/// What a side is called.
fn side(seat: Seat) -> String {
    say(if seat == Seat::FIRST {
        "othello-black"
    } else {
        "othello-white"
    })
}

/// The reader's move, best play on both sides to the end, and then what every move was worth.
fn played_out(
    position: &Position,
    first: Square,
    solved: &Solved,
    budget: &Budget,
) -> Result<Story, Fault> {
    let mut story = Story::default();
    let to_move = WORDS.say("lesson-to-move").with("who", side(position.turn));
    story.add(scene(position, None), to_move);
    let (mut at, mut square) = (*position, first);
    loop {
        let key = match (at == *position, at.turn == position.turn) {
            (true, _) => "lesson-you-play",
            (_, true) => "lesson-goes-on",
            (_, false) => "lesson-answers",
        };
        let says = WORDS.say(key).with("who", side(at.turn));
        at = at.played(square);
        story.add(
            scene(&at, Some(square)),
            says.with("move", square.to_string()),
        );
        if at.moves() == 0 {
            at = at.passed();
        }
        if at.moves() == 0 {
            break;
        }
        let next = exact(&at, budget).ok_or_else(late)?;
        square = *next.best.first().ok_or_else(Fault::missing)?;
    }
    let worth = |(square, score): &(Square, i32)| {
        let kind = if *score == solved.score {
            "best"
        } else {
            "exact"
        };
        let text = signed(*score);
        (
            square.to_string(),
            json!({ "text": text, "label": text, "kind": kind }),
        )
    };
    let remarks: Map<String, Value> = solved.moves.iter().map(worth).collect();
    story.note(
        scene(position, None),
        &say("lesson-every-move"),
        remarks.into(),
    );
    Ok(story)
}

/// The question, and the scores of all moves, proved and guessed.
pub(super) fn run(_: &App, asked: &Asked, budget: &Budget) -> Result<Live, Fault> {
    let (position, game, empties) = position(asked)?;
    let ids = Heuristic::ALL.map(Heuristic::id);
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
    let looks = |square| sign * heuristic.value(&position.played(square));
    let chosen = solved
        .moves
        .iter()
        .max_by(|a, b| looks(a.0).total_cmp(&looks(b.0)))
        .ok_or_else(Fault::missing)?;
    let given = asked.text(MOVE);
    let said = given.and_then(|g| solved.moves.iter().find(|m| m.0.to_string() == g));
    let guess = match said {
        None => Guess::about(live(&scene(&position, None))),
        Some((square, score)) => {
            let story = played_out(&position, *square, &solved, budget)?;
            Guess::about(story.on_page()).right(Some(*score == solved.score))
        }
    };
    let mut growth = Vec::new();
    for n in FEWEST..=empties {
        let Solved { nodes, .. } = match at(game, n) {
            Ok(position) => exact(&position, budget).ok_or_else(late)?,
            Err(_) => continue,
        };
        growth.push(Bar {
            name: n.to_string(),
            value: libm::log10(nodes as f64 + 1.0),
            shown: whole(nodes),
            mark: n == empties,
        });
    }
    let text = empties.to_string();
    let src = address(
        "/lessons/endgame/thread",
        &[("game", game), ("empties", &text)],
    );
    let mut options: Vec<(&str, String)> = ids.map(|id| (id, id.to_owned())).to_vec();
    options.sort();
    let verdict = if chosen.1 == solved.score {
        "lesson-guess-right"
    } else {
        "lesson-guess-wrong"
    };
    let best: Vec<String> = solved.best.iter().map(ToString::to_string).collect();
    Ok(Live::default()
        .ask(guess)
        .say("guess", given.unwrap_or_default())
        .say("guessed", said.map_or_else(String::new, |m| signed(m.1)))
        .say("empties", empties)
        .say("side", side(position.turn))
        .say("score", signed(solved.score))
        .say("best", best.join(", "))
        .say("nodes", solved.nodes)
        .say("moves", solved.moves.len())
        .say("heuristic", heuristic.id())
        .say("chosen", chosen.0)
        .say("chosenscore", signed(chosen.1))
        .say("cost", solved.score - chosen.1)
        .say("verdict", say(verdict))
        .part("form", html! {
            (slider("empties", "lesson-empties", empties, [i64::from(FEWEST), 12, 1]))
            (choice("game", "lesson-game", game, &[("perfect", say("othello-game-perfect")), ("passes", say("othello-game-passes"))]))
            (choice("heuristic", "lesson-heuristic", heuristic.id(), &options))
        })
        .part("scores", html! {
            div.doc-wide tabindex="0" role="region" aria-label=(say("lesson-scores")) {
                table.data #scores {
                    caption { (say("lesson-scores")) }
                    thead { tr { @for key in ["lesson-move", "lesson-proved", "lesson-guessed"] { th scope="col" { (say(key)) } } } }
                    tbody {
                        @for (square, score) in &solved.moves {
                            tr.mark[*score == solved.score] {
                                th scope="row" { (square) @if *square == chosen.0 { " " small.muted { "← " (heuristic.id()) } } }
                                td { (signed(*score)) } td { (format!("{:+.3}", looks(*square))) }
                            }
                        }
                    }
                }
            }
        })
        .part("growth", bars(&say("lesson-growth"), [&say("lesson-empties"), &say("lesson-positions")], &growth))
        .part("thread", html! { @if empties <= FOLLOWED { (thread(&src)) } @else { p.muted { (WORDS.say("lesson-thread-empties").with("most", FOLLOWED)) } } }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lesson opens where counting discs goes wrong, and so does taking the corner.
    #[test]
    fn the_move_that_looks_best_is_not() {
        let (position, ..) = position(&Asked::default()).unwrap();
        let solved = exact(&position, &Budget::endless()).unwrap();
        let of = |name: &str| {
            solved
                .moves
                .iter()
                .find(|m| m.0.to_string() == name)
                .unwrap()
                .1
        };
        let most = (solved.moves.iter()).max_by_key(|(s, _)| {
            let after = position.played(*s);
            [after.black, after.white][position.turn.index()].count_ones()
        });
        assert!(most.unwrap().1 < solved.score - 8, "{solved:?}");
        assert!(of("a8") < solved.score - 8, "{solved:?}");
        assert_eq!(solved.best.len(), 1, "{solved:?}");
    }
}
