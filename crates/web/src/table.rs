//! A game that is being played: the match in memory, its events in the store.
//!
//! Every change is made on a copy, written to the store, and only then put in place: what a
//! reader sees is on disk, and what fails leaves nothing behind.

mod bot;
mod decision;
mod deed;
mod said;
mod timed;

pub(crate) use bot::{BOT, Taken, Told, bot_of, turn_of};
use decision::STEPS;
use deed::earlier;
pub(crate) use deed::{Deed, doubled};
pub(crate) use said::{Said, thought_json};

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use serde_json::{Value, json};
use tokio::sync::{broadcast, watch};
use wits_game::{Dice, End, Eyes, Message, Seat, Stream, Turn};
use wits_play::{
    AnyDesk, AnyGame, AnyMatch, AnyPlayer, Choice, Clock, Comparison, Event, FaultName, Header,
    Limits, Record, Recorder, Shelf, Sitting, Spec, Thought, ask,
};
use wits_store::{Id, Then};

use timed::Timed;

use crate::bots::FIND_BACK;
use crate::engine::{self, Account, Job, Urgency};
use crate::metrics::METRICS;
use crate::pages::{machines, sentence};
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// What a page must have seen to be up to date.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct News {
    /// How many events are stored.
    pub(crate) events: u64,
    /// How often somebody sat down.
    pub(crate) seatings: u64,
}

/// A game with everyone who watches it.
pub(crate) struct Table {
    pub(crate) id: Id,
    pub(crate) game: Arc<dyn AnyGame>,
    pub(crate) header: Header,
    shelf: Shelf,
    /// What the seats are called at this table; the game's own word where nobody said.
    names: Vec<String>,
    /// What the machine in a seat does, in a sentence.
    about: Vec<Option<Message>>,
    /// What each seat got in the first round, where this is the second one of a match.
    pub(crate) first: Option<Vec<i32>>,
    /// How many moves were made before the players sat down.
    pub(crate) opened: u32,
    /// The bots in the seats, by address.
    bots: Vec<Option<String>>,
    /// The tournament that a game counts for, where it has one.
    pub(crate) rated: Option<String>,
    inside: Mutex<Inside>,
    /// Changes when something happened: how many events are stored, and how often somebody sat down.
    pub(crate) news: watch::Sender<News>,
    /// What machines say while they think.
    pub(crate) thoughts: broadcast::Sender<Arc<Said>>,
    /// Who made the game or looked at it first: machines think on their account.
    account: OnceLock<Account>,
}

pub(crate) struct Inside {
    pub(crate) table: Box<dyn AnyMatch>,
    machines: Vec<Option<Box<dyn AnyPlayer>>>,
    /// Raised to end the search that runs now.
    thinking: Option<Arc<AtomicBool>>,
    pub(crate) clock: Clock,
    /// When the seat to move began to think. While the program runs this is no time of day, so
    /// that a clock that is set cannot take anybody's game.
    since: Instant,
    /// When somebody asked for this game last.
    looked: Instant,
    taught: bool,
    /// How often each bot slipped.
    slips: BTreeMap<Seat, u32>,
    /// What the last move did.
    pub(crate) last: Deed,
}

impl Inside {
    /// Whether a machine thinks now.
    pub(crate) fn thinks(&self) -> bool {
        self.thinking.is_some()
    }

    /// What is left on a seat's clock, running if it is that seat's turn.
    pub(crate) fn left(&self, seat: Seat) -> Option<Duration> {
        let left = self.clock.left(seat)?;
        let runs = self.table.turn() == Turn::Of(seat);
        let spent = if runs { self.spent() } else { Duration::ZERO };
        Some(left.saturating_sub(spent))
    }

    fn spent(&self) -> Duration {
        self.since.elapsed()
    }
}

