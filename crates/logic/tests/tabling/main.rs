//! Proofs of tabled goals: unfolded down to clauses and accepted by the judge, which knows no tables.
#![allow(
    clippy::unwrap_used,
    clippy::missing_panics_doc,
    reason = "a test that cannot go on fails"
)]

mod evaluation;
mod random;

use std::collections::BTreeSet;

use wits_logic::{Answer, Because, Event, Machine, Outcome, Proof, Term, Unproved, check, reasons};

fn machine(text: &str) -> Machine {
    let mut m = Machine::new();
    m.consult("t.pl", text).unwrap();
    m.record_proofs(true);
    m
}

/// All solutions of a goal over `X` and `Y`, each with a proof that the judge accepts without
/// trusting anything.
fn proved(m: &mut Machine, goal: &str) -> BTreeSet<(String, String)> {
    m.query(goal).unwrap();
    let mut found = BTreeSet::new();
    loop {
        match m.solve() {
            Outcome::Solution(s) => {
                let value = |n: &str| s.value(n).unwrap_or_default().to_owned();
                assert!(found.insert((value("X"), value("Y"))), "an answer twice");
                let proof = m.proof().unwrap();
                match check(m, &proof) {
                    Ok(c) => assert_eq!(c.trusted, 0, "{proof:#?}"),
                    Err(e) => panic!("{e}\n{}", told(&proof)),
                }
            }
            Outcome::Done => return found,
            other => panic!("{other:?}"),
        }
    }
}

/// All solutions of a goal; the judge may lose patience over a refutation, and accepts all else.
fn judged(m: &mut Machine, goal: &str) -> BTreeSet<(String, String)> {
    m.query(goal).unwrap();
    let mut found = BTreeSet::new();
    while let Outcome::Solution(s) = m.solve() {
        let value = |n: &str| s.value(n).unwrap_or_default().to_owned();
        found.insert((value("X"), value("Y")));
        let proof = m.proof().unwrap();
        match check(m, &proof) {
            Ok(_) | Err(Unproved::NotRefuted(_)) => {}
            Err(e) => panic!("{e}\n{}", told(&proof)),
        }
    }
    found
}

fn told(proof: &Proof) -> String {
    let line = |l: wits_logic::Line<'_>| format!("{}{}\n", "  ".repeat(l.depth), l.node.goal);
    proof.lines().into_iter().map(line).collect()
}

const PATHS: &str = ":- table path/2.
    path(X, Y) :- path(X, Z), edge(Z, Y).
    path(X, Y) :- edge(X, Y).
    edge(a, b). edge(b, c). edge(c, a). edge(c, d). edge(d, d).";

#[test]
fn paths_in_circles_are_proved() {
    let mut m = machine(PATHS);
    assert_eq!(proved(&mut m, "path(a, Y).").len(), 4);
    assert_eq!(proved(&mut m, "path(X, Y).").len(), 13);
    // A second query takes everything from finished tables.
    assert_eq!(proved(&mut m, "path(X, Y).").len(), 13);
    assert_eq!(proved(&mut m, "path(d, Y).").len(), 1);
    // What was found without recording is found again with it.
    let mut m = Machine::new();
    m.consult("t.pl", PATHS).unwrap();
    assert_eq!(m.every("path(a, Y).", "Y").unwrap().len(), 4);
    m.record_proofs(true);
    assert_eq!(proved(&mut m, "path(a, Y).").len(), 4);
}

#[test]
fn truth_that_is_called_shows_as_itself() {
    let mut m = machine("p(X) :- true, X = a, call(true), !, call((true, !)).");
    assert_eq!(
        proved_loosely(&mut m, "p(X)."),
        BTreeSet::from(["a".to_owned()])
    );
}

#[test]
fn what_was_proved_once_is_used_often() {
    let mut m = machine(
        ":- table fib/2. fib(0, 0). fib(1, 1).
         fib(N, F) :- N > 1, A is N-1, B is N-2, fib(A, X), fib(B, Y), F is X+Y.",
    );
    // Numbers that the judge calculates with exactly.
    m.query("fib(70, X).").unwrap();
    let Outcome::Solution(s) = m.solve() else {
        panic!()
    };
    assert_eq!(s.value("X"), Some("190392490709135"));
    let proof = m.proof().unwrap();
    assert!(proof.nodes.len() < 1000, "{}", proof.nodes.len());
    assert!(proof.lines().len() < 1000);
    check(&m, &proof).unwrap();
    // Answers with variables are proved for each use.
    let mut m = machine(
        ":- table same/2. same(X, Y) :- same(Y, X). same(f(X, _), f(X, _)).
         both(X, Y) :- same(X, Y), same(Y, X).",
    );
    m.query("both(f(1, _), B).").unwrap();
    let Outcome::Solution(found) = m.solve() else {
        panic!()
    };
    assert_eq!(found.value("B"), Some("f(1,_1)"));
    let proof = m.proof().unwrap();
    check(&m, &proof).unwrap_or_else(|e| panic!("{e}\n{}", told(&proof)));
}

