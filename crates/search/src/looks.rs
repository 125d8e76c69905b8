//! What the clock said to a search, look by look, so that the search can run again as it ran.

use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// What the clock said each time a search asked whether its time is up.
///
/// A search is the same every time as long as nobody asks a clock. Who is told at each look what was told the first
/// time does the same again, on whatever machine and under whatever load, watched or not.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Looks {
    /// How often the clock was asked.
    pub count: u64,
    /// The looks at which its answer was another than before, counted from zero; the first answer is *no* unless this
    /// begins with zero.
    pub turns: Vec<u64>,
}

impl Looks {
    /// More turns than this are no search that a clock ends.
    const MOST: usize = 256;

    /// Whether the clock ever said that the time was up.
    pub fn decided(&self) -> bool {
        !self.turns.is_empty()
    }

    /// What the clock said at a look.
    fn said(&self, look: u64) -> bool {
        self.turns.iter().take_while(|&&turn| turn <= look).count() % 2 == 1
    }

    fn note(&mut self, late: bool) {
        if late != self.said(self.count) && self.turns.len() <= Looks::MOST {
            self.turns.push(self.count);
        }
        self.count += 1;
    }
}

/// What happens at the looks of a budget.
#[derive(Debug)]
pub(crate) enum Tape {
    /// They are noted.
    Note(Mutex<Looks>),
    /// They get the answers that were noted.
    Repeat {
        looks: Looks,
        at: Mutex<u64>,
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

    /// One look: `ask` says whether a time has passed, counted from when it is given. A search that looks more often than
    /// the first one did has its whole time from then on.
    pub(crate) fn look(&self, ask: impl FnOnce(Duration) -> bool, now: Duration) -> bool {
        match self {
            Tape::Note(looks) => {
                let mut looks = looks.lock().unwrap_or_else(PoisonError::into_inner);
                let late = ask(Duration::ZERO);
                looks.note(late);
                late
            }
            Tape::Repeat { looks, at, beyond } => {
                let mut at = at.lock().unwrap_or_else(PoisonError::into_inner);
                let look = *at;
                *at += 1;
                if look < looks.count {
                    looks.said(look)
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
        (looks.turns.len() <= Looks::MOST).then(|| looks.clone())
    }
}
