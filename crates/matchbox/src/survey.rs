//! Every position of a small game, in an order in which moves only lead forward.

use std::collections::{HashMap, HashSet};

use wits_game::{Eyes, Seat, Turn};

use crate::boxed::Boxed;

/// A board that has more positions than somebody wanted to look at.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "`{game}` is too large for exact work: more than {limit} positions, at most {at_most}; take a smaller board"
)]
pub struct TooLarge {
    /// The spec of the game.
    pub game: String,
    /// Where the count ended.
    pub limit: usize,
    /// An upper bound for how large it would be.
    pub at_most: u128,
}

/// What happens in a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stand {
    /// A seat is to move.
    Of(Seat),
    /// The game is over; what the first seat gets.
    Over(i8),
}

/// Every position that can come up, with its value. Parents come before their children.
#[derive(Debug)]
pub struct Survey<G: Boxed> {
    pub(crate) states: Vec<G::State>,
    pub(crate) index: HashMap<G::State, u32>,
    pub(crate) stands: Vec<Stand>,
    pub(crate) options: Vec<Vec<(G::Move, u32)>>,
    /// What the first seat gets when both play best.
    pub(crate) values: Vec<i8>,
    /// Plies to the end when the better side hurries and the other holds out.
    pub(crate) distances: Vec<u16>,
    merged: bool,
}

impl<G: Boxed> Survey<G> {
    /// Looks at every position; with `merged`, images of a position count as one.
    pub fn take(game: &G, merged: bool, limit: usize) -> Result<Survey<G>, TooLarge> {
        let mut walk = Walk {
            game,
            merged,
            limit,
            order: Vec::new(),
            seen: HashSet::new(),
        };
        walk.visit(walk.image(&game.start()))?;
        let Walk { mut order, .. } = walk;
        order.reverse();
        let index: HashMap<G::State, u32> = (0u32..).zip(&order).map(|(i, s)| (s.0, i)).collect();
        let mut survey = Survey {
            states: order.iter().map(|s| s.0).collect(),
            stands: order.iter().map(|s| s.1).collect(),
            options: Vec::with_capacity(order.len()),
            values: vec![0; order.len()],
            distances: vec![0; order.len()],
            index,
            merged,
        };
        for (_, _, options) in order {
            let number = |(mv, next): (G::Move, G::State)| (mv, survey.index[&next]);
            let numbered = options.into_iter().map(number).collect();
            survey.options.push(numbered);
        }
        survey.judge();
        Ok(survey)
    }

    /// Values from the ends back to the start.
    fn judge(&mut self) {
        for node in (0..self.states.len()).rev() {
            let (value, distance) = match self.stands[node] {
                Stand::Over(payoff) => (payoff, 0),
                Stand::Of(seat) => {
                    let sign: i8 = if seat == Seat::FIRST { 1 } else { -1 };
                    // More is better: the own payoff first, then a quick win or a late loss.
                    let rank = |&(_, next): &(G::Move, u32)| {
                        let own = self.values[next as usize] * sign;
                        let plies = i32::from(self.distances[next as usize]);
                        (own, if own > 0 { -plies } else { plies })
                    };
                    let (own, plies) = self.options[node]
                        .iter()
                        .map(rank)
                        .max()
                        .expect("a seat to move can move");
                    (own * sign, plies.unsigned_abs() as u16 + 1)
                }
            };
            self.values[node] = value;
            self.distances[node] = distance;
        }
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// A survey always holds the opening.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The number of a position or of its image.
    pub fn find(&self, game: &G, state: &G::State) -> Option<usize> {
        let state = if self.merged {
            game.canonical(state).0
        } else {
            *state
        };
        self.index.get(&state).map(|&i| i as usize)
    }

    /// What a seat gets from a position when both play best, and after how many plies.
    pub fn outlook(&self, game: &G, state: &G::State, seat: Seat) -> Option<(i8, u16)> {
        let node = self.find(game, state)?;
        let sign = if seat == Seat::FIRST { 1 } else { -1 };
        Some((self.values[node] * sign, self.distances[node]))
    }
}

struct Walk<'a, G: Boxed> {
    game: &'a G,
    merged: bool,
    limit: usize,
    order: Vec<Visited<G>>,
    seen: HashSet<G::State>,
}

/// A position, what happens in it, and where its moves lead.
type Visited<G> = (
    <G as wits_game::Game>::State,
    Stand,
    Vec<(<G as wits_game::Game>::Move, <G as wits_game::Game>::State)>,
);

impl<G: Boxed> Walk<'_, G> {
    fn image(&self, state: &G::State) -> G::State {
        if self.merged {
            self.game.canonical(state).0
        } else {
            *state
        }
    }

    /// Children first, so that the reverse order has parents first. As deep as the longest game.
    fn visit(&mut self, state: G::State) -> Result<(), TooLarge> {
        if !self.seen.insert(state) {
            return Ok(());
        }
        if self.seen.len() > self.limit {
            return Err(TooLarge {
                game: self.game.spec(),
                limit: self.limit,
                at_most: self.game.at_most(),
            });
        }
        let (stand, options) = match self.game.turn(&state) {
            Turn::Over(outcome) => (
                Stand::Over(outcome.payoff(Seat::FIRST).signum() as i8),
                Vec::new(),
            ),
            Turn::Of(seat) => {
                let view = self.game.view(&state, Eyes::All);
                (Stand::Of(seat), self.game.options(&view))
            }
            Turn::Chance => unreachable!("games with chance are not boxed"),
        };
        let mut next = Vec::with_capacity(options.len());
        for mv in options {
            let mut after = state;
            self.game.play(&mut after, &mv);
            let after = self.image(&after);
            self.visit(after)?;
            next.push((mv, after));
        }
        self.order.push((state, stand, next));
        Ok(())
    }
}
