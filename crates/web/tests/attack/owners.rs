//! What visitors keep is theirs, nobody fills the disk, nobody takes every tournament.

use serde_json::json;
use wits_play::Catalog;
use wits_store::Store;
use wits_web::Config;
use wits_web::testing::{Client, House, Reply, measured};

use crate::{begin, house, lift, until};

const FORM: [(&str, &str); 1] = [("content-type", "application/x-www-form-urlencoded")];
const CSV: [(&str, &str); 1] = [("content-type", "text/csv")];

fn form(client: &mut Client, path: &str, body: &str) -> Reply {
    client.send("POST", path, &FORM, body).unwrap()
}

fn page(reply: &Reply) -> String {
    assert_eq!(reply.status, 200, "{}", reply.body);
    reply.json()["page"].as_str().unwrap().to_owned()
}

/// A table of about so many kilobytes.
fn table(kilobytes: usize) -> String {
    let words = "x".repeat(93);
    let row = |n: usize| {
        format!(
            "{},{words},{}\n",
            n % 10,
            if n.is_multiple_of(2) { "y" } else { "n" }
        )
    };
    let rows: String = (0..kilobytes * 10).map(row).collect();
    format!("a,words,kind\n{rows}")
}

fn bring(client: &mut Client, table: &str) -> Reply {
    client.send("POST", "/learn/data", &CSV, table).unwrap()
}

/// The address that a page shows its owner for others.
fn shared(client: &mut Client, path: &str, mark: &str) -> String {
    let body = client.get(path).unwrap().body;
    let at = body.find(mark).unwrap_or_else(|| panic!("{body}"));
    body[at..at + mark.len() + 32].to_owned()
}

#[test]
fn what_somebody_keeps_is_theirs() {
    let house = house(|_| {});
    let (mut me, mut other) = (house.guest(), house.guest());
    // A machine, a base and a table of one visitor.
    page(&form(&mut me, "/matchbox", "name=mine&kind=her"));
    let machine = shared(&mut me, "/matchbox/mine", "/matchbox/i-");
    let text = "base(mine, \"Mine\", 1).";
    let text: String = form_urlencoded::byte_serialize(text.as_bytes()).collect();
    page(&form(
        &mut me,
        "/expert/base",
        &format!("name=mine&text={text}&was="),
    ));
    let base = shared(&mut me, "/expert/base/mine", "/expert/base/e-");
    let rows = page(&bring(&mut me, &table(1)));
    let before = me.get(&format!("{machine}/file")).unwrap().body;
    // Another visitor finds nothing by the name, reads by the address, and changes nothing.
    assert_eq!(other.get("/matchbox/mine").unwrap().status, 404);
    assert_eq!(other.get("/expert/base/mine").unwrap().status, 404);
    assert!(
        !other
            .get("/matchbox")
            .unwrap()
            .body
            .contains("/matchbox/mine")
    );
    for path in [&machine, &base, &rows] {
        assert_eq!(other.get(path).unwrap().status, 200, "{path}");
    }
    let mut refused = 0;
    for (deed, body) in [
        ("reset", ""),
        ("bead", "box=0&take=1"),
        ("undo", ""),
        ("replace", "file=x"),
        ("share", "shared=yes"),
        ("train", "opponent=random&games=1"),
        ("delete", ""),
    ] {
        let reply = form(&mut other, &format!("{machine}/{deed}"), body);
        assert_eq!(reply.status, 403, "{deed}: {}", reply.body);
        refused += 1;
    }
    let seat = format!(
        "matchbox:file={},learn=true",
        &machine["/matchbox/".len()..]
    );
    let learner = json!({"game": "hexapawn", "seats": ["human", seat]});
    let seated = other.post("/games", &learner).unwrap();
    assert_eq!(seated.status, 403, "{}", seated.body);
    assert_eq!(form(&mut other, &format!("{base}/delete"), "").status, 403);
    let name = &base["/expert/base/".len()..];
    let over = form(
        &mut other,
        "/expert/base",
        &format!("name={name}&text=x&was="),
    );
    assert_eq!(over.status, 422, "an address is no title");
    let thing = &rows["/learn/data/".len()..];
    for name in [thing, name, &machine["/matchbox/".len()..]] {
        let reply = form(&mut other, "/mine/delete", &format!("name={name}"));
        assert_eq!(reply.status, 403, "{}", reply.body);
        refused += 1;
    }
    refused += 3;
    // Another `mine` is another thing, and many tables push out nobody's.
    page(&form(&mut other, "/matchbox", "name=mine&kind=him"));
    let small = table(1);
    for _ in 0..80 {
        page(&bring(&mut other, &small));
    }
    assert_eq!(
        me.get(&rows).unwrap().status,
        200,
        "the table is still there"
    );
    assert_eq!(me.get(&format!("{machine}/file")).unwrap().body, before);
    assert_eq!(me.get("/expert/base/mine").unwrap().status, 200);
    // Shared on purpose: others teach, only the owner resets.
    page(&form(&mut me, "/matchbox/mine/share", "shared=yes"));
    page(&form(
        &mut other,
        &format!("{machine}/train"),
        "opponent=random&games=20",
    ));
    until("it learns", || {
        me.get(&format!("{machine}/file")).unwrap().body != before
    });
    assert_eq!(
        form(&mut other, &format!("{machine}/reset"), "").status,
        403
    );
    page(&form(&mut me, "/matchbox/mine/reset", ""));
    measured(
        "others-things",
        format!(
            "{refused} deeds of another session refused; 80 tables of theirs pushed out none of 3 things"
        ),
    );
}

