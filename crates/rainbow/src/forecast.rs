//! What is decided before the first move, and why.

use serde::Serialize;
use wits_game::Message;
use wits_search::{Budget, Limits};

use crate::WORDS;
use crate::board::{Board, Paint};
use crate::exact::{ProofSize, Solver};
use crate::numbers::{Method, aw};
use crate::terms::{Side, Terms};

/// How an outcome is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// There are fewer colours than a rainbow needs.
    FewColours,
    /// Maker has so many moves that a fresh colour in each forces a rainbow.
    FreshColours,
    /// The game was solved.
    Solved,
    /// Not known.
    Open,
}

/// What is decided before the first move.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Forecast {
    /// Who wins under perfect play, if that is known.
    pub winner: Option<Side>,
    /// How it is known.
    pub reason: Reason,
    /// The reason as a sentence.
    pub why: Message,
}

/// Says what is decided before the first move. Nothing is claimed that is not proved; the budget bounds
/// the search for a proof.
///
/// - Fewer colours than `k`: Breaker wins.
/// - aw(n, k) is at most the number of Maker's moves, and at most `c`: Maker wins by painting each time in
///   a colour never used, because then the full board has at least aw(n, k) colours. This is sufficient, not
///   necessary.
/// - The board is short enough to solve.
pub fn forecast(terms: &Terms, budget: &Budget) -> Forecast {
    let (n, k, c) = (terms.n(), terms.k(), terms.c());
    if u32::from(c) < k {
        let why = WORDS.say("why-few-colours").with("c", c).with("k", k);
        return Forecast {
            winner: Some(Side::Breaker),
            reason: Reason::FewColours,
            why,
        };
    }
    let moves = terms.moves_of(Side::Maker);
    // aw(n, k) is at least k, so a search is worth while only if that is within reach.
    let budget = budget.within(Limits::nodes(2_000_000));
    let searchable = n <= 26 && k <= moves;
    let known = if searchable || k == 3 {
        aw(n.into(), k.into(), false, &budget).ok()
    } else {
        None
    };
    if let Some(Some(number)) = known.as_ref().map(|known| known.aw)
        && number <= u64::from(moves)
        && number <= u64::from(c)
    {
        let method = known.map_or(Method::Search, |known| known.method);
        let how = if method == Method::Formula {
            "by-formula"
        } else {
            "by-search"
        };
        let why = WORDS
            .say("why-fresh")
            .with("aw", number)
            .with("n", n)
            .with("k", k)
            .with("moves", moves)
            .with("how", WORDS.say(how));
        return Forecast {
            winner: Some(Side::Maker),
            reason: Reason::FreshColours,
            why,
        };
    }
    if let Some(mut solver) = Solver::new(terms)
        && let Some(solved) = solver.solve(&Board::new(*terms), &budget, &mut ())
    {
        let why = WORDS
            .say("why-solved")
            .with("who", solved.winner.name())
            .with("nodes", solved.nodes);
        return Forecast {
            winner: Some(solved.winner),
            reason: Reason::Solved,
            why,
        };
    }
    Forecast {
        winner: None,
        reason: Reason::Open,
        why: WORDS.say("why-open"),
    }
}

/// A solved game: who wins, how, and how large the proof is.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Solution {
    /// What was agreed.
    #[serde(flatten)]
    pub terms: Terms,
    /// Who wins under perfect play; nothing if the budget ended first.
    pub winner: Option<Side>,
    /// A move that wins, written as players do, where the side to move wins.
    #[serde(rename = "move")]
    pub best: Option<String>,
    /// How it is known.
    pub reason: Reason,
    /// Positions looked at.
    pub nodes: u64,
    /// Positions in the table at the end, up to renaming colours and reading backwards.
    pub positions: u64,
    /// The size of the winner's strategy.
    pub proof: Option<ProofSize>,
}

/// Solves a game by search, or says what can be said without.
pub fn solve(terms: &Terms, budget: &Budget) -> Solution {
    let board = Board::new(*terms);
    let mut solution = Solution {
        terms: *terms,
        winner: None,
        best: None,
        reason: Reason::Open,
        nodes: 0,
        positions: 0,
        proof: None,
    };
    if board.winner().is_some() {
        solution.winner = board.winner();
        solution.reason = Reason::FewColours;
        return solution;
    }
    if let Some(mut solver) = Solver::new(terms) {
        let solved = solver.solve(&board, budget, &mut ());
        solution.positions = solver.positions() as u64;
        solution.nodes = solver.nodes();
        if let Some(solved) = solved {
            solution.winner = Some(solved.winner);
            solution.best = solved
                .best
                .map(|Paint { number, colour }| format!("{number}={colour}"));
            solution.reason = Reason::Solved;
            solution.proof = solver.proof(&board, budget);
            return solution;
        }
    }
    let forecast = forecast(terms, budget);
    solution.winner = forecast.winner;
    solution.reason = forecast.reason;
    if forecast.winner == Some(Side::Maker) && terms.first() == Side::Maker {
        // The fresh-colour strategy may begin anywhere.
        solution.best = Some("1=1".to_owned());
    }
    solution
}
