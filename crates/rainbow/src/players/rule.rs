//! The rule of a level or a hint: every move that it may come to, with its chance, and the account of one decision.

use std::collections::BTreeMap;

use wits_game::Message;
use wits_play::Worth;
use wits_search::{Backup, Candidates, Kind, Step, Watch};

use super::said::Advice;
use crate::WORDS;
use crate::board::{Board, Paint};
use crate::choose::{Aim, Palette, best_fields, best_of_least, members};
use crate::series::Series;

/// How a rule comes to its move.
pub(super) enum Rule {
    /// Any number in any colour.
    Lot,
    /// A live series by lot, with a weight by its missing count; then any number that it lacks, in any colour that it
    /// has or lacks.
    Series {
        /// The weight of one series, by missing count.
        weights: Vec<u128>,
        /// Whether the colour is one that the series has.
        has: bool,
    },
    /// Of the series with the fewest numbers missing one that scores best.
    Best(Aim),
}

/// A move that a rule may come to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Chance {
    /// How likely the dice bring it.
    pub(super) chance: f64,
    /// What it scores, where the rule scores: how many live series hold the number, against those that have the colour, or
    /// with them.
    pub(super) score: Option<i64>,
}

/// More moves than this are counted, not told one by one.
const LISTED: usize = 400;

/// Rules with more possible moves than this, each series counted by itself, are told by the drawn series alone.
const MOST: u64 = 500_000;

/// A move as players write it.
pub(super) fn label(paint: Paint) -> String {
    format!("{}={}", paint.number, paint.colour)
}

fn percent(chance: f64) -> String {
    format!("{:.1}%", 100.0 * chance)
}

impl Rule {
    /// Every move that the rule may come to, or that it scores. Nothing where there are too many.
    ///
    /// # Complexity
    /// O(k c) for each live series in question.
    pub(super) fn chances(&self, board: &Board) -> Option<BTreeMap<Paint, Chance>> {
        let (k, c) = (u64::from(board.terms().k()), u64::from(board.terms().c()));
        let fits = |series: u64| series.saturating_mul(k).saturating_mul(c) <= MOST;
        let mut all = BTreeMap::new();
        match self {
            Rule::Lot => return None,
            Rule::Series { weights, has } => {
                if !fits(board.live_total()) {
                    return None;
                }
                let of = |missing: u32| u128::from(board.live(missing)) * weights[missing as usize];
                let total: u128 = (0..=board.terms().k()).map(of).sum();
                for (missing, &weight) in (0..).zip(weights).filter(|(_, weight)| **weight > 0) {
                    for series in members(board, missing, usize::MAX) {
                        let colours = fitting(board, series, *has);
                        let fields = open(board, series);
                        let ways = fields.len() * colours.len();
                        let share = weight as f64 / total as f64 / ways as f64;
                        add(&mut all, &fields, &colours, share);
                    }
                }
            }
            Rule::Best(aim) => {
                let palette = Palette::new(board, *aim);
                let best = best_of_least(board, &palette);
                if !fits(best.len() as u64) {
                    return None;
                }
                for &series in &best {
                    let (fields, colours) =
                        (best_fields(board, series), palette.firsts(board, series));
                    let share = 1.0 / (best.len() * fields.len() * colours.len()) as f64;
                    add(&mut all, &fields, &colours, share);
                }
                let least = board.least_missing()?;
                if fits(board.live(least)) {
                    // What it compared those with.
                    for series in members(board, least, usize::MAX) {
                        let colours = fitting(board, series, *aim == Aim::Spoil);
                        add(&mut all, &open(board, series), &colours, 0.0);
                    }
                }
                for (paint, chance) in &mut all {
                    chance.score = Some(aim.score(board, *paint));
                }
            }
        }
        Some(all)
    }

    /// Tells the decision: the rule, what it drew from or compared, and the draw.
    pub(super) fn tell<W: Watch>(&self, board: &Board, advice: &Advice, watch: &mut W) {
        let scores = matches!(self, Rule::Best(_)) && advice.series.is_some();
        let backup = if scores { Backup::Max } else { Backup::None };
        let mut told = Candidates::open(watch, board.to_move().name(), backup);
        told.note(WORDS.say("rule-fired").with("why", advice.why.clone()));
        let chances = self.chances(board).filter(|_| advice.series.is_some());
        match (&chances, advice.series) {
            (Some(chances), Some(series)) => {
                self.tell_chances(board, (advice, series), chances, told);
            }
            (_, Some(series)) => self.tell_series(board, advice, series, told),
            (_, None) => tell_lot(board, advice, told),
        }
    }

