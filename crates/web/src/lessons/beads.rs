//! How beads learn: which bead is left in a box after school, and what many machines learn there.

use std::cmp::Reverse;

use maud::{Markup, html};
use wits_game::{Scene, Seed};
use wits_matchbox::{Course, Machine, Opponent, Preset, Teaching, school, train};
use wits_play::Budget;

use super::asked::{Asked, MOVE, late, refused};
use super::boards::{Story, live, table_from};
use super::charts::{Line, lines};
use super::guess::Guess;
use super::parts::{Live, choice, decimal, percent, slider};
use crate::pages::say;
use crate::rooms::matchbox::picture;
use crate::{App, Fault, WORDS};

const OPPONENTS: [&str; 3] = ["perfect", "random", "punishing"];
const TEACHINGS: [&str; 2] = ["punish", "reward"];
/// How many machines go to school together.
const MACHINES: u64 = 200;
/// Boxes in sight beside the one of the question.
const SHOWN: usize = 3;
/// So many beads of a colour are drawn one by one.
const DRAWN: u32 = 6;
/// Who plays out what the reader says.
const BEST: &str = "alphabeta:depth=20";

/// Trains machines that know nothing, and looks into one of them.
pub(super) fn run(app: &App, asked: &Asked, budget: &Budget) -> Result<Live, Fault> {
    let games: u32 = asked.number("games", 120, 5, 300)?;
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
    let mut cabinets = [None, None];
    cabinets[cabinet.seat().index()] = Some(&*cabinet);
    let chart = cabinet
        .subject()
        .chart(cabinets)
        .map_err(|e| wrong(e.to_string()))?;
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
    let order = lessons_of(&machine, &one);
    let asked_box = order.first().copied().unwrap_or(0);
    let label = &cabinet.labels()[asked_box];
    let given = asked.text(MOVE);
    let guess = match given {
        None => {
            let mut scene = cabinet.scene(asked_box).unwrap_or_default();
            scene.targets.retain(|t| label.moves.contains(&t.text));
            Guess::about(html! { div.mb-box { (live(&scene)) (beads(&machine, asked_box)) } })
        }
        Some(text) => {
            let (game, mut table) = table_from(app, cabinet.game(), &label.position)?;
            let mut story = Story::default();
            story.add(table.scene(wits_game::Eyes::All), say("lesson-box-drawn"));
            story.answered(app, &*game, &mut *table, text, BEST, budget)?;
            let left = label.moves.iter().position(|m| m == text);
            let left = left.is_some_and(|bead| one.beads(asked_box)[bead] > 0);
            let after = html! { div.mb-box { (story.on_page()) (beads(&one, asked_box)) } };
            Guess::about(after).right(Some(left))
        }
    };
    let more = html! {
        ul.mb-wall.lesson-boxes aria-label=(say("lesson-boxes")) {
            @for &at in order.iter().skip(1).take(SHOWN) {
                li.mb-box {
                    @if let Some(scene) = cabinet.scene(at) { (picture::board(&scene, &cabinet.labels()[at], one.beads(at), false)) }
                    (beads(&one, at))
                }
            }
        }
    };
    let mean = trained.losses_to_perfect.mean;
    Ok(Live::default()
        .ask(guess.showing(more))
        .say("guess", given.unwrap_or_default())
        .say("machines", trained.machines)
        .say("games", games)
        .say("boxes", cabinet.labels().len())
        .say("beads", machine.total())
        .say("left", one.total())
        .say("perfect", trained.perfect)
        .say("perfectshare", percent(trained.perfect as f64 / trained.machines.max(1) as f64))
        .say("win", last.map_or_else(String::new, |p| percent(p.win)))
        .say("losses", mean.map_or_else(|| say("lesson-none-yet"), |m| decimal(m, 1)))
        .part("form", html! {
            (slider("games", "lesson-games", games, [5, 300, 5]))
            (choice("opponent", "lesson-opponent", opponent, &[("perfect", say("matchbox-perfectly")), ("random", say("matchbox-random")), ("punishing", say("matchbox-punishing"))]))
            (choice("teaching", "lesson-teaching", teaching, &[("punish", say("matchbox-teach-punish")), ("reward", say("matchbox-teach-reward"))]))
            (slider("seed", "lesson-seed", seed, [1, 100, 1]))
        })
        .part("curve", lines(&say("lesson-curve"), [&say("lesson-after-games"), &say("lesson-share-machines")], &curve, (0.0, 1.0), &|v| format!("{:.0} %", 100.0 * v))))
}

/// The boxes of a machine in the order of how much it learned from them: first those in which every
/// bead that gives the game away is gone and a good one is left.
fn lessons_of(before: &Machine, after: &Machine) -> Vec<usize> {
    let labels = before.cabinet().labels();
    let told = |at: usize| {
        let (was, is) = (before.beads(at), after.beads(at));
        let lost: u64 = was
            .iter()
            .zip(is)
            .map(|(a, b)| u64::from(a.abs_diff(*b)))
            .sum();
        let bad = |bead: usize| labels[at].gives_away(bead);
        let moves = 0..labels[at].moves.len();
        let learned =
            moves.clone().any(bad) && moves.clone().all(|bead| bad(bead) == (is[bead] == 0));
        Reverse((learned, lost, Reverse(at)))
    };
    let mut order: Vec<usize> = (0..labels.len()).collect();
    order.sort_by_key(|&at| told(at));
    order
}

/// The beads in a box, each beside its move.
fn beads(machine: &Machine, at: usize) -> Markup {
    let (label, scene): (_, Option<Scene>) =
        (&machine.cabinet().labels()[at], machine.cabinet().scene(at));
    html! {
        ul.mb-list.lesson-beads {
            @for (bead, (text, &count)) in label.moves.iter().zip(machine.beads(at)).enumerate() {
                li.none[count == 0] data-bead=(text) data-count=(count) {
                    (picture::row(picture::colour(scene.as_ref(), label, bead), count, DRAWN))
                    span.move-text { (text) }
                    span.number { "×" (count) }
                }
            }
        }
    }
}