#[test]
fn the_disk_is_shared_out() {
    let house = house(|config| {
        config.quotas.kept.bytes = 300_000;
        config.quotas.kept.address_bytes = 1_000_000;
    });
    let big = table(100);
    // Forty tables without cookies: each its own session that never comes back.
    let mut me = house.guest();
    let mine = page(&bring(&mut me, &table(10)));
    assert_eq!(me.get(&mine).unwrap().status, 200, "I came back");
    for _ in 0..40 {
        page(&bring(&mut house.visitor(), &big));
    }
    let kept = house.store.usage().unwrap().item_bytes;
    assert!(kept <= 1_000_000, "{kept} bytes");
    assert_eq!(me.get(&mine).unwrap().status, 200, "mine stays");
    // Within one visitor what was used longest ago goes first, and that is said.
    let first = page(&bring(&mut me, &big));
    page(&bring(&mut me, &big));
    let reply = bring(&mut me, &big);
    let gone = reply.json()["gone"].as_array().map_or(0, Vec::len);
    assert!(gone >= 1 && reply.json()["note"].as_str().unwrap().len() > 20);
    assert_eq!(me.get(&mine).unwrap().status, 404, "the oldest went");
    let first = me.get(&first).unwrap().status;
    let refused = bring(&mut me, &table(400));
    assert_eq!(refused.status, 507, "{}", refused.body);
    assert_eq!(refused.json()["error"]["code"], "quota");
    measured(
        "storage-quota",
        format!(
            "limits set to 0.3 MB a session and 1 MB an address: 40 tables of 0.1 MB without cookies left {:.1} MB; a fourth of a session's made its oldest go ({first}), one of 0.4 MB got 507",
            kept as f64 / 1e6
        ),
    );
}

#[test]
fn the_house_has_a_limit() {
    let house = house(|config| config.quotas.kept.house_bytes = 600_000);
    let (mut me, mut other) = (house.guest(), house.guest());
    page(&bring(&mut me, &table(300)));
    let reply = bring(&mut other, &table(200));
    assert_eq!(reply.status, 507, "{}", reply.body);
    page(&bring(&mut me, &table(200)));
    assert_eq!(house.guest().get("/").unwrap().status, 200);
    measured(
        "disk-limit",
        "limit set to 0.6 MB: the second table of 0.2 MB got 507, its owner's own made room",
    );
}

