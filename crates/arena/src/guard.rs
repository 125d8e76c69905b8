//! Watching players: who is thinking, and since when.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value;
use wits_game::Seat;
use wits_play::{Account, AnyDesk, AnyMatch, AnyPlayer, Budget, Choice};

/// Who is thinking at the moment. The game writes it, the one who waits for the game reads it.
#[derive(Clone, Default)]
pub(crate) struct Watched(Arc<Mutex<Option<(Seat, Budget)>>>);

impl Watched {
    fn set(&self, now: Option<(Seat, Budget)>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = now;
    }

    /// The seat that thinks, and for how long it has.
    pub(crate) fn thinking(&self) -> Option<(Seat, Duration)> {
        let now = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        now.as_ref().map(|(seat, since)| (*seat, since.elapsed()))
    }
}

/// A player under watch; it plays as if nobody looked.
pub(crate) struct Guarded {
    pub(crate) player: Box<dyn AnyPlayer>,
    pub(crate) watched: Watched,
}

impl AnyPlayer for Guarded {
    fn spec(&self) -> &str {
        self.player.spec()
    }

    fn choose(&mut self, table: &dyn AnyMatch, desk: AnyDesk<'_>) -> Choice<String> {
        if let Some(seat) = table.turn().seat() {
            // Its own clock stands still while it waits for others.
            self.watched.set(Some((seat, desk.budget.clone())));
        }
        let choice = self.player.choose(table, desk);
        self.watched.set(None);
        choice
    }

    fn account(&mut self) -> Account {
        self.player.account()
    }

    fn learns(&self) -> bool {
        self.player.learns()
    }

    fn learn(&mut self, table: &dyn AnyMatch, seat: Seat) {
        self.player.learn(table, seat);
    }

    fn memory(&self) -> Option<Value> {
        self.player.memory()
    }

    fn lens(&self) -> &'static str {
        self.player.lens()
    }
}
