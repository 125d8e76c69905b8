//! The tree searches against slow twins, on games drawn at random and on small ones that are known.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use crate::toys;

use crate::toys::cards::{HighCard, Play};
use crate::toys::maze::{Maze, Opinion, Place};
use crate::toys::nim::{Nim, Take};
use proptest::prelude::*;
use wits_game::{Dice, Eyes, Game, Seat, Seed, Turn};
use wits_search::tree::{
    DEALS, DeepeningOptions, Found, MctsOptions, Payoffs, alphabeta, deepening, ismcts, mcts,
    minimax,
};
use wits_search::{Budget, Kind, Limits, Step, Worth};

/// What every seat gets, by the book: everything is listed, nothing is clever.
fn by_the_book(game: &Maze, at: Place, depth: u32) -> Vec<f64> {
    let seats: Vec<Seat> = Seat::all(game.seats).collect();
    match game.turn(&at) {
        Turn::Over(outcome) => outcome.payoffs.iter().map(|&p| f64::from(p)).collect(),
        _ if depth == 0 => seats.iter().map(|&s| game.judged(&at, s)).collect(),
        Turn::Chance => {
            let mut sums = vec![0.0; seats.len()];
            for n in 0..DEALS {
                let deal = game.deal(&at, &mut Dice::new(Seed::new(n)));
                let mut next = at;
                game.play(&mut next, &deal);
                for (sum, value) in sums.iter_mut().zip(by_the_book(game, next, depth - 1)) {
                    *sum += value / DEALS as f64;
                }
            }
            sums
        }
        Turn::Of(seat) => {
            let all: Vec<Vec<f64>> = game
                .options(&at)
                .iter()
                .map(|way| {
                    let mut next = at;
                    game.play(&mut next, way);
                    by_the_book(game, next, depth - 1)
                })
                .collect();
            let most = all
                .iter()
                .map(|v| v[seat.index()])
                .fold(f64::NEG_INFINITY, f64::max);
            all.into_iter()
                .find(|v| (v[seat.index()] - most).abs() < 1e-12)
                .expect("a seat to move has options")
        }
    }
}

