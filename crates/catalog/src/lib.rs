//! The lists of games and of rooms: adding one to the house is adding one line here.
#![forbid(unsafe_code)]

use wits_desk::{Refusal, Room, Shelf, Spec};
use wits_game::Message;
use wits_matchbox::{Graph, Subject};
use wits_play::Catalog;

/// Every game of the house, in the order the home page shows them.
pub fn all() -> Catalog {
    Catalog::new(vec![
        wits_matchbox::hexapawn::entry().erase(),
        wits_matchbox::tictactoe::entry().erase(),
        wits_othello::entry().erase(),
        wits_rainbow::entry().erase(),
        wits_scrabble::entry().erase(),
        wits_thue::game::entry().erase(),
        wits_thue::game::solitaire_entry().erase(),
        wits_thue::game::append::entry().erase(),
        wits_thue::game::erase::entry().erase(),
        wits_matchbox::mini::chomp().erase(),
        wits_matchbox::mini::nim().erase(),
        wits_matchbox::mini::tactix().erase(),
        wits_matchbox::mini::domineering().erase(),
        wits_matchbox::mini::notakto().erase(),
        wits_matchbox::mini::connect3().erase(),
        wits_matchbox::mini::mnk().erase(),
    ])
}

/// Every room with verbs of its own, in the order help shows them.
pub fn rooms() -> Vec<Room> {
    vec![
        wits_learn::verbs::room(),
        matchbox(),
        wits_rainbow::verbs::room(),
        wits_scrabble::verbs::room(),
        wits_thue::verbs::room(),
        wits_transit::verbs::room(),
    ]
}

/// The matchbox room, whose machines learn every small game of the house.
fn matchbox() -> Room {
    wits_matchbox::verbs::room(
        |args, shelf, _| wits_matchbox::verbs::chance(args, shelf, subject),
        |args, _, work| wits_matchbox::verbs::compare(args, work, subject),
        |args, _, work| wits_matchbox::verbs::curves(args, work, subject),
    )
}

/// What a machine of boxes learns: a game of its own room, or any other of the catalog that is small enough.
///
/// # Errors
/// No such game, or one that is too large for boxes.
pub fn subject(game: &str) -> Result<Subject, Refusal> {
    let own = match Subject::named(game) {
        Ok(subject) => return Ok(subject),
        Err(unknown) => unknown,
    };
    let refused = |why: String, hint: &str| {
        Refusal::new("unknown-machine", Message::plain(why), Message::plain(hint))
    };
    let unknown = || refused(own.to_string(), "see `wits matchbox boxes --help`");
    let spec: Spec = game.parse().map_err(|_| unknown())?;
    let catalog = all();
    let known = catalog.entry(&spec.name)?;
    let game = known.game(&spec, &Shelf::new())?;
    if known.players().iter().any(|card| card.id == "matchbox") {
        // A game of the room on a board that it does not have: the catalog says what is wrong with it.
        return Err(unknown());
    }
    let graph = Graph::of(&game).map_err(|error| {
        let hint = "take a smaller variant, such as rainbow:n=5,k=3,c=3 or othello:size=4";
        refused(format!("`{spec}`: {error}"), hint)
    })?;
    Ok(Subject::Graph(graph))
}
