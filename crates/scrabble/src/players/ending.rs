//! The end of the game with all tiles known: exact, as far as the budget goes.
//!
//! When the bag is empty two players know each other's tiles, and the rest is a game without secrets: [`Solver`] searches it.
//! Two passes in a row end a line: who passes would not rather move in the same position again.

use wits_game::Figure;
use wits_play::{Budget, Choice, Desk, Line, Thought, Worth};
use wits_search::tree::grouped;
use wits_search::{Backup, Kind, Proof, Watch};

use super::bout::{Rack, Step};
use super::sight::{Sight, as_move};
use super::solver::{Solution, Solver, Tried};
use super::telling::Account;
use crate::WORDS;
use crate::generate::{Engine, Field};
use crate::settings::RACK;
use crate::table::{Done, Move};

/// A position of two players with everything known. At most one tile is still in the bag.
#[derive(Clone, Debug)]
pub struct Ending {
    /// The board.
    pub field: Field,
    /// The racks; the first is that of the side to move.
    pub racks: [Rack; 2],
    /// The tile in the bag, if there is one.
    pub bag: Option<u8>,
    /// Whether the side before has just passed.
    pub passed: bool,
}

impl Ending {
    pub(super) fn held(&self, side: usize, engine: &Engine) -> i32 {
        let tiles = self.racks[side].tiles().iter();
        tiles.map(|&t| engine.values().of(t)).sum()
    }

    /// The position after a step, the other side to move; nothing where the game is over.
    pub fn after(&self, step: &Step, engine: &Engine) -> Option<Ending> {
        let mut next = Ending {
            field: self.field.clone(),
            racks: [self.racks[1], self.racks[0]],
            bag: self.bag,
            passed: false,
        };
        match step {
            Step::Lay(play, _) => {
                for kind in play.taken() {
                    next.racks[1].take(kind);
                }
                engine.lay(&mut next.field, play);
                if let Some(tile) = next.bag.filter(|_| next.racks[1].len() < RACK) {
                    next.racks[1].push(tile);
                    next.bag = None;
                }
                (!next.racks[1].is_empty()).then_some(next)
            }
            _ if self.passed => None,
            _ => {
                next.passed = true;
                Some(next)
            }
        }
    }

    /// What a step brings at once, the settling of tiles included where it ends the game.
    pub fn gain(&self, step: &Step, engine: &Engine) -> i32 {
        match step {
            Step::Lay(play, score) => {
                let out = self.bag.is_none() && play.count() == self.racks[0].len();
                if out {
                    score + 2 * self.held(1, engine)
                } else {
                    *score
                }
            }
            _ if self.passed => self.held(1, engine) - self.held(0, engine),
            _ => 0,
        }
    }

    pub(super) fn key(&self) -> u64 {
        key(&self.field, &self.racks, self.bag, self.passed)
    }

    /// The tiles that can still be laid.
    pub fn tiles(&self) -> Vec<u8> {
        let racks = self.racks.iter().flat_map(Rack::tiles);
        racks.copied().chain(self.bag).collect()
    }
}

/// Tells positions apart.
pub(super) fn key(field: &Field, racks: &[Rack; 2], bag: Option<u8>, passed: bool) -> u64 {
    let mut key = if passed { 0x9e37 } else { 1 };
    let mut mix = |n: u64| {
        key = (key ^ n).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        key ^= key >> 29;
    };
    for chunk in field.board().squares().chunks(8) {
        let mut eight = [0; 8];
        eight[..chunk.len()].copy_from_slice(chunk);
        mix(u64::from_le_bytes(eight));
    }
    for rack in racks {
        let mut eight = [u8::MAX; 8];
        eight[..rack.len()].copy_from_slice(rack.tiles());
        mix(u64::from_le_bytes(eight));
    }
    mix(bag.map_or(u64::MAX, u64::from));
    key
}

/// The ending that a seat sees, where two play and the bag is empty.
pub fn ending_of(sight: &Sight<'_>) -> Option<Ending> {
    if sight.view.racks.len() != 2 || sight.bag != 0 || !sight.view.bag.is_empty() {
        return None;
    }
    Some(Ending {
        field: sight.field.clone(),
        racks: [Rack::new(sight.view.rack()), Rack::new(&sight.unseen())],
        bag: None,
        passed: sight.view.last.is_some_and(|last| last.done == Done::Pass),
    })
}

