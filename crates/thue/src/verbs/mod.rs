//! What can be asked in this room: each verb reads its arguments, asks the library, and lays out what
//! it found.

mod count;
mod dead;
mod extremal;
mod find;
mod gaps;
mod marathon;
mod overall;
mod refute;
mod survival;
mod tables;
mod value;
mod verify;
mod words;

use std::fmt::Display;
use std::io::BufReader;
use std::str::FromStr;
use std::time::Duration;

use wits_desk::{Args, Block, File, Param, Refusal, Room, Shelf, Verb, Work};
use wits_game::Message;
use wits_search::{Budget, Limits};

use crate::solve::{Solver, SolverError};
use crate::words::Variant;
use crate::{WORDS, Word};

pub use find::found_blocks;
pub use gaps::gaps_blocks;

/// The room with everything that can be asked at every door.
pub fn room() -> Room {
    Room {
        id: "thue",
        about: WORDS.say("room"),
        verbs: verbs(),
    }
}

fn verbs() -> Vec<Verb> {
    vec![
        find::verb(),
        gaps::verb(),
        dead::verb(),
        words::verb(),
        count::verb(),
        extremal::verb(),
        value::verb(),
        refute::verb(),
        verify::verb(),
        marathon::verb(),
        survival::verb(),
        tables::verb(),
        overall::verb(),
    ]
}

fn say(key: &'static str) -> Message {
    WORDS.say(key)
}

