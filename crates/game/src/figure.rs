//! Numbers as the reader's language writes them.

use std::hash::{Hash, Hasher};

use serde::{Deserialize, Serialize};

use crate::Lang;

/// A number in a sentence or a table, not yet in any language.
///
/// ```
/// use wits_game::{Figure, Lang};
/// assert_eq!(Figure::share(0.678).to(Lang::En), "67.8%");
/// assert_eq!(Figure::share(0.678).to(Lang::Cs), "67,8\u{a0}%");
/// assert_eq!(Figure::whole(12_345).to(Lang::Pl), "12\u{202f}345");
/// ```
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Figure {
    /// How many.
    Whole(i64),
    /// With so many digits after the point.
    Decimal(f64, usize),
    /// As [`Figure::Decimal`], with its sign unless it is zero: a plus or a true minus.
    Signed(f64, usize),
    /// In scientific notation, with so many digits after the point.
    Scientific(f64, usize),
    /// A part of one, in per cent with one digit.
    Share(f64),
}

impl Figure {
    /// How many.
    pub fn whole(n: impl TryInto<i64>) -> Figure {
        Figure::Whole(n.try_into().unwrap_or(i64::MAX))
    }

    /// A part of one, shown in per cent.
    pub const fn share(share: f64) -> Figure {
        Figure::Share(share)
    }

    /// The number as a language writes it.
    pub fn to(self, lang: Lang) -> String {
        match self {
            Figure::Whole(n) => grouped(n, lang),
            Figure::Decimal(x, digits) => pointed(format!("{x:.digits$}"), lang),
            Figure::Signed(x, digits) => pointed(signed(x, digits), lang),
            Figure::Scientific(x, digits) => pointed(format!("{x:.digits$e}"), lang),
            Figure::Share(x) => {
                let gap = if lang == Lang::En { "" } else { "\u{a0}" };
                pointed(format!("{:.1}{gap}%", 100.0 * x), lang)
            }
        }
    }

    /// The number as programs read it, in full.
    pub fn plain(self) -> String {
        match self {
            Figure::Whole(n) => n.to_string(),
            Figure::Decimal(x, _)
            | Figure::Signed(x, _)
            | Figure::Scientific(x, _)
            | Figure::Share(x) => x.to_string(),
        }
    }

    /// What two figures are compared by.
    fn key(self) -> (u8, u64, usize) {
        match self {
            Figure::Whole(n) => (0, n as u64, 0),
            Figure::Decimal(x, digits) => (1, x.to_bits(), digits),
            Figure::Signed(x, digits) => (2, x.to_bits(), digits),
            Figure::Scientific(x, digits) => (3, x.to_bits(), digits),
            Figure::Share(x) => (4, x.to_bits(), 0),
        }
    }
}

impl PartialEq for Figure {
    fn eq(&self, other: &Figure) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Figure {}

impl Hash for Figure {
    fn hash<H: Hasher>(&self, to: &mut H) {
        self.key().hash(to);
    }
}

/// English keeps the hyphen of programs, where no sign is asked for.
fn pointed(number: String, lang: Lang) -> String {
    match lang {
        Lang::En => number,
        Lang::Pl | Lang::Cs => {
            let number = number.replace('.', ",");
            match number.strip_prefix('-') {
                Some(rest) => format!("−{rest}"),
                None => number,
            }
        }
    }
}

fn signed(x: f64, digits: usize) -> String {
    let shown = format!("{x:+.digits$}");
    let (sign, number) = shown.split_at(1);
    if number.chars().all(|c| matches!(c, '0' | '.')) {
        return number.to_owned();
    }
    format!("{}{number}", if sign == "-" { "−" } else { sign })
}

/// Polish and Czech set a thin space between thousands from five digits on; English keeps the digits
/// together here, so that what is printed can be read by a program.
fn grouped(n: i64, lang: Lang) -> String {
    let digits = n.unsigned_abs().to_string();
    if lang == Lang::En || digits.len() < 5 {
        return pointed(n.to_string(), lang);
    }
    let mut out = String::from(if n < 0 { "−" } else { "" });
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push('\u{202f}');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_language_writes_its_own_way() {
        for (figure, en, pl) in [
            (Figure::whole(1234), "1234", "1234"),
            (
                Figure::whole(-1_234_567),
                "-1234567",
                "−1\u{202f}234\u{202f}567",
            ),
            (Figure::Decimal(1.5, 2), "1.50", "1,50"),
            (Figure::Signed(33.24, 1), "+33.2", "+33,2"),
            (Figure::Signed(-2.77, 1), "−2.8", "−2,8"),
            (Figure::Signed(-0.04, 1), "0.0", "0,0"),
            (Figure::Decimal(-0.5, 1), "-0.5", "−0,5"),
            (Figure::whole(-3), "-3", "−3"),
            (Figure::Scientific(0.000_123, 1), "1.2e-4", "1,2e-4"),
            (Figure::share(1.0), "100.0%", "100,0\u{a0}%"),
        ] {
            assert_eq!(
                (figure.to(Lang::En), figure.to(Lang::Pl)),
                (en.into(), pl.into())
            );
        }
        assert_eq!(Figure::share(0.123_456).plain(), "0.123456");
    }
}
