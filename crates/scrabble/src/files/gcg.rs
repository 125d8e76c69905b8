//! Score sheets in the form that crossword programs share (GCG): a line for every turn with the rack, the play,
//! the points and the new score. UTF-8; tiles of several characters in square brackets.

use std::fmt::Write as _;

use crate::TileSet;
use crate::board::{Board, Place, in_hand};
use crate::play::{Play, Values, tile};
use crate::settings::RACK;
use crate::written::{self, Misfit};

/// A score sheet.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sheet {
    /// The players, the first to move first: a short name without spaces and a full one.
    pub players: Vec<(String, String)>,
    /// Other pragmas by name: `lexicon`, `title`, `description`.
    pub head: Vec<(String, String)>,
    /// The turns.
    pub turns: Vec<Entry>,
}

/// One line of a score sheet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The line of the file, from 1; zero where it comes from no file.
    pub line: usize,
    /// Whose: an index into the players.
    pub player: usize,
    /// The rack before the turn, as far as it is known; a blank is zero.
    pub rack: Vec<u8>,
    /// What was done.
    pub act: Act,
    /// What it scored.
    pub points: i32,
    /// The score after it.
    pub total: i32,
    /// A remark below the line.
    pub note: String,
}

/// What a line tells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Act {
    /// A word was laid.
    Play(Play),
    /// Tiles were given back; only their number may be known.
    Exchange(Vec<u8>, u8),
    /// Nothing.
    Pass,
    /// The word before was taken back.
    Withdrawn,
    /// Points for a challenge that failed.
    Challenged,
    /// Points for what the others have left.
    Out(Vec<u8>),
    /// Points lost for what is left in the own rack.
    Left(Vec<u8>),
    /// Points lost on the clock.
    Time,
}

/// Why a sheet cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}, column {column}: {why}")]
pub struct BadGcg {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// What is wrong, and what to do.
    pub why: String,
}

/// Reads a sheet. The words are put on a board as they come, so a play that does not lie there is refused.
pub fn read(text: &str, tiles: &TileSet) -> Result<Sheet, BadGcg> {
    let mut sheet = Sheet::default();
    let mut board = Board::default();
    let mut newest: Option<Play> = None;
    for (at, row) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let line = at + 1;
        let bad = |column: usize, why: String| BadGcg { line, column, why };
        let row = row.trim_end();
        if row.is_empty() {
            continue;
        }
        if let Some(pragma) = row.strip_prefix('#') {
            let (name, value) = pragma
                .split_once(char::is_whitespace)
                .unwrap_or((pragma, ""));
            let value = value.trim();
            match name.to_ascii_lowercase().as_str() {
                "player1" | "player2" | "player3" | "player4" => {
                    let (short, full) = value
                        .split_once(char::is_whitespace)
                        .unwrap_or((value, value));
                    sheet
                        .players
                        .push((short.to_owned(), full.trim().to_owned()));
                }
                "note" => {
                    if let Some(turn) = sheet.turns.last_mut() {
                        if !turn.note.is_empty() {
                            turn.note.push('\n');
                        }
                        turn.note.push_str(value);
                    }
                }
                "character-encoding" => {
                    if !value.eq_ignore_ascii_case("utf-8") {
                        let why = format!("the sheet is written in `{value}`; save it as UTF-8");
                        return Err(bad(21, why));
                    }
                }
                _ => sheet.head.push((name.to_owned(), value.to_owned())),
            }
            continue;
        }
        let Some(rest) = row.strip_prefix('>') else {
            let why = "a line begins with `#` or with `>name:`".to_owned();
            return Err(bad(1, why));
        };
        let Some((name, rest)) = rest.split_once(':') else {
            return Err(bad(2, "no `:` after the player's name".to_owned()));
        };
        let Some(player) = sheet.players.iter().position(|(short, _)| short == name) else {
            let why =
                format!("no player is called `{name}`; name the players with `#player1 {name} …`");
            return Err(bad(2, why));
        };
        let mut entry = Row {
            tiles,
            text: row,
            line,
            parts: parts(row, row.len() - rest.len()),
        }
        .entry(player, &board)?;
        match &entry.act {
            Act::Play(play) => {
                play.lay(&mut board);
                newest = Some(*play);
            }
            Act::Withdrawn => {
                if let Some(play) = newest.take() {
                    play.lift(&mut board);
                }
            }
            _ => {}
        }
        entry.line = line;
        sheet.turns.push(entry);
    }
    Ok(sheet)
}

