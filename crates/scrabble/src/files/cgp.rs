//! Positions in one line, as crossword programs write them (CGP): fifteen rows from the top with a number for empty
//! squares and small letters for blanks, the racks with the player to move first, the scores, the number of
//! scoreless turns, and options such as `lex NAME;`.

use std::fmt::Write as _;

use crate::TileSet;
use crate::board::{Board, SIDE, in_hand};
use crate::play::tile;
use crate::settings::RACK;
use crate::table::{HIDDEN, Phase, Table};

/// A position as the file has it. Racks and scores begin with the player to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    /// The board.
    pub board: Board,
    /// The racks, a blank being zero; empty where it is not known.
    pub racks: Vec<Vec<u8>>,
    /// The scores.
    pub scores: Vec<i32>,
    /// How many scoreless turns there were in a row.
    pub quiet: u8,
    /// The lexicon that the position names.
    pub lexicon: Option<String>,
}

/// Why a position cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("column {column}: {why}")]
pub struct BadCgp {
    /// Where, counted in characters from 1.
    pub column: usize,
    /// What is wrong, and what to do.
    pub why: String,
}

fn bad(column: usize, why: impl Into<String>) -> BadCgp {
    BadCgp {
        column,
        why: why.into(),
    }
}

impl Position {
    /// The position on a table, the seat to move first.
    pub fn of(table: &Table) -> Position {
        let seats = table.racks.len().max(1);
        let turned = |i: usize| (usize::from(table.turn) + i) % seats;
        Position {
            board: table.board,
            racks: (0..seats)
                .map(|i| {
                    let rack = table.racks.get(turned(i)).cloned().unwrap_or_default();
                    rack.into_iter().filter(|&t| t != HIDDEN).collect()
                })
                .collect(),
            scores: (0..seats)
                .map(|i| table.scores.get(turned(i)).copied().unwrap_or(0))
                .collect(),
            quiet: table.quiet,
            lexicon: None,
        }
    }

    /// A table with this position for so many seats, the bag still to be shaken. The first seat moves.
    pub fn table(&self, seats: u8) -> Table {
        let seats = usize::from(seats);
        let mut table = Table::new(seats as u8);
        table.board = self.board;
        for (seat, rack) in self.racks.iter().take(seats).enumerate() {
            table.racks[seat].clone_from(rack);
        }
        for (seat, &score) in self.scores.iter().take(seats).enumerate() {
            table.scores[seat] = score;
        }
        table.quiet = self.quiet;
        table.phase = Phase::Shake;
        table
    }
}

/// Reads a position. What is left out is empty: racks, scores, scoreless turns.
pub fn read(text: &str, tiles: &TileSet) -> Result<Position, BadCgp> {
    let mut fields = Fields { text, at: 0 };
    let (column, rows) = fields.next().ok_or_else(|| {
        bad(
            1,
            "the position is empty; write fifteen rows with `/` between them",
        )
    })?;
    let board = read_board(rows, column, tiles)?;
    let mut position = Position {
        board,
        racks: vec![Vec::new(); 2],
        scores: vec![0; 2],
        quiet: 0,
        lexicon: None,
    };
    if let Some((column, racks)) = fields.next() {
        position.racks = split(racks, column)
            .map(|(column, part)| {
                let held = tiles
                    .read_rack(part)
                    .map_err(|e| bad(column, e.to_string()))?;
                if held.len() > RACK {
                    let why = format!(
                        "the rack `{part}` has {} tiles; a rack holds {RACK}",
                        held.len()
                    );
                    return Err(bad(column, why));
                }
                let mut rack: Vec<u8> = held.iter().map(|t| t.byte()).collect();
                rack.sort_unstable();
                Ok(rack)
            })
            .collect::<Result<_, _>>()?;
        if position.racks.len() > 4 {
            return Err(bad(column, "more than four racks; a table has one to four"));
        }
    }
    if let Some((column, scores)) = fields.next() {
        position.scores = split(scores, column)
            .map(|(column, part)| {
                part.parse()
                    .map_err(|_| bad(column, format!("`{part}` is not a score; write `12/34`")))
            })
            .collect::<Result<_, _>>()?;
    }
    if let Some((column, quiet)) = fields.next() {
        position.quiet = quiet.parse().map_err(|_| {
            bad(
                column,
                format!("`{quiet}` is not a number of scoreless turns"),
            )
        })?;
    }
    let options = text.get(fields.at..).unwrap_or("");
    for option in options.split(';').map(str::trim).filter(|o| !o.is_empty()) {
        if let Some(name) = option.strip_prefix("lex ") {
            position.lexicon = Some(name.trim().to_owned());
        }
    }
    check_tiles(&position, tiles)?;
    Ok(position)
}

/// No position has more of a tile than there are.
fn check_tiles(position: &Position, tiles: &TileSet) -> Result<(), BadCgp> {
    let mut used = [0_u8; 64];
    let laid = position
        .board
        .squares()
        .iter()
        .filter(|&&b| b != 0)
        .map(|&b| in_hand(b));
    for kind in laid.chain(position.racks.iter().flatten().copied()) {
        let slot = &mut used[usize::from(kind) & 63];
        *slot = slot.saturating_add(1);
        let most = tiles.count(tile(kind));
        if *slot > most {
            let name = tiles.write_tile(tile(kind)).to_owned();
            let why = format!(
                "more than {most} tiles `{name}`, but the set `{}` has no more",
                tiles.name()
            );
            return Err(bad(1, why));
        }
    }
    Ok(())
}

