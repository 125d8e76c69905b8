//! The best play without looking at all of them.
//!
//! Before an origin is searched it is *shadowed*: for every number of tiles to its left and right, what could the
//! best tiles of the hand score there at most, with the best tiles kept? Origins are searched in the order of these
//! bounds, and once a play is better than the next bound nothing further can be. A play that lays the whole hand,
//! or all but one, is only believed where [`Anagrams`] does not rule it out: otherwise the bonus would keep
//! every open lane in the race.

use crate::board::{Place, SIDE, shown};
use crate::lexicon::Graph;
use crate::play::{Play, Values};
use crate::settings::RACK;

use super::anagrams::{Anagrams, key};
use super::field::{ALL, Field, Fit, NONE};
use super::hand::Hand;
use super::lane::{Found, Lane, Sink, TIMES};
use super::outward::{Origin, Outward, origins};

/// What the tiles that are left are worth, in hundredths of a point, by the number of [`Hand::kept`].
pub type Kept = [i32; 128];

/// Nothing is worth anything: the greedy player's view.
pub const NOTHING: Kept = [0; 128];

/// The best play with what it scores and what it is worth in hundredths of a point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Best {
    /// The play.
    pub play: Play,
    /// Its points.
    pub score: i32,
    /// Its points and the worth of what is kept, in hundredths.
    pub worth: i32,
}

/// Somebody who follows the search for the best play. Where nobody does (`()`) the calls are empty.
pub trait Hunt {
    /// The plays at a place are looked for; they are worth at most so much, in hundredths.
    #[inline]
    fn place(&mut self, _at: Place, _bound: i32) {}

    /// A play was found, with its worth in hundredths.
    #[inline]
    fn found(&mut self, _found: &Found<'_>, _worth: i32) {}

    /// So many places are left, and none of them can bring more than this.
    #[inline]
    fn rest(&mut self, _places: usize, _bound: i32) {}
}

impl Hunt for () {}

/// What a vowel beside a double letter costs in the first word of a game, in hundredths: the other side lays a dear consonant
/// there that counts twice in two words. (The squares and the size as in the programs Quackle and macondo.)
const EXPOSED: i32 = 70;

/// What the place of a first word costs: so much for each of these letters that lies beside a double letter.
pub(crate) fn placing(found: &Found<'_>, exposed: Fit) -> i32 {
    let beside = |at: usize| TIMES[SIDE / 2 - 1].letter[at] > 1;
    let laid = (found.start..).zip(found.tiles);
    let open = laid.filter(|&(at, &tile)| beside(at) && exposed >> shown(tile) & 1 == 1);
    EXPOSED * open.count() as i32
}

/// Keeps the best of what is found; of equals the one that sorts first, so that every generator and every order of
/// search gives the same.
pub(crate) struct Keeper<'a, H> {
    pub(crate) kept: &'a Kept,
    /// The letters that are better not laid where [`placing`] says; none in most positions.
    pub(crate) exposed: Fit,
    pub(crate) best: Option<Best>,
    pub(crate) hunt: H,
}

impl<H: Hunt> Sink for Keeper<'_, H> {
    #[inline]
    fn found(&mut self, found: &Found<'_>) {
        let mut worth = found.score * 100 + self.kept[usize::from(found.left & 127)];
        if self.exposed != 0 {
            worth -= placing(found, self.exposed);
        }
        self.hunt.found(found, worth);
        let better = match &self.best {
            None => true,
            Some(best) => worth > best.worth || (worth == best.worth && found.play() < best.play),
        };
        if better {
            self.best = Some(Best {
                play: found.play(),
                score: found.score,
                worth,
            });
        }
    }
}

/// The best play on a GADDAG. `origins` is room for the search, kept between calls to spare the heap.
#[allow(
    clippy::too_many_arguments,
    reason = "the parts of a position, each once"
)]
pub(crate) fn best<H: Hunt>(
    graph: &Graph,
    anagrams: &Anagrams,
    field: &Field,
    values: &Values,
    bonus: i32,
    hand: Hand,
    kept: &Kept,
    exposed: Fit,
    hunt: H,
) -> Option<Best> {
    let shadow = Shadow::new(&hand, values, bonus, kept, anagrams);
    let mut queue = Queue::new();
    origins(field, |origin| {
        let lane = Lane::of(field, origin.direction, usize::from(origin.lane));
        if let Some(bound) = shadow.bound(&lane, origin) {
            queue.push(bound, origin);
        }
    });
    let keeper = Keeper {
        kept,
        exposed,
        best: None,
        hunt,
    };
    let mut search = Outward::new(graph, field, values, bonus, hand, keeper);
    while let Some((bound, origin)) = queue.pop() {
        if search.sink.best.is_some_and(|best| bound < best.worth) {
            search.sink.hunt.rest(queue.length + 1, bound);
            break;
        }
        search.sink.hunt.place(origin.place(), bound);
        search.search(origin);
    }
    search.sink.best
}

/// Origins by their bounds, the greatest first. A board has fewer than 2 x 15 x 8 origins.
struct Queue {
    items: [(i32, Origin); 2 * SIDE * 8],
    length: usize,
}

impl Queue {
    fn new() -> Queue {
        let nothing = Origin {
            direction: crate::board::Direction::Across,
            lane: 0,
            at: 0,
            limit: 0,
        };
        Queue {
            items: [(0, nothing); 2 * SIDE * 8],
            length: 0,
        }
    }

