//! Proofs of tabled goals: unfolded down to clauses and accepted by the judge, which knows no tables.
#![allow(
    clippy::unwrap_used,
    clippy::missing_panics_doc,
    reason = "a test that cannot go on fails"
)]

use std::collections::BTreeSet;

use proptest::prelude::*;
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

/// A rule over three predicates: the head, and one or two goals whose variables are numbered.
#[derive(Clone, Debug)]
struct Rule {
    head: (usize, usize, usize),
    body: Vec<(usize, usize, usize)>,
}

const NAMES: [&str; 4] = ["p", "q", "r", "edge"];

fn rules() -> impl Strategy<Value = Vec<Rule>> {
    let atom = (0usize..4, 0usize..3, 0usize..3);
    let rule = (
        0usize..3,
        prop::collection::vec(atom, 1..3),
        any::<[u8; 2]>(),
    );
    prop::collection::vec(rule, 2..6).prop_map(|rules| {
        let safe = |(name, body, pick): (usize, Vec<(usize, usize, usize)>, [u8; 2])| {
            // Variables of the head occur in the body.
            let seen: Vec<usize> = body.iter().flat_map(|a| [a.1, a.2]).collect();
            let one = |p: u8| seen[p as usize % seen.len()];
            let head = (name, one(pick[0]), one(pick[1]));
            Rule { head, body }
        };
        rules.into_iter().map(safe).collect()
    })
}

fn text_of(rules: &[Rule], edges: &BTreeSet<(usize, usize)>) -> String {
    use std::fmt::Write as _;
    let mut out = ":- table p/2, q/2, r/2.\n".to_owned();
    let atom = |a: &(usize, usize, usize)| format!("{}(V{},V{})", NAMES[a.0], a.1, a.2);
    for r in rules {
        let body: Vec<String> = r.body.iter().map(atom).collect();
        writeln!(out, "{} :- {}.", atom(&r.head), body.join(", ")).unwrap();
    }
    for (a, b) in edges {
        writeln!(out, "edge(n{a}, n{b}).").unwrap();
    }
    out
}

/// Everything that follows, bottom up: all rules on all facts until nothing is new.
fn bottom_up(rules: &[Rule], edges: &BTreeSet<(usize, usize)>) -> BTreeSet<(usize, usize, usize)> {
    let mut facts: BTreeSet<(usize, usize, usize)> =
        edges.iter().map(|&(a, b)| (3, a, b)).collect();
    loop {
        let mut new = Vec::new();
        for r in rules {
            let mut ways: Vec<[Option<usize>; 3]> = vec![[None; 3]];
            for &(name, x, y) in &r.body {
                let mut next = Vec::new();
                for way in &ways {
                    for &(_, a, b) in facts.iter().filter(|f| f.0 == name) {
                        let mut w = *way;
                        let fits = |w: &mut [Option<usize>; 3], v: usize, value: usize| {
                            let old = w[v].replace(value);
                            old.is_none_or(|o| o == value)
                        };
                        if fits(&mut w, x, a) && fits(&mut w, y, b) {
                            next.push(w);
                        }
                    }
                }
                ways = next;
            }
            let (name, x, y) = r.head;
            new.extend(ways.iter().map(|w| (name, w[x].unwrap(), w[y].unwrap())));
        }
        let before = facts.len();
        facts.extend(new);
        if facts.len() == before {
            return facts;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 80, failure_persistence: None, ..ProptestConfig::default() })]

    /// Recursion of every kind, to the left and through each other: the same answers as bottom up,
    /// and each of them with a proof.
    #[test]
    fn tables_agree_with_bottom_up(
        rules in rules(),
        edges in prop::collection::btree_set((0usize..4, 0usize..4), 1..8),
    ) {
        let facts = bottom_up(&rules, &edges);
        let mut m = machine(&text_of(&rules, &edges));
        for (k, name) in NAMES.iter().enumerate() {
            let expected: BTreeSet<(String, String)> = facts
                .iter()
                .filter(|f| f.0 == k)
                .map(|f| (format!("n{}", f.1), format!("n{}", f.2)))
                .collect();
            prop_assert_eq!(proved(&mut m, &format!("{name}(X, Y).")), expected.clone());
            let first = expected.iter().filter(|e| e.0 == "n0").count();
            prop_assert_eq!(proved(&mut m, &format!("{name}(n0, Y).")).len(), first);
        }
    }
}

