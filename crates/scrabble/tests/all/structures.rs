//! Every structure holds the same words, whatever its layout.
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::collections::BTreeSet;

use proptest::prelude::*;
use wits_scrabble::lexicon::{BadLexicon, Compact, Thesis, Trie, kwg};
use wits_scrabble::{Automaton, Gaddag, Letter, Lexicon, TileSet};

/// The words of an automaton, from one that need not know this crate's types.
fn shown(automaton: &impl Automaton) -> Vec<Vec<u8>> {
    automaton
        .words()
        .map(|word| word.iter().map(|letter| letter.code()).collect())
        .collect()
}

/// The strings of a KWG file below one of its roots, read by what the format says and nothing else.
fn kwg_strings(file: &[u8], root: usize) -> BTreeSet<Vec<u8>> {
    let words: Vec<u32> = file
        .chunks(4)
        .map(|four| u32::from_le_bytes(four.try_into().unwrap()))
        .collect();
    let mut found = BTreeSet::new();
    let mut waiting = vec![((words[root] & 0x3f_ffff) as usize, Vec::new())];
    while let Some((mut at, stem)) = waiting.pop() {
        while at != 0 {
            let word = words[at];
            let mut path: Vec<u8> = stem.clone();
            path.push((word >> 24) as u8);
            if word & 0x80_0000 != 0 {
                found.insert(path.clone());
            }
            waiting.push(((word & 0x3f_ffff) as usize, path));
            at = if word & 0x40_0000 != 0 { 0 } else { at + 1 };
        }
    }
    found
}

fn word_sets() -> impl Strategy<Value = BTreeSet<Vec<u8>>> {
    prop::collection::btree_set(prop::collection::vec(1u8..5, 1..8), 1..120)
}

fn lexicon(words: &BTreeSet<Vec<u8>>) -> Lexicon {
    let letters = |word: &Vec<u8>| word.iter().map(|&c| Letter::new(c).unwrap()).collect();
    Lexicon::new("drawn", &TileSet::english(), words.iter().map(letters)).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn all_structures_hold_just_the_words(words in word_sets()) {
        let lexicon = lexicon(&words);
        let wanted: Vec<Vec<u8>> = words.iter().cloned().collect();
        prop_assert_eq!(&shown(lexicon.dawg()), &wanted);
        prop_assert_eq!(&shown(&Trie::new(&lexicon).unwrap()), &wanted);
        prop_assert_eq!(&shown(&Thesis::new(lexicon.dawg()).unwrap()), &wanted);
        let compact = Compact::new(&lexicon, "");
        prop_assert_eq!(&shown(&compact), &wanted);
        let again = compact.lexicon(&TileSet::english()).unwrap();
        prop_assert_eq!(&shown(again.dawg()), &wanted);
        prop_assert_eq!((again.hash(), again.len()), (lexicon.hash(), words.len()));
        prop_assert_eq!(again.dawg().node_count(), lexicon.dawg().node_count());
    }

    #[test]
    fn rank_and_word_are_inverse(words in word_sets(), other in prop::collection::vec(1u8..5, 1..8)) {
        let compact = Compact::new(&lexicon(&words), "");
        for (rank, word) in words.iter().enumerate() {
            let letters: Vec<Letter> = word.iter().map(|&c| Letter::new(c).unwrap()).collect();
            prop_assert_eq!(compact.rank(&letters), Some(rank as u32));
            prop_assert_eq!(&compact.word(rank as u32).unwrap()[..], &letters[..]);
        }
        prop_assert_eq!(compact.word(words.len() as u32), None);
        let letters: Vec<Letter> = other.iter().map(|&c| Letter::new(c).unwrap()).collect();
        prop_assert_eq!(compact.rank(&letters).is_some(), words.contains(&other));
    }

    #[test]
    fn the_gaddag_has_every_word_turned_around_every_letter(words in word_sets()) {
        let lexicon = lexicon(&words);
        let mut wanted = BTreeSet::new();
        for word in &words {
            for cut in 1..=word.len() {
                let mut turned: Vec<u8> = word[..cut].iter().rev().copied().collect();
                if cut < word.len() {
                    turned.push(0);
                    turned.extend(&word[cut..]);
                }
                wanted.insert(turned);
            }
        }
        let gaddag = Gaddag::build(&lexicon).unwrap();
        prop_assert_eq!(&shown(gaddag.graph()).into_iter().collect::<BTreeSet<_>>(), &wanted);
        prop_assert_eq!(Gaddag::from_bytes(&gaddag.to_bytes(), &lexicon), Some(gaddag.clone()));
        let file = kwg(&lexicon, true).unwrap();
        prop_assert_eq!(kwg_strings(&file, 0), words.clone());
        prop_assert_eq!(kwg_strings(&file, 1), wanted);
        prop_assert_eq!(kwg_strings(&kwg(&lexicon, false).unwrap(), 0), words);
    }

    #[test]
    fn no_damage_goes_unnoticed(words in word_sets(), at in 0usize..2000, bit in 0u8..8) {
        let lexicon = lexicon(&words);
        let mut file = Compact::new(&lexicon, "note").bytes().to_vec();
        let mut kept = Gaddag::build(&lexicon).unwrap().to_bytes();
        let place = at % file.len();
        file[place] ^= 1 << bit;
        prop_assert!(Compact::open(&file).is_err());
        prop_assert!(Compact::open(&file[..place]).is_err());
        let place = at % kept.len();
        kept[place] ^= 1 << bit;
        prop_assert!(Gaddag::from_bytes(&kept, &lexicon).is_none());
    }
}

#[test]
fn a_lexicon_for_other_letters_is_refused() {
    let compact = Compact::new(&lexicon(&BTreeSet::from([vec![1, 2]])), "");
    let error = compact.lexicon(&TileSet::polish()).unwrap_err();
    assert!(matches!(error, BadLexicon::OtherTiles { .. }));
    assert!(
        error.to_string().contains("`english`, not for `polish`"),
        "{error}"
    );
    assert_eq!(
        Compact::open(b"aardvark\n").unwrap_err(),
        BadLexicon::NotALexicon
    );
}

#[test]
fn the_thesis_format_says_when_a_list_does_not_fit() {
    // A list without shared endings: every word its own path, too many bytes for 18 bits.
    let tiles = TileSet::english();
    let mut state = 1u64;
    let words: Vec<Vec<Letter>> = (0..80_000)
        .map(|_| {
            (0..8)
                .map(|_| {
                    state = state
                        .wrapping_mul(6_364_136_223_846_793_005)
                        .wrapping_add(1);
                    Letter::new((state >> 33) as u8 % 26 + 1).unwrap()
                })
                .collect()
        })
        .collect();
    let lexicon = Lexicon::new("noise", &tiles, words).unwrap();
    let error = Thesis::new(lexicon.dawg()).unwrap_err();
    assert!(error.farthest > Thesis::FARTHEST && error.jumps > 0);
    assert!(error.to_string().contains("262143"), "{error}");
}
