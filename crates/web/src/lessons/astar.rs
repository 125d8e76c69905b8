//! How a heuristic misleads A*: one journey, two searches, and a speed to assume.

use maud::html;
use wits_game::Seed;
use wits_play::Budget;
use wits_transit::algo::Heuristic;
use wits_transit::{Algorithm, Answer, Graph, Objective, Question, Time};

use super::asked::{Asked, address, refused};
use super::charts::{Line, lines};
use super::parts::{Live, percent, slider};
use crate::pages::say;
use crate::rooms::transit::{QUERIES, city};
use crate::{App, Fault, WORDS};

/// Steps that a thread keeps.
const STEPS: usize = 4000;
/// Where the random questions come from: the study's own, so that its mistakes are among them.
const QUESTIONS: u64 = 1;

fn asking(asked: &Asked) -> Result<(Question, u32, u64), Fault> {
    let kmh = asked.number("speed", 5, 5, 80)?;
    let number = asked.number("question", 6, 1, 120)?;
    let planner = &city().planner;
    let ends = planner.random_query(Seed::new(QUESTIONS).nth(number - 1), &planner.served());
    let question = Question {
        by: Objective::Time,
        ..Question::new(ends.from, ends.to, Time(ends.at))
    };
    Ok((question, kmh, number))
}

fn searches(kmh: u32) -> [Algorithm; 2] {
    let bold = Heuristic::Speed {
        kmh: f64::from(kmh),
    };
    [
        Algorithm::Dijkstra(Graph::Dependent),
        Algorithm::Astar(Graph::Dependent, bold),
    ]
}

fn failed(error: &impl std::fmt::Display) -> Fault {
    let why = WORDS.say("lesson-failed").with("what", error.to_string());
    refused("no-answer", why, WORDS.say("lesson-late-hint"))
}

/// The thread of one of the two.
pub(super) fn follow(_: &App, asked: &Asked, _: &Budget) -> Result<String, Fault> {
    let (question, kmh, _) = asking(asked)?;
    let by = asked.one_of("by", &["astar", "dijkstra"])?;
    let [dijkstra, astar] = searches(kmh);
    let algorithm = if by == "astar" { astar } else { dijkstra };
    let question = Question {
        algorithm,
        ..question
    };
    let (_, thread) = city()
        .planner
        .route_thread(&question, STEPS)
        .map_err(|e| failed(&e))?;
    Ok(thread.text())
}

/// Both answers, and what assumed speeds do to many questions.
pub(super) fn run(_: &App, asked: &Asked, _: &Budget) -> Result<Live, Fault> {
    let (question, kmh, number) = asking(asked)?;
    let planner = &city().planner;
    let ask = |algorithm| {
        planner
            .route(&Question {
                algorithm,
                ..question.clone()
            })
            .map_err(|e| failed(&e))
    };
    let [dijkstra, astar] = searches(kmh);
    let (exact, bold) = (ask(dijkstra)?, ask(astar)?);
    let arrival = |answer: &Answer| answer.journeys.first().map(|j| j.arrival);
    let shown = |answer: &Answer| arrival(answer).map_or_else(|| "–".to_owned(), |t| t.to_string());
    let lost = arrival(&bold)
        .zip(arrival(&exact))
        .map_or(0, |(b, e)| (b.0 - e.0) / 60);
    let study = city().study();
    let speed = |h: Heuristic| match h {
        Heuristic::Speed { kmh } => Some(kmh),
        _ => None,
    };
    let line = |key: &'static str, of: fn(&wits_transit::Boldness) -> f64| Line {
        name: say(key),
        points: study
            .iter()
            .filter_map(|row| Some((speed(row.heuristic)?, of(row))))
            .collect(),
    };
    let safe = study
        .iter()
        .filter(|row| row.wrong > 0.0)
        .filter_map(|row| speed(row.heuristic))
        .fold(0.0, f64::max);
    let (kmh_text, number_text) = (kmh.to_string(), number.to_string());
    let src = |by| {
        address(
            "/lessons/astar/thread",
            &[("by", by), ("speed", &kmh_text), ("question", &number_text)],
        )
    };
    let stop = |list: &[u32]| {
        list.first()
            .map_or_else(String::new, |&s| planner.table.stop_name(s).to_owned())
    };
    let verdict = if lost > 0 {
        WORDS
            .say("lesson-late-by")
            .with("minutes", lost)
            .to_string()
    } else {
        say("lesson-as-good")
    };
    Ok(Live::default()
        .say("from", stop(&question.from))
        .say("to", stop(&question.to))
        .say("at", question.at)
        .say("speed", kmh)
        .say("dijkstra", exact.settled)
        .say("astar", bold.settled)
        .say("share", percent(bold.settled as f64 / exact.settled.max(1) as f64))
        .say("best", shown(&exact))
        .say("found", shown(&bold))
        .say("verdict", verdict)
        .say("safe", safe)
        .say("queries", QUERIES)
        .part("form", html! {
            (slider("speed", "transit-speed", kmh, [5, 80, 1]))
            (slider("question", "lesson-question", number, [1, 120, 1]))
        })
        .part("threads", html! { wits-threads race at="0.3" { wits-thread src=(src("dijkstra")) {} wits-thread src=(src("astar")) {} } })
        .part("study", lines(&say("lesson-study"), [&say("transit-kmh"), &say("lesson-share")], &[line("transit-wrong-share", |r| r.wrong), line("transit-work-share", |r| r.work)], (0.0, 1.0), &|v| format!("{:.0} %", 100.0 * v))))
}
