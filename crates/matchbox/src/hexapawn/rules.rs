//! The rules under the contract of all games.

use std::borrow::Cow;

use wits_game::{
    Dice, Eyes, Game, Illegal, Light, Message, Outcome, Scene, Seat, Shape, Target, Tint, Token,
    Turn,
};

use super::{Board, Hexapawn, Step};
use crate::WORDS;

/// The colour of a seat.
pub(super) fn name(seat: Seat) -> Message {
    WORDS.say(if seat == Seat::FIRST {
        "white"
    } else {
        "black"
    })
}

impl Hexapawn {
    /// The cell of the picture that shows a square: pictures are drawn from the top.
    pub(crate) fn cell(self, square: u8) -> usize {
        let (row, col) = (square / self.cols(), square % self.cols());
        usize::from((self.rows() - 1 - row) * self.cols() + col)
    }

    /// Why the game is over.
    fn ending(self, board: &Board, winner: Seat) -> Message {
        let far = if winner == Seat::FIRST {
            self.row(self.rows() - 1)
        } else {
            self.row(0)
        };
        let loser = winner.other();
        let key = if board.pawns(winner) & far != 0 {
            "across"
        } else if board.pawns(loser) == 0 {
            "no-pawns"
        } else {
            "blocked"
        };
        WORDS
            .say(key)
            .with("winner", name(winner))
            .with("loser", name(loser))
    }
}

impl Game for Hexapawn {
    const HIDDEN: bool = false;
    type State = Board;
    type View = Board;
    type Move = Step;

    fn seats(&self) -> u8 {
        2
    }

    fn seat_name(&self, seat: Seat) -> Message {
        name(seat)
    }

    fn start(&self) -> Board {
        self.opening()
    }

    fn turn(&self, board: &Board) -> Turn {
        match self.winner(board) {
            Some(winner) => Turn::Over(Outcome::win(winner, 2, self.ending(board, winner))),
            None => Turn::Of(board.to_move()),
        }
    }

    fn options(&self, board: &Board) -> Vec<Step> {
        if self.winner(board).is_some() {
            Vec::new()
        } else {
            self.steps(board).collect()
        }
    }

    fn legal(&self, board: &Board, step: &Step) -> Result<(), Illegal> {
        if self.winner(board).is_some() {
            return Err(Illegal::say(&wits_game::WORDS, "over"));
        }
        if self.steps(board).any(|s| s == *step) {
            return Ok(());
        }
        let (from, to) = (self.square_name(step.from), self.square_name(step.to));
        let (mine, theirs) = (board.pawns(board.turn), board.pawns(board.turn.other()));
        let key = if mine >> step.from & 1 == 0 {
            "no-pawn-there"
        } else if self.cell(step.from) % usize::from(self.cols())
            == self.cell(step.to) % usize::from(self.cols())
            && (mine | theirs) >> step.to & 1 == 1
        {
            "way-blocked"
        } else {
            "not-how-pawns-go"
        };
        Err(WORDS
            .say(key)
            .with("who", name(board.turn))
            .with("from", from)
            .with("to", to)
            .into())
    }

    fn play(&self, board: &mut Board, step: &Step) {
        *board = self.after(board, *step);
    }

    fn read(&self, _board: &Board, text: &str) -> Result<Step, Illegal> {
        self.read_step(text)
    }

    fn write(&self, _board: &Board, step: &Step, _to: Eyes) -> String {
        self.write_step(*step)
    }

    fn view<'a>(&self, board: &'a Board, _eyes: Eyes) -> Cow<'a, Board> {
        Cow::Borrowed(board)
    }

    fn scene(&self, board: &Board) -> Scene {
        let mut scene = Scene::board(usize::from(self.cols()), usize::from(self.rows()), false);
        let winner = self.winner(board);
        for square in 0..self.squares() {
            let (row, col) = (square / self.cols(), square % self.cols());
            let cell = &mut scene.cells[self.cell(square)];
            if (row + col) % 2 == 0 {
                cell.tint = Tint::Shade;
            }
            let owner = Seat::all(2).find(|&seat| board.pawns(seat) >> square & 1 == 1);
            let Some(seat) = owner else { continue };
            cell.token = Some(pawn(seat));
            let far = if seat == Seat::FIRST {
                self.rows() - 1
            } else {
                0
            };
            if winner == Some(seat) && row == far {
                cell.light = Some(Light::Win);
            }
        }
        let target = |step: Step| Target {
            path: vec![self.cell(step.from), self.cell(step.to)],
            text: self.write_step(step),
            label: String::new(),
        };
        scene.targets = self.options(board).into_iter().map(target).collect();
        scene
    }

    fn position(&self, text: &str) -> Result<Board, Illegal> {
        self.read_board(text)
    }

    fn notation(&self, board: &Board) -> Option<String> {
        Some(self.write_board(board))
    }

    fn imagine(&self, board: &Board, _dice: &mut Dice) -> Board {
        *board
    }
}

fn pawn(seat: Seat) -> Token {
    if seat == Seat::FIRST {
        Token::new(Shape::Pawn, "W", WORDS.say("white-pawn").to_string(), 0)
    } else {
        Token::new(Shape::Pawn, "B", WORDS.say("black-pawn").to_string(), 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_name_the_rule() {
        let game = Hexapawn::CLASSIC;
        let board = game.read_board("BBB/-W-/W-W b").unwrap();
        let refuse = |text: &str| {
            let read = game.read(&board, text).and_then(|m| game.legal(&board, &m));
            read.unwrap_err().to_string()
        };
        assert_eq!(
            refuse("b3-b2"),
            "the way from `b3` to `b2` is blocked; pawns take slantwise only"
        );
        assert!(refuse("a1-a2").starts_with("Black has no pawn on `a1`"));
        assert!(refuse("a3-c1").starts_with("a pawn cannot go from `a3` to `c1`"));
    }

    #[test]
    fn three_ways_to_end() {
        let game = Hexapawn::CLASSIC;
        for (text, says) in [
            ("W-B/---/--- b", "White has reached the far side"),
            ("BBB/---/--- w", "White has no pawn left"),
            ("B--/W--/--- w", "White cannot move"),
            ("B--/W--/--- b", "Black cannot move"),
        ] {
            let board = game.read_board(text).unwrap();
            let Turn::Over(outcome) = game.turn(&board) else {
                panic!("{text} is not over")
            };
            assert_eq!(outcome.why.to_string(), says, "{text}");
            assert!(game.options(&board).is_empty());
        }
    }
}
