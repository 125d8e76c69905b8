//! Boxes: the wall of a machine, and labels to cut out.

use wits_game::{Layout, Scene, Shape, Tint, Token};

use super::pen::{ACCENT, FAINT, INK, PAPER, Pen, SHADE, num};
use crate::WORDS;
use crate::cabinet::Label;
use crate::machine::Machine;

/// The colours of beads: those of Okabe and Ito without black, with brown and grey. Arrows and the
/// move beside each bead tell the same without colour.
pub const BEADS: [&str; 9] = [
    "#D55E00", "#0072B2", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#F0E442", "#7a4b2a",
    "#8a8f98",
];

/// What a picture of boxes shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct View {
    /// Whether moves that give the position away are marked.
    pub knows: bool,
    /// Whether beads are counted; labels for real boxes leave the counting to the beads.
    pub counts: bool,
}

/// The colour of each bead of a box. Where a move is a single square the square decides, as in
/// MENACE; where it is a step, the moves of a box are told apart by their order.
fn colours(scene: &Scene, label: &Label) -> Vec<&'static str> {
    let colour = |(bead, text): (usize, &String)| {
        let target = scene.targets.iter().find(|t| t.text == *text);
        let square = target.and_then(|t| (t.path.len() == 1).then(|| t.path[0]));
        BEADS[square.unwrap_or(bead) % BEADS.len()]
    };
    label.moves.iter().enumerate().map(colour).collect()
}

/// Draws one board with its moves as arrows or discs; `beads` says how many there are of each.
fn board(
    pen: &mut Pen,
    scene: &Scene,
    label: &Label,
    beads: Option<&[u32]>,
    at: (f64, f64),
    cell: f64,
    view: View,
) {
    let columns = match &scene.layout {
        Layout::Board { columns, .. } => columns.len().max(1),
        Layout::Strip => scene.cells.len().max(1),
    };
    let corner = |i: usize| {
        (
            at.0 + (i % columns) as f64 * cell,
            at.1 + (i / columns) as f64 * cell,
        )
    };
    let middle = |i: usize| {
        let (x, y) = corner(i);
        (x + cell / 2.0, y + cell / 2.0)
    };
    for (i, square) in scene.cells.iter().enumerate() {
        let (x, y) = corner(i);
        let fill = if square.tint == Tint::Shade {
            SHADE
        } else {
            "#ffffff"
        };
        let stroke = format!("stroke=\"{FAINT}\" stroke-width=\"{}\"", num(cell * 0.02));
        pen.rect([x, y, cell, cell], fill, &stroke);
    }
    for (i, square) in scene.cells.iter().enumerate() {
        if let Some(piece) = &square.token {
            token(pen, piece, middle(i), cell);
        }
    }
    let paints = colours(scene, label);
    for (bead, text) in label.moves.iter().enumerate() {
        let count = beads.map_or(1, |beads| beads[bead]);
        let Some(target) = scene.targets.iter().find(|t| t.text == *text) else {
            continue;
        };
        let gone = count == 0;
        let colour = if gone { "#c9c6bd" } else { paints[bead] };
        let dashed = if view.knows && label.gives_away(bead) {
            format!(
                "stroke-dasharray=\"{} {}\"",
                num(cell * 0.09),
                num(cell * 0.07)
            )
        } else {
            String::new()
        };
        match target.path[..] {
            [from, to] => {
                let (from, to) = (middle(from), middle(to));
                // Arrows begin beside the pawn's middle, so that it stays visible.
                let begin = (
                    from.0 + (to.0 - from.0) * 0.22,
                    from.1 + (to.1 - from.1) * 0.22,
                );
                pen.arrow(begin, to, colour, cell * 0.07, &dashed);
            }
            [to] => {
                let ring = format!(
                    "stroke=\"{INK}\" stroke-width=\"{}\" {dashed}",
                    num(cell * 0.025)
                );
                pen.circle(middle(to), cell * 0.3, colour, &ring);
                if view.counts {
                    let (x, y) = middle(to);
                    let paint = if gone { FAINT } else { INK };
                    pen.text(
                        (x, y + cell * 0.13),
                        cell * 0.36,
                        "middle",
                        paint,
                        &count.to_string(),
                    );
                }
            }
            _ => {}
        }
    }
}

