//! Reading a sheet line by line, the words put on a board as they come.

use crate::TileSet;
use crate::board::{Board, Place};
use crate::play::Play;
use crate::written::{self, Misfit};

use super::{Act, BadGcg, Entry, Sheet};

/// What a line without a mark of its own goes on with.
enum Open {
    Nothing,
    Note,
    Pragma,
}

/// Reads a sheet. The words are put on a board as they come, so a play that does not lie there is refused. A line that begins with
/// neither `#` nor `>` goes on with the remark or the pragma above it.
pub fn read(text: &str, tiles: &TileSet) -> Result<Sheet, BadGcg> {
    let mut sheet = Sheet::default();
    let mut board = Board::default();
    let mut newest: Option<Play> = None;
    let mut open = Open::Nothing;
    for (at, row) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let line = at + 1;
        let bad = |column: usize, why: String| BadGcg { line, column, why };
        let row = row.trim_end();
        if row.is_empty() {
            continue;
        }
        if let Some(text) = row.strip_prefix('#') {
            open = pragma(&mut sheet, text);
            continue;
        }
        let Some(rest) = row.strip_prefix('>') else {
            let last = match open {
                Open::Nothing => None,
                Open::Note => sheet.turns.last_mut().map(|turn| &mut turn.note),
                Open::Pragma => sheet.head.last_mut().map(|(_, value)| value),
            };
            let Some(last) = last else {
                let why = "a line begins with `#` or with `>name:`".to_owned();
                return Err(bad(1, why));
            };
            // Heads are one line each when they are written.
            last.push(if matches!(open, Open::Note) {
                '\n'
            } else {
                ' '
            });
            last.push_str(row.trim_start());
            continue;
        };
        open = Open::Nothing;
        let Some((name, rest)) = rest.split_once(':') else {
            return Err(bad(2, "no `:` after the player's name".to_owned()));
        };
        let named = sheet.called(name);
        if named.is_empty() {
            let why =
                format!("no player is called `{name}`; name the players with `#player1 {name} …`");
            return Err(bad(2, why));
        }
        let mut entry = Row {
            tiles,
            text: row,
            line,
            parts: parts(row, row.len() - rest.len()),
        }
        .entry(named[0], &board)?;
        entry.player = sheet.whose(&named, &entry);
        match &entry.act {
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
        sheet.turns.push(entry);
    }
    Ok(sheet)
}

/// Takes in a pragma, and says what a line below would go on with.
fn pragma(sheet: &mut Sheet, text: &str) -> Open {
    let (name, value) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let value = value.trim();
    match name.to_ascii_lowercase().as_str() {
        "player1" | "player2" | "player3" | "player4" => {
            let (short, full) = value
                .split_once(char::is_whitespace)
                .unwrap_or((value, value));
            sheet
                .players
                .push((short.to_owned(), full.trim().to_owned()));
            Open::Nothing
        }
        "note" => {
            if let Some(turn) = sheet.turns.last_mut() {
                if !turn.note.is_empty() {
                    turn.note.push('\n');
                }
                turn.note.push_str(value);
            }
            Open::Note
        }
        // The text is text by now.
        "character-encoding" => Open::Nothing,
        _ => {
            sheet.head.push((name.to_owned(), value.to_owned()));
            Open::Pragma
        }
    }
}

impl Sheet {
    /// The players that a line may mean by a name.
    fn called(&self, name: &str) -> Vec<usize> {
        let by = |same: &dyn Fn(&(String, String)) -> bool| -> Vec<usize> {
            let all = self.players.iter().enumerate();
            all.filter(|(_, player)| same(player))
                .map(|(at, _)| at)
                .collect()
        };
        let found = by(&|player| player.0 == name);
        if found.is_empty() {
            by(&|player| player.1 == name)
        } else {
            found
        }
    }

    /// Whose a line is, where several players are called the same: turns go round, and scores add up.
    fn whose(&self, named: &[usize], entry: &Entry) -> usize {
        let moves = |act: &Act| matches!(act, Act::Play(_) | Act::Exchange(..) | Act::Pass);
        let last = self.turns.iter().rfind(|turn| moves(&turn.act));
        let last = last.map_or(self.players.len() - 1, |turn| turn.player);
        if matches!(entry.act, Act::Withdrawn | Act::Challenged) && named.contains(&last) {
            return last;
        }
        let before = |player: usize| {
            let own = self.turns.iter().rfind(|turn| turn.player == player);
            own.map_or(0, |turn| turn.total)
        };
        let adds_up = |player: usize| before(player) + entry.points == entry.total;
        let next = (1..=self.players.len()).map(|n| (last + n) % self.players.len());
        let mut order: Vec<usize> = next.filter(|player| named.contains(player)).collect();
        // Who went out was the last to move.
        if matches!(entry.act, Act::Out(_)) {
            order.rotate_right(1);
        }
        let fits = order.iter().copied().find(|&player| adds_up(player));
        fits.or(order.first().copied()).unwrap_or(named[0])
    }
}

