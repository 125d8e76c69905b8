//! One reader for whatever positions and games are written in: boards, OBF, transcripts, GGF and WTHOR.

use crate::notation::{Replay, Side, looks_like_moves, read_board};
use crate::wthor::Wtb;
use crate::{Othello, Position, ggf, obf};

/// A position, or a game with all its positions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The moves and positions; a position alone is a game without moves.
    pub replay: Replay,
    /// How the side to move became known.
    pub side: Side,
}

impl Entry {
    /// The position that is meant: that after the last move.
    pub fn position(&self) -> Position {
        self.replay.last()
    }
}

/// Text or bytes that hold no position and no game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "line {line}: {why}; write a board with the side to move, a line of OBF, a transcript or a game in GGF"
)]
pub struct BadRecord {
    /// The line, or the number of the game, from one.
    pub line: usize,
    /// What is wrong with it.
    pub why: String,
}

/// Reads all positions and games of a text or a file, in order.
pub fn read(bytes: &[u8]) -> Result<Vec<Entry>, BadRecord> {
    let bad = |line: usize, why: String| BadRecord { line, why };
    if is_wthor(bytes) {
        let file = Wtb::read(bytes).map_err(|e| bad(1, e.to_string()))?;
        let games = file.games.iter().enumerate();
        return games
            .map(|(i, game)| {
                let replay = Replay::play(&Othello::default(), &game.moves);
                let replay = replay.map_err(|e| bad(i + 1, e.to_string()))?;
                Ok(given(replay))
            })
            .collect();
    }
    let text = String::from_utf8_lossy(bytes);
    if let Ok(read) = read_board(8, &text) {
        return Ok(vec![alone(read.position, read.side)]);
    }
    if text.contains("(;") {
        return games(&text);
    }
    let lines = text.lines().enumerate();
    lines
        .filter(|(_, line)| !line.trim().is_empty() && !line.trim_start().starts_with('%'))
        .map(|(i, line)| one(line).map_err(|why| bad(i + 1, why)))
        .collect()
}

/// Whether bytes are a file of games: as long as its header says.
fn is_wthor(bytes: &[u8]) -> bool {
    let count = bytes.get(4..8).and_then(|four| four.try_into().ok());
    let count = count.map_or(0, |four| u64::from(u32::from_le_bytes(four)));
    bytes.len() >= 16 && bytes.len() as u64 == 16 + 68 * count
}

fn alone(position: Position, side: Side) -> Entry {
    let replay = Replay {
        moves: Vec::new(),
        positions: vec![position],
        passes: 0,
        over: position.over(),
    };
    Entry { replay, side }
}

const fn given(replay: Replay) -> Entry {
    let side = Side::Given;
    Entry { replay, side }
}

/// One line: a problem, a board or a transcript.
fn one(line: &str) -> Result<Entry, String> {
    // A transcript may begin with the number of its first move.
    let first = line.trim_start_matches(|c: char| c.is_ascii_digit() || ". ".contains(c));
    if looks_like_moves(first) {
        let replay = Replay::read(&Othello::default(), line).map_err(|e| e.to_string())?;
        return Ok(given(replay));
    }
    if let Ok(read) = read_board(8, line) {
        return Ok(alone(read.position, read.side));
    }
    let problem = obf::read(line).map_err(|e| e.to_string())?;
    Ok(alone(problem.position, Side::Given))
}

/// The games of a text in GGF, with whatever stands between them.
fn games(text: &str) -> Result<Vec<Entry>, BadRecord> {
    let mut found = Vec::new();
    for (i, piece) in text.split("(;").skip(1).enumerate() {
        let bad = |why: String| BadRecord { line: i + 1, why };
        let end = piece.find(";)").unwrap_or(piece.len());
        let game = ggf::read(&format!("(;{};)", &piece[..end])).map_err(|e| bad(e.to_string()))?;
        let moves: Vec<_> = game.moves.iter().flatten().copied().collect();
        let replay = Replay::play_from(&Othello::default(), game.start, &moves);
        found.push(given(replay.map_err(|e| bad(e.to_string()))?));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::board_text;
    use crate::wthor::Game;

    #[test]
    fn one_game_is_read_from_every_format() {
        let text = "f5d6c3d3c4";
        let replay = Replay::read(&Othello::default(), text).unwrap();
        let last = replay.last();
        let file = Wtb {
            year: 2026,
            depth: 22,
            games: vec![Game {
                moves: replay.moves.clone(),
                ..Game::default()
            }],
        };
        let ggf = ggf::Ggf::of(&replay, "a", "b").write();
        for bytes in [
            text.as_bytes(),
            b"1. f5 d6 2. c3 d3 3. c4",
            ggf.as_bytes(),
            &file.write(),
        ] {
            let read = read(bytes);
            let read = read.unwrap_or_else(|e| panic!("{e}"));
            assert_eq!(read.len(), 1);
            assert_eq!(read[0].position(), last);
            assert_eq!(read[0].replay.moves, replay.moves);
        }
        let board = format!("{} O", board_text(8, &last));
        for text in [board.clone(), format!("{board}; d7:+2; % a problem")] {
            let read = read(text.as_bytes()).unwrap();
            assert_eq!(read[0].position(), last);
            assert!(read[0].replay.moves.is_empty());
        }
        let two = format!("{text}\n\n{board}\n");
        assert_eq!(read(two.as_bytes()).map(|r| r.len()), Ok(2));
    }

    #[test]
    fn nonsense_is_named_with_its_line() {
        let bad = read(b"f5d6\nf5f5\n").unwrap_err();
        assert_eq!(bad.line, 2);
        assert!(
            read(b"hello")
                .unwrap_err()
                .to_string()
                .contains("transcript")
        );
        assert!(read(b"(;GM[Go];)").is_err());
        assert_eq!(read(b""), Ok(Vec::new()));
    }
}
