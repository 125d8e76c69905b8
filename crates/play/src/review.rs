//! Looking through a game: what the machine that analyses it makes of every move that was played.

use std::sync::Arc;

use wits_game::{Eyes, Figure, Message, Seat, Turn};
use wits_search::{Budget, Kind, Recorder, Thread};

use crate::why_not::{backs_up, number};
use crate::{AnyDesk, AnyGame, AnyMatch, Choice, Shelf, Thought, WORDS};

/// How bad a move was.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Slip {
    /// Nothing was lost.
    None,
    /// Something was lost, but not the result.
    Inaccuracy,
    /// A win became a draw, or a draw a loss.
    Mistake,
    /// A win became a loss.
    Blunder,
}

impl Slip {
    /// As chess players annotate a move.
    pub const fn sign(self) -> &'static str {
        match self {
            Slip::None => "",
            Slip::Inaccuracy => "?!",
            Slip::Mistake => "?",
            Slip::Blunder => "??",
        }
    }

    /// What was lost from `best` to `value`, each with whether it is proved. An estimate says only something where its
    /// sign changes clearly, or where a loss is proved that it did not see.
    fn of((best, proved): (f64, bool), (value, certain): (f64, bool)) -> Slip {
        let result = |v: f64| if v == 0.0 { 0.0 } else { v.signum() };
        let lost = result(best) - result(value);
        if !(proved && certain) {
            let clearly = best - value >= 0.5 && lost >= 2.0;
            let fell = certain && value < 0.0 && best >= 0.0;
            return if clearly || fell {
                Slip::Mistake
            } else {
                Slip::None
            };
        }
        match lost {
            lost if lost >= 2.0 => Slip::Blunder,
            lost if lost >= 1.0 => Slip::Mistake,
            _ if value < best => Slip::Inaccuracy,
            _ => Slip::None,
        }
    }
}

/// What is said of one move. Values are those of the seat that moved.
#[derive(Clone, Debug)]
pub struct Remark {
    /// How many moves came before.
    pub ply: u32,
    /// Who moved.
    pub seat: Seat,
    /// The move.
    pub played: String,
    /// What the machine would have played.
    pub best: String,
    /// What the position was worth before the move, and after it.
    pub worth: Option<(f64, f64)>,
    /// Whether both values are proved.
    pub exact: bool,
    /// How bad the move was.
    pub slip: Slip,
    /// What answers the move, best play by both sides.
    pub line: Vec<String>,
    /// The remark in a sentence.
    pub text: Message,
}

/// What the machine makes of one position: its move, and what the position is worth to the seat to move.
struct Judgement {
    seat: Seat,
    value: Option<f64>,
    exact: bool,
    line: Vec<String>,
}

/// Somebody who listens to what the machine thinks of the position after so many moves, while it looks at it.
type Listen<'a> = &'a mut (dyn FnMut(u32, &Thought<String>) + Send);

/// A game looked through from its last move to the first: what a move is worth is what the position after it is
/// worth, and that one was looked at just before.
pub struct Review {
    game: Arc<dyn AnyGame>,
    shelf: Shelf,
    /// The position before each move, and the last one.
    positions: Vec<Box<dyn AnyMatch>>,
    moves: Vec<(Seat, String)>,
    left: usize,
    after: Option<Judgement>,
}

impl Review {
    /// A review of a game without secrets: the positions before each move and after the last.
    pub fn new(game: Arc<dyn AnyGame>, shelf: Shelf, positions: Vec<Box<dyn AnyMatch>>) -> Review {
        let told = positions.last().map(|last| last.told(Eyes::All));
        let moves: Vec<(Seat, String)> = told
            .into_iter()
            .flatten()
            .filter_map(|told| Some((told.seat?, told.text)))
            .collect();
        let first = moves
            .len()
            .saturating_sub(positions.len().saturating_sub(1));
        let moves = moves[first..].to_vec();
        Review {
            left: moves.len(),
            game,
            shelf,
            positions,
            moves,
            after: None,
        }
    }

    /// How many moves are not yet looked at.
    pub fn left(&self) -> usize {
        self.left
    }

