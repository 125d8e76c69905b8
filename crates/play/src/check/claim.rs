//! What a step says about the value of a node.

use serde_json::{Map, Value};

/// Whether a step was checked, or has to be believed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Known {
    Checked,
    Trusted,
}

/// How sure a value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Is {
    Exact,
    Least,
    Most,
    Estimate,
}

impl Is {
    pub(super) fn read(word: &Value) -> Is {
        match word.as_str() {
            Some("exact") => Is::Exact,
            Some("at least") => Is::Least,
            Some("at most") => Is::Most,
            _ => Is::Estimate,
        }
    }
}

/// A value and what is said about it.
#[derive(Clone, PartialEq, Debug)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a flag that a step may carry by itself"
)]
pub(super) struct Claim {
    pub(super) value: Option<f64>,
    pub(super) is: Is,
    /// Somebody judged a position that is not over.
    pub(super) judged: bool,
    /// What it rests on besides the nodes below it.
    pub(super) by: bool,
    /// That is no argument but a rule, or a shorter look that is mostly right.
    pub(super) unsure: bool,
    /// Something below it was left out of the thread.
    pub(super) left_out: bool,
    pub(super) visits: u64,
    pub(super) best: bool,
    /// Luck decided, among moves of different values.
    pub(super) luck: bool,
}

impl Claim {
    pub(super) fn read(data: &Map<String, Value>) -> Claim {
        let flag = |key: &str| data.get(key).and_then(Value::as_bool) == Some(true);
        let is = data.get("is").map_or(Is::Estimate, Is::read);
        let by = data.get("by").and_then(Value::as_str);
        Claim {
            value: number(data.get("value")),
            is,
            judged: flag("judged") || is == Is::Estimate,
            by: by.is_some(),
            unsure: matches!(by, Some("rule" | "selective" | "judged")),
            left_out: flag("sampled") || data.get("inside").is_some(),
            visits: data.get("visits").and_then(Value::as_u64).unwrap_or(0),
            best: flag("best"),
            luck: flag("luck"),
        }
    }

    /// The least and the greatest that it can be.
    pub(super) fn span(&self) -> (f64, f64) {
        let (low, high) = (f64::NEG_INFINITY, f64::INFINITY);
        match (self.value, self.is) {
            (None, _) => (low, high),
            (Some(v), Is::Exact | Is::Estimate) => (v, v),
            (Some(v), Is::Least) => (v, high),
            (Some(v), Is::Most) => (low, v),
        }
    }

    /// The same claim from the other side.
    pub(super) fn turned(&self) -> Claim {
        Claim {
            value: self.value.map(|v| -v),
            is: match self.is {
                Is::Least => Is::Most,
                Is::Most => Is::Least,
                same => same,
            },
            ..self.clone()
        }
    }
}

/// A number in a step, infinities as words.
pub(super) fn number(value: Option<&Value>) -> Option<f64> {
    match value? {
        Value::Number(number) => number.as_f64(),
        Value::String(word) => match word.as_str() {
            "inf" | "+inf" => Some(f64::INFINITY),
            "-inf" => Some(f64::NEG_INFINITY),
            _ => None,
        },
        _ => None,
    }
}