    fn tell_chances<W: Watch>(
        &self,
        board: &Board,
        (advice, series): (&Advice, Series),
        chances: &BTreeMap<Paint, Chance>,
        mut told: Candidates<'_, W>,
    ) {
        let mut moves: Vec<(Paint, Chance)> = chances.iter().map(|(&p, &c)| (p, c)).collect();
        moves.sort_by(|(a, x), (b, y)| {
            let by = y.score.cmp(&x.score).then(y.chance.total_cmp(&x.chance));
            by.then(a.cmp(b))
        });
        let chosen = moves.iter().position(|(paint, _)| *paint == advice.paint);
        let listed = moves.len().min(LISTED);
        // What was drawn is told, however many are as likely.
        let last = chosen.filter(|&at| at >= listed);
        for &(paint, chance) in moves[..listed].iter().chain(last.map(|at| &moves[at])) {
            candidate(board, paint, chance, &mut told);
        }
        let shown = listed + usize::from(last.is_some());
        let rest = legal_moves(board) - shown;
        told.skip(rest, WORDS.say("rule-rest").with("rest", rest));
        self.tell_draw(board, advice, series, &moves, &mut told);
        let own = chances.get(&advice.paint).copied();
        let other = |(paint, chance): &&(Paint, Chance)| {
            let same = own.is_some_and(|own| chance.score.is_some() && chance.score == own.score);
            *paint != advice.paint && !same
        };
        let next = moves.iter().find(other);
        let score = own.and_then(|own| own.score);
        told.step(|| {
            let says = WORDS.say("rule-count").with("count", moves.len());
            Step::new(Kind::Count, says).data("compared", moves.len())
        });
        let summary = summary(advice, own, next, moves.len());
        let worth = score.map(|score| Worth::heuristic(score as f64));
        told.choose(&label(advice.paint), worth, summary);
    }

    /// The dice: which series, or which of equal moves.
    fn tell_draw<W: Watch>(
        &self,
        board: &Board,
        advice: &Advice,
        series: Series,
        moves: &[(Paint, Chance)],
        told: &mut Candidates<'_, W>,
    ) {
        if let Rule::Best(_) = self {
            let best = moves.first().and_then(|(_, chance)| chance.score);
            let equal = moves.iter().take_while(|(_, chance)| chance.score == best);
            let equal: Vec<String> = equal.map(|(paint, _)| label(*paint)).collect();
            told.luck(&equal, &label(advice.paint));
        } else {
            told.step(|| drawn(board, advice, series));
        }
    }

    /// On the largest boards: the drawn series, and every move on it that the rule allows.
    fn tell_series<W: Watch>(
        &self,
        board: &Board,
        advice: &Advice,
        series: Series,
        mut told: Candidates<'_, W>,
    ) {
        told.step(|| drawn(board, advice, series));
        let has = match self {
            Rule::Series { has, .. } => *has,
            Rule::Best(aim) => *aim == Aim::Spoil,
            Rule::Lot => false,
        };
        let colours = fitting(board, series, has);
        let fields = open(board, series);
        let moves = fields.iter().flat_map(|&number| {
            let paint = move |&colour: &u16| Paint { number, colour };
            colours.iter().map(paint)
        });
        let mut shown = 1;
        let others = moves.filter(|&paint| paint != advice.paint);
        for paint in std::iter::once(advice.paint).chain(others.take(LISTED)) {
            let says = WORDS.say("rule-on").with("move", label(paint));
            let says = says.with("series", series.text(board.terms().k()));
            told.candidate(&label(paint), None, &[], says);
            shown += usize::from(paint != advice.paint);
        }
        let rest = legal_moves(board) - shown;
        told.skip(rest, WORDS.say("rule-rest").with("rest", rest));
        let rule = WORDS.say("sum-rule").with("why", advice.why.clone());
        let choice = WORDS
            .say("sum-rule-large")
            .with("move", label(advice.paint));
        // Nothing was scored move by move, so nothing backs up.
        told.choose(&label(advice.paint), None, [rule, choice]);
    }
}