impl Table {
    /// Puts a table up from what the store has.
    pub(crate) fn load(app: &App, id: Id) -> Result<Table, Fault> {
        let (session, events) = app.store.load(id, 0)?;
        if session.kind != "game" {
            return Err(Fault::missing());
        }
        let broken = |detail: String| {
            let message = WORDS.say("broken-session").with("detail", detail);
            Fault::new(
                StatusCode::CONFLICT,
                "broken-session",
                message,
                WORDS.say("broken-session-hint"),
            )
        };
        let header: Header =
            serde_json::from_value(session.header).map_err(|e| broken(e.to_string()))?;
        let mut since = since(app, events.last().map_or(session.created, |e| e.at));
        let rated = app.store.blob("rated", &id.to_string())?;
        let rated = rated.map(|blob| String::from_utf8_lossy(&blob.bytes).into_owned());
        let events: Vec<Event> = events
            .into_iter()
            .map(|e| serde_json::from_value(e.body))
            .collect::<Result<_, _>>()
            .map_err(|e| broken(e.to_string()))?;
        let spec: Spec = header.game.parse()?;
        let players: Vec<Spec> = header
            .players
            .iter()
            .map(|p| p.parse())
            .collect::<Result<_, _>>()?;
        let shelf = app.shelf_for(&spec, &players)?;
        let game = app.catalog.game(&spec, &shelf)?;
        let record = Record {
            header: header.clone(),
            events,
            cut: false,
        };
        let table = game.replay(&record).map_err(|e| broken(e.to_string()))?;
        let machines = players
            .iter()
            .zip(Seat::all(game.seats()))
            .map(|(spec, seat)| {
                if spec.name == "human" || spec.name == BOT {
                    Ok(None)
                } else {
                    game.player(spec, seat, &shelf).map(Some)
                }
            })
            .collect::<Result<Vec<_>, _>>()?;
        let clock = Clock::after(header.clock, &*game, table.as_ref());
        let bots: Vec<Option<String>> = players.iter().map(bot_of).collect();
        if rated.is_some() || bots.iter().any(Option::is_some) {
            // While the house was closed nobody could answer, and programs have to find back.
            since = since.max(app.bots.opened + FIND_BACK);
        }
        let taught = matches!(table.turn(), Turn::Over(_));
        let last = Deed::of(&*game, &header, table.as_ref());
        let cards = app.catalog.entry(&spec.name)?.players();
        let about = |player: &Spec| {
            let card = cards.iter().find(|card| card.id == player.name);
            card.filter(|_| player.name != "human")
                .map(|card| card.about.clone())
        };
        let about = players.iter().map(about).collect();
        let first = match app.first_round(id)? {
            Some(first) => payoffs(app, &*game, first)?,
            None => None,
        };
        let events = table.events().len() as u64;
        let (news, _) = watch::channel(News {
            events,
            seatings: 0,
        });
        let (thoughts, _) = broadcast::channel(64);
        let inside = Inside {
            table,
            machines,
            thinking: None,
            clock,
            since,
            looked: Instant::now(),
            taught,
            slips: BTreeMap::new(),
            last,
        };
        Ok(Table {
            id,
            game,
            header,
            shelf,
            names: app.names(id)?,
            about,
            first,
            opened: app.opened(id)?,
            bots,
            rated,
            inside: Mutex::new(inside),
            news,
            thoughts,
            account: OnceLock::new(),
        })
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, Inside> {
        // Changes are made on a copy and put in place whole, so a panic leaves the old one.
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The files that machines of this table may need.
    pub(crate) fn shelf(&self) -> &Shelf {
        &self.shelf
    }

    /// What a seat is called.
    pub(crate) fn name(&self, seat: Seat) -> String {
        let given = self.names.get(seat.index()).filter(|n| !n.is_empty());
        given.map_or_else(|| self.game.seat_name(seat).to_string(), String::clone)
    }

    /// Whether two games with exchanged seats are one match.
    pub(crate) fn paired(&self) -> bool {
        self.game.comparison() == Comparison::Pair && self.game.seats() == 2
    }

    /// What people call whoever plays in a seat, and what they do in a sentence.
    pub(crate) fn player(&self, seat: Seat) -> (String, Option<String>) {
        let player = self.header.players.get(seat.index());
        let player = player.map_or("human", String::as_str);
        let about = machines::grade(self.game.id(), player);
        let about = about.or_else(|| self.about.get(seat.index()).cloned().flatten());
        (
            machines::called(player),
            about.map(|message| sentence(&message.to_string())),
        )
    }

    /// Whether a seat is a person's.
    pub(crate) fn person(&self, seat: Seat) -> bool {
        self.header
            .players
            .get(seat.index())
            .is_some_and(|p| p == "human")
    }

    /// Changes the game: on a copy, then in the store, then here.
    fn change(
        &self,
        app: &App,
        inside: &mut Inside,
        act: impl FnOnce(&mut dyn AnyMatch) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let before = inside.table.events().len();
        let mut copy = inside.table.copy();
        act(copy.as_mut())?;
        copy.settle();
        let new: Vec<Value> = copy.events()[before..].iter().map(|e| json!(e)).collect();
        let over = matches!(copy.turn(), Turn::Over(_));
        let then = if over { Then::Finished } else { Then::Open };
        let begun = Instant::now();
        let written = app
            .store
            .append_all(self.id, before as u64, &new, then, app.now());
        METRICS.wrote(begun.elapsed());
        if let Err(wits_store::Error::Taken { .. } | wits_store::Error::Gap { .. }) = written {
            // Another server has gone on with this game.
            let ply = inside.table.ply();
            self.take_over(app, inside)?;
            return Err(conflict(ply, inside.table.ply()));
        }
        written?;
        inside.since = Instant::now();
        if copy.ply() != inside.table.ply() {
            inside.last = Deed::of(&*self.game, &self.header, copy.as_ref());
        }
        inside.table = copy;
        if let Some(stop) = inside.thinking.take() {
            stop.store(true, Ordering::Relaxed);
        }
        self.teach(app, inside);
        let events = inside.table.events().len() as u64;
        self.news.send_modify(|news| news.events = events);
        self.poke_bots(app);
        Ok(())
    }

    /// Takes over what another server has written; whether there was anything.
    pub(crate) fn refresh(&self, app: &App) -> Result<bool, Fault> {
        self.take_over(app, &mut self.lock())
    }

    fn take_over(&self, app: &App, inside: &mut Inside) -> Result<bool, Fault> {
        let mut events = inside.table.events().to_vec();
        let new = app.store.events(self.id, events.len() as u64)?;
        let Some(last) = new.last().map(|e| e.at) else {
            return Ok(false);
        };
        for event in new {
            let event = serde_json::from_value(event.body);
            events.push(event.map_err(|e| Fault::unreadable(e.to_string()))?);
        }
        let count = events.len() as u64;
        let record = Record {
            header: self.header.clone(),
            events,
            cut: false,
        };
        let table = self.game.replay(&record);
        let table = table.map_err(|e| Fault::unreadable(e.to_string()))?;
        inside.clock = Clock::after(self.header.clock, &*self.game, table.as_ref());
        inside.since = since(app, last);
        // Where the last move was made, machines were taught.
        inside.taught = matches!(table.turn(), Turn::Over(_));
        inside.last = Deed::of(&*self.game, &self.header, table.as_ref());
        inside.table = table;
        if let Some(stop) = inside.thinking.take() {
            stop.store(true, Ordering::Relaxed);
        }
        self.news.send_modify(|news| news.events = count);
        self.poke_bots(app);
        Ok(true)
    }

    /// After the end, machines that learn are taught once, and what they know is kept.
    fn teach(&self, app: &App, inside: &mut Inside) {
        if inside.taught || !matches!(inside.table.turn(), Turn::Over(_)) {
            return;
        }
        inside.taught = true;
        for seat in Seat::all(self.game.seats()) {
            let Some(machine) = inside
                .machines
                .get_mut(seat.index())
                .and_then(Option::as_mut)
            else {
                continue;
            };
            machine.learn(inside.table.as_ref(), seat);
            if let (true, Some(memory)) = (machine.learns(), machine.memory()) {
                app.keep_memory(&self.header.players[seat.index()], &memory);
            }
        }
    }

    /// A person moves. The same move for the same ply again is no error and plays nothing, also
    /// where it was played at another server: that is found out on the way, and then looked at again.
    /// The machine that answers begins to think when somebody wakes it.
    pub(crate) fn play(
        self: &Arc<Self>,
        app: &App,
        seat: Seat,
        ply: u32,
        text: &str,
    ) -> Result<bool, Fault> {
        match self.try_play(app, seat, ply, text) {
            Err(fault) if fault.code == LATE => self.try_play(app, seat, ply, text),
            done => done,
        }
    }

    fn try_play(
        self: &Arc<Self>,
        app: &App,
        seat: Seat,
        ply: u32,
        text: &str,
    ) -> Result<bool, Fault> {
        let mut inside = self.lock();
        let at = inside.table.ply();
        if ply < at {
            let told = inside.table.told(Eyes::All);
            let same = told
                .get(ply as usize)
                .is_some_and(|t| t.seat == Some(seat) && t.text.eq_ignore_ascii_case(text.trim()));
            return if same {
                Ok(false)
            } else {
                Err(conflict(ply, at))
            };
        }
        if ply > at {
            return Err(conflict(ply, at));
        }
        if inside.table.turn() != Turn::Of(seat) {
            let turn = inside.table.turn().seat().map(|s| self.name(s));
            let message = turn.map_or_else(
                || wits_game::WORDS.say("over"),
                |whose| wits_game::WORDS.say("not-your-turn").with("whose", whose),
            );
            return Err(Fault::new(
                StatusCode::CONFLICT,
                "turn",
                message,
                WORDS.say("turn-hint"),
            ));
        }
        let spent = inside.spent();
        let mut clock = inside.clock.clone();
        self.change(app, &mut inside, |table| {
            Ok(self.sitting(table, &mut clock).play(seat, text, spent)?)
        })?;
        inside.clock = clock;
        Ok(true)
    }

    /// A person gives up.
    pub(crate) fn resign(self: &Arc<Self>, app: &App, seat: Seat) -> Result<(), Fault> {
        self.change(app, &mut self.lock(), |table| {
            Ok(table.end(seat, End::Resigned).map(|_| ())?)
        })
    }

    /// Back to the last decision of one of these seats.
    pub(crate) fn undo(self: &Arc<Self>, app: &App, seats: &[Seat]) -> Result<(), Fault> {
        let mut inside = self.lock();
        let told = inside.table.told(Eyes::All);
        let last = told
            .iter()
            .rev()
            .find(|t| t.seat.is_some_and(|s| seats.contains(&s)));
        let to = last.map_or(u32::MAX, |t| t.ply);
        self.change(app, &mut inside, |table| Ok(table.undo(to).map(|_| ())?))?;
        drop(inside);
        self.wake(app);
        Ok(())
    }

    /// Ends the game of a seat whose clock has run out.
    pub(crate) fn flag(self: &Arc<Self>, app: &App) {
        let mut inside = self.lock();
        if let Turn::Of(seat) = inside.table.turn()
            && inside.left(seat) == Some(Duration::ZERO)
        {
            let fault = self.blame_late(app, &inside, seat);
            let _ = self.ran_out(app, &mut inside, seat, fault);
            // Where the rules let the game go on, the next seat may be a machine.
            drop(inside);
            self.wake(app);
        }
    }

    /// The time of the seat to move has run out: the rules say what happens, and whether there is more time.
    fn ran_out(
        &self,
        app: &App,
        inside: &mut Inside,
        seat: Seat,
        fault: Option<FaultName>,
    ) -> Result<(), Fault> {
        let left = inside.clock.left(seat).unwrap_or_default();
        let beyond = inside.spent().saturating_sub(left);
        let (mut clock, mut more) = (inside.clock.clone(), false);
        self.change(app, inside, |table| {
            more = self.sitting(table, &mut clock).flag(seat)?;
            if let Some(fault) = fault {
                table.blame(seat, fault);
            }
            Ok(())
        })?;
        inside.clock = clock;
        if more {
            // What was thought beyond the time is part of what was given.
            inside.since = inside.since.checked_sub(beyond).unwrap_or(inside.since);
        }
        Ok(())
    }

    /// A match of this table as decisions meet it.
    fn sitting<'a>(&'a self, table: &'a mut dyn AnyMatch, clock: &'a mut Clock) -> Sitting<'a> {
        Sitting {
            game: &*self.game,
            table,
            clock,
            timed: true,
        }
    }

