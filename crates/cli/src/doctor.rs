//! `wits doctor`: what the program needs on this machine, whether it is there, and what to do.

use std::fmt::Write as _;
use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::Result;
use serde::Serialize;
use serde_json::json;
use wits_scrabble::lexicon::SHIPPED;
use wits_store::{Options, Store};

use crate::args::DoctorArgs;
use crate::out::Out;
use crate::rooms::scrabble::library;
use crate::{Answer, data};

/// Below this there is little room for games and tournaments.
const ROOM_MB: u64 = 200;

/// How something stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
enum State {
    /// As it should be.
    Good,
    /// Not there, and only some things need it.
    Optional,
    /// The program cannot work like this.
    Bad,
}

/// One thing that was looked at.
#[derive(Clone, Debug, Serialize)]
struct Finding {
    /// What it is.
    name: &'static str,
    /// How it stands.
    state: State,
    /// What was found.
    found: String,
    /// What to do, where something can be done.
    todo: Option<String>,
}

impl Finding {
    fn good(name: &'static str, found: impl Into<String>) -> Finding {
        Finding {
            name,
            state: State::Good,
            found: found.into(),
            todo: None,
        }
    }

    fn other(
        name: &'static str,
        state: State,
        found: impl Into<String>,
        todo: impl Into<String>,
    ) -> Finding {
        Finding {
            name,
            state,
            found: found.into(),
            todo: Some(todo.into()),
        }
    }
}

/// `wits doctor`
pub(crate) fn run(args: &DoctorArgs, out: &Out) -> Result<Answer> {
    let mut all = vec![program()];
    if let Some(url) = &args.database {
        all.push(database(url));
    } else {
        let folder = data::directory(args.data.clone());
        all.extend(directory(&folder));
    }
    all.push(port(args.port));
    all.extend(lexicons());
    all.extend(TOOLS.iter().map(tool));
    let well = all.iter().all(|f| f.state != State::Bad);
    out.tell(&json!({ "well": well, "findings": all }), || {
        told(&all, well, out)
    })?;
    Ok(if well { Answer::Yes } else { Answer::No })
}

fn told(all: &[Finding], well: bool, out: &Out) -> String {
    let mut text = String::new();
    for one in all {
        let mark = match one.state {
            State::Good => "ok      ",
            State::Optional => "optional",
            State::Bad => "wrong   ",
        };
        let _ = writeln!(text, "{} {:14} {}", out.bold(mark), one.name, one.found);
        if let Some(todo) = &one.todo {
            let _ = writeln!(text, "{:24}{}", "", out.faint(todo));
        }
    }
    text + if well {
        "everything that is needed is there"
    } else {
        "something is wrong: see above"
    }
}

/// The program itself: its size tells whether it was built for use or for work on it.
fn program() -> Finding {
    let size = std::env::current_exe()
        .and_then(std::fs::metadata)
        .map_or(0, |m| m.len());
    let found = format!(
        "wits {}, {} MB",
        env!("CARGO_PKG_VERSION"),
        size / 1_000_000
    );
    if cfg!(debug_assertions) {
        let todo =
            "this is a slow build for working on the program; play with `cargo run --release`";
        return Finding::other("program", State::Optional, found, todo);
    }
    Finding::good("program", found)
}

/// The data directory: can it be written, is there room, does the database open.
fn directory(folder: &Path) -> Vec<Finding> {
    let shown = folder.display();
    let probe = folder.join(".doctor");
    let written = std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(&probe, b"wits"))
        .and_then(|()| std::fs::remove_file(&probe));
    if let Err(error) = written {
        let todo = "choose another place with --data DIR or WITS_DATA, or mend its permissions";
        return vec![Finding::other(
            "data directory",
            State::Bad,
            format!("{shown} cannot be written: {error}"),
            todo,
        )];
    }
    let mut all = vec![Finding::good("data directory", shown.to_string())];
    match free_mb(folder) {
        Some(free) if free < ROOM_MB => {
            let todo = format!("games need little, tournaments some; free at least {ROOM_MB} MB");
            all.push(Finding::other(
                "free space",
                State::Bad,
                format!("{free} MB"),
                todo,
            ));
        }
        Some(free) => all.push(Finding::good("free space", format!("{free} MB"))),
        None => all.push(Finding::other(
            "free space",
            State::Optional,
            "cannot be told here",
            "look yourself",
        )),
    }
    let file = folder.join("wits.sqlite");
    let (there, found) = (file.exists(), file.display());
    let sound = wits_store::check(&file).and_then(|()| Store::sqlite(&file));
    all.push(match sound {
        Ok(_) if there => Finding::good("database", format!("{found} is sound")),
        Ok(_) => Finding::good("database", format!("{found} was made")),
        Err(error) => {
            let todo =
                "close other programs that use it; if it is damaged, `wits restore FILE` puts a backup in its place and `wits serve --salvage` saves what can be read";
            Finding::other("database", State::Bad, format!("{found}: {error}"), todo)
        }
    });
    all
}

