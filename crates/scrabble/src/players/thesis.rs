//! The heuristics of the thesis this room follows, with its four parameters and its rule for blanks.
//!
//! In each turn, in this order:
//! - a play that spends a blank counts only from 30 points;
//! - below the minimum score the whole rack is exchanged, while the bag allows it;
//! - near the end (fewer than seven tiles in the bag, so nobody can exchange) the longest word, if it gives up at most
//!   `longest` points;
//! - a safe play, if it gives up at most `safe`: one after which no free premium for words touches the new tiles, so that the
//!   opponent cannot build on it there;
//! - a play with a tile on a premium for words, if it gives up at most `bonus`;
//! - otherwise the most points. A parameter of -1 switches its heuristic off.
//!
//! The thesis names the four and says nothing of their order; this is our reading. Where its words may mean more than one thing, [`Reading`]
//! has the others, and `examples/readings.rs` counts what each makes of a turn.

use std::sync::atomic::{AtomicU64, Ordering};

use wits_game::Message;
use wits_play::{Choice, Desk, Player};
use wits_search::{Backup, Watch};

use super::sight::{Sight, answer, decide};
use super::telling::Account;
use crate::WORDS;
use crate::board::{Board, PREMIUMS, SIDE};
use crate::generate::Found;
use crate::play::Play;
use crate::settings::RACK;
use crate::table::{Move, Scrabble, Table};

/// The least that a play with a blank must score.
const BLANK: i32 = 30;

/// The four parameters; -1 switches one off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Thesis {
    /// The most points given up for the longest word near the end.
    pub longest: i32,
    /// Below this best score the whole rack is exchanged.
    pub exchange: i32,
    /// The most points given up for a safe play.
    pub safe: i32,
    /// The most points given up for a play on a premium.
    pub bonus: i32,
    /// What a safe play and a premium are.
    pub reading: Reading,
}

/// What the thesis's words mean, where they leave it open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reading {
    /// A safe play leaves no free square beside it where words count so often or more: 3 for triple word squares alone, 2 for every
    /// premium for words.
    pub open: i32,
    /// Whether a premium for letters is a premium, too, or one for words alone.
    pub letters: bool,
}

impl Default for Reading {
    fn default() -> Reading {
        Reading {
            open: 3,
            letters: false,
        }
    }
}

impl Default for Thesis {
    fn default() -> Thesis {
        Thesis {
            longest: 2,
            exchange: 6,
            safe: 1,
            bonus: 6,
            reading: Reading::default(),
        }
    }
}

/// Why a turn was played as it was: how often each heuristic decided, over all games of this process. The thesis says
/// that about half of all turns fall back to the most points; this counts it.
#[derive(Debug, Default)]
pub struct Fallbacks {
    turns: AtomicU64,
    greedy: AtomicU64,
}

/// The counts of all thesis players of this process.
pub static FALLBACKS: Fallbacks = Fallbacks {
    turns: AtomicU64::new(0),
    greedy: AtomicU64::new(0),
};

impl Fallbacks {
    /// How many turns there were, and how many of them took the most points.
    pub fn counts(&self) -> (u64, u64) {
        (
            self.turns.load(Ordering::Relaxed),
            self.greedy.load(Ordering::Relaxed),
        )
    }

    /// Counts from zero again.
    pub fn reset(&self) {
        self.turns.store(0, Ordering::Relaxed);
        self.greedy.store(0, Ordering::Relaxed);
    }
}

/// One of the three heuristics that give up points for something else.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Rule {
    Longest,
    Safe,
    Bonus,
}

/// What a heuristic compared.
#[derive(Clone, Copy, Debug)]
enum Compared {
    /// No play is left without a blank or with enough points for one.
    OnlyBlanks { may_swap: bool },
    /// The most points, and how many plays spend a blank for too few.
    Best { best: (Play, i32), blanks: usize },
    /// Whether the best score is worth playing.
    Exchange {
        may_swap: bool,
        score: i32,
        fires: bool,
    },
    /// The best play for a heuristic, and whether it is another one.
    Rule {
        rule: Rule,
        found: Option<(Play, i32)>,
        fires: bool,
    },
}

