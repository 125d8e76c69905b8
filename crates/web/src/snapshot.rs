//! What one visitor may see of a table, as the page reads it.

use serde_json::{Value, json};
use wits_game::{Eyes, Seat, Turn};

use crate::table::{Inside, Table};
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS, rooms};

/// A visitor's place at a table: the seats they hold, and whose eyes they have.
pub(crate) struct Place {
    pub(crate) seats: Vec<Seat>,
    pub(crate) held: Vec<Seat>,
}

impl Place {
    /// Who sits where, from the store.
    pub(crate) fn of(app: &App, table: &Table, visitor: Visitor) -> Result<Place, Fault> {
        let seat = |n: &u8| Seat::at(usize::from(*n));
        let seats: Vec<Seat> = app
            .store
            .seats(table.id, &visitor.text())?
            .iter()
            .filter_map(seat)
            .collect();
        if !seats.is_empty() {
            table.seen(visitor);
        }
        let held = app.store.held(table.id)?.iter().filter_map(seat).collect();
        Ok(Place { seats, held })
    }

    /// What these eyes see: all where nothing is hidden or the game is over, else their own.
    pub(crate) fn eyes(&self, table: &Table, inside: &Inside) -> Eyes {
        let turn = inside.table.turn();
        if !table.game.hidden() || matches!(turn, Turn::Over(_)) {
            return Eyes::All;
        }
        let mine = turn
            .seat()
            .filter(|s| self.seats.contains(s))
            .or_else(|| self.seats.first().copied());
        mine.map_or(Eyes::Public, Eyes::Seat)
    }

    /// Whether one visitor has all people's seats, so that taking back takes from nobody else.
    pub(crate) fn alone(&self, table: &Table) -> bool {
        let people = Seat::all(table.game.seats()).filter(|&s| table.person(s));
        !self.seats.is_empty()
            && people
                .into_iter()
                .all(|s| self.seats.contains(&s) || !self.held.contains(&s))
    }
}

/// The snapshot of a table for one visitor.
pub(crate) fn snapshot(table: &Table, place: &Place) -> Value {
    let inside = table.lock();
    let game = &table.game;
    let turn = inside.table.turn();
    let whose = turn.seat();
    let mine = whose.is_some_and(|s| place.seats.contains(&s));
    let over = turn
        .outcome()
        .map(|o| json!({"payoffs": o.payoffs, "why": o.why, "winner": o.winner()}));
    let ended = over.is_some();
    let mut scene = inside.table.scene(place.eyes(table, &inside));
    if !mine {
        scene.targets.clear();
    }
    let told = inside.table.told(place.eyes(table, &inside));
    let open = !game.hidden() || ended;
    let room = rooms::state_of(table, &inside, place.eyes(table, &inside), place);
    let moves: Vec<Value> = told
        .iter()
        .map(|t| {
            json!({"ply": t.ply, "seat": t.seat, "name": t.seat.map(|s| table.name(s)), "move": t.text,
                "ms": t.ms, "thread": open && t.seat.is_some_and(|s| !table.person(s))})
        })
        .collect();
    let seats: Vec<Value> = Seat::all(game.seats())
        .map(|s| {
            json!({"seat": s, "name": table.name(s), "player": table.header.players[s.index()],
                "you": place.seats.contains(&s), "free": table.person(s) && !place.held.contains(&s),
                "boxes": rooms::page_of_player(&table.header.players[s.index()]), "clock_ms": inside.left(s).map(|d| d.as_millis() as u64)})
        })
        .collect();
    let can_undo = !ended
        && !game.hidden()
        && place.alone(table)
        && told
            .iter()
            .any(|t| t.seat.is_some_and(|s| place.seats.contains(&s)));
    json!({
        "seq": inside.table.events().len(), "ply": inside.table.ply(), "title": game.title(), "spec": game.spec(),
        "turn": whose, "whose": whose.map(|s| table.name(s)), "status": status(table, &inside, &turn, mine),
        "position": open.then(|| inside.table.notation()), "over": over, "seats": seats, "you": place.seats, "scene": scene, "moves": moves,
        "room": room, "thinking": inside.thinks(), "repeatable": table.header.repeatable,
        "can": {"undo": can_undo, "hint": mine && !game.hidden(), "resign": !ended && !place.seats.is_empty()},
    })
}

/// Whose turn it is, or how it ended, in a sentence.
pub(crate) fn status(table: &Table, inside: &Inside, turn: &Turn, mine: bool) -> String {
    match turn {
        Turn::Over(outcome) => {
            let message = match outcome.winner() {
                Some(winner) => WORDS.say("won").with("who", table.name(winner)),
                None => WORDS.say("drawn"),
            };
            message.with("why", outcome.why.clone()).to_string()
        }
        Turn::Chance => WORDS.say("chance").to_string(),
        Turn::Of(seat) => {
            let key = if mine {
                "your-turn"
            } else if inside.thinks() {
                "thinks"
            } else {
                "turn"
            };
            WORDS.say(key).with("who", table.name(*seat)).to_string()
        }
    }
}
