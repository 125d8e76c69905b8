//! What a seat sees of its table, as the page draws it. Everything goes through the view of these eyes: racks, draws and
//! thoughts of others are not in it before the end.

use serde_json::{Value, json};
use wits_game::{Eyes, Game, Seat};
use wits_play::{AnyMatch, Event, Shelf, Spec};
use wits_scrabble::files::gcg::{Act, Entry};
use wits_scrabble::files::turns;
use wits_scrabble::table::{Done, HIDDEN, Phase};
use wits_scrabble::{
    Board, PREMIUMS, Premium, SIDE, Scrabble, Table as View, TileSet, column_name, report, tile,
};

use crate::WORDS;
use crate::snapshot::Place;
use crate::table::{Inside, Table};

/// The rules of a table, if it is one of this room.
pub(super) fn rules(table: &Table) -> Option<Scrabble> {
    let spec: Spec = table.header.game.parse().ok()?;
    // The table is up, so its lexicon is known by name.
    let game = (spec.name == "scrabble").then(|| wits_scrabble::game(&spec, &Shelf::new()))?;
    game.ok()
}

/// What these eyes see.
pub(super) fn view(position: &dyn AnyMatch, eyes: Eyes) -> Option<View> {
    serde_json::from_value(position.view(eyes)).ok()
}

/// The table before the first move.
pub(super) fn start(game: &Scrabble, table: &Table) -> View {
    let from = table.header.start.as_deref();
    from.and_then(|text| game.position(text).ok())
        .unwrap_or_else(|| game.start())
}

/// The names of the seats.
pub(super) fn names(table: &Table) -> Vec<String> {
    Seat::all(table.game.seats())
        .map(|s| table.name(s))
        .collect()
}

/// The letter of a tile as it is printed; what a blank stands for where it lies on the board.
fn face(byte: u8, tiles: &TileSet) -> &str {
    tiles.write_tile(tile(wits_scrabble::shown(byte)))
}

/// A board as the page draws it: a face, its points, and whether a blank stands for it.
pub(super) fn drawn(board: &Board, tiles: &TileSet) -> Vec<Value> {
    let values = wits_scrabble::Values::new(tiles);
    let one = |&byte: &u8| {
        if byte == 0 {
            return Value::Null;
        }
        let face = face(byte, tiles);
        json!([face, values.of(byte), byte != wits_scrabble::shown(byte)])
    };
    board.squares().iter().map(one).collect()
}

/// The tiles of a rack, each by its face; a blank is `?`.
pub(super) fn faces(rack: &[u8], tiles: &TileSet) -> Vec<String> {
    rack.iter()
        .filter(|&&t| t != HIDDEN)
        .map(|&t| face(t, tiles).to_owned())
        .collect()
}

/// What does not change during a game: the letters, the board, the words of its language.
pub(super) fn fixed(tiles: &TileSet) -> Value {
    let letters: Vec<Value> = tiles
        .letters()
        .map(|letter| {
            let face = tiles.face(letter);
            let tile = wits_scrabble::Tile::natural(letter);
            json!({"face": face.upper, "small": face.lower, "value": tiles.value(tile), "count": tiles.count(tile)})
        })
        .collect();
    let premium = |premium: &Premium| match premium {
        Premium::Plain => ("", String::new(), ""),
        Premium::DoubleLetter => (
            "l2",
            format!("2{}", tiles.label("letter-short")),
            "double-letter",
        ),
        Premium::TripleLetter => (
            "l3",
            format!("3{}", tiles.label("letter-short")),
            "triple-letter",
        ),
        Premium::DoubleWord => (
            "w2",
            format!("2{}", tiles.label("word-short")),
            "double-word",
        ),
        Premium::TripleWord => (
            "w3",
            format!("3{}", tiles.label("word-short")),
            "triple-word",
        ),
    };
    let premiums: Vec<Value> = PREMIUMS
        .iter()
        .map(|p| {
            let (kind, short, key) = premium(p);
            let says = if key.is_empty() { "" } else { tiles.label(key) };
            json!([kind, short, says])
        })
        .collect();
    let columns: Vec<String> = (0..SIDE).map(|c| column_name(c).to_string()).collect();
    json!({"lang": tiles.language(), "letters": letters, "blanks": tiles.blanks(), "premiums": premiums, "columns": columns})
}

