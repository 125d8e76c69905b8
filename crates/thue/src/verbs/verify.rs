//! `thue verify`: a certificate, or a proof in pieces, checked by code that shares nothing with the
//! search.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::json;
use wits_desk::{
    Answer, Args, Block, Cell, Cost, Param, Refusal, Served, Shelf, Table, Verb, Verdict, Work,
};
use wits_game::Figure;

use super::{heads, memory_param, on_threads, refusal, say, table_bytes};
use crate::WORDS;
use crate::solve::{Certificate, Piece, PieceVerdict, Proof, check_piece, complete, verify};

pub(super) fn verb() -> Verb {
    let file = Param::file("file", &WORDS, "param-proof").positional();
    Verb {
        id: "verify",
        about: say("verb-verify"),
        params: vec![
            Param {
                usage: wits_desk::Usage {
                    many: true,
                    ..file.usage
                },
                ..file
            }
            .folder()
            .shown_as("FILE"),
            Param::int("again", 0, 41, 9, &WORDS, "param-again").shown_as("D"),
            memory_param(),
        ],
        examples: &[
            "wits thue verify four.cert",
            "wits thue verify five-13",
            "wits thue verify five-13/piece-002.txt",
        ],
        served: Served::Everywhere,
        cost: Cost::LONG,
        run: |args, shelf, work| {
            let names = args.list("file");
            let single = match names.as_slice() {
                [name] if shelf.has(name) => Some(shelf.text(name)?),
                _ => None,
            };
            match single {
                Some(text) if !Piece::is_one(&text) => certificate(&text, args),
                _ => pieces(&names, args, shelf, work),
            }
        },
    }
}

fn certificate(text: &str, args: &Args) -> Result<Answer, Refusal> {
    let read = Certificate::read(text).map_err(|error| refusal(error, "certificate-hint"))?;
    let verdict = verify(&read, args.int("again") as u32);
    let says = match (&verdict.why, verdict.picks) {
        (Some(why), _) => say("not-valid").with("why", why),
        (None, Some(picks)) => say("valid").with("picks", picks),
        (None, None) => say("valid-no-win"),
    };
    let says = says
        .with("positions", Figure::whole(verdict.positions))
        .with("refuted", verdict.refuted);
    let mut answer = Answer::of(&verdict).say(says);
    if !verdict.valid {
        answer.verdict = Verdict::No;
    }
    Ok(answer)
}

/// All pieces that lie together; those that are named are checked, all of them where none is.
fn pieces(
    names: &[String],
    args: &Args,
    shelf: &Shelf,
    work: &mut Work<'_>,
) -> Result<Answer, Refusal> {
    // What lies beside the pieces may be anything.
    let texts = shelf.names().filter_map(|name| {
        let text = shelf.text(name).ok()?;
        Piece::is_one(&text).then_some((name, text))
    });
    let texts: Vec<_> = texts.collect();
    let threads = work.threads();
    let no_threads = || Refusal::new("threads", say("no-threads"), say("no-threads-hint"));
    let read = crate::each_on(threads, &texts, |(_, text)| Piece::read(text));
    let (mut all, mut chosen) = (Vec::new(), BTreeSet::new());
    for ((name, _), piece) in texts.iter().zip(read.ok_or_else(no_threads)?) {
        let name = *name;
        let piece = piece.map_err(|error| {
            let why = say("in-file")
                .with("file", name)
                .with("why", error.to_string());
            Refusal::new("thue", why, say("piece-hint"))
        })?;
        if names.iter().any(|one| one == name) {
            chosen.insert(piece.number.0);
        }
        all.push(piece);
    }
    if all.is_empty()
        && let Some(name) = names.iter().find(|name| !shelf.has(name))
    {
        shelf.open(name)?;
    }
    complete(&all).map_err(|why| refusal(why, "pieces-hint"))?;
    let picked = |piece: &&Piece| chosen.is_empty() || chosen.contains(&piece.number.0);
    let picked: Vec<&Piece> = all.iter().filter(picked).collect();
    let bytes = room(&picked).min(table_bytes(args, work));
    let proof = on_threads(threads, || Proof::new(&all, bytes))?;
    let (done, total) = (AtomicU64::new(0), picked.len() as u64);
    let verdicts = work.counting(&done, Some(total), |budget| {
        crate::each_on(threads, &picked, |piece| {
            let verdict = check_piece(piece, &proof, budget);
            done.fetch_add(1, Ordering::Relaxed);
            verdict
        })
    });
    let verdicts = verdicts.ok_or_else(no_threads)?;
    let valid = verdicts.iter().all(|verdict| verdict.valid == Some(true));
    let first = picked[0];
    let mut answer = Answer::yes(json!({
        "valid": valid, "variant": first.variant, "symbols": first.symbols, "refuted": first.depth,
        "checked": verdicts.len(), "of": all.len(), "pieces": verdicts, "seconds": work.seconds(),
    }));
    if !valid {
        answer.verdict = Verdict::No;
    }
    let says = match (valid, verdicts.len() == all.len()) {
        (true, true) => say("proved").with("picks", first.depth),
        (true, false) => say("not-all-checked"),
        (false, _) => say("not-proved"),
    };
    Ok(answer.with(Block::Table(table(&verdicts))).say(says))
}

/// About as many bytes as the searches of these pieces fill: a search grows four times with each pick.
fn room(pieces: &[&Piece]) -> usize {
    let searched = |piece: &&Piece| piece.words.values().filter(|a| a.is_none()).count();
    let words: usize = pieces.iter().map(searched).sum();
    let each = pieces[0].leaf.saturating_sub(2).min(16);
    words.saturating_mul(64 << (2 * each))
}

fn table(verdicts: &[PieceVerdict]) -> Table {
    let keys = ["piece", "verdict", "answered", "searched", "positions-head"];
    let mut table = Table::new("pieces", say("pieces"), heads(&keys));
    for verdict in verdicts {
        let says = match verdict.valid {
            Some(true) => say("holds"),
            Some(false) => say("is-wrong").with("why", verdict.why.clone().unwrap_or_default()),
            None => say("unfinished"),
        };
        table = table.row(vec![
            Cell::text(format!("{}/{}", verdict.piece.0, verdict.piece.1)),
            Cell::Says(says),
            Cell::whole(verdict.answered),
            Cell::whole(verdict.searched),
            Cell::whole(verdict.positions),
        ]);
    }
    table
}
