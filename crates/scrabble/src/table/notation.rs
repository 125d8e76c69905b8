//! Moves as players write them: `8H WORD`, `exchange ABC`, `pass`, `challenge`.

use wits_game::{Eyes, Illegal};

use super::game::{Move, Scrabble};
use super::state::Table;
use crate::board::{PLAYED_BLANK, Place, in_hand, shown};
use crate::play::{Play, tile};
use crate::written::{self, Misfit};
use crate::{TileSet, WORDS};

/// Writes a move without what the reader may not know.
pub(super) fn write(tiles: &TileSet, table: &Table, mv: &Move, to: Eyes) -> String {
    let rack = |bytes: &[u8]| {
        let held: Vec<_> = bytes.iter().map(|&b| tile(b)).collect();
        tiles.write_rack(&held)
    };
    match mv {
        Move::Play(play) => play.text(&table.board, tiles),
        Move::Exchange(given) if to == Eyes::All || to == Eyes::Seat(table.seat()) => {
            format!("exchange {}", rack(given))
        }
        Move::Exchange(given) => format!("exchange {}", given.len()),
        Move::Pass => "pass".to_owned(),
        Move::Late => "late".to_owned(),
        Move::Challenge => "challenge".to_owned(),
        Move::Bag {
            order,
            first,
            drawn,
        } => {
            let drawn = if drawn.is_empty() {
                String::new()
            } else {
                format!(":{}", rack(drawn))
            };
            let head = format!("bag {}{drawn}", first + 1);
            if to == Eyes::All {
                format!("{head} {}", rack(order))
            } else {
                head
            }
        }
        Move::Mix(places) if to == Eyes::All => {
            let part = |&(at, t): &(u8, u8)| format!(" {at}:{}", rack(&[t]));
            format!("mix{}", places.iter().map(part).collect::<String>())
        }
        Move::Mix(_) => "mix".to_owned(),
    }
}

/// Reads a move. Small letters are blanks; where the rack has too few of those they are taken as
/// letters, because people write in small letters.
pub(super) fn read(tiles: &TileSet, table: &Table, text: &str) -> Result<Move, Illegal> {
    let text = text.trim();
    let wrong = || -> Illegal {
        let shown: String = text.chars().take(40).collect();
        WORDS.say("not-a-move").with("text", shown).into()
    };
    let (head, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let rest = rest.trim();
    let bytes = |text: &str| -> Result<Vec<u8>, Illegal> {
        let held = tiles.read_rack(text).map_err(|e| letters(&e.to_string()))?;
        Ok(held.iter().map(|t| t.byte()).collect())
    };
    let sorted = |text: &str| {
        bytes(text).map(|mut given| {
            given.sort_unstable();
            given
        })
    };
    match head.to_ascii_lowercase().as_str() {
        "pass" | "-" if rest.is_empty() => return Ok(Move::Pass),
        "late" if rest.is_empty() => return Ok(Move::Late),
        "challenge" if rest.is_empty() => return Ok(Move::Challenge),
        "exchange" => return sorted(rest).map(Move::Exchange),
        "bag" => return read_bag(rest, &bytes).ok_or_else(wrong),
        "mix" => return read_mix(rest, &bytes).ok_or_else(wrong),
        _ => {}
    }
    if let Some(given) = text.strip_prefix('-') {
        return sorted(given).map(Move::Exchange);
    }
    let place: Place = head.parse().map_err(|_| wrong())?;
    if rest.is_empty() {
        return Err(wrong());
    }
    read_play(tiles, table, place, rest).map(Move::Play)
}

fn refused(misfit: &Misfit) -> Illegal {
    let message = match misfit {
        Misfit::Letter { why, .. } => return letters(why),
        Misfit::TooLong { word, at } => WORDS
            .say("rule-too-long")
            .with("word", word)
            .with("place", at),
        Misfit::NoTile { square } => WORDS.say("rule-no-tile").with("square", square),
        Misfit::OtherTile { square, there } => WORDS
            .say("rule-other-tile")
            .with("square", square)
            .with("there", there),
    };
    message.into()
}

fn letters(detail: &str) -> Illegal {
    WORDS.say("bad-letters").with("detail", detail).into()
}

/// Reads a word at a place.
fn read_play(tiles: &TileSet, table: &Table, place: Place, word: &str) -> Result<Play, Illegal> {
    let mut laid =
        written::laid(tiles, &table.board, place, word).map_err(|misfit| refused(&misfit))?;
    lent(table.rack(), &mut laid);
    Scrabble::place(&table.board, &laid).map_err(|refusal| {
        let key = match refusal {
            super::judge::Refusal::Rule(super::judge::Rule::Nothing) => "rule-nothing",
            _ => "rule-gap",
        };
        Illegal::say(&WORDS, key)
    })
}

/// Where small letters are more than the rack's blanks, those that the rack has are taken as letters.
fn lent(rack: &[u8], laid: &mut [(usize, u8)]) {
    let count = |kind: u8| -> usize { rack.iter().map(|&t| usize::from(t == kind)).sum() };
    let blanks = laid.iter().filter(|(_, t)| in_hand(*t) == 0).count();
    if blanks <= count(0) {
        return;
    }
    for at in 0..laid.len() {
        let letter = shown(laid[at].1);
        let used = laid.iter().filter(|(_, t)| *t == letter).count();
        if laid[at].1 & PLAYED_BLANK != 0 && used < count(letter) {
            laid[at].1 = letter;
        }
    }
}

type Bytes<'a> = dyn Fn(&str) -> Result<Vec<u8>, Illegal> + 'a;

fn read_bag(text: &str, bytes: &Bytes<'_>) -> Option<Move> {
    let (head, order) = text.split_once(' ').unwrap_or((text, ""));
    let (first, drawn) = head.split_once(':').unwrap_or((head, ""));
    let first: u8 = first.parse().ok().filter(|n| (1..=4).contains(n))?;
    Some(Move::Bag {
        order: bytes(order).ok()?,
        first: first - 1,
        drawn: bytes(drawn).ok()?,
    })
}

fn read_mix(text: &str, bytes: &Bytes<'_>) -> Option<Move> {
    let part = |part: &str| {
        let (at, tile) = part.split_once(':')?;
        let tile = bytes(tile).ok()?;
        Some((at.parse().ok()?, *tile.first()?))
    };
    let places: Option<Vec<(u8, u8)>> = text.split_whitespace().map(part).collect();
    places.filter(|p| !p.is_empty()).map(Move::Mix)
}
