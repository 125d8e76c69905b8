//! The end of the game with all tiles known: exact, as far as the budget goes.
//!
//! When the bag is empty two players know each other's tiles, and the rest is a game without secrets. It is
//! searched by alpha-beta with a table of positions, deeper and deeper; what is beyond the depth is played out by
//! taking the most points. An iteration that never had to play out has proved its value. Two passes in a row
//! end a line: who passes would not rather move in the same position again.

use std::collections::HashMap;

use wits_play::{Budget, Choice, Desk, Line, Thought, Worth};
use wits_search::tree::grouped;
use wits_search::{Backup, Proof, Watch};

use super::bout::{Rack, Step};
use super::sight::{Sight, as_move};
use super::telling::Account;
use crate::WORDS;
use crate::generate::{Engine, Field, Found, Hand, NOTHING};
use crate::play::Play;
use crate::settings::RACK;
use crate::table::{Done, Move};

/// A position of two players with everything known. At most one tile is still in the bag.
#[derive(Clone, Debug)]
pub struct Ending {
    /// The board.
    pub field: Field,
    /// The racks; the first is that of the side to move.
    pub racks: [Rack; 2],
    /// The tile in the bag, if there is one.
    pub bag: Option<u8>,
    /// Whether the side before has just passed.
    pub passed: bool,
}

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

impl Ending {
    fn held(&self, side: usize, engine: &Engine) -> i32 {
        let tiles = self.racks[side].tiles().iter();
        tiles.map(|&t| engine.values().of(t)).sum()
    }

    /// The position after a step, the other side to move; nothing where the game is over.
    pub fn after(&self, step: &Step, engine: &Engine) -> Option<Ending> {
        let mut next = Ending {
            field: self.field.clone(),
            racks: [self.racks[1], self.racks[0]],
            bag: self.bag,
            passed: false,
        };
        match step {
            Step::Lay(play, _) => {
                for kind in play.taken() {
                    next.racks[1].take(kind);
                }
                engine.lay(&mut next.field, play);
                if let Some(tile) = next.bag.filter(|_| next.racks[1].len() < RACK) {
                    next.racks[1].push(tile);
                    next.bag = None;
                }
                (!next.racks[1].is_empty()).then_some(next)
            }
            _ if self.passed => None,
            _ => {
                next.passed = true;
                Some(next)
            }
        }
    }

    /// What a step brings at once, the settling of tiles included where it ends the game.
    pub fn gain(&self, step: &Step, engine: &Engine) -> i32 {
        match step {
            Step::Lay(play, score) => {
                let out = self.bag.is_none() && play.count() == self.racks[0].len();
                if out {
                    score + 2 * self.held(1, engine)
                } else {
                    *score
                }
            }
            _ if self.passed => self.held(1, engine) - self.held(0, engine),
            _ => 0,
        }
    }

    fn key(&self) -> u64 {
        let mut key = if self.passed { 0x9e37 } else { 1 };
        let mut mix = |n: u64| {
            key = (key ^ n).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            key ^= key >> 29;
        };
        for chunk in self.field.board().squares().chunks(8) {
            let mut eight = [0; 8];
            eight[..chunk.len()].copy_from_slice(chunk);
            mix(u64::from_le_bytes(eight));
        }
        for rack in &self.racks {
            let mut eight = [u8::MAX; 8];
            eight[..rack.len()].copy_from_slice(rack.tiles());
            mix(u64::from_le_bytes(eight));
        }
        mix(self.bag.map_or(u64::MAX, u64::from));
        key
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
        self.most = self.nodes + more;
        self.stopped = false;
    }