fn read_board(rows: &str, column: usize, tiles: &TileSet) -> Result<Board, BadCgp> {
    let mut board = Board::default();
    let all: Vec<(usize, &str)> = split(rows, column).collect();
    if all.len() != SIDE {
        let why = format!(
            "the board has {} rows; write fifteen with `/` between them",
            all.len()
        );
        return Err(bad(column, why));
    }
    for (row, (column, text)) in all.into_iter().enumerate() {
        let mut filled = 0;
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let here = column + text[..text.len() - rest.len()].chars().count();
            if first.is_ascii_digit() {
                let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
                filled += digits.parse::<usize>().unwrap_or(SIDE + 1);
                rest = &rest[digits.len()..];
            } else {
                let end = rest
                    .find(|c: char| c.is_ascii_digit())
                    .unwrap_or(rest.len());
                let placed = tiles
                    .read_placed(&rest[..end])
                    .map_err(|e| bad(here + e.place - 1, e.to_string()))?;
                for tile in placed {
                    if let (Some(tile), true) = (tile, filled < SIDE) {
                        board.put(row * SIDE + filled, tile.byte());
                    }
                    filled += 1;
                }
                rest = &rest[end..];
            }
        }
        if filled != SIDE {
            let why = format!("row {} has {filled} squares, not fifteen", row + 1);
            return Err(bad(column, why));
        }
    }
    Ok(board)
}

/// The parts between slashes, with the column of each.
fn split(text: &str, column: usize) -> impl Iterator<Item = (usize, &str)> {
    let mut at = column;
    text.split('/').map(move |part| {
        let here = at;
        at += part.chars().count() + 1;
        (here, part)
    })
}

/// The fields between spaces, with the column of each.
struct Fields<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Iterator for Fields<'a> {
    type Item = (usize, &'a str);

    fn next(&mut self) -> Option<(usize, &'a str)> {
        let rest = &self.text[self.at..];
        let skipped = rest.len() - rest.trim_start().len();
        let start = self.at + skipped;
        let rest = &self.text[start..];
        if rest.is_empty() {
            return None;
        }
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        self.at = start + end;
        let column = self.text[..start].chars().count() + 1;
        Some((column, &rest[..end]))
    }
}

/// Writes a position.
pub fn write(position: &Position, tiles: &TileSet) -> String {
    let row = |row: usize| -> String {
        let mut text = String::new();
        let mut empty = 0;
        let mut run = Vec::new();
        for column in 0..SIDE {
            let byte = position.board.tile(row * SIDE + column);
            if byte == 0 {
                text.push_str(&tiles.write_placed(&std::mem::take(&mut run)));
                empty += 1;
            } else {
                if empty > 0 {
                    text.push_str(&empty.to_string());
                    empty = 0;
                }
                run.push(Some(tile(byte)));
            }
        }
        text.push_str(&tiles.write_placed(&run));
        if empty > 0 {
            text.push_str(&empty.to_string());
        }
        text
    };
    let rows: Vec<String> = (0..SIDE).map(row).collect();
    let racks: Vec<String> = position
        .racks
        .iter()
        .map(|rack| {
            let held: Vec<_> = rack.iter().map(|&b| tile(b)).collect();
            tiles.write_rack(&held)
        })
        .collect();
    let scores: Vec<String> = position.scores.iter().map(ToString::to_string).collect();
    // One rack and nothing in it would be no field at all.
    let racks = match racks.join("/") {
        text if text.is_empty() => "/".to_owned(),
        text => text,
    };
    let mut text = format!(
        "{} {racks} {} {}",
        rows.join("/"),
        scores.join("/"),
        position.quiet
    );
    if let Some(name) = &position.lexicon {
        let _ = write!(text, " lex {name};");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_written_and_read() {
        let tiles = TileSet::english();
        let text =
            "15/15/15/15/15/15/15/4EXaMPLE4/15/15/15/15/15/15/15 ?AEINRS/QZ 22/0 0 lex enable;";
        let position = read(text, &tiles).unwrap();
        assert_eq!(position.racks[0].len(), 7);
        assert_eq!(position.lexicon.as_deref(), Some("enable"));
        assert_eq!(write(&position, &tiles), text);
        let short = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15";
        assert!(read(short, &tiles).unwrap().board.is_empty());
    }

    #[test]
    fn what_is_wrong_is_named_with_its_column() {
        let tiles = TileSet::english();
        let rest = "/15/15/15/15/15/15/15/15/15/15/15/15/15/15";
        for (text, column, says) in [
            (String::new(), 1, "empty"),
            ("15/15".to_owned(), 1, "2 rows"),
            (format!("14{rest}"), 1, "row 1 has 14 squares"),
            (format!("14é{rest}"), 3, "`é`"),
            (format!("7QQ6{rest}"), 1, "more than 1 tiles `Q`"),
            (format!("15{rest} ABCDEFGH/"), 46, "8 tiles"),
            (format!("15{rest} A/B x/0"), 50, "not a score"),
            (format!("15{rest} A/B 0/0 many"), 54, "scoreless"),
        ] {
            let error = read(&text, &tiles).unwrap_err();
            assert!(error.to_string().contains(says), "{error}");
            assert_eq!(error.column, column, "{error}");
        }
    }
}
