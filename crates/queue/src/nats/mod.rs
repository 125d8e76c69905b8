//! The queue through a NATS server with `JetStream`.
//!
//! - `streams`: where jobs and results lie on the server;
//! - `files`: what players need besides;
//! - `call`: roll calls and orders, plain messages that nobody stores.
//!
//! Everything here may be called while the server is away: it fails with a temporary error, and works
//! again when the server is back, even if the server has forgotten everything.

mod call;
mod files;
mod streams;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::context::PublishErrorKind;
use async_nats::jetstream::message::{Acker, PublishMessage};
use async_nats::jetstream::{self, AckKind, Message};
use async_nats::{Client, ConnectOptions, ServerAddr};
use futures_util::StreamExt;
use futures_util::future::join_all;
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;

use crate::parcel::{Held, Hold, Parcel, Waiting};
use crate::{QueueError, delay};

type Result<T> = std::result::Result<T, QueueError>;

/// Who holds a job says so this often; see [`streams::HOLD`].
const STILL_HERE: Duration = Duration::from_secs(1);

/// How long the server may take for an answer.
const ANSWER: Duration = Duration::from_secs(4);

/// So many jobs are sent before their receipts are awaited.
const AT_ONCE: usize = 256;

/// A queue at a NATS server.
pub struct Nats {
    url: String,
    client: Client,
    context: jetstream::Context,
    /// What is known to be on the server; forgotten whenever something fails.
    known: Mutex<Known>,
    /// What this process holds and must say so.
    held: Arc<Mutex<Vec<Weak<Acker>>>>,
    runtime: Runtime,
}

#[derive(Default)]
struct Known {
    jobs: Option<PullConsumer>,
    results: BTreeMap<String, PullConsumer>,
}

/// An address as it may be shown.
fn without_password(url: &str) -> String {
    match (url.split_once("://"), url.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, host))) => format!("{scheme}://{host}"),
        (None, Some((_, host))) => host.to_owned(),
        _ => url.to_owned(),
    }
}

impl Nats {
    /// Connects, trying for so long, and makes the streams if they are not there.
    pub(crate) fn open(url: &str, patience: Duration, salt: u64) -> Result<Nats> {
        let shown = without_password(url);
        let address: ServerAddr = url.parse().map_err(|e: std::io::Error| {
            let (url, detail) = (shown.clone(), e.to_string());
            QueueError::Address { url, detail }
        })?;
        let away = |detail: String| QueueError::Away {
            url: shown.clone(),
            detail,
        };
        let runtime = Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name("nats")
            .enable_all()
            .build()
            .map_err(|e| away(e.to_string()))?;
        let last = Mutex::new("it does not answer".to_owned());
        let connect = async {
            let mut failed = 0;
            loop {
                match options(&address, salt).connect(address.clone()).await {
                    Ok(client) => return client,
                    Err(error) => {
                        failed += 1;
                        tokio::time::sleep(delay(failed, salt)).await;
                        // The caller reads it when patience ends.
                        *last.lock().unwrap_or_else(PoisonError::into_inner) = error.to_string();
                    }
                }
            }
        };
        let client = runtime
            .block_on(async { timeout(patience, connect).await })
            .map_err(|_| away(last.lock().unwrap_or_else(PoisonError::into_inner).clone()))?;
        // The client starts a task of its own here.
        let inside = runtime.enter();
        let context = jetstream::ContextBuilder::new()
            .timeout(ANSWER)
            .build(client.clone());
        drop(inside);
        let held: Arc<Mutex<Vec<Weak<Acker>>>> = Arc::default();
        runtime.spawn(say_still_here(Arc::clone(&held)));
        let nats = Nats {
            url: shown,
            client,
            context,
            known: Mutex::default(),
            held,
            runtime,
        };
        nats.runtime.block_on(nats.prepare(patience))?;
        Ok(nats)
    }

