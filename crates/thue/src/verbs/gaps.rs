//! `thue gaps`: which symbols fit into each gap of a word.

use wits_desk::{Answer, Block, Call, Cell, Cost, Served, Table, Verb};
use wits_game::Figure;

use super::{
    conventions, heads, refusal, say, symbols_param, variant, variant_param, word, word_param,
};
use crate::Word;
use crate::report::{Gaps, gaps};

pub(super) fn verb() -> Verb {
    Verb {
        id: "gaps",
        about: say("verb-gaps"),
        params: vec![
            word_param(),
            symbols_param(Word::MOST_SYMBOLS).required(),
            variant_param("variant"),
        ],
        examples: &["wits thue gaps acbc --symbols 3"],
        served: Served::Everywhere,
        cost: Cost::QUICK,
        run: |args, _, _| {
            let (word, symbols) = (word(args)?, args.int("symbols") as usize);
            let inside = word.within(symbols);
            inside.map_err(|error| refusal(error, "more-symbols-hint"))?;
            let found = gaps(&word, symbols, variant(args, "variant"));
            let found = found.map_err(|error| refusal(error, "no-repetition-hint"))?;
            let mut answer = Answer::of(&found);
            let longer = |gap: usize, symbol: u8| {
                let args = [
                    ("word", word.with(gap, symbol).to_string()),
                    ("symbols", symbols.to_string()),
                    ("variant", found.variant.to_string()),
                ];
                Call {
                    says: say("next-gaps"),
                    room: "thue".to_owned(),
                    verb: "gaps".to_owned(),
                    args: args.map(|(name, value)| (name.to_owned(), value)).into(),
                }
            };
            let keys = ["gap", "fits", "symbols"];
            let mut table = Table::new("gaps", say("gaps"), heads(&keys));
            for (gap, symbols) in found.symbols.iter().enumerate() {
                let shown: Vec<String> = symbols.iter().map(ToString::to_string).collect();
                let fitting = match symbols.as_slice() {
                    [] => Cell::Says(say("dead")),
                    [first, ..] => {
                        let shown = Cell::text(shown.join(" "));
                        Cell::Link(Box::new(shown), longer(gap, *first))
                    }
                };
                table = table.row(vec![Cell::whole(gap), Cell::whole(symbols.len()), fitting]);
            }
            answer.blocks = gaps_blocks(&found);
            Ok(answer.with(Block::Table(table)).with(conventions()))
        },
    }
}

/// How much fits in all, and where nothing does.
pub fn gaps_blocks(found: &Gaps) -> Vec<Block> {
    let total = say("gaps-total")
        .with("total", Figure::whole(found.total))
        .with("gaps", Figure::whole(found.fits.len()));
    let dead: Vec<String> = found.dead.iter().map(ToString::to_string).collect();
    let dead = match dead.as_slice() {
        [] => say("gaps-no-dead"),
        all => say("gaps-dead")
            .with("count", Figure::whole(all.len()))
            .with("gaps", all.join(", ")),
    };
    vec![Block::Says(total), Block::Says(dead)]
}
