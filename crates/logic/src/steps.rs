//! Following a run goal by goal: call, exit, redo, fail, and which clause is tried.
//!
//! A watched goal gets a frame of its own on the environment stack and a marker among the choice
//! points. Neither changes what the program computes.

use serde::{Deserialize, Serialize};

use crate::cell::*;
use crate::machine::{EXIT, FAIL, FRAME, Kind, Machine, TABLE_ADD};
use crate::program::Program;
use crate::writer::{Style, show};

/// What happened to a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Port {
    /// The goal is tried for the first time.
    Call,
    /// A clause is tried for it.
    Unify,
    /// It succeeded.
    Exit,
    /// Another solution is wanted.
    Redo,
    /// It has no (more) solutions.
    Fail,
    /// The person is asked.
    Ask,
    /// What the person said is looked up.
    Said,
}

/// One event of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// What happened.
    pub port: Port,
    /// Number of the goal; a goal keeps it from call to fail.
    pub id: u32,
    /// Number of the goal it serves, 0 for the query.
    pub parent: u32,
    /// The goal as it is now.
    pub goal: String,
    /// For [`Port::Unify`]: which clause of the predicate, from 1, and of how many.
    pub clause: Option<(u32, u32)>,
    /// For [`Port::Exit`]: what the goal's variables were bound to. For [`Port::Said`]: the question and the answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bindings: Vec<(String, String)>,
    /// Choice points that are open.
    pub choices: u32,
    /// Goals that have an open choice point, the latest first; only the last few.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub open: Vec<u32>,
}

/// A goal that was called.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Seen {
    text: String,
    parent: u32,
    library: bool,
    /// Where its variables were: the arguments to go through to reach each.
    vars: Vec<Vec<u8>>,
}

/// The state of a watcher inside the machine.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Watching {
    pub(crate) events: Vec<Event>,
    /// How many goals an earlier watch of the same machine has numbered: marks of theirs may still be met.
    #[serde(default)]
    before: u32,
    /// Goals by number - 1 - `before`.
    goals: Vec<Seen>,
    /// The goal whose clauses are being tried.
    current: u32,
    pub(crate) dropped: u64,
    limit: usize,
    /// The question that the run waits for.
    #[serde(default)]
    asking: Option<u32>,
}

/// Goals are cut off at this length in events.
const LONGEST: usize = 400;
/// Values of variables are cut off at this length.
const VALUE: usize = 120;
/// Variables of a goal that are followed.
const VARS: usize = 8;
/// Terms looked through for them.
const LOOKED_AT: usize = 100;
/// Goals with open choice points that an event names.
const OPEN: usize = 12;

impl Machine {
    /// Starts recording events, at most `limit` of them until they are taken away.
    pub fn watch(&mut self, limit: usize) {
        let before = self.watching.as_ref().map_or(0, Watching::last);
        self.watching = Some(Watching {
            before,
            limit,
            ..Watching::default()
        });
        // The next call must look at the watcher.
        self.spend_credit();
    }

    /// Takes the events recorded so far, and how many were dropped for lack of room.
    pub fn events(&mut self) -> (Vec<Event>, u64) {
        match &mut self.watching {
            Some(w) => (
                std::mem::take(&mut w.events),
                std::mem::take(&mut w.dropped),
            ),
            None => (Vec::new(), 0),
        }
    }

    /// A goal as text. Its variables are called A, B, … in order of appearance: names that mean
    /// something inside this goal only.
    fn goal_text(&self, c: Cell, longest: usize) -> String {
        let vars = self.near_vars(c).into_iter().enumerate();
        let style = Style {
            longest,
            names: vars.map(|(n, (v, _))| (addr(v), letter(n))).collect(),
            ..Style::quoted()
        };
        show(&self.store, &self.atoms, &self.ops, &style, c)
    }

    /// The first variables of a goal in order of appearance, each with the arguments to go through
    /// to reach it. Large terms are looked at only in part.
    fn near_vars(&self, goal: Cell) -> Vec<(Cell, Vec<u8>)> {
        let mut out: Vec<(Cell, Vec<u8>)> = Vec::new();
        let mut stack = vec![(goal, Vec::new())];
        for _ in 0..LOOKED_AT {
            let Some((c, path)) = stack.pop() else { break };
            let c = self.store.deref(c);
            if tag(c) == REF {
                if !out.iter().any(|(v, _)| *v == c) {
                    out.push((c, path));
                }
                continue;
            }
            let args = self.store.args(c);
            for (i, &arg) in args.iter().enumerate().take(32).rev() {
                let mut below: Vec<u8> = path.clone();
                below.push(i as u8);
                stack.push((arg, below));
            }
        }
        out
    }

