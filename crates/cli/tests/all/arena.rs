//! The arena from the command line: tables, tests, bad input, and a run that is killed ten times.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use crate::common;

use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::common::{run, timeless, wits};
use serde_json::Value;
use wits_arena::Coordinator;
use wits_store::Store;

fn json(folder: &Path, args: &[&str]) -> Value {
    common::ask(folder, args, 0)
}

fn problem(folder: &Path, args: &[&str]) -> (String, String) {
    let value = common::ask(folder, args, 2);
    let text = |key: &str| value["error"][key].as_str().unwrap().to_owned();
    (text("message"), text("hint"))
}

const CUP: &str = r#"
game = "othello"
players = ["random", "corners-greedy", "alphabeta:depth=5,eval=korman", "alphabeta:depth=6,eval=iago"]
games = 40
random-plies = 6
seed = 11
threads = 2
"#;

// The games are long enough for ten kills in the middle on a quick machine, too.
#[test]
fn a_tournament_killed_ten_times_ends_with_the_same_table() {
    let (whole, torn) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for folder in [&whole, &torn] {
        std::fs::write(folder.path().join("cup.toml"), CUP).unwrap();
    }
    let expected = timeless(json(whole.path(), &["arena", "run", "cup.toml"]));
    assert_eq!(expected["games"], 240);

    let data = torn.path().join("data");
    let done = || {
        let file = data.join("wits.sqlite");
        let store = file.exists().then(|| Store::sqlite(&file).ok()).flatten()?;
        Coordinator::open(&store, "cup").ok().map(|c| c.done())
    };
    let mut kills = 0;
    let mut before = 0;
    while kills < 10 {
        let mut child = wits(torn.path())
            .args(["arena", "run", "cup.toml", "--threads", "1", "--json"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let deadline = Instant::now() + Duration::from_mins(1);
        // The killer waits until something new is in the store, so every run does some work.
        loop {
            let now = done().unwrap_or(0);
            if now > before {
                before = now;
                break;
            }
            assert!(Instant::now() < deadline, "nothing new was stored");
            std::thread::sleep(Duration::from_millis(2));
        }
        assert!(
            child.try_wait().unwrap().is_none(),
            "it was killed in the middle"
        );
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
    }
    let last = json(torn.path(), &["arena", "run", "cup.toml"]);
    assert!(last["resumed"].as_u64().unwrap() >= before);
    assert_eq!(timeless(last), expected);
}

#[test]
fn a_changed_file_is_not_mixed_and_the_way_out_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let file = |text: &str| std::fs::write(here.join("small.toml"), text).unwrap();
    let small = "game = \"tictactoe\"\nplayers = [\"random\", \"alphabeta:depth=1\"]\ngames = 4\n";
    file(small);
    json(here, &["arena", "run", "small.toml"]);
    file(&small.replace("games = 4", "games = 6"));
    let (message, hint) = problem(here, &["arena", "run", "small.toml"]);
    assert!(
        message.contains("another number of games") && message.contains("not mixed"),
        "{message}"
    );
    assert!(hint.contains("--anew") && hint.contains("--name"), "{hint}");
    assert_eq!(json(here, &["arena", "status", "small"])["games"], 4);
    assert_eq!(
        json(here, &["arena", "run", "small.toml", "--name", "beside"])["games"],
        6
    );
    assert_eq!(
        json(here, &["arena", "run", "small.toml", "--anew"])["games"],
        6
    );
    let names = json(here, &["arena", "status"]);
    assert_eq!(names["tournaments"].as_array().unwrap().len(), 2);
    assert_eq!(json(here, &["arena", "forget", "beside"])["results"], 3);
    let (message, hint) = problem(here, &["arena", "status", "beside"]);
    assert!(
        message.contains("`beside`") && hint.contains("small"),
        "{message} {hint}"
    );
}

/// A disk with no room left: here, a file that may not grow any more.
#[cfg(unix)]
#[test]
fn a_full_disk_is_named_and_nothing_is_lost() {
    let (whole, full) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let cup = "game = \"tictactoe\"\nplayers = [\"random\", \"alphabeta:depth=1\", \"mcts:nodes=20\"]\ngames = 400\nseed = 5\n";
    for folder in [&whole, &full] {
        std::fs::write(folder.path().join("cup.toml"), cup).unwrap();
    }
    let expected = timeless(json(whole.path(), &["arena", "run", "cup.toml"]));
    // The database is there already, and then it can grow by some pages only.
    json(full.path(), &["arena", "status"]);
    let size =
        |name: &str| std::fs::metadata(full.path().join("data").join(name)).map_or(0, |m| m.len());
    let largest = size("wits.sqlite")
        .max(size("wits.sqlite-wal"))
        .max(64 << 10);
    let blocks = largest / 512 + 400;
    let wits = env!("CARGO_BIN_EXE_wits");
    let script = format!(
        "ulimit -f {blocks}; trap '' XFSZ; exec '{wits}' arena run cup.toml --threads 1 --json"
    );
    let output = std::process::Command::new("sh")
        .args(["-c", &script])
        .current_dir(full.path())
        .env("WITS_DATA", full.path().join("data"))
        .output()
        .unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    let said: Value = serde_json::from_str(&said).unwrap();
    assert_eq!(said["error"]["code"], "store", "{said}");
    let message = said["error"]["message"].as_str().unwrap();
    assert!(message.contains("disk"), "{said}");
    let hint = said["error"]["hint"].as_str().unwrap();
    assert!(
        hint.contains("kept") && hint.contains("run it again"),
        "{said}"
    );
    // With room again, it goes on where it was.
    let last = json(full.path(), &["arena", "run", "cup.toml"]);
    assert!(last["resumed"].as_u64().unwrap() > 0, "{}", last["resumed"]);
    assert_eq!(timeless(last), expected);
}

/// Somebody deletes the database while a tournament is played: it does not go on as if nothing were.
#[cfg(unix)]
#[test]
fn a_database_that_is_deleted_is_missed() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let cup = "game = \"othello\"\nplayers = [\"alphabeta:depth=3\", \"alphabeta:depth=2\"]\ngames = 20000\nseed = 5\nrandom-plies = 6\n";
    std::fs::write(here.join("cup.toml"), cup).unwrap();
    let mut command = common::wits(here);
    command.args(["arena", "run", "cup.toml", "--threads", "1", "--json"]);
    let child = command
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let data = here.join("data");
    let deadline = std::time::Instant::now() + std::time::Duration::from_mins(2);
    while !data.join("wits.sqlite-wal").exists() {
        assert!(std::time::Instant::now() < deadline, "no database appears");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    // Files may still appear while they are deleted.
    while data.exists() {
        let _ = std::fs::remove_dir_all(&data);
    }
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said: Value = serde_json::from_slice(&output.stdout).unwrap();
    let message = said["error"]["message"].as_str().unwrap();
    assert!(message.contains("wits.sqlite"), "{said}");
}

#[test]
fn flags_say_the_same_as_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let flags = [
        "arena",
        "run",
        "--game",
        "tictactoe",
        "--player",
        "random",
        "--player",
        "mcts:nodes=20",
        "--games",
        "8",
        "--seed",
        "3",
        "--anchor",
        "random",
        "--anchor-rating",
        "500",
    ];
    let table = json(here, &flags);
    let players = table["players"].as_array().unwrap();
    assert_eq!(players[0]["spec"], "mcts:nodes=20");
    assert_eq!(players[1]["rating"], 500.0);
    assert_eq!(players[1]["interval"], serde_json::json!([500.0, 500.0]));
    assert_eq!(
        (&table["games"], &table["finished"]),
        (&8.into(), &true.into())
    );
    // The same flags are the same run: nothing is played again.
    assert_eq!(json(here, &flags)["resumed"], 4);
    let ladder = json(
        here,
        &[
            "arena",
            "ratings",
            "--game",
            "tictactoe",
            "--anchor",
            "random",
        ],
    );
    assert_eq!(ladder["players"][1]["rating"], 1000.0);
    let ratings = json(here, &["arena", "ratings", table["name"].as_str().unwrap()]);
    assert!(
        ratings["players"][0]["glicko"]["deviation"]
            .as_f64()
            .unwrap()
            < 350.0
    );
}

