//! Positions and score sheets with tiles of several characters, and clocks on the sheet.
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::sync::Arc;

use wits_game::{Dice, End, Eyes, Game, Seat, Seed, Turn};
use wits_play::{Budget, Choice, Desk, Match, Player};
use wits_scrabble::files::cgp::{self, Position};
use wits_scrabble::files::{gcg, transcript};
use wits_scrabble::players::Greedy;
use wits_scrabble::{Engine, Late, Lexicon, Scrabble, Settings, TileSet};

/// Croatian letters of two characters, a third that begins like one, and one of three.
const TILES: &str = "name drawn\nlanguage hr\nblank 3\ntile A 9 1\ntile E 8 1\ntile I 6 1\ntile O 6 1\ntile D 3 2\ntile DŽ 3 9\n\
    tile J 4 3\ntile L 4 2\ntile LJ 4 6\ntile N 5 1\ntile NJ 4 5\ntile S 4 2\ntile SCH 3 8\ntile Ž 3 7\n";

/// A lexicon of drawn words over those letters, twins that differ in their tiles alone among them.
fn engine(seed: u64) -> Arc<Engine> {
    let tiles = Arc::new(TileSet::parse(TILES).unwrap());
    let letters: Vec<_> = tiles.letters().collect();
    let mut dice = Dice::new(Seed::new(seed));
    let mut words: Vec<_> = (0..3_000)
        .map(|_| {
            let length = 2 + dice.below(4);
            (0..length)
                .map(|_| letters[dice.below(letters.len())])
                .collect::<Vec<_>>()
        })
        .collect();
    for twin in [
        "[LJ]E",
        "[L][J]E",
        "O[NJ]",
        "O[N][J]",
        "[DŽ]AE",
        "[D][Ž]AE",
        "[SCH]A",
    ] {
        words.push(tiles.read_word(twin).unwrap());
    }
    Arc::new(Engine::new(Lexicon::new("drawn", &tiles, words).unwrap()))
}

/// A whole greedy game, with a look at every position.
fn played(
    game: &Arc<Scrabble>,
    seed: u64,
    mut look: impl FnMut(&Match<Scrabble>),
) -> Match<Scrabble> {
    let mut table = Match::new(Arc::clone(game), Seed::new(seed), None);
    loop {
        table.settle();
        look(&table);
        let Turn::Of(seat) = table.turn() else {
            return table;
        };
        let view = game.view(table.state(), Eyes::Seat(seat)).into_owned();
        let budget = Budget::endless();
        let mut desk = Desk {
            budget: &budget,
            dice: table.dice(seat),
            tell: &mut |_| {},
            record: None,
        };
        let Choice::Move(mv) = Greedy.choose(game, &view, &mut desk) else {
            panic!("machines do not resign")
        };
        let text = game.write(table.state(), &mv, Eyes::All);
        assert_eq!(game.read(table.state(), &text).unwrap(), mv, "{text}");
        table.play_move(&mv, None).unwrap();
    }
}

#[test]
fn games_with_tiles_of_several_characters_are_written_and_read_back() {
    let mut long = 0;
    for seed in 1..=6 {
        let engine = engine(seed);
        let tiles = engine.tiles();
        let settings = Settings {
            seats: 3,
            ..Settings::default()
        };
        let game = Arc::new(Scrabble::new(Arc::clone(&engine), settings));
        let table = played(&game, seed, |table| {
            let position = Position::of(table.state());
            let text = cgp::write(&position, tiles);
            let read = cgp::read(&text, tiles).unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!(read.board, position.board, "{text}");
            assert_eq!(read.racks, position.racks, "{text}");
            assert_eq!(read.scores, position.scores, "{text}");
        });
        let names: Vec<String> = ["Žofka", "L. J.", "SCH"].map(str::to_owned).to_vec();
        let sheet = transcript(&game, &game.start(), table.events(), &names);
        assert_eq!(sheet.slips(engine.values(), 50), []);
        let text = gcg::write(&sheet, tiles);
        let read = gcg::read(&text, tiles).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let bare = |sheet: &gcg::Sheet| {
            let mut turns = sheet.turns.clone();
            for turn in &mut turns {
                turn.line = 0;
            }
            turns
        };
        assert_eq!(bare(&read), bare(&sheet), "{text}");
        assert_eq!(read.board(usize::MAX), table.state().board, "{text}");
        long += text.matches("SCH").count() + text.matches("LJ").count();
    }
    assert!(long > 40, "letters of several characters were laid: {long}");
}

#[test]
fn two_tiles_are_not_one_tile_of_two_characters() {
    let engine = engine(1);
    let tiles = engine.tiles();
    let sheet = |word: &str| {
        let text = format!("#player1 a A\n>a: LJE[LJ] 8G {word} +1 1\n");
        gcg::read(&text, tiles).unwrap().board(1)
    };
    assert_eq!(
        sheet("LJE").squares().iter().filter(|&&b| b != 0).count(),
        2
    );
    assert_eq!(
        sheet("[L]JE").squares().iter().filter(|&&b| b != 0).count(),
        3
    );
    assert_eq!(sheet("[LJ]E"), sheet("LJE"));
    // The column of a fault counts characters of the file.
    let text = "#player1 a A\n>a: [LJ]E 8G LJX +1 1\n";
    let fault = gcg::read(text, tiles).unwrap_err();
    assert_eq!(fault.line, 2, "{fault}");
    assert!(fault.to_string().contains("`X`"), "{fault}");
}

#[test]
fn every_minute_begun_costs_points_and_the_turn_goes_on() {
    let engine = engine(1);
    let settings = Settings {
        late: Late::Minutes(10),
        ..Settings::default()
    };
    let game = Arc::new(Scrabble::new(Arc::clone(&engine), settings));
    assert_eq!(game.grace().as_secs(), 60);
    let mut table = Match::new(Arc::clone(&game), Seed::new(4), None);
    table.settle();
    for minute in 1..=3 {
        table.end(Seat::FIRST, End::Flagged).unwrap();
        assert_eq!(table.state().scores, [-10 * minute, 0]);
        assert_eq!(table.turn(), Turn::Of(Seat::FIRST), "the turn goes on");
        assert_eq!(table.state().quiet, 0, "and is no scoreless turn");
    }
    let names = ["Ann".to_owned(), "Bo".to_owned()];
    let sheet = transcript(&game, &game.start(), table.events(), &names);
    let text = gcg::write(&sheet, engine.tiles());
    assert_eq!(text.matches("(time) -10").count(), 3, "{text}");
    assert_eq!(sheet.slips(engine.values(), 50), []);
    // A seat that never moves again does not hold the table for ever.
    while table.turn() == Turn::Of(Seat::FIRST) {
        table.end(Seat::FIRST, End::Flagged).unwrap();
        assert!(table.state().scores[0] >= -10 * 100);
    }
    assert!(matches!(table.turn(), Turn::Over(_)));
}