/// The words of a line from a byte on, with their columns.
fn parts(row: &str, from: usize) -> Vec<(usize, &str)> {
    let mut parts = Vec::new();
    let mut rest = &row[from..];
    loop {
        rest = rest.trim_start();
        if rest.is_empty() {
            return parts;
        }
        let column = row[..row.len() - rest.len()].chars().count() + 1;
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        parts.push((column, &rest[..end]));
        rest = &rest[end..];
    }
}

struct Row<'a> {
    tiles: &'a TileSet,
    text: &'a str,
    line: usize,
    parts: Vec<(usize, &'a str)>,
}

impl Row<'_> {
    fn bad(&self, column: usize, why: impl Into<String>) -> BadGcg {
        BadGcg {
            line: self.line,
            column,
            why: why.into(),
        }
    }

    fn rack(&self, column: usize, text: &str) -> Result<Vec<u8>, BadGcg> {
        let held = self
            .tiles
            .read_rack(text)
            .map_err(|e| self.bad(column + e.place - 1, e.to_string()))?;
        let mut rack: Vec<u8> = held.iter().map(|t| t.byte()).collect();
        rack.sort_unstable();
        Ok(rack)
    }

    fn number(&self, at: usize) -> Result<i32, BadGcg> {
        let end = self.text.chars().count() + 1;
        let &(column, text) = self.parts.get(at).ok_or_else(|| {
            self.bad(
                end,
                "the line ends too early: points and score follow the play",
            )
        })?;
        text.trim_start_matches('+')
            .parse()
            .map_err(|_| self.bad(column, format!("`{text}` is not a number of points")))
    }

    fn entry(&self, player: usize, board: &Board) -> Result<Entry, BadGcg> {
        let end = self.text.chars().count() + 1;
        let short = || {
            self.bad(
                end,
                "the line ends too early: a rack, a play, points and the score are needed",
            )
        };
        let &(column, first) = self.parts.first().ok_or_else(short)?;
        let inside = |text: &str| -> Option<String> {
            Some(text.strip_prefix('(')?.strip_suffix(')')?.to_owned())
        };
        // `(ABC) +6 300`: what the others have left; there is no rack before it.
        if let Some(left) = inside(first) {
            return Ok(Entry {
                line: self.line,
                player,
                rack: Vec::new(),
                act: Act::Out(self.rack(column + 1, &left)?),
                points: self.number(1)?,
                total: self.number(2)?,
                note: String::new(),
            });
        }
        let rack = self.rack(column, first)?;
        let &(column, second) = self.parts.get(1).ok_or_else(short)?;
        let (act, used) = if let Some(word) = inside(second) {
            let act = match word.to_ascii_lowercase().as_str() {
                "challenge" => Act::Challenged,
                "time" => Act::Time,
                _ => Act::Left(self.rack(column + 1, &word)?),
            };
            (act, 2)
        } else if second == "--" {
            (Act::Withdrawn, 2)
        } else if let Some(given) = second.strip_prefix('-') {
            let act = match given.parse::<u8>() {
                _ if given.is_empty() => Act::Pass,
                Ok(count) => Act::Exchange(Vec::new(), count),
                Err(_) => {
                    let given = self.rack(column + 1, given)?;
                    let count = given.len() as u8;
                    Act::Exchange(given, count)
                }
            };
            (act, 2)
        } else {
            (Act::Play(self.play(board)?), 3)
        };
        Ok(Entry {
            line: self.line,
            player,
            rack,
            act,
            points: self.number(used)?,
            total: self.number(used + 1)?,
            note: String::new(),
        })
    }

    fn play(&self, board: &Board) -> Result<Play, BadGcg> {
        let end = self.text.chars().count() + 1;
        let (column, text) = self.parts[1];
        let place: Place = text
            .parse()
            .map_err(|e: crate::board::NoSuchPlace| self.bad(column, e.to_string()))?;
        let &(column, word) = self
            .parts
            .get(2)
            .ok_or_else(|| self.bad(end, "the word is missing"))?;
        let laid = written::laid(self.tiles, board, place, word).map_err(|misfit| {
            let within = match &misfit {
                Misfit::Letter { place, .. } => place - 1,
                _ => 0,
            };
            self.bad(column + within, misfit.to_string())
        })?;
        Play::of(board, &laid).ok_or_else(|| {
            self.bad(
                column,
                format!("`{word}` at {place} lays no tile, or leaves a gap"),
            )
        })
    }
}

