//! Threads of this room: how repetitions are found, and what a machine of level 1 sees.

use std::fmt::Write;

use wits_game::Lang;
use wits_search::{Kind, Recorder, Step, Thread, ThreadHeader, Watch};

use crate::fits::{self, Children};
use crate::words::{Variant, find};
use crate::{WORDS, Word};

/// How many steps of the two windows are kept.
const STEPS: usize = 4000;

/// The two windows that slide over a word until they find a repetition.
pub fn windows(word: &Word, variant: Variant) -> Thread {
    let mut drawn = Drawn {
        recorder: Recorder::new(STEPS),
        word,
    };
    let found = find::first_watched(word, variant, &mut drawn);
    let mut header = ThreadHeader::new("thue", "board");
    header.subject = word.to_string();
    header.by = format!("find:kind={variant}");
    header.title = WORDS.say("thread-windows").to_string();
    let result = find::verdict(found.as_ref()).to_string();
    drawn.recorder.finish(&header, &result, Lang::spoken())
}

/// Draws the two windows under the word, beside what the search says.
struct Drawn<'a> {
    recorder: Recorder,
    word: &'a [u8],
}

impl Watch for Drawn<'_> {
    const ON: bool = true;

    fn step(&mut self, what: impl FnOnce() -> Step) {
        let step = what();
        let window = |key: &str| -> Option<(usize, usize)> {
            let ends = step.data.get(key)?;
            Some((ends[0].as_u64()? as usize, ends[1].as_u64()? as usize))
        };
        let windows = window("left").zip(window("right"));
        let step = match windows {
            Some((left, right)) => {
                let picture = under_windows(self.word, left, right);
                step.data("board", picture)
            }
            None => step,
        };
        self.recorder.step(|| step);
    }
}

/// The word, and below it the left window (1), the right one (2), and what they share (*).
fn under_windows(word: &[u8], left: (usize, usize), right: (usize, usize)) -> String {
    let width = if word.iter().any(|&c| c > 9) { 3 } else { 2 };
    let (mut letters, mut marks) = (String::new(), String::new());
    for (at, symbol) in word.iter().enumerate() {
        let within = |ends: (usize, usize)| (ends.0..ends.1).contains(&at);
        let mark = match (within(left), within(right)) {
            (true, true) => "*",
            (true, false) => "1",
            (false, true) => "2",
            (false, false) => " ",
        };
        let _ = write!(letters, "{symbol:>width$}");
        let _ = write!(marks, "{mark:>width$}");
    }
    format!("{letters}\n{}", marks.trim_end())
}

/// Gaps, symbols and sums of level 1 as a tree that grows.
pub fn tree(word: &Word, symbols: usize, variant: Variant) -> Thread {
    let known = fits::children(word, symbols, variant);
    let mut recorder = Recorder::new(100_000);
    let chosen = grow(word, &known, &mut recorder);
    let mut header = ThreadHeader::new("thue", "tree");
    header.subject = word.to_string();
    header.by = String::from("nested:level=1");
    header.title = WORDS.say("thread-tree").to_string();
    recorder.finish(&header, &chosen.to_string(), Lang::spoken())
}

/// Opens every gap and every symbol in it, and closes them with their sums; the smallest gap is the answer.
fn grow(word: &Word, known: &Children, watch: &mut impl Watch) -> usize {
    let root = WORDS.say("tree-root");
    let root = root.with("word", word.to_string());
    watch.step(|| Step::new(Kind::Open, root).data("id", 0));
    let mut id = 0;
    let mut best: Option<(u64, usize)> = None;
    for (gap, &fit) in known.fits.iter().enumerate() {
        id += 1;
        let parent = id;
        let open = WORDS.say("tree-gap").with("gap", gap);
        let open = open.with("count", fit.count_ones());
        watch.step(|| {
            let step = Step::new(Kind::Open, open).data("id", parent);
            step.data("parent", 0).data("move", gap.to_string())
        });
        let mut sum = 0;
        for symbol in fits::symbols(fit) {
            id += 1;
            let score = known.total(gap, symbol);
            sum += score;
            let says = WORDS.say("tree-symbol").with("symbol", symbol);
            let says = says.with("score", score);
            watch.step(|| {
                let step = Step::new(Kind::Open, says.clone()).data("id", id);
                let shown = format!("{symbol}");
                step.data("parent", parent).data("move", shown)
            });
            watch.step(|| {
                Step::new(Kind::Close, says)
                    .data("id", id)
                    .data("value", score)
            });
        }
        let close = WORDS.say("tree-sum").with("gap", gap).with("sum", sum);
        watch.step(|| {
            Step::new(Kind::Close, close)
                .data("id", parent)
                .data("value", sum)
        });
        if best.is_none_or(|(least, _)| sum < least) {
            best = Some((sum, gap));
        }
    }
    let (sum, gap) = best.unwrap_or_default();
    let choose = WORDS.say("tree-choose").with("gap", gap);
    let choose = choose.with("sum", sum);
    watch.step(|| Step::new(Kind::Choose, choose.clone()).data("answer", gap.to_string()));
    watch.step(|| {
        Step::new(Kind::Close, choose)
            .data("id", 0)
            .data("value", sum)
    });
    gap
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_drawn_under_the_word() {
        assert_eq!(
            under_windows(&[0, 1, 0, 1], (0, 2), (2, 4)),
            " 0 1 0 1\n 1 1 2 2"
        );
        assert_eq!(
            under_windows(&[0, 0, 0, 1], (0, 2), (1, 3)),
            " 0 0 0 1\n 1 * 2"
        );
    }

    #[test]
    fn the_tree_has_every_choice_and_ends_at_the_smallest_sum() {
        let word: Word = "01".parse().unwrap();
        let known = fits::children(&word, 3, Variant::Square);
        let mut steps = Vec::new();
        let gap = grow(&word, &known, &mut steps);
        let choices: u32 = known.fits.iter().map(|fit| fit.count_ones()).sum();
        let opened = steps.iter().filter(|s| s.kind == Kind::Open).count();
        assert_eq!(opened, 1 + known.fits.len() + choices as usize);
        assert_eq!(gap, 1, "only 2 fits between 0 and 1");
    }
}
