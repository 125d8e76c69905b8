//! Where something is wrong in a text, and what.

use serde::{Deserialize, Serialize};

/// A place in a text: line and column count from one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The name the text was given by its owner.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// The whole line, so that a pointer can be drawn under it.
    pub text: String,
}

impl Place {
    /// The place of a byte offset.
    pub fn of(file: &str, source: &str, offset: usize) -> Place {
        let mut offset = offset.min(source.len());
        while !source.is_char_boundary(offset) {
            offset -= 1;
        }
        let start = source[..offset].rfind('\n').map_or(0, |i| i + 1);
        let end = source[offset..]
            .find('\n')
            .map_or(source.len(), |i| offset + i);
        Place {
            file: file.to_owned(),
            line: source[..start].matches('\n').count() + 1,
            column: source[start..offset].chars().count() + 1,
            text: source[start..end].trim_end_matches('\r').to_owned(),
        }
    }

    /// The line with a `^` under the place.
    pub fn pointer(&self) -> String {
        let lead: String = self
            .text
            .chars()
            .take(self.column - 1)
            .map(|c| if c == '\t' { '\t' } else { ' ' })
            .collect();
        format!("{}\n{lead}^", self.text)
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// A text that is not Prolog.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub(crate) struct SyntaxError {
    pub(crate) offset: usize,
    pub(crate) message: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_counts_characters_not_bytes() {
        let p = Place::of("x.pl", "a.\nżó łw(\n", 8);
        assert_eq!((p.line, p.column), (2, 4));
        assert_eq!(p.pointer(), "żó łw(\n   ^");
    }
}