/// Megabytes that are free where a folder is. The standard library cannot tell, `df` can.
fn free_mb(folder: &Path) -> Option<u64> {
    let output = Command::new("df")
        .args(["-Pk"])
        .arg(folder)
        .stderr(Stdio::null())
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let fields: Vec<&str> = text.lines().nth(1)?.split_whitespace().collect();
    // The name of a device may hold blanks: the free blocks are the third field from the end.
    let free: u64 = fields.get(fields.len().checked_sub(3)?)?.parse().ok()?;
    Some(free / 1000)
}

fn database(url: &str) -> Finding {
    match Store::open(url, Options::default()) {
        Ok(_) => Finding::good("database", "it opens"),
        Err(error) => {
            let todo = "check the address, that the server runs, and that the program was built with --features postgres";
            Finding::other("database", State::Bad, error.to_string(), todo)
        }
    }
}

fn port(port: u16) -> Finding {
    match TcpListener::bind((Ipv4Addr::LOCALHOST, port)) {
        Ok(_) if port == 0 => Finding::good("port", "some port of this machine is free"),
        Ok(_) => Finding::good("port", format!("{port} is free")),
        Err(error) => {
            let todo = "`wits` takes the next free port by itself; with --listen name another one";
            Finding::other(
                "port",
                State::Optional,
                format!("{port} cannot be listened on: {error}"),
                todo,
            )
        }
    }
}

/// Lexicons that stand apart: they do not come with the program when only that is copied.
fn lexicons() -> Vec<Finding> {
    let apart = SHIPPED.iter().filter(|shipped| shipped.bytes.is_none());
    let look = |shipped| match library::find(shipped) {
        Some(path) => Finding::good("lexicon", path.display().to_string()),
        None => Finding::other(
            "lexicon",
            State::Optional,
            format!("`{}` stands apart and was not found", shipped.name),
            format!(
                "to play Scrabble with it, copy `{}` from the source tree (crates/scrabble/data/{}) to `{}`",
                shipped.file,
                shipped.name,
                library::usual(shipped).display()
            ),
        ),
    };
    apart.map(look).collect()
}

/// A program that some things need: its name, how to ask for its version, what needs it.
struct Tool {
    name: &'static str,
    asks: &'static str,
    for_what: &'static str,
}

const TOOLS: [Tool; 4] = [
    Tool {
        name: "postgres",
        asks: "--version",
        for_what: "PostgreSQL, to keep everything in a server: `wits serve --database URL` (a server elsewhere will do)",
    },
    Tool {
        name: "nats-server",
        asks: "--version",
        for_what: "NATS, to let many machines play one tournament",
    },
    Tool {
        name: "chromium",
        asks: "--version",
        for_what: "only to run the browser tests",
    },
    Tool {
        name: "swipl",
        asks: "--version",
        for_what: "SWI-Prolog, only to compare the logic engine with another",
    },
];

fn tool(tool: &Tool) -> Finding {
    let asked = Command::new(tool.name)
        .arg(tool.asks)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output();
    match asked {
        Ok(output) if output.status.success() => {
            let text = String::from_utf8_lossy(&output.stdout);
            Finding::good(
                tool.name,
                text.lines().next().unwrap_or("there").trim().to_owned(),
            )
        }
        _ => Finding::other(tool.name, State::Optional, "not there", tool.for_what),
    }
}
