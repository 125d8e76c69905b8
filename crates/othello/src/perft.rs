//! Counting games move by move, the test that every rule is right.

use crate::bits;
use crate::cpu::{best_level, on_every_cpu};

/// What a forced pass costs in a count of depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Passes {
    /// A pass is a ply like a move (the usual convention).
    #[default]
    Ply,
    /// A pass costs nothing: depth is discs on the board.
    Free,
}

/// The leaves of the tree below a position, `depth` plies deep. A finished game above that depth
/// counts as one leaf. No hash, one thread.
///
/// # Example
/// ```
/// use wits_othello::{Position, perft::{Passes, perft}};
/// let start = Position::START;
/// assert_eq!(perft(start.own(), start.other(), 8, Passes::Ply), 390_216);
/// ```
pub fn perft(own: u64, other: u64, depth: u32, passes: Passes) -> u64 {
    if depth == 0 {
        return 1;
    }
    counted(own, other, depth, passes)
}

/// Counts with the best instructions of this CPU.
#[multiversion::multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"), dispatcher = "direct")]
fn counted(own: u64, other: u64, depth: u32, passes: Passes) -> u64 {
    best_level!(leaves(own, other, depth, passes))
}

on_every_cpu! {
pub(super) fn leaves(own: u64, other: u64, depth: u32, passes: Passes) -> u64 {
    match passes {
        Passes::Ply => count::<true>(own, other, depth),
        Passes::Free => count::<false>(own, other, depth),
    }
}

fn count<const PLY: bool>(own: u64, other: u64, depth: u32) -> u64 {
    let mut open = board::moves(own, other);
    if open == 0 {
        return stuck::<PLY>(own, other, depth);
    }
    if depth == 1 {
        return u64::from(open.count_ones());
    }
    let mut leaves = 0;
    while open != 0 {
        let square = open.trailing_zeros() as usize;
        let flips = board::flips(square, own, other);
        let (next, mine) = (other & !flips, own | flips | (open & open.wrapping_neg()));
        open &= open - 1;
        if depth == 2 {
            let replies = board::moves(next, mine);
            leaves += if replies == 0 {
                stuck::<PLY>(next, mine, 1)
            } else {
                u64::from(replies.count_ones())
            };
        } else {
            leaves += count::<PLY>(next, mine, depth - 1);
        }
    }
    leaves
}

#[cold]
fn stuck<const PLY: bool>(own: u64, other: u64, depth: u32) -> u64 {
    if board::moves(other, own) == 0 || (PLY && depth == 1) {
        1
    } else {
        count::<PLY>(other, own, depth - u32::from(PLY))
    }
}
}

/// Positions of one level with how many games lead to each, and the leaves of games that ended on the way.
struct Level {
    positions: Vec<((u64, u64), u64)>,
    ended: u64,
}

/// The same count as [`perft`], by levels: positions that look the same are merged with the number of
/// games that lead to them, and only the last plies are counted plainly, on `threads` threads.
pub fn perft_merged(own: u64, other: u64, depth: u32, passes: Passes, threads: usize) -> u64 {
    // Ten levels are worth merging: the eleventh has more positions than it saves leaves.
    let plain = if depth > 11 {
        depth.saturating_sub(10)
    } else {
        depth.saturating_sub(5).max(2)
    };
    let mut level = Level {
        positions: vec![(bits::canonical(own, other), 1)],
        ended: 0,
    };
    for _ in 0..depth.saturating_sub(plain) {
        level = level.next(passes);
    }
    let depth = depth.min(plain);
    let share = level
        .positions
        .len()
        .div_ceil(threads.max(1))
        .clamp(1, 4096);
    let parts: Vec<&[((u64, u64), u64)]> = level.positions.chunks(share).collect();
    let next = std::sync::atomic::AtomicUsize::new(0);
    let work = || {
        let mut sum = 0;
        loop {
            let part = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            let Some(part) = parts.get(part) else {
                return sum;
            };
            for &((own, other), games) in *part {
                sum += games * perft(own, other, depth, passes);
            }
        }
    };
    let below: u64 = std::thread::scope(|scope| {
        let workers: Vec<_> = (1..threads.max(1)).map(|_| scope.spawn(work)).collect();
        let mine = work();
        mine + workers
            .into_iter()
            .map(|w| w.join().expect("counting does not panic"))
            .sum::<u64>()
    });
    below + level.ended
}

impl Level {
    fn next(self, passes: Passes) -> Level {
        let mut all = Vec::with_capacity(self.positions.len() * 8);
        let mut ended = self.ended;
        for ((own, other), games) in self.positions {
            let (mut own, mut other) = (own, other);
            let mut open = bits::moves(own, other);
            if open == 0 {
                open = bits::moves(other, own);
                if open == 0 {
                    ended += games;
                    continue;
                }
                if passes == Passes::Ply {
                    all.push((bits::canonical(other, own), games));
                    continue;
                }
                (own, other) = (other, own);
            }
            while open != 0 {
                let square = open.trailing_zeros() as usize;
                let flips = bits::flips(square, own, other);
                let mine = own | flips | 1 << square;
                all.push((bits::canonical(other & !flips, mine), games));
                open &= open - 1;
            }
        }
        all.sort_unstable();
        all.dedup_by(|a, b| {
            let same = a.0 == b.0;
            if same {
                b.1 += a.1;
            }
            same
        });
        Level {
            positions: all,
            ended,
        }
    }
}

/// Distinct positions after `moves` moves, forced passes made: up to the eight symmetries if `merge`.
pub fn distinct(moves: u32, merge: bool) -> usize {
    let look = |own, other| {
        if merge {
            bits::canonical(own, other)
        } else {
            (own, other)
        }
    };
    let start = crate::Position::START;
    let mut level = vec![look(start.own(), start.other())];
    for _ in 0..moves {
        let mut next = Vec::new();
        for (own, other) in level {
            let mut open = bits::moves(own, other);
            while open != 0 {
                let square = open.trailing_zeros() as usize;
                let flips = bits::flips(square, own, other);
                let (them, mine) = (other & !flips, own | flips | 1 << square);
                let passes = bits::moves(them, mine) == 0 && bits::moves(mine, them) != 0;
                next.push(if passes {
                    look(mine, them)
                } else {
                    look(them, mine)
                });
                open &= open - 1;
            }
        }
        next.sort_unstable();
        next.dedup();
        level = next;
    }
    level.len()
}
