//! Boards and games as text.

use wits_game::{Game, Illegal, Seat, Turn};

use crate::rules::shown;
use crate::{Othello, Position, Square, WORDS, bits};

/// How the side to move of a board became known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// The text says it.
    Given,
    /// The text does not say it: an even number of discs means Black, an odd one White. This holds
    /// in about 98 of 100 positions of random games, and is wrong after an odd number of passes.
    Guessed,
}

/// A board that was read, and how its side to move became known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Read {
    /// The position.
    pub position: Position,
    /// Whether the side to move was given or guessed.
    pub side: Side,
}

/// Reads a board in any of the usual alphabets: one character a square from a1 on, row by row,
/// line ends and slashes ignored, then perhaps the side to move.
///
/// Black is `X`, `x`, `*`, `B`, `b`, `1`, `#` or `●`; White is `O`, `o`, `W`, `w`, `2` or `○`; empty is `-`, `.`,
/// `_` or `0`. Blanks between squares are ignored too.
pub fn read_board(size: usize, text: &str) -> Result<Read, Illegal> {
    let wrong = || {
        let why = WORDS.say("not-a-board").with("text", shown(text));
        Illegal::new(why.with("count", size * size))
    };
    let mut letters = text
        .chars()
        .filter(|c| !c.is_whitespace() && *c != '/' && *c != ';');
    let mut position = Position {
        black: 0,
        white: 0,
        turn: Seat::FIRST,
    };
    for square in Square::all(bits::area(size)) {
        match letters.next().ok_or_else(wrong)? {
            'X' | 'x' | '*' | 'B' | 'b' | '1' | '#' | '●' => position.black |= square.bit(),
            'O' | 'o' | 'W' | 'w' | '2' | '○' => position.white |= square.bit(),
            '-' | '.' | '_' | '0' => {}
            _ => return Err(wrong()),
        }
    }
    let rest: String = letters.collect::<String>().to_ascii_lowercase();
    let (turn, side) = match rest.as_str() {
        "" => (guessed(&position), Side::Guessed),
        "x" | "*" | "b" | "1" | "#" | "black" => (Seat::FIRST, Side::Given),
        "o" | "w" | "2" | "white" => (Seat::SECOND, Side::Given),
        _ => return Err(wrong()),
    };
    position.turn = turn;
    Ok(Read { position, side })
}

/// The side to move by the parity of discs: Black with an even number.
pub const fn guessed(position: &Position) -> Seat {
    if position.taken().count_ones() & 1 == 0 {
        Seat::FIRST
    } else {
        Seat::SECOND
    }
}

/// Reads a position of a game: a board as [`read_board`] reads it, or a transcript.
pub(crate) fn read_position(game: &Othello, text: &str) -> Result<Position, Illegal> {
    if let Ok(read) = read_board(game.size(), text) {
        return Ok(read.position);
    }
    if looks_like_moves(text) {
        return Replay::read(game, text)
            .map(|replay| replay.last())
            .map_err(Illegal::from);
    }
    read_board(game.size(), text).map(|read| read.position)
}

/// Whether a text begins like a transcript: a letter and a row.
pub fn looks_like_moves(text: &str) -> bool {
    let mut letters = text.trim().chars();
    letters.next().is_some_and(|c| c.is_ascii_alphabetic())
        && letters.next().is_some_and(|c| ('1'..='8').contains(&c))
}

/// Writes a position as a board and the side to move: `---X…O X`.
pub(crate) fn write_position(game: &Othello, position: &Position) -> String {
    let mut out = board_text(game.size(), position);
    out.push(' ');
    out.push(if position.turn == Seat::FIRST {
        'X'
    } else {
        'O'
    });
    out
}

/// The squares of a board as `X`, `O` and `-`, from a1 on.
pub fn board_text(size: usize, position: &Position) -> String {
    letters(size, position, ['-', 'X', 'O'])
}

/// The squares of a board in an alphabet of empty, black and white.
pub(crate) fn letters(size: usize, position: &Position, alphabet: [char; 3]) -> String {
    Square::all(bits::area(size))
        .map(|square| match position.disc(square) {
            None => alphabet[0],
            Some(Seat::FIRST) => alphabet[1],
            Some(_) => alphabet[2],
        })
        .collect()
}

/// The report's grid: eight lines of `0`, `1` and `2`, with blanks between.
pub fn grid(size: usize, position: &Position) -> String {
    let flat = letters(size, position, ['0', '1', '2']);
    let rows = flat.as_bytes().chunks(size).map(|row| {
        let cells: Vec<String> = row.iter().map(|&c| char::from(c).to_string()).collect();
        cells.join(" ") + "\n"
    });
    rows.collect()
}

/// A game played over from a transcript.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replay {
    /// The moves, passes left out, in the orientation of the text.
    pub moves: Vec<Square>,
    /// The position before each move and after the last: one more than there are moves.
    pub positions: Vec<Position>,
    /// How many times a side had to pass.
    pub passes: u32,
    /// Whether the game is over.
    pub over: bool,
}

