//! Racks in every byte that is sent to the wrong seat.

use serde_json::{Value, json};
use wits_web::testing::{Client, measured};

use crate::common::Server;

/// The tiles that a seat sees in its own tray.
fn rack(me: &mut Client, page: &str, seat: usize) -> Vec<String> {
    let state = me.get(&format!("{page}/state")).unwrap().json();
    let trays = state["scene"]["trays"].as_array().unwrap();
    let tokens = |tray: &Value| -> Vec<String> {
        let tokens = tray["tokens"].as_array().cloned().unwrap_or_default();
        tokens
            .iter()
            .map(|t| t["glyph"].as_str().unwrap_or_default().to_owned())
            .collect()
    };
    tokens(&trays[seat.min(trays.len() - 1)])
}

/// Every spelling in which seven tiles could travel.
fn spellings(rack: &[String]) -> Vec<String> {
    let mut sorted = rack.to_vec();
    sorted.sort();
    let mut out = Vec::new();
    for tiles in [rack.to_vec(), sorted] {
        for between in ["", " ", ",", ", ", "\",\"", "\", \""] {
            out.push(tiles.join(between));
            out.push(tiles.join(between).to_lowercase());
        }
        out.push(
            tiles
                .iter()
                .map(|t| format!("\"glyph\":\"{t}\""))
                .collect::<Vec<_>>()
                .join(","),
        );
    }
    out
}

#[test]
fn racks_stay_hidden() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &["--time", "1"]);
    let (mut a, mut b, mut c) = (
        Client::new(server.address),
        Client::new(server.address),
        Client::new(server.address),
    );
    let body = json!({"game": "scrabble", "seats": ["human", "human"], "seed": 424_242});
    let reply = a.post("/games", &body).unwrap();
    assert_eq!(reply.status, 201, "{}", reply.body);
    let page = reply.json()["page"].as_str().unwrap().to_owned();
    let sat = b.post(&format!("{page}/sit"), &json!({"seat": 2})).unwrap();
    assert_eq!(sat.status, 200, "{}", sat.body);
    let mut bytes_searched = 0;
    let mut racks_seen = Vec::new();
    for turn in 0..6_u64 {
        let (of_a, of_b) = (rack(&mut a, &page, 0), rack(&mut b, &page, 1));
        for own in [&of_a, &of_b] {
            assert!(own.len() >= 5, "a seat sees its own rack: {own:?}");
            assert!(own.iter().any(|g| g != "?" && !g.is_empty()), "{own:?}");
        }
        racks_seen.push(of_a.clone());
        for (who, client, hidden) in [
            ("b", &mut b, vec![&of_a]),
            ("a", &mut a, vec![&of_b]),
            ("a passer-by", &mut c, vec![&of_a, &of_b]),
        ] {
            let mut stream = client.listen(&format!("{page}/events"), None).unwrap();
            stream.wait(|_| true).unwrap();
            let mut sent = stream.raw.clone();
            drop(stream);
            let html = [("accept", "text/html")];
            let paths = [
                page.clone(),
                format!("{page}/state"),
                format!("{page}/record"),
                format!("{page}/thread/{turn}"),
                format!("{page}/thread/0"),
                "/".to_owned(),
            ];
            for path in &paths {
                for headers in [&html[..], &[]] {
                    let reply = client.send("GET", path, headers, "").unwrap();
                    sent.push_str(&reply.head.join("\n"));
                    sent.push_str(&reply.body);
                }
            }
            // Deeds that are refused must not say more than the page does.
            for (deed, body) in [
                (
                    "move",
                    json!({"ply": turn, "seat": 1 + (turn % 2), "move": "exchange ZZZZ"}),
                ),
                (
                    "move",
                    json!({"ply": turn, "seat": 2 - (turn % 2), "move": "8D ZZZ"}),
                ),
                ("hint", json!({"seat": 2 - (turn % 2)})),
                ("undo", json!({})),
            ] {
                let reply = client.post(&format!("{page}/{deed}"), &body).unwrap();
                assert_ne!(reply.status, 200, "{who} {deed}: {}", reply.body);
                sent.push_str(&reply.body);
            }
            bytes_searched += sent.len();
            for rack in hidden {
                for spelling in spellings(rack).iter().filter(|s| s.len() >= 5) {
                    assert!(
                        !sent.contains(spelling.as_str()),
                        "{who} was sent the rack {rack:?} as {spelling:?}"
                    );
                }
            }
            for secret in ["424242", "\"seed\""] {
                assert!(!sent.contains(secret), "{who} was sent the seed");
            }
        }
        let mover = if turn % 2 == 0 { &mut a } else { &mut b };
        let state = mover.get(&format!("{page}/state")).unwrap().json();
        let body = json!({"ply": state["ply"], "seat": 1 + turn % 2, "move": "pass"});
        let reply = mover.post(&format!("{page}/move"), &body).unwrap();
        assert_eq!(reply.status, 200, "{}", reply.body);
        if !reply.json()["state"]["over"].is_null() {
            break;
        }
    }
    measured(
        "hidden-racks",
        format!(
            "{} turns of Scrabble, {bytes_searched} bytes to wrong seats searched for 26 spellings of each rack: none",
            racks_seen.len()
        ),
    );
}
