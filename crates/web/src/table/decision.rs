//! What can be asked about the decision of a machine: how it came about, why not another move, and what it does where a
//! move is forbidden.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::http::StatusCode;
use serde_json::{Value, json};
use wits_game::{Eyes, Illegal, Lang, Seat};
use wits_play::{
    AnyDesk, AnyMatch, Budget, Choice, Decision, Limits, Recorder, Spec, Thought, WhyNot,
};
use wits_search::Thread;

use super::Table;
use super::timed::{Timed, compared};
use crate::{App, Fault, WORDS, engine};

impl Table {
    /// The thread of a machine's decision: kept if the machine learns, thought again otherwise.
    /// The same seed gives the same choice, watched or not.
    pub(crate) fn thread(
        &self,
        app: &App,
        ply: u32,
        stop: &Arc<AtomicBool>,
    ) -> Result<String, Fault> {
        if let Some(thread) = app.kept_thread(self.id, ply)? {
            return Ok(thread);
        }
        let (table, seat) = self.before(ply)?;
        // Whoever asks *why not?* has the thread before them: it is not thought a third time. After an undo the moves differ.
        let moves: Vec<String> = table.told(Eyes::All).into_iter().map(|t| t.text).collect();
        let name = format!("{} {} {}", self.id, Lang::spoken().code(), moves.join(" "));
        if let Some(thread) = app.threads.get(&name) {
            return Ok(thread.as_ref().clone());
        }
        let mut machine = self.machine(app, seat, ply)?;
        let timed = self.timed(app, table.as_ref())?;
        let budget = Timed::again(timed.as_ref(), app.config.thinking, Arc::clone(stop));
        let mut recorder = Recorder::new(STEPS);
        let mut tell = |_: &Thought<String>| {};
        let desk = AnyDesk {
            budget: &budget,
            dice: table.dice(seat),
            tell: &mut tell,
            record: Some(&mut recorder),
        };
        let result = match machine.choose(table.as_ref(), desk) {
            Choice::Move(text) => text,
            Choice::Resign => "resign".to_owned(),
        };
        let seed = self.header.seed;
        let thread = machine.thread(recorder, &*self.game, table.as_ref(), seed, &result);
        let thread = match self.choices(ply, &result)? {
            Some((again, played)) => compared(thread, (&again, &played), timed.as_ref(), &budget),
            None => thread,
        };
        let text = thread.text();
        if !stop.load(Ordering::Relaxed) {
            app.threads.put(name, text.clone());
        }
        Ok(text)
    }

    /// Asks something about the decision of a machine: from its thread and a short look at what follows.
    fn ask<T>(
        &self,
        app: &App,
        (ply, time): (u32, Duration),
        stop: &Arc<AtomicBool>,
        question: impl FnOnce(&Decision<'_>, &Budget) -> Result<T, Illegal>,
    ) -> Result<T, Fault> {
        let thread = Thread::read(&self.thread(app, ply, stop)?)
            .map_err(|e| Fault::unreadable(e.to_string()))?;
        let (table, seat) = self.before(ply)?;
        if self.bot(seat).is_some() {
            let (why, hint) = (WORDS.say("bot-no-ask"), WORDS.say("bot-no-ask-hint"));
            return Err(Fault::new(StatusCode::CONFLICT, "bot", why, hint));
        }
        let by: Spec = self.header.players[seat.index()].parse()?;
        let decision = Decision {
            game: &*self.game,
            table: table.as_ref(),
            by: &by,
            shelf: &self.shelf,
            thread: &thread,
        };
        let limits = app.config.thinking.and(Limits::time(time));
        let budget = engine::budget(limits, Arc::clone(stop));
        Ok(question(&decision, &budget)?)
    }

    /// Why a machine did not play another move, and a game in which a person tries that move instead.
    pub(crate) fn why_not(
        &self,
        app: &App,
        (ply, text): (u32, &str),
        stop: &Arc<AtomicBool>,
    ) -> Result<(WhyNot, Option<Value>), Fault> {
        self.ask(app, (ply, CONTRAST), stop, |decision, budget| {
            let answer = decision.why_not(text, budget)?;
            let on = wits_play::after(decision.table.copy(), [answer.mv.as_str()]);
            Ok((answer, on.and_then(|next| self.on(decision, &*next))))
        })
    }

    /// A new game from a position, with a person in the seat of the machine and the machine, where it can, in the others.
    fn on(&self, decision: &Decision<'_>, next: &dyn AnyMatch) -> Option<Value> {
        next.turn().seat()?;
        let own = decision.table.turn().seat()?;
        let seats = Seat::all(self.game.seats()).map(|seat| {
            if seat == own {
                return "human".to_owned();
            }
            // Usual arguments are left out: written out they may be more than a page may ask for.
            let usual = Spec::named(&decision.by.name);
            let plain = self.game.player(&usual, seat, &self.shelf);
            let by = match self.game.player(decision.by, seat, &self.shelf) {
                Ok(own) if plain.is_ok_and(|plain| plain.spec() == own.spec()) => usual,
                Ok(_) => decision.by.clone(),
                Err(_) => self.game.opponent(seat),
            };
            by.to_string()
        });
        Some(json!({
            "game": self.header.game, "position": next.notation()?, "seats": seats.collect::<Vec<_>>(),
        }))
    }

    /// What a machine does where a move is forbidden, as a thread.
    pub(crate) fn forbid(
        &self,
        app: &App,
        (ply, text): (u32, &str),
        stop: &Arc<AtomicBool>,
    ) -> Result<String, Fault> {
        self.ask(app, (ply, AGAIN), stop, |decision, budget| {
            Ok(decision.without(text, budget)?.text())
        })
    }

    /// What a machine chose when it thought again, and what it played, both as players write moves.
    fn choices(&self, ply: u32, result: &str) -> Result<Option<(String, String)>, Fault> {
        let (mut table, seat) = self.before(ply)?;
        let told = |table: &dyn AnyMatch| {
            let told = table.told(Eyes::All).into_iter().nth(ply as usize);
            told.map(|told| told.text)
        };
        let played = told(self.lock().table.as_ref());
        let again = match table.play(seat, result, None) {
            Ok(_) => told(table.as_ref()),
            Err(_) => Some(result.to_owned()),
        };
        Ok(again.zip(played))
    }

    /// The match before a move that a machine made, and its seat.
    pub(crate) fn before(&self, ply: u32) -> Result<(Box<dyn AnyMatch>, Seat), Fault> {
        let told = self.lock().table.told(Eyes::All);
        let played = told.get(ply as usize).ok_or_else(Fault::missing)?;
        let seat = played.seat.filter(|&s| !self.person(s));
        Ok((self.at(ply)?, seat.ok_or_else(Fault::missing)?))
    }
}

/// How long the look at another move may take; the answer comes within a second.
const CONTRAST: Duration = Duration::from_millis(700);

/// How long a machine may decide anew where a move is forbidden.
const AGAIN: Duration = Duration::from_secs(2);

/// How many steps of a decision are kept for the page.
pub(super) const STEPS: usize = 5_000;
