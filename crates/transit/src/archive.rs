//! A feed as a bag of named files: a zip archive or a folder that somebody else has read.

use std::borrow::Cow;
use std::collections::BTreeMap;

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
    /// A file would unpack to more than a feed can be.
    #[error("`{0}` inside the archive unpacks to more than {1} bytes")]
    TooLarge(String, usize),
}

/// The most one file inside an archive may unpack to.
const LARGEST: usize = 4 << 30;

/// Files by name; folders inside the archive are ignored, so `gtfs/stops.txt` is `stops.txt`.
#[derive(Debug, Default)]
pub struct Archive<'a> {
    files: BTreeMap<String, Entry<'a>>,
}

#[derive(Debug)]
enum Entry<'a> {
    Plain(Cow<'a, [u8]>),
    Deflated { bytes: &'a [u8], size: usize },
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

    /// The files of a zip archive; they are unpacked one by one when asked for.
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

    /// The contents of a file, or `None` if there is no such file.
    pub fn file(&self, name: &str) -> Result<Option<Cow<'_, [u8]>>, BadArchive> {
        match self.files.get(name) {
            None => Ok(None),
            Some(Entry::Plain(bytes)) => Ok(Some(Cow::Borrowed(bytes))),
            Some(Entry::Deflated { bytes, size }) => {
                if *size > LARGEST {
                    return Err(BadArchive::TooLarge(name.to_owned(), LARGEST));
                }
                // The stated size is only a hint: a lie must not make us allocate it.
                let limit = (*size).max(1);
                miniz_oxide::inflate::decompress_to_vec_with_limit(bytes, limit)
                    .map(|bytes| Some(Cow::Owned(bytes)))
                    .map_err(|_| BadArchive::Damaged(name.to_owned()))
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
        let archive = Archive::folder([("a/b/stops.txt".to_owned(), b"x".to_vec())]);
        assert!(archive.has("stops.txt"));
        assert_eq!(
            archive.file("stops.txt").unwrap().as_deref(),
            Some(&b"x"[..])
        );
        assert_eq!(archive.file("none.txt").unwrap(), None);
    }
}
