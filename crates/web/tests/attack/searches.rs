//! Fifty people who all want the heaviest search at once.

use std::time::{Duration, Instant};

use serde_json::json;
use wits_play::Limits;
use wits_web::testing::{Client, House, measured};

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
    // All came to their end: none was left to rest, to begin anew when somebody looks.
    for (client, page) in &mut games {
        client.get(&format!("{page}/state")).unwrap();
    }
    let (running, waiting, _) = house.engine.load();
    assert_eq!((running, waiting), (0, 0), "nobody thinks any more");
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

/// Who leaves has nothing running: a game that nobody listens to or asks for rests.
#[test]
fn games_that_were_left_rest() {
    let house = house(|config| {
        config.thinking = Limits::NONE;
        config.seat = DEAR;
        config.presence = Duration::from_millis(600);
    });
    let mut pages = Vec::new();
    for seats in [[HEAVY, "human"], [HEAVY, HEAVY]].repeat(3) {
        // Nobody's stream is open; the second kind has no person's seat at all.
        let mut client = house.visitor();
        let page = begin(&mut client, &seats);
        pages.push((client, page));
    }
    assert!(house.engine.load().0 > 0, "machines begin at once");
    until("they rest", || {
        let (running, waiting, _) = house.engine.load();
        running + waiting == 0
    });
    // Whoever lists their games starts none of them; whoever asks for one does.
    let (client, page) = &mut pages[0];
    assert_eq!(client.get("/games").unwrap().status, 200);
    assert_eq!(house.engine.load().0 + house.engine.load().1, 0);
    client.get(&format!("{page}/state")).unwrap();
    assert!(house.engine.load().0 > 0, "it goes on");
    until("it rests again", || house.engine.load().0 == 0);
    measured(
        "left-games",
        "limit set to 0.6 s: 6 games with endless searches, left at once: all rest; the next look began one again",
    );
}

/// Threads of a search's own would pass by the places that are shared out.
#[test]
fn a_visitors_search_has_one_thread() {
    let house = house(|_| {});
    let mut me = house.guest();
    let wide = "alphabeta:depth=3,threads=64";
    let table = me.post(
        "/games",
        &json!({"game": "tictactoe", "seats": ["human", wide]}),
    );
    let form = [("content-type", "application/x-www-form-urlencoded")];
    let order = "game=tictactoe&players=random%0Amcts%3Athreads%3D64&games=2&plies=1&seed=1";
    let tournament = me.send("POST", "/arena", &form, order);
    let node = json!({"game": "tictactoe", "subject": "", "line": ["b2"], "by": wide});
    let subtree = me.post("/api/house/again", &node);
    for (what, reply) in [
        ("table", table),
        ("tournament", tournament),
        ("subtree", subtree),
    ] {
        let reply = reply.unwrap();
        let code = reply.json()["error"]["code"].clone();
        assert_eq!(
            (reply.status, code.as_str()),
            (422, Some("too-dear")),
            "{what}"
        );
    }
    measured(
        "one-thread",
        "64 threads at a table, in a tournament and for a subtree: 3 of 3 got 422",
    );
}

/// A tournament plays a whole pairing at a time, and lets others through inside it.
#[test]
fn tournaments_let_others_through() {
    let games = vec![
        wits_matchbox::tictactoe::entry().erase(),
        wits_othello::entry().erase(),
    ];
    let store = wits_store::Store::memory().unwrap();
    let house = House::open(wits_play::Catalog::new(games), store, |config| {
        config.thinkers = Some(1);
        config.thinking = Limits::time(Duration::from_secs(10));
    });
    let mut me = house.guest();
    let form = [("content-type", "application/x-www-form-urlencoded")];
    // Every decision takes as long as it may, half a second: a pairing takes a minute.
    let slow = "mcts%3Anodes%3D1000000000";
    let order = format!("game=othello&players={slow}%0A{slow}%2Cexploration%3D1&games=2&seed=1");
    let begun = me.send("POST", "/arena", &form, &order).unwrap();
    assert_eq!(begun.status, 200, "{}", begun.body);
    until("it plays", || house.engine.load().0 > 0);
    // Two that think for longer than the quick place allows: they need the tournament's.
    let start = Instant::now();
    let mut games: Vec<(Client, String)> = (0..2)
        .map(|_| {
            let mut client = house.guest();
            let page = begin(&mut client, &["human", "mcts:nodes=1000000"]);
            assert_eq!(play(&mut client, &page, 0, 1, "b2").0, 200);
            (client, page)
        })
        .collect();
    for (client, page) in &mut games {
        until("it is answered", || {
            client.get(&format!("{page}/state")).unwrap().json()["ply"] == 2
        });
    }
    let took = start.elapsed();
    let page = begun.json()["page"].as_str().unwrap().to_owned();
    let name = page.split_once("name=").unwrap().1.to_owned();
    let shown = me.get(&page).unwrap().body;
    let stopped = me.send("POST", "/arena/run/stop", &form, &format!("name={name}"));
    assert_eq!(stopped.unwrap().status, 200);
    assert!(shown.contains("0 of 1 "), "no pairing is over yet: {shown}");
    measured(
        "tournaments-yield",
        format!(
            "one thinker, a tournament of half a second a move: 2 others were answered within {:.1} s, before its first pairing was over",
            took.as_secs_f64()
        ),
    );
}
