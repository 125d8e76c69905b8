//! On which days which services run.

use serde::Serialize;

use crate::limits::Halt;
use crate::time::Date;

/// One service: a set of days on which its trips run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Service {
    /// The feed's name for it.
    pub id: String,
    /// Bit 0 is Monday.
    pub weekdays: u8,
    /// First and last day of the weekly pattern, if there is one.
    pub span: Option<(Date, Date)>,
    /// Days added to the pattern, sorted.
    pub added: Vec<Date>,
    /// Days taken out of the pattern, sorted.
    pub removed: Vec<Date>,
}

impl Service {
    /// Whether the service runs on a day.
    pub fn runs(&self, date: Date) -> bool {
        if self.added.binary_search(&date).is_ok() {
            return true;
        }
        self.span
            .is_some_and(|(first, last)| (first..=last).contains(&date))
            && self.weekdays >> date.weekday() & 1 == 1
            && self.removed.binary_search(&date).is_err()
    }

    /// First and last day on which it could run.
    fn bounds(&self) -> Option<(Date, Date)> {
        let span = self.span.filter(|_| self.weekdays != 0);
        let first = span
            .map(|s| s.0)
            .into_iter()
            .chain(self.added.first().copied())
            .min()?;
        let last = span
            .map(|s| s.1)
            .into_iter()
            .chain(self.added.last().copied())
            .max()?;
        Some((first, last))
    }
}

/// When the services of a timetable run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Calendar {
    /// Every day is alike and has no date, as in the report's file.
    EveryDay,
    /// Services by date.
    Dated(Vec<Service>),
}

/// A feed without a day of service, or a day outside of it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize)]
pub enum NoService {
    /// The asked day has no trips.
    #[error("nothing runs on {date}; the feed covers {first} to {last}")]
    Day {
        /// The asked day.
        date: Date,
        /// First day of the feed.
        first: Date,
        /// Last day of the feed.
        last: Date,
    },
    /// No day has any.
    #[error("no service of this feed runs on any day; run `wits transit check` on it")]
    Ever,
    /// Planning needs more than the limits allow, or the time is up.
    #[error(transparent)]
    Halt(#[from] Halt),
}

impl Calendar {
    /// Whether a service runs on a day (always, where days have no date).
    pub fn runs(&self, service: u32, date: Option<Date>) -> bool {
        match (self, date) {
            (Calendar::Dated(services), Some(date)) => {
                services.get(service as usize).is_some_and(|s| s.runs(date))
            }
            _ => true,
        }
    }

    /// First and last day with service, where days have dates.
    pub fn bounds(&self) -> Option<(Date, Date)> {
        let Calendar::Dated(services) = self else {
            return None;
        };
        let all = || services.iter().filter_map(Service::bounds);
        Some((all().map(|b| b.0).min()?, all().map(|b| b.1).max()?))
    }

    /// The day with service that is nearest to a date, of two the later one.
    pub fn nearest(&self, date: Date, trips: &[u32]) -> Option<Date> {
        let Calendar::Dated(services) = self else {
            return None;
        };
        let (first, last) = self.bounds()?;
        let first = first.max(Date(last.0 - 4000));
        let days = (first.0..)
            .map(Date)
            .zip(trips_by_day(services, trips, first, last));
        days.filter(|d| d.1 > 0)
            .map(|d| d.0)
            .min_by_key(|day| (day.0.abs_diff(date.0), std::cmp::Reverse(*day)))
    }

