//! Every test of this crate from the outside, in one program: linking costs more than running.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod bot_games;
mod bots;
mod desk;
mod house;
mod journeys;
mod languages;
mod learn;
mod lessons;
mod matchbox;
mod othello;
mod scrabble;
mod scratchpad;
mod searches;
mod tables;
mod threads;
mod timetables;
mod transit;
