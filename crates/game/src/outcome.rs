//! Whose turn it is, and how a game ends.

use serde::Serialize;

use crate::{Message, Seat};

/// What happens next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Turn {
    /// A seat moves.
    Of(Seat),
    /// Chance moves: tiles are drawn, a die falls.
    Chance,
    /// Nobody moves any more.
    Over(Outcome),
}

impl Turn {
    /// The seat to move, if a seat moves next.
    pub fn seat(&self) -> Option<Seat> {
        match self {
            Turn::Of(seat) => Some(*seat),
            _ => None,
        }
    }

    /// The outcome, if the game is over.
    pub fn outcome(&self) -> Option<&Outcome> {
        match self {
            Turn::Over(outcome) => Some(outcome),
            _ => None,
        }
    }
}

/// How a game ended: what each seat gets, and why.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Outcome {
    /// What each seat gets; more is better. A win pays 1, a draw 0, a loss -1 where a game has no points.
    pub payoffs: Vec<i32>,
    /// Why the game is over, in words.
    pub why: Message,
}

impl Outcome {
    /// One seat wins and the others lose.
    pub fn win(winner: Seat, seats: u8, why: Message) -> Self {
        let payoffs = Seat::all(seats)
            .map(|s| if s == winner { 1 } else { -1 })
            .collect();
        Outcome { payoffs, why }
    }

    /// One seat loses and the others win: resignation and time-outs at most tables.
    pub fn loss(loser: Seat, seats: u8, why: Message) -> Self {
        let payoffs = Seat::all(seats)
            .map(|s| if s == loser { -1 } else { 1 })
            .collect();
        Outcome { payoffs, why }
    }

    /// Nobody wins.
    pub fn draw(seats: u8, why: Message) -> Self {
        Outcome {
            payoffs: vec![0; usize::from(seats)],
            why,
        }
    }

    /// What a seat gets.
    pub fn payoff(&self, seat: Seat) -> i32 {
        self.payoffs.get(seat.index()).copied().unwrap_or(0)
    }

    /// The seats with the greatest payoff: one winner, or several who share.
    pub fn best(&self) -> Vec<Seat> {
        let most = self.payoffs.iter().max();
        Seat::all(self.payoffs.len() as u8)
            .filter(|s| self.payoffs.get(s.index()) == most)
            .collect()
    }

    /// The single winner, if there is one.
    pub fn winner(&self) -> Option<Seat> {
        match self.best()[..] {
            [one] => Some(one),
            _ => None,
        }
    }
}

/// A way to end a game from outside its rules. What it costs is the game's choice.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum End {
    /// The seat gave up.
    Resigned,
    /// The seat's clock ran out.
    Flagged,
    /// The game reached the limit of moves it was given.
    Limit,
}

impl End {
    /// The sentence that tells it, with the name of the seat.
    pub fn tell(self, who: Message) -> Message {
        match self {
            End::Resigned => crate::WORDS.say("resigned").with("who", who),
            End::Flagged => crate::WORDS.say("flagged").with("who", who),
            End::Limit => crate::WORDS.say("limit"),
        }
    }
}
