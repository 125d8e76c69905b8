//! How likely a game is won from a lead and a number of unseen tiles.
//!
//! For every number of tiles that the side to move does not see there are two numbers: what being on the move is worth in
//! points, and how many points of lead make e to 1. Both are fitted to games that [`super::leaves`] played against itself: each turn says
//! how far its side was ahead, with what both racks were worth, and who won in the end. Counts are whole numbers, so the
//! table does not depend on the number of threads.

use std::fmt::Write as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use wits_game::Seed;

use super::bout::{Bout, Step};
use super::learn::Lessons;
use super::leaves::Leaves;
use super::rating::best_step;
use crate::bench::bag;
use crate::generate::Engine;
use crate::settings::Settings;

/// Leads beyond this count as this.
const LEAD: i32 = 300;
const LEADS: usize = 2 * LEAD as usize + 1;
/// Neighbours are fitted together: as many unseen tiles more and less.
const NEAR: usize = 2;

/// The table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wins {
    /// For each number of unseen tiles what the move is worth and the scale, in hundredths of a point.
    rows: Vec<(i32, i32)>,
}

/// A table that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line} of the table of wins: `{text}` is not understood")]
pub struct BadWins {
    /// The line, from 1.
    pub line: usize,
    /// What stands there.
    pub text: String,
}

impl Wins {
    /// The chance of the side to move that is ahead by so many points, with so many tiles that it does not see.
    pub fn chance(&self, lead: f64, unseen: usize) -> f64 {
        let row = self.rows.get(unseen).or(self.rows.last());
        let Some(&(tempo, scale)) = row else {
            return 0.5;
        };
        let x = (lead * 100.0 + f64::from(tempo)) / f64::from(scale.max(1));
        1.0 / (1.0 + libm::exp(-x))
    }

    /// Writes the table: `wins UNSEEN TEMPO SCALE`.
    pub fn write(&self) -> String {
        let mut text = String::new();
        for (unseen, (tempo, scale)) in self.rows.iter().enumerate() {
            let _ = writeln!(text, "wins {unseen} {tempo} {scale}");
        }
        text
    }

    /// Reads a table that [`Wins::write`] wrote. Lines that begin with `#` are for the reader.
    pub fn read(text: &str) -> Result<Wins, BadWins> {
        let mut rows = Vec::new();
        for (at, row) in text.lines().enumerate() {
            let row = row.trim();
            if row.is_empty() || row.starts_with('#') {
                continue;
            }
            let bad = || BadWins {
                line: at + 1,
                text: row.chars().take(40).collect(),
            };
            let words: Vec<&str> = row.split_whitespace().collect();
            let ["wins", unseen, tempo, scale] = words[..] else {
                return Err(bad());
            };
            if unseen.parse() != Ok(rows.len()) {
                return Err(bad());
            }
            let number = |text: &str| text.parse::<i32>().map_err(|_| bad());
            rows.push((number(tempo)?, number(scale)?));
        }
        Ok(Wins { rows })
    }
}

/// For each number of unseen tiles and each lead: how many turns, and twice how many of them were won.
struct Counts(Vec<[u32; 2]>);

impl Counts {
    fn new(tiles: usize) -> Counts {
        Counts(vec![[0; 2]; (tiles + 1) * LEADS])
    }

    fn at(&mut self, unseen: usize, lead: i32) -> &mut [u32; 2] {
        let lead = (lead.clamp(-LEAD, LEAD) + LEAD) as usize;
        &mut self.0[unseen * LEADS + lead]
    }
}

/// What was learned: the table, and from how many turns.
#[derive(Clone, Debug)]
pub struct LearnedWins {
    /// The table.
    pub wins: Wins,
    /// How many turns were seen.
    pub turns: u64,
}

/// Learns a table from games by points and leaves; one generation. A raised flag ends it with nothing.
pub fn learn_wins(
    engine: &Engine,
    leaves: &Leaves,
    lessons: &Lessons,
    stop: &AtomicBool,
    each: &(dyn Fn(u64) + Sync),
) -> Option<LearnedWins> {
    let settings = Settings::usual(engine.tiles().language());
    let tiles = engine.tiles().bag().len();
    let next = AtomicU64::new(0);
    let total = Mutex::new(Counts::new(tiles));
    std::thread::scope(|scope| {
        for _ in 0..lessons.threads.max(1) {
            scope.spawn(|| {
                let mut counts = Counts::new(tiles);
                loop {
                    let game = next.fetch_add(1, Ordering::Relaxed);
                    if game >= lessons.games || stop.load(Ordering::Relaxed) {
                        break;
                    }
                    play(
                        engine,
                        &settings,
                        leaves,
                        lessons.seed.nth(game),
                        &mut counts,
                    );
                    each(game);
                }
                let mut total = total.lock().expect("no thread panics holding it");
                for (sum, new) in total.0.iter_mut().zip(&counts.0) {
                    sum[0] += new[0];
                    sum[1] += new[1];
                }
            });
        }
    });
    if stop.load(Ordering::Relaxed) {
        return None;
    }
    let counts = total.into_inner().expect("no thread panics holding it");
    let turns = counts.0.iter().map(|[turns, _]| u64::from(*turns)).sum();
    let rows = (0..=tiles).map(|unseen| fit(&counts, unseen, tiles));
    let wins = Wins {
        rows: rows.collect(),
    };
    Some(LearnedWins { wins, turns })
}

