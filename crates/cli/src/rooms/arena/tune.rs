//! `wits arena tune`: better numbers for a player.

use std::fmt::Write as _;
use std::time::Instant;

use anyhow::Result;
use serde_json::json;
use wits_arena::tune::{Generation, Phase, TuneFile, Tuner};
use wits_arena::{Coordinator, Hall, Header, Stop};
use wits_play::Catalog;

use super::args::TuneArgs;
use super::{now, play, problem, text_of};
use crate::out::Out;
use crate::{Answer, shelf};

/// `wits arena tune`
pub(super) fn run(catalog: &Catalog, args: &TuneArgs, out: &Out) -> Result<Answer> {
    let (text, stem) = text_of(&args.file)?;
    let mut file = TuneFile::read(&text, &stem).map_err(problem)?;
    if args.name.is_some() {
        file.name.clone_from(&args.name);
    }
    if args.generations.is_some() {
        file.generations = args.generations;
    }
    let (game, players) = file.specs().map_err(problem)?;
    let shelf = shelf::fill(catalog, &game, &players.iter().collect::<Vec<_>>())?;
    let tuning = file.tuning(catalog, &shelf).map_err(problem)?;
    let store = args.place.open()?;
    if args.anew {
        Tuner::forget(&store, &tuning.name).map_err(problem)?;
    }
    let mut tuner = Tuner::begin(&store, tuning).map_err(problem)?;
    let crew = args.crew.ready(file.threads)?;
    let hall = Hall::new(catalog.clone(), shelf.clone());
    let started = Instant::now();
    let mut stopped = false;
    while let Some(tournament) = tuner.next(catalog, &shelf).map_err(problem)? {
        let name = tournament.name.clone();
        let header = Header {
            tournament,
            begun: now(),
            anchor: None,
            anchor_rating: 0.0,
        };
        let mut coordinator = Coordinator::begin(&store, header).map_err(problem)?;
        let enough = |c: &Coordinator<'_>| tuner.enough(&c.ledger());
        let end = if enough(&coordinator) {
            Stop::Enough
        } else {
            play(&mut coordinator, &hall, &crew, &enough)?
        };
        if end == Stop::Stopped {
            stopped = true;
            break;
        }
        let before = tuner.phase.clone();
        tuner.tell(&coordinator.ledger());
        // First the checkpoint, then the games it was made from may go.
        tuner.keep(&store, now()).map_err(problem)?;
        Coordinator::forget(&store, &name).map_err(problem)?;
        if let (Phase::Generation, Some(last)) = (before, tuner.history.last()) {
            out.note(&line(&tuner, last));
        }
    }
    tell(&tuner, started.elapsed().as_secs_f64(), stopped, out)?;
    Ok(match &tuner.outcome {
        Some(outcome) if !outcome.better => Answer::No,
        _ => Answer::Yes,
    })
}

/// One generation on one line.
fn line(tuner: &Tuner, generation: &Generation) -> String {
    let best = generation.best.first();
    format!(
        "generation {:>3}: best {} at {:+.0} ± {:.0}, {} games  {}",
        generation.number,
        best.map_or("-", |c| c.name.as_str()),
        best.map_or(0.0, |c| c.rating),
        1.96 * generation.noise,
        generation.games,
        chart(&tuner.history),
    )
}

/// The ratings of the best, generation by generation.
fn chart(history: &[Generation]) -> String {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let last = &history[history.len().saturating_sub(40)..];
    let best = |g: &Generation| g.best.first().map_or(0.0, |c| c.rating);
    let (low, high) = last
        .iter()
        .map(best)
        .fold((f64::MAX, f64::MIN), |(l, h), r| (l.min(r), h.max(r)));
    let bar = |g: &Generation| {
        let share = (best(g) - low) / (high - low).max(1e-9);
        BARS[((share * 7.0).round() as usize).min(7)]
    };
    last.iter().map(bar).collect()
}

fn tell(tuner: &Tuner, seconds: f64, stopped: bool, out: &Out) -> Result<()> {
    let games: u64 = tuner.history.iter().map(|g| g.games).sum();
    let value = json!({
        "name": tuner.tuning.name, "generations": tuner.history, "games": games,
        "best": tuner.best(), "stopped_early": tuner.stopped_early, "finished": tuner.phase == Phase::Done,
        "outcome": tuner.outcome, "reference": tuner.tuning.reference, "seconds": seconds,
    });
    out.tell(&value, || {
        let mut text = format!(
            "{}\n{} generations, {games} games  {}\n",
            out.bold(&tuner.tuning.name),
            tuner.history.len(),
            chart(&tuner.history)
        );
        for (place, c) in (1..).zip(tuner.history.last().into_iter().flat_map(|g| &g.best)) {
            let _ = writeln!(text, "{place}. {} {:+.0} ± {:.0}  {}", c.name, c.rating, 1.96 * c.noise, c.spec);
        }
        if tuner.stopped_early {
            text += "the test against the reference said that this is enough\n";
        }
        match &tuner.outcome {
            Some(o) => {
                let _ = writeln!(text,
                    "winner {} against {} on fresh seeds: {:.1}% (95% interval {:.1}% to {:.1}%), stronger with {:.1}% likelihood\n{}",
                    o.winner.name, tuner.tuning.reference, 100.0 * o.score, 100.0 * o.interval.0, 100.0 * o.interval.1,
                    100.0 * o.superiority, o.winner.spec,
                );
                if !o.better {
                    text += "not proved better: keep what you have, or let it run longer\n";
                }
            }
            None if stopped => text += "stopped; the same command goes on with it\n",
            None => {}
        }
        text + &format!("{seconds:.1} s")
    })
}
