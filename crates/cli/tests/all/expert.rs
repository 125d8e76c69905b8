//! The expert on the command line and behind the server, killed in the middle of conversations.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use serde_json::{Value, json};
use wits_game::{Dice, Seed};
use wits_web::testing::Client;

use crate::common::{Server, run};

/// So many kills, and as many more as it takes until this many words were acknowledged.
const KILLS: u32 = 12;
const WORDS: u32 = 40;

fn begin(me: &mut Client, base: &str) -> (String, Value) {
    let reply = me.post("/expert/talk", &json!({ "base": base })).unwrap();
    assert_eq!(reply.status, 200, "{}", reply.body);
    let page = reply.json()["page"].as_str().unwrap().to_owned();
    let state = me.get(&format!("{page}/state")).unwrap().json();
    (page, state)
}

/// Something that fits the state: an answer mostly, sometimes an undo or a change.
fn word(state: &Value, dice: &mut Dice) -> Value {
    let turn = &state["turn"];
    let reply = |dice: &mut Dice| ["yes", "no", "unknown"][dice.below(3)];
    let answers = state["session"]["answers"].as_array().unwrap();
    if state["undo"] == true && dice.below(6) == 0 {
        return json!({"said": "undo"});
    }
    if !answers.is_empty() && dice.below(6) == 0 {
        let question = &answers[dice.below(answers.len())][0];
        return json!({"said": "change", "question": question, "value": reply(dice)});
    }
    let entry = |list: &Value, dice: &mut Dice| {
        let list = list.as_array().unwrap();
        list[dice.below(list.len())].clone()
    };
    if !turn["category"].is_null() || !turn["problem"].is_null() {
        let list = if turn["category"].is_null() {
            &turn["problem"]
        } else {
            &turn["category"]
        };
        json!({"said": "choose", "value": entry(list, dice)["id"]})
    } else if !turn["question"].is_null() {
        json!({"said": "reply", "question": turn["question"]["id"], "value": reply(dice)})
    } else if !turn["advice"].is_null() {
        let value = if dice.below(2) == 0 { "yes" } else { "no" };
        json!({"said": "judge", "value": value})
    } else if turn["nothing"].as_array().is_some_and(|l| !l.is_empty()) {
        json!({"said": "choose", "value": entry(&turn["nothing"], dice)[0]["id"]})
    } else {
        json!({"said": "restart"})
    }
}

#[test]
fn conversations_survive_kills() {
    let folder = tempfile::tempdir().unwrap();
    let mut dice = Dice::new(Seed::new(10));
    let mut server = Server::start(folder.path(), &[]);
    let mut me = Client::new(server.address);
    let (page, mut known) = begin(&mut me, "printer");
    let (mut kills, mut words) = (0, 0);
    while kills < KILLS || words < WORDS {
        assert!(kills < 20 * KILLS, "{words} words between {kills} kills");
        // Where the machine is slow, few words get through between two kills.
        let most = if kills * WORDS > words * KILLS {
            2_000
        } else {
            400
        };
        let patience = std::time::Duration::from_millis(20 + dice.below(most) as u64);
        let victim = std::thread::spawn(move || {
            std::thread::sleep(patience);
            server.kill();
        });
        let mut in_flight;
        loop {
            let mut said = word(&known, &mut dice);
            said["seq"] = known["seq"].clone();
            in_flight = said.clone();
            match me.post(&format!("{page}/say"), &said) {
                Ok(reply) if reply.status == 200 => {
                    known = reply.json();
                    words += 1;
                }
                Ok(reply) => panic!("{said}: {} {}", reply.status, reply.body),
                Err(_) => break,
            }
        }
        victim.join().unwrap();
        kills += 1;
        server = Server::start(folder.path(), &[]);
        me.address = server.address;
        me.origin = Some(format!("http://{}", server.address));
        let now = me.get(&format!("{page}/state")).unwrap().json();
        let (before, after) = (known["seq"].as_u64().unwrap(), now["seq"].as_u64().unwrap());
        if after == before {
            assert_eq!(now, known, "everything acknowledged is there");
        } else {
            assert_eq!(after, before + 1, "only the word in flight came on top");
        }
        // The word whose answer was lost is said again, and counts once.
        let reply = me.post(&format!("{page}/say"), &in_flight).unwrap();
        assert_eq!(reply.status, 200, "{in_flight}: {}", reply.body);
        known = reply.json();
        assert_eq!(known["seq"], before + 1);
    }
    let report = me.get(&format!("{page}/report")).unwrap();
    assert!(report.body.starts_with("Photo printer"), "{}", report.body);
    // Somebody else can read, and say nothing.
    let mut other = Client::at(server.address, server.address.ip());
    assert_eq!(other.get(&page).unwrap().status, 200);
    let reply = other.post(&format!("{page}/say"), &json!({"said": "undo"}));
    assert_eq!(reply.unwrap().status, 403);
}

