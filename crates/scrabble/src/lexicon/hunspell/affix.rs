//! The `.aff` file: classes of affixes and the flags with a meaning.

use std::collections::HashMap;

use super::super::encoding::{Encoding, NotText, UnknownEncoding};
use super::flags::{Flag, Style};

/// What is wrong with an `.aff` file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadAffix {
    /// Not in its encoding.
    #[error(transparent)]
    NotText(#[from] NotText),
    /// An encoding that is not known.
    #[error(transparent)]
    Encoding(#[from] UnknownEncoding),
    /// A line that cannot be read.
    #[error(
        "line {line}: `{text}` is not understood; an affix line is `SFX FLAG STRIP ADD [CONDITION]`"
    )]
    Line {
        /// Its number, from 1.
        line: usize,
        /// Its text.
        text: String,
    },
    /// A condition with a bracket that is not closed.
    #[error("line {line}: the condition `{text}` has a bracket that is not closed")]
    Condition {
        /// The line's number, from 1.
        line: usize,
        /// The condition.
        text: String,
    },
    /// Prefixes over prefixes.
    #[error("line {line}: COMPLEXPREFIXES is not supported; give a plain word list instead")]
    Complex {
        /// The line's number, from 1.
        line: usize,
    },
}

/// One place of a condition: a character, or one of (or none of) several.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Place {
    Any,
    One(char),
    In(Vec<char>),
    NotIn(Vec<char>),
}

impl Place {
    fn fits(&self, c: char) -> bool {
        match self {
            Place::Any => true,
            Place::One(one) => *one == c,
            Place::In(set) => set.contains(&c),
            Place::NotIn(set) => !set.contains(&c),
        }
    }
}

/// One affix: what it takes off, puts on, asks for and carries on.
#[derive(Clone, Debug)]
pub(super) struct Affix {
    pub(super) strip: String,
    pub(super) add: String,
    condition: Vec<Place>,
    pub(super) flags: Vec<Flag>,
}

impl Affix {
    /// Whether a stem ends as the condition asks.
    pub(super) fn fits_end(&self, stem: &str) -> bool {
        let mut chars = stem.chars().rev();
        self.condition
            .iter()
            .rev()
            .all(|place| chars.next().is_some_and(|c| place.fits(c)))
    }

    /// Whether a stem begins as the condition asks.
    pub(super) fn fits_start(&self, stem: &str) -> bool {
        let mut chars = stem.chars();
        self.condition
            .iter()
            .all(|place| chars.next().is_some_and(|c| place.fits(c)))
    }
}

/// A class of affixes under one flag.
#[derive(Clone, Debug)]
pub(super) struct Class {
    pub(super) suffixes: bool,
    /// Whether it goes together with one from the other end.
    pub(super) crosses: bool,
    pub(super) affixes: Vec<Affix>,
}

/// Everything that an `.aff` file says about forms.
#[derive(Clone, Debug, Default)]
pub struct Affixes {
    pub(super) encoding: Encoding,
    pub(super) style: Style,
    pub(super) classes: HashMap<Flag, Class>,
    pub(super) aliases: Vec<Vec<Flag>>,
    pub(super) forbidden: Option<Flag>,
    pub(super) needs_affix: Option<Flag>,
    pub(super) only_in_compound: Option<Flag>,
    pub(super) circumfix: Option<Flag>,
    pub(super) strips_whole: bool,
}

impl Affixes {
    /// Reads an `.aff` file.
    pub fn parse(bytes: &[u8]) -> Result<Affixes, BadAffix> {
        let mut affixes = Affixes::default();
        // The encoding and the style of flags hold for the whole file, wherever they stand.
        let rough = String::from_utf8_lossy(bytes);
        for row in rough.trim_start_matches('\u{feff}').lines() {
            match row.split_whitespace().collect::<Vec<_>>()[..] {
                ["SET", name, ..] => affixes.encoding = name.parse()?,
                ["FLAG", "long", ..] => affixes.style = Style::Double,
                ["FLAG", "num", ..] => affixes.style = Style::Number,
                _ => {}
            }
        }
        let text = affixes.encoding.read(bytes)?;
        for (at, row) in text.lines().enumerate() {
            affixes.line(at + 1, row)?;
        }
        Ok(affixes)
    }

