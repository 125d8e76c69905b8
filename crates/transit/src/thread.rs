//! The thread: a search told step by step, for the page and for files.

use serde_json::{Value, json};
use wits_game::{Book, Figure, Lang, Message};
use wits_search::{Kind, Recorder, Step, Thread, ThreadHeader, Watch};

use crate::algo::{Follow, Scan};
use crate::ask::Objective;
use crate::journey::Ends;
use crate::planner::Planner;
use crate::route::{Answer, CannotAsk, Question, Searches};
use crate::time::Time;
use crate::timetable::Timetable;
use crate::view::Journey;

/// What the threads of this room say.
pub static WORDS: Book = Book::new(
    "transit",
    &[
        (Lang::En, include_str!("../texts/en.txt")),
        (Lang::Pl, include_str!("../texts/pl.txt")),
        (Lang::Cs, include_str!("../texts/cs.txt")),
    ],
);

/// Tells the steps of a search to a watcher, with names and places.
///
/// The data of a step carry `node` (the stop), its name as `label`, its kilometres `x` and `y` on the local map, `time`
/// in seconds and `cost`; a `relax` also has `from`. With the empty watcher nothing is built.
#[derive(Debug)]
pub struct Told<'a, W> {
    table: &'a Timetable,
    watch: W,
    /// The search goes from the target back to the start, for somebody who must be there by a time.
    backwards: bool,
    /// Steps told so far, by kind: visits, relaxations, improvements.
    pub counts: [u64; 3],
}

impl<'a, W: Watch> Told<'a, W> {
    /// A teller for a timetable.
    pub fn new(table: &'a Timetable, watch: W) -> Told<'a, W> {
        Told {
            table,
            watch,
            backwards: false,
            counts: [0; 3],
        }
    }

    /// Tells what is asked: the first step of a thread, with the map that the others are drawn on. Where the shortest way is
    /// asked for, the costs of the others are lengths; where the way on foot counts beside arrival and vehicles, none of them has it.
    fn start(&mut self, ground: &Ground, (from, to): (u32, u32), question: &Question) {
        let (table, at) = (self.table, question.at);
        self.backwards = question.arrive_by;
        let backwards = self.backwards;
        self.watch.step(|| {
            let says = turned(backwards, "start", "back-start")
                .with("from", table.stop_name(from))
                .with("to", table.stop_name(to))
                .with("time", at.to_string());
            let goal = &table.stops[to as usize];
            let goal =
                json!({"x": metres(goal.x), "y": metres(goal.y), "label": table.stop_name(to)});
            let step = place(Step::new(Kind::Note, says), table, from);
            let step = match question.by {
                Objective::Distance => step.data("shortest", true),
                Objective::ParetoWalking => step.data("walking", true),
                _ => step,
            };
            let step = if question.arrive_by {
                step.data("backwards", true)
            } else {
                step
            };
            step.data("frame", ground.frame.to_vec())
                .data("network", ground.strokes.clone())
                .data("target", to)
                .data("goal", goal)
                .data("time", at.0)
        });
    }

    /// Tells a journey: the last step of a thread, with the stops on its way, and the length of a shortest one.
    fn way(&mut self, journey: &Journey, by: Objective) {
        let backwards = self.backwards;
        self.watch.step(|| {
            let rides: Vec<String> = journey
                .legs
                .iter()
                .map(|leg| {
                    WORDS
                        .say("leg")
                        .with("line", leg.line.clone())
                        .with("time", leg.departure.to_string())
                        .with("to", leg.to.clone())
                        .to_string()
                })
                .collect();
            let says = if rides.is_empty() {
                WORDS.say("way-none")
            } else {
                WORDS
                    .say("way")
                    .with("rides", rides.join(", "))
                    .with("time", journey.arrival.to_string())
            };
            let stops = journey.legs.iter().flat_map(|leg| &leg.stops);
            let mut line: Vec<u32> = stops.map(|call| call.stop).collect();
            line.dedup();
            let answer = result(journey, by, backwards);
            let says = if by == Objective::Distance {
                let says = WORDS.say("way-shortest").with("way", says.to_string());
                says.with("length", &answer)
            } else {
                says
            };
            let step = Step::new(Kind::Choose, says).data("answer", answer);
            let step = if backwards {
                step.data("departure", journey.departure.0)
            } else {
                step
            };
            step.data("line", line).data("value", journey.arrival.0)
        });
    }
}

/// What lies under a search on the map, so that all searches for one answer look alike.
#[derive(Clone, PartialEq, Debug)]
pub struct Ground {
    /// West, south, east and north edge in kilometres.
    pub frame: [f64; 4],
    /// Lines of the map, four numbers each; those with most vehicles where there are very many.
    pub strokes: Vec<f64>,
}

impl Ground {
    /// As much of the map as can be reached until the answer is.
    fn new(planner: &Planner, question: &Question) -> Ground {
        let day = planner.day();
        let ends = Ends::new(day, &question.from, &question.to, question.at.0);
        let mut scan = Scan::default();
        let limit = scan
            .earliest(day, &ends, &mut ())
            .map_or(0, |trail| trail.arrival);
        let there = scan.everywhere(day, &question.from, question.at.0, limit, &mut ());
        let near = (0u32..).zip(there).filter(|(_, time)| **time <= limit);
        let all = near
            .map(|(stop, _)| stop)
            .chain(question.from.iter().chain(&question.to).copied());
        let frame = planner.frame_of(all);
        Ground {
            frame,
            strokes: planner.strokes(frame),
        }
    }
}

impl Planner {
    /// The best journeys and the thread of the search that found them, of at most `most` steps.
    pub fn route_thread(
        &self,
        question: &Question,
        most: usize,
    ) -> Result<(Answer, Thread), CannotAsk> {
        let mut recorder = Recorder::new(most);
        let mut told = Told::new(&self.table, &mut recorder);
        let (from, to) = (question.from.first(), question.to.first());
        if let (Some(&from), Some(&to)) = (from, to) {
            told.start(&Ground::new(self, question), (from, to), question);
        }
        let answer = self.route_followed(question, &mut Searches::default(), &mut told)?;
        // Beside a way on foot that is shorter, more vehicles need not be earlier.
        let best = match question.by {
            Objective::ParetoWalking => answer.journeys.iter().min_by_key(|way| way.arrival),
            _ => answer.journeys.last(),
        };
        if let Some(best) = best {
            told.way(best, question.by);
        }
        let name = |stop: Option<&u32>| stop.map_or("", |&s| self.table.stop_name(s));
        let mut header = ThreadHeader::new("transit", "map");
        header.subject = format!("{} → {} {}", name(from), name(to), question.at);
        header.by = answer.algorithm.to_string();
        header.title = WORDS
            .say("title")
            .with("by", answer.algorithm.named())
            .with("count", answer.settled as u64)
            .to_string();
        let result = |best: &Journey| result(best, question.by, question.arrive_by);
        let result = best.map_or_else(|| "none".to_owned(), result);
        header.summary = summary(&answer, best, name(from), name(to));
        let thread = recorder.finish(&header, &result, Lang::spoken());
        Ok((answer, thread))
    }
}

/// What was looked for: an arrival or a departure, or the length of the shortest way.
fn result(best: &Journey, by: Objective, backwards: bool) -> String {
    match by {
        Objective::Distance => {
            let km = WORDS.say("km");
            km.with("count", Figure::Decimal(best.km, 3)).to_string()
        }
        _ if backwards => best.departure.to_string(),
        _ => best.arrival.to_string(),
    }
}

/// How much was looked at, and what the best journey needs.
fn summary(answer: &Answer, best: Option<&Journey>, from: &str, to: &str) -> String {
    let done = WORDS
        .say("summary")
        .with("by", answer.algorithm.named())
        .with("count", answer.settled as u64)
        .with("from", from)
        .with("to", to);
    let found = match best {
        Some(best) => {
            let minutes = i64::from(best.total_minutes);
            let said = if minutes < 60 {
                WORDS.say("summary-way").with("minutes", minutes)
            } else {
                let said = WORDS.say("summary-way-long").with("hours", minutes / 60);
                said.with("minutes", minutes % 60)
            };
            said.with("time", best.arrival.to_string())
                .with("transfers", best.transfers as u64)
        }
        None => WORDS.say("summary-none"),
    };
    format!("{done} {found}")
}

/// A sentence of a step, or of one that goes back in time.
fn turned(backwards: bool, on: &'static str, back: &'static str) -> Message {
    WORDS.say(if backwards { back } else { on })
}

pub(crate) fn place(step: Step, table: &Timetable, stop: u32) -> Step {
    let s = &table.stops[stop as usize];
    step.data("node", stop)
        .data("label", table.stop_name(stop))
        .data("x", metres(s.x))
        .data("y", metres(s.y))
}

/// Kilometres to the metre; nothing where the place is unknown.
fn metres(km: f32) -> Value {
    if km.is_finite() {
        Value::from((f64::from(km) * 1000.0).round() / 1000.0)
    } else {
        Value::Null
    }
}

impl<W: Watch> Follow for Told<'_, W> {
    const ON: bool = W::ON;

