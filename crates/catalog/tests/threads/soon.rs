//! How soon a person has an answer: what machines take for a decision at their own settings, and for *why not?*

use std::time::Duration;

use wits_game::{Seat, Seed};
use wits_play::{AnyDesk, Budget, Choice, Decision, Limits, Recorder, Shelf, Spec};

/// The page gives a machine 700 ms for the look at another move, so that the answer is there within a second. Here it is
/// given less, and what it takes beyond is the same.
const THINK: Duration = Duration::from_millis(50);
/// What an answer may take beyond that, in seconds of work.
const BEYOND: f64 = 0.3;
/// What a decision may take, in seconds of work: the page stops it after ten seconds.
const DECIDE: f64 = 6.0;
/// In a position with more legal moves than this, so many of them are asked about, from the first to the last.
const ASKED: usize = 40;
/// The page keeps so many steps of a decision.
const STEPS: usize = 5_000;

/// Seconds that this thread has worked, where the system tells; time that others have had the processor is not in them.
fn worked() -> Option<f64> {
    // Linux brings the figure up to date when a thread is switched.
    std::thread::yield_now();
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: f64 = told.split_whitespace().next()?.parse().ok()?;
    Some(nanoseconds / 1e9)
}

#[test]
fn why_not_is_answered_within_a_second_by_every_machine() {
    let Some(begun) = worked() else {
        println!("skipped: this system does not tell what a thread has worked");
        return;
    };
    let (mut asked, mut slow) = (0, Vec::new());
    let shelf = Shelf::new();
    for entry in wits_catalog::all().entries() {
        let game = entry.game(&Spec::named(entry.id()), &shelf).unwrap();
        let mut longest = (0.0, String::new());
        for card in entry.players().iter().filter(|card| card.id != "human") {
            let by = Spec::named(card.id);
            for (seat, plies) in Seat::all(game.seats()).zip([0, 3, 5, 9]) {
                let table = card.roles.allow(seat);
                let table =
                    table.then(|| super::many::under_way(&*game, Seed::new(3), plies, seat));
                let Some(table) = table.flatten() else {
                    continue;
                };
                let name = format!("{} {by}, {}", entry.id(), game.seat_name(seat));
                let mut player = game.player(&by, seat, &shelf).unwrap();
                let mut recorder = Recorder::new(STEPS);
                let before = worked().unwrap();
                let desk = AnyDesk {
                    budget: &Budget::endless(),
                    dice: table.dice(seat),
                    tell: &mut |_| {},
                    record: Some(&mut recorder),
                };
                let Choice::Move(chosen) = player.choose(table.as_ref(), desk) else {
                    panic!("{name} resigns")
                };
                let thread = player.thread(recorder, &*game, &*table, Seed::new(3), &chosen);
                let took = worked().unwrap() - before;
                if took > DECIDE {
                    slow.push(format!("{name} decides in {took:.1} s"));
                }
                let decision = Decision {
                    game: &*game,
                    table: table.as_ref(),
                    by: &by,
                    shelf: &shelf,
                    thread: &thread,
                };
                let legal = table.options();
                for mv in legal.iter().step_by(legal.len().div_ceil(ASKED)) {
                    let before = worked().unwrap();
                    let told = decision.why_not(mv, &Budget::start(Limits::time(THINK)));
                    let took = worked().unwrap() - before;
                    asked += usize::from(told.is_ok());
                    if took > THINK.as_secs_f64() + BEYOND {
                        slow.push(format!("{name}: {mv} takes {took:.2} s"));
                    }
                    if took > longest.0 {
                        longest = (took, format!("{name}: {mv}"));
                    }
                }
            }
        }
        println!("{:.3} s at most, {}", longest.0, longest.1);
    }
    println!("{asked} answers, {:.0} s in all", worked().unwrap() - begun);
    assert!(slow.is_empty(), "{}", slow.join("\n"));
    assert!(asked > 1_000, "only {asked}");
}
