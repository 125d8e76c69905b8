//! How a heuristic misleads A*: one journey, two searches, and a speed to assume.

use std::fmt::Write as _;
use std::sync::OnceLock;

use maud::html;
use wits_game::Seed;
use wits_play::Budget;
use wits_transit::algo::Heuristic;
use wits_transit::{Algorithm, Answer, Graph, Network, Objective, Question, Time};

use super::asked::{Asked, MOVE, address, refused};
use super::charts::{Line, Part, chart, lines, place};
use super::guess::Guess;
use super::parts::{Live, percent, slider, whole};
use super::picture::Picture;
use crate::pages::say;
use crate::rooms::transit::{QUERIES, city};
use crate::{App, Fault, WORDS};

/// Steps that a thread keeps.
const STEPS: usize = 4000;
/// Where the random questions come from: the study's own, so that its mistakes are among them.
const QUESTIONS: u64 = 1;
/// The question and the speed at first: A* comes late here.
const FIRST: (u64, u32) = (31, 5);
/// The speeds that the reader chooses from, km/h.
const SPEEDS: [u32; 5] = [8, 12, 18, 25, 40];
/// How wide the map is, how high at most, and its margin in kilometres.
const MAP: (f64, f64, f64) = (460.0, 440.0, 0.5);

fn asking(asked: &Asked) -> Result<(Question, u32, u64), Fault> {
    let kmh = asked.number("speed", FIRST.1, 5, 80)?;
    let number = asked.number("question", FIRST.0, 1, 120)?;
    let planner = &city().planner;
    let ends = planner.random_query(Seed::new(QUESTIONS).nth(number - 1), &planner.served());
    let question = Question {
        by: Objective::Time,
        ..Question::new(ends.from, ends.to, Time(ends.at))
    };
    Ok((question, kmh, number))
}

/// A* that assumes a speed.
fn astar(kmh: u32) -> Algorithm {
    let kmh = f64::from(kmh);
    Algorithm::Astar(Graph::Dependent, Heuristic::Speed { kmh })
}

const DIJKSTRA: Algorithm = Algorithm::Dijkstra(Graph::Dependent);

fn failed(error: &impl std::fmt::Display) -> Fault {
    let why = WORDS.say("lesson-failed").with("what", error.to_string());
    refused("no-answer", why, WORDS.say("lesson-late-hint"))
}

fn answer(question: &Question, algorithm: Algorithm) -> Result<Answer, Fault> {
    let asked = Question {
        algorithm,
        ..question.clone()
    };
    city().planner.route(&asked).map_err(|e| failed(&e))
}

fn arrival(answer: &Answer) -> Option<Time> {
    answer.journeys.first().map(|j| j.arrival)
}

fn shown(answer: &Answer) -> String {
    arrival(answer).map_or_else(|| "–".to_owned(), |t| t.to_string())
}

/// Minutes by which an answer is later than another.
fn lost(bold: &Answer, exact: &Answer) -> i64 {
    let both = arrival(bold).zip(arrival(exact));
    both.map_or(0, |(b, e)| i64::from(b.0 - e.0) / 60)
}

/// The thread of one of the two.
pub(super) fn follow(_: &App, asked: &Asked, _: &Budget) -> Result<String, Fault> {
    let (question, kmh, _) = asking(asked)?;
    let by = asked.one_of("by", &["astar", "dijkstra"])?;
    let algorithm = if by == "astar" { astar(kmh) } else { DIJKSTRA };
    let question = Question {
        algorithm,
        ..question
    };
    let followed = city().planner.route_thread(&question, STEPS);
    Ok(followed.map_err(|e| failed(&e))?.1.text())
}

/// Where a stop is, in kilometres east and north.
fn spot(network: &Network, stop: u32) -> Option<(f64, f64)> {
    let (_, x, y, _) = network.stops.get(stop as usize)?;
    Some(((*x)?, (*y)?))
}

