//! Whose untrusted work may run now: few at once, within a pool of memory, and the one who has used
//! least lately first. One address never holds every place.

use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use axum::http::StatusCode;
use tokio::sync::oneshot::{Sender, channel};

use crate::engine::{Account, Usage};
use crate::{Fault, WORDS};

/// The most that wait: of one visitor, of one address, in all.
const OF_VISITOR: usize = 8;
const OF_ADDRESS: usize = 80;
const IN_ALL: usize = 400;

/// The places of a class of sandboxes, or of bodies that are received.
pub(crate) struct Turns(Arc<Shared>);

struct Shared {
    places: usize,
    memory: u64,
    /// What one address leaves to others, in bytes.
    left: u64,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    running: Vec<(Account, u64)>,
    waiting: Vec<Waiting>,
    usage: Usage,
    order: u64,
}

struct Waiting {
    account: Account,
    memory: u64,
    order: u64,
    enter: Sender<Turn>,
}

/// A place in use; it is free again when dropped.
pub(crate) struct Turn {
    shared: Arc<Shared>,
    account: Account,
    memory: u64,
    since: Instant,
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut state = self.shared.lock();
        let mine = (self.account, self.memory);
        if let Some(at) = state.running.iter().position(|one| *one == mine) {
            state.running.swap_remove(at);
        }
        let now = Instant::now();
        let spent = now.saturating_duration_since(self.since);
        state.usage.charge(self.account, spent, now);
        Shared::hand_out(&self.shared, state);
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn fits(&self, state: &State, account: Account, memory: u64) -> bool {
        let of = |address: IpAddr| {
            let own = |(one, _): &&(Account, u64)| one.address == address;
            state.running.iter().filter(own).count()
        };
        let taken = |own: &dyn Fn(&Account) -> bool| -> u64 {
            let all = state.running.iter().filter(|(one, _)| own(one));
            all.map(|(_, memory)| memory).sum()
        };
        let used = taken(&|_| true);
        // An address that has something already leaves room for others.
        let own = taken(&|one| one.address == account.address);
        state.running.len() < self.places
            && of(account.address) < self.places.saturating_sub(1).max(1)
            && (used == 0 || used + memory <= self.memory)
            && (own == 0 || own + memory + self.left <= self.memory)
    }

    /// Lets in whoever should be next, as long as there is room. A turn that nobody takes any more
    /// is given on.
    fn hand_out(this: &Arc<Shared>, mut state: MutexGuard<'_, State>) {
        let now = Instant::now();
        state.waiting.retain(|one| !one.enter.is_closed());
        loop {
            let rank = |one: &Waiting| (state.usage.rank(one.account, now), one.order);
            let all = state.waiting.iter().enumerate();
            let fits = all.filter(|(_, one)| this.fits(&state, one.account, one.memory));
            let next = fits.min_by_key(|(_, one)| rank(one));
            let Some((at, _)) = next else {
                return;
            };
            let one = state.waiting.remove(at);
            state.running.push((one.account, one.memory));
            let turn = Turn {
                shared: Arc::clone(this),
                account: one.account,
                memory: one.memory,
                since: now,
            };
            // Dropping a turn takes the lock, so one that comes back waits until it is free.
            if let Err(unwanted) = one.enter.send(turn) {
                drop(state);
                drop(unwanted);
                return;
            }
        }
    }
}

impl Turns {
    /// So many at once, within so many bytes of memory, of which `left` are not for an address that
    /// holds some already.
    pub(crate) fn new(places: usize, memory: u64, left: u64) -> Turns {
        Turns(Arc::new(Shared {
            places: places.max(1),
            memory,
            left,
            state: Mutex::default(),
        }))
    }

    /// How many run, and how many wait.
    pub(crate) fn load(&self) -> (usize, usize) {
        let state = self.0.lock();
        (state.running.len(), state.waiting.len())
    }

    /// Waits for a turn.
    pub(crate) async fn take(&self, account: Account, memory: u64) -> Result<Turn, Fault> {
        let (enter, entered) = channel();
        {
            let mut state = self.0.lock();
            state.waiting.retain(|one| !one.enter.is_closed());
            let count = |same: &dyn Fn(&Waiting) -> bool| {
                state.waiting.iter().filter(|one| same(one)).count()
            };
            if count(&|one| one.account == account) >= OF_VISITOR
                || count(&|one| one.account.address == account.address) >= OF_ADDRESS
                || state.waiting.len() >= IN_ALL
            {
                return Err(Fault::new(
                    StatusCode::TOO_MANY_REQUESTS,
                    "too-many",
                    WORDS.say("sandbox-busy"),
                    WORDS.say("sandbox-busy-hint"),
                ));
            }
            state.order += 1;
            let order = state.order;
            state.waiting.push(Waiting {
                account,
                memory,
                order,
                enter,
            });
            Shared::hand_out(&self.0, state);
        }
        entered.await.map_err(|_| Fault::breakdown())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn account(last: u8, visitor: u128) -> Account {
        Account {
            address: IpAddr::from([127, 0, 0, last]),
            visitor,
        }
    }

    async fn soon<T>(what: impl Future<Output = T>) -> Option<T> {
        tokio::time::timeout(Duration::from_millis(50), what)
            .await
            .ok()
    }

    #[tokio::test]
    async fn one_address_leaves_a_place_for_others() {
        let turns = Turns::new(2, 100, 25);
        let first = turns.take(account(2, 1), 10).await.expect("a turn");
        assert!(soon(turns.take(account(2, 2), 10)).await.is_none());
        let other = soon(turns.take(account(3, 3), 10)).await;
        assert!(other.is_some());
        drop(first);
        assert!(soon(turns.take(account(2, 4), 10)).await.is_some());
    }

    #[tokio::test]
    async fn memory_is_shared_and_what_was_given_up_is_free() {
        let turns = Turns::new(8, 100, 25);
        let large = turns.take(account(2, 1), 90).await.expect("a turn");
        let waits = turns.take(account(3, 2), 20);
        assert!(soon(waits).await.is_none(), "too large beside the first");
        assert_eq!(turns.load(), (1, 1));
        drop(large);
        let again = soon(turns.take(account(3, 2), 20)).await;
        assert!(again.is_some() && turns.load() == (1, 0));
    }

    #[tokio::test]
    async fn one_address_leaves_memory_for_others() {
        let turns = Turns::new(8, 100, 25);
        let _first = turns.take(account(2, 1), 40).await.expect("a turn");
        let second = turns.take(account(2, 2), 40);
        assert!(soon(second).await.is_none(), "more than three quarters");
        assert!(soon(turns.take(account(3, 3), 40)).await.is_some());
    }

    #[tokio::test]
    async fn a_visitor_cannot_fill_the_line() {
        let turns = Turns::new(1, 100, 25);
        let _held = turns.take(account(2, 1), 10).await.expect("a turn");
        let mut waiting = Vec::new();
        for _ in 0..OF_VISITOR {
            let mut one = Box::pin(turns.take(account(2, 1), 10));
            assert!(soon(&mut one).await.is_none());
            waiting.push(one);
        }
        let refused = turns.take(account(2, 1), 10).await;
        assert_eq!(refused.err().map(|f| f.code), Some("too-many".into()));
    }
}
