//! What can go wrong, with what to do next.

use std::borrow::Cow;

use wits_play::Refusal;

/// Why a tournament cannot be made, continued or kept. What was stored stays stored.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArenaError {
    /// The file is not a tournament.
    #[error("`{name}` is not a tournament: {detail}")]
    File {
        /// The name of the file, or of what stands for it.
        name: String,
        /// What the reader says, with line and column.
        detail: String,
    },
    /// Something in a tournament makes no sense.
    #[error("{what}")]
    Bad {
        /// What is wrong.
        what: String,
        /// What to do next.
        hint: String,
    },
    /// A game or a player that cannot be used.
    #[error("{}: {}", .place, .error.why)]
    Spec {
        /// Which entry of the tournament.
        place: String,
        /// What is wrong with it.
        error: Box<Refusal>,
    },
    /// The run was begun with another tournament under the same name.
    #[error(
        "`{name}` was begun with another {what}, and {results} results of it are kept; they are not mixed"
    )]
    Changed {
        /// The name of the run.
        name: String,
        /// What is different, in words.
        what: String,
        /// How many results there are.
        results: u64,
    },
    /// There is no such run.
    #[error("no tournament `{name}` is kept here")]
    Unknown {
        /// The name that was asked for.
        name: String,
        /// Those that are.
        known: Vec<String>,
    },
    /// A job could not be played at all.
    #[error("a job could not be played: {0}")]
    Refused(#[from] crate::Refused),
    /// The queue did not do its part.
    #[error("{0}")]
    Queue(#[from] wits_queue::QueueError),
    /// Somebody else leads this run.
    #[error("another coordinator leads `{name}` already")]
    Led {
        /// The name of the run.
        name: String,
    },
    /// The database did not do its part.
    #[error("{0}")]
    Store(#[from] wits_store::Error),
}

impl ArenaError {
    pub(crate) fn spec(place: impl Into<String>, error: Refusal) -> ArenaError {
        ArenaError::Spec {
            place: place.into(),
            error: Box::new(error),
        }
    }

    pub(crate) fn bad(what: impl Into<String>, hint: impl Into<String>) -> ArenaError {
        ArenaError::Bad {
            what: what.into(),
            hint: hint.into(),
        }
    }

    /// A short word for scripts.
    pub fn code(&self) -> Cow<'static, str> {
        let word = match self {
            ArenaError::File { .. } => "bad-file",
            ArenaError::Bad { .. } => "bad-tournament",
            ArenaError::Spec { error, .. } => return error.code.clone(),
            ArenaError::Changed { .. } => "changed",
            ArenaError::Unknown { .. } => "unknown-tournament",
            ArenaError::Refused(_) => "refused",
            ArenaError::Queue(error) => error.code(),
            ArenaError::Led { .. } => "led",
            ArenaError::Store(_) => "store",
        };
        Cow::Borrowed(word)
    }

    /// What to do next.
    pub fn hint(&self) -> String {
        match self {
            ArenaError::File { .. } => {
                "mend the line; docs/arena.md lists every key with an example".to_owned()
            }
            ArenaError::Bad { hint, .. } => hint.clone(),
            ArenaError::Spec { error, .. } => error.hint.to_string(),
            ArenaError::Changed { name, .. } => format!(
                "go on with the file as it was, or start anew with `--anew` (forgets the results of `{name}`), or beside it with `--name OTHER`"
            ),
            ArenaError::Unknown { known, .. } if known.is_empty() => {
                "none was begun yet; start one with `wits arena run FILE`".to_owned()
            }
            ArenaError::Unknown { known, .. } => format!("there are: {}", known.join(", ")),
            ArenaError::Refused(_) => "results so far are kept; run it again to go on".to_owned(),
            ArenaError::Queue(error) => error.hint().to_owned(),
            ArenaError::Led { name } => format!(
                "let it go on, or stop it with `wits arena stop {name} --nats URL` and start this one again"
            ),
            ArenaError::Store(_) => {
                "results so far are kept; run it again to go on, with another place by `--data` if this one is lost".to_owned()
            }
        }
    }
}
