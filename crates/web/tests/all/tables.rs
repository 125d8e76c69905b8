//! A table as people meet it: names, the last move, the end, the game again, and the list of one's games.

use serde_json::{Value, json};
use wits_play::Catalog;
use wits_store::Store;
use wits_web::testing::{Client, House};

fn house() -> House {
    let games = vec![
        wits_matchbox::tictactoe::entry().erase(),
        wits_othello::entry().erase(),
        wits_play::toys::tricks().erase(),
    ];
    House::open(Catalog::new(games), Store::memory().unwrap(), |_| {})
}

/// A new game from the fields of a form; its address.
fn begin(client: &mut Client, fields: &Value) -> String {
    let reply = client.post("/games", fields).unwrap();
    assert_eq!(reply.status, 201, "{}", reply.body);
    reply.json()["page"].as_str().unwrap().to_owned()
}

fn state(client: &mut Client, page: &str) -> Value {
    client.get(&format!("{page}/state")).unwrap().json()
}

fn play(client: &mut Client, page: &str, seat: u64, text: &str) -> Value {
    let ply = state(client, page)["ply"].clone();
    let fields = json!({"ply": ply, "seat": seat, "move": text});
    let reply = client.post(&format!("{page}/move"), &fields).unwrap();
    assert_eq!(reply.status, 200, "{}", reply.body);
    state(client, page)
}

/// Two sides of one person: tic-tac-toe up to a win of X.
fn won_by_x(client: &mut Client) -> String {
    let page = begin(
        client,
        &json!({"game": "tictactoe", "seats": ["human", "human"]}),
    );
    client
        .post(&format!("{page}/sit"), &json!({"seat": 2}))
        .unwrap();
    for (i, text) in ["a1", "b1", "a2", "b2", "a3"].iter().enumerate() {
        play(client, &page, i as u64 % 2 + 1, text);
    }
    page
}

fn html(client: &mut Client, path: &str) -> String {
    client
        .send("GET", path, &[("accept", "text/html")], "")
        .unwrap()
        .body
}

#[test]
fn nobody_meets_a_spec_at_a_table() {
    let house = house();
    let mut me = house.visitor();
    let fields = json!({"game": "othello", "side": "2", "opponent": "alphabeta", "opponent.alphabeta.depth": "2"});
    let page = begin(&mut me, &fields);
    let mut events = me.listen(&format!("{page}/events"), None).unwrap();
    let mine = events.wait(|s| s["turn"] == 2).unwrap();
    assert_eq!(mine["seats"][0]["who"], "Alpha-beta, looks 2 moves ahead");
    assert_eq!(mine["status"], "Your turn");
    let last = mine["moves"][0]["move"].as_str().unwrap();
    assert_eq!(
        mine["said"],
        format!("Alpha-beta, looks 2 moves ahead played {last} and turned 1 disc.")
    );
    assert_eq!(mine["scene"]["changed"].as_array().map(Vec::len), Some(1));
    assert_eq!(
        (&mine["seats"][0]["points"], &mine["seats"][1]["points"]),
        (&json!(4), &json!(1))
    );
    let cells = mine["scene"]["cells"].as_array().unwrap();
    let lit: Vec<&Value> = cells
        .iter()
        .filter(|cell| cell["light"] == "last")
        .collect();
    assert_eq!(lit.len(), 1, "the last move is marked");
    assert_eq!(lit[0]["name"], last);
    let shown = html(&mut me, &page);
    let specs = shown.matches("alphabeta:depth=2").count();
    let detail = shown.matches("<code>alphabeta:depth=2").count();
    assert_eq!(
        (specs, detail),
        (1, 1),
        "the spec is a detail one click away"
    );
}

#[test]
fn a_seat_that_is_none_is_refused_by_name() {
    let house = house();
    let mut me = house.visitor();
    let fields = json!({"game": "othello", "side": "left", "opponent": "random"});
    let reply = me.post("/games", &fields).unwrap();
    assert_eq!(reply.status, 400, "{}", reply.body);
    assert!(reply.body.contains("left"), "{}", reply.body);
}

