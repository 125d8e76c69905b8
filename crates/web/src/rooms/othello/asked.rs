//! What the forms of the room ask for: a game, a place in it, a board.

use serde::Deserialize;
use wits_game::{Game, Seat};
use wits_othello::notation::{Replay, Side, board_text, looks_like_moves, read_board};
use wits_othello::{NoMove, Othello, Position, Square, Start, ggf, obf};

use super::bad;
use crate::told::told;
use crate::{Fault, WORDS};

/// The longest text that is read: a game in GGF with all its times is far shorter.
pub(super) const LONGEST: usize = 20_000;

/// The fields as they come.
#[derive(Clone, Default, Deserialize)]
pub(super) struct Asked {
    /// Anything that somebody pasted.
    pub(super) text: Option<String>,
    /// The side to move of a pasted board.
    pub(super) side: Option<String>,
    /// The board before the first move; the usual start if there is none.
    pub(super) from: Option<String>,
    /// The moves from there.
    pub(super) moves: Option<String>,
    /// How many of them are made on the board.
    pub(super) ply: Option<String>,
    /// One more move, made at that place.
    pub(super) play: Option<String>,
    /// For whom values are shown.
    #[serde(rename = "for")]
    pub(super) own: Option<String>,
}

/// A game on the large board by the rules of tournaments, and a place in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Subject {
    /// The game.
    pub(super) replay: Replay,
    /// How many moves are made on the board.
    pub(super) ply: usize,
    /// Whether nobody said who is to move at first.
    pub(super) guessed: bool,
    /// For whom values are shown.
    pub(super) own: Seat,
}

/// A field that is not blank.
pub(super) fn given(field: Option<&String>) -> Option<&str> {
    field
        .map(|text| text.trim())
        .filter(|text| !text.is_empty())
}

fn wrong_board(text: &str) -> Result<(Position, bool), Fault> {
    let read = read_board(8, text).map_err(|e| bad("bad-board", e.why().clone()))?;
    Ok((read.position, read.side == Side::Guessed))
}

/// Reads what somebody pasted: a game in GGF, a board in any alphabet, a problem with scores, or a
/// transcript.
pub(super) fn pasted(text: &str, side: Option<&str>) -> Result<Subject, Fault> {
    if text.len() > LONGEST {
        let why = WORDS.say("othello-too-long").with("most", LONGEST);
        return Err(bad("too-long", why));
    }
    let game = Othello::default();
    if text.starts_with("(;") {
        let wrong = |e: String| bad("bad-ggf", WORDS.say("othello-bad-ggf").with("why", e));
        let read = ggf::read(text).map_err(|e| wrong(told(e)))?;
        let squares: Vec<Square> = read.moves.iter().flatten().copied().collect();
        let replay = Replay::play_from(&game, read.start, &squares);
        return Ok(Subject::at_end(replay.map_err(|e| wrong(told(e)))?, false));
    }
    if looks_like_moves(text) {
        return Subject::read(None, text);
    }
    let board = match obf::read(text) {
        Ok(problem) if text.contains(';') => (problem.position, false),
        _ => wrong_board(text)?,
    };
    let (mut position, mut guessed) = board;
    if let Some(turn) = side.and_then(seat_of) {
        position.turn = turn;
        guessed = false;
    }
    Ok(Subject::standing(position, guessed))
}

/// A side as forms name it; nothing where it is to be guessed.
pub(super) fn seat_of(text: &str) -> Option<Seat> {
    match text {
        "X" => Some(Seat::FIRST),
        "O" => Some(Seat::SECOND),
        _ => None,
    }
}

impl Subject {
    fn at_end(replay: Replay, guessed: bool) -> Subject {
        Subject {
            ply: replay.moves.len(),
            replay,
            guessed,
            own: Seat::FIRST,
        }
    }

    /// A position without moves.
    pub(super) fn standing(position: Position, guessed: bool) -> Subject {
        let replay = Replay::play_from(&Othello::default(), position, &[]);
        let replay = replay.unwrap_or_else(|_| unreachable!("no move can be illegal"));
        Subject::at_end(replay, guessed)
    }

