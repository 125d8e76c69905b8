//! The strategy behind a solved position, as a tree that can be followed and checked.

use std::collections::HashMap;

use serde_json::Value;
use wits_game::{Eyes, Game, Message, Seat, Turn};

use super::ground::after;
use super::teller::grouped;
use crate::{Backup, Kind, Proof, Step, Summary, WORDS, Watch, Worth};

/// Who knows what positions of a solved game are worth.
pub trait Oracle<G: Game> {
    /// What a position is worth for a seat when everybody plays best; none where it is not known.
    fn worth(&mut self, game: &G, state: &G::State, seat: Seat) -> Option<i32>;

    /// How many plies the game lasts from here; the quickest win and the latest loss are shown.
    fn plies(&mut self, game: &G, state: &G::State) -> u32 {
        let _ = (game, state);
        0
    }

    /// An argument that settles the position without looking further: a pairing, parity, a rule.
    fn argument(&mut self, game: &G, state: &G::State, seat: Seat) -> Option<Message> {
        let _ = (game, state, seat);
        None
    }

    /// A best move for the seat to move, where that is known without asking about every move; none where it is not.
    fn best(&mut self, game: &G, state: &G::State) -> Option<G::Move> {
        let _ = (game, state);
        None
    }
}

/// How much of a strategy is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StrategyOptions {
    /// About so many positions are shown.
    pub nodes: usize,
    /// Payoffs are never outside this.
    pub range: (i32, i32),
}

impl Default for StrategyOptions {
    fn default() -> Self {
        StrategyOptions {
            nodes: 1_500,
            range: (-1, 1),
        }
    }
}

/// Tells why `choice` is as good as any move: the strategy as a tree.
///
/// Two claims stand under the root. *It gets at least that*: our move, every reply, our answer to each, down to the end,
/// to an argument, or to where the tree was cut by size ("known, 1,234 positions further"). *It gets no more*: for each legal
/// move the reply that holds it to its worth, every move after that, and so on. Where nothing better or worse can be, the
/// claim is settled by the range of payoffs.
///
/// # Invariant
/// In a claim `at least` a position where the seat moves shows one move, and the others are not needed; one where
/// another seat moves shows all. In a claim `at most` it is the other way round. So the tree proves the claim by itself, except
/// below the nodes that say what they rest on.
///
/// # Example
/// ```
/// # #[path = "../../tests/all/toys/nim.rs"] mod nim;
/// use wits_game::{Game, Seat, Turn};
/// use wits_search::{Budget, Recorder, tree::{self, Oracle, Payoffs, StrategyOptions}};
/// struct Solved;
/// impl Oracle<nim::Nim> for Solved {
///     fn worth(&mut self, nim: &nim::Nim, state: &nim::Heaps, seat: Seat) -> Option<i32> {
///         let found = tree::minimax(nim, state, &Payoffs, 64, &Budget::endless(), &mut ());
///         let mover = match nim.turn(state) {
///             Turn::Over(outcome) => return Some(outcome.payoff(seat)),
///             turn => turn.seat()?,
///         };
///         let worth = found.worth.number() as i32;
///         Some(if mover == seat { worth } else { -worth })
///     }
/// }
/// let nim = nim::Nim::new(&[3, 2], 3);
/// let mut recorder = Recorder::new(4_000);
/// let choice = nim::Take { heap: 0, count: 1 };
/// tree::strategy(&nim, &nim.start(), &choice, &mut Solved, &StrategyOptions::default(), &mut recorder);
/// assert!(recorder.seen() > 10);
/// ```
pub fn strategy<G, O, W>(
    game: &G,
    state: &G::State,
    choice: &G::Move,
    oracle: &mut O,
    options: &StrategyOptions,
    watch: &mut W,
) where
    G: Game,
    O: Oracle<G> + ?Sized,
    W: Watch,
{
    let Turn::Of(seat) = game.turn(state) else {
        return;
    };
    if W::ON {
        let mut tree = Strategy {
            game,
            oracle,
            seat,
            range: options.range,
            watch,
            ids: 1,
            settled: false,
            sizes: HashMap::new(),
        };
        tree.root(state, choice, options.nodes);
    }
}

