//! One to four tiles in the bag: every draw, and the ending after each.
//!
//! The side to move does not know which of the unseen tiles are in the bag. A word that takes them all out leaves an ending in which both sides
//! know everything, so each draw that could come is followed by a search that says who wins it, and the share of draws won is
//! exact. A word that leaves some of them in the bag, and a pass, go on with secrets: they are played out by points and leaves over the
//! same draws, which is an estimate. With one tile in the bag a pass is followed as if the other side knew it: a lower bound.
//!
//! Candidates come in the order of what playing out says. One is given up when the draws that are left could not bring it to the best any
//! more.

use std::cmp::Ordering;

use wits_play::Budget;

use super::bout::{Rack, Step};
use super::ending::Ending;
use super::rating::Rated;
use super::solver::Solver;
use crate::generate::{Engine, Field};
use crate::settings::RACK;

/// At most so many tiles in the bag.
pub const MOST: usize = 4;

/// How well a prospect is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Known {
    /// Every draw was solved.
    Exact,
    /// The other side was taken to know more than it does: it wins at least so often.
    AtLeast,
    /// Played out by points: an estimate.
    Estimate,
}

/// What a candidate comes to.
#[derive(Clone, PartialEq, Debug)]
pub struct Prospect {
    /// The candidate.
    pub step: Step,
    /// How many draws there are: the ways to take the tiles out of the bag.
    pub tried: u32,
    /// Twice the number of them that win, a draw being half.
    pub wins: u32,
    /// The sum of the final differences.
    pub spread: i64,
    /// How well the wins are known.
    pub known: Known,
    /// Whether the differences are exact, too.
    pub exact_spread: bool,
}

impl Prospect {
    /// The share of draws that win.
    pub fn share(&self) -> f64 {
        f64::from(self.wins) / f64::from(2 * self.tried.max(1))
    }

    /// The mean final difference.
    pub fn mean(&self) -> f64 {
        self.spread as f64 / f64::from(self.tried.max(1))
    }
}

/// What the candidates come to.
#[derive(Clone, Debug, Default)]
pub struct Outlook {
    /// Those that were followed, the best first: by games won, then by points.
    pub found: Vec<Prospect>,
    /// Whether no other candidate can win more often than the first: all were followed or cannot reach it.
    pub complete: bool,
    /// How many candidates were shown to fall short.
    pub behind: usize,
    /// How many candidates were not decided when the budget was spent.
    pub open: usize,
}

/// A position before the bag is empty.
#[derive(Clone, Copy, Debug)]
pub struct Before<'a> {
    /// The lexicon made ready.
    pub engine: &'a Engine,
    /// What all seven tiles add.
    pub bingo: i32,
    /// The board.
    pub field: &'a Field,
    /// The tiles of the side to move.
    pub rack: &'a Rack,
    /// Those that it does not see, in the bag or with the other side.
    pub unseen: &'a [u8],
    /// How many of them are in the bag.
    pub bag: usize,
    /// How far the side to move is ahead.
    pub lead: i32,
}

/// A handful that may be drawn, and in how many ways it comes.
type Draw = (Vec<u8>, u32);

/// The handfuls of so many tiles, in order.
fn draws(unseen: &[u8], size: usize) -> Vec<Draw> {
    let mut sorted = unseen.to_vec();
    sorted.sort_unstable();
    let mut found: Vec<Draw> = Vec::new();
    let mut picked = Vec::new();
    pick(&sorted, size, &mut picked, &mut |handful| match found
        .iter_mut()
        .find(|(known, _)| known == handful)
    {
        Some((_, ways)) => *ways += 1,
        None => found.push((handful.to_vec(), 1)),
    });
    found
}

fn pick(rest: &[u8], size: usize, picked: &mut Vec<u8>, each: &mut dyn FnMut(&[u8])) {
    if size == 0 {
        each(picked);
        return;
    }
    for at in 0..rest.len() {
        picked.push(rest[at]);
        pick(&rest[at + 1..], size - 1, picked, each);
        picked.pop();
    }
}

/// What is left when a handful is taken out.
fn without(unseen: &[u8], handful: &[u8]) -> Vec<u8> {
    let mut rest = unseen.to_vec();
    for tile in handful {
        if let Some(at) = rest.iter().position(|t| t == tile) {
            rest.remove(at);
        }
    }
    rest
}

