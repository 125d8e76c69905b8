//! The program: predicates, their clauses, and how clauses are found.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use crate::atoms::{Atoms, QuickMap};
use crate::cell::*;
use crate::code::{Instr, Op};
use crate::store::Store;
use crate::stored::Stored;

/// Longest clause list that is searched without a table.
pub(crate) const SHORT: usize = 8;
/// Which of the predicates for control inside `call/1`.
pub(crate) const AND: usize = 0;
pub(crate) const OR: usize = 1;
pub(crate) const IF: usize = 2;
pub(crate) const SOFT: usize = 3;
pub(crate) const ANY_ARG: usize = 4;
/// Their names and numbers of arguments.
pub(crate) const HELPERS: [(&str, usize); 5] = [
    ("$and", 3),
    ("$or", 3),
    ("$if", 4),
    ("$soft", 4),
    ("$any_arg", 3),
];
/// Arguments that can have a table.
const INDEXED: usize = 8;

/// What a predicate is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Body {
    Clauses,
    /// Runs to the end in one go.
    Builtin(u16),
    /// May go on with another goal.
    Control(u16),
}

/// A clause as seen by a call: keys of the first argument and of what is inside it, code address,
/// clause number.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Slot {
    pub(crate) key: u64,
    #[serde(default)]
    pub(crate) deep: u64,
    pub(crate) code: u32,
    pub(crate) id: u32,
}

/// Clauses by the key of one argument; clauses with a variable there are in every bucket.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    buckets: QuickMap<u64, Bucket>,
    any: Vec<Slot>,
}

#[derive(Clone, Debug)]
enum Bucket {
    One([Slot; 1]),
    Many(Vec<Slot>),
}

impl Index {
    /// The clauses that may match a key.
    pub(crate) fn find(&self, key: u64) -> &[Slot] {
        match self.buckets.get(&key) {
            Some(Bucket::One(s)) => s,
            Some(Bucket::Many(v)) => v,
            None => &self.any,
        }
    }

    fn insert(&mut self, key: u64, slot: Slot, front: bool) {
        let put = |v: &mut Vec<Slot>| {
            if front {
                v.insert(0, slot);
            } else {
                v.push(slot);
            }
        };
        if key == 0 {
            for bucket in self.buckets.values_mut() {
                if let Bucket::One([s]) = bucket {
                    *bucket = Bucket::Many(vec![*s]);
                }
                if let Bucket::Many(v) = bucket {
                    put(v);
                }
            }
            put(&mut self.any);
            return;
        }
        match self.buckets.get_mut(&key) {
            Some(Bucket::Many(v)) => put(v),
            Some(bucket @ Bucket::One(_)) => {
                let Bucket::One([s]) = bucket else { return };
                let mut v = Vec::with_capacity(4);
                v.push(*s);
                put(&mut v);
                *bucket = Bucket::Many(v);
            }
            None if self.any.is_empty() => {
                self.buckets.insert(key, Bucket::One([slot]));
            }
            None => {
                let mut v = self.any.clone();
                put(&mut v);
                self.buckets.insert(key, Bucket::Many(v));
            }
        }
    }

    fn retain(&mut self, keep: impl Fn(u32) -> bool) {
        self.any.retain(|s| keep(s.id));
        self.buckets.retain(|_, b| match b {
            Bucket::One([s]) => keep(s.id),
            Bucket::Many(v) => {
                v.retain(|s| keep(s.id));
                !v.is_empty()
            }
        });
    }
}

