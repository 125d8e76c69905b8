//! Answers with their certificates.

use serde::Serialize;

use crate::algo::Price;
use crate::ask::Objective;
use crate::certificate::departures::{self, Departures, Leaving};
use crate::certificate::{Best, Certificate, Flaw, certify, check, rides};
use crate::journey::{Ends, Trail};
use crate::planner::{DAYS, MANY_DAYS, Planner, unmirrored};
use crate::reach::{DayProfile, Isochrone};
use crate::route::{Answer, CannotAsk, Question, Searches};
use crate::time::{NEVER, Time};

/// A certificate of either kind.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(untagged)]
pub enum Proof {
    /// Of journeys at one time.
    Journeys(Certificate),
    /// Of a profile or an isochrone.
    Departures(Departures),
}

impl Proof {
    /// Reads JSON; only certificates of many departures say when one is `leaving`.
    pub fn read(text: &str) -> Result<Proof, serde_json::Error> {
        let value: serde_json::Value = serde_json::from_str(text)?;
        if value.get("leaving").is_some() {
            return serde_json::from_value(value).map(Proof::Departures);
        }
        serde_json::from_value(value).map(Proof::Journeys)
    }

    /// How many journeys are proved best, and how many claims that takes.
    pub fn size(&self) -> (usize, usize) {
        match self {
            Proof::Journeys(c) => (c.answers.len(), c.claims.iter().map(Vec::len).sum()),
            Proof::Departures(c) => (c.answers.len(), c.claims.iter().map(Vec::len).sum()),
        }
    }
}

/// What is counted for an objective, and in which sense its answer is best.
fn sense(by: Objective) -> (Price, Best) {
    match by {
        Objective::Time => (Price::Vehicles, Best::Arrival),
        Objective::Transfers => (Price::Vehicles, Best::Price),
        Objective::TransfersOnly => (Price::Vehicles, Best::Least),
        Objective::Distance => (Price::Centimetres, Best::Price),
        Objective::Weighted(m) => (Price::Vehicles, Best::Sum(i64::from(m) * 60)),
        Objective::Pareto => (Price::Vehicles, Best::Both),
        Objective::ParetoWalking => (Price::Vehicles, Best::All),
    }
}

impl Planner {
    /// The answer of a search, and a certificate about the very journeys of that answer (or about
    /// there being none). A search that went wrong gets one that does not hold.
    pub fn prove(
        &self,
        question: &Question,
        searches: &mut Searches,
    ) -> Result<(Answer, Certificate), CannotAsk> {
        let (layer, found) = self.found(question, searches, &mut ())?;
        let (price, best) = sense(question.by);
        let certificate = if question.arrive_by {
            let mirror = &layer.mirror().day;
            let shown = found.0.iter().map(|(ends, trail)| Trail {
                arrival: mirror.flip(trail.departure(&layer.day, ends)),
                ..unmirrored(&layer.day, trail)
            });
            let shown: Vec<Trail> = shown.collect();
            let at = mirror.flip(question.at.0);
            let ends = Ends::new(mirror, &question.to, &question.from, at);
            certify(mirror, &ends, price, best, &shown)
        } else {
            let shown: Vec<Trail> = found.0.iter().map(|f| f.1.clone()).collect();
            let ends = Ends::new(&layer.day, &question.from, &question.to, question.at.0);
            certify(&layer.day, &ends, price, best, &shown)
        };
        Ok((self.answer(layer, question, found), certificate))
    }

    /// The profile of a day, and a certificate about its departures and those of the day after,
    /// which may beat late ones.
    pub fn prove_profile(&self, from: &[u32], to: &[u32]) -> (DayProfile, Departures) {
        let (foot, found) = self.departures(from, to, NEVER);
        let way = |(departure, trail): &(i32, Trail)| {
            let goal = to.first().copied().unwrap_or(u32::MAX);
            (goal, *departure, trail.arrival, rides(trail))
        };
        let answers = found.iter().map(way).collect();
        let proof = self.certified(from, to, Leaving::Any, answers);
        (DayProfile::new(foot, &found), proof)
    }

    /// An isochrone, and a certificate about every stop and every departure of the window.
    pub fn prove_isochrone(
        &self,
        from: &[u32],
        at: Time,
        within: i32,
        window: i32,
    ) -> (Isochrone, Departures) {
        let day = self.day();
        let mut foot = vec![NEVER; day.stops];
        for &(stop, seconds, _) in &Ends::new(day, from, &[], at.0).access {
            foot[stop as usize] = seconds;
        }
        // The last departure comes first: an earlier one tells something new only where it is
        // there earlier.
        let mut best = vec![NEVER; day.stops];
        let mut answers = Vec::new();
        let told = self.isochrone_followed(from, at, within, window, |start, scan| {
            for (stop, &time) in (0u32..).zip(scan.there()) {
                let s = stop as usize;
                if time < best[s] && time - start < foot[s] && time - start <= within * 60 {
                    best[s] = time;
                    let trail = scan.trail(day, &Ends::new(day, from, &[stop], start));
                    let rides = trail.as_ref().map(rides).unwrap_or_default();
                    answers.push((stop, start, time, rides));
                }
            }
        });
        answers.sort_unstable_by_key(|a| (a.0, a.1));
        let leaving = Leaving::Minutes {
            at: at.0,
            window: window.max(0),
            within,
        };
        (told, self.certified(from, &[], leaving, answers))
    }

    fn certified(
        &self,
        from: &[u32],
        to: &[u32],
        leaving: Leaving,
        answers: Vec<departures::Way>,
    ) -> Departures {
        let asked = Departures {
            from: from.to_vec(),
            to: to.to_vec(),
            leaving,
            days: DAYS,
            claims: Vec::new(),
            answers,
        };
        departures::certify(self.day(), &self.layer().mirror().day, asked)
    }

    /// Checks a certificate of either kind.
    pub fn verify_proof(&self, proof: &Proof) -> Result<(), Flaw> {
        match proof {
            Proof::Journeys(certificate) => self.verify(certificate),
            Proof::Departures(departures) => departures::check(self.day(), departures),
        }
    }

    /// Checks a certificate on the day it is about.
    pub fn verify(&self, certificate: &Certificate) -> Result<(), Flaw> {
        let layer = match certificate.days {
            DAYS => self.layer(),
            MANY_DAYS => self.week(),
            _ => return Err(Flaw::Shape),
        };
        if certificate.mirrored {
            return check(&layer.mirror().day, certificate);
        }
        check(&layer.day, certificate)
    }
}
