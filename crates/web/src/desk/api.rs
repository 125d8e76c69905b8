//! Verbs for scripts: an object of parameters in, the object that `--json` prints out.

use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use wits_desk::ParamKind;

use super::MOST_BYTES;
use super::ask::Question;
use crate::guard::too_large;
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// `POST /api/ROOM/VERB`
pub(super) async fn answer(
    State(app): State<App>,
    Path((room, verb)): Path<(String, String)>,
    visitor: Visitor,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, Fault> {
    let body = body.map_err(|_| too_large(MOST_BYTES))?;
    let mut question = Question::to(&room, &verb, Vec::new())?;
    let read: Value =
        serde_json::from_slice(&body).map_err(|e| Fault::unreadable(e.to_string()))?;
    let Value::Object(object) = read else {
        return Err(Fault::unreadable(WORDS.say("api-object")));
    };
    for (name, value) in object {
        match value {
            Value::Null => {}
            Value::Array(list) => {
                for value in list {
                    put(&mut question, &name, value)?;
                }
            }
            value => put(&mut question, &name, value)?,
        }
    }
    let answer = question.ask(&app, visitor).await?;
    Ok(Json(&answer.data).into_response())
}

/// Takes one value as a verb takes it: text, numbers and flags as text, files beside it.
fn put(question: &mut Question, name: &str, value: Value) -> Result<(), Fault> {
    let kind = question.verb.param(name).map(|param| &param.kind);
    if kind.is_some_and(ParamKind::is_place) {
        // A script keeps the answer itself; a path of the server is nobody's business.
        return Err(Fault::unreadable(
            WORDS.say("api-output").with("name", name.to_owned()),
        ));
    }
    let text = match value {
        Value::String(text) => text,
        Value::Number(number) => number.to_string(),
        Value::Bool(flag) => flag.to_string(),
        Value::Object(file) if kind == Some(&ParamKind::File) => {
            let bytes = match (file.get("text"), file.get("base64")) {
                (Some(Value::String(text)), None) => Some(text.clone().into_bytes()),
                (None, Some(Value::String(text))) => STANDARD.decode(text).ok(),
                _ => None,
            };
            let wrong = || Fault::unreadable(WORDS.say("api-file").with("name", name.to_owned()));
            let own = format!("{name}-{}", question.items.len());
            question.items.insert(own.clone(), bytes.ok_or_else(wrong)?);
            own
        }
        _ => {
            return Err(Fault::unreadable(
                WORDS.say("api-value").with("name", name.to_owned()),
            ));
        }
    };
    question.pairs.push((name.to_owned(), text));
    Ok(())
}