fn mazes(seats: impl Strategy<Value = u8>) -> impl Strategy<Value = Maze> {
    (
        any::<u64>(),
        seats,
        1..5u64,
        1..7u32,
        1..6u64,
        any::<bool>(),
    )
        .prop_map(|(seed, seats, ways, length, width, chance)| Maze {
            seed,
            seats,
            ways,
            length,
            width,
            chance,
        })
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn minimax_is_by_the_book(maze in mazes(1..=4u8), depth in 1..6u32) {
        let start = maze.start();
        let found = minimax(&maze, &start, &Opinion, depth, &Budget::endless(), &mut ());
        let book = by_the_book(&maze, start, depth);
        prop_assert!(close(found.worth.number(), book[0]), "{found:?} {book:?}");
        prop_assert_eq!(found.moves.len(), maze.options(&start).len());
        let first = found.moves.iter().find(|(_, w)| *w == found.worth).unwrap();
        prop_assert_eq!(Some(first.0), found.best);
        prop_assert!(found.complete && found.line.first() == found.best.as_ref());
        if found.worth.proved() {
            let whole = by_the_book(&maze, start, 99);
            prop_assert!(close(found.worth.number(), whole[0]));
        }
        for (way, worth) in &found.moves {
            let mut next = start;
            maze.play(&mut next, way);
            let book = by_the_book(&maze, next, depth - 1);
            prop_assert!(close(worth.number(), book[0]));
        }
    }

    #[test]
    fn alphabeta_finds_what_minimax_finds(maze in mazes(1..=2u8), depth in 1..7u32) {
        let start = maze.start();
        let budget = Budget::endless();
        let all = minimax(&maze, &start, &Opinion, depth, &budget, &mut ());
        let some = alphabeta(&maze, &start, &Opinion, depth, &budget, &mut ());
        prop_assert_eq!(some.worth, all.worth);
        prop_assert_eq!(some.best, all.best);
        prop_assert!(some.nodes <= all.nodes);
        for ((way, bound), (same, exact)) in some.moves.iter().zip(&all.moves) {
            prop_assert!(way == same && bound >= exact);
        }
        if some.worth.proved() {
            let whole = by_the_book(&maze, start, 99);
            prop_assert!(close(some.worth.number(), whole[0]));
        }
        follow(&maze, &some.line)?;
    }

    #[test]
    fn deepening_finds_what_minimax_finds(
        maze in mazes(1..=2u8),
        depth in 1..7u32,
        table_bits in prop::sample::select(vec![0, 1, 3, 10]),
        aspiration in prop::sample::select(vec![None, Some(0.0), Some(0.25), Some(3.0)]),
        liking in prop::option::of(any::<u64>()),
    ) {
        let start = maze.start();
        let budget = Budget::endless();
        let hook = |_: &Maze, at: &Place, way: &u8| {
            (at.place ^ u64::from(*way)).wrapping_mul(liking.unwrap_or(0) | 1) as i64
        };
        let options = DeepeningOptions {
            max_depth: depth,
            table_bits,
            aspiration,
            order: liking.is_some().then_some(&hook),
        };
        let mut told = Vec::new();
        let tell = &mut |so_far: &Found<u8>| told.push(so_far.clone());
        let found = deepening(&maze, &start, &Opinion, &options, &budget, tell, &mut ());
        prop_assert!(found.complete);
        prop_assert_eq!(told.last(), Some(&found));
        for so_far in &told {
            let twin = minimax(&maze, &start, &Opinion, so_far.depth, &budget, &mut ());
            prop_assert_eq!(so_far.worth, twin.worth, "depth {}", so_far.depth);
            let best = so_far.best.unwrap();
            let (_, worth) = twin.moves.iter().find(|(way, _)| *way == best).unwrap();
            prop_assert_eq!(*worth, twin.worth);
        }
        let last = minimax(&maze, &start, &Opinion, depth, &budget, &mut ());
        prop_assert_eq!(found.worth, last.worth);
        follow(&maze, &found.line)?;
    }

    #[test]
    fn a_budget_is_kept_and_an_answer_is_given(
        maze in mazes(1..=4u8), nodes in 0..60u64, stopped in any::<bool>()
    ) {
        let start = maze.start();
        let budget = Budget::start(Limits::nodes(nodes));
        if stopped {
            budget.stop();
        }
        for (name, found) in everybody(&maze, &budget, &mut ()) {
            prop_assert!(found.best.is_some_and(|way| maze.legal(&start, &way).is_ok()), "{}", name);
            prop_assert!(found.nodes <= nodes.max(1), "{} {:?}", name, found);
            prop_assert!(!(stopped && found.complete), "{}", name);
            prop_assert_eq!(found.line.first(), found.best.as_ref());
            prop_assert!(found.complete || !found.worth.proved());
        }
    }

    #[test]
    fn watched_is_unwatched_and_steps_nest(maze in mazes(1..=4u8), nodes in 0..400u64) {
        let budget = Budget::start(Limits::nodes(nodes));
        let alone = everybody(&maze, &budget, &mut ());
        for (i, (name, found)) in alone.into_iter().enumerate() {
            let mut steps = Vec::new();
            let watched = one(i, &maze, &budget, &mut steps);
            prop_assert_eq!(&found, &watched.1, "{}", name);
            nested(&steps)?;
            let last = steps.last().expect("a search says something");
            prop_assert_eq!(last.kind, Kind::Choose);
            let best = found.best.map(|way| way.to_string());
            prop_assert_eq!(last.data["answer"].as_str(), best.as_deref());
        }
    }
}

/// A line can be played.
fn follow(maze: &Maze, line: &[u8]) -> Result<(), TestCaseError> {
    let mut at = maze.start();
    for way in line {
        prop_assert!(maze.legal(&at, way).is_ok());
        maze.play(&mut at, way);
    }
    Ok(())
}

