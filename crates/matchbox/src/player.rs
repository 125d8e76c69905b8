//! The machine as a player: it draws its moves, and is taught after the game when asked.

use std::sync::Arc;

use serde_json::Value;
use wits_game::{Eyes, Outcome, Seat, Turn};
use wits_play::{
    Args, Choice, Desk, Line, Param, ParamKind, Player, PlayerEntry, Refusal, Seen, Shelf, Thought,
    Worth,
};
use wits_search::Step;

use crate::WORDS;
use crate::boxed::{Boxed, Scheme};
use crate::machine::{Drawn, Machine};
use crate::subject::{Preset, Subject};
use crate::survey::TooLarge;
use crate::teaching::{Punish, Verdict};
use crate::telling::{Draw, Telling};

/// A machine that sits down to play.
#[derive(Clone, Debug)]
pub struct Matchbox {
    /// The machine itself first; after it one for the other seat, where there is one.
    machines: Vec<Machine>,
    /// Whether both seats are equally its own: then it keeps the one that has learned more.
    pair: bool,
    learn: bool,
    lesson: Vec<Step>,
    /// The beads drawn in the present game.
    way: Vec<(Seat, Drawn)>,
}

impl Matchbox {
    /// Seats a machine. With `learn` it is taught after every game. In the other seat it resigns.
    pub fn new(machine: Machine, learn: bool) -> Matchbox {
        Matchbox {
            machines: vec![machine],
            pair: false,
            learn,
            lesson: Vec::new(),
            way: Vec::new(),
        }
    }

    /// Seats a machine with fresh boxes of the same kind for the other seat, so that it can also
    /// play series in which seats alternate. What is learned there is not kept.
    pub fn with_companion(machine: Machine, learn: bool) -> Result<Matchbox, TooLarge> {
        let cabinet = machine.cabinet();
        let subject = cabinet.subject().clone();
        let preset = Preset::of(subject, cabinet.seat().other())
            .with_scheme(cabinet.scheme())
            .with_teaching(machine.teaching().clone());
        let companion = preset.machine()?;
        Ok(Matchbox {
            machines: vec![machine, companion],
            pair: false,
            learn,
            lesson: Vec::new(),
            way: Vec::new(),
        })
    }

    /// The machine for a seat, if it is one of these.
    pub fn machine(&self, seat: Seat) -> Option<&Machine> {
        self.machines.iter().find(|m| m.cabinet().seat() == seat)
    }

    /// What the last teaching did, step by step.
    pub fn lesson(&self) -> &[Step] {
        &self.lesson
    }

    /// Finds the box and draws.
    fn drawn<G: Boxed>(
        &self,
        game: &G,
        state: &G::State,
        desk: &mut Desk<'_, G::Move>,
    ) -> Draw<G::Move> {
        let Turn::Of(seat) = game.turn(state) else {
            return None;
        };
        let machine = self.machine(seat)?;
        let Some((at, how)) = machine.cabinet().find(game, state) else {
            // Only a position with a single move has no box.
            let options = game.options(&game.view(state, Eyes::All));
            return if G::FORCED {
                None
            } else {
                options.first().map(|mv| (None, *mv))
            };
        };
        let drawn = machine.draw(at, &mut desk.dice)?;
        let mv = machine.cabinet().meant(game, at, drawn.bead, how)?;
        Some((Some(drawn), mv))
    }

    /// Keeps a bead that lies before its box. A box that comes up no later than the last one belongs to another game.
    fn remember(&mut self, seat: Seat, drawn: Drawn) {
        let number = |m: &Machine, at: usize| m.cabinet().labels()[at].number;
        let goes_on = match (self.machine(seat), self.way.last()) {
            (Some(machine), Some(&(whose, last))) => {
                whose == seat && number(machine, last.at) < number(machine, drawn.at)
            }
            _ => false,
        };
        if !goes_on {
            self.way.clear();
        }
        self.way.push((seat, drawn));
    }
}