    /// Somebody looks at the game: if it is a machine's turn and nobody thinks, somebody begins to, on
    /// the account of whoever looked first. A look from a foreign page starts nothing.
    pub(crate) fn look(self: &Arc<Self>, app: &App, visitor: Visitor) {
        if visitor.may_compute().is_err() {
            return;
        }
        self.seen(visitor);
        self.lock().looked = Instant::now();
        self.wake(app);
    }

    /// Whether anybody waits for this game: with an open stream, or with a request not long ago.
    fn wanted(&self, app: &App, inside: &Inside) -> bool {
        let bot_waits = || self.bots.iter().flatten().any(|bot| app.bots.is_here(bot));
        self.news.receiver_count() > 0
            || inside.looked.elapsed() < app.config.presence
            || self.rated.is_some()
            || bot_waits()
    }

    /// Ends the search in a game that nobody has asked for lately: who left has nothing running. The next
    /// look begins it again, with the same dice.
    pub(crate) fn rest(&self, app: &App) {
        let mut inside = self.lock();
        if !self.wanted(app, &inside)
            && let Some(stop) = inside.thinking.take()
        {
            stop.store(true, Ordering::Relaxed);
        }
    }

    /// If it is a machine's turn, nobody thinks and somebody waits, somebody begins to.
    fn wake(self: &Arc<Self>, app: &App) {
        let mut inside = self.lock();
        let Turn::Of(seat) = inside.table.turn() else {
            if inside.table.turn() == Turn::Chance {
                let _ = self.change(app, &mut inside, |_| Ok(()));
                drop(inside);
                self.wake(app);
            }
            return;
        };
        if inside.thinking.is_some()
            || self.person(seat)
            || self.bot(seat).is_some()
            || !self.wanted(app, &inside)
        {
            return;
        }
        let stop = Arc::new(AtomicBool::new(false));
        inside.thinking = Some(Arc::clone(&stop));
        drop(inside);
        let (house, table, flag) = (app.clone(), Arc::clone(self), Arc::clone(&stop));
        let work = Box::new(move || {
            table.think(&house, seat, &flag);
            None
        });
        app.engine.put(Job {
            account: self.account(),
            urgency: Urgency::Move,
            stop,
            work,
        });
    }