/// Steps and reasons speak of the program's own goals and clauses, not of the table behind them.
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

#[test]
fn tables_keep_what_their_modes_say() {
    let text = "e(a,b,4). e(a,c,1). e(c,b,2). e(b,a,1). e(b,d,5).
        :- table far(_,_,min), wide(_,_,max), some(_,_,first), late(_,last), all(_,sum),
                 join(_,lattice(union/3)), few(_,_,po(shorter/2)), near(_,_,lattice(shorter(_,_,_))).
        far(X,Y,C) :- e(X,Y,C).
        far(X,Y,C) :- far(X,Z,A), e(Z,Y,B), C is A+B.
        wide(X,Y,C) :- e(X,Y,C).
        wide(X,Y,C) :- wide(X,Z,A), e(Z,Y,B), C is min(A,B).
        some(X,Y,X-Y) :- e(X,Y,_).
        some(X,Y,P-Y) :- some(X,Z,P), e(Z,Y,_).
        late(X,Y) :- e(X,Y,_).
        all(X,C) :- e(X,_,C).
        join(X,[Y]) :- e(X,Y,_).
        few(X,Y,[X,Y]) :- e(X,Y,_).
        few(X,Y,P) :- few(X,Z,Q), e(Z,Y,_), append(Q,[Y],P).
        shorter(Old,New) :- length(Old,N), length(New,M), M < N.
        near(X,Y,[X,Y]) :- e(X,Y,_).
        near(X,Y,P) :- near(X,Z,Q), e(Z,Y,_), append(Q,[Y],P).
        shorter(P,Q,R) :- length(P,N), length(Q,M), ( M < N -> R = Q ; R = P ).";
    let mut m = Machine::new();
    m.consult("t.pl", text).unwrap();
    for (goal, expected) in [
        ("far(a,Y,C), X = Y-C.", &["a-4", "b-3", "c-1", "d-8"][..]),
        ("far(a,b,X).", &["3"]),
        ("far(a,b,3), X = yes.", &["yes"]),
        ("far(a,b,4), X = no.", &[]),
        ("wide(a,Y,C), X = Y-C.", &["a-1", "b-4", "c-1", "d-4"]),
        ("some(b,a,X).", &["b-a"]),
        ("late(a,X).", &["c"]),
        ("all(a,X).", &["5"]),
        ("all(Y,C), X = Y-C.", &["a-5", "b-6", "c-2"]),
        ("join(a,X).", &["[b,c]"]),
        ("few(a,d,X).", &["[a,b,d]"]),
        ("near(a,d,X).", &["[a,b,d]"]),
        ("near(c,a,X).", &["[c,b,a]"]),
    ] {
        assert_eq!(values(&mut m, goal), (set(expected), None), "{goal}");
    }
    for bad in [
        "p(_,smallest)",
        "p(lattice(x/2))",
        "p(po(y/3))",
        "p(min(3))",
        "7",
        "p/q",
    ] {
        let mut m = Machine::new();
        let refused = m.consult("t.pl", &format!(":- table {bad}.")).unwrap_err();
        let said = refused.to_string();
        assert!(
            said.contains("tabled_mode") || said.contains("not of type"),
            "{bad}: {said}"
        );
    }
    let late = Machine::new()
        .consult("t.pl", "p(1). :- table p/1.")
        .unwrap_err();
    assert!(late.term.contains("permission_error"), "{late:?}");
}

/// Best answers have proofs, too: the way that gave the value.
#[test]
fn the_shortest_way_is_proved() {
    let mut m = machine(
        ":- table far(_,_,min). far(X,Y,C) :- e(X,Y,C). far(X,Y,C) :- far(X,Z,A), e(Z,Y,B), C is A+B.
         e(a,b,4). e(a,c,1). e(c,b,2). e(b,a,1). e(b,d,5).",
    );
    m.query("far(a,d,X).").unwrap();
    let Outcome::Solution(s) = m.solve() else {
        panic!()
    };
    assert_eq!(s.value("X"), Some("8"));
    let proof = m.proof().unwrap();
    let checked = check(&m, &proof).unwrap_or_else(|e| panic!("{e}\n{}", told(&proof)));
    assert_eq!((checked.trusted, checked.tests), (0, 2));
}

