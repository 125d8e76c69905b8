//! The `.dic` file: stems, and every form that their affixes make.

use super::super::encoding::NotText;
use super::affix::{Affix, Affixes, Class};
use super::flags::Flag;

/// What is wrong with a `.dic` file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadDictionary {
    /// Not in the encoding that its `.aff` file names.
    #[error(transparent)]
    NotText(#[from] NotText),
    /// Flags that are not written as the `.aff` file says.
    #[error("line {line}: the flags of `{text}` cannot be read; do the two files belong together?")]
    Flags {
        /// The line's number, from 1.
        line: usize,
        /// Its text.
        text: String,
    },
}

/// One form of a stem.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form<'a> {
    /// The stem as it stands in the dictionary.
    Base(&'a str),
    /// A stem with affixes.
    Affixed(&'a str),
    /// A form that the dictionary says is no word, whatever else makes it.
    Forbidden(&'a str),
}

/// Tells every form of every stem; forms that several ways make are told several times.
///
/// The watcher's answer says whether to go on.
pub fn expand(
    affixes: &Affixes,
    dictionary: &[u8],
    mut tell: impl FnMut(Form<'_>) -> bool,
) -> Result<(), BadDictionary> {
    let text = affixes.encoding.read(dictionary)?;
    for (at, row) in text.lines().enumerate() {
        let row = entry(row);
        // The first line says how many follow.
        if row.is_empty() || (at == 0 && row.parse::<usize>().is_ok()) {
            continue;
        }
        let (stem, flags) = split(row);
        let flags = match flags {
            None => Vec::new(),
            Some(flags) => affixes.flags(flags).ok_or_else(|| BadDictionary::Flags {
                line: at + 1,
                text: row.to_owned(),
            })?,
        };
        let stem = stem.replace("\\/", "/");
        let mut forms = Forms {
            affixes,
            forbidden: has(&flags, affixes.forbidden),
            goes_on: true,
            tell: &mut tell,
        };
        forms.all(&stem, &flags);
        if !forms.goes_on {
            break;
        }
    }
    Ok(())
}

/// A line without what follows the word: morphology after a tab or after ` xx:`.
fn entry(row: &str) -> &str {
    let row = row.split('\t').next().unwrap_or_default();
    let morphology = row.match_indices(' ').map(|(at, _)| at).find(|&at| {
        let after = &row.as_bytes()[at + 1..];
        after.len() > 2 && after[2] == b':' && after[..2].iter().all(u8::is_ascii_lowercase)
    });
    row[..morphology.unwrap_or(row.len())].trim()
}

/// The stem and its flags: the first slash that is not escaped and not the first character.
fn split(row: &str) -> (&str, Option<&str>) {
    let bytes = row.as_bytes();
    let slash = (1..bytes.len()).find(|&at| bytes[at] == b'/' && bytes[at - 1] != b'\\');
    match slash {
        Some(at) => (&row[..at], Some(row[at + 1..].trim())),
        None => (row, None),
    }
}

fn has(flags: &[Flag], wanted: Option<Flag>) -> bool {
    wanted.is_some_and(|flag| flags.contains(&flag))
}

struct Forms<'a, T> {
    affixes: &'a Affixes,
    forbidden: bool,
    goes_on: bool,
    tell: &'a mut T,
}

impl<'a, T: FnMut(Form<'_>) -> bool> Forms<'a, T> {
    fn all(&mut self, stem: &str, flags: &[Flag]) {
        if !self.unfinished(flags) {
            self.say(if self.forbidden {
                Form::Forbidden(stem)
            } else {
                Form::Base(stem)
            });
        }
        for class in self.classes(flags, true) {
            for suffix in &class.affixes {
                let Some(form) = self.suffixed(stem, suffix) else {
                    continue;
                };
                self.finish(&form, &suffix.flags, false);
                self.prefixes(&form, flags, Some((class, suffix)));
                // A second suffix, where the first one carries its flag.
                for second_class in self.classes(&suffix.flags, true) {
                    if std::ptr::eq(class, second_class) {
                        continue;
                    }
                    for second in &second_class.affixes {
                        if let Some(form) = self.suffixed(&form, second) {
                            self.finish(&form, &second.flags, false);
                            self.prefixes(&form, flags, Some((second_class, second)));
                        }
                    }
                }
            }
        }
        self.prefixes(stem, flags, None);
    }

    /// Prefixes that the stem's flags or the suffix's own allow, before a stem or a suffixed form.
    fn prefixes(&mut self, form: &str, flags: &[Flag], suffix: Option<(&Class, &Affix)>) {
        let own = suffix.map_or(&[][..], |(_, suffix)| &suffix.flags);
        for class in self
            .classes(flags, false)
            .into_iter()
            .chain(self.classes(own, false))
        {
            if let Some((other, _)) = suffix
                && !(class.crosses && other.crosses)
            {
                continue;
            }
            for prefix in &class.affixes {
                let around = has(&prefix.flags, self.affixes.circumfix);
                let closed = has(own, self.affixes.circumfix);
                if around != closed || !prefix.fits_start(form) {
                    continue;
                }
                let Some(rest) = form.strip_prefix(prefix.strip.as_str()) else {
                    continue;
                };
                if rest.is_empty() && !self.affixes.strips_whole {
                    continue;
                }
                let form = format!("{}{rest}", prefix.add);
                self.finish(&form, &prefix.flags, around);
            }
        }
    }

    fn suffixed(&self, stem: &str, suffix: &Affix) -> Option<String> {
        let kept = stem.strip_suffix(suffix.strip.as_str())?;
        let whole = kept.is_empty() && !self.affixes.strips_whole;
        (!whole && suffix.fits_end(stem)).then(|| format!("{kept}{}", suffix.add))
    }

    fn classes(&self, flags: &[Flag], suffixes: bool) -> Vec<&'a Class> {
        let affixes = self.affixes;
        let known = flags.iter().filter_map(|flag| affixes.classes.get(flag));
        known.filter(|class| class.suffixes == suffixes).collect()
    }

    /// Tells a form, unless its last affix says that it is not finished.
    fn finish(&mut self, form: &str, flags: &[Flag], closed: bool) {
        let open = has(flags, self.affixes.circumfix) && !closed;
        if !open && !self.unfinished(flags) {
            self.say(if self.forbidden {
                Form::Forbidden(form)
            } else {
                Form::Affixed(form)
            });
        }
    }

    fn unfinished(&self, flags: &[Flag]) -> bool {
        has(flags, self.affixes.needs_affix) || has(flags, self.affixes.only_in_compound)
    }

    fn say(&mut self, form: Form<'_>) {
        self.goes_on = self.goes_on && (self.tell)(form);
    }
}
