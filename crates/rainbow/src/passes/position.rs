//! A position of the game with passes: live progressions, uncoloured numbers in them, classes of coloured ones.

use crate::exact::ones;
use crate::series::{all_series, series_count};

/// The longest board, and the most progressions.
pub(super) const MOST_NUMBERS: u32 = 32;
const MOST_SERIES: u64 = 128;

/// The progressions of a board as bit sets.
pub(super) struct Lines {
    pub(super) n: u32,
    pub(super) k: u32,
    /// By progression: bit `x` is number `x + 1`.
    pub(super) numbers: Vec<u32>,
    /// By number: the progressions through it.
    pub(super) through: [u128; MOST_NUMBERS as usize],
    /// By number: how many progressions each other number shares with it, in falling order.
    partners: Vec<Vec<(u32, u32)>>,
}

/// The elements of a set of progressions.
pub(super) fn elements(set: u128) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(set), |&rest| Some(rest & rest.wrapping_sub(1)))
        .take_while(|&rest| rest != 0)
        .map(|rest| rest.trailing_zeros() as usize)
}

impl Lines {
    /// Nothing where the board is too long, or has no progression.
    pub(super) fn new(n: u32, k: u32) -> Option<Lines> {
        let fits = (2..=n).contains(&k) && n <= MOST_NUMBERS && series_count(n, k) <= MOST_SERIES;
        if !fits {
            return None;
        }
        let numbers: Vec<u32> = all_series(n, k)
            .map(|series| series.numbers(k).fold(0, |mask, x| mask | 1 << (x - 1)))
            .collect();
        let mut through = [0u128; MOST_NUMBERS as usize];
        for (i, &mask) in numbers.iter().enumerate() {
            for x in ones(mask) {
                through[x as usize] |= 1 << i;
            }
        }
        let partners = (0..n as usize).map(|x| {
            let shared = |y: usize| ((through[x] & through[y]).count_ones(), y as u32);
            let all = (0..n as usize).filter(|&y| y != x).map(shared);
            let mut all: Vec<(u32, u32)> = all.filter(|&(count, _)| count > 0).collect();
            all.sort_unstable_by(|a, b| b.cmp(a));
            all
        });
        Some(Lines {
            n,
            k,
            partners: partners.collect(),
            numbers,
            through,
        })
    }

    /// The same numbers read backwards.
    pub(super) fn backwards(&self, mask: u32) -> u32 {
        mask.reverse_bits() >> (32 - self.n)
    }
}

/// Who has won, as far as a look shows; by which numbers Maker does, in how many moves, and by which first if it is his.
pub(super) enum Seen {
    Maker { zone: u32, moves: u8, best: u8 },
    Breaker,
    Open,
}

/// A move of Breaker: the number `x + 1` in the colour of a class, or in a fresh one where no class is left.
#[derive(Clone, Copy)]
pub(super) struct Reply {
    pub(super) x: u32,
    pub(super) class: Option<usize>,
}

#[derive(Clone, Copy)]
pub(super) struct Position {
    pub(super) live: u128,
    /// Uncoloured numbers that a live progression holds.
    pub(super) open: u32,
    classes: [u32; MOST_NUMBERS as usize],
    count: usize,
}

impl Position {
    pub(super) fn start(lines: &Lines) -> Position {
        let series = lines.numbers.len();
        let mut position = Position {
            live: u128::MAX >> (128 - series),
            open: u32::MAX >> (32 - lines.n),
            classes: [0; MOST_NUMBERS as usize],
            count: 0,
        };
        position.settle(lines);
        position
    }

    /// The position of a board with these colours.
    pub(super) fn of(lines: &Lines, colours: &[Option<u8>]) -> Position {
        let mut position = Position {
            live: 0,
            open: 0,
            classes: [0; MOST_NUMBERS as usize],
            count: 0,
        };
        let mut met: Vec<u8> = Vec::new();
        for (x, colour) in colours.iter().enumerate() {
            let Some(colour) = colour else {
                position.open |= 1 << x;
                continue;
            };
            let class = met.iter().position(|c| c == colour).unwrap_or_else(|| {
                met.push(*colour);
                met.len() - 1
            });
            position.classes[class] |= 1 << x;
        }
        position.count = met.len();
        let one_each = |numbers: u32| {
            let classes = &position.classes[..position.count];
            classes.iter().all(|c| (c & numbers).count_ones() < 2)
        };
        let live = (0..lines.numbers.len()).filter(|&s| one_each(lines.numbers[s]));
        position.live = live.fold(0, |set, s| set | 1 << s);
        position.settle(lines);
        position
    }

