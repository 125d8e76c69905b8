//! The server while fifty people want the heaviest search at once: this very program, started beside
//! itself and asked over HTTP.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use serde_json::{Value, json};

use super::{Figure, figure};

/// How many people ask for it.
const PEOPLE: usize = 50;
/// Never ends by itself.
const HEAVY: &str = "mcts:nodes=1000000";
/// How often each thing is asked.
const TIMES: usize = 400;
/// Small queries that are timed.
const QUERIES: usize = 60;

/// A server in a folder of its own; both go when this does.
struct Beside {
    child: Child,
    folder: PathBuf,
    address: SocketAddr,
}

impl Beside {
    fn start() -> Result<Beside> {
        let folder = std::env::temp_dir().join(format!("wits-bench-server-{}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        let mut child = Command::new(std::env::current_exe()?)
            .args(["serve", "--listen", "127.0.0.1:0", "--time", "2", "--json"])
            .arg("--data")
            .arg(&folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let mut line = String::new();
        if let Some(out) = child.stdout.as_mut() {
            BufReader::new(out).read_line(&mut line)?;
        }
        let said: Value = serde_json::from_str(&line).context("the server says where it is")?;
        let url = said["listening"].as_str().unwrap_or_default();
        let address = url
            .trim_start_matches("http://")
            .trim_end_matches('/')
            .parse()?;
        Ok(Beside {
            child,
            folder,
            address,
        })
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Somebody with a cookie.
struct Person {
    address: SocketAddr,
    cookie: String,
}

impl Person {
    /// Asks, and gives the body of a good answer.
    fn ask(&mut self, method: &str, path: &str, body: &str) -> Result<String> {
        let (at, cookie) = (self.address, &self.cookie);
        let mut stream = TcpStream::connect(at)?;
        stream.set_read_timeout(Some(Duration::from_mins(1)))?;
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {at}\r\norigin: http://{at}\r\ncookie: {cookie}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        stream.write_all(request.as_bytes())?;
        let mut text = String::new();
        stream.read_to_string(&mut text)?;
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or_default();
        if let Some(set) = head.lines().find_map(|l| l.strip_prefix("set-cookie: ")) {
            set.split(';')
                .next()
                .unwrap_or_default()
                .clone_into(&mut self.cookie);
        }
        if !head.starts_with("HTTP/1.1 2") {
            let first = head.lines().next().unwrap_or_default().to_owned();
            return Err(anyhow!("`{method} {path}` was answered `{first}`"));
        }
        Ok(body.to_owned())
    }

    /// A new game; its address.
    fn begin(&mut self, seats: [&str; 2]) -> Result<String> {
        let body = json!({"game": "tictactoe", "seats": seats}).to_string();
        let answer: Value = serde_json::from_str(&self.ask("POST", "/games", &body)?)?;
        Ok(answer["page"].as_str().unwrap_or_default().to_owned())
    }

    fn play(&mut self, page: &str) -> Result<()> {
        let body = json!({"ply": 0, "seat": 1, "move": "b2"}).to_string();
        self.ask("POST", &format!("{page}/move"), &body).map(drop)
    }
}

/// Milliseconds of the 99th percentile.
fn slow(mut times: Vec<Duration>) -> f64 {
    times.sort();
    let at = times.len() * 99 / 100;
    times.get(at).map_or(0.0, |t| t.as_secs_f64() * 1e3)
}

/// Milliseconds of the median.
fn median(mut times: Vec<Duration>) -> f64 {
    times.sort();
    let at = times.len() / 2;
    times.get(at).map_or(0.0, |t| t.as_secs_f64() * 1e3)
}

/// A small query: on the page, through a sandbox of its own, and in this process.
fn small_query(person: &mut Person) -> Result<[f64; 2]> {
    let (mut page, mut here) = (Vec::new(), Vec::new());
    let base = wits_expert::built_in("printer").unwrap_or_default();
    for _ in 0..QUERIES {
        let begun = Instant::now();
        let goal = "part_parent(Part,Whole).";
        person.ask(
            "GET",
            &format!("/expert/query?base=printer&goal={goal}"),
            "",
        )?;
        page.push(begun.elapsed());
        let begun = Instant::now();
        let wish = wits_expert::query::Wish {
            proof: true,
            ..Default::default()
        };
        std::hint::black_box(wits_expert::query::query("printer", base, goal, wish));
        here.push(begun.elapsed());
    }
    Ok([median(page), median(here)])
}

/// Pages and moves, each timed; a new game for every move.
fn measure(person: &mut Person) -> Result<[f64; 2]> {
    let (mut pages, mut moves) = (Vec::new(), Vec::new());
    // The first page of every room; where it shows what a machine thinks and all are busy, it comes
    // without and the thoughts follow.
    let rooms = [
        "/",
        "/othello",
        "/scrabble",
        "/thue",
        "/rainbow",
        "/matchbox",
        "/transit",
        "/expert",
        "/learn",
        "/arena",
        "/threads",
        "/glossary",
    ];
    for n in 0..TIMES {
        let begun = Instant::now();
        person.ask("GET", rooms[n % rooms.len()], "")?;
        pages.push(begun.elapsed());
        let page = person.begin(["human", "human"])?;
        let begun = Instant::now();
        person.play(&page)?;
        moves.push(begun.elapsed());
        // Nobody has more than so many games open.
        let body = json!({"seat": 1}).to_string();
        person.ask("POST", &format!("{page}/resign"), &body)?;
        // As quick as a very quick person, so that nobody is told to wait.
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok([slow(moves), slow(pages)])
}

/// The figures of the server.
pub(super) fn figures() -> Result<Vec<Figure>> {
    let beside = Beside::start()?;
    let somebody = || Person {
        address: beside.address,
        cookie: String::new(),
    };
    let mut person = somebody();
    let quiet = measure(&mut person)?;
    let query = small_query(&mut person)?;
    for _ in 0..PEOPLE {
        let mut one = somebody();
        let page = one.begin(["human", HEAVY])?;
        one.play(&page)?;
    }
    let loaded = measure(&mut person)?;
    let row = |what: &str, when: &str, value: f64, limit: f64| {
        let name = format!("{what}, 99th percentile, {when} (baseline: the limit)");
        figure(name, value, "ms", Some(limit), limit / value)
    };
    let busy = format!("{PEOPLE} sessions wanting the heaviest search");
    Ok(vec![
        row("a move acknowledged", "nobody else", quiet[0], 50.0),
        row("a page", "nobody else", quiet[1], 200.0),
        row("a move acknowledged", &busy, loaded[0], 50.0),
        row("a page", &busy, loaded[1], 200.0),
        figure(
            "a small query on the page, median, through a sandbox (baseline: the limit)".to_owned(),
            query[0],
            "ms",
            Some(50.0),
            50.0 / query[0],
        ),
        figure(
            "the same query without page and sandbox, median (baseline: through both)".to_owned(),
            query[1],
            "ms",
            Some(query[0]),
            query[0] / query[1],
        ),
    ])
}
