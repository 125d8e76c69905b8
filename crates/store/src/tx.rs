//! One transaction, whichever the database: what goes in, what comes out.

use crate::{Error, Id, Result};
use serde_json::Value;
use std::borrow::Cow;

/// A parameter of a statement, written `$1`, `$2`, …
#[derive(Debug)]
pub(crate) enum Arg<'a> {
    Int(i64),
    Text(Cow<'a, str>),
    Bytes(&'a [u8]),
}

impl From<i64> for Arg<'_> {
    fn from(n: i64) -> Self {
        Self::Int(n)
    }
}

impl From<Id> for Arg<'_> {
    fn from(id: Id) -> Self {
        Self::Text(id.to_string().into())
    }
}

impl<'a> From<&'a str> for Arg<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text.into())
    }
}

impl From<&Value> for Arg<'_> {
    fn from(json: &Value) -> Self {
        Self::Text(json.to_string().into())
    }
}

impl<'a> From<&'a [u8]> for Arg<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Self::Bytes(bytes)
    }
}

/// Refuses JSON that could be written but not read back: the reader stops at 128 levels.
pub(crate) fn fit(json: &Value) -> Result<&Value> {
    fn deeper_than(levels: usize, json: &Value) -> bool {
        match json {
            Value::Array(items) => levels == 0 || items.iter().any(|v| deeper_than(levels - 1, v)),
            Value::Object(map) => levels == 0 || map.values().any(|v| deeper_than(levels - 1, v)),
            _ => false,
        }
    }
    if deeper_than(100, json) {
        return Err(Error::Unfit {
            what: "JSON nested deeper than 100 levels",
        });
    }
    Ok(json)
}

/// One value of an answer.
#[derive(Debug)]
pub(crate) enum Cell {
    Null,
    Int(i64),
    Text(String),
    Bytes(Vec<u8>),
}

/// One row of an answer, read from left to right.
#[derive(Debug)]
pub(crate) struct Row(std::vec::IntoIter<Cell>);

impl Row {
    fn next(&mut self) -> Cell {
        self.0.next().unwrap_or(Cell::Null)
    }

    pub(crate) fn int(&mut self) -> Result<i64> {
        match self.next() {
            Cell::Int(n) => Ok(n),
            other => Err(Error::corrupt(format!(
                "{other:?} where a number should be"
            ))),
        }
    }

    /// A number that is never negative.
    pub(crate) fn count(&mut self) -> Result<u64> {
        self.int()?.try_into().map_err(Error::corrupt)
    }

    pub(crate) fn text(&mut self) -> Result<String> {
        match self.next() {
            Cell::Text(text) => Ok(text),
            other => Err(Error::corrupt(format!("{other:?} where text should be"))),
        }
    }

    pub(crate) fn bytes(&mut self) -> Result<Vec<u8>> {
        match self.next() {
            Cell::Bytes(bytes) => Ok(bytes),
            other => Err(Error::corrupt(format!("{other:?} where bytes should be"))),
        }
    }

    pub(crate) fn json(&mut self) -> Result<Value> {
        serde_json::from_str(&self.text()?).map_err(Error::corrupt)
    }

    pub(crate) fn id(&mut self) -> Result<Id> {
        self.text()?.parse().map_err(Error::corrupt)
    }
}

/// An open transaction. Who gets an error from it must hand it on: a failed PostgreSQL transaction
/// cannot be continued.
pub(crate) enum Tx<'a> {
    Sqlite(&'a rusqlite::Connection),
    #[cfg(feature = "postgres")]
    Postgres(&'a mut crate::postgres::Conn),
}

impl Tx<'_> {
    /// Runs a statement and says how many rows it changed.
    pub(crate) fn run(&mut self, sql: &str, args: &[Arg<'_>]) -> Result<u64> {
        storable(args)?;
        match self {
            Self::Sqlite(conn) => crate::sqlite::run(conn, sql, args),
            #[cfg(feature = "postgres")]
            Self::Postgres(conn) => conn.run(sql, args),
        }
    }

    /// Tells other processes, if the transaction is committed, that a session has changed. A file
    /// has one server, so nobody is there to be told.
    #[cfg_attr(
        not(feature = "postgres"),
        expect(clippy::unnecessary_wraps, reason = "only PostgreSQL can fail to tell")
    )]
    pub(crate) fn tell(&mut self, id: Id) -> Result<()> {
        match self {
            Self::Sqlite(_) => {
                let _ = id;
                Ok(())
            }
            #[cfg(feature = "postgres")]
            Self::Postgres(conn) => conn.tell(id),
        }
    }

    /// Runs a question and gives all rows of the answer.
    pub(crate) fn rows(&mut self, sql: &str, args: &[Arg<'_>]) -> Result<Vec<Row>> {
        storable(args)?;
        let rows = match self {
            Self::Sqlite(conn) => crate::sqlite::rows(conn, sql, args)?,
            #[cfg(feature = "postgres")]
            Self::Postgres(conn) => conn.rows(sql, args)?,
        };
        Ok(rows
            .into_iter()
            .map(|cells| Row(cells.into_iter()))
            .collect())
    }

    /// The first row of the answer, if any.
    pub(crate) fn row(&mut self, sql: &str, args: &[Arg<'_>]) -> Result<Option<Row>> {
        Ok(self.rows(sql, args)?.into_iter().next())
    }

    /// The single number a question asks for.
    pub(crate) fn number(&mut self, sql: &str, args: &[Arg<'_>]) -> Result<u64> {
        self.row(sql, args)?
            .ok_or_else(|| Error::corrupt("no row where one must be"))?
            .count()
    }

    /// How many bytes the whole database takes. Pages that SQLite has free count as free;
    /// PostgreSQL gives back to the disk what it likes.
    pub(crate) fn size(&mut self) -> Result<u64> {
        let sql = match self {
            Self::Sqlite(_) => {
                "SELECT (page_count - freelist_count) * page_size
                FROM pragma_page_count, pragma_freelist_count, pragma_page_size"
            }
            #[cfg(feature = "postgres")]
            Self::Postgres(_) => "SELECT pg_database_size(current_database())",
        };
        self.number(sql, &[])
    }
}

/// PostgreSQL keeps no NUL in text, so no database here does. (In JSON it is written `\u0000`.)
fn storable(args: &[Arg<'_>]) -> Result<()> {
    if args
        .iter()
        .any(|a| matches!(a, Arg::Text(text) if text.contains('\0')))
    {
        return Err(Error::Unfit {
            what: "text with a NUL character",
        });
    }
    Ok(())
}
