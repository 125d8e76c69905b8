//! Journeys and tours on real timetables, with proof and with the search made visible.
#![forbid(unsafe_code)]
