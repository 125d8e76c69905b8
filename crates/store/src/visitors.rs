//! Visitors: what they began, when they were last here, what becomes of what they leave.

use crate::items::{delete_thing, find, of_owner};
use crate::sessions::{COLUMNS, create, delete, read_session};
use crate::tx::Tx;
use crate::{Error, Id, Limit, Owner, Result, Session, Store};
use serde_json::Value;

/// How many sessions may be open, that is begun and not finished.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpenLimits {
    /// Of one visitor.
    pub visitor: u64,
    /// Of all visitors from one address.
    pub address: u64,
    /// The most bytes of everything in the database: nothing is begun beyond.
    pub house_bytes: u64,
}

/// What expired.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Expired {
    /// Items with their parts.
    pub items: u64,
    /// Sessions that were never finished.
    pub sessions: u64,
}

/// How much is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    /// Visitors who keep something.
    pub visitors: u64,
    /// Their items.
    pub items: u64,
    /// The bytes of those items.
    pub item_bytes: u64,
    /// Sessions, finished or not.
    pub sessions: u64,
    /// Sessions that are not finished.
    pub open: u64,
    /// The bytes of everything in the database.
    pub bytes: u64,
}

impl Store {
    /// Creates an empty session for a visitor, unless too many are open: then says whose limit it
    /// is. For an address, sessions go first that visitors left who never came back.
    pub fn create_for(
        &self,
        id: Id,
        kind: &str,
        header: &Value,
        owner: Owner<'_>,
        limits: &OpenLimits,
        at: i64,
    ) -> Result<Option<Limit>> {
        self.write(|tx| {
            meet(tx, owner, at)?;
            let open = "FROM makers JOIN sessions ON id = session WHERE finished = 0";
            let mine = format!("SELECT count(*) {open} AND owner = $1");
            if tx.number(&mine, &[owner.token.into()])? >= limits.visitor {
                return Ok(Some(Limit::Visitor));
            }
            let here = format!("SELECT count(*) {open} AND address = $1");
            let count = tx.number(&here, &[owner.address.into()])?;
            if !owner.address.is_empty() && count >= limits.address {
                let left = format!(
                    "SELECT id {open} AND address = $1 AND owner <> $2
                    AND owner IN (SELECT token FROM visitors WHERE back = 0)
                    ORDER BY updated, id LIMIT 1"
                );
                let args = [owner.address.into(), owner.token.into()];
                let Some(mut row) = tx.row(&left, &args)? else {
                    return Ok(Some(Limit::Address));
                };
                delete(tx, row.id()?)?;
            }
            if tx.size()? >= limits.house_bytes {
                return Ok(Some(Limit::House));
            }
            create(tx, id, kind, header, at)?;
            let sql = "INSERT INTO makers (session, owner, address) VALUES ($1, $2, $3)";
            tx.run(sql, &[id.into(), owner.token.into(), owner.address.into()])?;
            Ok(None)
        })
    }

    /// Up to `limit` sessions that a visitor began or has a seat in, the last updated first.
    pub fn sessions_of(&self, token: &str, limit: u32) -> Result<Vec<Session>> {
        let sql = format!(
            "{COLUMNS} WHERE id IN (SELECT session FROM makers WHERE owner = $1)
            OR id IN (SELECT session FROM tokens WHERE token = $1)
            ORDER BY updated DESC, id DESC LIMIT $2"
        );
        let args = [token.into(), i64::from(limit).into()];
        self.read(|tx| {
            tx.rows(&sql, &args)?
                .into_iter()
                .map(read_session)
                .collect()
        })
    }

    /// Notes that a visitor who keeps something came back.
    pub fn see(&self, token: &str, at: i64) -> Result<()> {
        let known = "SELECT count(*) FROM visitors WHERE token = $1 AND (back = 0 OR seen < $2)";
        let args = [token.into(), at.into()];
        // Most visitors keep nothing: looking takes no lock.
        if self.read(|tx| tx.number(known, &args))? == 0 {
            return Ok(());
        }
        let sql = "UPDATE visitors SET back = 1, seen = CASE WHEN seen < $2 THEN $2 ELSE seen END
            WHERE token = $1";
        self.write(|tx| tx.run(sql, &args).map(drop))
    }

    /// Throws away what visitors left who came back once and not since `back`, or never and not
    /// since `strangers`: their items and the sessions that nobody finished or touched since.
    pub fn expire(&self, back: i64, strangers: i64) -> Result<Expired> {
        let gone = "SELECT token,
            CASE WHEN back = 1 THEN CAST($1 AS BIGINT) ELSE CAST($2 AS BIGINT) END FROM visitors
            WHERE (back = 1 AND seen < $1) OR (back = 0 AND seen < $2)";
        let args = [back.into(), strangers.into()];
        self.write(|tx| {
            let mut expired = Expired::default();
            for mut row in tx.rows(gone, &args)? {
                let (token, since) = (row.text()?, row.int()?);
                for item in of_owner(tx, &token)? {
                    expired.items += delete_thing(tx, &item.name, &token)?;
                }
                let sql = "SELECT id FROM sessions JOIN makers ON session = id
                    WHERE owner = $1 AND finished = 0 AND updated < $2";
                for mut row in tx.rows(sql, &[token.as_str().into(), since.into()])? {
                    expired.sessions += delete(tx, row.id()?)?;
                }
                tx.run(
                    "DELETE FROM visitors WHERE token = $1",
                    &[token.as_str().into()],
                )?;
            }
            Ok(expired)
        })
    }