/// The position after a candidate and a draw; nothing where the game is over, and what the candidate brings at once. Words that leave
/// tiles in the bag have no such ending.
fn ending(at: &Before<'_>, step: &Step, drawn: &[u8]) -> Option<(i32, Option<Ending>)> {
    let engine = at.engine;
    let theirs = Rack::new(&without(at.unseen, drawn));
    let (play, score) = match step {
        Step::Lay(play, score) if at.rack.len() + at.bag <= RACK + play.count() => (play, score),
        // The last tile stays where it is.
        Step::Pass if at.bag == 1 => {
            let here = Ending {
                field: at.field.clone(),
                racks: [*at.rack, theirs],
                bag: drawn.first().copied(),
                passed: false,
            };
            return Some((here.gain(step, engine), here.after(step, engine)));
        }
        _ => return None,
    };
    let mut mine = *at.rack;
    let mut field = at.field.clone();
    for kind in play.taken() {
        mine.take(kind);
    }
    for &tile in drawn {
        mine.push(tile);
    }
    engine.lay(&mut field, play);
    let next = Ending {
        field,
        racks: [theirs, mine],
        bag: None,
        passed: false,
    };
    if mine.is_empty() {
        return Some((score + 2 * next.held(0, engine), None));
    }
    Some((*score, Some(next)))
}

/// How many candidates are tried before it is asked whether any other can do better.
const FIRST: usize = 24;

/// What candidates come to. Each search of an ending looks at no more than so many positions.
pub fn outlook(at: &Before<'_>, candidates: &[Rated], budget: &Budget, nodes_each: u64) -> Outlook {
    let tiles: Vec<u8> = at.unseen.iter().chain(at.rack.tiles()).copied().collect();
    let small = at.engine.pruned(at.field.board(), &tiles);
    let engine = small.as_ref().unwrap_or(at.engine);
    let field = engine.field(at.field.board());
    let at = Before {
        engine,
        field: &field,
        ..*at
    };
    let draws = draws(at.unseen, at.bag);
    let mut race = Race {
        at,
        total: draws.iter().map(|(_, ways)| ways).sum(),
        draws,
        budget,
        nodes_each,
        found: Outlook::default(),
    };
    let (first, rest) = candidates.split_at(candidates.len().min(FIRST));
    race.follow_all(first);
    // What is left to be decided about the others: could they, knowing the bag, win a draw that the best does not win?
    if race.most() < Some(race.bound()) {
        race.follow_all(rest);
    } else {
        race.found.behind += rest.len() + race.found.open;
        race.found.open = 0;
        race.found.found.retain(|p| p.known != Known::Estimate);
    }
    race.found.complete = race.found.open == 0 && !race.found.found.is_empty();
    race.exact_spreads();
    let order = |p: &Prospect| (std::cmp::Reverse(p.wins), std::cmp::Reverse(p.spread));
    race.found.found.sort_by_key(order);
    race.found
}

/// Candidates on their way.
struct Race<'a> {
    at: Before<'a>,
    draws: Vec<Draw>,
    /// In how many ways the bag can be drawn.
    total: u32,
    budget: &'a Budget,
    nodes_each: u64,
    found: Outlook,
}

