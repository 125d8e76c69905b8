//! What the forms of the room say, and what is wrong with it.

use std::fmt::Write;

use axum::extract::Query;
use axum::http::Uri;
use maud::{Markup, html};
use wits_desk::Refusal;
use wits_transit::names::{Candidate, NoStop, resolve};
use wits_transit::{DAY, Date, Planner, Time, verbs};

use crate::pages::say;
use crate::told::told;
use crate::{Fault, WORDS};

/// The longest text of a field that is looked at.
const LONGEST: usize = 200;

/// The fields of a form, as typed.
#[derive(Clone, Default, Debug)]
pub(super) struct Asked(Vec<(String, String)>);

/// What is wrong with a form, shown where the answer would be.
#[derive(Clone, Debug)]
pub(super) enum Wrong {
    /// What is wrong, and what to do.
    Said(Refusal),
    /// A field that names no stop, and what may have been meant.
    Stop {
        /// The field.
        field: &'static str,
        /// What was typed there.
        typed: String,
        /// Names that come near.
        candidates: Vec<Candidate>,
        /// Whether several fit.
        several: bool,
    },
    /// A day on which nothing runs, and the nearest one with service.
    Day {
        /// What is wrong.
        said: Refusal,
        /// A day to offer.
        nearest: Option<Date>,
    },
    /// A link to a timetable that is not here.
    Gone,
}

/// Fields that say which timetable is asked about; every link carries them on.
const SOURCE: [&str; 2] = ["feed", "live"];

impl Wrong {
    /// A sentence of the library.
    pub(super) fn of(error: &impl std::fmt::Display) -> Wrong {
        Wrong::Said(verbs::refusal("transit", error))
    }

    /// What the store could not do.
    pub(super) fn store(error: wits_store::Error) -> Wrong {
        Wrong::of(&WORDS.say("store").with("detail", told(error)))
    }

    /// The sentence, with links to what may have been meant.
    pub(super) fn show(&self, path: &str, asked: &Asked) -> Markup {
        match self {
            Wrong::Said(refusal) => html! { p.error role="alert" { (sentence(refusal)) } },
            Wrong::Gone => html! {
                div.error #gone role="alert" { p { (say("transit-gone")) } p { (say("transit-gone-hint")) } }
            },
            Wrong::Day { said, nearest } => html! {
                div.error role="alert" {
                    p { (sentence(said)) }
                    @if let Some(day) = nearest {
                        @let day = day.to_string();
                        p { a.button #nearest href=(asked.again(path, &[("date", &day)])) { (WORDS.say("transit-nearest").with("date", day.clone())) } }
                    }
                }
            },
            Wrong::Stop {
                field,
                typed,
                candidates,
                several,
            } => html! {
                div.error role="alert" {
                    @let key = if *several { "transit-ambiguous" } else { "transit-unknown" };
                    p { (WORDS.say(key).with("typed", typed.clone())) }
                    @if candidates.is_empty() { p { (say("transit-unknown-hint")) } } @else {
                        p { (say("transit-did-you-mean")) }
                        ul.tr-candidates {
                            @for one in candidates {
                                li {
                                    a href=(asked.instead(path, field, typed, &one.name)) { (one.name) }
                                    " " span.muted { (about(one)) }
                                }
                            }
                        }
                    }
                }
            },
        }
    }
}

/// A refusal on a page, where hints about commands help nobody.
pub(super) fn sentence(refusal: &Refusal) -> String {
    let usual = wits_transit::thread::WORDS.say("usual-hint");
    if refusal.hint == usual {
        return told(&refusal.why);
    }
    told(refusal)
}

/// Where a stop is and which lines call there, in a few words.
pub(super) fn about(one: &Candidate) -> String {
    let mut text = lines_of(one).join(" ");
    let place = one.posts.first().and_then(|p| Some((p.lat?, p.lon?)));
    if let Some((lat, lon)) = place {
        let _ = write!(text, " ({lat:.4}, {lon:.4})");
    }
    text
}

/// The lines of all stops of a name, each once.
pub(super) fn lines_of(one: &Candidate) -> Vec<String> {
    let mut lines: Vec<String> = one.posts.iter().flat_map(|p| p.lines.clone()).collect();
    lines.sort_by_key(|line| (line.len(), line.clone()));
    lines.dedup();
    lines
}

impl Asked {
    /// The fields of an address.
    pub(super) fn of(uri: &Uri) -> Result<Asked, Fault> {
        let Query(pairs) = Query::<Vec<(String, String)>>::try_from_uri(uri)
            .map_err(|e| Fault::unreadable(e.to_string()))?;
        let pairs = pairs.into_iter().map(|(name, text)| {
            let text: String = text.trim().chars().take(LONGEST).collect();
            (name, text)
        });
        Ok(Asked(
            pairs
                .filter(|(_, text)| !text.is_empty())
                .take(64)
                .collect(),
        ))
    }

