//! Who wins, proved: depth first with a table, from the side of whoever is to move.
//!
//! A position is kept turned so that the side to move goes up the board, and in the smaller of its
//! two mirror images, so four positions share one entry. Two facts about passed pawns end most
//! lines early (see [`Lane::race`]); they are consequences of the rules, not guesses.

use serde::Serialize;
use wits_game::Seat;
use wits_search::Budget;

use super::{BadSize, Board, Counts, Hexapawn, count, placements};

/// A position seen by the side to move, which goes up the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(super) struct Sides {
    pub(super) me: u64,
    pub(super) them: u64,
}

/// The masks of one board, worked out once.
#[derive(Clone, Debug)]
pub(super) struct Lane {
    pub(super) game: Hexapawn,
    all: u64,
    top: u64,
    not_left: u64,
    not_right: u64,
}

impl Lane {
    pub(super) fn new(game: Hexapawn) -> Lane {
        let all = game.all();
        Lane {
            game,
            all,
            top: game.row(game.rows() - 1),
            not_left: all & !game.column(0),
            not_right: all & !game.column(game.cols() - 1),
        }
    }

    pub(super) fn sides(&self, board: &Board) -> Sides {
        match board.to_move() {
            Seat::FIRST => Sides {
                me: board.white,
                them: board.black,
            },
            _ => self.turned(Sides {
                me: board.white,
                them: board.black,
            }),
        }
    }

    /// The position from the other chair: turned by half a turn, sides exchanged.
    fn turned(&self, sides: Sides) -> Sides {
        let turn = |mask: u64| mask.reverse_bits() >> (64 - self.game.squares());
        Sides {
            me: turn(sides.them),
            them: turn(sides.me),
        }
    }

    /// The one of two mirror images that the table keeps.
    pub(super) fn canonical(&self, sides: Sides) -> Sides {
        let mirror = |mask| self.game.mirror_mask(mask);
        sides.min(Sides {
            me: mirror(sides.me),
            them: mirror(sides.them),
        })
    }

    /// Shifts by one row. A board of 64 rows has one column, so the shift is always below 64.
    fn up(&self, mask: u64) -> u64 {
        mask << self.game.cols() & self.all
    }

    fn down(&self, mask: u64) -> u64 {
        mask >> self.game.cols()
    }

    /// Where my pawns can go: straight on, taking to the left, taking to the right.
    fn targets(&self, sides: Sides) -> [u64; 3] {
        let ahead = self.up(sides.me);
        let straight = ahead & !(sides.me | sides.them);
        let left = self.up(sides.me & self.not_left) >> 1 & sides.them;
        let right = self.up(sides.me & self.not_right) << 1 & sides.them;
        [straight, left, right]
    }

    /// Whether a step to the far side is at hand.
    fn arrives(&self, targets: [u64; 3]) -> bool {
        (targets[0] | targets[1] | targets[2]) & self.top != 0
    }

    /// All positions after one step of mine, captures first, each seen from the other chair.
    pub(super) fn next(&self, sides: Sides, mut visit: impl FnMut(Sides) -> bool) {
        let [straight, left, right] = self.targets(sides);
        let cols = self.game.cols();
        for (mut goals, back) in [(left, cols - 1), (right, cols + 1), (straight, cols)] {
            while goals != 0 {
                // The most advanced pawn first: it is nearest to deciding the game.
                let to = goals.ilog2();
                goals &= !(1 << to);
                let from = to - u32::from(back);
                let me = sides.me & !(1 << from) | 1 << to;
                if visit(self.turned(Sides {
                    me,
                    them: sides.them & !(1 << to),
                })) {
                    return;
                }
            }
        }
    }

    /// Whether I win at once, lose at once, or neither.
    pub(super) fn over(&self, sides: Sides) -> Option<bool> {
        let targets = self.targets(sides);
        if sides.them & self.game.row(0) != 0 || targets == [0; 3] {
            Some(false)
        } else {
            self.arrives(targets).then_some(true)
        }
    }

