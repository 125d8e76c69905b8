//! Solving the whole game on a board, in pieces that survive a stop.
//!
//! The score is enclosed by questions "is it at least so much?", each of which a search with the smallest window
//! answers (Plaat's MTD, 1996). The first moves are searched here, and every position that they lead to goes to the exact
//! solver. All threads walk the same tree and put off what another one is at (Weill's ABDADA, 1996). What is solved is written into a
//! [`Ledger`], position by position and up to symmetry, so that a run which was
//! stopped goes on where it was: it walks the same tree again and finds the pieces solved.

use std::collections::{BTreeMap, VecDeque, btree_map};
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use wits_game::Game;
use wits_search::Budget;

use crate::endgame::{Solver, final_score};
use crate::{Othello, Square, bits};

/// What is known of one position: its score for the side to move lies between two bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The discs of the side to move, in the first of the eight orientations.
    pub own: u64,
    /// The discs of the other side.
    pub other: u64,
    /// At least this.
    pub low: i32,
    /// At most this.
    pub high: i32,
}

impl Entry {
    /// The entry as a line of a file.
    pub fn line(&self) -> String {
        let Entry {
            own,
            other,
            low,
            high,
        } = self;
        format!("{own:x} {other:x} {low} {high}\n")
    }
}

/// Everything solved so far, for one board and start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ledger {
    head: String,
    known: BTreeMap<(u64, u64), (i8, i8)>,
}

/// A file that is no ledger of this board and start.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadLedger {
    /// Another file, or another board.
    #[error("the file does not begin with `{expected}`; it belongs to something else")]
    Head {
        /// How it should begin.
        expected: String,
    },
    /// A line in the middle cannot be read.
    #[error("line {0} is no position with its bounds")]
    Line(usize),
}

impl Ledger {
    /// Nothing solved yet.
    pub fn new(game: &Othello) -> Ledger {
        let (size, start) = (game.size(), game.start());
        Ledger {
            head: format!(
                "wits othello solved {size} {:x} {:x}\n",
                start.black, start.white
            ),
            known: BTreeMap::new(),
        }
    }

    /// The first line of its file.
    pub fn head(&self) -> &str {
        &self.head
    }

    /// Reads a file. A last line without an end was torn by a crash and does not count.
    ///
    /// # Errors
    /// When the file belongs to another board, or a whole line cannot be read.
    pub fn read(game: &Othello, text: &str) -> Result<Ledger, BadLedger> {
        let mut ledger = Ledger::new(game);
        let wrong = || BadLedger::Head {
            expected: ledger.head.trim_end().to_owned(),
        };
        let body = text.strip_prefix(ledger.head.as_str()).ok_or_else(wrong)?;
        let whole = body.rfind('\n').map_or("", |end| &body[..end]);
        for (number, line) in whole.lines().enumerate() {
            let entry = entry(line, game).ok_or(BadLedger::Line(number + 2))?;
            ledger.put(&entry);
        }
        Ok(ledger)
    }

    /// How many positions are known.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    fn put(&mut self, entry: &Entry) {
        let bounds = self.known.entry((entry.own, entry.other));
        let bounds = bounds.or_insert((i8::MIN, i8::MAX));
        bounds.0 = bounds.0.max(entry.low as i8);
        bounds.1 = bounds.1.min(entry.high as i8);
    }
}

fn entry(line: &str, game: &Othello) -> Option<Entry> {
    let mut words = line.split(' ');
    let mut set = || u64::from_str_radix(words.next()?, 16).ok();
    let (own, other) = (set()?, set()?);
    let mut score = || words.next()?.parse::<i32>().ok();
    let (low, high) = (score()?, score()?);
    let fair = own & other == 0 && (own | other) & !game.area() == 0;
    let bounded = low <= high && low >= -64 && high <= 64;
    (fair && bounded && words.next().is_none()).then_some(Entry {
        own,
        other,
        low,
        high,
    })
}

/// The first of the eight orientations of a position on a board of some size.
fn canonical(size: usize, own: u64, other: u64) -> (u64, u64) {
    let turn = |set: u64, how: usize| {
        let mut set = set;
        if how & 1 != 0 {
            set = bits::mirrored(set) >> (8 - size);
        }
        if how & 2 != 0 {
            set = bits::upside_down(set) >> (8 * (8 - size));
        }
        if how & 4 != 0 {
            set = bits::transposed(set);
        }
        set
    };
    (0..8)
        .map(|how| (turn(own, how), turn(other, how)))
        .min()
        .unwrap_or((own, other))
}

