//! Local searches: the rules they promise, and small problems solved by trying everything.
#![allow(clippy::unwrap_used, reason = "a test may fail")]
#![allow(clippy::float_cmp, reason = "these costs are whole numbers")]

use crate::toys::valleys::Row;
use proptest::prelude::*;
use wits_game::{Dice, Seed};
use wits_search::local::{
    AnnealingOptions, Improved, Pace, Problem, TabuOptions, annealing, hill_climbing, tabu_search,
};
use wits_search::{Budget, Kind, Limits, Step, Watch};

/// A tour of all places and back; a move swaps two of them (the first stays).
#[derive(Clone, Debug)]
struct Tour {
    places: Vec<(f64, f64)>,
}

impl Tour {
    fn new(count: usize, seed: u64) -> Tour {
        let mut dice = Dice::new(Seed::new(seed));
        let places = (0..count).map(|_| (dice.unit() * 10.0, dice.unit() * 10.0));
        Tour {
            places: places.collect(),
        }
    }

    fn start(&self) -> Vec<usize> {
        (0..self.places.len()).collect()
    }

    /// The shortest tour by trying all.
    fn shortest(&self) -> f64 {
        fn all(tour: &Tour, done: &mut Vec<usize>, rest: &mut Vec<usize>) -> f64 {
            if rest.is_empty() {
                return tour.cost(done);
            }
            let mut least = f64::INFINITY;
            for i in 0..rest.len() {
                let next = rest.remove(i);
                done.push(next);
                least = least.min(all(tour, done, rest));
                done.pop();
                rest.insert(i, next);
            }
            least
        }
        all(self, &mut vec![0], &mut (1..self.places.len()).collect())
    }
}

impl Problem for Tour {
    type Solution = Vec<usize>;
    type Move = (usize, usize);
    type Mark = (usize, usize);

    fn moves(&self, tour: &Vec<usize>) -> Vec<(usize, usize)> {
        let count = tour.len();
        (1..count)
            .flat_map(|i| (i + 1..count).map(move |j| (i, j)))
            .collect()
    }

    fn apply(&self, tour: &mut Vec<usize>, &(i, j): &(usize, usize)) {
        tour.swap(i, j);
    }

    fn cost(&self, tour: &Vec<usize>) -> f64 {
        let legs = tour.iter().zip(tour.iter().cycle().skip(1));
        legs.map(|(&a, &b)| {
            let (a, b) = (self.places[a], self.places[b]);
            (a.0 - b.0).hypot(a.1 - b.1)
        })
        .sum()
    }

    fn mark(&self, tour: &Vec<usize>, &(i, j): &(usize, usize)) -> (usize, usize) {
        (tour[i].min(tour[j]), tour[i].max(tour[j]))
    }

    fn name(&self, tour: &Vec<usize>, &(i, j): &(usize, usize)) -> String {
        format!("swap {} and {}", tour[i], tour[j])
    }
}

/// A little graph whose edges have labels, so that one can say what is tabu.
struct Labelled(&'static [(usize, usize, char)], &'static [f64]);

impl Problem for Labelled {
    type Solution = usize;
    type Move = usize;
    type Mark = char;

    fn moves(&self, here: &usize) -> Vec<usize> {
        let out = self.0.iter().filter(|e| e.0 == *here);
        out.map(|e| e.1).collect()
    }

    fn apply(&self, here: &mut usize, to: &usize) {
        *here = *to;
    }

    fn cost(&self, here: &usize) -> f64 {
        self.1[*here]
    }

    fn mark(&self, here: &usize, to: &usize) -> char {
        self.0
            .iter()
            .find(|e| (e.0, e.1) == (*here, *to))
            .unwrap()
            .2
    }

    fn name(&self, _: &usize, to: &usize) -> String {
        to.to_string()
    }
}

/// The places a search went to, one after another.
fn path(steps: &[Step]) -> Vec<String> {
    let visits = steps.iter().filter(|s| s.kind == Kind::Visit);
    visits
        .map(|s| s.data["node"].as_str().unwrap().to_owned())
        .collect()
}

