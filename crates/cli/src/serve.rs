//! `wits` and `wits serve`: the house in the browser.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::{Value, json};
use wits_play::{Catalog, Limits, Shelf};
use wits_store::{Lock, Store};
use wits_web::{App, Config, Logs, Quotas, serve};

use crate::args::{LogWhat, ServeArgs};
use crate::out::Out;
use crate::{Answer, Problem, backup, data, live};

/// The port that is tried first when none is asked for, and how many after it.
const PORTS: std::ops::Range<u16> = 8080..8090;

/// The catalog with the programs of a folder as players, where one is given.
pub(crate) fn with_programs(catalog: Catalog, folder: Option<&Path>) -> Result<Catalog> {
    let Some(folder) = folder else {
        return Ok(catalog);
    };
    let folder = folder
        .canonicalize()
        .map_err(|error| Problem::file(folder, &error))?;
    let admission = wits_bots::Admission::Folder(folder);
    Ok(wits_bots::welcome(&catalog, &admission, None))
}

/// `wits serve`
pub(crate) fn run(args: &ServeArgs, out: &Out) -> Result<Answer> {
    let catalog = with_programs(wits_catalog::all(), args.programs.as_deref())?;
    // Dropped last: what was refused is written, and nobody else serves the store until it is closed.
    let _log = logs(&args.log).start();
    if let Some(folder) = &args.data {
        data::choose(folder.clone());
    }
    let (store, _lock, salvage) = open_to_serve(args)?;
    let listen = args.listen.unwrap_or_else(free_port);
    let abroad = !listen.ip().is_loopback();
    if abroad && !args.invite {
        warn(&format!(
            "everybody who can reach {listen} can play here and use this machine's processor; add --invite, and put a proxy with TLS before it"
        ));
    } else if abroad {
        warn(&format!(
            "what guests send to {listen} can be read on the way; put a proxy with TLS before it"
        ));
    }
    if let Some(metrics) = args.metrics.filter(|m| !m.ip().is_loopback()) {
        warn(&format!(
            "everybody who can reach {metrics} can read the figures of this server"
        ));
    }
    let invite = args
        .invite
        .then(|| wits_web::invitation(&store, args.new_invite))
        .transpose()
        .map_err(|e| store_problem("the invitation", &e))?;
    let operator = args.operator.then(wits_web::operator_secret);
    let time = args.time.unwrap_or(10.0);
    let config = Config {
        listen,
        thinking: Limits::time(Duration::from_secs_f64(time)),
        thinkers: (args.threads > 0).then_some(args.threads),
        sandbox: std::env::current_exe().ok(),
        per_address: if abroad { 256 } else { usize::MAX },
        invite: invite.clone(),
        hosts: args.host.clone(),
        proxy: args.proxy.clone(),
        metrics: args.metrics,
        operator: operator.clone(),
        quotas: quotas(args.disk.unwrap_or(4), abroad),
        ..Config::default()
    };
    let behind = args.proxy.as_ref().map(|name| format!("https://{name}/"));
    let named = args.host.first().cloned();
    let app = App::new(config, catalog, Shelf::new(), Arc::new(store));
    if let Some(timetable) = &args.timetable {
        live::show(&app, timetable, args.realtime.as_deref())?;
    }
    serve(app, |door| {
        let url = format!("http://{}/", door.address);
        let named = named.map(|name| format!("http://{name}:{}/", door.address.port()));
        let at = behind.as_ref().or(named.as_ref()).unwrap_or(&url);
        let link = invite.map(|token| format!("{at}login#{token}"));
        let run = operator.map(|secret| format!("{at}operator#{secret}"));
        let mut said = json!({"listening": url});
        if let Some(run) = &run {
            said["operator"] = json!(run);
        }
        if let Some(link) = &link {
            said["invite"] = json!(link);
        }
        if let Some(metrics) = door.metrics {
            said["metrics"] = json!(format!("http://{metrics}/metrics"));
        }
        if let Some(salvage) = &salvage {
            said["salvage"] = salvage.clone();
        }
        // A reader that went away is no reason not to serve.
        let _ = out.tell(&said, || {
            let guests = link
                .as_ref()
                .map_or(String::new(), |link| format!("\nfor guests  {link}"));
            let run = run
                .as_ref()
                .map_or(String::new(), |run| format!("\nto run it  {run}"));
            format!(
                "{}  {url}{guests}{run}\nPress Ctrl-C to close it.",
                out.bold("wits is open at")
            )
        });
        if args.open {
            open_browser(link.as_ref().unwrap_or(&url));
        }
    })
    .map_err(|e| {
        let hint = "another server may be there, or the address may be none of this machine's; choose another with --listen";
        Problem::new("listen", format!("{e:#}"), hint)
    })?;
    Ok(Answer::Yes)
}

