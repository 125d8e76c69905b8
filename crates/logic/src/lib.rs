//! A Prolog core that can stop, ask, explain and be watched.
#![forbid(unsafe_code)]
