//! `program:run="…"`: a program as a player of any game.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use wits_game::{Eyes, Message, Seat, Turn};
use wits_play::{
    Account, AnyDesk, AnyGame, AnyMatch, AnyPlayer, Budget, Choice, Fault, Line, Thought, Worth,
};

use crate::listen::{Answer, Listener, Patience, late, shown};
use crate::protocol::{Ask, Card, Does, Hello, NAME, Over, Reply, Undone, Wrong, WrongWhat, line};
use crate::{Launch, Process, WORDS, telling};

/// A program may take so long to say its name after it was started; nothing of it is charged.
const START: Duration = Duration::from_secs(10);
/// After a game a program may take so long to end by itself.
const FAREWELL: Duration = Duration::from_secs(1);
/// Legal moves that are named when a program plays another.
const NAMED: usize = 40;

/// The first turn of a game as a program is told it: the same lines that a player sends.
pub fn first_turn(game: &dyn AnyGame, table: &dyn AnyMatch, seat: Seat) -> [String; 2] {
    let hello = Hello::new(game, seat, own_seed(table, seat), None);
    let ask = Ask::new(game, table, seat, name_of_turn(1, table.ply()));
    [line(&hello), line(&ask)]
}

/// A seed of the program's own, the same whenever it is told during a game: the dice of its seat cannot be turned back
/// into the game's seed.
pub fn own_seed(table: &dyn AnyMatch, seat: Seat) -> u64 {
    table.first_dice(seat).next() >> 11
}

fn name_of_turn(game: u32, ply: u32) -> String {
    format!("g{game}-{ply}")
}

/// A program that plays: started for a game, ended with it.
pub(crate) struct Program {
    pub(crate) spec: String,
    pub(crate) game: Arc<dyn AnyGame>,
    pub(crate) launch: Launch,
    /// How long it may be silent where there is no clock.
    pub(crate) silence: Duration,
    pub(crate) live: Option<Live>,
    pub(crate) games: u32,
    pub(crate) account: Account,
    /// What it said of itself last.
    pub(crate) last: Option<Card>,
}

/// A program in a game.
pub(crate) struct Live {
    listener: Listener,
    seat: Seat,
    /// The moves it was told last.
    history: Vec<String>,
    /// Turns that it was asked, so that a late answer to an earlier one is known as such.
    turns: Vec<String>,
    spent: Duration,
}

/// What came of one turn.
struct Decided {
    choice: Choice<String>,
    reply: Option<Reply>,
}

impl Program {
    /// The program in this game, started where it is not running yet.
    fn live(
        &mut self,
        table: &dyn AnyMatch,
        seat: Seat,
        stop: &Budget,
    ) -> Result<Option<Live>, Fault> {
        let history: Vec<String> = moves(table, seat);
        if let Some(mut live) = self.live.take() {
            let shorter = history.len() < live.history.len();
            if live.seat == seat && history.starts_with(&live.history) {
                live.history = history;
                return Ok(Some(live));
            }
            if live.seat == seat && shorter && live.history.starts_with(&history) {
                let undo = history.len() as u32;
                live.listener.process.say(&line(&Undone { undo }));
                live.history = history;
                return Ok(Some(live));
            }
            // Another game began, and nobody said that the last one was over.
            live.listener.process.end(FAREWELL);
        }
        self.start(seat, history, own_seed(table, seat), stop)
    }

