//! The generators find the same plays with the same points, and the best play is the best of them.
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use crate::common;

use std::sync::Arc;

use proptest::prelude::*;
use wits_game::{Dice, Seed};
use wits_scrabble::generate::{Found, Kept, Method, NOTHING, scan};
use wits_scrabble::{Engine, Field, Hand, Letter, Lexicon, Play, TileSet, bench, house};

const BONUS: i32 = 50;

fn found(engine: &Engine, method: Method, field: &Field, hand: &Hand) -> Vec<(Play, i32)> {
    let mut plays = Vec::new();
    engine.every_by(method, field, hand, BONUS, &mut |found: &Found<'_>| {
        plays.push((found.play(), found.score));
        // What is left has the right number.
        let left = hand.without(found.play().taken()).unwrap();
        assert_eq!(
            hand.kept(left).collect::<Vec<_>>(),
            hand.kept(found.left).collect::<Vec<_>>()
        );
    });
    plays.sort_unstable();
    plays
}

/// Every law at one position.
fn agree(
    engine: &Engine,
    field: &Field,
    hand: &Hand,
    dice: &mut Dice,
    naive: bool,
) -> Vec<(Play, i32)> {
    let plays = found(engine, Method::Dawg, field, hand);
    assert_eq!(plays, found(engine, Method::Gaddag, field, hand));
    if naive {
        let slow = scan(
            field.board(),
            engine.lexicon(),
            engine.values(),
            BONUS,
            hand,
        );
        assert_eq!(plays, slow);
    }
    assert!(plays.windows(2).all(|pair| pair[0].0 != pair[1].0));
    let mut kept: Kept = NOTHING;
    for round in 0..2 {
        let best = engine.best(field, hand, BONUS, &kept);
        for method in [Method::Dawg, Method::Counts, Method::Shadow] {
            let found = engine.best_by(method, field, hand, BONUS, &kept);
            assert_eq!(best, found, "{method:?}, round {round}");
        }
        let most = plays.iter().map(|&(play, score)| {
            score * 100 + kept[usize::from(hand.without(play.taken()).unwrap())]
        });
        assert_eq!(most.max(), best.map(|b| b.worth), "round {round}");
        for worth in &mut kept {
            *worth = dice.below(6_000) as i32 - 3_000;
        }
    }
    plays
}

/// A game of random plays with all laws checked at every position.
fn wander(engine: &Engine, dice: &mut Dice, plays: usize, naive: bool) {
    let mut bag: Vec<u8> = engine.tiles().bag().iter().map(|t| t.byte()).collect();
    dice.shuffle(&mut bag);
    let mut field = Field::new();
    for _ in 0..plays {
        dice.shuffle(&mut bag);
        let size = 1 + dice.below(7);
        let hand = Hand::new(&bag[..size.min(bag.len())]);
        let options = agree(engine, &field, &hand, dice, naive);
        let Some(&(play, _)) = dice.pick(&options) else {
            continue;
        };
        engine.lay(&mut field, &play);
        assert_eq!(
            field,
            engine.field(field.board()),
            "cross-checks are kept up to date"
        );
        let by_dawg = Field::of(field.board(), engine.lexicon(), engine.values());
        assert_eq!(field, by_dawg, "both automata give the same cross-checks");
    }
}

/// A lexicon of random words over the commonest letters, so that words cross.
fn toy(tiles: &Arc<TileSet>, dice: &mut Dice) -> Lexicon {
    let mut letters: Vec<Letter> = tiles.letters().collect();
    letters.sort_by_key(|&l| std::cmp::Reverse(tiles.face(l).count));
    letters.truncate(9);
    let word = |dice: &mut Dice| -> Vec<Letter> {
        let length = 2 + dice.below(4) + dice.below(4);
        (0..length).map(|_| *dice.pick(&letters).unwrap()).collect()
    };
    let words: Vec<_> = (0..350).map(|_| word(dice)).collect();
    Lexicon::new("toy", tiles, words).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]
    #[test]
    fn three_generators_agree_in_three_languages(seed in 0_u64..1 << 40) {
        for tiles in TileSet::shipped() {
            let dice = &mut Dice::new(Seed::new(seed));
            let engine = Engine::new(toy(tiles, dice));
            engine.warm().unwrap();
            wander(&engine, dice, 7, true);
        }
    }
}

#[test]
fn both_automata_agree_on_a_real_lexicon() {
    let Some(text) = common::enable() else { return };
    let tiles = TileSet::english();
    let words = text.lines().map(|l| tiles.read_word(l).unwrap());
    let engine = Engine::new(Lexicon::new("enable", &tiles, words).unwrap());
    engine.warm().unwrap();
    for game in 0..10 {
        wander(&engine, &mut Dice::new(Seed::new(game)), 12, false);
    }
}

#[test]
fn bounds_leave_out_nothing_in_games_by_points_and_leaves() {
    for name in ["english", "polish"] {
        let engine = Engine::new(Lexicon::clone(&Lexicon::embedded(name).unwrap()));
        engine.warm().unwrap();
        let leaves = house::leaves(engine.tiles());
        let games = |method| bench::leave_games(&engine, method, &leaves, 4, Seed::new(3));
        let all = games(Method::Gaddag);
        assert_eq!(all, games(Method::Counts), "{name}");
        assert_eq!(all, games(Method::Shadow), "{name}");
    }
}