fn token(pen: &mut Pen, piece: &Token, (x, y): (f64, f64), cell: f64) {
    let r = cell * 0.3;
    let stroke = format!("stroke=\"{INK}\" stroke-width=\"{}\"", num(cell * 0.04));
    match piece.shape {
        Shape::Cross => {
            let d = r * 0.8;
            pen.line((x - d, y - d), (x + d, y + d), INK, cell * 0.09, "");
            pen.line((x - d, y + d), (x + d, y - d), INK, cell * 0.09, "");
        }
        Shape::Ring => pen.circle(
            (x, y),
            r * 0.85,
            "none",
            &format!("stroke=\"{INK}\" stroke-width=\"{}\"", num(cell * 0.09)),
        ),
        Shape::Pawn => {
            let fill = if piece.colour == 0 { "#ffffff" } else { INK };
            let points = [
                (x - r * 0.85, y + r),
                (x + r * 0.85, y + r),
                (x + r * 0.3, y - r * 0.1),
                (x - r * 0.3, y - r * 0.1),
            ];
            pen.polygon(&points, fill, &stroke);
            pen.circle((x, y - r * 0.45), r * 0.5, fill, &stroke);
        }
        Shape::Dark => pen.circle((x, y), r, INK, &stroke),
        Shape::Light => pen.circle((x, y), r, "#ffffff", &stroke),
        Shape::Tile | Shape::Text => {
            pen.text((x, y + r * 0.5), r * 1.6, "middle", INK, &piece.glyph);
        }
    }
}

fn size(scene: &Scene) -> (f64, f64) {
    match &scene.layout {
        Layout::Board { columns, rows } => (columns.len() as f64, rows.len() as f64),
        Layout::Strip => (scene.cells.len() as f64, 1.0),
    }
}

/// The beads of a box under its board: a disc for each colour with the move and the count.
fn tray(
    pen: &mut Pen,
    (scene, label): (&Scene, &Label),
    beads: &[u32],
    at: (f64, f64),
    width: f64,
) {
    let columns = 2;
    let paints = colours(scene, label);
    for (bead, (mv, &count)) in label.moves.iter().zip(beads).enumerate() {
        let x = at.0 + (bead % columns) as f64 * width / columns as f64;
        let y = at.1 + (bead / columns) as f64 * 12.0;
        let fill = if count == 0 { "none" } else { paints[bead] };
        pen.circle(
            (x + 5.0, y),
            4.0,
            fill,
            &format!("stroke=\"{FAINT}\" stroke-width=\"0.6\""),
        );
        let paint = if count == 0 { FAINT } else { INK };
        pen.text(
            (x + 12.0, y + 3.0),
            8.5,
            "start",
            paint,
            &format!("{mv} ×{count}"),
        );
    }
}

/// How high the tray of a box is.
fn tray_height(label: &Label) -> f64 {
    12.0 * label.moves.len().div_ceil(2) as f64 + 4.0
}

/// One box with its beads.
pub fn box_picture(machine: &Machine, at: usize, view: View) -> Option<String> {
    let (label, scene) = (
        machine.cabinet().labels().get(at)?,
        machine.cabinet().scene(at)?,
    );
    let (columns, rows) = size(&scene);
    let mut pen = Pen::default();
    let cell = 30.0;
    let (width, board_height) = (columns * cell, rows * cell);
    board(
        &mut pen,
        &scene,
        label,
        Some(machine.beads(at)),
        (4.0, 4.0),
        cell,
        view,
    );
    tray(
        &mut pen,
        (&scene, label),
        machine.beads(at),
        (4.0, board_height + 14.0),
        width,
    );
    let total = (width + 8.0, board_height + 12.0 + tray_height(label));
    let shown = (num(total.0), num(total.1));
    Some(pen.finish(total, shown, &format!("{} {}", at + 1, label.position)))
}

