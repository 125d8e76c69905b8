//! A strong player for both sides and every board.
//!
//! It weighs every live series by how few numbers it misses (each number less makes it three times
//! heavier, in the spirit of the Erdős–Selfridge potential, 1973) and looks ahead with alpha-beta over
//! the few moves that change the sum most. Threats are forced: a series that lacks one number must be
//! spoiled at once, so such moves cost no depth. Short boards are solved first if that fits the budget.
//!
//! As Breaker it does not stop where the best replies would win, which is nearly everywhere on long boards: it then
//! plays for the best chance against a Maker who goes for the nearest series, as level 4 does (see `hold`).

use wits_game::{Dice, Message};
use wits_play::{Choice, Desk, Line, Player, Thought, Worth};
use wits_search::{Budget, Limits};

use super::account::{Account, Looked, Round, Seen};
use super::live::Live;
use super::said::any;
use super::sketch::{Idea, Sketch};
use super::{Hint, Level};
use crate::WORDS;
use crate::board::{Board, Paint};
use crate::exact::Solver;
use crate::game::Rainbow;
use crate::hold::way;
use crate::terms::Side;

/// A strong player for both sides.
#[derive(Clone, Copy, Debug)]
pub struct Strong {
    nodes: u64,
}

/// Moves looked at in each position.
const WIDTH: usize = 8;

/// No line is longer than this, forced moves included.
const LONGEST: u32 = 40;

/// For each node of looking ahead, so many positions for solving a short board before it: those are far cheaper.
const SOLVING: u64 = 20;

/// And so many for following games against level 4 after it, which are cheaper still.
const HOLDING: u64 = 40;

const WIN: f64 = 1e300;

/// Whether a value says that somebody wins within the look ahead: a win is worth less the later it comes.
pub(super) fn decided(value: f64) -> bool {
    value.abs() >= WIN / f64::from(LONGEST + 1)
}

/// What a player of this room found: a move, what it is worth, and the rule.
pub(super) struct Pick {
    pub(super) paint: Paint,
    pub(super) worth: Worth,
    pub(super) nodes: u64,
    pub(super) depth: u32,
    /// Nothing better can be found: it wins, or it is the only move.
    pub(super) sure: bool,
    pub(super) why: Message,
}

impl Pick {
    pub(super) fn play(self, desk: &mut Desk<'_, Paint>) -> Choice<Paint> {
        let lines = vec![Line {
            moves: vec![self.paint],
            worth: self.worth,
        }];
        let why = Some(self.why);
        desk.say(Thought {
            lines,
            depth: self.depth,
            nodes: self.nodes,
            why,
            ..Thought::default()
        });
        Choice::Move(self.paint)
    }
}

impl Strong {
    /// How many positions it looks at for a move unless told otherwise.
    pub const NODES: u64 = 3_000;

    /// A player that looks at this many positions for a move, besides solving short boards.
    pub fn new(nodes: u64) -> Strong {
        Strong { nodes }
    }

    /// Plays for a player whose own argument does not apply, and says so in the sentence `key`.
    pub(super) fn instead(
        self,
        board: &Board,
        desk: &mut Desk<'_, Paint>,
        key: &'static str,
    ) -> Choice<Paint> {
        let Some((mut pick, account)) = self.at(board, desk) else {
            return Choice::Resign;
        };
        pick.why = WORDS.say(key).with("why", pick.why);
        if let Some(watch) = desk.record.take() {
            let instead = Some(pick.why.clone());
            account.tell(board, &pick, instead, desk.budget, watch);
        }
        pick.play(desk)
    }

    /// What it plays at a desk, and what stands behind it: more is kept where somebody watches.
    pub(super) fn at(self, board: &Board, desk: &mut Desk<'_, Paint>) -> Option<(Pick, Account)> {
        let mut dice = desk.dice.clone();
        let live = Live::new(&mut *desk.tell);
        if desk.record.is_some() {
            self.pick::<true>(board, &mut dice, desk.budget, live)
        } else {
            self.pick::<false>(board, &mut dice, desk.budget, live)
        }
    }

    fn pick<const WATCHED: bool>(
        self,
        board: &Board,
        dice: &mut Dice,
        budget: &Budget,
        mut live: Live<'_>,
    ) -> Option<(Pick, Account)> {
        let me = board.to_move();
        let mut each = |paint, winner| live.hear(paint, won(winner == me), board.open());
        let solving = budget.within(Limits::nodes(self.nodes.saturating_mul(SOLVING)));
        if let Some(mut solver) = Solver::new(board.terms())
            && let Some(solved) = solver.solve_live(board, &solving, &mut each)
            && let Some(paint) = solved.best
        {
            let why = WORDS.say("strong-solved").with("nodes", solved.nodes);
            let pick = Pick {
                paint,
                worth: Worth::exact(1),
                nodes: solved.nodes,
                depth: board.open(),
                sure: true,
                why,
            };
            return Some((pick, Account::Solved(Box::new(solver), solved.winner)));
        }
        let looking = budget.within(Limits::nodes(self.nodes));
        let Some(sketch) = Sketch::new(board) else {
            return by_rule(board, dice);
        };
        live.anew();
        let mut hear = |paint, worth, depth| live.hear(paint, worth, depth);
        let mut look = Look::<WATCHED>::new(sketch, &looking, &mut hear);
        let (pick, account) = look.best(board, dice)?;
        if me == Side::Maker || pick.sure {
            return Some((pick, account));
        }
        let holding = budget.within(Limits::nodes(self.nodes.saturating_mul(HOLDING)));
        match (hopeful(board, &holding, &pick), account) {
            (Some(hope), Account::Looked(looked)) => Some((hope, Account::Hope(looked))),
            (Some(hope), account) => Some((hope, account)),
            (None, account) => Some((pick, account)),
        }
    }
}