    fn start(
        &mut self,
        seat: Seat,
        history: Vec<String>,
        seed: u64,
        stop: &Budget,
    ) -> Result<Option<Live>, Fault> {
        let process = Process::start(&self.launch).map_err(|error| {
            let why = WORDS.say("not-started").with("why", error.to_string());
            Fault::Crash(why.to_string())
        })?;
        self.games += 1;
        let mut listener = Listener::new(process);
        let memory = Some(self.launch.memory >> 20);
        let hello = Hello::new(&*self.game, seat, seed, memory);
        listener.process.say(&line(&hello));
        let patience = Patience {
            cpu: None,
            wall: START,
            memory: self.launch.memory,
        };
        let card = match listener.line(&patience, stop) {
            Ok(Answer::Stopped) => return Ok(None),
            Ok(Answer::Line(text)) => Card::read(&text).map_err(|why| unreadable(&text, &why)),
            Err(Fault::Silent(_)) => Err(Fault::Silent(
                WORDS.say("silent-start").with("example", NAME).to_string(),
            )),
            Err(fault) => Err(fault),
        };
        match card {
            Ok(card) => {
                listener.charge(Duration::ZERO);
                self.last = Some(card);
                Ok(Some(Live {
                    listener,
                    seat,
                    history,
                    turns: Vec::new(),
                    spent: Duration::ZERO,
                }))
            }
            Err(fault) => Err(listener.blame(fault)),
        }
    }

    fn decide(&mut self, table: &dyn AnyMatch, desk: &mut AnyDesk<'_>) -> Result<Decided, Fault> {
        let Turn::Of(seat) = table.turn() else {
            return Ok(Decided {
                choice: Choice::Resign,
                reply: None,
            });
        };
        let Some(mut live) = self.live(table, seat, desk.budget)? else {
            return Ok(stopped(table));
        };
        let began = desk.budget.elapsed();
        let patience = Patience::of(desk.budget, self.silence, self.launch.memory);
        let asked = live.ask(&*self.game, self.games, table, &patience, desk.budget);
        let used = live
            .listener
            .charge(desk.budget.elapsed().saturating_sub(began));
        live.spent += used;
        self.account.time = Some(used);
        let asked = match (asked, late(used, patience.cpu)) {
            (Ok(_), Some(fault)) | (Err(fault), _) => Err(fault),
            (asked, None) => asked,
        };
        match asked {
            Ok(Some(reply)) => {
                let choice = match &reply.does {
                    Does::Move(text) => Choice::Move(text.clone()),
                    Does::Resign | Does::Undo => Choice::Resign,
                };
                live.history = moves(table, seat);
                self.live = Some(live);
                Ok(Decided {
                    choice,
                    reply: Some(reply),
                })
            }
            Ok(None) => Ok(stopped(table)),
            Err(fault) => Err(live.listener.blame(fault)),
        }
    }

    /// The name the program gave itself, or that of its command.
    fn name(&self) -> String {
        match &self.last {
            Some(card) => card.name.clone(),
            None => self.launch.command[0].clone(),
        }
    }
}

/// Somebody stopped the game: any legal move will do, for it will not count.
fn stopped(table: &dyn AnyMatch) -> Decided {
    let any = table.options().into_iter().next();
    Decided {
        choice: any.map_or(Choice::Resign, Choice::Move),
        reply: None,
    }
}

fn moves(table: &dyn AnyMatch, seat: Seat) -> Vec<String> {
    table
        .told(Eyes::Seat(seat))
        .into_iter()
        .map(|told| told.text)
        .collect()
}

/// A line that nobody understands, as a fault with a sentence for its author.
pub fn unreadable(text: &str, why: &Message) -> Fault {
    let why = WORDS
        .say("unreadable")
        .with("line", shown(text))
        .with("why", why.clone());
    Fault::Unreadable(why.to_string())
}

