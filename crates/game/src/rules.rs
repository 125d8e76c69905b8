//! The one trait that every game implements.

use std::borrow::Cow;
use std::fmt::Debug;
use std::hash::Hash;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::{Dice, End, Eyes, Illegal, Message, Outcome, Scene, Seat, Turn, WORDS};

/// The rules of a game. A value of the type is one variant: board size, alphabet, lexicon.
///
/// The contract that every implementation keeps is checked by the harness in `wits-play`
/// for each entry of the catalog. In short: `read` undoes `write`; `options` are legal and come in
/// a fixed order; a refused move changes nothing; a view does not change with what it hides;
/// what is written for other eyes holds nothing secret.
pub trait Game: Send + Sync + 'static {
    /// Does any seat know less than all?
    const HIDDEN: bool;
    /// Does `options` list every legal move, or only some?
    const COMPLETE: bool = true;
    /// Grows when a change of the rules makes old records mean something else.
    const RULES: u32 = 1;

    /// A position with everything in it, known or not.
    type State: Clone + Eq + Hash + Debug + Serialize + DeserializeOwned + Send + Sync;
    /// What one pair of eyes knows; the same as `State` where nothing is hidden.
    type View: Clone + Eq + Hash + Debug + Serialize + Send + Sync;
    /// One move of a seat or of chance.
    type Move: Clone + Eq + Hash + Debug + Send + Sync;

    /// How many sit at this table: one to four.
    fn seats(&self) -> u8;

    /// What players call a seat: X, Black, Builder.
    fn seat_name(&self, seat: Seat) -> Message {
        WORDS.say("seat").with("number", seat)
    }

    /// The position before the first move.
    fn start(&self) -> Self::State;

    /// Whose turn it is, or how it ended.
    fn turn(&self, state: &Self::State) -> Turn;

    /// What the seat to move may do, from what it knows, in a fixed order. Empty when no seat moves.
    fn options(&self, view: &Self::View) -> Vec<Self::Move>;

    /// Whether a move may be made: the authority, also where `options` is partial.
    fn legal(&self, state: &Self::State, mv: &Self::Move) -> Result<(), Illegal>;

    /// Makes a legal move. What happens with an illegal one is unspecified, but never a panic
    /// that a caller of `legal` could meet.
    fn play(&self, state: &mut Self::State, mv: &Self::Move);

    /// Reads a move as players write it. Says what is wrong with text that is no move at all;
    /// whether the move is allowed is for [`Game::legal`] to say.
    fn read(&self, state: &Self::State, text: &str) -> Result<Self::Move, Illegal>;

    /// Writes a move as players do, without what the reader may not know.
    fn write(&self, state: &Self::State, mv: &Self::Move, to: Eyes) -> String;

    /// What these eyes see of a position.
    fn view<'a>(&self, state: &'a Self::State, eyes: Eyes) -> Cow<'a, Self::View>;

    /// What a view looks like.
    fn scene(&self, view: &Self::View) -> Scene;

    /// Reads a position, where the game has a notation for them.
    fn position(&self, text: &str) -> Result<Self::State, Illegal> {
        let _ = text;
        Err(Illegal::say(&WORDS, "no-notation"))
    }

    /// Writes a position so that [`Game::position`] reads it back, where the game has a notation.
    fn notation(&self, state: &Self::State) -> Option<String> {
        let _ = state;
        None
    }

    /// Writes what one seat knows of a position so that [`Game::position`] reads it back with the rest left open. For games
    /// with secrets; `None` where it cannot be written.
    fn seen(&self, view: &Self::View) -> Option<String> {
        let _ = view;
        None
    }

    /// What each seat has so far, where a position can be counted: discs, points. `None` where only the end counts.
    fn points(&self, state: &Self::State) -> Option<Vec<i32>> {
        let _ = state;
        None
    }

    /// A full position that the view allows, drawn by the dice. A copy where nothing is hidden.
    fn imagine(&self, view: &Self::View, dice: &mut Dice) -> Self::State;

    /// What chance does. Called only when [`Game::turn`] is [`Turn::Chance`].
    fn deal(&self, state: &Self::State, dice: &mut Dice) -> Self::Move {
        let _ = (state, dice);
        unreachable!("a game whose turn is never chance is never asked to deal")
    }

    /// What a seat does whose time has run out, where the rules let the game go on; nothing where it ends.
    fn late(&self, state: &Self::State) -> Option<Self::Move> {
        let _ = state;
        None
    }

    /// How much more time a seat is given after being [`Game::late`], where it goes on with its turn.
    fn grace(&self) -> std::time::Duration {
        std::time::Duration::ZERO
    }

    /// What it means that a seat gave up, ran out of time, or that the limit of moves was reached.
    fn forfeit(&self, state: &Self::State, seat: Seat, how: End) -> Outcome {
        let _ = state;
        let why = how.tell(self.seat_name(seat));
        match how {
            End::Limit => Outcome::draw(self.seats(), why),
            End::Resigned | End::Flagged => Outcome::loss(seat, self.seats(), why),
        }
    }
}