    /// A game that the house leads begins, or goes on.
    pub(crate) fn go(self: &Arc<Self>, app: &App) {
        self.wake(app);
        self.poke_bots(app);
    }

    /// A program listens at this table: the machine beside it thinks for it.
    pub(crate) fn look_for_bot(self: &Arc<Self>, app: &App) {
        self.wake(app);
    }

    /// Whoever sits here has one machine thinking at a time, in however many games.
    fn account(&self) -> Account {
        let own = || Account::of(u128::from_str_radix(&self.id.to_string(), 16).unwrap_or(0));
        self.account.get().copied().unwrap_or_else(own)
    }

    /// Somebody was here.
    fn seen(&self, visitor: Visitor) {
        let _ = self.account.set(visitor.account());
    }

    /// On a thinker's thread: the machine of a seat decides, and its move is made.
    fn think(self: &Arc<Self>, app: &App, seat: Seat, stop: &Arc<AtomicBool>) {
        let mut inside = self.lock();
        let table = inside.table.copy();
        let time = inside.left(seat).map_or(Limits::NONE, Limits::time);
        let Some(mut machine) = inside.machines.get_mut(seat.index()).and_then(Option::take) else {
            return;
        };
        drop(inside);
        let usual = app.config.thinking;
        let budget = engine::budget(usual.and(time), Arc::clone(stop)).noting();
        let ply = table.ply();
        let (mut last_said, mut last) = (None::<Duration>, (0, None));
        let mut tell = |thought: &Thought<String>| {
            let at = budget.elapsed();
            last = Timed::said(thought);
            if last_said.is_none_or(|last| at >= last + Duration::from_millis(100))
                || thought.why.is_some()
            {
                last_said = Some(at);
                self.say(seat, thought, at, false);
            }
        };
        let mut recorder = machine.learns().then(|| Recorder::new(STEPS));
        let desk = AnyDesk {
            budget: &budget,
            dice: table.dice(seat),
            tell: &mut tell,
            record: recorder.as_mut(),
        };
        let (choice, spent) = ask(&mut *machine, table.as_ref(), desk);
        if let (Some(recorder), Ok(Choice::Move(text))) = (recorder, &choice) {
            let thread = machine.thread(
                recorder,
                &*self.game,
                table.as_ref(),
                self.header.seed,
                text,
            );
            app.keep_thread(self.id, ply, &thread);
        }
        let timed = Timed::of(table.as_ref(), &budget, usual, last);
        if let (false, Some(timed)) = (machine.learns(), timed) {
            self.keep_timed(app, ply, &timed);
        }
        let mut inside = self.lock();
        if choice.is_ok() && machine.learns() {
            inside.machines[seat.index()] = Some(machine);
        } else {
            // What broke down may be broken inside, and what a search remembers of positions is many
            // times larger than a game: a thousand games wait here. A fresh machine takes the seat, as
            // after a restart.
            drop(machine);
            let spec = self.header.players[seat.index()].parse::<Spec>();
            inside.machines[seat.index()] = spec
                .ok()
                .and_then(|spec| self.game.player(&spec, seat, &self.shelf).ok());
        }
        if stop.load(Ordering::Relaxed) || inside.table.ply() != ply {
            // Undone, or nobody waits: the same dice will give the same move when somebody does.
            if inside
                .thinking
                .as_ref()
                .is_some_and(|t| Arc::ptr_eq(t, stop))
            {
                inside.thinking = None;
            }
            return;
        }
        inside.thinking = None;
        let mut clock = inside.clock.clone();
        let made = self.change(app, &mut inside, |table| {
            self.sitting(table, &mut clock).decide(seat, choice, spent);
            Ok(())
        });
        if made.is_ok() {
            inside.clock = clock;
        }
        drop(inside);
        if made.is_ok() {
            self.wake(app);
        }
    }

