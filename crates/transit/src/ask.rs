//! Questions: what is wanted, and how to look for it.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};
use wits_game::Message;

use crate::algo::Heuristic;
use crate::thread::WORDS;

/// What makes a journey best.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Objective {
    /// Earliest arrival, then fewer vehicles.
    #[default]
    Time,
    /// Fewest vehicles, then earliest arrival.
    Transfers,
    /// Shortest way, then earliest arrival.
    Distance,
    /// Arrival plus so many minutes for each change.
    Weighted(u32),
    /// Every journey that no other beats in both arrival and changes.
    Pareto,
    /// Every journey that no other beats in arrival, changes and way on foot.
    ParetoWalking,
    /// Fewest vehicles and nothing else: may wait absurdly long, as the report shows.
    TransfersOnly,
}

impl FromStr for Objective {
    type Err = NotUnderstood;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "time" | "t" | "dt" => Ok(Objective::Time),
            "transfers" | "p" | "dp" => Ok(Objective::Transfers),
            "distance" | "d" | "dd" => Ok(Objective::Distance),
            "pareto" => Ok(Objective::Pareto),
            "pareto-walking" => Ok(Objective::ParetoWalking),
            "transfers-only" => Ok(Objective::TransfersOnly),
            "weighted" => Ok(Objective::Weighted(10)),
            _ => text
                .strip_prefix("weighted:")
                .and_then(|m| m.strip_prefix("minutes=").unwrap_or(m).parse().ok())
                .map(Objective::Weighted)
                .ok_or_else(|| NotUnderstood::Objective(text.to_owned())),
        }
    }
}

impl fmt::Display for Objective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Objective::Time => f.write_str("time"),
            Objective::Transfers => f.write_str("transfers"),
            Objective::Distance => f.write_str("distance"),
            Objective::Weighted(m) => write!(f, "weighted:{m}"),
            Objective::Pareto => f.write_str("pareto"),
            Objective::ParetoWalking => f.write_str("pareto-walking"),
            Objective::TransfersOnly => f.write_str("transfers-only"),
        }
    }
}

impl Serialize for Objective {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

/// Which graph a label-setting search runs on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Graph {
    /// Stops, with edges that depend on the time.
    #[default]
    Dependent,
    /// Stops at times, as in the report.
    Expanded,
}

/// How to search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Algorithm {
    /// The one that is quickest for the objective.
    Auto,
    /// Dijkstra's algorithm.
    Dijkstra(Graph),
    /// A*; exact only with a heuristic that never overrates.
    Astar(Graph, Heuristic),
    /// Connection scan.
    Csa,
    /// Profile connection scan: answers the whole day, of which one moment is taken.
    ProfileCsa,
    /// RAPTOR.
    Raptor,
    /// Trip-based search, with changes worked out beforehand.
    TripBased,
    /// RAPTOR in the corridor between start and target, for countries.
    Corridor,
    /// The cost sweep that also makes certificates.
    Sweep,
}

/// Text that names no objective or algorithm.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotUnderstood {
    /// No such objective.
    #[error(
        "`{0}` is no objective; choose `time`, `transfers`, `distance`, `weighted:10`, `pareto`, `pareto-walking` or `transfers-only`"
    )]
    Objective(String),
    /// No such algorithm.
    #[error(
        "`{0}` is no algorithm; choose `dijkstra`, `astar:speed=20`, `astar:bound`, `csa`, `profile-csa`, `raptor`, `tripbased`, `corridor` or `sweep`"
    )]
    Algorithm(String),
    /// No such objective of a tour.
    #[error("`{0}` makes no tour best; choose `time`, `transfers` or `distance`")]
    TourBy(String),
    /// No such method.
    #[error("`{0}` is no method; choose `exact` or `tabu:tenure=10,sample=0.75,aspiration=0.1`")]
    Method(String),
}

impl Algorithm {
    /// What people call it.
    pub fn named(self) -> Message {
        match self {
            Algorithm::Dijkstra(_) | Algorithm::Auto => WORDS.say("name-dijkstra"),
            Algorithm::Astar(_, Heuristic::Speed { kmh }) => {
                WORDS.say("name-astar").with("kmh", kmh.to_string())
            }
            Algorithm::Astar(..) => WORDS.say("name-astar-plain"),
            Algorithm::Csa => WORDS.say("name-csa"),
            Algorithm::ProfileCsa => WORDS.say("name-profile"),
            Algorithm::Raptor => WORDS.say("name-raptor"),
            Algorithm::TripBased => WORDS.say("name-tripbased"),
            Algorithm::Corridor => WORDS.say("name-corridor"),
            Algorithm::Sweep => WORDS.say("name-sweep"),
        }
    }

    /// The report's codes `dt`, `dp` and `dd` say what is best, and that Dijkstra's algorithm looks
    /// for it.
    pub fn of_code(code: &str) -> Option<Algorithm> {
        let dijkstra = matches!(code, "dt" | "dp" | "dd");
        dijkstra.then_some(Algorithm::Dijkstra(Graph::Dependent))
    }
}