#[test]
fn every_earlier_position_can_be_looked_at() {
    let house = house();
    let mut me = house.visitor();
    let page = won_by_x(&mut me);
    let tokens = |value: &Value| {
        let cells = value["scene"]["cells"].as_array().unwrap();
        cells.iter().filter(|cell| !cell["token"].is_null()).count()
    };
    for ply in 0..=5 {
        let at = me.get(&format!("{page}/at/{ply}")).unwrap().json();
        assert_eq!((at["ply"].as_u64(), tokens(&at)), (Some(ply), ply as usize));
    }
    let third = me.get(&format!("{page}/at/3")).unwrap().json();
    let lit = third["scene"]["cells"]
        .as_array()
        .unwrap()
        .iter()
        .find(|cell| cell["light"] == "last");
    assert_eq!(lit.unwrap()["name"], "a2", "the third move");
    // A game with secrets shows no earlier position before its end.
    let secret = begin(
        &mut me,
        &json!({"game": "tricks", "seats": ["human", "random"]}),
    );
    assert_eq!(me.get(&format!("{secret}/at/0")).unwrap().status, 403);
}

#[test]
fn the_end_speaks_to_the_person_and_leads_on() {
    let house = house();
    let mut me = house.visitor();
    let page = begin(
        &mut me,
        &json!({"game": "othello", "seats": ["human", "random"], "seed": 3}),
    );
    me.post(&format!("{page}/resign"), &json!({"seat": 1}))
        .unwrap();
    let over = state(&mut me, &page);
    assert_eq!(over["over"]["verdict"], "lost");
    assert_eq!(over["status"], "You lost");
    let again = me
        .post(&format!("{page}/again"), &json!({"swap": "yes"}))
        .unwrap()
        .json();
    let next = state(&mut me, again["page"].as_str().unwrap());
    assert_eq!(next["seats"][0]["player"], "random");
    assert_eq!(
        (&next["seats"][1]["player"], &next["you"]),
        (&json!("human"), &json!([2]))
    );
    // Whoever played both sides is told who won, not that they won and lost.
    let both = won_by_x(&mut me);
    let both = state(&mut me, &both);
    assert_eq!(
        (&both["over"]["verdict"], &both["status"]),
        (&json!("over"), &json!("X wins"))
    );
}

#[test]
fn my_games_are_mine_to_find_and_to_delete() {
    let house = house();
    let (mut me, mut other) = (house.visitor(), house.visitor());
    let over = won_by_x(&mut me);
    let running = begin(
        &mut me,
        &json!({"game": "othello", "seats": ["human", "random"]}),
    );
    let listed = html(&mut me, "/games");
    assert!(
        listed.contains(&over) && listed.contains(&running),
        "{listed}"
    );
    assert!(listed.contains("against Random moves"), "{listed}");
    let finished = html(&mut me, "/games?state=finished");
    assert!(finished.contains(&over) && !finished.contains(&running));
    let others = html(&mut other, "/games");
    assert!(!others.contains(&over) && !others.contains(&running));
    let refused = other.post(&format!("{over}/delete"), &json!({})).unwrap();
    assert_eq!(refused.status, 403, "{}", refused.body);
    assert_eq!(
        me.post(&format!("{over}/delete"), &json!({}))
            .unwrap()
            .status,
        200
    );
    assert_eq!(me.get(&format!("{over}/state")).unwrap().status, 404);
    assert!(!html(&mut me, "/games").contains(&over));
}

#[test]
fn a_game_with_somebody_else_is_left_and_not_deleted() {
    let house = house();
    let (mut me, mut other) = (house.visitor(), house.visitor());
    let page = begin(
        &mut me,
        &json!({"game": "tictactoe", "seats": ["human", "human"]}),
    );
    assert_eq!(
        other
            .post(&format!("{page}/sit"), &json!({"seat": 2}))
            .unwrap()
            .status,
        200
    );
    assert_eq!(
        me.post(&format!("{page}/delete"), &json!({}))
            .unwrap()
            .status,
        200
    );
    let left = state(&mut other, &page);
    assert_eq!(
        (&left["seats"][0]["free"], &left["you"]),
        (&json!(true), &json!([2]))
    );
}

