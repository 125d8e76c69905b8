//! `rainbow table`: a table of the anti-van der Waerden numbers.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use serde_json::json;
use wits_desk::{Answer, Block, Cell, Cost, Param, Refusal, Served, Verb};
use wits_game::Message;
use wits_search::{Budget, Limits};

use super::{decided, heads, number, say};
use crate::WORDS;
use crate::numbers::{Board, MOST_SEARCHED, SOURCE, Table, published};

pub(super) fn verb() -> Verb {
    let k = Param::text("k", &WORDS, "param-lengths").required();
    Verb {
        id: "table",
        about: say("verb-table"),
        params: vec![
            k.shown_as("K").offering(&["4", "4-10"]),
            number("to", "param-to", MOST_SEARCHED.into(), "N"),
            Param::flag("csv", false, &WORDS, "param-csv"),
        ],
        examples: &[
            "wits rainbow table --k 4 --to 24",
            "wits rainbow table --k 4-10 --to 26 --csv > aw.csv",
        ],
        served: Served::Everywhere,
        cost: Cost::LONG,
        run: |args, _, work| {
            let (from, last) = lengths(args.text("k"))?;
            let to = args.int("to") as u64;
            let fits = |k: &u64| *k <= to || from == last;
            let ks: Vec<u64> = (from..=last.min(to.max(from))).filter(fits).collect();
            // Say what is wrong before any work is done.
            for &k in &ks {
                Table::make(k, to, &Budget::start(Limits::nodes(0)), |_| {})?;
            }
            let rows: u64 = ks.iter().map(|k| to + 1 - k).sum();
            let (done, threads) = (AtomicU64::new(0), work.threads());
            let tables = work.counting(&done, Some(rows), |budget| {
                make(&ks, to, threads, budget, &done)
            });
            let complete = tables.iter().all(|table| table.complete);
            let answer = match tables.as_slice() {
                [one] if from == last => Answer::of(one),
                _ => Answer::yes(json!({
                    "to": to, "complete": complete, "tables": tables, "seconds": work.seconds(),
                })),
            };
            let answer = if args.flag("csv") {
                answer.say(Message::plain(csv(&tables)))
            } else {
                let answer = answer.with(Block::Table(shown(&tables)));
                let answer = match beside(&tables) {
                    Some((same, all)) => answer.say(
                        say("published-beside")
                            .with("same", same)
                            .with("all", all)
                            .with("source", SOURCE),
                    ),
                    None => answer,
                };
                if complete {
                    answer
                } else {
                    answer.say(say("stopped-early"))
                }
            };
            Ok(decided(answer, complete))
        },
    }
}

/// `4` or `4-10`.
fn lengths(text: &str) -> Result<(u64, u64), Refusal> {
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    match (from.trim().parse(), to.trim().parse()) {
        (Ok(from), Ok(to)) if from <= to => Ok((from, to)),
        _ => {
            let why = say("bad-value")
                .with("value", text.to_owned())
                .with("name", "k");
            Err(Refusal::new("bad-value", why, say("lengths-hint")))
        }
    }
}

/// One length after another on each thread.
fn make(ks: &[u64], to: u64, threads: usize, budget: &Budget, done: &AtomicU64) -> Vec<Table> {
    let (next, tables) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..threads.min(ks.len()) {
            scope.spawn(|| {
                while let Some(&k) = ks.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let each = |_: &_| {
                        done.fetch_add(1, Ordering::Relaxed);
                    };
                    if let (Ok(table), Ok(mut tables)) =
                        (Table::make(k, to, budget, each), tables.lock())
                    {
                        tables.push(table);
                    }
                }
            });
        }
    });
    let mut tables = tables.into_inner().unwrap_or_default();
    tables.sort_by_key(|table| table.k);
    tables
}

fn csv(tables: &[Table]) -> String {
    let mut lines: Vec<String> = Vec::new();
    for table in tables {
        let text = table.csv();
        let skip = usize::from(!lines.is_empty());
        lines.extend(text.lines().skip(skip).map(str::to_owned));
    }
    lines.join("\n")
}

/// How many of the values that others have published are the same here, and how many there are; nothing where there is none.
fn beside(tables: &[Table]) -> Option<(usize, usize)> {
    let rows = tables
        .iter()
        .flat_map(|table| table.rows.iter().map(|row| (table.k, row)));
    let known = rows.filter_map(|(k, row)| Some(published(Board::Strip, row.n, k)? == row.aw));
    let known: Vec<bool> = known.collect();
    let same = known.iter().filter(|same| **same).count();
    (!known.is_empty()).then_some((same, known.len()))
}

/// `n` downwards, the lengths across.
fn shown(tables: &[Table]) -> wits_desk::Table {
    let mut shown = wits_desk::Table::new("aw", say("title-aw"), heads(&["n"]));
    let names = tables.iter().map(|table| format!("k={}", table.k));
    shown.columns.extend(names.map(Message::plain));
    // One length leaves room for what others have published.
    let beside = if let [one] = tables {
        shown.columns.push(say("published"));
        Some(one.k)
    } else {
        None
    };
    let last = tables
        .iter()
        .filter_map(|table| table.rows.last())
        .map(|row| row.n);
    let first = tables.iter().map(|table| table.k).min().unwrap_or(0);
    for n in first..=last.max().unwrap_or(0) {
        let value = |table: &Table| {
            let row = table.rows.iter().find(|row| row.n == n);
            row.map_or(Cell::Empty, |row| Cell::whole(row.aw))
        };
        let mut cells = vec![Cell::whole(n)];
        cells.extend(tables.iter().map(value));
        if let Some(k) = beside {
            cells.push(published(Board::Strip, n, k).map_or(Cell::Empty, Cell::whole));
        }
        shown = shown.row(cells);
    }
    shown
}
