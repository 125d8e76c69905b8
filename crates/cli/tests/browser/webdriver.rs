//! As much of the `WebDriver` protocol as these journeys need: requests with JSON over one connection
//! each, one after the other. A client from elsewhere would bring sixty packages along, and with them
//! the whole house would be built once more.
#![allow(
    clippy::unused_async,
    reason = "journeys wait for what they ask, whatever carries it"
)]

use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value, json};

/// Under this name the protocol hands out elements.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// What went wrong: the connection, or what the driver says.
#[derive(Debug)]
pub(crate) struct Trouble(String);

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Trouble {
        Trouble(error.to_string())
    }
}

type Told<T> = Result<T, Trouble>;

/// Asks a driver, and gives the value of its answer.
fn ask(port: u16, method: &str, path: &str, body: Option<&Value>) -> Told<Value> {
    let mut stream = TcpStream::connect(("127.0.0.1", port))?;
    stream.set_read_timeout(Some(Duration::from_mins(2)))?;
    let body = body.map_or(String::new(), Value::to_string);
    let head = format!(
        "{method} {path} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(body.as_bytes())?;
    let mut reader = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 {
            return Err(Trouble("the driver hung up".to_owned()));
        }
        if line.trim().is_empty() {
            break;
        }
        let (name, value) = line.split_once(':').unwrap_or_default();
        if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse().unwrap_or(0);
        }
    }
    let mut bytes = vec![0; length];
    reader.read_exact(&mut bytes)?;
    let mut answer: Value =
        serde_json::from_slice(&bytes).map_err(|e| Trouble(format!("{path}: {e}")))?;
    let value = answer["value"].take();
    match value["error"].as_str() {
        Some(error) => Err(Trouble(format!("{error}: {}", value["message"]))),
        None => Ok(value),
    }
}

/// A browser window.
#[derive(Clone, Debug)]
pub(crate) struct Client {
    port: u16,
    session: String,
}

impl Client {
    /// A new browser of the driver at a port.
    pub(crate) fn open(port: u16, capabilities: &Value) -> Told<Client> {
        let wanted = json!({"capabilities": {"alwaysMatch": capabilities}});
        let made = ask(port, "POST", "/session", Some(&wanted))?;
        let session = made["sessionId"].as_str().unwrap_or_default().to_owned();
        Ok(Client { port, session })
    }

    fn get(&self, path: &str) -> Told<Value> {
        let path = format!("/session/{}{path}", self.session);
        ask(self.port, "GET", &path, None)
    }

    fn post(&self, path: &str, body: &Value) -> Told<Value> {
        let path = format!("/session/{}{path}", self.session);
        ask(self.port, "POST", &path, Some(body))
    }

    pub(crate) async fn goto(&self, url: &str) -> Told<()> {
        self.post("/url", &json!({ "url": url })).map(drop)
    }

    pub(crate) async fn refresh(&self) -> Told<()> {
        self.post("/refresh", &json!({})).map(drop)
    }

    pub(crate) async fn back(&self) -> Told<()> {
        self.post("/back", &json!({})).map(drop)
    }

    pub(crate) async fn current_url(&self) -> Told<String> {
        let url = self.get("/url")?;
        Ok(url.as_str().unwrap_or_default().to_owned())
    }

    /// What a script returns.
    pub(crate) async fn execute(&self, script: &str, args: Vec<Value>) -> Told<Value> {
        self.post("/execute/sync", &json!({"script": script, "args": args}))
    }

    /// What a script gives to its last argument, a function.
    pub(crate) async fn execute_async(&self, script: &str, args: Vec<Value>) -> Told<Value> {
        self.post("/execute/async", &json!({"script": script, "args": args}))
    }

    /// A command of the browser's own protocol.
    pub(crate) async fn command(&self, name: &str, params: Value) -> Told<Value> {
        self.post("/goog/cdp/execute", &json!({"cmd": name, "params": params}))
    }

    /// What the browser has written into its log since it was asked last.
    pub(crate) async fn log(&self) -> Told<Value> {
        self.post("/se/log", &json!({"type": "browser"}))
    }

    /// What is in sight, as a PNG file.
    pub(crate) async fn screenshot(&self) -> Told<Vec<u8>> {
        let text = self.get("/screenshot")?;
        Ok(decoded(text.as_str().unwrap_or_default()))
    }

    fn element(&self, value: &Value) -> Element {
        Element {
            client: self.clone(),
            id: value[ELEMENT].as_str().unwrap_or_default().to_owned(),
        }
    }

    /// The first element of a kind.
    pub(crate) async fn find(&self, css: &str) -> Told<Element> {
        let asked = json!({"using": "css selector", "value": css});
        Ok(self.element(&self.post("/element", &asked)?))
    }

    /// The element that has the focus.
    pub(crate) async fn active_element(&self) -> Told<Element> {
        Ok(self.element(&self.get("/element/active")?))
    }

    pub(crate) async fn close(&self) -> Told<()> {
        let path = format!("/session/{}", self.session);
        ask(self.port, "DELETE", &path, None).map(drop)
    }
}

/// Something on a page.
#[derive(Clone, Debug)]
pub(crate) struct Element {
    client: Client,
    id: String,
}

impl Element {
    fn post(&self, what: &str, body: &Value) -> Told<()> {
        let path = format!("/element/{}/{what}", self.id);
        self.client.post(&path, body).map(drop)
    }

    pub(crate) async fn click(&self) -> Told<()> {
        self.post("click", &json!({}))
    }

    pub(crate) async fn clear(&self) -> Told<()> {
        self.post("clear", &json!({}))
    }

    pub(crate) async fn send_keys(&self, text: &str) -> Told<()> {
        self.post("value", &json!({ "text": text }))
    }

    pub(crate) async fn text(&self) -> Told<String> {
        let text = self.client.get(&format!("/element/{}/text", self.id))?;
        Ok(text.as_str().unwrap_or_default().to_owned())
    }
}

/// Base64, as pictures come.
fn decoded(text: &str) -> Vec<u8> {
    let digit = |c: u8| match c {
        b'A'..=b'Z' => Some(c - b'A'),
        b'a'..=b'z' => Some(c - b'a' + 26),
        b'0'..=b'9' => Some(c - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let digits: Vec<u8> = text.bytes().filter_map(digit).collect();
    let mut bytes = Vec::with_capacity(digits.len() * 3 / 4);
    for four in digits.chunks(4) {
        let sum = four.iter().fold(0_u32, |sum, d| (sum << 6) | u32::from(*d));
        let sum = sum << (6 * (4 - four.len()));
        bytes.extend(sum.to_be_bytes()[1..].iter().take(four.len() - 1));
    }
    bytes
}

#[test]
fn base64_is_read() {
    assert_eq!(decoded("d2l0cw=="), b"wits");
    assert_eq!(decoded("iVBORw0K"), b"\x89PNG\r\n");
}
