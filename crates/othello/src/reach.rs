//! Can this board come up in play?
//!
//! The way is searched backwards: the last disc is taken off again and some of the runs it could have
//! flipped are turned back, level by level, until a position is met that is known to be reachable
//! (all positions of the first moves are). Levels are cut to the most promising positions, those whose
//! discs lie close to the centre, so a witness is usually found in a moment; where nothing had to be
//! cut and no way is left, the answer is a proof that there is none.

use std::sync::{Arc, OnceLock};

use serde::Serialize;
use wits_game::{Dice, Game, Message, Seat, Seed};
use wits_search::Budget;

use crate::notation::{Replay, transcript};
use crate::{Othello, Position, Square, WORDS, bits};

/// The answer, with a witness or a reason.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Answer {
    /// Yes, no, or unknown within the budget.
    pub reachable: Reachable,
    /// A game that leads to the board.
    pub game: Option<String>,
    /// Why, in a sentence that a person can check.
    pub reason: Message,
}

/// Whether a board can come up in play.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Reachable {
    /// There is a game that leads to it.
    Yes,
    /// No game leads to it.
    No,
    /// Not decided.
    Unknown,
}

/// How many moves are enumerated from the start: 269,352 positions at the last of them. One more costs a
/// second at the first question; one less finds far fewer witnesses.
const KNOWN: u32 = 8;

/// Decides whether a position of the large board comes up in play. With `either` the side to move
/// does not matter.
pub fn reachable(game: &Othello, target: &Position, either: bool, budget: &Budget) -> Answer {
    if let Some(reason) = obviously_not(game, target) {
        return Answer {
            reachable: Reachable::No,
            game: None,
            reason,
        };
    }
    let four = target.taken().count_ones() == 4 && game.start().taken().count_ones() == 4;
    if four && (target.black, target.white) != (game.start().black, game.start().white) {
        let reason = WORDS.say("reach-not-start");
        return Answer {
            reachable: Reachable::No,
            game: None,
            reason,
        };
    }
    let known = Known::of(game);
    let mut goals = vec![*target];
    // The side to move of a finished game, or of one where a side must pass, is a matter of taste.
    if either || target.moves() == 0 {
        goals.push(target.passed());
    }
    if let Some(path) = goals.iter().find_map(|goal| known.path(goal)) {
        return witness(game, target, &path);
    }
    let discs = target.taken().count_ones();
    let mut width = 200;
    let mut dice = Dice::new(Seed::new(target.black ^ target.white.rotate_left(17)));
    loop {
        let mut search = Backwards {
            game,
            known: &known,
            width,
            cut: false,
            budget,
        };
        if let Some(path) = search.run(&goals, discs, &mut dice) {
            return witness(game, target, &path);
        }
        if budget.late() || budget.stopped() {
            let reason = WORDS.say("reach-timeout");
            return Answer {
                reachable: Reachable::Unknown,
                game: None,
                reason,
            };
        }
        if !search.cut {
            let key = if goals.iter().all(|g| undone(game, g).is_empty()) {
                "reach-lonely"
            } else {
                "reach-exhausted"
            };
            return Answer {
                reachable: Reachable::No,
                game: None,
                reason: WORDS.say(key),
            };
        }
        width = (width * 2).min(400_000);
    }
}

/// A board from a random game after so many moves, for measuring; games that end before are played
/// anew.
pub fn random_board(moves: u32, seed: Seed) -> Position {
    let mut dice = Dice::new(seed);
    loop {
        let mut p = Position::START;
        let mut made = 0;
        while made < moves {
            let open: Vec<Square> = Square::all(p.moves()).collect();
            let Some(&square) = dice.pick(&open) else {
                break;
            };
            p = p.played(square);
            made += 1;
        }
        if made == moves {
            return p;
        }
    }
}

