//! Test-only games that use everything the spine offers: three seats, hidden hands, chance,
//! and a player that learns. The house never shows them; tests of every layer do.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use wits_game::{
    Book, Dice, Eyes, Game, Illegal, Lang, Outcome, Scene, Seat, Shape, Target, Token, Tray, Turn,
};

use crate::{Choice, Desk, Entry, Player, PlayerEntry, Seen};

static WORDS: Book = Book::new(
    "toys",
    &[(
        Lang::En,
        "tricks-title = Tricks\n\
         tricks-about = two cards each, the higher card takes the trick\n\
         tricks-rules = Three players get two secret cards each. In each of two rounds everybody plays one; the highest takes the stake, which a die sets before the round.\n\
         not-a-card = `{text}` is not a card; cards are 1 to 9\n\
         not-yours = you do not hold {card}; play a card of your hand\n\
         over = both tricks are played\n\
         about-habit = plays what paid before",
    )],
);

/// The rules of the toy.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tricks;

/// A position of the toy, hands and all. The same type serves as view: an unknown card is zero.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Cards {
    /// The cards each seat holds.
    pub hands: Vec<Vec<u8>>,
    /// The cards of this round, in the order of the seats.
    pub table: Vec<u8>,
    /// The cards of earlier rounds.
    pub gone: Vec<u8>,
    /// What this round is worth; zero before the die falls.
    pub stake: i32,
    /// What each seat has won.
    pub points: Vec<i32>,
}

/// A move of the toy.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Act {
    /// Chance deals all hands at once.
    Deal(Vec<Vec<u8>>),
    /// Chance sets the stake.
    Stake(u8),
    /// A seat plays a card.
    Play(u8),
}

const SEATS: u8 = 3;
const EACH: usize = 2;

impl Game for Tricks {
    const HIDDEN: bool = true;
    type State = Cards;
    type View = Cards;
    type Move = Act;

    fn seats(&self) -> u8 {
        SEATS
    }

    fn start(&self) -> Cards {
        Cards {
            points: vec![0; 3],
            ..Cards::default()
        }
    }

    fn turn(&self, s: &Cards) -> Turn {
        if s.hands.is_empty() {
            return Turn::Chance;
        }
        if s.gone.len() == EACH * 3 {
            return Turn::Over(Outcome {
                payoffs: s.points.clone(),
                why: WORDS.say("over"),
            });
        }
        if s.stake == 0 {
            Turn::Chance
        } else {
            Seat::at(s.table.len()).map_or(Turn::Chance, Turn::Of)
        }
    }

    fn options(&self, v: &Cards) -> Vec<Act> {
        match self.turn(v) {
            Turn::Of(seat) => v.hands[seat.index()]
                .iter()
                .map(|&c| Act::Play(c))
                .collect(),
            _ => Vec::new(),
        }
    }

    fn legal(&self, s: &Cards, mv: &Act) -> Result<(), Illegal> {
        let whose = self.turn(s).seat();
        match (mv, whose) {
            (Act::Play(card), Some(seat)) if !s.hands[seat.index()].contains(card) => {
                Err(WORDS.say("not-yours").with("card", *card).into())
            }
            (Act::Play(_), Some(_)) | (Act::Deal(_) | Act::Stake(_), None) => Ok(()),
            _ => Err(Illegal::say(&wits_game::WORDS, "over")),
        }
    }

    fn play(&self, s: &mut Cards, mv: &Act) {
        match mv {
            Act::Deal(hands) => s.hands.clone_from(hands),
            Act::Stake(stake) => s.stake = i32::from(*stake),
            Act::Play(card) => {
                let seat = s.table.len();
                s.hands[seat].retain(|c| c != card);
                s.table.push(*card);
                if s.table.len() == usize::from(SEATS) {
                    let winner = (0..3).max_by_key(|&i| s.table[i]).unwrap_or(0);
                    s.points[winner] += s.stake;
                    s.gone.append(&mut s.table);
                    s.stake = 0;
                }
            }
        }
    }

    fn read(&self, _s: &Cards, text: &str) -> Result<Act, Illegal> {
        let wrong = || {
            Illegal::new(
                WORDS
                    .say("not-a-card")
                    .with("text", text.chars().take(20).collect::<String>()),
            )
        };
        if let Some(hands) = text.strip_prefix("deal ") {
            let hand = |part: &str| {
                part.bytes()
                    .map(|b| b.is_ascii_digit().then(|| b - b'0'))
                    .collect::<Option<Vec<u8>>>()
            };
            let hands: Option<Vec<Vec<u8>>> = hands.split('|').map(hand).collect();
            return hands
                .filter(|h| h.len() == 3)
                .map(Act::Deal)
                .ok_or_else(wrong);
        }
        if let Some(stake) = text.strip_prefix("stake ") {
            return stake.parse().map(Act::Stake).map_err(|_| wrong());
        }
        text.trim()
            .parse()
            .ok()
            .filter(|c| (1..=9).contains(c))
            .map(Act::Play)
            .ok_or_else(wrong)
    }

