//! The law of threads over every player of the house, and those who do not keep it as yet.

use wits_game::Seat;
use wits_play::contract::{Laws, check_player};
use wits_play::{Shelf, Spec};

/// Players whose threads do not keep the law of threads as yet. The list only shrinks.
pub(crate) const SILENT: &[&str] = &[];

/// Who has learned to speak leaves the list, and who is on it is a player of the house.
#[test]
fn the_list_of_silent_players_only_shrinks() {
    let laws = Laws {
        threads: true,
        ..Laws::default()
    };
    let mut names = Vec::new();
    let mut wrong = Vec::new();
    for entry in wits_catalog::all().entries() {
        let game = entry.game(&Spec::named(entry.id()), &Shelf::new()).unwrap();
        for card in entry.players().iter().filter(|card| card.id != "human") {
            let name = format!("{}/{}", entry.id(), card.id);
            let silent = SILENT.contains(&name.as_str());
            let mut seats = Seat::all(game.seats()).filter(|&seat| card.roles.allow(seat));
            // Everybody else is checked by the contract.
            if silent {
                let spec = Spec::named(card.id);
                let check = |seat| check_player(&*game, &spec, seat, &Shelf::new(), &laws);
                if seats.all(|seat| check(seat).is_ok()) {
                    wrong.push(format!("{name} keeps the law: take it off the list"));
                }
            }
            names.push(name);
        }
    }
    let unknown = SILENT
        .iter()
        .filter(|name| !names.contains(&name.to_string()));
    wrong.extend(unknown.map(|name| format!("{name} is no player of the house")));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
