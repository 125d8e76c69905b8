//! The verbs of the learning desk, with the keys that scripts rely on.

use crate::common;

use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Value, json};

/// Runs a command in a folder and reads the one JSON object it prints.
fn ask(folder: &Path, args: &[&str], code: i32) -> Value {
    common::ask(folder, &[&["learn"], args].concat(), code)
}

fn here() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

#[test]
fn glass_is_described_and_drawn() {
    let folder = here();
    let told = ask(folder.path(), &["describe", "glass"], 0);
    assert_eq!(told["rows"], 214);
    assert_eq!(told["target"], "class");
    assert_eq!(told["columns"].as_array().map(Vec::len), Some(11));
    assert_eq!(told["classes"][0], json!({"class": "1", "rows": 70}));
    let told = ask(folder.path(), &["explore", "glass", "--out", "drawn"], 0);
    let files = told["files"].as_array().expect("files");
    assert!(!files.is_empty());
    for file in files {
        let path = folder.path().join(file.as_str().expect("a name"));
        let svg = std::fs::read_to_string(path).expect("it was drawn");
        assert!(svg.starts_with("<svg"), "{file}");
    }
}

#[test]
fn a_small_grid_is_the_same_on_any_number_of_threads_and_can_be_reopened() {
    let folder = here();
    let small = [
        "grid",
        "glass",
        "--missing",
        "0.05",
        "--imputer",
        "mean",
        "--imputer",
        "knn:k=1",
        "--transformer",
        "standard",
        "--transformer",
        "standard + pca",
        "--classifier",
        "knn:k=3",
        "--classifier",
        "random-forest:trees=5",
        "--seed",
        "3",
    ];
    let with = |more: &[&'static str]| [small.as_slice(), more].concat();
    let one = ask(
        folder.path(),
        &with(&["--threads", "1", "--save", "run.json"]),
        0,
    );
    let two = ask(folder.path(), &with(&["--threads", "2"]), 0);
    assert_eq!(one["pipelines"], two["pipelines"]);
    assert_eq!(one["best"], 0);
    assert!(one["seconds"].is_f64());
    let lines = one["pipelines"].as_array().expect("a leaderboard");
    assert_eq!(lines.len(), 8);
    for line in lines {
        assert_eq!(line["folds"].as_array().map(Vec::len), Some(5));
        for key in ["imputer", "transformer", "classifier", "mean", "sd"] {
            assert!(!line[key].is_null(), "{key}: {line}");
        }
    }
    let again = ask(folder.path(), &["open", "run.json"], 0);
    assert_eq!(again["pipelines"], one["pipelines"]);
}

#[test]
fn a_model_is_trained_evaluated_and_used_on_other_rows() {
    let folder = here();
    let train = [
        "train",
        "glass",
        "--pipeline",
        "mean + tree:depth=4",
        "-o",
        "model.json",
        "--rust",
        "model.rs",
        "--tree",
        "tree.svg",
    ];
    assert_eq!(ask(folder.path(), &train, 0)["rows"], 214);
    assert!(folder.path().join("tree.svg").exists());
    assert!(folder.path().join("model.rs").exists());
    let told = ask(folder.path(), &["evaluate", "model.json", "glass"], 0);
    assert!(told["scores"]["accuracy"]["value"].as_f64() > Some(0.6));
    assert_eq!(told["warnings"][0]["key"], "trained-on-this");
    let rows = "RI,Na,Mg,Al,Si,K,Ca,Ba,Fe\n1.52101,13.64,4.49,1.10,71.78,0.06,8.75,0,0\n1.51,14,,2.5,73,0,9,1.5,0\n";
    std::fs::write(folder.path().join("new.csv"), rows).expect("written");
    let told = ask(folder.path(), &["predict", "model.json", "new.csv"], 0);
    assert_eq!(told["rows"].as_array().map(Vec::len), Some(2));
    assert_eq!(told["warnings"][0]["key"], "filled");
    std::fs::write(folder.path().join("other.csv"), "a,b\n1,2\n").expect("written");
    let told = ask(folder.path(), &["predict", "model.json", "other.csv"], 2);
    assert_eq!(told["error"]["code"], "bad-model");
}

#[test]
fn folds_transforms_curves_and_comparisons() {
    let folder = here();
    let told = ask(
        folder.path(),
        &[
            "cv",
            "glass",
            "--pipeline",
            "mean + standard + knn:k=3",
            "--folds",
            "5",
        ],
        0,
    );
    let folds: Vec<f64> = told["folds"]
        .as_array()
        .expect("folds")
        .iter()
        .filter_map(Value::as_f64)
        .collect();
    assert_eq!(folds.len(), 5);
    let mean = folds.iter().sum::<f64>() / 5.0;
    assert!((told["mean"].as_f64().expect("a mean") - mean).abs() < 1e-12);
    let told = ask(
        folder.path(),
        &["transform", "glass", "--with", "standard"],
        0,
    );
    assert_eq!(told["columns"].as_array().map(Vec::len), Some(9));
    let column: f64 = (0..214).filter_map(|i| told["rows"][i][0].as_f64()).sum();
    assert!(column.abs() < 1e-8, "a standardised column has mean 0");
    let told = ask(
        folder.path(),
        &[
            "tune",
            "glass",
            "--pipeline",
            "knn",
            "--parameter",
            "k",
            "--values",
            "1..5:2",
        ],
        0,
    );
    assert_eq!(told["points"].as_array().map(Vec::len), Some(3));
    let told = ask(
        folder.path(),
        &["compare", "glass", "--a", "majority", "--b", "tree"],
        0,
    );
    assert_eq!(told["verdict"], "b");
}

#[test]
fn bad_input_is_a_sentence() {
    let folder = here();
    let write =
        |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("written");
    write("empty.csv", "");
    write("ragged.csv", "a,b,class\n1,2,x\n3,y\n");
    write("one.csv", "a,class\n1,x\n2,x\n");
    for (args, code, part) in [
        (vec!["describe", "none.csv"], "file", "none.csv"),
        (vec!["describe", "empty.csv"], "bad-data", "empty"),
        (vec!["describe", "ragged.csv"], "bad-data", "line 3"),
        (vec!["describe", "one.csv"], "bad-data", "every row"),
        (
            vec!["describe", "glass", "--target", "clas"],
            "bad-data",
            "no column",
        ),
        (
            vec!["cv", "glass", "--pipeline", "forrest"],
            "bad-pipeline",
            "forrest",
        ),
        (
            vec!["cv", "glass", "--pipeline", "knn", "--folds", "500"],
            "bad-data",
            "500 folds",
        ),
        (vec!["predict", "one.csv", "glass"], "bad-model", "one.csv"),
    ] {
        let told = ask(folder.path(), &args, 2);
        let error = &told["error"];
        assert_eq!(error["code"], code, "{args:?}: {error}");
        let message = error["message"].as_str().unwrap_or_default();
        assert!(message.contains(part), "{args:?}: {error}");
        assert!(
            error["hint"].as_str().is_some_and(|h| !h.is_empty()),
            "{args:?}"
        );
    }
}

/// A file of numbers is never held as text: with 24 MB of it, 70 MB of address space are enough
/// beside what the program needs to start. As text the cells would take 60 MB more.
#[test]
#[cfg(target_os = "linux")]
fn a_large_file_is_read_within_its_bound() {
    let wits = env!("CARGO_BIN_EXE_wits");
    let starts = |kilobytes: &u32| {
        let script = format!("ulimit -v {kilobytes}; exec \"$0\" --version");
        let mut shell = std::process::Command::new("sh");
        let output = shell.args(["-c", &script, wits]).output();
        output.expect("a shell").status.success()
    };
    let own = (20_000..400_000).step_by(2_000).find(starts);
    let own = own.expect("the program starts in 400 MB");
    let folder = here();
    let row: Vec<String> = (1..20).map(|k| format!("{k}.{:06}", 123_456 + k)).collect();
    let row = row.join(",");
    let names: Vec<String> = (0..20).map(|k| format!("m{k}")).collect();
    let mut text = names.join(",") + ",kind\n";
    let mut i = 0;
    while text.len() < 24_000_000 {
        writeln!(text, "{i},{row},{}", ["x", "y", "z"][i % 3]).expect("memory for the text");
        i += 1;
    }
    std::fs::write(folder.path().join("large.csv"), &text).expect("room for 24 MB");
    let script = format!(
        "ulimit -v {}; exec \"$0\" learn describe large.csv --id m0 --json",
        own + 70_000
    );
    let output = std::process::Command::new("sh")
        .args(["-c", &script, wits])
        .current_dir(folder.path())
        .output()
        .expect("a shell");
    let told = String::from_utf8_lossy(&output.stdout);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told} {error}");
    let told: Value = serde_json::from_str(&told).expect("an object");
    assert_eq!(told["rows"], i);
}