#[test]
fn a_call_that_commits_to_a_goal_inside_itself_is_an_error() {
    for body in [
        "\\+ p(2)",
        "( p(X) -> true ; X = 3 )",
        "findall(Y, p(Y), L), length(L, X)",
        "once(p(X))",
        "forall(p(Y), Y > 0), X = 4",
    ] {
        let mut m = machine(&format!(":- table p/1. p(1). p(X) :- {body}."));
        let (_, error) = values(&mut m, "p(X).");
        let error = error.unwrap_or_else(|| panic!("{body}"));
        assert!(
            error.message.contains("still being evaluated"),
            "{body}: {error:?}"
        );
    }
    // Where the goal is complete, the same things are as they always are.
    let mut m = machine(
        ":- table q/1, p/1. q(1). q(X) :- q(Y), Y < 4, X is Y+1.
         p(X) :- findall(Y, q(Y), L), length(L, X). p(X) :- \\+ q(9), ( q(3) -> X = yes ; X = no ).",
    );
    assert_eq!(values(&mut m, "p(X)."), (set(&["4", "yes"]), None));
}

/// Everything that a suspended call needs comes back with it: cuts, catches, control inside `call/1`,
/// lists of goals.
#[test]
fn suspended_calls_go_on_as_they_were() {
    for (body, expected) in [
        (
            "p(Y), Y < 5, ( Y < 3 -> X is Y+1 ; X is Y+2 )",
            &["1", "2", "3", "5"][..],
        ),
        ("p(Y), Y < 4, !, X is Y+1", &["1", "2", "3", "4"]),
        (
            "G = (p(Y), Y < 4, X is Y+1), call(G)",
            &["1", "2", "3", "4"],
        ),
        ("G = (p(Y), !, Y < 3, X is Y+1), call(G)", &["1", "2", "3"]),
        ("maplist(p, [Y, Z]), X is Y+Z, X < 4", &["1", "2", "3"]),
        (
            "catch((p(Y), Y < 3, X is Y+1, (X =:= 3 -> throw(oops) ; true)), oops, X = 9)",
            &["1", "2", "9"],
        ),
        (
            "p(Y), atom_length(abc, N), Y < N, findall(Z, member(Z, [a,b]), L), length(L, K), X is Y+K",
            &["1", "3"],
        ),
        ("p(Y), \\+ Y = 3, Y < 5, X is Y+1", &["1", "2", "3"]),
        (
            "( p(Y) ; Y = 7 ), Y < 9, X is Y+2",
            &["1", "3", "5", "7", "9"],
        ),
    ] {
        let mut m = machine(&format!(":- table p/1. p(1). p(X) :- {body}."));
        assert_eq!(values(&mut m, "p(X)."), (set(expected), None), "{body}");
        // The same in small portions, stored in between.
        let mut m = machine(&format!(":- table p/1. p(1). p(X) :- {body}."));
        m.refuel(wits_logic::Fuel {
            steps: 0,
            ..wits_logic::Fuel::default()
        });
        m.query("p(X).").unwrap();
        let mut found = BTreeSet::new();
        loop {
            match m.solve() {
                Outcome::OutOfSteps => {
                    let kept = serde_json::to_string(&m).unwrap();
                    m = serde_json::from_str(&kept).unwrap();
                    m.refuel(wits_logic::Fuel {
                        steps: 7,
                        ..wits_logic::Fuel::default()
                    });
                }
                Outcome::Solution(s) => assert!(found.insert(s.value("X").unwrap().to_owned())),
                Outcome::Done => break,
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(found, set(expected), "{body}");
    }
}

#[test]
fn limits_hold_while_tables_grow() {
    let text = ":- table p/1, q/1. p(0). p(X) :- p(Y), X is Y+1. q(X) :- Y = f(X), q(Y).";
    for (goal, steps) in [("p(X).", 20_000), ("q(X).", 500)] {
        let fuel = wits_logic::Fuel {
            steps,
            cells: 8 << 20,
        };
        let mut m = Machine::new();
        m.consult("t.pl", text).unwrap();
        m.refuel(fuel);
        m.query(goal).unwrap();
        assert_eq!(m.solve(), Outcome::OutOfSteps, "{goal}");
        assert!(m.steps() <= 30_000);
        m.refuel(wits_logic::Fuel {
            steps: u64::MAX,
            cells: 1 << 20,
        });
        assert_eq!(m.solve(), Outcome::OutOfMemory, "{goal}");
        assert!(m.cells_used() < 4 << 20);
        m.refuel(wits_logic::Fuel::default());
        m.query("p(-1).").unwrap();
        m.refuel(fuel);
        assert_eq!(m.solve(), Outcome::OutOfSteps);
    }
}

/// Positions of a game: won, lost, or drawn by going round; the classic of well-founded negation.
#[test]
fn negation_inside_a_group_is_well_founded() {
    let mut m = machine(
        ":- table win/1. win(X) :- move(X, Y), tnot(win(Y)).
         move(a,b). move(b,a). move(b,c). move(c,d). move(e,f). move(f,e). move(g,e). move(g,c).",
    );
    // c wins by going to d; b can only go to a, which loses if b wins by a…: b is drawn with a.
    assert_eq!(values(&mut m, "win(c), X = yes.").0, set(&["yes"]));
    assert_eq!(values(&mut m, "win(d), X = yes."), (set(&[]), None));
    let (found, error) = values(&mut m, "win(e), X = yes.");
    assert!(found.is_empty());
    let error = error.unwrap();
    assert!(
        error.message.contains("neither true nor false"),
        "{error:?}"
    );
    assert!(values(&mut m, "tnot(win(f)).").1.is_some());
    for (goal, word) in [
        ("tnot(win(X)).", "value is needed"),
        ("tnot(move(a,b)).", "no permission"),
        ("tnot(3).", "callable"),
    ] {
        let error = values(&mut m, goal).1.unwrap();
        assert!(error.message.contains(word), "{goal}: {error:?}");
    }
    // A negation with a proof that the judge accepts.
    let mut m = machine(
        ":- table win/1. win(X) :- move(X, Y), tnot(win(Y)). move(a,b). move(b,c). move(c,d). move(a,d).",
    );
    assert_eq!(proved(&mut m, "win(X).").len(), 2);
    assert_eq!(proved(&mut m, "tnot(win(b)).").len(), 1);
}

/// Won, lost and drawn positions by working backwards, which knows nothing of logic.
fn backwards(moves: &BTreeSet<(usize, usize)>, n: usize) -> Vec<Option<bool>> {
    let mut out = vec![None; n];
    loop {
        let before = out.clone();
        for (p, known) in out.iter_mut().enumerate() {
            let mut after = moves.iter().filter(|m| m.0 == p).map(|m| before[m.1]);
            if after.clone().any(|w| w == Some(false)) {
                *known = Some(true);
            } else if after.all(|w| w == Some(true)) {
                *known = Some(false);
            }
        }
        if out == before {
            return out;
        }
    }
}

/// Everything that follows with negation, stratum by stratum: goals of the later stratum may deny
/// those of the earlier.
fn strata(
    rules: &[Rule],
    over: &[Rule],
    edges: &BTreeSet<(usize, usize)>,
) -> BTreeSet<(usize, usize)> {
    let below = bottom_up(rules, edges);
    let mut facts: BTreeSet<(usize, usize)> = BTreeSet::new();
    loop {
        let before = facts.len();
        for r in over {
            for code in 0..64usize {
                let v = [code % 4, code / 4 % 4, code / 16];
                let (name, x, y) = r.body[0];
                let positive = match name {
                    0 => facts.contains(&(v[x], v[y])),
                    name => below.contains(&(name, v[x], v[y])),
                };
                let denied = r
                    .body
                    .get(1)
                    .is_some_and(|&(name, x, y)| below.contains(&(name.max(1), v[x], v[y])));
                if positive && !denied {
                    facts.insert((v[r.head.1], v[r.head.2]));
                }
            }
        }
        if facts.len() == before {
            return facts;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    /// Costs of shortest ways, also around circles, against Floyd's table.
    #[test]
    fn minimal_costs_agree_with_floyd(
        edges in prop::collection::btree_map((0usize..6, 0usize..6), 1usize..9, 1..16),
        left in any::<bool>(),
    ) {
        use std::fmt::Write as _;
        const FAR: usize = 1 << 20;
        let mut cost = [[FAR; 6]; 6];
        let rule = if left { "far(X,Z,A), e(Z,Y,B)" } else { "e(X,Z,A), far(Z,Y,B)" };
        let mut text = format!(":- table far(_,_,min). far(X,Y,C) :- e(X,Y,C). far(X,Y,C) :- {rule}, C is A+B.\n");
        for (&(a, b), &c) in &edges {
            cost[a][b] = c;
            writeln!(text, "e({a},{b},{c}).").unwrap();
        }
        for k in 0..6 {
            for a in 0..6 {
                for b in 0..6 {
                    cost[a][b] = cost[a][b].min(cost[a][k] + cost[k][b]);
                }
            }
        }
        let mut expected = BTreeSet::new();
        for (a, row) in cost.iter().enumerate() {
            for (b, &c) in row.iter().enumerate().filter(|(_, c)| **c < FAR) {
                expected.insert(format!("{a}-{b}-{c}"));
            }
        }
        let mut m = Machine::new();
        m.consult("t.pl", &text).unwrap();
        prop_assert_eq!(values(&mut m, "far(A,B,C), X = A-B-C.").0, expected.clone());
        let from: BTreeSet<String> = expected.into_iter().filter(|e| e.starts_with('2')).collect();
        prop_assert_eq!(values(&mut m, "far(2,B,C), X = 2-B-C.").0, from);
    }

    /// Games on random graphs: won, lost and undefined exactly as backwards induction has them.
    #[test]
    fn games_agree_with_backwards_induction(
        moves in prop::collection::btree_set((0usize..7, 0usize..7), 1..14),
    ) {
        use std::fmt::Write as _;
        let known = backwards(&moves, 7);
        let mut text = ":- table win/1. win(X) :- move(X, Y), tnot(win(Y)). move(none, none).\n".to_owned();
        for (a, b) in &moves {
            writeln!(text, "move({a},{b}).").unwrap();
        }
        let mut m = Machine::new();
        m.consult("t.pl", &text).unwrap();
        for (p, won) in known.iter().enumerate() {
            let (found, error) = values(&mut m, &format!("win({p}), X = yes."));
            let told = match (found.len(), error) {
                (1, _) => Some(true),
                (_, Some(_)) => None,
                _ => Some(false),
            };
            prop_assert_eq!(told, *won, "{} in {:?}", p, &moves);
        }
    }

    /// Negation over finished strata, with `tnot` and with `\\+`.
    #[test]
    fn stratified_negation_agrees_with_strata(
        lower in rules(),
        over in rules(),
        edges in prop::collection::btree_set((0usize..4, 0usize..4), 1..8),
    ) {
        use std::fmt::Write as _;
        // The lower stratum is q, r and edge; the upper one p, which may deny those below.
        let lower: Vec<Rule> = lower
            .into_iter()
            .map(|mut r| {
                r.head.0 = r.head.0.max(1);
                r.body.iter_mut().for_each(|a| a.0 = a.0.max(1));
                r
            })
            .collect();
        let over: Vec<Rule> = over
            .into_iter()
            .map(|mut r| {
                let (_, x, y) = r.body[0];
                r.head = (0, if r.head.1 == y { y } else { x }, if r.head.2 == x { x } else { y });
                r
            })
            .collect();
        let expected: BTreeSet<(String, String)> = strata(&lower, &over, &edges)
            .into_iter()
            .map(|(a, b)| (format!("n{a}"), format!("n{b}")))
            .collect();
        for not in ["tnot", "\\+"] {
            let mut text = text_of(&lower, &edges);
            text.push_str("node(n0). node(n1). node(n2). node(n3).\n");
            for r in &over {
                let (name, x, y) = r.body[0];
                write!(text, "p(V{},V{}) :- {}(V{x},V{y})", r.head.1, r.head.2, NAMES[name]).unwrap();
                if let Some(&(name, x, y)) = r.body.get(1) {
                    let inner = format!("{}(V{x},V{y})", NAMES[name.max(1)]);
                    let not = if name.max(1) == 3 { "\\+" } else { not };
                    write!(text, ", node(V{x}), node(V{y}), {not}({inner})").unwrap();
                }
                text.push_str(".\n");
            }
            let mut m = machine(&text);
            prop_assert_eq!(judged(&mut m, "p(X, Y)."), expected.clone(), "{}", text);
        }
    }
}
