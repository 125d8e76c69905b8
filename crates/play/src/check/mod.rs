//! Checking a thread with the rules alone.
//!
//! The checker shares no code with the machines. It replays every move of a thread from its subject through
//! [`AnyGame`], and asks of every value whether it follows from the values below it by the rule that the header names
//! (`backup`). What cannot be checked without the machine (a judgement at the horizon, a table, a subtree that was left out)
//! is counted as taken on trust.

mod claim;
mod desk;
mod node;
mod numbers;
mod sentence;
mod summary;
mod trials;
mod trim;

use std::collections::HashMap;

use serde::Serialize;
use serde_json::{Map, Value};
use wits_game::{Message, Seat, Turn};
use wits_search::{Backup, Kind, Line, Thread};

use crate::{AnyGame, AnyMatch, WORDS};
pub use desk::check_desk;
pub use trim::{mark, trim, trim_from};

use claim::{Claim, Known};
use node::Node;
use trials::Trials;

/// One step that does not hold.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Failure {
    /// The number of the step.
    pub at: u64,
    /// What is wrong with it, in the game's notation.
    pub why: Message,
}

/// What the check of a thread came to.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Report {
    /// How many steps the thread has.
    pub steps: u64,
    /// How many steps follow from the rules and from other steps.
    pub checked: u64,
    /// How many steps nobody can check without the machine.
    pub trusted: u64,
    /// The steps that do not hold.
    pub failures: Vec<Failure>,
}

impl Report {
    /// Whether nothing failed.
    pub fn ok(&self) -> bool {
        self.failures.is_empty()
    }
}

/// Checks a thread of a decision in a game, from the position that its header names.
///
/// A position of a game with secrets cannot always be set up from what one seat may write; then moves and scores are
/// taken on trust, and only what the thread says of itself is checked.
pub fn check(game: &dyn AnyGame, thread: &Thread) -> Report {
    let steps = thread.steps.len() as u64;
    match subject(game, &thread.header.subject) {
        Some(table) => check_from(game, table.as_ref(), thread),
        None if game.hidden() => Checker::new(game, None, thread).run(thread),
        None => {
            let why = WORDS.say("check-subject");
            let why = why.with("subject", &thread.header.subject);
            Report {
                steps,
                failures: vec![Failure { at: 0, why }],
                ..Report::default()
            }
        }
    }
}

/// Checks a thread of a decision that was made in this position.
pub fn check_from(game: &dyn AnyGame, table: &dyn AnyMatch, thread: &Thread) -> Report {
    Checker::new(game, Some(table.copy()), thread).run(thread)
}

/// The position that a thread is about, where somebody is to move.
fn subject(game: &dyn AnyGame, subject: &str) -> Option<Box<dyn AnyMatch>> {
    let table = crate::position(game, subject);
    table.filter(|table| table.turn().seat().is_some())
}

struct Checker<'a> {
    game: &'a dyn AnyGame,
    /// Whose gain the values count.
    seat: Seat,
    backup: Backup,
    /// The position of the decision, where it is known.
    table: Option<Box<dyn AnyMatch>>,
    root: Option<String>,
    nodes: HashMap<String, Node>,
    /// The most that moves can bring which were not looked at.
    rest: Option<f64>,
    choice: Option<(u64, Option<String>)>,
    /// What the dice brought at the root.
    drawn: Option<String>,
    /// Whether the thread shows positions below each other, and not moves weighed by themselves.
    tree: bool,
    trials: Trials,
    report: Report,
}

impl<'a> Checker<'a> {
    fn new(game: &'a dyn AnyGame, table: Option<Box<dyn AnyMatch>>, thread: &Thread) -> Self {
        let seat = table.as_ref().and_then(|table| table.turn().seat());
        Checker {
            game,
            seat: seat.unwrap_or(Seat::FIRST),
            backup: thread.header.backup,
            table,
            root: None,
            nodes: HashMap::new(),
            rest: None,
            choice: None,
            drawn: None,
            tree: thread.header.lens == "tree",
            trials: Trials::default(),
            report: Report {
                steps: thread.steps.len() as u64,
                ..Report::default()
            },
        }
    }

    fn run(mut self, thread: &Thread) -> Report {
        if self
            .table
            .as_ref()
            .is_some_and(|t| t.turn().seat().is_none())
        {
            return self.report;
        }
        for line in &thread.steps {
            self.step(line);
        }
        self.finish(thread);
        self.report
    }
    fn fail(&mut self, at: u64, why: Message) {
        self.report.failures.push(Failure { at, why });
    }

    fn trust(&mut self) {
        self.report.trusted += 1;
    }

