//! Depth-first search for who wins, with a table of positions.

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use serde_json::Value;
use wits_game::Message;
use wits_search::{Budget, Kind, Step as Told, Watch};

use super::lines::{Lines, ones};
use super::node::{Node, Seen, Step};
use super::table::Table;
use crate::WORDS;
use crate::board::{Board, Paint};
use crate::series::series_count;
use crate::terms::{Side, Terms};

/// Who wins a position, proved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Solved {
    /// Who wins under perfect play.
    pub winner: Side,
    /// A move that wins, where the side to move does.
    pub best: Option<Paint>,
    /// How many positions were looked at for this answer.
    pub nodes: u64,
}

/// Solves positions of one game, and remembers what it has proved.
pub struct Solver {
    pub(super) lines: Lines,
    colours: u32,
    /// Whether Maker wins, with as many colours as anybody could want.
    spare: Table,
    /// Whether Maker wins with the colours of this game, where they can run out.
    scarce: Table,
    nodes: Arc<AtomicU64>,
    most: usize,
}

impl Solver {
    /// The longest board that players and forecasts search.
    pub const MOST_NUMBERS: u32 = 25;

    /// The longest board that fits at all: see [`Solver::sized`].
    pub const LONGEST: u32 = 30;

    /// The table is left to grow to about this many positions unless told otherwise.
    pub const MOST_POSITIONS: usize = 20_000_000;

    /// A solver for a game, if its board is short enough for a player to search.
    pub fn new(terms: &Terms) -> Option<Solver> {
        let short = terms.n() <= Self::MOST_NUMBERS;
        Solver::sized(terms, Self::MOST_POSITIONS).filter(|_| short)
    }

    /// A solver for a game on up to [`Solver::LONGEST`] numbers that remembers up to so many positions; each takes about 40 bytes.
    pub fn sized(terms: &Terms, positions: usize) -> Option<Solver> {
        let (n, k) = (terms.n(), terms.k());
        let fits = n <= Self::LONGEST && series_count(n, k) <= Lines::MOST;
        fits.then(|| Solver {
            lines: Lines::new(n, k),
            colours: terms.c().into(),
            spare: Table::default(),
            scarce: Table::default(),
            nodes: Arc::default(),
            most: positions,
        })
    }

    /// A solver for a circle of numbers (see [`crate::circle`]) with as many colours as numbers, if it is small enough.
    pub(crate) fn on_circle(n: u32, k: u32, first: Side) -> Option<Solver> {
        let terms = Terms::new(n.into(), k.into(), n.into(), first).ok()?;
        let all = crate::circle::progressions(n, k);
        let fits = n <= Self::MOST_NUMBERS && all.len() as u64 <= Lines::MOST;
        let mask = |numbers: &Vec<u32>| numbers.iter().fold(0, |mask, x| mask | 1 << (x - 1));
        fits.then(|| Solver {
            lines: Lines::of(n, k, all.iter().map(mask).collect()),
            colours: terms.c().into(),
            spare: Table::default(),
            scarce: Table::default(),
            nodes: Arc::default(),
            most: Self::MOST_POSITIONS,
        })
    }

    /// How many positions are in the tables.
    pub fn positions(&self) -> usize {
        self.spare.len() + self.scarce.len()
    }

