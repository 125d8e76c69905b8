//! From what a file offers to what can lie on the board: what is kept, and why the rest is not.

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::words::{BadWords, Lexicon};
use crate::tiles::{LONGEST, Letter, TileSet, Word, composed};

/// What a capital at the start of a word means.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Capitals {
    /// A name or an abbreviation: not a word of the game.
    Names,
    /// Nothing: the whole list is in capitals, or in any case.
    Nothing,
    /// Names, where most of the list is in small letters; nothing otherwise.
    #[default]
    Guess,
}

/// Which forms of a word are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Forms {
    /// All of them.
    #[default]
    All,
    /// Only those that stand in the dictionary.
    Base,
    /// All forms up to this many letters, longer words only as they stand in the dictionary.
    UpTo(u8),
}

/// Not a choice of forms.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is not a choice of forms; use all, base or up-to:N with N from 2 to {LONGEST}")]
pub struct BadForms(pub String);

impl FromStr for Forms {
    type Err = BadForms;

    fn from_str(text: &str) -> Result<Forms, BadForms> {
        let most = text.strip_prefix("up-to:").and_then(|n| n.parse().ok());
        match (text, most) {
            ("all", _) => Ok(Forms::All),
            ("base", _) => Ok(Forms::Base),
            (_, Some(most)) if (2..=LONGEST as u8).contains(&most) => Ok(Forms::UpTo(most)),
            _ => Err(BadForms(text.to_owned())),
        }
    }
}

impl fmt::Display for Forms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Forms::All => f.write_str("all"),
            Forms::Base => f.write_str("base"),
            Forms::UpTo(most) => write!(f, "up-to:{most}"),
        }
    }
}

/// Why something offered is not in the lexicon.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Reason {
    /// It is there already.
    Twice,
    /// It begins with a capital: a name or an abbreviation.
    Capital,
    /// It has a full stop: an abbreviation.
    Abbreviation,
    /// It has a character that is no letter of the tile set.
    Letter,
    /// Fewer letters than two.
    Short,
    /// More letters than the board is wide.
    Long,
    /// It is on the stop list.
    Stopped,
    /// The dictionary itself says that it is no word.
    Forbidden,
    /// It is a form that was not asked for.
    Form,
}

impl Reason {
    /// A short word for scripts.
    pub fn id(self) -> &'static str {
        match self {
            Reason::Twice => "twice",
            Reason::Capital => "capital",
            Reason::Abbreviation => "abbreviation",
            Reason::Letter => "letter",
            Reason::Short => "short",
            Reason::Long => "long",
            Reason::Stopped => "stop-list",
            Reason::Forbidden => "forbidden",
            Reason::Form => "form",
        }
    }

    /// The reason in words.
    pub fn about(self) -> &'static str {
        match self {
            Reason::Twice => "there already",
            Reason::Capital => "begins with a capital",
            Reason::Abbreviation => "has a full stop",
            Reason::Letter => "has a character that is no letter of the tile set",
            Reason::Short => "has fewer letters than asked for",
            Reason::Long => "has more letters than asked for",
            Reason::Stopped => "is on the stop list",
            Reason::Forbidden => "is forbidden by the dictionary",
            Reason::Form => "is a form not asked for",
        }
    }
}

/// How many were dropped for one reason, and the first few.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Dropped {
    /// How many.
    pub count: u64,
    /// The first of them, as they were offered.
    pub examples: Vec<String>,
}

/// What happened to a list.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// How many words or forms were offered.
    pub offered: u64,
    /// How many words were kept.
    pub kept: u64,
    /// How many of these were read without their accents.
    pub unaccented: u64,
    /// The rest, by reason.
    pub dropped: BTreeMap<Reason, Dropped>,
}

/// Settings of a [`Sieve`].
#[derive(Clone, Debug)]
pub struct Rules {
    /// The fewest letters.
    pub shortest: usize,
    /// The most letters.
    pub longest: usize,
    /// What capitals mean.
    pub capitals: Capitals,
    /// Which forms are kept.
    pub forms: Forms,
    /// Whether a letter that the set does not have may lose its accent: `café` is CAFE.
    pub unaccent: bool,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules {
            shortest: 2,
            longest: LONGEST,
            capitals: Capitals::Guess,
            forms: Forms::All,
            unaccent: false,
        }
    }
}

