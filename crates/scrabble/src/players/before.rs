//! One to four tiles in the bag: every draw, and the ending after each.
//!
//! The side to move does not know which of the unseen tiles are in the bag. A word that takes them all out leaves an ending in which both sides
//! know everything, so each draw that could come is followed by a search that says who wins it, and the share of draws won is
//! exact. A word that leaves some of them in the bag, and a pass, go on with secrets: they are played out by points and leaves over the
//! same draws, which is an estimate. With one tile in the bag a pass is followed as if the other side knew it: a lower bound.
//!
//! Candidates come in the order of what playing out says. One is given up when the draws that are left could not bring it above the best any
//! more. A draw that is lost even to a side that knows the bag counts for no candidate. Questions that are hard wait: all are asked with few
//! positions first, then with more.

use std::cmp::Ordering;
use std::sync::Mutex;

use wits_play::Budget;

use super::bout::{Rack, Step};
use super::duel::Duel;
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
    /// How many threads look at draws side by side; what is found within the budget is the same for any.
    pub threads: usize,
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

/// How many candidates are played out before they are followed. The others are asked only whether they could win more often.
const FIRST: usize = 16;
/// How many positions each question may cost, round by round.
const ROUNDS: [u64; 4] = [2_000, 20_000, 200_000, u64::MAX];
/// So many of the best are followed before it is asked what any candidate can make of a draw. That question covers all of them, so it may cost
/// more.
const LEADING: usize = 4;
const DEARER: u64 = 16;
/// How many positions each exact difference may cost: the wins are known by then.
const SPREAD: u64 = 1_000;

/// What candidates come to. Each question about an ending looks at no more than so many positions.
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
    let mut race = Race::new(at, candidates, budget, nodes_each);
    for limit in ROUNDS {
        race.round(limit.min(nodes_each));
        if race.decided() || limit >= nodes_each || race.over() {
            break;
        }
    }
    race.finish()
}

/// A candidate on its way.
struct Racer {
    step: Step,
    /// What playing out says it ends with for each draw; only for the first.
    guessed: Option<Vec<i32>>,
    /// For each draw whether it wins, ends even, or loses, where that is decided.
    signs: Vec<Option<i32>>,
}

impl Racer {
    fn whole(&self) -> bool {
        self.signs.iter().all(Option::is_some)
    }
}

/// A question about the ending after a draw.
struct Question {
    ending: Ending,
    /// Whether the side to move gains more than this.
    gain: i32,
    guess: Ordering,
    /// How many positions it may cost.
    limit: u64,
}

/// Candidates on their way.
struct Race<'a> {
    at: Before<'a>,
    draws: Vec<Draw>,
    /// In how many ways the bag can be drawn.
    total: u32,
    budget: &'a Budget,
    nodes_each: u64,
    /// One for each draw, so that draws can be looked at side by side.
    duels: Vec<Duel<'a>>,
    racers: Vec<Racer>,
    /// How many of the racers were played out.
    first: usize,
    /// For each draw, how much any candidate can make of it: 2 for a win, 1 for an even end.
    ceilings: Vec<Option<u32>>,
    /// Candidates that leave tiles in the bag.
    secret: usize,
}

