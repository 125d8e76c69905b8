//! Games and losses until a machine is perfect, against one opponent, as exact fractions.

use std::collections::HashMap;

use serde::Serialize;

use super::Exact;
use crate::ratio::Ratio;
use crate::stats::Band;

/// Whom the machine plays, for exact work.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Rival {
    /// Any legal move, each equally likely.
    Random,
    /// Any of the moves that keep the value of the position, each equally likely.
    Perfect,
    /// Maximises its chance of winning against the present beads; any of several equally good moves.
    Punishing,
}

/// What happens to a machine against one opponent, exactly.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Expectation {
    /// The opponent.
    pub opponent: Rival,
    /// How many games it takes on average until the machine is perfect.
    pub games: Ratio,
    /// The same, rounded.
    pub games_about: f64,
    /// How many losses it takes on average.
    pub losses: Ratio,
    /// The same, rounded.
    pub losses_about: f64,
    /// The chance of each number of losses, from `min` losses on.
    pub distribution: Vec<f64>,
    /// The fewest losses that this opponent can teach with.
    pub min: u32,
    /// The most losses.
    pub max: u32,
    /// How many sets of lost beads can come up, sets counted once that differ only in boxes that are
    /// never used again.
    pub states: u64,
}

impl Expectation {
    /// The middle of the distribution of losses, and the band that holds 80 of 100.
    pub fn band(&self) -> Band {
        let bars: Vec<u64> = self
            .distribution
            .iter()
            .map(|p| (p * 1e12) as u64)
            .collect();
        let band = Band::of(&bars, 1.0);
        let from = f64::from(self.min);
        Band {
            low: band.low + from,
            median: band.median + from,
            high: band.high + from,
        }
    }
}

