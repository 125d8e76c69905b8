//! Other ways to learn from the same boxes: numbers in the place of beads.
//!
//! A box is a state, its moves are the actions, and the only reward is the end of the game: 1 for a win, 0 for a draw, -1 for a
//! loss. All four look at nothing but the boxes that they used, as beads do, so their curves can be laid beside those of beads.
//!
//! | learner | chooses | learns |
//! | --- | --- | --- |
//! | `q` | the best move, with chance `explore` any | Q-learning (Watkins 1989): towards the best value of the next own box |
//! | `sarsa` | the same | towards the value of the move that was really chosen there (Rummery and Niranjan 1994) |
//! | `bandit` | the greatest upper bound (UCB1: Auer, Cesa-Bianchi and Fischer 2002) | each box the mean end of the games through each move |
//! | `gradient` | by chance, softmax of the preferences | Monte Carlo policy gradient (REINFORCE: Williams 1992) |

use std::fmt;
use std::str::FromStr;

use serde::Serialize;
use wits_game::Dice;

use crate::chart::Chart;
use crate::teaching::Verdict;

/// How a pupil learns.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// Boxes and beads, as the machine's teaching says.
    #[default]
    Beads,
    /// Q-learning.
    Q,
    /// SARSA.
    Sarsa,
    /// A bandit in each box.
    Bandit,
    /// Policy gradient.
    Gradient,
}

/// A word that names no way to learn.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is not a way to learn; there are: beads, q, sarsa, bandit, gradient")]
pub struct NoSuchMethod(String);

impl Method {
    /// All of them.
    pub const ALL: [Method; 5] = [
        Method::Beads,
        Method::Q,
        Method::Sarsa,
        Method::Bandit,
        Method::Gradient,
    ];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Method::Beads => "beads",
            Method::Q => "q",
            Method::Sarsa => "sarsa",
            Method::Bandit => "bandit",
            Method::Gradient => "gradient",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Method {
    type Err = NoSuchMethod;

    fn from_str(text: &str) -> Result<Method, NoSuchMethod> {
        let named = |method: &Method| method.name() == text;
        Method::ALL
            .into_iter()
            .find(named)
            .ok_or_else(|| NoSuchMethod(crate::words::shown(text)))
    }
}

/// A way to learn with its numbers.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Learning {
    /// Which way.
    pub method: Method,
    /// How far a value moves towards what was seen; for bandits the weight of the bound.
    pub rate: f64,
    /// The chance of a move by lot, for `q` and `sarsa`.
    pub explore: f64,
}

impl Default for Learning {
    fn default() -> Learning {
        Learning::new(Method::Beads)
    }
}

impl Learning {
    /// A way to learn with its usual numbers.
    pub const fn new(method: Method) -> Learning {
        let rate = match method {
            Method::Bandit => 1.0,
            Method::Gradient => 0.3,
            _ => 0.2,
        };
        Learning {
            method,
            rate,
            explore: 0.1,
        }
    }
}

/// The numbers of one pupil, box by box as beads would lie, and what it chose in the present game.
#[derive(Clone, Debug)]
pub(crate) struct Pupil {
    learning: Learning,
    /// For every bead a value, a mean or a preference.
    values: Vec<f64>,
    /// How often each was chosen; for bandits.
    counts: Vec<u32>,
    /// The boxes of this game: where the box begins, how many moves it has, which was chosen.
    chosen: Vec<(u32, u32, u32)>,
}

impl Pupil {
    pub(crate) fn new(learning: Learning, slots: usize) -> Pupil {
        Pupil {
            learning,
            values: vec![0.0; slots],
            counts: vec![0; slots],
            chosen: Vec::with_capacity(16),
        }
    }

    /// Forgets everything.
    pub(crate) fn begin(&mut self) {
        self.values.fill(0.0);
        self.counts.fill(0);
        self.chosen.clear();
    }

