//! Words and data of one step: a reader sees the sentence and the picture, so they must tell the same.

use serde_json::{Map, Value};
use wits_game::Message;
use wits_search::{Kind, Line};

use super::claim::number;
use super::text;
use crate::WORDS;

/// Halves of the last digit that is shown, and a little more for what floating point does to them.
const SLACK: f64 = 0.5 + 1e-6;

/// Whether the sentence of a step in a decision tells the move and the value that its data give.
///
/// Where positions are looked at one below the other (`tree`), every value is told with its sign; machines that weigh
/// moves by themselves tell them in their own measure.
pub(super) fn tells(line: &Line, tree: bool) -> Result<(), Message> {
    let data = &line.data;
    let named = match line.kind {
        Kind::Open => text(data, "move"),
        Kind::Choose => text(data, "answer"),
        Kind::Improve => first(data, "line"),
        Kind::Cell => text(data, "row"),
        Kind::Draw => text(data, "drawn").or_else(|| text(data, "bead")),
        _ => None,
    };
    let claims = data.get("is").and_then(Value::as_str);
    let sure = data.get("proved").and_then(Value::as_bool);
    let valued = match line.kind {
        Kind::Close => tree,
        Kind::Choose | Kind::Improve => true,
        Kind::Cell => claims.is_some(),
        _ => false,
    };
    let value = number(data.get("value")).filter(|_| valued);
    let holds = named.is_none_or(|named| names(&line.text, &named))
        && value.is_none_or(|value| none_or_one(&signed(&line.text), value))
        && sure
            .zip(claims)
            .is_none_or(|(sure, is)| sure == (is == "exact"))
        && weighs(line);
    if holds { Ok(()) } else { Err(wrong(line)) }
}

/// Whether a sentence holds a number, as it is or in per cent.
pub(super) fn holds(sentence: &str, value: f64) -> bool {
    let shown = numbers(sentence);
    [value, 100.0 * value].iter().any(|value| {
        shown
            .iter()
            .any(|shown| shown.is(*value) || shown.is(-*value))
    })
}

/// Whether a sentence holds a time of the day, given in seconds.
pub(super) fn holds_time(sentence: &str, seconds: f64) -> bool {
    let minutes = (seconds / 60.0).floor();
    let (hour, minute) = (
        (minutes / 60.0).floor().rem_euclid(24.0),
        minutes.rem_euclid(60.0),
    );
    sentence.contains(&format!("{hour:02.0}:{minute:02.0}"))
}

/// The refusal of a step whose words and data differ.
pub(super) fn wrong(line: &Line) -> Message {
    WORDS.say("check-words").with("step", line.text.as_str())
}

/// The first of a list of moves.
fn first(data: &Map<String, Value>, key: &str) -> Option<String> {
    let moves = data.get(key)?.as_array()?;
    moves.first()?.as_str().map(str::to_owned)
}

/// Whether a move stands in a sentence as a word of its own.
pub(super) fn names(sentence: &str, mv: &str) -> bool {
    let part = |c: char| c.is_alphanumeric();
    sentence.match_indices(mv).any(|(at, _)| {
        let before = sentence[..at].chars().next_back();
        let after = sentence[at + mv.len()..].chars().next();
        !before.is_some_and(part) && !after.is_some_and(part)
    })
}

/// What a candidate weighs follows from its numbers, where these are counts in the same measure.
fn weighs(line: &Line) -> bool {
    let data = &line.data;
    let (Some(numbers), Some(value)) = (
        data.get("numbers").and_then(Value::as_object),
        number(data.get("value")),
    ) else {
        return true;
    };
    let of = |key: &str| number(numbers.get(key));
    let near = |sum: f64, value: f64| (value - sum).abs() < 1e-6;
    let follows = match (of("turned"), of("carried"), of("field").zip(of("spread"))) {
        (Some(one), ..) | (_, Some(one), _) => near(one, value.abs()),
        // Who spoils series wants a colour that many have, who makes one wants a colour that they lack.
        (.., Some((field, spread))) => near(field + spread, value) || near(field - spread, value),
        _ => return true,
    };
    follows && holds(&line.text, value)
}

/// A number in a sentence, and how many digits it shows after the point.
struct Shown {
    value: f64,
    digits: i32,
    signed: bool,
}

impl Shown {
    /// Whether it is what this number looks like.
    fn is(&self, value: f64) -> bool {
        (self.value - value).abs() <= SLACK * 0.1_f64.powi(self.digits)
    }

    /// The same of a value with its sign: decimals are left out only where there are none.
    fn states(&self, value: f64) -> bool {
        self.is(value) && (self.digits > 0 || (self.value - value).abs() < 1e-6)
    }
}

fn signed(sentence: &str) -> Vec<Shown> {
    let mut all = numbers(sentence);
    all.retain(|shown| shown.signed);
    all
}

/// Whether nothing is told, or this among what is told.
fn none_or_one(told: &[Shown], value: f64) -> bool {
    told.is_empty() || value.is_infinite() || told.iter().any(|shown| shown.states(value))
}

/// The numbers of a sentence that are no part of a word or of a move; a point or a comma stands before the decimals.
fn numbers(sentence: &str) -> Vec<Shown> {
    let chars: Vec<char> = sentence.chars().collect();
    let digit = |at: usize| chars.get(at).is_some_and(char::is_ascii_digit);
    let mut all = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        if !digit(at) {
            at += 1;
            continue;
        }
        let start = at;
        while digit(at) {
            at += 1;
        }
        let mut digits = 0;
        if matches!(chars.get(at), Some('.' | ',')) && digit(at + 1) {
            at += 1;
            while digit(at) {
                at += 1;
                digits += 1;
            }
        }
        let sign = start.checked_sub(1).map(|before| chars[before]);
        let is_sign = |c: char| matches!(c, '+' | '-' | '\u{2212}');
        let before = match sign {
            Some(sign) if is_sign(sign) => start.checked_sub(2).map(|before| chars[before]),
            other => other,
        };
        let apart = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '=');
        if !apart(before) || !apart(chars.get(at).copied()) {
            continue;
        }
        let written: String = chars[start..at].iter().collect();
        let Ok(value) = written.replace(',', ".").parse::<f64>() else {
            continue;
        };
        let minus = sign.is_some_and(|sign| is_sign(sign) && sign != '+');
        all.push(Shown {
            value: if minus { -value } else { value },
            digits,
            signed: sign.is_some_and(is_sign),
        });
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_they_are_shown() {
        let all: Vec<(f64, bool)> =
            numbers("c4 is worth +0.960, after 25=10: 1,5 of \u{2212}3 (12)")
                .iter()
                .map(|shown| (shown.value, shown.signed))
                .collect();
        assert_eq!(
            all,
            [(0.96, true), (1.5, false), (-3.0, true), (12.0, false)]
        );
        assert!(holds("scored 68.2%", 0.6824) && !holds("scored 68.2%", 0.69));
        assert!(holds("gap 0 scores 45", -45.0) && !holds("gap 0 scores 45", -46.0));
    }

    #[test]
    fn a_move_is_a_word() {
        assert!(names("try c4", "c4") && names("8H POLES scores 20", "8H POLES"));
        assert!(!names("try c41", "c4") && !names("try 13=3", "3=3"));
    }

    #[test]
    fn times_are_those_of_the_day() {
        assert!(holds_time("there at 08:01 +1", 115_260.0));
        assert!(!holds_time("there at 08:01 +1", 115_320.0));
    }
}
