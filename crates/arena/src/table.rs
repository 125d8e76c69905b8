//! The table: who stands where, computed from the results alone.

use std::collections::BTreeSet;

use serde::Serialize;
use wits_game::Seat;

use crate::plan::{byes, knockout_standing};
use crate::stats::{self, Anchor, Counts, Glicko, Period, Points, Rating, Sequential, superiority};
use crate::{FaultKind, Format, Ledger, Plan};

/// How many games a player lost without being beaten.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Faults {
    /// By moves that the rules refuse.
    pub illegal: u64,
    /// By breaking down.
    pub crash: u64,
    /// By overstepping its time.
    pub late: u64,
    /// By never answering.
    pub hang: u64,
    /// By going away.
    pub disconnected: u64,
    /// By saying what nobody understands.
    pub unreadable: u64,
}

impl Faults {
    /// All of them.
    pub fn total(self) -> u64 {
        self.illegal + self.crash + self.late + self.hang + self.disconnected + self.unreadable
    }

    fn add(&mut self, kind: FaultKind) {
        *match kind {
            FaultKind::Illegal => &mut self.illegal,
            FaultKind::Crash => &mut self.crash,
            FaultKind::Late => &mut self.late,
            FaultKind::Hang => &mut self.hang,
            FaultKind::Disconnected => &mut self.disconnected,
            FaultKind::Unreadable => &mut self.unreadable,
        } += 1;
    }
}

/// One line of the table.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Row {
    /// The place in the tournament's list.
    pub player: usize,
    /// What tables call it.
    pub name: String,
    /// Its spec as it was written.
    pub spec: String,
    /// The seats it is bound to; nothing where it can take all.
    pub bound: Option<Vec<Seat>>,
    /// How many results count for it.
    pub results: u64,
    /// How many games it played.
    pub games: u64,
    /// Won.
    pub wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Lost.
    pub losses: u64,
    /// Its points.
    pub points: f64,
    /// Rounds it sat out; each counts as won in a Swiss tournament's order, and nowhere else.
    pub byes: u32,
    /// Its share of the points.
    pub score: f64,
    /// The 95% interval of that share.
    pub score_interval: (f64, f64),
    /// The rating by maximum likelihood.
    pub rating: Rating,
    /// How probable it is that it is stronger than the next of the table, by all results.
    pub ahead: Option<f64>,
    /// The rating by the sequential method.
    pub sequential: f64,
    /// The rating by Glicko-2.
    pub glicko: Glicko,
    /// What it did wrong.
    pub faults: Faults,
    /// The round it came to in a knockout.
    pub reached: Option<u32>,
    /// Milliseconds for a move, on average.
    pub ms_per_move: f64,
    /// Positions looked at for a move, on average.
    pub nodes_per_move: f64,
}

/// What two players did against each other, from the side of the first.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Cell {
    /// Won.
    pub wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Lost.
    pub losses: u64,
    /// The counts, by pairs where they can be.
    pub counts: Counts,
    /// The likelihood that the first is the stronger.
    pub superiority: f64,
}

/// The table of a run.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Table {
    /// The lines, the best first.
    pub rows: Vec<Row>,
    /// What each two did against each other, by places in the tournament's list; nothing where they did not meet.
    pub cross: Vec<Vec<Option<Cell>>>,
    /// How many games were played.
    pub games: u64,
    /// How many of them were different from all others.
    pub distinct: u64,
    /// Whether ratings had to be kept finite by an imaginary draw for everybody.
    pub bounded: bool,
    /// What players did wrong, the first few in words.
    pub faults: Vec<String>,
}

/// How many faults are told in words.
const TOLD: usize = 10;

