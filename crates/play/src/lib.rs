//! Who sits down and what is written: players, budgets, specs, matches, records, the erased seam.
#![forbid(unsafe_code)]
