//! The exact values, their certificates, and what happens to certificates that were tampered with.

use wits_search::{Budget, Limits};
use wits_thue::solve::{
    Certificate, Depth, Piece, Proof, Solver, Value, check_piece, complete, refutation, verify,
};
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

#[test]
fn cubes_and_abelian_squares() {
    check(Variant::Cube, 2, 4);
    for (symbols, picks) in [(2, 2), (3, 4), (4, 6), (5, 10)] {
        check(Variant::AbelianSquare, symbols, picks);
    }
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
        .value(14, 1, &Budget::start(Limits::nodes(9000)), |_, _| {})
        .unwrap();
    assert!(stopped.refuted_depth < 14);
    let mut saved = Vec::new();
    solver.save(&mut saved).unwrap();
    let mut again = Solver::new(Variant::Square, 5, BYTES).unwrap();
    again.resume(&mut saved.as_slice()).unwrap();
    let value = again.value(14, 1, &Budget::endless(), |_, _| {}).unwrap();
    assert_eq!(value.refuted_depth, 14);
    let (_, whole) = solve(Variant::Square, 5, 14);
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

/// The Painter's answers against so many picks, in pieces.
fn pieces(variant: Variant, symbols: usize, depth: u32, leaf: u32) -> Vec<Piece> {
    let mut solver = Solver::new(variant, symbols, BYTES).expect("small alphabets are allowed");
    let found = solver.refute(depth, 2, &Budget::endless());
    assert_eq!(found, Ok(Depth::Refuted), "{variant} {symbols} {depth}");
    refutation(&solver, depth, leaf, 3, &Budget::endless()).expect("nothing stops it")
}

#[test]
fn refutations_hold_piece_by_piece() {
    for (variant, symbols, depth, leaf) in [
        (Variant::Square, 3, 3, 1),
        (Variant::Square, 4, 5, 2),
        (Variant::Square, 5, 11, 4),
        (Variant::Square, 5, 11, 11),
        (Variant::Overlap, 3, 10, 3),
        (Variant::OverlapThesis, 2, 6, 2),
        (Variant::Cube, 2, 3, 1),
        (Variant::Cube, 3, 8, 3),
        (Variant::AbelianSquare, 3, 3, 1),
        (Variant::AbelianSquare, 4, 5, 2),
        (Variant::AbelianSquare, 5, 9, 4),
    ] {
        let pieces = pieces(variant, symbols, depth, leaf);
        // With room for all words that were searched, and with room for one.
        let proofs = [BYTES, 0].map(|bytes| Proof::new(&pieces, bytes));
        assert_eq!(complete(&pieces), Ok(()));
        assert!(complete(&pieces[1..]).is_err(), "a piece is missing");
        for piece in &pieces {
            assert_eq!(Piece::read(&piece.text()).as_ref(), Ok(piece));
            for proof in &proofs {
                let verdict = check_piece(piece, proof, &Budget::endless());
                assert_eq!(
                    verdict.valid,
                    Some(true),
                    "{variant} {symbols}: {verdict:?}"
                );
            }
        }
    }
}

/// What the Builder wins has no refutation: the solver finds none, and none that is made up passes.
#[test]
fn refutations_that_are_not_true_are_refused() {
    let mut solver = Solver::new(Variant::Square, 4, BYTES).expect("small alphabets are allowed");
    assert_eq!(solver.refute(6, 1, &Budget::endless()), Ok(Depth::Won));
    let good = pieces(Variant::Square, 4, 5, 2);
    let words = Proof::new(&good, 1 << 16);
    let all = Budget::endless();
    let refused = |piece: &Piece, words: &Proof| {
        let verdict = check_piece(piece, words, &all);
        assert_eq!(verdict.valid, Some(false));
        verdict.why.expect("a reason is given")
    };
    // The same words, one more pick: the lengths no longer fit; with the leaves moved, a leaf is lost.
    let mut deeper = good.clone();
    for piece in &mut deeper {
        (piece.depth, piece.leaf) = (6, 3);
    }
    assert!(
        deeper
            .iter()
            .any(|p| check_piece(p, &Proof::new(&deeper, 0), &all).valid == Some(false))
    );
    let (word, answers) = good[0]
        .words
        .iter()
        .next()
        .expect("the first word is answered");
    let symbols = answers.clone().expect("it has answers");
    let change = |symbols: Vec<u8>| {
        let mut bad = good[0].clone();
        bad.words.insert(word.clone(), Some(symbols));
        refused(&bad, &words)
    };
    assert!(change(vec![0; symbols.len()]).contains("makes a repetition"));
    assert!(change(vec![7; symbols.len()]).contains("there is no symbol 7"));
    assert!(change(symbols[1..].to_vec()).contains("answers"));
    let mut fewer = good.clone();
    for piece in &mut fewer {
        piece.words.retain(|word, _| word.len() < 2);
    }
    let fewer = Proof::new(&fewer, 0);
    assert!(refused(&good[0], &fewer).contains("without a line"));
    let text = good[0].text();
    for bad in [
        text.replacen("depth 5", "depth 6", 1),
        text.replacen("symbols 4", "symbols 9", 1),
        text[..text.len() / 2].to_owned(),
        String::new(),
    ] {
        assert!(Piece::read(&bad).is_err());
    }
}
