//! Best first: the one search under all the others.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use serde_json::Value;

use super::{Cost, Form, Graph, Settled, Ways};
use crate::{Budget, Kind, Step, WORDS, Watch};

/// What makes one place more promising than another.
pub enum Promise<'a, N, C> {
    /// Few edges from the start.
    Near,
    /// Many edges from the start.
    Far,
    /// A small cost.
    Cheap,
    /// A small cost together with what is still to come, as estimated.
    Hopeful(&'a dyn Fn(&N) -> C),
}

impl<N, C: Cost> Promise<'_, N, C> {
    fn estimate(&self, node: &N) -> Option<C> {
        match self {
            Promise::Hopeful(estimate) => Some(estimate(node)),
            _ => None,
        }
    }

    /// The smallest goes first. Equal ones go in the order in which they were reached, but of two
    /// equally hopeful ones the one farther on is nearer to the goal.
    fn rank(&self, cost: C, estimate: Option<C>, edges: u32) -> (C, u32) {
        match self {
            Promise::Near => (C::NOTHING, edges),
            Promise::Far => (C::NOTHING, u32::MAX - edges),
            Promise::Cheap => (cost, 0),
            Promise::Hopeful(_) => (cost.plus(estimate.unwrap_or(C::NOTHING)), u32::MAX - edges),
        }
    }

    /// Whether a way counts as better because it is cheaper. If not, the first one counts.
    fn by_cost(&self) -> bool {
        matches!(self, Promise::Cheap | Promise::Hopeful(_))
    }
}

/// Goes on from the most promising place again and again, until that is a goal.
///
/// Source: the common frame of Moore (1959, breadth first), Dijkstra (1959) and Hart, Nilsson and
/// Raphael (1968, A*), after Pearl (1984). Use [`breadth_first`](super::breadth_first()), [`depth_first`](super::depth_first()),
/// [`dijkstra`](super::dijkstra()) or [`astar`](super::astar()) unless you want to choose at run time.
///
/// Without a goal (`|_| false`) it settles all that can be reached: the tree of ways from the start.
/// A limit of depth in the budget is a limit of edges; a limit of nodes counts settled nodes.
///
/// # Invariant
/// Every way in the frontier goes on from a settled node. With [`Promise::Cheap`] a node is settled at its least cost, and
/// so is the goal with [`Promise::Hopeful`] if the estimate is never too high.
///
/// # Complexity
/// With `n` nodes and `m` edges: `m log m` time and `m` memory in the path form where no node is
/// settled twice. In the tree form both grow with the number of ways.
pub fn best_first<G: Graph, W: Watch>(
    graph: &G,
    start: &G::Node,
    goal: impl Fn(&G::Node) -> bool,
    promise: &Promise<'_, G::Node, G::Cost>,
    form: Form,
    budget: &Budget,
    watch: &mut W,
) -> Ways<G::Node, G::Cost> {
    let farthest = budget.limits().depth.unwrap_or(u32::MAX);
    let mut ways = Ways {
        route: None,
        settled: Vec::new(),
        complete: false,
    };
    // What is the best known about each node; only looked up, never walked.
    let mut known: HashMap<G::Node, Known<G::Cost>> = HashMap::new();
    let mut frontier = BinaryHeap::new();
    let mut reached: Vec<Option<Settled<G::Node, G::Cost>>> = Vec::new();
    let nothing = G::Cost::NOTHING;
    let estimate = promise.estimate(start);
    frontier.push(Reverse((promise.rank(nothing, estimate, 0), 0)));
    reached.push(Some(Settled {
        node: start.clone(),
        cost: nothing,
        edges: 0,
        from: None,
    }));
    let mut cut_short = false;
    while let Some(Reverse((_, number))) = frontier.pop() {
        let Some(here) = reached[number].take() else {
            continue;
        };
        if form == Form::Path {
            let known = known.entry(here.node.clone()).or_insert(Known {
                cost: here.cost,
                settled: false,
            });
            if known.settled && !(promise.by_cost() && here.cost < known.cost) {
                continue;
            }
            if promise.by_cost() && here.cost > known.cost {
                continue;
            }
            *known = Known {
                cost: here.cost,
                settled: true,
            };
        }
        if budget.spent(ways.settled.len() as u64) {
            cut_short = true;
            break;
        }
        if W::ON {
            let from = here.from.map(|place| &ways.settled[place].node);
            tell(
                graph,
                watch,
                Kind::Visit,
                (&here.node, here.cost),
                promise,
                from,
            );
        }
        let place = ways.settled.len();
        let (cost, edges) = (here.cost, here.edges);
        ways.settled.push(here);
        let node = ways.settled[place].node.clone();
        if goal(&node) {
            ways.route = ways.route_to(place);
            break;
        }
        if edges >= farthest {
            cut_short = true;
            continue;
        }
        for (to, more) in graph.edges(&node) {
            let cost = cost.plus(more);
            if form == Form::Path {
                match known.get_mut(&to) {
                    None => {
                        known.insert(
                            to.clone(),
                            Known {
                                cost,
                                settled: false,
                            },
                        );
                    }
                    Some(old) if promise.by_cost() => {
                        if cost >= old.cost {
                            continue;
                        }
                        // A settled node may come up again with a cheaper way.
                        *old = Known {
                            cost,
                            settled: false,
                        };
                    }
                    // Going deep, the latest way to an unsettled node counts; going wide, the first.
                    Some(old) if old.settled || matches!(promise, Promise::Near) => continue,
                    Some(_) => {}
                }
            }
            if W::ON {
                tell(graph, watch, Kind::Relax, (&to, cost), promise, Some(&node));
            }
            let estimate = promise.estimate(&to);
            let rank = promise.rank(cost, estimate, edges + 1);
            frontier.push(Reverse((rank, reached.len())));
            reached.push(Some(Settled {
                node: to,
                cost,
                edges: edges + 1,
                from: Some(place),
            }));
        }
    }
    ways.complete = ways.route.is_some() || !cut_short;
    conclude(graph, watch, &ways);
    ways
}

