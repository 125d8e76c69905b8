//! A small HTTP client for tests: one connection a request, cookies kept, nothing hidden; a house to
//! ask, and the rows of `docs/security.md`.

mod house;
mod rows;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use serde_json::Value;
use socket2::{Domain, Socket, Type};

pub use house::House;
pub use rows::{Row, folder, measured, rows};

/// A visitor with a cookie.
#[derive(Clone, Debug)]
pub struct Client {
    /// Where the server is.
    pub address: SocketAddr,
    /// The cookies that were given, by name.
    pub cookies: BTreeMap<String, String>,
    /// What to send as `Origin`; nothing for none.
    pub origin: Option<String>,
    /// The address to ask from; nothing for the usual one.
    pub from: Option<IpAddr>,
    /// Whether to wait for what machines think, however long it takes; a browser that opens a page does not.
    pub patient: bool,
}

/// What came back.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The status code.
    pub status: u16,
    /// The head, line by line.
    pub head: Vec<String>,
    /// The body.
    pub body: String,
}

impl Reply {
    /// The body as JSON; null if it is none.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or(Value::Null)
    }

    /// A header, by its lower-case name.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.iter().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }
}

impl Client {
    /// Somebody new.
    pub fn new(address: SocketAddr) -> Client {
        Client {
            address,
            cookies: BTreeMap::new(),
            origin: Some(format!("http://{address}")),
            from: None,
            patient: true,
        }
    }

    /// A program: it has no page, so it sends no origin.
    pub fn script(address: SocketAddr) -> Client {
        Client {
            origin: None,
            ..Client::new(address)
        }
    }

    /// Somebody new at an address of this machine, who has looked at the first page.
    ///
    /// # Panics
    /// When there is no server.
    pub fn at(address: SocketAddr, from: IpAddr) -> Client {
        let mut client = Client {
            from: Some(from),
            ..Client::new(address)
        };
        let home = client.get("/").expect("the first page");
        assert_eq!(home.status, 200, "{}", home.body);
        client
    }