    /// Chooses a move of a box and tells where it leads.
    pub(crate) fn choose(&mut self, chart: &Chart, node: u32, dice: &mut Dice) -> u32 {
        let draws = chart.draws(node);
        let (first, count) = (chart.node(node).first, draws.len() as u32);
        let range = first as usize..(first + count) as usize;
        let values = &self.values[range.clone()];
        let action = match self.learning.method {
            Method::Q | Method::Sarsa if dice.unit() < self.learning.explore => {
                dice.below(values.len())
            }
            Method::Bandit => {
                let counts = &self.counts[range];
                let played: u32 = counts.iter().sum();
                let bound = |i: usize| match counts[i] {
                    0 => f64::INFINITY,
                    n => {
                        let width = libm::log(f64::from(played)) / f64::from(n);
                        values[i] + self.learning.rate * libm::sqrt(2.0 * width)
                    }
                };
                greatest(values.len(), bound, dice)
            }
            Method::Gradient => drawn(values, dice),
            _ => greatest(values.len(), |i| values[i], dice),
        };
        // The value of a box is learnt from the next one that is used.
        if let Some(&last) = self.chosen.last() {
            match self.learning.method {
                Method::Q => {
                    let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                    self.move_towards(last, best);
                }
                Method::Sarsa => {
                    let next = values[action];
                    self.move_towards(last, next);
                }
                _ => {}
            }
        }
        self.chosen.push((first, count, action as u32));
        draws[action]
    }

    fn move_towards(&mut self, (first, _, action): (u32, u32, u32), target: f64) {
        let value = &mut self.values[(first + action) as usize];
        *value += self.learning.rate * (target - *value);
    }

    /// Learns from the end of the game.
    pub(crate) fn finish(&mut self, verdict: Verdict) {
        let reward = match verdict {
            Verdict::Win => 1.0,
            Verdict::Draw => 0.0,
            Verdict::Loss => -1.0,
        };
        match self.learning.method {
            Method::Q | Method::Sarsa => {
                if let Some(&last) = self.chosen.last() {
                    self.move_towards(last, reward);
                }
            }
            Method::Bandit => {
                for &(first, _, action) in &self.chosen {
                    let slot = (first + action) as usize;
                    self.counts[slot] += 1;
                    let part = (reward - self.values[slot]) / f64::from(self.counts[slot]);
                    self.values[slot] += part;
                }
            }
            Method::Gradient => {
                for &(first, count, action) in &self.chosen {
                    let values = &mut self.values[first as usize..(first + count) as usize];
                    let chances = softmax(values);
                    for (i, value) in values.iter_mut().enumerate() {
                        let own = f64::from(u8::from(i == action as usize));
                        *value += self.learning.rate * reward * (own - chances[i]);
                    }
                }
            }
            Method::Beads => {}
        }
        self.chosen.clear();
    }

    /// One bead for each of the best moves of every box: what the pupil would play without trying anything. Says whether any changed.
    pub(crate) fn greedy(&self, totals: impl Iterator<Item = usize>, beads: &mut [u32]) -> bool {
        let (mut first, mut changed) = (0, false);
        for count in totals {
            let values = &self.values[first..first + count];
            let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            for (bead, value) in beads[first..first + count].iter_mut().zip(values) {
                let now = u32::from(*value >= best);
                changed |= *bead != now;
                *bead = now;
            }
            first += count;
        }
        changed
    }
}

/// A place of the greatest number, one of several equal ones by lot.
fn greatest(count: usize, of: impl Fn(usize) -> f64, dice: &mut Dice) -> usize {
    let best = (0..count).map(&of).fold(f64::NEG_INFINITY, f64::max);
    let equals = (0..count).filter(|&i| of(i) >= best).count();
    let lot = if equals > 1 { dice.below(equals) } else { 0 };
    (0..count).filter(|&i| of(i) >= best).nth(lot).unwrap_or(0)
}

fn softmax(values: &[f64]) -> Vec<f64> {
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let parts: Vec<f64> = values.iter().map(|v| libm::exp(v - most)).collect();
    let sum: f64 = parts.iter().sum();
    parts.into_iter().map(|part| part / sum).collect()
}

fn drawn(values: &[f64], dice: &mut Dice) -> usize {
    let mut ticket = dice.unit();
    let chances = softmax(values);
    for (i, chance) in chances.iter().enumerate() {
        if ticket < *chance {
            return i;
        }
        ticket -= chance;
    }
    chances.len() - 1
}
