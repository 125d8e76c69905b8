//! Alpha-beta written by hand for nobody to watch: the measure of what being watchable costs.

use wits_game::{Game, Seat, Turn};
use wits_search::tree::Judge;
use wits_search::{Budget, Proof, Worth};

/// The best move, its worth, and how many positions were looked at.
pub fn unwatched<G, J>(
    game: &G,
    state: &G::State,
    judge: &J,
    depth: u32,
    budget: &Budget,
) -> (Option<G::Move>, Worth, u64)
where
    G: Game,
    G: Game<View = <G as Game>::State>,
    J: Judge<G>,
{
    let seat = game.turn(state).seat().expect("a seat is to move");
    let mut twin = Twin {
        game,
        judge,
        budget,
        seat,
        nodes: 1,
    };
    let (mut alpha, mut best) = (Worth::WORST, Vec::new());
    for mv in game.options(state) {
        let mut line = vec![mv.clone()];
        let Some(worth) = twin.child(state, &mv, depth, (alpha, Worth::BEST), &mut line) else {
            break;
        };
        if best.is_empty() || worth > alpha {
            alpha = worth;
            best = line;
        }
    }
    (best.first().cloned(), alpha, twin.nodes)
}

struct Twin<'a, G, J> {
    game: &'a G,
    judge: &'a J,
    budget: &'a Budget,
    seat: Seat,
    nodes: u64,
}

impl<G, J> Twin<'_, G, J>
where
    G: Game,
    G: Game<View = <G as Game>::State>,
    J: Judge<G>,
{
    fn child(
        &mut self,
        from: &G::State,
        mv: &G::Move,
        depth: u32,
        window: (Worth, Worth),
        line: &mut Vec<G::Move>,
    ) -> Option<Worth> {
        if self.budget.spent(self.nodes) {
            return None;
        }
        self.nodes += 1;
        let mut next = from.clone();
        self.game.play(&mut next, mv);
        self.value(&next, depth - 1, window, line)
    }

    fn value(
        &mut self,
        state: &G::State,
        depth: u32,
        (mut alpha, mut beta): (Worth, Worth),
        line: &mut Vec<G::Move>,
    ) -> Option<Worth> {
        let mover = match self.game.turn(state) {
            Turn::Over(outcome) => return Some(Worth::exact(outcome.payoff(self.seat))),
            _ if depth == 0 => return Some(self.judge.judge(self.game, state, self.seat)),
            Turn::Chance => unreachable!("the twin plays games without chance"),
            Turn::Of(mover) => mover,
        };
        let mine = mover == self.seat;
        let start = line.len();
        let mut best: Option<Worth> = None;
        let mut proved = true;
        let mut below = Vec::new();
        let moves = self.game.options(state);
        for mv in &moves {
            below.clear();
            let worth = self.child(state, mv, depth, (alpha, beta), &mut below)?;
            proved &= worth.proved();
            if best.is_none_or(|best| if mine { worth > best } else { worth < best }) {
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
            None => Some(self.judge.judge(self.game, state, self.seat)),
        }
    }
}
