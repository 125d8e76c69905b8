//! One class against another: the dual problem of a support vector machine by sequential minimal
//! optimisation with second-order choice of the pair of multipliers (Platt 1998; Fan, Chen, Lin
//! 2005), with a cache of kernel rows and without the multipliers that stay at a bound (Joachims
//! 1999).

use std::collections::HashMap;

use super::Prepared;
use super::gaussian::Packed;

/// How closely the optimality conditions are met.
const TOLERANCE: f64 = 1e-3;
/// Kernel values that are kept, of four bytes each: 200 MB, as LIBSVM's default is.
const CACHED: usize = 50_000_000;

/// What is solved: the rows of two classes, and what is known of their multipliers.
struct Duel<'a> {
    rows: &'a Prepared<'a>,
    gamma: f64,
    c: f64,
    /// The rows that are still in play, as numbers of training rows and places in the duel.
    members: Vec<usize>,
    places: Vec<usize>,
    packed: Packed,
    /// Plus one for the first class, minus one for the second.
    side: Vec<f64>,
    alpha: Vec<f64>,
    /// Minus side times gradient: how much it pays to push a multiplier towards its class.
    push: Vec<f64>,
    /// Zero where a multiplier may move in its class's direction, minus infinity where it may
    /// not; and the same for the other direction.
    rise: Vec<f64>,
    fall: Vec<f64>,
    cache: Cache,
}

/// Kernel rows by place; the one that was used longest ago makes room.
struct Cache {
    room: usize,
    rows: HashMap<usize, (u64, Vec<f32>)>,
    clock: u64,
}

/// A solved duel.
pub(super) struct Solved {
    /// Support vectors as numbers of training rows, with their signed multipliers.
    pub(super) parts: Vec<(usize, f64)>,
    pub(super) offset: f64,
}

/// Solves one pair of classes.
pub(super) fn solve(
    rows: &Prepared<'_>,
    first: &[usize],
    second: &[usize],
    c: f64,
    gamma: f64,
) -> Solved {
    let members: Vec<usize> = first.iter().chain(second).copied().collect();
    let n = members.len();
    let side: Vec<f64> = (0..n)
        .map(|t| if t < first.len() { 1.0 } else { -1.0 })
        .collect();
    let mut duel = Duel::new(rows, members.clone(), side.clone(), c, gamma);
    let mut alpha = vec![0.0; n];
    let mut push = side.clone();
    let mut may_shrink = true;
    let patience = n.min(1000);
    let mut left = (100 * n).max(1_000_000);
    loop {
        let mut until = patience;
        let gap = loop {
            let gap = duel.step();
            left = left.saturating_sub(1);
            until -= 1;
            if gap < TOLERANCE || left == 0 || rows.stopped() || until == 0 {
                break gap;
            }
        };
        for (at, &place) in duel.places.iter().enumerate() {
            (alpha[place], push[place]) = (duel.alpha[at], duel.push[at]);
        }
        let over = gap < TOLERANCE || left == 0 || rows.stopped();
        if !over {
            if may_shrink {
                duel.shrink(gap);
            }
            continue;
        }
        if duel.members.len() == n || left == 0 || rows.stopped() {
            break;
        }
        // What was left out is looked at again before anything is called solved.
        let whole = Duel::new(rows, members.clone(), side.clone(), c, gamma);
        duel = whole.resumed(&alpha, &push, &duel);
        may_shrink = false;
    }
    Solved {
        parts: (0..n)
            .filter(|&t| alpha[t] > 0.0)
            .map(|t| (members[t], alpha[t] * side[t]))
            .collect(),
        offset: offset(&alpha, &push, &side, c),
    }
}

