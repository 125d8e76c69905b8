//! Drawing a scene in the terminal.

use std::fmt::Write as _;

use wits_game::{Cell, Layout, Light, Scene, Tint};

use crate::out::Out;

/// A scene as text: board or strip, trays and caption.
pub(crate) fn draw(scene: &Scene, out: &Out) -> String {
    let mut text = match &scene.layout {
        Layout::Board { columns, rows } => board(scene, columns, rows, out),
        Layout::Strip => strip(scene, out),
    };
    for tray in &scene.trays {
        let tokens: Vec<&str> = tray.tokens.iter().map(|t| t.glyph.as_str()).collect();
        let _ = writeln!(text, "{}: {}", tray.title, tokens.join(" "));
    }
    if !scene.caption.is_empty() {
        text.push_str(&scene.caption);
        text.push('\n');
    }
    text
}

fn glyph(cell: &Cell) -> &str {
    match &cell.token {
        Some(token) => &token.glyph,
        None if cell.tint == Tint::Gap => "·",
        None if cell.tint == Tint::Dead => "×",
        None => &cell.note,
    }
}

/// A cell in its width, lit where the eye should go.
fn shown(cell: &Cell, width: usize, out: &Out) -> String {
    let text = format!("{:^width$}", glyph(cell));
    match (cell.light, cell.token.is_some()) {
        (Some(Light::Win), _) => out.paint("1;32", &text),
        (Some(Light::Wrong), _) => out.paint("1;31", &text),
        (Some(Light::Last), _) => out.paint("1;4", &text),
        (Some(Light::Look), _) => out.paint("1;33", &text),
        (None, true) => text,
        (None, false) => out.faint(&text),
    }
}

fn board(scene: &Scene, columns: &[String], rows: &[String], out: &Out) -> String {
    let widest = scene
        .cells
        .iter()
        .map(|cell| glyph(cell).chars().count())
        .max()
        .unwrap_or(1);
    let width = widest
        .max(columns.iter().map(String::len).max().unwrap_or(1))
        .max(1);
    let margin = rows.iter().map(String::len).max().unwrap_or(0);
    let line = |left: &str, middle: &str, right: &str| {
        let bars: Vec<String> = columns.iter().map(|_| "─".repeat(width + 2)).collect();
        format!("{:margin$} {left}{}{right}\n", "", bars.join(middle))
    };
    let names: Vec<String> = columns
        .iter()
        .map(|name| format!("{name:^w$}", w = width + 2))
        .collect();
    let mut text = format!("{:margin$}  {}\n", "", names.join(" "))
        .trim_end()
        .to_owned()
        + "\n";
    text.push_str(&line("┌", "┬", "┐"));
    for (i, (name, cells)) in rows
        .iter()
        .zip(scene.cells.chunks(columns.len().max(1)))
        .enumerate()
    {
        if i > 0 {
            text.push_str(&line("├", "┼", "┤"));
        }
        let cells: Vec<String> = cells
            .iter()
            .map(|cell| format!(" {} ", shown(cell, width, out)))
            .collect();
        let _ = writeln!(text, "{name:>margin$} │{}│", cells.join("│"));
    }
    text.push_str(&line("└", "┴", "┘"));
    text
}

/// How wide a strip may get before it wraps.
const LINE: usize = 76;

fn strip(scene: &Scene, out: &Out) -> String {
    let width = scene
        .cells
        .iter()
        .map(|cell| glyph(cell).chars().count())
        .max()
        .unwrap_or(1);
    let mut text = String::new();
    let mut used = 0;
    for cell in &scene.cells {
        if used + width + 1 > LINE {
            text.push('\n');
            used = 0;
        }
        text.push_str(&shown(cell, width, out));
        text.push(' ');
        used += width + 1;
    }
    text.push('\n');
    text
}
