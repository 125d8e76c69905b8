//! Drawing live series by lot, and finding the best ones, from the counts of a board alone.

use std::collections::BinaryHeap;

use wits_game::Dice;

use crate::board::{Board, Paint};
use crate::series::{Series, all_series};

/// A live series with this missing count, each equally likely; nothing where there is none.
///
/// Every series has `k` numbers, so a number drawn in proportion to how many series of the class
/// hold it, and then one of those series, makes all of them equally likely.
///
/// # Complexity
/// O(n) for the number, then O(k) for each series through it.
pub(crate) fn draw(board: &Board, missing: u32, dice: &mut Dice) -> Option<Series> {
    let tickets = board.live(missing) * u64::from(board.terms().k());
    if tickets == 0 {
        return None;
    }
    let mut ticket = dice.below(tickets as usize) as u64;
    for (number, &holding) in (1..).zip(board.holding(missing)) {
        if ticket < u64::from(holding) {
            let mut class = board.live_through(number).filter(|&(_, m)| m == missing);
            return class.nth(ticket as usize).map(|(series, _)| series);
        }
        ticket -= u64::from(holding);
    }
    None
}

/// A live series drawn so that each class of missing counts has the weight `class(missing)` per series.
pub(crate) fn draw_by(
    board: &Board,
    class: impl Fn(u32) -> u128,
    dice: &mut Dice,
) -> Option<Series> {
    let k = board.terms().k();
    let weights: Vec<u128> = (0..=k)
        .map(|missing| u128::from(board.live(missing)) * class(missing))
        .collect();
    let mut total: u128 = weights.iter().sum();
    if total == 0 {
        return None;
    }
    // Dice throw up to 64 bits; the classes of the largest boards need more, so halve evenly.
    let mut shift = 0;
    while total >> shift > u128::from(u64::MAX >> 1) {
        shift += 1;
    }
    total >>= shift;
    let mut ticket = dice.below(total as usize) as u128;
    for (missing, weight) in (0..).zip(&weights) {
        let weight = weight >> shift;
        if ticket < weight {
            return draw(board, missing, dice);
        }
        ticket -= weight;
    }
    let last = weights.iter().rposition(|&weight| weight > 0)?;
    draw(board, last as u32, dice)
}

/// Live series with this missing count, by step and start; at most `most` of them, then not
/// necessarily the first.
pub(crate) fn members(board: &Board, missing: u32, most: usize) -> Vec<Series> {
    let (n, k) = (board.terms().n(), board.terms().k());
    if board.live(missing) == 0 {
        return Vec::new();
    }
    let mut found = Vec::new();
    if missing == k {
        let untouched = all_series(n, k).filter(|&series| board.missing(series) == Some(k));
        return untouched.take(most).collect();
    }
    for number in held(board, missing, true) {
        let class = board.live_through(number).filter(|&(_, m)| m == missing);
        found.extend(class.map(|(series, _)| series).filter(|series| {
            // A series is met at each of its painted numbers; take it at the first.
            series.numbers(k).find(|&y| board.colour(y).is_some()) == Some(number)
        }));
        if found.len() >= most {
            break;
        }
    }
    found.truncate(most);
    found.sort_unstable();
    found
}

/// The painted or unpainted numbers that some live series of the class holds.
fn held(board: &Board, missing: u32, painted: bool) -> impl Iterator<Item = u32> {
    (1..)
        .zip(board.holding(missing).iter().zip(board.colours()))
        .filter(move |(_, (holding, colour))| **holding > 0 && (**colour != 0) == painted)
        .map(|(number, _)| number)
}

/// What a player wants of a series.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Aim {
    /// Bring it nearer to a rainbow: a colour that it lacks, and that few live series have.
    Grow,
    /// Spoil it: a colour that it has, and that many live series have.
    Spoil,
}

impl Aim {
    /// What a move scores by itself: the live series that hold its number, against those that have its colour (to grow) or
    /// with them (to spoil). The score of a series is that of the best move on it.
    pub(crate) fn score(self, board: &Board, paint: Paint) -> i64 {
        let field = i64::from(board.weights()[paint.number as usize - 1]);
        let spread = board.spread(paint.colour) as i64;
        match self {
            Aim::Grow => field - spread,
            Aim::Spoil => field + spread,
        }
    }
}

/// The palette by how many live series have each colour, as an aim prefers them.
pub(crate) struct Palette {
    aim: Aim,
    order: Vec<u16>,
}

impl Palette {
    /// Sorts the palette for an aim.
    pub(crate) fn new(board: &Board, aim: Aim) -> Palette {
        let mut order: Vec<u16> = board.palette().collect();
        match aim {
            Aim::Grow => order.sort_by_key(|&colour| board.spread(colour)),
            Aim::Spoil => order.sort_by_key(|&colour| std::cmp::Reverse(board.spread(colour))),
        }
        Palette { aim, order }
    }

