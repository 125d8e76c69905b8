//! The fast players choose what the slow ones choose, and the figures of the thesis come out.

use wits_game::{Dice, Game, Seat, Seed, Stream};
use wits_thue::game::{Insertion, Move, Phase};
use wits_thue::players::scores::Rules;
use wits_thue::players::{naive, play_round};
use wits_thue::words::Variant;

/// The same round, played by the slow twins.
fn slow_round(game: &Insertion, builder: u32, painter: u32, seed: Seed) -> Vec<u32> {
    let rules = Rules {
        variant: game.variant,
        symbols: game.symbols,
    };
    let mut position = game.start();
    let mut choices = Vec::new();
    while !position.over() {
        let ply = choices.len() as u32;
        let mv = if let Phase::Paint(gap) = position.phase {
            let mut dice = Dice::at(seed, Stream::Seat(Seat::SECOND), ply);
            Move::Symbol(
                naive::symbol(rules, &position.word, gap as usize, painter, &mut dice)
                    .expect("the gap is not dead"),
            )
        } else {
            let mut dice = Dice::at(seed, Stream::Seat(Seat::FIRST), ply);
            Move::Gap(naive::gap(rules, &position.word, builder, &mut dice) as u32)
        };
        choices.push(match mv {
            Move::Gap(gap) => gap,
            Move::Symbol(symbol) => u32::from(symbol),
        });
        game.play(&mut position, &mv);
    }
    choices
}

fn same(game: Insertion, builder: u32, painter: u32, seeds: std::ops::Range<u64>) {
    for seed in seeds.map(Seed::new) {
        let fast: Vec<u32> = play_round(&game, builder, painter, seed, None)
            .decisions
            .iter()
            .map(|d| d.choice)
            .collect();
        assert_eq!(
            fast,
            slow_round(&game, builder, painter, seed),
            "{game:?} B{builder} P{painter} seed {seed}"
        );
    }
}

#[test]
fn same_choices_as_the_slow_twins() {
    let short = |variant, symbols, max_moves| Insertion {
        max_moves,
        ..Insertion::new(variant, symbols)
    };
    for variant in Variant::ALL {
        for (builder, painter) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            same(short(variant, 5, 16), builder, painter, 0..4);
            same(short(variant, 3, 16), builder, painter, 0..4);
        }
    }
    same(short(Variant::Square, 5, 40), 0, 1, 0..3);
    same(short(Variant::Square, 5, 26), 1, 1, 0..2);
    same(short(Variant::Square, 4, 9), 2, 2, 0..2);
    same(short(Variant::Square, 5, 9), 0, 2, 0..2);
    same(short(Variant::Square, 4, 7), 1, 3, 0..1);
}

/// Moves as the thesis counts them: the initial and the fatal symbol with the rest.
#[test]
fn the_short_games_of_the_thesis() {
    let moves = |symbols, builder, painter, seed| {
        let round = play_round(
            &Insertion::new(Variant::Square, symbols),
            builder,
            painter,
            Seed::new(seed),
            None,
        );
        assert!(round.finished && !round.aborted);
        round.moves
    };
    for seed in 0..5 {
        for builder in 0..=3 {
            for painter in 0..=3 {
                assert_eq!(
                    moves(3, builder, painter, seed),
                    5,
                    "three symbols, B{builder} P{painter}"
                );
            }
        }
        assert_eq!(moves(4, 0, 0, seed), 7);
        for painter in 1..=3 {
            assert_eq!(
                moves(4, 0, painter, seed),
                10,
                "the greedy Builder gets ten out of P{painter}"
            );
        }
        for builder in 1..=2 {
            for painter in 0..=2 {
                assert_eq!(moves(4, builder, painter, seed), 7, "B{builder} P{painter}");
            }
        }
        for builder in 0..=2 {
            assert_eq!(
                moves(5, builder, 0, seed),
                11,
                "the greedy Painter lasts eleven against B{builder}"
            );
        }
    }
}

/// With five symbols games are long: the mean of greedy against level 1 is near 136.5.
#[test]
fn the_long_games_of_the_thesis() {
    let game = Insertion {
        max_moves: 379,
        ..Insertion::new(Variant::Square, 5)
    };
    let lengths: Vec<f64> = (0..300)
        .map(|seed| play_round(&game, 0, 1, Seed::new(seed), None).moves as f64)
        .collect();
    let mean = lengths.iter().sum::<f64>() / lengths.len() as f64;
    // 3000 games gave a mean of 136.5 with quartiles 75 and 177: the standard error of 300 is about 4.5.
    assert!((mean - 136.5).abs() < 20.0, "{mean}");
    assert!(lengths.iter().copied().fold(f64::INFINITY, f64::min) >= 20.0);
}
