//! Limits hold inside builtins, and cyclic terms end no run.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use wits_logic::{Answer, Fuel, Machine, OtherProgram, Outcome, Suspended, Wanted};
use wits_search::{Budget, Limits};

/// 8 MB and two million steps.
const SMALL: Fuel = Fuel {
    steps: 2_000_000,
    cells: 1 << 20,
};

/// The end of a query: the last solution, the error, or the limit.
fn end(m: &mut Machine, goal: &str) -> String {
    m.refuel(SMALL);
    if let Err(t) = m.query(goal) {
        return t.to_string();
    }
    let mut last = "false".to_owned();
    loop {
        match m.solve() {
            Outcome::Solution(s) => {
                let parts = s.bindings.iter();
                let parts: Vec<String> = parts.map(|b| format!("{}={}", b.name, b.value)).collect();
                last = String::from("true");
                for part in parts {
                    last = format!("{last} {part}");
                }
            }
            Outcome::Done => return last,
            Outcome::OutOfSteps => return "steps".to_owned(),
            Outcome::OutOfMemory => return "memory".to_owned(),
            Outcome::Error(t) => return t.term,
            other => return format!("{other:?}"),
        }
    }
}

#[test]
fn work_inside_builtins_is_fuel_and_memory() {
    for (goal, expected) in [
        // Large integers.
        (
            "X is 3**2000000, repeat, Y is X*X mod 7, Y =:= 100.",
            "memory",
        ),
        (
            "X is 3**300000, repeat, Y is X*X mod 7, Y =:= 100.",
            "steps",
        ),
        (
            "X is 7**200000, Y is 11**100000, repeat, Z is gcd(X, Y), Z < 0.",
            "steps",
        ),
        ("X is 3**300000, repeat, term_to_atom(X, _), fail.", "steps"),
        ("X is 1 << 900000, Y is X * X.", "memory"),
        // Long lists and terms in a loop.
        (
            "numlist(1, 100000, L), repeat, copy_term(L, _), fail.",
            "steps",
        ),
        ("numlist(1, 100000, L), repeat, msort(L, _), fail.", "steps"),
        ("numlist(1, 100000, L), repeat, ground(L), fail.", "steps"),
        (
            "numlist(1, 100000, L), repeat, length(L, _), fail.",
            "steps",
        ),
        (
            "numlist(1, 50000, L), repeat, format(atom(_), \"~w\", [L]), fail.",
            "steps",
        ),
        (
            "numlist(1, 50000, L), copy_term(L, M), repeat, L \\== M.",
            "steps",
        ),
        (
            "numlist(1, 50000, L), copy_term(L, M), repeat, L \\= M.",
            "steps",
        ),
        (
            "numlist(1, 50000, L), repeat, findall(L, true, _), fail.",
            "steps",
        ),
        (
            "numlist(1, 50000, L), repeat, nb_setval(k, L), fail.",
            "steps",
        ),
        (
            "numlist(1, 50000, L), repeat, L = [_|T], sort(0, @>=, T, _), fail.",
            "steps",
        ),
        // Memory that is not on the heap.
        (
            "numlist(1, 50000, L), atomic_list_concat(L, A), repeat, assertz(p(A, L)), fail.",
            "memory",
        ),
        (
            "numlist(1, 20000, L), repeat, assertz(p(L)), fail.",
            "memory",
        ),
        (
            "numlist(1, 200000, L), findall(L, member(_, L), _).",
            "memory",
        ),
        (
            "length(L, 400000), atomic_list_concat(L, A).",
            "instantiation_error",
        ),
        ("functor(T, f, 2000000).", "memory"),
        (
            "numlist(1, 3000, L), atomic_list_concat(L, A), sub_atom(A, B, N, R, S), fail.",
            "memory",
        ),
        (
            "repeat, write(a_long_word_that_is_written_over_and_over_again), fail.",
            "memory",
        ),
        ("length(L, 600000).", "memory"),
    ] {
        let mut m = Machine::new();
        assert_eq!(end(&mut m, goal), expected, "{goal}");
        assert_eq!(
            end(&mut m, "X = still_alive."),
            "true X=still_alive",
            "{goal}"
        );
    }
}

