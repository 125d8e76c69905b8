//! Parts of a text that are loaded on a condition: `:- if(Goal).`, `:- elif(Goal).`, `:- else.`,
//! `:- endif.`

use crate::atoms::known;
use crate::cell::Cell;
use crate::machine::Machine;
use crate::store::Look;
use crate::trouble::Trouble;

/// One construct that has not ended.
struct Branch {
    /// Sentences of the present branch count.
    active: bool,
    /// A branch has counted, or the construct is inside one that does not.
    settled: bool,
    /// There was an `else`.
    last: bool,
}

/// The constructs around the present sentence, outermost first.
#[derive(Default)]
pub(crate) struct Branches(Vec<Branch>);

impl Branches {
    /// Whether sentences count here.
    pub(crate) fn active(&self) -> bool {
        self.0.iter().all(|b| b.active)
    }

    /// What is wrong at the end of the text.
    pub(crate) fn unfinished(&self) -> Option<Trouble> {
        let open = || Trouble::plain("`:- endif.` is missing at the end of the text");
        (!self.0.is_empty()).then(open)
    }
}

impl Machine {
    /// Takes a directive of conditional loading; says whether the sentence was one.
    pub(crate) fn take_condition(
        &mut self,
        term: Cell,
        branches: &mut Branches,
    ) -> Result<bool, Trouble> {
        let Look::Compound(f, a) = self.store.look(term) else {
            return Ok(false);
        };
        if self.atoms.functor_parts(f) != (known::NECK, 1) {
            return Ok(false);
        }
        let directive = self.store.cells[a];
        let Some((name, arity)) = self.callable(directive) else {
            return Ok(false);
        };
        let word = self.atoms.shared(name);
        match (&*word, arity) {
            ("if", 1) => {
                let active = branches.active();
                branches.0.push(Branch {
                    active: false,
                    settled: !active,
                    last: false,
                });
            }
            ("elif", 1) | ("else" | "endif", 0) => {
                let Some(branch) = branches.0.last_mut() else {
                    let message = format!("there is no `:- if(Goal).` before this `:- {word}`");
                    return Err(Trouble::plain(&message));
                };
                if branch.last && &*word != "endif" {
                    let message = format!("`:- {word}` cannot follow `:- else.`");
                    return Err(Trouble::plain(&message));
                }
                branch.active = false;
                match &*word {
                    "endif" => {
                        branches.0.pop();
                        return Ok(true);
                    }
                    "else" => {
                        branch.last = true;
                        branch.active = !branch.settled;
                        branch.settled = true;
                        return Ok(true);
                    }
                    _ => {}
                }
            }
            _ => return Ok(false),
        }
        let Some(branch) = branches.0.last_mut().filter(|b| !b.settled) else {
            return Ok(true);
        };
        let goal = self.store.args(directive)[0];
        branch.active = self.once(goal)?;
        branch.settled = branch.active;
        Ok(true)
    }
}