fn tabu<P: Problem>(
    problem: &P,
    start: &P::Solution,
    options: TabuOptions,
) -> (Improved<P::Solution>, Vec<Step>) {
    let mut steps = Vec::new();
    let dice = &mut Dice::new(Seed::new(1));
    let budget = Budget::endless();
    let found = tabu_search(problem, start, &options, dice, &budget, &mut steps);
    (found, steps)
}

#[test]
fn a_tabu_move_is_refused_even_if_every_other_is_worse() {
    // From 1 the way back to 0 costs 5 and the way on to 2 costs 9.
    let row = Row(vec![5.0, 1.0, 9.0, 0.0]);
    let options = TabuOptions {
        tenure: 3,
        aspiration: false,
        steps: 3,
        ..TabuOptions::default()
    };
    let (found, steps) = tabu(&row, &0, options);
    assert_eq!(path(&steps), ["to 1", "to 2", "to 3"]);
    assert_eq!((found.solution, found.steps), (3, 3));
    let refused: Vec<&Step> = steps.iter().filter(|s| s.kind == Kind::Cut).collect();
    assert_eq!(refused[0].data["node"], "to 0");
    assert_eq!(refused[0].says.to_string(), "to 0 is tabu for 3 more steps");
    // Nothing tabu: it goes back and forth and never sees the valley at 3.
    let free = TabuOptions {
        tenure: 0,
        steps: 50,
        ..options
    };
    let (found, steps) = tabu(&row, &0, free);
    assert_eq!(found.cost, 1.0);
    assert_eq!(path(&steps)[..3], ["to 1", "to 0", "to 1"]);
}

#[test]
fn a_worse_move_is_made_when_it_must_be() {
    let row = Row(vec![1.0, 2.0, 3.0]);
    let options = TabuOptions {
        steps: 2,
        ..TabuOptions::default()
    };
    let (found, steps) = tabu(&row, &0, options);
    assert_eq!(path(&steps), ["to 1", "to 2"]);
    assert_eq!((found.solution, found.cost, found.steps), (0, 1.0, 2));
    let climbed = hill_climbing(&row, &0, Pace::Steepest, &Budget::endless(), &mut ());
    assert_eq!((climbed.solution, climbed.steps), (0, 0));
}

#[test]
fn aspiration_lifts_a_tabu_only_for_something_better_than_all() {
    // 0 -x-> 1, then 1 -x-> 2 is tabu but would be the best ever; 1 -x-> 3 is tabu and good, but not that good.
    static EDGES: &[(usize, usize, char)] = &[
        (0, 1, 'x'),
        (1, 2, 'x'),
        (1, 3, 'x'),
        (1, 4, 'y'),
        (4, 1, 'z'),
    ];
    let graph = Labelled(EDGES, &[5.0, 4.0, 0.0, 4.5, 9.0]);
    let strict = TabuOptions {
        tenure: 5,
        aspiration: false,
        steps: 2,
        ..TabuOptions::default()
    };
    let (found, steps) = tabu(&graph, &0, strict);
    assert_eq!(path(&steps), ["1", "4"]);
    assert_eq!(found.cost, 4.0);
    let lenient = TabuOptions {
        aspiration: true,
        ..strict
    };
    let (found, steps) = tabu(&graph, &0, lenient);
    assert_eq!(path(&steps), ["1", "2"]);
    assert_eq!(found.cost, 0.0);
    let tempting = Labelled(EDGES, &[5.0, 4.0, 4.0, 4.5, 9.0]);
    let (_, steps) = tabu(&tempting, &0, lenient);
    assert_eq!(
        path(&steps),
        ["1", "4"],
        "as good as the best is not better"
    );
}

#[test]
fn where_all_is_tabu_it_waits() {
    let row = Row(vec![2.0, 1.0]);
    let options = TabuOptions {
        tenure: 4,
        aspiration: false,
        steps: 7,
        ..TabuOptions::default()
    };
    let (found, steps) = tabu(&row, &0, options);
    // Steps 2 to 5 are tabu, step 6 goes back, step 7 is tabu again.
    assert_eq!(path(&steps), ["to 1", "to 0"]);
    assert!(found.complete && found.steps == 2);
}

