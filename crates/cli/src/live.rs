//! `wits serve --timetable FILE --realtime FILE|URL`: the operator's timetable, with its trips as they
//! run.
//!
//! A URL is fetched by the server itself, so it is only ever the operator's: no visitor can name one.
//! It is plain HTTP; where a feed is published with TLS, a program such as `curl` on a timer writes the
//! file that is named here.

use std::io::{Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use wits_transit::realtime::{self, Realtime};
use wits_transit::{Projection, Timetable, read_feed};
use wits_web::App;

use crate::problem::Problem;

/// How often the realtime feed is read anew.
const EVERY: Duration = Duration::from_secs(30);
/// How long a server may take to answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// Shows the operator's timetable, and keeps it up to date while the server runs. The first reading
/// must succeed; later ones that fail are said and tried again.
pub(crate) fn show(app: &App, timetable: &Path, live: Option<&str>) -> Result<()> {
    let bytes = std::fs::read(timetable).map_err(|e| Problem::file(timetable, &e))?;
    let title = timetable.file_stem().unwrap_or_default().to_string_lossy();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let (table, _) = read_feed(&bytes, &title, Projection::default(), cores).map_err(|e| {
        Problem::new(
            "bad-feed",
            e.to_string(),
            "`wits transit check FILE` says more",
        )
    })?;
    let table = Arc::new(table);
    let Some(live) = live.map(str::to_owned) else {
        app.show_timetable(table, Realtime::default());
        return Ok(());
    };
    let hint = "give a file, or a URL that begins with http://";
    let first = read(&live, &table).map_err(|why| Problem::new("bad-realtime", why, hint))?;
    app.show_timetable(Arc::clone(&table), first);
    let app = app.clone();
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(EVERY);
            match read(&live, &table) {
                Ok(known) => app.show_timetable(Arc::clone(&table), known),
                Err(why) => crate::serve::warn(&format!("the realtime feed was not read: {why}")),
            }
        }
    });
    Ok(())
}

/// Reads a realtime feed of a timetable from a file or a URL.
fn read(source: &str, table: &Timetable) -> Result<Realtime, String> {
    let bytes = match source.strip_prefix("http://") {
        Some(rest) => fetch(rest)?,
        None if source.contains("://") => {
            let why =
                "only http:// is spoken here; let a program such as curl fetch it into a file";
            return Err(format!("`{source}`: {why}"));
        }
        None => std::fs::read(source).map_err(|e| format!("`{source}`: {e}"))?,
    };
    realtime::read(&bytes, table).map_err(|e| format!("`{source}`: {e}"))
}

/// The body at an address, by the simplest request that every server answers in one piece.
fn fetch(rest: &str) -> Result<Vec<u8>, String> {
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let named = if host.contains(':') {
        host.to_owned()
    } else {
        format!("{host}:80")
    };
    let failed = |e: std::io::Error| format!("`{host}`: {e}");
    let address = named.to_socket_addrs().map_err(failed)?.next();
    let address = address.ok_or_else(|| format!("`{host}` has no address"))?;
    let mut stream = TcpStream::connect_timeout(&address, PATIENCE).map_err(failed)?;
    stream.set_read_timeout(Some(PATIENCE)).map_err(failed)?;
    stream.set_write_timeout(Some(PATIENCE)).map_err(failed)?;
    let request = format!("GET /{path} HTTP/1.0\r\nHost: {host}\r\nAccept: */*\r\n\r\n");
    stream.write_all(request.as_bytes()).map_err(failed)?;
    let mut reply = Vec::new();
    let most = realtime::LARGEST as u64 + 65_536;
    stream.take(most).read_to_end(&mut reply).map_err(failed)?;
    let end = reply.windows(4).position(|w| w == b"\r\n\r\n");
    let end = end.ok_or_else(|| format!("`{host}` did not answer as a web server does"))?;
    let head = String::from_utf8_lossy(&reply[..end]).into_owned();
    let status = head.split_whitespace().nth(1).unwrap_or_default();
    if status != "200" {
        return Err(format!("`{host}` answered {status}"));
    }
    Ok(reply.split_off(end + 4))
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    /// A server on this machine that answers once.
    fn answering(reply: &'static [u8]) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut asked = [0; 512];
            let _ = stream.read(&mut asked);
            let _ = stream.write_all(reply);
        });
        format!("http://{address}/trips.pb")
    }

    #[test]
    fn a_feed_is_fetched_from_a_url_of_the_operator() {
        let table = wits_transit::generate(&wits_transit::CityPlan {
            size: 0.02,
            ..Default::default()
        });
        // A header with version 2.0, and nothing to say.
        let url = answering(b"HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n\x0a\x05\x0a\x032.0");
        let known = read(&url, &table).unwrap();
        assert_eq!(known.runs.len() + known.alerts.len(), 0);
        let url = answering(b"HTTP/1.1 404 Not Found\r\n\r\n");
        assert!(read(&url, &table).unwrap_err().contains("404"));
        let refused = read("https://example.org/trips.pb", &table).unwrap_err();
        assert!(refused.contains("curl"), "{refused}");
        assert!(
            read("/nowhere/trips.pb", &table)
                .unwrap_err()
                .contains("nowhere")
        );
    }
}
