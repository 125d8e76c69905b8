//! The best play without looking at all of them.
//!
//! Origins are searched in the order of what a play there can be worth at most ([`Shadow`]), and once a play is better than the next bound
//! nothing further can be. An origin whose turn comes is bounded again, with more care, part by part ([`Reach`]): its search turns back where
//! no play that is still within reach can be the best.

use crate::board::{Place, SIDE, shown};
use crate::lexicon::Graph;
use crate::play::{Play, Values};

use super::anagrams::Anagrams;
use super::engine::Method;
use super::field::{Field, Fit};
use super::hand::Hand;
use super::lane::{Found, Lane, Sink, TIMES};
use super::outward::{Origin, Outward, origins};
use super::shadow::{NEVER, Reach, Shadow};

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
    fn floor(&self) -> i32 {
        self.best.map_or(NEVER, |best| best.worth)
    }

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

/// The best play on a GADDAG. Bounds by counts alone leave every search of an origin whole.
#[allow(
    clippy::too_many_arguments,
    reason = "the parts of a position, each once"
)]
pub(crate) fn best<H: Hunt>(
    method: Method,
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
    let careful = method != Method::Counts;
    let shadow = Shadow::new(&hand, values, bonus, kept, anagrams, careful);
    let lane = |origin: Origin| Lane::of(field, origin.direction, usize::from(origin.lane));
    let mut queue = Queue::new();
    origins(field, |origin| {
        if let Some(bound) = shadow.bound(&lane(origin), origin) {
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
    let mut reach = Reach::new(&shadow);
    while let Some((bound, origin)) = queue.pop() {
        let floor = search.sink.floor();
        if bound < floor {
            search.sink.hunt.rest(queue.length + 1, bound);
            break;
        }
        if !careful {
            search.sink.hunt.place(origin.place(), bound);
            search.search(origin);
            continue;
        }
        let closer = reach.measure(&shadow, &lane(origin), origin);
        if closer <= NEVER || closer < floor {
            continue;
        }
        // Its turn may not have come yet.
        if closer < bound && closer < queue.top() {
            queue.push(closer, origin);
            continue;
        }
        search.sink.hunt.place(origin.place(), closer);
        search.search_within(origin, &reach);
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

    /// The greatest bound.
    fn top(&self) -> i32 {
        let bounds = self.items[..self.length].iter().map(|item| item.0);
        bounds.max().unwrap_or(NEVER)
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
