//! Bots: programs of visitors that sit down over HTTP.
//!
//! - this file: a bot as it is kept, its token, and who is here now;
//! - `door`: what programs ask: a stream, answers, joining, practising;
//! - `stream`: the lines that a program hears;
//! - `pages`: a visitor's bots, and the page of each.

mod door;
mod pages;
mod stream;

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::Router;
use axum::http::{HeaderMap, StatusCode, header};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use wits_bots::protocol::Card;
use wits_play::Spec;
use wits_store::{Blob, Id, Item, Keeping, NewItem, Over};

use crate::rate::{Buckets, Rate};
use crate::seal::hex;
use crate::table::BOT;
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

pub(crate) use pages::{SIX_LINES, site, to_bot};

/// The kind under which bots are kept.
const KIND: &str = "bot";
/// The most bots of one visitor.
const MOST: usize = 60;
/// The longest name, in characters.
const LONGEST: usize = 40;
/// A token that was looked up counts for so long without another look.
const KNOWN: Duration = Duration::from_secs(5);
/// The most tokens that are remembered.
const MOST_KNOWN: usize = 10_000;
/// What one token may send.
const ANSWERS: Rate = Rate {
    burst: 200.0,
    per_second: 100.0,
};
/// How often one token may open its stream, join, or begin a game.
const DEEDS: Rate = Rate {
    burst: 20.0,
    per_second: 1.0,
};
/// After the house was opened the clocks of bots stand still for so long, since they have to find back.
pub(crate) const FIND_BACK: Duration = Duration::from_secs(5);

/// The addresses of bots, for calm requests.
pub(crate) fn routes() -> Router<App> {
    Router::new().merge(door::routes()).merge(pages::routes())
}

/// The address that is open for as long as a program listens.
pub(crate) use stream::listen;

/// What is kept of a bot.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Kept {
    name: String,
    /// The hash of its token; nothing while it has none.
    token: Option<String>,
    /// Whether it takes no new games.
    #[serde(default)]
    paused: bool,
}

/// A bot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Bot {
    /// Its address, which nobody can guess and everybody may know.
    pub(crate) id: String,
    /// What its owner calls it.
    pub(crate) name: String,
    /// Whose it is.
    pub(crate) owner: String,
    /// Whether it has a token.
    pub(crate) open: bool,
    /// Whether it takes no new games.
    pub(crate) paused: bool,
}

impl Bot {
    /// The bot as a player.
    pub(crate) fn spec(&self) -> Spec {
        let spec = Spec::named(BOT).with("name", self.name.as_str());
        spec.with("id", self.id.as_str())
    }

    /// Refuses new games of a bot that takes none.
    pub(crate) fn takes_games(&self) -> Result<(), Fault> {
        if self.open && !self.paused {
            return Ok(());
        }
        let (why, hint) = (WORDS.say("bots-paused"), WORDS.say("bots-paused-hint"));
        Err(Fault::new(StatusCode::CONFLICT, "paused", why, hint))
    }

    fn is_of(&self, visitor: Visitor) -> bool {
        self.owner == visitor.text()
    }

    /// Its number, under which its stream is counted.
    fn number(&self) -> u128 {
        let id = self.id.rsplit('-').next().unwrap_or_default();
        u128::from_str_radix(id, 16).unwrap_or_default()
    }
}

/// One program that listens.
struct Line {
    number: u64,
    pokes: UnboundedSender<Id>,
}

/// Who is here.
pub(crate) struct Bots {
    here: Mutex<HashMap<String, Line>>,
    /// What programs said of themselves.
    cards: Mutex<HashMap<String, Card>>,
    known: Mutex<HashMap<String, (Bot, Instant)>>,
    answers: Buckets<String>,
    deeds: Buckets<String>,
    count: AtomicU64,
    /// Since when the house is open.
    pub(crate) opened: Instant,
}

