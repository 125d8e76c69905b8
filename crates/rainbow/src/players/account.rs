//! The account of a look ahead: how each move stood after each round, and what decided.

use wits_game::Message;
use wits_play::Worth;
use wits_search::{Backup, Budget, Candidates, Kind, Proof, Step, Watch};

use super::rule::{Rule, label, tell_lot};
use super::said::Advice;
use super::solved;
use super::strong::{Pick, decided};
use crate::WORDS;
use crate::board::{Board, Paint};
use crate::exact::Solver;
use crate::hold::{Answer, answers};
use crate::terms::Side;

/// What stands behind a choice.
pub(super) enum Account {
    /// The board is solved: by this solver, and this side wins.
    Solved(Box<Solver>, Side),
    /// A rule was followed.
    Rule(Rule, Advice),
    /// Any move would do.
    Any,
    /// The move completes a rainbow.
    Finish,
    /// The moves were compared by looking ahead.
    Looked(Looked),
    /// The look ahead found no way to hold, so this holds a greedy Maker best.
    Hope(Looked),
}

/// The rounds of a look ahead.
#[derive(Default)]
pub(super) struct Looked {
    /// What the live series weigh now.
    pub(super) now: f64,
    /// The moves that were to be compared, best last known first.
    pub(super) moves: Vec<Paint>,
    pub(super) rounds: Vec<Round>,
}

/// One round of deepening.
pub(super) struct Round {
    pub(super) depth: u32,
    pub(super) seen: Vec<Seen>,
}

/// What a round found about a move.
#[derive(Clone, Copy)]
pub(super) struct Seen {
    pub(super) paint: Paint,
    /// What the live series weigh in the end, for Maker; huge where somebody wins.
    pub(super) value: f64,
    /// Only that it is no better than this is known.
    pub(super) bound: bool,
    /// What answers it.
    pub(super) reply: Option<Paint>,
}

/// Positions that are looked at for the answers of level 4 that are told.
const HOLDING: u64 = 20_000;

impl Looked {
    /// A value as somebody's gain from -1 to 1: a win is 1, and the same weight as now 0.
    fn worth(&self, value: f64, me: Side) -> Worth {
        let gain = if decided(value) {
            value.signum()
        } else if value + self.now > 0.0 {
            (value - self.now) / (value + self.now)
        } else {
            0.0
        };
        Worth::heuristic(if me == Side::Maker { gain } else { -gain })
    }

    /// What a round found, as a bound where it is one.
    fn seen_worth(&self, seen: Seen, me: Side) -> Worth {
        let worth = self.worth(seen.value, me);
        if seen.bound {
            worth.known(Proof::AtMost)
        } else {
            worth
        }
    }

    /// What the last complete round says about a move.
    fn last(&self, paint: Paint) -> Option<(u32, Seen)> {
        let round = self.rounds.last()?;
        let seen = round.seen.iter().find(|seen| seen.paint == paint)?;
        Some((round.depth, *seen))
    }

    fn why(&self, paint: Paint) -> Message {
        let Some((depth, seen)) = self.last(paint) else {
            let first = self.moves.first() == Some(&paint);
            let key = if first { "look-first" } else { "look-later" };
            return WORDS.say(key).with("move", label(paint));
        };
        let won = decided(seen.value);
        let key = match (won, seen.bound, seen.reply) {
            (true, ..) if seen.value > 0.0 => "look-maker",
            (true, ..) => "look-breaker",
            (_, true, Some(_)) => "look-bound-reply",
            (_, true, None) => "look-bound",
            (_, false, Some(_)) => "look-reply",
            (_, false, None) => "look-weight",
        };
        WORDS
            .say(key)
            .with("move", label(paint))
            .with("then", format!("{:.0}", seen.value))
            .with("depth", depth)
            .with("reply", seen.reply.map(label).unwrap_or_default())
    }

    /// The value of every move in every round, and where the leader changed.
    fn tell_rounds<W: Watch>(&self, me: Side, told: &mut Candidates<'_, W>) {
        told.note(
            WORDS
                .say("look-now")
                .with("now", format!("{:.0}", self.now)),
        );
        let mut leader = None;
        for round in &self.rounds {
            for seen in &round.seen {
                let worth = self.seen_worth(*seen, me);
                told.step(|| {
                    let says = WORDS
                        .say("look-cell")
                        .with("move", label(seen.paint))
                        .with("depth", round.depth)
                        .with("value", worth.to_string());
                    Step::new(Kind::Cell, says)
                        .data("row", label(seen.paint))
                        .data("column", round.depth)
                        .data("value", worth.json())
                        .data("is", worth.proof.word())
                });
            }
            let best = round.seen.iter().rfind(|seen| !seen.bound);
            let best = best.filter(|seen| leader != Some(seen.paint));
            if let Some(seen) = best {
                leader = Some(seen.paint);
                let worth = self.worth(seen.value, me);
                told.step(|| {
                    let says = WORDS
                        .say("look-leads")
                        .with("move", label(seen.paint))
                        .with("depth", round.depth);
                    Step::new(Kind::Improve, says)
                        .data("line", vec![label(seen.paint)])
                        .data("value", worth.json())
                });
            }
        }
    }

    /// The move that came next, by the last round.
    fn next(&self, chosen: Paint, me: Side) -> Option<Seen> {
        let seen = self.rounds.last()?.seen.iter();
        seen.filter(|seen| seen.paint != chosen)
            .max_by_key(|seen| self.worth(seen.value, me))
            .copied()
    }
}

