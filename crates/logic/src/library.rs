//! The library: builtins in Rust, and predicates on top of them in Prolog (`library/*.pl`).
//!
//! A process that starts a machine would spend most of its first milliseconds reading and compiling
//! those texts. It reads their image instead (`library/image.bin`): names, code and clauses as the
//! compiler left them.

mod image;

use std::sync::{Arc, LazyLock};

use crate::builtins::TABLE;
use crate::machine::Machine;
use crate::program::{Body, HELPERS};

/// The part that is written in Prolog.
const TEXT: &str = concat!(
    include_str!("library/core.pl"),
    include_str!("library/types.pl"),
    include_str!("library/aggregate.pl"),
    include_str!("library/assoc.pl"),
    include_str!("library/text.pl"),
    include_str!("library/solutions.pl"),
    include_str!("library/structures.pl"),
    include_str!("library/grammars.pl"),
    include_str!("library/inspect.pl"),
    include_str!("library/chance.pl"),
    include_str!("library/more.pl"),
);

/// A machine with the library, loaded once.
pub(crate) static LIBRARY: LazyLock<Machine> =
    LazyLock::new(|| image::read(image::IMAGE).unwrap_or_else(compile));

/// A machine with the builtins alone.
fn builtins() -> Machine {
    let mut m = Machine::bare();
    let atoms = Arc::make_mut(&mut m.atoms);
    let program = Arc::make_mut(&mut m.program);
    for (i, b) in TABLE.iter().enumerate() {
        let name = atoms.intern(b.name);
        let p = program.pred(name, b.arity);
        let pred = &mut program.preds[p as usize];
        pred.body = if b.control {
            Body::Control(i as u16)
        } else {
            Body::Builtin(i as u16)
        };
        pred.defined = true;
        pred.library = true;
    }
    m
}

/// A machine with the library, from its texts.
fn compile() -> Machine {
    let mut m = builtins();
    let loaded = m.load("", TEXT);
    debug_assert!(loaded.errors.is_empty(), "{:?}", loaded.errors);
    close(&mut m);
    // What loading it took is nobody's bill.
    m.store.tally = crate::fuel::Tally::default();
    m
}

/// Everything that is defined now is the library's. Predicates that it mentions but nobody defines
/// stay unknown.
fn close(m: &mut Machine) {
    let program = Arc::make_mut(&mut m.program);
    program.library_code = program.code.len() as u32;
    program.helpers = HELPERS.map(|(name, arity)| {
        let name = m.atoms.find(name);
        name.and_then(|n| program.find(n, arity)).unwrap_or(0)
    });
    for p in &mut program.preds {
        p.library = true;
        p.plain = false;
    }
}
