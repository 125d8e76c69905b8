//! `thue dead`: how often nothing fits into a gap, over all words of each length.

use serde_json::json;
use wits_desk::{Answer, Block, Cell, Cost, Param, Served, Table, Verb};
use wits_game::Figure;

use super::{heads, say, stopped, symbols_param, variant, variant_param};
use crate::WORDS;
use crate::words::dead::{MOST_SYMBOLS, dead_gaps};

pub(super) fn verb() -> Verb {
    Verb {
        id: "dead",
        about: say("verb-dead"),
        params: vec![
            symbols_param(MOST_SYMBOLS),
            variant_param("variant"),
            Param::int("length", 1, 60, 12, &WORDS, "param-up-to-length"),
        ],
        examples: &["wits thue dead --symbols 4 --length 12"],
        served: Served::Everywhere,
        cost: Cost::QUICK,
        run: |args, _, work| {
            let (symbols, most) = (args.int("symbols") as usize, args.int("length") as usize);
            let kind = variant(args, "variant");
            let rows = dead_gaps(kind, symbols, most, work.budget());
            let Some(last) = rows.last() else {
                return Err(stopped());
            };
            let keys = [
                "length",
                "words-of-length",
                "with-dead",
                "gaps-dead-share",
                "most-dead",
            ];
            let mut table = Table::new("dead", say("dead-table"), heads(&keys));
            for row in &rows {
                let share = |share: Option<f64>| share.map_or(Cell::text("-"), Cell::share);
                table = table.row(vec![
                    Cell::whole(row.length),
                    Cell::whole(row.words),
                    share(row.share_of_words()),
                    share(row.share_of_gaps()),
                    Cell::whole(row.most),
                ]);
            }
            let data = json!({
                "symbols": symbols, "variant": kind, "rows": rows, "seconds": work.seconds(),
            });
            let mut answer = Answer::yes(data).with(Block::Table(table));
            if last.length < most {
                let says = say("dead-stopped").with("length", Figure::whole(last.length + 1));
                answer = answer.say(says);
            }
            Ok(answer)
        },
    }
}
