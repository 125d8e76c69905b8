//! Proofs kept with the answers of tables.
//!
//! When an answer enters a table, the clause that gave it is kept with the proof of its body. Goals
//! of the body that a table answered are kept as the number of that answer, which was there before:
//! so no proof goes in circles, and the proof of every answer can be unfolded down to clauses.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::ask::Answer;
use crate::atoms::known;
use crate::cell::*;
use crate::machine::Machine;
use crate::proof::{Grown, GrownNode};
use crate::stored::Stored;

/// Most goals of one proof; a larger one is not shown.
const MOST: usize = 1 << 20;

/// What makes a goal true, as the machine knows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Why {
    /// A clause, by its number in the program.
    Clause(u32),
    Library,
    Builtin,
    Said(Answer),
    NoProof,
    /// An answer of a table: number of the table, number of the answer.
    Answer(u32, u32),
}

/// The proof of an answer down to the answers it needs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Kept {
    /// All goals in one list, so that variables are shared; the answer itself comes first.
    goals: Stored,
    /// Why each goal holds, and the goals below it.
    nodes: Vec<(Why, Vec<u32>)>,
}

impl Kept {
    /// Words it takes.
    pub(crate) fn words(&self) -> usize {
        let below: usize = self.nodes.iter().map(|(_, c)| c.len().div_ceil(2)).sum();
        self.goals.0.len() + 6 * self.nodes.len() + below
    }
}

impl Machine {
    /// Keeps the proof of the answer that was just added to a table: the log has the call of its
    /// clauses at `log`. An answer brought together from others has no clause to follow from.
    pub(crate) fn keep_proof(&mut self, table: usize, log: Option<usize>) {
        let kept = self.apart(|m| {
            let call = log?;
            let last = m.tables.get(table as u32)?.answers.len().checked_sub(1)?;
            let goal = m.load_answer(table, last)?;
            let below = m.below(call)?;
            let grown = m.grow(&below, vec![(call, Some(goal))]);
            m.fold(grown)
        });
        self.tables.keep(table, kept);
    }

    /// Takes a tree off the heap.
    fn fold(&mut self, grown: Grown) -> Option<Kept> {
        let goals: Vec<Cell> = grown.nodes.iter().map(|n| n.goal).collect();
        let list = self.store.list(&goals, atom(known::NIL));
        let goals = self.store.save(list, self.fuel.cells).ok()?;
        let node = |n: GrownNode| (n.why, n.children.iter().map(|&c| c as u32).collect());
        Some(Kept {
            goals,
            nodes: grown.nodes.into_iter().map(node).collect(),
        })
    }

    /// Puts the kept proofs of answers in the place of the answers. An answer without variables is
    /// proved once, however often it is used. `None` if a proof is not there, or all of it is too
    /// large.
    pub(crate) fn unfold(&mut self, grown: &mut Grown) -> Option<()> {
        let mut first: HashMap<(u32, u32), usize> = HashMap::new();
        let mut same: HashMap<usize, usize> = HashMap::new();
        let mut at = 0;
        while at < grown.nodes.len() {
            if let Why::Answer(table, number) = grown.nodes[at].why {
                let (answer, kept) = self.tables.answer(table as usize, number as usize)?;
                if crate::stored::is_ground(answer) {
                    let before = *first.entry((table, number)).or_insert(at);
                    if before != at {
                        same.insert(at, before);
                        at += 1;
                        continue;
                    }
                }
                let kept = kept?.clone();
                let goals = self.store.load(&kept.goals.0);
                let goals = self.store.items(goals)?;
                if goals.len() != kept.nodes.len()
                    || !self.store.unify(*goals.first()?, grown.nodes[at].goal)
                {
                    return None;
                }
                let end = grown.nodes.len();
                let place = |n: u32| if n == 0 { at } else { end + n as usize - 1 };
                for (n, (why, below)) in kept.nodes.into_iter().enumerate() {
                    let children = below.into_iter().map(place).collect();
                    if n == 0 {
                        grown.nodes[at].why = why;
                        grown.nodes[at].children = children;
                    } else {
                        let goal = goals[n];
                        grown.nodes.push(GrownNode {
                            goal,
                            why,
                            children,
                        });
                    }
                }
                if grown.nodes.len() > MOST {
                    return None;
                }
            }
            at += 1;
        }
        let settle = |n: &mut usize| *n = same.get(n).copied().unwrap_or(*n);
        grown.roots.iter_mut().for_each(settle);
        for node in &mut grown.nodes {
            node.children.iter_mut().for_each(settle);
        }
        Some(())
    }
}