    /// How many positions were looked at for all answers so far.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// The number of positions looked at, for somebody who wants to see it grow.
    pub fn counter(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.nodes)
    }

    /// Writes what was proved, to be taken up later.
    pub fn save(&self, to: &mut impl Write) -> io::Result<()> {
        to.write_all(&self.name())?;
        self.spare.save(to)?;
        self.scarce.save(to)
    }

    /// Takes up what was proved before in the same game.
    pub fn resume(&mut self, from: &mut impl Read) -> io::Result<()> {
        let mut name = vec![0; self.name().len()];
        from.read_exact(&mut name)?;
        if name != self.name() {
            let why = "this is not a kept search of this game";
            return Err(io::Error::new(io::ErrorKind::InvalidData, why));
        }
        self.spare.load(from)?;
        self.scarce.load(from)
    }

    fn name(&self) -> Vec<u8> {
        let (n, k) = (self.lines.n, self.lines.k);
        format!(
            "wits-rainbow-search 2\nn {n:3} k {k:3} c {:5}\n",
            self.colours
        )
        .into_bytes()
    }

    /// Fills the table with many threads until the position is decided or the budget ends: all of them search the same
    /// position, each takes the replies in another order, and what one has proved the others need not.
    pub fn spread(&mut self, board: &Board, budget: &Budget, threads: usize) {
        if threads < 2 || board.winner().is_some() {
            return;
        }
        let node = Node::of(board, &self.lines);
        let over = AtomicBool::new(false);
        let (solver, over) = (&*self, &over);
        std::thread::scope(|scope| {
            for worker in 0..threads as u64 {
                scope.spawn(move || {
                    let mut watch = ();
                    let mut search = Search::new(solver, budget, &mut watch);
                    (search.worker, search.over) = (worker, Some(over));
                    if search.decide(&node).is_some() {
                        over.store(true, Ordering::Relaxed);
                    }
                });
            }
        });
    }

    /// Who wins, or nothing if the budget ends first. What was proved until then is kept, so asking
    /// again goes on.
    pub fn solve<W: Watch>(
        &mut self,
        board: &Board,
        budget: &Budget,
        watch: &mut W,
    ) -> Option<Solved> {
        self.search(board, budget, watch, None)
    }

    /// The same for somebody who hears of each move of the position once it is known who wins after it.
    pub fn solve_live(
        &mut self,
        board: &Board,
        budget: &Budget,
        each: &mut dyn FnMut(Paint, Side),
    ) -> Option<Solved> {
        self.search(board, budget, &mut (), Some((board, each)))
    }

    fn search<'a, W: Watch>(
        &'a self,
        board: &'a Board,
        budget: &'a Budget,
        watch: &'a mut W,
        live: Option<Live<'a>>,
    ) -> Option<Solved> {
        let node = Node::of(board, &self.lines);
        let before = self.nodes();
        let mut search = Search::new(self, budget, watch);
        search.live = live;
        let maker = search.decide(&node)?;
        let winner = if maker { Side::Maker } else { Side::Breaker };
        let mut best = None;
        if winner == node.turn && board.winner().is_none() {
            let step = search.winning(&node, winner)?;
            best = Some(paint(board, &node, step));
        }
        Some(Solved {
            winner,
            best,
            nodes: self.nodes() - before,
        })
    }

    /// Who wins a position of the solver, and with how many colours that was decided.
    pub(super) fn decide(&mut self, node: &Node, budget: &Budget) -> Option<(Side, u32)> {
        let mut watch = ();
        let mut search = Search::new(self, budget, &mut watch);
        let maker = search.decide(node)?;
        Some((
            if maker { Side::Maker } else { Side::Breaker },
            search.colours,
        ))
    }

    /// The first winning move of the side to move, in a search with so many colours.
    pub(super) fn winning(&mut self, node: &Node, colours: u32, budget: &Budget) -> Option<Step> {
        let mut watch = ();
        let mut search = Search::new(self, budget, &mut watch);
        search.colours = colours;
        search.winning(node, node.turn)
    }
}

/// The move of the solver as a move of the board.
fn paint(board: &Board, node: &Node, step: Step) -> Paint {
    let colour_of = |mask: u32| board.colour(mask.trailing_zeros() + 1).unwrap_or(1);
    let taken: Vec<u16> = node.classes().iter().map(|&mask| colour_of(mask)).collect();
    let free = |colour: &u16| !taken.contains(colour);
    match step {
        Step::Join(x, class) => Paint {
            number: x + 1,
            colour: taken[class],
        },
        Step::Fresh(x) => {
            let unused = board.palette().find(|&colour| board.used(colour) == 0);
            let colour = unused.or_else(|| board.palette().find(free)).unwrap_or(1);
            Paint {
                number: x + 1,
                colour,
            }
        }
        Step::Pass => {
            let idle = (node.left & !node.open).trailing_zeros();
            Paint {
                number: idle + 1,
                colour: taken.first().copied().unwrap_or(1),
            }
        }
    }
}

