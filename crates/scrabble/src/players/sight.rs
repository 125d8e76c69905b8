//! What a machine sees at its turn, made ready for thinking.

use wits_play::{Choice, Desk, Line, Thought, Worth};

use super::bout::{Bout, Rack, Step};
use super::leaves::Leaves;
use crate::WORDS;
use crate::generate::{Field, Hand, Kept};
use crate::table::{Done, Move, Scrabble, Table};

/// A position from the side of the seat to move.
pub struct Sight<'a> {
    /// The rules.
    pub game: &'a Scrabble,
    /// What the seat knows.
    pub view: &'a Table,
    /// The board with its cross-checks.
    pub field: Field,
    /// The own tiles.
    pub hand: Hand,
    /// How many tiles are in the bag.
    pub bag: usize,
    /// Whether exchanging is allowed.
    pub may_swap: bool,
}

impl<'a> Sight<'a> {
    /// What a view shows.
    pub fn new(game: &'a Scrabble, view: &'a Table) -> Sight<'a> {
        Sight {
            game,
            view,
            field: game.engine().field(&view.board),
            hand: Hand::new(view.rack()),
            bag: game.bag_size(view),
            may_swap: game.may_exchange(view),
        }
    }

    /// What comes before every choice: a word that is none is challenged, a good end accepted.
    pub fn reflex(game: &Scrabble, view: &Table) -> Option<Move> {
        let last = view.last.filter(|last| last.open)?;
        let Done::Play(play) = last.done else {
            return None;
        };
        let mut before = view.board;
        play.lift(&mut before);
        if !game.bad_words(&play.words(&before)).is_empty() {
            return Some(Move::Challenge);
        }
        game.only_accept(view).then_some(Move::Pass)
    }

    /// The worth of what is kept.
    pub fn kept(&self, leaves: &Leaves) -> Kept {
        let values = self.game.engine().values();
        // With an empty bag all that is unseen is in the racks of the others.
        let others = self.unseen().iter().map(|&t| values.of(t)).sum();
        super::rating::kept_for(leaves, &self.hand, self.bag, values, others)
    }

    /// The tiles that are in the bag or in other racks, in order.
    pub fn unseen(&self) -> Vec<u8> {
        let pool = self.view.unseen(self.game.engine().tiles());
        (0..64_u8)
            .flat_map(|kind| std::iter::repeat_n(kind, usize::from(pool[usize::from(kind)])))
            .collect()
    }

    /// The game as it would be if the unseen tiles lay in this order: the racks of the others first, then the bag.
    pub fn bout(&self, unseen: &[u8]) -> Bout<'a> {
        let engine = self.game.engine();
        let mut rest = unseen.iter().copied();
        let mut racks = Vec::new();
        for (seat, rack) in self.view.racks.iter().enumerate() {
            let own = seat == usize::from(self.view.turn);
            // Where the last player has yet to draw, that is done here.
            let owed = self
                .view
                .last
                .filter(|l| l.open && usize::from(l.seat) == seat);
            let size = if owed.is_some() {
                (rack.len() + self.view.bag.len()).min(crate::RACK)
            } else {
                rack.len()
            };
            racks.push(if own {
                Rack::new(rack)
            } else {
                Rack::new(&rest.by_ref().take(size).collect::<Vec<_>>())
            });
        }
        Bout {
            engine,
            settings: self.game.settings(),
            field: self.field.clone(),
            racks,
            bag: rest.collect(),
            scores: self.view.scores.clone(),
            turn: usize::from(self.view.turn),
            quiet: self.view.quiet,
            over: false,
        }
    }
}

/// The move of a step.
pub fn as_move(step: &Step) -> Move {
    match step {
        Step::Lay(play, _) => Move::Play(*play),
        Step::Swap(given) => Move::Exchange(given.tiles().to_vec()),
        Step::Pass => Move::Pass,
    }
}

/// Says a thought with one line and makes the move.
pub(crate) fn decide(
    desk: &mut Desk<'_, Move>,
    mv: Move,
    worth: f64,
    why: &'static str,
) -> Choice<Move> {
    desk.say(Thought {
        lines: vec![Line {
            moves: vec![mv.clone()],
            worth: Worth::heuristic(worth),
        }],
        depth: 1,
        nodes: 1,
        why: Some(WORDS.say(why)),
        ..Thought::default()
    });
    Choice::Move(mv)
}

/// What comes before every choice, decided and told; nothing where there is a choice to make.
pub(crate) fn answer(
    game: &Scrabble,
    view: &Table,
    desk: &mut Desk<'_, Move>,
) -> Option<Choice<Move>> {
    let mv = Sight::reflex(game, view)?;
    if let Some(watch) = desk.record.take() {
        super::telling::tell_reflex(watch, game, view, &mv);
    }
    Some(decide(desk, mv, 0.0, "why-reflex"))
}
