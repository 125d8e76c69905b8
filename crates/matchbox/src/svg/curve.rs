//! A learning curve with its bands.

use super::pen::{FAINT, INK, PAPER, Pen, num};
use crate::WORDS;
use crate::train::{Point, Trained};

const WIDE: f64 = 720.0;
const HIGH: f64 = 400.0;
const LEFT: f64 = 52.0;
const RIGHT: f64 = 172.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 44.0;

/// What a line of the curve shows.
type Pick = fn(&Point) -> f64;

/// What came of a course: shares of games won, drawn and lost, machines that are perfect, and the
/// score of a machine with the band that holds 80 of 100.
pub fn learning_curve(trained: &Trained) -> String {
    let mut pen = Pen::default();
    pen.rect([0.0, 0.0, WIDE, HIGH], PAPER, "");
    let most = f64::from(trained.games.max(1));
    let place = |game: f64, share: f64| {
        let x = LEFT + (WIDE - LEFT - RIGHT) * game / most;
        (x, TOP + (HIGH - TOP - BOTTOM) * (1.0 - share))
    };
    for tenth in 0..=5 {
        let share = f64::from(tenth) / 5.0;
        pen.line(place(0.0, share), place(most, share), "#ded9cc", 1.0, "");
        let (x, y) = place(0.0, share);
        pen.text(
            (x - 6.0, y + 4.0),
            11.0,
            "end",
            INK,
            &format!("{} %", tenth * 20),
        );
    }
    for quarter in 0..=4 {
        let game = most * f64::from(quarter) / 4.0;
        let (x, y) = place(game, 0.0);
        pen.text((x, y + 16.0), 11.0, "middle", INK, &num(libm::round(game)));
    }
    let games = WORDS.say("curve-games").to_string();
    pen.text(
        ((LEFT + WIDE - RIGHT) / 2.0, HIGH - 8.0),
        12.0,
        "middle",
        INK,
        &games,
    );
    // The band of scores first, so that lines stay on top.
    let at = |p: &Point| f64::from(p.game);
    let mut band: Vec<(f64, f64)> = trained
        .curve
        .iter()
        .map(|p| place(at(p), p.score.high))
        .collect();
    band.extend(
        trained
            .curve
            .iter()
            .rev()
            .map(|p| place(at(p), p.score.low)),
    );
    pen.polygon(&band, "#56B4E9", "fill-opacity=\"0.25\"");
    let lines: [(&str, &str, &str, Pick); 5] = [
        ("curve-score", "#0072B2", "stroke-dasharray=\"2 3\"", |p| {
            p.score.median
        }),
        ("curve-win", "#009E73", "", |p| p.win),
        ("curve-draw", "#E69F00", "stroke-dasharray=\"7 4\"", |p| {
            p.draw
        }),
        (
            "curve-loss",
            "#D55E00",
            "stroke-dasharray=\"1 3\" stroke-linecap=\"round\"",
            |p| p.loss,
        ),
        ("curve-perfect", INK, "stroke-dasharray=\"10 3 2 3\"", |p| {
            p.perfect
        }),
    ];
    let mut key = TOP + 8.0;
    for (name, colour, dash, pick) in lines {
        if name == "curve-draw" && trained.curve.iter().all(|p| p.draw == 0.0) {
            continue;
        }
        let points: Vec<(f64, f64)> = trained
            .curve
            .iter()
            .map(|p| place(at(p), pick(p)))
            .collect();
        pen.polyline(&points, colour, 2.0, dash);
        let x = WIDE - RIGHT + 10.0;
        pen.line((x, key), (x + 26.0, key), colour, 2.0, dash);
        pen.text(
            (x + 31.0, key + 4.0),
            11.0,
            "start",
            INK,
            &WORDS.say(name).to_string(),
        );
        key += 18.0;
    }
    let title = WORDS
        .say("curve-title")
        .with("machine", &trained.machine)
        .with("opponent", &trained.opponent)
        .with("machines", trained.machines)
        .with("seed", trained.seed)
        .to_string();
    pen.text((LEFT, 20.0), 13.0, "start", INK, &title);
    if let Some(mean) = trained.losses_to_perfect.mean {
        let games = trained.games_to_perfect.mean.unwrap_or(0.0);
        let note = WORDS
            .say("curve-note")
            .with("losses", num(mean))
            .with("games", num(games));
        for (i, part) in note.to_string().split("; ").enumerate() {
            pen.text(
                (WIDE - RIGHT + 10.0, key + 14.0 + 14.0 * i as f64),
                10.0,
                "start",
                FAINT,
                part,
            );
        }
    }
    pen.finish((WIDE, HIGH), (num(WIDE), num(HIGH)), &title)
}
