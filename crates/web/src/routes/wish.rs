//! What most forms ask: something to be done with one thing, by whoever sent it.

use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Path, Request};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use serde_json::Value;

use super::games::{Fields, answer, fields};
use crate::visitor::Visitor;
use crate::{App, Fault};

/// A form sent to an address with one name in it, such as `/games/ID/undo`.
pub(crate) struct Wish {
    pub(crate) app: App,
    /// The name in the address.
    pub(crate) name: String,
    pub(crate) visitor: Visitor,
    pub(crate) headers: HeaderMap,
    body: Bytes,
}

impl Wish {
    /// What the form says.
    pub(crate) fn fields(&self) -> Result<Fields, Fault> {
        fields(&self.headers, &self.body)
    }

    /// The answer about a game: its page again, or JSON.
    pub(super) fn answer(&self, value: Result<Value, Fault>) -> Result<Response, Fault> {
        let value = value.map_err(|f| f.for_reader(&self.headers))?;
        let to = format!("/games/{}", self.name);
        Ok(answer(&self.headers, self.visitor, &to, value))
    }
}

impl FromRequest<App> for Wish {
    type Rejection = Response;

    async fn from_request(request: Request, app: &App) -> Result<Wish, Response> {
        let (mut parts, body) = request.into_parts();
        let Path(name) = Path::from_request_parts(&mut parts, app)
            .await
            .map_err(IntoResponse::into_response)?;
        let visitor = Visitor::from_request_parts(&mut parts, app)
            .await
            .map_err(IntoResponse::into_response)?;
        let headers = parts.headers.clone();
        let body = Bytes::from_request(Request::from_parts(parts, body), app)
            .await
            .map_err(IntoResponse::into_response)?;
        Ok(Wish {
            app: app.clone(),
            name,
            visitor,
            headers,
            body,
        })
    }
}