    /// Makes the streams, trying for so long: a server that has just started needs a moment.
    async fn prepare(&self, patience: Duration) -> Result<()> {
        let mut failed = 0;
        let trying = async {
            loop {
                match self.jobs().await {
                    Ok(_) => return,
                    Err(_) => failed += 1,
                }
                tokio::time::sleep(delay(failed, 0)).await;
            }
        };
        if timeout(patience.max(ANSWER), trying).await.is_ok() {
            return Ok(());
        }
        match self.jobs().await {
            Ok(_) => Ok(()),
            Err(QueueError::Away { detail, url }) if detail.contains("jetstream unavailable") => {
                Err(QueueError::NoStreams { url })
            }
            Err(error) => Err(error),
        }
    }

    /// Something failed: nothing on the server is taken for granted any more.
    #[expect(clippy::needless_pass_by_value, reason = "handed to `map_err`")]
    fn away(&self, error: impl ToString) -> QueueError {
        *self.known() = Known::default();
        QueueError::Away {
            url: self.url.clone(),
            detail: error.to_string(),
        }
    }

    fn known(&self) -> std::sync::MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something on the threads of the client, and waits for it.
    fn wait<T>(&self, work: impl Future<Output = Result<T>>) -> Result<T> {
        self.runtime.block_on(work)
    }

    /// The consumer that hands out jobs.
    async fn jobs(&self) -> Result<PullConsumer> {
        if let Some(found) = self.known().jobs.clone() {
            return Ok(found);
        }
        let made = streams::jobs(&self.context).await;
        let made = made.map_err(|e| self.away(e))?;
        self.known().jobs = Some(made.clone());
        Ok(made)
    }

    /// The consumer that hands out the results of a run.
    async fn results_of(&self, run: &str) -> Result<PullConsumer> {
        if let Some(found) = self.known().results.get(run).cloned() {
            return Ok(found);
        }
        let made = streams::results(&self.context, run).await;
        let made = made.map_err(|e| self.away(e))?;
        self.known().results.insert(run.to_owned(), made.clone());
        Ok(made)
    }

    /// Publishes unless the same is there already, and says whether it was new.
    async fn put(&self, subject: String, body: &[u8]) -> Result<bool> {
        let message = PublishMessage::build()
            .payload(body.to_vec().into())
            .expected_last_subject_sequence(0);
        let sent = match self.context.send_publish(subject, message).await {
            Ok(receipt) => receipt.await,
            Err(error) => Err(error),
        };
        match sent {
            Ok(_) => Ok(true),
            Err(error) => match error.kind() {
                PublishErrorKind::WrongLastSequence => Ok(false),
                PublishErrorKind::MaxPayloadExceeded => {
                    Err(QueueError::TooLarge { bytes: body.len() })
                }
                _ => Err(self.away(error)),
            },
        }
    }

    pub(crate) fn send(&self, jobs: &[Parcel]) -> Result<usize> {
        self.wait(async {
            self.jobs().await?;
            let mut new = 0;
            for some in jobs.chunks(AT_ONCE) {
                let puts = some
                    .iter()
                    .map(|job| self.put(streams::job(&job.run, &job.job), &job.body));
                for put in join_all(puts).await {
                    new += usize::from(put?);
                }
            }
            Ok(new)
        })
    }

    /// A message in hand, if it is one of ours.
    fn hold(&self, message: Message) -> Option<Held> {
        let (message, acker) = message.split();
        let (run, job) = streams::names(&message.subject)?;
        let acker = Arc::new(acker);
        self.held
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(Arc::downgrade(&acker));
        Some(Held {
            parcel: Parcel {
                run,
                job,
                body: message.payload.to_vec(),
            },
            hold: Hold::Nats(acker),
        })
    }

    /// Asks a consumer for messages: those that are there, or else the next within `wait`.
    async fn pull(&self, from: &PullConsumer, wait: Duration, most: usize) -> Result<Vec<Held>> {
        let mut found = Vec::new();
        if most > 1 {
            let ready = from.fetch().max_messages(most).messages().await;
            let mut ready = ready.map_err(|e| self.away(e))?;
            while let Ok(Some(message)) = timeout(ANSWER, ready.next()).await {
                found.extend(self.hold(message.map_err(|e| self.away(e))?));
            }
            if !found.is_empty() {
                return Ok(found);
            }
        }
        let asked = from.batch().max_messages(1).expires(wait).messages().await;
        let mut next = asked.map_err(|e| self.away(e))?;
        match timeout(wait + STILL_HERE, next.next()).await {
            Ok(Some(message)) => found.extend(self.hold(message.map_err(|e| self.away(e))?)),
            Ok(None) => {}
            // The server did not even say that there is nothing.
            Err(_) => return Err(self.away("it does not answer")),
        }
        Ok(found)
    }

