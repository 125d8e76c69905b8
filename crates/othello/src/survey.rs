//! What the engine makes of every legal move, and of every move of a game, a slice at a time.
//!
//! A page that shows such things must be able to stop, and other visitors want to think meanwhile;
//! so a [`Survey`] and a [`Review`] do a bounded piece of work at each call and keep what they know.

use std::time::Duration;

use wits_game::{Figure, Message};
use wits_search::{Budget, Limits};

use crate::engine::{Analysis, Engine, Idea, Known};
use crate::notation::Replay;
use crate::{Position, Square, WORDS};

/// How deep a survey looks at most before the end is in sight.
const DEEPEST: u32 = 24;
/// From how many empty squares on all moves are played out to the end.
const PLAYED_OUT: u32 = 16;
/// The longest a slice of a survey may take.
const SLICE: Duration = Duration::from_millis(1500);
/// What a review spends on one move: positions, so that it says the same on every machine, ...
const REVIEW_NODES: u64 = 400_000;
/// ... unless the machine is very slow.
const REVIEW_TIME: Duration = Duration::from_secs(3);
/// How far a review looks ahead, and from how many empty squares it plays out to the end.
const REVIEW: (u32, u32) = (8, 12);

/// How sure a number is, in words.
pub fn sure(known: Known, depth: u32) -> Message {
    match known {
        Known::Book => WORDS.say("known-book"),
        Known::Estimate => WORDS.say("known-estimate").with("depth", depth),
        Known::Selective(percent) => WORDS
            .say("known-selective")
            .with("depth", depth)
            .with("percent", percent),
        Known::Outcome => WORDS.say("known-outcome"),
        Known::Exact => WORDS.say("known-exact"),
    }
}

/// The same in one word, for a table.
pub fn sure_short(known: Known) -> Message {
    match known {
        Known::Book => WORDS.say("known-short-book"),
        Known::Estimate => WORDS.say("known-short-estimate"),
        Known::Selective(percent) => WORDS.say("known-short-selective").with("percent", percent),
        Known::Outcome => WORDS.say("known-short-outcome"),
        Known::Exact => WORDS.say("known-short-exact"),
    }
}

/// A short word for how sure a number is: what scripts and styles go by.
pub const fn sure_word(known: Known) -> &'static str {
    match known {
        Known::Book => "book",
        Known::Estimate => "estimate",
        Known::Selective(_) => "selective",
        Known::Outcome => "outcome",
        Known::Exact => "exact",
    }
}

/// Every legal move of a position with what it is worth to the side that makes it, deeper with
/// each slice, and exact in the end where the end is near.
pub struct Survey {
    engine: Engine,
    position: Position,
    depth: u32,
    over: bool,
    known: Analysis,
}

impl Survey {
    /// Begins with a position of the large board.
    pub fn new(position: &Position) -> Survey {
        Survey {
            engine: Engine::new(),
            position: *position,
            depth: 0,
            over: position.moves() == 0,
            known: Analysis::default(),
        }
    }

    /// What is known so far: all legal moves, best first; nothing before the first slice.
    pub fn known(&self) -> &Analysis {
        &self.known
    }

    /// Whether nothing more will come.
    pub fn over(&self) -> bool {
        self.over
    }

    /// Looks two moves further, or plays everything out. A slice that does not get through in its time
    /// leaves what was known and ends the survey.
    pub fn slice(&mut self, budget: &Budget) {
        if self.over {
            return;
        }
        let empties = 64 - self.position.taken().count_ones();
        let count = self.position.moves().count_ones() as usize;
        let last = self.depth >= 6 && empties <= PLAYED_OUT;
        self.depth += 2;
        let goal = if last { (8, 64) } else { (self.depth, 0) };
        let budget = budget.within(Limits::time(SLICE));
        let found = self
            .engine
            .think(&self.position, goal, count, &budget, &mut |_| {});
        let through = !budget.late() && !budget.stopped();
        if found.ideas.len() == count && (through || self.known.ideas.is_empty()) {
            self.known = found;
        }
        let exact = self.known.ideas.iter().all(|i| i.known == Known::Exact);
        let most = if empties <= PLAYED_OUT {
            60
        } else {
            DEEPEST.min(empties)
        };
        self.over = last || exact || !through || self.depth >= most;
    }
}

