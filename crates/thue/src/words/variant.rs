//! What counts as a repetition.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Which repetitions are to be avoided.
///
/// A repetition of period `p` is a factor in which every letter equals the one `p` further on.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Variant {
    /// Squares `uu`: length twice the period.
    #[default]
    Square,
    /// Overlaps `axaxa`, where `x` may be empty, so that `aaa` is one: twice the period and one more.
    Overlap,
    /// Overlaps of period two or more, which do not see `aaa`: the search as the thesis programmed it.
    OverlapThesis,
    /// Cubes `uuu`: length three times the period.
    Cube,
    /// Abelian squares `uv`, where `v` has the letters of `u` in any order: length twice the period. The one kind that is not a
    /// matter of equal letters one period apart.
    AbelianSquare,
}

/// A word that names no variant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a kind of repetition; give square, overlap, overlap-thesis, cube or abelian-square"
)]
pub struct UnknownVariant(String);

impl Variant {
    /// All of them.
    pub const ALL: [Variant; 5] = [
        Variant::Square,
        Variant::Overlap,
        Variant::OverlapThesis,
        Variant::Cube,
        Variant::AbelianSquare,
    ];

    /// The name in specs.
    pub const fn name(self) -> &'static str {
        match self {
            Variant::Square => "square",
            Variant::Overlap => "overlap",
            Variant::OverlapThesis => "overlap-thesis",
            Variant::Cube => "cube",
            Variant::AbelianSquare => "abelian-square",
        }
    }

    /// How many letters a repetition of this period has.
    pub const fn length(self, period: usize) -> usize {
        period + self.pairs(period)
    }

    /// How many pairs of letters, one period apart, must be equal; in an abelian square only their counts must.
    pub const fn pairs(self, period: usize) -> usize {
        match self {
            Variant::Square | Variant::AbelianSquare => period,
            Variant::Overlap | Variant::OverlapThesis => period + 1,
            Variant::Cube => 2 * period,
        }
    }

    /// The shortest period that counts.
    pub const fn least_period(self) -> usize {
        match self {
            Variant::OverlapThesis => 2,
            _ => 1,
        }
    }

    /// The longest period that a word of this length has room for.
    pub const fn most_period(self, length: usize) -> usize {
        match self {
            Variant::Square | Variant::AbelianSquare => length / 2,
            Variant::Overlap | Variant::OverlapThesis => length.saturating_sub(1) / 2,
            Variant::Cube => length / 3,
        }
    }

    /// Whether a symbol has at most one place of a repetition in which it has partners on both sides. The bit-parallel searches rely on it.
    pub(crate) const fn is_plain(self) -> bool {
        !matches!(self, Variant::Cube | Variant::AbelianSquare)
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Variant {
    type Err = UnknownVariant;

    fn from_str(text: &str) -> Result<Variant, UnknownVariant> {
        Variant::ALL
            .into_iter()
            .find(|variant| variant.name() == text)
            .ok_or_else(|| UnknownVariant(text.to_owned()))
    }
}
