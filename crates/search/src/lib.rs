//! Paths, trees, local search and evolution: generic, budgeted, watchable.
#![forbid(unsafe_code)]
