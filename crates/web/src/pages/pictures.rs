//! The pictures of the rooms on the first page. Boards come from the rules, maps, grids and standings from the
//! threads of the gallery, so that they show what the rooms really do.

use std::sync::OnceLock;

use maud::{Markup, PreEscaped, html};
use serde_json::Value;
use wits_game::{Eyes, Layout, Scene, Shape, Token};
use wits_play::Spec;

use super::machines;
use super::threads::GALLERY;
use crate::App;

/// The pictures are so wide and high, in units of their own.
const WIDTH: f64 = 320.0;
const HEIGHT: f64 = 150.0;

/// A thread of the gallery: its header and its steps.
pub(super) fn thread(name: &str) -> Vec<Value> {
    let text = GALLERY.iter().find(|(known, _)| *known == name);
    let lines = text.map_or("", |(_, text)| *text).lines();
    lines
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}

/// The position that a thread of the gallery is about.
pub(super) fn scene_of(app: &App, name: &str) -> Option<Scene> {
    let header = thread(name).into_iter().next()?;
    let spec: Spec = header["game"].as_str()?.parse().ok()?;
    let game = app.catalog.game(&spec, &app.shelf).ok()?;
    let table = wits_play::position(&*game, header["subject"].as_str()?)?;
    Some(table.scene(Eyes::All))
}

/// The picture of a room by the name of the room's address; nothing for a room without one.
pub(super) fn of_room(app: &App, room: &str) -> Markup {
    let inside = match room {
        "/othello" => {
            scene_of(app, "othello-engine").map(|scene| board(&scene, HEIGHT, (85.0, 0.0)))
        }
        "/matchbox" => Some(boxes(app)),
        "/scrabble" => Some(crossword()),
        "/thue" => Some(word()),
        "/rainbow" => Some(progressions()),
        "/transit" => Some(drawn(&MAP, map)),
        "/expert" => Some(diagnosis()),
        "/learn" => Some(drawn(&GRID, grid)),
        "/arena" => Some(standings()),
        _ => None,
    };
    let Some(inside) = inside else {
        return Markup::default();
    };
    let view = format!("0 0 {WIDTH} {HEIGHT}");
    html! { svg.picture viewBox=(view) aria-hidden="true" { (inside) } }
}

static MAP: OnceLock<String> = OnceLock::new();
static GRID: OnceLock<String> = OnceLock::new();

/// A picture without words is the same for everybody.
fn drawn(kept: &'static OnceLock<String>, draw: impl FnOnce() -> Markup) -> Markup {
    PreEscaped(kept.get_or_init(|| draw().into_string()).clone())
}

fn n(x: f64) -> String {
    format!("{x:.1}")
}

/// A board with its pieces, so large and at such a place.
pub(super) fn board(scene: &Scene, size: f64, (left, top): (f64, f64)) -> Markup {
    let (columns, rows) = match &scene.layout {
        Layout::Board { columns, rows } => (columns.len().max(1), rows.len().max(1)),
        Layout::Strip => (scene.cells.len().max(1), 1),
    };
    let side = size / columns.max(rows) as f64;
    let at = |i: usize| {
        (
            left + (i % columns) as f64 * side,
            top + (i / columns) as f64 * side,
        )
    };
    html! {
        @for (i, cell) in scene.cells.iter().enumerate() {
            @let (x, y) = at(i);
            rect.field.(super::board::tint(cell.tint)).lined x=(n(x)) y=(n(y)) width=(n(side)) height=(n(side)) {}
        }
        @for (i, cell) in scene.cells.iter().enumerate() {
            @let (x, y) = at(i);
            @if let Some(token) = &cell.token { (piece(token, x + side / 2.0, y + side / 2.0, side)) }
        }
    }
}