    fn settle(&mut self, at: u64, verdict: Result<Known, Message>) {
        match verdict {
            Ok(Known::Checked) => self.report.checked += 1,
            Ok(Known::Trusted) => self.report.trusted += 1,
            Err(why) => self.fail(at, why),
        }
    }

    fn step(&mut self, line: &Line) {
        if self.choice.is_some() && line.kind != Kind::Count {
            self.fail(line.at, WORDS.say("check-after"));
            return;
        }
        let failed = self.report.failures.len();
        self.follow(line);
        // What the rules refuse is told first; a sentence is held against data that hold by themselves.
        if failed == self.report.failures.len()
            && let Err(why) = sentence::tells(line, self.tree)
        {
            self.fail(line.at, why);
        }
    }

    /// Whether a step follows from the rules and from the steps before it.
    fn follow(&mut self, line: &Line) {
        match line.kind {
            Kind::Open => {
                self.trials.open(line);
                self.open(line);
            }
            Kind::Close => self.close(line),
            Kind::Cell | Kind::Cut if Trials::about(line) => {
                let verdict = self.trials.step(line);
                self.settle(line.at, verdict);
            }
            Kind::Count => {
                let verdict = self.trials.all(line);
                self.settle(line.at, verdict);
            }
            Kind::Cut => self.cut(line),
            Kind::Choose => {
                let answer = text(&line.data, "answer");
                self.choice = Some((line.at, answer));
                let verdict = self.choose(line);
                self.settle(line.at, verdict);
            }
            Kind::Draw => {
                let verdict = self.draw(line);
                self.settle(line.at, verdict);
            }
            Kind::Note => {
                self.rest = claim::number(line.data.get("rest_bound")).or(self.rest);
                self.trust();
            }
            _ => self.trust(),
        }
    }

    fn open(&mut self, line: &Line) {
        let Some(id) = name(&line.data, "id") else {
            return self.trust();
        };
        let parent = name(&line.data, "parent");
        let mv = text(&line.data, "move");
        let Some(parent) = parent else {
            if self.root.is_none() {
                self.root = Some(id.clone());
            }
            let node = match &self.table {
                Some(table) => Node::new(table.copy(), line, None),
                None => Node::unknown(line, None),
            };
            self.nodes.insert(id, node);
            self.report.checked += 1;
            return;
        };
        let above = self.nodes.get(&parent);
        let path = above.map_or_else(String::new, |above| above.path.clone());
        // Who looks at hidden things imagines them below the root, so only the first move is a fact.
        let deep = self.game.hidden() && !path.is_empty();
        let table = above
            .and_then(|above| above.table.as_ref())
            .filter(|_| !deep)
            .map(|table| table.copy());
        let replayed = table.is_some();
        let mut gained = None;
        let table = match (table, &mv) {
            (Some(table), None) => Some(table),
            (Some(mut table), Some(mv)) => match table.turn() {
                Turn::Of(seat) => match numbers::played(table.as_mut(), seat, mv) {
                    Ok(points) if self.game.hidden() => {
                        gained = points;
                        None
                    }
                    Ok(points) => {
                        gained = points;
                        Some(table)
                    }
                    Err(illegal) => {
                        let why = WORDS.say("check-illegal").with("move", mv);
                        let why = why.with("path", &path).with("why", illegal.to_string());
                        self.fail(line.at, why);
                        return;
                    }
                },
                // What chance does cannot be refused.
                Turn::Chance => None,
                Turn::Over(_) => {
                    let why = WORDS.say("check-over").with("move", mv).with("path", &path);
                    self.fail(line.at, why);
                    return;
                }
            },
            (None, _) => None,
        };
        let known = if replayed {
            Known::Checked
        } else {
            Known::Trusted
        };
        let node = match table {
            Some(table) => Node::new(table, line, mv.clone()),
            None => Node::unknown(line, mv.clone()),
        };
        let mut node = node.below(parent.clone(), &path);
        node.gained = gained;
        if let Err(why) = node.opened(line, above) {
            self.fail(line.at, why);
            return;
        }
        if let Some(above) = self.nodes.get_mut(&parent) {
            above.last_most = node.most.or(above.last_most);
            if !above.add(&id, mv.as_deref()) {
                let why = WORDS.say("check-twice").with("path", &path);
                self.fail(line.at, why.with("move", mv.unwrap_or_default()));
                return;
            }
        }
        self.nodes.insert(id, node);
        self.settle(line.at, Ok(known));
    }

