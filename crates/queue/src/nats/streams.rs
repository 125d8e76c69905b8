//! Where jobs and results lie on the server.
//!
//! Both are work queues on disk: a message stays until it is acknowledged. Every job has a subject of its
//! own, so a job can be published under the condition that nothing lies there yet; sending a job
//! again is then always safe. Files are no work to be done: they stay until they are old. Names hold nothing but letters, digits and hyphens.

use std::time::Duration;

use async_nats::Error;
use async_nats::jetstream::Context;
use async_nats::jetstream::consumer::pull::Config as PullConfig;
use async_nats::jetstream::consumer::{AckPolicy, PullConsumer};
use async_nats::jetstream::stream::{
    Config, LastRawMessageErrorKind, RetentionPolicy, StorageType, Stream,
};
use futures_util::TryStreamExt;

const JOBS: &str = "WITS_JOBS";
const RESULTS: &str = "WITS_RESULTS";
const FILES: &str = "WITS_FILES";

/// Who has said nothing about a job for so long is dead, and somebody else gets it.
const HOLD: Duration = Duration::from_secs(6);

/// Nobody comes for what is older than this.
const OLD: Duration = Duration::from_hours(30 * 24);

pub(super) fn job(run: &str, job: &str) -> String {
    format!("wits.jobs.{run}.{job}")
}

pub(super) fn result(run: &str, job: &str) -> String {
    format!("wits.results.{run}.{job}")
}

pub(super) fn file(hash: &str, part: &str) -> String {
    format!("wits.files.{hash}.{part}")
}

/// The run and the job that a subject names.
pub(super) fn names(subject: &str) -> Option<(String, String)> {
    let mut parts = subject.split('.').skip(2);
    let (run, job) = (parts.next()?, parts.next()?);
    Some((run.to_owned(), job.to_owned()))
}

async fn stream(context: &Context, name: &str, subjects: &str) -> Result<Stream, Error> {
    let config = Config {
        name: name.to_owned(),
        subjects: vec![subjects.to_owned()],
        retention: if name == FILES {
            RetentionPolicy::Limits
        } else {
            RetentionPolicy::WorkQueue
        },
        storage: StorageType::File,
        max_age: OLD,
        ..Config::default()
    };
    Ok(context.get_or_create_stream(config).await?)
}

async fn consumer(stream: &Stream, name: &str, of: String) -> Result<PullConsumer, Error> {
    let config = PullConfig {
        durable_name: Some(name.to_owned()),
        filter_subject: of,
        ack_policy: AckPolicy::Explicit,
        ack_wait: HOLD,
        // Thousands of workers may hold a job each, and thousands more may wait for one.
        max_ack_pending: 100_000,
        max_waiting: 16_384,
        ..PullConfig::default()
    };
    Ok(stream.get_or_create_consumer(name, config).await?)
}

/// The one consumer that all workers share. Where jobs are, there is a place for results.
pub(super) async fn jobs(context: &Context) -> Result<PullConsumer, Error> {
    stream(context, RESULTS, "wits.results.*.*").await?;
    let stream = stream(context, JOBS, "wits.jobs.*.*").await?;
    consumer(&stream, "workers", "wits.jobs.>".to_owned()).await
}

/// The consumer of a run's coordinator, always a fresh one: a server that crashed may remember that it handed
/// out more than it kept, and would then pass over what came since. What was not settled is handed out again.
pub(super) async fn results(context: &Context, run: &str) -> Result<PullConsumer, Error> {
    let stream = stream(context, RESULTS, "wits.results.*.*").await?;
    let name = format!("run-{run}");
    // It may never have been made.
    let _ = stream.delete_consumer(&name).await;
    consumer(&stream, &name, result(run, "*")).await
}

/// Where files lie.
pub(super) async fn files(context: &Context) -> Result<Stream, Error> {
    stream(context, FILES, "wits.files.*.*").await
}

/// What lies under a subject, if something does.
pub(super) async fn read(stream: &Stream, subject: &str) -> Result<Option<Vec<u8>>, Error> {
    match stream.get_last_raw_message_by_subject(subject).await {
        Ok(message) => Ok(Some(message.payload.to_vec())),
        Err(error) if error.kind() == LastRawMessageErrorKind::NoMessageFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Takes the jobs of a run back, and its results too if asked to.
pub(super) async fn withdraw(context: &Context, run: &str, also: bool) -> Result<(), Error> {
    let jobs = stream(context, JOBS, "wits.jobs.*.*").await?;
    clear(&jobs, job(run, "*")).await?;
    if also {
        let results = stream(context, RESULTS, "wits.results.*.*").await?;
        clear(&results, result(run, "*")).await?;
        // It may never have been made.
        let _ = results.delete_consumer(&format!("run-{run}")).await;
    }
    Ok(())
}

/// Deletes what lies under some subjects, one by one: servers of the 2.9 line may forget to hand out what
/// is left after a purge by subject.
async fn clear(stream: &Stream, subjects: String) -> Result<(), Error> {
    let mut found = stream.info_with_subjects(subjects).await?;
    while let Some((subject, _)) = found.try_next().await? {
        // Somebody may have finished it in this moment.
        if let Ok(message) = stream.get_last_raw_message_by_subject(&subject).await {
            let _ = stream.delete_message(message.sequence).await;
        }
    }
    Ok(())
}

/// How many results lie there.
pub(super) async fn count_results(context: &Context) -> Result<u64, Error> {
    let results = stream(context, RESULTS, "wits.results.*.*").await?;
    Ok(results.get_info().await?.state.messages)
}
