//! Walking through a game of the catalog from its start.

use std::collections::HashMap;
use std::sync::Arc;

use wits_game::{Seat, Seed, Turn};
use wits_play::{AnyGame, AnyMatch};

use super::{Graph, Inner, Place, symmetry};

/// A game with more positions than this gets no boxes.
pub const MOST_PLACES: usize = 100_000;
/// Nor does one that can last longer: nobody lays so many beads before so many boxes.
const LONGEST: u32 = 120;

/// Why boxes cannot learn a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoGraph {
    /// Machines of boxes are for games of two.
    #[error("boxes learn games of two seats")]
    Seats,
    /// Something is hidden, or chance moves.
    #[error("boxes learn games in which nothing is hidden and no dice are thrown")]
    Chance,
    /// The game cannot write its positions.
    #[error("boxes need a notation for positions, and this game has none")]
    Silent,
    /// There are too many positions.
    #[error("more than {MOST_PLACES} positions: too many for boxes; take a smaller board")]
    Large,
    /// A game can go round in circles.
    #[error("a position can come back, so a game need not end; boxes are for games that do")]
    Circles,
    /// It does not matter for the end what is played.
    #[error(
        "every end is the same for both sides; beads learn from wins, draws and losses, so there is nothing to learn"
    )]
    Alike,
    /// A game can last too long.
    #[error("a game can last {0} moves: too long for boxes; take a smaller board or a limit")]
    Long(u32),
}

impl Graph {
    /// Walks through a game, along the moves that it lists: those that it lets out of the list end it at once, as a repetition does in
    /// a word, or are on boards that are too large for boxes anyway.
    pub fn of(game: &Arc<dyn AnyGame>) -> Result<Graph, NoGraph> {
        if game.seats() != 2 {
            return Err(NoGraph::Seats);
        }
        if game.hidden() {
            return Err(NoGraph::Chance);
        }
        let mut walk = Walk::default();
        let start = game.begin(Seed::new(0), None);
        walk.number(&*start)?;
        let mut at = 0;
        while at < walk.places.len() {
            walk.visit(&**game, at)?;
            at += 1;
        }
        let order = order(&walk.places)?;
        if alike(&walk.places) {
            return Err(NoGraph::Alike);
        }
        let images = symmetry::images(&walk.places, &order, walk.moves.len());
        let undone = symmetry::undone(&images);
        Ok(Graph(Arc::new(Inner {
            id: game.id(),
            spec: game.spec().to_owned(),
            title: game.title(),
            names: [game.seat_name(Seat::FIRST), game.seat_name(Seat::SECOND)],
            places: walk.places,
            moves: walk.moves,
            by_notation: walk.by_notation,
            by_move: walk.by_move,
            images,
            undone,
            game: Arc::clone(game),
        })))
    }
}

#[derive(Default)]
struct Walk {
    places: Vec<Place>,
    moves: Vec<String>,
    by_notation: HashMap<String, u32>,
    by_move: HashMap<String, u16>,
}

impl Walk {
    /// The number of the position of a match, a new one if it has none.
    fn number(&mut self, table: &dyn AnyMatch) -> Result<u32, NoGraph> {
        let notation = table.notation().ok_or(NoGraph::Silent)?;
        if let Some(&known) = self.by_notation.get(&notation) {
            return Ok(known);
        }
        let turn = table.turn();
        if matches!(turn, Turn::Chance) {
            return Err(NoGraph::Chance);
        }
        if self.places.len() == MOST_PLACES {
            return Err(NoGraph::Large);
        }
        let number = self.places.len() as u32;
        self.by_notation.insert(notation.clone(), number);
        self.places.push(Place {
            notation,
            turn,
            options: Vec::new(),
        });
        Ok(number)
    }

    /// Makes every move of a position, from the position as it is written.
    fn visit(&mut self, game: &dyn AnyGame, at: usize) -> Result<(), NoGraph> {
        let Turn::Of(seat) = self.places[at].turn else {
            return Ok(());
        };
        let here = game
            .begin_from(&self.places[at].notation, Seed::new(0), None)
            .map_err(|_| NoGraph::Silent)?;
        let texts = here.options();
        if here.turn() != self.places[at].turn || texts.is_empty() {
            return Err(NoGraph::Silent);
        }
        let mut options = Vec::with_capacity(texts.len());
        for text in texts {
            let mut after = here.copy();
            after.play(seat, &text, None).map_err(|_| NoGraph::Silent)?;
            let to = self.number(&*after)?;
            options.push((self.named(text)?, to));
        }
        self.places[at].options = options;
        Ok(())
    }

    fn named(&mut self, text: String) -> Result<u16, NoGraph> {
        if let Some(&known) = self.by_move.get(&text) {
            return Ok(known);
        }
        let number = u16::try_from(self.moves.len()).map_err(|_| NoGraph::Large)?;
        self.moves.push(text.clone());
        self.by_move.insert(text, number);
        Ok(number)
    }
}

/// Whether all games end with the same verdict. Who wins by how much is nothing to boxes.
fn alike(places: &[Place]) -> bool {
    let mut verdicts = places.iter().filter_map(|place| match &place.turn {
        Turn::Over(outcome) => Some(outcome.payoff(Seat::FIRST).signum()),
        Turn::Of(_) | Turn::Chance => None,
    });
    let first = verdicts.next();
    verdicts.all(|verdict| Some(verdict) == first)
}

/// The positions in an order in which moves only lead forward.
fn order(places: &[Place]) -> Result<Vec<u32>, NoGraph> {
    let mut waits = vec![0u32; places.len()];
    for (_, to) in places.iter().flat_map(|place| &place.options) {
        waits[*to as usize] += 1;
    }
    // Every position was reached from the start, so nothing else waits for nobody.
    let mut order = Vec::with_capacity(places.len());
    let mut depths = vec![0u32; places.len()];
    if waits[0] == 0 {
        order.push(0u32);
    }
    let mut at = 0;
    while at < order.len() {
        let from = order[at] as usize;
        for &(_, to) in &places[from].options {
            let to = to as usize;
            depths[to] = depths[to].max(depths[from] + 1);
            waits[to] -= 1;
            if waits[to] == 0 {
                order.push(to as u32);
            }
        }
        at += 1;
    }
    if order.len() < places.len() {
        return Err(NoGraph::Circles);
    }
    match depths.into_iter().max() {
        Some(most) if most > LONGEST => Err(NoGraph::Long(most)),
        _ => Ok(order),
    }
}