    /// Moves from a board, or from the usual start.
    fn read(from: Option<&str>, moves: &str) -> Result<Subject, Fault> {
        let game = Othello::default();
        let (replay, guessed) = match from {
            None => (Replay::read(&game, moves), false),
            Some(board) => {
                let (start, guessed) = wrong_board(board)?;
                (Replay::read_from(&game, start, moves), guessed)
            }
        };
        let replay = replay.map_err(|e| {
            let illegal = wits_game::Illegal::from(e);
            bad("bad-moves", illegal.why().clone())
        })?;
        Ok(Subject::at_end(replay, guessed))
    }

    /// A game of any start, without the discs that are put on the centre; nothing where the board or the
    /// rules are others than those of tournaments.
    pub(super) fn of_game(game: &Othello, start: Position, moves: &[Square]) -> Option<Subject> {
        if !game.is_tournament() {
            return None;
        }
        let whole = Replay::play_from(game, start, moves).ok()?;
        let ready = |p: &Position| p.taken().count_ones() >= 4;
        let first = whole.positions.iter().position(ready)?;
        let replay = Replay::play_from(
            &Othello::default(),
            whole.positions[first],
            &whole.moves[first..],
        );
        Some(Subject::at_end(replay.ok()?, false))
    }

    /// The board before the first move.
    pub(super) fn start(&self) -> Position {
        self.replay.positions[0]
    }

    /// The board at the place in the game.
    pub(super) fn position(&self) -> Position {
        self.replay.positions[self.ply]
    }

    /// The last move made on the board.
    pub(super) fn last(&self) -> Option<Square> {
        self.ply.checked_sub(1).map(|at| self.replay.moves[at])
    }

    /// The board before the first move as the address says it, nothing for the usual start. A side
    /// that was guessed is left out, so that it is guessed again, and said so.
    pub(super) fn from(&self) -> Option<String> {
        if self.start() == Position::START {
            return None;
        }
        if self.guessed {
            return Some(board_text(8, &self.start()));
        }
        Othello::default().notation(&self.start())
    }

    /// What names the game, without the place.
    pub(super) fn fields(&self) -> Vec<(&'static str, String)> {
        let own = (self.own == Seat::SECOND).then(|| ("for", "O".to_owned()));
        let from = self.from().map(|text| ("from", text));
        let moves = ("moves", self.replay.transcript());
        own.into_iter().chain(from).chain([moves]).collect()
    }

    /// The same as an address says it.
    pub(super) fn game_query(&self) -> String {
        let mut out = form_urlencoded::Serializer::new(String::new());
        out.extend_pairs(self.fields()).finish()
    }

    /// The address of the board at a place in the game.
    pub(super) fn address(&self, ply: usize) -> String {
        format!("/othello/board?{}&ply={ply}", self.game_query())
    }

    /// The game with one more move at the place; the rest stays where it goes on in the same way.
    fn played(&self, text: &str) -> Result<Subject, Fault> {
        let game = Othello::default();
        let illegal = |e: wits_game::Illegal| bad("illegal", e.why().clone());
        let square = game.read(&self.position(), text).map_err(illegal)?;
        game.legal(&self.position(), &square).map_err(illegal)?;
        if self.replay.moves.get(self.ply) == Some(&square) {
            return Ok(Subject {
                ply: self.ply + 1,
                ..self.clone()
            });
        }
        let mut moves = self.replay.moves[..self.ply].to_vec();
        moves.push(square);
        let replay = Replay::play_from(&game, self.start(), &moves);
        let replay = replay.map_err(|e| illegal(e.into()))?;
        Ok(Subject {
            own: self.own,
            ..Subject::at_end(replay, self.guessed)
        })
    }
}

/// A position as addresses carry it.
pub(super) fn plus(position: &Position) -> String {
    Othello::default()
        .notation(position)
        .unwrap_or_default()
        .replace(' ', "+")
}

