//! A feed as a bag of named files: a zip archive or a folder that somebody else has opened. Files
//! are read piece by piece, never unpacked as a whole.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::io::Read;

use miniz_oxide::inflate::stream::{InflateState, inflate};
use miniz_oxide::{DataFormat, MZFlush, MZStatus};

/// Bytes that are no zip archive we can read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadArchive {
    /// There is no directory at the end.
    #[error("this is not a zip archive, or it was cut short")]
    NotAZip,
    /// A file inside is damaged.
    #[error("`{0}` inside the archive is damaged")]
    Damaged(String),
    /// A file is stored in a way we do not read.
    #[error("`{0}` inside the archive is encrypted or packed by method {1}; pack it with deflate")]
    Method(String, u16),
    /// A file of a folder cannot be read.
    #[error("`{0}` cannot be read: {1}")]
    Unreadable(String, std::io::ErrorKind),
}

/// Files by name; folders inside the archive are ignored, so `gtfs/stops.txt` is `stops.txt`.
#[derive(Default)]
pub struct Archive<'a> {
    files: BTreeMap<String, Entry<'a>>,
}

enum Entry<'a> {
    Plain(Cow<'a, [u8]>),
    Deflated { bytes: &'a [u8], size: usize },
    Open(Box<dyn Read + 'a>),
}

impl fmt::Debug for Archive<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.files.keys()).finish()
    }
}

impl<'a> Archive<'a> {
    /// Files that were read from a folder.
    pub fn folder(files: impl IntoIterator<Item = (String, Vec<u8>)>) -> Archive<'a> {
        let files = files
            .into_iter()
            .map(|(name, bytes)| (base(&name).to_owned(), Entry::Plain(Cow::Owned(bytes))))
            .collect();
        Archive { files }
    }

    /// Files of a folder that were opened, to be read when they are needed.
    pub fn readers(files: impl IntoIterator<Item = (String, Box<dyn Read + 'a>)>) -> Archive<'a> {
        let files = files
            .into_iter()
            .map(|(name, reader)| (base(&name).to_owned(), Entry::Open(reader)))
            .collect();
        Archive { files }
    }

    /// The files of a zip archive; they are unpacked when they are read.
    pub fn zip(bytes: &'a [u8]) -> Result<Archive<'a>, BadArchive> {
        let at16 = |at: usize| Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?));
        let at32 =
            |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?) as usize);
        // The end record is the last one with its signature; a comment may follow it.
        let tail = bytes.len().saturating_sub(65_557);
        let end =
            memchr::memmem::rfind(&bytes[tail..], b"PK\x05\x06").ok_or(BadArchive::NotAZip)? + tail;
        let count = at16(end + 10).ok_or(BadArchive::NotAZip)?;
        let mut at = at32(end + 16).ok_or(BadArchive::NotAZip)?;
        let mut files = BTreeMap::new();
        for _ in 0..count {
            if at32(at) != Some(0x0201_4b50) {
                return Err(BadArchive::NotAZip);
            }
            let short = || BadArchive::NotAZip;
            let flags = at16(at + 8).ok_or_else(short)?;
            let method = at16(at + 10).ok_or_else(short)?;
            let packed = at32(at + 20).ok_or_else(short)?;
            let size = at32(at + 24).ok_or_else(short)?;
            let name_len = usize::from(at16(at + 28).ok_or_else(short)?);
            let extra = usize::from(at16(at + 30).ok_or_else(short)?);
            let comment = usize::from(at16(at + 32).ok_or_else(short)?);
            let local = at32(at + 42).ok_or_else(short)?;
            let name = bytes.get(at + 46..at + 46 + name_len).ok_or_else(short)?;
            let name = String::from_utf8_lossy(name).into_owned();
            at += 46 + name_len + extra + comment;
            if name.ends_with('/') || name.starts_with("__MACOSX") {
                continue;
            }
            let damaged = || BadArchive::Damaged(name.clone());
            let skip = usize::from(at16(local + 26).ok_or_else(damaged)?)
                + usize::from(at16(local + 28).ok_or_else(damaged)?);
            let start = local + 30 + skip;
            let body = bytes.get(start..start + packed).ok_or_else(damaged)?;
            let entry = match method {
                _ if flags & 1 == 1 => return Err(BadArchive::Method(name, method)),
                0 => Entry::Plain(Cow::Borrowed(body)),
                8 => Entry::Deflated { bytes: body, size },
                _ => return Err(BadArchive::Method(name, method)),
            };
            files.insert(base(&name).to_owned(), entry);
        }
        Ok(Archive { files })
    }

    /// Whether there is such a file.
    pub fn has(&self, name: &str) -> bool {
        self.files.contains_key(name)
    }

    /// The names of the files.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// The bytes that a file says it has; 0 where nobody knows.
    pub fn size(&self, name: &str) -> u64 {
        match self.files.get(name) {
            Some(Entry::Plain(bytes)) => bytes.len() as u64,
            Some(Entry::Deflated { size, .. }) => *size as u64,
            Some(Entry::Open(_)) | None => 0,
        }
    }

    /// Takes a file out to read it, or `None` if there is no such file.
    pub(crate) fn take(&mut self, name: &str) -> Option<Source<'a>> {
        let entry = self.files.remove(name)?;
        Some(match entry {
            Entry::Plain(bytes) => Source {
                name: name.to_owned(),
                from: From::Plain(bytes, 0),
            },
            Entry::Open(reader) => Source::open(name, reader),
            Entry::Deflated { bytes, size } => Source {
                name: name.to_owned(),
                from: From::Deflated {
                    bytes,
                    left: size,
                    state: InflateState::new_boxed(DataFormat::Raw),
                },
            },
        })
    }
}

