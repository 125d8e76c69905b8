//! The tables and figures of the thesis, over as many seeded games as asked.

use std::fmt::Write;

use rayon::prelude::*;
use serde::Serialize;
use wits_game::Seed;

use super::Chart;
use crate::game::Insertion;
use crate::players::{Round, play_round};
use crate::survival::{Lasted, Survival};
use crate::words::Variant;

/// What to play.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Experiment {
    /// Games for each of tables 3.2 and 3.3.
    pub games: u64,
    /// The longest of them.
    pub max_moves: usize,
    /// The longest game of a level-2 Builder, for figures 3.3 and 3.5.
    pub deep_moves: usize,
    /// Games of the greedy Builder against the level-2 Painter.
    pub unbeaten: u64,
    /// The longest of those: the thesis went to 220.
    pub unbeaten_moves: usize,
    /// Where all chance comes from.
    pub seed: Seed,
}

impl Default for Experiment {
    fn default() -> Self {
        Experiment {
            games: 12,
            max_moves: 380,
            deep_moves: 100,
            unbeaten: 3,
            unbeaten_moves: 220,
            seed: Seed::new(1),
        }
    }
}

/// A row of table 3.1: how long games with few symbols last.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Short {
    /// How many symbols.
    pub symbols: usize,
    /// The levels of the Painter, as the table writes them.
    pub painter: String,
    /// The levels of the Builder.
    pub builder: String,
    /// The least and the most moves that were played, the fatal symbol counted.
    pub moves: [usize; 2],
    /// What the thesis prints; its last row has the two roles exchanged.
    pub thesis: usize,
}

/// One game of tables 3.2 and 3.3.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Length {
    /// Where its chance came from.
    pub seed: Seed,
    /// How many moves, the fatal symbol counted.
    pub moves: usize,
    /// How long it took.
    pub seconds: f64,
    /// Whether it came to its end within the limit.
    pub finished: bool,
}

/// Table 3.2 or 3.3.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Trials {
    /// Which table.
    pub table: &'static str,
    /// The level of the Builder.
    pub builder: u32,
    /// The level of the Painter.
    pub painter: u32,
    /// The games, the shortest first.
    pub games: Vec<Length>,
    /// Their mean; nothing where games were cut, since it would depend on where.
    pub mean: Option<f64>,
    /// Their median by the curve of Kaplan and Meier; nothing where fewer than half came to their end.
    pub median: Option<usize>,
    /// Its 95 % interval; the second number is missing where the curve does not come down so far.
    pub median_between: [Option<usize>; 2],
    /// The lengths that the thesis lists.
    pub thesis: Vec<usize>,
    /// The mean of all that the thesis lists.
    pub thesis_mean: f64,
}

impl Trials {
    /// Mean and median as a sentence, without claiming what games that were cut do not show.
    fn middle(&self) -> String {
        let cut = self.games.iter().filter(|game| !game.finished).count();
        let mean = self.mean.map_or_else(
            || format!("{cut} of {} games were cut, so no mean", self.games.len()),
            |mean| format!("mean {mean:.2}"),
        );
        let [low, high] = self
            .median_between
            .map(|end| end.map_or_else(|| "open".to_owned(), |moves| moves.to_string()));
        let median = self.median.map_or_else(
            || "median not reached".to_owned(),
            |median| format!("median {median} (95 % interval {low} to {high})"),
        );
        format!("{mean}, {median}")
    }
}

/// A figure: decisions of one side by the length of the word.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Figure {
    /// Its number in the thesis.
    pub number: &'static str,
    /// Whether the Builder decides.
    pub of_builder: bool,
    /// The level of the Builder.
    pub builder: u32,
    /// The level of the Painter.
    pub painter: u32,
    /// For each decision: length, seconds, fitting symbols at the chosen gap, positions simulated.
    pub decisions: Vec<(usize, f64, u32, u64)>,
}

/// How much more a level costs.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Ratio {
    /// What is compared.
    pub what: &'static str,
    /// At which length.
    pub length: usize,
    /// By the clock.
    pub time: Option<f64>,
    /// By positions simulated.
    pub positions: Option<f64>,
    /// What the thesis found by the clock.
    pub thesis: f64,
}