#[test]
fn unfinished_games_have_a_limit() {
    let house = house(|config| {
        config.quotas.open = 5;
        config.quotas.address_open = 12;
    });
    let mut me = house.guest();
    for _ in 0..5 {
        begin(&mut me, &["human", "human"]);
    }
    let body = json!({"game": "tictactoe", "seats": ["human", "human"]});
    let reply = me.post("/games", &body).unwrap();
    assert_eq!(reply.status, 429, "{}", reply.body);
    // Games that sessions left which never came back make room; mine stay.
    for _ in 0..30 {
        begin(&mut house.visitor(), &["human", "human"]);
    }
    let open = wits_store::Which {
        kind: None,
        finished: Some(false),
    };
    let count = house.store.count(open).unwrap();
    assert!(count <= 12, "{count}");
    let mine = me.get("/mine").unwrap().body;
    assert_eq!(mine.matches("href=\"/games/").count(), 5, "{mine}");
    measured(
        "open-games",
        format!(
            "limits set to 5 a session and 12 an address: the sixth got 429, 30 strangers left {count} open"
        ),
    );
}

/// A house where a proxy says who asks.
fn street(change: impl FnOnce(&mut Config)) -> House {
    let catalog = Catalog::new(vec![wits_matchbox::tictactoe::entry().erase()]);
    House::open(catalog, Store::memory().unwrap(), |config| {
        config.proxy = Some("wits.example".to_owned());
        change(config);
        lift(config);
    })
}

fn play(client: &mut Client, from: &str, seed: u32) -> Reply {
    let order = "game=tictactoe&players=mcts%3Anodes%3D5000%0Amcts%3Anodes%3D6000&games=200";
    let headers = [FORM[0], ("x-forwarded-for", from)];
    let body = format!("{order}&plies=1&seed={seed}");
    client.send("POST", "/arena", &headers, &body).unwrap()
}

fn deed(client: &mut Client, deed: &str, name: &str) -> u16 {
    form(
        client,
        &format!("/arena/run/{deed}"),
        &format!("name={name}"),
    )
    .status
}

#[test]
fn tournaments_are_shared_out() {
    let house = street(|_| {});
    let (mut a, mut b, mut c) = (house.guest(), house.guest(), house.guest());
    for client in [&mut a, &mut b, &mut c] {
        client.get("/arena").unwrap();
    }
    let name = |reply: &Reply| page(reply).split_once("name=").unwrap().1.to_owned();
    let first = name(&play(&mut a, "192.0.2.1", 1));
    let second = name(&play(&mut a, "192.0.2.1", 2));
    let full = play(&mut a, "192.0.2.1", 3);
    assert_eq!(full.status, 503, "{}", full.body);
    assert_eq!(full.json()["error"]["code"], "busy");
    let third = name(&play(&mut b, "192.0.2.1", 4));
    assert_eq!(play(&mut c, "192.0.2.1", 5).status, 503, "one address");
    let fourth = name(&play(&mut c, "192.0.2.9", 5));
    assert_eq!(play(&mut c, "192.0.2.9", 6).status, 503, "four in all");
    // A stops, B goes on with it, and A can stop it again; C cannot.
    assert_eq!(deed(&mut a, "stop", &first), 200);
    assert_eq!(deed(&mut b, "resume", &first), 200);
    assert_eq!(deed(&mut c, "stop", &first), 403);
    assert_eq!(deed(&mut a, "stop", &first), 200);
    assert_eq!(deed(&mut a, "resume", &first), 200);
    assert_eq!(deed(&mut b, "stop", &first), 403, "B no longer plays it");
    assert_eq!(deed(&mut a, "stop", &first), 200);
    assert_eq!(deed(&mut b, "resume", &first), 200);
    assert_eq!(deed(&mut b, "stop", &first), 200, "who plays it stops it");
    for (client, name) in [(&mut a, &second), (&mut b, &third), (&mut c, &fourth)] {
        assert_eq!(deed(client, "stop", name), 200);
    }
    measured(
        "tournament-slots",
        "of 4 places a session got 2 and an address 3; who asked first stopped what another resumed",
    );
}

