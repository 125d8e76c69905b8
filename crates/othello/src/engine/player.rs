//! The strong engine at the table, with levels for people.

use std::time::Duration;

use wits_game::Game;
use wits_play::{Args, Choice, Desk, Limits, Line, Param, Player, PlayerEntry, Thought, Worth};
use wits_search::{Backup, Candidates, Proof, Watch};

use super::levels::Level;
use super::plan;
use super::story::Story;
use super::telling::{self, Decided};
use super::{Analysis, Engine, Known, Selection};
use crate::{Othello, Position, Square, WORDS};

/// What full strength spends on a move when nothing else is said: positions, the same everywhere.
const NODES: u64 = 300_000;

struct Strong {
    engine: Option<Engine>,
    level: u32,
    threads: usize,
    book: bool,
    selective: bool,
    limits: Limits,
}

/// The player as the catalog lists it.
pub(crate) fn entry() -> PlayerEntry<Othello> {
    let build = |_: &Othello, args: &Args, _: &_| {
        let nodes = args.int_if("nodes").map(|n| n as u64);
        let time = args.real_if("seconds").map(Duration::from_secs_f64);
        Ok(Strong {
            engine: None,
            level: args.int("level") as u32,
            threads: args.int("threads") as usize,
            book: args.flag("book"),
            selective: args.flag("selective"),
            limits: Limits {
                nodes,
                time,
                depth: None,
            },
        })
    };
    PlayerEntry::new("engine", &WORDS, "about-engine", build)
        .param(Param::int("level", 1, 10, 10, &WORDS, "param-level"))
        .param(Param::int(
            "threads",
            1,
            64,
            1,
            &WORDS,
            "param-engine-threads",
        ))
        .param(Param::flag("book", true, &WORDS, "param-engine-book"))
        .param(Param::flag(
            "selective",
            true,
            &WORDS,
            "param-engine-selective",
        ))
        .param(
            Param::int(
                "nodes",
                1,
                1_000_000_000_000,
                1,
                &WORDS,
                "param-engine-nodes",
            )
            .optional(),
        )
        .param(
            Param::real(
                "seconds",
                0.001,
                86_400.0,
                1.0,
                &WORDS,
                "param-engine-seconds",
            )
            .optional(),
        )
}

impl Player<Othello> for Strong {
    fn choose(
        &mut self,
        game: &Othello,
        view: &Position,
        desk: &mut Desk<'_, Square>,
    ) -> Choice<Square> {
        let position = game.settled(view);
        let squares = game.squares(&position);
        let Some(first) = Square::first(squares) else {
            return Choice::Resign;
        };
        // The judgement and the solver know the tournament rules on the large board only.
        if !game.is_tournament() || position.moves() != squares {
            return self.small(game, &position, desk);
        }
        let mut limits = self.limits;
        if limits == Limits::NONE && desk.budget.limits() == Limits::NONE {
            limits.nodes = Some(NODES);
        }
        // The player's own positions are a mean over its moves; what the table allows is the most for this one.
        limits.nodes = limits.nodes.map(|mean| plan::share(&position, mean));
        let budget = desk.budget.within(limits);
        let engine = self.engine.get_or_insert_with(Engine::new);
        engine.use_threads(self.threads);
        engine.use_book(self.book);
        engine.select(self.selective.then_some(Selection::USUAL));
        let tell = &mut desk.tell;
        let mut say = |analysis: &Analysis| tell(&thought(analysis, None));
        let level = Level::of(self.level);
        let dice = &mut desk.dice;
        let Some(watch) = desk.record.take() else {
            let (picked, analysis) = level.pick(engine, &position, &budget, dice, &mut say);
            let square = picked.unwrap_or(first);
            desk.say(thought(&analysis, Some(square)));
            return Choice::Move(square);
        };
        let mut story = Story::default();
        let (picked, analysis) =
            level.follow(engine, &position, &budget, dice, &mut say, &mut story);
        let square = picked.unwrap_or(first);
        if story.rounds.is_empty() {
            tell_book(watch, game, &position, &analysis);
        } else {
            let decided = Decided {
                game,
                position: &position,
                story: &story,
                chosen: square,
                loose: (level.loss > 0.0).then(|| (level.loss, level.good(&analysis))),
                percent: Selection::USUAL.percent(),
            };
            telling::tell(watch, &decided);
        }
        desk.say(thought(&analysis, Some(square)));
        Choice::Move(square)
    }
}

