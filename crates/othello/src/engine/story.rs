//! What the engine did, kept while it thinks: every round with its root moves, and the tree of the last one.

use super::log::{After, End, Log};
use super::nodes::Nodes;
use crate::Square;

/// One look at a move of the root, for the side that makes it.
#[derive(Clone, Copy, Debug)]
pub(super) struct RootLook {
    pub(super) square: Square,
    pub(super) window: (i32, i32),
    pub(super) value: Option<i32>,
    pub(super) nodes: u64,
}

/// One round: all moves of the root, looked at so many plies ahead or to the end.
#[derive(Clone, Debug)]
pub(super) struct Round {
    pub(super) depth: u32,
    pub(super) exact: bool,
    /// What the round asked for; outside of it values are bounds.
    pub(super) window: (i32, i32),
    pub(super) looks: Vec<RootLook>,
    /// The best value and what is expected, if the round came to something.
    pub(super) best: Option<(i32, Vec<Square>)>,
    pub(super) after: After,
    /// How many positions had been looked at by then.
    pub(super) nodes: u64,
}

/// The story of a decision.
#[derive(Clone, Debug, Default)]
pub(super) struct Story {
    pub(super) rounds: Vec<Round>,
    /// The tree of the round that is going on.
    now: Nodes,
    /// The tree of the last round that came to something.
    pub(super) tree: Nodes,
    /// Inside how many searches beside the main one it is.
    aside: u32,
    /// How many positions the engine has counted so far; its budget takes several of the solver's for one.
    counted: u64,
    /// How many positions have been looked at so far, each of them counted.
    looked: u64,
}

impl Story {
    /// What ended the last look at a move of the root, and the reply that decided it, as far as the tree has it.
    pub(super) fn reply(&self, square: Square) -> (Option<End>, Option<Square>) {
        let moves = self.tree.moves(None);
        let at = |at: u32| &self.tree.entries()[at as usize];
        let is = |looks: &&Vec<u32>| usize::from(at(looks[0]).square) == square.index();
        let last = moves
            .iter()
            .find(is)
            .and_then(|looks| looks.last().copied());
        let best = last.and_then(|last| self.tree.best(Some(last)));
        let reply = best.and_then(|looks| Square::at(usize::from(at(looks[0]).square)));
        (last.map(|last| at(last).end), reply)
    }
}

impl Log for Story {
    const ON: bool = true;

    fn round(&mut self, depth: u32, exact: bool) {
        self.now = Nodes::default();
        self.rounds.push(Round {
            depth,
            exact,
            window: (i32::MIN, i32::MAX),
            looks: Vec::new(),
            best: None,
            after: After::Stopped,
            nodes: 0,
        });
    }

    fn between(&mut self, low: i32, high: i32) {
        if let Some(round) = self.rounds.last_mut() {
            round.window = (low, high);
        }
    }

    fn done(&mut self, best: Option<(i32, &[Square])>, after: After, nodes: u64) {
        let Some(round) = self.rounds.last_mut() else {
            return;
        };
        let now = std::mem::take(&mut self.now);
        let looks = now.below(None).filter_map(|at| {
            let entry = &now.entries()[at as usize];
            let (low, high) = entry.window;
            Some(RootLook {
                square: Square::at(usize::from(entry.square))?,
                window: (-i32::from(high), -i32::from(low)),
                value: entry.value().map(|value| -value),
                nodes: entry.nodes,
            })
        });
        round.looks = looks.collect();
        round.best = best.map(|(value, line)| (value, line.to_vec()));
        round.after = after;
        self.looked += if round.exact {
            round.looks.iter().map(|look| look.nodes).sum()
        } else {
            nodes - self.counted
        };
        self.counted = nodes;
        round.nodes = self.looked;
        if best.is_some() {
            self.tree = now;
        }
    }

    fn open(&mut self, square: u8, window: (i32, i32), nodes: u64) {
        if self.aside == 0 {
            self.now.open(square, window, nodes);
        }
    }

    fn known(&mut self, low: i32, high: i32) {
        if self.aside == 0 {
            self.now.known(low, high);
        }
    }

    fn end(&mut self, end: End) {
        if self.aside == 0 {
            self.now.end(end);
        }
    }

    fn close(&mut self, value: Option<i32>, nodes: u64) {
        if self.aside == 0 {
            self.now.close(value, nodes);
        }
    }

    fn aside(&mut self, on: bool) {
        if on {
            self.aside += 1;
        } else {
            self.aside -= 1;
        }
    }
}
