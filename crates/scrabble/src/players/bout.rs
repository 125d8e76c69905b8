//! A game among machines without ceremony: the fast table that simulations, learning and benchmarks play on.

use crate::board::Board;
use crate::generate::{Best, Engine, Field, Hand};
use crate::play::Play;
use crate::settings::{Ending, RACK, Settings};

/// A rack in order, at most seven tiles.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Rack {
    tiles: [u8; RACK],
    length: u8,
}

impl Rack {
    /// A rack of these tiles.
    pub fn new(tiles: &[u8]) -> Rack {
        let mut rack = Rack::default();
        for &tile in tiles.iter().take(RACK) {
            rack.push(tile);
        }
        rack
    }

    /// The tiles, in order.
    pub fn tiles(&self) -> &[u8] {
        &self.tiles[..usize::from(self.length)]
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        usize::from(self.length)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Adds a tile, if there is room.
    pub fn push(&mut self, tile: u8) {
        if self.len() == RACK {
            return;
        }
        let mut at = self.len();
        while at > 0 && self.tiles[at - 1] > tile {
            self.tiles[at] = self.tiles[at - 1];
            at -= 1;
        }
        self.tiles[at] = tile;
        self.length += 1;
    }

    /// Takes a tile out, if it is there.
    pub fn take(&mut self, kind: u8) {
        if let Some(at) = self.tiles().iter().position(|&t| t == kind) {
            self.tiles.copy_within(at + 1.., at);
            self.length -= 1;
        }
    }
}

/// What a seat does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Lays a word that scores so much.
    Lay(Play, i32),
    /// Gives back the tiles of this rack.
    Swap(Rack),
    /// Passes.
    Pass,
}

impl From<Best> for Step {
    fn from(best: Best) -> Step {
        Step::Lay(best.play, best.score)
    }
}

/// A game in progress with everything known.
#[derive(Clone, Debug)]
pub struct Bout<'a> {
    /// The lexicon made ready.
    pub engine: &'a Engine,
    /// What the table agreed on.
    pub settings: &'a Settings,
    /// The board.
    pub field: Field,
    /// The racks.
    pub racks: Vec<Rack>,
    /// The bag; odd seats draw from its end, the others from its beginning.
    pub bag: Vec<u8>,
    /// The scores; at the end the tiles that are left are settled.
    pub scores: Vec<i32>,
    /// Who moves.
    pub turn: usize,
    /// How many quiet turns there were in a row.
    pub quiet: u8,
    /// Whether it is over.
    pub over: bool,
}

impl<'a> Bout<'a> {
    /// A new game with a bag in this order.
    pub fn new(engine: &'a Engine, settings: &'a Settings, bag: Vec<u8>) -> Bout<'a> {
        let seats = usize::from(settings.seats);
        let mut bout = Bout {
            engine,
            settings,
            field: Field::new(),
            racks: vec![Rack::default(); seats],
            bag,
            scores: vec![0; seats],
            turn: 0,
            quiet: 0,
            over: false,
        };
        for seat in 0..seats {
            bout.draw(seat);
        }
        bout
    }

    /// The hand of the seat to move.
    pub fn hand(&self) -> Hand {
        Hand::new(self.racks[self.turn].tiles())
    }

    /// The board.
    pub fn board(&self) -> &Board {
        self.field.board()
    }

    /// Whether the seat to move may exchange.
    pub fn may_swap(&self) -> bool {
        self.bag.len() >= usize::from(self.settings.exchange.max(1))
    }

    /// A seat draws until its rack is full.
    pub fn draw(&mut self, seat: usize) {
        while self.racks[seat].len() < RACK && !self.bag.is_empty() {
            let tile = if seat.is_multiple_of(2) {
                self.bag.pop().unwrap_or(0)
            } else {
                self.bag.remove(0)
            };
            self.racks[seat].push(tile);
        }
    }

    /// Does a step. What is given back goes into the middle of the bag, spread evenly: no dice are thrown here.
    pub fn step(&mut self, step: &Step) {
        let seat = self.turn;
        let (quiet, score) = match step {
            Step::Lay(play, score) => {
                for kind in play.taken() {
                    self.racks[seat].take(kind);
                }
                self.engine.lay(&mut self.field, play);
                self.scores[seat] += score;
                self.draw(seat);
                if self.racks[seat].is_empty() {
                    self.finish(Some(seat));
                    return;
                }
                (
                    *score == 0 && matches!(self.settings.ending, Ending::Scoreless(_)),
                    *score,
                )
            }
            Step::Swap(given) => {
                for &kind in given.tiles() {
                    self.racks[seat].take(kind);
                }
                self.draw(seat);
                for (n, &kind) in given.tiles().iter().enumerate() {
                    let at = (n + 1) * self.bag.len() / (given.len() + 1);
                    self.bag.insert(at, kind);
                }
                (!matches!(self.settings.ending, Ending::Passes(_)), 0)
            }
            Step::Pass => (true, 0),
        };
        let _ = score;
        self.quiet = if quiet { self.quiet + 1 } else { 0 };
        let seats = self.racks.len();
        let most = match self.settings.ending {
            Ending::Scoreless(n) | Ending::Passes(n) => usize::from(n),
            Ending::Rounds(n) => usize::from(n) * seats,
        };
        self.turn = (seat + 1) % seats;
        if usize::from(self.quiet) >= most {
            self.finish(None);
        }
    }

    fn finish(&mut self, out: Option<usize>) {
        let values = self.engine.values();
        let mut all = 0;
        for (score, rack) in self.scores.iter_mut().zip(&self.racks) {
            let held: i32 = rack.tiles().iter().map(|&t| values.of(t)).sum();
            *score -= held;
            all += held;
        }
        if let Some(seat) = out {
            self.scores[seat] += all;
        }
        self.over = true;
    }

    /// What the racks of the others count.
    pub fn held_by_others(&self) -> i32 {
        let values = self.engine.values();
        let others = self
            .racks
            .iter()
            .enumerate()
            .filter(|(s, _)| *s != self.turn);
        others
            .flat_map(|(_, rack)| rack.tiles())
            .map(|&t| values.of(t))
            .sum()
    }

    /// How far a seat is ahead of the best of the others.
    pub fn spread(&self, seat: usize) -> i32 {
        let others = (0..self.scores.len()).filter(|&s| s != seat);
        let best = others.map(|s| self.scores[s]).max().unwrap_or(0);
        self.scores[seat] - best
    }
}
