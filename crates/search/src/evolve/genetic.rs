//! The genetic algorithm: the fit have children.

use serde_json::Value;
use wits_game::Dice;

use super::population::{Member, Population, sane};
use crate::{Budget, Kind, Step, WORDS, Watch, Worth};

/// What is bred: how genomes come about, cross and change.
pub trait Breed {
    /// What is inherited.
    type Genome: Clone;

    /// A genome drawn at random.
    fn newcomer(&self, dice: &mut Dice) -> Self::Genome;

    /// A child of two.
    fn cross(&self, a: &Self::Genome, b: &Self::Genome, dice: &mut Dice) -> Self::Genome;

    /// Changes a genome; `rate` says how much, from zero to one, as the species reads it (often the chance of each gene).
    fn mutate(&self, genome: &mut Self::Genome, rate: f64, dice: &mut Dice);
}

/// A breed whose fitness can be told of each genome by itself.
pub trait Species: Breed {
    /// How fit a genome is; more is better. The same genome has the same fitness.
    fn fitness(&self, genome: &Self::Genome) -> f64;

    /// What people call a genome; asked only for a watcher.
    fn name(&self, genome: &Self::Genome) -> String;
}

/// What [`evolve`] can be told.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EvolveOptions {
    /// How many members a generation has.
    pub size: usize,
    /// The share of the fittest that live on unchanged.
    pub elite: f64,
    /// The share of every new generation that is drawn at random.
    pub newcomers: f64,
    /// How often a child has two parents; else it is a copy of one.
    pub crossover: f64,
    /// How much children change.
    pub mutation: f64,
    /// It ends with this generation.
    pub generations: u64,
    /// It ends when somebody is this fit.
    pub target: Option<f64>,
}

impl Default for EvolveOptions {
    fn default() -> Self {
        EvolveOptions {
            size: 100,
            elite: 0.05,
            newcomers: 0.05,
            crossover: 0.8,
            mutation: 0.02,
            generations: 100,
            target: None,
        }
    }
}

impl EvolveOptions {
    /// How many of the fittest live on, and how many newcomers join; together never more than all.
    fn shares(&self) -> (usize, usize) {
        let size = self.size.max(1);
        let part = |share: f64| (share.clamp(0.0, 1.0) * size as f64).round() as usize;
        let elite = part(self.elite).min(size);
        (elite, part(self.newcomers).min(size - elite))
    }

    /// How many of so many members live on.
    pub fn elite_of(&self, members: usize) -> usize {
        self.shares().0.min(members)
    }
}

/// What came of a run.
#[derive(Clone, PartialEq, Debug)]
pub struct Evolved<G> {
    /// The last whole generation: look at its best, or go on with it.
    pub population: Population<G>,
    /// Whether it came to its last generation or its target before the budget ended.
    pub complete: bool,
}

/// Breeds one generation after another.
///
/// Source: Holland (1975); elitism from De Jong (1975), random newcomers ("immigrants") from
/// Grefenstette (1992). In a new generation the elite lives on, some newcomers join, and the rest
/// are children of parents drawn in proportion to their fitness.
///
/// `each` hears of every whole generation; keep it there if the run shall survive a kill. Give the same population
/// back to go on. A budget of nodes counts fitnesses asked for in this call.
///
/// # Invariant
/// With an elite of at least one the best fitness never falls. The next generation depends on nothing but the present one, the seed and
/// the options.
///
/// # Complexity
/// `size` fitnesses per generation less the elite, and a sort.
///
/// # Example
/// ```
/// # #[path = "../../tests/all/toys/bits.rs"] mod bits;
/// use wits_game::Seed;
/// use wits_search::{Budget, evolve::{EvolveOptions, Population, evolve}};
/// let species = bits::Ones(16);
/// let options = EvolveOptions { target: Some(16.0), ..EvolveOptions::default() };
/// let nobody = Population::new(Seed::new(1));
/// let run = evolve(&species, nobody, &options, &Budget::endless(), &mut |_| (), &mut ());
/// assert_eq!(run.population.best().unwrap().fitness, 16.0);
/// ```
pub fn evolve<S: Species, W: Watch>(
    species: &S,
    population: Population<S::Genome>,
    options: &EvolveOptions,
    budget: &Budget,
    each: &mut dyn FnMut(&Population<S::Genome>),
    watch: &mut W,
) -> Evolved<S::Genome> {
    let before = population.judged;
    let mut now = population;
    let mut best_told = f64::NEG_INFINITY;
    let mut fresh = now.members.is_empty();
    let complete = loop {
        if fresh {
            let first = founders(species, &now, options);
            let Some(members) = judge(species, first, &mut now.judged, before, budget) else {
                break false;
            };
            now.members = members;
            now.sort();
        }
        if fresh || now.generation > 0 {
            tell(species, watch, &now, &mut best_told);
        }
        if fresh {
            each(&now);
            fresh = false;
        }
        let hit = |target: f64| now.best().is_some_and(|best| best.fitness >= target);
        if now.generation >= options.generations || options.target.is_some_and(hit) {
            break true;
        }
        let Some(next) = next_generation(species, &now, options, before, budget) else {
            break false;
        };
        now = next;
        each(&now);
    };
    conclude(species, watch, &now);
    Evolved {
        population: now,
        complete,
    }
}

