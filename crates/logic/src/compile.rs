//! From a clause to code.
//!
//! A body is cut into *chunks* that end with a call. A variable that lives in one chunk only is
//! kept in a register, the others in the clause's environment. Arguments are placed so that a
//! value already in the right register stays there.

mod body;
mod expression;
mod fuse;
mod head;

use crate::atoms::{Atoms, QuickMap};
use crate::cell::*;
use crate::code::{Instr, Op};
use crate::goals::{BadBody, Goal, Planner};
use crate::program::Program;
use crate::store::{Look, Store};

/// Registers a clause may use.
const REGISTERS: usize = 250;
/// Terms deeper or larger than this are copied from a template instead.
const DEEP: usize = 60;
const LARGE: usize = 1500;

/// Where a variable is kept.
#[derive(Clone, Copy, Debug, Default)]
struct Var {
    total: u32,
    chunk: u32,
    /// Occurs in more than one chunk.
    lasting: bool,
    slot: u16,
    /// Register of a short-lived variable, once it has one.
    reg: Option<u8>,
    seen: bool,
}

/// The result of compiling.
pub(crate) struct Compiled {
    pub(crate) code: Vec<Instr>,
    pub(crate) spots: Vec<(u32, u32)>,
}

/// Why a clause cannot be compiled.
#[derive(Debug)]
pub(crate) enum Refused {
    Body(BadBody),
    /// Registers ran out: try again with templates.
    Registers,
    TooLarge,
}

impl From<BadBody> for Refused {
    fn from(b: BadBody) -> Self {
        Refused::Body(b)
    }
}

type Done<T> = Result<T, Refused>;

/// Most arguments of a fact that is compiled at once.
const CONSTANTS: usize = 8;

/// Compiles `head :- body`; `places` tells where goals stand in the source.
pub(crate) fn compile(
    store: &Store,
    atoms: &mut Atoms,
    program: &mut Program,
    head: Cell,
    body: Cell,
    places: &[(usize, usize)],
) -> Done<Compiled> {
    let is_fact = body == atom(crate::atoms::known::TRUE);
    if let Some(code) = constants(store, head).filter(|_| is_fact) {
        let spots = Vec::new();
        return Ok(Compiled { code, spots });
    }
    if is_fact && small_enough(store, head) {
        let mut c = Compiler::new(store, atoms, program, places);
        match c.clause(head, &[]) {
            Err(Refused::Registers) => {}
            other => return other.map(|()| c.finish()),
        }
    } else if small_enough(store, head) && small_enough(store, body) {
        let goals = Planner {
            store,
            atoms,
            program,
            plain: false,
        }
        .plan(body, 0)?;
        let mut c = Compiler::new(store, atoms, program, places);
        match c.clause(head, &goals) {
            Err(Refused::Registers) => {}
            other => return other.map(|()| c.finish()),
        }
    }
    let goals = Planner {
        store,
        atoms,
        program,
        plain: true,
    }
    .plan(body, 0)?;
    let mut c = Compiler::new(store, atoms, program, places);
    c.plain = true;
    c.clause(head, &goals)?;
    Ok(c.finish())
}

/// The code of a fact whose arguments are all constants, as the compiler would make it.
fn constants(store: &Store, head: Cell) -> Option<Vec<Instr>> {
    let Look::Compound(f, a) = store.look(head) else {
        return None;
    };
    let n = functor_arity(f);
    if n > CONSTANTS {
        return None;
    }
    let mut code = Vec::with_capacity(n + 1);
    for (i, &c) in store.cells[a..a + n].iter().enumerate() {
        let (b, c) = Compiler::constant(store.deref(c))?;
        let (op, a) = (Op::GetConst, i as u8);
        code.push(Instr { op, a, b, c });
    }
    let (op, a, b, c) = (Op::Proceed, 0, 0, 0);
    code.push(Instr { op, a, b, c });
    Some(code)
}

