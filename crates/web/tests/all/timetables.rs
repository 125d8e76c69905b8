//! Which timetable a question is about: the operator's, the visitor's own, or what stands in for one
//! that is gone.

use std::sync::Arc;

use serde_json::{Value, json};
use wits_desk::Served;
use wits_play::{Catalog, Shelf};
use wits_store::Store;
use wits_transit::realtime::{self, Realtime};
use wits_transit::{Projection, Timetable, read_feed, verbs};
use wits_web::testing::Client;
use wits_web::{App, Config, Door};

use crate::transit::{body, feed, house, upload, visitor};

/// A realtime feed, version 2.0: trip `t` departs 300 s late at its first call.
const LATE: &[u8] = b"\x0a\x05\x0a\x032.0\x12\x16\x0a\x01x\x1a\x11\x0a\x03\x0a\x01t\x12\x0a\x1a\x03\x08\xac\x02\x22\x01a\x28\x00";

/// A house that shows the town to everybody.
fn operated(visit: impl FnOnce(&App, &Arc<Timetable>, &mut Client)) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let config = Config {
        listen: "127.0.0.1:0".parse().unwrap(),
        ..Config::default()
    };
    let store = Arc::new(Store::memory().unwrap());
    let app = App::new(config, Catalog::new(Vec::new()), Shelf::new(), store);
    let table = Arc::new(
        read_feed(&feed(), "town", Projection::default(), 1)
            .unwrap()
            .0,
    );
    app.show_timetable(Arc::clone(&table), Realtime::default());
    let shown = app.clone();
    let door = runtime.block_on(Door::open(app)).unwrap();
    let (mut client, _) = visitor(door.address);
    visit(&shown, &table, &mut client);
    runtime.block_on(door.close());
}

#[test]
fn the_operator_s_timetable_is_everybody_s_and_runs_as_is_known() {
    operated(|app, table, client| {
        let asked = "/transit?from=Alpha&to=Beta&at=07:55";
        assert!(client.get(asked).unwrap().body.contains("08:00 → 08:10"));
        let known = realtime::read(LATE, table).unwrap();
        app.show_timetable(Arc::clone(table), known);
        assert!(client.get(asked).unwrap().body.contains("08:05 → 08:15"));
    });
}

