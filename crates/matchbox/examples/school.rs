//! Sends MENACE machines to school and says how fast that goes: `school MACHINES GAMES THREADS`.
#![allow(
    clippy::print_stdout,
    reason = "an example talks to the person who runs it"
)]

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use wits_game::Seed;
use wits_matchbox::{Course, Opponent, Preset, train};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let numbers: Vec<u64> = std::env::args()
        .skip(1)
        .map(|arg| arg.parse())
        .collect::<Result<_, _>>()?;
    let number = |i: usize, usual: u64| numbers.get(i).copied().unwrap_or(usual);
    let preset = Preset::named("menace")?;
    let machine = preset.machine()?;
    let chart = preset.subject.chart([Some(&**machine.cabinet()), None])?;
    let course = Course {
        threads: number(2, 2) as usize,
        ..Course::new(number(0, 10_000), number(1, 100) as u32, Seed::new(1))
    };
    for opponent in [Opponent::Random, Opponent::Perfect] {
        let clock = Instant::now();
        let done = train(
            &chart,
            &machine,
            &opponent,
            &course,
            &|_| {},
            &AtomicBool::new(false),
        );
        let (seconds, games) = (
            clock.elapsed().as_secs_f64(),
            done.machines * u64::from(done.games),
        );
        println!(
            "{opponent}: {games} games in {seconds:.2} s, {:.0} games a second",
            games as f64 / seconds
        );
    }
    Ok(())
}
