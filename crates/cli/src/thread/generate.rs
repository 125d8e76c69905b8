//! `wits thread check --generate N`: decisions of every machine in every seat, recorded and checked.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use anyhow::Result;
use serde_json::json;
use wits_game::{Seat, Seed};
use wits_play::check::check_from;
use wits_play::contract::follows;
use wits_play::{AnyGame, Budget, Catalog, Limits, Recorder, Shelf, Spec};
use wits_search::Thread;

use crate::args::ThreadCheckArgs;
use crate::gallery::{decide, middle};
use crate::out::{Out, Progress};
use crate::play::limits;
use crate::{Answer, matches, shelf, stop};

/// Games are followed for up to this many random moves before somebody decides.
const LONGEST: usize = 64;
/// How many steps of a decision are kept.
const STEPS: usize = 2_000;
/// So many failures are told in words.
const TOLD: usize = 20;

/// A machine in a seat that it can take.
struct Machine {
    game: Arc<dyn AnyGame>,
    shelf: Shelf,
    by: Spec,
    seat: Seat,
}

/// What the checks came to.
#[derive(Default)]
struct Tally {
    decisions: u64,
    steps: u64,
    checked: u64,
    trusted: u64,
    failures: Vec<String>,
}

/// Records and checks so many decisions, the machines in turn.
pub(super) fn run(catalog: &Catalog, args: &ThreadCheckArgs, out: &Out, n: u64) -> Result<Answer> {
    let seed = args.seed.or_fresh();
    let machines = machines(catalog)?;
    let limits = limits(args.time).and(Limits::nodes(args.nodes));
    let (next, halt) = (AtomicUsize::new(0), stop::flag());
    let tally = Mutex::new(Tally::default());
    let progress = Progress::start();
    let work = || {
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            if i as u64 >= n || halt.load(Ordering::Relaxed) {
                return;
            }
            let machine = &machines[i % machines.len()];
            // Every machine decides at many points of a game, from its first move to its last.
            let plies = 7 * (i / machines.len()) + i;
            let after = (seed.nth(i as u64), (plies % LONGEST) as u32);
            let told = one(machine, after, limits, &halt);
            let mut tally = tally
                .lock()
                .unwrap_or_else(std::sync::PoisonError::into_inner);
            tally.add(told);
            progress.show(tally.decisions, n, &machine.by.name);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..matches::threads(args.threads) {
            scope.spawn(work);
        }
    });
    progress.done();
    let tally = tally
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    let ok = tally.failures.is_empty();
    let value = json!({
        "ok": ok, "decisions": tally.decisions, "machines": machines.len(), "seed": seed, "steps": tally.steps,
        "checked": tally.checked, "trusted": tally.trusted, "failed": tally.failures.len(), "failures": tally.failures,
    });
    out.tell(&value, || {
        let mut text = format!(
            "{} decisions of {} machines in their seats: {} steps, {} checked, {} taken on trust, {} failed\n",
            tally.decisions,
            machines.len(),
            tally.steps,
            tally.checked,
            tally.trusted,
            tally.failures.len()
        );
        for failure in tally.failures.iter().take(TOLD) {
            let _ = writeln!(text, "{failure}");
        }
        text
    })?;
    Ok(if ok { Answer::Yes } else { Answer::No })
}

impl Tally {
    fn add(&mut self, told: Result<(u64, u64, u64), String>) {
        self.decisions += 1;
        match told {
            Ok((steps, checked, trusted)) => {
                self.steps += steps;
                self.checked += checked;
                self.trusted += trusted;
            }
            Err(failure) => self.failures.push(failure),
        }
    }
}

/// Every machine of every game, in every seat that it can take.
fn machines(catalog: &Catalog) -> Result<Vec<Machine>> {
    let mut all = Vec::new();
    for entry in catalog.entries() {
        let spec = Spec::named(entry.id());
        let shelf = shelf::fill(catalog, &spec, &[])?;
        let game = catalog.game(&spec, &shelf)?;
        for card in entry.players().iter().filter(|card| card.id != "human") {
            for seat in Seat::all(game.seats()).filter(|&seat| card.roles.allow(seat)) {
                all.push(Machine {
                    game: Arc::clone(&game),
                    shelf: shelf.clone(),
                    by: Spec::named(card.id),
                    seat,
                });
            }
        }
    }
    Ok(all)
}

/// One decision after so many random moves: recorded, written, read back, and held to the rules and to the law of threads.
fn one(
    machine: &Machine,
    (seed, plies): (Seed, u32),
    limits: Limits,
    halt: &Arc<AtomicBool>,
) -> Result<(u64, u64, u64), String> {
    let Machine {
        game,
        shelf,
        by,
        seat,
    } = machine;
    let table = middle(&**game, seed, plies, |one| one == *seat);
    if table.turn().seat() != Some(*seat) {
        // This seat never had anything to choose.
        return Ok((0, 0, 0));
    }
    let named = |what: String| format!("{} {by}, seat {seat}: {what}", game.spec());
    let budget = Budget::with_stop(limits, Arc::clone(halt));
    let recorder = Recorder::new(STEPS);
    let thread = decide(&**game, table.as_ref(), by, shelf, (recorder, &budget));
    let thread = thread.map_err(|e| named(e.to_string()))?;
    let read = Thread::read(&thread.text()).map_err(|e| named(e.to_string()))?;
    if read != thread {
        return Err(named("what is read back is another thread".to_owned()));
    }
    follows(&**game, table.as_ref(), &thread).map_err(|e| named(e.to_string()))?;
    let report = check_from(&**game, table.as_ref(), &thread);
    Ok((report.steps, report.checked, report.trusted))
}
