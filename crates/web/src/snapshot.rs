//! What one visitor may see of a table, as the page reads it.

use serde_json::{Value, json};
use wits_game::{Eyes, Light, Message, Outcome, Scene, Seat, Turn};
use wits_play::{AnyMatch, Event};

use crate::pages::turning::turning_of;
use crate::table::{Deed, Inside, Table};
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS, ending, rooms};

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
        .map(|o| json!({"payoffs": o.payoffs, "why": o.why, "winner": o.winner(), "verdict": verdict(table, o, place)}));
    let ended = over.is_some();
    let eyes = place.eyes(table, &inside);
    let mut scene = inside.table.scene(eyes);
    if !mine {
        scene.targets.clear();
    }
    let told = inside.table.told(eyes);
    let open = !game.hidden() || ended;
    let room = rooms::state_of(table, &inside, eyes, place);
    let moves: Vec<Value> = told
        .iter()
        .map(|t| {
            json!({"ply": t.ply, "seat": t.seat, "name": t.seat.map(|s| table.name(s)), "move": t.text,
                "ms": t.ms, "thread": open && t.ply >= table.opened && t.seat.is_some_and(|s| !table.person(s))})
        })
        .collect();
    let points = inside.table.points().filter(|_| open);
    if points.is_some() {
        // The seats show it.
        scene.caption.clear();
    }
    let said = said(table, &inside, &turn, place, &told);
    let scene = pictured(scene, &inside.last);
    let seats: Vec<Value> = Seat::all(game.seats())
        .map(|s| {
            let (who, about) = table.player(s);
            json!({"seat": s, "name": table.name(s), "player": table.header.players[s.index()], "who": who, "about": about,
                "you": place.seats.contains(&s), "free": table.person(s) && !place.held.contains(&s),
                "points": points.as_ref().and_then(|all| all.get(s.index())),
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
        "turn": whose, "whose": whose.map(|s| table.name(s)), "status": status(table, &inside, &turn, place), "said": said,
        "position": open.then(|| inside.table.notation()), "over": over, "seats": seats, "you": place.seats, "scene": scene, "moves": moves,
        "room": room, "thinking": inside.thinks(), "repeatable": table.header.repeatable, "review": rooms::review_of(table).filter(|_| ended),
        "turning": turning_of(table, &inside, place),
        "can": {"undo": can_undo, "hint": mine && !game.hidden(), "resign": !ended && !place.seats.is_empty(), "replay": open},
    })
}

/// A scene as a page reads it, with the last move on it: where it was played, and what else it changed.
pub(crate) fn pictured(scene: Scene, last: &Deed) -> Value {
    let mut value = json!(lit(scene, &last.touched));
    if !last.changed.is_empty() {
        value["changed"] = json!(last.changed);
    }
    value
}

/// The cells of the last move, lit where the game does not light them itself.
pub(crate) fn lit(mut scene: Scene, last: &[usize]) -> Scene {
    for &cell in last {
        if let Some(cell) = scene.cells.get_mut(cell) {
            cell.light = cell.light.or(Some(Light::Last));
        }
    }
    scene
}

/// How the game ended for the visitor, where it is clear for whom: they hold one seat. A first round decides
/// nothing yet.
fn verdict(table: &Table, outcome: &Outcome, place: &Place) -> &'static str {
    let [own] = place.seats[..] else {
        return "over";
    };
    if table.paired() {
        return match rounds(table, outcome, own) {
            None => "round",
            Some((own, other)) if own > other => "won",
            Some((own, other)) if own < other => "lost",
            Some(_) => "drawn",
        };
    }
    // Whoever plays alone beats nobody: what counts is how far they came.
    if table.game.seats() == 1 {
        return "solo";
    }
    let payoff = outcome.payoff(own);
    let most = outcome.payoffs.iter().max().copied().unwrap_or(0);
    match (payoff == most, outcome.winner().is_some()) {
        (true, true) => "won",
        (true, false) => "drawn",
        (false, _) => "lost",
    }
}

/// What the visitor and the other side got over two rounds, each in the round in which it could gain.
fn rounds(table: &Table, outcome: &Outcome, own: Seat) -> Option<(i32, i32)> {
    let before = *table.first.as_ref()?.get(1 - own.index())?;
    let now = outcome.payoff(own);
    Some((before.max(now), -before.min(now)))
}

