//! Scripts, styles and pictures, embedded in the program.

use axum::extract::Path;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use wits_play::Shelf;

use crate::Fault;

/// Every file of `assets/`, by name; the build script lists them.
pub(crate) const FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// `GET /assets/NAME`: kept by the browser as long as the bytes are the same.
pub(crate) async fn serve(Path(name): Path<String>, headers: HeaderMap) -> Result<Response, Fault> {
    let (_, bytes) = FILES
        .iter()
        .find(|(file, _)| *file == name)
        .ok_or_else(Fault::missing)?;
    let tag = format!("\"{}\"", Shelf::hash(bytes));
    let kept = headers
        .get(header::IF_NONE_MATCH)
        .is_some_and(|v| v.as_bytes() == tag.as_bytes());
    let kind = match name.rsplit_once('.').map(|(_, end)| end) {
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    };
    let head = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (header::ETAG, tag),
        (header::CACHE_CONTROL, "no-cache".to_owned()),
    ];
    if kept {
        return Ok((StatusCode::NOT_MODIFIED, head).into_response());
    }
    Ok((head, *bytes).into_response())
}
