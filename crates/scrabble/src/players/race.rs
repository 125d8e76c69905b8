//! The thread of a simulation: candidates in a race, with means and draws that grow, and those that were given up.

use serde_json::{Value, json};
use wits_game::{Figure, Game, Message};
use wits_play::{Desk, Worth};
use wits_search::tree::grouped;
use wits_search::{Backup, Kind, Proof, Recorder, Step, Summary, WORDS as TREE, Watch};

use super::before::Prospect;
use super::rating::Rated;
use super::sight::{Sight, as_move};
use super::telling::{Account, points, written};
use super::trial::{Trial, Tried};
use crate::WORDS;
use crate::table::Move;

/// Tells a decision without a race: there is one candidate, or nothing to lay.
pub(super) fn alone(desk: &mut Desk<'_, Move>, sight: &Sight<'_>, mv: &Move, worth: i32) {
    if let Some(watch) = desk.record.take() {
        let mut account = Account::open(watch, (sight.game, sight.view), Backup::Max);
        let says = WORDS.say("told-alone").with("worth", written(worth));
        account.candidate(mv, Some(worth), &[], says);
        let says = WORDS.say("sum-alone").with("move", account.label(mv));
        let rest = WORDS.say("told-sim-rest").with("count", 1);
        account.choose(mv, Some(worth), rest, [says]);
    }
}

/// Tells how candidates did with every place of the last tile in the bag.
pub(super) fn tell_prospects<W: Watch>(
    watch: &mut W,
    sight: &Sight<'_>,
    rated: &[Rated],
    found: &[Prospect],
) {
    let Some(best) = found.first() else {
        return;
    };
    let mut account = Account::open(watch, (sight.game, sight.view), Backup::None);
    let share = |wins: u32| format!("{:.1}", f64::from(wins) / 2.0);
    for prospect in found {
        let says = WORDS
            .say("told-prospect")
            .with("wins", share(prospect.wins))
            .with("count", prospect.tried)
            .with("mean", Figure::Signed(prospect.mean(), 1));
        let numbers = [("wins", f64::from(prospect.wins) / 2.0)];
        // In hundredths, as everything here.
        let mean = (prospect.mean() * 100.0).round() as i32;
        account.candidate(&as_move(&prospect.step), Some(mean), &numbers, says);
    }
    for rated in rated {
        if !found.iter().any(|prospect| prospect.step == rated.step) {
            let says = WORDS.say("told-prospect-behind");
            account.candidate(&as_move(&rated.step), None, &[], says);
        }
    }
    let mv = as_move(&best.step);
    let says = [
        WORDS
            .say("sum-prospects")
            .with("count", rated.len())
            .with("places", best.tried),
        WORDS
            .say("sum-prospects-best")
            .with("move", account.label(&mv))
            .with("wins", share(best.wins))
            .with("mean", Figure::Signed(best.mean(), 1)),
    ];
    let rest = WORDS.say("told-sim-rest").with("count", rated.len());
    let mean = (best.mean() * 100.0).round() as i32;
    account.choose(&mv, Some(mean), rest, says);
}

/// A race that is being told.
pub(super) struct Race<'a> {
    watch: &'a mut Recorder,
    labels: Vec<String>,
    /// Which candidates were told to be given up.
    dropped: Vec<bool>,
    rest: usize,
}

