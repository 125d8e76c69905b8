//! What the server writes down: every refusal and every kill, and each request where that is asked for.
//!
//! A line names the route (`/games/{id}/move`) and never the address that was asked for, because the
//! id of a game in it, or an invitation, opens something. Lines go to standard error through a
//! bounded queue: a reader that does not keep up loses lines, and never holds a request.

use std::borrow::Cow;
use std::io::{self, Write};
use std::net::IpAddr;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request, State};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::Response;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::metrics::METRICS;
use crate::{App, guard};

/// The name under which our lines are told from those of libraries, which are not written.
const TARGET: &str = "wits";
/// How many lines wait for a slow reader.
const WAITING: usize = 1_024;
/// How many refusals are written in a second; the rest is counted. A flood must not fill the disk.
const REFUSALS_A_SECOND: u32 = 50;

/// Which lines are written, and how.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Logs {
    /// One line a request.
    pub requests: bool,
    /// Lines are JSON objects.
    pub json: bool,
}

impl Logs {
    /// Begins to write lines on standard error, for the whole process. A second call changes nothing.
    pub fn start(self) -> Flush {
        let (lines, queue) = sync_channel(WAITING);
        let writer = Lines(lines.clone());
        let level = if self.requests {
            LevelFilter::INFO
        } else {
            LevelFilter::WARN
        };
        let ours = Targets::new().with_target(TARGET, level);
        let lines_of = tracing_subscriber::fmt::layer()
            .with_writer(writer)
            .with_ansi(false);
        let registry = tracing_subscriber::registry().with(ours);
        let started = if self.json {
            registry
                .with(lines_of.json().flatten_event(true))
                .try_init()
        } else {
            registry.with(lines_of).try_init()
        };
        if started.is_ok() {
            // Without a thread nothing is written, and the server works.
            let _ = std::thread::Builder::new()
                .name("log".to_owned())
                .spawn(move || write_lines(&queue));
        }
        Flush(lines)
    }
}

/// Waits, when dropped, until the lines so far are written; for a second at most.
pub struct Flush(SyncSender<Entry>);

impl Drop for Flush {
    fn drop(&mut self) {
        let (tell, told) = channel();
        if self.0.try_send(Entry::Flush(tell)).is_ok() {
            let _ = told.recv_timeout(Duration::from_secs(1));
        }
    }
}

enum Entry {
    Line(Vec<u8>),
    Flush(Sender<()>),
}

fn write_lines(queue: &Receiver<Entry>) {
    for entry in queue {
        match entry {
            Entry::Line(line) => {
                let _ = io::stderr().write_all(&line);
            }
            Entry::Flush(told) => {
                let _ = told.send(());
            }
        }
    }
}

/// Where the subscriber writes: each line goes into the queue whole.
struct Lines(SyncSender<Entry>);

struct Line {
    to: SyncSender<Entry>,
    text: Vec<u8>,
}

impl<'a> MakeWriter<'a> for Lines {
    type Writer = Line;

    fn make_writer(&'a self) -> Line {
        Line {
            to: self.0.clone(),
            text: Vec::new(),
        }
    }
}

impl Write for Line {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.text.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        let line = Entry::Line(std::mem::take(&mut self.text));
        if self.to.try_send(line).is_err() {
            METRICS.lost_line();
        }
    }
}

/// The code of the fault that an answer tells, for the log and the figures.
#[derive(Clone, Debug)]
pub(crate) struct Code(pub(crate) Cow<'static, str>);

/// Something was refused: counted always, written unless too many are.
pub(crate) fn refused(code: &str, status: StatusCode, route: &str, from: IpAddr) {
    static SECOND: Mutex<Option<Second>> = Mutex::new(None);
    METRICS.refused(code);
    let mut second = SECOND.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(unwritten) = Second::admit(&mut second, Instant::now()) else {
        return;
    };
    drop(second);
    let status = status.as_u16();
    if unwritten > 0 {
        tracing::warn!(target: TARGET, unwritten, "refusals were not written: too many in a second");
    }
    tracing::warn!(target: TARGET, code, status, route, %from, "refused");
}

/// Untrusted work was ended by force: what it was (a room and a verb, nothing that a visitor wrote)
/// and why, in a word such as `time` or `memory`.
pub(crate) fn killed(room: &'static str, verb: &'static str, why: &'static str) {
    METRICS.killed(why);
    tracing::warn!(target: TARGET, room, verb, why, "killed");
}

/// The store could not be closed: nothing is lost, but part of it stands in the log beside its file.
pub(crate) fn unclosed(error: &wits_store::Error) {
    tracing::warn!(target: TARGET, %error, "the store was not closed; copy its -wal file along");
}

/// How many refusals were written in the present second.
struct Second {
    begun: Instant,
    written: u32,
    unwritten: u64,
}

impl Second {
    /// Whether one more may be written now; if so, how many were not since the last one.
    fn admit(slot: &mut Option<Second>, now: Instant) -> Option<u64> {
        let second = slot.get_or_insert(Second {
            begun: now,
            written: 0,
            unwritten: 0,
        });
        if now.saturating_duration_since(second.begun) >= Duration::from_secs(1) {
            second.begun = now;
            second.written = 0;
        }
        if second.written >= REFUSALS_A_SECOND {
            second.unwritten += 1;
            return None;
        }
        second.written += 1;
        Some(std::mem::take(&mut second.unwritten))
    }
}

/// Counts every request and writes it down where that was asked for; refusals always.
pub(crate) async fn observe(State(app): State<App>, request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let method = match *request.method() {
        Method::GET => "GET",
        Method::POST => "POST",
        Method::HEAD => "HEAD",
        // The name of a method is the client's own words.
        _ => "other",
    };
    let path = request.extensions().get::<MatchedPath>().cloned();
    let from = guard::asker(&app, &request);
    let response = next.run(request).await;
    let route = path.as_ref().map_or("-", MatchedPath::as_str);
    let status = response.status();
    METRICS.request(status);
    let code = response.extensions().get::<Code>();
    let code = code.map(|code| code.0.as_ref());
    let micros = begun.elapsed().as_micros() as u64;
    tracing::info!(target: TARGET, method, route, status = status.as_u16(), micros, %from, code, "request");
    match code {
        // A wrong address, a late move and an illegal one are a player's errors.
        Some(code) if matches!(status.as_u16(), 404 | 409 | 422) => METRICS.refused(code),
        Some(code) => {
            app.gate.refused();
            refused(code, status, route, from);
        }
        None => {}
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_of_refusals_is_written_in_part_and_counted_whole() {
        let mut slot = None;
        let start = Instant::now();
        let written = (0..1_000)
            .filter(|_| Second::admit(&mut slot, start).is_some())
            .count();
        assert_eq!(written, REFUSALS_A_SECOND as usize);
        let later = start + Duration::from_secs(1);
        assert_eq!(Second::admit(&mut slot, later), Some(950));
        assert_eq!(Second::admit(&mut slot, later), Some(0));
    }
}
