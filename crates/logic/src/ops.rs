//! Operators: which names may stand before, between or after their arguments.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// How an operator takes its arguments; `x` is strictly tighter, `y` may be equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Kind {
    Xfx,
    Xfy,
    Yfx,
    Fy,
    Fx,
    Xf,
    Yf,
}

impl Kind {
    /// The name used by `op/3`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Xfx => "xfx",
            Kind::Xfy => "xfy",
            Kind::Yfx => "yfx",
            Kind::Fy => "fy",
            Kind::Fx => "fx",
            Kind::Xf => "xf",
            Kind::Yf => "yf",
        }
    }

    /// Reads the name used by `op/3`.
    pub(crate) fn read(s: &str) -> Option<Kind> {
        Some(match s {
            "xfx" => Kind::Xfx,
            "xfy" => Kind::Xfy,
            "yfx" => Kind::Yfx,
            "fy" => Kind::Fy,
            "fx" => Kind::Fx,
            "xf" => Kind::Xf,
            "yf" => Kind::Yf,
            _ => return None,
        })
    }
}

/// The three roles a name can have at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Roles {
    pub(crate) prefix: Option<(u16, Kind)>,
    pub(crate) infix: Option<(u16, Kind)>,
    pub(crate) postfix: Option<(u16, Kind)>,
}

/// The operator table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Ops(BTreeMap<String, Roles>);

impl Ops {
    /// No operators at all.
    pub(crate) fn none() -> Ops {
        Ops(BTreeMap::new())
    }

    /// The usual operators.
    pub(crate) fn standard() -> Ops {
        let mut ops = Ops(BTreeMap::new());
        let table: &[(u16, Kind, &str)] = &[
            (1200, Kind::Xfx, ":- --> =>"),
            (1200, Kind::Fx, ":- ?-"),
            (1100, Kind::Xfy, ";"),
            (1100, Kind::Xfy, "|"),
            (1050, Kind::Xfy, "-> *->"),
            (1000, Kind::Xfy, ","),
            (800, Kind::Xfx, ":="),
            (900, Kind::Fy, "\\+"),
            (
                1150,
                Kind::Fx,
                "dynamic discontiguous initialization meta_predicate module_transparent \
                multifile public table thread_initialization thread_local volatile",
            ),
            (
                700,
                Kind::Xfx,
                "= \\= == \\== @< @> @=< @>= =.. is =:= =\\= < > =< >= =@= \\=@= as :< >:<",
            ),
            (600, Kind::Xfy, ":"),
            (500, Kind::Yfx, "+ - /\\ \\/"),
            (400, Kind::Yfx, "* / // mod rem << >> div rdiv xor"),
            (200, Kind::Xfx, "**"),
            (200, Kind::Xfy, "^"),
            (200, Kind::Fy, "- + \\"),
            (1, Kind::Fx, "$"),
        ];
        for &(priority, kind, names) in table {
            for name in names.split_whitespace() {
                ops.set(name, priority, kind);
            }
        }
        ops
    }

    /// Adds, changes or (priority 0) removes an operator.
    pub(crate) fn set(&mut self, name: &str, priority: u16, kind: Kind) {
        let roles = self.0.entry(name.to_owned()).or_default();
        let value = (priority > 0).then_some((priority, kind));
        match kind {
            Kind::Xfx | Kind::Xfy | Kind::Yfx => roles.infix = value,
            Kind::Fy | Kind::Fx => roles.prefix = value,
            Kind::Xf | Kind::Yf => roles.postfix = value,
        }
    }

    /// The roles of a name.
    pub(crate) fn roles(&self, name: &str) -> Roles {
        self.0.get(name).copied().unwrap_or_default()
    }

    /// All operators, by name.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&str, u16, Kind)> {
        self.0.iter().flat_map(|(name, r)| {
            [r.prefix, r.infix, r.postfix]
                .into_iter()
                .flatten()
                .map(move |(p, k)| (name.as_str(), p, k))
        })
    }
}
