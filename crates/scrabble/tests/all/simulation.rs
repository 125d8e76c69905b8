//! Simulations: the same on any number of threads, no candidate twice, and means that agree with the choice. And the small lexicon of
//! an ending against the whole one.
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::sync::Arc;

use wits_desk::{Answer, Args, Block, Shelf, Value, Work};
use wits_game::{Dice, Seed};
use wits_scrabble::players::{
    Bout, Sight, SimOptions, Step, Trial, Yardsticks, best_step, contenders,
};
use wits_scrabble::{Direction, Engine, Hand, Lexicon, Settings, Standing, bench, house, verbs};
use wits_search::Budget;

fn engine() -> Arc<Engine> {
    let engine = Engine::new(Lexicon::clone(&Lexicon::embedded("english").unwrap()));
    engine.warm().unwrap();
    Arc::new(engine)
}

fn tried(engine: &Arc<Engine>, position: Option<&str>, rack: &str, options: &SimOptions) -> Trial {
    seeded(engine, position, rack, options, 5)
}

fn seeded(
    engine: &Arc<Engine>,
    position: Option<&str>,
    rack: &str,
    options: &SimOptions,
    seed: u64,
) -> Trial {
    let given = Standing::read(Arc::clone(engine), position, Some(rack)).unwrap();
    let (game, table) = given.table();
    let sight = Sight::new(&game, &table);
    let (leaves, wins) = (house::leaves(engine.tiles()), house::wins(engine.tiles()));
    let by = Yardsticks {
        leaves: &leaves,
        wins: &wins,
    };
    let rated = contenders(&sight, &leaves, options.candidates);
    let mut trial = Trial::new(&sight, &rated, &mut Dice::new(Seed::new(seed)));
    trial.run(&sight, by, options, &|_| false, &mut |_| {});
    trial
}

const MIDDLE: &str = "15/15/15/15/15/15/4O10/4EXAMPLE4/4T10/15/15/15/15/15/15 / 30/40 0";

#[test]
fn the_number_of_threads_changes_nothing() {
    let engine = engine();
    let with = |threads: usize| {
        let options = SimOptions {
            rollouts: 500,
            threads,
            ..SimOptions::default()
        };
        let trial = tried(&engine, Some(MIDDLE), "AEINRST", &options);
        let rows: Vec<_> = trial
            .tried
            .iter()
            .map(|t| (t.count, t.mean.to_bits(), t.aim().to_bits(), t.dropped))
            .collect();
        (trial.rollouts(), trial.leader(), rows)
    };
    let one = with(1);
    assert_eq!(one.0, 500);
    assert_eq!(with(3), one);
    assert_eq!(with(8), one);
}

#[test]
fn the_first_word_is_tried_across_alone() {
    let options = SimOptions {
        rollouts: 15,
        ..SimOptions::default()
    };
    let trial = tried(&engine(), None, "QUIZERS", &options);
    let mut words = 0;
    for tried in &trial.tried {
        if let Step::Lay(play, _) = &tried.rated.step {
            assert_eq!(play.direction, Direction::Across);
            words += 1;
        }
    }
    assert!(words >= 10, "{words}");
}

/// Late positions in which candidates were told as winning less than never, and as winning more than they are compared by.
const LATE: [(&str, &str); 3] = [
    (
        "4SEIR1BODE2/4U3AI5/1HIED3GOX4/1e2SOFtEN5/1M1OY2R1T4T/3I2PEA3WEY/3L3ART1LINE/5PUT1A2C2/6T2GEEK2/5BAILS5/2S2U2A6/1MOA1TO1I6/2RIFER1D6/ZEN3A8/4OWL8 / 155/183 0",
        "ADINNQV",
    ),
    (
        "15/15/15/9F5/6SIRI5/5D2OD5/5A1BA3T2/5T1ER3HE1/4TERN3MOT1/C3AS1T2SI3/EAGER6L3/E1O1NUR2BOKO2/1SEZ1GAY1O1Y3/1P4NOUN5/1A4AD1E5 / 160/93 0",
        "DGIIILW",
    ),
    (
        "15/15/15/15/15/7d7/7E7/7U7/7C7/ERE3OE7/2SENNAS7/6T8/15/15/15 / 31/14 0",
        "?AAERUY",
    ),
];

