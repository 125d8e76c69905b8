//! Random programs on the machine, on a slow second implementation, and on SWI-Prolog where that is
//! installed: the same answers in the same order, or an error in the same place.
#![allow(clippy::unwrap_used)]

mod reference;

use proptest::prelude::*;
use reference::{End, Slow, T};
use wits_logic::{Ended, Fuel, Machine, Outcome, check, reasons};

fn fun(name: &str, args: Vec<T>) -> T {
    T::Fun(name.to_owned(), args)
}

/// A term over a few constants, functions and variables.
fn term() -> impl Strategy<Value = T> {
    let leaf = prop_oneof![
        3 => (0usize..4).prop_map(T::Var),
        2 => (0i64..3).prop_map(T::Int),
        3 => prop::sample::select(vec!["a", "b", "[]"]).prop_map(|n| fun(n, vec![])),
    ];
    leaf.prop_recursive(2, 6, 2, |inner| {
        prop_oneof![
            inner.clone().prop_map(|x| fun("f", vec![x])),
            (inner.clone(), inner.clone()).prop_map(|(x, y)| fun("g", vec![x, y])),
            (inner.clone(), inner).prop_map(|(x, y)| fun("[|]", vec![x, y])),
        ]
    })
}

fn expression() -> impl Strategy<Value = T> {
    let leaf = prop_oneof![(0usize..4).prop_map(T::Var), (0i64..4).prop_map(T::Int)];
    leaf.prop_recursive(2, 4, 2, |inner| {
        (
            prop::sample::select(vec!["+", "-", "*"]),
            inner.clone(),
            inner,
        )
            .prop_map(|(n, x, y)| fun(n, vec![x, y]))
    })
}

fn call() -> impl Strategy<Value = T> {
    prop_oneof![
        term().prop_map(|x| fun("p", vec![x])),
        (term(), term()).prop_map(|(x, y)| fun("q", vec![x, y])),
        (term(), term(), term()).prop_map(|(x, y, z)| fun("r", vec![x, y, z])),
    ]
}

fn goal() -> impl Strategy<Value = T> {
    let simple = prop_oneof![
        6 => call(),
        2 => (term(), term()).prop_map(|(x, y)| fun("=", vec![x, y])),
        1 => (term(), term()).prop_map(|(x, y)| fun("==", vec![x, y])),
        1 => ((0usize..4).prop_map(T::Var), expression()).prop_map(|(x, e)| fun("is", vec![x, e])),
        1 => (expression(), expression()).prop_map(|(x, e)| fun("<", vec![x, e])),
        1 => Just(fun("!", vec![])),
        1 => Just(fun("fail", vec![])),
        1 => Just(fun("true", vec![])),
    ];
    simple.prop_recursive(3, 10, 3, |inner| {
        let two = (inner.clone(), inner.clone());
        prop_oneof![
            4 => two.clone().prop_map(|(a, b)| fun(",", vec![a, b])),
            2 => two.clone().prop_map(|(a, b)| fun(";", vec![a, b])),
            1 => two.prop_map(|(a, b)| fun("->", vec![a, b])),
            2 => (inner.clone(), inner.clone(), inner.clone())
                .prop_map(|(c, t, e)| fun(";", vec![fun("->", vec![c, t]), e])),
            1 => inner.clone().prop_map(|a| fun("\\+", vec![a])),
            1 => inner.prop_map(|a| fun("call", vec![a])),
        ]
    })
}

fn program() -> impl Strategy<Value = Vec<(T, T)>> {
    let fact = call().prop_map(|h| (h, fun("true", vec![])));
    let rule = (call(), goal());
    prop::collection::vec(prop_oneof![3 => fact, 2 => rule], 3..9).prop_map(|mut v| {
        // Every predicate exists.
        v.push((fun("p", vec![fun("a", vec![])]), fun("true", vec![])));
        v.push((fun("q", vec![T::Var(0), T::Var(0)]), fun("true", vec![])));
        v.push((
            fun("r", vec![T::Int(1), T::Var(0), fun("b", vec![])]),
            fun("true", vec![]),
        ));
        v
    })
}

/// Canonical text; variables are numbered in order of appearance.
fn write(t: &T, names: &mut Vec<usize>, query: bool) -> String {
    match t {
        T::Var(v) if query => format!("_V{v}"),
        T::Var(v) => {
            let i = names.iter().position(|n| n == v).unwrap_or_else(|| {
                names.push(*v);
                names.len() - 1
            });
            format!("_{}", i + 1)
        }
        T::Int(n) => n.to_string(),
        T::Fun(n, args) if args.is_empty() => {
            if n == "!" || n == "[]" {
                n.clone()
            } else {
                format!("'{n}'")
            }
        }
        T::Fun(n, args) => {
            let args: Vec<String> = args.iter().map(|a| write(a, names, query)).collect();
            format!("'{}'({})", n.replace('\\', "\\\\"), args.join(","))
        }
    }
}