impl<'a> Race<'a> {
    fn new(at: Before<'a>, candidates: &[Rated], budget: &'a Budget, nodes_each: u64) -> Race<'a> {
        let draws = draws(at.unseen, at.bag);
        let empties = |step: &Step| match step {
            Step::Lay(play, _) => at.rack.len() + at.bag <= RACK + play.count(),
            Step::Pass => at.bag == 1,
            Step::Swap(_) => false,
        };
        let steps = candidates.iter().map(|rated| rated.step).filter(empties);
        let racers: Vec<Racer> = steps
            .map(|step| Racer {
                step,
                guessed: None,
                signs: vec![None; draws.len()],
            })
            .collect();
        let mut race = Race {
            total: draws.iter().map(|(_, ways)| ways).sum(),
            ceilings: vec![None; draws.len()],
            secret: candidates.len() - racers.len(),
            first: 0,
            at,
            draws,
            budget,
            nodes_each,
            duels: Vec::new(),
            racers,
        };
        let many = race.draws.len();
        let duel = || Duel::one_of(many, at.engine, at.bingo, budget);
        race.duels.resize_with(many, duel);
        race.play_out();
        race
    }

    /// Asks a question about each of some draws.
    fn ask(&mut self, questions: Vec<(usize, Question)>) -> Vec<(usize, Option<Ordering>)> {
        let threads = self.at.threads.min(questions.len());
        let mut asked: Vec<Option<Question>> = Vec::new();
        asked.resize_with(self.duels.len(), || None);
        for (n, question) in questions {
            asked[n] = Some(question);
        }
        let jobs = (self.duels.iter_mut().zip(asked).enumerate())
            .filter_map(|(n, (duel, question))| Some((n, duel, question?)));
        let jobs = Mutex::new(jobs);
        let found = Mutex::new(Vec::new());
        let work = || {
            loop {
                let job = jobs.lock().expect("no thread panics holding it").next();
                let Some((n, duel, ask)) = job else { return };
                let order = duel.beats(&ask.ending, ask.gain, ask.guess, ask.limit);
                let mut found = found.lock().expect("no thread panics holding it");
                found.push((n, order));
            }
        };
        if threads <= 1 {
            work();
        } else {
            std::thread::scope(|scope| {
                for _ in 0..threads {
                    scope.spawn(work);
                }
            });
        }
        found.into_inner().expect("no thread panics holding it")
    }

    /// Plays the first candidates out and puts them in the order of what that says.
    fn play_out(&mut self) {
        let solver = Solver::new(self.at.engine, self.at.bingo, self.budget, u64::MAX);
        for at in 0..self.racers.len().min(FIRST) {
            // The first is always looked at: somebody waits for a move.
            if at > 0 && self.over() {
                break;
            }
            let step = self.racers[at].step;
            let ends = self.draws.iter().map(|(drawn, _)| {
                let (gain, next) = ending(&self.at, &step, drawn)?;
                let reply = next.map_or(0, |next| solver.play_out(&next));
                Some(self.at.lead + gain - reply)
            });
            self.racers[at].guessed = ends.collect();
            self.first = at + 1;
        }
        let draws = &self.draws;
        self.racers[..self.first].sort_by_cached_key(|racer| {
            let guessed = racer.guessed.as_deref().unwrap_or_default();
            let wins: i64 = guessed
                .iter()
                .zip(draws)
                .map(|(end, (_, ways))| i64::from(end.signum()) * i64::from(*ways))
                .sum();
            (
                std::cmp::Reverse(wins),
                std::cmp::Reverse(spread(guessed, draws)),
            )
        });
    }

    fn over(&self) -> bool {
        self.budget.stopped() || self.budget.late()
    }

    /// Twice the number of draws that a candidate wins, if it wins all that are not decided.
    fn potential(&self, at: usize) -> u32 {
        let signs = self.racers[at].signs.iter().zip(&self.ceilings);
        signs
            .zip(&self.draws)
            .map(|((sign, ceiling), (_, ways))| {
                let most = sign.map_or(ceiling.unwrap_or(2), |sign| (1 + sign) as u32);
                most * ways
            })
            .sum()
    }

    /// The candidate that wins most often of those that were followed to the end, and how often.
    fn best(&self) -> Option<(usize, u32)> {
        let whole = (0..self.racers.len()).filter(|&at| self.racers[at].whole());
        let wins = whole.map(|at| (at, self.potential(at)));
        wins.max_by_key(|&(at, wins)| (wins, std::cmp::Reverse(at)))
    }

    /// Whether a candidate may yet win more often than the best.
    fn may_lead(&self, at: usize, best: Option<(usize, u32)>) -> bool {
        !self.racers[at].whole() && best.is_none_or(|(_, most)| self.potential(at) > most)
    }

    /// Whether no candidate can win more often than the best.
    fn decided(&self) -> bool {
        let best = self.best();
        best.is_some() && (0..self.racers.len()).all(|at| !self.may_lead(at, best))
    }

    /// Asks everything that is open, with so many positions for each question.
    fn round(&mut self, limit: u64) {
        let leading = self.first.min(LEADING);
        for at in 0..leading {
            self.follow(at, limit);
        }
        let beaten = |most: u32| most < 2 * self.total;
        if self.at.bag == 1 && self.best().is_none_or(|(_, most)| beaten(most)) {
            self.find_ceilings(limit.saturating_mul(DEARER).min(self.nodes_each));
        }
        for at in leading..self.racers.len() {
            if self.over() {
                return;
            }
            self.follow(at, limit);
        }
    }

    /// Decides the draws of a candidate, as long as it may lead.
    fn follow(&mut self, at: usize, limit: u64) {
        let best = self.best();
        let expected = |n: usize| -> i32 {
            let racer = &self.racers[at];
            match (&racer.guessed, best) {
                (Some(guessed), _) => guessed[n],
                // Like the best, more or less.
                (None, Some((best, _))) => self.racers[best].signs[n].unwrap_or(0),
                (None, None) => -1,
            }
        };
        let mut order: Vec<(i32, usize)> = (0..self.draws.len())
            .filter(|&n| self.racers[at].signs[n].is_none())
            .map(|n| (expected(n), n))
            .collect();
        order.sort_unstable();
        // Nothing is decided as yet: every draw counts, so all are looked at side by side.
        let together = if best.is_none() { order.len() } else { 1 };
        for some in order.chunks(together.max(1)) {
            if !self.may_lead(at, best) || self.over() {
                return;
            }
            let step = self.racers[at].step;
            let mut questions = Vec::new();
            for &(guess, n) in some {
                let drawn = &self.draws[n].0;
                let Some((gain, next)) = ending(&self.at, &step, drawn) else {
                    return;
                };
                let lead = self.at.lead + gain;
                match next {
                    None => self.racers[at].signs[n] = Some(lead.signum()),
                    // The other side moves: it must gain more than the lead to win.
                    Some(ending) => {
                        let guess = 0.cmp(&guess);
                        questions.push((
                            n,
                            Question {
                                ending,
                                gain: lead,
                                guess,
                                limit,
                            },
                        ));
                    }
                }
            }
            for (n, order) in self.ask(questions) {
                self.racers[at].signs[n] = order.map(|order| match order {
                    Ordering::Greater => -1,
                    Ordering::Equal => 0,
                    Ordering::Less => 1,
                });
            }
        }
    }

    /// What any candidate can make of a draw, even if it knows the bag.
    fn find_ceilings(&mut self, limit: u64) {
        let best = self.best().map(|(at, _)| at);
        let open = |n: &usize| {
            let won = best.is_some_and(|at| self.racers[at].signs[*n] == Some(1));
            self.ceilings[*n].is_none() && !won
        };
        let questions = (0..self.draws.len()).filter(open).map(|n| {
            let drawn = &self.draws[n].0;
            let ending = Ending {
                field: self.at.field.clone(),
                racks: [*self.at.rack, Rack::new(&without(self.at.unseen, drawn))],
                bag: drawn.first().copied(),
                passed: false,
            };
            let question = Question {
                ending,
                gain: -self.at.lead,
                guess: Ordering::Less,
                limit,
            };
            (n, question)
        });
        let questions = questions.collect();
        for (n, found) in self.ask(questions) {
            self.ceilings[n] = found.map(|order| match order {
                Ordering::Less => 0,
                Ordering::Equal => 1,
                Ordering::Greater => 2,
            });
        }
    }

    /// What was found, the best first.
    fn finish(mut self) -> Outlook {
        let best = self.best();
        let mut outlook = Outlook {
            open: self.secret,
            ..Outlook::default()
        };
        let mut ties = Vec::new();
        for at in 0..self.racers.len() {
            let racer = &self.racers[at];
            let open = self.may_lead(at, best);
            outlook.open += usize::from(open);
            outlook.behind += usize::from(!open && !racer.whole());
            let known = match racer.step {
                _ if !racer.whole() => Known::Estimate,
                Step::Pass => Known::AtLeast,
                _ => Known::Exact,
            };
            let guessed = racer.guessed.as_deref();
            // Those that were not played out are listed where they are the best.
            let listed = match (known, guessed) {
                (Known::Estimate, guessed) => open && guessed.is_some(),
                (_, Some(_)) => true,
                (_, None) => Some(at) == best.map(|(at, _)| at),
            };
            if !listed {
                outlook.behind += usize::from(racer.whole());
                continue;
            }
            let likely = |n: usize| racer.signs[n].unwrap_or(guessed.map_or(0, |g| g[n].signum()));
            let draws = self.draws.iter().enumerate();
            let wins = draws
                .map(|(n, (_, ways))| (1 + likely(n)) as u32 * ways)
                .sum();
            if best.is_some_and(|(_, most)| wins == most) && known != Known::Estimate {
                ties.push(outlook.found.len());
            }
            outlook.found.push(Prospect {
                step: racer.step,
                tried: self.total,
                wins,
                spread: guessed.map_or(0, |guessed| spread(guessed, &self.draws)),
                known,
                exact_spread: false,
            });
        }
        outlook.complete = outlook.open == 0 && best.is_some();
        self.exact_spreads(&mut outlook.found, &ties);
        let order = |p: &Prospect| (std::cmp::Reverse(p.wins), std::cmp::Reverse(p.spread));
        outlook.found.sort_by_key(order);
        outlook
    }

    /// Solves the endings of those that win most often for their exact differences, as far as the budget goes.
    fn exact_spreads(&mut self, found: &mut [Prospect], ties: &[usize]) {
        let mut solver = Solver::new(self.at.engine, self.at.bingo, self.budget, u64::MAX);
        for &at in ties {
            let mut sum = 0;
            for (drawn, ways) in &self.draws {
                let Some((gain, next)) = ending(&self.at, &found[at].step, drawn) else {
                    return;
                };
                if self.budget.stopped() || self.budget.late() {
                    return;
                }
                solver.allow(self.nodes_each.min(SPREAD));
                let reply = next.map_or((0, true), |next| {
                    let found = solver.solve_here(&next);
                    (found.value, found.exact)
                });
                if !reply.1 {
                    return;
                }
                sum += i64::from(self.at.lead + gain - reply.0) * i64::from(*ways);
            }
            (found[at].spread, found[at].exact_spread) = (sum, true);
        }
    }
}

/// The sum of the final differences over all draws.
fn spread(ends: &[i32], draws: &[Draw]) -> i64 {
    let pairs = ends.iter().zip(draws);
    pairs
        .map(|(&end, (_, ways))| i64::from(end) * i64::from(*ways))
        .sum()
}
