//! The configuration file of the thesis, accepted as it is.

use std::time::Duration;

use crate::words::Variant;

/// Who plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mode {
    /// Two people.
    HumanHuman,
    /// A person builds, the machine paints.
    HumanBuilder,
    /// The machine builds, a person paints.
    PcBuilder,
    /// Two machines.
    #[default]
    PcPc,
}

impl Mode {
    /// Whether a person picks the gaps.
    pub const fn human_builder(self) -> bool {
        matches!(self, Mode::HumanHuman | Mode::HumanBuilder)
    }

    /// Whether a person picks the symbols.
    pub const fn human_painter(self) -> bool {
        matches!(self, Mode::HumanHuman | Mode::PcBuilder)
    }
}

/// What the file says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Properties {
    /// `gameType`: `Square`, or `Overlap`, which in the thesis's program does not see `aaa`.
    pub variant: Variant,
    /// `gameMode`.
    pub mode: Mode,
    /// `setPower`: how many symbols.
    pub symbols: usize,
    /// `builderNestingLevel`.
    pub builder: u32,
    /// `painterNestingLevel`.
    pub painter: u32,
    /// `maxThinkTime`, in nanoseconds in the file; zero or nothing means no limit.
    pub think: Option<Duration>,
    /// `makeOverallTest`.
    pub overall: bool,
}

/// A line that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct BadProperties {
    /// Which line, counted from one.
    pub line: usize,
    /// What is wrong, and what is allowed.
    pub what: String,
}

const KEYS: &str = "gameType, gameMode, setPower, builderNestingLevel, painterNestingLevel, maxThinkTime, makeOverallTest";

impl Properties {
    /// Reads the file: lines of `key=value` (or `key: value`), comments after `#` or `!`.
    pub fn read(text: &str) -> Result<Properties, BadProperties> {
        let mut properties = Properties {
            variant: Variant::Square,
            mode: Mode::PcPc,
            symbols: 3,
            builder: 0,
            painter: 0,
            think: None,
            overall: false,
        };
        let mut seen: Vec<String> = Vec::new();
        for (i, line) in text.lines().enumerate() {
            let line = line.trim_start_matches('\u{feff}').trim();
            if line.is_empty() || line.starts_with(['#', '!']) {
                continue;
            }
            let bad = |what: String| BadProperties { line: i + 1, what };
            let (key, value) = line
                .split_once(['=', ':'])
                .ok_or_else(|| bad(format!("`{line}` is not key=value")))?;
            let (key, value) = (key.trim(), value.trim());
            if seen.iter().any(|k| k == key) {
                return Err(bad(format!("`{key}` is given twice")));
            }
            seen.push(key.to_owned());
            properties.set(key, value).map_err(bad)?;
        }
        Ok(properties)
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        let wrong = |allowed: &str| format!("`{value}` is not a value of {key}; give {allowed}");
        let number = |least: u64, most: u64| {
            let allowed = || wrong(&format!("a whole number from {least} to {most}"));
            value
                .parse::<u64>()
                .ok()
                .filter(|n| (least..=most).contains(n))
                .ok_or_else(allowed)
        };
        match key {
            "gameType" => {
                self.variant = match value {
                    "Square" => Variant::Square,
                    "Overlap" => Variant::OverlapThesis,
                    _ => return Err(wrong("Square or Overlap")),
                }
            }
            "gameMode" => {
                self.mode = match value {
                    "humanHuman" => Mode::HumanHuman,
                    "humanBuilder" => Mode::HumanBuilder,
                    "pcBuilder" => Mode::PcBuilder,
                    "pcPc" => Mode::PcPc,
                    _ => return Err(wrong("humanHuman, humanBuilder, pcBuilder or pcPc")),
                }
            }
            "setPower" => self.symbols = number(1, 64)? as usize,
            "builderNestingLevel" => self.builder = number(0, 16)? as u32,
            "painterNestingLevel" => self.painter = number(0, 16)? as u32,
            "maxThinkTime" => {
                let nanos = number(0, u64::MAX)?;
                self.think = (nanos > 0).then(|| Duration::from_nanos(nanos));
            }
            "makeOverallTest" => {
                self.overall = value.parse().map_err(|_| wrong("true or false"))?;
            }
            _ => return Err(format!("there is no key `{key}`; there are: {KEYS}")),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_accepted_as_it_is() {
        let text = "# Longest free word\ngameType=Overlap\ngameMode = humanBuilder\nsetPower=5\nbuilderNestingLevel=1\npainterNestingLevel: 2\nmaxThinkTime=60000000000\nmakeOverallTest=false\n";
        let read = Properties::read(text).unwrap();
        assert_eq!(read.variant, Variant::OverlapThesis);
        assert!(read.mode.human_builder() && !read.mode.human_painter());
        assert_eq!((read.symbols, read.builder, read.painter), (5, 1, 2));
        assert_eq!(read.think, Some(Duration::from_mins(1)));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        for (text, says) in [
            (
                "gameType=Square\nsetPovver=3",
                "line 2: there is no key `setPovver`",
            ),
            (
                "gameType=square",
                "line 1: `square` is not a value of gameType; give Square or Overlap",
            ),
            ("setPower=65", "a whole number from 1 to 64"),
            ("\nhello", "line 2: `hello` is not key=value"),
            (
                "setPower=3\nsetPower=4",
                "line 2: `setPower` is given twice",
            ),
            ("maxThinkTime=-1", "line 1"),
        ] {
            let error = Properties::read(text).unwrap_err().to_string();
            assert!(error.contains(says), "{text}: {error}");
        }
    }
}
