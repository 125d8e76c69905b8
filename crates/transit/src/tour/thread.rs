//! Tours step by step: what a tabu search did, or the way of the exact answer.

use wits_game::{Lang, Message};
use wits_search::{Kind, Recorder, Step, Thread, ThreadHeader, Watch};

use super::{Method, Tour, TourBy, TourQuestion};
use crate::planner::Planner;
use crate::thread::WORDS;

impl Tour {
    /// A cost of this tour's search as a number a person understands: minutes on the way,
    /// vehicles or kilometres.
    pub fn worth(question: &TourQuestion, cost: i64) -> f64 {
        match question.by {
            TourBy::Time => ((cost - i64::from(question.at.0)) as f64 / 6.0).round() / 10.0,
            TourBy::Transfers => cost as f64,
            TourBy::Distance => (cost as f64 / 100.0).round() / 1000.0,
        }
    }
}

/// A cost of a tour's search with its unit.
pub fn said(question: &TourQuestion, cost: i64) -> Message {
    let key = match question.by {
        TourBy::Time => "minutes",
        TourBy::Transfers => "vehicles",
        TourBy::Distance => "km",
    };
    WORDS
        .say(key)
        .with("count", Tour::worth(question, cost).to_string())
}

impl Planner {
    /// The thread of a tour that was found, of at most `most` steps: the cost of every iteration
    /// of a tabu search, or the legs of an exact answer.
    pub fn tour_thread(&self, question: &TourQuestion, tour: &Tour, most: usize) -> Thread {
        let mut recorder = Recorder::new(most);
        let name = |posts: &[u32]| {
            posts
                .first()
                .map_or("", |&s| self.table.stop_name(s))
                .to_owned()
        };
        let first = tour.turns.first().map_or(tour.cost, |turn| turn.best);
        recorder.step(|| {
            let says = WORDS
                .say("tour-start")
                .with("count", question.stops.len() as u64)
                .with("from", name(&question.start))
                .with("time", question.at.to_string())
                .with("cost", said(question, first));
            Step::new(Kind::Note, says)
        });
        match question.method {
            Method::Exact => self.legs(tour, &mut recorder),
            Method::Tabu(_) => turns(question, tour, &name, &mut recorder),
        }
        recorder.step(|| {
            let says = WORDS
                .say("tour-choose")
                .with("order", tour.order.join(" → "))
                .with("cost", said(question, tour.cost));
            Step::new(Kind::Choose, says).data("value", Tour::worth(question, tour.cost))
        });
        let how = match question.method {
            Method::Exact => "exact",
            Method::Tabu(_) => "tabu",
        };
        let mut header = ThreadHeader::new("transit", "map");
        header.subject = tour.order.join(" → ");
        how.clone_into(&mut header.by);
        header.title = WORDS
            .say("tour-title")
            .with("count", question.stops.len() as u64)
            .with("by", format!("{:?}", question.by).to_lowercase())
            .with("how", how)
            .to_string();
        let proved = if tour.optimal {
            "tour-optimal"
        } else {
            "tour-open"
        };
        header.summary = WORDS
            .say("tour-summary")
            .with("count", question.stops.len() as u64)
            .with("looked", tour.looked_at)
            .with("order", tour.order.join(" → "))
            .with("cost", said(question, tour.cost))
            .with("proved", WORDS.say(proved))
            .to_string();
        recorder.finish(
            &header,
            &said(question, tour.cost).to_string(),
            Lang::spoken(),
        )
    }

    /// The legs of a tour, one after the other, on the map.
    fn legs(&self, tour: &Tour, recorder: &mut Recorder) {
        for leg in &tour.legs {
            let ends = leg
                .legs
                .first()
                .and_then(|l| l.stops.first())
                .zip(leg.legs.last().and_then(|l| l.stops.last()));
            let Some((from, to)) = ends else { continue };
            recorder.step(|| {
                let says = WORDS
                    .say("tour-leg")
                    .with("from", from.name.clone())
                    .with("to", to.name.clone())
                    .with("departure", leg.departure.to_string())
                    .with("arrival", leg.arrival.to_string());
                let step = crate::thread::place(Step::new(Kind::Visit, says), &self.table, to.stop);
                step.data("from", from.stop).data("cost", leg.arrival.0)
            });
        }
    }
}

/// The iterations of a tabu search.
fn turns(
    question: &TourQuestion,
    tour: &Tour,
    name: &impl Fn(&[u32]) -> String,
    recorder: &mut Recorder,
) {
    let mut before = tour
        .turns
        .first()
        .map_or(0.0, |t| Tour::worth(question, t.best));
    let mut best = i64::MAX;
    for turn in &tour.turns {
        let stop = |at: usize| name(&question.stops[turn.order[at]]);
        recorder.step(|| {
            let says = match (turn.swapped, turn.cost) {
                (Some((i, j)), Some(cost)) => WORDS
                    .say("tour-turn")
                    .with("one", stop(i))
                    .with("other", stop(j))
                    .with("cost", said(question, cost))
                    .with("best", said(question, turn.best)),
                (Some((i, j)), None) => WORDS
                    .say("tour-no-way")
                    .with("one", stop(i))
                    .with("other", stop(j)),
                (None, _) => WORDS
                    .say("tour-idle")
                    .with("cost", said(question, turn.best)),
            };
            let order: Vec<String> = (0..turn.order.len()).map(stop).collect();
            let cost = turn.cost.map_or(before, |c| Tour::worth(question, c));
            Step::new(Kind::Visit, says)
                .data("node", order.join(" → "))
                .data("from", before)
                .data("cost", cost)
                .data("best", Tour::worth(question, turn.best))
        });
        if turn.best < best && turn.cost == Some(turn.best) {
            best = turn.best;
            recorder.step(|| {
                let says = WORDS.say("tour-better").with("cost", said(question, best));
                Step::new(Kind::Improve, says).data("value", Tour::worth(question, best))
            });
        }
        before = turn.cost.map_or(before, |c| Tour::worth(question, c));
    }
}
