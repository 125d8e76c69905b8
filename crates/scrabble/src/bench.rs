//! Figures of speed, each a closure that a front end times: libraries read no clocks.

use wits_game::{Dice, Seed};

use crate::generate::older::{Older, Place};
use crate::generate::{Engine, Field, Hand, Method, NOTHING};
use crate::play::Play;
use crate::players::{Bout, Leaves, Step, best_step_by, greedy_step};
use crate::settings::Settings;

/// A shaken bag.
pub fn bag(engine: &Engine, seed: Seed) -> Vec<u8> {
    let mut bag: Vec<u8> = engine.tiles().bag().iter().map(|t| t.byte()).collect();
    Dice::new(seed).shuffle(&mut bag);
    bag
}

/// Plays games of the best play by points against itself, by one method. Gives turns and points, so that methods can be seen to
/// play the same games.
pub fn greedy_games(engine: &Engine, method: Method, games: u64, seed: Seed) -> (u64, i64) {
    let settings = Settings::default();
    let (mut turns, mut points) = (0, 0);
    for game in 0..games {
        let mut bout = Bout::new(engine, &settings, bag(engine, seed.nth(game)));
        while !bout.over {
            let hand = bout.hand();
            let best = engine.best_by(method, &bout.field, &hand, settings.bingo, &NOTHING);
            let step = best.map_or(Step::Pass, Step::from);
            if let Step::Lay(_, score) = step {
                points += i64::from(score);
            }
            turns += 1;
            bout.step(&step);
        }
    }
    (turns, points)
}

/// Plays games by points and leaves against itself, by one method. Gives turns and points.
pub fn leave_games(
    engine: &Engine,
    method: Method,
    leaves: &Leaves,
    games: u64,
    seed: Seed,
) -> (u64, i64) {
    let settings = Settings::default();
    let (mut turns, mut points) = (0, 0);
    for game in 0..games {
        let mut bout = Bout::new(engine, &settings, bag(engine, seed.nth(game)));
        while !bout.over {
            let step = best_step_by(method, &bout, leaves).0;
            if let Step::Lay(_, score) = step {
                points += i64::from(score);
            }
            turns += 1;
            bout.step(&step);
        }
    }
    (turns, points)
}

/// Positions from greedy games, with the rack to move.
pub fn positions(engine: &Engine, count: usize, seed: Seed) -> Vec<(Field, Hand)> {
    let settings = Settings::default();
    let mut found = Vec::new();
    let mut game = 0;
    while found.len() < count {
        let mut bout = Bout::new(engine, &settings, bag(engine, seed.nth(game)));
        game += 1;
        while !bout.over && found.len() < count {
            let hand = bout.hand();
            found.push((bout.field.clone(), hand.clone()));
            let best = engine.best(&bout.field, &hand, settings.bingo, &NOTHING);
            bout.step(&best.map_or(Step::Pass, Step::from));
        }
    }
    found
}

/// The position with two blanks on a crowded board that takes the longest to find the best play in, of the last turns of some games.
pub fn crowded(engine: &Engine, games: u64, seed: Seed) -> Vec<(Field, Hand)> {
    let settings = Settings::default();
    let mut found = Vec::new();
    for game in 0..games {
        let mut bout = Bout::new(engine, &settings, bag(engine, seed.nth(game)));
        let mut newest = None;
        while !bout.over {
            let hand = bout.hand();
            if hand.tiles().len() == crate::RACK {
                let mut tiles = hand.tiles().to_vec();
                tiles[..2].fill(0);
                newest = Some((bout.field.clone(), Hand::new(&tiles)));
            }
            let best = engine.best(&bout.field, &hand, settings.bingo, &NOTHING);
            bout.step(&best.map_or(Step::Pass, Step::from));
        }
        found.extend(newest);
    }
    found
}

/// One of the old methods on a position.
pub fn older(method: &str, old: &Older, field: &Field, hand: &Hand) -> Option<(Play, i32)> {
    let place = Place {
        field,
        hand,
        bonus: 50,
    };
    match method {
        "scan" => old.scan(place),
        "longest" => old.longest(place),
        _ => old.dearest(place, 20),
    }
}

/// How often the first seat wins when both take the most points: wins, draws, losses and the mean lead.
pub fn first_mover(engine: &Engine, games: std::ops::Range<u64>, seed: Seed) -> ([u64; 3], i64) {
    let settings = Settings::default();
    let (mut counts, mut lead) = ([0; 3], 0);
    for game in games {
        let mut bout = Bout::new(engine, &settings, bag(engine, seed.nth(game)));
        while !bout.over {
            let step = greedy_step(&bout);
            bout.step(&step);
        }
        let spread = bout.spread(0);
        lead += i64::from(spread);
        counts[match spread {
            1.. => 0,
            0 => 1,
            _ => 2,
        }] += 1;
    }
    (counts, lead)
}
