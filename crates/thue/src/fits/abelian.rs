//! Which symbols make no abelian square in a gap.
//!
//! For each period the two windows slide over all places that have the gap in one of them. Its symbol is left out of the counts: it is
//! forbidden if it alone would make both windows equal.

use super::full;
use crate::words::abelian::Balance;

/// The symbols that fit into one gap of a word without abelian squares.
///
/// # Complexity
/// The square of the length.
pub(super) fn at(word: &[u8], gap: usize, symbols: usize) -> u64 {
    let longer = word.len() + 1;
    let letter = |t: usize| match t.cmp(&gap) {
        std::cmp::Ordering::Less => Some(word[t]),
        std::cmp::Ordering::Equal => None,
        std::cmp::Ordering::Greater => Some(word[t - 1]),
    };
    let mut forbidden = 0u64;
    for p in 1..=longer / 2 {
        let first = (gap + 1).saturating_sub(2 * p);
        let last = gap.min(longer - 2 * p);
        if first > last {
            continue;
        }
        let mut balance = Balance::EVEN;
        let add = |t: usize, change: i32, balance: &mut Balance| {
            if let Some(letter) = letter(t) {
                balance.add(letter, change);
            }
        };
        for t in first..first + p {
            add(t, 1, &mut balance);
            add(t + p, -1, &mut balance);
        }
        for start in first..=last {
            if start > first {
                add(start - 1, -1, &mut balance);
                add(start + p - 1, 2, &mut balance);
                add(start + 2 * p - 1, -1, &mut balance);
            }
            let change = if gap < start + p { 1 } else { -1 };
            if let Some(symbol) = balance.lacks(change) {
                forbidden |= 1u64.checked_shl(symbol.into()).unwrap_or(0);
            }
        }
    }
    full(symbols) & !forbidden
}
