//! Whoever asks is answered in their language: by the browser's wish, by the switch, on every road.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use serde_json::json;
use wits_game::Lang;
use wits_play::Catalog;
use wits_store::Store;
use wits_web::WORDS;
use wits_web::testing::House;

fn house() -> House {
    let catalog = Catalog::new(vec![wits_matchbox::hexapawn::entry().erase()]);
    House::open(catalog, Store::memory().unwrap(), |_| {})
}

const POLISH: (&str, &str) = ("accept-language", "pl-PL,pl;q=0.9,en;q=0.5");

fn polish(key: &'static str) -> String {
    WORDS.say(key).to(Lang::Pl)
}

#[test]
fn the_browser_asks_for_a_language_and_the_switch_overrides_it() {
    let house = house();
    let mut me = house.visitor();
    let page = me.get("/").unwrap().body;
    assert!(page.contains("<html lang=\"en\">"));
    let page = me.send("GET", "/", &[POLISH], "").unwrap();
    assert_eq!(page.header("content-language"), Some("pl"));
    assert!(page.body.contains("<html lang=\"pl\">"));
    assert!(page.body.contains(&polish("welcome")));

    let form = ("content-type", "application/x-www-form-urlencoded");
    let referer = format!("{}/threads", me.origin.clone().unwrap());
    let told = me
        .send(
            "POST",
            "/language",
            &[POLISH, form, ("referer", &referer)],
            "lang=cs",
        )
        .unwrap();
    assert_eq!(
        (told.status, told.header("location")),
        (303, Some("/threads"))
    );
    let page = me.send("GET", "/", &[POLISH], "").unwrap().body;
    assert!(page.contains("<html lang=\"cs\">"), "the choice is kept");

    let odd = me
        .send(
            "POST",
            "/language",
            &[form, ("accept", "text/html")],
            "lang=xx",
        )
        .unwrap();
    assert_eq!(odd.status, 422);
    assert!(odd.body.contains("`xx`"), "{}", odd.body);
}

#[test]
fn a_game_is_told_in_the_language_of_each_who_watches() {
    let house = house();
    let mut me = house.visitor();
    let form = ("content-type", "application/x-www-form-urlencoded");
    me.send("POST", "/language", &[form], "lang=pl").unwrap();
    let new = json!({"game": "hexapawn", "seats": ["human", "human"], "seed": "1"});
    let id = me.post("/games", &new).unwrap().json()["id"].clone();
    let id = id.as_str().unwrap();
    let mut other = house.visitor();
    let english = other.get(&format!("/games/{id}/state")).unwrap().json();
    let mine = me.get(&format!("/games/{id}/state")).unwrap().json();
    assert_ne!(english["whose"], mine["whose"]);
    assert_ne!(english["status"], mine["status"]);

    let (_, streamed) = me
        .listen(&format!("/games/{id}/events"), None)
        .unwrap()
        .hear()
        .unwrap();
    assert_eq!(streamed["status"], mine["status"], "streams speak, too");
    let refused = me
        .post(
            &format!("/games/{id}/move"),
            &json!({"ply": 0, "move": "z9"}),
        )
        .unwrap()
        .json();
    assert_eq!(refused["error"]["hint"], polish("illegal-hint"));
}
