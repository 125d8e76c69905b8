//! What random games look like, move by move.

use serde::Serialize;
use wits_game::{Dice, Game, Seat, Seed};

use crate::drawing::{Curve, Plot};
use crate::teach::plain;
use crate::{Heuristic, NoMove, Othello, Position, Square, Start};

/// What is known of the positions with one move number.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Row {
    /// The number of the move to be made.
    pub move_number: i32,
    /// Distinct positions seen.
    pub states: u64,
    /// Distinct finished positions seen.
    pub finals: u64,
    /// The mean number of legal moves.
    pub branching: f64,
    /// The fewest legal moves.
    pub least: u32,
    /// The most legal moves.
    pub most: u32,
}

/// What many random games came to.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Stats {
    /// How many games were played.
    pub games: u64,
    /// Distinct positions seen.
    pub states: u64,
    /// The share of positions where Black is to move if and only if the number of discs is even.
    pub parity_rule: f64,
    /// The share of positions that "equal counts, so Black moves, else White" gets right.
    pub equal_rule: f64,
    /// The share of games with a pass.
    pub games_with_pass: f64,
    /// The share of positions that were reached by a pass.
    pub states_after_pass: f64,
    /// The share of games that fill the board.
    pub full: f64,
    /// The fewest legal moves anywhere: none, where a game ends.
    pub least: u32,
    /// The most legal moves anywhere.
    pub most: u32,
    /// The mean number of legal moves over all positions.
    pub mean: f64,
    /// The mean of the means of each move number.
    pub expected: f64,
    /// Move by move.
    pub rows: Vec<Row>,
}

/// Plays random games and counts. `progress` hears how many are done and may end it by false.
pub fn random_games(games: u64, seed: Seed, progress: &mut dyn FnMut(u64) -> bool) -> Stats {
    let mut seen: Vec<(Position, bool)> = Vec::new();
    let (mut played, mut passed_games, mut full) = (0, 0u64, 0u64);
    for number in 0..games {
        if !progress(number) {
            break;
        }
        played += 1;
        let mut dice = Dice::new(seed.nth(number));
        let mut p = Position::START;
        let (mut passed, mut any) = (false, false);
        loop {
            seen.push((p, passed));
            let open: Vec<Square> = Square::all(p.moves()).collect();
            let Some(&square) = dice.pick(&open) else {
                break;
            };
            let next = p.played(square);
            passed = next.turn == p.turn && !next.over();
            any |= passed;
            p = next;
        }
        passed_games += u64::from(any);
        full += u64::from(p.taken() == crate::bits::ALL);
    }
    seen.sort_unstable();
    seen.dedup_by_key(|s| s.0);
    tally(&seen, played, passed_games, full)
}

/// Moves have the numbers -3 to 60; the full board waits for number 61.
const NUMBERS: usize = 65;

/// The place of a position among the numbers of moves.
fn place(p: &Position) -> usize {
    (p.move_number() + 3).clamp(0, NUMBERS as i32 - 1) as usize
}