impl Thesis {
    /// What the heuristics choose among plays with their scores, and which of them decided.
    pub fn pick(
        &self,
        board: &Board,
        plays: &[(Play, i32)],
        bag: usize,
        may_swap: bool,
    ) -> (Option<(Play, i32)>, &'static str) {
        self.weigh(board, plays, (bag, may_swap), &mut |_| ())
    }

    /// Whether no heuristic finds a play within its limit, not even the one with the most points: that is then all that is left.
    pub fn falls_back(
        &self,
        board: &Board,
        plays: &[(Play, i32)],
        bag: usize,
        may_swap: bool,
    ) -> bool {
        let mut found = false;
        let (_, why) = self.weigh(board, plays, (bag, may_swap), &mut |compared| {
            found |= matches!(compared, Compared::Rule { found: Some(_), .. });
        });
        why == "why-thesis-greedy" && !found
    }

    /// [Picks](Thesis::pick) a play, and tells what each heuristic compared.
    fn weigh(
        &self,
        board: &Board,
        plays: &[(Play, i32)],
        (bag, may_swap): (usize, bool),
        told: &mut dyn FnMut(Compared),
    ) -> (Option<(Play, i32)>, &'static str) {
        let spends = |play: &Play| {
            play.tiles
                .iter()
                .any(|&t| t != 0 && t & crate::PLAYED_BLANK != 0)
        };
        let allowed = |&&(play, score): &&(Play, i32)| score >= BLANK || !spends(&play);
        // Of equals the first in the order of plays, as everywhere.
        let best_of = |list: &mut dyn Iterator<Item = &(Play, i32)>| {
            list.copied()
                .max_by(|a, b| a.1.cmp(&b.1).then(b.0.cmp(&a.0)))
        };
        let Some(best) = best_of(&mut plays.iter().filter(allowed)) else {
            // Only blanks make words: keep them if tiles can be exchanged, else play.
            let any = best_of(&mut plays.iter());
            told(Compared::OnlyBlanks { may_swap });
            return (any.filter(|_| !may_swap), "why-thesis-greedy");
        };
        let blanks = plays.len() - plays.iter().filter(allowed).count();
        told(Compared::Best { best, blanks });
        let exchange = may_swap && best.1 < self.exchange;
        told(Compared::Exchange {
            may_swap,
            score: best.1,
            fires: exchange,
        });
        if exchange {
            return (None, "why-thesis-exchange");
        }
        let mut rule = |rule: Rule, found: Option<(Play, i32)>| {
            let fires = found.is_some_and(|found| found.0 != best.0);
            told(Compared::Rule { rule, found, fires });
            found.filter(|_| fires)
        };
        let within = |loss: i32| {
            plays
                .iter()
                .filter(allowed)
                .filter(move |(_, score)| loss >= 0 && best.1 - score <= loss)
        };
        if bag < RACK {
            let longest = within(self.longest)
                .max_by(|a, b| {
                    let size = |p: &(Play, i32)| (p.0.count(), p.1);
                    size(a).cmp(&size(b)).then(b.0.cmp(&a.0))
                })
                .copied();
            if let Some(found) = rule(Rule::Longest, longest) {
                return (Some(found), "why-thesis-longest");
            }
        }
        let safest = best_of(&mut within(self.safe).filter(|(p, _)| self.reading.safe(board, p)));
        if let Some(found) = rule(Rule::Safe, safest) {
            return (Some(found), "why-thesis-safe");
        }
        let bonus = best_of(&mut within(self.bonus).filter(|(p, _)| self.reading.on_premium(p)));
        if let Some(found) = rule(Rule::Bonus, bonus) {
            return (Some(found), "why-thesis-bonus");
        }
        (Some(best), "why-thesis-greedy")
    }
}

