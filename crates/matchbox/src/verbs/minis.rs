//! `matchbox minis`: who wins each mini-game on every board.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;
use wits_desk::{Answer, Block, Cell, Cost, Param, Served, Table, Verb};
use wits_game::{Message, Seat};

use super::say;
use crate::WORDS;
use crate::mini::{Kind, Solved, boards};

/// The most cells of a board.
const MOST: i64 = 16;

pub(super) fn verb() -> Verb {
    let games = Kind::ALL.map(Kind::id);
    Verb {
        id: "minis",
        about: say("verb-minis"),
        params: vec![
            Param::choice("game", &games, games[0], &WORDS, "param-only-mini")
                .optional()
                .shown_as("GAME"),
            Param::int("cells", 4, MOST, MOST, &WORDS, "param-most-cells").shown_as("N"),
        ],
        examples: &[
            "wits matchbox minis",
            "wits matchbox minis --game tactix --cells 12",
        ],
        served: Served::Everywhere,
        cost: Cost::QUICK,
        run: |args, _, _| {
            let only = args.text_if("game");
            let kinds = Kind::ALL.into_iter();
            let kinds = kinds.filter(|kind| only.is_none_or(|only| only == kind.id()));
            let boards = kinds.flat_map(|kind| boards(kind, args.int("cells") as u8));
            let solved: Vec<Solved> = boards.map(|game| game.solved()).collect();
            let answer = Answer::yes(json!({ "boards": solved }));
            Ok(answer.with(Block::Table(table(&solved))))
        },
    }
}

/// A row for each board, a column for each game, and for each number in a row of `mnk`.
fn table(solved: &[Solved]) -> Table {
    let place = |kind: &str| Kind::ALL.iter().position(|one| one.id() == kind);
    let column = |one: &Solved| (place(one.game), one.line);
    let columns: BTreeSet<_> = solved.iter().map(column).collect();
    let mut rows: BTreeMap<(u8, u8), BTreeMap<_, Option<Seat>>> = BTreeMap::new();
    for one in solved {
        let row = rows.entry((one.rows, one.cols)).or_default();
        row.insert(column(one), one.winner);
    }
    let head = |(kind, line): &(Option<usize>, Option<u8>)| match line {
        Some(line) => say("mnk-line").with("line", *line),
        None => Message::plain(kind.map_or("", |kind| Kind::ALL[kind].id())),
    };
    let heads = std::iter::once(say("board")).chain(columns.iter().map(head));
    let table = Table::new("minis", say("who-wins-minis"), heads.collect());
    rows.iter()
        .fold(table, |table, (&(height, width), winners)| {
            let size = say("board-size").with("rows", height).with("cols", width);
            let cell = |column| match winners.get(column) {
                None => Cell::Empty,
                Some(None) => Cell::text("="),
                Some(Some(seat)) => Cell::text(seat.to_string()),
            };
            let cells = columns.iter().map(cell);
            table.row(std::iter::once(Cell::Says(size)).chain(cells).collect())
        })
}
