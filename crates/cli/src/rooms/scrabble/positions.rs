//! `moves`, `hint`, `solve`: one position on the command line.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use clap::Args;
use serde_json::json;
use wits_game::{Dice, Seed};
use wits_play::{Budget, Limits};
use wits_scrabble::lexicon::related;
use wits_scrabble::players::before::prospects;
use wits_scrabble::players::ending::{Ending, Solver};
use wits_scrabble::players::sim::{leader, simulate};
use wits_scrabble::players::{Rack, Sight, SimOptions, Step};
use wits_scrabble::{BadStanding, Engine, RACK, Standing, house, report};

use super::analyse::other_words;
use super::library;
use crate::out::Out;
use crate::problem::Problem;
use crate::{Answer, stop};

/// A position: a board with racks.
#[derive(Args)]
pub(crate) struct PositionArgs {
    /// The lexicon: `english`, `polish`, `czech`, or a file; the position may name it
    #[arg(long, value_name = "NAME")]
    lexicon: Option<String>,
    /// The position in CGP notation; an empty board where it is left out
    #[arg(long, value_name = "CGP")]
    position: Option<String>,
    /// The tiles of the side to move, `?` for a blank; those of the position where it is left out
    #[arg(long, value_name = "TILES")]
    rack: Option<String>,
}

#[derive(Args)]
pub(crate) struct MovesArgs {
    #[command(flatten)]
    at: PositionArgs,
    /// How many moves to print
    #[arg(long, value_name = "N", default_value_t = 20)]
    top: usize,
    /// Order by points and what the tiles kept are worth, not by points alone
    #[arg(long)]
    equity: bool,
}

#[derive(Args)]
pub(crate) struct HintArgs {
    #[command(flatten)]
    at: PositionArgs,
    /// How many rollouts to spend
    #[arg(long, value_name = "N", default_value_t = 3_000)]
    rollouts: u64,
    /// Where all chance comes from
    #[arg(long, value_name = "N", default_value_t = Seed::new(1))]
    seed: Seed,
}

#[derive(Args)]
pub(crate) struct SolveArgs {
    #[command(flatten)]
    at: PositionArgs,
    /// Seconds to think
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0)]
    time: f64,
}

/// The engine of a lexicon by name or file, with everything that makes it fast.
pub(crate) fn engine(name: &str) -> Result<Arc<Engine>> {
    let lexicon = library::lexicon(name, None)?;
    let known = house::known();
    if known.iter().any(|k| k == name) {
        return Ok(house::engine(name, &wits_play::Shelf::new()).map_err(Problem::from)?);
    }
    Ok(house::offer(wits_scrabble::Lexicon::clone(&lexicon)))
}

impl PositionArgs {
    fn given(&self, out: &Out) -> Result<Standing> {
        let named = self.position.as_deref().and_then(Standing::named);
        let ours = named.map(|name| match related(name) {
            // A file of that name comes first.
            Some(other) if !std::path::Path::new(name).exists() => {
                if !other.same {
                    out.note(&other_words(name, other.ours));
                }
                other.ours
            }
            _ => name,
        });
        let name = self.lexicon.as_deref().or(ours).unwrap_or("english");
        let read = Standing::read(
            engine(name)?,
            self.position.as_deref(),
            self.rack.as_deref(),
        );
        Ok(read.map_err(|e| {
            let (code, hint) = match &e {
                BadStanding::Position(_) => (
                    "bad-position",
                    "fifteen rows, then racks, scores and scoreless turns: `15/15/… ABC/DEF 0/0 0`",
                ),
                BadStanding::Rack(_) => (
                    "bad-rack",
                    "a rack holds seven letters of the tile set, `?` for a blank; it shares one set of tiles with the board",
                ),
                BadStanding::NoRack => (
                    "no-rack",
                    "give `--rack AEINRS?`, or write the rack into the position",
                ),
            };
            Problem::new(code, e.to_string(), hint)
        })?)
    }
}

