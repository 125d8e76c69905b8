//! Score sheets as other programs and people write them: encodings, remarks of several lines, words taken back, players with one
//! name, tiles that nobody named; and what is said about words that are none.
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::sync::Arc;

use wits_scrabble::files::gcg::{self, Act};
use wits_scrabble::lexicon::{Compact, kwg, read_kwg};
use wits_scrabble::report::analyse;
use wits_scrabble::{Engine, Lexicon, Settings, TileSet, Values, house};

fn english() -> Engine {
    Engine::new(Lexicon::clone(&Lexicon::embedded("english").unwrap()))
}

fn slips(text: &str) -> Vec<(usize, String)> {
    let tiles = TileSet::english();
    let sheet = gcg::read(text, &tiles).unwrap();
    sheet.slips(&Values::new(&tiles), 50)
}

#[test]
fn remarks_may_have_several_lines() {
    let text = "#player1 a Ann\n#player2 b Bo\n#title one\ntwo\n>a: CABDEFG 8H CAB +14 14\n#note first\n\nsecond > not a turn\n>b: DEFGHIJ - +0 0\n#note x\n";
    let tiles = TileSet::english();
    let sheet = gcg::read(text, &tiles).unwrap();
    assert_eq!(
        sheet.head,
        [("title".to_owned(), "one two".to_owned())],
        "a pragma goes on, too"
    );
    assert_eq!(sheet.turns[0].note, "first\nsecond > not a turn");
    let again = gcg::read(&gcg::write(&sheet, &tiles), &tiles).unwrap();
    assert_eq!(again.turns[0].note, sheet.turns[0].note);
}

#[test]
fn sheets_are_read_in_the_encoding_they_are_in() {
    let western: Vec<u8> = "#player1 e Érsula\n#player2 b Bo\n>e: CABDEFG 8H CAB +14 14\n"
        .chars()
        .map(|c| u32::from(c) as u8)
        .collect();
    let central = b"#character-encoding ISO-8859-2\n#player1 l \xa3ucja\n";
    for (bytes, name) in [(&western[..], "Érsula"), (&central[..], "Łucja")] {
        let text = gcg::decode(bytes).unwrap();
        let sheet = gcg::read(&text, &TileSet::english()).unwrap();
        assert_eq!(sheet.players[0].1, name);
    }
    // What is UTF-8 is read so, whatever it calls itself.
    let odd = "#character-encoding ISO8859-6\n#player1 c César\n";
    assert_eq!(gcg::decode(odd.as_bytes()).unwrap(), odd);
    let arabic = gcg::decode(b"#character-encoding ISO8859-6\n#player1 c \xff\n").unwrap_err();
    assert_eq!((arabic.line, arabic.column), (1, 21), "{arabic}");
    let broken = gcg::decode(b"#character-encoding UTF-8\n#player1 c \xff\n").unwrap_err();
    assert!(broken.to_string().contains("is not"), "{broken}");
}

#[test]
fn words_taken_back_add_up_however_they_are_written() {
    let head = "#player1 a Ann\n#player2 b Bo\n";
    let after = ">b: DEFGHIJ 8H FED +14 14\n>a: CABDEFG - +0 0\n";
    for (play, back) in [("+14 14", "-14 0"), ("+14 14", "+0 0"), ("+0 0", "+0 0")] {
        let text = format!("{head}>a: CABDEFG 8H CAB {play}\n>a: CABDEFG --  {back}\n{after}");
        assert_eq!(slips(&text), [], "{play}, {back}");
        let sheet = gcg::read(&text, &TileSet::english()).unwrap();
        assert!(sheet.withdrawn(0) && !sheet.withdrawn(2));
        assert_eq!(sheet.turns[1].act, Act::Withdrawn);
    }
    let wrong = format!("{head}>a: CABDEFG 8H CAB +14 14\n>a: CABDEFG -- -14 1\n");
    assert_eq!(slips(&wrong).len(), 1);
}

#[test]
fn players_with_one_name_take_turns() {
    let text = "#player1 bob Bob Smith\n#player2 bob Bob Jones\n>bob: CABDEFG 8H CAB +14 14\n>bob: ?EFGHIJ I7 J.B +23 23\n>bob: ?EFGHIJ -- -23 0\n\
        >bob: DEFGXYZ - +0 14\n>bob: EFGHIJK - +0 0\n>bob:  (challenge) +5 5\n>bob: (EFG) +14 28\n";
    let sheet = gcg::read(text, &TileSet::english()).unwrap();
    let whose: Vec<usize> = sheet.turns.iter().map(|turn| turn.player).collect();
    assert_eq!(whose, [0, 1, 1, 0, 1, 1, 0]);
    assert_eq!(sheet.slips(&Values::new(&TileSet::english()), 50), []);
}

