//! Files that are worse than they look: small ones that are huge once they are laid out, and many
//! large ones from somebody without a name.

use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::json;
use wits_transit::{Builder, Calendar, Mode, Projection, pack};
use wits_web::testing::{Client, measured};

use crate::common::Server;
use crate::visitors::{in_full, resident, under_attack};
use crate::zip::{files, zip};

/// A packed timetable of one pattern with many stops, whose trips all share one run: small as a
/// file, and larger than any memory once it is laid out.
fn wide_timetable(stops: u32, trips: usize) -> Vec<u8> {
    let mut builder = Builder::new("wide", Calendar::EveryDay);
    let calls: Vec<(u32, i32, i32)> = (0..stops)
        .map(|i| (builder.stop("x", "", None), i as i32, i as i32))
        .collect();
    let line = builder.line("1", "", Mode::Bus);
    builder.trip(line, 0, None, &calls);
    let mut table = builder.finish(Projection::Ellipsoid);
    table.trips = vec![table.trips[0]; trips];
    pack::write(&table)
}

#[test]
fn crafted_timetables() {
    let files = [
        wide_timetable(60_000, 60_000),
        wide_timetable(400_000, 500_000),
        // Many stops and few trips, as large as it may be: it is read, and takes its time.
        wide_timetable(190_000, 30),
    ];
    under_attack("crafted-timetables", files.len(), |me, n| {
        let sent = me.send_bytes("POST", "/transit/feed?name=x", &[], &files[n]);
        let sent = sent.unwrap();
        let refused = sent.json()["error"]["message"].is_string();
        assert!(n == 2 || refused, "{}", sent.body);
        me.get("/transit").unwrap();
    });
}

/// A zip of some hundred kilobytes that unpacks to 400 MB.
#[test]
fn zipped_bombs() {
    let line = b"t,08:00:00,08:00:00,a,1\n";
    let mut all: Vec<_> = files().into_iter().map(|(n, b)| (n, b, None)).collect();
    all[4].1.extend(line.repeat((400 << 20) / line.len()));
    let honest = zip(&all);
    all[4].2 = Some(1000);
    let lying = zip(&all);
    drop(all);
    under_attack("zip-bombs", 4, |me, n| {
        let bomb = if n % 2 == 0 { &honest } else { &lying };
        assert!(bomb.len() < 2 << 20, "{} bytes", bomb.len());
        let sent = me.send_bytes("POST", "/transit/feed?name=x", &[], bomb);
        let sent = sent.unwrap();
        assert!(sent.json()["error"]["message"].is_string(), "{}", sent.body);
    });
}

/// A sound timetable of about 15 MB: its stops have very long names, of which no two are alike.
fn large_timetable() -> Vec<u8> {
    let mut builder = Builder::new("large", Calendar::EveryDay);
    let mut seed = 1_u64;
    let mut name = || {
        let mut text = String::new();
        while text.len() < 1_000 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            text += &(seed >> 4).to_string();
        }
        text
    };
    let calls: Vec<(u32, i32, i32)> = (0..15_000)
        .map(|i| (builder.stop(&name(), "", None), i, i))
        .collect();
    let line = builder.line("1", "", Mode::Bus);
    builder.trip(line, 0, None, &calls);
    pack::write(&builder.finish(Projection::Ellipsoid))
}

/// Forty feeds of 15 MB, each from a browser without a cookie.
#[test]
fn large_feeds_without_a_name() {
    let feed = large_timetable();
    assert!((13 << 20..18 << 20).contains(&feed.len()), "{}", feed.len());
    let kept = AtomicU64::new(0);
    let each = if in_full() { 10 } else { 1 };
    under_attack("nameless-feeds", 4, |me, _| {
        for _ in 0..each {
            me.cookies.clear();
            let sent = me.send_bytes("POST", "/transit/feed?name=x", &[], &feed);
            let sent = sent.unwrap();
            kept.fetch_add(u64::from(sent.status < 400), Ordering::Relaxed);
            assert!(
                [200, 303, 429, 503, 507].contains(&sent.status),
                "{}",
                sent.body
            );
        }
    });
    assert!(kept.load(Ordering::Relaxed) > 0);
}

/// What a machine remembers of positions goes when it has moved, however many games are open.
#[test]
fn machines_of_open_games() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let mut me = Client::new(server.address);
    let mut play = || {
        let body = json!({"game": "othello", "seats": ["engine:level=3", "human"]});
        let made = me.post("/games", &body).unwrap();
        let page = made.json()["page"].as_str().unwrap().to_owned();
        let mut stream = me.listen(&format!("{page}/events"), None).unwrap();
        stream.wait(|s| s["ply"].as_u64() >= Some(1)).unwrap();
    };
    // Once everything that is shared has been laid out.
    (0..10).for_each(|_| play());
    let before = resident(server.pid());
    let games = 60;
    (0..games).for_each(|_| play());
    let more = resident(server.pid()).saturating_sub(before);
    assert!(more < 120 << 10, "{more} KiB more for {games} games");
    measured(
        "open-machines",
        format!(
            "{games} games against the Othello engine, each after its first move: {} MiB more",
            more >> 10
        ),
    );
}
