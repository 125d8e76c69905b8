//! A population: genomes and how fit they are.

use serde::{Deserialize, Serialize};
use wits_game::{Dice, Seed};

/// One genome and how fit it is.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Member<G> {
    /// The genome.
    pub genome: G,
    /// How fit it is; more is better.
    pub fitness: f64,
}

/// All that a run needs to go on: the generation, the seed and the members, the fittest first.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Population<G> {
    /// How many generations there were before this one.
    pub generation: u64,
    /// Where all chance comes from.
    pub seed: Seed,
    /// The members, the fittest first; empty before the first generation.
    pub members: Vec<Member<G>>,
    /// How many fitnesses were asked for so far.
    pub judged: u64,
}

impl<G> Population<G> {
    /// Nobody yet.
    pub fn new(seed: Seed) -> Population<G> {
        Population {
            generation: 0,
            seed,
            members: Vec::new(),
            judged: 0,
        }
    }

    /// The fittest member.
    pub fn best(&self) -> Option<&Member<G>> {
        self.members.first()
    }

    /// The average fitness.
    pub fn mean(&self) -> f64 {
        let sum: f64 = self.members.iter().map(|m| m.fitness).sum();
        sum / self.members.len().max(1) as f64
    }

    /// The dice of one generation. Nothing of them has to be kept.
    pub(super) fn dice(&self, generation: u64) -> Dice {
        Dice::new(self.seed.nth(generation))
    }

    /// Puts the fittest first; of equals, the older.
    pub fn sort(&mut self) {
        self.members.sort_by(|a, b| b.fitness.total_cmp(&a.fitness));
    }

    /// A wheel on which everybody has a share in proportion to fitness.
    ///
    /// Where some fitness is negative, all are counted from the lowest one. Where all shares are
    /// zero, they are made equal.
    pub(super) fn wheel(&self) -> Wheel {
        let floor = self.members.iter().map(|m| m.fitness).fold(0.0, f64::min);
        let mut sum = 0.0;
        let mut ends: Vec<f64> = self
            .members
            .iter()
            .map(|m| {
                sum += m.fitness - floor;
                sum
            })
            .collect();
        if sum <= 0.0 {
            ends = (1..=ends.len()).map(|n| n as f64).collect();
        }
        Wheel { ends }
    }
}

/// Where each member's share of the wheel ends.
pub(super) struct Wheel {
    ends: Vec<f64>,
}

impl Wheel {
    /// The place of a member, drawn in proportion to its share.
    pub(super) fn spin(&self, dice: &mut Dice) -> usize {
        let whole = self.ends.last().copied().unwrap_or(0.0);
        let ball = dice.unit() * whole;
        let place = self.ends.partition_point(|&end| end <= ball);
        place.min(self.ends.len().saturating_sub(1))
    }
}

/// A fitness that can be compared and added: not a number counts as the worst, and the infinite as very much.
pub(super) fn sane(fitness: f64) -> f64 {
    const MOST: f64 = 1e150;
    if fitness.is_nan() {
        -MOST
    } else {
        fitness.clamp(-MOST, MOST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(fitnesses: &[f64]) -> Population<usize> {
        let mut population = Population::new(Seed::new(1));
        population.members = fitnesses
            .iter()
            .enumerate()
            .map(|(genome, &fitness)| Member { genome, fitness })
            .collect();
        population
    }

    fn spins(fitnesses: &[f64]) -> Vec<u32> {
        let wheel = of(fitnesses).wheel();
        let mut dice = Dice::new(Seed::new(3));
        let mut seen = vec![0; fitnesses.len()];
        for _ in 0..12_000 {
            seen[wheel.spin(&mut dice)] += 1;
        }
        seen
    }

    #[test]
    fn selection_is_in_proportion_to_fitness() {
        let near = |seen: &[u32], expected: &[u32]| {
            for (&s, &e) in seen.iter().zip(expected) {
                assert!(s.abs_diff(e) < 350 && (e > 0 || s == 0), "{seen:?}");
            }
        };
        near(&spins(&[3.0, 2.0, 1.0]), &[6_000, 4_000, 2_000]);
        near(&spins(&[5.0, 0.0, 5.0]), &[6_000, 0, 6_000]);
        near(&spins(&[1.0, -1.0, -2.0]), &[9_000, 3_000, 0]);
        near(&spins(&[0.0, 0.0]), &[6_000, 6_000]);
        near(&spins(&[-4.0, -4.0]), &[6_000, 6_000]);
    }

    #[test]
    fn a_fitness_that_is_no_number_is_the_worst() {
        let mut population = of(&[sane(f64::NAN), sane(1.0), sane(f64::INFINITY)]);
        population.sort();
        let order: Vec<usize> = population.members.iter().map(|m| m.genome).collect();
        assert_eq!(order, [2, 1, 0]);
    }
}
