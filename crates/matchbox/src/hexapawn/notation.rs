//! How players write squares, steps and positions.
//!
//! A square is its column letter and its row number from White's side: `b2`. A step is `a2-a3`, a
//! capture `a2xb3`. A position is its rows from the top joined by `/`, with `B`, `W` and `-`, then a
//! space and the side to move: `BBB/---/WWW w`.

use wits_game::{Illegal, Message, Seat};

use super::{Board, Hexapawn, Step};
use crate::{WORDS, words::shown};

impl Hexapawn {
    /// The name of a square.
    pub fn square_name(self, square: u8) -> String {
        let (row, col) = (square / self.cols(), square % self.cols());
        let letter = |n: u8| char::from(b'a' + n % 26);
        match col / 26 {
            0 => format!("{}{}", letter(col), row + 1),
            more => format!("{}{}{}", letter(more - 1), letter(col), row + 1),
        }
    }

    /// The square of that name, if the board has it.
    pub fn square(self, name: &str) -> Option<u8> {
        let split = name.find(|c: char| c.is_ascii_digit())?;
        let (letters, number) = name.split_at(split);
        if number.starts_with('0') {
            return None;
        }
        let col = match letters.as_bytes() {
            [one @ b'a'..=b'z'] => u16::from(one - b'a'),
            [high @ b'a'..=b'z', low @ b'a'..=b'z'] => {
                26 * u16::from(high - b'a' + 1) + u16::from(low - b'a')
            }
            _ => return None,
        };
        let row: u8 = number.parse().ok()?;
        let fits = col < u16::from(self.cols()) && (1..=self.rows()).contains(&row);
        fits.then(|| (row - 1) * self.cols() + col as u8)
    }

    /// A step as players write it.
    pub fn write_step(self, step: Step) -> String {
        let straight = step.from % self.cols() == step.to % self.cols();
        let mark = if straight { '-' } else { 'x' };
        format!(
            "{}{mark}{}",
            self.square_name(step.from),
            self.square_name(step.to)
        )
    }

    /// Reads a step; `a2a3` and `A2-A3` are understood too.
    pub(super) fn read_step(self, text: &str) -> Result<Step, Illegal> {
        let wrong = || -> Illegal {
            let last = self.square_name(self.squares() - 1);
            WORDS
                .say("not-a-step")
                .with("text", shown(text))
                .with("last", last)
                .into()
        };
        let name = text.trim().to_ascii_lowercase();
        let digit = name.find(|c: char| c.is_ascii_digit()).ok_or_else(wrong)?;
        let end = name[digit..]
            .find(|c: char| !c.is_ascii_digit())
            .map(|at| digit + at)
            .ok_or_else(wrong)?;
        let (from, rest) = name.split_at(end);
        // `x` may be the mark of a capture or the name of a column on a very wide board.
        let bare = rest
            .strip_prefix(['-', 'x'])
            .filter(|to| self.square(to).is_some());
        let to = bare.unwrap_or(rest);
        match (self.square(from), self.square(to)) {
            (Some(from), Some(to)) => Ok(Step { from, to }),
            _ => Err(wrong()),
        }
    }

    /// A position as players write it.
    pub fn write_board(self, board: &Board) -> String {
        let mut out = String::with_capacity(usize::from(self.squares() + self.rows()) + 2);
        for row in (0..self.rows()).rev() {
            for col in 0..self.cols() {
                let bit = 1u64 << (row * self.cols() + col);
                out.push(match (board.white & bit != 0, board.black & bit != 0) {
                    (true, _) => 'W',
                    (_, true) => 'B',
                    _ => '-',
                });
            }
            out.push(if row == 0 { ' ' } else { '/' });
        }
        out.push(if board.turn == Seat::FIRST { 'w' } else { 'b' });
        out
    }

