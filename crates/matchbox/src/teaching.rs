//! How a machine is taught: beads to begin with, rewards, punishments.

use serde::{Deserialize, Serialize};
use wits_game::{Outcome, Seat};

/// How a game ended for the machine.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The machine won.
    Win,
    /// Nobody won.
    Draw,
    /// The machine lost, or resigned before an empty box.
    Loss,
}

impl Verdict {
    /// What an outcome means for a seat.
    pub fn of(outcome: &Outcome, seat: Seat) -> Verdict {
        Verdict::of_payoff(outcome.payoff(seat))
    }

    /// What a payoff means for the seat that gets it.
    pub const fn of_payoff(payoff: i32) -> Verdict {
        match payoff {
            1.. => Verdict::Win,
            0 => Verdict::Draw,
            _ => Verdict::Loss,
        }
    }

    /// Win 0, draw 1, loss 2: for tables.
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// Which of the drawn beads a loss touches.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Punish {
    /// Only the last one drawn.
    #[default]
    Last,
    /// All of them.
    All,
}

/// The rules of teaching.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Teaching {
    /// Beads of each colour to begin with, by the machine's own move: the first, the second, and so
    /// on; the last number also serves all later moves.
    pub start: Vec<u32>,
    /// Beads added for a win, to every box that was used.
    pub win: i32,
    /// Beads added for a draw, to every box that was used.
    pub draw: i32,
    /// Beads added for a loss; negative to take some out.
    pub loss: i32,
    /// Which boxes a loss touches.
    pub punish: Punish,
    /// At most this many beads of a colour in a box.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cap: Option<u32>,
}

impl Teaching {
    /// Gardner's way, as in the article: a lost game costs the last bead drawn, nothing else happens.
    pub fn punish_last() -> Teaching {
        Teaching {
            start: vec![1],
            win: 0,
            draw: 0,
            loss: -1,
            punish: Punish::Last,
            cap: None,
        }
    }

    /// The same, and a won game adds a bead of its colour to every box that was used.
    pub fn with_reward(reward: i32) -> Teaching {
        Teaching {
            win: reward,
            ..Teaching::punish_last()
        }
    }

    /// Michie's way for MENACE: three beads for a win, one for a draw, one taken for a loss, in every
    /// box that was used; 4, 3, 2 and 1 beads of each colour to begin with.
    pub fn menace() -> Teaching {
        Teaching {
            start: vec![4, 3, 2, 1],
            win: 3,
            draw: 1,
            loss: -1,
            punish: Punish::All,
            cap: None,
        }
    }

    /// Beads of each colour in a new box for the machine's `own`-th move, counted from zero.
    pub fn beads(&self, own: usize) -> u32 {
        let beads = self
            .start
            .get(own)
            .or(self.start.last())
            .copied()
            .unwrap_or(1);
        self.cap.map_or(beads, |cap| beads.min(cap))
    }

    /// By how much the count of a drawn bead changes.
    pub fn change(&self, verdict: Verdict, last: bool) -> i32 {
        match verdict {
            Verdict::Win => self.win,
            Verdict::Draw => self.draw,
            Verdict::Loss if last || self.punish == Punish::All => self.loss,
            Verdict::Loss => 0,
        }
    }

    /// A count after a change: never below none, never above the cap.
    #[inline]
    pub fn changed(&self, count: u32, change: i32) -> u32 {
        let raised = count.saturating_add_signed(change);
        // A cap does not take out what was put in by hand before.
        self.cap.map_or(raised, |cap| raised.min(cap.max(count)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beads_by_move_and_by_verdict() {
        let menace = Teaching::menace();
        let start: Vec<u32> = (0..6).map(|own| menace.beads(own)).collect();
        assert_eq!(start, [4, 3, 2, 1, 1, 1]);
        assert_eq!(menace.change(Verdict::Loss, false), -1);
        let her = Teaching::punish_last();
        assert_eq!(
            (
                her.change(Verdict::Loss, true),
                her.change(Verdict::Loss, false)
            ),
            (-1, 0)
        );
        assert_eq!(her.changed(0, -1), 0);
        let capped = Teaching {
            cap: Some(5),
            ..menace
        };
        assert_eq!(
            (
                capped.changed(4, 3),
                capped.changed(9, 3),
                capped.changed(9, -1)
            ),
            (5, 9, 8)
        );
    }
}
