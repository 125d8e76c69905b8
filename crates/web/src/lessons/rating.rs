//! What a rating can and cannot say: dice that beat each other in a circle, and groups that never met.

use maud::html;
use wits_arena::stats::{Anchor, Points, expected, rate};
use wits_game::{Cell, Layout, Scene, Shape, Token};
use wits_play::Budget;

use super::asked::{Asked, MOVE};
use super::boards::{Story, still};
use super::guess::Guess;
use super::parts::{Live, choice, decimal, percent, signed, slider};
use crate::pages::say;
use crate::{App, Fault, WORDS};

/// Bradley Efron's dice. A higher throw wins; no two dice throw the same number.
const DICE: [[u8; 6]; 4] = [
    [4, 4, 4, 4, 0, 0],
    [3, 3, 3, 3, 3, 3],
    [6, 6, 2, 2, 2, 2],
    [5, 5, 5, 1, 1, 1],
];
const NAMES: [&str; 4] = ["A", "B", "C", "D"];
/// Games of each match in the tournament, a multiple of 36 so that the shares are exact.
const GAMES: f64 = 360.0;
/// What the reader may say of A against D, and the share that it means.
const GUESSES: [(&str, f64); 4] = [
    ("most", 0.85),
    ("more", 2.0 / 3.0),
    ("half", 0.5),
    ("less", 1.0 / 3.0),
];

/// How often one die beats another.
fn share(a: usize, b: usize) -> f64 {
    let wins = DICE[a]
        .iter()
        .flat_map(|x| DICE[b].iter().map(move |y| x > y));
    wins.filter(|won| *won).count() as f64 / 36.0
}

/// Ratings after matches between neighbours: A with B, B with C, C with D.
fn ratings() -> Vec<f64> {
    let mut points = Points::new(DICE.len());
    for a in 0..DICE.len() - 1 {
        played(&mut points, a, a + 1, GAMES, share(a, a + 1));
    }
    let rated = rate(&points, Anchor::Mean(0.0));
    rated.players.iter().map(|p| p.elo).collect()
}

/// Adds a match.
fn played(points: &mut Points, a: usize, b: usize, games: f64, share: f64) {
    for game in 0..games as u32 {
        points.add(
            a,
            b,
            if f64::from(game) < (games * share).round() {
                1.0
            } else {
                0.0
            },
        );
    }
}

fn tile(glyph: &str, colour: u16) -> Token {
    Token::new(Shape::Tile, glyph, glyph, colour)
}

/// A die unfolded: its six faces.
fn faces(die: usize) -> Scene {
    let cell = |(i, face): (usize, &u8)| Cell {
        name: (i + 1).to_string(),
        token: Some(tile(&face.to_string(), die as u16 + 1)),
        ..Cell::default()
    };
    Scene {
        layout: Layout::Board {
            columns: vec![String::new(); 6],
            rows: vec![String::new()],
        },
        cells: DICE[die].iter().enumerate().map(cell).collect(),
        ..Scene::default()
    }
}

/// All 36 throws of two dice: who wins each.
fn throws(a: usize, b: usize) -> Scene {
    let cells = DICE[a].iter().flat_map(|x| {
        DICE[b].iter().map(move |y| {
            let winner = if x > y { a } else { b };
            let tie = x == y;
            Cell {
                name: format!("{x} : {y}"),
                token: Some(if tie {
                    tile("=", 0)
                } else {
                    tile(NAMES[winner], winner as u16 + 1)
                }),
                ..Cell::default()
            }
        })
    });
    let names = |die: usize| DICE[die].iter().map(ToString::to_string).collect();
    Scene {
        layout: Layout::Board {
            columns: names(b),
            rows: names(a),
        },
        cells: cells.collect(),
        ..Scene::default()
    }
}

