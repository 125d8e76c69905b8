//! What was said, and how the conversation stood after each word: the past that undo needs.

use serde::{Deserialize, Serialize};

use crate::answers::Reply;
use crate::base::Base;
use crate::dialogue::{Misfit, Session};

/// One thing a user says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Said {
    /// An entry of the menu, or `symptoms`.
    Choose(String),
    /// The answer to a question.
    Reply(String, Reply),
    /// Whether the advice helped.
    Judge(bool),
    /// Another answer to an earlier question.
    Change(String, Reply),
    /// Back to the first menu with all answers kept.
    Reopen,
    /// The last thing back.
    Undo,
    /// From the beginning, with the base as it is now.
    Restart,
    /// The answers that still fit, on the base as it is now.
    Replay,
}

/// Something said, with the session as it stood afterwards. A list of these is all that has to be
/// kept: it can be read back without the base.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moment {
    /// What was said.
    pub said: Said,
    /// How it stood then.
    pub session: Session,
}

/// A conversation with its past.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct History {
    first: Session,
    /// States that an undo can reach, the current one last.
    stack: Vec<Session>,
}

impl History {
    /// A conversation that has just begun.
    pub fn new(first: Session) -> History {
        History {
            first,
            stack: Vec::new(),
        }
    }

    /// How it stands.
    pub fn now(&self) -> &Session {
        self.stack.last().unwrap_or(&self.first)
    }

    /// Whether something can be taken back.
    pub fn can_undo(&self) -> bool {
        !self.stack.is_empty()
    }

    /// Takes in what was said and kept before.
    pub fn recall(&mut self, moment: Moment) {
        if moment.said == Said::Undo {
            self.stack.pop();
        } else {
            self.stack.push(moment.session);
        }
    }

    /// What a word would make of the conversation; nothing changes until it is [recalled].
    ///
    /// # Errors
    /// When it does not fit.
    ///
    /// [recalled]: History::recall
    pub fn hear(&self, base: &Base, said: Said) -> Result<Moment, Misfit> {
        let mut next = self.now().clone();
        match &said {
            Said::Choose(id) => next.choose(base, id)?,
            Said::Reply(question, reply) => next.reply_to(base, question, reply.clone())?,
            Said::Judge(helped) => next.judge(base, *helped)?,
            Said::Change(question, reply) => {
                next.turn(base)?;
                next.change(base, question, reply.clone())?;
            }
            Said::Reopen => {
                next.turn(base)?;
                next.reopen();
            }
            Said::Undo => match self.stack.len() {
                0 => return Err(Misfit::NothingToUndo),
                1 => next = self.first.clone(),
                n => next = self.stack[n - 2].clone(),
            },
            Said::Restart => next = Session::new(base),
            Said::Replay => next = next.replay(base),
        }
        Ok(Moment {
            said,
            session: next,
        })
    }
}