#[test]
fn a_term_with_shared_parts_is_not_walked_twice() {
    // A tree of 2^60 leaves on 120 cells.
    let program = "grow(0, T, T) :- !. grow(N, T0, T) :- M is N-1, grow(M, f(T0, T0), T).";
    let mut m = Machine::new();
    m.consult("grow.pl", program).unwrap();
    for (goal, expected) in [
        ("grow(60, x, _T), ground(_T).", "true"),
        (
            "grow(60, X, _T), term_variables(_T, V), V == [X].",
            "true X=_1 V=[_1]",
        ),
        ("grow(60, x, _T), grow(60, x, _U), _T = _U.", "true"),
        (
            "grow(60, x, _T), grow(60, y, _U), compare(O, _T, _U).",
            "true O= <",
        ),
        ("grow(60, x, _T), copy_term(_T, _U), _T == _U.", "true"),
        ("grow(60, x, _T), acyclic_term(_T).", "true"),
        ("grow(60, 1, _T), X is _T.", "type_error(evaluable,f/2)"),
        ("grow(60, x, _T), write(_T).", "memory"),
    ] {
        let got = end(&mut m, goal);
        assert_eq!(
            got.replace("O=(<)", "O= <").replace("O=<", "O= <"),
            expected,
            "{goal}"
        );
    }
}

#[test]
fn temporary_names_are_collected() {
    let mut m = Machine::new();
    m.refuel(Fuel {
        steps: 20_000_000,
        cells: 5 << 20,
    });
    // Two million names, 40 MB allowed; those that are still in use stay what they are.
    let program = "keep(f(kept_name, 'another name')).
        loop(0) :- !.
        loop(N) :- atom_concat(temporary_name_, N, A), atom_length(A, _), M is N-1, loop(M).";
    m.consult("names.pl", program).unwrap();
    m.query(
        "atom_concat(held_, name, H), assertz(fact(H)), nb_setval(held, H), T =.. [H, H], \
         findall(H, (between(1, 3, _)), L), loop(2000000), keep(K), fact(F), nb_getval(held, G), \
         atom_concat(held_, name, H2), H == H2, statistics(atoms, N), N < 100000.",
    )
    .unwrap();
    let Outcome::Solution(s) = m.solve() else {
        panic!("no solution")
    };
    for (name, value) in [
        ("H", "held_name"),
        ("T", "held_name(held_name)"),
        ("L", "[held_name,held_name,held_name]"),
        ("K", "f(kept_name,'another name')"),
        ("F", "held_name"),
        ("G", "held_name"),
    ] {
        assert_eq!(s.value(name), Some(value), "{name}");
    }
    // A machine that was saved goes on with the same names.
    let saved = serde_json::to_string(&m).unwrap();
    let mut again: Machine = serde_json::from_str(&saved).unwrap();
    assert_eq!(
        end(&mut again, "fact(F), F == held_name, keep(f(A, _))."),
        "true F=held_name A=kept_name"
    );
}

#[test]
fn erased_clauses_give_their_space_back() {
    let mut m = Machine::new();
    m.refuel(Fuel {
        steps: u64::MAX,
        cells: 1 << 20,
    });
    // 200 MB of clauses go by in 8 MB, without a call that would make the heap grow.
    m.query("numlist(1, 500, L), between(1, 10000, N), assertz(q(N, L)), retract(q(N, _)), fail.")
        .unwrap();
    assert_eq!(m.solve(), Outcome::Done);
}

