//! A position to follow games on: live series by missing count, and numbers painted alike.

use super::lines::{Lines, Set, ones};
use super::{MOST_C, MOST_K, MOST_N, Mark};
use crate::board::Board;
use crate::series::all_series;

/// A number painted in the colour of a class, or fresh for the class that is not there yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Step {
    pub(super) x: usize,
    pub(super) class: usize,
}

/// A position: the live series by missing count, and the classes of numbers painted alike.
#[derive(Clone, Copy)]
pub(super) struct Stand {
    pub(super) by: [Set; MOST_K + 1],
    /// The numbers without a colour.
    pub(super) open: u32,
    classes: [u32; MOST_C],
    /// By class: the series through its numbers, live or not.
    touched: [Set; MOST_C],
    pub(super) count: usize,
}

impl Stand {
    /// The position of a board that fits.
    pub(super) fn of(board: &Board, lines: &Lines) -> Stand {
        let mut stand = Stand {
            by: [0; MOST_K + 1],
            open: 0,
            classes: [0; MOST_C],
            touched: [0; MOST_C],
            count: usize::from(board.terms().c()),
        };
        let series = all_series(board.terms().n(), board.terms().k());
        for (i, series) in series.enumerate() {
            if let Some(missing) = board.missing(series) {
                stand.by[missing as usize] |= 1 << i;
            }
        }
        for (x, &colour) in board.colours().iter().enumerate() {
            match usize::from(colour).checked_sub(1) {
                Some(class) => stand.classes[class] |= 1 << x,
                None => stand.open |= 1 << x,
            }
        }
        stand.forget(lines, stand.live());
        stand
    }

    /// Every series that can still become a rainbow.
    pub(super) fn live(&self) -> Set {
        self.by.iter().fold(0, |all, set| all | set)
    }

    /// The series that a class would spoil; a class not there yet spoils none.
    pub(super) fn spoiled(&self, class: usize) -> Set {
        if class < self.count {
            self.touched[class]
        } else {
            0
        }
    }

    /// The classes that a side can paint in: those there are, and a fresh one if a colour is left for it.
    pub(super) fn palette(&self, lines: &Lines) -> std::ops::Range<usize> {
        0..(self.count + 1).min(lines.c)
    }

    /// The position after a step.
    pub(super) fn after(&self, lines: &Lines, Step { x, class }: Step) -> Stand {
        let mut next = *self;
        let through = lines.through[x];
        let spoiled = self.spoiled(class);
        for missing in 1..=lines.k {
            let hit = self.by[missing] & through;
            next.by[missing] &= !hit;
            next.by[missing - 1] |= hit & !spoiled;
        }
        next.open &= !(1 << x);
        if class == self.count {
            (next.classes[class], next.touched[class]) = (0, 0);
            next.count += 1;
        }
        next.classes[class] |= 1 << x;
        next.touched[class] |= through;
        let live = next.live();
        if through & spoiled != 0 || through & live == 0 {
            next.forget(lines, live);
        }
        next
    }

    /// Forgets painted numbers that no live series holds.
    fn forget(&mut self, lines: &Lines, live: Set) {
        let mut kept = 0;
        for class in 0..self.count {
            let (mut mask, mut touched) = (0, 0);
            for x in ones(self.classes[class]).filter(|&x| lines.through[x] & live != 0) {
                mask |= 1 << x;
                touched |= lines.through[x];
            }
            if mask != 0 {
                (self.classes[kept], self.touched[kept]) = (mask, touched);
                kept += 1;
            }
        }
        self.count = kept;
    }

    /// Breaker's steps that do not lose at once.
    pub(super) fn defences(&self, lines: &Lines) -> Vec<Step> {
        let safe = |&Step { x, class }: &Step| {
            let (spoiled, through) = (self.spoiled(class), lines.through[x]);
            self.by[1] & !(through & spoiled) == 0 && self.by[2] & through & !spoiled == 0
        };
        if self.by[1] != 0 {
            let x = lines.common(self.by[1], self.open).trailing_zeros() as usize;
            if x >= lines.n {
                return Vec::new();
            }
            let steps = (0..self.count).map(|class| Step { x, class });
            return steps.filter(safe).collect();
        }
        let live = self.live();
        let holding = ones(self.open).filter(|&x| lines.through[x] & live != 0);
        let steps = holding.flat_map(|x| self.palette(lines).map(move |class| Step { x, class }));
        // One place to pass is as good as another, and so are its colours.
        let pass = ones(self.open).find(|&x| lines.through[x] & live == 0);
        let pass = pass.map(|x| Step { x, class: 0 });
        steps.filter(safe).chain(pass).collect()
    }

    /// Whether a step would leave two series with one number missing each, not the same: Breaker cannot spoil both.
    pub(super) fn forks(&self, lines: &Lines, Step { x, class }: Step) -> bool {
        let threats = self.by[2] & lines.through[x] & !self.spoiled(class);
        threats != 0 && lines.common(threats, self.open & !(1 << x)) == 0
    }

    /// The same for positions that differ only in names of colours, in numbers that no longer matter, or in the
    /// direction of reading: four bits a number, and the places to pass.
    pub(super) fn key(&self, lines: &Lines) -> u128 {
        let live = self.live();
        let mut cells = [NOTHING; MOST_N];
        let mut passes = 0;
        for x in ones(self.open) {
            if lines.through[x] & live == 0 {
                passes += 1;
            } else {
                cells[x] = 0;
            }
        }
        for class in 0..self.count {
            for x in ones(self.classes[class]).filter(|&x| lines.through[x] & live != 0) {
                cells[x] = class as u8 + 1;
            }
        }
        let cells = &cells[..lines.n];
        pack(cells.iter()).min(pack(cells.iter().rev())) << 5 | passes
    }

    /// A step with its class named by one of its numbers.
    pub(super) fn mark(&self, Step { x, class }: Step) -> Mark {
        let like = (class < self.count).then(|| self.classes[class].trailing_zeros() as usize);
        (x, like)
    }
}

/// In a key, a number that no live series holds.
const NOTHING: u8 = 15;

/// Four bits a cell, the colours named in the order in which they are met.
fn pack<'a>(cells: impl Iterator<Item = &'a u8>) -> u128 {
    let mut names = [0u8; 16];
    let mut next = 0;
    cells.fold(0, |key, &cell| {
        let code = if (1..NOTHING).contains(&cell) {
            let name = &mut names[usize::from(cell)];
            if *name == 0 {
                next += 1;
                *name = next;
            }
            *name
        } else {
            cell
        };
        key << 4 | u128::from(code)
    })
}
