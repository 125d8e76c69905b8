//! What operators see of an attack: lines, figures, health.

use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::process::{Child, ChildStdout, Stdio};

use serde_json::{Value, json};
use wits_web::testing::{Client, measured};

use crate::common::wits;

/// A server whose lines and figures can be read.
struct Watched {
    child: Child,
    _out: BufReader<ChildStdout>,
    site: SocketAddr,
    metrics: SocketAddr,
}

fn address(url: &Value) -> SocketAddr {
    let url = url.as_str().unwrap().trim_start_matches("http://");
    url.split('/').next().unwrap().parse().unwrap()
}

impl Watched {
    fn start(folder: &std::path::Path, log: &str) -> Watched {
        let mut child = wits(folder)
            .args(["serve", "--listen", "127.0.0.1:0", "--json"])
            .args(["--metrics", "127.0.0.1:0", "--log", log])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        out.read_line(&mut line).unwrap();
        let said: Value = serde_json::from_str(&line).unwrap();
        Watched {
            child,
            _out: out,
            site: address(&said["listening"]),
            metrics: address(&said["metrics"]),
        }
    }

    /// A figure by its name and labels.
    fn figure(&self, name: &str) -> f64 {
        let reply = Client::new(self.metrics).get("/metrics").unwrap();
        assert_eq!(reply.status, 200);
        let kind = reply.header("content-type").unwrap();
        assert!(kind.starts_with("text/plain; version=0.0.4"), "{kind}");
        let line = reply
            .body
            .lines()
            .find_map(|l| l.strip_prefix(name)?.strip_prefix(' '));
        let line = line.unwrap_or_else(|| panic!("no {name} in\n{}", reply.body));
        line.parse().unwrap()
    }

    fn count(&self, name: &str) -> u64 {
        self.figure(name) as u64
    }

    fn lines(mut self) -> Vec<String> {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        let mut text = String::new();
        let mut pipe = self.child.stderr.take().unwrap();
        pipe.read_to_string(&mut text).unwrap();
        text.lines().map(str::to_owned).collect()
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn an_attack_leaves_a_trace() {
    let folder = tempfile::tempdir().unwrap();
    let server = Watched::start(folder.path(), "json");
    let mut me = Client::new(server.site);
    let health = me.get("/health").unwrap();
    assert_eq!(health.status, 200);
    assert_eq!(health.json()["ok"], json!(true));
    assert!(health.json()["version"].is_string());
    let game = json!({"game": "tictactoe", "seats": ["human", "human"]});
    let page = me.post("/games", &game).unwrap().json()["page"].clone();
    let page = page.as_str().unwrap().to_owned();
    let _stream = me.listen(&format!("{page}/events"), None).unwrap();
    assert_eq!(me.get(&format!("{page}/state")).unwrap().status, 200);
    assert_eq!(me.get("/metrics").unwrap().status, 404, "not on the site");

    let mut evil = me.clone();
    evil.origin = Some("http://evil.example".to_owned());
    for _ in 0..3 {
        assert_eq!(evil.post("/games", &game).unwrap().status, 403);
    }
    let large = "x".repeat(300_000);
    let sent = me.send(
        "POST",
        "/games",
        &[("content-type", "application/json")],
        &large,
    );
    assert_eq!(sent.unwrap().status, 413);
    let illegal = json!({"ply": 0, "seat": 1, "move": "z9"});
    assert_eq!(
        me.post(&format!("{page}/move"), &illegal).unwrap().status,
        422
    );

    assert!(server.count("wits_refusals_total{code=\"origin\"}") >= 3);
    assert!(server.count("wits_refusals_total{code=\"too-large\"}") >= 1);
    assert!(server.count("wits_refusals_total{code=\"illegal\"}") >= 1);
    assert!(server.count("wits_requests_total{status=\"4xx\"}") >= 6);
    assert!(server.count("wits_requests_total{status=\"2xx\"}") >= 3);
    assert_eq!(server.count("wits_streams"), 1);
    assert_eq!(server.count("wits_games_loaded"), 1);
    assert_eq!(server.count("wits_sessions"), 1);
    assert_eq!(server.count("wits_jobs_running"), 0);
    assert!(server.figure("wits_store_read_seconds") > 0.0);
    if cfg!(target_os = "linux") {
        assert!(server.figure("process_resident_memory_bytes") > 1e6);
    }
    let lines = server.lines();
    let refused: Vec<Value> = lines
        .iter()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}")))
        .collect();
    let codes: Vec<&str> = refused.iter().filter_map(|l| l["code"].as_str()).collect();
    assert_eq!(
        codes,
        ["origin", "origin", "origin", "too-large"],
        "{lines:?}"
    );
    for line in &refused {
        assert_eq!(line["message"], "refused");
        assert_eq!(line["from"], "127.0.0.1");
        assert_eq!(line["route"], "/games");
    }
    measured(
        "trace",
        format!(
            "4 refusals: {} lines of JSON with code, route and address, and the same counts on a listener of its own",
            refused.len()
        ),
    );
}

#[test]
fn a_log_that_nobody_reads_stops_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let server = Watched::start(folder.path(), "requests");
    let mut me = Client::new(server.site);
    // A pipe holds 64 KiB and the queue a thousand lines; these are more.
    let mut answered = 0;
    while answered < 2_500 {
        assert_eq!(me.get("/health").unwrap().status, 200);
        answered += 1;
    }
    let lost = server.count("wits_log_lines_lost_total");
    assert!(lost > 0, "the log was read after all");
    measured(
        "unread-log",
        format!("{answered} requests with nobody reading the log: all answered, {lost} lines lost"),
    );
}