    fn close(&mut self, line: &Line) {
        let id = name(&line.data, "id");
        let Some(node) = id.as_ref().and_then(|id| self.nodes.get(id)) else {
            return self.trust();
        };
        let claim = Claim::read(&line.data);
        let complete = self.game.complete();
        let root = id == self.root;
        let above = node.parent.as_ref().and_then(|id| self.nodes.get(id));
        let numbers = if Trials::about(line) {
            self.trials.step(line)
        } else {
            node.numbers(line, &claim, above)
        };
        let games = self.trials.games().filter(|_| root && claim.visits > 0);
        let numbers = match games {
            Some(games) if (games - claim.visits as f64).abs() > 0.5 => {
                Err(node.says("check-games", &claim))
            }
            _ => numbers,
        };
        let verdict = node.judge(&claim, self.backup, self.seat, complete, root);
        let verdict = match above {
            Some(above) if above.means_another(node, &line.text) => Err(sentence::wrong(line)),
            _ => verdict,
        };
        let verdict = match (numbers, verdict) {
            (Err(why), _) => Err(why),
            (Ok(Known::Checked), Ok(_)) => Ok(Known::Checked),
            (_, verdict) => verdict,
        };
        let parent = node.parent.clone();
        let (Some(id), verdict) = (id, verdict) else {
            return;
        };
        if let Some(node) = self.nodes.get_mut(&id) {
            node.closed = Some(claim.clone());
            // What is closed needs no board any more; the root's is asked once more.
            if !root {
                node.table = None;
            }
        }
        if let Some(above) = parent.and_then(|parent| self.nodes.get_mut(&parent)) {
            above.learn(&id, claim);
        }
        self.settle(line.at, verdict);
    }

    fn cut(&mut self, line: &Line) {
        let id = name(&line.data, "id");
        let rest = line.data.get("rest").and_then(Value::as_u64).unwrap_or(0);
        let Some(node) = id.and_then(|id| self.nodes.get_mut(&id)) else {
            return self.trust();
        };
        let verdict = node.cut(rest, &line.data, self.seat);
        self.settle(line.at, verdict);
    }

    /// The dice bring one of the moves that they can bring: legal ones, or those that beads are for.
    fn draw(&mut self, line: &Line) -> Result<Known, Message> {
        let among: Option<Vec<&str>> = line
            .data
            .get("among")
            .and_then(Value::as_array)
            .map(|all| all.iter().filter_map(Value::as_str).collect());
        let wrong = |mv: &str| WORDS.say("check-draw").with("move", mv);
        if let Some((among, drawn)) = among.zip(text(&line.data, "drawn")) {
            if !among.contains(&drawn.as_str()) {
                return Err(wrong(&drawn));
            }
            if name(&line.data, "id") == self.root {
                self.drawn = Some(drawn);
            }
            let Some(table) = self.table.as_ref().filter(|_| self.game.complete()) else {
                return Ok(Known::Trusted);
            };
            let options = table.options();
            let illegal = |mv: &&&str| !options.iter().any(|option| option == **mv);
            return match among.iter().find(illegal) {
                Some(mv) => Err(wrong(mv)),
                None => Ok(Known::Checked),
            };
        }
        let beads = line.data.get("beads").and_then(Value::as_object);
        let (Some(beads), Some(bead)) = (beads, text(&line.data, "bead")) else {
            return Ok(Known::Trusted);
        };
        let count = |key: &str| line.data.get(key).and_then(Value::as_u64);
        let inside = beads.get(&bead).and_then(Value::as_u64);
        let taken = count("after").is_none_or(|after| Some(after + 1) == inside);
        if inside.is_none_or(|n| n == 0)
            || count("before").is_some_and(|n| Some(n) != inside)
            || !taken
        {
            return Err(wrong(&bead));
        }
        // Boxes on the way show beads of earlier moves; the last one decides.
        self.drawn = text(&line.data, "drawn").or(self.drawn.take());
        Ok(Known::Checked)
    }