/// How a game that is over went for a visitor, as a word for scripts and as words for people.
pub(crate) fn result_of(table: &Table, place: &Place) -> (&'static str, String) {
    let inside = table.lock();
    let turn = inside.table.turn();
    let verdict = turn.outcome().map_or("over", |o| verdict(table, o, place));
    (verdict, status(table, &inside, &turn, place))
}

/// Whose turn it is, or how it ended, in a few words.
fn status(table: &Table, inside: &Inside, turn: &Turn, place: &Place) -> String {
    let mine = |seat: &Seat| place.seats.contains(seat);
    let message = match turn {
        Turn::Over(outcome) => ended(table, &*inside.table, outcome, place),
        Turn::Chance => WORDS.say("chance"),
        // Whoever plays both sides must know which one is next.
        Turn::Of(seat) if mine(seat) && place.seats.len() == 1 => WORDS.say("your-turn"),
        Turn::Of(seat) if inside.thinks() => WORDS.say("thinks").with("who", table.player(*seat).0),
        Turn::Of(seat) => WORDS.say("turn").with("who", table.name(*seat)),
    };
    message.to_string()
}

/// How a game that is over went for a visitor.
pub(crate) fn ended(
    table: &Table,
    position: &dyn AnyMatch,
    outcome: &Outcome,
    place: &Place,
) -> Message {
    let result = |key, counted| result(key, counted, table, position, outcome, place);
    match verdict(table, outcome, place) {
        "won" => result("you-won", "you-won-points"),
        "lost" => result("you-lost", "you-lost-points"),
        "drawn" => WORDS.say("you-drew"),
        "round" => WORDS.say("round-over"),
        "solo" => match position.points().as_deref() {
            Some([points]) => WORDS.say("solo-points").with("n", *points),
            _ => WORDS.say("solo-over"),
        },
        // In a round of two points are gained and lost; nobody has won yet.
        _ if table.paired() => WORDS.say("one-round-over"),
        _ => match outcome.winner() {
            Some(winner) => WORDS.say("won").with("who", table.name(winner)),
            None => WORDS.say("drawn"),
        },
    }
}

/// A win or a loss, with the points where the game has them: one's own first.
fn result(
    key: &'static str,
    counted: &'static str,
    table: &Table,
    position: &dyn AnyMatch,
    outcome: &Outcome,
    place: &Place,
) -> Message {
    let points = || {
        let own = *place.seats.first()?;
        if table.paired() {
            return rounds(table, outcome, own);
        }
        // Points that decided nothing say nothing: somebody gave up or ran out of time.
        let last = position.events().last();
        if matches!(last, Some(Event::Resign { .. } | Event::Flag { .. })) {
            return None;
        }
        let points = position.points().filter(|all| all.len() == 2)?;
        Some((points[own.index()], points[1 - own.index()]))
    };
    match points() {
        Some((own, other)) => {
            let shown = |points: i32| points.to_string().replace('-', "−");
            WORDS
                .say(counted)
                .with("own", shown(own))
                .with("other", shown(other))
        }
        None => WORDS.say(key),
    }
}

/// What happened last: why the game is over, or the move that the visitor answers.
fn said(
    table: &Table,
    inside: &Inside,
    turn: &Turn,
    place: &Place,
    told: &[wits_play::Told],
) -> String {
    if let Turn::Over(outcome) = turn {
        let why = ending::reason(table, &*inside.table, outcome, place);
        let round = verdict(table, outcome, place) == "round";
        let next = round.then(|| format!(" {}", WORDS.say("round-next")));
        return why + &next.unwrap_or_default();
    }
    let Some((last, seat)) = told.last().and_then(|last| Some((last, last.seat?))) else {
        return String::new();
    };
    if place.seats.len() == 1 && place.seats.contains(&seat) {
        return inside.last.says(None, &last.text).to_string();
    }
    let who = if table.person(seat) {
        table.name(seat)
    } else {
        table.player(seat).0
    };
    inside.last.says(Some(&who), &last.text).to_string()
}