#[test]
fn circular_and_tampered_proofs_are_rejected() {
    let mut m = machine(PATHS);
    m.query("path(a, a).").unwrap();
    assert!(matches!(m.solve(), Outcome::Solution(_)));
    let good = m.proof().unwrap();
    check(&m, &good).unwrap();
    let by_rule = |p: &Proof| {
        let rule = |n: &wits_logic::Node| n.children.len() == 2;
        p.nodes.iter().position(rule).unwrap()
    };
    // path(a, a) because path(a, a) and an edge: follows from its clause, and from itself.
    let mut bad = good.clone();
    let at = by_rule(&bad);
    let Term::Compound(_, ends) = &bad.nodes[at].goal.clone() else {
        panic!()
    };
    bad.nodes[at].children[0] = at;
    assert!(
        matches!(check(&m, &bad), Err(Unproved::Circular(_))),
        "{ends:?}"
    );
    // A longer circle, and a child that is not there.
    let mut bad = good.clone();
    let last = bad.nodes.len() - 1;
    bad.nodes[last].children.push(at);
    assert!(matches!(check(&m, &bad), Err(Unproved::Circular(_))));
    bad.nodes[last].children[0] = 999;
    assert!(matches!(check(&m, &bad), Err(Unproved::Circular(_))));
    // Another end, another clause, an edge that is not there, a goal taken on trust.
    for n in 0..good.nodes.len() {
        for change in 0..4 {
            let mut bad = good.clone();
            let node = &mut bad.nodes[n];
            match change {
                0 => {
                    let Term::Compound(_, args) = &mut node.goal else {
                        panic!()
                    };
                    args[1] = Term::Atom("nowhere".into());
                }
                1 => {
                    let Because::Clause(k, _) = &mut node.because else {
                        panic!()
                    };
                    *k += 1;
                }
                2 => node.because = Because::Library,
                _ => {
                    node.because = Because::Builtin;
                    node.children.clear();
                }
            }
            assert!(check(&m, &bad).is_err(), "{n} {change}\n{}", told(&bad));
        }
    }
    // Nothing at all, and a claim for every value where there is one.
    assert_eq!(check(&m, &Proof::default()), Err(Unproved::Nothing));
    let mut bad = good;
    for node in &mut bad.nodes {
        if let Term::Compound(_, args) = &mut node.goal {
            args[0] = Term::Var("_1".into());
        }
    }
    assert!(check(&m, &bad).is_err());
}

/// An answer that is not "yes" does not make `ask/1` true.
#[test]
fn what_the_person_said_is_judged_too() {
    let mut m = machine("p :- ask(q). r(X) :- choose(c, [red, blue], X). n(X) :- number(k, X).");
    for (goal, answer, wrong) in [
        ("p.", Answer::Yes, Answer::No),
        ("r(X).", Answer::Option(1), Answer::Option(0)),
        ("n(X).", Answer::Number(3.5), Answer::Number(4.0)),
    ] {
        m.forget_answers();
        m.query(goal).unwrap();
        assert!(matches!(m.solve(), Outcome::Asked(_)));
        m.answer(answer).unwrap();
        assert!(matches!(m.solve(), Outcome::Solution(_)));
        let mut proof = m.proof().unwrap();
        assert_eq!(check(&m, &proof).unwrap().answers, 1);
        let said = (proof.nodes.iter_mut()).find(|n| matches!(n.because, Because::Said(_)));
        said.unwrap().because = Because::Said(wrong.clone());
        assert!(check(&m, &proof).is_err());
        // Even if the person had said that.
        let question = m.answers()[0].0.clone();
        m.foretell(&question, wrong).unwrap();
        assert!(check(&m, &proof).is_err());
    }
}

/// A question inside a table: stored, resumed elsewhere, proved.
#[test]
fn a_question_inside_a_table_survives_storage() {
    let mut m = machine(&format!("{PATHS} edge(d, e) :- ask(bridge_open)."));
    m.query("path(a, e).").unwrap();
    assert!(matches!(m.solve(), Outcome::Asked(_)));
    let kept = serde_json::to_string(&m).unwrap();
    let mut m: Machine = serde_json::from_str(&kept).unwrap();
    m.answer(Answer::Yes).unwrap();
    let outcome = m.solve();
    assert!(matches!(outcome, Outcome::Solution(_)), "{outcome:?}");
    let proof = m.proof().unwrap();
    assert_eq!(check(&m, &proof).unwrap().answers, 1);
}