fn source(t: &T) -> String {
    write(t, &mut Vec::new(), true)
}

/// A text as the machine writes it.
fn canonical(m: &Machine, text: &str) -> String {
    let t = m.read_value(text).unwrap();
    m.write_value(&t)
}

fn compare(
    clauses: &[(T, T)],
    goal: &T,
    watched: bool,
    collected: bool,
) -> Result<(), TestCaseError> {
    let mut slow = Slow {
        clauses: clauses.to_vec(),
        ..Slow::default()
    };
    let (expected, end) = slow.solve(goal, 4, 20, 3000);
    // What takes too long, or builds cyclic terms, is not compared.
    let lines: Vec<String> = clauses
        .iter()
        .map(|(h, b)| format!("{} :- {}.", source(h), source(b)))
        .collect();
    let text = lines.join(
        "
",
    );
    let mut m = Machine::new();
    let loaded = m.load("random.pl", &text);
    prop_assert!(loaded.errors.is_empty(), "{:?}\n{text}", loaded.errors);
    m.refuel(Fuel {
        steps: 200_000,
        cells: 1 << 20,
    });
    m.record_proofs(true);
    if watched {
        m.watch(1000);
    }
    if collected {
        m.collect_always();
    }
    let query = format!("{}, W = w(_V0,_V1,_V2,_V3)", source(goal));
    m.query(&query).unwrap();
    for row in &expected {
        let outcome = m.solve();
        let Outcome::Solution(s) = outcome else {
            prop_assert!(
                end == End::TooLong,
                "{outcome:?} instead of {row:?}\n{text}\n?- {query}"
            );
            return Ok(());
        };
        let mut names = Vec::new();
        let args: Vec<String> = row.iter().map(|t| write(t, &mut names, false)).collect();
        let wanted = canonical(&m, &format!("w({})", args.join(",")));
        let got = s.value("W").unwrap();
        let got = canonical(&m, got);
        prop_assert_eq!(&got, &wanted, "\n{}\n?- {}", text, query);
        if let Some(p) = m.proof()
            && let Err(e) = check(&m, &p)
        {
            // The judge's patience with refutations is bounded; anything else is a fault.
            prop_assert!(
                matches!(e, wits_logic::Unproved::NotRefuted(_)),
                "{e}\n{text}\n?- {query}\n{p:#?}"
            );
        }
    }
    if end == End::TooLong || expected.len() == 20 {
        return Ok(());
    }
    match (m.solve(), end) {
        (Outcome::Done, End::Done) if expected.is_empty() => reasoned(&m, &source(goal), &text)?,
        (Outcome::Done, End::Done) => {}
        (Outcome::Error(t), End::Error(e)) => {
            // Which operand of an expression is looked at first is not prescribed.
            let arithmetic = |e: &str| e.contains("evaluable") || e == "instantiation_error";
            prop_assert!(
                t.term == e
                    || (arithmetic(&t.term) && arithmetic(&e))
                    || canonical(&m, &t.term) == canonical(&m, &e),
                "{} instead of {e}\n{text}\n?- {query}",
                t.term
            );
        }
        (got, want) => prop_assert!(false, "{got:?} instead of {want:?}\n{text}\n?- {query}"),
    }
    Ok(())
}

