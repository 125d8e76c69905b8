//! Who wins an ending: proofs of a claim about its value, by both sides, from simple plans to all of them.
//!
//! A claim says that a side gains at least, or at most, so much. Whoever makes it must find one move at each of its turns, and the other side
//! tries all of its own. Most claims have short proofs: who is far ahead goes out in two or three turns, whatever the other side does
//! meanwhile. So proofs are looked for with few turns of the claiming side and few moves to choose from, then with more, and in turn for
//! the claim and for its contrary; the last stage leaves nothing out.
//!
//! The last turn costs nothing: a play that goes out and that the other side's move does not touch
//! ([`Squares::spared_by`]) needs no search.

mod lists;

use std::cmp::Ordering;

use wits_play::Budget;

use self::lists::{Lists, Squares, Table, Way};
use super::bout::{Rack, Step};
use super::ending::Ending;
use crate::generate::Engine;
use crate::play::Play;

/// What is said of the gain of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Claim {
    /// It has a way to gain so much or more.
    AtLeast(i32),
    /// The other side has a way to keep it to so much or less.
    AtMost(i32),
}

/// How far a proof may go: turns of the claiming side before it goes out, and how many moves it considers in each.
type Stage = (u32, usize);

const STAGES: [Stage; 8] = [
    (0, 0),
    (1, 8),
    (2, 4),
    (2, 16),
    (3, 6),
    (4, 12),
    (6, 40),
    ALL,
];
const ALL: Stage = (40, usize::MAX);

/// What is known of a position.
#[derive(Clone, Copy)]
struct Slot {
    least: i32,
    most: i32,
    /// The move that proved something.
    best: Option<Play>,
    /// The claim that failed last, at which stage, with how many turns left.
    failed: Option<(Claim, usize, u32)>,
}

const FAR: i32 = 1_000_000;
/// No more positions are remembered than this, and no more plays.
const TABLE: usize = 1 << 20;
const PLAYS: usize = 3 << 20;

/// Decides endings.
pub struct Duel<'a> {
    engine: &'a Engine,
    bingo: i32,
    budget: &'a Budget,
    lists: Lists,
    known: Table<Slot>,
    /// By turn, the last reply that proved something: it often answers the next move, too.
    replies: [Option<Play>; 48],
    room: Vec<Vec<Way>>,
    /// Which part of the room for tables it has.
    share: usize,
    stage: usize,
    nodes: u64,
    most: u64,
    stopped: bool,
}