fn form(me: &mut Client, path: &str, fields: &[(&str, &str)]) -> wits_web::testing::Reply {
    let coded = |text: &str| {
        let bytes: Vec<String> = text.bytes().map(|b| format!("%{b:02x}")).collect();
        bytes.concat()
    };
    let body: Vec<String> = (fields.iter())
        .map(|(key, value)| format!("{key}={}", coded(value)))
        .collect();
    let kind = [("content-type", "application/x-www-form-urlencoded")];
    me.send("POST", path, &kind, &body.join("&")).unwrap()
}

/// A base that changes, breaks and is thrown away under a conversation that was left alone.
#[test]
fn a_resumed_conversation_notices_that_its_base_has_changed() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let mut me = Client::new(server.address);
    let first = wits_expert::TEMPLATE;
    let reply = form(
        &mut me,
        "/expert/base",
        &[("name", "mine"), ("text", first)],
    );
    assert_eq!(reply.status, 200, "{}", reply.body);
    let (page, _) = begin(&mut me, "mine");
    let say = |me: &mut Client, body: Value| me.post(&format!("{page}/say"), &body).unwrap();
    for value in ["general", "stuck"] {
        let reply = say(&mut me, json!({"said": "choose", "value": value}));
        assert_eq!(reply.status, 200, "{}", reply.body);
    }
    let locked = json!({"said": "reply", "question": "locked", "value": "yes"});
    let state = say(&mut me, locked.clone()).json();
    assert_eq!(state["turn"]["advice"]["advice"]["name"], "unlock");
    // Whatever is said that does not fit is refused with what does.
    for (body, status, text) in [
        (locked, 422, "no question"),
        (json!({"said": "judge", "value": "perhaps"}), 422, "yes, no"),
        (
            json!({"said": "choose", "value": "x"}),
            422,
            "nothing to choose",
        ),
        (json!({"said": "sing"}), 400, "cannot be said"),
        (json!({"said": "undo", "seq": 0}), 409, "meanwhile"),
    ] {
        let reply = say(&mut me, body.clone());
        assert_eq!(reply.status, status, "{body} {}", reply.body);
        assert!(reply.body.contains(text), "{body} {}", reply.body);
    }
    let hash = |me: &mut Client| {
        let page = me.get("/expert/base/mine").unwrap().body;
        let at = page.split("name=\"was\" value=\"").nth(1).unwrap();
        at.split('"').next().unwrap().to_owned()
    };
    let save = |me: &mut Client, text: &str| {
        let was = hash(me);
        let fields = [("name", "mine"), ("text", text), ("was", &was)];
        assert_eq!(form(me, "/expert/base", &fields).status, 200);
    };
    save(
        &mut me,
        &first.replace("Turn the key.", "Turn the key twice."),
    );
    server.kill();
    let server = Server::start(folder.path(), &[]);
    me.address = server.address;
    me.origin = Some(format!("http://{}", server.address));
    let state = me.get(&format!("{page}/state")).unwrap().json();
    assert_eq!(
        (&state["changed"], &state["turn"]),
        (&json!(true), &Value::Null)
    );
    let shown = me.get(&page).unwrap().body;
    for text in [
        "has changed",
        "Replay my answers",
        "Start again",
        "Is the lid locked?",
    ] {
        assert!(shown.contains(text), "{text}");
    }
    let refused = say(&mut me, json!({"said": "judge", "value": "yes"}));
    assert_eq!(refused.json()["error"]["code"], "base-changed");
    // A broken base: the answers are still there, and the page says what is wrong.
    save(&mut me, "base(mine, \"Mine\", 1). fix(");
    let shown = me.get(&page).unwrap().body;
    assert!(
        shown.contains("Mend the base") && shown.contains("locked"),
        "{shown}"
    );
    save(
        &mut me,
        &first.replace("Turn the key.", "Turn the key twice."),
    );
    let state = say(&mut me, json!({"said": "replay"})).json();
    assert_eq!(state["session"]["answers"], json!([["locked", "yes"]]));
    let steps = &state["turn"]["advice"]["advice"]["steps"];
    assert_eq!(*steps, json!(["Turn the key twice."]));
    let state = say(&mut me, json!({"said": "restart"})).json();
    assert_eq!(state["session"]["answers"], json!([]));
    // Thrown away: the conversation says so, and can still be read.
    assert_eq!(form(&mut me, "/expert/base/mine/delete", &[]).status, 200);
    let shown = me.get(&page).unwrap();
    assert!(shown.status == 200 && shown.body.contains("no base of that name"));
}

