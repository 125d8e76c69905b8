//! Where a game that is over turned: its last move that changed the result, looked for from the end back.

use std::convert::Infallible;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::sse::{Event, Sse};
use futures_util::stream::Stream;
use serde_json::json;
use wits_game::{Eyes, Message, Seat, Turn};
use wits_play::{Budget, Limits, Review, Slip};

use super::reviewed;
use crate::recent::Recent;
use crate::rooms;
use crate::rooms::live::{Told, stream};
use crate::routes::{blocking, followable};
use crate::snapshot::Place;
use crate::table::{Inside, Table};
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// How long a game is looked through in all.
const PATIENCE: Duration = Duration::from_secs(20);

/// How long a machine looks at one position.
const LOOK: Duration = Duration::from_millis(400);

/// Where a game turned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Turning {
    /// Here.
    At(Slipped),
    /// Nowhere: the start was worth as much as the end, and that is proved.
    Nowhere,
    /// The machine cannot tell.
    Unknown,
}

/// A move that changed the result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Slipped {
    /// How many moves came before.
    pub(crate) ply: usize,
    /// Who made it.
    pub(crate) seat: Seat,
    /// The move.
    pub(crate) played: String,
    /// The better one.
    pub(crate) best: String,
    /// The corner that it let the other side take.
    pub(crate) corner: Option<String>,
}

/// Looks at one more move of a game, from the last one back; nothing while there is more to look at.
pub(crate) type Look = Box<dyn FnMut(&Budget) -> Option<Turning> + Send>;

/// The games that were looked through last.
static KNOWN: LazyLock<Recent<Turning, 256>> = LazyLock::new(Recent::default);

/// Where the page of a game that is over learns where it turned: whoever held one seat asks.
pub(crate) fn turning_of(table: &Table, inside: &Inside, place: &Place) -> Option<String> {
    let over = matches!(inside.table.turn(), Turn::Over(_));
    let asks = over && place.seats.len() == 1 && inside.table.ply() > 1;
    let can = asks && rooms::turns(table);
    can.then(|| format!("/games/{}/turning", table.id))
}

/// Whether a machine looks through games of this table without a room's help.
pub(crate) fn plainly(table: &Table) -> bool {
    reviewed(table) && table.game.seats() == 2
}

/// Looks through a game with the machine that analyses its kind.
pub(crate) fn plain(table: &Table) -> Result<Look, Fault> {
    let all = table.lock().table.ply();
    let positions = (0..=all)
        .map(|ply| table.at(ply))
        .collect::<Result<_, _>>()?;
    let mut review = Review::new(Arc::clone(&table.game), table.shelf().clone(), positions);
    let mut proved = true;
    Ok(Box::new(move |budget| {
        if review.left() == 0 {
            return Some(if proved {
                Turning::Nowhere
            } else {
                Turning::Unknown
            });
        }
        let remark = review.step(&budget.within(Limits::time(LOOK)), &mut |_, _| {});
        let Some(remark) = remark else {
            proved = false;
            return budget.stopped().then_some(Turning::Unknown);
        };
        proved &= remark.exact;
        (remark.slip >= Slip::Mistake).then_some(Turning::At(Slipped {
            ply: remark.ply as usize,
            seat: remark.seat,
            played: remark.played,
            best: remark.best,
            corner: None,
        }))
    }))
}

/// Says where a game turned, to whoever held a seat.
fn says(turning: &Turning, own: Seat) -> Option<Message> {
    let slipped = match turning {
        Turning::At(slipped) => slipped,
        Turning::Nowhere => return Some(WORDS.say("turned-nowhere")),
        Turning::Unknown => return None,
    };
    let key = match (slipped.seat == own, &slipped.corner) {
        (true, None) => "turned-you",
        (true, Some(_)) => "turned-you-corner",
        (false, None) => "turned-they",
        (false, Some(_)) => "turned-they-corner",
    };
    let says = WORDS.say(key).with("n", slipped.ply + 1);
    let says = says
        .with("move", &slipped.played)
        .with("best", &slipped.best);
    Some(match &slipped.corner {
        Some(corner) => says.with("corner", corner),
        None => says,
    })
}

/// `GET /games/ID/turning`: where the game turned, as soon as that is known.
pub(crate) async fn turning(
    State(app): State<App>,
    Path(id): Path<String>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Fault> {
    let table = followable(&app, &id)
        .await
        .map_err(|f| f.for_reader(&headers))?;
    let house = app.clone();
    let ready = blocking(move || {
        let place = Place::of(&house, &table, visitor)?;
        let inside = table.lock();
        let (Some(_), [own]) = (turning_of(&table, &inside, &place), &place.seats[..]) else {
            return Err(Fault::missing());
        };
        let told = inside.table.told(Eyes::All);
        drop(inside);
        let moves: Vec<String> = told.into_iter().map(|told| told.text).collect();
        let name = format!("{} {}", table.id, moves.join(" "));
        Ok((*own, name, rooms::turning(&table)?))
    });
    let (own, name, mut look) = ready.await.map_err(|f: Fault| f.for_reader(&headers))?;
    let mut spent = Duration::ZERO;
    stream(&app, visitor, move |budget| {
        let known = KNOWN.get(&name).map(|known| known.as_ref().clone());
        let found = known.or_else(|| look(budget));
        spent += budget.elapsed();
        if let Some(found) = found.as_ref().filter(|_| !budget.stopped()) {
            KNOWN.put(name.clone(), found.clone());
        }
        let text = found.as_ref().and_then(|found| says(found, own));
        Told {
            event: "turned",
            data: json!({"text": text.map(|text| text.to_string())}),
            over: found.is_some() || budget.stopped() || spent > PATIENCE,
        }
    })
}
