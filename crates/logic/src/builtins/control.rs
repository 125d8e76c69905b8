//! Calling, catching, comparing, collecting.

use crate::atoms::known;
use crate::cell::*;
use crate::machine::{Bag, FRAME, Leave, Machine, POP_CATCH, Unknown};
use crate::program::{AND, IF, OR, Program, SOFT};
use crate::rational::PATIENCE;
use crate::reader::Quotes;
use crate::run::{Flow, Res, Thrown};
use crate::store::Look;

pub(super) fn true0(_: &mut Machine, _: &Program) -> Res {
    Ok(Flow::Yes)
}

pub(super) fn fail0(_: &mut Machine, _: &Program) -> Res {
    Ok(Flow::No)
}

pub(super) fn unify2(m: &mut Machine, _: &Program) -> Res {
    Ok(m.store.unify(m.regs[0], m.regs[1]).into())
}

pub(super) fn is2(m: &mut Machine, _: &Program) -> Res {
    let v = m.eval_cell(m.regs[1])?;
    Ok(m.store.unify(m.regs[0], v).into())
}

pub(super) fn compare<const KIND: u32>(m: &mut Machine, _: &Program) -> Res {
    Ok(m.compare_values(KIND, m.regs[0], m.regs[1])?.into())
}

pub(super) fn order<const KIND: u32>(m: &mut Machine, _: &Program) -> Res {
    Ok(m.ordered(KIND, m.regs[0], m.regs[1]).into())
}

pub(super) fn test<const KIND: u32>(m: &mut Machine, _: &Program) -> Res {
    Ok(m.test(KIND, m.regs[0]).into())
}

/// The most arguments that a predicate can have: each takes a register.
pub(super) const MAX_ARITY: usize = 250;

/// Puts a goal's arguments into the registers and names its predicate; `extra` arguments are in the
/// registers from 1 on.
fn goal(m: &mut Machine, prog: &Program, c: Cell, extra: usize) -> Res {
    let (name, at, count) = match m.store.look(c) {
        Look::Atom(n) => (n, 0, 0),
        Look::Compound(f, a) => {
            let (n, arity) = m.atoms.functor_parts(f);
            if n == known::COLON && arity == 2 {
                // Modules are not kept apart: `m:goal` is `goal`.
                let inner = m.store.cells[a + 1];
                return goal(m, prog, inner, extra);
            }
            (n, a, arity)
        }
        Look::Pair(a) => (known::DOT, a, 2),
        Look::Var(_) => return Err(m.instantiation()),
        _ => return Err(m.type_error("callable", c)),
    };
    let arity = count + extra;
    if extra > 0
        && arity == 2
        && matches!(
            name,
            known::COMMA | known::SEMICOLON | known::ARROW | known::SOFT | known::BAR
        )
    {
        let mut whole = m.store.cells[at..at + count].to_vec();
        whole.extend_from_slice(&m.regs[1..=extra]);
        let whole = m.compound_of(name, &whole);
        return goal(m, prog, whole, 0);
    }
    if arity > MAX_ARITY {
        return Err(m.representation_error("max_procedure_arity"));
    }
    if extra == 0
        && matches!(
            (name, arity),
            (
                known::COMMA | known::SEMICOLON | known::ARROW | known::SOFT | known::BAR,
                2
            )
        )
    {
        let c = if check_body(m, c)? {
            m.with_calls(c, 0).unwrap_or(c)
        } else {
            c
        };
        let level = small(m.choices.len() as i64);
        m.regs[0] = c;
        m.regs[1] = level;
        return body2(m, prog);
    }
    m.regs.copy_within(1..=extra, count);
    m.regs[..count].copy_from_slice(&m.store.cells[at..at + count]);
    match prog.find(name, arity) {
        Some(p) => Ok(Flow::Goal(p)),
        None => match m.unknown(name, arity) {
            Some(t) => Err(t),
            None => Ok(Flow::No),
        },
    }
}

