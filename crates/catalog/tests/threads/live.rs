//! While a searching machine thinks, it tells what every move is worth so far: what the page draws as bars.

use wits_game::Seed;
use wits_play::{AnyDesk, Budget, Choice, Limits, Shelf, Spec, Thought};

/// Machines that search in games without secrets, in a position in which they have to.
const SEARCHING: [(&str, &str, &str); 9] = [
    ("tictactoe", "minimax:depth=4", "b2"),
    ("tictactoe", "alphabeta:depth=4", "b2"),
    ("tictactoe", "mcts:nodes=2000", "b2"),
    ("othello", "minimax:depth=2", "d3"),
    ("othello", "mcts:nodes=500", "d3"),
    ("rainbow", "strong:nodes=500", ""),
    ("rainbow", "strong:nodes=500", "1 1"),
    ("thue", "nested:level=2", ""),
    ("thue", "nested:level=2", "0"),
];

#[test]
fn the_moves_are_told_while_a_machine_thinks() {
    for (name, by, moves) in SEARCHING {
        let game: Spec = name.parse().unwrap();
        let game = wits_catalog::all().game(&game, &Shelf::new()).unwrap();
        let mut table = game.begin(Seed::new(1), None);
        // A move is two words in some games.
        if !moves.is_empty() {
            let seat = table.turn().seat().unwrap();
            table.play(seat, moves, None).unwrap();
        }
        let seat = table.turn().seat().unwrap();
        let spec: Spec = by.parse().unwrap();
        let mut player = game.player(&spec, seat, &Shelf::new()).unwrap();
        let options = table.options();
        let (mut heard, mut most) = (0, 0);
        let mut tell = |thought: &Thought<String>| {
            heard += usize::from(!thought.roots.is_empty());
            most = most.max(thought.roots.len());
            for root in &thought.roots {
                assert_eq!(root.moves.len(), 1, "{name} {by}");
                assert!(options.contains(&root.moves[0]), "{name} {by}: {root:?}");
            }
            let mut moves: Vec<&String> = thought.roots.iter().map(|r| &r.moves[0]).collect();
            moves.sort();
            moves.dedup();
            assert_eq!(
                moves.len(),
                thought.roots.len(),
                "{name} {by}: one bar each"
            );
        };
        let desk = AnyDesk {
            budget: &Budget::start(Limits::NONE),
            dice: table.dice(seat),
            tell: &mut tell,
            record: None,
        };
        assert!(matches!(
            player.choose(table.as_ref(), desk),
            Choice::Move(_)
        ));
        assert!(
            heard > 1 && most > 1,
            "{name} {by}: {heard} times, {most} moves"
        );
    }
}