/// A game that is decided.
pub(super) fn won(won: bool) -> Worth {
    Worth::exact(if won { 1 } else { -1 })
}

/// Breaker's best chance against a Maker who goes for the nearest series; nothing if he has none.
fn hopeful(board: &Board, budget: &Budget, other: &Pick) -> Option<Pick> {
    let hold = way(board, budget)?;
    let why = WORDS
        .say("strong-hope")
        .with("number", hold.paint.number)
        .with("colour", hold.paint.colour)
        .with("chance", format!("{:.0}%", 100.0 * hold.chance));
    Some(Pick {
        paint: hold.paint,
        worth: Worth::heuristic(2.0 * hold.chance - 1.0),
        nodes: other.nodes + hold.nodes,
        depth: other.depth,
        sure: false,
        why,
    })
}

/// On the largest boards: the fourth level or hint, which see threats and count what they touch.
fn by_rule(board: &Board, dice: &mut Dice) -> Option<(Pick, Account)> {
    let (advice, rule) = match board.to_move() {
        Side::Maker => {
            let level = Level::new(4)?;
            (level.advise(board, dice)?, level.rule(board))
        }
        Side::Breaker => {
            let hint = Hint::new(4)?;
            (hint.advise(board, dice)?, hint.rule(board))
        }
    };
    let pick = Pick {
        paint: advice.paint,
        worth: Worth::heuristic(0.0),
        nodes: 1,
        depth: 1,
        sure: false,
        why: advice.why.clone(),
    };
    Some((pick, Account::Rule(rule, advice)))
}

/// A look ahead; where somebody watches, every round is kept.
struct Look<'a, const WATCHED: bool> {
    /// Who hears of a move's worth and of the depth, once it is known.
    hear: &'a mut dyn FnMut(Paint, Worth, u32),
    sketch: Sketch,
    budget: &'a Budget,
    nodes: u64,
    /// The best reply to the root move that is being looked at.
    reply: Option<Paint>,
    rounds: Vec<Round>,
}

