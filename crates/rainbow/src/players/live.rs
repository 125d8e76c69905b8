//! What every move is worth while a player still thinks, for bars that move.

use wits_play::{Line, Thought, Worth};

use crate::board::Paint;

/// The moves that have a value by now.
pub(super) struct Live<'a> {
    tell: &'a mut (dyn FnMut(&Thought<Paint>) + Send),
    so_far: Thought<Paint>,
}

impl<'a> Live<'a> {
    pub(super) fn new(tell: &'a mut (dyn FnMut(&Thought<Paint>) + Send)) -> Live<'a> {
        Live {
            tell,
            so_far: Thought::default(),
        }
    }

    /// A move has this value now, so many moves deep.
    pub(super) fn hear(&mut self, paint: Paint, worth: Worth, depth: u32) {
        self.so_far.depth = depth;
        let mut roots = self.so_far.roots.iter_mut();
        match roots.find(|line| line.moves == [paint]) {
            Some(line) => line.worth = worth,
            None => self.so_far.roots.push(Line {
                moves: vec![paint],
                worth,
            }),
        }
        (self.tell)(&self.so_far);
    }

    /// What was heard before is compared by another measure: it is put aside.
    pub(super) fn anew(&mut self) {
        self.so_far.roots.clear();
    }
}
