//! The Go Text Protocol with the conventions of Othello: a line in, a reply out.
//!
//! Boards are numbered as players do, a1 top left; a pass is `pass`. Unknown commands and nonsense are
//! answered with `?` and change nothing.

use wits_game::{Game, Seat, Turn};
use wits_search::{Budget, Limits};

use crate::engine::Engine;
use crate::notation::board_text;
use crate::{Othello, Position, Square};

/// A conversation with a GTP client.
pub struct Gtp {
    engine: Engine,
    limits: Limits,
    history: Vec<Position>,
    over: bool,
}

const COMMANDS: [&str; 15] = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
    "undo",
    "showboard",
    "final_score",
    "time_left",
];

impl Gtp {
    /// A conversation at the start of a game; every `genmove` may spend these limits.
    pub fn new(engine: Engine, limits: Limits) -> Gtp {
        Gtp {
            engine,
            limits,
            history: vec![Position::START],
            over: false,
        }
    }

    /// Whether the client said goodbye.
    pub const fn over(&self) -> bool {
        self.over
    }

    fn now(&self) -> Position {
        *self
            .history
            .last()
            .expect("a conversation holds at least the start")
    }

    /// Answers one line; nothing for blank lines and comments. The reply ends with an empty line.
    pub fn answer(&mut self, line: &str) -> Option<String> {
        let line: String = line
            .split('#')
            .next()
            .unwrap_or_default()
            .chars()
            .map(|c| if c == '\t' { ' ' } else { c })
            .filter(|c| !c.is_control())
            .collect();
        let mut words = line.split_whitespace().peekable();
        let id = words
            .peek()
            .filter(|w| w.len() <= 18 && w.chars().all(|c| c.is_ascii_digit()))
            .map(|w| (*w).to_owned());
        if id.is_some() {
            words.next();
        }
        let command = words.next()?.to_ascii_lowercase();
        let args: Vec<&str> = words.collect();
        let id = id.unwrap_or_default();
        Some(match self.obey(&command, &args) {
            Ok(text) if text.is_empty() => format!("={id}\n\n"),
            Ok(text) => format!("={id} {text}\n\n"),
            Err(text) => format!("?{id} {text}\n\n"),
        })
    }

    fn obey(&mut self, command: &str, args: &[&str]) -> Result<String, &'static str> {
        match command {
            "protocol_version" => Ok("2".into()),
            "name" => Ok("wits".into()),
            "version" => Ok(env!("CARGO_PKG_VERSION").into()),
            "known_command" => Ok(args
                .first()
                .is_some_and(|c| COMMANDS.contains(c))
                .to_string()),
            "list_commands" => Ok(COMMANDS.join("\n")),
            "quit" => {
                self.over = true;
                Ok(String::new())
            }
            "boardsize" => match args {
                ["8"] => Ok(String::new()),
                [_] => Err("unacceptable size"),
                _ => Err("syntax error"),
            },
            "clear_board" => {
                self.history = vec![Position::START];
                Ok(String::new())
            }
            "komi" | "time_left" => Ok(String::new()),
            "undo" => {
                if self.history.len() < 2 {
                    return Err("cannot undo");
                }
                self.history.pop();
                Ok(String::new())
            }
            "showboard" => {
                let text = board_text(8, &self.now());
                let rows: Vec<&str> = (0..8).map(|r| &text[8 * r..8 * r + 8]).collect();
                Ok(format!("\n{}", rows.join("\n")))
            }
            "final_score" => {
                let (black, white) = self.now().score();
                Ok(match black.cmp(&white) {
                    std::cmp::Ordering::Greater => format!("B+{}", black - white),
                    std::cmp::Ordering::Less => format!("W+{}", white - black),
                    std::cmp::Ordering::Equal => "0".into(),
                })
            }
            "play" => self.play(args),
            "genmove" => self.genmove(args),
            _ => Err("unknown command"),
        }
    }

    fn play(&mut self, args: &[&str]) -> Result<String, &'static str> {
        let [who, what] = args else {
            return Err("syntax error");
        };
        let seat = colour(who).ok_or("syntax error")?;
        let position = Position {
            turn: seat,
            ..self.now()
        };
        if what.eq_ignore_ascii_case("pass") || what.eq_ignore_ascii_case("pa") {
            if position.moves() != 0 {
                return Err("illegal move");
            }
            self.history.push(position.passed());
            return Ok(String::new());
        }
        let square: Square = what.parse().map_err(|_| "syntax error")?;
        if position.moves() & square.bit() == 0 {
            return Err("illegal move");
        }
        self.history.push(position.after(square));
        Ok(String::new())
    }

    fn genmove(&mut self, args: &[&str]) -> Result<String, &'static str> {
        let [who] = args else {
            return Err("syntax error");
        };
        let seat = colour(who).ok_or("syntax error")?;
        let position = Position {
            turn: seat,
            ..self.now()
        };
        if position.moves() == 0 {
            let over = matches!(Othello::default().turn(&position), Turn::Over(_));
            self.history
                .push(if over { position } else { position.passed() });
            return Ok("pass".into());
        }
        let budget = Budget::start(self.limits);
        let looked_up = self.engine.looked_up(&position);
        let found = looked_up.unwrap_or_else(|| {
            self.engine
                .think(&position, (60, 16), 1, &budget, &mut |_| ())
        });
        let square = found.ideas.first().and_then(|i| i.line.first().copied());
        let square = square
            .or_else(|| Square::first(position.moves()))
            .ok_or("no move")?;
        self.history.push(position.after(square));
        Ok(square.to_string().to_ascii_uppercase())
    }
}

fn colour(text: &str) -> Option<Seat> {
    match text.to_ascii_lowercase().as_str() {
        "b" | "black" => Some(Seat::FIRST),
        "w" | "white" => Some(Seat::SECOND),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Judgement;

    fn talk(lines: &[&str]) -> Vec<String> {
        let engine = Engine::with(Judgement::Counts, 8);
        let mut gtp = Gtp::new(engine, Limits::nodes(500));
        lines.iter().filter_map(|l| gtp.answer(l)).collect()
    }

    #[test]
    fn a_scripted_conversation() {
        let said = talk(&[
            "1 name",
            "# only a comment",
            "boardsize 8",
            "boardsize 19",
            "clear_board",
            "play b f5",
            "play w f5",
            "play black pass",
            "7 genmove white",
            "undo",
            "showboard",
            "final_score",
            "quit",
        ]);
        assert_eq!(said[0], "=1 wits\n\n");
        assert_eq!(said[1], "=\n\n");
        assert_eq!(said[2], "? unacceptable size\n\n");
        assert_eq!(said[4], "=\n\n");
        assert_eq!(said[5], "? illegal move\n\n");
        assert_eq!(said[6], "? illegal move\n\n");
        let square: Square = said[7][3..5].parse().unwrap();
        let after = Position::START.after("f5".parse().unwrap());
        assert!(
            said[7].starts_with("=7 ") && after.moves() & square.bit() != 0,
            "{}",
            said[7]
        );
        assert!(said[9].contains("---OX---\n---XXX--"), "{}", said[9]);
        assert_eq!(said[10], "= B+3\n\n");
    }

    #[test]
    fn garbage_is_answered_and_changes_nothing() {
        for line in [
            "x",
            "play",
            "play b",
            "play q f5",
            "play b z9",
            "genmove",
            "\u{1}\u{2}x y",
            "999999999999999999999999 name",
        ] {
            let said = talk(&[line]);
            assert!(said[0].starts_with('?'), "{line:?}: {said:?}");
        }
        assert!(talk(&["", "   ", "\t", "#"]).is_empty());
    }
}
