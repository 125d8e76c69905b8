//! Elo's own bookkeeping: a correction after every game.

/// How the bookkeeping is done.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sequential {
    /// What everybody starts with.
    pub start: f64,
    /// How much one game can change.
    pub factor: f64,
}

impl Default for Sequential {
    /// Everybody starts at 1000 and a game moves at most 32 points.
    fn default() -> Self {
        Sequential {
            start: 1000.0,
            factor: 32.0,
        }
    }
}

/// Ratings corrected game after game (Elo 1978). The sum of all ratings stays what it was.
///
/// The last games weigh most and the order matters, so two equal players can end far apart: a table
/// made this way is read with care. It is here to be compared with such tables.
///
/// ```
/// use wits_arena::stats::{Sequential, sequential};
/// let ratings = sequential(2, [(0, 1, 1.0)], Sequential::default());
/// assert_eq!(ratings, [1016.0, 984.0]);
/// ```
pub fn sequential(
    players: usize,
    games: impl IntoIterator<Item = (usize, usize, f64)>,
    how: Sequential,
) -> Vec<f64> {
    let mut ratings = vec![how.start; players];
    for (a, b, share) in games {
        let change = how.factor * (share - super::expected(ratings[a] - ratings[b]));
        ratings[a] += change;
        ratings[b] -= change;
    }
    ratings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_players_drift_apart_but_the_sum_stays() {
        let games: Vec<(usize, usize, f64)> = (0..40)
            .map(|g| (0, 1, if g < 20 { 0.0 } else { 1.0 }))
            .collect();
        let ratings = sequential(2, games, Sequential::default());
        assert!((ratings[0] + ratings[1] - 2000.0).abs() < 1e-9);
        assert!(ratings[0] > ratings[1] + 50.0, "{ratings:?}");
    }
}
