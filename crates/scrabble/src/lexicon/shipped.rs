//! The lexicons that come with the program.
//!
//! English and Polish are part of it. Czech is not: its words are under the GPL, stay in a folder of
//! their own, and are read by whoever opens files (see [`Shipped::file`]).

use std::sync::{Arc, LazyLock};

use super::compact::{BadLexicon, Compact};
use super::words::Lexicon;
use crate::tiles::TileSet;

/// A lexicon that comes with the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shipped {
    /// Its name, as in specs, and that of its tile set.
    pub name: &'static str,
    /// What is in it.
    pub about: &'static str,
    /// The file, where it is part of the program.
    pub bytes: Option<&'static [u8]>,
    /// The file's name, where it stands apart.
    pub file: &'static str,
    /// What its words may be used for, in a word.
    pub licence: &'static str,
}

/// Those there are.
pub const SHIPPED: [Shipped; 3] = [
    Shipped {
        name: "czech",
        about: "every form of the Czech spelling dictionary (Debian's hunspell-cs)",
        bytes: None,
        file: "czech.lex",
        licence: "GPL-2.0",
    },
    Shipped {
        name: "english",
        about: "SCOWL up to size 80, all spellings (Debian's scowl)",
        bytes: Some(include_bytes!("../../data/lexicons/english.lex")),
        file: "english.lex",
        licence: "SCOWL's own, see its notice",
    },
    Shipped {
        name: "polish",
        about: "the dictionary of sjp.pl (Debian's wpolish)",
        bytes: Some(include_bytes!("../../data/lexicons/polish.lex")),
        file: "polish.lex",
        licence: "Apache-2.0",
    },
];

static ENGLISH: LazyLock<Result<Arc<Lexicon>, BadLexicon>> = LazyLock::new(|| unpack("english"));
static POLISH: LazyLock<Result<Arc<Lexicon>, BadLexicon>> = LazyLock::new(|| unpack("polish"));

fn unpack(name: &str) -> Result<Arc<Lexicon>, BadLexicon> {
    let shipped = Shipped::named(name).and_then(|s| s.bytes);
    Lexicon::read(shipped.unwrap_or_default()).map(Arc::new)
}

impl Shipped {
    /// The one with this name.
    pub fn named(name: &str) -> Option<&'static Shipped> {
        SHIPPED.iter().find(|shipped| shipped.name == name)
    }
}

impl Lexicon {
    /// A lexicon that is part of the program, ready to play: `english` or `polish`. Unpacked once.
    pub fn embedded(name: &str) -> Option<Arc<Lexicon>> {
        let unpacked = match name {
            "english" => &ENGLISH,
            "polish" => &POLISH,
            _ => return None,
        };
        let lexicon = unpacked
            .as_ref()
            .expect("the shipped lexicons are well formed");
        Some(Arc::clone(lexicon))
    }

    /// Reads a lexicon file that is for one of the shipped tile sets.
    pub fn read(file: &[u8]) -> Result<Lexicon, BadLexicon> {
        let compact = Compact::open(file)?;
        let tiles = TileSet::named(compact.tile_set()).ok_or_else(|| BadLexicon::OtherTiles {
            lexicon: compact.name().to_owned(),
            made_for: compact.tile_set().to_owned(),
            wanted: "czech, english, polish".to_owned(),
        })?;
        compact.lexicon(&tiles)
    }
}