struct Known<C> {
    cost: C,
    settled: bool,
}

fn tell<G: Graph, W: Watch>(
    graph: &G,
    watch: &mut W,
    kind: Kind,
    (node, cost): (&G::Node, G::Cost),
    promise: &Promise<'_, G::Node, G::Cost>,
    from: Option<&G::Node>,
) {
    watch.step(|| {
        let name = graph.name(node);
        let from = from.map(|from| graph.name(from));
        let says = match (kind, &from) {
            (Kind::Relax, Some(from)) => WORDS.say("path-relax").with("from", from),
            (_, Some(from)) => WORDS.say("path-visit").with("from", from),
            (_, None) => WORDS.say("path-start"),
        };
        let estimate = promise.estimate(node).map_or(Value::Null, Cost::json);
        Step::new(
            kind,
            says.with("node", &name).with("cost", cost.to_string()),
        )
        .data("node", name)
        .data("cost", cost.json())
        .data("estimate", estimate)
        .data("from", from.map_or(Value::Null, Value::from))
    });
}

fn conclude<G: Graph, W: Watch>(graph: &G, watch: &mut W, ways: &Ways<G::Node, G::Cost>) {
    let settled = ways.settled.len();
    watch.step(|| {
        Step::new(
            Kind::Count,
            WORDS.say("path-count").with("settled", settled),
        )
        .data("settled", settled)
    });
    watch.step(|| {
        if let Some(route) = &ways.route {
            let names: Vec<String> = route.nodes.iter().map(|node| graph.name(node)).collect();
            let says = WORDS
                .say("path-choose")
                .with("cost", route.cost.to_string())
                .with("edges", names.len().saturating_sub(1));
            return Step::new(Kind::Choose, says)
                .data("answer", names)
                .data("value", route.cost.json());
        }
        let key = if ways.complete {
            "path-none"
        } else {
            "path-stopped"
        };
        Step::new(Kind::Choose, WORDS.say(key)).data("answer", Value::Null)
    });
}
