//! The search: the greatest chance over Breaker's moves, the mean over level 4's dice.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use wits_search::Budget;

use super::lines::Lines;
use super::reply::{Reply, replies};
use super::stand::{Stand, Step};
use super::{MOST_N, Mark};
use crate::terms::Side;

/// A chance to hold, as far as it is known.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Chance {
    pub(super) least: f64,
    pub(super) most: f64,
}

/// Chances are sums of fractions, so one is never quite one.
const NEARLY: f64 = 1.0 - 1e-9;

impl Chance {
    const ZERO: Chance = Chance::exactly(0.0);
    const ONE: Chance = Chance::exactly(1.0);

    const UNKNOWN: Chance = Chance {
        least: 0.0,
        most: 1.0,
    };

    const fn exactly(chance: f64) -> Chance {
        Chance {
            least: chance,
            most: chance,
        }
    }

    /// Whether every game was followed as far as it can matter.
    pub(super) fn exact(self) -> bool {
        self.most - self.least <= 1.0 - NEARLY
    }

    /// What both say.
    fn and(self, other: Chance) -> Chance {
        Chance {
            least: self.least.max(other.least),
            most: self.most.min(other.most),
        }
    }
}

/// The tables are split so that threads seldom wait for each other.
const TABLES: usize = 64;

/// Free choices of Breaker before a position is a task of its own for a helping thread.
const TASK_DEPTH: u32 = 2;

/// What a search is asked for.
#[derive(Clone, Copy)]
struct Ask {
    /// How many slips Breaker may make.
    slips: u32,
    /// Only a chance of more than this is of interest; that it is not more is answer enough.
    above: f64,
}

impl Ask {
    /// The chance, whatever it is.
    const ALL: Ask = Ask {
        slips: u32::MAX,
        above: 0.0,
    };
}

/// What was found out about a position, and what had been asked for.
#[derive(Clone, Copy)]
struct Found {
    chance: Chance,
    ask: Ask,
}

impl Found {
    fn answers(&self, ask: Ask) -> bool {
        let asked = self.ask.slips >= ask.slips && self.ask.above <= ask.above;
        asked || self.chance.exact() || self.chance.most <= ask.above
    }
}

/// One search over the games of a board.
///
/// It can be complete, or limited to games in which Breaker takes the lightest outcome but for a few *slips* (Harvey and
/// Ginsberg, 1995, call this limited discrepancy search): then it finds a way to hold sooner, if there is one.
pub(super) struct Search<'a> {
    lines: &'a Lines,
    budget: &'a Budget,
    found: Vec<Mutex<HashMap<u128, Found>>>,
    visits: AtomicU64,
    /// Everybody is to leave: the answer is there, or the budget has ended.
    over: AtomicBool,
}

