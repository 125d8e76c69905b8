//! The search of endings: null windows, deeper and deeper, on the words that can still come up.
//!
//! After the first move of a position the others are only asked whether they are better (a window of nothing, Reinefeld 1983), with a
//! table of positions and the best move of the iteration before first. What is beyond the depth is played out by taking the most points. An
//! iteration that never had to play out has proved its value.

use std::collections::HashMap;

use wits_play::Budget;

use super::bout::Step;
use super::ending::Ending;
use super::rating::outgoing;
use crate::generate::{Engine, Found, Hand, NOTHING};
use crate::play::Play;

/// What the end of a game comes to.
#[derive(Clone, PartialEq, Debug)]
pub struct Solution {
    /// What the side to move gains on the other from here, the tiles that are left counted.
    pub value: i32,
    /// The best line.
    pub line: Vec<Step>,
    /// Whether the value is proved.
    pub exact: bool,
    /// How many positions were looked at.
    pub nodes: u64,
    /// How deep the last whole iteration went.
    pub depth: u32,
}

#[derive(Clone, Copy)]
enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

#[derive(Clone, Copy)]
struct Slot {
    depth: u32,
    bound: Bound,
    value: i32,
    best: Option<Step>,
    /// Whether nothing below was played out.
    proved: bool,
}

/// Solves endings.
pub struct Solver<'a> {
    engine: &'a Engine,
    bingo: i32,
    budget: &'a Budget,
    most: u64,
    known: HashMap<u64, Slot>,
    nodes: u64,
    cut: bool,
    stopped: bool,
    /// The first moves of the last iteration that was finished, in the order in which they were tried.
    tried: Vec<Tried>,
}

/// A first move with what it gains on the other side.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Tried {
    /// The move.
    pub step: Step,
    /// What it comes to.
    pub value: i32,
    /// Whether it may come to less: a better move was known, so nobody looked closer.
    pub at_most: bool,
}

/// Greater than any score.
const FAR: i32 = 1_000_000;
/// No table holds more positions than this.
const TABLE: usize = 1 << 20;
/// No ending takes more moves than this.
const DEEPEST: u32 = 40;
/// A search of fewer positions than this is not worth looking for the words that can still come up.
const WORTH_PRUNING: u64 = 2_000;

impl Engine {
    /// An engine that knows only the words that can come up on a board after these tiles are laid: the same plays, found faster.
    pub fn pruned(&self, board: &crate::Board, tiles: &[u8]) -> Option<Engine> {
        let engine = Engine::new(self.lexicon().pruned(board, tiles)?);
        engine.warm().ok()?;
        Some(engine)
    }
}

