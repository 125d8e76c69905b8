//! How long positions with few tiles in the bag take: `cargo run --release -p wits-scrabble --example before -- COUNT SEED LEXICON BAG FIRST LIMIT`.
//!
//! The positions are the first with so many tiles in the bag in games of the best play by points and leaves against itself. Seconds are those of
//! the thread's processor time where the system tells it. Each position gets LIMIT seconds as they pass, four where nothing is said.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a program for people"
)]

use std::time::{Duration, Instant};

use wits_game::Seed;
use wits_play::{Budget, Limits};
use wits_scrabble::bench::bag;
use wits_scrabble::files::cgp::{self, Position};
use wits_scrabble::players::before::{Before, Known, outlook};
use wits_scrabble::players::{Bout, best_step};
use wits_scrabble::players::{Rack, Rated, Step};
use wits_scrabble::{Engine, Lexicon, Settings, Standing, house};

fn seconds(since: Instant) -> f64 {
    std::fs::read_to_string("/proc/thread-self/schedstat")
        .ok()
        .and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok())
        .map_or_else(|| since.elapsed().as_secs_f64(), |ns| ns / 1e9)
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, usual: u64| args.get(at).map_or(usual, |text| text.parse().unwrap());
    let (count, seed, held) = (number(0, 20), number(1, 1), number(3, 1) as usize);
    let name = args.get(2).map_or("english", String::as_str);
    let lexicon = match Lexicon::embedded(name) {
        Some(lexicon) => Lexicon::clone(&lexicon),
        None => house::from_bytes(name, &std::fs::read(name).unwrap()).unwrap(),
    };
    let engine = std::sync::Arc::new(Engine::new(lexicon));
    engine.warm().unwrap();
    let leaves = house::leaves(engine.tiles());
    let settings = Settings::default();
    let start = Instant::now();
    let (mut found, mut solved, mut times) = (0, 0, Vec::new());
    for game in number(4, 0).. {
        if found == count {
            break;
        }
        let mut bout = Bout::new(&engine, &settings, bag(&engine, Seed::new(seed).nth(game)));
        while !bout.over && bout.bag.len() > held {
            let step = best_step(&bout, &leaves).0;
            bout.step(&step);
        }
        if bout.over || bout.bag.len() != held {
            continue;
        }
        found += 1;
        let me = bout.turn;
        let mut unseen: Vec<u8> = bout.racks[1 - me].tiles().to_vec();
        unseen.extend(&bout.bag);
        unseen.sort_unstable();
        let position = Position {
            board: *bout.board(),
            racks: vec![bout.racks[me].tiles().to_vec(), Vec::new()],
            scores: vec![bout.scores[me], bout.scores[1 - me]],
            quiet: 0,
            lexicon: Some(name.to_owned()),
        };
        let standing = Standing::new(engine.clone(), position);
        let mut rated = standing.rated(usize::MAX);
        rated.push(Rated {
            step: Step::Pass,
            score: 0,
            worth: 0,
        });
        let rack = Rack::new(bout.racks[me].tiles());
        let lead = bout.scores[me] - bout.scores[1 - me];
        let at = Before {
            engine: &engine,
            bingo: settings.bingo,
            field: &bout.field,
            rack: &rack,
            unseen: &unseen,
            bag: held,
            lead,
            threads: 1,
        };
        let budget = Budget::start(Limits::time(Duration::from_secs(number(5, 4))));
        let begin = seconds(start);
        let outlook = outlook(&at, &rated, &budget, u64::MAX);
        let took = seconds(start) - begin;
        let within = outlook.complete && took <= 2.0;
        solved += u32::from(within);
        times.push(took);
        let best = outlook.found.first().map_or(String::new(), |p| {
            let known = match p.known {
                Known::Exact => "exact",
                Known::AtLeast => "at least",
                Known::Estimate => "estimate",
            };
            format!("{:.1} of {} {known}", f64::from(p.wins) / 2.0, p.tried)
        });
        println!(
            "game {game}: {took:.2} s, {}, {} candidates, lead {lead}, {best}, {} behind, {} open: {}",
            if outlook.complete { "solved" } else { "OPEN" },
            rated.len(),
            outlook.behind,
            outlook.open,
            cgp::write(&standing.position, engine.tiles()),
        );
    }
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    println!(
        "{solved} of {found} within 2 s; median {:.2} s, nine in ten {:.2} s",
        at(0.5),
        at(0.9)
    );
}