    /// The decision is a legal move, and a best one by the rule of the thread.
    fn choose(&mut self, line: &Line) -> Result<Known, Message> {
        let Some(answer) = text(&line.data, "answer") else {
            return Ok(Known::Trusted);
        };
        if let Some(table) = &self.table
            && let Err(illegal) = table.copy().play(self.seat, &answer, None)
        {
            let why = WORDS.say("check-illegal").with("path", "");
            return Err(why.with("move", answer).with("why", illegal.to_string()));
        }
        if self.drawn.as_ref().is_some_and(|drawn| *drawn != answer) {
            return Err(WORDS.say("check-drawn").with("move", answer));
        }
        let Some(root) = self.root.as_ref().and_then(|root| self.nodes.get(root)) else {
            return Ok(Known::Trusted);
        };
        let claim = Claim::read(&line.data);
        if claim.luck {
            // A weak level draws among moves that are not the best.
            return Ok(Known::Trusted);
        }
        if let Some(closed) = &root.closed
            && (closed.value != claim.value || closed.is != claim.is)
        {
            return Err(WORDS.say("check-choice-value").with("move", answer));
        }
        if let (Some(rest), Some(value)) = (self.rest, claim.value)
            && self.backup == Backup::Max
            && rest > value
        {
            let why = WORDS.say("check-rest").with("move", answer);
            return Err(why.with("value", value).with("rest", rest));
        }
        let all = root.candidates(&self.nodes);
        let Some((_, chosen)) = all.iter().find(|(mv, _)| *mv == answer) else {
            if root.skipped > 0 || root.left_out() || all.is_empty() {
                return Ok(Known::Trusted);
            }
            return Err(WORDS.say("check-choice-unknown").with("move", answer));
        };
        // A rule decides, but does not make the move worth anything else.
        if self.backup == Backup::None && chosen.value != claim.value && chosen.value.is_some() {
            return Err(WORDS.say("check-choice-value").with("move", answer));
        }
        let better = all.iter().find(|(_, other)| match self.backup {
            Backup::Max => match (other.value, chosen.value) {
                (Some(other), Some(chosen)) => other > chosen,
                (Some(_), None) => true,
                _ => false,
            },
            Backup::Mean => other.visits > chosen.visits,
            Backup::Table | Backup::None => false,
        });
        // Among equals it is the one that the thread marks as its best; a rule that weighs more than the values marks none.
        let ruled = self.backup == Backup::None || self.drawn.is_some();
        let marked = !ruled && all.iter().any(|(_, claim)| claim.best);
        match better {
            None if marked && !chosen.best => Err(WORDS.say("check-unmarked").with("move", answer)),
            Some((mv, _)) => Err(WORDS
                .say("check-choice")
                .with("move", answer)
                .with("other", *mv)),
            None if self.backup == Backup::None => Ok(Known::Trusted),
            None => Ok(Known::Checked),
        }
    }

    /// What the last line says.
    fn finish(&mut self, thread: &Thread) {
        let footer = &thread.footer;
        let at = thread.steps.last().map_or(0, |line| line.at);
        match &self.choice {
            None if footer.result == "resign" => {}
            None => self.fail(at, WORDS.say("check-no-choice")),
            Some((at, answer)) => {
                if answer.as_ref().is_some_and(|a| *a != footer.result) {
                    let at = *at;
                    self.fail(at, WORDS.say("check-result").with("result", &footer.result));
                }
            }
        }
        for (at, why) in self.trials.wrong() {
            self.fail(at, why);
        }
        if !counts_hold(thread, self.root.is_some()) {
            self.fail(at, WORDS.say("check-counts"));
        }
        if let Some(at) = gap(thread) {
            self.fail(at, WORDS.say("check-gap"));
        }
        if self.report.ok()
            && let Err(why) = self.summed_up(thread)
        {
            self.fail(at, why);
        }
    }
}

/// The first step before which others are missing that the last line does not count as left out.
fn gap(thread: &Thread) -> Option<u64> {
    let footer = &thread.footer;
    let mut missing = 0;
    for (at, line) in (0..).zip(&thread.steps) {
        match line.at.checked_sub(at) {
            Some(before) if before >= missing && before <= footer.dropped => missing = before,
            _ => return Some(line.at),
        }
    }
    let last = thread.steps.last()?.at;
    (missing != footer.dropped).then_some(last)
}

/// Whether the counts of the last line are those of the steps. In a tree every node is shown, or counted where it was
/// left out.
fn counts_hold(thread: &Thread, tree: bool) -> bool {
    let footer = &thread.footer;
    let all: u64 = footer.counts.values().sum();
    let mut kept: HashMap<&str, u64> = HashMap::new();
    for line in &thread.steps {
        *kept.entry(line.kind.word()).or_default() += 1;
    }
    let more = kept
        .iter()
        .any(|(kind, n)| footer.counts.get(*kind).is_none_or(|all| n > all));
    let left_out: u64 = thread
        .steps
        .iter()
        .filter_map(|line| line.data.get("inside").and_then(Value::as_u64))
        .sum();
    let opened = kept.get("open").copied().unwrap_or(0);
    let nodes = footer.counts.get("open").copied().unwrap_or(0);
    footer.kept == thread.steps.len() as u64
        && all == footer.kept + footer.dropped
        && !more
        && (!tree || opened + left_out == nodes)
}

/// A text in the data of a step.
fn text(data: &Map<String, Value>, key: &str) -> Option<String> {
    data.get(key).and_then(Value::as_str).map(str::to_owned)
}

/// A number or a name in the data of a step, as the name of a node.
fn name(data: &Map<String, Value>, key: &str) -> Option<String> {
    data.get(key)
        .filter(|value| !value.is_null())
        .map(Value::to_string)
}
