//! The contract over a game with everything in it: three seats, hidden hands, chance, a learner.

use std::sync::atomic::AtomicBool;

use wits_game::{Eyes, Seat, Seed, Turn};
use wits_play::contract::{Laws, check_entry};
use wits_play::toys::tricks;
use wits_play::{AnyPlayer, Catalog, Choice, Runner, Series, Shelf, Spec};

#[test]
fn the_contract_holds() {
    check_entry(&*tricks().erase(), &Shelf::new(), &Laws::default()).unwrap();
}

#[test]
fn a_learner_lives_through_many_games() {
    let game = tricks()
        .erase()
        .game(&Spec::named("tricks"), &Shelf::new())
        .unwrap();
    let mut players: Vec<Box<dyn AnyPlayer>> = ["habit", "random", "random"]
        .iter()
        .zip(Seat::all(3))
        .map(|(id, seat)| game.player(&Spec::named(*id), seat, &Shelf::new()).unwrap())
        .collect();
    let (mut early, mut late) = (0, 0);
    for n in 0..400 {
        let mut sitting: Vec<&mut dyn AnyPlayer> = players
            .iter_mut()
            .map(|p| &mut **p as &mut dyn AnyPlayer)
            .collect();
        let finished =
            Runner::default().run(&*game, &mut sitting, Seed::new(3).nth(n), &Shelf::new());
        assert!(finished.fault.is_none());
        *(if n < 100 { &mut early } else { &mut late }) += finished.outcome.payoff(Seat::FIRST);
    }
    let memory = players[0].memory().unwrap();
    assert!(
        memory.as_object().unwrap().len() > 5,
        "it remembers most cards: {memory}"
    );
    assert!(early > 0 && late > 0);
}

/// Every byte that another seat can read is the same whatever the hidden hands are.
#[test]
fn other_eyes_read_nothing_secret() {
    let game = tricks()
        .erase()
        .game(&Spec::named("tricks"), &Shelf::new())
        .unwrap();
    let mut table = game.begin(Seed::new(11), None);
    table.settle();
    let public = format!(
        "{:?} {} {:?}",
        table.told(Eyes::Public),
        table.view(Eyes::Public),
        table.scene(Eyes::Public)
    );
    assert!(public.contains("deal ??|??|??"), "{public}");
    let all = table.view(Eyes::All);
    for hand in all["hands"].as_array().unwrap() {
        assert!(
            !table
                .view(Eyes::Public)
                .to_string()
                .contains(&hand.to_string())
        );
    }
    let own = table.told(Eyes::Seat(Seat::SECOND))[0].text.clone();
    assert!(
        own.starts_with("deal ??|") && own.ends_with("|??") && own.matches('?').count() == 4,
        "{own}"
    );
    assert!(
        table.undo(0).is_err(),
        "undoing a deal would show what was drawn"
    );
    assert_eq!(table.turn(), Turn::Of(Seat::FIRST));
}

/// Adding a second game takes one type and one line in a list.
#[test]
fn a_catalog_is_a_list() {
    let catalog = Catalog::new(vec![tricks().erase()]);
    assert!(catalog.entry("tricks").is_ok());
    let error = catalog.entry("trics").err().unwrap().to_string();
    assert_eq!(
        error,
        "there is no game `trics`; did you mean `tricks`? there are: tricks"
    );
}

#[test]
fn a_series_wants_a_table_for_two() {
    let game = tricks()
        .erase()
        .game(&Spec::named("tricks"), &Shelf::new())
        .unwrap();
    let random = Spec::named("random");
    let series = Series {
        game: &*game,
        a: &random,
        b: &random,
        shelf: &Shelf::new(),
        runner: Runner::default(),
        seed: Seed::new(1),
        games: 1,
    };
    let error = series
        .play(1, &AtomicBool::new(false), &|_| {})
        .unwrap_err();
    assert_eq!(error.code, "wrong-seats");
}

