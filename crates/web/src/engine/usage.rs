//! Who has used how much lately: seconds of work, fading over time.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::time::{Duration, Instant};

use super::Account;
use crate::without::without;

/// After this long, what was used counts half.
const HALF_LIFE: Duration = Duration::from_secs(20);
/// The most accounts that are remembered; one that is forgotten starts anew.
const MOST: usize = 10_000;

/// What was used, as it stood at some time.
#[derive(Clone, Copy)]
struct Used {
    seconds: f64,
    at: Instant,
}

impl Used {
    fn now(self, now: Instant) -> f64 {
        let age = now.saturating_duration_since(self.at).as_secs_f64();
        self.seconds * libm::exp2(-age / HALF_LIFE.as_secs_f64())
    }
}

/// Seconds of work by address and by visitor.
#[derive(Default)]
pub(crate) struct Usage {
    addresses: HashMap<IpAddr, Used>,
    visitors: HashMap<u128, Used>,
}

fn add<K: Hash + Eq>(to: &mut HashMap<K, Used>, key: K, seconds: f64, now: Instant) {
    if to.len() >= MOST {
        to.retain(|_, used| used.now(now) > 0.01);
        if to.len() >= MOST {
            to.clear();
        }
    }
    let used = to.entry(key).or_insert(Used {
        seconds: 0.0,
        at: now,
    });
    *used = Used {
        seconds: used.now(now) + seconds,
        at: now,
    };
}

/// Steps of a factor of two, from an eighth of a second: small differences must not reorder people.
fn step(used: Option<&Used>, now: Instant) -> u32 {
    let seconds = used.map_or(0.0, |used| used.now(now));
    (seconds * 8.0 + 1.0).log2() as u32
}

impl Usage {
    /// Counts work that was done for an account.
    pub(crate) fn charge(&mut self, account: Account, spent: Duration, now: Instant) {
        let seconds = spent.as_secs_f64();
        add(&mut self.addresses, account.address, seconds, now);
        add(&mut self.visitors, account.visitor, seconds, now);
    }

    /// How much an account has used lately, by its address and by itself, in coarse steps.
    pub(crate) fn rank(&self, account: Account, now: Instant) -> (u32, u32) {
        if without("everything-at-once") {
            return (0, 0);
        }
        (
            step(self.addresses.get(&account.address), now),
            step(self.visitors.get(&account.visitor), now),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn use_is_counted_by_address_and_fades() {
        let mut usage = Usage::default();
        let start = Instant::now();
        let account = |last: u8, visitor| Account {
            address: IpAddr::from([127, 0, 0, last]),
            visitor,
        };
        usage.charge(account(2, 1), Duration::from_secs(8), start);
        assert_eq!(usage.rank(account(2, 1), start), (6, 6));
        assert_eq!(usage.rank(account(2, 9), start), (6, 0), "a new cookie");
        assert_eq!(usage.rank(account(3, 8), start), (0, 0), "somebody else");
        let later = start + HALF_LIFE * 10;
        assert_eq!(usage.rank(account(2, 1), later), (0, 0));
    }

    #[test]
    fn strangers_cannot_fill_the_memory() {
        let mut usage = Usage::default();
        let start = Instant::now();
        for visitor in 0..3 * MOST as u128 {
            usage.charge(Account::of(visitor), Duration::from_secs(1), start);
        }
        assert!(usage.visitors.len() <= MOST);
    }
}
