//! Thinking about a position: deeper and deeper, then to the end where it is in reach.

use std::sync::Arc;

use wits_search::{Budget, Limits};

use super::book::Book;
use super::log::{After, Log};
use super::plan::{self, CHEAPER, Ends};
use super::seek::{Seeker, Selection, WIDEST};
use super::table::Table;
use super::{DISC, Judgement};
use crate::endgame::Solver;
use crate::{Position, Square};

/// How sure an idea is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Known {
    /// Looked up in the book of openings.
    Book,
    /// Judged at a horizon, every branch up to it looked at.
    Estimate,
    /// Judged at a horizon, hopeless branches left out; each such cut is right in so many percent of cases.
    Selective(u8),
    /// Proved to win or to draw; the discs are what it comes to at least.
    Outcome,
    /// Played out to the end.
    Exact,
}

/// A move with what it is worth to the side that makes it.
#[derive(Clone, PartialEq, Debug)]
pub struct Idea {
    /// The moves expected, the first one to be made now.
    pub line: Vec<Square>,
    /// Its worth in discs.
    pub discs: f64,
    /// How sure that is.
    pub known: Known,
}

/// What the engine thinks of a position.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Analysis {
    /// The best moves, best first.
    pub ideas: Vec<Idea>,
    /// The other moves that the same look refused, each with the most discs that it can be worth.
    pub refused: Vec<(Square, f64)>,
    /// How deep it looked; the number of empty squares where it played out to the end.
    pub depth: u32,
    /// How many positions it looked at.
    pub nodes: u64,
}

/// The strong engine. It keeps what it learned of positions from one move to the next.
pub struct Engine {
    judgement: Judgement,
    table: Arc<Table>,
    solver: Solver,
    selection: Option<Selection>,
    threads: usize,
    book: bool,
    age: u8,
    nodes: u64,
    stopped: bool,
}

impl Engine {
    /// An engine with the weights that come with this crate and tables of a common size.
    pub fn new() -> Engine {
        Engine::with(Judgement::fitted(), 16)
    }

    /// An engine with its judgement and tables of two to the power of `bits` places.
    pub fn with(judgement: Judgement, bits: u32) -> Engine {
        Engine {
            solver: Solver::new(bits),
            judgement,
            table: Arc::new(Table::new(bits)),
            selection: Some(Selection::USUAL),
            threads: 1,
            book: false,
            age: 0,
            nodes: 0,
            stopped: false,
        }
    }

    /// How hopeless branches are left out, or that none are.
    pub const fn select(&mut self, selection: Option<Selection>) {
        self.selection = selection;
    }

    /// Whether moves may come from the book of openings.
    pub const fn use_book(&mut self, book: bool) {
        self.book = book;
    }

    /// What the book of openings says, where it is open and knows the position.
    pub fn looked_up(&self, position: &Position) -> Option<Analysis> {
        let advice = if self.book {
            Book::shipped().advice(position)
        } else {
            Vec::new()
        };
        let ideas: Vec<Idea> = advice
            .into_iter()
            .map(|(square, worth)| Idea {
                line: vec![square],
                discs: f64::from(worth) / f64::from(DISC),
                known: Known::Book,
            })
            .collect();
        (!ideas.is_empty()).then(|| Analysis {
            ideas,
            ..Analysis::default()
        })
    }

    /// How many threads think. With more than one, the same budget need not give the same move.
    pub fn use_threads(&mut self, threads: usize) {
        self.threads = threads.max(1);
    }

    /// Thinks about a position inside a budget: up to `depth` moves ahead, and to the end with
    /// at most `exact` empty squares. The best `count` moves get a worth of their own.
    pub fn think(
        &mut self,
        position: &Position,
        (depth, exact): (u32, u32),
        count: usize,
        budget: &Budget,
        tell: &mut dyn FnMut(&Analysis),
    ) -> Analysis {
        let goal = (depth, Ends::exact(exact));
        self.follow(position, goal, count, budget, tell, &mut ())
    }

