//! The machine: everything a run needs, as plain data.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::ask::{Answer, Question};
use crate::atoms::Atoms;
use crate::cell::*;
use crate::code::{Instr, Op};
use crate::foreign::Foreigners;
use crate::ops::Ops;
use crate::program::Program;
use crate::reader::Quotes;
use crate::steps::Watching;
use crate::store::Store;
use crate::stored::Stored;
use crate::streams::Streams;
use crate::tables::Tables;

/// Code addresses with a fixed meaning.
pub(crate) const STOP: usize = 1;
pub(crate) const FAIL: usize = 2;
pub(crate) const LEAVE: usize = 3;
pub(crate) const POP_CATCH: usize = 4;
pub(crate) const EXIT: usize = 5;
pub(crate) const TABLE_ADD: usize = 6;

/// The instructions at the fixed addresses.
pub(crate) fn fixed_code() -> Vec<Instr> {
    [
        Op::Fail,
        Op::Stop,
        Op::Fail,
        Op::Leave,
        Op::PopCatch,
        Op::Exit,
        Op::TableAdd,
    ]
    .map(|op| Instr {
        op,
        a: 0,
        b: 0,
        c: 0,
    })
    .to_vec()
}

/// Words before the slots of an environment: caller and continuation; size and cut level;
/// proof node.
pub(crate) const FRAME: usize = 3;

/// What a choice point does when the machine comes back to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Kind {
    /// Tries the next clause.
    Clauses,
    /// Goes on at another address of the same clause.
    Else,
    /// Marks a `catch/3`.
    Catch,
    /// The bottom of a query.
    Bottom,
    /// Runs a cleanup when it is reached, cut or passed by an error.
    Cleanup,
    /// A watched goal has no more solutions.
    WatchFail,
    /// A watched goal is asked for another solution.
    WatchRedo,
    /// A tabled goal is evaluated, and with it those that depend on it.
    Table,
    /// Takes the next answer of a complete table.
    Answers,
}

/// Linear search instead of a table.
pub(crate) const LINEAR: u8 = 255;

/// A choice point.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(from = "SavedChoice", into = "SavedChoice")]
pub(crate) struct Choice {
    pub(crate) kind: Kind,
    /// Argument whose table is used, or [`LINEAR`].
    pub(crate) arg: u8,
    pub(crate) arity: u16,
    /// Predicate, or address to go on at.
    pub(crate) target: u32,
    pub(crate) pos: u32,
    pub(crate) heap: u32,
    pub(crate) trail: u32,
    pub(crate) e: u32,
    pub(crate) cp: u32,
    /// First free word of the environment stack.
    pub(crate) top: u32,
    pub(crate) args: u32,
    pub(crate) node: u32,
    pub(crate) log: u32,
    pub(crate) order: i64,
    pub(crate) key: u64,
    /// Key of what is inside the first argument.
    pub(crate) deep: u64,
    pub(crate) generation: u64,
}

/// A choice point as it is stored: the fields in order, without their names.
#[derive(Serialize, Deserialize)]
struct SavedChoice(
    (Kind, u8, u16, u32, u32, u32, u32, u32),
    (u32, u32, u32, u32, u32, i64, u64, u64, u64),
);

impl From<Choice> for SavedChoice {
    fn from(c: Choice) -> Self {
        SavedChoice(
            (
                c.kind, c.arg, c.arity, c.target, c.pos, c.heap, c.trail, c.e,
            ),
            (
                c.cp,
                c.top,
                c.args,
                c.node,
                c.log,
                c.order,
                c.key,
                c.deep,
                c.generation,
            ),
        )
    }
}

impl From<SavedChoice> for Choice {
    fn from(
        SavedChoice(
            (kind, arg, arity, target, pos, heap, trail, e),
            (cp, top, args, node, log, order, key, deep, generation),
        ): SavedChoice,
    ) -> Self {
        Choice {
            kind,
            arg,
            arity,
            target,
            pos,
            heap,
            trail,
            e,
            cp,
            top,
            args,
            node,
            log,
            order,
            key,
            deep,
            generation,
        }
    }
}

