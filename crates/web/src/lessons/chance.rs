//! Why 56% of 150 games proves nothing: what chance does to players who are equal.

use maud::html;
use wits_arena::stats::{Counts, Sprt, superiority};
use wits_game::{Dice, Seed};
use wits_play::{Budget, wilson};

use super::asked::{Asked, late};
use super::charts::columns;
use super::parts::{Live, percent, slider};
use crate::pages::say;
use crate::{App, Fault, WORDS};

/// Matches that are played between equals.
const MATCHES: u64 = 2000;
/// The most games that are counted when it is asked how many would do.
const MOST: u64 = 100_000;

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
    let seed: u64 = asked.number("seed", 1, 1, 100)?;
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
    let need =
        enough(score as f64 / 100.0).map_or_else(|| say("lesson-never-enough"), |n| n.to_string());
    Ok(Live::default()
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
        .say("llr", format!("{:.2}", bound.llr))
        .say("stop", format!("{:.2}", bound.upper))
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

    #[test]
    fn a_coin_is_fair() {
        assert!((by_chance(1, 1) - 0.5).abs() < 1e-12);
        assert!((by_chance(4, 3) - 5.0 / 16.0).abs() < 1e-12);
        assert!((by_chance(150, 0) - 1.0).abs() < 1e-9);
        let n = enough(0.56).unwrap();
        assert!(wilson(0.56, n).0 > 0.5 && wilson(0.56, n - 1).0 <= 0.5);
    }
}