    #[inline]
    fn visit(&mut self, stop: u32, time: i32, cost: i64) {
        let table = self.table;
        self.counts[0] += 1;
        let backwards = self.backwards;
        self.watch.step(|| {
            let says = turned(backwards, "visit", "back-visit")
                .with("stop", table.stop_name(stop))
                .with("time", Time(time).to_string());
            place(Step::new(Kind::Visit, says), table, stop)
                .data("time", time)
                .data("cost", cost)
        });
    }

    #[inline]
    fn relax(&mut self, from: u32, to: u32, time: i32, cost: i64) {
        let table = self.table;
        self.counts[1] += 1;
        let backwards = self.backwards;
        self.watch.step(|| {
            let says = turned(backwards, "relax", "back-relax")
                .with("from", table.stop_name(from))
                .with("to", table.stop_name(to))
                .with("time", Time(time).to_string());
            place(Step::new(Kind::Relax, says), table, to)
                .data("from", from)
                .data("time", time)
                .data("cost", cost)
        });
    }

    #[inline]
    fn improve(&mut self, time: i32, cost: i64) {
        self.counts[2] += 1;
        let backwards = self.backwards;
        self.watch.step(|| {
            let says =
                turned(backwards, "improve", "back-improve").with("time", Time(time).to_string());
            Step::new(Kind::Improve, says)
                .data("time", time)
                .data("value", cost)
        });
    }

    #[inline]
    fn choose(&mut self, arrival: Option<i32>) {
        let backwards = self.backwards;
        self.watch.step(|| match arrival {
            Some(time) => {
                let says =
                    turned(backwards, "choose", "back-choose").with("time", Time(time).to_string());
                Step::new(Kind::Choose, says)
                    .data("time", time)
                    .data("answer", Time(time).to_string())
            }
            None => Step::new(Kind::Choose, WORDS.say("choose-none")),
        });
    }
}
