//! What can be asked in this room: each verb reads its arguments, asks the library, and lays out what it found.

mod analyse;
mod hint;
mod learn_wins;
mod solve;

use std::io::Read as _;
use std::sync::Arc;

use wits_desk::{Args, Block, Param, ParamKind, Refusal, Room, Shelf};
use wits_game::Message;

use crate::lexicon::related;
use crate::standing::{BadStanding, Standing};
use crate::{Engine, WORDS, house};

/// The room with everything that can be asked at every door.
pub fn room() -> Room {
    Room {
        id: "scrabble",
        about: WORDS.say("room"),
        verbs: vec![
            hint::verb(),
            solve::verb(),
            analyse::verb(),
            learn_wins::verb(),
        ],
    }
}

fn say(key: &'static str) -> Message {
    WORDS.say(key)
}

fn heads(keys: &[&'static str]) -> Vec<Message> {
    keys.iter().map(|key| WORDS.say(key)).collect()
}

fn lexicon_param() -> Param {
    let param = Param::new(
        "lexicon",
        ParamKind::File,
        &"english",
        &WORDS,
        "param-lexicon",
    );
    param.shown_as("NAME")
}

/// A lexicon by its name or its file, with everything that makes it fast.
fn engine(name: &str, shelf: &Shelf) -> Result<Arc<Engine>, Refusal> {
    let engine = if shelf.has(name) {
        let mut bytes = Vec::new();
        let read = shelf.open(name)?.read_to_end(&mut bytes);
        read.map_err(|error| wits_desk::unread(name, &error))?;
        Arc::new(Engine::new(house::from_bytes(name, &bytes)?))
    } else {
        house::engine(name, &Shelf::new())?
    };
    house::warm(&engine);
    Ok(engine)
}

/// The lexicons inside the program: a page offers them, and a server that is asked by name looks for no file.
pub const INSIDE: &[&str] = &["english", "polish"];

/// A board with the tiles of the side to move.
fn position_params() -> Vec<Param> {
    let text = |name, about| Param::text(name, &WORDS, about);
    let lexicon = Param::new(
        "lexicon",
        ParamKind::File,
        &"",
        &WORDS,
        "param-position-lexicon",
    );
    vec![
        lexicon.optional().shown_as("NAME").offering(INSIDE),
        text("position", "param-position").shown_as("CGP"),
        text("rack", "param-rack").shown_as("TILES"),
    ]
}

/// The position that is asked about, and what is to be said about its lexicon.
fn standing(args: &Args, shelf: &Shelf) -> Result<(Standing, Option<Block>), Refusal> {
    let position = args.text_if("position");
    let named = position.and_then(Standing::named);
    let other = named.and_then(|name| Some((name, related(name)?)));
    let asked = args.text_if("lexicon").filter(|name| !name.is_empty());
    let (name, note) = match (asked, other) {
        (Some(name), _) => (name, None),
        (None, Some((_, ours))) if ours.same => (ours.ours, None),
        (None, Some((name, ours))) => (ours.ours, Some(other_words(name, ours.ours))),
        (None, None) => (named.unwrap_or("english"), None),
    };
    let read = Standing::read(engine(name, shelf)?, position, args.text_if("rack"));
    let standing = read.map_err(|error| {
        let (code, hint) = match &error {
            BadStanding::Position(_) => ("bad-position", "bad-position-hint"),
            BadStanding::Rack(_) => ("bad-rack", "bad-rack-hint"),
            BadStanding::NoRack => ("no-rack", "no-rack-hint"),
        };
        Refusal::new(code, Message::plain(error.to_string()), say(hint))
    })?;
    Ok((standing, note))
}

/// A note for those whose words are looked up in another lexicon than they name.
fn other_words(name: &str, ours: &str) -> Block {
    let says = say("other-words").with("name", name);
    Block::Note(says.with("ours", ours))
}
