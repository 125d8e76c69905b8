//! The instructions that clauses are compiled to.

use serde::{Deserialize, Serialize};

macro_rules! ops {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {
        /// What an instruction does; `a`, `b` and `c` are its operands.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub(crate) enum Op { $($(#[$doc])* $name),* }
        const ALL: &[Op] = &[$(Op::$name),*];
    };
}

ops! {
    /// Return to the continuation.
    Proceed,
    /// Call predicate `c`.
    Call,
    /// Last call to predicate `c`.
    Execute,
    /// Run builtin `c` on the argument registers.
    Builtin,
    /// New environment with `b` slots.
    Allocate,
    Deallocate,
    /// Cut in a clause without an environment.
    NeckCut,
    CutEnv,
    /// Slot `b` remembers the choice points.
    GetLevel,
    CutTo,
    /// The choice point made just after level `b` loses its alternative.
    SoftCut,
    /// Choice point that goes on at `c`; the first branch of a construct begins if `a` is 1.
    TryElse,
    Jump,
    /// Failing tests go to `c` without a choice point.
    SetElse,
    /// The tests hold; the first branch of a construct begins if `b` is 1 (`a` is 1 if there is an
    /// environment).
    ClearElse,
    Fail,
    /// Branch `c` of a control construct begins (for proofs).
    Branch,
    GetVarY,
    /// Two of these: the second register and slot are packed in `c`.
    GetPairY,
    /// Register `a` := register `b`.
    Move,
    GetValX,
    GetValY,
    /// Register `a` must be the constant with tag `b` and value `c`.
    GetConst,
    GetList,
    /// Functor index `c`, arity `b`.
    GetStruct,
    /// List pair into two registers packed in `b`.
    GetListVV,
    /// List pair: a known head, tail into a register.
    GetListXV,
    UnifyVarX,
    UnifyVarY,
    UnifyValX,
    UnifyValY,
    UnifyConst,
    UnifyVoid,
    /// The last argument is itself a list: go on inside it.
    UnifyList,
    UnifyStruct,
    PutVarX,
    PutVarY,
    PutValY,
    /// Two of these: the second register and slot are packed in `c`.
    PutPairY,
    PutConst,
    PutList,
    PutStruct,
    /// Copy template `c` to the heap.
    Build,
    Add,
    Sub,
    Mul,
    /// Register `a` := register `b` + the signed number `c`.
    AddImm,
    /// Function `c` (an atom) of two registers packed in `b`.
    Arith2,
    Arith1,
    /// Register `a` := value of the expression in register `b`.
    Eval,
    /// Arithmetic comparison `c` of two registers packed in `b`.
    Compare,
    /// Type test `c` on register `a`.
    Test,
    /// Term comparison `c` of two registers packed in `b`.
    Order,
    /// A solution of the query.
    Stop,
    /// The goal under a `catch/3` is done.
    PopCatch,
    /// A watched goal is done.
    Exit,
    /// Hand over to the caller.
    Leave,
    /// A clause of a tabled goal is done: its answer goes to the table.
    TableAdd,
    /// Two `Move`s: the second pair of registers is packed in `c`.
    MovePair,
    /// `UnifyVarX` for `a`, then for `b`.
    UnifyVarXX,
    /// `UnifyValX` for `a`, then for `b`.
    UnifyValXX,
    /// `GetList`, then `UnifyValX` for `b`.
    GetListVal,
    /// The tail of the list in `a` into register `b`.
    GetTail,
    /// `GetStruct`, then `UnifyVarX`: arity and register are packed in `b`.
    GetStructVar,
    /// `Allocate` for the number of slots in the high byte of `c`, then `GetPairY`.
    AllocatePair,
    DeallocateExecute,
    DeallocateProceed,
    /// `arg/3` with a new variable: slot `b` := the argument. The low half of `c` is the builtin.
    ArgVarY,
    /// `functor/3` with new variables: slot `b` := name, slot in the high half of `c` := arity.
    FunctorVarYY,
}

impl Op {
    /// Whether predicate `c` is called.
    pub(crate) fn calls(self) -> bool {
        matches!(self, Op::Call | Op::Execute | Op::DeallocateExecute)
    }
}

/// One instruction, eight bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "(u8, u8, u16, u32)", from = "(u8, u8, u16, u32)")]
pub(crate) struct Instr {
    pub(crate) op: Op,
    pub(crate) a: u8,
    pub(crate) b: u16,
    pub(crate) c: u32,
}

impl From<Instr> for (u8, u8, u16, u32) {
    fn from(i: Instr) -> Self {
        (i.op as u8, i.a, i.b, i.c)
    }
}

impl From<(u8, u8, u16, u32)> for Instr {
    fn from((op, a, b, c): (u8, u8, u16, u32)) -> Self {
        let op = ALL.get(op as usize).copied().unwrap_or(Op::Fail);
        Instr { op, a, b, c }
    }
}

/// Arithmetic comparisons.
pub(crate) const COMPARISONS: [&str; 6] = ["=:=", "=\\=", "<", ">", "=<", ">="];
/// Comparisons in the standard order of terms.
pub(crate) const ORDERS: [&str; 7] = ["==", "\\==", "@<", "@>", "@=<", "@>=", "\\="];
/// Type tests.
pub(crate) const TESTS: [&str; 13] = [
    "var", "nonvar", "atom", "integer", "float", "number", "atomic", "compound", "callable",
    "is_list", "string", "ground", "rational",
];
