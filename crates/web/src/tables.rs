//! The tables that are up now, and putting up new ones.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::json;
use wits_game::Seed;
use wits_play::{Header, ParamKind, Shelf, Spec, Value};
use wits_search::Thread;
use wits_store::{Blob, Change, Id};

use crate::app::now;
use crate::table::{Table, bot_of};
use crate::visitor::Visitor;
use crate::{App, Fault};

/// How many tables stay in memory; the others wait in the store.
const MOST: usize = 1_000;

/// The tables that are up, by id.
#[derive(Default)]
pub(crate) struct Tables {
    up: Mutex<HashMap<Id, Arc<Table>>>,
}

impl Tables {
    pub(crate) fn all(&self) -> Vec<Arc<Table>> {
        self.up
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .values()
            .cloned()
            .collect()
    }

    /// Takes tables down that were deleted.
    pub(crate) fn forget(&self, ids: &[Id]) {
        let mut up = self.up.lock().unwrap_or_else(PoisonError::into_inner);
        for id in ids {
            up.remove(id);
        }
    }
}

/// Brings tables up to date with what other servers of the same database write, for as long as
/// `going` says so. Tables that nobody looks at are read again when somebody does.
pub(crate) fn follow(app: &App, going: impl Fn() -> bool) {
    app.store.follow(going, |change| match change {
        Change::Session(id) => {
            let up = &app.tables.up;
            let up = up.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(table) = up.get(&id).cloned() else {
                return;
            };
            drop(up);
            // If no move was made, somebody sat down.
            if let Ok(false) = table.refresh(app) {
                table.news.send_modify(|news| news.seatings += 1);
            }
        }
        Change::Any => {
            let all = app.tables.all();
            for table in all.iter().filter(|t| t.news.receiver_count() > 0) {
                let _ = table.refresh(app);
            }
        }
    });
}

/// Everything a new game needs.
pub(crate) struct NewGame {
    pub(crate) game: Spec,
    pub(crate) players: Vec<Spec>,
    pub(crate) seed: Option<Seed>,
    pub(crate) clock: wits_play::TimeControl,
    pub(crate) position: Option<String>,
    /// What the seats are called, where somebody says so.
    pub(crate) names: Vec<String>,
    /// The first round, where this is the second one of a match.
    pub(crate) first: Option<Id>,
}

impl App {
    /// The table with this id, from memory or from the store. Its machines think when somebody looks.
    pub(crate) fn table(&self, id: Id) -> Result<Arc<Table>, Fault> {
        let mut up = self
            .tables
            .up
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(table) = up.get(&id).cloned() {
            drop(up);
            if self.store.is_shared() {
                table.refresh(self)?;
            }
            return Ok(table);
        }
        let table = Arc::new(Table::load(self, id)?);
        if up.len() >= MOST {
            up.retain(|_, table| Arc::strong_count(table) > 1 || table.news.receiver_count() > 0);
        }
        up.insert(id, Arc::clone(&table));
        Ok(table)
    }

    /// Puts up a new table. Its header is stored before it exists here.
    pub(crate) fn new_table(
        &self,
        mut new: NewGame,
        visitor: Visitor,
    ) -> Result<Arc<Table>, Fault> {
        self.seat_machines(visitor, &mut new.players)?;
        let shelf = self.shelf_for(&new.game, &new.players)?;
        let game = self.catalog.game(&new.game, &shelf)?;
        let count = usize::from(game.seats());
        let mut players = new.players;
        players.resize_with(players.len().max(count), || Spec::named("human"));
        players.truncate(count);
        let (mut specs, mut bots) = (Vec::new(), Vec::new());
        for (spec, seat) in players.iter().zip(wits_game::Seat::all(game.seats())) {
            specs.push(if spec.name == "human" {
                "human".to_owned()
            } else if let Some(id) = bot_of(spec) {
                // Its name is what its owner says, and not what a form says.
                let bot = self.bot(&id)?.ok_or_else(Fault::missing)?;
                bot.takes_games()?;
                bots.push((seat, id));
                bot.spec().to_string()
            } else {
                game.player(spec, seat, &shelf)?.spec().to_owned()
            });
        }
        let mut bytes = [0; 8];
        getrandom::fill(&mut bytes).map_err(|e| Fault::unreadable(e.to_string()))?;
        let seed = new
            .seed
            .unwrap_or_else(|| Seed::new(u64::from_le_bytes(bytes)));
        let mut header = Header::new(game.rules(), game.spec().to_owned(), seed, specs);
        header.shelf = shelf.hashes();
        header.clock = new.clock;
        if let Some(text) = new.position.filter(|t| !t.trim().is_empty()) {
            let table = game.begin_from(&text, seed, None)?;
            header.start = Some(table.notation().unwrap_or(text));
        }
        let id = Id::random()?;
        self.begin_session(visitor, id, "game", &json!(header))?;
        if !new.names.is_empty() {
            self.put_item(
                "names",
                &id.to_string(),
                json!(new.names).to_string().as_bytes(),
            )?;
        }
        if let Some(first) = new.first {
            self.put_item("round", &id.to_string(), first.to_string().as_bytes())?;
        }
        for (seat, bot) in bots {
            self.store.claim(id, seat.index() as u8, &bot)?;
        }
        let table = self.table(id)?;
        table.go(self);
        table.look(self, visitor);
        Ok(table)
    }

