//! The three ways to improve numbers, behind one door.

use serde::{Deserialize, Serialize};
use wits_game::{Dice, Seed};
use wits_search::evolve::{
    Breed, Cma, EvolveOptions, Gains, Member, Population, Spsa, founders, offspring,
};

use super::Gene;

/// How numbers are improved.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "method")]
pub enum Method {
    /// A genetic algorithm: an elite lives on, some are drawn anew, the rest are children.
    Genetic {
        /// How many candidates a generation has.
        population: usize,
        /// The share of the best that live on.
        elite: f64,
        /// The share that is drawn anew.
        newcomers: f64,
    },
    /// A cloud of candidates that learns its shape.
    CmaEs {
        /// How many candidates a generation has.
        population: usize,
    },
    /// Small steps along random directions.
    Spsa {
        /// How many candidates a generation has: two for every direction.
        population: usize,
        /// How far a difference of one Elo point moves, in steps.
        gain: f64,
    },
}

impl Method {
    fn options(population: usize, elite: f64, newcomers: f64) -> EvolveOptions {
        EvolveOptions {
            size: population,
            elite,
            newcomers,
            crossover: 1.0,
            mutation: 1.0,
            ..EvolveOptions::default()
        }
    }
}

/// Where a method stands: plain data.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum State {
    Genetic(Population<Vec<f64>>),
    CmaEs(Cma),
    Spsa(Spsa),
}

/// Lists of numbers, each with its own range and its own reach of change.
struct Numbers<'a>(&'a [Gene]);

impl Breed for Numbers<'_> {
    type Genome = Vec<f64>;

    fn newcomer(&self, dice: &mut Dice) -> Vec<f64> {
        let draw = |g: &Gene| g.range.0 + dice.unit() * (g.range.1 - g.range.0);
        self.0.iter().map(draw).collect()
    }

    fn cross(&self, a: &Vec<f64>, b: &Vec<f64>, dice: &mut Dice) -> Vec<f64> {
        let one = |(&x, &y)| if dice.below(2) == 0 { x } else { y };
        a.iter().zip(b).map(one).collect()
    }

    fn mutate(&self, genome: &mut Vec<f64>, rate: f64, dice: &mut Dice) {
        for (value, gene) in genome.iter_mut().zip(self.0) {
            if dice.unit() < rate {
                *value += gene.step * (2.0 * dice.unit() - 1.0);
            }
        }
    }
}

impl State {
    pub(crate) fn new(method: Method, genes: &[Gene], seed: Seed) -> State {
        let start = || genes.iter().map(|g| g.start).collect();
        let steps = || genes.iter().map(|g| g.step).collect();
        match method {
            Method::Genetic { .. } => State::Genetic(Population::new(seed)),
            Method::CmaEs { population } => {
                State::CmaEs(Cma::new(start(), steps(), population, seed))
            }
            Method::Spsa { population, gain } => {
                let gains = Gains {
                    step: gain,
                    ..Gains::default()
                };
                State::Spsa(Spsa::new(start(), steps(), population / 2, gains, seed))
            }
        }
    }

    /// The candidates of the present generation. The same state names the same ones.
    pub(crate) fn ask(&self, method: Method, genes: &[Gene]) -> Vec<Vec<f64>> {
        let mut points = match (self, method) {
            (
                State::Genetic(now),
                Method::Genetic {
                    population,
                    elite,
                    newcomers,
                },
            ) => {
                let options = Method::options(population, elite, newcomers);
                if now.members.is_empty() {
                    founders(&Numbers(genes), now, &options)
                } else {
                    // The elite is judged again with the others: luck does not last.
                    let best = options.elite_of(now.members.len());
                    let elite = now.members[..best].iter().map(|m| m.genome.clone());
                    elite
                        .chain(offspring(&Numbers(genes), now, &options))
                        .collect()
                }
            }
            (State::CmaEs(cma), _) => cma.ask(),
            (State::Spsa(spsa), _) => spsa.ask(),
            (State::Genetic(_), _) => Vec::new(),
        };
        for point in &mut points {
            for (value, gene) in point.iter_mut().zip(genes) {
                *value = gene.fit(*value);
            }
        }
        points
    }

    /// Takes what the candidates were worth, in their order.
    pub(crate) fn tell(&mut self, points: Vec<Vec<f64>>, worth: &[f64]) {
        match self {
            State::Genetic(now) => {
                now.generation += u64::from(!now.members.is_empty());
                now.judged += points.len() as u64;
                let member = |(genome, &fitness)| Member { genome, fitness };
                now.members = points.into_iter().zip(worth).map(member).collect();
                now.sort();
            }
            State::CmaEs(cma) => cma.tell(worth),
            State::Spsa(spsa) => spsa.tell(worth),
        }
    }

    /// The present answer of a method that has one besides its candidates.
    pub(crate) fn answer(&self) -> Option<Vec<f64>> {
        match self {
            State::Genetic(_) => None,
            State::CmaEs(cma) => Some(cma.mean().to_vec()),
            State::Spsa(spsa) => Some(spsa.at().to_vec()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn genes() -> Vec<Gene> {
        let gene = |n: usize| Gene {
            param: format!("p{n}"),
            whole: false,
            allowed: (-100.0, 100.0),
            range: (-1.0, 1.0),
            step: 0.1,
            start: 0.0,
        };
        (0..5).map(gene).collect()
    }

    #[test]
    fn nothing_is_minus_nothing() {
        let mut gene = genes().remove(0);
        assert_eq!(gene.fit(-0.0001).to_string(), "0");
        gene.whole = true;
        assert_eq!(gene.fit(-0.4).to_string(), "0");
        assert_eq!(gene.fit(-0.6).to_string(), "-1");
    }

    /// Each method climbs a hill whose top is known, through what games would add as noise.
    #[test]
    fn every_method_finds_a_known_top() {
        let top = [0.7, -0.4, 0.2, 1.3, -0.9];
        let worth = |p: &Vec<f64>| -> f64 {
            let far: f64 = p.iter().zip(top).map(|(x, t)| (x - t) * (x - t)).sum();
            -400.0 * far
        };
        for (method, rounds) in [
            (
                Method::Genetic {
                    population: 60,
                    elite: 0.25,
                    newcomers: 0.10,
                },
                120,
            ),
            (Method::CmaEs { population: 12 }, 120),
            (
                Method::Spsa {
                    population: 4,
                    gain: 0.02,
                },
                800,
            ),
        ] {
            let genes = genes();
            let mut state = State::new(method, &genes, Seed::new(4));
            let mut best = Vec::new();
            for round in 0..rounds {
                let points = state.ask(method, &genes);
                assert_eq!(points, state.ask(method, &genes), "asking changes nothing");
                let noise = |i: usize| f64::from((round * 31 + i as u32 * 17) % 7) - 3.0;
                let all: Vec<f64> = points
                    .iter()
                    .enumerate()
                    .map(|(i, p)| worth(p) + noise(i))
                    .collect();
                let at = (0..all.len())
                    .max_by(|&a, &b| all[a].total_cmp(&all[b]))
                    .unwrap();
                best = state.answer().unwrap_or_else(|| points[at].clone());
                state.tell(points, &all);
                let text = serde_json::to_string(&state).unwrap();
                state = serde_json::from_str(&text).unwrap();
            }
            for (x, t) in best.iter().zip(top) {
                assert!((x - t).abs() < 0.15, "{method:?}: {best:?}");
            }
        }
    }
}
