//! Why not that one? The answer to a person who points at another legal move.

use std::cmp::Ordering;
use std::collections::HashMap;

use serde::Serialize;
use serde_json::Value;
use wits_game::{Eyes, Illegal, Lang, Message, Seat, Turn};
use wits_search::{Backup, Budget, Kind, Recorder, Thread};

use crate::{AnyDesk, AnyGame, AnyMatch, Choice, Shelf, Spec, WORDS};

/// A contrast: what the machine thinks of a move that it did not choose.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct WhyNot {
    /// The move that was pointed at.
    #[serde(rename = "move")]
    pub mv: String,
    /// What the machine thinks it is worth to its own seat, where it has a number for it.
    pub value: Value,
    /// What that value is: `exact`, `at least`, `at most`, `estimate`.
    pub is: Option<String>,
    /// What it chose.
    pub chosen: String,
    /// What that is worth.
    pub chosen_value: Value,
    /// The move and what answers it, as far as it is known; it can be played on the board.
    pub line: Vec<String>,
    /// The answer in a sentence or two.
    pub text: Message,
    /// By how much it is worth less, where the answer says so.
    #[serde(skip)]
    pub less: Option<f64>,
}

/// A decision that somebody asks about.
pub struct Decision<'a> {
    /// The game.
    pub game: &'a dyn AnyGame,
    /// The position in which the machine decided.
    pub table: &'a dyn AnyMatch,
    /// The machine.
    pub by: &'a Spec,
    /// The files that machines may need.
    pub shelf: &'a Shelf,
    /// Its thread.
    pub thread: &'a Thread,
}

impl Decision<'_> {
    /// Why the machine did not play another legal move.
    ///
    /// The machine answers by its own means: by the value and the reason in its thread, and where the thread
    /// does not show how the move is answered, by thinking about the position after it, inside the budget.
    ///
    /// # Errors
    /// What is wrong with a move that is not legal.
    pub fn why_not(&self, text: &str, budget: &Budget) -> Result<WhyNot, Illegal> {
        let Turn::Of(seat) = self.table.turn() else {
            return Err(Illegal::say(&WORDS, "why-over"));
        };
        let (mv, next) = self.after(seat, text)?;
        let record = Shown::read(self.thread);
        let mut answer = record.of(&mv);
        // A rule that weighs moves by themselves gave its reason; a reply is not why the move is worth that.
        let weighed = self.thread.header.lens == "candidates"
            && answer.line.len() < 2
            && !answer.value.is_null();
        let open = !self.game.hidden() && next.turn().outcome().is_none();
        let chosen = self.thread.footer.result.clone();
        let chosen_value = record.chosen_value();
        // A search stops at a move as soon as it is no better than another: how much worse it is, nobody asked.
        let refused = answer.is.as_deref() == Some("at most")
            && number(&answer.value) == number(&chosen_value)
            && mv != chosen
            && !weighed;
        let mut now = None;
        if open && (answer.line.len() < 2 || answer.value.is_null() || refused) {
            let found = self.forced(next.as_ref(), seat, budget);
            let (worth, best) = (found.value.as_ref().and_then(number), number(&chosen_value));
            let holds = worth < best || (found.exact && worth == best);
            if refused && worth.is_some() && holds {
                answer.line.truncate(1);
                answer.line.extend(found.line);
                now = found.value;
                if found.exact {
                    // It looked to the end, so this is what the move is worth.
                    answer.value = now.take().unwrap_or_default();
                    answer.is = Some("exact".to_owned());
                }
            } else {
                if answer.line.len() < 2 {
                    answer.line.extend(found.line);
                }
                if answer.value.is_null()
                    && let Some(value) = found.value
                {
                    answer.value = value;
                    answer.is = Some("estimate".to_owned());
                }
            }
        }
        let (text, less) = match &now {
            Some(now) => looked_again(&mv, &chosen, &answer, now, &chosen_value),
            None => sentence(&mv, &chosen, &answer, &chosen_value, weighed),
        };
        Ok(WhyNot {
            mv,
            value: answer.value,
            is: answer.is,
            chosen,
            chosen_value,
            line: answer.line,
            text,
            less,
        })
    }

    /// A legal move as players write it, and the match after it.
    pub(crate) fn after(
        &self,
        seat: Seat,
        text: &str,
    ) -> Result<(String, Box<dyn AnyMatch>), Illegal> {
        let mut next = self.table.copy();
        next.play(seat, text, None)?;
        let told = next.told(Eyes::Seat(seat));
        let played = told.iter().rev().find(|told| told.seat == Some(seat));
        let mv = played.map_or_else(|| text.to_owned(), |told| told.text.clone());
        Ok((mv, next))
    }

    /// What is played after a move, and what that makes it worth: the machine itself sits on the other side, or
    /// where it cannot, the machine that newcomers play against.
    pub(crate) fn forced(&self, next: &dyn AnyMatch, seat: Seat, budget: &Budget) -> Reply {
        let mut table = next.copy();
        table.settle();
        let Turn::Of(mover) = table.turn() else {
            return Reply::default();
        };
        let player = self.game.player(self.by, mover, self.shelf).or_else(|_| {
            let other = self.game.opponent(mover);
            self.game.player(&other, mover, self.shelf)
        });
        let Ok(mut player) = player else {
            return Reply::default();
        };
        let mut recorder = Recorder::new(500);
        let desk = AnyDesk {
            budget,
            dice: table.dice(mover),
            tell: &mut |_| {},
            record: Some(&mut recorder),
        };
        let Choice::Move(reply) = player.choose(table.as_ref(), desk) else {
            return Reply::default();
        };
        let seed = wits_game::Seed::new(0);
        let thread = player.thread(recorder, self.game, table.as_ref(), seed, &reply);
        let choose = thread.steps.iter().rev().find(|s| s.kind == Kind::Choose);
        let line = choose.and_then(|step| {
            let line = step.data.get("line")?.as_array()?;
            line.iter().map(|m| m.as_str().map(str::to_owned)).collect()
        });
        let line: Vec<String> = line.unwrap_or_else(|| vec![reply]);
        // Numbers of rules compare moves, not positions, so only those that back up say what the move is worth.
        let told = backs_up(&thread) && backs_up(self.thread) && self.game.seats() <= 2;
        let value = choose
            .filter(|_| told)
            .and_then(|step| step.data.get("value")?.as_f64())
            .map(|value| if mover == seat { value } else { 0.0 - value });
        let is = choose.and_then(|step| step.data.get("is")?.as_str());
        Reply {
            line,
            value: value.map(Value::from),
            exact: is == Some("exact"),
        }
    }
}