    /// Tells everybody at the page what a machine thinks after some time, where nothing is hidden.
    fn say(&self, seat: Seat, thought: &Thought<String>, spent: Duration, hint: bool) {
        if self.game.hidden() {
            return;
        }
        let mut thought = thought.clone();
        thought.millis = spent.as_millis() as u64;
        let _ = self.thoughts.send(Arc::new(Said {
            seat,
            thought,
            hint,
        }));
    }

    /// Nobody looks any more: the search that runs is not wanted.
    pub(crate) fn nobody_looks(&self) {
        if self.rated.is_some() {
            return;
        }
        if let Some(stop) = self.lock().thinking.take() {
            stop.store(true, Ordering::Relaxed);
        }
    }

    /// What a machine would do in a seat: an analysis, on a thinker's thread. It uses dice of its
    /// own, so the game goes on as it would have.
    pub(crate) fn hint(
        &self,
        app: &App,
        seat: Seat,
        stop: &Arc<AtomicBool>,
    ) -> Result<(String, Option<String>), Fault> {
        let table = self.lock().table.copy();
        if table.turn() != Turn::Of(seat) {
            return Err(Fault::new(
                StatusCode::CONFLICT,
                "turn",
                WORDS.say("no-hint"),
                WORDS.say("turn-hint"),
            ));
        }
        let spec = self.game.opponent(seat);
        let mut machine = self.game.player(&spec, seat, &self.shelf)?;
        let limits = app.config.thinking.and(Limits::time(SLICE));
        let budget = engine::budget(limits, Arc::clone(stop));
        let dice = Dice::at(self.header.seed, Stream::Aside, table.ply());
        let mut why = None;
        let mut tell = |thought: &Thought<String>| {
            why = thought.why.as_ref().map(ToString::to_string);
            self.say(seat, thought, budget.elapsed(), true);
        };
        let desk = AnyDesk {
            budget: &budget,
            dice,
            tell: &mut tell,
            record: None,
        };
        match machine.choose(table.as_ref(), desk) {
            Choice::Move(text) => Ok((text, why)),
            Choice::Resign => Ok(("resign".to_owned(), why)),
        }
    }

