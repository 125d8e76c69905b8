//! A check of Maker's strategy that shares nothing with the search but Maker's moves: colours are an array, progressions are walked
//! over one by one, and every reply that can matter is played.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use serde::Serialize;
use wits_search::Budget;

use super::search::Solver;
use crate::terms::Side;

/// A strategy that was checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Checked {
    /// Different positions with Maker to move, up to renaming and reading backwards: the answers of the strategy.
    pub answers: u64,
    /// So many numbers are coloured at most until Maker has won; with as many colours he never runs out.
    pub colours: u32,
}

/// Where a strategy fails.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Fault {
    /// A position without an answer.
    #[error("the strategy has no answer in `{0}`")]
    NoAnswer(String),
    /// An answer on a number that has a colour.
    #[error("the strategy answers {1} in `{0}`, which has a colour")]
    Taken(String, u32),
    /// A position that Breaker has won.
    #[error("no progression can become a rainbow in `{0}`")]
    Lost(String),
    /// More colours than a name of the check has room for.
    #[error("there are more than {DEAD} colours in live progressions in `{0}`")]
    ManyColours(String),
    /// The time is over, or another thread has ended the check.
    #[error("the check was stopped")]
    Stopped,
}

/// Four bits for each number: its colour, renamed as colours are met, or one of two signs.
type Name = (u64, u64);

/// A number in no live progression, and one without a colour.
const DEAD: u8 = 14;
const OPEN: u8 = 15;

type Colours = [Option<u8>];
/// The numbers that a strategy uses, and how many are coloured until it has won.
type Zone = (u32, u32);

const SHARDS: usize = 256;

struct Check<'a> {
    n: usize,
    answer: &'a (dyn Fn(&Colours) -> Option<u32> + Sync),
    progressions: Vec<Vec<usize>>,
    /// What was proved, for all threads.
    proved: Vec<Mutex<HashMap<Name, Zone>>>,
    answers: AtomicU64,
    budget: &'a Budget,
    over: AtomicBool,
}

/// Plays Maker's moves, as the solver has proved them, against every reply of Breaker inside their zones, passes included. The threads share
/// what they have checked, and take the replies in different orders.
///
/// # Errors
/// The first position in which the strategy has no answer, a bad one, or has lost.
pub fn check(
    solver: &Solver,
    first: Side,
    threads: usize,
    budget: &Budget,
) -> Result<Checked, Fault> {
    let (n, k) = solver.board();
    let answer = |colours: &Colours| solver.answer(colours, budget);
    check_answers((n as usize, k as usize), first, threads, budget, &answer)
}

/// The same for any strategy: it hears the colours, and answers with the index of a number, which gets a colour of its own.
fn check_answers(
    (n, k): (usize, usize),
    first: Side,
    threads: usize,
    budget: &Budget,
    answer: &(dyn Fn(&Colours) -> Option<u32> + Sync),
) -> Result<Checked, Fault> {
    let mut progressions = Vec::new();
    for start in 0..n {
        for step in (1..n).take_while(|step| start + step * (k - 1) < n) {
            progressions.push((0..k).map(|i| start + i * step).collect());
        }
    }
    let check = Check {
        n,
        answer,
        progressions,
        proved: (0..SHARDS).map(|_| Mutex::default()).collect(),
        answers: AtomicU64::new(0),
        budget,
        over: AtomicBool::new(false),
    };
    let run = |worker: usize| {
        let mut colours = vec![None; n];
        let found = match first {
            Side::Maker => check.maker(&mut colours, worker),
            Side::Breaker => check.breaker(&mut colours, worker),
        };
        check.over.store(true, Ordering::Relaxed);
        found
    };
    let run = &run;
    let found: Vec<Result<Zone, Fault>> = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads.max(1))
            .map(|worker| scope.spawn(move || run(worker)))
            .collect();
        let own = run(0);
        let joined = others
            .into_iter()
            .map(|thread| thread.join().expect("a check does not panic"));
        std::iter::once(own).chain(joined).collect()
    });
    let fault = |f: &&Result<Zone, Fault>| matches!(f, Err(fault) if *fault != Fault::Stopped);
    let decisive = found
        .iter()
        .find(fault)
        .or(found.iter().find(|f| f.is_ok()));
    let (_, most) = decisive.cloned().unwrap_or(Err(Fault::Stopped))?;
    Ok(Checked {
        answers: check.answers.load(Ordering::Relaxed),
        colours: most.max(k as u32),
    })
}