#[test]
fn a_grid_leaves_a_thread_that_can_be_replayed() {
    let folder = here();
    let grid = [
        "grid",
        "glass",
        "--classifier",
        "knn:k=3",
        "--watch",
        "grid.thread",
    ];
    ask(folder.path(), &grid, 0);
    let args = ["replay", "grid.thread", "--json"];
    let output = common::run(folder.path(), &args, "");
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("\"lens\":\"grid\""), "{text}");
}

/// People read their own language, numbers too; scripts read English.
#[test]
fn the_terminal_speaks_three_languages() {
    let folder = here();
    let say = |args: &[&str], lang: &str| {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_wits"))
            .args(args)
            .env("WITS_LANG", lang)
            .current_dir(folder.path())
            .output()
            .expect("it runs");
        let both = [output.stdout, output.stderr].concat();
        (
            output.status.code(),
            String::from_utf8_lossy(&both).into_owned(),
        )
    };
    let cv = ["learn", "cv", "glass", "--pipeline", "mean + knn:k=3"];
    let with = |more: &[&'static str]| [&cv[..], more].concat();
    for (args, lang, says) in [
        (cv.to_vec(), "", "sd 8.0%"),
        (cv.to_vec(), "cs", "sm. odch. 8,0\u{a0}%"),
        (with(&["--lang", "pl"]), "cs", "odch. st. 8,0\u{a0}%"),
        (with(&["--lang=pl"]), "", "odch. st. 8,0\u{a0}%"),
        (with(&["--folds", "1"]), "cs", "není hodnota pro"),
        (
            with(&["--folds", "1", "--json"]),
            "cs",
            "is not a value for",
        ),
        (with(&["--lang", "xx"]), "", "possible values: en, pl, cs"),
    ] {
        let (_, told) = say(&args, lang);
        assert!(told.contains(says), "{args:?} {lang}: {told}");
    }
}

/// Somebody presses Ctrl-C: the folds that are finished are printed, and the code says that this is
/// not all.
#[cfg(target_os = "linux")]
#[test]
fn a_grid_that_is_stopped_prints_its_finished_folds() {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};
    let folder = here();
    // A nearest neighbour takes no time, so many rounds of boosting take minutes.
    let slow = [
        "--classifier",
        "knn:k=3",
        "--classifier",
        "boosting:trees=10000",
    ];
    let grid = [
        "learn",
        "grid",
        "glass",
        "--imputer",
        "mean",
        "--transformer",
        "standard",
    ];
    let child = Command::new(env!("CARGO_BIN_EXE_wits"))
        .args(grid)
        .args(slow)
        .args(["--json", "--threads", "1"])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let id = child.id().to_string();
    let deadline = Instant::now() + Duration::from_mins(2);
    // User time, in hundredths of a second, is the twelfth number after the name.
    let spent = || -> u64 {
        let text = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap();
        let rest = text.rsplit_once(')').unwrap().1.to_owned();
        rest.split_whitespace().nth(11).unwrap().parse().unwrap()
    };
    while spent() < 60 {
        assert!(Instant::now() < deadline, "it works");
        std::thread::sleep(Duration::from_millis(20));
    }
    Command::new("kill").args(["-INT", &id]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["stopped"], true, "{found}");
    let line = &found["pipelines"][0];
    assert_eq!(line["classifier"], "knn:k=3");
    let folds = line["folds"].as_array().unwrap().len();
    assert!((1..5).contains(&folds), "{found}");
}