/// Whether registers and recursion over the term's depth will do.
fn small_enough(store: &Store, term: Cell) -> bool {
    let mut stack = vec![(term, 0)];
    let mut size = 0;
    while let Some((c, depth)) = stack.pop() {
        size += 1;
        if size > LARGE || depth > DEEP {
            return false;
        }
        match store.look(c) {
            // Lists and conjunctions are walked along, not down.
            Look::Pair(a) => {
                stack.push((store.cells[a], depth + 1));
                stack.push((store.cells[a + 1], depth));
            }
            Look::Compound(f, a) => {
                let n = functor_arity(f);
                if n > 200 {
                    return false;
                }
                for i in 0..n {
                    stack.push((store.cells[a + i], depth + usize::from(i + 1 < n)));
                }
            }
            _ => {}
        }
    }
    true
}

struct Compiler<'a> {
    store: &'a Store,
    atoms: &'a Atoms,
    program: &'a mut Program,
    places: QuickMap<usize, usize>,
    code: Vec<Instr>,
    spots: Vec<(u32, u32)>,
    /// Registers that hold the same as a slot of the environment.
    held: Vec<(u8, u16)>,
    vars: QuickMap<usize, Var>,
    chunk: u32,
    calls: usize,
    control: bool,
    slots: u16,
    base: usize,
    next: usize,
    env: bool,
    plain: bool,
    /// The next call's arguments, while a head or an inline goal is compiled: where a variable
    /// would best be put.
    wish: Vec<Option<usize>>,
    taken: [bool; 256],
}

impl<'a> Compiler<'a> {
    fn new(
        store: &'a Store,
        atoms: &'a Atoms,
        program: &'a mut Program,
        places: &[(usize, usize)],
    ) -> Self {
        Compiler {
            store,
            atoms,
            program,
            places: places.iter().copied().collect(),
            code: Vec::with_capacity(8),
            spots: Vec::new(),
            held: Vec::new(),
            vars: QuickMap::default(),
            chunk: 0,
            calls: 0,
            control: false,
            slots: 0,
            base: 0,
            next: 0,
            env: false,
            plain: false,
            wish: Vec::new(),
            taken: [false; 256],
        }
    }

    fn finish(self) -> Compiled {
        fuse::fuse(&self.code, self.spots)
    }

    fn emit(&mut self, op: Op, a: u8, b: u16, c: u32) {
        if op == Op::PutValY && self.held.contains(&(a, b)) {
            return;
        }
        self.follow(op, a, b);
        self.code.push(Instr { op, a, b, c });
    }

    /// Keeps up which registers hold the same as a slot.
    fn follow(&mut self, op: Op, a: u8, b: u16) {
        let held = &mut self.held;
        match op {
            Op::Call | Op::Execute | Op::Builtin => held.clear(),
            Op::Move
            | Op::PutVarX
            | Op::PutConst
            | Op::PutList
            | Op::PutStruct
            | Op::Build
            | Op::UnifyVarX
            | Op::PutValY
            | Op::PutVarY => held.retain(|h| h.0 != a),
            op if is_arithmetic(op) => held.retain(|h| h.0 != a),
            Op::GetListVV => held.retain(|h| h.0 != b as u8 && h.0 != (b >> 8) as u8),
            Op::GetListXV => held.retain(|h| h.0 != (b >> 8) as u8),
            _ => {}
        }
        match op {
            Op::GetVarY | Op::PutVarY => {
                held.retain(|h| h.1 != b);
                held.push((a, b));
            }
            Op::PutValY => held.push((a, b)),
            Op::UnifyVarY | Op::GetLevel => held.retain(|h| h.1 != b),
            _ => {}
        }
    }

    // ---- Analysis ----

    fn note(&mut self, term: Cell) {
        let chunk = self.chunk;
        let vars = &mut self.vars;
        self.store.each_occurrence(term, &mut |at| {
            let v = vars.entry(at).or_default();
            if v.total == 0 {
                v.chunk = chunk;
            } else if v.chunk != chunk {
                v.lasting = true;
            }
            v.total += 1;
        });
    }

