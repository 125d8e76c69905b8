//! Honest threads pass: every machine in every seat that it can take, some way into games of random moves.

use wits_game::{Dice, Seat, Seed, Stream};
use wits_play::{AnyGame, AnyMatch, Limits, Shelf, Spec, check_decision};

/// After so many random moves a machine decides.
const PLIES: [u32; 7] = [1, 5, 9, 14, 22, 44, 50];
/// About so many moves of each decision it is asked *why not?*
const ASKED: usize = 1;

/// A game at a move of a seat that has something to choose from, about so many random moves in; nothing where the seat never
/// has.
pub(crate) fn under_way(
    game: &dyn AnyGame,
    seed: Seed,
    plies: u32,
    seat: Seat,
) -> Option<Box<dyn AnyMatch>> {
    let mut dice = Dice::at(seed, Stream::Aside, 0);
    let mut table = game.begin(seed, None);
    let mut found = None;
    for ply in 0..plies + 8 {
        table.settle();
        let Some(whose) = table.turn().seat() else {
            break;
        };
        let options = table.options();
        if whose == seat && options.len() > 1 {
            found = Some(table.copy());
            if ply >= plies {
                break;
            }
        }
        let mv = dice.pick(&options).unwrap();
        table.play(whose, mv, None).unwrap();
    }
    found
}

#[test]
fn every_machine_passes_in_the_middle_of_games() {
    let (mut decisions, mut wrong) = (0, Vec::new());
    let shelf = Shelf::new();
    for entry in wits_catalog::all().entries() {
        let game = entry.game(&Spec::named(entry.id()), &shelf).unwrap();
        for card in entry.players().iter().filter(|card| card.id != "human") {
            let by = Spec::named(card.id);
            for seat in Seat::all(game.seats()).filter(|&seat| card.roles.allow(seat)) {
                for (n, plies) in (100..).zip(PLIES) {
                    let Some(table) = under_way(&*game, Seed::new(n), plies, seat) else {
                        continue;
                    };
                    let limits = Limits::nodes(500);
                    let told = check_decision(&*game, &*table, &by, &shelf, limits, ASKED);
                    wrong.extend(told.err().map(|why| format!("{}: {why}", entry.id())));
                    decisions += 1;
                }
            }
        }
    }
    let most: Vec<&String> = wrong.iter().take(10).collect();
    assert!(
        wrong.is_empty(),
        "{} of {decisions}: {most:#?}",
        wrong.len()
    );
    assert!(decisions > 700, "only {decisions}");
}