/// How far it is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Far {
    /// The question that is being answered: is the score at least this?
    pub least: i32,
    /// The share of the tree of first moves that is done for this question, by how it branches.
    pub share: f64,
    /// Positions given to the solver in this run.
    pub solved: u64,
    /// Positions that the solver looked at in this run.
    pub nodes: u64,
}

/// The game solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Solved {
    /// The final difference for the side that begins, when both play best.
    pub score: i32,
    /// A best first move.
    pub best: Option<Square>,
    /// Positions that the solver looked at in this run.
    pub nodes: u64,
}

/// How a whole board is solved.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// How many first moves are searched here; a stop loses at most the work on one position behind them.
    pub plies: u32,
    /// How many threads work on it.
    pub threads: usize,
    /// The size of each thread's table, as a power of two.
    pub bits: u32,
}

impl Plan {
    /// A plan for a board of some size.
    pub fn of(size: usize, threads: usize) -> Plan {
        Plan {
            plies: if size == 4 { 4 } else { 10 },
            threads: threads.max(1),
            bits: match (size, threads) {
                (4, _) => 14,
                (_, 0..=4) => 22,
                _ => 20,
            },
        }
    }
}

/// Solves a game from its start; nothing if the budget ends first. `keep` gets everything solved as soon as
/// it is, `tell` hears how far it is.
pub fn solve(
    game: &Othello,
    plan: Plan,
    ledger: Ledger,
    budget: &Budget,
    keep: &(dyn Fn(&Entry) + Sync),
    tell: &(dyn Fn(Far) + Sync),
) -> Option<Solved> {
    let start = game.start();
    let (own, other) = (start.own(), start.other());
    let solvers = Solver::team(plan.threads, plan.bits, game.size());
    let squares = game.area().count_ones() as i32;
    let work = Work {
        size: game.size(),
        area: game.area(),
        squares,
        board: Mutex::new(Board {
            ledger,
            busy: BTreeMap::new(),
        }),
        changed: Condvar::new(),
        solvers: solvers.into_iter().map(Mutex::new).collect(),
        budget,
        keep,
        tell,
        least: AtomicI32::new(0),
        answered: AtomicBool::new(false),
        shares: (0..plan.threads).map(|_| AtomicU64::new(0)).collect(),
        solved: AtomicU64::new(0),
        nodes: AtomicU64::new(0),
    };
    let mut enclosed = work.bounds(own, other).unwrap_or((-squares, squares));
    let mut guess = 0i32.clamp(enclosed.0, enclosed.1);
    while enclosed.0 < enclosed.1 {
        let least = guess.max(enclosed.0 + 1);
        guess = work.together(own, other, plan.plies, least)?;
        if guess >= least {
            enclosed.0 = guess;
        } else {
            enclosed.1 = guess;
        }
    }
    let score = enclosed.0;
    let best = Square::all(work.moves(own, other)).find(|square| {
        let (next, mine) = after(*square, own, other);
        work.bounds(next, mine)
            .is_some_and(|(_, high)| high <= -score)
    });
    Some(Solved {
        score,
        best,
        nodes: work.nodes.into_inner(),
    })
}

fn after(square: Square, own: u64, other: u64) -> (u64, u64) {
    let flips = bits::flips(square.index(), own, other);
    (other & !flips, own | flips | square.bit())
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing panics while it holds one of these, so what is inside is whole.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What all threads share: what is known, and how many of them are at a position.
struct Board {
    ledger: Ledger,
    busy: BTreeMap<(u64, u64), u32>,
}

struct Work<'a> {
    size: usize,
    area: u64,
    squares: i32,
    board: Mutex<Board>,
    /// Told whenever somebody leaves a position.
    changed: Condvar,
    solvers: Vec<Mutex<Solver>>,
    budget: &'a Budget,
    keep: &'a (dyn Fn(&Entry) + Sync),
    tell: &'a (dyn Fn(Far) + Sync),
    /// The question: is the score at least this?
    least: AtomicI32,
    /// Whether some thread has the answer.
    answered: AtomicBool,
    /// Billionths of the tree that each thread has seen done.
    shares: Vec<AtomicU64>,
    solved: AtomicU64,
    nodes: AtomicU64,
}