/// A file that is being read.
pub(crate) struct Source<'a> {
    name: String,
    from: From<'a>,
}

enum From<'a> {
    /// Bytes, and how many of them were read.
    Plain(Cow<'a, [u8]>, usize),
    Deflated {
        bytes: &'a [u8],
        /// What may still come out, as the archive says.
        left: usize,
        state: Box<InflateState>,
    },
    Open(Box<dyn Read + 'a>),
}

impl<'a> Source<'a> {
    pub(crate) fn open(name: &str, reader: Box<dyn Read + 'a>) -> Source<'a> {
        Source {
            name: name.to_owned(),
            from: From::Open(reader),
        }
    }

    #[cfg(test)]
    pub(crate) fn plain(bytes: &'a [u8]) -> Source<'a> {
        Source {
            name: String::new(),
            from: From::Plain(Cow::Borrowed(bytes), 0),
        }
    }

    /// Reads some more bytes; none at the end.
    pub(crate) fn read(&mut self, out: &mut [u8]) -> Result<usize, BadArchive> {
        match &mut self.from {
            From::Plain(bytes, at) => {
                let n = out.len().min(bytes.len() - *at);
                out[..n].copy_from_slice(&bytes[*at..*at + n]);
                *at += n;
                Ok(n)
            }
            From::Open(reader) => loop {
                match reader.read(out) {
                    Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
                    read => {
                        break read
                            .map_err(|e| BadArchive::Unreadable(self.name.clone(), e.kind()));
                    }
                }
            },
            From::Deflated { bytes, left, state } => {
                let done = inflate(state, bytes, out, MZFlush::None);
                *bytes = &bytes[done.bytes_consumed..];
                let sound = match done.status {
                    Ok(MZStatus::StreamEnd) => *left == done.bytes_written,
                    // No progress before the end: the archive was cut short.
                    Ok(_) => done.bytes_written > 0,
                    Err(_) => false,
                };
                // More than the archive says is a lie about the size.
                if !sound || done.bytes_written > *left {
                    return Err(BadArchive::Damaged(self.name.clone()));
                }
                *left -= done.bytes_written;
                Ok(done.bytes_written)
            }
        }
    }
}

fn base(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rubbish_is_an_error_never_a_panic() {
        assert_eq!(Archive::zip(b"").err(), Some(BadArchive::NotAZip));
        assert_eq!(Archive::zip(b"hello").err(), Some(BadArchive::NotAZip));
        let mut fake = b"PK\x05\x06".to_vec();
        fake.extend([255; 18]);
        assert_eq!(Archive::zip(&fake).err(), Some(BadArchive::NotAZip));
        for n in 0..22 {
            let mut cut = b"PK\x05\x06".to_vec();
            cut.extend(vec![1; n]);
            assert!(Archive::zip(&cut).is_err());
        }
    }

    #[test]
    fn folders_lose_their_paths() {
        let mut archive = Archive::folder([("a/b/stops.txt".to_owned(), b"x".to_vec())]);
        assert!(archive.has("stops.txt"));
        let mut out = [0; 8];
        let read = archive.take("stops.txt").unwrap().read(&mut out).unwrap();
        assert_eq!(&out[..read], b"x");
        assert!(archive.take("none.txt").is_none());
    }
}