impl Default for Bots {
    fn default() -> Bots {
        Bots {
            here: Mutex::default(),
            cards: Mutex::default(),
            known: Mutex::default(),
            answers: Buckets::new(ANSWERS),
            deeds: Buckets::new(DEEDS),
            count: AtomicU64::new(0),
            opened: Instant::now(),
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Bots {
    /// Whether a program of this bot listens now.
    pub(crate) fn is_here(&self, bot: &str) -> bool {
        lock(&self.here).contains_key(bot)
    }

    /// How many programs listen.
    pub(crate) fn count(&self) -> usize {
        lock(&self.here).len()
    }

    /// Those who listen.
    fn all_here(&self) -> Vec<String> {
        lock(&self.here).keys().cloned().collect()
    }

    /// Tells a bot's stream that something happened at a table.
    pub(crate) fn poke(&self, bot: &str, table: Id) {
        if let Some(line) = lock(&self.here).get(bot) {
            // A stream that ended meanwhile looks at everything when it begins again.
            let _ = line.pokes.send(table);
        }
    }

    /// A program begins to listen; one that listened for the same bot is told no more.
    fn arrive(&self, bot: &str) -> (u64, UnboundedReceiver<Id>) {
        let (pokes, poked) = unbounded_channel();
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        lock(&self.here).insert(bot.to_owned(), Line { number, pokes });
        (number, poked)
    }

    /// A program listens no more.
    fn leave(&self, bot: &str, number: u64) {
        let mut here = lock(&self.here);
        if here.get(bot).is_some_and(|line| line.number == number) {
            here.remove(bot);
        }
    }

    /// Ends the stream of a bot, and forgets its token.
    fn forget(&self, bot: &str) {
        lock(&self.here).remove(bot);
        self.look_again(bot);
    }

    /// Something about a bot has changed: its token is looked up at its next request.
    fn look_again(&self, bot: &str) {
        lock(&self.known).retain(|_, (known, _)| known.id != bot);
    }

    fn card(&self, bot: &str) -> Option<Card> {
        lock(&self.cards).get(bot).cloned()
    }

    fn keep_card(&self, bot: &str, card: Card) {
        let mut cards = lock(&self.cards);
        if cards.len() >= MOST_KNOWN {
            cards.clear();
        }
        cards.insert(bot.to_owned(), card);
    }

    /// Whether a request shows a token that was good a moment ago: such requests count for the token, and not
    /// for their address, which a whole class may share.
    pub(crate) fn trusts(&self, headers: &HeaderMap) -> bool {
        let Some(token) = bearer(headers) else {
            return false;
        };
        let known = lock(&self.known);
        known
            .get(&digest(token))
            .is_some_and(|(_, at)| at.elapsed() < KNOWN)
    }
}

/// The token that a request shows.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let mut all = headers.get_all(header::AUTHORIZATION).iter();
    let shown = all.next()?.to_str().ok()?;
    if all.next().is_some() {
        return None;
    }
    Some(shown.strip_prefix("Bearer ")?.trim())
}

/// Too many requests of one token: which limit, and how long to wait.
fn too_often(rate: Rate, wait: Duration) -> Fault {
    let seconds = wait.as_secs() + 1;
    let why = WORDS
        .say("bot-too-often")
        .with("each", rate.per_second as u64)
        .with("burst", rate.burst as u64);
    let hint = WORDS.say("bot-too-often-hint").with("seconds", seconds);
    Fault::new(StatusCode::TOO_MANY_REQUESTS, "too-often", why, hint)
}

/// What is kept of a token, and nobody turns back: its SHA-256 in hexadecimal.
fn digest(token: &str) -> String {
    hex(&Sha256::digest(token.as_bytes()))
}

/// A secret as text: 64 hexadecimal digits.
pub(crate) fn secret() -> Result<String, Fault> {
    Ok(format!("{}{}", Id::random()?, Id::random()?))
}

impl App {
    /// The bot of an address.
    pub(crate) fn bot(&self, id: &str) -> Result<Option<Bot>, Fault> {
        let Some(item) = self.store.item(KIND, id)? else {
            return Ok(None);
        };
        Ok(self.kept_bot(&item)?.map(|(bot, _)| bot))
    }

    fn kept_bot(&self, item: &Item) -> Result<Option<(Bot, Kept)>, Fault> {
        let Some(blob) = self.store.blob(KIND, &item.name)? else {
            return Ok(None);
        };
        let Ok(kept) = serde_json::from_slice::<Kept>(&blob.bytes) else {
            return Ok(None);
        };
        let bot = Bot {
            id: item.name.clone(),
            name: kept.name.clone(),
            owner: item.owner.clone(),
            open: kept.token.is_some(),
            paused: kept.paused,
        };
        Ok(Some((bot, kept)))
    }

    /// The bots of a visitor, by name.
    pub(crate) fn bots_of(&self, visitor: Visitor) -> Result<Vec<Bot>, Fault> {
        let mut all = Vec::new();
        for item in self.store.items(&visitor.text())? {
            if item.kind == KIND {
                all.extend(self.kept_bot(&item)?.map(|(bot, _)| bot));
            }
        }
        all.sort_by(|a, b| (&a.name, &a.id).cmp(&(&b.name, &b.id)));
        Ok(all)
    }

    /// A bot of a visitor's own.
    fn own_bot(&self, id: &str, visitor: Visitor) -> Result<Bot, Fault> {
        let bot = self.bot(id)?.ok_or_else(Fault::missing)?;
        if bot.is_of(visitor) {
            Ok(bot)
        } else {
            Err(crate::own::not_yours())
        }
    }

    /// Makes a bot, and says its token.
    fn make_bot(&self, visitor: Visitor, name: &str) -> Result<(Bot, String), Fault> {
        self.gate.admit()?;
        let name: String = name.split_whitespace().collect::<Vec<_>>().join(" ");
        let plain = !name.is_empty() && !name.chars().any(char::is_control);
        if !plain || name.chars().count() > LONGEST {
            let why = WORDS.say("bot-name").with("most", LONGEST);
            let status = StatusCode::UNPROCESSABLE_ENTITY;
            return Err(Fault::new(status, "name", why, WORDS.say("bot-name-hint")));
        }
        if self.bots_of(visitor)?.len() >= MOST {
            let why = WORDS.say("bot-many").with("most", MOST);
            let status = StatusCode::UNPROCESSABLE_ENTITY;
            return Err(Fault::new(status, "many", why, WORDS.say("bot-many-hint")));
        }
        let secret = secret()?;
        let id = format!("b-{}", Id::random()?);
        let token = format!("{id}.{secret}");
        let kept = Kept {
            name,
            token: Some(digest(&token)),
            paused: false,
        };
        self.keep_bot(visitor, &id, &kept, Over::Nothing)?;
        let bot = self.bot(&id)?.ok_or_else(Fault::missing)?;
        Ok((bot, token))
    }

    fn keep_bot(
        &self,
        visitor: Visitor,
        id: &str,
        kept: &Kept,
        over: Over<'_>,
    ) -> Result<(), Fault> {
        let bytes = serde_json::to_vec(kept).map_err(|e| Fault::unreadable(e.to_string()))?;
        let blob = Blob {
            kind: KIND.to_owned(),
            name: id.to_owned(),
            hash: wits_play::Shelf::hash(&bytes),
            bytes,
            at: self.now(),
        };
        // A bot has games and a place on ladders: it does not go to make room.
        let new = NewItem {
            blob: &blob,
            title: &kept.name,
            over,
            pinned: true,
        };
        let quotas = &self.config.quotas;
        match visitor.owning(|owner| self.store.keep(new, owner, &quotas.kept))? {
            Keeping::Kept(_) => Ok(()),
            Keeping::Foreign => Err(crate::own::not_yours()),
            Keeping::Taken => {
                let why = WORDS.say("name-taken").with("name", &kept.name);
                let hint = WORDS.say("name-taken-hint");
                Err(Fault::new(StatusCode::CONFLICT, "name-taken", why, hint))
            }
            Keeping::Full(limit) => Err(crate::own::full(limit, quotas)),
        }
    }

    /// Changes what is kept of a visitor's own bot.
    fn change_bot(
        &self,
        id: &str,
        visitor: Visitor,
        change: impl FnOnce(&mut Kept),
    ) -> Result<(), Fault> {
        self.own_bot(id, visitor)?;
        let item = self.store.item(KIND, id)?.ok_or_else(Fault::missing)?;
        let (_, mut kept) = self.kept_bot(&item)?.ok_or_else(Fault::missing)?;
        let before = kept.token.clone();
        change(&mut kept);
        self.keep_bot(visitor, id, &kept, Over::Anything)?;
        if kept.token == before {
            self.bots.look_again(id);
        } else {
            // Whoever came in by the old one is out.
            self.bots.forget(id);
        }
        Ok(())
    }

    /// Gives a bot another token; the old one counts no longer.
    fn new_token(&self, id: &str, visitor: Visitor) -> Result<String, Fault> {
        let token = format!("{id}.{}", secret()?);
        let hash = digest(&token);
        self.change_bot(id, visitor, |kept| kept.token = Some(hash))?;
        Ok(token)
    }

    /// The bot whose token a request shows.
    fn bot_of_token(&self, headers: &HeaderMap) -> Result<Bot, Fault> {
        let refused = || {
            let (why, hint) = (WORDS.say("bot-token"), WORDS.say("bot-token-hint"));
            Fault::new(StatusCode::UNAUTHORIZED, "token", why, hint)
        };
        let token = bearer(headers).ok_or_else(refused)?;
        let hash = digest(token);
        if let Some((bot, at)) = lock(&self.bots.known).get(&hash)
            && at.elapsed() < KNOWN
        {
            return Ok(bot.clone());
        }
        let (id, _) = token.split_once('.').ok_or_else(refused)?;
        let item = self.store.item(KIND, id)?.ok_or_else(refused)?;
        let (bot, kept) = self.kept_bot(&item)?.ok_or_else(refused)?;
        if kept.token.as_ref() != Some(&hash) {
            return Err(refused());
        }
        // A bot that plays keeps its owner's things from being thrown away.
        if self.seen.is_due(bot.number(), self.now()) {
            self.store.see(&bot.owner, self.now())?;
        }
        let mut known = lock(&self.bots.known);
        if known.len() >= MOST_KNOWN {
            known.clear();
        }
        known.insert(hash, (bot.clone(), Instant::now()));
        Ok(bot)
    }
}
