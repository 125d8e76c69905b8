//! Score sheets in the form that crossword programs share (GCG): a line for every turn with the rack, the play,
//! the points and the new score. Tiles of several characters stand in square brackets. Written in UTF-8; read in whatever
//! encoding a file names or turns out to have.

mod guess;
mod read;

use std::fmt::Write as _;

use crate::TileSet;
use crate::board::{Board, in_hand};
use crate::play::{Play, Values, tile};
use crate::settings::RACK;

pub use guess::{decode, guess, named};
pub use read::read;

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
        let mut newest: Option<(Play, i32)> = None;
        for (at, turn) in self.turns.iter().enumerate() {
            let withdrawn = self.withdrawn(at);
            if let Act::Play(play) = &turn.act {
                let score = play.score(&board, values, RACK, bingo);
                // Some write down at once that a word that is taken back scores nothing.
                if score != turn.points && !(withdrawn && turn.points == 0) {
                    slips.push((
                        turn.line,
                        format!("the play scores {score}, the sheet says {}", turn.points),
                    ));
                }
                play.lay(&mut board);
                newest = Some((*play, turn.points));
            }
            let mut gained = turn.points;
            if turn.act == Act::Withdrawn
                && let Some((play, points)) = newest.take()
            {
                play.lift(&mut board);
                // Others write only the new score.
                if gained == 0 {
                    gained = -points;
                }
            }
            if let Some(total) = totals.get_mut(turn.player) {
                *total += gained;
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

    /// Whether what was laid in a turn was taken back.
    pub fn withdrawn(&self, turn: usize) -> bool {
        let after = self.turns.iter().skip(turn + 1);
        let next = after.map(|t| &t.act).find(|act| **act != Act::Time);
        matches!(self.turns.get(turn).map(|t| &t.act), Some(Act::Play(_)))
            && next == Some(&Act::Withdrawn)
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