impl<'a> Duel<'a> {
    fn new(
        rows: &'a Prepared<'a>,
        members: Vec<usize>,
        side: Vec<f64>,
        c: f64,
        gamma: f64,
    ) -> Duel<'a> {
        let n = members.len();
        let bound = |open: bool| if open { 0.0 } else { f64::NEG_INFINITY };
        Duel {
            rows,
            gamma,
            c,
            places: (0..n).collect(),
            packed: Packed::new(&rows.x, &members),
            members,
            alpha: vec![0.0; n],
            push: side.clone(),
            rise: side.iter().map(|&s| bound(s > 0.0)).collect(),
            fall: side.iter().map(|&s| bound(s < 0.0)).collect(),
            side,
            cache: Cache {
                room: (CACHED / n.max(1)).max(2),
                rows: HashMap::new(),
                clock: 0,
            },
        }
    }

    /// The same multipliers with all rows in play: the gradients of those that were left out
    /// are computed anew from the support vectors.
    fn resumed(mut self, alpha: &[f64], push: &[f64], small: &Duel<'_>) -> Duel<'a> {
        self.alpha.copy_from_slice(alpha);
        self.push.copy_from_slice(push);
        let mut out = vec![true; alpha.len()];
        small.places.iter().for_each(|&place| out[place] = false);
        let left_out: Vec<usize> = (0..alpha.len()).filter(|&t| out[t]).collect();
        for &t in &left_out {
            self.push[t] = self.side[t];
        }
        let rows: Vec<usize> = left_out.iter().map(|&t| self.members[t]).collect();
        let packed = Packed::new(&self.rows.x, &rows);
        let mut kernel = Vec::new();
        for (j, &a) in alpha.iter().enumerate().filter(|(_, a)| **a > 0.0) {
            // With thousands of support vectors this is long work, too.
            if self.rows.stopped() {
                break;
            }
            packed.gaussian(self.rows.x.row(self.members[j]), self.gamma, &mut kernel);
            for (&t, &k) in left_out.iter().zip(&kernel) {
                self.push[t] -= self.side[j] * a * f64::from(k);
            }
        }
        for t in 0..alpha.len() {
            self.bound(t);
        }
        self
    }

    /// Writes down where a multiplier may move.
    fn bound(&mut self, t: usize) {
        let (above, below) = (self.alpha[t] > 0.0, self.alpha[t] < self.c);
        let (rise, fall) = if self.side[t] > 0.0 {
            (below, above)
        } else {
            (above, below)
        };
        let open = |may: bool| if may { 0.0 } else { f64::NEG_INFINITY };
        (self.rise[t], self.fall[t]) = (open(rise), open(fall));
    }

    /// Puts the kernel row of a place into the cache.
    fn need(&mut self, t: usize) {
        self.cache.clock += 1;
        let clock = self.cache.clock;
        if let Some((used, _)) = self.cache.rows.get_mut(&t) {
            *used = clock;
            return;
        }
        let mut row = Vec::new();
        if self.cache.rows.len() >= self.cache.room {
            // Every row was used at another time, so which one goes does not depend on the map.
            let times = self.cache.rows.iter().map(|(&t, (used, _))| (*used, t));
            let oldest = times.min().map(|(_, t)| t);
            row = oldest
                .and_then(|t| self.cache.rows.remove(&t))
                .map_or(row, |(_, row)| row);
        }
        let x = self.rows.x.row(self.members[t]);
        self.packed.gaussian(x, self.gamma, &mut row);
        self.cache.rows.insert(t, (clock, row));
    }

    /// Moves one pair of multipliers; gives how far the optimality conditions were missed before.
    fn step(&mut self) -> f64 {
        let (top, i) = highest(&self.push, &self.rise);
        if top == f64::NEG_INFINITY {
            return 0.0;
        }
        self.need(i);
        let row_i = &self.cache.rows[&i].1;
        let (gap, j) = partner(&self.push, &self.fall, row_i, top);
        if gap < TOLERANCE {
            return gap.max(0.0);
        }
        self.need(j);
        let (row_i, row_j) = (&self.cache.rows[&i].1, &self.cache.rows[&j].1);
        // On the diagonal a Gaussian kernel is one.
        let curve = (2.0 - 2.0 * f64::from(row_i[j])).max(1e-12);
        let room = |t: usize, up: bool| {
            if up == (self.side[t] > 0.0) {
                self.c - self.alpha[t]
            } else {
                self.alpha[t]
            }
        };
        // Along the pair's own line: one rises as the other falls, both stay inside the box.
        let length = ((self.push[i] - self.push[j]) / curve)
            .min(room(i, true))
            .min(room(j, false));
        let moved = |t: usize, by: f64| (self.alpha[t] + self.side[t] * by).clamp(0.0, self.c);
        let (new_i, new_j) = (moved(i, length), moved(j, -length));
        let change_i = self.side[i] * (new_i - self.alpha[i]);
        let change_j = self.side[j] * (new_j - self.alpha[j]);
        follow(&mut self.push, row_i, row_j, change_i, change_j);
        (self.alpha[i], self.alpha[j]) = (new_i, new_j);
        self.bound(i);
        self.bound(j);
        gap
    }

    /// Leaves out multipliers at a bound that would have to move further out.
    fn shrink(&mut self, gap: f64) {
        let (top, _) = highest(&self.push, &self.rise);
        let bottom = top - gap;
        let stays = |t: usize| {
            let (rises, falls) = (self.rise[t] > -1.0, self.fall[t] > -1.0);
            let pulled = rises && self.push[t] >= bottom || falls && self.push[t] <= top;
            pulled || rises == falls
        };
        let kept: Vec<usize> = (0..self.members.len()).filter(|&t| stays(t)).collect();
        if kept.len() * 10 > self.members.len() * 9 || kept.len() < 2 {
            return;
        }
        pick(&mut self.members, &kept);
        pick(&mut self.places, &kept);
        for list in [
            &mut self.side,
            &mut self.alpha,
            &mut self.push,
            &mut self.rise,
            &mut self.fall,
        ] {
            pick(list, &kept);
        }
        self.packed = Packed::new(&self.rows.x, &self.members);
        self.cache.room = (CACHED / kept.len()).max(2);
        let mut before = std::mem::take(&mut self.cache.rows);
        for (at, t) in kept.iter().enumerate() {
            if let Some((used, mut row)) = before.remove(t) {
                pick(&mut row, &kept);
                self.cache.rows.insert(at, (used, row));
            }
        }
    }
}

