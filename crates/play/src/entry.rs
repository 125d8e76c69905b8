//! A game with its players, as a room hands it to the catalog.

use std::sync::Arc;

use serde::Serialize;
use wits_game::{Book, Game, Message, Seat};

use crate::{Args, Param, Player, Random, Refusal, Shelf, WORDS};

/// Which seats a player can take.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Roles {
    /// Any seat.
    Any,
    /// Only these.
    Only(Vec<Seat>),
}

impl Roles {
    /// Whether the player can take this seat.
    pub fn allow(&self, seat: Seat) -> bool {
        match self {
            Roles::Any => true,
            Roles::Only(seats) => seats.contains(&seat),
        }
    }
}

/// What two machines are compared by.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Comparison {
    /// Each game counts by itself.
    #[default]
    Game,
    /// Two games with exchanged seats on the same seed count as one match, by summed payoff.
    Pair,
}

pub(crate) type BuildGame<G> = dyn Fn(&Args, &Shelf) -> Result<G, Refusal> + Send + Sync;
pub(crate) type BuildPlayer<G> =
    dyn Fn(&G, &Args, &Shelf) -> Result<Box<dyn Player<G>>, Refusal> + Send + Sync;

/// A machine that can play a game.
pub struct PlayerEntry<G: Game> {
    pub(crate) id: &'static str,
    pub(crate) about: Message,
    pub(crate) params: Vec<Param>,
    pub(crate) roles: Roles,
    pub(crate) build: Box<BuildPlayer<G>>,
}

impl<G: Game> PlayerEntry<G> {
    /// A player whose sentence is a key of a room's book.
    pub fn new<P: Player<G> + 'static>(
        id: &'static str,
        book: &'static Book,
        about: &'static str,
        build: impl Fn(&G, &Args, &Shelf) -> Result<P, Refusal> + Send + Sync + 'static,
    ) -> PlayerEntry<G> {
        PlayerEntry {
            id,
            about: book.say(about),
            params: Vec::new(),
            roles: Roles::Any,
            build: Box::new(move |game, args, shelf| Ok(Box::new(build(game, args, shelf)?))),
        }
    }

    /// The player with one more parameter.
    pub fn param(mut self, param: Param) -> Self {
        self.params.push(param);
        self
    }

    /// The player bound to some seats.
    pub fn only(mut self, seats: &[Seat]) -> Self {
        self.roles = Roles::Only(seats.to_vec());
        self
    }
}

/// A game with its parameters and players. Every entry has `human` and `random`.
pub struct Entry<G: Game> {
    pub(crate) id: &'static str,
    pub(crate) title: Message,
    pub(crate) about: Message,
    pub(crate) rules: Message,
    pub(crate) seats: (u8, u8),
    pub(crate) params: Vec<Param>,
    pub(crate) comparison: Comparison,
    pub(crate) build: Box<BuildGame<G>>,
    pub(crate) players: Vec<PlayerEntry<G>>,
    pub(crate) opponents: Vec<&'static str>,
    pub(crate) analysts: Vec<&'static str>,
}

impl<G: Game> Entry<G> {
    /// A game whose words are in a book under the keys `ID-title`, `ID-about` and `ID-rules`,
    /// given here as one triple.
    pub fn new(
        id: &'static str,
        book: &'static Book,
        [title, about, rules]: [&'static str; 3],
        build: impl Fn(&Args, &Shelf) -> Result<G, Refusal> + Send + Sync + 'static,
    ) -> Entry<G> {
        Entry {
            id,
            title: book.say(title),
            about: book.say(about),
            rules: book.say(rules),
            seats: (2, 2),
            params: Vec::new(),
            comparison: Comparison::Game,
            build: Box::new(build),
            players: vec![PlayerEntry::new(
                "random",
                &WORDS,
                "about-random",
                |_, _, _| Ok(Random),
            )],
            opponents: Vec::new(),
            analysts: Vec::new(),
        }
    }

    /// How few and how many can sit at the table.
    pub fn seats(mut self, least: u8, most: u8) -> Self {
        self.seats = (least, most);
        self
    }

    /// The game with one more parameter.
    pub fn param(mut self, param: Param) -> Self {
        self.params.push(param);
        self
    }

    /// The game with one more player.
    pub fn player(mut self, player: PlayerEntry<G>) -> Self {
        self.players.push(player);
        self
    }

    /// Who a newcomer plays against, the first that can take the seat; the classical searchers
    /// are tried after these.
    pub fn opponents(mut self, ids: &[&'static str]) -> Self {
        self.opponents = ids.to_vec();
        self
    }

    /// Who looks through games, the first that can take the seat; `perfect` and alpha-beta are tried after these.
    pub fn analysts(mut self, ids: &[&'static str]) -> Self {
        self.analysts = ids.to_vec();
        self
    }

    /// Machines are compared by pairs of games with exchanged seats.
    pub fn paired(mut self) -> Self {
        self.comparison = Comparison::Pair;
        self
    }

    /// The entry as the catalog holds it.
    pub fn erase(self) -> Arc<dyn crate::AnyEntry> {
        Arc::new(crate::any::Erased(Arc::new(self)))
    }
}
