//! Tables that were brought along, and those that are always there.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use wits_game::Message;
use wits_learn::{
    Dataset, Intake, Model, ReadOptions, Sample, Table, TableLimits, read_table_within,
};
use wits_store::{Id, Over, Store};

use super::asked::{Asked, Choice};
use super::runs::Runs;
use super::{bad, wrong};
use crate::app::now;
use crate::desk::Question;
use crate::own::{Kept, Put, note_use};
use crate::recent::Recent;
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// Where tables lie in the store.
const KIND: &str = "learn-data";
/// The name of the sample that has a page of its own in the docs.
pub(super) const GLASS: &str = "glass";
/// The most bytes of a table on the page.
pub(super) const MOST_BYTES: usize = 32 << 20;
/// The most rows of a table, and the most rows times columns.
pub(super) const MOST_ROWS: usize = 200_000;
const MOST_CELLS: usize = 4_000_000;
/// The most rows that are learned from: of larger tables a stratified sample is taken, because the
/// methods that compare every row with every other would take too long for a page.
pub(super) const MOST_LEARNED: usize = 20_000;
/// The most features.
pub(super) const MOST_FEATURES: usize = 100;
/// The most classes.
const MOST_CLASSES: usize = 30;

/// What the desk has lying about: tables and models that were asked for lately, and runs.
#[derive(Default)]
pub(super) struct Desk {
    tables: Recent<Opened>,
    datasets: Recent<Dataset>,
    pub(super) models: Recent<Model>,
    pub(super) runs: Runs,
}

/// How a file is to be read: the first line of what is kept.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Label {
    /// What people call it.
    pub(super) title: String,
    /// Further words for a missing value.
    pub(super) na: Vec<String>,
    /// Columns that are text.
    pub(super) text: Vec<String>,
    /// Names for the columns.
    #[serde(default)]
    pub(super) names: Vec<String>,
}

impl Label {
    /// Reads the fields that come with a file.
    pub(super) fn read(asked: &Asked) -> Label {
        let title: String = asked.one("name").unwrap_or("").chars().take(80).collect();
        Label {
            title: if title.is_empty() {
                WORDS.say("learn-untitled").to_string()
            } else {
                title
            },
            na: asked.list("na", ','),
            text: asked.list("text", ','),
            names: asked.list("names", ','),
        }
    }

    /// The table that a file is.
    pub(super) fn table(&self, bytes: &[u8]) -> Result<Table, Fault> {
        let options = ReadOptions {
            missing: self.na.clone(),
            text: self.text.clone(),
            names: self.names.clone(),
            ..ReadOptions::default()
        };
        read_table_within(bytes, &options, TableLimits::PAGE).map_err(|e| wrong(&e))
    }
}

/// A table on the desk.
pub(super) struct Opened {
    /// Its name in addresses.
    pub(super) name: String,
    /// What people call it.
    pub(super) title: String,
    /// The table.
    pub(super) table: Table,
}

impl Opened {
    /// The address of one of its pages.
    pub(super) fn page(&self, page: &str, query: &str) -> String {
        let mut out = format!("/learn/data/{}", self.name);
        if !page.is_empty() {
            out = format!("{out}/{page}");
        }
        if !query.is_empty() {
            out = format!("{out}?{query}");
        }
        out
    }
}

/// Refuses a table that is too large for a page.
pub(super) fn check_size(table: &Table) -> Result<(), Fault> {
    small_enough("learn-rows", table.rows, MOST_ROWS)?;
    let cells = table.rows * table.columns.len();
    small_enough("learn-cells", cells, MOST_CELLS)
}

/// What a sample is called, and what it asks.
pub(super) fn titles(sample: &Sample) -> (Message, Message) {
    let (title, question) = match sample.name {
        "iris" => ("learn-iris", "learn-iris-about"),
        "wine" => ("learn-wine", "learn-wine-about"),
        "balcony" => ("learn-balcony", "learn-balcony-about"),
        _ => ("learn-glass", "learn-glass-about"),
    };
    (WORDS.say(title), WORDS.say(question))
}

