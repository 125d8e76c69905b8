//! A check of the winner's strategy that shares nothing with the search but the winner's moves: colours are an array, progressions are
//! walked over one by one, positions are named by code of its own, and every reply is played.
//!
//! Of the facts that keep the search small two are used here. Numbers in no live progression are places to pass, of which only the parity
//! matters; and with colours to spare Maker's replies are fresh colours, and Breaker's are colours that a live progression has (the second and
//! the third fact of [`crate::exact`]). Where colours can run out, all are played.

use std::collections::HashSet;

use serde::Serialize;
use wits_search::Budget;

use super::node::{Node, Step};
use super::solver::Solver;
use crate::terms::Side;

/// A strategy that was checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Checked {
    /// Different positions that were played through, up to renaming and reading backwards.
    pub positions: u64,
    /// Of these, the ones in which the winner answered.
    pub answers: u64,
}

/// Where a strategy fails.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Fault {
    /// A position without an answer.
    #[error("the strategy has no answer in `{0}`")]
    NoAnswer(String),
    /// An answer on a number that has a colour, or in a colour that there is not.
    #[error("the strategy answers {1} in `{0}`, which cannot be")]
    BadAnswer(String, u32),
    /// A position that the other side has won.
    #[error("the other side has won in `{0}`")]
    Lost(String),
    /// The time is over.
    #[error("the check was stopped")]
    Stopped,
}

type Colours = [Option<u8>];
/// A number, and its colour; nothing for one that no number has.
type Answer = (usize, Option<u8>);
/// Six bits for each number, then whether one can pass, and who moves.
type Name = ([u64; 3], u8);

const DEAD: u8 = 0;
const OPEN: u8 = 1;

impl Solver {
    /// Plays the winner's moves from the empty board against every reply; nothing if the budget ends before the winner is known.
    ///
    /// # Errors
    /// The first position in which the strategy has no answer, a bad one, or has lost.
    pub fn check(&mut self, first: Side, budget: &Budget) -> Option<Result<Checked, Fault>> {
        let start = Node::start(&self.lines, first);
        let (winner, colours) = self.decide(&start, budget)?;
        let (n, k) = (self.lines.n as usize, self.lines.k as usize);
        let rules = Rules {
            n,
            progressions: progressions(n, k),
            winner,
            most: (colours != u32::MAX).then_some(colours as usize),
        };
        let mut answer = |at: &Colours, turn| self.answer(at, turn, colours, budget);
        Some(check_answers(&rules, first, budget, &mut answer))
    }

    /// A winning move as the search has found it.
    fn answer(
        &mut self,
        colours: &Colours,
        turn: Side,
        most: u32,
        budget: &Budget,
    ) -> Option<Answer> {
        let node = Node::read(colours, turn, &self.lines);
        Some(match self.winning(&node, most, budget)? {
            Step::Join(x, class) => {
                let like = node.classes()[class].trailing_zeros() as usize;
                (x as usize, colours[like])
            }
            Step::Fresh(x) => (x as usize, None),
            Step::Pass => ((node.left & !node.open).trailing_zeros() as usize, None),
        })
    }
}

fn progressions(n: usize, k: usize) -> Vec<Vec<usize>> {
    let mut all = Vec::new();
    for start in 0..n {
        for step in (1..n).take_while(|step| start + step * (k - 1) < n) {
            all.push((0..k).map(|i| start + i * step).collect());
        }
    }
    all
}

/// What is played, and who is said to win.
struct Rules {
    n: usize,
    progressions: Vec<Vec<usize>>,
    winner: Side,
    /// How many colours there are, where they can run out.
    most: Option<usize>,
}

struct Check<'a> {
    rules: &'a Rules,
    answer: &'a mut dyn FnMut(&Colours, Side) -> Option<Answer>,
    budget: &'a Budget,
    met: HashSet<Name>,
    answers: u64,
}

/// The same for any strategy.
fn check_answers(
    rules: &Rules,
    first: Side,
    budget: &Budget,
    answer: &mut dyn FnMut(&Colours, Side) -> Option<Answer>,
) -> Result<Checked, Fault> {
    let mut check = Check {
        rules,
        answer,
        budget,
        met: HashSet::new(),
        answers: 0,
    };
    check.walk(&mut vec![None; rules.n], first)?;
    Ok(Checked {
        positions: check.met.len() as u64,
        answers: check.answers,
    })
}

