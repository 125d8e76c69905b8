//! A book of openings, grown by the engine's own search.
//!
//! Every position in it was searched with the same number of positions; its worth is that of its best known reply, and
//! so on up to the first move. The next position to grow is the one that both sides reach with the smallest losses
//! by the book's own account, shorter games first (after Buro's and Lincke's drop-out expansion, 1999 and 2000).
//!
//! The book is a text: one position a line, by the moves that lead to it, and its worth by its own
//! search for the side to move, in hundredths of a disc.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::OnceLock;

use wits_search::{Budget, Limits};

use super::{DISC, Engine, Judgement};
use crate::{Position, Square, bits};

/// Losing so much costs as much as one move more, when the next position to grow is picked.
const PATIENCE: i32 = 60;

/// A board up to symmetry, the side to move first.
type Key = (u64, u64);

fn key(p: &Position) -> Key {
    bits::canonical(p.own(), p.other())
}

#[derive(Clone, PartialEq, Debug)]
struct Page {
    /// The moves that lead here, as first found.
    moves: Vec<Square>,
    /// Worth for the side to move by its own search.
    searched: i32,
    /// Worth for the side to move with everything behind it.
    worth: i32,
}

/// A line of a book that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line} of the book: {why}")]
pub struct BadBook {
    /// Which line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub why: String,
}

/// A book of openings.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Book {
    pages: BTreeMap<Key, Page>,
}

/// What the book thinks of a move: the square, and hundredths of a disc for the side that makes it.
pub type Advice = (Square, i32);

impl Book {
    /// The book that comes with this crate.
    pub fn shipped() -> &'static Book {
        static SHIPPED: OnceLock<Book> = OnceLock::new();
        SHIPPED.get_or_init(|| Book::read(include_str!("../../data/book.txt")).unwrap_or_default())
    }

    /// A book with the first position only.
    pub fn first(search: &mut dyn FnMut(&Position) -> i32) -> Book {
        let start = Position::START;
        let searched = search(&start);
        let page = Page {
            moves: Vec::new(),
            searched,
            worth: searched,
        };
        Book {
            pages: BTreeMap::from([(key(&start), page)]),
        }
    }

    /// How many positions it holds.
    pub fn len(&self) -> usize {
        self.pages.len()
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    /// Reads a book.
    pub fn read(text: &str) -> Result<Book, BadBook> {
        let mut book = Book::default();
        for (number, line) in (1..).zip(text.lines()) {
            let bad = |why: &str| BadBook {
                line: number,
                why: why.to_owned(),
            };
            if line.starts_with('#') || line.trim().is_empty() {
                continue;
            }
            let (moves, worth) = line.rsplit_once(' ').ok_or_else(|| bad("no worth"))?;
            let searched: i32 = worth
                .parse()
                .map_err(|_| bad("the worth is no whole number"))?;
            let mut p = Position::START;
            let mut squares = Vec::new();
            let names = moves.trim_matches('-').as_bytes();
            for name in names.chunks(2).map(String::from_utf8_lossy) {
                let square = name.parse::<Square>().ok();
                let open = square.filter(|s| p.moves() & s.bit() != 0);
                let square = open.ok_or_else(|| bad(&format!("{name} is no move there")))?;
                p = p.played(square);
                squares.push(square);
            }
            let page = Page {
                moves: squares,
                searched,
                worth: searched,
            };
            book.pages.insert(key(&p), page);
        }
        book.back_up();
        Ok(book)
    }

    /// Writes the book, short games first.
    pub fn write(&self) -> String {
        let mut pages: Vec<&Page> = self.pages.values().collect();
        pages.sort_by_key(|page| (page.moves.len(), page.moves.clone()));
        let mut text = String::new();
        for page in pages {
            let moves: String = page.moves.iter().map(ToString::to_string).collect();
            let moves = if moves.is_empty() { "-" } else { &moves };
            let _ = writeln!(text, "{moves} {}", page.searched);
        }
        text
    }

    fn position(page: &Page) -> Position {
        let play = |p: Position, square: &Square| p.played(*square);
        page.moves.iter().fold(Position::START, play)
    }

    /// What the book thinks of the moves of a position, best first; nothing where it has not grown them all.
    pub fn advice(&self, p: &Position) -> Vec<Advice> {
        let mut all = Vec::new();
        for square in Square::all(p.moves()) {
            let next = p.played(square);
            let Some(page) = self.pages.get(&key(&next)) else {
                return Vec::new();
            };
            // After a pass the same side is to move again.
            let sign = if next.turn == p.turn { 1 } else { -1 };
            all.push((square, sign * page.worth));
        }
        all.sort_by_key(|&(square, worth)| (-worth, square.index()));
        all
    }

    /// Works out the worth of every position from those behind it.
    fn back_up(&mut self) {
        let mut keys: Vec<(usize, Key)> = self
            .pages
            .iter()
            .map(|(key, page)| (page.moves.len(), *key))
            .collect();
        keys.sort_unstable();
        for (_, key) in keys.into_iter().rev() {
            let p = Book::position(&self.pages[&key]);
            let best = self.advice(&p).first().map(|a| a.1);
            if let Some(page) = self.pages.get_mut(&key) {
                page.worth = best.unwrap_or(page.searched);
            }
        }
    }

    /// The position to grow next: reached with small losses, soon. None where every game in the book is over.
    fn ripest(&self) -> Option<Position> {
        // Dijkstra over the book: a move costs one for its length, and its loss.
        let mut open = BTreeSet::from([(0, key(&Position::START), Position::START.black)]);
        let mut boards = BTreeMap::from([(key(&Position::START), Position::START)]);
        let mut done = BTreeSet::new();
        while let Some((cost, here, _)) = open.pop_first() {
            if !done.insert(here) {
                continue;
            }
            let p = boards[&here];
            if p.moves() == 0 {
                continue;
            }
            let advice = self.advice(&p);
            let Some(best) = advice.first().map(|a| a.1) else {
                return Some(p);
            };
            for (square, worth) in advice {
                let next = p.played(square);
                let there = key(&next);
                boards.entry(there).or_insert(next);
                open.insert((cost + PATIENCE + best - worth, there, next.black));
            }
        }
        None
    }

    /// Grows the book by all moves of one position; says how many were new. Nothing where it is complete.
    pub fn grow(&mut self, search: &mut dyn FnMut(&Position) -> i32) -> Option<usize> {
        let p = self.ripest()?;
        let here = self.pages.get(&key(&p))?;
        // The page knows the position by moves of its own, maybe turned: grow that one.
        let (p, moves) = (Book::position(here), here.moves.clone());
        let mut new = 0;
        for square in Square::all(p.moves()) {
            let next = p.played(square);
            if self.pages.contains_key(&key(&next)) {
                continue;
            }
            let mut moves = moves.clone();
            moves.push(square);
            let searched = search(&next);
            let page = Page {
                moves,
                searched,
                worth: searched,
            };
            self.pages.insert(key(&next), page);
            new += 1;
        }
        self.back_up();
        Some(new)
    }
}

