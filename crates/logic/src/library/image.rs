//! The compiled library as bytes.
//!
//! All numbers are written in groups of seven bits, the lowest first (LEB128). What follows from the
//! rest is left out: keys of clauses, tables of names. `WITS_ACCEPT=1 cargo test -p wits-logic image`
//! writes the image anew after a change of the library or the compiler; a test fails until then, and
//! an image of other texts is not used.

use std::hash::Hasher;
use std::sync::Arc;

use super::{TEXT, builtins, close};
use crate::atoms::{Atoms, Quick};
use crate::builtins::TABLE;
use crate::cell::*;
use crate::code::Instr;
use crate::machine::Machine;
use crate::program::{Clause, Program, Slot, Source};
use crate::stored::Stored;

/// The image that is part of the program.
pub(super) const IMAGE: &[u8] = include_bytes!("image.bin");

/// Tells the texts and builtins that an image was made of.
fn mark() -> u64 {
    let mut hash = Quick::default();
    hash.write(TEXT.as_bytes());
    for b in TABLE {
        hash.write(b.name.as_bytes());
        hash.write_usize(b.arity);
    }
    hash.finish()
}

/// Reads numbers one after the other.
struct Numbers<'a>(&'a [u8]);

impl Numbers<'_> {
    #[inline]
    fn wide(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let (&byte, rest) = self.0.split_first()?;
            self.0 = rest;
            value |= u64::from(byte & 127) << shift;
            if byte < 128 {
                return Some(value);
            }
        }
        None
    }

    #[inline]
    fn next(&mut self) -> Option<u32> {
        u32::try_from(self.wide()?).ok()
    }

    /// The number of things that follow, each of at least one byte.
    fn count(&mut self) -> Option<usize> {
        let n = self.next()? as usize;
        (n <= self.0.len()).then_some(n)
    }

    fn text(&mut self) -> Option<&str> {
        let n = self.count()?;
        let (text, rest) = self.0.split_at(n);
        self.0 = rest;
        std::str::from_utf8(text).ok()
    }

    /// A block of cells; functor words are written without their arity.
    fn block(&mut self, atoms: &Atoms) -> Option<Vec<Cell>> {
        let mut cells = Vec::with_capacity(self.count()?);
        let mut raw = 0;
        while cells.len() < cells.capacity() {
            let mut c = self.wide()?;
            if raw > 0 {
                raw -= 1;
            } else if tag(c) == FUN {
                c = functor(functor_index(c), atoms.functor_parts(c).1);
            } else {
                raw = raw_words(c);
            }
            cells.push(c);
        }
        Some(cells)
    }
}

/// Words behind a cell that are no cells.
fn raw_words(c: Cell) -> usize {
    if tag(c) == HDR && blob_kind(c) != MARK {
        blob_words(c)
    } else {
        0
    }
}

/// A machine with the library; nothing if the image is of another one.
pub(super) fn read(image: &[u8]) -> Option<Machine> {
    let mut from = Numbers(image);
    if from.wide()? != mark() {
        return None;
    }
    let mut m = builtins();
    let atoms = Arc::make_mut(&mut m.atoms);
    let program = Arc::make_mut(&mut m.program);
    let names = from.count()?;
    atoms.reserve(names);
    for _ in 0..names {
        atoms.intern(from.text()?);
    }
    for _ in 0..from.count()? {
        let name = from.next()?;
        atoms.functor(name, from.next()? as usize);
    }
    for _ in 0..from.count()? {
        let name = from.next()?;
        let arity = from.next()? as usize;
        let pred = program.pred(name, arity);
        let pred = &mut program.preds[pred as usize];
        let flags = from.next()?;
        pred.defined = flags & 1 != 0;
        pred.dynamic = flags & 2 != 0;
        pred.changed = flags & 4 != 0;
        pred.discontiguous = flags & 8 != 0;
    }
    let instructions = from.count()?;
    program.code.reserve(instructions);
    for _ in 0..instructions {
        let (op, a) = (from.next()? as u8, from.next()? as u8);
        let (b, c) = (from.next()? as u16, from.next()?);
        program.code.push(Instr::from((op, a, b, c)));
    }
    for _ in 0..from.count()? {
        let block = from.block(atoms)?;
        program.add_template(block);
    }
    let clauses = from.count()?;
    program.clauses.reserve(clauses);
    for _ in 0..clauses {
        program.put_back(clause(&mut from, atoms)?);
    }
    program.generation = from.wide()?;
    program.sources.push(Source {
        name: String::new(),
        text: TEXT.into(),
    });
    close(&mut m);
    from.0.is_empty().then_some(m)
}