impl Account {
    /// Tells the choice. `instead` says why another player plays as this one here.
    pub(super) fn tell<W: Watch>(
        self,
        board: &Board,
        pick: &Pick,
        instead: Option<Message>,
        budget: &Budget,
        watch: &mut W,
    ) {
        if let Some(says) = instead {
            watch.step(|| Step::new(Kind::Note, says));
        }
        match self {
            Account::Solved(mut solver, winner) => {
                solved::tell(board, pick.paint, winner, &mut solver, budget, watch);
            }
            Account::Rule(rule, advice) => rule.tell(board, &advice, watch),
            Account::Any => {
                let advice = Advice::new(pick.paint, None, pick.why.clone());
                let told = Candidates::open(watch, board.to_move().name(), Backup::None);
                tell_lot(board, &advice, told);
            }
            Account::Finish => tell_finish(board, pick, watch),
            Account::Looked(looked) => looked.tell(board, pick, watch),
            Account::Hope(looked) => looked.tell_hope(board, pick, budget, watch),
        }
    }
}

fn tell_finish<W: Watch>(board: &Board, pick: &Pick, watch: &mut W) {
    let mut told = Candidates::open(watch, board.to_move().name(), Backup::Max);
    let label = label(pick.paint);
    let sure = Worth::exact(1);
    told.candidate(&label, Some(sure), &[], pick.why.clone());
    let rest = legal_moves(board) - 1;
    told.skip(rest, WORDS.say("look-finished").with("rest", rest));
    // The others were not looked at, and need not be.
    let summary = [
        WORDS.say("sum-look-finish").with("move", &label),
        WORDS.say("sum-look-finished").with("rest", rest),
    ];
    told.choose(&label, Some(sure.known(Proof::AtLeast)), summary);
}

fn legal_moves(board: &Board) -> usize {
    board.open() as usize * usize::from(board.terms().c())
}

impl Looked {
    fn tell<W: Watch>(&self, board: &Board, pick: &Pick, watch: &mut W) {
        let me = board.to_move();
        let whole = !self.rounds.is_empty();
        let backup = if whole { Backup::Max } else { Backup::None };
        let mut told = Candidates::open(watch, me.name(), backup);
        self.tell_rounds(me, &mut told);
        for &paint in &self.moves {
            let (worth, numbers) = match self.last(paint) {
                Some((_, seen)) => {
                    let worth = self.seen_worth(seen, me);
                    let weight = (!decided(seen.value)).then_some(("weight", seen.value));
                    (Some(worth), weight.into_iter().collect())
                }
                None => (None, Vec::new()),
            };
            told.candidate(&label(paint), worth, &numbers, self.why(paint));
        }
        let rest = legal_moves(board) - self.moves.len();
        told.skip(rest, WORDS.say("look-rest").with("rest", rest));
        told.step(|| {
            let says = WORDS.say("look-count").with("nodes", pick.nodes);
            Step::new(Kind::Count, says).data("nodes", pick.nodes)
        });
        let depth = self.rounds.last().map_or(0, |round| round.depth);
        let done = WORDS
            .say("sum-look")
            .with("count", self.moves.len())
            .with("depth", depth)
            .with("nodes", pick.nodes);
        let decided = WORDS.say("sum-rule").with("why", pick.why.clone());
        let last = match self.next(pick.paint, me) {
            Some(seen) => WORDS.say("sum-look-next").with("why", self.why(seen.paint)),
            None => WORDS.say("sum-look-alone"),
        };
        let worth = self.last(pick.paint);
        let worth = worth.map(|(_, seen)| self.worth(seen.value, me));
        told.choose(&label(pick.paint), worth, [done, decided, last]);
    }

    /// The best chance against a Maker who goes for the nearest series: his answers, and what holds each.
    fn tell_hope<W: Watch>(&self, board: &Board, pick: &Pick, budget: &Budget, watch: &mut W) {
        let me = board.to_move();
        let mut told = Candidates::open(watch, me.name(), Backup::None);
        self.tell_rounds(me, &mut told);
        told.note(WORDS.say("look-hope"));
        let chosen = pick.paint;
        told.candidate(&label(chosen), Some(pick.worth), &[], pick.why.clone());
        let others = self.moves.iter().filter(|&&paint| paint != chosen);
        let mut listed = 1;
        for &paint in others {
            told.candidate(&label(paint), None, &[], self.why(paint));
            listed += 1;
        }
        let rest = legal_moves(board) - listed;
        told.skip(rest, WORDS.say("look-rest").with("rest", rest));
        for answer in answers(board, chosen, &budget.recount(HOLDING)) {
            told.step(|| answer_step(&answer));
        }
        let summary = [
            WORDS.say("sum-look-hope"),
            WORDS.say("sum-rule").with("why", pick.why.clone()),
            match self.next(chosen, me) {
                Some(seen) => WORDS.say("sum-look-next").with("why", self.why(seen.paint)),
                None => WORDS.say("sum-look-alone"),
            },
        ];
        told.choose(&label(chosen), Some(pick.worth), summary);
    }
}

fn answer_step(answer: &Answer) -> Step {
    let percent = |chance: f64| format!("{:.0}%", 100.0 * chance);
    let key = match answer.reply {
        Some(_) => "look-answer",
        None if answer.chance > 0.0 => "look-held",
        None => "look-unheld",
    };
    let says = WORDS
        .say(key)
        .with("move", label(answer.paint))
        .with("share", percent(answer.share))
        .with("chance", percent(answer.chance))
        .with("reply", answer.reply.map(label).unwrap_or_default());
    Step::new(Kind::Note, says)
        .data("id", 0)
        .data("move", label(answer.paint))
        .data("share", answer.share)
        .data("chance", answer.chance)
        .data("reply", answer.reply.map(label))
}
