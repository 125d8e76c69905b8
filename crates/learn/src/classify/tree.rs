//! A decision tree.

use serde::{Deserialize, Serialize};

use super::Prepared;
use super::grow::{Grower, Growth};
use crate::chance::Dice;

/// A decision tree. Nodes are numbered from the root, children after their parent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tree {
    classes: usize,
    /// The column asked about; `null` in a leaf.
    columns: Vec<Option<u32>>,
    /// At most this: left; more: right.
    thresholds: Vec<f64>,
    /// The two children; zero in a leaf.
    children: Vec<[u32; 2]>,
    /// Training rows of each class, node after node.
    counts: Vec<u32>,
}

/// What a node of a tree does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Node {
    /// The end: the class is decided.
    Leaf,
    /// A question.
    Ask {
        /// The column asked about.
        column: usize,
        /// At most this goes left.
        threshold: f64,
        /// The node for at most.
        left: usize,
        /// The node for more.
        right: usize,
    },
}

impl Tree {
    pub(super) fn empty(classes: usize) -> Tree {
        Tree {
            classes,
            columns: Vec::new(),
            thresholds: Vec::new(),
            children: Vec::new(),
            counts: Vec::new(),
        }
    }

    pub(super) fn grow(
        rows: &Prepared<'_>,
        weights: Option<&[u32]>,
        growth: &Growth,
        dice: &mut Dice,
    ) -> Tree {
        Grower::new(rows, weights, growth).grow(dice)
    }

    pub(super) fn add(&mut self, counts: &[u32]) -> usize {
        self.columns.push(None);
        self.thresholds.push(0.0);
        self.children.push([0, 0]);
        self.counts.extend_from_slice(counts);
        self.columns.len() - 1
    }

    pub(super) fn split(
        &mut self,
        node: usize,
        column: usize,
        threshold: f64,
        left: usize,
        right: usize,
    ) {
        self.columns[node] = Some(column as u32);
        self.thresholds[node] = threshold;
        self.children[node] = [left as u32, right as u32];
    }

    /// Checks a tree that came from a file: children come after their parent, so every walk ends.
    pub(crate) fn check(&self, width: usize, classes: usize) -> Result<(), String> {
        let n = self.columns.len();
        let whole = n > 0
            && self.classes == classes
            && self.thresholds.len() == n
            && self.children.len() == n
            && self.counts.len() == n * classes
            && (0..n).all(|node| {
                let rows = self.counts(node).iter().any(|&c| c > 0);
                rows && self.columns[node].is_none_or(|column| {
                    let below = |child: u32| child as usize > node && (child as usize) < n;
                    (column as usize) < width && self.children[node].iter().all(|&c| below(c))
                })
            });
        if whole {
            Ok(())
        } else {
            Err("its tree is damaged".to_owned())
        }
    }

    /// How many nodes.
    pub fn len(&self) -> usize {
        self.columns.len()
    }

    /// A tree always has a root.
    pub fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// How many classes it tells apart.
    pub fn classes(&self) -> usize {
        self.classes
    }

    /// What a node does.
    pub fn node(&self, node: usize) -> Node {
        match self.columns[node] {
            None => Node::Leaf,
            Some(column) => Node::Ask {
                column: column as usize,
                threshold: self.thresholds[node],
                left: self.children[node][0] as usize,
                right: self.children[node][1] as usize,
            },
        }
    }

    /// Training rows of each class in a node.
    pub fn counts(&self, node: usize) -> &[u32] {
        &self.counts[node * self.classes..(node + 1) * self.classes]
    }

    /// The leaf a row falls into.
    pub fn leaf(&self, row: &[f64]) -> usize {
        let mut node = 0;
        while let Some(column) = self.columns[node] {
            let right = row[column as usize] > self.thresholds[node];
            node = self.children[node][usize::from(right)] as usize;
        }
        node
    }

    /// The share of each class in the leaf a row falls into.
    pub fn shares(&self, row: &[f64]) -> Vec<f64> {
        let counts = self.counts(self.leaf(row));
        let all = f64::from(counts.iter().sum::<u32>());
        counts.iter().map(|&c| f64::from(c) / all).collect()
    }

    /// How deep the deepest leaf is.
    pub fn depth(&self) -> usize {
        let mut deepest = 0;
        let mut open = vec![(0, 0)];
        while let Some((node, depth)) = open.pop() {
            deepest = deepest.max(depth);
            if let Node::Ask { left, right, .. } = self.node(node) {
                open.extend([(left, depth + 1), (right, depth + 1)]);
            }
        }
        deepest
    }

    /// The nodes from the root downwards, left before right.
    pub fn in_order(&self) -> Vec<usize> {
        let mut order = Vec::with_capacity(self.len());
        let mut open = vec![0];
        while let Some(node) = open.pop() {
            order.push(node);
            if let Node::Ask { left, right, .. } = self.node(node) {
                open.extend([right, left]);
            }
        }
        order
    }
}
