//! Alpha-beta: minimax that does not look at what cannot matter.

use wits_game::{Eyes, Game, Seat, Turn};

use super::ground::{Ground, after, allowed_depth, average, deals};
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
/// # #[path = "../../tests/toys/nim.rs"] mod nim;
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
        let mut alpha = Worth::WORST;
        let mut proved = true;
        for mv in &moves {
            let mut line = vec![mv.clone()];
            let here = Here {
                id: self.nodes,
                parent: 0,
                from: state,
                mv,
            };
            let Some(worth) = self.child(here, depth, (alpha, Worth::BEST), &mut line) else {
                found.complete = false;
                break;
            };
            let best = found.best.is_none() || worth > found.worth;
            self.teller.close(here, worth, best);
            proved &= worth.proved();
            if best {
                self.teller.improve(state, &line, worth);
                found.moves.push((mv.clone(), worth));
                found.best = line.first().cloned();
                found.worth = worth;
                found.line = line;
                alpha = alpha.max(worth);
            } else {
                let proof = if worth.proved() {
                    Proof::AtMost
                } else {
                    Proof::Estimate
                };
                found.moves.push((mv.clone(), worth.known(proof)));
            }
        }
        if found.best.is_none() {
            found.best = moves.first().cloned();
            found.line = moves.into_iter().take(1).collect();
        }
        if !(proved && found.complete) {
            found.worth = found.worth.known(Proof::Estimate);
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
    ) -> Option<Worth> {
        if self.budget.spent(self.nodes) {
            return None;
        }
        self.nodes += 1;
        self.teller.open(here, Some(window));
        let next = after(self.ground.game, here.from, here.mv);
        let worth = self.value(&next, here.id, depth - 1, window, line);
        if worth.is_none() {
            self.teller.stop(here.id);
        }
        worth
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
    ) -> Option<Worth> {
        let mover = match self.ground.game.turn(state) {
            Turn::Over(outcome) => return Some(self.ground.end(&outcome)),
            _ if depth == 0 => return Some(self.ground.horizon(state)),
            Turn::Chance => return self.chance(state, id, depth),
            Turn::Of(mover) => mover,
        };
        let mine = mover == self.ground.seat;
        let moves = self.ground.game.options(state);
        let start = line.len();
        let mut best: Option<Worth> = None;
        let mut proved = true;
        let mut below = Vec::new();
        for (tried, mv) in moves.iter().enumerate() {
            let here = Here {
                id: self.nodes,
                parent: id,
                from: state,
                mv,
            };
            below.clear();
            let worth = self.child(here, depth, (alpha, beta), &mut below)?;
            let better = best.is_none_or(|best| if mine { worth > best } else { worth < best });
            self.teller.close(here, worth, better);
            proved &= worth.proved();
            if better {
                best = Some(worth);
                line.truncate(start);
                line.push(mv.clone());
                line.append(&mut below);
            }
            if mine {
                alpha = alpha.max(worth);
            } else {
                beta = beta.min(worth);
            }
            if alpha >= beta {
                self.teller
                    .cut(id, state, mv, moves.len() - tried - 1, worth);
                break;
            }
        }
        let proof = if proved {
            Proof::Exact
        } else {
            Proof::Estimate
        };
        match best {
            Some(best) => Some(best.known(proof)),
            None => Some(self.ground.horizon(state)),
        }
    }

    /// Kept out of line: most games have no chance, and their searches should not carry it along.
    #[cold]
    #[inline(never)]
    fn chance(&mut self, state: &G::State, id: u64, depth: u32) -> Option<Worth> {
        let mut dealt = Vec::new();
        for (mv, times) in deals(self.ground.game, state) {
            let here = Here {
                id: self.nodes,
                parent: id,
                from: state,
                mv: &mv,
            };
            let open = (Worth::WORST, Worth::BEST);
            let worth = self.child(here, depth, open, &mut Vec::new())?;
            self.teller.close(here, worth, false);
            dealt.push((worth, times));
        }
        Some(average(&dealt))
    }
}
