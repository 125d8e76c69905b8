//! Endings and one-in-the-bag positions against brute force that knows nothing of cutting.
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::cmp::Ordering;

use wits_game::{Dice, Seed};
use wits_play::Budget;
use wits_scrabble::generate::scan;
use wits_scrabble::players::before::{Before, Known, outlook};
use wits_scrabble::players::duel::Duel;
use wits_scrabble::players::ending::Ending;
use wits_scrabble::players::{Rack, Rated, Solver, Step};
use wits_scrabble::{Board, Engine, Field, Hand, Lexicon, Play, TileSet};

const BONUS: i32 = 50;

fn engine() -> Engine {
    let tiles = TileSet::english();
    let list =
        "AT TA EAT TEA ATE TEN NET ET TAN ANT NA AN EN NEAT ANTE TAE AE NE QI IN IT TI TIN NIT AI";
    let words = list.split_whitespace().map(|w| tiles.read_word(w).unwrap());
    let engine = Engine::new(Lexicon::new("small", &tiles, words).unwrap());
    engine.warm().unwrap();
    engine
}

/// Everything, by the rules alone: the value for the side to move.
fn brute(
    engine: &Engine,
    board: &Board,
    racks: &[Vec<u8>; 2],
    bag: Option<u8>,
    passed: bool,
) -> i32 {
    let held = |side: usize| -> i32 { racks[side].iter().map(|&t| engine.values().of(t)).sum() };
    let pass = if passed {
        held(1) - held(0)
    } else {
        -brute(
            engine,
            board,
            &[racks[1].clone(), racks[0].clone()],
            bag,
            true,
        )
    };
    let mut best = pass;
    for (play, score) in scan(
        board,
        engine.lexicon(),
        engine.values(),
        BONUS,
        &Hand::new(&racks[0]),
    ) {
        best = best.max(after(engine, board, racks, bag, &play, score));
    }
    best
}

/// The value of one play.
fn after(
    engine: &Engine,
    board: &Board,
    racks: &[Vec<u8>; 2],
    bag: Option<u8>,
    play: &Play,
    score: i32,
) -> i32 {
    let mut next = *board;
    play.lay(&mut next);
    let mut mine = racks[0].clone();
    for kind in play.taken() {
        let at = mine.iter().position(|&t| t == kind).unwrap();
        mine.remove(at);
    }
    mine.extend(bag);
    if mine.is_empty() {
        let held: i32 = racks[1].iter().map(|&t| engine.values().of(t)).sum();
        return score + 2 * held;
    }
    score - brute(engine, &next, &[racks[1].clone(), mine], None, false)
}

/// A board with one or two words and small racks from a few letters.
fn deal(engine: &Engine, seed: u64, sizes: [usize; 2]) -> (Field, [Vec<u8>; 2], Vec<u8>) {
    let mut dice = Dice::new(Seed::new(seed));
    let tiles = engine.tiles();
    let mut pool: Vec<u8> = tiles
        .read_rack("AAEEIINNTTTQ?")
        .unwrap()
        .iter()
        .map(|t| t.byte())
        .collect();
    let mut field = Field::new();
    for _ in 0..2 {
        dice.shuffle(&mut pool);
        let plays = engine.plays(&field, &Hand::new(&pool[..4]), BONUS);
        if let Some(&(play, _)) = dice.pick(&plays) {
            for kind in play.taken() {
                let at = pool.iter().position(|&t| t == kind).unwrap();
                pool.remove(at);
            }
            engine.lay(&mut field, &play);
        }
    }
    dice.shuffle(&mut pool);
    let first = pool.split_off(pool.len() - sizes[0].min(pool.len()));
    let second = pool.split_off(pool.len() - sizes[1].min(pool.len()));
    (field, [first, second], pool)
}

#[test]
fn endings_equal_brute_force() {
    let engine = engine();
    let budget = Budget::endless();
    for seed in 0..8 {
        let (field, racks, _) = deal(&engine, seed, [3, 2]);
        let ending = Ending {
            field: field.clone(),
            racks: [Rack::new(&racks[0]), Rack::new(&racks[1])],
            bag: None,
            passed: seed % 5 == 0,
        };
        let solution = Solver::new(&engine, BONUS, &budget, u64::MAX).solve(&ending, |_| {});
        assert!(solution.exact, "seed {seed}");
        let wanted = brute(&engine, field.board(), &racks, None, ending.passed);
        assert_eq!(solution.value, wanted, "seed {seed}: {solution:?}");
        // The line earns what it promises.
        let (mut here, mut earned, mut sign) = (Some(ending), 0, 1);
        for step in &solution.line {
            let now = here.take().unwrap();
            earned += sign * now.gain(step, &engine);
            sign = -sign;
            here = now.after(step, &engine);
        }
        assert_eq!(
            (earned, here.is_none()),
            (wanted, true),
            "seed {seed}: {solution:?}"
        );
    }
}

