//! Conversations as the store keeps them: what was said, on disk before it is answered.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Extension, Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use wits_expert::{Base, BaseError, History, Misfit, Moment, Reply, Said, Session, Turn};
use wits_store::{Id, Store, Then, Which};

use super::shelf::{self, Bases};
use super::{STEPS, refusal, think, threaded};
use crate::app::now;
use crate::keep::{TEXT, download};
use crate::routes::{Fields, answer, fields};
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// What kind of session a conversation is in the store.
const KIND: &str = "dialogue";

/// A conversation as it stands.
pub(super) struct Talk {
    pub(super) id: Id,
    /// The name of its base.
    pub(super) name: String,
    pub(super) history: History,
    /// How many things were said, which is the number of the next one.
    pub(super) seq: u64,
    /// The base as it is now, if it can be used.
    pub(super) base: Result<Arc<Base>, Unusable>,
    /// Whether the visitor may speak.
    pub(super) mine: bool,
}

/// Why there is no base to talk about.
pub(super) enum Unusable {
    /// It is not there any more.
    Gone(Fault),
    /// It cannot be read.
    Wrong(BaseError),
}

impl Unusable {
    pub(super) fn fault(self) -> Fault {
        match self {
            Unusable::Gone(fault) => fault,
            Unusable::Wrong(error) => shelf::unusable(&error),
        }
    }
}

fn broken(detail: impl Into<String>) -> Fault {
    Fault::new(
        StatusCode::INTERNAL_SERVER_ERROR,
        "broken-session",
        WORDS.say("expert-broken").with("detail", detail.into()),
        WORDS.say("broken-session-hint"),
    )
}

impl Talk {
    /// Loads a conversation from the store.
    pub(super) fn load(
        app: &App,
        bases: &Bases,
        id: &str,
        visitor: Visitor,
    ) -> Result<Talk, Fault> {
        let id: Id = id.parse().map_err(|_| Fault::missing())?;
        let (session, events) = app.store.load(id, 0)?;
        if session.kind != KIND {
            return Err(Fault::missing());
        }
        let name = session.header["base"].as_str().unwrap_or_default();
        let first: Session = serde_json::from_value(session.header["first"].clone())
            .map_err(|e| broken(e.to_string()))?;
        let mut history = History::new(first);
        let seq = session.events;
        for event in events {
            let moment: Moment =
                serde_json::from_value(event.body).map_err(|e| broken(e.to_string()))?;
            history.recall(moment);
        }
        let base = match shelf::text(&app.store, name) {
            Ok(text) => bases.read(name, &text.body).map_err(Unusable::Wrong),
            Err(fault) if fault.code == "no-base" => Err(Unusable::Gone(fault)),
            Err(fault) => return Err(fault),
        };
        Ok(Talk {
            id,
            name: name.to_owned(),
            history,
            seq,
            base,
            mine: !app.store.seats(id, &visitor.text())?.is_empty(),
        })
    }

    /// The address of its page.
    pub(super) fn page(&self) -> String {
        format!("/expert/talk/{}", self.id)
    }

    fn base(self) -> Result<(Arc<Base>, Session), Fault> {
        let session = self.history.now().clone();
        Ok((self.base.map_err(Unusable::fault)?, session))
    }

    fn state(&self) -> Value {
        let session = self.history.now();
        let turn = match &self.base {
            Ok(base) => match session.turn(base) {
                Ok(turn) => json!({ "turn": turn }),
                Err(misfit) => json!({ "turn": null, "wrong": misfit.says() }),
            },
            Err(Unusable::Gone(fault)) => json!({ "turn": null, "wrong": fault.message }),
            Err(Unusable::Wrong(error)) => json!({ "turn": null, "wrong": error.says() }),
        };
        let mut value = json!({
            "id": self.id, "page": self.page(), "base": self.name, "seq": self.seq,
            "session": session, "undo": self.history.can_undo(), "you": self.mine,
            "changed": self.base.as_ref().is_ok_and(|b| !session.fits(b)),
        });
        if let (Value::Object(all), Value::Object(more)) = (&mut value, turn) {
            all.extend(more);
        }
        value
    }
}

/// The unfinished conversations of a visitor, the last ones first: address, base, how much was said.
pub(super) fn recent(store: &Store, visitor: Visitor) -> Result<Vec<(Id, String, u64)>, Fault> {
    let which = Which {
        kind: Some(KIND),
        finished: Some(false),
    };
    let mut out = Vec::new();
    for session in store.recent(which, None, 50)? {
        if session.events > 0 && !store.seats(session.id, &visitor.text())?.is_empty() {
            let base = session.header["base"].as_str().unwrap_or_default();
            out.push((session.id, base.to_owned(), session.events));
        }
        if out.len() == 8 {
            break;
        }
    }
    Ok(out)
}