    fn line(&mut self, line: usize, row: &str) -> Result<(), BadAffix> {
        let fields: Vec<&str> = row.split_whitespace().collect();
        let bad = || BadAffix::Line {
            line,
            text: row.trim().to_owned(),
        };
        let flag = |text: &str| self.style.read_one(text).ok_or_else(bad);
        match fields[..] {
            ["FORBIDDENWORD", name, ..] => self.forbidden = Some(flag(name)?),
            ["NEEDAFFIX" | "PSEUDOROOT", name, ..] => self.needs_affix = Some(flag(name)?),
            ["ONLYINCOMPOUND", name, ..] => self.only_in_compound = Some(flag(name)?),
            ["CIRCUMFIX", name, ..] => self.circumfix = Some(flag(name)?),
            ["FULLSTRIP", ..] => self.strips_whole = true,
            ["COMPLEXPREFIXES", ..] => return Err(BadAffix::Complex { line }),
            // The first AF line says how many follow.
            ["AF", count] if self.aliases.is_empty() && count.parse::<usize>().is_ok() => {
                self.aliases.push(Vec::new());
            }
            ["AF", names, ..] => self.aliases.push(self.style.read(names).ok_or_else(bad)?),
            ["PFX" | "SFX", name, ref rest @ ..] => {
                let name = flag(name)?;
                self.affix(line, row, fields[0] == "SFX", name, rest)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn affix(
        &mut self,
        line: usize,
        row: &str,
        suffixes: bool,
        name: Flag,
        rest: &[&str],
    ) -> Result<(), BadAffix> {
        // The first line of a class says whether it crosses and how many lines follow.
        if !self.classes.contains_key(&name)
            && let [cross @ ("Y" | "N"), count, ..] = rest
            && count.parse::<usize>().is_ok()
        {
            let class = Class {
                suffixes,
                crosses: *cross == "Y",
                affixes: Vec::new(),
            };
            self.classes.insert(name, class);
            return Ok(());
        }
        let bad = || BadAffix::Line {
            line,
            text: row.trim().to_owned(),
        };
        let [strip, add, more @ ..] = rest else {
            return Err(bad());
        };
        let (add, flags) = match add.split_once('/') {
            Some((add, flags)) => (add, self.flags(flags).ok_or_else(bad)?),
            None => (*add, Vec::new()),
        };
        let nothing = |text: &str| {
            if text == "0" {
                String::new()
            } else {
                text.to_owned()
            }
        };
        let condition = more.first().copied().filter(|c| !c.contains(':'));
        let affix = Affix {
            strip: nothing(strip),
            add: nothing(add),
            condition: places(line, condition.unwrap_or("."))?,
            flags,
        };
        self.classes
            .get_mut(&name)
            .ok_or_else(bad)?
            .affixes
            .push(affix);
        Ok(())
    }

    /// The flags of a field, or of the alias that it names.
    pub(super) fn flags(&self, text: &str) -> Option<Vec<Flag>> {
        if !self.aliases.is_empty()
            && let Ok(number) = text.parse::<usize>()
        {
            return self.aliases.get(number).cloned();
        }
        self.style.read(text)
    }
}

fn places(line: usize, text: &str) -> Result<Vec<Place>, BadAffix> {
    if text == "." {
        return Ok(Vec::new());
    }
    let mut places = Vec::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        places.push(match c {
            '.' => Place::Any,
            '[' => {
                let rest = chars.as_str();
                let (inside, after) = rest.split_once(']').ok_or_else(|| BadAffix::Condition {
                    line,
                    text: text.to_owned(),
                })?;
                chars = after.chars();
                match inside.strip_prefix('^') {
                    Some(none) => Place::NotIn(none.chars().collect()),
                    None => Place::In(inside.chars().collect()),
                }
            }
            c => Place::One(c),
        });
    }
    Ok(places)
}
