//! Following a search from inside: node by node, and round by round.

use crate::Square;

/// What ended the look at a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum End {
    /// All its moves were tried.
    Moves,
    /// A move was enough: the others were skipped.
    Cut,
    /// The game is over.
    Over,
    /// The horizon: it was judged.
    Judged,
    /// The table knew enough of it.
    Table,
    /// The table knew enough of a position after one of its moves.
    Reply,
    /// A shorter look called it hopeless, for one side or the other.
    Selective,
    /// Discs that can never be flipped settle it.
    Stable,
    /// Few squares are left: they were played out by code that nobody follows.
    Solver,
}

impl End {
    /// All of them, in order.
    pub(crate) const ALL: [End; 9] = [
        End::Moves,
        End::Cut,
        End::Over,
        End::Judged,
        End::Table,
        End::Reply,
        End::Selective,
        End::Stable,
        End::Solver,
    ];

    /// What a thread calls it.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            End::Moves => "moves",
            End::Cut => "bound",
            End::Over => "over",
            End::Judged => "judged",
            End::Table => "table",
            End::Reply => "reply",
            End::Selective => "selective",
            End::Stable => "stable",
            End::Solver => "solver",
        }
    }
}

/// Why the engine went on after a round, or did not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum After {
    /// There is budget left: one ply further.
    Again,
    /// As far as it may look.
    Deepest,
    /// The end is in reach: it is played out.
    ToTheEnd,
    /// There is only one legal move.
    Forced,
    /// Half of the budget is spent, and the next round would cost more than the rest.
    Half,
    /// The budget ended in the middle.
    Stopped,
    /// It was played out: nothing is left to think about.
    Solved,
    /// Who wins is proved.
    Decided,
    /// Every move is proved to lose.
    Lost,
}

/// Somebody who follows a search. Where nobody does (`()`) the calls are empty.
///
/// Values and windows of a position are those of the side that would move there, before it passes.
pub(crate) trait Log {
    /// Whether anybody follows. Work done only for the follower belongs behind this.
    const ON: bool;

    /// A round begins: so many plies ahead, or so many empty squares to the end.
    #[inline]
    fn round(&mut self, _depth: u32, _exact: bool) {}

    /// The round asks only who wins: what lies outside these bounds is proved as a bound.
    #[inline]
    fn between(&mut self, _low: i32, _high: i32) {}

    /// A round is over: its best move with what follows, if it found one.
    #[inline]
    fn done(&mut self, _best: Option<(i32, &[Square])>, _after: After, _nodes: u64) {}

    /// A move is tried, and the position after it looked at with a window.
    #[inline]
    fn open(&mut self, _square: u8, _window: (i32, i32), _nodes: u64) {}

    /// The table knew bounds of the open position that made its window narrower.
    #[inline]
    fn known(&mut self, _low: i32, _high: i32) {}

    /// What ended the look at the open position.
    #[inline]
    fn end(&mut self, _end: End) {}

    /// The open position has its value; none where the budget ended first.
    #[inline]
    fn close(&mut self, _value: Option<i32>, _nodes: u64) {}

    /// A search beside this one begins or ends: its positions are counted, not followed.
    #[inline]
    fn aside(&mut self, _on: bool) {}
}

impl Log for () {
    const ON: bool = false;
}
