//! Machines playing a whole game among themselves.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use wits_game::{Outcome, Seat, Seed, Turn};
use wits_search::Gate;

use crate::any::{header, outcome};
use crate::{
    AnyDesk, AnyGame, AnyMatch, AnyPlayer, Budget, Clock, Fault, Limits, Record, Shelf, Sitting,
    TimeControl, ask,
};

/// How a game among machines ended.
#[derive(Clone, Debug)]
pub struct Finished {
    /// What happened, move by move.
    pub record: Record,
    /// What each seat gets.
    pub outcome: Outcome,
    /// What a machine did wrong, if that ended it.
    pub fault: Option<(Seat, Fault)>,
    /// Whether the game was stopped before its end.
    pub stopped: bool,
    /// How long each seat thought.
    pub thought: Vec<Duration>,
    /// How many positions each seat looked at.
    pub nodes: Vec<u64>,
}

/// The rules of the hall: what every decision may cost, and when a game is long enough.
#[derive(Clone, Debug, Default)]
pub struct Runner {
    /// What one decision may cost, on top of what the players' own specs say.
    pub limits: Limits,
    /// The clocks.
    pub clock: TimeControl,
    /// The game ends undecided after this many moves.
    pub max_moves: Option<u32>,
    /// Raised to stop the game.
    pub stop: Arc<AtomicBool>,
    /// Where searches wait while others have their turn.
    pub gate: Option<Arc<dyn Gate>>,
}

impl Runner {
    /// Plays a game to its end. Players that learn are taught.
    pub fn run(
        &self,
        game: &dyn AnyGame,
        players: &mut [&mut dyn AnyPlayer],
        seed: Seed,
        shelf: &Shelf,
    ) -> Finished {
        let table = game.begin(seed, self.max_moves);
        self.run_on(game, table, players, seed, shelf)
    }

    /// Plays a match that has begun already, say after some opening moves, to its end.
    pub fn run_on(
        &self,
        game: &dyn AnyGame,
        mut table: Box<dyn AnyMatch>,
        players: &mut [&mut dyn AnyPlayer],
        seed: Seed,
        shelf: &Shelf,
    ) -> Finished {
        let seats = usize::from(game.seats());
        let mut clock = Clock::new(self.clock, game.seats());
        let mut finished = Finished {
            record: Record {
                header: header(
                    game,
                    seed,
                    players.iter().map(|p| p.spec().to_owned()).collect(),
                    shelf,
                ),
                events: Vec::new(),
                cut: false,
            },
            outcome: Outcome::draw(game.seats(), wits_game::WORDS.say("aborted")),
            fault: None,
            stopped: false,
            thought: vec![Duration::ZERO; seats],
            nodes: vec![0; seats],
        };
        loop {
            table.settle();
            let Turn::Of(seat) = table.turn() else { break };
            let time = clock.left(seat).map_or(Limits::NONE, Limits::time);
            let budget = Budget::with_stop(self.limits.and(time), Arc::clone(&self.stop));
            let budget = match &self.gate {
                Some(gate) => budget.at_gate(Arc::clone(gate)),
                None => budget,
            };
            if budget.stopped() {
                finished.stopped = true;
                let _ = table.abort("stopped");
                break;
            }
            let mut nodes = 0;
            let mut tell = |thought: &crate::Thought<String>| nodes = thought.nodes;
            let desk = AnyDesk {
                budget: &budget,
                dice: table.dice(seat),
                tell: &mut tell,
                record: None,
            };
            let (choice, thought) = ask(&mut *players[seat.index()], table.as_ref(), desk);
            finished.thought[seat.index()] += thought;
            finished.nodes[seat.index()] += nodes;
            let mut sitting = Sitting {
                game,
                table: table.as_mut(),
                clock: &mut clock,
                timed: self.clock != TimeControl::None,
            };
            if let Some(fault) = sitting.decide(seat, choice, thought) {
                finished.fault = Some((seat, fault));
            }
        }
        if let Some(outcome) = outcome(table.as_ref()) {
            finished.outcome = outcome;
        }
        for (player, seat) in players.iter_mut().zip(Seat::all(game.seats())) {
            player.learn(table.as_ref(), seat);
        }
        finished.record.header.clock = self.clock;
        finished.record.header.max_moves = self.max_moves;
        finished.record.header.repeatable =
            self.clock == TimeControl::None && self.limits.time.is_none();
        finished.record.events = table.events().to_vec();
        finished
    }
}