/// Decides in an ending; nothing where it is none.
pub(crate) fn choose(
    sight: &Sight<'_>,
    most: u64,
    budget: &Budget,
    desk: &mut Desk<'_, Move>,
) -> Option<Choice<Move>> {
    let ending = ending_of(sight)?;
    let most = desk.budget.limits().nodes.map_or(most, |n| n.min(most));
    let mut solver = Solver::new(
        sight.game.engine(),
        sight.game.settings().bingo,
        budget,
        most,
    );
    let mut rounds = Vec::new();
    let watched = desk.record.is_some();
    let solution = solver.solve(&ending, |found| {
        if watched {
            rounds.push(found.clone());
        }
        let worth = f64::from(found.value);
        desk.say(Thought {
            lines: vec![Line {
                moves: found.line.iter().map(as_move).collect(),
                worth: if found.exact {
                    Worth::exact(found.value)
                } else {
                    Worth::heuristic(worth)
                },
            }],
            depth: found.depth,
            nodes: found.nodes,
            why: Some(WORDS.say(if found.exact {
                "why-ending"
            } else {
                "why-ending-part"
            })),
            ..Thought::default()
        });
    });
    let mv = solution.line.first().map_or(Move::Pass, as_move);
    if let Some(watch) = desk.record.take() {
        tell(watch, sight, (&solver, &rounds), &solution, &mv);
    }
    Some(Choice::Move(mv))
}

/// Tells the ending: what each depth found, and what every first move comes to.
fn tell<W: Watch>(
    watch: &mut W,
    sight: &Sight<'_>,
    (solver, rounds): (&Solver<'_>, &[Solution]),
    solution: &Solution,
    mv: &Move,
) {
    let (game, view) = (sight.game, sight.view);
    let mut account = Account::open(watch, (game, view), Backup::Max);
    for round in rounds {
        // Moves of the other side are written as they would be there: by their squares and letters.
        let first = round.line.first().map(as_move);
        let says = WORDS
            .say("told-ending-depth")
            .with("depth", round.depth)
            .with("nodes", grouped(round.nodes))
            .with("value", Figure::Signed(f64::from(round.value), 0))
            .with("move", first.map_or(String::new(), |mv| account.label(&mv)));
        account.told.note(says);
    }
    let worth = |value: i32| {
        if solution.exact {
            Worth::exact(value)
        } else {
            Worth::heuristic(f64::from(value))
        }
    };
    let mut order: Vec<&Tried> = solver.tried().iter().collect();
    order.sort_by_key(|tried| (std::cmp::Reverse(tried.value), tried.at_most));
    for tried in order {
        let made = as_move(&tried.step);
        // What was chosen is listed in any case.
        if !account.room() && made != *mv {
            continue;
        }
        let known = worth(tried.value);
        // A bound that rests on a judgement is an estimate.
        let known = if tried.at_most && solution.exact {
            known.known(Proof::AtMost)
        } else {
            known
        };
        let key = if tried.at_most {
            "told-ending-worse"
        } else {
            "told-ending-move"
        };
        let says = WORDS
            .say(key)
            .with("value", Figure::Signed(f64::from(tried.value), 0));
        account.known(&made, known, says);
    }
    account.told.step(|| {
        let says = WORDS.say("told-ending-count").with("nodes", solution.nodes);
        wits_search::Step::new(Kind::Count, says).data("nodes", solution.nodes)
    });
    let did = WORDS.say(if solution.exact {
        "sum-ending"
    } else {
        "sum-ending-part"
    });
    let did = did
        .with("nodes", grouped(solution.nodes))
        .with("depth", solution.depth);
    let decided = WORDS
        .say("sum-ending-best")
        .with("move", account.label(mv))
        .with("value", Figure::Signed(f64::from(solution.value), 0));
    let chosen = solver
        .tried()
        .iter()
        .any(|tried| as_move(&tried.step) == *mv);
    let known = Some(worth(solution.value)).filter(|_| chosen);
    let rest = WORDS.say("told-ending-rest");
    account.choose_known(mv, known, rest, [did, decided]);
}
