//! The transit room in a terminal: what a question lacks is asked for, and the searches are measured.

pub(crate) mod bench;

use std::io::stdin;
use std::sync::Arc;

use anyhow::Result;
use wits_desk::{Args, Progress, Refusal, Shelf, Value, Work};
use wits_search::{Budget, Limits};
use wits_transit::verbs::{feed_params, place, planner, word};
use wits_transit::{Objective, Time};

use crate::desk::Pairs;
use crate::out::Out;
use crate::problem::Problem;
use crate::{input, stop};

/// Asks for what `wits transit route` lacks, be it answered by a person or by a file. What cannot be
/// understood is said and asked again. The shelf holds the timetable, so that it is read once.
pub(super) fn prompt(
    pairs: &mut Pairs,
    shelf: &dyn Fn(&Args) -> Shelf,
    out: &Out,
) -> Result<Shelf> {
    let params = feed_params();
    let known = |name: &str| params.iter().any(|param| param.name == name);
    let of_feed: Pairs = pairs.iter().filter(|p| known(&p.0)).cloned().collect();
    let args = Args::read("transit route", &of_feed, &params)?;
    let mut shelf = shelf(&args);
    let mut quiet = |_: Progress| {};
    let budget = Budget::with_stop(Limits::default(), stop::flag());
    let planner = planner(&args, &shelf, &Work::new(budget, &mut quiet))?;
    let given = |pairs: &Pairs, name: &str| pairs.iter().any(|(key, _)| key == name);
    let alone = given(pairs, "from") && given(pairs, "to");
    let mut ask = |name: &str, what: &str, read: &dyn Fn(&str) -> Result<(), Refusal>| {
        if given(pairs, name) {
            return Ok(());
        }
        let text = asked(what, name, out, read)?;
        pairs.push((name.to_owned(), Value::Text(text)));
        anyhow::Ok(())
    };
    let stop = |text: &str| place(&planner, text).map(drop);
    // Several stops make a tour, as in the report's prompts.
    let stops = |text: &str| text.split(';').try_for_each(stop);
    ask("from", "the first stop", &stop)?;
    ask("to", "the last stop", &stops)?;
    if !alone && !out.json {
        let what = "what is best: time (t), transfers (p) or distance (d)";
        ask("by", what, &|text| word::<Objective>(text).map(drop))?;
    }
    ask("at", "the time (HH:MM)", &|text| {
        word::<Time>(text).map(drop)
    })?;
    shelf.put_made("feed", Arc::clone(&planner));
    Ok(shelf)
}

fn asked(
    what: &str,
    name: &str,
    out: &Out,
    read: &dyn Fn(&str) -> Result<(), Refusal>,
) -> Result<String> {
    let missing = || {
        let hint = format!("give `{name}`; without `--json` it is asked for");
        Problem::new("missing", format!("{what} is missing"), hint)
    };
    loop {
        if out.json {
            return Err(missing().into());
        }
        out.prompt(&format!("{what}: "))?;
        let line = input::line(&mut stdin().lock())?.ok_or_else(missing)?;
        match read(line.trim()) {
            Ok(()) => return Ok(line.trim().to_owned()),
            Err(error) => out.say(format!("{error}\n"))?,
        }
    }
}
