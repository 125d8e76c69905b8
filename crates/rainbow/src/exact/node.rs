//! A position of the solver: only what can still matter.

use super::lines::{Lines, Set, WORDS_OF_SERIES, and, elements, is_empty, ones, or, without};
use crate::board::Board;
use crate::terms::Side;

/// A move of the solver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// Paint number `x + 1` in the colour of a class.
    Join(u32, usize),
    /// Paint number `x + 1` in a colour that no live series has.
    Fresh(u32),
    /// Paint a number that no live series holds.
    Pass,
}

/// Who has won, seen without searching.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Seen {
    Won(Side),
    Open,
}

/// More colours than this cannot stand on a short board.
const MOST_CLASSES: usize = 30;

/// A position: the live series, the uncoloured numbers in them, and the classes of painted ones.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) live: Set,
    /// Uncoloured numbers that a live series holds.
    pub(super) open: u32,
    /// All uncoloured numbers, those to pass with among them.
    pub(super) left: u32,
    /// Painted numbers that a live series holds, by colour.
    classes: [u32; MOST_CLASSES],
    count: usize,
    pub(super) turn: Side,
    rainbow: bool,
}

impl Node {
    /// The position of a board that fits.
    pub(super) fn of(board: &Board, lines: &Lines) -> Node {
        let mut live = [0; WORDS_OF_SERIES];
        let series = crate::series::all_series(lines.n, lines.k);
        for (i, series) in series.enumerate() {
            live[i / 64] |= u64::from(board.missing(series).is_some()) << (i % 64);
        }
        let left = board.uncoloured().fold(0, |mask, x| mask | 1 << (x - 1));
        let mut colours: Vec<u16> = board.painted().map(|p| p.colour).collect();
        colours.sort_unstable();
        colours.dedup();
        let mut node = Node {
            live,
            open: left,
            left,
            classes: [0; MOST_CLASSES],
            count: colours.len(),
            turn: board.to_move(),
            rainbow: board.rainbow().is_some(),
        };
        for paint in board.painted() {
            let class = colours.partition_point(|&colour| colour < paint.colour);
            node.classes[class] |= 1 << (paint.number - 1);
        }
        node.settle(lines);
        node
    }

    /// The position of colours in an array.
    pub(super) fn read(colours: &[Option<u8>], turn: Side, lines: &Lines) -> Node {
        let mut node = Node::start(lines, turn);
        for (x, colour) in colours.iter().enumerate() {
            let Some(colour) = colour else { continue };
            node.left &= !(1 << x);
            let before = colours[..x].iter();
            let class = before.clone().position(|other| other == &Some(*colour));
            let class = class.map(|like| {
                let has = |mask: &u32| mask >> like & 1 == 1;
                node.classes().iter().position(has).unwrap_or(node.count)
            });
            let class = class.unwrap_or(node.count);
            node.classes[class] |= 1 << x;
            node.count = node.count.max(class + 1);
        }
        for (s, &numbers) in lines.numbers.iter().enumerate() {
            let twice = |mask: &u32| (mask & numbers).count_ones() > 1;
            let dead = node.classes().iter().any(twice);
            node.live[s / 64] &= !(u64::from(dead) << (s % 64));
            node.rainbow |= !dead && numbers & node.left == 0;
        }
        node.settle(lines);
        node
    }

    /// The empty board of these lines.
    pub(super) fn start(lines: &Lines, first: Side) -> Node {
        let mut live = [0; WORDS_OF_SERIES];
        for i in 0..lines.numbers.len() {
            live[i / 64] |= 1 << (i % 64);
        }
        let left = u32::MAX >> (32 - lines.n);
        let mut node = Node {
            live,
            open: left,
            left,
            classes: [0; MOST_CLASSES],
            count: 0,
            turn: first,
            rainbow: false,
        };
        node.settle(lines);
        node
    }

    /// With so many colours nobody can run out of them.
    pub(super) fn enough(&self) -> u32 {
        self.classes().len() as u32 + self.left.count_ones()
    }

    /// The classes of painted numbers.
    pub(super) fn classes(&self) -> &[u32] {
        &self.classes[..self.count]
    }

