//! Files to keep: what a page offers under its own name.

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
pub(crate) use wits_game::csv_line;

/// A table of numbers.
pub(crate) const CSV: &str = "text/csv; charset=utf-8";
/// One object.
pub(crate) const JSON: &str = "application/json";
/// An object on each line.
pub(crate) const LINES: &str = "application/jsonl; charset=utf-8";
/// A drawing.
pub(crate) const SVG: &str = "image/svg+xml";
/// Words.
pub(crate) const TEXT: &str = "text/plain; charset=utf-8";

/// A file that the browser keeps instead of showing it.
pub(crate) fn download(kind: &'static str, name: &str, text: impl Into<String>) -> Response {
    let kind = (header::CONTENT_TYPE, HeaderValue::from_static(kind));
    let head = (header::CONTENT_DISPOSITION, attachment(name));
    ([kind, head], text.into()).into_response()
}

/// The header that gives a file its name.
pub(crate) fn attachment(name: &str) -> HeaderValue {
    let safe: String = name
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || ".-_".contains(c) {
                c
            } else {
                '-'
            }
        })
        .collect();
    let head = format!("attachment; filename=\"{safe}\"");
    HeaderValue::try_from(head).unwrap_or(HeaderValue::from_static("attachment"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_break_out_of_its_header() {
        let answer = download(TEXT, "a\"; x=\r\nb.txt", "");
        let head = &answer.headers()[header::CONTENT_DISPOSITION];
        assert_eq!(head, "attachment; filename=\"a---x---b.txt\"");
    }
}