fn witness(game: &Othello, target: &Position, path: &[Square]) -> Answer {
    let replay = Replay::play(game, path);
    let good = replay.is_ok_and(|r| {
        let last = r.last();
        (last.black, last.white) == (target.black, target.white)
    });
    debug_assert!(good, "a witness leads to the board");
    if !good {
        return Answer {
            reachable: Reachable::Unknown,
            game: None,
            reason: WORDS.say("reach-timeout"),
        };
    }
    let reason = WORDS.say(if path.is_empty() {
        "reach-start"
    } else {
        "reach-witness"
    });
    Answer {
        reachable: Reachable::Yes,
        game: Some(transcript(path)),
        reason,
    }
}

/// Reasons that need no search.
fn obviously_not(game: &Othello, p: &Position) -> Option<Message> {
    let taken = p.taken();
    let start = game.start();
    if taken.count_ones() < start.taken().count_ones() {
        return Some(WORDS.say("reach-few").with("count", taken.count_ones()));
    }
    if taken.count_ones() < 4 {
        return None;
    }
    if let Some(hole) = Square::first(game.centre() & !taken) {
        return Some(WORDS.say("reach-centre").with("square", hole.to_string()));
    }
    let apart = taken & !connected(game.centre(), taken);
    if apart != 0 {
        let list: Vec<String> = Square::all(apart).map(|s| s.to_string()).collect();
        return Some(WORDS.say("reach-apart").with("squares", list.join(" ")));
    }
    None
}

/// The discs that hang together with a set.
fn connected(from: u64, taken: u64) -> u64 {
    let mut set = from & taken;
    loop {
        let more = set | (bits::around(set) & taken);
        if more == set {
            return set;
        }
        set = more;
    }
}

/// Every position of the first moves, with how it came about.
struct Known {
    /// Sorted by position: the position, where its parent is, the move.
    levels: Vec<Vec<(Position, u32, u8)>>,
}

impl Known {
    /// The known positions of a game; those of the usual start are made once.
    fn of(game: &Othello) -> Arc<Known> {
        static USUAL: OnceLock<Arc<Known>> = OnceLock::new();
        if *game == Othello::default() {
            return Arc::clone(USUAL.get_or_init(|| Arc::new(Known::new(game))));
        }
        Arc::new(Known::new(game))
    }

    fn new(game: &Othello) -> Known {
        let mut levels = vec![vec![(game.start(), 0, 64)]];
        for _ in 0..KNOWN {
            let last = levels.last().expect("there is a first level");
            let mut next = Vec::with_capacity(last.len() * 8);
            for (i, (p, _, _)) in last.iter().enumerate() {
                for square in Square::all(game.squares(p)) {
                    next.push((game.after(p, square), i as u32, square.index() as u8));
                }
            }
            next.sort_unstable();
            next.dedup_by_key(|entry| entry.0);
            levels.push(next);
        }
        Known { levels }
    }

    fn discs(&self) -> u32 {
        let last = self.levels.last().and_then(|level| level.first());
        last.map_or(0, |(p, _, _)| p.taken().count_ones())
    }

    fn path(&self, p: &Position) -> Option<Vec<Square>> {
        let discs = p.taken().count_ones();
        let level = self
            .levels
            .iter()
            .position(|l| l.first().is_some_and(|e| e.0.taken().count_ones() == discs))?;
        let mut at = self.levels[level]
            .binary_search_by_key(p, |entry| entry.0)
            .ok()?;
        let mut path = Vec::new();
        for level in (1..=level).rev() {
            let (_, parent, square) = self.levels[level][at];
            path.extend(Square::at(usize::from(square)));
            at = parent as usize;
        }
        path.reverse();
        Some(path)
    }
}

/// A position on the way back: how far out its discs lie, where it came from, what was taken off.
#[derive(Clone, Copy)]
struct Step {
    position: Position,
    far: i32,
    parent: u32,
    square: u8,
}

struct Backwards<'a> {
    game: &'a Othello,
    known: &'a Known,
    width: usize,
    /// Whether anything was left out, so that failure proves nothing.
    cut: bool,
    budget: &'a Budget,
}

