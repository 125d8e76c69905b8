//! The machine's behaviour, through the public interface.
#![allow(clippy::unwrap_used)]

mod limits;

use wits_logic::{Answer, Fuel, Machine, Outcome, Wanted};

/// All solutions of a query as `X=1,Y=2` lines; an error ends the list.
fn all(program: &str, query: &str) -> Vec<String> {
    let mut m = Machine::new();
    m.consult("test.pl", program).unwrap();
    run(&mut m, query)
}

fn run(m: &mut Machine, query: &str) -> Vec<String> {
    m.query(query).unwrap();
    let mut out = Vec::new();
    loop {
        match m.solve() {
            Outcome::Solution(s) => {
                let parts: Vec<String> = s
                    .bindings
                    .iter()
                    .map(|b| format!("{}={}", b.name, b.value))
                    .collect();
                out.push(parts.join(","));
            }
            Outcome::Done => return out,
            Outcome::Error(t) => {
                out.push(format!("ERR {}", t.term));
                return out;
            }
            other => {
                out.push(format!("{other:?}"));
                return out;
            }
        }
        assert!(out.len() < 1000, "too many solutions");
    }
}

/// One query with its solutions separated by ` ; `.
#[track_caller]
fn check(program: &str, query: &str, expected: &str) {
    assert_eq!(all(program, query).join(" ; "), expected, "{query}");
}

#[test]
fn a_million_deep_recursion() {
    let p = "len([], 0). len([_|T], N) :- len(T, M), N is M+1.
             s(0, z) :- !. s(N, s(T)) :- M is N-1, s(M, T).
             d(z, 0). d(s(T), N) :- d(T, M), N is M+1.";
    check(p, "numlist(1, 1000000, _L), len(_L, N).", "N=1000000");
    check(
        p,
        "s(1000000, _T), d(_T, N), copy_term(_T, _U), _T == _U, assertz(big(_T)), big(_V), _V = _T.",
        "N=1000000",
    );
}

#[test]
fn memory_stays_flat_in_loops() {
    let mut m = Machine::new();
    m.consult("l.pl", "loop(0) :- !. loop(N) :- atom_length(abc, _), X = f(N,N,N), arg(1,X,Y), M is Y-1, loop(M).").unwrap();
    m.refuel(Fuel {
        steps: u64::MAX,
        cells: 3 << 20,
    });
    assert_eq!(run(&mut m, "loop(3000000)."), [""]);
    assert!(m.collections() > 2);
    assert!(m.cells_used() < 2 << 20, "{}", m.cells_used());
}

/// A variable that is met behind a choice point held, after going back, the address of a term that was
/// gone, and collecting followed it.
#[test]
fn collecting_does_not_follow_what_was_before_going_back() {
    let text = "t :- between(1, 60000, N), atom_concat(tmp_, N, A), atom_length(A, L), L < 0.
        u(S) :- between(1, 60000, N), f(N, X), atom_concat(X, a, A), g(A, Y, Z), N > 59999, S = Y-Z.
        f(N, N). g(A, B, [A|T]) :- atom_concat(A, A, B), T = \"a text\".";
    check(text, "t", "");
    check(text, "u(S)", "S='60000a60000a'-['60000a'|\"a text\"]");
}

/// Names that are worth collecting while a cleanup runs were taken for memory that is used up.
#[test]
fn cleanups_make_names() {
    let text = "t :- between(1, 40, _), setup_call_cleanup(true, true, names), fail. t.
        names :- between(1, 5000, N), atom_concat(tmp_, N, A), atom_concat(A, '-a-longer-name-to-fill-memory', _), fail.
        names.";
    check(text, "t", "");
}

#[test]
fn counters_in_the_database_stay_flat() {
    let mut m = Machine::new();
    m.consult("l.pl", ":- dynamic c/1. c(0). up(0) :- !. up(N) :- retract(c(X)), Y is X+1, assertz(c(Y)), M is N-1, up(M).").unwrap();
    assert_eq!(run(&mut m, "up(100000), c(X)."), ["X=100000"]);
}

