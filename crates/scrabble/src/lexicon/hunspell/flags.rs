//! Flags: how a dictionary writes which affixes a stem takes.

/// How flags are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Style {
    /// One character each.
    #[default]
    Single,
    /// Two characters each.
    Double,
    /// Numbers between commas.
    Number,
}

/// A flag, whatever its style.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Flag(u32);

impl Style {
    /// The flags of a field; nothing where it is not written in this style.
    pub(super) fn read(self, text: &str) -> Option<Vec<Flag>> {
        match self {
            Style::Single => Some(text.chars().map(|c| Flag(c as u32)).collect()),
            Style::Double => {
                let chars: Vec<char> = text.chars().collect();
                let pair = |pair: &[char]| match *pair {
                    [a, b] => Some(Flag((a as u32) << 16 ^ b as u32)),
                    _ => None,
                };
                chars.chunks(2).map(pair).collect()
            }
            Style::Number => text
                .split(',')
                .map(|number| number.trim().parse().ok().map(Flag))
                .collect(),
        }
    }

    /// One flag.
    pub(super) fn read_one(self, text: &str) -> Option<Flag> {
        match self.read(text)?[..] {
            [flag] => Some(flag),
            _ => None,
        }
    }
}
