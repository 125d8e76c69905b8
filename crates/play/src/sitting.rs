//! What a decision does at a table: the one place where moves, clocks, ends and breakdowns meet.
//!
//! Whoever leads a game (a runner of machines, a terminal, a server) measures the time and shows the
//! game; what a move, a late move or a breakdown comes to is decided here, so that it is the same
//! everywhere.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use wits_game::{End, Eyes, Illegal, Seat, Turn};

use crate::{AnyDesk, AnyGame, AnyMatch, AnyPlayer, Choice, Clock, TimeControl};

/// What a machine did that ended its game at once, with a sentence for its author where there is one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// It played what the rules refuse.
    Illegal(String),
    /// It broke down.
    Crash(String),
    /// It ran out of time.
    Late(String),
    /// It said nothing.
    Silent(String),
    /// It went away.
    Disconnected(String),
    /// It said what nobody understands.
    Unreadable(String),
}

/// The word for a fault: what everybody may know of it, and a record keeps.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FaultName {
    /// See [`Fault::Illegal`].
    Illegal,
    /// See [`Fault::Crash`].
    Crashed,
    /// See [`Fault::Late`].
    Late,
    /// See [`Fault::Silent`].
    Silent,
    /// See [`Fault::Disconnected`].
    Disconnected,
    /// See [`Fault::Unreadable`].
    Unreadable,
}

impl FaultName {
    /// The key of the sentence that tells how the game ended.
    pub(crate) const fn sentence(self) -> &'static str {
        match self {
            FaultName::Illegal => "lost-illegal",
            FaultName::Crashed => "lost-crashed",
            FaultName::Late => "lost-late",
            FaultName::Silent => "lost-silent",
            FaultName::Disconnected => "lost-disconnected",
            FaultName::Unreadable => "lost-unreadable",
        }
    }

    /// The word, as tables and scripts use it.
    pub const fn word(self) -> &'static str {
        match self {
            FaultName::Illegal => "illegal",
            FaultName::Crashed => "crashed",
            FaultName::Late => "late",
            FaultName::Silent => "silent",
            FaultName::Disconnected => "disconnected",
            FaultName::Unreadable => "unreadable",
        }
    }
}

impl Fault {
    /// Which fault it is, without the sentence.
    pub const fn named(&self) -> FaultName {
        match self {
            Fault::Illegal(_) => FaultName::Illegal,
            Fault::Crash(_) => FaultName::Crashed,
            Fault::Late(_) => FaultName::Late,
            Fault::Silent(_) => FaultName::Silent,
            Fault::Disconnected(_) => FaultName::Disconnected,
            Fault::Unreadable(_) => FaultName::Unreadable,
        }
    }

    /// The word for it, as tables and scripts use it.
    pub const fn name(&self) -> &'static str {
        self.named().word()
    }

    /// The sentence; empty where the word says it all.
    pub fn why(&self) -> &str {
        match self {
            Fault::Illegal(why)
            | Fault::Crash(why)
            | Fault::Late(why)
            | Fault::Silent(why)
            | Fault::Disconnected(why)
            | Fault::Unreadable(why) => why,
        }
    }

    /// The same fault with another sentence.
    pub fn map(mut self, change: impl FnOnce(String) -> String) -> Fault {
        let why = match &mut self {
            Fault::Illegal(why)
            | Fault::Crash(why)
            | Fault::Late(why)
            | Fault::Silent(why)
            | Fault::Disconnected(why)
            | Fault::Unreadable(why) => why,
        };
        *why = change(std::mem::take(why));
        self
    }
}

/// What a machine says of its last decision that its choice does not show.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Account {
    /// What its clock is charged, where that is not the time that went by.
    pub time: Option<Duration>,
    /// Why it could not choose.
    pub fault: Option<Fault>,
}

/// A table at which somebody is to decide.
pub struct Sitting<'a> {
    /// The rules.
    pub game: &'a dyn AnyGame,
    /// What happened so far.
    pub table: &'a mut dyn AnyMatch,
    /// What is left of everybody's time.
    pub clock: &'a mut Clock,
    /// Whether it is written down how long each decision took: not in games that must be the same
    /// whenever they are played again.
    pub timed: bool,
}

