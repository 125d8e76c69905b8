//! Conversations as the store keeps them: what was said, on disk before it is answered. What a base
//! makes of it is worked out in a sandbox.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use maud::PreEscaped;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use wits_desk::Work;
use wits_expert::{Base, BaseError, History, Misfit, Moment, Reply, Said, Session, Turn};
use wits_sandbox::Items;
use wits_store::{Id, Store, Then, Which};

use super::shelf::{self, Script};
use super::{desk, refusal};
use crate::app::now;
use crate::keep::{TEXT, download};
use crate::pages::{frame, page};
use crate::routes::{Fields, answer, blocking, fields};
use crate::sandbox::Task;
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// What kind of session a conversation is in the store.
const KIND: &str = "dialogue";

/// A conversation as the store has it.
#[derive(Serialize, Deserialize)]
pub(super) struct Log {
    id: Id,
    /// The name of its base.
    name: String,
    /// How it began.
    first: Session,
    /// What was said since.
    moments: Vec<Moment>,
    /// The text of the base, if it is still there.
    script: Option<Script>,
    /// Whether the visitor may speak.
    mine: bool,
}

impl Log {
    /// Loads a conversation from the store.
    fn load(app: &App, id: &str, visitor: Visitor) -> Result<Log, Fault> {
        let store = &app.store;
        let id: Id = id.parse().map_err(|_| Fault::missing())?;
        let (session, events) = store.load(id, 0)?;
        if session.kind != KIND {
            return Err(Fault::missing());
        }
        let name = session.header["base"].as_str().unwrap_or_default();
        let first = serde_json::from_value(session.header["first"].clone());
        let moments = events.into_iter().map(|e| serde_json::from_value(e.body));
        let moments = moments.collect::<Result<Vec<Moment>, _>>();
        let script = match shelf::text(app, visitor, name) {
            Ok(text) => Some(text),
            Err(fault) if fault.code == "no-base" => None,
            Err(fault) => return Err(fault),
        };
        Ok(Log {
            id,
            name: name.to_owned(),
            first: first.map_err(|e| broken(e.to_string()))?,
            moments: moments.map_err(|e| broken(e.to_string()))?,
            script,
            mine: !store.seats(id, &visitor.text())?.is_empty(),
        })
    }
}

/// A conversation with its base, inside a sandbox.
pub(super) struct Talk {
    pub(super) id: Id,
    /// The name of its base.
    pub(super) name: String,
    pub(super) history: History,
    /// How many things were said, which is the number of the next one.
    pub(super) seq: u64,
    /// The base as it is now, if it can be used.
    pub(super) base: Result<Base, Unusable>,
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

impl From<Log> for Talk {
    fn from(log: Log) -> Talk {
        let seq = log.moments.len() as u64;
        let mut history = History::new(log.first);
        for moment in log.moments {
            history.recall(moment);
        }
        let base = match &log.script {
            Some(text) => Base::read(&log.name, &text.body).map_err(Unusable::Wrong),
            None => Err(Unusable::Gone(shelf::missing())),
        };
        Talk {
            id: log.id,
            name: log.name,
            history,
            seq,
            base,
            mine: log.mine,
        }
    }
}

impl Talk {
    /// The address of its page.
    pub(super) fn page(&self) -> String {
        format!("/expert/talk/{}", self.id)
    }

    fn base(self) -> Result<(Base, Session), Fault> {
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
            let title = session.header["title"].as_str();
            let base = title.or_else(|| session.header["base"].as_str());
            let base = base.unwrap_or_default();
            out.push((session.id, base.to_owned(), session.events));
        }
        if out.len() == 8 {
            break;
        }
    }
    Ok(out)
}

/// A conversation to begin, perhaps with what is said in one of the base's samples.
#[derive(Serialize, Deserialize)]
pub(super) struct Begin {
    script: Script,
    sample: Option<String>,
}

impl Task for Begin {
    const ROOM: &'static str = "expert";
    const VERB: &'static str = "begin";
    /// How it begins, and what is said.
    type Output = (Session, Vec<Value>);

