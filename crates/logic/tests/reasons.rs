//! Why goals fail: every place where a way to prove them ended, and nothing that is not so.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use wits_logic::{Answer, Ended, Machine, Reason, reasons};

const PROGRAM: &str = r"
part(lamp, panel). part(panel, dev). powered(dev).
size(lamp, 3). size(dev, 9).
ok(X) :- part(X, Y), powered(Y).
big(X) :- size(X, N), N > 5.
free(X) :- \+ part(X, _).
one(X) :- !, X = 1.
one(_).
first(X) :- part(X, Y), !, powered(Y).
first(_) :- size(dev, 1).
lit(X) :- ask(on(X)), part(X, _).
red(X) :- choose(colour(X), [blue, red], red).
deep(X) :- number(depth(X), N), N > 2.
wide(X) :- ( part(X, panel) -> size(X, 9) ; size(X, 3) ).
both(X) :- ( big(X) ; powered(X) ).
up(X) :- part(X, Y), up(Y).
up(X) :- powered(X), big(X), X \== dev.
off(X) :- retract(powered(dev)), part(X, Y), powered(Y).
half(X) :- catch(big(X), _, true), once(powered(X)).
all :- forall(part(X, _), size(X, _)).
:- table path/2.
path(X, Y) :- path(X, Z), part(Z, Y).
path(X, Y) :- part(X, Y).
:- dynamic seen/1.
";

fn machine() -> Machine {
    let mut m = Machine::new();
    m.consult("p.pl", PROGRAM).unwrap();
    for (question, answer) in [
        ("on(lamp)", Answer::No),
        ("on(panel)", Answer::Unknown),
        ("colour(lamp)", Answer::Option(0)),
        ("depth(lamp)", Answer::Number(1.5)),
    ] {
        m.foretell(question, answer).unwrap();
    }
    m
}

/// The reasons, each as `sentence (in goals)`.
fn told(query: &str) -> Vec<String> {
    let line = |r: &Reason| format!("{} (in {})", r.text, r.path.join(" → "));
    let all = reasons(&machine(), query, 12).unwrap();
    all.iter().map(line).collect()
}

#[test]
fn every_end_is_told_for_what_it_is() {
    for (query, expected) in [
        (
            "ok(lamp).",
            &["no clause fits powered(panel) (in ok(lamp))"][..],
        ),
        ("ok(panel).", &[]),
        ("big(lamp).", &["3>5 does not hold (in big(lamp))"]),
        (
            "free(lamp).",
            &["part(lamp,panel) holds, and it must not (in free(lamp))"],
        ),
        (
            "lit(lamp).",
            &["the answer to on(lamp) was “no” (in lit(lamp))"],
        ),
        (
            "lit(panel).",
            &["the answer to on(panel) was “don't know” (in lit(panel))"],
        ),
        (
            "red(lamp).",
            &["the answer to colour(lamp) was “blue” (in red(lamp))"],
        ),
        ("deep(lamp).", &["1.5>2 does not hold (in deep(lamp))"]),
        (
            "wide(lamp).",
            &["no clause fits size(lamp,9) (in wide(lamp))"],
        ),
        (
            "wide(panel).",
            &["no clause fits size(panel,3) (in wide(panel))"],
        ),
        // A clause that was cut off is no reason.
        ("one(2).", &["2=1 does not hold (in one(2))"]),
        (
            "first(lamp).",
            &["no clause fits powered(panel) (in first(lamp))"],
        ),
        (
            "both(lamp).",
            &[
                "3>5 does not hold (in both(lamp) → big(lamp))",
                "no clause fits powered(lamp) (in both(lamp))",
            ],
        ),
        // Every solution of a goal leads on to an end of its own; what held is no reason.
        (
            "part(X, Y), powered(X).",
            &[
                "no clause fits powered(lamp) (in )",
                "no clause fits powered(panel) (in )",
            ],
        ),
        (
            "up(lamp).",
            &[
                "no clause fits part(dev,A) (in up(lamp) → up(panel) → up(dev))",
                "dev\\==dev does not hold (in up(lamp) → up(panel) → up(dev))",
                "no clause fits powered(panel) (in up(lamp) → up(panel))",
                "no clause fits powered(lamp) (in up(lamp))",
            ],
        ),
        // What the rule itself took away is gone.
        (
            "off(panel).",
            &["no clause fits powered(dev) (in off(panel))"],
        ),
        ("half(dev), fail.", &["fail does not hold (in )"]),
        (
            "half(lamp).",
            &["3>5 does not hold (in half(lamp) → big(lamp))"],
        ),
        ("all.", &["no clause fits size(panel,A) (in all)"]),
        (
            "path(dev, X).",
            &["no clause fits part(dev,A) (in path(dev,A))"],
        ),
        ("seen(X).", &["no clause fits seen(A) (in )"]),
        (
            "call(part, X, lamp).",
            &["no clause fits part(A,lamp) (in )"],
        ),
        (
            "member(X, [1, 2]), X > 2.",
            &["1>2 does not hold (in )", "2>2 does not hold (in )"],
        ),
    ] {
        assert_eq!(told(query), expected, "{query}");
    }
    assert!(reasons(&machine(), "nobody(1).", 5).is_err());
    assert!(reasons(&machine(), "ok(", 5).is_err());
}

#[test]
fn long_ways_are_cut_short() {
    let all = reasons(&machine(), "between(1, 50, X), X > 60.", 5).unwrap();
    assert_eq!(all.len(), 5);
    // A failure a hundred thousand levels down still has something to say, soon.
    let mut m = machine();
    m.consult(
        "c.pl",
        "down(0) :- !, fail. down(N) :- M is N - 1, down(M).",
    )
    .unwrap();
    let all = reasons(&m, "down(100000).", 5).unwrap();
    assert_eq!(all.len(), 1, "{all:?}");
    assert_eq!(all[0].ended, Ended::NoWay);
    // The clause behind a cut, which would not end, is not looked into.
    let all = reasons(&m, "down(3).", 5).unwrap();
    let ends: Vec<&str> = all.iter().map(|r| r.text.as_str()).collect();
    assert_eq!(ends, ["fail does not hold"]);
    assert_eq!(all[0].path.len(), 4);
    // Terms too large to be shown whole.
    let all = reasons(&m, "numlist(1, 5000, L), part(L, x).", 5).unwrap();
    assert!(
        all[0].goal.len() < 500 && all[0].goal.ends_with('…'),
        "{all:?}"
    );
}