    /// The pawns of `me` that nothing can take or block any more. An enemy pawn changes its column
    /// when it takes, so what it may still reach is a cone: one column wider with every row.
    fn passed(&self, sides: Sides) -> u64 {
        let (mut cone, mut edge, mut own) = (0, sides.them, self.down(sides.me));
        for _ in 0..self.game.rows() {
            edge |= (edge & self.not_left) >> 1 | (edge & self.not_right) << 1;
            edge = self.down(edge);
            cone |= edge;
            own |= self.down(own);
        }
        sides.me & !cone & !own
    }

    /// How many steps the most advanced pawn of `mask` has to go.
    fn steps_to_go(&self, mask: u64) -> Option<u32> {
        (mask != 0).then(|| {
            let row = mask.ilog2() / u32::from(self.game.cols());
            u32::from(self.game.rows()) - 1 - row
        })
    }

    /// Decides a race. A passed pawn that is `k` steps away arrives with its `k`-th step whatever
    /// happens, and its side can always move; so it wins unless the other side arrives before.
    fn race(&self, sides: Sides) -> Option<bool> {
        let their_view = self.turned(sides);
        let mine = self.steps_to_go(self.passed(sides));
        if let Some(k) = mine
            && self.steps_to_go(their_view.me).is_none_or(|they| k <= they)
        {
            return Some(true);
        }
        let theirs = self.steps_to_go(self.passed(their_view))?;
        self.steps_to_go(sides.me)
            .is_none_or(|i| i > theirs)
            .then_some(false)
    }
}

/// The default size of the table: 2 to this power entries.
pub const TABLE_BITS: u32 = 22;

/// A proof search with its table, kept between questions about the same board.
#[derive(Clone, Debug)]
pub struct Solver {
    lane: Lane,
    table: Vec<Slot>,
    /// Entries in use, so that the table grows only as far as it is needed.
    used: usize,
    most: usize,
    nodes: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    sides: Sides,
    /// 0 unknown, 1 the side to move loses, 2 it wins.
    known: u8,
}

/// Whether the side to move wins, or that the budget ended first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The side to move wins.
    Wins,
    /// The side to move loses.
    Loses,
    /// The budget ended first.
    Unknown,
}

/// How far a solver has come, for somebody who waits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Progress {
    /// Positions looked at.
    pub nodes: u64,
}

/// How many positions go by between two reports.
const REPORT: u64 = 1 << 18;

impl Solver {
    /// A solver whose table grows to 2 to the `bits` entries of 24 bytes.
    pub fn new(game: Hexapawn, bits: u32) -> Solver {
        let most = 1 << bits;
        let table = vec![Slot::default(); most.min(1 << 10)];
        Solver {
            lane: Lane::new(game),
            table,
            used: 0,
            most,
            nodes: 0,
        }
    }

    /// Keeps a result. A full table forgets what stood in the way.
    fn keep(&mut self, sides: Sides, wins: bool) {
        if self.used * 2 > self.table.len() && self.table.len() < self.most {
            let old = std::mem::take(&mut self.table);
            self.table = vec![Slot::default(); old.len() * 4];
            self.used = 0;
            for slot in old.into_iter().filter(|slot| slot.known != 0) {
                self.keep(slot.sides, slot.known == 2);
            }
        }
        let at = self.slot(sides);
        self.used += usize::from(self.table[at].known == 0);
        self.table[at] = Slot {
            sides,
            known: 1 + u8::from(wins),
        };
    }

    /// How many positions it has looked at so far.
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Who wins from a position.
    pub fn ask(&mut self, board: &Board, budget: &Budget) -> Answer {
        self.ask_with(board, budget, &mut |_| {})
    }

    /// Who wins from a position, with a report now and then.
    pub fn ask_with(
        &mut self,
        board: &Board,
        budget: &Budget,
        report: &mut dyn FnMut(Progress),
    ) -> Answer {
        match self.lane.game.winner(board) {
            Some(winner) if winner == board.to_move() => return Answer::Wins,
            Some(_) => return Answer::Loses,
            None => {}
        }
        match self.wins(self.lane.canonical(self.lane.sides(board)), budget, report) {
            Some(true) => Answer::Wins,
            Some(false) => Answer::Loses,
            None => Answer::Unknown,
        }
    }