/// Every node is opened once under an open parent, and closed once after all its children.
fn nested(steps: &[Step]) -> Result<(), TestCaseError> {
    let mut open = std::collections::BTreeMap::new();
    for step in steps {
        let id = step.data.get("id").and_then(serde_json::Value::as_u64);
        match step.kind {
            Kind::Open => {
                let parent = step.data["parent"].as_u64();
                prop_assert!(parent.is_none_or(|p| open.contains_key(&p)), "{step:?}");
                prop_assert!(open.insert(id.unwrap(), parent).is_none(), "{step:?}");
            }
            Kind::Close => {
                prop_assert!(open.remove(&id.unwrap()).is_some(), "{step:?}");
                prop_assert!(open.values().all(|p| *p != id), "{step:?}");
            }
            Kind::Cut => prop_assert!(open.contains_key(&id.unwrap())),
            _ => {}
        }
        prop_assert!(!step.says.to_string().contains(['{', '}']), "{step:?}");
        prop_assert!(!step.says.to_string().starts_with("search."), "{step:?}");
    }
    prop_assert!(open.is_empty());
    Ok(())
}

fn one<W: wits_search::Watch>(
    which: usize,
    maze: &Maze,
    budget: &Budget,
    watch: &mut W,
) -> (&'static str, Found<u8>) {
    let start = maze.start();
    let dice = &mut Dice::new(Seed::new(3));
    let rounds = MctsOptions {
        rounds: 200,
        memory: 8_000,
        ..MctsOptions::default()
    };
    let deep = DeepeningOptions {
        max_depth: 5,
        table_bits: 4,
        aspiration: Some(0.5),
        order: None,
    };
    match which {
        0 => ("minimax", minimax(maze, &start, &Opinion, 4, budget, watch)),
        1 => (
            "alphabeta",
            alphabeta(maze, &start, &Opinion, 4, budget, watch),
        ),
        2 => (
            "deepening",
            deepening(maze, &start, &Opinion, &deep, budget, &mut |_| (), watch),
        ),
        3 => (
            "mcts",
            mcts(maze, &start, &rounds, dice, budget, &mut |_| (), watch),
        ),
        _ => (
            "ismcts",
            ismcts(
                maze,
                &start,
                Seat::FIRST,
                &rounds,
                dice,
                budget,
                &mut |_| (),
                watch,
            ),
        ),
    }
}

fn everybody(
    maze: &Maze,
    budget: &Budget,
    watch: &mut impl wits_search::Watch,
) -> Vec<(&'static str, Found<u8>)> {
    (0..5)
        .map(|which| one(which, maze, budget, watch))
        .collect()
}

/// Who wins a Nim position, found without any search of ours.
fn wins(nim: &Nim, state: &toys::nim::Heaps) -> bool {
    let Turn::Of(mover) = nim.turn(state) else {
        unreachable!("asked only of unfinished games")
    };
    nim.options(state).iter().any(|mv| {
        let mut next = state.clone();
        nim.play(&mut next, mv);
        match nim.turn(&next) {
            Turn::Over(outcome) => outcome.payoff(mover) > 0,
            Turn::Of(seat) => wins(nim, &next) == (seat == mover),
            Turn::Chance => unreachable!("Nim has no chance"),
        }
    })
}

#[test]
fn passes_and_double_turns_are_right() {
    let budget = Budget::endless();
    for heaps in [&[1, 2][..], &[2, 2], &[1, 1, 1], &[3, 1], &[2, 1, 2]] {
        for passes in 0..3 {
            for again in [false, true] {
                let mut nim = Nim::new(heaps, 3).passes(passes);
                if again {
                    nim = nim.again();
                }
                let start = nim.start();
                let truth = if wins(&nim, &start) { 1 } else { -1 };
                let all = minimax(&nim, &start, &Payoffs, 99, &budget, &mut ());
                let some = alphabeta(&nim, &start, &Payoffs, 99, &budget, &mut ());
                let deep = deepening(
                    &nim,
                    &start,
                    &Payoffs,
                    &DeepeningOptions::default(),
                    &budget,
                    &mut |_| (),
                    &mut (),
                );
                for found in [&all, &some, &deep] {
                    assert_eq!(found.worth, Worth::exact(truth), "{nim:?}");
                    assert!(found.worth.proved());
                }
                assert_eq!(some.best, all.best);
            }
        }
    }
}