/// `wits scrabble moves`
pub(crate) fn moves(args: &MovesArgs, out: &Out) -> Result<Answer> {
    let given = args.at.given(out)?;
    let mut all = given.rated(usize::MAX);
    let count = all
        .iter()
        .filter(|r| matches!(r.step, Step::Lay(..)))
        .count();
    if !args.equity {
        all.retain(|r| matches!(r.step, Step::Lay(..)));
        // The order of plays breaks ties, as everywhere.
        all.sort_by_key(|r| std::cmp::Reverse(r.score));
    }
    all.truncate(args.top);
    let tiles = given.engine.tiles();
    let list: Vec<_> = all
        .iter()
        .map(|r| report::listed(r, &given.hand, &given.position.board, tiles))
        .collect();
    out.tell(
        &json!({"moves": list, "count": count, "lexicon": given.engine.lexicon().name()}),
        || {
            let mut text = String::new();
            for (n, listed) in list.iter().enumerate() {
                let _ = writeln!(
                    text,
                    "{:3}  {:<22} {:>4}  keeps {:<7} {:>7.2}",
                    n + 1,
                    listed.text,
                    listed.score,
                    listed.leave,
                    listed.equity
                );
            }
            let _ = write!(text, "{count} plays in all");
            text
        },
    )?;
    Ok(if count > 0 { Answer::Yes } else { Answer::No })
}

/// `wits scrabble hint`
pub(crate) fn hint(args: &HintArgs, out: &Out) -> Result<Answer> {
    let given = args.at.given(out)?;
    house::warm(&given.engine);
    let (game, table) = given.table();
    let sight = Sight::new(&game, &table);
    let leaves = house::leaves(given.engine.tiles());
    let rated = given.rated(12);
    if rated.is_empty() {
        out.tell(&json!({"hint": "pass", "candidates": []}), || {
            "nothing can be laid: pass".to_owned()
        })?;
        return Ok(Answer::No);
    }
    let options = SimOptions {
        rollouts: args.rollouts,
        ..SimOptions::default()
    };
    let flag = stop::flag();
    let budget = Budget::with_stop(Limits::NONE, flag);
    let tried = simulate(
        &sight,
        &leaves,
        &options,
        &rated,
        &mut Dice::new(args.seed),
        &mut |_| budget.stopped(),
        &mut |_| {},
    );
    let best = leader(&tried).unwrap_or(0);
    let tiles = given.engine.tiles();
    let name = |step: &Step| report::text(step, &given.position.board, tiles);
    let mut order: Vec<usize> = (0..tried.len()).collect();
    order.sort_by(|&a, &b| {
        let key = |i: usize| (i != best, tried[i].dropped);
        key(a)
            .cmp(&key(b))
            .then(tried[b].mean.total_cmp(&tried[a].mean))
    });
    let rows: Vec<_> = order
        .iter()
        .map(|&i| &tried[i])
        .map(|t| json!({"move": name(&t.rated.step), "score": t.rated.score, "equity": f64::from(t.rated.worth) / 100.0,
            "mean": t.mean, "error": t.error, "rollouts": t.count, "dropped": t.dropped}))
        .collect();
    out.tell(
        &json!({"hint": name(&tried[best].rated.step), "candidates": rows}),
        || {
            let mut text = format!("{}\n", out.bold(&name(&tried[best].rated.step)));
            for &i in &order {
                let t = &tried[i];
                let _ = writeln!(
                    text,
                    "  {:<22} {:>4} points  {:>+7.2} ± {:.2} after {} rollouts{}",
                    name(&t.rated.step),
                    t.rated.score,
                    t.mean,
                    t.error,
                    t.count,
                    if t.dropped { ", given up" } else { "" }
                );
            }
            text
        },
    )?;
    Ok(Answer::Yes)
}

