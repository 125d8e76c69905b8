//! Threads: how soon *why not?* is answered in every game, and what it costs to be followed.

use std::time::{Duration, Instant};

use anyhow::Result;
use wits_game::{Dice, Seat, Seed, Stream};
use wits_play::{AnyGame, AnyMatch, Budget, Catalog, Decision, Limits, Recorder, Shelf, Spec};

use super::{Figure, figure, worked_seconds};
use crate::gallery::{decide, middle};
use crate::shelf;

/// Every answer must be there after so many milliseconds.
const BAR: f64 = 1000.0;
/// What the page gives a machine for the look at another move.
const THINK: Duration = Duration::from_millis(700);
/// What the page gives a machine for a decision.
const DECIDE: Duration = Duration::from_secs(10);
/// So many legal moves of a position are asked about, from the first to the last.
const ASKED: usize = 12;
/// The page keeps so many steps of a decision.
const STEPS: usize = 5_000;
const SEED: Seed = Seed::new(7);

/// All figures, or those with `only` in the name of their game.
pub(super) fn figures(catalog: &Catalog, only: Option<&str>) -> Result<Vec<Figure>> {
    let wanted = |name: &str| only.is_none_or(|only| name.contains(only));
    let mut all = Vec::new();
    if wanted("recorded") {
        all.extend(recorded(catalog)?);
    }
    for entry in catalog.entries().iter().filter(|e| wanted(e.id())) {
        let spec = Spec::named(entry.id());
        let shelf = shelf::fill(catalog, &spec, &[])?;
        let game = catalog.game(&spec, &shelf)?;
        let mut answers = Answers::default();
        for card in entry.players().iter().filter(|card| card.id != "human") {
            for seat in Seat::all(game.seats()).filter(|&seat| card.roles.allow(seat)) {
                answers.ask(&*game, &Spec::named(card.id), seat, &shelf)?;
            }
        }
        all.push(answers.figure(entry.id()));
    }
    Ok(all)
}

/// How long the answers of the machines of one game took.
#[derive(Default)]
struct Answers {
    millis: Vec<f64>,
    slowest: (f64, String),
}

impl Answers {
    /// Asks a machine about the moves of three positions: at the start, in the middle and near the end of a game.
    fn ask(&mut self, game: &dyn AnyGame, by: &Spec, seat: Seat, shelf: &Shelf) -> Result<()> {
        let length = length(game);
        let begun = Instant::now();
        for plies in [0, length / 2, length.saturating_sub(4)] {
            let table = middle(game, SEED, plies, |one| one == seat);
            if table.turn().seat() != Some(seat) {
                continue;
            }
            let budget = Budget::start(Limits::time(DECIDE));
            let recorder = Recorder::new(STEPS);
            let thread = decide(game, table.as_ref(), by, shelf, (recorder, &budget))?;
            let decision = Decision {
                game,
                table: table.as_ref(),
                by,
                shelf,
                thread: &thread,
            };
            for mv in some(&*table) {
                let start = worked(begun);
                let budget = Budget::start(Limits::time(THINK));
                let told = decision.why_not(&mv, &budget);
                let millis = (worked(begun) - start) * 1e3;
                if told.is_ok() && millis > self.slowest.0 {
                    let who = format!("{by}, {}, move {plies}: {mv}", game.seat_name(seat));
                    self.slowest = (millis, who);
                }
                self.millis.push(millis);
            }
        }
        Ok(())
    }

    /// The slowest answer beside the bar.
    fn figure(mut self, game: &str) -> Figure {
        self.millis.sort_by(f64::total_cmp);
        let middle = self.millis.get(self.millis.len() / 2).copied();
        let name = format!(
            "why not? in {game}, slowest of {} answers, half within {:.0} ms, bar 1 s ({})",
            self.millis.len(),
            middle.unwrap_or(0.0),
            self.slowest.1
        );
        figure(name, self.slowest.0, "ms", Some(BAR), BAR / self.slowest.0)
    }
}

/// How long a game of random moves lasts.
fn length(game: &dyn AnyGame) -> u32 {
    let mut dice = Dice::at(SEED, Stream::Aside, 0);
    let mut table = game.begin(SEED, None);
    for ply in 0..200 {
        table.settle();
        let options = table.options();
        let (Some(seat), Some(mv)) = (table.turn().seat(), dice.pick(&options)) else {
            return ply;
        };
        if table.play(seat, mv, None).is_err() {
            return ply;
        }
    }
    200
}

/// Legal moves from the first to the last.
fn some(table: &dyn AnyMatch) -> Vec<String> {
    let all = table.options();
    let step = all.len().div_ceil(ASKED).max(1);
    all.into_iter().step_by(step).collect()
}

/// An engine's decision of 200,000 positions, followed and not: processor time, and memory at its highest.
fn recorded(catalog: &Catalog) -> Result<Vec<Figure>> {
    let by: Spec = "engine:nodes=200000,book=false".parse()?;
    let spec = Spec::named("othello");
    let shelf = shelf::fill(catalog, &spec, &[])?;
    let game = catalog.game(&spec, &shelf)?;
    let mut figures = Vec::new();
    let begun = Instant::now();
    for plies in [0, 24] {
        let table = middle(&*game, SEED, plies, |_| true);
        let alone = || -> Result<f64> {
            let seat = table.turn().seat().unwrap_or(Seat::FIRST);
            let mut player = game.player(&by, seat, &shelf)?;
            let budget = Budget::endless();
            let start = worked(begun);
            let desk = wits_play::AnyDesk {
                budget: &budget,
                dice: table.dice(seat),
                tell: &mut |_| {},
                record: None,
            };
            std::hint::black_box(player.choose(table.as_ref(), desk));
            Ok(worked(begun) - start)
        };
        let mut plain = f64::INFINITY;
        for _ in 0..3 {
            plain = plain.min(alone()?);
        }
        let (mut seconds, mut steps, mut bytes) = (f64::INFINITY, 0, 0);
        let before = highest();
        for _ in 0..3 {
            let start = worked(begun);
            let budget = Budget::endless();
            let kept = (Recorder::new(STEPS), &budget);
            let thread = decide(&*game, table.as_ref(), &by, &shelf, kept)?;
            seconds = seconds.min(worked(begun) - start);
            (steps, bytes) = (thread.steps.len(), thread.text().len());
        }
        let more = highest()
            .zip(before)
            .map_or(f64::NAN, |(now, then)| now - then);
        let file = bytes as f64 / 1e6;
        let name = format!(
            "Othello engine, 200,000 positions after {plies} moves, recorded: {steps} steps (baseline: not recorded; at most 3 times)"
        );
        figures.push(figure(
            name,
            seconds * 1e3,
            "ms",
            Some(plain * 1e3),
            plain / seconds,
        ));
        let name = format!(
            "its file; while it was recorded memory grew by {more:.1} MB (baseline: at most 20 MB)"
        );
        figures.push(figure(name, file, "MB", Some(20.0), 20.0 / file));
    }
    Ok(figures)
}

/// Seconds of this thread's work; of the clock, where the system does not tell.
fn worked(begun: Instant) -> f64 {
    worked_seconds().unwrap_or_else(|| begun.elapsed().as_secs_f64())
}

/// The most memory that this process ever had, in MB, where the system tells.
fn highest() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1024.0)
}
