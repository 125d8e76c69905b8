//! Looking into terms and building them.

use std::collections::HashMap;

use crate::atoms::known;
use crate::cell::*;
use crate::machine::Machine;
use crate::program::{ANY_ARG, Program};
use crate::run::{Flow, Res};
use crate::store::Look;
use crate::writer::Style;

/// Arguments of a new term that are made without asking for memory.
const FEW: usize = 64;

pub(super) fn functor3(m: &mut Machine, _: &Program) -> Res {
    let (name, arity) = match m.store.look(m.regs[0]) {
        Look::Var(_) => return build(m),
        // `a()` would look like the atom.
        Look::Compound(f, _) if functor_arity(f) == 0 => {
            return Err(m.domain_error("compound_non_zero_arity", m.regs[0]));
        }
        Look::Compound(f, _) => {
            let (n, arity) = m.atoms.functor_parts(f);
            (atom(n), arity)
        }
        Look::Pair(_) => (atom(known::DOT), 2),
        _ => (m.regs[0], 0),
    };
    let ok = m.store.unify(m.regs[1], name) && m.store.unify(m.regs[2], small(arity as i64));
    Ok(ok.into())
}

fn build(m: &mut Machine) -> Res {
    let (name, arity) = (m.store.deref(m.regs[1]), m.regs[2]);
    let n = match m.store.look(arity) {
        Look::Small(n) => n,
        Look::Var(_) => return Err(m.instantiation()),
        _ => return Err(m.type_error("integer", arity)),
    };
    if n == 0 {
        return match m.store.look(name) {
            Look::Var(_) => Err(m.instantiation()),
            Look::Pair(_) | Look::Compound(..) => Err(m.type_error("atomic", name)),
            _ => Ok(m.store.unify(m.regs[0], name).into()),
        };
    }
    if n < 0 {
        return Err(m.domain_error("not_less_than_zero", arity));
    }
    let atom_number = match m.store.look(name) {
        Look::Var(_) => return Err(m.instantiation()),
        Look::Atom(a) => a,
        Look::Pair(_) | Look::Compound(..) => return Err(m.type_error("atomic", name)),
        _ => return Err(m.type_error("atom", name)),
    };
    let n = n as usize;
    // What a few arguments take is not worth counting beforehand.
    if n > FEW {
        m.reserve(n)?;
    }
    let c = if atom_number == known::DOT && n == 2 {
        make(LST, m.store.cells.len())
    } else {
        let f = m.functor(atom_number, n);
        m.store.cells.push(f);
        make(STR, m.store.cells.len() - 1)
    };
    for _ in 0..n {
        m.store.var();
    }
    Ok(m.store.unify(m.regs[0], c).into())
}

/// `arg(N, Term, Arg)`; the library goes through the arguments where N is not known.
pub(super) fn arg3(m: &mut Machine, prog: &Program) -> Res {
    let n = match m.store.look(m.regs[0]) {
        Look::Small(n) => n,
        Look::Var(_) => return Ok(Flow::Goal(prog.helpers[ANY_ARG])),
        // No term has so many.
        Look::Blob(_) if m.test(3, m.regs[0]) => return Ok(Flow::No),
        _ => return Err(m.type_error("integer", m.regs[0])),
    };
    if n < 0 {
        return Err(m.domain_error("not_less_than_zero", m.regs[0]));
    }
    let c = match m.store.look(m.regs[1]) {
        Look::Pair(a) if (1..=2).contains(&n) => m.store.cells[a + n as usize - 1],
        Look::Compound(f, a) if n >= 1 && n as usize <= functor_arity(f) => {
            m.store.cells[a + n as usize - 1]
        }
        Look::Pair(_) | Look::Compound(..) => return Ok(Flow::No),
        Look::Var(_) => return Err(m.instantiation()),
        _ => return Err(m.type_error("compound", m.regs[1])),
    };
    Ok(m.store.unify(m.regs[2], c).into())
}

pub(super) fn univ2(m: &mut Machine, _: &Program) -> Res {
    let c = m.regs[0];
    let items = match m.store.look(c) {
        Look::Var(_) => {
            let items = super::lists::items(m, m.regs[1])?;
            let Some((&head, args)) = items.split_first() else {
                return Err(m.domain_error("non_empty_list", m.regs[1]));
            };
            let term = match m.store.look(head) {
                Look::Var(_) => return Err(m.instantiation()),
                Look::Atom(n) if !args.is_empty() => m.compound_of(n, args),
                Look::Pair(_) | Look::Compound(..) if args.is_empty() => {
                    return Err(m.type_error("atomic", head));
                }
                _ if args.is_empty() => head,
                _ => return Err(m.type_error("atom", head)),
            };
            return Ok(m.store.unify(c, term).into());
        }
        Look::Compound(f, a) => {
            let (n, arity) = m.atoms.functor_parts(f);
            if arity == 0 {
                return Err(m.domain_error("compound_non_zero_arity", c));
            }
            let mut items = vec![atom(n)];
            items.extend_from_slice(&m.store.cells[a..a + arity]);
            items
        }
        Look::Pair(a) => vec![atom(known::DOT), m.store.cells[a], m.store.cells[a + 1]],
        _ => vec![c],
    };
    let list = m.store.list(&items, atom(known::NIL));
    Ok(m.store.unify(m.regs[1], list).into())
}