fn heads(keys: &[&'static str]) -> Vec<Message> {
    keys.iter().map(|key| WORDS.say(key)).collect()
}

/// What the library could not do, as every door says it.
fn refusal(error: impl Display, hint: &'static str) -> Refusal {
    Refusal::new("thue", Message::plain(error.to_string()), say(hint))
}

fn stopped() -> Refusal {
    Refusal::new("stopped", say("stopped"), say("stopped-hint"))
}

fn word_param() -> Param {
    let offers = &["abcabc", "0110100110010110"];
    let word = Param::text("word", &WORDS, "param-word").positional();
    word.shown_as("WORD").offering(offers)
}

fn word(args: &Args) -> Result<Word, Refusal> {
    parsed(args, "word", "bad-word-hint")
}

/// A text that the library reads.
fn parsed<T: FromStr<Err: Display>>(
    args: &Args,
    name: &str,
    hint: &'static str,
) -> Result<T, Refusal> {
    let text = args.text(name);
    text.parse().map_err(|error| refusal(error, hint))
}

fn variant_param(name: &'static str) -> Param {
    let names = Variant::ALL.map(Variant::name);
    let usual = Variant::default().name();
    Param::choice(name, &names, usual, &WORDS, "param-variant").shown_as("V")
}

fn variant(args: &Args, name: &str) -> Variant {
    args.text(name)
        .parse()
        .expect("the parameter takes the names of variants only")
}

fn symbols_param(most: usize) -> Param {
    Param::int("symbols", 1, most as i64, 3, &WORDS, "param-symbols").shown_as("K")
}

fn memory_param() -> Param {
    Param::int("memory", 1, 1_000_000, 1024, &WORDS, "param-memory").shown_as("MIB")
}

/// The bytes a table may take: what is asked for, and no more than the door allows.
fn table_bytes(args: &Args, work: &Work<'_>) -> usize {
    (args.int("memory") as usize).min(work.memory() / 2) << 20
}

/// Work on a pool of so many threads.
fn on_threads<T: Send>(threads: usize, job: impl FnOnce() -> T + Send) -> Result<T, Refusal> {
    let none = || Refusal::new("threads", say("no-threads"), say("no-threads-hint"));
    crate::with_threads(threads, job).ok_or_else(none)
}

/// How often what is known is kept.
const KEEP_EVERY: Duration = Duration::from_mins(10);

/// Searches in slices where what is known is kept, so that a crash loses at most one of them. A step says what it found, and
/// whether that is the end.
fn keeping<T: Send>(
    solver: &mut Solver,
    keep: Option<&str>,
    shelf: &Shelf,
    work: &mut Work<'_>,
    mut step: impl FnMut(&mut Solver, &Budget) -> Result<(T, bool), SolverError> + Send,
) -> Result<T, Refusal> {
    if let Some(name) = keep.filter(|name| shelf.has(name)) {
        let resumed = solver.resume(&mut BufReader::new(shelf.open(name)?));
        resumed.map_err(|error| refusal(error, "keep-hint"))?;
    }
    let seen = solver.counter();
    loop {
        let slice = keep.map_or(Limits::NONE, |_| {
            Limits::time(work.budget().elapsed() + KEEP_EVERY)
        });
        let found = work.counting(&seen, None, |whole| step(solver, &whole.within(slice)));
        let (found, done) = found.map_err(|error| refusal(error, "exact-hint"))?;
        let Some(name) = keep else {
            return Ok(found);
        };
        shelf.keep(name, &mut |mut to| {
            solver.save(&mut to).map_err(std::io::Error::other)
        })?;
        let budget = work.budget();
        if done || over(budget) || budget.spent(solver.positions()) {
            return Ok(found);
        }
    }
}

fn over(budget: &Budget) -> bool {
    budget.stopped() || budget.late()
}

/// A text to keep.
fn text_file(name: String, file: String, title: Message, text: String) -> Block {
    Block::File(File {
        name,
        file,
        title,
        mime: "text/plain; charset=utf-8".to_owned(),
        bytes: text.into_bytes(),
    })
}

fn conventions() -> Block {
    Block::Says(say("conventions"))
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use wits_desk::{Answer, Value, Verdict};

    use super::*;

    fn ask_with(
        shelf: &Shelf,
        verb: &str,
        pairs: &[(&str, &str)],
        limits: Limits,
    ) -> Result<Answer, Refusal> {
        let room = room();
        let verb = room.verb(verb).unwrap();
        let text =
            |(name, value): &(&str, &str)| ((*name).to_owned(), Value::Text((*value).to_owned()));
        let pairs: Vec<(String, Value)> = pairs.iter().map(text).collect();
        let args = Args::read(verb.id, &pairs, &verb.params)?;
        let mut tell = |_| {};
        let mut work = Work::new(Budget::start(limits), &mut tell);
        (verb.run)(&args, shelf, &mut work)
    }

    fn ask(verb: &str, pairs: &[(&str, &str)]) -> Result<Answer, Refusal> {
        ask_with(&Shelf::new(), verb, pairs, Limits::NONE)
    }

    #[test]
    fn answers_are_those_of_the_library() {
        let word: Word = "0121".parse().unwrap();
        let found = crate::report::found(&word, Variant::Overlap, 5);
        let asked = [("word", "abcb"), ("kind", "overlap"), ("limit", "5")];
        let answer = ask("find", &asked).unwrap();
        assert_eq!(answer.data, serde_json::to_value(found).unwrap());
        let gaps = crate::report::gaps(&word, 4, Variant::Square).unwrap();
        let answer = ask("gaps", &[("word", "0121"), ("symbols", "4")]).unwrap();
        assert_eq!(answer.data, serde_json::to_value(gaps).unwrap());
        for (verb, pairs, pointer, value, verdict) in [
            (
                "words",
                vec![("generator", "thue-1906"), ("from", "24"), ("count", "8")],
                "/letters",
                "\"babcacbc\"",
                Verdict::Yes,
            ),
            (
                "count",
                vec![("kind", "overlap-free"), ("symbols", "2"), ("length", "12")],
                "/count",
                "60",
                Verdict::Yes,
            ),
            (
                "extremal",
                vec![("length", "12")],
                "/count",
                "0",
                Verdict::No,
            ),
            (
                "value",
                vec![("symbols", "3"), ("memory", "1")],
                "/builder_picks",
                "4",
                Verdict::Yes,
            ),
            (
                "marathon",
                vec![("moves", "500"), ("builder", "ends")],
                "/symbols_used",
                "3",
                Verdict::Yes,
            ),
            (
                "overall",
                vec![("levels", "0"), ("symbols", "2"), ("think", "5")],
                "/count",
                "2",
                Verdict::Yes,
            ),
        ] {
            let answer = ask(verb, &pairs).unwrap();
            let seen = answer.data.pointer(pointer).unwrap().to_string();
            assert_eq!(
                (seen.as_str(), answer.verdict),
                (value, verdict),
                "{verb} {pairs:?}"
            );
            assert!(!answer.blocks.is_empty(), "{verb}");
        }
    }

    #[test]
    fn what_cannot_be_is_refused_with_a_code() {
        for (verb, pairs, code) in [
            ("find", vec![("word", "0!1")], "thue"),
            (
                "find",
                vec![("word", "01"), ("kind", "fourth-power")],
                "bad-value",
            ),
            ("gaps", vec![("word", "0123"), ("symbols", "3")], "thue"),
            ("gaps", vec![("word", "00"), ("symbols", "3")], "thue"),
            ("gaps", vec![("word", "01")], "missing-parameter"),
            ("words", vec![("generator", "thue-1913")], "thue"),
            (
                "words",
                vec![("generator", "thue-morse"), ("from", "-1")],
                "thue",
            ),
            (
                "count",
                vec![("kind", "square-free"), ("symbols", "65"), ("length", "3")],
                "bad-value",
            ),
            ("value", vec![("symbols", "9")], "bad-value"),
            ("verify", vec![("file", "nowhere")], "file"),
        ] {
            let refusal = ask(verb, &pairs).unwrap_err();
            assert_eq!(refusal.code, code, "{verb} {pairs:?}: {refusal}");
        }
        let long = [("kind", "square-free"), ("symbols", "5"), ("length", "200")];
        let stop = ask_with(&Shelf::new(), "count", &long, Limits::nodes(1000)).unwrap_err();
        assert_eq!(stop.code, "stopped");
    }

    #[test]
    fn proofs_are_written_and_checked() {
        let file = |answer: &Answer, name: &str| {
            let named = |block: &Block| match block {
                Block::File(file) if file.name == name => Some(file.bytes.clone()),
                _ => None,
            };
            answer.blocks.iter().find_map(named).unwrap()
        };
        let mut shelf = Shelf::new();
        let value = ask("value", &[("symbols", "3"), ("certificate", "")]).unwrap();
        shelf.put("three", file(&value, "certificate"));
        let verify =
            |shelf: &Shelf, name| ask_with(shelf, "verify", &[("file", name)], Limits::NONE);
        assert_eq!(verify(&shelf, "three").unwrap().data["picks"], 4);
        let asked = [
            ("symbols", "5"),
            ("depth", "7"),
            ("leaf", "2"),
            ("pieces", "2"),
            ("folder", "p"),
            ("memory", "8"),
        ];
        let refuted = ask("refute", &asked).unwrap();
        assert_eq!(refuted.data["files"][1], "p/piece-002.txt");
        let mut shelf = Shelf::new();
        for number in [1, 2] {
            let name = format!("piece-{number:03}.txt");
            shelf.put(
                format!("p/{name}"),
                file(&refuted, &format!("folder/{name}")),
            );
            let proof = verify(&shelf, "p");
            assert_eq!(
                proof.is_ok_and(|p| p.data["valid"] == true),
                number == 2,
                "both are needed"
            );
        }
        let known = shelf.names().count();
        let mut stopped = asked.to_vec();
        (stopped[1].1, stopped[2].1) = ("12", "5");
        let at_once = ask("refute", &stopped).unwrap();
        stopped.push(("keep", "search"));
        let kept = Arc::new(Mutex::new(Vec::new()));
        let keep = Arc::clone(&kept);
        shelf.put_place("search", move |fill| {
            let mut bytes = Vec::new();
            fill(&mut bytes)?;
            *keep.lock().expect("nobody panics here") = bytes;
            Ok(())
        });
        let answer = ask_with(&shelf, "refute", &stopped, Limits::nodes(1700)).unwrap();
        assert_eq!(answer.data["outcome"], "unknown");
        let bytes = kept.lock().expect("nobody panics here").clone();
        assert!(bytes.len() > 30, "something was found");
        shelf.put("search", bytes);
        let answer = ask_with(&shelf, "refute", &stopped, Limits::NONE).unwrap();
        assert_eq!(answer.data["outcome"], "refuted");
        let count = |answer: &Answer| answer.data["positions"].as_u64().unwrap();
        assert!(
            count(&answer) < count(&at_once),
            "{} {}",
            count(&answer),
            count(&at_once)
        );
        assert_eq!(shelf.names().count(), known + 1);
        let one = verify(&shelf, "p/piece-002.txt").unwrap().data;
        assert_eq!((&one["checked"], &one["of"]), (&1.into(), &2.into()));
    }
}
