//! `wits scrabble lexicon`: build, info, check, search, sizes, export, rebuild.

mod args;
mod intake;
mod rebuild;

use std::fmt::Write;
use std::path::Path;

use anyhow::Result;
use serde_json::{Map, Value, json};
use wits_scrabble::lexicon::{
    Compact, Found, Pattern, SHIPPED, Shipped, Size, Thesis, Use, anagrams, beginning, kwg, sizes,
};
use wits_scrabble::{Lexicon, TileSet};

use self::args::{BuildArgs, CheckArgs, ExportArgs, Format, InfoArgs, SearchArgs, SizesArgs};
use self::intake::{Source, drops_json, drops_text};
use super::library;
use crate::Answer;
use crate::out::{Out, Progress};
use crate::problem::Problem;
use crate::shelf::write_whole;

pub(crate) use self::args::Verb;

/// Does what a verb asks.
pub(crate) fn run(verb: Verb, out: &Out) -> Result<Answer> {
    match verb {
        Verb::Build(args) => build(&args, out),
        Verb::Info(args) => info(&args, out),
        Verb::Check(args) => check(&args, out),
        Verb::Search(args) => search(&args, out),
        Verb::Sizes(args) => measure(&args, out),
        Verb::Export(args) => export(&args, out),
        Verb::Rebuild(args) => rebuild::run(&args, out),
    }
}

fn build(args: &BuildArgs, out: &Out) -> Result<Answer> {
    let source = Source::new(&args.source)?;
    let (lexicon, report) = source.lexicon(&args.name(), args.source.forms()?)?;
    let compact = Compact::new(&lexicon, &args.note);
    write_whole(&args.out, compact.bytes())?;
    let file = args.out.display().to_string();
    let value = json!({
        "name": lexicon.name(), "tiles": lexicon.tiles().name(), "words": lexicon.len(),
        "bytes": compact.bytes().len(), "file": file, "offered": report.offered,
        "unaccented": report.unaccented, "dropped": drops_json(&report),
    });
    out.tell(&value, || {
        format!(
            "{} words of {} offered, {} bytes in `{file}`\n{}",
            lexicon.len(),
            report.offered,
            compact.bytes().len(),
            drops_text(&report)
        )
    })?;
    Ok(Answer::Yes)
}

fn info(args: &InfoArgs, out: &Out) -> Result<Answer> {
    let Some(name) = &args.name else {
        return list(out);
    };
    let (compact, tiles) = library::open(name, args.tiles.as_deref())?;
    let lexicon = compact.lexicon(&tiles)?;
    let mut by_length = [0u64; 16];
    for word in lexicon.words() {
        by_length[word.len().min(15)] += 1;
    }
    let lengths: Map<String, Value> = (1..=15)
        .filter(|&n| by_length[n] > 0)
        .map(|n| (n.to_string(), json!(by_length[n])))
        .collect();
    let dawg = lexicon.dawg();
    let hash = format!("{:016x}", lexicon.hash());
    let value = json!({
        "name": lexicon.name(), "words": lexicon.len(), "bytes": compact.bytes().len(),
        "letters": tiles.len(), "tiles": tiles.name(), "memory": compact.memory(), "hash": hash,
        "nodes": dawg.node_count(), "edges": dawg.edge_count(), "by_length": lengths,
        "note": compact.note(),
    });
    out.tell(&value, || {
        let mut text = format!(
            "{}: {} words over the tile set `{}` ({} letters)\n{} bytes, {} in memory while it is asked; the smallest automaton has {} nodes and {} edges\nhash {hash}\n",
            out.bold(lexicon.name()),
            lexicon.len(),
            tiles.name(),
            tiles.len(),
            compact.bytes().len(),
            compact.memory(),
            dawg.node_count(),
            dawg.edge_count(),
        );
        if !compact.note().is_empty() {
            let _ = writeln!(text, "{}", compact.note());
        }
        text.push_str("letters   words\n");
        for (length, count) in by_length.iter().enumerate().filter(|(_, c)| **c > 0) {
            let _ = writeln!(text, "{length:7} {count:7}");
        }
        text
    })?;
    Ok(Answer::Yes)
}

