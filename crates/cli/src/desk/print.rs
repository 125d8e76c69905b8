//! Blocks as text.

use std::fmt::Write as _;

use wits_desk::{Block, Call, ParamKind, Table};

use crate::out::Out;

/// What a person at a terminal sees of an answer.
pub(crate) fn text(blocks: &[Block], out: &Out) -> String {
    let mut text = String::new();
    for block in blocks {
        match block {
            Block::Says(message) => {
                let _ = writeln!(text, "{message}");
            }
            Block::Note(message) => {
                let _ = writeln!(text, "note: {message}");
            }
            Block::Table(shown) if shown.raw => text += &shown.csv(),
            Block::Table(shown) if !shown.folded => text += &table(shown, out),
            Block::Next(calls) if out.coloured() => {
                for call in calls {
                    let line = format!("{}: {}", call.says, command(call));
                    let _ = writeln!(text, "{}", out.faint(&line));
                }
            }
            Block::Table(_) | Block::Picture(_) | Block::File(_) | Block::Next(_) => {}
        }
    }
    text
}

/// A table under its title: numbers stand under each other by their last digit, texts by their first.
fn table(table: &Table, out: &Out) -> String {
    let cells: Vec<Vec<String>> = table
        .rows
        .iter()
        .map(|row| row.iter().map(wits_desk::Cell::shown).collect())
        .collect();
    let heads: Vec<String> = table.columns.iter().map(ToString::to_string).collect();
    let numeric = |at: usize| {
        let mut column = table.rows.iter().filter_map(|row| row.get(at));
        column.any(wits_desk::Cell::is_number)
    };
    let width = |at: usize| {
        let below = cells.iter().filter_map(|row| row.get(at));
        let all = below.chain(heads.get(at)).map(|cell| cell.chars().count());
        all.max().unwrap_or(0)
    };
    let widths: Vec<(usize, bool)> = (0..heads.len())
        .map(|at| (width(at), numeric(at)))
        .collect();
    let line = |row: &[String]| {
        let mut line = String::new();
        for (cell, &(width, numeric)) in row.iter().zip(&widths) {
            if !line.is_empty() {
                line += "  ";
            }
            let _ = if numeric {
                write!(line, "{cell:>width$}")
            } else {
                write!(line, "{cell:<width$}")
            };
        }
        line.trim_end().to_owned() + "\n"
    };
    let mut text = out.bold(&table.title.to_string()) + "\n" + &line(&heads);
    for row in &cells {
        text += &line(row);
    }
    text
}

/// A call as it is typed. Values that a shell would take apart are quoted.
fn command(call: &Call) -> String {
    let rooms = wits_catalog::rooms();
    let room = rooms.iter().find(|room| room.id == call.room);
    let asked = room.and_then(|room| Some((room, room.verb(&call.verb)?)));
    let words = asked.map(|(room, verb)| room.words(verb).join(" "));
    let mut text = format!("wits {}", words.unwrap_or_default());
    for (name, value) in &call.args {
        let plain = |c: char| c.is_alphanumeric() || "._-:=/,".contains(c);
        let value = if !value.is_empty() && value.chars().all(plain) {
            value.clone()
        } else {
            format!("'{}'", value.replace('\'', "'\\''"))
        };
        let param = asked.and_then(|(_, verb)| verb.param(name));
        text = match param {
            Some(param) if param.usage.positional => format!("{text} {value}"),
            Some(param) if param.kind == ParamKind::Flag => format!("{text} --{name}"),
            _ => format!("{text} --{name} {value}"),
        };
    }
    text
}