impl Sitting<'_> {
    fn over(&self) -> bool {
        matches!(self.table.turn(), Turn::Over(_))
    }

    /// The time of a seat has run out: the rules say what happens. True if it is given more.
    pub fn flag(&mut self, seat: Seat) -> Result<bool, Illegal> {
        self.table.end(seat, End::Flagged)?;
        self.clock.spend(seat, Duration::MAX);
        let grace = self.game.grace();
        self.clock.grant(seat, grace);
        Ok(!grace.is_zero() && !self.over() && self.table.turn() == Turn::Of(seat))
    }

    /// A seat moves after it thought this long. Who is late and is given more time for a price pays it,
    /// and then the move counts. What is not legal changes nothing unless the seat was late.
    pub fn play(&mut self, seat: Seat, text: &str, thought: Duration) -> Result<(), Illegal> {
        let mut thought = thought;
        while let Some(left) = self.clock.left(seat).filter(|left| thought > *left) {
            if !self.flag(seat)? {
                return Ok(());
            }
            // What was thought beyond the time is part of what was given.
            thought = thought.saturating_sub(left);
        }
        let ms = self.timed.then_some(thought.as_millis() as u64);
        self.table.play(seat, text, ms)?;
        self.clock.spend(seat, thought);
        Ok(())
    }

    /// A machine decided, or broke down, after it thought this long. What ended its game at once is
    /// named at the table and given back; that some rules let a game go on when a seat was late is no fault.
    pub fn decide(
        &mut self,
        seat: Seat,
        choice: Result<Choice<String>, Fault>,
        thought: Duration,
    ) -> Option<Fault> {
        let fault = self.come_to(seat, choice, thought);
        if let Some(fault) = &fault {
            self.table.blame(seat, fault.named());
        }
        fault
    }

    fn come_to(
        &mut self,
        seat: Seat,
        choice: Result<Choice<String>, Fault>,
        thought: Duration,
    ) -> Option<Fault> {
        let refused = match choice {
            Ok(Choice::Move(text)) => match self.play(seat, &text, thought) {
                Ok(()) => {
                    let flagged = matches!(self.table.events().last(), Some(crate::Event::Flag { seat: late, .. }) if *late == seat);
                    return (flagged && self.over()).then(|| Fault::Late(String::new()));
                }
                Err(why) => Some(Fault::Illegal(why.to_string())),
            },
            Ok(Choice::Resign) => None,
            Err(fault @ Fault::Late(_)) => {
                // The rules may make a move in its place; it has lost all the same.
                let _ = self.flag(seat);
                Some(fault)
            }
            Err(fault) => Some(fault),
        };
        let _ = self.table.end(seat, End::Resigned);
        refused
    }
}

impl Clock {
    /// What the clocks show after what happened in a match.
    pub fn after(control: TimeControl, game: &dyn AnyGame, table: &dyn AnyMatch) -> Clock {
        let mut clock = Clock::new(control, game.seats());
        for told in table.told(Eyes::All) {
            match (told.seat, told.ms) {
                (Some(seat), Some(ms)) => {
                    clock.spend(seat, Duration::from_millis(ms));
                }
                // Nobody measured: the time ran out, and the rules let the game go on.
                (Some(seat), None) => {
                    clock.spend(seat, Duration::MAX);
                    clock.grant(seat, game.grace());
                }
                _ => {}
            }
        }
        clock
    }
}

/// Asks a machine, and survives it: a panic in a player ends its game, not the program. Gives what it
/// chose, or why it could not, and what its clock is charged.
pub fn ask(
    player: &mut dyn AnyPlayer,
    table: &dyn AnyMatch,
    desk: AnyDesk<'_>,
) -> (Result<Choice<String>, Fault>, Duration) {
    let budget = desk.budget.clone();
    let choice = catch_unwind(AssertUnwindSafe(|| player.choose(table, desk)));
    let account = player.account();
    let time = account.time.unwrap_or_else(|| budget.elapsed());
    let choice = match (choice, account.fault) {
        (Ok(_), Some(fault)) => Err(fault),
        (Ok(choice), None) => Ok(choice),
        (Err(cause), _) => {
            let text = cause.downcast_ref::<String>().cloned();
            let text = text.or_else(|| cause.downcast_ref::<&str>().map(|s| (*s).to_owned()));
            Err(Fault::Crash(text.unwrap_or_default()))
        }
    };
    (choice, time)
}