/// How a paused machine goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Resume {
    /// There is nothing to go on with.
    Idle,
    At(u32),
    Enter(u32),
    Backtrack,
}

/// Why the machine stopped.
#[derive(Clone, Debug)]
pub(crate) enum Leave {
    Solution,
    Failed,
    Asked(Question),
    Thrown(Stored),
    Steps,
    Memory,
    Halted(i64),
    Change(Change),
    Collect,
    /// There are cleanups to run.
    Cleanup,
}

/// A change of the program, made between two instructions.
#[derive(Clone, Debug)]
pub(crate) enum Change {
    Assert {
        clause: Cell,
        front: bool,
    },
    Erase(u32),
    /// Erase all clauses of a predicate.
    Clear(u32),
    /// Erase all clauses and what was declared.
    Abolish(u32),
    Dynamic(u32, usize),
    Discontiguous(u32, usize),
    Table(u32, usize, Vec<crate::modes::Mode>),
    /// Keep the proof of the answer that was just added to this table: it begins at this place of
    /// the log.
    Keep(usize, Option<usize>),
}

/// How far a run may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fuel {
    /// Calls before the run is stopped.
    pub steps: u64,
    /// Words (8 bytes each) of memory before the run is stopped.
    pub cells: usize,
}

impl Default for Fuel {
    fn default() -> Self {
        Fuel {
            steps: u64::MAX,
            cells: 64 << 20,
        }
    }
}

/// What a call of a predicate that nobody defines comes to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Unknown {
    #[default]
    Error,
    /// A line on `user_error`, and failure.
    Warn,
    Fail,
}

/// Flags a program can set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Flags {
    pub(crate) quotes: Quotes,
    #[serde(default)]
    pub(crate) unknown: Unknown,
    pub(crate) occurs_check: bool,
    /// What `debug` is set to. The standard leaves open what it changes; here nothing.
    #[serde(default)]
    pub(crate) debug: bool,
}

/// A cleanup that is due.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Pending {
    /// What to call, kept off the heap.
    pub(crate) goal: Stored,
    /// Whether its errors count.
    pub(crate) counts: bool,
    /// The same goal on the heap, so that what it binds stays bound. Good for the next step only.
    #[serde(skip)]
    pub(crate) live: Option<Cell>,
}

/// No cleanup may run on the heap itself.
fn nowhere() -> usize {
    usize::MAX
}

/// Solutions collected by `findall/3` and friends.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Bag {
    pub(crate) cells: Vec<Cell>,
    pub(crate) starts: Vec<u32>,
}

