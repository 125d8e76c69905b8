//! What may be marked next, and when it ends.

use wits_game::Seat;

use super::game::{Cells, Position};

/// Which of the mini-games.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// Eat a square and what is below and to the right of it.
    Chomp,
    /// Take from one heap.
    Nim,
    /// Take neighbours of one row or column.
    TacTix,
    /// Place a domino.
    Domineering,
    /// One mark for both; three in a row lose.
    Notakto,
    /// Drop a disc; three in a row win.
    Connect3,
    /// Mark a cell, each side with its own mark; so many in a row win.
    Mnk,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 7] = [
        Kind::Chomp,
        Kind::Nim,
        Kind::TacTix,
        Kind::Domineering,
        Kind::Notakto,
        Kind::Connect3,
        Kind::Mnk,
    ];

    /// The name of the game in specs.
    pub const fn id(self) -> &'static str {
        match self {
            Kind::Chomp => "chomp",
            Kind::Nim => "nim",
            Kind::TacTix => "tactix",
            Kind::Domineering => "domineering",
            Kind::Notakto => "notakto",
            Kind::Connect3 => "connect3",
            Kind::Mnk => "mnk",
        }
    }

    /// Rows and columns unless told otherwise.
    pub const fn usual(self) -> (u8, u8) {
        match self {
            Kind::Chomp | Kind::Connect3 | Kind::Mnk => (3, 4),
            Kind::Domineering => (4, 4),
            Kind::Nim | Kind::TacTix | Kind::Notakto => (3, 3),
        }
    }

    /// Whether marked cells are gone rather than taken.
    pub(super) const fn removes(self) -> bool {
        matches!(self, Kind::Chomp | Kind::Nim | Kind::TacTix)
    }

    /// Whether each side has marks of its own.
    pub(super) const fn sided(self) -> bool {
        matches!(self, Kind::Connect3 | Kind::Mnk)
    }

    /// Whether so many in a row end the game.
    const fn lines_up(self) -> bool {
        matches!(self, Kind::Notakto) || self.sided()
    }
}

/// How many in a row end a game unless told otherwise.
pub(super) const THREE: u8 = 3;
/// Sixteen cells in a square have the most rows of three: eight along, eight down, eight slantwise.
const MOST_LINES: usize = 24;

/// A mini-game on a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mini {
    pub(super) kind: Kind,
    pub(super) rows: u8,
    pub(super) cols: u8,
    pub(super) line: u8,
    /// Every row that ends the game, where one does.
    lines: [u16; MOST_LINES],
    count: u8,
    /// Where each cell goes under each symmetry; the first leaves everything as it is.
    pub(super) maps: [[u8; 16]; 8],
    pub(super) images: u8,
}

/// A board that a game cannot be played on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "there is no such board: at most 16 cells (12 for connect3 and mnk), for nim at least as many columns as rows, and room for a row where one decides"
)]
pub struct NoSuchBoard;

/// How a game that is over ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    Won(Seat),
    Drawn,
}

impl Mini {
    /// A game on a board of at most sixteen cells; three in a row, where a row decides.
    pub fn new(kind: Kind, rows: u8, cols: u8) -> Result<Mini, NoSuchBoard> {
        Mini::of(kind, rows, cols, THREE)
    }

    /// Tic-tac-toe on a board of at most twelve cells, with so many in a row to win.
    pub fn mnk(rows: u8, cols: u8, line: u8) -> Result<Mini, NoSuchBoard> {
        Mini::of(Kind::Mnk, rows, cols, line)
    }

    pub(super) fn of(kind: Kind, rows: u8, cols: u8, line: u8) -> Result<Mini, NoSuchBoard> {
        let cells = usize::from(rows) * usize::from(cols);
        let good = (1..=16).contains(&cells)
            && (kind != Kind::Nim || cols >= rows)
            && (kind != Kind::Domineering || cells > 1)
            && (!kind.lines_up() || (line >= THREE && rows.max(cols) >= line))
            // Two kinds of marks: more cells have more positions than anybody learns by heart.
            && (!kind.sided() || cells <= 12);
        if !good {
            return Err(NoSuchBoard);
        }
        let mut game = Mini {
            kind,
            rows,
            cols,
            line,
            lines: [0; MOST_LINES],
            count: 0,
            maps: [[0; 16]; 8],
            images: 1,
        };
        if kind.lines_up() {
            let lines = game.all_lines();
            game.lines[..lines.len()].copy_from_slice(&lines);
            game.count = lines.len() as u8;
        }
        game.maps[0] = std::array::from_fn(|i| i as u8);
        game.find_symmetries();
        Ok(game)
    }

    /// Which game it is.
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// How many cells the board has.
    pub(super) const fn cells(&self) -> usize {
        self.rows as usize * self.cols as usize
    }

    pub(super) const fn full(&self) -> u16 {
        ((1u32 << self.cells()) - 1) as u16
    }

    fn bit(&self, row: usize, col: usize) -> u16 {
        1 << (row * usize::from(self.cols) + col)
    }

    /// Where the game begins. Nim marks the cells beyond each heap: the last heap fills its row, each before it has one less.
    pub(super) fn opening(&self) -> Position {
        let mut marked = 0;
        if self.kind == Kind::Nim {
            for row in 0..usize::from(self.rows) {
                let heap = usize::from(self.cols - self.rows) + row + 1;
                for col in heap..usize::from(self.cols) {
                    marked |= self.bit(row, col);
                }
            }
        }
        Position::new([marked, 0], Seat::FIRST)
    }