    /// Forgets what no live progression holds.
    fn settle(&mut self, lines: &Lines) {
        let held = elements(self.live).fold(0, |mask, s| mask | lines.numbers[s]);
        self.open &= held;
        let mut kept = 0;
        for class in 0..self.count {
            let rest = self.classes[class] & held;
            if rest != 0 {
                self.classes[kept] = rest;
                kept += 1;
            }
        }
        self.classes[kept..self.count].fill(0);
        self.count = kept;
    }

    /// The number in a colour of its own.
    pub(super) fn fresh(&self, x: u32) -> Position {
        let mut next = *self;
        next.classes[next.count] = 1 << x;
        next.count += 1;
        next.open &= !(1 << x);
        next
    }

    /// The live progressions that have the colour of a class.
    pub(super) fn touched(&self, lines: &Lines, class: usize) -> u128 {
        ones(self.classes[class]).fold(0, |set, x| set | lines.through[x as usize])
    }

    pub(super) fn after(&self, lines: &Lines, reply: Reply) -> Position {
        let Some(class) = reply.class else {
            return self.fresh(reply.x);
        };
        let mut next = *self;
        next.live &= !(lines.through[reply.x as usize] & self.touched(lines, class));
        next.classes[class] |= 1 << reply.x;
        next.open &= !(1 << reply.x);
        next.settle(lines);
        next
    }

    /// What can be said without searching: a rainbow; with Maker to move a progression that lacks one number, or two that lack two and share
    /// one of them; with Breaker to move two that lack different numbers, so that one move cannot spoil both.
    pub(super) fn seen(&self, lines: &Lines, maker: bool) -> Seen {
        if self.live == 0 {
            return Seen::Breaker;
        }
        let lacks = |s: usize| lines.numbers[s] & self.open;
        let mut lacking = [0u128; 3];
        for s in elements(self.live) {
            let count = lacks(s).count_ones() as usize;
            if let Some(set) = lacking.get_mut(count) {
                *set |= 1 << s;
            }
        }
        let won = |zone, moves, cells: u32| Seen::Maker {
            zone,
            moves,
            best: cells.trailing_zeros() as u8,
        };
        let [full, one, two] = lacking;
        if full != 0 {
            let (zone, _) = self.chosen(lines, full);
            return won(zone, 0, 1);
        }
        if one != 0 {
            let (zone, cells) = self.chosen(lines, one);
            if maker {
                return won(zone, 1, cells);
            }
            let others = elements(one).filter(|&s| lacks(s) & cells == 0);
            let (more, _) = self.chosen(lines, others.fold(0, |set, s| set | 1 << s));
            if more == 0 && cells.count_ones() < 2 {
                return Seen::Open;
            }
            return won(zone | more, 2, 1);
        }
        if !maker {
            return Seen::Open;
        }
        // A number that leaves two progressions lacking one each, and not the same one.
        let mut forks: Option<(u32, u32)> = None;
        for a in elements(two) {
            for b in elements(two & (u128::MAX << a)) {
                let shared = lacks(a) & lacks(b);
                if shared.is_power_of_two() {
                    let zone = lines.numbers[a] | lines.numbers[b];
                    let rank = |zone: u32| (zone.count_ones(), zone.min(lines.backwards(zone)));
                    forks = match forks {
                        Some((known, _)) if rank(known) < rank(zone) => forks,
                        Some((known, cells)) if rank(known) == rank(zone) => {
                            Some((known | zone, cells))
                        }
                        _ => Some((zone, shared)),
                    };
                }
            }
        }
        forks.map_or(Seen::Open, |(zone, cells)| won(zone, 3, cells))
    }

    /// One of several progressions, the same whether the position is read forwards or backwards: the one whose numbers, read in either
    /// direction, make the least mask, with its image if that is among them. Its numbers, and the uncoloured ones of them.
    fn chosen(&self, lines: &Lines, among: u128) -> (u32, u32) {
        let rank = |s: usize| lines.numbers[s].min(lines.backwards(lines.numbers[s]));
        let least = elements(among).map(rank).min();
        let chosen = elements(among).filter(|&s| Some(rank(s)) == least);
        let numbers = chosen.fold(0, |all, s| all | lines.numbers[s]);
        (numbers, numbers & self.open)
    }

    /// The number in every colour at once, which spoils all its progressions: where Maker wins even so, he wins after each of the colours.
    pub(super) fn spoilt(&self, lines: &Lines, x: u32) -> Position {
        let mut next = *self;
        next.live &= !lines.through[x as usize];
        next.open &= !(1 << x);
        next.settle(lines);
        next
    }

    /// The sum of Erdős and Selfridge: a progression weighs half as much for each number that it lacks.
    pub(super) fn weigh(&self, lines: &Lines, set: u128) -> i64 {
        let lacks = |s: usize| (lines.numbers[s] & self.open).count_ones().min(16);
        elements(set & self.live)
            .map(|s| 1 << (16 - lacks(s)))
            .sum()
    }

