//! Dijkstra: cheap places before dear ones.

use super::{Form, Graph, Promise, Ways, best_first};
use crate::{Budget, Watch};

/// Finds a cheapest way; without a goal, the cheapest way to everywhere.
///
/// Source: Edsger Dijkstra (1959).
///
/// # Invariant
/// Nodes are settled in the order of their cost, each at its least cost; this needs costs that are never
/// negative.
///
/// # Complexity
/// `m log m` for `m` edges in the path form.
///
/// # Example
/// ```
/// # #[path = "../../tests/all/toys/grid.rs"] mod grid;
/// use wits_search::{Budget, path::{Form, dijkstra}};
/// let maze = grid::Grid::read("
///     S.#G
///     ..#.
///     ....
/// ");
/// let ways = dijkstra(&maze, &maze.start(), |at| maze.is_goal(at), Form::Path, &Budget::endless(), &mut ());
/// assert_eq!(ways.route.unwrap().cost, 7);
/// ```
pub fn dijkstra<G: Graph, W: Watch>(
    graph: &G,
    start: &G::Node,
    goal: impl Fn(&G::Node) -> bool,
    form: Form,
    budget: &Budget,
    watch: &mut W,
) -> Ways<G::Node, G::Cost> {
    best_first(graph, start, goal, &Promise::Cheap, form, budget, watch)
}
