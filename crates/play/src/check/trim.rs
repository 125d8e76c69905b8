//! The steps that a decision rests on, marked from the decision backwards, as proof checkers trim proofs.
//!
//! A value rests on less than was looked at to find it: that a position is worth at least so much to the seat needs one of its
//! own moves and all replies of the others; that it is worth at most so much, all of its own moves and one reply to each. What was
//! looked at besides (earlier rounds, moves that turned out worse than the reply that refutes them) can be folded away.

use std::collections::{BTreeSet, HashMap};

use serde_json::Value;
use wits_game::{Seat, Turn};
use wits_search::{Backup, Kind, Line, Thread};

use super::claim::Claim;
use super::{name, subject, text};
use crate::{AnyGame, AnyMatch};

/// The numbers of the steps that the decision of a thread rests on; none where its position cannot be set up.
pub fn trim(game: &dyn AnyGame, thread: &Thread) -> BTreeSet<u64> {
    match subject(game, &thread.header.subject) {
        Some(table) => trim_from(table.as_ref(), thread),
        None => BTreeSet::new(),
    }
}

/// The same for a decision that was made in this position.
pub fn trim_from(table: &dyn AnyMatch, thread: &Thread) -> BTreeSet<u64> {
    let Turn::Of(seat) = table.turn() else {
        return BTreeSet::new();
    };
    let mut tree = Tree::read(thread, seat);
    tree.decision(table, thread);
    tree.rests
}

/// Marks the steps that the decision rests on with `rests`, so that a viewer can open a thread trimmed.
pub fn mark(table: &dyn AnyMatch, thread: &mut Thread) {
    let rests = trim_from(table, thread);
    let mut steps = std::mem::take(&mut thread.steps);
    for line in &mut steps {
        if rests.contains(&line.at) {
            line.data.insert(RESTS.to_owned(), true.into());
        }
    }
    *thread = Thread::new(thread.header.clone(), steps, thread.footer.clone());
}

/// The key of steps that the decision rests on.
const RESTS: &str = "rests";

/// Which sides of a value are needed.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Sides {
    /// That it is not less.
    low: bool,
    /// That it is not more.
    high: bool,
}

const BOTH: Sides = Sides {
    low: true,
    high: true,
};
const LOW: Sides = Sides {
    low: true,
    high: false,
};
const HIGH: Sides = Sides {
    low: false,
    high: true,
};

struct Node<'a> {
    open: &'a Line,
    close: Option<(u64, Claim)>,
    below: Vec<String>,
    cuts: Vec<u64>,
}

impl Node<'_> {
    fn mv(&self) -> Option<&str> {
        self.open.data.get("move").and_then(Value::as_str)
    }

    /// What is said of the node; nothing where it was left.
    fn claim(&self) -> Option<&Claim> {
        let (_, claim) = self.close.as_ref()?;
        claim.value.is_some().then_some(claim)
    }

    fn span(&self) -> (f64, f64) {
        let all = (f64::NEG_INFINITY, f64::INFINITY);
        self.claim().map_or(all, Claim::span)
    }
}

struct Tree<'a> {
    nodes: HashMap<String, Node<'a>>,
    root: Option<String>,
    seat: Seat,
    rests: BTreeSet<u64>,
}