#[test]
fn tiles_that_nobody_named_are_known_by_letters_and_points() {
    let text = "#player1 1 Jan\n#player2 2 Ola\n>1: AHIJOUY 8F HUJA +20 20\n>1: AHIJOUY --  -20 0\n>2: ĆĘIKPST 8G STĘPIĆ +46 46\n";
    let (set, sheet) = gcg::guess(text, TileSet::shipped()).unwrap();
    assert_eq!((set.name(), sheet.turns.len()), ("polish", 3));
    assert_eq!(sheet.slips(&Values::new(&set), 50), []);
    // Letters of all sets: the points tell. J is worth 8 in English, 3 in Polish, 2 in Czech.
    for (points, name) in [(18, "english"), (8, "polish"), (6, "czech")] {
        let text = format!("#player1 1 Jan\n>1: JOABCDE 8H JO +{points} {points}\n");
        let (set, _) = gcg::guess(&text, TileSet::shipped()).unwrap();
        assert_eq!(set.name(), name, "{text}");
    }
    // A word that counts the same everywhere is English, whatever else does not add up.
    let (set, _) = gcg::guess(
        "#player1 1 Jan\n>1: AESTNDO 8H SEA +0 0\n",
        TileSet::shipped(),
    )
    .unwrap();
    assert_eq!(set.name(), "english");
    let error =
        gcg::guess("#player1 1 Jan\n>1: ABC 8H ÞAB +1 1\n", TileSet::shipped()).unwrap_err();
    assert_eq!(error.line, 2, "{error}");
    assert_eq!(
        gcg::named("#Lexicon NWL23\n").unwrap().1.unwrap().ours,
        "english"
    );
}

#[test]
fn phonies_and_words_taken_back_are_called_what_they_are() {
    let engine = english();
    let text = "#player1 a Ann\n#player2 b Bo\n>a: QWXZJKV 8H QWXZJKV +168 168\n>b: TILAXEE 9C TILAX +24 24\n>b: TILAXEE -- -24 0\n>a: ABCDEFG 9H AB +10 178\n";
    let sheet = gcg::read(text, engine.tiles()).unwrap();
    let leaves = house::leaves(engine.tiles());
    let judged = analyse(&engine, &leaves, &Settings::default(), &sheet);
    assert_eq!(judged.len(), 3);
    assert_eq!(judged[0].phonies, ["QWXZJKV"]);
    assert!(
        judged[1].withdrawn && judged[1].loss > 10.0,
        "{:?}",
        judged[1]
    );
    assert!(judged[1].phonies.iter().any(|word| word == "TILAX"));
    assert!(judged[2].phonies.iter().any(|word| word.starts_with('Q')));
}

#[test]
fn kwg_files_are_read_back() {
    let tiles = TileSet::english();
    let words = ["QI", "QUIZ", "QUIZZES", "ZA", "ZAS"];
    let words = words.map(|text| tiles.read_word(text).unwrap());
    let lexicon = Lexicon::new("five", &tiles, words).unwrap();
    for gaddag in [true, false] {
        let bytes = kwg(&lexicon, gaddag).unwrap();
        let read = read_kwg(&bytes, "five", &tiles).unwrap();
        assert_eq!((read.hash(), read.len()), (lexicon.hash(), 5));
        let found = house::from_bytes("five.kwg", &bytes).unwrap();
        assert_eq!(found.hash(), lexicon.hash());
        for cut in 0..bytes.len() {
            // Cut short it may still be whole for the words before; it never panics.
            let _ = read_kwg(&bytes[..cut], "cut", &tiles);
        }
    }
    // Letters beyond the alphabet, and circles.
    let circle: Vec<u8> = [1_u32 << 22 | 1, 1 << 24 | 1 << 22 | 1]
        .iter()
        .flat_map(|word| word.to_le_bytes())
        .collect();
    assert!(read_kwg(&circle, "circle", &tiles).is_err());
    let polish = TileSet::polish();
    let long = Lexicon::new("pl", &polish, [polish.read_word("ŻÓŁĆ").unwrap()]).unwrap();
    let bytes = kwg(&long, false).unwrap();
    assert!(read_kwg(&bytes, "pl", &tiles).is_err());
    let found = house::from_bytes("pl.kwg", &bytes).unwrap();
    assert_eq!(found.tiles().name(), "polish");
    let compact = Compact::new(&found, "");
    assert_eq!(
        compact.lexicon(&Arc::clone(found.tiles())).unwrap().len(),
        1
    );
}