/// `call/N`.
pub(super) fn call<const N: usize>(m: &mut Machine, prog: &Program) -> Res {
    goal(m, prog, m.regs[0], N - 1)
}

/// A body must be callable throughout before any of it runs; says whether there are variables for
/// goals, whose cuts will be their own.
fn check_body(m: &mut Machine, whole: Cell) -> Result<bool, Thrown> {
    let mut open = false;
    let mut stack = vec![whole];
    let mut left = PATIENCE;
    while let Some(c) = stack.pop() {
        left -= 1;
        if left == 0 {
            if m.store.is_cyclic(whole) {
                return Err(m.representation_error("cyclic_term"));
            }
            left = usize::MAX;
        }
        m.store.tally.spend(1);
        match m.store.look(c) {
            Look::Var(_) => open = true,
            Look::Atom(_) | Look::Pair(_) => {}
            Look::Compound(f, a) => {
                let (n, arity) = m.atoms.functor_parts(f);
                if arity == 2
                    && matches!(
                        n,
                        known::COMMA | known::SEMICOLON | known::ARROW | known::SOFT
                    )
                {
                    stack.push(m.store.cells[a]);
                    stack.push(m.store.cells[a + 1]);
                }
            }
            _ => return Err(m.type_error("callable", whole)),
        }
    }
    Ok(open)
}

/// `'$body'(Goal, Level)`: a goal inside `call/1`; a cut goes back to the level.
pub(super) fn body2(m: &mut Machine, prog: &Program) -> Res {
    let (c, level) = (m.regs[0], m.regs[1]);
    let helper = |m: &mut Machine, which: usize, args: &[Cell]| {
        m.regs[..args.len()].copy_from_slice(args);
        Ok(Flow::Goal(prog.helpers[which]))
    };
    if let Look::Compound(f, a) = m.store.look(c) {
        let (n, arity) = m.atoms.functor_parts(f);
        if arity == 2 {
            let (x, y) = (m.store.cells[a], m.store.cells[a + 1]);
            match n {
                known::COMMA => return helper(m, AND, &[x, y, level]),
                known::ARROW => return helper(m, IF, &[x, y, atom(known::FAIL), level]),
                known::SOFT => return helper(m, SOFT, &[x, y, atom(known::FAIL), level]),
                known::SEMICOLON | known::BAR => {
                    if let Look::Compound(g, b) = m.store.look(x) {
                        let (inner, k) = m.atoms.functor_parts(g);
                        let (p, q) = (m.store.cells[b], m.store.cells[b + 1.min(k)]);
                        if k == 2 && inner == known::ARROW {
                            return helper(m, IF, &[p, q, y, level]);
                        }
                        if k == 2 && inner == known::SOFT {
                            return helper(m, SOFT, &[p, q, y, level]);
                        }
                    }
                    return helper(m, OR, &[x, y, level]);
                }
                _ => {}
            }
        }
    }
    if m.store.look(c) == Look::Atom(known::CUT) {
        let due = m.cut_step(small_value(m.store.deref(level)) as usize);
        return Ok(if due {
            Flow::Leave(Leave::Cleanup)
        } else {
            Flow::Yes
        });
    }
    goal(m, prog, c, 0)
}

/// `catch(Goal, Catcher, Recovery)`.
pub(super) fn catch3(m: &mut Machine, prog: &Program) -> Res {
    let level = m.choices.len();
    m.push_catch();
    m.allocate(3);
    let frame = m.e;
    m.stack[frame + FRAME] = small(level as i64);
    // For a call inside that is suspended and goes on later.
    m.stack[frame + FRAME + 1] = m.regs[1];
    m.stack[frame + FRAME + 2] = m.regs[2];
    if let Some(c) = m.choices.last_mut() {
        c.target = frame as u32;
    }
    m.cp = POP_CATCH;
    let g = m.regs[0];
    goal(m, prog, g, 0)
}

pub(super) fn throw1(m: &mut Machine, _: &Program) -> Res {
    let ball = m.regs[0];
    if matches!(m.store.look(ball), Look::Var(_)) {
        return Err(m.instantiation());
    }
    Err(Thrown(ball))
}

