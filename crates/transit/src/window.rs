//! Journeys over a window of time: not only the next one, but those after it, as a timetable shows
//! them.

use crate::ask::Objective;
use crate::planner::Planner;
use crate::route::{Answer, CannotAsk, Question, Searches};
use crate::time::Time;
use crate::view::{Journey, minutes};

/// No window is asked more often than this; every question finds at least one journey.
const MOST_ASKED: usize = 40;

impl Planner {
    /// The best journeys of every departure from the asked time until so many minutes later (for
    /// "arrive by": of every arrival so many minutes before it), in the order of departure, at
    /// most `most`.
    ///
    /// Each question is asked again a second after the first departure that was found (for
    /// "arrive by" a second before the last arrival), until the window is over. A journey that
    /// leaves no later, arrives no earlier and changes no less often than another, by the minute, is
    /// left out. For the shortest way and for vehicles alone, where time hardly counts, it is the one
    /// answer.
    pub fn journeys_over(
        &self,
        question: &Question,
        window: i32,
        most: usize,
        searches: &mut Searches,
    ) -> Result<Answer, CannotAsk> {
        let mut answer = self.route_followed(question, searches, &mut ())?;
        let mut found = std::mem::take(&mut answer.journeys);
        let mut last: Vec<Journey> = found.clone();
        let once = matches!(question.by, Objective::Distance | Objective::TransfersOnly);
        for _ in 0..if once { 0 } else { MOST_ASKED } {
            let rides = |j: &&Journey| j.vehicles > 0;
            let next = if question.arrive_by {
                let arrivals = last.iter().filter(rides).map(|j| j.arrival.0 - 1);
                arrivals.max().filter(|&t| t >= question.at.0 - window * 60)
            } else {
                let departures = last.iter().filter(rides).map(|j| j.departure.0 + 1);
                departures
                    .min()
                    .filter(|&t| t <= question.at.0 + window * 60)
            };
            let enough = found.iter().filter(rides).count() >= most;
            let Some(at) = next.filter(|_| !enough && !self.stopped()) else {
                break;
            };
            let again = Question {
                at: Time(at),
                ..question.clone()
            };
            let more = self.route_followed(&again, searches, &mut ())?;
            answer.settled += more.settled;
            last = more.journeys;
            for journey in &last {
                if journey.vehicles > 0 && !found.iter().any(|known| known.legs == journey.legs) {
                    found.push(journey.clone());
                }
            }
        }
        let by = question.by;
        if !question.arrive_by {
            // Later questions were asked later; the passenger asked once.
            for journey in &mut found {
                let total = minutes(journey.arrival.0 - question.at.0);
                journey.cost += f64::from(total - journey.total_minutes);
                journey.total_minutes = total;
            }
        }
        let kept = found
            .iter()
            .filter(|one| !found.iter().any(|o| beats(by, o, one)));
        let mut kept: Vec<Journey> = kept.cloned().collect();
        kept.sort_by_key(|j| (j.departure, j.arrival, j.vehicles));
        // Of journeys that nothing tells apart the first that was found is enough.
        kept.dedup_by(|b, a| counts(by, a) == counts(by, b));
        // Whoever must be there by a time wants the last ones.
        let extra = kept.len().saturating_sub(most);
        if question.arrive_by {
            kept.drain(..extra);
        }
        kept.truncate(most);
        answer.alerts = self.alerts_of(&kept).into_iter().cloned().collect();
        answer.journeys = kept;
        Ok(answer)
    }
}

/// What counts of a journey, less being better: to leave late, to arrive early, few vehicles, and
/// the way on foot where it counts. Times count by the minute, as they are shown: nobody changes
/// once more to be there some seconds sooner.
fn counts(by: Objective, j: &Journey) -> (i32, i32, usize, u64) {
    let walks = by == Objective::ParetoWalking;
    let walked = if walks { j.walk_metres } else { 0 };
    let minute = |time: Time| time.0.div_euclid(60);
    (-minute(j.departure), minute(j.arrival), j.vehicles, walked)
}

/// Whether a journey is at least as good as another in everything that counts, and better in
/// something.
fn beats(by: Objective, a: &Journey, b: &Journey) -> bool {
    let (a, b) = (counts(by, a), counts(by, b));
    a != b && a.0 <= b.0 && a.1 <= b.1 && a.2 <= b.2 && a.3 <= b.3
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::{
        CityPlan, Journey, Objective, Planner, Question, Searches, Time, Walking, generate, names,
    };

    #[test]
    fn a_window_holds_every_departure_that_the_profile_has() {
        let city = Arc::new(generate(&CityPlan::default()));
        let planner = Planner::new(city, Walking::Real, None).unwrap();
        let mut compared = 0;
        for (from, to) in planner.typical_pairs(Time::hm(8, 0), 6) {
            let stops = |name: &str| names::resolve(&planner.table, name).unwrap();
            let (from, to) = (stops(&from), stops(&to));
            let question = Question {
                by: Objective::Pareto,
                ..Question::new(from.clone(), to.clone(), Time::hm(8, 0))
            };
            let mut searches = Searches::default();
            let told = planner
                .journeys_over(&question, 60, 100, &mut searches)
                .unwrap()
                .journeys;
            // In order, and no two that look alike.
            assert!(told.is_sorted_by_key(|j| (j.departure, j.arrival, j.vehicles)));
            let minute = |time: Time| time.0.div_euclid(60);
            let shown = |j: &Journey| (minute(j.departure), minute(j.arrival));
            assert!(
                told.windows(2).all(|w| shown(&w[0]) != shown(&w[1])),
                "{told:?}"
            );
            let day = planner.profile(&from, &to).departures;
            let window = Time::hm(8, 0)..=Time::hm(9, 0);
            for one in day.iter().filter(|d| window.contains(&d.departure)) {
                let there = told.iter().any(|j| {
                    minute(j.departure) >= minute(one.departure)
                        && minute(j.arrival) <= minute(one.arrival)
                });
                assert!(there, "{one:?} is missing");
                compared += 1;
            }
            let by = Question {
                arrive_by: true,
                at: Time::hm(9, 30),
                ..question
            };
            let back = planner.journeys_over(&by, 60, 4, &mut searches).unwrap();
            assert!(back.journeys.len() <= 4);
            assert!(back.journeys.iter().all(|j| j.arrival <= Time::hm(9, 30)));
        }
        assert!(compared > 20, "{compared}");
    }

    #[test]
    fn nobody_changes_once_more_to_be_there_some_seconds_sooner() {
        let city = Arc::new(generate(&CityPlan::default()));
        let planner = Planner::new(city, Walking::Real, None).unwrap();
        let (from, to) = planner.typical_pairs(Time::hm(8, 0), 1).remove(0);
        let stops = |name: &str| names::resolve(&planner.table, name).unwrap();
        let question = Question::new(stops(&from), stops(&to), Time::hm(8, 0));
        let found = planner.route(&question).unwrap().journeys.remove(0);
        let late = Journey {
            arrival: Time(found.arrival.0.div_euclid(60) * 60 + 59),
            ..found
        };
        let sooner = Journey {
            arrival: Time(late.arrival.0 - 59),
            vehicles: late.vehicles + 1,
            ..late.clone()
        };
        assert!(super::beats(Objective::Pareto, &late, &sooner));
        let minute = Journey {
            arrival: Time(sooner.arrival.0 - 1),
            ..sooner
        };
        assert!(!super::beats(Objective::Pareto, &late, &minute));
    }
}
