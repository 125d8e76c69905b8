//! The genetic algorithm: what each option does, and that a run can be interrupted.
#![allow(clippy::unwrap_used, reason = "a test may fail")]
#![allow(clippy::float_cmp, reason = "these fitnesses are whole numbers")]

use crate::toys::bits::Ones;
use proptest::prelude::*;
use wits_game::{Dice, Seed};
use wits_search::evolve::{Breed, EvolveOptions, Evolved, Population, Species, evolve};
use wits_search::{Budget, Kind, Limits, Step};

type Bits = Vec<bool>;

const FEW: EvolveOptions = EvolveOptions {
    size: 20,
    elite: 0.1,
    newcomers: 0.1,
    crossover: 0.8,
    mutation: 0.05,
    generations: 10,
    target: None,
};

fn run(options: &EvolveOptions, seed: u64) -> Vec<Population<Bits>> {
    let mut all = Vec::new();
    let nobody = Population::new(Seed::new(seed));
    let each = &mut |p: &Population<Bits>| all.push(p.clone());
    let last = evolve(
        &Ones(24),
        nobody,
        options,
        &Budget::endless(),
        each,
        &mut (),
    );
    assert!(last.complete);
    assert_eq!(all.last(), Some(&last.population));
    all
}

/// A knapsack: which things to take, worth the most under a weight.
struct Knapsack {
    things: Vec<(u32, u32)>,
    most: u32,
}

impl Knapsack {
    fn worth(&self, taken: &[bool]) -> Option<u32> {
        let chosen = || self.things.iter().zip(taken).filter(|(_, t)| **t);
        let weight: u32 = chosen().map(|(thing, _)| thing.0).sum();
        (weight <= self.most).then(|| chosen().map(|(thing, _)| thing.1).sum())
    }
}

impl Breed for Knapsack {
    type Genome = Bits;

    fn newcomer(&self, dice: &mut Dice) -> Bits {
        Ones(self.things.len()).newcomer(dice)
    }

    fn cross(&self, a: &Bits, b: &Bits, dice: &mut Dice) -> Bits {
        Ones(self.things.len()).cross(a, b, dice)
    }

    fn mutate(&self, genome: &mut Bits, rate: f64, dice: &mut Dice) {
        Ones(self.things.len()).mutate(genome, rate, dice);
    }
}

impl Species for Knapsack {
    fn fitness(&self, genome: &Bits) -> f64 {
        self.worth(genome).map_or(0.0, f64::from)
    }

    fn name(&self, genome: &Bits) -> String {
        Ones(self.things.len()).name(genome)
    }
}

#[test]
fn knapsacks_are_packed_as_well_as_can_be() {
    for seed in 0..6 {
        let mut dice = Dice::new(Seed::new(seed));
        let things: Vec<(u32, u32)> = (0..12)
            .map(|_| (1 + dice.below(20) as u32, 1 + dice.below(30) as u32))
            .collect();
        let sack = Knapsack { things, most: 60 };
        let best = (0..1 << 12)
            .filter_map(|set| sack.worth(&(0..12).map(|i| set >> i & 1 == 1).collect::<Bits>()))
            .max()
            .unwrap();
        let nobody = Population::new(Seed::new(seed));
        let options = EvolveOptions {
            target: Some(f64::from(best)),
            generations: 200,
            ..EvolveOptions::default()
        };
        let found = evolve(
            &sack,
            nobody,
            &options,
            &Budget::endless(),
            &mut |_| (),
            &mut (),
        );
        assert_eq!(
            found.population.best().unwrap().fitness,
            f64::from(best),
            "seed {seed}"
        );
    }
}

#[test]
fn the_elite_lives_on() {
    let all = run(&FEW, 2);
    assert_eq!(all.len(), 11);
    for pair in all.windows(2) {
        for elder in &pair[0].members[..2] {
            assert!(pair[1].members.contains(elder));
        }
        assert!(pair[1].best().unwrap().fitness >= pair[0].best().unwrap().fitness);
        assert_eq!(pair[1].members.len(), 20);
        assert_eq!(
            pair[1].judged - pair[0].judged,
            18,
            "the elite is not judged again"
        );
    }
    // With no elite and much change, the best is lost now and then.
    let wild = EvolveOptions {
        elite: 0.0,
        mutation: 0.4,
        ..FEW
    };
    let best = |p: &Population<Bits>| p.best().unwrap().fitness;
    assert!(
        run(&wild, 2)
            .windows(2)
            .any(|pair| best(&pair[1]) < best(&pair[0]))
    );
}

#[test]
fn children_come_from_parents_and_newcomers_from_outside() {
    let copies = EvolveOptions {
        elite: 0.0,
        newcomers: 0.0,
        crossover: 0.0,
        mutation: 0.0,
        ..FEW
    };
    let all = run(&copies, 3);
    for pair in all.windows(2) {
        assert!(pair[1].members.iter().all(|m| pair[0].members.contains(m)));
    }
    // Copies of the fit drive out the others.
    assert!(all[10].mean() > all[0].mean());
    let crossed = EvolveOptions {
        crossover: 1.0,
        ..copies
    };
    let all = run(&crossed, 3);
    assert!(all[1].members.iter().any(|m| !all[0].members.contains(m)));
    let strangers = EvolveOptions {
        newcomers: 0.25,
        ..copies
    };
    for pair in run(&strangers, 3).windows(2) {
        let new = pair[1]
            .members
            .iter()
            .filter(|m| !pair[0].members.contains(m));
        assert_eq!(new.count(), 5);
    }
}

#[test]
fn an_interrupted_run_ends_like_one_that_was_not() {
    let whole = run(&FEW, 9);
    let half = EvolveOptions {
        generations: 4,
        ..FEW
    };
    let mut kept = String::new();
    let each = &mut |p: &Population<Bits>| kept = serde_json::to_string(p).unwrap();
    let nobody = Population::new(Seed::new(9));
    evolve(&Ones(24), nobody, &half, &Budget::endless(), each, &mut ());
    let read: Population<Bits> = serde_json::from_str(&kept).unwrap();
    assert_eq!(read, whole[4]);
    let rest = evolve(
        &Ones(24),
        read,
        &FEW,
        &Budget::endless(),
        &mut |_| (),
        &mut (),
    );
    assert_eq!(Some(&rest.population), whole.last());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn budgets_are_kept_and_watching_changes_nothing(seed in any::<u32>(), nodes in 0..300u64) {
        let budget = Budget::start(Limits::nodes(nodes));
        let nobody = || Population::new(Seed::new(u64::from(seed)));
        let mut steps: Vec<Step> = Vec::new();
        let alone: Evolved<Bits> = evolve(&Ones(24), nobody(), &FEW, &budget, &mut |_| (), &mut ());
        let watched = evolve(&Ones(24), nobody(), &FEW, &budget, &mut |_| (), &mut steps);
        prop_assert_eq!(&alone, &watched);
        prop_assert_eq!(alone.complete, nodes >= 200);
        prop_assert!(alone.population.judged <= nodes);
        prop_assert_eq!(alone.population.members.is_empty(), nodes < 20);
        prop_assert_eq!(steps.last().unwrap().kind, Kind::Choose);
        let bare = steps.iter().find(|s| s.says.to_string().contains(['{', '}']));
        prop_assert_eq!(bare, None);
    }
}
