//! Othello as the catalog lists it.

use wits_play::{Args, Entry, Param, PlayerEntry, Refusal};

use crate::heuristics::{Heuristic, Mix};
use crate::players::{How, Searcher, Trials};
use crate::simple::{CornersGreedy, First, ScoreGreedy};
use crate::{NoMove, Othello, Start, WORDS};

/// Othello as the catalog lists it: size, start and rule for a side without moves are parameters.
pub fn entry() -> Entry<Othello> {
    let words = ["othello-title", "othello-about", "othello-rules"];
    Entry::new("othello", &WORDS, words, |args, _| Ok(game(args)))
        .param(Param::choice(
            "size",
            &["4", "6", "8"],
            "8",
            &WORDS,
            "param-size",
        ))
        .param(Param::choice(
            "start",
            &["othello", "reversi", "parallel"],
            "othello",
            &WORDS,
            "param-start",
        ))
        .param(Param::choice(
            "nomove",
            &["pass", "lose", "free"],
            "pass",
            &WORDS,
            "param-nomove",
        ))
        .player(plain("first", "about-first", First))
        .player(plain("score-greedy", "about-score-greedy", ScoreGreedy))
        .player(plain(
            "corners-greedy",
            "about-corners-greedy",
            CornersGreedy,
        ))
        .player(searcher("minimax", "about-minimax", How::Minimax, 3))
        .player(searcher("alphabeta", "about-alphabeta", How::AlphaBeta, 5))
        .player(linear())
        .player(trials())
        .player(crate::engine::player::entry())
        // A newcomer meets the teaching engine: it answers at once and its thread can be followed.
        .opponents(&["alphabeta"])
}

fn game(args: &Args) -> Othello {
    let size = args.text("size").parse().unwrap_or(8);
    let start = match args.text("start") {
        "reversi" => Start::Reversi,
        "parallel" => Start::Parallel,
        _ => Start::Othello,
    };
    let no_move = match args.text("nomove") {
        "lose" => NoMove::Lose,
        "free" => NoMove::Free,
        _ => NoMove::Pass,
    };
    Othello::new(size, start, no_move).expect("checked when the spec was read")
}

fn plain<P>(id: &'static str, about: &'static str, player: P) -> PlayerEntry<Othello>
where
    P: wits_play::Player<Othello> + Copy + Sync + 'static,
{
    PlayerEntry::new(id, &WORDS, about, move |_: &Othello, _: &Args, _: &_| {
        Ok(player)
    })
}

fn searcher(id: &'static str, about: &'static str, how: How, depth: i64) -> PlayerEntry<Othello> {
    let names = Heuristic::ALL.map(Heuristic::id);
    PlayerEntry::new(id, &WORDS, about, move |_: &Othello, args: &Args, _: &_| {
        let heuristic: Heuristic = args
            .text("eval")
            .parse()
            .expect("checked when the spec was read");
        Ok::<_, Refusal>(Searcher::new(how, args.int("depth") as u32, heuristic))
    })
    .param(Param::int("depth", 1, 20, depth, &WORDS, "param-depth"))
    .param(Param::choice(
        "eval",
        &names,
        "korman",
        &WORDS,
        "param-eval",
    ))
}

/// What `linear` plays with when nothing is said: slope and base of each component, from 36 generations of CMA-ES
/// at depth 4 against the report's five mixes (`tournaments/tune-othello-linear-cma.toml`);
/// `tournaments/othello-tuned.toml` shows what they are worth.
const TUNED: [f64; 14] = [
    -0.155, -2.531, 2.009, 4.221, 1.542, -0.609, 0.932, 1.783, 0.271, 1.552, 0.309, 11.017, 1.492,
    1.927,
];

/// Alpha-beta with a linear mix of one's own: what tuning turns the screws of.
fn linear() -> PlayerEntry<Othello> {
    let mut entry = PlayerEntry::new(
        "linear",
        &WORDS,
        "about-linear",
        |_: &Othello, args: &Args, _: &_| {
            let mix = Mix::new(Mix::NAMES.map(|name| args.real(name)));
            let depth = args.int("depth") as u32;
            let heuristic = Heuristic::Own(mix);
            Ok::<_, Refusal>(Searcher::new(How::AlphaBeta, depth, heuristic))
        },
    )
    .param(Param::int("depth", 1, 20, 4, &WORDS, "param-depth"));
    for (name, weight) in Mix::NAMES.into_iter().zip(TUNED) {
        let about = if name.ends_with("-m") {
            "param-slope"
        } else {
            "param-base"
        };
        entry = entry.param(Param::real(name, -100.0, 100.0, weight, &WORDS, about));
    }
    entry
}

fn trials() -> PlayerEntry<Othello> {
    let book = &wits_play::WORDS;
    PlayerEntry::new(
        "mcts",
        book,
        "about-mcts",
        |_: &Othello, args: &Args, _: &_| {
            Ok(Trials {
                trials: args.int("nodes") as u64,
                exploration: args.real("exploration"),
            })
        },
    )
    .param(Param::int(
        "nodes",
        1,
        1_000_000_000,
        1000,
        &WORDS,
        "param-trials",
    ))
    .param(Param::real(
        "exploration",
        0.0,
        10.0,
        1.4,
        book,
        "param-exploration",
    ))
}
