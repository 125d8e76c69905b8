//! `wits scrabble lexicon install`: puts a lexicon that stands apart where the program looks for it.

use std::path::Path;

use serde_json::json;
use wits_desk::{Answer, Cost, Param, Refusal, Served, Verb};
use wits_game::Message;
use wits_scrabble::lexicon::{Compact, SHIPPED, Shipped};
use wits_scrabble::{TileSet, WORDS};

use super::library;
use crate::shelf::write_whole;

/// `wits scrabble lexicon install`
pub(crate) fn verb() -> Verb {
    let apart: Vec<&str> = SHIPPED
        .iter()
        .filter(|shipped| shipped.bytes.is_none())
        .map(|shipped| shipped.name)
        .collect();
    let name = Param::choice("name", &apart, apart[0], &WORDS, "param-install-name");
    Verb {
        id: "lexicon install",
        about: WORDS.say("verb-install"),
        params: vec![
            name.positional().shown_as("NAME"),
            Param::text("from", &WORDS, "param-install-from").shown_as("FILE"),
        ],
        examples: &["wits scrabble lexicon install czech --from czech.lex"],
        served: Served::Terminal,
        cost: Cost::QUICK,
        run: |args, _, _| {
            let name = args.text("name");
            let shipped = Shipped::named(name).expect("one of those offered");
            let from = args.text_if("from").unwrap_or(shipped.file);
            install(shipped, Path::new(from))
        },
    }
}

/// Looks whether a file is the lexicon, and copies it into the data directory.
fn install(shipped: &Shipped, from: &Path) -> Result<Answer, Refusal> {
    let wrong = |why: String| {
        let why = WORDS
            .say("install-bad")
            .with("file", from.display().to_string())
            .with("why", why);
        let hint = WORDS.say("install-hint").with("name", shipped.name);
        Refusal::new("lexicon", why, hint.with("file", shipped.file))
    };
    let bytes = std::fs::read(from).map_err(|error| wrong(error.to_string()))?;
    let compact = Compact::open(&bytes).map_err(|error| wrong(error.to_string()))?;
    let tiles = TileSet::named(shipped.name);
    let tiles = tiles.filter(|set| compact.tile_set() == set.name());
    let tiles = tiles.ok_or_else(|| wrong(format!("its tiles are `{}`", compact.tile_set())))?;
    let lexicon = compact
        .lexicon(&tiles)
        .map_err(|error| wrong(error.to_string()))?;
    let to = library::usual(shipped);
    let folder = to.parent().unwrap_or(Path::new("."));
    let put = std::fs::create_dir_all(folder).map_err(anyhow::Error::from);
    put.and_then(|()| write_whole(&to, &bytes))
        .map_err(|error| wrong(error.to_string()))?;
    let file = to.display().to_string();
    let data =
        json!({"name": shipped.name, "words": lexicon.len(), "bytes": bytes.len(), "file": file});
    let says = WORDS.say("installed").with("name", shipped.name);
    let says = says.with("words", lexicon.len());
    Ok(Answer::yes(data).say(says.with("file", Message::plain(file))))
}
