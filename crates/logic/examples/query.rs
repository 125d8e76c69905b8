//! Loads a file, asks one query, prints all solutions: `query FILE "GOAL."`.
#![allow(clippy::print_stdout)]

use wits_logic::{Machine, Outcome};

fn main() {
    let mut args = std::env::args().skip(1);
    let (Some(file), Some(goal)) = (args.next(), args.next()) else {
        println!("usage: query FILE GOAL");
        return;
    };
    let text = std::fs::read_to_string(&file).unwrap_or_default();
    let mut m = Machine::new();
    let start = std::time::Instant::now();
    for e in m.load(&file, &text).errors {
        println!("{}", e.report());
    }
    println!("loaded in {:?}", start.elapsed());
    if let Err(e) = m.query(&goal) {
        println!("{}", e.report());
        return;
    }
    let start = std::time::Instant::now();
    let before = m.steps();
    loop {
        let outcome = m.solve();
        print!("{}", m.take_output());
        match outcome {
            Outcome::Solution(s) => {
                let parts: Vec<String> = s
                    .bindings
                    .iter()
                    .map(|b| format!("{} = {}", b.name, b.value))
                    .collect();
                println!(
                    "{} ;",
                    if parts.is_empty() {
                        "true".into()
                    } else {
                        parts.join(", ")
                    }
                );
            }
            Outcome::Error(e) => {
                println!("{}", e.report());
                break;
            }
            other => {
                println!("{other:?}");
                break;
            }
        }
    }
    let t = start.elapsed();
    let steps = m.steps() - before;
    println!(
        "{t:?}, {steps} calls, {:.1} M/s, {} collections",
        steps as f64 / t.as_secs_f64() / 1e6,
        m.collections()
    );
}
