//! The heap: where terms live while the machine runs, with its trail.

use num_bigint::{BigInt, Sign};
use serde::{Deserialize, Serialize};

use crate::cell::*;

/// Terms, and the record of which variables must be unbound on backtracking.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Store {
    pub(crate) cells: Vec<Cell>,
    pub(crate) trail: Vec<u32>,
    /// Variables below this address are older than the newest choice point.
    pub(crate) hb: usize,
    #[serde(skip)]
    pub(crate) work: Vec<(Cell, Cell)>,
}

impl Default for Store {
    fn default() -> Self {
        // Cell 0 is reserved: a zeroed slot reads as a reference to it.
        Store {
            cells: vec![0],
            trail: Vec::new(),
            hb: 0,
            work: Vec::new(),
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
        let mut n = BigInt::from(0);
        for &digit in self.cells[at + 1..=at + blob_words(h)].iter().rev() {
            n = (n << 64) + BigInt::from(digit);
        }
        if blob_negative(h) { -n } else { n }
    }

    pub(crate) fn text_at(&self, at: usize) -> String {
        let h = self.cells[at];
        let words = blob_words(h);
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
            if let Some(at) = self.trail.pop() {
                self.cells[at as usize] = make(REF, at as usize);
            }
        }
    }

    /// The items of a proper list, or `None`.
    pub(crate) fn items(&self, list: Cell) -> Option<Vec<Cell>> {
        let mut out = Vec::new();
        let mut c = self.deref(list);
        while tag(c) == LST {
            out.push(self.cells[addr(c)]);
            c = self.deref(self.cells[addr(c) + 1]);
            if out.len() > self.cells.len() {
                return None;
            }
        }
        (c == atom(crate::atoms::known::NIL)).then_some(out)
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
            _ => self.unify_deep(a, b),
        }
    }

    fn unify_deep(&mut self, a: Cell, b: Cell) -> bool {
        let mut work = std::mem::take(&mut self.work);
        work.clear();
        work.push((a, b));
        // Two cyclic terms could be compared for ever; no honest pair needs this many steps.
        let mut left = 64 * self.cells.len() + (1 << 24);
        let mut same = true;
        'pairs: while let Some((a, b)) = work.pop() {
            let (mut a, mut b) = (a, b);
            loop {
                a = self.deref(a);
                b = self.deref(b);
                left -= 1;
                if a == b {
                    continue 'pairs;
                }
                if left == 0 {
                    same = false;
                    break 'pairs;
                }
                match (tag(a), tag(b)) {
                    (REF, REF) => {
                        let (x, y) = (addr(a), addr(b));
                        if x < y {
                            self.bind(y, a);
                        } else {
                            self.bind(x, b);
                        }
                        continue 'pairs;
                    }
                    (REF, _) => {
                        self.bind(addr(a), b);
                        continue 'pairs;
                    }
                    (_, REF) => {
                        self.bind(addr(b), a);
                        continue 'pairs;
                    }
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
                    (BLB, BLB) if self.same_blob(addr(a), addr(b)) => continue 'pairs,
                    _ => {
                        same = false;
                        break 'pairs;
                    }
                }
            }
        }
        self.work = work;
        same
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
        self.cells[a] == self.cells[b] && self.cells[a + 1..=a + n] == self.cells[b + 1..=b + n]
    }

    /// Whether a variable occurs in a term.
    pub(crate) fn occurs(&self, var: usize, term: Cell) -> bool {
        let mut found = false;
        self.each_var(term, &mut |at| found |= at == var);
        found
    }

    /// Calls `f` with the address of each occurrence of a variable, left to right.
    pub(crate) fn each_var(&self, term: Cell, f: &mut dyn FnMut(usize)) {
        let mut stack = vec![term];
        // A term that seems larger than the whole heap is cyclic or heavily shared: from then on
        // no part is entered twice.
        let mut left = self.cells.len() + 1000;
        let mut entered = std::collections::HashSet::new();
        while let Some(c) = stack.pop() {
            if left > 0 {
                left -= 1;
            } else if matches!(tag(self.deref(c)), STR | LST) && !entered.insert(self.deref(c)) {
                continue;
            }
            match self.look(c) {
                Look::Var(at) => f(at),
                Look::Pair(a) => {
                    stack.push(self.cells[a + 1]);
                    stack.push(self.cells[a]);
                }
                Look::Compound(g, a) => {
                    stack.extend(self.cells[a..a + functor_arity(g)].iter().rev());
                }
                _ => {}
            }
        }
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