/// Everything of chapter 3.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Tables {
    /// Table 3.1.
    pub short: Vec<Short>,
    /// Tables 3.2 and 3.3.
    pub trials: Vec<Trials>,
    /// Figures 3.1 to 3.6.
    pub figures: Vec<Figure>,
    /// The ratios between levels.
    pub ratios: Vec<Ratio>,
    /// The greedy Builder against the level-2 Painter: lengths, and whether any game ended.
    pub unbeaten: Vec<Length>,
    /// The conventions.
    pub conventions: String,
}

const TABLE_32: [usize; 12] = [44, 56, 81, 88, 100, 102, 163, 171, 173, 193, 199, 236];
const TABLE_33: [usize; 11] = [30, 42, 45, 47, 73, 104, 114, 134, 178, 202, 213];

fn seconds(round: &Round) -> f64 {
    round.decisions.iter().map(|d| d.seconds).sum()
}

fn length(round: &Round) -> Length {
    Length {
        seed: round.seed,
        moves: round.moves,
        seconds: seconds(round),
        finished: round.finished,
    }
}

/// Plays everything. `each` hears what was finished.
pub fn tables(experiment: &Experiment, each: impl Fn(&str) + Sync) -> Tables {
    let five = |max_moves: usize| Insertion {
        max_moves: max_moves - 1,
        ..Insertion::new(Variant::Square, 5)
    };
    let short = table_31(experiment.seed);
    each("table 3.1");
    let trial = |table, builder, painter, thesis: &[usize]| {
        let rounds: Vec<Round> = (0..experiment.games)
            .into_par_iter()
            .map(|n| {
                play_round(
                    &five(experiment.max_moves),
                    builder,
                    painter,
                    experiment.seed.nth(n),
                    None,
                )
            })
            .collect();
        each(table);
        trials(table, builder, painter, &rounds, thesis)
    };
    let trials = vec![trial("3.2", 0, 1, &TABLE_32), trial("3.3", 1, 1, &TABLE_33)];
    // One long game for each pair of levels: of a few seeds the one that lasted longest.
    let longest = |builder, painter, moves: usize, tries: u64| {
        let rounds = (0..tries)
            .into_par_iter()
            .map(|n| play_round(&five(moves), builder, painter, experiment.seed.nth(n), None));
        let best = rounds.max_by_key(|round| (round.moves, std::cmp::Reverse(round.seed.number())));
        best.expect("at least one game was played")
    };
    let greedy_one = longest(0, 1, experiment.unbeaten_moves, 8);
    let one_one = longest(1, 1, experiment.unbeaten_moves, 8);
    let two_one = longest(2, 1, experiment.deep_moves, 4);
    each("figures 3.1 to 3.5");
    let against_two: Vec<Round> = (0..experiment.unbeaten.max(1))
        .into_par_iter()
        .map(|n| {
            play_round(
                &five(experiment.unbeaten_moves),
                0,
                2,
                experiment.seed.nth(n),
                None,
            )
        })
        .collect();
    each("greedy Builder against level-2 Painter");
    let greedy_two = &against_two[0];
    let figures = vec![
        figure("3.1", true, &greedy_one),
        figure("3.2", true, &one_one),
        figure("3.3", true, &two_one),
        figure("3.4", false, &greedy_one),
        figure("3.5", false, &two_one),
        figure("3.6", false, greedy_two),
    ];
    let ratios = vec![
        ratio(
            "Builder level 2 against level 1",
            100.min(experiment.deep_moves - 2),
            &figures[2],
            &figures[1],
            170.0,
        ),
        ratio(
            "Painter level 2 against level 1",
            79,
            &figures[5],
            &figures[3],
            290.0,
        ),
    ];
    Tables {
        short,
        trials,
        figures,
        ratios,
        unbeaten: against_two.iter().map(length).collect(),
        conventions: crate::report::conventions(),
    }
}

