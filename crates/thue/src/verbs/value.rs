//! `thue value`: the exact value of the insertion game.

use wits_desk::{Answer, Cost, Param, Refusal, Served, Shelf, Verb, Work};
use wits_game::Figure;
use wits_search::{Budget, Limits};

use super::{
    conventions, keeping, memory_param, refusal, say, symbols_param, table_bytes, text_file,
    variant, variant_param,
};
use crate::WORDS;
use crate::solve::{Certificate, MOST_SYMBOLS, Solver, Value};

pub(super) fn verb() -> Verb {
    Verb {
        id: "value",
        about: say("verb-value"),
        params: vec![
            variant_param("variant"),
            symbols_param(MOST_SYMBOLS).required(),
            Param::int("depth", 1, 30, 30, &WORDS, "param-depth").shown_as("D"),
            memory_param(),
            Param::output("certificate", &WORDS, "param-certificate"),
            Param::kept("keep", &WORDS, "param-keep"),
        ],
        examples: &[
            "wits thue value --variant square --symbols 4 --certificate four.cert",
            "wits thue value --symbols 5 --depth 16",
            "wits thue value --symbols 5 --time 86400 --keep five.search",
        ],
        served: Served::Everywhere,
        cost: Cost::LONG,
        run: |args, shelf, work| {
            let symbols = args.int("symbols") as usize;
            let bytes = table_bytes(args, work);
            let mut solver = Solver::new(variant(args, "variant"), symbols, bytes)
                .map_err(|error| refusal(error, "exact-hint"))?;
            let found = search(
                &mut solver,
                args.int("depth") as u32,
                args.text_if("keep"),
                shelf,
                work,
            )?;
            let mut answer = Answer::of(&found);
            answer.data["seconds"] = work.seconds().into();
            let says = match found.builder_picks {
                Some(picks) => say("value")
                    .with("picks", picks)
                    .with("paints", picks - 1)
                    .with("length", picks + 1),
                None => say("value-open").with("picks", found.refuted_depth),
            };
            let seen = say("positions").with("count", Figure::whole(found.positions));
            answer = answer.say(says).say(seen).with(conventions());
            if args.given("certificate") {
                // What was found is written even where the time is over, but nobody waits after a stop.
                let unhurried = Budget::with_stop(Limits::NONE, work.budget().flag());
                if let Some(whole) = Certificate::build(&solver, &found, &unhurried) {
                    let (name, file) = ("certificate".to_owned(), format!("thue-{symbols}.cert"));
                    let text = whole.to_string();
                    answer = answer.with(text_file(name, file, say("certificate"), text));
                }
            }
            Ok(answer)
        },
    }
}

/// Searches as deep as asked.
fn search(
    solver: &mut Solver,
    depth: u32,
    keep: Option<&str>,
    shelf: &Shelf,
    work: &mut Work<'_>,
) -> Result<Value, Refusal> {
    let threads = work.threads();
    keeping(solver, keep, shelf, work, |solver, budget| {
        let found = solver.value(depth, threads, budget, |_, _| {})?;
        Ok((found, found.proved || found.refuted_depth >= depth))
    })
}