/// All boxes of a machine as a wall, move by move. Empty boxes are greyed.
pub fn wall(machine: &Machine, view: View) -> String {
    let labels = machine.cabinet().labels();
    let mut pen = Pen::default();
    let Some(first) = machine.cabinet().scene(0) else {
        return pen.finish((10.0, 10.0), ("10".into(), "10".into()), machine.name());
    };
    let (columns, rows) = size(&first);
    let cell = (66.0 / columns.max(rows)).clamp(6.0, 26.0);
    let (wide, gap) = ((columns * cell).max(104.0) + 14.0, 8.0);
    let across = if labels.len() > 60 { 12 } else { 8 };
    let (mut x, mut y, mut row_height, mut number) = (0, 6.0, 0.0, 0);
    for (at, label) in labels.iter().enumerate() {
        if label.number != number || x == across {
            y += row_height;
            (x, row_height) = (0, 0.0);
        }
        if label.number != number {
            number = label.number;
            let head = WORDS.say("wall-move").with("number", number).to_string();
            pen.text((8.0, y + 16.0), 13.0, "start", ACCENT, &head);
            y += 24.0;
        }
        let high = rows * cell + 24.0 + tray_height(label);
        let left = 8.0 + f64::from(x) * (wide + gap);
        let beads = machine.beads(at);
        let empty = beads.iter().all(|&n| n == 0);
        let shade = if empty { "#efece4" } else { PAPER };
        pen.raw(&format!("<g data-box=\"{at}\">\n"));
        pen.rect(
            [left, y, wide, high],
            shade,
            &format!("stroke=\"{FAINT}\" rx=\"3\""),
        );
        pen.text(
            (left + 6.0, y + 11.0),
            8.5,
            "start",
            FAINT,
            &format!("{}", at + 1),
        );
        if let Some(scene) = machine.cabinet().scene(at) {
            let inner = left + (wide - columns * cell) / 2.0;
            board(
                &mut pen,
                &scene,
                label,
                Some(beads),
                (inner, y + 15.0),
                cell,
                View {
                    counts: false,
                    ..view
                },
            );
            let under = (left + 5.0, y + rows * cell + 26.0);
            tray(&mut pen, (&scene, label), beads, under, wide - 8.0);
        }
        pen.raw("</g>\n");
        x += 1;
        row_height = f64::max(row_height, high + gap);
    }
    let view_box = (
        16.0 + f64::from(across) * (wide + gap),
        y + row_height + 8.0,
    );
    let title = WORDS
        .say("wall-title")
        .with("name", machine.name())
        .with("boxes", labels.len());
    pen.finish(
        view_box,
        (num(view_box.0), num(view_box.1)),
        &title.to_string(),
    )
}

/// Labels to print on A4, cut out and glue on matchboxes: 54 by 38 mm each, one picture per page.
pub fn labels(machine: &Machine) -> Vec<String> {
    const ACROSS: usize = 3;
    const DOWN: usize = 7;
    const WIDE: f64 = 54.0;
    const HIGH: f64 = 38.0;
    let all: Vec<usize> = (0..machine.cabinet().len()).collect();
    let pages: Vec<&[usize]> = all.chunks(ACROSS * DOWN).collect();
    let page = |(number, boxes): (usize, &&[usize])| {
        let mut pen = Pen::default();
        let (left, top) = (
            (210.0 - ACROSS as f64 * WIDE) / 2.0,
            (297.0 - DOWN as f64 * HIGH) / 2.0,
        );
        for (i, &at) in boxes.iter().enumerate() {
            let x = left + (i % ACROSS) as f64 * WIDE;
            let y = top + (i / ACROSS) as f64 * HIGH;
            one_label(&mut pen, machine, at, (x, y), (WIDE, HIGH));
        }
        let foot = WORDS
            .say("labels-foot")
            .with("name", machine.name())
            .with("page", number + 1)
            .with("pages", pages.len())
            .to_string();
        pen.text((105.0, 291.0), 3.2, "middle", FAINT, &foot);
        pen.finish((210.0, 297.0), ("210mm".into(), "297mm".into()), &foot)
    };
    pages.iter().enumerate().map(page).collect()
}

fn one_label(
    pen: &mut Pen,
    machine: &Machine,
    at: usize,
    (x, y): (f64, f64),
    (wide, high): (f64, f64),
) {
    let label = &machine.cabinet().labels()[at];
    pen.rect(
        [x, y, wide, high],
        "#ffffff",
        &format!("stroke=\"{FAINT}\" stroke-width=\"0.15\" stroke-dasharray=\"1 1\""),
    );
    let Some(scene) = machine.cabinet().scene(at) else {
        return;
    };
    let (columns, rows) = size(&scene);
    let cell = ((high - 6.0) / rows).min(28.0 / columns);
    let view = View {
        knows: false,
        counts: false,
    };
    board(
        pen,
        &scene,
        label,
        None,
        (x + 3.0, y + (high - rows * cell) / 2.0),
        cell,
        view,
    );
    let side = x + 5.0 + columns * cell;
    pen.text((side, y + 6.5), 4.2, "start", INK, &format!("{}", at + 1));
    let when = WORDS
        .say("labels-move")
        .with("number", label.number)
        .to_string();
    pen.text((side + 9.0, y + 6.5), 2.8, "start", FAINT, &when);
    let paints = colours(&scene, label);
    let step = ((high - 12.0) / label.moves.len().max(1) as f64).min(5.2);
    for (bead, (mv, &count)) in label.moves.iter().zip(machine.beads(at)).enumerate() {
        let line = y + 12.5 + bead as f64 * step;
        let ring = format!("stroke=\"{INK}\" stroke-width=\"0.15\"");
        pen.circle(
            (side + 1.6, line - 1.1),
            step.min(4.0) * 0.36,
            paints[bead],
            &ring,
        );
        let text = format!("{mv} ×{count}");
        pen.text(
            (side + 4.2, line),
            step.min(4.0) * 0.82,
            "start",
            INK,
            &text,
        );
    }
}
