//! `wits replay`: a record or a thread, told apart by the first line.

use std::fmt::Write as _;

use anyhow::Result;
use serde_json::{Value, json};
use wits_game::{Eyes, Seat, Turn};
use wits_play::{Catalog, Record, Spec, WhyNot};
use wits_search::ThreadHeader;

use crate::args::ReplayArgs;
use crate::out::Out;
use crate::{Answer, Problem, board, record_file, shelf};

/// `wits replay`
pub(crate) fn run(catalog: &Catalog, args: &ReplayArgs, out: &Out) -> Result<Answer> {
    let bytes = std::fs::read(&args.file).map_err(|e| Problem::file(&args.file, &e))?;
    let text = String::from_utf8_lossy(&bytes);
    let first: Value = text
        .lines()
        .next()
        .and_then(|line| serde_json::from_str(line).ok())
        .unwrap_or(Value::Null);
    if first.get("thread").is_some() {
        return thread(&text, args, out);
    }
    if first.get("record").is_some() {
        return record(catalog, args, out);
    }
    let message = format!(
        "`{}`, line 1: neither a record nor a thread",
        args.file.display()
    );
    Err(Problem::new(
        "bad-file",
        message,
        "records start with {\"record\":1,…}, threads with {\"thread\":2,…}",
    )
    .into())
}

fn record(catalog: &Catalog, args: &ReplayArgs, out: &Out) -> Result<Answer> {
    let mut record = record_file::read(&args.file)?;
    if let Some(to) = args.to {
        record.events.truncate(to);
    }
    let spec: Spec = record.header.game.parse()?;
    let specs: Vec<Spec> = record
        .header
        .players
        .iter()
        .filter_map(|p| p.parse().ok())
        .collect();
    let shelf = shelf::fill(catalog, &spec, &specs.iter().collect::<Vec<_>>())?;
    let game = catalog.game(&spec, &shelf)?;
    let table = game.replay(&record).map_err(Problem::from)?;
    let told = table.told(Eyes::All);
    let (over, payoffs, why) = match table.turn() {
        Turn::Over(outcome) => (true, outcome.payoffs.clone(), Some(outcome.why.to_string())),
        _ => (false, Vec::new(), None),
    };
    let result = json!({
        "kind": "record", "game": game.spec(), "seed": record.header.seed, "players": record.header.players,
        "moves": told.iter().map(|t| &t.text).collect::<Vec<_>>(), "payoffs": payoffs, "over": over, "why": why,
        "cut": record.cut, "position": table.notation(),
    });
    let boards = if args.boards && !out.json {
        Some(boards(&*game, &record, out)?)
    } else {
        None
    };
    out.tell(&result, || {
        let mut text = format!("{}, seed {}\n", game.spec(), record.header.seed);
        for (seat, player) in Seat::all(game.seats()).zip(&record.header.players) {
            let _ = writeln!(text, "{}: {player}", game.seat_name(seat));
        }
        let moves: Vec<&str> = told.iter().map(|t| t.text.as_str()).collect();
        let _ = writeln!(text, "{}", moves.join(" "));
        text.push_str(&boards.unwrap_or_else(|| board::draw(&table.scene(Eyes::All), out)));
        match &why {
            Some(why) => {
                let _ = writeln!(text, "over: {why}; payoffs {payoffs:?}");
            }
            None => text.push_str("not over yet\n"),
        }
        if record.cut {
            text.push_str("the last line was cut short by a crash and left out\n");
        }
        text
    })?;
    Ok(Answer::Yes)
}

/// The board after every event.
fn boards(game: &dyn wits_play::AnyGame, record: &Record, out: &Out) -> Result<String> {
    let mut text = String::new();
    for n in 0..=record.events.len() {
        let part = Record {
            events: record.events[..n].to_vec(),
            ..record.clone()
        };
        let table = game.replay(&part).map_err(Problem::from)?;
        if let Some(told) = table.told(Eyes::All).last() {
            let _ = writeln!(text, "{}", told.text);
        }
        text.push_str(&board::draw(&table.scene(Eyes::All), out));
    }
    Ok(text)
}

fn thread(text: &str, args: &ReplayArgs, out: &Out) -> Result<Answer> {
    let mut lines = Vec::new();
    for (i, line) in text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
    {
        let value: Value = serde_json::from_str(line).map_err(|e| {
            Problem::new(
                "bad-thread",
                format!("`{}`, line {}: {e}", args.file.display(), i + 1),
                "the file was not touched; mend the line or use another file",
            )
        })?;
        lines.push(value);
    }
    let newest = u64::from(ThreadHeader::VERSION);
    if !lines[0]["thread"]
        .as_u64()
        .is_some_and(|v| (1..=newest).contains(&v))
    {
        let message = format!(
            "`{}`, line 1: the thread has format {}; this program reads 1 to {newest}",
            args.file.display(),
            lines[0]["thread"]
        );
        return Err(Problem::new("newer-thread", message, "use a newer program").into());
    }
    tell_thread(&lines, args.to, None, out)?;
    Ok(Answer::Yes)
}

/// A thread as sentences, indented as deep as they are; or, where somebody asked why not another move, the answer
/// and its board, with the thread folded.
pub(crate) fn tell_thread(
    lines: &[Value],
    to: Option<usize>,
    why_not: Option<(&WhyNot, String)>,
    out: &Out,
) -> Result<()> {
    let (header, rest) = lines.split_first().expect("a thread has a header");
    let (steps, end): (Vec<&Value>, Vec<&Value>) =
        rest.iter().partition(|l| l.get("end").is_none());
    let steps = &steps[..steps.len().min(to.unwrap_or(usize::MAX))];
    let end = end.first().copied().cloned().unwrap_or(Value::Null);
    let mut value = json!({"kind": "thread", "thread": header, "steps": steps, "end": end});
    if let Some((why_not, board)) = why_not {
        value["why_not"] = json!(why_not);
        return out.tell(&value, || folded(why_not, &board, steps.len(), out));
    }
    out.tell(&value, || {
        let mut text = format!(
            "{}\n",
            out.bold(header["title"].as_str().unwrap_or("a thread"))
        );
        if let Some(summary) = header["summary"].as_str() {
            let _ = writeln!(text, "{summary}");
        }
        let mut depth = 0usize;
        for step in steps {
            let kind = step["kind"].as_str().unwrap_or("");
            if kind == "close" {
                depth = depth.saturating_sub(1);
            }
            let _ = writeln!(
                text,
                "{:indent$}{} {}",
                "",
                out.faint(kind),
                step["text"].as_str().unwrap_or(""),
                indent = 2 * depth.min(30)
            );
            if kind == "open" {
                depth += 1;
            }
        }
        let _ = writeln!(
            text,
            "{} {} ({} steps kept, {} left out)",
            out.bold("result"),
            end["result"].as_str().unwrap_or("?"),
            end["kept"],
            end["dropped"]
        );
        text
    })
}

/// The answer to *why not?*: one sentence, the line, the board.
fn folded(why_not: &WhyNot, board: &str, steps: usize, out: &Out) -> String {
    let mut text = format!(
        "{} {}\n",
        out.bold(&format!("why not {}?", why_not.mv)),
        why_not.text
    );
    if why_not.line.len() > 1 {
        let _ = writeln!(text, "{} {}", out.bold("line"), why_not.line.join(" "));
    }
    text.push_str(board);
    let _ = writeln!(
        text,
        "{} {} ({steps} steps lead to it; without --why-not they are shown)",
        out.bold("result"),
        why_not.chosen
    );
    text
}