/// Keeps a file that a visitor brought along and that can be read; gives the address it got.
pub(super) fn keep(
    app: &App,
    visitor: Visitor,
    label: &Label,
    bytes: &[u8],
) -> Result<Kept, Fault> {
    let mut all = serde_json::to_vec(label).map_err(|e| Fault::unreadable(e.to_string()))?;
    all.push(b'\n');
    all.extend_from_slice(bytes);
    let put = Put {
        kind: KIND,
        name: Some(&Id::random()?.to_string()),
        title: &label.title,
        bytes: all,
        over: Over::Anything,
    };
    app.keep(visitor, put)
}

fn small_enough(key: &'static str, found: usize, most: usize) -> Result<(), Fault> {
    if found <= most {
        return Ok(());
    }
    let what = WORDS.say(key);
    let why = WORDS.say("learn-too-large").with("what", what);
    let why = why.with("found", found).with("most", most);
    let mut fault = bad("too-large", why);
    fault.hint = WORDS.say("learn-too-large-hint");
    Err(fault)
}

/// The label and the bytes of a table.
pub(super) fn bytes(store: &Store, name: &str) -> Result<(Label, Vec<u8>), Fault> {
    if let Some(sample) = Sample::named(name) {
        let label = Label {
            title: titles(sample).0.to_string(),
            ..Label::default()
        };
        return Ok((label, sample.text.as_bytes().to_vec()));
    }
    let id: Id = name.parse().map_err(|_| gone())?;
    let blob = store.blob(KIND, &id.to_string())?.ok_or_else(gone)?;
    note_use(store, KIND, &blob.name, now())?;
    let end = blob.bytes.iter().position(|&b| b == b'\n');
    let (head, body) = blob.bytes.split_at(end.ok_or_else(gone)?);
    let label = serde_json::from_slice(head).map_err(|e| Fault::unreadable(e.to_string()))?;
    Ok((label, body[1..].to_vec()))
}

fn gone() -> Fault {
    let mut fault = Fault::missing();
    fault.message = WORDS.say("learn-gone");
    fault.hint = WORDS.say("learn-gone-hint");
    fault
}

impl Desk {
    /// The table of a name.
    pub(super) fn open(&self, store: &Store, name: &str) -> Result<Arc<Opened>, Fault> {
        let known = self.tables.get(name);
        // What its owner threw away is gone, also from here.
        if let Some(known) = known
            && (Sample::named(name).is_some() || store.has_blob(KIND, name)?)
        {
            return Ok(known);
        }
        let (label, bytes) = bytes(store, name)?;
        let opened = Opened {
            name: name.to_owned(),
            table: label.table(&bytes)?,
            title: label.title,
        };
        Ok(self.tables.put(name.to_owned(), opened))
    }

    /// The rows and classes that a choice makes of a table.
    pub(super) fn choose(&self, opened: &Opened, choice: &Choice) -> Result<Arc<Dataset>, Fault> {
        let key = format!("{}?{}", opened.name, choice.query(&[]));
        if let Some(known) = self.datasets.get(&key) {
            return Ok(known);
        }
        let (data, _) = parts(opened, choice)?;
        Ok(self.datasets.put(key, data))
    }
}

/// The rows that a choice learns from, and those that it keeps aside.
pub(super) fn parts(opened: &Opened, choice: &Choice) -> Result<(Dataset, Option<Dataset>), Fault> {
    let mut intake: Intake = choice.intake();
    if let Some(sample) = Sample::named(&opened.name) {
        sample.fill_in(&mut intake.roles);
    }
    let (data, held) = intake.of(&opened.table).map_err(|e| wrong(&e))?;
    small_enough("learn-features", data.x.columns(), MOST_FEATURES)?;
    small_enough("learn-classes", data.classes().len(), MOST_CLASSES)?;
    Ok((data, held))
}

