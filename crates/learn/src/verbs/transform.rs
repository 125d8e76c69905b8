//! `learn transform`: a table as a classifier would see it.

use wits_desk::{Answer, Block, Cell, Cost, Param, Served, Table, Verb};
use wits_game::Message;

use super::{data, head, long, refusal, refusal_in};
use crate::spec::read_steps;
use crate::transformed::transform_until;
use crate::words::WORDS;

pub(super) fn verb() -> Verb {
    let mut params = data::params();
    let with = Param::text("with", &WORDS, "param-with").required();
    params.push(
        with.shown_as("SPEC")
            .offering(&["standard", "standard + pca"]),
    );
    Verb {
        id: "transform",
        about: WORDS.say("verb-transform"),
        params,
        examples: &[
            "wits learn transform glass --with standard",
            "wits learn transform rows.csv --with \"knn:k=1 + standard + pca:components=2\"",
        ],
        served: Served::Everywhere,
        cost: Cost::READING,
        run: |args, shelf, work| {
            let rows = data::rows(args, shelf, work)?;
            let (imputer, chain) = read_steps(args.text("with")).map_err(|e| refusal(&e))?;
            let found = long(work, |control| {
                Ok(transform_until(
                    &rows,
                    imputer.as_ref(),
                    &chain,
                    control.stop,
                ))
            })?;
            let found = found.map_err(|e| refusal_in(args.text("data"), &e))?;
            let columns = found.columns.iter().map(Message::plain).collect();
            let mut table = Table::new("rows", head("title-transformed"), columns).for_programs();
            for row in &found.rows {
                table = table.row(row.iter().map(|x| Cell::decimal(*x, 4)).collect());
            }
            Ok(Answer::of(&found).with(Block::Table(table)))
        },
    }
}
