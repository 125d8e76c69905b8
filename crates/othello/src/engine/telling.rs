//! The story of a decision as a thread: every round with its root moves, and a sample of the tree of the last one.

use serde_json::{Value, json};
use wits_game::{Game, Message};
use wits_search::tree::grouped;
use wits_search::{Backup, Kind, Proof, Step, Summary, WORDS as TREE, Watch, Worth};

use super::log::{After, End};
use super::sample::Sample;
use super::story::{RootLook, Round, Story};
use super::tree::Tree;
use crate::{Othello, Position, Square, WORDS};

/// What was decided, and by what means.
pub(super) struct Decided<'a> {
    pub(super) game: &'a Othello,
    pub(super) position: &'a Position,
    pub(super) story: &'a Story,
    pub(super) chosen: Square,
    /// How many discs a move may lose at this level, and the moves that lose no more.
    pub(super) loose: Option<(f64, Vec<Square>)>,
    /// How often a selective cut is right, in percent.
    pub(super) percent: u8,
}

/// A step with a worth; what was judged at a horizon says so.
pub(super) fn valued(step: Step, worth: Worth, judged: bool) -> Step {
    let step = step
        .data("value", worth.json())
        .data("is", worth.proof.word())
        .data("proved", worth.proved());
    if judged {
        step.data("judged", true)
    } else {
        step
    }
}

/// Squares as they are written.
pub(super) fn texts(line: &[Square]) -> Vec<String> {
    line.iter().map(ToString::to_string).collect()
}

impl Round {
    /// What a look at a move of the root says of it, for the side that makes it.
    fn claim(&self, look: &RootLook) -> Option<Worth> {
        let (low, high) = look.window;
        let value = look.value?;
        Some(worth(value, (low, high), self.exact))
    }

    /// The last look at every move, in the order of the first ones.
    fn moves(&self) -> Vec<RootLook> {
        let mut moves: Vec<RootLook> = Vec::new();
        for look in &self.looks {
            match moves.iter_mut().find(|m| m.square == look.square) {
                Some(found) => {
                    let nodes = found.nodes + look.nodes;
                    *found = RootLook { nodes, ..*look };
                }
                None => moves.push(*look),
            }
        }
        moves
    }

    fn worth(&self) -> Option<Worth> {
        let (value, _) = self.best.as_ref()?;
        Some(worth(*value, self.window, self.exact))
    }

    /// Whether it asked only who wins.
    fn outcome(&self) -> bool {
        self.window.1 < i32::MAX
    }
}

/// A value of the search as a worth: outside its window it is only a bound.
pub(super) fn worth(value: i32, (low, high): (i32, i32), exact: bool) -> Worth {
    let (edge, inside) = if exact {
        (64, Proof::Exact)
    } else {
        (super::seek::WIDEST, Proof::Estimate)
    };
    let proof = if value <= low && low > -edge {
        Proof::AtMost
    } else if value >= high && high < edge {
        Proof::AtLeast
    } else {
        inside
    };
    let worth = if exact {
        Worth::exact(value)
    } else {
        Worth::heuristic(f64::from(value) / f64::from(super::DISC))
    };
    worth.known(proof)
}

/// Tells a decision.
pub(super) fn tell<W: Watch>(watch: &mut W, decided: &Decided<'_>) {
    let who = decided.game.seat_name(decided.position.turn);
    watch.step(|| {
        Step::new(Kind::Open, TREE.say("tree-root").with("who", who.clone()))
            .data("id", 0)
            .data("parent", Value::Null)
            .data("move", Value::Null)
            .data("alpha", Worth::WORST.json())
            .data("beta", Worth::BEST.json())
    });
    let rounds = &decided.story.rounds;
    let last = rounds.iter().rposition(|round| round.best.is_some());
    // The rounds come first, the last ones before the others; the tree has what they leave.
    let mut room = (watch.room() / 8 * 5).saturating_sub(5 * rounds.len());
    let mut from = rounds.len();
    while from > 0 {
        let round = 4 * rounds[from - 1].looks.len();
        if round > room && Some(from) <= last {
            break;
        }
        room = room.saturating_sub(round);
        from -= 1;
    }
    let mut ids = 1;
    let mut before = None;
    for (n, round) in rounds.iter().enumerate() {
        let sample = (Some(n) == last).then(|| Sample::of(&decided.story.tree, room / 2));
        let brief = n < from;
        ids = tell_round(watch, decided, (round, brief), sample.as_ref(), ids);
        changes(watch, round, before);
        before = round.best.as_ref().and(Some(round)).or(before);
    }
    let round = last.map(|last| &rounds[last]);
    choose(watch, decided, round);
}

