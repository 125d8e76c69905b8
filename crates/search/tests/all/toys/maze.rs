//! A game drawn at random from a number: who moves, how many ways there are, where they lead, what the ends
//! pay. Ways meet again, seats move several times in a row, and chance may have turns.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use wits_game::{Book, Dice, Eyes, Game, Illegal, Lang, Outcome, Scene, Seat, Turn};
use wits_search::Worth;
use wits_search::tree::Judge;

static WORDS: Book = Book::new(
    "maze",
    &[(Lang::En, "end = the way ends\nno = no such way")],
);

/// The rules.
#[derive(Clone, Copy, Debug)]
pub struct Maze {
    pub seed: u64,
    pub seats: u8,
    /// At most this many ways from a place.
    pub ways: u64,
    /// Every way ends after this many moves at the latest.
    pub length: u32,
    /// How many places there are after each move; few make many ways meet.
    pub width: u64,
    pub chance: bool,
}

/// Where one is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Place {
    pub ply: u32,
    pub place: u64,
}

impl Maze {
    fn draw(&self, at: &Place, what: u64) -> u64 {
        let mut h = self.seed ^ 0x1234_5678;
        for word in [u64::from(at.ply), at.place, what] {
            h = (h.rotate_left(17) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            h ^= h >> 29;
        }
        h
    }

    pub fn judged(&self, at: &Place, seat: Seat) -> f64 {
        let number = (self.draw(
            at,
            90 + if self.seats == 2 {
                0
            } else {
                seat.index() as u64
            },
        ) % 9) as f64
            / 2.0
            - 2.0;
        if self.seats == 2 && seat == Seat::SECOND {
            -number
        } else {
            number
        }
    }
}

/// A judge that draws its opinions from the same number.
pub struct Opinion;

impl Judge<Maze> for Opinion {
    fn judge(&self, game: &Maze, state: &Place, seat: Seat) -> Worth {
        Worth::heuristic(game.judged(state, seat))
    }
}

impl Game for Maze {
    const HIDDEN: bool = false;
    type State = Place;
    type View = Place;
    type Move = u8;

    fn seats(&self) -> u8 {
        self.seats
    }

    fn start(&self) -> Place {
        Place { ply: 0, place: 0 }
    }

    fn turn(&self, at: &Place) -> Turn {
        if at.ply >= self.length || (at.ply > 1 && self.draw(at, 1).is_multiple_of(7)) {
            let payoffs = if self.seats == 2 {
                let first = (self.draw(at, 10) % 5) as i32 - 2;
                vec![first, -first]
            } else {
                (0..self.seats)
                    .map(|s| (self.draw(at, 10 + u64::from(s)) % 5) as i32 - 2)
                    .collect()
            };
            return Turn::Over(Outcome {
                payoffs,
                why: WORDS.say("end"),
            });
        }
        if self.chance && at.ply > 0 && self.draw(at, 2).is_multiple_of(4) {
            return Turn::Chance;
        }
        let seat = if at.ply == 0 {
            0
        } else {
            self.draw(at, 3) % u64::from(self.seats)
        };
        Turn::Of(Seat::at(seat as usize).expect("seats are few"))
    }

    fn options(&self, at: &Place) -> Vec<u8> {
        match self.turn(at) {
            Turn::Of(_) => (0..=(self.draw(at, 4) % self.ways) as u8).collect(),
            _ => Vec::new(),
        }
    }

    fn legal(&self, at: &Place, way: &u8) -> Result<(), Illegal> {
        if self.options(at).contains(way) {
            Ok(())
        } else {
            Err(Illegal::say(&WORDS, "no"))
        }
    }

    fn play(&self, at: &mut Place, way: &u8) {
        *at = Place {
            ply: at.ply + 1,
            place: self.draw(at, 20 + u64::from(*way)) % self.width,
        };
    }

    fn read(&self, _: &Place, text: &str) -> Result<u8, Illegal> {
        text.parse().map_err(|_| Illegal::say(&WORDS, "no"))
    }

    fn write(&self, _: &Place, way: &u8, _: Eyes) -> String {
        way.to_string()
    }

    fn view<'a>(&self, at: &'a Place, _: Eyes) -> Cow<'a, Place> {
        Cow::Borrowed(at)
    }

    fn scene(&self, _: &Place) -> Scene {
        Scene::default()
    }

    fn imagine(&self, view: &Place, _: &mut Dice) -> Place {
        *view
    }

    fn deal(&self, at: &Place, dice: &mut Dice) -> u8 {
        dice.below(1 + (self.draw(at, 5) % 3) as usize) as u8
    }
}