    /// A field that was filled in.
    pub(super) fn given(&self, name: &str) -> Option<&str> {
        self.all(name).next()
    }

    /// A field that may be there several times.
    pub(super) fn all<'a>(&'a self, name: &str) -> impl Iterator<Item = &'a str> {
        self.0
            .iter()
            .filter(move |f| f.0 == name)
            .map(|f| f.1.as_str())
    }

    /// The time that is asked about; eight in the morning if none is.
    pub(super) fn time(&self) -> Result<Time, Wrong> {
        self.given("at")
            .unwrap_or("08:00")
            .parse()
            .map_err(|e| Wrong::of(&e))
    }

    /// The day that is asked about, if any.
    pub(super) fn date(&self) -> Result<Option<Date>, Wrong> {
        self.given("date")
            .map(str::parse)
            .transpose()
            .map_err(|e| Wrong::of(&e))
    }

    /// The same question at a time of the day that is planned for. Before its midnight, and after the
    /// next, it is about another day, where days have dates.
    pub(super) fn at(&self, path: &str, keep: &[&str], planner: &Planner, at: Time) -> String {
        let clock = Time(at.0.rem_euclid(DAY)).to_string();
        let day = at.0.div_euclid(DAY);
        let date = planner.date().filter(|_| day != 0);
        let date = date.map(|date| Date(date.0 + day).to_string());
        let date = date.iter().map(|date| ("date", date.as_str()));
        let set: Vec<(&str, &str)> = [("at", clock.as_str())].into_iter().chain(date).collect();
        self.link(path, keep, &set)
    }

    /// A whole number within bounds.
    pub(super) fn number(
        &self,
        name: &'static str,
        usual: i32,
        least: i32,
        most: i32,
    ) -> Result<i32, Wrong> {
        let Some(text) = self.given(name) else {
            return Ok(usual);
        };
        let number = text.parse().ok().filter(|n| (least..=most).contains(n));
        number.ok_or_else(|| {
            let why = WORDS
                .say("transit-bad-number")
                .with("text", text.to_owned());
            Wrong::of(
                &why.with("least", i64::from(least))
                    .with("most", i64::from(most)),
            )
        })
    }

    /// The stops that a text of a field names.
    pub(super) fn stops_named(
        planner: &Planner,
        field: &'static str,
        typed: &str,
    ) -> Result<Vec<u32>, Wrong> {
        resolve(&planner.table, typed).map_err(|error| {
            let several = matches!(error, NoStop::Ambiguous { .. });
            let (NoStop::Unknown { asked, candidates } | NoStop::Ambiguous { asked, candidates }) =
                error;
            Wrong::Stop {
                field,
                typed: asked,
                candidates: candidates.into_iter().take(8).collect(),
                several,
            }
        })
    }

    /// The stops that a field names, if it was filled in.
    pub(super) fn stops(
        &self,
        planner: &Planner,
        field: &'static str,
    ) -> Result<Option<Vec<u32>>, Wrong> {
        self.given(field)
            .map(|typed| Asked::stops_named(planner, field, typed))
            .transpose()
    }

    /// An address with some of these fields, and others set.
    pub(super) fn link(&self, path: &str, keep: &[&str], set: &[(&str, &str)]) -> String {
        let kept = self
            .0
            .iter()
            .filter(|(name, _)| keep.contains(&name.as_str()) || SOURCE.contains(&name.as_str()))
            .filter(|(name, _)| !set.iter().any(|s| s.0 == name));
        let pairs = kept
            .map(|(name, text)| (name.as_str(), text.as_str()))
            .chain(set.iter().copied());
        // What is `live` here is a parameter of the verbs there.
        let verb = path.starts_with("/desk/");
        let called = |name| {
            if verb && name == "live" {
                "realtime"
            } else {
                name
            }
        };
        address(path, pairs.map(|(name, text)| (called(name), text)))
    }

    /// The same question with some fields set.
    pub(super) fn again(&self, path: &str, set: &[(&str, &str)]) -> String {
        let all: Vec<&str> = self.0.iter().map(|(name, _)| name.as_str()).collect();
        self.link(path, &all, set)
    }

    /// The same with a field set.
    #[must_use]
    pub(super) fn with(&self, name: &str, text: &str) -> Asked {
        let mut other = self.without(name);
        other.0.push((name.to_owned(), text.to_owned()));
        other
    }

    /// The same without a field.
    #[must_use]
    pub(super) fn without(&self, name: &str) -> Asked {
        let kept = self.0.iter().filter(|field| field.0 != name);
        Asked(kept.cloned().collect())
    }

    /// Fields of a form that say which timetable is asked about.
    pub(super) fn source(&self) -> Markup {
        self.carried(&SOURCE)
    }

    /// Fields that a form has no place for and passes on.
    pub(super) fn carried(&self, names: &[&str]) -> Markup {
        let fields = self.0.iter().filter(|f| names.contains(&f.0.as_str()));
        html! { @for (name, text) in fields { input type="hidden" name=(name) value=(text); } }
    }

    /// Fields of a form that asks a verb about the same timetable.
    pub(super) fn carried_to_verb(&self, names: &[&str]) -> Markup {
        html! {
            (self.carried(names))
            (self.carried(&SOURCE[..1]))
            @if let Some(live) = self.given(SOURCE[1]) { input type="hidden" name="realtime" value=(live); }
        }
    }

    /// The same address with one text of a field replaced.
    fn instead(&self, path: &str, field: &str, was: &str, now: &str) -> String {
        let pairs = self.0.iter().map(|(name, text)| {
            let hit = name == field && text == was;
            (name.as_str(), if hit { now } else { text.as_str() })
        });
        address(path, pairs)
    }
}