    /// [Thinks](Engine::think), and lets somebody follow.
    pub(crate) fn follow<L: Log>(
        &mut self,
        position: &Position,
        (depth, ends): (u32, Ends),
        count: usize,
        budget: &Budget,
        tell: &mut dyn FnMut(&Analysis),
        log: &mut L,
    ) -> Analysis {
        self.nodes = 0;
        self.stopped = false;
        self.age = self.age.wrapping_add(1);
        let mut order: Vec<Square> = Square::all(position.moves()).collect();
        let mut analysis = Analysis::default();
        let Some(&first) = order.first() else {
            return analysis;
        };
        analysis.ideas = vec![Idea {
            line: vec![first],
            discs: 0.0,
            known: Known::Estimate,
        }];
        let empties = 64 - position.taken().count_ones();
        // Where the end is in reach, a look ahead only orders the moves for the solver.
        let near = empties <= ends.exact.max(ends.outcome);
        let sure = near && (empties <= ends.first || count > 1);
        let ahead = if sure { empties / 3 } else { empties };
        let deepest = depth.min(ahead).max(1);
        // Where the solver may fail, the look ahead has its share and the last word.
        let share = if near && !sure {
            plan::ahead(budget)
        } else {
            budget.clone()
        };
        self.deepen(
            position,
            ((1, deepest), near),
            count,
            &share,
            (&mut order, &mut analysis),
            (tell, log),
        );
        self.stopped &= budget.spent(self.nodes) || budget.late();
        if near && !self.stopped {
            // A score is even.
            let guess = analysis.ideas.first().map_or(0.0, |idea| idea.discs);
            let guess = 2 * (guess / 2.0).round() as i32;
            // With a single best move in demand, the result comes first: it costs a fraction of the score.
            let ask = empties > ends.first && count <= 1 && order.len() > 1;
            let outcome = if ask {
                self.outcome(position, &mut order, budget, &mut analysis, log)
            } else {
                None
            };
            if empties <= ends.exact && outcome != Some(0) && !self.stopped {
                let guess = outcome.map_or(guess, |score| {
                    if score > 0 {
                        guess.max(score)
                    } else {
                        guess.min(score)
                    }
                });
                let order = (&order[..], guess);
                self.finish(position, order, count, budget, &mut analysis, log);
            } else if outcome.is_some_and(|score| score < 0) && !self.stopped {
                // Every move loses: a longer look ahead finds the one that is hardest to answer.
                let rounds = (analysis.depth + 1, depth.min(empties));
                self.deepen(
                    position,
                    (rounds, false),
                    count,
                    budget,
                    (&mut order, &mut analysis),
                    (tell, log),
                );
            }
        }
        analysis.nodes = self.nodes;
        tell(&analysis);
        analysis
    }

    /// Looks further and further ahead. Other threads do the same from other depths and share the table.
    fn deepen<L: Log>(
        &mut self,
        position: &Position,
        ((from, deepest), ends): ((u32, u32), bool),
        count: usize,
        budget: &Budget,
        (order, analysis): (&mut Vec<Square>, &mut Analysis),
        (tell, log): (&mut dyn FnMut(&Analysis), &mut L),
    ) {
        let (table, judgement) = (Arc::clone(&self.table), self.judgement.clone());
        let (selection, age) = (self.selection, self.age);
        // Helpers end with this search, not only when everybody is told to stop.
        let helpers = budget.for_helpers();
        std::thread::scope(|scope| {
            for number in 1..self.threads {
                let (judgement, table, helpers) = (&judgement, &table, &helpers);
                scope.spawn(move || {
                    let mut nobody = ();
                    let mut seeker =
                        Seeker::new(judgement, table, selection, helpers, age, &mut nobody);
                    let from = 1 + number as u32 % 2;
                    let mut guess = 0;
                    for step in (from..=deepest).step_by(1 + number % 2) {
                        let (own, other) = (position.own(), position.other());
                        let (low, high) = (guess - 300, guess + 300);
                        guess = seeker.search(own, other, step, low, high);
                        if seeker.stopped {
                            return;
                        }
                    }
                });
            }
            let mut seeker = Seeker::new(&judgement, &table, selection, budget, age, log);
            seeker.nodes = self.nodes;
            let mut guess = 0;
            for step in from..=deepest {
                seeker.log.round(step, false);
                let mut refused = Vec::new();
                let goal = (step, count, guess);
                let found = round(&mut seeker, position, order, goal, &mut refused);
                self.nodes = seeker.nodes;
                self.stopped = seeker.stopped;
                analysis.nodes = seeker.nodes;
                if self.stopped && (found.is_empty() || step == 1) && step > 1 {
                    seeker.log.done(None, After::Stopped, seeker.nodes);
                    break;
                }
                if let Some(&(best, _)) = found.first() {
                    guess = best;
                    let known = match selection {
                        Some(selection) if step > 3 => Known::Selective(selection.percent()),
                        _ => Known::Estimate,
                    };
                    analysis.ideas = found
                        .iter()
                        .map(|&(value, square)| Idea {
                            line: line(|p| remembered(&table, p), position, square, step),
                            discs: f64::from(value) / f64::from(DISC),
                            known,
                        })
                        .collect();
                    let discs = |(value, square)| (square, f64::from(value) / f64::from(DISC));
                    analysis.refused = refused.into_iter().map(discs).collect();
                    analysis.depth = step;
                    for &(_, square) in found.iter().rev() {
                        order.retain(|s| *s != square);
                        order.insert(0, square);
                    }
                }
                // A forced move needs no thought, and a step that cannot end in time is not begun.
                let forced = order.len() == 1 && count <= 1 && budget.limits().depth.is_none();
                let limits = budget.limits();
                let half =
                    budget.half_gone() || limits.nodes.is_some_and(|most| seeker.nodes * 2 > most);
                let over = self.stopped || forced || half;
                if L::ON {
                    let after = match (self.stopped, forced, half) {
                        (true, _, _) => After::Stopped,
                        (_, true, _) => After::Forced,
                        _ if ends && (half || step == deepest) => After::ToTheEnd,
                        (_, _, true) => After::Half,
                        _ if step == deepest => After::Deepest,
                        _ => After::Again,
                    };
                    let line = analysis.ideas.first().map_or(&[][..], |idea| &idea.line);
                    let best = found.first().map(|&(value, _)| (value, line));
                    seeker.log.done(best, after, seeker.nodes);
                }
                if over {
                    break;
                }
                tell(analysis);
            }
            helpers.stop();
        });
    }

