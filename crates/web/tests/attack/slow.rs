//! Clients that take their time: with headers, with bodies, with doing nothing, with reading.

use std::io::Write;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use wits_web::testing::measured;

use crate::wire::{connect, head, rest, say, status};
use crate::{house, until};

/// The same limits as in use, shrunk so that a test sees them run out.
const SHORT: Duration = Duration::from_millis(700);

#[test]
fn slow_headers_end() {
    let house = house(|config| config.header_time = SHORT);
    let start = Instant::now();
    let mut stream = connect(house.address());
    let mut bytes = head(house.address(), "GET /", "x: y\r\n").into_bytes();
    bytes.truncate(bytes.len() - 2);
    let mut ended = None;
    // One byte now and then would keep a connection for ever if each byte bought more time.
    for byte in bytes.iter().chain(std::iter::repeat(&b'y')) {
        if stream.write_all(&[*byte]).is_err() {
            ended = Some(start.elapsed());
            break;
        }
        if start.elapsed() > Duration::from_secs(30) {
            break;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let ended = ended.expect("the connection ends in the middle of its headers");
    assert_eq!(house.visitor().get("/").unwrap().status, 200);
    measured(
        "slow-headers",
        format!(
            "limit set to 0.7 s: ended after {:.1} s",
            ended.as_secs_f64()
        ),
    );
}

#[test]
fn slow_bodies_end() {
    let house = house(|config| config.request_time = SHORT);
    let start = Instant::now();
    let mut stream = connect(house.address());
    let more = "content-type: application/json\r\ncontent-length: 100000\r\n";
    let bytes = head(house.address(), "POST /games", more);
    stream.write_all(bytes.as_bytes()).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_millis(20)))
        .unwrap();
    let mut answer = [0; 12];
    let mut got = 0;
    while got == 0 && start.elapsed() < Duration::from_secs(30) {
        if stream.write_all(b" ").is_err() {
            break;
        }
        got = std::io::Read::read(&mut stream, &mut answer).unwrap_or(0);
    }
    let text = String::from_utf8_lossy(&answer).into_owned();
    assert_eq!(status(&format!("{text} ")), Some(503), "{text}");
    measured(
        "slow-body",
        format!(
            "limit set to 0.7 s: 503 after {:.1} s",
            start.elapsed().as_secs_f64()
        ),
    );
}

#[test]
fn idle_connections_fill_the_cap_and_leave() {
    let house = house(|config| {
        config.connections = 40;
        config.header_time = Duration::from_secs(4);
    });
    let address = house.address();
    // Somebody who came before the crowd goes on being served on the same connection.
    let mut early = connect(address);
    let idle: Vec<TcpStream> = (0..39).map(|_| connect(address)).collect();
    let request = head(address, "GET /assets/icon.svg", "");
    early.write_all(request.as_bytes()).unwrap();
    let mut answer = [0; 12];
    std::io::Read::read_exact(&mut early, &mut answer).unwrap();
    assert_eq!(&answer[..], b"HTTP/1.1 200");
    let mut refused = 0;
    for _ in 0..20 {
        let answer = say(address, b"");
        assert!(
            status(&answer) == Some(503) && answer.contains("retry-after"),
            "beyond the cap: {answer:?}"
        );
        refused += 1;
    }
    let start = Instant::now();
    until("idle connections end and others are served", || {
        house
            .visitor()
            .get("/assets/icon.svg")
            .is_ok_and(|r| r.status == 200)
    });
    let waited = start.elapsed();
    for mut stream in idle {
        let left = rest(&mut stream);
        assert!(left.is_empty() || status(&left) == Some(408), "{left}");
    }
    measured(
        "idle-connections",
        format!(
            "40 of 40 taken: {refused} of {refused} refused, an open one served; idle limit set to 4 s: room again after {:.1} s",
            waited.as_secs_f64()
        ),
    );
}

#[test]
fn one_address_has_its_share() {
    let house = house(|config| config.per_address = 8);
    let address = house.address();
    let held: Vec<TcpStream> = (0..8).map(|_| connect(address)).collect();
    until("the ninth is refused", || {
        status(&say(address, b"")) == Some(503)
    });
    // The same house by another address of the same machine.
    if let Ok(other) = other_loopback(address) {
        assert_eq!(status(&other), Some(200), "another address is served");
    }
    drop(held);
    until("who left makes room", || {
        house.visitor().get("/").is_ok_and(|r| r.status == 200)
    });
    measured(
        "connections-per-address",
        "limit set to 8: the ninth refused, another address served",
    );
}

/// A request from 127.0.0.2, where the system has that address.
fn other_loopback(address: std::net::SocketAddr) -> std::io::Result<String> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        use tokio::io::{AsyncReadExt, AsyncWriteExt};
        let socket = tokio::net::TcpSocket::new_v4()?;
        socket.bind("127.0.0.2:0".parse().unwrap())?;
        let mut stream = socket.connect(address).await?;
        let request = head(address, "GET /", "connection: close\r\n");
        stream.write_all(request.as_bytes()).await?;
        let mut text = String::new();
        stream.read_to_string(&mut text).await?;
        Ok(text)
    })
}

#[test]
fn who_never_reads_is_hung_up_on() {
    let house = house(|config| {
        config.connections = 10;
        config.write_time = SHORT;
    });
    let address = house.address();
    let request = head(address, "GET /assets/wits.css", "");
    let hoard: Vec<TcpStream> = (0..10)
        .map(|_| {
            let mut stream = connect(address);
            stream
                .set_write_timeout(Some(Duration::from_millis(300)))
                .unwrap();
            // Far more answers than any buffer holds, and none is read.
            for _ in 0..4_000 {
                if stream.write_all(request.as_bytes()).is_err() {
                    break;
                }
            }
            stream
        })
        .collect();
    let start = Instant::now();
    until("places are free again", || {
        house
            .visitor()
            .get("/assets/icon.svg")
            .is_ok_and(|r| r.status == 200)
    });
    drop(hoard);
    measured(
        "unread-answers",
        format!(
            "10 of 10 places held, limit set to 0.7 s: room again {:.1} s after the last",
            start.elapsed().as_secs_f64()
        ),
    );
}
