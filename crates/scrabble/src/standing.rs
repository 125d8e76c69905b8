//! A position that somebody asks about: a board with the tiles of the side to move.

use std::sync::Arc;

use crate::files::cgp::{self, BadCgp, Position};
use crate::generate::{Engine, Hand};
use crate::house;
use crate::players::{Rated, Sight, candidates, kept_for};
use crate::settings::{RACK, Settings};
use crate::table::{HIDDEN, Phase, Scrabble, Table};

/// A board on which nothing lies, as positions are written.
pub const EMPTY: &str = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 / 0/0 0";

/// A position with its lexicon, from the side to move: what the others hold is not known.
#[derive(Clone, Debug)]
pub struct Standing {
    /// The lexicon made ready.
    pub engine: Arc<Engine>,
    /// The board, the racks and the scores.
    pub position: Position,
    /// The tiles of the side to move.
    pub hand: Hand,
}

/// Why a question about a position cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadStanding {
    /// The position itself.
    #[error("the position cannot be read: {0}")]
    Position(BadCgp),
    /// The rack that was given beside it.
    #[error("{0}")]
    Rack(String),
    /// Nobody said which tiles the side to move has.
    #[error("the side to move has no tiles")]
    NoRack,
}

impl Standing {
    /// The lexicon that a position names.
    pub fn named(position: &str) -> Option<&str> {
        let (_, rest) = position.split_once("lex ")?;
        rest.split(';').next().map(str::trim)
    }

    /// Reads a position, an empty board where there is none, and a rack that takes the place of the position's.
    pub fn read(
        engine: Arc<Engine>,
        position: Option<&str>,
        rack: Option<&str>,
    ) -> Result<Standing, BadStanding> {
        let tiles = engine.tiles();
        let mut position =
            cgp::read(position.unwrap_or(EMPTY), tiles).map_err(BadStanding::Position)?;
        if let Some(text) = rack {
            let held = tiles
                .read_rack(text)
                .map_err(|e| BadStanding::Rack(e.to_string()))?;
            if held.len() > RACK {
                let why = format!("the rack `{text}` has {} tiles", held.len());
                return Err(BadStanding::Rack(why));
            }
            let mut held: Vec<u8> = held.iter().map(|t| t.byte()).collect();
            held.sort_unstable();
            if position.racks.is_empty() {
                position.racks.push(Vec::new());
            }
            position.racks[0] = held;
            // The same check as for a rack inside the position.
            cgp::read(&cgp::write(&position, tiles), tiles)
                .map_err(|e| BadStanding::Rack(e.why))?;
        }
        let standing = Standing::new(engine, position);
        if standing.hand.tiles().is_empty() {
            return Err(BadStanding::NoRack);
        }
        Ok(standing)
    }

    /// A position that is known to be one.
    pub fn new(engine: Arc<Engine>, position: Position) -> Standing {
        let hand = Hand::new(position.racks.first().map_or(&[], Vec::as_slice));
        Standing {
            engine,
            position,
            hand,
        }
    }

    /// How many tiles are in neither the hand nor on the board, and how many of them are in the bag when the others' racks are full.
    pub fn bag(&self) -> (usize, usize) {
        let laid = self.position.board.squares().iter();
        let laid = laid.filter(|&&b| b != 0).count();
        let all = self.engine.tiles().bag().len();
        let unseen = all.saturating_sub(laid + self.hand.tiles().len());
        let others = self.position.racks.len().max(2) - 1;
        (unseen, unseen.saturating_sub(RACK * others))
    }

    /// The moves at first sight, the best first; at most so many.
    pub fn rated(&self, most: usize) -> Vec<Rated> {
        let field = self.engine.field(&self.position.board);
        let (_, bag) = self.bag();
        let (game, table) = self.table();
        let values = self.engine.values();
        let unseen = Sight::new(&game, &table).unseen();
        let others = unseen.iter().map(|&t| values.of(t)).sum();
        let leaves = house::leaves(self.engine.tiles());
        let kept = kept_for(&leaves, &self.hand, bag, values, others);
        let settings = Settings::default();
        let swaps = bag >= usize::from(settings.exchange);
        candidates(
            &self.engine,
            &field,
            &self.hand,
            settings.bingo,
            &kept,
            swaps,
            most,
        )
    }

    /// The game from the side to move: the others' tiles unknown.
    pub fn table(&self) -> (Scrabble, Table) {
        let seats = self.position.racks.len().clamp(2, 4) as u8;
        let settings = Settings {
            seats,
            ..Settings::usual(self.engine.tiles().language())
        };
        let game = Scrabble::new(Arc::clone(&self.engine), settings);
        let mut table = self.position.table(seats);
        let (mut rest, _) = self.bag();
        for rack in table.racks.iter_mut().skip(1) {
            let held = rest.min(RACK);
            *rack = vec![HIDDEN; held];
            rest -= held;
        }
        table.bag = vec![HIDDEN; rest];
        table.phase = Phase::Move;
        (game, table)
    }
}