/// Keeps these entries of a list, in this order.
fn pick<T: Copy>(list: &mut Vec<T>, kept: &[usize]) {
    *list = kept.iter().map(|&t| list[t]).collect();
}

const LANES: usize = 8;

/// The greatest push among multipliers that may rise, and its place.
#[multiversion::multiversion(targets("x86_64+avx512f", "x86_64+avx2"), dispatcher = "direct")]
fn highest(push: &[f64], rise: &[f64]) -> (f64, usize) {
    let mut best = [f64::NEG_INFINITY; LANES];
    let mut at = [0u64; LANES];
    let (parts, masks) = (push.chunks_exact(LANES), rise.chunks_exact(LANES));
    let (rest, rest_masks) = (parts.remainder(), masks.remainder());
    for (block, (part, mask)) in (0u64..).zip(parts.zip(masks)) {
        for l in 0..LANES {
            let value = part[l] + mask[l];
            let better = value > best[l];
            best[l] = if better { value } else { best[l] };
            at[l] = if better { block } else { at[l] };
        }
    }
    let mut found = (f64::NEG_INFINITY, 0);
    for l in 0..LANES {
        if best[l] > found.0 {
            found = (best[l], at[l] as usize * LANES + l);
        }
    }
    for (l, (part, mask)) in rest.iter().zip(rest_masks).enumerate() {
        if part + mask > found.0 {
            found = (part + mask, push.len() - rest.len() + l);
        }
    }
    found
}

/// The greatest gap below the top among multipliers that may fall, and the place of the one that
/// gains most with it.
#[multiversion::multiversion(targets("x86_64+avx512f", "x86_64+avx2"), dispatcher = "direct")]
fn partner(push: &[f64], fall: &[f64], row: &[f32], top: f64) -> (f64, usize) {
    let mut widest = [f64::NEG_INFINITY; LANES];
    let mut best = [0.0; LANES];
    let mut at = [0u64; LANES];
    let gain = |push: f64, fall: f64, k: f32| {
        let gap = (top - push) + fall;
        let open = gap.max(0.0);
        (gap, open * open / (2.0 - 2.0 * f64::from(k)).max(1e-12))
    };
    let parts = push.chunks_exact(LANES).zip(fall.chunks_exact(LANES));
    let blocks = parts.zip(row.chunks_exact(LANES));
    for (block, ((push, fall), row)) in (0u64..).zip(blocks) {
        for l in 0..LANES {
            let (gap, gain) = gain(push[l], fall[l], row[l]);
            widest[l] = if gap > widest[l] { gap } else { widest[l] };
            let better = gain > best[l];
            best[l] = if better { gain } else { best[l] };
            at[l] = if better { block } else { at[l] };
        }
    }
    let (mut gap, mut most, mut place) = (f64::NEG_INFINITY, 0.0, 0);
    for l in 0..LANES {
        gap = gap.max(widest[l]);
        if best[l] > most {
            (most, place) = (best[l], at[l] as usize * LANES + l);
        }
    }
    for t in push.len() / LANES * LANES..push.len() {
        let (wide, gain) = gain(push[t], fall[t], row[t]);
        gap = gap.max(wide);
        if gain > most {
            (most, place) = (gain, t);
        }
    }
    (gap, place)
}

/// What a move of two multipliers does to every push.
#[multiversion::multiversion(targets("x86_64+avx512f", "x86_64+avx2"), dispatcher = "direct")]
fn follow(push: &mut [f64], row_i: &[f32], row_j: &[f32], by_i: f64, by_j: f64) {
    for ((p, &a), &b) in push.iter_mut().zip(row_i).zip(row_j) {
        *p -= f64::from(a) * by_i + f64::from(b) * by_j;
    }
}

/// The offset: the mean over free multipliers, or the middle of what the bounds allow.
fn offset(alpha: &[f64], push: &[f64], side: &[f64], c: f64) -> f64 {
    let (mut sum, mut free) = (0.0, 0usize);
    let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
    for t in 0..alpha.len() {
        let value = -push[t];
        let (at_top, at_zero) = (alpha[t] >= c, alpha[t] <= 0.0);
        if !at_top && !at_zero {
            sum += value;
            free += 1;
        } else if at_top == (side[t] > 0.0) {
            low = low.max(value);
        } else {
            high = high.min(value);
        }
    }
    if free > 0 {
        sum / free as f64
    } else {
        0.5 * (low + high)
    }
}
