//! The linter on small bases, each with one thing wrong: the finding, its line and its reason.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use wits_expert::lint;

/// A base without faults.
const GOOD: &str = r#"base(b, "B", 1).
category(c, "C").
problem(p, "P", c).
question(q, "Q?", 1, 0.5).
fix(p, advice(a, [S])) :- ask(q), say(hello, S).
fix(p, advice(b, ["B."])) :- \+ ask(q).
sample("one", p, [q-yes], a).
sample("two", p, [q-no], b).
say(hello, "Hello.").
say(bye, "Bye.").
"#;

/// Everything that is said about a text: rule, line, sentence.
fn found(text: &str) -> Vec<(String, Option<usize>, String)> {
    let report = lint::check("b.pl", text);
    let all = report.errors.iter().chain(&report.warnings);
    all.map(|f| (f.rule.clone(), f.line, f.message.to_string()))
        .collect()
}

/// The text with lines added at the end: exactly one finding, on that line of what is added.
fn one(lines: &str, rule: &str, line: usize, reason: &str) {
    let text = format!("{GOOD}{lines}");
    let all = found(&text);
    let [(name, at, says)] = &all[..] else {
        panic!("{lines}\n{all:#?}");
    };
    let line = GOOD.lines().count() + line;
    assert_eq!((name.as_str(), *at), (rule, Some(line)), "{lines}\n{says}");
    assert!(says.contains(reason), "{lines}\n{says}");
}

#[test]
fn good_bases_are_left_alone() {
    assert_eq!(found(GOOD), []);
    for (name, text) in wits_expert::BASES {
        let mut all = found(text);
        // Parts that no remedy speaks of and answers that no sample gives: said, and true.
        all.retain(|f| f.0 != "unused-part" && f.0 != "no-sample");
        assert_eq!(all, [], "{name}");
    }
    assert_eq!(found(wits_expert::TEMPLATE), []);
    // Idioms that are no faults.
    for fine in [
        "say(X, Y) :- X == other, atom_string(X, Y).",
        "problem(x(N), \"X\", c) :- between(1, 2, N), small(N). small(1) :- !. small(N) :- N < 3.
         fix(x(N), advice(n, [\"N.\"])) :- small(N).",
        "problem(y, \"Y\", c) :- never, fail. never.",
        "problem(z, \"Z\", c) :- maplist(known, [say]). known(_).
         fix(z, advice(n, [\"N.\"])).",
        ":- dynamic seen/1. problem(z, \"Z\", c) :- \\+ seen(z). fix(z, advice(n, [\"N.\"])).",
        ":- table near/2. near(X, Y) :- near(X, Z), say(Z, Y). near(X, X).
         problem(z, \"Z\", c) :- near(a, a). fix(z, advice(n, [\"N.\"])).",
        "problem(z, \"Z\", c) :- phrase(greet, [hi]). greet --> [hi]. fix(z, advice(n, [\"N.\"])).",
        "default(_, 1) :- fail. default(say, 2). default(_, 3).
         problem(z, \"Z\", c) :- default(say, 2). fix(z, advice(n, [\"N.\"])).",
    ] {
        assert_eq!(found(&format!("{GOOD}{fine}\n")), [], "{fine}");
    }
}

#[test]
fn predicates_that_nothing_leads_to() {
    one(
        "alone(X) :- say(X, _).",
        "unreachable",
        1,
        "alone/1 is never needed",
    );
    one(
        "a1 :- b1.\nfor_queries(a1/0).\nb1.\nc1.",
        "unreachable",
        4,
        "c1/0",
    );
    // Two that only need each other.
    let all = found(&format!("{GOOD}x1 :- y1.\ny1 :- x1.\n"));
    assert_eq!(all.len(), 2, "{all:?}");
}

#[test]
fn clauses_that_are_never_reached_or_add_nothing() {
    one("say(bye, \"Bye.\").", "shadowed", 1, "line 10 says already");
    one(
        "for_queries(k/2).\nk(X, Y) :- !, say(X, Y).\nk(hello, _).",
        "shadowed",
        3,
        "line 12 fits whatever it fits and cuts at once",
    );
    one(
        "for_queries(k/2).\nk(_, 1).\nk(X, Y) :- say(X, Y).\nk(X, 1) :- say(X, _).",
        "shadowed",
        4,
        "the fact on line 12 covers it",
    );
    // One and the same value twice is less than everything.
    assert_eq!(
        found(&format!(
            "{GOOD}for_queries(k/2).\nk(X, X).\nk(X, Y) :- say(X, Y).\n"
        )),
        []
    );
}

#[test]
fn goals_that_nothing_can_match() {
    one(
        "for_queries(k/1).\nk(X) :- sai(X, _).",
        "undefined",
        2,
        "calls sai/2",
    );
    one(
        "for_queries(k/1).\nk(X) :- say(helo, X).",
        "no-match",
        2,
        "`say(helo,",
    );
    // Through a rule that looks it up, and in one of two ways.
    one(
        "for_queries(k/1).\ntold(X, Y) :- say(X, Y).\nk(X) :- told(helo, X).",
        "no-match",
        3,
        "`told(helo,",
    );
    one(
        "for_queries(k/1).\nk(X) :- ( say(hello, X) ; say(helo, X) ).",
        "no-match",
        2,
        "`say(helo,",
    );
    one(
        "for_queries(k/0).\nk :- choose(colour, [red, blue], green).",
        "no-match",
        2,
        "green",
    );
}

#[test]
fn conditions_that_exclude_each_other() {
    one(
        "for_queries(k/0).\nk :- ask(q), say(hello, _), \\+ ask(q).",
        "contradictory",
        2,
        "`ask(q)` and `\\+ask(q)` exclude each other",
    );
    one(
        "for_queries(k/0).\nk :- ask(q, no), ask(q).",
        "contradictory",
        2,
        "exclude each other",
    );
    one(
        "for_queries(k/1).\nk(N) :- N > 5, say(_, _), N =< 5.",
        "contradictory",
        2,
        "exclude each other",
    );
    one(
        "for_queries(k/1).\nk(N) :- N = a, N == b.",
        "contradictory",
        2,
        "exclude each other",
    );
    // Through a rule: whatever `open` takes, it needs a yes.
    one(
        "for_queries(k/0).\nopen(1) :- ask(q).\nopen(2) :- ask(q), say(bye, _).\nk :- \\+ ask(q), open(_).",
        "contradictory",
        4,
        "`\\+ask(q)` and `open(",
    );
    assert_eq!(
        found(&format!(
            "{GOOD}for_queries(k/1).\nk(N) :- N > 5, N < 6.\nk(N) :- N >= 5, N =< 5.\n"
        )),
        []
    );
}
