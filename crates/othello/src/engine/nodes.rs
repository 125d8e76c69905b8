//! The tree of one round of a search, as it was walked: small records, in the order of the walk.

use super::log::End;

/// One look at a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// The move that leads there.
    pub(super) square: u8,
    /// How many moves below the root; moves of the root have 0.
    pub(super) ply: u8,
    pub(super) end: End,
    /// The window, for the side that would move there.
    pub(super) window: (i16, i16),
    /// What it is worth to that side, or [`Entry::UNKNOWN`].
    value: i16,
    /// What the table knew, where that made the window narrower.
    pub(super) known: Option<(i16, i16)>,
    /// The first entry that is not below this one.
    pub(super) next: u32,
    /// How many positions were looked at, this one included.
    pub(super) nodes: u64,
}

impl Entry {
    const UNKNOWN: i16 = i16::MIN;

    pub(super) fn value(&self) -> Option<i32> {
        (self.value != Entry::UNKNOWN).then_some(i32::from(self.value))
    }
}

/// How many looks ended in each way, ply by ply.
pub(super) type Tally = Vec<[u64; End::ALL.len()]>;

/// The looks of one round. When there are too many, those furthest from the root are forgotten, all of one ply at a
/// time, and only counted from then on.
#[derive(Clone, Debug)]
pub(super) struct Nodes {
    entries: Vec<Entry>,
    /// The entries that are open, the root's moves first.
    open: Vec<u32>,
    /// What ended each open look that is too deep to be kept, from the shallowest on.
    deeper: Vec<End>,
    /// Looks deeper than this are not kept.
    deepest: usize,
    most: usize,
    tally: Tally,
}

/// More than this many looks of a round are not kept: 20 megabytes.
const MOST: usize = 1 << 19;

impl Default for Nodes {
    fn default() -> Nodes {
        Nodes::new(MOST)
    }
}

impl Nodes {
    pub(super) fn new(most: usize) -> Nodes {
        Nodes {
            entries: Vec::new(),
            open: Vec::new(),
            deeper: Vec::new(),
            deepest: usize::MAX,
            most,
            tally: Vec::new(),
        }
    }

    pub(super) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// How many looks there were, kept or not.
    pub(super) fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The looks right below one, or below the root.
    pub(super) fn below(&self, of: Option<u32>) -> impl Iterator<Item = u32> {
        let (mut at, end) = match of {
            Some(of) => (of + 1, self.entries[of as usize].next),
            None => (0, self.entries.len() as u32),
        };
        std::iter::from_fn(move || {
            let here = (at < end).then_some(at)?;
            at = self.entries[here as usize].next;
            Some(here)
        })
    }

    /// The moves tried below a look, each with all its looks.
    pub(super) fn moves(&self, of: Option<u32>) -> Vec<Vec<u32>> {
        let mut moves: Vec<Vec<u32>> = Vec::new();
        let square = |at: u32| self.entries[at as usize].square;
        for at in self.below(of) {
            match moves.last_mut() {
                Some(looks) if square(looks[0]) == square(at) => looks.push(at),
                _ => moves.push(vec![at]),
            }
        }
        moves
    }

    /// The best move tried below a look, with all looks at it; the first of equals.
    pub(super) fn best(&self, of: Option<u32>) -> Option<Vec<u32>> {
        let mut best: Option<(i32, Vec<u32>)> = None;
        for looks in self.moves(of) {
            let value = looks
                .last()
                .and_then(|&at| self.entries[at as usize].value());
            // What is bad for the side that answers is good for the one that moves.
            if let Some(value) = value.map(|value| -value)
                && best.as_ref().is_none_or(|(most, _)| value > *most)
            {
                best = Some((value, looks));
            }
        }
        best.map(|(_, looks)| looks)
    }

    pub(super) fn open(&mut self, square: u8, window: (i32, i32), nodes: u64) {
        let ply = self.open.len();
        if ply > self.deepest || !self.deeper.is_empty() {
            self.deeper.push(End::Moves);
            return;
        }
        self.open.push(self.entries.len() as u32);
        self.entries.push(Entry {
            square,
            ply: ply as u8,
            end: End::Moves,
            window: (window.0 as i16, window.1 as i16),
            value: Entry::UNKNOWN,
            known: None,
            next: u32::MAX,
            nodes,
        });
        if self.entries.len() > self.most {
            self.forget();
        }
    }

    fn top(&mut self) -> Option<&mut Entry> {
        if self.deeper.is_empty() {
            self.entries.get_mut(*self.open.last()? as usize)
        } else {
            None
        }
    }

    pub(super) fn end(&mut self, end: End) {
        if let Some(deep) = self.deeper.last_mut() {
            *deep = end;
        } else if let Some(top) = self.top() {
            top.end = end;
        }
    }

    pub(super) fn known(&mut self, low: i32, high: i32) {
        if let Some(top) = self.top() {
            top.known = Some((low as i16, high as i16));
        }
    }

    pub(super) fn close(&mut self, value: Option<i32>, nodes: u64) {
        let ply = self.open.len() + self.deeper.len();
        let next = self.entries.len() as u32;
        let end = if let Some(end) = self.deeper.pop() {
            end
        } else {
            let Some(entry) = self.open.pop().map(|at| &mut self.entries[at as usize]) else {
                return;
            };
            entry.next = next;
            entry.nodes = nodes - entry.nodes;
            entry.value = value.map_or(Entry::UNKNOWN, |value| value as i16);
            entry.end
        };
        if value.is_some() {
            if self.tally.len() < ply {
                self.tally.resize(ply, [0; End::ALL.len()]);
            }
            self.tally[ply - 1][end as usize] += 1;
        }
    }

    /// Forgets the deepest ply that is kept.
    fn forget(&mut self) {
        let deepest = self.entries.iter().map(|e| e.ply).max().unwrap_or(0);
        let Some(keep) = deepest.checked_sub(1) else {
            return;
        };
        self.deepest = usize::from(keep);
        // Where each entry goes: the number of those before it that stay.
        let mut to = Vec::with_capacity(self.entries.len() + 1);
        let mut stay = 0;
        for entry in &self.entries {
            to.push(stay);
            stay += u32::from(entry.ply <= keep);
        }
        to.push(stay);
        self.entries.retain(|entry| entry.ply <= keep);
        for entry in &mut self.entries {
            if let Some(&next) = to.get(entry.next as usize) {
                entry.next = next;
            }
        }
        let gone = self.open.len().saturating_sub(usize::from(keep) + 1);
        self.open.truncate(usize::from(keep) + 1);
        self.deeper
            .splice(0..0, std::iter::repeat_n(End::Moves, gone));
        for at in &mut self.open {
            *at = to[*at as usize];
        }
    }
}