impl<G: Boxed> Player<G> for Matchbox {
    fn choose(
        &mut self,
        game: &G,
        view: &G::View,
        desk: &mut Desk<'_, G::Move>,
    ) -> Choice<G::Move> {
        let state = game.board(view);
        let choice = self.drawn(game, &state, desk);
        let seat = game.turn(&state).seat();
        let telling = Telling {
            game,
            state: &state,
            machine: seat.and_then(|seat| self.machine(seat)),
            way: &self.way,
            learns: self.learn,
        };
        if let Some(recorder) = desk.record.as_deref_mut() {
            telling.tell(choice, recorder);
        }
        let why = Some(telling.why(choice));
        if let (Some(seat), Some((Some(drawn), _))) = (seat, choice) {
            self.remember(seat, drawn);
        }
        let lines = choice.map(|(_, mv)| Line {
            moves: vec![mv],
            worth: Worth::heuristic(0.0),
        });
        let lines = lines.into_iter().collect();
        desk.say(Thought {
            lines,
            nodes: 1,
            why,
            ..Thought::default()
        });
        choice.map_or(Choice::Resign, |(_, mv)| Choice::Move(mv))
    }

    fn learns(&self) -> bool {
        self.learn
    }

    fn learn(&mut self, game: &G, mine: &[Seen<G::View, G::Move>], outcome: &Outcome, seat: Seat) {
        self.lesson.clear();
        self.way.clear();
        let Some(machine) = self
            .machines
            .iter_mut()
            .find(|m| m.cabinet().seat() == seat)
        else {
            return;
        };
        let cabinet = Arc::clone(machine.cabinet());
        let find = |seen: &Seen<G::View, G::Move>| {
            let (at, how) = cabinet.find(game, &game.board(&seen.view))?;
            Some(Drawn {
                at,
                bead: cabinet.bead(game, at, how, seen.choice)?,
            })
        };
        let drawn: Vec<Drawn> = mine.iter().filter_map(find).collect();
        machine.teach(&drawn, Verdict::of(outcome, seat), &mut self.lesson);
    }

    /// Nothing unless it learns: then its file stays as it is.
    fn memory(&self) -> Option<Value> {
        if !self.learn {
            return None;
        }
        let games = |m: &Machine| m.taught().wins + m.taught().draws + m.taught().losses;
        let (main, other) = (self.machines.first()?, self.machines.get(1));
        let kept = match other {
            Some(other) if self.pair && games(other) > games(main) => other,
            _ => main,
        };
        Some(kept.to_json())
    }

    fn lens(&self) -> &'static str {
        "beads"
    }
}

/// `matchbox:file=F,learn=true|false` for any game that boxes learn.
pub(crate) fn entry<G: Boxed>() -> PlayerEntry<G> {
    let player = PlayerEntry::new(
        "matchbox",
        &WORDS,
        "about-matchbox",
        |game: &G, args, shelf| seat(game, args, shelf),
    );
    params().into_iter().fold(player, PlayerEntry::param)
}

/// What can be said of a machine that sits down.
pub(crate) fn params() -> Vec<Param> {
    let shared =
        |name, kind, about| Param::new(name, kind, &String::new(), &WORDS, about).optional();
    let words = |all: &[&str]| ParamKind::Choice(all.iter().map(ToString::to_string).collect());
    let change = || ParamKind::Int {
        min: -1000,
        max: 1000,
    };
    let cap = ParamKind::Int {
        min: 1,
        max: 1_000_000,
    };
    vec![
        shared("file", ParamKind::File, "param-file"),
        Param::flag("learn", false, &WORDS, "param-learn"),
        shared(
            "scheme",
            words(&["none", "gardner", "full"]),
            "param-scheme",
        ),
        shared("start", ParamKind::Text, "param-start"),
        shared("win", change(), "param-win"),
        shared("draw", change(), "param-draw"),
        shared("loss", change(), "param-loss"),
        shared("punish", words(&["last", "all"]), "param-punish"),
        shared("cap", cap, "param-cap"),
    ]
}

/// Parameters that a machine from a file brings along itself.
const IN_FILE: [&str; 7] = ["scheme", "start", "win", "draw", "loss", "punish", "cap"];

