//! Wins, draws and losses, one by one or by pairs of games.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use wits_play::wilson;

/// What one side's results came to: by games, or by pairs of games with seats exchanged.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Counts {
    /// Lost, drawn, won.
    Games([u64; 3]),
    /// Pairs that gave 0, ½, 1, 1½ and 2 points. They say more than games do, because what an
    /// opening gives to a colour cancels out within a pair.
    Pairs([u64; 5]),
}

impl Counts {
    /// The counts, the worst result first.
    pub fn list(&self) -> &[u64] {
        match self {
            Counts::Games(list) => list,
            Counts::Pairs(list) => list,
        }
    }

    /// How many games or pairs.
    pub fn total(&self) -> u64 {
        self.list().iter().sum()
    }

    /// The share of the points that were taken.
    pub fn score(&self) -> f64 {
        let most = (self.list().len() - 1) as f64;
        let sum: f64 = (0..)
            .zip(self.list())
            .map(|(i, &n)| f64::from(i) / most * n as f64)
            .sum();
        if self.total() == 0 {
            0.5
        } else {
            sum / self.total() as f64
        }
    }

    /// The variance of the result of one game or pair, as a share of the points.
    pub fn variance(&self) -> f64 {
        let (most, mean) = ((self.list().len() - 1) as f64, self.score());
        let sum: f64 = (0..)
            .zip(self.list())
            .map(|(i, &n)| {
                let off = f64::from(i) / most - mean;
                off * off * n as f64
            })
            .sum();
        sum / self.total().max(1) as f64
    }

    /// The 95% interval of the score.
    pub fn interval(&self) -> (f64, f64) {
        let games = match self {
            Counts::Games(_) => self.total(),
            Counts::Pairs(_) => 2 * self.total(),
        };
        interval(self.score(), self.variance(), self.total(), games)
    }

    /// The same results seen from the other side.
    pub fn turned(mut self) -> Counts {
        match &mut self {
            Counts::Games(list) => list.reverse(),
            Counts::Pairs(list) => list.reverse(),
        }
        self
    }
}

/// Text that gives no counts.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "`{0}` gives no counts; write lost,drawn,won as in `10,20,15`, or pairs with 0, ½, 1, 1½ and 2 points as in `5,40,120,50,8`"
)]
pub struct NotCounts(String);

impl FromStr for Counts {
    type Err = NotCounts;

    fn from_str(text: &str) -> Result<Counts, NotCounts> {
        let bad = || NotCounts(text.chars().take(60).collect());
        let number = |part: &str| part.trim().parse::<u32>().map(u64::from);
        let list: Vec<u64> = text
            .split(',')
            .map(number)
            .collect::<Result<_, _>>()
            .map_err(|_| bad())?;
        if let Ok(games) = <[u64; 3]>::try_from(list.as_slice()) {
            Ok(Counts::Games(games))
        } else {
            let pairs = <[u64; 5]>::try_from(list.as_slice()).map_err(|_| bad())?;
            Ok(Counts::Pairs(pairs))
        }
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list: Vec<String> = self.list().iter().map(ToString::to_string).collect();
        f.write_str(&list.join(","))
    }
}

/// The 95% interval of a score: `units` results of this variance that took `games` games.
///
/// It is Wilson's with as many trials as would give this variance, but never more than games were
/// played: a few results that happen to agree do not make us sure.
pub fn interval(score: f64, variance: f64, units: u64, games: u64) -> (f64, f64) {
    let even = score * (1.0 - score);
    let worth = if variance > 0.0 && even > 0.0 {
        (units as f64 * even / variance).floor().max(1.0) as u64
    } else {
        games
    };
    wilson(score, worth.min(games))
}

/// The likelihood of superiority: how probable it is that the one who won `wins` and lost `losses`
/// is the stronger one, if nothing else is known. Draws say nothing.
///
/// ```
/// use wits_arena::stats::superiority;
/// assert_eq!(superiority(7, 7), 0.5);
/// assert!((superiority(60, 40) - 0.977_250).abs() < 1e-6);
/// ```
pub fn superiority(wins: u64, losses: u64) -> f64 {
    let decided = (wins + losses) as f64;
    if decided == 0.0 {
        return 0.5;
    }
    let ahead = (wins as f64 - losses as f64) / (2.0 * decided).sqrt();
    f64::midpoint(1.0, libm::erf(ahead))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_read_and_written() {
        for text in ["10,20,15", "5,40,120,50,8"] {
            assert_eq!(text.parse::<Counts>().unwrap().to_string(), text);
        }
        for text in [
            "",
            "1,2",
            "1,2,3,4",
            "1,-2,3",
            "a,b,c",
            "1,2,3,4,5,6",
            "99999999999,1,1",
        ] {
            assert!(text.parse::<Counts>().is_err(), "{text}");
        }
    }

    #[test]
    fn pairs_that_always_split_are_even_and_not_surer_than_their_games() {
        let split = Counts::Pairs([0, 0, 50, 0, 0]);
        assert_eq!((split.score(), split.variance()), (0.5, 0.0));
        assert_eq!(split.interval(), wilson(0.5, 100));
        // Pairs that agree with themselves are worth one game each.
        let same = Counts::Pairs([25, 0, 0, 0, 25]);
        assert_eq!(same.interval(), wilson(0.5, 50));
        assert_eq!(Counts::Games([1, 2, 3]).turned(), Counts::Games([3, 2, 1]));
    }
}
