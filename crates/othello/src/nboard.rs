//! The `NBoard` protocol, version 2: a line in, some lines out.
//!
//! The client tells the game in GGF and asks `go` or `hint N`; a pass is `PA`. Whatever is not
//! understood is ignored, as the protocol asks.

use wits_search::Budget;

use crate::engine::{Analysis, Engine, Idea, Known};
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

    /// Whether a line makes the engine think: the caller may then raise the budget's stop when a `ping` comes in.
    pub fn thinks(line: &str) -> bool {
        let command = line.split_whitespace().next().unwrap_or_default();
        ["hint", "go"]
            .iter()
            .any(|c| command.eq_ignore_ascii_case(c))
    }

    /// Answers one line inside a budget; `say` hears every line of the answer as soon as it is known. A search that is
    /// stopped names no move: the client has asked for something else.
    pub fn answer(&mut self, line: &str, budget: &Budget, say: &mut dyn FnMut(String)) {
        let line = line.trim();
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match command.to_ascii_lowercase().as_str() {
            "nboard" => say("set myname wits".into()),
            "set" => self.set(rest.trim()),
            "move" => self.make(rest),
            "hint" => {
                let count = rest.trim().parse::<usize>().unwrap_or(1).clamp(1, 34);
                say("status thinking".into());
                let found = self.think(count, budget, &mut |analysis| tell(analysis, say));
                stats(&found, budget, say);
                say("status".into());
            }
            "go" => {
                say("status thinking".into());
                let looked_up = self.engine.looked_up(&self.position);
                let found = looked_up
                    .unwrap_or_else(|| self.think(1, budget, &mut |analysis| tell(analysis, say)));
                stats(&found, budget, say);
                say("status".into());
                let first = |i: &Idea| i.line.first().map(|s| (*s, i.discs));
                let best = found.ideas.first().and_then(first);
                match best {
                    _ if budget.stopped() => {}
                    Some((square, discs)) => say(format!("=== {}/{discs:.2}", written(square))),
                    None => say("=== PA".into()),
                }
            }
            "ping" => say(format!("pong {}", rest.trim())),
            "learn" => say("learned".into()),
            "quit" | "exit" => self.over = true,
            _ => {}
        }
    }

    fn set(&mut self, what: &str) {
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

    fn think(
        &mut self,
        count: usize,
        budget: &Budget,
        tell: &mut dyn FnMut(&Analysis),
    ) -> Analysis {
        let exact = (self.depth + 6).min(20);
        self.engine
            .think(&self.position, (self.depth, exact), count, budget, tell)
    }
}

/// The moves of a round, best first; nothing where no round was finished.
fn tell(found: &Analysis, say: &mut dyn FnMut(String)) {
    let known = |idea: &&Idea| found.depth > 0 || idea.known == Known::Book;
    for idea in found.ideas.iter().filter(known) {
        let moves: Vec<String> = idea.line.iter().map(|s| written(*s)).collect();
        let depth = match idea.known {
            Known::Book => "book".to_owned(),
            Known::Exact => "100%".to_owned(),
            Known::Outcome => "100%W".to_owned(),
            Known::Estimate => found.depth.to_string(),
            Known::Selective(percent) => format!("{}@{percent}%", found.depth),
        };
        say(format!(
            "search {} {:.2} 0 {depth}",
            moves.join(""),
            idea.discs
        ));
    }
}

/// How many positions it took, and how long.
fn stats(found: &Analysis, budget: &Budget, say: &mut dyn FnMut(String)) {
    let seconds = budget.elapsed().as_secs_f64();
    say(format!("nodestats {} {seconds:.2}", found.nodes));
}

fn written(square: Square) -> String {
    square.to_string().to_ascii_uppercase()
}

#[cfg(test)]
mod tests {
    use wits_search::Limits;

    use super::*;
    use crate::engine::Judgement;

    /// What a line is answered with.
    fn ask(talk: &mut NBoard, line: &str) -> Vec<String> {
        let mut said = Vec::new();
        let budget = Budget::start(Limits::nodes(2000));
        talk.answer(line, &budget, &mut |line| said.push(line));
        said
    }

    #[test]
    fn a_scripted_conversation() {
        let mut talk = NBoard::new(Engine::with(Judgement::Counts, 8));
        assert_eq!(ask(&mut talk, "nboard 2"), ["set myname wits"]);
        assert!(ask(&mut talk, "set depth 3").is_empty());
        let game = "(;GM[Othello]PC[test]PB[a]PW[b]RE[?]TI[5:0]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[F5//1.2];)";
        assert!(ask(&mut talk, &format!("set game {game}")).is_empty());
        assert_eq!(ask(&mut talk, "ping 12"), ["pong 12"]);
        let said = ask(&mut talk, "hint 2");
        assert_eq!(
            (said[0].as_str(), said.last().unwrap().as_str()),
            ("status thinking", "status")
        );
        // Every round is told, the deepest last, and then what it took.
        let rounds: Vec<&String> = said.iter().filter(|l| l.starts_with("search ")).collect();
        assert!(rounds.len() >= 4, "{said:?}");
        let depth = |l: &&String| l.split_whitespace().last().unwrap().to_owned();
        assert!(
            depth(&rounds[0]) == "1" && depth(rounds.last().unwrap()) == "3",
            "{said:?}"
        );
        assert!(said.iter().any(|l| l.starts_with("nodestats ")), "{said:?}");
        assert!(ask(&mut talk, "move D6/0.5/1").is_empty());
        let said = ask(&mut talk, "go");
        let name = said.last().unwrap().trim_start_matches("=== ");
        let square: Square = name.split('/').next().unwrap().parse().unwrap();
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
            ask(&mut talk, garbage);
            assert_eq!(talk.position, before, "{garbage:?}");
        }
        ask(&mut talk, "quit");
        assert!(talk.over());
    }

    #[test]
    fn a_search_that_is_stopped_names_no_move() {
        let mut talk = NBoard::new(Engine::with(Judgement::Counts, 8));
        let budget = Budget::endless();
        budget.stop();
        let mut said = Vec::new();
        talk.answer("go", &budget, &mut |line| said.push(line));
        assert_eq!(said.last().map(String::as_str), Some("status"), "{said:?}");
        assert!(NBoard::thinks("hint 3") && NBoard::thinks("go") && !NBoard::thinks("ping 3"));
    }
}