    fn head(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        length: Option<usize>,
    ) -> String {
        let mut text = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n",
            self.address
        );
        if let Some(origin) = &self.origin {
            let _ = write!(text, "origin: {origin}\r\n");
        }
        if self.patient {
            text += "prefer: wait\r\n";
        }
        if !self.cookies.is_empty() {
            let pair = |(name, value): (&String, &String)| format!("{name}={value}");
            let all: Vec<String> = self.cookies.iter().map(pair).collect();
            let _ = write!(text, "cookie: {}\r\n", all.join("; "));
        }
        for (name, value) in headers {
            let _ = write!(text, "{name}: {value}\r\n");
        }
        if let Some(length) = length {
            let _ = write!(text, "content-length: {length}\r\n");
        }
        text + "\r\n"
    }

    fn connect(&self) -> io::Result<TcpStream> {
        let socket = Socket::new(Domain::for_address(self.address), Type::STREAM, None)?;
        if let Some(from) = self.from {
            socket.bind(&SocketAddr::new(from, 0).into())?;
        }
        socket.connect_timeout(&self.address.into(), Duration::from_secs(10))?;
        let stream = TcpStream::from(socket);
        stream.set_read_timeout(Some(PATIENCE))?;
        Ok(stream)
    }

    /// Sends a request and reads the whole answer.
    ///
    /// # Errors
    /// When the server cannot be reached or hangs up early.
    pub fn send(
        &mut self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> io::Result<Reply> {
        self.send_bytes(method, path, headers, body.as_bytes())
    }

    /// The same with a body that is no text.
    ///
    /// # Errors
    /// As for [`send`](Self::send).
    pub fn send_bytes(
        &mut self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> io::Result<Reply> {
        let mut stream = self.connect()?;
        let head = self.head(method, path, headers, Some(body.len()));
        stream.write_all(head.as_bytes())?;
        // A server that refuses early may hang up before it has read all: the answer still counts.
        let _ = stream.write_all(body);
        let mut bytes = Vec::new();
        let read = stream.read_to_end(&mut bytes);
        if bytes.is_empty() {
            read?;
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "no answer"));
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            return Err(io::Error::new(
                io::ErrorKind::UnexpectedEof,
                "the answer was cut short",
            ));
        };
        let mut lines = head.lines().map(str::to_owned);
        let status = lines
            .next()
            .and_then(|l| l.split(' ').nth(1)?.parse().ok())
            .unwrap_or(0);
        let reply = Reply {
            status,
            head: lines.collect(),
            body: body.to_owned(),
        };
        let whole = reply
            .header("content-length")
            .and_then(|l| l.parse().ok())
            .is_none_or(|l: usize| body.len() >= l);
        if !whole {
            return Err(io::Error::new(
                io::ErrorKind::UnexpectedEof,
                "the answer was cut short",
            ));
        }
        for line in &reply.head {
            let (name, value) = line.split_once(':').unwrap_or_default();
            let pair = value
                .split(';')
                .next()
                .and_then(|p| p.trim().split_once('='));
            if let (true, Some((key, value))) = (name.eq_ignore_ascii_case("set-cookie"), pair) {
                self.cookies.insert(key.to_owned(), value.to_owned());
            }
        }
        Ok(reply)
    }

    /// Asks for something.
    ///
    /// # Errors
    /// As [`Client::send`].
    pub fn get(&mut self, path: &str) -> io::Result<Reply> {
        self.send("GET", path, &[], "")
    }

    /// Sends JSON.
    ///
    /// # Errors
    /// As [`Client::send`].
    pub fn post(&mut self, path: &str, body: &Value) -> io::Result<Reply> {
        self.send(
            "POST",
            path,
            &[("content-type", "application/json")],
            &body.to_string(),
        )
    }

    /// Opens an event stream; lines are read with the returned reader.
    ///
    /// # Errors
    /// As [`Client::send`].
    pub fn listen(&self, path: &str, last: Option<u64>) -> io::Result<Events> {
        let mut stream = self.connect()?;
        let last = last.map(|id| id.to_string());
        let extra: Vec<(&str, &str)> = last
            .iter()
            .map(|id| ("last-event-id", id.as_str()))
            .collect();
        stream.write_all(self.head("GET", path, &extra, None).as_bytes())?;
        Ok(Events {
            reader: BufReader::new(stream),
            raw: String::new(),
        })
    }
}

/// How long an answer or an event may take.
const PATIENCE: Duration = Duration::from_mins(1);

/// An open event stream.
pub struct Events {
    reader: BufReader<TcpStream>,
    /// Every byte that came so far, as text.
    pub raw: String,
}

impl Events {
    /// Waits for the next event: its name and its data.
    ///
    /// # Errors
    /// When the stream ends or nothing is told for a minute; a sign of life tells nothing.
    pub fn hear(&mut self) -> io::Result<(String, Value)> {
        self.hear_until(Instant::now() + PATIENCE)
    }

    fn hear_until(&mut self, end: Instant) -> io::Result<(String, Value)> {
        let (mut name, mut data) = (String::new(), String::new());
        loop {
            if Instant::now() > end {
                return Err(io::Error::new(
                    io::ErrorKind::TimedOut,
                    "the stream is open and tells nothing",
                ));
            }
            let mut line = String::new();
            if self.reader.read_line(&mut line)? == 0 {
                return Err(io::Error::new(
                    io::ErrorKind::UnexpectedEof,
                    "the stream ended",
                ));
            }
            self.raw.push_str(&line);
            let line = line.trim_end();
            if let Some(rest) = line.strip_prefix("event: ") {
                rest.clone_into(&mut name);
            } else if let Some(rest) = line.strip_prefix("data: ") {
                data.push_str(rest);
            } else if line.is_empty() && !name.is_empty() {
                return Ok((name, serde_json::from_str(&data).unwrap_or(Value::Null)));
            }
        }
    }

    /// Waits for a state that satisfies a condition.
    ///
    /// # Errors
    /// As [`Events::hear`], and when no such state comes within a minute.
    pub fn wait(&mut self, holds: impl Fn(&Value) -> bool) -> io::Result<Value> {
        let end = Instant::now() + PATIENCE;
        loop {
            let (name, value) = self.hear_until(end)?;
            if name == "state" && holds(&value) {
                return Ok(value);
            }
        }
    }
}