impl Race<'_> {
    fn over(&self) -> bool {
        self.budget.stopped() || self.budget.late()
    }

    fn solver(&self) -> Solver<'_> {
        Solver::new(self.at.engine, self.at.bingo, self.budget, self.nodes_each)
    }

    /// The most wins of those that were followed to the end.
    fn most(&self) -> Option<u32> {
        let whole = self
            .found
            .found
            .iter()
            .filter(|p| p.known != Known::Estimate);
        whole.map(|p| p.wins).max()
    }

    /// No candidate wins more often than this: a draw counts unless the side to move loses it even when it knows what it will draw.
    fn bound(&self) -> u32 {
        let whole = self
            .found
            .found
            .iter()
            .filter(|p| p.known != Known::Estimate);
        let best = whole.max_by_key(|p| p.wins);
        let Some(best) = best.filter(|_| self.at.bag == 1) else {
            return 2 * self.total;
        };
        let mut bound = 0;
        for (drawn, ways) in &self.draws {
            let here = Ending {
                field: self.at.field.clone(),
                racks: [*self.at.rack, Rack::new(&without(self.at.unseen, drawn))],
                bag: drawn.first().copied(),
                passed: false,
            };
            // What the best wins needs no proof that it can be won.
            let won = self.sign(&best.step, drawn) == Some(1);
            let most = match (won || self.over(), self.at.lead) {
                (true, _) => 2,
                (false, lead) => match self.solver().beats(&here, -lead) {
                    (Ordering::Less, true) => 0,
                    (Ordering::Equal, true) => 1,
                    _ => 2,
                },
            };
            bound += most * ways;
        }
        bound
    }

    /// What playing out says a candidate ends with for each draw; nothing where it leaves tiles in the bag.
    fn guess(&self, step: &Step) -> Option<Vec<i32>> {
        let solver = self.solver();
        let ends = self.draws.iter().map(|(drawn, _)| {
            let (gain, next) = ending(&self.at, step, drawn)?;
            let reply = next.map_or(0, |next| solver.play_out(&next));
            Some(self.at.lead + gain - reply)
        });
        ends.collect()
    }

    fn spread(&self, guessed: &[i32]) -> i64 {
        let pairs = guessed.iter().zip(&self.draws);
        pairs
            .map(|(&end, (_, ways))| i64::from(end) * i64::from(*ways))
            .sum()
    }

    /// Follows candidates in the order of what playing out says.
    fn follow_all(&mut self, candidates: &[Rated]) {
        let mut racers: Vec<(Step, Vec<i32>)> = Vec::new();
        for candidate in candidates {
            // The first is always looked at: somebody waits for a move.
            let late = self.over() && !(racers.is_empty() && self.found.found.is_empty());
            match self.guess(&candidate.step).filter(|_| !late) {
                Some(guessed) => racers.push((candidate.step, guessed)),
                None => self.found.open += 1,
            }
        }
        racers.sort_by_cached_key(|(_, guessed)| {
            let signs = guessed.iter().zip(&self.draws);
            let wins: i64 = signs
                .map(|(end, (_, ways))| i64::from(end.signum()) * i64::from(*ways))
                .sum();
            (
                std::cmp::Reverse(wins),
                std::cmp::Reverse(self.spread(guessed)),
            )
        });
        for (at, (step, guessed)) in racers.iter().enumerate() {
            // Nothing is better than all.
            if self.most() == Some(2 * self.total) {
                self.found.behind += racers.len() - at;
                return;
            }
            let (wins, known) = match self.follow(step, guessed) {
                Followed::Behind => {
                    self.found.behind += 1;
                    continue;
                }
                Followed::Open(wins) => {
                    self.found.open += 1;
                    (wins, Known::Estimate)
                }
                Followed::Whole(wins) if matches!(step, Step::Pass) => (wins, Known::AtLeast),
                Followed::Whole(wins) => (wins, Known::Exact),
            };
            self.found.found.push(Prospect {
                step: *step,
                tried: self.total,
                wins,
                spread: self.spread(guessed),
                known,
                exact_spread: false,
            });
        }
    }

    /// Whether a candidate wins after a draw, ends even, or loses; nothing where that was not decided.
    fn sign(&self, step: &Step, drawn: &[u8]) -> Option<i32> {
        let (gain, next) = ending(&self.at, step, drawn)?;
        let lead = self.at.lead + gain;
        let Some(next) = next else {
            return Some(lead.signum());
        };
        // The other side moves: it must gain more than the lead to win.
        match self.solver().beats(&next, lead) {
            (Ordering::Greater, true) => Some(-1),
            (Ordering::Equal, true) => Some(0),
            (Ordering::Less, true) => Some(1),
            _ => None,
        }
    }

    /// Decides a candidate draw by draw, those that look lost first.
    fn follow(&self, step: &Step, guessed: &[i32]) -> Followed {
        let mut order: Vec<usize> = (0..self.draws.len()).collect();
        order.sort_by_key(|&n| guessed[n]);
        let mut room = 2 * self.total;
        // Where a draw was not decided, playing out says what becomes of it.
        let mut likely = room;
        let mut open = false;
        let behind = |room: u32| self.most().is_some_and(|most| room < most);
        for n in order {
            let (drawn, ways) = &self.draws[n];
            let decided = if self.over() {
                None
            } else {
                self.sign(step, drawn)
            };
            let lost = |sign: i32| ways * (1 - sign) as u32;
            likely -= lost(decided.unwrap_or(guessed[n].signum()));
            match decided {
                Some(sign) => room -= lost(sign),
                // It may yet fall behind by the draws that are left.
                None => open = true,
            }
            if behind(room) {
                return Followed::Behind;
            }
        }
        if open {
            Followed::Open(likely)
        } else {
            Followed::Whole(room)
        }
    }

    /// Solves the endings of those that win most often for their exact differences, as far as the budget goes.
    fn exact_spreads(&mut self) {
        let most = self.most();
        for at in 0..self.found.found.len() {
            let prospect = &self.found.found[at];
            if Some(prospect.wins) != most || prospect.known == Known::Estimate {
                continue;
            }
            let (mut sum, mut exact) = (0, true);
            for (drawn, ways) in &self.draws {
                let Some((gain, next)) = ending(&self.at, &prospect.step, drawn) else {
                    return;
                };
                if self.over() || !exact {
                    return;
                }
                let reply = next.map_or((0, true), |next| {
                    let found = self.solver().solve_here(&next);
                    (found.value, found.exact)
                });
                exact &= reply.1;
                sum += i64::from(self.at.lead + gain - reply.0) * i64::from(*ways);
            }
            if exact {
                let prospect = &mut self.found.found[at];
                (prospect.spread, prospect.exact_spread) = (sum, true);
            }
        }
    }
}

/// What following a candidate came to.
enum Followed {
    /// Every draw is decided: twice the number that win.
    Whole(u32),
    /// It cannot reach the best.
    Behind,
    /// Not every draw was decided: twice the number that probably win.
    Open(u32),
}