/// Takes what is offered, keeps words, counts the rest.
pub struct Sieve {
    tiles: Arc<TileSet>,
    rules: Rules,
    stop: HashSet<Word>,
    forbidden: HashSet<Word>,
    words: Vec<Word>,
    sorted: usize,
    report: Report,
}

const EXAMPLES: usize = 5;

impl Sieve {
    /// An empty sieve for one tile set.
    pub fn new(tiles: &Arc<TileSet>, rules: Rules) -> Sieve {
        Sieve {
            tiles: Arc::clone(tiles),
            rules,
            stop: HashSet::new(),
            forbidden: HashSet::new(),
            words: Vec::new(),
            sorted: 0,
            report: Report::default(),
        }
    }

    /// Adds a stop list: one word a line, `#` begins a comment. Lines that the tile set cannot
    /// write stop nothing.
    pub fn stop(&mut self, list: &str) {
        let lines = list
            .lines()
            .map(|l| l.split('#').next().unwrap_or_default());
        for text in lines.flat_map(str::split_whitespace) {
            if let Ok(word) = self.tiles.read_word(text)
                && let Ok(word) = Word::new(&word)
            {
                self.stop.insert(word);
            }
        }
    }

    /// Offers every line of a list. The watcher hears how many bytes are done and says whether to
    /// go on.
    pub fn list(&mut self, text: &str, mut watch: impl FnMut(usize) -> bool) {
        if self.rules.capitals == Capitals::Guess {
            let small = text
                .lines()
                .filter(|l| l.contains(char::is_lowercase))
                .count();
            let all = text.lines().filter(|l| !l.trim().is_empty()).count();
            self.rules.capitals = if small * 2 > all {
                Capitals::Names
            } else {
                Capitals::Nothing
            };
        }
        let mut done = 0;
        for (at, line) in text.lines().enumerate() {
            done += line.len() + 1;
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            self.offer(line, true);
            if at % 65_536 == 0 && !watch(done) {
                break;
            }
        }
    }

    /// Offers one word; `base` says whether it stands so in a dictionary.
    pub fn offer(&mut self, text: &str, base: bool) {
        self.report.offered += 1;
        match self.judge(text, base) {
            Ok(word) => self.words.push(word),
            Err(reason) => self.drop(reason, text),
        }
        // Dictionaries make many forms more than once: a tidy now and then keeps memory small.
        if self.words.len() > 2 * self.sorted.max(1 << 20) {
            self.tidy();
        }
    }

    /// Takes a form out, whatever else offers it.
    pub fn forbid(&mut self, text: &str) {
        if let Ok(letters) = self.tiles.read_word(text)
            && let Ok(word) = Word::new(&letters)
        {
            self.forbidden.insert(word);
        }
    }

    fn judge(&mut self, text: &str, base: bool) -> Result<Word, Reason> {
        if text.contains('.') {
            return Err(Reason::Abbreviation);
        }
        if self.rules.capitals != Capitals::Nothing && text.contains(char::is_uppercase) {
            return Err(Reason::Capital);
        }
        let letters = self.letters(text)?;
        if letters.len() < self.rules.shortest {
            return Err(Reason::Short);
        }
        if letters.len() > self.rules.longest {
            return Err(Reason::Long);
        }
        let wanted = match self.rules.forms {
            Forms::All => true,
            Forms::Base => base,
            Forms::UpTo(most) => base || letters.len() <= usize::from(most),
        };
        if !wanted {
            return Err(Reason::Form);
        }
        let word = Word::new(&letters).map_err(|_| Reason::Long)?;
        if self.stop.contains(&word) {
            return Err(Reason::Stopped);
        }
        Ok(word)
    }

    fn letters(&mut self, text: &str) -> Result<Vec<Letter>, Reason> {
        let text = composed(text);
        match self.tiles.read_word(&text) {
            Ok(letters) => Ok(letters),
            Err(_) if self.rules.unaccent => {
                let plain: String = text.nfd().filter(|&c| !is_combining_mark(c)).collect();
                let letters = self.tiles.read_word(&plain).map_err(|_| Reason::Letter)?;
                self.report.unaccented += 1;
                Ok(letters)
            }
            Err(_) => Err(Reason::Letter),
        }
    }