fn candidate<W: Watch>(
    board: &Board,
    paint: Paint,
    Chance { chance, score }: Chance,
    told: &mut Candidates<'_, W>,
) {
    let Paint { number, colour } = paint;
    let (field, spread) = (board.weights()[number as usize - 1], board.spread(colour));
    let key = if score.is_some() {
        "rule-score"
    } else {
        "rule-chance"
    };
    let says = WORDS
        .say(key)
        .with("move", label(paint))
        .with("score", score.unwrap_or(0).to_string())
        .with("number", number)
        .with("colour", colour)
        .with("field", field)
        .with("spread", spread)
        .with("chance", percent(chance));
    let numbers = [
        ("chance", chance),
        ("field", f64::from(field)),
        ("spread", spread as f64),
    ];
    let worth = score.map(|score| Worth::heuristic(score as f64));
    told.candidate(&label(paint), worth, &numbers, says);
}

fn summary(
    advice: &Advice,
    own: Option<Chance>,
    next: Option<&(Paint, Chance)>,
    count: usize,
) -> [Message; 3] {
    let score = own.and_then(|own| own.score);
    let decided = WORDS
        .say(if score.is_some() {
            "sum-rule-score"
        } else {
            "sum-rule-chance"
        })
        .with("move", label(advice.paint))
        .with("score", score.unwrap_or(0).to_string())
        .with("chance", percent(own.map_or(0.0, |own| own.chance)))
        .with("count", count);
    let last = match next {
        None if score.is_some() => WORDS.say("sum-rule-equal"),
        None => WORDS.say("sum-rule-only"),
        Some((paint, Chance { chance, score })) => WORDS
            .say(if score.is_some() {
                "sum-rule-next-score"
            } else {
                "sum-rule-next-chance"
            })
            .with("move", label(*paint))
            .with("score", score.unwrap_or(0).to_string())
            .with("chance", percent(*chance)),
    };
    let rule = WORDS.say("sum-rule").with("why", advice.why.clone());
    [rule, decided, last]
}

/// Any move was as good: what there was to draw from, and the draw.
pub(super) fn tell_lot<W: Watch>(board: &Board, advice: &Advice, mut told: Candidates<'_, W>) {
    let count = legal_moves(board);
    let moves = board.uncoloured().flat_map(|number| {
        let paint = move |colour| Paint { number, colour };
        board.palette().map(paint)
    });
    let mut shown = 1;
    let others = moves.filter(|&paint| paint != advice.paint);
    for paint in std::iter::once(advice.paint).chain(others.take(LISTED)) {
        let says = WORDS.say("rule-lot").with("move", label(paint));
        told.candidate(&label(paint), None, &[], says.with("count", count));
        shown += usize::from(paint != advice.paint);
    }
    told.skip(
        count - shown,
        WORDS.say("rule-lots").with("rest", count - shown),
    );
    told.step(|| {
        let says = WORDS.say("rule-drawn").with("move", label(advice.paint));
        Step::new(Kind::Draw, says.with("count", count))
            .data("id", 0)
            .data("drawn", label(advice.paint))
    });
    let rule = WORDS.say("sum-rule").with("why", advice.why.clone());
    let draw = WORDS.say("sum-rule-lot").with("move", label(advice.paint));
    told.choose(
        &label(advice.paint),
        None,
        [rule, draw.with("count", count)],
    );
}

/// The series, the number and the colour that the dice brought.
fn drawn(board: &Board, advice: &Advice, series: Series) -> Step {
    let k = board.terms().k();
    let Paint { number, colour } = advice.paint;
    let says = WORDS
        .say("rule-series")
        .with("series", series.text(k))
        .with("move", label(advice.paint))
        .with("number", number)
        .with("colour", colour);
    let numbers: Vec<u32> = series.numbers(k).collect();
    Step::new(Kind::Draw, says)
        .data("id", 0)
        .data("series", numbers)
        .data("drawn", label(advice.paint))
}