/// A position, and who hears of its moves.
type Live<'a> = (&'a Board, &'a mut (dyn FnMut(Paint, Side) + 'a));

struct Search<'a, W> {
    solver: &'a Solver,
    budget: &'a Budget,
    /// Nodes of this search: what the budget pays.
    nodes: u64,
    watch: &'a mut W,
    /// The colours of the present search: all there are, or more than anybody wants.
    colours: u32,
    id: u64,
    /// Which of several threads this is; the first takes the moves in the plain order.
    worker: u64,
    /// Raised when another thread has the answer.
    over: Option<&'a AtomicBool>,
    live: Option<Live<'a>>,
}

impl<'a, W> Search<'a, W> {
    fn new(solver: &'a Solver, budget: &'a Budget, watch: &'a mut W) -> Search<'a, W> {
        Search {
            solver,
            budget,
            nodes: 0,
            watch,
            colours: u32::MAX,
            id: 0,
            worker: 0,
            over: None,
            live: None,
        }
    }
}

impl<W: Watch> Search<'_, W> {
    /// Whether Maker wins: first with colours to spare, and only if so with those there are.
    fn decide(&mut self, node: &Node) -> Option<bool> {
        self.watch.step(|| {
            Told::new(
                Kind::Open,
                WORDS.say("thread-root").with("who", node.turn.name()),
            )
            .data("id", 0)
            .data("parent", Value::Null)
            .data("move", Value::Null)
        });
        self.colours = u32::MAX;
        let mut maker = self.value(node, 0)?;
        if maker && self.solver.colours < node.enough() {
            self.watch
                .step(|| Told::new(Kind::Note, WORDS.say("thread-scarce")));
            self.colours = self.solver.colours;
            maker = self.value(node, 0)?;
        }
        // From here on the moves are looked up, not decided.
        self.live = None;
        let winner = if maker { Side::Maker } else { Side::Breaker };
        self.watch.step(|| {
            let says = WORDS.say("thread-solved").with("who", winner.name());
            Told::new(Kind::Close, says)
                .data("id", 0)
                .data("value", value(winner))
                .data("proved", true)
        });
        Some(maker)
    }

    /// The first move that wins for the side to move; [`Search::decide`] has said that there is one.
    fn winning(&mut self, node: &Node, winner: Side) -> Option<Step> {
        for step in node.steps(&self.solver.lines, self.colours) {
            let next = node.after(&self.solver.lines, step);
            if self.value(&next, 0)? == (winner == Side::Maker) {
                self.watch.step(|| {
                    let label = label(node, step);
                    let says = WORDS.say("thread-choose").with("move", &label);
                    Told::new(Kind::Choose, says.with("who", winner.name()))
                        .data("answer", label)
                        .data("value", value(winner))
                });
                return Some(step);
            }
        }
        None
    }

    fn known(&self, key: u128) -> Option<bool> {
        let spare = self.solver.spare.get(key);
        if self.colours == u32::MAX || spare == Some(false) {
            return spare;
        }
        self.solver.scarce.get(key)
    }

    /// Whether Maker wins. `None` when the budget has ended.
    fn value(&mut self, node: &Node, parent: u64) -> Option<bool> {
        match node.seen(&self.solver.lines) {
            Seen::Won(side) => return Some(side == Side::Maker),
            Seen::Open => {}
        }
        let key = node.key(&self.solver.lines);
        if let Some(maker) = self.known(key) {
            return Some(maker);
        }
        if self.budget.spent(self.nodes)
            || self.solver.positions() >= self.solver.most
            || self.over.is_some_and(|over| over.load(Ordering::Relaxed))
        {
            return None;
        }
        self.nodes += 1;
        self.solver.nodes.fetch_add(1, Ordering::Relaxed);
        if node.turn == Side::Maker && node.paired(&self.solver.lines) {
            self.store(key, false);
            return Some(false);
        }
        let wants = node.turn == Side::Maker;
        let mut steps = node.steps(&self.solver.lines, self.colours);
        if self.worker > 0 && steps.len() > 1 {
            self.vary(&mut steps, node.turn, key);
        }
        let mut maker = !wants;
        for (tried, &step) in steps.iter().enumerate() {
            let next = node.after(&self.solver.lines, step);
            self.id += 1;
            let id = self.id;
            self.open(id, parent, node, step);
            let found = self.value(&next, id);
            self.close(id, node, step, found);
            if parent == 0
                && let Some(maker) = found
            {
                self.hear(node, step, maker);
            }
            if found? == wants {
                maker = wants;
                self.cut(parent, node, step, steps.len() - tried - 1);
                break;
            }
        }
        self.store(key, maker);
        Some(maker)
    }