fn piece(token: &Token, x: f64, y: f64, side: f64) -> Markup {
    let kind = format!("token {:?} c{}", token.shape, token.colour % 8).to_lowercase();
    let scale = side / 64.0;
    let place = format!("translate({x:.1} {y:.1}) scale({scale:.3})");
    html! {
        g class=(kind) transform=(place) {
            @match token.shape {
                Shape::Dark => circle.disc-dark r="24" {},
                Shape::Light => circle.disc-light r="24" {},
                Shape::Pawn => { circle.fill cy="-12" r="11" {} path.fill d="M-16 25v-6C-9 13-6 6-5.5-3h11C6 6 9 13 16 19v6Z" {} },
                Shape::Cross => path.stroke d="M-16-16 16 16M16-16-16 16" {},
                Shape::Ring => circle.stroke r="17" {},
                Shape::Tile | Shape::Text => { rect.fill x="-24" y="-24" width="48" height="48" rx="9" {} text.glyph.on-fill font-size="26" dy="0.36em" { (token.glyph) } },
            }
        }
    }
}

/// Three boxes of a machine that plays Hexapawn; it has lost one bead in the middle one.
fn boxes(app: &App) -> Markup {
    let scene = scene_of(app, "hexapawn-matchbox");
    html! {
        @for (nth, beads) in [[1, 1, 2, 2, 5], [1, 2, 2, 5, 9], [2, 5, 9, 9, 9]].iter().enumerate() {
            @let left = 14.0 + 100.0 * nth as f64;
            rect.box-wood x=(n(left)) y="14" width="92" height="122" rx="8" {}
            @if let Some(scene) = &scene { (board(scene, 60.0, (left + 16.0, 22.0))) }
            @for (i, bead) in beads.iter().filter(|bead| **bead < 9).enumerate() {
                circle class={ "bead bc" (bead) } cx=(n(left + 22.0 + 24.0 * (i % 3) as f64)) cy=(n(98.0 + 22.0 * (i / 3) as f64)) r="8.5" {}
            }
        }
    }
}

/// A few words on a board with coloured squares.
fn crossword() -> Markup {
    let side = 29.0;
    let words: [(&str, usize, usize, bool); 3] = [
        ("SEARCH", 2, 1, true),
        ("HINT", 7, 1, false),
        ("TILE", 7, 4, true),
    ];
    let tiles = words.iter().flat_map(|(text, x, y, across)| {
        text.chars().enumerate().map(move |(i, letter)| {
            let (x, y) = if *across { (x + i, *y) } else { (*x, y + i) };
            (letter, x, y)
        })
    });
    html! {
        @for i in 0..55 {
            @let (x, y) = (i % 11, i / 11);
            @let tint = match (x * 3 + y * 5) % 13 { 0 => "w3", 4 => "l2", 8 => "w2", 10 => "l3", _ => "plain" };
            rect class={ "square " (tint) } x=(n(f64::from(x) * side + 1.0)) y=(n(f64::from(y) * side + 3.0)) width="28" height="28" rx="3" {}
        }
        @for (letter, x, y) in tiles {
            @let (x, y) = (x as f64 * side + 1.0, y as f64 * side + 3.0);
            rect.tile x=(n(x)) y=(n(y)) width="28" height="28" rx="4" {}
            text.letter x=(n(x + 14.0)) y=(n(y + 20.0)) { (letter) }
        }
    }
}

/// A word without squares, and the square that one more letter would make.
fn word() -> Markup {
    let letters = "abcacbabcbac";
    html! {
        path.arc-wrong d="M20 62C44 14 110 14 128 62" {}
        @for (i, letter) in letters.chars().enumerate() {
            @let colour = match letter { 'a' => 1, 'b' => 2, _ => 3 };
            @let x = 8.0 + 25.5 * i as f64;
            rect class={ "letter-tile c" (colour) } x=(n(x)) y="66" width="23" height="34" rx="6" {}
            text.letter x=(n(x + 11.5)) y="89" { (letter) }
        }
        path.arrow d="M166 128v-20M158 116l8-9 8 9" {}
    }
}