/// The genomes that join the elite in the generation after this one, in a fixed order: newcomers,
/// then children. For those who judge a whole generation together; [`evolve`] does both.
pub fn offspring<B: Breed>(
    breed: &B,
    now: &Population<B::Genome>,
    options: &EvolveOptions,
) -> Vec<B::Genome> {
    let dice = &mut now.dice(now.generation + 1);
    let size = options.size.max(1);
    let (_, newcomers) = options.shares();
    let elite = options.elite_of(now.members.len());
    let wheel = now.wheel();
    let mut young = Vec::with_capacity(size - elite);
    for _ in 0..newcomers {
        young.push(breed.newcomer(dice));
    }
    while elite + young.len() < size {
        let parent = |dice: &mut Dice| &now.members[wheel.spin(dice)].genome;
        let one = parent(dice);
        let mut child = if dice.unit() < options.crossover {
            let other = parent(dice);
            breed.cross(one, other, dice)
        } else {
            one.clone()
        };
        breed.mutate(&mut child, options.mutation, dice);
        young.push(child);
    }
    young
}

/// The genomes of the very first generation.
pub fn founders<B: Breed>(
    breed: &B,
    nobody: &Population<B::Genome>,
    options: &EvolveOptions,
) -> Vec<B::Genome> {
    let dice = &mut nobody.dice(0);
    (0..options.size.max(1))
        .map(|_| breed.newcomer(dice))
        .collect()
}

/// The generation after this one; `None` when the budget ended on the way.
fn next_generation<S: Species>(
    species: &S,
    now: &Population<S::Genome>,
    options: &EvolveOptions,
    before: u64,
    budget: &Budget,
) -> Option<Population<S::Genome>> {
    let generation = now.generation + 1;
    let young = offspring(species, now, options);
    let elite = options.elite_of(now.members.len());
    let mut next = Population {
        generation,
        members: now.members[..elite].to_vec(),
        ..Population::new(now.seed)
    };
    next.judged = now.judged;
    let young = judge(species, young, &mut next.judged, before, budget)?;
    next.members.extend(young);
    next.sort();
    Some(next)
}

/// How fit each genome is; `None` when the budget ended on the way.
fn judge<S: Species>(
    species: &S,
    genomes: Vec<S::Genome>,
    judged: &mut u64,
    before: u64,
    budget: &Budget,
) -> Option<Vec<Member<S::Genome>>> {
    let mut members = Vec::with_capacity(genomes.len());
    for genome in genomes {
        // A fitness may take long, so the clock is looked at every time.
        if budget.spent(*judged - before) || budget.late() {
            return None;
        }
        *judged += 1;
        let fitness = sane(species.fitness(&genome));
        members.push(Member { genome, fitness });
    }
    Some(members)
}

fn tell<S: Species, W: Watch>(
    species: &S,
    watch: &mut W,
    now: &Population<S::Genome>,
    best_told: &mut f64,
) {
    let Some(best) = now.best() else { return };
    watch.step(|| {
        let says = WORDS
            .say("evolve-generation")
            .with("generation", now.generation)
            .with("best", shown(best.fitness))
            .with("mean", shown(now.mean()));
        Step::new(Kind::Count, says)
            .data("generation", now.generation)
            .data("best", number(best.fitness))
            .data("mean", number(now.mean()))
            .data("judged", now.judged)
    });
    if best.fitness > *best_told {
        *best_told = best.fitness;
        watch.step(|| {
            let name = species.name(&best.genome);
            let says = WORDS
                .say("evolve-improve")
                .with("name", &name)
                .with("fitness", shown(best.fitness));
            Step::new(Kind::Improve, says)
                .data("answer", name)
                .data("value", number(best.fitness))
        });
    }
}

fn conclude<S: Species, W: Watch>(species: &S, watch: &mut W, now: &Population<S::Genome>) {
    watch.step(|| {
        let Some(best) = now.best() else {
            return Step::new(Kind::Choose, WORDS.say("evolve-nobody")).data("answer", Value::Null);
        };
        let name = species.name(&best.genome);
        let says = WORDS
            .say("evolve-choose")
            .with("name", &name)
            .with("fitness", shown(best.fitness));
        Step::new(Kind::Choose, says)
            .data("answer", name)
            .data("value", number(best.fitness))
    });
}

fn number(fitness: f64) -> Value {
    Worth::heuristic(fitness).json()
}

fn shown(fitness: f64) -> String {
    if fitness.fract() == 0.0 {
        format!("{fitness}")
    } else {
        format!("{fitness:.3}")
    }
}