/// `POST /expert/talk`: a new conversation about a base, or one of its samples to walk through.
pub(super) async fn begin(
    State(app): State<App>,
    Extension(bases): Extension<Arc<Bases>>,
    visitor: Visitor,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Fault> {
    let work = async {
        let fields = fields(&headers, &body)?;
        let house = app.clone();
        think(&app, visitor, move |_| {
            let name = fields.get("base").map_or("printer", String::as_str);
            let text = shelf::text(&house.store, name)?;
            let base = bases.read(name, &text.body);
            let base = base.map_err(|e| shelf::unusable(&e))?;
            let first = Session::new(&base);
            let said = match fields.get("sample") {
                Some(number) => sample(&base, number)?,
                None => Vec::new(),
            };
            let id = Id::random()?;
            let header = json!({ "base": name, "first": first });
            house.store.create(id, KIND, &header, now())?;
            house.store.claim(id, 0, &visitor.text())?;
            if !said.is_empty() {
                house
                    .store
                    .append_all(id, 0, &said, Then::AsBefore, now())?;
            }
            Ok(id)
        })
        .await
    };
    let id = work.await.map_err(|f: Fault| f.for_reader(&headers))?;
    let page = format!("/expert/talk/{id}");
    Ok(answer(
        &headers,
        visitor,
        &page,
        json!({ "id": id, "page": page }),
    ))
}

/// What is said in a sample, as moments to keep.
fn sample(base: &Base, number: &str) -> Result<Vec<Value>, Fault> {
    let sample = number.parse().ok().and_then(|n: usize| base.samples.get(n));
    let sample = sample.ok_or_else(Fault::missing)?;
    let mut session = Session::new(base);
    let mut out = Vec::new();
    let mut keep = |said: Said, session: &Session| {
        let session = session.clone();
        out.push(json!(Moment { said, session }));
    };
    if base.problem(&sample.problem).is_none() {
        return Err(Fault::missing());
    }
    session.problem = Some(sample.problem.clone());
    keep(Said::Choose(sample.problem.clone()), &session);
    for (question, word) in &sample.answers {
        let Ok(reply) = base.read_reply(question, word) else {
            continue;
        };
        session.answers.push((question.clone(), reply.clone()));
        keep(Said::Reply(question.clone(), reply), &session);
    }
    Ok(out)
}

/// `GET /expert/talk/ID/state`
pub(super) async fn state(
    State(app): State<App>,
    Extension(bases): Extension<Arc<Bases>>,
    Path(id): Path<String>,
    visitor: Visitor,
) -> Result<Response, Fault> {
    let house = app.clone();
    let value = think(&app, visitor, move |_| {
        Ok(Talk::load(&house, &bases, &id, visitor)?.state())
    })
    .await?;
    Ok(Json(value).into_response())
}

/// What a form says; the base tells what an answer to its questions is.
fn said(fields: &Fields, base: Option<&Base>) -> Result<Said, Fault> {
    let text = |key: &str| fields.get(key).map_or("", |v| v.trim());
    let value = text("value");
    let word = || {
        Reply::read(value).ok_or_else(|| {
            let shown: String = value.chars().take(60).collect();
            let says = wits_expert::WORDS.say("not-a-reply").with("said", shown);
            misfit_fault("not-a-reply", says)
        })
    };
    let question = || text("question").to_owned();
    let reply = || match base {
        Some(base) => base
            .read_reply(text("question"), value)
            .map_err(|m| refused(&m)),
        None => word(),
    };
    Ok(match text("said") {
        "choose" => Said::Choose(value.to_owned()),
        "reply" => Said::Reply(question(), reply()?),
        "judge" => match word()? {
            Reply::Yes => Said::Judge(true),
            Reply::No => Said::Judge(false),
            _ => {
                let says = wits_expert::WORDS.say("talk-not-judge");
                return Err(misfit_fault("not-a-reply", says));
            }
        },
        "change" => Said::Change(question(), reply()?),
        "reopen" => Said::Reopen,
        "undo" => Said::Undo,
        "restart" => Said::Restart,
        "replay" => Said::Replay,
        other => {
            let shown: String = other.chars().take(60).collect();
            return Err(Fault::unreadable(
                WORDS.say("expert-cannot-say").with("said", shown),
            ));
        }
    })
}

fn misfit_fault(code: &'static str, says: wits_game::Message) -> Fault {
    let hint = WORDS.say("expert-misfit-hint");
    Fault::new(StatusCode::UNPROCESSABLE_ENTITY, code, says, hint)
}

fn refused(misfit: &Misfit) -> Fault {
    let code = match misfit {
        Misfit::BaseChanged => "base-changed",
        Misfit::NotInMenu(..) => "not-in-menu",
        Misfit::NothingToUndo => "nothing-to-undo",
        Misfit::OtherQuestion(..) => "other-question",
        Misfit::NotYesNo(_)
        | Misfit::NotAnOption(..)
        | Misfit::NotANumber(..)
        | Misfit::MustKnow(_) => "not-a-reply",
        _ => "misfit",
    };
    misfit_fault(code, misfit.says())
}

/// `POST /expert/talk/ID/say`
pub(super) async fn hear(
    State(app): State<App>,
    Extension(bases): Extension<Arc<Bases>>,
    Path(id): Path<String>,
    visitor: Visitor,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Fault> {
    let work = async {
        let fields = fields(&headers, &body)?;
        let (house, id) = (app.clone(), id.clone());
        think(&app, visitor, move |_| {
            let mut talk = Talk::load(&house, &bases, &id, visitor)?;
            let said = said(&fields, talk.base.as_deref().ok())?;
            if !talk.mine {
                return Err(refusal(
                    StatusCode::FORBIDDEN,
                    "forbidden",
                    "expert-not-yours",
                    "expert-not-yours-hint",
                ));
            }
            let seq = fields.get("seq").and_then(|s| s.parse::<u64>().ok());
            if let Some(seq) = seq.filter(|seq| *seq < talk.seq) {
                // The same word again, as after a lost answer, is taken once.
                let stood = house.store.events(talk.id, seq)?.into_iter().next();
                let same = stood.is_some_and(|e| e.body["said"] == json!(said));
                return if same { Ok(talk.state()) } else { Err(late()) };
            }
            let base = match &talk.base {
                Ok(base) => Arc::clone(base),
                Err(_) => return Err(talk.base().err().unwrap_or_else(Fault::missing)),
            };
            let moment = talk.history.hear(&base, said).map_err(|m| refused(&m))?;
            let then = match moment.session.turn(&base) {
                Ok(Turn::Solved(_)) => Then::Finished,
                _ => Then::Open,
            };
            let kept = house
                .store
                .append_all(talk.id, talk.seq, &[json!(moment)], then, now());
            match kept {
                Err(wits_store::Error::Taken { .. }) => return Err(late()),
                other => other?,
            }
            talk.history.recall(moment);
            talk.seq += 1;
            Ok(talk.state())
        })
        .await
    };
    let value = work.await.map_err(|f| f.for_reader(&headers))?;
    Ok(answer(
        &headers,
        visitor,
        &format!("/expert/talk/{id}"),
        value,
    ))
}

fn late() -> Fault {
    refusal(
        StatusCode::CONFLICT,
        "late",
        "expert-late",
        "expert-late-hint",
    )
}

/// `GET /expert/talk/ID/report`
pub(super) async fn report(
    State(app): State<App>,
    Extension(bases): Extension<Arc<Bases>>,
    Path(id): Path<String>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let house = app.clone();
    let work = think(&app, visitor, move |_| {
        let talk = Talk::load(&house, &bases, &id, visitor)?;
        let name = format!("{}-report.txt", talk.name);
        let (base, session) = talk.base()?;
        Ok((name, session.report(&base)))
    });
    let (name, text) = work.await.map_err(|f| f.for_reader(&headers))?;
    Ok(download(TEXT, &name, text))
}

/// `GET /expert/talk/ID/thread`: how the engine came to where the conversation stands.
pub(super) async fn thread(
    State(app): State<App>,
    Extension(bases): Extension<Arc<Bases>>,
    Path(id): Path<String>,
    visitor: Visitor,
) -> Result<Response, Fault> {
    let house = app.clone();
    think(&app, visitor, move |_| {
        let talk = Talk::load(&house, &bases, &id, visitor)?;
        let name = talk.name.clone();
        let (base, session) = talk.base()?;
        let turn = session.turn(&base).map_err(|m| refused(&m))?;
        let steps = session.steps(&base, &turn, STEPS);
        let steps = steps.map_err(|m| refused(&m))?.ok_or_else(Fault::missing)?;
        let result = match &turn {
            Turn::Advice { advice, .. } => advice.name.clone(),
            Turn::Question { text, .. } => text.clone(),
            _ => String::new(),
        };
        Ok(threaded(&name, &steps.goal, &steps.events, &result))
    })
    .await
}
