//! A program that asks and reads: the machine stops, travels as data, and goes on elsewhere.
#![allow(clippy::print_stdout)]

use wits_logic::{Answer, Machine, Outcome, Wanted};

const PROGRAM: &str = "
    greet :- write('What is your name? '), read(Name), (
        ask(likes(Name, prolog)) -> format('Welcome, ~w!~n', [Name])
      ; format('Good day, ~w.~n', [Name]) ).
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut m = Machine::new();
    m.consult("greet.pl", PROGRAM)?;
    m.query("greet.")?;
    loop {
        let outcome = m.solve();
        print!("{}", m.take_output());
        let Outcome::Asked(question) = outcome else {
            break;
        };
        // What waits for an answer can be stored and resumed in another process.
        let stored = serde_json::to_string(&m)?;
        m = serde_json::from_str(&stored)?;
        let answer = match question.wanted {
            Wanted::Term | Wanted::Line => Answer::Line("ada.".to_owned()),
            _ => Answer::Yes,
        };
        println!("[{}] {answer:?}", question.term.trim());
        m.answer(answer)?;
    }
    Ok(())
}
