//! Waiting for an answer: what a program may use meanwhile, and what it did when it used more.

use std::time::Duration;

use wits_play::Fault;
use wits_search::{Budget, Limits};

use crate::{Ended, Heard, Process, WORDS};

/// How often a program that thinks is looked after.
const LOOK: Duration = Duration::from_millis(20);
/// How long a program that is at fault may take to end by itself, so that its last words are heard.
const LAST_WORDS: Duration = Duration::from_millis(300);
/// A program may take so many times its processor time by the clock on the wall.
const WALL: u32 = 10;

/// Who used more than this was working; less may be the counting of the system in hundredths.
const BUSY: Duration = Duration::from_millis(50);

/// How much of an author's line is shown.
const SHOWN: usize = 300;

/// What an answer may cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    /// Processor time; nothing where there is no clock.
    pub(crate) cpu: Option<Duration>,
    /// Time by the clock on the wall.
    pub(crate) wall: Duration,
    /// Bytes of memory.
    pub(crate) memory: u64,
}

impl Patience {
    /// For a decision inside a budget: its time in processor time, or else silence for at most so long.
    pub(crate) fn of(budget: &Budget, silence: Duration, memory: u64) -> Patience {
        let cpu = budget.limits().time;
        Patience {
            cpu,
            wall: cpu.map_or(silence, |time| time * WALL),
            memory,
        }
    }
}

/// Something came, or somebody stopped the game.
pub(crate) enum Answer {
    Line(String),
    Stopped,
}

/// A program that is being listened to.
pub(crate) struct Listener {
    pub(crate) process: Process,
    /// The processor time that was charged already.
    mark: Duration,
}

impl Listener {
    /// What was used so far is free.
    pub(crate) fn new(process: Process) -> Listener {
        let mut listener = Listener {
            process,
            mark: Duration::ZERO,
        };
        listener.charge(Duration::ZERO);
        listener
    }

    /// What was used since the last charge; by the clock on the wall where the system does not tell.
    pub(crate) fn charge(&mut self, wall: Duration) -> Duration {
        let Some(now) = self.process.cpu() else {
            return wall;
        };
        let used = now.saturating_sub(self.mark);
        self.mark = self.mark.max(now);
        used
    }

    /// The next line within the patience.
    pub(crate) fn line(&self, patience: &Patience, stop: &Budget) -> Result<Answer, Fault> {
        let wall = Budget::start(Limits::time(patience.wall));
        loop {
            match self.process.hear(LOOK) {
                Heard::Line(line) => return Ok(Answer::Line(line)),
                Heard::Nothing => {}
                Heard::End => return Err(Fault::Crash(String::new())),
                Heard::TooLong => {
                    let why = WORDS.say("line-too-long").with("most", crate::MOST_LINE);
                    return Err(Fault::Unreadable(why.to_string()));
                }
                Heard::NotText => {
                    return Err(Fault::Unreadable(WORDS.say("line-not-text").to_string()));
                }
            }
            if stop.stopped() {
                return Ok(Answer::Stopped);
            }
            let used = self.process.cpu().map(|now| now.saturating_sub(self.mark));
            if let Some(fault) = late(used.unwrap_or(Duration::ZERO), patience.cpu) {
                return Err(fault);
            }
            if self.process.memory() > patience.memory {
                let why = WORDS.say("too-much-memory");
                let why = why.with("most", patience.memory >> 20);
                return Err(Fault::Crash(why.to_string()));
            }
            if wall.late() {
                let ms = millis(patience.wall);
                let used = used.unwrap_or(Duration::ZERO);
                // Who works where others leave it little of the machine is slow, and not silent.
                if patience
                    .cpu
                    .is_some_and(|left| used > (left / WALL).max(BUSY))
                {
                    let why = WORDS.say("late-wall").with("used", millis(used));
                    return Err(Fault::Late(why.with("ms", ms).to_string()));
                }
                let why = WORDS.say("silent").with("ms", ms);
                return Err(Fault::Silent(why.to_string()));
            }
        }
    }

    /// Ends the program after a fault. What its author needs is added: how it ended, and its last words.
    pub(crate) fn blame(self, fault: Fault) -> Fault {
        let ended = self.process.end(LAST_WORDS);
        match fault {
            Fault::Crash(why) if why.is_empty() => {
                Fault::Crash(with_errors(ended.crash().to_string(), &ended))
            }
            other => other.map(|why| with_errors(why, &ended)),
        }
    }
}

fn millis(time: Duration) -> u64 {
    time.as_millis() as u64
}

/// Whether more was used than is left.
pub(crate) fn late(used: Duration, left: Option<Duration>) -> Option<Fault> {
    let left = left.filter(|left| used > *left)?;
    let why = WORDS.say("late").with("used", millis(used));
    Some(Fault::Late(why.with("left", millis(left)).to_string()))
}

/// A sentence, with the end of standard error on the lines behind it.
fn with_errors(why: String, ended: &Ended) -> String {
    if ended.last_words().is_none() {
        return why;
    }
    let errors = ended.errors.trim();
    format!("{why}\n{}\n{errors}", WORDS.say("errors"))
}

/// An author's line, cut where it is long.
pub(crate) fn shown(line: &str) -> String {
    let cut: String = line.chars().take(SHOWN).collect();
    if cut.len() < line.len() {
        cut + "…"
    } else {
        cut
    }
}
