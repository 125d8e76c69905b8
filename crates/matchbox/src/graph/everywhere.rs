//! A catalog in which boxes sit down in every game of two that is small enough.

use std::sync::Arc;
use std::time::Duration;

use wits_game::{Illegal, Message, Seat, Seed};
use wits_play::contract::{Breach, Laws};
use wits_play::{
    AnyEntry, AnyGame, AnyMatch, AnyPlayer, BadRecord, Catalog, Comparison, Param, PlayerCard,
    Record, Refusal, Roles, Shelf, Spec,
};

use super::seat::Guest;
use super::{Graph, NoGraph};
use crate::WORDS;
use crate::player;

/// The name of the player.
const MATCHBOX: &str = "matchbox";

/// The same games; those of two seats that know no boxes themselves take `matchbox` in variants that are small enough.
pub fn everywhere(catalog: &Catalog) -> Catalog {
    let host = |entry: &Arc<dyn AnyEntry>| -> Arc<dyn AnyEntry> {
        let knows = entry.players().iter().any(|card| card.id == MATCHBOX);
        if knows || entry.seats() != (2, 2) {
            return Arc::clone(entry);
        }
        Arc::new(Hosting(Arc::clone(entry)))
    };
    Catalog::new(catalog.entries().iter().map(host).collect())
}

/// Why a machine of boxes cannot sit down here.
fn refusal(why: NoGraph) -> Refusal {
    let why = WORDS.say("graph-refused").with("what", why.to_string());
    Refusal::new("too-large", why, WORDS.say("graph-refused-hint"))
}

struct Hosting(Arc<dyn AnyEntry>);

impl AnyEntry for Hosting {
    fn id(&self) -> &'static str {
        self.0.id()
    }

    fn title(&self) -> Message {
        self.0.title()
    }

    fn about(&self) -> Message {
        self.0.about()
    }

    fn rules(&self) -> Message {
        self.0.rules()
    }

    fn seats(&self) -> (u8, u8) {
        self.0.seats()
    }

    fn params(&self) -> &[Param] {
        self.0.params()
    }

    fn players(&self) -> Vec<PlayerCard> {
        self.0.players()
    }

    fn unlisted(&self) -> Vec<PlayerCard> {
        let mut cards = self.0.unlisted();
        cards.push(PlayerCard {
            id: MATCHBOX,
            about: WORDS.say("about-matchbox-small"),
            params: player::params(),
            roles: Roles::Any,
        });
        cards
    }

    fn comparison(&self) -> Comparison {
        self.0.comparison()
    }

    fn game(&self, spec: &Spec, shelf: &Shelf) -> Result<Arc<dyn AnyGame>, Refusal> {
        Ok(Arc::new(Table(self.0.game(spec, shelf)?)))
    }
}

struct Table(Arc<dyn AnyGame>);

impl AnyGame for Table {
    fn id(&self) -> &'static str {
        self.0.id()
    }

    fn title(&self) -> Message {
        self.0.title()
    }

    fn spec(&self) -> &str {
        self.0.spec()
    }

    fn rules(&self) -> u32 {
        self.0.rules()
    }

    fn seats(&self) -> u8 {
        self.0.seats()
    }

    fn seat_name(&self, seat: Seat) -> Message {
        self.0.seat_name(seat)
    }

    fn hidden(&self) -> bool {
        self.0.hidden()
    }

    fn complete(&self) -> bool {
        self.0.complete()
    }

    fn grace(&self) -> Duration {
        self.0.grace()
    }

    fn comparison(&self) -> Comparison {
        self.0.comparison()
    }

    fn begin(&self, seed: Seed, max_moves: Option<u32>) -> Box<dyn AnyMatch> {
        self.0.begin(seed, max_moves)
    }

    fn begin_from(
        &self,
        position: &str,
        seed: Seed,
        max_moves: Option<u32>,
    ) -> Result<Box<dyn AnyMatch>, Illegal> {
        self.0.begin_from(position, seed, max_moves)
    }

    fn opponent(&self, seat: Seat) -> Spec {
        self.0.opponent(seat)
    }

    fn analyst(&self, seat: Seat) -> Option<Spec> {
        self.0.analyst(seat)
    }

    fn replay(&self, record: &Record) -> Result<Box<dyn AnyMatch>, BadRecord> {
        self.0.replay(record)
    }

    fn player(
        &self,
        spec: &Spec,
        seat: Seat,
        shelf: &Shelf,
    ) -> Result<Box<dyn AnyPlayer>, Refusal> {
        if spec.name != MATCHBOX {
            return self.0.player(spec, seat, shelf);
        }
        let graph = Graph::of(&self.0).map_err(refusal)?;
        Ok(Box::new(Guest::seat(graph, spec, shelf)?))
    }

    fn laws(&self, laws: &Laws) -> Result<(), Breach> {
        self.0.laws(laws)
    }
}
