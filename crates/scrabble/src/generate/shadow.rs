//! What a hand could do at most at a place, before anything is searched there.
//!
//! An origin is *shadowed*: for every number of tiles to its left and right, what could the tiles of the hand score there at most, with what
//! worth kept? Two bounds are taken, and the lesser counts. One adds the most points of so many tiles to the best worth of so
//! many kept. The other knows that a tile is laid or kept, not both: every tile laid counts as often as the least of the squares does,
//! and of that and the worth of the others the best choice is taken; only what the better squares count beyond it is added freely.
//!
//! A play that lays the whole hand, or nearly, is only believed where [`Anagrams`] does not rule it out: otherwise the bonus
//! would keep every open lane in the race.

use crate::board::{SIDE, shown};
use crate::play::Values;
use crate::settings::RACK;

use super::anagrams::{Anagrams, key};
use super::best::Kept;
use super::field::{ALL, Fit, NONE};
use super::hand::Hand;
use super::lane::Lane;
use super::outward::{Limits, Origin};

/// Less than any play is worth.
pub(crate) const NEVER: i32 = i32::MIN / 4;
/// What cannot be.
const NOTHING: i32 = i32::MIN / 2;
/// Tiles count as often as this in the choice of what is laid; beyond it they count freely.
const OFTEN: usize = 4;

/// What a hand could do at most.
pub(crate) struct Shadow<'a> {
    /// The values of its tiles, the greatest first.
    top: [i32; RACK],
    size: usize,
    have: Fit,
    blanks: u8,
    values: &'a Values,
    bonus: i32,
    /// What so many tiles come to, laid where each counts so often, with the worth of the others; the best choice. Where they
    /// count nothing, it is the best worth of what is left.
    choice: [[i32; RACK + 1]; OFTEN + 1],
    /// The best worth of some of the tiles that are left, by [`Hand::left`]; of none, nothing.
    within: [i32; 128],
    anagrams: &'a Anagrams,
    /// Whether both bounds are taken, or the first alone.
    careful: bool,
    /// The handfuls of all tiles, and of all but one or two.
    whole: Handfuls<64>,
    but_one: Handfuls<256>,
    but_two: Handfuls<32>,
}

/// Sums of keys, each a handful.
struct Handfuls<const N: usize> {
    sums: [u64; N],
    length: usize,
    /// Whether all of them are here; where a blank makes them too many they are not.
    known: bool,
}

impl<const N: usize> Handfuls<N> {
    fn new() -> Self {
        Handfuls {
            sums: [0; N],
            length: 0,
            known: true,
        }
    }

    fn push(&mut self, sum: u64) {
        match self.sums.get_mut(self.length) {
            Some(slot) => {
                *slot = sum;
                self.length += 1;
            }
            None => self.known = false,
        }
    }

    fn perhaps(&self, anagrams: &Anagrams, through: u64) -> bool {
        !self.known
            || self.sums[..self.length]
                .iter()
                .any(|&sum| anagrams.perhaps(sum.wrapping_add(through)))
    }
}

/// A free square as the bound sees it.
#[derive(Clone, Copy, Default)]
struct Spot {
    letter: i32,
    /// How often the word across counts, or zero where there is none.
    across: i32,
    /// The most a tile can be worth here, where not all of them fit.
    most: Option<i32>,
}

/// A word being thought of: squares to fill, letters passed.
#[derive(Clone, Copy)]
struct Span {
    spots: [Spot; RACK],
    laid: usize,
    times: i32,
    own: i32,
    fixed: i32,
    through: u64,
}

/// What a play can be worth at most, in hundredths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Most {
    /// A play that lays the whole hand.
    whole: i32,
    /// Any other.
    part: i32,
    /// The points of any other alone.
    points: i32,
}

impl Most {
    const NOTHING: Most = Most {
        whole: NOTHING,
        part: NOTHING,
        points: NOTHING,
    };

