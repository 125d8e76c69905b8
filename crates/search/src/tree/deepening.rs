//! Deepening: alpha-beta again and again, one ply deeper each time, with a memory.

use wits_game::{Eyes, Game, Seat, Turn};

use super::ground::{Gather, Ground, Value, after, allowed_depth, average, deals};
use super::table::{Bound, Entry, Table};
use super::teller::{Here, Teller};
use super::{Found, Judge};
use crate::{Budget, Proof, Watch, Worth};

/// How promising a move looks before it is searched; the greatest is searched first.
///
/// It changes how much is cut, never what is found.
pub type Order<'a, G> = &'a (dyn Fn(&G, &<G as Game>::State, &<G as Game>::Move) -> i64 + Sync);

/// What [`deepening`] can be told.
pub struct DeepeningOptions<'a, G: Game> {
    /// The last depth, in plies.
    pub max_depth: u32,
    /// The table of known positions has two to this power of places; zero is no table.
    pub table_bits: u32,
    /// How far from the last depth's worth the next one is expected, in its unit; none to search with
    /// an open window.
    pub aspiration: Option<f64>,
    /// Which moves to look at first; none for the game's order.
    pub order: Option<Order<'a, G>>,
}

impl<G: Game> Default for DeepeningOptions<'_, G> {
    fn default() -> Self {
        DeepeningOptions {
            max_depth: 64,
            table_bits: 16,
            aspiration: None,
            order: None,
        }
    }
}

/// Searches to depth one, two, three … until the depth or the budget ends, and has an answer at any time.
///
/// Source: iterative deepening, Slate and Atkin (1977, the program Chess 4.5); the table of
/// transpositions, Greenblatt (1967); the aspiration window, Brudno (1963) and Slate and Atkin.
///
/// `tell` hears what was found after each depth. The worth is that of [`minimax`](super::minimax()) at the same depth, and
/// the move is one of minimax's best moves (which of several equal ones depends on the order). It ends early when the
/// worth is proved: deeper searches would find the same.
///
/// # Invariant
/// What the table says is used only for a search to the same depth, or where it is proved; so every
/// worth is one that minimax would have found.
///
/// # Complexity
/// Like alpha-beta at the last depth, mostly less because good moves come first; memory for
/// `2^table_bits` positions.
///
/// # Example
/// ```
/// # #[path = "../../tests/all/toys/nim.rs"] mod nim;
/// use wits_game::Game;
/// use wits_search::{Budget, Limits, tree::{DeepeningOptions, Payoffs, deepening}};
/// let nim = nim::Nim::new(&[7, 5, 3], 7);
/// let mut depths = Vec::new();
/// let found = deepening(
///     &nim, &nim.start(), &Payoffs, &DeepeningOptions::default(),
///     &Budget::start(Limits::nodes(200_000)),
///     &mut |so_far| depths.push(so_far.depth), &mut (),
/// );
/// assert!(found.worth.proved() && found.complete);
/// assert_eq!(depths.first(), Some(&1));
/// ```
pub fn deepening<G, J, W>(
    game: &G,
    state: &G::State,
    judge: &J,
    options: &DeepeningOptions<'_, G>,
    budget: &Budget,
    tell: &mut dyn FnMut(&Found<G::Move>),
    watch: &mut W,
) -> Found<G::Move>
where
    G: Game,
    G: Game<View = <G as Game>::State>,
    J: Judge<G> + ?Sized,
    W: Watch,
{
    let turn = game.turn(state);
    let seat = turn.seat().unwrap_or(Seat::FIRST);
    let mut search = Deepening {
        ground: Ground { game, judge, seat },
        order: options.order,
        table: Table::new(options.table_bits),
        budget,
        nodes: 1,
        ids: 1,
        teller: Teller {
            game,
            watch,
            seat,
            eyes: Eyes::All,
        },
    };
    search.teller.root();
    let moves = game.options(state);
    let found = if let Turn::Over(outcome) = &turn {
        Found::nothing(search.ground.end(outcome))
    } else if moves.is_empty() {
        Found::nothing(search.ground.horizon(state))
    } else {
        let last = allowed_depth(options.max_depth, budget);
        search.deepen(state, &moves, last, options.aspiration, tell)
    };
    search.teller.choose(state, &found);
    found
}

struct Deepening<'a, G: Game, J: ?Sized, W> {
    ground: Ground<'a, G, J>,
    order: Option<Order<'a, G>>,
    table: Table<G::State>,
    budget: &'a Budget,
    nodes: u64,
    /// Numbers for the nodes of the thread; rounds have theirs, too.
    ids: u64,
    teller: Teller<'a, G, W>,
}

type Window = (Worth, Worth);

const OPEN: Window = (Worth::WORST, Worth::BEST);