impl<'a> Tree<'a> {
    fn read(thread: &'a Thread, seat: Seat) -> Tree<'a> {
        let mut tree = Tree {
            nodes: HashMap::new(),
            root: None,
            seat,
            rests: BTreeSet::new(),
        };
        for line in &thread.steps {
            let Some(id) = name(&line.data, "id") else {
                continue;
            };
            match line.kind {
                Kind::Open => {
                    match name(&line.data, "parent").and_then(|p| tree.nodes.get_mut(&p)) {
                        Some(above) => above.below.push(id.clone()),
                        None if tree.root.is_none() => tree.root = Some(id.clone()),
                        None => {}
                    }
                    let node = Node {
                        open: line,
                        close: None,
                        below: Vec::new(),
                        cuts: Vec::new(),
                    };
                    tree.nodes.insert(id, node);
                }
                Kind::Close => {
                    if let Some(node) = tree.nodes.get_mut(&id) {
                        node.close = Some((line.at, Claim::read(&line.data)));
                    }
                }
                Kind::Cut => {
                    if let Some(node) = tree.nodes.get_mut(&id) {
                        node.cuts.push(line.at);
                    }
                }
                _ => {}
            }
        }
        tree
    }

    /// The decision itself, what luck and rules said, and the values behind it.
    fn decision(&mut self, table: &dyn AnyMatch, thread: &Thread) {
        let mut steps = thread.steps.iter().rev();
        let Some(choose) = steps.find(|line| line.kind == Kind::Choose) else {
            return;
        };
        self.rests.insert(choose.at);
        let rule = text(&choose.data, "by").is_some_and(|by| by == "rule");
        let root = self.root.clone();
        for line in &thread.steps {
            let of_root = name(&line.data, "id") == root;
            let said = match line.kind {
                Kind::Draw => of_root,
                Kind::Note => of_root && rule,
                _ => false,
            };
            if said {
                self.rests.insert(line.at);
            }
        }
        let Some(root) = root else {
            return;
        };
        match thread.header.backup {
            Backup::Max => self.needs(&root, Some(table), BOTH),
            // Averages and rules compare the moves of the root, and nothing follows from what is below them.
            Backup::Mean | Backup::Table | Backup::None => self.compared(&root),
        }
    }

    /// Marks a node, all its moves, and those of the groups that they stand in.
    fn compared(&mut self, id: &str) {
        self.marks(id);
        self.skips(id);
        for below in self.below(id) {
            if self.nodes[&below].mv().is_none() {
                self.compared(&below);
            } else {
                self.marks(&below);
            }
        }
    }

    fn below(&self, id: &str) -> Vec<String> {
        self.nodes.get(id).map_or(Vec::new(), |n| n.below.clone())
    }

    fn marks(&mut self, id: &str) {
        if let Some(node) = self.nodes.get(id) {
            self.rests.insert(node.open.at);
            self.rests.extend(node.close.as_ref().map(|(at, _)| *at));
        }
    }

    fn skips(&mut self, id: &str) {
        if let Some(node) = self.nodes.get(id) {
            self.rests.extend(&node.cuts);
        }
    }

    /// Marks what sides of a node's value rest on.
    fn needs(&mut self, id: &str, table: Option<&dyn AnyMatch>, sides: Sides) {
        self.marks(id);
        let Some(node) = self.nodes.get(id) else {
            return;
        };
        let Some(value) = node.claim().and_then(|claim| claim.value) else {
            return;
        };
        let below = node.below.clone();
        if below.is_empty() {
            self.skips(id);
            return;
        }
        let (groups, moves): (Vec<String>, Vec<String>) = below
            .into_iter()
            .partition(|id| self.nodes[id].mv().is_none());
        if !groups.is_empty() {
            self.groups(id, (&groups, &moves), table, (value, sides));
            return;
        }
        let Some(mover) = table.and_then(|table| table.turn().seat()) else {
            // Who moves is not known, or it is chance: everything counts.
            for below in &moves {
                self.needs(below, None, sides);
            }
            return;
        };
        let mine = mover == self.seat;
        if sides.low {
            self.moves(id, &moves, table, (value, LOW), mine);
        }
        if sides.high {
            self.moves(id, &moves, table, (value, HIGH), !mine);
        }
    }

    /// One side of a value at a position: one move is enough for the side that it serves, else all are needed.
    fn moves(
        &mut self,
        id: &str,
        moves: &[String],
        table: Option<&dyn AnyMatch>,
        (value, side): (f64, Sides),
        one: bool,
    ) {
        let serves = |id: &&String| self.serves(id, value, side);
        let best = |id: &&String| {
            let claim = self.nodes[*id].claim();
            serves(id) && claim.is_some_and(|claim| claim.best)
        };
        let enough = moves.iter().rev().find(best);
        let enough = enough.or_else(|| moves.iter().find(serves)).cloned();
        if let Some(enough) = enough.filter(|_| one) {
            self.after(&enough, table, side);
            return;
        }
        for below in moves {
            self.after(below, table, side);
        }
        self.skips(id);
    }

    /// Whether what is said of a node is enough for one side of a value.
    fn serves(&self, id: &str, value: f64, side: Sides) -> bool {
        let (low, high) = self.nodes[id].span();
        (!side.low || low >= value) && (!side.high || high <= value)
    }

    /// What is needed of the position after a move.
    fn after(&mut self, id: &str, table: Option<&dyn AnyMatch>, sides: Sides) {
        let next = table.and_then(|table| {
            let mv = self.nodes[id].mv()?;
            let mut next = table.copy();
            next.play(next.turn().seat()?, mv, None).ok()?;
            Some(next)
        });
        self.needs(id, next.as_deref(), sides);
    }

    /// A node with several looks at it: rounds, of which the last settled one counts; looks and claims, of which one is
    /// enough for each side; or places, which share the moves among them.
    fn groups(
        &mut self,
        id: &str,
        (groups, moves): (&[String], &[String]),
        table: Option<&dyn AnyMatch>,
        (value, sides): (f64, Sides),
    ) {
        let has = |id: &String, key: &str| self.nodes[id].open.data.contains_key(key);
        let round = groups.iter().any(|id| has(id, "depth"));
        let look = groups.iter().any(|id| has(id, "alpha") || has(id, "claim"));
        let settled = |id: &&String| self.nodes[*id].claim().is_some_and(|claim| claim.best);
        if round {
            let last = groups.iter().rev().find(settled).or(groups.last());
            if let Some(last) = last.cloned() {
                self.needs(&last, table, sides);
            }
        } else if look {
            for side in [LOW, HIGH] {
                let asked = (side.low && sides.low) || (side.high && sides.high);
                let serves = |id: &&String| self.serves(id, value, side);
                if let Some(enough) = groups.iter().rev().find(serves).filter(|_| asked) {
                    self.needs(&enough.clone(), table, side);
                }
            }
        } else {
            for group in groups {
                self.needs(group, table, sides);
            }
            for mv in moves {
                self.marks(mv);
            }
            self.skips(id);
        }
    }
}