impl Asked {
    /// The game and the place that are asked for, and whether the address says it in another way
    /// than the board itself would.
    pub(super) fn subject(&self) -> Result<(Subject, bool), Fault> {
        if let Some(text) = given(self.text.as_ref()) {
            return Ok((pasted(text, given(self.side.as_ref()))?, true));
        }
        let moves = given(self.moves.as_ref()).unwrap_or_default();
        if moves.len() > LONGEST {
            return pasted(moves, None).map(|s| (s, true));
        }
        let mut subject = Subject::read(given(self.from.as_ref()), moves)?;
        let own = given(self.own.as_ref()).and_then(seat_of);
        subject.own = own.unwrap_or(Seat::FIRST);
        if let Some(text) = given(self.ply.as_ref()) {
            let most = subject.ply;
            let ply = text.parse().ok().filter(|ply| *ply <= most);
            subject.ply = ply.ok_or_else(|| {
                let shown: String = text.chars().take(40).collect();
                let why = WORDS.say("othello-bad-ply").with("text", shown);
                bad("bad-ply", why.with("most", most))
            })?;
        }
        match given(self.play.as_ref()) {
            Some(text) => Ok((subject.played(text)?, true)),
            None => Ok((subject, false)),
        }
    }
}

/// The variant with a start; the board is the large one and a side without a move passes.
pub(super) fn variant(start: &str) -> Othello {
    let start = match start {
        "reversi" => Start::Reversi,
        "parallel" => Start::Parallel,
        _ => Start::Othello,
    };
    Othello::new(8, start, NoMove::Pass).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_is_pasted_is_read() {
        let game = pasted("F5 d6, C3", None).unwrap();
        assert_eq!((game.ply, game.guessed), (3, false));
        assert_eq!(game.address(1), "/othello/board?moves=f5d6c3&ply=1");
        let text = ggf::Ggf::of(&game.replay, "a", "b").write();
        assert_eq!(pasted(&text, None).unwrap(), game);
        let grid = wits_othello::notation::grid(8, &game.position());
        let board = pasted(&grid, None).unwrap();
        assert!(board.guessed && board.position() == game.position());
        assert!(!pasted(&grid, Some("O")).unwrap().guessed);
        let problem = format!(
            "{} ; d3:+4; % why",
            plus(&game.position()).replace('+', " ")
        );
        assert_eq!(pasted(&problem, None).unwrap().position(), game.position());
        for (wrong, code) in [
            ("f5d6a1", "bad-moves"),
            ("hello", "bad-board"),
            ("(;GM[Go];)", "bad-ggf"),
        ] {
            assert_eq!(pasted(wrong, None).unwrap_err().code, code, "{wrong}");
        }
        assert_eq!(
            pasted(&"f5".repeat(LONGEST), None).unwrap_err().code,
            "too-long"
        );
    }

    #[test]
    fn a_move_in_the_middle_begins_a_variation() {
        let asked = |ply: &str, play: &str| Asked {
            moves: Some("f5d6c3d3".to_owned()),
            ply: Some(ply.to_owned()),
            play: Some(play.to_owned()),
            ..Asked::default()
        };
        let (same, _) = asked("1", "d6").subject().unwrap();
        assert_eq!((same.ply, same.replay.moves.len()), (2, 4));
        let (other, _) = asked("1", "f6").subject().unwrap();
        assert_eq!(other.replay.transcript(), "f5f6");
        assert_eq!(asked("1", "a1").subject().unwrap_err().code, "illegal");
        assert_eq!(asked("9", "").subject().unwrap_err().code, "bad-ply");
    }

    #[test]
    fn an_old_start_is_cut_off_and_other_rules_are_not_taken() {
        let old = variant("reversi");
        let squares: Vec<Square> = ["d4", "e4", "e5", "d5"]
            .map(|s| s.parse().unwrap())
            .to_vec();
        let subject = Subject::of_game(&old, old.start(), &squares).unwrap();
        assert_eq!(subject.ply, 0);
        assert_eq!(subject.start().taken().count_ones(), 4);
        let small = Othello::new(6, Start::Othello, NoMove::Pass).unwrap();
        assert!(Subject::of_game(&small, small.start(), &[]).is_none());
    }
}
