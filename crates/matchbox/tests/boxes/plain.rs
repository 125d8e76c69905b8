//! The table of who wins each mini-game, against solvers that share nothing with the room: rules of their own on lists of lists, no
//! symmetries, a plain recursion.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::HashMap;

use serde_json::Value;
use wits_desk::{Args, Shelf, Value as Given, Work};
use wits_matchbox::verbs;
use wits_search::{Budget, Limits};

/// Chomp as the lengths of its rows: whether whoever moves wins.
fn chomp(rows: &[usize], known: &mut HashMap<Vec<usize>, bool>) -> bool {
    if let Some(&wins) = known.get(rows) {
        return wins;
    }
    let mut wins = false;
    for row in 0..rows.len() {
        for col in 0..rows[row] {
            if (row, col) != (0, 0) {
                let mut left = rows.to_vec();
                for length in &mut left[row..] {
                    *length = (*length).min(col);
                }
                wins |= !chomp(&left, known);
            }
        }
    }
    known.insert(rows.to_vec(), wins);
    wins
}

/// Nim as its heaps: whether whoever moves wins.
fn nim(heaps: &[usize], known: &mut HashMap<Vec<usize>, bool>) -> bool {
    if let Some(&wins) = known.get(heaps) {
        return wins;
    }
    let mut wins = false;
    for at in 0..heaps.len() {
        for left in 0..heaps[at] {
            let mut after = heaps.to_vec();
            after[at] = left;
            wins |= !nim(&after, known);
        }
    }
    known.insert(heaps.to_vec(), wins);
    wins
}

/// Rows of cells: a blank or a letter.
type Grid = Vec<Vec<char>>;

/// A game on a grid.
struct Plain<'a> {
    game: &'a str,
    line: i32,
    known: HashMap<(Grid, bool), i32>,
}

fn at(grid: &Grid, row: i32, col: i32) -> Option<char> {
    grid.get(usize::try_from(row).ok()?)?
        .get(usize::try_from(col).ok()?)
        .copied()
}

fn with(grid: &Grid, cells: &[(i32, i32)], mark: char) -> Grid {
    let mut next = grid.clone();
    for &(row, col) in cells {
        next[row as usize][col as usize] = mark;
    }
    next
}

fn places(grid: &Grid) -> Vec<(i32, i32)> {
    let rows = 0..grid.len() as i32;
    rows.flat_map(|row| (0..grid[0].len() as i32).map(move |col| (row, col)))
        .collect()
}