#[test]
fn every_verb_is_about_the_operator_s_timetable_in_the_house_and_in_a_sandbox() {
    operated(|app, table, client| {
        let way = "from=Alpha&to=Beta&at=07:55";
        // A proof is made before and after the vehicle is known to be late.
        let proved = format!("/desk/transit/route?{way}&certify=true");
        let page = client.get(&proved).unwrap().body;
        assert!(page.contains("08:00 → 08:10"), "{page}");
        app.show_timetable(Arc::clone(table), realtime::read(LATE, table).unwrap());
        let cases = [
            ("route", format!("{way}&certify=true")),
            ("route", way.to_owned()),
            ("tour", "start=Alpha&via=Beta&at=07:55&open=true".to_owned()),
            ("isochrone", "stop=Alpha&at=07:55&minutes=30".to_owned()),
            (
                "isochrone",
                "stop=Alpha&at=07:55&minutes=30&certify=true".to_owned(),
            ),
            ("profile", "from=Alpha&to=Beta".to_owned()),
            ("profile", "from=Alpha&to=Beta&certify=true".to_owned()),
            ("whatif", format!("{way}&cancel=7")),
            ("whynot", format!("{way}&line=7")),
            ("agree", "queries=5&slow=1&seed=1".to_owned()),
            ("stops", "name=Alpha".to_owned()),
            ("describe", String::new()),
            ("speeds", "queries=2&seed=1".to_owned()),
            ("report", String::new()),
        ];
        // The verbs that take a file are asked below, or need the feed itself.
        let room = verbs::room();
        let asked = room.verbs.iter().filter(|v| v.served == Served::Everywhere);
        for verb in asked.filter(|v| v.param("feed").is_some()) {
            let known = cases.iter().any(|(name, _)| *name == verb.id);
            assert!(
                known || ["verify", "check"].contains(&verb.id),
                "{}",
                verb.id
            );
        }
        for (verb, asked) in cases {
            let address = format!("/desk/transit/{verb}?{asked}");
            let reply = client.get(&address).unwrap();
            assert_eq!(reply.status, 200, "{address}: {}", reply.body);
            let answer = reply.body.split("desk-answer").nth(1).unwrap();
            let about = match verb {
                "whatif" | "whynot" | "stops" => "Alpha",
                _ => "town, 2024-01-01",
            };
            // Why not a line names the line, and the generated city has another one of that name.
            assert!(
                verb == "whynot" || answer.contains(about),
                "{address}: {answer}"
            );
            if asked.contains("certify") {
                assert!(answer.contains("the certificate holds"), "{answer}");
            }
            // What one may ask next names no timetable either.
            assert!(
                !answer.contains("feed=") && !answer.contains("%00"),
                "{answer}"
            );
        }
        let page = client.get(&proved).unwrap().body;
        assert!(
            page.contains("08:05 → 08:15") && page.contains("5 min late"),
            "{page}"
        );
        let proof = client
            .get(&format!("{proved}&keep=certificate"))
            .unwrap()
            .body;
        let mut ask = |asked: Value| {
            let reply = client.post("/api/transit/verify", &asked).unwrap();
            reply.json()
        };
        assert_eq!(ask(json!({"file": {"text": proof}}))["valid"], true);
        // The generated city is another timetable, and has to be named.
        let city = ask(json!({"file": {"text": proof}, "size": 1}));
        assert_eq!(city["valid"], false, "{city}");
    });
}

/// An address in a page, after what stands before it.
fn address(page: &str, before: &str) -> String {
    let rest = page
        .split(before)
        .nth(1)
        .unwrap_or_else(|| panic!("{page}"));
    rest.split('"').next().unwrap().replace("&amp;", "&")
}

#[test]
fn a_link_to_a_missing_timetable_shows_another_with_its_own_map_and_links() {
    let store = Arc::new(Store::memory().unwrap());
    house(&store, |at| {
        let gone =
            "/transit?feed=t-000000000000000000000000&live=r-1&from=Mostka&to=Rybka&at=08:00";
        let (mut owner, cookie) = visitor(at);
        let (status, text) = upload(at, &cookie, &feed());
        assert_eq!(status, 200, "{text}");
        let own = body(&text)["feed"].as_str().unwrap().to_owned();
        let (mut other, _) = visitor(at);
        for (client, feed, title) in [
            (&mut owner, Some(own.as_str()), "town"),
            (&mut other, None, "Generated city"),
        ] {
            let page = client.get(gone).unwrap().body;
            assert!(
                page.contains("timetable of this link is not here"),
                "{page}"
            );
            let heading = page.split("id=\"timetable\">").nth(1).unwrap();
            assert!(heading.starts_with(title), "{}", &heading[..40]);
            let network = address(&page, "data-network=\"");
            let map = client.get(&network).unwrap();
            assert_eq!(map.status, 200, "{network}: {}", map.body);
            let drawn = map.json()["title"].as_str().unwrap().to_owned();
            assert!(drawn.starts_with(title), "{drawn}");
            // Tabs and the form are about the same timetable.
            let tab = address(&page, "href=\"/transit/board?");
            match feed {
                Some(feed) => {
                    assert!(tab.contains(&format!("feed={feed}")), "{tab}");
                    let field = format!("name=\"feed\" value=\"{feed}\"");
                    assert!(page.contains(&field), "{page}");
                }
                None => assert!(!tab.contains("feed="), "{tab}"),
            }
            assert!(
                !page.contains("t-0000") && !page.contains("live=r-1"),
                "{page}"
            );
        }
    });
}
