//! Option lists such as `[quoted(true)]`.

use std::sync::Arc;

use crate::atoms::known;
use crate::cell::*;
use crate::machine::Machine;
use crate::run::Thrown;
use crate::store::Look;

/// Whose options they are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Options {
    Read,
    Write,
    Open,
    Close,
}

impl Options {
    fn names(self) -> &'static [&'static str] {
        match self {
            Options::Read => &[
                "variables",
                "variable_names",
                "singletons",
                "syntax_errors",
                "double_quotes",
                "module",
                "dotlists",
                "var_prefix",
                "backquoted_string",
                "cycles",
            ],
            Options::Write => &[
                "quoted",
                "ignore_ops",
                "numbervars",
                "variable_names",
                "max_depth",
                "spacing",
                "dotlists",
                "brace_terms",
                "fullstop",
                "nl",
                "portray",
                "portrayed",
                "portray_goal",
                "priority",
                "cycles",
                "attributes",
                "module",
                "no_lists",
                "character_escapes",
                "partial",
                "blobs",
                "$portrayed",
            ],
            Options::Open => &[
                "type",
                "reposition",
                "alias",
                "eof_action",
                "encoding",
                "bom",
                "create",
                "lock",
                "wait",
                "buffer",
                "close_on_abort",
            ],
            Options::Close => &["force"],
        }
    }

    fn domain(self) -> &'static str {
        match self {
            Options::Read => "read_option",
            Options::Write => "write_option",
            Options::Open => "stream_option",
            Options::Close => "close_option",
        }
    }
}

/// The options in a list as names and values; what is not an option is an error.
pub(super) fn options(
    m: &mut Machine,
    list: Cell,
    whose: Options,
) -> Result<Vec<(Arc<str>, Cell)>, Thrown> {
    let items = super::lists::items(m, list)?;
    let mut out = Vec::new();
    for c in items {
        match m.store.look(c) {
            Look::Var(_) => return Err(m.instantiation()),
            Look::Compound(f, a) if functor_arity(f) == 1 => {
                let name = m.atoms.shared(m.atoms.functor_parts(f).0);
                if !whose.names().contains(&&*name) {
                    return Err(m.domain_error(whose.domain(), c));
                }
                out.push((name, m.store.cells[a]));
            }
            _ => return Err(m.domain_error(whose.domain(), c)),
        }
    }
    Ok(out)
}

/// The truth of a boolean option.
pub(super) fn truth(m: &mut Machine, name: &str, value: Cell) -> Result<bool, Thrown> {
    match m.store.look(value) {
        Look::Atom(known::TRUE) => Ok(true),
        Look::Atom(known::FALSE) => Ok(false),
        Look::Var(_) => Err(m.instantiation()),
        _ => {
            let option = m.compound(name, &[value]);
            Err(m.domain_error("write_option", option))
        }
    }
}
