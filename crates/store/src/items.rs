//! Items with an owner: who may change them, and how much one owner may keep.
//!
//! An item is a [`Blob`] that a visitor keeps; one without an owner is nobody's to change but the
//! program's. Items of one name and owner are parts of one *thing* and go together.

use crate::tx::{Row, Tx};
use crate::visitors::meet;
use crate::{Blob, Result, Store};

/// Who keeps something, and from where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Owner<'a> {
    /// The visitor's token.
    pub token: &'a str,
    /// The network address the visitor comes from; empty where it is not known.
    pub address: &'a str,
    /// Whether the visitor has come back with the token, or was given it just now.
    pub back: bool,
}

/// An item of a visitor, without its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// What sort of thing it is.
    pub kind: String,
    /// Its name among those: whoever knows it can read the item.
    pub name: String,
    /// What its owner calls it.
    pub title: String,
    /// The owner's token.
    pub owner: String,
    /// How many bytes it has.
    pub size: u64,
    /// When it was first put here.
    pub made: i64,
    /// When it was last used.
    pub used: i64,
    /// Whether others may add to it.
    pub shared: bool,
    /// Whether it stays when room is made for others.
    pub pinned: bool,
    address: String,
}

/// An item to keep.
#[derive(Debug, Clone, Copy)]
pub struct NewItem<'a> {
    /// The item with its bytes.
    pub blob: &'a Blob,
    /// What its owner calls it.
    pub title: &'a str,
    /// What it may replace.
    pub over: Over<'a>,
    /// Whether it stays when room is made for others.
    pub pinned: bool,
}

/// What a new item may replace, among its owner's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Over<'a> {
    /// Nothing: neither its name nor its title may be in use.
    Nothing,
    /// The item of its name with this hash.
    Hash(&'a str),
    /// Whatever has its name.
    Anything,
}

/// How much may be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quota {
    /// The most bytes of one visitor.
    pub bytes: u64,
    /// The most things of one visitor.
    pub items: u64,
    /// The most bytes of all visitors from one address.
    pub address_bytes: u64,
    /// The most things of all visitors from one address.
    pub address_items: u64,
    /// The most bytes of everything in the database.
    pub house_bytes: u64,
}

/// Whose limit was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// The visitor's.
    Visitor,
    /// That of the address.
    Address,
    /// That of the whole database.
    House,
}

/// What became of an item that was to be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Keeping {
    /// It is kept. Those of the same owner went to make room, the one used longest ago first.
    Kept(Vec<Item>),
    /// Something else has its name or its title, or has changed meanwhile.
    Taken,
    /// Somebody else, or nobody, owns what has its name.
    Foreign,
    /// There is no room, also if everything of this owner that may go went.
    Full(Limit),
}

const COLUMNS: &str =
    "SELECT kind, name, title, owner, size, made, used, shared, pinned, address FROM items";

impl Store {
    /// Keeps an item of a visitor. Room is made among that visitor's own things only, and among
    /// what visitors from the same address left who never came back.
    pub fn keep(&self, new: NewItem<'_>, owner: Owner<'_>, quota: &Quota) -> Result<Keeping> {
        let blob = new.blob;
        self.write(|tx| {
            // First the visitor's row: its lock makes one visitor's changes take turns.
            meet(tx, owner, blob.at)?;
            let old = item(tx, &blob.kind, &blob.name)?;
            let sql = "SELECT hash FROM blobs WHERE kind = $1 AND name = $2";
            let key = [blob.kind.as_str().into(), blob.name.as_str().into()];
            let hash = tx.row(sql, &key)?.map(|mut row| row.text()).transpose()?;
            let foreign = match &old {
                Some(old) => old.owner != owner.token,
                None => hash.is_some(),
            };
            if foreign {
                return Ok(Keeping::Foreign);
            }
            let free = match new.over {
                Over::Nothing => {
                    hash.is_none() && find(tx, owner.token, &blob.kind, new.title)?.is_none()
                }
                Over::Hash(was) => hash.as_deref() == Some(was),
                Over::Anything => true,
            };
            if !free {
                return Ok(Keeping::Taken);
            }
            let room = match Room::make(tx, blob, old.as_ref(), owner, quota)? {
                Ok(room) => room,
                Err(limit) => return Ok(Keeping::Full(limit)),
            };
            for item in room.strangers.iter().chain(&room.gone) {
                delete_thing(tx, &item.name, &item.owner)?;
            }
            put(tx, new, owner)?;
            Ok(Keeping::Kept(room.gone))
        })
    }

    /// An item that has an owner.
    pub fn item(&self, kind: &str, name: &str) -> Result<Option<Item>> {
        self.read(|tx| item(tx, kind, name))
    }

