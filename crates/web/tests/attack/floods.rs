//! Too often, twice, and in the wrong game.

use serde_json::json;
use wits_web::Rate;
use wits_web::testing::{Client, measured};

use crate::wire::{head, say, status};
use crate::{begin, house, play};

#[test]
fn floods_are_slowed_down() {
    let house = house(|config| {
        config.rates.changes = Rate {
            burst: 50.0,
            per_second: 2.0,
        };
    });
    let (mut me, mut other) = (house.visitor(), house.visitor());
    let page = begin(&mut me, &["human", "human"]);
    let theirs = begin(&mut other, &["human", "human"]);
    let (mut slowed, mut wait) = (0, None);
    for _ in 0..300 {
        let body = json!({"ply": 0, "seat": 1, "move": "z9"});
        let reply = me.post(&format!("{page}/move"), &body).unwrap();
        assert!([422, 429].contains(&reply.status), "{}", reply.body);
        if reply.status == 429 {
            slowed += 1;
            wait = reply.header("retry-after").map(str::to_owned);
        }
    }
    assert!(slowed >= 100, "{slowed} of 300");
    assert!(wait.is_some_and(|s| s.parse::<u64>().is_ok_and(|s| (1..=5).contains(&s))));
    assert_eq!(
        play(&mut other, &theirs, 0, 1, "b2").0,
        200,
        "others notice nothing"
    );
    assert_eq!(
        me.get(&format!("{page}/state")).unwrap().status,
        200,
        "looking goes on"
    );
    measured(
        "move-flood",
        format!(
            "limit set to 50 at once and 2 a second: {slowed} of 300 got 429, another session 200"
        ),
    );
}

#[test]
fn an_address_without_cookies_is_counted_too() {
    let house = house(|config| {
        config.rates.address = Rate {
            burst: 30.0,
            per_second: 1.0,
        };
    });
    let address = house.address();
    let ask = || {
        let request = head(address, "GET /threads", "connection: close\r\n");
        status(&say(address, request.as_bytes()))
    };
    let seen: Vec<_> = (0..100).map(|_| ask()).collect();
    let slowed = seen.iter().filter(|s| **s == Some(429)).count();
    assert!(seen[0] == Some(200) && slowed >= 30, "{seen:?}");
    measured(
        "flood-of-strangers",
        format!("limit set to 30 at once and 1 a second: {slowed} of 100 got 429"),
    );
}

/// A program that shows a token passes by the limit of its address, which people share; tokens are as free
/// as cookies, so those of one address have a limit together.
#[test]
fn tokens_are_counted_by_address() {
    let house = house(|config| {
        config.rates.tokens = Rate {
            burst: 20.0,
            per_second: 1.0,
        };
    });
    let mut me = house.visitor();
    let tokens: Vec<String> = ["one", "two", "three"]
        .into_iter()
        .map(|name| {
            let made = me.post("/bots", &json!({"name": name})).unwrap().json();
            format!("Bearer {}", made["token"].as_str().unwrap())
        })
        .collect();
    let mut program = Client::script(house.address());
    let mut ask = |token: &str, path: &str| {
        let shown = [("authorization", token)];
        program.send("GET", path, &shown, "").unwrap().status
    };
    let seen: Vec<u16> = (0..90).map(|n| ask(&tokens[n % 3], "/api/bot")).collect();
    let slowed = seen.iter().filter(|status| **status == 429).count();
    assert!(seen[0] == 200 && slowed >= 40, "{seen:?}");
    // Other addresses, and pages, are not asked by programs: there a token counts for nothing.
    assert_eq!(ask(&tokens[0], "/bots"), 200);
    assert_eq!(ask(&tokens[0], "/api/bottle"), 404);
    let mut other = Client::at(house.address(), [127, 0, 0, 3].into());
    other.origin = None;
    let shown = [("authorization", tokens[0].as_str())];
    let theirs = other.send("GET", "/api/bot", &shown, "").unwrap();
    assert_eq!(theirs.status, 200, "{}", theirs.body);
    measured(
        "tokens-per-address",
        format!(
            "limit set to 20 at once and 1 a second: {slowed} of 90 requests with 3 tokens got 429, another address 200"
        ),
    );
}

#[test]
fn double_posts_play_once() {
    let house = house(|_| {});
    let mut me = house.visitor();
    let page = begin(&mut me, &["human", "human"]);
    me.post(&format!("{page}/sit"), &json!({"seat": 2}))
        .unwrap();
    let mut played = 0;
    for (ply, square) in ["b2", "a1", "c1"].into_iter().enumerate() {
        let twins: Vec<_> = (0..40)
            .map(|_| {
                let (mut me, page) = (me.clone(), page.clone());
                let ply = ply as u64;
                std::thread::spawn(move || play(&mut me, &page, ply, 1 + ply % 2, square))
            })
            .collect();
        let answers: Vec<_> = twins.into_iter().map(|t| t.join().unwrap()).collect();
        assert!(
            answers.iter().all(|(status, _)| *status == 200),
            "{answers:?}"
        );
        let once = answers.iter().filter(|(_, v)| v["played"] == true).count();
        assert_eq!(once, 1, "{square}");
        played += once;
    }
    let state = me.get(&format!("{page}/state")).unwrap().json();
    assert_eq!(state["moves"].as_array().unwrap().len(), 3);
    // Forty different moves at once: one is played, the others are told of it.
    let squares = ["a2", "a3", "b1", "b3", "c2", "c3"];
    let rivals: Vec<_> = (0..40)
        .map(|n| {
            let (mut me, page) = (me.clone(), page.clone());
            std::thread::spawn(move || play(&mut me, &page, 3, 2, squares[n % 6]))
        })
        .collect();
    let answers: Vec<_> = rivals.into_iter().map(|t| t.join().unwrap()).collect();
    let new = answers.iter().filter(|(_, v)| v["played"] == true).count();
    assert_eq!(new, 1, "{answers:?}");
    measured(
        "double-posts",
        format!("3 moves, each 40 times at once: {played} played; 40 rivals at once: {new} played"),
    );
}

#[test]
fn nobody_moves_in_anothers_game() {
    let house = house(|_| {});
    let (mut me, mut thief) = (house.visitor(), house.visitor());
    let page = begin(&mut me, &["human", "random"]);
    begin(&mut thief, &["human", "random"]);
    let mut nobody = Client::new(house.address());
    let deeds = [
        ("move", json!({"ply": 0, "seat": 1, "move": "b2"})),
        ("move", json!({"ply": 0, "move": "b2"})),
        ("move", json!({"ply": 0, "seat": 2, "move": "b2"})),
        ("resign", json!({"seat": 1})),
        ("resign", json!({})),
        ("undo", json!({})),
        ("hint", json!({"seat": 1})),
        ("sit", json!({"seat": 2})),
    ];
    let mut refused = 0;
    for (deed, body) in &deeds {
        for client in [&mut thief, &mut nobody] {
            let reply = client.post(&format!("{page}/{deed}"), body).unwrap();
            assert_eq!(reply.status, 403, "{deed} {body}: {}", reply.body);
            refused += 1;
        }
    }
    let sit = thief
        .post(&format!("{page}/sit"), &json!({"seat": 1}))
        .unwrap();
    assert_eq!(sit.status, 409, "the seat is taken");
    assert_eq!(me.get(&format!("{page}/state")).unwrap().json()["seq"], 0);
    assert_eq!(play(&mut me, &page, 0, 1, "b2").0, 200);
    measured(
        "others-games",
        format!("{refused} of {refused} deeds refused, the game unchanged"),
    );
}
