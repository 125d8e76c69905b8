//! Many games between two machines.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use serde::Serialize;
use wits_game::{Seat, Seed};

use crate::{AnyGame, AnyPlayer, Comparison, Fault, Finished, Refusal, Runner, Shelf, Spec, WORDS};

/// What a series came to, from the side of A.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Tally {
    /// How many games, or pairs of games where those are compared.
    pub games: u64,
    /// How many A won.
    pub a_wins: u64,
    /// How many B won.
    pub b_wins: u64,
    /// How many nobody won.
    pub draws: u64,
    /// Games that A lost by a fault: an illegal move, a crash, its clock.
    pub a_faults: u64,
    /// Games that B lost by a fault.
    pub b_faults: u64,
}

impl Tally {
    /// A's share of the points, a draw being half.
    pub fn score(&self) -> f64 {
        if self.games == 0 {
            return 0.5;
        }
        (self.a_wins as f64 + self.draws as f64 / 2.0) / self.games as f64
    }

    /// The 95% interval of the score.
    pub fn interval(&self) -> (f64, f64) {
        wilson(self.score(), self.games)
    }

    fn add(&mut self, points: i64) {
        self.games += 1;
        match points {
            1.. => self.a_wins += 1,
            0 => self.draws += 1,
            _ => self.b_wins += 1,
        }
    }
}

/// The 95% interval of a share seen in `n` trials (Wilson 1927). With draws it is a little too wide,
/// never too narrow.
///
/// ```
/// let (low, high) = wits_play::wilson(0.56, 150);
/// assert!(low < 0.5 && high > 0.5); // 56% of 150 games proves nothing
/// ```
pub fn wilson(share: f64, n: u64) -> (f64, f64) {
    if n == 0 {
        return (0.0, 1.0);
    }
    let (n, z) = (n as f64, 1.959_963_984_540_054);
    let middle = (share + z * z / (2.0 * n)) / (1.0 + z * z / n);
    let half = z / (1.0 + z * z / n) * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
    ((middle - half).max(0.0), (middle + half).min(1.0))
}

/// A series of games between two machines: seats exchanged on the same seed, game after game.
pub struct Series<'a> {
    /// The game.
    pub game: &'a dyn AnyGame,
    /// The first machine.
    pub a: &'a Spec,
    /// The second machine.
    pub b: &'a Spec,
    /// What they take from the shelf.
    pub shelf: &'a Shelf,
    /// The rules of the hall.
    pub runner: Runner,
    /// Where all chance comes from.
    pub seed: Seed,
    /// How many games (or pairs, where pairs are compared).
    pub games: u64,
}

/// What a series leaves: the tally, and what A and B learned.
#[derive(Clone, PartialEq, Debug)]
pub struct Played {
    /// Who won how often.
    pub tally: Tally,
    /// The first faults of A and B, with sentences for their authors.
    pub faults: [Option<Fault>; 2],
    /// What A and B keep, if they learn.
    pub memories: [Option<serde_json::Value>; 2],
}

/// The first fault of a machine, and the game in which it was, so that threads agree on which came first.
type First = Option<(u64, Fault)>;

/// Whether A sits in the first seat, and whether in the second.
type Seating = [bool; 2];

/// A and B.
type Sides = [Box<dyn AnyPlayer>; 2];