fn tally(seen: &[(Position, bool)], games: u64, passed_games: u64, full: u64) -> Stats {
    let mut rows = vec![
        Row {
            least: u32::MAX,
            ..Row::default()
        };
        NUMBERS
    ];
    let (mut parity, mut equal, mut after_pass, mut sum, mut most) = (0u64, 0u64, 0u64, 0u64, 0);
    let mut sums = [0u64; NUMBERS];
    for (p, passed) in seen {
        let moves = p.moves().count_ones();
        let at = place(p);
        let row = &mut rows[at];
        row.move_number = p.move_number();
        row.states += 1;
        row.finals += u64::from(moves == 0);
        row.least = row.least.min(moves);
        row.most = row.most.max(moves);
        sums[at] += u64::from(moves);
        sum += u64::from(moves);
        most = most.max(moves);
        let (black, white) = p.score();
        let blacks_turn = p.turn == Seat::FIRST;
        parity += u64::from(((black + white) % 2 == 0) == blacks_turn);
        equal += u64::from((black == white) == blacks_turn);
        after_pass += u64::from(*passed);
    }
    for (row, sum) in rows.iter_mut().zip(sums) {
        row.branching = sum as f64 / row.states.max(1) as f64;
    }
    rows.retain(|row| row.states > 0);
    let share = |part: u64| part as f64 / seen.len().max(1) as f64;
    let games_share = |part: u64| part as f64 / games.max(1) as f64;
    Stats {
        games,
        states: seen.len() as u64,
        parity_rule: share(parity),
        equal_rule: share(equal),
        games_with_pass: games_share(passed_games),
        states_after_pass: share(after_pass),
        full: games_share(full),
        least: rows.iter().map(|r| r.least).min().unwrap_or(0),
        most,
        mean: share(sum),
        expected: rows.iter().map(|r| r.branching).sum::<f64>() / rows.len().max(1) as f64,
        rows,
    }
}

/// How many positions there are at an early move number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Early {
    /// The number of the move to be made, from -3 with an empty board on.
    pub move_number: i32,
    /// All positions that legal play from the empty board leads to, symmetric ones counted apart.
    pub states: u64,
}

/// Counts the positions of the first moves from the empty board of the old Reversi, all of them, up
/// to a move number.
pub fn early(last: i32) -> Vec<Early> {
    let game = Othello::new(8, Start::Reversi, NoMove::Pass).unwrap_or_default();
    let mut level = vec![game.start()];
    let mut rows = Vec::new();
    for move_number in -3..=last {
        let states = level.len() as u64;
        rows.push(Early {
            move_number,
            states,
        });
        let mut next: Vec<Position> = level
            .iter()
            .flat_map(|p| Square::all(game.squares(p)).map(|s| game.after(p, s)))
            .collect();
        next.sort_unstable();
        next.dedup();
        level = next;
    }
    rows
}

fn curve<T>(name: &str, rows: &[T], point: impl Fn(&T) -> (i32, f64)) -> Curve {
    let points = rows.iter().map(point);
    Curve {
        name: name.to_owned(),
        points: points.map(|(x, y)| (f64::from(x), y)).collect(),
    }
}

/// The report's figures 4 to 6: positions of the first moves, plainly and by powers of ten, and the
/// branching by move number. Each with the number of its figure.
pub fn figures(stats: &Stats, early: &[Early]) -> Vec<(u32, Plot)> {
    let states = |from: i32, to: i32| {
        let some: Vec<Early> = early
            .iter()
            .copied()
            .filter(|e| (from..=to).contains(&e.move_number))
            .collect();
        vec![curve("", &some, |e| (e.move_number, e.states as f64))]
    };
    let plot = |title: &str, upright: &str, log, curves| Plot {
        title: title.to_owned(),
        upright: upright.to_owned(),
        log,
        curves,
    };
    let rows = &stats.rows;
    vec![
        (
            4,
            plot(
                "Positions before moves -3 to 3",
                "positions",
                false,
                states(-3, 3),
            ),
        ),
        (
            5,
            plot(
                "Positions before moves -2 to 8",
                "positions, powers of ten",
                true,
                states(-2, 8),
            ),
        ),
        (
            6,
            plot(
                "Legal moves by the number of the move, random games",
                "legal moves",
                false,
                vec![
                    curve("mean", rows, |r| (r.move_number, r.branching)),
                    curve("most", rows, |r| (r.move_number, f64::from(r.most))),
                    curve("fewest", rows, |r| (r.move_number, f64::from(r.least))),
                ],
            ),
        ),
    ]
}

/// The report's figure 12: visited nodes with and without cuts, by move number.
pub fn nodes_figure(rows: &[Nodes], depth: u32) -> (u32, Plot) {
    let plot = Plot {
        title: format!("Visited nodes by the number of the move, depth {depth}"),
        upright: "nodes, mean".to_owned(),
        log: false,
        curves: vec![
            curve("minimax", rows, |r| (r.move_number, r.minimax)),
            curve("alpha-beta", rows, |r| (r.move_number, r.alphabeta)),
        ],
    };
    (12, plot)
}

