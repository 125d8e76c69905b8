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
        && claims.is_none_or(|is| !denies(&line.text, is))
        && value.is_none_or(|value| none_or_one(&signed(&line.text), value))
        && sure
            .zip(claims)
            .is_none_or(|(sure, is)| sure == (is == "exact"))
        && weighs(line);
    if holds { Ok(()) } else { Err(wrong(line)) }
}

/// Words that tell a lower bound, an upper one, and one of the two.
const LEAST: [&str; 3] = ["at least", "co najmniej", "nejméně"];
const MOST: [&str; 7] = [
    "at most",
    "no more than",
    "no better than",
    "co najwyżej",
    "nie jest lepszy niż",
    "nejvýše",
    "není lepší než",
];
const BOUND: [&str; 5] = [
    "the rest was not looked at",
    "reszty nie obejrzano",
    "reszty nie oglądano",
    "zbytek nebyl prohlédnut",
    "zbytek se neprohlížel",
];

/// Whether a sentence tells another kind of value than its data: a bound where they say `exact`, or the other bound.
fn denies(sentence: &str, is: &str) -> bool {
    let tells = |words: &[&str]| words.iter().any(|word| sentence.contains(word));
    match is {
        "exact" => tells(&LEAST) || tells(&MOST) || tells(&BOUND),
        "at least" => tells(&MOST) && !tells(&LEAST),
        "at most" => tells(&LEAST) && !tells(&MOST),
        _ => false,
    }
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
pub(super) struct Shown {
    value: f64,
    digits: i32,
    pub(super) signed: bool,
    /// What it is where its comma does not stand before decimals, but between thousands.
    grouped: Option<f64>,
    /// As it is written.
    pub(super) written: String,
}

impl Shown {
    /// Whether it is what this number looks like.
    pub(super) fn is(&self, value: f64) -> bool {
        let near = |shown: f64, digits: i32| (shown - value).abs() <= SLACK * 0.1_f64.powi(digits);
        near(self.value, self.digits) || self.grouped.is_some_and(|shown| near(shown, 0))
    }

    /// The same of a value with its sign: decimals are left out only where there are none.
    pub(super) fn states(&self, value: f64) -> bool {
        self.is(value) && (self.digits > 0 || (self.value - value).abs() < 1e-6)
    }

    /// What it can be read as.
    pub(super) fn readings(&self) -> impl Iterator<Item = f64> {
        [Some(self.value), self.grouped].into_iter().flatten()
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

/// A sentence without names that may hold digits.
pub(super) fn masked<'a>(sentence: &str, all: impl IntoIterator<Item = &'a String>) -> String {
    let mut masked = sentence.to_owned();
    for name in all {
        if names(&masked, name) {
            masked = masked.replace(name.as_str(), "_");
        }
    }
    masked
}

/// The numbers of a sentence that are no part of a word or of a move; a point or a comma stands before the decimals, a comma or
/// a narrow gap between thousands.
pub(super) fn numbers(sentence: &str) -> Vec<Shown> {
    let chars: Vec<char> = sentence.chars().collect();
    let digit = |at: usize| chars.get(at).is_some_and(char::is_ascii_digit);
    let three = |at: usize| (at + 1..at + 4).all(digit) && !digit(at + 4);
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
        let mut whole: String = chars[start..at].iter().collect();
        let (short, mut groups, mut gaps) = (at - start <= 3, 0, false);
        while short && matches!(chars.get(at), Some(',' | '\u{202f}')) && three(at) {
            gaps |= chars[at] == '\u{202f}';
            groups += 1;
            whole.extend(&chars[at + 1..at + 4]);
            at += 4;
        }
        let mut decimals = String::new();
        if matches!(chars.get(at), Some('.' | ',')) && digit(at + 1) {
            at += 1;
            while digit(at) {
                decimals.push(chars[at]);
                at += 1;
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
        // One comma before three digits may be either.
        let either = groups == 1 && !gaps && decimals.is_empty();
        let grouped = whole.parse::<f64>().ok().filter(|_| either);
        if either {
            decimals = whole.split_off(whole.len() - 3);
        }
        let Ok(value) = format!("{whole}.{decimals}0").parse::<f64>() else {
            continue;
        };
        let minus = sign.is_some_and(|sign| is_sign(sign) && sign != '+');
        let turned = |value: f64| if minus { -value } else { value };
        let from = if sign.is_some_and(is_sign) {
            start - 1
        } else {
            start
        };
        all.push(Shown {
            value: turned(value),
            digits: i32::try_from(decimals.len()).unwrap_or(i32::MAX),
            signed: sign.is_some_and(is_sign),
            grouped: grouped.map(turned),
            written: chars[from..at].iter().collect(),
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
        let grouped = numbers("12,059 of 1,234,567 and 65\u{202f}261, 3,5; 1, 6");
        let read: Vec<Vec<f64>> = grouped.iter().map(|n| n.readings().collect()).collect();
        let all = [
            vec![12.059, 12_059.0],
            vec![1_234_567.0],
            vec![65_261.0],
            vec![3.5],
            vec![1.0],
            vec![6.0],
        ];
        assert_eq!(read, all);
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