/// A Prolog machine with its program. It is plain data: it can be cloned at any point to undo,
/// serialised, and resumed in another process.
///
/// ```
/// use wits_logic::{Machine, Outcome};
/// let mut m = Machine::new();
/// m.consult("family.pl", "parent(anna, ben). parent(anna, cleo).")?;
/// m.query("parent(anna, X).")?;
/// let Outcome::Solution(first) = m.solve() else { panic!() };
/// assert_eq!(first.bindings[0].value, "ben");
/// # Ok::<(), wits_logic::Trouble>(())
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Machine {
    pub(crate) atoms: Arc<Atoms>,
    pub(crate) ops: Arc<Ops>,
    pub(crate) program: Arc<Program>,
    pub(crate) flags: Flags,
    pub(crate) store: Store,
    pub(crate) stack: Vec<u64>,
    pub(crate) choices: Vec<Choice>,
    /// Arguments saved by choice points.
    pub(crate) saved: Vec<Cell>,
    #[serde(with = "registers")]
    pub(crate) regs: Box<[Cell; 256]>,
    pub(crate) e: usize,
    pub(crate) cp: usize,
    pub(crate) b0: usize,
    pub(crate) pc: usize,
    pub(crate) resume: Resume,
    #[serde(skip)]
    pub(crate) leave: Option<Leave>,
    /// Calls until the next look at fuel and watchers.
    pub(crate) credit: u32,
    pub(crate) granted: u32,
    pub(crate) steps: u64,
    pub(crate) fuel: Fuel,
    /// Steps after which the run pauses though there is fuel left.
    #[serde(skip, default = "forever")]
    pub(crate) pause_at: u64,
    /// Where a failing test goes on, while the machine pauses inside it.
    #[serde(default)]
    pub(crate) otherwise: u32,
    /// What program and names took when the run began, and the program takes now.
    #[serde(default)]
    pub(crate) kept_before: usize,
    #[serde(default)]
    pub(crate) program_words: usize,
    pub(crate) collect_at: usize,
    /// Words of names at which unused ones are looked for.
    #[serde(default)]
    pub(crate) sweep_at: usize,
    /// Words of the program at which the space of erased clauses is given back.
    #[serde(default)]
    pub(crate) bury_at: usize,
    pub(crate) collections: u64,
    /// Unused terms and names are collected at every call; whether that was just done for this one.
    #[serde(skip)]
    pub(crate) eager: Option<bool>,
    /// The clause that was added last.
    #[serde(default)]
    pub(crate) added: u32,
    /// The time that `statistics/2` told last.
    #[serde(default)]
    pub(crate) told: i64,
    /// Proofs: one record per call, undone on backtracking.
    pub(crate) recording: bool,
    pub(crate) log: Vec<Cell>,
    pub(crate) node: u32,
    pub(crate) parent: u32,
    pub(crate) bags: Vec<Bag>,
    pub(crate) globals: BTreeMap<u32, Stored>,
    #[serde(default, skip_serializing_if = "Streams::untouched")]
    pub(crate) streams: Streams,
    /// Choice points of kind [`Kind::Cleanup`].
    #[serde(default)]
    pub(crate) cleanups: u32,
    /// Cleanups to run.
    #[serde(default)]
    pub(crate) pending: Vec<Pending>,
    /// The first cleanup that may run on the heap itself: the cut that made it due was the last step.
    #[serde(skip, default = "nowhere")]
    pub(crate) prompt: usize,
    /// Whether a cleanup runs.
    #[serde(default)]
    pub(crate) cleaning: bool,
    /// Predicates written in Rust. They are no part of the data.
    #[serde(skip)]
    pub(crate) foreign: Foreigners,
    pub(crate) tables: Tables,
    pub(crate) output: String,
    pub(crate) answers: Vec<(Stored, Answer)>,
    pub(crate) asked: Option<Question>,
    /// Where the last error came from.
    pub(crate) fault: usize,
    /// How deep calls were inside each other when the memory was used up.
    #[serde(skip)]
    pub(crate) sunk: usize,
    pub(crate) query: Vec<String>,
    pub(crate) query_text: Option<Arc<str>>,
    pub(crate) watching: Option<Watching>,
    pub(crate) loading: Option<u32>,
}

fn forever() -> u64 {
    u64::MAX
}

mod registers {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(regs: &[u64; 256], s: S) -> Result<S::Ok, S::Error> {
        let used = regs.iter().rposition(|&r| r != 0).map_or(0, |i| i + 1);
        regs[..used].serialize(s)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        d: D,
    ) -> Result<Box<[u64; 256]>, D::Error> {
        let v = Vec::<u64>::deserialize(d)?;
        let mut regs = Box::new([0; 256]);
        for (r, x) in regs.iter_mut().zip(v) {
            *r = x;
        }
        Ok(regs)
    }
}

