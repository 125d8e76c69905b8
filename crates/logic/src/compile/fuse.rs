//! Instructions that often follow each other, done in one: fewer have to be looked at.

use crate::builtins::TABLE;
use crate::code::{Instr, Op};

use super::{Compiled, pack};

/// Joins neighbours wherever no jump goes between them.
pub(super) fn fuse(code: &[Instr], mut spots: Vec<(u32, u32)>) -> Compiled {
    let jumps = |i: &&Instr| matches!(i.op, Op::TryElse | Op::Jump | Op::SetElse);
    let targets: Vec<u32> = code.iter().filter(jumps).map(|i| i.c).collect();
    let mut out: Vec<Instr> = Vec::with_capacity(code.len());
    // Where each instruction has gone.
    let mut places: Vec<u32> = Vec::with_capacity(code.len() + 1);
    // Instructions before this one are complete.
    let mut fence = 0;
    for (at, &next) in code.iter().enumerate() {
        if targets.contains(&(at as u32)) {
            fence = out.len();
        }
        if !join(&mut out, fence, next) {
            out.push(next);
        }
        places.push(out.len() as u32 - 1);
    }
    places.push(out.len() as u32);
    let place = |at: u32| places.get(at as usize).copied().unwrap_or(at);
    for i in &mut out {
        if matches!(i.op, Op::TryElse | Op::Jump | Op::SetElse) {
            i.c = place(i.c);
        }
    }
    for spot in &mut spots {
        spot.0 = place(spot.0);
    }
    Compiled { code: out, spots }
}

/// Joins an instruction to the last ones, if one can stand for them.
fn join(out: &mut Vec<Instr>, fence: usize, next: Instr) -> bool {
    let Some((last, before)) = out[fence..].split_last_mut() else {
        return false;
    };
    let before = before.last_mut();
    let second = u32::from(next.a) << 16 | u32::from(next.b);
    match (last.op, next.op) {
        (Op::PutValY, Op::PutValY) => (last.op, last.c) = (Op::PutPairY, second),
        (Op::Move, Op::Move) => (last.op, last.c) = (Op::MovePair, second),
        (Op::GetVarY, Op::GetVarY) => match before {
            Some(first) if first.op == Op::Allocate && first.b < 256 => {
                let slots = u32::from(first.b) << 24;
                *first = Instr {
                    op: Op::AllocatePair,
                    c: second | slots,
                    ..*last
                };
                out.pop();
            }
            _ => (last.op, last.c) = (Op::GetPairY, second),
        },
        (Op::UnifyVoid, Op::UnifyVoid) if last.b.checked_add(next.b).is_some() => last.b += next.b,
        (Op::UnifyVoid, Op::UnifyVarX) => match before {
            Some(first) if first.op == Op::GetList && last.b == 1 => {
                (first.op, first.b) = (Op::GetTail, u16::from(next.a));
                out.pop();
            }
            _ => return false,
        },
        (Op::UnifyVarX, Op::UnifyVarX) => (last.op, last.b) = (Op::UnifyVarXX, u16::from(next.a)),
        (Op::UnifyValX, Op::UnifyValX) => (last.op, last.b) = (Op::UnifyValXX, u16::from(next.a)),
        (Op::GetList, Op::UnifyValX) => (last.op, last.b) = (Op::GetListVal, u16::from(next.a)),
        (Op::GetStruct, Op::UnifyVarX) if last.b < 256 => {
            (last.op, last.b) = (Op::GetStructVar, pack(last.b as u8, next.a));
        }
        (Op::Deallocate, Op::Execute) => (last.op, last.c) = (Op::DeallocateExecute, next.c),
        (Op::Deallocate, Op::Proceed) => last.op = Op::DeallocateProceed,
        (Op::PutVarY, Op::Builtin) => {
            let builtin = &TABLE[next.c as usize];
            match (builtin.name, builtin.arity, last.a, before) {
                ("arg", 3, 2, _) => {
                    (last.op, last.a, last.c) = (Op::ArgVarY, next.a, next.c);
                }
                ("functor", 3, 2, Some(first)) if first.op == Op::PutVarY && first.a == 1 => {
                    let c = next.c | u32::from(last.b) << 16;
                    (first.op, first.a, first.c) = (Op::FunctorVarYY, next.a, c);
                    out.pop();
                }
                _ => return false,
            }
        }
        _ => return false,
    }
    true
}