impl Table {
    /// The table of some results.
    pub fn new(ledger: &Ledger<'_>, anchor: Anchor) -> Table {
        let t = ledger.tournament();
        let n = t.players.len();
        let mut points = Points::new(n);
        let mut wdl = vec![[0u64; 3]; n];
        for s in ledger.shares() {
            points.add(s.a, s.b, s.share);
            let at = (2.0 * s.share) as usize;
            wdl[s.a][at] += 1;
            wdl[s.b][2 - at] += 1;
        }
        let ratings = stats::rate(&points, anchor);
        let sequential = stats::sequential(
            n,
            by_turns(ledger).map(|s| (s.a, s.b, s.share)),
            Sequential::default(),
        );
        let glicko = stats::glicko(n, &periods(ledger), 0.5);
        let plan = Plan::new(t);
        let sat_out = match t.format {
            Format::Swiss { rounds } => byes(&plan, ledger, rounds),
            _ => vec![0; n],
        };
        let reached = (t.format == Format::Knockout).then(|| knockout_standing(&plan, ledger));
        let work = Work::of(ledger);
        let spreads = spread(ledger);
        let row = |p: usize| {
            let [losses, draws, wins] = wdl[p];
            let results = wins + draws + losses;
            let own = wins as f64 + draws as f64 / 2.0;
            let score = if results == 0 {
                0.5
            } else {
                own / results as f64
            };
            let (variance, units) = spreads[p];
            Row {
                player: p,
                name: t.players[p].name.clone(),
                spec: t.players[p].given.clone(),
                bound: (t.players[p].seats.len() < usize::from(t.seats))
                    .then(|| t.players[p].seats.clone()),
                results,
                games: work.games[p],
                wins,
                draws,
                losses,
                points: own,
                byes: sat_out[p],
                score,
                score_interval: stats::interval(score, variance, units, results),
                rating: ratings.players[p],
                ahead: None,
                sequential: sequential[p],
                glicko: glicko[p],
                faults: work.faults[p],
                reached: reached.as_ref().map(|r| r[p]),
                ms_per_move: work.micros[p] as f64 / 1000.0 / work.moves[p].max(1) as f64,
                nodes_per_move: work.nodes[p] as f64 / work.moves[p].max(1) as f64,
            }
        };
        let mut rows: Vec<Row> = (0..n).map(row).collect();
        rows.sort_by(|a, b| {
            let swiss = |r: &Row| r.points + f64::from(r.byes) * per_round(ledger);
            let by_points = || match t.format {
                Format::Swiss { .. } => swiss(b).total_cmp(&swiss(a)),
                _ => std::cmp::Ordering::Equal,
            };
            b.reached
                .cmp(&a.reached)
                .then_with(by_points)
                .then_with(|| b.rating.elo.total_cmp(&a.rating.elo))
                .then_with(|| a.player.cmp(&b.player))
        });
        for at in 1..rows.len() {
            let (better, next) = (rows[at - 1].player, rows[at].player);
            rows[at - 1].ahead = Some(ratings.superiority(better, next));
        }
        Table {
            rows,
            cross: cross(ledger, n),
            games: work.all,
            distinct: work.lines.len() as u64,
            bounded: ratings.bounded,
            faults: work.told,
        }
    }

    /// The line of a player, by its place in the tournament's list.
    pub fn of(&self, player: usize) -> Option<&Row> {
        self.rows.iter().find(|row| row.player == player)
    }
}

/// The results that one round of a Swiss tournament has for each player.
fn per_round(ledger: &Ledger<'_>) -> f64 {
    let t = ledger.tournament();
    let games = if t.compare == crate::Compare::Game && t.paired {
        2
    } else {
        1
    };
    f64::from(t.pairings * games)
}

/// Results pairing by pairing over the whole field: the order in which a tournament in one hall
/// would have been played.
fn by_turns<'a>(ledger: &'a Ledger<'_>) -> impl Iterator<Item = crate::Share> + 'a {
    let mut order: Vec<_> = ledger.results().collect();
    order.sort_by_key(|r| (r.round, r.index));
    order.into_iter().flat_map(|r| ledger.shares_of(r))
}