/// The three conversations of the report, in our words, through a pipe.
#[test]
fn the_printed_conversations_work_through_a_pipe() {
    let folder = tempfile::tempdir().unwrap();
    for (input, expected) in [
        ("1\n1\nn\nn\ny\ny\n", "Take the internal battery out"),
        ("2\n4\nn\ny\ny\n", "out of the tray from the back"),
        ("3\n1\ny\ny\n", "within about ten metres"),
    ] {
        let out = run(folder.path(), &["expert", "ask", "printer"], input);
        let text = String::from_utf8(out.stdout).unwrap();
        assert!(out.status.success() && text.contains(expected), "{text}");
        assert!(text.ends_with("The conversation is over.\n"), "{text}");
    }
    let input =
        "2\n4\nwhy\nn\nhow\nundo\ny\nchange 1 n\nmaybe\ny\nwhy not\nanswers\nreport\nhow\ny\n";
    let out = run(folder.path(), &["expert", "ask"], input);
    let text = String::from_utf8(out.stdout).unwrap();
    for expected in [
        "settle 1.00 bits",
        "pieces of advice for this problem are still possible",
        "Answer y, n or ?",
        "would need the answer yes",
        "1. Has a sheet come part of the way out at the front? no",
        "Problem: Paper is jammed.",
        "You answered “yes” to: Does a sheet stick out",
    ] {
        assert!(text.contains(expected), "no `{expected}` in\n{text}");
    }
}

/// A conversation is kept word by word, and goes on from its file; undo goes back through it.
#[test]
fn a_conversation_goes_on_from_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let ask = |input: &str| {
        let words = ["expert", "ask", "printer", "--session", "talk.json"];
        let out = run(folder.path(), &words, input);
        String::from_utf8(out.stdout).unwrap()
    };
    let first = ask("why not\n2\n4\nn\nquit\n");
    assert!(first.contains("is the likeliest so far"), "{first}");
    assert!(first.contains("times less often"), "{first}");
    let again = ask("answers\ny\nquit\n");
    assert!(again.contains("goes on where it was left"), "{again}");
    assert!(
        again.contains("1. Has a sheet come part of the way out at the front? no"),
        "{again}"
    );
    assert!(again.contains("out of the tray from the back"), "{again}");
    let back = ask("how\nundo\nundo\nanswers\nquit\n");
    assert!(back.contains("every step follows"), "{back}");
    assert!(back.contains("Nothing is answered yet"), "{back}");
    let words = ["expert", "ask", "bicycle", "--session", "talk.json"];
    let other = run(folder.path(), &words, "");
    assert_eq!(other.status.code(), Some(2));
}

