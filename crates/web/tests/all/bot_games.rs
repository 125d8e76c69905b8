//! How games of bots end for everybody who looks, and how a tournament of bots is followed.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use wits_web::testing::{Client, House};

use crate::bots::{Program, Stream, bot, house};

/// The page of something in each language.
fn in_three_languages(house: &House, path: &str) -> [String; 3] {
    ["en", "pl", "cs"].map(|lang| {
        let headers = [("accept-language", lang), ("accept", "text/html")];
        let mut visitor = house.visitor();
        visitor.send("GET", path, &headers, "").unwrap().body
    })
}

/// Everybody reads which fault ended a game, and nobody the last words of the program.
fn told_to_all(house: &House, page: &str, words: [&str; 3], secret: &str) {
    for (shown, word) in in_three_languages(house, page).iter().zip(words) {
        assert!(shown.contains(&format!("({word})")), "{word}: {shown}");
        assert!(!shown.contains(secret), "{secret}: {shown}");
    }
    let record = house.visitor().get(&format!("{page}/record")).unwrap().body;
    assert!(
        record.contains("\"fault\"") && !record.contains(secret),
        "{record}"
    );
}

/// The end of a game as the bot itself is told it.
fn end(stream: &mut Stream) -> String {
    let over = stream.until("over");
    assert_eq!(over["payoffs"], json!([-1, 1]), "{over}");
    over["why"].as_str().unwrap().to_owned()
}

/// A game of a bot against a machine, with a second for each seat.
fn short_game(me: &mut Client, id: &str) -> String {
    let seats = [format!("bot:id={id}"), "random".to_owned()];
    let order = json!({"game": "tictactoe", "seats": seats, "clock": "game", "seconds": "1"});
    let begun = me.post("/games", &order).unwrap();
    assert_eq!(begun.status, 201, "{}", begun.body);
    begun.json()["page"].as_str().unwrap().to_owned()
}

/// A game lost by an illegal move was called resigned on its page.
#[test]
fn every_fault_is_named_to_everybody() {
    let house = house();
    let mut me = house.visitor();
    let (id, token) = bot(&mut me, "one");
    let mut program = Program::new(&house, &token);
    let mut stream = program.listen();

    let page = program.practise(&json!({"game": "tictactoe"}));
    let turn = stream.until("turn")["id"].clone();
    for _ in 0..3 {
        program.answer(&json!({"turn": turn, "move": "z9"}));
    }
    assert!(end(&mut stream).contains("(illegal)"));
    let words = ["illegal", "niedozwolony ruch", "nedovolený tah"];
    told_to_all(&house, &page, words, "z9");

    let page = program.practise(&json!({"game": "tictactoe"}));
    let turn = stream.until("turn")["id"].clone();
    program.answer(&json!({"turn": turn, "crash": "ZeroDivisionError"}));
    assert!(end(&mut stream).contains("(crashed)"));
    told_to_all(
        &house,
        &page,
        ["crashed", "awaria", "spadl"],
        "ZeroDivision",
    );
    assert!(!me.get(&page).unwrap().body.contains("ZeroDivision"));
    let own = me.get(&format!("/bots/{id}")).unwrap().body;
    assert!(own.contains("ZeroDivision"), "the author reads it");

    let page = program.practise(&json!({"game": "tictactoe"}));
    let turn = stream.until("turn")["id"].clone();
    for _ in 0..3 {
        program.answer(&json!({"turn": turn, "says": "a1"}));
    }
    assert!(end(&mut stream).contains("(unreadable)"));
    let words = ["unreadable", "nieczytelny", "nečitelný"];
    told_to_all(&house, &page, words, "cannot be understood");

    let page = short_game(&mut me, &id);
    assert!(end(&mut stream).contains("(silent)"));
    told_to_all(
        &house,
        &page,
        ["silent", "milczał", "mlčel"],
        "answered no turn",
    );

    let page = short_game(&mut me, &id);
    let turn = stream.until("turn");
    program.answer(&json!({"turn": turn["id"], "move": "b2"}));
    assert!(end(&mut stream).contains("(late)"));
    told_to_all(
        &house,
        &page,
        ["late", "za późno", "pozdě"],
        "its clock ran out",
    );

    let (gone, _) = bot(&mut me, "gone");
    let page = short_game(&mut me, &gone);
    let mut events = me.listen(&format!("{page}/events"), None).unwrap();
    events.wait(|state| !state["over"].is_null()).unwrap();
    let words = ["disconnected", "rozłączony", "odpojen"];
    told_to_all(&house, &page, words, "no program was listening");

    // Who gives up has done nothing wrong.
    let page = program.practise(&json!({"game": "tictactoe"}));
    let turn = stream.until("turn")["id"].clone();
    program.answer(&json!({"turn": turn, "resign": true}));
    assert!(end(&mut stream).contains("resigned"));
    let record = me.get(&format!("{page}/record")).unwrap().body;
    assert!(!record.contains("fault"), "{record}");
}