#[test]
fn the_sequential_test() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    for (counts, llr) in [
        ("10,20,15", 0.091_898),
        ("5,40,120,50,8", 0.362_181),
        ("40,400,1200,480,60", 2.738_005),
    ] {
        let test = json(
            here,
            &[
                "arena", "sprt", "--counts", counts, "--elo0", "0", "--elo1", "5",
            ],
        );
        assert!((test["llr"].as_f64().unwrap() - llr).abs() < 1e-6, "{test}");
        assert!((test["upper"].as_f64().unwrap() - 2.944_439).abs() < 1e-6);
        assert_eq!(test["verdict"], "continue");
    }
    let play = |threads: &str| {
        json(
            here,
            &[
                "arena",
                "sprt",
                "--game",
                "othello:size=6",
                "--a",
                "alphabeta:depth=3",
                "--b",
                "random",
                "--elo0",
                "0",
                "--elo1",
                "100",
                "--seed",
                "4",
                "--threads",
                threads,
                "--data",
                threads,
            ],
        )
    };
    let test = play("1");
    assert_eq!(test["verdict"], "h1");
    assert_eq!(
        test,
        play("3"),
        "however many play, the verdict comes at the same game"
    );
    for (args, says) in [
        (vec!["arena", "sprt"], "--counts"),
        (vec!["arena", "sprt", "--counts", "1,2"], "lost,drawn,won"),
        (
            vec![
                "arena", "sprt", "--counts", "1,2,3", "--elo0", "5", "--elo1", "5",
            ],
            "elo0 below elo1",
        ),
        (
            vec!["arena", "sprt", "--counts", "1,2,3", "--alpha", "0.7"],
            "below 0.5",
        ),
    ] {
        let (message, hint) = problem(here, &args);
        assert!(
            format!("{message} {hint}").contains(says),
            "{args:?}: {message} {hint}"
        );
    }
}