/// A machine for a game as the parameters of `matchbox` say.
pub(crate) fn seat<G: Boxed>(game: &G, args: &Args, shelf: &Shelf) -> Result<Matchbox, Refusal> {
    let (name, learn) = (args.text("file"), args.flag("learn"));
    if name.is_empty() {
        return fresh(game, args, learn);
    }
    let missing = || {
        let why = WORDS.say("no-file").with("file", name);
        Refusal::new("no-file", why, WORDS.say("no-file-hint"))
    };
    // A learner may begin with a file that is not there yet.
    let item = match shelf.get(name) {
        Some(item) => item,
        None if learn => return fresh(game, args, learn),
        None => return Err(missing()),
    };
    if let Some(given) = IN_FILE.into_iter().find(|key| !args.text(key).is_empty()) {
        let why = WORDS.say("in-file").with("param", given).with("file", name);
        return Err(Refusal::new("in-file", why, WORDS.say("in-file-hint")));
    }
    let text = std::str::from_utf8(&item.bytes).map_err(|_| {
        let why = WORDS
            .say("bad-file")
            .with("file", name)
            .with("what", WORDS.say("not-text"));
        Refusal::new("not-a-machine", why, WORDS.say("bad-file-hint"))
    })?;
    let machine = Machine::read_of(text, &game.subject()).map_err(|bad| {
        let why = WORDS
            .say("bad-file")
            .with("file", name)
            .with("what", bad.to_string());
        Refusal::new(bad.code, why, WORDS.say("bad-file-hint"))
    })?;
    Matchbox::with_companion(machine, learn).map_err(|large| too_large(&large))
}

fn too_large(large: &TooLarge) -> Refusal {
    let why = WORDS.say("file-large").with("what", large.to_string());
    Refusal::new("too-large", why, WORDS.say("too-large-hint"))
}

fn fresh<G: Boxed>(game: &G, args: &Args, learn: bool) -> Result<Matchbox, Refusal> {
    let subject = game.subject();
    // The usual one first: HER for Hexapawn, MENACE as first player. A tie keeps it.
    let usual = match subject {
        Subject::Hexapawn(_) => Seat::SECOND,
        Subject::TicTacToe(_) | Subject::Mini(_) | Subject::Graph(_) => Seat::FIRST,
    };
    let mut machines = Vec::new();
    for seat in [usual, usual.other()] {
        let mut preset = Preset::of(subject.clone(), seat);
        if let Ok(scheme) = args.text("scheme").parse::<Scheme>() {
            preset = preset.with_scheme(scheme);
        }
        let teaching = &mut preset.teaching;
        if !args.text("start").is_empty() {
            teaching.start = start_beads(args.text("start"))?;
        }
        let change = |key: &str, old: i32| args.int_if(key).map_or(old, |n| n as i32);
        teaching.win = change("win", teaching.win);
        teaching.draw = change("draw", teaching.draw);
        teaching.loss = change("loss", teaching.loss);
        teaching.cap = args.int_if("cap").map(|n| n as u32).or(teaching.cap);
        match args.text("punish") {
            "last" => teaching.punish = Punish::Last,
            "all" => teaching.punish = Punish::All,
            _ => {}
        }
        machines.push(preset.machine().map_err(|large| too_large(&large))?);
    }
    Ok(Matchbox {
        machines,
        pair: true,
        learn,
        lesson: Vec::new(),
        way: Vec::new(),
    })
}

/// Reads `4/3/2/1`.
pub fn start_beads(text: &str) -> Result<Vec<u32>, Refusal> {
    let beads: Option<Vec<u32>> = text
        .split('/')
        .map(|part| {
            part.trim()
                .parse::<u32>()
                .ok()
                .filter(|n| (1..=1_000_000).contains(n))
        })
        .collect();
    beads.ok_or_else(|| {
        let why = WORDS
            .say("bad-start")
            .with("text", crate::words::shown(text));
        Refusal::new("bad-start", why, WORDS.say("bad-start-hint"))
    })
}