#[test]
fn runaway_programs_end_clearly() {
    let mut m = Machine::new();
    m.consult(
        "r.pl",
        "p :- p, q. q. l :- l. t(X) :- t(f(X,X)). b(L) :- b([L|L]), true.",
    )
    .unwrap();
    for (goal, end) in [
        ("p.", "OutOfMemory"),
        ("l.", "OutOfSteps"),
        ("b(x).", "OutOfMemory"),
        ("length(L, L).", "resource"),
        ("atom_length(L, L).", "ERR"),
        ("repeat, assertz(fact(x)), fail.", "OutOfMemory"),
        (
            // Names that nothing refers to any more are collected.
            "between(1, inf, N), atom_concat(name, N, _), fail.",
            "OutOfSteps",
        ),
    ] {
        m.refuel(Fuel {
            steps: 20_000_000,
            cells: 8 << 20,
        });
        let got = run(&mut m, goal);
        let last = got.last().cloned().unwrap_or_default();
        if end != "resource" {
            assert!(last.contains(end), "{goal}: {last}");
        }
    }
    m.refuel(Fuel::default());
    assert_eq!(run(&mut m, "X = still_alive."), ["X=still_alive"]);
}

#[test]
fn out_of_steps_can_go_on() {
    let mut m = Machine::new();
    m.consult("l.pl", "n(N, N) :- !. n(I, N) :- J is I+1, n(J, N).")
        .unwrap();
    m.refuel(Fuel {
        steps: 1000,
        cells: 1 << 20,
    });
    m.query("n(0, 5000).").unwrap();
    let mut pauses = 0;
    while m.solve() == Outcome::OutOfSteps {
        pauses += 1;
        m.refuel(Fuel {
            steps: 1000,
            cells: 1 << 20,
        });
    }
    assert_eq!(pauses, 5);
}

#[test]
fn control() {
    let p = "a(1). a(2). a(3). t(X) :- ( a(X), X > 1 -> true ; X = none ). u(X) :- ( a(X), X > 5 -> true ; X = none ).
             c(X) :- ( true, ! ; true ), X = 1. c(2). v(X, Y) :- ( X = 1, Y = a ; X = 2 ), ( var(Y) -> Y = b ; true ).
             w(X) :- \\+ X = 1, a(X). n(X) :- \\+ \\+ a(X), X = free. k(X) :- ( \\+ (a(Y), Y > 2) -> X = no ; X = yes ).
             s(X) :- ( a(X) *-> true ; X = none ). z(X) :- ( fail *-> true ; X = none ). l(X) :- ( (a(X), !, fail) -> true ; X = else ).";
    check(p, "t(X).", "X=2");
    check(p, "u(X).", "X=none");
    check(p, "c(X).", "X=1");
    check(p, "v(X, Y).", "X=1,Y=a ; X=2,Y=b");
    check(p, "w(X).", "");
    check(p, "n(X).", "X=free");
    check(p, "k(X).", "X=yes");
    check(p, "s(X).", "X=1 ; X=2 ; X=3");
    check(p, "z(X).", "X=none");
    check(p, "l(X).", "X=else");
    check(p, "G = (a(X), X > 1, !), call(G).", "G=a(2),2>1,!,X=2");
    check(p, "call((fail, 1)).", "ERR type_error(callable,(fail,1))");
    check(
        p,
        "catch((a(X), X >= 2, throw(found(X))), found(Y), true).",
        "X=_1,Y=2",
    );
    check(
        p,
        "catch(a(X), _, true), X > 2, catch(throw(b), E, true).",
        "X=3,E=b",
    );
    check(
        p,
        "catch((catch(a(X), _, fail), throw(oops)), E, true).",
        "X=_1,E=oops",
    );
    check(
        p,
        "forall(a(X), X > 0), findall(X-Y, (a(X), a(Y), X < Y), L).",
        "X=_1,Y=_2,L=[1-2,1-3,2-3]",
    );
}

