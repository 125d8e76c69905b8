//! The exact values, their certificates, and what happens to certificates that were tampered with.

use wits_search::{Budget, Limits};
use wits_thue::solve::{Certificate, Solver, Value, verify};
use wits_thue::words::Variant;

const BYTES: usize = 1 << 26;

fn solve(variant: Variant, symbols: usize, most: u32) -> (Solver, Value) {
    let mut solver = Solver::new(variant, symbols, BYTES).expect("small alphabets are allowed");
    let value = solver
        .value(most, 2, &Budget::endless(), |_, _| {})
        .expect("two threads can be started");
    (solver, value)
}

fn check(variant: Variant, symbols: usize, picks: u32) {
    let (solver, value) = solve(variant, symbols, picks + 2);
    assert_eq!(value.builder_picks, Some(picks), "{variant} {symbols}");
    assert_eq!(
        (value.safe_paints, value.final_length),
        (Some(picks - 1), Some(picks + 1))
    );
    assert!(value.proved && value.refuted_depth == picks - 1);
    let certificate =
        Certificate::build(&solver, &value, &Budget::endless()).expect("nothing stops it");
    let text = certificate.to_string();
    let read = Certificate::read(&text).expect("what was written can be read");
    assert_eq!(read, certificate);
    let verdict = verify(&read, 7);
    assert!(verdict.valid, "{variant} {symbols}: {verdict:?}");
    assert_eq!(
        (verdict.picks, verdict.refuted),
        (Some(picks), 7.min(picks - 1))
    );
}

#[test]
fn squares() {
    for (symbols, picks) in [(1, 1), (2, 2), (3, 4), (4, 6)] {
        check(Variant::Square, symbols, picks);
    }
}

#[test]
fn overlaps() {
    for (symbols, picks) in [(1, 2), (2, 4), (3, 11)] {
        check(Variant::Overlap, symbols, picks);
    }
    check(Variant::OverlapThesis, 2, 7);
}

/// Five symbols are open; what is refuted is refuted.
#[test]
fn five_symbols() {
    let (_, value) = solve(Variant::Square, 5, 13);
    assert_eq!(
        (value.builder_picks, value.refuted_depth, value.proved),
        (None, 13, false)
    );
}

/// The bar is a minute on two cores.
#[test]
#[ignore = "takes about half a minute of CPU"]
fn five_symbols_to_depth_sixteen() {
    let mut solver = Solver::new(Variant::Square, 5, 1 << 29).unwrap();
    let start = std::time::Instant::now();
    let each = |depth, positions| {
        println!(
            "{depth}: {positions} positions, {:.1} s",
            start.elapsed().as_secs_f64()
        );
    };
    let value = solver.value(16, 2, &Budget::endless(), each).unwrap();
    assert_eq!(value.refuted_depth, 16);
}

#[test]
#[ignore = "takes minutes"]
fn overlaps_of_the_thesis_on_three_symbols() {
    let mut solver = Solver::new(Variant::OverlapThesis, 3, 1 << 29).unwrap();
    let start = std::time::Instant::now();
    let each = |depth, positions| {
        println!(
            "{depth}: {positions} positions, {:.1} s",
            start.elapsed().as_secs_f64()
        );
    };
    let value = solver.value(18, 2, &Budget::endless(), each).unwrap();
    println!("{value:?} {:.1}", start.elapsed().as_secs_f64());
    assert_eq!(value.builder_picks, Some(18));
}

#[test]
fn a_search_can_be_stopped_saved_and_taken_up() {
    let mut solver = Solver::new(Variant::Square, 5, BYTES).unwrap();
    let stopped = solver
        .value(12, 1, &Budget::start(Limits::nodes(3000)), |_, _| {})
        .unwrap();
    assert!(stopped.refuted_depth < 12);
    let mut saved = Vec::new();
    solver.save(&mut saved).unwrap();
    let mut again = Solver::new(Variant::Square, 5, BYTES).unwrap();
    again.resume(&mut saved.as_slice()).unwrap();
    let value = again.value(12, 1, &Budget::endless(), |_, _| {}).unwrap();
    assert_eq!(value.refuted_depth, 12);
    let (_, whole) = solve(Variant::Square, 5, 12);
    assert!(
        value.positions < whole.positions,
        "what was known was not looked at again"
    );
    let mut other = Solver::new(Variant::Square, 4, BYTES).unwrap();
    assert!(other.resume(&mut saved.as_slice()).is_err(), "another game");
    assert!(
        again.resume(&mut &saved[..saved.len() - 30]).is_err(),
        "cut short"
    );
}

#[test]
fn tampering_is_noticed() {
    let (solver, value) = solve(Variant::Square, 3, 5);
    let text = Certificate::build(&solver, &value, &Budget::endless())
        .unwrap()
        .to_string();
    let lines: Vec<&str> = text.lines().collect();
    let cut = lines[..lines.len() - 2].join("\n");
    assert!(
        Certificate::read(&cut)
            .unwrap_err()
            .to_string()
            .contains("cut short")
    );
    let changed = text.replace("picks 4", "picks 3");
    assert!(
        Certificate::read(&changed)
            .unwrap_err()
            .to_string()
            .contains("checksum")
    );
    assert!(Certificate::read("").is_err());
    assert!(
        Certificate::read("hello\nend 0 0")
            .unwrap_err()
            .to_string()
            .starts_with("line 1")
    );
    // A forger who mends the checksum is caught by the check of the strategy itself.
    let honest = Certificate::read(&text).unwrap();
    for word in honest.strategy.keys() {
        let mut forged = honest.clone();
        forged.strategy.remove(word);
        assert!(
            !verify(&Certificate::read(&forged.to_string()).unwrap(), 3).valid,
            "without {word}"
        );
    }
    let mut boast = honest.clone();
    (boast.picks, boast.refuted) = (Some(3), 2);
    assert!(!verify(&boast, 3).valid);
    let mut timid = honest;
    (timid.picks, timid.refuted) = (Some(5), 4);
    assert!(!verify(&timid, 4).valid, "four picks are enough");
}
