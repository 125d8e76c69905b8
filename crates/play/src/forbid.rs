//! Forbid that one: what a machine does where the move that it chose, or any other, is not allowed.

use std::time::Duration;

use wits_game::{Illegal, Lang, Message, Seat, Turn};
use wits_search::{Backup, Budget, Candidates, Limits, Recorder, Thread, ThreadHeader, Worth};

use crate::why_not::{Shown, backs_up, number};
use crate::{AnyMatch, Decision, WORDS};

/// The most steps that are kept: two for every move.
const STEPS: usize = 2_000;

/// A move that remains, and what the machine makes of it. The thread of the new decision shows no proof, so every value is
/// told as an estimate.
struct Rest {
    mv: String,
    worth: Option<Worth>,
    why: Message,
}

impl Decision<'_> {
    /// Decides anew without one of the legal moves: the thread of the machine over the moves that remain.
    ///
    /// A search cut its other moves short once they were no better than the first, and what was cut is no value to
    /// choose by; so the machine looks at the position after each of them, an equal share of the budget each. A
    /// machine that weighs moves by themselves has weighed them, and its numbers stand.
    ///
    /// # Errors
    /// What is wrong with a move that is not legal, or that is the only one.
    pub fn without(&self, text: &str, budget: &Budget) -> Result<Thread, Illegal> {
        let Turn::Of(seat) = self.table.turn() else {
            return Err(Illegal::say(&WORDS, "why-over"));
        };
        let (forbidden, _) = self.after(seat, text)?;
        let mut moves = self.table.options();
        moves.retain(|mv| *mv != forbidden);
        let record = Shown::read(self.thread);
        let mut rest = Vec::with_capacity(moves.len());
        for (at, mv) in moves.iter().enumerate() {
            let share = budget
                .limits()
                .time
                .map(|time| share(time, at, moves.len()));
            let time = Limits {
                time: share,
                ..Limits::NONE
            };
            rest.push(self.weigh(&record, seat, mv, &budget.within(time))?);
        }
        let best = rest.iter().filter_map(|one| one.worth).max();
        let mut dice = self.table.dice(seat);
        let chosen = match best {
            Some(_) => rest.iter().find(|one| one.worth == best),
            None => dice.pick(&rest),
        };
        let Some(chosen) = chosen else {
            return Err(Illegal::say(&WORDS, "forbid-only"));
        };
        Ok(self.told(seat, &record, (&forbidden, &rest, chosen)))
    }

    /// What the machine makes of one move that remains.
    fn weigh(
        &self,
        record: &Shown<'_>,
        seat: Seat,
        mv: &str,
        budget: &Budget,
    ) -> Result<Rest, Illegal> {
        let (mv, next) = self.after(seat, mv)?;
        let answer = record.of(&mv);
        let known = number(&answer.value).map(Worth::heuristic);
        let exact = answer.is.as_deref() == Some("exact");
        let reason = || {
            let says = answer.reason.as_deref();
            WORDS
                .say(if says.is_some() {
                    "forbid-told"
                } else {
                    "forbid-unweighed"
                })
                .with("move", mv.as_str())
                .with("reason", says.unwrap_or_default())
        };
        if exact || !backs_up(self.thread) || self.game.hidden() {
            let (worth, why) = (known, reason());
            return Ok(Rest { mv, worth, why });
        }
        let (line, value) = if let Some(payoff) = ended(next.as_ref(), seat) {
            (Vec::new(), Some(payoff))
        } else {
            let found = self.forced(next.as_ref(), seat, budget);
            let value = found.value.as_ref().and_then(number);
            (found.line, value.map(Worth::heuristic))
        };
        let Some(worth) = value else {
            let why = reason();
            return Ok(Rest {
                mv,
                worth: known,
                why,
            });
        };
        let why = WORDS
            .say(if line.is_empty() {
                "forbid-worth"
            } else {
                "forbid-answered"
            })
            .with("move", mv.as_str())
            .with("value", worth.to_string())
            .with("reply", line.first().map_or("", String::as_str));
        Ok(Rest {
            mv,
            worth: Some(worth),
            why,
        })
    }

    /// The thread of the new decision.
    fn told(
        &self,
        seat: Seat,
        record: &Shown<'_>,
        (forbidden, rest, chosen): (&str, &[Rest], &Rest),
    ) -> Thread {
        let mut recorder = Recorder::new(STEPS.max(2 * rest.len() + 8));
        let who = self.game.seat_name(seat);
        let backup = if chosen.worth.is_some() {
            Backup::Max
        } else {
            Backup::None
        };
        let mut told = Candidates::open(&mut recorder, who, backup);
        told.skip(1, WORDS.say("forbid-cut").with("move", forbidden));
        for one in rest {
            told.candidate(&one.mv, one.worth, &[], one.why.clone());
        }
        let before = number(&record.of(forbidden).value).map(Worth::heuristic);
        let mut summary = vec![WORDS.say("forbid-done").with("count", rest.len())];
        summary.push(match (chosen.worth, before) {
            (Some(worth), Some(before)) => WORDS
                .say("forbid-instead")
                .with("value", worth.to_string())
                .with("before", before.to_string()),
            (Some(worth), None) => WORDS.say("forbid-best").with("value", worth.to_string()),
            (None, _) => WORDS.say("forbid-luck"),
        });
        let summary = summary.into_iter().map(|says| {
            says.with("chosen", chosen.mv.as_str())
                .with("move", forbidden)
        });
        told.choose(&chosen.mv, chosen.worth, summary);
        let old = &self.thread.header;
        let title = WORDS
            .say("forbid-title")
            .with("title", old.title.as_str())
            .with("move", forbidden);
        let header = ThreadHeader {
            lens: "candidates".to_owned(),
            title: title.to_string(),
            // The recorder writes its own.
            summary: String::new(),
            ..old.clone()
        };
        let mut thread = recorder.finish(&header, &chosen.mv, Lang::spoken());
        crate::check::mark(self.table, &mut thread);
        thread
    }
}

/// The end of the share of a move, from the start of the budget.
fn share(time: Duration, at: usize, of: usize) -> Duration {
    time.mul_f64((at + 1) as f64 / of as f64)
}

/// What a seat has of a match that is over.
fn ended(table: &dyn AnyMatch, seat: Seat) -> Option<Worth> {
    let payoff = table.turn().outcome()?.payoff(seat);
    Some(Worth::heuristic(f64::from(payoff)))
}
