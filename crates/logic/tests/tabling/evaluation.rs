//! How tabled goals are evaluated: best answers, suspended calls, limits, negation.

use std::collections::BTreeSet;

use wits_logic::{Machine, Outcome, check};

use super::{machine, proved, set, told, values};

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