#[test]
fn what_is_not_in_a_menu_is_refused_with_what_is() {
    let folder = tempfile::tempdir().unwrap();
    let input = "9\nhardware\n0\nPaper is jammed.\nundo\nPrinting\npaper is jammed.\nquit\n";
    let out = run(folder.path(), &["expert", "ask", "printer"], input);
    let text = String::from_utf8(out.stdout).unwrap();
    for expected in [
        "there is no `9` in the list; type a number from 1 to 5",
        "there is no `0` in the list; type a number from 1 to 12",
        "there is no `Paper is jammed.` in the list",
        "> paper is jammed.\nHas a sheet come part of the way out",
    ] {
        assert!(text.contains(expected), "no `{expected}` in\n{text}");
    }
}

#[test]
fn a_query_is_held_to_its_limits() {
    let folder = tempfile::tempdir().unwrap();
    let program = "loop :- loop. big(X) :- numlist(1, 1000000, X).";
    std::fs::write(folder.path().join("p.pl"), program).unwrap();
    let query = |goal: &str, more: &[&str]| {
        let args = [&["expert", "query", "p.pl", goal], more].concat();
        let out = run(folder.path(), &args, "");
        let text = [out.stdout, out.stderr].concat();
        (out.status.code(), String::from_utf8(text).unwrap())
    };
    let (code, text) = query("loop.", &["--steps", "1000"]);
    assert_eq!(code, Some(2));
    assert!(
        text.contains("within 1000 steps") && text.contains("--steps"),
        "{text}"
    );
    let (code, text) = query("big(X).", &["--memory", "4"]);
    assert_eq!(code, Some(2));
    assert!(
        text.contains("more memory") && text.contains("--memory"),
        "{text}"
    );
    // A long value is cut off for people, and one without an end is written as what it repeats.
    let (code, text) = query("numlist(1, 10000, X).", &[]);
    assert_eq!(code, Some(0));
    assert!(
        text.len() < 11_000 && text.contains("more characters"),
        "{text}"
    );
    let (code, text) = query("X = f(X).", &[]);
    assert_eq!(code, Some(0));
    assert!(text.contains("@(S_1,[S_1=f(S_1)])"), "{text}");
    assert_eq!(query("big(X), fail.", &["--memory", "0"]).0, Some(2));
}

#[test]
fn the_prompt_gives_one_solution_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let input = "part_parent(X, camera).\n;\n;\nhistory\n!1\n\ntrace\nlabel(camera, L).\n\nproof\n!!\n\nfoo(.\npart_parnt(X, Y).\nquit\n";
    let out = run(folder.path(), &["expert", "repl", "printer"], input);
    let text = String::from_utf8(out.stdout).unwrap();
    for expected in [
        "X = camera_battery\n;\nX = camera_button\n;\nfalse\n",
        "  1. part_parent(X, camera).",
        "  exit: label(camera,\"docked camera\")   (L",
        "part_parent/2",
    ] {
        let expected = expected.replace("(L", "(A = \"docked camera\")");
        assert!(text.contains(&expected), "no `{expected}` in\n{text}");
    }
}

#[test]
fn the_prompt_tells_why_a_goal_failed() {
    let folder = tempfile::tempdir().unwrap();
    let program = ":- dynamic lamp/1. lamp(on). bright(X) :- ask(near(X)), lamp(off).
        gone(X) :- retract(lamp(on)), lamp(X).";
    std::fs::write(folder.path().join("p.pl"), program).unwrap();
    let said = |input: &str| {
        let out = run(folder.path(), &["expert", "repl", "p.pl"], input);
        assert!(out.status.success(), "{out:?}");
        let text = String::from_utf8(out.stdout).unwrap();
        let (_, said) = text.split_once("?- ").unwrap();
        said.to_owned()
    };
    let no = "no goal has failed just now";
    for (input, expected) in [
        ("why\n", vec![no]),
        (
            "bright(me).\nn\nwhy\nwhy.\n",
            vec![
                "false\n?- why\n  the answer to near(me) was “no”   (in bright(me))\n",
                "?- why.\n  the answer to near(me) was “no”   (in bright(me))\n",
            ],
        ),
        (
            "bright(me).\ny\nwhy\n",
            vec!["no clause fits lamp(off)   (in bright(me))"],
        ),
        // The goal took the fact away; why looks at the program as it was before.
        (
            "gone(X).\nwhy\nlamp(on).\n",
            vec![
                "no clause fits lamp(A)   (in gone(A))",
                "lamp(on).\nfalse\n",
            ],
        ),
        // With proofs on, reasons come by themselves.
        (
            "proof\nlamp(red).\n",
            vec!["false\n  no clause fits lamp(red)\n"],
        ),
        ("lamp(X).\n;\nwhy\n", vec!["the last goal did not fail"]),
        ("lamp(red).\nlamp(X).\n\nwhy\n", vec![no]),
        ("lamp(red).\nlamp(.\nwhy\n", vec![no]),
    ] {
        let text = said(input);
        for one in expected {
            assert!(text.contains(one), "no `{one}` in\n{text}");
        }
    }
}

