//! The `NBoard` protocol, version 2: a line in, some lines out.
//!
//! The client tells the game in GGF and asks `go` or `hint N`; a pass is `PA`. Whatever is not
//! understood is ignored, as the protocol asks.

use wits_search::{Budget, Limits};

use crate::engine::{Analysis, Engine, Known};
use crate::{Position, Square, ggf};

/// A conversation with an `NBoard` client.
pub struct NBoard {
    engine: Engine,
    depth: u32,
    position: Position,
    over: bool,
}

impl NBoard {
    /// A conversation at the start of a game.
    pub fn new(engine: Engine) -> NBoard {
        NBoard {
            engine,
            depth: 8,
            position: Position::START,
            over: false,
        }
    }

    /// Whether the client said goodbye.
    pub const fn over(&self) -> bool {
        self.over
    }

    /// Answers one line, inside the given limits if it has to think.
    pub fn answer(&mut self, line: &str, limits: Limits) -> Vec<String> {
        let line = line.trim();
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match command.to_ascii_lowercase().as_str() {
            "nboard" => vec!["set myname wits".into()],
            "set" => self.set(rest.trim()),
            "move" => {
                self.make(rest);
                Vec::new()
            }
            "hint" => {
                let count = rest.trim().parse::<usize>().unwrap_or(1).clamp(1, 34);
                let found = self.think(count, limits);
                let mut lines = vec!["status thinking".to_owned()];
                lines.extend(found.ideas.iter().map(|idea| {
                    let moves: Vec<String> = idea.line.iter().map(|s| written(*s)).collect();
                    let depth = match idea.known {
                        Known::Book => "book".to_owned(),
                        Known::Exact => "100%".to_owned(),
                        Known::Outcome => "100%W".to_owned(),
                        Known::Estimate => found.depth.to_string(),
                        Known::Selective(percent) => format!("{}@{percent}%", found.depth),
                    };
                    format!("search {} {:.2} 0 {depth}", moves.join(""), idea.discs)
                }));
                lines.push("status".into());
                lines
            }
            "go" => {
                let looked_up = self.engine.looked_up(&self.position);
                let found = looked_up.unwrap_or_else(|| self.think(1, limits));
                let best = found
                    .ideas
                    .first()
                    .and_then(|i| i.line.first().map(|s| (*s, i.discs)));
                let say = match best {
                    Some((square, discs)) => format!("=== {}/{discs:.2}", written(square)),
                    None => "=== PA".into(),
                };
                vec!["status thinking".into(), "status".into(), say]
            }
            "ping" => vec![format!("pong {}", rest.trim())],
            "learn" => vec!["learned".into()],
            "quit" | "exit" => {
                self.over = true;
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    fn set(&mut self, what: &str) -> Vec<String> {
        let (key, value) = what.split_once(char::is_whitespace).unwrap_or((what, ""));
        match key.to_ascii_lowercase().as_str() {
            "depth" => self.depth = value.trim().parse().unwrap_or(self.depth).clamp(1, 60),
            "game" => {
                if let Ok(game) = ggf::read(value) {
                    self.position = game.last();
                }
            }
            _ => {}
        }
        Vec::new()
    }

    fn make(&mut self, text: &str) {
        let name = text.trim().split('/').next().unwrap_or_default();
        if name.to_ascii_lowercase().starts_with("pa") {
            if self.position.moves() == 0 {
                self.position = self.position.passed();
            }
        } else if let Ok(square) = name.parse::<Square>()
            && self.position.moves() & square.bit() != 0
        {
            self.position = self.position.after(square);
        }
    }

    fn think(&mut self, count: usize, limits: Limits) -> Analysis {
        let budget = Budget::start(limits);
        let exact = (self.depth + 6).min(20);
        self.engine.think(
            &self.position,
            (self.depth, exact),
            count,
            &budget,
            &mut |_| (),
        )
    }
}

fn written(square: Square) -> String {
    square.to_string().to_ascii_uppercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Judgement;

    #[test]
    fn a_scripted_conversation() {
        let mut talk = NBoard::new(Engine::with(Judgement::Counts, 8));
        let few = Limits::nodes(2000);
        assert_eq!(talk.answer("nboard 2", few), ["set myname wits"]);
        assert!(talk.answer("set depth 3", few).is_empty());
        let game = "(;GM[Othello]PC[test]PB[a]PW[b]RE[?]TI[5:0]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[F5//1.2];)";
        assert!(talk.answer(&format!("set game {game}"), few).is_empty());
        assert_eq!(talk.answer("ping 12", few), ["pong 12"]);
        let said = talk.answer("hint 2", few);
        assert_eq!(
            said.iter().filter(|l| l.starts_with("search ")).count(),
            2,
            "{said:?}"
        );
        assert!(talk.answer("move D6/0.5/1", few).is_empty());
        let said = talk.answer("go", few);
        let name = said
            .last()
            .unwrap()
            .trim_start_matches("=== ")
            .split('/')
            .next()
            .unwrap()
            .to_owned();
        let square: Square = name.parse().unwrap();
        assert!(talk.position.moves() & square.bit() != 0, "{said:?}");
        for garbage in [
            "",
            "  ",
            "move z9",
            "move",
            "set game nonsense",
            "hint",
            "\u{0}",
            "set",
        ] {
            let before = talk.position;
            talk.answer(garbage, few);
            assert_eq!(talk.position, before, "{garbage:?}");
        }
        talk.answer("quit", few);
        assert!(talk.over());
    }
}