/// An opinion about Nim that changes from position to position.
struct Whim;

impl wits_search::tree::Judge<Nim> for Whim {
    fn judge(&self, _: &Nim, state: &toys::nim::Heaps, seat: Seat) -> Worth {
        let text = format!("{state:?}");
        let sum = text
            .bytes()
            .fold(7u32, |h, b| h.wrapping_mul(31) ^ u32::from(b));
        let number = f64::from(sum % 11) / 4.0 - 1.25;
        Worth::heuristic(if seat == Seat::FIRST { number } else { -number })
    }
}

/// The same heaps come up after few moves and after many, so the table must ask how deep it knew them.
#[test]
fn positions_met_at_several_depths_are_not_mixed_up() {
    let budget = Budget::endless();
    // Large takes first, so that the short ways to a position are known before the long ones.
    let large = |_: &Nim, _: &toys::nim::Heaps, mv: &Take| i64::from(mv.count);
    for heaps in [&[3, 2][..], &[4, 1], &[6]] {
        let nim = Nim::new(heaps, 2).passes(2).again();
        for depth in 1..8 {
            let all = minimax(&nim, &nim.start(), &Whim, depth, &budget, &mut ());
            for table_bits in [0, 4, 12] {
                let options = DeepeningOptions {
                    max_depth: depth,
                    table_bits,
                    aspiration: Some(0.5),
                    order: Some(&large),
                };
                let start = nim.start();
                let deep = deepening(&nim, &start, &Whim, &options, &budget, &mut |_| (), &mut ());
                assert_eq!(
                    deep.worth, all.worth,
                    "{heaps:?} depth {depth} bits {table_bits}"
                );
            }
        }
    }
}

#[test]
fn playouts_find_the_winning_take() {
    for (heaps, passes) in [(&[5][..], 0), (&[3, 1], 0), (&[2, 2], 1), (&[4, 2], 1)] {
        let nim = Nim::new(heaps, 3).passes(passes).again();
        let start = nim.start();
        let exact = minimax(&nim, &start, &Payoffs, 99, &Budget::endless(), &mut ());
        let good: Vec<Take> = exact
            .moves
            .iter()
            .filter(|(_, w)| *w == exact.worth)
            .map(|(mv, _)| *mv)
            .collect();
        let options = MctsOptions {
            rounds: 5_000,
            ..MctsOptions::default()
        };
        for seed in 0..5 {
            let dice = &mut Dice::new(Seed::new(seed));
            let budget = Budget::endless();
            let found = mcts(&nim, &start, &options, dice, &budget, &mut |_| (), &mut ());
            assert!(good.contains(&found.best.unwrap()), "{heaps:?} {found:?}");
            assert!(found.complete && found.moves.len() == exact.moves.len());
            let seen = ismcts(
                &nim,
                &start,
                Seat::FIRST,
                &options,
                dice,
                &budget,
                &mut |_| (),
                &mut (),
            );
            assert!(good.contains(&seen.best.unwrap()), "{heaps:?} {seen:?}");
        }
    }
}

#[test]
fn a_tree_keeps_to_its_memory() {
    let nim = Nim::new(&[9, 9], 9);
    let deepest = |memory| {
        let options = MctsOptions {
            rounds: 2_000,
            memory,
            ..MctsOptions::default()
        };
        let (dice, budget) = (&mut Dice::new(Seed::new(1)), Budget::endless());
        let start = nim.start();
        let open = mcts(&nim, &start, &options, dice, &budget, &mut |_| (), &mut ());
        let seat = Seat::FIRST;
        let tell = &mut |_: &Found<Take>| ();
        let seen = ismcts(&nim, &start, seat, &options, dice, &budget, tell, &mut ());
        assert!(open.best.is_some() && seen.best.is_some());
        [
            (open.depth, open.moves.len()),
            (seen.depth, seen.moves.len()),
        ]
    };
    assert_eq!(deepest(0), [(0, 0); 2], "no room for any move");
    for (depth, moves) in deepest(3_000) {
        assert!(depth == 1 && (1..18).contains(&moves), "{depth} {moves}");
    }
    for (depth, moves) in deepest(1 << 20) {
        assert!(depth > 1 && moves == 18, "{depth} {moves}");
    }
}