fn table_31(seed: Seed) -> Vec<Short> {
    let row = |symbols: usize,
               painters: std::ops::RangeInclusive<u32>,
               builders: std::ops::RangeInclusive<u32>,
               thesis| {
        let name = |levels: &std::ops::RangeInclusive<u32>| {
            if levels.start() == levels.end() {
                levels.start().to_string()
            } else {
                format!(">= {}", levels.start())
            }
        };
        let game = Insertion::new(Variant::Square, symbols);
        let mut moves = Vec::new();
        for painter in painters.clone() {
            for builder in builders.clone() {
                moves.extend(
                    (0..3).map(|n| play_round(&game, builder, painter, seed.nth(n), None).moves),
                );
            }
        }
        let ends = [moves.iter().min(), moves.iter().max()].map(|end| end.copied().unwrap_or(0));
        Short {
            symbols,
            painter: name(&painters),
            builder: name(&builders),
            moves: ends,
            thesis,
        }
    };
    vec![
        row(3, 0..=3, 0..=3, 5),
        row(4, 0..=0, 0..=0, 7),
        row(4, 1..=2, 1..=2, 7),
        row(4, 1..=3, 0..=0, 10),
    ]
}

fn trials(
    table: &'static str,
    builder: u32,
    painter: u32,
    rounds: &[Round],
    thesis: &[usize],
) -> Trials {
    let mut games: Vec<Length> = rounds.iter().map(length).collect();
    games.sort_by_key(|game| (game.moves, game.seed.number()));
    let mean =
        |lengths: &[usize]| lengths.iter().sum::<usize>() as f64 / lengths.len().max(1) as f64;
    let lengths: Vec<usize> = games.iter().map(|game| game.moves).collect();
    let lasted = |game: &Length| Lasted {
        moves: game.moves,
        ended: game.finished,
    };
    let survival = Survival::of(&games.iter().map(lasted).collect::<Vec<_>>());
    let all_ended = games.iter().all(|game| game.finished);
    Trials {
        table,
        builder,
        painter,
        mean: all_ended.then(|| mean(&lengths)),
        median: survival.median,
        median_between: survival.median_between,
        games,
        thesis: thesis.to_vec(),
        thesis_mean: mean(thesis),
    }
}

fn figure(number: &'static str, of_builder: bool, round: &Round) -> Figure {
    let own = round.decisions.iter().filter(|d| d.builder == of_builder);
    let decisions = own
        .map(|d| (d.length, d.seconds, d.fits, d.simulated))
        .collect();
    Figure {
        number,
        of_builder,
        builder: round.builder,
        painter: round.painter,
        decisions,
    }
}

/// The cost near a length: the mean over eleven decisions, since one alone is noise.
fn near(figure: &Figure, length: usize) -> Option<(f64, f64)> {
    let close: Vec<_> = figure
        .decisions
        .iter()
        .filter(|d| d.0.abs_diff(length) <= 5)
        .collect();
    let count = close.len() as f64;
    (!close.is_empty()).then(|| {
        (
            close.iter().map(|d| d.1).sum::<f64>() / count,
            close.iter().map(|d| d.3 as f64).sum::<f64>() / count,
        )
    })
}

fn ratio(what: &'static str, length: usize, dear: &Figure, cheap: &Figure, thesis: f64) -> Ratio {
    let both = near(dear, length).zip(near(cheap, length));
    Ratio {
        what,
        length,
        time: both.map(|(d, c)| d.0 / c.0.max(1e-9)),
        positions: both.map(|(d, c)| d.1 / c.1.max(1.0)),
        thesis,
    }
}

impl Figure {
    /// The decision times as a chart.
    pub fn chart(&self) -> Chart {
        let side = if self.of_builder {
            "Builder"
        } else {
            "Painter"
        };
        Chart {
            title: format!(
                "{}: decisions of the {side}; Builder level {}, Painter level {}",
                self.number, self.builder, self.painter
            ),
            upright: "milliseconds".into(),
            points: self
                .decisions
                .iter()
                .map(|d| (d.0 as f64, d.1 * 1e3))
                .collect(),
        }
    }

    /// The fitting symbols at the chosen gap, or the positions simulated: what the ups and downs of the times come from.
    pub fn cause(&self, fits: bool) -> Chart {
        let mut chart = self.chart();
        chart.upright = if fits {
            "fitting symbols at the gap"
        } else {
            "positions simulated"
        }
        .into();
        chart.points = self
            .decisions
            .iter()
            .map(|d| (d.0 as f64, if fits { f64::from(d.2) } else { d.3 as f64 }))
            .collect();
        chart
    }
}