    /// A visitor's item of a title; the one used last, if several have it.
    pub fn find_item(&self, owner: &str, kind: &str, title: &str) -> Result<Option<Item>> {
        self.read(|tx| find(tx, owner, kind, title))
    }

    /// Everything of a visitor, used last first.
    pub fn items(&self, owner: &str) -> Result<Vec<Item>> {
        let sql = format!("{COLUMNS} WHERE owner = $1 ORDER BY used DESC, kind, name");
        self.read(|tx| list(tx, &sql, &[owner.into()]))
    }

    /// The largest items of all visitors, largest first.
    pub fn largest_items(&self, limit: u32) -> Result<Vec<Item>> {
        let sql = format!("{COLUMNS} ORDER BY size DESC, kind, name LIMIT $1");
        self.read(|tx| list(tx, &sql, &[i64::from(limit).into()]))
    }

    /// Notes that an item was used.
    pub fn use_item(&self, kind: &str, name: &str, at: i64) -> Result<()> {
        let sql = "UPDATE items SET used = $3 WHERE kind = $1 AND name = $2 AND used < $3";
        self.write(|tx| {
            tx.run(sql, &[kind.into(), name.into(), at.into()])
                .map(drop)
        })
    }

    /// Lets others add to an item of this owner, or no longer; says whether there is one.
    pub fn share_item(&self, kind: &str, name: &str, owner: &str, shared: bool) -> Result<bool> {
        let sql = "UPDATE items SET shared = $4 WHERE kind = $1 AND name = $2 AND owner = $3";
        let args = [
            kind.into(),
            name.into(),
            owner.into(),
            i64::from(shared).into(),
        ];
        self.write(|tx| Ok(tx.run(sql, &args)? > 0))
    }

    /// Throws a thing of this owner away, with all its parts; says whether there was one.
    pub fn discard(&self, name: &str, owner: &str) -> Result<bool> {
        self.write(|tx| Ok(delete_thing(tx, name, owner)? > 0))
    }
}

fn read_item(mut row: Row) -> Result<Item> {
    Ok(Item {
        kind: row.text()?,
        name: row.text()?,
        title: row.text()?,
        owner: row.text()?,
        size: row.count()?,
        made: row.int()?,
        used: row.int()?,
        shared: row.int()? != 0,
        pinned: row.int()? != 0,
        address: row.text()?,
    })
}

fn list(tx: &mut Tx<'_>, sql: &str, args: &[crate::tx::Arg<'_>]) -> Result<Vec<Item>> {
    tx.rows(sql, args)?.into_iter().map(read_item).collect()
}

fn item(tx: &mut Tx<'_>, kind: &str, name: &str) -> Result<Option<Item>> {
    let sql = format!("{COLUMNS} WHERE kind = $1 AND name = $2");
    Ok(list(tx, &sql, &[kind.into(), name.into()])?.pop())
}

pub(crate) fn find(tx: &mut Tx<'_>, owner: &str, kind: &str, title: &str) -> Result<Option<Item>> {
    let sql = format!(
        "{COLUMNS} WHERE owner = $1 AND kind = $2 AND title = $3 ORDER BY used DESC, name LIMIT 1"
    );
    Ok(list(tx, &sql, &[owner.into(), kind.into(), title.into()])?.pop())
}

/// Everything of a visitor, used longest ago first.
pub(crate) fn of_owner(tx: &mut Tx<'_>, owner: &str) -> Result<Vec<Item>> {
    let sql = format!("{COLUMNS} WHERE owner = $1 ORDER BY used, kind, name");
    list(tx, &sql, &[owner.into()])
}

/// Deletes all parts of a thing; their rows in `items` go with them.
pub(crate) fn delete_thing(tx: &mut Tx<'_>, name: &str, owner: &str) -> Result<u64> {
    let sql = "DELETE FROM blobs WHERE name = $1
        AND kind IN (SELECT kind FROM items WHERE name = $1 AND owner = $2)";
    tx.run(sql, &[name.into(), owner.into()])
}

fn put(tx: &mut Tx<'_>, new: NewItem<'_>, owner: Owner<'_>) -> Result<()> {
    let blob = new.blob;
    crate::shelf::put(tx, blob)?;
    let sql = "INSERT INTO items
            (kind, name, owner, address, title, size, made, used, shared, pinned)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $7, 0, $8)
        ON CONFLICT (kind, name) DO UPDATE SET title = excluded.title, size = excluded.size,
            used = excluded.used, address = excluded.address";
    let args = [
        blob.kind.as_str().into(),
        blob.name.as_str().into(),
        owner.token.into(),
        owner.address.into(),
        new.title.into(),
        (blob.bytes.len() as i64).into(),
        blob.at.into(),
        i64::from(new.pinned).into(),
    ];
    tx.run(sql, &args).map(drop)
}

/// What must go so that an item fits: things, their parts added up.
struct Room {
    /// Of the same owner.
    gone: Vec<Item>,
    /// Of others from the same address, who never came back.
    strangers: Vec<Item>,
}