/// A predicate.
#[allow(clippy::struct_excessive_bools)] // Independent properties, as Prolog lists them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Pred {
    pub(crate) name: u32,
    pub(crate) arity: usize,
    pub(crate) body: Body,
    pub(crate) slots: Vec<Slot>,
    /// Slots before this one are erased for every call that starts now.
    pub(crate) start: usize,
    pub(crate) dead: usize,
    /// Erased clauses at which it is worth asking again whether they can be taken out.
    #[serde(skip)]
    pub(crate) tidy_at: usize,
    /// Whether clauses were ever erased or added while running.
    pub(crate) changed: bool,
    pub(crate) dynamic: bool,
    pub(crate) defined: bool,
    /// Belongs to the library: protected, and not shown in steps.
    pub(crate) library: bool,
    pub(crate) tabled: bool,
    /// How its table brings the values of arguments together, if any has a mode.
    #[serde(default)]
    pub(crate) modes: Vec<crate::modes::Mode>,
    pub(crate) discontiguous: bool,
    /// Whether its clauses bind variables only by heads, tests in line and what is logged, so that
    /// a proof can be worked out without its arguments.
    pub(crate) plain: bool,
    /// Whether some clause can be told by what is inside its first argument.
    #[serde(default)]
    pub(crate) deep: bool,
    #[serde(skip)]
    pub(crate) indexes: [OnceLock<Arc<Index>>; INDEXED],
}

/// A clause.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Clause {
    pub(crate) pred: u32,
    pub(crate) code: u32,
    pub(crate) len: u32,
    pub(crate) birth: u64,
    pub(crate) death: u64,
    /// Position among the clauses of its predicate; grows towards the end.
    pub(crate) order: i64,
    /// `Head :- Body`.
    pub(crate) term: Stored,
    /// Source text number and offset.
    pub(crate) source: Option<(u32, u32)>,
    /// Offsets in the source of goals, by offset in the code.
    pub(crate) spots: Box<[(u32, u32)]>,
}

/// A text that was loaded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Source {
    pub(crate) name: String,
    pub(crate) text: Arc<str>,
}

/// Everything that was loaded or asserted.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Program {
    pub(crate) code: Vec<Instr>,
    /// Code before this address is the library's.
    #[serde(default)]
    pub(crate) library_code: u32,
    /// The library's predicates for control inside `call/1`.
    #[serde(default)]
    pub(crate) helpers: [u32; 5],
    pub(crate) preds: Vec<Pred>,
    #[serde(with = "pairs")]
    pub(crate) by_name: QuickMap<(u32, u32), u32>,
    pub(crate) clauses: Vec<Clause>,
    pub(crate) templates: Vec<Arc<[Cell]>>,
    pub(crate) generation: u64,
    pub(crate) sources: Vec<Source>,
    /// Erased clauses that no list mentions any more, whose space is not yet free.
    pub(crate) graves: Vec<u32>,
    /// Templates that no code uses any more.
    #[serde(default)]
    pub(crate) free_templates: Vec<u32>,
    /// Words that the terms of clauses and the templates take.
    #[serde(default)]
    pub(crate) held: usize,
    /// Free clause numbers, and free code by length.
    pub(crate) free: Vec<u32>,
    pub(crate) holes: BTreeMap<u32, Vec<u32>>,
}

/// Hash maps with tuple keys as lists of pairs.
mod pairs {
    use super::QuickMap;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(
        map: &QuickMap<(u32, u32), u32>,
        s: S,
    ) -> Result<S::Ok, S::Error> {
        let mut v: Vec<_> = map.iter().collect();
        v.sort_unstable();
        v.serialize(s)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        d: D,
    ) -> Result<QuickMap<(u32, u32), u32>, D::Error> {
        Ok(Vec::<((u32, u32), u32)>::deserialize(d)?
            .into_iter()
            .collect())
    }
}

/// The key under which a term is found; 0 for a variable.
#[inline(always)]
pub(crate) fn key_of(store: &Store, c: Cell) -> u64 {
    let c = store.deref(c);
    match tag(c) {
        REF => 0,
        ATM | INT => c,
        LST => LST | 8,
        STR => store.cells[addr(c)],
        _ => blob_key(&store.cells, addr(c)),
    }
}

/// Pairs of a list that are looked through for a key.
const SPINE: usize = 4;
/// The key of a list with more pairs, which no clause has.
const LONG: u64 = 1 << 62;

