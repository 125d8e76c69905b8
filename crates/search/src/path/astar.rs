//! A*: cheap places before dear ones, as the whole way is estimated.

use super::{Form, Graph, Promise, Ways, best_first};
use crate::{Budget, Watch};

/// Finds a cheapest way like Dijkstra, and looks first where the goal seems to be.
///
/// `estimate` says what the rest of the way costs at least. If it is never too high, the way is a
/// cheapest one; if it also never falls by more than an edge costs, no node is settled twice. With
/// an estimate of nothing it is Dijkstra.
///
/// Source: Hart, Nilsson and Raphael (1968). A node that was settled too dear is opened again, so
/// estimates need not be consistent.
///
/// # Invariant
/// The least of cost plus estimate in the frontier is never more than the cheapest way costs.
///
/// # Complexity
/// As Dijkstra if the estimate is consistent, and settles no node that Dijkstra would not; with a merely
/// admissible one it can be exponential (Martelli 1977).
///
/// # Example
/// ```
/// # #[path = "../../tests/all/toys/grid.rs"] mod grid;
/// use wits_search::{Budget, path::{Form, astar}};
/// let maze = grid::Grid::read("
///     S.#G
///     ..#.
///     ....
/// ");
/// let ways = astar(&maze, &maze.start(), |at| maze.is_goal(at), |at| maze.far(at), Form::Path, &Budget::endless(), &mut ());
/// assert_eq!(ways.route.unwrap().cost, 7);
/// ```
pub fn astar<G: Graph, W: Watch>(
    graph: &G,
    start: &G::Node,
    goal: impl Fn(&G::Node) -> bool,
    estimate: impl Fn(&G::Node) -> G::Cost,
    form: Form,
    budget: &Budget,
    watch: &mut W,
) -> Ways<G::Node, G::Cost> {
    best_first(
        graph,
        start,
        goal,
        &Promise::Hopeful(&estimate),
        form,
        budget,
        watch,
    )
}