/// What is played after a move.
#[derive(Default)]
pub(crate) struct Reply {
    /// The reply, and what is expected after it.
    pub(crate) line: Vec<String>,
    /// What that makes the move worth to its own seat.
    pub(crate) value: Option<Value>,
    /// Whether that is proved.
    exact: bool,
}

/// Whether the numbers of a thread say what positions are worth.
pub(crate) fn backs_up(thread: &Thread) -> bool {
    let choose = thread.steps.iter().rev().find(|s| s.kind == Kind::Choose);
    let rule = choose.is_some_and(|step| step.data.get("by").is_some_and(|by| by == "rule"));
    !rule && matches!(thread.header.backup, Backup::Max | Backup::Mean)
}

/// A move that a search refused as no better, and what a look at it alone comes to.
fn looked_again(
    mv: &str,
    chosen: &str,
    answer: &Answer,
    now: &Value,
    chosen_value: &Value,
) -> (Message, Option<f64>) {
    let reply = answer.line.get(1).map_or("", String::as_str);
    let short = less(now, chosen_value);
    let says = WORDS
        .say("why-again")
        .with("move", mv)
        .with("chosen", chosen)
        .with("value", shown(&answer.value))
        .with("now", shown(now))
        .with("reply", reply)
        .with("less", difference(short));
    (says, Some(short))
}

/// By how much one value is less than another.
fn less(value: &Value, than: &Value) -> f64 {
    number(than).unwrap_or(0.0) - number(value).unwrap_or(0.0)
}

/// A difference in as many digits as it takes to see that there is one.
fn difference(short: f64) -> String {
    if short.fract() == 0.0 || !short.is_finite() {
        return format!("{short}");
    }
    let digits = (3..12).find(|&digits| short.abs() >= 0.1_f64.powi(digits));
    pointed(format!("{short:.*}", digits.unwrap_or(12) as usize))
}

/// A number as the language that is spoken writes it.
fn pointed(number: String) -> String {
    match Lang::spoken() {
        Lang::En => number,
        Lang::Pl | Lang::Cs => number.replace('.', ","),
    }
}