    /// What the variables of a goal are bound to now.
    fn values(&self, goal: Cell, vars: &[Vec<u8>]) -> Vec<(String, String)> {
        let mut out = Vec::new();
        for (n, path) in vars.iter().enumerate() {
            let mut c = self.store.deref(goal);
            for &i in path {
                let Some(&arg) = self.store.args(c).get(i as usize) else {
                    return out;
                };
                c = self.store.deref(arg);
            }
            if tag(c) != REF {
                out.push((letter(n), self.goal_text(c, VALUE)));
            }
        }
        out
    }

    fn tell(&mut self, port: Port, id: u32, goal: Option<String>, clause: Option<(u32, u32)>) {
        self.tell_all(port, id, goal, clause, Vec::new());
    }

    fn tell_all(
        &mut self,
        port: Port,
        id: u32,
        goal: Option<String>,
        clause: Option<(u32, u32)>,
        bindings: Vec<(String, String)>,
    ) {
        let Some(w) = &mut self.watching else { return };
        if w.events.len() >= w.limit || w.goal(id).is_none() {
            w.dropped += 1;
            return;
        }
        let (mut choices, mut open) = (0, Vec::new());
        // The marker of a goal lies under the choice among its clauses.
        let mut above = false;
        for c in self.choices.iter().rev() {
            match c.kind {
                Kind::Clauses | Kind::Else | Kind::Answers => {
                    choices += 1;
                    above = true;
                }
                Kind::WatchFail | Kind::WatchRedo => {
                    if above && open.len() < OPEN && !open.contains(&c.target) {
                        open.push(c.target);
                    }
                    above = false;
                }
                Kind::Catch | Kind::Bottom | Kind::Table | Kind::Cleanup => above = false,
            }
        }
        let Some(seen) = w.goal(id) else { return };
        let event = Event {
            port,
            id,
            parent: seen.parent,
            goal: goal.unwrap_or_else(|| seen.text.clone()),
            clause,
            bindings,
            choices,
            open,
        };
        w.events.push(event);
    }

    /// The watched goal that the code about to run belongs to.
    fn enclosing(&self) -> u32 {
        let (mut cp, mut f) = (self.cp, self.e);
        loop {
            // The clauses of a tabled goal know whose they are, wherever they go on.
            if cp == EXIT || cp == TABLE_ADD {
                return self.stack[f + FRAME + 2] as u32 >> 3;
            }
            if f == 0 {
                return 0;
            }
            cp = self.stack[f] as u32 as usize;
            f = (self.stack[f] >> 32) as usize;
        }
    }

    /// The watched goal that a tabled goal belongs to.
    pub(crate) fn watched_goal(&self) -> u32 {
        self.watching.as_ref().map_or(0, |_| self.enclosing())
    }

    pub(crate) fn watch_call(&mut self, prog: &Program, id: u32) {
        let pred = &prog.preds[id as usize];
        let Some(w) = &mut self.watching else { return };
        if w.events.len() >= w.limit {
            w.dropped += 1;
            return;
        }
        let parent = self.enclosing();
        let Some(w) = &self.watching else { return };
        let hidden_parent = w.goal(parent).is_some_and(|goal| goal.library);
        let name = self.atoms.name(pred.name);
        if name.starts_with('$')
            || (hidden_parent && pred.library)
            || name == "call"
            || self.is_inside(prog, pred)
        {
            return;
        }
        let args = self.regs[..pred.arity].to_vec();
        let goal = if args.is_empty() {
            atom(pred.name)
        } else {
            self.compound_of(pred.name, &args)
        };
        let seen = Seen {
            text: self.goal_text(goal, LONGEST),
            parent,
            library: pred.library,
            vars: {
                let vars = self.near_vars(goal).into_iter().take(VARS);
                vars.map(|(_, path)| path).collect()
            },
        };
        let Some(w) = &mut self.watching else { return };
        w.goals.push(seen);
        let id = w.last();
        w.current = id;
        self.tell(Port::Call, id, None, None);
        self.push_choice(Kind::WatchFail, id, 0);
        let level = self.choices.len() - 1;
        self.allocate(3);
        let at = self.e + FRAME;
        self.stack[at] = goal;
        self.stack[at + 1] = small(level as i64);
        self.stack[at + 2] = small(i64::from(id));
        self.cp = EXIT;
    }

