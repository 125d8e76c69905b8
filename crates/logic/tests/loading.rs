//! What happens to a text while it is loaded: conditions, and goals that are replaced.
#![allow(
    clippy::unwrap_used,
    clippy::missing_panics_doc,
    reason = "a test that cannot go on fails"
)]

use wits_logic::Machine;

/// Loads a text; the values of `X` for which `v(X)` holds, and the errors with their lines.
fn loaded(text: &str) -> (Vec<String>, Vec<String>) {
    let mut m = Machine::new();
    let out = m.load("t.pl", text);
    let told = |e: &wits_logic::Trouble| {
        let line = e.place.as_ref().map_or(0, |p| p.line);
        format!("{line}: {}", e.message)
    };
    let errors = out.errors.iter().map(told).collect();
    let values = m.every("catch(v(X), _, fail).", "X").unwrap();
    (values.iter().map(ToString::to_string).collect(), errors)
}

#[test]
fn parts_are_loaded_on_a_condition() {
    let text = ":- if(true).\nv(1).\n:- if(fail).\nv(2).\n:- elif(1 < 2).\nv(3).\n:- elif(true).\nv(4).\n\
        :- else.\nv(5).\n:- endif.\n:- else.\nv(6).\n:- if(true).\nv(7).\n:- endif.\n:- endif.\nv(8).";
    let (values, errors) = loaded(text);
    assert_eq!(values, ["1", "3", "8"]);
    assert!(errors.is_empty(), "{errors:?}");
    // What is left out must not be run or warned of, but it must be Prolog.
    let (values, errors) = loaded(":- if(fail).\n:- throw(x).\nv(X, Y).\nv(.\n:- endif.\nv(1).");
    assert_eq!(values, ["1"]);
    assert_eq!(errors.len(), 1, "{errors:?}");
    // A condition that throws is not met.
    let (values, errors) = loaded(":- if(nobody_has_this).\nv(1).\n:- else.\nv(2).\n:- endif.");
    assert_eq!(values, ["2"]);
    assert!(errors[0].starts_with("1: "), "{errors:?}");
}

#[test]
fn conditions_that_do_not_fit_together_are_named() {
    let (_, errors) = loaded("v(1).\n:- endif.");
    assert_eq!(
        errors,
        ["2: there is no `:- if(Goal).` before this `:- endif`"]
    );
    let (_, errors) = loaded(":- if(true).\n:- else.\n:- else.\n:- endif.");
    assert_eq!(errors, ["3: `:- else` cannot follow `:- else.`"]);
    let (values, errors) = loaded(":- if(true).\nv(1).\n");
    assert_eq!(values, ["1"]);
    assert_eq!(errors, ["2: `:- endif.` is missing at the end of the text"]);
}

#[test]
fn goals_are_replaced_as_the_program_says() {
    let text = "goal_expansion(twice(X, Y), Y is 2 * X).\n\
        goal_expansion(four_times(X, Y), (twice(X, Z), twice(Z, Y))).\n\
        v(X) :- four_times(3, X).\n\
        v(X) :- ( fail -> true ; findall(Y, twice(4, Y), [X]) ).\n\
        v(X) :- G = twice(1, X), catch(G, error(existence_error(_, _), _), X = kept).";
    let (values, errors) = loaded(text);
    assert_eq!(values, ["12", "8", "kept"]);
    assert!(errors.is_empty(), "{errors:?}");
}