#[test]
fn cyclic_terms_are_terms() {
    for (goal, expected) in [
        (
            "X = f(X), Y = f(Y), X = Y, X == Y, compare(O, X, Y), O = (=), \\+ X \\= Y, fail.",
            "false",
        ),
        (
            "_X = f(_X), _Y = f(_Y), _X = _Y, _X == _Y, compare((=), _X, _Y).",
            "true",
        ),
        ("_X = f(_X), _Y = f(f(f(_Y))), _X = _Y, _X == _Y.", "true"),
        (
            "_X = [a,b|_X], _Y = [a,b,a,b|_Y], _X = _Y, _X == _Y.",
            "true",
        ),
        (
            "_X = f(_X, a), _Y = f(_Y, b), _X \\= _Y, _X \\== _Y, _X @< _Y.",
            "true",
        ),
        ("_X = f(_X, A), _Y = f(_Y, b), _X = _Y.", "true A=b"),
        (
            "_X = [1|_X], _Y = [2|_Y], compare(O, _X, _Y), O == (<).",
            "true O=<",
        ),
        (
            "_X = f(_X), cyclic_term(_X), \\+ acyclic_term(_X), acyclic_term(f(_)).",
            "true",
        ),
        (
            "_X = f(_X), copy_term(_X, _Y), _X == _Y, findall(_X, true, [_Z]), _Z = _X.",
            "true",
        ),
        (
            "_X = f(_X, A, B), term_variables(_X, V), \\+ ground(_X).",
            "true A=_1 B=_2 V=[_1,_2]",
        ),
        ("_X = g(_X), ground(_X).", "true"),
        (
            "_X = g(_X, A), _Y = g(_Y, B), copy_term(_X, _Z), _Z = _Y.",
            "true A=_1 B=_2",
        ),
        (
            "_X = g(_X), _X =.. L, L = [g|_].",
            "true L=@([g,S_1],[S_1=g(S_1)])",
        ),
        ("X = f(X).", "true X=@(S_1,[S_1=f(S_1)])"),
        ("X = [a|X].", "true X=@(S_1,[S_1=[a|S_1]])"),
        (
            "_X = f(_X), nb_setval(k, _X), nb_getval(k, _Y), _X == _Y.",
            "true",
        ),
        (
            "_X = f(_X), \\+ is_list(_X), _L = [a|_L], \\+ is_list(_L).",
            "true",
        ),
        (
            "_X = f(_X), sort([_X, a, _X, 1], _L), length(_L, N).",
            "true N=3",
        ),
        (
            "_X = f(_X), arg(1, _X, _Y), functor(_Y, N, A).",
            "true N=f A=1",
        ),
        (
            "_X = f(_X), \\+ unify_with_occurs_check(A, f(A)).",
            "true A=_1",
        ),
        (
            "X = 1+X, Y is X.",
            "@(type_error(expression,S_1),[S_1=1+S_1])",
        ),
        (
            "X = 1+X, X =:= 3.",
            "@(type_error(expression,S_1),[S_1=1+S_1])",
        ),
        (
            "X = f(X), term_to_atom(X, Y).",
            "@(type_error(acyclic_term,S_1),[S_1=f(S_1)])",
        ),
        (
            "X = f(X), write(X).",
            "@(type_error(acyclic_term,S_1),[S_1=f(S_1)])",
        ),
        (
            "X = f(X), format(\"~w\", [X]).",
            "@(type_error(acyclic_term,S_1),[S_1=f(S_1)])",
        ),
        (
            "X = f(X), format(atom(_), \"~q\", [X]).",
            "@(type_error(acyclic_term,S_1),[S_1=f(S_1)])",
        ),
        ("X = (a, X), call(X).", "representation_error(cyclic_term)"),
        (
            "X = f(X), assertz(p(X)).",
            "representation_error(cyclic_term)",
        ),
        (
            "X = (a, X), assertz((p :- X)).",
            "representation_error(cyclic_term)",
        ),
        (
            "X = [a|X], msort(X, N).",
            "@(type_error(list,S_1),[S_1=[a|S_1]])",
        ),
        (
            "X = [a|X], length(X, N).",
            "@(type_error(list,S_1),[S_1=[a|S_1]])",
        ),
        (
            "X = [a|X], atomic_list_concat(X, A).",
            "@(type_error(list,S_1),[S_1=[a|S_1]])",
        ),
        ("X = f(X), throw(X).", "@(S_1,[S_1=f(S_1)])"),
        ("X = [a|X], member(b, X).", "steps"),
    ] {
        let mut m = Machine::new();
        assert_eq!(end(&mut m, goal), expected, "{goal}");
    }
}