#[test]
fn logical_update_view() {
    let p = ":- dynamic q/1. q(1). q(2).";
    check(p, "q(X), assertz(q(9)), retract(q(2)).", "X=1");
    check(p, "q(X), asserta(q(0)).", "X=1 ; X=2");
    check(
        p,
        "retract(q(X)), X > 1, findall(Y, q(Y), L).",
        "X=2,Y=_1,L=[]",
    );
    check(
        p,
        "forall(between(1, 50, X), assertz(q(X))), retractall(q(_)), \\+ q(_), assertz(q(a)), q(Z).",
        "X=_1,Z=a",
    );
}

#[test]
fn tabling_ends_left_recursion() {
    let p = ":- table path/2. path(X, Y) :- path(X, Z), edge(Z, Y). path(X, Y) :- edge(X, Y).
             edge(a, b). edge(b, c). edge(c, a). edge(c, d).
             :- table fib/2. fib(0, 0). fib(1, 1). fib(N, F) :- N > 1, A is N-1, B is N-2, fib(A, X), fib(B, Y), F is X+Y.
             :- table ev/1, od/1. ev(0). ev(N) :- od(M), M < 10, N is M+1. od(N) :- ev(M), M < 10, N is M+1.";
    check(
        p,
        "findall(Y, path(a, Y), L0), sort(L0, L).",
        "Y=_1,L0=[b,c,a,d],L=[a,b,c,d]",
    );
    check(
        p,
        "findall(X-Y, path(X, Y), L0), length(L0, N).",
        "X=_1,Y=_2,L0=[a-b,b-c,c-a,c-d,a-c,b-a,b-d,c-b,a-a,a-d,b-b,c-c],N=12",
    );
    check(p, "fib(100, F).", "F=354224848179261915075");
    check(
        p,
        "findall(X, ev(X), L0), sort(L0, L).",
        "X=_1,L0=[0,2,4,6,8,10],L=[0,2,4,6,8,10]",
    );
}

#[test]
fn grammars() {
    let p = "greeting --> [hello], name. name --> [world]. name --> [prolog].
             digits([D|T]) --> digit(D), digits(T). digits([D]) --> digit(D). digit(D) --> [D], { code_type(D, digit) }.";
    check(p, "phrase(greeting, [hello, W]).", "W=world ; W=prolog");
    check(
        p,
        "atom_codes('123', Cs), phrase(digits(Ds), Cs), atom_codes(A, Ds).",
        "Cs=[49,50,51],Ds=[49,50,51],A='123'",
    );
}

#[test]
fn formatting() {
    let mut m = Machine::new();
    for (goal, text) in [
        ("format(\"~w and ~q~n\", [a, 'B c'])", "a and 'B c'\n"),
        (
            "format(\"~a~t~20|~w\", [left, right])",
            "left                right",
        ),
        (
            "format(\"~t~w~10|~w~t~10+|\", [ab, cd])",
            "        abcd        |",
        ),
        (
            "format(\"~2d ~D ~3f ~e ~8r ~c~i~w\", [314, 1234567, 2.5, 1.0, 64, 65, skip, z])",
            "3.14 1,234,567 2.500 1.000000e+00 100 Az",
        ),
        ("format(\"~`-t~30|~n\")", "------------------------------\n"),
        (
            "writeq(['A'-b, \"s\", 'it''s', [], {x}, -(1), 1 - -1, f(:-), (a:-b,c)])",
            "['A'-b,\"s\",'it\\'s',[],{x},- 1,1- -1,f(:-),(a:-b,c)]",
        ),
        ("print(f(X)), nl", ""),
    ] {
        let got = run(&mut m, goal);
        assert_eq!(got.len(), 1, "{goal}: {got:?}");
        let out = m.take_output();
        if !text.is_empty() {
            assert_eq!(out, text, "{goal}");
        }
    }
}

