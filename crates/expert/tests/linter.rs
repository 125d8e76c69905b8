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
        assert_eq!(found(text), [], "{name}");
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
        "`told(helo,A)`",
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

/// Everything the linter can find, each in a base that has this fault and was good without it.
const FAULTS: [(&str, &str, &str); 37] = [
    ("syntax", "fix(p, advice(", ""),
    ("once", "for_queries(k/1). k(X) :- say(X, Y).", ""),
    ("header", "base(b, \"B\", 2).", "base(b, \"B\", 1)."),
    ("rules", "problem(r, \"R\", c). fix(r, advice(r, [\"R.\"])) :- 1 < one.", ""),
    ("endless", "problem(r, \"R\", c). fix(r, A) :- fix(r, A).", ""),
    ("too-large", "problem(x(N), \"X\", c) :- between(1, 100000, N).", ""),
    ("category", "problem(r, \"R\", nowhere). fix(r, advice(r, [\"R.\"])).", ""),
    ("no-advice", "problem(r, \"R\", c).", ""),
    ("no-advice", "problem(r, \"R\", c). fix(r, advice(r, [])).", ""),
    ("no-advice", "", "fix(p, advice(b, [\"B.\"])) :- \\+ ask(q)."),
    (
        "unproved",
        "problem(r, \"R\", c). fix(r, advice(r, [\"R.\"])) :- \\+ far.
         far :- between(1, 700, X), between(1, 700, Y), X * Y < 0.",
        "",
    ),
    (
        "contradiction",
        "contradicts(a, z). fix(p, advice(z, [\"Z.\"])) :- ask(q).",
        "",
    ),
    ("ambiguous", "fix(p, advice(a, [\"Other.\"])) :- ask(q).", ""),
    // Rules of fix/2 that are not the first to advise, and those that no problem leads to.
    ("unreachable", "fix(p, advice(z, [\"Z.\"])) :- ask(q).", ""),
    ("unreachable", "fix(elsewhere, advice(z, [\"Z.\"])).", ""),
    ("unreachable", "alone(X) :- say(X, _).", ""),
    ("shadowed", "say(bye, \"Bye.\").", ""),
    ("undefined", "for_queries(k/1). k(X) :- sai(X, _).", ""),
    ("no-match", "for_queries(k/1). k(X) :- say(helo, X).", ""),
    ("contradictory", "for_queries(k/0). k :- ask(q), \\+ ask(q).", ""),
    ("never-asked", "question(z, \"Z?\", 1, 0.5).", ""),
    ("no-wording", "", "question(q, \"Q?\", 1, 0.5)."),
    (
        "varies",
        "question(z, \"Z?\", 1, even). problem(r, \"R\", c). problem(s, \"S\", c).
         fix(r, advice(r, [\"R.\"])) :- choose(z, [x, y], _). fix(s, advice(r, [\"R.\"])) :- choose(z, [y], _).",
        "",
    ),
    (
        "must-know",
        "question(z, \"Z?\", 1, between(0, 9)). problem(r, \"R\", c).
         fix(r, advice(r, [\"R.\"])) :- number(z, N), N >= 0.",
        "",
    ),
    (
        "no-range",
        "question(z, \"Z?\", 1, 0.5). problem(r, \"R\", c). fix(r, advice(r, [\"R.\"])) :- number(z, _).",
        "",
    ),
    ("doubled", "question(q, \"Once more?\", 1, 0.5).", ""),
    ("rate", "question(z, \"Z?\", 1, 1.5). sign(p, z).", ""),
    ("sign", "sign(p, qq).", ""),
    (
        "option",
        "question(z, \"Z?\", 1, [rde-3, blue-1]). problem(r, \"R\", c).
         fix(r, advice(r, [\"R.\"])) :- choose(z, [red, blue], _).",
        "",
    ),
    ("wording", "wording(sai(_, _), \"they say so\", []).", ""),
    ("parent", "part(x, \"X\", [], nowhere).", ""),
    ("cycle", "part(x, \"X\", [], y). part(y, \"Y\", [], x).", ""),
    ("unused-part", "part(x, \"X\", [], null).", ""),
    ("sample", "sample(\"three\", p, [q-yes], b).", ""),
    // What the base does not know, and an answer that is none.
    ("sample", "sample(\"three\", p, [q-maybe], a).", ""),
    ("sample", "sample(\"three\", nothing, [], a).", ""),
    ("order", "for_queries(k/2). say(x, \"X.\"). k(X, Y) :- say(_, Y), say(X, Y).", ""),
];

#[test]
fn every_kind_of_fault_is_found() {
    let mut missed = Vec::new();
    for (rule, added, taken) in FAULTS {
        assert!(GOOD.contains(taken), "{taken}");
        let text = match taken {
            "" => GOOD.to_owned(),
            taken => GOOD.replace(taken, ""),
        };
        let all = found(&format!("{text}{added}\n"));
        if !all.iter().any(|f| f.0 == rule) {
            missed.push((rule, added, all));
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
    // The kinds as the linter names them: none is left out above.
    let sources = [
        include_str!("../src/lint.rs"),
        include_str!("../src/lint/clauses.rs"),
        include_str!("../src/lint/declarations.rs"),
    ];
    let mut kinds = 0;
    for source in sources {
        for call in ["finding(\"", "placed(\"", "doubt(\"", "found(\""] {
            for rest in source.split(call).skip(1) {
                let kind = rest.split('"').next().unwrap();
                assert!(FAULTS.iter().any(|f| f.0 == kind), "{kind} has no base");
                kinds += 1;
            }
        }
    }
    assert!(kinds > 20, "{kinds}");
}

#[test]
fn goals_that_search_before_a_lookup() {
    let facts = "part(a1, \"A\", [], null). part(b1, \"B\", [], a1). part(c1, \"C\", [], a1).
        is_part(P) :- part(P, _, _, _). up(P, Q) :- part(P, _, _, Q).\n";
    let order = |rule: &str| -> Vec<String> {
        let text = format!("{GOOD}{facts}for_queries(k/2). {rule}\n");
        let all = found(&text).into_iter().filter(|f| f.0 == "order");
        all.map(|(_, line, says)| {
            assert_eq!(line, Some(GOOD.lines().count() + 3), "{rule}");
            says
        })
        .collect()
    };
    // As the rule is called with its first argument known, the lookup should come first.
    for (rule, says) in [
        (
            "k(X, Y) :- is_part(Y), up(X, Y).",
            "write `up(A,B)` before `is_part(B)`",
        ),
        (
            "k(X, Y) :- up(Y, P), up(X, P).",
            "write `up(A,C)` before `up(B,C)`",
        ),
        (
            "k(_, Y) :- is_part(Y), up(Y, a1).",
            "write `up(B,a1)` before `is_part(B)`",
        ),
    ] {
        let found = order(rule);
        assert_eq!(found.len(), 1, "{rule}");
        assert!(
            found[0].contains("in `k/2`: ") && found[0].ends_with(says),
            "{found:?}"
        );
    }
    for fine in [
        "k(X, Y) :- up(X, Y), is_part(Y).",
        "k(X, Y) :- up(X, P), up(Y, P).",
        "k(X, Y) :- is_part(X), up(Y, X).",
        "k(X, Y) :- is_part(Y), say(X, _).",
        "k(X, Y) :- is_part(Y), Y \\== X.",
    ] {
        assert_eq!(order(fine), Vec::<String>::new(), "{fine}");
    }
}

/// Slips of the pen are named, at the line they stand on.
#[test]
fn slips_are_named_at_their_line() {
    for (lines, rule, line, reason) in [
        ("sign(p, qq).", "sign", 1, "did you mean `q`"),
        (
            "sign(pp, q).",
            "sign",
            1,
            "problem `pp`, which does not exist; did you mean `p`",
        ),
        (
            "question(z, \"Z?\", 1, 1.5).\nsign(p, z).",
            "rate",
            1,
            "`1.5` is not a probability",
        ),
        (
            "\nquestion(q, \"Once more?\", 1, 0.3).",
            "doubled",
            2,
            "question `q` is declared twice, first on line 4",
        ),
        (
            "question(z, \"Z?\", 1, even).\nproblem(r, \"R\", c).\n\
             fix(r, advice(r, [\"R.\"])) :- choose(z, [red, blue], C), tone(C).\n\
             tone(red).\ntone(bleu).\ntone(unknown).\ntone(blue).",
            "option",
            5,
            "`bleu` is not an option of `z`; did you mean `blue`?; its options are: red, blue",
        ),
        (
            "question(z, \"Z?\", 1, even).\nanswer(z, rde, \"red\").\nproblem(r, \"R\", c).\n\
             fix(r, advice(r, [\"R.\"])) :- choose(z, [red, blue], _).",
            "option",
            2,
            "did you mean `red`",
        ),
        // An endless rule behind another one: neither the problem nor the rule that calls it.
        (
            "problem(r, \"R\", c).\nfix(r, advice(r, [\"R.\"])) :- ask(q), near(a, _).\n\
             near(X, Y) :- far(X, Y).\nfar(X, Y) :- step(X, Z), far(Z, Y).\nstep(X, X).",
            "endless",
            4,
            "busy in far/2",
        ),
        (
            "problem(r, \"R\", c).\nfix(r, advice(r, [\"R.\"])) :- deep(0, _).\n\
             deep(N, s(X)) :- M is N + 1, deep(M, X), true.",
            "endless",
            3,
            "busy in deep/2",
        ),
        (
            "problem(r, \"R\", c).\nfix(r, advice(r, [\"R.])).\nproblem(s, \"S\", c).",
            "syntax",
            2,
            "this quote is not closed on its line",
        ),
        ("for_queries(k/1).\nk('a).\nk(b).", "syntax", 2, "quote"),
    ] {
        one(lines, rule, line, reason);
    }
}

/// The other findings were lost behind a rule that does not end.
#[test]
fn an_endless_rule_hides_nothing_else() {
    let text = "base(b, \"B\", 1).
        category(c, \"C\").
        problem(r, \"R\", c).
        problem(s, \"S\", c).
        problem(t, \"T\", c).
        question(q, \"Q?\", 1, 0.5).
        fix(r, A) :- fix(r, A).
        fix(s, advice(s, [\"S.\"])) :- ask(q).
        fix(t, A) :- loop(A).
        loop(A) :- loop(A).
        sign(s, q2).
        part(a, \"A\", [], nowhere).\n";
    let report = lint::check("b.pl", text);
    let found: Vec<(&str, Option<usize>)> = (report.errors.iter())
        .map(|f| (f.rule.as_str(), f.line))
        .collect();
    for one in [
        ("endless", Some(7)),
        ("endless", Some(10)),
        ("sign", Some(11)),
        ("no-advice", Some(4)),
        ("parent", Some(12)),
    ] {
        assert!(found.contains(&one), "{one:?}: {found:?}");
    }
    assert!(report.base && report.warnings.is_empty(), "{report:?}");
}

/// Of several in one problem only the first was told.
#[test]
fn every_endless_rule_of_a_problem_is_told() {
    let text = "base(b, \"B\", 1).
        category(c, \"C\").
        problem(r, \"R\", c).
        fix(r, A) :- fix(r, A).
        fix(r, A) :- first(A).
        fix(r, A) :- second(A).
        fix(r, advice(r, [\"R.\"])).
        first(A) :- 'don\\'t stop'(A).
        'don\\'t stop'(A) :- 'don\\'t stop'(A).
        second(A) :- third(A, _).
        third(A, [_|T]) :- third(A, T).\n";
    let report = lint::check("b.pl", text);
    let mut lines: Vec<Option<usize>> = (report.errors.iter())
        .filter(|f| f.rule == "endless")
        .map(|f| f.line)
        .collect();
    lines.sort_unstable();
    assert_eq!(lines, [Some(4), Some(9), Some(11)], "{report:?}");
}

#[test]
fn a_base_with_a_syntax_error_is_still_called_a_base() {
    let report = lint::check("b.pl", "base(b, \"B\", 1).\np(.\n");
    assert!(report.base && report.errors.len() == 1, "{report:?}");
}

/// A program that is no base is no diagnosis either.
#[test]
fn plain_programs_are_not_taken_for_bases() {
    let family = "parent(ann, bob). parent(bob, cid).
        ancestor(X, Y) :- parent(X, Y).
        ancestor(X, Z) :- parent(X, Y), ancestor(Y, Z).
        question(q, \"?\", 1, 7).\n";
    assert_eq!(found(family), []);
    let report = lint::check("family.pl", family);
    assert!(!report.base && report.paths == 0);
    let wrong = found("a(X) :- b(X).\n");
    assert_eq!(wrong.len(), 1, "{wrong:?}");
    assert_eq!((wrong[0].0.as_str(), wrong[0].1), ("undefined", Some(1)));
}

/// What samples cover is counted, not complained about: a first base has none.
#[test]
fn samples_are_counted() {
    let report = lint::check("b.pl", GOOD);
    assert_eq!(report.sampled, (2, 2));
    let text = GOOD.replace("sample(\"two\", p, [q-no], b).\n", "");
    assert_eq!(found(&text), []);
    assert_eq!(lint::check("b.pl", &text).sampled, (1, 2));
}
