//! An answer that was given elsewhere, as a player that gives it again: so it is followed and
//! checked like every other decision.

use serde_json::Value;
use wits_game::Seat;
use wits_play::{AnyDesk, AnyGame, AnyMatch, AnyPlayer, Choice, Thought};

use crate::player::thought;
use crate::protocol::{Does, Reply};
use crate::telling;

/// A program whose answer is known.
struct Answered {
    spec: String,
    name: String,
    seats: Vec<wits_game::Message>,
    reply: Reply,
}

/// A player that gives one answer, with everything the program said about it.
pub fn answered(game: &dyn AnyGame, spec: &str, name: &str, reply: Reply) -> Box<dyn AnyPlayer> {
    Box::new(Answered {
        spec: spec.to_owned(),
        name: name.to_owned(),
        seats: Seat::all(game.seats()).map(|s| game.seat_name(s)).collect(),
        reply,
    })
}

impl AnyPlayer for Answered {
    fn spec(&self) -> &str {
        &self.spec
    }

    fn choose(&mut self, table: &dyn AnyMatch, mut desk: AnyDesk<'_>) -> Choice<String> {
        let choice = match &self.reply.does {
            Does::Move(text) => Choice::Move(text.clone()),
            Does::Resign | Does::Undo => Choice::Resign,
        };
        let said: Thought<String> = thought(&self.reply, &choice);
        (desk.tell)(&said);
        if let (Some(recorder), Some(seat)) = (desk.record.as_deref_mut(), table.turn().seat()) {
            let decision = telling::Decision {
                name: self.name.clone(),
                who: self.seats[seat.index()].clone(),
                seat,
                table,
                reply: &self.reply,
            };
            decision.tell(recorder);
        }
        choice
    }

    fn learns(&self) -> bool {
        false
    }

    fn learn(&mut self, _: &dyn AnyMatch, _: Seat) {}

    fn memory(&self) -> Option<Value> {
        None
    }

    fn lens(&self) -> &'static str {
        "candidates"
    }
}