#[test]
fn errors_point_into_the_source() {
    let mut m = Machine::new();
    let loaded = m.load("bad.pl", "a(1).\nb(X) :- c(X, .\nd(2).\ne(X) :- X is foo + 1.\nf :- missing(1), true.\ng :- a(\"x\nh.\n");
    let e = &loaded.errors[0];
    let p = e.place.as_ref().unwrap();
    assert_eq!((p.line, p.column), (2, 14), "{e}");
    assert_eq!(loaded.errors.len(), 2);
    assert_eq!(run(&mut m, "d(X)."), ["X=2"]);
    m.query("e(X).").unwrap();
    let Outcome::Error(t) = m.solve() else {
        panic!()
    };
    assert_eq!(
        (
            t.place.as_ref().unwrap().line,
            t.place.as_ref().unwrap().column
        ),
        (4, 11),
        "{t:?}"
    );
    m.query("f.").unwrap();
    let Outcome::Error(t) = m.solve() else {
        panic!()
    };
    assert_eq!(t.place.unwrap().line, 5);
    m.consult("ok.pl", "colour(red).").unwrap();
    m.query("color(X).").unwrap();
    let Outcome::Error(t) = m.solve() else {
        panic!()
    };
    assert_eq!(t.hint.as_deref(), Some("did you mean `colour/1`?"));
}

#[test]
fn a_paused_machine_is_plain_data() {
    let mut m = Machine::new();
    m.consult("q.pl", "fix(A) :- ask(on), !, choose(which, [red, green], C), number(how_many, N), A = C-N. fix(buy).").unwrap();
    m.query("fix(A).").unwrap();
    let Outcome::Asked(q) = m.solve() else {
        panic!()
    };
    assert_eq!((q.term.as_str(), &q.wanted), ("on", &Wanted::YesNo));
    let before = m.clone();
    assert!(m.answer(Answer::Option(3)).is_err());
    m.answer(Answer::Yes).unwrap();
    let Outcome::Asked(q) = m.solve() else {
        panic!()
    };
    assert_eq!(q.wanted, Wanted::Choice(vec!["red".into(), "green".into()]));
    // Through text and back, as if in another process.
    let text = serde_json::to_string(&m).unwrap();
    let mut m: Machine = serde_json::from_str(&text).unwrap();
    m.answer(Answer::Option(1)).unwrap();
    assert!(matches!(m.solve(), Outcome::Asked(_)));
    m.answer(Answer::Number(7.0)).unwrap();
    let Outcome::Solution(s) = m.solve() else {
        panic!()
    };
    assert_eq!(s.value("A"), Some("green-7"));
    // Undo: the clone still waits for the first answer.
    let mut m = before;
    m.answer(Answer::No).unwrap();
    let Outcome::Solution(s) = m.solve() else {
        panic!()
    };
    assert_eq!(s.value("A"), Some("buy"));
}

#[test]
fn library_predicates_can_be_replaced() {
    let p = "first(X) :- append([X], _, [1,2]). append(a, b, c). p(L) :- permutation([1,2], L).";
    check(p, "append(X, Y, Z).", "X=a,Y=b,Z=c");
    check(p, "first(X).", "");
    check(p, "p(L).", "L=[1,2] ; L=[2,1]");
    check(
        p,
        "assertz(atom_length(x, y)).",
        "ERR permission_error(modify,static_procedure,atom_length/2)",
    );
}

#[test]
fn big_clauses_and_many_registers() {
    let items: Vec<String> = (0..400).map(|i| format!("f({i},X{i})")).collect();
    let p = format!(
        "big([{}]). wide(g({})). body(Z) :- A = [{}], last(A, Z).",
        items.join(","),
        items[..150].join(","),
        items.join(",")
    );
    check(
        &p,
        "big(_L), length(_L, N), nth0(399, _L, E).",
        "N=400,E=f(399,_1)",
    );
    check(&p, "wide(_G), arg(150, _G, E).", "E=f(149,_1)");
    check(&p, "body(E).", "E=f(399,_1)");
}