impl Series<'_> {
    /// The seatings in turn: both where both players can take both seats.
    fn seatings(&self) -> Result<Vec<Seating>, Refusal> {
        let fits = |spec, seat| self.game.player(spec, seat, self.shelf).map(|_| ());
        if self.game.seats() != 2 {
            let why = WORDS
                .say("wrong-seats")
                .with("game", self.game.id())
                .with("seats", self.game.seats())
                .with("given", 2);
            let names: Vec<String> = Seat::all(self.game.seats())
                .map(|s| self.game.seat_name(s).to_string())
                .collect();
            return Err(Refusal::new(
                "wrong-seats",
                why,
                WORDS
                    .say("wrong-seats-hint")
                    .with("names", names.join(", ")),
            ));
        }
        let ab = fits(self.a, Seat::FIRST).and_then(|()| fits(self.b, Seat::SECOND));
        let ba = fits(self.b, Seat::FIRST).and_then(|()| fits(self.a, Seat::SECOND));
        match (ab, ba) {
            (Ok(()), Ok(())) => Ok(vec![[true, false], [false, true]]),
            (Ok(()), Err(_)) => Ok(vec![[true, false]]),
            (Err(_), Ok(())) => Ok(vec![[false, true]]),
            (Err(error), Err(_)) => Err(error),
        }
    }

    /// Plays the series on some threads. The tally is the same for any number of them, unless a
    /// clock decides. Players that learn live one life, so they play on one thread. After every
    /// game `each` is told the tally so far.
    pub fn play(
        &self,
        threads: usize,
        stop: &AtomicBool,
        each: &(dyn Fn(&Tally) + Sync),
    ) -> Result<Played, Refusal> {
        let seatings = self.seatings()?;
        let first = self.sides(seatings[0])?;
        let learns = first.iter().any(|p| p.learns());
        let threads = if learns { 1 } else { threads.clamp(1, 256) };
        let mut crews = vec![first];
        for _ in 1..threads {
            crews.push(self.sides(seatings[0])?);
        }
        let next = AtomicU64::new(0);
        let tally = Mutex::new((Tally::default(), [First::None, First::None]));
        let (seatings, next, shared) = (&seatings, &next, &tally);
        let crews = std::thread::scope(|scope| {
            let work = |mut sides: Sides| {
                move || {
                    loop {
                        let unit = next.fetch_add(1, Ordering::Relaxed);
                        if unit >= self.games || stop.load(Ordering::Relaxed) {
                            return sides;
                        }
                        let Some((points, faults)) = self.unit(unit, seatings, &mut sides) else {
                            return sides;
                        };
                        let mut shared = shared.lock().expect("no thread panics holding it");
                        let (tally, first) = &mut *shared;
                        tally.add(points);
                        tally.a_faults += faults[0].len() as u64;
                        tally.b_faults += faults[1].len() as u64;
                        for (first, faults) in first.iter_mut().zip(faults) {
                            let sooner = first.as_ref().is_none_or(|(known, _)| unit < *known);
                            if let Some(fault) = faults.into_iter().next().filter(|_| sooner) {
                                *first = Some((unit, fault));
                            }
                        }
                        each(tally);
                    }
                }
            };
            let running: Vec<_> = crews
                .drain(..)
                .map(|sides| scope.spawn(work(sides)))
                .collect();
            let join = |h: std::thread::ScopedJoinHandle<'_, Sides>| {
                h.join().expect("players cannot panic out of a runner")
            };
            running.into_iter().map(join).collect::<Vec<Sides>>()
        });
        let memories = if learns {
            [crews[0][0].memory(), crews[0][1].memory()]
        } else {
            [None, None]
        };
        let (tally, first) = tally.into_inner().expect("no thread panics holding it");
        Ok(Played {
            tally,
            faults: first.map(|first| first.map(|(_, fault)| fault)),
            memories,
        })
    }

    /// A and B, made once: they change seats, not lives.
    fn sides(&self, seating: Seating) -> Result<Sides, Refusal> {
        let (a, b) = if seating[0] {
            (Seat::FIRST, Seat::SECOND)
        } else {
            (Seat::SECOND, Seat::FIRST)
        };
        Ok([
            self.game.player(self.a, a, self.shelf)?,
            self.game.player(self.b, b, self.shelf)?,
        ])
    }

    /// One game, or one pair of games: A's points more than B's, and the faults of both.
    fn unit(
        &self,
        unit: u64,
        seatings: &[Seating],
        sides: &mut Sides,
    ) -> Option<(i64, [Vec<Fault>; 2])> {
        let count = seatings.len() as u64;
        let plan: Vec<(usize, u64)> = match self.game.comparison() {
            Comparison::Pair => (0..seatings.len()).map(|side| (side, unit)).collect(),
            Comparison::Game => vec![((unit % count) as usize, unit / count)],
        };
        let (mut points, mut faults) = (0, [Vec::new(), Vec::new()]);
        for (side, n) in plan {
            let a_first = seatings[side][0];
            let a_seat = if a_first { Seat::FIRST } else { Seat::SECOND };
            let [a, b] = sides;
            let (a, b): (&mut dyn AnyPlayer, &mut dyn AnyPlayer) = (&mut **a, &mut **b);
            let mut players = if a_first { [a, b] } else { [b, a] };
            let seed = self.seed.nth(n);
            let Finished {
                outcome,
                fault,
                stopped,
                ..
            } = self.runner.run(self.game, &mut players, seed, self.shelf);
            if stopped {
                return None;
            }
            points += i64::from(outcome.payoff(a_seat)) - i64::from(outcome.payoff(a_seat.other()));
            if let Some((seat, fault)) = fault {
                faults[usize::from(seat != a_seat)].push(fault);
            }
        }
        Some((points, faults))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_those_of_the_textbook() {
        // Newcombe 1998, table I: 81 of 263 gives 0.2553 to 0.3662; 0 of 20 gives 0 to 0.1611.
        let (low, high) = wilson(81.0 / 263.0, 263);
        assert!(
            (low - 0.2553).abs() < 5e-5 && (high - 0.3662).abs() < 5e-5,
            "{low} {high}"
        );
        let (low, high) = wilson(0.0, 20);
        assert!(low == 0.0 && (high - 0.1611).abs() < 5e-5, "{low} {high}");
    }
}
