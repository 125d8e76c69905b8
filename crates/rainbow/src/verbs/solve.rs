//! `rainbow solve`: who wins under perfect play.

use serde_json::json;
use wits_desk::{Answer, Args, Block, Call, Cost, File, Param, Refusal, Served, Shelf, Verb, Work};
use wits_game::{Figure, Lang, Message};
use wits_search::{Kind, Recorder, Thread, ThreadHeader};

use super::keep::{self, Standing};
use super::{decided, say, terms, terms_params};
use crate::exact::{Checked, Fault, Solver};
use crate::forecast::{Reason, Solution, SolveOptions, solve_with};
use crate::{Board, Terms, WORDS};

pub(super) fn verb() -> Verb {
    let most = Solver::MOST_POSITIONS as i64;
    let mut params = terms_params();
    params.extend([
        Param::output("thread", &WORDS, "param-thread"),
        Param::int("limit", 10, 1_000_000, 4000, &WORDS, "param-steps").shown_as("STEPS"),
        Param::int(
            "positions",
            1,
            100_000_000_000,
            most,
            &WORDS,
            "param-positions",
        ),
        Param::flag("search", false, &WORDS, "param-search-game"),
        Param::flag("check", false, &WORDS, "param-check-winner"),
        Param::kept("keep", &WORDS, "param-keep"),
    ]);
    Verb {
        id: "solve",
        about: say("verb-solve"),
        params,
        examples: &[
            "wits rainbow solve --n 9 --k 4 --c 4 --first maker",
            "wits rainbow solve --n 8 --k 4 --c 4 --first breaker --thread proof.thread",
            "wits rainbow solve --n 18 --k 5 --c 18 --check",
            "wits rainbow solve --n 28 --k 6 --c 28 --threads 16 --positions 1000000000 --time 3600",
        ],
        served: Served::Everywhere,
        cost: Cost::ALONE,
        run: |args, shelf, work| {
            let terms = terms(args)?;
            let (found, checked, standing) = search(&terms, args, shelf, work)?;
            let mut answer = Answer::of(&found);
            answer.blocks = solution_blocks(&found, keep::room(args, work));
            answer = keep::told(answer, standing, found.winner.is_some());
            if let Some(checked) = checked {
                answer.data["checked"] = json!(checked.as_ref().ok());
                answer = answer.say(check_says(&found, checked)?);
            }
            if args.given("thread") {
                let thread = thread(&terms, args, work);
                answer.blocks.extend(thread);
            }
            let names = ["n", "k", "c", "first"];
            let pair = |name: &str| (name.to_owned(), args.text(name).to_owned());
            let next = Call {
                says: say("next-forecast"),
                room: "rainbow".to_owned(),
                verb: "forecast".to_owned(),
                args: names.map(pair).into(),
            };
            Ok(decided(
                answer.with(Block::Next(vec![next])),
                found.winner.is_some(),
            ))
        },
    }
}

/// What was found, what a check of it has shown, and where a search stands that is kept.
type Found = (Solution, Option<Result<Checked, Fault>>, Option<Standing>);

fn search(
    terms: &Terms,
    args: &Args,
    shelf: &Shelf,
    work: &mut Work<'_>,
) -> Result<Found, Refusal> {
    let options = SolveOptions {
        threads: work.threads(),
        positions: keep::room(args, work),
        search: args.flag("search"),
    };
    let Some(mut solver) = Solver::sized(terms, options.positions) else {
        return Ok((solve_with(terms, None, &options, work.budget()), None, None));
    };
    let (found, standing) = keep::search(&mut solver, (args, shelf), work, |solver, budget| {
        let found = solve_with(terms, Some(solver), &options, budget);
        let done = found.winner.is_some();
        (found, done)
    })?;
    let checked = if found.reason == Reason::Solved && args.flag("check") {
        solver.check(terms.first(), work.budget())
    } else {
        None
    };
    Ok((found, checked, standing))
}