    /// Whether there is a number to pass with; two of them are as good as none.
    pub(super) fn can_pass(&self) -> bool {
        (self.left & !self.open).count_ones() % 2 == 1
    }

    /// Numbers of a live series that are still missing.
    pub(super) fn missing(&self, lines: &Lines, series: usize) -> u32 {
        (lines.numbers[series] & self.open).count_ones()
    }

    /// The live series that have the colour of a class.
    pub(super) fn touched(&self, lines: &Lines, class: usize) -> Set {
        ones(self.classes[class]).fold([0; WORDS_OF_SERIES], |set, x| {
            or(&set, &lines.through[x as usize])
        })
    }

    /// Forgets what no live series holds.
    fn settle(&mut self, lines: &Lines) {
        let held = elements(&self.live).fold(0, |mask, s| mask | lines.numbers[s]);
        self.open = self.left & held;
        let mut kept = 0;
        for class in 0..self.count {
            let rest = self.classes[class] & held;
            if rest != 0 {
                self.classes[kept] = rest;
                kept += 1;
            }
        }
        self.classes[kept..self.count].fill(0);
        self.count = kept;
    }

    /// The position after a move.
    pub(super) fn after(&self, lines: &Lines, step: Step) -> Node {
        let mut next = *self;
        next.turn = self.turn.other();
        let x = match step {
            Step::Pass => {
                let idle = self.left & !self.open;
                next.left &= !(idle & idle.wrapping_neg());
                return next;
            }
            Step::Join(x, class) => {
                let killed = self.touched(lines, class);
                let hit = and(&lines.through[x as usize], &killed);
                next.live = without(&self.live, &hit);
                next.classes[class] |= 1 << x;
                x
            }
            Step::Fresh(x) => {
                next.classes[next.count] = 1 << x;
                next.count += 1;
                x
            }
        };
        next.left &= !(1 << x);
        next.open &= !(1 << x);
        let grown = and(&next.live, &lines.through[x as usize]);
        next.rainbow = elements(&grown).any(|s| lines.numbers[s] & next.open == 0);
        next.settle(lines);
        next
    }

    /// What can be said without searching: a rainbow, no live series, a series that lacks one number
    /// with Maker to move, or two such that Breaker cannot spoil with one move.
    pub(super) fn seen(&self, lines: &Lines) -> Seen {
        if self.rainbow {
            return Seen::Won(Side::Maker);
        }
        if is_empty(&self.live) {
            return Seen::Won(Side::Breaker);
        }
        let threats = self.threats(lines);
        if is_empty(&threats) {
            return Seen::Open;
        }
        match self.turn {
            Side::Maker => Seen::Won(Side::Maker),
            Side::Breaker => {
                let fields = elements(&threats).fold(0, |f, s| f | lines.numbers[s] & self.open);
                if fields.count_ones() > 1 {
                    Seen::Won(Side::Maker)
                } else {
                    Seen::Open
                }
            }
        }
    }

    /// The live series that lack one number.
    pub(super) fn threats(&self, lines: &Lines) -> Set {
        let mut threats = [0; WORDS_OF_SERIES];
        for s in elements(&self.live) {
            threats[s / 64] |= u64::from(self.missing(lines, s) == 1) << (s % 64);
        }
        threats
    }

