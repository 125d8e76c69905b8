//! Anyone who can sit down.

use serde_json::Value;
use wits_game::{Eyes, Game, Outcome, Seat};
use wits_search::{Backup, Candidates, Watch};

use crate::{Choice, Desk, Line, Thought, WORDS, Worth};

/// Anyone who can sit down: a search, a box of beads, a rule of thumb.
///
/// A player is asked only when its seat is to move and has at least one option.
pub trait Player<G: Game>: Send {
    /// What to do, knowing only the view.
    fn choose(&mut self, game: &G, view: &G::View, desk: &mut Desk<'_, G::Move>)
    -> Choice<G::Move>;

    /// Whether this player wants to be taught after a game.
    fn learns(&self) -> bool {
        false
    }

    /// Called once after a game, with the seat's own views and choices only.
    fn learn(&mut self, game: &G, mine: &[Seen<G::View, G::Move>], outcome: &Outcome, seat: Seat) {
        let _ = (game, mine, outcome, seat);
    }

    /// What a learner keeps between games.
    fn memory(&self) -> Option<Value> {
        None
    }

    /// How the thread of this player's decisions is best drawn.
    fn lens(&self) -> &'static str {
        "tree"
    }
}

/// One decision of a seat: what it saw and what it did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seen<V, M> {
    /// What the seat knew.
    pub view: V,
    /// What it played.
    pub choice: M,
}

/// Any legal move, each equally likely.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random;

impl<G: Game> Player<G> for Random {
    fn choose(
        &mut self,
        game: &G,
        view: &G::View,
        desk: &mut Desk<'_, G::Move>,
    ) -> Choice<G::Move> {
        let options = game.options(view);
        let Some(choice) = desk.dice.pick(&options).cloned() else {
            return Choice::Resign;
        };
        if let Some(record) = desk.record.as_deref_mut() {
            // A copy of the dice, so that being watched shifts nothing.
            let state = game.imagine(view, &mut desk.dice.clone());
            tell_draw(game, &state, &options, &choice, record);
        }
        let line = Line {
            moves: vec![choice.clone()],
            worth: Worth::heuristic(0.0),
        };
        let why = WORDS.say("why-random").with("count", options.len());
        desk.say(Thought {
            lines: vec![line],
            nodes: 1,
            why: Some(why),
            ..Thought::default()
        });
        Choice::Move(choice)
    }

    fn lens(&self) -> &'static str {
        "candidates"
    }
}

/// More moves than this are counted, not listed one by one.
const LISTED: usize = 64;

/// The list it drew from, and the draw.
fn tell_draw<G: Game>(
    game: &G,
    state: &G::State,
    options: &[G::Move],
    choice: &G::Move,
    watch: &mut impl Watch,
) {
    let seat = game.turn(state).seat().unwrap_or(Seat::FIRST);
    let write = |mv: &G::Move| game.write(state, mv, Eyes::Seat(seat));
    let drawn = write(choice);
    let mut told = Candidates::open(watch, game.seat_name(seat), Backup::None);
    let mut listed = 0;
    let mut labels = Vec::new();
    for mv in options {
        let label = write(mv);
        if listed < LISTED - 1 || (mv == choice && listed < LISTED) {
            let why = WORDS.say("told-lot").with("move", &label);
            told.candidate(&label, None, &[], why.with("count", options.len()));
            listed += 1;
        }
        labels.push(label);
    }
    let rest = options.len() - listed;
    told.skip(rest, WORDS.say("told-more-lots").with("rest", rest));
    told.luck(&labels, &drawn);
    let summary = [
        WORDS.say("sum-listed").with("count", options.len()),
        WORDS.say("sum-drawn").with("move", &drawn),
    ];
    told.choose(&drawn, None, summary);
}
