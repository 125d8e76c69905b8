//! Times of a service day and dates of a calendar.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Seconds in a day.
pub const DAY: i32 = 86_400;

/// "Never", with room to add a walk without overflow.
pub const NEVER: i32 = i32::MAX / 4;

/// A time in seconds since midnight of the asked day; beyond 24:00 it is the next day.
///
/// ```
/// use wits_transit::Time;
/// let late: Time = "23:50".parse().unwrap();
/// assert_eq!(Time(late.0 + 1200).to_string(), "00:10 +1");
/// assert!("25:61".parse::<Time>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Time(pub i32);

/// Text that is no time of day.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a time; write hours and minutes like `12:34` (hours 0 to 47, minutes 0 to 59)"
)]
pub struct NotATime(pub String);

impl Time {
    /// The time `hours`:`minutes` of the asked day.
    pub const fn hm(hours: i32, minutes: i32) -> Time {
        Time(hours * 3600 + minutes * 60)
    }
}

impl FromStr for Time {
    type Err = NotATime;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || NotATime(text.to_owned());
        let (clock, days) = match text.trim().split_once('+') {
            Some((clock, days)) => (clock.trim(), days.parse::<i32>().map_err(|_| wrong())?),
            None => (text.trim(), 0),
        };
        let seconds = clock_seconds(clock.as_bytes()).ok_or_else(wrong)?;
        if seconds >= 2 * DAY || !(0..=30).contains(&days) {
            return Err(wrong());
        }
        Ok(Time(seconds + days * DAY))
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let day = self.0.div_euclid(DAY);
        let minute = self.0.rem_euclid(DAY) / 60;
        write!(f, "{:02}:{:02}", minute / 60, minute % 60)?;
        if day == 0 {
            Ok(())
        } else {
            write!(f, " {day:+}")
        }
    }
}

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

/// Seconds of `H:MM`, `HH:MM` or `HH:MM:SS`; hours may pass 24, as in GTFS.
pub(crate) fn clock_seconds(text: &[u8]) -> Option<i32> {
    let digit = |b: u8| b.is_ascii_digit().then(|| i32::from(b - b'0'));
    let two = |a: u8, b: u8| Some(digit(a)? * 10 + digit(b)?);
    let (hours, rest) = match text {
        [a, b':', rest @ ..] => (digit(*a)?, rest),
        [a, b, b':', rest @ ..] => (two(*a, *b)?, rest),
        [a, b, c, b':', rest @ ..] => (digit(*a)? * 100 + two(*b, *c)?, rest),
        _ => return None,
    };
    let (minutes, seconds) = match rest {
        [a, b] => (two(*a, *b)?, 0),
        [a, b, b':', c, d] => (two(*a, *b)?, two(*c, *d)?),
        _ => return None,
    };
    (minutes < 60 && seconds < 60).then_some(hours * 3600 + minutes * 60 + seconds)
}

/// A day of the (Gregorian) calendar, counted from 1970-01-01.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Date(pub i32);

/// Text that is no date.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a date; write it like `2024-04-22`")]
pub struct NotADate(pub String);

impl Date {
    /// The date of a year, month (1 to 12) and day, if there is such a day.
    pub fn new(year: i32, month: i32, day: i32) -> Option<Date> {
        if !(1..=12).contains(&month) || !(1..=31).contains(&day) || !(0..=9999).contains(&year) {
            return None;
        }
        // Days from civil: years start in March, so that the leap day comes last.
        let (y, m) = if month > 2 {
            (year, month - 3)
        } else {
            (year - 1, month + 9)
        };
        let era = y.div_euclid(400);
        let of_era = y.rem_euclid(400);
        let of_year = (153 * m + 2) / 5 + day - 1;
        let date =
            Date(era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468);
        (date.civil() == (year, month, day)).then_some(date)
    }

    /// Year, month and day.
    pub fn civil(self) -> (i32, i32, i32) {
        let z = self.0 + 719_468;
        let era = z.div_euclid(146_097);
        let of_era = z.rem_euclid(146_097);
        let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year + year / 4 - year / 100);
        let m = (5 * of_year + 2) / 153;
        let day = of_year - (153 * m + 2) / 5 + 1;
        let month = if m < 10 { m + 3 } else { m - 9 };
        (year + era * 400 + i32::from(month <= 2), month, day)
    }

    /// Day of the week, Monday = 0.
    pub fn weekday(self) -> usize {
        (self.0 + 3).rem_euclid(7) as usize
    }

    /// The compact form of GTFS, `20240422`.
    pub(crate) fn compact(text: &[u8]) -> Option<Date> {
        if text.len() != 8 || !text.iter().all(u8::is_ascii_digit) {
            return None;
        }
        let number = text.iter().fold(0, |n, b| n * 10 + i32::from(b - b'0'));
        Date::new(number / 10_000, number / 100 % 100, number % 100)
    }
}

impl FromStr for Date {
    type Err = NotADate;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let compact: Vec<u8> = text.trim().bytes().filter(|b| *b != b'-').collect();
        Date::compact(&compact).ok_or_else(|| NotADate(text.to_owned()))
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (y, m, d) = self.civil();
        write!(f, "{y:04}-{m:02}-{d:02}")
    }
}

impl<'de> Deserialize<'de> for Date {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Date, D::Error> {
        let text = <std::borrow::Cow<'_, str>>::deserialize(from)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

impl Serialize for Date {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_read_and_write() {
        for text in ["00:00", "04:36", "23:59", "00:10 +1", "12:34 +3"] {
            assert_eq!(text.parse::<Time>().unwrap().to_string(), text);
        }
        assert_eq!("25:10".parse::<Time>().unwrap(), Time::hm(25, 10));
        assert_eq!("7:05:30".parse::<Time>().unwrap().0, 7 * 3600 + 330);
        for bad in [
            "", "25:61", "48:00", "12", "12:3", "ab:cd", "-1:00", "12:34:99", "1:00 +x",
        ] {
            assert!(bad.parse::<Time>().is_err(), "{bad}");
        }
    }

    #[test]
    fn dates_go_both_ways_for_four_centuries() {
        for n in -60_000..90_000 {
            let (y, m, d) = Date(n).civil();
            assert_eq!(Date::new(y, m, d), Some(Date(n)));
        }
        assert_eq!("2024-04-22".parse::<Date>().unwrap().weekday(), 0);
        assert!("2023-02-29".parse::<Date>().is_err());
    }
}
