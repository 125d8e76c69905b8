//! A lexicon made ready for play.

use std::sync::OnceLock;

use crate::board::{Board, Direction};
use crate::lexicon::{Gaddag, Unbuildable};
use crate::play::{Play, Values};
use crate::{Lexicon, TileSet};

use super::anagrams::Anagrams;
use super::best::{Best, Hunt, Keeper, Kept, best};
use super::field::{Field, Fit, Fitting, Outwards};
use super::hand::Hand;
use super::inward;
use super::lane::{Found, Sink};
use super::outward::{Outward, origins, origins_in};

/// How plays are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// On the DAWG, every play.
    Dawg,
    /// On the GADDAG, every play.
    Gaddag,
    /// On the GADDAG, the best play by bounds that know how many tiles are laid and not which: the baseline of
    /// [`Method::Shadow`].
    Counts,
    /// On the GADDAG, the best play by bounds.
    Shadow,
}

/// A lexicon with the structures that find plays. It works from the first moment on the DAWG; when the GADDAG is
/// there it works on that, with the same answers.
#[derive(Debug)]
pub struct Engine {
    lexicon: Lexicon,
    values: Values,
    vowels: Fit,
    fast: OnceLock<Fast>,
}

#[derive(Debug)]
struct Fast {
    gaddag: Gaddag,
    anagrams: Anagrams,
}

impl Engine {
    /// An engine that can play at once.
    pub fn new(lexicon: Lexicon) -> Engine {
        let values = Values::new(lexicon.tiles());
        let vowels = lexicon.tiles().vowels();
        Engine {
            lexicon,
            values,
            vowels,
            fast: OnceLock::new(),
        }
    }

    /// Builds the fast structures, if they are not there: part of a second to some seconds, so a
    /// front end does it in the background.
    pub fn warm(&self) -> Result<(), Unbuildable> {
        if self.fast.get().is_none() {
            let gaddag = Gaddag::build(&self.lexicon)?;
            self.equip(gaddag);
        }
        Ok(())
    }

    /// Takes a GADDAG that was built before; refused when it is another lexicon's.
    pub fn equip(&self, gaddag: Gaddag) -> bool {
        let fits = gaddag.is_of(&self.lexicon);
        if fits {
            let anagrams = Anagrams::of(&self.lexicon);
            let _ = self.fast.set(Fast { gaddag, anagrams });
        }
        fits
    }

    /// Whether the fast structures are there.
    pub fn is_warm(&self) -> bool {
        self.fast.get().is_some()
    }

    /// The GADDAG, when it is there.
    pub fn gaddag(&self) -> Option<&Gaddag> {
        self.fast.get().map(|fast| &fast.gaddag)
    }

    /// How many bytes the structures take that play uses.
    pub fn bytes(&self) -> usize {
        self.lexicon.dawg().bytes()
            + self
                .fast
                .get()
                .map_or(0, |f| f.gaddag.graph().bytes() + f.anagrams.bytes())
    }

    /// The words.
    pub fn lexicon(&self) -> &Lexicon {
        &self.lexicon
    }

    /// The tiles.
    pub fn tiles(&self) -> &TileSet {
        self.lexicon.tiles()
    }

    /// What tiles score.
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// A board with its cross-checks.
    pub fn field(&self, board: &Board) -> Field {
        Field::of(board, self, &self.values)
    }

    /// Lays a play on a field.
    pub fn lay(&self, field: &mut Field, play: &Play) {
        field.lay(play, self, &self.values);
    }

    /// Finds every play, each once, in no particular order.
    pub fn every(&self, field: &Field, hand: &Hand, bonus: i32, sink: &mut impl Sink) {
        let method = if self.is_warm() {
            Method::Gaddag
        } else {
            Method::Dawg
        };
        self.every_by(method, field, hand, bonus, sink);
    }