/// One round: the moves of the root, below them the tree where it is known, and the counts.
fn tell_round<W: Watch>(
    watch: &mut W,
    decided: &Decided<'_>,
    (round, brief): (&Round, bool),
    sample: Option<&Sample>,
    ids: u64,
) -> u64 {
    let id = ids;
    let depth = round.depth;
    watch.step(|| {
        let says = if round.outcome() {
            WORDS.say("engine-outcome-round").with("count", depth)
        } else if round.exact {
            WORDS.say("engine-end-round").with("count", depth)
        } else {
            TREE.say("tree-round").with("depth", depth)
        };
        let step = Step::new(Kind::Open, says)
            .data("id", id)
            .data("parent", 0)
            .data("move", Value::Null)
            .data("depth", depth);
        if round.outcome() {
            let (low, high) = round.window;
            step.data("alpha", Worth::exact(low).json())
                .data("beta", Worth::exact(high).json())
        } else {
            step
        }
    });
    let mut ids = id + 1;
    let moves = round.moves();
    match sample {
        Some(sample) => {
            let mut tree = Tree {
                game: decided.game,
                watch: &mut *watch,
                seat: decided.position.turn,
                nodes: &decided.story.tree,
                sample,
                exact: round.exact,
                percent: decided.percent,
                ids,
                shown: vec![0; decided.story.tree.tally().len()],
            };
            tree.root(decided.position, id);
            tree.count();
            ids = tree.ids;
        }
        None if brief => {}
        None => {
            let mut best: Option<Worth> = None;
            for look in &moves {
                bare(watch, (ids, id), round, look, &mut best);
                ids += 1;
            }
        }
    }
    let legal = decided.position.moves().count_ones() as usize;
    if moves.len() < legal && !brief {
        let rest = legal - moves.len();
        let proved = round.best.as_ref().filter(|_| round.outcome());
        watch.step(|| {
            let best = proved.and_then(|(_, line)| line.first());
            let says = match best {
                Some(best) => WORDS
                    .say("engine-outcome-cut")
                    .with("move", best.to_string()),
                None => TREE.say("tree-unseen"),
            };
            let step = Step::new(Kind::Cut, says.with("rest", rest))
                .data("id", id)
                .data("rest", rest);
            match round.worth().filter(|_| best.is_some()) {
                Some(worth) => step.data("by", "bound").data("bound", worth.json()),
                None => step.data("by", "budget"),
            }
        });
    }
    watch.step(|| match round.worth() {
        Some(worth) => {
            let says = if round.outcome() {
                WORDS.say("engine-outcome-done")
            } else if round.exact {
                WORDS.say("engine-end-done")
            } else {
                TREE.say("tree-round-done").with("depth", depth)
            };
            let step = Step::new(Kind::Close, says.with("value", worth.to_string()));
            let step = valued(step.data("id", id), worth, !round.exact).data("best", true);
            if brief {
                step.data("sampled", true)
            } else {
                step
            }
        }
        None => Step::new(Kind::Close, TREE.say("tree-stopped"))
            .data("id", id)
            .data("value", Value::Null)
            .data("best", false),
    });
    watch.step(|| standing(round, &moves));
    ids
}

/// A move of the root in a round whose tree is not kept.
fn bare<W: Watch>(
    watch: &mut W,
    (id, parent): (u64, u64),
    round: &Round,
    look: &RootLook,
    best: &mut Option<Worth>,
) {
    let label = look.square.to_string();
    watch.step(|| {
        Step::new(Kind::Open, TREE.say("tree-try").with("move", &label))
            .data("id", id)
            .data("parent", parent)
            .data("move", label.as_str())
    });
    let worth = round.claim(look);
    let better = worth.is_some_and(|worth| best.is_none_or(|best| worth > best));
    if better {
        *best = worth;
    }
    watch.step(|| match worth {
        Some(worth) => {
            let says = TREE.say("tree-worth").with("move", &label);
            let step = Step::new(
                Kind::Close,
                inside(says, worth, look.nodes.saturating_sub(1)),
            )
            .data("id", id);
            valued(step, worth, !round.exact)
                .data("best", better)
                .data("sampled", true)
                .data("further", look.nodes.saturating_sub(1))
        }
        None => Step::new(Kind::Close, TREE.say("tree-stopped"))
            .data("id", id)
            .data("value", Value::Null),
    });
}

/// A sentence about a worth, with how many positions stand behind it.
pub(super) fn inside(says: Message, worth: Worth, further: u64) -> Message {
    let says = says.with("value", worth.to_string());
    match further {
        0 => says,
        1 => TREE.say("inside-one").with("what", says),
        n => TREE
            .say("inside")
            .with("what", says)
            .with("count", grouped(n)),
    }
}

