//! Depth-first search for who wins, with a table of positions.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use serde_json::Value;
use wits_game::Message;
use wits_search::{Budget, Kind, Step as Told, Watch};

use super::lines::{Lines, ones};
use super::node::{Node, Seen, Step};
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

/// Spreads the keys: they are already distinct, only their bits are not even.
#[derive(Default)]
struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u64(&mut self, word: u64) {
        let mixed = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 29;
    }

    fn write_u128(&mut self, word: u128) {
        self.write_u64(word as u64);
        self.write_u64((word >> 64) as u64);
    }
}

type Table = HashMap<u128, bool, BuildHasherDefault<Mixer>>;

/// Solves positions of one game, and remembers what it has proved.
pub struct Solver {
    pub(super) lines: Lines,
    colours: u32,
    /// Whether Maker wins, with as many colours as anybody could want.
    spare: Table,
    /// Whether Maker wins with the colours of this game, where they can run out.
    scarce: Table,
    nodes: u64,
}

impl Solver {
    /// The longest board that fits.
    pub const MOST_NUMBERS: u32 = 25;

    /// The table is left to grow to about this many positions.
    pub const MOST_POSITIONS: usize = 20_000_000;

    /// A solver for a game, if its board fits.
    pub fn new(terms: &Terms) -> Option<Solver> {
        let (n, k) = (terms.n(), terms.k());
        let fits = n <= Self::MOST_NUMBERS && series_count(n, k) <= Lines::MOST;
        fits.then(|| Solver {
            lines: Lines::new(n, k),
            colours: terms.c().into(),
            spare: Table::default(),
            scarce: Table::default(),
            nodes: 0,
        })
    }

    /// How many positions are in the tables.
    pub fn positions(&self) -> usize {
        self.spare.len() + self.scarce.len()
    }

    /// How many positions were looked at for all answers so far.
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Who wins, or nothing if the budget ends first. What was proved until then is kept, so asking
    /// again goes on.
    pub fn solve<W: Watch>(
        &mut self,
        board: &Board,
        budget: &Budget,
        watch: &mut W,
    ) -> Option<Solved> {
        let node = Node::of(board, &self.lines);
        let before = self.nodes;
        let mut search = Search {
            solver: self,
            budget,
            base: before,
            watch,
            colours: u32::MAX,
            id: 0,
        };
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
            nodes: self.nodes - before,
        })
    }

    /// Who wins a position of the solver, and with how many colours that was decided.
    pub(super) fn decide(&mut self, node: &Node, budget: &Budget) -> Option<(Side, u32)> {
        let base = self.nodes;
        let mut search = Search {
            solver: self,
            budget,
            base,
            watch: &mut (),
            colours: u32::MAX,
            id: 0,
        };
        let maker = search.decide(node)?;
        Some((
            if maker { Side::Maker } else { Side::Breaker },
            search.colours,
        ))
    }

    /// The first winning move of the side to move, in a search with so many colours.
    pub(super) fn winning(&mut self, node: &Node, colours: u32, budget: &Budget) -> Option<Step> {
        let base = self.nodes;
        let mut search = Search {
            solver: self,
            budget,
            base,
            watch: &mut (),
            colours,
            id: 0,
        };
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

struct Search<'a, W> {
    solver: &'a mut Solver,
    budget: &'a Budget,
    /// Nodes of earlier questions, which this budget does not pay.
    base: u64,
    watch: &'a mut W,
    /// The colours of the present search: all there are, or more than anybody wants.
    colours: u32,
    id: u64,
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
        let enough = node.classes().len() as u32 + node.left.count_ones();
        if maker && self.solver.colours < enough {
            self.watch
                .step(|| Told::new(Kind::Note, WORDS.say("thread-scarce")));
            self.colours = self.solver.colours;
            maker = self.value(node, 0)?;
        }
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
        let spare = self.solver.spare.get(&key).copied();
        if self.colours == u32::MAX || spare == Some(false) {
            return spare;
        }
        self.solver.scarce.get(&key).copied()
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
        if self.budget.spent(self.solver.nodes - self.base)
            || self.solver.positions() >= Solver::MOST_POSITIONS
        {
            return None;
        }
        self.solver.nodes += 1;
        let wants = node.turn == Side::Maker;
        let steps = node.steps(&self.solver.lines, self.colours);
        let mut maker = !wants;
        for (tried, &step) in steps.iter().enumerate() {
            let next = node.after(&self.solver.lines, step);
            self.id += 1;
            let id = self.id;
            self.open(id, parent, node, step);
            let found = self.value(&next, id);
            self.close(id, node, step, found);
            if found? == wants {
                maker = wants;
                self.cut(parent, node, step, steps.len() - tried - 1);
                break;
            }
        }
        let table = if self.colours == u32::MAX {
            &mut self.solver.spare
        } else {
            &mut self.solver.scarce
        };
        table.insert(key, maker);
        Some(maker)
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