fn written(colours: &Colours) -> String {
    let cell = |c: &Option<u8>| c.map_or("-".to_owned(), |c| c.to_string());
    colours.iter().map(cell).collect::<Vec<_>>().join(" ")
}

/// What a walk over all progressions shows.
#[derive(Default)]
struct Sight {
    /// The numbers of live progressions, the coloured ones of which differ.
    held: u32,
    /// The zone of a rainbow.
    rainbow: Option<u32>,
    /// That of a live progression that lacks one number.
    lacks_one: Option<u32>,
    /// That of two progressions that lack different numbers.
    lack_two: Option<u32>,
}

/// Of several progressions that would do, the strategy means one that does not depend on the reading direction: the smallest mask, read in
/// either direction, together with its mirror image.
fn meant(all: &[(u32, u32)], n: usize) -> Option<(u32, u32)> {
    let rank = |numbers: u32| numbers.min(numbers.reverse_bits() >> (32 - n));
    let least = all.iter().map(|&(numbers, _)| rank(numbers)).min()?;
    let same = all.iter().filter(|&&(numbers, _)| rank(numbers) == least);
    Some(same.fold((0, 0), |sum, one| (sum.0 | one.0, sum.1 | one.1)))
}

impl Check<'_> {
    fn sight(&self, colours: &Colours) -> Sight {
        let mut sight = Sight::default();
        let (mut full, mut short) = (Vec::new(), Vec::new());
        'each: for progression in &self.progressions {
            let (mut met, mut numbers, mut lacks) = (0u64, 0u32, 0u32);
            for &x in progression {
                numbers |= 1 << x;
                match colours[x] {
                    None => lacks |= 1 << x,
                    Some(colour) if met >> colour & 1 == 1 => continue 'each,
                    Some(colour) => met |= 1 << colour,
                }
            }
            sight.held |= numbers;
            match lacks.count_ones() {
                0 => full.push((numbers, 0)),
                1 => short.push((numbers, lacks)),
                _ => {}
            }
        }
        sight.rainbow = meant(&full, self.n).map(|(zone, _)| zone);
        if let Some((zone, cells)) = meant(&short, self.n) {
            sight.lacks_one = Some(zone);
            short.retain(|(_, lacks)| lacks & cells == 0);
            sight.lack_two = match meant(&short, self.n) {
                Some((more, _)) => Some(zone | more),
                None => (cells.count_ones() > 1).then_some(zone),
            };
        }
        sight
    }

    /// The smaller name of the two reading directions, and whether it is that of reading backwards.
    fn name(&self, colours: &Colours, held: u32) -> Result<(Name, bool), Fault> {
        let read = |backwards: bool| {
            let (mut name, mut names, mut met) = ([0u64; 2], [DEAD; 64], 0);
            for i in 0..self.n {
                let x = if backwards { self.n - 1 - i } else { i };
                let code = match colours[x] {
                    _ if held >> x & 1 == 0 => DEAD,
                    None => OPEN,
                    Some(colour) => {
                        let name = &mut names[usize::from(colour)];
                        if *name == DEAD {
                            if met == DEAD {
                                return Err(Fault::ManyColours(written(colours)));
                            }
                            *name = met;
                            met += 1;
                        }
                        *name
                    }
                };
                name[i / 16] |= u64::from(code) << (4 * (i % 16));
            }
            Ok((name[0], name[1]))
        };
        let (forwards, backwards): (Name, Name) = (read(false)?, read(true)?);
        Ok((forwards.min(backwards), backwards < forwards))
    }

    fn shard(&self, name: Name) -> &Mutex<HashMap<Name, Zone>> {
        let mixed = (name.0 ^ name.1.rotate_left(17)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        &self.proved[(mixed >> 56) as usize % SHARDS]
    }

    /// Maker to move: the zone in which he wins.
    fn maker(&self, colours: &mut Colours, worker: usize) -> Result<Zone, Fault> {
        let sight = self.sight(colours);
        if let Some(zone) = sight.rainbow {
            return Ok((zone, 0));
        }
        if let Some(zone) = sight.lacks_one {
            return Ok((zone, 1));
        }
        let (name, backwards) = self.name(colours, sight.held)?;
        let turned = |zone: u32| {
            if backwards {
                zone.reverse_bits() >> (32 - self.n)
            } else {
                zone
            }
        };
        let shard = || {
            self.shard(name)
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
        };
        if let Some(&(zone, most)) = shard().get(&name) {
            return Ok((turned(zone), most));
        }
        if self.over.load(Ordering::Relaxed) || self.budget.spent(0) {
            return Err(Fault::Stopped);
        }
        let no_answer = || Fault::NoAnswer(written(colours));
        let x = (self.answer)(colours).ok_or_else(no_answer)? as usize;
        if colours.get(x).is_none_or(Option::is_some) {
            return Err(Fault::Taken(written(colours), x as u32 + 1));
        }
        colours[x] = fresh(colours);
        let found = self.breaker(colours, worker);
        colours[x] = None;
        let (zone, most) = found?;
        let (zone, most) = (zone | 1 << x, most + 1);
        if shard().insert(name, (turned(zone), most)).is_none() {
            self.answers.fetch_add(1, Ordering::Relaxed);
        }
        Ok((zone, most))
    }

    /// Breaker to move: every reply in the zone of the answer to a pass, in every colour that a live progression has, or in a
    /// fresh one where there is none.
    fn breaker(&self, colours: &mut Colours, worker: usize) -> Result<Zone, Fault> {
        let sight = self.sight(colours);
        if let Some(zone) = sight.rainbow {
            return Ok((zone, 0));
        }
        if let Some(zone) = sight.lack_two {
            return Ok((zone, 2));
        }
        if sight.held == 0 {
            return Err(Fault::Lost(written(colours)));
        }
        let (pass, mut most) = self.maker(colours, worker)?;
        let mut zone = pass;
        let mut palette: Vec<u8> = (0..self.n)
            .filter(|&x| sight.held >> x & 1 == 1)
            .filter_map(|x| colours[x])
            .collect();
        palette.sort_unstable();
        palette.dedup();
        if palette.is_empty() {
            palette.extend(fresh(colours));
        }
        // Every thread begins somewhere else.
        for x in (0..self.n).map(|x| (x + 7 * worker) % self.n) {
            if pass >> x & 1 == 0 || colours[x].is_some() {
                continue;
            }
            for i in 0..palette.len() {
                colours[x] = Some(palette[(i + worker) % palette.len()]);
                let found = self.maker(colours, worker);
                colours[x] = None;
                let (used, moves) = found?;
                zone |= used;
                most = most.max(moves + 1);
            }
        }
        Ok((zone, most))
    }
}

