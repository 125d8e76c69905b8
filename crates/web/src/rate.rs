//! How often somebody may ask: a bucket of tokens for each address and for each session.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// So many at once, and so many more each second.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rate {
    /// How many requests may come at once.
    pub burst: f64,
    /// How many more each second.
    pub per_second: f64,
}

/// The most buckets that are remembered; an address or a session that is forgotten starts full.
const MOST: usize = 20_000;

struct Bucket {
    left: f64,
    at: Instant,
}

/// Buckets by name.
pub(crate) struct Buckets<K> {
    rate: Rate,
    all: Mutex<HashMap<K, Bucket>>,
}

impl<K: Hash + Eq> Buckets<K> {
    pub(crate) fn new(rate: Rate) -> Buckets<K> {
        Buckets {
            rate,
            all: Mutex::default(),
        }
    }

    /// Takes a token; how long to wait if there is none.
    pub(crate) fn take(&self, key: K, now: Instant) -> Result<(), Duration> {
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= MOST {
            // Whoever has been quiet long enough to be full again is like somebody new.
            let rate = self.rate;
            all.retain(|_, bucket| filled(bucket, rate, now) < rate.burst);
            if all.len() >= MOST {
                all.clear();
            }
        }
        let rate = self.rate;
        let bucket = all.entry(key).or_insert(Bucket {
            left: rate.burst,
            at: now,
        });
        bucket.left = filled(bucket, rate, now);
        bucket.at = now;
        if bucket.left >= 1.0 {
            bucket.left -= 1.0;
            return Ok(());
        }
        Err(Duration::from_secs_f64(
            (1.0 - bucket.left) / rate.per_second.max(1e-3),
        ))
    }
}

fn filled(bucket: &Bucket, rate: Rate, now: Instant) -> f64 {
    let since = now.saturating_duration_since(bucket.at).as_secs_f64();
    (bucket.left + since * rate.per_second).min(rate.burst)
}

/// All limits on how often somebody may ask.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rates {
    /// Everything that one address asks.
    pub address: Rate,
    /// What programs of one address ask with their tokens, each of which has a rate of its own.
    pub tokens: Rate,
    /// Everything that one session asks.
    pub session: Rate,
    /// What one session changes.
    pub changes: Rate,
    /// How often one address may try an invitation.
    pub login: Rate,
}

impl Default for Rates {
    fn default() -> Rates {
        let rate = |burst: f64, per_second: f64| Rate { burst, per_second };
        Rates {
            address: rate(5_000.0, 1_000.0),
            tokens: rate(15_000.0, 3_000.0),
            session: rate(2_000.0, 400.0),
            changes: rate(500.0, 100.0),
            login: rate(10.0, 0.5),
        }
    }
}

/// What a request is, to the one who counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Asked {
    pub(crate) from: IpAddr,
    /// The session, if it is one we know.
    pub(crate) session: Option<u128>,
    pub(crate) changes: bool,
    pub(crate) login: bool,
    /// Whether it shows the token of a bot: a class of programs behind one router asks more often than people.
    pub(crate) token: bool,
}

/// Counts requests.
pub(crate) struct Counter {
    address: Buckets<IpAddr>,
    tokens: Buckets<IpAddr>,
    login: Buckets<IpAddr>,
    session: Buckets<u128>,
    changes: Buckets<u128>,
}

impl Counter {
    pub(crate) fn new(rates: Rates) -> Counter {
        Counter {
            address: Buckets::new(rates.address),
            tokens: Buckets::new(rates.tokens),
            login: Buckets::new(rates.login),
            session: Buckets::new(rates.session),
            changes: Buckets::new(rates.changes),
        }
    }

    /// Whether a request may go on; how long to wait if not.
    pub(crate) fn admit(&self, asked: Asked, now: Instant) -> Result<(), Duration> {
        let of_address = if asked.token {
            &self.tokens
        } else {
            &self.address
        };
        of_address.take(asked.from, now)?;
        if asked.login {
            self.login.take(asked.from, now)?;
        }
        if let Some(session) = asked.session {
            self.session.take(session, now)?;
            if asked.changes {
                self.changes.take(session, now)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_empties_and_fills() {
        let buckets = Buckets::new(Rate {
            burst: 3.0,
            per_second: 2.0,
        });
        let start = Instant::now();
        for _ in 0..3 {
            assert!(buckets.take(1, start).is_ok());
        }
        let wait = buckets.take(1, start).expect_err("empty");
        assert_eq!(wait, Duration::from_millis(500));
        assert!(buckets.take(2, start).is_ok(), "others are not touched");
        assert!(buckets.take(1, start + wait).is_ok());
        assert!(buckets.take(1, start + wait).is_err());
    }

    #[test]
    fn strangers_cannot_fill_the_memory() {
        let buckets = Buckets::new(Rate {
            burst: 3.0,
            per_second: 0.0,
        });
        let start = Instant::now();
        for key in 0..3 * MOST {
            let _ = buckets.take(key, start);
        }
        assert!(buckets.all.lock().expect("whole").len() <= MOST);
    }
}