pub(super) fn halt0(_: &mut Machine, _: &Program) -> Res {
    Ok(Flow::Leave(Leave::Halted(0)))
}

pub(super) fn halt1(m: &mut Machine, _: &Program) -> Res {
    let code = match m.store.look(m.regs[0]) {
        Look::Small(n) => n,
        Look::Var(_) => return Err(m.instantiation()),
        _ => return Err(m.type_error("integer", m.regs[0])),
    };
    Ok(Flow::Leave(Leave::Halted(code)))
}

pub(super) fn bag_new(m: &mut Machine, _: &Program) -> Res {
    let id = m.store.int(m.bags.len() as i64);
    m.bags.push(Bag::default());
    Ok(m.store.unify(m.regs[0], id).into())
}

fn bag_number(m: &Machine) -> usize {
    match m.store.look(m.regs[0]) {
        Look::Small(n) => n as usize,
        _ => usize::MAX,
    }
}

pub(super) fn bag_add(m: &mut Machine, _: &Program) -> Res {
    let id = bag_number(m);
    let limit = m.room();
    let Some(bag) = m.bags.get_mut(id) else {
        return Ok(Flow::No);
    };
    let term = m.store.deref(m.regs[1]);
    let start = bag.cells.len() as u32;
    if matches!(tag(term), ATM | INT) {
        bag.cells.push(term);
    } else {
        let saved = m.store.save_into(term, &mut bag.cells, limit);
        if let Err(e) = saved {
            return Err(m.too_big(e));
        }
    }
    m.bags[id].starts.push(start);
    Ok(Flow::Yes)
}

/// `'$bag_take'(Bag, List, Tail)`.
pub(super) fn bag_take(m: &mut Machine, _: &Program) -> Res {
    let id = bag_number(m);
    let Some(bag) = m.bags.get(id) else {
        return Ok(Flow::No);
    };
    let words = bag.cells.len() + 3 * bag.starts.len();
    m.reserve(words)?;
    let bag = std::mem::take(&mut m.bags[id]);
    m.bags.truncate(id);
    let mut items = Vec::with_capacity(bag.starts.len());
    for (i, &start) in bag.starts.iter().enumerate() {
        let end = bag
            .starts
            .get(i + 1)
            .map_or(bag.cells.len(), |&e| e as usize);
        items.push(m.store.load(&bag.cells[start as usize..end]));
    }
    let list = m.store.list(&items, m.regs[2]);
    Ok(m.store.unify(m.regs[1], list).into())
}

pub(super) fn bag_count(m: &mut Machine, _: &Program) -> Res {
    let id = bag_number(m);
    if id >= m.bags.len() {
        return Ok(Flow::No);
    }
    let n = m.bags[id].starts.len();
    m.bags.truncate(id);
    let n = m.store.int(n as i64);
    Ok(m.store.unify(m.regs[1], n).into())
}

/// Flags that cannot be changed, with their values.
const CONSTANT_FLAGS: [(&str, &str); 7] = [
    ("bounded", "false"),
    ("integer_rounding_function", "toward_zero"),
    ("char_conversion", "false"),
    ("max_arity", "unbounded"),
    ("dialect", "wits"),
    ("iso", "false"),
    ("prefer_rationals", "false"),
];