impl FromStr for Algorithm {
    type Err = NotUnderstood;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || NotUnderstood::Algorithm(text.to_owned());
        let (name, options) = text.split_once(':').unwrap_or((text, ""));
        let mut graph = None;
        let mut heuristic = None;
        for option in options.split(',').filter(|o| !o.is_empty()) {
            let (key, value) = option.split_once('=').unwrap_or((option, ""));
            let number = || {
                value
                    .parse::<f64>()
                    .ok()
                    .filter(|v| v.is_finite() && *v >= 0.0)
                    .ok_or_else(wrong)
            };
            match key {
                "graph" if value == "expanded" => graph = Some(Graph::Expanded),
                "graph" if value == "dependent" => graph = Some(Graph::Dependent),
                "expanded" => graph = Some(Graph::Expanded),
                "bound" => heuristic = Some(Heuristic::Bound),
                "disabled" => heuristic = Some(Heuristic::Disabled),
                "speed" => {
                    let kmh = number()?;
                    if kmh <= 0.0 {
                        return Err(wrong());
                    }
                    heuristic = Some(Heuristic::Speed { kmh });
                }
                "changes_per_km" | "distance" => {
                    heuristic = Some(Heuristic::Distance {
                        changes_per_km: number()?,
                    });
                }
                "stop_nodes" => heuristic = Some(Heuristic::StopNodes { weight: number()? }),
                "major" => {
                    heuristic = Some(Heuristic::PreferMajorStops {
                        penalty: number()? as u32,
                    });
                }
                "express" => {
                    heuristic = Some(Heuristic::AvoidExpressLines {
                        penalty: number()? as u32,
                    });
                }
                _ => return Err(wrong()),
            }
        }
        match name {
            "auto" => Ok(Algorithm::Auto),
            "dijkstra" => Ok(Algorithm::Dijkstra(graph.unwrap_or_default())),
            "astar" => Ok(Algorithm::Astar(
                graph.unwrap_or(Graph::Expanded),
                heuristic.unwrap_or(Heuristic::Speed { kmh: 20.0 }),
            )),
            "csa" => Ok(Algorithm::Csa),
            "profile-csa" => Ok(Algorithm::ProfileCsa),
            "raptor" => Ok(Algorithm::Raptor),
            "tripbased" => Ok(Algorithm::TripBased),
            "corridor" => Ok(Algorithm::Corridor),
            "sweep" => Ok(Algorithm::Sweep),
            _ => Err(wrong()),
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let expanded = |g: &Graph| {
            if *g == Graph::Expanded {
                "graph=expanded"
            } else {
                "graph=dependent"
            }
        };
        match self {
            Algorithm::Auto => f.write_str("auto"),
            Algorithm::Dijkstra(g) => write!(f, "dijkstra:{}", expanded(g)),
            Algorithm::Astar(g, h) => {
                write!(f, "astar:{},", expanded(g))?;
                match h {
                    Heuristic::Disabled => f.write_str("disabled"),
                    Heuristic::Speed { kmh } => write!(f, "speed={kmh}"),
                    Heuristic::Distance { changes_per_km } => {
                        write!(f, "changes_per_km={changes_per_km}")
                    }
                    Heuristic::StopNodes { weight } => write!(f, "stop_nodes={weight}"),
                    Heuristic::PreferMajorStops { penalty } => write!(f, "major={penalty}"),
                    Heuristic::AvoidExpressLines { penalty } => write!(f, "express={penalty}"),
                    Heuristic::Bound => f.write_str("bound"),
                }
            }
            Algorithm::Csa => f.write_str("csa"),
            Algorithm::ProfileCsa => f.write_str("profile-csa"),
            Algorithm::Raptor => f.write_str("raptor"),
            Algorithm::TripBased => f.write_str("tripbased"),
            Algorithm::Corridor => f.write_str("corridor"),
            Algorithm::Sweep => f.write_str("sweep"),
        }
    }
}

impl Serialize for Algorithm {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn algorithms_are_read_as_written() {
        for text in [
            "csa",
            "raptor",
            "tripbased",
            "sweep",
            "profile-csa",
            "auto",
            "dijkstra",
            "dijkstra:graph=expanded",
            "astar:speed=20",
            "astar:bound",
            "astar:graph=dependent,bound",
            "astar:changes_per_km=0.1",
            "astar:stop_nodes=2",
            "astar:major=1",
            "astar:express=3",
            "astar:disabled",
        ] {
            let algorithm: Algorithm = text.parse().unwrap();
            assert_eq!(
                algorithm.to_string().parse::<Algorithm>().unwrap(),
                algorithm,
                "{text}"
            );
        }
        for bad in [
            "",
            "bfs",
            "astar:speed=0",
            "astar:speed=-1",
            "astar:sped=3",
            "dijkstra:graph=x",
        ] {
            assert!(bad.parse::<Algorithm>().is_err(), "{bad}");
        }
        for text in [
            "time",
            "transfers",
            "distance",
            "weighted:7",
            "pareto",
            "transfers-only",
        ] {
            assert_eq!(text.parse::<Objective>().unwrap().to_string(), text);
        }
    }
}
