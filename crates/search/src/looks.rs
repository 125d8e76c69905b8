//! What the clock said to a search, look by look, so that the search can run again as it ran.

use std::collections::BTreeMap;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// What the clock said each time a search asked whether a time has passed.
///
/// A search is the same every time as long as nobody asks a clock. Who is told at each look what was told the first
/// time does the same again, on whatever machine and under whatever load, watched or not.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Looks {
    /// For each time that was asked for, in microseconds: whoever asks for two in turn hears *yes* and *no* in turn.
    times: BTreeMap<u64, Answers>,
}

/// What the clock said of one time.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
struct Answers {
    /// How often the clock was asked.
    count: u64,
    /// The looks at which its answer was another than before, counted from zero; the first answer is *no* unless this
    /// begins with zero.
    turns: Vec<u64>,
}

impl Answers {
    /// More turns than this are no search that a clock ends.
    const MOST: usize = 256;

    /// What the clock said at a look.
    fn said(&self, look: u64) -> bool {
        self.turns.iter().take_while(|&&turn| turn <= look).count() % 2 == 1
    }

    fn note(&mut self, late: bool) {
        if late != self.said(self.count) && self.turns.len() <= Answers::MOST {
            self.turns.push(self.count);
        }
        self.count += 1;
    }
}

impl Looks {
    /// Whether the clock ever said that a time was up.
    pub fn decided(&self) -> bool {
        self.times.values().any(|answers| !answers.turns.is_empty())
    }
}

/// A time as a key.
fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

/// What happens at the looks of a budget.
#[derive(Debug)]
pub(crate) enum Tape {
    /// They are noted.
    Note(Mutex<Looks>),
    /// They get the answers that were noted.
    Repeat {
        looks: Looks,
        /// How often each time was asked for until now.
        at: Mutex<BTreeMap<u64, u64>>,
        /// When the noted answers were used up.
        beyond: OnceLock<Duration>,
    },
}

impl Tape {
    pub(crate) fn note() -> Tape {
        Tape::Note(Mutex::default())
    }

    pub(crate) fn repeat(looks: Looks) -> Tape {
        Tape::Repeat {
            looks,
            at: Mutex::default(),
            beyond: OnceLock::new(),
        }
    }

    /// One look: whether a time has passed. A search that looks more often than the first one did has its whole time from
    /// then on.
    pub(crate) fn look(&self, time: Duration, now: Duration) -> bool {
        let ask = |since: Duration| now.saturating_sub(since) >= time;
        match self {
            Tape::Note(looks) => {
                let mut looks = looks.lock().unwrap_or_else(PoisonError::into_inner);
                let late = ask(Duration::ZERO);
                looks.times.entry(micros(time)).or_default().note(late);
                late
            }
            Tape::Repeat { looks, at, beyond } => {
                let mut at = at.lock().unwrap_or_else(PoisonError::into_inner);
                let at = at.entry(micros(time)).or_default();
                let look = *at;
                *at += 1;
                let answers = looks.times.get(&micros(time));
                if let Some(answers) = answers.filter(|answers| look < answers.count) {
                    answers.said(look)
                } else {
                    ask(*beyond.get_or_init(|| now))
                }
            }
        }
    }

    /// What was noted; nothing if it cannot be repeated.
    pub(crate) fn noted(&self) -> Option<Looks> {
        let Tape::Note(looks) = self else { return None };
        let looks = looks.lock().unwrap_or_else(PoisonError::into_inner);
        let few = |answers: &Answers| answers.turns.len() <= Answers::MOST;
        looks.times.values().all(few).then(|| looks.clone())
    }
}
