//! The five strategies of the document's computer, shown as levels 0 to 4, for Maker.
//!
//! Read with the corrections that the text needs: the fewest uncoloured numbers have the highest
//! priority; the weights of level 2 are divided by the number of series less one, so that they are
//! chances; a colour never used has weight zero and comes first; level 4 takes a colour that the series
//! lacks and adds the field's weight and subtracts the colour's; with no live series, any legal move.
//! Where the text leaves a choice open (several best series, fields or colours) the dice make it.

use wits_game::Dice;
use wits_play::{Choice, Desk, Player};

use super::rule::Rule;
use super::said::{Advice, any, any_colour, any_field};
use crate::WORDS;
use crate::board::{Board, Paint};
use crate::choose::{Aim, Palette, best_fields, best_of_least, draw, draw_by};
use crate::game::Rainbow;
use crate::series::Series;

/// How many levels there are.
pub const LEVELS: u8 = 5;

/// One of the five strategies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level(u8);

impl Level {
    /// The level, 0 to 4.
    pub fn new(level: u8) -> Option<Level> {
        (level < LEVELS).then_some(Level(level))
    }

    /// What this level plays, and why. Nothing only on a full board.
    pub fn advise(self, board: &Board, dice: &mut Dice) -> Option<Advice> {
        let (key, series) = match self.0 {
            0 => ("level-0", None),
            1 => ("level-1", draw_by(board, |_| 1, dice)),
            2 => ("level-2", draw_by(board, Level::chance(board), dice)),
            3 => (
                "level-3",
                board
                    .least_missing()
                    .and_then(|least| draw(board, least, dice)),
            ),
            _ => return Level::best(board, dice),
        };
        if self.0 == 0 {
            return Some(Advice::new(any(board, dice)?, None, WORDS.say(key)));
        }
        let Some(series) = series else {
            return Level::lost(board, dice);
        };
        let number = any_field(board, series, dice)?;
        let colour = any_colour(board, series, false, dice)?;
        Some(Level::about(board, key, series, Paint { number, colour }))
    }

    /// The rule behind the level's moves in a position.
    pub(super) fn rule(self, board: &Board) -> Rule {
        let weights = |of: &dyn Fn(u32) -> u128| Rule::Series {
            weights: (0..=board.terms().k()).map(of).collect(),
            has: false,
        };
        match self.0 {
            0 => Rule::Lot,
            1 => weights(&|_| 1),
            2 => weights(&Level::chance(board)),
            3 => weights(&|missing| u128::from(board.least_missing() == Some(missing))),
            _ => Rule::Best(Aim::Grow),
        }
    }

    /// Chances in proportion to `1 - missing / sum of missing`, over all live series.
    fn chance(board: &Board) -> impl Fn(u32) -> u128 {
        let k = board.terms().k();
        let sum: u128 = (0..=k)
            .map(|m| u128::from(board.live(m)) * u128::from(m))
            .sum();
        let alone = board.live_total() == 1;
        move |missing| {
            if alone {
                1
            } else {
                sum.saturating_sub(u128::from(missing))
            }
        }
    }

    fn best(board: &Board, dice: &mut Dice) -> Option<Advice> {
        let palette = Palette::new(board, Aim::Grow);
        let Some(&series) = dice.pick(&best_of_least(board, &palette)) else {
            return Level::lost(board, dice);
        };
        let number = *dice.pick(&best_fields(board, series))?;
        let colour = *dice.pick(&palette.firsts(board, series))?;
        let advice = Level::about(board, "level-4", series, Paint { number, colour });
        let why = advice.why.clone();
        let why = why
            .with("field", board.weights()[number as usize - 1])
            .with("spread", board.spread(colour));
        Some(Advice { why, ..advice })
    }

    /// Everything that level 4 may play here, each with its chance. Colours that no live series has
    /// are as good as each other; one stands for all of them.
    pub fn replies(board: &Board) -> Vec<(Paint, f64)> {
        let palette = Palette::new(board, Aim::Grow);
        let best = best_of_least(board, &palette);
        let mut replies: Vec<(Paint, f64)> = Vec::new();
        for &series in &best {
            let fields = best_fields(board, series);
            let mut colours = palette.firsts(board, series);
            if colours.first().is_some_and(|&c| board.spread(c) == 0) {
                colours.truncate(1);
            }
            let share = 1.0 / (best.len() * fields.len() * colours.len()) as f64;
            for &number in &fields {
                for &colour in &colours {
                    let paint = Paint { number, colour };
                    match replies.iter_mut().find(|(other, _)| *other == paint) {
                        Some((_, chance)) => *chance += share,
                        None => replies.push((paint, share)),
                    }
                }
            }
        }
        replies
    }

    fn about(board: &Board, key: &'static str, series: Series, paint: Paint) -> Advice {
        let why = WORDS
            .say(key)
            .with("series", series.text(board.terms().k()))
            .with("missing", board.missing(series).unwrap_or(0))
            .with("number", paint.number)
            .with("colour", paint.colour)
            .with("live", board.live_total());
        Advice::new(paint, Some(series), why)
    }

    fn lost(board: &Board, dice: &mut Dice) -> Option<Advice> {
        Some(Advice::new(
            any(board, dice)?,
            None,
            WORDS.say("nothing-live"),
        ))
    }
}

impl Player<Rainbow> for Level {
    fn choose(&mut self, _: &Rainbow, board: &Board, desk: &mut Desk<'_, Paint>) -> Choice<Paint> {
        let mut dice = desk.dice.clone();
        match self.advise(board, &mut dice) {
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
