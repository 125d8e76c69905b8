//! Programs of others at our tables, in any language.
//!
//! - [`protocol`]: the JSON lines that the house and a program exchange, version [`PROTOCOL`];
//! - [`Process`]: a child process without a shell, with limits, that leaves nothing behind;
//! - [`welcome`]: a catalog in which every game can also be played by `program:run="…"`, and Othello
//!   by engines that speak GTP or `NBoard`;
//! - [`supervise`]: what a hidden verb of the binary does between the house and a program;
//! - [`answered`]: what a program elsewhere answered, as a player that answers it again;
//! - [`trial`]: plays the contract against a program and says what to mend.
//!
//! The protocol for authors of programs is described in `docs/bots.md`.
#![forbid(unsafe_code)]

mod answered;
mod command;
mod engines;
mod guests;
mod listen;
mod player;
mod process;
pub mod protocol;
mod supervise;
mod telling;
mod tree;
pub mod trial;

pub use answered::answered;
pub use command::{BadCommand, split};
pub use guests::{Admission, welcome};
pub use player::{first_turn, illegal, own_seed, unreadable};
pub use process::{Ended, Heard, Launch, Process};
pub use protocol::{MOST_LEGAL, MOST_LINE, PROTOCOL};
pub use supervise::{SUPERVISOR, supervise};

/// The words of programs and their faults.
pub static WORDS: wits_game::Book = wits_game::Book::new(
    "bots",
    &[
        (wits_game::Lang::En, include_str!("../texts/en.txt")),
        (wits_game::Lang::Pl, include_str!("../texts/pl.txt")),
        (wits_game::Lang::Cs, include_str!("../texts/cs.txt")),
    ],
);