    fn number(&mut self, goals: &[Goal]) {
        for goal in goals {
            match goal {
                Goal::Call { term, .. } | Goal::Builtin { term, .. } => {
                    self.note(*term);
                    self.base = self.base.max(self.arity(*term).max(1));
                    self.chunk += 1;
                    self.calls += 1;
                }
                Goal::Or(a, b) => {
                    self.branches(&[a, b]);
                }
                Goal::If {
                    cond, then, other, ..
                } => {
                    self.branches(&[cond, then, other]);
                    self.slots += 1;
                }
                Goal::Not(c) => {
                    self.branches(&[c]);
                    self.slots += 1;
                }
                Goal::Cut | Goal::Fail => {}
                other => {
                    if let Some(t) = other.term() {
                        self.note(t);
                    }
                }
            }
        }
    }

    /// As [`Compiler::number`], for goals that are all of one chunk.
    fn number_flat(&mut self, goals: &[Goal]) {
        for goal in goals {
            if let Goal::If {
                cond, then, other, ..
            } = goal
            {
                self.number_flat(cond);
                self.number_flat(then);
                self.number_flat(other);
            } else if let Some(term) = goal.term() {
                self.note(term);
                if matches!(goal, Goal::Call { .. } | Goal::Builtin { .. }) {
                    self.base = self.base.max(self.arity(term).max(1));
                }
            }
        }
    }

    fn branches(&mut self, branches: &[&Vec<Goal>]) {
        self.control = true;
        for b in branches {
            self.chunk += 1;
            self.number(b);
        }
        self.chunk += 1;
    }

    fn arity(&self, term: Cell) -> usize {
        match self.store.look(term) {
            Look::Compound(f, _) => functor_arity(f),
            _ => 0,
        }
    }
}

/// Whether goals need no environment: nothing but a last goal is called, which may be in a branch of
/// a last if-then-else on tests.
fn is_flat(goals: &[Goal]) -> bool {
    let Some((last, inline)) = goals.split_last() else {
        return true;
    };
    let called = |g: &Goal| matches!(g, Goal::Call { .. } | Goal::Builtin { .. });
    if inline.iter().any(|g| called(g) || g.is_control()) {
        return false;
    }
    match last {
        Goal::If {
            cond,
            then,
            other,
            soft,
        } => !soft && cond.iter().all(Goal::is_test) && is_flat(then) && is_flat(other),
        last => !last.is_control(),
    }
}

fn is_arithmetic(op: Op) -> bool {
    matches!(
        op,
        Op::Add | Op::Sub | Op::Mul | Op::AddImm | Op::Arith1 | Op::Arith2 | Op::Eval
    )
}

fn pack(x: u8, y: u8) -> u16 {
    u16::from(x) | (u16::from(y) << 8)
}

/// Counts the occurrences of variables in goals.
fn count(store: &Store, goals: &[Goal], out: &mut std::collections::BTreeMap<usize, u32>) {
    for g in goals {
        match g {
            Goal::Or(a, b) => {
                count(store, a, out);
                count(store, b, out);
            }
            Goal::If {
                cond, then, other, ..
            } => {
                count(store, cond, out);
                count(store, then, out);
                count(store, other, out);
            }
            Goal::Not(c) => count(store, c, out),
            other => {
                if let Some(t) = other.term() {
                    store.each_occurrence(t, &mut |at| *out.entry(at).or_default() += 1);
                }
            }
        }
    }
}

/// A term as a block of cells, breadth first, with marks for variables.
fn template_of(store: &Store, term: Cell, slot: &dyn Fn(usize) -> u16, out: &mut Vec<Cell>) {
    out.push(term);
    let mut i = 0;
    while i < out.len() {
        match tag(out[i]) {
            FUN => {
                i += 1;
                continue;
            }
            HDR => {
                i += 1 + if blob_kind(out[i]) == MARK {
                    0
                } else {
                    blob_words(out[i])
                };
                continue;
            }
            _ => {}
        }
        let here = out.len();
        out[i] = match store.look(out[i]) {
            Look::Var(at) => mark(slot(at) as usize),
            Look::Pair(a) => {
                out.extend_from_slice(&store.cells[a..a + 2]);
                make(LST, here)
            }
            Look::Compound(f, a) => {
                out.extend_from_slice(&store.cells[a - 1..a + functor_arity(f)]);
                make(STR, here)
            }
            Look::Blob(a) => {
                out.extend_from_slice(&store.cells[a..=a + blob_words(store.cells[a])]);
                make(BLB, here)
            }
            _ => out[i],
        };
        i += 1;
    }
}