    /// The best line and its value, deeper and deeper until it is proved or the budget is spent.
    pub fn solve(&mut self, ending: &Ending, mut each: impl FnMut(&Solution)) -> Solution {
        let start = self.nodes;
        let mut solution = Solution {
            value: 0,
            line: Vec::new(),
            exact: false,
            nodes: 0,
            depth: 0,
        };
        for depth in 1..=30 {
            self.cut = false;
            let mut tried = Vec::new();
            let value = self.search(ending, depth, (-FAR, FAR), Some(&mut tried));
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

    /// All steps, the most promising first.
    fn steps(&self, ending: &Ending, first: Option<Step>) -> Vec<Step> {
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
        if let Some(first) = first
            && let Some(at) = steps.iter().position(|s| *s == first)
        {
            steps[..=at].rotate_right(1);
        }
        steps
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
        let mut first = None;
        if let Some(slot) = self.known.get(&key) {
            first = slot.best;
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
        for candidate in self.steps(ending, first) {
            let gain = ending.gain(&candidate, self.engine);
            let value = match ending.after(&candidate, self.engine) {
                None => gain,
                Some(next) => {
                    let window = (gain - beta, gain - alpha);
                    gain - self.search(&next, depth - 1, window, None)
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
    fn play_out(&mut self, ending: &Ending) -> i32 {
        let mut here = ending.clone();
        let (mut value, mut sign) = (0, 1);
        loop {
            let hand = Hand::new(here.racks[0].tiles());
            let best = self.engine.best(&here.field, &hand, self.bingo, &NOTHING);
            let step = best.map_or(Step::Pass, Step::from);
            value += sign * here.gain(&step, self.engine);
            sign = -sign;
            match here.after(&step, self.engine) {
                Some(next) => here = next,
                None => return value,
            }
        }
    }
}

/// The ending that a seat sees, where two play and the bag is empty.
pub fn ending_of(sight: &Sight<'_>) -> Option<Ending> {
    if sight.view.racks.len() != 2 || sight.bag != 0 || !sight.view.bag.is_empty() {
        return None;
    }
    Some(Ending {
        field: sight.field.clone(),
        racks: [Rack::new(sight.view.rack()), Rack::new(&sight.unseen())],
        bag: None,
        passed: sight.view.last.is_some_and(|last| last.done == Done::Pass),
    })
}

/// Decides in an ending; nothing where it is none.
pub(crate) fn choose(
    sight: &Sight<'_>,
    most: u64,
    budget: &Budget,
    desk: &mut Desk<'_, Move>,
) -> Option<Choice<Move>> {
    let ending = ending_of(sight)?;
    let most = desk.budget.limits().nodes.map_or(most, |n| n.min(most));
    let mut solver = Solver::new(
        sight.game.engine(),
        sight.game.settings().bingo,
        budget,
        most,
    );
    let mut rounds = Vec::new();
    let watched = desk.record.is_some();
    let solution = solver.solve(&ending, |found| {
        if watched {
            rounds.push(found.clone());
        }
        let worth = f64::from(found.value);
        desk.say(Thought {
            lines: vec![Line {
                moves: found.line.iter().map(as_move).collect(),
                worth: if found.exact {
                    Worth::exact(found.value)
                } else {
                    Worth::heuristic(worth)
                },
            }],
            depth: found.depth,
            nodes: found.nodes,
            why: Some(WORDS.say(if found.exact {
                "why-ending"
            } else {
                "why-ending-part"
            })),
            ..Thought::default()
        });
    });
    let mv = solution.line.first().map_or(Move::Pass, as_move);
    if let Some(watch) = desk.record.take() {
        tell(watch, sight, (&solver, &rounds), &solution, &mv);
    }
    Some(Choice::Move(mv))
}

/// Tells the ending: what each depth found, and what every first move comes to.
fn tell<W: Watch>(
    watch: &mut W,
    sight: &Sight<'_>,
    (solver, rounds): (&Solver<'_>, &[Solution]),
    solution: &Solution,
    mv: &Move,
) {
    let (game, view) = (sight.game, sight.view);
    let mut account = Account::open(watch, (game, view), Backup::Max);
    for round in rounds {
        // Moves of the other side are written as they would be there: by their squares and letters.
        let first = round.line.first().map(as_move);
        let says = WORDS
            .say("told-ending-depth")
            .with("depth", round.depth)
            .with("nodes", grouped(round.nodes))
            .with("value", format!("{:+}", round.value))
            .with("move", first.map_or(String::new(), |mv| account.label(&mv)));
        account.told.note(says);
    }
    let worth = |value: i32| {
        if solution.exact {
            Worth::exact(value)
        } else {
            Worth::heuristic(f64::from(value))
        }
    };
    let mut order: Vec<&Tried> = solver.tried().iter().collect();
    order.sort_by_key(|tried| (std::cmp::Reverse(tried.value), tried.at_most));
    for tried in order {
        let made = as_move(&tried.step);
        // What was chosen is listed in any case.
        if !account.room() && made != *mv {
            continue;
        }
        let known = worth(tried.value);
        // A bound that rests on a judgement is an estimate.
        let known = if tried.at_most && solution.exact {
            known.known(Proof::AtMost)
        } else {
            known
        };
        let key = if tried.at_most {
            "told-ending-worse"
        } else {
            "told-ending-move"
        };
        let says = WORDS.say(key).with("value", format!("{:+}", tried.value));
        account.known(&made, known, says);
    }
    let did = WORDS.say(if solution.exact {
        "sum-ending"
    } else {
        "sum-ending-part"
    });
    let did = did
        .with("nodes", grouped(solution.nodes))
        .with("depth", solution.depth);
    let decided = WORDS
        .say("sum-ending-best")
        .with("move", account.label(mv))
        .with("value", format!("{:+}", solution.value));
    let chosen = solver
        .tried()
        .iter()
        .any(|tried| as_move(&tried.step) == *mv);
    let known = Some(worth(solution.value)).filter(|_| chosen);
    let rest = WORDS.say("told-ending-rest");
    account.choose_known(mv, known, rest, [did, decided]);
}
