//! The two classical searches of the report, and trial games.

use wits_game::{Game as _, Message};
use wits_play::{Choice, Desk, Limits, Line, Player, Thought, Worth, each_root};
use wits_search::tree::{self, Found, MctsOptions};
use wits_search::{Live, Step, Summary, Watch};

use crate::classic::Classic;
use crate::teach::Teacher;
use crate::{Heuristic, Othello, Position, Square, WORDS};

/// Which of the two classical searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum How {
    Minimax,
    AlphaBeta,
}

/// The teaching engine at the table.
///
/// Watched, or inside a limit of nodes, it runs the plain search of the spine, whose steps and counts are
/// those of the textbook. Otherwise alpha-beta runs the fast form, which gives the same value and move.
pub(crate) struct Searcher {
    how: How,
    depth: u32,
    heuristic: Heuristic,
    fast: Option<Teacher>,
}

impl Searcher {
    pub(crate) fn new(how: How, depth: u32, heuristic: Heuristic) -> Searcher {
        Searcher {
            how,
            depth,
            heuristic,
            fast: None,
        }
    }
}

impl Player<Othello> for Searcher {
    fn choose(
        &mut self,
        game: &Othello,
        view: &Position,
        desk: &mut Desk<'_, Square>,
    ) -> Choice<Square> {
        let budget = desk.budget.within(Limits::depth(self.depth));
        let depth = budget.limits().depth.unwrap_or(self.depth);
        // The fast form does not look at the clock, so under one it runs only where it is quick.
        let limited = budget.limits().nodes.is_some()
            || (budget.limits().time.is_some() && depth > 6)
            || budget.stopped();
        let quick = self.how == How::AlphaBeta
            && desk.record.is_none()
            && !limited
            && game.is_tournament()
            && view.taken().count_ones() >= 4
            && depth <= 8;
        if quick {
            let heuristic = self.heuristic;
            let teacher = self.fast.get_or_insert_with(|| Teacher::new(heuristic));
            let lesson = teacher.decide(&game.settled(view), depth);
            if let Some(square) = lesson.best {
                let value = if game.settled(view).turn.index() == 0 {
                    lesson.value
                } else {
                    -lesson.value
                };
                let worth = worth(value);
                let why = searched(square, worth, lesson.nodes, depth);
                let line = Line {
                    moves: vec![square],
                    worth,
                };
                desk.say(Thought {
                    lines: vec![line],
                    depth,
                    nodes: lesson.nodes,
                    why: Some(why),
                    ..Thought::default()
                });
                return Choice::Move(square);
            }
        }
        let classic = Classic(*game);
        let judge = self.heuristic;
        let how = self.how;
        let each = each_root(classic.options(view), depth, &mut desk.tell);
        let found = if let Some(watch) = desk.record.take() {
            let watch = WonGames(watch);
            let mut live = Live { watch, each };
            run(how, &classic, view, judge, depth, &budget, &mut live)
        } else {
            let mut live = Live { watch: (), each };
            run(how, &classic, view, judge, depth, &budget, &mut live)
        };
        desk.say(thought(&found));
        found.best.map_or(Choice::Resign, Choice::Move)
    }
}

/// Marks the ends of games: to the classical searches a game won is worth [`WON`](crate::classic::WON), whatever the
/// game pays in discs, and a thread says so.
struct WonGames<W>(W);

impl<W: Watch> Watch for WonGames<W> {
    const ON: bool = W::ON;

    fn step(&mut self, what: impl FnOnce() -> Step) {
        self.0.step(|| {
            let step = what();
            if step.data.contains_key("outcome") {
                step.data("by", "won")
            } else {
                step
            }
        });
    }

    fn sum_up(&mut self, what: impl FnOnce() -> Summary) {
        self.0.sum_up(what);
    }
}

fn run<W: Watch>(
    how: How,
    game: &Classic,
    view: &Position,
    judge: Heuristic,
    depth: u32,
    budget: &wits_play::Budget,
    watch: &mut W,
) -> Found<Square> {
    match how {
        How::Minimax => tree::minimax(game, view, &judge, depth, budget, watch),
        How::AlphaBeta => tree::alphabeta(game, view, &judge, depth, budget, watch),
    }
}

/// A value of the teaching engine as a worth: an infinite one is a game that is won or lost.
fn worth(value: f64) -> Worth {
    if value.is_infinite() {
        Worth::exact(if value > 0.0 {
            crate::classic::WON
        } else {
            -crate::classic::WON
        })
    } else {
        Worth::heuristic(value)
    }
}

fn searched(square: Square, worth: Worth, nodes: u64, depth: u32) -> Message {
    let why = WORDS.say("why-searched").with("move", square.to_string());
    why.with("worth", worth.said())
        .with("nodes", nodes)
        .with("depth", depth)
}

/// What was found, as a thought: the best line first, then the other moves by worth.
fn thought(found: &Found<Square>) -> Thought<Square> {
    let Some(best) = found.best else {
        return Thought::default();
    };
    let moves = if found.line.is_empty() {
        vec![best]
    } else {
        found.line.clone()
    };
    let mut lines = vec![Line {
        moves,
        worth: found.worth,
    }];
    let mut others: Vec<&(Square, Worth)> = found
        .moves
        .iter()
        .filter(|(square, _)| *square != best)
        .collect();
    others.sort_by_key(|(_, worth)| std::cmp::Reverse(*worth));
    lines.extend(others.into_iter().take(4).map(|(s, worth)| Line {
        moves: vec![*s],
        worth: *worth,
    }));
    let why = searched(best, found.worth, found.nodes, found.depth);
    let (depth, nodes) = (found.depth, found.nodes);
    let root = |(square, worth): &(Square, Worth)| Line {
        moves: vec![*square],
        worth: *worth,
    };
    Thought {
        lines,
        roots: found.moves.iter().map(root).collect(),
        depth,
        nodes,
        why: Some(why),
        ..Thought::default()
    }
}

/// Random games, followed where they go well: the spine's own search.
pub(crate) struct Trials {
    pub(crate) trials: u64,
    pub(crate) exploration: f64,
}

impl Player<Othello> for Trials {
    fn choose(
        &mut self,
        game: &Othello,
        view: &Position,
        desk: &mut Desk<'_, Square>,
    ) -> Choice<Square> {
        let budget = desk.budget.within(Limits::nodes(self.trials * 64));
        let options = MctsOptions {
            exploration: self.exploration,
            rounds: self.trials,
            ..MctsOptions::default()
        };
        let mut dice = desk.dice.clone();
        let tell = &mut desk.tell;
        let mut say = |found: &Found<Square>| tell(&thought(found));
        let (dice, say) = (&mut dice, &mut say);
        let found = match desk.record.take() {
            Some(watch) => tree::mcts(game, view, &options, dice, &budget, say, watch),
            None => tree::mcts(game, view, &options, dice, &budget, say, &mut ()),
        };
        desk.say(thought(&found));
        found.best.map_or(Choice::Resign, Choice::Move)
    }
}
