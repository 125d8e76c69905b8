//! The rules of three games, as far as a small search needs them.

/// A position; where there are no moves the game is over.
pub trait Position {
    /// Who is to move: 0 or 1.
    fn mover(&self) -> usize;
    /// What may be played.
    fn moves(&self) -> Vec<String>;
    /// The position after a move of [`moves`](Position::moves).
    fn after(&self, mv: &str) -> Box<dyn Position>;
    /// What it is worth to a seat.
    fn value(&self, seat: usize) -> i64;
}

/// The position that a turn shows; nothing for games that are not known here.
pub fn read(game: &str, spec: &str, notation: &str) -> Option<Box<dyn Position>> {
    match game {
        "othello" => {
            let (board, turn) = notation.split_once(' ')?;
            let board: Vec<u8> = board.bytes().collect();
            let size = (1..=26).find(|n| n * n == board.len())?;
            let mover = usize::from(turn == "O");
            Some(Box::new(Othello { board, size, mover }))
        }
        "hexapawn" => {
            let (rows, turn) = notation.split_once(' ')?;
            let rows = rows.split('/').map(|row| row.bytes().collect()).collect();
            let mover = usize::from(turn == "b");
            Some(Box::new(Hexapawn { rows, mover }))
        }
        "thue" if spec.contains("variant=square") => {
            let (word, gap) = match notation.split_once('@') {
                Some((word, gap)) => (word, Some(gap.parse().ok()?)),
                None => (notation, None),
            };
            // From the symbol 10 on, symbols are written with commas between.
            let word = if word.contains(',') {
                word.split(',').filter_map(|c| c.parse().ok()).collect()
            } else {
                word.bytes().map(|c| usize::from(c - b'0')).collect()
            };
            let symbols = spec.split("symbols=").nth(1)?.split(',').next()?;
            let symbols = symbols.parse().ok()?;
            Some(Box::new(Thue { word, gap, symbols }))
        }
        _ => None,
    }
}

fn name(x: usize, number: usize) -> String {
    format!("{}{number}", char::from(b'a' + x as u8))
}

/// Column and number of a square.
fn square(text: &str) -> Option<(usize, usize)> {
    let x = text.bytes().next()?.checked_sub(b'a')?;
    Some((usize::from(x), text[1..].parse().ok()?))
}

struct Othello {
    board: Vec<u8>,
    size: usize,
    mover: usize,
}

const DISCS: [u8; 2] = *b"XO";

impl Othello {
    fn flips(&self, at: usize) -> Vec<usize> {
        let mut found = Vec::new();
        if self.board[at] != b'-' {
            return found;
        }
        let (own, size) = (DISCS[self.mover], self.size as isize);
        let theirs = DISCS[1 - self.mover];
        for (dx, dy) in [
            (1, 0),
            (1, 1),
            (0, 1),
            (-1, 1),
            (-1, 0),
            (-1, -1),
            (0, -1),
            (1, -1),
        ] {
            let (mut x, mut y) = (at as isize % size + dx, at as isize / size + dy);
            let mut line = Vec::new();
            let disc = |x: isize, y: isize| {
                let inside = (0..size).contains(&x) && (0..size).contains(&y);
                inside.then(|| self.board[(y * size + x) as usize])
            };
            while disc(x, y) == Some(theirs) {
                line.push((y * size + x) as usize);
                (x, y) = (x + dx, y + dy);
            }
            if disc(x, y) == Some(own) {
                found.extend(line);
            }
        }
        found
    }

    fn count(&self, seat: usize) -> i64 {
        self.board
            .iter()
            .map(|disc| i64::from(*disc == DISCS[seat]))
            .sum()
    }
}

impl Position for Othello {
    fn mover(&self) -> usize {
        self.mover
    }

    fn moves(&self) -> Vec<String> {
        let all = (0..self.board.len()).filter(|at| !self.flips(*at).is_empty());
        all.map(|at| name(at % self.size, at / self.size + 1))
            .collect()
    }

    fn after(&self, mv: &str) -> Box<dyn Position> {
        let (x, number) = square(mv).unwrap_or((0, 1));
        let at = (number - 1) * self.size + x;
        let mut board = self.board.clone();
        for square in self.flips(at).into_iter().chain([at]) {
            board[square] = DISCS[self.mover];
        }
        let (size, mover) = (self.size, self.mover);
        let next = Othello {
            board,
            size,
            mover: 1 - mover,
        };
        // Who cannot move passes.
        Box::new(if next.moves().is_empty() {
            Othello { mover, ..next }
        } else {
            next
        })
    }

    fn value(&self, seat: usize) -> i64 {
        let discs = self.count(seat) - self.count(1 - seat);
        let moves = self.moves().len() as i64;
        if moves == 0 {
            return 1000 * discs.signum() + discs;
        }
        let last = self.size - 1;
        let corners = [0, last, last * self.size, last * self.size + last];
        let held = |seat: usize| {
            corners
                .iter()
                .filter(|at| self.board[**at] == DISCS[seat])
                .count() as i64
        };
        let mobile = if self.mover == seat { moves } else { -moves };
        20 * (held(seat) - held(1 - seat)) + mobile
    }
}