    fn push(&mut self, bound: i32, origin: Origin) {
        if let Some(slot) = self.items.get_mut(self.length) {
            *slot = (bound, origin);
            self.length += 1;
        }
    }

    /// Takes out the greatest. Few are ever taken, so nothing is sorted.
    fn pop(&mut self) -> Option<(i32, Origin)> {
        let live = &mut self.items[..self.length];
        let (at, _) = live.iter().enumerate().max_by_key(|(_, item)| item.0)?;
        let top = live[at];
        live[at] = live[self.length - 1];
        self.length -= 1;
        Some(top)
    }
}

/// What a hand could do at most.
struct Shadow<'a> {
    /// The values of its tiles, the greatest first.
    top: [i32; RACK],
    size: usize,
    have: Fit,
    blanks: u8,
    values: &'a Values,
    bonus: i32,
    /// The best worth of what is left after laying so many tiles.
    rest: [i32; RACK + 1],
    anagrams: &'a Anagrams,
    /// The handfuls of all tiles, and of all but one; empty where a blank makes them too many.
    whole: Handfuls<64>,
    but_one: Handfuls<RACK>,
}

/// Sums of keys, each a handful.
struct Handfuls<const N: usize> {
    sums: [u64; N],
    length: usize,
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

impl<'a> Shadow<'a> {
    fn new(
        hand: &Hand,
        values: &'a Values,
        bonus: i32,
        kept: &Kept,
        anagrams: &'a Anagrams,
    ) -> Shadow<'a> {
        let tiles = hand.tiles();
        let size = tiles.len();
        let mut top = [0; RACK];
        for (slot, &tile) in top.iter_mut().zip(tiles) {
            *slot = values.of(tile);
        }
        top[..size].sort_unstable_by(|a, b| b.cmp(a));
        let mut rest = [i32::MIN; RACK + 1];
        for (left, &worth) in kept.iter().enumerate().take(1 << size) {
            let laid = size - left.count_ones() as usize;
            rest[laid] = rest[laid].max(worth);
        }
        let (mut whole, mut but_one) = (Handfuls::new(), Handfuls::new());
        let sum = tiles
            .iter()
            .filter(|&&t| t != 0)
            .fold(0_u64, |sum, &t| sum.wrapping_add(key(t)));
        match hand.blanks() {
            0 => {
                whole.push(sum);
                for &tile in tiles {
                    but_one.push(sum.wrapping_sub(key(tile)));
                }
            }
            1 => {
                for letter in 1..64 {
                    whole.push(sum.wrapping_add(key(letter)));
                }
                but_one.known = false;
            }
            _ => {
                whole.known = false;
                but_one.known = false;
            }
        }
        Shadow {
            top,
            size,
            have: hand.have,
            blanks: hand.blanks(),
            values,
            bonus,
            rest,
            anagrams,
            whole,
            but_one,
        }
    }

    /// The most that any play from an origin can be worth, in hundredths; nothing where there is none.
    fn bound(&self, lane: &Lane<'_>, origin: Origin) -> Option<i32> {
        let (at, limit) = (usize::from(origin.at), usize::from(origin.limit));
        let mut span = Span {
            spots: [Spot::default(); RACK],
            laid: 0,
            times: 1,
            own: 0,
            fixed: 0,
            through: 0,
        };
        let mut left = at;
        if lane.tiles[at] == 0 {
            if !self.fill(lane, at, &mut span) {
                return None;
            }
        } else {
            self.pass(lane, at, &mut span);
            while left > 0 && lane.tiles[left - 1] != 0 {
                left -= 1;
                self.pass(lane, left, &mut span);
            }
        }
        let mut bound = None;
        loop {
            self.onwards(lane, at + 1, span, &mut bound);
            if left <= limit || span.laid >= self.size {
                break;
            }
            left -= 1;
            if !self.fill(lane, left, &mut span) {
                break;
            }
        }
        bound
    }

    /// The bounds of a span and of all that go on from it.
    fn onwards(&self, lane: &Lane<'_>, mut at: usize, mut span: Span, bound: &mut Option<i32>) {
        loop {
            if span.laid > 0
                && let Some(worth) = self.worth(&span)
            {
                *bound = Some(bound.map_or(worth, |b: i32| b.max(worth)));
            }
            if at >= SIDE || span.laid >= self.size || !self.fill(lane, at, &mut span) {
                return;
            }
            at += 1;
            while at < SIDE && lane.tiles[at] != 0 {
                self.pass(lane, at, &mut span);
                at += 1;
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
    fn worth(&self, span: &Span) -> Option<i32> {
        let laid = span.laid;
        if laid == self.size && !self.whole.perhaps(self.anagrams, span.through)
            || laid + 1 == self.size && !self.but_one.perhaps(self.anagrams, span.through)
        {
            return None;
        }
        let mut points = span.own * span.times + span.fixed;
        let mut open = [0; RACK];
        let mut count = 0;
        for spot in &span.spots[..laid] {
            let often = spot.letter * (span.times + spot.across);
            if let Some(most) = spot.most {
                points += often * most;
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
        points += open[..count]
            .iter()
            .zip(&self.top)
            .map(|(often, value)| often * value)
            .sum::<i32>();
        if laid == RACK {
            points += self.bonus;
        }
        Some(points * 100 + self.rest[laid])
    }
}