/// What is wrong with a transcript.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadTranscript {
    /// How many moves were good.
    pub good: usize,
    /// What is wrong with the next one.
    pub why: Illegal,
}

impl From<BadTranscript> for Illegal {
    fn from(bad: BadTranscript) -> Illegal {
        let number = bad.good + 1;
        WORDS
            .say("bad-transcript")
            .with("number", number)
            .with("why", bad.why.why().clone())
            .into()
    }
}

impl std::fmt::Display for BadTranscript {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        Illegal::from(self.clone()).fmt(f)
    }
}

impl std::error::Error for BadTranscript {}

impl Replay {
    /// Plays a transcript over: squares in any case, with or without blanks, commas and move
    /// numbers between; written passes (`pa`, `ps`, `--`, `pass`) are read and must be forced.
    ///
    /// A transcript whose first move is illegal from this start but legal in one of the board's eight
    /// orientations is turned as a whole; books write the same game with d3, c4, f5 or e6 first,
    /// and some with the colours' diagonal exchanged.
    pub fn read(game: &Othello, text: &str) -> Result<Replay, BadTranscript> {
        let squares = tokens(text)?;
        let straight = Replay::play(game, &squares);
        let Err(bad) = straight else { return straight };
        if bad.good > 0 || game.size() != 8 {
            return Err(bad);
        }
        for how in 1..8 {
            let turned: Vec<Square> = squares
                .iter()
                .filter_map(|s| Square::first(bits::turned(s.bit(), how)))
                .collect();
            if let Ok(replay) = Replay::play(game, &turned) {
                return Ok(replay);
            }
        }
        Err(bad)
    }

    /// Plays a transcript over from a position; it is taken as it is written, not turned.
    pub fn read_from(game: &Othello, start: Position, text: &str) -> Result<Replay, BadTranscript> {
        Replay::play_from(game, start, &tokens(text)?)
    }

    /// Plays moves from the start of a game.
    pub fn play(game: &Othello, squares: &[Square]) -> Result<Replay, BadTranscript> {
        Replay::play_from(game, game.start(), squares)
    }

    /// Plays moves from a position.
    pub fn play_from(
        game: &Othello,
        start: Position,
        squares: &[Square],
    ) -> Result<Replay, BadTranscript> {
        let start = game.settled(&start);
        let mut replay = Replay {
            moves: Vec::new(),
            positions: vec![start],
            passes: 0,
            over: false,
        };
        let mut position = start;
        for square in squares {
            game.legal(&position, square).map_err(|why| BadTranscript {
                good: replay.moves.len(),
                why,
            })?;
            let next = game.after(&position, *square);
            replay.passes += u32::from(game.passed_before(&position, &next));
            position = next;
            replay.moves.push(*square);
            replay.positions.push(position);
        }
        replay.over = matches!(game.turn(&position), Turn::Over(_));
        Ok(replay)
    }

    /// The position after the last move.
    pub fn last(&self) -> Position {
        *self
            .positions
            .last()
            .expect("a replay holds at least its start")
    }

    /// The moves in one word, passes left out.
    pub fn transcript(&self) -> String {
        transcript(&self.moves)
    }
}

/// Moves in one word, as players write games: `f5d6c3`.
pub fn transcript(moves: &[Square]) -> String {
    moves.iter().map(ToString::to_string).collect()
}

/// The squares of a transcript, passes left out.
fn tokens(text: &str) -> Result<Vec<Square>, BadTranscript> {
    let letters: Vec<char> = text.to_ascii_lowercase().chars().collect();
    let mut squares = Vec::new();
    let mut i = 0;
    while i < letters.len() {
        let c = letters[i];
        let next = letters.get(i + 1).copied();
        if c.is_ascii_lowercase() && next.is_some_and(|n| n.is_ascii_digit()) {
            let name: String = letters[i..i + 2].iter().collect();
            let Ok(square) = name.parse::<Square>() else {
                return Err(bad(&squares, &name));
            };
            squares.push(square);
            i += 2;
        } else if c == 'p' && letters[i..].starts_with(&['p', 'a', 's', 's']) {
            i += 4;
        } else if (c == 'p' && matches!(next, Some('a' | 's'))) || (c == '-' && next == Some('-')) {
            i += 2;
        } else if c.is_whitespace() || c.is_ascii_digit() || ",.;:-".contains(c) {
            i += 1;
        } else {
            let name: String = letters[i..].iter().take(8).collect();
            return Err(bad(&squares, &name));
        }
    }
    Ok(squares)
}

fn bad(squares: &[Square], text: &str) -> BadTranscript {
    let why = WORDS
        .say("not-a-square")
        .with("text", shown(text))
        .with("last", "h8");
    BadTranscript {
        good: squares.len(),
        why: why.into(),
    }
}