#[test]
fn proofs_are_complete_and_judged() {
    use wits_logic::{Because, check};
    let p = "part(dev, null). part(panel, dev). part(btn, panel).
             below(X, X) :- part(X, _). below(X, Y) :- part(X, P), P \\== null, below(P, Y).
             len([], 0). len([_|T], N) :- len(T, M), N is M+1.
             safe(X) :- part(X, _), \\+ part(_, X).
             pick(X, Y) :- ( X > 5 -> Y = big ; X > 2, part(_, dev) -> Y = mid ; Y = small ).
             all(L) :- findall(X, part(X, _), L). m(X) :- member(X, [a, btn]), safe(X).
             say(X) :- ask(on(X)), call(part(X, _)), once(part(_, X)).
             twice(L, N) :- len(L, M), N is 2*M, check(N, [N|_]). check(N, [M|_]) :- N =:= M.
             got(N) :- all(L), len(L, N). both(X, Y) :- G = len([X], Y), call(G), len([X,X], Z), Z > Y.";
    let mut m = Machine::new();
    m.consult("p.pl", p).unwrap();
    m.record_proofs(true);
    m.foretell("on(dev)", Answer::Yes).unwrap();
    let mut judged = 0;
    for goal in [
        "below(btn, dev)",
        "below(X, panel)",
        "len([a,b,c], N)",
        "safe(X)",
        "pick(7, Y)",
        "pick(4, Y)",
        "pick(1, Y)",
        "all(L)",
        "m(X)",
        "say(dev)",
        "twice([a,b], N)",
        "got(N)",
        "both(a, Y)",
        "call((len([a], X), len([b, c], Y)))",
    ] {
        m.query(goal).unwrap();
        let mut found = 0;
        while let Outcome::Solution(_) = m.solve() {
            let proof = m.proof().unwrap();
            check(&m, &proof).unwrap_or_else(|e| panic!("{goal}: {e}\n{proof:#?}"));
            found += 1;
            // A spoilt proof is refused.
            for n in 0..proof.nodes.len() {
                let mut bad = proof.clone();
                if let Because::Clause(..) = bad.nodes[n].because {
                    bad.nodes[n].goal = m.read_value("nonsense(1)").unwrap();
                    assert!(check(&m, &bad).is_err());
                    judged += 1;
                }
            }
        }
        assert!(found > 0, "{goal}");
    }
    assert!(judged > 20);
    m.query("below(btn, dev)").unwrap();
    m.solve();
    let proof = m.proof().unwrap();
    let lines: Vec<String> = proof
        .lines()
        .iter()
        .map(|l| format!("{}{}", " ".repeat(l.depth), l.node.goal))
        .collect();
    assert_eq!(
        lines,
        [
            "below(btn,dev)",
            " part(btn,panel)",
            " panel\\==null",
            " below(panel,dev)",
            "  part(panel,dev)",
            "  dev\\==null",
            "  below(dev,dev)",
            "   part(dev,null)"
        ]
    );
}

#[test]
fn watching_changes_nothing() {
    use wits_logic::Port;
    let p = "a(1). a(2). b(X) :- a(X), X > 1. c(X) :- b(X), !. d(X) :- \\+ b(X), a(X). d(9).";
    for goal in [
        "b(X).",
        "c(X).",
        "d(X).",
        "findall(X, b(X), L).",
        "catch(zz(1), E, true).",
    ] {
        let mut plain = Machine::new();
        plain.consult("w.pl", p).unwrap();
        let expected = run(&mut plain, goal);
        let mut m = Machine::new();
        m.consult("w.pl", p).unwrap();
        m.watch(1000);
        assert_eq!(run(&mut m, goal), expected, "{goal}");
        let (events, dropped) = m.events();
        assert_eq!(dropped, 0);
        assert_eq!(events[0].port, Port::Call);
    }
    let mut m = Machine::new();
    m.consult("w.pl", p).unwrap();
    m.watch(1000);
    run(&mut m, "b(X).");
    let text: Vec<String> = m
        .events()
        .0
        .iter()
        .map(|e| format!("{:?} {} {}", e.port, e.id, e.goal))
        .collect();
    assert_eq!(
        text,
        [
            "Call 1 b(A)",
            "Unify 1 b(A)",
            "Call 2 a(A)",
            "Unify 2 a(A)",
            "Exit 2 a(1)",
            "Redo 2 a(A)",
            "Unify 2 a(A)",
            "Exit 2 a(2)",
            "Exit 1 b(2)"
        ]
    );
}