    pub(crate) fn take(&self, wait: Duration) -> Result<Option<Held>> {
        self.wait(async {
            let jobs = self.jobs().await?;
            Ok(self.pull(&jobs, wait, 1).await?.pop())
        })
    }

    pub(crate) fn finish(&self, held: &Held, result: &Parcel) -> Result<()> {
        self.wait(async {
            self.jobs().await?;
            let subject = streams::result(&result.run, &result.job);
            self.put(subject, &result.body).await?;
            self.answer(held, AckKind::Ack).await
        })
    }

    pub(crate) fn give_back(&self, held: &Held) -> Result<()> {
        self.wait(self.answer(held, AckKind::Nak(None)))
    }

    async fn answer(&self, held: &Held, kind: AckKind) -> Result<()> {
        let Hold::Nats(acker) = &held.hold else {
            return Ok(());
        };
        acker.ack_with(kind).await.map_err(|e| self.away(e))
    }

    pub(crate) fn results(&self, run: &str, wait: Duration, most: usize) -> Result<Vec<Held>> {
        self.wait(async {
            let results = self.results_of(run).await?;
            self.pull(&results, wait, most).await
        })
    }

    /// Asks for results anew from now on.
    pub(crate) fn renew(&self, run: &str) {
        self.known().results.remove(run);
    }

    pub(crate) fn settle(&self, results: &[Held]) -> Result<()> {
        self.wait(async {
            for held in results {
                self.answer(held, AckKind::Ack).await?;
            }
            Ok(())
        })
    }

    pub(crate) fn withdraw(&self, run: &str, results: bool) -> Result<()> {
        self.wait(async {
            let gone = streams::withdraw(&self.context, run, results).await;
            self.known().results.remove(run);
            gone.map_err(|e| self.away(e))
        })
    }

    pub(crate) fn waiting(&self) -> Result<Waiting> {
        self.wait(async {
            let mut jobs = self.jobs().await?;
            let info = jobs.info().await.map_err(|e| self.away(e))?;
            let (waiting, taken) = (info.num_pending, info.num_ack_pending as u64);
            let results = streams::count_results(&self.context).await;
            Ok(Waiting {
                jobs: waiting,
                taken,
                results: results.map_err(|e| self.away(e))?,
            })
        })
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        // What was said last must not stay behind in a buffer.
        let flush = self.client.flush();
        let _ = self
            .runtime
            .block_on(async { timeout(STILL_HERE, flush).await });
    }
}

fn options(address: &ServerAddr, salt: u64) -> ConnectOptions {
    let options = ConnectOptions::new()
        .name("wits")
        .connection_timeout(ANSWER)
        .request_timeout(Some(ANSWER))
        .ping_interval(Duration::from_secs(5))
        .reconnect_delay_callback(move |failed| delay(failed, salt));
    match (address.username(), address.password()) {
        (Some(user), Some(password)) => {
            options.user_and_password(user.to_owned(), password.to_owned())
        }
        (Some(token), None) => options.token(token.to_owned()),
        _ => options,
    }
}

/// Says of everything in hand that it still is, for as long as somebody holds it.
async fn say_still_here(held: Arc<Mutex<Vec<Weak<Acker>>>>) {
    loop {
        tokio::time::sleep(STILL_HERE).await;
        let all: Vec<Arc<Acker>> = {
            let mut held = held.lock().unwrap_or_else(PoisonError::into_inner);
            held.retain(|one| one.strong_count() > 0);
            held.iter().filter_map(Weak::upgrade).collect()
        };
        for one in all {
            // If the server is away, it will hand the job to somebody else, and that is well.
            let _ = one.ack_with(AckKind::Progress).await;
        }
    }
}