/// Mean visited nodes of plain minimax and plain alpha-beta at one move number.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Nodes {
    /// The number of the move to be made.
    pub move_number: i32,
    /// Nodes of minimax.
    pub minimax: f64,
    /// Nodes of alpha-beta.
    pub alphabeta: f64,
}

/// Compares the two searches on random games, move by move. `progress` hears how many games are done
/// and may end it by false.
pub fn nodes(
    games: u64,
    depth: u32,
    heuristic: Heuristic,
    seed: Seed,
    progress: &mut dyn FnMut(u64) -> bool,
) -> Vec<Nodes> {
    let mut sums = [(0u64, 0u64, 0u64); NUMBERS];
    for number in 0..games {
        if !progress(number) {
            break;
        }
        let mut dice = Dice::new(seed.nth(number));
        let mut p = Position::START;
        loop {
            let open: Vec<Square> = Square::all(p.moves()).collect();
            let Some(&square) = dice.pick(&open) else {
                break;
            };
            let at = &mut sums[place(&p)];
            at.0 += 1;
            at.1 += plain(&p, heuristic, depth, false).nodes;
            at.2 += plain(&p, heuristic, depth, true).nodes;
            p = p.played(square);
        }
    }
    let rows = sums.iter().enumerate().filter(|(_, s)| s.0 > 0);
    rows.map(|(i, &(count, minimax, alphabeta))| Nodes {
        move_number: i as i32 - 3,
        minimax: minimax as f64 / count as f64,
        alphabeta: alphabeta as f64 / count as f64,
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_games_look_as_known() {
        let stats = random_games(400, Seed::new(1), &mut |_| true);
        assert!(
            (0.95..1.0).contains(&stats.parity_rule),
            "{}",
            stats.parity_rule
        );
        assert!(
            (0.55..0.8).contains(&stats.equal_rule),
            "{}",
            stats.equal_rule
        );
        assert!((7.0..10.0).contains(&stats.mean), "{}", stats.mean);
        assert!(stats.most >= 15 && stats.most <= 33);
        assert_eq!(stats.rows[0].states, 1);
        assert_eq!(stats.rows[1].states, 4);
        // Only games that are over reach the number after the last move.
        let last = stats
            .rows
            .last()
            .map(|row| (row.move_number, row.branching));
        assert_eq!(last, Some((61, 0.0)));
        let numbers: Vec<i32> = stats.rows.iter().map(|row| row.move_number).collect();
        assert_eq!(numbers, (1..=61).collect::<Vec<i32>>());
        assert_eq!(stats, random_games(400, Seed::new(1), &mut |_| true));
        assert_eq!(stats.least, 0, "games end");
        let nodes = nodes(2, 2, Heuristic::Korman, Seed::new(1), &mut |_| true);
        assert!(nodes.iter().all(|n| n.alphabeta <= n.minimax));
        assert!((nodes[0].minimax - 17.0).abs() < 1e-9, "{:?}", nodes[0]);
    }

    #[test]
    fn the_first_positions_are_all_counted() {
        let rows = early(4);
        // The first disc has four squares, then 4*3, and so on; discs of one side are alike.
        let counts: Vec<u64> = rows.iter().map(|r| r.states).collect();
        assert_eq!(counts[..5], [1, 4, 12, 12, 6]);
        assert_eq!(rows[4].move_number, 1);
        // Two of the six patterns are the cross in both colourings, four are parallel rows.
        let stats = random_games(5, Seed::new(1), &mut |_| true);
        let drawn = figures(&stats, &rows);
        assert_eq!(drawn.iter().map(|f| f.0).collect::<Vec<u32>>(), [4, 5, 6]);
        assert!(drawn.iter().all(|f| f.1.svg().contains("<polyline")));
    }
}
