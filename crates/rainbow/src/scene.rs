//! What a position looks like: the numbers as a strip, the colours as digits.

use std::collections::BTreeSet;

use wits_game::{Cell, Layout, Light, Scene, Shape, Target, Tint, Token};

use crate::WORDS;
use crate::board::Board;
use crate::choose::members;
use crate::series::Series;

/// A longer board shows only what matters: painted numbers, the best series, both ends.
pub const MOST_CELLS: u32 = 2_000;

/// A page with more targets than this offers only colours in use and one fresh colour.
const MOST_TARGETS: u64 = 4_000;

/// The series to look at: the rainbow, else one live series with the fewest numbers missing.
/// Nothing on an empty board, where all are alike.
pub fn best_series(board: &Board) -> Option<Series> {
    if board.rainbow().is_some() {
        return board.rainbow();
    }
    let least = board
        .least_missing()
        .filter(|&missing| missing < board.terms().k())?;
    members(board, least, 1).into_iter().next()
}

/// The picture of a position.
pub(crate) fn scene(board: &Board) -> Scene {
    let terms = board.terms();
    let best = best_series(board);
    let shown = shown(board, best);
    let light = if board.rainbow().is_some() {
        Light::Win
    } else {
        Light::Look
    };
    let cell = |number: u32| {
        let token = board.colour(number).map(|colour| {
            let label = WORDS.say("colour-label").with("colour", colour).to_string();
            Token::new(Shape::Tile, colour.to_string(), label, colour)
        });
        let idle = token.is_none() && board.weights()[number as usize - 1] == 0;
        Cell {
            name: number.to_string(),
            token,
            tint: if idle { Tint::Dead } else { Tint::Plain },
            light: best
                .filter(|series| series.holds(terms.k(), number))
                .map(|_| light),
            note: String::new(),
        }
    };
    let mut cells = Vec::with_capacity(shown.len());
    let mut targets = Vec::new();
    let colours = offered(board, shown.len() as u64);
    let mut before = 0;
    for number in shown {
        if number > before + 1 {
            cells.push(Cell {
                name: "…".to_owned(),
                tint: Tint::Gap,
                ..Cell::default()
            });
        }
        before = number;
        if board.winner().is_none() && board.colour(number).is_none() {
            targets.extend(colours.iter().map(|colour| {
                Target {
                    path: vec![cells.len()],
                    text: format!("{number}={colour}"),
                    label: WORDS
                        .say("colour-label")
                        .with("colour", *colour)
                        .to_string(),
                }
            }));
        }
        cells.push(cell(number));
    }
    Scene {
        layout: Layout::Strip,
        cells,
        targets,
        trays: Vec::new(),
        caption: caption(board),
    }
}

/// The numbers to show, in order.
fn shown(board: &Board, best: Option<Series>) -> Vec<u32> {
    let (n, k) = (board.terms().n(), board.terms().k());
    if n <= MOST_CELLS {
        return (1..=n).collect();
    }
    let mut shown: BTreeSet<u32> = best
        .into_iter()
        .flat_map(|series| series.numbers(k))
        .collect();
    shown.extend(1..=20);
    shown.extend(n - 19..=n);
    let painted: Vec<u32> = board.painted().map(|p| p.number).collect();
    let room = (MOST_CELLS as usize).saturating_sub(shown.len()) / 3;
    for &number in painted.iter().rev().take(room) {
        shown.extend(number - 1..=(number + 1).min(n));
    }
    shown.retain(|&number| number >= 1);
    shown.into_iter().collect()
}

/// The colours that clicks offer.
fn offered(board: &Board, cells: u64) -> Vec<u16> {
    if cells * u64::from(board.terms().c()) <= MOST_TARGETS {
        return board.palette().collect();
    }
    let fresh = board.palette().find(|&colour| board.used(colour) == 0);
    let most = (MOST_TARGETS / cells.max(1)).max(1) as usize;
    let mut used: Vec<u16> = board
        .palette()
        .filter(|&colour| board.used(colour) > 0)
        .collect();
    used.sort_by_key(|&colour| std::cmp::Reverse(board.spread(colour)));
    used.truncate(most.saturating_sub(1));
    fresh.into_iter().chain(used).collect()
}

fn caption(board: &Board) -> String {
    let least = board.least_missing();
    let key = match (board.rainbow(), least) {
        (Some(_), _) => "caption-rainbow",
        (None, None) => "caption-spoiled",
        (None, Some(_)) => "caption-live",
    };
    WORDS
        .say(key)
        .with("live", board.live_total())
        .with("missing", least.unwrap_or(0))
        .with("k", board.terms().k())
        .to_string()
}
