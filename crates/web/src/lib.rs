//! The front door: a small server on loopback that lets people play, watch and resume games.
//!
//! - [`Config`] and [`serve`]: start it; [`Door`] is a server that tests can hold;
//! - `table`, `tables`: games that are being played, loaded from the store and written to it before
//!   anything is acknowledged;
//! - `engine`: machines think on their own threads, behind two fair queues;
//! - `think`: questions of rooms, answered on those threads; `sandbox`: work on what visitors
//!   send, in processes of its own;
//! - `guard`: what every request must respect, and what every answer carries; `rate` counts, `seal`
//!   signs sessions and invites, `patient` and `streams` keep places from being held for nothing;
//! - `log`: refusals, kills and requests as lines; `metrics`: figures for operators;
//! - `bots`: programs of visitors that sit down over HTTP;
//! - `own`: whose things are whose, and how much visitors keep; `gate`: whether new work is taken;
//! - `lang`: in which language somebody is answered;
//! - `pages`: HTML from Rust that works as plain forms; `assets/` makes it lively;
//! - `lessons`: guided pages that run the machines; `docs`: the manual; `glossary`: words in three
//!   languages; `markdown`: texts as pages;
//! - `told`: errors of libraries in the reader's language;
//! - `desk`: verbs that rooms describe, as pages and for scripts; `recent`: what was made lately;
//! - `rooms`: what is special to a room, one file each.
#![forbid(unsafe_code)]

mod app;
mod assets;
mod bots;
mod desk;
mod docs;
mod ending;
mod engine;
mod fault;
mod gate;
mod glossary;
mod guard;
mod keep;
mod lang;
mod lessons;
mod log;
mod markdown;
mod metrics;
mod own;
mod pages;
mod patient;
mod rate;
mod recent;
mod rooms;
mod routes;
mod sandbox;
mod seal;
mod server;
mod snapshot;
mod streams;
mod table;
mod tables;
#[cfg(feature = "testing")]
pub mod testing;
mod think;
mod told;
mod uploads;
mod visitor;
mod without;

pub use app::{App, Config};
pub use engine::{Account, Engine, Job, Urgency};
pub use fault::Fault;
pub use log::{Flush, Logs};
pub use own::Quotas;
pub use rate::{Rate, Rates};
pub use sandbox::{SANDBOX, sandbox};
pub use seal::{invitation, operator_secret};
pub use server::{Door, serve};

/// The words of the pages.
pub static WORDS: wits_game::Book = wits_game::Book::new(
    "web",
    &[
        (wits_game::Lang::En, include_str!("../texts/en.txt")),
        (wits_game::Lang::Pl, include_str!("../texts/pl.txt")),
        (wits_game::Lang::Cs, include_str!("../texts/cs.txt")),
    ],
);