/// The question about the circle, all throws of two dice, and two groups with few games between them.
pub(super) fn run(_: &App, asked: &Asked, _: &Budget) -> Result<Live, Fault> {
    let first = asked.one_of("first", &NAMES)?;
    let second = asked.one_of("second", &["B", "A", "C", "D"])?;
    let links: u32 = asked.number("links", 0, 0, 40)?;
    let index = |name: &str| NAMES.iter().position(|n| *n == name).unwrap_or(0);
    let (a, b) = (index(first), index(second));
    let elo = ratings();
    let (promised, real) = (expected(elo[0] - elo[3]), share(0, 3));
    let given = asked.text(MOVE);
    let said = GUESSES.iter().find(|(name, _)| Some(*name) == given);
    let guess = match said {
        None => Guess::about(html! {
            div.lesson-dice {
                @for (die, name) in NAMES.iter().enumerate() {
                    figure { figcaption { b { (name) } " " span.muted { (signed(elo[die].round() as i32)) " Elo" } } (still(&faces(die))) }
                }
            }
        }),
        Some((_, means)) => {
            let mut story = Story::default();
            let says = WORDS.say("lesson-all-throws").with("share", percent(real));
            story.add(throws(0, 3), says);
            Guess::about(story.on_page()).right(Some((means - real).abs() < 0.05))
        }
    };
    // Two groups: in each the first is better; the linking games are won by the weaker of the second.
    let mut points = Points::new(4);
    played(&mut points, 0, 1, 40.0, 0.75);
    played(&mut points, 2, 3, 40.0, 0.75);
    played(&mut points, 3, 0, f64::from(links), 0.9);
    let rated = rate(&points, Anchor::Mean(0.0));
    let row = |i: usize| {
        let p = rated.players[i];
        let range = format!(
            "{} … {}",
            decimal(p.interval.0, 0),
            decimal(p.interval.1, 0)
        );
        (["P", "Q", "R", "S"][i], decimal(p.elo, 0), range)
    };
    let linked = if rated.bounded {
        "lesson-not-linked"
    } else {
        "lesson-linked"
    };
    Ok(Live::default()
        .ask(guess.keys(&GUESSES.map(|g| g.0)))
        .say("step", percent(share(0, 1)))
        .say("gap", decimal(elo[0] - elo[3], 0))
        .say("promised", percent(promised))
        .say("real", percent(real))
        .say("one", first)
        .say("other", second)
        .say("pairshare", percent(share(a, b)))
        .say("links", links)
        .say("linked", say(linked))
        .part("form", html! {
            (choice("first", "lesson-one-die", first, &NAMES.map(|n| (n, n.to_owned()))))
            (choice("second", "lesson-other-die", second, &NAMES.map(|n| (n, n.to_owned()))))
            (slider("links", "lesson-links", links, [0, 40, 2]))
        })
        .part("throws", html! { div.lesson-small { (still(&throws(a, b))) } })
        .part("groups", html! {
            table.data #groups {
                caption { (say("lesson-groups")) }
                thead { tr { th scope="col" { (say("lesson-player")) } th scope="col" { "Elo" } th scope="col" { (say("lesson-interval")) } } }
                tbody {
                    @for (name, elo, range) in (0..4).map(row) { tr { th scope="row" { (name) } td { (elo) } td { (range) } } }
                }
            }
        }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each die beats the next with two throws of three, and the last one the first: Efron's dice.
    #[test]
    fn the_dice_go_round_in_a_circle() {
        for (a, name) in NAMES.iter().enumerate() {
            let wins = share(a, (a + 1) % 4);
            assert!((wins - 2.0 / 3.0).abs() < 1e-12, "{name}: {wins}");
        }
        let elo = ratings();
        assert!(expected(elo[0] - elo[3]) > 0.85, "{elo:?}");
        // One game in three is what the rating gets wrong: two thirds to one against each of three steps.
        assert!(
            (expected(elo[0] - elo[1]) - 2.0 / 3.0).abs() < 1e-6,
            "{elo:?}"
        );
        assert!(DICE.iter().flatten().all(|f| *f < 7));
    }
}
