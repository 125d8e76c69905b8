//! What is printed: JSON for scripts, text for people, progress for the impatient.

use std::io::{self, IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde::Serialize;

/// Standard output as one command sees it.
pub(crate) struct Out {
    /// Whether exactly one JSON object is wanted.
    pub(crate) json: bool,
    colour: bool,
}

impl Out {
    pub(crate) fn new(json: bool) -> Out {
        let colour = !json
            && io::stdout().is_terminal()
            && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty());
        Out { json, colour }
    }

    /// Prints a result: the value with `--json`, the text otherwise.
    pub(crate) fn tell(
        &self,
        value: &impl Serialize,
        text: impl FnOnce() -> String,
    ) -> anyhow::Result<()> {
        if self.json {
            let mut line = serde_json::to_string(value)?;
            line.push('\n');
            return write(&line);
        }
        let mut text = text();
        if !text.ends_with('\n') {
            text.push('\n');
        }
        write(&text)
    }

    /// Prints text for people; nothing with `--json`.
    pub(crate) fn say(&self, text: impl AsRef<str>) -> anyhow::Result<()> {
        if self.json {
            Ok(())
        } else {
            write(&format!("{}\n", text.as_ref()))
        }
    }

    /// A line about long work on standard error, where a person looks on.
    #[expect(clippy::unused_self, reason = "what is said goes through here")]
    pub(crate) fn note(&self, text: &str) {
        if io::stderr().is_terminal() {
            let _ = writeln!(io::stderr(), "\r\u{1b}[K{text}");
        }
    }

    /// Prints text without a line end.
    pub(crate) fn prompt(&self, text: &str) -> anyhow::Result<()> {
        if self.json { Ok(()) } else { write(text) }
    }

    /// Whether a person looks at a terminal that can show styles.
    pub(crate) const fn coloured(&self) -> bool {
        self.colour
    }

    /// Text in bold, where the terminal can.
    pub(crate) fn bold(&self, text: &str) -> String {
        self.paint("1", text)
    }

    /// Text that steps back, where the terminal can.
    pub(crate) fn faint(&self, text: &str) -> String {
        self.paint("2", text)
    }

    /// Text in one of the terminal's styles.
    pub(crate) fn paint(&self, style: &str, text: &str) -> String {
        if self.colour {
            format!("\u{1b}[{style}m{text}\u{1b}[0m")
        } else {
            text.to_owned()
        }
    }
}

fn write(text: &str) -> anyhow::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()?;
    Ok(())
}

/// Progress on standard error: only on a terminal, only for what takes longer than two seconds.
pub(crate) struct Progress {
    started: Instant,
    last: Mutex<Instant>,
    shown: bool,
}

impl Progress {
    pub(crate) fn start() -> Progress {
        let now = Instant::now();
        Progress {
            started: now,
            last: Mutex::new(now + Duration::from_secs(2)),
            shown: io::stderr().is_terminal(),
        }
    }

    /// Shows how far it is, at most five times a second.
    pub(crate) fn show(&self, done: u64, all: u64, note: &str) {
        if !self.shown {
            return;
        }
        let Ok(mut last) = self.last.try_lock() else {
            return;
        };
        let now = Instant::now();
        if now < *last {
            return;
        }
        *last = now + Duration::from_millis(200);
        let share = done as f64 / all.max(1) as f64;
        let filled = (share * 30.0) as usize;
        let spent = self.started.elapsed().as_secs_f64();
        let left = if share > 0.0 {
            spent / share - spent
        } else {
            0.0
        };
        let bar = "█".repeat(filled.min(30)) + &"░".repeat(30 - filled.min(30));
        let _ = write!(
            io::stderr(),
            "\r\u{1b}[K{bar} {done}/{all}  {note}  {left:.0} s left"
        );
    }

    /// Shows how far a verb is, and what it has found last.
    pub(crate) fn tell(&self, at: &wits_desk::Progress) {
        let news = at.news.as_str().unwrap_or_default();
        self.show(at.done, at.total.unwrap_or(0), news);
    }

    /// Wipes the line.
    pub(crate) fn done(&self) {
        if self.shown && self.started.elapsed() > Duration::from_secs(2) {
            let _ = write!(io::stderr(), "\r\u{1b}[K");
        }
    }

    /// Seconds since the start.
    pub(crate) fn seconds(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }
}