    fn run(self, _: &mut Items, _: &mut Work<'_>) -> Result<(Session, Vec<Value>), Fault> {
        let base = Base::read(&self.script.name, &self.script.body);
        let base = base.map_err(|e| shelf::unusable(&e))?;
        let said = match &self.sample {
            Some(number) => sample(&base, number)?,
            None => Vec::new(),
        };
        Ok((Session::new(&base), said))
    }
}

/// `POST /expert/talk`: a new conversation about a base, or one of its samples to walk through.
pub(super) async fn begin(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Fault> {
    let work = async {
        let mut fields = fields(&headers, &body)?;
        let name = fields.remove("base").unwrap_or_else(|| "printer".into());
        let house = app.clone();
        let script = blocking(move || shelf::text(&house, visitor, &name)).await?;
        let (name, title) = (script.name.clone(), script.title.clone());
        let sample = fields.remove("sample");
        let begin = Begin { script, sample };
        let (first, said) = app.confined(visitor, begin).await?;
        blocking(move || {
            let id = Id::random()?;
            let header = json!({ "base": name, "title": title, "first": first });
            app.begin_session(visitor, id, KIND, &header)?;
            app.store.claim(id, 0, &visitor.text())?;
            if !said.is_empty() {
                app.store.append_all(id, 0, &said, Then::AsBefore, now())?;
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

/// What is wanted of a conversation.
#[derive(Serialize, Deserialize)]
enum Want {
    /// Its page: title and body.
    Page,
    /// How it stands, for scripts.
    State,
    /// What was said and advised, as a text to keep.
    Report,
    /// How the engine came to where it stands.
    Thread,
    /// What comes of saying something.
    Hear(Fields),
}

/// Something wanted of a conversation.
#[derive(Serialize, Deserialize)]
pub(super) struct Ask {
    log: Log,
    want: Want,
}

/// What came of it.
#[derive(Serialize, Deserialize)]
pub(super) enum Given {
    Page { title: String, body: String },
    State(Value),
    Text(String),
    Heard(Box<Heard>),
}

/// What comes of saying something.
#[derive(Serialize, Deserialize)]
pub(super) struct Heard {
    /// What was said, as it is kept.
    said: Value,
    /// What to keep; nothing for something that was said before.
    moment: Option<Moment>,
    /// Whether the problem is solved by it.
    solved: bool,
    /// How it stands then.
    state: Value,
}

impl Task for Ask {
    const ROOM: &'static str = "expert";
    const VERB: &'static str = "dialogue";
    type Output = Given;

    fn run(self, _: &mut Items, _: &mut Work<'_>) -> Result<Given, Fault> {
        let talk = Talk::from(self.log);
        Ok(match self.want {
            Want::Page => {
                let (title, body) = desk::body(&talk);
                let body = body.into_string();
                Given::Page { title, body }
            }
            Want::State => Given::State(talk.state()),
            Want::Report => {
                let (base, session) = talk.base()?;
                Given::Text(session.report(&base))
            }
            Want::Thread => Given::Text(talk.thread()?),
            Want::Hear(fields) => Given::Heard(Box::new(talk.hear(&fields)?)),
        })
    }
}

impl Talk {
    fn thread(self) -> Result<String, Fault> {
        let name = self.name.clone();
        let (base, session) = self.base()?;
        let turn = session.turn(&base).map_err(|m| refused(&m))?;
        let steps = session.steps(&base, &turn, wits_expert::STEPS);
        let steps = steps.map_err(|m| refused(&m))?.ok_or_else(Fault::missing)?;
        let thread = wits_expert::conversation((&base, &name), &session, &turn, &steps);
        Ok(thread.text())
    }

    fn hear(mut self, fields: &Fields) -> Result<Heard, Fault> {
        let said = said(fields, self.base.as_ref().ok())?;
        let kept = json!(said);
        if number(fields).is_some_and(|seq| seq < self.seq) {
            return Ok(Heard {
                said: kept,
                moment: None,
                solved: false,
                state: self.state(),
            });
        }
        let Ok(base) = &self.base else {
            return Err(self.base().err().unwrap_or_else(Fault::missing));
        };
        let moment = self.history.hear(base, said).map_err(|m| refused(&m))?;
        let solved = matches!(moment.session.turn(base), Ok(Turn::Solved(_)));
        self.history.recall(moment.clone());
        self.seq += 1;
        Ok(Heard {
            said: kept,
            moment: Some(moment),
            solved,
            state: self.state(),
        })
    }
}

/// The number of what a form says, if it has one.
fn number(fields: &Fields) -> Option<u64> {
    fields.get("seq").and_then(|seq| seq.parse().ok())
}

/// Loads a conversation and asks something of it.
async fn ask(app: &App, visitor: Visitor, id: &str, want: Want) -> Result<Given, Fault> {
    let (house, id) = (app.clone(), id.to_owned());
    let log = blocking(move || Log::load(&house, &id, visitor)).await?;
    app.confined(visitor, Ask { log, want }).await
}

/// `GET /expert/talk/ID`
pub(super) async fn show(
    State(app): State<App>,
    Path(id): Path<String>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let given = ask(&app, visitor, &id, Want::Page).await;
    let Given::Page { title, body } = given.map_err(|f| f.for_reader(&headers))? else {
        return Err(Fault::breakdown());
    };
    let scripts = ["thread.js", "expert.js"];
    Ok(page(visitor, frame(&title, &scripts, &PreEscaped(body))))
}

/// `GET /expert/talk/ID/state`
pub(super) async fn state(
    State(app): State<App>,
    Path(id): Path<String>,
    visitor: Visitor,
) -> Result<Response, Fault> {
    match ask(&app, visitor, &id, Want::State).await? {
        Given::State(value) => Ok(Json(value).into_response()),
        _ => Err(Fault::breakdown()),
    }
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
    Path(id): Path<String>,
    visitor: Visitor,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Fault> {
    let work = async {
        let fields = fields(&headers, &body)?;
        let seq = number(&fields);
        let (house, name) = (app.clone(), id.clone());
        let log = blocking(move || Log::load(&house, &name, visitor)).await?;
        if !log.mine {
            return Err(refusal(
                StatusCode::FORBIDDEN,
                "forbidden",
                "expert-not-yours",
                "expert-not-yours-hint",
            ));
        }
        let (talk, next) = (log.id, log.moments.len() as u64);
        let want = Want::Hear(fields);
        let Given::Heard(heard) = app.confined(visitor, Ask { log, want }).await? else {
            return Err(Fault::breakdown());
        };
        let store = app.store.clone();
        blocking(move || keep(&store, talk, next, seq, *heard)).await
    };
    let value = work.await.map_err(|f| f.for_reader(&headers))?;
    Ok(answer(
        &headers,
        visitor,
        &format!("/expert/talk/{id}"),
        value,
    ))
}

/// Keeps what was said, before it is answered.
fn keep(store: &Store, id: Id, next: u64, seq: Option<u64>, heard: Heard) -> Result<Value, Fault> {
    let Some(moment) = heard.moment else {
        // The same word again, as after a lost answer, is taken once.
        let stood = store.events(id, seq.unwrap_or(next))?.into_iter().next();
        let same = stood.is_some_and(|e| e.body["said"] == heard.said);
        return if same { Ok(heard.state) } else { Err(late()) };
    };
    let then = if heard.solved {
        Then::Finished
    } else {
        Then::Open
    };
    match store.append_all(id, next, &[json!(moment)], then, now()) {
        Err(wits_store::Error::Taken { .. }) => Err(late()),
        other => {
            other?;
            Ok(heard.state)
        }
    }
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
    Path(id): Path<String>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let given = ask(&app, visitor, &id, Want::Report).await;
    match given.map_err(|f| f.for_reader(&headers))? {
        Given::Text(text) => Ok(download(TEXT, "report.txt", text)),
        _ => Err(Fault::breakdown()),
    }
}

/// `GET /expert/talk/ID/thread`: how the engine came to where the conversation stands.
pub(super) async fn thread(
    State(app): State<App>,
    Path(id): Path<String>,
    visitor: Visitor,
) -> Result<Response, Fault> {
    match ask(&app, visitor, &id, Want::Thread).await? {
        Given::Text(text) => Ok(super::thread(text)),
        _ => Err(Fault::breakdown()),
    }
}
