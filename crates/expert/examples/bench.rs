//! Prints the engine's figures: `cargo run --release -p wits-expert --example bench`.
#![allow(clippy::print_stdout)]

fn main() {
    let start = std::time::Instant::now();
    for f in wits_expert::bench::run(&mut || start.elapsed().as_secs_f64()) {
        println!("{:40} {:>10.3} {}", f.name, f.value, f.unit);
    }
}