/// The address that follows these words on a page.
fn address(page: &str, begins: &str) -> String {
    let at = page.find(begins);
    let at = at.unwrap_or_else(|| panic!("no {begins}: {page}"));
    page[at..].split('"').next().unwrap().to_owned()
}

#[test]
fn a_game_of_an_open_tournament_is_followed_and_its_faults_are_listed() {
    let house = house();
    let mut me = house.visitor();
    let (_, token) = bot(&mut me, "one");
    let mut program = Program::new(&house, &token);
    let mut stream = program.listen();
    let order = json!({"title": "Cup", "game": "tictactoe", "seconds": 60});
    let cup = me.post("/arena/open", &order).unwrap().json()["page"].clone();
    let cup = cup.as_str().unwrap();
    // A link may end in more than the address.
    let link = json!({"tournament": format!("http://localhost{cup}?lang=en#join")});
    assert_eq!(program.post("/api/bot/join", &link).json()["joined"], true);
    let machine = json!({"player": "perfect"});
    me.post(&format!("{cup}/machine"), &machine).unwrap();
    me.post(&format!("{cup}/start"), &json!({})).unwrap();

    // Anybody finds the game while it is played, and sees the move that the program makes.
    let turn = stream.until("turn");
    let mut anybody = house.visitor();
    let run = address(&anybody.get(cup).unwrap().body, "/arena/run?name=");
    let shown = anybody.get(&run).unwrap().body;
    let game = address(&shown, "/games/");
    assert!(shown.contains("one (bot)"), "{shown}");
    assert_eq!(anybody.get(&game).unwrap().status, 200);
    let mut events = anybody.listen(&format!("{game}/events"), None).unwrap();
    let before = events.wait(|_| true).unwrap();
    assert!(before["over"].is_null(), "{before}");
    let ply = turn["turn"].as_u64().unwrap();
    let mv: &Value = &turn["legal"][0];
    program.answer(&json!({"turn": turn["id"], "move": mv}));
    let after = events.wait(|state| state["ply"].as_u64() > Some(ply));
    assert_eq!(after.unwrap()["moves"][ply as usize]["move"], *mv);

    // One game is lost by a crash, the other by an illegal move.
    let turn = stream.until("turn")["id"].clone();
    program.answer(&json!({"turn": turn, "crash": "ZeroDivisionError"}));
    stream.until("over");
    let turn = stream.until("turn")["id"].clone();
    program.answer(&json!({"turn": turn, "move": "z9"}));
    stream.until("over");
    let deadline = Instant::now() + Duration::from_mins(1);
    while !anybody
        .get(&run)
        .unwrap()
        .body
        .contains("<ul id=\"faults\">")
        || !anybody.get(cup).unwrap().body.contains("Over. ")
    {
        assert!(Instant::now() < deadline, "the tournament does not end");
        std::thread::sleep(Duration::from_millis(20));
    }
    let lines = [
        "one (bot) lost 2 games by faults: illegal 1×, crashed 1×",
        "one (bot): 2 partie przegrane przez błędy – niedozwolony ruch 1×, awaria 1×",
        "one (bot): 2 partie prohrané chybami – nedovolený tah 1×, spadl 1×",
    ];
    for (page, line) in in_three_languages(&house, &run).iter().zip(lines) {
        let list = page.split_once("<ul id=\"faults\">");
        let list = list
            .unwrap_or_else(|| panic!("no list of faults: {page}"))
            .1;
        let list = list.split_once("</ul>").unwrap().0;
        assert_eq!(list, format!("<li>{line}</li>"));
    }
}

#[test]
fn a_mistyped_link_of_a_tournament_is_called_that() {
    let house = house();
    let mut me = house.visitor();
    let (id, token) = bot(&mut me, "one");
    let mut program = Program::new(&house, &token);
    let link = json!({"tournament": "http://localhost/arena/open/o-123"});
    let refused = program.post("/api/bot/join", &link);
    let error = &refused.json()["error"];
    assert_eq!(
        (refused.status, &error["code"]),
        (404, &json!("no-tournament"))
    );
    let words = ["copy the link", "skopiuj link", "zkopírujte odkaz"];
    let pages = in_three_languages(&house, "/arena/open/o-123");
    assert!(error["hint"].as_str().unwrap().contains(words[0]));
    for (page, word) in pages.iter().zip(words) {
        assert!(page.contains(word), "{word}: {page}");
    }
    // A program that says no version has none.
    for (card, says) in [
        (json!({"name": "mine"}), "calls itself mine."),
        (
            json!({"name": "mine", "version": "2"}),
            "calls itself mine, version 2.",
        ),
    ] {
        program.answer(&card);
        let page = me.get(&format!("/bots/{id}")).unwrap().body;
        assert!(page.contains(says), "{says}: {page}");
    }
}