#[test]
fn playouts_serve_three_seats_each_for_itself() {
    // Where max^n has one clear best move, playouts come to it in most games drawn.
    let (mut agreed, mut clear) = (0, 0);
    for seed in 0..60 {
        let maze = Maze {
            seed,
            seats: 3,
            ways: 3,
            length: 5,
            width: 50,
            chance: false,
        };
        let budget = Budget::endless();
        let exact = minimax(&maze, &maze.start(), &Payoffs, 9, &budget, &mut ());
        let mut worths: Vec<Worth> = exact.moves.iter().map(|m| m.1).collect();
        worths.sort();
        if worths.len() < 2 || worths[worths.len() - 1] == worths[worths.len() - 2] {
            continue;
        }
        clear += 1;
        let options = MctsOptions {
            rounds: 3_000,
            ..MctsOptions::default()
        };
        let dice = &mut Dice::new(Seed::new(seed));
        let found = mcts(
            &maze,
            &maze.start(),
            &options,
            dice,
            &budget,
            &mut |_| (),
            &mut (),
        );
        agreed += u32::from(found.best == exact.best);
    }
    assert!(
        clear >= 15 && agreed * 10 >= clear * 8,
        "{agreed} of {clear}"
    );
}

#[test]
fn hidden_cards_are_weighed_and_not_seen() {
    let game = HighCard;
    let options = MctsOptions {
        rounds: 2_000,
        ..MctsOptions::default()
    };
    let answer = |mine: u8, hidden: u8| {
        let mut state = game.dealt(hidden, mine);
        game.play(&mut state, &Play::Bet);
        let view = game.view(&state, Eyes::Seat(Seat::SECOND));
        let dice = &mut Dice::new(Seed::new(9));
        ismcts(
            &game,
            &view,
            Seat::SECOND,
            &options,
            dice,
            &Budget::endless(),
            &mut |_| (),
            &mut (),
        )
    };
    // The lowest card loses two when it calls and one when it folds; the highest wins two.
    assert_eq!(answer(0, 3).best, Some(Play::Fold));
    assert_eq!(answer(4, 3).best, Some(Play::Bet));
    // What is hidden cannot matter: the same view gives the same answer to the last bit.
    assert_eq!(answer(2, 0), answer(2, 4));
    // Two of the four possible cards are lower: calling is worth nothing on average, and that is better than -1.
    let middle = answer(2, 0);
    assert_eq!(middle.best, Some(Play::Bet));
    assert!(middle.worth.number().abs() < 0.15, "{middle:?}");
}

#[test]
fn a_finished_game_and_a_waiting_table_have_nothing_to_choose() {
    let nim = Nim::new(&[1], 1);
    let mut over = nim.start();
    nim.play(&mut over, &Take { heap: 0, count: 1 });
    let budget = Budget::endless();
    let found = alphabeta(&nim, &over, &Payoffs, 3, &budget, &mut ());
    assert!(found.best.is_none() && found.worth.proved() && found.complete);
    assert_eq!(found.worth, Worth::exact(1), "told for the first seat");
    let dice = &mut Dice::new(Seed::new(1));
    let options = MctsOptions::default();
    let found = mcts(&nim, &over, &options, dice, &budget, &mut |_| (), &mut ());
    assert!(found.best.is_none() && found.worth == Worth::exact(1));
}

#[test]
fn the_twin_of_the_bench_does_the_same_work() {
    for seed in 0..40 {
        let maze = Maze {
            seed,
            seats: 2,
            ways: 4,
            length: 8,
            width: 30,
            chance: false,
        };
        let budget = Budget::endless();
        let found = alphabeta(&maze, &maze.start(), &Opinion, 6, &budget, &mut ());
        let twin = toys::twin::unwatched(&maze, &maze.start(), &Opinion, 6, &budget);
        assert_eq!(twin, (found.best, found.worth, found.nodes));
    }
}
