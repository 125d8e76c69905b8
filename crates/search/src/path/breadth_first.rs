//! Breadth first: near places before far ones.

use super::{Form, Graph, Promise, Ways, best_first};
use crate::{Budget, Watch};

/// Finds a way with the fewest edges, whatever they cost.
///
/// Source: Zuse (1945), Moore (1959), who found ways through mazes with it.
///
/// # Invariant
/// All places with `k` edges from the start are settled before any with `k + 1`.
///
/// # Complexity
/// Settles at most every node once in the path form: `n + m` edges and nodes, with a logarithm for the
/// shared frontier.
///
/// # Example
/// ```
/// # #[path = "../../tests/all/toys/grid.rs"] mod grid;
/// use wits_search::{Budget, path::{Form, breadth_first}};
/// let maze = grid::Grid::read("
///     S.#G
///     ..#.
///     ....
/// ");
/// let ways = breadth_first(&maze, &maze.start(), |at| maze.is_goal(at), Form::Path, &Budget::endless(), &mut ());
/// assert_eq!(ways.route.unwrap().nodes.len(), 8);
/// ```
pub fn breadth_first<G: Graph, W: Watch>(
    graph: &G,
    start: &G::Node,
    goal: impl Fn(&G::Node) -> bool,
    form: Form,
    budget: &Budget,
    watch: &mut W,
) -> Ways<G::Node, G::Cost> {
    best_first(graph, start, goal, &Promise::Near, form, budget, watch)
}
