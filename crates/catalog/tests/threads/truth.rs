//! What alpha-beta and deepening say in their threads is true: node by node, beside a minimax that
//! knows nothing of windows.

use std::collections::HashMap;

use wits_game::{Eyes, Game, Seat, Turn};
use wits_matchbox::hexapawn::Hexapawn;
use wits_matchbox::tictactoe::TicTacToe;
use wits_rainbow::{Rainbow, Side, Terms};
use wits_search::tree::{DeepeningOptions, Payoffs, alphabeta, deepening, minimax};
use wits_search::{Budget, Kind, Step};
use wits_thue::Variant;
use wits_thue::game::Insertion;

/// The full tree, written down once per position and depth; whoever is not over at the horizon counts as zero.
struct Truth<'a, G: Game> {
    game: &'a G,
    seat: Seat,
    known: HashMap<(G::State, u32), i32>,
}

impl<G: Game<View = <G as Game>::State>> Truth<'_, G> {
    fn value(&mut self, state: &G::State, depth: u32) -> i32 {
        let mover = match self.game.turn(state) {
            Turn::Over(outcome) => return outcome.payoff(self.seat),
            _ if depth == 0 => return 0,
            Turn::Of(mover) => mover,
            Turn::Chance => unreachable!("no chance in these games"),
        };
        let key = (state.clone(), depth);
        if let Some(&value) = self.known.get(&key) {
            return value;
        }
        let seat = self.seat;
        let values = self.game.options(state).into_iter().map(|mv| {
            let mut next = state.clone();
            self.game.play(&mut next, &mv);
            self.value(&next, depth - 1)
        });
        let value = if mover == seat {
            values.max()
        } else {
            values.min()
        };
        let value = value.unwrap();
        self.known.insert(key, value);
        value
    }
}

/// Deep enough for the whole of any game here.
const WHOLE: u32 = 40;

/// Compares every value of a thread with the truth to the same depth, and every exact one with the whole truth.
/// Gives how many values were exact, bounds and estimates.
fn compare<G>(game: &G, steps: &[Step], root: &G::State, depth: u32) -> [usize; 3]
where
    G: Game<View = <G as Game>::State>,
{
    let seat = game.turn(root).seat().unwrap();
    let mut truth = Truth {
        game,
        seat,
        known: HashMap::new(),
    };
    let mut nodes: HashMap<u64, (G::State, u32)> = HashMap::new();
    let mut seen = [0; 3];
    for step in steps {
        let number = |key: &str| step.data.get(key).and_then(serde_json::Value::as_u64);
        match step.kind {
            Kind::Open => {
                let node = match number("parent") {
                    None => (root.clone(), depth),
                    Some(parent) => {
                        let (state, left) = &nodes[&parent];
                        match step.data["move"].as_str() {
                            // A round of deepening looks as far as it says.
                            None => (state.clone(), number("depth").unwrap() as u32),
                            Some(text) => {
                                let mut next = state.clone();
                                let mv = game.read(state, text).unwrap();
                                assert!(game.legal(state, &mv).is_ok());
                                game.play(&mut next, &mv);
                                (next, left - 1)
                            }
                        }
                    }
                };
                nodes.insert(number("id").unwrap(), node);
            }
            Kind::Close if step.data["value"].is_number() => {
                let (state, left) = &nodes[&number("id").unwrap()];
                let value = step.data["value"].as_f64().unwrap();
                let here = f64::from(truth.value(state, *left));
                let whole = f64::from(truth.value(state, WHOLE));
                let judged = step.data.contains_key("judged");
                let is = step.data["is"].as_str().unwrap();
                let proved = step.data["proved"].as_bool() == Some(true);
                assert_eq!(proved, is == "exact", "{step:?}");
                let says = step.says.to_string();
                assert!(is == "exact" || !says.contains("proved"), "{says}");
                let mut hold = vec![here];
                if !judged && is != "estimate" {
                    hold.push(whole);
                }
                for truth in hold {
                    let holds = match is {
                        "exact" | "estimate" => (value - truth).abs() < 1e-9,
                        "at least" => value <= truth,
                        "at most" => value >= truth,
                        other => panic!("{other}"),
                    };
                    assert!(
                        holds,
                        "{value} is said to be {is}, and is {truth}: {step:?} {state:?}"
                    );
                }
                match is {
                    "exact" => seen[0] += 1,
                    "estimate" => seen[2] += 1,
                    _ => seen[1] += 1,
                }
            }
            _ => {}
        }
    }
    seen
}