impl Plain<'_> {
    /// Whether so many of a mark stand side by side anywhere.
    fn lined_up(&self, grid: &Grid, mark: char) -> bool {
        places(grid).into_iter().any(|(row, col)| {
            [(0, 1), (1, 0), (1, 1), (1, -1)]
                .iter()
                .any(|(down, right)| {
                    (0..self.line).all(|i| at(grid, row + i * down, col + i * right) == Some(mark))
                })
        })
    }

    /// The cells that the mover may fill together.
    fn moves(&self, grid: &Grid, first: bool) -> Vec<Vec<(i32, i32)>> {
        let free = |&(row, col): &(i32, i32)| at(grid, row, col) == Some(' ');
        let mut moves = Vec::new();
        for (row, col) in places(grid).into_iter().filter(free) {
            match self.game {
                "notakto" | "mnk" => moves.push(vec![(row, col)]),
                "connect3" => {
                    if at(grid, row + 1, col) != Some(' ') {
                        moves.push(vec![(row, col)]);
                    }
                }
                "domineering" => {
                    let other = if first {
                        (row + 1, col)
                    } else {
                        (row, col + 1)
                    };
                    if free(&other) {
                        moves.push(vec![(row, col), other]);
                    }
                }
                "tactix" => {
                    for (down, right) in [(0, 1), (1, 0)] {
                        let run = (0..).map(|i| (row + i * down, col + i * right));
                        let run: Vec<(i32, i32)> = run.take_while(free).collect();
                        // A single piece is the same in both directions.
                        let from = if down == 0 { 1 } else { 2 };
                        moves.extend((from..=run.len()).map(|length| run[..length].to_vec()));
                    }
                }
                _ => unreachable!("{} is no game on a grid", self.game),
            }
        }
        moves
    }

    /// What the first player gets: 1, 0 or -1.
    fn value(&mut self, grid: &Grid, first: bool) -> i32 {
        if let Some(&value) = self.known.get(&(grid.clone(), first)) {
            return value;
        }
        let mine = if first { 1 } else { -1 };
        let moves = self.moves(grid, first);
        let own = matches!(self.game, "connect3" | "mnk");
        let before = if own && first { 'O' } else { 'X' };
        let over = match self.game {
            // Whoever took the last piece lost; whoever cannot place a domino loses.
            "tactix" if moves.is_empty() => Some(mine),
            "domineering" if moves.is_empty() => Some(-mine),
            "notakto" if self.lined_up(grid, before) => Some(mine),
            "connect3" | "mnk" if self.lined_up(grid, before) => Some(-mine),
            _ if moves.is_empty() => Some(0),
            _ => None,
        };
        let value = over.unwrap_or_else(|| {
            let mark = if own && !first { 'O' } else { 'X' };
            let after = moves.iter().map(|cells| with(grid, cells, mark));
            let values: Vec<i32> = after.map(|next| self.value(&next, !first)).collect();
            let best = values.iter().map(|value| value * mine).max();
            best.unwrap() * mine
        });
        self.known.insert((grid.clone(), first), value);
        value
    }
}

/// What the first player gets, without the room.
fn plain(game: &str, rows: usize, cols: usize, line: i32) -> i32 {
    let sign = |wins: bool| if wins { 1 } else { -1 };
    match game {
        "chomp" => sign(chomp(&vec![cols; rows], &mut HashMap::new())),
        "nim" => {
            let heaps: Vec<usize> = (0..rows).map(|row| cols - row).collect();
            sign(nim(&heaps, &mut HashMap::new()))
        }
        _ => {
            let known = HashMap::new();
            let mut solver = Plain { game, line, known };
            solver.value(&vec![vec![' '; cols]; rows], true)
        }
    }
}

/// The boards of the table with at most so many cells.
fn table(cells: u8) -> Vec<Value> {
    let room = verbs::room(
        |_, _, _| unreachable!("nobody asks"),
        |_, _, _| unreachable!("nobody asks"),
        |_, _, _| unreachable!("nobody asks"),
    );
    let verb = room.verb("minis").unwrap();
    let asked = [("cells".to_owned(), Given::Text(cells.to_string()))];
    let args = Args::read(verb.id, &asked, &verb.params).unwrap();
    let mut tell = |_| {};
    let mut work = Work::new(Budget::start(Limits::NONE), &mut tell);
    let answer = (verb.run)(&args, &Shelf::new(), &mut work).unwrap();
    answer.data["boards"].as_array().unwrap().clone()
}

#[test]
fn solvers_that_share_nothing_find_the_same_table() {
    let boards = table(12);
    // Twelve boards for a game that fits on all of them, and for `mnk` every length of a row.
    let of = |game: &str| boards.iter().filter(|board| board["game"] == game).count();
    let counts = [
        "chomp",
        "nim",
        "tactix",
        "domineering",
        "notakto",
        "connect3",
        "mnk",
    ]
    .map(of);
    assert_eq!(counts, [12, 7, 12, 12, 11, 11, 25]);
    for board in &boards {
        let number = |key: &str| board[key].as_u64().map(|n| n as usize);
        let (rows, cols) = (number("rows").unwrap(), number("cols").unwrap());
        let line = number("line").unwrap_or(3) as i32;
        let found = plain(board["game"].as_str().unwrap(), rows, cols, line);
        let told = match board["winner"].as_u64() {
            Some(1) => 1,
            Some(_) => -1,
            None => 0,
        };
        assert_eq!(found, told, "{board}");
    }
}