impl<'a> Solver<'a> {
    /// A solver that looks at no more than so many positions.
    pub fn new(engine: &'a Engine, bingo: i32, budget: &'a Budget, most: u64) -> Solver<'a> {
        Solver {
            engine,
            bingo,
            budget,
            most,
            known: HashMap::new(),
            nodes: 0,
            cut: false,
            stopped: false,
            tried: Vec::new(),
        }
    }

    /// The first moves of the last iteration that was finished, in the order in which they were tried.
    pub fn tried(&self) -> &[Tried] {
        &self.tried
    }

    /// How many positions were looked at so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Gives the solver more positions to look at.
    pub fn allow(&mut self, more: u64) {
        self.most = self.nodes.saturating_add(more);
        self.stopped = false;
    }

    /// The best line and its value, deeper and deeper until it is proved or the budget is spent. With room for a long search the words
    /// that can still come up are looked for first.
    pub fn solve(&mut self, ending: &Ending, each: impl FnMut(&Solution)) -> Solution {
        let room = self.most.saturating_sub(self.nodes);
        let small = (room >= WORTH_PRUNING)
            .then(|| self.engine.pruned(ending.field.board(), &ending.tiles()))
            .flatten();
        match small {
            None => self.deepen(ending, (-FAR, FAR), each),
            Some(small) => {
                let ending = Ending {
                    field: small.field(ending.field.board()),
                    ..ending.clone()
                };
                let mut inner = Solver::new(&small, self.bingo, self.budget, self.most);
                inner.nodes = self.nodes;
                let found = inner.deepen(&ending, (-FAR, FAR), each);
                (self.nodes, self.stopped) = (inner.nodes, inner.stopped);
                self.tried = inner.tried;
                found
            }
        }
    }

    /// The same with an engine that knows only the words that can still come up.
    pub(super) fn solve_here(&mut self, ending: &Ending) -> Solution {
        self.deepen(ending, (-FAR, FAR), |_| {})
    }

    fn deepen(
        &mut self,
        ending: &Ending,
        window: (i32, i32),
        mut each: impl FnMut(&Solution),
    ) -> Solution {
        let start = self.nodes;
        let mut solution = Solution {
            value: 0,
            line: Vec::new(),
            exact: false,
            nodes: 0,
            depth: 0,
        };
        for depth in 1..=DEEPEST {
            self.cut = false;
            let mut tried = Vec::new();
            let value = self.search(ending, depth, window, Some(&mut tried));
            if self.stopped && depth > 1 {
                break;
            }
            // A position that was solved before needs no moves.
            if !tried.is_empty() {
                self.tried = tried;
            }
            let line = self.line(ending, depth);
            solution = Solution {
                value,
                exact: !self.cut && !self.stopped,
                nodes: self.nodes - start,
                depth,
                line,
            };
            each(&solution);
            if solution.exact || self.stopped {
                break;
            }
        }
        solution.nodes = self.nodes - start;
        solution
    }

    fn line(&self, ending: &Ending, depth: u32) -> Vec<Step> {
        let mut line = Vec::new();
        let mut here = Some(ending.clone());
        while let Some(ending) = here.take() {
            let best = self.known.get(&ending.key()).and_then(|slot| slot.best);
            let Some(step) = best.filter(|_| line.len() <= depth as usize + 4) else {
                break;
            };
            here = ending.after(&step, self.engine);
            line.push(step);
        }
        line
    }

    /// All steps but the one that was tried, the most promising first.
    fn steps(&self, ending: &Ending, but: Option<Step>) -> Vec<Step> {
        let hand = Hand::new(ending.racks[0].tiles());
        let mut plays: Vec<(i32, Play, i32)> = Vec::new();
        self.engine
            .every(&ending.field, &hand, self.bingo, &mut |found: &Found<
                '_,
            >| {
                plays.push((0, found.play(), found.score));
            });
        for (promise, play, score) in &mut plays {
            let freed: i32 = play.taken().map(|t| self.engine.values().of(t)).sum();
            *promise = ending.gain(&Step::Lay(*play, *score), self.engine) + freed;
        }
        plays.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut steps: Vec<Step> = plays.into_iter().map(|(_, p, s)| Step::Lay(p, s)).collect();
        steps.push(Step::Pass);
        steps.retain(|step| Some(*step) != but);
        steps
    }

    /// What is tried before all moves are looked for: the best move of the table, or the most points with the best tiles kept.
    fn first(&self, ending: &Ending, known: Option<Step>) -> Step {
        if let Some(step) = known {
            return step;
        }
        let hand = Hand::new(ending.racks[0].tiles());
        let kept = if ending.bag.is_none() {
            outgoing(&hand, self.engine.values(), ending.held(1, self.engine))
        } else {
            NOTHING
        };
        let best = self.engine.best(&ending.field, &hand, self.bingo, &kept);
        best.map_or(Step::Pass, Step::from)
    }

    fn search(
        &mut self,
        ending: &Ending,
        depth: u32,
        (mut alpha, beta): (i32, i32),
        mut tried: Option<&mut Vec<Tried>>,
    ) -> i32 {
        self.nodes += 1;
        if self.nodes >= self.most || self.budget.stopped() || self.budget.late() {
            self.stopped = true;
        }
        let key = ending.key();
        let mut known = None;
        if let Some(slot) = self.known.get(&key) {
            known = slot.best;
            if slot.proved || slot.depth >= depth {
                let settled = match slot.bound {
                    Bound::Exact => true,
                    Bound::AtLeast => slot.value >= beta,
                    Bound::AtMost => slot.value <= alpha,
                };
                if settled {
                    self.cut |= !slot.proved;
                    return slot.value;
                }
            }
        }
        if depth == 0 || (self.stopped && self.nodes > 1) {
            self.cut = true;
            return self.play_out(ending);
        }
        let outer = std::mem::replace(&mut self.cut, false);
        let (mut best, mut step) = (-FAR, None);
        let floor = alpha;
        let first = self.first(ending, known);
        let mut rest: Option<std::vec::IntoIter<Step>> = None;
        let mut next = Some(first);
        while let Some(candidate) = next.take() {
            let gain = ending.gain(&candidate, self.engine);
            let value = match ending.after(&candidate, self.engine) {
                None => gain,
                Some(after) => {
                    let top = if best > -FAR { alpha + 1 } else { beta };
                    let window = (gain - top, gain - alpha);
                    let value = gain - self.search(&after, depth - 1, window, None);
                    // It is better; how much better, a window of nothing does not say.
                    if value > alpha && value < beta && top < beta && !self.stopped {
                        let window = (gain - beta, gain - alpha);
                        gain - self.search(&after, depth - 1, window, None)
                    } else {
                        value
                    }
                }
            };
            if let Some(tried) = &mut tried {
                tried.push(Tried {
                    step: candidate,
                    value,
                    at_most: value <= alpha && best > -FAR,
                });
            }
            if value > best {
                best = value;
                step = Some(candidate);
            }
            alpha = alpha.max(best);
            if alpha >= beta || self.stopped {
                break;
            }
            let others = rest.get_or_insert_with(|| self.steps(ending, Some(first)).into_iter());
            next = others.next();
        }
        let bound = if best >= beta {
            Bound::AtLeast
        } else if best <= floor {
            Bound::AtMost
        } else {
            Bound::Exact
        };
        let proved = !self.cut && !self.stopped;
        self.cut |= outer;
        if !self.stopped || depth > 1 {
            if self.known.len() >= TABLE {
                self.known.clear();
            }
            let slot = Slot {
                depth: if self.stopped { 0 } else { depth },
                bound,
                value: best,
                best: step,
                proved,
            };
            if !self.stopped || !self.known.contains_key(&key) {
                self.known.insert(key, slot);
            }
        }
        best
    }

    /// What the rest comes to when both sides take the most points.
    pub(super) fn play_out(&self, ending: &Ending) -> i32 {
        let mut here = ending.clone();
        let (mut value, mut sign) = (0, 1);
        loop {
            let step = self.first(&here, None);
            value += sign * here.gain(&step, self.engine);
            sign = -sign;
            match here.after(&step, self.engine) {
                Some(next) => here = next,
                None => return value,
            }
        }
    }
}
