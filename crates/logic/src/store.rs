//! The heap: where terms live while the machine runs, with its trail.

use num_bigint::{BigInt, Sign};
use serde::{Deserialize, Serialize};

use crate::cell::*;
use crate::fuel::Tally;
use crate::rational::{Entered, PATIENCE, Same};

/// A trail entry that stands for the newest of [`Store::changes`] instead of a variable.
pub(crate) const CHANGED: u32 = u32::MAX;

/// An assignment and what it replaced.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) enum Change {
    /// A cell of the heap.
    Cell(u32, Cell),
    /// A global variable; `None` if it had no value.
    Global(u32, Option<Cell>),
}

/// Terms, and the record of which variables must be unbound on backtracking.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Store {
    pub(crate) cells: Vec<Cell>,
    pub(crate) trail: Vec<u32>,
    /// Assignments that backtracking takes back; the trail has a [`CHANGED`] entry for each.
    #[serde(default)]
    pub(crate) changes: Vec<Change>,
    /// Values of `b_setval/2`, by the number of the name.
    #[serde(default)]
    pub(crate) globals: Vec<(u32, Cell)>,
    /// Variables below this address are older than the newest choice point.
    pub(crate) hb: usize,
    #[serde(skip)]
    pub(crate) work: Vec<(Cell, Cell)>,
    /// Work done for builtins and by long unifications.
    #[serde(skip)]
    pub(crate) tally: Tally,
}

impl Default for Store {
    fn default() -> Self {
        // Cell 0 is reserved: a zeroed slot reads as a reference to it.
        Store {
            cells: vec![0],
            trail: Vec::new(),
            changes: Vec::new(),
            globals: Vec::new(),
            hb: 0,
            work: Vec::new(),
            tally: Tally::default(),
        }
    }
}

/// What a non-variable term is, looked at from outside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Look {
    Var(usize),
    Atom(u32),
    Small(i64),
    Blob(usize),
    /// Address of the head cell; the tail follows.
    Pair(usize),
    /// Functor word, and address of the first argument.
    Compound(Cell, usize),
}

/// Most arguments of a term that is unified without counting.
const FLAT: usize = 16;

impl Store {
    /// Follows references to the end.
    #[inline(always)]
    pub(crate) fn deref(&self, mut c: Cell) -> Cell {
        while tag(c) == REF {
            let next = self.cells[addr(c)];
            if next == c {
                break;
            }
            c = next;
        }
        c
    }

    /// The shape of a term.
    #[inline]
    pub(crate) fn look(&self, c: Cell) -> Look {
        let c = self.deref(c);
        match tag(c) {
            REF => Look::Var(addr(c)),
            ATM => Look::Atom((c >> 3) as u32),
            INT => Look::Small(small_value(c)),
            BLB => Look::Blob(addr(c)),
            LST => Look::Pair(addr(c)),
            _ => Look::Compound(self.cells[addr(c)], addr(c) + 1),
        }
    }

    /// A new unbound variable.
    #[inline(always)]
    pub(crate) fn var(&mut self) -> Cell {
        let c = make(REF, self.cells.len());
        self.cells.push(c);
        c
    }

    /// A list pair.
    pub(crate) fn pair(&mut self, head: Cell, tail: Cell) -> Cell {
        let c = make(LST, self.cells.len());
        self.cells.push(head);
        self.cells.push(tail);
        c
    }

    /// A compound term.
    pub(crate) fn compound(&mut self, functor: Cell, args: &[Cell]) -> Cell {
        let c = make(STR, self.cells.len());
        self.cells.push(functor);
        self.cells.extend_from_slice(args);
        c
    }

    /// A list of the items.
    pub(crate) fn list(&mut self, items: &[Cell], end: Cell) -> Cell {
        if items.is_empty() {
            return end;
        }
        let start = self.cells.len();
        self.tally.spend(2 * items.len());
        for (i, &item) in items.iter().enumerate() {
            self.cells.push(item);
            let last = i + 1 == items.len();
            self.cells.push(if last {
                end
            } else {
                make(LST, start + 2 * (i + 1))
            });
        }
        make(LST, start)
    }

    /// An integer of any size that fits 64 bits.
    pub(crate) fn int(&mut self, n: i64) -> Cell {
        if (MIN_SMALL..=MAX_SMALL).contains(&n) {
            small(n)
        } else {
            self.big(&BigInt::from(n))
        }
    }

    /// An integer of any size.
    pub(crate) fn big(&mut self, n: &BigInt) -> Cell {
        if let Ok(n) = i64::try_from(n)
            && (MIN_SMALL..=MAX_SMALL).contains(&n)
        {
            return small(n);
        }
        let (sign, digits) = n.to_u64_digits();
        self.tally.spend(digits.len());
        let c = make(BLB, self.cells.len());
        self.cells
            .push(header(BIG, sign == Sign::Minus, 0, digits.len()));
        self.cells.extend_from_slice(&digits);
        c
    }

