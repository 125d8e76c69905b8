//! How well level 4 can be held at all: every game against it, followed to the end.
//!
//! Level 4 is a rule with dice, so the games against it are far fewer than the games there are. [`hold`] tries every
//! move of Breaker against everything that level 4's dice may choose: the best Breaker's chance is the mean over the dice
//! and the greatest over his moves. Where it is zero, no Breaker holds level 4 on that board, however well he
//! plays and however lucky he is.
//!
//! Nothing is left out but what cannot matter: colours are named by the live series they are in (a colour in none is as
//! good as fresh), numbers in no live series are only counted as places to pass, the strip may be read backwards, and
//! a move that leaves a series with one number missing loses at once, because level 4 completes it.

mod lines;
mod reply;
mod search;
mod stand;

use serde::Serialize;
use wits_search::Budget;

use crate::board::{Board, Paint};
use crate::forecast::{Argument, By, SHORT};
use crate::series::series_count;
use crate::terms::{Side, Terms};
use lines::Lines;
use search::Search;
use stand::Stand;

const MOST_N: usize = 30;
const MOST_K: usize = 8;
const MOST_C: usize = 14;
const MOST_SERIES: usize = 128;

/// What following every game has shown.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Verdict {
    /// What was played.
    #[serde(flatten)]
    pub terms: Terms,
    /// The best Breaker's chance to hold level 4; at least this much where it is not exact.
    pub chance: f64,
    /// Whether every game was followed as far as it can matter, or an argument makes that needless.
    pub exact: bool,
    /// How it is known.
    pub by: By,
    /// How many different positions with a free choice for Breaker were followed to all their ends.
    pub positions: u64,
    /// A game of the best Breaker in which luck is with him; empty where there is none, or the budget ended.
    pub line: Vec<Paint>,
}

/// Whether [`hold`] can follow the games on these terms: up to 30 numbers, progressions of up to 8, up to 14
/// colours, 128 progressions in all.
pub fn fits(terms: &Terms) -> bool {
    terms.n() as usize <= MOST_N
        && terms.k() as usize <= MOST_K
        && usize::from(terms.c()) <= MOST_C
        && series_count(terms.n(), terms.k()) <= MOST_SERIES as u64
}

/// Finds the best chance to hold level 4. The chance is the same for any number of threads. `each` is told which share of
/// Breaker's first moves is done. On longer boards where Breaker wins against everybody by a pairing or the potential, that is said without
/// following a game. Nothing where the board does not fit.
pub fn hold(
    terms: &Terms,
    budget: &Budget,
    threads: usize,
    each: &(dyn Fn(f64) + Sync),
) -> Option<Verdict> {
    if terms.n() > SHORT
        && let Some(argument) = Argument::find(terms, budget)
    {
        return Some(Verdict {
            terms: *terms,
            chance: 1.0,
            exact: true,
            by: argument.by(),
            positions: 0,
            line: Vec::new(),
        });
    }
    if !fits(terms) {
        return None;
    }
    let lines = Lines::new(terms);
    let search = Search::new(&lines, budget);
    let start = Stand::of(&Board::new(*terms), &lines);
    let chance = search.run(&start, terms.first(), threads, each);
    let marks = if chance.exact() {
        search.luckiest(&start, terms.first())
    } else {
        Vec::new()
    };
    Some(Verdict {
        terms: *terms,
        // Which of two mirrored positions is met first may change the last bit of a sum.
        chance: (chance.least * 1e12).round() / 1e12,
        exact: chance.exact(),
        by: By::Search,
        positions: search.known(),
        line: painted(terms, &marks),
    })
}

/// A way to hold level 4.
pub(crate) struct Hold {
    pub(crate) paint: Paint,
    /// With at least this chance.
    pub(crate) chance: f64,
    /// Positions looked at.
    pub(crate) nodes: u64,
}

/// Breaker's best way to hold level 4 from here, as far as the budget goes. Nothing where none was found, or where the
/// board does not fit.
pub(crate) fn way(board: &Board, budget: &Budget) -> Option<Hold> {
    if !fits(board.terms()) {
        return None;
    }
    let lines = Lines::new(board.terms());
    let search = Search::new(&lines, budget);
    let stand = Stand::of(board, &lines);
    let (chance, step) = search.widen(&stand);
    Some(Hold {
        paint: paint(board, stand.mark(step?)),
        chance: chance.least,
        nodes: search.visits(),
    })
}

/// What level 4 may answer to a move of Breaker, and how well Breaker then stands.
pub(crate) struct Answer {
    /// What level 4 paints.
    pub(crate) paint: Paint,
    /// How likely its dice bring it.
    pub(crate) share: f64,
    /// Breaker's chance then, at least.
    pub(crate) chance: f64,
    /// His best reply, if one was found.
    pub(crate) reply: Option<Paint>,
}

/// Every answer of level 4 to a move of Breaker, as far as the budget goes.
pub(crate) fn answers(board: &Board, paint: Paint, budget: &Budget) -> Vec<Answer> {
    let mut after = board.clone();
    after.paint(paint);
    if !fits(board.terms()) || after.winner().is_some() {
        return Vec::new();
    }
    let lines = Lines::new(board.terms());
    let search = Search::new(&lines, budget);
    let stand = Stand::of(&after, &lines);
    let each = reply::replies(&stand, &lines).into_iter();
    each.map(|reply| {
        let answer = self::paint(&after, stand.mark(reply.step));
        let mut next = after.clone();
        next.paint(answer);
        let (chance, step) = if let Some(side) = next.winner() {
            (f64::from(u8::from(side == Side::Breaker)), None)
        } else {
            let stand = Stand::of(&next, &lines);
            let (chance, step) = search.widen(&stand);
            (chance.least, step.map(|step| stand.mark(step)))
        };
        Answer {
            paint: answer,
            share: reply.chance,
            chance,
            reply: step.map(|mark| self::paint(&next, mark)),
        }
    })
    .collect()
}

/// A move of the search: this number, in the colour of that one or in a colour that no live series has.
type Mark = (usize, Option<usize>);

/// A move of the search with its colour.
fn paint(board: &Board, (number, like): Mark) -> Paint {
    let like = like.and_then(|other| board.colour(other as u32 + 1));
    let fresh = || board.palette().find(|&colour| board.spread(colour) == 0);
    Paint {
        number: number as u32 + 1,
        colour: like.or_else(fresh).unwrap_or(1),
    }
}

fn painted(terms: &Terms, marks: &[Mark]) -> Vec<Paint> {
    let mut board = Board::new(*terms);
    let paints = marks.iter().map(|&mark| {
        let paint = paint(&board, mark);
        board.paint(paint);
        paint
    });
    paints.collect()
}