impl Backwards<'_> {
    fn run(&mut self, goals: &[Position], discs: u32, dice: &mut Dice) -> Option<Vec<Square>> {
        let first = goals.iter().map(|&position| Step {
            position,
            far: 0,
            parent: 0,
            square: 64,
        });
        let mut levels: Vec<Vec<Step>> = vec![first.collect()];
        for _ in self.known.discs()..discs {
            let last = levels.last().expect("there is a first level");
            let mut next: Vec<Step> = Vec::new();
            for (i, step) in last.iter().enumerate() {
                if self.budget.stopped() || (i % 16 == 0 && self.budget.late()) {
                    self.cut = true;
                    return None;
                }
                self.back(step, i as u32, dice, &mut next);
            }
            next.sort_unstable_by_key(|s| s.position);
            next.dedup_by_key(|s| s.position);
            if next.len() > self.width {
                self.cut = true;
                next.select_nth_unstable_by_key(self.width, |s| s.far);
                next.truncate(self.width);
            }
            if next.is_empty() {
                return None;
            }
            levels.push(next);
        }
        let last = levels.last().expect("there is a first level");
        for (i, step) in last.iter().enumerate() {
            if let Some(mut path) = self.known.path(&step.position) {
                let mut at = i;
                for level in levels[1..].iter().rev() {
                    let step = &level[at];
                    path.extend(Square::at(usize::from(step.square)));
                    at = step.parent as usize;
                }
                return Some(path);
            }
        }
        None
    }

    /// Adds the positions one move before; where there are very many, a sample of them.
    fn back(&mut self, step: &Step, parent: u32, dice: &mut Dice, next: &mut Vec<Step>) {
        const MOST: usize = 24;
        for (before, square) in undone(self.game, &step.position) {
            let ways = before.len();
            let mut take = |position: Position, dice: &mut Dice| {
                let far = far(&position) * 8 + dice.below(NOISE) as i32;
                next.push(Step {
                    position,
                    far,
                    parent,
                    square: square.index() as u8,
                });
            };
            if ways <= MOST {
                for way in 0..ways {
                    take(before.way(way), dice);
                }
            } else {
                self.cut = true;
                for _ in 0..MOST {
                    take(before.way(dice.below(ways)), dice);
                }
            }
        }
    }
}

/// How much chance mixes into the choice of what is kept: the same positions must not win every time.
const NOISE: usize = 40;

/// How promising a position is on the way back, less is better: discs far from the centre must all be
/// taken off, and discs of one colour side by side are what turning back needs.
fn far(p: &Position) -> i32 {
    const RING2: u64 = 0x007e_4242_4242_7e00;
    let taken = p.taken();
    let edge = (taken & bits::BORDER).count_ones() as i32;
    let second = (taken & RING2).count_ones() as i32;
    let uneven = (p.black.count_ones() as i32 - p.white.count_ones() as i32).abs();
    9 * edge + 4 * second + uneven / 2 - 3 * (pairs(p.black) + pairs(p.white)) / 2
}

/// The four directions to the right and down, as a shift and the squares that it may reach.
const WAYS: [(u32, u64); 4] = [
    (1, 0xfefe_fefe_fefe_fefe),
    (9, 0xfefe_fefe_fefe_fefe),
    (8, u64::MAX),
    (7, 0x7f7f_7f7f_7f7f_7f7f),
];

/// How many neighbours of the same colour there are.
fn pairs(set: u64) -> i32 {
    let count = |(by, reach): (u32, u64)| (set & (set << by) & reach).count_ones() as i32;
    WAYS.into_iter().map(count).sum()
}

/// The discs that can have been put down last, as far as their lines tell: somewhere two discs of
/// their own follow, and nothing is flanked that would have been flipped.
fn last_ones(own: u64, other: u64) -> u64 {
    let (mut able, mut flanking) = (0, 0);
    for (by, reach) in WAYS {
        // Squares that a shift up may come from are those that the shift down may reach, moved back.
        let source = reach >> by;
        let up = |set: u64| (set >> by) & source;
        let down = |set: u64| (set << by) & reach;
        able |= (up(own) & up(up(own))) | (down(own) & down(down(own)));
        let (mut above, mut below) = (up(own) & other, down(own) & other);
        for _ in 0..5 {
            above |= up(above) & other;
            below |= down(below) & other;
        }
        flanking |= up(above) | down(below);
    }
    own & able & !flanking
}

