//! Where lexicons are: in the program, in a file, or apart in a folder of their own.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Result;
use wits_scrabble::lexicon::{Compact, SHIPPED, Shipped, read_kwg};
use wits_scrabble::{Lexicon, TileSet, house};

use crate::data;
use crate::problem::Problem;

/// Opens a lexicon by its name (`english`) or its file (`mine.lex`), with its tile set: the one it names,
/// or the one given for it.
pub(crate) fn open(name: &str, tiles: Option<&str>) -> Result<(Compact, Arc<TileSet>)> {
    let bytes = bytes(name)?;
    let bad = |e: &dyn std::fmt::Display| Problem::new("lexicon", e.to_string(), HINT);
    if house::is_kwg(name) {
        let lexicon = match tiles {
            Some(set) => read_kwg(&bytes, &stem(name), &tile_set(set)?).map_err(|e| bad(&e))?,
            None => house::from_bytes(name, &bytes).map_err(Problem::from)?,
        };
        return Ok((Compact::new(&lexicon, ""), Arc::clone(lexicon.tiles())));
    }
    let compact = Compact::open(&bytes).map_err(|e| bad(&e))?;
    let tiles = tile_set(tiles.unwrap_or(compact.tile_set()))?;
    // Says so where the letters are others.
    compact.lexicon(&tiles).map_err(|e| bad(&e))?;
    Ok((compact, tiles))
}

/// Opens a lexicon for play.
pub(crate) fn lexicon(name: &str, tiles: Option<&str>) -> Result<Arc<Lexicon>> {
    if tiles.is_none()
        && let Some(lexicon) = Lexicon::embedded(name)
    {
        return Ok(lexicon);
    }
    let (compact, tiles) = open(name, tiles)?;
    let bad = |e| Problem::new("lexicon", format!("{e}"), HINT);
    Ok(Arc::new(compact.lexicon(&tiles).map_err(bad)?))
}

/// A file's name without folder and ending.
fn stem(name: &str) -> String {
    let stem = Path::new(name).file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}

const HINT: &str = "`wits scrabble lexicon info` lists the lexicons there are";

/// A tile set by its name or its file.
pub(crate) fn tile_set(name: &str) -> Result<Arc<TileSet>> {
    if let Some(tiles) = TileSet::named(name) {
        return Ok(tiles);
    }
    let path = Path::new(name);
    let names: Vec<&str> = TileSet::shipped().iter().map(|set| set.name()).collect();
    let names = names.join(", ");
    if !path.exists() {
        let message = format!("there is no tile set `{name}`");
        let hint = format!("use {names}, or the name of a file (its format: docs/scrabble.md)");
        return Err(Problem::new("tiles", message, hint).into());
    }
    let text = std::fs::read_to_string(path).map_err(|e| Problem::file(path, &e))?;
    let set = TileSet::parse(&text).map_err(|e| {
        let message = format!("`{name}` is not a tile set: {e}");
        Problem::new(
            "tiles",
            message,
            "the format is described in docs/scrabble.md",
        )
    })?;
    Ok(Arc::new(set))
}

/// The bytes of a lexicon's file.
pub(crate) fn bytes(name: &str) -> Result<Vec<u8>> {
    if let Some(shipped) = Shipped::named(name) {
        if let Some(bytes) = shipped.bytes {
            return Ok(bytes.to_vec());
        }
        let Some(path) = find(shipped) else {
            let message = format!("the lexicon `{name}` stands apart and was not found");
            let hint = format!(
                "take `{0}` from the release and run `wits scrabble lexicon install {name} --from {0}`, or make it with \
                `wits scrabble lexicon rebuild {name}`",
                shipped.file
            );
            return Err(Problem::new("lexicon", message, hint).into());
        };
        return Ok(std::fs::read(&path).map_err(|e| Problem::file(&path, &e))?);
    }
    let path = Path::new(name);
    if !path.exists() {
        let names: Vec<&str> = SHIPPED.iter().map(|shipped| shipped.name).collect();
        let message = format!("there is no lexicon `{name}`");
        let hint = format!(
            "use {}, or a file that `wits scrabble lexicon build` made",
            names.join(", ")
        );
        return Err(Problem::new("lexicon", message, hint).into());
    }
    Ok(std::fs::read(path).map_err(|e| Problem::file(path, &e))?)
}

/// The file of a lexicon that stands apart, where there is one.
pub(crate) fn find(shipped: &Shipped) -> Option<PathBuf> {
    places(shipped).into_iter().find(|path| path.is_file())
}

/// Where such a file is looked for first.
pub(crate) fn usual(shipped: &Shipped) -> PathBuf {
    data::directory(None).join("lexicons").join(shipped.file)
}

/// Where such a file may be: the data directory, beside the program, the source tree around either
/// the program or the current folder.
fn places(shipped: &Shipped) -> Vec<PathBuf> {
    let mut places = vec![usual(shipped)];
    let beside = std::env::current_exe()
        .ok()
        .and_then(|exe| Some(exe.parent()?.to_owned()));
    if let Some(beside) = &beside {
        places.push(beside.join("lexicons").join(shipped.file));
        places.push(beside.join("../share/wits/lexicons").join(shipped.file));
    }
    let here = std::env::current_dir().ok();
    let in_tree = Path::new("crates/scrabble/data")
        .join(shipped.name)
        .join(shipped.file);
    for start in beside.iter().chain(&here) {
        places.extend(start.ancestors().map(|root| root.join(&in_tree)));
    }
    places
}
