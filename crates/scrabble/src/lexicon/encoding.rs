//! Bytes to text: the three encodings in which word lists come.

use std::borrow::Cow;
use std::str::FromStr;

/// How a file writes its letters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Encoding {
    /// Unicode in bytes, with or without a mark at the start.
    #[default]
    Utf8,
    /// ISO 8859-1, western Europe.
    Latin1,
    /// ISO 8859-2, central Europe.
    Latin2,
}

/// The name of an encoding that is not known here.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the encoding `{0}` is not known; use utf-8, iso8859-1 or iso8859-2, or convert the file")]
pub struct UnknownEncoding(pub String);

/// A file that is not in its encoding.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line} is not UTF-8; convert the file, or name its encoding (iso8859-1, iso8859-2)")]
pub struct NotText {
    /// The first bad line, from 1.
    pub line: usize,
}

impl FromStr for Encoding {
    type Err = UnknownEncoding;

    fn from_str(text: &str) -> Result<Encoding, UnknownEncoding> {
        let plain: String = text
            .chars()
            .filter(char::is_ascii_alphanumeric)
            .map(|c| c.to_ascii_lowercase())
            .collect();
        match plain.as_str() {
            "utf8" => Ok(Encoding::Utf8),
            "iso88591" | "latin1" => Ok(Encoding::Latin1),
            "iso88592" | "latin2" => Ok(Encoding::Latin2),
            _ => Err(UnknownEncoding(text.to_owned())),
        }
    }
}

/// The upper half of ISO 8859-2, from A0.
const LATIN2: &str = "\u{a0}Ą˘Ł¤ĽŚ§¨ŠŞŤŹ\u{ad}ŽŻ°ą˛ł´ľśˇ¸šşťź˝žżŔÁÂĂÄĹĆÇČÉĘËĚÍÎĎĐŃŇÓÔŐÖ×ŘŮÚŰÜÝŢßŕáâăäĺćçčéęëěíîďđńňóôőö÷řůúűüýţ˙";

impl Encoding {
    /// The text of a file. A byte order mark at the start is left out.
    pub fn read(self, bytes: &[u8]) -> Result<Cow<'_, str>, NotText> {
        match self {
            Encoding::Utf8 => {
                let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
                std::str::from_utf8(bytes)
                    .map(Cow::Borrowed)
                    .map_err(|error| {
                        let good = &bytes[..error.valid_up_to()];
                        let line = good.split(|&b| b == b'\n').count();
                        NotText { line }
                    })
            }
            Encoding::Latin1 => Ok(bytes.iter().map(|&b| char::from(b)).collect()),
            Encoding::Latin2 => {
                let upper: Vec<char> = LATIN2.chars().collect();
                let read = |&byte: &u8| match byte.checked_sub(0xa0) {
                    Some(at) => upper[usize::from(at)],
                    None => char::from(byte),
                };
                Ok(bytes.iter().map(read).collect())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_encodings_are_read() {
        assert_eq!(LATIN2.chars().count(), 96);
        let read = |encoding: &str, bytes: &[u8]| {
            let encoding: Encoding = encoding.parse().unwrap();
            encoding.read(bytes).unwrap().into_owned()
        };
        assert_eq!(read("UTF-8", "\u{feff}žena".as_bytes()), "žena");
        assert_eq!(
            read("ISO8859-2", b"\xbeena \xf8\xe8\xed\xb9\xec"),
            "žena řčíšě"
        );
        assert_eq!(read("iso8859-1", b"caf\xe9"), "café");
        assert!("koi8".parse::<Encoding>().is_err());
        let bad = Encoding::Utf8.read(b"one\ntwo\n\xbeena").unwrap_err();
        assert_eq!(bad.line, 3);
    }
}
