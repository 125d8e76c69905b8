//! Protections taken out, one row of `docs/security.md` at a time, to see that its test fails.

use std::sync::LazyLock;
use std::time::Duration;

use wits_play::Limits;
use wits_sandbox::Caps;

use crate::Config;

/// The row that `WITS_WITHOUT` names.
static ROW: LazyLock<Option<String>> = LazyLock::new(|| std::env::var("WITS_WITHOUT").ok());

/// Whether the protections behind a row are taken out. Programs built for release have no such
/// switch.
pub(crate) fn without(row: &str) -> bool {
    cfg!(debug_assertions) && ROW.as_deref() == Some(row)
}

/// What a job in a sandbox may cost. Without limits of memory it still has some, for the sake of
/// the machine that runs the test; they are three times what the test allows.
pub(crate) fn caps(mut caps: Caps) -> Caps {
    if without("endless-goals") || without("greedy-goals") {
        caps.millis = 3_600_000;
    }
    if ["greedy-goals", "crafted-timetables", "zip-bombs"]
        .into_iter()
        .any(without)
    {
        caps.memory = 3 << 30;
    }
    caps
}

/// Whether jobs are ended before their time when nobody waits for them any more.
pub(crate) fn stops_jobs() -> bool {
    !["endless-goals", "greedy-goals", "grid-stop"]
        .into_iter()
        .any(without)
}

/// Whether searches give up their place when others wait.
pub(crate) fn yields() -> bool {
    !without("dear-machines") && !without("everything-at-once")
}

/// How a server is set up.
pub(crate) fn config(mut config: Config) -> Config {
    if without("nameless-feeds") {
        config.quotas.kept.address_bytes = u64::MAX >> 1;
    }
    if without("dear-machines") || without("everything-at-once") {
        config.seat = (u64::MAX, f64::INFINITY);
    }
    if without("everything-at-once") {
        config.thinking = Limits::NONE;
        config.presence = Duration::from_hours(1);
    }
    config
}