/// A base that asks for a choice and a number.
const TYRE: &str = include_str!("../../../expert/tests/tyre.pl");

#[test]
fn choices_and_numbers_are_asked_in_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tyre.pl");
    std::fs::write(&file, TYRE).unwrap();
    let file = file.to_str().unwrap();
    let text = |args: &[&str], input: &str| {
        let out = run(folder.path(), args, input);
        let both = [out.stdout.clone(), out.stderr].concat();
        (
            out.status.code(),
            String::from_utf8(both).unwrap(),
            out.stdout,
        )
    };
    let has = |text: &str, expected: &[&str]| {
        for one in expected {
            assert!(text.contains(one), "no `{one}` in\n{text}");
        }
    };
    // The conversation: a number with its range, a menu, refusals, undo, a change.
    let input = "1\n1\n11\nmuch\n5\nwhy\n9\n2\nundo\nbrown\nlight brown\nanswers\nchange 1 9\nchange 1 x\nundo\nhow\ny\n";
    let (code, said, _) = text(&["expert", "ask", file], input);
    assert_eq!(code, Some(0), "{said}");
    has(
        &said,
        &[
            "`11` is not a number from 0 to 10",
            "`much` is not a number from 0 to 10",
            "Answer with a number from 0 to 10, or ?",
            "  2. light brown",
            "If light brown,",
            "`9` is not one of the choices; choose one of: black, light brown, white",
            "`brown` is not one of the choices",
            "Let some air out.",
            "`x` is not a number from 0 to 10",
            "You answered “5” to: What does the gauge show",
            "The conversation is over.",
        ],
    );
    // A query asks on standard error and goes on; its result stands alone.
    let (code, said, out) = text(
        &[
            "expert",
            "query",
            file,
            "fix(slow(tyre), advice(A, _)).",
            "--limit",
            "1",
        ],
        "12\n5\nwhite\n",
    );
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(
        String::from_utf8(out).unwrap().lines().next(),
        Some("A = wash")
    );
    has(
        &said,
        &["What does the gauge show", "from 0 to 10", "  3. white"],
    );
    // With nobody there, it says what is asked and how to answer.
    let (code, said, _) = text(&["expert", "query", file, "bar(P)."], "");
    assert_eq!(code, Some(2), "{said}");
    has(&said, &["the program asks `pressure`", "standard input"]);
    let program = folder.path().join("p.pl");
    std::fs::write(
        &program,
        "p(X, N) :- choose(colour, [red, blue], X), number(size, N).",
    )
    .unwrap();
    let program = program.to_str().unwrap();
    let input = "p(X, N).\npink\n2\nbig\n2.5\n\nquit\n";
    let (code, said, _) = text(&["expert", "repl", program], input);
    assert_eq!(code, Some(0), "{said}");
    has(
        &said,
        &[
            "  2. blue",
            "`pink` is not one of the choices; choose one of: red, blue",
            "`big` is not a number",
            "X = blue, N = 2.5",
        ],
    );
}

