//! What is special to a room on the page: one file a room, one line here.

mod arena;
mod expert;
mod learn;
pub(crate) mod live;
pub(crate) mod matchbox;
mod othello;
mod rainbow;
mod scrabble;
mod thue;
pub(crate) mod transit;

use axum::Router;
use maud::{Markup, html};
use serde_json::Value;
use wits_desk::{Args, Verb};
use wits_game::{Eyes, Message, Outcome};
use wits_play::{AnyEntry, AnyMatch, Remark};
use wits_sandbox::Items;

pub(crate) use arena::{Opens, can_begin, enter, lead};
pub(crate) use thue::day;
pub(crate) use transit::House;

use crate::desk::{AskVerb, Item, Ready};
use crate::pages::turning::{self, Look};
use crate::pages::{AtTable, reviewed};
use crate::sandbox::{Named, named};
use crate::snapshot::Place;
use crate::table::{Inside, Table};
use crate::visitor::Visitor;
use crate::{App, Fault};

/// The addresses of all rooms.
pub(crate) fn routes() -> Router<App> {
    Router::new()
        .merge(matchbox::routes())
        .merge(thue::routes())
        .merge(rainbow::routes())
        .merge(othello::routes())
        .merge(scrabble::routes())
        .merge(learn::routes())
        .merge(expert::routes())
        .merge(transit::routes())
        .merge(arena::routes())
}

/// What rooms do in a sandbox.
pub(crate) fn tasks() -> Vec<Named> {
    let all = [
        expert::tasks(),
        learn::tasks(),
        transit::tasks(),
        vec![named::<AskVerb>()],
    ];
    all.into_iter().flatten().collect()
}

/// Something that a question to a room names.
pub(crate) fn item(app: &App, room: &str, name: &str) -> Result<Item, Fault> {
    match room {
        "learn" => learn::item(app, name),
        "transit" => transit::item(app, name),
        _ => Err(Fault::missing()),
    }
}

/// Fills in what a question to a room leaves to the visitor's own things.
pub(crate) fn complete(
    app: &App,
    visitor: Visitor,
    (room, verb): (&str, &Verb),
    pairs: &mut Vec<(String, String)>,
) -> Result<(), Fault> {
    match room {
        "transit" => transit::complete(app, visitor, verb, pairs),
        _ => Ok(()),
    }
}

/// What a room lends a sandbox for a question that names nothing of the kind.
pub(crate) fn lent(app: &App, (room, verb): (&str, &Verb), pairs: &[(String, String)]) -> Items {
    match room {
        "transit" => transit::lent(app, verb, pairs),
        _ => Items::new(),
    }
}

/// What a room keeps ready for a question, so that it is answered in the house.
pub(crate) fn ready(app: &App, room: &str, args: &Args) -> Result<Option<Ready>, Fault> {
    match room {
        "transit" => transit::ready(app, args),
        _ => Ok(None),
    }
}

/// The page of the room that a game belongs to, if the room has one.
pub(crate) fn home_of(game: &str) -> Option<&'static str> {
    match game {
        "hexapawn" | "tictactoe" | "chomp" | "nim" | "tactix" | "domineering" | "notakto"
        | "connect3" | "mnk" => Some("/matchbox"),
        "othello" => Some("/othello"),
        "rainbow" => Some("/rainbow"),
        "scrabble" => Some("/scrabble"),
        _ if game.starts_with("thue") => Some("/thue"),
        _ => None,
    }
}

/// What a room adds to the page of its games: a panel beside the board, and the script that fills it.
pub(crate) fn beside(game: &str, id: &str) -> Option<(&'static str, Markup)> {
    match game {
        "othello" => Some(("othello-game.js", othello::beside(id))),
        _ => None,
    }
}

/// What a room adds to the snapshots of its games: only what these eyes may see.
pub(crate) fn state_of(table: &Table, inside: &Inside, eyes: Eyes, place: &Place) -> Option<Value> {
    match table.game.id() {
        "scrabble" => scrabble::state(table, inside, eyes, place),
        _ => None,
    }
}

/// Where a game that is over is looked through: on a page of its room, or on the one for every game with a machine
/// that searches.
pub(crate) fn review_of(table: &Table) -> Option<String> {
    match table.game.id() {
        "othello" => othello::review_of(table),
        "scrabble" => Some(format!("/scrabble/game/{}", table.id)),
        _ => None,
    }
    .or_else(|| reviewed(table).then(|| format!("/games/{}/review", table.id)))
}

/// Whether a machine can tell where a game of this table turned.
pub(crate) fn turns(table: &Table) -> bool {
    othello::review_of(table).is_some() || turning::plainly(table)
}

/// Looks for the place where a game turned, with a room's own machine where it has one.
pub(crate) fn turning(table: &Table) -> Result<Look, Fault> {
    if othello::review_of(table).is_some() {
        return othello::turning(table);
    }
    turning::plain(table)
}

/// Why a game is over, said to the visitor, where a room says it better than the rules do.
pub(crate) fn ending(
    table: &Table,
    position: &dyn AnyMatch,
    outcome: &Outcome,
    place: &Place,
) -> Option<String> {
    match table.game.id() {
        "othello" => othello::ending(position, outcome, place),
        "scrabble" => scrabble::ending(table, position, place),
        game if game.starts_with("thue") => thue::ending(table, position, outcome, place),
        _ => None,
    }
}

/// What a review says of a move, where a room says it better than wins and losses do.
pub(crate) fn remark(table: &Table, remark: &Remark) -> Option<Message> {
    match table.game.id() {
        "thue" | "thue-solitaire" => thue::remark(remark),
        _ => None,
    }
}

/// The page of a game where a room has its own, with its scripts.
pub(crate) fn page_of(
    at: &AtTable<'_>,
    table: &Table,
    title: &str,
    entry: Option<&dyn AnyEntry>,
) -> Option<(&'static [&'static str], Markup)> {
    match at.game {
        "rainbow" => rainbow::page_of(at, table, title, entry),
        "scrabble" => scrabble::page(at, table, title, entry),
        _ => None,
    }
}

/// The page of what a player keeps, where it has one: the wall of boxes of a stored machine.
pub(crate) fn page_of_player(player: &str) -> Option<String> {
    let spec: wits_play::Spec = player.parse().ok()?;
    matchbox::page_of(&spec)
}

/// A link to the ladder of a game, which people know by its title.
pub(crate) fn to_ladder(game: &str, title: Message) -> Markup {
    let words = crate::WORDS.say("arena-ladder-title").with("game", title);
    html! { a href={ "/arena/ladder?game=" (game) } { (words) } }
}

/// The same for a game of the catalog; a house without the game has no ladder of it.
pub(crate) fn ladder_of(app: &App, game: &str) -> Markup {
    let entry = app.catalog.entry(game);
    entry.map_or_else(|_| Markup::default(), |e| to_ladder(e.id(), e.title()))
}
