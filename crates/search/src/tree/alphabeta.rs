//! Alpha-beta: minimax that does not look at what cannot matter.

use wits_game::{Eyes, Game, Seat, Turn};

use super::ground::{Gather, Ground, Value, after, allowed_depth, average, deals};
use super::teller::{Here, Teller};
use super::{Found, Judge};
use crate::{Budget, Proof, Watch, Worth};

/// Finds minimax's value and move, and skips what cannot change them.
///
/// Source: known to several people in the fifties (Samuel and others); analysed by Knuth and Moore
/// (1975). This is the fail-soft form (Fishburn 1983): a value outside the window is still a true bound.
///
/// The root value and the chosen move are exactly those of [`minimax`](super::minimax()), ties
/// included, for games of one seat and of two seats against each other. With more than two seats
/// the searching seat expects all others to be against it (the "paranoid" search, Sturtevant and Korf 2000),
/// which is not max^n. Below a chance node the window is opened again, so averages are exact.
///
/// # Invariant
/// `alpha` is what the searching seat has already made sure of elsewhere, `beta` what the others
/// have; a position whose worth is not between them will not be reached, so only a bound of it is needed.
///
/// # Complexity
/// With `b` moves and depth `d`: between `b^(d/2)` positions (best moves first) and `b^d`; memory for `d`.
///
/// # Example
/// ```
/// # #[path = "../../tests/all/toys/nim.rs"] mod nim;
/// use wits_game::Game;
/// use wits_search::{Budget, tree::{Payoffs, alphabeta, minimax}};
/// let nim = nim::Nim::new(&[3, 2], 3);
/// let all = minimax(&nim, &nim.start(), &Payoffs, 9, &Budget::endless(), &mut ());
/// let some = alphabeta(&nim, &nim.start(), &Payoffs, 9, &Budget::endless(), &mut ());
/// assert_eq!((some.best, some.worth), (all.best, all.worth));
/// assert!(some.nodes < all.nodes);
/// ```
pub fn alphabeta<G, J, W>(
    game: &G,
    state: &G::State,
    judge: &J,
    depth: u32,
    budget: &Budget,
    watch: &mut W,
) -> Found<G::Move>
where
    G: Game,
    G: Game<View = <G as Game>::State>,
    J: Judge<G> + ?Sized,
    W: Watch,
{
    let depth = allowed_depth(depth, budget);
    let turn = game.turn(state);
    let seat = turn.seat().unwrap_or(Seat::FIRST);
    let mut search = AlphaBeta {
        ground: Ground { game, judge, seat },
        budget,
        nodes: 0,
        teller: Teller {
            game,
            watch,
            seat,
            eyes: Eyes::All,
        },
    };
    search.teller.root();
    let found = search.root(state, &turn, depth);
    search.teller.choose(state, &found);
    found
}

struct AlphaBeta<'a, G: Game, J: ?Sized, W> {
    ground: Ground<'a, G, J>,
    budget: &'a Budget,
    nodes: u64,
    teller: Teller<'a, G, W>,
}

impl<G, J, W> AlphaBeta<'_, G, J, W>
where
    G: Game,
    G: Game<View = <G as Game>::State>,
    J: Judge<G> + ?Sized,
    W: Watch,
{
    fn root(&mut self, state: &G::State, turn: &Turn, depth: u32) -> Found<G::Move> {
        if let Turn::Over(outcome) = turn {
            return Found::nothing(self.ground.end(outcome));
        }
        let mut found = Found::nothing(self.ground.horizon(state));
        let moves = self.ground.game.options(state);
        if moves.is_empty() {
            return found;
        }
        found.depth = depth;
        self.nodes = 1;
        let mut all = Gather::new(true);
        for (tried, mv) in moves.iter().enumerate() {
            let mut line = vec![mv.clone()];
            let here = Here {
                id: self.nodes,
                parent: 0,
                from: state,
                mv,
            };
            let alpha = all.best.unwrap_or(Worth::WORST);
            let Some(value) = self.child(here, depth, (alpha, Worth::BEST), &mut line) else {
                found.complete = false;
                let opened = self.nodes > here.id;
                self.teller
                    .unseen(0, moves.len() - tried - usize::from(opened));
                break;
            };
            let best = all.add(value);
            self.teller.close(here, value, best);
            self.teller.watch.root(tried, value.told());
            found.moves.push((mv.clone(), value.told()));
            if best {
                self.teller.improve(state, &line, value.told());
                found.best = line.first().cloned();
                found.worth = value.worth;
                found.line = line;
            }
        }
        if found.best.is_none() {
            found.best = moves.first().cloned();
            found.line = moves.into_iter().take(1).collect();
        }
        if let Some(value) = all.value(false) {
            found.worth = if found.complete {
                value.sure()
            } else {
                value.worth.known(Proof::Estimate)
            };
        }
        found.nodes = self.nodes;
        found
    }

    /// Opens a child and finds its worth; `None` when the budget has ended.
    fn child(
        &mut self,
        here: Here<'_, G>,
        depth: u32,
        window: (Worth, Worth),
        line: &mut Vec<G::Move>,
    ) -> Option<Value> {
        if self.budget.spent(self.nodes) {
            return None;
        }
        self.nodes += 1;
        self.teller.open(here, Some(window));
        let next = after(self.ground.game, here.from, here.mv);
        let value = self.value(&next, here.id, depth - 1, window, line);
        if value.is_none() {
            self.teller.stop(here.id);
        }
        value
    }

    /// What a position is worth for the searching seat, exactly where that is inside the window,
    /// else a bound on the side where it lies.
    fn value(
        &mut self,
        state: &G::State,
        id: u64,
        depth: u32,
        (mut alpha, mut beta): (Worth, Worth),
        line: &mut Vec<G::Move>,
    ) -> Option<Value> {
        let mover = match self.ground.game.turn(state) {
            Turn::Over(outcome) => return Some(Value::of(self.ground.end(&outcome))),
            _ if depth == 0 => return Some(Value::of(self.ground.horizon(state))),
            Turn::Chance => return self.chance(state, id, depth),
            Turn::Of(mover) => mover,
        };
        let mine = mover == self.ground.seat;
        let moves = self.ground.game.options(state);
        let start = line.len();
        let mut all = Gather::new(mine);
        let mut skipped = 0;
        let mut below = Vec::new();
        for (tried, mv) in moves.iter().enumerate() {
            let here = Here {
                id: self.nodes,
                parent: id,
                from: state,
                mv,
            };
            below.clear();
            let value = self.child(here, depth, (alpha, beta), &mut below)?;
            let better = all.add(value);
            self.teller.close(here, value, better);
            if better {
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
        let judged = || Value::of(self.ground.horizon(state));
        Some(all.value(skipped > 0).unwrap_or_else(judged))
    }

    /// Kept out of line: most games have no chance, and their searches should not carry it along.
    #[cold]
    #[inline(never)]
    fn chance(&mut self, state: &G::State, id: u64, depth: u32) -> Option<Value> {
        let mut dealt = Vec::new();
        for (mv, times) in deals(self.ground.game, state) {
            let here = Here {
                id: self.nodes,
                parent: id,
                from: state,
                mv: &mv,
            };
            let open = (Worth::WORST, Worth::BEST);
            let value = self.child(here, depth, open, &mut Vec::new())?;
            self.teller.close(here, value, false);
            dealt.push((value.worth, times));
        }
        Some(Value::of(average(&dealt)))
    }
}
