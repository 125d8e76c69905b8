//! Sitting down to play: who may sit, what they may spend, what is written down.
//!
//! - [`Spec`] and [`Param`]: games and players as text, with documented, typed parameters;
//! - [`Player`], [`Desk`], [`Thought`]: anyone who can sit down, and what they have before them;
//! - [`Match`], [`Record`], [`Event`]: one game as an append-only list of events that replays exactly;
//! - [`Entry`]: a game with its players, as the catalog lists it;
//! - [`AnyEntry`], [`AnyGame`], [`AnyMatch`], [`AnyPlayer`]: the one erased seam. Inside a room
//!   everything is typed; at the door a move is the text that players write. The bridge is written
//!   once, here, for every game;
//! - [`check`](mod@check): replays a thread with the rules alone; [`Decision::why_not`] answers *why not that one?*; [`Review`] looks through a game;
//! - [`contract`]: the laws that every entry of the catalog keeps.
#![forbid(unsafe_code)]

mod any;
pub mod check;
mod clock;
pub mod contract;
mod desk;
mod entry;
mod follow;
mod forbid;
mod matches;
mod player;
mod position;
mod record;
mod review;
mod runner;
mod searchers;
mod series;
mod sitting;
mod thought;
#[cfg(feature = "toys")]
pub mod toys;
mod why_not;

pub use any::{
    AnyDesk, AnyEntry, AnyGame, AnyMatch, AnyPlayer, Catalog, PlayerCard, Told, unknown_player,
};
pub use clock::{Clock, TimeControl};
pub use desk::{Choice, Desk};
pub use entry::{Comparison, Entry, PlayerEntry, Roles};
pub use follow::check_decision;
pub use matches::Match;
pub use player::{Player, Random, Seen};
pub use position::{after, position};
pub use record::{BadRecord, Event, Header, RECORD_VERSION, Record};
pub use review::{Remark, Review, Slip};
pub use runner::{Finished, Runner};
pub use searchers::{SearchDefaults, each_root};
pub use series::{Played, Series, Tally, wilson};
pub use sitting::{Account, Fault, FaultName, Sitting, ask};
pub use thought::{Line, Thought};
pub use why_not::{Decision, WhyNot};

pub use wits_desk::{Args, Item, Param, ParamKind, Refusal, Shelf, Spec, Value, nearest};
pub use wits_search::{Backup, Budget, Candidates, Limits, Proof, Recorder, Unit, Worth};

/// The words of specs, players and records.
pub static WORDS: wits_game::Book = wits_game::Book::new(
    "play",
    &[
        (wits_game::Lang::En, include_str!("../texts/en.txt")),
        (wits_game::Lang::Pl, include_str!("../texts/pl.txt")),
        (wits_game::Lang::Cs, include_str!("../texts/cs.txt")),
    ],
);

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