/// A goal that failed has reasons, and each of them is so when it is asked on its own.
fn reasoned(m: &Machine, goal: &str, text: &str) -> Result<(), TestCaseError> {
    let all = reasons(m, goal, 8).unwrap();
    prop_assert!(!all.is_empty(), "{text}\n?- {goal}");
    for reason in all {
        let mut m = m.clone();
        m.refuel(Fuel {
            steps: 200_000,
            cells: 1 << 20,
        });
        m.query(&reason.goal).unwrap();
        let outcome = m.solve();
        let so = match outcome {
            Outcome::Solution(_) => reason.ended == Ended::Holds,
            Outcome::Done => reason.ended != Ended::Holds,
            _ => true,
        };
        prop_assert!(so, "{reason:?}: {outcome:?}\n{text}\n?- {goal}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_machine_agrees_with_the_slow_one(clauses in program(), goal in goal(), watched in any::<bool>(), collected in any::<bool>()) {
        compare(&clauses, &goal, watched, collected)?;
    }
}

/// Programs compared with SWI-Prolog.
const CASES: usize = 400;

/// Runs every case and writes its solutions, at most twenty, with variables named in order.
const DRIVER: &str = "
:- dynamic(p/1). :- dynamic(q/2). :- dynamic(r/3).
all(N) :- between(1, N, I), solve(I), fail.
all(_).
solve(I) :-
    case(I, Clauses, Goal, W),
    retractall(p(_)), retractall(q(_, _)), retractall(r(_, _, _)),
    add(Clauses), nb_setval(count, 0), write(case(I)), nl,
    catch(answers(Goal, W), error(_, _), (write(error), nl)).
answers(Goal, W) :-
    call(Goal), shown(W), nb_getval(count, N), M is N + 1, nb_setval(count, M), M >= 20, !.
answers(_, _) :- write(done), nl.
add([]).
add([C|Cs]) :- assertz(C), add(Cs).
shown(W) :- \\+ \\+ ( copy_term(W, T), term_variables(T, Vs), named(Vs, 1), write_canonical(T), nl ).
named([], _).
named([V|Vs], N) :- atom_concat(v, N, V), M is N + 1, named(Vs, M).
";

/// The cases that end soon, as facts after the driver. What takes long or builds cyclic terms is
/// left out: the slow interpreter tells.
fn cases() -> String {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    let strategy = (program(), goal());
    let (mut text, mut kept) = (DRIVER.to_owned(), 0);
    while kept < CASES {
        let (clauses, goal) = strategy.new_tree(&mut runner).unwrap().current();
        let mut slow = Slow {
            clauses: clauses.clone(),
            ..Slow::default()
        };
        if slow.solve(&goal, 4, 20, 3000).1 == End::TooLong {
            continue;
        }
        kept += 1;
        let clauses: Vec<String> = clauses
            .iter()
            .map(|(h, b)| format!("({} :- {})", source(h), source(b)))
            .collect();
        // Variables of a clause are its own: each clause is copied by assertz, but the list is one
        // term, so they get names of their own.
        let clauses: Vec<String> = (clauses.iter().enumerate())
            .map(|(n, c)| c.replace("_V", &format!("_C{n}_")))
            .collect();
        let (clauses, goal) = (clauses.join(", "), source(&goal));
        let case = format!("case({kept}, [{clauses}], {goal}, w(_V0,_V1,_V2,_V3)).\n");
        text.push_str(&case);
    }
    text
}

#[test]
fn the_machine_agrees_with_swi() {
    let folder = std::env::temp_dir().join(format!("wits-swi-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("cases.pl");
    let text = cases();
    std::fs::write(&file, &text).unwrap();
    let goal = format!("all({CASES}).");
    let swi = std::process::Command::new("timeout")
        .args(["60", "swipl", "-q", "-g"])
        .arg(goal.trim_end_matches('.'))
        .args(["-t", "halt"])
        .arg(&file)
        .output();
    let _ = std::fs::remove_dir_all(&folder);
    let swi = match swi {
        Ok(out) if out.status.code() != Some(127) => out,
        _ => {
            println!("skipped: SWI-Prolog is not installed");
            return;
        }
    };
    let theirs = String::from_utf8_lossy(&swi.stdout).into_owned();
    let mut m = Machine::new();
    let loaded = m.load("cases.pl", &text);
    assert!(loaded.errors.is_empty(), "{:?}", loaded.errors);
    m.query(&goal).unwrap();
    assert!(matches!(m.solve(), Outcome::Solution(_)));
    let ours = m.take_output();
    let split = |text: &str| -> Vec<String> {
        let parts = text.split("case(").skip(1);
        parts.map(str::to_owned).collect()
    };
    let (ours, theirs) = (split(&ours), split(&theirs));
    assert_eq!(ours.len(), CASES);
    assert_eq!(
        theirs.len(),
        CASES,
        "{}",
        String::from_utf8_lossy(&swi.stderr)
    );
    let mut solutions = 0;
    for (our, their) in ours.iter().zip(&theirs) {
        solutions += our.lines().count() - 1;
        if our != their {
            let number = our.split(')').next().unwrap();
            let case = text
                .lines()
                .find(|l| l.starts_with(&format!("case({number},")));
            panic!("{case:?}\nours: {our}\ntheirs: {their}");
        }
    }
    println!("{CASES} programs, {solutions} solutions and ends agree");
    assert!(solutions > CASES);
}
