//! Nim: heaps of stones, take some of one heap, who takes the last stone wins. With passes: each seat
//! may skip its turn a few times, and some heaps give another turn to who empties them.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use wits_game::{Book, Dice, Eyes, Game, Illegal, Lang, Outcome, Scene, Seat, Turn};

static WORDS: Book = Book::new(
    "nim",
    &[(
        Lang::En,
        "last = {who} took the last stone\nno = not allowed\nnotation = no such move",
    )],
);

/// The rules.
#[derive(Clone, Debug)]
pub struct Nim {
    heaps: Vec<u8>,
    most: u8,
    passes: u8,
    again: bool,
}

/// Who moves, what is left, and how often each seat may still pass.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Heaps {
    seat: Seat,
    left: Vec<u8>,
    passes: [u8; 2],
}

/// Take `count` stones of a heap; a count of zero is a pass.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Take {
    /// Which heap, from zero.
    pub heap: usize,
    /// How many; zero to pass.
    pub count: u8,
}

impl Nim {
    /// Plain Nim: take one to `most` stones of one heap.
    pub fn new(heaps: &[u8], most: u8) -> Nim {
        Nim {
            heaps: heaps.to_vec(),
            most,
            passes: 0,
            again: false,
        }
    }

    /// The same, but each seat may pass so many times.
    #[allow(dead_code, reason = "not every user of this file passes")]
    pub fn passes(self, passes: u8) -> Nim {
        Nim { passes, ..self }
    }

    /// The same, but who empties a heap (not the last) moves again.
    #[allow(dead_code, reason = "not every user of this file moves twice")]
    pub fn again(self) -> Nim {
        Nim {
            again: true,
            ..self
        }
    }
}

impl Game for Nim {
    const HIDDEN: bool = false;
    type State = Heaps;
    type View = Heaps;
    type Move = Take;

    fn seats(&self) -> u8 {
        2
    }

    fn start(&self) -> Heaps {
        Heaps {
            seat: Seat::FIRST,
            left: self.heaps.clone(),
            passes: [self.passes; 2],
        }
    }

    fn turn(&self, state: &Heaps) -> Turn {
        if state.left.iter().any(|&left| left > 0) {
            Turn::Of(state.seat)
        } else {
            let winner = state.seat.other();
            let why = WORDS.say("last").with("who", self.seat_name(winner));
            Turn::Over(Outcome::win(winner, 2, why))
        }
    }

    fn options(&self, state: &Heaps) -> Vec<Take> {
        let mut moves = Vec::new();
        if state.left.iter().all(|&left| left == 0) {
            return moves;
        }
        for (heap, &left) in state.left.iter().enumerate() {
            moves.extend((1..=left.min(self.most)).map(|count| Take { heap, count }));
        }
        if state.passes[state.seat.index()] > 0 {
            moves.push(Take { heap: 0, count: 0 });
        }
        moves
    }

    fn legal(&self, state: &Heaps, mv: &Take) -> Result<(), Illegal> {
        if self.options(state).contains(mv) {
            Ok(())
        } else {
            Err(Illegal::say(&WORDS, "no"))
        }
    }

    fn play(&self, state: &mut Heaps, mv: &Take) {
        if mv.count == 0 {
            state.passes[state.seat.index()] -= 1;
            state.seat = state.seat.other();
            return;
        }
        state.left[mv.heap] -= mv.count;
        let emptied = state.left[mv.heap] == 0;
        let more = state.left.iter().any(|&left| left > 0);
        if !(self.again && emptied && more) {
            state.seat = state.seat.other();
        }
    }

    fn read(&self, _: &Heaps, text: &str) -> Result<Take, Illegal> {
        let wrong = || Illegal::say(&WORDS, "notation");
        let (count, heap) = text.split_once('@').ok_or_else(wrong)?;
        Ok(Take {
            heap: heap.parse().map_err(|_| wrong())?,
            count: count.parse().map_err(|_| wrong())?,
        })
    }

    fn write(&self, _: &Heaps, mv: &Take, _: Eyes) -> String {
        format!("{}@{}", mv.count, mv.heap)
    }

    fn view<'a>(&self, state: &'a Heaps, _: Eyes) -> Cow<'a, Heaps> {
        Cow::Borrowed(state)
    }

    fn scene(&self, _: &Heaps) -> Scene {
        Scene::default()
    }

    fn imagine(&self, view: &Heaps, _: &mut Dice) -> Heaps {
        view.clone()
    }
}