impl Tables {
    /// Everything as text.
    pub fn text(&self) -> String {
        let mut out = String::from(
            "Table 3.1, few symbols (moves: least and most over three seeds)\n symbols  painter  builder  moves     thesis\n",
        );
        for row in &self.short {
            let moves = format!("{}..{}", row.moves[0], row.moves[1]);
            let _ = writeln!(
                out,
                "{:>8}  {:>7}  {:>7}  {:<8}  {:>6}",
                row.symbols, row.painter, row.builder, moves, row.thesis
            );
        }
        out.push_str("(The thesis prints the last row with the roles exchanged; it is the greedy Builder that allows 10.)\n");
        for trials in &self.trials {
            let _ = writeln!(
                out,
                "\nTable {}, five symbols, Builder {}, Painter {}",
                trials.table, trials.builder, trials.painter
            );
            for game in &trials.games {
                let open = if game.finished {
                    ""
                } else {
                    "  (not finished)"
                };
                let _ = writeln!(
                    out,
                    "{:>6} moves  {:>10.3} ms{open}",
                    game.moves,
                    game.seconds * 1e3
                );
            }
            let _ = writeln!(
                out,
                "{}; thesis: mean {:.2} of {}",
                trials.middle(),
                trials.thesis_mean,
                trials.thesis.len()
            );
        }
        out.push_str("(The thesis's 96.9 for table 3.3 is the mean of its first ten rows; all eleven have 107.45.)\n\nRatios between levels\n");
        for ratio in &self.ratios {
            let show = |value: Option<f64>| value.map_or_else(|| "-".into(), |v| format!("{v:.0}"));
            let _ = writeln!(
                out,
                "{} at length {}: time x{}, positions x{}; thesis x{}",
                ratio.what,
                ratio.length,
                show(ratio.time),
                show(ratio.positions),
                ratio.thesis
            );
        }
        out.push_str("\nGreedy Builder against level-2 Painter\n");
        for game in &self.unbeaten {
            let end = if game.finished { "beaten" } else { "unbeaten" };
            let _ = writeln!(
                out,
                "{:>6} moves  {:>10.3} ms  {end}",
                game.moves,
                game.seconds * 1e3
            );
        }
        let _ = writeln!(out, "\n{}", self.conventions);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_of_the_thesis() {
        let experiment = Experiment {
            games: 4,
            max_moves: 120,
            deep_moves: 40,
            unbeaten: 1,
            unbeaten_moves: 100,
            seed: Seed::new(3),
        };
        let tables = tables(&experiment, |_| {});
        assert!(
            tables
                .short
                .iter()
                .all(|row| row.moves == [row.thesis, row.thesis]),
            "{:?}",
            tables.short
        );
        assert!(
            (tables.trials[0].thesis_mean - 133.83).abs() < 0.01
                && (tables.trials[1].thesis_mean - 107.45).abs() < 0.01
        );
        let cut = Trials {
            games: [
                (28, true),
                (282, true),
                (380, false),
                (380, false),
                (380, false),
            ]
            .map(|(moves, finished)| Length {
                seed: Seed::new(1),
                moves,
                seconds: 0.0,
                finished,
            })
            .to_vec(),
            mean: None,
            median: None,
            ..tables.trials[1].clone()
        };
        assert!(
            cut.middle()
                .starts_with("3 of 5 games were cut, so no mean, median not reached"),
            "{}",
            cut.middle()
        );
        assert_eq!(tables.figures.len(), 6);
        assert!(
            tables
                .ratios
                .iter()
                .all(|r| r.positions.is_some_and(|p| p > 20.0)),
            "{:?}",
            tables.ratios
        );
        assert!(!tables.unbeaten[0].finished);
        let text = tables.text();
        assert!(text.contains("Table 3.3") && text.contains("Conventions"));
        assert!(
            tables.figures[3]
                .cause(true)
                .svg()
                .contains("fitting symbols")
        );
    }
}
