//! Prints the engine's figures: `cargo run --release -p wits-expert --example bench`.
#![allow(clippy::print_stdout)]

fn main() {
    let start = std::time::Instant::now();
    let mut now = || start.elapsed().as_secs_f64();
    for f in wits_expert::bench::run(&mut now, &mut |_, _| None) {
        println!("{:75} {:>10.3} {}", f.name, f.value, f.unit);
    }
}
