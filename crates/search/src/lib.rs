//! Searching: paths, trees, local search and evolution, each in one short file that a student can read.
//!
//! Every algorithm here is generic over what it searches, ends inside its [`Budget`], and can be
//! followed: it tells each step to a [`Watch`]. The empty watcher `()` compiles to nothing; a
//! [`Recorder`] turns the same run into a [`Thread`] that the page replays. Watched or not, the
//! same seed gives the same choice.
#![forbid(unsafe_code)]

pub mod budget;
pub mod candidates;
pub mod evolve;
pub mod local;
pub mod looks;
pub mod path;
pub mod recorder;
pub mod step;
pub mod summary;
pub mod thread;
pub mod tree;
pub mod watch;
pub mod worth;

pub use budget::{Budget, Gate, Limits};
pub use candidates::Candidates;
pub use looks::Looks;
pub use recorder::{Recorder, sampled};
pub use step::{Kind, Step};
pub use summary::{Backup, Summary};
pub use thread::{Footer, Line, Sample, Thread, ThreadError, ThreadFault, ThreadHeader};
pub use watch::{Live, Watch};
pub use worth::{Proof, Unit, Worth};

/// The words of the searches: what their threads say, step by step.
pub static WORDS: wits_game::Book = wits_game::Book::new(
    "search",
    &[
        (wits_game::Lang::En, include_str!("../texts/en.txt")),
        (wits_game::Lang::Pl, include_str!("../texts/pl.txt")),
        (wits_game::Lang::Cs, include_str!("../texts/cs.txt")),
    ],
);

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
