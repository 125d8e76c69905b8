//! The classical searchers, for every game at once.

use std::sync::Arc;

use wits_game::{Eyes, Game, Seat, Turn};
use wits_search::tree::{self, Found, Judge, MctsOptions, Payoffs};
use wits_search::{Limits, Live, Proof, Worth};

use crate::{Args, Choice, Desk, Entry, Line, Param, Player, PlayerEntry, Thought, WORDS};

/// What a room says about searching its game.
pub struct SearchDefaults<G: Game> {
    depth: u32,
    positions: u64,
    judges: Vec<(&'static str, Arc<dyn Judge<G>>)>,
}

impl<G: Game> SearchDefaults<G> {
    /// Searches look this many moves ahead unless told otherwise, and judge nothing at the horizon.
    pub fn depth(depth: u32) -> Self {
        SearchDefaults {
            depth,
            positions: 1000,
            judges: vec![("payoff", Arc::new(Payoffs))],
        }
    }

    /// One more way to judge positions, by name; the last one given becomes the default.
    pub fn judge(mut self, name: &'static str, judge: impl Judge<G> + 'static) -> Self {
        self.judges.push((name, Arc::new(judge)));
        self
    }

    /// How many positions MCTS steps on unless told otherwise, in its tree and in trial games.
    pub fn positions(mut self, positions: u64) -> Self {
        self.positions = positions;
        self
    }

    fn eval(&self) -> Param {
        let names: Vec<&str> = self.judges.iter().map(|(name, _)| *name).collect();
        let default = names.last().expect("payoff is always there");
        Param::choice("eval", &names, default, &WORDS, "param-eval")
    }

    fn named(&self, args: &Args) -> Arc<dyn Judge<G>> {
        let name = args.text("eval");
        let (_, judge) = self
            .judges
            .iter()
            .find(|(n, _)| *n == name)
            .expect("checked when the spec was read");
        Arc::clone(judge)
    }
}

impl<G: Game> Entry<G>
where
    G: Game<View = <G as Game>::State>,
{
    /// Adds `minimax`, `alphabeta` (at tables for two) and `mcts`. For games without secrets.
    pub fn with_search(self, defaults: SearchDefaults<G>) -> Self {
        let two = self.seats == (2, 2);
        let defaults = Arc::new(defaults);
        let depth = || {
            Param::int(
                "depth",
                1,
                64,
                i64::from(defaults.depth),
                &WORDS,
                "param-depth",
            )
        };
        let deep = |id, about, how: How| {
            let kept = Arc::clone(&defaults);
            PlayerEntry::new(id, &WORDS, about, move |_: &G, args: &Args, _: &_| {
                Ok(Deep {
                    how,
                    depth: args.int("depth") as u32,
                    judge: kept.named(args),
                })
            })
            .param(depth())
            .param(defaults.eval())
        };
        let mut entry = self.player(deep("minimax", "about-minimax", How::Minimax));
        if two {
            entry = entry.player(deep("alphabeta", "about-alphabeta", How::AlphaBeta));
        }
        entry.player(trials(
            "mcts",
            "about-mcts",
            defaults.positions,
            |positions, exploration| Open {
                positions,
                exploration,
            },
        ))
    }
}

impl<G: Game> Entry<G> {
    /// Adds `ismcts`, which imagines what it cannot see. For games with secrets or chance.
    pub fn with_imagination(self, positions: u64) -> Self {
        self.player(trials(
            "ismcts",
            "about-ismcts",
            positions,
            |positions, exploration| Imagining {
                positions,
                exploration,
            },
        ))
    }
}

/// A player that plays trial games, with the two parameters that all of them share.
fn trials<G: Game, P: Player<G> + 'static>(
    id: &'static str,
    about: &'static str,
    default: u64,
    make: impl Fn(u64, f64) -> P + Send + Sync + 'static,
) -> PlayerEntry<G> {
    PlayerEntry::new(id, &WORDS, about, move |_: &G, args: &Args, _: &_| {
        Ok(make(args.int("nodes") as u64, args.real("exploration")))
    })
    .param(Param::int(
        "nodes",
        1,
        1_000_000_000,
        default as i64,
        &WORDS,
        "param-nodes",
    ))
    .param(Param::real(
        "exploration",
        0.0,
        10.0,
        1.4,
        &WORDS,
        "param-exploration",
    ))
}

/// Runs a search once, watched or not. The watcher's type is different in the two cases, so the
/// choice is made here, once, and not in the search.
macro_rules! watched {
    ($desk:expr, |$watch:ident| $search:expr) => {
        match $desk.record.as_deref_mut() {
            Some($watch) => $search,
            None => {
                let $watch = &mut ();
                $search
            }
        }
    };
}

#[derive(Clone, Copy)]
enum How {
    Minimax,
    AlphaBeta,
}

struct Deep<G: Game> {
    how: How,
    depth: u32,
    judge: Arc<dyn Judge<G>>,
}

impl<G: Game> Player<G> for Deep<G>
where
    G: Game<View = <G as Game>::State>,
{
    fn choose(
        &mut self,
        game: &G,
        view: &G::View,
        desk: &mut Desk<'_, G::Move>,
    ) -> Choice<G::Move> {
        let budget = desk.budget.within(Limits::depth(self.depth));
        let (judge, depth) = (&*self.judge, budget.limits().depth.unwrap_or(self.depth));
        let each = each_root(game.options(view), depth, &mut desk.tell);
        let found = watched!(desk, |watch| {
            let mut watch = Live { watch, each };
            match self.how {
                How::Minimax => tree::minimax(game, view, judge, depth, &budget, &mut watch),
                How::AlphaBeta => tree::alphabeta(game, view, judge, depth, &budget, &mut watch),
            }
        });
        decide(game, view, found, desk, "why-searched")
    }
}

