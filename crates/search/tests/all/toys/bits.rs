//! A species of bits that wants to be all ones.

use wits_game::Dice;
use wits_search::evolve::{Breed, Species};

/// How many bits.
pub struct Ones(pub usize);

impl Breed for Ones {
    type Genome = Vec<bool>;

    fn newcomer(&self, dice: &mut Dice) -> Vec<bool> {
        (0..self.0).map(|_| dice.below(2) == 1).collect()
    }

    fn cross(&self, a: &Vec<bool>, b: &Vec<bool>, dice: &mut Dice) -> Vec<bool> {
        let at = dice.below(self.0 + 1);
        a[..at].iter().chain(&b[at..]).copied().collect()
    }

    fn mutate(&self, genome: &mut Vec<bool>, rate: f64, dice: &mut Dice) {
        for bit in genome {
            *bit ^= dice.unit() < rate;
        }
    }
}

impl Species for Ones {
    fn fitness(&self, genome: &Vec<bool>) -> f64 {
        genome.iter().filter(|&&bit| bit).count() as f64
    }

    fn name(&self, genome: &Vec<bool>) -> String {
        genome
            .iter()
            .map(|&bit| if bit { '1' } else { '0' })
            .collect()
    }
}
