//! `learn describe`: what is in a file.

use wits_desk::{Answer, Block, Cell, Cost, Param, Served, Table, Verb};
use wits_game::Figure;

use super::{call, data, head, heads, long, notes};
use crate::describe::{Description, describe_until};
use crate::words::WORDS;

pub(super) fn verb() -> Verb {
    let mut params = data::params();
    params.push(Param::int("head", 0, 1_000, 5, &WORDS, "param-head"));
    Verb {
        id: "describe",
        about: WORDS.say("verb-describe"),
        params,
        examples: &[
            "wits learn describe glass",
            "wits learn describe rows.csv --target species",
        ],
        served: Served::Everywhere,
        cost: Cost::READING,
        run: |args, shelf, work| {
            let (table, rows) = data::load(args, shelf, work)?;
            let head_rows = args.int("head") as usize;
            let found = long(work, |control| {
                describe_until(&table, &rows, head_rows, control.stop)
            })?;
            let mut answer = Answer::of(&found);
            answer.blocks = description_blocks(&found);
            let next = [(
                "cv",
                "next-cv",
                [("pipeline", "mean + standard + random-forest:trees=100")],
            )];
            let calls = next.map(|(verb, says, own)| call(args, verb, head(says), &own));
            Ok(answer.with(Block::Next(calls.into())))
        },
    }
}

/// A description as people see it.
pub fn description_blocks(found: &Description) -> Vec<Block> {
    let shape = WORDS
        .say("shape")
        .with("rows", Figure::whole(found.rows))
        .with("columns", Figure::whole(found.columns.len()))
        .with("target", &found.target);
    let mut blocks = vec![Block::Says(shape)];
    blocks.push(Block::Table(columns(found)));
    let mut classes = Table::new("classes", head("title-classes"), heads(&["class", "rows"]));
    for class in &found.classes {
        classes = classes.row(vec![Cell::text(&class.class), Cell::whole(class.rows)]);
    }
    blocks.push(Block::Table(classes));
    let names = found.columns.iter();
    let mut first = Table::new("head", head("title-head"), Vec::new());
    first.columns = names.map(|c| wits_game::Message::plain(&c.name)).collect();
    first.folded = true;
    for row in &found.head {
        first = first.row(row.iter().map(Cell::text).collect());
    }
    blocks.push(Block::Table(first));
    blocks.extend(notes(&found.warnings));
    blocks
}

fn columns(found: &Description) -> Table {
    let mut table = Table::new(
        "columns",
        head("title-columns"),
        heads(&[
            "column", "type", "role", "gaps", "distinct", "mean", "sd", "min", "q25", "median",
            "q75", "max",
        ]),
    );
    for column in &found.columns {
        let kind = match column.kind {
            "integer" => "type-integer",
            "text" => "type-text",
            _ => "type-number",
        };
        let role = match column.role {
            "target" => "role-target",
            "left out" => "role-left-out",
            _ => "role-feature",
        };
        let mut row = vec![
            Cell::text(&column.name),
            Cell::Says(head(kind)),
            Cell::Says(head(role)),
            Cell::whole(column.missing),
            Cell::whole(column.distinct),
        ];
        match &column.numbers {
            Some(n) => row.extend(
                [n.mean, n.sd, n.min, n.q25, n.median, n.q75, n.max].map(|x| Cell::decimal(x, 4)),
            ),
            None => row.extend(std::iter::repeat_n(Cell::Empty, 7)),
        }
        table = table.row(row);
    }
    table
}
