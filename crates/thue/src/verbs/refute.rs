//! `thue refute`: that so many picks are not enough, as a proof in pieces.

use serde_json::json;
use wits_desk::{Answer, Cost, Param, Served, Verb, Verdict};
use wits_game::Figure;

use super::{
    keeping, memory_param, on_threads, refusal, say, symbols_param, table_bytes, text_file,
    variant, variant_param,
};
use crate::WORDS;
use crate::solve::{Depth, MOST_SYMBOLS, Piece, Solver, refutation};

pub(super) fn verb() -> Verb {
    Verb {
        id: "refute",
        about: say("verb-refute"),
        params: vec![
            variant_param("variant"),
            symbols_param(MOST_SYMBOLS).required(),
            Param::int("depth", 1, 30, 13, &WORDS, "param-refute-depth")
                .required()
                .shown_as("D"),
            Param::output("folder", &WORDS, "param-folder")
                .folder()
                .required()
                .shown_as("DIR"),
            Param::int("pieces", 1, 999, 4, &WORDS, "param-pieces"),
            Param::int("leaf", 1, 30, 5, &WORDS, "param-leaf").shown_as("L"),
            memory_param(),
            Param::kept("keep", &WORDS, "param-keep"),
        ],
        examples: &[
            "wits thue refute --symbols 5 --depth 13 --folder five-13 && wits thue verify five-13",
            "wits thue refute --symbols 5 --depth 20 --leaf 7 --pieces 64 --folder five-20 --threads 16 --memory 4096 --time 540 --keep five-20.search",
        ],
        served: Served::Terminal,
        cost: Cost::LONG,
        run: |args, shelf, work| {
            let (variant, symbols) = (variant(args, "variant"), args.int("symbols") as usize);
            let (depth, leaf) = (args.int("depth") as u32, args.int("leaf") as u32);
            let (threads, bytes) = (work.threads(), table_bytes(args, work));
            let mut solver = Solver::new(variant, symbols, bytes)
                .map_err(|error| refusal(error, "exact-hint"))?;
            let keep = args.text_if("keep");
            let found = keeping(&mut solver, keep, shelf, work, |solver, budget| {
                let found = solver.refute(depth, threads, budget)?;
                Ok((found, found != Depth::Unknown))
            })?;
            let searched = work.seconds();
            let (budget, parts) = (work.budget().clone(), args.int("pieces") as usize);
            let pieces: Option<Vec<Piece>> = match found {
                Depth::Refuted => {
                    on_threads(threads, || refutation(&solver, depth, leaf, parts, &budget))?
                }
                _ => None,
            };
            let pieces = pieces.unwrap_or_default();
            let folder = args.text("folder").trim_end_matches('/');
            let name = |piece: &Piece| format!("piece-{:03}.txt", piece.number.0);
            let files: Vec<String> = pieces
                .iter()
                .map(|p| format!("{folder}/{}", name(p)))
                .collect();
            let count = |answered: bool| {
                let words = pieces.iter().flat_map(|piece| piece.words.values());
                words
                    .filter(|answers| answers.is_some() == answered)
                    .count()
            };
            let (outcome, key) = match found {
                Depth::Won => ("won", "refute-won"),
                Depth::Unknown => ("unknown", "refute-unknown"),
                Depth::Refuted if pieces.is_empty() => ("refuted", "refute-unwritten"),
                Depth::Refuted => ("refuted", "refuted"),
            };
            let says = say(key)
                .with("picks", depth)
                .with("positions", Figure::whole(solver.positions()))
                .with("answered", Figure::whole(count(true)))
                .with("searched", Figure::whole(count(false)))
                .with("pieces", pieces.len())
                .with("folder", folder);
            let mut answer = Answer::yes(json!({
                "variant": variant, "symbols": symbols, "depth": depth, "outcome": outcome,
                "positions": solver.positions(), "answered": count(true), "to_search": count(false),
                "files": files, "search_seconds": searched, "seconds": work.seconds(),
            }))
            .say(says);
            if pieces.is_empty() {
                answer.verdict = Verdict::No;
            }
            for piece in &pieces {
                let file = name(piece);
                let block = format!("folder/{file}");
                answer = answer.with(text_file(block, file, say("piece"), piece.text()));
            }
            Ok(answer)
        },
    }
}
