//! Which teaching is better, and against whom: the same machines at school under several rules.

use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;
use wits_play::wilson;

use crate::chart::Chart;
use crate::learner::{Learning, Method};
use crate::machine::Machine;
use crate::opponent::Opponent;
use crate::stats::Summary;
use crate::teaching::Teaching;
use crate::train::{Course, Trained, train};

/// One kind of teaching against one opponent.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Row {
    /// What the teaching is called, or the way to learn.
    pub teaching: String,
    /// The opponent.
    pub opponent: String,
    /// Losses in the first games.
    pub first_losses: Summary,
    /// Games until perfect, of the machines that became so.
    pub games_to_perfect: Summary,
    /// Losses until perfect, of the machines that became so.
    pub losses_to_perfect: Summary,
    /// Share of machines that became perfect.
    pub perfect: f64,
    /// The 95 % interval of that share.
    pub perfect_interval: [f64; 2],
    /// Share of games won in the last tenth of the course.
    pub late_wins: f64,
    /// Share of games lost in the last tenth of the course.
    pub late_losses: f64,
}

/// A comparison, in the words that scripts read.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Comparison {
    /// What people call the machine.
    pub machine: String,
    /// How many machines each.
    pub machines: u64,
    /// How many games each.
    pub games: u32,
    /// How many first games are counted.
    pub first: u32,
    /// Whether it was stopped early.
    pub stopped: bool,
    /// Every teaching against every opponent.
    pub rows: Vec<Row>,
}

/// The usual question: only punish, or also reward?
pub fn usual_teachings(base: &Teaching) -> Vec<(String, Teaching)> {
    let named = |name: &str, win, draw| {
        let teaching = Teaching {
            win,
            draw,
            ..base.clone()
        };
        (name.to_owned(), teaching)
    };
    vec![
        named("punish only", 0, 0),
        named("reward 1", 1, 0),
        named("reward 3", 3, 1),
    ]
}

/// Opponents from clumsy to perfect, and the one that knows the beads.
pub fn usual_opponents() -> Vec<Opponent> {
    let mut all = vec![Opponent::Random];
    all.extend([0.25, 0.5, 0.75].map(Opponent::Skilled));
    all.extend([Opponent::Perfect, Opponent::Punishing]);
    all
}

/// Sends the same machine to school under each teaching against each opponent, on the same seeds.
///
/// `report` hears now and then how many machines are done, of all rows together.
pub fn compare(
    chart: &Chart,
    machine: &Machine,
    teachings: &[(String, Teaching)],
    opponents: &[Opponent],
    course: &Course,
    report: &(dyn Fn(u64) + Sync),
    stop: &AtomicBool,
) -> Comparison {
    let pupils: Vec<Class> = teachings
        .iter()
        .map(|(name, teaching)| Class {
            name: name.clone(),
            machine: Machine::fresh(machine.name(), machine.cabinet().clone(), teaching.clone()),
            course: *course,
        })
        .collect();
    rows(chart, &pupils, opponents, report, stop)
}

/// The same for beads as the machine is taught, and for every way to learn by numbers.
pub fn compare_learners(
    chart: &Chart,
    machine: &Machine,
    opponents: &[Opponent],
    course: &Course,
    report: &(dyn Fn(u64) + Sync),
    stop: &AtomicBool,
) -> Comparison {
    let pupils = Method::ALL.map(|method| Class {
        name: method.name().to_owned(),
        machine: machine.clone(),
        course: Course {
            learning: Learning::new(method),
            ..*course
        },
    });
    rows(chart, &pupils, opponents, report, stop)
}

/// Machines that learn in one way.
struct Class {
    name: String,
    machine: Machine,
    course: Course,
}

fn rows(
    chart: &Chart,
    classes: &[Class],
    opponents: &[Opponent],
    report: &(dyn Fn(u64) + Sync),
    stop: &AtomicBool,
) -> Comparison {
    let mut rows = Vec::new();
    let total = classes.len() * opponents.len();
    for opponent in opponents {
        for class in classes {
            let before = rows.len() as u64 * class.course.machines;
            let done = train(
                chart,
                &class.machine,
                opponent,
                &class.course,
                &|machines| report(before + machines),
                stop,
            );
            if stop.load(Ordering::Relaxed) {
                break;
            }
            rows.push(row(class, opponent, &done));
        }
    }
    let course = &classes[0].course;
    Comparison {
        machine: classes[0].machine.name().to_owned(),
        machines: course.machines,
        games: course.games,
        first: course.first.min(course.games),
        stopped: rows.len() < total,
        rows,
    }
}

fn row(class: &Class, opponent: &Opponent, done: &Trained) -> Row {
    let share = done.perfect as f64 / done.machines.max(1) as f64;
    let (low, high) = wilson(share, done.machines);
    let late: Vec<_> = done
        .curve
        .iter()
        .filter(|p| p.game * 10 > class.course.games * 9)
        .collect();
    let mean = |pick: fn(&crate::train::Point) -> f64| {
        late.iter().map(|p| pick(p)).sum::<f64>() / late.len().max(1) as f64
    };
    Row {
        teaching: class.name.clone(),
        opponent: opponent.to_string(),
        late_wins: mean(|p| p.win),
        late_losses: mean(|p| p.loss),
        first_losses: done.first_losses,
        games_to_perfect: done.games_to_perfect,
        losses_to_perfect: done.losses_to_perfect,
        perfect: share,
        perfect_interval: [low, high],
    }
}