    fn write(&self, _s: &Cards, mv: &Act, to: Eyes) -> String {
        match mv {
            Act::Play(card) => card.to_string(),
            Act::Stake(stake) => format!("stake {stake}"),
            Act::Deal(hands) => {
                let shown = |i: usize| to == Eyes::All || Seat::at(i).map(Eyes::Seat) == Some(to);
                let hand = |(i, hand): (usize, &Vec<u8>)| -> String {
                    hand.iter()
                        .map(|c| if shown(i) { char::from(b'0' + c) } else { '?' })
                        .collect()
                };
                format!(
                    "deal {}",
                    hands
                        .iter()
                        .enumerate()
                        .map(hand)
                        .collect::<Vec<_>>()
                        .join("|")
                )
            }
        }
    }

    fn view<'a>(&self, s: &'a Cards, eyes: Eyes) -> Cow<'a, Cards> {
        if eyes == Eyes::All {
            return Cow::Borrowed(s);
        }
        let mut view = s.clone();
        for (i, hand) in view.hands.iter_mut().enumerate() {
            if Seat::at(i).map(Eyes::Seat) != Some(eyes) {
                hand.fill(0);
            }
        }
        Cow::Owned(view)
    }

    fn scene(&self, v: &Cards) -> Scene {
        let token = |&card: &u8| {
            let glyph = if card == 0 {
                "?".to_owned()
            } else {
                card.to_string()
            };
            Token::new(Shape::Tile, glyph.clone(), format!("card {glyph}"), 0)
        };
        let mut scene = Scene::board(3, 1, true);
        for (cell, card) in scene.cells.iter_mut().zip(&v.table) {
            cell.token = Some(token(card));
        }
        for (seat, hand) in v.hands.iter().enumerate() {
            scene.trays.push(Tray {
                title: format!("hand {}", seat + 1),
                tokens: hand.iter().map(token).collect(),
            });
        }
        for act in self.options(v) {
            if let Act::Play(card) = act
                && card > 0
            {
                let text = card.to_string();
                scene.targets.push(Target {
                    path: vec![],
                    label: format!("play {text}"),
                    text,
                });
            }
        }
        scene
    }

    fn imagine(&self, v: &Cards, dice: &mut Dice) -> Cards {
        let known: Vec<u8> = v
            .hands
            .iter()
            .flatten()
            .chain(&v.table)
            .chain(&v.gone)
            .copied()
            .collect();
        let mut unseen: Vec<u8> = (1..=9).filter(|c| !known.contains(c)).collect();
        dice.shuffle(&mut unseen);
        let mut state = v.clone();
        for card in state.hands.iter_mut().flatten().filter(|c| **c == 0) {
            *card = unseen.pop().unwrap_or(0);
        }
        for hand in &mut state.hands {
            if !v.hands.contains(hand) {
                hand.sort_unstable();
            }
        }
        state
    }

    fn deal(&self, s: &Cards, dice: &mut Dice) -> Act {
        if !s.hands.is_empty() {
            return Act::Stake(1 + dice.below(3) as u8);
        }
        let mut deck: Vec<u8> = (1..=9).collect();
        dice.shuffle(&mut deck);
        let mut hands: Vec<Vec<u8>> = deck.chunks(EACH).take(3).map(<[u8]>::to_vec).collect();
        for hand in &mut hands {
            hand.sort_unstable();
        }
        Act::Deal(hands)
    }
}

/// A learner: for every card, what it paid on average when it was played.
#[derive(Default)]
pub struct Habit {
    paid: BTreeMap<u8, (i64, i64)>,
}

impl Player<Tricks> for Habit {
    fn choose(&mut self, game: &Tricks, view: &Cards, desk: &mut Desk<'_, Act>) -> Choice<Act> {
        let mut options = game.options(view);
        desk.dice.shuffle(&mut options);
        let liking = |act: &Act| match act {
            Act::Play(card) => self
                .paid
                .get(card)
                .map_or(0, |&(sum, n)| sum * 1000 / n.max(1)),
            _ => 0,
        };
        options
            .into_iter()
            .max_by_key(liking)
            .map_or(Choice::Resign, Choice::Move)
    }

    fn learns(&self) -> bool {
        true
    }

    fn learn(&mut self, _game: &Tricks, mine: &[Seen<Cards, Act>], outcome: &Outcome, seat: Seat) {
        for seen in mine {
            if let Act::Play(card) = seen.choice {
                let paid = self.paid.entry(card).or_default();
                paid.0 += i64::from(outcome.payoff(seat));
                paid.1 += 1;
            }
        }
    }

    fn memory(&self) -> Option<Value> {
        Some(json!(self.paid))
    }
}

/// The toy as a catalog would list it.
pub fn tricks() -> Entry<Tricks> {
    let words = ["tricks-title", "tricks-about", "tricks-rules"];
    Entry::new("tricks", &WORDS, words, |_, _| Ok(Tricks))
        .seats(3, 3)
        .with_imagination(200)
        .player(PlayerEntry::new(
            "habit",
            &WORDS,
            "about-habit",
            |_, _, _| Ok(Habit::default()),
        ))
}
