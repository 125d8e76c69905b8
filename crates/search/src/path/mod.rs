//! Finding a way: breadth first, depth first, Dijkstra, A*.
//!
//! All four are one search, [`best_first`], that always goes on from the most promising place it has reached. They
//! differ in what they call promising:
//!
//! | search | goes on from | finds |
//! | --- | --- | --- |
//! | [`breadth_first`] | what takes the fewest edges | a way with the fewest edges |
//! | [`depth_first`] | what is farthest from the start | some way, with little memory of others |
//! | [`dijkstra`] | what is cheapest so far | a cheapest way |
//! | [`astar`] | what is cheapest so far plus what is still to come, as estimated | a cheapest way, looking at less |
//!
//! Each has two forms. The *path* form remembers where it has been and settles every node once
//! (or again, if a cheaper way turns up late). The *tree* form forgets: every way to a node is a node of its own, as
//! in a tree, which needs no table of what was seen but repeats work where ways meet.

mod astar;
mod best_first;
mod breadth_first;
mod cost;
mod depth_first;
mod dijkstra;

use std::hash::Hash;

pub use astar::astar;
pub use best_first::{Promise, best_first};
pub use breadth_first::breadth_first;
pub use cost::{Cost, Length};
pub use depth_first::depth_first;
pub use dijkstra::dijkstra;

/// Somewhere to find ways in: a map, a puzzle, a timetable.
pub trait Graph {
    /// A place, a position, a stop at a time.
    type Node: Clone + Eq + Hash;
    /// What an edge costs.
    type Cost: Cost;

    /// Where one can go from a node and what it costs, in a fixed order.
    fn edges(&self, from: &Self::Node) -> Vec<(Self::Node, Self::Cost)>;

    /// What people call a node; asked only for a watcher.
    fn name(&self, node: &Self::Node) -> String;
}

/// Whether a search remembers where it has been.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Form {
    /// It does: memory for every node, and each is settled once.
    #[default]
    Path,
    /// It does not: every way to a node counts as another node. It may never end in a graph with cycles, unless the
    /// budget ends it.
    Tree,
}

/// A way from the start to a goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Route<N, C> {
    /// Every node on the way, start and goal included.
    pub nodes: Vec<N>,
    /// What it costs in all.
    pub cost: C,
}

/// A node that the search settled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settled<N, C> {
    /// The node.
    pub node: N,
    /// What the way to it costs.
    pub cost: C,
    /// How many edges the way has.
    pub edges: u32,
    /// Where the way comes from, as a place in the list of settled nodes; none for the start.
    pub from: Option<usize>,
}

/// What a search of a graph found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ways<N, C> {
    /// The way to the goal, if there is one and it was found.
    pub route: Option<Route<N, C>>,
    /// All that was settled, in order: the tree of ways from the start.
    pub settled: Vec<Settled<N, C>>,
    /// Whether the goal was found or shown to be out of reach before the budget ended.
    pub complete: bool,
}

impl<N: Clone, C: Cost> Ways<N, C> {
    /// The way to a settled node, by its place in the list.
    pub fn route_to(&self, place: usize) -> Option<Route<N, C>> {
        let end = self.settled.get(place)?;
        let mut nodes = Vec::with_capacity(end.edges as usize + 1);
        let mut here = Some(place);
        while let Some(settled) = here.and_then(|place| self.settled.get(place)) {
            nodes.push(settled.node.clone());
            here = settled.from;
        }
        nodes.reverse();
        Some(Route {
            nodes,
            cost: end.cost,
        })
    }
}
