//! Journeys and studies as text for people.

use std::fmt::Write;

use wits_transit::algo::Price;
use wits_transit::certificate::departures::{Departures, Leaving};
use wits_transit::certificate::{Best, Certificate, Flaw};
use wits_transit::{Algorithm, Description, Ends, Graph, Journey, Planner, Proof, Speeds, Time};

/// A journey with its summary: line, times, stops.
pub(super) fn journey(one: &Journey, full: bool) -> String {
    let mut text = format!(
        "{} → {}  {} min ({} from the asked time), {} vehicles, {} transfers, {:.3} km, cost {:.3}",
        one.departure,
        one.arrival,
        one.minutes,
        one.total_minutes,
        one.vehicles,
        one.transfers,
        one.km,
        one.cost
    );
    if let Some(buffer) = one.buffer {
        let _ = write!(text, ", {buffer} min to spare");
    }
    text.push('\n');
    text + &ride_list(one, full)
}

/// The rides and walks of a journey, with every stop on the way if wanted.
pub(super) fn ride_list(one: &Journey, full: bool) -> String {
    let mut text = String::new();
    for leg in &one.legs {
        let towards = if leg.towards.is_empty() {
            String::new()
        } else {
            format!(" (towards {})", leg.towards)
        };
        let _ = writeln!(
            text,
            "  {:<6} {} {} → {} {}{towards}",
            leg.line, leg.departure, leg.from, leg.arrival, leg.to
        );
        let inner = leg.stops.len().saturating_sub(1);
        for call in leg.stops.iter().take(inner).skip(1).filter(|_| full) {
            let _ = writeln!(text, "         {}   {}", call.departure, call.name);
        }
    }
    text
}

/// The report's data analysis.
pub(super) fn description(told: &Description) -> String {
    let mut text = told.title.clone();
    if let Some(date) = told.date {
        let _ = write!(text, ", {date}");
    }
    let _ = writeln!(
        text,
        "\n{} stops ({} names), {} lines, {} trips\n{} hops, {} on the day, {} of them take no time; {} stops without service",
        told.stops,
        told.names,
        told.lines,
        told.trips,
        told.connections,
        told.connections_of_day,
        told.instant_hops,
        told.stops_without_service
    );
    if let Some(pair) = &told.most_parallel {
        let _ = writeln!(
            text,
            "most hops in a day: {} → {}, {:.0}",
            pair.from, pair.to, pair.value
        );
    }
    if let Some((from, to)) = told.night_gap {
        let _ = writeln!(text, "nothing departs from {from} to {to}");
    }
    for width in &told.widest_names {
        let _ = writeln!(
            text,
            "same name: {}, {} stops up to {:.0} m apart",
            width.name, width.stops, width.metres
        );
    }
    for (line, name) in told.lines_through_one_name_twice.iter().take(10) {
        let _ = writeln!(text, "line {line} calls at two stops named {name}");
    }
    if let Some(pair) = &told.farthest {
        let _ = writeln!(
            text,
            "farthest apart: {} and {}, {:.2} km",
            pair.from, pair.to, pair.value
        );
    }
    if let Some(hop) = &told.fastest {
        let _ = writeln!(
            text,
            "fastest hop: line {} from {} to {}, {:.0} km/h",
            hop.line, hop.from, hop.to, hop.kmh
        );
    }
    text
}

/// What assumed speeds and heuristics do to A*.
pub(super) fn boldness(told: &Speeds) -> String {
    let mut text = format!(
        "{} queries\n{:<46} {:>8} {:>12} {:>12} {:>8}\n",
        told.queries, "heuristic", "wrong", "mean excess", "settled", "work"
    );
    for row in told.speeds.iter().chain(&told.transfers) {
        let name = Algorithm::Astar(Graph::Expanded, row.heuristic).to_string();
        let _ = writeln!(
            text,
            "{name:<46} {:>7.2}% {:>12.2} {:>12.0} {:>7.1}%",
            100.0 * row.wrong,
            row.mean_excess + 0.0,
            row.settled,
            100.0 * row.work
        );
    }
    text
}

/// A time of a certificate as one of the clock.
fn clock(planner: &Planner, certificate: &Certificate, time: i32) -> Time {
    if certificate.mirrored {
        let layer = match certificate.days {
            wits_transit::MANY_DAYS => planner.week(),
            _ => planner.layer(),
        };
        return Time(layer.mirror().day.flip(time));
    }
    Time(time)
}

/// What is wrong with a certificate, with names and times of day.
pub(super) fn flaw(planner: &Planner, proof: &Proof, flaw: &Flaw) -> String {
    match proof {
        Proof::Journeys(certificate) => flaw_of_journeys(planner, certificate, flaw),
        Proof::Departures(departures) => flaw_of_departures(planner, departures, flaw),
    }
}

