//! The common English list, where it stands beside the checkout.
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use crate::common;

use wits_scrabble::{Gaddag, Lexicon, TileSet};

#[test]
fn both_automata_hold_the_whole_list_and_nothing_else() {
    let Some(text) = common::enable() else { return };
    let tiles = TileSet::english();
    let words: Vec<_> = text.lines().map(|l| tiles.read_word(l).unwrap()).collect();
    let lexicon = Lexicon::new("enable", &tiles, words.clone()).unwrap();
    assert_eq!(lexicon.len(), 168_551);
    assert!(
        lexicon
            .words()
            .map(|w| w.to_vec())
            .eq(words.iter().cloned())
    );
    let gaddag = Gaddag::build(&lexicon).unwrap();
    assert!(words.iter().all(|word| gaddag.contains(word)));
    let broken = words.iter().map(|word| [&word[..], &word[..1]].concat());
    for word in broken.take(20_000) {
        assert_eq!(gaddag.contains(&word), lexicon.contains(&word));
    }
    // As the peers' published structures: a few megabytes.
    assert!(
        gaddag.graph().bytes() < 5 << 20,
        "{}",
        gaddag.graph().bytes()
    );
    eprintln!(
        "{} nodes, {} edges; {} edges outwards",
        lexicon.dawg().node_count(),
        lexicon.dawg().edge_count(),
        gaddag.graph().edge_count()
    );
}
