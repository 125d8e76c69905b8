//! Whether the house takes new work, and how it is closed from inside.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use axum::http::StatusCode;
use tokio::sync::Notify;

use crate::{Fault, WORDS};

/// The gate of the house.
#[derive(Debug, Default)]
pub(crate) struct Gate {
    closed: AtomicBool,
    end: Notify,
    refusals: AtomicU64,
}

impl Gate {
    /// Whether new work is taken; what is under way goes on.
    pub(crate) fn admit(&self) -> Result<(), Fault> {
        if !self.is_closed() {
            return Ok(());
        }
        let (why, hint) = (WORDS.say("house-closed"), WORDS.say("house-closed-hint"));
        let status = StatusCode::SERVICE_UNAVAILABLE;
        Err(Fault::new(status, "closed", why, hint))
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }

    /// Takes no new work from here on, or takes it again.
    pub(crate) fn close(&self, closed: bool) {
        self.closed.store(closed, Ordering::Relaxed);
    }

    /// Asks the server to end.
    pub(crate) fn end(&self) {
        self.end.notify_one();
    }

    /// Waits until somebody asks the server to end.
    pub(crate) async fn ended(&self) {
        self.end.notified().await;
    }

    /// Counts a request that was refused.
    pub(crate) fn refused(&self) {
        self.refusals.fetch_add(1, Ordering::Relaxed);
    }

    /// How many requests were refused since the server began.
    pub(crate) fn refusals(&self) -> u64 {
        self.refusals.load(Ordering::Relaxed)
    }
}