    /// Reads a position, and refuses what cannot come up in play.
    pub fn read_board(self, text: &str) -> Result<Board, Illegal> {
        let wrong = || -> Illegal {
            let example = self.write_board(&self.opening());
            WORDS
                .say("not-pawns")
                .with("text", shown(text))
                .with("example", example)
                .into()
        };
        let (rows, turn) = text
            .trim()
            .rsplit_once(char::is_whitespace)
            .ok_or_else(wrong)?;
        let turn = match turn {
            "w" | "W" => Seat::FIRST,
            "b" | "B" => Seat::SECOND,
            _ => return Err(wrong()),
        };
        let lines: Vec<&str> = rows.trim_end().split('/').collect();
        if lines.len() != usize::from(self.rows()) {
            return Err(wrong());
        }
        let mut board = Board {
            white: 0,
            black: 0,
            turn,
        };
        for (line, row) in lines.iter().zip((0..self.rows()).rev()) {
            if line.chars().count() != usize::from(self.cols()) {
                return Err(wrong());
            }
            for (letter, col) in line.chars().zip(0u8..) {
                let bit = 1u64 << (row * self.cols() + col);
                match letter {
                    'W' | 'w' => board.white |= bit,
                    'B' | 'b' => board.black |= bit,
                    '-' | '.' | '_' => {}
                    _ => return Err(wrong()),
                }
            }
        }
        match self.flaw(&board) {
            None => Ok(board),
            Some(why) => Err(WORDS
                .say("cannot-be")
                .with("text", shown(text))
                .with("why", why)
                .into()),
        }
    }

    /// Why a position cannot come up in play, as far as one look can tell.
    fn flaw(self, board: &Board) -> Option<Message> {
        let most = u32::from(self.cols());
        if board.white.count_ones() > most || board.black.count_ones() > most {
            return Some(WORDS.say("too-many-pawns").with("most", most));
        }
        let white_home = board.white & self.row(self.rows() - 1) != 0;
        let black_home = board.black & self.row(0) != 0;
        match (white_home, black_home, board.turn) {
            (true, true, _) => Some(WORDS.say("both-across")),
            (true, _, Seat::FIRST) | (_, true, Seat::SECOND) => Some(WORDS.say("moved-on")),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_and_steps() {
        let game = Hexapawn::CLASSIC;
        assert_eq!(game.square_name(0), "a1");
        assert_eq!(game.square_name(8), "c3");
        for (text, is) in [
            ("a1-a2", Some((0, 3))),
            ("A1A2", Some((0, 3))),
            ("b2xc3", Some((4, 8))),
        ] {
            let step = game.read_step(text).ok().map(|s| (s.from, s.to));
            assert_eq!(step, is, "{text}");
        }
        for text in [
            "", "a1", "a0-a1", "a1-a9", "d1-d2", "a01-a2", "a1--a2", "pass", "a1-a2-a3",
        ] {
            let error = game.read_step(text).unwrap_err().to_string();
            assert!(error.contains("is not a step"), "{text}: {error}");
        }
    }

    #[test]
    fn a_column_called_x() {
        // 64 squares in three rows reach column `u`; the name `x` never clashes, but `aa` would.
        let game = Hexapawn::new(3, 21).unwrap();
        for square in 0..game.squares() {
            assert_eq!(game.square(&game.square_name(square)), Some(square));
        }
    }

    #[test]
    fn positions() {
        let game = Hexapawn::CLASSIC;
        assert_eq!(game.write_board(&game.opening()), "BBB/---/WWW w");
        assert_eq!(game.read_board("BBB/---/WWW w"), Ok(game.opening()));
        for (text, says) in [
            ("BBB/---/WWW", "is not a position"),
            ("BBB/--/WWW w", "is not a position"),
            ("BBB/-Q-/WWW w", "is not a position"),
            ("BBB/BBB/WWW w", "at most 3 pawns"),
            ("WBB/---/WWB w", "both sides"),
            ("W-B/---/W-- w", "after the game was won"),
            ("--B/---/W-B b", "after the game was won"),
        ] {
            let error = game.read_board(text).unwrap_err().to_string();
            assert!(error.contains(says), "{text}: {error}");
        }
    }
}
