//! Reading a table of values separated by commas, semicolons, tabs, bars or blanks.
//!
//! A [`TableReader`] is fed pieces of a file and keeps eight bytes per number, four bytes per text
//! and each different text once: a file of 100 MB is never held as text. The first part of the
//! file (up to 256 KB) decides about separator, header and which columns are numbers.

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};
use wits_game::Message;

use crate::error::{LearnError, TooLarge, closest};
use crate::limits::TableLimits;
use crate::records::Records;
use crate::words::WORDS;

/// How much of a file is looked at before its shape is decided.
const HEAD: usize = 256 * 1024;
/// What stands for a missing value.
const MISSING: [&str; 8] = ["", "na", "n/a", "nan", "null", "none", "?", "-"];
/// A text that is missing.
pub(crate) const NO_TEXT: u32 = u32::MAX;

/// What is known about a file beforehand; everything else is found out.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// The separator.
    pub delimiter: Option<u8>,
    /// Whether the first line names the columns.
    pub header: Option<bool>,
    /// Further words that stand for a missing value.
    pub missing: Vec<String>,
    /// Columns that are text even though they look like numbers.
    pub text: Vec<String>,
    /// Names for the columns, in order, in place of `c1`, `c2` or those of the file. Fewer names
    /// than columns leave the last ones as they are.
    pub names: Vec<String>,
}

/// One column.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Its name; `c1`, `c2` where the file names none.
    pub name: String,
    /// Its values.
    pub values: Values,
}

/// The values of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Numbers; NaN where missing.
    Numbers(Vec<f64>),
    /// Texts.
    Texts {
        /// Which text each row has; the largest number where missing.
        codes: Vec<u32>,
        /// The different texts in order of appearance.
        labels: Vec<String>,
    },
}

impl Values {
    /// Rows without a value.
    pub fn missing(&self) -> usize {
        match self {
            Values::Numbers(v) => v.iter().filter(|x| x.is_nan()).count(),
            Values::Texts { codes, .. } => codes.iter().filter(|&&c| c == NO_TEXT).count(),
        }
    }

    /// A row's value as text; empty where missing.
    pub fn text(&self, row: usize) -> String {
        match self {
            Values::Numbers(v) if v[row].is_nan() => String::new(),
            Values::Numbers(v) => format!("{}", v[row]),
            Values::Texts { codes, labels } => {
                labels.get(codes[row] as usize).cloned().unwrap_or_default()
            }
        }
    }
}

/// A table as read.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The columns.
    pub columns: Vec<Column>,
    /// How many rows.
    pub rows: usize,
    /// The separator found.
    pub delimiter: char,
    /// Whether the first line named the columns.
    pub header: bool,
    /// A fingerprint of the file's bytes (FNV-1a, 64 bits).
    pub hash: String,
}

impl Table {
    /// The place of a column by name.
    pub fn place(&self, name: &str) -> Result<usize, LearnError> {
        self.columns
            .iter()
            .position(|c| c.name == name)
            .ok_or_else(|| LearnError::NoColumn {
                name: name.to_owned(),
                known: self.names(),
                close: closest(name, self.columns.iter().map(|c| c.name.as_str())),
            })
    }

    /// The column names as a sentence has them.
    pub fn names(&self) -> String {
        self.columns
            .iter()
            .map(|c| format!("`{}`", c.name))
            .collect::<Vec<_>>()
            .join(", ")
    }
}

/// Reads a whole table at once, under the limits of the command line.
pub fn read_table(bytes: &[u8], options: &ReadOptions) -> Result<Table, LearnError> {
    read_table_within(bytes, options, TableLimits::TERMINAL)
}

/// Reads a whole table at once, under limits.
pub fn read_table_within(
    bytes: &[u8],
    options: &ReadOptions,
    limits: TableLimits,
) -> Result<Table, LearnError> {
    let mut reader = TableReader::within(options.clone(), limits);
    reader.feed(bytes)?;
    reader.finish()
}

/// Reads a table piece by piece.
#[derive(Debug)]
pub struct TableReader {
    options: ReadOptions,
    head: Vec<u8>,
    shape: Option<Shape>,
    hash: u64,
    limits: TableLimits,
    bytes: usize,
}

impl TableReader {
    /// A reader that has seen nothing yet, under the limits of the command line.
    pub fn new(options: ReadOptions) -> TableReader {
        TableReader::within(options, TableLimits::TERMINAL)
    }

    /// A reader that has seen nothing yet, under limits.
    pub fn within(options: ReadOptions, limits: TableLimits) -> TableReader {
        TableReader {
            options,
            head: Vec::new(),
            shape: None,
            hash: 0xcbf2_9ce4_8422_2325,
            limits,
            bytes: 0,
        }
    }