#[test]
fn a_clock_and_a_flag_end_a_run_inside_a_builtin() {
    let goals = [
        "numlist(1, 400000, L), repeat, msort(L, _), fail.",
        "X is 3**300000, repeat, Y is X*X mod 7, Y =:= 100.",
        "numlist(1, 400000, L), repeat, ground(L), fail.",
    ];
    for goal in goals {
        for by_flag in [false, true] {
            let (stop, micros) = (
                Arc::new(AtomicBool::new(false)),
                Arc::new(AtomicU64::new(0)),
            );
            let limits = Limits::time(Duration::from_secs(1));
            let budget = Budget::with_fake_clock(limits, stop.clone(), micros.clone());
            let mut m = Machine::new();
            m.refuel(Fuel {
                steps: u64::MAX,
                cells: 8 << 20,
            });
            m.keep_to(Some(budget));
            m.query(goal).unwrap();
            m.pause_after(1_000_000);
            assert_eq!(m.solve(), Outcome::OutOfSteps, "{goal}");
            let before = m.steps();
            if by_flag {
                stop.store(true, Ordering::Relaxed);
            } else {
                micros.store(1_000_000, Ordering::Relaxed);
            }
            m.pause_after(u64::MAX);
            assert_eq!(m.solve(), Outcome::OutOfSteps, "{goal}");
            assert!(
                m.steps() - before < 100_000,
                "{goal}: {}",
                m.steps() - before
            );
        }
    }
}

#[test]
fn a_builtin_that_ran_out_of_steps_runs_again() {
    let mut m = Machine::new();
    m.query("numlist(1, 50000, L), reverse(L, R), msort(R, M), M == L, length(M, N), ground(M).")
        .unwrap();
    let mut pauses = 0;
    let mut steps = 1_000;
    loop {
        m.refuel(Fuel {
            steps,
            cells: 8 << 20,
        });
        match m.solve() {
            Outcome::OutOfSteps => pauses += 1,
            Outcome::Solution(s) => {
                assert_eq!(s.value("N"), Some("50000"));
                break;
            }
            other => panic!("{other:?}"),
        }
        steps += 5_000;
    }
    assert!(pauses > 5, "{pauses}");
}

#[test]
fn proofs_of_library_goals_take_memory_by_their_size() {
    let mut m = Machine::new();
    m.record_proofs(true);
    let mut sizes = Vec::new();
    for n in [1_000, 2_000, 50_000] {
        m.refuel(Fuel::default());
        m.query(&format!("numlist(1, {n}, L), sum_list(L, S)."))
            .unwrap();
        assert!(matches!(m.solve(), Outcome::Solution(_)));
        let proof = m.proof().unwrap();
        wits_logic::check(&m, &proof).unwrap();
        sizes.push((
            proof.nodes.len(),
            serde_json::to_string(&proof).unwrap().len(),
        ));
    }
    assert_eq!(sizes[0].0, sizes[2].0);
    assert!(sizes[2].1 < 60 * sizes[0].1, "{sizes:?}");
    // A proof that does not fit the memory allowed is not made.
    m.refuel(Fuel {
        steps: 10_000_000,
        cells: 1 << 20,
    });
    m.consult(
        "len.pl",
        "len([], 0). len([_|T], N) :- len(T, M), N is M+1.",
    )
    .unwrap();
    m.query("numlist(1, 5000, L), len(L, N).").unwrap();
    assert!(matches!(m.solve(), Outcome::Solution(_)));
    assert_eq!(m.proof(), None);
}

