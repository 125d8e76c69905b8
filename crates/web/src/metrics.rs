//! Figures for operators: `/health` for whoever starts the server, and the text format of Prometheus
//! on a listener of its own.
//!
//! Counters belong to the process and stand in one static; what is counted elsewhere (jobs, streams,
//! games) is asked for when the figures are read. The format is a dozen lines of text, so no crate
//! is needed for it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::Json;
use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use serde_json::json;
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};
use wits_store::Which;

use crate::App;
use crate::routes::blocking;

/// The counters of this process.
pub(crate) static METRICS: Metrics = Metrics::new();

/// Upper bounds of the buckets for the time of a write, in milliseconds.
const BUCKETS: [u64; 7] = [1, 5, 20, 100, 500, 2_000, 5_000];

/// The same for answers of bots.
const ANSWERED: [u64; 8] = [1, 2, 5, 10, 20, 50, 100, 500];

/// Counts by a word.
type Counts = Mutex<BTreeMap<String, u64>>;
/// The most words that are told apart.
const CODES: usize = 100;

/// What is counted as it happens.
pub(crate) struct Metrics {
    /// By the first digit of the status, from 1.
    requests: [AtomicU64; 5],
    refusals: Counts,
    kills: Counts,
    lost_lines: AtomicU64,
    /// Writes to the store by time, the last for all that are slower.
    writes: [AtomicU64; BUCKETS.len() + 1],
    write_micros: AtomicU64,
    /// Answers of bots by the time until they were acknowledged.
    answers: [AtomicU64; ANSWERED.len() + 1],
    answer_micros: AtomicU64,
}

impl Metrics {
    const fn new() -> Metrics {
        Metrics {
            requests: [const { AtomicU64::new(0) }; 5],
            refusals: Mutex::new(BTreeMap::new()),
            kills: Mutex::new(BTreeMap::new()),
            lost_lines: AtomicU64::new(0),
            writes: [const { AtomicU64::new(0) }; BUCKETS.len() + 1],
            write_micros: AtomicU64::new(0),
            answers: [const { AtomicU64::new(0) }; ANSWERED.len() + 1],
            answer_micros: AtomicU64::new(0),
        }
    }

    /// A request was answered.
    pub(crate) fn request(&self, status: StatusCode) {
        let class = usize::from(status.as_u16() / 100).clamp(1, 5) - 1;
        self.requests[class].fetch_add(1, Ordering::Relaxed);
    }

    /// A request was refused with this code.
    pub(crate) fn refused(&self, code: &str) {
        count(&self.refusals, code);
    }

    /// Untrusted work was ended by force.
    pub(crate) fn killed(&self, why: &str) {
        count(&self.kills, why);
    }

    /// A line of the log found no room.
    pub(crate) fn lost_line(&self) {
        self.lost_lines.fetch_add(1, Ordering::Relaxed);
    }

    /// Something was written to the store, or could not be, in this time.
    pub(crate) fn wrote(&self, took: Duration) {
        tally(&self.writes, &BUCKETS, took);
        let micros = took.as_micros() as u64;
        self.write_micros.fetch_add(micros, Ordering::Relaxed);
    }

    /// A bot's answer was acknowledged after so long.
    pub(crate) fn answered(&self, took: Duration) {
        tally(&self.answers, &ANSWERED, took);
        let micros = took.as_micros() as u64;
        self.answer_micros.fetch_add(micros, Ordering::Relaxed);
    }

    /// The counters as Prometheus reads them.
    fn text(&self) -> String {
        let mut page = Page::default();
        page.family("wits_requests_total", "counter", "requests by status");
        for (class, count) in self.requests.iter().enumerate() {
            let label = format!("{{status=\"{}xx\"}}", class + 1);
            page.line("wits_requests_total", &label, read(count));
        }
        for (name, help, all) in [
            ("wits_refusals_total", "refusals by code", &self.refusals),
            (
                "wits_sandbox_kills_total",
                "jobs ended by force, by reason",
                &self.kills,
            ),
        ] {
            page.family(name, "counter", help);
            let all = all.lock().unwrap_or_else(PoisonError::into_inner);
            for (code, count) in &*all {
                page.line(name, &format!("{{code=\"{code}\"}}"), count);
            }
        }
        let name = "wits_log_lines_lost_total";
        page.family(name, "counter", "lines of the log that found no reader");
        page.line(name, "", read(&self.lost_lines));
        let name = "wits_store_write_seconds";
        page.family(name, "histogram", "time to write a game's events");
        page.histogram(name, &self.writes, &BUCKETS, read(&self.write_micros));
        let name = "wits_bot_answer_seconds";
        page.family(
            name,
            "histogram",
            "time until a bot's answer was acknowledged",
        );
        page.histogram(name, &self.answers, &ANSWERED, read(&self.answer_micros));
        page.0
    }
}

