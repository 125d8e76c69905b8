//! GGF, the Generic Game Format of the old servers, for Othello.

use std::fmt::Write;

use wits_game::Seat;

use crate::notation::{Replay, letters, read_board};
use crate::{Position, Square};

/// A game in GGF: a start, and moves with passes written out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ggf {
    /// Who played Black.
    pub black: String,
    /// Who played White.
    pub white: String,
    /// The result as written; empty if there is none.
    pub result: String,
    /// The position before the first move.
    pub start: Position,
    /// The moves; nothing for a pass.
    pub moves: Vec<Option<Square>>,
}

/// Text that is no game in GGF.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadGgf {
    /// Not `(;GM[Othello]…;)`.
    #[error("this is no game in GGF; it begins with `(;GM[Othello]` and ends with `;)`")]
    NotAGame,
    /// The board cannot be read.
    #[error("the board `BO[…]` cannot be read")]
    Board,
    /// A move cannot be made.
    #[error("move {number}, `{text}`, cannot be made")]
    Move {
        /// Its number, passes counted.
        number: usize,
        /// The move.
        text: String,
    },
}

/// Reads one game.
pub fn read(text: &str) -> Result<Ggf, BadGgf> {
    let body = text.trim().strip_prefix("(;").ok_or(BadGgf::NotAGame)?;
    let body = body.strip_suffix(";)").ok_or(BadGgf::NotAGame)?;
    let mut game = Ggf {
        black: String::new(),
        white: String::new(),
        result: String::new(),
        start: Position::START,
        moves: Vec::new(),
    };
    let mut position = Position::START;
    let mut rest = body;
    let mut othello = false;
    while let Some(open) = rest.find('[') {
        let key = rest[..open]
            .trim()
            .trim_start_matches(';')
            .to_ascii_uppercase();
        let close = rest[open..]
            .find(']')
            .map(|i| open + i)
            .ok_or(BadGgf::NotAGame)?;
        let value = &rest[open + 1..close];
        rest = &rest[close + 1..];
        match key.as_str() {
            "GM" => othello = value.eq_ignore_ascii_case("othello"),
            "PB" => value.clone_into(&mut game.black),
            "PW" => value.clone_into(&mut game.white),
            "RE" => value.clone_into(&mut game.result),
            "BO" => {
                let (size, board) = value.trim().split_once(' ').ok_or(BadGgf::Board)?;
                if size != "8" {
                    return Err(BadGgf::Board);
                }
                let read = read_board(8, board).map_err(|_| BadGgf::Board)?;
                (game.start, position) = (read.position, read.position);
            }
            "B" | "W" => {
                let number = game.moves.len() + 1;
                let name = value.split('/').next().unwrap_or_default();
                let wrong = || BadGgf::Move {
                    number,
                    text: name.chars().take(20).collect(),
                };
                position.turn = if key == "B" {
                    Seat::FIRST
                } else {
                    Seat::SECOND
                };
                if name.to_ascii_lowercase().starts_with("pa") {
                    if position.moves() != 0 {
                        return Err(wrong());
                    }
                    position = position.passed();
                    game.moves.push(None);
                } else {
                    let square: Square = name.parse().map_err(|_| wrong())?;
                    if position.moves() & square.bit() == 0 {
                        return Err(wrong());
                    }
                    position = position.after(square);
                    game.moves.push(Some(square));
                }
            }
            _ => {}
        }
    }
    if othello {
        Ok(game)
    } else {
        Err(BadGgf::NotAGame)
    }
}

impl Ggf {
    /// A game that was played over, with the forced passes written out. Names lose what would end them.
    pub fn of(replay: &Replay, black: &str, white: &str) -> Ggf {
        let plain =
            |name: &str| -> String { name.chars().filter(|c| !"[]();".contains(*c)).collect() };
        let mut moves = Vec::new();
        let mut turn = replay.positions[0].turn;
        for (square, before) in replay.moves.iter().zip(&replay.positions) {
            if before.turn != turn {
                moves.push(None);
            }
            moves.push(Some(*square));
            turn = before.turn.other();
        }
        let (b, w) = replay.last().score();
        let result = if replay.over {
            format!("{:+}", i64::from(b) - i64::from(w))
        } else {
            String::new()
        };
        Ggf {
            black: plain(black),
            white: plain(white),
            result,
            start: replay.positions[0],
            moves,
        }
    }

    /// The position after the last move.
    pub fn last(&self) -> Position {
        self.moves.iter().fold(self.start, |p, mv| match mv {
            Some(square) => p.after(*square),
            None => p.passed(),
        })
    }

    /// Writes the game in one line.
    pub fn write(&self) -> String {
        let turn = |seat: Seat| if seat == Seat::FIRST { '*' } else { 'O' };
        let board = letters(8, &self.start, ['-', '*', 'O']);
        let mut out = format!(
            "(;GM[Othello]PB[{}]PW[{}]RE[{}]TY[8]BO[8 {board} {}]",
            self.black,
            self.white,
            self.result,
            turn(self.start.turn)
        );
        let mut position = self.start;
        for mv in &self.moves {
            let side = if position.turn == Seat::FIRST {
                'B'
            } else {
                'W'
            };
            let name = mv.map_or("PA".to_owned(), |s| s.to_string().to_ascii_uppercase());
            let _ = write!(out, "{side}[{name}]");
            position = mv.map_or(position.passed(), |s| position.after(s));
        }
        out + ";)"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_replay_with_passes_becomes_ggf() {
        let many = "f5d6c4g5d7c7h5d8b8b7b6a7b5a6a5b4b3c6e8f8c8a8e7a4b2a2c2d2d1e2f2c5c3a1a3e6d3f6f7f1g2h2e3f4b1g1c1e1g8g7f3h1h3h4h6";
        let replay = Replay::read(&crate::Othello::default(), many).unwrap();
        let game = Ggf::of(&replay, "a]b", "");
        assert_eq!(game.black, "ab");
        assert_eq!(game.moves.iter().filter(|m| m.is_none()).count(), 23);
        let back = read(&game.write()).unwrap();
        assert_eq!(back.moves, game.moves);
        assert_eq!((back.last().black, back.result.as_str()), (0, "-59"));
    }

    #[test]
    fn games_are_written_and_read_back() {
        // A game with passes, made by always taking the last square.
        let mut p = Position::START;
        let mut moves = Vec::new();
        while !p.over() {
            let last = Square::all(p.moves()).last();
            p = last.map_or(p.passed(), |s| p.after(s));
            moves.push(last);
        }
        let game = Ggf {
            black: "one".into(),
            white: "two".into(),
            result: "+2".into(),
            start: Position::START,
            moves,
        };
        let text = game.write();
        assert_eq!(read(&text), Ok(game.clone()));
        assert_eq!((game.last().black, game.last().white), (p.black, p.white));
        for wrong in [
            "",
            "(;",
            "(;GM[Go];)",
            "(;GM[Othello]B[A1];)",
            "(;GM[Othello]BO[8 x];)",
            "(;GM[Othello]B[PA];)",
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
