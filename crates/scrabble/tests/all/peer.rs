//! Plays and score sheets against an engine that others wrote: the registry's `scrabble`.
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use crate::common;

use std::collections::{BTreeMap, BTreeSet};

use wits_game::Seed;
use wits_scrabble::generate::Found;
use wits_scrabble::{Engine, Lexicon, PLAYED_BLANK, TileSet, bench, shown};

/// A placement: squares with letters from zero and whether a blank stands for it.
type Laid = BTreeSet<(usize, u8, bool)>;

/// How many positions: a few hundred in every run, ten thousand when asked for by `WITS_PEER_POSITIONS`.
fn count() -> usize {
    let asked = std::env::var("WITS_PEER_POSITIONS").ok();
    asked.and_then(|n| n.parse().ok()).unwrap_or(250)
}

#[test]
fn the_plays_of_english_positions_are_those_of_the_peer() {
    let Some(text) = common::enable() else { return };
    let tiles = TileSet::english();
    let words = text.lines().map(|l| tiles.read_word(l).unwrap());
    let engine = Engine::new(Lexicon::new("enable", &tiles, words).unwrap());
    engine.warm().unwrap();
    let config = scrabble::rules::GameConfig::standard();
    let peer = scrabble::lexicon::Lexicon::from_words(&config.alphabet, text.lines()).unwrap();
    let mut generator = scrabble::movegen::MoveGenerator::new(&config);
    let mut plays = 0;
    for (field, hand) in bench::positions(&engine, count(), Seed::new(2)) {
        let mut board = scrabble::board::Board::new(&config.layout);
        for (square, &tile) in field
            .board()
            .squares()
            .iter()
            .enumerate()
            .filter(|(_, t)| **t != 0)
        {
            let letter = shown(tile) - 1;
            let there = if tile & PLAYED_BLANK == 0 {
                scrabble::tile::Square::letter(letter)
            } else {
                scrabble::tile::Square::blank_letter(letter)
            };
            board.set(square / 15, square % 15, there);
        }
        let rack: String = hand
            .tiles()
            .iter()
            .map(|&t| {
                if t == 0 {
                    '?'
                } else {
                    char::from(b'A' + t - 1)
                }
            })
            .collect();
        let rack = scrabble::rack::Rack::parse(&config.alphabet, &rack).unwrap();
        let theirs: BTreeMap<Laid, i32> = generator
            .generate(&board, &rack, &peer)
            .iter()
            .map(|play| {
                let laid = play
                    .placements()
                    .map(|(at, tile)| {
                        (
                            at.row * 15 + at.col,
                            tile.index_unchecked(),
                            tile.is_blank(),
                        )
                    })
                    .collect();
                (laid, play.score())
            })
            .collect();
        // On an empty board some give only the plays across; what they give must be right all the same.
        let across = field.is_empty()
            && theirs
                .keys()
                .all(|laid| laid.iter().all(|&(square, ..)| square / 15 == 7));
        let mut ours: BTreeMap<Laid, i32> = BTreeMap::new();
        engine.every(&field, &hand, 50, &mut |found: &Found<'_>| {
            if across && found.direction == wits_scrabble::Direction::Down {
                return;
            }
            let laid = found
                .play()
                .laid()
                .map(|(square, tile)| (square, shown(tile) - 1, tile & PLAYED_BLANK != 0))
                .collect();
            assert!(
                ours.insert(laid, found.score).is_none(),
                "a play is found once"
            );
        });
        plays += ours.len();
        assert_eq!(
            ours.len(),
            theirs.len(),
            "{:?} {:?}",
            field.board(),
            hand.tiles()
        );
        assert!(ours == theirs, "{:?} {:?}", field.board(), hand.tiles());
    }
    assert!(plays > count() * 50, "{plays}");
}

#[test]
fn the_peer_reads_our_score_sheets() {
    let tiles = TileSet::english();
    let head = "#character-encoding UTF-8\n#player1 ann Ann\n#player2 bo Bo\n";
    let text = format!(
        "{head}>ann: ACTS??E 8H CATS +12 12\n>bo: AEINRST -AE +0 0\n>ann: EO K8 .O +2 14\n>bo: AEINRST - +0 0\n>ann: (AEINRST) +14 28\n"
    );
    let sheet = wits_scrabble::files::gcg::read(&text, &tiles).unwrap();
    let written = wits_scrabble::files::gcg::write(&sheet, &tiles);
    let read = scrabble::formats::gcg::Gcg::parse(&written).unwrap();
    assert_eq!((read.players.len(), read.events.len()), (2, 5), "{written}");
}
