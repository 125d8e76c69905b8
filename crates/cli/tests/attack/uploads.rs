//! Files that are worse than they look: small ones that are huge once they are laid out, and many
//! large ones from somebody without a name.

use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::json;
use wits_web::testing::{Client, Reply, measured};

use crate::arsenal::{bombs, crafted, large_timetable};
use crate::common::Server;
use crate::watch::{in_full, resident, under_attack};

/// Whether a feed was refused because it has more of something than the limits allow.
fn too_large(sent: &Reply) -> bool {
    let message = &sent.json()["error"]["message"];
    message
        .as_str()
        .is_some_and(|m| m.contains("cut the feed down"))
}

#[test]
fn crafted_timetables() {
    let files = crafted();
    under_attack("crafted-timetables", files.len(), |me, n| {
        let sent = me.send_bytes("POST", "/transit/feed?name=x", &[], &files[n]);
        let sent = sent.unwrap();
        // From its counts, before anything of it is laid out.
        assert!(n == 2 || too_large(&sent), "{}", sent.body);
        me.get("/transit").unwrap();
    });
}

/// A zip of some hundred kilobytes that unpacks to 400 MB.
#[test]
fn zipped_bombs() {
    let bombs = bombs();
    under_attack("zip-bombs", 4, |me, n| {
        let bomb = &bombs[n % 2];
        assert!(bomb.len() < 2 << 20, "{} bytes", bomb.len());
        let sent = me.send_bytes("POST", "/transit/feed?name=x", &[], bomb);
        let sent = sent.unwrap();
        let refused = sent.json()["error"]["message"].is_string();
        assert!(refused, "{}", sent.body);
        // One that says how large it is, is refused for that.
        assert!(n % 2 == 1 || too_large(&sent), "{}", sent.body);
    });
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
            let sent = me.send_bytes("POST", "/transit/feed?name=x", &[], feed);
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