/// The room's part of a snapshot.
pub(crate) fn state(table: &Table, inside: &Inside, eyes: Eyes, place: &Place) -> Option<Value> {
    let game = rules(table)?;
    let view = view(&*inside.table, eyes)?;
    let tiles = game.engine().tiles();
    let own = match eyes {
        Eyes::Seat(seat) => Some(seat),
        // At the end everything lies open; the own rack is still the own.
        Eyes::All => place.seats.first().copied(),
        Eyes::Public => None,
    };
    let over = !matches!(view.phase, Phase::Move | Phase::Mix | Phase::Shake)
        || inside.table.turn().outcome().is_some();
    let mine = own == Some(view.seat()) && view.phase == Phase::Move && !over;
    let lit: Vec<usize> = match view.last.map(|last| last.done) {
        Some(Done::Play(play) | Done::Back(play)) => play.laid().map(|(s, _)| s).collect(),
        _ => Vec::new(),
    };
    let back = matches!(view.last.map(|last| last.done), Some(Done::Back(_)));
    let pool = view.unseen(tiles);
    let unseen: Vec<Value> = tiles
        .letters()
        .map(|l| (tiles.face(l).upper.clone(), pool[usize::from(l.code())]))
        .chain([("?".to_owned(), pool[0])])
        .map(|(face, count)| json!([face, count]))
        .collect();
    let rack = own.map(|seat| faces(&view.racks[seat.index()], tiles));
    let racks: Vec<Value> = view
        .racks
        .iter()
        .map(|rack| {
            let shown = over.then(|| faces(rack, tiles).join(" "));
            json!({"count": rack.len(), "tiles": shown})
        })
        .collect();
    Some(json!({
        "board": drawn(&view.board, tiles), "lit": lit, "back": back, "rack": rack, "seat": own, "racks": racks,
        "scores": view.scores, "bag": view.bag.len(), "unseen": unseen, "over": over,
        "sheet": rows(&game, &start(&game, table), inside.table.events(), own, over),
        "can": {
            "lay": mine && !game.only_accept(&view), "exchange": mine && game.may_exchange(&view),
            "pass": mine, "accept": mine && game.only_accept(&view), "challenge": mine && game.may_challenge(&view),
            "help": over || place.alone(table),
        },
    }))
}

/// The score sheet as everybody may see it: what was exchanged is known to who did it.
fn rows(
    game: &Scrabble,
    start: &View,
    events: &[Event],
    own: Option<Seat>,
    over: bool,
) -> Vec<Value> {
    let tiles = game.engine().tiles();
    let mut board = start.board;
    let mut newest = None;
    let row = |turn: &Entry| {
        let seen = over || own.is_some_and(|s| s.index() == turn.player);
        let text = told(turn, &board, tiles, seen);
        match &turn.act {
            Act::Play(play) => {
                play.lay(&mut board);
                newest = Some(*play);
            }
            Act::Withdrawn => {
                if let Some(play) = newest.take() {
                    play.lift(&mut board);
                }
            }
            _ => {}
        }
        json!({"seat": turn.player + 1, "text": text, "play": matches!(turn.act, Act::Play(_)), "points": turn.points, "total": turn.total})
    };
    turns(game, start, events).iter().map(row).collect()
}

/// What a line of the sheet says.
pub(super) fn told(turn: &Entry, board: &Board, tiles: &TileSet, seen: bool) -> String {
    let count = |key: &'static str, n: usize| WORDS.say(key).with("count", n).to_string();
    let held = |key: &'static str, rack: &[u8]| {
        WORDS
            .say(key)
            .with("tiles", report::rack_text(rack, tiles))
            .to_string()
    };
    match &turn.act {
        Act::Play(play) => play.text(board, tiles),
        Act::Exchange(given, _) if seen && !given.is_empty() => {
            held("scrabble-row-exchange-known", given)
        }
        Act::Exchange(_, n) => count("scrabble-row-exchange", usize::from(*n)),
        Act::Pass => WORDS.say("scrabble-row-pass").to_string(),
        Act::Withdrawn => WORDS.say("scrabble-row-back").to_string(),
        Act::Challenged => WORDS.say("scrabble-row-challenge").to_string(),
        Act::Out(left) => held("scrabble-row-out", left),
        Act::Left(left) => held("scrabble-row-left", left),
        Act::Time => WORDS.say("scrabble-row-time").to_string(),
    }
}

/// A play for the page: squares with faces, points and blanks.
pub(super) fn laid(play: &wits_scrabble::Play, tiles: &TileSet) -> Vec<Value> {
    let values = wits_scrabble::Values::new(tiles);
    play.laid()
        .map(|(square, byte)| {
            let blank = byte != wits_scrabble::shown(byte);
            json!([square, face(byte, tiles), values.of(byte), blank])
        })
        .collect()
}

/// Reads tiles that lie on squares: `112:A,113:b`; a small letter is a blank.
pub(super) fn placed(text: &str, tiles: &TileSet) -> Option<Vec<(usize, u8)>> {
    let one = |part: &str| {
        let (square, face) = part.split_once(':')?;
        let read = tiles.read_placed(face).ok()?;
        let [Some(found)] = read.as_slice() else {
            return None;
        };
        Some((square.parse().ok()?, found.byte()))
    };
    if text.trim().is_empty() {
        return Some(Vec::new());
    }
    text.split(',').map(one).collect()
}