/// Numbers in colours, and the progressions among them.
fn progressions() -> Markup {
    let colours = [1, 0, 5, 0, 3, 0, 0, 2, 6, 0, 7, 0, 0];
    let x = |number: usize| 16.0 + 24.0 * (number - 1) as f64;
    let arcs = [(1, 5, true), (5, 9, true), (3, 8, false), (9, 13, false)];
    html! {
        @for (from, to, good) in arcs {
            @let (a, b) = (x(from), x(to));
            path.arc.good[good] d={ "M" (n(a)) " 84C" (n(a)) " 20 " (n(b)) " 20 " (n(b)) " 84" } {}
        }
        @for (i, colour) in colours.iter().enumerate() {
            circle class={ "number c" (colour) } data-empty[*colour == 0] cx=(n(x(i + 1))) cy="96" r="11" {}
            text.digit x=(n(x(i + 1))) y="126" { (i + 1) }
        }
    }
}

/// The network, what the search settled, and the journey that it found.
fn map() -> Markup {
    let steps = thread("transit-astar");
    let note = steps.get(1).map(|step| &step["data"]);
    let number = |value: &Value| value.as_f64().unwrap_or(0.0);
    let frame: Vec<f64> = note
        .and_then(|data| data["frame"].as_array())
        .map_or_else(Vec::new, |all| all.iter().map(number).collect());
    let [left, bottom, right, top] = frame[..] else {
        return Markup::default();
    };
    // The network fills the picture's width; what is above or below is cut off.
    let scale = (WIDTH - 20.0) / (right - left);
    let shift = HEIGHT / 2.0 + f64::midpoint(bottom, top) * scale;
    let place = |x: f64, y: f64| (10.0 + (x - left) * scale, shift - y * scale);
    let lines: Vec<f64> = note
        .and_then(|data| data["network"].as_array())
        .map_or_else(Vec::new, |all| all.iter().map(number).collect());
    let mut stops = std::collections::BTreeMap::new();
    let mut journey: Vec<u64> = Vec::new();
    for step in &steps {
        let data = &step["data"];
        if let (Some(node), Some(x), Some(y)) = (
            data["node"].as_u64(),
            data["x"].as_f64(),
            data["y"].as_f64(),
        ) {
            let settled = step["kind"] == "visit";
            let stop = stops.entry(node).or_insert((place(x, y), settled));
            stop.1 |= settled;
        }
        if let Some(line) = data["line"].as_array().filter(|_| step["kind"] == "choose") {
            journey = line.iter().filter_map(Value::as_u64).collect();
        }
    }
    let way: Vec<String> = journey
        .iter()
        .filter_map(|node| stops.get(node))
        .map(|((x, y), _)| format!("{x:.1},{y:.1}"))
        .collect();
    html! {
        @for segment in lines.chunks_exact(4) {
            @let ((a, b), (c, d)) = (place(segment[0], segment[1]), place(segment[2], segment[3]));
            line.street x1=(n(a)) y1=(n(b)) x2=(n(c)) y2=(n(d)) {}
        }
        polyline.way points=(way.join(" ")) {}
        @for ((x, y), settled) in stops.values() { circle.stop.settled[*settled] cx=(n(*x)) cy=(n(*y)) r="4" {} }
    }
}

/// A question, an answer, and the proof that grows from them.
fn diagnosis() -> Markup {
    let nodes = [
        (238.0, 26.0, true),
        (204.0, 66.0, true),
        (276.0, 66.0, false),
        (184.0, 108.0, true),
        (224.0, 108.0, true),
    ];
    let edges = [(0, 1), (0, 2), (1, 3), (1, 4)];
    html! {
        rect.bubble x="14" y="18" width="140" height="34" rx="12" {}
        text.said x="26" y="40" { (super::say("picture-question")) }
        rect.bubble.own x="84" y="64" width="70" height="32" rx="12" {}
        text.said.own x="119" y="85" { (super::say("picture-answer")) }
        rect.bubble x="14" y="108" width="140" height="34" rx="12" {}
        text.said x="26" y="130" { (super::say("picture-advice")) }
        @for (a, b) in edges {
            line.edge x1=(nodes[a].0) y1=(nodes[a].1) x2=(nodes[b].0) y2=(nodes[b].1) {}
        }
        @for (x, y, proved) in nodes { circle.goal.proved[proved] cx=(x) cy=(y) r="10" {} }
    }
}

