//! Trimming: the steps that are marked prove by themselves what the thread says, and most others are not needed.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use wits_game::{Seat, Turn};
use wits_play::AnyMatch;
use wits_play::check::trim;
use wits_search::{Kind, Line, Thread};

use super::check::{WATCHED, watch};

/// The marked part of a thread: what is below each node, and what is said of it.
struct Kept<'a> {
    below: BTreeMap<u64, Vec<&'a Line>>,
    close: BTreeMap<u64, &'a Line>,
    seat: Seat,
}

impl<'a> Kept<'a> {
    fn new(thread: &'a Thread, marked: &BTreeSet<u64>, seat: Seat) -> Kept<'a> {
        let mut kept = Kept {
            below: BTreeMap::new(),
            close: BTreeMap::new(),
            seat,
        };
        for line in thread.steps.iter().filter(|line| marked.contains(&line.at)) {
            let number = |key: &str| line.data.get(key).and_then(Value::as_u64);
            match line.kind {
                Kind::Open => {
                    if let Some(parent) = number("parent") {
                        kept.below.entry(parent).or_default().push(line);
                    }
                }
                Kind::Close => drop(kept.close.insert(number("id").unwrap(), line)),
                _ => {}
            }
        }
        kept
    }

    /// The least and the most that a node can be worth, by the ends and judgements below it alone.
    fn span(&self, id: u64, table: &dyn AnyMatch) -> (f64, f64) {
        let all = (f64::NEG_INFINITY, f64::INFINITY);
        let Some(below) = self.below.get(&id) else {
            let data = &self.close[&id].data;
            let Some(value) = data["value"].as_f64() else {
                return all;
            };
            return match data["is"].as_str().unwrap() {
                "at least" => (value, all.1),
                "at most" => (all.0, value),
                _ => (value, value),
            };
        };
        let number = |line: &Line| line.data["id"].as_u64().unwrap();
        if below.iter().any(|line| line.data["move"].is_null()) {
            // Looks at the same position: all of them hold.
            let spans = below.iter().map(|line| self.span(number(line), table));
            return spans.fold(all, |a, b| (a.0.max(b.0), a.1.min(b.1)));
        }
        let Turn::Of(mover) = table.turn() else {
            return all;
        };
        let spans: Vec<(f64, f64)> = below
            .iter()
            .map(|line| {
                let mut next = table.copy();
                let text = line.data["move"].as_str().unwrap();
                next.play(mover, text, None).unwrap();
                self.span(number(line), next.as_ref())
            })
            .collect();
        let whole = spans.len() == table.options().len();
        let (low, high) = (spans.iter().map(|s| s.0), spans.iter().map(|s| s.1));
        // One move is enough for the side that makes it; for the other side all must be there.
        if mover == self.seat {
            let high = high.fold(all.0, f64::max);
            (low.fold(all.0, f64::max), if whole { high } else { all.1 })
        } else {
            let low = low.fold(all.1, f64::min);
            (if whole { low } else { all.0 }, high.fold(all.1, f64::min))
        }
    }
}

#[test]
fn what_is_marked_proves_the_decision_by_itself() {
    for (game, by, moves) in WATCHED {
        let (rules, thread) = watch(game, by, moves);
        let marked = trim(&*rules, &thread);
        let choose = thread.steps.iter().find(|s| s.kind == Kind::Choose);
        assert!(marked.contains(&choose.unwrap().at), "{game} {by}");
        if thread.header.backup != wits_play::Backup::Max {
            continue;
        }
        let mut table = rules.begin(wits_game::Seed::new(1), None);
        for text in moves.split_whitespace() {
            let seat = table.turn().seat().unwrap();
            table.play(seat, text, None).unwrap();
        }
        let seat = table.turn().seat().unwrap();
        let kept = Kept::new(&thread, &marked, seat);
        let value = kept.close[&0].data["value"].as_f64().unwrap();
        let (low, high) = kept.span(0, table.as_ref());
        // Payoffs have a range, so a side that nobody can cross needs no moves.
        let ranged = by == "perfect" && value.abs() >= 1.0;
        assert!(
            (low >= value || (ranged && value < 0.0)) && (high <= value || (ranged && value > 0.0)),
            "{game} {by}: {low} to {high}, not {value}"
        );
    }
}

#[test]
fn most_of_a_search_is_not_needed() {
    let engine = "engine:book=false,nodes=4000";
    // Alpha-beta skips much of what is not needed by itself.
    for (game, by, moves, most) in [
        ("tictactoe", "minimax", "a1 b2 c3 c1", 0.5),
        ("hexapawn:rows=4,cols=3", "alphabeta:depth=5", "", 0.9),
        ("othello", engine, "f5 f6 e6 d6 c5 b4", 0.5),
    ] {
        let (rules, thread) = watch(game, by, moves);
        let marked = trim(&*rules, &thread).len();
        assert!(
            marked > 10 && (marked as f64) < most * thread.steps.len() as f64,
            "{game} {by}: {marked} of {}",
            thread.steps.len()
        );
    }
}
