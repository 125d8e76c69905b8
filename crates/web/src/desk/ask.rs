//! A question to a verb: its arguments, the items that they name, and the answer from the house or a sandbox.

use std::sync::{Arc, LazyLock};

use serde::{Deserialize, Serialize};
use wits_desk::{Answer, Args, Cost, ParamKind, Progress, Room, Served, Shelf, Value, Verb, Work};
use wits_game::Lang;
use wits_play::Budget;
use wits_sandbox::{Caps, Items};

use crate::recent::Recent;
use crate::routes::blocking;
use crate::sandbox::{Class, Order, Task};
use crate::think::think;
use crate::visitor::Visitor;
use crate::without::without;
use crate::{App, Fault, rooms};

/// The most bytes of files that a verb reads as quickly as it looks something up.
const SMALL: usize = 1 << 20;

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

/// Something that a room keeps ready in the house, so that a question about it needs no sandbox.
pub(crate) struct Ready {
    /// Tells one state of it from another.
    pub(crate) version: String,
    /// Puts it on a shelf, within a budget.
    pub(crate) shelf: Box<Fetch>,
}

/// Puts something on a shelf within a budget.
type Fetch = dyn FnOnce(&Budget) -> Result<Shelf, Fault> + Send;

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

    /// The same question for somebody who looks on: every file that can be kept is made. The part
    /// that is kept has a name, so that a verb makes what is large only then.
    pub(crate) fn with_outputs(mut self, part: Option<&str>) -> Question {
        let outputs = self.verb.params.iter();
        for param in outputs.filter(|p| p.kind == ParamKind::Output && !p.usage.folder) {
            let name = part.filter(|part| *part == param.name).unwrap_or_default();
            self.pairs.push((param.name.to_owned(), name.to_owned()));
        }
        self
    }

    /// What is to be made for keeping.
    fn outputs(&self) -> impl Iterator<Item = &str> {
        let output = |name: &str| self.verb.param(name).is_some_and(|p| p.kind.is_place());
        let named = self.pairs.iter().filter(move |(name, _)| output(name));
        named.map(|(_, value)| value.as_str())
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

    /// Fills in what the visitor's own things suggest, and fetches what the question needs: what the
    /// house keeps ready, or the items for a sandbox.
    fn prepare(mut self, app: &App, visitor: Visitor) -> Result<(Question, Option<Ready>), Fault> {
        let (room, verb) = (self.room, self.verb);
        rooms::complete(app, visitor, (room.id, verb), &mut self.pairs)?;
        // Long work and files that came along are a sandbox's.
        if self.items.is_empty() && !verb.cost.long {
            let args = read(room, verb, &self.pairs)?;
            let ready = rooms::ready(app, room.id, &args)?;
            if ready.is_some() {
                return Ok((self, ready));
            }
        }
        let mut question = self.fetch(app)?;
        let lent = rooms::lent(app, (room.id, verb), &question.pairs);
        question.items.extend(lent);
        Ok((question, None))
    }

    /// What the house or a sandbox answers, or answered lately.
    pub(crate) async fn ask(self, app: &App, visitor: Visitor) -> Result<Arc<Answer>, Fault> {
        visitor.may_compute()?;
        // Whatever can be refused at once is.
        read(self.room, self.verb, &self.pairs)?;
        let house = app.clone();
        let (question, ready) = blocking(move || self.prepare(&house, visitor)).await?;
        let hashes: Vec<String> = match &ready {
            Some(ready) => vec![ready.version.clone()],
            None => question.items.values().map(|b| Shelf::hash(b)).collect(),
        };
        let lang = Lang::spoken().code();
        let outputs: Vec<&str> = question.outputs().collect();
        let key = format!("{} {lang} {outputs:?} {hashes:?}", question.address(&[]));
        if let Some(known) = app.answers.get(&key) {
            return Ok(known);
        }
        let answer = match ready {
            Some(ready) => question.at_home(app, visitor, ready).await?,
            None => question.in_sandbox(app, visitor).await?,
        };
        // What was stopped is an answer to whoever waited, not to the question.
        if answer.data["stopped"] == true {
            return Ok(Arc::new(answer));
        }
        Ok(app.answers.put(key, answer))
    }

    /// Answers with what the house keeps ready, on a thinker's thread.
    async fn at_home(self, app: &App, visitor: Visitor, ready: Ready) -> Result<Answer, Fault> {
        let answer = think(app, visitor, self.verb.cost.time, move |budget| {
            let args = read(self.room, self.verb, &self.pairs)?;
            let shelf = (ready.shelf)(budget)?;
            let mut quiet = |_: Progress| {};
            let mut work = Work::new(budget.clone(), &mut quiet);
            Ok((self.verb.run)(&args, &shelf, &mut work)?)
        });
        answer.await?
    }

    async fn in_sandbox(self, app: &App, visitor: Visitor) -> Result<Answer, Fault> {
        let cost = self.verb.cost;
        let brought: usize = self.items.values().map(Vec::len).sum();
        let small = !cost.long && brought <= SMALL;
        let task = |whole: bool| AskVerb {
            room: self.room.id.to_owned(),
            verb: self.verb.id.to_owned(),
            pairs: self.pairs.clone(),
            whole,
        };
        let again = (small && cost.memory > Cost::QUICK.memory).then(|| self.items.clone());
        let mut order = Order::new(task(!small));
        order.items = self.items;
        let answer = app.confined_with(visitor.account(), order).await;
        let (answer, _) = match (answer, again) {
            // A country is small as a file, too: it is asked once more with all that the verb may take.
            (Err(fault), Some(items)) if fault.code == "memory" => {
                let mut order = Order::new(task(true));
                order.items = items;
                app.confined_with(visitor.account(), order).await?
            }
            (answer, _) => answer?,
        };
        Ok(answer)
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
    /// It may take all that the verb costs: one that reads files needs little where they are small.
    whole: bool,
}

impl AskVerb {
    /// What it may cost.
    fn cost(&self) -> Cost {
        let found = Question::to(&self.room, &self.verb, Vec::new());
        let cost = found.map_or(Cost::QUICK, |question| question.verb.cost);
        if self.whole {
            return cost;
        }
        Cost {
            memory: cost.memory.min(Cost::QUICK.memory),
            ..cost
        }
    }
}

impl Task for AskVerb {
    const ROOM: &'static str = "desk";
    const VERB: &'static str = "ask";
    type Output = Answer;

    fn caps(&self) -> Caps {
        let cost = self.cost();
        Caps::new(cost.memory, cost.time)
    }

    fn class(&self) -> Class {
        let cost = self.cost();
        let dear = cost.long || cost.memory > Cost::QUICK.memory;
        if dear && !without("dear-verbs") {
            Class::Dear
        } else {
            Class::Quick
        }
    }

    fn run(self, items: &mut Items, work: &mut Work<'_>) -> Result<Answer, Fault> {
        work.hold_at_most(self.cost().memory);
        let question = Question::to(&self.room, &self.verb, self.pairs)?;
        let args = read(question.room, question.verb, &question.pairs)?;
        let mut shelf = Shelf::new();
        for (name, bytes) in std::mem::take(items) {
            shelf.put(name, bytes);
        }
        Ok((question.verb.run)(&args, &shelf, work)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verbs_class_follows_its_cost() {
        let mut classes = Vec::new();
        let all = ROOMS
            .iter()
            .flat_map(|r| r.verbs.iter().map(move |v| (r, v)));
        for (room, verb) in all.filter(|(_, verb)| verb.served == Served::Everywhere) {
            for whole in [false, true] {
                let task = AskVerb {
                    room: room.id.to_owned(),
                    verb: verb.id.to_owned(),
                    pairs: Vec::new(),
                    whole: whole || verb.cost.long,
                };
                let (class, memory) = (task.class(), task.caps().memory);
                assert!(memory <= class.dearest(), "{} {}", room.id, verb.id);
                // What takes as long as a page waits keeps no small question waiting.
                assert!(
                    class == Class::Dear || !verb.cost.long,
                    "{} {}",
                    room.id,
                    verb.id
                );
                classes.push(class);
            }
        }
        assert!(classes.contains(&Class::Quick) && classes.contains(&Class::Dear));
    }
}