fn written(colours: &Colours) -> String {
    let cell = |c: &Option<u8>| c.map_or("-".to_owned(), |c| (c + 1).to_string());
    colours.iter().map(cell).collect::<Vec<_>>().join(" ")
}

/// The least colour that is not on the board.
fn fresh(colours: &Colours) -> u8 {
    let unused = |colour: &u8| !colours.contains(&Some(*colour));
    (0..u8::MAX).find(unused).unwrap_or(u8::MAX)
}

impl Rules {
    /// Who has won, if that is plain to see, and the numbers of the progressions that can still become a rainbow.
    ///
    /// Maker to move completes a progression that lacks one number. Breaker to move cannot spoil two that lack different numbers.
    fn sight(&self, colours: &Colours, turn: Side) -> (Option<Side>, u32) {
        let (mut rainbow, mut held, mut lacking) = (false, 0u32, 0u32);
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
            held |= numbers;
            rainbow |= lacks == 0;
            if lacks.is_power_of_two() {
                lacking |= lacks;
            }
        }
        let most = u32::from(turn == Side::Breaker);
        let won = if rainbow || lacking.count_ones() > most {
            Some(Side::Maker)
        } else {
            (held == 0).then_some(Side::Breaker)
        };
        (won, held)
    }

    /// The smaller name of the two reading directions.
    fn name(&self, colours: &Colours, held: u32, turn: Side) -> Name {
        let read = |backwards: bool| {
            let (mut name, mut names, mut next) = ([0u64; 3], [DEAD; 64], OPEN + 1);
            for i in 0..self.n {
                let x = if backwards { self.n - 1 - i } else { i };
                let code = match colours[x] {
                    _ if held >> x & 1 == 0 => DEAD,
                    None => OPEN,
                    Some(colour) => {
                        let name = &mut names[usize::from(colour)];
                        if *name == DEAD {
                            *name = next;
                            next += 1;
                        }
                        *name
                    }
                };
                name[i / 10] |= u64::from(code) << (6 * (i % 10));
            }
            name
        };
        let idle = |x: &usize| held >> x & 1 == 0 && colours[*x].is_none();
        let can_pass = (0..self.n).filter(idle).count() % 2 == 1;
        let flags = 2 * u8::from(can_pass) + u8::from(turn == Side::Maker);
        (read(false).min(read(true)), flags)
    }

    /// The colours in which the side to move can paint a number of a live progression, up to names.
    fn palette(&self, colours: &Colours, held: u32, turn: Side) -> Vec<u8> {
        let mut live: Vec<u8> = (0..self.n)
            .filter(|x| held >> x & 1 == 1)
            .filter_map(|x| colours[x])
            .collect();
        live.sort_unstable();
        live.dedup();
        match self.most {
            // A colour that no live progression has is as good as one that was never used.
            Some(most) if live.len() < most => live.push(fresh(colours)),
            None if turn == Side::Maker || live.is_empty() => live = vec![fresh(colours)],
            _ => {}
        }
        live
    }
}

