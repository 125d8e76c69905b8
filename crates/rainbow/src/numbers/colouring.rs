//! A colouring as people write it.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

/// A colouring of `1..=n`, some of it perhaps not coloured yet.
///
/// ```
/// use wits_rainbow::numbers::Colouring;
/// let letters: Colouring = "abba-c".parse().unwrap();
/// let numbers: Colouring = "1 2 2 1 - 3".parse().unwrap();
/// assert_eq!(letters, numbers);
/// assert_eq!(letters.to_string(), "1 2 2 1 - 3");
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct Colouring(Vec<u16>);

/// Text that is no colouring: where, and what is wanted.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadColouring {
    /// Nothing there.
    #[error(
        "`COLOURING` is empty; write numbers such as `1 2 2 1`, or letters or digits such as `abba`"
    )]
    Empty,
    /// Something that is no colour.
    #[error(
        "`COLOURING` has `{found}` at place {place}; a colour is a number from 1 to 60000, a letter, or `-` for none"
    )]
    NotAColour {
        /// Which cell, from 1.
        place: usize,
        /// What stands there.
        found: String,
    },
    /// More cells than anybody can check.
    #[error("`COLOURING` has {found} numbers; at most {most} can be checked")]
    TooLong {
        /// How many there are.
        found: usize,
        /// How many there may be.
        most: usize,
    },
}

impl Colouring {
    /// The longest colouring.
    pub const MOST: usize = 100_000;

    /// A colouring from its colours; zero is uncoloured.
    pub fn new(colours: Vec<u16>) -> Colouring {
        Colouring(colours)
    }

    /// The colours in order; zero is uncoloured.
    pub fn colours(&self) -> &[u16] {
        &self.0
    }
}

impl FromStr for Colouring {
    type Err = BadColouring;

    /// Numbers parted by blanks or commas, or one letter or digit for each cell. `-`, `.` and `_` are uncoloured;
    /// letters `a`, `b`, … are colours 1, 2, …, capitals follow the small ones.
    fn from_str(text: &str) -> Result<Colouring, BadColouring> {
        let text = text.trim();
        let parted = text.contains(|c: char| c == ',' || c.is_whitespace());
        let parts: Vec<String> = if parted {
            text.split([',', ' ', '\t', '\n', '\r'])
                .filter(|p| !p.is_empty())
                .map(str::to_owned)
                .collect()
        } else {
            text.chars().map(String::from).collect()
        };
        if parts.is_empty() {
            return Err(BadColouring::Empty);
        }
        if parts.len() > Self::MOST {
            return Err(BadColouring::TooLong {
                found: parts.len(),
                most: Self::MOST,
            });
        }
        let not_a_colour = |i: usize| BadColouring::NotAColour {
            place: i + 1,
            found: parts[i].chars().take(20).collect(),
        };
        // Letters and numbers are two ways to name colours; a mixture is a slip.
        let is_letter = |part: &String| part.chars().all(char::is_alphabetic);
        let is_number = |part: &String| part.chars().any(|c| c.is_ascii_digit());
        if parts.iter().any(is_number)
            && let Some(i) = parts.iter().position(is_letter)
        {
            return Err(not_a_colour(i));
        }
        let read = |(i, part): (usize, &String)| colour(part).ok_or_else(|| not_a_colour(i));
        parts
            .iter()
            .enumerate()
            .map(read)
            .collect::<Result<Vec<u16>, _>>()
            .map(Colouring)
    }
}

fn colour(part: &str) -> Option<u16> {
    if matches!(part, "-" | "." | "_") {
        return Some(0);
    }
    if let Ok(number) = part.parse::<u16>() {
        return (1..=60_000).contains(&number).then_some(number);
    }
    match part.as_bytes() {
        [letter @ b'a'..=b'z'] => Some(u16::from(letter - b'a') + 1),
        [letter @ b'A'..=b'Z'] => Some(u16::from(letter - b'A') + 27),
        _ => None,
    }
}

impl fmt::Display for Colouring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<String> = self
            .0
            .iter()
            .map(|&c| {
                if c == 0 {
                    "-".to_owned()
                } else {
                    c.to_string()
                }
            })
            .collect();
        f.write_str(&parts.join(" "))
    }
}