    /// Finds every play in one way. Without the GADDAG it is always the DAWG.
    pub fn every_by(
        &self,
        method: Method,
        field: &Field,
        hand: &Hand,
        bonus: i32,
        sink: &mut impl Sink,
    ) {
        match (method, self.fast.get()) {
            (Method::Gaddag | Method::Counts | Method::Shadow, Some(fast)) => {
                let graph = fast.gaddag.graph();
                let take = |found: &Found<'_>| sink.found(found);
                let mut search =
                    Outward::new(graph, field, &self.values, bonus, hand.clone(), take);
                origins(field, |origin| search.search(origin));
            }
            _ => inward::every(
                self.lexicon.dawg(),
                field,
                &self.values,
                bonus,
                hand.clone(),
                sink,
            ),
        }
    }

    /// Finds every play in one lane of a board that is not empty. Only with the GADDAG.
    pub(crate) fn every_in(
        &self,
        field: &Field,
        hand: &Hand,
        bonus: i32,
        direction: Direction,
        lane: usize,
        sink: &mut impl Sink,
    ) {
        let Some(fast) = self.fast.get() else { return };
        let take = |found: &Found<'_>| sink.found(found);
        let graph = fast.gaddag.graph();
        let mut search = Outward::new(graph, field, &self.values, bonus, hand.clone(), take);
        origins_in(field, direction, lane, |origin| search.search(origin));
    }

    /// All plays with their points, in the order of [`Play`].
    pub fn plays(&self, field: &Field, hand: &Hand, bonus: i32) -> Vec<(Play, i32)> {
        let mut plays = Vec::new();
        self.every(field, hand, bonus, &mut |found: &Found<'_>| {
            plays.push((found.play(), found.score));
        });
        plays.sort_unstable();
        plays
    }

    /// The best play by points and the worth of what is kept; of equals the first in the order of [`Play`].
    pub fn best(&self, field: &Field, hand: &Hand, bonus: i32, kept: &Kept) -> Option<Best> {
        self.best_by(Method::Shadow, field, hand, bonus, kept)
    }

    /// The same where the place of the first word counts, too.
    pub fn best_placed(&self, field: &Field, hand: &Hand, bonus: i32, kept: &Kept) -> Option<Best> {
        self.best_placed_by(Method::Shadow, field, hand, bonus, kept)
    }

    /// The same, found in one way.
    pub fn best_placed_by(
        &self,
        method: Method,
        field: &Field,
        hand: &Hand,
        bonus: i32,
        kept: &Kept,
    ) -> Option<Best> {
        let exposed = self.exposed(field);
        self.hunt(method, field, hand, bonus, kept, exposed, ())
    }

    /// The letters that are better not laid beside a double letter: vowels, in the first word of a game.
    pub(crate) fn exposed(&self, field: &Field) -> Fit {
        if field.is_empty() { self.vowels } else { 0 }
    }

    /// The best play, found in one way.
    pub fn best_by(
        &self,
        method: Method,
        field: &Field,
        hand: &Hand,
        bonus: i32,
        kept: &Kept,
    ) -> Option<Best> {
        self.hunt(method, field, hand, bonus, kept, 0, ())
    }

    /// The best play, found in one way, for somebody who follows how. Only on the GADDAG by bounds are there places to
    /// follow; the others find all plays at once.
    #[allow(
        clippy::too_many_arguments,
        reason = "the parts of a position, each once"
    )]
    pub(crate) fn hunt(
        &self,
        method: Method,
        field: &Field,
        hand: &Hand,
        bonus: i32,
        kept: &Kept,
        exposed: Fit,
        hunt: impl Hunt,
    ) -> Option<Best> {
        if let (Method::Counts | Method::Shadow, Some(fast)) = (method, self.fast.get()) {
            return best(
                method,
                fast.gaddag.graph(),
                &fast.anagrams,
                field,
                &self.values,
                bonus,
                hand.clone(),
                kept,
                exposed,
                hunt,
            );
        }
        let mut keeper = Keeper {
            kept,
            exposed,
            best: None,
            hunt,
        };
        self.every_by(method, field, hand, bonus, &mut keeper);
        keeper.best
    }
}

impl Fitting for Engine {
    fn fits(&self, before: &[u8], after: &[u8]) -> u64 {
        match self.fast.get() {
            Some(fast) => Outwards(fast.gaddag.graph()).fits(before, after),
            None => self.lexicon.fits(before, after),
        }
    }
}