/// The words of a line from a byte on, with their columns.
fn parts(row: &str, from: usize) -> Vec<(usize, &str)> {
    let mut parts = Vec::new();
    let mut rest = &row[from..];
    loop {
        rest = rest.trim_start();
        if rest.is_empty() {
            return parts;
        }
        let column = row[..row.len() - rest.len()].chars().count() + 1;
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        parts.push((column, &rest[..end]));
        rest = &rest[end..];
    }
}

struct Row<'a> {
    tiles: &'a TileSet,
    text: &'a str,
    line: usize,
    parts: Vec<(usize, &'a str)>,
}

impl Row<'_> {
    fn bad(&self, column: usize, why: impl Into<String>) -> BadGcg {
        BadGcg {
            line: self.line,
            column,
            why: why.into(),
        }
    }

    fn rack(&self, column: usize, text: &str) -> Result<Vec<u8>, BadGcg> {
        let held = self
            .tiles
            .read_rack(text)
            .map_err(|e| self.bad(column + e.place - 1, e.to_string()))?;
        let mut rack: Vec<u8> = held.iter().map(|t| t.byte()).collect();
        rack.sort_unstable();
        Ok(rack)
    }

    fn number(&self, at: usize) -> Result<i32, BadGcg> {
        let end = self.text.chars().count() + 1;
        let &(column, text) = self.parts.get(at).ok_or_else(|| {
            self.bad(
                end,
                "the line ends too early: points and score follow the play",
            )
        })?;
        text.trim_start_matches('+')
            .parse()
            .map_err(|_| self.bad(column, format!("`{text}` is not a number of points")))
    }

    fn entry(&self, player: usize, board: &Board) -> Result<Entry, BadGcg> {
        let end = self.text.chars().count() + 1;
        let short = || {
            self.bad(
                end,
                "the line ends too early: a rack, a play, points and the score are needed",
            )
        };
        let &(column, first) = self.parts.first().ok_or_else(short)?;
        let inside = |text: &str| -> Option<String> {
            Some(text.strip_prefix('(')?.strip_suffix(')')?.to_owned())
        };
        // `(ABC) +6 300`: what the others have left; there is no rack before it, and some leave it out before
        // `(challenge)` and `(time)`, too.
        if let Some(word) = inside(first) {
            let act = match word.to_ascii_lowercase().as_str() {
                "challenge" => Act::Challenged,
                "time" => Act::Time,
                _ => Act::Out(self.rack(column + 1, &word)?),
            };
            return Ok(Entry {
                line: self.line,
                player,
                rack: Vec::new(),
                act,
                points: self.number(1)?,
                total: self.number(2)?,
                note: String::new(),
            });
        }
        let rack = self.rack(column, first)?;
        let &(column, second) = self.parts.get(1).ok_or_else(short)?;
        let (act, used) = if let Some(word) = inside(second) {
            let act = match word.to_ascii_lowercase().as_str() {
                "challenge" => Act::Challenged,
                "time" => Act::Time,
                _ => Act::Left(self.rack(column + 1, &word)?),
            };
            (act, 2)
        } else if second == "--" {
            (Act::Withdrawn, 2)
        } else if let Some(given) = second.strip_prefix('-') {
            let act = match given.parse::<u8>() {
                _ if given.is_empty() => Act::Pass,
                Ok(count) => Act::Exchange(Vec::new(), count),
                Err(_) => {
                    let given = self.rack(column + 1, given)?;
                    let count = given.len() as u8;
                    Act::Exchange(given, count)
                }
            };
            (act, 2)
        } else {
            (Act::Play(self.play(board)?), 3)
        };
        Ok(Entry {
            line: self.line,
            player,
            rack,
            act,
            points: self.number(used)?,
            total: self.number(used + 1)?,
            note: String::new(),
        })
    }

    fn play(&self, board: &Board) -> Result<Play, BadGcg> {
        let end = self.text.chars().count() + 1;
        let (column, text) = self.parts[1];
        let place: Place = text
            .parse()
            .map_err(|e: crate::board::NoSuchPlace| self.bad(column, e.to_string()))?;
        let &(column, word) = self
            .parts
            .get(2)
            .ok_or_else(|| self.bad(end, "the word is missing"))?;
        let laid = written::laid(self.tiles, board, place, word).map_err(|misfit| {
            let within = match &misfit {
                Misfit::Letter { place, .. } => place - 1,
                _ => 0,
            };
            self.bad(column + within, misfit.to_string())
        })?;
        Play::of(board, &laid).ok_or_else(|| {
            self.bad(
                column,
                format!("`{word}` at {place} lays no tile, or leaves a gap"),
            )
        })
    }
}
