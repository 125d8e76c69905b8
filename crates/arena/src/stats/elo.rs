//! Ratings by maximum likelihood: the same table gives the same ratings, in whatever order it was played.

use serde::Serialize;

use super::{SCALE, Z95};

/// The points that every player took from every other.
#[derive(Clone, PartialEq, Debug)]
pub struct Points {
    players: usize,
    points: Vec<f64>,
}

impl Points {
    /// Nobody has played yet.
    pub fn new(players: usize) -> Points {
        Points {
            players,
            points: vec![0.0; players * players],
        }
    }

    /// How many players there are.
    pub fn players(&self) -> usize {
        self.players
    }

    /// Of one game between `a` and `b`, `a` took this share of the point and `b` the rest.
    pub fn add(&mut self, a: usize, b: usize, share: f64) {
        self.points[a * self.players + b] += share;
        self.points[b * self.players + a] += 1.0 - share;
    }

    /// What `a` took from `b`.
    pub fn of(&self, a: usize, b: usize) -> f64 {
        self.points[a * self.players + b]
    }

    /// How many games `a` and `b` played.
    pub fn games(&self, a: usize, b: usize) -> f64 {
        self.of(a, b) + self.of(b, a)
    }

    /// Whether everybody can be reached from everybody along "took points from": only then the
    /// likelihood has its greatest value at finite ratings (Ford 1957).
    fn connected(&self) -> bool {
        let reaches_all = |forward: bool| {
            let mut seen = vec![false; self.players];
            let mut open = vec![0];
            seen[0] = true;
            while let Some(at) = open.pop() {
                for (next, known) in seen.iter_mut().enumerate() {
                    let (a, b) = if forward { (at, next) } else { (next, at) };
                    if !*known && self.of(a, b) > 0.0 {
                        *known = true;
                        open.push(next);
                    }
                }
            }
            seen.into_iter().all(|known| known)
        };
        self.players > 0 && reaches_all(true) && reaches_all(false)
    }
}

/// Where the scale of ratings is held fast.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Anchor {
    /// The average of all players has this rating.
    Mean(f64),
    /// One player has this rating.
    Player(usize, f64),
}

/// The rating of one player.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Rating {
    /// In Elo points.
    pub elo: f64,
    /// Its 95% interval, relative to the anchor.
    pub interval: (f64, f64),
}

/// The ratings of a table.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Ratings {
    /// Player by player.
    pub players: Vec<Rating>,
    /// Whether a drawn game against an imaginary average player was added for everybody, because
    /// the results alone would make some rating infinite or leave groups that never met.
    pub bounded: bool,
    /// How the strengths vary together, in natural units.
    #[serde(skip)]
    spread: Vec<f64>,
}

impl Ratings {
    /// How probable it is that one player is stronger than another, by everybody's results and not only by
    /// their own games.
    pub fn superiority(&self, a: usize, b: usize) -> f64 {
        let n = self.players.len();
        let among = |i: usize, j: usize| self.spread[i * n + j];
        let variance = among(a, a) + among(b, b) - 2.0 * among(a, b);
        let ahead = (self.players[a].elo - self.players[b].elo) / SCALE;
        if variance <= 0.0 {
            return 0.5;
        }
        0.5 * libm::erfc(-ahead / (2.0 * variance).sqrt())
    }
}

/// The share of the points that somebody so much stronger is expected to take.
///
/// ```
/// use wits_arena::stats::expected;
/// assert_eq!(expected(0.0), 0.5);
/// assert!((expected(400.0) - 10.0 / 11.0).abs() < 1e-12);
/// ```
pub fn expected(elo: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-elo / SCALE))
}