/// An address with fields.
pub(super) fn address<'a>(path: &str, pairs: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let mut address = path.to_owned();
    for (i, (name, text)) in pairs.enumerate() {
        address.push(if i == 0 { '?' } else { '&' });
        address.push_str(name);
        address.push('=');
        address.push_str(&encoded(text));
    }
    address
}

/// A text as it stands in an address.
pub(super) fn encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(query: &str) -> Asked {
        Asked::of(&format!("/transit?{query}").parse().unwrap()).unwrap()
    }

    #[test]
    fn fields_survive_the_way_through_an_address() {
        let one = asked("from=%C5%81%C4%85ka%20%26%20Brama&via=a&via=b%3Bc&empty=&at=%2025%3A61");
        assert_eq!(one.given("from"), Some("Łąka & Brama"));
        assert_eq!(one.all("via").collect::<Vec<_>>(), ["a", "b;c"]);
        assert_eq!(one.given("empty"), None);
        assert!(one.time().is_err());
        let again = one.link("/transit", &["from", "via"], &[("at", "07:00")]);
        let again = asked(again.split_once('?').unwrap().1);
        assert_eq!(again.given("from"), Some("Łąka & Brama"));
        assert_eq!(again.all("via").count(), 2);
        assert_eq!(again.time().unwrap(), Time::hm(7, 0));
        let other = one.instead("/transit", "via", "a", "x");
        assert!(other.contains("via=x&via=b%3Bc"), "{other}");
        // Whichever fields are kept, the timetable is.
        let shared = one.with("feed", "t-1").link("/transit/board", &["at"], &[]);
        assert!(shared.contains("feed=t-1"), "{shared}");
        let asked = one
            .with("live", "r-1")
            .link("/desk/transit/route", &[], &[]);
        assert_eq!(asked, "/desk/transit/route?realtime=r-1");
    }

    #[test]
    fn numbers_have_bounds() {
        assert_eq!(asked("").number("minutes", 30, 5, 120).unwrap(), 30);
        assert_eq!(
            asked("minutes=45").number("minutes", 30, 5, 120).unwrap(),
            45
        );
        for bad in ["minutes=4", "minutes=121", "minutes=soon", "minutes=9e9"] {
            assert!(asked(bad).number("minutes", 30, 5, 120).is_err(), "{bad}");
        }
    }
}
