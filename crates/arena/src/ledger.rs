//! Results in the order of the plan, and what they are worth in points.

use std::collections::BTreeMap;

use crate::stats::Counts;
use crate::{Compare, GameResult, JobResult, Ties, Tournament};

/// One result between two players.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Share {
    /// The first player.
    pub a: usize,
    /// The second player.
    pub b: usize,
    /// The share of the point that the first took: 1, ½ or 0.
    pub share: f64,
}

type Key<'a> = (u32, &'a [usize], u32);

/// All results of a run, in the order of the plan and not of their arrival.
pub struct Ledger<'a> {
    tournament: &'a Tournament,
    results: BTreeMap<Key<'a>, &'a JobResult>,
    quotients: Vec<f64>,
}

impl<'a> Ledger<'a> {
    /// The results of a tournament, in any order.
    pub fn new(
        tournament: &'a Tournament,
        results: impl IntoIterator<Item = &'a JobResult>,
    ) -> Ledger<'a> {
        let key = |r: &'a JobResult| (r.round, r.players.as_slice(), r.index);
        let mut ledger = Ledger {
            tournament,
            results: results.into_iter().map(|r| (key(r), r)).collect(),
            quotients: Vec::new(),
        };
        ledger.quotients = ledger.brightwell();
        ledger
    }

    /// The tournament.
    pub fn tournament(&self) -> &'a Tournament {
        self.tournament
    }

    /// All results, in order.
    pub fn results(&self) -> impl Iterator<Item = &'a JobResult> {
        self.results.values().copied()
    }

    /// How many jobs were played.
    pub fn len(&self) -> usize {
        self.results.len()
    }

    /// Whether nothing was played yet.
    pub fn is_empty(&self) -> bool {
        self.results.is_empty()
    }

    /// Whether a job was played.
    pub fn has(&self, round: u32, players: &[usize], index: u32) -> bool {
        self.results.contains_key(&(round, players, index))
    }

    /// The games of a result, pairing by pairing.
    fn pairings<'r>(
        &self,
        result: &'r JobResult,
    ) -> impl Iterator<Item = &'r [GameResult]> + use<'r> {
        let size = if self.tournament.paired {
            self.tournament.seatings(&result.players).len()
        } else {
            1
        };
        result.games.chunks(size.max(1))
    }

    /// What `a` took of the point in one game, both being places in the job.
    fn of_game(&self, players: &[usize], game: &GameResult, a: usize, b: usize) -> f64 {
        let seat = |place| game.seating.iter().position(|&p| p == place).unwrap_or(0);
        let (sa, sb) = (seat(a), seat(b));
        match game.payoffs[sa].cmp(&game.payoffs[sb]) {
            std::cmp::Ordering::Greater => 1.0,
            std::cmp::Ordering::Less => 0.0,
            std::cmp::Ordering::Equal => match self.tournament.ties {
                Ties::Half | Ties::Replay { .. } => 0.5,
                Ties::Time => less_is_better(game.micros[sa], game.micros[sb]),
                Ties::Brightwell { .. } => match self.quotients.get(players[a]) {
                    Some(mine) => match mine.total_cmp(&self.quotients[players[b]]) {
                        std::cmp::Ordering::Greater => 1.0,
                        std::cmp::Ordering::Less => 0.0,
                        std::cmp::Ordering::Equal => 0.5,
                    },
                    None => 0.5,
                },
            },
        }
    }

    /// What `a` took of the point in a whole pairing, by summed payoff.
    fn of_pairing(&self, players: &[usize], games: &[GameResult], a: usize, b: usize) -> f64 {
        let sum = |place: usize| -> i64 {
            let of = |game: &GameResult| {
                let seat = game.seating.iter().position(|&p| p == place);
                seat.map_or(0, |s| i64::from(game.payoffs[s]))
            };
            games.iter().map(of).sum()
        };
        match (sum(a), sum(b)) {
            (mine, theirs) if mine > theirs => 1.0,
            (mine, theirs) if mine < theirs => 0.0,
            _ if games.len() == 1 => self.of_game(players, &games[0], a, b),
            _ => 0.5,
        }
    }

    /// The results between every two players of one job, as they count.
    pub fn shares_of(&self, result: &JobResult) -> Vec<Share> {
        let aged = self.aged_shares(result);
        aged.into_iter().map(|(_, share)| share).collect()
    }

    /// The same, each with the number of its pairing in the job: a learner's age.
    pub fn aged_shares(&self, result: &JobResult) -> Vec<(usize, Share)> {
        let mut shares = Vec::new();
        for (year, games) in self.pairings(result).enumerate() {
            each_two(&result.players, |a, b| {
                let mut add = |share| {
                    let (a, b) = (result.players[a], result.players[b]);
                    shares.push((year, Share { a, b, share }));
                };
                match self.tournament.compare {
                    Compare::Pair => add(self.of_pairing(&result.players, games, a, b)),
                    Compare::Game => {
                        for game in games {
                            add(self.of_game(&result.players, game, a, b));
                        }
                    }
                }
            });
        }
        shares
    }

    /// All results between two players, as they count, in order.
    pub fn shares(&self) -> impl Iterator<Item = Share> {
        self.results().flat_map(|r| self.shares_of(r))
    }

    /// The share of the points that `a` took from `b`, in one round or in all.
    pub fn share(&self, round: Option<u32>, a: usize, b: usize) -> f64 {
        let of = |r: &&JobResult| round.is_none_or(|n| r.round == n);
        self.mean(self.results().filter(of), a, b)
    }

    /// The share that `a` took from `b` in the first so many pairings of a round.
    pub(crate) fn share_of_first(&self, round: u32, a: usize, b: usize, pairings: u32) -> f64 {
        let of = |r: &&JobResult| r.round == round && r.index < pairings;
        self.mean(self.results().filter(of), a, b)
    }

    fn mean<'r>(&self, results: impl Iterator<Item = &'r JobResult>, a: usize, b: usize) -> f64 {
        let (mut sum, mut count) = (0.0, 0.0);
        for s in results
            .filter(|r| r.players.contains(&a) && r.players.contains(&b))
            .flat_map(|r| self.shares_of(r))
        {
            if (s.a, s.b) == (a, b) {
                sum += s.share;
            } else if (s.a, s.b) == (b, a) {
                sum += 1.0 - s.share;
            } else {
                continue;
            }
            count += 1.0;
        }
        if count == 0.0 { 0.5 } else { sum / count }
    }

    /// What `a` took from `b`: by pairs where every pairing had two games that count, else by games.
    pub fn counts(&self, a: usize, b: usize) -> Counts {
        self.counts_of(self.results(), a, b)
    }

    /// The counts after the first job, after two, and so on as far as none is missing: what a
    /// sequential test looks at, whatever the order of arrival.
    pub fn growing(&self, a: usize, b: usize) -> Vec<Counts> {
        let mut all = Vec::new();
        let theirs = |r: &&JobResult| r.round == 0 && r.players == [a.min(b), a.max(b)];
        for (expected, result) in (0..).zip(self.results().filter(theirs)) {
            if result.index != expected {
                break;
            }
            let one = self.counts_of(std::iter::once(result), a, b);
            let sum = match (all.last(), one) {
                (Some(Counts::Games(before)), Counts::Games(now)) => {
                    Counts::Games(std::array::from_fn(|i| before[i] + now[i]))
                }
                (Some(Counts::Pairs(before)), Counts::Pairs(now)) => {
                    Counts::Pairs(std::array::from_fn(|i| before[i] + now[i]))
                }
                (_, one) => one,
            };
            all.push(sum);
        }
        all
    }

    fn counts_of<'r>(
        &self,
        results: impl Iterator<Item = &'r JobResult>,
        a: usize,
        b: usize,
    ) -> Counts {
        let mut counts = self.no_counts(a, b);
        for result in results.filter(|r| r.players.contains(&a) && r.players.contains(&b)) {
            let mine: Vec<f64> = self
                .shares_of(result)
                .iter()
                .filter_map(|s| match (s.a, s.b) {
                    ab if ab == (a, b) => Some(s.share),
                    ba if ba == (b, a) => Some(1.0 - s.share),
                    _ => None,
                })
                .collect();
            add(&mut counts, &mine);
        }
        counts
    }

    /// Counts of nothing, of the kind that two players have.
    fn no_counts(&self, a: usize, b: usize) -> Counts {
        let t = self.tournament;
        let by_pairs = t.compare == Compare::Game
            && t.paired
            && t.seats == 2
            && t.seatings(&[a.min(b), a.max(b)]).len() == 2;
        if by_pairs {
            Counts::Pairs([0; 5])
        } else {
            Counts::Games([0; 3])
        }
    }

    /// What every two players did against each other, the one with the smaller place first: lost,
    /// drawn and won, and the counts by pairs. One walk over all results.
    pub fn meetings(&self) -> BTreeMap<(usize, usize), ([u64; 3], Counts)> {
        let mut all = BTreeMap::new();
        for result in self.results() {
            let shares = self.shares_of(result);
            each_two(&result.players, |x, y| {
                let (a, b) = (result.players[x], result.players[y]);
                let mine: Vec<f64> = shares
                    .iter()
                    .filter(|s| (s.a, s.b) == (a, b))
                    .map(|s| s.share)
                    .collect();
                let (wdl, counts) = all
                    .entry((a, b))
                    .or_insert_with(|| ([0; 3], self.no_counts(a, b)));
                for share in &mine {
                    wdl[(2.0 * share) as usize] += 1;
                }
                add(counts, &mine);
            });
        }
        all
    }

    /// Brightwell's quotient of every player: `c` times the points of all opponents met, and half of
    /// all margins. It is asked for only where draws are decided by it.
    fn brightwell(&self) -> Vec<f64> {
        let Ties::Brightwell { c } = self.tournament.ties else {
            return Vec::new();
        };
        let n = self.tournament.players.len();
        let mut points = vec![0.0; n];
        // No quotients yet, so a draw is half a point here.
        for s in self.shares() {
            points[s.a] += s.share;
            points[s.b] += 1.0 - s.share;
        }
        let mut quotients = vec![0.0; n];
        for result in self.results() {
            for game in &result.games {
                for (seat, &place) in game.seating.iter().enumerate() {
                    let best_other = (0..game.payoffs.len())
                        .filter(|&s| s != seat)
                        .map(|s| game.payoffs[s])
                        .max();
                    let margin = game.payoffs[seat] - best_other.unwrap_or(0);
                    let me = result.players[place];
                    quotients[me] += f64::from(margin) / 4.0;
                    for &other in result.players.iter().filter(|&&p| p != me) {
                        quotients[me] += c * points[other];
                    }
                }
            }
        }
        quotients
    }
}

/// Adds the shares of one job.
fn add(counts: &mut Counts, shares: &[f64]) {
    match counts {
        Counts::Games(games) => {
            for share in shares {
                games[(2.0 * share) as usize] += 1;
            }
        }
        Counts::Pairs(pairs) => {
            for pair in shares.chunks(2) {
                pairs[(2.0 * pair.iter().sum::<f64>()) as usize] += 1;
            }
        }
    }
}

fn less_is_better(mine: u64, theirs: u64) -> f64 {
    match mine.cmp(&theirs) {
        std::cmp::Ordering::Less => 1.0,
        std::cmp::Ordering::Equal => 0.5,
        std::cmp::Ordering::Greater => 0.0,
    }
}

fn each_two(players: &[usize], mut f: impl FnMut(usize, usize)) {
    for a in 0..players.len() {
        for b in a + 1..players.len() {
            f(a, b);
        }
    }
}
