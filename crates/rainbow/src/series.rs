//! Arithmetic progressions of `k` numbers: the series of the document this room follows.

use serde::Serialize;

/// The progression `start, start + step, …`, as long as the game's `k`.
///
/// Ordered by step, then by start: the order in which lists and drawings show them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct Series {
    /// The distance of neighbours.
    pub step: u32,
    /// The least number.
    pub start: u32,
}

impl Series {
    /// The numbers of a series of length `k`.
    pub fn numbers(self, k: u32) -> impl DoubleEndedIterator<Item = u32> + ExactSizeIterator {
        (0..k).map(move |i| self.start + i * self.step)
    }

    /// Whether a number belongs to a series of length `k`.
    pub const fn holds(self, k: u32, number: u32) -> bool {
        number >= self.start
            && (number - self.start).is_multiple_of(self.step)
            && (number - self.start) / self.step < k
    }

    /// The series as people write it: `3, 6, 9`, or `3, 6, …, 90` when it is long.
    pub fn text(self, k: u32) -> String {
        let all: Vec<String> = self.numbers(k).map(|x| x.to_string()).collect();
        if all.len() <= 8 {
            return all.join(", ");
        }
        format!("{}, {}, …, {}", all[0], all[1], all[all.len() - 1])
    }
}

/// The greatest step of a progression of `k` in `1..=n`; zero where there is none.
pub const fn greatest_step(n: u32, k: u32) -> u32 {
    if n == 0 { 0 } else { (n - 1) / (k - 1) }
}

/// How many progressions of `k` there are in `1..=n`.
///
/// ```
/// assert_eq!(wits_rainbow::series_count(300, 30), 1405);
/// assert_eq!(wits_rainbow::series_count(10_000, 3), 24_995_000);
/// ```
pub fn series_count(n: u32, k: u32) -> u64 {
    let steps = u64::from(greatest_step(n, k));
    // The sum of n - (k-1)d over d = 1..=steps.
    steps * u64::from(n) - u64::from(k - 1) * (steps * (steps + 1) / 2)
}

/// Every progression of `k` in `1..=n`, by step, then by start.
pub fn all_series(n: u32, k: u32) -> impl Iterator<Item = Series> {
    (1..=greatest_step(n, k))
        .flat_map(move |step| (1..=n - (k - 1) * step).map(move |start| Series { step, start }))
}

/// Every progression of `k` in `1..=n` that holds `number`.
///
/// # Complexity
/// At most about `n` progressions, found without looking at any other.
pub fn series_through(n: u32, k: u32, number: u32) -> impl Iterator<Item = Series> {
    (0..k).flat_map(move |place| {
        let below = (number - 1).checked_div(place).unwrap_or(u32::MAX);
        let above = (n - number).checked_div(k - 1 - place).unwrap_or(u32::MAX);
        (1..=below.min(above)).map(move |step| Series {
            step,
            start: number - place * step,
        })
    })
}

/// For every number of `1..=n`, how many progressions of `k` hold it; index 0 is number 1.
///
/// # Complexity
/// O(n): each step and place is one range of numbers, and ranges are added up by their ends.
pub(crate) fn through_counts(n: u32, k: u32) -> Vec<u32> {
    let mut ends = vec![0i64; n as usize + 1];
    for step in 1..=greatest_step(n, k) {
        let starts = (n - (k - 1) * step) as usize;
        for place in 0..k {
            let from = (place * step) as usize;
            ends[from] += 1;
            ends[from + starts] -= 1;
        }
    }
    let mut sum = 0;
    ends[..n as usize]
        .iter()
        .map(|end| {
            sum += end;
            sum as u32
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn counts_and_lists_agree() {
        for n in 2..30 {
            for k in 2..=n {
                let all: Vec<Series> = all_series(n, k).collect();
                assert_eq!(all.len() as u64, series_count(n, k));
                assert!(all.is_sorted() && all.iter().all(|s| s.numbers(k).last() <= Some(n)));
                let counts = through_counts(n, k);
                for x in 1..=n {
                    let through: BTreeSet<Series> = series_through(n, k, x).collect();
                    let slow: BTreeSet<Series> = all
                        .iter()
                        .copied()
                        .filter(|s| s.numbers(k).any(|y| y == x))
                        .collect();
                    assert_eq!(through, slow, "{n} {k} {x}");
                    assert_eq!(series_through(n, k, x).count(), slow.len(), "each once");
                    assert_eq!(counts[x as usize - 1] as usize, slow.len());
                    assert!(all.iter().all(|s| s.holds(k, x) == slow.contains(s)));
                }
            }
        }
        // 10^5 choose k = 10 and 10^6 choose k = 3, from the formula.
        assert_eq!(series_count(100_000, 10), 555_505_556);
        assert_eq!(series_count(1_000_000, 3), 249_999_500_000);
    }

    #[test]
    fn long_series_are_written_short() {
        let series = Series { step: 3, start: 3 };
        assert_eq!(series.text(3), "3, 6, 9");
        assert_eq!(series.text(30), "3, 6, …, 90");
    }
}
