//! Othello engines of others at our table, by their own protocols: GTP and `NBoard`.
//!
//! An engine is told the whole game before every move, so that nothing it forgets can matter.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use wits_game::{Eyes, Seat, Seed, Turn};
use wits_play::{Account, AnyDesk, AnyGame, AnyMatch, AnyPlayer, Budget, Choice, Fault, Told};

use crate::listen::{Answer, Listener, Patience, late, shown};
use crate::protocol::{Does, Reply};
use crate::{Launch, Process, WORDS, telling};

/// What an engine speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Tongue {
    Gtp,
    NBoard,
}

/// An engine under our clock. It stays while the games change, for some take seconds to start.
pub(crate) struct Engine {
    spec: String,
    game: Arc<dyn AnyGame>,
    tongue: Tongue,
    launch: Launch,
    silence: Duration,
    depth: Option<u32>,
    live: Option<Listener>,
    pings: u32,
    account: Account,
}

/// How a speaker of `NBoard` is asked for a move.
const THINK: &str = "go";
/// Before its first answer an engine may read its books; nothing of that is charged.
const START: Duration = Duration::from_secs(10);

/// How an engine writes a colour.
fn colour(seat: Seat) -> &'static str {
    ["b", "w"][seat.index() % 2]
}

impl Engine {
    pub(crate) fn new(
        spec: String,
        game: Arc<dyn AnyGame>,
        tongue: Tongue,
        launch: Launch,
        silence: Duration,
        depth: Option<u32>,
    ) -> Engine {
        Engine {
            spec,
            game,
            tongue,
            launch,
            silence,
            depth,
            live: None,
            pings: 0,
            account: Account::default(),
        }
    }

    fn start(&self, stop: &Budget) -> Result<Option<Listener>, Fault> {
        let process = Process::start(&self.launch).map_err(|error| {
            let why = WORDS.say("not-started").with("why", error.to_string());
            Fault::Crash(why.to_string())
        })?;
        let mut live = Listener::new(process);
        let patience = Patience {
            cpu: None,
            wall: START,
            memory: self.launch.memory,
        };
        let ready = match self.tongue {
            Tongue::Gtp => gtp(&live, "protocol_version", &patience, stop).map(|a| a.is_some()),
            Tongue::NBoard => {
                live.process.say("nboard 2");
                if let Some(depth) = self.depth {
                    live.process.say(&format!("set depth {depth}"));
                }
                live.process.say("ping 0");
                find(&live, "pong", &patience, stop).map(|line| line.is_some())
            }
        };
        match ready {
            Ok(true) => {
                live.charge(Duration::ZERO);
                Ok(Some(live))
            }
            Ok(false) => Ok(None),
            Err(fault) => Err(live.blame(fault)),
        }
    }

    /// The move as the engine writes it; nothing if somebody stopped the game.
    fn ask(
        &mut self,
        live: &Listener,
        table: &dyn AnyMatch,
        patience: &Patience,
        stop: &Budget,
    ) -> Result<Option<String>, Fault> {
        let seat = table.turn().seat().unwrap_or(Seat::FIRST);
        let answer = match self.tongue {
            Tongue::Gtp => {
                let made = self.since_the_start(table)?;
                let mut commands = vec!["clear_board".to_owned()];
                let play = |told: &Told| {
                    format!("play {} {}", colour(told.seat.unwrap_or(seat)), told.text)
                };
                commands.extend(made.iter().map(play));
                for command in &commands {
                    if gtp(live, command, patience, stop)?.is_none() {
                        return Ok(None);
                    }
                }
                if let Some(left) = patience.cpu {
                    let left = format!("time_left {} {} 0", colour(seat), left.as_secs().max(1));
                    // An engine without a clock refuses; it plays as fast as it does.
                    match gtp(live, &left, patience, stop) {
                        Ok(None) => return Ok(None),
                        Ok(Some(_)) | Err(Fault::Unreadable(_)) => {}
                        Err(fault) => return Err(fault),
                    }
                }
                gtp(live, &format!("genmove {}", colour(seat)), patience, stop)?
            }
            Tongue::NBoard => {
                self.pings += 1;
                let ping = self.pings;
                live.process.say(&format!("set game {}", ggf(table)));
                live.process.say(&format!("ping {ping}"));
                let pong = find(live, &format!("pong {ping}"), patience, stop)?;
                if pong.is_none() {
                    return Ok(None);
                }
                live.process.say(THINK);
                find(live, "===", patience, stop)?
            }
        };
        let Some(answer) = answer else {
            return Ok(None);
        };
        let word = answer.trim_start_matches('=').trim();
        let word = word.split(['/', ' ']).next().unwrap_or_default();
        Ok(Some(word.to_ascii_lowercase()))
    }

    /// The moves that lead from the usual start to the position.
    fn since_the_start(&self, table: &dyn AnyMatch) -> Result<Vec<Told>, Fault> {
        let made = table.told(Eyes::All);
        let mut copy = self.game.begin(Seed::new(0), None);
        for told in &made {
            let seat = told.seat.unwrap_or(Seat::FIRST);
            if copy.play(seat, &told.text, None).is_err() {
                break;
            }
        }
        if copy.notation() == table.notation() {
            return Ok(made);
        }
        Err(Fault::Crash(WORDS.say("engine-position").to_string()))
    }

