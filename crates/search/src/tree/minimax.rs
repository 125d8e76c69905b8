//! Minimax: look at everything.

use wits_game::{Eyes, Game, Seat, Turn};

use super::ground::{Ground, Value, after, allowed_depth, average, deals};
use super::teller::{Here, Teller};
use super::{Found, Judge};
use crate::{Budget, Proof, Watch, Worth};

/// What a position is worth for each seat.
type Worths = [Worth; Seat::MOST as usize];

/// Looks at every line of play to a depth and picks the move that is best against best play.
///
/// Source: the minimax theorem is John von Neumann's (1928); the search of a tree of moves with a
/// horizon and a judge is Claude Shannon's (1950). With one seat, or more than two, every seat
/// takes what is best for itself (max^n, Luckhardt and Irani 1986). With two seats one's gain is the
/// other's loss.
///
/// Ties go to the first of the best moves in the game's order.
///
/// # Invariant
/// The worth of a node is the worth of its best child for the seat that moves there, or the payoff
/// where the game is over, or what the judge says at the horizon. It is proved only where every line below it
/// was followed to the end.
///
/// # Complexity
/// With `b` moves at each position and depth `d`: `b^d` positions, memory for `d` of them.
///
/// # Example
/// ```
/// # #[path = "../../tests/all/toys/nim.rs"] mod nim;
/// use wits_game::Game;
/// use wits_search::{Budget, tree::{Payoffs, minimax}};
/// // Nim with one heap of five: take one to three, who takes the last wins. Leave four!
/// let nim = nim::Nim::new(&[5], 3);
/// let found = minimax(&nim, &nim.start(), &Payoffs, 9, &Budget::endless(), &mut ());
/// assert_eq!(found.best, Some(nim::Take { heap: 0, count: 1 }));
/// assert!(found.worth.proved() && found.worth.number() == 1.0);
/// ```
pub fn minimax<G, J, W>(
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
    let mut search = Minimax {
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

struct Minimax<'a, G: Game, J: ?Sized, W> {
    ground: Ground<'a, G, J>,
    budget: &'a Budget,
    nodes: u64,
    teller: Teller<'a, G, W>,
}

impl<G, J, W> Minimax<'_, G, J, W>
where
    G: Game,
    G: Game<View = <G as Game>::State>,
    J: Judge<G> + ?Sized,
    W: Watch,
{
    fn root(&mut self, state: &G::State, turn: &Turn, depth: u32) -> Found<G::Move> {
        let seat = self.ground.seat;
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
        let mut proved = true;
        for (tried, mv) in moves.iter().enumerate() {
            let id = self.nodes;
            let mut line = vec![mv.clone()];
            let here = Here {
                id,
                parent: 0,
                from: state,
                mv,
            };
            let Some(worths) = self.child(here, depth, &mut line) else {
                found.complete = false;
                let opened = self.nodes > id;
                self.teller
                    .unseen(0, moves.len() - tried - usize::from(opened));
                break;
            };
            let worth = worths[seat.index()];
            let best = found.best.is_none() || worth > found.worth;
            self.teller.close(here, Value::of(worth), best);
            self.teller.watch.root(tried, worth);
            proved &= worth.proved();
            found.moves.push((mv.clone(), worth));
            if best {
                self.teller.improve(state, &line, worth);
                found.best = line.first().cloned();
                found.worth = worth;
                found.line = line;
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
    fn child(&mut self, here: Here<'_, G>, depth: u32, line: &mut Vec<G::Move>) -> Option<Worths> {
        if self.budget.spent(self.nodes) {
            return None;
        }
        self.nodes += 1;
        self.teller.open(here, None);
        let next = after(self.ground.game, here.from, here.mv);
        let worths = self.value(&next, here.id, depth - 1, line);
        if worths.is_none() {
            self.teller.stop(here.id);
        }
        worths
    }

    /// What a position is worth for every seat. The expected moves are added to `line`.
    fn value(
        &mut self,
        state: &G::State,
        id: u64,
        depth: u32,
        line: &mut Vec<G::Move>,
    ) -> Option<Worths> {
        match self.ground.game.turn(state) {
            Turn::Over(outcome) => Some(self.everybody(|seat| Worth::exact(outcome.payoff(seat)))),
            _ if depth == 0 => Some(self.judged(state)),
            Turn::Chance => self.chance(state, id, depth),
            Turn::Of(mover) => {
                let moves = self.ground.game.options(state);
                if moves.is_empty() {
                    return Some(self.judged(state));
                }
                self.mover(state, id, depth, (mover, &moves), line)
            }
        }
    }

    fn mover(
        &mut self,
        state: &G::State,
        id: u64,
        depth: u32,
        (mover, moves): (Seat, &[G::Move]),
        line: &mut Vec<G::Move>,
    ) -> Option<Worths> {
        let mut best: Option<Worths> = None;
        let mut proved = true;
        let start = line.len();
        for mv in moves {
            let here = Here {
                id: self.nodes,
                parent: id,
                from: state,
                mv,
            };
            let mut below = Vec::new();
            let worths = self.child(here, depth, &mut below)?;
            let better = best.is_none_or(|best| worths[mover.index()] > best[mover.index()]);
            let value = Value::of(worths[self.ground.seat.index()]);
            self.teller.close(here, value, better);
            proved &= worths.iter().take(self.seats()).all(|worth| worth.proved());
            if better {
                best = Some(worths);
                line.truncate(start);
                line.push(mv.clone());
                line.append(&mut below);
            }
        }
        let proof = if proved {
            Proof::Exact
        } else {
            Proof::Estimate
        };
        best.map(|worths| worths.map(|worth| worth.known(proof)))
    }

    fn chance(&mut self, state: &G::State, id: u64, depth: u32) -> Option<Worths> {
        let mut dealt = Vec::new();
        for (mv, times) in deals(self.ground.game, state) {
            let here = Here {
                id: self.nodes,
                parent: id,
                from: state,
                mv: &mv,
            };
            let worths = self.child(here, depth, &mut Vec::new())?;
            let value = Value::of(worths[self.ground.seat.index()]);
            self.teller.close(here, value, false);
            dealt.push((worths, times));
        }
        Some(std::array::from_fn(|i| {
            let one: Vec<(Worth, u32)> = dealt.iter().map(|(w, times)| (w[i], *times)).collect();
            average(&one)
        }))
    }

    fn seats(&self) -> usize {
        usize::from(self.ground.game.seats())
    }

    fn judged(&self, state: &G::State) -> Worths {
        self.everybody(|seat| self.ground.judge.judge(self.ground.game, state, seat))
    }

    /// A worth for every seat. With two seats only the searching seat is asked, and the other has the opposite.
    fn everybody(&self, worth: impl Fn(Seat) -> Worth) -> Worths {
        let mut all = [Worth::heuristic(0.0); Seat::MOST as usize];
        if self.ground.game.seats() == 2 {
            let seat = self.ground.seat;
            let mine = worth(seat);
            all[seat.index()] = mine;
            all[seat.other().index()] = -mine;
        } else {
            for seat in Seat::all(self.ground.game.seats()) {
                all[seat.index()] = worth(seat);
            }
        }
        all
    }
}