    /// Takes the next piece of the file.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<(), LearnError> {
        self.bytes = self.bytes.saturating_add(bytes.len());
        TableLimits::check(self.bytes, self.limits.bytes, TooLarge::Bytes)?;
        for &b in bytes {
            self.hash = (self.hash ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3);
        }
        if let Some(shape) = &mut self.shape {
            return shape.take(bytes);
        }
        self.head.extend_from_slice(bytes);
        if self.head.len() >= HEAD {
            self.decide()
        } else {
            Ok(())
        }
    }

    /// The table, once the file has ended.
    pub fn finish(mut self) -> Result<Table, LearnError> {
        if self.shape.is_none() {
            self.decide()?;
        }
        let shape = self.shape.ok_or(LearnError::EmptyFile)?;
        shape.finish(format!("{:016x}", self.hash))
    }

    fn decide(&mut self) -> Result<(), LearnError> {
        let head = std::mem::take(&mut self.head);
        let plain = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&head);
        if plain.iter().all(u8::is_ascii_whitespace) {
            return Err(LearnError::EmptyFile);
        }
        let delimiter = self
            .options
            .delimiter
            .unwrap_or_else(|| guess_delimiter(plain));
        let mut shape = Shape::decide(plain, delimiter, &self.options, self.limits)?;
        shape.take(plain)?;
        self.shape = Some(shape);
        Ok(())
    }
}

/// The separator that cuts the first lines into the same number of fields, the greatest such
/// number.
fn guess_delimiter(head: &[u8]) -> u8 {
    let candidates = *b",;\t| ";
    let score = |d: u8| {
        let (sample, _) = sample(head, d, 50);
        let Some(first) = sample.first().map(Vec::len) else {
            return (0, 0);
        };
        let same = sample.iter().filter(|r| r.len() == first).count();
        if first < 2 || same * 10 < sample.len() * 9 {
            (0, 0)
        } else {
            (same, first)
        }
    };
    // The first of equals, so a comma is preferred.
    let mut best = (b',', (0, 0));
    for d in candidates {
        let s = score(d);
        if s > best.1 {
            best = (d, s);
        }
    }
    best.0
}

/// The first records of the head, without a last one that may be cut off; and what is wrong with the
/// one that could not be read.
fn sample(head: &[u8], delimiter: u8, most: usize) -> (Vec<Vec<String>>, Result<(), LearnError>) {
    let mut records = Records::new(delimiter);
    let mut rows = Vec::new();
    let whole = head.len() < HEAD;
    let mut read = records.take(head, &mut |fields, _| {
        if rows.len() < most {
            rows.push(fields.to_vec());
        }
        Ok(())
    });
    if read.is_ok() && whole && rows.len() < most {
        read = records.end(&mut |fields, _| {
            rows.push(fields.to_vec());
            Ok(())
        });
    }
    (rows, read)
}

/// Where values go while they are read.
#[derive(Debug)]
struct Shape {
    records: Records,
    rows: Rows,
}

#[derive(Debug)]
struct Rows {
    limits: TableLimits,
    header: bool,
    delimiter: u8,
    skip: bool,
    missing: Vec<String>,
    columns: Vec<Growing>,
    count: usize,
}

#[derive(Debug)]
struct Growing {
    name: String,
    values: Values,
    known: HashMap<String, u32>,
}

impl Shape {
    fn decide(
        head: &[u8],
        delimiter: u8,
        options: &ReadOptions,
        limits: TableLimits,
    ) -> Result<Shape, LearnError> {
        let (rows, read) = sample(head, delimiter, 1000);
        // A mistake further down is reported when the rows are read in earnest.
        let Some(first) = rows.first() else {
            return Err(read.err().unwrap_or(LearnError::EmptyFile));
        };
        TableLimits::check(first.len(), limits.columns, TooLarge::Columns)?;
        let missing: Vec<String> = options.missing.iter().map(|m| m.to_lowercase()).collect();
        let gone = |field: &str| is_missing(field, &missing);
        let number = |field: &str| number(field, delimiter).is_some();
        let header = options
            .header
            .unwrap_or_else(|| first.iter().all(|f| !f.is_empty() && !number(f)));
        TableLimits::check(options.names.len(), first.len(), TooLarge::Names)?;
        let mut names: Vec<String> = if header {
            first
                .iter()
                .enumerate()
                .map(|(j, f)| {
                    if f.is_empty() {
                        format!("c{}", j + 1)
                    } else {
                        f.clone()
                    }
                })
                .collect()
        } else {
            (1..=first.len()).map(|j| format!("c{j}")).collect()
        };
        for (name, given) in names.iter_mut().zip(&options.names) {
            given.clone_into(name);
        }
        let mut seen = HashSet::new();
        for name in &names {
            if !seen.insert(name) {
                return Err(LearnError::TwoColumns(name.clone()));
            }
        }
        for name in &options.text {
            if !names.contains(name) {
                return Err(LearnError::NoColumn {
                    name: name.clone(),
                    known: names
                        .iter()
                        .map(|n| format!("`{n}`"))
                        .collect::<Vec<_>>()
                        .join(", "),
                    close: closest(name, names.iter().map(String::as_str)),
                });
            }
        }
        let columns = names
            .into_iter()
            .enumerate()
            .map(|(j, name)| {
                let present: Vec<&String> = rows[usize::from(header)..]
                    .iter()
                    .filter_map(|r| r.get(j))
                    .filter(|f| !gone(f))
                    .collect();
                let numbers = present.iter().filter(|f| number(f)).count();
                // A few texts among many numbers are slips to be pointed out, not a text column.
                let texts = options.text.contains(&name) || numbers * 5 < present.len() * 4;
                let values = if texts {
                    Values::Texts {
                        codes: Vec::new(),
                        labels: Vec::new(),
                    }
                } else {
                    Values::Numbers(Vec::new())
                };
                Growing {
                    name,
                    values,
                    known: HashMap::new(),
                }
            })
            .collect();
        Ok(Shape {
            records: Records::within(delimiter, limits),
            rows: Rows {
                limits,
                header,
                delimiter,
                skip: header,
                missing,
                columns,
                count: 0,
            },
        })
    }

