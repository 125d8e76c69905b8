//! The rules of a game: seats, turns, dice, notation, scenes and messages.
#![forbid(unsafe_code)]
