//! Glicko-2: a rating that knows how sure it is.

use serde::Serialize;
use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2_rating_period};

/// A rating with its deviation and volatility.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Glicko {
    /// The rating.
    pub rating: f64,
    /// How far off it may be: one standard deviation.
    pub deviation: f64,
    /// How much it tends to change.
    pub volatility: f64,
}

impl Default for Glicko {
    /// A newcomer.
    fn default() -> Self {
        Glicko {
            rating: 1500.0,
            deviation: 350.0,
            volatility: 0.06,
        }
    }
}

/// The games of one period: the two players, and the share of the point that the first took.
pub type Period = Vec<(usize, usize, f64)>;

/// Rates players period by period (Glickman 2012), everybody beginning as a newcomer. Within a
/// period the order of games does not matter. `tau` says how readily volatility changes; 0.5 is usual.
pub fn glicko(players: usize, periods: &[Period], tau: f64) -> Vec<Glicko> {
    let config = Glicko2Config {
        tau,
        ..Glicko2Config::default()
    };
    let mut now: Vec<Glicko2Rating> = vec![of(Glicko::default()); players];
    for games in periods {
        let mut results = vec![Vec::new(); players];
        for &(a, b, share) in games {
            let (mine, theirs) = match share.total_cmp(&0.5) {
                std::cmp::Ordering::Greater => (Outcomes::WIN, Outcomes::LOSS),
                std::cmp::Ordering::Equal => (Outcomes::DRAW, Outcomes::DRAW),
                std::cmp::Ordering::Less => (Outcomes::LOSS, Outcomes::WIN),
            };
            results[a].push((now[b], mine));
            results[b].push((now[a], theirs));
        }
        now = now
            .iter()
            .zip(&results)
            .map(|(player, results)| glicko2_rating_period(player, results, &config))
            .collect();
    }
    now.into_iter().map(from).collect()
}

fn of(g: Glicko) -> Glicko2Rating {
    Glicko2Rating {
        rating: g.rating,
        deviation: g.deviation,
        volatility: g.volatility,
    }
}

fn from(g: Glicko2Rating) -> Glicko {
    Glicko {
        rating: g.rating,
        deviation: g.deviation,
        volatility: g.volatility,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The worked example of Glickman's own paper.
    #[test]
    fn the_published_example() {
        let me = Glicko2Rating {
            rating: 1500.0,
            deviation: 200.0,
            volatility: 0.06,
        };
        let foe = |rating, deviation| Glicko2Rating {
            rating,
            deviation,
            volatility: 0.06,
        };
        let results = [
            (foe(1400.0, 30.0), Outcomes::WIN),
            (foe(1550.0, 100.0), Outcomes::LOSS),
            (foe(1700.0, 300.0), Outcomes::LOSS),
        ];
        let config = Glicko2Config {
            tau: 0.5,
            ..Glicko2Config::default()
        };
        let after = from(glicko2_rating_period(&me, &results, &config));
        assert!((after.rating - 1464.05).abs() < 1e-2, "{after:?}");
        assert!((after.deviation - 151.52).abs() < 1e-2, "{after:?}");
        assert!((after.volatility - 0.0600).abs() < 1e-4, "{after:?}");
    }

    #[test]
    fn the_stronger_rises_and_everybody_becomes_surer() {
        let periods = vec![vec![(0, 1, 1.0), (0, 1, 1.0), (0, 1, 0.5)]; 5];
        let [a, b]: [Glicko; 2] = glicko(2, &periods, 0.5).try_into().unwrap();
        assert!(a.rating > 1600.0 && b.rating < 1400.0 && a.deviation < 200.0);
    }
}