    /// The weight of the first colour that fits the aim; zero for a series without any colour.
    fn first(&self, board: &Board, series: Series) -> i64 {
        match self.aim {
            Aim::Grow => {
                let lacks = |colour: &&u16| !board.has(series, **colour);
                self.order
                    .iter()
                    .find(lacks)
                    .map_or(0, |&colour| board.spread(colour) as i64)
            }
            Aim::Spoil => series
                .numbers(board.terms().k())
                .filter_map(|y| board.colour(y))
                .map(|colour| board.spread(colour) as i64)
                .max()
                .unwrap_or(0),
        }
    }

    /// All colours that are equally first for a series. Where there is nothing to spoil, all colours.
    pub(crate) fn firsts(&self, board: &Board, series: Series) -> Vec<u16> {
        let k = board.terms().k();
        if self.aim == Aim::Spoil && series.numbers(k).all(|y| board.colour(y).is_none()) {
            return board.palette().collect();
        }
        let fits = |colour: u16| board.has(series, colour) == (self.aim == Aim::Spoil);
        let best = self.first(board, series);
        let mut firsts: Vec<u16> = self
            .order
            .iter()
            .copied()
            .filter(|&colour| board.spread(colour) as i64 == best && fits(colour))
            .collect();
        firsts.sort_unstable();
        firsts
    }

    /// What the document calls the temporary weight of a series: its best field, and its best colour
    /// against it (to grow) or with it (to spoil).
    pub(crate) fn score(&self, board: &Board, series: Series) -> i64 {
        let field = i64::from(best_weight(board, series));
        match self.aim {
            Aim::Grow => field - self.first(board, series),
            Aim::Spoil => field + self.first(board, series),
        }
    }

    /// No series whose best field has this weight can score more.
    fn bound(&self, board: &Board, field: u32) -> i64 {
        let first = self
            .order
            .first()
            .map_or(0, |&colour| board.spread(colour) as i64);
        match self.aim {
            Aim::Grow => i64::from(field) - first,
            Aim::Spoil => i64::from(field) + first,
        }
    }
}

fn best_weight(board: &Board, series: Series) -> u32 {
    let open = series
        .numbers(board.terms().k())
        .filter(|&y| board.colour(y).is_none());
    open.map(|y| board.weights()[y as usize - 1])
        .max()
        .unwrap_or(0)
}

/// The unpainted numbers of a series that the most live series hold.
pub(crate) fn best_fields(board: &Board, series: Series) -> Vec<u32> {
    let best = best_weight(board, series);
    series
        .numbers(board.terms().k())
        .filter(|&y| board.colour(y).is_none() && board.weights()[y as usize - 1] == best)
        .collect()
}

/// Of the live series with the fewest numbers missing, those with the greatest score, in order.
///
/// # Complexity
/// From the heaviest field downwards until no lighter field can matter, which is soon as a rule; where it is not,
/// through the painted numbers. Never the whole list, which may be millions.
pub(crate) fn best_of_least(board: &Board, palette: &Palette) -> Vec<Series> {
    let Some(missing) = board.least_missing() else {
        return Vec::new();
    };
    let painted: Vec<u32> = held(board, missing, true).collect();
    let mut fields: BinaryHeap<(u32, u32)> = held(board, missing, false)
        .map(|x| (board.weights()[x as usize - 1], x))
        .collect();
    // An untouched series has no painted number to be found through.
    let most = if painted.is_empty() {
        usize::MAX
    } else {
        painted.len()
    };
    let mut best = Best {
        score: i64::MIN,
        series: Vec::new(),
    };
    let mut closed = false;
    for _ in 0..most {
        let next = fields
            .pop()
            .filter(|&(weight, _)| palette.bound(board, weight) >= best.score);
        let Some((_, number)) = next else {
            closed = true;
            break;
        };
        best.meet(board, palette, number, missing);
    }
    if !closed {
        best = Best {
            score: i64::MIN,
            series: Vec::new(),
        };
        for number in painted {
            best.meet(board, palette, number, missing);
        }
    }
    best.series.sort_unstable();
    best.series.dedup();
    best.series
}

struct Best {
    score: i64,
    series: Vec<Series>,
}