    fn decide(
        &mut self,
        table: &dyn AnyMatch,
        desk: &AnyDesk<'_>,
    ) -> Result<Choice<String>, Fault> {
        let any = || {
            let any = table.options().into_iter().next();
            any.map_or(Choice::Resign, Choice::Move)
        };
        let Turn::Of(seat) = table.turn() else {
            return Ok(Choice::Resign);
        };
        let mut live = match self.live.take() {
            Some(live) => live,
            None => match self.start(desk.budget)? {
                Some(live) => live,
                None => return Ok(any()),
            },
        };
        let began = desk.budget.elapsed();
        let patience = Patience::of(desk.budget, self.silence, self.launch.memory);
        let answer = self.ask(&live, table, &patience, desk.budget);
        let used = live.charge(desk.budget.elapsed().saturating_sub(began));
        self.account.time = Some(used);
        let answer = match (answer, late(used, patience.cpu)) {
            (Ok(Some(_)), Some(fault)) | (Err(fault), _) => Err(fault),
            (answer, _) => answer,
        };
        match answer {
            Ok(None) => Ok(any()),
            Ok(Some(word)) if word == "resign" => {
                self.live = Some(live);
                Ok(Choice::Resign)
            }
            Ok(Some(word)) => match table.copy().play(seat, &word, None) {
                Ok(_) => {
                    self.live = Some(live);
                    Ok(Choice::Move(word))
                }
                Err(why) => {
                    let says = WORDS.say("illegal").with("line", shown(&word));
                    let says = says.with("turn", table.ply()).with("why", why.to_string());
                    let says = says.with("legal", table.options().join(", "));
                    Err(live.blame(Fault::Illegal(says.to_string())))
                }
            },
            Err(fault) => Err(live.blame(fault)),
        }
    }
}

/// One command of the Go Text Protocol and its answer; a refusal is unreadable.
fn gtp(
    live: &Listener,
    command: &str,
    patience: &Patience,
    stop: &Budget,
) -> Result<Option<String>, Fault> {
    live.process.say(command);
    let mut answer: Option<String> = None;
    loop {
        let line = match live.line(patience, stop)? {
            Answer::Line(line) => line,
            Answer::Stopped => return Ok(None),
        };
        match (&answer, line.trim()) {
            (None, text) if text.starts_with(['=', '?']) => answer = Some(text.to_owned()),
            // An empty line ends an answer.
            (Some(text), "") if text.starts_with('?') => {
                let says = WORDS.say("engine-refused").with("line", shown(text));
                return Err(Fault::Unreadable(says.with("command", command).to_string()));
            }
            (Some(_), "") => return Ok(answer),
            _ => {}
        }
    }
}

/// The next line that begins like this; others are for people.
fn find(
    live: &Listener,
    start: &str,
    patience: &Patience,
    stop: &Budget,
) -> Result<Option<String>, Fault> {
    loop {
        match live.line(patience, stop)? {
            Answer::Line(line) if line.starts_with(start) => return Ok(Some(line)),
            Answer::Line(_) => {}
            Answer::Stopped => return Ok(None),
        }
    }
}

/// The position as a game without moves, as `NBoard` reads it.
fn ggf(table: &dyn AnyMatch) -> String {
    let notation = table.notation().unwrap_or_default();
    let board: String = notation
        .chars()
        .map(|c| if c == 'X' { '*' } else { c })
        .collect();
    format!("(;GM[Othello]PC[wits]PB[black]PW[white]RE[?]TI[0]TY[8]BO[8 {board}];)")
}

impl AnyPlayer for Engine {
    fn spec(&self) -> &str {
        &self.spec
    }

    fn choose(&mut self, table: &dyn AnyMatch, mut desk: AnyDesk<'_>) -> Choice<String> {
        self.account = Account::default();
        let choice = match self.decide(table, &desk) {
            Ok(choice) => choice,
            Err(fault) => {
                self.account.fault = Some(fault);
                return Choice::Resign;
            }
        };
        if let (Some(recorder), Some(seat)) = (desk.record.as_deref_mut(), table.turn().seat()) {
            let does = match &choice {
                Choice::Move(mv) => Does::Move(mv.clone()),
                Choice::Resign => Does::Resign,
            };
            let reply = Reply {
                turn: None,
                does,
                say: None,
                lines: Vec::new(),
            };
            let decision = telling::Decision {
                name: self.launch.command[0].clone(),
                who: self.game.seat_name(seat),
                seat,
                table,
                reply: &reply,
            };
            decision.tell(recorder);
        }
        choice
    }

    fn account(&mut self) -> Account {
        std::mem::take(&mut self.account)
    }

    fn learns(&self) -> bool {
        false
    }

    fn learn(&mut self, _: &dyn AnyMatch, _: Seat) {}

    fn memory(&self) -> Option<Value> {
        None
    }

    fn lens(&self) -> &'static str {
        "candidates"
    }
}