    /// Throws away everything of a visitor: items, the sessions in which nobody else sits, the
    /// seats in the others. Says how many items and sessions went.
    pub fn forget_visitor(&self, token: &str) -> Result<Expired> {
        self.write(|tx| {
            let mut gone = Expired::default();
            for item in of_owner(tx, token)? {
                gone.items += delete_thing(tx, &item.name, token)?;
            }
            let alone = "SELECT id FROM sessions WHERE
                (id IN (SELECT session FROM makers WHERE owner = $1)
                OR id IN (SELECT session FROM tokens WHERE token = $1))
                AND id NOT IN (SELECT session FROM tokens WHERE token <> $1)";
            for mut row in tx.rows(alone, &[token.into()])? {
                gone.sessions += delete(tx, row.id()?)?;
            }
            for sql in [
                "DELETE FROM tokens WHERE token = $1",
                "DELETE FROM makers WHERE owner = $1",
                "DELETE FROM visitors WHERE token = $1",
            ] {
                tx.run(sql, &[token.into()])?;
            }
            Ok(gone)
        })
    }

    /// Gives everything of one visitor to another. A title that both use gets a number.
    pub fn merge_visitors(&self, from: &str, into: Owner<'_>, at: i64) -> Result<()> {
        if from == into.token {
            return Ok(());
        }
        self.write(|tx| {
            meet(tx, into, at)?;
            for item in of_owner(tx, from)? {
                let mut title = item.title.clone();
                let mut number = 2;
                while !title.is_empty() && find(tx, into.token, &item.kind, &title)?.is_some() {
                    title = format!("{}-{number}", item.title);
                    number += 1;
                }
                let sql = "UPDATE items SET owner = $3, title = $4 WHERE kind = $1 AND name = $2";
                let args = [
                    item.kind.as_str().into(),
                    item.name.as_str().into(),
                    into.token.into(),
                    title.as_str().into(),
                ];
                tx.run(sql, &args)?;
            }
            for sql in [
                "UPDATE tokens SET token = $2 WHERE token = $1",
                "UPDATE makers SET owner = $2 WHERE owner = $1",
            ] {
                tx.run(sql, &[from.into(), into.token.into()])?;
            }
            tx.run("DELETE FROM visitors WHERE token = $1", &[from.into()])
                .map(drop)
        })
    }

    /// Keeps a one-time link of a visitor, in place of the one before: whoever shows it until then
    /// is told the visitor's token. The store does not look into it; a caller may hash it first.
    pub fn put_link(&self, owner: Owner<'_>, link: &str, until: i64, at: i64) -> Result<()> {
        let sql = "UPDATE visitors SET link = $2, link_until = $3 WHERE token = $1";
        self.write(|tx| {
            meet(tx, owner, at)?;
            tx.run(sql, &[owner.token.into(), link.into(), until.into()])
                .map(drop)
        })
    }

    /// Takes a one-time link: the token of its visitor, once, and only while it holds.
    pub fn take_link(&self, link: &str, at: i64) -> Result<Option<String>> {
        if link.is_empty() {
            return Ok(None);
        }
        let sql = "UPDATE visitors SET link = '' WHERE link = $1 RETURNING token, link_until";
        self.write(|tx| {
            let Some(mut row) = tx.row(sql, &[link.into()])? else {
                return Ok(None);
            };
            let (token, until) = (row.text()?, row.int()?);
            Ok((at < until).then_some(token))
        })
    }

    /// How many bytes the whole database takes.
    #[expect(
        clippy::redundant_closure_for_method_calls,
        reason = "the method itself is for one lifetime only"
    )]
    pub fn size(&self) -> Result<u64> {
        self.read(|tx| tx.size())
    }

    /// How much is kept.
    pub fn usage(&self) -> Result<Usage> {
        let items = "SELECT count(DISTINCT owner), count(*),
            CAST(coalesce(sum(size), 0) AS BIGINT) FROM items";
        self.read(|tx| {
            let row = tx.row(items, &[])?;
            let mut row = row.ok_or_else(|| Error::corrupt("no row where one must be"))?;
            let (visitors, items, item_bytes) = (row.count()?, row.count()?, row.count()?);
            Ok(Usage {
                visitors,
                items,
                item_bytes,
                sessions: tx.number("SELECT count(*) FROM sessions", &[])?,
                open: tx.number("SELECT count(*) FROM sessions WHERE finished = 0", &[])?,
                bytes: tx.size()?,
            })
        })
    }
}

/// Notes a visitor who begins or keeps something. The row's lock makes their changes take turns.
pub(crate) fn meet(tx: &mut Tx<'_>, owner: Owner<'_>, at: i64) -> Result<()> {
    let sql = "INSERT INTO visitors (token, seen, back, link, link_until)
        VALUES ($1, $2, $3, '', 0)
        ON CONFLICT (token) DO UPDATE SET
            seen = CASE WHEN visitors.seen < excluded.seen THEN excluded.seen ELSE visitors.seen END,
            back = CASE WHEN excluded.back = 1 THEN 1 ELSE visitors.back END";
    let back = i64::from(owner.back);
    tx.run(sql, &[owner.token.into(), at.into(), back.into()])
        .map(drop)
}
