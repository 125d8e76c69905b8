//! Names: every atom and functor is a small number while the machine runs.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::cell::{Cell, atom, functor};

/// A quick hash for small keys; the tables are not exposed to hostile keys chosen for collisions
/// beyond what the fuel of a run allows.
#[derive(Default, Clone)]
pub(crate) struct Quick(u64);

impl Hasher for Quick {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 29)
    }
    fn write(&mut self, bytes: &[u8]) {
        let mut chunks = bytes.chunks_exact(8);
        for c in &mut chunks {
            self.write_u64(u64::from_le_bytes([
                c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7],
            ]));
        }
        for &b in chunks.remainder() {
            self.write_u64(u64::from(b));
        }
    }
    fn write_u8(&mut self, n: u8) {
        self.write_u64(u64::from(n));
    }
    fn write_u32(&mut self, n: u32) {
        self.write_u64(u64::from(n));
    }
    fn write_u64(&mut self, n: u64) {
        let mixed = (self.0.rotate_left(5) ^ n).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ (mixed >> 32);
    }
    fn write_usize(&mut self, n: usize) {
        self.write_u64(n as u64);
    }
}

/// A hash map with the quick hash.
pub(crate) type QuickMap<K, V> = HashMap<K, V, BuildHasherDefault<Quick>>;

/// The table of names.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(from = "SavedAtoms", into = "SavedAtoms")]
pub(crate) struct Atoms {
    names: Vec<Arc<str>>,
    numbers: QuickMap<Arc<str>, u32>,
    functors: Vec<(u32, u32)>,
    functor_numbers: QuickMap<(u32, u32), u32>,
}

#[derive(Serialize, Deserialize)]
struct SavedAtoms {
    names: Vec<Arc<str>>,
    functors: Vec<(u32, u32)>,
}

impl Atoms {
    /// About how many words of memory the names take.
    pub(crate) fn words(&self) -> usize {
        12 * self.names.len()
    }
}

impl From<Atoms> for SavedAtoms {
    fn from(a: Atoms) -> Self {
        SavedAtoms {
            names: a.names,
            functors: a.functors,
        }
    }
}

impl From<SavedAtoms> for Atoms {
    fn from(s: SavedAtoms) -> Self {
        let numbers = s
            .names
            .iter()
            .enumerate()
            .map(|(i, n)| (n.clone(), i as u32))
            .collect();
        let functor_numbers = s
            .functors
            .iter()
            .enumerate()
            .map(|(i, &f)| (f, i as u32))
            .collect();
        Atoms {
            names: s.names,
            numbers,
            functors: s.functors,
            functor_numbers,
        }
    }
}

macro_rules! well_known {
    ($($name:ident = $text:expr),* $(,)?) => {
        /// Atoms whose numbers are fixed, so that code can name them.
        pub(crate) mod known {
            #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
            #[repr(u32)]
            enum Number { $($name),* }
            $(pub(crate) const $name: u32 = Number::$name as u32;)*
            pub(super) const TEXTS: &[&str] = &[$($text),*];
        }
    };
}

well_known! {
    NIL = "[]", DOT = "[|]", CURLY = "{}", COMMA = ",", SEMICOLON = ";", ARROW = "->",
    SOFT = "*->", NECK = ":-", CUT = "!", TRUE = "true", FAIL = "fail", FALSE = "false",
    NOT = "\\+", EQUAL = "=", MINUS = "-", PLUS = "+", SLASH = "/", BAR = "|",
    CALL = "call", ERROR = "error", CARET = "^", COLON = ":", DCG = "-->", QUERY = "?-",
    LESS = "<", GREATER = ">", UNKNOWN = "unknown", NUMBER_VARS = "$VAR", ASSIGN = "is",
    STRING_ATOM = "string",
}

impl Atoms {
    /// A table that holds the atoms with fixed numbers.
    pub(crate) fn new() -> Self {
        let mut a = Atoms::default();
        for text in known::TEXTS {
            a.intern(text);
        }
        a
    }

    /// The number of a name, given a new one if it was never seen.
    pub(crate) fn intern(&mut self, text: &str) -> u32 {
        if let Some(&n) = self.numbers.get(text) {
            return n;
        }
        let n = self.names.len() as u32;
        let shared: Arc<str> = text.into();
        self.names.push(shared.clone());
        self.numbers.insert(shared, n);
        n
    }

    /// The number of a name if it was seen.
    pub(crate) fn find(&self, text: &str) -> Option<u32> {
        self.numbers.get(text).copied()
    }

    /// The atom's cell.
    pub(crate) fn cell(&mut self, text: &str) -> Cell {
        atom(self.intern(text))
    }

    /// The text of an atom.
    pub(crate) fn name(&self, n: u32) -> &str {
        &self.names[n as usize]
    }

    /// The text of an atom, shared.
    pub(crate) fn shared(&self, n: u32) -> Arc<str> {
        self.names[n as usize].clone()
    }

    /// The functor word for a name and an arity.
    pub(crate) fn functor(&mut self, name: u32, arity: usize) -> Cell {
        let key = (name, arity as u32);
        if let Some(&n) = self.functor_numbers.get(&key) {
            return functor(n, arity);
        }
        let n = self.functors.len() as u32;
        self.functors.push(key);
        self.functor_numbers.insert(key, n);
        functor(n, arity)
    }

    /// The name and the arity of a functor word.
    #[inline]
    pub(crate) fn functor_parts(&self, f: Cell) -> (u32, usize) {
        let (name, arity) = self.functors[crate::cell::functor_index(f) as usize];
        (name, arity as usize)
    }

    /// How many atoms there are.
    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }
}