pub(super) fn set_flag(m: &mut Machine, _: &Program) -> Res {
    let (f, v) = (m.regs[0], m.regs[1]);
    if m.test(0, f) || m.test(0, v) {
        return Err(m.instantiation());
    }
    let Look::Atom(flag) = m.store.look(f) else {
        return Err(m.type_error("atom", f));
    };
    let name = m.atoms.shared(flag);
    let value = match m.store.look(v) {
        Look::Atom(n) => m.atoms.shared(n),
        _ => "".into(),
    };
    match (&*name, &*value) {
        ("double_quotes", name) if Quotes::named(name).is_some() => {
            m.flags.quotes = Quotes::named(name).unwrap_or(m.flags.quotes);
        }
        ("unknown", "fail") => m.flags.unknown = Unknown::Fail,
        ("unknown", "warning") => m.flags.unknown = Unknown::Warn,
        ("unknown", "error") => m.flags.unknown = Unknown::Error,
        ("debug", "on" | "true") => m.flags.debug = true,
        ("debug", "off" | "false") => m.flags.debug = false,
        // Unification never checks; what would not be done is refused.
        ("occurs_check", "false") => {}
        ("double_quotes" | "unknown" | "occurs_check" | "debug", _) => {
            let pair = m.compound_of(known::PLUS, &[f, v]);
            return Err(m.domain_error("flag_value", pair));
        }
        (n, _)
            if CONSTANT_FLAGS.iter().any(|(c, _)| *c == n)
                || matches!(
                    n,
                    "max_integer"
                        | "min_integer"
                        | "max_tagged_integer"
                        | "min_tagged_integer"
                        | "max_procedure_arity"
                ) =>
        {
            return Err(m.permission_error("modify", "flag", f));
        }
        _ => return Err(m.domain_error("prolog_flag", f)),
    }
    Ok(Flow::Yes)
}

pub(super) fn flag(m: &mut Machine, _: &Program) -> Res {
    let Look::Atom(flag) = m.store.look(m.regs[0]) else {
        return Err(m.type_error("atom", m.regs[0]));
    };
    let name = m.atoms.shared(flag);
    let value = match &*name {
        "double_quotes" => m.atom(match m.flags.quotes {
            Quotes::Codes => "codes",
            Quotes::Chars => "chars",
            Quotes::Atom => "atom",
            Quotes::Text => "string",
        }),
        "unknown" => m.atom(match m.flags.unknown {
            Unknown::Fail => "fail",
            Unknown::Warn => "warning",
            Unknown::Error => "error",
        }),
        "occurs_check" => m.atom("false"),
        "debug" => m.atom(if m.flags.debug { "on" } else { "off" }),
        "max_procedure_arity" => small(MAX_ARITY as i64),
        "max_tagged_integer" => small(MAX_SMALL),
        "min_tagged_integer" => small(MIN_SMALL),
        "max_integer" => m.store.int(i64::MAX),
        "min_integer" => m.store.int(i64::MIN),
        other => match CONSTANT_FLAGS.iter().find(|(n, _)| *n == other) {
            Some((_, value)) => m.atom(value),
            None => return Ok(Flow::No),
        },
    };
    Ok(m.store.unify(m.regs[1], value).into())
}

/// What counts as a millisecond in `statistics/2`.
const CALLS_PER_MILLISECOND: u64 = 20_000;

pub(super) fn statistics(m: &mut Machine, _: &Program) -> Res {
    let Look::Atom(key) = m.store.look(m.regs[0]) else {
        return Err(m.instantiation());
    };
    let name = m.atoms.shared(key);
    // There is no clock in here: time is told by the calls made, which a repeated run makes again.
    let milliseconds = (m.steps() / CALLS_PER_MILLISECOND) as i64;
    let n = match &*name {
        "inferences" => m.steps() as i64,
        "atoms" => m.atoms.len() as i64,
        "globalused" => m.store.cells.len() as i64 * 8,
        "collections" => m.collections as i64,
        "real_time" => milliseconds / 1000,
        "cputime" | "process_cputime" => {
            let seconds = m.store.float(milliseconds as f64 / 1000.0);
            return Ok(m.store.unify(m.regs[1], seconds).into());
        }
        "runtime" | "walltime" | "process_runtime" | "system_time" => {
            let since = milliseconds - m.told;
            m.told = milliseconds;
            let list = m
                .store
                .list(&[small(milliseconds), small(since)], atom(known::NIL));
            return Ok(m.store.unify(m.regs[1], list).into());
        }
        _ => return Err(m.domain_error("statistics_key", m.regs[0])),
    };
    let n = m.store.int(n);
    Ok(m.store.unify(m.regs[1], n).into())
}
