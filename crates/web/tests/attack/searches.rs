//! Fifty people who all want the heaviest search at once.

use std::time::{Duration, Instant};

use wits_play::Limits;
use wits_web::testing::{Client, measured};

use crate::{begin, house, play, until};

/// Never ends by itself.
const HEAVY: &str = "mcts:nodes=1000000000";
/// Lets a page ask for it.
const DEAR: (u64, f64) = (u64::MAX, f64::INFINITY);

#[test]
fn fifty_heavy_searches() {
    let thinking = Duration::from_millis(150);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    // One place for each thinker, and one for jobs that have cost little yet.
    let most = cores.saturating_sub(1).max(1) + 1;
    let house = house(|config| {
        config.thinking = Limits::time(thinking);
        config.seat = DEAR;
    });
    let mut games: Vec<(Client, String)> = (0..50)
        .map(|_| {
            let mut client = house.visitor();
            let page = begin(&mut client, &["human", HEAVY]);
            (client, page)
        })
        .collect();
    let start = Instant::now();
    for (client, page) in &mut games {
        assert_eq!(play(client, page, 0, 1, "b2").0, 200);
    }
    let mut busiest = 0;
    let mut waits = Vec::new();
    let mut looker = house.visitor();
    let deadline = Duration::from_secs(100);
    while house.engine.load().0 + house.engine.load().1 > 0 {
        assert!(
            start.elapsed() < deadline,
            "{:?} still wait",
            house.engine.load()
        );
        busiest = busiest.max(house.engine.load().0);
        let begun = Instant::now();
        assert_eq!(looker.get("/threads").unwrap().status, 200);
        waits.push(begun.elapsed());
        std::thread::sleep(Duration::from_millis(5));
    }
    let all = start.elapsed();
    for (client, page) in &mut games {
        until("every machine has answered", || {
            client.get(&format!("{page}/state")).unwrap().json()["ply"] == 2
        });
    }
    assert!((1..=most).contains(&busiest), "{busiest} thought at once");
    waits.sort();
    let slow = waits[waits.len() * 99 / 100];
    assert!(
        slow < Duration::from_secs(3),
        "99% of pages within {slow:?}"
    );
    measured(
        "heavy-searches",
        format!(
            "50 searches of {} ms: at most {busiest} of {most} at once, all done after {:.1} s; pages at the 99th percentile {} ms",
            thinking.as_millis(),
            all.as_secs_f64(),
            slow.as_millis()
        ),
    );
}

/// The first page of every room, and of what is beside them.
const FIRST: [&str; 15] = [
    "/",
    "/matchbox",
    "/thue",
    "/rainbow",
    "/othello",
    "/scrabble",
    "/transit",
    "/learn",
    "/expert",
    "/arena",
    "/lessons",
    "/docs",
    "/glossary",
    "/threads",
    "/new/tictactoe",
];

#[test]
fn first_pages_do_not_queue() {
    let house = house(|config| {
        config.thinkers = Some(1);
        config.seat = DEAR;
        config.thinking = Limits::time(Duration::from_secs(2));
    });
    let html = [("accept", "text/html")];
    let mut looker = house.visitor();
    looker.patient = false;
    until("while nobody thinks, a page has everything", || {
        let whole = looker.send("GET", "/thue", &html, "").unwrap();
        whole.body.contains("id=\"lost\"") && !whole.body.contains("data-later")
    });
    for _ in 0..50 {
        let mut client = house.visitor();
        let page = begin(&mut client, &["human", HEAVY]);
        assert_eq!(play(&mut client, &page, 0, 1, "b2").0, 200);
    }
    let (mut slowest, mut without) = ((Duration::ZERO, ""), 0);
    for path in FIRST {
        let begun = Instant::now();
        let reply = looker.send("GET", path, &html, "").unwrap();
        let took = begun.elapsed();
        assert_eq!(reply.status, 200, "{path}");
        assert!(reply.body.contains("<h1"), "{path}: {}", reply.body);
        without += usize::from(reply.body.contains("data-later"));
        slowest = slowest.max((took, path));
        assert!(took < Duration::from_secs(3), "{path} took {took:?}");
    }
    let (thinking, waiting, _) = house.engine.load();
    assert!(
        thinking + waiting > 20,
        "{waiting} searches still wait: the pages did not"
    );
    assert!(
        (1..=3).contains(&without),
        "{without} pages leave room for thoughts"
    );
    measured(
        "first-pages",
        format!(
            "{} first pages with {waiting} jobs waiting for one thinker: {without} without their thoughts, the slowest ({}) after {} ms",
            FIRST.len(),
            slowest.1,
            slowest.0.as_millis()
        ),
    );
}

#[test]
fn many_games_think_one_at_a_time() {
    let house = house(|config| {
        config.thinkers = Some(4);
        config.seat = DEAR;
        config.thinking = Limits::time(Duration::from_millis(400));
    });
    let mut greedy = house.visitor();
    let pages: Vec<String> = (0..6)
        .map(|_| begin(&mut greedy, &["human", HEAVY]))
        .collect();
    let mut other = house.visitor();
    let theirs = begin(&mut other, &["human", HEAVY]);
    for page in &pages {
        assert_eq!(play(&mut greedy, page, 0, 1, "b2").0, 200);
    }
    until("the first thinks", || house.engine.load().0 > 0);
    let mut busiest = 0;
    for _ in 0..20 {
        busiest = busiest.max(house.engine.load().0);
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(busiest, 1, "six games of one session");
    let start = Instant::now();
    assert_eq!(play(&mut other, &theirs, 0, 1, "b2").0, 200);
    until("another session is answered", || {
        other.get(&format!("{theirs}/state")).unwrap().json()["ply"] == 2
    });
    let waiting = house.engine.load().1;
    measured(
        "one-account",
        format!(
            "6 games of one session, 4 thinkers: {busiest} thought at a time; another session answered after {:.1} s with {waiting} still waiting",
            start.elapsed().as_secs_f64()
        ),
    );
}
