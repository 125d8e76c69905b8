//! The game as the report's searches see it: their order of moves, and a win above every heuristic.

use std::borrow::Cow;

use wits_game::{Dice, Eyes, Game, Illegal, Message, Outcome, Scene, Seat, Turn};
use wits_search::Worth;
use wits_search::tree::Judge;

use crate::{Heuristic, Othello, Position, Square};

/// What a won game pays here: more than any heuristic.
pub(crate) const WON: i32 = 1000;

/// Othello with the moves in the report's order (the last square, then the others from a1 on), so
/// that the generic searches, which keep the first of equal moves, choose as the report's do.
pub(crate) struct Classic(pub(crate) Othello);

impl Game for Classic {
    const HIDDEN: bool = false;
    type State = Position;
    type View = Position;
    type Move = Square;

    fn seats(&self) -> u8 {
        2
    }

    fn seat_name(&self, seat: Seat) -> Message {
        self.0.seat_name(seat)
    }

    fn start(&self) -> Position {
        self.0.start()
    }

    fn turn(&self, position: &Position) -> Turn {
        match self.0.turn(position) {
            Turn::Over(outcome) => {
                let payoffs = outcome.payoffs.iter().map(|p| p.signum() * WON).collect();
                Turn::Over(Outcome { payoffs, ..outcome })
            }
            turn => turn,
        }
    }

    fn options(&self, position: &Position) -> Vec<Square> {
        let mut squares = self.0.options(position);
        let some = usize::from(!squares.is_empty());
        squares.rotate_right(some);
        squares
    }

    fn legal(&self, position: &Position, square: &Square) -> Result<(), Illegal> {
        self.0.legal(position, square)
    }

    fn play(&self, position: &mut Position, square: &Square) {
        self.0.play(position, square);
    }

    fn read(&self, position: &Position, text: &str) -> Result<Square, Illegal> {
        self.0.read(position, text)
    }

    fn write(&self, position: &Position, square: &Square, to: Eyes) -> String {
        self.0.write(position, square, to)
    }

    fn view<'a>(&self, position: &'a Position, _eyes: Eyes) -> Cow<'a, Position> {
        Cow::Borrowed(position)
    }

    fn scene(&self, position: &Position) -> Scene {
        self.0.scene(position)
    }

    fn imagine(&self, position: &Position, _dice: &mut Dice) -> Position {
        *position
    }
}

impl Judge<Classic> for Heuristic {
    fn judge(&self, game: &Classic, position: &Position, seat: Seat) -> Worth {
        let value = self.on(&game.0, position);
        Worth::heuristic(if seat == Seat::FIRST { value } else { -value })
    }
}

impl Heuristic {
    /// The value on a board of any size: on a smaller one by the same definitions, with its own corners, border and lines.
    pub fn on(self, game: &Othello, position: &Position) -> f64 {
        if game.size() == 8 {
            return self.value(position);
        }
        crate::heuristics::value_on(self, game.size(), position)
    }
}