/// A table, what was chosen from it, and the rows and classes that makes.
#[derive(Clone)]
pub(super) struct Subject {
    /// The table.
    pub(super) opened: Arc<Opened>,
    /// The choice.
    pub(super) choice: Choice,
    /// Features and classes.
    pub(super) data: Arc<Dataset>,
}

impl Subject {
    /// Opens what an address asks for.
    pub(super) fn open(
        desk: &Desk,
        store: &Store,
        name: &str,
        asked: &Asked,
    ) -> Result<Subject, Fault> {
        let choice = Choice::read(asked)?;
        let opened = desk.open(store, name)?;
        let data = desk.choose(&opened, &choice)?;
        Ok(Subject {
            opened,
            choice,
            data,
        })
    }

    /// The address of a page about the same choice, with some more fields.
    pub(super) fn page(&self, page: &str, more: &[(&str, &str)]) -> String {
        self.opened.page(page, &self.choice.query(more))
    }

    /// A question to a verb of the desk about this choice, with some more arguments.
    pub(super) fn question(&self, verb: &str, more: &[(&str, &str)]) -> Result<Question, Fault> {
        let choice = &self.choice;
        let mut args = vec![("data", self.opened.name.clone())];
        args.extend(choice.target.clone().map(|target| ("target", target)));
        if let Some(ids) = &choice.ids {
            let none = ids.is_empty().then(|| "-".to_owned());
            args.extend(ids.iter().cloned().chain(none).map(|id| ("id", id)));
        }
        args.extend([
            ("sample", MOST_LEARNED.to_string()),
            ("missing", (choice.missing as f64 / 100.0).to_string()),
            ("holdout", (choice.holdout as f64 / 100.0).to_string()),
            ("folds", choice.folds.to_string()),
            ("repeats", choice.repeats.to_string()),
            ("seed", choice.seed.to_string()),
        ]);
        args.extend(
            more.iter()
                .map(|(name, value)| (*name, (*value).to_owned())),
        );
        let own = |(name, value): (&str, String)| (name.to_owned(), value);
        let mut question = Question::to("learn", verb, args.into_iter().map(own).collect())?;
        question.keep_known();
        Ok(question)
    }

    /// A name for what is made of this choice and these pipelines.
    pub(super) fn key(&self, pipelines: &str) -> String {
        self.page(pipelines, &[])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_come_back_as_they_were() {
        let store = Store::memory().unwrap();
        let label = Label {
            title: "rows".to_owned(),
            na: vec!["gone".to_owned()],
            ..Label::default()
        };
        let text = b"a,b,kind\n1,2,x\ngone,3,y\n2,5,x\n";
        let catalog = wits_play::Catalog::new(Vec::new());
        let shelf = wits_play::Shelf::new();
        let app = App::new(crate::Config::default(), catalog, shelf, Arc::new(store));
        let me = Visitor::fresh(&app.seal, false, std::net::IpAddr::from([0, 0, 0, 0])).unwrap();
        let store = Arc::clone(&app.store);
        let name = keep(&app, me, &label, text).unwrap().name;
        let (again, body) = bytes(&store, &name).unwrap();
        assert_eq!((again.title.as_str(), body.as_slice()), ("rows", &text[..]));
        let desk = Desk::default();
        let opened = desk.open(&store, &name).unwrap();
        let choice = Choice::read(&Asked::default()).unwrap();
        let data = desk.choose(&opened, &choice).unwrap();
        assert_eq!((data.y.len(), data.missing()), (3, 1));
        assert!(store.discard(&name, &me.text()).unwrap());
        assert_eq!(bytes(&store, &name).unwrap_err().status, 404);
        for bad in ["../glass", "", "0"] {
            assert_eq!(bytes(&store, bad).unwrap_err().status, 404, "{bad}");
        }
        let fault = label.table(b"a,b\n1,2\n3\n").expect_err("a short line");
        assert!(fault.message.to_string().contains("line 3"));
    }
}