    /// Every run of so many neighbours, along rows and down columns as asked.
    fn runs(&self, length: usize, along: bool, down: bool) -> Vec<u16> {
        let (rows, cols) = (usize::from(self.rows), usize::from(self.cols));
        let mut out = Vec::new();
        for row in 0..rows {
            for col in 0..cols {
                if along && col + length <= cols {
                    out.push((0..length).fold(0, |m, i| m | self.bit(row, col + i)));
                }
                if down && row + length <= rows && (length > 1 || !along) {
                    out.push((0..length).fold(0, |m, i| m | self.bit(row + i, col)));
                }
            }
        }
        out
    }

    /// Every row of so many cells, slantwise too.
    fn all_lines(&self) -> Vec<u16> {
        let (rows, cols) = (usize::from(self.rows), usize::from(self.cols));
        let line = usize::from(self.line);
        let mut out = self.runs(line, true, true);
        for row in 0..(rows + 1).saturating_sub(line) {
            for col in 0..(cols + 1).saturating_sub(line) {
                out.push((0..line).fold(0, |m, i| m | self.bit(row + i, col + i)));
                out.push((0..line).fold(0, |m, i| m | self.bit(row + i, col + line - 1 - i)));
            }
        }
        out
    }

    /// The rows that end the game; none where none does.
    pub(super) fn lines(&self) -> &[u16] {
        &self.lines[..usize::from(self.count)]
    }

    /// The moves of a position that is not over.
    pub(super) fn moves(&self, at: Position) -> Vec<Cells> {
        let free = self.full() & !(at.marks[0] | at.marks[1]);
        let inside = |masks: Vec<u16>| masks.into_iter().filter(|m| m & !free == 0);
        let (rows, cols) = (usize::from(self.rows), usize::from(self.cols));
        let mut moves: Vec<u16> = match self.kind {
            Kind::Chomp => (0..self.cells())
                .filter(|i| free >> i & 1 == 1)
                .map(|i| {
                    let below = |j: &usize| j / cols >= i / cols && j % cols >= i % cols;
                    (0..self.cells()).filter(below).fold(0, |m, j| m | 1 << j) & free
                })
                .collect(),
            Kind::Nim => (0..rows)
                .flat_map(|row| {
                    let heap = (0..cols)
                        .filter(|&col| free & self.bit(row, col) != 0)
                        .count();
                    (0..heap).map(move |left| (left..heap).fold(0, |m, col| m | self.bit(row, col)))
                })
                .collect(),
            Kind::TacTix => (1..=rows.max(cols))
                .flat_map(|length| inside(self.runs(length, true, true)))
                .collect(),
            Kind::Domineering => {
                let upright = at.turn == 0;
                inside(self.runs(2, !upright, upright)).collect()
            }
            Kind::Notakto | Kind::Mnk => inside(self.runs(1, true, false)).collect(),
            Kind::Connect3 => (0..cols)
                .filter_map(|col| {
                    let open = |row: &usize| free & self.bit(*row, col) != 0;
                    (0..rows).rev().find(open).map(|row| self.bit(row, col))
                })
                .collect(),
        };
        moves.sort_unstable_by_key(|m| (m.trailing_zeros(), m.count_ones(), *m));
        moves.dedup();
        moves.into_iter().map(Cells).collect()
    }

    /// How the game ended, if it is over.
    pub(super) fn end(&self, at: Position) -> Option<End> {
        let (mover, last) = (at.seat(), at.seat().other());
        let marked = at.marks[0] | at.marks[1];
        let row = |marks: u16| self.lines().iter().any(|line| marks & line == *line);
        let won = match self.kind {
            Kind::Chomp => (marked & 1 == 1).then_some(mover),
            Kind::Nim => (marked == self.full()).then_some(last),
            Kind::TacTix => (marked == self.full()).then_some(mover),
            Kind::Domineering => self.moves(at).is_empty().then_some(last),
            Kind::Notakto => row(marked).then_some(mover),
            Kind::Connect3 | Kind::Mnk => row(at.marks[last.index()]).then_some(last),
        };
        let full = marked == self.full();
        won.map(End::Won).or(full.then_some(End::Drawn))
    }

    /// Keeps those turns and mirror images of the board under which every move of every position has its image.
    fn find_symmetries(&mut self) {
        let (rows, cols) = (usize::from(self.rows), usize::from(self.cols));
        let positions = self.reachable(4_000);
        for how in 1..8 {
            if how >= 4 && rows != cols {
                break;
            }
            let mut map = [0; 16];
            for (cell, image) in map.iter_mut().enumerate().take(self.cells()) {
                let (mut row, mut col) = (cell / cols, cell % cols);
                if how & 1 == 1 {
                    col = cols - 1 - col;
                }
                if how & 2 == 2 {
                    row = rows - 1 - row;
                }
                if how & 4 == 4 {
                    (row, col) = (col, row);
                }
                *image = (row * cols + col) as u8;
            }
            let keeps = |at: &Position| {
                let image = at.through(&map);
                let mut there: Vec<Cells> =
                    self.moves(*at).iter().map(|m| m.through(&map)).collect();
                let mut here = self.moves(image);
                there.sort_unstable();
                here.sort_unstable();
                self.end(*at) == self.end(image) && there == here
            };
            if self.opening().through(&map) == self.opening() && positions.iter().all(keeps) {
                self.maps[usize::from(self.images)] = map;
                self.images += 1;
            }
        }
    }

    /// Positions that can come up, at most about so many.
    fn reachable(&self, most: usize) -> Vec<Position> {
        let mut all = vec![self.opening()];
        let mut seen: std::collections::HashSet<Position> = all.iter().copied().collect();
        let mut at = 0;
        while at < all.len() && all.len() < most {
            let position = all[at];
            if self.end(position).is_none() {
                for cells in self.moves(position) {
                    let next = position.after(self, cells);
                    if seen.insert(next) {
                        all.push(next);
                    }
                }
            }
            at += 1;
        }
        all
    }
}