impl Best {
    fn meet(&mut self, board: &Board, palette: &Palette, number: u32, missing: u32) {
        for (series, _) in board.live_through(number).filter(|&(_, m)| m == missing) {
            let score = palette.score(board, series);
            if score > self.score {
                self.score = score;
                self.series.clear();
            }
            if score == self.score {
                self.series.push(series);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use wits_game::Seed;

    use super::*;
    use crate::terms::{Side, Terms};

    /// Positions of all stages, from short to medium boards.
    fn positions() -> Vec<Board> {
        let mut boards = Vec::new();
        for (seed, (n, k, c)) in
            (0..).zip([(12, 3, 3), (20, 4, 5), (30, 5, 10), (26, 6, 6), (40, 3, 9)])
        {
            for game in 0..12 {
                let mut dice = Dice::new(Seed::new(100 * seed + game));
                let mut board = Board::new(Terms::new(n, k, c, Side::Maker).unwrap());
                while board.winner().is_none() {
                    boards.push(board.clone());
                    let open: Vec<u32> = board.uncoloured().collect();
                    // Few colours, so that the games last.
                    let colour = dice.below(2 + game as usize % (c as usize - 1)) as u16 + 1;
                    board.paint(Paint {
                        number: *dice.pick(&open).unwrap(),
                        colour,
                    });
                }
            }
        }
        boards
    }

    fn slow_class(board: &Board, missing: u32) -> Vec<Series> {
        let (n, k) = (board.terms().n(), board.terms().k());
        all_series(n, k)
            .filter(|&s| board.missing(s) == Some(missing))
            .collect()
    }

    #[test]
    fn classes_and_best_series_equal_the_slow_way() {
        let boards = positions();
        assert!(boards.len() > 300);
        for board in &boards {
            for missing in 0..=board.terms().k() {
                assert_eq!(
                    members(board, missing, usize::MAX),
                    slow_class(board, missing)
                );
            }
            let least = board.least_missing().unwrap();
            for aim in [Aim::Grow, Aim::Spoil] {
                let palette = Palette::new(board, aim);
                let class = slow_class(board, least);
                let best = class
                    .iter()
                    .map(|&s| slow_score(board, aim, s))
                    .max()
                    .unwrap();
                let slow: Vec<Series> = class
                    .into_iter()
                    .filter(|&s| slow_score(board, aim, s) == best)
                    .collect();
                assert_eq!(best_of_least(board, &palette), slow, "{board:?} {aim:?}");
                for series in slow {
                    let fits = |c: &u16| board.has(series, *c) == (aim == Aim::Spoil);
                    let firsts = palette.firsts(board, series);
                    assert!(!firsts.is_empty());
                    assert!(least == board.terms().k() || firsts.iter().all(fits));
                }
            }
        }
    }

    /// The document's two lists, made from nothing.
    fn slow_score(board: &Board, aim: Aim, series: Series) -> i64 {
        let k = board.terms().k();
        let field = series
            .numbers(k)
            .filter(|&x| board.colour(x).is_none())
            .map(|x| board.live_through(x).count() as i64)
            .max()
            .unwrap();
        let colours = board
            .palette()
            .filter(|&c| board.has(series, c) == (aim == Aim::Spoil));
        let weights = colours.map(|c| board.spread(c) as i64);
        match aim {
            Aim::Grow => field - weights.min().unwrap(),
            Aim::Spoil => field + weights.max().unwrap_or(0),
        }
    }

    #[test]
    fn every_series_of_a_class_is_drawn_equally_often() {
        let boards = positions();
        let board = boards
            .iter()
            .find(|b| b.live(2) > 12 && b.live(2) < 25)
            .unwrap();
        let class = slow_class(board, 2);
        let mut dice = Dice::new(Seed::new(9));
        let mut seen = vec![0u32; class.len()];
        let throws = 400 * class.len();
        for _ in 0..throws {
            let series = draw(board, 2, &mut dice).unwrap();
            seen[class.iter().position(|&s| s == series).unwrap()] += 1;
        }
        // 400 expected each, with a standard deviation of 20.
        assert!(
            seen.iter().all(|&count| (300..500).contains(&count)),
            "{seen:?}"
        );
        assert_eq!(draw(board, 0, &mut dice), None);
    }

    #[test]
    fn classes_are_drawn_by_their_weight() {
        let boards = positions();
        let board = boards
            .iter()
            .find(|b| b.live(1) > 0 && b.live(2) > 0 && b.live(3) > 0)
            .unwrap();
        let mut dice = Dice::new(Seed::new(4));
        let share = |missing: u32, weight: &dyn Fn(u32) -> u128| {
            let of = |m: u32| u128::from(board.live(m)) * weight(m);
            of(missing) as f64 / (0..=board.terms().k()).map(of).sum::<u128>() as f64
        };
        let (even, heavy, light) = (
            |_| 1u128,
            |m: u32| u128::from(m),
            |m: u32| u128::from(10 - m),
        );
        for weight in [&even as &dyn Fn(u32) -> u128, &heavy, &light] {
            let mut seen = [0u32; 10];
            for _ in 0..8_000 {
                let series = draw_by(board, weight, &mut dice).unwrap();
                seen[board.missing(series).unwrap() as usize] += 1;
            }
            for m in 0..=board.terms().k() {
                let got = f64::from(seen[m as usize]) / 8_000.0;
                assert!(
                    (got - share(m, weight)).abs() < 0.02,
                    "{m}: {got} {}",
                    share(m, weight)
                );
            }
        }
    }
}
