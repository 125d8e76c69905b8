//! Square-free words, and why three letters suffice: two letters are stuck after three, a word of three
//! letters can go on for ever.

use maud::html;
use wits_game::{Cell, Light, Scene, Shape, Target, Tint, Token};
use wits_play::Budget;
use wits_thue::words::generators::thue_1912;
use wits_thue::words::{Variant, count::count, find};
use wits_thue::{Repetition, Word};

use super::asked::{Asked, MOVE, late, refused};
use super::boards::{Story, moves, picker, still};
use super::guess::Guess;
use super::parts::{Live, slider, whole};
use crate::pages::say;
use crate::{App, Fault, WORDS};

/// The word of the question, and the one that the reader goes on with.
const ASKED: &[u8] = &[0, 1, 0];
const OWN: &str = "a b a c a b";
/// The longest word that a reader makes, and how far it is looked whether a word can go on.
const LONGEST: usize = 60;
const AHEAD: usize = 40;
/// Lengths of the words that are counted.
const COUNTED: usize = 12;
/// Letters in sight of a long word.
const SHOWN: usize = 36;

fn letter(symbol: u8) -> char {
    char::from(b'a' + symbol)
}

fn written(word: &[u8]) -> String {
    word.iter().map(|&s| letter(s)).collect()
}

/// A word as a strip of tiles; a square in it is lit, its halves apart.
fn strip(word: &[u8], square: Option<Repetition>, letters: u8) -> Scene {
    let cell = |(at, &symbol): (usize, &u8)| {
        let inside = square.filter(|s| (s.start..s.end()).contains(&at));
        let half = inside.map(|s| at < s.start + s.period);
        Cell {
            name: (at + 1).to_string(),
            token: Some(Token::new(
                Shape::Tile,
                letter(symbol),
                letter(symbol),
                u16::from(symbol) + 1,
            )),
            tint: half.map_or(
                Tint::Plain,
                |first| if first { Tint::First } else { Tint::Second },
            ),
            light: inside.map(|_| Light::Wrong),
            note: String::new(),
        }
    };
    let target = |symbol: u8| Target {
        path: Vec::new(),
        text: letter(symbol).to_string(),
        label: letter(symbol).to_string(),
    };
    Scene {
        cells: word.iter().enumerate().map(cell).collect(),
        targets: (0..letters).map(target).collect(),
        ..Scene::default()
    }
}

/// The word with one more letter, and the square that it makes.
fn longer(word: &[u8], symbol: u8) -> (Vec<u8>, Option<Repetition>) {
    let more = [word, &[symbol]].concat();
    let square = find::at_end(&more, Variant::Square);
    (more, square)
}

/// By how many letters a square-free word can go on, up to a bound.
fn goes_on(word: &[u8], most: usize, budget: &Budget) -> Option<usize> {
    if budget.stopped() || budget.late() {
        return None;
    }
    let mut best = 0;
    for symbol in 0..3 {
        if best == most {
            break;
        }
        let (more, square) = longer(word, symbol);
        if square.is_none() {
            best = best.max(1 + goes_on(&more, most - 1, budget)?);
        }
    }
    Some(best)
}

/// The reader's word of three letters.
fn own(asked: &Asked) -> Result<Vec<u8>, Fault> {
    let read = |text: &str| match text {
        "a" => Some(0),
        "b" => Some(1),
        "c" => Some(2),
        _ => None,
    };
    let word: Option<Vec<u8>> = moves(asked, OWN).split_whitespace().map(read).collect();
    word.filter(|w| w.len() <= LONGEST).ok_or_else(|| {
        let hint = WORDS.say("lesson-bad-letters-hint").with("most", LONGEST);
        refused("bad-letters", WORDS.say("lesson-bad-letters"), hint)
    })
}

/// What a letter would do to the reader's word.
fn fate(word: &[u8], symbol: u8, budget: &Budget) -> Result<String, Fault> {
    let (more, square) = longer(word, symbol);
    if let Some(square) = square {
        let half = written(&more[square.start..square.start + square.period]);
        return Ok(WORDS
            .say("lesson-makes-square")
            .with("half", half)
            .to_string());
    }
    let on = goes_on(&more, AHEAD, budget).ok_or_else(late)?;
    let said = match on {
        0 => WORDS.say("lesson-stuck-now"),
        AHEAD => WORDS.say("lesson-goes-far").with("most", AHEAD),
        _ => WORDS.say("lesson-stuck-after").with("count", on),
    };
    Ok(said.to_string())
}