    /// Proves who wins, if the budget lasts: a score with the right sign.
    fn outcome<L: Log>(
        &mut self,
        position: &Position,
        order: &mut [Square],
        budget: &Budget,
        analysis: &mut Analysis,
        log: &mut L,
    ) -> Option<i32> {
        let empties = 64 - position.taken().count_ones();
        log.round(empties, true);
        log.between(-1, 1);
        let mut best: Option<(i32, Square)> = None;
        for &square in &*order {
            let next = position.after(square);
            let mut window = match best {
                None => (-1, 1),
                Some((score, _)) if score < 0 => (-1, 0),
                Some(_) => (0, 1),
            };
            let score = loop {
                let Some(score) = self.solved((square, &next), window, budget, log) else {
                    log.done(None, After::Stopped, self.nodes);
                    self.stopped = true;
                    return None;
                };
                // At least a draw: is it a win?
                if window == (-1, 0) && score == 0 {
                    window = (-1, 1);
                } else {
                    break score;
                }
            };
            if best.is_none_or(|(most, _)| score > most) {
                best = Some((score, square));
            }
            if score > 0 {
                break;
            }
        }
        let (score, square) = best?;
        if score < 0 {
            log.done(None, After::Lost, self.nodes);
            return Some(score);
        }
        analysis.refused.clear();
        analysis.ideas = vec![Idea {
            line: vec![square],
            discs: f64::from(score),
            // Nothing wins and this draws: that is the score.
            known: if score == 0 {
                Known::Exact
            } else {
                Known::Outcome
            },
        }];
        analysis.depth = empties;
        if L::ON {
            let line = self.proved_line(position, square);
            log.done(Some((score, &line)), After::Decided, self.nodes);
        }
        if let Some(at) = order.iter().position(|s| *s == square) {
            order[..=at].rotate_right(1);
        }
        Some(score)
    }

    /// Plays the position out exactly, if the budget lasts.
    fn finish<L: Log>(
        &mut self,
        position: &Position,
        (order, guess): (&[Square], i32),
        count: usize,
        budget: &Budget,
        analysis: &mut Analysis,
        log: &mut L,
    ) {
        let empties = 64 - position.taken().count_ones();
        log.round(empties, true);
        let mut found: Vec<(i32, Square)> = Vec::new();
        let mut worst = -64;
        // A narrow window around the guess costs much less than the whole one.
        for &square in order {
            let next = position.after(square);
            let wide = found.len() < count.max(1);
            let first = found.is_empty();
            let mut window = match (first, wide) {
                (true, _) => (guess - 4, guess + 4),
                (false, true) => (-64, worst.max(-63)),
                (false, false) => (worst, 64),
            };
            let score = loop {
                let Some(score) = self.solved((square, &next), window, budget, log) else {
                    log.done(None, After::Stopped, self.nodes);
                    return;
                };
                if score <= window.0 && window.0 > -64 && wide {
                    window = (-64, score.min(window.0));
                } else if score >= window.1 && window.1 < 64 {
                    window = (score.max(window.1) - 1, 64);
                } else {
                    break score;
                }
            };
            if wide || score > worst {
                let at = found.partition_point(|f| f.0 >= score);
                found.insert(at, (score, square));
                found.truncate(count.max(1));
                worst = found.last().map_or(-64, |f| f.0);
            }
        }
        let ideas = found.iter().map(|&(score, square)| Idea {
            line: vec![square],
            discs: f64::from(score),
            known: Known::Exact,
        });
        analysis.ideas = ideas.collect();
        analysis.refused.clear();
        analysis.depth = empties;
        if L::ON
            && let Some(&(score, square)) = found.first()
        {
            let line = self.proved_line(position, square);
            log.done(Some((score, &line)), After::Solved, self.nodes);
        }
    }

