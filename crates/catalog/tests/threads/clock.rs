//! A decision that a clock ended is made again as it was: with the same choice and the same value, followed and under a
//! clock that says something else.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use wits_game::{Seat, Seed};
use wits_play::{
    AnyDesk, AnyGame, AnyMatch, Budget, Choice, Limits, Recorder, Shelf, Spec, Thought,
};
use wits_search::{Gate, Kind, Thread};

/// A clock that goes on by a millisecond whenever somebody looks at it.
#[derive(Debug)]
struct Ticking(Arc<AtomicU64>);

impl Gate for Ticking {
    fn pass(&self) -> Duration {
        self.0.fetch_add(1_000, Ordering::Relaxed);
        Duration::ZERO
    }
}

/// A budget that ends after so many looks at the clock.
fn looks(count: u64) -> Budget {
    let clock = Arc::<AtomicU64>::default();
    let limits = Limits::time(Duration::from_millis(count));
    let budget = Budget::with_fake_clock(limits, Arc::default(), Arc::clone(&clock));
    budget.at_gate(Arc::new(Ticking(clock)))
}

/// What a machine chooses, how it speaks of it at last, and its thread.
fn decide(
    (game, table): (&dyn AnyGame, &dyn AnyMatch),
    by: &Spec,
    budget: &Budget,
    recorder: Option<Recorder>,
) -> (String, Option<Thought<String>>, Option<Thread>) {
    let seat = table.turn().seat().unwrap();
    let mut player = game.player(by, seat, &Shelf::new()).unwrap();
    let (mut last, mut recorder) = (None, recorder);
    let mut tell = |thought: &Thought<String>| last = Some(thought.clone());
    let desk = AnyDesk {
        budget,
        dice: table.dice(seat),
        tell: &mut tell,
        record: recorder.as_mut(),
    };
    let choice = match player.choose(table, desk) {
        Choice::Move(text) => text,
        Choice::Resign => "resign".to_owned(),
    };
    let thread = recorder.map(|r| player.thread(r, game, table, Seed::new(1), &choice));
    (choice, last, thread)
}

#[test]
fn a_decision_that_a_clock_ended_is_made_again_as_it_was() {
    let (mut ended, mut games) = (0, std::collections::BTreeSet::new());
    let mut wrong = Vec::new();
    for entry in wits_catalog::all().entries() {
        let game = entry.game(&Spec::named(entry.id()), &Shelf::new()).unwrap();
        for card in entry.players().iter().filter(|card| card.id != "human") {
            // What stands in a book takes no time.
            let by: Spec = match card.id {
                "engine" => "engine:seconds=60,book=false".parse().unwrap(),
                "mcts" => "mcts:nodes=1000000".parse().unwrap(),
                id => Spec::named(id),
            };
            // Its solver searches on several threads, and a clock ends them anywhere.
            if (entry.id(), card.id) == ("thue", "perfect") {
                continue;
            }
            for seat in Seat::all(game.seats()).filter(|&seat| card.roles.allow(seat)) {
                let Some(table) = super::many::under_way(&*game, Seed::new(5), 4, seat) else {
                    continue;
                };
                for count in [7, 40] {
                    let at = (&*game, table.as_ref());
                    let budget = looks(count).noting();
                    let (chosen, last, _) = decide(at, &by, &budget, None);
                    let looks = budget.looks().unwrap();
                    if !looks.decided() {
                        continue;
                    }
                    ended += 1;
                    games.insert(entry.id());
                    // A clock that stands still: it is no limit to anybody.
                    let still =
                        Budget::with_fake_clock(budget.limits(), Arc::default(), Arc::default());
                    let still = still.repeating(looks);
                    let recorder = Some(Recorder::new(2_000));
                    let (again, now, thread) = decide(at, &by, &still, recorder);
                    let name = format!("{} {by}, {count} looks", entry.id());
                    let said = |thought: Option<Thought<String>>| {
                        thought.map(|t| (t.nodes, t.lines.first().map(|l| l.worth.json())))
                    };
                    let (before, now) = (said(last), said(now));
                    if (&chosen, &before) != (&again, &now) {
                        wrong.push(format!(
                            "{name}: {chosen} {before:?}, again {again} {now:?}"
                        ));
                    }
                    // What the page compares: the value in the game and that of the thread.
                    let steps = thread.unwrap().steps;
                    let choose = steps.iter().rfind(|step| step.kind == Kind::Choose);
                    // What a rule counts for its choice need not be what it says of it.
                    let choose = choose.filter(|step| step.data.get("by") != Some(&"rule".into()));
                    let told = choose.and_then(|step| step.data.get("value")?.as_f64());
                    let value = before.and_then(|(_, value)| value?.as_f64());
                    if let (Some(told), Some(value)) = (told, value)
                        && (told - value).abs() > 1e-9
                    {
                        wrong.push(format!("{name}: {value} in the game, {told} in the thread"));
                    }
                }
            }
        }
    }
    println!("{ended} in {games:?}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(ended > 20 && games.len() > 5, "{ended} in {games:?}");
}