/// What the check of a strategy has shown.
fn check_says(found: &Solution, checked: Result<Checked, Fault>) -> Result<Message, Refusal> {
    match checked {
        Ok(checked) => Ok(say("solve-checked")
            .with(
                "winner",
                found
                    .winner
                    .map_or_else(String::new, |side| side.name().to_string()),
            )
            .with("answers", Figure::whole(checked.answers))
            .with("positions", Figure::whole(checked.positions))),
        Err(Fault::Stopped) => Ok(say("passes-unchecked")),
        Err(fault) => {
            let why = say("passes-fault").with("why", fault.to_string());
            Err(Refusal::new("bad-strategy", why, say("passes-fault-hint")))
        }
    }
}

/// The search once more on one thread, step by step; nothing where the board is too long to follow.
fn thread(terms: &Terms, args: &Args, work: &Work<'_>) -> Option<Block> {
    let mut solver = Solver::new(terms)?;
    let mut recorder = Recorder::new(args.int("limit") as usize);
    let solved = solver.solve(&Board::new(*terms), work.budget(), &mut recorder);
    let (n, k, c, first) = (terms.n(), terms.k(), terms.c(), terms.first());
    let title = say("thread-title")
        .with("n", n)
        .with("k", k)
        .with("c", c)
        .with("first", first.name())
        .to_string();
    let header = ThreadHeader {
        subject: format!("rainbow:n={n},k={k},c={c},first={first}"),
        by: "perfect".to_owned(),
        ..ThreadHeader::new("rainbow", "tree")
    };
    let thread = recorder.finish(&header, "", Lang::spoken());
    // The search names colours as new ones and those of other numbers.
    let mut chosen = thread.steps.iter().filter(|s| s.kind == Kind::Choose);
    let answer = chosen.next().and_then(|step| step.data["answer"].as_str());
    let result = match (answer, solved) {
        (Some(answer), _) => answer.to_owned(),
        (None, Some(solved)) => {
            let says = say("thread-solved").with("who", solved.winner.name());
            says.to_string()
        }
        (None, None) => say("thread-unsolved").to_string(),
    };
    let Thread {
        mut header,
        steps,
        mut footer,
        ..
    } = thread;
    header.summary = format!("{title}: {result}.");
    header.title = title;
    footer.result = result;
    let thread = Thread::new(header, steps, footer);
    Some(Block::File(File {
        name: "thread".to_owned(),
        file: "proof.thread".to_owned(),
        title: say("file-thread"),
        mime: "application/jsonl".to_owned(),
        bytes: thread.text().into_bytes(),
    }))
}

/// A solution as people see it.
fn solution_blocks(found: &Solution, room: usize) -> Vec<Block> {
    let nodes = Figure::whole(found.nodes);
    let Some(winner) = found.winner else {
        let says = match found.nodes + found.positions {
            0 => say("not-searched").with("most", Solver::LONGEST),
            _ => keep::unsolved(found.nodes, found.positions as usize, room),
        };
        return vec![Block::Says(says)];
    };
    // Without a search, another verb says why.
    let by = found.by.filter(|_| found.reason != Reason::Solved);
    let says = match (by, &found.best) {
        (None, None) => say("wins"),
        (None, Some(_)) => say("wins-with"),
        (Some(_), None) => say("wins-by"),
        (Some(_), Some(_)) => say("wins-by-with"),
    };
    let says = says
        .with("winner", winner.name())
        .with("nodes", nodes)
        .with("move", found.best.clone().unwrap_or_default())
        .with("by", by.map_or_else(String::new, |by| by.to_string()));
    let mut blocks = vec![Block::Says(says)];
    if let Some(proof) = found.proof {
        let says = say("proof")
            .with("positions", Figure::whole(proof.positions))
            .with("answers", Figure::whole(proof.answers))
            .with("longest", proof.longest);
        blocks.push(Block::Says(says));
    }
    blocks
}