/// `wits scrabble solve`
pub(crate) fn solve(args: &SolveArgs, out: &Out) -> Result<Answer> {
    let given = args.at.given(out)?;
    house::warm(&given.engine);
    let (game, table) = given.table();
    let sight = Sight::new(&game, &table);
    let unseen = sight.unseen();
    let limits = Limits::time(Duration::from_secs_f64(args.time.clamp(0.0, 1e6)));
    let budget = Budget::with_stop(limits, stop::flag());
    let tiles = given.engine.tiles();
    let bingo = game.settings().bingo;
    let scores = &given.position.scores;
    let lead = scores.first().copied().unwrap_or(0) - scores.get(1).copied().unwrap_or(0);
    if given.position.racks.len() > 2 || unseen.len() > RACK + 1 {
        let message = format!("{} tiles are not seen: the bag is not empty", unseen.len());
        let hint = "`solve` needs two players with at most one tile in the bag; ask `hint` instead";
        return Err(Problem::new("not-an-ending", message, hint).into());
    }
    if unseen.len() == RACK + 1 {
        let rated = given.rated(usize::MAX);
        let found = prospects(
            &given.engine,
            bingo,
            &sight.field,
            &Rack::new(given.hand.tiles()),
            &unseen,
            lead,
            &rated,
            &budget,
            u64::MAX,
        );
        let name = |step: &Step| report::text(step, &given.position.board, tiles);
        let rows: Vec<_> = found
            .iter()
            .take(20)
            .map(|p| json!({"move": name(&p.step), "wins": p.share(), "spread": p.mean(), "exact": p.exact}))
            .collect();
        let best = found.first().map(|p| name(&p.step));
        out.tell(&json!({"bag": 1, "best": best, "moves": rows}), || {
            let mut text = "one tile in the bag: every place of it tried\n".to_owned();
            for p in found.iter().take(20) {
                let _ = writeln!(
                    text,
                    "  {:<22} wins {:>5.1}%  {:>+7.2} points{}",
                    name(&p.step),
                    100.0 * p.share(),
                    p.mean(),
                    if p.exact { "" } else { ", not proved" }
                );
            }
            text
        })?;
        return Ok(if found.is_empty() {
            Answer::No
        } else {
            Answer::Yes
        });
    }
    let ending = Ending {
        field: sight.field.clone(),
        racks: [Rack::new(given.hand.tiles()), Rack::new(&unseen)],
        bag: None,
        passed: given.position.quiet > 0,
    };
    let mut solver = Solver::new(&given.engine, bingo, &budget, u64::MAX);
    let solution = solver.solve(&ending, |_| {});
    let mut board = given.position.board;
    let mut line = Vec::new();
    for step in &solution.line {
        let score = match step {
            Step::Lay(_, score) => *score,
            _ => 0,
        };
        line.push((report::text(step, &board, tiles), score));
        if let Step::Lay(play, _) = step {
            play.lay(&mut board);
        }
    }
    let moves: Vec<_> = line
        .iter()
        .map(|(m, s)| json!({"move": m, "score": s}))
        .collect();
    let value = json!({"bag": 0, "value": solution.value, "final": lead + solution.value, "exact": solution.exact,
        "line": moves, "nodes": solution.nodes, "depth": solution.depth,
        "unseen": report::rack_text(&unseen, tiles)});
    out.tell(&value, || {
        let sure = if solution.exact {
            "proved"
        } else {
            "not proved: give more --time"
        };
        let mut text = format!(
            "the side to move gains {:+} and ends {:+} ({sure}; {} positions)\n",
            solution.value,
            lead + solution.value,
            solution.nodes
        );
        for (n, (text_of, score)) in line.iter().enumerate() {
            let who = if n % 2 == 0 { "  " } else { "      " };
            let _ = writeln!(text, "{who}{text_of} {score:+}");
        }
        text
    })?;
    Ok(Answer::Yes)
}