    fn drop(&mut self, reason: Reason, text: &str) {
        let dropped = self.report.dropped.entry(reason).or_default();
        dropped.count += 1;
        if dropped.examples.len() < EXAMPLES {
            dropped.examples.push(text.to_owned());
        }
    }

    fn tidy(&mut self) {
        self.words.sort_unstable();
        let before = self.words.len();
        let mut again = Vec::new();
        self.words.dedup_by(|a, b| {
            if a == b && again.len() < EXAMPLES && again.last() != Some(a) {
                again.push(*a);
            }
            a == b
        });
        self.sorted = self.words.len();
        let twice = before - self.words.len();
        if twice > 0 {
            let dropped = self.report.dropped.entry(Reason::Twice).or_default();
            dropped.count += twice as u64;
            let room = EXAMPLES - dropped.examples.len();
            let shown = again
                .iter()
                .take(room)
                .map(|w| self.tiles.write_word(w).to_lowercase());
            dropped.examples.extend(shown);
        }
    }

    /// The words kept, in order, and what happened to the rest.
    pub fn finish(mut self) -> (Vec<Word>, Report) {
        self.tidy();
        let mut words = std::mem::take(&mut self.words);
        if !self.forbidden.is_empty() {
            let forbidden = std::mem::take(&mut self.forbidden);
            words.retain(|word| {
                let good = !forbidden.contains(word);
                if !good {
                    let text = self.tiles.write_word(word).to_lowercase();
                    self.drop(Reason::Forbidden, &text);
                }
                good
            });
        }
        self.report.kept = words.len() as u64;
        (words, self.report)
    }

    /// The words kept as a lexicon, and what happened to the rest.
    pub fn into_lexicon(self, name: &str) -> Result<(Lexicon, Report), BadWords> {
        let tiles = Arc::clone(&self.tiles);
        let (words, report) = self.finish();
        Ok((Lexicon::of_sorted(name, &tiles, &words)?, report))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(report: &Report, reason: Reason) -> u64 {
        report.dropped.get(&reason).map_or(0, |d| d.count)
    }

    #[test]
    fn everything_offered_is_kept_or_counted() {
        let tiles = TileSet::english();
        let rules = Rules {
            unaccent: true,
            ..Rules::default()
        };
        let mut sieve = Sieve::new(&tiles, rules);
        sieve.stop("ok # slang\nzzz");
        let list =
            "qi\r\nza\nQi\nza\nok\na\netc.\ncafé\nit's\nabcdefghijklmnop\nnaïve\n# no\n\nhouse";
        sieve.list(list, |_| true);
        let (words, report) = sieve.finish();
        let shown: Vec<String> = words.iter().map(|w| tiles.write_word(w)).collect();
        assert_eq!(shown, ["CAFE", "HOUSE", "NAIVE", "QI", "ZA"]);
        assert_eq!((report.offered, report.kept, report.unaccented), (12, 5, 2));
        for reason in [
            Reason::Twice,
            Reason::Capital,
            Reason::Abbreviation,
            Reason::Letter,
            Reason::Short,
            Reason::Long,
            Reason::Stopped,
        ] {
            assert_eq!(count(&report, reason), 1, "{reason:?}");
        }
    }

    #[test]
    fn a_list_in_capitals_is_a_list_of_words() {
        let tiles = TileSet::english();
        let mut sieve = Sieve::new(&tiles, Rules::default());
        sieve.list("QI\nZA\nHouse", |_| true);
        assert_eq!(sieve.finish().1.kept, 3);
    }

    #[test]
    fn long_words_keep_only_their_base_form() {
        let tiles = TileSet::english();
        let rules = Rules {
            forms: "up-to:4".parse().unwrap(),
            ..Rules::default()
        };
        let mut sieve = Sieve::new(&tiles, rules);
        for (word, base) in [
            ("cat", true),
            ("cats", false),
            ("horse", true),
            ("horses", false),
        ] {
            sieve.offer(word, base);
        }
        sieve.forbid("cat");
        let (words, report) = sieve.finish();
        assert_eq!(words.len(), 2);
        assert_eq!(
            (
                count(&report, Reason::Form),
                count(&report, Reason::Forbidden)
            ),
            (1, 1)
        );
        assert!("up-to:1".parse::<Forms>().is_err());
        assert_eq!(Forms::UpTo(5).to_string(), "up-to:5");
    }
}