impl<'a> Race<'a> {
    /// The candidates step up, each with its worth at first sight.
    pub(super) fn open(watch: &'a mut Recorder, sight: &Sight<'_>, rated: &[Rated]) -> Race<'a> {
        let (game, view) = (sight.game, sight.view);
        let who = game.seat_name(view.seat());
        watch.step(|| {
            Step::new(Kind::Open, TREE.say("tree-root").with("who", who))
                .data("id", 0)
                .data("parent", Value::Null)
                .data("move", Value::Null)
        });
        let label = |rated: &Rated| game.text(view, &as_move(&rated.step));
        let labels: Vec<String> = rated.iter().map(label).collect();
        for (id, (rated, label)) in (1..).zip(rated.iter().zip(&labels)) {
            let leave = rated.worth - 100 * rated.score;
            let says = WORDS
                .say("told-candidate")
                .with("move", label)
                .with("score", rated.score)
                .with("leave", written(leave));
            watch.step(|| {
                Step::new(Kind::Open, says)
                    .data("id", id)
                    .data("parent", 0)
                    .data("move", label.as_str())
                    .data("score", rated.score)
                    .data("leave", points(leave))
                    .data("value", points(rated.worth))
            });
        }
        Race {
            watch,
            dropped: vec![false; labels.len()],
            rest: game.options(view).len().saturating_sub(labels.len()),
            labels,
        }
    }

    /// How the candidates stand after some draws, and who was given up since.
    pub(super) fn grown(&mut self, trial: &Trial) {
        let rounds = trial.rounds();
        for (at, tried) in trial.tried.iter().enumerate() {
            if self.dropped[at] {
                continue;
            }
            let (id, label) = (at + 1, self.labels[at].as_str());
            let bar = |step: Step| {
                step.data("id", id)
                    .data("value", tried.aim())
                    .data("points", tried.mean)
                    .data("interval", interval(tried))
                    .data("count", tried.count)
            };
            self.watch
                .step(|| bar(Step::new(Kind::Cell, stands(tried, label, false))));
            if tried.dropped {
                self.dropped[at] = true;
                self.watch.step(|| {
                    bar(Step::new(Kind::Cut, stands(tried, label, true)))
                        .data("rest", 0)
                        .data("by", "behind")
                });
            }
        }
        let moves: Vec<Value> = self
            .labels
            .iter()
            .zip(&trial.tried)
            .map(|(label, tried)| {
                json!({"move": label, "value": tried.aim(), "visits": tried.count, "dropped": tried.dropped})
            })
            .collect();
        let nodes: u64 = trial.tried.iter().map(|tried| tried.count).sum();
        self.watch.step(|| {
            let says = WORDS.say("told-rounds").with("rounds", rounds);
            Step::new(Kind::Count, says.with("alive", trial.alive()))
                .data("rounds", rounds)
                .data("nodes", nodes)
                .data("moves", moves)
        });
    }

    /// The race is over: every candidate has its mean, and the leader is chosen.
    pub(super) fn finish(self, trial: &Trial, best: usize) {
        let Race {
            watch,
            labels,
            rest,
            ..
        } = self;
        for (at, (tried, label)) in trial.tried.iter().zip(&labels).enumerate() {
            watch.step(|| {
                Step::new(Kind::Close, stands(tried, label, tried.dropped))
                    .data("id", at + 1)
                    .data("value", tried.aim())
                    .data("points", tried.mean)
                    .data("is", Proof::Estimate.word())
                    .data("visits", tried.count)
                    .data("interval", interval(tried))
                    .data("best", at == best)
            });
        }
        if rest > 0 {
            watch.step(|| {
                let says = WORDS.say("told-sim-rest").with("rest", rest);
                Step::new(Kind::Cut, says.with("count", labels.len()))
                    .data("id", 0)
                    .data("rest", rest)
                    .data("by", "rule")
            });
        }
        let (tried, label) = (&trial.tried[best], labels[best].as_str());
        let rollouts: u64 = trial.tried.iter().map(|tried| tried.count).sum();
        let worth = Worth::mean(tried.aim());
        watch.step(|| {
            Step::new(Kind::Close, TREE.say("told-closed").with("move", label))
                .data("id", 0)
                .data("value", worth.json())
                .data("is", Proof::Estimate.word())
                .data("visits", rollouts)
        });
        let others = (0..labels.len()).filter(|&at| at != best);
        let next = others.max_by(|&a, &b| {
            let aim = |at: usize| trial.tried[at].aim();
            aim(a).total_cmp(&aim(b)).then(b.cmp(&a))
        });
        watch.sum_up(|| {
            let dropped = trial.tried.iter().filter(|tried| tried.dropped).count();
            let summary = Summary::new(Backup::Max)
                .say(
                    WORDS
                        .say("sum-race")
                        .with("count", labels.len())
                        .with("rounds", grouped(trial.rounds()))
                        .with("rollouts", grouped(rollouts)),
                )
                .say(
                    WORDS
                        .say(by_wins(tried, "sum-race-best"))
                        .with("move", label)
                        .with("win", percent(tried))
                        .with("mean", Figure::Signed(tried.mean, 1))
                        .with("dropped", dropped),
                );
            match next {
                Some(at) => summary.say(
                    WORDS
                        .say(by_wins(&trial.tried[at], "sum-race-next"))
                        .with("move", labels[at].as_str())
                        .with("win", percent(&trial.tried[at]))
                        .with("mean", Figure::Signed(trial.tried[at].mean, 1)),
                ),
                None => summary,
            }
        });
        watch.step(|| {
            let says = TREE.say("tree-choose").with("move", label);
            Step::new(Kind::Choose, says.with("value", worth.to_string()))
                .data("answer", label)
                .data("value", worth.json())
                .data("is", Proof::Estimate.word())
                .data("line", vec![label])
        });
    }
}

/// How a candidate stands.
fn stands(tried: &Tried, label: &str, dropped: bool) -> Message {
    let key = if dropped {
        "thread-dropped"
    } else {
        "thread-bar"
    };
    let says = WORDS.say(by_wins(tried, key)).with("move", label);
    let says = says.with("win", percent(tried));
    let says = says.with("mean", Figure::Signed(tried.mean, 1));
    says.with("count", tried.count)
}

/// The sentence that tells games won, where they are counted.
fn by_wins(tried: &Tried, key: &'static str) -> &'static str {
    match (key, tried.win) {
        ("thread-bar", Some(_)) => "thread-bar-win",
        ("thread-dropped", Some(_)) => "thread-dropped-win",
        ("sum-race-best", Some(_)) => "sum-race-best-win",
        ("sum-race-next", Some(_)) => "sum-race-next-win",
        _ => key,
    }
}

fn percent(tried: &Tried) -> String {
    tried
        .win
        .map_or(String::new(), |(win, _)| format!("{:.1}", 100.0 * win))
}

/// Two standard errors on both sides of the mean.
fn interval(tried: &Tried) -> Vec<f64> {
    let (aim, error) = (tried.aim(), tried.aim_error());
    vec![aim - 2.0 * error, aim + 2.0 * error]
}
