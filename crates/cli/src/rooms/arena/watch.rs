//! `wits arena status`, `stop` and `drain`: looking at what is played, and ending it kindly.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use anyhow::Result;
use serde_json::{Value, json};
use wits_arena::{Coordinator, Live, Tournament, runs};
use wits_queue::{Order, Queue, Role, Sign, State};
use wits_store::Store;

use super::args::Place;
use super::crew::{away, open};
use super::{now, problem, show};
use crate::Answer;
use crate::out::Out;
use crate::problem::Problem;

/// How long the server of a queue may take for its first answer.
const PATIENCE: Duration = Duration::from_secs(4);
/// How long a roll call listens.
const LISTEN: Duration = Duration::from_millis(500);
/// Throughput is counted over so long.
const COUNT: Duration = Duration::from_secs(1);

/// `wits arena status`
pub(super) fn status(
    name: Option<&str>,
    nats: Option<&str>,
    place: &Place,
    out: &Out,
) -> Result<Answer> {
    let store = place.open()?;
    if let Some(name) = name {
        let coordinator = Coordinator::open(&store, name).map_err(problem)?;
        let table = coordinator.table();
        let live = Live::of(&store, name, now()).map_err(problem)?;
        let mut value = show::value(&coordinator, &table);
        value["live"] = json!(live);
        out.tell(&value, || {
            show::text(&coordinator, &table, out) + &live.as_ref().map_or(String::new(), live_text)
        })?;
        return Ok(Answer::Yes);
    }
    let (list, mut text) = tournaments(&store)?;
    let mut value = json!({"tournaments": list});
    if let Some(url) = nats {
        let queue = open(url, PATIENCE).map_err(away)?;
        let (seen, said) = at_queue(&queue)?;
        value["queue"] = seen;
        text += &said;
    }
    out.tell(&value, || text)?;
    Ok(Answer::Yes)
}

fn tournaments(store: &Store) -> Result<(Vec<Value>, String)> {
    let mut list = Vec::new();
    let mut text = String::new();
    for (name, begun) in runs(store).map_err(problem)? {
        let coordinator = match Coordinator::open(store, &name) {
            Ok(coordinator) => coordinator,
            Err(error) => {
                let _ = writeln!(text, "{name}: {error}");
                continue;
            }
        };
        let far = coordinator.progress();
        let live = Live::of(store, &name, now()).map_err(problem)?;
        let Tournament { game, players, .. } = coordinator.tournament();
        list.push(json!({
            "name": name, "begun": begun, "game": game, "players": players.len(),
            "done": far.done, "total": far.total, "games": far.games, "finished": far.finished, "live": live,
        }));
        let state = if far.finished {
            "finished".to_owned()
        } else {
            format!("{} of about {} pairings", far.done, far.total)
        };
        let (players, games) = (players.len(), far.games);
        let _ = writeln!(
            text,
            "{name}: {game}, {players} players, {games} games, {state}"
        );
        text += &live.as_ref().map_or(String::new(), live_text);
    }
    if text.is_empty() {
        text += "no tournament was begun yet; start one with `wits arena run FILE`\n";
    }
    Ok((list, text))
}

/// How a run goes.
fn live_text(live: &Live) -> String {
    let mut text = format!(
        "  played now ({}): {:.1} games/s, {} jobs out, {} in play, {} sent again\n",
        live.place, live.speed, live.out, live.playing, live.again
    );
    for worker in &live.workers {
        text += &sign_text(worker);
    }
    text
}

fn sign_text(sign: &Sign) -> String {
    let leaves = if sign.state == State::Draining {
        ", leaving"
    } else {
        ""
    };
    format!(
        "  worker {} (wits {}): {} of {} threads play, {} jobs done{leaves}\n",
        sign.name,
        sign.version,
        sign.playing.len(),
        sign.threads,
        sign.done
    )
}

