//! Names: every atom and functor is a small number while the machine runs.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::cell::{Cell, atom, functor};
use crate::sweep::Used;

/// Stands in the place of a functor that is not in use.
const NO_FUNCTOR: (u32, u32) = (u32::MAX, 0);

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
    /// Bytes of all names.
    bytes: usize,
    numbers: QuickMap<Arc<str>, u32>,
    functors: Vec<(u32, u32)>,
    functor_numbers: QuickMap<(u32, u32), u32>,
    /// Numbers of atoms and functors that are not in use.
    free: Vec<u32>,
    free_functors: Vec<u32>,
}

#[derive(Serialize, Deserialize)]
struct SavedAtoms {
    names: Vec<Arc<str>>,
    functors: Vec<(u32, u32)>,
    #[serde(default)]
    free: Vec<u32>,
    #[serde(default)]
    free_functors: Vec<u32>,
}

impl Atoms {
    /// About how many words of memory the names take.
    pub(crate) fn words(&self) -> usize {
        12 * (self.names.len() - self.free.len())
            + 6 * (self.functors.len() - self.free_functors.len())
            + self.bytes / 8
    }
}

/// What a table of names has that another one does not.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct NameChanges {
    names: Vec<(u32, Arc<str>)>,
    functors: Vec<(u32, (u32, u32))>,
    free: Vec<u32>,
    free_functors: Vec<u32>,
}

impl Atoms {
    /// What was changed since the table was like `base`.
    pub(crate) fn since(&self, base: &Atoms) -> NameChanges {
        let names = self.names.iter().enumerate();
        let names = names.filter(|&(i, n)| base.names.get(i) != Some(n));
        let functors = self.functors.iter().enumerate();
        let functors = functors.filter(|&(i, f)| base.functors.get(i) != Some(f));
        NameChanges {
            names: names.map(|(i, n)| (i as u32, n.clone())).collect(),
            functors: functors.map(|(i, &f)| (i as u32, f)).collect(),
            free: self.free.clone(),
            free_functors: self.free_functors.clone(),
        }
    }

    /// A table like `base`, with changes. They come in the order of their numbers.
    pub(crate) fn changed(base: &Atoms, changes: NameChanges) -> Atoms {
        let mut saved = SavedAtoms::from(base.clone());
        for (i, name) in changes.names {
            match saved.names.get_mut(i as usize) {
                Some(n) => *n = name,
                None => saved.names.push(name),
            }
        }
        for (i, functor) in changes.functors {
            match saved.functors.get_mut(i as usize) {
                Some(f) => *f = functor,
                None => saved.functors.push(functor),
            }
        }
        saved.free = changes.free;
        saved.free_functors = changes.free_functors;
        saved.into()
    }

    /// Adds all names to a fingerprint.
    pub(crate) fn fingerprint(&self, hash: &mut Quick) {
        for n in &self.names {
            hash.write(n.as_bytes());
        }
    }
}

impl From<Atoms> for SavedAtoms {
    fn from(a: Atoms) -> Self {
        SavedAtoms {
            names: a.names,
            functors: a.functors,
            free: a.free,
            free_functors: a.free_functors,
        }
    }
}

impl From<SavedAtoms> for Atoms {
    fn from(s: SavedAtoms) -> Self {
        let mut numbers: QuickMap<Arc<str>, u32> = s
            .names
            .iter()
            .enumerate()
            .map(|(i, n)| (n.clone(), i as u32))
            .collect();
        if !s.free.is_empty() {
            // The empty atom may be in use under another number than those that are free.
            let free: HashSet<u32> = s.free.iter().copied().collect();
            let empty = |i: &usize| s.names[*i].is_empty() && !free.contains(&(*i as u32));
            match (0..s.names.len()).find(empty) {
                Some(i) => numbers.insert("".into(), i as u32),
                None => numbers.remove(""),
            };
        }
        let mut functor_numbers: QuickMap<(u32, u32), u32> = s
            .functors
            .iter()
            .enumerate()
            .map(|(i, &f)| (f, i as u32))
            .collect();
        functor_numbers.remove(&NO_FUNCTOR);
        Atoms {
            bytes: s.names.iter().map(|n| n.len()).sum(),
            names: s.names,
            numbers,
            functors: s.functors,
            functor_numbers,
            free: s.free,
            free_functors: s.free_functors,
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
    STRING_ATOM = "string", ELLIPSIS = "…",
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

    /// Makes room for so many more names.
    pub(crate) fn reserve(&mut self, names: usize) {
        self.names.reserve(names);
        self.numbers.reserve(names);
        self.functor_numbers.reserve(names);
    }

    /// The number of a name, given a new one if it was never seen.
    pub(crate) fn intern(&mut self, text: &str) -> u32 {
        if let Some(&n) = self.numbers.get(text) {
            return n;
        }
        let shared: Arc<str> = text.into();
        self.bytes += text.len();
        let n = match self.free.pop() {
            Some(n) => {
                self.names[n as usize] = shared.clone();
                n
            }
            None => {
                self.names.push(shared.clone());
                self.names.len() as u32 - 1
            }
        };
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

    /// The functor word of a name with an arity, if there is one.
    #[inline]
    pub(crate) fn find_functor(&self, name: u32, arity: usize) -> Option<Cell> {
        let n = self.functor_numbers.get(&(name, arity as u32))?;
        Some(functor(*n, arity))
    }

    /// The functor word for a name and an arity.
    pub(crate) fn functor(&mut self, name: u32, arity: usize) -> Cell {
        if let Some(f) = self.find_functor(name, arity) {
            return f;
        }
        let key = (name, arity as u32);
        let n = match self.free_functors.pop() {
            Some(n) => {
                self.functors[n as usize] = key;
                n
            }
            None => {
                self.functors.push(key);
                self.functors.len() as u32 - 1
            }
        };
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
        self.names.len() - self.free.len()
    }

    /// The numbers given to atoms and to functors are below these.
    pub(crate) fn sizes(&self) -> (usize, usize) {
        (self.names.len(), self.functors.len())
    }

    /// Frees what is not in use.
    pub(crate) fn sweep(&mut self, used: &mut Used) {
        for n in 0..self.functors.len() {
            let key = self.functors[n];
            if used.functors[n] {
                used.atoms[key.0 as usize] = true;
            } else if key != NO_FUNCTOR {
                self.functor_numbers.remove(&key);
                self.functors[n] = NO_FUNCTOR;
                self.free_functors.push(n as u32);
            }
        }
        let empty: Arc<str> = "".into();
        let free: HashSet<u32> = self.free.iter().copied().collect();
        for n in known::TEXTS.len()..self.names.len() {
            if used.atoms[n] || free.contains(&(n as u32)) {
                continue;
            }
            let name = std::mem::replace(&mut self.names[n], empty.clone());
            self.bytes -= name.len();
            self.numbers.remove(&name);
            self.free.push(n as u32);
        }
        self.numbers.shrink_to(2 * self.numbers.len());
    }
}
