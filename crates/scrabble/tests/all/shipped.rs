//! The lexicons that come with the program.
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::path::Path;

use wits_scrabble::lexicon::{Compact, SHIPPED, Shipped};
use wits_scrabble::{Automaton, Lexicon, verbs};

fn file(shipped: &Shipped) -> Vec<u8> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    match shipped.bytes {
        Some(bytes) => bytes.to_vec(),
        None => std::fs::read(data.join(shipped.name).join(shipped.file)).unwrap(),
    }
}

/// A server takes a name that is offered for no file: so `{"lexicon":"polish"}` is answered.
#[test]
fn those_inside_the_program_are_offered_by_every_verb_that_is_served() {
    let inside = SHIPPED.iter().filter(|shipped| shipped.bytes.is_some());
    let inside: Vec<&str> = inside.map(|shipped| shipped.name).collect();
    assert_eq!(verbs::INSIDE, inside);
    let mut asked = 0;
    for verb in verbs::room().verbs {
        if let Some(param) = verb.param("lexicon") {
            let served = verb.served == wits_desk::Served::Everywhere;
            assert!(!served || param.usage.offers == inside, "{}", verb.id);
            asked += usize::from(served);
        }
    }
    assert_eq!(asked, 3);
}

#[test]
fn they_are_small_and_whole() {
    let mut together = 0;
    for shipped in &SHIPPED {
        let compact = Compact::open(&file(shipped)).unwrap();
        together += compact.bytes().len();
        assert_eq!(
            (compact.name(), compact.tile_set()),
            (shipped.name, shipped.name)
        );
        assert!(!compact.note().is_empty());
        let lexicon = Lexicon::read(compact.bytes()).unwrap();
        assert_eq!(lexicon.words().count(), compact.len());
        // Words, numbers and both automata agree, a few hundred times over each list.
        for (rank, word) in lexicon.words().enumerate().step_by(9973) {
            assert_eq!(compact.rank(&word), Some(rank as u32));
            assert_eq!(compact.word(rank as u32), Some(word));
            assert!(compact.holds(&word) && lexicon.contains(&word));
        }
    }
    assert!(together <= 3_000_000, "{together} bytes");
}

#[test]
fn all_czech_forms_are_asked_in_less_than_a_megabyte() {
    let czech = Compact::open(&file(Shipped::named("czech").unwrap())).unwrap();
    assert!(czech.len() > 2_800_000, "{} forms", czech.len());
    assert!(czech.memory() <= 800_000, "{} bytes", czech.memory());
}

#[test]
fn words_are_there_and_others_are_not() {
    for (name, good, bad) in [
        (
            "english",
            "AA QI ZA QUIZ OXYPHENBUTAZONE CAFE MUZJIKS BIO",
            "BS KB JAP ZZZX LONDON",
        ),
        (
            "polish",
            "ŻÓŁW ŹDŹBŁO GŻEGŻÓŁKA BY BRR ŁĄKA",
            "MGR WARSZAWA KG ITD XYZ",
        ),
        (
            "czech",
            "ŽENA ŽENAMI PŘÍLIŠ NEJNEOBVYKLEJŠÍ WEB ČTVRTI",
            "KG PRAHA HM IDEE BRR",
        ),
    ] {
        let shipped = Shipped::named(name).unwrap();
        let lexicon = Lexicon::read(&file(shipped)).unwrap();
        let holds = |text: &str| {
            lexicon
                .tiles()
                .read_word(text)
                .is_ok_and(|word| lexicon.contains(&word))
        };
        for word in good.split(' ') {
            assert!(holds(word), "{name} {word}");
        }
        for word in bad.split(' ') {
            assert!(!holds(word), "{name} {word}");
        }
    }
}

#[test]
fn unpacking_is_done_once() {
    let one = Lexicon::embedded("english").unwrap();
    let two = Lexicon::embedded("english").unwrap();
    assert!(std::sync::Arc::ptr_eq(&one, &two));
    assert!(Lexicon::embedded("polish").is_some() && Lexicon::embedded("czech").is_none());
}