#[test]
fn duels_are_decided_as_brute_force_says() {
    let engine = engine();
    let budget = Budget::endless();
    for seed in 20..28 {
        let (field, racks, mut rest) = deal(&engine, seed, [3, 2]);
        let bag = rest.pop().filter(|_| seed % 4 == 0);
        let ending = Ending {
            field: field.clone(),
            racks: [Rack::new(&racks[0]), Rack::new(&racks[1])],
            bag,
            passed: seed % 3 == 0,
        };
        let value = brute(&engine, field.board(), &racks, bag, ending.passed);
        // One table serves all questions; a wrong guess changes nothing.
        let mut duel = Duel::new(&engine, BONUS, &budget);
        for gain in value - 2..=value + 2 {
            for guess in [Ordering::Less, Ordering::Greater] {
                let found = duel.beats(&ending, gain, guess, u64::MAX);
                assert_eq!(
                    found,
                    Some(value.cmp(&gain)),
                    "seed {seed}: {value}, {gain}"
                );
            }
        }
        assert_eq!(
            Duel::new(&engine, BONUS, &budget).beats(&ending, value, Ordering::Less, 1),
            None
        );
    }
}

#[test]
fn one_in_the_bag_equals_brute_force() {
    let engine = engine();
    let budget = Budget::endless();
    for seed in 100..104 {
        let (field, racks, _) = deal(&engine, seed, [2, 3]);
        // Of the three unseen tiles one is in the bag; nobody knows which.
        let unseen = &racks[1];
        let plays = engine.plays(&field, &Hand::new(&racks[0]), BONUS);
        let mut candidates: Vec<Rated> = plays
            .iter()
            .map(|&(play, score)| Rated {
                step: Step::Lay(play, score),
                score,
                worth: score * 100,
            })
            .collect();
        candidates.push(Rated {
            step: Step::Pass,
            score: 0,
            worth: 0,
        });
        let lead = (seed % 7) as i32 - 3;
        let rack = Rack::new(&racks[0]);
        let before = Before {
            engine: &engine,
            bingo: BONUS,
            field: &field,
            rack: &rack,
            unseen,
            bag: 1,
            lead,
            threads: 1,
        };
        let together = Before {
            threads: 3,
            ..before
        };
        let outlook = outlook(&before, &candidates, &budget, u64::MAX);
        let side_by_side =
            wits_scrabble::players::before::outlook(&together, &candidates, &budget, u64::MAX);
        assert_eq!(outlook.found, side_by_side.found, "seed {seed}");
        assert!(outlook.complete, "seed {seed}");
        let found = outlook.found;
        let mut best = (0, i64::MIN);
        for candidate in &candidates {
            let (mut wins, mut spread) = (0, 0);
            for at in 0..unseen.len() {
                let mut theirs = unseen.clone();
                let tile = theirs.remove(at);
                let both = [racks[0].clone(), theirs];
                let value = match &candidate.step {
                    Step::Lay(play, score) => {
                        after(&engine, field.board(), &both, Some(tile), play, *score)
                    }
                    _ => -brute(
                        &engine,
                        field.board(),
                        &[both[1].clone(), both[0].clone()],
                        Some(tile),
                        true,
                    ),
                };
                let end = lead + value;
                wins += (1 + end.signum()) as u32;
                spread += i64::from(end);
            }
            best = best.max((wins, spread));
            if let Some(p) = found.iter().find(|p| p.step == candidate.step) {
                let passes = p.step == Step::Pass;
                assert_eq!((p.wins, p.known == Known::AtLeast), (wins, passes), "{p:?}");
                if p.exact_spread {
                    assert_eq!(p.spread, spread, "seed {seed}: {p:?}");
                }
            }
        }
        assert!(found[0].exact_spread);
        assert_eq!((found[0].wins, found[0].spread), best, "seed {seed}");
    }
}