pub(super) fn copy2(m: &mut Machine, _: &Program) -> Res {
    let limit = m.room();
    let c = m.store.copy(m.regs[0], limit).map_err(|e| m.too_big(e))?;
    Ok(m.store.unify(m.regs[1], c).into())
}

/// `term_variables/2` and, with a tail, `term_variables/3`.
pub(super) fn variables<const TAIL: bool>(m: &mut Machine, _: &Program) -> Res {
    let vars = m.store.vars(m.regs[0]);
    let end = if TAIL { m.regs[2] } else { atom(known::NIL) };
    let list = m.store.list(&vars, end);
    Ok(m.store.unify(m.regs[1], list).into())
}

/// `term_singletons(Term, Variables)`: those that occur once.
pub(super) fn singletons2(m: &mut Machine, _: &Program) -> Res {
    let mut order = Vec::new();
    let mut count: HashMap<usize, u32> = HashMap::new();
    // A part that is entered twice has no variable that occurs once; more often tells no more, so
    // the walk ends on cyclic terms, too.
    let mut entered: HashMap<usize, u32> = HashMap::new();
    let mut stack = vec![m.regs[0]];
    while let Some(c) = stack.pop() {
        m.store.tally.spend(1);
        if let Look::Var(at) = m.store.look(c) {
            let n = count.entry(at).or_insert(0);
            *n += 1;
            if *n == 1 {
                order.push(at);
            }
        } else if let Some((a, n)) = m.store.span(c) {
            let times = entered.entry(a).or_insert(0);
            *times += 1;
            if *times <= 2 {
                stack.extend(m.store.cells[a..a + n].iter().rev());
            }
        }
    }
    let once: Vec<Cell> = (order.into_iter())
        .filter(|at| count[at] == 1)
        .map(|at| make(REF, at))
        .collect();
    let list = m.store.list(&once, atom(known::NIL));
    Ok(m.store.unify(m.regs[1], list).into())
}

/// `term_hash(Term, Hash)`: a number for a term without variables (FNV-1a over its first parts, in
/// the order that a walk meets them); a term with variables has none yet.
pub(super) fn hash2(m: &mut Machine, _: &Program) -> Res {
    if !m.store.is_ground(m.regs[0]) {
        return Ok(Flow::Yes);
    }
    let mut hash = 0x811c_9dc5_u32;
    let mut add = |bytes: &[u8]| {
        for b in bytes {
            hash = (hash ^ u32::from(*b)).wrapping_mul(0x0100_0193);
        }
    };
    let mut stack = vec![m.regs[0]];
    let mut left = 10_000;
    while let Some(c) = stack.pop().filter(|_| left > 0) {
        left -= 1;
        let c = m.store.deref(c);
        match m.store.look(c) {
            Look::Atom(n) => add(m.atoms.name(n).as_bytes()),
            Look::Compound(f, a) => {
                let (n, arity) = m.atoms.functor_parts(f);
                add(m.atoms.name(n).as_bytes());
                add(&[arity as u8]);
                stack.extend(m.store.cells[a..a + arity].iter().rev());
            }
            Look::Pair(a) => {
                add(b"[|]");
                stack.extend(m.store.cells[a..a + 2].iter().rev());
            }
            Look::Small(n) => add(&n.to_le_bytes()),
            Look::Blob(at) => {
                let words = blob_words(m.store.cells[at]);
                for w in &m.store.cells[at..=at + words] {
                    add(&w.to_le_bytes());
                }
            }
            Look::Var(_) => {}
        }
    }
    m.store.tally.spend(10_000 - left);
    Ok(m.store.unify(m.regs[1], small(i64::from(hash >> 8))).into())
}

/// `same_term(A, B)`: the same variable, constant or compound in memory.
pub(super) fn same2(m: &mut Machine, _: &Program) -> Res {
    let (a, b) = (m.store.deref(m.regs[0]), m.store.deref(m.regs[1]));
    let same = a == b || (m.store.span(a).is_none() && m.ordered(0, a, b));
    Ok(same.into())
}

pub(super) fn acyclic1(m: &mut Machine, _: &Program) -> Res {
    Ok((!m.store.is_cyclic(m.regs[0])).into())
}

pub(super) fn cyclic1(m: &mut Machine, _: &Program) -> Res {
    Ok(m.store.is_cyclic(m.regs[0]).into())
}

