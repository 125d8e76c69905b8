//! What can be asked in this room at every door; the catalog adds the games that it knows.

mod chance;
mod compare;
mod curves;
mod minis;

use wits_desk::{Args, Param, Refusal, Room, Run, Shelf};
use wits_game::{Message, Seat};

use crate::chart::Chart;
use crate::machine::Machine;
use crate::player::start_beads;
use crate::subject::{Preset, Subject};
use crate::teaching::Punish;
use crate::{Scheme, TooLarge, WORDS};

pub use chance::chance;
pub use compare::compare;
pub use curves::curves;

/// Finds what a machine learns by the spec of a game.
pub type Find = fn(&str) -> Result<Subject, Refusal>;

/// The room; its verbs answer as the catalog says, with [`chance`], [`compare`] and [`curves`].
pub fn room(chance: Run, compare: Run, curves: Run) -> Room {
    Room {
        id: "matchbox",
        about: say("room"),
        verbs: vec![
            chance::verb(chance),
            compare::verb(compare),
            curves::verb(curves),
            minis::verb(),
        ],
    }
}

fn say(key: &'static str) -> Message {
    WORDS.say(key)
}

fn heads(keys: &[&'static str]) -> Vec<Message> {
    keys.iter().map(|key| say(key)).collect()
}

/// Which machine, and how it is taught.
fn kind_params() -> Vec<Param> {
    let machines = ["her", "him", "menace", "menace2"];
    let schemes = ["none", "gardner", "full"];
    let beads = |name, about| {
        let param = Param::int(name, -1_000_000, 1_000_000, 0, &WORDS, about);
        param.optional().with_hyphens().shown_as("N")
    };
    vec![
        Param::choice("machine", &machines, machines[0], &WORDS, "param-machine").shown_as("M"),
        Param::text("game", &WORDS, "param-game")
            .shown_as("GAMESPEC")
            .offering(&[
                "nim",
                "chomp",
                "tactix",
                "notakto",
                "mnk",
                "rainbow:n=5,k=3,c=3",
            ]),
        Param::int("side", 1, 2, 2, &WORDS, "param-side").shown_as("SEAT"),
        Param::choice("scheme", &schemes, schemes[2], &WORDS, "param-scheme")
            .optional()
            .shown_as("S"),
        Param::text("start", &WORDS, "param-start").shown_as("BEADS"),
        beads("win", "param-win"),
        beads("draw", "param-draw"),
        beads("loss", "param-loss"),
        Param::choice("punish", &["last", "all"], "last", &WORDS, "param-punish")
            .optional()
            .shown_as("WHICH"),
        Param::int("cap", 1, 1_000_000, 50, &WORDS, "param-cap")
            .optional()
            .shown_as("N"),
    ]
}

/// A machine that was never taught, as the parameters describe it.
fn fresh(args: &Args, find: Find) -> Result<Machine, Refusal> {
    let preset = match args.text_if("game") {
        Some(game) => {
            let seat = if args.int("side") == 1 {
                Seat::FIRST
            } else {
                Seat::SECOND
            };
            Preset::of(find(game)?, seat)
        }
        None => Preset::named(args.text("machine")).expect("one of the words of the parameter"),
    };
    let preset = match args.text_if("scheme").map(str::parse::<Scheme>) {
        Some(Ok(scheme)) => preset.with_scheme(scheme),
        _ => preset,
    };
    let mut teaching = preset.teaching.clone();
    if let Some(start) = args.text_if("start") {
        teaching.start = start_beads(start)?;
    }
    let number = |name: &str, usual: i32| args.int_if(name).map_or(usual, |n| n as i32);
    teaching.win = number("win", teaching.win);
    teaching.draw = number("draw", teaching.draw);
    teaching.loss = number("loss", teaching.loss);
    teaching.cap = args.int_if("cap").map(|n| n as u32).or(teaching.cap);
    match args.text_if("punish") {
        Some("last") => teaching.punish = Punish::Last,
        Some(_) => teaching.punish = Punish::All,
        None => {}
    }
    let machine = preset.with_teaching(teaching).machine();
    machine.map_err(|error| large(&error))
}

/// A machine from its file.
fn kept(name: &str, shelf: &Shelf, find: Find) -> Result<Machine, Refusal> {
    let text = shelf.text(name)?;
    Machine::read_by(&text, &|game| find(game).ok()).map_err(|bad| {
        let why = say("file-refused").with("name", name);
        let why = why.with("why", bad.to_string());
        Refusal::new(bad.code, why, say("file-refused-hint"))
    })
}

/// The whole game as numbers, with the machine's boxes.
fn chart(machine: &Machine) -> Result<Chart, Refusal> {
    let cabinet = machine.cabinet();
    let mine = |seat| (cabinet.seat() == seat).then_some(&**cabinet);
    let chart = cabinet
        .subject()
        .chart([mine(Seat::FIRST), mine(Seat::SECOND)]);
    chart.map_err(|error| large(&error))
}

fn large(error: &TooLarge) -> Refusal {
    let why = Message::plain(error.to_string());
    Refusal::new("too-large", why, say("too-large-hint"))
}