    /// Maker's moves, the heaviest number first.
    pub(super) fn moves(&self, lines: &Lines) -> Vec<u32> {
        let weighed = ones(self.open).map(|x| (-self.weigh(lines, lines.through[x as usize]), x));
        let mut moves: Vec<(i64, u32)> = weighed.collect();
        moves.sort_unstable();
        moves.into_iter().map(|(_, x)| x).collect()
    }

    /// Breaker's moves on some numbers, those first that spoil most and help least.
    pub(super) fn replies(&self, lines: &Lines, on: u32) -> Vec<Reply> {
        let touched: Vec<u128> = (0..self.count).map(|c| self.touched(lines, c)).collect();
        let mut replies: Vec<(i64, Reply)> = Vec::with_capacity(64);
        for x in ones(self.open & on) {
            let through = lines.through[x as usize];
            let grown = self.weigh(lines, through);
            if touched.is_empty() {
                replies.push((grown, Reply { x, class: None }));
            }
            for (class, touched) in touched.iter().enumerate() {
                let spoilt = self.weigh(lines, through & touched);
                let class = Some(class);
                replies.push((grown - 3 * spoilt, Reply { x, class }));
            }
        }
        replies.sort_by_key(|&(weight, _)| weight);
        replies.into_iter().map(|(_, reply)| reply).collect()
    }

    /// A name for the position up to renaming the colours and reading backwards, and whether it was read backwards.
    pub(super) fn key(&self, lines: &Lines, maker: bool) -> (u128, bool) {
        let mut cells = [0u8; MOST_NUMBERS as usize];
        for x in ones(self.open) {
            cells[x as usize] = 1;
        }
        for (class, &mask) in self.classes[..self.count].iter().enumerate() {
            for x in ones(mask) {
                cells[x as usize] = class as u8 + 2;
            }
        }
        let n = lines.n as usize;
        let forwards = pack(cells[..n].iter());
        let backwards = pack(cells[..n].iter().rev());
        let key = forwards.min(backwards) << 1 | u128::from(maker);
        (key, backwards < forwards)
    }
}

/// A number in a mixed base: cell `i` comes after at most `i` colours, so it has at most `i + 3` values. Thirty-two cells have fewer than
/// 2^127 arrangements.
fn pack<'a>(cells: impl Iterator<Item = &'a u8>) -> u128 {
    let mut names = [0u8; MOST_NUMBERS as usize + 2];
    let mut met = 0;
    (3..).zip(cells).fold(0, |key, (base, &cell): (u128, _)| {
        let code = if cell < 2 {
            cell
        } else {
            let name = &mut names[usize::from(cell)];
            if *name == 0 {
                met += 1;
                *name = met;
            }
            *name + 1
        };
        key * base + u128::from(code)
    })
}

/// Nodes of one attempt to find a pairing: most succeed or fail within the first few.
const TRIES: u32 = 100;

impl Position {
    /// Whether a pairing of uncoloured numbers that was found quickly covers every live progression. Parity does not matter: Breaker passes
    /// where a number has no partner.
    pub(super) fn paired(&self, lines: &Lines) -> bool {
        cover(lines, self.open, self.live, &mut { TRIES })
    }
}

/// Whether pairs of free numbers cover all these progressions; see [`crate::pairing`] for the bound.
fn cover(lines: &Lines, free: u32, live: u128, tries: &mut u32) -> bool {
    let Some(narrowest) = elements(live).min_by_key(|&s| (lines.numbers[s] & free).count_ones())
    else {
        return true;
    };
    if *tries == 0 {
        return false;
    }
    *tries -= 1;
    let both = |x: u32, y: u32| lines.through[x as usize] & lines.through[y as usize] & live;
    // The partners of a number come with the most that they can cover, in falling order.
    let best = |x: u32| {
        let mut best = 0;
        for &(most, y) in &lines.partners[x as usize] {
            if most <= best {
                break;
            }
            if free >> y & 1 == 1 {
                best = best.max(both(x, y).count_ones());
            }
        }
        best
    };
    let reach: u32 = ones(free).map(best).sum();
    if reach / 2 < live.count_ones() {
        return false;
    }
    let inside = lines.numbers[narrowest] & free;
    let pair = |x: u32| ones(inside & (u32::MAX << x) & !(1 << x)).map(move |y| (x, y));
    let mut pairs: Vec<(u32, u32)> = ones(inside).flat_map(pair).collect();
    pairs.sort_by_key(|&(x, y)| std::cmp::Reverse(both(x, y).count_ones()));
    pairs.into_iter().any(|(x, y)| {
        let rest = free & !(1 << x | 1 << y);
        cover(lines, rest, live & !both(x, y), tries)
    })
}
