//! A scene as plain HTML: what the page shows before scripts run, and where they do not.

use maud::{Markup, html};
use wits_game::{Layout, Light, Scene, Tint};

/// A board whose playable cells are buttons of a form.
pub(crate) fn board(scene: &Scene) -> Markup {
    let width = match &scene.layout {
        Layout::Board { columns, .. } => columns.len().max(1),
        Layout::Strip => scene.cells.len().max(1),
    };
    let play = |i: usize| scene.targets.iter().find(|t| t.path == [i]);
    html! {
        table.plain-board {
            @for (r, row) in scene.cells.chunks(width).enumerate() {
                tr {
                    @for (c, cell) in row.iter().enumerate() {
                        td.(tint(cell.tint)).lit[cell.light.is_some()].win[cell.light == Some(Light::Win)] {
                            @let glyph = cell.token.as_ref().map_or("", |t| t.glyph.as_str());
                            @if let Some(target) = play(r * width + c) {
                                button type="submit" name="move" value=(target.text) aria-label=(cell.name) { (glyph) "·" }
                            } @else {
                                (glyph)
                            }
                        }
                    }
                }
            }
        }
        @for target in scene.targets.iter().filter(|t| t.path.len() != 1) {
            button type="submit" name="move" value=(target.text) { (if target.label.is_empty() { &target.text } else { &target.label }) }
            " "
        }
        @for tray in &scene.trays {
            p { (tray.title) ": " @for token in &tray.tokens { (token.glyph) " " } }
        }
        @if !scene.caption.is_empty() { p { (scene.caption) } }
    }
}

pub(super) fn tint(tint: Tint) -> &'static str {
    match tint {
        Tint::Plain => "plain",
        Tint::Shade => "shade",
        Tint::Felt => "felt",
        Tint::First => "first",
        Tint::Second => "second",
        Tint::Third => "third",
        Tint::Fourth => "fourth",
        Tint::Gap => "gap",
        Tint::Dead => "dead",
    }
}
