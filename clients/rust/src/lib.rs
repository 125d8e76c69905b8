//! Play at the tables of wits.
//!
//! ```no_run
//! use wits_bot::{Answer, Bot, Turn, run};
//! #[derive(Clone)]
//! struct Mine;
//! impl Bot for Mine {
//!     fn choose(&mut self, turn: &Turn) -> Answer { turn.legal[0].as_str().into() }
//! }
//! fn main() -> std::io::Result<()> { run(&mut Mine) }
//! ```
//!
//! `wits` starts such a program itself. With a token it plays on a server, too:
//!
//! ```text
//! mine --server URL --token TOKEN [--join LINK] [--play GAME]
//! ```
//!
//! What a program wants to say for itself it writes to standard error: standard output is the protocol's.
#![forbid(unsafe_code)]

pub mod rules;
mod search;
mod seats;

use std::io::{BufRead, Write};

use serde_json::{Value, json};

pub use search::AlphaBeta;
pub use seats::{Door, play};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// The first line of a game.
#[derive(Clone, Debug, Default)]
pub struct Hello {
    /// The game.
    pub game: String,
    /// Its spec, all defaults written out.
    pub spec: String,
    /// Our seat, from 1.
    pub seat: u64,
    /// Where the dice of a program should come from.
    pub seed: u64,
    /// The whole line.
    pub line: Value,
}

/// What the seat to move is told.
#[derive(Clone, Debug, Default)]
pub struct Turn {
    /// What the seat may play.
    pub legal: Vec<String>,
    /// The position as players write it; empty where the game has no notation.
    pub notation: String,
    /// The whole line.
    pub line: Value,
}

/// A move with what the program thinks of it.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// The move; nothing to give up.
    pub mv: Option<String>,
    /// A remark.
    pub say: Option<String>,
    /// Lines of play with their values, the best first.
    pub lines: Vec<(Vec<String>, f64)>,
}

impl From<&str> for Answer {
    fn from(mv: &str) -> Answer {
        Answer {
            mv: Some(mv.to_owned()),
            ..Answer::default()
        }
    }
}

/// A program that plays; only `choose` must be written.
pub trait Bot {
    /// What it calls itself.
    fn name(&self) -> String {
        "a bot in Rust".to_owned()
    }

    /// Whether the same seed and turns always get the same moves.
    fn deterministic(&self) -> bool {
        false
    }

    /// A game begins.
    fn start(&mut self, hello: &Hello) {
        let _ = hello;
    }

    /// What to play.
    fn choose(&mut self, turn: &Turn) -> Answer;

    /// The game has ended.
    fn over(&mut self, end: &Value) {
        let _ = end;
    }
}

/// The answer to one line of the house; nothing where none is due.
pub fn answer(bot: &mut impl Bot, line: Value) -> Option<Value> {
    let text = |key: &str| line[key].as_str().unwrap_or_default().to_owned();
    if line.get("hello").is_some() {
        let hello = Hello {
            game: text("game"),
            spec: text("spec"),
            seat: line["seat"].as_u64().unwrap_or(1),
            seed: line["seed"].as_u64().unwrap_or(0),
            line,
        };
        bot.start(&hello);
        let (name, deterministic) = (bot.name(), bot.deterministic());
        return Some(json!({"name": name, "version": "1", "deterministic": deterministic}));
    }
    if let Some(legal) = line.get("legal").and_then(Value::as_array) {
        let turn = Turn {
            legal: legal
                .iter()
                .filter_map(|mv| Some(mv.as_str()?.to_owned()))
                .collect(),
            notation: text("notation"),
            line,
        };
        let answer = bot.choose(&turn);
        let mut reply = json!({"turn": turn.line["id"]});
        match answer.mv {
            Some(mv) => reply["move"] = json!(mv),
            None => reply["resign"] = json!(true),
        }
        if let Some(said) = answer.say {
            reply["say"] = json!(said);
        }
        let lines = answer.lines.iter();
        reply["lines"] = lines
            .map(|(moves, value)| json!({"moves": moves, "value": value}))
            .collect();
        return Some(reply);
    }
    if line.get("over").is_some() {
        bot.over(&line);
    }
    None
}

/// Plays until standard input ends; on a server, where the command line names one, until somebody stops it.
///
/// # Errors
/// When the house goes away in the middle of a line, or says what is no JSON, and when a server does not want this
/// program.
pub fn run<B: Bot + Clone>(bot: &mut B) -> std::io::Result<()> {
    if let Some(door) = Door::of_arguments() {
        return play(bot, door);
    }
    let mut out = std::io::stdout().lock();
    for text in std::io::stdin().lock().lines() {
        let text = text?;
        if text.trim().is_empty() {
            continue;
        }
        if let Some(reply) = answer(bot, serde_json::from_str(&text)?) {
            writeln!(out, "{reply}")?;
            out.flush()?;
        }
    }
    Ok(())
}

/// Numbers that a seed decides (Steele, Lea and Flood 2014: `SplitMix64`).
#[derive(Clone, Debug, Default)]
pub struct Dice(u64);

impl Dice {
    /// Dice of a seed.
    pub const fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    /// A number below `n`, which is above zero.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n.max(1) as u64) as usize
    }
}
