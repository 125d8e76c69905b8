//! Searching equals looking at every word.
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::collections::BTreeSet;

use proptest::prelude::*;
use wits_scrabble::lexicon::{Compact, Pattern, Use, anagrams, beginning};
use wits_scrabble::{Lexicon, TileSet};

/// Whether a word fits a pattern, by the definition.
fn fits(pattern: &[u8], word: &[u8]) -> bool {
    match pattern.split_first() {
        None => word.is_empty(),
        Some((b'*', rest)) => (0..=word.len()).any(|cut| fits(rest, &word[cut..])),
        Some((b'?', rest)) => !word.is_empty() && fits(rest, &word[1..]),
        Some((letter, rest)) => word.first() == Some(letter) && fits(rest, &word[1..]),
    }
}

/// Whether tiles make a word, by taking one tile for each letter.
fn makes(rack: &str, word: &str, all: bool) -> bool {
    let mut left: Vec<char> = rack.chars().collect();
    for letter in word.chars() {
        let at = left.iter().position(|&t| t == letter);
        match at.or_else(|| left.iter().position(|&t| t == '?')) {
            Some(at) => left.swap_remove(at),
            None => return false,
        };
    }
    !all || left.is_empty()
}

fn lists() -> impl Strategy<Value = BTreeSet<String>> {
    prop::collection::btree_set("[A-D]{1,6}", 1..80)
}

fn lexicon(words: &BTreeSet<String>) -> Lexicon {
    let tiles = TileSet::english();
    let read = words.iter().map(|text| tiles.read_word(text).unwrap());
    Lexicon::new("drawn", &tiles, read).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn patterns_find_what_fits(words in lists(), pattern in "[A-D?*]{1,6}") {
        let lexicon = lexicon(&words);
        let tiles = lexicon.tiles();
        let wanted: Vec<String> =
            words.iter().filter(|w| fits(pattern.as_bytes(), w.as_bytes())).cloned().collect();
        let read = Pattern::read(tiles, &pattern).unwrap();
        let found = read.search(lexicon.dawg(), 1000);
        let shown: Vec<String> = found.first.iter().map(|w| tiles.write_word(w)).collect();
        prop_assert_eq!(&shown, &wanted);
        prop_assert_eq!(found.count, wanted.len());
        prop_assert_eq!(read.search(&Compact::new(&lexicon, ""), 1000), found);
        prop_assert!(read.search(lexicon.dawg(), 2).first.len() <= 2);
    }

    #[test]
    fn beginnings_find_what_begins_so(words in lists(), stem in "[A-D]{0,3}") {
        let lexicon = lexicon(&words);
        let tiles = lexicon.tiles();
        let found = beginning(lexicon.dawg(), &tiles.read_word(&stem).unwrap(), 1000);
        let shown: Vec<String> = found.first.iter().map(|w| tiles.write_word(w)).collect();
        let wanted: Vec<String> = words.iter().filter(|w| w.starts_with(&stem)).cloned().collect();
        prop_assert_eq!(shown, wanted);
    }

    #[test]
    fn tiles_make_what_they_can(words in lists(), rack in "[A-D?]{1,7}", all in any::<bool>()) {
        let lexicon = lexicon(&words);
        let tiles = lexicon.tiles();
        let how = if all { Use::All } else { Use::Some };
        let found = anagrams(lexicon.dawg(), &tiles.read_rack(&rack).unwrap(), how, 1000);
        let written = |word: &Vec<_>| tiles.write_placed(&word.iter().copied().map(Some).collect::<Vec<_>>());
        let shown: Vec<String> = found.first.iter().map(written).collect();
        let wanted: Vec<String> = words.iter().filter(|w| makes(&rack, w, all)).cloned().collect();
        prop_assert_eq!(shown.iter().map(|w| w.to_uppercase()).collect::<Vec<_>>(), wanted);
        // A blank is spent only where the letter is not there.
        for word in &shown {
            let blanks = word.chars().filter(char::is_ascii_lowercase).count();
            let natural: String = rack.chars().filter(|&c| c != '?').collect();
            let missing = (0..4u8).map(|l| char::from(b'A' + l)).map(|letter| {
                let need = word.to_uppercase().matches(letter).count();
                need.saturating_sub(natural.matches(letter).count())
            });
            prop_assert_eq!(blanks, missing.sum::<usize>());
        }
    }
}
