//! The tree of a round as steps: windows, values, and what ended each look.

use serde_json::{Map, Value};
use wits_game::{Game, Seat, Turn};
use wits_search::tree::grouped;
use wits_search::{Kind, Proof, Step, WORDS as TREE, Watch, Worth};

use super::log::End;
use super::nodes::{Entry, Nodes};
use super::sample::Sample;
use super::telling::{inside, valued, worth};
use crate::{Othello, Position, Square, WORDS};

/// Tells the tree of one round.
pub(super) struct Tree<'a, W> {
    pub(super) game: &'a Othello,
    pub(super) watch: &'a mut W,
    /// Whose gain values count.
    pub(super) seat: Seat,
    pub(super) nodes: &'a Nodes,
    pub(super) sample: &'a Sample,
    pub(super) exact: bool,
    pub(super) percent: u8,
    pub(super) ids: u64,
    /// How many looks of each ply were shown as part of the sample.
    pub(super) shown: Vec<u64>,
}

/// What was shown below a node.
#[derive(Default)]
struct Below {
    /// How many looks.
    looks: u64,
    /// The best move shown, if any, in the end.
    best: Option<Square>,
    /// Whether something was left out.
    left_out: bool,
}

impl<W: Watch> Tree<'_, W> {
    /// The moves of the root, below the node of the round.
    pub(super) fn root(&mut self, position: &Position, id: u64) {
        self.moves(position, id, None);
    }

    fn id(&mut self) -> u64 {
        self.ids += 1;
        self.ids - 1
    }

    fn entry(&self, at: u32) -> &Entry {
        &self.nodes.entries()[at as usize]
    }

    /// What a look says, for the seat of the thread. `mover` made the move that leads there.
    fn claim(&self, entry: &Entry, mover: Seat) -> Option<Worth> {
        let (low, high) = entry.window;
        let window = (i32::from(low), i32::from(high));
        let value = entry.value()?;
        let all = (i32::MIN, i32::MAX);
        let claim = match entry.end {
            End::Over => worth(value, all, self.exact).known(Proof::Exact),
            End::Judged => worth(value, all, self.exact),
            _ => worth(value, window, self.exact),
        };
        Some(if mover == self.seat { -claim } else { claim })
    }

    /// The window of a look, for the seat of the thread.
    fn window(&self, entry: &Entry, mover: Seat) -> (Value, Value) {
        let end = |bound: i16| worth(i32::from(bound), (i32::MIN, i32::MAX), self.exact);
        let (low, high) = (end(entry.window.0), end(entry.window.1));
        let (low, high) = if mover == self.seat {
            (-high, -low)
        } else {
            (low, high)
        };
        (low.json(), high.json())
    }

    /// The moves tried below a look (or at the root), each with what is below it.
    fn moves(&mut self, position: &Position, id: u64, of: Option<u32>) -> Below {
        let moves = self.nodes.moves(of);
        let mut below = Below::default();
        let mut best: Option<Worth> = None;
        let mut last = None;
        let mine = position.turn == self.seat;
        let sign = |worth: Worth| if mine { worth } else { -worth };
        for looks in &moves {
            let claim = looks.last().and_then(|&at| {
                let entry = self.entry(at);
                self.claim(entry, position.turn)
            });
            last = claim;
            let ply = usize::from(self.entry(looks[0]).ply);
            if !self.sample.shows(looks[0], ply) {
                below.left_out = true;
                continue;
            }
            let own = claim.map(sign);
            let better = own.is_some_and(|own| best.is_none_or(|best| own > best));
            if better {
                best = own;
                below.best = Square::at(usize::from(self.entry(looks[0]).square));
            }
            if self.sample.brings(looks[0], ply) {
                self.shown[ply] += looks.len() as u64;
            }
            below.looks += self.tried(position, id, looks, claim, better);
        }
        let Some(entry) = of.map(|at| *self.entry(at)) else {
            return below;
        };
        // Where the log itself was cut short, nothing is known of the moves below.
        let tried = matches!(entry.end, End::Moves | End::Cut);
        below.left_out |= tried && moves.is_empty();
        if entry.end == End::Cut && !moves.is_empty() {
            let rest = position.moves().count_ones() as usize - moves.len();
            let by = moves.last().map(|looks| self.entry(looks[0]).square);
            self.enough(position, id, rest, by, last);
        }
        below
    }

    /// A move was enough: the others are skipped.
    fn enough(
        &mut self,
        position: &Position,
        id: u64,
        rest: usize,
        by: Option<u8>,
        bound: Option<Worth>,
    ) {
        let label = by.and_then(|by| Square::at(usize::from(by)));
        let label = label.map_or_else(String::new, |square| square.to_string());
        let who = self.game.seat_name(position.turn);
        self.watch.step(|| {
            let says = TREE.say("tree-cut").with("move", label).with("who", who);
            Step::new(Kind::Cut, says.with("rest", rest))
                .data("id", id)
                .data("rest", rest)
                .data("by", "bound")
                .data("bound", bound.map_or(Value::Null, Worth::json))
        });
    }

    /// One move with all looks at the position after it; how many looks are shown.
    fn tried(
        &mut self,
        from: &Position,
        parent: u64,
        looks: &[u32],
        claim: Option<Worth>,
        best: bool,
    ) -> u64 {
        let Some(&last) = looks.last() else {
            return 0;
        };
        let entry = *self.entry(last);
        let Some(square) = Square::at(usize::from(entry.square)) else {
            return 0;
        };
        let id = self.id();
        let label = square.to_string();
        let (alpha, beta) = self.window(&entry, from.turn);
        self.watch.step(|| {
            Step::new(Kind::Open, TREE.say("tree-try").with("move", &label))
                .data("id", id)
                .data("parent", parent)
                .data("move", label.as_str())
                .data("alpha", alpha)
                .data("beta", beta)
        });
        let next = from.played(square);
        let single = looks.len() == 1 && entry.known.is_none();
        let mut below = Below::default();
        if single {
            below = self.position(&next, id, last);
        } else {
            for &look in looks {
                let at_end = look == last;
                let seen = self.look(&next, id, look, from.turn, at_end);
                below.looks += seen.looks;
                below.best = seen.best.or(below.best);
            }
        }
        let nodes: u64 = looks.iter().map(|&at| self.entry(at).nodes).sum();
        let shown = below.looks + looks.len() as u64;
        let further = nodes.saturating_sub(shown);
        let ply = usize::from(entry.ply);
        let reply = below.best.filter(|_| ply == 0 && !best);
        let step = self.closing(&entry, &next, (&label, reply), claim, further);
        self.watch.step(|| {
            let step = step.data("id", id).data("best", best);
            if single && below.left_out {
                step.data("sampled", true)
            } else {
                step
            }
        });
        shown
    }

    /// One of several looks at a position, with a window of its own.
    fn look(&mut self, next: &Position, parent: u64, at: u32, mover: Seat, last: bool) -> Below {
        let mut entry = *self.entry(at);
        if let Some((low, high)) = entry.known {
            self.remembered(parent, (low, high), mover);
            // What the table knew is told beside it; the look itself had the narrower window, and shows no more.
            entry.window = (entry.window.0.max(low), entry.window.1.min(high));
        }
        let id = self.id();
        let (alpha, beta) = self.window(&entry, mover);
        self.watch.step(|| {
            let says = WORDS.say("engine-look").with("low", plain(&alpha));
            Step::new(Kind::Open, says.with("high", plain(&beta)))
                .data("id", id)
                .data("parent", parent)
                .data("move", Value::Null)
                .data("alpha", alpha)
                .data("beta", beta)
        });
        let below = self.position(next, id, at);
        let claim = self.claim(&entry, mover);
        let further = entry.nodes.saturating_sub(below.looks + 1);
        let says = WORDS.say("engine-looked").to_string();
        let step = self.closing(&entry, next, (&says, None), claim, further);
        self.watch.step(|| {
            let step = step.data("id", id).data("best", last);
            if below.left_out {
                step.data("sampled", true)
            } else {
                step
            }
        });
        below
    }

    /// What the table knew of a position before a look at it.
    fn remembered(&mut self, parent: u64, (low, high): (i16, i16), mover: Seat) {
        let edge = if self.exact { 64 } else { i16::MAX };
        let bounds = [(low, Proof::AtLeast), (high, Proof::AtMost)];
        for (bound, proof) in bounds.into_iter().filter(|(bound, _)| bound.abs() < edge) {
            let own = worth(i32::from(bound), (i32::MIN, i32::MAX), self.exact).known(proof);
            let told = if mover == self.seat { -own } else { own };
            let id = self.id();
            let says = WORDS.say("engine-knew").with("value", told.to_string());
            self.watch.step(|| {
                Step::new(Kind::Open, says.clone())
                    .data("id", id)
                    .data("parent", parent)
                    .data("move", Value::Null)
            });
            self.watch.step(|| {
                let step = Step::new(Kind::Close, says).data("id", id);
                valued(step, told, !self.exact).data("by", "table")
            });
        }
    }

    /// What is below a look: its moves, or the reason why it needed none.
    fn position(&mut self, position: &Position, id: u64, at: u32) -> Below {
        let entry = *self.entry(at);
        let rest = position.moves().count_ones() as usize;
        let key = match entry.end {
            End::Table => "engine-cut-table",
            End::Reply => "engine-cut-reply",
            End::Selective => "engine-cut-selective",
            End::Stable => "engine-cut-stable",
            End::Moves | End::Cut => return self.moves(position, id, Some(at)),
            End::Solver | End::Over | End::Judged => return Below::default(),
        };
        let percent = self.percent;
        self.watch.step(|| {
            let says = WORDS.say(key).with("rest", rest).with("percent", percent);
            Step::new(Kind::Cut, says)
                .data("id", id)
                .data("rest", rest)
                .data("by", entry.end.word())
        });
        Below::default()
    }

    /// The closing step of a look: its worth and what it rests on.
    fn closing(
        &self,
        entry: &Entry,
        position: &Position,
        (label, reply): (&str, Option<Square>),
        claim: Option<Worth>,
        further: u64,
    ) -> Step {
        let Some(claim) = claim else {
            return Step::new(Kind::Close, TREE.say("tree-stopped")).data("value", Value::Null);
        };
        let outcome = match self.game.turn(position) {
            Turn::Over(outcome) => Some(outcome),
            _ => None,
        };
        let says = match (&outcome, entry.end, reply) {
            (Some(outcome), _, _) => TREE.say("tree-end").with("why", outcome.why.clone()),
            (_, End::Judged, _) => WORDS.say("engine-judged"),
            (_, End::Table | End::Reply, _) => TREE.say("tree-known"),
            (_, _, Some(reply)) => WORDS
                .say("engine-answered")
                .with("reply", reply.to_string()),
            (_, End::Solver, _) => WORDS.say("engine-played-out"),
            _ if claim.bound() => TREE.say("tree-bound"),
            _ => TREE.say("tree-worth"),
        };
        let says = inside(says.with("move", label), claim, further);
        let judged = !self.exact && entry.end != End::Over;
        let mut step = valued(Step::new(Kind::Close, says), claim, judged);
        if further > 0 {
            step = step.data("further", further);
        }
        match (entry.end, outcome) {
            (_, Some(outcome)) => {
                // The engine counts as tournaments do: empty squares are the winner's.
                let pays = f64::from(outcome.payoff(self.seat));
                let full = pays.total_cmp(&claim.number()).is_eq();
                let step = step.data("outcome", outcome.payoffs);
                if full {
                    step
                } else {
                    step.data("by", "empties")
                }
            }
            (End::Moves | End::Cut | End::Judged | End::Over, None) => step,
            (end, None) => step.data("by", end.word()),
        }
    }

    /// How many looks there were of each ply, by what ended them, and how many of them are shown.
    pub(super) fn count(&mut self) {
        let tally = self.nodes.tally();
        let plies: Vec<Value> = tally
            .iter()
            .enumerate()
            .map(|(ply, counts)| {
                let ends: Map<String, Value> = End::ALL
                    .iter()
                    .zip(counts)
                    .filter(|(_, count)| **count > 0)
                    .map(|(end, &count)| (end.word().to_owned(), count.into()))
                    .collect();
                let one_in = match ply.cmp(&self.sample.ply) {
                    std::cmp::Ordering::Less => 1,
                    std::cmp::Ordering::Equal => self.sample.one_in(),
                    std::cmp::Ordering::Greater => 0,
                };
                serde_json::json!({
                    "looks": counts.iter().sum::<u64>(),
                    "ends": ends,
                    "shown": self.shown[ply],
                    "one_in": one_in,
                })
            })
            .collect();
        let looks: u64 = tally.iter().flatten().sum();
        let shown: u64 = self.shown.iter().sum();
        self.watch.step(|| {
            let says = WORDS.say("engine-sampled").with("looks", grouped(looks));
            Step::new(Kind::Count, says.with("shown", grouped(shown))).data("plies", plies)
        });
    }
}

/// A bound as a person reads it.
fn plain(bound: &Value) -> String {
    bound
        .as_f64()
        .map_or_else(|| bound.to_string(), |b| format!("{b:+}"))
}
