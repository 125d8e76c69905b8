//! The game as the catalog lists it.

use std::sync::Arc;

use wits_play::{Args, Entry, Param, ParamKind, PlayerEntry, Refusal, Shelf};

use crate::players::{Greedy, Leave, Leaves, Level, Sim, SimOptions, Thesis};
use crate::settings::{Challenge, Ending, Late, Leftover, Settings, Start};
use crate::table::Scrabble;
use crate::{WORDS, house};

fn build(args: &Args, shelf: &Shelf) -> Result<Scrabble, Refusal> {
    let engine = house::engine(args.text("lexicon"), shelf)?;
    let usual = Settings::usual(engine.tiles().language());
    let turns = args.int_if("turns").map(|n| n as u8);
    let ending = match (args.text("end"), usual.ending) {
        ("scoreless", _) => Ending::Scoreless(turns.unwrap_or(6)),
        ("passes", _) => Ending::Passes(turns.unwrap_or(4)),
        ("rounds", _) => Ending::Rounds(turns.unwrap_or(2)),
        (_, Ending::Scoreless(n)) => Ending::Scoreless(turns.unwrap_or(n)),
        (_, Ending::Passes(n)) => Ending::Passes(turns.unwrap_or(n)),
        (_, Ending::Rounds(n)) => Ending::Rounds(turns.unwrap_or(n)),
    };
    let settings = Settings {
        seats: args.int("seats") as u8,
        start: if args.text("start") == "draw" {
            Start::Draw
        } else {
            Start::Seat
        },
        bingo: args.int("bingo") as i32,
        exchange: args.int("exchange") as u8,
        ending,
        leftover: if args.text("leftover") == "doubled" {
            Leftover::Doubled
        } else {
            Leftover::Moved
        },
        challenge: match args.text("challenge") {
            "single" => Challenge::Single,
            "double" => Challenge::Double,
            "free" => Challenge::Free,
            "off" => Challenge::Off,
            _ => Challenge::Void,
        },
        penalty: args.int("penalty") as i32,
        late: match args.text("late") {
            "lose" => Late::Lose,
            "minutes" => Late::Minutes(args.int("overtime") as i32),
            "points" => Late::Points(args.int("overtime") as i32),
            _ => Late::Pass,
        },
    };
    Ok(Scrabble::new(engine, settings))
}

/// The table of leaves that a player names, or the shipped one.
fn leaves(game: &Scrabble, args: &Args, shelf: &Shelf) -> Result<Arc<Leaves>, Refusal> {
    let tiles = game.engine().tiles();
    let name = args.text("leaves");
    if name.is_empty() {
        return Ok(house::leaves(tiles));
    }
    let wrong = |detail: String| {
        Refusal::new(
            "bad-leaves",
            WORDS
                .say("bad-leaves")
                .with("name", name)
                .with("detail", detail),
            WORDS.say("bad-leaves-hint"),
        )
    };
    let item = shelf
        .get(name)
        .ok_or_else(|| wrong("there is no such file".to_owned()))?;
    let read = match std::str::from_utf8(&item.bytes) {
        Ok(text) if !text.contains('\0') => {
            Leaves::read(text, tiles).map_err(|e| wrong(e.to_string()))
        }
        _ => Leaves::read_klv(&item.bytes, tiles).map_err(|e| wrong(e.to_string())),
    };
    Ok(Arc::new(read?))
}

fn leaves_param() -> Param {
    Param::new("leaves", ParamKind::File, &"", &WORDS, "param-leaves").optional()
}

/// The game of a spec, typed: for doors that want more of it than a catalog gives.
pub fn game(spec: &wits_play::Spec, shelf: &Shelf) -> Result<Scrabble, Refusal> {
    build(&Args::check(spec, &params())?, shelf)
}

/// The parameters of the game.
fn params() -> Vec<Param> {
    let int = |name, min, max, default, about| Param::int(name, min, max, default, &WORDS, about);
    let choice =
        |name, words: &[&str], default, about| Param::choice(name, words, default, &WORDS, about);
    vec![
        Param::new(
            "lexicon",
            ParamKind::File,
            &"english",
            &WORDS,
            "param-lexicon",
        )
        .offering(&["english", "polish", "czech"]),
        int("seats", 1, 4, 2, "param-seats"),
        choice("start", &["seat", "draw"], "seat", "param-start"),
        int("bingo", 0, 500, 50, "param-bingo"),
        int("exchange", 1, 100, 7, "param-exchange"),
        choice(
            "end",
            &["usual", "scoreless", "passes", "rounds"],
            "usual",
            "param-end",
        ),
        int("turns", 1, 100, 6, "param-turns").optional(),
        choice("leftover", &["moved", "doubled"], "moved", "param-leftover"),
        choice(
            "challenge",
            &["void", "single", "double", "free", "off"],
            "void",
            "param-challenge",
        ),
        int("penalty", 0, 100, 5, "param-penalty"),
        choice(
            "late",
            &["pass", "points", "minutes", "lose"],
            "pass",
            "param-late",
        ),
        int("overtime", 0, 500, 10, "param-overtime"),
    ]
}

