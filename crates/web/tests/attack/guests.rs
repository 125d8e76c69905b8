//! Sessions that are signed, guests that are invited, proxies that say who asks.

use serde_json::json;
use wits_play::Catalog;
use wits_store::Store;
use wits_web::testing::{Client, House, measured};
use wits_web::{Rate, invitation};

use crate::wire::{head, say, status};
use crate::{begin, house, lift, play};

#[test]
fn made_up_sessions_count_for_nothing() {
    let house = house(|_| {});
    let mut me = house.visitor();
    let page = begin(&mut me, &["human", "human"]);
    let good = me.cookies["wits"].clone();
    let (name, signature) = good.split_once('.').unwrap();
    let other = begin(&mut house.visitor(), &["human", "human"]);
    assert_ne!(page, other);
    let wrong = "0".repeat(64);
    let forged = [
        name.to_owned(),
        format!("{name}."),
        format!("{name}.{wrong}"),
        format!("{name}.{}", &signature[..62]),
        format!("{name}.{}", signature.chars().rev().collect::<String>()),
        format!("{}.{signature}", "0".repeat(32)),
        format!(".{signature}"),
    ];
    for cookie in &forged {
        let mut thief = me.clone();
        thief.cookies.insert("wits".to_owned(), cookie.clone());
        assert_eq!(play(&mut thief, &page, 0, 1, "b2").0, 403, "{cookie}");
        assert_ne!(thief.cookies["wits"], good);
    }
    let set = house.visitor().get("/").unwrap();
    let set = set.header("set-cookie").unwrap();
    for part in ["HttpOnly", "SameSite=Strict", "Path=/"] {
        assert!(set.contains(part), "{set}");
    }
    assert_eq!(
        play(&mut me, &page, 0, 1, "b2").0,
        200,
        "the true one counts"
    );
    measured(
        "signed-sessions",
        format!("{} forged cookies: none counted", forged.len()),
    );
}

/// A house for guests, and the invitation.
fn closed(change: impl FnOnce(&mut wits_web::Config)) -> (House, String) {
    let store = Store::memory().unwrap();
    let token = invitation(&store, false).unwrap();
    let catalog = Catalog::new(vec![wits_matchbox::tictactoe::entry().erase()]);
    let house = House::open(catalog, store, |config| {
        config.invite = Some(token.clone());
        change(config);
        lift(config);
    });
    (house, token)
}

#[test]
fn only_guests_come_in() {
    let (house, token) = closed(|_| {});
    let mut me = house.visitor();
    let shut = [
        "/",
        "/threads",
        "/new/tictactoe",
        "/games/x/state",
        "/expert",
        "/nothing",
    ];
    for path in shut {
        let reply = me.get(path).unwrap();
        assert_eq!(reply.status, 401, "{path}");
        assert_eq!(reply.header("set-cookie"), None, "{path}");
    }
    let game = json!({"game": "tictactoe"});
    assert_eq!(me.post("/games", &game).unwrap().status, 401);
    let page = me.get("/login").unwrap();
    assert_eq!((page.status, page.header("set-cookie")), (200, None));
    assert!(!page.body.contains(&token));
    for wrong in [
        "",
        "x",
        &token[..31],
        &token
            .to_uppercase()
            .replace(|c: char| c.is_ascii_digit(), "0"),
    ] {
        let reply = me.post("/login", &json!({ "invite": wrong })).unwrap();
        assert_eq!((reply.status, reply.header("set-cookie")), (401, None));
    }
    let reply = me.post("/login", &json!({ "invite": token })).unwrap();
    assert_eq!(reply.status, 200, "{}", reply.body);
    assert_eq!(me.get("/").unwrap().status, 200);
    assert_eq!(me.post("/games", &game).unwrap().status, 201);
    let mut twin = Client::new(house.address());
    let longer = format!("0{}", me.cookies["wits"]);
    twin.cookies.insert("wits".to_owned(), longer);
    assert_eq!(twin.get("/").unwrap().status, 401);
    measured(
        "invited-only",
        format!("{} pages and a change: 401 before, 200 after", shut.len()),
    );
}

#[test]
fn guessing_invitations_is_slow() {
    let (house, token) = closed(|_| {});
    let mut me = house.visitor();
    let mut slowed = 0;
    for n in 0..40 {
        let guess = json!({ "invite": format!("{n:032x}") });
        let reply = me.post("/login", &guess).unwrap();
        assert!([401, 429].contains(&reply.status));
        slowed += u32::from(reply.status == 429);
    }
    assert!(slowed >= 10, "{slowed} of 40");
    let right = me.post("/login", &json!({ "invite": token })).unwrap();
    assert!(
        [200, 429].contains(&right.status),
        "even the right one may have to wait"
    );
    measured(
        "invitation-guesses",
        format!("{slowed} of 40 guesses at once got 429"),
    );
}

#[test]
fn only_our_proxy_says_who_asks() {
    let small = Rate {
        burst: 10.0,
        per_second: 0.1,
    };
    let ask = |house: &House, host: &str, from: &str| {
        let more = format!("x-forwarded-for: {from}\r\nconnection: close\r\n");
        let request = head(house.address(), "GET /threads", &more);
        let request = request.replace(
            &format!("host: {}", house.address()),
            &format!("host: {host}"),
        );
        status(&say(house.address(), request.as_bytes()))
    };
    let plain = house(|config| config.rates.address = small);
    let own = plain.address().to_string();
    let faked = (0..40)
        .filter(|n| ask(&plain, &own, &format!("10.0.0.{n}")) == Some(429))
        .count();
    assert!(
        faked >= 20,
        "without a proxy the header says nothing: {faked}"
    );
    let behind = house(|config| {
        config.rates.address = small;
        config.proxy = Some("wits.example".to_owned());
    });
    let strangers = (0..40)
        .filter(|n| ask(&behind, "wits.example", &format!("10.0.0.{n}")) == Some(429))
        .count();
    assert_eq!(strangers, 0, "forty addresses, one request each");
    let one = (0..40)
        .filter(|n| ask(&behind, "wits.example", &format!("6.6.6.{n}, 10.1.1.1")) == Some(429))
        .count();
    assert!(
        one >= 20,
        "what comes before the proxy's word counts for nothing: {one}"
    );
    let secure = Client::new(behind.address())
        .send("GET", "/", &[], "")
        .unwrap();
    assert!(secure.header("set-cookie").unwrap().contains("; Secure"));
    measured(
        "proxied-address",
        format!("made-up headers: {faked} and {one} of 40 got 429; 40 true addresses: none"),
    );
}
