//! Every query and tour that the report prints, with ours beside it.

use std::cell::RefCell;

use serde::Serialize;

use crate::ask::Objective;
use crate::names;
use crate::planner::Planner;
use crate::route::Question;
use crate::time::Time;
use crate::tour::{Method, TourBy, TourQuestion};

/// One printed result, and ours.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Printed {
    /// The figure of the report.
    pub figure: &'static str,
    /// What was asked.
    pub asked: String,
    /// What the report prints.
    pub report: &'static str,
    /// The number in it that is compared: minutes or vehicles.
    pub report_value: f64,
    /// Ours, in the same unit; none if the feed has no such stop or no way.
    pub ours_value: Option<f64>,
    /// Ours in words, or why there is none.
    pub ours: String,
}

struct Asked {
    figure: &'static str,
    from: &'static str,
    via: &'static [&'static str],
    to: &'static str,
    at: &'static str,
    by: &'static str,
    report: &'static str,
    value: f64,
    /// How the report counts: from the asked time, from the first departure, or vehicles.
    count: Count,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Count {
    Asked,
    Departure,
    Vehicles,
}

const ROUND: &[&str] = &["Rynek", "GALERIA DOMINIKAŃSKA", "Hala Targowa"];

/// The data of the report is a year older than any feed we know, so answers differ a little.
const PRINTED: [Asked; 9] = [
    Asked {
        figure: "5",
        from: "PL. GRUNWALDZKI",
        via: &[],
        to: "ZOO",
        at: "23:50",
        by: "time",
        report: "04:29 the next day",
        value: 279.0,
        count: Count::Asked,
    },
    Asked {
        figure: "6",
        from: "PL. GRUNWALDZKI",
        via: &[],
        to: "DWORZEC AUTOBUSOWY",
        at: "12:34",
        by: "time",
        report: "17 min, 2 vehicles, 2.425 km",
        value: 17.0,
        count: Count::Asked,
    },
    Asked {
        figure: "7",
        from: "Kątna",
        via: &[],
        to: "Lubiatów",
        at: "00:00",
        by: "time",
        report: "463 min from 04:36",
        value: 463.0,
        count: Count::Departure,
    },
    Asked {
        figure: "7",
        from: "Kątna",
        via: &[],
        to: "Lubiatów",
        at: "00:00",
        by: "transfers",
        report: "3 vehicles",
        value: 3.0,
        count: Count::Vehicles,
    },
    Asked {
        figure: "8",
        from: "Grot-Roweckiego",
        via: &[],
        to: "Psie Pole",
        at: "23:00",
        by: "time",
        report: "302 min from 23:14, 4 vehicles, 14.834 km",
        value: 302.0,
        count: Count::Departure,
    },
    Asked {
        figure: "10",
        from: "Dubois",
        via: ROUND,
        to: "",
        at: "08:00",
        by: "time",
        report: "23 min, 5 vehicles, 5.155 km",
        value: 23.0,
        count: Count::Asked,
    },
    Asked {
        figure: "11",
        from: "Dubois",
        via: ROUND,
        to: "",
        at: "08:00",
        by: "transfers",
        report: "4 vehicles",
        value: 4.0,
        count: Count::Vehicles,
    },
    Asked {
        figure: "13",
        from: "ZOO",
        via: &[
            "Kowalska",
            "Chełmońskiego",
            "pl. Bema",
            "Kromera (Czajkowskiego)",
        ],
        to: "",
        at: "23:00",
        by: "time",
        report: "05:10 the next day",
        value: 370.0,
        count: Count::Asked,
    },
    Asked {
        figure: "15",
        from: "Hallera",
        via: &["Niedźwiedzia", "Bałtycka", "Psie Pole", "Gajowa"],
        to: "",
        at: "05:00",
        by: "transfers",
        report: "5 vehicles",
        value: 5.0,
        count: Count::Vehicles,
    },
];

fn vehicles(count: usize) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} vehicle{ending}")
}

fn lasting(minutes: i32) -> String {
    match minutes {
        0..60 => format!("{minutes} min"),
        _ => format!("{} h {} min", minutes / 60, minutes % 60),
    }
}

impl Planner {
    /// Asks everything that the report prints. Meant for a feed of Wrocław with the report's
    /// walking; elsewhere it says which stops are missing.
    pub fn report(&self) -> Vec<Printed> {
        PRINTED.iter().map(|asked| self.printed(asked)).collect()
    }

    fn printed(&self, asked: &Asked) -> Printed {
        let (value, ours) = match self.ask_printed(asked) {
            Ok((value, words)) => (Some(value), words),
            Err(why) => (None, why),
        };
        let way = if asked.via.is_empty() {
            asked.to.to_owned()
        } else {
            asked.via.join("; ")
        };
        Printed {
            figure: asked.figure,
            asked: format!("{} → {way} at {} by {}", asked.from, asked.at, asked.by),
            report: asked.report,
            report_value: asked.value,
            ours_value: value,
            ours,
        }
    }

    fn ask_printed(&self, asked: &Asked) -> Result<(f64, String), String> {
        // Names change a little from year to year; the answer says which one was meant.
        let renamed = RefCell::new(String::new());
        let stop = |name: &str| {
            let found = names::resolve_nearly(&self.table, name);
            let (stops, other) = found.map_err(|e| e.to_string())?;
            if let Some(other) = other {
                let note = format!("`{other}` for `{name}`: ");
                renamed.borrow_mut().push_str(&note);
            }
            Ok::<Vec<u32>, String>(stops)
        };
        let at: Time = asked.at.parse().expect("our own times are well written");
        if asked.via.is_empty() {
            let by: Objective = asked
                .by
                .parse()
                .expect("our own objectives are well written");
            let question = Question {
                by,
                ..Question::new(stop(asked.from)?, stop(asked.to)?, at)
            };
            let answer = self.route(&question).map_err(|e| e.to_string())?;
            let j = answer
                .journeys
                .first()
                .ok_or("there is no way within a week")?;
            let value = match asked.count {
                Count::Asked => f64::from(j.total_minutes),
                Count::Departure => f64::from(j.minutes),
                Count::Vehicles => j.vehicles as f64,
            };
            let words = format!(
                "{}{} to {}, {}, {}, {} km",
                renamed.borrow(),
                j.departure,
                j.arrival,
                lasting(j.minutes),
                vehicles(j.vehicles),
                j.km
            );
            return Ok((value, words));
        }
        let question = TourQuestion {
            start: stop(asked.from)?,
            stops: asked
                .via
                .iter()
                .map(|v| stop(v))
                .collect::<Result<_, _>>()?,
            at,
            by: if asked.by == "time" {
                TourBy::Time
            } else {
                TourBy::Transfers
            },
            open: false,
            dwell: 0,
            method: Method::Exact,
        };
        let tour = self.tour(&question).map_err(|e| e.to_string())?;
        let value = if asked.count == Count::Vehicles {
            tour.vehicles as f64
        } else {
            f64::from(tour.minutes)
        };
        let words = format!(
            "{}{} (until {}, {}, {} km)",
            renamed.borrow(),
            tour.order.join(" → "),
            tour.arrival,
            vehicles(tour.vehicles),
            tour.km
        );
        Ok((value, words))
    }
}
