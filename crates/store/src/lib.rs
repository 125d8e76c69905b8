//! Where sessions, results and scores are kept: SQLite by default, PostgreSQL behind a feature.
#![forbid(unsafe_code)]