impl<'a, const WATCHED: bool> Look<'a, WATCHED> {
    fn new(
        sketch: Sketch,
        budget: &'a Budget,
        hear: &'a mut dyn FnMut(Paint, Worth, u32),
    ) -> Look<'a, WATCHED> {
        Look {
            hear,
            sketch,
            budget,
            nodes: 0,
            reply: None,
            rounds: Vec::new(),
        }
    }

    fn best(&mut self, board: &Board, dice: &mut Dice) -> Option<(Pick, Account)> {
        let me = board.to_move();
        if me == Side::Maker
            && let Some(paint) = self.sketch.finish()
        {
            let why = WORDS.say("strong-finish");
            let pick = Pick {
                paint,
                worth: Worth::exact(1),
                nodes: 1,
                depth: 1,
                sure: true,
                why,
            };
            return Some((pick, Account::Finish));
        }
        let mut moves = self.roots(dice);
        let Some(&first) = moves.first() else {
            let paint = any(board, dice)?;
            let why = WORDS.say("strong-any");
            let pick = Pick {
                paint,
                worth: Worth::heuristic(0.0),
                nodes: 1,
                depth: 1,
                sure: true,
                why,
            };
            return Some((pick, Account::Any));
        };
        let mut best = (first, 0.0);
        let mut reached = 0;
        for depth in 1..LONGEST {
            let Some((at, value)) = self.round(&moves, me, depth) else {
                break;
            };
            best = (moves[at], value);
            reached = depth;
            moves[..=at].rotate_right(1);
            // A win that comes later may come sooner by a deeper look.
            if value.abs() >= WIN / 2.0 || moves.len() == 1 {
                break;
            }
        }
        let (paint, value) = best;
        let now = self.sketch.weight;
        let key = if decided(value) && value > 0.0 {
            "strong-maker"
        } else if decided(value) {
            "strong-breaker"
        } else if moves.len() == 1 {
            "strong-forced"
        } else if me == Side::Maker {
            "strong-grow"
        } else {
            "strong-hold"
        };
        let why = WORDS
            .say(key)
            .with("number", paint.number)
            .with("colour", paint.colour)
            .with("depth", reached)
            .with("now", format!("{now:.0}"))
            .with("then", format!("{value:.0}"));
        let worth = self.worth(value, me);
        let pick = Pick {
            paint,
            worth,
            nodes: self.nodes,
            depth: reached,
            sure: moves.len() == 1 || (me == Side::Breaker && value <= -WIN / 2.0),
            why,
        };
        let looked = Looked {
            now,
            moves,
            rounds: std::mem::take(&mut self.rounds),
        };
        Some((pick, Account::Looked(looked)))
    }

    /// What a value for Maker is worth to a side: how much heavier or lighter its series get.
    fn worth(&self, value: f64, me: Side) -> Worth {
        let now = self.sketch.weight;
        let worth = if decided(value) {
            value.signum()
        } else {
            (value - now) / now.max(1.0)
        };
        Worth::heuristic(if me == Side::Maker { worth } else { -worth })
    }

    /// The moves to compare, in an order that the dice shuffle where they are alike.
    fn roots(&mut self, dice: &mut Dice) -> Vec<Paint> {
        if self.sketch.threatened() && self.sketch.turn() == Side::Breaker {
            let defences = self.sketch.defences();
            if !defences.is_empty() {
                return defences;
            }
        }
        let mut ideas = self.sketch.ideas(usize::MAX);
        let sign = if self.sketch.turn() == Side::Maker {
            -1.0
        } else {
            1.0
        };
        dice.shuffle(&mut ideas);
        ideas.sort_by(|a, b| (a.gain * sign).total_cmp(&(b.gain * sign)));
        ideas.truncate(2 * WIDTH);
        ideas.into_iter().map(|idea| idea.paint).collect()
    }

    /// One round of deepening: the best of the moves, and its value for Maker.
    fn round(&mut self, moves: &[Paint], me: Side, depth: u32) -> Option<(usize, f64)> {
        let mut best: Option<(usize, f64)> = None;
        let (mut alpha, mut beta) = (f64::NEG_INFINITY, f64::INFINITY);
        let mut all = Vec::new();
        for (i, &paint) in moves.iter().enumerate() {
            self.reply = None;
            self.sketch.paint(paint);
            let value = self.value(depth - 1, 1, alpha, beta);
            self.sketch.take_back();
            let value = value?;
            let better = |old: f64| {
                if me == Side::Maker {
                    value > old
                } else {
                    value < old
                }
            };
            let leads = best.is_none_or(|(_, old)| better(old));
            if leads {
                best = Some((i, value));
            }
            let worth = self.worth(value, me);
            (self.hear)(paint, worth, depth);
            if WATCHED {
                // Behind the leader the window tells only that a move is no better.
                all.push(Seen {
                    paint,
                    value,
                    bound: !leads,
                    reply: self.reply,
                });
            }
            match me {
                Side::Maker => alpha = alpha.max(value),
                Side::Breaker => beta = beta.min(value),
            }
        }
        if WATCHED {
            self.rounds.push(Round { depth, seen: all });
        }
        best
    }

    /// The value for Maker; `None` when the budget has ended.
    fn value(&mut self, depth: u32, ply: u32, mut alpha: f64, mut beta: f64) -> Option<f64> {
        self.nodes += 1;
        if self.budget.spent(self.nodes) {
            return None;
        }
        match self.sketch.winner() {
            // Sooner is better for the winner, later for the loser.
            Some(Side::Maker) => return Some(WIN / f64::from(ply)),
            Some(Side::Breaker) => return Some(-WIN / f64::from(ply)),
            None => {}
        }
        let forced = self.sketch.threatened();
        if ply >= LONGEST || (depth == 0 && !forced) {
            return Some(self.sketch.weight);
        }
        let moves: Vec<Paint> = if forced {
            self.sketch.defences()
        } else {
            self.sketch
                .ideas(WIDTH)
                .into_iter()
                .map(|Idea { paint, .. }| paint)
                .collect()
        };
        if moves.is_empty() {
            return Some(WIN / f64::from(ply + 1));
        }
        let maker = self.sketch.turn() == Side::Maker;
        let deeper = if forced { depth } else { depth - 1 };
        let mut best = if maker {
            f64::NEG_INFINITY
        } else {
            f64::INFINITY
        };
        for paint in moves {
            self.sketch.paint(paint);
            let value = self.value(deeper, ply + 1, alpha, beta);
            self.sketch.take_back();
            let value = value?;
            if WATCHED && ply == 1 && (if maker { value > best } else { value < best }) {
                self.reply = Some(paint);
            }
            if maker {
                best = best.max(value);
                alpha = alpha.max(value);
            } else {
                best = best.min(value);
                beta = beta.min(value);
            }
            if alpha >= beta {
                break;
            }
        }
        Some(best)
    }
}

impl Player<Rainbow> for Strong {
    fn choose(&mut self, _: &Rainbow, board: &Board, desk: &mut Desk<'_, Paint>) -> Choice<Paint> {
        let Some((pick, account)) = self.at(board, desk) else {
            return Choice::Resign;
        };
        if let Some(watch) = desk.record.take() {
            account.tell(board, &pick, None, desk.budget, watch);
        }
        pick.play(desk)
    }

    fn lens(&self) -> &'static str {
        "candidates"
    }
}
