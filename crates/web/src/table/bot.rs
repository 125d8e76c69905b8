//! Seats of bots: what a program elsewhere is told at this table, what it answers, and what it did wrong.

use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use serde_json::{Value, json};
use wits_bots::protocol::{Ask, Does, Hello, Over, Reply, Undone};
use wits_game::{Eyes, Seat, Turn};
use wits_play::{AnyPlayer, Choice, Event, Fault as Slip, FaultName, Spec};
use wits_store::Id;

use super::{Inside, Table};
use crate::pages::machines;
use crate::{App, Fault, WORDS};

/// A practice game is lost by this slip; those before it are forgiven.
const LIVES: u32 = 3;

/// Who does not listen for so long of its own turn is gone; clients come back sooner where they can.
const GONE: Duration = Duration::from_secs(1);

/// The name of bots in specs.
pub(crate) const BOT: &str = "bot";

/// The bot that a spec names, by its address.
pub(crate) fn bot_of(spec: &Spec) -> Option<String> {
    let id = spec.value("id").filter(|_| spec.name == BOT)?;
    Some(id.to_string())
}

/// What a bot is told of one table, as far as one stream has told it.
#[derive(Default)]
pub(crate) struct Told {
    /// The seats that were greeted.
    greeted: Vec<Seat>,
    /// The turn that was asked last.
    asked: Option<String>,
    /// How many moves and deals there were then.
    plies: u32,
    /// Whether it was told that the game is over.
    over: bool,
}

/// What became of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Taken {
    /// It was played.
    Played,
    /// It had been played already.
    Before,
}

/// A slip of a bot, as it is kept for its author.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct Kept {
    /// The word for it.
    pub(crate) fault: String,
    /// A sentence for the author.
    pub(crate) why: String,
}

impl Kept {
    fn slip(self) -> Slip {
        let why = self.why;
        match self.fault.as_str() {
            "illegal" => Slip::Illegal(why),
            "late" => Slip::Late(why),
            "silent" => Slip::Silent(why),
            "disconnected" => Slip::Disconnected(why),
            "unreadable" => Slip::Unreadable(why),
            _ => Slip::Crash(why),
        }
    }
}

/// A turn's name: the table, and how much had happened there.
fn turn_name(id: Id, events: usize) -> String {
    format!("{id}-{events}")
}

/// The table and the number of events that a turn's name stands for.
pub(crate) fn turn_of(name: &str) -> Option<(Id, usize)> {
    let (id, events) = name.split_once('-')?;
    Some((id.parse().ok()?, events.parse().ok()?))
}

fn millis(time: Duration) -> u64 {
    time.as_millis() as u64
}

impl Table {
    /// The bot that has a seat, by its address.
    pub(crate) fn bot(&self, seat: Seat) -> Option<&str> {
        self.bots.get(seat.index())?.as_deref()
    }

    /// The seats of a bot.
    fn seats_of(&self, bot: &str) -> Vec<Seat> {
        let all = Seat::all(self.game.seats());
        all.filter(|&seat| self.bot(seat) == Some(bot)).collect()
    }

    /// Everything that a bot was not told yet, as lines without their ends.
    pub(crate) fn tell_bot(&self, bot: &str, told: &mut Told) -> Vec<String> {
        let mut lines = Vec::new();
        let inside = self.lock();
        let turn = inside.table.turn();
        if told.over {
            if matches!(turn, Turn::Over(_)) {
                return lines;
            }
            // The end was taken back; the program has forgotten this game.
            *told = Told::default();
        }
        for seat in self.seats_of(bot) {
            if !told.greeted.contains(&seat) {
                lines.push(self.hello(&inside, seat));
                told.greeted.push(seat);
            }
            let name = turn_name(self.id, inside.table.events().len());
            if turn == Turn::Of(seat) && told.asked.as_ref() != Some(&name) {
                let plies = inside.table.ply();
                if told.asked.is_some() && plies <= told.plies {
                    lines.push(self.line(&Undone { undo: plies }));
                }
                lines.push(self.ask_bot(&inside, seat, name.clone()));
                told.asked = Some(name);
                told.plies = plies;
            }
        }
        if let Turn::Over(outcome) = &turn {
            let outcome = (!inside.table.aborted()).then_some(outcome);
            lines.push(self.line(&Over::new(outcome)));
            told.over = true;
        }
        lines
    }

