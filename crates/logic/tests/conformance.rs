//! The conformance tables, and the law that what is written reads back as itself.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::{BTreeMap, BTreeSet};
use std::process::{Command, Stdio};

use proptest::prelude::*;
use wits_logic::{Answer, Machine, Outcome, Term, Wanted, conformance};

/// Every case comes to what its table says; what is said to be unsupported really is.
#[test]
fn tables() {
    let report = conformance::report();
    assert!(report.cases > 1500, "{} cases", report.cases);
    let wrong: Vec<String> = report
        .differences
        .iter()
        .map(|d| {
            format!(
                "{}:{}: {}\n   expected {}\n   found    {}",
                d.table, d.line, d.goal, d.expected, d.found
            )
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Collecting unused terms and names at every call changes nothing.
#[test]
fn tables_while_everything_unused_is_collected() {
    let mut wrong = Vec::new();
    for case in conformance::cases().filter(|case| !case.unsupported) {
        let mut m = Machine::new();
        m.collect_always();
        let found = conformance::outcome_on(m, case.goal);
        if found != case.expected {
            let (table, line) = (case.category, case.line);
            wrong.push(format!("{table}:{line}: {}\n   found {found}", case.goal));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The expectations are not our own: SWI-Prolog runs every case, and comes to the same unless the
/// list of differences says why not. The list was made with one build of version 9.0.4, and another
/// may differ in other cases, so this is asked for with `WITS_SWI=1`.
#[test]
fn expectations_are_shared_with_another_system() {
    if std::env::var_os("WITS_SWI").is_none() {
        return;
    }
    let cases: Vec<conformance::Case> = conformance::cases().collect();
    let goals: Vec<&str> = cases.iter().map(|c| c.goal).collect();
    let file = std::env::temp_dir().join(format!("wits-cases-{}.txt", std::process::id()));
    std::fs::write(&file, goals.join("\n") + "\n").unwrap();
    let peer = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/peer.pl");
    let out = Command::new("timeout")
        .args(["600", "swipl", "-q", "-g", "main", "-t", "halt", peer, "--"])
        .arg(&file)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    std::fs::remove_file(&file).unwrap();
    let told = String::from_utf8_lossy(&out.stdout);
    let theirs: BTreeMap<usize, &str> = told
        .lines()
        .filter_map(|line| line.strip_prefix('<')?.split_once('>'))
        .filter_map(|(n, outcome)| Some((n.parse().ok()?, outcome)))
        .collect();
    let known: BTreeSet<&str> = include_str!("../conformance/swi.txt")
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .collect();
    let mut wrong = Vec::new();
    let mut stale = known.clone();
    for (n, case) in cases.iter().enumerate() {
        let theirs = theirs.get(&n).copied().unwrap_or("nothing");
        if nameless(theirs) == nameless(case.expected) {
            continue;
        }
        stale.remove(case.goal);
        if !known.contains(case.goal) {
            wrong.push(format!(
                "{}:{}: {}\n   expected {}\n   SWI      {theirs}",
                case.category, case.line, case.goal, case.expected
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(stale.is_empty(), "no difference any more: {stale:?}");
}

/// An outcome without the numbers of streams and the places of clauses.
fn nameless(outcome: &str) -> String {
    let mut out = String::new();
    let mut rest = outcome;
    while let Some((at, begin)) = ["'$stream'(", "<stream>(0x", "<clause>(0x"]
        .iter()
        .filter_map(|begin| Some((rest.find(begin)?, begin)))
        .min()
    {
        out.push_str(&rest[..at]);
        out.push('…');
        rest = &rest[at + begin.len()..];
        rest = rest.split_once(')').map_or("", |(_, rest)| rest);
    }
    out + rest
}

/// Names that try the writer: operators, symbols, quotes, capitals, the empty name.
const NAMES: &[&str] = &[
    "a", "b", "foo", "A", "_x", "", "a b", "it's", "\\", "\n", "-", "+", "*", "/", "//", "/*",
    "*/", ".", "..", ",", "|", "||", ";", "!", "[]", "{}", ":-", "-->", "->", "\\+", "=", "is",
    "mod", "^", "**", "@", "$", "%", "é", "É", "日", "dynamic", "0", "1a", "#", "?-", "'", "\"",
    "`", "e", "x",
];

/// Operators that a case may declare, besides the standard ones.
const DECLARED: &[(&str, &str)] = &[
    ("foo", "fy"),
    ("foo", "xfx"),
    ("a", "yfx"),
    ("b", "xf"),
    ("#", "fx"),
    ("#", "xfy"),
    ("@", "yf"),
    ("a b", "xfx"),
    ("e", "xfy"),
    ("x", "fy"),
    ("..", "xfx"),
    ("é", "yf"),
    ("/*", "yfx"),
    ("-", "xf"),
];

fn name() -> impl Strategy<Value = String> {
    prop::sample::select(NAMES).prop_map(str::to_owned)
}

fn term() -> impl Strategy<Value = Term> {
    let leaf = prop_oneof![
        name().prop_map(|n| match n.as_str() {
            "[]" => Term::List(Vec::new(), None),
            _ => Term::Atom(n),
        }),
        any::<i64>().prop_map(Term::from),
        (-3i64..4).prop_map(Term::from),
        any::<f64>()
            .prop_filter("finite", |x| x.is_finite())
            .prop_map(Term::Float),
        name().prop_map(Term::Text),
        prop::sample::select(&["X", "Y"][..]).prop_map(|v| Term::Var(v.to_owned())),
    ];
    leaf.prop_recursive(6, 40, 3, |inner| {
        prop_oneof![
            3 => (name(), prop::collection::vec(inner.clone(), 1..3))
                .prop_map(|(n, args)| Term::Compound(n, args)),
            1 => (prop::collection::vec(inner.clone(), 1..3), prop::option::of(inner))
                .prop_map(|(items, tail)| match tail {
                    // A list as the tail of a list is one list.
                    Some(Term::List(more, end)) => {
                        Term::List([items, more].concat(), end)
                    }
                    tail => Term::List(items, tail.map(Box::new)),
                }),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    /// `writeq`, then `read`: the same term, whatever the operators.
    #[test]
    fn round_trip(
        t in term(),
        declared in prop::collection::vec((prop::sample::select(DECLARED), 1u16..1201), 0..5),
    ) {
        let mut m = Machine::new();
        for ((name, kind), priority) in declared {
            let goal = Term::Compound(
                "op".to_owned(),
                vec![Term::from(i64::from(priority)), Term::atom(kind), Term::atom(name)],
            );
            // What may not be an operator beside another is refused.
            m.query(&format!("catch({}, _, true).", m.write_value(&goal))).unwrap();
            m.solve();
        }
        let text = m.write_value(&t);
        let back = m.read_value(&text);
        prop_assert_eq!(back.as_ref(), Ok(&t), "written {}", text);
    }
}

/// What a program reads is asked for, line by line; a term may take several.
#[test]
fn standard_input_is_a_question() {
    let mut m = Machine::new();
    m.query("prompt(_, 'age? '), read(X), read(Y), get_char(C), get_char(D).")
        .unwrap();
    let Outcome::Asked(q) = m.solve() else {
        panic!()
    };
    assert_eq!((q.term.as_str(), &q.wanted), ("age? ", &Wanted::Term));
    assert!(m.answer(Answer::Yes).is_err());
    m.answer(Answer::Line("foo(".to_owned())).unwrap();
    assert!(matches!(m.solve(), Outcome::Asked(_)));
    // A machine that waits is data like any other.
    let saved = serde_json::to_string(&m).unwrap();
    let mut m: Machine = serde_json::from_str(&saved).unwrap();
    m.answer(Answer::Line("A). bar.".to_owned())).unwrap();
    let Outcome::Asked(q) = m.solve() else {
        panic!()
    };
    assert_eq!(q.wanted, Wanted::Line);
    m.answer(Answer::End).unwrap();
    let Outcome::Solution(s) = m.solve() else {
        panic!()
    };
    let values: Vec<&str> = s.bindings.iter().map(|b| b.value.as_str()).collect();
    assert_eq!(values, ["foo(_1)", "bar", "'\\n'", "end_of_file"]);
}

/// A cleanup runs once, whichever way its goal ends, also with the smallest steps.
#[test]
fn cleanups_survive_running_out_of_steps() {
    let mut m = Machine::new();
    m.query("setup_call_cleanup(true, member(X, [1,2]), write(done)), write(X), !.")
        .unwrap();
    let mut rounds = 0;
    let outcome = loop {
        m.refuel(wits_logic::Fuel {
            steps: 40,
            ..wits_logic::Fuel::default()
        });
        match m.solve() {
            Outcome::OutOfSteps => rounds += 1,
            other => break other,
        }
        assert!(rounds < 100);
    };
    assert!(matches!(outcome, Outcome::Solution(_)), "{outcome:?}");
    assert_eq!(m.take_output(), "1done");
}

/// Backtracking takes back what `setarg/3` and `b_setval/2` did, also across collections.
#[test]
fn assignments_survive_collections() {
    let mut m = Machine::new();
    m.consult(
        "churn.pl",
        "churn(0) :- !.\nchurn(N) :- length(L, 50), L = [_|_], M is N-1, churn(M).",
    )
    .unwrap();
    m.query(
        "T = f(a, _), b_setval(v, one), b_setval(w, g(T)), nb_setval(k, h(T)),
         ( setarg(1, T, h(b)), b_setval(v, two(T)), churn(60000), T = f(A, _), b_getval(v, B), C = in
         ; churn(60000), arg(1, T, A), b_getval(v, B), nb_setarg(1, T, q(z)), churn(60000), C = out ).",
    )
    .unwrap();
    let Outcome::Solution(s) = m.solve() else {
        panic!()
    };
    assert!(m.collections() > 0);
    assert_eq!(
        (s.value("A"), s.value("B")),
        (Some("h(b)"), Some("two(f(h(b),_1))"))
    );
    let Outcome::Solution(s) = m.solve() else {
        panic!()
    };
    assert_eq!((s.value("A"), s.value("B")), (Some("a"), Some("one")));
    assert_eq!(s.value("T"), Some("f(q(z),_1)"));
}

/// A predicate in Rust may throw, and share variables with its caller.
#[test]
fn foreign_predicates() {
    let mut m = Machine::new();
    m.define("pair", 2, |args| {
        Ok(Some(vec![
            Term::Compound("p".to_owned(), vec![args[1].clone(), args[1].clone()]),
            args[1].clone(),
        ]))
    })
    .unwrap();
    m.define("refuse", 1, |args| {
        Err(Term::Compound("no".to_owned(), args.to_vec()))
    })
    .unwrap();
    m.query("pair(P, X), X = 1, catch(refuse(2), no(N), true).")
        .unwrap();
    let Outcome::Solution(s) = m.solve() else {
        panic!()
    };
    assert_eq!((s.value("P"), s.value("N")), (Some("p(1,1)"), Some("2")));
    assert!(m.define("atom", 1, |_| Ok(None)).is_err());
    // Read back from data, it is gone until it is defined again.
    let saved = serde_json::to_string(&m).unwrap();
    let mut back: Machine = serde_json::from_str(&saved).unwrap();
    assert!(back.every("pair(P, 1).", "P").is_err());
    back.define("pair", 2, |args| Ok(Some(args.to_vec())))
        .unwrap();
    assert!(back.every("pair(7, 1).", "P").is_ok());
}
