//! A review says of every move what looking at everything says.

use wits_game::{Dice, Game, Seat, Seed, Stream};
use wits_matchbox::tictactoe::TicTacToe;
use wits_play::{AnyMatch, Budget, Limits, Review, Shelf, Slip, Spec, Thought};

use crate::forbid::worth;

/// The positions of a game, given by its moves.
fn positions(
    name: &str,
    moves: &[&str],
) -> (
    std::sync::Arc<dyn wits_play::AnyGame>,
    Vec<Box<dyn AnyMatch>>,
) {
    let catalog = wits_catalog::all();
    let game = catalog.game(&Spec::named(name), &Shelf::new()).unwrap();
    let mut table = game.begin(Seed::new(1), None);
    let mut all = vec![table.copy()];
    for text in moves {
        let seat = table.turn().seat().unwrap();
        table.play(seat, text, None).unwrap();
        all.push(table.copy());
    }
    (game, all)
}

#[test]
fn every_remark_agrees_with_exhaustive_search() {
    let rules = TicTacToe;
    for seed in 0..40 {
        let mut dice = Dice::at(Seed::new(seed), Stream::Chance, 0);
        let (mut state, mut moves, mut states) = (rules.start(), Vec::new(), vec![rules.start()]);
        while rules.turn(&state).seat().is_some() {
            let mv = *dice.pick(&rules.options(&state)).unwrap();
            moves.push(rules.write(&state, &mv, wits_game::Eyes::All));
            rules.play(&mut state, &mv);
            states.push(state);
        }
        let texts: Vec<&str> = moves.iter().map(String::as_str).collect();
        let (game, all) = positions("tictactoe", &texts);
        let mut review = Review::new(game, Shelf::new(), all);
        while review.left() > 0 {
            let remark = review
                .step(&Budget::start(Limits::NONE), &mut |_, _| {})
                .unwrap();
            let at = remark.ply as usize;
            let exact = |n: usize| f64::from(worth(rules, states[n], remark.seat));
            assert_eq!(
                remark.worth,
                Some((exact(at), exact(at + 1))),
                "{texts:?} at {at}"
            );
            assert!(remark.exact);
            assert_eq!(
                remark.slip > Slip::None,
                exact(at) > exact(at + 1),
                "{texts:?} at {at}"
            );
        }
    }
}

#[test]
fn a_lost_draw_is_named_with_the_reply_that_wins() {
    // O answers a corner at the side, which loses to the centre.
    let (game, all) = positions("tictactoe", &["a1", "b1"]);
    let mut review = Review::new(game, Shelf::new(), all);
    let remark = review
        .step(&Budget::start(Limits::NONE), &mut |_, _| {})
        .unwrap();
    assert_eq!((remark.seat, remark.slip), (Seat::SECOND, Slip::Mistake));
    assert_eq!(remark.best, "b2");
    let text = remark.text.to_string();
    assert!(
        text.contains("leaves a loss") && text.contains("b2 would have kept a draw"),
        "{text}"
    );
}

/// What the page of a review draws as bars.
#[test]
fn a_review_tells_the_moves_of_the_position_that_it_looks_at() {
    for (name, moves) in [
        ("othello", &["f5", "d6", "c3"][..]),
        ("rainbow", &["1=1", "2=2"]),
    ] {
        let (game, all) = positions(name, moves);
        let options: Vec<Vec<String>> = all.iter().map(|table| table.options()).collect();
        let mut review = Review::new(game, Shelf::new(), all);
        let mut heard = vec![0; options.len()];
        while review.left() > 0 {
            let budget = Budget::start(Limits::nodes(3_000));
            review.step(&budget, &mut |at, thought: &Thought<String>| {
                let at = at as usize;
                for root in &thought.roots {
                    assert!(
                        options[at].contains(&root.moves[0]),
                        "{name} {at}: {root:?}"
                    );
                }
                heard[at] = heard[at].max(thought.roots.len());
            });
        }
        assert!(heard.iter().all(|&most| most > 1), "{name}: {heard:?}");
    }
}
