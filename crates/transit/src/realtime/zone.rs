//! The feed's time zone: where its days begin, in seconds since 1970.

use jiff::civil;
use jiff::tz::TimeZone;

use super::clamp;
use crate::time::Date;
use crate::timetable::Timetable;

/// A time zone. Its rules are compiled into the program; no file is opened.
pub(super) struct Zone(TimeZone);

impl Zone {
    /// That of a timetable, where it names one that exists.
    pub(super) fn of(table: &Timetable) -> Option<Zone> {
        TimeZone::get(&table.zone).ok().map(Zone)
    }

    /// When a service day begins: noon less twelve hours, as GTFS counts, so that days on which
    /// clocks are changed are as long as others.
    pub(super) fn midnight(&self, date: Date) -> Option<i64> {
        let (year, month, day) = date.civil();
        let noon = civil::Date::new(year as i16, month as i8, day as i8).ok()?;
        let noon = self.0.to_timestamp(noon.at(12, 0, 0, 0)).ok()?;
        Some(noon.as_second() - 12 * 3600)
    }

    /// How late a moment is for a planned time of a service day. Where nobody says which day it
    /// is, it is the one on which the vehicle is most nearly on time.
    pub(super) fn late(&self, moment: i64, planned: i32, date: Option<Date>) -> Option<i32> {
        let late = |date| Some(moment - self.midnight(date)? - i64::from(planned));
        if let Some(date) = date {
            return late(date).map(clamp);
        }
        let near = Date((moment.div_euclid(86_400)).try_into().ok()?);
        let days = (near.0 - 3..=near.0 + 1).map(Date);
        days.filter_map(late).min_by_key(|l| l.abs()).map(clamp)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calendar::Calendar;
    use crate::geo::Projection;
    use crate::timetable::Builder;

    #[test]
    fn days_begin_twelve_hours_before_noon_also_when_clocks_change() {
        let mut builder = Builder::new("", Calendar::EveryDay);
        builder.zone("Europe/Warsaw");
        let zone = Zone::of(&builder.finish(Projection::default())).unwrap();
        let day = |text: &str| text.parse::<Date>().unwrap();
        // Midnight of 22 April 2024 in Warsaw is 22:00 of the day before in Greenwich.
        let monday = zone.midnight(day("2024-04-22")).unwrap();
        assert_eq!(monday, 1_713_736_800);
        // On 31 March 2024 clocks went forward at 2:00: noon less twelve hours is 23:00 the day before.
        let spring = zone.midnight(day("2024-03-31")).unwrap();
        assert_eq!(spring - zone.midnight(day("2024-03-30")).unwrap(), 82_800);
        assert_eq!(zone.late(monday + 8 * 3600 + 90, 8 * 3600, None), Some(90));
        // A night tram of the day before, after midnight.
        let night = monday + 600;
        assert_eq!(zone.late(night, 86_400 + 540, None), Some(60));
    }
}