/// The way of a journey, in kilometres east and north.
fn way(network: &Network, answer: &Answer) -> Vec<(f64, f64)> {
    let legs = answer.journeys.first().map_or(&[][..], |j| &j.legs);
    let spot = |stop: u32| spot(network, stop);
    let leg = |leg: &wits_transit::Leg| match city().planner.drawn(leg) {
        Some(way) => way.chunks_exact(2).map(|p| (p[0], p[1])).collect(),
        None => (leg.stops.iter().filter_map(|call| spot(call.stop))).collect::<Vec<_>>(),
    };
    legs.iter().flat_map(leg).collect()
}

/// The map around two journeys, drawn from the timetable: the earliest one, and the one that A* found.
fn map(exact: &Answer, bold: &Answer, names: &[String; 2]) -> Part {
    static NETWORK: OnceLock<Network> = OnceLock::new();
    let network = NETWORK.get_or_init(|| city().planner.network());
    let ways = [way(network, exact), way(network, bold)];
    let all = || ways.iter().flatten();
    let edge = |of: fn(&(f64, f64)) -> f64, pick: fn(f64, f64) -> f64, from: f64| {
        all().map(of).fold(from, pick)
    };
    let (wide, tall, margin) = MAP;
    let west = edge(|p| p.0, f64::min, f64::MAX) - margin;
    let east = edge(|p| p.0, f64::max, f64::MIN) + margin;
    let south = edge(|p| p.1, f64::min, f64::MAX) - margin;
    let north = edge(|p| p.1, f64::max, f64::MIN) + margin;
    let scale = (wide / (east - west)).min(tall / (north - south));
    let high = ((north - south) * scale).max(200.0);
    let at = |(x, y): (f64, f64)| {
        let right = (x - f64::midpoint(west, east)) * scale + wide / 2.0;
        let down = (f64::midpoint(south, north) - y) * scale + high / 2.0;
        (place(right), place(down))
    };
    let trace = |way: &[(f64, f64)]| {
        let points = way.iter().map(|&p| at(p));
        points
            .map(|(x, y)| format!("{x},{y}"))
            .collect::<Vec<_>>()
            .join(" ")
    };
    let inside = |(x, y): (f64, f64)| x > west && x < east && y > south && y < north;
    let stretches = network.stretches.iter();
    let mut net = String::new();
    let places = stretches.filter_map(|&(a, b, ..)| Some((spot(network, a)?, spot(network, b)?)));
    for (a, b) in places.filter(|&(a, b)| inside(a) && inside(b)) {
        let ((x1, y1), (x2, y2)) = (at(a), at(b));
        let _ = write!(net, "M{x1} {y1}L{x2} {y2}");
    }
    let ends = [ways[0].first(), ways[0].last()];
    let inner = html! {
        path.ls-net d=(net) {}
        @for (i, way) in ways.iter().enumerate() { polyline class={ "ls-line l" (i) } points=(trace(way)) {} }
        @for (end, mark) in ends.into_iter().zip(["A", "B"]) {
            @if let Some((x, y)) = end.map(|&p| at(p)) {
                circle.ls-end cx=(x) cy=(y) r="11" {}
                text.ls-face x=(x) y=(y) dy="6" text-anchor="middle" { (mark) }
            }
        }
    };
    let heads = ["lesson-search", "transit-arrival", "transit-settled"].map(say);
    let row = |name: &String, a: &Answer| vec![name.clone(), shown(a), whole(a.settled as u64)];
    let rows = vec![heads.to_vec(), row(&names[0], exact), row(&names[1], bold)];
    let picture = Picture {
        title: say("lesson-map"),
        size: (wide, high.ceil()),
        inner,
        legend: names.to_vec(),
    };
    chart(picture, rows)
}