#[test]
fn two_rounds_with_exchanged_sides_are_one_match() {
    let games = vec![wits_thue::game::entry().erase()];
    let house = House::open(Catalog::new(games), Store::memory().unwrap(), |_| {});
    let mut me = house.visitor();
    let game = "thue:symbols=3,max_moves=5";
    let first = begin(
        &mut me,
        &json!({"game": game, "seats": ["greedy", "human"]}),
    );
    let mut events = me.listen(&format!("{first}/events"), None).unwrap();
    let mine = events.wait(|s| s["turn"] == 2).unwrap();
    // The symbol that lies there already, beside it: a repetition at once, so nothing is gained.
    play(&mut me, &first, 2, "0");
    let over = events.wait(|s| !s["over"].is_null()).unwrap();
    assert_eq!(mine["you"], json!([2]));
    assert_eq!(
        over["over"]["verdict"], "round",
        "one round decides nothing"
    );
    assert_eq!(over["status"], "Round one is over");
    let again = me
        .post(&format!("{first}/again"), &json!({"swap": "yes"}))
        .unwrap()
        .json();
    let second = again["page"].as_str().unwrap().to_owned();
    let mut events = me.listen(&format!("{second}/events"), None).unwrap();
    let mut now = events.wait(|_| true).unwrap();
    while now["over"].is_null() {
        let ply = now["ply"].as_u64();
        play(&mut me, &second, 1, "0");
        now = events
            .wait(|s| !s["over"].is_null() || (s["turn"] == 1 && s["ply"].as_u64() > ply))
            .unwrap();
    }
    // The machine painted something, the person nothing.
    assert_eq!(now["over"]["verdict"], "lost", "{now}");
    assert!(
        now["status"].as_str().unwrap().starts_with("You lost 0–"),
        "{now}"
    );
}

/// The remarks of a review, until it is done.
fn remarks(client: &Client, page: &str, query: &str) -> Vec<Value> {
    let mut events = client
        .listen(&format!("{page}/remarks?{query}"), None)
        .unwrap();
    let mut all = Vec::new();
    loop {
        let (name, value) = events.hear().unwrap();
        match name.as_str() {
            "done" => return all,
            "remark" => all.push(value),
            // What the machine looks at meanwhile.
            _ => {}
        }
    }
}

#[test]
fn a_game_without_a_room_of_its_own_is_reviewed_and_a_variation_kept_in_the_address() {
    let house = house();
    let mut client = house.guest();
    let page = won_by_x(&mut client);
    let over = state(&mut client, &page);
    assert_eq!(over["review"], format!("{page}/review"));
    let told = remarks(&client, &page, "");
    assert_eq!(told.len(), 5);
    let signs: Vec<&str> = told.iter().map(|r| r["sign"].as_str().unwrap()).collect();
    assert!(signs.contains(&"?"), "{signs:?}");
    assert!(told.iter().all(|r| r["sure"] == "exact"));
    // X holds both sides here, so values are the first side's: it won in the end.
    assert_eq!(told[0]["value"], 1.0);
    // A move in the middle begins a variation that the address carries.
    let reply = client
        .send(
            "GET",
            &format!("{page}/review?ply=1&play=b2"),
            &[("accept", "text/html")],
            "",
        )
        .unwrap();
    assert_eq!(reply.status, 303);
    let to = reply.header("location").unwrap().to_owned();
    assert_eq!(to, format!("{page}/review?from=1&try=b2&ply=2"));
    let shown = html(&mut client, &to);
    assert!(shown.contains("tried") && shown.contains("Back to the game as it was played"));
    let told = remarks(&client, &page, "from=1&try=b2");
    assert_eq!(
        told[0]["sign"], "",
        "the centre holds the draw: {}",
        told[0]
    );
    for (query, says) in [
        ("ply=9", "no place"),
        ("from=1&try=a1&ply=0", "a1"),
        ("ply=x", "no place"),
    ] {
        let reply = client.get(&format!("{page}/review?{query}")).unwrap();
        assert!(
            (400..500).contains(&reply.status),
            "{query}: {}",
            reply.status
        );
        assert!(reply.body.contains(says), "{query}: {}", reply.body);
    }
}