#[test]
fn a_sample_is_all_that_is_looked_at() {
    let tour = Tour::new(9, 3);
    let options = TabuOptions {
        sample: Some(5),
        steps: 40,
        ..TabuOptions::default()
    };
    let (found, _) = tabu(&tour, &tour.start(), options);
    assert_eq!(found.looked, 200);
    let all = TabuOptions {
        sample: None,
        ..options
    };
    let (found, _) = tabu(&tour, &tour.start(), all);
    assert_eq!(found.looked, 40 * 28);
    let more = TabuOptions {
        sample: Some(1_000),
        ..options
    };
    assert_eq!(tabu(&tour, &tour.start(), more).0, found);
}

#[test]
fn patience_ends_it() {
    let row = Row(vec![5.0, 1.0, 9.0, 9.0, 9.0, 9.0, 9.0, 9.0]);
    let options = TabuOptions {
        patience: Some(3),
        ..TabuOptions::default()
    };
    let (found, _) = tabu(&row, &0, options);
    assert_eq!((found.cost, found.steps), (1.0, 4));
}

#[test]
fn small_tours_are_solved() {
    let (mut stuck, mut solved) = (0, 0);
    for seed in 0..8 {
        let tour = Tour::new(8, seed);
        let least = tour.shortest();
        let budget = Budget::endless();
        let climbed = hill_climbing(&tour, &tour.start(), Pace::Steepest, &budget, &mut ());
        stuck += u32::from(climbed.cost > least + 1e-9);
        let options = TabuOptions {
            tenure: 6,
            steps: 400,
            ..TabuOptions::default()
        };
        let (found, _) = tabu(&tour, &tour.start(), options);
        assert!((tour.cost(&found.solution) - found.cost).abs() < 1e-9);
        solved += u32::from(found.cost < least + 1e-9);
        let dice = &mut Dice::new(Seed::new(seed));
        let options = AnnealingOptions {
            hot: 5.0,
            cold: 0.05,
            steps: 20_000,
        };
        let cooled = annealing(&tour, &tour.start(), &options, dice, &budget, &mut ());
        assert!(cooled.cost < least + 1e-9, "seed {seed}");
    }
    assert_eq!(solved, 8);
    assert!(stuck > 0, "or these tours show nothing");
}

fn everybody<W: Watch>(
    tour: &Tour,
    budget: &Budget,
    mut watch: impl FnMut() -> W,
) -> Vec<(Improved<Vec<usize>>, W)> {
    let start = tour.start();
    let anneal = AnnealingOptions {
        steps: 300,
        ..AnnealingOptions::default()
    };
    let tabu = TabuOptions {
        steps: 30,
        sample: Some(7),
        ..TabuOptions::default()
    };
    let mut all = Vec::new();
    for which in 0..4 {
        let mut w = watch();
        let dice = &mut Dice::new(Seed::new(5));
        let found = match which {
            0 => hill_climbing(tour, &start, Pace::Steepest, budget, &mut w),
            1 => hill_climbing(tour, &start, Pace::First, budget, &mut w),
            2 => annealing(tour, &start, &anneal, dice, budget, &mut w),
            _ => tabu_search(tour, &start, &tabu, dice, budget, &mut w),
        };
        all.push((found, w));
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn budgets_are_kept_and_watching_changes_nothing(seed in any::<u64>(), nodes in 0..400u64) {
        let tour = Tour::new(7, seed);
        let budget = Budget::start(Limits::nodes(nodes));
        let alone = everybody(&tour, &budget, || ());
        let watched = everybody(&tour, &budget, Vec::<Step>::new);
        let first = tour.cost(&tour.start());
        for ((alone, ()), (watched, steps)) in alone.into_iter().zip(watched) {
            prop_assert_eq!(&alone, &watched);
            prop_assert!(alone.looked <= nodes && alone.cost <= first);
            prop_assert!((tour.cost(&alone.solution) - alone.cost).abs() < 1e-9);
            prop_assert_eq!(steps.last().unwrap().kind, Kind::Choose);
            let visits = steps.iter().filter(|s| s.kind == Kind::Visit).count() as u64;
            prop_assert_eq!(visits, alone.steps);
            let bare = steps.iter().find(|s| s.says.to_string().contains(['{', '}']));
            prop_assert_eq!(bare, None);
        }
    }
}
