//! What has a name and may change: settings, and items such as bead boxes and weights.

use crate::tx::{Row, Tx, fit};
use crate::{Result, Store};
use serde_json::Value;

/// A named item with its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blob {
    /// What sort of thing it is: `beads`, `weights`, …
    pub kind: String,
    /// Its name among those.
    pub name: String,
    /// The bytes themselves.
    pub bytes: Vec<u8>,
    /// A hash of the bytes made by the caller; the store only keeps and compares it.
    pub hash: String,
    /// When it was put here.
    pub at: i64,
}

/// A named item as listed, without its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlobInfo {
    /// Its name among those of its kind.
    pub name: String,
    /// How many bytes it has.
    pub size: u64,
    /// The hash it came with.
    pub hash: String,
    /// When it was put here.
    pub at: i64,
}

impl Store {
    /// Keeps a setting, in place of what it was.
    pub fn set(&self, key: &str, value: &Value) -> Result<()> {
        let value = fit(value)?;
        let sql = "INSERT INTO settings (key, value) VALUES ($1, $2)
            ON CONFLICT (key) DO UPDATE SET value = excluded.value";
        self.write(|tx| tx.run(sql, &[key.into(), value.into()]).map(drop))
    }

    /// A setting, if it was ever set.
    pub fn setting(&self, key: &str) -> Result<Option<Value>> {
        let sql = "SELECT value FROM settings WHERE key = $1";
        self.read(|tx| {
            tx.row(sql, &[key.into()])?
                .map(|mut row| row.json())
                .transpose()
        })
    }

    /// Takes a setting back to never having been set, and says whether it was.
    pub fn unset(&self, key: &str) -> Result<bool> {
        self.write(|tx| Ok(tx.run("DELETE FROM settings WHERE key = $1", &[key.into()])? > 0))
    }

    /// Keeps an item, in place of what had its name.
    pub fn put_blob(&self, blob: &Blob) -> Result<()> {
        self.write(|tx| put(tx, blob))
    }

    /// Keeps an item only if what has its name still has the hash `was` (None: nothing has its
    /// name), and says whether it did. Two games that end at once cannot undo each other's lesson.
    pub fn swap_blob(&self, blob: &Blob, was: Option<&str>) -> Result<bool> {
        let Some(was) = was else {
            let sql = "INSERT INTO blobs (kind, name, bytes, hash, at) VALUES ($1, $2, $3, $4, $5)
                ON CONFLICT DO NOTHING";
            return self.write(|tx| Ok(tx.run(sql, &args(blob))? > 0));
        };
        let sql = "UPDATE blobs SET bytes = $3, hash = $4, at = $5
            WHERE kind = $1 AND name = $2 AND hash = $6";
        let [kind, name, bytes, hash, at] = args(blob);
        self.write(|tx| {
            let swapped = tx.run(sql, &[kind, name, bytes, hash, at, was.into()])? > 0;
            if swapped {
                measure(tx, blob)?;
            }
            Ok(swapped)
        })
    }

    /// An item, if there is one of that name.
    pub fn blob(&self, kind: &str, name: &str) -> Result<Option<Blob>> {
        let sql = "SELECT bytes, hash, at FROM blobs WHERE kind = $1 AND name = $2";
        let read = |mut row: Row| {
            let (bytes, hash, at) = (row.bytes()?, row.text()?, row.int()?);
            Ok(Blob {
                kind: kind.into(),
                name: name.into(),
                bytes,
                hash,
                at,
            })
        };
        self.read(|tx| {
            tx.row(sql, &[kind.into(), name.into()])?
                .map(read)
                .transpose()
        })
    }

    /// The hash of an item, if there is one of that name.
    pub fn blob_hash(&self, kind: &str, name: &str) -> Result<Option<String>> {
        let sql = "SELECT hash FROM blobs WHERE kind = $1 AND name = $2";
        self.read(|tx| {
            tx.row(sql, &[kind.into(), name.into()])?
                .map(|mut row| row.text())
                .transpose()
        })
    }

    /// Whether there is an item of that name.
    pub fn has_blob(&self, kind: &str, name: &str) -> Result<bool> {
        let sql = "SELECT count(*) FROM blobs WHERE kind = $1 AND name = $2";
        self.read(|tx| Ok(tx.number(sql, &[kind.into(), name.into()])? > 0))
    }

    /// All items of a kind by name, without their bytes.
    pub fn blobs(&self, kind: &str) -> Result<Vec<BlobInfo>> {
        self.infos(kind, "")
    }

    /// The items of a kind that have no owner, by name, without their bytes.
    pub fn house_blobs(&self, kind: &str) -> Result<Vec<BlobInfo>> {
        let nobodys = "AND NOT EXISTS (SELECT 1 FROM items
            WHERE items.kind = blobs.kind AND items.name = blobs.name)";
        self.infos(kind, nobodys)
    }

    fn infos(&self, kind: &str, which: &str) -> Result<Vec<BlobInfo>> {
        let sql = format!(
            "SELECT name, length(bytes), hash, at FROM blobs WHERE kind = $1 {which} ORDER BY name"
        );
        let read = |mut row: Row| {
            let (name, size, hash, at) = (row.text()?, row.count()?, row.text()?, row.int()?);
            Ok(BlobInfo {
                name,
                size,
                hash,
                at,
            })
        };
        self.read(|tx| {
            tx.rows(&sql, &[kind.into()])?
                .into_iter()
                .map(read)
                .collect()
        })
    }

    /// Throws an item away, and says whether it was there.
    pub fn delete_blob(&self, kind: &str, name: &str) -> Result<bool> {
        let sql = "DELETE FROM blobs WHERE kind = $1 AND name = $2";
        self.write(|tx| Ok(tx.run(sql, &[kind.into(), name.into()])? > 0))
    }
}

/// Puts an item in place of what had its name.
pub(crate) fn put(tx: &mut Tx<'_>, blob: &Blob) -> Result<()> {
    let sql = "INSERT INTO blobs (kind, name, bytes, hash, at) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (kind, name) DO UPDATE
        SET bytes = excluded.bytes, hash = excluded.hash, at = excluded.at";
    tx.run(sql, &args(blob))?;
    measure(tx, blob)
}

/// Keeps the size of an item that has an owner right.
fn measure(tx: &mut Tx<'_>, blob: &Blob) -> Result<()> {
    let sql = "UPDATE items SET size = $3 WHERE kind = $1 AND name = $2";
    let size = blob.bytes.len() as i64;
    let (kind, name) = (blob.kind.as_str(), blob.name.as_str());
    tx.run(sql, &[kind.into(), name.into(), size.into()])
        .map(drop)
}

fn args(blob: &Blob) -> [crate::tx::Arg<'_>; 5] {
    let Blob {
        kind,
        name,
        bytes,
        hash,
        at,
    } = blob;
    let (kind, name, hash) = (
        kind.as_str().into(),
        name.as_str().into(),
        hash.as_str().into(),
    );
    [kind, name, bytes.as_slice().into(), hash, (*at).into()]
}
