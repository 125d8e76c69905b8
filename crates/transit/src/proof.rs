//! Answers with their certificates.

use crate::algo::Price;
use crate::ask::Objective;
use crate::certificate::{Best, Certificate, Flaw, certify, check};
use crate::journey::{Ends, Trail};
use crate::planner::{DAYS, MANY_DAYS, Planner, unmirrored};
use crate::route::{Answer, CannotAsk, Question, Searches};

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
