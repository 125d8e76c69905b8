//! `thue overall`: every pair of levels on every alphabet.

use std::io::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde_json::json;
use wits_desk::{Answer, Block, Cell, Cost, Param, Refusal, Served, Shelf, Table, Verb};
use wits_game::Figure;

use super::{conventions, heads, on_threads, refusal, say, symbols_param, variant, variant_param};
use crate::thesis::{Grid, Played};
use crate::{WORDS, Word};

pub(super) fn verb() -> Verb {
    let think = Param::real("think", 0.001, 86_400.0, 1.0, &WORDS, "param-think");
    let symbols = symbols_param(Word::MOST_SYMBOLS);
    Verb {
        id: "overall",
        about: say("verb-overall"),
        params: vec![
            variant_param("variant"),
            Param::int("levels", 0, 16, 6, &WORDS, "param-levels").shown_as("L"),
            Param {
                default: Some("7".to_owned()),
                about: say("param-largest"),
                ..symbols
            },
            think.shown_as("SECONDS"),
            Param::int("max-moves", 1, 1_000_000, 300, &WORDS, "param-longest").shown_as("M"),
            Param::kept("keep", &WORDS, "param-keep-games"),
            Param::seed(&WORDS, "param-seed"),
        ],
        examples: &["wits thue overall --levels 6 --symbols 7 --think 1 --keep overall.jsonl"],
        served: Served::Terminal,
        cost: Cost::LONG,
        run: |args, shelf, work| {
            let grid = Grid {
                variant: variant(args, "variant"),
                levels: args.int("levels") as u32,
                symbols: args.int("symbols") as usize,
                think: Duration::from_secs_f64(args.real("think")),
                max_moves: args.int("max-moves") as usize,
                seed: args.seed(),
            };
            let keep = args.text_if("keep");
            let done = match keep.filter(|name| shelf.has(name)) {
                Some(name) => Grid::read(&shelf.text(name)?)
                    .map_err(|error| refusal(error, "keep-games-hint"))?,
                None => Vec::new(),
            };
            let (all, count) = (grid.cells().len(), AtomicU64::new(done.len() as u64));
            // What is known, and what went wrong while it was kept.
            let known = Mutex::new((done.clone(), None));
            let each = |played: &Played| {
                count.fetch_add(1, Ordering::Relaxed);
                let mut known = known.lock().expect("nobody panics holding it");
                known.0.push(played.clone());
                if let Some(name) = keep
                    && let Err(refusal) = write(shelf, name, &known.0)
                {
                    known.1 = Some(refusal);
                }
            };
            let threads = work.threads();
            let played = work.counting(&count, Some(all as u64), |budget| {
                on_threads(threads, || grid.run(&done, budget, each))
            })?;
            let known = known.into_inner().expect("nobody panics holding it");
            if let Some(refusal) = known.1 {
                return Err(refusal);
            }
            let data = json!({"games": played, "count": played.len(), "of": all, "seed": grid.seed.number(), "seconds": work.seconds()});
            let says = say("overall")
                .with("count", Figure::whole(played.len()))
                .with("of", Figure::whole(all));
            let answer = Answer::yes(data).with(Block::Table(table(&played)));
            Ok(answer.say(says).with(conventions()))
        },
    }
}

/// Keeps finished games, one a line.
fn write(shelf: &Shelf, name: &str, games: &[Played]) -> Result<(), Refusal> {
    shelf.keep(name, &mut |to: &mut dyn Write| {
        games.iter().try_for_each(|game| {
            serde_json::to_writer(&mut *to, game)?;
            to.write_all(b"\n")
        })
    })
}

fn table(played: &[Played]) -> Table {
    let keys = ["symbols", "builder", "painter", "moves", "end"];
    let mut table = Table::new("games", say("games"), heads(&keys));
    for game in played {
        let end = match (game.aborted, game.finished) {
            (true, _) => Cell::Says(say("took-too-long")),
            (_, false) => Cell::Says(say("limit-reached")),
            _ => Cell::Empty,
        };
        table = table.row(vec![
            Cell::whole(game.cell.symbols),
            Cell::whole(game.cell.builder),
            Cell::whole(game.cell.painter),
            Cell::whole(game.moves),
            end,
        ]);
    }
    table
}