/// Every turn of the field is a period.
fn periods(ledger: &Ledger<'_>) -> Vec<Period> {
    let mut order: Vec<_> = ledger.results().collect();
    order.sort_by_key(|r| (r.round, r.index));
    order
        .chunk_by(|a, b| (a.round, a.index) == (b.round, b.index))
        .map(|turn| {
            turn.iter()
                .flat_map(|r| ledger.shares_of(r))
                .map(|s| (s.a, s.b, s.share))
                .collect()
        })
        .collect()
}

/// The variance of every player's share in a whole job, and how many jobs there were.
fn spread(ledger: &Ledger<'_>) -> Vec<(f64, u64)> {
    let mut shares = vec![Vec::new(); ledger.tournament().players.len()];
    for result in ledger.results() {
        let all = ledger.shares_of(result);
        for &player in &result.players {
            let mine = all.iter().filter_map(|s| match player {
                p if p == s.a => Some(s.share),
                p if p == s.b => Some(1.0 - s.share),
                _ => None,
            });
            let (sum, count) = mine.fold((0.0, 0.0), |(sum, count), s| (sum + s, count + 1.0));
            shares[player].push(sum / f64::max(count, 1.0));
        }
    }
    let variance = |own: &Vec<f64>| {
        let n = own.len().max(1) as f64;
        let mean = own.iter().sum::<f64>() / n;
        let sum: f64 = own.iter().map(|s| (s - mean) * (s - mean)).sum();
        (sum / n, own.len() as u64)
    };
    shares.iter().map(variance).collect()
}

fn cross(ledger: &Ledger<'_>, n: usize) -> Vec<Vec<Option<Cell>>> {
    let mut cells = vec![vec![None; n]; n];
    for ((a, b), ([losses, draws, wins], counts)) in ledger.meetings() {
        let cell = |wins, losses, counts| Cell {
            wins,
            draws,
            losses,
            counts,
            superiority: superiority(wins, losses),
        };
        cells[a][b] = Some(cell(wins, losses, counts));
        cells[b][a] = Some(cell(losses, wins, counts.turned()));
    }
    cells
}

/// What the games cost and what went wrong in them.
struct Work {
    all: u64,
    games: Vec<u64>,
    moves: Vec<u64>,
    micros: Vec<u64>,
    nodes: Vec<u64>,
    faults: Vec<Faults>,
    told: Vec<String>,
    lines: BTreeSet<String>,
}

impl Work {
    fn of(ledger: &Ledger<'_>) -> Work {
        let t = ledger.tournament();
        let n = t.players.len();
        let mut work = Work {
            all: 0,
            games: vec![0; n],
            moves: vec![0; n],
            micros: vec![0; n],
            nodes: vec![0; n],
            faults: vec![Faults::default(); n],
            told: Vec::new(),
            lines: BTreeSet::new(),
        };
        for result in ledger.results() {
            for game in &result.games {
                work.all += 1;
                work.lines.insert(game.line.clone());
                for (seat, &place) in game.seating.iter().enumerate() {
                    let p = result.players[place];
                    work.games[p] += 1;
                    work.moves[p] += u64::from(game.moves[seat]);
                    work.micros[p] += game.micros[seat];
                    work.nodes[p] += game.nodes[seat];
                }
                let Some(fault) = &game.fault else { continue };
                let p = result.players[game.seating[fault.seat.index()]];
                work.faults[p].add(fault.kind);
                if work.told.len() < TOLD {
                    let what = match fault.kind {
                        FaultKind::Illegal => "played an illegal move",
                        FaultKind::Crash => "broke down",
                        FaultKind::Late => "overstepped its time",
                        FaultKind::Hang => "did not answer",
                        FaultKind::Disconnected => "went away",
                        FaultKind::Unreadable => "said what nobody understands",
                    };
                    let detail = if fault.detail.is_empty() {
                        String::new()
                    } else {
                        format!(": {}", fault.detail)
                    };
                    let name = &t.players[p].name;
                    work.told.push(format!("`{name}` {what} and lost{detail}"));
                }
            }
        }
        work
    }
}