impl<G, J, W> Deepening<'_, G, J, W>
where
    G: Game,
    G: Game<View = <G as Game>::State>,
    J: Judge<G> + ?Sized,
    W: Watch,
{
    fn deepen(
        &mut self,
        state: &G::State,
        moves: &[G::Move],
        last: u32,
        aspiration: Option<f64>,
        tell: &mut dyn FnMut(&Found<G::Move>),
    ) -> Found<G::Move> {
        let mut order: Vec<usize> = self.ordered(state, moves, None);
        let first = moves.get(order[0]).cloned();
        let mut found = Found {
            line: first.iter().cloned().collect(),
            best: first,
            complete: false,
            ..Found::nothing(self.ground.horizon(state).known(Proof::Estimate))
        };
        for depth in 1..=last {
            let mut window = match aspiration {
                Some(width) if depth > 1 => around(found.worth, width),
                _ => OPEN,
            };
            let round = loop {
                let round = self.round(state, moves, &order, depth, window);
                match round.worth().map(|value| value.worth) {
                    Some(low) if round.done && low <= window.0 && window.0 > OPEN.0 => {
                        window.0 = OPEN.0;
                    }
                    Some(high) if round.done && high >= window.1 && window.1 < OPEN.1 => {
                        window.1 = OPEN.1;
                    }
                    _ => break round,
                }
            };
            if !round.done {
                // Depth one is all that is known if it was interrupted; else the last whole depth counts.
                if depth == 1 && round.best.is_some() {
                    self.take(&mut found, state, moves, depth, round);
                }
                found.complete = false;
                found.nodes = self.nodes;
                return found;
            }
            let best = round.best.as_ref().map(|(index, _)| *index);
            self.take(&mut found, state, moves, depth, round);
            order = self.ordered(state, moves, best);
            found.complete = depth == last || found.worth.proved();
            tell(&found);
            if found.complete {
                break;
            }
        }
        found
    }

    /// Moves what a round found into the answer.
    fn take(
        &mut self,
        found: &mut Found<G::Move>,
        state: &G::State,
        moves: &[G::Move],
        depth: u32,
        round: Round<G::Move>,
    ) {
        let Some((best, worth)) = round.best else {
            return;
        };
        found.best = moves.get(best).cloned();
        found.worth = worth.sure();
        found.line = round.line;
        self.prolong(state, &mut found.line, depth);
        found.moves = round
            .moves
            .into_iter()
            .enumerate()
            .filter_map(|(i, worth)| Some((moves[i].clone(), worth?)))
            .collect();
        found.nodes = self.nodes;
        found.depth = depth;
        self.teller.improve(state, &found.line, found.worth);
        self.teller.count(self.nodes, None);
    }

    /// One search of the root to one depth.
    fn round(
        &mut self,
        state: &G::State,
        moves: &[G::Move],
        order: &[usize],
        depth: u32,
        window: Window,
    ) -> Round<G::Move> {
        let id = self.ids;
        self.ids += 1;
        self.teller.round(id, depth, window);
        let (mut alpha, beta) = window;
        let mut round = Round {
            best: None,
            line: Vec::new(),
            moves: vec![None; moves.len()],
            done: true,
        };
        let mut all = Gather::new(true);
        let mut skipped = 0;
        for (tried, &index) in order.iter().enumerate() {
            let mv = &moves[index];
            let mut line = vec![mv.clone()];
            let here = Here {
                id: self.ids,
                parent: id,
                from: state,
                mv,
            };
            let Some(value) = self.child(here, depth, (alpha, beta), &mut line) else {
                round.done = false;
                let opened = self.ids > here.id;
                self.teller
                    .unseen(id, moves.len() - tried - usize::from(opened));
                break;
            };
            let best = all.add(value);
            self.teller.close(here, value, best);
            round.moves[index] = Some(value.told());
            if best {
                round.best = Some((index, value));
                round.line = line;
            }
            alpha = alpha.max(value.worth);
            if alpha >= beta {
                skipped = moves.len() - tried - 1;
                self.teller.cut(id, state, mv, skipped, value.worth);
                break;
            }
        }
        if let Some((_, value)) = &mut round.best
            && let Some(gathered) = all.value(skipped > 0)
        {
            *value = gathered;
            value.ends &= round.done;
        }
        let settled = round.worth().is_some_and(|Value { worth: w, .. }| {
            (w > window.0 || window.0 == OPEN.0) && (w < window.1 || window.1 == OPEN.1)
        });
        let told = if round.done { round.worth() } else { None };
        self.teller.round_done(id, depth, told, settled);
        round
    }

    /// Opens a child and finds its worth; `None` when the budget has ended.
    fn child(
        &mut self,
        here: Here<'_, G>,
        depth: u32,
        window: Window,
        line: &mut Vec<G::Move>,
    ) -> Option<Value> {
        if self.budget.spent(self.nodes) {
            return None;
        }
        self.nodes += 1;
        self.ids += 1;
        self.teller.open(here, Some(window));
        let next = after(self.ground.game, here.from, here.mv);
        let value = self.value(&next, here.id, depth - 1, window, line);
        if value.is_none() {
            self.teller.stop(here.id);
        }
        value
    }

    /// As in alpha-beta, but asking the table first and telling it afterwards.
    fn value(
        &mut self,
        state: &G::State,
        id: u64,
        depth: u32,
        window: Window,
        line: &mut Vec<G::Move>,
    ) -> Option<Value> {
        let mover = match self.ground.game.turn(state) {
            Turn::Over(outcome) => return Some(Value::of(self.ground.end(&outcome))),
            _ if depth == 0 => return Some(Value::of(self.ground.horizon(state))),
            Turn::Chance => return self.chance(state, id, depth),
            Turn::Of(mover) => mover,
        };
        let moves = self.ground.game.options(state);
        let mut first = None;
        if let Some(known) = self.table.find(state) {
            first = Some(known.best as usize);
            if known.answers(depth, window) {
                line.extend(moves.get(known.best as usize).cloned());
                return Some(Value {
                    table: true,
                    ..known.value
                });
            }
        }
        let mine = mover == self.ground.seat;
        let (mut alpha, mut beta) = window;
        let start = line.len();
        let mut best = 0;
        let mut all = Gather::new(mine);
        let mut skipped = 0;
        let mut below = Vec::new();
        let order = self.ordered(state, &moves, first);
        for (tried, &index) in order.iter().enumerate() {
            let mv = &moves[index];
            let here = Here {
                id: self.ids,
                parent: id,
                from: state,
                mv,
            };
            below.clear();
            let value = self.child(here, depth, (alpha, beta), &mut below)?;
            let better = all.add(value);
            self.teller.close(here, value, better);
            if better {
                best = index;
                line.truncate(start);
                line.push(mv.clone());
                line.append(&mut below);
            }
            if mine {
                alpha = alpha.max(value.worth);
            } else {
                beta = beta.min(value.worth);
            }
            if alpha >= beta {
                skipped = moves.len() - tried - 1;
                self.teller.cut(id, state, mv, skipped, value.worth);
                break;
            }
        }
        let Some(value) = all.value(skipped > 0) else {
            return Some(Value::of(self.ground.horizon(state)));
        };
        self.table.keep(Entry {
            state: state.clone(),
            depth,
            value,
            bound: if value.worth <= window.0 {
                Bound::AtMost
            } else if value.worth >= window.1 {
                Bound::AtLeast
            } else {
                Bound::Exact
            },
            best: best as u32,
        });
        Some(value)
    }

    fn chance(&mut self, state: &G::State, id: u64, depth: u32) -> Option<Value> {
        let mut dealt = Vec::new();
        for (mv, times) in deals(self.ground.game, state) {
            let here = Here {
                id: self.ids,
                parent: id,
                from: state,
                mv: &mv,
            };
            let value = self.child(here, depth, OPEN, &mut Vec::new())?;
            self.teller.close(here, value, false);
            dealt.push((value.worth, times));
        }
        Some(Value::of(average(&dealt)))
    }

    /// The places of the moves in the order in which to search them: first what was best before,
    /// then what the hook likes.
    fn ordered(&self, state: &G::State, moves: &[G::Move], first: Option<usize>) -> Vec<usize> {
        let mut order: Vec<usize> = (0..moves.len()).collect();
        if let Some(liking) = self.order {
            order.sort_by_cached_key(|&i| -i128::from(liking(self.ground.game, state, &moves[i])));
        }
        if let Some(place) = first.and_then(|first| order.iter().position(|&i| i == first)) {
            order[..=place].rotate_right(1);
        }
        order
    }

    /// A line that ended at a known position goes on with what the table knows.
    fn prolong(&self, root: &G::State, line: &mut Vec<G::Move>, depth: u32) {
        let mut state = root.clone();
        for mv in line.iter() {
            self.ground.game.play(&mut state, mv);
        }
        while (line.len() as u32) < depth
            && let Some(known) = self.table.find(&state)
            && known.bound == Bound::Exact
            && let Some(mv) = self.ground.game.options(&state).get(known.best as usize)
        {
            self.ground.game.play(&mut state, mv);
            line.push(mv.clone());
        }
    }
}

/// What one search of the root found.
struct Round<M> {
    best: Option<(usize, Value)>,
    line: Vec<M>,
    moves: Vec<Option<Worth>>,
    done: bool,
}

impl<M> Round<M> {
    fn worth(&self) -> Option<Value> {
        self.best.map(|(_, value)| value)
    }
}

/// A window around a worth. Where the worth is infinite it cannot hold it, and the search is done again.
fn around(worth: Worth, width: f64) -> Window {
    let width = width.abs();
    (
        Worth::heuristic(worth.number() - width),
        Worth::heuristic(worth.number() + width),
    )
}