impl Room {
    /// Finds room, and changes nothing yet: who is refused loses nothing.
    fn make(
        tx: &mut Tx<'_>,
        blob: &Blob,
        old: Option<&Item>,
        owner: Owner<'_>,
        quota: &Quota,
    ) -> Result<std::result::Result<Room, Limit>> {
        let size = blob.bytes.len() as u64;
        let before = old.map_or(0, |old| old.size);
        let all = things(of_owner(tx, owner.token)?);
        // The thing itself counts with its parts, once it is there.
        let sum = |all: &[Item]| all.iter().map(|thing| thing.size).sum::<u64>();
        let known = all.iter().any(|thing| thing.name == blob.name);
        let mut bytes = (sum(&all) + size).saturating_sub(before);
        let mut count = all.len() as u64 + u64::from(!known);
        let own = all.iter().filter(|t| !t.pinned && t.name != blob.name);
        let mut own = own.cloned();
        let mut room = Room {
            gone: Vec::new(),
            strangers: Vec::new(),
        };
        while bytes > quota.bytes || count > quota.items {
            let Some(thing) = own.next() else {
                return Ok(Err(Limit::Visitor));
            };
            bytes = bytes.saturating_sub(thing.size);
            count -= 1;
            room.gone.push(thing);
        }
        if !owner.address.is_empty() {
            let here = |thing: &Item| thing.address == owner.address;
            let (total, all_here) = of_address(tx, owner.address)?;
            let gone_here: Vec<Item> = room.gone.iter().filter(|t| here(t)).cloned().collect();
            let was = old.filter(|old| here(old)).map_or(0, |old| old.size);
            // Parts of one thing may have come from several addresses: sums are not exact here.
            let mut bytes = (total + size).saturating_sub(was + sum(&gone_here));
            let known = all.iter().any(|t| here(t) && t.name == blob.name);
            let mut count = (all_here + u64::from(!known)).saturating_sub(gone_here.len() as u64);
            let mut left = Vec::new().into_iter();
            if bytes > quota.address_bytes || count > quota.address_items {
                left = strangers(tx, owner)?.into_iter();
            }
            while bytes > quota.address_bytes || count > quota.address_items {
                if let Some(thing) = left.next() {
                    bytes = bytes.saturating_sub(thing.size);
                    count = count.saturating_sub(1);
                    room.strangers.push(thing);
                } else if let Some(thing) = own.next() {
                    if here(&thing) {
                        bytes = bytes.saturating_sub(thing.size);
                        count = count.saturating_sub(1);
                    }
                    room.gone.push(thing);
                } else {
                    return Ok(Err(Limit::Address));
                }
            }
        }
        let house = tx.size()? + size;
        let freed = |room: &Room| sum(&room.gone) + sum(&room.strangers) + before;
        while house.saturating_sub(freed(&room)) > quota.house_bytes {
            let Some(thing) = own.next() else {
                return Ok(Err(Limit::House));
            };
            room.gone.push(thing);
        }
        Ok(Ok(room))
    }
}

/// Items added up to things, used longest ago first: the parts of a thing have one name and owner.
fn things(items: Vec<Item>) -> Vec<Item> {
    let mut all: Vec<Item> = Vec::new();
    for item in items {
        let same = |thing: &&mut Item| thing.name == item.name && thing.owner == item.owner;
        let Some(thing) = all.iter_mut().find(same) else {
            all.push(item);
            continue;
        };
        thing.size += item.size;
        thing.used = thing.used.max(item.used);
        thing.pinned |= item.pinned;
        if thing.title.is_empty() {
            (thing.kind, thing.title) = (item.kind, item.title);
        }
    }
    all.sort_by(|a, b| (a.used, &a.name).cmp(&(b.used, &b.name)));
    all
}

/// What others from the owner's address left who never came back.
fn strangers(tx: &mut Tx<'_>, owner: Owner<'_>) -> Result<Vec<Item>> {
    let sql = format!(
        "{COLUMNS} WHERE address = $1 AND owner <> $2 AND pinned = 0
        AND owner IN (SELECT token FROM visitors WHERE back = 0) ORDER BY used, kind, name"
    );
    let args = [owner.address.into(), owner.token.into()];
    Ok(things(list(tx, &sql, &args)?))
}

fn of_address(tx: &mut Tx<'_>, address: &str) -> Result<(u64, u64)> {
    let sql = "SELECT CAST(coalesce(sum(size), 0) AS BIGINT), count(DISTINCT name) FROM items
        WHERE address = $1";
    let row = tx.row(sql, &[address.into()])?;
    let mut row = row.ok_or_else(|| crate::Error::corrupt("no row where one must be"))?;
    Ok((row.count()?, row.count()?))
}