#[test]
fn wins_and_points_make_up_what_is_compared() {
    let engine = engine();
    let ends = LATE.iter().flat_map(|at| (1..4).map(move |n| (at, n)));
    for (&(position, rack), seed) in ends {
        let options = SimOptions {
            rollouts: 700,
            candidates: 15,
            ..SimOptions::default()
        };
        let trial = seeded(&engine, Some(position), rack, &options, seed);
        for tried in &trial.tried {
            let (win, _) = tried.win.unwrap();
            let sum = 100.0 * win + 0.01 * tried.mean;
            assert!((0.0..=1.0).contains(&win), "{rack} {seed}: {tried:?}");
            assert!((sum - tried.aim()).abs() < 1e-9, "{rack} {seed}: {tried:?}");
        }
    }
}

#[test]
fn who_is_given_up_is_not_above_who_is_chosen() {
    let engine = engine();
    let mut given_up = 0;
    for rack in ["AEINRST", "QUVIIWC", "EEAOUIZ"] {
        let options = SimOptions {
            rollouts: 1_500,
            ..SimOptions::default()
        };
        let trial = tried(&engine, Some(MIDDLE), rack, &options);
        let best = trial.leader().unwrap();
        let aim = trial.tried[best].aim();
        for (at, tried) in trial.tried.iter().enumerate() {
            assert!(tried.aim() <= aim, "{rack}: {tried:?}");
            assert!(tried.count >= 16 && (at == best || tried.count <= trial.tried[best].count));
            given_up += usize::from(tried.dropped);
        }
        let most = trial.tried.iter().map(|t| t.count).max().unwrap();
        assert_eq!(trial.tried[best].count, most, "{rack}");
        assert!(trial.tried.iter().any(|t| t.count < most), "{rack}");
    }
    assert!(given_up > 0);
}

/// What the verb `hint` says of a rack on an empty board, within a budget.
fn hint(rack: &str, budget: Budget) -> Answer {
    let room = verbs::room();
    let verb = room.verb("hint").unwrap();
    let given = [("rack".to_owned(), Value::Text(rack.to_owned()))];
    let args = Args::read("scrabble hint", &given, &verb.params).unwrap();
    let mut quiet = |_| {};
    let mut work = Work::new(budget, &mut quiet);
    (verb.run)(&args, &Shelf::new(), &mut work).unwrap()
}

#[test]
fn a_hint_without_rollouts_names_no_chances() {
    let says = |answer: &Answer| match &answer.blocks[0] {
        Block::Says(message) => message.to_string(),
        other => panic!("{other:?}"),
    };
    let stopped = Budget::endless();
    stopped.stop();
    let answer = hint("QUIZERS", stopped);
    assert!(!says(&answer).contains('%'), "{}", says(&answer));
    assert!(answer.data["candidates"][0]["win"].is_null());
    let answer = hint("QUIZERS", Budget::endless());
    assert!(says(&answer).contains('%'), "{}", says(&answer));
}

#[test]
fn the_words_that_can_still_come_up_find_the_same_plays() {
    let engine = engine();
    let leaves = house::leaves(engine.tiles());
    let settings = Settings::default();
    let (mut compared, mut small_words) = (0, 0);
    for game in 0..3 {
        let bag = bench::bag(&engine, Seed::new(3).nth(game));
        let mut bout = Bout::new(&engine, &settings, bag);
        let mut small: Option<Engine> = None;
        while !bout.over {
            if bout.bag.len() <= 1 && small.is_none() {
                let racks = bout
                    .racks
                    .iter()
                    .flat_map(wits_scrabble::players::Rack::tiles);
                let tiles: Vec<u8> = racks.chain(&bout.bag).copied().collect();
                small = engine.pruned(bout.board(), &tiles);
                small_words = small.as_ref().unwrap().lexicon().len();
            }
            // From there on to the end: both racks, on boards with what was laid since.
            if let Some(small) = &small {
                for rack in &bout.racks {
                    let hand = Hand::new(rack.tiles());
                    let field = small.field(bout.board());
                    assert_eq!(
                        small.plays(&field, &hand, 50),
                        engine.plays(&bout.field, &hand, 50)
                    );
                    compared += 1;
                }
            }
            let step = best_step(&bout, &leaves).0;
            bout.step(&step);
        }
    }
    assert!(compared >= 12, "{compared}");
    assert!(small_words < engine.lexicon().len() / 3, "{small_words}");
}
