//! Every parser of the house on mutated input: no panic, no hang, no memory out of proportion.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![allow(clippy::print_stderr, reason = "a hang can be told in no other way")]

mod desks;
mod games;
mod tiles;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use wits_fuzz::Mutator;

/// One parser with samples of what it reads.
pub(crate) struct Parser {
    name: &'static str,
    samples: Vec<Vec<u8>>,
    /// How much more than a short line one input costs.
    cost: u32,
    /// Whether a sample is read without complaint; the mutants only have to be survived.
    read: Read,
}

/// Reads bytes, and says whether they are what it reads.
type Read = Box<dyn FnMut(&[u8]) -> bool>;

/// A parser of bytes.
pub(crate) fn bytes(
    name: &'static str,
    cost: u32,
    samples: Vec<Vec<u8>>,
    read: impl FnMut(&[u8]) -> bool + 'static,
) -> Parser {
    Parser {
        name,
        samples,
        cost,
        read: Box::new(read),
    }
}

/// A parser of text.
pub(crate) fn text(
    name: &'static str,
    cost: u32,
    samples: &[&str],
    mut read: impl FnMut(&str) -> bool + 'static,
) -> Parser {
    let samples = samples.iter().map(|s| s.as_bytes().to_vec()).collect();
    bytes(name, cost, samples, move |bytes| {
        read(&String::from_utf8_lossy(bytes))
    })
}

/// A file of this repository.
pub(crate) fn file(path: &str) -> Vec<u8> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::fs::read(root.join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(usual)
}

/// The most memory this process ever asked the system for, in KiB; nothing where it is not told.
fn asked_for() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|l| l.starts_with("VmPeak:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// No input of 64 KiB may take longer than this, on a slow and busy machine.
const PATIENCE: Duration = Duration::from_mins(1);
/// No parser may ask for so much more than there was, in KiB.
const HUNGER: u64 = 2 << 20;

#[test]
fn nothing_breaks_a_parser() {
    let runs = number("WITS_FUZZ_RUNS", 400);
    let seed = number("WITS_FUZZ_SEED", 1);
    let only = std::env::var("WITS_FUZZ_ONLY").unwrap_or_default();
    let mut parsers = games::parsers();
    parsers.extend(desks::parsers());
    parsers.extend(tiles::parsers());
    if std::env::var("WITS_WITHOUT").is_ok_and(|row| row == "fuzzed-parsers") {
        // A reader of squares that trusts what it is given, to see this test fail.
        parsers.push(text("trusting", 1, &["d3"], |t| {
            t[1..].parse::<u8>().unwrap() < 9 && t.starts_with(char::is_alphabetic)
        }));
    }
    let all = parsers.len();
    let (mut inputs, mut slowest, mut finds) = (0, (Duration::ZERO, ""), Vec::new());
    for parser in parsers.iter_mut().filter(|p| p.name.contains(&only)) {
        for sample in &parser.samples {
            if !(parser.read)(sample) {
                let start = String::from_utf8_lossy(&sample[..sample.len().min(300)]);
                finds.push(format!("{}: a sample is refused: {start}", parser.name));
            }
        }
        let mut mutator = Mutator::new(&parser.samples, seed);
        let before = asked_for();
        for run in 0..(runs / u64::from(parser.cost)).max(20) {
            let input = mutator.input();
            keep(parser.name, &input);
            let begun = Instant::now();
            let _watch = Watch::start(parser.name, run);
            let survived = catch_unwind(AssertUnwindSafe(|| (parser.read)(&input)));
            let took = begun.elapsed();
            if survived.is_err() {
                finds.push(format!(
                    "{} run {run}: {}",
                    parser.name,
                    input.escape_ascii()
                ));
            }
            if took > slowest.0 {
                slowest = (took, parser.name);
            }
            inputs += 1;
        }
        let grown = asked_for().zip(before).map_or(0, |(now, then)| now - then);
        assert!(grown < HUNGER, "{} asked for {grown} KiB", parser.name);
    }
    assert!(finds.is_empty(), "{}", finds.join("\n"));
    wits_web::testing::measured(
        "fuzzed-parsers",
        format!(
            "{all} parsers, {inputs} inputs, no panic; slowest {} ms ({})",
            slowest.0.as_millis(),
            slowest.1
        ),
    );
}

/// With `WITS_FUZZ_KEEP=FILE` every input is written down before it is read, for finds that end the
/// whole process.
fn keep(name: &str, input: &[u8]) {
    if let Some(file) = std::env::var_os("WITS_FUZZ_KEEP") {
        let mut bytes = format!("{name}\n").into_bytes();
        bytes.extend(input);
        std::fs::write(file, bytes).unwrap();
    }
}

static ALIVE: AtomicU64 = AtomicU64::new(0);

/// Ends the process when one input takes far too long: a hang cannot be caught.
struct Watch;

impl Watch {
    fn start(name: &'static str, run: u64) -> Watch {
        static ONCE: std::sync::Once = std::sync::Once::new();
        static AT: std::sync::Mutex<(&str, u64)> = std::sync::Mutex::new(("", 0));
        *AT.lock().unwrap() = (name, run);
        ALIVE.fetch_add(1, Ordering::Relaxed);
        ONCE.call_once(|| {
            std::thread::spawn(|| {
                let (mut seen, mut since) = (0, Instant::now());
                loop {
                    std::thread::sleep(Duration::from_millis(200));
                    let now = ALIVE.load(Ordering::Relaxed);
                    // An odd count means that an input is being read.
                    if now != seen || now.is_multiple_of(2) {
                        (seen, since) = (now, Instant::now());
                    } else if since.elapsed() > PATIENCE {
                        let (name, run) = *AT.lock().unwrap();
                        eprintln!("{name} run {run} hangs");
                        std::process::exit(101);
                    }
                }
            });
        });
        Watch
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        ALIVE.fetch_add(1, Ordering::Relaxed);
    }
}