/// Samples need no file; names, a sample of the rows and rows kept aside are said.
#[test]
fn samples_names_and_rows_kept_aside() {
    let folder = here();
    for (name, rows) in [("iris", 150), ("wine", 178), ("balcony", 363)] {
        let told = ask(folder.path(), &["describe", name], 0);
        assert_eq!(told["rows"], rows, "{name}");
    }
    std::fs::write(
        folder.path().join("bare.csv"),
        "1,2,x\n2,1,y\n1,1,x\n2,2,y\n",
    )
    .unwrap();
    let named = ["describe", "bare.csv", "--names", "height,width,kind"];
    let told = ask(folder.path(), &named, 0);
    assert_eq!(
        (&told["target"], &told["columns"][0]["name"]),
        (&"kind".into(), &"height".into())
    );
    let cv = [
        "cv",
        "iris",
        "--pipeline",
        "standard + knn:k=5",
        "--holdout",
        "0.2",
    ];
    let told = ask(folder.path(), &cv, 0);
    assert_eq!(told["holdout"]["scores"]["rows"], 30);
    assert_eq!(told["answers"].as_array().unwrap().len(), 120);
    let part = ["cv", "iris", "--pipeline", "knn", "--sample", "60"];
    let told = ask(folder.path(), &part, 0);
    assert_eq!(told["answers"].as_array().unwrap().len(), 60);
    let wrong = ["cv", "wine", "--target", "alcohol", "--pipeline", "knn"];
    let told = ask(folder.path(), &wrong, 2);
    let hint = told["error"]["hint"].as_str().unwrap();
    assert!(hint.contains("only classes can be learned"), "{told}");
    for (verb, file) in [("regions", "regions.svg"), ("response", "responses.svg")] {
        let args = [
            verb,
            "iris",
            "--pipeline",
            "standard + logistic",
            "--out",
            "drawn",
        ];
        ask(folder.path(), &args, 0);
        let drawn = std::fs::read_to_string(folder.path().join("drawn").join(file)).unwrap();
        assert!(drawn.starts_with("<svg"), "{verb}");
    }
}

