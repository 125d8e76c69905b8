//! The three rules of thumb of the report. Each compares all legal moves once, and can say how they compared.

use wits_game::{Game, Message};
use wits_play::{Choice, Desk, Line, Player, Thought, Worth};
use wits_search::{Backup, Candidates, Watch};

use crate::{Othello, Position, Square, WORDS, bits};

/// Says one thought and makes the move.
fn plays(desk: &mut Desk<'_, Square>, square: Square, why: Message) -> Choice<Square> {
    let line = Line {
        moves: vec![square],
        worth: Worth::heuristic(0.0),
    };
    desk.say(Thought {
        lines: vec![line],
        nodes: 1,
        why: Some(why),
        ..Thought::default()
    });
    Choice::Move(square)
}

/// Begins the account of a decision of the side to move.
fn account<'a, W: Watch>(
    watch: &'a mut W,
    game: &Othello,
    position: &Position,
    backup: Backup,
) -> Candidates<'a, W> {
    Candidates::open(watch, game.seat_name(position.turn), backup)
}

/// A sentence about a square.
fn about(key: &'static str, square: Square) -> Message {
    WORDS.say(key).with("move", square.to_string())
}

/// Always the first legal square.
#[derive(Clone, Copy, Debug, Default)]
pub struct First;

impl First {
    fn tell<W: Watch>(mut told: Candidates<'_, W>, (first, options): (Square, &[Square])) {
        for (place, &square) in (1..).zip(options) {
            let why = if square == first {
                about("told-first", square)
            } else {
                about("told-later", square).with("first", first.to_string())
            };
            let numbers = [("place", f64::from(place))];
            told.candidate(&square.to_string(), None, &numbers, why);
        }
        let mut says = vec![
            WORDS.say("sum-ordered").with("count", options.len()),
            about("sum-first", first),
        ];
        says.extend(options.get(1).map(|&next| about("sum-first-next", next)));
        told.choose(&first.to_string(), None, says);
    }
}

impl Player<Othello> for First {
    fn choose(
        &mut self,
        game: &Othello,
        view: &Position,
        desk: &mut Desk<'_, Square>,
    ) -> Choice<Square> {
        let options = game.options(view);
        let Some(&square) = options.first() else {
            return Choice::Resign;
        };
        if let Some(watch) = desk.record.take() {
            let told = account(watch, game, &game.settled(view), Backup::None);
            First::tell(told, (square, &options));
        }
        plays(desk, square, about("why-first", square))
    }

    fn lens(&self) -> &'static str {
        "candidates"
    }
}

/// Turns over as many discs as it can; the first of several such moves.
#[derive(Clone, Copy, Debug, Default)]
pub struct ScoreGreedy;

impl ScoreGreedy {
    /// `counts` has every legal square with the discs that it turns over, in the order of the board.
    fn tell<W: Watch>(
        mut told: Candidates<'_, W>,
        (most, best): (u32, Square),
        counts: &[(u32, Square)],
    ) {
        let worth = |count: u32| Some(Worth::heuristic(f64::from(count)));
        for &(count, square) in counts {
            let why = about("told-turns", square).with("count", count);
            let numbers = [("turned", f64::from(count))];
            told.candidate(&square.to_string(), worth(count), &numbers, why);
        }
        let others = counts.iter().filter(|(_, square)| *square != best);
        // Of equals the first stands.
        let next = others.min_by_key(|(count, _)| std::cmp::Reverse(*count));
        let mut says = vec![
            WORDS.say("sum-counted").with("count", counts.len()),
            about("sum-turns-most", best).with("count", most),
        ];
        says.extend(next.map(|&(count, square)| {
            if count == most {
                about("sum-turns-equal", square).with("best", best.to_string())
            } else {
                about("sum-turns-next", square).with("count", count)
            }
        }));
        told.choose(&best.to_string(), worth(most), says);
    }
}

impl Player<Othello> for ScoreGreedy {
    fn choose(
        &mut self,
        game: &Othello,
        view: &Position,
        desk: &mut Desk<'_, Square>,
    ) -> Choice<Square> {
        let position = game.settled(view);
        let turned = |square: Square| {
            bits::flips(square.index(), position.own(), position.other()).count_ones()
        };
        let counts: Vec<(u32, Square)> = game
            .options(view)
            .into_iter()
            .map(|square| (turned(square), square))
            .collect();
        // Of equals the first stands.
        let best = counts.iter().copied();
        let best = best.min_by_key(|(count, _)| std::cmp::Reverse(*count));
        let Some((count, square)) = best else {
            return Choice::Resign;
        };
        if let Some(watch) = desk.record.take() {
            let told = account(watch, game, &position, Backup::Max);
            ScoreGreedy::tell(told, (count, square), &counts);
        }
        plays(
            desk,
            square,
            about("why-score-greedy", square).with("count", count),
        )
    }

    fn lens(&self) -> &'static str {
        "candidates"
    }
}

/// Takes a corner when it can, otherwise any move.
#[derive(Clone, Copy, Debug, Default)]
pub struct CornersGreedy;

impl CornersGreedy {
    fn tell<W: Watch>(
        mut told: Candidates<'_, W>,
        square: Square,
        options: &[Square],
        corners: &[Square],
    ) {
        let worth = |corner: bool| Worth::heuristic(f64::from(u8::from(corner)));
        for &option in options {
            let corner = corners.contains(&option);
            let key = if corner {
                "told-corner"
            } else {
                "told-no-corner"
            };
            told.candidate(
                &option.to_string(),
                Some(worth(corner)),
                &[],
                about(key, option),
            );
        }
        let (rule, decided, from) = match corners {
            [] => ("rule-no-corner", "sum-any-drawn", options),
            [_] => ("rule-corner", "sum-corner-only", corners),
            _ => ("rule-corner", "sum-corner-drawn", corners),
        };
        told.note(WORDS.say(rule).with("count", from.len()));
        let equals: Vec<String> = from.iter().map(ToString::to_string).collect();
        told.luck(&equals, &square.to_string());
        let mut says = vec![
            WORDS.say("sum-corners-sought").with("count", options.len()),
            about(decided, square).with("count", from.len()),
        ];
        let others = options.len() - corners.len();
        if !corners.is_empty() && others > 0 {
            says.push(WORDS.say("sum-no-corners").with("count", others));
        }
        let chosen = worth(!corners.is_empty());
        told.choose(&square.to_string(), Some(chosen), says);
    }
}

impl Player<Othello> for CornersGreedy {
    fn choose(
        &mut self,
        game: &Othello,
        view: &Position,
        desk: &mut Desk<'_, Square>,
    ) -> Choice<Square> {
        let far = game.size() - 1;
        let options = game.options(view);
        let corner = |s: &&Square| {
            (s.row() == 0 || s.row() == far) && (s.column() == 0 || s.column() == far)
        };
        let corners: Vec<Square> = options.iter().filter(corner).copied().collect();
        let (key, from) = if corners.is_empty() {
            ("why-no-corner", &options)
        } else {
            ("why-corner", &corners)
        };
        let Some(&square) = desk.dice.pick(from) else {
            return Choice::Resign;
        };
        if let Some(watch) = desk.record.take() {
            let told = account(watch, game, &game.settled(view), Backup::Max);
            CornersGreedy::tell(told, square, &options, &corners);
        }
        plays(desk, square, about(key, square))
    }

    fn lens(&self) -> &'static str {
        "candidates"
    }
}