struct Open {
    positions: u64,
    exploration: f64,
}

impl<G: Game> Player<G> for Open
where
    G: Game<View = <G as Game>::State>,
{
    fn choose(
        &mut self,
        game: &G,
        view: &G::View,
        desk: &mut Desk<'_, G::Move>,
    ) -> Choice<G::Move> {
        let budget = desk.budget.within(Limits::nodes(self.positions));
        let options = MctsOptions {
            exploration: self.exploration,
            ..MctsOptions::default()
        };
        let mut dice = desk.dice.clone();
        let tell = &mut desk.tell;
        let mut say = |found: &Found<G::Move>| tell(&thought(game, view, found, TRIED));
        let found = watched!(desk, |watch| tree::mcts(
            game, view, &options, &mut dice, &budget, &mut say, watch
        ));
        decide(game, view, found, desk, TRIED)
    }
}

struct Imagining {
    positions: u64,
    exploration: f64,
}

impl<G: Game> Player<G> for Imagining {
    fn choose(
        &mut self,
        game: &G,
        view: &G::View,
        desk: &mut Desk<'_, G::Move>,
    ) -> Choice<G::Move> {
        let budget = desk.budget.within(Limits::nodes(self.positions));
        let options = MctsOptions {
            exploration: self.exploration,
            ..MctsOptions::default()
        };
        let mut dice = desk.dice.clone();
        let imagined = game.imagine(view, &mut dice.clone());
        let Turn::Of(seat) = game.turn(&imagined) else {
            return Choice::Resign;
        };
        let tell = &mut desk.tell;
        let mut say = |found: &Found<G::Move>| tell(&said(game, &imagined, seat, found, TRIED));
        let found = watched!(desk, |watch| tree::ismcts(
            game, view, seat, &options, &mut dice, &budget, &mut say, watch
        ));
        desk.say(said(game, &imagined, seat, &found, TRIED));
        found.best.map_or(Choice::Resign, Choice::Move)
    }
}

/// Tells the moves of the root as their values come, for bars that move while a search runs.
pub fn each_root<M: Clone>(
    options: Vec<M>,
    depth: u32,
    tell: &mut (dyn FnMut(&Thought<M>) + Send),
) -> impl FnMut(usize, Worth) {
    let mut so_far = Thought {
        depth,
        ..Thought::default()
    };
    move |at, worth| {
        let moves = options.get(at).cloned().into_iter().collect();
        so_far.roots.push(Line { moves, worth });
        tell(&so_far);
    }
}

/// Says the last thought and makes the choice.
fn decide<G>(
    game: &G,
    state: &G::State,
    found: Found<G::Move>,
    desk: &mut Desk<'_, G::Move>,
    why: &'static str,
) -> Choice<G::Move>
where
    G: Game,
    G: Game<View = <G as Game>::State>,
{
    desk.say(thought(game, state, &found, why));
    found.best.map_or(Choice::Resign, Choice::Move)
}

fn thought<G>(
    game: &G,
    state: &G::State,
    found: &Found<G::Move>,
    why: &'static str,
) -> Thought<G::Move>
where
    G: Game,
    G: Game<View = <G as Game>::State>,
{
    let seat = game.turn(state).seat().unwrap_or(Seat::FIRST);
    said(game, state, seat, found, why)
}

/// What a player of trial games says of its choice.
const TRIED: &str = "why-tried";

/// How many lines a thought shows.
const LINES: usize = 5;

/// What was found, as a thought: the best line first, then the other moves by worth.
fn said<G: Game>(
    game: &G,
    state: &G::State,
    seat: Seat,
    found: &Found<G::Move>,
    why: &'static str,
) -> Thought<G::Move> {
    let Some(best) = &found.best else {
        return Thought::default();
    };
    if found.moves.is_empty() && why == TRIED {
        let text = game.write(state, best, Eyes::Seat(seat));
        let why = WORDS.say("why-untried").with("move", text);
        return Thought {
            nodes: found.nodes,
            why: Some(why.with("nodes", found.nodes)),
            ..Thought::default()
        };
    }
    let moves = if found.line.is_empty() {
        vec![best.clone()]
    } else {
        found.line.clone()
    };
    let mut lines = vec![Line {
        moves,
        worth: found.worth,
    }];
    let mut others: Vec<&(G::Move, Worth)> =
        found.moves.iter().filter(|(mv, _)| mv != best).collect();
    others.sort_by_key(|(_, worth)| std::cmp::Reverse(*worth));
    lines.extend(others.into_iter().take(LINES - 1).map(|(mv, worth)| Line {
        moves: vec![mv.clone()],
        worth: *worth,
    }));
    let text = game.write(state, best, Eyes::Seat(seat));
    let why = if found.moves.len() == 1 && found.worth.proof == Proof::Estimate {
        WORDS.say("why-only").with("move", text)
    } else {
        WORDS
            .say(why)
            .with("move", text)
            .with("worth", found.worth.said())
            .with("nodes", found.nodes)
            .with("depth", found.depth)
    };
    let root = |(mv, worth): &(G::Move, Worth)| Line {
        moves: vec![mv.clone()],
        worth: *worth,
    };
    Thought {
        lines,
        roots: found.moves.iter().map(root).collect(),
        depth: found.depth,
        nodes: found.nodes,
        millis: 0,
        why: Some(why),
    }
}