/// How the moves of the root stand after a round: the row of a grid.
fn standing(round: &Round, moves: &[RootLook]) -> Step {
    let row: Vec<Value> = moves
        .iter()
        .filter_map(|look| {
            let worth = round.claim(look)?;
            let mv = look.square.to_string();
            Some(json!({"move": mv, "value": worth.json(), "is": worth.proof.word(), "nodes": look.nodes}))
        })
        .collect();
    let says = TREE.say("tree-count").with("nodes", grouped(round.nodes));
    Step::new(Kind::Count, says)
        .data("nodes", round.nodes)
        .data("depth", round.depth)
        .data("moves", row)
}

/// What a round changed, and why the engine went on or stopped there.
fn changes<W: Watch>(watch: &mut W, round: &Round, before: Option<&Round>) {
    let first = |round: &Round| round.best.as_ref().and_then(|b| b.1.first().copied());
    if let (Some(worth), Some((_, line))) = (round.worth(), &round.best)
        && let Some(best) = line.first()
    {
        watch.step(|| {
            let says = match before.and_then(first) {
                None => TREE.say("tree-improve"),
                Some(same) if same == *best => WORDS.say("engine-stays"),
                Some(other) => WORDS.say("engine-instead").with("other", other.to_string()),
            };
            let says = says.with("move", best.to_string());
            Step::new(Kind::Improve, says.with("value", worth.to_string()))
                .data("id", 0)
                .data("line", texts(line))
                .data("value", worth.json())
        });
    }
    let key = match round.after {
        After::Again => "engine-again",
        After::Deepest => "engine-deepest",
        After::ToTheEnd => "engine-to-the-end",
        After::Forced => "engine-forced",
        After::Half => "engine-half",
        After::Stopped => "engine-stopped",
        After::Solved => "engine-solved",
        After::Decided => "engine-decided",
        After::Lost => "engine-lost",
    };
    watch.step(|| Step::new(Kind::Note, WORDS.say(key)).data("id", 0));
}

/// How a decision came out.
struct Verdict<'a> {
    decided: &'a Decided<'a>,
    /// The last round that came to something.
    round: Option<&'a Round>,
    /// The last look at every move of the root in it.
    moves: Vec<RootLook>,
}

