//! How often the thesis's heuristics fall back to the most points, by each reading of its words:
//! `cargo run --release -p wits-scrabble --example readings -- GAMES SEED`.
//!
//! Every row of the thesis's table 5.1 plays against the most points on paired bags.
#![allow(clippy::print_stdout, reason = "a program for people")]

use wits_game::Seed;
use wits_scrabble::bench::bag;
use wits_scrabble::players::thesis::Reading;
use wits_scrabble::players::{Bout, Rack, Step, Thesis, greedy_step};
use wits_scrabble::{Engine, Lexicon, Settings, house};

/// Longest, exchange, safe, bonus.
const ROWS: [[i32; 4]; 7] = [
    [-1, 3, 1, 6],
    [1, 6, 1, 6],
    [1, 3, 1, 10],
    [1, 5, 2, 5],
    [-1, 0, 2, 5],
    [2, 6, 1, 6],
    [2, 10, 1, 6],
];

/// What was counted.
#[derive(Default)]
struct Counts {
    turns: u64,
    most: u64,
    fell_back: u64,
    /// Twice the games won.
    points: u64,
}

/// A turn of the heuristics.
fn step(bout: &Bout<'_>, thesis: &Thesis, counts: &mut Counts) -> Step {
    let (bag, may_swap) = (bout.bag.len(), bout.may_swap());
    let plays = (bout.engine).plays(&bout.field, &bout.hand(), bout.settings.bingo);
    let (found, why) = thesis.pick(bout.board(), &plays, bag, may_swap);
    counts.turns += 1;
    counts.most += u64::from(why == "why-thesis-greedy");
    let fell_back = thesis.falls_back(bout.board(), &plays, bag, may_swap);
    counts.fell_back += u64::from(fell_back);
    match found {
        Some((play, score)) => Step::Lay(play, score),
        None if may_swap => Step::Swap(Rack::new(bout.hand().tiles())),
        None => Step::Pass,
    }
}

fn main() {
    let mut args = std::env::args().skip(1).map(|text| text.parse().ok());
    let mut number = |usual: u64| args.next().flatten().unwrap_or(usual);
    let (games, seed) = (number(1_000), Seed::new(number(1)));
    let Some(lexicon) = Lexicon::embedded("english") else {
        return;
    };
    let engine = Engine::new(Lexicon::clone(&lexicon));
    house::warm(&engine);
    let settings = Settings::default();
    for (open, letters) in [(3, false), (3, true), (2, false), (2, true)] {
        let reading = Reading { open, letters };
        for [longest, exchange, safe, bonus] in ROWS {
            let thesis = Thesis {
                longest,
                exchange,
                safe,
                bonus,
                reading,
            };
            let mut counts = Counts::default();
            for game in 0..games {
                let own = (game % 2) as usize;
                let mut bout = Bout::new(&engine, &settings, bag(&engine, seed.nth(game / 2)));
                while !bout.over {
                    let step = if bout.turn == own {
                        step(&bout, &thesis, &mut counts)
                    } else {
                        greedy_step(&bout)
                    };
                    bout.step(&step);
                }
                counts.points += (1 + bout.spread(own).signum()) as u64;
            }
            let share = |n: u64| 100.0 * n as f64 / counts.turns.max(1) as f64;
            println!(
                "squares from {open}, letters {letters:<5} {longest:>2} {exchange:>2} {safe:>2} {bonus:>2}: most points {:.1}%, no heuristic {:.1}%, won {:.1}%",
                share(counts.most),
                share(counts.fell_back),
                50.0 * counts.points as f64 / games.max(1) as f64,
            );
        }
    }
}
