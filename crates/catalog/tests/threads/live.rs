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

/// A machine that looks at so many positions for a move has time to tell of some; one that is cut short after so many may
/// still be at its first.
const MANY: std::ops::Range<u64> = 1_000..20_000;

/// Every machine of the catalog that searches at its own settings, in every seat: nobody waits without seeing its moves.
#[test]
fn no_machine_searches_in_silence() {
    let catalog = wits_catalog::all();
    let mut silent = Vec::new();
    let mut searching = 0;
    for entry in catalog.entries() {
        let game = entry.game(&Spec::named(entry.id()), &Shelf::new()).unwrap();
        if game.hidden() {
            continue;
        }
        for plies in [0, 1, 4] {
            let mut table = game.begin(Seed::new(3), None);
            table.settle();
            for _ in 0..plies {
                let Some(seat) = table.turn().seat() else {
                    break;
                };
                let mv = table.options()[0].clone();
                table.play(seat, &mv, None).unwrap();
                table.settle();
            }
            let Some(seat) = table.turn().seat() else {
                continue;
            };
            if table.options().len() < 2 {
                continue;
            }
            for card in entry.players() {
                if card.id == "human" || !card.roles.allow(seat) {
                    continue;
                }
                // What stands in a book takes no time.
                let spec = match card.id {
                    "engine" => "engine:book=false".parse().unwrap(),
                    id => Spec::named(id),
                };
                let mut player = game.player(&spec, seat, &Shelf::new()).unwrap();
                let (mut told, mut nodes) = (0, 0);
                let mut tell = |thought: &Thought<String>| {
                    told = told.max(thought.roots.len());
                    nodes = nodes.max(thought.nodes);
                };
                let desk = AnyDesk {
                    budget: &Budget::start(Limits::nodes(MANY.end)),
                    dice: table.dice(seat),
                    tell: &mut tell,
                    record: None,
                };
                player.choose(table.as_ref(), desk);
                searching += u32::from(MANY.contains(&nodes));
                if MANY.contains(&nodes) && told < 2 {
                    silent.push(format!("{} {spec} after {plies}: {nodes}", entry.id()));
                }
            }
        }
    }
    assert!(silent.is_empty(), "{}", silent.join("\n"));
    assert!(searching > 20, "only {searching} searched");
}
