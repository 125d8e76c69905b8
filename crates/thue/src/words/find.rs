//! The plain search for repetitions: two windows side by side, sliding over the word.
//!
//! This is the search that the thesis describes, and the slow twin of everything faster here.

use serde::{Deserialize, Serialize};
use wits_game::Message;
use wits_search::{Kind, Step, Watch};

use super::Variant;
use crate::WORDS;

/// A repetition in a word.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Repetition {
    /// The place of its first letter, counted from zero.
    pub start: usize,
    /// How far apart equal letters are.
    pub period: usize,
    /// How many letters it has.
    pub length: usize,
}

impl Repetition {
    /// The repetition of a period that starts here.
    pub const fn new(variant: Variant, start: usize, period: usize) -> Repetition {
        Repetition {
            start,
            period,
            length: variant.length(period),
        }
    }

    /// The place after its last letter.
    pub const fn end(&self) -> usize {
        self.start + self.length
    }
}

/// Whether a repetition of this period starts here.
pub fn is_at(word: &[u8], variant: Variant, start: usize, period: usize) -> bool {
    let end = start + variant.length(period);
    if end > word.len() {
        return false;
    }
    if variant == Variant::AbelianSquare {
        let sorted = |half: &[u8]| {
            let mut letters = half.to_vec();
            letters.sort_unstable();
            letters
        };
        let (left, right) = word[start..end].split_at(period);
        return sorted(left) == sorted(right);
    }
    (start..start + variant.pairs(period)).all(|t| word[t] == word[t + period])
}

/// The repetition with the shortest period, and of those the leftmost.
pub fn first(word: &[u8], variant: Variant) -> Option<Repetition> {
    first_watched(word, variant, &mut ())
}

/// Every repetition, by period and then by place.
///
/// # Complexity
/// Up to the square of the length in results, its cube in time.
pub fn all(word: &[u8], variant: Variant) -> Vec<Repetition> {
    let periods = variant.least_period()..=variant.most_period(word.len());
    periods
        .flat_map(|p| (0..word.len()).map(move |s| (s, p)))
        .filter(|&(s, p)| is_at(word, variant, s, p))
        .map(|(s, p)| Repetition::new(variant, s, p))
        .collect()
}

/// The same search with every window told to a watcher, as the thesis draws it.
pub fn first_watched<W: Watch>(word: &[u8], variant: Variant, watch: &mut W) -> Option<Repetition> {
    let n = word.len();
    for period in variant.least_period()..=variant.most_period(n) {
        watch.step(|| {
            Step::new(Kind::Open, WORDS.say("find-period").with("period", period))
                .data("id", period)
                .data("parent", 0)
                .data("period", period)
        });
        for start in 0..=n - variant.length(period) {
            let equal = is_at(word, variant, start, period);
            watch.step(|| window(variant, start, period, equal));
            if equal {
                let found = Repetition::new(variant, start, period);
                watch.step(|| ended(Some(&found)).data("value", period));
                return Some(found);
            }
        }
        watch.step(|| {
            Step::new(
                Kind::Close,
                WORDS.say("find-none-of").with("period", period),
            )
            .data("id", period)
            .data("value", 0)
        });
    }
    watch.step(|| ended(None));
    None
}

/// What the search came to, as its last step tells it.
pub(crate) fn verdict(found: Option<&Repetition>) -> Message {
    match found {
        Some(found) => WORDS
            .say("find-found")
            .with("start", found.start)
            .with("period", found.period),
        None => WORDS.say("find-none"),
    }
}

fn ended(found: Option<&Repetition>) -> Step {
    let says = verdict(found);
    let answer = says.to_string();
    Step::new(Kind::Choose, says).data("answer", answer)
}

/// One position of the two windows; those of overlaps share a letter.
fn window(variant: Variant, start: usize, period: usize, equal: bool) -> Step {
    let size = variant.pairs(period);
    let key = if equal { "find-equal" } else { "find-differ" };
    let says = WORDS
        .say(key)
        .with("left", format!("{}-{}", start, start + size - 1))
        .with(
            "right",
            format!("{}-{}", start + period, start + period + size - 1),
        );
    Step::new(Kind::Visit, says)
        .data("node", start)
        .data("left", vec![start, start + size])
        .data("right", vec![start + period, start + period + size])
        .data("equal", equal)
}

/// The repetition that ends with the last letter, if the rest has none: the one that was just made.
///
/// Where several end there, the one with the shortest period.
pub fn at_end(word: &[u8], variant: Variant) -> Option<Repetition> {
    let n = word.len();
    (variant.least_period()..=variant.most_period(n)).find_map(|period| {
        let start = n - variant.length(period);
        is_at(word, variant, start, period).then(|| Repetition::new(variant, start, period))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Word;

    fn check(text: &str, variant: Variant) -> Option<(usize, usize, usize)> {
        let word: Word = text.parse().unwrap();
        first(&word, variant).map(|r| (r.start, r.period, r.length))
    }

    #[test]
    fn definitions() {
        assert_eq!(check("abcab", Variant::Square), None);
        assert_eq!(check("01212", Variant::Square), Some((1, 2, 4)));
        assert_eq!(check("aaa", Variant::Overlap), Some((0, 1, 3)));
        assert_eq!(check("aaa", Variant::OverlapThesis), None);
        assert_eq!(check("aaaaa", Variant::OverlapThesis), Some((0, 2, 5)));
        assert_eq!(check("aa", Variant::Overlap), None);
        assert_eq!(check("cababa", Variant::Overlap), Some((1, 2, 5)));
        assert_eq!(check("aabab", Variant::Cube), None);
        assert_eq!(check("cababab", Variant::Cube), Some((1, 2, 6)));
        assert_eq!(check("abcacb", Variant::AbelianSquare), Some((0, 3, 6)));
        assert_eq!(check("abcdba", Variant::AbelianSquare), None);
    }

    /// The two windows slide as in the thesis's figure: five comparisons of windows of two in
    /// `abcabaca`, none equal.
    #[test]
    fn windows_slide() {
        let word: Word = "abcabaca".parse().unwrap();
        let mut steps = Vec::new();
        assert_eq!(first_watched(&word, Variant::Square, &mut steps), None);
        let count = |p: usize| {
            let open = steps
                .iter()
                .position(|s| s.kind == Kind::Open && s.data["period"] == p)
                .unwrap();
            steps[open + 1..]
                .iter()
                .take_while(|s| s.kind == Kind::Visit)
                .count()
        };
        assert_eq!((count(1), count(2), count(3), count(4)), (7, 5, 3, 1));
    }

    #[test]
    fn the_end_is_seen_from_the_end() {
        let word: Word = "01212".parse().unwrap();
        assert_eq!(
            at_end(&word, Variant::Square),
            Some(Repetition {
                start: 1,
                period: 2,
                length: 4
            })
        );
        assert_eq!(at_end(&word[..4], Variant::Square), None);
    }
}