fn sentence(
    mv: &str,
    chosen: &str,
    answer: &Answer,
    chosen_value: &Value,
    weighed: bool,
) -> (Message, Option<f64>) {
    if mv == chosen {
        return (WORDS.say("why-same").with("move", mv), None);
    }
    let reply = answer.line.get(1).map(String::as_str);
    let is = answer.is.as_deref();
    let order = number(&answer.value)
        .zip(number(chosen_value))
        .map(|(a, b)| a.total_cmp(&b));
    let short = less(&answer.value, chosen_value);
    let mut told = None;
    let mut says_less = |key: &'static str| {
        told = Some(short);
        WORDS.say(key).with("less", difference(short))
    };
    let says = match (order, is) {
        (Some(Ordering::Equal), Some("at most")) => WORDS.say("why-no-better"),
        // A bound on the wrong side of the other value does not say which of the two is greater.
        (Some(Ordering::Greater), Some("at most"))
        | (Some(Ordering::Less | Ordering::Equal), Some("at least")) => WORDS.say("why-bound"),
        (Some(Ordering::Equal), _) if answer.ruled => WORDS.say("why-equal-rule"),
        (Some(Ordering::Equal), _) => WORDS.say("why-equal"),
        (Some(Ordering::Greater), _) => WORDS.say("why-more"),
        (Some(Ordering::Less), _) if weighed => {
            let reason = answer.reason.as_deref().unwrap_or_default();
            WORDS.say("why-weighed").with("reason", reason)
        }
        (Some(Ordering::Less), Some("at most")) if reply.is_some() => {
            says_less("why-refuted-least")
        }
        (Some(Ordering::Less), _) if reply.is_some() => says_less("why-refuted"),
        (Some(Ordering::Less), _) => WORDS.say("why-less"),
        (None, _) => match (&answer.reason, reply) {
            (Some(reason), Some(_)) if answer.skipped => {
                WORDS.say("why-passed").with("reason", reason.as_str())
            }
            (Some(reason), _) => WORDS.say("why-reason").with("reason", reason.as_str()),
            (None, _) => WORDS.say("why-unweighed"),
        },
    };
    let key = match is {
        Some("at most") => "why-at-most",
        Some("at least") => "why-at-least",
        _ => "why-value",
    };
    let value = WORDS.say(key).with("value", shown(&answer.value));
    let says = says
        .with("move", mv)
        .with("chosen", chosen)
        .with("value", value)
        .with("chosen_value", shown(chosen_value))
        .with("reply", reply.unwrap_or(""));
    (says, told)
}

pub(crate) fn number(value: &Value) -> Option<f64> {
    match value.as_str() {
        Some("inf" | "+inf") => Some(f64::INFINITY),
        Some("-inf") => Some(f64::NEG_INFINITY),
        _ => value.as_f64(),
    }
}

fn shown(value: &Value) -> String {
    match number(value) {
        None => "-".to_owned(),
        Some(n) if n.fract() == 0.0 || n.is_infinite() => format!("{:+}", n + 0.0),
        Some(n) => pointed(format!("{n:+.3}")),
    }
}

/// What the thread says of one move.
#[derive(Default)]
pub(crate) struct Answer {
    pub(crate) value: Value,
    pub(crate) is: Option<String>,
    pub(crate) reason: Option<String>,
    pub(crate) line: Vec<String>,
    /// Whether a rule passed over it, so that it was not weighed.
    skipped: bool,
    /// Whether a rule decides here that looks at more than values, and no dice.
    ruled: bool,
}

/// The tree of a thread as far as it is needed here.
pub(crate) struct Shown<'a> {
    thread: &'a Thread,
    /// The children of each node, in order: number and move.
    below: HashMap<String, Vec<(String, Option<&'a str>)>>,
    /// The last close of each node.
    closed: HashMap<String, &'a wits_search::Line>,
    root: Option<String>,
}