/// What the queue itself says.
fn at_queue(queue: &Queue) -> Result<(Value, String)> {
    let done = |signs: &[Sign]| {
        signs
            .iter()
            .map(|s| (s.name.clone(), s.done))
            .collect::<Vec<_>>()
    };
    let before = done(&queue.roll_call(LISTEN).map_err(away)?);
    let started = Instant::now();
    std::thread::sleep(COUNT);
    let signs = queue.roll_call(LISTEN).map_err(away)?;
    let seconds = started.elapsed().as_secs_f64();
    let fresh: u64 = signs
        .iter()
        .filter_map(|sign| {
            let (_, was) = before.iter().find(|(name, _)| *name == sign.name)?;
            Some(sign.done.saturating_sub(*was))
        })
        .sum();
    let speed = fresh as f64 / seconds;
    let waiting = queue.waiting().map_err(away)?;
    let (leaders, workers): (Vec<&Sign>, Vec<&Sign>) = signs
        .iter()
        .partition(|sign| sign.role == Role::Coordinator);
    let mut text = format!(
        "queue: {} jobs wait, {} are held, {} results wait; {speed:.1} jobs/s\n",
        waiting.jobs, waiting.taken, waiting.results
    );
    for leader in &leaders {
        let _ = writeln!(text, "  {} is led (wits {})", leader.leads, leader.version);
    }
    for worker in &workers {
        text += &sign_text(worker);
    }
    if workers.is_empty() {
        text += "  no worker is there; start some with `wits worker --nats URL`\n";
    }
    let value = json!({
        "jobs": waiting.jobs, "taken": waiting.taken, "results": waiting.results,
        "jobs_per_second": speed, "workers": workers, "coordinators": leaders,
    });
    Ok((value, text))
}

/// `wits arena stop`
pub(super) fn stop(name: &str, nats: &str, out: &Out) -> Result<Answer> {
    let queue = open(nats, PATIENCE).map_err(away)?;
    let signs = queue.roll_call(LISTEN).map_err(away)?;
    let leads = |sign: &&Sign| sign.role == Role::Coordinator && sign.leads == name;
    let heard = match signs.iter().find(leads) {
        Some(sign) => queue
            .order(Some(&sign.name), Order::Stop, PATIENCE)
            .map_err(away)?,
        None => Vec::new(),
    };
    if heard.is_empty() {
        let led: Vec<&str> = signs
            .iter()
            .filter(|sign| sign.role == Role::Coordinator)
            .map(|sign| sign.leads.as_str())
            .collect();
        let hint = if led.is_empty() {
            "nothing is led there now; `wits arena status --nats URL` shows who is there".to_owned()
        } else {
            format!("led there now: {}", led.join(", "))
        };
        let message = format!("nobody leads `{name}` at this queue");
        return Err(Problem::new("unknown-tournament", message, hint).into());
    }
    out.tell(&json!({"stopped": name}), || {
        format!("`{name}` stops; results so far are kept, and `wits arena run` goes on with it")
    })?;
    Ok(Answer::Yes)
}

/// `wits arena drain`
pub(super) fn drain(worker: Option<&str>, nats: &str, out: &Out) -> Result<Answer> {
    let queue = open(nats, PATIENCE).map_err(away)?;
    let heard = queue
        .order(worker, Order::Drain, LISTEN.max(COUNT))
        .map_err(away)?;
    if let (Some(name), true) = (worker, heard.is_empty()) {
        let hint = "see who is there with `wits arena status --nats URL`";
        let message = format!("no worker `{name}` answers at this queue");
        return Err(Problem::new("unknown-worker", message, hint).into());
    }
    let names: Vec<&str> = heard.iter().map(|sign| sign.name.as_str()).collect();
    out.tell(&json!({"draining": names}), || {
        if names.is_empty() {
            "no worker is there".to_owned()
        } else {
            format!(
                "they finish what is in hand and leave: {}",
                names.join(", ")
            )
        }
    })?;
    Ok(Answer::Yes)
}
