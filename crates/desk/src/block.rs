//! What a person sees of an answer, in order; each door draws it its own way.

use serde::{Deserialize, Serialize};
use wits_game::{Figure, Lang, Message, csv_line};

/// One piece of an answer.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Block {
    /// The answer in a sentence, or a further one.
    Says(Message),
    /// Something worth knowing before the answer is trusted.
    Note(Message),
    /// Rows and columns.
    Table(Table),
    /// A drawing.
    Picture(Picture),
    /// Bytes to keep.
    File(File),
    /// What one would ask now.
    Next(Vec<Call>),
}

/// Rows and columns, with numbers as numbers.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Table {
    /// Its name in addresses and file names: `columns`.
    pub name: String,
    /// What it shows.
    pub title: Message,
    /// The heads of the columns.
    pub columns: Vec<Message>,
    /// The rows; the first cell names its row.
    pub rows: Vec<Vec<Cell>>,
    /// Details: a page shows it folded, a terminal leaves it out.
    #[serde(default)]
    pub folded: bool,
    /// For other programs: a terminal prints it as CSV.
    #[serde(default)]
    pub raw: bool,
}

/// One cell of a table.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cell {
    /// Nothing to say.
    Empty,
    /// The same in every language.
    Text(String),
    /// In the reader's language.
    Says(Message),
    /// A number.
    Figure(Figure),
    /// From one number to another.
    Span(Figure, Figure),
    /// What can be asked about it.
    Link(Box<Cell>, Call),
}

/// A drawing.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Picture {
    /// Its name in addresses and file names; `--NAME FILE` keeps it.
    pub name: String,
    /// What it shows.
    pub title: Message,
    /// The drawing.
    pub svg: String,
}

/// Bytes to keep.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct File {
    /// The parameter that asks for it: `--NAME FILE`.
    pub name: String,
    /// What it is called where nobody named it.
    pub file: String,
    /// What it holds, in a word or two.
    pub title: Message,
    /// Its media type.
    pub mime: String,
    /// What it holds.
    #[serde(with = "text_or_bytes")]
    pub bytes: Vec<u8>,
}

/// Something that can be asked: a link on a page, a command in a terminal.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Call {
    /// What one would learn.
    pub says: Message,
    /// The room.
    pub room: String,
    /// The verb.
    pub verb: String,
    /// Names and values of its parameters.
    pub args: Vec<(String, String)>,
}

impl Cell {
    /// A word that is the same in every language.
    pub fn text(text: impl Into<String>) -> Cell {
        Cell::Text(text.into())
    }

    /// How many.
    pub fn whole(n: impl TryInto<i64>) -> Cell {
        Cell::Figure(Figure::whole(n))
    }

    /// A number with so many digits after the point.
    pub const fn decimal(x: f64, digits: usize) -> Cell {
        Cell::Figure(Figure::Decimal(x, digits))
    }

    /// A part of one, in per cent.
    pub const fn share(x: f64) -> Cell {
        Cell::Figure(Figure::Share(x))
    }

    /// From one part of one to another.
    pub const fn shares([low, high]: [f64; 2]) -> Cell {
        Cell::Span(Figure::Share(low), Figure::Share(high))
    }

    /// What is shown, in the reader's language.
    pub fn shown(&self) -> String {
        let lang = Lang::spoken();
        match self {
            Cell::Empty => String::new(),
            Cell::Text(text) => text.clone(),
            Cell::Says(message) => message.to_string(),
            Cell::Figure(figure) => figure.to(lang),
            Cell::Span(low, high) => crate::WORDS
                .say("span")
                .with("low", *low)
                .with("high", *high)
                .to_string(),
            Cell::Link(cell, _) => cell.shown(),
        }
    }

    /// Whether it is a number, and so stands under the others by its last digit.
    pub fn is_number(&self) -> bool {
        match self {
            Cell::Figure(_) => true,
            Cell::Link(cell, _) => cell.is_number(),
            _ => false,
        }
    }

    fn plain(&self) -> String {
        match self {
            Cell::Figure(figure) => figure.plain(),
            Cell::Span(low, high) => format!("{} {}", low.plain(), high.plain()),
            Cell::Link(cell, _) => cell.plain(),
            _ => self.shown(),
        }
    }
}

impl Table {
    /// A table without rows.
    pub fn new(name: &str, title: Message, columns: Vec<Message>) -> Table {
        Table {
            name: name.to_owned(),
            title,
            columns,
            rows: Vec::new(),
            folded: false,
            raw: false,
        }
    }

    /// The same table; a terminal prints it as CSV.
    pub fn for_programs(mut self) -> Table {
        self.raw = true;
        self
    }

    /// The same table with one more row.
    pub fn row(mut self, cells: Vec<Cell>) -> Table {
        self.rows.push(cells);
        self
    }

    /// The table as a spreadsheet reads it, with numbers in full.
    pub fn csv(&self) -> String {
        let mut out = csv_line(self.columns.iter().map(ToString::to_string));
        for row in &self.rows {
            out += &csv_line(row.iter().map(Cell::plain));
        }
        out
    }
}

/// Text travels as text; other bytes as a list of numbers.
mod text_or_bytes {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Either {
        Text(String),
        Bytes(Vec<u8>),
    }

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        match std::str::from_utf8(bytes) {
            Ok(text) => text.serialize(to),
            Err(_) => bytes.serialize(to),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
        Ok(match Either::deserialize(from)? {
            Either::Text(text) => text.into_bytes(),
            Either::Bytes(bytes) => bytes,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let columns = vec![Message::plain("class"), Message::plain("recall")];
        Table::new("scores", Message::plain("Scores"), columns)
            .row(vec![Cell::text("=a,b"), Cell::share(0.678_901)])
            .row(vec![Cell::text("c"), Cell::shares([0.5, 0.75])])
    }

    #[test]
    fn a_table_is_kept_in_full_and_shown_short() {
        assert_eq!(
            table().csv(),
            "class,recall\n\"'=a,b\",0.678901\nc,0.5 0.75\n"
        );
        assert_eq!(table().rows[0][1].shown(), "67.9%");
        assert_eq!(table().rows[1][1].shown(), "50.0% to 75.0%");
    }

    #[test]
    fn blocks_travel_as_json() {
        let file = |bytes: &[u8]| {
            Block::File(File {
                name: "save".to_owned(),
                file: "run.json".to_owned(),
                title: Message::plain("run"),
                mime: "application/json".to_owned(),
                bytes: bytes.to_vec(),
            })
        };
        let call = Call {
            says: Message::plain("more"),
            room: "learn".to_owned(),
            verb: "cv".to_owned(),
            args: vec![("data".to_owned(), "glass".to_owned())],
        };
        let blocks = vec![
            Block::Table(table()),
            file(b"{}"),
            file(&[0, 255]),
            Block::Next(vec![call]),
        ];
        let line = serde_json::to_string(&blocks).unwrap();
        assert_eq!(serde_json::from_str::<Vec<Block>>(&line).unwrap(), blocks);
    }
}