    /// The moves worth looking at, the most promising first.
    ///
    /// `colours` is how many there are; facts 2 and 3 of the module leave out the rest.
    pub(super) fn steps(&self, lines: &Lines, colours: u32) -> Vec<Step> {
        // Each class gained from now on needs a number, so this many colours never run out.
        let spare = colours >= self.count as u32 + self.left.count_ones();
        let fresh = (self.count as u32) < colours;
        let touched: Vec<Set> = (0..self.count)
            .map(|class| self.touched(lines, class))
            .collect();
        let threats = if self.turn == Side::Breaker {
            self.threats(lines)
        } else {
            [0; WORDS_OF_SERIES]
        };
        if !is_empty(&threats) {
            let x = elements(&threats).fold(0, |f, s| f | lines.numbers[s] & self.open);
            let spoils = |class: &usize| is_empty(&without(&threats, &touched[*class]));
            let x = x.trailing_zeros();
            return (0..self.count)
                .filter(spoils)
                .map(|class| Step::Join(x, class))
                .collect();
        }
        let mut scored: Vec<(i64, Step)> = Vec::with_capacity(64);
        for x in ones(self.open) {
            let held = and(&self.live, &lines.through[x as usize]);
            let grow = self.weigh(lines, &held);
            let maker = self.turn == Side::Maker;
            if fresh && (maker || !spare || self.count == 0) {
                scored.push((if maker { grow } else { -grow }, Step::Fresh(x)));
            }
            if maker && spare {
                continue;
            }
            for (class, touched) in touched.iter().enumerate() {
                let killed = self.weigh(lines, &and(&held, touched));
                // A killed series is lost for what it was, and for what it would have gained.
                let score = grow - 3 * killed;
                scored.push((if maker { score } else { -score }, Step::Join(x, class)));
            }
        }
        scored.sort_by_key(|&(score, _)| std::cmp::Reverse(score));
        let mut steps: Vec<Step> = scored.into_iter().map(|(_, step)| step).collect();
        if self.can_pass() {
            steps.push(Step::Pass);
        }
        steps
    }

    /// Series weigh more the fewer numbers they miss.
    fn weigh(&self, lines: &Lines, set: &Set) -> i64 {
        elements(set)
            .map(|s| 1 << (2 * (16 - self.missing(lines, s).min(16))))
            .sum()
    }

    /// The same for positions that differ only in the names of colours, in numbers that no longer
    /// matter, or in the direction of reading.
    pub(super) fn key(&self, lines: &Lines) -> u128 {
        let n = lines.n as usize;
        let mut cells = [NOTHING; 32];
        for x in ones(self.open) {
            cells[x as usize] = OPEN;
        }
        for (class, &mask) in self.classes().iter().enumerate() {
            for x in ones(mask) {
                cells[x as usize] = class as u8 + 2;
            }
        }
        let forwards = pack(cells[..n].iter());
        let backwards = pack(cells[..n].iter().rev());
        // In one game the parity of passes follows from the rest; written out, the key does not rely on that.
        let flags = u128::from(self.turn == Side::Maker) | u128::from(self.can_pass()) << 1;
        forwards.min(backwards) << 2 | flags
    }
}

/// A number that matters no longer, one without a colour; greater codes are classes.
const NOTHING: u8 = 0;
const OPEN: u8 = 1;

/// A number in a mixed base, the colours named in the order in which they are met: cell `i` comes after at most `i` of them,
/// so it has at most `i + 3` values. The base must depend on nothing but the place, or two positions could share a key. Thirty cells
/// have at most 3 · 4 ⋯ 32 < 2^117 arrangements.
fn pack<'a>(cells: impl Iterator<Item = &'a u8>) -> u128 {
    let mut names = [0u8; 32];
    let mut met = 0;
    (3..).zip(cells).fold(0, |key, (base, &cell): (u128, _)| {
        let code = if cell < 2 {
            cell
        } else {
            let name = &mut names[usize::from(cell)];
            if *name == 0 {
                met += 1;
                *name = met;
            }
            *name + 1
        };
        key * base + u128::from(code)
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    /// Two arrangements have one key only if they differ in the names of colours alone.
    #[test]
    fn keys_are_injective() {
        let mut known: HashMap<u128, Vec<u8>> = HashMap::new();
        let codes = 2 + 6u32;
        for number in 0..codes.pow(6) {
            let cells: Vec<u8> = (0..6)
                .map(|i| (number / codes.pow(i) % codes) as u8)
                .collect();
            let mut names: Vec<u8> = Vec::new();
            let renamed = cells.iter().map(|&cell| {
                if cell >= 2 && !names.contains(&cell) {
                    names.push(cell);
                }
                let name = names.iter().position(|&name| name == cell);
                name.map_or(cell, |name| name as u8 + 2)
            });
            let renamed: Vec<u8> = renamed.collect();
            let before = known.entry(pack(cells.iter())).or_insert(renamed.clone());
            assert_eq!(*before, renamed, "{cells:?}");
        }
        assert!(known.len() > 3_000);
    }
}
