//! `wits bot try`: plays the contract against a program, and says what its author should mend.

use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use wits_game::{Message, Seat, Seed};
use wits_play::{
    Account, AnyDesk, AnyGame, AnyMatch, AnyPlayer, Budget, Choice, Event, Fault, Finished, Limits,
    Refusal, Runner, Shelf, Spec, TimeControl,
};

use crate::player::Program;
use crate::protocol::{Ask, Hello, NAME, Over, Reply, line};
use crate::{Heard, Launch, Process, WORDS};

/// What is tried.
pub struct Trial {
    /// The game.
    pub game: Arc<dyn AnyGame>,
    /// What the house's own machines take from the shelf.
    pub shelf: Shelf,
    /// The program.
    pub launch: Launch,
    /// How many games it plays in each seat.
    pub games: u32,
    /// Processor time it has for a move.
    pub move_time: Duration,
    /// Where all chance comes from.
    pub seed: Seed,
}

/// Something that its author should mend.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Finding {
    /// Which part of the contract it is about.
    pub code: &'static str,
    /// What was seen.
    pub what: String,
    /// What to do.
    pub hint: String,
}

/// What a trial came to.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Report {
    /// Whether nothing has to be mended.
    pub ok: bool,
    /// What it calls itself.
    pub name: Option<String>,
    /// What has to be mended.
    pub findings: Vec<Finding>,
    /// The parts of the contract that held.
    pub held: Vec<String>,
    /// How many games were played.
    pub games: u32,
    /// How many of them it won.
    pub won: u32,
    /// The most processor time that it took for a game, in milliseconds.
    pub most_ms: u64,
}

impl Trial {
    /// Plays the contract. `stop` ends it early, with what was found so far.
    ///
    /// # Errors
    /// When the house has no player that can sit opposite.
    pub fn run(&self, stop: &Budget) -> Result<Report, Refusal> {
        let mut report = Report::default();
        self.converse(&mut report);
        // A program that does not even answer is not asked for whole games.
        if report.findings.is_empty() {
            self.play(&mut report, stop)?;
        }
        report.ok = report.findings.is_empty() && !stop.stopped();
        Ok(report)
    }

    fn program(&self) -> Program {
        Program {
            spec: "program".to_owned(),
            game: Arc::clone(&self.game),
            launch: self.launch.clone(),
            silence: Duration::from_mins(1),
            live: None,
            games: 0,
            account: Account::default(),
            last: None,
        }
    }

    /// One turn by hand: it starts, ignores what it does not know, and ends with its input.
    fn converse(&self, report: &mut Report) {
        let mut table = self.game.begin(self.seed, None);
        table.settle();
        let Some(seat) = table.turn().seat() else {
            return;
        };
        let mut hello = with_more(&Hello::new(&*self.game, seat, 7, None));
        let mut ask = with_more(&Ask::new(&*self.game, &*table, seat, "try-1".to_owned()));
        let process = match Process::start(&self.launch) {
            Ok(process) => process,
            Err(error) => {
                let why = WORDS.say("not-started").with("why", error.to_string());
                return report.find("start", &why, "hint-start");
            }
        };
        let mut said = Vec::new();
        for (sent, wait) in [(&mut hello, 10), (&mut ask, 60)] {
            process.say(sent);
            match process.hear(Duration::from_secs(wait)) {
                Heard::Line(line) => said.push(line),
                Heard::Nothing if said.is_empty() => {
                    return report.find(
                        "start",
                        &WORDS.say("silent-start").with("example", NAME),
                        "hint-start",
                    );
                }
                Heard::Nothing => {
                    let why = WORDS.say("silent").with("ms", wait * 1000);
                    return report.find("silent", &why, "hint-silent");
                }
                Heard::End => {
                    let ended = process.end(Duration::from_secs(1));
                    let why = format!("{}\n{}", ended.crash(), ended.errors.trim());
                    let why = Message::plain(why.trim_end());
                    let (code, hint) = if ended.started() {
                        ("crashed", "hint-crashed")
                    } else {
                        ("start", "hint-not-started")
                    };
                    return report.find(code, &why, hint);
                }
                Heard::TooLong | Heard::NotText => {
                    return report.find(
                        "unreadable",
                        &WORDS.say("line-not-text"),
                        "hint-unreadable",
                    );
                }
            }
        }
        let read = crate::protocol::Card::read(&said[0]).map(|card| report.name = Some(card.name));
        let read = read.and_then(|()| Reply::read(&said[1]).map(|_| ()));
        if let Err(why) = read {
            let at = usize::from(report.name.is_some());
            let why = WORDS
                .say("unreadable")
                .with("line", &said[at])
                .with("why", why);
            return report.find("unreadable", &why, "hint-unreadable");
        }
        report.held.push(WORDS.say("try-ready").to_string());
        report.held.push(WORDS.say("try-unknown").to_string());
        process.say(&line(&Over::new(None)));
        let ended = process.end(Duration::from_secs(5));
        if ended.code == Some(0) {
            report.held.push(WORDS.say("try-end").to_string());
        } else {
            report.find("end", &ended.how(), "hint-end");
        }
    }

