//! What a room does for a person who asks: described once, served at every door.

use std::time::Duration;

use wits_game::Message;

use crate::{Answer, Args, Param, Refusal, Shelf, Work};

/// Where a verb may be asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Served {
    /// In the terminal, on pages and over HTTP.
    Everywhere,
    /// In the terminal alone: protocols, training, installing.
    Terminal,
    /// In the terminal and by whoever operates the server.
    Operator,
}

/// What one answer may cost where others wait, too. A person at a terminal has no such limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cost {
    /// How long it may take.
    pub time: Duration,
    /// MiB of memory beyond what the program itself needs.
    pub memory: u64,
    /// Whether it can use several threads and be stopped on the way: the terminal then has
    /// `--threads` and `--time`.
    pub long: bool,
    /// How many threads a terminal takes where nobody says; 0: one for each core.
    pub threads: usize,
}

impl Cost {
    /// Looked up: seconds at most.
    pub const QUICK: Cost = Cost {
        time: Duration::from_secs(15),
        memory: 176,
        long: false,
        threads: 0,
    };

    /// Read from files, which may be large ones.
    pub const READING: Cost = Cost {
        memory: 320,
        ..Cost::QUICK
    };

    /// Computed: it may take as long as a page waits.
    pub const LONG: Cost = Cost {
        time: Duration::from_secs(20),
        memory: 320,
        long: true,
        threads: 0,
    };

    /// Computed on one thread, unless somebody asks for more.
    pub const ALONE: Cost = Cost {
        threads: 1,
        ..Cost::LONG
    };
}

/// How a verb answers.
pub type Run = fn(&Args, &Shelf, &mut Work<'_>) -> Result<Answer, Refusal>;

/// One thing a room can do for a person who asks.
pub struct Verb {
    /// Its name: `compare`, or two words, `lexicon info`.
    pub id: &'static str,
    /// What it does, in a sentence.
    pub about: Message,
    /// What it takes.
    pub params: Vec<Param>,
    /// Whole command lines that show how it is asked.
    pub examples: &'static [&'static str],
    /// Where it may be asked.
    pub served: Served,
    /// What one answer may cost.
    pub cost: Cost,
    /// Answers.
    pub run: Run,
}

/// A room with its verbs.
pub struct Room {
    /// Its name on the command line and in addresses.
    pub id: &'static str,
    /// What it is, in a sentence.
    pub about: Message,
    /// What it can be asked.
    pub verbs: Vec<Verb>,
}

impl Room {
    /// The verbs that belong to no room: `wits VERB`, `/api/house/VERB`.
    pub const HOUSE: &'static str = "house";

    /// The words of a command line that asks a verb of this room.
    pub fn words<'a>(&self, verb: &'a Verb) -> Vec<&'a str> {
        let own = (self.id != Room::HOUSE).then_some(self.id);
        own.into_iter().chain(verb.id.split(' ')).collect()
    }

    /// The verb of a name, its words parted by blanks or slashes.
    pub fn verb(&self, id: &str) -> Option<&Verb> {
        let id = id.replace('/', " ");
        self.verbs.iter().find(|verb| verb.id == id)
    }
}

impl Verb {
    /// Its name in addresses: `lexicon/info`.
    pub fn path(&self) -> String {
        self.id.replace(' ', "/")
    }

    /// The parameter of a name.
    pub fn param(&self, name: &str) -> Option<&Param> {
        self.params.iter().find(|param| param.name == name)
    }
}
