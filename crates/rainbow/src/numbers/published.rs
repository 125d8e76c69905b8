//! Values that others have published, to be laid beside ours.
//!
//! The list is data with its source at its head. Nothing here rests on it: it is shown beside what was computed, and a test asks both.

use std::sync::LazyLock;

/// Where the values come from.
pub const SOURCE: &str = "Butler and others, Rainbow arithmetic progressions, arXiv 1404.7232";

/// A board that values were published for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Board {
    /// The numbers 1 to n.
    Strip,
    /// The numbers modulo n.
    Circle,
}

/// One published value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Value {
    /// On which board.
    pub board: Board,
    /// How long a rainbow is.
    pub k: u64,
    /// How many numbers.
    pub n: u64,
    /// The number.
    pub aw: u64,
}

static VALUES: LazyLock<Vec<Value>> = LazyLock::new(|| {
    let lines = include_str!("published.txt").lines();
    lines
        .filter(|line| !line.starts_with('#'))
        .flat_map(values)
        .collect()
});

/// The values of one line: `strip 4 5=5 6=6`.
fn values(line: &str) -> Vec<Value> {
    let mut words = line.split_whitespace();
    let board = match words.next() {
        Some("strip") => Board::Strip,
        Some("circle") => Board::Circle,
        _ => return Vec::new(),
    };
    let Some(k) = words.next().and_then(|word| word.parse().ok()) else {
        return Vec::new();
    };
    let value = |word: &str| {
        let (n, aw) = word.split_once('=')?;
        Some(Value {
            board,
            k,
            n: n.parse().ok()?,
            aw: aw.parse().ok()?,
        })
    };
    words.filter_map(value).collect()
}

/// All published values, strips first, by k and n.
pub fn values_published() -> &'static [Value] {
    &VALUES
}

/// The published value of aw on a board, if there is one.
///
/// ```
/// use wits_rainbow::numbers::{Board, published};
/// assert_eq!(published(Board::Strip, 25, 4), Some(12));
/// assert_eq!(published(Board::Strip, 60, 4), None);
/// ```
pub fn published(board: Board, n: u64, k: u64) -> Option<u64> {
    let same = |value: &&Value| value.board == board && value.n == n && value.k == k;
    VALUES.iter().find(same).map(|value| value.aw)
}
