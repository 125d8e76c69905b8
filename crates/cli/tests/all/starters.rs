//! The starters of every language on a server: whole games of Othello, Thue and Hexapawn over HTTP, and a first game
//! in three commands.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::json;
use wits_web::testing::Client;

use crate::common::Server;

const GAMES: [&str; 3] = ["othello:size=4", "thue:symbols=4", "hexapawn"];

fn clients() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../clients")
}

/// The token of a new bot.
fn token(server: &Server) -> String {
    let mut owner = Client::new(server.address);
    let made = owner.post("/bots", &json!({"name": "starter"})).unwrap();
    made.json()["token"].as_str().unwrap().to_owned()
}

/// The starters in Rust. They are built with all tests of the workspace, and here where this crate is tested alone.
fn rust() -> PathBuf {
    let folder = Path::new(env!("CARGO_BIN_EXE_wits")).parent().unwrap();
    if !folder.join("alphabeta_bot").exists() {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let built = Command::new(cargo)
            .args(["build", "--quiet", "-p", "wits-bot", "--bins"])
            .current_dir(clients())
            .status();
        assert!(built.unwrap().success(), "the starters in Rust are built");
    }
    folder.to_owned()
}

/// The command of a starter.
fn starter(language: &str, name: &str, rust: &Path) -> Command {
    let mut command = match language {
        "python" => Command::new("python3"),
        "javascript" => Command::new("node"),
        _ => return Command::new(rust.join(name)),
    };
    let ending = if language == "python" { "py" } else { "js" };
    command.arg(clients().join(language).join(format!("{name}.{ending}")));
    command.env("PYTHONDONTWRITEBYTECODE", "1");
    command
}

fn ends(mut command: Command) -> Output {
    command.stdin(Stdio::null()).output().unwrap()
}

#[test]
fn starters_of_every_language_play_over_http() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let site = format!("http://{}", server.address);
    let (token, rust) = (token(&server), rust());
    for language in ["python", "javascript", "rust"] {
        for name in ["random_bot", "greedy_bot", "alphabeta_bot"] {
            for (game, seat) in GAMES.into_iter().zip(["1", "2", "1"]) {
                let mut command = starter(language, name, &rust);
                if name == "alphabeta_bot" {
                    command.arg("2");
                }
                command.args(["--server", &site, "--token", &token]);
                command.args(["--play", game, "--seat", seat]);
                let output = ends(command);
                let (said, noise) = (
                    String::from_utf8_lossy(&output.stdout),
                    String::from_utf8_lossy(&output.stderr),
                );
                let what = format!("{language} {name} {game}: {said}{noise}");
                assert!(
                    output.status.success() && said.contains("payoffs"),
                    "{what}"
                );
                assert!(noise.is_empty(), "nothing was refused: {what}");
            }
        }
        // Who has no token is told so, and does not try for ever.
        let mut command = starter(language, "random_bot", &rust);
        command.args(["--server", &site, "--token", "b-1.2"]);
        let output = ends(command);
        let noise = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "{language}: {noise}");
        assert!(
            noise.contains("no bot has this token"),
            "{language}: {noise}"
        );
        let mut command = starter(language, "random_bot", &rust);
        command.args(["--server", &site]).env_remove("WITS_TOKEN");
        let output = ends(command);
        let noise = String::from_utf8_lossy(&output.stderr);
        let line = noise.trim().lines().last().unwrap_or_default();
        assert!(
            !output.status.success() && line.contains("a token is needed"),
            "{language}: {noise}"
        );
    }
}

/// What the page shows who made a bot, word by word, in an empty folder.
#[test]
fn a_first_game_takes_three_commands() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let mut person = Client::new(server.address);
    let fields = [
        ("content-type", "application/x-www-form-urlencoded"),
        ("accept", "text/html"),
    ];
    let page = person.send("POST", "/bots", &fields, "name=first").unwrap();
    let commands = page.body.split_once("id=\"commands\">").unwrap().1;
    let commands = commands.split_once("</code>").unwrap().0;
    let commands: Vec<&str> = commands.trim().lines().collect();
    assert!(commands.len() <= 3, "{commands:?}");
    let own = tempfile::tempdir().unwrap();
    for command in &commands {
        let mut shell = Command::new("sh");
        shell.args(["-c", command]).current_dir(own.path());
        let output = ends(shell);
        assert!(output.status.success(), "{command}: {output:?}");
        if *command == commands[commands.len() - 1] {
            let said = String::from_utf8_lossy(&output.stdout);
            assert!(said.contains("payoffs"), "{command}: {said}");
        }
    }
}
