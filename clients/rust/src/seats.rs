//! The tables of a bot on a server: turns come in one stream, answers are posted.

use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use serde_json::{Value, json};

use crate::{Bot, answer};

/// The server gives a sign of life every 5 s; after this much silence the connection is lost.
const SILENCE: Duration = Duration::from_secs(15);
/// The longest wait before the next attempt to connect.
const PATIENCE: Duration = Duration::from_secs(2);

/// Where to play, and what to do there first.
#[derive(Clone, Debug, Default)]
pub struct Door {
    /// Such as `http://127.0.0.1:8080`; without TLS.
    pub server: String,
    /// What the page of the bot showed once.
    pub token: String,
    /// The link of an open tournament to join.
    pub join: Option<String>,
    /// One practice game: the game, the opponent and our seat; then leave.
    pub play: Option<(String, String, String)>,
}

impl Door {
    /// What the command line and the environment ask for; nothing where they name no server.
    pub fn of_arguments() -> Option<Door> {
        let all: Vec<String> = std::env::args().collect();
        let value = |name: &str| {
            let at = all.iter().position(|word| word == name)?;
            all.get(at + 1).cloned()
        };
        let join = value("--join");
        let origin = |link: &String| {
            let (scheme, rest) = link.split_once("://")?;
            Some(format!("{scheme}://{}", rest.split('/').next()?))
        };
        let server = value("--server").or_else(|| std::env::var("WITS_SERVER").ok());
        let play = value("--play").map(|game| {
            let opponent = value("--opponent").unwrap_or_else(|| "random".to_owned());
            (
                game,
                opponent,
                value("--seat").unwrap_or_else(|| "1".to_owned()),
            )
        });
        Some(Door {
            server: server.or_else(|| join.as_ref().and_then(origin))?,
            token: value("--token")
                .or_else(|| std::env::var("WITS_TOKEN").ok())
                .unwrap_or_default(),
            join,
            play,
        })
    }
}

/// Why the connection ended.
enum Ended {
    /// The server does not want this program.
    Refused(String),
    /// The connection broke off; it is worth another attempt.
    Lost(io::Error),
}

impl From<io::Error> for Ended {
    fn from(error: io::Error) -> Ended {
        Ended::Lost(error)
    }
}

fn lost(what: impl Into<String>) -> Ended {
    Ended::Lost(io::Error::new(ErrorKind::InvalidData, what.into()))
}

/// The bot of one table, the last turn it was asked, and what it answered.
struct Seat<B> {
    bot: B,
    turn: Option<String>,
    reply: Option<Value>,
}

/// A head, and the reader behind which its body waits.
struct Response {
    status: u16,
    headers: HashMap<String, String>,
    body: BufReader<TcpStream>,
}

impl Response {
    /// The next piece of a chunked body; nothing at its end.
    fn chunk(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut line = String::new();
        if self.body.read_line(&mut line)? == 0 {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        let size = line.trim().split(';').next().unwrap_or_default();
        let size = usize::from_str_radix(size, 16)
            .map_err(|_| io::Error::new(ErrorKind::InvalidData, "a chunk without its size"))?;
        let mut bytes = vec![0; size];
        self.body.read_exact(&mut bytes)?;
        let mut end = [0; 2];
        self.body.read_exact(&mut end)?;
        Ok((size > 0).then_some(bytes))
    }

    fn is_chunked(&self) -> bool {
        let coding = self.headers.get("transfer-encoding");
        coding.is_some_and(|coding| coding.eq_ignore_ascii_case("chunked"))
    }

    /// The whole body as JSON.
    fn json(&mut self) -> Result<Value, Ended> {
        let mut bytes = Vec::new();
        if self.is_chunked() {
            while let Some(more) = self.chunk()? {
                bytes.extend(more);
            }
        } else {
            let length = self.headers.get("content-length");
            bytes = vec![0; length.and_then(|text| text.parse().ok()).unwrap_or(0)];
            self.body.read_exact(&mut bytes)?;
        }
        serde_json::from_slice(&bytes).map_err(|why| lost(why.to_string()))
    }
}

/// A program on a server.
struct Seats<'a, B> {
    bot: &'a B,
    door: Door,
    /// The connection for answers, kept from one to the next.
    posts: Option<BufReader<TcpStream>>,
    tables: HashMap<String, Seat<B>>,
    practice: Option<String>,
}