#[test]
fn a_stopped_imagination_still_answers() {
    let game = tricks()
        .erase()
        .game(&Spec::named("tricks"), &Shelf::new())
        .unwrap();
    let mut table = game.begin(Seed::new(5), None);
    table.settle();
    let mut player = game
        .player(
            &"ismcts:nodes=500".parse().unwrap(),
            Seat::FIRST,
            &Shelf::new(),
        )
        .unwrap();
    let budget = wits_play::Budget::endless();
    let mut heard = 0;
    let mut tell = |_: &wits_play::Thought<String>| heard += 1;
    let desk = wits_play::AnyDesk {
        budget: &budget,
        dice: table.dice(Seat::FIRST),
        tell: &mut tell,
        record: None,
    };
    let Choice::Move(text) = player.choose(table.as_ref(), desk) else {
        panic!("it resigned")
    };
    assert!(table.play(Seat::FIRST, &text, None).is_ok());
    assert!(heard > 0);
}

/// Every way a decision can end, at a table with a clock of one second for each seat.
#[test]
fn a_machine_that_breaks_down_loses_its_game_only() {
    use std::time::Duration;
    use wits_play::{Clock, Event, Fault, Sitting, TimeControl};

    let entry = tricks().erase();
    let game = entry.game(&Spec::named("tricks"), &Shelf::new()).unwrap();
    let control = TimeControl::PerGame {
        ms: 1000,
        increment_ms: 100,
    };
    let ms = Duration::from_millis;
    for (choice, thought, fault, left) in [
        (
            Err(Fault::Crash("oops".to_owned())),
            ms(10),
            Some(Fault::Crash("oops".to_owned())),
            ms(1000),
        ),
        (Ok(Choice::Resign), ms(10), None, ms(1000)),
        (Ok(Choice::Move(String::new())), ms(300), None, ms(800)),
        (
            Ok(Choice::Move(String::new())),
            ms(1001),
            Some(Fault::Late(String::new())),
            ms(0),
        ),
    ] {
        let mut table = game.begin(Seed::new(5), None);
        table.settle();
        let Turn::Of(seat) = table.turn() else {
            panic!("somebody is to move");
        };
        let mut clock = Clock::new(control, game.seats());
        let choice = choice.map(|choice| match choice {
            Choice::Move(_) => Choice::Move(table.options()[0].clone()),
            Choice::Resign => Choice::Resign,
        });
        let goes_on = fault.is_none() && choice != Ok(Choice::Resign);
        let mut sitting = Sitting {
            game: &*game,
            table: table.as_mut(),
            clock: &mut clock,
            timed: true,
        };
        let named = fault.as_ref().map(|fault| format!("({})", fault.name()));
        assert_eq!(
            sitting.decide(seat, choice.clone(), thought),
            fault,
            "{choice:?}"
        );
        if let Turn::Over(outcome) = table.turn() {
            let why = outcome.why.to_string();
            assert_eq!(named.is_some(), why.contains('('), "{why}");
            assert!(named.is_none_or(|word| why.contains(&word)), "{why}");
        }
        assert_eq!(
            matches!(table.turn(), Turn::Of(_) | Turn::Chance),
            goes_on,
            "{choice:?}"
        );
        assert_eq!(clock.left(seat), Some(left), "{choice:?}");
        // Whoever takes the game up again finds the same clocks, as long as it goes on.
        if goes_on {
            assert_eq!(Clock::after(control, &*game, table.as_ref()), clock);
            let measured = matches!(
                table.events().last(),
                Some(Event::Move { ms: Some(300), .. })
            );
            assert!(measured, "{:?}", table.events());
        }
    }
    let mut table = game.begin(Seed::new(5), None);
    table.settle();
    let Turn::Of(seat) = table.turn() else {
        panic!("somebody is to move");
    };
    let mut clock = Clock::new(TimeControl::None, game.seats());
    let mut sitting = Sitting {
        game: &*game,
        table: table.as_mut(),
        clock: &mut clock,
        timed: true,
    };
    let cheat = sitting.decide(seat, Ok(Choice::Move("nonsense".to_owned())), ms(1));
    assert!(matches!(cheat, Some(Fault::Illegal(_))), "{cheat:?}");
    assert!(matches!(table.turn(), Turn::Over(_)));
}