/// All ways in which one disc can have been put down last.
struct Before {
    position: Position,
    mover: Seat,
    square: Square,
    /// For each direction: the runs that may be turned back, shortest first.
    runs: [[u64; 7]; 8],
    counts: [usize; 8],
}

impl Before {
    /// How many ways there are; at least one disc must have been flipped.
    fn len(&self) -> usize {
        self.counts.iter().map(|c| c + 1).product::<usize>() - 1
    }

    fn way(&self, number: usize) -> Position {
        let mut rest = number + 1;
        let mut flips = 0;
        for (runs, count) in self.runs.iter().zip(self.counts) {
            let pick = rest % (count + 1);
            rest /= count + 1;
            if pick > 0 {
                flips |= runs[pick - 1];
            }
        }
        let own = self.position.discs(self.mover) & !flips & !self.square.bit();
        let other = self.position.discs(self.mover.other()) | flips;
        Position::of(own, other, self.mover)
    }
}

const STEPS: [(i32, i32); 8] = [
    (-1, -1),
    (-1, 0),
    (-1, 1),
    (0, -1),
    (0, 1),
    (1, -1),
    (1, 0),
    (1, 1),
];

/// The discs that can have been put down last, each with its ways back.
fn undone(game: &Othello, p: &Position) -> Vec<(Before, Square)> {
    let mut all = Vec::new();
    // The side that waits moved last; the side to move did if the other one could not answer.
    let mut movers = vec![p.turn.other()];
    if p.passed().moves() == 0 && p.moves() != 0 {
        movers.push(p.turn);
    }
    for mover in movers {
        let (own, other) = (p.discs(mover), p.discs(mover.other()));
        for square in Square::all(last_ones(own, other) & !game.centre()) {
            let rest = p.taken() & !square.bit();
            if connected(game.centre(), rest) != rest {
                continue;
            }
            let mut before = Before {
                position: *p,
                mover,
                square,
                runs: [[0; 7]; 8],
                counts: [0; 8],
            };
            for (way, (dr, dc)) in STEPS.into_iter().enumerate() {
                let (mut r, mut c) = (square.row() as i32 + dr, square.column() as i32 + dc);
                let mut run = 0;
                while (0..8).contains(&r) && (0..8).contains(&c) {
                    let bit = 1u64 << (r * 8 + c);
                    if own & bit == 0 {
                        break;
                    }
                    // This disc flanks the run before it.
                    if run != 0 {
                        before.runs[way][before.counts[way]] = run;
                        before.counts[way] += 1;
                    }
                    run |= bit;
                    r += dr;
                    c += dc;
                }
            }
            if before.len() > 0 {
                all.push((before, square));
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_lines_tell_at_once_is_what_each_disc_tells() {
        for number in 0..200 {
            let p = random_board(4 + (number % 56) as u32, Seed::new(number));
            for (own, other) in [(p.black, p.white), (p.white, p.black)] {
                let slow = Square::all(own).filter(|square| {
                    let two = |(dr, dc): (i32, i32)| {
                        (1..=2).all(|n| {
                            let (r, c) = (
                                square.row() as i32 + n * dr,
                                square.column() as i32 + n * dc,
                            );
                            (0..8).contains(&r)
                                && (0..8).contains(&c)
                                && own >> (r * 8 + c) & 1 == 1
                        })
                    };
                    STEPS.into_iter().any(two) && bits::flips(square.index(), own, other) == 0
                });
                assert!(slow.eq(Square::all(last_ones(own, other))), "{p:?}");
            }
        }
        assert_eq!(pairs(0x0303), 6, "a block of four has six pairs");
    }
}
