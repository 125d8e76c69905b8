//! Cutting a stream of bytes into records of fields.

use crate::error::{LearnError, TooLarge};
use crate::limits::TableLimits;

/// Splits bytes into records of fields, quotes respected.
#[derive(Debug)]
pub(crate) struct Records {
    delimiter: u8,
    field: Vec<u8>,
    fields: Vec<String>,
    line: usize,
    start: usize,
    quoted: bool,
    /// A quote just ended a quoted part: another one means the character itself.
    closing: bool,
    opened: usize,
    limits: TableLimits,
}

pub(crate) type Taker<'a> = dyn FnMut(&[String], usize) -> Result<(), LearnError> + 'a;

impl Records {
    pub(crate) fn new(delimiter: u8) -> Records {
        Records::within(delimiter, TableLimits::TERMINAL)
    }

    pub(crate) fn within(delimiter: u8, limits: TableLimits) -> Records {
        Records {
            limits,
            delimiter,
            field: Vec::new(),
            fields: Vec::new(),
            line: 1,
            start: 1,
            quoted: false,
            closing: false,
            opened: 1,
        }
    }

    pub(crate) fn take(&mut self, bytes: &[u8], give: &mut Taker<'_>) -> Result<(), LearnError> {
        for &b in bytes {
            if self.field.len() > self.limits.cell {
                let what = TooLarge::Cell(self.start);
                return TableLimits::check(self.field.len(), self.limits.cell, what);
            }
            if self.quoted {
                match b {
                    b'"' => {
                        self.quoted = false;
                        self.closing = true;
                    }
                    b'\n' => {
                        self.line += 1;
                        self.field.push(b);
                    }
                    _ => self.field.push(b),
                }
                continue;
            }
            let closing = std::mem::take(&mut self.closing);
            match b {
                b'"' if closing => {
                    self.field.push(b'"');
                    self.quoted = true;
                }
                b'"' if self.field.is_empty() => {
                    self.quoted = true;
                    self.opened = self.line;
                }
                b'\n' => {
                    self.record(give)?;
                    self.line += 1;
                    self.start = self.line;
                }
                _ if b == self.delimiter => self.close_field()?,
                _ => self.field.push(b),
            }
        }
        Ok(())
    }

    pub(crate) fn end(&mut self, give: &mut Taker<'_>) -> Result<(), LearnError> {
        if self.quoted {
            return Err(LearnError::OpenQuote(self.opened));
        }
        self.record(give)
    }

    fn close_field(&mut self) -> Result<(), LearnError> {
        let text = std::str::from_utf8(&self.field).map_err(|_| LearnError::NotText(self.line))?;
        TableLimits::check(self.fields.len(), self.limits.columns, TooLarge::Columns)?;
        self.fields.push(text.trim().to_owned());
        self.field.clear();
        Ok(())
    }

    fn record(&mut self, give: &mut Taker<'_>) -> Result<(), LearnError> {
        let blank = self.field.iter().all(u8::is_ascii_whitespace);
        if self.fields.is_empty() && blank {
            self.field.clear();
            return Ok(());
        }
        // Several blanks in a row separate once; blanks at the end separate nothing.
        self.close_field()?;
        if self.delimiter == b' ' {
            self.fields.retain(|f| !f.is_empty());
        }
        let result = give(&self.fields, self.start);
        self.fields.clear();
        result
    }
}
