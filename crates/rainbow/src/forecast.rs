//! What is decided before the first move, and why.

use serde::Serialize;
use wits_game::Message;
use wits_search::{Budget, Limits};

use crate::WORDS;
use crate::board::{Board, Paint};
use crate::exact::{ProofSize, Solver};
use crate::numbers::{MOST_SEARCHED, Method, aw};
use crate::pairing::{self, Pairing};
use crate::passes::{Outcome, maker_wins};
use crate::potential::{Potential, potential};
use crate::terms::{Side, Terms};

/// How an outcome is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// There are fewer colours than a rainbow needs.
    FewColours,
    /// Maker has so many moves that a fresh colour in each forces a rainbow.
    FreshColours,
    /// Every progression contains a pair of partners, and Breaker answers on the partner.
    Pairing,
    /// One colour is enough for Breaker by the sum of Erdős and Selfridge.
    Potential,
    /// Maker wins on a shorter board even if Breaker may pass.
    Passes,
    /// The game was solved.
    Solved,
    /// Not known.
    Open,
}

/// What decided a game, as scripts read it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum By {
    /// A search of the game.
    Search,
    /// A pairing strategy.
    Pairing,
    /// The potential argument.
    Potential,
    /// A count of colours.
    Colours,
}

impl std::fmt::Display for By {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            By::Search => "search",
            By::Pairing => "pairing",
            By::Potential => "potential",
            By::Colours => "colours",
        })
    }
}

impl Reason {
    /// What decided, if anything did.
    pub fn by(self) -> Option<By> {
        match self {
            Reason::FewColours | Reason::FreshColours => Some(By::Colours),
            Reason::Pairing => Some(By::Pairing),
            Reason::Potential => Some(By::Potential),
            Reason::Passes | Reason::Solved => Some(By::Search),
            Reason::Open => None,
        }
    }
}

/// An argument that wins for Breaker without a search of the game.
#[derive(Clone, PartialEq, Debug)]
pub enum Argument {
    /// Partners for all numbers.
    Pairing(Pairing),
    /// A sum that is small enough.
    Potential(Potential),
}

/// Positions of the search for a pairing: fractions of a second.
const PAIRING_NODES: u64 = 100_000;

impl Argument {
    /// The argument that decides a game for Breaker, if one does. The sum is tried first: it costs nothing.
    pub fn find(terms: &Terms, budget: &Budget) -> Option<Argument> {
        if u32::from(terms.c()) < terms.k() {
            return None;
        }
        let sum = potential(terms);
        if sum.decides && terms.n() > pairing::MOST_NUMBERS {
            return Some(Argument::Potential(sum));
        }
        let budget = budget.within(Limits::nodes(PAIRING_NODES));
        pairing::decisive(terms, &budget)
            .map(Argument::Pairing)
            .or(sum.decides.then_some(Argument::Potential(sum)))
    }

    /// Its name.
    pub fn by(&self) -> By {
        match self {
            Argument::Pairing(_) => By::Pairing,
            Argument::Potential(_) => By::Potential,
        }
    }

    /// Breaker's first move by it, if Breaker begins.
    fn opening(&self, board: &Board) -> Option<Paint> {
        match self {
            Argument::Pairing(pairing) => pairing.answer(board).map(|answer| answer.paint),
            Argument::Potential(_) => crate::potential::answer(board).map(|(paint, _)| paint),
        }
    }

