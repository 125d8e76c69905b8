//! Tables as text and as JSON.

use std::fmt::Write as _;

use anyhow::Result;
use serde_json::{Value, json};
use wits_arena::{Compare, Coordinator, Format, LadderRow, Row, Table, Ties, Tournament};

use crate::Answer;
use crate::out::Out;

/// The first few of the table, on one line.
pub(super) fn standings(coordinator: &Coordinator<'_>) -> String {
    let table = coordinator.table();
    let best: Vec<String> = table
        .rows
        .iter()
        .take(3)
        .map(|row| format!("{} {:.0}", short(&row.name, 24), row.rating.elo))
        .collect();
    best.join(", ")
}

/// A name that fits.
fn short(name: &str, most: usize) -> String {
    if name.chars().count() <= most {
        return name.to_owned();
    }
    let start: String = name.chars().take(most - 1).collect();
    start + "…"
}

fn row_value(row: &Row) -> Value {
    json!({
        "name": row.name, "spec": row.spec, "rating": row.rating.elo, "interval": row.rating.interval,
        "games": row.games, "results": row.results, "score": row.score, "score_interval": row.score_interval,
        "wins": row.wins, "draws": row.draws, "losses": row.losses, "points": row.points, "byes": row.byes,
        "sequential": row.sequential, "glicko": row.glicko, "faults": row.faults, "reached": row.reached,
        "bound": row.bound, "ms_per_move": row.ms_per_move, "nodes_per_move": row.nodes_per_move,
    })
}

/// The table as JSON.
pub(super) fn value(coordinator: &Coordinator<'_>, table: &Table) -> Value {
    let far = coordinator.progress();
    let t = coordinator.tournament();
    let rows: Vec<Value> = table.rows.iter().map(row_value).collect();
    let names: Vec<&str> = t.players.iter().map(|p| p.name.as_str()).collect();
    json!({
        "name": t.name, "run": coordinator.run_id(), "game": t.game, "seed": t.seed,
        "players": rows, "games": table.games, "distinct": table.distinct, "bounded": table.bounded,
        "cross": {"players": names, "cells": table.cross}, "faults": table.faults,
        "done": far.done, "total": far.total, "finished": far.finished,
        "repeatable": t.hall.repeatable(),
    })
}

/// The table for people.
pub(super) fn text(coordinator: &Coordinator<'_>, table: &Table, out: &Out) -> String {
    let t = coordinator.tournament();
    let mut text = format!("{}\n\n", out.bold(&title(t)));
    text += &rows(t, table);
    text += "\n";
    text += &cross(t, table);
    let far = coordinator.progress();
    let _ = writeln!(
        text,
        "\n{} games, {} of them different; {} of {} pairings",
        table.games, table.distinct, far.done, far.total
    );
    if table.games > 2 && table.distinct * 4 < table.games {
        text += "most games are repetitions: these players play alike from the same opening; give `random-plies` or `openings`\n";
    }
    if table.bounded {
        text += "somebody won or lost everything: ratings are kept finite by one imaginary draw against an average player\n";
    }
    if !t.hall.repeatable() {
        text += "a clock takes part, so the same seed may give other games\n";
    }
    for fault in &table.faults {
        let _ = writeln!(text, "{fault}");
    }
    text
}

fn title(t: &Tournament) -> String {
    let format = match t.format {
        Format::RoundRobin => "round robin".to_owned(),
        Format::Gauntlet { heroes: 1 } => "gauntlet of the first player".to_owned(),
        Format::Gauntlet { heroes } => format!("gauntlet of the first {heroes} players"),
        Format::Swiss { rounds } => format!("Swiss system in {rounds} rounds"),
        Format::Knockout => "knockout".to_owned(),
    };
    let ties = match t.ties {
        Ties::Half => "",
        Ties::Time => ", draws go to who thought less",
        Ties::Brightwell { .. } => ", draws go to the greater Brightwell quotient",
        Ties::Replay { .. } => ", drawn games are played again",
    };
    let unit = match t.compare {
        Compare::Game => "",
        Compare::Pair => ", pairs of games count by summed payoff",
    };
    format!(
        "{}: {}, {format}{unit}{ties}, seed {}",
        t.name, t.game, t.seed
    )
}

