//! Improving a solution step by step: hill climbing, annealing, tabu search.
//!
//! Each starts from a solution and makes small moves, looking for a smaller cost. They differ in what they do where no
//! move is better: [`hill_climbing`] stops, [`annealing`] goes up by chance and ever more seldom, and
//! [`tabu_search`] takes the least bad move and forbids the way back for a while.
//!
//! A budget of nodes counts the neighbours whose cost was asked for.

mod annealing;
mod climbing;
mod tabu;

use std::hash::Hash;

use serde_json::Value;
use wits_game::Dice;

use crate::{Kind, Step, WORDS, Watch, Worth};

pub use annealing::{AnnealingOptions, annealing};
pub use climbing::{Pace, hill_climbing};
pub use tabu::{TabuOptions, tabu_search};

/// Something to be improved by small moves.
pub trait Problem {
    /// A whole solution: a tour, a timetable, a grouping.
    type Solution: Clone;
    /// A small change of a solution.
    type Move: Clone;
    /// What a move has in common with those that would undo it: the swapped pair, the flipped bit. After a move, all moves
    /// with its mark are tabu for a while.
    type Mark: Clone + Eq + Hash;

    /// All moves that a solution allows, in a fixed order: its neighbourhood.
    fn moves(&self, solution: &Self::Solution) -> Vec<Self::Move>;

    /// Makes a move.
    fn apply(&self, solution: &mut Self::Solution, mv: &Self::Move);

    /// What a solution costs; less is better.
    fn cost(&self, solution: &Self::Solution) -> f64;

    /// What a solution would cost after a move. Write it where there is a shorter way than making the move.
    fn cost_after(&self, solution: &Self::Solution, mv: &Self::Move) -> f64 {
        let mut next = solution.clone();
        self.apply(&mut next, mv);
        self.cost(&next)
    }

    /// One move at random, each equally likely. Write it where there is a shorter way than listing all.
    fn any_move(&self, solution: &Self::Solution, dice: &mut Dice) -> Option<Self::Move> {
        dice.pick(&self.moves(solution)).cloned()
    }

    /// The mark of a move.
    fn mark(&self, solution: &Self::Solution, mv: &Self::Move) -> Self::Mark;

    /// What people call a move; asked only for a watcher.
    fn name(&self, solution: &Self::Solution, mv: &Self::Move) -> String;
}

/// What a local search came to.
#[derive(Clone, PartialEq, Debug)]
pub struct Improved<S> {
    /// The best solution it met.
    pub solution: S,
    /// What that costs.
    pub cost: f64,
    /// How many moves it made.
    pub steps: u64,
    /// How many neighbours it looked at.
    pub looked: u64,
    /// Whether it ended by its own rules and not because the budget ended.
    pub complete: bool,
}

/// A walk from solution to solution, and the best one met on it.
struct Walk<'a, P: Problem, W> {
    problem: &'a P,
    watch: &'a mut W,
    here: P::Solution,
    cost: f64,
    best: Improved<P::Solution>,
}

impl<'a, P: Problem, W: Watch> Walk<'a, P, W> {
    fn new(problem: &'a P, start: &P::Solution, watch: &'a mut W) -> Self {
        let cost = problem.cost(start);
        watch.step(|| {
            Step::new(
                Kind::Note,
                WORDS.say("local-start").with("cost", shown(cost)),
            )
            .data("cost", number(cost))
        });
        Walk {
            problem,
            watch,
            here: start.clone(),
            cost,
            best: Improved {
                solution: start.clone(),
                cost,
                steps: 0,
                looked: 0,
                complete: true,
            },
        }
    }

    fn look(&mut self, mv: &P::Move) -> f64 {
        self.best.looked += 1;
        self.problem.cost_after(&self.here, mv)
    }

    /// Makes a move that leads to this cost.
    fn go(&mut self, mv: &P::Move, cost: f64) {
        if W::ON {
            let name = self.problem.name(&self.here, mv);
            let (before, worse) = (self.cost, cost > self.cost);
            self.watch.step(|| {
                let key = if worse { "local-worse" } else { "local-move" };
                Step::new(
                    Kind::Visit,
                    WORDS.say(key).with("move", &name).with("cost", shown(cost)),
                )
                .data("node", name)
                .data("cost", number(cost))
                .data("from", number(before))
            });
        }
        self.problem.apply(&mut self.here, mv);
        self.cost = cost;
        self.best.steps += 1;
        if cost < self.best.cost {
            self.best.cost = cost;
            self.best.solution = self.here.clone();
            let steps = self.best.steps;
            self.watch.step(|| {
                Step::new(
                    Kind::Improve,
                    WORDS.say("local-improve").with("cost", shown(cost)),
                )
                .data("value", number(cost))
                .data("answer", steps)
            });
        }
    }

    fn refuse(&mut self, mv: &P::Move, cost: f64, left: u64) {
        if W::ON {
            let name = self.problem.name(&self.here, mv);
            self.watch.step(|| {
                Step::new(
                    Kind::Cut,
                    WORDS
                        .say("local-tabu")
                        .with("move", &name)
                        .with("left", left),
                )
                .data("node", name)
                .data("bound", number(cost))
                .data("left", left)
            });
        }
    }

    fn end(self, complete: bool) -> Improved<P::Solution> {
        let mut best = self.best;
        best.complete = complete;
        self.watch.step(|| {
            let says = WORDS
                .say("local-count")
                .with("steps", best.steps)
                .with("looked", best.looked);
            Step::new(Kind::Count, says)
                .data("steps", best.steps)
                .data("looked", best.looked)
        });
        self.watch.step(|| {
            Step::new(
                Kind::Choose,
                WORDS.say("local-choose").with("cost", shown(best.cost)),
            )
            .data("answer", Value::Null)
            .data("value", number(best.cost))
        });
        best
    }
}

fn number(cost: f64) -> Value {
    Worth::heuristic(cost).json()
}

fn shown(cost: f64) -> String {
    if cost.fract() == 0.0 {
        format!("{cost}")
    } else {
        format!("{cost:.3}")
    }
}