impl Live {
    /// Asks for a move, until there is one that the rules allow; nothing if somebody stopped the game.
    fn ask(
        &mut self,
        game: &dyn AnyGame,
        number: u32,
        table: &dyn AnyMatch,
        patience: &Patience,
        stop: &Budget,
    ) -> Result<Option<Reply>, Fault> {
        let mut id = name_of_turn(number, table.ply());
        while self.turns.contains(&id) {
            // After an undo the same turn comes again, and is another one.
            id.push('+');
        }
        let mut ask = Ask::new(game, table, self.seat, id.clone());
        ask.clock_ms = patience.cpu.map(|left| left.as_millis() as u64);
        ask.spent_ms = self.spent.as_millis() as u64;
        self.listener.process.say(&line(&ask));
        self.turns.push(id.clone());
        loop {
            let text = match self.listener.line(patience, stop)? {
                Answer::Line(text) => text,
                Answer::Stopped => return Ok(None),
            };
            let reply = Reply::read(&text).map_err(|why| unreadable(&text, &why))?;
            if let Some(turn) = reply.turn.as_deref().filter(|turn| *turn != id) {
                if self.turns.iter().any(|known| known == turn) {
                    continue;
                }
                let why = WORDS
                    .say("unknown-turn")
                    .with("turn", turn)
                    .with("wanted", &id);
                return Err(unreadable(&text, &why));
            }
            match &reply.does {
                Does::Resign => return Ok(Some(reply)),
                Does::Undo => {
                    let message = WORDS.say("no-undo").to_string();
                    let error = WrongWhat {
                        code: "undo",
                        message,
                    };
                    self.listener.process.say(&line(&Wrong { error }));
                }
                Does::Move(mv) => {
                    return match table.copy().play(self.seat, mv, None) {
                        Ok(_) => Ok(Some(reply)),
                        Err(why) => Err(illegal(&text, &ask, &why.to_string())),
                    };
                }
            }
        }
    }
}

/// What a program played that the rules refuse, with what it could have played.
pub fn illegal(text: &str, ask: &Ask, why: &str) -> Fault {
    let mut legal: Vec<&str> = ask.legal.iter().take(NAMED).map(String::as_str).collect();
    if ask.legal.len() > NAMED {
        legal.push("…");
    }
    let why = WORDS
        .say("illegal")
        .with("line", shown(text))
        .with("turn", &ask.id)
        .with("why", why)
        .with("legal", legal.join(", "));
    Fault::Illegal(why.to_string())
}

impl AnyPlayer for Program {
    fn spec(&self) -> &str {
        &self.spec
    }

    fn choose(&mut self, table: &dyn AnyMatch, mut desk: AnyDesk<'_>) -> Choice<String> {
        self.account = Account::default();
        let decided = match self.decide(table, &mut desk) {
            Ok(decided) => decided,
            Err(fault) => {
                self.account.fault = Some(fault);
                return Choice::Resign;
            }
        };
        let Some(reply) = decided.reply else {
            return decided.choice;
        };
        let thought = thought(&reply, &decided.choice);
        let millis = desk.budget.elapsed().as_millis() as u64;
        (desk.tell)(&Thought { millis, ..thought });
        if let (Some(recorder), Some(seat)) = (desk.record.as_deref_mut(), table.turn().seat()) {
            let decision = telling::Decision {
                name: self.name(),
                who: self.game.seat_name(seat),
                seat,
                table,
                reply: &reply,
            };
            decision.tell(recorder);
        }
        decided.choice
    }

    fn account(&mut self) -> Account {
        std::mem::take(&mut self.account)
    }

    fn learns(&self) -> bool {
        false
    }

    fn learn(&mut self, table: &dyn AnyMatch, _: Seat) {
        let Some(live) = self.live.take() else {
            return;
        };
        let outcome = match table.turn() {
            Turn::Over(outcome) if !table.aborted() => Some(outcome),
            _ => None,
        };
        live.listener
            .process
            .say(&line(&Over::new(outcome.as_ref())));
        live.listener.process.end(FAREWELL);
    }

    fn memory(&self) -> Option<Value> {
        None
    }

    fn lens(&self) -> &'static str {
        "candidates"
    }
}

/// What the program said, as every machine says it.
pub(crate) fn thought(reply: &Reply, choice: &Choice<String>) -> Thought<String> {
    let lines: Vec<Line<String>> = reply
        .lines
        .iter()
        .filter_map(|line| {
            Some(Line {
                moves: line.moves.clone(),
                worth: Worth::heuristic(line.value?),
            })
        })
        .collect();
    let only = |mv: &String| Line {
        moves: vec![mv.clone()],
        worth: Worth::heuristic(0.0),
    };
    let chosen = match choice {
        Choice::Move(mv) if lines.is_empty() => vec![only(mv)],
        _ => lines,
    };
    Thought {
        lines: chosen,
        nodes: 1,
        why: reply.say.clone().map(Message::plain),
        ..Thought::default()
    }
}
