//! Bytes on the wire, as no browser would send them.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// A connection whose reads wait a minute at most.
pub(crate) fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect_timeout(&address, Duration::from_secs(20)).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_mins(1)))
        .unwrap();
    stream
}

/// The head of a request from our own page.
pub(crate) fn head(address: SocketAddr, line: &str, more: &str) -> String {
    format!("{line} HTTP/1.1\r\nhost: {address}\r\norigin: http://{address}\r\n{more}\r\n")
}

/// Everything that comes until the other side hangs up.
pub(crate) fn rest(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Sends bytes and reads the answer until the other side hangs up.
pub(crate) fn say(address: SocketAddr, bytes: &[u8]) -> String {
    let mut stream = connect(address);
    // Who refuses early may hang up before it has read all: the answer still counts.
    let _ = stream.write_all(bytes);
    rest(&mut stream)
}

/// The status of an answer; nothing if there was none.
pub(crate) fn status(answer: &str) -> Option<u16> {
    answer.split(' ').nth(1)?.parse().ok()
}
