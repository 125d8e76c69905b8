//! Every verb that keeps a thread keeps one that survives the check.

use crate::common::wits;

/// Verbs with `--thread`, and what they are asked.
const KEPT: [&str; 9] = [
    "rainbow solve --n 9 --k 3 --c 4 --first maker",
    "rainbow solve --n 8 --k 4 --c 5 --first breaker",
    "rainbow solve --n 12 --k 4 --c 5 --first maker --limit 300",
    "thue find 0120210201",
    "thue find 0121021 --kind overlap",
    "thue find abcabc",
    "expert query printer below(camera,X).",
    "transit route #1 #2 --at 8:00 --size 0.2 --arrive-by --by pareto",
    "transit tour #1 --via #2;#3;#4 --at 8:00 --size 0.2",
];

#[test]
fn the_thread_of_every_verb_survives_the_check() {
    let folder = tempfile::tempdir().unwrap();
    for (n, verb) in KEPT.iter().enumerate() {
        let file = folder.path().join(format!("{n}.thread"));
        let file = file.to_str().unwrap();
        let mut asked: Vec<&str> = verb.split(' ').collect();
        asked.extend(["--thread", file]);
        let _ = wits(folder.path()).args(&asked).output().unwrap();
        let checked = wits(folder.path()).args(["thread", "check", file]).output();
        let checked = checked.unwrap();
        let said = String::from_utf8_lossy(&checked.stdout);
        assert!(checked.status.success(), "{verb:?}: {said}");
        assert!(!said.starts_with("0 steps"), "{verb:?}: {said}");
    }
}
