//! Everything on the table, known or not.

use serde::{Deserialize, Serialize};
use wits_game::Seat;

use crate::TileSet;
use crate::board::{Board, in_hand};
use crate::play::{Play, Values};
use crate::settings::{Ending, Leftover, RACK, Settings};

/// A tile that these eyes may not see, in a rack or in the bag.
pub const HIDDEN: u8 = 0x7f;

/// Whatever the rules say of passes, a game in which nobody lays a word for so many turns is over: exchanging
/// for ever is no game.
pub const PATIENCE: u8 = 60;

/// What happens next at the table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// The bag is shaken and the racks are filled.
    Shake,
    /// A seat moves.
    Move,
    /// Tiles that were given back are mixed into the bag.
    Mix,
    /// A seat went out.
    Out(u8),
    /// Nobody has anything to lay, or wants to.
    Quiet,
}

/// What a seat did last.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Done {
    /// Laid a word.
    Play(Play),
    /// Exchanged so many tiles.
    Exchange(u8),
    /// Passed.
    Pass,
    /// Challenged a good word and lost the turn.
    Lost,
    /// Had to take a word back.
    Back(Play),
}

/// The last turn, as everybody saw it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Last {
    /// Who.
    pub seat: u8,
    /// What.
    pub done: Done,
    /// What it scored.
    pub score: i32,
    /// Whether it can still be challenged; until then the seat has not drawn.
    pub open: bool,
    /// How many quiet turns there were before it.
    pub quiet: u8,
}

/// A position with everything in it. The same type serves as view: what is not known is [`HIDDEN`].
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Table {
    /// The tiles on the board.
    pub board: Board,
    /// The tiles of each seat in order, a blank being zero.
    pub racks: Vec<Vec<u8>>,
    /// The points of each seat.
    pub scores: Vec<i32>,
    /// The bag. The seats with odd numbers draw from its end, the others from its beginning: so two
    /// games with the same bag give the same tiles to whoever sits in a seat, as long as the bag lasts.
    pub bag: Vec<u8>,
    /// Who moves.
    pub turn: u8,
    /// What happens next.
    pub phase: Phase,
    /// How many turns in a row were quiet, as the rules of the table count them.
    pub quiet: u8,
    /// How many turns in a row no word was laid.
    pub idle: u8,
    /// Tiles given back and not yet mixed in.
    pub returned: Vec<u8>,
    /// The last turn.
    pub last: Option<Last>,
}

impl Table {
    /// An empty table: nobody has drawn.
    pub fn new(seats: u8) -> Table {
        Table {
            board: Board::default(),
            racks: vec![Vec::new(); usize::from(seats)],
            scores: vec![0; usize::from(seats)],
            bag: Vec::new(),
            turn: 0,
            phase: Phase::Shake,
            quiet: 0,
            idle: 0,
            returned: Vec::new(),
            last: None,
        }
    }

    /// Whose turn it is.
    pub fn seat(&self) -> Seat {
        Seat::at(usize::from(self.turn)).unwrap_or(Seat::FIRST)
    }

    /// The rack of the seat to move.
    pub fn rack(&self) -> &[u8] {
        self.racks
            .get(usize::from(self.turn))
            .map_or(&[], Vec::as_slice)
    }

    /// How many of each kind are neither on the board nor among the tiles that are seen: what is in the
    /// bag or hidden in racks.
    pub fn unseen(&self, tiles: &TileSet) -> [u8; 64] {
        let mut pool = [0_u8; 64];
        for tile in tiles.bag() {
            pool[tile.kind()] += 1;
        }
        let laid = self
            .board
            .squares()
            .iter()
            .filter(|&&b| b != 0)
            .map(|&b| in_hand(b));
        let held = self
            .racks
            .iter()
            .flatten()
            .copied()
            .filter(|&t| t != HIDDEN);
        for kind in laid.chain(held) {
            let slot = &mut pool[usize::from(kind) & 63];
            *slot = slot.saturating_sub(1);
        }
        pool
    }

    /// What the tiles of a rack count.
    pub fn held(&self, seat: usize, values: &Values) -> i32 {
        self.racks[seat].iter().map(|&t| values.of(t)).sum()
    }

    /// A seat draws until its rack is full or the bag is empty.
    pub(crate) fn draw(&mut self, seat: usize) {
        while self.racks[seat].len() < RACK && !self.bag.is_empty() {
            let tile = if seat.is_multiple_of(2) {
                self.bag.pop().unwrap_or(HIDDEN)
            } else {
                self.bag.remove(0)
            };
            self.racks[seat].push(tile);
        }
        self.racks[seat].sort_unstable();
    }

    /// Takes tiles out of the rack of the seat to move. They must be there.
    pub(crate) fn take(&mut self, kinds: impl IntoIterator<Item = u8>) {
        let rack = &mut self.racks[usize::from(self.turn)];
        for kind in kinds {
            if let Some(at) = rack.iter().position(|&t| t == kind) {
                rack.remove(at);
            }
        }
    }

    /// The next seat moves; the game ends where the rules say so.
    pub(crate) fn pass_on(&mut self, settings: &Settings) {
        let seats = self.racks.len() as u8;
        self.turn = (self.turn + 1) % seats.max(1);
        let most = match settings.ending {
            Ending::Scoreless(n) | Ending::Passes(n) => n,
            Ending::Rounds(n) => n.saturating_mul(seats),
        };
        if self.quiet >= most || self.idle >= PATIENCE {
            self.phase = Phase::Quiet;
        }
    }

    /// How many quiet turns there are after one more.
    pub(crate) fn quiet_after(&self, settings: &Settings, done: &Done, score: i32) -> u8 {
        let quiet = match settings.ending {
            Ending::Scoreless(_) => score == 0,
            Ending::Passes(_) => matches!(done, Done::Pass),
            Ending::Rounds(_) => !matches!(done, Done::Play(_)),
        };
        if quiet {
            self.quiet.saturating_add(1)
        } else {
            0
        }
    }

    /// Settles the scores at the end.
    pub(crate) fn settle(&mut self, settings: &Settings, values: &Values) {
        let held: Vec<i32> = (0..self.racks.len())
            .map(|s| self.held(s, values))
            .collect();
        let all: i32 = held.iter().sum();
        match self.phase {
            Phase::Out(seat) if settings.leftover == Leftover::Doubled && self.racks.len() == 2 => {
                self.scores[usize::from(seat)] += 2 * all;
            }
            Phase::Out(seat) => {
                for (score, own) in self.scores.iter_mut().zip(&held) {
                    *score -= own;
                }
                self.scores[usize::from(seat)] += all;
            }
            _ => {
                for (score, own) in self.scores.iter_mut().zip(&held) {
                    *score -= own;
                }
            }
        }
    }
}
