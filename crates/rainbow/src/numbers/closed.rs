//! Progressions of three: the closed form, and witnesses of any length.

use wits_search::Budget;

use super::search::Search;

/// aw(n, 3) for any `n` from 3, by the theorem of Berikkyzy, Schulte and Young (2016): for
/// `7 * 3^(m-2) + 1 <= n <= 21 * 3^(m-2)` it is `m + 2` if `n = 3^m` and `m + 3` otherwise.
///
/// Below the reach of that formula, 3 to 7, the values are 3, 4, 4, 4, 4.
///
/// ```
/// use wits_rainbow::numbers::aw_of_three;
/// assert_eq!(aw_of_three(26), Some(6));
/// assert_eq!(aw_of_three(27), Some(5)); // it is not monotone
/// assert_eq!(aw_of_three(1_000_000_000_000_000_000), Some(40));
/// ```
pub fn aw_of_three(n: u64) -> Option<u32> {
    match n {
        0..=2 => return None,
        3 => return Some(3),
        4..=7 => return Some(4),
        _ => {}
    }
    // The first m with n <= 21 * 3^(m-2); n >= 8 makes m at least 2.
    let mut m = 2;
    let mut power = 9u128;
    while u128::from(n) * 3 > 7 * power {
        m += 1;
        power *= 3;
    }
    Some(if u128::from(n) == power { m + 2 } else { m + 3 })
}

/// A colouring of `1..=n` with `aw_of_three(n) - 1` colours and no rainbow of three.
///
/// Numbers of one residue modulo three are coloured as a shorter strip, all others get one colour more: a
/// progression whose step is no multiple of three meets every residue, so two of its numbers share that
/// colour, and one whose step is stays inside a residue. The shorter strip has `n / 3` cells, rounded up
/// or down, whichever has more colours; strips of at most 21 cells come from the search.
pub fn witness_of_three(n: u32) -> Option<Vec<u32>> {
    aw_of_three(n.into())?;
    let mut search = Search::new(3);
    witness(n, &mut search)
}

fn witness(n: u32, search: &mut Search) -> Option<Vec<u32>> {
    if n <= 21 {
        return search
            .most(n, &Budget::endless())
            .map(|most| most.witness.clone());
    }
    let value = |m: u32| aw_of_three(m.into()).unwrap_or(0);
    // Residue 1 holds n / 3 numbers rounded up, residue 0 holds n / 3 rounded down.
    let (up, down) = (n.div_ceil(3), n / 3);
    let (length, residue) = if value(up) > value(down) {
        (up, 1)
    } else {
        (down, 0)
    };
    let shorter = witness(length, search)?;
    let other = shorter.iter().max()? + 1;
    let mut inner = shorter.into_iter();
    let colour = |x: u32| {
        if x % 3 == residue {
            inner.next()
        } else {
            Some(other)
        }
    };
    (1..=n).map(colour).collect()
}
