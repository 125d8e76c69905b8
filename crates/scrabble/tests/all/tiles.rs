//! What is written is read back, whatever the letters look like.
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use proptest::prelude::*;
use wits_scrabble::{Letter, Tile, TileSet};

/// Alphabets in which letters begin, end and contain one another.
fn sets() -> impl Strategy<Value = TileSet> {
    prop::collection::btree_set("[A-CŁŻ]{1,3}", 2..12).prop_map(|letters| {
        let tiles: Vec<String> = letters.iter().map(|l| format!("tile {l} 2 1\n")).collect();
        let tiles = tiles.concat();
        TileSet::parse(&format!("name drawn\nblank 2\n{tiles}")).unwrap()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn words_are_read_as_they_were_written(set in sets(), codes in prop::collection::vec(0usize..12, 0..8)) {
        let letters: Vec<Letter> = set.letters().collect();
        let word: Vec<Letter> = codes.iter().map(|&c| letters[c % letters.len()]).collect();
        let text = set.write_word(&word);
        prop_assert_eq!(set.read_word(&text).unwrap(), word.clone(), "{}", text);
        prop_assert_eq!(set.read_word(&text.to_lowercase()).unwrap(), word, "{}", text);
    }

    #[test]
    fn tiles_are_read_as_they_were_written(
        set in sets(),
        kinds in prop::collection::vec((0usize..12, 0u8..3), 0..8),
    ) {
        let letters: Vec<Letter> = set.letters().collect();
        let placed: Vec<Option<Tile>> = kinds
            .iter()
            .map(|&(code, kind)| match kind {
                0 => None,
                1 => Some(Tile::natural(letters[code % letters.len()])),
                _ => Some(Tile::blank_as(letters[code % letters.len()])),
            })
            .collect();
        let text = set.write_placed(&placed);
        prop_assert_eq!(set.read_placed(&text).unwrap(), placed.clone(), "{}", text);
        let rack: Vec<Tile> = placed.iter().flatten().map(|tile| tile.in_hand()).collect();
        let text = set.write_rack(&rack);
        prop_assert_eq!(set.read_rack(&text).unwrap(), rack, "{}", text);
    }
}
