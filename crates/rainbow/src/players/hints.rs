//! The five kinds of hint of the document's player, shown as levels 0 to 4, for Breaker.
//!
//! Hint 0 is no hint: asked for one it gives none, and as a player it moves by lot. Hint 2 weights
//! the series as printed, the more uncoloured numbers the likelier, which is opposite to level 2.
//! Hint 4 spoils: it takes a colour that the series has. Where the series has no colour yet, any colour
//! of the palette is drawn. Where the text leaves a choice open, the dice make it.

use wits_game::Dice;
use wits_play::{Choice, Desk, Player};

use super::rule::Rule;
use super::said::{Advice, any, any_colour, any_field};
use crate::WORDS;
use crate::board::{Board, Paint};
use crate::choose::{Aim, Palette, best_fields, best_of_least, draw, draw_by};
use crate::game::Rainbow;
use crate::series::Series;

/// How many kinds of hints there are.
pub const HINTS: u8 = 5;

/// One of the five kinds of hint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hint(u8);

impl Hint {
    /// The kind, 0 to 4.
    pub fn new(level: u8) -> Option<Hint> {
        (level < HINTS).then_some(Hint(level))
    }

    /// The hint for whoever is to move, and why. It may be asked for any number of times: other dice,
    /// another hint. Nothing from hint 0, and nothing on a full board.
    pub fn advise(self, board: &Board, dice: &mut Dice) -> Option<Advice> {
        let (key, series) = match self.0 {
            0 => return None,
            1 => ("hint-1", draw_by(board, |_| 1, dice)),
            2 => ("hint-2", draw_by(board, u128::from, dice)),
            3 => (
                "hint-3",
                board
                    .least_missing()
                    .and_then(|least| draw(board, least, dice)),
            ),
            _ => return Hint::best(board, dice),
        };
        let Some(series) = series else {
            return Hint::won(board, dice);
        };
        let number = any_field(board, series, dice)?;
        let colour = match any_colour(board, series, true, dice) {
            Some(colour) => colour,
            None => dice.below(usize::from(board.terms().c())) as u16 + 1,
        };
        Some(Hint::about(board, key, series, Paint { number, colour }))
    }

    /// The rule behind the hints in a position.
    pub(super) fn rule(self, board: &Board) -> Rule {
        let weights = |of: &dyn Fn(u32) -> u128| Rule::Series {
            weights: (0..=board.terms().k()).map(of).collect(),
            has: true,
        };
        match self.0 {
            0 => Rule::Lot,
            1 => weights(&|_| 1),
            2 => weights(&u128::from),
            3 => weights(&|missing| u128::from(board.least_missing() == Some(missing))),
            _ => Rule::Best(Aim::Spoil),
        }
    }

    fn best(board: &Board, dice: &mut Dice) -> Option<Advice> {
        let palette = Palette::new(board, Aim::Spoil);
        let Some(&series) = dice.pick(&best_of_least(board, &palette)) else {
            return Hint::won(board, dice);
        };
        let number = *dice.pick(&best_fields(board, series))?;
        let colour = *dice.pick(&palette.firsts(board, series))?;
        let advice = Hint::about(board, "hint-4", series, Paint { number, colour });
        let why = advice.why.clone();
        let why = why
            .with("field", board.weights()[number as usize - 1])
            .with("spread", board.spread(colour));
        Some(Advice { why, ..advice })
    }

    fn about(board: &Board, key: &'static str, series: Series, paint: Paint) -> Advice {
        let missing = board.missing(series).unwrap_or(0);
        let untouched = missing == board.terms().k();
        let why = WORDS
            .say(if untouched { "hint-untouched" } else { key })
            .with("series", series.text(board.terms().k()))
            .with("missing", missing)
            .with("number", paint.number)
            .with("colour", paint.colour)
            .with("live", board.live_total());
        Advice::new(paint, Some(series), why)
    }

    fn won(board: &Board, dice: &mut Dice) -> Option<Advice> {
        Some(Advice::new(
            any(board, dice)?,
            None,
            WORDS.say("nothing-live"),
        ))
    }
}

impl Player<Rainbow> for Hint {
    fn choose(&mut self, _: &Rainbow, board: &Board, desk: &mut Desk<'_, Paint>) -> Choice<Paint> {
        let mut dice = desk.dice.clone();
        let advice = self.advise(board, &mut dice).or_else(|| {
            Some(Advice::new(
                any(board, &mut dice)?,
                None,
                WORDS.say("hint-0"),
            ))
        });
        match advice {
            Some(advice) => {
                if let Some(watch) = desk.record.as_deref_mut() {
                    self.rule(board).tell(board, &advice, watch);
                }
                advice.play(desk, 1)
            }
            None => Choice::Resign,
        }
    }

    fn lens(&self) -> &'static str {
        "candidates"
    }
}
