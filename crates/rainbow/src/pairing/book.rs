//! Pairings that a long search found once, so that nobody has to wait for them again.
//!
//! They are claims like any others: [`super::Pairing::check`] looks at every progression before one is used. A pairing of a board,
//! cut to a shorter one, is a pairing of that: every progression of the shorter board lies in the longer one with its pair. So
//! the longest known board of each length is enough.

use super::Pairing;

type Pairs = &'static [(u32, u32)];

/// The length of progressions, the longest board with a known pairing, and its pairs. No longer board has one.
const LONGEST: [(u32, u32, Pairs); 5] = [
    (3, 4, &[(1, 4), (2, 3)]),
    (4, 10, &[(1, 10), (2, 3), (4, 6), (5, 7), (8, 9)]),
    (
        5,
        16,
        &[
            (1, 16),
            (2, 14),
            (3, 5),
            (4, 7),
            (6, 9),
            (8, 10),
            (11, 13),
            (12, 15),
        ],
    ),
    (
        6,
        27,
        &[
            (1, 21),
            (2, 27),
            (4, 6),
            (5, 8),
            (7, 11),
            (9, 25),
            (10, 13),
            (12, 16),
            (14, 22),
            (15, 18),
            (17, 19),
            (20, 23),
            (24, 26),
        ],
    ),
    (
        7,
        39,
        &[
            (2, 17),
            (3, 33),
            (4, 10),
            (5, 7),
            (6, 31),
            (8, 38),
            (9, 11),
            (12, 16),
            (13, 25),
            (14, 24),
            (15, 19),
            (18, 21),
            (20, 23),
            (22, 26),
            (27, 29),
            (28, 34),
            (30, 35),
            (32, 37),
            (36, 39),
        ],
    ),
];

/// A pairing from the list, cut to this board and checked.
pub fn known(n: u32, k: u32) -> Option<Pairing> {
    let (.., pairs) = LONGEST
        .iter()
        .find(|&&(length, longest, _)| length == k && n <= longest)?;
    let inside = pairs.iter().copied().filter(|&(_, b)| b <= n);
    let pairing = Pairing::complete(n, k, inside.collect());
    pairing.check().is_ok().then_some(pairing)
}