fn rows(t: &Tournament, table: &Table) -> String {
    let wide = table.rows.iter().map(|r| r.name.chars().count()).max();
    let wide = wide.unwrap_or(6).clamp(6, 44);
    let mut text = format!(
        "  #  {:wide$}  rating     95%  score       95%    won drawn  lost   ms/move  nodes/move\n",
        "player"
    );
    for (place, row) in (1..).zip(&table.rows) {
        let (low, high) = row.rating.interval;
        let (least, most) = row.score_interval;
        let _ = write!(
            text,
            "{place:>3}  {:wide$}  {:>6.0}  ±{:>5.0}  {:>4.1}%  {:>3.0}-{:>3.0}%  {:>5} {:>5} {:>5}  {:>8.2}  {:>10.0}",
            short(&row.name, wide),
            row.rating.elo,
            (high - low) / 2.0,
            100.0 * row.score,
            100.0 * least,
            100.0 * most,
            row.wins,
            row.draws,
            row.losses,
            row.ms_per_move,
            row.nodes_per_move,
        );
        if let Some(seats) = &row.bound {
            let seats: Vec<String> = seats.iter().map(ToString::to_string).collect();
            let _ = write!(text, "  only seat {}", seats.join(", "));
        }
        if row.byes > 0 {
            let _ = write!(text, "  sat out {}", row.byes);
        }
        if let (Some(reached), Format::Knockout) = (row.reached, t.format) {
            let _ = write!(text, "  won {reached} matches");
        }
        let faults = row.faults;
        for (count, what) in [
            (faults.illegal, "illegal moves"),
            (faults.crash, "crashes"),
            (faults.late, "time-outs"),
            (faults.hang, "without an answer"),
            (faults.disconnected, "gone away"),
            (faults.unreadable, "unreadable"),
        ] {
            if count > 0 {
                let _ = write!(text, "  {count} {what}");
            }
        }
        text.push('\n');
    }
    text
}

/// What each took from each: wins, draws and losses of the player in the line.
fn cross(t: &Tournament, table: &Table) -> String {
    const MOST: usize = 16;
    if table.rows.len() > MOST {
        return format!(
            "the cross table of {} players is in the JSON\n",
            t.players.len()
        );
    }
    let cell = |a: usize, b: usize| match &table.cross[a][b] {
        None if a == b => "·".to_owned(),
        None => "-".to_owned(),
        Some(c) => format!("+{}={}-{}", c.wins, c.draws, c.losses),
    };
    let order: Vec<usize> = table.rows.iter().map(|r| r.player).collect();
    let wide = order
        .iter()
        .flat_map(|&a| order.iter().map(move |&b| (a, b)))
        .map(|(a, b)| cell(a, b).len())
        .max()
        .unwrap_or(4);
    let mut text = "     ".to_owned();
    for place in 1..=order.len() {
        let _ = write!(text, "  {place:>wide$}");
    }
    text.push('\n');
    for (place, &a) in (1..).zip(&order) {
        let _ = write!(text, "{place:>3}  ");
        for &b in &order {
            let _ = write!(text, "  {:>wide$}", cell(a, b));
        }
        text.push('\n');
    }
    text
}

/// Ratings by three methods.
pub(super) fn ratings(name: &str, table: &Table, out: &Out) -> Result<()> {
    let rows: Vec<Value> = table.rows.iter().map(row_value).collect();
    let value = json!({"name": name, "players": rows, "games": table.games, "bounded": table.bounded, "cross": table.cross});
    out.tell(&value, || {
        let mut text = format!(
            "{}\n\n  #  maximum likelihood   sequential   Glicko-2            better than the next  player\n",
            out.bold(name)
        );
        for (at, row) in table.rows.iter().enumerate() {
            let sure = row.ahead.map_or_else(|| "-".to_owned(), |ahead| format!("{:.1}%", 100.0 * ahead));
            let (low, high) = row.rating.interval;
            let _ = writeln!(text,
                "{:>3}  {:>8.1} ± {:>6.1}   {:>10.1}   {:>7.1} ± {:>6.1}   {sure:>20}  {}",
                at + 1, row.rating.elo, (high - low) / 2.0, row.sequential,
                row.glicko.rating, 1.96 * row.glicko.deviation, row.name,
            );
        }
        text
    })
}

/// The ladder of a game.
pub(super) fn ladder(game: &str, rows: &[LadderRow], out: &Out) -> Result<Answer> {
    let list: Vec<Value> = rows
        .iter()
        .map(|row| {
            json!({
                "spec": row.name, "rating": row.rating.elo, "interval": row.rating.interval,
                "games": row.games, "score": row.score, "group": row.group,
            })
        })
        .collect();
    out.tell(&json!({"game": game, "players": list}), || {
        let mut text = format!(
            "{}\n\n  #  rating     95%   games  score  player\n",
            out.bold(game)
        );
        for ((place, row), before) in (1..).zip(rows).zip(std::iter::once(None).chain(rows.iter().map(Some))) {
            let (low, high) = row.rating.interval;
            if before.is_some_and(|before| before.group != row.group) {
                text += "     (no game links the players above with those below: ratings compare within a group)\n";
            }
            let _ = writeln!(
                text,
                "{place:>3}  {:>6.0}  ±{:>5.0}  {:>6}  {:>4.1}%  {}",
                row.rating.elo,
                (high - low) / 2.0,
                row.games,
                100.0 * row.score,
                row.name
            );
        }
        text
    })?;
    Ok(Answer::Yes)
}
