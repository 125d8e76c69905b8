//! WTHOR, the files of the French federation: games (`.wtb`), players (`.jou`) and tournaments (`.trn`).
//!
//! A file has a header of sixteen bytes. A game takes 68: tournament, black and white player as two bytes each, Black's
//! discs, Black's discs under best play, and sixty moves as ten times the row plus the column, from one; zero after the
//! last. Passes are not written.

use crate::Square;

/// A file of games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wtb {
    /// The year of the games.
    pub year: u16,
    /// From how many empty squares best play was computed.
    pub depth: u8,
    /// The games.
    pub games: Vec<Game>,
}

/// One game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Game {
    /// An index into the tournaments.
    pub tournament: u16,
    /// An index into the players.
    pub black: u16,
    /// An index into the players.
    pub white: u16,
    /// Black's discs at the end, the winner having taken the empty squares.
    pub score: u8,
    /// Black's discs under best play from the depth of the file on.
    pub theoretical: u8,
    /// The moves, passes left out.
    pub moves: Vec<Square>,
}

/// Bytes that are no such file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadWthor {
    /// Shorter than its header says.
    #[error("the file is shorter than its header says")]
    Short,
    /// Not a file for the board of eight rows.
    #[error("the file is not for a board of 8 rows")]
    Size,
    /// A move that is no square.
    #[error("game {game}: {number} is not a square")]
    Move {
        /// The number of the game, from one.
        game: usize,
        /// The byte.
        number: u8,
    },
}

const HEADER: usize = 16;
const GAME: usize = 68;

fn pair(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

impl Wtb {
    /// Reads a file of games.
    pub fn read(bytes: &[u8]) -> Result<Wtb, BadWthor> {
        if bytes.len() < HEADER {
            return Err(BadWthor::Short);
        }
        let count = u32::from_le_bytes([bytes[4], bytes[5], bytes[6], bytes[7]]) as usize;
        if !matches!(bytes[12], 0 | 8) {
            return Err(BadWthor::Size);
        }
        let body = &bytes[HEADER..];
        if body.len() / GAME < count {
            return Err(BadWthor::Short);
        }
        let mut games = Vec::with_capacity(count);
        for (i, record) in body.chunks_exact(GAME).take(count).enumerate() {
            let mut moves = Vec::new();
            for &number in record[8..].iter().take_while(|n| **n != 0) {
                let wrong = BadWthor::Move {
                    game: i + 1,
                    number,
                };
                let (row, column) = (usize::from(number / 10), usize::from(number % 10));
                if row == 0 || column == 0 {
                    return Err(wrong);
                }
                moves.push(Square::of(row - 1, column - 1).ok_or(wrong)?);
            }
            games.push(Game {
                tournament: pair(record, 0),
                black: pair(record, 2),
                white: pair(record, 4),
                score: record[6],
                theoretical: record[7],
                moves,
            });
        }
        Ok(Wtb {
            year: pair(bytes, 10),
            depth: bytes[14],
            games,
        })
    }

    /// Writes the file; the date of creation is left empty.
    pub fn write(&self) -> Vec<u8> {
        let mut out = vec![0; HEADER];
        out[4..8].copy_from_slice(&(self.games.len() as u32).to_le_bytes());
        out[10..12].copy_from_slice(&self.year.to_le_bytes());
        (out[12], out[14]) = (8, self.depth);
        for game in &self.games {
            for number in [game.tournament, game.black, game.white] {
                out.extend(number.to_le_bytes());
            }
            out.extend([game.score, game.theoretical]);
            let moves = game
                .moves
                .iter()
                .map(|s| (10 * (s.row() + 1) + s.column() + 1) as u8);
            out.extend(moves.chain(std::iter::repeat(0)).take(60));
        }
        out
    }
}

/// Reads the names of a file of players (20 bytes each) or tournaments (26 bytes each).
pub fn names(bytes: &[u8], width: usize) -> Result<Vec<String>, BadWthor> {
    if bytes.len() < HEADER || width == 0 {
        return Err(BadWthor::Short);
    }
    let count = usize::from(pair(bytes, 8));
    let body = &bytes[HEADER..];
    if body.len() / width < count {
        return Err(BadWthor::Short);
    }
    let name = |record: &[u8]| -> String {
        // Names are in Latin-1, ended by zero.
        record
            .iter()
            .take_while(|b| **b != 0)
            .map(|b| char::from(*b))
            .collect()
    };
    Ok(body.chunks_exact(width).take(count).map(name).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_written_and_read_back() {
        let moves: Vec<Square> = ["f5", "d6", "c3"]
            .iter()
            .map(|s| s.parse().unwrap())
            .collect();
        let game = Game {
            tournament: 7,
            black: 300,
            white: 2,
            score: 40,
            theoretical: 38,
            moves,
        };
        let file = Wtb {
            year: 1999,
            depth: 22,
            games: vec![game.clone(), Game::default()],
        };
        let bytes = file.write();
        assert_eq!(bytes.len(), 16 + 2 * 68);
        assert_eq!(bytes[16 + 8], 56, "f5 is row 5, column 6");
        assert_eq!(Wtb::read(&bytes), Ok(file));
        assert_eq!(Wtb::read(&bytes[..bytes.len() - 1]), Err(BadWthor::Short));
        assert_eq!(Wtb::read(b""), Err(BadWthor::Short));
        let mut wrong = bytes;
        wrong[16 + 8] = 99;
        assert!(matches!(
            Wtb::read(&wrong),
            Err(BadWthor::Move {
                game: 1,
                number: 99
            })
        ));
    }

    #[test]
    fn names_are_read() {
        let mut bytes = vec![0; 16];
        bytes[8] = 2;
        let mut name = |text: &str| {
            let mut record = text.as_bytes().to_vec();
            record.resize(20, 0);
            bytes.extend(record);
        };
        name("Tastet Marc");
        name("Tamenori Hideshi");
        assert_eq!(
            names(&bytes, 20).unwrap(),
            ["Tastet Marc", "Tamenori Hideshi"]
        );
        assert!(names(&bytes[..40], 20).is_err());
    }
}