#[test]
fn choices_and_numbers_go_through_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let mut me = Client::new(server.address);
    let fields = [("name", "tyre"), ("text", TYRE)];
    assert_eq!(form(&mut me, "/expert/base", &fields).status, 200);
    let (page, _) = begin(&mut me, "tyre");
    let say = |me: &mut Client, body: Value| me.post(&format!("{page}/say"), &body).unwrap();
    for value in ["rolling", "slow(tyre)"] {
        say(&mut me, json!({"said": "choose", "value": value}));
    }
    let mut server = server;
    let mut seen = Vec::new();
    for _ in 0..3 {
        let state = me.get(&format!("{page}/state")).unwrap().json();
        let turn = &state["turn"]["question"];
        let Some(id) = turn["id"].as_str() else { break };
        seen.push(id.to_owned());
        let shown = me.get(&page).unwrap().body;
        let (wrong, expected, right) = match id {
            "pressure" => {
                assert_eq!(turn["kind"]["number"], json!([0.0, 10.0]));
                assert!(shown.contains("type=\"number\"") && shown.contains("max=\"10\""));
                ("12", "from 0 to 10", "6,5")
            }
            "wall" => {
                assert!(shown.contains("light brown"), "{shown}");
                ("pink", "black, light brown, white", "tan")
            }
            _ => ("tan", "yes, no", "no"),
        };
        let body = json!({"said": "reply", "question": id, "value": wrong});
        let refused = say(&mut me, body);
        assert_eq!(refused.status, 422, "{}", refused.body);
        assert!(refused.body.contains(expected), "{}", refused.body);
        let body = json!({"said": "reply", "question": id, "value": right});
        let reply = say(&mut me, body.clone());
        assert_eq!(reply.status, 200, "{}", reply.body);
        // Killed in between, taken back, and said again.
        server.kill();
        server = Server::start(folder.path(), &[]);
        me.address = server.address;
        me.origin = Some(format!("http://{}", server.address));
        assert_eq!(say(&mut me, json!({"said": "undo"})).status, 200);
        assert_eq!(say(&mut me, body).status, 200);
    }
    assert!(seen.contains(&"pressure".to_owned()) && seen.contains(&"wall".to_owned()));
    let state = me.get(&format!("{page}/state")).unwrap().json();
    assert_eq!(state["turn"]["advice"]["advice"]["name"], "wash");
    let change = json!({"said": "change", "question": "pressure", "value": "2"});
    let state = say(&mut me, change).json();
    assert_eq!(state["turn"]["advice"]["advice"]["name"], "pump");
    let report = me.get(&format!("{page}/report")).unwrap().body;
    assert!(
        report.contains("Which colour is the wall of the tyre? light brown"),
        "{report}"
    );
    // The query pane asks for both, too.
    let query = "/expert/query?base=tyre&limit=1&goal=fix%28slow%28tyre%29%2CA%29.";
    let asks = me.get(query).unwrap().body;
    assert!(asks.contains("name=\"number\""), "{asks}");
    let asks = me
        .get(&format!("{query}&question=pressure&number=5"))
        .unwrap()
        .body;
    assert!(
        asks.contains("said=pressure-%3A5&amp;said=wall-%232"),
        "{asks}"
    );
    let found = me.get(&format!("{query}&said=pressure-:5&said=wall-%232"));
    assert!(found.unwrap().body.contains("Wash the tyre"));
}