/// Which side of a value is claimed.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Side {
    Least,
    Most,
}

impl Side {
    fn proof(self) -> Proof {
        match self {
            Side::Least => Proof::AtLeast,
            Side::Most => Proof::AtMost,
        }
    }
}

/// How far to go below a node.
#[derive(Clone, Copy)]
enum Below {
    /// As deep as about so many positions allow.
    Share(usize),
    /// So many plies, for a claim of so much.
    Depth(u32, i32),
}

/// What a move rests on that is not solved: it has no value.
const UNKNOWN: &str = "unknown";
/// Beyond this many positions the rest of a strategy is not counted.
const COUNTED: usize = 20_000;

struct Strategy<'a, G: Game, O: ?Sized, W> {
    game: &'a G,
    oracle: &'a mut O,
    seat: Seat,
    range: (i32, i32),
    watch: &'a mut W,
    ids: u64,
    /// Whether the claim that is shown holds whatever the moves are worth that are not solved.
    settled: bool,
    /// How many positions the strategy has below one, by the claim.
    sizes: HashMap<(G::State, Side), u64>,
}

/// What a node came to.
struct Shown {
    worth: Worth,
    says: Message,
    /// What it rests on besides the nodes below it.
    by: Option<&'static str>,
    inside: Option<u64>,
}