/// The ratings under which the results are most likely (Zermelo 1929; Bradley and Terry 1952), a
/// draw being half a win, found by Newton's method; the intervals come from the curvature there.
///
/// # Complexity
/// O(players³) a step, and about ten steps.
///
/// # Example
/// ```
/// use wits_arena::stats::{Anchor, Points, rate};
/// let mut points = Points::new(2);
/// for game in 0..100 {
///     points.add(0, 1, if game < 75 { 1.0 } else { 0.0 });
/// }
/// let ratings = rate(&points, Anchor::Player(1, 1000.0));
/// assert!((ratings.players[0].elo - 1190.848_502).abs() < 1e-6);
/// ```
pub fn rate(points: &Points, anchor: Anchor) -> Ratings {
    let n = points.players;
    let bounded = n > 1 && !points.connected();
    let prior = if bounded { 1.0 } else { 0.0 };
    let mut at = vec![0.0; n];
    let mut spread = vec![0.0; n * n];
    for _ in 0..200 {
        let (slope, curve) = shape(points, &at, prior);
        spread = inverse(&curve, n);
        let mut longest: f64 = 0.0;
        let step: Vec<f64> = (0..n)
            .map(|i| (0..n).map(|j| spread[i * n + j] * slope[j]).sum())
            .inspect(|s: &f64| longest = longest.max(s.abs()))
            .collect();
        // Far from the top the curve is flat and a whole step would fly past it.
        let short = if longest > 1.0 { 1.0 / longest } else { 1.0 };
        for (a, s) in at.iter_mut().zip(&step) {
            *a += short * s;
        }
        if longest < 1e-12 {
            break;
        }
    }
    let mean = at.iter().sum::<f64>() / n.max(1) as f64;
    let (zero, base) = match anchor {
        Anchor::Mean(base) => (mean, base),
        Anchor::Player(p, base) => (at.get(p).copied().unwrap_or(mean), base),
    };
    let among = |i: usize, j: usize| spread[i * n + j];
    let rows: Vec<f64> = (0..n)
        .map(|i| (0..n).map(|j| among(i, j)).sum::<f64>() / n as f64)
        .collect();
    let whole = rows.iter().sum::<f64>() / n.max(1) as f64;
    // How far a player may be off against the anchor: what both share drops out.
    let variance = |i: usize| match anchor {
        Anchor::Player(p, _) if p < n => among(i, i) + among(p, p) - 2.0 * among(i, p),
        Anchor::Mean(_) | Anchor::Player(..) => among(i, i) - 2.0 * rows[i] + whole,
    };
    let rating = |i: usize| {
        let elo = base + (at[i] - zero) * SCALE;
        let wide = Z95 * SCALE * variance(i).max(0.0).sqrt();
        Rating {
            elo,
            interval: (elo - wide, elo + wide),
        }
    };
    let players = (0..n).map(rating).collect();
    Ratings {
        players,
        bounded,
        spread,
    }
}

/// The slope of the log-likelihood and its negated curvature. Without a prior the sum of all
/// ratings is free; a unit in its direction makes the curvature invertible and changes no step.
fn shape(points: &Points, at: &[f64], prior: f64) -> (Vec<f64>, Vec<f64>) {
    let n = at.len();
    let mut slope = vec![0.0; n];
    let mut curve = vec![if prior > 0.0 { 0.0 } else { 1.0 / n as f64 }; n * n];
    for i in 0..n {
        let own = expected(at[i] * SCALE);
        slope[i] += prior * (0.5 - own);
        curve[i * n + i] += prior * own * (1.0 - own);
        for j in 0..n {
            let games = points.games(i, j);
            if i == j || games == 0.0 {
                continue;
            }
            let p = expected((at[i] - at[j]) * SCALE);
            slope[i] += points.of(i, j) - games * p;
            curve[i * n + i] += games * p * (1.0 - p);
            curve[i * n + j] -= games * p * (1.0 - p);
        }
    }
    (slope, curve)
}