    /// What the solver expects after a move, as far as its table still holds it.
    fn proved_line(&self, position: &Position, first: Square) -> Vec<Square> {
        let best = |p: &Position| self.solver.remembered(p.own(), p.other());
        line(best, position, first, 64)
    }
}

impl Engine {
    /// The exact worth of a move that leads to a position, inside a window, if the budget lasts.
    fn solved<L: Log>(
        &mut self,
        (square, next): (Square, &Position),
        (low, high): (i32, i32),
        budget: &Budget,
        log: &mut L,
    ) -> Option<i32> {
        let left = budget.limits().nodes.map_or(u64::MAX, |n| {
            n.saturating_sub(self.nodes).saturating_mul(CHEAPER)
        });
        let inner = budget.within(Limits::nodes(left));
        let before = self.solver.nodes();
        let (low, high) = (low.max(-64), high.min(64));
        log.open(square.index() as u8, (-high, -low), before);
        let discs = (next.own(), next.other());
        let score = self.solver.follow(discs, (-high, -low), &inner, log);
        log.close(score, self.solver.nodes());
        self.nodes += (self.solver.nodes() - before) / CHEAPER;
        score.map(|s| -s)
    }
}

/// One step of deepening: the best moves with their worths, best first. After a stop, those that were looked at.
fn round<L: Log>(
    seeker: &mut Seeker<'_, L>,
    position: &Position,
    order: &[Square],
    (depth, count, guess): (u32, usize, i32),
    refused: &mut Vec<(i32, Square)>,
) -> Vec<(i32, Square)> {
    let mut found: Vec<(i32, Square)> = Vec::new();
    let mut worst = -WIDEST;
    for &square in order {
        let next = position.after(square);
        let wide = found.len() < count.max(1);
        let floor = if wide { -WIDEST } else { worst };
        let aim = (guess, found.is_empty());
        let value = root(seeker, (square, &next), depth, floor, aim);
        if seeker.stopped {
            break;
        }
        if wide || value > worst {
            let at = found.partition_point(|f| f.0 >= value);
            found.insert(at, (value, square));
            refused.extend(found.drain(count.max(1).min(found.len())..));
            worst = found.last().map_or(-WIDEST, |f| f.0);
        } else {
            refused.push((value, square));
        }
    }
    found
}

/// The worth of a root move: a narrow window around the guess first.
fn root<L: Log>(
    seeker: &mut Seeker<'_, L>,
    (square, next): (Square, &Position),
    depth: u32,
    floor: i32,
    (guess, first): (i32, bool),
) -> i32 {
    let discs = (next.own(), next.other());
    let mut look = |low: i32, high: i32| {
        let value = -seeker.look(square, discs, depth - 1, (-high, -low));
        (value, seeker.stopped)
    };
    if first && depth > 3 {
        let (low, high) = (guess - 300, guess + 300);
        let (value, stopped) = look(low, high);
        if stopped || (value > low && value < high) {
            return value;
        }
    } else if floor > -WIDEST {
        let (value, stopped) = look(floor, floor + 1);
        if stopped || value <= floor {
            return value;
        }
    }
    look(floor.min(WIDEST), WIDEST).0
}

/// The moves that the table holds for a position.
fn remembered(table: &Table, p: &Position) -> Option<Square> {
    let memory = table.find(p.own(), p.other())?;
    Square::at(usize::from(memory.best))
}

/// The moves that are expected after a first one, by what is best in each position.
fn line(
    best: impl Fn(&Position) -> Option<Square>,
    position: &Position,
    first: Square,
    most: u32,
) -> Vec<Square> {
    let mut line = vec![first];
    let mut p = position.played(first);
    while (line.len() as u32) < most {
        let Some(square) = best(&p).filter(|s| p.moves() & s.bit() != 0) else {
            break;
        };
        line.push(square);
        p = p.played(square);
    }
    line
}

impl Default for Engine {
    fn default() -> Engine {
        Engine::new()
    }
}