    fn slot(&self, sides: Sides) -> usize {
        let mixed = (sides.me ^ sides.them.rotate_left(29)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ sides.them.wrapping_mul(0xd6e8_feb8_6659_fd93);
        (mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & (self.table.len() - 1)
    }

    fn wins(
        &mut self,
        sides: Sides,
        budget: &Budget,
        report: &mut dyn FnMut(Progress),
    ) -> Option<bool> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(REPORT) {
            report(Progress { nodes: self.nodes });
        }
        if let Some(decided) = self.lane.over(sides).or_else(|| self.lane.race(sides)) {
            return Some(decided);
        }
        let at = self.slot(sides);
        if self.table[at].known != 0 && self.table[at].sides == sides {
            return Some(self.table[at].known == 2);
        }
        if budget.spent(self.nodes) {
            return None;
        }
        let mut children = Children::default();
        let lane = &self.lane;
        let mut proved = false;
        lane.next(sides, |next| {
            let next = lane.canonical(next);
            let slot = &self.table[self.slot(next)];
            proved = slot.known == 1 && slot.sides == next || lane.over(next) == Some(false);
            children.push(next);
            proved
        });
        if !proved {
            for next in children.all() {
                if !self.wins(next, budget, report)? {
                    proved = true;
                    break;
                }
            }
        }
        self.keep(sides, proved);
        Some(proved)
    }
}

/// The positions after one step. A pawn has at most three, and there are at most 21 pawns.
struct Children {
    list: [Sides; 64],
    count: usize,
}

impl Default for Children {
    fn default() -> Children {
        Children {
            list: [Sides::default(); 64],
            count: 0,
        }
    }
}

impl Children {
    fn push(&mut self, sides: Sides) {
        self.list[self.count] = sides;
        self.count += 1;
    }

    fn all(&self) -> impl Iterator<Item = Sides> + use<> {
        let (list, count) = (self.list, self.count);
        (0..count).map(move |i| list[i])
    }
}

/// What is known about a board, in the words that scripts read.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Solved {
    /// Rows of the board.
    pub rows: u8,
    /// Columns of the board.
    pub cols: u8,
    /// `first` or `second`; nothing if the budget ended before the proof.
    pub winner: Option<&'static str>,
    /// Positions looked at for the proof.
    pub nodes: u64,
    /// How long the game lasts if the winner hurries and the loser holds out, where it was counted.
    pub distance: Option<u32>,
    /// How long a game can last at most, where it was counted.
    pub longest: Option<u32>,
    /// How many different complete games there are, in decimal digits, where they were counted.
    pub games: Option<String>,
    /// How many positions can come up, mirror images counted once, where they were counted.
    pub positions: Option<u64>,
    /// An upper bound for the positions: all ways to put the pawns on the board.
    pub at_most: String,
}

/// Who wins on a board.
pub fn outcome(rows: u8, cols: u8, budget: &Budget) -> Result<(Answer, u64), BadSize> {
    let game = Hexapawn::new(rows, cols)?;
    let mut solver = Solver::new(game, TABLE_BITS);
    let answer = solver.ask(&game.opening(), budget);
    Ok((answer, solver.nodes()))
}

/// Solves a board: who wins, and where at most `most` positions can come up also how many games
/// there are and how long they last.
///
/// The budget limits the proof; the counting ends with the stop flag or at `most` positions.
pub fn solve(
    rows: u8,
    cols: u8,
    budget: &Budget,
    most: u64,
    report: &mut dyn FnMut(Progress),
) -> Result<Solved, BadSize> {
    let game = Hexapawn::new(rows, cols)?;
    let mut solver = Solver::new(game, TABLE_BITS);
    let winner = match solver.ask_with(&game.opening(), budget, report) {
        Answer::Wins => Some("first"),
        Answer::Loses => Some("second"),
        Answer::Unknown => None,
    };
    let counts: Option<Counts> = winner.and_then(|_| count(game, &game.opening(), most, budget));
    Ok(Solved {
        rows,
        cols,
        winner,
        nodes: solver.nodes(),
        distance: counts.as_ref().map(|c| c.distance),
        longest: counts.as_ref().map(|c| c.longest),
        games: counts.as_ref().and_then(|c| c.games).map(|n| n.to_string()),
        positions: counts.as_ref().map(|c| c.positions),
        at_most: placements(rows, cols).to_string(),
    })
}