/// Plays on a server until somebody stops it; what is lost on the way is found again.
///
/// # Errors
/// When the server does not want this program.
pub fn play<B: Bot + Clone>(bot: &B, door: Door) -> io::Result<()> {
    if door.token.is_empty() {
        let why = "a token is needed: --token, or WITS_TOKEN in the environment";
        return Err(io::Error::other(why));
    }
    let mut seats = Seats {
        bot,
        door,
        posts: None,
        tables: HashMap::new(),
        practice: None,
    };
    let mut wait = Duration::from_millis(200);
    loop {
        match seats.listen(&mut wait) {
            Ok(true) => return Ok(()),
            Ok(false) => {}
            Err(Ended::Refused(why)) => return Err(io::Error::other(why)),
            Err(Ended::Lost(why)) => report(&format!("no connection ({why}); trying again")),
        }
        seats.posts = None;
        std::thread::sleep(wait);
        wait = (2 * wait).min(PATIENCE);
    }
}

fn report(text: &str) {
    // Without standard error nobody reads it.
    let _ = writeln!(io::stderr(), "{text}");
}

/// What the server says against something, and what to do.
fn message(told: &Value) -> String {
    let error = told.get("error").unwrap_or(told);
    let words = ["message", "hint"]
        .iter()
        .filter_map(|key| error[*key].as_str());
    words.collect::<Vec<_>>().join("; ")
}

/// What a bot answers; where it panics, what to tell its author. The message is on standard error already.
fn answers(bot: &mut impl Bot, line: &Value) -> Option<Value> {
    catch_unwind(AssertUnwindSafe(|| answer(bot, line.clone()))).unwrap_or_else(|panic| {
        let why = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let why = why.or_else(|| panic.downcast_ref::<String>().cloned());
        let why = why.unwrap_or_else(|| "it panicked".to_owned());
        Some(json!({"turn": line["id"], "crash": why}))
    })
}