#[test]
fn what_is_wrong_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    std::fs::write(
        here.join("bad.toml"),
        "game = \"tictactoe\"\nplayers = [\"random\", \"mtcs\"]",
    )
    .unwrap();
    std::fs::write(here.join("worse.toml"), "game = tictactoe").unwrap();
    for (args, says) in [
        (vec!["arena", "run", "bad.toml"], "mcts"),
        (vec!["arena", "run", "worse.toml"], "worse"),
        (vec!["arena", "run", "none.toml"], "none.toml"),
        (vec!["arena", "run"], "no game is named"),
        (
            vec!["arena", "run", "--game", "tictactoe", "--player", "random"],
            "too few",
        ),
        (
            vec![
                "arena",
                "run",
                "--game",
                "thue-solitaire",
                "--player",
                "random",
                "--player",
                "greedy",
            ],
            "`",
        ),
        (vec!["arena", "ratings"], "status"),
        (
            vec!["arena", "ratings", "--game", "hexapawn"],
            "no tournament of",
        ),
        (vec!["arena", "forget", "x"], "no tournament `x`"),
    ] {
        let (message, hint) = problem(here, &args);
        assert!(
            format!("{message} {hint}").contains(says),
            "{args:?}: {message} {hint}"
        );
    }
    // A database that cannot be used is named, too.
    std::fs::create_dir_all(here.join("broken")).unwrap();
    std::fs::write(
        here.join("broken/wits.sqlite"),
        "this is no database, but long enough to be read as one",
    )
    .unwrap();
    let (message, _) = problem(here, &["arena", "status", "--data", "broken"]);
    assert!(message.contains("wits.sqlite"), "{message}");
}

/// On the large board, because below size 8 all heuristics judge alike and nothing could be tuned.
const TUNING: &str = r#"
game = "othello"
player = "linear:depth=1,corners-b=0,corners-m=0"
reference = "alphabeta:depth=1,eval=max-disc"
population = 6
generations = 3
rounds = 2
games = 2
random-plies = 4
seed = 5
[validate]
games = 8
[[gene]]
param = "discs-b"
from = -1
to = 1
[[gene]]
param = "edge-b"
from = -1
to = 1
"#;