impl Verdict<'_> {
    /// What a move is worth.
    fn of(&self, square: Square) -> Option<Worth> {
        let look = self.moves.iter().find(|look| look.square == square)?;
        self.round?.claim(look)
    }

    fn best(&self) -> Option<Worth> {
        self.round.and_then(Round::worth)
    }

    /// Whether the dice brought a move that is not the best.
    fn lucky(&self) -> bool {
        self.of(self.decided.chosen) != self.best()
    }

    /// The moves that the dice had to choose from, where there were several.
    fn loose(&self) -> Option<&(f64, Vec<Square>)> {
        let loose = self.decided.loose.as_ref();
        loose.filter(|(_, good)| good.len() > 1)
    }

    /// What is expected to be played.
    fn line(&self) -> Vec<String> {
        let chosen = self.decided.chosen;
        let best = self.round.and_then(|round| round.best.as_ref());
        let line = best.filter(|(_, line)| line.first() == Some(&chosen));
        line.map_or_else(|| vec![chosen.to_string()], |(_, line)| texts(line))
    }

    /// What was done, what decided, and what the runner-up lacked.
    fn summary(&self) -> Summary {
        let label = self.decided.chosen.to_string();
        let backup = self.best().map_or(Backup::None, |_| Backup::Max);
        let rounds = &self.decided.story.rounds;
        let nodes = rounds.last().map_or(0, |round| round.nodes);
        let did = match self.round {
            Some(round) if round.outcome() => {
                WORDS.say("sum-engine-outcome").with("count", round.depth)
            }
            Some(round) if round.exact => WORDS.say("sum-engine-end").with("count", round.depth),
            Some(round) => WORDS.say("sum-engine").with("depth", round.depth),
            None => WORDS.say("sum-engine-nothing").with("move", &label),
        };
        let summary = Summary::new(backup).say(did.with("nodes", grouped(nodes)));
        let Some(worth) = self.of(self.decided.chosen) else {
            return summary;
        };
        let says = match self.loose() {
            Some((loss, good)) => WORDS
                .say("sum-engine-luck")
                .with("count", good.len())
                .with("loss", format!("{loss:.1}")),
            None => WORDS
                .say("sum-engine-best")
                .with("line", self.line().join(" ")),
        };
        let says = says.with("move", &label).with("value", worth.to_string());
        summary.say(says).say(self.runner_up())
    }

    /// Why nothing is known of another move.
    fn alone(&self) -> Message {
        let rest = self.decided.position.moves().count_ones().saturating_sub(1);
        let says = match self.round {
            _ if rest == 0 => TREE.say("sum-only"),
            Some(round) if round.outcome() => WORDS.say("sum-engine-enough").with("rest", rest),
            _ => TREE.say("sum-alone"),
        };
        says.with("move", self.decided.chosen.to_string())
    }

    /// The best of the other moves that a round gave a value.
    fn best_other(&self, round: &Round, moves: &[RootLook]) -> Option<(Square, Worth)> {
        let chosen = self.decided.chosen;
        let others = moves.iter().filter(|look| look.square != chosen);
        let others = others.filter_map(|look| Some((look.square, round.claim(look)?)));
        others.reduce(|most, other| if other.1 > most.1 { other } else { most })
    }

    /// The runner-up of the last round before that had looked at every move, where the budget ended in the middle of one.
    fn before(&self) -> Option<Message> {
        let round = self.round?;
        let legal = self.decided.position.moves().count_ones() as usize;
        let valued = |moves: &[RootLook]| moves.iter().filter(|l| l.value.is_some()).count();
        if round.after != After::Stopped || valued(&self.moves) == legal {
            return None;
        }
        let rounds = self.decided.story.rounds.iter().rev();
        let whole = rounds.map(|round| (round, round.moves()));
        let (round, moves) = whole
            .filter(|(round, _)| !round.outcome())
            .find(|(_, moves)| valued(moves) == legal)?;
        let (other, worth) = self.best_other(round, &moves)?;
        let says = WORDS.say("sum-engine-before").with("depth", round.depth);
        let says = says.with("move", other.to_string());
        Some(says.with("value", worth.to_string()))
    }

    fn runner_up(&self) -> Message {
        if let Some(before) = self.before() {
            return before;
        }
        let runner = self
            .round
            .and_then(|round| self.best_other(round, &self.moves));
        let Some((other, worth)) = runner else {
            return self.alone();
        };
        let (end, reply) = self.decided.story.reply(other);
        let says = match reply {
            _ if self.lucky() => WORDS.say("sum-engine-better"),
            Some(reply) => TREE.say("plan-runner-up").with("reply", reply.to_string()),
            None if end == Some(End::Selective) => WORDS
                .say("sum-engine-hopeless")
                .with("percent", self.decided.percent),
            None => TREE.say("plan-worse"),
        };
        says.with("move", other.to_string())
            .with("value", worth.to_string())
    }
}

/// The root is closed, the decision made and summed up.
fn choose<W: Watch>(watch: &mut W, decided: &Decided<'_>, round: Option<&Round>) {
    let verdict = Verdict {
        decided,
        round,
        moves: round.map(Round::moves).unwrap_or_default(),
    };
    let label = decided.chosen.to_string();
    let judged = round.is_some_and(|round| !round.exact);
    let who = decided.game.seat_name(decided.position.turn);
    watch.step(|| match verdict.best() {
        Some(worth) => {
            let says = TREE.say("tree-root-worth").with("who", who);
            let says = says.with("value", worth.to_string());
            valued(Step::new(Kind::Close, says).data("id", 0), worth, judged)
        }
        None => Step::new(Kind::Close, TREE.say("tree-stopped"))
            .data("id", 0)
            .data("value", Value::Null),
    });
    if let Some((loss, good)) = verdict.loose() {
        watch.step(|| {
            let says = WORDS.say("engine-luck").with("count", good.len());
            let says = says.with("loss", format!("{loss:.1}"));
            Step::new(Kind::Draw, says.with("move", &label))
                .data("id", 0)
                .data("among", texts(good))
                .data("drawn", label.as_str())
        });
    }
    watch.sum_up(|| verdict.summary());
    watch.step(|| {
        let Some(worth) = verdict.of(decided.chosen) else {
            let says = TREE.say("told-choose").with("move", &label);
            return Step::new(Kind::Choose, says)
                .data("answer", label.as_str())
                .data("value", Value::Null)
                .data("line", verdict.line());
        };
        let says = TREE.say("tree-choose").with("move", &label);
        let step = Step::new(Kind::Choose, says.with("value", worth.to_string()))
            .data("answer", label.as_str());
        let step = valued(step, worth, judged).data("line", verdict.line());
        if verdict.lucky() {
            step.data("luck", true)
        } else {
            step
        }
    });
}