    /// Looks at one more move inside the budget; nothing where all are looked at or the budget ran out before
    /// the machine could decide.
    pub fn step(&mut self, budget: &Budget, listen: Listen<'_>) -> Option<Remark> {
        let at = self.left.checked_sub(1)?;
        if self.after.is_none() {
            self.after = self.judge(at + 1, budget, &mut *listen);
        }
        self.left = at;
        let Some(before) = self.judge(at, budget, listen) else {
            // What is known of the position after this move says nothing of the one before it.
            self.after = None;
            return None;
        };
        let (seat, played) = self.moves[at].clone();
        let after = self.after.as_ref().and_then(|after| self.told(after, seat));
        let reply = self.after.as_ref().map_or(&[][..], |after| &after.line);
        let line = [std::slice::from_ref(&played), reply].concat();
        let best = before.line.first().cloned().unwrap_or_default();
        let certain = self.after.as_ref().is_some_and(|after| after.exact);
        let exact = before.exact && certain;
        let worth = before.value.zip(after);
        let slip = match worth {
            Some((best_value, value)) if best != played => {
                Slip::of((best_value, before.exact), (value, certain))
            }
            _ => Slip::None,
        };
        let sure = (before.exact, certain);
        let text = sentence(&played, &best, worth, (slip, sure), reply.first());
        self.after = Some(before);
        Some(Remark {
            ply: at as u32,
            seat,
            played,
            best,
            worth,
            exact,
            slip,
            line,
            text,
        })
    }

    /// What a judgement is worth to a seat: one side's gain is the other's loss.
    fn told(&self, judgement: &Judgement, seat: Seat) -> Option<f64> {
        let value = judgement.value?;
        match self.game.seats() {
            _ if judgement.seat == seat => Some(value),
            2 => Some(0.0 - value),
            _ => None,
        }
    }

    fn judge(&self, at: usize, budget: &Budget, listen: Listen<'_>) -> Option<Judgement> {
        let table = self.positions.get(at)?;
        let seat = match table.turn() {
            Turn::Of(seat) => seat,
            Turn::Over(outcome) => {
                let seat = self.moves.last()?.0;
                return Some(Judgement {
                    seat,
                    value: Some(f64::from(outcome.payoff(seat))),
                    exact: true,
                    line: Vec::new(),
                });
            }
            Turn::Chance => return None,
        };
        let spec = self.game.analyst(seat)?;
        let mut player = self.game.player(&spec, seat, &self.shelf).ok()?;
        let mut recorder = Recorder::new(STEPS);
        let desk = AnyDesk {
            budget,
            dice: table.dice(seat),
            tell: &mut |thought| listen(at as u32, thought),
            record: Some(&mut recorder),
        };
        let Choice::Move(chosen) = player.choose(table.as_ref(), desk) else {
            return None;
        };
        let seed = wits_game::Seed::new(0);
        let thread = player.thread(recorder, &*self.game, table.as_ref(), seed, &chosen);
        Some(Judgement::read(&thread, seat, chosen))
    }
}

/// How many steps of a decision are kept: the decision itself is always among them.
const STEPS: usize = 200;

impl Judgement {
    fn read(thread: &Thread, seat: Seat, chosen: String) -> Judgement {
        let choose = thread.steps.iter().rev().find(|s| s.kind == Kind::Choose);
        let data = choose.map(|step| &step.data);
        let line = data.and_then(|data| {
            let line = data.get("line")?.as_array()?;
            line.iter().map(|m| m.as_str().map(str::to_owned)).collect()
        });
        let line: Vec<String> = line.unwrap_or_default();
        let line = if line.first() == Some(&chosen) {
            line
        } else {
            vec![chosen]
        };
        let value = data.and_then(|data| number(data.get("value")?));
        Judgement {
            seat,
            // Numbers of rules compare moves, not positions.
            value: value.filter(|value| value.is_finite() && backs_up(thread)),
            exact: data.is_some_and(|data| data.get("is").is_some_and(|is| is == "exact")),
            line,
        }
    }
}

/// A value as people say it: a result where it is one, otherwise the number.
fn said(value: f64, exact: bool) -> Message {
    match value {
        1.0 if exact => WORDS.say("review-win"),
        0.0 if exact => WORDS.say("review-draw"),
        -1.0 if exact => WORDS.say("review-loss"),
        _ => {
            let digits = usize::from(value.fract() != 0.0);
            WORDS
                .say("review-worth")
                .with("value", Figure::Signed(value, digits))
        }
    }
}

fn sentence(
    played: &str,
    best: &str,
    worth: Option<(f64, f64)>,
    (slip, (proved, certain)): (Slip, (bool, bool)),
    reply: Option<&String>,
) -> Message {
    let message = match (worth, reply) {
        _ if played == best => WORDS.say("review-same"),
        (None, _) => WORDS.say("review-other"),
        (Some(_), _) if slip == Slip::None => WORDS.say("review-fine"),
        (Some((value, _)), _) if value == 0.0 && !proved => WORDS.say("review-open"),
        (Some(_), Some(reply)) => WORDS.say("review-answered").with("reply", reply.as_str()),
        (Some(_), None) => WORDS.say("review-worse"),
    };
    let message = message.with("move", played).with("best", best);
    match worth {
        Some((before, after)) => message
            .with("value", said(after, certain))
            .with("best_value", said(before, proved)),
        None => message,
    }
}