impl Check<'_> {
    /// Plays on from a position.
    fn walk(&mut self, colours: &mut Vec<Option<u8>>, turn: Side) -> Result<(), Fault> {
        let rules = self.rules;
        let (won, held) = rules.sight(colours, turn);
        if let Some(won) = won {
            return if won == rules.winner {
                Ok(())
            } else {
                Err(Fault::Lost(written(colours)))
            };
        }
        // Each move colours a number, so a position that was met is not one on the way here.
        if !self.met.insert(rules.name(colours, held, turn)) {
            return Ok(());
        }
        if self.budget.spent(0) {
            return Err(Fault::Stopped);
        }
        let palette = rules.palette(colours, held, turn);
        if turn == rules.winner {
            self.answers += 1;
            let answer = (self.answer)(colours, turn);
            let Some((x, like)) = answer else {
                return Err(if self.budget.spent(0) {
                    Fault::Stopped
                } else {
                    Fault::NoAnswer(written(colours))
                });
            };
            let colour = like.unwrap_or_else(|| fresh(colours));
            let dead = held >> x & 1 == 0;
            let free = rules.most.is_none() || dead || palette.contains(&colour);
            if colours.get(x).is_none_or(Option::is_some) || !free {
                return Err(Fault::BadAnswer(written(colours), x as u32 + 1));
            }
            return self.paint(colours, turn, (x, colour));
        }
        let uncoloured: Vec<usize> = (0..rules.n).filter(|&x| colours[x].is_none()).collect();
        let (open, idle): (Vec<usize>, Vec<usize>) =
            uncoloured.into_iter().partition(|x| held >> x & 1 == 1);
        for x in open {
            for &colour in &palette {
                self.paint(colours, turn, (x, colour))?;
            }
        }
        // Of an even number of passes each is answered by another one.
        match idle.first() {
            Some(&x) if idle.len() % 2 == 1 => self.paint(colours, turn, (x, 0)),
            _ => Ok(()),
        }
    }

    fn paint(
        &mut self,
        colours: &mut Vec<Option<u8>>,
        turn: Side,
        (x, colour): (usize, u8),
    ) -> Result<(), Fault> {
        colours[x] = Some(colour);
        let found = self.walk(colours, turn.other());
        colours[x] = None;
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::Terms;

    fn solver(n: u64, k: u64, c: u64, first: Side) -> Solver {
        Solver::new(&Terms::new(n, k, c, first).unwrap()).unwrap()
    }

    #[test]
    fn the_strategies_of_short_boards_are_checked() {
        let budget = Budget::endless();
        for (n, k) in [(4, 3), (5, 3), (8, 4), (9, 4), (10, 4), (11, 4), (12, 5)] {
            for (c, first) in [
                (k, Side::Maker),
                (n, Side::Maker),
                (k, Side::Breaker),
                (n, Side::Breaker),
            ] {
                let mut solver = solver(n, k, c, first);
                let checked = solver.check(first, &budget).unwrap().unwrap();
                assert!(checked.answers <= checked.positions, "{n} {k} {c} {first}");
            }
        }
    }

    /// Each answer in turn is replaced by another legal one: some of these lose, and none is believed where the sides are exchanged.
    #[test]
    fn a_forged_answer_is_refused() {
        let budget = Budget::endless();
        for (n, k, winner) in [(9, 4, Side::Maker), (10, 4, Side::Breaker)] {
            let first = Side::Maker;
            let mut solver = solver(n, k, n, first);
            let good = solver.check(first, &budget).unwrap().unwrap();
            let mut rules = Rules {
                n: n as usize,
                progressions: progressions(n as usize, k as usize),
                winner,
                most: None,
            };
            let refused = (0..good.answers.min(200)).filter(|&forged| {
                let mut count = 0;
                let mut answer = |colours: &Colours, turn| {
                    let own = solver.answer(colours, turn, u32::MAX, &budget)?;
                    count += 1;
                    let other = (0..n as usize).find(|&x| x != own.0 && colours[x].is_none());
                    Some(if count == forged + 1 {
                        (other?, None)
                    } else {
                        own
                    })
                };
                check_answers(&rules, first, &budget, &mut answer).is_err()
            });
            assert!(refused.count() > 5, "{n} {k}");
            let mut silent = |_: &Colours, _| None;
            let fault = check_answers(&rules, first, &budget, &mut silent).unwrap_err();
            assert!(matches!(fault, Fault::NoAnswer(_)), "{fault}");
            let mut taken = |colours: &Colours, _| {
                Some((colours.iter().position(Option::is_some).unwrap_or(0), None))
            };
            let fault = check_answers(&rules, first, &budget, &mut taken).unwrap_err();
            assert!(matches!(fault, Fault::BadAnswer(..)), "{fault}");
            rules.winner = winner.other();
            let mut least =
                |colours: &Colours, _| Some((colours.iter().position(Option::is_none)?, None));
            let fault = check_answers(&rules, first, &budget, &mut least).unwrap_err();
            assert!(matches!(fault, Fault::Lost(_)), "{fault}");
        }
    }
}
