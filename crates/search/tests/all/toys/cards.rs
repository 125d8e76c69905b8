//! High card: each of two seats gets one of five different cards. The first bets or folds, the second
//! calls or folds; the higher card wins two when called, the other's one when folded.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use wits_game::{Book, Dice, Eyes, Game, Illegal, Lang, Outcome, Scene, Seat, Turn};

static WORDS: Book = Book::new(
    "cards",
    &[(
        Lang::En,
        "fold = {who} folded\nshow = the higher card wins\nno = not allowed",
    )],
);

/// The rules.
#[derive(Clone, Copy, Debug, Default)]
pub struct HighCard;

/// The cards from 0 to 4, as far as known, and what was said.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Table {
    /// What each seat holds; none before the deal or if it is hidden.
    pub hands: [Option<u8>; 2],
    dealt: bool,
    said: Vec<bool>,
}

/// A move of a seat or of chance.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Play {
    /// Chance deals these two cards.
    Deal(u8, u8),
    /// Put in one more, or call.
    Bet,
    /// Give up.
    Fold,
}

impl HighCard {
    /// A position after this deal.
    #[allow(dead_code, reason = "not every user of this file fixes the deal")]
    pub fn dealt(self, first: u8, second: u8) -> Table {
        let mut table = self.start();
        self.play(&mut table, &Play::Deal(first, second));
        table
    }
}

impl Game for HighCard {
    const HIDDEN: bool = true;
    type State = Table;
    type View = Table;
    type Move = Play;

    fn seats(&self) -> u8 {
        2
    }

    fn start(&self) -> Table {
        Table {
            hands: [None; 2],
            dealt: false,
            said: Vec::new(),
        }
    }

    fn turn(&self, state: &Table) -> Turn {
        if !state.dealt {
            return Turn::Chance;
        }
        let fold = |who: Seat, pays: i32| {
            let mut payoffs = vec![pays; 2];
            payoffs[who.index()] = -pays;
            Turn::Over(Outcome {
                payoffs,
                why: WORDS.say("fold").with("who", self.seat_name(who)),
            })
        };
        match state.said[..] {
            [] => Turn::Of(Seat::FIRST),
            [true] => Turn::Of(Seat::SECOND),
            [false] => fold(Seat::FIRST, 1),
            [_, false] => fold(Seat::SECOND, 1),
            _ => {
                let first = if state.hands[0] > state.hands[1] {
                    2
                } else {
                    -2
                };
                Turn::Over(Outcome {
                    payoffs: vec![first, -first],
                    why: WORDS.say("show"),
                })
            }
        }
    }

    fn options(&self, view: &Table) -> Vec<Play> {
        match (view.dealt, &view.said[..]) {
            (true, [] | [true]) => vec![Play::Fold, Play::Bet],
            _ => Vec::new(),
        }
    }

    fn legal(&self, state: &Table, mv: &Play) -> Result<(), Illegal> {
        if self.options(state).contains(mv) {
            Ok(())
        } else {
            Err(Illegal::say(&WORDS, "no"))
        }
    }

    fn play(&self, state: &mut Table, mv: &Play) {
        match *mv {
            Play::Deal(first, second) => {
                state.hands = [Some(first), Some(second)];
                state.dealt = true;
            }
            Play::Bet => state.said.push(true),
            Play::Fold => state.said.push(false),
        }
    }

    fn read(&self, _: &Table, text: &str) -> Result<Play, Illegal> {
        match text {
            "bet" => Ok(Play::Bet),
            "fold" => Ok(Play::Fold),
            _ => Err(Illegal::say(&WORDS, "no")),
        }
    }

    fn write(&self, _: &Table, mv: &Play, to: Eyes) -> String {
        match (*mv, to) {
            (Play::Bet, _) => "bet".to_owned(),
            (Play::Fold, _) => "fold".to_owned(),
            (Play::Deal(a, b), Eyes::All) => format!("deal {a} {b}"),
            (Play::Deal(..), _) => "deal".to_owned(),
        }
    }

    fn view<'a>(&self, state: &'a Table, eyes: Eyes) -> Cow<'a, Table> {
        let mut view = state.clone();
        for seat in Seat::all(2) {
            if eyes != Eyes::All && eyes != Eyes::Seat(seat) {
                view.hands[seat.index()] = None;
            }
        }
        Cow::Owned(view)
    }

    fn scene(&self, _: &Table) -> Scene {
        Scene::default()
    }

    fn imagine(&self, view: &Table, dice: &mut Dice) -> Table {
        let mut state = view.clone();
        if view.dealt {
            let mut deck: Vec<u8> = (0..5).filter(|&c| !view.hands.contains(&Some(c))).collect();
            dice.shuffle(&mut deck);
            for hand in &mut state.hands {
                *hand = hand.or_else(|| deck.pop());
            }
        }
        state
    }

    fn deal(&self, _: &Table, dice: &mut Dice) -> Play {
        let mut deck: Vec<u8> = (0..5).collect();
        dice.shuffle(&mut deck);
        Play::Deal(deck[0], deck[1])
    }
}
