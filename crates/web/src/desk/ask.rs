//! A question to a verb: its arguments, the items that they name, and the answer from a sandbox.

use std::sync::{Arc, LazyLock};

use serde::{Deserialize, Serialize};
use wits_desk::{Answer, Args, ParamKind, Room, Served, Shelf, Value, Verb, Work};
use wits_game::Lang;
use wits_sandbox::{Caps, Items};

use crate::recent::Recent;
use crate::routes::blocking;
use crate::sandbox::{Order, Task};
use crate::visitor::Visitor;
use crate::{App, Fault, rooms};

/// Answers that were given lately, so that a table or a drawing of one is not computed again.
pub(crate) type Answers = Recent<Answer>;

/// Every room with verbs.
pub(super) static ROOMS: LazyLock<Vec<Room>> = LazyLock::new(wits_catalog::rooms);

/// Something of a visitor's that a question names.
pub(crate) struct Item {
    /// What it holds.
    pub(crate) bytes: Vec<u8>,
    /// How its owner said that it is to be read: further arguments, where they are not given.
    pub(crate) args: Vec<(&'static str, String)>,
}

/// A question to a verb.
#[derive(Clone)]
pub(crate) struct Question {
    pub(super) room: &'static Room,
    pub(super) verb: &'static Verb,
    /// Names and values; those of a repeated parameter follow each other.
    pub(super) pairs: Vec<(String, String)>,
    /// Files that came with the question.
    pub(super) items: Items,
}

impl Question {
    /// A question to a verb that is served here.
    pub(crate) fn to(
        room: &str,
        verb: &str,
        pairs: Vec<(String, String)>,
    ) -> Result<Question, Fault> {
        let room = ROOMS.iter().find(|one| one.id == room);
        let room = room.ok_or_else(Fault::missing)?;
        let verb = room.verb(verb).ok_or_else(Fault::missing)?;
        if verb.served != Served::Everywhere {
            return Err(Fault::missing());
        }
        Ok(Question {
            room,
            verb,
            pairs,
            items: Items::new(),
        })
    }

    /// Leaves out what the verb does not take: a page says the same about all of its questions.
    pub(crate) fn keep_known(&mut self) {
        let verb = self.verb;
        self.pairs.retain(|(name, _)| verb.param(name).is_some());
    }

    /// The same question for somebody who looks on: every file that can be kept is made.
    pub(crate) fn with_outputs(mut self) -> Question {
        let outputs = self.verb.params.iter();
        for param in outputs.filter(|p| p.kind == ParamKind::Output && !p.usage.folder) {
            self.pairs.push((param.name.to_owned(), String::new()));
        }
        self
    }

    /// The first value of a name.
    pub(super) fn value(&self, name: &str) -> Option<&str> {
        self.values(name).next()
    }

    /// All values of a name.
    pub(super) fn values<'a>(&'a self, name: &str) -> impl Iterator<Item = &'a str> + use<'a> {
        let name = name.to_owned();
        let named = self.pairs.iter().filter(move |(key, _)| *key == name);
        named.map(|(_, value)| value.as_str())
    }

    /// The address that asks it again, with some more fields.
    pub(crate) fn address(&self, more: &[(&str, &str)]) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        let asked = self.pairs.iter().filter(|(name, _)| {
            let param = self.verb.param(name);
            param.is_none_or(|p| !p.kind.is_place())
        });
        query.extend_pairs(asked).extend_pairs(more);
        format!(
            "/desk/{}/{}?{}",
            self.room.id,
            self.verb.path(),
            query.finish()
        )
    }

    /// Fetches what the arguments name and nobody sent along.
    fn fetch(mut self, app: &App) -> Result<Question, Fault> {
        let files = self.verb.params.iter();
        for param in files.filter(|p| p.kind == ParamKind::File) {
            let names: Vec<String> = self.values(param.name).map(str::to_owned).collect();
            for name in names {
                if self.items.contains_key(&name) || param.usage.offers.contains(&name.as_str()) {
                    continue;
                }
                let item = rooms::item(app, self.room.id, &name)?;
                for (key, value) in item.args {
                    self.pairs.push((key.to_owned(), value));
                }
                self.items.insert(name, item.bytes);
            }
        }
        Ok(self)
    }

    /// What a sandbox answers, or answered lately.
    pub(crate) async fn ask(self, app: &App, visitor: Visitor) -> Result<Arc<Answer>, Fault> {
        visitor.may_compute()?;
        // Whatever can be refused without a sandbox is.
        read(self.room, self.verb, &self.pairs)?;
        let house = app.clone();
        let question = blocking(move || self.fetch(&house)).await?;
        let hashes: Vec<String> = question.items.values().map(|b| Shelf::hash(b)).collect();
        let lang = Lang::spoken().code();
        let outputs = question.pairs.len();
        let key = format!("{} {lang} {outputs} {hashes:?}", question.address(&[]));
        if let Some(known) = app.answers.get(&key) {
            return Ok(known);
        }
        let task = AskVerb {
            room: question.room.id.to_owned(),
            verb: question.verb.id.to_owned(),
            pairs: question.pairs,
        };
        let mut order = Order::new(task);
        order.items = question.items;
        let (answer, _) = app.confined_with(visitor.account(), order).await?;
        Ok(app.answers.put(key, answer))
    }
}

/// The arguments, checked.
fn read(room: &Room, verb: &Verb, pairs: &[(String, String)]) -> Result<Args, Fault> {
    let text = |(name, value): &(String, String)| (name.clone(), Value::Text(value.clone()));
    let pairs: Vec<(String, Value)> = pairs.iter().map(text).collect();
    let of = format!("{} {}", room.id, verb.id);
    Ok(Args::read(&of, &pairs, &verb.params)?)
}

/// A question as it goes into a sandbox.
#[derive(Serialize, Deserialize)]
pub(crate) struct AskVerb {
    room: String,
    verb: String,
    pairs: Vec<(String, String)>,
}

impl Task for AskVerb {
    const ROOM: &'static str = "desk";
    const VERB: &'static str = "ask";
    type Output = Answer;

    fn caps(&self) -> Caps {
        let found = Question::to(&self.room, &self.verb, Vec::new());
        found.map_or(Self::CAPS, |question| {
            let cost = question.verb.cost;
            Caps::new(cost.memory, cost.time)
        })
    }

    fn run(self, items: &mut Items, work: &mut Work<'_>) -> Result<Answer, Fault> {
        let question = Question::to(&self.room, &self.verb, self.pairs)?;
        let args = read(question.room, question.verb, &question.pairs)?;
        let mut shelf = Shelf::new();
        for (name, bytes) in std::mem::take(items) {
            shelf.put(name, bytes);
        }
        Ok((question.verb.run)(&args, &shelf, work)?)
    }
}