/// Counts a time in its bucket, the last for all that are longer.
fn tally(counts: &[AtomicU64], ends: &[u64], took: Duration) {
    let millis = took.as_millis();
    let slot = ends.iter().position(|&most| millis < u128::from(most));
    counts[slot.unwrap_or(ends.len())].fetch_add(1, Ordering::Relaxed);
}

fn read(count: &AtomicU64) -> u64 {
    count.load(Ordering::Relaxed)
}

fn count(all: &Counts, code: &str) {
    let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
    let plain = code.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    // A code may come from a sandbox: it makes up neither lines nor more and more names.
    let known = all.contains_key(code) || (plain && all.len() < CODES);
    let code = if known { code } else { "other" };
    *all.entry(code.to_owned()).or_insert(0) += 1;
}

/// Lines of the text format.
#[derive(Default)]
struct Page(String);

impl Page {
    fn family(&mut self, name: &str, kind: &str, help: &str) {
        let _ = writeln!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}");
    }

    fn line(&mut self, name: &str, labels: &str, value: impl std::fmt::Display) {
        let _ = writeln!(self.0, "{name}{labels} {value}");
    }

    /// The lines of a histogram whose buckets end at so many milliseconds.
    fn histogram(&mut self, name: &str, counts: &[AtomicU64], ends: &[u64], micros: u64) {
        let mut sum = 0;
        for (slot, count) in counts.iter().enumerate() {
            sum += read(count);
            let most = ends
                .get(slot)
                .map_or("+Inf".to_owned(), |ms| (*ms as f64 / 1000.0).to_string());
            let labels = format!("{{le=\"{most}\"}}");
            self.line(&format!("{name}_bucket"), &labels, sum);
        }
        self.line(&format!("{name}_sum"), "", micros as f64 / 1e6);
        self.line(&format!("{name}_count"), "", sum);
    }

    fn gauge(&mut self, name: &str, help: &str, value: impl std::fmt::Display) {
        self.family(name, "gauge", help);
        self.line(name, "", value);
    }
}

/// All figures of a house.
fn figures(app: &App) -> String {
    let (running, waiting, ran) = app.engine.load();
    let mut page = Page(METRICS.text());
    page.gauge("wits_jobs_running", "searches that run", running);
    page.gauge("wits_jobs_waiting", "searches that wait", waiting);
    page.family("wits_jobs_total", "counter", "searches that were done");
    page.line("wits_jobs_total", "", ran);
    let (running, waiting) = app.places.load();
    page.gauge(
        "wits_sandboxes_running",
        "processes for what visitors sent",
        running,
    );
    page.gauge("wits_sandboxes_waiting", "jobs that wait for one", waiting);
    page.gauge(
        "wits_games_loaded",
        "games in memory",
        app.tables.all().len(),
    );
    page.gauge("wits_streams", "open event streams", app.streams.open());
    page.gauge(
        "wits_bots",
        "programs that listen for games",
        app.bots.count(),
    );
    let begun = Instant::now();
    let kept = app.store.count(Which::default());
    let took = begun.elapsed().as_secs_f64();
    page.gauge(
        "wits_store_up",
        "whether the store answers",
        u8::from(kept.is_ok()),
    );
    page.gauge(
        "wits_store_read_seconds",
        "time of the count just made",
        took,
    );
    if let Ok(kept) = kept {
        page.gauge("wits_sessions", "games and dialogues in the store", kept);
    }
    if let Some(bytes) = resident() {
        let name = "process_resident_memory_bytes";
        page.gauge(name, "memory of this process", bytes);
    }
    page.0
}