impl Machine {
    /// A machine with nothing in it, not even the library.
    pub(crate) fn bare() -> Machine {
        let program = Program {
            code: fixed_code(),
            ..Program::default()
        };
        Machine {
            atoms: Arc::new(Atoms::new()),
            ops: Arc::new(Ops::standard()),
            program: Arc::new(program),
            flags: Flags {
                quotes: Quotes::Text,
                unknown: Unknown::Error,
                occurs_check: false,
                debug: false,
            },
            store: Store::default(),
            stack: vec![0; 64],
            choices: Vec::new(),
            saved: Vec::new(),
            regs: Box::new([0; 256]),
            e: 0,
            cp: STOP,
            b0: 0,
            pc: 0,
            resume: Resume::Idle,
            leave: None,
            credit: 0,
            granted: 0,
            steps: 0,
            fuel: Fuel::default(),
            pause_at: u64::MAX,
            otherwise: 0,
            kept_before: 0,
            program_words: 0,
            collect_at: 1 << 20,
            sweep_at: 0,
            bury_at: 0,
            collections: 0,
            eager: None,
            recording: false,
            log: Vec::new(),
            node: 0,
            parent: 0,
            bags: Vec::new(),
            globals: BTreeMap::new(),
            streams: Streams::default(),
            cleanups: 0,
            pending: Vec::new(),
            prompt: nowhere(),
            cleaning: false,
            foreign: Foreigners::default(),
            tables: Tables::default(),
            added: 0,
            told: 0,
            output: String::new(),
            answers: Vec::new(),
            asked: None,
            fault: 0,
            sunk: 0,
            query: Vec::new(),
            query_text: None,
            watching: None,
            loading: None,
        }
    }

    /// Words of memory in use.
    pub fn cells_used(&self) -> usize {
        self.store.cells.len()
            + self.store.trail.len() / 2
            + self.frame_top()
            + self.saved.len()
            + self.choices.len() * 10
            + self.log.len()
            + self
                .bags
                .iter()
                .map(|b| b.cells.len() + b.starts.len() / 2)
                .sum::<usize>()
            + self.globals.values().map(|g| g.0.len()).sum::<usize>()
            + self.output.len() / 8
            + self.streams.cells()
            + self.tables.cells()
    }

    /// Calls made since the machine was built.
    pub fn steps(&self) -> u64 {
        self.steps + u64::from(self.granted - self.credit)
    }

    /// How many calls that have not ended yet are inside each other, as far as the stack shows:
    /// last calls leave no trace. Counts to at most `most`. After [`crate::Outcome::OutOfMemory`]:
    /// when that happened.
    pub fn depth(&self, most: usize) -> usize {
        if self.sunk > 0 {
            return self.sunk.min(most);
        }
        let (mut frame, mut depth) = (self.e, 0);
        while frame != 0 && depth < most {
            frame = (self.stack[frame] >> 32) as usize;
            depth += 1;
        }
        depth
    }

    /// Whether the query can go on from where it stands: a solution that leaves no open choice is the
    /// last one.
    pub fn has_choices(&self) -> bool {
        let ends = |k| {
            matches!(
                k,
                Kind::Bottom | Kind::Catch | Kind::Cleanup | Kind::WatchFail
            )
        };
        self.choices.iter().any(|c| !ends(c.kind))
    }

    /// How often unused terms were collected.
    pub fn collections(&self) -> u64 {
        self.collections
    }

    /// Interns a name.
    pub(crate) fn intern(&mut self, text: &str) -> u32 {
        self.store.tally.spend(text.len() / 8);
        match self.atoms.find(text) {
            Some(n) => n,
            None => Arc::make_mut(&mut self.atoms).intern(text),
        }
    }

    /// An atom's cell.
    pub(crate) fn atom(&mut self, text: &str) -> Cell {
        atom(self.intern(text))
    }

    /// A compound term with a name.
    pub(crate) fn compound(&mut self, name: &str, args: &[Cell]) -> Cell {
        let n = self.intern(name);
        self.compound_of(n, args)
    }

    pub(crate) fn compound_of(&mut self, name: u32, args: &[Cell]) -> Cell {
        if name == crate::atoms::known::DOT && args.len() == 2 {
            return self.store.pair(args[0], args[1]);
        }
        let f = self.functor(name, args.len());
        self.store.compound(f, args)
    }

    pub(crate) fn functor(&mut self, name: u32, arity: usize) -> Cell {
        match self.atoms.find_functor(name, arity) {
            Some(f) => f,
            None => Arc::make_mut(&mut self.atoms).functor(name, arity),
        }
    }

