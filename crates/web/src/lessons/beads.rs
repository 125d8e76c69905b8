//! How beads learn: many machines of boxes and beads at school.

use maud::html;
use wits_game::Seed;
use wits_matchbox::{Course, Opponent, Preset, Subject, Teaching, school, train};
use wits_play::Budget;

use super::asked::{Asked, late, refused};
use super::charts::{Bar, Line, bars, lines};
use super::parts::{Live, choice, percent, slider};
use crate::pages::say;
use crate::{App, Fault, WORDS};

const OPPONENTS: [&str; 3] = ["perfect", "random", "punishing"];
const TEACHINGS: [&str; 2] = ["punish", "reward"];
/// How many machines go to school together.
const MACHINES: u64 = 200;

/// Trains machines that know nothing, and looks into one of them.
pub(super) fn run(_: &App, asked: &Asked, budget: &Budget) -> Result<Live, Fault> {
    let games: u32 = asked.number("games", 60, 5, 300)?;
    let opponent = asked.one_of("opponent", &OPPONENTS)?;
    let teaching = asked.one_of("teaching", &TEACHINGS)?;
    let seed = asked.number("seed", 1, 1, 100)?;
    let wrong = |e: String| {
        refused(
            "bad-machine",
            WORDS.say("lesson-failed").with("what", e),
            WORDS.say("lesson-late-hint"),
        )
    };
    let preset = Preset::named("her").map_err(|e| wrong(e.to_string()))?;
    let preset = match teaching {
        "reward" => preset.with_teaching(Teaching::with_reward(1)),
        _ => preset,
    };
    let machine = preset.machine().map_err(|e| wrong(e.to_string()))?;
    let cabinet = machine.cabinet().clone();
    let subject = Subject::named(cabinet.game()).map_err(|e| wrong(e.to_string()))?;
    let mut cabinets = [None, None];
    cabinets[cabinet.seat().index()] = Some(&*cabinet);
    let chart = subject.chart(cabinets).map_err(|e| wrong(e.to_string()))?;
    let other: Opponent = opponent
        .parse()
        .map_err(|e: wits_matchbox::NoSuchOpponent| wrong(e.to_string()))?;
    let course = Course {
        threads: 1,
        ..Course::new(MACHINES, games, Seed::new(seed))
    };
    let trained = train(&chart, &machine, &other, &course, &|_| {}, &budget.flag());
    if trained.stopped {
        return Err(late());
    }
    let one = school(&chart, &machine, &other, games, Seed::new(seed));
    let line = |key: &'static str, of: &dyn Fn(&wits_matchbox::Point) -> f64| Line {
        name: say(key),
        points: trained
            .curve
            .iter()
            .map(|p| (f64::from(p.game), of(p)))
            .collect(),
    };
    let curve = [
        line("lesson-won", &|p| p.win),
        line("lesson-lost", &|p| p.loss),
        line("lesson-perfect", &|p| p.perfect),
    ];
    let last = trained.curve.last();
    // The box with the most beads lost is where most was learned.
    let lost = |at: usize| -> i64 {
        machine
            .beads(at)
            .iter()
            .zip(one.beads(at))
            .map(|(a, b)| (i64::from(*a) - i64::from(*b)).abs())
            .sum()
    };
    let at = (0..cabinet.labels().len())
        .max_by_key(|&at| (lost(at), std::cmp::Reverse(at)))
        .unwrap_or(0);
    let label = &cabinet.labels()[at];
    let rows: Vec<Bar> = (label.moves.iter().enumerate())
        .map(|(i, text)| Bar {
            name: text.clone(),
            value: f64::from(one.beads(at)[i]),
            shown: WORDS
                .say("lesson-before-after")
                .with("before", machine.beads(at)[i])
                .with("after", one.beads(at)[i])
                .to_string(),
            mark: !label.gives_away(i),
        })
        .collect();
    let mean = trained.losses_to_perfect.mean;
    Ok(Live::default()
        .say("machines", trained.machines)
        .say("games", games)
        .say("boxes", cabinet.labels().len())
        .say("beads", machine.total())
        .say("left", one.total())
        .say("perfect", trained.perfect)
        .say("perfectshare", percent(trained.perfect as f64 / trained.machines.max(1) as f64))
        .say("win", last.map_or_else(String::new, |p| percent(p.win)))
        .say("losses", mean.map_or_else(|| say("lesson-none-yet"), |m| format!("{m:.1}")))
        .say("position", &label.position)
        .part("form", html! {
            (slider("games", "lesson-games", games, [5, 300, 5]))
            (choice("opponent", "lesson-opponent", opponent, &[("perfect", say("matchbox-perfectly")), ("random", say("matchbox-random")), ("punishing", say("matchbox-punishing"))]))
            (choice("teaching", "lesson-teaching", teaching, &[("punish", say("matchbox-teach-punish")), ("reward", say("matchbox-teach-reward"))]))
            (slider("seed", "lesson-seed", seed, [1, 100, 1]))
        })
        .part("curve", lines(&say("lesson-curve"), [&say("lesson-after-games"), &say("lesson-share-machines")], &curve, (0.0, 1.0), &|v| format!("{:.0} %", 100.0 * v)))
        .part("box", bars(&say("lesson-box"), [&say("lesson-move"), &say("lesson-beads")], &rows)))
}