impl Thesis {
    /// What a heuristic compared, in a sentence.
    fn says(&self, compared: &Compared, label: &dyn Fn(&Play) -> String) -> Message {
        match *compared {
            Compared::OnlyBlanks { may_swap } => WORDS.say(if may_swap {
                "thesis-keep-blanks"
            } else {
                "thesis-spend-blanks"
            }),
            Compared::Best { best, blanks } => WORDS
                .say("thesis-best")
                .with("move", label(&best.0))
                .with("score", best.1)
                .with("count", blanks),
            Compared::Exchange {
                may_swap,
                score,
                fires,
            } => WORDS
                .say(match (may_swap, fires) {
                    (false, _) => "thesis-no-exchange",
                    (_, true) => "thesis-exchange-fires",
                    (_, false) => "thesis-exchange-rests",
                })
                .with("score", score)
                .with("limit", self.exchange),
            Compared::Rule { rule, found, fires } => {
                let (limit, fired, same, none) = match rule {
                    Rule::Longest => (
                        self.longest,
                        "thesis-longest-fires",
                        "thesis-longest-same",
                        "thesis-longest-none",
                    ),
                    Rule::Safe => (
                        self.safe,
                        "thesis-safe-fires",
                        "thesis-safe-same",
                        "thesis-safe-none",
                    ),
                    Rule::Bonus => (
                        self.bonus,
                        "thesis-bonus-fires",
                        "thesis-bonus-same",
                        "thesis-bonus-none",
                    ),
                };
                let key = match found {
                    _ if fires => fired,
                    Some(_) => same,
                    None => none,
                };
                let (play, score) = found.map_or((String::new(), 0), |(p, s)| (label(&p), s));
                let says = WORDS.say(key).with("limit", limit);
                says.with("move", play).with("score", score)
            }
        }
    }

    /// Tells the plays with what the heuristics look at, and what each of them compared.
    fn tell<W: Watch>(
        &self,
        watch: &mut W,
        sight: &Sight<'_>,
        mut plays: Vec<(Play, i32)>,
        compared: &[Compared],
        (mv, score, why): (&Move, i32, &'static str),
    ) {
        let (game, view) = (sight.game, sight.view);
        let mut account = Account::open(watch, (game, view), Backup::None);
        plays.sort_unstable_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
        let number = |flag: bool| f64::from(u8::from(flag));
        for &(play, score) in &plays {
            let laid = Move::Play(play);
            // What was chosen is listed in any case.
            if !account.room() && laid != *mv {
                continue;
            }
            let safe = self.reading.safe(&view.board, &play);
            let premium = self.reading.on_premium(&play);
            let numbers = [
                ("score", f64::from(score)),
                ("tiles", play.count() as f64),
                ("safe", number(safe)),
                ("premium", number(premium)),
            ];
            let key = match (safe, premium) {
                (true, true) => "told-safe-premium",
                (true, false) => "told-safe",
                (false, true) => "told-premium",
                (false, false) => "told-plain",
            };
            let says = WORDS.say(key).with("score", score);
            let says = says.with("tiles", play.count());
            account.candidate(&laid, Some(100 * score), &numbers, says);
        }
        if !matches!(mv, Move::Play(_)) {
            account.candidate(mv, Some(0), &[], WORDS.say("told-thesis-exchange"));
        }
        let label = |play: &Play| game.text(view, &Move::Play(*play));
        for compared in compared {
            account.told.note(self.says(compared, &label));
        }
        let says = [
            WORDS.say("sum-thesis").with("count", plays.len()),
            WORDS
                .say("sum-thesis-rule")
                .with("why", WORDS.say(why))
                .with("move", account.label(mv))
                .with("score", score),
        ];
        account.choose(mv, Some(100 * score), WORDS.say("told-thesis-rest"), says);
    }
}

impl Reading {
    /// Whether a tile lies on a premium.
    fn on_premium(self, play: &Play) -> bool {
        play.laid().any(|(square, _)| {
            let premium = PREMIUMS[square];
            premium.word() > 1 || (self.letters && premium.letter() > 1)
        })
    }

