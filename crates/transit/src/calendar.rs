//! On which days which services run.

use serde::Serialize;

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
        let count = |date: Date| -> u32 {
            services
                .iter()
                .zip(trips)
                .filter(|(s, _)| s.runs(date))
                .map(|(_, n)| n)
                .sum()
        };
        let days: Vec<(Date, u32)> = (first.0..=last.0)
            .map(|n| (Date(n), count(Date(n))))
            .filter(|d| d.1 > 0)
            .collect();
        let working = |d: &&(Date, u32)| d.0.weekday() < 5;
        let most = days.iter().filter(working).map(|d| d.1).max();
        match most {
            Some(most) => Ok(days
                .iter()
                .filter(working)
                .find(|d| u64::from(d.1) * 100 >= u64::from(most) * 95)
                .map(|d| d.0)),
            None => days.first().map(|d| Some(d.0)).ok_or(NoService::Ever),
        }
    }
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
        assert_eq!(
            Calendar::Dated(vec![]).first_full_weekday(&[]),
            Err(NoService::Ever)
        );
    }
}