    /// A line of the protocol that names this table, since a stream has many.
    fn line(&self, what: &impl serde::Serialize) -> String {
        let mut value = serde_json::to_value(what).unwrap_or_default();
        value["table"] = json!(self.id.to_string());
        value.to_string()
    }

    fn hello(&self, inside: &Inside, seat: Seat) -> String {
        let seed = wits_bots::own_seed(inside.table.as_ref(), seat);
        let hello = Hello::new(&*self.game, seat, seed, None);
        let mut value = serde_json::to_value(&hello).unwrap_or_default();
        let players: Vec<String> = self
            .header
            .players
            .iter()
            .map(|player| machines::called(player))
            .collect();
        value["table"] = json!(self.id.to_string());
        value["page"] = json!(format!("/games/{}", self.id));
        value["rated"] = json!(self.rated.is_some());
        value["players"] = json!(players);
        value.to_string()
    }

    fn ask_bot(&self, inside: &Inside, seat: Seat, name: String) -> String {
        let mut ask = Ask::new(&*self.game, inside.table.as_ref(), seat, name);
        ask.clock_ms = inside.left(seat).map(millis);
        if let wits_play::TimeControl::PerGame { increment_ms, .. } = self.header.clock {
            ask.increment_ms = Some(increment_ms);
        }
        let told = inside.table.told(Eyes::Seat(seat));
        let own = told.iter().filter(|t| t.seat == Some(seat));
        ask.spent_ms = own.filter_map(|t| t.ms).sum();
        self.line(&ask)
    }

    /// A bot answers. What the rules refuse costs a life in a practice game, and the game in a rated one.
    pub(crate) fn answer_bot(
        self: &Arc<Self>,
        app: &App,
        bot: &str,
        events: usize,
        (reply, text): (&Reply, &str),
    ) -> Result<Taken, Fault> {
        if self.seats_of(bot).is_empty() {
            return Err(Fault::forbidden());
        }
        let mut inside = self.lock();
        let now = inside.table.events().len();
        if events != now {
            return self.stale(&inside, bot, events, reply);
        }
        let Turn::Of(seat) = inside.table.turn() else {
            return Err(stale_turn(WORDS.say("bot-over")));
        };
        if self.bot(seat) != Some(bot) {
            return Err(Fault::forbidden());
        }
        let ply = inside.table.ply();
        match &reply.does {
            Does::Undo => Err(Fault::new(
                StatusCode::CONFLICT,
                "undo",
                WORDS.say("bot-no-undo"),
                WORDS.say("bot-no-undo-hint"),
            )),
            Does::Resign => {
                self.change(app, &mut inside, |table| {
                    Ok(table.end(seat, wits_game::End::Resigned).map(|_| ())?)
                })?;
                Ok(Taken::Played)
            }
            Does::Move(mv) => {
                if let Err(why) = inside.table.copy().play(seat, mv, None) {
                    let name = turn_name(self.id, now);
                    let ask = Ask::new(&*self.game, inside.table.as_ref(), seat, name);
                    let why = wits_bots::illegal(text, &ask, &why.to_string());
                    return Err(self.slip(app, &mut inside, seat, why));
                }
                let (spent, mut clock) = (inside.spent(), inside.clock.clone());
                let late = clock.left(seat).is_some_and(|left| left <= spent);
                let fault = late.then(|| self.blame_late(app, &inside, seat)).flatten();
                self.change(app, &mut inside, |table| {
                    self.sitting(table, &mut clock).play(seat, mv, spent)?;
                    if let Some(fault) = fault {
                        table.blame(seat, fault);
                    }
                    Ok(())
                })?;
                inside.clock = clock;
                let flagged = matches!(inside.table.events().last(), Some(Event::Flag { .. }));
                if flagged && matches!(inside.table.turn(), Turn::Over(_)) {
                    return Err(stale_turn(WORDS.say("bot-late")));
                }
                drop(inside);
                self.keep_said(app, ply, reply);
                self.wake(app);
                Ok(Taken::Played)
            }
        }
    }

