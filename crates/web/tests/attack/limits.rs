//! Too much, too long, too deep, from the wrong place.

use std::fmt::Write as _;
use std::io::Write as _;

use serde_json::json;
use wits_web::testing::measured;

use crate::wire::{connect, head, rest, say, status};
use crate::{begin, house, play};

const JSON: [(&str, &str); 1] = [("content-type", "application/json")];

#[test]
fn bodies_have_a_limit() {
    let house = house(|_| {});
    let mut me = house.visitor();
    let limit = wits_web::Config::default().body_limit;
    let body = |size: usize| format!("{{\"game\":\"{}\"}}", "x".repeat(size));
    let below = me
        .send("POST", "/games", &JSON, &body(limit - 100))
        .unwrap();
    assert_eq!(below.status, 422, "read, and no such game");
    let above = me.send("POST", "/games", &JSON, &body(limit)).unwrap();
    assert_eq!(above.status, 413, "{}", above.body);
    assert!(
        above.json()["error"]["message"]
            .as_str()
            .unwrap()
            .contains("256 KiB")
    );
    measured(
        "body-limit",
        format!("{} bytes: 413; {} bytes: read", limit + 12, limit - 88),
    );
}

#[test]
fn endless_bodies_are_cut_off() {
    let house = house(|_| {});
    let mut stream = connect(house.address());
    let more = "content-type: application/json\r\ntransfer-encoding: chunked\r\n";
    let start = head(house.address(), "POST /games", more);
    stream.write_all(start.as_bytes()).unwrap();
    let chunk = format!("4000\r\n{}\r\n", "x".repeat(0x4000));
    let mut sent = 0;
    while sent < 64 << 20 && stream.write_all(chunk.as_bytes()).is_ok() {
        sent += 0x4000;
    }
    assert!(
        sent < 64 << 20,
        "the server read {sent} bytes and wanted more"
    );
    let answer = rest(&mut stream);
    assert!(matches!(status(&answer), Some(413) | None), "{answer}");
    assert_eq!(house.visitor().get("/").unwrap().status, 200);
    measured(
        "endless-body",
        format!("hung up after at most {} KiB were on the way", sent >> 10),
    );
}

#[test]
fn ten_thousand_headers_are_refused() {
    let house = house(|_| {});
    let many = (0..10_000).fold(String::new(), |mut all, n| {
        let _ = write!(all, "x-{n}: y\r\n");
        all
    });
    let long = format!("x-long: {}\r\n", "y".repeat(100 << 10));
    let mut seen = Vec::new();
    for more in [many, long] {
        let answer = say(
            house.address(),
            head(house.address(), "GET /", &more).as_bytes(),
        );
        assert_eq!(status(&answer), Some(431), "{answer}");
        seen.push(431);
    }
    assert_eq!(house.visitor().get("/").unwrap().status, 200);
    measured("many-headers", "10,000 headers: 431; one of 100 KiB: 431");
}

#[test]
fn long_addresses_are_refused() {
    let house = house(|config| config.head_limit = 1 << 20);
    let limit = wits_web::Config::default().url_limit;
    let ask = |length: usize| {
        let line = format!("GET /?q={}", "y".repeat(length));
        let more = "connection: close\r\n";
        status(&say(
            house.address(),
            head(house.address(), &line, more).as_bytes(),
        ))
    };
    assert_eq!(ask(limit + 1), Some(414));
    assert_eq!(ask(50_000), Some(414));
    assert_eq!(ask(100_000), Some(414));
    assert_eq!(ask(limit - 100), Some(200));
    measured(
        "long-url",
        format!("100 kB: 414; {} bytes: read", limit - 100),
    );
}

#[test]
fn deep_json_is_refused() {
    let house = house(|_| {});
    let mut me = house.visitor();
    // All is well with the game: only the depth of what comes along differs.
    let mut ask = |depth: usize, open: &str, close: &str| {
        let (open, close) = (open.repeat(depth - 1), close.repeat(depth - 1));
        let game = "\"game\":\"tictactoe\",\"seats\":[\"human\",\"human\"]";
        let body = format!("{{{game},\"more\":{open}1{close}}}");
        me.send("POST", "/games", &JSON, &body).unwrap()
    };
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        for depth in [4, 100] {
            let reply = ask(depth, open, close);
            assert_eq!(reply.status, 201, "{depth}: {}", reply.body);
        }
        for depth in [129, 200, 10_000, 40_000] {
            let reply = ask(depth, open, close);
            assert_eq!(reply.status, 400, "{depth}: {}", reply.body);
            assert_eq!(reply.json()["error"]["code"], "unreadable", "{depth}");
        }
    }
    measured(
        "deep-json",
        "100 levels: read; 129, 200, 10,000 and 40,000 levels: refused",
    );
}

