//! `wits` and `wits serve`: the house in the browser.

use std::net::SocketAddr;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::json;
use wits_play::{Catalog, Limits, Shelf};
use wits_store::Store;
use wits_web::{App, Config, serve};

use crate::args::ServeArgs;
use crate::out::Out;
use crate::{Answer, Problem, data};

/// The port that is tried first when none is asked for, and how many after it.
const PORTS: std::ops::Range<u16> = 8080..8090;

/// `wits serve`
pub(crate) fn run(catalog: Catalog, args: &ServeArgs, out: &Out) -> Result<Answer> {
    let store = open_store(args.database.as_deref(), args.data.clone())?;
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
    let invite = args
        .invite
        .then(|| wits_web::invitation(&store, args.new_invite))
        .transpose()
        .map_err(|e| store_problem("the invitation", &e))?;
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
        ..Config::default()
    };
    let behind = args.proxy.as_ref().map(|name| format!("https://{name}/"));
    let named = args.host.first().cloned();
    let app = App::new(config, catalog, Shelf::new(), Arc::new(store));
    serve(app, |address| {
        let url = format!("http://{address}/");
        let named = named.map(|name| format!("http://{name}:{}/", address.port()));
        let link = invite.map(|token| {
            let at = behind.as_ref().or(named.as_ref()).unwrap_or(&url);
            format!("{at}login#{token}")
        });
        let mut said = json!({"listening": url});
        if let Some(link) = &link {
            said["invite"] = json!(link);
        }
        // A reader that went away is no reason not to serve.
        let _ = out.tell(&said, || {
            let guests = link
                .as_ref()
                .map_or(String::new(), |link| format!("\nfor guests  {link}"));
            format!(
                "{}  {url}{guests}\nPress Ctrl-C to close it.",
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

/// Opens the database at an address, or the one in a folder.
pub(crate) fn open_store(
    database: Option<&str>,
    data: Option<std::path::PathBuf>,
) -> Result<Store> {
    if let Some(url) = database {
        return Ok(Store::open(url, wits_store::Options::default())
            .map_err(|e| store_problem("the database", &e))?);
    }
    let folder = data::directory(data);
    std::fs::create_dir_all(&folder).map_err(|e| Problem::data(&folder, &e))?;
    let file = folder.join("wits.sqlite");
    Ok(Store::sqlite(&file).map_err(|e| store_problem(&file.display().to_string(), &e))?)
}

fn store_problem(name: &str, error: &wits_store::Error) -> Problem {
    Problem::new(
        "store",
        format!("`{name}`: {error}"),
        "choose another place with --data, or another database with --database",
    )
}

/// The first free port of ours, or any if all are taken.
fn free_port() -> SocketAddr {
    let free =
        |port: &u16| std::net::TcpListener::bind((std::net::Ipv4Addr::LOCALHOST, *port)).is_ok();
    SocketAddr::from(([127, 0, 0, 1], PORTS.into_iter().find(free).unwrap_or(0)))
}

fn warn(text: &str) {
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
