//! `scrabble solve`: the end of a game, exact with an empty bag, and every draw with one to four tiles in it.

use std::time::Duration;

use serde_json::json;
use wits_desk::{Answer, Block, Cell, Cost, Refusal, Served, Table, Verb, Verdict, Work};
use wits_game::Message;
use wits_search::{Budget, Limits};

use super::{heads, position_params, say, standing};
use crate::players::before::{Before, Known, MOST, outlook};
use crate::players::ending::Ending;
use crate::players::{Rack, Rated, Sight, Solver, Step};
use crate::{RACK, Standing, report};

/// How long it thinks where nobody says.
const USUAL: Duration = Duration::from_mins(1);
/// How many moves are listed.
const LISTED: usize = 20;

pub(super) fn verb() -> Verb {
    Verb {
        id: "solve",
        about: say("verb-solve"),
        params: position_params(),
        examples: &["wits scrabble solve --position \"$(cat ending.cgp)\""],
        served: Served::Everywhere,
        cost: Cost::LONG,
        run: |args, shelf, work| {
            let (given, note) = standing(args, shelf)?;
            let (game, table) = given.table();
            let unseen = Sight::new(&game, &table).unseen();
            let bag = unseen.len().saturating_sub(RACK);
            if given.position.racks.len() > 2 || bag > MOST {
                let why = say("not-an-ending").with("count", unseen.len());
                let hint = say("not-an-ending-hint").with("most", MOST);
                return Err(Refusal::new("not-an-ending", why, hint));
            }
            let budget = work.budget().within(Limits::time(USUAL));
            let answer = if bag > 0 {
                before(&given, &unseen, (bag, work.threads()), &budget)
            } else {
                ending(&given, &unseen, &budget, work)
            };
            Ok(match note {
                Some(note) => answer.with(note),
                None => answer,
            })
        },
    }
}

fn lead(given: &Standing) -> i32 {
    let score = |at: usize| given.position.scores.get(at).copied().unwrap_or(0);
    score(0) - score(1)
}

/// Tiles in the bag: what every word comes to, draw by draw.
fn before(
    given: &Standing,
    unseen: &[u8],
    (bag, threads): (usize, usize),
    budget: &Budget,
) -> Answer {
    let mut rated = given.rated(usize::MAX);
    if !rated.iter().any(|r| r.step == Step::Pass) {
        rated.push(Rated {
            step: Step::Pass,
            score: 0,
            worth: 0,
        });
    }
    let at = Before {
        engine: &given.engine,
        bingo: crate::Settings::default().bingo,
        field: &given.engine.field(&given.position.board),
        rack: &Rack::new(given.hand.tiles()),
        unseen,
        bag,
        lead: lead(given),
        threads,
    };
    let found = outlook(&at, &rated, budget, u64::MAX);
    let name = |step: &Step| report::text(step, &given.position.board, given.engine.tiles());
    let mut rows = Vec::new();
    let keys = ["move", "wins", "mean", "state"];
    let mut table = Table::new("moves", say("title-prospects"), heads(&keys));
    for p in found.found.iter().take(LISTED) {
        let exact = p.known == Known::Exact;
        rows.push(
            json!({"move": name(&p.step), "wins": p.share(), "spread": p.mean(), "exact": exact,
            "exact_spread": p.exact_spread}),
        );
        table = table.row(vec![
            Cell::text(name(&p.step)),
            Cell::share(p.share()),
            Cell::decimal(p.mean(), 2),
            Cell::Says(say(match p.known {
                Known::Exact if p.exact_spread => "known-exact",
                Known::Exact => "known-wins",
                Known::AtLeast => "known-at-least",
                Known::Estimate => "known-estimate",
            })),
        ]);
    }
    let best = found.found.first().map(|p| name(&p.step));
    let data = json!({"bag": bag, "best": best, "moves": rows, "complete": found.complete,
        "behind": found.behind, "open": found.open});
    let mut answer = Answer::yes(data);
    if found.found.is_empty() {
        answer.verdict = Verdict::No;
    }
    let draws = found.found.first().map_or(0, |p| p.tried);
    let key = match (found.complete, &best) {
        (true, _) => "solved-before",
        (false, Some(_)) => "part-before",
        (false, None) => "none-before",
    };
    let says = say(key).with("bag", bag).with("draws", draws);
    let says = says.with("move", best.unwrap_or_default());
    let followed = found.found.iter().filter(|p| p.known != Known::Estimate);
    let says = says.with("followed", followed.count());
    let says = says.with("behind", found.behind);
    let block = says.with("open", found.open);
    let answer = if found.complete {
        answer.say(block)
    } else {
        answer.with(Block::Note(block))
    };
    if found.found.is_empty() {
        return answer;
    }
    answer.with(Block::Table(table))
}

/// An empty bag: the whole line.
fn ending(given: &Standing, unseen: &[u8], budget: &Budget, work: &mut Work<'_>) -> Answer {
    let tiles = given.engine.tiles();
    let ending = Ending {
        field: given.engine.field(&given.position.board),
        racks: [Rack::new(given.hand.tiles()), Rack::new(unseen)],
        bag: None,
        passed: given.position.quiet > 0,
    };
    let bingo = crate::Settings::default().bingo;
    let mut solver = Solver::new(&given.engine, bingo, budget, u64::MAX);
    let solution = solver.solve(&ending, |found| {
        work.tell(wits_desk::Progress {
            done: u64::from(found.depth),
            ..wits_desk::Progress::default()
        });
    });
    let mut board = given.position.board;
    let mut table = Table::new("line", say("title-line"), heads(&["move", "points"]));
    let mut moves = Vec::new();
    for step in &solution.line {
        let score = match step {
            Step::Lay(_, score) => *score,
            _ => 0,
        };
        let text = report::text(step, &board, tiles);
        moves.push(json!({"move": text, "score": score}));
        table = table.row(vec![Cell::text(text), Cell::whole(score)]);
        if let Step::Lay(play, _) = step {
            play.lay(&mut board);
        }
    }
    let end = lead(given) + solution.value;
    let data = json!({"bag": 0, "value": solution.value, "final": end, "exact": solution.exact,
        "line": moves, "nodes": solution.nodes, "depth": solution.depth,
        "unseen": report::rack_text(unseen, tiles)});
    let signed = |n: i32| Message::plain(format!("{n:+}"));
    let says = say(if solution.exact {
        "solved-ending"
    } else {
        "part-ending"
    });
    let says = says.with("value", signed(solution.value));
    let says = says.with("end", signed(end)).with("nodes", solution.nodes);
    Answer::yes(data).say(says).with(Block::Table(table))
}
