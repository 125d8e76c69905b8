//! `matchbox chance`: how likely a machine wins its next game, as fractions.

use serde_json::json;
use wits_desk::{Answer, Args, Block, Cell, Cost, Param, Refusal, Run, Served, Shelf, Table, Verb};

use super::{Find, chart, fresh, heads, kept, kind_params, say};
use crate::WORDS;
use crate::chance::chances;
use crate::exact::Rival;
use crate::ratio::Ratio;

const RIVALS: [(&str, Rival); 3] = [
    ("random", Rival::Random),
    ("perfect", Rival::Perfect),
    ("punishing", Rival::Punishing),
];

/// A fraction of more characters than this is told as a decimal alone; programs get it whole.
const LONGEST: usize = 60;

pub(super) fn verb(run: Run) -> Verb {
    let names = RIVALS.map(|(name, _)| name);
    let mut params = kind_params();
    params.extend([
        Param::file("file", &WORDS, "param-file-of-kind").shown_as("FILE"),
        Param::choice("opponent", &names, names[0], &WORDS, "param-only-opponent")
            .optional()
            .shown_as("O"),
    ]);
    Verb {
        id: "chance",
        about: say("verb-chance"),
        params,
        examples: &[
            "wits matchbox chance --machine her --opponent punishing",
            "wits matchbox chance --game nim --side 1",
            "wits matchbox chance --file her.json",
        ],
        served: Served::Everywhere,
        cost: Cost::QUICK,
        run,
    }
}

/// The chances of a machine's next game against each opponent.
///
/// # Errors
/// A machine that cannot be read or built.
pub fn chance(args: &Args, shelf: &Shelf, find: Find) -> Result<Answer, Refusal> {
    let machine = match args.text_if("file") {
        Some(name) => kept(name, shelf, find)?,
        None => fresh(args, find)?,
    };
    let chart = chart(&machine)?;
    let only = args.text_if("opponent");
    let title = say("chances").with("machine", machine.name());
    let keys = ["opponent", "game-ends", "exactly", "about"];
    let mut table = Table::new("chances", title, heads(&keys));
    let mut rows = Vec::new();
    for (name, rival) in RIVALS {
        if only.is_some_and(|only| only != name) {
            continue;
        }
        let found = chances(&chart, &machine, rival);
        for (end, ratio) in [
            ("ends-won", &found.win),
            ("ends-drawn", &found.draw),
            ("ends-lost", &found.loss),
        ] {
            table = table.row(vec![
                Cell::text(name),
                Cell::Says(say(end)),
                Cell::text(fraction(ratio)),
                Cell::decimal(ratio.approximate(), 4),
            ]);
        }
        rows.push(found);
    }
    let cabinet = machine.cabinet();
    let data = json!({
        "machine": machine.name(), "game": cabinet.game(), "seat": cabinet.seat(), "chances": rows,
    });
    Ok(Answer::yes(data).with(Block::Table(table)))
}

fn fraction(ratio: &Ratio) -> String {
    let text = ratio.to_string();
    if text.len() > LONGEST {
        "…".to_owned()
    } else {
        text
    }
}