#[test]
fn a_suspended_run_is_small_and_goes_on_elsewhere() {
    let program = "
        part(printer, tray). part(printer, cable). part(cable, plug). part(tray, wheel).
        inside(X, Y) :- part(Y, X). inside(X, Y) :- part(Z, X), inside(Z, Y).
        fault(P) :- inside(P, printer), ask(broken(P)), \\+ ask(new(P)), number(age(P), N), N > 2.
        :- dynamic seen/1.
        noted(P) :- fault(P), assertz(seen(P)).";
    let load = || {
        let mut m = Machine::new();
        m.consult("parts.pl", program).unwrap();
        m
    };
    let base = load();
    for (goal, proofs) in [
        ("fault(P).", false),
        ("fault(P).", true),
        ("noted(P), seen(Q).", false),
    ] {
        let mut m = base.clone();
        m.record_proofs(proofs);
        m.query(goal).unwrap();
        let mut straight = m.clone();
        let mut largest = 0;
        let mut found = Vec::new();
        loop {
            let expected = straight.solve();
            let got = m.solve();
            assert_eq!(got, expected, "{goal}");
            match got {
                Outcome::Asked(q) => {
                    let answer = match q.wanted {
                        Wanted::Number if q.term.contains("cable") => Answer::Number(1.0),
                        Wanted::Number => Answer::Number(5.0),
                        _ if q.term.starts_with("new") => Answer::No,
                        _ => Answer::Yes,
                    };
                    let text = serde_json::to_string(&m.suspend(&base)).unwrap();
                    largest = largest.max(text.len());
                    let kept: Suspended = serde_json::from_str(&text).unwrap();
                    m = kept.resume(&load()).unwrap();
                    m.answer(answer.clone()).unwrap();
                    straight.answer(answer).unwrap();
                }
                Outcome::Solution(s) => {
                    assert_eq!(m.proof(), straight.proof());
                    found.push(s.bindings[0].value.clone());
                }
                other => {
                    assert_eq!(other, Outcome::Done);
                    break;
                }
            }
        }
        assert!(found.len() >= 3, "{goal}: {found:?}");
        // What a run asserts is part of it.
        assert!(
            largest < 4096 || goal.starts_with("noted"),
            "{goal}: {largest} bytes"
        );
        let mut other = load();
        other.consult("more.pl", "more(1).").unwrap();
        assert_eq!(m.suspend(&base).resume(&other).unwrap_err(), OtherProgram);
    }
}

#[test]
fn a_suspended_dialogue_about_a_base_is_small() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../expert/bases/printer.pl");
    let text = std::fs::read_to_string(file).unwrap();
    let mut base = Machine::new();
    base.consult("printer.pl", &text).unwrap();
    let mut m = base.clone();
    m.record_proofs(true);
    m.query("problem(P, _, _), fix(P, Advice).").unwrap();
    let mut asked = 0;
    while let Outcome::Asked(_) = m.solve() {
        let text = serde_json::to_string(&m.suspend(&base)).unwrap();
        assert!(text.len() < 4096, "{asked}: {} bytes", text.len());
        let kept: Suspended = serde_json::from_str(&text).unwrap();
        m = kept.resume(&base).unwrap();
        m.answer(if asked % 3 == 2 {
            Answer::Yes
        } else {
            Answer::No
        })
        .unwrap();
        asked += 1;
        if asked == 6 {
            break;
        }
    }
    assert!(asked > 1, "{asked}");
}

/// The log kept a record of every step that `between/3` and `repeat/0` took for themselves.
#[test]
fn a_failing_loop_takes_no_memory_while_proofs_are_recorded() {
    let mut m = Machine::new();
    m.consult("p.pl", "p(1). p(2). loop :- repeat, p(X), X > 2.")
        .unwrap();
    m.record_proofs(true);
    let fuel = Fuel {
        steps: 400_000,
        cells: 64 << 10,
    };
    for (goal, ends) in [
        ("between(1, 100000, _), fail.", true),
        ("forall(between(1, 30000, X), p(_)).", true),
        (
            "findall(x, (between(1, 30000, X), X > 29000), _), fail.",
            true,
        ),
        ("loop.", false),
    ] {
        m.refuel(fuel);
        m.query(goal).unwrap();
        let outcome = loop {
            match m.solve() {
                Outcome::Solution(_) => {}
                other => break other,
            }
        };
        let expected = if ends {
            Outcome::Done
        } else {
            Outcome::OutOfSteps
        };
        assert_eq!(outcome, expected, "{goal}");
    }
    // What the program's own goals found out is still told.
    m.refuel(fuel);
    m.query("between(1, 50, X), maplist(p, [X]), X > 1.")
        .unwrap();
    assert!(matches!(m.solve(), Outcome::Solution(_)));
    let proof = m.proof().unwrap();
    let goals: Vec<String> = proof.nodes.iter().map(|n| n.goal.to_string()).collect();
    assert_eq!(goals, ["between(1,50,2)", "maplist(p,[2])", "p(2)", "2>1"]);
    assert!(wits_logic::check(&m, &proof).is_ok());
}
