//! Files that players need, in pieces that the server takes at once.
//!
//! A file lies under the hash of what is in it, so it is there once for all runs. How many pieces it has
//! is written last: whoever finds that finds all of it.

use super::{Nats, Result, streams};

/// Half of what a server takes if nobody told it otherwise.
const PIECE: usize = 512 << 10;

/// Where it is written how many pieces a file has.
const COUNT: &str = "count";

impl Nats {
    pub(crate) fn deposit(&self, hash: &str, bytes: &[u8]) -> Result<()> {
        self.wait(async {
            let files = streams::files(&self.context).await;
            files.map_err(|e| self.away(e))?;
            for (number, piece) in bytes.chunks(PIECE).enumerate() {
                let subject = streams::file(hash, &number.to_string());
                self.put(subject, piece).await?;
            }
            let count = bytes.len().div_ceil(PIECE).to_string();
            let subject = streams::file(hash, COUNT);
            self.put(subject, count.as_bytes()).await?;
            Ok(())
        })
    }

    pub(crate) fn collect(&self, hash: &str) -> Result<Option<Vec<u8>>> {
        self.wait(async {
            let files = streams::files(&self.context).await;
            let files = files.map_err(|e| self.away(e))?;
            let read = async |part: &str| {
                let piece = streams::read(&files, &streams::file(hash, part)).await;
                piece.map_err(|e| self.away(e))
            };
            let count = read(COUNT).await?;
            let count = count.and_then(|c| std::str::from_utf8(&c).ok()?.parse::<usize>().ok());
            let Some(count) = count.filter(|&c| c <= crate::LARGEST_FILE.div_ceil(PIECE)) else {
                return Ok(None);
            };
            let mut bytes = Vec::new();
            for number in 0..count {
                match read(&number.to_string()).await? {
                    Some(piece) => bytes.extend(piece),
                    None => return Ok(None),
                }
            }
            Ok(Some(bytes))
        })
    }
}