    pub(crate) fn watch_clause(&mut self, prog: &Program, clause: u32) {
        let id = self.enclosing();
        if id == 0 {
            return;
        }
        let pred = &prog.preds[prog.clauses[clause as usize].pred as usize];
        // A tabled predicate has one clause, which looks into its table; the clauses that the
        // program gives it are inside, and they are told as its own.
        if pred.library || pred.tabled {
            return;
        }
        let live: Vec<u32> = pred
            .slots
            .iter()
            .map(|s| s.id)
            .filter(|&id| prog.clauses[id as usize].death == u64::MAX)
            .collect();
        let at = live.iter().position(|&c| c == clause).map_or(0, |i| i + 1);
        self.tell(Port::Unify, id, None, Some((at as u32, live.len() as u32)));
    }

    /// A watched goal is done: its frame is the current one.
    pub(crate) fn watch_exit(&mut self) {
        let at = self.e + FRAME;
        let (goal, level) = (self.stack[at], small_value(self.stack[at + 1]) as usize);
        let id = small_value(self.stack[at + 2]) as u32;
        let room = (self.watching.as_ref()).filter(|w| w.events.len() < w.limit);
        if let Some(seen) = room.and_then(|w| w.goal(id)) {
            let bindings = self.values(goal, &seen.vars);
            let text = self.goal_text(goal, LONGEST);
            self.tell_all(Port::Exit, id, Some(text), None, bindings);
        } else if let Some(w) = &mut self.watching {
            w.dropped += 1;
        }
        if level + 1 == self.choices.len() {
            self.cut(level);
        } else {
            self.push_choice(Kind::WatchRedo, id, 0);
        }
        let node = self.node;
        self.deallocate();
        self.node = node;
    }

    /// The machine came back to a marker.
    pub(crate) fn watch_back(&mut self) -> usize {
        let Some(c) = self.choices.last() else {
            return FAIL;
        };
        let (id, port) = match c.kind {
            Kind::WatchFail => (c.target, Port::Fail),
            _ => (c.target, Port::Redo),
        };
        let at = self.choices.len() - 1;
        self.cut(at);
        if self.watching.is_some() {
            self.tell(port, id, None, None);
        }
        FAIL
    }

    /// A question is a goal of its own: it is tried, and decided by what the person says.
    pub(crate) fn watch_ask(&mut self, question: &str, said: Option<&str>) {
        let parent = self.enclosing();
        let Some(w) = &mut self.watching else { return };
        if w.events.len() >= w.limit {
            w.dropped += 1;
            return;
        }
        // A run that waited for the answer comes here again.
        let waited = w.asking.take();
        let id = waited.filter(|&id| w.goal(id).is_some_and(|goal| goal.text == question));
        let id = if let Some(id) = id {
            id
        } else {
            let (text, vars) = (question.to_owned(), Vec::new());
            w.goals.push(Seen {
                text,
                parent,
                library: false,
                vars,
            });
            let id = w.last();
            self.tell(Port::Call, id, None, None);
            id
        };
        let Some(said) = said else {
            if let Some(w) = &mut self.watching {
                w.asking = Some(id);
            }
            return self.tell(Port::Ask, id, None, None);
        };
        let answer = vec![(question.to_owned(), said.to_owned())];
        self.tell_all(Port::Said, id, None, None, answer);
    }
}

impl Watching {
    /// A goal by its number; nothing for one that was called before anybody watched.
    fn goal(&self, id: u32) -> Option<&Seen> {
        self.goals.get(id.checked_sub(self.before + 1)? as usize)
    }

    /// The number of the goal that was called last.
    fn last(&self) -> u32 {
        self.before + self.goals.len() as u32
    }
}

/// A name for the variable with this number: A to Z, then A1 and so on.
pub fn letter(n: usize) -> String {
    let first = char::from(b'A' + (n % 26) as u8);
    match n / 26 {
        0 => first.to_string(),
        more => format!("{first}{more}"),
    }
}