/// The game as the catalog lists it.
pub fn entry() -> Entry<Scrabble> {
    let words = ["scrabble-title", "scrabble-about", "scrabble-rules"];
    let int = |name, min, max, default, about| Param::int(name, min, max, default, &WORDS, about);
    let entry = Entry::new("scrabble", &WORDS, words, build).seats(1, 4);
    params()
        .into_iter()
        .fold(entry, Entry::param)
        .player(PlayerEntry::new(
            "greedy",
            &WORDS,
            "about-greedy",
            |_, _, _| Ok(Greedy),
        ))
        .player(thesis())
        .player(
            PlayerEntry::new(
                "leave",
                &WORDS,
                "about-leave",
                |game, args: &Args, shelf| {
                    Ok(Leave::new(
                        leaves(game, args, shelf)?,
                        args.int("ending") as u64,
                    ))
                },
            )
            .param(leaves_param())
            .param(int("ending", 0, 100_000_000, 0, "param-ending")),
        )
        .player(sim())
        .player(
            PlayerEntry::new(
                "level",
                &WORDS,
                "about-level",
                |game: &Scrabble, args: &Args, _| {
                    Ok(Level::new(
                        args.int("level") as u8,
                        house::leaves(game.engine().tiles()),
                        game.engine().tiles(),
                    ))
                },
            )
            .param(int("level", 1, 5, 3, "param-level")),
        )
        .opponents(&["level"])
}

fn thesis() -> PlayerEntry<Scrabble> {
    let int = |name, default, about| Param::int(name, -1, 100, default, &WORDS, about);
    PlayerEntry::new("thesis", &WORDS, "about-thesis", |_, args: &Args, _| {
        Ok(Thesis {
            longest: args.int("longest") as i32,
            exchange: args.int("exchange") as i32,
            safe: args.int("safe") as i32,
            bonus: args.int("bonus") as i32,
            ..Thesis::default()
        })
    })
    // Tuned by ourselves; the thesis's own best is 2, 6, 1, 6. `tournaments/scrabble-tuned.toml` compares them.
    .param(int("longest", 3, "param-thesis-longest"))
    .param(int("exchange", 9, "param-thesis-exchange"))
    .param(int("safe", 5, "param-thesis-safe"))
    .param(int("bonus", 1, "param-thesis-bonus"))
}

fn sim() -> PlayerEntry<Scrabble> {
    let usual = SimOptions::default();
    PlayerEntry::new(
        "sim",
        &WORDS,
        "about-sim",
        move |game, args: &Args, shelf| {
            let seconds = args.real_if("seconds").unwrap_or(0.0);
            let rollouts = match args.int_if("rollouts") {
                Some(n) => n as u64,
                None if seconds > 0.0 => 0,
                None => usual.rollouts,
            };
            let options = SimOptions {
                candidates: args.int("candidates") as usize,
                plies: args.int("plies") as u32,
                ending: args.int("ending") as u64,
                threads: args.int("threads") as usize,
                rollouts,
                seconds,
                ..usual
            };
            Ok(Sim::new(leaves(game, args, shelf)?, options))
        },
    )
    .param(Param::real("seconds", 0.01, 3_600.0, 1.0, &WORDS, "param-seconds").optional())
    .param(
        Param::int(
            "rollouts",
            1,
            1_000_000_000,
            1_200,
            &WORDS,
            "param-rollouts",
        )
        .optional(),
    )
    .param(Param::int(
        "candidates",
        2,
        200,
        usual.candidates as i64,
        &WORDS,
        "param-candidates",
    ))
    .param(Param::int(
        "plies",
        1,
        40,
        i64::from(usual.plies),
        &WORDS,
        "param-plies",
    ))
    .param(Param::int(
        "ending",
        0,
        100_000_000,
        usual.ending as i64,
        &WORDS,
        "param-ending",
    ))
    .param(Param::int("threads", 1, 256, 1, &WORDS, "param-threads"))
    .param(leaves_param())
}