    /// Whether no free square where words count too often can be reached over the new tiles: none lies beside one of them or at the
    /// ends of the words that they make.
    fn safe(self, board: &Board, play: &Play) -> bool {
        let mut after = *board;
        play.lay(&mut after);
        play.laid().all(|(square, _)| {
            crate::Direction::BOTH.iter().all(|&direction| {
                let (lane, at) = direction.lane(square);
                let (start, end) = after.run(direction, lane, at);
                let ends = [start.checked_sub(1), Some(end).filter(|&e| e < SIDE)];
                ends.into_iter().flatten().all(|at| {
                    let beside = direction.square(lane, at);
                    PREMIUMS[beside].word() < self.open || after.tile(beside) != 0
                })
            })
        })
    }
}

impl Player<Scrabble> for Thesis {
    fn choose(&mut self, game: &Scrabble, view: &Table, desk: &mut Desk<'_, Move>) -> Choice<Move> {
        if let Some(choice) = answer(game, view, desk) {
            return choice;
        }
        let sight = Sight::new(game, view);
        let mut plays = Vec::new();
        game.engine().every(
            &sight.field,
            &sight.hand,
            game.settings().bingo,
            &mut |found: &Found<'_>| {
                plays.push((found.play(), found.score));
            },
        );
        let situation = (sight.bag, sight.may_swap);
        let mut compared = Vec::new();
        let (found, why) = self.weigh(&view.board, &plays, situation, &mut |c| compared.push(c));
        FALLBACKS.turns.fetch_add(1, Ordering::Relaxed);
        if why == "why-thesis-greedy" {
            FALLBACKS.greedy.fetch_add(1, Ordering::Relaxed);
        }
        let (mv, score, why) = match found {
            Some((play, score)) => (Move::Play(play), score, why),
            None if sight.may_swap => (Move::Exchange(sight.hand.tiles().to_vec()), 0, why),
            None => (Move::Pass, 0, "why-nothing"),
        };
        if let Some(watch) = desk.record.take() {
            self.tell(watch, &sight, plays, &compared, (&mv, score, why));
        }
        decide(desk, mv, f64::from(score), why)
    }

    fn lens(&self) -> &'static str {
        "candidates"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readings_differ_in_what_is_safe_and_what_a_premium_is() {
        let board = Board::default();
        let laid = |squares: [usize; 2]| {
            let play = Play::of(&board, &squares.map(|square| (square, 1)));
            play.expect("they lie side by side")
        };
        let narrow = Reading::default();
        let wide = Reading {
            open: 2,
            letters: true,
        };
        // C2 and D2 lie beside the double word of B2 and on no premium.
        let beside = laid([SIDE + 2, SIDE + 3]);
        assert!(narrow.safe(&board, &beside) && !wide.safe(&board, &beside));
        assert!(!narrow.on_premium(&beside) && !wide.on_premium(&beside));
        // C1 and D1, a double letter, touch no premium for words.
        let letter = laid([2, 3]);
        assert!(narrow.safe(&board, &letter) && wide.safe(&board, &letter));
        assert!(!narrow.on_premium(&letter) && wide.on_premium(&letter));
        // The most points may be what a heuristic chooses: that is no fallback.
        for (reading, alone) in [(narrow, false), (wide, true)] {
            let thesis = Thesis {
                longest: -1,
                exchange: -1,
                safe: 0,
                bonus: 0,
                reading,
            };
            let plays = [(beside, 10)];
            let (found, why) = thesis.pick(&board, &plays, 50, true);
            assert_eq!((found, why), (Some(plays[0]), "why-thesis-greedy"));
            assert_eq!(thesis.falls_back(&board, &plays, 50, true), alone);
        }
    }
}
