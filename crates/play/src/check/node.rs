//! One node of a thread: its position, what was said below it, and whether its value follows.
#![allow(
    clippy::float_cmp,
    reason = "values that back up are copied and not computed, so they are the same or they are wrong"
)]

use std::collections::HashMap;

use serde_json::{Map, Value};
use wits_game::{Message, Seat, Turn};
use wits_search::{Backup, Line};

use super::claim::{Claim, Is, Known, number};
use super::sentence::names;
use crate::{AnyMatch, WORDS};

/// Averages are compared up to this.
const NEAR: f64 = 1e-6;

/// A node as far as the thread has come.
pub(super) struct Node {
    pub(super) parent: Option<String>,
    /// The moves that lead here, in the game's notation.
    pub(super) path: String,
    mv: Option<String>,
    /// The position, while the node is open and known.
    pub(super) table: Option<Box<dyn AnyMatch>>,
    /// Whether it is another look at the position of its parent: a round of deepening.
    round: bool,
    /// What it is there to show: that the position is worth at least so much, or at most.
    shows: Option<Is>,
    window: Option<(f64, f64)>,
    below: Vec<Below>,
    /// How many moves were skipped, for whatever reason.
    pub(super) skipped: u64,
    /// Whether a window was the reason.
    refused: bool,
    /// Whether the move that was enough is not among those shown, so that some must have been left out.
    unshown: bool,
    /// What the move gained its seat, where the game counts before its end.
    pub(super) gained: Option<i32>,
    /// The most that a play in this group can be worth.
    pub(super) most: Option<f64>,
    /// The same of the last group below it.
    pub(super) last_most: Option<f64>,
    pub(super) closed: Option<Claim>,
}

struct Below {
    id: String,
    mv: Option<String>,
    claim: Option<Claim>,
}

impl Node {
    pub(super) fn new(table: Box<dyn AnyMatch>, line: &Line, mv: Option<String>) -> Node {
        Node {
            table: Some(table),
            ..Node::unknown(line, mv)
        }
    }

    /// A node whose position the rules alone do not give.
    pub(super) fn unknown(line: &Line, mv: Option<String>) -> Node {
        let bound = |key: &str| number(line.data.get(key));
        Node {
            parent: None,
            path: String::new(),
            table: None,
            round: line.data.get("depth").is_some() && mv.is_none(),
            shows: line.data.get("claim").map(Is::read),
            most: bound("bound").filter(|_| mv.is_none()),
            mv,
            window: bound("alpha").zip(bound("beta")),
            below: Vec::new(),
            skipped: 0,
            refused: false,
            unshown: false,
            gained: None,
            last_most: None,
            closed: None,
        }
    }

    pub(super) fn below(mut self, parent: String, path: &str) -> Node {
        self.parent = Some(parent);
        self.path = match &self.mv {
            Some(mv) if path.is_empty() => mv.clone(),
            Some(mv) => format!("{path} {mv}"),
            None => path.to_owned(),
        };
        self
    }

    /// A child begins; false if its move was tried here before.
    pub(super) fn add(&mut self, id: &str, mv: Option<&str>) -> bool {
        if mv.is_some() && self.below.iter().any(|below| below.mv.as_deref() == mv) {
            return false;
        }
        self.below.push(Below {
            id: id.to_owned(),
            mv: mv.map(str::to_owned),
            claim: None,
        });
        true
    }

    /// A child has its value.
    pub(super) fn learn(&mut self, id: &str, claim: Claim) {
        if let Some(below) = self.below.iter_mut().rev().find(|below| below.id == id) {
            below.claim = Some(claim);
        }
    }

    /// Whether the sentence that closes one child is about another one.
    pub(super) fn means_another(&self, child: &Node, sentence: &str) -> bool {
        let Some(own) = child.mv.as_deref().filter(|mv| !names(sentence, mv)) else {
            return false;
        };
        let others = self.below.iter().filter_map(|below| below.mv.as_deref());
        // A move that is a number cannot be told from one.
        let mut others = others.filter(|mv| *mv != own && mv.parse::<f64>().is_err());
        others.any(|mv| names(sentence, mv))
    }