impl<G: Game, O: Oracle<G> + ?Sized, W: Watch> Strategy<'_, G, O, W> {
    fn root(&mut self, state: &G::State, choice: &G::Move, nodes: usize) {
        let who = self.game.seat_name(self.seat);
        self.watch.step(|| {
            Step::new(Kind::Open, WORDS.say("tree-root").with("who", who.clone()))
                .data("id", 0)
                .data("parent", Value::Null)
                .data("move", Value::Null)
        });
        let moves = self.moves(state);
        let chosen = self.label(state, choice);
        let ranked = self.ranked(state, &moves);
        let worth = ranked.iter().find(|(mv, _)| mv == choice);
        let worth = worth.and_then(|(_, worth)| *worth);
        // What cannot be better needs no look at the others; else all must be known.
        let whole = worth == Some(self.range.1) || ranked.iter().all(|(_, w)| w.is_some());
        let known = match worth.map(Worth::exact) {
            Some(known) if whole => known,
            Some(known) => known.known(Proof::AtLeast),
            None => Worth::heuristic(0.0),
        };
        if worth.is_some() {
            let one = std::slice::from_ref(choice);
            self.claim(state, Side::Least, one, moves.len(), nodes / 2, Some(known));
        }
        let most = Some(known).filter(|_| whole);
        self.claim(state, Side::Most, &moves, moves.len(), nodes / 2, most);
        let says = WORDS.say("tree-root-worth").with("who", who);
        self.watch.step(|| {
            Step::new(Kind::Close, says.with("value", known.to_string()))
                .data("id", 0)
                .data("value", known.json())
                .data("is", known.proof.word())
                .data("proved", known.proved())
        });
        self.sum_up(state, (choice, &chosen), known, &ranked);
        self.watch.step(|| {
            let says = WORDS.say("tree-choose").with("move", &chosen);
            Step::new(Kind::Choose, says.with("value", known.to_string()))
                .data("answer", chosen.as_str())
                .data("value", known.json())
                .data("is", known.proof.word())
                .data("line", vec![chosen.as_str()])
        });
    }

    /// One claim about the root, with the moves that show it.
    fn claim(
        &mut self,
        state: &G::State,
        side: Side,
        shown: &[G::Move],
        all: usize,
        nodes: usize,
        known: Option<Worth>,
    ) {
        let id = self.ids;
        self.ids += 1;
        let key = match side {
            Side::Least => "plan-least",
            Side::Most if known.is_some() => "plan-most",
            Side::Most => "plan-each",
        };
        let number = known.map_or(0.0, Worth::number);
        let says = WORDS.say(key).with("who", self.game.seat_name(self.seat));
        let says = says.with("value", format!("{number:+}"));
        self.watch.step(|| {
            Step::new(Kind::Open, says.clone())
                .data("id", id)
                .data("parent", 0)
                .data("move", Value::Null)
                .data("claim", side.proof().word())
        });
        let share = (nodes / shown.len().max(1)).max(1);
        self.settled = known.is_some();
        for mv in shown {
            self.child(state, id, mv, side, Below::Share(share));
        }
        self.enough(id, all - shown.len(), side);
        self.watch.step(|| {
            let step = Step::new(Kind::Close, says).data("id", id);
            let Some(worth) = known.map(|known| known.known(side.proof())) else {
                return step.data("value", Value::Null);
            };
            let step = step
                .data("value", worth.json())
                .data("is", worth.proof.word())
                .data("best", side == Side::Least);
            if side == Side::Most && number >= f64::from(self.range.1) {
                step.data("by", "range")
            } else {
                step
            }
        });
    }

    /// Opens the position after a move, shows the claim below it, and closes it.
    fn child(
        &mut self,
        from: &G::State,
        parent: u64,
        mv: &G::Move,
        side: Side,
        below: Below,
    ) -> Worth {
        let id = self.ids;
        self.ids += 1;
        let label = self.label(from, mv);
        self.watch.step(|| {
            Step::new(Kind::Open, WORDS.say("tree-try").with("move", &label))
                .data("id", id)
                .data("parent", parent)
                .data("move", label.as_str())
        });
        let next = after(self.game, from, mv);
        let (depth, claimed) = match below {
            Below::Share(share) => (self.fitting(&next, side, share), None),
            Below::Depth(depth, claimed) => (depth, Some(claimed)),
        };
        let shown = self.position(&next, id, side, depth, claimed);
        let says = shown.says.with("move", label);
        let worth = shown.worth;
        self.watch.step(|| {
            let step = Step::new(Kind::Close, says.with("value", worth.to_string())).data("id", id);
            let mut step = if shown.by == Some(UNKNOWN) {
                step.data("value", Value::Null).data("best", false)
            } else {
                step.data("value", worth.json())
                    .data("is", worth.proof.word())
                    .data("proved", worth.proved())
                    .data("best", true)
            };
            if let Some(by) = shown.by {
                step = step.data("by", by);
            }
            match shown.inside {
                Some(inside) => step.data("further", inside),
                None => step,
            }
        });
        worth
    }

    fn position(
        &mut self,
        state: &G::State,
        id: u64,
        side: Side,
        depth: u32,
        claimed: Option<i32>,
    ) -> Shown {
        let plain = |worth: Worth, key: &'static str| Shown {
            worth,
            says: WORDS.say(key),
            by: None,
            inside: None,
        };
        if let Turn::Over(outcome) = self.game.turn(state) {
            let worth = Worth::exact(outcome.payoff(self.seat));
            let says = WORDS.say("tree-end").with("why", outcome.why);
            return Shown {
                says,
                ..plain(worth, "tree-end")
            };
        }
        let Some(worth) = self.oracle.worth(self.game, state, self.seat) else {
            // What is known above may be too much to look up here.
            let (worth, by, key) = match claimed {
                Some(claimed) => (
                    Worth::exact(claimed).known(side.proof()),
                    "table",
                    "tree-worth",
                ),
                None if self.settled => {
                    let most = Worth::exact(self.range.1).known(Proof::AtMost);
                    (most, "range", "plan-range")
                }
                None => (Worth::heuristic(0.0), UNKNOWN, "plan-unknown"),
            };
            return Shown {
                by: Some(by),
                ..plain(worth, key)
            };
        };
        let limit = match side {
            Side::Least => self.range.0,
            Side::Most => self.range.1,
        };
        if worth == limit {
            let worth = Worth::exact(worth).known(side.proof());
            return Shown {
                by: Some("range"),
                ..plain(worth, "plan-range")
            };
        }
        if let Some(why) = self.oracle.argument(self.game, state, self.seat) {
            let says = WORDS.say("plan-argument").with("why", why);
            return Shown {
                says,
                by: Some("argument"),
                ..plain(Worth::exact(worth), "plan-range")
            };
        }
        if depth == 0 {
            let inside = self.size(state, side);
            let says = match inside {
                Some(count) => WORDS.say("plan-further").with("count", grouped(count)),
                None => WORDS.say("plan-far").with("count", grouped(COUNTED as u64)),
            };
            return Shown {
                says,
                by: Some("table"),
                inside,
                ..plain(Worth::exact(worth), "plan-far")
            };
        }
        let (shown, all) = self.needed(state, side);
        let mine = self.game.turn(state) == Turn::Of(self.seat);
        let mut below = Vec::with_capacity(shown.len());
        for mv in &shown {
            below.push(self.child(state, id, mv, side, Below::Depth(depth - 1, worth)));
        }
        self.enough(id, all - shown.len(), side);
        let value = below.iter().copied();
        let value = if mine { value.max() } else { value.min() };
        let value = value.unwrap_or(Worth::exact(worth));
        // Where all is shown and an exact value decides, the claim is more than a bound.
        let exact = all == shown.len() && below.iter().any(|w| w.proved() && *w == value);
        let proof = if exact { Proof::Exact } else { side.proof() };
        plain(value.known(proof), "tree-worth")
    }

    /// The moves that a claim needs at a position, and how many there are: one for the seat that makes
    /// the claim good, all of the other's.
    fn needed(&mut self, state: &G::State, side: Side) -> (Vec<G::Move>, usize) {
        let moves = self.moves(state);
        let all = moves.len();
        let mine = self.game.turn(state) == Turn::Of(self.seat);
        if mine != (side == Side::Least) {
            return (moves, all);
        }
        if let Some(best) = self.oracle.best(self.game, state) {
            return (vec![best], all);
        }
        let sign = if mine { 1 } else { -1 };
        let best = moves.into_iter().max_by_key(|mv| {
            let next = after(self.game, state, mv);
            let worth = self.oracle.worth(self.game, &next, self.seat);
            let own = worth.map_or(i32::MIN, |worth| worth * sign);
            let plies = i64::from(self.oracle.plies(self.game, &next));
            (own, if own > 0 { -plies } else { plies })
        });
        (best.into_iter().collect(), all)
    }

    fn enough(&mut self, id: u64, rest: usize, side: Side) {
        if rest > 0 {
            self.watch.step(|| {
                let key = match side {
                    Side::Least => "plan-enough",
                    Side::Most => "plan-refuted",
                };
                Step::new(Kind::Cut, WORDS.say(key).with("rest", rest))
                    .data("id", id)
                    .data("rest", rest)
                    .data("by", "enough")
            });
        }
    }

    /// The greatest depth at which a claim shows no more positions than its share.
    fn fitting(&mut self, state: &G::State, side: Side, share: usize) -> u32 {
        let mut level = vec![state.clone()];
        let (mut shown, mut depth) = (1, 0);
        while !level.is_empty() {
            let mut next = Vec::new();
            for here in &level {
                if self.leaf(here, side) {
                    continue;
                }
                let (moves, _) = self.needed(here, side);
                next.extend(moves.iter().map(|mv| after(self.game, here, mv)));
                if shown + next.len() > share {
                    return depth;
                }
            }
            shown += next.len();
            depth += 1;
            level = next;
        }
        depth
    }

    /// Whether a claim needs nothing below a position.
    fn leaf(&mut self, state: &G::State, side: Side) -> bool {
        if self.game.turn(state).outcome().is_some() {
            return true;
        }
        let limit = match side {
            Side::Least => self.range.0,
            Side::Most => self.range.1,
        };
        self.oracle
            .worth(self.game, state, self.seat)
            .is_none_or(|worth| worth == limit)
            || self.oracle.argument(self.game, state, self.seat).is_some()
    }

    /// How many positions a claim has below one, where they can be counted.
    fn size(&mut self, state: &G::State, side: Side) -> Option<u64> {
        let key = (state.clone(), side);
        if let Some(&size) = self.sizes.get(&key) {
            return Some(size);
        }
        if self.sizes.len() >= COUNTED {
            return None;
        }
        let mut size: u64 = 0;
        if !self.leaf(state, side) {
            for mv in self.needed(state, side).0 {
                let next = after(self.game, state, &mv);
                size = size
                    .saturating_add(1)
                    .saturating_add(self.size(&next, side)?);
            }
        }
        self.sizes.insert(key, size);
        Some(size)
    }

    fn sum_up(
        &mut self,
        state: &G::State,
        (choice, chosen): (&G::Move, &str),
        known: Worth,
        ranked: &[(G::Move, Option<i32>)],
    ) {
        let same = |worth: &Option<i32>| worth.map(Worth::exact) == Some(known);
        let equal = ranked.iter().filter(|(_, worth)| same(worth)).count();
        let worse = ranked
            .iter()
            .filter(|(mv, worth)| mv != choice && !same(worth))
            .filter_map(|(mv, worth)| Some((mv, (*worth)?)))
            .reduce(|most, other| if other.1 > most.1 { other } else { most });
        let unknown = ranked.iter().filter(|(_, worth)| worth.is_none()).count();
        let last = match worse {
            None if ranked.len() == 1 => WORDS.say("sum-only").with("move", chosen),
            None if unknown > 0 => WORDS.say("plan-rest").with("count", unknown),
            None => WORDS.say("plan-all-equal").with("count", ranked.len()),
            Some((mv, worth)) => {
                let next = after(self.game, state, mv);
                let reply = self.needed(&next, Side::Most).0;
                let says = WORDS.say(if reply.is_empty() {
                    "plan-worse"
                } else {
                    "plan-runner-up"
                });
                let reply = reply
                    .first()
                    .map_or(String::new(), |r| self.label(&next, r));
                says.with("move", self.label(state, mv))
                    .with("value", Worth::exact(worth).to_string())
                    .with("reply", reply)
            }
        };
        self.watch.sum_up(|| {
            Summary::new(Backup::Max)
                .say(
                    WORDS
                        .say(if known.proved() {
                            "plan-done"
                        } else {
                            "plan-part"
                        })
                        .with("count", ranked.len())
                        .with("solved", ranked.len() - unknown),
                )
                .say(
                    WORDS
                        .say(if equal > 1 {
                            "plan-among"
                        } else {
                            "sum-decided"
                        })
                        .with("move", chosen)
                        .with("value", known.to_string())
                        .with("count", equal),
                )
                .say(last)
        });
    }

    fn ranked(&mut self, state: &G::State, moves: &[G::Move]) -> Vec<(G::Move, Option<i32>)> {
        moves
            .iter()
            .map(|mv| {
                let next = after(self.game, state, mv);
                (mv.clone(), self.oracle.worth(self.game, &next, self.seat))
            })
            .collect()
    }

    fn moves(&self, state: &G::State) -> Vec<G::Move> {
        self.game.options(&self.game.view(state, Eyes::All))
    }

    fn label(&self, state: &G::State, mv: &G::Move) -> String {
        self.game.write(state, mv, Eyes::All)
    }
}
