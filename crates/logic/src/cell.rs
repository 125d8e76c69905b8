//! The 64-bit words that terms are made of.
//!
//! The low three bits are a tag, the rest is a heap address, an atom number or a small integer.
//! Everything that does not fit (floats, big integers, strings) is a *blob*: a header word that
//! says how many raw words follow.

/// One tagged word.
pub(crate) type Cell = u64;

/// A reference to another cell; a cell that refers to itself is an unbound variable.
pub(crate) const REF: u64 = 0;
/// The address of a functor word followed by the arguments.
pub(crate) const STR: u64 = 1;
/// The address of a list pair: head, then tail.
pub(crate) const LST: u64 = 2;
/// An atom number.
pub(crate) const ATM: u64 = 3;
/// A 61-bit signed integer.
pub(crate) const INT: u64 = 4;
/// The address of a blob header.
pub(crate) const BLB: u64 = 5;
/// A functor word; only found where a `STR` points.
pub(crate) const FUN: u64 = 6;
/// A blob header; only found where a `BLB` points.
pub(crate) const HDR: u64 = 7;

/// Blob kinds, kept in the header.
pub(crate) const FLOAT: u64 = 0;
pub(crate) const BIG: u64 = 1;
pub(crate) const TEXT: u64 = 2;
/// Not a blob: marks a variable that a copy in progress has already met, or a template slot.
pub(crate) const MARK: u64 = 3;

/// The largest and smallest integers that fit a cell.
pub(crate) const MAX_SMALL: i64 = (1 << 60) - 1;
pub(crate) const MIN_SMALL: i64 = -(1 << 60);

#[inline(always)]
pub(crate) const fn tag(c: Cell) -> u64 {
    c & 7
}

#[inline(always)]
pub(crate) const fn addr(c: Cell) -> usize {
    (c >> 3) as usize
}

#[inline(always)]
pub(crate) const fn make(tag: u64, addr: usize) -> Cell {
    ((addr as u64) << 3) | tag
}

#[inline(always)]
pub(crate) const fn atom(index: u32) -> Cell {
    ((index as u64) << 3) | ATM
}

#[inline(always)]
pub(crate) const fn small(n: i64) -> Cell {
    ((n << 3) as u64) | INT
}

#[inline(always)]
pub(crate) const fn small_value(c: Cell) -> i64 {
    (c as i64) >> 3
}

/// A functor word carries its table index and, so that no table is needed, its arity.
#[inline(always)]
pub(crate) const fn functor(index: u32, arity: usize) -> Cell {
    ((arity as u64) << 40) | ((index as u64) << 3) | FUN
}

#[inline(always)]
pub(crate) const fn functor_index(c: Cell) -> u32 {
    (c >> 3) as u32
}

#[inline(always)]
pub(crate) const fn functor_arity(c: Cell) -> usize {
    (c >> 40) as usize
}

/// A blob header: kind, sign of a big integer, unused bytes of the last word, number of words.
pub(crate) const fn header(kind: u64, negative: bool, pad: usize, words: usize) -> Cell {
    HDR | (kind << 3) | ((pad as u64) << 5) | ((negative as u64) << 8) | ((words as u64) << 9)
}

#[inline(always)]
pub(crate) const fn blob_kind(h: Cell) -> u64 {
    (h >> 3) & 3
}

#[inline(always)]
pub(crate) const fn blob_words(h: Cell) -> usize {
    (h >> 9) as usize
}

#[inline(always)]
pub(crate) const fn blob_pad(h: Cell) -> usize {
    ((h >> 5) & 7) as usize
}

#[inline(always)]
pub(crate) const fn blob_negative(h: Cell) -> bool {
    (h >> 8) & 1 == 1
}

/// A mark with a number in it (see [`MARK`]).
#[inline(always)]
pub(crate) const fn mark(n: usize) -> Cell {
    HDR | (MARK << 3) | ((n as u64) << 9)
}
