//! The strategy of a solved position, for those who follow a player that knows it.

use std::collections::HashMap;

use wits_game::{Game, Message, Seat};
use wits_search::tree::{Oracle, StrategyOptions, strategy};
use wits_search::{Budget, Watch};

use crate::WORDS;
use crate::board::{Board, Paint};
use crate::exact::{Reason, Solver};
use crate::game::Rainbow;
use crate::terms::Side;

/// The solver looks at so many more positions for the moves that the strategy shows; what it does not know then is said to be
/// unknown.
const TOLD: u64 = 60_000;

/// About so many positions of the strategy are shown.
const SHOWN: usize = 1_200;

/// What a solver knows.
struct Known<'a> {
    solver: &'a mut Solver,
    budget: &'a Budget,
    left: u64,
    /// Who wins, as far as it was asked.
    winners: HashMap<Board, Option<Side>>,
    best: HashMap<Board, Paint>,
}

impl Known<'_> {
    fn winner(&mut self, board: &Board) -> Option<Side> {
        if let Some(side) = board.winner() {
            return Some(side);
        }
        if let Some(&winner) = self.winners.get(board) {
            return winner;
        }
        // What is in the table would still be found, but telling costs time, too.
        if self.budget.late() {
            return None;
        }
        let before = self.solver.nodes();
        let budget = self.budget.recount(self.left);
        let solved = self.solver.solve(board, &budget, &mut ());
        self.left = self.left.saturating_sub(self.solver.nodes() - before);
        if let Some(best) = solved.and_then(|solved| solved.best) {
            self.best.insert(board.clone(), best);
        }
        let winner = solved.map(|solved| solved.winner);
        self.winners.insert(board.clone(), winner);
        winner
    }
}

impl Oracle<Rainbow> for Known<'_> {
    fn worth(&mut self, _: &Rainbow, board: &Board, seat: Seat) -> Option<i32> {
        let winner = self.winner(board)?;
        Some(if winner.seat() == seat { 1 } else { -1 })
    }

    fn argument(&mut self, _: &Rainbow, board: &Board, _: Seat) -> Option<Message> {
        let key = match self.solver.reason(board)? {
            Reason::Threat => "solved-threat",
            Reason::Threats => "solved-threats",
            Reason::Pairing => "solved-pairing",
        };
        Some(WORDS.say(key))
    }

    fn best(&mut self, _: &Rainbow, board: &Board) -> Option<Paint> {
        self.winner(board)?;
        self.best.get(board).copied()
    }
}

/// Tells why `paint` is as good as any move of a position that the solver has solved.
pub(super) fn tell<W: Watch>(
    board: &Board,
    paint: Paint,
    winner: Side,
    solver: &mut Solver,
    budget: &Budget,
    watch: &mut W,
) {
    let game = Rainbow::new(*board.terms());
    let mut winners = HashMap::from([(board.clone(), Some(winner))]);
    if winner != board.to_move() {
        // Where all is lost every move loses; the solver need not be asked about those that others dominate.
        for mv in game.options(board) {
            let mut next = board.clone();
            next.paint(mv);
            winners.insert(next, Some(winner));
        }
    }
    let mut known = Known {
        solver,
        budget,
        left: TOLD,
        winners,
        best: HashMap::new(),
    };
    if winner == board.to_move() {
        let mut next = board.clone();
        next.paint(paint);
        known.winners.insert(next, Some(winner));
    }
    let options = StrategyOptions {
        nodes: SHOWN,
        ..StrategyOptions::default()
    };
    strategy(&game, board, &paint, &mut known, &options, watch);
}