#[test]
fn a_tuning_is_a_chart_on_the_page() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    std::fs::write(here.join("small.toml"), TUNING).unwrap();
    let output = run(here, &["arena", "tune", "small.toml", "--json"], "");
    // Whoever counts discs only is easily beaten: the winner is better, and said to be.
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let tuned: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(tuned["finished"], true);
    assert_eq!(tuned["outcome"]["better"], true, "{tuned}");
    let last = tuned["generations"][2]["best"].as_array().unwrap();
    let ratings: Vec<f64> = last.iter().filter_map(|c| c["rating"].as_f64()).collect();
    assert!(
        ratings[0] > ratings[1] && ratings[0].abs() > 1.0,
        "players that differ differ in their games: {ratings:?}"
    );
    let house = common::Server::start(here, &[]);
    let mut me = wits_web::testing::Client::new(house.address);
    let mut get = |path: &str| me.get(path).unwrap();
    assert!(get("/arena").body.contains("/arena/tuning?name=small"));
    let page = get("/arena/tuning?name=small").body;
    for part in [
        "<polyline",
        "class=\"band\"",
        "id=\"generations\"",
        "id=\"best\"",
        "small",
    ] {
        assert!(page.contains(part), "{part} is missing: {page}");
    }
    assert_eq!(
        page.matches("<circle").count(),
        3,
        "a point for each generation"
    );
    let csv = get("/arena/tuning/csv?name=small").body;
    assert_eq!(csv.lines().count(), 4, "{csv}");
    let rating = tuned["generations"][2]["best"][0]["rating"]
        .as_f64()
        .unwrap();
    assert!(csv.contains(&format!("2,{rating:.2},")), "{csv}");
    assert!(get("/arena/tuning/svg?name=small").body.starts_with("<svg"));
    assert_eq!(get("/arena/tuning?name=none").status, 404);
}

#[test]
fn the_ladder_of_a_variant_is_linked_and_called_by_its_title() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let game = "othello:size=6,start=othello,nomove=pass";
    for (game, name) in [("othello:size=6", "small"), ("tictactoe", "usual")] {
        let mut args = vec!["arena", "run", "--game", game, "--name", name];
        args.extend("--player random --player mcts:nodes=9 --games 2 --seed 1".split(' '));
        json(here, &args);
    }
    let house = common::Server::start(here, &[]);
    let mut me = wits_web::testing::Client::new(house.address);
    let mut get = |path: &str| me.get(path).unwrap();
    let link = "/arena/ladder?game=othello%3Asize%3D6%2Cstart%3Dothello%2Cnomove%3Dpass";
    let door = get("/arena").body;
    assert!(
        door.contains(&format!("<a href=\"{link}\">Othello <code>{game}")),
        "{door}"
    );
    assert!(
        !door.contains("ladder?game=tictactoe\">Tic-tac-toe <code>"),
        "{door}"
    );
    let page = get(link).body;
    for part in ["<h1>Ladder: Othello</h1>", game, "mcts:nodes=9"] {
        assert!(page.contains(part), "{part} is missing: {page}");
    }
    assert!(get("/new/tictactoe").body.contains("Ladder: Tic-tac-toe"));
}

/// Every tournament in `tournaments/` is played, with two games for every pair.
#[test]
fn shipped_tournaments_are_played() {
    let folder = tempfile::tempdir().unwrap();
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tournaments");
    for name in [
        "othello-naive",
        "othello-minimax-alphabeta",
        "othello-depth",
        "othello-matrices",
        "othello-heuristics",
        "othello-full",
        "othello-tuned",
        "scrabble-thesis",
        "scrabble-thesis-10000",
    ] {
        let file = shipped.join(format!("{name}.toml"));
        let file = file.to_str().unwrap();
        let played = json(folder.path(), &["arena", "run", file, "--games", "2"]);
        assert_eq!(played["finished"], true, "{name}");
        assert_eq!(played["faults"].as_array().map(Vec::len), Some(0), "{name}");
        assert!(played["games"].as_u64() >= Some(2), "{name}");
    }
}

/// Every file in `tournaments/` is one that this program can play.
#[test]
fn shipped_files_can_be_played() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tournaments");
    let (catalog, shelf) = (wits_catalog::all(), wits_play::Shelf::new());
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let about = if name.starts_with("tune-") {
            let file = wits_arena::tune::TuneFile::read(&text, &name).unwrap();
            file.tuning(&catalog, &shelf)
                .unwrap_or_else(|e| panic!("{name}: {e}"));
            file.about
        } else {
            let file = wits_arena::File::read(&text, &name).unwrap();
            file.tournament(&catalog, &shelf)
                .unwrap_or_else(|e| panic!("{name}: {e}"));
            file.about
        };
        assert!(about.is_some(), "{name} says what it is about");
        count += 1;
    }
    assert!(count >= 12, "{count}");
}