impl Exact<'_> {
    /// Adds what the rival may play, each equally likely; nothing where the game is over.
    fn replies(&self, rival: Rival, node: u32, chances: &[u128], list: &mut Vec<u32>) {
        match rival {
            Rival::Random => list.extend(self.chart.moves(node)),
            Rival::Perfect => list.extend(self.perfect.of(node)),
            Rival::Punishing => {
                let best = chances[node as usize];
                let good = |next: &&u32| chances[**next as usize] == best;
                list.extend(self.chart.moves(node).iter().filter(good));
            }
        }
    }

    /// The chance that the rival wins from each position when it does its best, as parts of the whole.
    fn chances(&self, lost: u32, chances: &mut [u128]) {
        for node in (0..chances.len() as u32).rev() {
            chances[node as usize] = if self.is_loss(node, lost) {
                self.whole
            } else if self.mine(node) {
                let sum: u128 = self
                    .beads(node, lost)
                    .map(|(_, next)| chances[next as usize])
                    .sum();
                sum / u128::from(self.left(self.chart.node(node).at, lost))
            } else {
                self.chart
                    .moves(node)
                    .iter()
                    .map(|&next| chances[next as usize])
                    .max()
                    .unwrap_or(0)
            };
        }
    }

    /// The chance that a game takes out each bead, as parts of the whole.
    fn taken(&self, rival: Rival, lost: u32, desk: &mut Scratch) {
        if rival == Rival::Punishing {
            self.chances(lost, &mut desk.chances);
        }
        desk.weights.fill(0);
        desk.taken.fill(0);
        self.spread(rival, lost, None, (0, self.whole), desk);
        for node in 0..desk.weights.len() as u32 {
            let weight = desk.weights[node as usize];
            if weight == 0 {
                continue;
            }
            let share = weight / u128::from(self.left(self.chart.node(node).at, lost));
            for (bit, next) in self.beads(node, lost) {
                self.spread(rival, lost, Some(bit), (next, share), desk);
            }
        }
    }

    /// Plays on from a position until the machine draws again, or until it has lost, which takes out the bead that was drawn last.
    fn spread(
        &self,
        rival: Rival,
        lost: u32,
        bead: Option<u8>,
        (node, share): (u32, u128),
        desk: &mut Scratch,
    ) {
        if self.is_loss(node, lost) {
            if let Some(bead) = bead {
                desk.taken[usize::from(bead)] += share;
            }
        } else if self.draws(node) {
            desk.weights[node as usize] += share;
        } else if self.mine(node) {
            let then = self.chart.moves(node)[0];
            self.spread(rival, lost, bead, (then, share), desk);
        } else {
            // The replies of all positions on the way lie on one stack.
            let first = desk.list.len();
            self.replies(rival, node, &desk.chances, &mut desk.list);
            let replies = first..desk.list.len();
            for at in replies.clone() {
                let part = share / replies.len() as u128;
                self.spread(rival, lost, bead, (desk.list[at], part), desk);
            }
            desk.list.truncate(first);
        }
    }

    /// The set without what no longer matters: beads of boxes that are never used again.
    fn essence(&self, lost: u32, reached: &mut [bool]) -> u32 {
        let (_, useful) = self.removable(lost, reached);
        lost & useful
    }

    /// Games and losses until the machine is perfect, as exact fractions.
    ///
    /// `stop` is asked now and then; nothing comes back when it says so.
    pub fn expect(&self, rival: Rival, stop: &dyn Fn() -> bool) -> Option<Expectation> {
        let nodes = self.chart.nodes().len();
        let mut desk = Scratch {
            chances: vec![0; nodes],
            weights: vec![0; nodes],
            taken: vec![0; self.losing],
            list: Vec::new(),
        };
        let mut reached = vec![false; nodes];
        // Forward: which sets come up, with their chances. What matters of a set never grows back,
        // but it can shrink, so the sets are ordered by the losses so far.
        let mut layers: Vec<Vec<(u32, f64)>> = vec![vec![(self.essence(0, &mut reached), 1.0)]];
        let mut next_of: HashMap<u32, Vec<(u128, u32)>> = HashMap::new();
        let mut ended = Vec::new();
        let mut order: Vec<u32> = Vec::new();
        while let Some(layer) = layers.pop() {
            if layer.is_empty() || stop() {
                if stop() {
                    return None;
                }
                break;
            }
            let mut finished = 0.0;
            let mut chance_of: HashMap<u32, f64> = HashMap::new();
            let mut found = Vec::new();
            for (lost, chance) in layer {
                let steps = next_of.entry(lost).or_insert_with(|| {
                    order.push(lost);
                    self.taken(rival, lost, &mut desk);
                    let steps = desk.taken.iter().enumerate().filter(|(_, w)| **w > 0);
                    let steps: Vec<(u128, u32)> =
                        steps.map(|(bit, w)| (*w, lost | 1 << bit)).collect();
                    steps
                        .into_iter()
                        .map(|(w, set)| (w, self.essence(set, &mut reached)))
                        .collect()
                });
                let total: u128 = steps.iter().map(|(w, _)| w).sum();
                if total == 0 {
                    finished += chance;
                }
                for &(w, set) in steps.iter() {
                    let part = chance * (w as f64 / total as f64);
                    let known = chance_of.entry(set).or_insert_with(|| {
                        found.push(set);
                        0.0
                    });
                    *known += part;
                }
            }
            ended.push(finished);
            layers.push(
                found
                    .into_iter()
                    .map(|set| (set, chance_of[&set]))
                    .collect(),
            );
        }
        let (games, losses) = self.backward(&order, &next_of, stop)?;
        let min = ended.iter().position(|&p| p > 0.0).unwrap_or(0);
        let max = ended.iter().rposition(|&p| p > 0.0).unwrap_or(0);
        Some(Expectation {
            opponent: rival,
            games_about: games.approximate(),
            losses_about: losses.approximate(),
            games,
            losses,
            distribution: ended[min..=max].to_vec(),
            min: min as u32,
            max: max as u32,
            states: order.len() as u64,
        })
    }

    /// From the last sets back to the first.
    fn backward(
        &self,
        order: &[u32],
        next_of: &HashMap<u32, Vec<(u128, u32)>>,
        stop: &dyn Fn() -> bool,
    ) -> Option<(Ratio, Ratio)> {
        let mut known: HashMap<u32, (Ratio, Ratio)> = HashMap::new();
        let first = order[0];
        // Depth first, because what matters of a set can shrink and so its number says nothing.
        let mut stack = vec![first];
        while let Some(&set) = stack.last() {
            if stop() {
                return None;
            }
            if known.contains_key(&set) {
                stack.pop();
                continue;
            }
            let steps = &next_of[&set];
            let before = stack.len();
            stack.extend(
                steps
                    .iter()
                    .map(|(_, next)| *next)
                    .filter(|next| !known.contains_key(next)),
            );
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let total: u128 = steps.iter().map(|(w, _)| w).sum();
            let found = if total == 0 {
                (Ratio::whole(0), Ratio::whole(0))
            } else {
                let common = steps
                    .iter()
                    .fold(self.whole, |c, (w, _)| num_integer::gcd(c, *w));
                let part = |pick: fn(&(Ratio, Ratio)) -> &Ratio| -> Vec<(u128, &Ratio)> {
                    steps
                        .iter()
                        .map(|(w, next)| (w / common, pick(&known[next])))
                        .collect()
                };
                let games = Ratio::blend(self.whole / common, &part(|k| &k.0), total / common);
                let losses = Ratio::blend(total / common, &part(|k| &k.1), total / common);
                (games, losses)
            };
            known.insert(set, found);
        }
        known.remove(&first)
    }
}

#[derive(Debug)]
struct Scratch {
    chances: Vec<u128>,
    weights: Vec<u128>,
    taken: Vec<u128>,
    list: Vec<u32>,
}