/// What this process holds in memory, where the system tells.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|l| l.strip_prefix("VmRSS:"))?;
    let kib: u64 = line.trim().trim_end_matches(" kB").trim().parse().ok()?;
    Some(kib * 1024)
}

/// `GET /health`: whether the server answers and its store does.
pub(crate) async fn health(State(app): State<App>) -> Response {
    let well = blocking(move || Ok(app.store.setting("health")?)).await;
    let status = match well {
        Ok(_) => StatusCode::OK,
        Err(_) => StatusCode::SERVICE_UNAVAILABLE,
    };
    let ok = status.is_success();
    let body = json!({"ok": ok, "version": env!("CARGO_PKG_VERSION")});
    (status, Json(body)).into_response()
}

/// `GET /metrics`
async fn metrics(State(app): State<App>) -> Response {
    let text = blocking(move || Ok(figures(&app))).await;
    let kind = "text/plain; version=0.0.4; charset=utf-8";
    match text {
        Ok(text) => ([(header::CONTENT_TYPE, kind)], text).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// How many may read figures at once.
const READERS: usize = 8;
/// How long a reader of figures may take to ask, and an answer to be made.
const PATIENCE: Duration = Duration::from_secs(10);

/// Opens the listener for figures, if one is asked for.
pub(crate) async fn open(
    app: &App,
    closed: watch::Receiver<bool>,
) -> std::io::Result<Option<SocketAddr>> {
    let Some(address) = app.config.metrics else {
        return Ok(None);
    };
    let listener = TcpListener::bind(address).await?;
    let address = listener.local_addr()?;
    tokio::spawn(serve(listener, app.clone(), closed));
    Ok(Some(address))
}

async fn serve(listener: TcpListener, app: App, mut closed: watch::Receiver<bool>) {
    let places = Arc::new(Semaphore::new(READERS));
    let service = Router::new()
        .route("/metrics", get(metrics))
        .with_state(app);
    let mut builder = hyper::server::conn::http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(PATIENCE)
        .keep_alive(false);
    loop {
        let taken = tokio::select! {
            taken = listener.accept() => taken,
            _ = closed.changed() => return,
        };
        let (Ok((stream, _)), Ok(place)) = (taken, Arc::clone(&places).try_acquire_owned()) else {
            tokio::time::sleep(Duration::from_millis(20)).await;
            continue;
        };
        let service = TowerToHyperService::new(service.clone());
        let connection = builder.serve_connection(TokioIo::new(stream), service);
        tokio::spawn(async move {
            let _ = tokio::time::timeout(2 * PATIENCE, connection).await;
            drop(place);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_are_written_as_prometheus_reads_them() {
        let metrics = Metrics::new();
        metrics.request(StatusCode::OK);
        metrics.request(StatusCode::TOO_MANY_REQUESTS);
        metrics.refused("too-often");
        metrics.killed("memory");
        metrics.refused("a\"} 9\nevil");
        for millis in [0, 4, 4, 9_000] {
            metrics.wrote(Duration::from_millis(millis));
        }
        let text = metrics.text();
        for line in [
            "wits_requests_total{status=\"2xx\"} 1",
            "wits_requests_total{status=\"4xx\"} 1",
            "wits_requests_total{status=\"5xx\"} 0",
            "wits_refusals_total{code=\"too-often\"} 1",
            "wits_refusals_total{code=\"other\"} 1",
            "wits_sandbox_kills_total{code=\"memory\"} 1",
            "wits_store_write_seconds_bucket{le=\"0.001\"} 1",
            "wits_store_write_seconds_bucket{le=\"0.005\"} 3",
            "wits_store_write_seconds_bucket{le=\"5\"} 3",
            "wits_store_write_seconds_bucket{le=\"+Inf\"} 4",
            "wits_store_write_seconds_count 4",
            "wits_store_write_seconds_sum 9.008",
        ] {
            assert!(text.lines().any(|l| l == line), "{line} is not in\n{text}");
        }
        for line in text.lines().filter(|l| !l.starts_with('#')) {
            let value = line.rsplit(' ').next().and_then(|v| v.parse::<f64>().ok());
            assert!(value.is_some(), "{line}");
        }
    }
}