    /// The first round of a match whose second round is this table.
    pub(crate) fn first_round(&self, id: Id) -> Result<Option<Id>, Fault> {
        let kept = self.store.blob("round", &id.to_string())?;
        Ok(kept.and_then(|blob| std::str::from_utf8(&blob.bytes).ok()?.parse().ok()))
    }

    /// What the seats of a table are called, where somebody said so.
    pub(crate) fn names(&self, id: Id) -> Result<Vec<String>, Fault> {
        let kept = self.store.blob("names", &id.to_string())?;
        Ok(kept
            .and_then(|blob| serde_json::from_slice(&blob.bytes).ok())
            .unwrap_or_default())
    }

    /// How many moves of a game were made before its players sat down.
    pub(crate) fn opened(&self, id: Id) -> Result<u32, Fault> {
        let kept = self.store.blob("opened", &id.to_string())?;
        let count = kept.and_then(|blob| std::str::from_utf8(&blob.bytes).ok()?.parse().ok());
        Ok(count.unwrap_or(0))
    }

    /// The shelf for a game and its players: what they name is looked up in the store, never on
    /// the disk.
    pub(crate) fn shelf_for(&self, game: &Spec, players: &[Spec]) -> Result<Shelf, Fault> {
        let mut shelf = self.shelf.clone();
        let entry = self.catalog.entry(&game.name)?;
        let cards = entry.players();
        let of_players = players.iter().filter_map(|spec| {
            let card = cards.iter().find(|card| card.id == spec.name)?;
            Some((spec, card.params.as_slice()))
        });
        for (spec, params) in of_players.chain([(game, entry.params())]) {
            for param in params.iter().filter(|p| p.kind == ParamKind::File) {
                if let Some(Value::Text(name)) = spec.value(param.name)
                    && let Some(blob) = self.store.blob("item", name)?
                {
                    shelf.put(name, blob.bytes);
                }
            }
        }
        Ok(shelf)
    }

    /// Keeps what a learner knows, where its spec names an item.
    pub(crate) fn keep_memory(&self, spec: &str, memory: &serde_json::Value) {
        let Ok(spec) = spec.parse::<Spec>() else {
            return;
        };
        let Some(Value::Text(name)) = spec.value("file") else {
            return;
        };
        // A learner that cannot be kept plays on with what it had; the game itself is safe. One
        // that was thrown away meanwhile stays away.
        let Ok(Some(old)) = self.store.blob("item", name) else {
            return;
        };
        let bytes = memory.to_string().into_bytes();
        let hash = Shelf::hash(&bytes);
        let new = Blob {
            bytes,
            hash,
            at: now(),
            ..old.clone()
        };
        let _ = self.store.swap_blob(&new, Some(&old.hash));
    }

    /// Keeps a named item.
    pub(crate) fn put_item(&self, kind: &str, name: &str, bytes: &[u8]) -> Result<(), Fault> {
        let (kind, name) = (kind.to_owned(), name.to_owned());
        let hash = wits_play::Shelf::hash(bytes);
        Ok(self.store.put_blob(&Blob {
            kind,
            name,
            bytes: bytes.to_vec(),
            hash,
            at: now(),
        })?)
    }

    /// Keeps the thread of a decision that could not be thought again later.
    pub(crate) fn keep_thread(&self, id: Id, ply: u32, thread: &Thread) {
        let _ = self.put_item("thread", &format!("{id}/{ply}"), thread.text().as_bytes());
    }

    /// The thread of a decision, if it was kept.
    pub(crate) fn kept_thread(&self, id: Id, ply: u32) -> Result<Option<String>, Fault> {
        let blob = self.store.blob("thread", &format!("{id}/{ply}"))?;
        Ok(blob.map(|b| String::from_utf8_lossy(&b.bytes).into_owned()))
    }
}
