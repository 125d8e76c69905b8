//! The chance to win, turn by turn, as a drawing.

use std::fmt::Write as _;

use wits_game::Message;

use super::Reviewed;
use crate::WORDS;
use crate::files::gcg::Sheet;

/// How far apart turns stand, and how high the chart is.
const STEP: f64 = 22.0;
const HEIGHT: f64 = 160.0;
const LEFT: f64 = 40.0;
const TOP: f64 = 16.0;

/// Draws the chance of the first player to win after every turn that has one, with a mark where something was given away. Nothing where no
/// turn has one.
pub fn chart(sheet: &Sheet, reviewed: &Reviewed) -> Option<String> {
    let name = |player: usize| sheet.players.get(player).map_or("?", |p| p.1.as_str());
    let chances: Vec<(usize, f64)> = reviewed
        .turns
        .iter()
        .enumerate()
        .filter_map(|(n, turn)| {
            let win = turn.win?;
            Some((
                n,
                if turn.turn.player == 0 {
                    win
                } else {
                    1.0 - win
                },
            ))
        })
        .collect();
    if chances.is_empty() {
        return None;
    }
    let width = LEFT + STEP * (reviewed.turns.len() as f64 + 1.0);
    let x = |n: usize| LEFT + STEP * (n as f64 + 0.5);
    let y = |win: f64| TOP + HEIGHT * (1.0 - win);
    let title = WORDS
        .say("chart-title")
        .with("name", Message::plain(name(0)));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {:.0}\" role=\"img\"><title>{}</title>\n",
        TOP + HEIGHT + 24.0,
        escape(&title.to_string())
    );
    for (share, label) in [(1.0, "100%"), (0.5, "50%"), (0.0, "0%")] {
        let _ = writeln!(
            svg,
            "<line x1=\"{LEFT}\" y1=\"{0:.1}\" x2=\"{width:.0}\" y2=\"{0:.1}\" stroke=\"currentColor\" stroke-opacity=\"0.25\"/>\
             <text x=\"{1}\" y=\"{2:.1}\" font-size=\"11\" text-anchor=\"end\" fill=\"currentColor\">{label}</text>",
            y(share),
            LEFT - 5.0,
            y(share) + 4.0
        );
    }
    let points: Vec<String> = chances
        .iter()
        .map(|&(n, win)| format!("{:.1},{:.1}", x(n), y(win)))
        .collect();
    let _ = writeln!(
        svg,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"2\"/>",
        points.join(" ")
    );
    let dearest: Vec<usize> = reviewed.dearest(3).iter().map(|t| t.turn.turn).collect();
    for &(n, win) in &chances {
        let turn = &reviewed.turns[n];
        let dear = dearest.contains(&turn.turn.turn);
        let says = WORDS
            .say("chart-point")
            .with("turn", turn.turn.turn + 1)
            .with("name", Message::plain(name(turn.turn.player)))
            .with("move", Message::plain(turn.turn.played.text.clone()))
            .with("win", wits_game::Figure::Share(win));
        let _ = writeln!(
            svg,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"{}\" fill=\"{}\"><title>{}</title></circle>",
            x(n),
            y(win),
            if dear { 6 } else { 3 },
            if dear { "#b5483a" } else { "currentColor" },
            escape(&says.to_string())
        );
    }
    svg.push_str("</svg>\n");
    Some(svg)
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('"', "&quot;")
}