fn flaw_of_journeys(planner: &Planner, certificate: &Certificate, flaw: &Flaw) -> String {
    let (way, end, time_of) = if certificate.mirrored {
        ("left as late as", "a departure at", "departure")
    } else {
        ("reached by", "an arrival at", "arrival")
    };
    let paid = |price: &i64| match (certificate.price, price) {
        (Price::Vehicles, 1) => "1 vehicle".to_owned(),
        (Price::Vehicles, n) => format!("{n} vehicles"),
        (Price::Centimetres, cm) => format!("{:.3} km", *cm as f64 / 100_000.0),
    };
    let count = certificate.answers.len();
    match flaw {
        Flaw::Claim { stop, time, price } => format!(
            "`{}` can be {way} {} with {}, which the certificate denies",
            planner.table.stop_name(*stop),
            clock(planner, certificate, *time),
            paid(price)
        ),
        Flaw::Target { time, price } => format!(
            "{end} {} with {} is better or not excluded",
            clock(planner, certificate, *time),
            paid(price)
        ),
        Flaw::Answer(index) => {
            let counted = match (certificate.price, certificate.best) {
                (_, Best::All) => ", number of vehicles and way on foot",
                (Price::Vehicles, _) => " and number of vehicles",
                (Price::Centimetres, _) => " and length",
            };
            format!(
                "journey {} of {count} is none of this timetable with that {time_of}{counted}",
                index + 1
            )
        }
        Flaw::Spare(index) => {
            format!("journey {} of {count} is no better than another", index + 1)
        }
        other => other.to_string(),
    }
}

fn flaw_of_departures(planner: &Planner, proof: &Departures, flaw: &Flaw) -> String {
    let named = |index: usize| {
        let told = format!("journey {} of {}", index + 1, proof.answers.len());
        match proof.answers.get(index) {
            Some((stop, ..)) if (*stop as usize) < planner.day().stops => {
                format!("{told}, to `{}`,", planner.table.stop_name(*stop))
            }
            _ => told,
        }
    };
    match flaw {
        Flaw::Missed {
            stop,
            departure,
            time,
        } => format!(
            "leaving at {}, `{}` can be reached by {}, which the certificate denies",
            Time(*departure),
            planner.table.stop_name(*stop),
            Time(*time)
        ),
        Flaw::Answer(index) => format!(
            "{} is none of this timetable with that departure and arrival",
            named(*index)
        ),
        Flaw::Spare(index) => {
            let long = match proof.leaving {
                Leaving::Any => "",
                Leaving::Minutes { .. } => ", or takes longer than was asked for",
            };
            let named = named(*index);
            format!("{named} is no better than another or than walking{long}")
        }
        other => other.to_string(),
    }
}

/// The name of the first of some stops.
fn first_name(planner: &Planner, stops: &[u32]) -> String {
    let first = stops.first().copied();
    first.map_or_else(String::new, |s| planner.table.stop_name(s).to_owned())
}

/// What a certificate of many departures proves.
fn proved_departures(planner: &Planner, proof: &Departures) -> String {
    let from = first_name(planner, &proof.from);
    match proof.leaving {
        Leaving::Any => format!(
            "valid: {from} → {} on {} days: {} departures are best, and no other is\n",
            first_name(planner, &proof.to),
            proof.days,
            proof.answers.len()
        ),
        Leaving::Minutes { at, window, within } => {
            let access = Ends::new(planner.day(), &proof.from, &[], at).access;
            let near = access.iter().filter(|a| a.1 <= within * 60).map(|a| a.0);
            let mut stops: Vec<u32> = proof.answers.iter().map(|a| a.0).chain(near).collect();
            stops.sort_unstable();
            stops.dedup();
            let until = match window {
                0 => String::new(),
                _ => format!(" to {}, every minute", Time(at + window * 60)),
            };
            format!(
                "valid: {from} from {}{until}: {} stops within {within} minutes, none sooner\n",
                Time(at),
                stops.len()
            )
        }
    }
}

/// What a certificate proves.
pub(super) fn proved(planner: &Planner, proof: &Proof) -> String {
    let certificate = match proof {
        Proof::Journeys(certificate) => certificate,
        Proof::Departures(departures) => return proved_departures(planner, departures),
    };
    let name = |stops: &[u32]| first_name(planner, stops);
    let (mut from, mut to) = (name(&certificate.from), name(&certificate.to));
    let when = if certificate.mirrored {
        std::mem::swap(&mut from, &mut to);
        "arriving by"
    } else {
        "from"
    };
    let at = clock(planner, certificate, certificate.at);
    let best = match certificate.best {
        Best::Arrival if certificate.mirrored => "the latest departure".to_owned(),
        Best::Arrival => "the earliest arrival".to_owned(),
        Best::Price if certificate.price == Price::Centimetres => "the shortest way".to_owned(),
        Best::Price | Best::Least => "the fewest vehicles".to_owned(),
        Best::Sum(w) => format!("the best sum at {} minutes a vehicle", w / 60),
        Best::Both => "all that is best in time and vehicles".to_owned(),
        Best::All => "all that is best in time, vehicles and way on foot".to_owned(),
    };
    let answers = match certificate.answers.len() {
        0 => format!("there is no way within {} days", certificate.days),
        1 => format!("one journey has {best}"),
        n => format!("{n} journeys are {best}"),
    };
    format!("valid: {from} → {to} {when} {at}: {answers}\n")
}
