//! Whom a machine learns from.

use std::fmt;
use std::str::FromStr;

use wits_game::{Dice, Seat};

use crate::chart::{Chart, NO_BOX};
use crate::machine::Machine;
use crate::survey::Stand;

/// Whom a machine learns from.
#[derive(Clone, PartialEq, Debug)]
pub enum Opponent {
    /// Any legal move, each equally likely.
    Random,
    /// Any of the moves that keep the value of the position, each equally likely.
    Perfect,
    /// A perfect move with this chance, otherwise any move: 0 is random, 1 is perfect.
    Skilled(f64),
    /// Knows the beads as they are now and maximises its chance of winning against them; any of
    /// several equally good moves.
    Punishing,
    /// Another machine, taught by the same games or not.
    Machine {
        /// The other machine as it is before the first game.
        machine: Box<Machine>,
        /// Whether it is taught.
        learn: bool,
    },
}

/// A word that names no opponent.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "`{0}` is not an opponent; there are: random, perfect, punishing, skilled:P with P from 0 to 1, machine"
)]
pub struct NoSuchOpponent(String);

impl FromStr for Opponent {
    type Err = NoSuchOpponent;

    /// Reads all but machines, which need a file or a kind.
    fn from_str(text: &str) -> Result<Opponent, NoSuchOpponent> {
        let wrong = || NoSuchOpponent(crate::words::shown(text));
        match text {
            "random" => Ok(Opponent::Random),
            "perfect" => Ok(Opponent::Perfect),
            "punishing" => Ok(Opponent::Punishing),
            _ => {
                let skill: f64 = text
                    .strip_prefix("skilled:")
                    .ok_or_else(wrong)?
                    .parse()
                    .map_err(|_| wrong())?;
                if (0.0..=1.0).contains(&skill) {
                    Ok(Opponent::Skilled(skill))
                } else {
                    Err(wrong())
                }
            }
        }
    }
}

impl fmt::Display for Opponent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Opponent::Random => f.write_str("random"),
            Opponent::Perfect => f.write_str("perfect"),
            Opponent::Skilled(skill) => write!(f, "skilled:{skill}"),
            Opponent::Punishing => f.write_str("punishing"),
            Opponent::Machine { machine, .. } => write!(f, "machine {}", machine.name()),
        }
    }
}

/// Some of the moves of every position, as one flat list.
#[derive(Clone, Debug, Default)]
pub(crate) struct Advice {
    ends: Vec<u32>,
    list: Vec<u32>,
}

impl Advice {
    /// Where the advised moves of a position lead.
    #[inline]
    pub(crate) fn of(&self, node: u32) -> &[u32] {
        let from = if node == 0 {
            0
        } else {
            self.ends[node as usize - 1]
        };
        &self.list[from as usize..self.ends[node as usize] as usize]
    }

    /// Any of the advised moves.
    #[inline]
    pub(crate) fn pick(&self, node: u32, dice: &mut Dice) -> u32 {
        let list = self.of(node);
        if list.len() == 1 {
            list[0]
        } else {
            list[dice.below(list.len())]
        }
    }

    /// The moves that keep the value of each position.
    pub(crate) fn perfect(chart: &Chart) -> Advice {
        let mut advice = Advice::default();
        for node in 0..chart.nodes().len() as u32 {
            let value = chart.node(node).value;
            let keeps = |next: &&u32| chart.node(**next).value == value;
            advice.list.extend(chart.moves(node).iter().filter(keeps));
            advice.ends.push(advice.list.len() as u32);
        }
        advice
    }
}

/// The best answer to a machine's beads: what wins most often, worked out from the ends back.
#[derive(Clone, Debug, Default)]
pub(crate) struct Punisher {
    chances: Vec<f64>,
    pub(crate) advice: Advice,
}

/// Chances this close are the same: far below what two different sets of beads can differ by, far
/// above what rounding does.
const SAME: f64 = 1e-9;

impl Punisher {
    /// Works out the answer to these beads of the machine in `seat`.
    pub(crate) fn study(&mut self, chart: &Chart, seat: Seat, beads: &[u32]) {
        let count = chart.nodes().len();
        self.chances.resize(count, 0.0);
        for node in (0..count as u32).rev() {
            let here = chart.node(node);
            let chance = |next: &u32| self.chances[*next as usize];
            self.chances[node as usize] = match here.stand {
                Stand::Over(payoff) => {
                    let own = if seat == Seat::FIRST { -payoff } else { payoff };
                    f64::from(u8::from(own > 0))
                }
                Stand::Of(whose) if whose == seat && here.at != NO_BOX => {
                    let draws = chart.draws(node);
                    let beads = &beads[here.first as usize..here.first as usize + draws.len()];
                    let total: u64 = beads.iter().map(|&n| u64::from(n)).sum();
                    let sum: f64 = draws
                        .iter()
                        .zip(beads)
                        .map(|(d, &n)| f64::from(n) * chance(d))
                        .sum();
                    // An empty box resigns.
                    if total == 0 { 1.0 } else { sum / total as f64 }
                }
                Stand::Of(_) => chart.moves(node).iter().map(chance).fold(0.0, f64::max),
            };
        }
        self.advice.list.clear();
        self.advice.ends.clear();
        for node in 0..count as u32 {
            let best = self.chances[node as usize] - SAME;
            if chart.node(node).stand == Stand::Of(seat.other()) {
                let good = |next: &&u32| self.chances[**next as usize] >= best;
                self.advice
                    .list
                    .extend(chart.moves(node).iter().filter(good));
            }
            self.advice.ends.push(self.advice.list.len() as u32);
        }
    }
}
