//! The scratchpad: a program, a query, answers as they come.

use wits_play::Catalog;
use wits_store::Store;
use wits_web::testing::{Client, House};

fn open() -> House {
    House::open(Catalog::new(Vec::new()), Store::memory().unwrap(), |_| {})
}

#[test]
fn a_scratchpad_answers_one_by_one_and_names_the_line_of_an_error() {
    let house = open();
    let mut me = house.guest();
    let form = ("content-type", "application/x-www-form-urlencoded");
    let page = me.get("/expert/scratch?example=queens").unwrap().body;
    assert!(page.contains("queens(6, Rows)."), "{page}");
    let mut ask = |fields: &str, accept: &str| {
        let sent = me.send(
            "POST",
            "/expert/scratch",
            &[form, ("accept", accept)],
            fields,
        );
        sent.unwrap().body
    };
    let program = "program=p(1).%0Ap(2).%0Ap(3).";
    // Without scripts: a page with all answers.
    let page = ask(&format!("{program}&goal=p(X)."), "text/html");
    let answers = ["X = 1", "X = 2", "X = 3"];
    assert!(answers.iter().all(|one| page.contains(one)), "{page}");
    // With scripts: one answer, and the next when it is asked for.
    let stream = "text/event-stream";
    let first = ask(&format!("{program}&goal=p(X).&count=1"), stream);
    assert!(
        first.contains("X = 1") && !first.contains("X = 2"),
        "{first}"
    );
    assert!(first.contains("\"more\":true"), "{first}");
    let next = ask(&format!("{program}&goal=p(X).&count=1&skip=1"), stream);
    assert!(!next.contains("X = 1") && next.contains("X = 2"), "{next}");
    let none = ask(&format!("{program}&goal=p(9)."), stream);
    assert!(
        none.contains("event: end") && !none.contains("event: answer"),
        "{none}"
    );
    let wrong = ask("program=p(1).%0Ap(.%0A&goal=p(X).", stream);
    assert!(wrong.contains("\"lines\":[2]"), "{wrong}");
    // A proof says what the checker says of it.
    assert!(page.contains("every step follows"), "{page}");
}

#[test]
fn a_scratchpad_asks_what_its_program_reads() {
    let house = open();
    let mut me = house.guest();
    let mut ask = |fields: &str| {
        let form = ("content-type", "application/x-www-form-urlencoded");
        let sent = me.send("POST", "/expert/scratch", &[form], fields);
        sent.unwrap().body
    };
    let query = "program=ok%20:-%20ask(sure).&goal=read(X),read(Y),ok.";
    let first = ask(query);
    assert!(first.contains("name=\"line\""), "{first}");
    assert!(
        first.contains("value=\"&#39;$input&#39;(0)\"") || first.contains("'$input'(0)"),
        "{first}"
    );
    let second = ask(&format!(
        "{query}&question='$input'(0)&line=f(a-b).&reply=line&said="
    ));
    assert!(second.contains("'$input'(0)-=f(a-b)."), "{second}");
    let said = "'$input'(0)-=f(a-b).";
    let third = ask(&format!(
        "{query}&question='$input'(1)&line=c.&reply=line&said={said}"
    ));
    assert!(third.contains("value=\"yes\""), "{third}");
    let said = format!("{said}%0A'$input'(1)-=c.");
    let done = ask(&format!("{query}&question=sure&reply=yes&said={said}"));
    assert!(
        done.contains("X = f(a-b)") && done.contains("Y = c"),
        "{done}"
    );
    // Asking anew begins without answers.
    let again = ask(&format!("{query}&said={said}"));
    assert!(!again.contains("X = f(a-b)"), "{again}");
}

/// Asks the scratchpad as its script does.
fn stream(me: &mut Client, fields: &str) -> String {
    let form = ("content-type", "application/x-www-form-urlencoded");
    let accept = ("accept", "text/event-stream");
    let sent = me.send("POST", "/expert/scratch", &[form, accept], fields);
    sent.unwrap().body
}

#[test]
fn the_next_answer_goes_on_where_the_last_one_was_found() {
    let house = open();
    let mut me = house.guest();
    // What the program writes shows which of its steps were taken.
    let query = "program=p(X)%20:-%20between(1,9,X),%20write(seen(X)).&goal=p(X).&count=1";
    let first = stream(&mut me, query);
    assert!(
        first.contains("seen(1)") && first.contains("\"more\":true"),
        "{first}"
    );
    let second = stream(&mut me, &format!("{query}&skip=1"));
    assert!(
        second.contains("X = 2") && second.contains("seen(2)"),
        "{second}"
    );
    assert!(!second.contains("seen(1)"), "begun anew: {second}");
    assert!(second.contains("every step follows"), "{second}");
    // Somebody else's run is not there, and the answer is the same.
    let other = stream(&mut house.guest(), &format!("{query}&skip=1"));
    assert!(
        other.contains("X = 2") && !other.contains("X = 1"),
        "{other}"
    );
    // The last answer leaves nothing open.
    let last = stream(&mut me, &format!("{query}&skip=8"));
    assert!(
        last.contains("X = 9") && last.contains("\"more\":false"),
        "{last}"
    );
}

#[test]
fn every_error_of_a_program_has_its_line() {
    let house = open();
    let mut me = house.guest();
    let load = stream(&mut me, "program=p(.%0Aq(1).%0Ar(]).%0A&goal=q(X).");
    assert!(load.contains("\"lines\":[1,3]"), "{load}");
    let run = stream(
        &mut me,
        "program=q(1).%0Ar(X)%20:-%20q(X),%0A%20%20Y%20is%20X/0,%20q(Y).&goal=r(X).",
    );
    assert!(
        run.contains("division by zero") && run.contains("\"lines\":[3]"),
        "{run}"
    );
}

#[test]
fn an_answer_can_be_asked_why_it_is_not_another() {
    let house = open();
    let mut me = house.guest();
    let query = "program=p(1).%0Ap(2).%0Aq(X)%20:-%20p(X),%20X%20>%201.&goal=q(X).";
    let not = stream(&mut me, &format!("{query}&why=X%20=%201"));
    assert!(not.contains("1&gt;1") || not.contains("1>1"), "{not}");
    let holds = stream(&mut me, &format!("{query}&why=X%20=%202."));
    assert!(holds.contains("It has that answer"), "{holds}");
    let wrong = stream(&mut me, &format!("{query}&why=X%20=%20)"));
    assert!(wrong.contains("query:1"), "{wrong}");
}

/// A loop that fails was called endless recursion, since the log of proofs grew with it.
#[test]
fn a_loop_that_fails_is_no_endless_recursion() {
    let house = open();
    let mut me = house.guest();
    let query = "program=t.&goal=between(1,2000000,_),fail.";
    let none = stream(&mut me, query);
    assert!(
        none.contains("event: end") && !none.contains("recursion"),
        "{none}"
    );
    assert!(!none.contains("role=\\\"alert\\\""), "{none}");
}
