//! The Go Text Protocol with the conventions of Othello: a line in, a reply out.
//!
//! Boards are numbered as players do, a1 top left; a pass is `pass`. Unknown commands and nonsense are
//! answered with `?` and change nothing.

use std::time::Duration;

use wits_game::{Dice, Game, Seat, Seed, Turn};
use wits_search::{Budget, Limits};

use crate::engine::levels::Level;
use crate::engine::{Engine, plan};
use crate::notation::board_text;
use crate::{Othello, Position, Square};

/// A conversation with a GTP client.
pub struct Gtp {
    engine: Engine,
    limits: Limits,
    history: Vec<Position>,
    /// What is left on the clock of each side, where the client keeps one.
    clocks: [Option<Duration>; 2],
    over: bool,
}

const COMMANDS: [&str; 19] = [
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
    "reg_genmove",
    "undo",
    "showboard",
    "final_score",
    "list_games",
    "set_game",
    "time_settings",
    "time_left",
];

impl Gtp {
    /// A conversation at the start of a game; every `genmove` may spend these limits.
    pub fn new(engine: Engine, limits: Limits) -> Gtp {
        Gtp {
            engine,
            limits,
            history: vec![Position::START],
            clocks: [None; 2],
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
            "komi" => Ok(String::new()),
            "list_games" => Ok("Othello".into()),
            "set_game" => match args {
                [game] if game.eq_ignore_ascii_case("othello") => Ok(String::new()),
                [_] => Err("unsupported game"),
                _ => Err("syntax error"),
            },
            "time_settings" => self.time_settings(args),
            "time_left" => self.time_left(args),
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
                let now = self.now();
                // A finished game gives the empty squares to the winner.
                let (black, white) = if now.over() {
                    now.tournament_score()
                } else {
                    now.score()
                };
                Ok(match black.cmp(&white) {
                    std::cmp::Ordering::Greater => format!("B+{}", black - white),
                    std::cmp::Ordering::Less => format!("W+{}", white - black),
                    std::cmp::Ordering::Equal => "0".into(),
                })
            }
            "play" => self.play(args),
            "genmove" => self.genmove(args, true),
            "reg_genmove" => self.genmove(args, false),
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

    /// Seconds for the whole game, then so many for a number of moves.
    fn time_settings(&mut self, args: &[&str]) -> Result<String, &'static str> {
        let numbers: Option<Vec<u32>> = args.iter().map(|a| a.parse().ok()).collect();
        let Some([main, byo, stones]) = numbers.as_deref() else {
            return Err("syntax error");
        };
        // By the protocol, extra time for no moves means no limit at all.
        let clock = match (*byo, *stones) {
            (1.., 0) => None,
            (byo, stones) => {
                let extra = u64::from(byo) * 30 / u64::from(stones.max(1));
                Some(Duration::from_secs(u64::from(*main) + extra))
            }
        };
        self.clocks = [clock; 2];
        Ok(String::new())
    }

    /// What is left for one side; with a number of moves, that time is for so many.
    fn time_left(&mut self, args: &[&str]) -> Result<String, &'static str> {
        let [who, seconds, stones] = args else {
            return Err("syntax error");
        };
        let seat = colour(who).ok_or("syntax error")?;
        let seconds: f64 = seconds.parse().map_err(|_| "syntax error")?;
        let stones: u32 = stones.parse().map_err(|_| "syntax error")?;
        let left = Duration::try_from_secs_f64(seconds.max(0.0)).map_err(|_| "syntax error")?;
        let left = match stones {
            0 => left,
            some => left * plan::moves_left(&self.now()) / some,
        };
        self.clocks[seat.index()] = Some(left);
        Ok(String::new())
    }

    /// What a move of this side may spend: a share of its clock, else the usual limits.
    fn limits(&self, position: &Position) -> Limits {
        match self.clocks[position.turn.index()] {
            Some(left) => Limits::time(plan::clock_share(position, left)),
            None => Limits {
                nodes: self.limits.nodes.map(|mean| plan::share(position, mean)),
                ..self.limits
            },
        }
    }

    /// The engine's move; `reg_genmove` looks without playing it.
    fn genmove(&mut self, args: &[&str], play: bool) -> Result<String, &'static str> {
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
            if play {
                self.history
                    .push(if over { position } else { position.passed() });
            }
            return Ok("pass".into());
        }
        let budget = Budget::start(self.limits(&position));
        let level = Level::of(10);
        // Full strength draws no dice.
        let mut dice = Dice::new(Seed::new(1));
        let (square, _) = level.pick(&mut self.engine, &position, &budget, &mut dice, &mut |_| ());
        if let Some(left) = &mut self.clocks[seat.index()] {
            *left = left.saturating_sub(budget.elapsed());
        }
        let square = square
            .or_else(|| Square::first(position.moves()))
            .ok_or("no move")?;
        if play {
            self.history.push(position.after(square));
        }
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
    fn controllers_of_reversi_find_what_they_ask_for() {
        let said = talk(&[
            "set_game Othello",
            "set_game Go",
            "list_games",
            "time_settings 60 0 0",
            "time_left b 2 0",
            "reg_genmove b",
            "genmove b",
            "showboard",
            "time_left b x 0",
            "time_settings 1",
        ]);
        assert_eq!(said[0], "=\n\n");
        assert_eq!(said[1], "? unsupported game\n\n");
        assert_eq!(said[2], "= Othello\n\n");
        assert!(said[3..5].iter().all(|s| s == "=\n\n"), "{said:?}");
        // The look before changed nothing on the board.
        assert!(said[5].starts_with("= ") && said[6].starts_with("= "));
        assert_eq!(said[7].matches(['X', 'O']).count(), 5, "{}", said[7]);
        assert!(said[8..].iter().all(|s| s.starts_with('?')), "{said:?}");
    }

    #[test]
    fn a_finished_game_gives_the_empty_squares_to_the_winner() {
        let moves = ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"];
        let play = |(i, square): (usize, &&str)| format!("play {} {square}", ["b", "w"][i % 2]);
        let mut lines: Vec<String> = moves.iter().enumerate().map(play).collect();
        lines.push("final_score".into());
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        assert_eq!(talk(&lines).last().map(String::as_str), Some("= B+64\n\n"));
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