/// How bad a move was.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Mark {
    /// As good as any, or nearly.
    Good,
    /// It lost two discs or more.
    Doubtful,
    /// It lost four discs or more.
    Mistake,
    /// It lost ten discs or more.
    Blunder,
}

impl Mark {
    /// The mark of a move that lost so many discs.
    pub fn of(loss: f64) -> Mark {
        match loss {
            l if l >= 10.0 => Mark::Blunder,
            l if l >= 4.0 => Mark::Mistake,
            l if l >= 2.0 => Mark::Doubtful,
            _ => Mark::Good,
        }
    }

    /// What annotators write behind the move.
    pub const fn sign(self) -> &'static str {
        match self {
            Mark::Good => "",
            Mark::Doubtful => "?!",
            Mark::Mistake => "?",
            Mark::Blunder => "??",
        }
    }
}

/// What the engine says of one move of a game.
#[derive(Clone, PartialEq, Debug)]
pub struct Remark {
    /// How many moves came before.
    pub ply: usize,
    /// The move.
    pub played: Idea,
    /// The best move instead; the same one where there is no better.
    pub best: Idea,
    /// How deep the engine looked.
    pub depth: u32,
}

impl Remark {
    /// How many discs the move lost.
    pub fn loss(&self) -> f64 {
        (self.best.discs - self.played.discs).max(0.0)
    }

    /// How bad the move was.
    pub fn mark(&self) -> Mark {
        Mark::of(self.loss())
    }

    /// Whether it gave the game away: with the best move its side does not lose, with this one it does.
    pub fn decisive(&self) -> bool {
        self.best.discs > -1.0 && self.played.discs <= -1.0 && self.mark() > Mark::Good
    }

    /// The whole remark in a sentence.
    pub fn says(&self) -> Message {
        let name = |idea: &Idea| idea.line.first().map_or(String::new(), Square::to_string);
        let key = match (self.mark() > Mark::Good, self.decisive()) {
            (false, _) => "remark-good",
            (true, false) => "remark-loss",
            (true, true) => "remark-decisive",
        };
        WORDS
            .say(key)
            .with("move", name(&self.played))
            .with("worth", discs(self.played.discs))
            .with("loss", format!("{:.0}", self.loss()))
            .with("best", name(&self.best))
            .with("better", discs(self.best.discs))
            .with("sure", sure(self.played.known, self.depth))
    }
}

/// A difference of discs as players write it: whole where it is exact, else to a tenth.
pub fn discs(value: f64) -> Figure {
    let whole = (value - value.round()).abs() < 0.05;
    Figure::Signed(value, usize::from(!whole))
}

/// A game looked through move by move, from the end on: what is exact there helps before.
pub struct Review {
    engine: Engine,
    replay: Replay,
    left: usize,
}

impl Review {
    /// Begins with a game on the large board by the rules of tournaments.
    pub fn new(replay: Replay) -> Review {
        Review {
            engine: Engine::new(),
            left: replay.moves.len(),
            replay,
        }
    }

    /// How many moves are still to be looked at.
    pub fn left(&self) -> usize {
        self.left
    }

    /// Looks at one more move; nothing when all are done or the budget has ended.
    pub fn step(&mut self, budget: &Budget) -> Option<Remark> {
        let ply = self.left.checked_sub(1)?;
        let (position, square) = (self.replay.positions[ply], self.replay.moves[ply]);
        let limits = Limits::nodes(REVIEW_NODES).and(Limits::time(REVIEW_TIME));
        let inner = budget.within(limits);
        let count = position.moves().count_ones() as usize;
        let found = self
            .engine
            .think(&position, REVIEW, count, &inner, &mut |_| {});
        if budget.stopped() {
            return None;
        }
        self.left = ply;
        let best = found.ideas.first()?.clone();
        let first = |idea: &&Idea| idea.line.first() == Some(&square);
        let played = found.ideas.iter().find(first).cloned();
        // Broken off before it came to this move: it is then judged by the position after it.
        let played = played.unwrap_or_else(|| self.afterwards(&position, square, budget));
        Some(Remark {
            ply,
            best: if played.discs > best.discs {
                played.clone()
            } else {
                best
            },
            played,
            depth: found.depth,
        })
    }

