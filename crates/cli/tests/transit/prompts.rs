//! What is missing is asked for on a terminal.

use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::{city, common};

/// Types answers at the prompts of `wits transit route`; gives what the terminal showed.
///
/// The terminal is made by `script` of util-linux; without it the test says so and rests.
fn typed(folder: &std::path::Path, answers: &[&str]) -> Option<String> {
    let binary = common::wits(folder);
    let program = binary.get_program().to_string_lossy().into_owned();
    let command = format!("'{program}' transit route --feed city.wits");
    let mut script = Command::new("script");
    script
        .args(["-qec", &command, "/dev/null"])
        .current_dir(folder)
        .envs(binary.get_envs().filter_map(|(k, v)| Some((k, v?))))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let Ok(mut child) = script.spawn() else {
        println!("skipped: `script` is not here to make a terminal");
        return None;
    };
    let mut keys = child.stdin.take().expect("piped");
    // End of input (control-D) follows, so that a question too many ends the run.
    let text = answers.join("\n") + "\n\u{4}";
    keys.write_all(text.as_bytes()).expect("it listens");
    drop(keys);
    let output = child.wait_with_output().expect("it ends");
    Some(String::from_utf8_lossy(&output.stdout).replace('\r', ""))
}

#[test]
fn a_terminal_asks_for_what_is_missing_in_the_reports_codes() {
    let (folder, from, to) = city();
    let Some(shown) = typed(folder.path(), &[&from, &to, "t", "08:00"]) else {
        return;
    };
    for question in [
        "the first stop:",
        "the last stop:",
        "what is best:",
        "the time",
    ] {
        assert!(shown.contains(question), "{question}: {shown}");
    }
    let asked = [
        "route",
        &from,
        &to,
        "--feed",
        "city.wits",
        "--at",
        "8:00",
        "--by",
        "time",
    ];
    let best = crate::ask(folder.path(), &asked, 0);
    let arrival = best["journeys"][0]["arrival"].as_str().expect("a time");
    assert!(shown.contains(arrival), "{arrival}: {shown}");
}

#[test]
fn a_wrong_answer_is_asked_again_and_semicolons_make_a_tour() {
    let (folder, from, to) = city();
    let stops = format!("{to};{from}");
    let answers = ["Nowhere at all", &from, &stops, "x", "p", "25:61", "08:00"];
    let Some(shown) = typed(folder.path(), &answers) else {
        return;
    };
    assert_eq!(shown.matches("the first stop:").count(), 2, "{shown}");
    assert_eq!(shown.matches("what is best:").count(), 2, "{shown}");
    assert_eq!(shown.matches("the time (HH:MM):").count(), 2, "{shown}");
    assert!(shown.contains("Nowhere at all"), "{shown}");
    assert!(shown.contains("no order is better"), "{shown}");
}

#[test]
fn a_file_answers_the_prompts_as_a_person_would() {
    let (folder, from, to) = city();
    let route = ["transit", "route", "--feed", "city.wits"];
    let answers = format!("Nowhere at all\n{from}\n{to}\ndt\n08:00\n");
    let output = common::run(folder.path(), &route, &answers);
    assert_eq!(output.status.code(), Some(0));
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(shown.matches("the first stop:").count(), 2, "{shown}");
    assert!(shown.contains("dijkstra:graph=dependent"), "{shown}");
    // What is still missing at the end of the file is named.
    let output = common::run(folder.path(), &route, &format!("{from}\n"));
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("the last stop is missing"), "{said}");
}