impl<B: Bot + Clone> Seats<'_, B> {
    fn host(&self) -> Result<&str, Ended> {
        let host = self.door.server.strip_prefix("http://");
        let host = host.ok_or_else(|| {
            let why = "this client speaks plain HTTP: write http://HOST:PORT";
            Ended::Refused(why.to_owned())
        })?;
        Ok(host.trim_end_matches('/'))
    }

    fn connect(&self) -> Result<BufReader<TcpStream>, Ended> {
        let host = self.host()?;
        let stream = match host.rsplit_once(':') {
            Some((_, port)) if port.parse::<u16>().is_ok() => TcpStream::connect(host)?,
            _ => TcpStream::connect((host, 80))?,
        };
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(SILENCE))?;
        Ok(BufReader::new(stream))
    }

    /// Sends a request on a connection, and reads the head of its answer.
    fn send(
        &self,
        mut on: BufReader<TcpStream>,
        ask: &str,
        body: Option<&Value>,
    ) -> Result<Response, Ended> {
        let (host, token) = (self.host()?, &self.door.token);
        let body = body.map(Value::to_string).unwrap_or_default();
        let text = format!(
            "{ask} HTTP/1.1\r\nhost: {host}\r\nauthorization: Bearer {token}\r\n\
             accept: application/json\r\ncontent-type: application/json\r\n\
             content-length: {}\r\n\r\n{body}",
            body.len()
        );
        on.get_mut().write_all(text.as_bytes())?;
        let mut line = String::new();
        if on.read_line(&mut line)? == 0 {
            return Err(Ended::Lost(ErrorKind::UnexpectedEof.into()));
        }
        let status = line.split(' ').nth(1).and_then(|word| word.parse().ok());
        let status = status.ok_or_else(|| lost("no answer of a web server"))?;
        let mut headers = HashMap::new();
        loop {
            line.clear();
            on.read_line(&mut line)?;
            let Some((name, value)) = line.trim_end().split_once(':') else {
                break;
            };
            headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
        }
        Ok(Response {
            status,
            headers,
            body: on,
        })
    }

    /// Posts something; the status and what was answered. To post it once more does no harm.
    fn post(&mut self, path: &str, body: &Value) -> Result<(u16, Value), Ended> {
        let ask = format!("POST {path}");
        loop {
            let kept = self.posts.take();
            let old = kept.is_some();
            let on = match kept {
                Some(kept) => kept,
                None => self.connect()?,
            };
            let mut response = match self.send(on, &ask, Some(body)) {
                Ok(response) => response,
                Err(Ended::Lost(_)) if old => continue,
                Err(other) => return Err(other),
            };
            let told = response.json()?;
            let status = response.status;
            let wait = response.headers.get("retry-after");
            let wait = wait.and_then(|text| text.parse().ok()).unwrap_or(1);
            self.posts = Some(response.body);
            match status {
                429 => std::thread::sleep(Duration::from_secs(wait)),
                401 | 403 => return Err(Ended::Refused(message(&told))),
                500.. => return Err(lost(format!("status {status}"))),
                _ => return Ok((status, told)),
            }
        }
    }

    /// Hears the stream until it breaks off; true when a practice game is over.
    fn listen(&mut self, wait: &mut Duration) -> Result<bool, Ended> {
        let mut stream = loop {
            let mut stream = self.send(self.connect()?, "GET /api/bot/stream", None)?;
            match stream.status {
                200 => break stream,
                401 | 403 => return Err(Ended::Refused(message(&stream.json()?))),
                429 => std::thread::sleep(Duration::from_secs(1)),
                other => return Err(lost(format!("status {other}"))),
            }
        };
        self.begin()?;
        let mut rest = Vec::new();
        while let Some(more) = stream.chunk()? {
            rest.extend(more);
            while let Some(end) = rest.iter().position(|&byte| byte == b'\n') {
                let line: Vec<u8> = rest.drain(..=end).collect();
                if line.iter().all(u8::is_ascii_whitespace) {
                    continue;
                }
                let line = serde_json::from_slice(&line).map_err(|why| lost(why.to_string()))?;
                *wait = Duration::from_millis(200);
                if self.hear(&line)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// What the command line asked for, once.
    fn begin(&mut self) -> Result<(), Ended> {
        if let Some(link) = self.door.join.clone() {
            let (status, told) = self.post("/api/bot/join", &json!({ "tournament": link }))?;
            if status >= 400 {
                return Err(Ended::Refused(message(&told)));
            }
            report(&format!("joined {}: {}", told["title"], told["page"]));
            self.door.join = None;
        }
        if let Some((game, opponent, seat)) = self.door.play.take() {
            let body = json!({"game": game, "opponent": opponent, "seat": seat});
            let (status, told) = self.post("/api/bot/play", &body)?;
            if status >= 400 {
                return Err(Ended::Refused(message(&told)));
            }
            self.practice = told["id"].as_str().map(str::to_owned);
        }
        Ok(())
    }

    /// Does what a line asks for; true when the practice game is over.
    fn hear(&mut self, line: &Value) -> Result<bool, Ended> {
        let Some(table) = line["table"].as_str().map(str::to_owned) else {
            return match line.get("error") {
                Some(error) => Err(Ended::Refused(message(error))),
                None => Ok(false),
            };
        };
        // The connection was lost; the bot of this table still knows its game.
        if line.get("hello").is_some() && self.tables.contains_key(&table) {
            return Ok(false);
        }
        let over = line.get("over").is_some();
        let mut seat = self.tables.remove(&table).unwrap_or_else(|| Seat {
            bot: self.bot.clone(),
            turn: None,
            reply: None,
        });
        let turn = line["id"].as_str().map(str::to_owned);
        if turn.is_none() || turn != seat.turn {
            seat.reply = answers(&mut seat.bot, line);
            seat.turn = turn;
        }
        let answered = self.give(&mut seat, line);
        if over {
            answered?;
            let done = self.practice.as_ref() == Some(&table);
            if done {
                let text = format!("{}, payoffs {}", line["why"], line["payoffs"]);
                writeln!(io::stdout(), "{text}")?;
            }
            return Ok(done);
        }
        self.tables.insert(table, seat);
        answered.map(|()| false)
    }

    /// Posts the answer of a table, and another one where the server refuses it and forgives.
    fn give(&mut self, seat: &mut Seat<B>, line: &Value) -> Result<(), Ended> {
        while let Some(reply) = seat.reply.clone() {
            let (status, told) = self.post("/api/bot/answer", &reply)?;
            if status >= 400 {
                report(&message(&told));
            }
            if status != 422 || reply.get("crash").is_some() {
                break;
            }
            seat.reply = answers(&mut seat.bot, line);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Answer, Turn};

    struct Broken;

    impl Bot for Broken {
        fn choose(&mut self, turn: &Turn) -> Answer {
            turn.legal[7].as_str().into()
        }
    }

    #[test]
    fn a_panic_is_told_to_the_author() {
        let line = json!({"id": "t-1", "legal": ["a1"]});
        let reply = answers(&mut Broken, &line).unwrap_or_default();
        assert_eq!(reply["turn"], "t-1");
        let why = reply["crash"].as_str().unwrap_or_default();
        assert!(why.contains("out of bounds"), "{reply}");
    }
}
