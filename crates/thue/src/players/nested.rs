//! The thesis's players: greedy, and nested to a level.

use wits_game::{Dice, Game};
use wits_play::{Choice, Desk, Line, Player, Thought};
use wits_search::Worth;

use super::account::Account;
use super::scores::{Purse, Rules, best};
use crate::game::{Insertion, Move, Position};
use crate::{WORDS, fits};

/// Greedy at level 0, else the sum of fitting symbols over so many levels; random among equals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Nested {
    /// How many levels.
    pub level: u32,
}

/// What a nested player of a level does, and the scores of all it could do: none at level 0, and
/// none where the budget was too small, so that it was greedy instead.
pub fn ask(
    game: &Insertion,
    position: &Position,
    level: u32,
    dice: &mut Dice,
    purse: &mut Purse<'_>,
) -> Option<(Move, Vec<(Move, u128)>)> {
    let rules = Rules {
        variant: game.variant,
        symbols: game.symbols,
    };
    let word = &position.word;
    if let Some(gap) = position.gap() {
        let scored = if level == 0 {
            None
        } else {
            rules.symbol_scores(word, gap, level, purse)
        };
        let Some(scores) = scored else {
            return Some((Move::Symbol(rules.greedy_symbol(word, gap)?), Vec::new()));
        };
        let symbol = *dice.pick(&best(scores.iter().copied(), true))?;
        return Some((
            Move::Symbol(symbol),
            scores
                .into_iter()
                .map(|(s, score)| (Move::Symbol(s), score))
                .collect(),
        ));
    }
    if game.alone {
        return Some(roomiest(rules, word, level, dice));
    }
    let scored = if level == 0 {
        None
    } else {
        rules.gap_scores(word, level, purse)
    };
    let Some(scores) = scored else {
        return Some((Move::Gap(rules.greedy_gap(word) as u32), Vec::new()));
    };
    let gap = *dice.pick(&best(scores.iter().copied().enumerate(), false))?;
    Some((
        Move::Gap(gap as u32),
        scores
            .into_iter()
            .enumerate()
            .map(|(g, score)| (Move::Gap(g as u32), score))
            .collect(),
    ))
}

/// Alone there is nobody to hinder: the gap that leaves the most room after the best symbol, or, at level 0, the
/// first with the most fitting symbols.
fn roomiest(rules: Rules, word: &[u8], level: u32, dice: &mut Dice) -> (Move, Vec<(Move, u128)>) {
    let known = fits::children(word, rules.symbols, rules.variant);
    let room = |gap: usize| -> u128 {
        let fit = known.fits[gap];
        if level == 0 {
            return u128::from(fit.count_ones());
        }
        fits::symbols(fit)
            .map(|symbol| u128::from(known.total(gap, symbol)) + 1)
            .max()
            .unwrap_or(0)
    };
    let scores: Vec<(usize, u128)> = (0..known.fits.len()).map(|gap| (gap, room(gap))).collect();
    let ties = best(scores.iter().copied(), true);
    let gap = if level == 0 {
        ties[0]
    } else {
        *dice.pick(&ties).expect("a word has a gap")
    };
    (
        Move::Gap(gap as u32),
        scores
            .into_iter()
            .map(|(g, score)| (Move::Gap(g as u32), score))
            .collect(),
    )
}

impl Player<Insertion> for Nested {
    fn choose(
        &mut self,
        game: &Insertion,
        position: &Position,
        desk: &mut Desk<'_, Move>,
    ) -> Choice<Move> {
        let mut dice = desk.dice.clone();
        let mut live = Thought {
            depth: self.level,
            ..Thought::default()
        };
        let tell = &mut *desk.tell;
        let mut each = |which: usize, score| {
            let (mv, worth) = match position.gap() {
                Some(_) => (Move::Symbol(which as u8), Worth::heuristic(score as f64)),
                None => (Move::Gap(which as u32), -Worth::heuristic(score as f64)),
            };
            let moves = vec![mv];
            live.roots.push(Line { moves, worth });
            tell(&live);
        };
        let mut purse = Purse::new(desk.budget).heard(&mut each);
        let asked = ask(game, position, self.level, &mut dice, &mut purse);
        let nodes = purse.nodes;
        // Alone, a dead gap may have been picked: any symbol will do to end it.
        let any = || Some((*game.options(position).first()?, Vec::new()));
        let Some((mv, scores)) = asked.or_else(any) else {
            return Choice::Resign;
        };
        if let Some(recorder) = desk.record.take() {
            let account = Account {
                game,
                position,
                level: self.level,
                mv,
                scores: &scores,
                instead: None,
            };
            account.tell(recorder);
        }
        desk.say(thought(game, position, mv, &scores, self.level, nodes));
        Choice::Move(mv)
    }

    fn lens(&self) -> &'static str {
        "candidates"
    }
}

/// The chosen move first, then the other scores as they compare for the seat.
fn thought(
    game: &Insertion,
    position: &Position,
    mv: Move,
    scores: &[(Move, u128)],
    level: u32,
    nodes: u64,
) -> Thought<Move> {
    let builder = position.gap().is_none() && !game.alone;
    let worth = |score: u128| {
        let worth = Worth::heuristic(score as f64);
        if builder { -worth } else { worth }
    };
    let own = scores
        .iter()
        .find(|(m, _)| *m == mv)
        .map_or(Worth::heuristic(0.0), |&(_, score)| worth(score));
    let mut lines = vec![Line {
        moves: vec![mv],
        worth: own,
    }];
    let mut others: Vec<Line<Move>> = scores
        .iter()
        .filter(|(m, _)| *m != mv)
        .map(|&(m, score)| Line {
            moves: vec![m],
            worth: worth(score),
        })
        .collect();
    others.sort_by_key(|line| std::cmp::Reverse(line.worth));
    lines.extend(others.into_iter().take(7));
    let key = match (position.gap().is_some(), scores.is_empty()) {
        (true, true) => "why-greedy-symbol",
        (true, false) => "why-nested-symbol",
        (false, true) => "why-greedy-gap",
        (false, false) => "why-nested-gap",
    };
    let why = WORDS
        .say(key)
        .with("move", game.write(position, &mv, wits_game::Eyes::All))
        .with("level", level)
        .with("count", scores.len());
    Thought {
        lines,
        depth: level,
        nodes: nodes.max(1),
        why: Some(why),
        ..Thought::default()
    }
}