/// What lexicons there are.
fn list(out: &Out) -> Result<Answer> {
    let place = |shipped: &Shipped| match shipped.bytes {
        Some(_) => Some("in the program".to_owned()),
        None => library::find(shipped).map(|path| path.display().to_string()),
    };
    let rows: Vec<Value> = SHIPPED
        .iter()
        .map(|s| json!({"name": s.name, "about": s.about, "licence": s.licence, "at": place(s)}))
        .collect();
    out.tell(&json!({ "lexicons": rows }), || {
        let mut text = String::new();
        for shipped in &SHIPPED {
            let at = place(shipped).unwrap_or_else(|| "not found".to_owned());
            let _ = writeln!(
                text,
                "{:8} {} [{}]; {}",
                shipped.name,
                shipped.about,
                shipped.licence,
                out.faint(&at)
            );
        }
        text
    })?;
    Ok(Answer::Yes)
}

/// A word, or what is wrong with its letters.
fn read_word(tiles: &TileSet, text: &str) -> Result<Vec<wits_scrabble::Letter>> {
    tiles.read_word(text.trim()).map_err(|e| letters(&e).into())
}

fn letters(error: &wits_scrabble::tiles::BadText) -> Problem {
    let hint = "write the word with these letters, or use the lexicon of its language";
    Problem::new("letters", error.to_string(), hint)
}

fn check(args: &CheckArgs, out: &Out) -> Result<Answer> {
    let lexicon = library::lexicon(&args.name, args.tiles.as_deref())?;
    let tiles = lexicon.tiles();
    let mut found = Map::new();
    for text in &args.words {
        let word = read_word(tiles, text)?;
        found.insert(tiles.write_word(&word), json!(lexicon.contains(&word)));
    }
    let all = found.values().all(|good| *good == json!(true));
    out.tell(&json!({ "words": found }), || {
        let line = |(word, good): (&String, &Value)| {
            let said = if *good == json!(true) { "yes" } else { "no" };
            format!("{word} {said}\n")
        };
        found.iter().map(line).collect()
    })?;
    Ok(if all { Answer::Yes } else { Answer::No })
}

fn search(args: &SearchArgs, out: &Out) -> Result<Answer> {
    let (compact, tiles) = library::open(&args.name, args.tiles.as_deref())?;
    let most = args.limit;
    let written = |found: Found<wits_scrabble::Word>| {
        let shown: Vec<String> = found.first.iter().map(|w| tiles.write_word(w)).collect();
        (found.count, shown)
    };
    let (count, shown) = if let Some(text) = &args.prefix {
        written(beginning(&compact, &read_word(&tiles, text)?, most))
    } else if let Some(text) = &args.pattern {
        let pattern = Pattern::read(&tiles, text).map_err(|e| letters(&e))?;
        written(pattern.search(&compact, most))
    } else if let Some(text) = &args.anagram {
        let rack = tiles.read_rack(text).map_err(|e| letters(&e))?;
        let how = if args.some { Use::Some } else { Use::All };
        let found = anagrams(&compact, &rack, how, most);
        let word = |tiles_of: &Vec<wits_scrabble::Tile>| {
            tiles.write_placed(&tiles_of.iter().copied().map(Some).collect::<Vec<_>>())
        };
        (found.count, found.first.iter().map(word).collect())
    } else if let Some(rank) = args.rank {
        let word = compact.word(rank).map(|w| tiles.write_word(&w));
        let shown: Vec<String> = word.into_iter().collect();
        (shown.len(), shown)
    } else {
        let word = read_word(&tiles, args.word.as_deref().unwrap_or_default())?;
        return ranked(&compact, &tiles, &word, out);
    };
    out.tell(&json!({"count": count, "words": shown}), || {
        let mut text = shown.join("\n");
        if count > shown.len() {
            let _ = write!(
                text,
                "\n… the first {} of {count}; see --limit",
                shown.len()
            );
        } else if count == 0 {
            text.push_str("no such word");
        }
        text
    })?;
    Ok(if count > 0 { Answer::Yes } else { Answer::No })
}