    /// The match as it stood after so many moves, and the cells that the last of them touched.
    pub(crate) fn at(&self, ply: u32) -> Result<Box<dyn AnyMatch>, Fault> {
        let events = self.lock().table.events().to_vec();
        earlier(&*self.game, &self.header, &events, ply).ok_or_else(Fault::missing)
    }

    /// What the last move of a match of this table did.
    pub(crate) fn last_of(&self, table: &dyn AnyMatch) -> Deed {
        Deed::of(&*self.game, &self.header, table)
    }
}

/// What each seat got in a game that is over.
fn payoffs(app: &App, game: &dyn AnyGame, id: Id) -> Result<Option<Vec<i32>>, Fault> {
    let (session, events) = match app.store.load(id, 0) {
        Ok(found) => found,
        // A first round that its owner deleted counts no more.
        Err(wits_store::Error::Missing { .. }) => return Ok(None),
        Err(other) => return Err(other.into()),
    };
    let read = || {
        let header = serde_json::from_value(session.header).ok()?;
        let events = events
            .into_iter()
            .map(|e| serde_json::from_value(e.body).ok());
        let record = Record {
            header,
            events: events.collect::<Option<_>>()?,
            cut: false,
        };
        let table = game.replay(&record).ok()?;
        Some(table.turn().outcome()?.payoffs.clone())
    };
    Ok(read())
}

/// How long an analysis may hold a thinker.
const SLICE: Duration = Duration::from_secs(2);

/// When something was stored, as this process counts. What passed while nobody had the table up is
/// all that the time of day decides.
fn since(app: &App, at: i64) -> Instant {
    let passed = u64::try_from(app.now().saturating_sub(at)).unwrap_or(0);
    let now = Instant::now();
    now.checked_sub(Duration::from_micros(passed))
        .unwrap_or(now)
}

/// The code of a move for a ply that is decided already.
const LATE: &str = "ply";

/// The ply a move was sent for is decided already, or not reached yet.
fn conflict(ply: u32, now: u32) -> Fault {
    let message = WORDS.say("wrong-ply").with("ply", ply).with("now", now);
    Fault::new(
        StatusCode::CONFLICT,
        LATE,
        message,
        WORDS.say("wrong-ply-hint"),
    )
}
