//! Why 56% of 150 games proves nothing: one better player among five pairs of equals.

use maud::html;
use wits_arena::stats::{Counts, Sprt, superiority};
use wits_game::{Dice, Seed};
use wits_play::{Budget, wilson};

use super::asked::{Asked, MOVE, late};
use super::charts::{Bar, bars, columns};
use super::guess::Guess;
use super::parts::{Live, decimal, percent, slider};
use crate::pages::say;
use crate::{App, Fault, WORDS};

/// Matches that are played between equals.
const MATCHES: u64 = 2000;
/// The most games that are counted when it is asked how many would do.
const MOST: u64 = 100_000;

/// The pairs of the question; in one of them somebody is better.
const PAIRS: [&str; 6] = ["A", "B", "C", "D", "E", "F"];
/// The luck at first: the best score belongs to a pair of equals.
const SEED: u64 = 8;
/// The longer match that tells them apart has so many times the games.
const LONGER: u64 = 100;

/// Games won by somebody who wins each with a chance.
fn won(games: u64, chance: f64, dice: &mut Dice) -> u64 {
    let bound = (chance * 2_f64.powi(53)) as u64;
    (0..games).filter(|_| dice.next() >> 11 < bound).count() as u64
}

/// Which pair is not equal, and what all pairs score in a match and in a longer one.
fn pairs(games: u64, score: u64, seed: u64) -> (usize, Vec<[u64; 2]>) {
    let mut dice = Dice::new(Seed::new(seed).nth(1));
    let better = dice.below(PAIRS.len());
    let each = (0..PAIRS.len()).map(|i| {
        let chance = if i == better {
            score as f64 / 100.0
        } else {
            0.5
        };
        [games, LONGER * games].map(|n| won(n, chance, &mut dice))
    });
    (better, each.collect())
}

/// The chance that a fair coin shows heads at least `wins` times.
fn by_chance(games: u64, wins: u64) -> f64 {
    let ln = |n: u64| libm::lgamma(n as f64 + 1.0);
    let each = (wins..=games).map(|k| {
        libm::exp(ln(games) - ln(k) - ln(games - k) - games as f64 * std::f64::consts::LN_2)
    });
    each.sum::<f64>().min(1.0)
}

/// The fewest games at which the same share keeps 50% out of its interval.
fn enough(share: f64) -> Option<u64> {
    if share <= 0.5 {
        return None;
    }
    (1..=MOST).find(|&n| wilson(share, n).0 > 0.5)
}

