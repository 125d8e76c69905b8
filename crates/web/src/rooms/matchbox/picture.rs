//! One box as a picture: a small board, and the moves of its beads as arrows or discs.
//!
//! Colours are classes, so that the page's light and dark decide; every bead is also a move and a
//! number beneath.

use maud::{Markup, html};
use wits_game::{Layout, Scene, Shape, Tint, Token};
use wits_matchbox::{Label, svg};

/// How wide a square is.
const SQUARE: f64 = 40.0;

/// The colour of a bead, as a number of the room's colours: as on the printed labels, the square
/// decides where a move is a single square, otherwise the order of the moves.
pub(crate) fn colour(scene: Option<&Scene>, label: &Label, bead: usize) -> usize {
    let text = &label.moves[bead];
    let target = scene.and_then(|s| s.targets.iter().find(|t| t.text == *text));
    let square = target.and_then(|t| (t.path.len() == 1).then(|| t.path[0]));
    square.unwrap_or(bead) % svg::BEADS.len()
}

/// The board of a box with its moves. `marked` dashes the moves that give the position away.
pub(crate) fn board(scene: &Scene, label: &Label, beads: &[u32], marked: bool) -> Markup {
    let (columns, rows) = match &scene.layout {
        Layout::Board { columns, rows } => (columns.len().max(1), rows.len().max(1)),
        Layout::Strip => (scene.cells.len().max(1), 1),
    };
    let corner = |i: usize| ((i % columns) as f64 * SQUARE, (i / columns) as f64 * SQUARE);
    let middle = |i: usize| {
        let (x, y) = corner(i);
        (x + SQUARE / 2.0, y + SQUARE / 2.0)
    };
    let view = format!(
        "-1 -1 {} {}",
        columns as f64 * SQUARE + 2.0,
        rows as f64 * SQUARE + 2.0
    );
    html! {
        svg.mb-board viewBox=(view) role="img" aria-label=(label.position) {
            @for (i, cell) in scene.cells.iter().enumerate() {
                @let (x, y) = corner(i);
                rect.mb-square.shade[cell.tint == Tint::Shade] x=(x) y=(y) width=(SQUARE) height=(SQUARE) {}
            }
            @for (i, cell) in scene.cells.iter().enumerate() {
                @if let Some(token) = &cell.token { (piece(token, middle(i))) }
            }
            @for (bead, text) in label.moves.iter().enumerate() {
                @if let Some(target) = scene.targets.iter().find(|t| t.text == *text) {
                    @let kind = format!("mb-move bc{}", colour(Some(scene), label, bead));
                    @let gone = beads.get(bead).is_none_or(|&n| n == 0);
                    @let bad = marked && label.gives_away(bead);
                    @match target.path[..] {
                        [from, to] => g class=(kind) data-gone[gone] data-bad[bad] { (arrow(middle(from), middle(to))) },
                        [to] => {
                            @let (x, y) = middle(to);
                            g class=(kind) data-gone[gone] data-bad[bad] { circle cx=(x) cy=(y) r="11" {} }
                        }
                        _ => {}
                    }
                }
            }
        }
    }
}

/// An arrow that begins beside the pawn's middle, so that the pawn stays visible.
fn arrow(from: (f64, f64), to: (f64, f64)) -> Markup {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy).max(1.0);
    let (ux, uy) = (dx / length, dy / length);
    let begin = (from.0 + dx * 0.22, from.1 + dy * 0.22);
    let neck = (to.0 - ux * 11.0, to.1 - uy * 11.0);
    let head = format!(
        "{:.1},{:.1} {:.1},{:.1} {:.1},{:.1}",
        to.0,
        to.1,
        neck.0 - uy * 6.5,
        neck.1 + ux * 6.5,
        neck.0 + uy * 6.5,
        neck.1 - ux * 6.5
    );
    let n = |x: f64| format!("{x:.1}");
    html! {
        line x1=(n(begin.0)) y1=(n(begin.1)) x2=(n(neck.0)) y2=(n(neck.1)) {}
        polygon points=(head) {}
    }
}

fn piece(token: &Token, (x, y): (f64, f64)) -> Markup {
    let r = SQUARE * 0.3;
    match token.shape {
        Shape::Cross => html! {
            path.mb-mark d={ "M" (x - 9.0) " " (y - 9.0) "l18 18m0-18l-18 18" } {}
        },
        Shape::Ring => html! { circle.mb-mark cx=(x) cy=(y) r="10" {} },
        Shape::Pawn => {
            let foot = format!(
                "{},{} {},{} {},{} {},{}",
                x - 10.0,
                y + r,
                x + 10.0,
                y + r,
                x + 4.0,
                y - 1.0,
                x - 4.0,
                y - 1.0
            );
            let kind = if token.colour == 0 {
                "mb-pawn"
            } else {
                "mb-pawn dark"
            };
            html! { g class=(kind) { polygon points=(foot) {} circle cx=(x) cy=(y - 5.0) r="6" {} } }
        }
        Shape::Dark => html! { circle.mb-pawn.dark cx=(x) cy=(y) r=(r) {} },
        Shape::Light => html! { circle.mb-pawn cx=(x) cy=(y) r=(r) {} },
        Shape::Tile | Shape::Text => html! {
            text.mb-text x=(x) y=(y + 6.0) text-anchor="middle" { (token.glyph) }
        },
    }
}

/// Beads in a row, at most so many; the number beside them tells all.
pub(crate) fn row(colour: usize, count: u32, most: u32) -> Markup {
    let shown = count.clamp(1, most);
    let width = shown * 13 + 2;
    let kind = format!("mb-beads bc{colour}");
    html! {
        svg class=(kind) viewBox={ "0 0 " (width) " 14" } width=(width) height="14" aria-hidden="true" {
            @for i in 0..shown {
                circle.none[count == 0] cx=(i * 13 + 7) cy="7" r="5.5" {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wits_matchbox::Preset;

    #[test]
    fn a_move_without_beads_is_marked_and_colours_follow_the_printed_labels() {
        let her = Preset::named("her").unwrap().machine().unwrap();
        let scene = her.cabinet().scene(0).unwrap();
        let label = &her.cabinet().labels()[0];
        let mut beads = her.beads(0).to_vec();
        let gone = |beads: &[u32]| {
            let picture = board(&scene, label, beads, false).into_string();
            picture.matches("data-gone").count()
        };
        assert_eq!(gone(&beads), 0);
        beads[1] = 0;
        assert_eq!(gone(&beads), 1);
        let menace = Preset::named("menace").unwrap().machine().unwrap();
        let scene = menace.cabinet().scene(0).unwrap();
        let label = &menace.cabinet().labels()[0];
        let all: Vec<usize> = (0..label.moves.len())
            .map(|bead| colour(Some(&scene), label, bead))
            .collect();
        assert_eq!(all, (0..9).collect::<Vec<_>>());
    }
}