/// Goals that were called before the watch began have no name: what happens to them is counted, and the rest is told.
#[test]
fn a_watch_may_begin_in_the_middle_of_a_run() {
    use wits_logic::{Outcome, Port};
    let p = "a(1). a(2). a(3). b(X) :- a(X), c(X). c(X) :- X > 0.";
    for first in [false, true] {
        let mut m = Machine::new();
        m.consult("w.pl", p).unwrap();
        if first {
            m.watch(1000);
        }
        m.query("b(X).").unwrap();
        assert!(matches!(m.solve(), Outcome::Solution(_)));
        m.watch(1000);
        let Outcome::Solution(found) = m.solve() else {
            panic!("there is a second solution")
        };
        assert_eq!(found.value("X").map(ToString::to_string), Some("2".into()));
        let (events, dropped) = m.events();
        let told: Vec<String> = events
            .iter()
            .map(|e| format!("{:?} {}", e.port, e.goal))
            .collect();
        // Of the goals that are called now, everything is told, and under numbers that no earlier goal has.
        assert_eq!(told, ["Call c(2)", "Unify c(2)", "Exit c(2)"]);
        let earlier = if first { 3 } else { 0 };
        assert!(events.iter().all(|e| e.id == earlier + 1));
        assert!(events.iter().all(|e| e.port != Port::Redo));
        assert_eq!(
            dropped > 0,
            first,
            "only watched goals leave marks: {dropped}"
        );
    }
}

/// What a person is asked, and what they said, are goals of the thread.
#[test]
fn questions_and_answers_are_steps() {
    use wits_logic::{Answer, Outcome, follow};
    let mut m = Machine::new();
    let p = "ok :- ask(wet), \\+ ask(cold), choose(colour, [red, blue], C), C == blue.";
    m.consult("q.pl", p).unwrap();
    m.foretell("wet", Answer::Yes).unwrap();
    m.foretell("cold", Answer::No).unwrap();
    m.watch(100);
    m.query("ok.").unwrap();
    assert!(matches!(m.solve(), Outcome::Asked(_)));
    m.answer(Answer::Option(1)).unwrap();
    assert!(matches!(m.solve(), Outcome::Solution(_)));
    let mut steps = Vec::new();
    follow(&m.events().0, &mut steps);
    let told: Vec<String> = steps.iter().map(|s| s.says.to_string()).collect();
    assert_eq!(
        told,
        [
            "try ok",
            "take clause 1 of 1 for ok",
            "try wet",
            "the person said yes: wet",
            "try cold",
            "the person said no: cold",
            "try colour",
            "ask the person: colour",
            "the person said blue: colour",
            "ok holds",
        ]
    );
    assert_eq!(steps[5].data["outcome"], "no");
}

#[test]
fn steps_go_into_threads() {
    use wits_logic::follow;
    let mut m = Machine::new();
    m.consult(
        "r.pl",
        "part(lamp, panel). part(panel, dev). ok(X) :- part(X, Y), powered(Y). powered(dev).",
    )
    .unwrap();
    m.watch(100);
    run(&mut m, "ok(X).");
    let mut steps = Vec::new();
    follow(&m.events().0, &mut steps);
    assert!(steps.len() > 6);
    assert_eq!(steps[0].says.to_string(), "try ok(A)");
    let exit = steps.iter().find(|s| s.data.contains_key("bindings"));
    let exit = exit.expect("a goal with a variable was proved");
    assert_eq!(exit.data["bindings"]["A"], "lamp");
    let open = steps.iter().any(|s| s.data.contains_key("open"));
    assert!(open, "part/2 has clauses left after its first");
    assert_eq!(steps[0].data["parent"], serde_json::Value::Null);
}

#[test]
fn operands_keep_their_registers() {
    // The first operand is still in a register from the test before; the second must not take it.
    let mut m = Machine::new();
    m.consult(
        "d.pl",
        "d(1). d(2). d(3). d(4).
         t(A, B, C, D) :- d(A), d(B), B =\\= A, d(C), C =\\= B, C =\\= A,
             d(D), D =\\= C, D =\\= B, D =\\= A, S is A+B, S =:= B+A, S - A =:= B.
         u(A, B, X) :- d(A), d(B), A \\== B, A @< B, B @> A, X = f(A, B, A).",
    )
    .unwrap();
    assert_eq!(m.every("t(A, B, C, X).", "X").unwrap().len(), 24);
    assert_eq!(m.every("u(A, B, X).", "X").unwrap().len(), 6);
}
