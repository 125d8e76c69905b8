//! `scrabble hint`: what to play, by simulation.

use serde_json::json;
use wits_desk::{Answer, Block, Cell, Cost, Param, Progress, Served, Table, Verb, Verdict};
use wits_game::{Dice, Figure};

use super::{heads, position_params, say, standing};
use crate::players::{Sight, SimOptions, Step, Trial, Yardsticks, contenders};
use crate::{WORDS, house, report};

pub(super) fn verb() -> Verb {
    let mut params = position_params();
    let rollouts = Param::int(
        "rollouts",
        1,
        1_000_000_000,
        3_000,
        &WORDS,
        "param-rollouts",
    );
    params.push(rollouts);
    params.push(Param::seed(&WORDS, "param-seed"));
    Verb {
        id: "hint",
        about: say("verb-hint"),
        params,
        examples: &["wits scrabble hint --rack QUIZERS"],
        served: Served::Everywhere,
        cost: Cost::ALONE,
        run: |args, shelf, work| {
            let (given, note) = standing(args, shelf)?;
            let (game, table) = given.table();
            let sight = Sight::new(&game, &table);
            let tiles = given.engine.tiles();
            let (leaves, wins) = (house::leaves(tiles), house::wins(tiles));
            let options = SimOptions {
                rollouts: args.int("rollouts") as u64,
                threads: work.threads(),
                ..SimOptions::default()
            };
            let rated = contenders(&sight, &leaves, options.candidates);
            if rated.is_empty() {
                let mut answer = Answer::yes(json!({"hint": "pass", "candidates": []}));
                answer.verdict = Verdict::No;
                return Ok(answer.say(say("hint-nothing")));
            }
            let mut trial = Trial::new(&sight, &rated, &mut Dice::new(args.seed()));
            let by = Yardsticks {
                leaves: &leaves,
                wins: &wins,
            };
            let budget = work.budget().clone();
            let over = |_| budget.stopped() || budget.late();
            let total = Some(options.rollouts);
            trial.run(&sight, by, &options, &over, &mut |trial| {
                let done = trial.rollouts();
                work.tell(Progress {
                    done,
                    total,
                    ..Progress::default()
                });
            });
            let best = trial.leader().unwrap_or(0);
            let mut order: Vec<usize> = (0..trial.tried.len()).collect();
            order.sort_by(|&a, &b| {
                let key = |at: usize| (at != best, trial.tried[at].dropped);
                let aim = |at: usize| trial.tried[at].aim();
                key(a).cmp(&key(b)).then(aim(b).total_cmp(&aim(a)))
            });
            let name = |step: &Step| report::text(step, &given.position.board, tiles);
            let keys = [
                "move", "points", "wins", "mean", "error", "rollouts", "state",
            ];
            let mut list = Table::new("candidates", say("title-candidates"), heads(&keys));
            let mut rows = Vec::new();
            for tried in order.iter().map(|&at| &trial.tried[at]) {
                let (win, win_error) = tried.win.unzip();
                rows.push(json!({"move": name(&tried.rated.step), "score": tried.rated.score,
                    "equity": f64::from(tried.rated.worth) / 100.0, "mean": tried.mean, "error": tried.error,
                    "win": win, "win_error": win_error, "rollouts": tried.count, "dropped": tried.dropped}));
                list = list.row(vec![
                    Cell::text(name(&tried.rated.step)),
                    Cell::whole(tried.rated.score),
                    win.map_or(Cell::Empty, Cell::share),
                    Cell::decimal(tried.mean, 2),
                    Cell::decimal(tried.error, 2),
                    Cell::whole(tried.count),
                    if tried.dropped {
                        Cell::Says(say("given-up"))
                    } else {
                        Cell::Empty
                    },
                ]);
            }
            let chosen = &trial.tried[best];
            let hint = name(&chosen.rated.step);
            let mut answer = Answer::yes(json!({"hint": hint, "candidates": rows}));
            let (win, error) = chosen.win.unwrap_or_default();
            // Before the first rollout there are no chances to tell.
            let key = if chosen.count > 0 {
                "hint-best"
            } else {
                "hint-first-sight"
            };
            let says = say(key).with("move", hint);
            let worth = Figure::Decimal(f64::from(chosen.rated.worth) / 100.0, 1);
            let says = says.with("worth", worth);
            let says = says.with("win", Figure::Share(win));
            let says = says.with("low", Figure::Share((win - 1.96 * error).max(0.0)));
            let says = says.with("high", Figure::Share((win + 1.96 * error).min(1.0)));
            answer = answer.say(says.with("rollouts", trial.rollouts()));
            if let Some(note) = note {
                answer = answer.with(note);
            }
            Ok(answer.with(Block::Table(list)))
        },
    }
}
