//! Fetching what specs name: the command line may name files.

use std::path::Path;

use anyhow::Result;
use wits_play::{Catalog, Param, ParamKind, Shelf, Spec, Value};

use crate::problem::Problem;

/// Reads every file that the specs of a game and its players name.
pub(crate) fn fill(catalog: &Catalog, game: &Spec, players: &[&Spec]) -> Result<Shelf> {
    let entry = catalog.entry(&game.name)?;
    let mut shelf = Shelf::new();
    fetch(&mut shelf, game, entry.params())?;
    let cards = [entry.players(), entry.unlisted()].concat();
    for spec in players {
        if let Some(card) = cards.iter().find(|card| card.id == spec.name) {
            fetch(&mut shelf, spec, &card.params)?;
        }
    }
    Ok(shelf)
}

fn fetch(shelf: &mut Shelf, spec: &Spec, params: &[Param]) -> Result<()> {
    for param in params.iter().filter(|p| p.kind == ParamKind::File) {
        if let Some(Value::Text(name)) = spec.value(param.name) {
            let path = Path::new(name);
            // A learner's file may not exist yet: the room says what it makes of that.
            if path.exists() {
                let bytes = std::fs::read(path).map_err(|e| Problem::file(path, &e))?;
                shelf.put(name, bytes);
            }
        }
    }
    Ok(())
}

/// Writes back what a learner keeps, where its spec names a file.
pub(crate) fn keep(spec: &Spec, memory: Option<&serde_json::Value>) -> Result<()> {
    let (Some(memory), Some(Value::Text(name))) = (memory, spec.value("file")) else {
        return Ok(());
    };
    let path = Path::new(name);
    let text = serde_json::to_string_pretty(memory)? + "\n";
    write_whole(path, text.as_bytes())
}

/// Writes a file so that a crash leaves either the old one or the new one.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    write_by(path, &mut |file| file.write_all(bytes)).map_err(|e| Problem::file(path, &e).into())
}

/// The same for what is written piece by piece.
pub(crate) fn write_by(path: &Path, fill: &mut wits_desk::Fill<'_>) -> std::io::Result<()> {
    use std::io::Write;
    let mut beside = path.as_os_str().to_owned();
    beside.push(".new");
    let beside = Path::new(&beside);
    let mut file = std::io::BufWriter::new(std::fs::File::create(beside)?);
    fill(&mut file)?;
    file.flush()?;
    file.get_ref().sync_all()?;
    std::fs::rename(beside, path)
}