/// `compound_name_arguments(Term, Name, Arguments)`, with the term known.
pub(super) fn parts3(m: &mut Machine, _: &Program) -> Res {
    let (name, args) = match m.store.look(m.regs[0]) {
        Look::Compound(f, _) => {
            let (n, _) = m.atoms.functor_parts(f);
            (n, m.store.args(m.regs[0]))
        }
        Look::Pair(_) => (known::DOT, m.store.args(m.regs[0])),
        Look::Var(_) => {
            let args = super::lists::items(m, m.regs[2])?;
            let c = match m.store.look(m.regs[1]) {
                Look::Atom(n) => m.compound_of(n, &args),
                Look::Var(_) => return Err(m.instantiation()),
                _ => return Err(m.type_error("atom", m.regs[1])),
            };
            return Ok(m.store.unify(m.regs[0], c).into());
        }
        _ => return Err(m.type_error("compound", m.regs[0])),
    };
    let list = m.store.list(&args, atom(known::NIL));
    Ok((m.store.unify(m.regs[1], atom(name)) && m.store.unify(m.regs[2], list)).into())
}

/// `unifiable(A, B, Bindings)`: what unification would bind, newest first.
pub(super) fn unifiable3(m: &mut Machine, _: &Program) -> Res {
    let (hb, mark) = (m.store.hb, m.store.trail.len());
    m.store.hb = m.store.cells.len();
    let ok = m.store.unify(m.regs[0], m.regs[1]);
    let bound: Vec<u32> = m.store.trail[mark..].to_vec();
    let pairs: Vec<(usize, Cell)> = bound
        .iter()
        .rev()
        .map(|&at| (at as usize, m.store.cells[at as usize]))
        .collect();
    m.store.undo(mark);
    m.store.hb = hb;
    if !ok {
        return Ok(Flow::No);
    }
    let items: Vec<Cell> = pairs
        .into_iter()
        .map(|(at, value)| m.compound_of(known::EQUAL, &[make(REF, at), value]))
        .collect();
    let list = m.store.list(&items, atom(known::NIL));
    Ok(m.store.unify(m.regs[2], list).into())
}

pub(super) fn compare3(m: &mut Machine, _: &Program) -> Res {
    match m.store.look(m.regs[0]) {
        Look::Var(_) | Look::Atom(known::LESS | known::EQUAL | known::GREATER) => {}
        Look::Atom(_) => return Err(m.domain_error("order", m.regs[0])),
        _ => return Err(m.type_error("atom", m.regs[0])),
    }
    let order = crate::order::compare(&m.store, &m.atoms, m.regs[1], m.regs[2]);
    let word = match order {
        std::cmp::Ordering::Less => known::LESS,
        std::cmp::Ordering::Equal => known::EQUAL,
        std::cmp::Ordering::Greater => known::GREATER,
    };
    Ok(m.store.unify(m.regs[0], atom(word)).into())
}

/// `?=(A, B)`: A and B are identical, or can never unify.
pub(super) fn decided2(m: &mut Machine, _: &Program) -> Res {
    let (a, b) = (m.regs[0], m.regs[1]);
    Ok((crate::order::identical(&m.store, a, b) || !m.unifiable(a, b)).into())
}

/// Unifies, then looks whether a variable bound on the way is part of its own value.
pub(super) fn occurs_check2(m: &mut Machine, _: &Program) -> Res {
    let mark = m.store.trail.len();
    let hb = std::mem::replace(&mut m.store.hb, usize::MAX);
    let ok = m.store.unify(m.regs[0], m.regs[1]);
    m.store.hb = hb;
    let bound: Vec<u32> = m.store.trail[mark..].to_vec();
    Ok((ok && bound.iter().all(|&at| acyclic(m, at as usize))).into())
}

/// Whether following a bound cell never leads back to it.
fn acyclic(m: &Machine, start: usize) -> bool {
    let mut seen = std::collections::HashSet::new();
    let mut stack = vec![m.store.cells[start]];
    while let Some(c) = stack.pop() {
        if tag(c) == REF {
            if addr(c) == start {
                return m.store.cells[start] == c;
            }
            let next = m.store.cells[addr(c)];
            if next != c {
                stack.push(next);
            }
            continue;
        }
        if !matches!(tag(c), STR | LST) || !seen.insert(c) {
            continue;
        }
        match m.store.look(c) {
            Look::Pair(a) => {
                for i in [a, a + 1] {
                    if i == start {
                        return false;
                    }
                    stack.push(m.store.cells[i]);
                }
            }
            Look::Compound(f, a) => {
                for i in a..a + functor_arity(f) {
                    if i == start {
                        return false;
                    }
                    stack.push(m.store.cells[i]);
                }
            }
            _ => {}
        }
    }
    true
}

