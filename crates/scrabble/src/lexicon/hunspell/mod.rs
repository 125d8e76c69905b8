//! Every form of every word, from a dictionary of stems (`.dic`) and its affixes (`.aff`).
//!
//! The two files are those that hunspell reads. A stem carries flags; a flag names a class of
//! suffixes or prefixes; an affix takes something off, puts something on, and may ask for how the stem
//! begins or ends. Affixes can carry flags themselves (a second suffix), and a prefix and a suffix
//! go together where both allow it. Compounding and suggestions are not needed for a list of words and
//! are passed over.

mod affix;
mod expand;
mod flags;

pub use affix::{Affixes, BadAffix};
pub use expand::{BadDictionary, Form, expand};