#[test]
fn a_failed_query_tells_why_when_proofs_are_wanted() {
    let folder = tempfile::tempdir().unwrap();
    let program = "part(lamp, panel). part(panel, dev). powered(dev).
        ok(X) :- part(X, Y), powered(Y).
        lit(X) :- retract(powered(dev)), part(X, Y), ask(on(X)), powered(Y).";
    std::fs::write(folder.path().join("p.pl"), program).unwrap();
    let query = |goal: &str, more: &[&str], input: &str| {
        let args = [&["expert", "query", "p.pl", goal], more].concat();
        let out = run(folder.path(), &args, input);
        assert_eq!(out.status.code(), Some(1), "{out:?}");
        String::from_utf8(out.stdout).unwrap()
    };
    assert_eq!(query("ok(lamp).", &[], ""), "false\n");
    assert_eq!(
        query("ok(lamp).", &["--proof"], ""),
        "false\n  no clause fits powered(panel)   (in ok(lamp))\n"
    );
    // What a person said counts, and facts are as they were before the query took them away.
    let told = query("lit(lamp).", &["--proof", "--json"], "y\n");
    let told: Value = serde_json::from_str(&told).unwrap();
    assert_eq!(told["status"], "false");
    let reason = json!({
        "ended": "no-clause",
        "goal": "powered(panel)",
        "path": ["lit(lamp)"],
        "text": "no clause fits powered(panel)",
    });
    assert_eq!(told["reasons"], json!([reason]));
    assert_eq!(
        query("lit(lamp).", &["--proof"], "n\n"),
        "false\n  the answer to on(lamp) was “no”   (in lit(lamp))\n"
    );
    // A proof is shown with what the checker says of it.
    let args = ["expert", "query", "p.pl", "ok(panel).", "--proof"];
    let out = run(folder.path(), &args, "");
    let shown = String::from_utf8(out.stdout).unwrap();
    assert!(
        shown.ends_with("  checked: every step follows\n"),
        "{shown}"
    );
    let out = run(folder.path(), &[&args[..], &["--json"]].concat(), "");
    let shown: Value = serde_json::from_slice(&out.stdout).unwrap();
    let checked = json!({ "checked": true, "trusted": 0 });
    let checks = shown["checks"].as_array().unwrap();
    assert!(!checks.is_empty() && checks.iter().all(|one| *one == checked));
    let found = query("ok(panel), fail.", &["--json"], "");
    let found: Value = serde_json::from_str(&found).unwrap();
    assert!(found["reasons"].is_null(), "{found}");
}

/// Every listed path is walked by asking the rules themselves.
#[test]
fn a_check_lists_every_answer_path() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("tyre.pl"), TYRE).unwrap();
    let check = |base: &str, more: &[&str]| {
        let args = [&["expert", "check", base], more].concat();
        String::from_utf8(run(folder.path(), &args, "").stdout).unwrap()
    };
    let plain = check("printer", &[]);
    assert!(!plain.contains("->") && plain.contains("44 answer paths"));
    let text = check("printer", &["--paths"]);
    assert!(text.ends_with(&plain), "{text}");
    let json: Value = serde_json::from_str(&check("printer", &["--paths", "--json"])).unwrap();
    let ways = json["ways"].as_array().unwrap();
    assert_eq!((ways.len(), &json["paths"]), (44, &json!(44)));
    let mut walked = 0;
    for way in ways.iter().filter(|way| way["problem"] == "jam") {
        let (mut line, mut input) = (Vec::new(), String::new());
        for answer in way["answers"].as_array().unwrap() {
            let (question, said) = (answer[0].as_str().unwrap(), answer[1].as_str().unwrap());
            line.push(format!("{question}={said}"));
            input.push_str(said);
            input.push('\n');
        }
        let advice = way["advice"].as_str().unwrap();
        let line = format!("jam: {} -> {advice}\n", line.join(", "));
        assert!(text.contains(&line), "no `{line}` in\n{text}");
        let goal = "fix(jam, advice(Name, _)).";
        let args = ["expert", "query", "printer", goal, "--limit", "1"];
        let out = String::from_utf8(run(folder.path(), &args, &input).stdout).unwrap();
        let first = out.lines().next();
        assert_eq!(first, Some(&*format!("Name = {advice}")), "{line}");
        walked += 1;
    }
    assert!(walked > 2, "{text}");
    let tyre = check("tyre.pl", &["--paths"]);
    let way = "slow(tyre): pressure=4 to 8, wall=light brown -> wash\n";
    assert!(tyre.contains(way), "{tyre}");
    // A base that cannot be read has no paths, only mistakes.
    std::fs::write(folder.path().join("bad.pl"), "base(bad, \"Bad\", 1). fix(").unwrap();
    let bad = check("bad.pl", &["--paths"]);
    assert!(bad.starts_with("error: bad.pl:1:"), "{bad}");
}
