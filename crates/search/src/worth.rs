//! What a search thinks something is worth.

use std::cmp::Ordering;
use std::fmt;

use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use wits_game::{Arg, Figure, Lang, Message};

/// What a number counts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// The payoff of the game itself: points, discs, win and loss.
    #[default]
    Payoff,
    /// What a heuristic says, in its own measure.
    Heuristic,
    /// An average payoff over many trials.
    Mean,
}

/// How sure it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Proof {
    /// A guess: it may change when looked at longer.
    #[default]
    Estimate,
    /// At least this much: the rest was not looked at.
    AtLeast,
    /// At most this much: the rest was not looked at.
    AtMost,
    /// Exactly this much, proved.
    Exact,
}

impl Proof {
    /// What a thread says the value `is`.
    pub const fn word(self) -> &'static str {
        match self {
            Proof::Estimate => "estimate",
            Proof::AtLeast => "at least",
            Proof::AtMost => "at most",
            Proof::Exact => "exact",
        }
    }
}

/// A value for one seat that knows its unit and whether it is proved.
///
/// Ordered by the number alone: more is better for the seat it belongs to. Never NaN.
#[derive(Clone, Copy, Debug)]
pub struct Worth {
    number: f64,
    /// What the number counts.
    pub unit: Unit,
    /// How sure it is.
    pub proof: Proof,
}

impl Worth {
    /// Worse than anything.
    pub const WORST: Worth = Worth {
        number: f64::NEG_INFINITY,
        unit: Unit::Payoff,
        proof: Proof::Estimate,
    };
    /// Better than anything.
    pub const BEST: Worth = Worth {
        number: f64::INFINITY,
        unit: Unit::Payoff,
        proof: Proof::Estimate,
    };

    /// A payoff that is certain.
    pub const fn exact(payoff: i32) -> Worth {
        Worth {
            number: payoff as f64,
            unit: Unit::Payoff,
            proof: Proof::Exact,
        }
    }

    /// What a heuristic says. A number that is not a number counts as nothing.
    pub const fn heuristic(number: f64) -> Worth {
        let number = if number.is_nan() { 0.0 } else { number };
        Worth {
            number,
            unit: Unit::Heuristic,
            proof: Proof::Estimate,
        }
    }

    /// An average over trials.
    pub const fn mean(number: f64) -> Worth {
        Worth {
            unit: Unit::Mean,
            ..Worth::heuristic(number)
        }
    }

    /// The same number, known only this surely.
    pub const fn known(self, proof: Proof) -> Worth {
        Worth { proof, ..self }
    }

    /// The number.
    pub const fn number(self) -> f64 {
        self.number
    }

    /// Whether it is proved to be exactly this.
    pub fn proved(self) -> bool {
        self.proof == Proof::Exact
    }

    /// Whether it is only a bound.
    pub fn bound(self) -> bool {
        matches!(self.proof, Proof::AtLeast | Proof::AtMost)
    }

    /// As people read it: estimates with one digit after the point, in the language of the reader.
    pub fn said(self) -> Message {
        let n = self.number;
        let number = if n.is_infinite() {
            Arg::from(if n > 0.0 { "+∞" } else { "−∞" })
        } else {
            Arg::from(Figure::Signed(n, usize::from(n.fract() != 0.0)))
        };
        let key = match self.proof {
            Proof::Estimate => "worth-estimate",
            Proof::Exact => "worth-exact",
            Proof::AtLeast => "worth-at-least",
            Proof::AtMost => "worth-at-most",
        };
        crate::WORDS.say(key).with("number", number)
    }

    /// The number as JSON, infinities as the strings "inf" and "-inf".
    pub fn json(self) -> Value {
        if self.number == f64::INFINITY {
            json!("inf")
        } else if self.number == f64::NEG_INFINITY {
            json!("-inf")
        } else {
            json!(self.number)
        }
    }
}

/// The same number from the other side of a two-seat game where one's gain is the other's loss.
impl std::ops::Neg for Worth {
    type Output = Worth;

    fn neg(self) -> Worth {
        let proof = match self.proof {
            Proof::AtLeast => Proof::AtMost,
            Proof::AtMost => Proof::AtLeast,
            same => same,
        };
        Worth {
            number: -self.number,
            proof,
            ..self
        }
    }
}

impl PartialEq for Worth {
    fn eq(&self, other: &Worth) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Worth {}

impl PartialOrd for Worth {
    fn partial_cmp(&self, other: &Worth) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Worth {
    fn cmp(&self, other: &Worth) -> Ordering {
        // Adding zero makes -0.0 and 0.0 the same worth.
        (self.number + 0.0).total_cmp(&(other.number + 0.0))
    }
}

impl fmt::Display for Worth {
    /// As machines speak: `+4, proved`, `at most +4`, `-0.25`; with a comma where the language has one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n = self.number;
        let number = if n.is_infinite() {
            (if n > 0.0 { "inf" } else { "-inf" }).to_owned()
        } else if self.unit == Unit::Payoff || n.fract() == 0.0 {
            format!("{:+}", n + 0.0)
        } else {
            format!("{n:+.3}")
        };
        let number = match Lang::spoken() {
            Lang::En => number,
            Lang::Pl | Lang::Cs => number.replace('.', ","),
        };
        let key = match self.proof {
            Proof::Estimate => return f.write_str(&number),
            Proof::Exact => "worth-exact",
            Proof::AtLeast => "worth-at-least",
            Proof::AtMost => "worth-at-most",
        };
        write!(f, "{}", crate::WORDS.say(key).with("number", number))
    }
}

impl Serialize for Worth {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        json!({ "value": self.json(), "unit": self.unit, "proof": self.proof }).serialize(to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_read_one_digit_and_a_true_minus() {
        let said = |worth: Worth| worth.said().to(Lang::En);
        assert_eq!(said(Worth::heuristic(6.310)), "+6.3");
        assert_eq!(said(Worth::heuristic(-2.770)), "−2.8");
        assert_eq!(Worth::mean(-2.77).said().to(Lang::Cs), "−2,8");
        assert_eq!(said(Worth::exact(-4)), "−4, proved");
        assert_eq!(said(Worth::WORST), "−∞");
    }

    #[test]
    fn order_is_by_number() {
        assert!(Worth::WORST < Worth::exact(-64));
        assert!(Worth::heuristic(0.5) < Worth::exact(1));
        assert_eq!(Worth::heuristic(-0.0), Worth::exact(0));
        assert_eq!(Worth::heuristic(f64::NAN), Worth::exact(0));
        assert_eq!(-Worth::exact(3).known(Proof::AtLeast), Worth::exact(-3));
        assert_eq!(
            (-Worth::exact(3).known(Proof::AtLeast)).proof,
            Proof::AtMost
        );
    }

    #[test]
    fn machines_speak_in_numbers() {
        assert_eq!(Worth::exact(4).to_string(), "+4, proved");
        let bound = Worth::exact(4).known(Proof::AtMost);
        assert_eq!(bound.to_string(), "at most +4");
        assert_eq!(Worth::heuristic(-0.25).to_string(), "-0.250");
        assert_eq!(Worth::WORST.to_string(), "-inf");
        assert_eq!(
            serde_json::to_string(&Worth::BEST.json()).unwrap(),
            "\"inf\""
        );
    }
}