    fn or(self, other: Most) -> Most {
        Most {
            whole: self.whole.max(other.whole),
            part: self.part.max(other.part),
            points: self.points.max(other.points),
        }
    }

    fn bound(self) -> i32 {
        self.whole.max(self.part)
    }
}

/// Somebody who looks at every span of an origin: start by start, each from the shortest to the longest.
trait Spans {
    /// The spans that begin here come next.
    fn begin(&mut self, _start: usize) {}

    /// A span that ends before a place.
    fn span(&mut self, start: usize, end: usize, most: Most);
}

/// The greatest bound.
struct Greatest(i32);

impl Spans for Greatest {
    fn span(&mut self, _start: usize, _end: usize, most: Most) {
        self.0 = self.0.max(most.bound());
    }
}

impl<'a> Shadow<'a> {
    pub(crate) fn new(
        hand: &Hand,
        values: &'a Values,
        bonus: i32,
        kept: &Kept,
        anagrams: &'a Anagrams,
        careful: bool,
    ) -> Shadow<'a> {
        let tiles = hand.tiles();
        let size = tiles.len();
        let mut top = [0; RACK];
        for (slot, &tile) in top.iter_mut().zip(tiles) {
            *slot = values.of(tile);
        }
        let mut shadow = Shadow {
            top,
            size,
            have: hand.have,
            blanks: hand.blanks(),
            values,
            bonus,
            choice: [[NOTHING; RACK + 1]; OFTEN + 1],
            within: [NOTHING; 128],
            anagrams,
            careful,
            whole: Handfuls::new(),
            but_one: Handfuls::new(),
            but_two: Handfuls::new(),
        };
        shadow.choose(kept);
        shadow.top[..size].sort_unstable_by(|a, b| b.cmp(a));
        shadow.gather(tiles);
        shadow
    }

    /// Fills the tables of choices; `top` is still in the order of the hand.
    fn choose(&mut self, kept: &Kept) {
        let size = self.size;
        let all: i32 = self.top[..size].iter().sum();
        let mut held = [0; 128];
        for left in 0..1_usize << size {
            if left > 0 {
                let first = left.trailing_zeros() as usize;
                held[left] = held[left & (left - 1)] + self.top[first];
            }
            let laid = size - left.count_ones() as usize;
            let points = 100 * (all - held[left]);
            for (often, row) in self.choice.iter_mut().enumerate() {
                row[laid] = row[laid].max(kept[left] + points * often as i32);
            }
        }
        if self.careful {
            for (left, &own) in kept.iter().enumerate().take(1 << size).skip(1) {
                let mut most = own;
                let mut rest = left;
                while rest != 0 {
                    most = most.max(self.within[left & !(rest & rest.wrapping_neg())]);
                    rest &= rest - 1;
                }
                self.within[left] = most;
            }
        }
    }

    /// Notes the handfuls that can be laid.
    fn gather(&mut self, tiles: &[u8]) {
        let letters = tiles.iter().filter(|&&t| t != 0);
        let sum = letters
            .clone()
            .fold(0_u64, |sum, &t| sum.wrapping_add(key(t)));
        let others = |own: u8| (1..=self.anagrams.letters()).map(move |l| (own, key(l)));
        match self.blanks {
            0 => {
                self.whole.push(sum);
                for (at, &tile) in tiles.iter().enumerate() {
                    let rest = sum.wrapping_sub(key(tile));
                    self.but_one.push(rest);
                    if self.careful {
                        for &second in &tiles[at + 1..] {
                            self.but_two.push(rest.wrapping_sub(key(second)));
                        }
                    }
                }
                self.but_two.known = self.careful;
            }
            1 => {
                for (_, letter) in others(0) {
                    self.whole.push(sum.wrapping_add(letter));
                }
                self.but_one.known = self.careful;
                self.but_two.known = false;
                if self.careful {
                    self.but_one.push(sum);
                    for &tile in letters {
                        let rest = sum.wrapping_sub(key(tile));
                        for (_, letter) in others(tile) {
                            self.but_one.push(rest.wrapping_add(letter));
                        }
                    }
                }
            }
            _ => {
                self.whole.known = false;
                self.but_one.known = false;
                self.but_two.known = false;
            }
        }
    }

    /// The most that any play from an origin can be worth, in hundredths; nothing where there is none.
    pub(crate) fn bound(&self, lane: &Lane<'_>, origin: Origin) -> Option<i32> {
        let mut greatest = Greatest(NOTHING);
        self.spans(lane, origin, false, &mut greatest);
        (greatest.0 > NEVER).then_some(greatest.0)
    }

    /// Looks at every span of an origin. The second look asks for more handfuls.
    fn spans(&self, lane: &Lane<'_>, origin: Origin, second: bool, look: &mut impl Spans) {
        let (at, limit) = (usize::from(origin.at), usize::from(origin.limit));
        let mut span = Span {
            spots: [Spot::default(); RACK],
            laid: 0,
            times: 1,
            own: 0,
            fixed: 0,
            through: 0,
        };
        let mut start = at;
        if lane.tiles[at] == 0 {
            if !self.fill(lane, at, &mut span) {
                return;
            }
        } else {
            self.pass(lane, at, &mut span);
            while start > 0 && lane.tiles[start - 1] != 0 {
                start -= 1;
                self.pass(lane, start, &mut span);
            }
        }
        loop {
            look.begin(start);
            self.onwards(lane, (start, at + 1), span, second, look);
            if start <= limit || span.laid >= self.size {
                break;
            }
            start -= 1;
            if !self.fill(lane, start, &mut span) {
                break;
            }
        }
    }

    /// Looks at a span and at all that go on from it.
    fn onwards(
        &self,
        lane: &Lane<'_>,
        (start, mut end): (usize, usize),
        mut span: Span,
        second: bool,
        look: &mut impl Spans,
    ) {
        loop {
            if span.laid > 0
                && let Some(most) = self.most(&span, second)
            {
                look.span(start, end, most);
            }
            if end >= SIDE || span.laid >= self.size || !self.fill(lane, end, &mut span) {
                return;
            }
            end += 1;
            while end < SIDE && lane.tiles[end] != 0 {
                self.pass(lane, end, &mut span);
                end += 1;
            }
        }
    }

    fn pass(&self, lane: &Lane<'_>, at: usize, span: &mut Span) {
        let tile = lane.tiles[at];
        span.own += self.values.of(tile);
        span.through = span.through.wrapping_add(key(shown(tile)));
    }

    /// Lays some tile on a free square; false where none of the hand fits or none is left.
    fn fill(&self, lane: &Lane<'_>, at: usize, span: &mut Span) -> bool {
        let fits = lane.fits[at];
        let natural = fits & self.have;
        if span.laid >= self.size || (natural == 0 && (self.blanks == 0 || fits == 0)) {
            return false;
        }
        let word = i32::from(lane.times.word[at]);
        let beside = lane.beside[at];
        let mut spot = Spot {
            letter: i32::from(lane.times.letter[at]),
            across: 0,
            most: None,
        };
        if beside != NONE {
            spot.across = word;
            span.fixed += i32::from(beside) * word;
        }
        if fits != ALL {
            let mut most = 0;
            let mut rest = natural;
            while rest != 0 {
                most = most.max(self.values.of(rest.trailing_zeros() as u8));
                rest &= rest - 1;
            }
            spot.most = Some(most);
        }
        span.spots[span.laid] = spot;
        span.laid += 1;
        span.times *= word;
        true
    }

    /// The most that a span can be worth; nothing where no word can fill it.
    fn most(&self, span: &Span, second: bool) -> Option<Most> {
        let laid = span.laid;
        let (anagrams, through) = (self.anagrams, span.through);
        let possible = match self.size - laid {
            0 => self.whole.perhaps(anagrams, through),
            // With a blank these are many: they wait for the second look.
            1 => !second && self.blanks > 0 || self.but_one.perhaps(anagrams, through),
            2 => !second || self.but_two.perhaps(anagrams, through),
            _ => true,
        };
        if !possible {
            return None;
        }
        let base = span.own * span.times + span.fixed;
        let mut points = base;
        // What the squares for which only some tiles fit come to.
        let (mut narrow, mut narrow_often) = (0, 0);
        let mut least = OFTEN as i32;
        let mut open = [0; RACK];
        let mut count = 0;
        for spot in &span.spots[..laid] {
            let often = spot.letter * (span.times + spot.across);
            least = least.min(often);
            if let Some(most) = spot.most {
                points += often * most;
                narrow += often * most;
                narrow_often += most;
                continue;
            }
            let mut at = count;
            while at > 0 && open[at - 1] < often {
                open[at] = open[at - 1];
                at -= 1;
            }
            open[at] = often;
            count += 1;
        }
        let open = open[..count].iter().zip(&self.top);
        points += open
            .clone()
            .map(|(often, value)| often * value)
            .sum::<i32>();
        let bingo = if laid == RACK { self.bonus } else { 0 };
        points += bingo;
        let mut worth = points * 100 + self.choice[0][laid];
        if self.careful {
            let beyond: i32 = open.map(|(often, value)| (often - least) * value).sum();
            let beyond = base + bingo + beyond + narrow - least * narrow_often;
            worth = worth.min(beyond * 100 + self.choice[least as usize][laid]);
        }
        Some(if laid == self.size {
            Most {
                whole: worth,
                ..Most::NOTHING
            }
        } else {
            Most {
                whole: NOTHING,
                part: worth,
                points: points * 100,
            }
        })
    }
}

