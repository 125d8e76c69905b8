//! What went wrong with a request: a status, a sentence, and what to do next.

use std::borrow::Cow;

use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;
use wits_game::{Arg, Illegal, Message};
use wits_play::Refusal;

use crate::log::Code;
use crate::told::told;
use crate::{WORDS, pages};

/// Marks an answer in whose place the page that offers to run something is to be sent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OfferToRun;

/// A request that could not be answered as asked. It changed nothing.
#[derive(Clone, Debug)]
pub struct Fault {
    /// The status.
    pub status: StatusCode,
    /// A short word for scripts.
    pub code: Cow<'static, str>,
    /// What is wrong.
    pub message: Message,
    /// What to do next.
    pub hint: Message,
    /// Whether the asker reads pages or JSON.
    pub page: bool,
}

impl Fault {
    /// A fault whose sentences are keys `KEY` and `KEY-hint` of the pages' book.
    pub fn new(
        status: StatusCode,
        code: impl Into<Cow<'static, str>>,
        message: Message,
        hint: Message,
    ) -> Fault {
        Fault {
            status,
            code: code.into(),
            message,
            hint,
            page: false,
        }
    }

    /// Nothing by that name.
    pub fn missing() -> Fault {
        Fault::new(
            StatusCode::NOT_FOUND,
            "missing",
            WORDS.say("missing"),
            WORDS.say("missing-hint"),
        )
    }

    /// Not yours.
    pub fn forbidden() -> Fault {
        Fault::new(
            StatusCode::FORBIDDEN,
            "forbidden",
            WORDS.say("forbidden"),
            WORDS.say("forbidden-hint"),
        )
    }

    /// Work that only a visitor who was here before may start, see [`Visitor::may_compute`].
    pub fn run() -> Fault {
        Fault::new(
            StatusCode::FORBIDDEN,
            "run",
            WORDS.say("run"),
            WORDS.say("run-hint"),
        )
    }

    /// Something of ours gave way while it was at work.
    pub fn breakdown() -> Fault {
        Fault::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "breakdown",
            WORDS.say("breakdown"),
            WORDS.say("breakdown-hint"),
        )
    }

    /// What was sent cannot be read.
    pub fn unreadable(detail: impl Into<Arg>) -> Fault {
        let message = WORDS.say("unreadable").with("detail", detail);
        Fault::new(
            StatusCode::BAD_REQUEST,
            "unreadable",
            message,
            WORDS.say("unreadable-hint"),
        )
    }

    /// The same fault for somebody who reads pages, if the headers say so.
    pub fn for_reader(mut self, headers: &HeaderMap) -> Fault {
        self.page = reads_pages(headers);
        self
    }
}

/// Whether the asker is a browser that follows links and sends forms.
pub(crate) fn reads_pages(headers: &HeaderMap) -> bool {
    headers
        .get(header::ACCEPT)
        .and_then(|v| v.to_str().ok())
        .is_some_and(|accept| accept.contains("text/html"))
}

impl From<Illegal> for Fault {
    fn from(illegal: Illegal) -> Fault {
        Fault::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "illegal",
            illegal.why().clone(),
            WORDS.say("illegal-hint"),
        )
    }
}

impl From<Refusal> for Fault {
    fn from(error: Refusal) -> Fault {
        Fault::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            error.code,
            Message::plain(told(error.why)),
            error.hint,
        )
    }
}

impl From<wits_store::Error> for Fault {
    fn from(error: wits_store::Error) -> Fault {
        use wits_store::Error::{Gap, Missing, Taken};
        let status = match &error {
            Missing { .. } => return Fault::missing(),
            Taken { .. } | Gap { .. } => StatusCode::CONFLICT,
            error if error.is_temporary() => StatusCode::SERVICE_UNAVAILABLE,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        let message = WORDS.say("store").with("detail", told(error));
        Fault::new(status, "store", message, WORDS.say("store-hint"))
    }
}

impl IntoResponse for Fault {
    fn into_response(self) -> Response {
        if self.page && self.code == "run" {
            // The guard knows the address, and puts the page in place of this.
            let mut response = StatusCode::OK.into_response();
            response.extensions_mut().insert(OfferToRun);
            return response;
        }
        let mut response = if self.page {
            (self.status, pages::fault(&self)).into_response()
        } else {
            let body =
                json!({"error": {"code": self.code, "message": self.message, "hint": self.hint}});
            (self.status, axum::Json(body)).into_response()
        };
        response.extensions_mut().insert(Code(self.code));
        response
    }
}