fn clause(from: &mut Numbers<'_>, atoms: &Atoms) -> Option<Clause> {
    let (pred, code, len) = (from.next()?, from.next()?, from.next()?);
    let birth = from.wide()?;
    let source = Some((0, from.next()?));
    let term = Stored(from.block(atoms)?.into_boxed_slice());
    let spots = from.count()?;
    let spots = (0..spots).map(|_| Some((from.next()?, from.next()?)));
    Some(Clause {
        pred,
        code,
        len,
        birth,
        death: u64::MAX,
        order: 0,
        term,
        source,
        spots: spots.collect::<Option<_>>()?,
    })
}

impl Program {
    /// Adds a clause whose code is there already, behind the others of its predicate.
    fn put_back(&mut self, mut clause: Clause) {
        self.held += clause.term.0.len();
        let id = self.clauses.len() as u32;
        let pred = &mut self.preds[clause.pred as usize];
        clause.order = pred.slots.len() as i64;
        let (key, deep) = match pred.arity {
            0 => (0, 0),
            _ => (clause.term.head_key(0), clause.term.head_deep()),
        };
        pred.deep |= deep != 0;
        pred.slots.push(Slot {
            key,
            deep,
            code: clause.code,
            id,
        });
        self.clauses.push(clause);
    }
}

#[cfg(test)]
mod tests {
    use super::super::compile;
    use super::*;

    #[derive(Default)]
    struct Bytes(Vec<u8>);

    impl Bytes {
        fn put(&mut self, n: impl TryInto<u64>) {
            let mut n = n.try_into().ok().expect("a number that is not negative");
            while n >= 128 {
                self.0.push(n as u8 | 128);
                n >>= 7;
            }
            self.0.push(n as u8);
        }

        fn block(&mut self, cells: &[Cell]) {
            self.put(cells.len());
            let mut raw = 0;
            for &c in cells {
                if raw > 0 {
                    raw -= 1;
                    self.put(c);
                } else if tag(c) == FUN {
                    self.put(functor(functor_index(c), 0));
                } else {
                    raw = raw_words(c);
                    self.put(c);
                }
            }
        }
    }

    fn write(m: &Machine) -> Vec<u8> {
        let bare = builtins();
        let (names, functors) = m.atoms.sizes();
        let p = &m.program;
        let mut to = Bytes::default();
        to.put(mark());
        let first = bare.atoms.sizes().0;
        to.put(names - first);
        for n in first..names {
            let name = m.atoms.name(n as u32);
            to.put(name.len());
            to.0.extend_from_slice(name.as_bytes());
        }
        to.put(functors);
        for n in 0..functors {
            let (name, arity) = m.atoms.functor_parts(functor(n as u32, 0));
            to.put(name);
            to.put(arity);
        }
        let first = bare.program.preds.len();
        to.put(p.preds.len() - first);
        for pred in &p.preds[first..] {
            assert!(!pred.tabled, "the image has no tables");
            to.put(pred.name);
            to.put(pred.arity);
            to.put(
                u8::from(pred.defined)
                    | u8::from(pred.dynamic) << 1
                    | u8::from(pred.changed) << 2
                    | u8::from(pred.discontiguous) << 3,
            );
        }
        let first = bare.program.code.len();
        to.put(p.code.len() - first);
        for i in &p.code[first..] {
            let (op, a, b, c) = (*i).into();
            to.put(op);
            to.put(a);
            to.put(b);
            to.put(c);
        }
        to.put(p.templates.len());
        for t in &p.templates {
            to.block(t);
        }
        to.put(p.clauses.len());
        for c in &p.clauses {
            to.put(c.pred);
            to.put(c.code);
            to.put(c.len);
            to.put(c.birth);
            to.put(c.source.expect("the library is read from a text").1);
            to.block(&c.term.0);
            to.put(c.spots.len());
            for &(at, offset) in &c.spots {
                to.put(at);
                to.put(offset);
            }
        }
        to.put(p.generation);
        to.0
    }

    #[test]
    fn the_image_is_the_library() {
        let compiled = compile();
        let image = write(&compiled);
        if std::env::var_os("WITS_ACCEPT").is_some() {
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/library/image.bin");
            std::fs::write(path, &image).unwrap();
        } else {
            assert!(
                image == IMAGE,
                "the library has changed; run `WITS_ACCEPT=1 cargo test -p wits-logic image`"
            );
        }
        let machine = read(&image).unwrap();
        assert_eq!(machine.ops, compiled.ops);
        assert_eq!(machine.flags, compiled.flags);
        let json = |m: &Machine| serde_json::to_value((&*m.atoms, &*m.program)).unwrap();
        assert_eq!(json(&machine), json(&compiled));
    }

    #[test]
    fn an_image_that_is_cut_off_or_of_another_library_is_not_used() {
        for end in [0, 1, 9, 100, IMAGE.len() / 2, IMAGE.len() - 1] {
            assert!(read(&IMAGE[..end]).is_none(), "{end}");
        }
        let mut other = IMAGE.to_vec();
        other[0] ^= 1;
        assert!(read(&other).is_none());
    }
}
