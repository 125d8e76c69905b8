//! What can be asked in this room: each verb reads its arguments, asks the library, and lays out what
//! it found.

mod aw;
mod check;
mod circle;
mod count;
mod forecast;
mod growth;
mod hint;
mod hold;
mod keep;
mod matrix;
mod pairing;
mod passes;
mod potential;
mod solve;
mod table;

use wits_desk::{Answer, Args, Block, Param, Picture, Refusal, Room, Verdict};
use wits_game::Message;

use crate::{Side, Terms, WORDS};

/// The room with everything that can be asked at every door.
pub fn room() -> Room {
    Room {
        id: "rainbow",
        about: WORDS.say("room"),
        verbs: vec![
            aw::verb(),
            table::verb(),
            count::verb(),
            check::verb(),
            solve::verb(),
            growth::verb(),
            pairing::verb(),
            potential::verb(),
            passes::verb(),
            circle::verb(),
            hold::verb(),
            forecast::verb(),
            hint::verb(),
            matrix::verb(),
        ],
    }
}

fn say(key: &'static str) -> Message {
    WORDS.say(key)
}

fn heads(keys: &[&'static str]) -> Vec<Message> {
    keys.iter().map(|key| WORDS.say(key)).collect()
}

/// A number of the terms. Its own range depends on the others, so the library checks it.
fn number(name: &'static str, about: &'static str, most: i64, value: &'static str) -> Param {
    let param = Param::int(name, 0, most, 0, &WORDS, about);
    param.required().shown_as(value)
}

/// The longest strip that is asked about.
const MOST: i64 = 1_000_000_000_000_000_000;

fn n_and_k() -> Vec<Param> {
    vec![
        number("n", "param-n", MOST, "N"),
        number("k", "param-k", MOST, "K"),
    ]
}

fn first_param() -> Param {
    let sides = Side::BOTH.map(|side| side.to_string());
    let usual = Side::Maker.to_string();
    Param::choice("first", &sides, &usual, &WORDS, "param-first").shown_as("SIDE")
}

/// The terms of a game.
fn terms_params() -> Vec<Param> {
    let mut params = n_and_k();
    params.push(number("c", "param-c", MOST, "C"));
    params.push(first_param());
    params
}

fn first(args: &Args) -> Side {
    args.text("first")
        .parse()
        .expect("the parameter takes the names of sides only")
}

fn terms(args: &Args) -> Result<Terms, Refusal> {
    let number = |name| args.int(name) as u64;
    Ok(Terms::new(
        number("n"),
        number("k"),
        number("c"),
        first(args),
    )?)
}

/// The same answer, and whether it is what was hoped for.
fn decided(mut answer: Answer, yes: bool) -> Answer {
    if !yes {
        answer.verdict = Verdict::No;
    }
    answer
}

fn picture(title: Message, svg: String) -> Block {
    Block::Picture(Picture {
        name: "svg".to_owned(),
        title,
        svg,
    })
}

pub use aw::aw_blocks;
pub use check::checked_blocks;

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};
    use wits_desk::{Shelf, Value, Work};
    use wits_search::{Budget, Limits};

    use super::*;

    fn ask(verb: &str, asked: &Json, limits: Limits) -> Result<Answer, Refusal> {
        ask_with(verb, asked, limits, &Shelf::new())
    }

    fn ask_with(
        verb: &str,
        asked: &Json,
        limits: Limits,
        shelf: &Shelf,
    ) -> Result<Answer, Refusal> {
        let room = room();
        let verb = room.verb(verb).unwrap();
        let text = |value: &Json| value.as_str().map_or(value.to_string(), str::to_owned);
        let pairs = asked.as_object().unwrap().iter();
        let pairs = pairs.map(|(name, value)| (name.clone(), Value::Text(text(value))));
        let args = Args::read(verb.id, &pairs.collect::<Vec<_>>(), &verb.params)?;
        let mut tell = |_| {};
        let mut work = Work::new(Budget::start(limits), &mut tell);
        (verb.run)(&args, shelf, &mut work)
    }

    #[test]
    fn answers_are_those_of_the_library() {
        let own = crate::numbers::aw(20, 3, true, &Budget::endless()).unwrap();
        let answer = ask(
            "aw",
            &json!({"n": 20, "k": 3, "search": true}),
            Limits::NONE,
        )
        .unwrap();
        assert_eq!(answer.data, serde_json::to_value(own).unwrap());
        let game = json!({"n": 8, "k": 3, "c": 4});
        let terms = Terms::new(8, 3, 4, Side::Maker).unwrap();
        let own = crate::forecast::solve(&terms, &Budget::endless());
        let answer = ask("solve", &game, Limits::NONE).unwrap();
        assert_eq!(answer.data, serde_json::to_value(own).unwrap());
        for (verb, asked, pointer, value, yes) in [
            (
                "table",
                json!({"k": "3", "to": 12}),
                "/rows/9/aw",
                json!(5),
                true,
            ),
            (
                "table",
                json!({"k": "3-4", "to": 6, "csv": true}),
                "/tables/1/rows/2/aw",
                json!(6),
                true,
            ),
            (
                "count",
                json!({"n": 9, "k": 3, "r": 3}),
                "/count",
                json!(35),
                true,
            ),
            (
                "check",
                json!({"colouring": "-ab-c", "k": 3}),
                "/count",
                json!(0),
                true,
            ),
            (
                "check",
                json!({"colouring": "abacabad", "k": 3}),
                "/longest/length",
                json!(3),
                true,
            ),
            (
                "solve",
                json!({"n": 40, "k": 5, "c": 10}),
                "/winner",
                json!(null),
                false,
            ),
            (
                "solve",
                json!({"n": 26, "k": 6, "c": 10}),
                "/by",
                json!("pairing"),
                true,
            ),
            (
                "growth",
                json!({"k": 5, "from": 14, "to": 17}),
                "/rows/3/winner",
                json!("maker"),
                true,
            ),
            (
                "growth",
                json!({"k": 6, "from": 17, "to": 18, "positions": 2000}),
                "/rows/0/winner",
                json!(null),
                false,
            ),
            (
                "pairing",
                json!({"n": 10, "k": 4}),
                "/checked",
                json!(true),
                true,
            ),
            (
                "pairing",
                json!({"n": 6, "k": 4, "pairs": "1-2 3-5"}),
                "/pairs/2",
                json!([4, 6]),
                true,
            ),
            (
                "pairing",
                json!({"n": 6, "k": 2}),
                "/pairs",
                json!(null),
                false,
            ),
            (
                "potential",
                json!({"n": 300, "k": 30}),
                "/decides",
                json!(true),
                true,
            ),
            (
                "potential",
                json!({"n": 30, "k": 3}),
                "/decides",
                json!(false),
                false,
            ),
            (
                "hold",
                json!({"n": 12, "k": 4, "c": 4}),
                "/positions",
                json!(53),
                true,
            ),
            (
                "forecast",
                json!({"n": 1000, "k": 3, "c": 20}),
                "/winner",
                json!("maker"),
                true,
            ),
            (
                "hint",
                json!({"n": 30, "k": 5, "c": 10, "moves": "15=1 16=1 14=2", "seed": 1}),
                "/hints/0/move",
                json!("18=1"),
                true,
            ),
            (
                "hint",
                json!({"n": 30, "k": 5, "c": 10, "level": 0}),
                "/hints",
                json!([]),
                false,
            ),
            (
                "matrix",
                json!({"n": 12, "k": 3, "c": 5, "games": 2, "makers": "4", "breakers": "0,4"}),
                "/breakers/1",
                json!("hint:level=4"),
                true,
            ),
        ] {
            let answer = ask(verb, &asked, Limits::NONE).unwrap();
            assert_eq!(answer.data.pointer(pointer), Some(&value), "{verb} {asked}");
            assert_eq!(answer.verdict == Verdict::Yes, yes, "{verb} {asked}");
            assert!(!answer.blocks.is_empty(), "{verb} {asked}");
        }
    }

    /// A search that was interrupted says where it stands, and the next one goes on from there.
    #[test]
    fn a_kept_search_is_taken_up() {
        use std::sync::{Arc, Mutex};
        for (verb, asked, most) in [
            (
                "solve",
                json!({"n": 16, "k": 5, "c": 16, "first": "breaker", "keep": "file"}),
                600,
            ),
            ("passes", json!({"n": 17, "k": 5, "keep": "file"}), 600),
        ] {
            let whole = ask(
                verb,
                &asked.as_object().map(without_keep).unwrap(),
                Limits::NONE,
            );
            let whole = whole.unwrap();
            let kept = Arc::new(Mutex::new(Vec::new()));
            let shelf = |kept: &Arc<Mutex<Vec<u8>>>| {
                let (to, mut shelf) = (Arc::clone(kept), Shelf::new());
                let bytes = kept.lock().unwrap().clone();
                if !bytes.is_empty() {
                    shelf.put("file", bytes);
                }
                shelf.put_place("file", move |fill| {
                    let mut bytes = Vec::new();
                    fill(&mut bytes)?;
                    *to.lock().unwrap() = bytes;
                    Ok(())
                });
                shelf
            };
            let cut = ask_with(verb, &asked, Limits::nodes(most), &shelf(&kept)).unwrap();
            assert_eq!(
                (cut.verdict, &cut.data["winner"]),
                (Verdict::No, &Json::Null)
            );
            let proved = &cut.data["kept"]["positions"];
            assert_eq!(cut.data["kept"]["before"], json!(0));
            assert!(
                proved.as_u64().is_some_and(|n| n > 100 && n < most),
                "{proved}"
            );
            let says = |answer: &Answer| {
                let lines = answer.blocks.iter().filter_map(|block| match block {
                    Block::Says(says) => Some(says.to_string()),
                    _ => None,
                });
                lines.collect::<Vec<_>>().join("\n")
            };
            assert!(
                says(&cut).contains(&format!("{proved} proved positions")),
                "{}",
                says(&cut)
            );
            let last = ask_with(verb, &asked, Limits::NONE, &shelf(&kept)).unwrap();
            assert_eq!(&last.data["kept"]["before"], proved, "{}", says(&last));
            assert!(says(&last).contains(&format!("{proved} proved positions were taken up")));
            assert_eq!(last.data["winner"], whole.data["winner"], "{verb}");
            assert!(last.data["nodes"].as_u64() < whole.data["nodes"].as_u64());
        }
        // A file of another game is refused, and so is a place where nothing can be written, before anything is searched.
        let other = json!({"n": 9, "k": 4, "c": 4, "keep": "file"});
        let mut shelf = Shelf::new();
        shelf.put("file", b"something else".as_slice());
        let refused = ask_with("solve", &other, Limits::NONE, &shelf).unwrap_err();
        assert!(
            refused.to_string().contains("`file` cannot be taken up"),
            "{refused}"
        );
        let refused = ask_with("solve", &other, Limits::nodes(0), &Shelf::new()).unwrap_err();
        assert_eq!(refused.code, "file", "{refused}");
        // A table that is full says so, and what to do.
        let full = json!({"n": 17, "k": 6, "c": 17, "positions": 500});
        let full = ask("solve", &full, Limits::NONE).unwrap();
        let Some(Block::Says(says)) = full.blocks.first() else {
            panic!("{:?}", full.blocks);
        };
        assert!(says.to_string().contains("`positions`"), "{says}");
    }

    fn without_keep(asked: &serde_json::Map<String, Json>) -> Json {
        let mut asked = asked.clone();
        asked.remove("keep");
        Json::Object(asked)
    }

    #[test]
    fn what_cannot_be_is_refused_with_a_code() {
        for (verb, asked, code) in [
            ("aw", json!({"n": 9, "k": 10}), "bad-value"),
            ("aw", json!({"n": 9}), "missing-parameter"),
            ("table", json!({"k": "5-4", "to": 9}), "bad-value"),
            ("table", json!({"k": "4", "to": 3}), "bad-value"),
            ("check", json!({"colouring": "a?", "k": 3}), "bad-colouring"),
            ("solve", json!({"n": 9, "k": 4, "c": 0}), "bad-value"),
            ("growth", json!({"k": 5, "from": 4, "to": 9}), "bad-value"),
            ("growth", json!({"k": 5, "from": 9, "to": 8}), "bad-value"),
            (
                "pairing",
                json!({"n": 6, "k": 4, "pairs": "1+2"}),
                "bad-pair",
            ),
            ("hold", json!({"n": 31, "k": 5, "c": 10}), "too-long"),
            (
                "hint",
                json!({"n": 9, "k": 3, "c": 3, "moves": "1=9"}),
                "illegal",
            ),
            (
                "matrix",
                json!({"n": 9, "k": 3, "c": 3, "makers": "5"}),
                "bad-value",
            ),
        ] {
            let refusal = ask(verb, &asked, Limits::NONE).unwrap_err();
            assert_eq!(refusal.code, code, "{verb} {asked}: {refusal}");
        }
        // Where the time is over, what is known is said, and that it is not all.
        let asked = json!({"n": 60, "k": 4});
        let bounds = ask("aw", &asked, Limits::nodes(1000)).unwrap();
        assert_eq!(
            (bounds.verdict, &bounds.data["aw"]),
            (Verdict::No, &Json::Null)
        );
    }
}
