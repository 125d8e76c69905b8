//! Discs on a board and whose turn it is.

use serde::{Deserialize, Serialize};
use wits_game::Seat;

use crate::{Square, bits};

/// A position: the discs of both sides, and who moves next.
///
/// The side to move is part of it because it cannot be derived: after a pass the count of discs
/// no longer says whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Position {
    /// Black's discs. Black sits on the first seat.
    #[serde(with = "hex")]
    pub black: u64,
    /// White's discs.
    #[serde(with = "hex")]
    pub white: u64,
    /// Who moves next, were the game not over.
    pub turn: Seat,
}

/// Sets of 64 squares as text: JSON numbers hold only 53 bits.
mod hex {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    #[expect(
        clippy::trivially_copy_pass_by_ref,
        reason = "serde asks for a reference"
    )]
    pub(super) fn serialize<S: Serializer>(set: &u64, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&format!("{set:016x}"))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
        let text = String::deserialize(from)?;
        u64::from_str_radix(&text, 16).map_err(D::Error::custom)
    }
}

impl Position {
    /// The start of Othello on the large board: black e4 and d5, white d4 and e5, Black to move.
    pub const START: Position = Position {
        black: 0x0000_0008_1000_0000,
        white: 0x0000_0010_0800_0000,
        turn: Seat::FIRST,
    };

    /// A position from the discs of the side to move and of the other side.
    pub const fn of(own: u64, other: u64, turn: Seat) -> Position {
        let (black, white) = if turn.index() == 0 {
            (own, other)
        } else {
            (other, own)
        };
        Position { black, white, turn }
    }

    /// The discs of a side.
    pub const fn discs(&self, seat: Seat) -> u64 {
        if seat.index() == 0 {
            self.black
        } else {
            self.white
        }
    }

    /// The discs of the side to move.
    pub const fn own(&self) -> u64 {
        self.discs(self.turn)
    }

    /// The discs of the side that waits.
    pub const fn other(&self) -> u64 {
        self.discs(self.turn.other())
    }

    /// All discs.
    pub const fn taken(&self) -> u64 {
        self.black | self.white
    }

    /// Who has a disc on a square.
    pub const fn disc(&self, square: Square) -> Option<Seat> {
        if self.black & square.bit() != 0 {
            Some(Seat::FIRST)
        } else if self.white & square.bit() != 0 {
            Some(Seat::SECOND)
        } else {
            None
        }
    }

    /// How many discs Black and White have.
    pub const fn score(&self) -> (u32, u32) {
        (self.black.count_ones(), self.white.count_ones())
    }

    /// The score of tournaments on the large board: the winner takes the empty squares.
    pub const fn tournament_score(&self) -> (u32, u32) {
        let (black, white) = self.score();
        let empty = 64 - black - white;
        if black > white {
            (black + empty, white)
        } else if white > black {
            (black, white + empty)
        } else {
            (black + empty / 2, white + empty / 2)
        }
    }

    /// The number of the move to be made: 1 with four discs on the board, -3 on an empty one.
    pub const fn move_number(&self) -> i32 {
        self.taken().count_ones() as i32 - 3
    }

    /// The same position with the other side to move.
    pub const fn passed(&self) -> Position {
        Position {
            turn: self.turn.other(),
            ..*self
        }
    }

    /// The same position with black and white exchanged.
    pub const fn swapped(&self) -> Position {
        Position {
            black: self.white,
            white: self.black,
            turn: self.turn.other(),
        }
    }

    /// One of its eight images on the large board.
    pub const fn turned(&self, how: usize) -> Position {
        Position {
            black: bits::turned(self.black, how),
            white: bits::turned(self.white, how),
            turn: self.turn,
        }
    }

    /// The flanking moves of the side to move on the large board.
    pub const fn moves(&self) -> u64 {
        bits::moves(self.own(), self.other())
    }

    /// The position after a flanking move, the turn with the other side; no forced pass is made.
    pub const fn after(&self, square: Square) -> Position {
        let flips = bits::flips(square.index(), self.own(), self.other());
        let own = self.own() | flips | square.bit();
        Position::of(self.other() & !flips, own, self.turn.other())
    }

    /// The position after a move by the tournament rules: a side without a move passes by itself.
    pub const fn played(&self, square: Square) -> Position {
        let next = self.after(square);
        if next.moves() == 0 && next.passed().moves() != 0 {
            next.passed()
        } else {
            next
        }
    }

    /// Whether neither side can move by the tournament rules.
    pub const fn over(&self) -> bool {
        self.moves() == 0 && self.passed().moves() == 0
    }
}