    /// Name and arity of a term that could be a goal.
    pub(crate) fn callable(&self, c: Cell) -> Option<(u32, usize)> {
        match self.store.look(c) {
            crate::store::Look::Atom(n) => Some((n, 0)),
            crate::store::Look::Compound(f, _) => Some(self.atoms.functor_parts(f)),
            crate::store::Look::Pair(_) => Some((crate::atoms::known::DOT, 2)),
            _ => None,
        }
    }

    // ---- Environments ----

    /// First free word above the current environment and everything choice points need.
    #[inline(always)]
    pub(crate) fn frame_top(&self) -> usize {
        let own = self.e + (self.stack[self.e + 1] >> 32) as usize;
        match self.choices.last() {
            Some(c) => own.max(c.top as usize),
            None => own,
        }
    }

    /// A new environment with cleared slots.
    #[inline(always)]
    pub(crate) fn allocate(&mut self, slots: usize) {
        let at = self.frame_top();
        let size = FRAME + slots;
        if at + size > self.stack.len() {
            self.stack.resize((at + size) * 2, 0);
        }
        let frame = &mut self.stack[at..at + size];
        frame[0] = ((self.e as u64) << 32) | self.cp as u64;
        frame[1] = ((size as u64) << 32) | self.b0 as u64;
        frame[2] = u64::from(self.node);
        for s in &mut frame[FRAME..] {
            *s = 0;
        }
        self.e = at;
    }

    #[inline(always)]
    pub(crate) fn deallocate(&mut self) {
        let head = self.stack[self.e];
        self.node = self.stack[self.e + 2] as u32;
        self.e = (head >> 32) as usize;
        self.cp = head as u32 as usize;
    }

    // ---- Choice points ----

    /// A choice point with the first `arity` registers saved.
    #[inline(always)]
    pub(crate) fn push_choice(&mut self, kind: Kind, target: u32, arity: usize) -> &mut Choice {
        let args = self.saved.len() as u32;
        // Few registers are copied one by one; a call of `memmove` takes longer.
        match (arity, &self.regs[..4]) {
            (0, _) => {}
            (1, &[a, ..]) => self.saved.push(a),
            (2, &[a, b, ..]) => self.saved.extend_from_slice(&[a, b]),
            (3, &[a, b, c, ..]) => self.saved.extend_from_slice(&[a, b, c]),
            (4, &[a, b, c, d]) => self.saved.extend_from_slice(&[a, b, c, d]),
            _ => self.saved.extend_from_slice(&self.regs[..arity]),
        }
        let heap = self.store.cells.len();
        let top = self.frame_top() as u32;
        self.store.hb = heap;
        self.choices.push(Choice {
            kind,
            arg: LINEAR,
            arity: arity as u16,
            target,
            pos: 0,
            heap: heap as u32,
            trail: self.store.trail.len() as u32,
            e: self.e as u32,
            cp: self.cp as u32,
            top,
            args,
            node: self.node,
            log: self.log.len() as u32,
            order: 0,
            key: 0,
            deep: 0,
            generation: 0,
        });
        self.choices
            .last_mut()
            .expect("a choice point was just pushed")
    }

    /// A choice point that catches errors; the registers hold the arguments of `catch/3`.
    pub(crate) fn push_catch(&mut self) {
        let bags = self.bags.len();
        self.push_choice(Kind::Catch, 0, 3).pos = bags as u32;
    }

    /// A cut as a step of its own; says whether cleanups are to run before the next one.
    #[inline(always)]
    pub(crate) fn cut_step(&mut self, n: usize) -> bool {
        let waiting = self.pending.len();
        let due = self.cut(n) && !self.cleaning;
        if due {
            self.prompt = waiting;
        }
        due
    }

    /// Drops choice points until there are `n`; says whether cleanups are to run.
    #[inline(always)]
    pub(crate) fn cut(&mut self, n: usize) -> bool {
        let mut due = false;
        if self.choices.len() > n {
            if self.cleanups != 0 {
                due = self.cut_cleanups(n, true, atom(crate::atoms::known::CUT));
            }
            self.saved.truncate(self.choices[n].args as usize);
            self.choices.truncate(n);
            self.store.hb = self.choices.last().map_or(0, |c| c.heap as usize);
        }
        due
    }
}