/// What the plays of an origin can be worth at most, part by part: by where they begin, and how far they go on.
pub(crate) struct Reach {
    /// For each start the plays that go on over a place.
    over: [[Most; SIDE]; SIDE],
    /// Plays that begin here or before.
    from: [Most; SIDE],
    within: [i32; 128],
}

impl Reach {
    pub(crate) fn new(shadow: &Shadow<'_>) -> Reach {
        Reach {
            over: [[Most::NOTHING; SIDE]; SIDE],
            from: [Most::NOTHING; SIDE],
            within: shadow.within,
        }
    }

    /// Takes the measure of an origin, and gives the bound of all.
    pub(crate) fn measure(&mut self, shadow: &Shadow<'_>, lane: &Lane<'_>, origin: Origin) -> i32 {
        self.from = [Most::NOTHING; SIDE];
        shadow.spans(lane, origin, true, self);
        let mut all = Most::NOTHING;
        for (start, from) in self.from.iter_mut().enumerate() {
            if *from != Most::NOTHING {
                let row = &mut self.over[start];
                for at in (1..SIDE).rev() {
                    row[at - 1] = row[at - 1].or(row[at]);
                }
            }
            all = all.or(*from);
            *from = all;
        }
        all.bound()
    }

    #[inline]
    fn allows(&self, most: Most, left: u8, floor: i32) -> bool {
        let part = most.points + self.within[usize::from(left & 127)];
        most.whole.max(most.part.min(part)) >= floor
    }
}

impl Spans for Reach {
    fn begin(&mut self, start: usize) {
        self.over[start] = [Most::NOTHING; SIDE];
    }

    fn span(&mut self, start: usize, end: usize, most: Most) {
        let last = &mut self.over[start][end - 1];
        *last = last.or(most);
        self.from[start] = self.from[start].or(most);
    }
}

impl Limits for Reach {
    #[inline]
    fn back(&self, at: usize, left: u8, floor: i32) -> bool {
        self.allows(self.from[at], left, floor)
    }

    #[inline]
    fn forth(&self, start: usize, at: usize, left: u8, floor: i32) -> bool {
        self.allows(self.over[start][at], left, floor)
    }
}