/// The inverse of a symmetric positive matrix, by elimination; a direction about which nothing is
/// known is left at zero.
pub(crate) fn inverse(matrix: &[f64], n: usize) -> Vec<f64> {
    let mut left = matrix.to_vec();
    let mut right = vec![0.0; n * n];
    for i in 0..n {
        right[i * n + i] = 1.0;
    }
    for column in 0..n {
        let best = (column..n).max_by(|&a, &b| {
            left[a * n + column]
                .abs()
                .total_cmp(&left[b * n + column].abs())
        });
        let Some(best) = best.filter(|&row| left[row * n + column].abs() > 1e-14) else {
            continue;
        };
        for k in 0..n {
            left.swap(column * n + k, best * n + k);
            right.swap(column * n + k, best * n + k);
        }
        let pivot = left[column * n + column];
        for k in 0..n {
            left[column * n + k] /= pivot;
            right[column * n + k] /= pivot;
        }
        for row in (0..n).filter(|&row| row != column) {
            let factor = left[row * n + column];
            if factor != 0.0 {
                for k in 0..n {
                    left[row * n + k] -= factor * left[column * n + k];
                    right[row * n + k] -= factor * right[column * n + k];
                }
            }
        }
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Zermelo's own iteration: slow, independent, the same answer.
    fn slow(points: &Points) -> Vec<f64> {
        let n = points.players();
        let mut strength = vec![1.0; n];
        for _ in 0..200_000 {
            let next: Vec<f64> = (0..n)
                .map(|i| {
                    let won: f64 = (0..n).map(|j| points.of(i, j)).sum();
                    let met: f64 = (0..n)
                        .filter(|&j| j != i)
                        .map(|j| points.games(i, j) / (strength[i] + strength[j]))
                        .sum();
                    won / met
                })
                .collect();
            let mean = (next.iter().map(|s: &f64| s.ln()).sum::<f64>() / n as f64).exp();
            strength = next.iter().map(|s| s / mean).collect();
        }
        strength.iter().map(|s: &f64| s.ln() * SCALE).collect()
    }

    fn table(n: usize, all: &[(usize, usize, f64, f64)]) -> Points {
        let mut points = Points::new(n);
        for &(a, b, mine, theirs) in all {
            points.points[a * n + b] += mine;
            points.points[b * n + a] += theirs;
        }
        points
    }

    #[test]
    fn newton_agrees_with_zermelo() {
        let points = table(
            4,
            &[
                (0, 1, 12.5, 7.5),
                (0, 2, 3.0, 17.0),
                (1, 2, 6.0, 14.0),
                (1, 3, 19.0, 1.0),
                (2, 3, 19.5, 0.5),
            ],
        );
        let ratings = rate(&points, Anchor::Mean(0.0));
        assert!(!ratings.bounded);
        for (fast, slow) in ratings.players.iter().zip(slow(&points)) {
            assert!((fast.elo - slow).abs() < 1e-6, "{} {slow}", fast.elo);
        }
    }

    #[test]
    fn the_interval_of_two_players_is_that_of_a_share() {
        // 64 of 100: the variance of the logit is 1/(n p (1-p)).
        let points = table(2, &[(0, 1, 64.0, 36.0)]);
        let rating = rate(&points, Anchor::Player(1, 0.0)).players[0];
        let wide = Z95 * SCALE / (100.0 * 0.64 * 0.36_f64).sqrt();
        assert!((rating.interval.1 - rating.elo - wide).abs() < 1e-6);
        let anchor = rate(&points, Anchor::Player(1, 0.0)).players[1];
        assert_eq!(anchor.interval, (0.0, 0.0));
    }

    #[test]
    fn superiority_counts_all_results() {
        // Two players alone: as the share says, in the logistic approximation.
        let two = rate(&table(2, &[(0, 1, 60.0, 40.0)]), Anchor::Mean(0.0));
        assert!((two.superiority(0, 1) - 0.976).abs() < 0.002);
        assert!((two.superiority(0, 1) + two.superiority(1, 0) - 1.0).abs() < 1e-12);
        // The first lost narrowly to the second, and did far better against everybody else.
        let points = table(
            4,
            &[
                (0, 1, 9.0, 11.0),
                (0, 2, 18.0, 2.0),
                (0, 3, 18.0, 2.0),
                (1, 2, 10.0, 10.0),
                (1, 3, 10.0, 10.0),
                (2, 3, 10.0, 10.0),
            ],
        );
        let all = rate(&points, Anchor::Mean(0.0));
        assert!(all.players[0].elo > all.players[1].elo);
        assert!(all.superiority(0, 1) > 0.9, "{}", all.superiority(0, 1));
    }

    #[test]
    fn who_wins_everything_stays_finite_and_the_table_says_so() {
        let ratings = rate(
            &table(3, &[(0, 1, 10.0, 0.0), (1, 2, 5.0, 5.0)]),
            Anchor::Mean(0.0),
        );
        assert!(ratings.bounded);
        assert!(
            ratings
                .players
                .iter()
                .all(|r| r.elo.is_finite() && r.elo.abs() < 2000.0)
        );
        assert!(ratings.players[0].elo > ratings.players[1].elo + 100.0);
        // Two groups that never met can still be listed.
        let apart = rate(
            &table(4, &[(0, 1, 6.0, 4.0), (2, 3, 6.0, 4.0)]),
            Anchor::Mean(0.0),
        );
        assert!(apart.bounded && (apart.players[0].elo - apart.players[2].elo).abs() < 1e-6);
        let nobody = rate(&Points::new(2), Anchor::Mean(1000.0));
        assert!((nobody.players[0].elo - 1000.0).abs() < 1e-9);
        assert!(rate(&Points::new(0), Anchor::Mean(0.0)).players.is_empty());
    }
}