/// Both answers, and what assumed speeds do to many questions.
pub(super) fn run(_: &App, asked: &Asked, _: &Budget) -> Result<Live, Fault> {
    let (question, kmh, number) = asking(asked)?;
    let planner = &city().planner;
    let (exact, bold) = (answer(&question, DIJKSTRA)?, answer(&question, astar(kmh))?);
    let tried: Vec<Answer> = (SPEEDS.iter())
        .map(|&kmh| answer(&question, astar(kmh)))
        .collect::<Result<_, _>>()?;
    let truth = tried.iter().position(|a| lost(a, &exact) == 0);
    let given = asked.text(MOVE);
    let said = SPEEDS.iter().position(|s| Some(&*s.to_string()) == given);
    let (drawn, speed) = said.map_or((&bold, kmh), |i| (&tried[i], SPEEDS[i]));
    let named = |key: &'static str, answer: &Answer| {
        let name = WORDS.say(key).with("time", shown(answer));
        name.with("speed", speed).to_string()
    };
    let names = [
        named("lesson-by-dijkstra", &exact),
        named("lesson-by-astar", drawn),
    ];
    let options = SPEEDS.map(|s| (s.to_string(), format!("{s} {}", say("transit-kmh"))));
    let guess = Guess::about(map(&exact, drawn, &names).page)
        .options(options)
        .right(said.map(|i| Some(i) == truth));
    let study = city().study();
    let assumed = |h: Heuristic| match h {
        Heuristic::Speed { kmh } => Some(kmh),
        _ => None,
    };
    let line = |key: &'static str, of: fn(&wits_transit::Boldness) -> f64| Line {
        name: say(key),
        points: study
            .iter()
            .filter_map(|row| Some((assumed(row.heuristic)?, of(row))))
            .collect(),
    };
    let safe = study
        .iter()
        .filter(|row| row.wrong > 0.0)
        .filter_map(|row| assumed(row.heuristic))
        .fold(0.0, f64::max);
    let (kmh_text, number_text) = (kmh.to_string(), number.to_string());
    let src = |by| {
        let fields = [
            ("by", by),
            ("speed", &*kmh_text),
            ("question", &number_text),
        ];
        address("/lessons/astar/thread", &fields)
    };
    let stop = |list: &[u32]| {
        list.first()
            .map_or_else(String::new, |&s| planner.table.stop_name(s).to_owned())
    };
    let late = |answer: &Answer| match lost(answer, &exact) {
        0 => say("lesson-as-good"),
        minutes => (WORDS.say("lesson-late-by").with("minutes", minutes)).to_string(),
    };
    let none = || say("lesson-no-speed");
    Ok(Live::default()
        .ask(guess)
        .say("guess", given.unwrap_or_default())
        .say("truth", truth.map_or_else(none, |i| SPEEDS[i].to_string()))
        .say("from", stop(&question.from))
        .say("to", stop(&question.to))
        .say("at", question.at)
        .say("speed", kmh)
        .say("dijkstra", exact.settled)
        .say("astar", bold.settled)
        .say("share", percent(bold.settled as f64 / exact.settled.max(1) as f64))
        .say("best", shown(&exact))
        .say("found", shown(&bold))
        .say("verdict", late(&bold))
        .say("tried", late(drawn))
        .say("triedshare", percent(drawn.settled as f64 / exact.settled.max(1) as f64))
        .say("safe", safe)
        .say("queries", QUERIES)
        .part("form", html! {
            (slider("speed", "transit-speed", kmh, [5, 80, 1]))
            (slider("question", "lesson-question", number, [1, 120, 1]))
        })
        .part("threads", html! { wits-threads race at="1" { wits-thread src=(src("dijkstra")) {} wits-thread src=(src("astar")) {} } })
        .part("study", lines(&say("lesson-study"), [&say("transit-kmh"), &say("lesson-share")], &[line("transit-wrong-share", |r| r.wrong), line("transit-work-share", |r| r.work)], (0.0, 1.0), &|v| format!("{:.0} %", 100.0 * v))))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lesson opens where A* is wrong, and one of the speeds on offer mends it but not the lowest.
    #[test]
    fn the_first_picture_shows_a_mistake() {
        let (question, kmh, _) = asking(&Asked::default()).unwrap();
        let exact = answer(&question, DIJKSTRA).unwrap();
        let late = |kmh| lost(&answer(&question, astar(kmh)).unwrap(), &exact);
        assert!(late(kmh) >= 10, "A* is {} minutes late", late(kmh));
        let all = SPEEDS.map(late);
        assert!(all[0] > 0 && all[4] == 0, "{all:?}");
    }
}
