//! Programs at the command line: a turn that is sent again, and how a game that is lost by a fault ends.

use serde_json::Value;

use crate::common::{ask, run};

/// Writes down what it is greeted with, and plays the first legal move; from its second turn on it plays nonsense.
const PROGRAM: &str = r#"
import json, sys
turns = 0
for text in sys.stdin:
    line = json.loads(text)
    if "hello" in line:
        open("hello.json", "w").write(text)
        print(json.dumps({"name": "test"}), flush=True)
    if "legal" in line:
        turns += 1
        move = line["legal"][0] if turns < 2 else "nonsense"
        print(json.dumps({"turn": line["id"], "move": move}), flush=True)
"#;

const PLAYER: &str = "program:run=\"python3 mine.py\"";

/// `wits bot debug --turn N` greeted a program with another seed than the game had.
#[test]
fn a_turn_that_is_sent_again_comes_with_the_greeting_of_its_game() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("mine.py"), PROGRAM).unwrap();
    let game = ["play", "tictactoe", "--seat", "random", "--seat", PLAYER];
    let played = ask(
        folder.path(),
        &[&game[..], &["--seed", "5", "--save", "x.record"]].concat(),
        0,
    );
    assert_eq!(played["moves"].as_array().unwrap().len(), 3, "{played}");
    let hello = std::fs::read_to_string(folder.path().join("hello.json")).unwrap();
    let mut hello: Value = serde_json::from_str(&hello).unwrap();
    // Only a game has limits.
    hello["limits"].as_object_mut().unwrap().remove("memory");
    for turn in ["1", "3"] {
        let debug = ["bot", "debug", "--record", "x.record", "--turn", turn];
        let sent = &ask(folder.path(), &debug, 0)["sent"];
        assert_eq!(sent[0], hello, "turn {turn}");
        assert_eq!(sent[1]["turn"].to_string(), turn);
    }
}

/// A game that was lost by an illegal move ended with "resigned".
#[test]
fn a_game_says_by_which_fault_it_was_lost() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("mine.py"), PROGRAM).unwrap();
    let game = ["play", "tictactoe", "--seat", "random", "--seat", PLAYER];
    let more = ["--seed", "5", "--save", "x.record"];
    let output = run(folder.path(), &[&game[..], &more].concat(), "");
    let said = String::from_utf8(output.stdout).unwrap();
    let end = "X wins: O lost by a fault (illegal): it played what the rules refuse.";
    assert!(said.contains(end), "{said}");
    assert!(
        said.contains("legal moves: "),
        "its author reads more: {said}"
    );
    // Whoever reads the record finds the word, and not what the author reads.
    let again = run(folder.path(), &["replay", "x.record"], "");
    let again = String::from_utf8(again.stdout).unwrap();
    assert!(again.contains("O lost by a fault (illegal)"), "{again}");
    let record = std::fs::read_to_string(folder.path().join("x.record")).unwrap();
    assert!(record.contains("\"fault\":\"illegal\"") && !record.contains("nonsense"));
}
