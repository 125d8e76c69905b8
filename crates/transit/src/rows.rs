//! Comma-separated rows with quotes, as GTFS writes them.

use std::borrow::Cow;

/// Reads rows of one file, lending the fields of each.
pub(crate) struct Rows<'a> {
    rest: &'a [u8],
    at_line: u64,
    fields: Vec<Cow<'a, [u8]>>,
    start_line: u64,
}

impl<'a> Rows<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Rows<'a> {
        let rest = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        Rows {
            rest,
            at_line: 1,
            fields: Vec::new(),
            start_line: 0,
        }
    }

    /// The line on which the current row began; the first line of the file is 1.
    pub(crate) fn line(&self) -> u64 {
        self.start_line
    }

    /// The next row that is not empty.
    pub(crate) fn next(&mut self) -> Option<&[Cow<'a, [u8]>]> {
        loop {
            if self.rest.is_empty() {
                return None;
            }
            self.start_line = self.at_line;
            self.fields.clear();
            let end = memchr::memchr(b'\n', self.rest).unwrap_or(self.rest.len());
            let row = &self.rest[..end];
            if memchr::memchr(b'"', row).is_none() {
                self.rest = self.rest.get(end + 1..).unwrap_or(&[]);
                self.at_line += 1;
                let row = row.strip_suffix(b"\r").unwrap_or(row);
                if row.is_empty() {
                    continue;
                }
                let mut from = 0;
                for comma in memchr::memchr_iter(b',', row) {
                    self.fields.push(Cow::Borrowed(trim(&row[from..comma])));
                    from = comma + 1;
                }
                self.fields.push(Cow::Borrowed(trim(&row[from..])));
            } else {
                self.quoted();
            }
            return Some(&self.fields);
        }
    }

    /// A row with quotes: commas, line ends and doubled quotes may stand inside them.
    fn quoted(&mut self) {
        let bytes = self.rest;
        let mut at = 0;
        loop {
            if bytes.get(at) == Some(&b'"') {
                at += 1;
                let mut field: Cow<'a, [u8]> = Cow::Borrowed(&[]);
                loop {
                    let close = memchr::memchr(b'"', &bytes[at..]).map_or(bytes.len(), |i| at + i);
                    let part = &bytes[at..close];
                    self.at_line += memchr::memchr_iter(b'\n', part).count() as u64;
                    if field.is_empty() {
                        field = Cow::Borrowed(part);
                    } else {
                        field.to_mut().extend_from_slice(part);
                    }
                    at = (close + 1).min(bytes.len());
                    if bytes.get(at) == Some(&b'"') {
                        field.to_mut().push(b'"');
                        at += 1;
                    } else {
                        break;
                    }
                }
                self.fields.push(field);
                // Anything between the closing quote and the comma is not part of the field.
                while at < bytes.len() && bytes[at] != b',' && bytes[at] != b'\n' {
                    at += 1;
                }
            } else {
                let end =
                    memchr::memchr2(b',', b'\n', &bytes[at..]).map_or(bytes.len(), |i| at + i);
                self.fields.push(Cow::Borrowed(trim(&bytes[at..end])));
                at = end;
            }
            match bytes.get(at) {
                Some(b',') => at += 1,
                Some(_) => {
                    at += 1;
                    break;
                }
                None => break,
            }
        }
        self.at_line += 1;
        self.rest = &bytes[at..];
    }
}

fn trim(field: &[u8]) -> &[u8] {
    field.trim_ascii()
}

/// Where the columns of a file are.
pub(crate) struct Columns(Vec<String>);

impl Columns {
    /// Reads the header row.
    pub(crate) fn read(rows: &mut Rows<'_>) -> Columns {
        let names = rows.next().map_or_else(Vec::new, |fields| {
            fields
                .iter()
                .map(|f| String::from_utf8_lossy(f).trim().to_lowercase())
                .collect()
        });
        Columns(names)
    }

    /// The position of a column.
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|n| n == name)
    }
}

/// The field at a column, empty if the row is short or the column is missing.
pub(crate) fn field<'f>(row: &'f [Cow<'_, [u8]>], column: Option<usize>) -> &'f [u8] {
    column.and_then(|c| row.get(c)).map_or(&[], |f| f.as_ref())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<(u64, Vec<String>)> {
        let mut rows = Rows::new(text.as_bytes());
        let mut out = Vec::new();
        while let Some(row) = rows.next() {
            let row = row
                .iter()
                .map(|f| String::from_utf8_lossy(f).into_owned())
                .collect();
            out.push((rows.line(), row));
        }
        out
    }

    #[test]
    fn quotes_commas_and_line_ends() {
        let text = "\u{feff}a,b\r\n1, 2 \n\n\"x,\"\"y\"\"\",\"two\nlines\"\n,\"open";
        let expected = [
            (1, vec!["a", "b"]),
            (2, vec!["1", "2"]),
            (4, vec!["x,\"y\"", "two\nlines"]),
            (6, vec!["", "open"]),
        ];
        let expected: Vec<(u64, Vec<String>)> = expected
            .into_iter()
            .map(|(n, row)| (n, row.into_iter().map(str::to_owned).collect()))
            .collect();
        assert_eq!(all(text), expected);
    }
}
