//! Machines against machines, many games each: how often Maker wins, level by level.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use serde::Serialize;
use wits_game::{Dice, Game, Seed, Stream};
use wits_play::{Budget, Choice, Desk, Limits, Player, wilson};

use crate::board::Paint;
use crate::game::Rainbow;
use crate::players::{Hint, Level, Perfect, Strong};
use crate::terms::{Side, Terms};

/// Who plays a side in a matrix.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Machine {
    /// A level for Maker, a hint for Breaker.
    Level(u8),
    /// The strong player with so many nodes for a move.
    Strong(u64),
    /// The exact player with so many nodes for a move.
    Perfect(u64),
}

impl Machine {
    /// The five levels, or the five hints.
    pub fn levels() -> Vec<Machine> {
        (0..5).map(Machine::Level).collect()
    }

    /// The spec of the player on a side.
    pub fn spec(self, side: Side) -> String {
        match (self, side) {
            (Machine::Level(level), Side::Maker) => format!("level:level={level}"),
            (Machine::Level(level), Side::Breaker) => format!("hint:level={level}"),
            (Machine::Strong(nodes), _) => format!("strong:nodes={nodes}"),
            (Machine::Perfect(nodes), _) => format!("perfect:nodes={nodes}"),
        }
    }

    fn player(self, side: Side) -> Option<Box<dyn Player<Rainbow>>> {
        Some(match (self, side) {
            (Machine::Level(level), Side::Maker) => Box::new(Level::new(level)?),
            (Machine::Level(level), Side::Breaker) => Box::new(Hint::new(level)?),
            (Machine::Strong(nodes), _) => Box::new(Strong::new(nodes)),
            (Machine::Perfect(nodes), _) => Box::new(Perfect::new(nodes)),
        })
    }
}

/// How often Maker won one pairing.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct MatrixCell {
    /// Games Maker won.
    pub maker_wins: u64,
    /// Its share of all.
    pub share: f64,
    /// The 95% interval of the share.
    pub interval: (f64, f64),
    /// How many moves a game took, on average.
    pub mean_moves: f64,
}

/// Machines for Maker (rows) against machines for Breaker (columns).
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Matrix {
    /// What was played.
    #[serde(flatten)]
    pub terms: Terms,
    /// Games in each cell.
    pub games: u64,
    /// Where all chance came from.
    pub seed: Seed,
    /// Specs of the machines for Maker.
    pub makers: Vec<String>,
    /// Specs of the machines for Breaker.
    pub breakers: Vec<String>,
    /// Row by row.
    pub cells: Vec<Vec<MatrixCell>>,
}

/// What a matrix is made of.
#[derive(Clone, Debug)]
pub struct MatrixPlan {
    /// What is played.
    pub terms: Terms,
    /// The machines for Maker.
    pub makers: Vec<Machine>,
    /// The machines for Breaker.
    pub breakers: Vec<Machine>,
    /// Games in each cell.
    pub games: u64,
    /// Where all chance comes from.
    pub seed: Seed,
}

impl MatrixPlan {
    /// Plays every pairing on some threads. The result is the same for any number of them. `each` is told
    /// how many games are done; nothing comes back if `stop` is raised before the end.
    pub fn play(
        &self,
        threads: usize,
        stop: &AtomicBool,
        each: &(dyn Fn(u64) + Sync),
    ) -> Option<Matrix> {
        let columns = self.breakers.len();
        let total = self.makers.len() * columns * self.games as usize;
        // Maker's wins and all moves, cell by cell.
        let tallies: Vec<(AtomicU64, AtomicU64)> = (0..self.makers.len() * columns)
            .map(|_| Default::default())
            .collect();
        let next = AtomicUsize::new(0);
        let done = AtomicU64::new(0);
        std::thread::scope(|scope| {
            for _ in 0..threads.clamp(1, 256) {
                scope.spawn(|| {
                    loop {
                        let unit = next.fetch_add(1, Ordering::Relaxed);
                        if unit >= total || stop.load(Ordering::Relaxed) {
                            return;
                        }
                        let (cell, game) = (unit / self.games as usize, unit as u64 % self.games);
                        let (maker, breaker) =
                            (self.makers[cell / columns], self.breakers[cell % columns]);
                        let played = play_one(self.terms, maker, breaker, self.seed.nth(game));
                        if let Some((winner, moves)) = played {
                            let won = u64::from(winner == Side::Maker);
                            tallies[cell].0.fetch_add(won, Ordering::Relaxed);
                            tallies[cell].1.fetch_add(moves.into(), Ordering::Relaxed);
                        }
                        each(done.fetch_add(1, Ordering::Relaxed) + 1);
                    }
                });
            }
        });
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        let cell = |(wins, moves): &(AtomicU64, AtomicU64)| {
            let maker_wins = wins.load(Ordering::Relaxed);
            let games = self.games.max(1) as f64;
            let share = maker_wins as f64 / games;
            let mean_moves = moves.load(Ordering::Relaxed) as f64 / games;
            MatrixCell {
                maker_wins,
                share,
                interval: wilson(share, self.games),
                mean_moves,
            }
        };
        let cells: Vec<MatrixCell> = tallies.iter().map(cell).collect();
        Some(Matrix {
            terms: self.terms,
            games: self.games,
            seed: self.seed,
            makers: self.makers.iter().map(|m| m.spec(Side::Maker)).collect(),
            breakers: self
                .breakers
                .iter()
                .map(|m| m.spec(Side::Breaker))
                .collect(),
            cells: cells
                .chunks(columns.max(1))
                .map(<[MatrixCell]>::to_vec)
                .collect(),
        })
    }
}

/// Plays one game, the same one that the command line plays with this seed: who won, in how many moves. Nothing
/// only if a machine does not exist, such as level 9.
pub fn play_one(terms: Terms, maker: Machine, breaker: Machine, seed: Seed) -> Option<(Side, u32)> {
    let game = Rainbow::new(terms);
    let mut players = [maker.player(Side::Maker)?, breaker.player(Side::Breaker)?];
    let mut board = game.start();
    let budget = Budget::start(Limits::NONE);
    loop {
        if let Some(winner) = board.winner() {
            return Some((winner, board.coloured()));
        }
        let side = board.to_move();
        let seat = side.seat();
        let dice = Dice::at(seed, Stream::Seat(seat), board.coloured());
        let mut tell = |_: &wits_play::Thought<Paint>| {};
        let mut desk = Desk {
            budget: &budget,
            dice,
            tell: &mut tell,
            record: None,
        };
        match players[seat.index()].choose(&game, &board, &mut desk) {
            Choice::Move(paint) => game.play(&mut board, &paint),
            Choice::Resign => return Some((side.other(), board.coloured())),
        }
    }
}