/// How much visitors may keep. On loopback they are one person, who may stay away for as long as a
/// browser keeps the cookie.
fn quotas(gigabytes: u64, abroad: bool) -> Quotas {
    let mut quotas = Quotas::default();
    quotas.kept.house_bytes = gigabytes.saturating_mul(1_000_000_000);
    if !abroad {
        quotas.stay = Duration::from_hours(365 * 24);
    }
    quotas
}

/// Opens the database at an address, or the one in a folder.
pub(crate) fn open_store(database: Option<&str>, data: Option<PathBuf>) -> Result<Store> {
    if let Some(url) = database {
        return Ok(Store::open(url, wits_store::Options::default())
            .map_err(|e| store_problem("the database", &e))?);
    }
    let file = store_file(data)?;
    Ok(Store::sqlite(&file).map_err(|e| store_problem(&file.display().to_string(), &e))?)
}

/// The file of the store in a folder, which is made if it is not there.
pub(crate) fn store_file(data: Option<PathBuf>) -> Result<PathBuf> {
    let folder = data::directory(data);
    std::fs::create_dir_all(&folder).map_err(|e| Problem::data(&folder, &e))?;
    Ok(folder.join("wits.sqlite"))
}

/// The store, for this process alone where it is a file, and looked through: a damaged one is not
/// served. What was salvaged comes along.
fn open_to_serve(args: &ServeArgs) -> Result<(Store, Option<Lock>, Option<Value>)> {
    if args.database.is_some() {
        let store = open_store(args.database.as_deref(), None)?;
        return Ok((store, None, None));
    }
    let file = store_file(args.data.clone())?;
    let lock = backup::lock(&file)?;
    let open = || wits_store::check(&file).and_then(|()| Store::sqlite(&file));
    let name = file.display().to_string();
    let opened = match open() {
        Err(wits_store::Error::Corrupt { .. }) if args.salvage => {
            let saved = wits_store::salvage(&file).map_err(|e| store_problem(&name, &e))?;
            warn(&format!(
                "the store was damaged: {} games and dialogues with {} events and {} other things were saved, {} lines made no sense, in {} places nothing could be read; the damaged store is kept as {}",
                saved.sessions,
                saved.events,
                saved.others,
                saved.dropped,
                saved.holes,
                saved.aside.display()
            ));
            let told = json!({
                "sessions": saved.sessions, "events": saved.events, "others": saved.others,
                "dropped": saved.dropped, "holes": saved.holes, "aside": saved.aside,
            });
            open().map(|store| (store, Some(told)))
        }
        opened => opened.map(|store| (store, None)),
    };
    let (store, salvage) = opened.map_err(|e| store_problem(&name, &e))?;
    Ok((store, Some(lock), salvage))
}

/// What is wrong with a store, and what to do about it.
pub(crate) fn store_problem(name: &str, error: &wits_store::Error) -> Problem {
    let hint = match error {
        wits_store::Error::Corrupt { .. } => {
            "`wits restore FILE` puts a backup in its place; `wits serve --salvage` saves what can be read; --data names another folder"
        }
        wits_store::Error::Served { .. } => {
            "Ctrl-C or a `kill` with that number ends it and loses nothing"
        }
        _ => "choose another place with --data, or another database with --database",
    };
    Problem::new("store", format!("`{name}`: {error}"), hint)
}

fn logs(what: &[LogWhat]) -> Logs {
    Logs {
        requests: what.contains(&LogWhat::Requests),
        json: what.contains(&LogWhat::Json),
    }
}

/// The first free port of ours, or any if all are taken.
fn free_port() -> SocketAddr {
    let free =
        |port: &u16| std::net::TcpListener::bind((std::net::Ipv4Addr::LOCALHOST, *port)).is_ok();
    SocketAddr::from(([127, 0, 0, 1], PORTS.into_iter().find(free).unwrap_or(0)))
}

pub(crate) fn warn(text: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "warning: {text}");
}

fn open_browser(url: &str) {
    let (program, first) = if cfg!(target_os = "macos") {
        ("open", None)
    } else if cfg!(windows) {
        ("explorer", None)
    } else {
        ("xdg-open", None::<&str>)
    };
    let mut command = Command::new(program);
    command
        .args(first)
        .arg(url)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    if command.spawn().with_context(|| program.to_owned()).is_err() {
        warn(&format!("no browser could be opened; open {url} yourself"));
    }
}
