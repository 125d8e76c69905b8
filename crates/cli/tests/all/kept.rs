//! Every verb that keeps a thread keeps one that survives the check.

use crate::common::wits;

/// Verbs with `--thread`, what they are asked, and who keeps what they found.
const KEPT: [&[&str]; 9] = [
    &[
        "rainbow", "solve", "--n", "9", "--k", "3", "--first", "maker",
    ],
    &[
        "rainbow", "solve", "--n", "8", "--k", "4", "--first", "breaker",
    ],
    &[
        "rainbow", "solve", "--n", "17", "--k", "5", "--limit", "300",
    ],
    &["thue", "find", "0120210201"],
    &["thue", "find", "0121021", "--kind", "overlap"],
    &["thue", "find", "abcacb"],
    &["expert", "query", "printer", "below(camera, X)."],
    &[
        "transit",
        "route",
        "#1",
        "#2",
        "--arrive-by",
        "--by",
        "pareto",
    ],
    &["transit", "tour", "#1", "--via", "#2;#3;#4"],
];

#[test]
fn the_thread_of_every_verb_survives_the_check() {
    let folder = tempfile::tempdir().unwrap();
    for (n, verb) in KEPT.iter().enumerate() {
        let file = folder.path().join(format!("{n}.thread"));
        let file = file.to_str().unwrap();
        let mut asked = verb.to_vec();
        asked.extend(["--thread", file]);
        if verb[0] == "transit" {
            asked.extend(["--at", "8:00", "--size", "0.2"]);
        }
        let _ = wits(folder.path()).args(&asked).output().unwrap();
        let checked = wits(folder.path()).args(["thread", "check", file]).output();
        let checked = checked.unwrap();
        let said = String::from_utf8_lossy(&checked.stdout);
        assert!(checked.status.success(), "{verb:?}: {said}");
        assert!(!said.starts_with("0 steps"), "{verb:?}: {said}");
    }
}