/// The least colour that is not on the board.
fn fresh(colours: &Colours) -> Option<u8> {
    (0..u8::MAX).find(|&colour| !colours.contains(&Some(colour)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_forged_answer_is_refused() {
        let budget = Budget::endless();
        let mut solver = Solver::sized(11, 4, 10_000).unwrap();
        let outcome = solver.solve(Side::Maker, 1, &budget).unwrap();
        let good = check(&solver, Side::Maker, 1, &budget).unwrap();
        assert_eq!(Some(good.colours), outcome.colours);
        // Every fifth answer in turn is replaced by each other free number: many of these win, too, but not all.
        let forgeries = (0..good.answers).step_by(5);
        let forgeries = forgeries.flat_map(|forged| (0..11).map(move |x| (forged, x)));
        let refused = forgeries.filter(|&(forged, other)| {
            let count = AtomicU64::new(0);
            let answer = |colours: &Colours| {
                let own = solver.answer(colours, &budget)?;
                let this = count.fetch_add(1, Ordering::Relaxed) == forged;
                let free = colours[other as usize].is_none();
                Some(if this && free { other } else { own })
            };
            check_answers((11, 4), Side::Maker, 1, &budget, &answer).is_err()
        });
        assert!(refused.count() > 0);
        let silent = |_: &Colours| None;
        let fault = check_answers((11, 4), Side::Maker, 1, &budget, &silent).unwrap_err();
        assert!(matches!(fault, Fault::NoAnswer(_)), "{fault}");
        let taken = |colours: &Colours| {
            let painted = colours.iter().position(Option::is_some);
            Some(painted.map_or(5, |x| x as u32))
        };
        let fault = check_answers((11, 4), Side::Maker, 2, &budget, &taken).unwrap_err();
        assert!(matches!(fault, Fault::Taken(_, 6)), "{fault}");
    }
}