/// Plays one game and notes who was ahead in each turn, and who won.
fn play(engine: &Engine, settings: &Settings, leaves: &Leaves, seed: Seed, counts: &mut Counts) {
    let mut bout = Bout::new(engine, settings, bag(engine, seed));
    let mut held = [0; 2];
    let mut seen: Vec<(usize, usize, i32)> = Vec::new();
    while !bout.over {
        let me = bout.turn;
        let unseen = bout.bag.len() + bout.racks[1 - me].len();
        let lead = bout.spread(me) + (held[me] - held[1 - me]) / 100;
        seen.push((me, unseen, lead));
        let (step, worth) = best_step(&bout, leaves);
        let score = match step {
            Step::Lay(_, score) => score,
            _ => 0,
        };
        held[me] = worth - 100 * score;
        bout.step(&step);
    }
    for (seat, unseen, lead) in seen {
        let count = counts.at(unseen, lead);
        count[0] += 1;
        count[1] += (1 + bout.spread(seat).signum()) as u32;
    }
}

/// The two numbers that fit best (logistic regression by Newton's method, with a little weight on what is expected before
/// any game was seen: the move is worth nothing, and forty points are e to 1).
fn fit(counts: &Counts, unseen: usize, tiles: usize) -> (i32, i32) {
    let near = unseen.saturating_sub(NEAR)..=(unseen + NEAR).min(tiles);
    let mut cells: Vec<(f64, f64, f64)> = Vec::new();
    for lead in 0..LEADS {
        let (mut turns, mut won) = (0, 0);
        for row in near.clone() {
            let [n, w] = counts.0[row * LEADS + lead];
            turns += n;
            won += w;
        }
        if turns > 0 {
            let x = f64::from(lead as i32 - LEAD);
            cells.push((x, f64::from(turns), f64::from(won) / 2.0));
        }
    }
    // The logit is a + b x. The ridge keeps empty rows finite.
    let (ridge, usual) = (1.0, 1.0 / 40.0);
    let (mut a, mut b) = (0.0, usual);
    for _ in 0..50 {
        let (mut ga, mut gb) = (-ridge * a, -ridge * 1600.0 * (b - usual));
        let (mut haa, mut hab, mut hbb) = (ridge, 0.0, ridge * 1600.0);
        for &(x, turns, won) in &cells {
            let p = 1.0 / (1.0 + libm::exp(-(a + b * x)));
            let (gap, weight) = (won - turns * p, turns * p * (1.0 - p));
            ga += gap;
            gb += gap * x;
            haa += weight;
            hab += weight * x;
            hbb += weight * x * x;
        }
        let det = haa * hbb - hab * hab;
        let (da, db) = ((hbb * ga - hab * gb) / det, (haa * gb - hab * ga) / det);
        a += da;
        b = (b + db).clamp(usual / 20.0, usual * 40.0);
        if da.abs() < 1e-9 && db.abs() < 1e-12 {
            break;
        }
    }
    ((100.0 * a / b).round() as i32, (100.0 / b).round() as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_written_and_read() {
        let text = "# for the reader\nwins 0 100 500\nwins 1 0 4000\n";
        let wins = Wins::read(text).unwrap();
        assert_eq!(Wins::read(&wins.write()), Ok(wins.clone()));
        assert!((wins.chance(-1.0, 0) - 0.5).abs() < 1e-12);
        assert!((wins.chance(40.0, 1) - 0.731_058_578_6).abs() < 1e-9);
        assert!(wins.chance(40.0, 90) < wins.chance(41.0, 90));
        assert_eq!(Wins::read("wins 1 0 1").unwrap_err().line, 1);
    }

    #[test]
    fn the_fit_finds_the_law_that_made_the_counts() {
        let mut counts = Counts::new(10);
        for unseen in 0..=10 {
            for lead in -120..=120 {
                let p = 1.0 / (1.0 + libm::exp(-(f64::from(lead) + 12.0) / 33.0));
                *counts.at(unseen, lead) = [2_000, (4_000.0 * p).round() as u32];
            }
        }
        let (tempo, scale) = fit(&counts, 5, 10);
        assert!(
            (tempo - 1_200).abs() <= 5 && (scale - 3_300).abs() <= 5,
            "{tempo} {scale}"
        );
        // Nothing was seen: what is expected before.
        assert_eq!(fit(&Counts::new(10), 5, 10), (0, 4_000));
    }
}
