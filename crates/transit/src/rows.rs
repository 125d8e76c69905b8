//! Comma-separated rows with quotes, as GTFS writes them, read piece by piece: a file of gigabytes
//! takes the memory of its longest row.

use std::ops::Range;

use crate::archive::Source;
use crate::gtfs::BadFeed;
use crate::limits::Gate;

/// The longest row, in bytes. A longer one is most often a quotation mark that is never closed.
pub(crate) const LONGEST: usize = 1 << 20;
/// How much is read at once.
const PIECE: usize = 1 << 16;

/// Reads rows of one file, lending the fields of each.
pub(crate) struct Rows<'a> {
    file: &'static str,
    source: Source<'a>,
    buffer: Vec<u8>,
    /// What of the buffer is not read yet.
    rest: Range<usize>,
    ended: bool,
    at_line: u64,
    fields: Vec<Place>,
    /// Fields with doubled quotes, put together.
    joined: Vec<u8>,
}

/// Where a field is.
#[derive(Clone)]
enum Place {
    Buffer(Range<usize>),
    Joined(Range<usize>),
}

/// One row: its fields and the line on which it began (the first line of the file is 1).
#[derive(Clone, Copy)]
pub(crate) struct Row<'r> {
    pub(crate) line: u64,
    buffer: &'r [u8],
    joined: &'r [u8],
    fields: &'r [Place],
}

impl<'r> Row<'r> {
    /// The field at a column, empty if the row is short or the column is missing.
    pub(crate) fn field(self, column: Option<usize>) -> &'r [u8] {
        match column.and_then(|c| self.fields.get(c)) {
            Some(Place::Buffer(at)) => &self.buffer[at.clone()],
            Some(Place::Joined(at)) => &self.joined[at.clone()],
            None => &[],
        }
    }

    fn all(self) -> impl Iterator<Item = &'r [u8]> {
        (0..self.fields.len()).map(move |i| self.field(Some(i)))
    }
}

impl<'a> Rows<'a> {
    pub(crate) fn new(file: &'static str, source: Source<'a>) -> Rows<'a> {
        Rows {
            file,
            source,
            buffer: Vec::new(),
            rest: 0..0,
            ended: false,
            at_line: 0,
            fields: Vec::new(),
            joined: Vec::new(),
        }
    }

    /// The next row that is not empty.
    pub(crate) fn next(&mut self, gate: &mut Gate<'_>) -> Result<Option<Row<'_>>, BadFeed> {
        if self.at_line == 0 {
            self.begin(gate)?;
        }
        let mut looked = 0;
        let line = loop {
            let rest = &self.buffer[self.rest.clone()];
            let end = memchr::memchr(b'\n', &rest[looked..]).map(|at| at + looked);
            if rest.is_empty() && self.ended {
                return Ok(None);
            }
            if end.is_none() && !self.ended {
                looked = rest.len();
                self.fill(gate)?;
                continue;
            }
            looked = 0;
            let row = &rest[..end.unwrap_or(rest.len())];
            let line = self.at_line;
            self.fields.clear();
            if memchr::memchr(b'"', row).is_some() {
                if self.quoted() {
                    break line;
                }
                self.fill(gate)?;
                continue;
            }
            let (from, len) = (self.rest.start, row.len());
            let row = row.strip_suffix(b"\r").unwrap_or(row);
            let empty = row.is_empty();
            let mut start = 0;
            for comma in memchr::memchr_iter(b',', row) {
                self.fields.push(trimmed(row, start..comma, from));
                start = comma + 1;
            }
            self.fields.push(trimmed(row, start..row.len(), from));
            self.at_line += 1;
            self.rest.start = (from + len + 1).min(self.rest.end);
            if !empty {
                break line;
            }
        };
        gate.row()?;
        Ok(Some(Row {
            line,
            buffer: &self.buffer,
            joined: &self.joined,
            fields: &self.fields,
        }))
    }

    /// Skips the mark that some programs put before the first row.
    fn begin(&mut self, gate: &mut Gate<'_>) -> Result<(), BadFeed> {
        self.at_line = 1;
        while self.rest.len() < 3 && !self.ended {
            self.fill(gate)?;
        }
        if self.buffer[self.rest.clone()].starts_with(b"\xEF\xBB\xBF") {
            self.rest.start += 3;
        }
        Ok(())
    }

    /// Reads one more piece of the file behind what is left of the buffer.
    fn fill(&mut self, gate: &mut Gate<'_>) -> Result<(), BadFeed> {
        if self.rest.len() > LONGEST {
            let (file, line) = (self.file, self.at_line);
            return Err(BadFeed::Row { file, line });
        }
        self.buffer.copy_within(self.rest.clone(), 0);
        self.rest = 0..self.rest.len();
        let room = self.rest.end + PIECE;
        if self.buffer.len() < room {
            self.buffer.resize(room, 0);
        }
        let read = self.source.read(&mut self.buffer[self.rest.end..room])?;
        gate.unpack(read)?;
        self.rest.end += read;
        self.ended = read == 0;
        Ok(())
    }

    /// A row with quotes: commas, line ends and doubled quotes may stand inside them. False if the
    /// row may go on behind the buffer.
    fn quoted(&mut self) -> bool {
        let bytes = &self.buffer[..self.rest.end];
        let (mut at, mut lines) = (self.rest.start, 1);
        self.joined.clear();
        loop {
            if bytes.get(at) == Some(&b'"') {
                at += 1;
                let (mut part, begin) = (at..at, self.joined.len());
                loop {
                    let close = memchr::memchr(b'"', &bytes[at..]).map_or(bytes.len(), |i| at + i);
                    lines += memchr::memchr_iter(b'\n', &bytes[at..close]).count() as u64;
                    part = part.start.min(at)..close;
                    at = (close + 1).min(bytes.len());
                    if bytes.get(at) == Some(&b'"') {
                        // A doubled quote: what was read so far, and one of the two.
                        self.joined.extend_from_slice(&bytes[part.start..=close]);
                        at += 1;
                        part = at..at;
                    } else {
                        break;
                    }
                }
                self.fields.push(if self.joined.len() > begin {
                    self.joined.extend_from_slice(&bytes[part]);
                    Place::Joined(begin..self.joined.len())
                } else {
                    Place::Buffer(part)
                });
                // Anything between the closing quote and the comma is not part of the field.
                while at < bytes.len() && bytes[at] != b',' && bytes[at] != b'\n' {
                    at += 1;
                }
            } else {
                let end =
                    memchr::memchr2(b',', b'\n', &bytes[at..]).map_or(bytes.len(), |i| at + i);
                self.fields.push(trimmed(bytes, at..end, 0));
                at = end;
            }
            match bytes.get(at) {
                Some(b',') => at += 1,
                Some(_) => {
                    at += 1;
                    break;
                }
                None if self.ended => break,
                None => return false,
            }
        }
        self.at_line += lines;
        self.rest.start = at;
        true
    }
}