/// The interval, the chance, and many matches between equals.
pub(super) fn run(_: &App, asked: &Asked, budget: &Budget) -> Result<Live, Fault> {
    let games: u64 = asked.number("games", 150, 10, 2000)?;
    let score: u64 = asked.number("score", 56, 30, 90)?;
    let seed: u64 = asked.number("seed", SEED, 1, 100)?;
    let wins = (games * score + 50) / 100;
    let counts = Counts::Games([games - wins, 0, wins]);
    let (low, high) = counts.interval();
    let mut dice = Dice::new(Seed::new(seed));
    let mut often = vec![0_u64; games as usize + 1];
    for _ in 0..MATCHES {
        if budget.late() || budget.stopped() {
            return Err(late());
        }
        let mut won = 0;
        let mut left = games;
        while left > 0 {
            let coins = left.min(64);
            won += (dice.next() >> (64 - coins)).count_ones();
            left -= coins;
        }
        often[won as usize] += 1;
    }
    let reached: u64 = often[wins as usize..].iter().sum();
    // Only what came up, with a margin, so that the columns can be seen.
    let first = often
        .iter()
        .position(|&n| n > 0)
        .unwrap_or(0)
        .min(wins as usize)
        .saturating_sub(2);
    let last = often
        .iter()
        .rposition(|&n| n > 0)
        .unwrap_or(0)
        .max(wins as usize)
        + 2;
    let shown: Vec<(f64, u64)> = (first..=last.min(often.len() - 1))
        .map(|i| (i as f64, often[i]))
        .collect();
    let bound = Sprt::new(0.0, 10.0).test(&counts);
    let proves = if low > 0.5 {
        "lesson-proves"
    } else if high < 0.5 {
        "lesson-proves-less"
    } else {
        "lesson-proves-nothing"
    };
    let (better, scores) = pairs(games, score, seed);
    let given = asked.text(MOVE).filter(|g| PAIRS.contains(g));
    let share = |wins: u64, of: u64| wins as f64 / of as f64;
    let rows: Vec<Bar> = PAIRS
        .iter()
        .zip(&scores)
        .map(|(name, [short, long])| Bar {
            name: (*name).to_owned(),
            value: if given.is_some() {
                share(*long, LONGER * games)
            } else {
                share(*short, games)
            },
            shown: match given {
                None => format!("{short} : {}", games - short),
                Some(_) => format!(
                    "{} → {}",
                    percent(share(*short, games)),
                    percent(share(*long, LONGER * games))
                ),
            },
            mark: given.map_or_else(
                || *short == scores.iter().map(|s| s[0]).max().unwrap_or(0),
                |_| *name == PAIRS[better],
            ),
        })
        .collect();
    let title = if given.is_some() {
        "lesson-pairs-long"
    } else {
        "lesson-pairs"
    };
    let title = WORDS
        .say(title)
        .with("games", games)
        .with("long", LONGER * games)
        .to_string();
    let table = bars(&title, [&say("lesson-pair"), &say("lesson-result")], &rows);
    let guess = Guess::about(table.page)
        .options(PAIRS.map(|name| (name.to_owned(), name.to_owned())))
        .right(given.map(|g| g == PAIRS[better]));
    let top = (0..PAIRS.len()).max_by_key(|&i| scores[i][0]).unwrap_or(0);
    let mine = given
        .and_then(|g| PAIRS.iter().position(|p| *p == g))
        .unwrap_or(0);
    let six = 1.0 - libm::pow(1.0 - by_chance(games, scores[top][0]), 5.0);
    let need =
        enough(score as f64 / 100.0).map_or_else(|| say("lesson-never-enough"), |n| n.to_string());
    Ok(Live::default()
        .ask(guess)
        .say("guess", PAIRS[mine])
        .say("better", PAIRS[better])
        .say("strength", score)
        .say("top", scores[top][0])
        .say("five", percent(six))
        .say("mine", scores[mine][0])
        .say("truth", scores[better][0])
        .say("long", LONGER * games)
        .say("minelong", percent(share(scores[mine][1], LONGER * games)))
        .say("games", games)
        .say("wins", wins)
        .say("score", percent(counts.score()))
        .say("low", percent(low))
        .say("high", percent(high))
        .say("verdict", say(proves))
        .say("chance", percent(by_chance(games, wins)))
        .say(
            "twenty",
            percent(1.0 - libm::pow(1.0 - by_chance(games, wins), 20.0)),
        )
        .say("matches", MATCHES)
        .say("reached", reached)
        .say("superiority", percent(superiority(wins, games - wins)))
        .say("llr", decimal(bound.llr, 2))
        .say("stop", decimal(bound.upper, 2))
        .say("enough", need)
        .part(
            "form",
            html! {
                (slider("games", "lesson-match-games", games, [10, 2000, 10]))
                (slider("score", "lesson-score", score, [30, 90, 1]))
                (slider("seed", "lesson-seed", seed, [1, 100, 1]))
            },
        )
        .part(
            "equals",
            columns(
                &WORDS
                    .say("lesson-equals")
                    .with("matches", MATCHES)
                    .with("games", games)
                    .to_string(),
                &say("lesson-wins"),
                &shown,
                wins as f64,
            ),
        ))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lesson opens where the best score belongs to a pair of equals.
    #[test]
    fn the_best_score_of_the_first_picture_is_luck() {
        let (better, scores) = pairs(150, 56, SEED);
        let top = scores.iter().map(|s| s[0]).max().unwrap();
        assert!(scores[better][0] < top, "{better} {scores:?}");
        // The longer matches tell: their luck is a tenth of that.
        let longest = (0..PAIRS.len()).max_by_key(|&i| scores[i][1]);
        assert_eq!(longest, Some(better), "{scores:?}");
    }

    #[test]
    fn a_coin_is_fair() {
        assert!((by_chance(1, 1) - 0.5).abs() < 1e-12);
        assert!((by_chance(4, 3) - 5.0 / 16.0).abs() < 1e-12);
        assert!((by_chance(150, 0) - 1.0).abs() < 1e-9);
        let n = enough(0.56).unwrap();
        assert!(wilson(0.56, n).0 > 0.5 && wilson(0.56, n - 1).0 <= 0.5);
    }
}
