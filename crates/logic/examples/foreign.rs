//! Predicates written in Rust: one with a single answer, one with several, one that throws.
#![allow(clippy::print_stdout)]

use wits_logic::{Machine, Outcome, Term, Trouble};

fn main() -> Result<(), Trouble> {
    let mut m = Machine::new();

    // upper(+Text, -Upper)
    m.define("upper", 2, |args| match args[0].text() {
        Some(text) => Ok(Some(vec![
            args[0].clone(),
            Term::from(text.to_uppercase().as_str()),
        ])),
        None => Err(Term::compound(
            "error",
            vec![
                Term::compound("type_error", vec![Term::atom("text"), args[0].clone()]),
                Term::Var("_".to_owned()),
            ],
        )),
    })?;

    // word(+Text, -Word): one word after the other.
    m.define_all("word", 2, |args, n| {
        let text = args[0].text().unwrap_or_default();
        let word = text.split_whitespace().nth(n as usize);
        Ok(word.map(|w| vec![args[0].clone(), Term::from(w)]))
    })?;

    m.consult(
        "shout.pl",
        "shout(Text, Loud) :- word(Text, W), upper(W, Loud).",
    )?;
    m.query(r#"shout("so it goes", X)."#)?;
    while let Outcome::Solution(_) = m.solve() {
        // Answers as typed terms rather than text.
        for (name, value) in m.solution_terms() {
            println!("{name} = {value:?}");
        }
    }

    m.query("upper(f(x), U).")?;
    if let Outcome::Error(trouble) = m.solve() {
        println!("{trouble}");
    }
    Ok(())
}
