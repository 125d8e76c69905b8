//! How long games last when some are not played to their end: survival curves, medians and a law, each with an interval.
//!
//! A mean over games that were cut at a limit says more about the limit than about the games. What can be said is which share of
//! the games is still going on after so many moves (Kaplan and Meier 1958), when half of them are over, and how often a game ends per
//! move.

use rayon::prelude::*;
use serde::Serialize;
use wits_game::Seed;
use wits_search::Budget;

use crate::fits;
use crate::game::Insertion;
use crate::players::play_round;

/// How far the intervals reach: 95 % of a normal distribution.
const Z: f64 = 1.96;

/// How long one game lasted, and whether that was its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Lasted {
    /// Moves, the fatal one counted.
    pub moves: usize,
    /// Whether the Painter was beaten; else the game was cut.
    pub ended: bool,
}

/// A step of the curve: some games ended after exactly so many moves.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Step {
    /// After so many moves.
    pub moves: usize,
    /// So many games were still going on just before.
    pub at_risk: usize,
    /// So many of them ended.
    pub ended: usize,
    /// The share of games that last longer.
    pub share: f64,
    /// Its 95 % interval.
    pub between: [f64; 2],
}

/// How often games end per move, where that does not depend on how long they have lasted.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Law {
    /// No game was shorter; the law holds from there.
    pub from: usize,
    /// The chance that a game ends with its next move.
    pub rate: f64,
    /// Its 95 % interval.
    pub between: [f64; 2],
    /// The same from the moves before the middle one, and from those after it.
    pub halves: [[f64; 2]; 2],
    /// Whether the intervals of the halves meet: else the rate changes, and the law is none.
    pub holds: bool,
}

/// What is known about the length of games.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Survival {
    /// How many games were played.
    pub games: usize,
    /// How many of them came to their end.
    pub ended: usize,
    /// The curve, a step for each length at which games ended.
    pub steps: Vec<Step>,
    /// The length that half of the games do not exceed, if so many ended.
    pub median: Option<usize>,
    /// Its 95 % interval; the second number is missing where the curve does not come down so far.
    pub median_between: [Option<usize>; 2],
    /// The law of the lengths; nothing with fewer than ten ends.
    pub law: Option<Law>,
}

impl Survival {
    /// The curve of games, some of them cut.
    pub fn of(games: &[Lasted]) -> Survival {
        let mut sorted = games.to_vec();
        // A game that was cut after so many moves was still going on when others ended there.
        sorted.sort_unstable_by_key(|game| (game.moves, !game.ended));
        let mut steps: Vec<Step> = Vec::new();
        let (mut share, mut greenwood, mut before) = (1.0, 0.0, 0);
        for same in sorted.chunk_by(|a, b| a.moves == b.moves) {
            let at_risk = sorted.len() - before;
            before += same.len();
            let ended = same.iter().filter(|game| game.ended).count();
            if ended == 0 {
                continue;
            }
            let (n, d) = (at_risk as f64, ended as f64);
            share *= 1.0 - d / n;
            greenwood += d / (n * (n - d));
            steps.push(Step {
                moves: same[0].moves,
                at_risk,
                ended,
                share,
                between: interval(share, greenwood),
            });
        }
        let half = |value: &dyn Fn(&Step) -> f64| {
            let step = steps.iter().find(|step| value(step) <= 0.5);
            step.map(|step| step.moves)
        };
        Survival {
            games: games.len(),
            ended: games.iter().filter(|game| game.ended).count(),
            median: half(&|step| step.share),
            median_between: [half(&|step| step.between[0]), half(&|step| step.between[1])],
            law: law(&sorted),
            steps,
        }
    }
}

/// The interval of a share by its logarithm's logarithm, so that it stays between 0 and 1.
fn interval(share: f64, greenwood: f64) -> [f64; 2] {
    if share <= 0.0 || share >= 1.0 {
        return [share, share];
    }
    let log = libm::log(share);
    let width = libm::exp(Z * libm::sqrt(greenwood) / -log);
    [libm::pow(share, width), libm::pow(share, 1.0 / width)]
}

/// Ends over moves from one length to another, with its interval.
fn rate(sorted: &[Lasted], from: usize, to: usize) -> Option<(f64, [f64; 2])> {
    let inside = |game: &&Lasted| game.ended && game.moves > from && game.moves <= to;
    let ended = sorted.iter().filter(inside).count() as f64;
    let moves: usize = sorted
        .iter()
        .map(|game| game.moves.min(to).saturating_sub(from))
        .sum();
    if ended < 5.0 {
        return None;
    }
    let rate = ended / moves as f64;
    let width = libm::exp(Z / libm::sqrt(ended));
    Some((rate, [rate / width, rate * width]))
}

fn law(sorted: &[Lasted]) -> Option<Law> {
    let ends: Vec<usize> = sorted
        .iter()
        .filter(|game| game.ended)
        .map(|game| game.moves)
        .collect();
    let (&first, &last) = (ends.first()?, ends.last()?);
    let from = first - 1;
    let middle = ends[ends.len() / 2];
    let (whole, between) = rate(sorted, from, last)?;
    let halves = [rate(sorted, from, middle)?.1, rate(sorted, middle, last)?.1];
    let holds = halves[0][0] <= halves[1][1] && halves[1][0] <= halves[0][1];
    Some(Law {
        from,
        rate: whole,
        between,
        halves,
        holds,
    })
}