    /// Whether something below it was left out.
    pub(super) fn left_out(&self) -> bool {
        self.closed.as_ref().is_some_and(|closed| closed.left_out)
    }

    /// The moves at the node and what was said of each: its own children, or those of its last settled round.
    pub(super) fn candidates<'a>(
        &'a self,
        nodes: &'a HashMap<String, Node>,
    ) -> Vec<(&'a str, &'a Claim)> {
        let groups: Vec<&Below> = self.below.iter().filter(|b| b.mv.is_none()).collect();
        let settled = |b: &&&Below| b.claim.as_ref().is_some_and(|claim| claim.best);
        let last = groups
            .iter()
            .rev()
            .find(settled)
            .or(groups.last())
            .map(|b| b.id.as_str());
        let mut all: Vec<(&str, &Claim)> = Vec::new();
        for below in &self.below {
            match (&below.mv, &below.claim) {
                (Some(mv), Some(claim)) => all.push((mv, claim)),
                (None, _) => {
                    if let Some(group) = nodes.get(&below.id)
                        && (!group.round || Some(below.id.as_str()) == last)
                    {
                        all.extend(group.candidates(nodes));
                    }
                }
                _ => {}
            }
        }
        all
    }

    /// Moves are skipped: by a window they must be refused already.
    pub(super) fn cut(
        &mut self,
        rest: u64,
        data: &Map<String, Value>,
        seat: Seat,
    ) -> Result<Known, Message> {
        self.skipped += rest;
        let by = data.get("by").and_then(Value::as_str).unwrap_or("bound");
        if by != "bound" {
            return Ok(Known::Trusted);
        }
        self.refused = true;
        let Some(mover) = self.mover() else {
            return Ok(Known::Trusted);
        };
        let refused = |bound: f64, (alpha, beta): (f64, f64)| {
            if mover == seat {
                bound >= beta
            } else {
                bound <= alpha
            }
        };
        let bound = number(data.get("bound"));
        let shown = self
            .below
            .iter()
            .any(|below| below.claim.as_ref().is_some_and(|c| c.value == bound));
        match (bound, self.window) {
            (Some(bound), Some(window)) if refused(bound, window) => {
                self.unshown |= !shown;
                Ok(if shown {
                    Known::Checked
                } else {
                    Known::Trusted
                })
            }
            _ => Err(self.not_cut()),
        }
    }

    fn not_cut(&self) -> Message {
        WORDS.say("check-cut").with("path", self.place())
    }

    fn mover(&self) -> Option<Seat> {
        self.table.as_ref()?.turn().seat()
    }

    /// Where the node is, for a person.
    fn place(&self) -> Message {
        if self.path.is_empty() {
            WORDS.say("check-root")
        } else {
            WORDS.say("check-after-moves").with("path", &self.path)
        }
    }

    pub(super) fn says(&self, key: &'static str, claim: &Claim) -> Message {
        let value = claim.value.map_or("-".to_owned(), |v| format!("{v:+}"));
        WORDS
            .say(key)
            .with("path", self.place())
            .with("value", value)
    }

    /// Whether what a close says follows from what is below the node.
    pub(super) fn judge(
        &self,
        claim: &Claim,
        backup: Backup,
        seat: Seat,
        complete: bool,
        root: bool,
    ) -> Result<Known, Message> {
        let Some(value) = claim.value else {
            // It says nothing but that it was left.
            return Ok(Known::Trusted);
        };
        if self.unshown && !claim.left_out {
            return Err(self.not_cut());
        }
        if self.shows.is_some_and(|shows| shows != claim.is) {
            return Err(self.says("check-claim", claim));
        }
        if backup == Backup::Mean && claim.visits == 0 {
            return Err(self.says("check-unvisited", claim));
        }
        let over = self.table.as_ref().map(|table| table.turn());
        if let Some(Turn::Over(outcome)) = over {
            return self.end(claim, value, f64::from(outcome.payoff(seat)), backup);
        }
        if claim.is == Is::Exact && (claim.judged || claim.unsure) {
            return Err(self.says("check-judged", claim));
        }
        let Some(table) = &self.table else {
            return Ok(Known::Trusted);
        };
        if self.below.is_empty() && (self.skipped == 0 || claim.by) {
            return if claim.is == Is::Estimate || claim.by || claim.left_out {
                Ok(Known::Trusted)
            } else {
                Err(self.says("check-bare", claim))
            };
        }
        match backup {
            Backup::Max => {
                if self.below.iter().any(|below| below.mv.is_none()) {
                    return self.groups(claim, value);
                }
                let options = if complete { table.options().len() } else { 0 };
                self.moves(claim, (options, complete), table.turn() == Turn::Of(seat))
            }
            Backup::Mean => self.mean(claim, value, root),
            Backup::Table | Backup::None => {
                if self.below.iter().any(|below| below.mv.is_none()) {
                    return Ok(Known::Trusted);
                }
                let options = if complete { table.options().len() } else { 0 };
                self.all_there(claim, options, complete)?;
                Ok(Known::Trusted)
            }
        }
    }

    /// The game is over: what it pays is what it is worth.
    fn end(&self, claim: &Claim, value: f64, pays: f64, backup: Backup) -> Result<Known, Message> {
        let holds = match claim.is {
            Is::Exact => value == pays,
            Is::Least => value <= pays,
            Is::Most => value >= pays,
            Is::Estimate if backup == Backup::Mean => (value - pays).abs() < NEAR,
            Is::Estimate => return Ok(Known::Trusted),
        };
        if holds {
            Ok(Known::Checked)
        } else if claim.by {
            // The machine counts the end in another way than the game pays, and says in which.
            Ok(Known::Trusted)
        } else {
            Err(self
                .says("check-end", claim)
                .with("pays", format!("{pays:+}")))
        }
    }

    /// Every legal move is there, or counted.
    fn all_there(&self, claim: &Claim, options: usize, complete: bool) -> Result<bool, Message> {
        let there = self.below.len() as u64 + self.skipped;
        let options = options as u64;
        if complete && there > options {
            return Err(self.says("check-more", claim).with("count", options));
        }
        let missing = complete && there < options;
        if missing && !claim.left_out {
            let why = self.says("check-missing", claim);
            return Err(why.with("there", there).with("count", options));
        }
        Ok(missing || claim.left_out)
    }

    /// A node of a game tree: the greatest or the least of what is below it.
    fn moves(
        &self,
        claim: &Claim,
        (options, complete): (usize, bool),
        mine: bool,
    ) -> Result<Known, Message> {
        let dropped = self.all_there(claim, options, complete)?;
        let known = |below: &&Below| below.claim.as_ref().is_some_and(|c| c.value.is_some());
        if claim.is == Is::Estimate && !self.below.iter().any(|below| known(&below)) {
            // The budget ended before anything was known.
            return Ok(Known::Trusted);
        }
        // Seen from the one who moves, it is always the greatest.
        let own = if mine { claim.clone() } else { claim.turned() };
        let below: Vec<Claim> = self
            .below
            .iter()
            .filter_map(|below| below.claim.as_ref())
            .map(|c| if mine { c.clone() } else { c.turned() })
            .collect();
        let most = |of: &dyn Fn(&Claim) -> f64, which: &dyn Fn(&Claim) -> bool| {
            below
                .iter()
                .filter(|c| which(c))
                .map(of)
                .fold(f64::NEG_INFINITY, f64::max)
        };
        let all = |_: &Claim| true;
        let low = most(&|c| c.span().0, &all);
        let high = most(&|c| c.span().1, &all);
        let value = own.value.unwrap_or(f64::NAN);
        // Where something was left out it may be what the value comes from, but what is there still binds.
        let equal = |bound: f64| {
            if dropped {
                bound <= value
            } else {
                bound == value
            }
        };
        let unseen = self.skipped > 0;
        let holds = match own.is {
            Is::Exact => !unseen && low <= value && equal(low) && (dropped || high == value),
            Is::Least => equal(low),
            Is::Most => !unseen && equal(high),
            Is::Estimate => {
                let best = most(&|c| c.value.unwrap_or(f64::NEG_INFINITY), &all);
                !self.refused && equal(best)
            }
        };
        if !holds {
            let best = below
                .iter()
                .zip(&self.below)
                .filter(|(c, _)| c.value.is_some())
                .max_by(|a, b| {
                    a.0.value
                        .unwrap_or(0.0)
                        .total_cmp(&b.0.value.unwrap_or(0.0))
                })
                .and_then(|(_, b)| b.mv.clone());
            let key = if unseen && own.is == Is::Exact {
                "check-bound"
            } else {
                "check-backup"
            };
            return Err(self.says(key, claim).with("best", best.unwrap_or_default()));
        }
        // What is proved may not rest on a judgement.
        let sure = |c: &Claim| !c.judged;
        let founded = dropped
            || claim.judged
            || match own.is {
                Is::Exact | Is::Most => below.iter().all(sure),
                Is::Least => most(&|c| c.span().0, &sure) == value,
                Is::Estimate => true,
            };
        if !founded {
            return Err(self.says("check-judged", claim));
        }
        Ok(if dropped {
            Known::Trusted
        } else {
            Known::Checked
        })
    }

    /// A root with several looks at it: rounds, of which the last settled one counts, or claims that all hold.
    fn groups(&self, claim: &Claim, value: f64) -> Result<Known, Message> {
        let claims: Vec<&Claim> = self.below.iter().filter_map(|b| b.claim.as_ref()).collect();
        let settled = claims.iter().rev().find(|c| c.best && c.value.is_some());
        let low = claims.iter().map(|c| c.span().0);
        let high = claims.iter().map(|c| c.span().1);
        let low = low.fold(f64::NEG_INFINITY, f64::max);
        let high = high.fold(f64::INFINITY, f64::min);
        let holds = match claim.is {
            Is::Exact => {
                (low == value && high == value)
                    || settled.is_some_and(|c| c.is == Is::Exact && c.value == Some(value))
            }
            Is::Least => low >= value,
            Is::Most => high <= value,
            Is::Estimate => settled.is_none_or(|c| c.value == Some(value)),
        };
        if holds || claim.left_out {
            Ok(Known::Checked)
        } else {
            Err(self.says("check-groups", claim))
        }
    }

    /// A node of a tree of trial games: the games below it are among its own. The root is worth what its most visited move is.
    fn mean(&self, claim: &Claim, value: f64, root: bool) -> Result<Known, Message> {
        let below = self.below.iter().filter_map(|b| b.claim.as_ref());
        let visits: u64 = below.clone().map(|c| c.visits).sum();
        let most = below.clone().map(|c| c.visits).max().unwrap_or(0);
        let mut leads = below.clone().filter(|c| c.visits == most);
        let led = leads.any(|c| c.value.is_some_and(|led| (led - value).abs() < NEAR));
        if root && !claim.left_out && most > 0 && !led {
            return Err(self.says("check-leader", claim));
        }
        let sum: f64 = below
            .map(|c| c.value.unwrap_or(0.0) * c.visits as f64)
            .sum();
        let holds = visits <= claim.visits
            && (root
                || claim.left_out
                || visits < claim.visits
                || (sum / visits as f64 - value).abs() < NEAR);
        if !holds {
            return Err(self.says("check-mean", claim));
        }
        Ok(if root || visits < claim.visits {
            Known::Trusted
        } else {
            Known::Checked
        })
    }
}
