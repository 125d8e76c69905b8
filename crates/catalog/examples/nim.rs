//! A whole game in one file: a pile of stones, take one to three, whoever takes the last one wins.
#![allow(missing_docs, reason = "the page around this file explains it")]

use std::borrow::Cow;

use wits_game::{
    Book, Cell, Dice, Eyes, Game, Illegal, Lang, Outcome, Scene, Seat, Shape, Target, Token, Turn,
};
use wits_play::contract::{Laws, check_entry};
use wits_play::{Entry, Param, SearchDefaults, Shelf};

/// Every sentence that a player reads has a key here. Another language is another page.
static WORDS: Book = Book::new(
    "nim",
    &[(
        Lang::En,
        "nim-title = Nim\n\
         nim-about = take one to three stones; whoever takes the last one wins\n\
         nim-rules = There is one pile of stones. In turn, take one, two or three of them. Whoever takes the last stone wins.\n\
         stones = how many stones there are at first\n\
         last = the last stone is taken\n\
         stone = a stone\n\
         not-a-number = `{text}` is not a number of stones; take 1, 2 or 3\n\
         too-many = there are only {left} stones left\n",
    )],
);

/// The rules. A value of this type is one variant of the game: here, the size of the pile.
pub struct Nim {
    stones: u8,
}

/// A position: how many stones are left, and which seat moves.
type Pile = (u8, u8);

impl Game for Nim {
    const HIDDEN: bool = false;
    type State = Pile;
    type View = Pile;
    type Move = u8;

    fn seats(&self) -> u8 {
        2
    }

    fn start(&self) -> Pile {
        (self.stones, 0)
    }

    fn turn(&self, &(left, seat): &Pile) -> Turn {
        let seat = Seat::at(usize::from(seat)).unwrap_or(Seat::FIRST);
        let other = if seat == Seat::FIRST {
            Seat::at(1).unwrap_or(seat)
        } else {
            Seat::FIRST
        };
        if left == 0 {
            // Whoever moved before took the last stone.
            Turn::Over(Outcome::win(other, 2, WORDS.say("last")))
        } else {
            Turn::Of(seat)
        }
    }

    fn options(&self, &(left, _): &Pile) -> Vec<u8> {
        (1..=left.min(3)).collect()
    }

    fn legal(&self, &(left, _): &Pile, taken: &u8) -> Result<(), Illegal> {
        match taken {
            1..=3 if *taken <= left => Ok(()),
            1..=3 if left > 0 => Err(WORDS.say("too-many").with("left", left).into()),
            1..=3 => Err(Illegal::say(&wits_game::WORDS, "over")),
            _ => Err(WORDS.say("not-a-number").with("text", *taken).into()),
        }
    }

    fn play(&self, (left, seat): &mut Pile, taken: &u8) {
        *left -= taken;
        *seat = 1 - *seat;
    }

    fn read(&self, _: &Pile, text: &str) -> Result<u8, Illegal> {
        let number = text.trim().parse().ok().filter(|n| (1..=3).contains(n));
        number.ok_or_else(|| {
            let shown: String = text.chars().take(20).collect();
            WORDS.say("not-a-number").with("text", shown).into()
        })
    }

    fn write(&self, _: &Pile, taken: &u8, _: Eyes) -> String {
        taken.to_string()
    }

    fn view<'a>(&self, pile: &'a Pile, _: Eyes) -> Cow<'a, Pile> {
        Cow::Borrowed(pile)
    }

    fn scene(&self, pile: &Pile) -> Scene {
        let stone = || Token::new(Shape::Dark, "●", WORDS.say("stone").to_string(), 0);
        let cell = |n: u8| Cell {
            name: n.to_string(),
            token: Some(stone()),
            ..Cell::default()
        };
        let mut scene = Scene {
            cells: (1..=pile.0).map(cell).collect(),
            ..Scene::default()
        };
        let button = |taken: u8| Target {
            path: Vec::new(),
            text: taken.to_string(),
            label: String::new(),
        };
        scene.targets = self.options(pile).into_iter().map(button).collect();
        scene
    }

    fn imagine(&self, pile: &Pile, _: &mut Dice) -> Pile {
        *pile
    }
}

/// The game as the catalog lists it: with this, minimax, alpha-beta and Monte Carlo play it, too.
pub fn entry() -> Entry<Nim> {
    let words = ["nim-title", "nim-about", "nim-rules"];
    Entry::new("nim", &WORDS, words, |args, _| {
        Ok(Nim {
            stones: args.int("stones") as u8,
        })
    })
    .param(Param::int("stones", 1, 60, 15, &WORDS, "stones"))
    .with_search(SearchDefaults::depth(12))
}

/// Checks every law that a game and its players must keep.
pub fn main() {
    let laws = Laws {
        games: 4,
        ..Laws::default()
    };
    let kept = check_entry(&*entry().erase(), &Shelf::new(), &laws);
    assert!(kept.is_ok(), "{kept:?}");
}