impl<'a> Shown<'a> {
    pub(crate) fn read(thread: &'a Thread) -> Shown<'a> {
        let mut shown = Shown {
            thread,
            below: HashMap::new(),
            closed: HashMap::new(),
            root: None,
        };
        let name = |step: &wits_search::Line, key: &str| {
            let value = step.data.get(key).filter(|value| !value.is_null());
            value.map(Value::to_string)
        };
        for step in &thread.steps {
            let Some(id) = name(step, "id") else { continue };
            match step.kind {
                Kind::Open => {
                    let mv = step.data.get("move").and_then(Value::as_str);
                    match name(step, "parent") {
                        Some(parent) => shown.below.entry(parent).or_default().push((id, mv)),
                        None if shown.root.is_none() => shown.root = Some(id),
                        None => {}
                    }
                }
                Kind::Close => drop(shown.closed.insert(id, step)),
                _ => {}
            }
        }
        shown
    }

    /// What is said of a move at the root: by the last look at the position that weighed it.
    pub(crate) fn of(&self, mv: &str) -> Answer {
        let mut answer = Answer {
            line: vec![mv.to_owned()],
            ruled: self.ruled(),
            ..Answer::default()
        };
        let Some(root) = &self.root else {
            return answer;
        };
        let mut looks = vec![root];
        let groups = self.below.get(root).into_iter().flatten();
        looks.extend(groups.filter(|(_, mv)| mv.is_none()).map(|(id, _)| id));
        for look in looks.into_iter().rev() {
            let mut tried = self.below.get(look).into_iter().flatten();
            let Some((id, _)) = tried.find(|(_, tried)| *tried == Some(mv)) else {
                if answer.reason.is_none() {
                    answer.reason = self.skipped(look);
                    answer.skipped = answer.reason.is_some();
                }
                continue;
            };
            let Some(close) = self.closed.get(id) else {
                continue;
            };
            if answer.reason.is_none() {
                answer.reason = Some(close.text.clone());
            }
            if !close.data.get("value").is_none_or(Value::is_null) {
                answer.value = close.data["value"].clone();
                answer.is = close
                    .data
                    .get("is")
                    .and_then(Value::as_str)
                    .map(str::to_owned);
                answer.reason = Some(close.text.clone());
                answer.skipped = false;
                self.follow(id, &mut answer.line);
                return answer;
            }
        }
        answer
    }

    /// Whether nothing backs up and nothing was drawn, so that a rule decided.
    fn ruled(&self) -> bool {
        let mut steps = self.thread.steps.iter();
        self.thread.header.backup == Backup::None && steps.all(|step| step.kind != Kind::Draw)
    }

    /// Why a rule skipped the moves at a node that are not shown.
    fn skipped(&self, node: &str) -> Option<String> {
        let cut = self.thread.steps.iter().find(|step| {
            let of = step.data.get("id").map(Value::to_string);
            let by = step.data.get("by").and_then(Value::as_str);
            step.kind == Kind::Cut && by == Some("rule") && of.as_deref() == Some(node)
        });
        cut.map(|step| step.text.clone())
    }

    /// The best line below a node, as far as it is shown.
    fn follow(&self, from: &str, line: &mut Vec<String>) {
        let mut here = from.to_owned();
        loop {
            let best = self
                .below
                .get(&here)
                .into_iter()
                .flatten()
                .rev()
                .find(|(id, _)| {
                    let close = self.closed.get(id);
                    close.is_some_and(|c| c.data.get("best") == Some(&Value::Bool(true)))
                });
            let Some((id, mv)) = best else { return };
            // One of several looks at a position has no move of its own.
            line.extend(mv.map(str::to_owned));
            here.clone_from(id);
        }
    }

    fn chosen_value(&self) -> Value {
        let steps = self.thread.steps.iter().rev();
        let choose = steps.into_iter().find(|step| step.kind == Kind::Choose);
        choose
            .and_then(|step| step.data.get("value").cloned())
            .unwrap_or(Value::Null)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(is: &str, value: f64, chosen: f64) -> (Message, Option<f64>) {
        let answer = Answer {
            value: value.into(),
            is: Some(is.to_owned()),
            line: vec!["d3".to_owned(), "c5".to_owned()],
            ..Answer::default()
        };
        sentence("d3", "e6", &answer, &chosen.into(), false)
    }

    /// A bound above the chosen value was once told as "at least -1.490 less".
    #[test]
    fn a_bound_on_the_wrong_side_is_not_told_as_less() {
        for (is, value, chosen) in [
            ("at most", 0.53, -0.96),
            ("at least", -1.0, 1.0),
            ("at least", 1.0, 1.0),
        ] {
            let (says, less) = answered(is, value, chosen);
            assert!(less.is_none(), "{says}");
            for (lang, only) in [
                (Lang::En, "only a bound"),
                (Lang::Pl, "wiadomo tylko"),
                (Lang::Cs, "ví jen"),
            ] {
                let text = says.to(lang);
                assert!(text.contains(only) && text.contains("d3"), "{text}");
            }
        }
    }

    /// A difference of less than half a thousandth was once told as "at least 0.000 less".
    #[test]
    fn a_small_difference_is_told_in_more_digits() {
        for (is, least) in [("at most", true), ("exact", false)] {
            let (says, less) = answered(is, 0.2796, 0.28);
            assert!(less.is_some_and(|less| less > 0.0));
            let text = says.to(Lang::En);
            assert!(text.contains("0.0004 less"), "{text}");
            assert_eq!(text.contains("at least 0.0004"), least, "{text}");
        }
        assert_eq!(difference(2.0), "2");
        assert_eq!(difference(1.25), "1.250");
    }
}
