//! Journeys as people see them.

use std::fmt::Write;

use wits_desk::{Block, Cell, Table};
use wits_game::{Figure, Message};

use super::{heads, lasting, whole};
use crate::ask::Objective;
use crate::thread::WORDS;
use crate::view::{Journey, Leg};

/// A journey's summary, with the cost in the unit of what was best.
pub(super) fn summary(one: &Journey, by: Objective) -> Message {
    let cost = match by {
        Objective::Transfers | Objective::TransfersOnly => {
            let vehicles = WORDS.say("vehicles");
            vehicles.with("count", whole(one.vehicles))
        }
        Objective::Distance => {
            let km = WORDS.say("km");
            km.with("count", Figure::Decimal(one.km, 3))
        }
        _ => lasting(one.cost as i32),
    };
    let buffer = one.buffer.map_or_else(
        || Message::plain(""),
        |n| WORDS.say("to-spare").with("lasts", lasting(n)),
    );
    let said = WORDS.say("journey");
    let said = match one.total_minutes {
        n if n < 60 => said.with("total", whole(n)),
        n => said.with("total", lasting(n)),
    };
    said.with("departure", one.departure.to_string())
        .with("arrival", one.arrival.to_string())
        .with("lasts", lasting(one.minutes))
        .with("vehicles", whole(one.vehicles))
        .with("transfers", whole(one.transfers))
        .with("km", Figure::Decimal(one.km, 3))
        .with("cost", cost)
        .with("buffer", buffer)
}

/// The line of a ride; beside it how late it is, and how often it runs where it has no timetable.
fn line(leg: &Leg) -> Cell {
    let late = leg.late.filter(|&late| late != 0).map(|late| {
        let key = if late > 0 { "line-late" } else { "line-early" };
        WORDS.say(key).with("n", whole(late.abs()))
    });
    let often = leg
        .headway
        .map(|n| WORDS.say("line-often").with("n", whole(n)));
    let mut text = leg.line.clone();
    for said in [late, often].into_iter().flatten() {
        let _ = write!(text, " ({said})");
    }
    Cell::text(text)
}

/// The rides and walks of some journeys one after the other, with every stop on the way if wanted.
pub(super) fn rides<'a>(
    name: &str,
    title: Message,
    journeys: impl IntoIterator<Item = &'a Journey>,
    full: bool,
) -> Table {
    let heads = heads(&["line", "departs", "from", "arrives", "to", "towards"]);
    let mut table = Table::new(name, title, heads);
    for leg in journeys.into_iter().flat_map(|one| &one.legs) {
        let line = match leg.trip {
            Some(_) => line(leg),
            None => Cell::Says(WORDS.say("walk")),
        };
        table = table.row(vec![
            line,
            Cell::text(leg.departure.to_string()),
            Cell::text(&leg.from),
            Cell::text(leg.arrival.to_string()),
            Cell::text(&leg.to),
            Cell::text(&leg.towards),
        ]);
        let inner = leg.stops.len().saturating_sub(1);
        for call in leg.stops.iter().take(inner).skip(1).filter(|_| full) {
            let mut row = vec![Cell::Empty; 6];
            row[1] = Cell::text(call.departure.to_string());
            row[2] = Cell::text(&call.name);
            table = table.row(row);
        }
    }
    table
}

/// A journey under a title: its rides, and its summary.
pub(super) fn journey(
    name: &str,
    title: Message,
    one: &Journey,
    by: Objective,
    full: bool,
) -> [Block; 2] {
    let rides = rides(name, title, [one], full);
    [Block::Table(rides), Block::Says(summary(one, by))]
}

/// A number of minutes.
pub(super) fn minutes(n: i32) -> Cell {
    Cell::Says(lasting(n))
}