fn legal_moves(board: &Board) -> usize {
    board.open() as usize * usize::from(board.terms().c())
}

fn add(all: &mut BTreeMap<Paint, Chance>, fields: &[u32], colours: &[u16], share: f64) {
    for &number in fields {
        for &colour in colours {
            let one = all.entry(Paint { number, colour }).or_insert(Chance {
                chance: 0.0,
                score: None,
            });
            one.chance += share;
        }
    }
}

fn open(board: &Board, series: Series) -> Vec<u32> {
    let numbers = series.numbers(board.terms().k());
    numbers.filter(|&y| board.colour(y).is_none()).collect()
}

/// The colours that a series has, or lacks; where it has none yet to spoil it with, all.
fn fitting(board: &Board, series: Series, has: bool) -> Vec<u16> {
    let fits = |colour: &u16| board.has(series, *colour) == has;
    let colours: Vec<u16> = board.palette().filter(fits).collect();
    if colours.is_empty() {
        return board.palette().collect();
    }
    colours
}

#[cfg(test)]
mod tests {
    use wits_game::{Dice, Seed};

    use super::*;
    use crate::players::{Hint, Level};
    use crate::terms::{Side, Terms};

    /// Chances add up to one, and the dice keep to them.
    #[test]
    fn the_dice_keep_to_the_chances_told() {
        let terms = Terms::new(12, 3, 4, Side::Maker).unwrap();
        let mut board = Board::new(terms);
        for (number, colour) in [(3, 1), (5, 2), (9, 1), (2, 2)] {
            board.paint(Paint { number, colour });
        }
        for level in 1..5 {
            let maker = Level::new(level).unwrap();
            let hint = Hint::new(level).unwrap();
            let draw_maker = |dice: &mut Dice| maker.advise(&board, dice).unwrap().paint;
            let draw_hint = |dice: &mut Dice| hint.advise(&board, dice).unwrap().paint;
            let draws: [&dyn Fn(&mut Dice) -> Paint; 2] = [&draw_maker, &draw_hint];
            for (rule, draw) in [maker.rule(&board), hint.rule(&board)].iter().zip(draws) {
                let chances = rule.chances(&board).unwrap();
                let sum: f64 = chances.values().map(|c| c.chance).sum();
                assert!((sum - 1.0).abs() < 1e-9, "{level}: {sum}");
                let mut dice = Dice::new(Seed::new(7));
                let mut seen: BTreeMap<Paint, u32> = BTreeMap::new();
                for _ in 0..4_000 {
                    *seen.entry(draw(&mut dice)).or_default() += 1;
                }
                for (paint, count) in &seen {
                    let chance = chances[paint].chance;
                    // Four standard deviations of 4,000 throws are at most 0.032.
                    let got = f64::from(*count) / 4_000.0;
                    assert!(
                        (got - chance).abs() < 0.032,
                        "{level} {paint:?}: {got} {chance}"
                    );
                }
                let unseen = chances.iter().filter(|(p, _)| !seen.contains_key(p));
                for (paint, chance) in unseen {
                    assert!(chance.chance < 0.004, "{level} {paint:?}");
                }
            }
        }
    }

    /// What has the greatest score is what can be drawn, and nothing else is.
    #[test]
    fn only_the_best_scores_have_a_chance() {
        let terms = Terms::new(20, 4, 6, Side::Maker).unwrap();
        let mut dice = Dice::new(Seed::new(3));
        for _ in 0..20 {
            let mut board = Board::new(terms);
            while board.winner().is_none() {
                for aim in [Aim::Grow, Aim::Spoil] {
                    let Some(chances) = Rule::Best(aim).chances(&board) else {
                        continue;
                    };
                    let best = chances.values().map(|c| c.score).max();
                    for (paint, one) in &chances {
                        let first = Some(one.score) == best;
                        assert_eq!(one.chance > 0.0, first, "{board:?} {aim:?} {paint:?}");
                    }
                }
                let open: Vec<u32> = board.uncoloured().collect();
                let number = *dice.pick(&open).unwrap();
                let colour = dice.below(3) as u16 + 1;
                board.paint(Paint { number, colour });
            }
        }
    }
}
