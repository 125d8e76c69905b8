//! One contract for every database: the laws, a plain model, kills and other trouble.
#![allow(
    clippy::doc_markdown,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::unwrap_used
)]

mod files;
mod ground;
mod kills;
mod laws;
mod model;
mod owners;
#[cfg(feature = "postgres")]
mod postgres;
#[cfg(feature = "postgres")]
mod server;
mod trouble;
mod upgrade;

use ground::Ground;

#[test]
fn memory_keeps_the_contract() {
    laws::check(Ground::memory);
    model::check(Ground::memory, 60);
}

#[test]
fn a_file_keeps_the_contract() {
    laws::check(Ground::file);
    model::check(Ground::file, 12);
    kills::check(&Ground::file(), 25);
}

#[cfg(feature = "postgres")]
#[test]
fn postgres_keeps_the_contract() {
    let Some(server) = server::shared() else {
        return;
    };
    laws::check(|| server.ground());
    model::check(|| server.ground(), 12);
    kills::check(&server.ground(), 10);
}