    fn forecast(&self, terms: &Terms) -> Forecast {
        let (reason, why) = match self {
            Argument::Pairing(pairing) => {
                let partners = |&(a, b): &(u32, u32)| format!("{a}-{b}");
                let pairs: Vec<String> = pairing.pairs.iter().map(partners).collect();
                let key = if pairing.spare.is_some() {
                    "why-pairing-spare"
                } else {
                    "why-pairing"
                };
                let why = WORDS
                    .say(key)
                    .with("k", terms.k())
                    .with("spare", pairing.spare.unwrap_or(0))
                    .with("pairs", pairs.join(" "));
                (Reason::Pairing, why)
            }
            Argument::Potential(sum) => {
                let why = WORDS
                    .say("why-potential")
                    .with("progressions", sum.progressions)
                    .with("halves", sum.halves)
                    .with("numerator", sum.numerator)
                    .with("power", sum.power)
                    .with("sum", format!("{:.4}", sum.sum))
                    .with("bound", sum.bound);
                (Reason::Potential, why)
            }
        };
        Forecast {
            winner: Some(Side::Breaker),
            reason,
            why,
        }
    }
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
/// - A pairing or the potential decides for Breaker ([`Argument`]).
/// - The board is short enough to solve.
/// - Maker wins on a shorter board even if Breaker may pass ([`crate::passes`]).
pub fn forecast(terms: &Terms, budget: &Budget) -> Forecast {
    decided(terms, true, budget)
}

/// What is decided before the first move, with a search of the game or by arguments alone.
fn decided(terms: &Terms, search: bool, budget: &Budget) -> Forecast {
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
    // Beyond that only for four does aw(n, k) fall behind the number of moves.
    let searchable = k <= moves && (n <= 26 || (k == 4 && n <= MOST_SEARCHED));
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
    if let Some(argument) = Argument::find(terms, &budget) {
        return argument.forecast(terms);
    }
    if search
        && let Some(mut solver) = Solver::new(terms)
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
    if let Some(outcome) = passing(terms, &budget) {
        let why = WORDS
            .say("why-passes")
            .with("board", outcome.n)
            .with("k", k)
            .with("colours", outcome.colours.unwrap_or(0));
        return Forecast {
            winner: Some(Side::Maker),
            reason: Reason::Passes,
            why,
        };
    }
    Forecast {
        winner: None,
        reason: Reason::Open,
        why: WORDS.say("why-open"),
    }
}

/// A shorter board that decides this one for Maker, with no more colours than there are.
fn passing(terms: &Terms, budget: &Budget) -> Option<Outcome> {
    let found = maker_wins(terms.n(), terms.k(), budget)?;
    found
        .colours
        .is_some_and(|colours| colours <= terms.c().into())
        .then_some(found)
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
    /// What decided: `search`, `pairing`, `potential` or `colours`.
    pub by: Option<By>,
    /// The pairing, where one decides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pairing: Option<Pairing>,
    /// The sum, where it decides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub potential: Option<Potential>,
    /// Positions looked at.
    pub nodes: u64,
    /// Positions in the table at the end, up to renaming colours and reading backwards.
    pub positions: u64,
    /// The size of the winner's strategy.
    pub proof: Option<ProofSize>,
}

/// Boards up to here are searched even where an argument decides them.
pub(crate) const SHORT: u32 = 18;

/// How a game is solved by search.
#[derive(Clone, Copy, Debug)]
pub struct SolveOptions {
    /// How many threads.
    pub threads: usize,
    /// The most positions to remember; the search ends when they are full.
    pub positions: usize,
    /// Search even where an argument decides.
    pub search: bool,
}

impl Default for SolveOptions {
    fn default() -> SolveOptions {
        SolveOptions {
            threads: 1,
            positions: Solver::MOST_POSITIONS,
            search: false,
        }
    }
}

/// Solves a game by search, or says what can be said without.
pub fn solve(terms: &Terms, budget: &Budget) -> Solution {
    let board = Board::new(*terms);
    let mut solver = Solver::new(terms).filter(|_| board.winner().is_none());
    solve_with(terms, solver.as_mut(), &SolveOptions::default(), budget)
}

/// Solves a game with a solver that the caller made, perhaps with a larger table or one that was kept; without one by
/// arguments alone.
pub fn solve_with(
    terms: &Terms,
    solver: Option<&mut Solver>,
    options: &SolveOptions,
    budget: &Budget,
) -> Solution {
    let board = Board::new(*terms);
    let mut solution = Solution {
        terms: *terms,
        winner: None,
        best: None,
        reason: Reason::Open,
        by: None,
        pairing: None,
        potential: None,
        nodes: 0,
        positions: 0,
        proof: None,
    };
    if board.winner().is_some() {
        solution.winner = board.winner();
        solution.reason = Reason::FewColours;
        solution.by = solution.reason.by();
        return solution;
    }
    let written = |Paint { number, colour }| format!("{number}={colour}");
    // Short boards are searched: that gives a move and the size of the proof.
    if terms.n() > SHORT
        && !options.search
        && let Some(argument) = Argument::find(terms, budget)
    {
        solution.winner = Some(Side::Breaker);
        solution.best = argument.opening(&board).map(written);
        match argument {
            Argument::Pairing(pairing) => {
                solution.reason = Reason::Pairing;
                solution.pairing = Some(pairing);
            }
            Argument::Potential(sum) => {
                solution.reason = Reason::Potential;
                solution.potential = Some(sum);
            }
        }
        solution.by = solution.reason.by();
        return solution;
    }
    if let Some(solver) = solver {
        solver.spread(&board, budget, options.threads);
        let solved = solver.solve(&board, budget, &mut ());
        solution.positions = solver.positions() as u64;
        solution.nodes = solver.nodes();
        if let Some(solved) = solved {
            solution.winner = Some(solved.winner);
            solution.best = solved.best.map(written);
            solution.reason = Reason::Solved;
            solution.by = Some(By::Search);
            solution.proof = solver.proof(&board, budget);
            return solution;
        }
    }
    // What this search has not decided within its bounds is not searched again without them.
    let forecast = decided(terms, false, budget);
    solution.winner = forecast.winner;
    solution.reason = forecast.reason;
    solution.by = forecast.reason.by();
    if forecast.winner == Some(Side::Maker) && terms.first() == Side::Maker {
        // The fresh-colour strategy may begin anywhere.
        let opening = (forecast.reason == Reason::Passes)
            .then(|| passing(terms, budget)?.opening)
            .flatten();
        solution.best = Some(format!("{}=1", opening.unwrap_or(1)));
    }
    solution
}
