//! A move that the rules refuse.

use std::fmt;

use crate::{Book, Message};

/// Why a move or a position is refused: the rule, in words for the player.
///
/// The position is never touched by a refused move, so the caller goes on with what it had.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Illegal(Message);

impl Illegal {
    /// A refusal with the sentence a player reads.
    pub fn new(why: Message) -> Self {
        Illegal(why)
    }

    /// A refusal whose sentence is a key of a room's book, with no arguments.
    pub fn say(book: &'static Book, key: &'static str) -> Self {
        Illegal(book.say(key))
    }

    /// The sentence.
    pub fn why(&self) -> &Message {
        &self.0
    }
}

impl From<Message> for Illegal {
    fn from(why: Message) -> Self {
        Illegal(why)
    }
}

impl fmt::Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Illegal {}