/// Somebody presses Ctrl-C while a pipeline is cross-validated: the finished folds are printed.
#[cfg(target_os = "linux")]
#[test]
fn a_cross_validation_that_is_stopped_prints_its_finished_folds() {
    use std::io::Read as _;
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};
    let folder = here();
    // Leave one out: 214 fits, each of a blink, all of them of a minute.
    let child = Command::new(env!("CARGO_BIN_EXE_wits"))
        .args(["learn", "cv", "glass", "--pipeline", "boosting:trees=60"])
        .args(["--leave-one-out", "--json", "--threads", "1"])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let mut child = child.unwrap();
    let id = child.id().to_string();
    let deadline = Instant::now() + Duration::from_mins(2);
    // User time, in hundredths of a second, is the twelfth number after the name.
    let spent = || -> u64 {
        let text = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap();
        let rest = text.rsplit_once(')').unwrap().1.to_owned();
        rest.split_whitespace().nth(11).unwrap().parse().unwrap()
    };
    while spent() < 200 {
        assert!(Instant::now() < deadline, "it works");
        std::thread::sleep(Duration::from_millis(20));
    }
    Command::new("kill").args(["-INT", &id]).status().unwrap();
    let mut told = String::new();
    let mut output = child.stdout.take().unwrap();
    output.read_to_string(&mut told).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{told}");
    let found: Value = serde_json::from_str(&told).unwrap();
    assert_eq!(found["stopped"], true, "{found}");
    let (folds, rows) = (found["folds"].as_array(), found["answers"].as_array());
    let folds = folds.unwrap().len();
    assert!((1..214).contains(&folds), "{folds}");
    assert_eq!(rows.unwrap().len(), folds);
}

/// The same numbers, to the last bit, on a CPU that has no vector instructions beyond SSE 4.2: an
/// emulator stands in for it, where there is one.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[allow(clippy::print_stdout, reason = "why nothing was tested")]
#[test]
fn numbers_do_not_depend_on_the_cpu() {
    use std::process::{Command, Stdio};
    let folder = here();
    let mut probe = Command::new("qemu-x86_64");
    let probe = probe.arg("--version").stdout(Stdio::null()).status();
    if !probe.is_ok_and(|status| status.success()) {
        let wanted = std::env::var_os("WITS_REQUIRE_QEMU").is_some();
        assert!(!wanted, "there is no `qemu-x86_64`");
        println!("skipped: no `qemu-x86_64` (Debian: qemu-user)");
        return;
    }
    let wits = env!("CARGO_BIN_EXE_wits");
    for pipeline in [
        "knn:k=3 + power + logistic",
        "standard + pca + svc-linear:calibrate=sigmoid",
        "standard + svc-rbf:calibrate=isotonic",
        "median + quantile:output=normal + knn:k=9,weights=distance",
        "standard + qda:shrink=0.1",
        "kbins:bins=3 + lda",
        "robust + boosting:trees=3",
        "extra-trees:trees=5,criterion=entropy",
        "random-forest:trees=5",
        "naive-bayes",
    ] {
        let args = ["learn", "cv", "glass", "--json", "--folds", "3"];
        let args = [&args[..], &["--missing", "0.05", "--pipeline", pipeline]].concat();
        let run = |command: &mut Command| {
            let out = command.args(&args).current_dir(folder.path()).output();
            let out = out.unwrap();
            assert!(out.status.success(), "{pipeline}: {out:?}");
            out.stdout
        };
        let here = run(&mut Command::new(wits));
        let there = run(Command::new("qemu-x86_64").args(["-cpu", "Nehalem", wits]));
        assert!(here == there, "{pipeline} differs");
    }
}