    /// Whole games in every seat, one of them twice, one that the others give up.
    fn play(&self, report: &mut Report, stop: &Budget) -> Result<(), Refusal> {
        let mut program = self.program();
        for round in 0..self.games {
            for seat in Seat::all(self.game.seats()) {
                if stop.stopped() || !report.findings.is_empty() {
                    return Ok(());
                }
                let seed = self.seed.nth(u64::from(round));
                let finished = self.game(&mut program, seat, seed, None, stop)?;
                report.games += 1;
                report.won += u32::from(finished.outcome.winner() == Some(seat));
                let spent = finished.thought[seat.index()].as_millis() as u64;
                report.most_ms = report.most_ms.max(spent);
                report.blame(finished.fault, seat);
            }
        }
        report.held.push(WORDS.say("try-plays").to_string());
        report.held.push(WORDS.say("try-time").to_string());
        let first = Seat::FIRST;
        let seed = self.seed.nth(u64::from(self.games));
        let once = self.game(&mut program, first, seed, None, stop)?;
        let again = self.game(&mut program, first, seed, None, stop)?;
        report.games += 2;
        let declared = program.last.as_ref().is_some_and(|card| card.deterministic);
        if declared && moves(&once) != moves(&again) {
            let why = WORDS
                .say("not-deterministic")
                .with("seed", seed.to_string());
            report.find("deterministic", &why, "hint-deterministic");
        } else if declared {
            report.held.push(WORDS.say("try-deterministic").to_string());
        }
        if self.game.seats() > 1 {
            let finished = self.game(&mut program, first, seed, Some(1), stop)?;
            report.games += 1;
            let before = report.findings.len();
            report.blame(finished.fault, first);
            if report.findings.len() == before {
                report.held.push(WORDS.say("try-resign").to_string());
            }
        }
        Ok(())
    }

    /// One game of the program in a seat against players that move at random, and perhaps give up.
    fn game(
        &self,
        program: &mut Program,
        seat: Seat,
        seed: Seed,
        gives_up: Option<u32>,
        stop: &Budget,
    ) -> Result<Finished, Refusal> {
        let mut others: Vec<Box<dyn AnyPlayer>> = Vec::new();
        for other in Seat::all(self.game.seats()).filter(|other| *other != seat) {
            let player = self
                .game
                .player(&Spec::named("random"), other, &self.shelf)?;
            others.push(match gives_up {
                None => player,
                Some(after) => Box::new(Quitter { player, after }),
            });
        }
        let mut others = others.iter_mut();
        let mut program = Some(program as &mut dyn AnyPlayer);
        let mut players: Vec<&mut dyn AnyPlayer> = Seat::all(self.game.seats())
            .filter_map(|at| {
                if at == seat {
                    program.take()
                } else {
                    others
                        .next()
                        .map(|player| &mut **player as &mut dyn AnyPlayer)
                }
            })
            .collect();
        let runner = Runner {
            clock: TimeControl::PerMove {
                ms: self.move_time.as_millis() as u64,
            },
            limits: Limits::NONE,
            stop: stop.flag(),
            ..Runner::default()
        };
        Ok(runner.run(&*self.game, &mut players, seed, &self.shelf))
    }
}

/// The moves and deals of a game, without the times.
fn moves(finished: &Finished) -> Vec<&str> {
    fn text(event: &Event) -> Option<&str> {
        match event {
            Event::Move { text, .. } | Event::Deal { text, .. } => Some(text),
            _ => None,
        }
    }
    finished.record.events.iter().filter_map(text).collect()
}

/// A line with keys that nobody knows yet.
fn with_more(what: &impl Serialize) -> String {
    let mut value = serde_json::to_value(what).unwrap_or_default();
    value["not-known-yet"] = serde_json::json!({"a": [1, 2, 3]});
    value.to_string()
}

impl Report {
    fn find(&mut self, code: &'static str, what: &Message, hint: &'static str) {
        self.findings.push(Finding {
            code,
            what: what.to_string(),
            hint: WORDS.say(hint).to_string(),
        });
    }

    fn blame(&mut self, fault: Option<(Seat, Fault)>, seat: Seat) {
        let Some((_, fault)) = fault.filter(|(whose, _)| *whose == seat) else {
            return;
        };
        let hint = match fault {
            Fault::Illegal(_) => "hint-illegal",
            Fault::Late(_) => "hint-late",
            Fault::Silent(_) => "hint-silent",
            Fault::Crash(_) | Fault::Disconnected(_) => "hint-crashed",
            Fault::Unreadable(_) => "hint-unreadable",
        };
        self.find(fault.name(), &Message::plain(fault.why()), hint);
    }
}

/// Plays a few moves and gives up.
struct Quitter {
    player: Box<dyn AnyPlayer>,
    after: u32,
}

impl AnyPlayer for Quitter {
    fn spec(&self) -> &str {
        self.player.spec()
    }

    fn choose(&mut self, table: &dyn AnyMatch, desk: AnyDesk<'_>) -> Choice<String> {
        if self.after == 0 {
            return Choice::Resign;
        }
        self.after -= 1;
        self.player.choose(table, desk)
    }

    fn learns(&self) -> bool {
        false
    }

    fn learn(&mut self, _: &dyn AnyMatch, _: Seat) {}

    fn memory(&self) -> Option<serde_json::Value> {
        None
    }

    fn lens(&self) -> &'static str {
        "candidates"
    }
}
