//! Depth first: on and on, and back only where it ends.

use super::{Form, Graph, Promise, Ways, best_first};
use crate::{Budget, Watch};

/// Finds some way, not the shortest: it follows the first edge of each node as far as it goes, and comes
/// back for the others.
///
/// Source: Trémaux (19th century, for mazes); Tarjan (1972) for what it is good for.
///
/// # Invariant
/// What is in the frontier are the edges not yet tried along the way from the start to the present place.
///
/// # Complexity
/// `n + m` in the path form, with a logarithm for the shared frontier. In the tree form the frontier holds only the
/// untried edges of one way, but the search ends only if every way ends, or at the limit of depth.
///
/// # Example
/// ```
/// # #[path = "../../tests/all/toys/grid.rs"] mod grid;
/// use wits_search::{Budget, path::{Form, depth_first}};
/// let maze = grid::Grid::read("
///     S.#G
///     ..#.
///     ....
/// ");
/// let ways = depth_first(&maze, &maze.start(), |at| maze.is_goal(at), Form::Path, &Budget::endless(), &mut ());
/// assert!(ways.route.is_some());
/// ```
pub fn depth_first<G: Graph, W: Watch>(
    graph: &G,
    start: &G::Node,
    goal: impl Fn(&G::Node) -> bool,
    form: Form,
    budget: &Budget,
    watch: &mut W,
) -> Ways<G::Node, G::Cost> {
    best_first(graph, start, goal, &Promise::Far, form, budget, watch)
}