#[test]
fn no_path_leads_outside() {
    let house = house(|_| {});
    // From wherever the files of a server lie, eight levels up is the root of the disk.
    let [far, farther] = ["..%2f", "..%252f"].map(|up| format!("/assets/{}", up.repeat(8)));
    let long = [
        format!("{far}etc%2fpasswd"),
        format!("{far}proc%2fself%2fenviron"),
        format!("{farther}etc%252fpasswd"),
        format!("/assets/wits.css%2f{}etc%2fpasswd", "..%2f".repeat(9)),
    ];
    let tricks = [
        "/assets/..%2fCargo.toml",
        "/assets/..%2fsrc%2flib.rs",
        "/assets/%2fetc%2fpasswd",
        "/assets/.%2fwits.css",
        "/assets/../Cargo.toml",
        "/assets/..%2f..%2fCargo.toml",
        "/assets/..%252f..%252fCargo.toml",
        "/assets/%2e%2e/%2e%2e/etc/passwd",
        "/assets/....//....//etc/passwd",
        "/assets/..%5c..%5cCargo.toml",
        "/assets/..%c0%af..%c0%afetc/passwd",
        "/assets/%00",
        "/assets/wits.css%00.js",
        "/assets/wits.css/",
        "/assets//etc/passwd",
        "//etc/passwd",
        "/../../etc/passwd",
        "/.git/config",
        "/assets/file:///etc/passwd",
        "/games/..%2f..%2fetc%2fpasswd",
        "/games/%00",
        "/games/00000000000000000000000000000000/../../x",
        "/new/..%2ftictactoe",
        "/expert/base/..%2f..%2fetc%2fpasswd/file",
        "/expert/base/%2fetc%2fpasswd/file",
        "/matchbox/..%2f..%2fetc%2fpasswd",
        "/learn/runs/..%2f..%2fetc%2fpasswd",
    ];
    let tricks: Vec<&str> = tricks
        .into_iter()
        .chain(long.iter().map(String::as_str))
        .collect();
    for path in &tricks {
        let line = format!("GET {path}");
        let more = "connection: close\r\n";
        let answer = say(
            house.address(),
            head(house.address(), &line, more).as_bytes(),
        );
        let code = status(&answer);
        assert!(
            matches!(code, Some(400 | 404 | 422)),
            "{path}: {code:?}\n{answer}"
        );
        for leak in ["root:x:", "[package]", "[core]", "[workspace]"] {
            assert!(!answer.contains(leak), "{path}: {answer}");
        }
    }
    // Names of items travel into the store as values and nowhere else.
    let mut me = house.visitor();
    for name in [
        "../../etc/passwd",
        "/etc/passwd",
        "..\\..\\x",
        "'; DROP TABLE blobs; --",
    ] {
        let spec = format!("matchbox:file=\"{name}\"");
        let body = json!({"game": "tictactoe", "seats": ["human", spec]});
        let reply = me.post("/games", &body).unwrap();
        assert!(
            [404, 422].contains(&reply.status) && !reply.body.contains("root:x:"),
            "{name}: {}",
            reply.body
        );
    }
    measured(
        "path-tricks",
        format!("{} paths and 4 item names: none led outside", tricks.len()),
    );
}

#[test]
fn foreign_pages_change_nothing() {
    let house = house(|_| {});
    let mut me = house.visitor();
    let page = begin(&mut me, &["human", "human"]);
    let port = house.address().port();
    let foreign = [
        None,
        Some("null".to_owned()),
        Some("http://evil.example".to_owned()),
        Some(format!("http://evil.example:{port}")),
        Some(format!("http://127.0.0.1.evil.example:{port}")),
        Some(format!("http://localhost:{port}")),
        Some(format!("http://127.0.0.1:{}", port.wrapping_add(1))),
        Some(format!("file://127.0.0.1:{port}")),
        Some(format!("http://127.0.0.1:{port}@evil.example")),
    ];
    let posts = ["/games", "/login", "/expert/check", "/learn/files"];
    for origin in &foreign {
        let mut other = me.clone();
        other.origin.clone_from(origin);
        assert_eq!(play(&mut other, &page, 0, 1, "b2").0, 403, "{origin:?}");
        for path in posts {
            let reply = other.post(path, &json!({})).unwrap();
            assert_eq!(reply.status, 403, "{origin:?} {path}");
        }
    }
    assert_eq!(me.get(&format!("{page}/state")).unwrap().json()["ply"], 0);
    for host in ["evil.example", "127.0.0.1.evil.example", "[::1", "", "a b"] {
        let bytes = format!("GET / HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
        let answer = say(house.address(), bytes.as_bytes());
        assert!(
            matches!(status(&answer), Some(400 | 403)),
            "{host:?}: {answer}"
        );
    }
    let twice =
        "GET / HTTP/1.1\r\nhost: localhost\r\nhost: evil.example\r\nconnection: close\r\n\r\n";
    assert_eq!(status(&say(house.address(), twice.as_bytes())), Some(403));
    assert_eq!(play(&mut me, &page, 0, 1, "b2").0, 200, "our own page may");
    measured(
        "foreign-origin",
        format!(
            "{} origins at {} addresses and 6 hosts: all refused",
            foreign.len(),
            posts.len() + 1
        ),
    );
}