/// The key of what is inside a term: the first argument of a compound term, the number of pairs of a
/// list and what it ends with. 0 where that is not known; terms with different keys do not unify.
pub(crate) fn deep_key(cells: &[Cell], c: Cell) -> u64 {
    let deref = |mut c: Cell| {
        while tag(c) == REF && cells[addr(c)] != c {
            c = cells[addr(c)];
        }
        c
    };
    let key = |c: Cell| match tag(c) {
        REF => 0,
        ATM | INT => c,
        LST => LST | 8,
        STR => cells[addr(c)],
        _ => blob_key(cells, addr(c)),
    };
    let mut c = deref(c);
    match tag(c) {
        STR if functor_arity(cells[addr(c)]) > 0 => key(deref(cells[addr(c) + 1])),
        LST => {
            for n in 1..=SPINE as u64 {
                c = deref(cells[addr(c) + 1]);
                match tag(c) {
                    LST => {}
                    REF => return 0,
                    _ => return key(c) ^ (n << 58) | (1 << 63),
                }
            }
            LONG
        }
        _ => 0,
    }
}

fn blob_key(cells: &[Cell], at: usize) -> u64 {
    let n = blob_words(cells[at]);
    let mut h = 0u64;
    for &w in &cells[at..=at + n] {
        h = (h.rotate_left(7) ^ w).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    (h << 3) | BLB
}

impl Stored {
    /// The key of what is inside the first argument of the head.
    pub(crate) fn head_deep(&self) -> u64 {
        let cells = &self.0;
        let head = cells[addr(cells[0]) + 1];
        if tag(head) != STR {
            return 0;
        }
        match deep_key(cells, cells[addr(head) + 1]) {
            LONG => 0,
            key => key,
        }
    }

    /// The key of an argument of the head.
    pub(crate) fn head_key(&self, arg: usize) -> u64 {
        let cells = &self.0;
        let head = cells[addr(cells[0]) + 1];
        if tag(head) != STR {
            return 0;
        }
        let c = cells[addr(head) + 1 + arg];
        match tag(c) {
            REF => 0,
            ATM | INT => c,
            LST => LST | 8,
            STR => cells[addr(c)],
            _ => blob_key(cells, addr(c)),
        }
    }
}

impl Slot {
    /// Whether a clause may fit a call with these keys; 0 is a variable.
    #[inline(always)]
    pub(crate) fn fits(&self, key: u64, deep: u64) -> bool {
        (self.key == key || self.key == 0 || key == 0)
            && (self.deep == deep || self.deep == 0 || deep == 0)
    }
}

/// Predicates of ISO 13211-1 that are clauses of the library: like builtins, they may not be changed.
const STANDARD: [(&str, usize); 22] = [
    ("\\+", 1),
    ("abolish", 1),
    ("atom_concat", 3),
    ("bagof", 3),
    ("char_conversion", 2),
    ("clause", 2),
    ("current_char_conversion", 2),
    ("current_op", 3),
    ("current_predicate", 1),
    ("current_prolog_flag", 2),
    ("findall", 3),
    ("findall", 4),
    ("once", 1),
    ("repeat", 0),
    ("retract", 1),
    ("retractall", 1),
    ("set_prolog_flag", 2),
    ("set_stream_position", 2),
    ("setof", 3),
    ("stream_property", 2),
    ("sub_atom", 5),
    ("subsumes_term", 2),
];

impl Program {
    /// Whether a predicate of the library is one that the standard protects.
    pub(crate) fn is_standard(&self, pred: u32, atoms: &Atoms) -> bool {
        let p = &self.preds[pred as usize];
        let name = || atoms.name(p.name);
        p.library && STANDARD.iter().any(|&(n, a)| a == p.arity && n == name())
    }

    /// The number of a predicate, made if it was never named.
    pub(crate) fn pred(&mut self, name: u32, arity: usize) -> u32 {
        if let Some(&p) = self.by_name.get(&(name, arity as u32)) {
            return p;
        }
        let p = self.preds.len() as u32;
        self.by_name.insert((name, arity as u32), p);
        self.preds.push(Pred {
            name,
            arity,
            body: Body::Clauses,
            slots: Vec::new(),
            start: 0,
            dead: 0,
            tidy_at: 0,
            changed: false,
            dynamic: false,
            defined: false,
            library: false,
            tabled: false,
            modes: Vec::new(),
            discontiguous: false,
            plain: true,
            deep: false,
            indexes: Default::default(),
        });
        p
    }

    pub(crate) fn find(&self, name: u32, arity: usize) -> Option<u32> {
        self.by_name.get(&(name, arity as u32)).copied()
    }

    /// The table of one argument, built when first asked for.
    pub(crate) fn index(&self, pred: &Pred, arg: usize) -> Option<Arc<Index>> {
        let cell = pred.indexes.get(arg)?;
        Some(
            cell.get_or_init(|| {
                let mut index = Index::default();
                index.buckets.reserve(pred.slots.len() / 2);
                for slot in &pred.slots {
                    let clause = &self.clauses[slot.id as usize];
                    index.insert(clause.term.head_key(arg), *slot, false);
                }
                Arc::new(index)
            })
            .clone(),
        )
    }

    /// Like [`Program::index`], without sharing.
    #[inline]
    pub(crate) fn bucket<'a>(&'a self, pred: &'a Pred, arg: usize, key: u64) -> &'a [Slot] {
        let Some(cell) = pred.indexes.get(arg) else {
            return &pred.slots;
        };
        match cell.get() {
            Some(index) => index.find(key),
            None => {
                self.index(pred, arg);
                cell.get().map_or(&pred.slots[..], |i| i.find(key))
            }
        }
    }

    /// Adds a clause.
    pub(crate) fn add(&mut self, mut clause: Clause, code: &[Instr], key: u64, front: bool) -> u32 {
        self.generation += 1;
        clause.birth = self.generation;
        let len = code.len() as u32;
        let base = match self.holes.get_mut(&len).and_then(Vec::pop) {
            Some(at) => at,
            None => {
                let at = self.code.len() as u32;
                self.code.resize(self.code.len() + code.len(), FAIL);
                at
            }
        };
        for (i, instr) in code.iter().enumerate() {
            let mut instr = *instr;
            if matches!(instr.op, Op::TryElse | Op::Jump | Op::SetElse) {
                instr.c += base;
            }
            self.code[base as usize + i] = instr;
        }
        clause.code = base;
        clause.len = len;
        self.held += clause.term.0.len();
        let pred = &mut self.preds[clause.pred as usize];
        let end = if front {
            pred.slots.first()
        } else {
            pred.slots.last()
        };
        clause.order = end.map_or(0, |s| {
            self.clauses[s.id as usize].order + if front { -1 } else { 1 }
        });
        let id = self.free.pop().unwrap_or(self.clauses.len() as u32);
        let deep = clause.term.head_deep();
        pred.deep |= deep != 0;
        let slot = Slot {
            key,
            deep,
            code: base,
            id,
        };
        for (arg, cell) in pred.indexes.iter_mut().enumerate() {
            if let Some(index) = cell.get_mut() {
                Arc::make_mut(index).insert(clause.term.head_key(arg), slot, front);
            }
        }
        if front {
            pred.slots.insert(0, slot);
            pred.start = 0;
        } else {
            pred.slots.push(slot);
        }
        pred.defined = true;
        if (id as usize) < self.clauses.len() {
            self.clauses[id as usize] = clause;
        } else {
            self.clauses.push(clause);
        }
        id
    }

    /// About how many words of memory the program takes.
    pub(crate) fn words(&self) -> usize {
        // A clause, its slot, and its entries in tables; a predicate with its own.
        self.code.len() + 32 * self.clauses.len() + 48 * self.preds.len() + self.held
    }

    /// Keeps a template for code that is being made; gives its number.
    pub(crate) fn add_template(&mut self, block: Vec<Cell>) -> u32 {
        self.held += block.len();
        let block: Arc<[Cell]> = Arc::from(block);
        match self.free_templates.pop() {
            Some(id) => {
                self.templates[id as usize] = block;
                id
            }
            None => {
                self.templates.push(block);
                self.templates.len() as u32 - 1
            }
        }
    }

    /// Whether a clause is visible to a call that began at a generation.
    #[inline(always)]
    pub(crate) fn visible(&self, id: u32, generation: u64) -> bool {
        let c = &self.clauses[id as usize];
        c.birth <= generation && generation < c.death
    }

    /// Erases a clause. It stays among those of its predicate for calls that began before.
    pub(crate) fn erase(&mut self, id: u32) {
        let clause = &mut self.clauses[id as usize];
        if clause.death != u64::MAX {
            return;
        }
        self.generation += 1;
        clause.death = self.generation;
        let pred = &mut self.preds[clause.pred as usize];
        pred.changed = true;
        pred.dead += 1;
        while pred
            .slots
            .get(pred.start)
            .is_some_and(|s| self.clauses[s.id as usize].death <= self.generation)
        {
            pred.start += 1;
        }
    }

    /// Takes the clauses of a predicate that no call since a generation can come to out of its lists.
    pub(crate) fn tidy(&mut self, pred: u32, since: u64) {
        let pred = &mut self.preds[pred as usize];
        let clauses = &self.clauses;
        let keep = |id: u32| clauses[id as usize].death > since;
        let gone = pred.slots.iter().map(|s| s.id).filter(|&id| !keep(id));
        let before = self.graves.len();
        self.graves.extend(gone);
        let gone = self.graves.len() - before;
        pred.dead -= gone;
        // If calls are in the way, it is not worth asking again soon.
        pred.tidy_at = 2 * pred.dead;
        if gone > 0 {
            pred.slots.retain(|s| keep(s.id));
            for cell in &mut pred.indexes {
                if let Some(index) = cell.get_mut() {
                    Arc::make_mut(index).retain(keep);
                }
            }
            let erased = |s: &&Slot| clauses[s.id as usize].death != u64::MAX;
            pred.start = pred.slots.iter().take_while(erased).count();
        }
    }

    /// Gives back the space of erased clauses that nobody is running or about to try.
    /// `in_use` answers for a range of code.
    pub(crate) fn bury(&mut self, in_use: impl Fn(u32, u32) -> bool) {
        let graves = std::mem::take(&mut self.graves);
        for id in graves {
            let (code, len) = (
                self.clauses[id as usize].code,
                self.clauses[id as usize].len,
            );
            if in_use(code, len) {
                self.graves.push(id);
            } else {
                for at in code..code + len {
                    let instr = std::mem::replace(&mut self.code[at as usize], FAIL);
                    if instr.op == Op::Build {
                        let block = &mut self.templates[instr.c as usize];
                        self.held -= block.len();
                        *block = Arc::from([]);
                        self.free_templates.push(instr.c);
                    }
                }
                self.holes.entry(len).or_default().push(code);
                self.held -= self.clauses[id as usize].term.0.len();
                self.clauses[id as usize].term = Stored(Box::new([0]));
                self.free.push(id);
            }
        }
    }

    /// The clause whose code contains an address.
    pub(crate) fn clause_at(&self, pc: usize) -> Option<u32> {
        // Only used when something went wrong, so a walk over all clauses is fine.
        self.clauses
            .iter()
            .position(|c| {
                (c.code as usize..(c.code + c.len) as usize).contains(&pc) && c.term.0.len() > 1
            })
            .map(|i| i as u32)
    }
}

const FAIL: Instr = Instr {
    op: Op::Fail,
    a: 0,
    b: 0,
    c: 0,
};