impl Work<'_> {
    fn moves(&self, own: u64, other: u64) -> u64 {
        bits::moves(own, other) & self.area
    }

    fn bounds(&self, own: u64, other: u64) -> Option<(i32, i32)> {
        let key = canonical(self.size, own, other);
        let board = lock(&self.board);
        let (low, high) = board.ledger.known.get(&key)?;
        Some((i32::from(*low), i32::from(*high)))
    }

    fn busy(&self, own: u64, other: u64) -> bool {
        let key = canonical(self.size, own, other);
        lock(&self.board).busy.contains_key(&key)
    }

    fn enter(&self, own: u64, other: u64) {
        let key = canonical(self.size, own, other);
        *lock(&self.board).busy.entry(key).or_default() += 1;
    }

    fn leave(&self, own: u64, other: u64) {
        let key = canonical(self.size, own, other);
        let mut board = lock(&self.board);
        if let Some(count) = board.busy.get_mut(&key) {
            *count -= 1;
            if *count == 0 {
                board.busy.remove(&key);
            }
        }
        drop(board);
        self.changed.notify_all();
    }

    fn done(&self, thread: usize, share: f64) {
        self.shares[thread].fetch_add((share * 1e9) as u64, Ordering::Relaxed);
    }

    /// Writes down what a search with a window found.
    fn found(&self, own: u64, other: u64, score: i32, (alpha, beta): (i32, i32)) {
        let (own, other) = canonical(self.size, own, other);
        let low = if score > alpha { score } else { -self.squares };
        let high = if score < beta { score } else { self.squares };
        let entry = Entry {
            own,
            other,
            low,
            high,
        };
        lock(&self.board).ledger.put(&entry);
        (self.keep)(&entry);
    }

    /// What the ledger, the rules or a pass say at once; `Err` with the window if a search is needed.
    fn known(
        &self,
        own: u64,
        other: u64,
        (mut alpha, mut beta): (i32, i32),
    ) -> Result<i32, (i32, i32)> {
        if let Some((low, high)) = self.bounds(own, other) {
            if low >= beta || low == high {
                return Ok(low);
            }
            if high <= alpha {
                return Ok(high);
            }
            (alpha, beta) = (alpha.max(low), beta.min(high));
        }
        if self.moves(own, other) == 0 && self.moves(other, own) == 0 {
            return Ok(final_score(own, other, self.squares));
        }
        Err((alpha, beta))
    }

    /// The moves, the most promising first: a short search by mobility and corners.
    fn ordered(&self, own: u64, other: u64) -> Vec<(u64, u64)> {
        let mut all: Vec<(i32, (u64, u64))> = Square::all(self.moves(own, other))
            .map(|square| {
                let next = after(square, own, other);
                (self.mobility(next.0, next.1, 4), next)
            })
            .collect();
        all.sort_by_key(|(value, _)| *value);
        all.into_iter().map(|(_, next)| next).collect()
    }

    fn corners(&self) -> u64 {
        let last = self.size - 1;
        1 | 1 << last | 1 << (8 * last) | 1 << (9 * last)
    }

    fn mobility(&self, own: u64, other: u64, depth: u32) -> i32 {
        let open = self.moves(own, other);
        if depth == 0 || open == 0 {
            let count = |moves: u64, discs: u64| {
                let corners = self.corners();
                2 * moves.count_ones()
                    + 3 * (moves & corners).count_ones()
                    + 12 * (discs & corners).count_ones()
            };
            return count(open, own) as i32 - count(self.moves(other, own), other) as i32;
        }
        Square::all(open)
            .map(|square| {
                let (next, mine) = after(square, own, other);
                -self.mobility(next, mine, depth - 1)
            })
            .max()
            .unwrap_or(0)
    }

    /// Answers whether a position is worth at least so much, on all threads: a bound on that side.
    fn together(&self, own: u64, other: u64, plies: u32, least: i32) -> Option<i32> {
        self.least.store(least, Ordering::Relaxed);
        self.answered.store(false, Ordering::Relaxed);
        for share in &self.shares {
            share.store(0, Ordering::Relaxed);
        }
        let answer = Mutex::new(None);
        let walk = |thread: usize| {
            if let Some(score) = self.search(thread, own, other, plies, least, 1.0) {
                *lock(&answer) = Some(score);
                self.answered.store(true, Ordering::Relaxed);
                self.changed.notify_all();
            }
        };
        std::thread::scope(|scope| {
            for thread in 1..self.solvers.len() {
                let walk = &walk;
                let builder = std::thread::Builder::new().stack_size(16 << 20);
                // A thread that the system does not give is done without.
                let _ = builder.spawn_scoped(scope, move || walk(thread));
            }
            walk(0);
        });
        answer.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn search(
        &self,
        thread: usize,
        own: u64,
        other: u64,
        plies: u32,
        least: i32,
        share: f64,
    ) -> Option<i32> {
        if let Ok(score) = self.known(own, other, (least - 1, least)) {
            self.done(thread, share);
            return Some(score);
        }
        if self.moves(own, other) == 0 {
            let score = self.search(thread, other, own, plies, 1 - least, share)?;
            return Some(-score);
        }
        if plies == 0 {
            return self.leaf(thread, own, other, least, share);
        }
        self.enter(own, other);
        let score = self.brothers(thread, own, other, plies, least, share);
        if let Some(score) = score {
            self.found(own, other, score, (least - 1, least));
        }
        self.leave(own, other);
        score
    }

    /// The moves of a position one after the other; those that another thread is at come last. The first one is never put
    /// off: if it is good enough, all others are for nothing.
    fn brothers(
        &self,
        thread: usize,
        own: u64,
        other: u64,
        plies: u32,
        least: i32,
        share: f64,
    ) -> Option<i32> {
        let mut moves = VecDeque::from(self.ordered(own, other));
        let may_wait = 2..=moves.len();
        let part = share / moves.len() as f64;
        let mut best = -2 * self.squares;
        let mut turn = 0;
        while let Some((next, mine)) = moves.pop_front() {
            turn += 1;
            if may_wait.contains(&turn) && self.busy(next, mine) {
                moves.push_back((next, mine));
                continue;
            }
            best = best.max(-self.search(thread, next, mine, plies - 1, 1 - least, part)?);
            if best >= least {
                self.done(thread, part * moves.len() as f64);
                break;
            }
        }
        Some(best)
    }

    /// A position for the solver. If another thread has it, its answer is waited for.
    fn leaf(&self, thread: usize, own: u64, other: u64, least: i32, share: f64) -> Option<i32> {
        let key = canonical(self.size, own, other);
        let mut board = lock(&self.board);
        loop {
            if self.answered.load(Ordering::Relaxed) || self.budget.stopped() || self.budget.late()
            {
                return None;
            }
            if let btree_map::Entry::Vacant(place) = board.busy.entry(key) {
                place.insert(1);
                break;
            }
            let waited = self.changed.wait_timeout(board, Duration::from_millis(50));
            board = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        drop(board);
        let score = match self.known(own, other, (least - 1, least)) {
            Ok(score) => Some(score),
            Err(_) => self.solved(thread, own, other, least),
        };
        self.leave(own, other);
        if score.is_some() {
            self.done(thread, share);
        }
        score
    }

    fn solved(&self, thread: usize, own: u64, other: u64, least: i32) -> Option<i32> {
        let mut solver = lock(&self.solvers[thread]);
        let before = solver.nodes();
        let score = solver.within(own, other, least - 1, least, self.budget);
        let nodes = solver.nodes() - before;
        drop(solver);
        let nodes = nodes + self.nodes.fetch_add(nodes, Ordering::Relaxed);
        let score = score?;
        self.found(own, other, score, (least - 1, least));
        let solved = 1 + self.solved.fetch_add(1, Ordering::Relaxed);
        let most = self.shares.iter().map(|s| s.load(Ordering::Relaxed)).max();
        (self.tell)(Far {
            least: self.least.load(Ordering::Relaxed),
            share: most.unwrap_or(0) as f64 / 1e9,
            solved,
            nodes,
        });
        Some(score)
    }
}

#[cfg(test)]
mod tests {
    use wits_game::{Dice, Seed};
    use wits_search::Limits;

    use std::sync::atomic::AtomicUsize;

    use super::*;
    use crate::{NoMove, Start};

    fn small() -> Othello {
        Othello::new(4, Start::Othello, NoMove::Pass).unwrap()
    }

    fn nobody(_: Far) {}

    #[test]
    fn a_run_that_is_stopped_again_and_again_comes_to_the_same_end() {
        let game = small();
        let p = game.start();
        let mut solver = Solver::sized(14, 4);
        let known = solver
            .score(p.own(), p.other(), &Budget::endless())
            .unwrap();
        assert!(known < 0, "the second player wins");
        for threads in [1, 3] {
            let plan = Plan {
                plies: 8,
                ..Plan::of(4, threads)
            };
            let file = Mutex::new(Ledger::new(&game).head().to_owned());
            let keep = |entry: &Entry| lock(&file).push_str(&entry.line());
            let mut runs = 0;
            let solved = loop {
                runs += 1;
                assert!(runs < 10_000, "it gets on");
                let text = lock(&file).clone();
                // A crash tears the last line.
                let torn = text.len() - usize::from(runs % 3 == 0 && text.lines().count() > 1) * 3;
                *lock(&file) = text[..=text[..torn].rfind('\n').unwrap()].to_owned();
                let ledger = Ledger::read(&game, &text[..torn]).unwrap();
                // The stop is raised from inside after a few positions.
                let budget = Budget::endless();
                let stop = |far: Far| {
                    if far.solved >= 5 {
                        budget.stop();
                    }
                };
                if let Some(solved) = solve(&game, plan, ledger, &budget, &keep, &stop) {
                    break solved;
                }
            };
            assert!(runs > 3, "it was stopped: {runs}");
            assert_eq!(solved.score, known);
            let best = solved.best.unwrap();
            let (next, mine) = after(best, p.own(), p.other());
            let reply = solver.score(next, mine, &Budget::endless()).unwrap();
            assert_eq!(-reply, known, "{best}");
        }
    }

    #[test]
    fn orientations_of_a_small_board_share_an_entry() {
        let mut dice = Dice::new(Seed::new(3));
        let game = Othello::new(6, Start::Othello, NoMove::Pass).unwrap();
        for _ in 0..20 {
            let mut p = game.start();
            for _ in 0..8 {
                let open = game.options(&p);
                game.play(&mut p, dice.pick(&open).unwrap());
            }
            let one = canonical(6, p.own(), p.other());
            assert_eq!((one.0 | one.1) & !game.area(), 0);
            let flipped = |set: u64| bits::upside_down(set) >> 16;
            let turned = |set: u64| bits::transposed(flipped(set));
            assert_eq!(one, canonical(6, flipped(p.own()), flipped(p.other())));
            assert_eq!(one, canonical(6, turned(p.own()), turned(p.other())));
            assert_eq!(one.0.count_ones(), p.own().count_ones());
        }
    }

    #[test]
    fn a_spent_budget_keeps_what_was_solved() {
        let game = Othello::new(6, Start::Othello, NoMove::Pass).unwrap();
        let count = AtomicUsize::new(0);
        let keep = |_: &Entry| {
            count.fetch_add(1, Ordering::Relaxed);
        };
        let plan = Plan {
            plies: 20,
            threads: 1,
            bits: 14,
        };
        let budget = Budget::endless();
        let stop = |far: Far| {
            if far.solved >= 10 {
                budget.stop();
            }
        };
        let none = solve(&game, plan, Ledger::new(&game), &budget, &keep, &stop);
        assert_eq!(none, None);
        assert!(count.load(Ordering::Relaxed) >= 10);
        let late = Budget::start(Limits::time(std::time::Duration::ZERO));
        let ledger = Ledger::new(&game);
        assert_eq!(solve(&game, plan, ledger, &late, &keep, &nobody), None);
    }

    #[test]
    fn other_files_are_refused() {
        let game = small();
        let head = Ledger::new(&game).head().to_owned();
        assert!(Ledger::read(&game, &head).unwrap().is_empty());
        let other = Othello::new(6, Start::Othello, NoMove::Pass).unwrap();
        assert!(matches!(
            Ledger::read(&other, &head),
            Err(BadLedger::Head { .. })
        ));
        let wrong = format!("{head}1 2 3\n1 2 0 0\n");
        assert_eq!(Ledger::read(&game, &wrong), Err(BadLedger::Line(2)));
        let both = format!("{head}1 1 0 0\n");
        assert_eq!(Ledger::read(&game, &both), Err(BadLedger::Line(2)));
        let torn = format!("{head}1 2 0 0\n1 2");
        assert_eq!(Ledger::read(&game, &torn).unwrap().len(), 1);
    }
}