/// The question about two letters, a long word of three, and how many words there are.
pub(super) fn run(_: &App, asked: &Asked, budget: &Budget) -> Result<Live, Fault> {
    let rounds: usize = asked.number("rounds", 3, 1, 4)?;
    let given = asked
        .text(MOVE)
        .filter(|g| ["a", "b", "neither"].contains(g));
    let guess = match given {
        None => Guess::about(still(&strip(ASKED, None, 0))),
        Some(said) => {
            let mut story = Story::default();
            story.add(strip(ASKED, None, 0), say("lesson-word-start"));
            for symbol in (0..2).filter(|&s| said == "neither" || said == letter(s).to_string()) {
                let (more, square) = longer(ASKED, symbol);
                let half = square.map(|s| written(&more[s.start..s.start + s.period]));
                let says = WORDS.say("lesson-word-square").with("word", written(&more));
                let says = says.with("half", half.unwrap_or_default());
                story.add(strip(&more, square, 0), says);
            }
            Guess::about(story.on_page()).right(Some(said == "neither"))
        }
    };
    // Thue's substitution, applied again and again; its result is searched for squares anew.
    let morphism = thue_1912();
    let failed = |_| Fault::missing();
    let long: Word = morphism.iterate(&[0], rounds).map_err(failed)?;
    let free = wits_thue::words::stretches::square_free(&long);
    let images: Vec<String> = (0..3)
        .map(|s| format!("{} → {}", letter(s), written(morphism.image(s))))
        .collect();
    let word = own(asked)?;
    let square = find::first(&word, Variant::Square);
    let fates: Vec<(char, String)> = (0..3)
        .filter(|_| square.is_none())
        .map(|s| Ok((letter(s), fate(&word, s, budget)?)))
        .collect::<Result<_, Fault>>()?;
    let counted = |letters: usize, length: usize| {
        count(Variant::Square, letters, length, budget).map_err(|_| late())
    };
    let counts: Vec<[u128; 2]> = (1..=COUNTED)
        .map(|n| Ok([counted(2, n)?, counted(3, n)?]))
        .collect::<Result<_, Fault>>()?;
    let shown = &long[..long.len().min(SHOWN)];
    let checked = if free {
        "lesson-checked"
    } else {
        "lesson-not-free"
    };
    Ok(Live::default()
        .ask(guess.keys(&["a", "b", "neither"]).showing(still(&strip(shown, None, 0))))
        .say("guess", given.unwrap_or_default())
        .say("length", long.len())
        .say("shown", shown.len())
        .say("checked", WORDS.say(checked).with("length", long.len()))
        .say("images", images.join(", "))
        .say("rounds", rounds)
        .say("own", written(&word))
        .say("most", COUNTED)
        .say("three", counts.last().map_or(0, |c| c[1]))
        .part("form", html! {
            (picker("lesson-own-word", &strip(&word, square, if square.is_none() { 3 } else { 0 }), moves(asked, OWN)))
            (slider("rounds", "lesson-rounds", rounds, [1, 4, 1]))
        })
        .part("fates", html! {
            @if fates.is_empty() { p.error { (say("lesson-own-square")) } }
            ul.plain { @for (letter, fate) in &fates { li { b { (letter) } ": " (fate) } } }
        })
        .part("counts", html! {
            div.doc-wide tabindex="0" role="region" aria-label=(say("lesson-free-words")) {
                table.data #free {
                    caption { (say("lesson-free-words")) }
                    thead { tr { th scope="col" { (say("lesson-length")) } @for n in 1..=COUNTED { th scope="col" { (n) } } } }
                    tbody {
                        @for (which, key) in [(0, "lesson-two-letters"), (1, "lesson-three-letters")] {
                            tr { th scope="row" { (say(key)) } @for row in &counts { td { (whole(row[which] as i64)) } } }
                        }
                    }
                }
            }
        }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sequence A006156 of the OEIS.
    #[test]
    fn words_are_counted_as_others_count_them() {
        let budget = Budget::endless();
        let three = (1..=COUNTED).map(|n| count(Variant::Square, 3, n, &budget).unwrap());
        assert_eq!(
            three.collect::<Vec<_>>(),
            [3, 6, 12, 18, 30, 42, 60, 78, 108, 144, 204, 264]
        );
        let two = (1..=4).map(|n| count(Variant::Square, 2, n, &budget).unwrap());
        assert_eq!(
            two.collect::<Vec<_>>(),
            [2, 2, 2, 0],
            "aba and bab are the last ones"
        );
    }

    #[test]
    fn the_word_that_the_reader_goes_on_with_has_a_trap() {
        let budget = Budget::endless();
        let word = own(&Asked::default()).unwrap();
        let (trap, square) = longer(&word, 0);
        assert!(square.is_none());
        assert_eq!(
            goes_on(&trap, AHEAD, &budget),
            Some(0),
            "abacaba is a dead end"
        );
        let (other, square) = longer(&word, 2);
        assert!(square.is_none());
        assert_eq!(goes_on(&other, AHEAD, &budget), Some(AHEAD));
    }
}