/// The cells of a grid of pipelines, darker where the score is better.
fn grid() -> Markup {
    let steps = thread("learn-grid");
    let mut rows: Vec<&str> = Vec::new();
    let mut columns: Vec<&str> = Vec::new();
    let mut cells = Vec::new();
    for data in steps
        .iter()
        .filter(|step| step["kind"] == "cell")
        .map(|step| &step["data"])
    {
        let (Some(row), Some(column), Some(value)) = (
            data["row"].as_str(),
            data["column"].as_str(),
            data["value"].as_f64(),
        ) else {
            continue;
        };
        let place = |names: &mut Vec<&str>, name| {
            names
                .iter()
                .position(|known| *known == name)
                .unwrap_or(names.len())
        };
        let (y, x) = (place(&mut rows, row), place(&mut columns, column));
        if y == rows.len() {
            rows.push(row);
        }
        if x == columns.len() {
            columns.push(column);
        }
        cells.push((x, y, value));
    }
    let values = cells.iter().map(|(_, _, value)| *value);
    let (least, most) = (
        values.clone().fold(f64::MAX, f64::min),
        values.fold(f64::MIN, f64::max),
    );
    // Rows are as many as pipelines prepare data in different ways, so the grid lies on its side.
    let (wide, high) = (
        WIDTH / rows.len().max(1) as f64,
        HEIGHT / columns.len().max(1) as f64,
    );
    html! {
        @for (x, y, value) in &cells {
            @let share = (value - least) / (most - least).max(1e-9);
            rect.heat.best[*value >= most] x=(n(*y as f64 * wide + 2.0)) y=(n(*x as f64 * high + 2.0)) width=(n(wide - 4.0)) height=(n(high - 4.0)) rx="4"
                fill-opacity=(format!("{:.2}", 0.1 + 0.9 * share)) {}
        }
    }
}

/// The players of a tournament, each with its share and what it could as well be.
fn standings() -> Markup {
    let steps = thread("arena-tournament");
    let mut last = std::collections::BTreeMap::new();
    for data in steps
        .iter()
        .filter(|step| step["kind"] == "cell")
        .map(|step| &step["data"])
    {
        if let (Some(row), Some(column), Some(value), Some(games)) = (
            data["row"].as_str(),
            data["column"].as_str(),
            data["value"].as_f64(),
            data["games"].as_f64(),
        ) {
            last.insert((row, column), (value * games, games));
        }
    }
    let mut players = std::collections::BTreeMap::<&str, (f64, f64)>::new();
    for ((row, _), (points, games)) in &last {
        let sum = players.entry(row).or_default();
        *sum = (sum.0 + points, sum.1 + games);
    }
    let mut shares: Vec<(&str, f64, f64)> = players
        .into_iter()
        .map(|(name, (points, games))| (name, points / games, games))
        .collect();
    shares.sort_by(|a, b| b.1.total_cmp(&a.1));
    let x = |share: f64| 172.0 + 136.0 * share.clamp(0.0, 1.0);
    html! {
        @for (i, (name, share, games)) in shares.iter().enumerate() {
            @let y = 24.0 + 34.0 * i as f64;
            @let wide = 1.96 * (share * (1.0 - share) / games).sqrt();
            text.name x="164" y=(n(y + 4.5)) { (machines::title(name.split(':').next().unwrap_or(name))) }
            path.whisker d={ "M" (n(x(share - wide))) " " (n(y - 6.0)) "v12M" (n(x(share - wide))) " " (n(y)) "H" (n(x(share + wide))) "M" (n(x(share + wide))) " " (n(y - 6.0)) "v12" } {}
            circle.mean cx=(n(x(*share))) cy=(n(y)) r="6" {}
        }
    }
}
