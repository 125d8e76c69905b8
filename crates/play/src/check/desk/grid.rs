//! Grids and cross tables: what leads is what the cells so far say.

use std::collections::BTreeMap;

use wits_game::Message;
use wits_search::{Kind, Line};

use super::super::claim::{Known, number};
use super::super::{sentence, text};
use super::Laws;
use crate::WORDS;

/// Scores are compared up to this.
const NEAR: f64 = 1e-9;

/// A table whose cells are known one after another.
#[derive(Default)]
pub(super) struct Grid {
    /// What is in each cell: a score, or the share of the points of so many games.
    cells: BTreeMap<(String, String), (f64, Option<f64>)>,
}

impl Grid {
    fn cell(&mut self, line: &Line) -> Result<Known, Message> {
        let get = |key: &str| number(line.data.get(key));
        let at = text(&line.data, "row").zip(text(&line.data, "column"));
        let (Some(at), Some(value)) = (at, get("value")) else {
            return Ok(Known::Trusted);
        };
        let interval = line.data.get("interval").and_then(|i| i.as_array());
        let ends = interval.and_then(|i| Some((i.first()?.as_f64()?, i.get(1)?.as_f64()?)));
        let games = get("games");
        let outside = ends.is_some_and(|(low, high)| value < low - NEAR || value > high + NEAR);
        if outside || (games.is_some() && !(0.0..=1.0).contains(&value)) {
            return Err(WORDS.say("desk-interval").with("step", line.text.as_str()));
        }
        let told = value * games.unwrap_or(1.0);
        let named = line.text.contains(&at.0) && line.text.contains(&at.1);
        if !named || !sentence::holds(&line.text, told) {
            return Err(sentence::wrong(line));
        }
        let across = self.cells.get(&(at.1.clone(), at.0.clone())).copied();
        self.cells.insert(at, (value, games));
        // The fold or the game behind it is not in the thread, but both sides of a pairing are.
        match (across, games) {
            (Some((other, Some(of))), Some(games)) if (of - games).abs() < NEAR => {
                if (other + value - 1.0).abs() < NEAR {
                    Ok(Known::Checked)
                } else {
                    Err(WORDS.say("desk-across").with("step", line.text.as_str()))
                }
            }
            _ => Ok(Known::Trusted),
        }
    }

    /// What each answer came to so far: the value of its cell, or its share of the points in its row.
    fn standing(&self) -> BTreeMap<String, f64> {
        let mut points: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
        let mut all = BTreeMap::new();
        for ((row, column), &(value, games)) in &self.cells {
            match games {
                Some(games) => {
                    let sum = points.entry(row).or_default();
                    *sum = (sum.0 + value * games, sum.1 + games);
                }
                None => drop(all.insert(format!("{row} + {column}"), value)),
            }
        }
        let share = |(row, (value, games)): (&str, (f64, f64))| (row.to_owned(), value / games);
        all.extend(points.into_iter().map(share));
        all
    }

    fn leads(&self, line: &Line) -> Result<Known, Message> {
        let answer = text(&line.data, "answer");
        let (Some(answer), Some(value)) = (answer, number(line.data.get("value"))) else {
            return Ok(Known::Trusted);
        };
        let standing = self.standing();
        let Some(own) = standing.get(&answer) else {
            return Err(WORDS.say("desk-unknown").with("step", line.text.as_str()));
        };
        let most = standing.values().copied().fold(f64::NEG_INFINITY, f64::max);
        if (own - value).abs() < NEAR && (most - value).abs() < NEAR {
            Ok(Known::Checked)
        } else {
            let why = WORDS.say("desk-best").with("step", line.text.as_str());
            Err(why.with("best", format!("{most:.3}")))
        }
    }
}

impl Laws for Grid {
    fn step(&mut self, line: &Line) -> Result<Known, Message> {
        match line.kind {
            Kind::Cell => self.cell(line),
            Kind::Improve | Kind::Choose => self.leads(line),
            _ => Ok(Known::Trusted),
        }
    }

    /// What everybody came to, and how many games that were: each is told from both sides.
    fn told(&self) -> Vec<f64> {
        let games: f64 = self.cells.values().filter_map(|(_, games)| *games).sum();
        let standing = self.standing();
        let all = [standing.len() as f64, games / 2.0];
        standing.into_values().chain(all).collect()
    }
}