    fn take(&mut self, bytes: &[u8]) -> Result<(), LearnError> {
        let rows = &mut self.rows;
        self.records
            .take(bytes, &mut |fields, line| rows.push(fields, line))
    }

    fn finish(mut self, hash: String) -> Result<Table, LearnError> {
        let rows = &mut self.rows;
        self.records
            .end(&mut |fields, line| rows.push(fields, line))?;
        if self.rows.count == 0 {
            return Err(LearnError::NoRows(WORDS.say("rows-header-only")));
        }
        Ok(Table {
            rows: self.rows.count,
            delimiter: char::from(self.rows.delimiter),
            header: self.rows.header,
            columns: self
                .rows
                .columns
                .into_iter()
                .map(|c| Column {
                    name: c.name,
                    values: c.values,
                })
                .collect(),
            hash,
        })
    }
}

impl Rows {
    fn push(&mut self, fields: &[String], line: usize) -> Result<(), LearnError> {
        if fields.len() != self.columns.len() {
            return Err(LearnError::Ragged {
                line,
                found: fields.len(),
                expected: self.columns.len(),
            });
        }
        if std::mem::take(&mut self.skip) {
            return Ok(());
        }
        let (limits, rows) = (self.limits, self.count + 1);
        TableLimits::check(rows, limits.rows, TooLarge::Rows)?;
        TableLimits::check(rows * fields.len(), limits.cells, TooLarge::Cells)?;
        for (column, field) in self.columns.iter_mut().zip(fields) {
            let gone = is_missing(field, &self.missing);
            match &mut column.values {
                Values::Numbers(values) => {
                    let value = if gone {
                        f64::NAN
                    } else {
                        let Some(value) = number(field, self.delimiter) else {
                            return Err(LearnError::NotANumber {
                                line,
                                column: column.name.clone(),
                                text: field.clone(),
                            });
                        };
                        if !value.is_finite() {
                            return Err(LearnError::NotFinite {
                                line,
                                column: column.name.clone(),
                                text: field.clone(),
                            });
                        }
                        value
                    };
                    values.push(value);
                }
                Values::Texts { codes, labels } => {
                    let code = if gone {
                        NO_TEXT
                    } else if let Some(&code) = column.known.get(field) {
                        code
                    } else {
                        let name = || TooLarge::Labels(column.name.clone());
                        if labels.len() >= limits.labels {
                            TableLimits::check(labels.len() + 1, limits.labels, name())?;
                        }
                        let code = labels.len() as u32;
                        labels.push(field.clone());
                        column.known.insert(field.clone(), code);
                        code
                    };
                    codes.push(code);
                }
            }
        }
        self.count += 1;
        Ok(())
    }
}

fn is_missing(field: &str, further: &[String]) -> bool {
    let lower = field.to_lowercase();
    MISSING.contains(&lower.as_str()) || further.contains(&lower)
}

/// A number, with a decimal comma where commas do not separate.
fn number(field: &str, delimiter: u8) -> Option<f64> {
    let plain = field.strip_prefix('+').unwrap_or(field);
    if let Ok(value) = plain.parse::<f64>() {
        return Some(value);
    }
    if delimiter != b',' && plain.matches(',').count() == 1 {
        return plain.replace(',', ".").parse().ok();
    }
    None
}

/// One remark about the data or the method: a key for programs, a sentence for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// A short fixed word.
    pub key: String,
    /// The sentence.
    pub text: String,
}