/// Writes a sheet.
pub fn write(sheet: &Sheet, tiles: &TileSet) -> String {
    let rack = |bytes: &[u8]| {
        let held: Vec<_> = bytes.iter().map(|&b| tile(b)).collect();
        tiles.write_rack(&held)
    };
    let mut text = "#character-encoding UTF-8\n".to_owned();
    for (number, (short, full)) in sheet.players.iter().enumerate() {
        let _ = writeln!(text, "#player{} {short} {full}", number + 1);
    }
    for (name, value) in &sheet.head {
        let _ = writeln!(text, "#{name} {value}");
    }
    for turn in &sheet.turns {
        let name = sheet.players.get(turn.player).map_or("?", |p| p.0.as_str());
        let held = rack(&turn.rack);
        let act = match &turn.act {
            Act::Play(play) => format!("{held} {}", play.dotted(tiles)),
            Act::Exchange(given, count) if given.is_empty() => format!("{held} -{count}"),
            Act::Exchange(given, _) => format!("{held} -{}", rack(given)),
            Act::Pass => format!("{held} -"),
            Act::Withdrawn => format!("{held} --"),
            Act::Challenged => format!("{held} (challenge)"),
            Act::Out(left) => format!("({})", rack(left)),
            Act::Left(left) => format!("{held} ({})", rack(left)),
            Act::Time => format!("{held} (time)"),
        };
        let _ = writeln!(text, ">{name}: {act} {:+} {}", turn.points, turn.total);
        for note in turn.note.lines() {
            let _ = writeln!(text, "#note {note}");
        }
    }
    text
}

impl Sheet {
    /// What is wrong with the points: every line whose points or score do not follow from the board. Quackle and
    /// others write the end either way, so those lines are only added up.
    pub fn slips(&self, values: &Values, bingo: i32) -> Vec<(usize, String)> {
        let mut board = Board::default();
        let mut totals = vec![0; self.players.len()];
        let mut slips = Vec::new();
        let mut newest: Option<Play> = None;
        for turn in &self.turns {
            if let Act::Play(play) = &turn.act {
                let score = play.score(&board, values, RACK, bingo);
                if score != turn.points {
                    slips.push((
                        turn.line,
                        format!("the play scores {score}, the sheet says {}", turn.points),
                    ));
                }
                play.lay(&mut board);
                newest = Some(*play);
            }
            if turn.act == Act::Withdrawn
                && let Some(play) = newest.take()
            {
                play.lift(&mut board);
            }
            if let Some(total) = totals.get_mut(turn.player) {
                *total += turn.points;
                if *total != turn.total {
                    slips.push((
                        turn.line,
                        format!("the score is {total}, the sheet says {}", turn.total),
                    ));
                    *total = turn.total;
                }
            }
        }
        slips
    }

    /// The tiles on the board after so many turns.
    pub fn board(&self, turns: usize) -> Board {
        let mut board = Board::default();
        let mut newest: Option<Play> = None;
        for turn in self.turns.iter().take(turns) {
            match &turn.act {
                Act::Play(play) => {
                    play.lay(&mut board);
                    newest = Some(*play);
                }
                Act::Withdrawn => {
                    if let Some(play) = newest.take() {
                        play.lift(&mut board);
                    }
                }
                _ => {}
            }
        }
        board
    }

    /// The tiles that are neither on the board nor in this rack after so many turns, in order.
    pub fn unseen(&self, turns: usize, rack: &[u8], tiles: &TileSet) -> Vec<u8> {
        let board = self.board(turns);
        let laid = board.squares().iter().filter(|&&b| b != 0);
        let seen: Vec<u8> = laid
            .map(|&b| in_hand(b))
            .chain(rack.iter().copied())
            .collect();
        let mut pool: Vec<u8> = tiles.bag().iter().map(|t| t.byte()).collect();
        for kind in seen {
            if let Some(at) = pool.iter().position(|&t| t == kind) {
                pool.remove(at);
            }
        }
        pool
    }
}