/// An error inside a group of tables: the others go on under their own numbers.
#[test]
fn tables_survive_an_error_that_is_caught() {
    let mut m = machine(
        ":- table a/1, b/1, c/1.
         a(X) :- b(X). a(X) :- c(X). a(0).
         b(X) :- a(Y), Y < 3, X is Y + 1.
         c(X) :- catch(d(X), oops, fail). c(10).
         d(X) :- a(X), X > 2, throw(oops).",
    );
    let found = proved_loosely(&mut m, "a(X).");
    assert_eq!(found, ["0", "1", "10", "2", "3"].map(str::to_owned).into());
    assert_eq!(m.every("abolish_all_tables, a(X).", "X").unwrap().len(), 5);
    // An error that leaves the group: what is called again is evaluated again.
    let mut m = machine(
        ":- table p/1, q/1. :- dynamic broken/0.
         broken. p(X) :- q(X). p(1). q(X) :- p(Y), Y < 5, X is Y + 1. q(_) :- broken, throw(oops).",
    );
    let twice = "catch(p(_), oops, true), retract(broken), findall(X, p(X), Xs), length(Xs, X).";
    assert_eq!(m.every(twice, "X").unwrap(), [Term::Int("5".into())]);
}

/// Solutions whose proofs may rest on the library.
fn proved_loosely(m: &mut Machine, goal: &str) -> BTreeSet<String> {
    m.query(goal).unwrap();
    let mut found = BTreeSet::new();
    while let Outcome::Solution(s) = m.solve() {
        found.insert(s.value("X").unwrap().to_owned());
        let proof = m.proof().unwrap();
        check(m, &proof).unwrap_or_else(|e| panic!("{e}\n{}", told(&proof)));
    }
    found
}

/// What no path leads to is refuted by the judge's own rounds.
#[test]
fn a_goal_without_a_proof_is_refuted_in_circles_too() {
    let mut m = machine(&format!(
        "{PATHS} apart(X, Y) :- node(X), node(Y), \\+ path(X, Y).
         node(a). node(b). node(d). node(z)."
    ));
    let found = proved(&mut m, "apart(X, Y).");
    assert_eq!(found.len(), 16 - 3 * 3 + 2);
    assert!(found.contains(&("d".into(), "a".into())));
    m.query("apart(d, a).").unwrap();
    assert!(matches!(m.solve(), Outcome::Solution(_)));
    let mut bad = m.proof().unwrap();
    for node in &mut bad.nodes {
        let text = node.goal.to_string().replace("d,a", "a,d");
        node.goal = m.read_value(&text).unwrap();
    }
    let judged = check(&m, &bad);
    assert!(judged.is_err(), "{judged:?}");
}

#[test]
fn tables_stay_out_of_steps_and_reasons() {
    let text = ":- table path/2. path(X, Y) :- edge(X, Y). path(X, Y) :- path(X, Z), member(Z, [a, b]), edge(Z, Y). edge(a, b). edge(b, c).";
    let mut m = machine(text);
    m.watch(1000);
    m.query("path(a, X).").unwrap();
    let mut found = Vec::new();
    while let Outcome::Solution(s) = m.solve() {
        found.push(s.value("X").unwrap().to_owned());
    }
    assert_eq!(found, ["b", "c"]);
    let (events, dropped) = m.events();
    assert_eq!(dropped, 0);
    let names: BTreeSet<&str> = (events.iter())
        .map(|e| e.goal.split('(').next().unwrap())
        .collect();
    assert_eq!(names, BTreeSet::from(["edge", "member", "path"]));
    let of_query = |e: &&Event| e.id == 1;
    let told: Vec<String> = (events.iter().filter(of_query))
        .map(|e| format!("{:?} {}", e.port, e.goal))
        .filter(|line| !line.starts_with("Unify"))
        .collect();
    assert_eq!(
        told,
        [
            "Call path(a,A)",
            "Exit path(a,b)",
            "Redo path(a,A)",
            "Exit path(a,c)"
        ]
    );
    // Both clauses as they stand in the program, and what they call under the goal itself.
    let clauses: BTreeSet<_> = events
        .iter()
        .filter(of_query)
        .filter_map(|e| e.clause)
        .collect();
    assert_eq!(clauses, BTreeSet::from([(1, 2), (2, 2)]));
    let member = events.iter().find(|e| e.goal.starts_with("member"));
    assert_eq!(member.unwrap().parent, 1);
    // A failure is told by the same goals.
    let why = reasons(&machine(text), "path(c, d).", 5).unwrap();
    assert_eq!(why[0].text, "no clause fits edge(c,d)");
    assert_eq!(why[0].path, ["path(c,d)"]);
    assert!(!format!("{why:?}").contains("tabled"), "{why:?}");
}

/// The values of `X` in the solutions of a goal, sorted; an error ends them.
fn values(m: &mut Machine, goal: &str) -> (BTreeSet<String>, Option<wits_logic::Trouble>) {
    m.query(goal).unwrap();
    let mut found = BTreeSet::new();
    loop {
        match m.solve() {
            Outcome::Solution(s) => assert!(found.insert(s.value("X").unwrap_or("").to_owned())),
            Outcome::Done => return (found, None),
            Outcome::Error(t) => return (found, Some(t)),
            other => panic!("{other:?}"),
        }
    }
}

fn set(items: &[&str]) -> BTreeSet<String> {
    items.iter().map(|&s| s.to_owned()).collect()
}
