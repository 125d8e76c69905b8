//! The game and its players keep the laws of the house, hidden information among them.
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod threads;

use wits_play::contract::{Laws, check_entry};
use wits_play::{Shelf, Spec};
use wits_scrabble::{Lexicon, TileSet, entry, house};

/// A lexicon that is small enough for every law and large enough for whole games.
pub(crate) fn offer_small() {
    let tiles = TileSet::english();
    let list = "AA AB AD AE AH AI AN AR AS AT AX BE BY DO EH EL EN ER ES EX GO HA HE HI HO ID IF IN IS IT JO KA LA LI LO MA ME MI MU \
        NO NU OD OE OF OH ON OP OR OS OX PA PE PI QI RE SH SO TA TI TO UP US WE XI YE ZA ACE ATE CAT DOG EAT TEA TEN NET RAT RATE TEAR \
        STAR RATS QUIT QUIZ JOKE VEX VINE WAVE ZONE FOX BOX HOUSE MOUSE STONE NOTES ONSET TONES RETINA RETAINS NASTIER STAINER";
    let words = list.split_whitespace().map(|w| tiles.read_word(w).unwrap());
    let engine = house::offer(Lexicon::new("english", &tiles, words).unwrap());
    engine.warm().unwrap();
}

#[test]
fn the_entry_keeps_the_laws() {
    offer_small();
    let entry = entry().erase();
    let laws = Laws {
        games: 2,
        threads: true,
        ..Laws::default()
    };
    check_entry(&*entry, &Shelf::new(), &laws).unwrap();
}

#[test]
fn every_variant_keeps_the_laws() {
    offer_small();
    let entry = entry().erase();
    for spec in [
        "scrabble:seats=1",
        "scrabble:seats=3,start=draw,leftover=doubled",
        "scrabble:seats=4,challenge=double,end=passes,turns=3",
        "scrabble:challenge=single,end=rounds",
        "scrabble:challenge=free,exchange=1,bingo=35",
        "scrabble:challenge=off,end=scoreless,turns=4",
    ] {
        let game = entry
            .game(&spec.parse::<Spec>().unwrap(), &Shelf::new())
            .unwrap();
        let laws = Laws {
            games: 1,
            ..Laws::default()
        };
        game.laws(&laws)
            .unwrap_or_else(|breach| panic!("{spec}: {breach}"));
    }
}
