//! What the room says to people.

use wits_game::{Book, Lang, Message};

/// The words of the expert room.
pub static WORDS: Book = Book::new(
    "expert",
    &[
        (Lang::En, include_str!("../texts/en.txt")),
        (Lang::Pl, include_str!("../texts/pl.txt")),
        (Lang::Cs, include_str!("../texts/cs.txt")),
    ],
);

/// Puts a text in quotes.
pub(crate) fn quoted(text: &str) -> Message {
    WORDS.say("quoted").with("text", text)
}