/// `'$free_variables'(Template, Goal, InnerGoal, Free)`: strips `V^`, lists what is left free.
pub(super) fn free4(m: &mut Machine, _: &Program) -> Res {
    let mut bound: std::collections::HashSet<usize> = std::collections::HashSet::new();
    m.store.each_var(m.regs[0], &mut |at| {
        bound.insert(at);
    });
    let mut goal = m.regs[1];
    while let Look::Compound(f, a) = m.store.look(goal) {
        match m.atoms.functor_parts(f) {
            (known::CARET, 2) => {
                let v = m.store.cells[a];
                m.store.each_var(v, &mut |at| {
                    bound.insert(at);
                });
                goal = m.store.cells[a + 1];
            }
            (known::COLON, 2) => goal = m.store.cells[a + 1],
            _ => break,
        }
    }
    let free: Vec<Cell> = m
        .store
        .vars(goal)
        .into_iter()
        .filter(|v| !bound.contains(&addr(*v)))
        .collect();
    let list = m.store.list(&free, atom(known::NIL));
    Ok((m.store.unify(m.regs[2], goal) && m.store.unify(m.regs[3], list)).into())
}

pub(super) fn numbervars3(m: &mut Machine, _: &Program) -> Res {
    let Look::Small(mut n) = m.store.look(m.regs[1]) else {
        return Err(m.type_error("integer", m.regs[1]));
    };
    for v in m.store.vars(m.regs[0]) {
        let t = m.compound_of(known::NUMBER_VARS, &[small(n)]);
        m.store.unify(v, t);
        n += 1;
    }
    Ok(m.store.unify(m.regs[2], small(n)).into())
}

fn variant(m: &mut Machine) -> Result<bool, crate::run::Thrown> {
    let same = crate::order::variant(&m.store, m.regs[0], m.regs[1]);
    m.go_on()?;
    Ok(same)
}

pub(super) fn variant2(m: &mut Machine, _: &Program) -> Res {
    Ok(variant(m)?.into())
}

pub(super) fn not_variant2(m: &mut Machine, _: &Program) -> Res {
    Ok((!variant(m)?).into())
}

fn term_text(m: &mut Machine, as_atom: bool) -> Res {
    let text = m.text_of(m.regs[1]);
    if text.is_some() || (m.test(0, m.regs[0]) && !m.test(0, m.regs[1])) {
        let Some(text) = text else {
            let c = m.regs[1];
            return Err(if as_atom {
                m.instantiation()
            } else {
                m.type_error("text", c)
            });
        };
        m.reserve(2 * text.len())?;
        let (c, _) = match m.parse_here(&text) {
            Ok(t) => t,
            Err(e) => return Err(m.syntax_error(&e.message)),
        };
        return Ok(m.store.unify(m.regs[0], c).into());
    }
    if m.test(0, m.regs[0]) && as_atom {
        return Err(m.instantiation());
    }
    let text = m.written_text(m.regs[0], &Style::quoted())?;
    let c = if as_atom {
        m.atom(&text)
    } else {
        m.store.text(&text)
    };
    Ok(m.store.unify(m.regs[1], c).into())
}

pub(super) fn term_to_atom2(m: &mut Machine, _: &Program) -> Res {
    term_text(m, true)
}

pub(super) fn term_string2(m: &mut Machine, _: &Program) -> Res {
    term_text(m, false)
}

/// `'$lambda'(Lambda, Parameters, Body, Free)`: a fresh copy of a `>>` term that shares what
/// stands before `/`.
pub(super) fn lambda4(m: &mut Machine, _: &Program) -> Res {
    let whole = m.regs[0];
    let Look::Compound(_, a) = m.store.look(whole) else {
        return Ok(Flow::No);
    };
    let left = m.store.cells[a];
    let mut shared = atom(known::NIL);
    if let Look::Compound(f, b) = m.store.look(left)
        && m.atoms.functor_parts(f) == (known::SLASH, 2)
    {
        shared = m.store.cells[b];
    }
    let limit = m.room();
    let pair = m.compound_of(known::MINUS, &[shared, whole]);
    let copy = m.store.copy(pair, limit).map_err(|e| m.too_big(e))?;
    let args = m.store.args(copy);
    if !m.store.unify(args[0], shared) {
        return Ok(Flow::No);
    }
    let Look::Compound(_, a) = m.store.look(args[1]) else {
        return Ok(Flow::No);
    };
    let (mut params, body) = (m.store.cells[a], m.store.cells[a + 1]);
    if let Look::Compound(f, b) = m.store.look(params)
        && m.atoms.functor_parts(f) == (known::SLASH, 2)
    {
        params = m.store.cells[b + 1];
    }
    Ok((m.store.unify(m.regs[1], params) && m.store.unify(m.regs[2], body)).into())
}