impl<'a> Duel<'a> {
    /// Decides endings with the words of this engine, which must have its GADDAG.
    pub fn new(engine: &'a Engine, bingo: i32, budget: &'a Budget) -> Duel<'a> {
        Duel::one_of(1, engine, bingo, budget)
    }

    /// One of so many that are asked side by side and share the room for tables.
    pub fn one_of(many: usize, engine: &'a Engine, bingo: i32, budget: &'a Budget) -> Duel<'a> {
        Duel {
            engine,
            bingo,
            budget,
            lists: Lists::default(),
            known: Table::default(),
            replies: [None; 48],
            room: Vec::new(),
            share: many.max(1),
            stage: 0,
            nodes: 0,
            most: 0,
            stopped: false,
        }
    }

    /// How many positions were looked at so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether the side to move gains more than this, less, or exactly so much; nothing where so many positions did not decide it.
    /// `guess` is what is expected.
    pub fn beats(
        &mut self,
        at: &Ending,
        gain: i32,
        guess: Ordering,
        most: u64,
    ) -> Option<Ordering> {
        self.most = self.nodes.saturating_add(most);
        self.stopped = false;
        let more = (Claim::AtLeast(gain + 1), Ordering::Greater);
        let less = (Claim::AtMost(gain - 1), Ordering::Less);
        let order = if guess == Ordering::Less {
            [less, more]
        } else {
            [more, less]
        };
        for (stage, (turns, _)) in STAGES.into_iter().enumerate() {
            self.stage = stage;
            for (claim, verdict) in order {
                if self.holds(at, claim, turns, 0) {
                    return Some(verdict);
                }
                if self.stopped {
                    return None;
                }
            }
        }
        Some(Ordering::Equal)
    }

    /// Looks for a proof of a claim.
    fn holds(&mut self, at: &Ending, claim: Claim, turns: u32, ply: usize) -> bool {
        self.nodes += 1;
        if self.nodes >= self.most || self.budget.spent(self.nodes) {
            self.stopped = true;
        }
        if self.stopped {
            return false;
        }
        if self.lists.len() > PLAYS / self.share {
            self.lists.clear();
        }
        if self.known.len() > TABLE / self.share {
            self.known.clear();
        }
        let key = at.key();
        let slot = self.known.get(&key).copied();
        if let Some(slot) = slot {
            let (holds, fails) = match claim {
                Claim::AtLeast(n) => (slot.least >= n, slot.most < n),
                Claim::AtMost(n) => (slot.most <= n, slot.least > n),
            };
            let tried = slot.failed.is_some_and(|(other, stage, left)| {
                other == claim && stage >= self.stage && left >= turns
            });
            if holds || fails || tried {
                return holds;
            }
        }
        let mut ways = self.room.pop().unwrap_or_default();
        ways.clear();
        let (found, best) = match claim {
            Claim::AtLeast(n) => self.some(at, n, turns, ply, slot.and_then(|s| s.best), &mut ways),
            Claim::AtMost(n) => (self.none(at, n, turns, ply, &mut ways), None),
        };
        self.room.push(ways);
        if self.stopped {
            return false;
        }
        let whole = STAGES[self.stage] == ALL;
        let slot = self.known.entry(key).or_insert(Slot {
            least: -FAR,
            most: FAR,
            best: None,
            failed: None,
        });
        match (claim, found) {
            (Claim::AtLeast(n), true) => slot.least = slot.least.max(n),
            (Claim::AtMost(n), true) => slot.most = slot.most.min(n),
            (Claim::AtLeast(n), false) if whole => slot.most = slot.most.min(n - 1),
            (Claim::AtMost(n), false) if whole => slot.least = slot.least.max(n + 1),
            _ => slot.failed = Some((claim, self.stage, turns)),
        }
        slot.best = best.or(slot.best);
        found
    }

    /// Whether some move of the side to move gains so much.
    fn some(
        &mut self,
        at: &Ending,
        wanted: i32,
        turns: u32,
        ply: usize,
        known: Option<Play>,
        ways: &mut Vec<Way>,
    ) -> (bool, Option<Play>) {
        let engine = self.engine;
        self.lists
            .plays(engine, self.bingo, &at.field, at.racks[0], ways);
        let theirs = at.held(1, engine);
        if at.passed && theirs - at.held(0, engine) >= wanted {
            return (true, None);
        }
        if at.bag.is_none() {
            let out = ways.iter().filter(|way| way.left == 0);
            if let Some(best) = out.max_by_key(|way| way.score)
                && i32::from(best.score) + 2 * theirs >= wanted
            {
                return (true, Some(best.play));
            }
        }
        if turns == 0 {
            return (false, None);
        }
        let width = STAGES[self.stage].1;
        // What proved something here or beside often does again: the others are put in order only where it does not.
        let hints = [known, self.replies[ply.min(47)]];
        let hinted = hints.into_iter().flatten();
        let mut order: Vec<usize> = hinted
            .filter_map(|hint| ways.iter().position(|way| way.play == hint))
            .collect();
        order.dedup();
        let first = order.len();
        let mut next = 0;
        loop {
            if next == first {
                let others = self.promising(at, turns, width, ways);
                let room = width.saturating_sub(first);
                let others = others.into_iter().filter(|n| !order.contains(n)).take(room);
                let others: Vec<usize> = others.collect();
                order.extend(others);
            }
            let Some(&n) = order.get(next) else { break };
            next += 1;
            let way = ways[n];
            // Going out was looked at.
            if way.left == 0 && at.bag.is_none() {
                continue;
            }
            let score = i32::from(way.score);
            let step = Step::Lay(way.play, score);
            if let Some(after) = at.after(&step, engine)
                && self.holds(&after, Claim::AtMost(score - wanted), turns - 1, ply + 1)
            {
                self.replies[ply.min(47)] = Some(way.play);
                return (true, Some(way.play));
            }
            if self.stopped {
                return (false, None);
            }
        }
        if !at.passed
            && (width > 8 || ways.is_empty())
            && let Some(next) = at.after(&Step::Pass, engine)
            && self.holds(&next, Claim::AtMost(-wanted), turns - 1, ply + 1)
        {
            return (true, None);
        }
        (false, None)
    }

    /// The moves that the claiming side tries, the best first: points, dear tiles that are gone, and a way to go out with the rest.
    fn promising(&self, at: &Ending, turns: u32, width: usize, ways: &[Way]) -> Vec<usize> {
        let values = self.engine.values();
        let rack = at.racks[0];
        let mut outs = [i16::MIN; 128];
        let all = ((1_u16 << rack.len()) - 1) as u8;
        for way in ways {
            let used = usual(rack, all & !way.left);
            outs[usize::from(used)] = outs[usize::from(used)].max(way.score);
        }
        let mut order: Vec<(i32, usize)> = Vec::with_capacity(ways.len());
        for (n, way) in ways.iter().enumerate() {
            let rest = outs[usize::from(usual(rack, way.left))];
            // With one turn before the last it must be able to go out with the rest, or nearly so.
            let ends = rest > i16::MIN || way.left.count_ones() <= 2;
            if turns == 1 && width < usize::MAX && !ends {
                continue;
            }
            let held: i32 = (0..rack.len())
                .filter(|at| way.left >> at & 1 == 0)
                .map(|at| values.of(rack.tiles()[at]))
                .sum();
            let mut promise = i32::from(way.score) + held;
            if rest > i16::MIN {
                promise += i32::from(rest);
            }
            order.push((promise, n));
        }
        order.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(ways[a.1].play.cmp(&ways[b.1].play)));
        order.truncate(width);
        order.into_iter().map(|(_, n)| n).collect()
    }

    /// Whether no move of the side to move gains more than this.
    fn none(
        &mut self,
        at: &Ending,
        most: i32,
        turns: u32,
        ply: usize,
        ways: &mut Vec<Way>,
    ) -> bool {
        let engine = self.engine;
        let values = engine.values();
        let rack = at.racks[0];
        // How the other side could go out, the dearest first.
        self.lists
            .plays(engine, self.bingo, &at.field, at.racks[1], ways);
        let mut outs: Vec<(i32, Squares)> = Vec::new();
        ways.retain(|way| way.left == 0);
        ways.sort_unstable_by_key(|way| std::cmp::Reverse(way.score));
        for way in ways.iter().take(8) {
            outs.push((
                i32::from(way.score),
                Squares::of(at.field.board(), &way.play),
            ));
        }
        ways.clear();
        self.lists.plays(engine, self.bingo, &at.field, rack, ways);
        let (mine, theirs) = (at.held(0, engine), at.held(1, engine));
        let drawn = at.bag.map_or(0, |tile| values.of(tile));
        let mut open: Vec<(i32, usize)> = Vec::new();
        for (n, way) in ways.iter().enumerate() {
            let score = i32::from(way.score);
            if way.left == 0 && at.bag.is_none() {
                if score + 2 * theirs > most {
                    return false;
                }
                continue;
            }
            let held: i32 = (0..rack.len())
                .filter(|at| way.left >> at & 1 == 1)
                .map(|at| values.of(rack.tiles()[at]))
                .sum();
            let answered = |&(out, squares): &(i32, Squares)| {
                score - out - 2 * (held + drawn) <= most && squares.spared_by(&way.play)
            };
            if !outs.iter().any(answered) {
                open.push((score - held, n));
            }
        }
        // What is likeliest to refute the claim comes first.
        open.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(ways[a.1].play.cmp(&ways[b.1].play)));
        for (_, n) in open {
            let way = ways[n];
            let score = i32::from(way.score);
            let Some(next) = at.after(&Step::Lay(way.play, score), engine) else {
                continue;
            };
            if !self.holds(&next, Claim::AtLeast(score - most), turns, ply + 1) {
                return false;
            }
        }
        if at.passed {
            return theirs - mine <= most;
        }
        if at.bag.is_none() && outs.first().is_some_and(|(out, _)| -out - 2 * mine <= most) {
            return true;
        }
        let Some(next) = at.after(&Step::Pass, engine) else {
            return true;
        };
        self.holds(&next, Claim::AtLeast(-most), turns, ply + 1)
    }
}

/// A set of tiles of a rack, with the first of equal tiles in place of others.
fn usual(rack: Rack, set: u8) -> u8 {
    let tiles = rack.tiles();
    let (mut found, mut at) = (0, 0);
    while at < tiles.len() {
        let mut end = at + 1;
        while end < tiles.len() && tiles[end] == tiles[at] {
            end += 1;
        }
        let run = ((1_u16 << end) - (1_u16 << at)) as u8;
        let count = (set & run).count_ones() as usize;
        found |= ((1_u16 << (at + count)) - (1_u16 << at)) as u8;
        at = end;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_tiles_are_one_set_whichever_is_named() {
        let rack = Rack::new(&[1, 1, 5, 9, 9, 9]);
        assert_eq!(usual(rack, 0b11_0010), usual(rack, 0b01_1001));
        assert_eq!(usual(rack, 0b11_0010), 0b01_1001);
        assert_eq!(usual(rack, 0b00_0100), 0b00_0100);
    }
}