    /// The first Monday to Friday with full service: at least 95 % of the trips of the fullest
    /// such day, so that a holiday is not taken for the rule. A feed
    /// that only runs at weekends gives its first day. `trips` are the trips per service.
    pub fn first_full_weekday(&self, trips: &[u32]) -> Result<Option<Date>, NoService> {
        let Calendar::Dated(services) = self else {
            return Ok(None);
        };
        let (first, last) = self.bounds().ok_or(NoService::Ever)?;
        // A feed may carry stray services years away; a decade of days is quickly counted.
        let first = first.max(Date(last.0 - 4000));
        let days: Vec<(Date, u64)> = (first.0..)
            .map(Date)
            .zip(trips_by_day(services, trips, first, last))
            .filter(|d| d.1 > 0)
            .collect();
        let working = |d: &&(Date, u64)| d.0.weekday() < 5;
        let most = days.iter().filter(working).map(|d| d.1).max();
        match most {
            Some(most) => Ok(days
                .iter()
                .filter(working)
                .find(|d| d.1 * 100 >= most * 95)
                .map(|d| d.0)),
            None => days.first().map(|d| Some(d.0)).ok_or(NoService::Ever),
        }
    }
}

/// Trips that run on each day from the first to the last. Services that run each week add to
/// sums, so that the cost is that of the services plus that of the days, not their product.
fn trips_by_day(services: &[Service], trips: &[u32], first: Date, last: Date) -> Vec<u64> {
    let len = (last.0 - first.0 + 1).max(0) as usize;
    let at = |date: Date| (date.0 - first.0).clamp(0, len as i32) as usize;
    // By day of the week, where weekly services begin and end.
    let mut steps = vec![[0i64; 7]; len + 1];
    let mut exceptions = vec![0i64; len + 1];
    for (service, &n) in services.iter().zip(trips).filter(|s| *s.1 > 0) {
        let n = i64::from(n);
        if let Some((from, until)) = service.span.filter(|s| s.0 <= s.1) {
            for day in (0..7).filter(|day| service.weekdays >> day & 1 == 1) {
                steps[at(from)][day] += n;
                steps[at(Date(until.0 + 1))][day] -= n;
            }
        }
        let weekly = |date: Date| {
            service.span.is_some_and(|s| s.0 <= date && date <= s.1)
                && service.weekdays >> date.weekday() & 1 == 1
        };
        let distinct = |dates: &[Date]| -> Vec<Date> {
            let mut dates: Vec<Date> = dates
                .iter()
                .copied()
                .filter(|&d| first <= d && d <= last)
                .collect();
            dates.dedup();
            dates
        };
        for date in distinct(&service.added) {
            exceptions[at(date)] += if weekly(date) { 0 } else { n };
        }
        for date in distinct(&service.removed) {
            let runs_anyway = service.added.binary_search(&date).is_ok();
            exceptions[at(date)] -= if weekly(date) && !runs_anyway { n } else { 0 };
        }
    }
    let mut weekly = [0i64; 7];
    (0..len)
        .map(|day| {
            for (sum, step) in weekly.iter_mut().zip(steps[day]) {
                *sum += step;
            }
            let date = Date(first.0 + day as i32);
            (weekly[date.weekday()] + exceptions[day]).max(0) as u64
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exceptions_beat_the_pattern() {
        let day = |s: &str| s.parse::<Date>().unwrap();
        let service = Service {
            id: "WD".into(),
            weekdays: 0b11111,
            span: Some((day("2024-04-22"), day("2024-04-30"))),
            added: vec![day("2024-05-04")],
            removed: vec![day("2024-04-23")],
        };
        assert!(service.runs(day("2024-04-22")));
        assert!(!service.runs(day("2024-04-23")));
        assert!(!service.runs(day("2024-04-27")));
        assert!(service.runs(day("2024-05-04")));
        let calendar = Calendar::Dated(vec![service]);
        assert_eq!(
            calendar.bounds(),
            Some((day("2024-04-22"), day("2024-05-04")))
        );
        assert_eq!(
            calendar.first_full_weekday(&[5]),
            Ok(Some(day("2024-04-22")))
        );
        let near = |text: &str| calendar.nearest(day(text), &[5]).unwrap().to_string();
        assert_eq!(near("2031-01-01"), "2024-05-04");
        assert_eq!(near("1999-01-01"), "2024-04-22");
        assert_eq!(near("2024-04-23"), "2024-04-24");
        assert_eq!(
            Calendar::Dated(vec![]).first_full_weekday(&[]),
            Err(NoService::Ever)
        );
    }

    #[test]
    fn trips_are_counted_day_by_day_as_services_say() {
        use wits_game::{Dice, Seed};
        let mut dice = Dice::new(Seed::new(7));
        for _ in 0..200 {
            let dates = |dice: &mut Dice| {
                let mut dates: Vec<Date> = (0..dice.below(6))
                    .map(|_| Date(1000 + dice.below(60) as i32))
                    .collect();
                dates.sort_unstable();
                dates
            };
            let services: Vec<Service> = (0..dice.below(5))
                .map(|_| Service {
                    id: String::new(),
                    weekdays: dice.below(128) as u8,
                    span: (dice.below(4) > 0).then(|| {
                        let from = 990 + dice.below(60) as i32;
                        (Date(from), Date(from + dice.below(40) as i32))
                    }),
                    added: dates(&mut dice),
                    removed: dates(&mut dice),
                })
                .collect();
            let trips: Vec<u32> = services.iter().map(|_| dice.below(9) as u32).collect();
            let (first, last) = (Date(1000), Date(1050));
            let slow: Vec<u64> = (first.0..=last.0)
                .map(|day| {
                    let runs = |s: &Service| s.runs(Date(day));
                    let all = services.iter().zip(&trips);
                    all.filter(|(s, _)| runs(s))
                        .map(|(_, n)| u64::from(*n))
                        .sum()
                })
                .collect();
            assert_eq!(trips_by_day(&services, &trips, first, last), slow);
        }
    }
}