#[test]
fn a_link_takes_everything_to_another_browser_once() {
    let house = house(|_| {});
    let (mut me, mut tablet, mut thief) = (house.guest(), house.guest(), house.guest());
    page(&form(&mut me, "/matchbox", "name=mine&kind=her"));
    page(&form(&mut tablet, "/matchbox", "name=mine&kind=him"));
    let link = page(&form(&mut me, "/mine/link", ""));
    let secret = link.split_once('#').unwrap().1.to_owned();
    // Looking at the link does nothing: it is taken by a form.
    assert_eq!(thief.get("/take").unwrap().status, 200);
    let wrong = form(&mut thief, "/take", "link=0123456789abcdef");
    assert_eq!(wrong.status, 410, "{}", wrong.body);
    page(&form(&mut tablet, "/take", &format!("link={secret}")));
    assert_eq!(tablet.cookies["wits"], me.cookies["wits"]);
    assert_eq!(
        form(&mut thief, "/take", &format!("link={secret}")).status,
        410
    );
    let mine = me.get("/mine").unwrap().body;
    assert!(
        mine.contains(">mine<") && mine.contains(">mine-2<"),
        "{mine}"
    );
    // Everything goes only when somebody is sure.
    assert_eq!(form(&mut me, "/mine/everything", "").status, 422);
    assert_eq!(me.get("/matchbox/mine").unwrap().status, 200);
    page(&form(&mut me, "/mine/everything", "sure=yes"));
    assert_eq!(me.get("/matchbox/mine").unwrap().status, 404);
    assert_eq!(house.store.usage().unwrap().items, 0);
    measured(
        "one-time-link",
        "a link taken once: 2 later tries got 410; the other browser has both visitors' 2 machines",
    );
}

#[test]
fn only_the_operator_removes_and_closes() {
    let house = house(|config| config.operator = Some("0123456789abcdef".to_owned()));
    let (mut boss, mut other) = (house.guest(), house.guest());
    page(&form(&mut other, "/matchbox", "name=mine&kind=her"));
    for (path, body) in [
        ("/operator/remove", "kind=item&name=x"),
        ("/operator/close", "closed=yes"),
        ("/operator/end", ""),
        ("/operator", "secret=wrong"),
    ] {
        assert_eq!(form(&mut other, path, body).status, 401, "{path}");
    }
    assert!(
        !other
            .get("/operator")
            .unwrap()
            .body
            .contains("id=\"usage\"")
    );
    boss.get("/").unwrap();
    page(&form(&mut boss, "/operator", "secret=0123456789abcdef"));
    let shown = boss.get("/operator").unwrap().body;
    assert!(
        shown.contains("id=\"usage\"") && shown.contains(">mine<"),
        "{shown}"
    );
    // The four deeds above, wherever they were refused.
    let refusals = shown.split("Requests refused").nth(1).unwrap_or_default();
    assert!(refusals.contains("<td>4</td>"), "{refusals}");
    // The cookie of one session is worth nothing in another.
    let mut thief = other.clone();
    let cookie = boss.cookies["wits-operator"].clone();
    thief.cookies.insert("wits-operator".to_owned(), cookie);
    assert_eq!(
        form(&mut thief, "/operator/close", "closed=yes").status,
        401
    );
    let name = &house.store.largest_items(1).unwrap()[0].name;
    page(&form(
        &mut boss,
        "/operator/remove",
        &format!("kind=item&name={name}"),
    ));
    assert_eq!(other.get("/matchbox/mine").unwrap().status, 404);
    page(&form(&mut boss, "/operator/close", "closed=yes"));
    let body = json!({"game": "tictactoe", "seats": ["human", "human"]});
    assert_eq!(other.post("/games", &body).unwrap().status, 503);
    assert_eq!(
        other.get("/").unwrap().status,
        200,
        "what is there is shown"
    );
    page(&form(&mut boss, "/operator/close", "closed=no"));
    begin(&mut other, &["human", "human"]);
    measured(
        "operator",
        "5 deeds without the secret, one with another session's cookie: 6 times 401",
    );
}
