//! How long to wait before trying again.

use std::time::Duration;

/// The first wait.
const FIRST: u64 = 100;

/// The longest wait: a server that is back is found soon, and one that is not is not hammered.
const LONGEST: u64 = 5_000;

/// How long to wait before the next attempt, after so many that failed: twice as long each time, up to
/// five seconds. The salt spreads a thousand workers over the second half of that time, so that they do
/// not all come back at once.
pub fn delay(failed: usize, salt: u64) -> Duration {
    let whole = FIRST
        .saturating_mul(1 << failed.saturating_sub(1).min(16))
        .min(LONGEST);
    // A cheap mix: neighbours must not get the same delay.
    let mixed = salt
        .wrapping_add(failed as u64)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        >> 32;
    Duration::from_millis(whole / 2 + mixed % (whole / 2 + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_stay_bounded_and_differ() {
        for salt in 0..50 {
            for failed in 1..40 {
                let wait = delay(failed, salt).as_millis() as u64;
                let whole = (100u64 << (failed - 1).min(16)).min(LONGEST);
                assert!((whole / 2..=whole).contains(&wait), "{failed}: {wait}");
            }
        }
        let mut waits: Vec<_> = (0..1000).map(|salt| delay(10, salt)).collect();
        waits.sort();
        waits.dedup();
        assert!(waits.len() > 500, "a thousand workers come one by one");
    }
}
