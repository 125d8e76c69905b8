//! What a player says with its move.

use wits_game::{Dice, Message};
use wits_play::{Choice, Desk, Line, Thought, Worth};

use crate::board::{Board, Paint};
use crate::series::Series;

/// A move with the rule that led to it.
#[derive(Clone, PartialEq, Debug)]
pub struct Advice {
    /// The move.
    pub paint: Paint,
    /// The series it is about, if it is about one.
    pub series: Option<Series>,
    /// The rule, as a sentence.
    pub why: Message,
}

impl Advice {
    pub(crate) fn new(paint: Paint, series: Option<Series>, why: Message) -> Advice {
        Advice { paint, series, why }
    }

    /// Says it at the desk and plays it.
    pub(crate) fn play(self, desk: &mut Desk<'_, Paint>, nodes: u64) -> Choice<Paint> {
        let line = Line {
            moves: vec![self.paint],
            worth: Worth::heuristic(0.0),
        };
        desk.say(Thought {
            lines: vec![line],
            nodes,
            why: Some(self.why),
            ..Thought::default()
        });
        Choice::Move(self.paint)
    }
}

/// Any uncoloured number in any colour, each equally likely.
pub(crate) fn any(board: &Board, dice: &mut Dice) -> Option<Paint> {
    let open = board.open() as usize;
    if open == 0 {
        return None;
    }
    let number = if board.coloured() < board.open() {
        // Most numbers are free: throw until a free one comes, twice on average at most.
        loop {
            let number = dice.below(board.colours().len()) as u32 + 1;
            if board.colour(number).is_none() {
                break number;
            }
        }
    } else {
        board.uncoloured().nth(dice.below(open))?
    };
    let colour = dice.below(usize::from(board.terms().c())) as u16 + 1;
    Some(Paint { number, colour })
}

/// Any uncoloured number of a series.
pub(crate) fn any_field(board: &Board, series: Series, dice: &mut Dice) -> Option<u32> {
    let open = series
        .numbers(board.terms().k())
        .filter(|&y| board.colour(y).is_none());
    dice.pick(&open.collect::<Vec<u32>>()).copied()
}

/// Any colour of the palette that the series has, or lacks.
pub(crate) fn any_colour(board: &Board, series: Series, has: bool, dice: &mut Dice) -> Option<u16> {
    let k = board.terms().k();
    let mut had: Vec<u16> = series.numbers(k).filter_map(|y| board.colour(y)).collect();
    had.sort_unstable();
    if has {
        return dice.pick(&had).copied();
    }
    let lacks = usize::from(board.terms().c())
        .checked_sub(had.len())
        .filter(|&left| left > 0)?;
    // The colour of that rank among those it lacks: step over the ones it has.
    let mut colour = dice.below(lacks) as u16 + 1;
    for used in had {
        colour += u16::from(used <= colour);
    }
    Some(colour)
}