/// A field without the blanks around it, as a place in the buffer that begins at `from`.
fn trimmed(bytes: &[u8], at: Range<usize>, from: usize) -> Place {
    let field = &bytes[at.clone()];
    let start = at.start + field.len() - field.trim_ascii_start().len();
    let len = field.trim_ascii().len();
    Place::Buffer(from + start..from + start + len)
}

/// Where the columns of a file are.
pub(crate) struct Columns(Vec<String>);

impl Columns {
    /// Reads the header row.
    pub(crate) fn read(rows: &mut Rows<'_>, gate: &mut Gate<'_>) -> Result<Columns, BadFeed> {
        let names = rows.next(gate)?.map_or_else(Vec::new, |row| {
            row.all()
                .map(|f| String::from_utf8_lossy(f).trim().to_lowercase())
                .collect()
        });
        Ok(Columns(names))
    }

    /// The position of a column.
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|n| n == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::FeedLimits;
    use wits_search::Budget;

    /// A reader that gives so many bytes at a time.
    struct Drops<'a>(&'a [u8], usize);

    impl std::io::Read for Drops<'_> {
        fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
            let n = self.1.min(out.len()).min(self.0.len());
            out[..n].copy_from_slice(&self.0[..n]);
            self.0 = &self.0[n..];
            Ok(n)
        }
    }

    fn all(text: &str, drop: usize) -> Vec<(u64, Vec<String>)> {
        let budget = Budget::endless();
        let mut gate = Gate::new(FeedLimits::PAGE, &budget);
        let source = Source::open("x", Box::new(Drops(text.as_bytes(), drop)));
        let mut rows = Rows::new("x", source);
        let mut out = Vec::new();
        while let Some(row) = rows.next(&mut gate).unwrap() {
            let fields = row.all().map(|f| String::from_utf8_lossy(f).into_owned());
            out.push((row.line, fields.collect()));
        }
        out
    }

    #[test]
    fn quotes_commas_and_line_ends() {
        let text =
            "\u{feff}a,b\r\n1, 2 \n\n\"x,\"\"y\"\"\",\"two\nlines\"\n\"\"\"\",\"a\"\"\"\n,\"open";
        let expected = [
            (1, vec!["a", "b"]),
            (2, vec!["1", "2"]),
            (4, vec!["x,\"y\"", "two\nlines"]),
            (6, vec!["\"", "a\""]),
            (7, vec!["", "open"]),
        ];
        let expected: Vec<(u64, Vec<String>)> = expected
            .into_iter()
            .map(|(n, row)| (n, row.into_iter().map(str::to_owned).collect()))
            .collect();
        // However the bytes come, the rows are the same.
        for drop in [1, 2, 3, 7, 1000] {
            assert_eq!(all(text, drop), expected, "{drop} bytes at a time");
        }
    }

    #[test]
    fn an_endless_row_is_refused() {
        let budget = Budget::endless();
        let mut gate = Gate::new(FeedLimits::PAGE, &budget);
        let text = [b"a,b\n\"".to_vec(), vec![b'x'; 2 * LONGEST]].concat();
        let mut rows = Rows::new("x.txt", Source::plain(&text));
        assert!(rows.next(&mut gate).unwrap().is_some());
        let refused = rows.next(&mut gate).err();
        let file = "x.txt";
        assert_eq!(refused, Some(BadFeed::Row { file, line: 2 }));
    }
}
