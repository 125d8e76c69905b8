//! Journeys through the house in a real browser: chromium by chromedriver.
//!
//! They run with `WITS_REQUIRE_BROWSER=1`, and fail where there is no browser; `WITS_AXE` names
//! axe-core's script, which then looks at every page; screenshots are kept in `target/screenshots`.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test says when it skips, and fails when it cannot go on"
)]

mod arena;
mod bots;
#[path = "../common/mod.rs"]
mod common;
mod crawl;
mod deeds;
mod driver;
mod ends;
mod expert;
mod faces;
mod journeys;
mod languages;
mod learn;
mod lessons;
mod matchbox;
mod othello;
mod people;
mod pictures;
mod rainbow;
mod scrabble_room;
mod scratchpad;
mod seen;
mod threads;
mod thue;
mod transit;
mod webdriver;