/// Whether one word is there, and the how-manieth it is.
fn ranked(
    compact: &Compact,
    tiles: &TileSet,
    word: &[wits_scrabble::Letter],
    out: &Out,
) -> Result<Answer> {
    let rank = compact.rank(word);
    let text = tiles.write_word(word);
    let words: Vec<&String> = rank.iter().map(|_| &text).collect();
    out.tell(
        &json!({"count": words.len(), "words": words, "rank": rank}),
        || match rank {
            Some(rank) => format!("{text} is word {rank} of {}, counted from 0", compact.len()),
            None => format!("{text} is not in `{}`", compact.name()),
        },
    )?;
    Ok(if rank.is_some() {
        Answer::Yes
    } else {
        Answer::No
    })
}

fn measure(args: &SizesArgs, out: &Out) -> Result<Answer> {
    let mut tables: Vec<(String, usize, Vec<Size>)> = Vec::new();
    if let Some(source) = args.source() {
        let source = Source::new(&source)?;
        for forms in args.forms()? {
            let (lexicon, _) = source.lexicon("measured", forms)?;
            let rows = rows(&lexicon, args.gaddag)?;
            tables.push((format!("forms {forms}"), lexicon.len(), rows));
        }
    } else {
        for name in &args.names {
            let lexicon = library::lexicon(name, args.tiles.as_deref())?;
            tables.push((name.clone(), lexicon.len(), rows(&lexicon, args.gaddag)?));
        }
    }
    let value: Vec<Value> = tables
        .iter()
        .map(|(name, words, rows)| json!({"name": name, "words": words, "sizes": rows}))
        .collect();
    out.tell(&json!({ "tables": value }), || {
        let mut text = String::new();
        for (name, words, rows) in &tables {
            let _ = writeln!(text, "{}: {words} words", out.bold(name));
            let _ = writeln!(
                text,
                "{:10} {:>10} {:>14} {:>9}",
                "structure", "nodes", "bytes", "bits/word"
            );
            for row in rows {
                let nodes = row.nodes.map_or_else(String::new, |n| n.to_string());
                let each = row.bytes as f64 * 8.0 / *words as f64;
                let fits = if row.fits { "" } else { " (does not fit)" };
                let _ = writeln!(
                    text,
                    "{:10} {nodes:>10} {:>14} {each:>9.2}  {}{fits}",
                    row.structure, row.bytes, row.about
                );
            }
            for row in rows.iter().filter(|row| !row.note.is_empty()) {
                let _ = writeln!(text, "{}: {}", row.structure, row.note);
            }
            text.push('\n');
        }
        text
    })?;
    Ok(Answer::Yes)
}

fn rows(lexicon: &Lexicon, gaddag: bool) -> Result<Vec<Size>> {
    let too_large = |e| Problem::new("too-large", format!("{e}"), "leave --gaddag out");
    Ok(sizes(lexicon, gaddag).map_err(too_large)?)
}

fn export(args: &ExportArgs, out: &Out) -> Result<Answer> {
    let lexicon = library::lexicon(&args.name, args.tiles.as_deref())?;
    let progress = Progress::start();
    let cannot = |e: String| Problem::new("does-not-fit", e, "nothing was written");
    let bytes = match args.format {
        Format::List => {
            let tiles = lexicon.tiles();
            let lines = lexicon.words().map(|word| tiles.write_word(&word) + "\n");
            lines.collect::<String>().into_bytes()
        }
        Format::Kwg => kwg(&lexicon, true).map_err(|e| cannot(e.to_string()))?,
        Format::KwgDawg => kwg(&lexicon, false).map_err(|e| cannot(e.to_string()))?,
        Format::Thesis => {
            let thesis = Thesis::new(lexicon.dawg()).map_err(|e| cannot(e.to_string()))?;
            thesis.bytes().to_vec()
        }
    };
    progress.done();
    write_whole(&args.out, &bytes)?;
    let file = args.out.display().to_string();
    let value =
        json!({"name": lexicon.name(), "words": lexicon.len(), "bytes": bytes.len(), "file": file});
    out.tell(&value, || {
        format!("{} words, {} bytes in `{file}`", lexicon.len(), bytes.len())
    })?;
    Ok(Answer::Yes)
}

/// A file's bytes, or which file it was.
fn read(path: &Path) -> Result<Vec<u8>> {
    Ok(std::fs::read(path).map_err(|e| Problem::file(path, &e))?)
}
