//! A machine of boxes at a table of any small game.

use serde_json::Value;
use wits_game::{Eyes, Seat, Turn};
use wits_play::{
    AnyDesk, AnyMatch, AnyPlayer, Args, Choice, Desk, Player, Refusal, Seen, Shelf, Spec, Thought,
};

use super::Graph;
use crate::player::{self, Matchbox};

/// `matchbox` in a game of the catalog that is none of this room.
pub(super) struct Guest {
    spec: String,
    graph: Graph,
    boxes: Matchbox,
}

impl Guest {
    pub(super) fn seat(graph: Graph, spec: &Spec, shelf: &Shelf) -> Result<Guest, Refusal> {
        let args = Args::check(spec, &player::params())?;
        Ok(Guest {
            boxes: player::seat(&graph, &args, shelf)?,
            spec: args.spec().to_string(),
            graph,
        })
    }

    /// What a seat saw and did, if the game began where the boxes begin.
    fn seen(&self, table: &dyn AnyMatch, seat: Seat) -> Option<Vec<Seen<u32, u16>>> {
        let mut board = table.copy();
        let told = board.told(Eyes::All);
        board.undo(0).ok()?;
        let mut at = self.graph.find(&board.notation()?).filter(|at| *at == 0)?;
        let mut seen = Vec::new();
        for one in told {
            let choice = *self.graph.0.by_move.get(&one.text)?;
            if one.seat == Some(seat) {
                seen.push(Seen { view: at, choice });
            }
            at = self.graph.place(at).after(choice)?;
        }
        Some(seen)
    }
}

impl AnyPlayer for Guest {
    fn spec(&self) -> &str {
        &self.spec
    }

    fn choose(&mut self, table: &dyn AnyMatch, desk: AnyDesk<'_>) -> Choice<String> {
        let place = table.notation().and_then(|text| self.graph.find(&text));
        // No box was ever made for a position that cannot come up from the start.
        let Some(place) = place else {
            return Choice::Resign;
        };
        let AnyDesk {
            budget,
            dice,
            tell,
            record,
        } = desk;
        let moves = &self.graph.0.moves;
        let text = |mv: &u16| moves[usize::from(*mv)].clone();
        let mut tell = |thought: &Thought<u16>| {
            tell(&thought.map(|line| line.iter().map(text).collect()));
        };
        let mut desk = Desk {
            budget,
            dice,
            tell: &mut tell,
            record,
        };
        match self.boxes.choose(&self.graph, &place, &mut desk) {
            Choice::Move(mv) => Choice::Move(text(&mv)),
            Choice::Resign => Choice::Resign,
        }
    }

    fn learns(&self) -> bool {
        Player::<Graph>::learns(&self.boxes)
    }

    fn learn(&mut self, table: &dyn AnyMatch, seat: Seat) {
        let (true, Turn::Over(outcome), false) = (self.learns(), table.turn(), table.aborted())
        else {
            return;
        };
        if let Some(seen) = self.seen(table, seat) {
            self.boxes.learn(&self.graph, &seen, &outcome, seat);
        }
    }

    fn memory(&self) -> Option<Value> {
        Player::<Graph>::memory(&self.boxes)
    }

    fn lens(&self) -> &'static str {
        Player::<Graph>::lens(&self.boxes)
    }
}