    /// An answer to a turn that is past: harmless where it is the one that was taken then.
    fn stale(
        &self,
        inside: &Inside,
        bot: &str,
        events: usize,
        reply: &Reply,
    ) -> Result<Taken, Fault> {
        let happened = inside.table.events().get(events);
        let same = match (happened, &reply.does) {
            (Some(Event::Move { seat, text, .. }), Does::Move(mv)) => {
                self.bot(*seat) == Some(bot) && text.eq_ignore_ascii_case(mv.trim())
            }
            (Some(Event::Resign { seat, .. }), Does::Resign) => self.bot(*seat) == Some(bot),
            _ => false,
        };
        if same {
            return Ok(Taken::Before);
        }
        let over = matches!(inside.table.turn(), Turn::Over(_));
        let now = turn_name(self.id, inside.table.events().len());
        Err(stale_turn(if over {
            WORDS.say("bot-over")
        } else {
            WORDS.say("bot-stale").with("now", now)
        }))
    }

    /// A program broke down on a turn, or sent what nobody can read; nothing where the turn is none of its own,
    /// or past.
    pub(crate) fn slipped(
        self: &Arc<Self>,
        app: &App,
        bot: &str,
        events: usize,
        slip: Slip,
    ) -> Option<Fault> {
        let mut inside = self.lock();
        let seat = inside.table.turn().seat()?;
        let open = self.bot(seat) == Some(bot) && inside.table.events().len() == events;
        open.then(|| self.slip(app, &mut inside, seat, slip))
    }