    /// A float.
    pub(crate) fn float(&mut self, x: f64) -> Cell {
        let c = make(BLB, self.cells.len());
        self.cells.push(header(FLOAT, false, 0, 1));
        self.cells.push(x.to_bits());
        c
    }

    /// A string.
    pub(crate) fn text(&mut self, s: &str) -> Cell {
        let words = s.len().div_ceil(8);
        self.tally.spend(words);
        let c = make(BLB, self.cells.len());
        self.cells
            .push(header(TEXT, false, words * 8 - s.len(), words));
        for chunk in s.as_bytes().chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.cells.push(u64::from_le_bytes(word));
        }
        c
    }

    /// The kind of a blob.
    pub(crate) fn kind(&self, at: usize) -> u64 {
        blob_kind(self.cells[at])
    }

    pub(crate) fn float_at(&self, at: usize) -> f64 {
        f64::from_bits(self.cells[at + 1])
    }

    pub(crate) fn big_at(&self, at: usize) -> BigInt {
        let h = self.cells[at];
        let words = &self.cells[at + 1..=at + blob_words(h)];
        self.tally.spend(words.len());
        let mut halves = Vec::with_capacity(2 * words.len());
        for &w in words {
            halves.push(w as u32);
            halves.push((w >> 32) as u32);
        }
        let sign = if blob_negative(h) {
            Sign::Minus
        } else {
            Sign::Plus
        };
        BigInt::new(sign, halves)
    }

    pub(crate) fn text_at(&self, at: usize) -> String {
        let h = self.cells[at];
        let words = blob_words(h);
        self.tally.spend(words);
        let mut bytes = Vec::with_capacity(words * 8);
        for w in &self.cells[at + 1..=at + words] {
            bytes.extend_from_slice(&w.to_le_bytes());
        }
        bytes.truncate(words * 8 - blob_pad(h));
        String::from_utf8(bytes).unwrap_or_default()
    }

    /// Binds the variable at an address, remembering it if a choice point is newer.
    #[inline(always)]
    pub(crate) fn bind(&mut self, at: usize, value: Cell) {
        self.cells[at] = value;
        if at < self.hb {
            self.trail.push(at as u32);
        }
    }

    /// Unbinds everything bound since the trail had a length.
    #[inline]
    pub(crate) fn undo(&mut self, trail: usize) {
        while self.trail.len() > trail {
            match self.trail.pop() {
                Some(CHANGED) => self.take_back(),
                Some(at) => self.cells[at as usize] = make(REF, at as usize),
                None => {}
            }
        }
    }

    #[cold]
    fn take_back(&mut self) {
        match self.changes.pop() {
            Some(Change::Cell(at, old)) => self.cells[at as usize] = old,
            Some(Change::Global(key, old)) => self.put_global(key, old),
            None => {}
        }
    }

    fn put_global(&mut self, key: u32, value: Option<Cell>) {
        self.globals.retain(|(k, _)| *k != key);
        self.globals.extend(value.map(|v| (key, v)));
    }

    /// The value of a global variable set by `b_setval/2`.
    pub(crate) fn global(&self, key: u32) -> Option<Cell> {
        let mut all = self.globals.iter();
        all.find(|(k, _)| *k == key).map(|(_, v)| *v)
    }

    /// Sets a global variable until backtracking.
    pub(crate) fn set_global(&mut self, key: u32, value: Cell) {
        self.changes.push(Change::Global(key, self.global(key)));
        self.trail.push(CHANGED);
        self.put_global(key, Some(value));
    }

    /// Forgets the value that backtracking would take back.
    pub(crate) fn drop_global(&mut self, key: u32) {
        self.put_global(key, None);
    }

    /// Assigns a cell until backtracking.
    pub(crate) fn assign(&mut self, at: usize, value: Cell) {
        if at < self.hb {
            self.changes.push(Change::Cell(at as u32, self.cells[at]));
            self.trail.push(CHANGED);
        }
        self.cells[at] = value;
    }

    /// The items of a proper list, or `None`.
    pub(crate) fn items(&self, list: Cell) -> Option<Vec<Cell>> {
        let (n, end) = self.walk_list(list)?;
        if end != atom(crate::atoms::known::NIL) {
            return None;
        }
        let mut out = Vec::with_capacity(n);
        let mut c = self.deref(list);
        while tag(c) == LST {
            out.push(self.cells[addr(c)]);
            c = self.deref(self.cells[addr(c) + 1]);
        }
        Some(out)
    }

    /// The arguments of a compound term (a pair has two).
    pub(crate) fn args(&self, c: Cell) -> Vec<Cell> {
        match self.look(c) {
            Look::Pair(a) => vec![self.cells[a], self.cells[a + 1]],
            Look::Compound(f, a) => self.cells[a..a + functor_arity(f)].to_vec(),
            _ => Vec::new(),
        }
    }

    /// Makes two terms equal, binding variables; on failure some bindings may remain, for the
    /// backtracking that follows to undo.
    pub(crate) fn unify(&mut self, a: Cell, b: Cell) -> bool {
        let a = self.deref(a);
        let b = self.deref(b);
        if a == b {
            return true;
        }
        match (tag(a), tag(b)) {
            (REF, REF) => {
                let (x, y) = (addr(a), addr(b));
                if x < y {
                    self.bind(y, a);
                } else {
                    self.bind(x, b);
                }
                true
            }
            (REF, _) => {
                self.bind(addr(a), b);
                true
            }
            (_, REF) => {
                self.bind(addr(b), a);
                true
            }
            (x, y) if x != y || x == ATM || x == INT => false,
            (STR, STR) => self.unify_structs(a, b),
            _ => self.unify_deep(a, b),
        }
    }

    /// Unifies two compound terms: as long as no two arguments are compound themselves, nothing has to
    /// be kept for later.
    fn unify_structs(&mut self, a: Cell, b: Cell) -> bool {
        let (x, y) = (addr(a), addr(b));
        let f = self.cells[x];
        if f != self.cells[y] {
            return false;
        }
        let n = functor_arity(f);
        if n > FLAT {
            return self.unify_deep(a, b);
        }
        for i in 1..=n {
            let p = self.deref(self.cells[x + i]);
            let q = self.deref(self.cells[y + i]);
            if p == q {
                continue;
            }
            match (tag(p), tag(q)) {
                (REF, REF) if addr(p) < addr(q) => self.bind(addr(q), p),
                (REF, _) => self.bind(addr(p), q),
                (_, REF) => self.bind(addr(q), p),
                (s, t) if s != t || s == ATM || s == INT => return false,
                // What is bound already is equal by now.
                _ => return self.unify_deep(a, b),
            }
        }
        true
    }

    fn unify_deep(&mut self, a: Cell, b: Cell) -> bool {
        let mut work = std::mem::take(&mut self.work);
        work.clear();
        work.push((a, b));
        // Lists of any usual length are done before this; cyclic terms would never be.
        let patience = self.cells.len().min(1 << 20) + PATIENCE;
        let mut left = patience;
        let mut same = true;
        'pairs: while let Some((a, b)) = work.pop() {
            let (mut a, mut b) = (a, b);
            loop {
                a = self.deref(a);
                b = self.deref(b);
                if a == b {
                    continue 'pairs;
                }
                if left == 0 {
                    work.push((a, b));
                    same = self.unify_rational(&mut work);
                    break 'pairs;
                }
                left -= 1;
                match (tag(a), tag(b)) {
                    (LST, LST) => {
                        let (p, q) = (self.cells[addr(a)], self.cells[addr(b)]);
                        if !self.quick(p, q, &mut work) {
                            same = false;
                            break 'pairs;
                        }
                        // Going on with the tail in place: long lists need no stack.
                        (a, b) = (self.cells[addr(a) + 1], self.cells[addr(b) + 1]);
                    }
                    (STR, STR) => {
                        let f = self.cells[addr(a)];
                        if f != self.cells[addr(b)] {
                            same = false;
                            break 'pairs;
                        }
                        let n = functor_arity(f);
                        if n == 0 {
                            continue 'pairs;
                        }
                        for i in 1..n {
                            let (p, q) = (self.cells[addr(a) + i], self.cells[addr(b) + i]);
                            if !self.quick(p, q, &mut work) {
                                same = false;
                                break 'pairs;
                            }
                        }
                        (a, b) = (self.cells[addr(a) + n], self.cells[addr(b) + n]);
                    }
                    _ => {
                        if self.unify_flat(a, b) {
                            continue 'pairs;
                        }
                        same = false;
                        break 'pairs;
                    }
                }
            }
        }
        self.tally.spend(patience - left);
        self.work = work;
        same
    }

    /// Unifies the pairs that are left, entering no two terms that are already taken for equal.
    #[cold]
    fn unify_rational(&mut self, work: &mut Vec<(Cell, Cell)>) -> bool {
        let mut same = Same::default();
        while let Some((a, b)) = work.pop() {
            let (a, b) = (self.deref(a), self.deref(b));
            self.tally.spend(8);
            if a == b {
                continue;
            }
            match (self.span(a), self.span(b)) {
                (Some((x, n)), Some((y, _))) => {
                    let functor = |c: Cell| {
                        if tag(c) == STR {
                            self.cells[addr(c)]
                        } else {
                            LST
                        }
                    };
                    if functor(a) != functor(b) {
                        return false;
                    }
                    if same.join(x, y) {
                        let pairs = (0..n).rev().map(|i| (self.cells[x + i], self.cells[y + i]));
                        work.extend(pairs);
                    }
                }
                _ if self.unify_flat(a, b) => {}
                _ => return false,
            }
        }
        true
    }

    /// Unifies two terms of which at least one is not compound.
    fn unify_flat(&mut self, a: Cell, b: Cell) -> bool {
        match (tag(a), tag(b)) {
            (REF, REF) => {
                let (x, y) = (addr(a), addr(b));
                if x < y {
                    self.bind(y, a);
                } else {
                    self.bind(x, b);
                }
                true
            }
            (REF, _) => {
                self.bind(addr(a), b);
                true
            }
            (_, REF) => {
                self.bind(addr(b), a);
                true
            }
            (BLB, BLB) => self.same_blob(addr(a), addr(b)),
            _ => false,
        }
    }

    /// Unifies what needs no descent at once and keeps the rest for later.
    fn quick(&mut self, p: Cell, q: Cell, work: &mut Vec<(Cell, Cell)>) -> bool {
        let p = self.deref(p);
        let q = self.deref(q);
        if p == q {
            return true;
        }
        match (tag(p), tag(q)) {
            (REF, REF) => {
                let (x, y) = (addr(p), addr(q));
                if x < y {
                    self.bind(y, p);
                } else {
                    self.bind(x, q);
                }
                true
            }
            (REF, _) => {
                self.bind(addr(p), q);
                true
            }
            (_, REF) => {
                self.bind(addr(q), p);
                true
            }
            (x, y) if x != y || x == ATM || x == INT => false,
            _ => {
                work.push((p, q));
                true
            }
        }
    }

    /// Whether two blobs are the same number or text.
    pub(crate) fn same_blob(&self, a: usize, b: usize) -> bool {
        let n = blob_words(self.cells[a]);
        self.tally.spend(n / 8);
        self.cells[a] == self.cells[b] && self.cells[a + 1..=a + n] == self.cells[b + 1..=b + n]
    }

    /// Whether a variable occurs in a term.
    pub(crate) fn occurs(&self, var: usize, term: Cell) -> bool {
        let mut found = false;
        self.each_var(term, &mut |at| found |= at == var);
        found
    }

    /// Calls `f` with the address of each variable, left to right. A large term's shared parts may
    /// be entered once only: a variable can be told less often than it occurs.
    pub(crate) fn each_var(&self, term: Cell, f: &mut dyn FnMut(usize)) {
        self.walk_vars(term, PATIENCE, f);
    }

    /// Calls `f` with the address of each occurrence of a variable in a term that is not cyclic,
    /// left to right.
    pub(crate) fn each_occurrence(&self, term: Cell, f: &mut dyn FnMut(usize)) {
        self.walk_vars(term, usize::MAX, f);
    }

    fn walk_vars(&self, term: Cell, patience: usize, f: &mut dyn FnMut(usize)) {
        let mut stack = vec![term];
        let mut entered = Entered::new(patience);
        let mut seen = 0;
        while let Some(c) = stack.pop() {
            seen += 1;
            match self.look(c) {
                Look::Var(at) => f(at),
                Look::Pair(a) if entered.enter(self, a) => {
                    stack.push(self.cells[a + 1]);
                    stack.push(self.cells[a]);
                }
                Look::Compound(g, a) if entered.enter(self, a) => {
                    stack.extend(self.cells[a..a + functor_arity(g)].iter().rev());
                }
                _ => {}
            }
        }
        self.tally.spend(seen);
    }

    /// Whether a term has no variables.
    pub(crate) fn is_ground(&self, term: Cell) -> bool {
        let mut stack = vec![term];
        let mut entered = Entered::new(PATIENCE);
        while let Some(c) = stack.pop() {
            match self.look(c) {
                Look::Var(_) => return false,
                Look::Pair(_) | Look::Compound(..) => {
                    let Some((a, n)) = self.span(c) else { continue };
                    if entered.enter(self, a) {
                        stack.extend(self.cells[a..a + n].iter().rev());
                        if self.tally.give_up(n) {
                            return false;
                        }
                    }
                }
                _ => {}
            }
        }
        true
    }

    /// The distinct variables of a term in order of first appearance.
    pub(crate) fn vars(&self, term: Cell) -> Vec<Cell> {
        let mut seen = std::collections::HashSet::new();
        let mut out = Vec::new();
        self.each_var(term, &mut |at| {
            if seen.insert(at) {
                out.push(make(REF, at));
            }
        });
        out
    }
}
