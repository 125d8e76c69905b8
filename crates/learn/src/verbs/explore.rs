//! `learn explore`: features and classes together, in numbers and in drawings.

use std::path::Path;

use serde_json::json;
use wits_desk::{Answer, Block, Cell, Cost, Param, Served, Table, Verb};
use wits_game::{Figure, Message};

use super::{data, drawing, drawings_param, head, heads, long};
use crate::describe::{Exploration, explore_until};
use crate::draw::{first_look_until, named_pair};
use crate::words::WORDS;

pub(super) fn verb() -> Verb {
    let mut params = data::params();
    params.push(drawings_param("param-out-drawings"));
    params.push(Param::text("pair", &WORDS, "param-pair").shown_as("A,B"));
    Verb {
        id: "explore",
        about: WORDS.say("verb-explore"),
        params,
        examples: &[
            "wits learn explore glass",
            "wits learn explore glass --out drawings",
        ],
        served: Served::Everywhere,
        cost: Cost::READING,
        run: |args, shelf, work| {
            let rows = data::rows(args, shelf, work)?;
            let found = long(work, |control| explore_until(&rows, control.stop))?;
            let mut answer = Answer::of(&found);
            answer.data["files"] = json!([]);
            answer.blocks = exploration_blocks(&found);
            if args.given("out") {
                let pair = args.text_if("pair");
                let pair = pair.map(|text| named_pair(&rows, text));
                let folder = Path::new(args.text("out"));
                let mut files = Vec::new();
                let drawings = long(work, |control| first_look_until(&rows, pair, control.stop))?;
                for drawn in drawings {
                    let path = folder.join(format!("{}.svg", drawn.name));
                    files.push(path.display().to_string());
                    let title = Message::plain(drawn.title);
                    answer = answer.with(drawing(&drawn.name, title, drawn.svg));
                }
                answer.data["files"] = json!(files);
            }
            Ok(answer)
        },
    }
}

/// What features have to do with the class, as people see it: the most telling first.
pub fn exploration_blocks(found: &Exploration) -> Vec<Block> {
    let keys = ["feature", "f", "p", "outliers"];
    let mut table = Table::new("features", head("title-features"), heads(&keys));
    let mut order: Vec<usize> = (0..found.features.len()).collect();
    let f = |at: usize| found.anova[at].map_or(0.0, |[f, _]| f);
    order.sort_by(|&a, &b| f(b).total_cmp(&f(a)));
    for &at in &order {
        let (f, p) = match found.anova[at] {
            Some([f, p]) => (Cell::decimal(f, 3), Cell::Figure(Figure::Scientific(p, 2))),
            None => (Cell::Says(head("constant")), Cell::Empty),
        };
        let outliers = Cell::whole(found.outliers[at]);
        table = table.row(vec![Cell::text(&found.features[at]), f, p, outliers]);
    }
    let mut blocks = Vec::new();
    if let Some(&best) = order.first() {
        let says = WORDS.say("best-feature");
        let says = says.with("feature", &found.features[best]);
        blocks.push(Block::Says(says.with("f", Figure::Decimal(f(best), 1))));
    }
    if let Some((a, b, r)) = &found.closest_pair {
        let says = WORDS.say("closest-pair").with("a", a).with("b", b);
        blocks.push(Block::Says(says.with("r", Figure::Decimal(*r, 3))));
    }
    blocks.push(Block::Table(table));
    blocks.push(Block::Table(correlations(found)));
    blocks
}

fn correlations(found: &Exploration) -> Table {
    let mut table = Table::new(
        "correlation",
        head("title-correlation"),
        heads(&["feature"]),
    );
    table
        .columns
        .extend(found.features.iter().map(Message::plain));
    table.folded = true;
    for (feature, line) in found.features.iter().zip(&found.correlations) {
        let mut row = vec![Cell::text(feature)];
        row.extend(
            line.iter()
                .map(|r| r.map_or(Cell::Empty, |r| Cell::decimal(r, 2))),
        );
        table = table.row(row);
    }
    table
}