fn hold<G>(game: &G, depth: u32) -> [usize; 3]
where
    G: Game<View = <G as Game>::State>,
{
    let start = game.start();
    let budget = Budget::endless();
    let mut all = [0; 3];
    let mut add = |steps: &[Step], depth| {
        let seen = compare(game, steps, &start, depth);
        all.iter_mut()
            .zip(seen)
            .for_each(|(all, seen)| *all += seen);
    };
    let mut steps: Vec<Step> = Vec::new();
    alphabeta(game, &start, &Payoffs, depth, &budget, &mut steps);
    add(&steps, depth);
    for (table_bits, aspiration) in [(0, None), (6, Some(0.5)), (16, None), (16, Some(1.0))] {
        let options = DeepeningOptions {
            max_depth: depth,
            table_bits,
            aspiration,
            order: None,
        };
        steps.clear();
        let watch = &mut steps;
        let found = deepening(
            game,
            &start,
            &Payoffs,
            &options,
            &budget,
            &mut |_| (),
            watch,
        );
        add(&steps, found.depth);
    }
    steps.clear();
    minimax(game, &start, &Payoffs, depth.min(6), &budget, &mut steps);
    add(&steps, depth.min(6));
    all
}

#[test]
fn every_value_and_every_bound_is_true() {
    let mut exact = 0;
    let mut bounds = 0;
    let mut add = |name: &str, [e, b, _]: [usize; 3]| {
        assert!(
            e > 0 && b > 0,
            "{name} shows {e} exact values and {b} bounds"
        );
        exact += e;
        bounds += b;
    };
    add("tictactoe", hold(&TicTacToe, 9));
    hold(&TicTacToe, 5);
    add("hexapawn 3x3", hold(&Hexapawn::new(3, 3).unwrap(), WHOLE));
    let four = Hexapawn::new(4, 3).unwrap();
    add("hexapawn 4x3", hold(&four, WHOLE));
    hold(&four, 6);
    let square = Hexapawn::new(4, 4).unwrap();
    add("hexapawn 4x4", hold(&square, 9));
    for (n, k, c) in [(4, 3, 3), (5, 3, 3), (4, 3, 4)] {
        for first in [Side::Maker, Side::Breaker] {
            let terms = Terms::new(n, k, c, first).unwrap();
            hold(&Rainbow::new(terms), WHOLE);
            hold(&Rainbow::new(terms), 3);
        }
    }
    for (symbols, max_moves) in [(2, 4), (3, 3)] {
        let thue = Insertion {
            max_moves,
            ..Insertion::new(Variant::Square, symbols)
        };
        hold(&thue, WHOLE);
        hold(&thue, 4);
    }
    assert!(exact > 1_000 && bounds > 1_000, "{exact} {bounds}");
}

/// The positions after the first move of tic-tac-toe, where values of refused lines were once called proved.
#[test]
fn after_the_first_move_nothing_false_is_proved() {
    let game = TicTacToe;
    for mv in game.options(&game.start()) {
        let mut state = game.start();
        game.play(&mut state, &mv);
        let mut steps: Vec<Step> = Vec::new();
        alphabeta(&game, &state, &Payoffs, 9, &Budget::endless(), &mut steps);
        let [exact, bounds, estimates] = compare(&game, &steps, &state, 9);
        let corner = game.write(&game.start(), &mv, Eyes::All);
        assert!(exact > 0 && bounds > 0 && estimates == 0, "{corner}");
    }
}
