//! Reads goals from standard input, one a line, and prints each with what it comes to, in the form
//! of the conformance tables: `cargo run -p wits-logic --example cases < goals.txt`.
#![allow(clippy::print_stdout)]

fn main() {
    for line in std::io::stdin().lines().map_while(Result::ok) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let goal = line.split(" ==> ").next().unwrap_or_default();
        println!("{goal} ==> {}", wits_logic::conformance::outcome(goal));
    }
}
