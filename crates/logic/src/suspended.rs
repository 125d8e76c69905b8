//! A run as data, without what it shares with the machine it began as.
//!
//! The library and a base are thousands of clauses that every machine of the same kind has. A run
//! that waits for a person is a few hundred cells: it is kept alone, and put on a machine that was
//! loaded in the same way.

use std::hash::Hasher;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::atoms::{Atoms, NameChanges, Quick};
use crate::machine::Machine;
use crate::ops::Ops;
use crate::program::Program;

/// A machine without the names, operators and clauses of the machine it began as. Like a machine, it
/// is trusted when it is resumed: whoever could have changed it meanwhile must not be able to.
///
/// ```
/// use wits_logic::{Answer, Machine, Outcome, Suspended};
/// let mut base = Machine::new();
/// base.consult("tea.pl", "drink(tea) :- ask(cold). drink(water).")?;
/// let mut m = base.clone();
/// m.query("drink(X).")?;
/// assert!(matches!(m.solve(), Outcome::Asked(_)));
/// let text = serde_json::to_string(&m.suspend(&base)).unwrap();
/// assert!(text.len() < 4096);
///
/// let kept: Suspended = serde_json::from_str(&text).unwrap();
/// let mut m = kept.resume(&base).unwrap();
/// m.answer(Answer::Yes).unwrap();
/// let Outcome::Solution(first) = m.solve() else { panic!() };
/// assert_eq!(first.bindings[0].value, "tea");
/// # Ok::<(), wits_logic::Trouble>(())
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Suspended {
    /// Tells the machine it belongs to.
    mark: u64,
    names: NameChanges,
    /// What the run itself changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    program: Option<Program>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ops: Option<Ops>,
    run: Machine,
}

/// A run that belongs to another machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the program has changed since the run was suspended; begin it again")]
pub struct OtherProgram;

impl Machine {
    /// The run alone: `base` is the machine that this one was cloned from before its query.
    #[must_use]
    pub fn suspend(&self, base: &Machine) -> Suspended {
        let program = !Arc::ptr_eq(&self.program, &base.program)
            && self.program.fingerprint() != base.program.fingerprint();
        let ops = self.ops != base.ops;
        let mut run = Machine {
            atoms: Arc::default(),
            ops: Arc::new(Ops::none()),
            program: Arc::default(),
            ..self.clone()
        };
        // Above the environments in use there is nothing to keep.
        let top = run.frame_top();
        run.stack.truncate(top);
        Suspended {
            mark: base.fingerprint(),
            names: self.atoms.since(&base.atoms),
            program: program.then(|| (*self.program).clone()),
            ops: ops.then(|| (*self.ops).clone()),
            run,
        }
    }

    /// A number that two machines with the same names and clauses share.
    fn fingerprint(&self) -> u64 {
        let mut hash = Quick::default();
        self.atoms.fingerprint(&mut hash);
        hash.write_u64(self.program.fingerprint());
        hash.finish()
    }
}

impl Program {
    /// A number that programs with the same clauses share: every change counts its generation up.
    fn fingerprint(&self) -> u64 {
        let mut hash = Quick::default();
        hash.write_u64(self.generation);
        for i in &self.code {
            let (op, a, b, c) = (*i).into();
            hash.write_u64((u64::from(op) << 56) | (u64::from(a) << 48) | (u64::from(b) << 32));
            hash.write_u32(c);
        }
        hash.finish()
    }
}

impl Suspended {
    /// Puts the run on a machine that holds the same program as when it was suspended.
    ///
    /// # Errors
    /// When the machine holds another program.
    pub fn resume(self, base: &Machine) -> Result<Machine, OtherProgram> {
        if self.mark != base.fingerprint() {
            return Err(OtherProgram);
        }
        let atoms = Atoms::changed(&base.atoms, self.names);
        Ok(Machine {
            atoms: Arc::new(atoms),
            program: self
                .program
                .map_or_else(|| Arc::clone(&base.program), Arc::new),
            ops: self.ops.map_or_else(|| Arc::clone(&base.ops), Arc::new),
            ..self.run
        })
    }
}
