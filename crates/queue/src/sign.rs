//! Who takes part, and what they are told to do.

use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

/// What somebody does here.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Sends jobs and writes results down.
    Coordinator,
    /// Plays jobs.
    Worker,
}

/// How it goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// At work, or ready for it.
    #[default]
    Working,
    /// Finishes what is in hand, and leaves.
    Draining,
}

/// What somebody answers in a roll call.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Sign {
    /// Its name; a coordinator is called by the id of its run.
    pub name: String,
    /// What it does.
    pub role: Role,
    /// The version of its program.
    pub version: String,
    /// The tournament that a coordinator leads.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub leads: String,
    /// How many jobs it can hold at once.
    pub threads: usize,
    /// The jobs it holds.
    pub playing: Vec<String>,
    /// How many jobs it has done.
    pub done: u64,
    /// How it goes.
    #[serde(default)]
    pub state: State,
}

impl Sign {
    /// Somebody who just came.
    pub fn new(name: &str, role: Role, version: &str, threads: usize) -> Sign {
        Sign {
            name: name.to_owned(),
            role,
            version: version.to_owned(),
            leads: String::new(),
            threads,
            playing: Vec::new(),
            done: 0,
            state: State::Working,
        }
    }
}

/// What somebody may be told.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// A worker finishes the jobs in hand, and leaves.
    Drain,
    /// A coordinator takes its jobs back, and leaves. What was played is kept.
    Stop,
}

/// What a participant and the queue share.
#[derive(Clone)]
pub(crate) struct Badge(Arc<Mutex<(Sign, Vec<Order>)>>);

impl Badge {
    pub(crate) fn new(sign: Sign) -> Badge {
        Badge(Arc::new(Mutex::new((sign, Vec::new()))))
    }

    fn with<T>(&self, f: impl FnOnce(&mut (Sign, Vec<Order>)) -> T) -> T {
        f(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn sign(&self) -> Sign {
        self.with(|(sign, _)| sign.clone())
    }

    pub(crate) fn tell(&self, order: Order) -> Sign {
        self.with(|(sign, orders)| {
            orders.push(order);
            sign.clone()
        })
    }

    /// Whether an order to this name is meant for this participant.
    pub(crate) fn hears(&self, to: Option<&str>) -> bool {
        self.with(|(sign, _)| match to {
            Some(name) => sign.name == name,
            None => sign.role == Role::Worker,
        })
    }
}

/// Being there: whoever holds this answers roll calls and hears orders.
pub struct Presence {
    pub(crate) badge: Badge,
    /// Ends the answering when dropped.
    pub(crate) _leave: Box<dyn std::any::Any + Send + Sync>,
}

impl Presence {
    /// Changes what is answered.
    pub fn update(&self, change: impl FnOnce(&mut Sign)) {
        self.badge.with(|(sign, _)| change(sign));
    }

    /// What is answered now.
    pub fn sign(&self) -> Sign {
        self.badge.sign()
    }

    /// The orders that came since the last look.
    pub fn orders(&self) -> Vec<Order> {
        self.badge.with(|(_, orders)| std::mem::take(orders))
    }
}
