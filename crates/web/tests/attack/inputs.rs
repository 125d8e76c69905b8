//! Numbers that are none, cells that a spreadsheet would run, and uploads that are too large.

use std::fmt::Write as _;
use std::io::Write as _;
use std::time::Duration;

use serde_json::json;
use wits_play::Catalog;
use wits_store::Store;
use wits_web::testing::{House, Reply, measured};

use crate::wire::{connect, head};
use crate::{house, lift};

const CSV: [(&str, &str); 1] = [("content-type", "text/csv")];

/// Whether a spreadsheet would take a cell for a formula.
fn runs(cell: &str) -> bool {
    let cell = cell.trim_matches('"');
    cell.starts_with(['=', '+', '-', '@', '\t', '\r']) && cell.parse::<f64>().is_err()
}

#[test]
fn cells_are_no_formulas() {
    let house = house(|_| {});
    let mut me = house.guest();
    let mut text = "=HYPERLINK(1),@b,class\n".to_owned();
    for n in 0..40 {
        let class = ["=1+1", "+cmd", "-x", "@sum"][n % 4];
        let _ = writeln!(text, "{n},-{n}.5,{class}");
    }
    let sent = me.send("POST", "/learn/data?name==x", &CSV, &text).unwrap();
    let page = sent.json()["page"].as_str().unwrap().to_owned();
    let pipeline = "target=class&imputer=mean&transformer=passthrough&classifier=knn%3Ak%3D3";
    let (mut looked, mut marked) = (0, 0);
    for what in [
        "table/rows?target=class".to_owned(),
        "table/classes?target=class".to_owned(),
        format!("keep/answers.csv?{pipeline}"),
    ] {
        let shown = me.get(&format!("{page}/{what}")).unwrap();
        assert_eq!(shown.status, 200, "{what}: {}", shown.body);
        let cells: Vec<&str> = shown.body.lines().flat_map(|l| l.split(',')).collect();
        assert!(
            cells.iter().any(|cell| cell.contains("'=1+1")),
            "{what} has what was sent: {}",
            shown.body
        );
        for cell in cells {
            assert!(!runs(cell), "{what}: {cell}");
            looked += 1;
            marked += usize::from(cell.trim_matches('"').starts_with('\''));
        }
    }
    measured(
        "csv-formulas",
        format!("{looked} cells of 3 tables to keep: none runs, {marked} were marked as text"),
    );
}

fn code(reply: &Reply) -> String {
    let refused = &reply.json()["error"];
    assert!(refused["message"].is_string(), "{}", reply.body);
    refused["code"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn times_are_finite() {
    let house = house(|_| {});
    let mut me = house.guest();
    let mut refused = 0;
    for seconds in [
        "NaN", "nan", "inf", "-inf", "Infinity", "-1", "0", "1e999", "1e300",
    ] {
        for clock in ["move", "game"] {
            let seats = ["human", "alphabeta:depth=3"];
            let body =
                json!({"game": "tictactoe", "seats": seats, "clock": clock, "seconds": seconds});
            let reply = me.post("/games", &body).unwrap();
            assert!(
                (400..500).contains(&reply.status),
                "{seconds}: {}",
                reply.body
            );
            code(&reply);
            refused += 1;
        }
        for seat in ["mcts:nodes", "mcts:exploration"] {
            if ["0", "-1"].contains(&seconds) {
                continue;
            }
            let seats = ["human".to_owned(), format!("{seat}={seconds}")];
            let reply = me.post("/games", &json!({"game": "tictactoe", "seats": seats}));
            let reply = reply.unwrap();
            assert_eq!(reply.status, 422, "{seat}={seconds}: {}", reply.body);
            code(&reply);
            refused += 1;
        }
    }
    let sound =
        json!({"game": "tictactoe", "seats": ["human", "human"], "clock": "move", "seconds": "30"});
    assert_eq!(me.post("/games", &sound).unwrap().status, 201);
    measured(
        "finite-times",
        format!("{refused} games with 9 times and numbers that are none: all refused"),
    );
}

/// What is refused as too large names the limit of its own address.
#[test]
fn uploads_have_limits_of_their_own() {
    let house = house(|_| {});
    let mut me = house.guest();
    let feed = vec![b'x'; (32 << 20) + 1];
    for (path, bytes, most) in [
        ("/transit/feed?name=x", &feed[..], "32 MiB"),
        ("/threads", &feed[..=(4 << 20)], "4 MiB"),
        ("/games", &feed[..=(256 << 10)], "256 KiB"),
    ] {
        let sent = me.send_bytes("POST", path, &[], bytes).unwrap();
        assert_eq!(
            (sent.status, code(&sent).as_str()),
            (413, "too-large"),
            "{path}"
        );
        let why = sent.json()["error"]["message"].to_string();
        assert!(why.contains(most), "{path}: {why}");
    }
    measured(
        "upload-limits",
        "a timetable of 32 MiB and one byte, a thread of 4 MiB and one, a form of 256 KiB and one: 413 with that limit",
    );
}

/// Bodies that never end hold what they announced, and only so much of it: the next of that address
/// waits unread, others are received.
#[test]
fn uploads_are_received_a_few_at_a_time() {
    let house = House::open(
        Catalog::new(Vec::new()),
        Store::memory().unwrap(),
        |config| {
            config.proxy = Some("wits.example".to_owned());
            config.uploads = (16, 80 << 20);
            lift(config);
        },
    );
    let (at, size) = (house.address(), 20 << 20);
    let begin = |last: u8| {
        let from = format!("x-forwarded-for: 192.0.2.{last}\r\n");
        let more = format!("{from}content-length: {size}\r\n");
        let mut stream = connect(at);
        stream
            .set_write_timeout(Some(Duration::from_secs(5)))
            .unwrap();
        let text = head(at, "POST /transit/feed?name=x", &more);
        stream.write_all(text.as_bytes()).unwrap();
        // All but the last byte: it is never over.
        let read = stream.write_all(&vec![b'x'; size - 1]).is_ok();
        (stream, read)
    };
    let streams = [1, 1, 1, 1, 2].map(begin);
    let read: Vec<bool> = streams.iter().map(|(_, read)| *read).collect();
    assert_eq!(read, [true, true, true, false, true]);
    measured(
        "few-uploads",
        "limit set to 80 MiB: of 4 bodies of 20 MiB that never end 3 were received, one of another address as well",
    );
}