/// Rows from the top; White's pawns are `W` and go up.
struct Hexapawn {
    rows: Vec<Vec<u8>>,
    mover: usize,
}

impl Hexapawn {
    fn won(&self) -> Option<usize> {
        let there = |row: Option<&Vec<u8>>, pawn| row.is_some_and(|row| row.contains(&pawn));
        if there(self.rows.first(), b'W') {
            return Some(0);
        }
        there(self.rows.last(), b'B').then_some(1)
    }
}

impl Position for Hexapawn {
    fn mover(&self) -> usize {
        self.mover
    }

    fn moves(&self) -> Vec<String> {
        let mut found = Vec::new();
        if self.won().is_some() {
            return found;
        }
        let (own, other) = [(b'W', b'B'), (b'B', b'W')][self.mover];
        let height = self.rows.len();
        for (y, row) in self.rows.iter().enumerate() {
            for (x, _) in row.iter().enumerate().filter(|(_, pawn)| **pawn == own) {
                let to = if self.mover == 0 { y - 1 } else { y + 1 };
                for (there, wanted, sign) in [
                    (x.checked_sub(1), other, 'x'),
                    (Some(x), b'-', '-'),
                    (Some(x + 1), other, 'x'),
                ] {
                    let Some(there) = there else { continue };
                    if self.rows[to].get(there) == Some(&wanted) {
                        let (from, to) = (name(x, height - y), name(there, height - to));
                        found.push(format!("{from}{sign}{to}"));
                    }
                }
            }
        }
        found
    }

    fn after(&self, mv: &str) -> Box<dyn Position> {
        let mut rows = self.rows.clone();
        let place = |text: &str| square(text).map(|(x, number)| (x, rows.len() - number));
        if let Some((from, to)) = mv.split_once(['-', 'x'])
            && let (Some((x, y)), Some((to_x, to_y))) = (place(from), place(to))
        {
            rows[to_y][to_x] = rows[y][x];
            rows[y][x] = b'-';
        }
        Box::new(Hexapawn {
            rows,
            mover: 1 - self.mover,
        })
    }

    fn value(&self, seat: usize) -> i64 {
        let stuck = || self.moves().is_empty().then_some(1 - self.mover);
        if let Some(won) = self.won().or_else(stuck) {
            return if won == seat { 1000 } else { -1000 };
        }
        let count = |pawn: u8| self.rows.iter().flatten().filter(|c| **c == pawn).count() as i64;
        let pawns = count(b'W') - count(b'B');
        if seat == 0 { pawns } else { -pawns }
    }
}

/// The Builder (0) picks a gap of a word, the Painter (1) a symbol for it that makes no square.
struct Thue {
    word: Vec<usize>,
    gap: Option<usize>,
    symbols: usize,
}

impl Thue {
    fn with(&self, gap: usize, symbol: usize) -> Vec<usize> {
        let (before, after) = self.word.split_at(gap.min(self.word.len()));
        [before, &[symbol], after].concat()
    }

    fn fits(&self, gap: usize) -> Vec<usize> {
        let free = |symbol: &usize| !has_square(&self.with(gap, *symbol), gap);
        (0..self.symbols).filter(free).collect()
    }
}

impl Position for Thue {
    fn mover(&self) -> usize {
        usize::from(self.gap.is_some())
    }

    fn moves(&self) -> Vec<String> {
        let all = match self.gap {
            None => (0..=self.word.len()).collect(),
            Some(gap) => self.fits(gap),
        };
        all.iter().map(ToString::to_string).collect()
    }

    fn after(&self, mv: &str) -> Box<dyn Position> {
        let number = mv.parse().unwrap_or(0);
        let symbols = self.symbols;
        Box::new(match self.gap {
            None => Thue {
                word: self.word.clone(),
                gap: Some(number),
                symbols,
            },
            Some(gap) => Thue {
                word: self.with(gap, number),
                gap: None,
                symbols,
            },
        })
    }

    fn value(&self, seat: usize) -> i64 {
        let gaps = self.gap.map_or(0..=self.word.len(), |gap| gap..=gap);
        let tightest = gaps.map(|gap| self.fits(gap).len()).min().unwrap_or(0) as i64;
        let painter = self.word.len() as i64 + if tightest == 0 { -1000 } else { 10 * tightest };
        if seat == 1 { painter } else { -painter }
    }
}

/// Whether some square uu holds the letter at a place.
fn has_square(word: &[usize], at: usize) -> bool {
    (1..=word.len() / 2).any(|half| {
        let first = (at + 1).saturating_sub(2 * half);
        let last = at.min(word.len() - 2 * half);
        (first..=last)
            .any(|start| word[start..start + half] == word[start + half..start + 2 * half])
    })
}