    /// A slip: a practice game forgives some, a rated one is lost. The fault is the answer to the program.
    fn slip(&self, app: &App, inside: &mut Inside, seat: Seat, slip: Slip) -> Fault {
        let mut lives = 0;
        if self.rated.is_none() && !matches!(slip, Slip::Crash(_)) {
            let slips = inside.slips.entry(seat).or_insert(0);
            *slips += 1;
            lives = LIVES.saturating_sub(*slips);
        }
        let why = slip.why().to_owned();
        let code = slip.name();
        if lives == 0
            && let Err(fault) = self.lose(app, inside, seat, slip)
        {
            return fault;
        }
        let hint = if lives > 0 {
            WORDS.say("bot-lives").with("lives", lives)
        } else {
            WORDS.say("bot-lost")
        };
        Fault::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            code,
            wits_game::Message::plain(crate::told::told(why)),
            hint,
        )
    }

    /// Ends the game of a bot that did something wrong; what it was is kept for its author, and before the game
    /// ends: who is killed in between asks once more.
    fn lose(&self, app: &App, inside: &mut Inside, seat: Seat, slip: Slip) -> Result<(), Fault> {
        let (spent, mut clock) = (inside.spent(), inside.clock.clone());
        self.keep_slip(app, seat, &slip);
        self.change(app, inside, |table| {
            let _ =
                self.sitting(table, &mut clock)
                    .decide(seat, Err::<Choice<String>, _>(slip), spent);
            Ok(())
        })?;
        inside.clock = clock;
        Ok(())
    }

    /// The clock of a bot runs out: whether it was slow, said nothing at all, or was not there.
    pub(super) fn blame_late(&self, app: &App, inside: &Inside, seat: Seat) -> Option<FaultName> {
        let bot = self.bot(seat)?;
        let told = inside.table.told(Eyes::All);
        let moved = told
            .iter()
            .any(|t| t.seat == Some(seat) && t.ply >= self.opened);
        let slip = if !app.bots.is_here(bot) {
            Slip::Disconnected(WORDS.say("bot-slip-gone").to_string())
        } else if moved {
            Slip::Late(WORDS.say("bot-slip-late").to_string())
        } else {
            Slip::Silent(WORDS.say("bot-slip-silent").to_string())
        };
        self.keep_slip(app, seat, &slip);
        Some(slip.named())
    }

    /// The seat of a bot that is to move, and has not been there for a while.
    pub(crate) fn gone(&self, app: &App) -> Option<Seat> {
        let inside = self.lock();
        let seat = inside.table.turn().seat()?;
        let away = !app.bots.is_here(self.bot(seat)?);
        (away && inside.spent() >= GONE).then_some(seat)
    }

    fn keep_slip(&self, app: &App, seat: Seat, slip: &Slip) {
        let kept = Kept {
            fault: slip.name().to_owned(),
            why: slip.why().to_owned(),
        };
        let bytes = serde_json::to_vec(&kept).unwrap_or_default();
        let name = format!("{}/{}", self.id, seat.index() + 1);
        // The game is lost all the same; only its author would like to know more.
        let _ = app.put_item("bot-slip", &name, &bytes);
    }

    /// What the bot in a seat did wrong, where the game ended by it.
    pub(crate) fn slip_of(&self, app: &App, seat: Seat) -> Result<Option<Kept>, Fault> {
        let last = self.lock().table.events().last().cloned();
        if !matches!(last, Some(Event::Resign { seat: s, .. } | Event::Flag { seat: s, .. }) if s == seat)
        {
            return Ok(None);
        }
        let name = format!("{}/{}", self.id, seat.index() + 1);
        let kept = app.store.blob("bot-slip", &name)?;
        Ok(kept.and_then(|blob| serde_json::from_slice(&blob.bytes).ok()))
    }

    /// The same as results of tournaments tell it: whose it was, and what.
    pub(crate) fn fault_of(&self, app: &App) -> Result<Option<(Seat, Slip)>, Fault> {
        for seat in Seat::all(self.game.seats()).filter(|&s| self.bot(s).is_some()) {
            if let Some(kept) = self.slip_of(app, seat)? {
                return Ok(Some((seat, kept.slip())));
            }
        }
        Ok(None)
    }

    /// What a bot said about its move, for its thread; most say nothing.
    fn keep_said(&self, app: &App, ply: u32, reply: &Reply) {
        if reply.say.is_none() && reply.lines.is_empty() {
            return;
        }
        let lines = reply.lines.iter();
        let lines: Vec<Value> = lines
            .map(|line| json!({"moves": line.moves, "value": line.value}))
            .collect();
        let said = json!({"say": reply.say, "lines": lines}).to_string();
        let _ = app.put_item("bot-said", &format!("{}/{ply}", self.id), said.as_bytes());
    }

    /// The machine of a seat, made anew; a bot's answer is given again as it was.
    pub(super) fn machine(
        &self,
        app: &App,
        seat: Seat,
        ply: u32,
    ) -> Result<Box<dyn AnyPlayer>, Fault> {
        let text = &self.header.players[seat.index()];
        let spec: Spec = text.parse()?;
        if self.bot(seat).is_none() {
            return Ok(self.game.player(&spec, seat, &self.shelf)?);
        }
        let told = self.lock().table.told(Eyes::All);
        let mv = told.get(ply as usize).map(|t| t.text.clone());
        let kept = app.store.blob("bot-said", &format!("{}/{ply}", self.id))?;
        let said = kept.and_then(|blob| serde_json::from_slice(&blob.bytes).ok());
        let mut answer: Value = said.unwrap_or_else(|| json!({}));
        answer["move"] = json!(mv);
        let reply =
            Reply::read(&answer.to_string()).map_err(|why| Fault::unreadable(why.to_string()))?;
        let name = spec.value("name").map(ToString::to_string);
        let name = name.unwrap_or_default();
        Ok(wits_bots::answered(&*self.game, text, &name, reply))
    }

    /// Tells the streams of all bots at this table that something happened.
    pub(super) fn poke_bots(&self, app: &App) {
        for bot in self.bots.iter().flatten() {
            app.bots.poke(bot, self.id);
        }
    }
}

fn stale_turn(message: wits_game::Message) -> Fault {
    let hint = WORDS.say("bot-stale-hint");
    Fault::new(StatusCode::CONFLICT, "turn", message, hint)
}