impl Strong {
    /// Other boards and rules: the spine's alpha-beta with the final score.
    fn small(
        &self,
        game: &Othello,
        position: &Position,
        desk: &mut Desk<'_, Square>,
    ) -> Choice<Square> {
        let depth = if game.size() == 4 {
            12
        } else {
            Level::of(self.level).depth.min(6)
        };
        let mut inner = crate::players::Searcher::new(
            crate::players::How::AlphaBeta,
            depth,
            crate::Heuristic::CurrentMobility,
        );
        inner.choose(game, position, desk)
    }
}

/// What the book of openings says of every move.
fn tell_book<W: Watch>(watch: &mut W, game: &Othello, position: &Position, analysis: &Analysis) {
    let mut told = Candidates::open(watch, game.seat_name(position.turn), Backup::Max);
    let ideas = analysis.ideas.iter();
    let moves: Vec<(Square, &super::Idea)> = ideas
        .filter_map(|idea| Some((*idea.line.first()?, idea)))
        .collect();
    for &(square, idea) in &moves {
        let why = says(analysis, idea, square);
        told.candidate(&square.to_string(), Some(worth(idea)), &[], why);
    }
    let Some(&(best, idea)) = moves.first() else {
        return;
    };
    let mut summary = vec![WORDS.say("sum-book").with("count", moves.len())];
    for (key, (square, idea)) in ["sum-book-best", "sum-book-next"].into_iter().zip(&moves) {
        let says = WORDS.say(key).with("move", square.to_string());
        summary.push(says.with("value", worth(idea).to_string()));
    }
    told.choose(&best.to_string(), Some(worth(idea)), summary);
}

fn worth(idea: &super::Idea) -> Worth {
    match idea.known {
        Known::Exact => Worth::exact(idea.discs as i32),
        Known::Outcome => Worth::exact(idea.discs as i32).known(Proof::AtLeast),
        Known::Book | Known::Estimate | Known::Selective(_) => Worth::heuristic(idea.discs),
    }
}

fn says(analysis: &Analysis, idea: &super::Idea, square: Square) -> wits_game::Message {
    let key = match idea.known {
        Known::Exact => "why-exact",
        Known::Outcome => "why-outcome",
        Known::Book => "why-book",
        Known::Estimate | Known::Selective(_) => "why-engine",
    };
    WORDS
        .say(key)
        .with("move", square.to_string())
        .with("worth", worth(idea).said())
        .with("nodes", analysis.nodes)
        .with("depth", analysis.depth)
}

/// What the engine thinks, with the chosen move first.
fn thought(analysis: &Analysis, chosen: Option<Square>) -> Thought<Square> {
    let mut ideas: Vec<&super::Idea> = analysis.ideas.iter().collect();
    if let Some(at) = ideas.iter().position(|i| i.line.first().copied() == chosen) {
        let idea = ideas.remove(at);
        ideas.insert(0, idea);
    }
    let why = ideas
        .first()
        .and_then(|idea| Some(says(analysis, idea, *idea.line.first()?)));
    let line = |idea: &&super::Idea| Line {
        moves: idea.line.clone(),
        worth: worth(idea),
    };
    let lines = ideas.iter().take(5).map(line).collect();
    let root = |idea: &&super::Idea| Line {
        moves: idea.line.first().copied().into_iter().collect(),
        worth: worth(idea),
    };
    let refused = |&(square, discs): &(Square, f64)| Line {
        moves: vec![square],
        worth: Worth::heuristic(discs).known(Proof::AtMost),
    };
    let roots = ideas.iter().map(root);
    let roots = roots.chain(analysis.refused.iter().map(refused)).collect();
    Thought {
        lines,
        roots,
        depth: analysis.depth,
        nodes: analysis.nodes,
        why,
        ..Thought::default()
    }
}