    /// Tells who wins after a move of the first position. With colours to spare only a win of Breaker is final.
    fn hear(&mut self, node: &Node, step: Step, maker: bool) {
        let last = self.colours != u32::MAX || !maker || self.solver.colours >= node.enough();
        if let Some((board, each)) = self.live.as_mut().filter(|_| last) {
            let winner = if maker { Side::Maker } else { Side::Breaker };
            each(paint(board, node, step), winner);
        }
    }

    fn store(&self, key: u128, maker: bool) {
        let table = if self.colours == u32::MAX {
            &self.solver.spare
        } else {
            &self.solver.scarce
        };
        table.put(key, maker);
    }

    /// Another order for each thread. The replies of the side that loses must all be looked at, and it is not known which
    /// side that is: most threads vary Breaker's, every fourth Maker's.
    fn vary(&self, steps: &mut [Step], turn: Side, key: u128) {
        let mixed = (key as u64 ^ (key >> 64) as u64 ^ self.worker << 56)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15);
        if (turn == Side::Maker) == (self.worker % 4 == 3) {
            let by = (mixed >> 32) as usize % steps.len();
            steps.rotate_left(by);
        }
    }

    fn open(&mut self, id: u64, parent: u64, node: &Node, step: Step) {
        self.watch.step(|| {
            let label = label(node, step);
            let says = WORDS
                .say("thread-try")
                .with("move", &label)
                .with("who", node.turn.name());
            Told::new(Kind::Open, says)
                .data("id", id)
                .data("parent", parent)
                .data("move", label)
        });
    }

    fn close(&mut self, id: u64, node: &Node, step: Step, maker: Option<bool>) {
        self.watch.step(|| {
            let label = label(node, step);
            let Some(maker) = maker else {
                return Told::new(Kind::Close, WORDS.say("thread-stopped").with("move", label))
                    .data("id", id)
                    .data("value", Value::Null);
            };
            let winner = if maker { Side::Maker } else { Side::Breaker };
            let says = WORDS
                .say("thread-wins")
                .with("move", label)
                .with("who", winner.name());
            Told::new(Kind::Close, says)
                .data("id", id)
                .data("value", value(winner))
                .data("proved", true)
                .data("best", winner == node.turn)
        });
    }

    fn cut(&mut self, id: u64, node: &Node, step: Step, rest: usize) {
        if rest == 0 {
            return;
        }
        self.watch.step(|| {
            let says: Message = WORDS.say("thread-cut").with("move", label(node, step));
            Told::new(
                Kind::Cut,
                says.with("rest", rest).with("who", node.turn.name()),
            )
            .data("id", id)
            .data("rest", rest)
        });
    }
}

/// What a win is worth to Maker.
fn value(winner: Side) -> i32 {
    if winner == Side::Maker { 1 } else { -1 }
}

/// A move as the thread shows it. The solver knows colours only as classes of numbers, so a colour is
/// told by one number that has it.
fn label(node: &Node, step: Step) -> String {
    match step {
        Step::Join(x, class) => {
            let like = ones(node.classes()[class]).next().unwrap_or(0) + 1;
            WORDS
                .say("move-join")
                .with("number", x + 1)
                .with("like", like)
                .to_string()
        }
        Step::Fresh(x) => WORDS.say("move-fresh").with("number", x + 1).to_string(),
        Step::Pass => WORDS.say("move-pass").to_string(),
    }
}
