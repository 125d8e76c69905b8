//! Alpha-beta (Knuth and Moore 1975) for the games of [`rules`](crate::rules).

use crate::rules::{Position, read};
use crate::{Answer, Bot, Dice, Hello, Turn};

/// Looks so many moves ahead in Othello, Thue and Hexapawn; in other games it plays any legal move.
#[derive(Clone, Debug)]
pub struct AlphaBeta {
    name: String,
    depth: u32,
    hello: Hello,
    dice: Dice,
}

impl AlphaBeta {
    /// A bot that looks so deep.
    pub fn new(name: impl Into<String>, depth: u32) -> AlphaBeta {
        AlphaBeta {
            name: name.into(),
            depth,
            hello: Hello::default(),
            dice: Dice::default(),
        }
    }
}

/// More moves than this are looked at two moves deep only.
const MANY: usize = 12;

/// What a position is worth to a seat, and the line that shows it.
fn search(
    position: &dyn Position,
    depth: u32,
    window: (i64, i64),
    seat: usize,
) -> (i64, Vec<String>) {
    let moves = if depth > 0 {
        position.moves()
    } else {
        Vec::new()
    };
    if moves.is_empty() {
        return (position.value(seat), Vec::new());
    }
    let ours = position.mover() == seat;
    let (mut alpha, mut beta) = window;
    let mut best = (if ours { i64::MIN } else { i64::MAX }, Vec::new());
    for mv in moves {
        let (value, rest) = search(&*position.after(&mv), depth - 1, (alpha, beta), seat);
        if (ours && value > best.0) || (!ours && value < best.0) {
            best = (value, std::iter::once(mv).chain(rest).collect());
        }
        if ours {
            alpha = alpha.max(value);
        } else {
            beta = beta.min(value);
        }
        if alpha >= beta {
            break;
        }
    }
    best
}

impl Bot for AlphaBeta {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn deterministic(&self) -> bool {
        true
    }

    fn start(&mut self, hello: &Hello) {
        self.hello = hello.clone();
        self.dice = Dice::new(hello.seed);
    }

    fn choose(&mut self, turn: &Turn) -> Answer {
        let position = read(&self.hello.game, &self.hello.spec, &turn.notation);
        let known = position.as_ref().map_or_else(Vec::new, |p| p.moves());
        let known: Vec<String> = known
            .into_iter()
            .filter(|mv| turn.legal.contains(mv))
            .collect();
        let Some(position) = position.filter(|_| !known.is_empty()) else {
            return turn.legal[self.dice.below(turn.legal.len())]
                .as_str()
                .into();
        };
        let depth = if known.len() > MANY {
            self.depth.min(2)
        } else {
            self.depth
        };
        let mut lines: Vec<(Vec<String>, i64)> = known
            .iter()
            .map(|mv| {
                // Every move has its own value, so that the thread tells all of them.
                let after = position.after(mv);
                let (value, rest) =
                    search(&*after, depth - 1, (i64::MIN, i64::MAX), position.mover());
                (std::iter::once(mv.clone()).chain(rest).collect(), value)
            })
            .collect();
        lines.sort_by_key(|(_, value)| -value);
        let (best, value) = &lines[0];
        Answer {
            mv: best.first().cloned(),
            say: Some(format!("{} is worth {value}, {depth} moves deep", best[0])),
            lines: lines
                .iter()
                .map(|(line, value)| (line.clone(), *value as f64))
                .collect(),
        }
    }
}