/// Games of two levels, and the gaps of their last words.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Played {
    /// How long each lasted, in the order of the seeds.
    pub games: Vec<Lasted>,
    /// For each number of fitting symbols, from none on, the mean share of the gaps that have so many, in the last words of
    /// the games that ended.
    pub gaps: Vec<f64>,
    /// The mean number of dead gaps in those words, and the most.
    pub dead: (f64, usize),
}

/// Plays games of a Builder against a Painter; fewer where the budget ends first.
pub fn play(
    game: &Insertion,
    (builder, painter): (u32, u32),
    count: u64,
    seed: Seed,
    budget: &Budget,
    each: impl Fn() + Sync,
) -> Played {
    let rounds: Vec<_> = (0..count)
        .into_par_iter()
        .filter_map(|n| {
            if budget.stopped() || budget.late() {
                return None;
            }
            let round = play_round(game, builder, painter, seed.nth(n), None);
            each();
            let fits = fits::all(&round.last.word, game.symbols, game.variant);
            let lasted = Lasted {
                moves: round.moves,
                ended: round.finished,
            };
            Some((lasted, fits))
        })
        .collect();
    let ended: Vec<&Vec<u64>> = rounds
        .iter()
        .filter(|(lasted, _)| lasted.ended)
        .map(|(_, fits)| fits)
        .collect();
    let with = |fits: &[u64], many: usize| {
        let so_many = |fit: &&u64| fit.count_ones() as usize == many;
        fits.iter().filter(so_many).count()
    };
    let mean = |value: &dyn Fn(&[u64]) -> f64| {
        ended.iter().map(|fits| value(fits)).sum::<f64>() / ended.len().max(1) as f64
    };
    let share = |many| move |fits: &[u64]| with(fits, many) as f64 / fits.len() as f64;
    let most = ended.iter().map(|fits| with(fits, 0)).max();
    Played {
        gaps: (0..=game.symbols).map(|many| mean(&share(many))).collect(),
        dead: (mean(&|fits| with(fits, 0) as f64), most.unwrap_or(0)),
        games: rounds.into_iter().map(|(lasted, _)| lasted).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(moves: &[(usize, bool)]) -> Vec<Lasted> {
        let lasted = |&(moves, ended): &(usize, bool)| Lasted { moves, ended };
        moves.iter().map(lasted).collect()
    }

    /// The leukaemia patients of Freireich and others (1963) that textbooks use: weeks in remission with 6-MP. The shares and
    /// the median of 23 weeks are those that the books print.
    #[test]
    fn the_curve_of_the_textbooks() {
        let ended = [6, 6, 6, 7, 10, 13, 16, 22, 23].map(|moves| (moves, true));
        let cut = [6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35].map(|moves| (moves, false));
        let found = Survival::of(&games(&[ended.as_slice(), &cut].concat()));
        let shares: Vec<(usize, usize, String)> = found
            .steps
            .iter()
            .map(|step| (step.moves, step.at_risk, format!("{:.3}", step.share)))
            .collect();
        let expected = [
            (6, 21, "0.857"),
            (7, 17, "0.807"),
            (10, 15, "0.753"),
            (13, 12, "0.690"),
            (16, 11, "0.627"),
            (22, 7, "0.538"),
            (23, 6, "0.448"),
        ];
        assert_eq!(shares, expected.map(|(t, n, s)| (t, n, s.to_owned())));
        assert_eq!((found.games, found.ended, found.median), (21, 9, Some(23)));
        assert_eq!(found.median_between[1], None, "the curve ends above a half");
    }

    /// Without cuts the curve is the share of longer games.
    #[test]
    fn without_cuts_it_is_the_share_of_longer_games() {
        let all = games(&[(3, true), (5, true), (5, true), (9, true)]);
        for step in Survival::of(&all).steps {
            let longer = all.iter().filter(|game| game.moves > step.moves).count();
            assert!((step.share - longer as f64 / 4.0).abs() < 1e-12);
        }
    }

    #[test]
    fn a_law_is_found_where_there_is_one_and_refused_where_not() {
        // Every move ends a tenth of what is left.
        let (mut left, mut steady) = (10_000, Vec::new());
        for moves in 21..60 {
            steady.extend(std::iter::repeat_n((moves, true), left / 10));
            left -= left / 10;
        }
        steady.extend(std::iter::repeat_n((60, false), left));
        let law = Survival::of(&games(&steady)).law.unwrap();
        assert!(law.holds && law.from == 20, "{law:?}");
        assert!(law.between[0] < 0.1 && 0.1 < law.between[1], "{law:?}");
        // Most end at once, the rest late.
        let mut early = vec![(10, true); 100];
        early.extend((0..100).map(|i| (500 + i, true)));
        assert!(!Survival::of(&games(&early)).law.unwrap().holds);
        assert_eq!(Survival::of(&games(&[(4, true); 3])).law, None);
        assert_eq!(Survival::of(&[]).median, None);
    }
}
