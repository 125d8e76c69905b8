//! Bodies larger than a form: each is in memory while it is received and checked, so that a few are taken
//! at a time. The others wait unread, and whoever has brought least lately comes first.

use std::sync::Arc;

use axum::extract::{DefaultBodyLimit, Request};
use axum::http::header;
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use axum::routing::MethodRouter;

use crate::sandbox::Turns;
use crate::visitor::Visitor;
use crate::{App, Fault};

/// What is received without a turn: as much as any form.
const SMALL: usize = 256 << 10;

/// Whose body may be received now; the guard puts it beside every request.
#[derive(Clone)]
pub(crate) struct Receiving(pub(crate) Arc<Turns>);

/// The most bytes of a body, where an address takes another number than the rest.
#[derive(Clone, Copy)]
pub(crate) struct BodyLimit(pub(crate) usize);

/// The same methods with a limit of their own for the body, which a refusal names.
pub(crate) fn taking(methods: MethodRouter<App>, most: usize) -> MethodRouter<App> {
    methods.layer(DefaultBodyLimit::max(most)).layer(from_fn(
        move |request: Request, next: Next| async move {
            let mut response = match receive(most, request, next).await {
                Ok(response) => response,
                Err(full) => full.into_response(),
            };
            response.extensions_mut().insert(BodyLimit(most));
            response
        },
    ))
}

/// Goes on when there is room for the body.
async fn receive(most: usize, request: Request, next: Next) -> Result<Response, Fault> {
    let declared = request.headers().get(header::CONTENT_LENGTH);
    let declared = declared.and_then(|length| length.to_str().ok()?.parse().ok());
    let size = declared.map_or(most, |length: usize| length.min(most));
    let beside = request.extensions();
    let who = (beside.get::<Receiving>(), beside.get::<Visitor>());
    let turn = match who {
        (Some(Receiving(turns)), Some(visitor)) if size > SMALL => {
            let turns = Arc::clone(turns);
            let account = visitor.account();
            Some(turns.take(account, size as u64).await?)
        }
        _ => None,
    };
    let response = next.run(request).await;
    drop(turn);
    Ok(response)
}
