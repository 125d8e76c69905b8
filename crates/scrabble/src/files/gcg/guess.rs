//! What a sheet does not say: how its letters are written, and which tiles it was played with.

use std::sync::Arc;

use crate::TileSet;
use crate::lexicon::{Encoding, Relation, related};
use crate::play::Values;
use crate::settings::Settings;

use super::{BadGcg, Sheet, read};

/// The text of a sheet's file. Where it is UTF-8 it is read so, whatever it calls itself; else in the encoding that it names, or in
/// ISO 8859-1, which sheets are in unless they say otherwise.
pub fn decode(bytes: &[u8]) -> Result<String, BadGcg> {
    if let Ok(text) = Encoding::Utf8.read(bytes) {
        return Ok(text.into_owned());
    }
    let western = Encoding::Latin1.read(bytes).unwrap_or_default();
    let encoding = match pragma(&western, "character-encoding") {
        None => Encoding::Latin1,
        Some((line, name)) => {
            let why = |why: String| BadGcg {
                line,
                column: 21,
                why,
            };
            match name.parse() {
                Ok(Encoding::Utf8) => {
                    let why = why(format!("the sheet calls itself `{name}` and is not"));
                    return Err(why);
                }
                Ok(encoding) => encoding,
                Err(error) => return Err(why(error.to_string())),
            }
        }
    };
    let text = encoding.read(bytes).map(std::borrow::Cow::into_owned);
    Ok(text.unwrap_or_default())
}

/// The value of a pragma, with its line.
fn pragma<'a>(text: &'a str, name: &str) -> Option<(usize, &'a str)> {
    let lines = text.trim_start_matches('\u{feff}').lines();
    (1..).zip(lines).find_map(|(line, row)| {
        let (found, value) = row.strip_prefix('#')?.split_once(char::is_whitespace)?;
        found
            .eq_ignore_ascii_case(name)
            .then(|| (line, value.trim()))
    })
}

/// The lexicon that a sheet names, and which of ours stands for it.
pub fn named(text: &str) -> Option<(&str, Option<Relation>)> {
    let (_, name) = pragma(text, "lexicon")?;
    Some((name, related(name)))
}

/// Reads a sheet that does not say what it was played with, as far as its letters and its points tell: every set of tiles is tried,
/// and the one counts under which the fewest lines do not add up; of equals the English one, which sheets are in unless they say otherwise. What no set can read is refused for the set that came furthest.
pub fn guess(text: &str, sets: &[Arc<TileSet>]) -> Result<(Arc<TileSet>, Sheet), BadGcg> {
    let distribution = pragma(text, "letter-distribution").map(|(_, name)| name.to_lowercase());
    let said = |set: &&Arc<TileSet>| Some(set.name()) == distribution.as_deref();
    if let Some(set) = sets.iter().find(said) {
        return Ok((Arc::clone(set), read(text, set)?));
    }
    let mut best: Option<((usize, bool), Arc<TileSet>, Sheet)> = None;
    let mut furthest: Option<BadGcg> = None;
    for set in sets {
        match read(text, set) {
            Ok(sheet) => {
                let slips = sheet.slips(&Values::new(set), Settings::default().bingo);
                let key = (slips.len(), set.language() != "en");
                if best.as_ref().is_none_or(|(least, ..)| key < *least) {
                    best = Some((key, Arc::clone(set), sheet));
                }
            }
            Err(error) => {
                if furthest.as_ref().is_none_or(|far| far.line < error.line) {
                    furthest = Some(error);
                }
            }
        }
    }
    match (best, furthest) {
        (Some((_, set, sheet)), _) => Ok((set, sheet)),
        (None, Some(error)) => Err(error),
        (None, None) => Err(BadGcg {
            line: 1,
            column: 1,
            why: "there is no set of tiles to read the sheet with".to_owned(),
        }),
    }
}