impl Warning {
    /// A remark of the book's part `warn-…`; the rest of that name is its key.
    pub(crate) fn new(says: &Message) -> Warning {
        let key = says.key();
        let key = key.rsplit_once(".warn-").map_or("", |(_, key)| key);
        Warning {
            key: key.to_owned(),
            text: says.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Table, LearnError> {
        read_table(text.as_bytes(), &ReadOptions::default())
    }

    #[test]
    fn separators_headers_and_quotes() {
        for (text, delimiter, header) in [
            ("a,b\n1,x\n2,y\n", ',', true),
            ("1;2,5;x\n2;3,5;y", ';', false),
            ("a\tb\r\n1\t2\r\n", '\t', true),
            ("1 2  3\n4 5 6 \n", ' ', false),
            ("\u{feff}a|b\n1|2\n", '|', true),
        ] {
            let table = read(text).unwrap();
            assert_eq!(
                (table.delimiter, table.header),
                (delimiter, header),
                "{text}"
            );
        }
        let quoted = read("name,v\n\"Doe, \"\"J\"\"\",1\n\"two\nlines\",2\n").unwrap();
        assert_eq!(quoted.columns[0].values.text(0), "Doe, \"J\"");
        assert_eq!(quoted.columns[0].values.text(1), "two\nlines");
    }

    #[test]
    fn columns_without_names_can_be_given_some() {
        let named = |text: &str, names: &[&str]| {
            let options = ReadOptions {
                names: names.iter().map(|&n| n.to_owned()).collect(),
                ..ReadOptions::default()
            };
            let table = read_table(text.as_bytes(), &options)?;
            Ok::<_, LearnError>(table.names())
        };
        let rows = "1,2,x\n2,5,y\n";
        assert_eq!(named(rows, &[]).unwrap(), "`c1`, `c2`, `c3`");
        assert_eq!(named(rows, &["a", "b"]).unwrap(), "`a`, `b`, `c3`");
        assert_eq!(named("p,q\n1,x\n", &["a"]).unwrap(), "`a`, `q`");
        let many = named(rows, &["a", "b", "c", "d"]).unwrap_err();
        assert!(many.to_string().contains('3'), "{many}");
        assert!(named(rows, &["a", "a"]).is_err());
    }

    #[test]
    fn a_file_that_is_no_text_is_not_called_empty() {
        let read = |bytes: &[u8]| read_table(bytes, &ReadOptions::default()).err();
        assert_eq!(read(b" \n\n"), Some(LearnError::EmptyFile));
        assert_eq!(read(b"\xff\xfe\n1\n"), Some(LearnError::NotText(1)));
        assert_eq!(read(b"\xff\xfe"), Some(LearnError::NotText(1)));
        assert_eq!(read(b"\"a,b\n1,2\n"), Some(LearnError::OpenQuote(1)));
    }

    #[test]
    fn decimal_commas() {
        let table = read("a;b\n1,5;2\n2,5;3\n").unwrap();
        assert_eq!(table.columns[0].values, Values::Numbers(vec![1.5, 2.5]));
    }

    #[test]
    fn bad_files_say_where() {
        let told = |text: &str| read(text).unwrap_err().to_string();
        assert!(told("").contains("empty"));
        assert!(told("\n \n").contains("empty"));
        assert!(told("a,b\n").contains("nothing below"));
        assert!(told("a,b\n1,2\n3\n").contains("line 3 has 1 fields"));
        assert!(told("a,b\n1,2\n2,2\n3,3\n4,4\n5,x\n6,6\n").contains("line 6, column `b`: `x`"));
        assert!(told("a,b\n1,2\n2,inf\n").contains("not a finite number"));
        assert!(told("a,b\n\"1,2\n").contains("opened on line 2"));
        assert!(told("a,a\n1,2\n").contains("two columns"));
        let bytes = read_table(b"a,b\n1,\xff\n", &ReadOptions::default());
        assert!(
            bytes
                .unwrap_err()
                .to_string()
                .contains("line 2 is not UTF-8")
        );
    }

    #[test]
    fn pieces_give_the_same_table() {
        let text: String = std::iter::once("x,y,class\n".to_owned())
            .chain((0..20_000).map(|i| {
                format!(
                    "{},{},{}\n",
                    i,
                    f64::from(i) * 0.5,
                    ["a", "b"][i as usize % 2]
                )
            }))
            .collect();
        let whole = read(&text).unwrap();
        let mut reader = TableReader::new(ReadOptions::default());
        for piece in text.as_bytes().chunks(777) {
            reader.feed(piece).unwrap();
        }
        assert_eq!(reader.finish().unwrap(), whole);
        assert_eq!(whole.rows, 20_000);
    }
}
