//! Which slots of an environment are still needed behind an address.
//!
//! Going back to a choice point leaves in the environment what later goals had put there. Such a slot
//! is written anew before it is read, so the code tells it from those that hold terms.

use crate::cell::*;
use crate::code::{Instr, Op};
use crate::program::Program;

/// Goes through the instructions that can be reached from an address without returning to it;
/// `on` says whether to go on behind one.
pub(crate) fn walk(prog: &Program, from: usize, mut on: impl FnMut(Instr) -> bool) {
    let mut seen = std::collections::HashSet::new();
    let mut stack = vec![from];
    while let Some(pc) = stack.pop() {
        let Some(&i) = prog.code.get(pc).filter(|_| seen.insert(pc)) else {
            continue;
        };
        if !on(i) {
            continue;
        }
        match i.op {
            Op::Proceed
            | Op::DeallocateProceed
            | Op::Execute
            | Op::DeallocateExecute
            | Op::Fail
            | Op::Stop
            | Op::Leave => {}
            Op::Jump => stack.push(i.c as usize),
            Op::TryElse | Op::SetElse => stack.extend([i.c as usize, pc + 1]),
            _ => stack.push(pc + 1),
        }
    }
}

/// Whether what a slot holds is read behind an address; `by` hears of each instruction that reads it.
pub(crate) fn is_read(prog: &Program, from: usize, slot: usize, mut by: impl FnMut(Instr)) -> bool {
    let mut read = false;
    walk(prog, from, |i| {
        let (reads, writes) = touches(prog, i, slot);
        if reads {
            read = true;
            by(i);
        }
        !(reads || writes)
    });
    read
}

/// Whether an instruction reads and writes a slot of the environment.
fn touches(prog: &Program, i: Instr, slot: usize) -> (bool, bool) {
    let same = i.b as usize == slot;
    let second = i.c as u16 as usize == slot;
    match i.op {
        Op::GetVarY | Op::UnifyVarY | Op::PutVarY | Op::GetLevel | Op::ArgVarY => (false, same),
        Op::GetPairY | Op::AllocatePair => (false, same || second),
        Op::FunctorVarYY => (false, same || (i.c >> 16) as usize == slot),
        Op::PutPairY => (same || second, false),
        Op::GetValY | Op::UnifyValY | Op::PutValY | Op::CutTo | Op::SoftCut => (same, false),
        Op::Build => {
            let mut reads = false;
            let mut skip = 0;
            for &c in prog.templates[i.c as usize].iter() {
                if skip > 0 {
                    skip -= 1;
                } else if tag(c) == HDR && blob_kind(c) == MARK {
                    reads |= blob_words(c) == slot;
                } else if tag(c) == HDR {
                    skip = blob_words(c);
                }
            }
            (reads, false)
        }
        _ => (false, false),
    }
}