/// The search that grows a book: so many positions for each. It remembers nothing from one position to the next, so
/// that a book that was broken off grows on as if it had not been.
pub fn searcher(judgement: Judgement, nodes: u64) -> impl FnMut(&Position) -> i32 {
    move |p| {
        let mut engine = Engine::with(judgement.clone(), 16);
        let budget = Budget::start(Limits::nodes(nodes));
        let found = engine.think(p, (60, 0), 1, &budget, &mut |_| ());
        let worth = found.ideas.first().map_or(0.0, |idea| idea.discs);
        (worth * f64::from(DISC)).round() as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Discs that a position differs by: enough to make losses.
    fn count(p: &Position) -> i32 {
        100 * (p.own().count_ones() as i32 - p.other().count_ones() as i32)
    }

    fn best(book: &Book, p: &Position) -> i32 {
        let replies: Option<Vec<i32>> = Square::all(p.moves())
            .map(|s| {
                let next = p.played(s);
                book.pages.get(&key(&next))?;
                let sign = if next.turn == p.turn { 1 } else { -1 };
                Some(sign * best(book, &next))
            })
            .collect();
        match replies.filter(|r| !r.is_empty()) {
            Some(replies) => replies.into_iter().max().unwrap(),
            None => book.pages[&key(p)].searched,
        }
    }

    #[test]
    fn a_book_grows_backs_up_and_survives_its_text() {
        let mut book = Book::first(&mut count);
        for _ in 0..30 {
            assert!(book.grow(&mut count).is_some());
        }
        assert!(book.len() > 40, "{}", book.len());
        assert_eq!(Book::read(&book.write()).unwrap(), book);
        // The worth of a grown position is that of its best move, by a search of its own.
        let start = Position::START;
        assert_eq!(book.advice(&start)[0].1, best(&book, &start));
        // Turned boards get turned advice.
        let [f5, d3] = ["f5", "d3"].map(|name| start.played(name.parse().unwrap()));
        let worths = |p: &Position| -> Vec<i32> { book.advice(p).iter().map(|a| a.1).collect() };
        assert_eq!(worths(&f5), worths(&d3));
        assert!(!worths(&f5).is_empty());
    }

    #[test]
    fn a_spoilt_book_says_where() {
        for (text, line) in [("f5 x\n", 1), ("- 0\nf5a1 3\n", 2), ("# c\nf5\n", 2)] {
            assert_eq!(Book::read(text).unwrap_err().line, line);
        }
    }

    #[test]
    fn the_shipped_book_is_whole() {
        let text = include_str!("../../data/book.txt");
        let book = Book::read(text).unwrap();
        assert!(book.len() > 100);
        assert!(!book.advice(&Position::START).is_empty());
    }
}