impl<'a> Search<'a> {
    pub(super) fn new(lines: &'a Lines, budget: &'a Budget) -> Search<'a> {
        Search {
            lines,
            budget,
            found: (0..TABLES).map(|_| Mutex::default()).collect(),
            visits: AtomicU64::new(0),
            over: AtomicBool::new(false),
        }
    }

    /// How many different positions were followed to all their ends.
    pub(super) fn known(&self) -> u64 {
        let tables = self.found.iter().map(|table| {
            let table = table.lock().unwrap_or_else(PoisonError::into_inner);
            table.values().filter(|found| found.chance.exact()).count() as u64
        });
        tables.sum()
    }

    /// Breaker's best step: with few slips first and then more, and each time first whether he holds for certain, until
    /// nothing better can be found or the budget has ended.
    pub(super) fn widen(&self, stand: &Stand) -> (Chance, Option<Step>) {
        let mut best = (Chance::UNKNOWN, None);
        for slips in 0..=MOST_N as u32 {
            for above in [NEARLY, 0.0] {
                let ask = Ask {
                    slips,
                    above: best.0.least.max(above),
                };
                if best.0.most <= ask.above {
                    continue;
                }
                let (chance, step) = self.choose(stand, ask, &|_| {});
                if chance.least > best.0.least {
                    best.1 = step;
                }
                best.0 = best.0.and(chance);
                if best.0.exact() || self.over.load(Ordering::Relaxed) {
                    return best;
                }
            }
        }
        best
    }

    /// How many positions were looked at, the same one again among them.
    pub(super) fn visits(&self) -> u64 {
        self.visits.load(Ordering::Relaxed)
    }

    /// The chance from the start. The other threads fill the table from the far end; what they find is what this
    /// one would have found, so the chance does not depend on them.
    pub(super) fn run(
        &self,
        start: &Stand,
        first: Side,
        threads: usize,
        each: &(dyn Fn(f64) + Sync),
    ) -> Chance {
        let mut tasks = Vec::new();
        if threads > 1 {
            for (stand, _) in self.openings(start, first) {
                self.split(&stand, TASK_DEPTH, &mut HashSet::new(), &mut tasks);
            }
        }
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(|| {
                    for _ in &tasks {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        if at >= tasks.len() || self.over.load(Ordering::Relaxed) {
                            return;
                        }
                        self.breaker(&tasks[tasks.len() - 1 - at], Ask::ALL);
                    }
                });
            }
            let chance = self.outermost(start, first, each);
            self.over.store(true, Ordering::Relaxed);
            chance
        })
    }

    /// The positions in which Breaker moves first, each with its chance; those that are lost are left out.
    fn openings(&self, start: &Stand, first: Side) -> Vec<(Stand, f64)> {
        match first {
            Side::Breaker => vec![(*start, 1.0)],
            Side::Maker => self.answers(start).collect(),
        }
    }

    fn outermost(&self, start: &Stand, first: Side, each: &(dyn Fn(f64) + Sync)) -> Chance {
        if start.live() == 0 {
            return Chance::ONE;
        }
        let openings = self.openings(start, first);
        let mut all = Chance::ZERO;
        for (at, (stand, share)) in openings.iter().enumerate() {
            let told = |done: f64| each((at as f64 + done) / openings.len() as f64);
            let chance = self.choose(stand, Ask::ALL, &told).0;
            all.least += share * chance.least;
            all.most += share * chance.most;
        }
        all
    }

    /// Positions that Breaker meets after so many free choices.
    fn split(&self, stand: &Stand, deep: u32, seen: &mut HashSet<u128>, tasks: &mut Vec<Stand>) {
        let free = stand.by[1] == 0;
        if stand.live() == 0 || (free && !seen.insert(stand.key(self.lines))) {
            return;
        }
        if deep == 0 {
            tasks.push(*stand);
            return;
        }
        for step in stand.defences(self.lines) {
            for (next, _) in self.answers(&stand.after(self.lines, step)) {
                self.split(&next, deep - u32::from(free), seen, tasks);
            }
        }
    }

    /// The chance with Breaker to move.
    fn breaker(&self, stand: &Stand, ask: Ask) -> Chance {
        if stand.live() == 0 {
            return Chance::ONE;
        }
        // Answers to a threat are few; remembering those would cost more than looking again.
        if stand.by[1] != 0 {
            return self.choose(stand, ask, &|_| {}).0;
        }
        let key = stand.key(self.lines);
        let table = || {
            let table = &self.found[(key % TABLES as u128) as usize];
            table.lock().unwrap_or_else(PoisonError::into_inner)
        };
        let before = table().get(&key).copied();
        if let Some(found) = before.filter(|found| found.answers(ask)) {
            return found.chance;
        }
        let chance = self.choose(stand, ask, &|_| {}).0;
        if !self.over.load(Ordering::Relaxed) {
            let chance = before.map_or(chance, |before| before.chance.and(chance));
            table().insert(key, Found { chance, ask });
        }
        chance
    }

    /// Breaker's best step and its chance; no step where all lose. `told` hears which share of the steps is done.
    fn choose(&self, stand: &Stand, ask: Ask, told: &dyn Fn(f64)) -> (Chance, Option<Step>) {
        let steps = stand.defences(self.lines);
        if steps.is_empty() {
            return (Chance::ZERO, None);
        }
        if self.spent() {
            return (Chance::UNKNOWN, None);
        }
        let weighed = steps.into_iter().map(|step| {
            let next = stand.after(self.lines, step);
            (weight(&next, self.lines), step)
        });
        let mut steps: Vec<(u32, Step)> = weighed.collect();
        steps.sort_by_key(|&(weight, _)| weight);
        let all = steps.len() as f64;
        let mut best = (Chance::ZERO, None);
        for (done, (_, step)) in steps.into_iter().enumerate() {
            told(done as f64 / all);
            let slip = u32::from(done > 0);
            if slip > ask.slips || self.over.load(Ordering::Relaxed) {
                best.0.most = 1.0;
                break;
            }
            let ask = Ask {
                slips: ask.slips - slip,
                above: ask.above.max(best.0.least),
            };
            let chance = self.maker(&stand.after(self.lines, step), ask);
            if chance.least > best.0.least {
                best = (
                    Chance {
                        most: best.0.most,
                        ..chance
                    },
                    Some(step),
                );
            }
            best.0.most = best.0.most.max(chance.most);
            if best.0.least >= NEARLY {
                return (Chance::ONE, best.1);
            }
        }
        best
    }

    /// The chance with level 4 to move. Each reply has to be worth so much that all of them together can be more than what is
    /// asked for (Ballard, 1983: *-minimax); when that cannot be any more, the rest is left alone.
    fn maker(&self, stand: &Stand, ask: Ask) -> Chance {
        if stand.live() == 0 {
            return Chance::ONE;
        }
        let answers: Vec<(Stand, f64)> = self.answers(stand).collect();
        let mut chance = Chance {
            least: 0.0,
            most: answers.iter().map(|(_, share)| share).sum(),
        };
        for (next, share) in answers {
            if chance.most <= ask.above {
                break;
            }
            let others = chance.most - share;
            let above = ((ask.above - others) / share).max(0.0);
            let held = self.breaker(&next, Ask { above, ..ask });
            chance.least += share * held.least;
            chance.most -= share * (1.0 - held.most);
        }
        chance.most = chance.most.max(chance.least);
        chance
    }

    /// What level 4 may make of a position, with the chances; what loses at once for Breaker is left out.
    fn answers(&self, stand: &Stand) -> impl Iterator<Item = (Stand, f64)> {
        let lost = |step: Step| {
            let rainbow = stand.by[1] & self.lines.through[step.x] & !stand.spoiled(step.class);
            rainbow != 0 || stand.forks(self.lines, step)
        };
        let open = replies(stand, self.lines).into_iter();
        open.filter(move |reply| !lost(reply.step))
            .map(move |Reply { step, chance }| (stand.after(self.lines, step), chance))
    }

    /// Whether everybody is to leave; counts a visit.
    fn spent(&self) -> bool {
        let visits = self.visits.fetch_add(1, Ordering::Relaxed) + 1;
        if self.budget.spent(visits) {
            self.over.store(true, Ordering::Relaxed);
        }
        self.over.load(Ordering::Relaxed)
    }

    /// A game in which Breaker plays his best and level 4 what suits him. Empty where he cannot hold.
    pub(super) fn luckiest(&self, start: &Stand, first: Side) -> Vec<Mark> {
        self.over.store(false, Ordering::Relaxed);
        let mut marks = Vec::new();
        let (mut stand, mut turn) = (*start, first);
        while stand.live() != 0 {
            let step = match turn {
                Side::Breaker => self.choose(&stand, Ask::ALL, &|_| {}).1,
                Side::Maker => self.kindest(&stand),
            };
            let Some(step) = step else {
                return Vec::new();
            };
            marks.push(stand.mark(step));
            stand = stand.after(self.lines, step);
            turn = turn.other();
        }
        marks
    }

    /// The reply of level 4 that leaves Breaker the best chance; nothing if he has none.
    fn kindest(&self, stand: &Stand) -> Option<Step> {
        let mut best = (0.0, None);
        for Reply { step, .. } in replies(stand, self.lines) {
            let next = stand.after(self.lines, step);
            if next.by[0] != 0 {
                continue;
            }
            let chance = self.breaker(&next, Ask::ALL).least;
            if chance > best.0 {
                best = (chance, Some(step));
            }
        }
        best.1
    }
}

/// What the live series weigh: twice as much for every number painted but the first, which leaves nothing to spoil them by.
/// Any order of moves is right; with the lightest outcome first holds are found soon.
fn weight(stand: &Stand, lines: &Lines) -> u32 {
    let by = stand.by[..=lines.k].iter().rev().enumerate();
    by.map(|(painted, set)| set.count_ones() << painted.saturating_sub(1))
        .sum()
}
