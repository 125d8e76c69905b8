//! Asking a program something, with steps and proofs if wanted.

use serde::Serialize;
use serde_json::{Map, Value};
use wits_logic::{Event, Fuel, Machine, Outcome, Proof, Trouble};

/// What to do besides finding solutions.
#[derive(Clone, Copy, Debug)]
pub struct Wish {
    /// Most solutions.
    pub limit: usize,
    /// Record the steps, at most this many.
    pub trace: Option<usize>,
    /// Record proofs.
    pub proof: bool,
    /// Fuel for the whole query.
    pub fuel: Fuel,
}

impl Default for Wish {
    fn default() -> Self {
        Wish {
            limit: 50,
            trace: None,
            proof: false,
            fuel: Fuel {
                steps: 200_000_000,
                cells: 64 << 20,
            },
        }
    }
}

/// The answer to a query.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Answers {
    /// `true`, `false` or `error`.
    pub status: String,
    /// One object per solution: variable to value, as `writeq` writes it.
    pub solutions: Vec<Map<String, Value>>,
    /// What went wrong.
    pub error: Option<Trouble>,
    /// Whether the limit cut the list short.
    pub more: bool,
    /// What the program wrote.
    pub output: String,
    /// The steps, if wanted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<Event>,
    /// Steps left out for lack of room.
    pub dropped: u64,
    /// One proof per solution, if wanted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub proofs: Vec<Proof>,
}

/// Loads a program and asks it one query.
pub fn query(name: &str, text: &str, goal: &str, wish: Wish) -> Answers {
    let mut m = Machine::new();
    m.refuel(wish.fuel);
    let loaded = m.load(name, text);
    if let Some(e) = loaded.errors.first() {
        return Answers {
            status: "error".into(),
            error: Some(e.clone()),
            ..Answers::default()
        };
    }
    ask(&mut m, goal, wish)
}

/// Asks a machine one query.
pub fn ask(m: &mut Machine, goal: &str, wish: Wish) -> Answers {
    let mut out = Answers {
        status: "false".into(),
        ..Answers::default()
    };
    m.record_proofs(wish.proof);
    m.refuel(wish.fuel);
    if let Some(n) = wish.trace {
        m.watch(n);
    }
    if let Err(t) = m.query(goal) {
        return Answers {
            status: "error".into(),
            error: Some(t),
            ..out
        };
    }
    let trouble = |message: &str, hint: &str| Trouble {
        term: String::new(),
        message: message.to_owned(),
        place: None,
        hint: Some(hint.to_owned()),
    };
    loop {
        let error = match m.solve() {
            Outcome::Solution(s) => {
                out.status = "true".into();
                if out.solutions.len() == wish.limit {
                    out.more = true;
                    break;
                }
                let row = s
                    .bindings
                    .into_iter()
                    .map(|b| (b.name, Value::String(b.value)));
                out.solutions.push(row.collect());
                if wish.proof {
                    out.proofs.extend(m.proof());
                }
                continue;
            }
            Outcome::Done | Outcome::Halted(_) => break,
            Outcome::Error(t) => t,
            Outcome::Asked(q) => trouble(
                &format!("the program asks `{}`", q.term),
                "use a dialogue to answer questions",
            ),
            Outcome::OutOfSteps => trouble(
                "the query did not end within its steps",
                "look for endless recursion, or allow more steps",
            ),
            Outcome::OutOfMemory => trouble(
                "the query needed more memory than allowed",
                "look for endless recursion, or allow more memory",
            ),
        };
        out.status = "error".into();
        out.error = Some(error);
        break;
    }
    out.output = m.take_output();
    (out.steps, out.dropped) = m.events();
    out
}