    fn afterwards(&mut self, position: &Position, square: Square, budget: &Budget) -> Idea {
        let next = position.played(square);
        let sign = if next.turn == position.turn {
            1.0
        } else {
            -1.0
        };
        let inner = budget.within(Limits::nodes(REVIEW_NODES / 4));
        let found = self.engine.think(&next, (6, 0), 1, &inner, &mut |_| {});
        let (worth, known) = match found.ideas.first() {
            Some(idea) => (sign * idea.discs, idea.known),
            None => (
                sign * f64::from(crate::endgame::final_score(next.own(), next.other(), 64)),
                Known::Exact,
            ),
        };
        Idea {
            line: vec![square],
            discs: worth,
            known,
        }
    }
}

#[cfg(test)]
mod tests {
    use wits_game::Lang;

    use super::*;
    use crate::Othello;

    #[test]
    fn a_survey_gets_deeper_and_ends_exact() {
        let board = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXXXXXOOOOXXXXXO--X-------- X";
        let p = crate::notation::read_board(8, board).unwrap().position;
        let mut survey = Survey::new(&p);
        let mut depths = Vec::new();
        while !survey.over() {
            survey.slice(&Budget::endless());
            assert_eq!(
                survey.known().ideas.len(),
                p.moves().count_ones() as usize,
                "all moves, every time"
            );
            depths.push(survey.known().depth);
        }
        assert!(depths.len() > 2, "{depths:?}");
        let solved = crate::endgame::exact(&p, &Budget::endless()).unwrap();
        for idea in &survey.known().ideas {
            assert_eq!(idea.known, Known::Exact);
            let score = solved.moves.iter().find(|m| m.0 == idea.line[0]).unwrap().1;
            assert!((idea.discs - f64::from(score)).abs() < 1e-9, "{idea:?}");
        }
    }

    #[test]
    fn a_survey_that_is_stopped_ends() {
        let budget = Budget::endless();
        budget.stop();
        let mut survey = Survey::new(&Position::START);
        survey.slice(&budget);
        assert!(survey.over());
    }

    #[test]
    fn a_review_finds_the_move_that_lost_the_game() {
        // White answers by giving everything away: the game of 9 moves that ends 13-0.
        let replay = Replay::read(&Othello::default(), "e6f4e3f6g5d6e7f5c5").unwrap();
        let mut review = Review::new(replay);
        let mut remarks = Vec::new();
        while let Some(remark) = review.step(&Budget::endless()) {
            remarks.push(remark);
        }
        assert_eq!(remarks.len(), 9);
        assert_eq!(remarks[0].ply, 8, "it begins with the last move");
        assert!(remarks[0].loss() < 1e-9, "a wipe-out is the best there is");
        let bad: Vec<usize> = remarks
            .iter()
            .filter(|r| r.decisive())
            .map(|r| r.ply)
            .collect();
        assert_eq!(
            bad.first(),
            Some(&7),
            "the last chance was White's: {bad:?}"
        );
        let worst = remarks.iter().find(|r| r.ply == bad[0]).unwrap();
        assert!(worst.says().to_string().contains("gives the game away"));
    }

    #[test]
    fn differences_are_written_as_players_do() {
        let all = [2.0, -2.04, 0.0, -0.01, 3.25, -12.5].map(|value| discs(value).to(Lang::Pl));
        assert_eq!(all, ["+2", "−2", "0", "0", "+3,2", "−12,5"]);
    }
}
