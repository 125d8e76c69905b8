//! Bots over HTTP: tokens, turns, what is refused, what is forgiven, and what a program cannot learn.

use std::collections::{HashMap, HashSet};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use wits_play::Catalog;
use wits_store::Store;
use wits_web::testing::{Client, House, Reply};

#[path = "../../../bots/tests/all/schema.rs"]
mod schema;

use schema::schema;

pub(crate) fn house() -> House {
    let games = vec![
        wits_matchbox::tictactoe::entry().erase(),
        wits_othello::entry().erase(),
        wits_play::toys::tricks().erase(),
    ];
    House::open(Catalog::new(games), Store::memory().unwrap(), |_| {})
}

/// A bot of somebody: its address, and its token.
pub(crate) fn bot(owner: &mut Client, name: &str) -> (String, String) {
    let made = owner.post("/bots", &json!({ "name": name })).unwrap();
    assert_eq!(made.status, 200, "{}", made.body);
    let text = |key: &str| made.json()[key].as_str().unwrap().to_owned();
    (text("id"), text("token"))
}

/// A program with a token.
pub(crate) struct Program {
    client: Client,
    token: String,
}

impl Program {
    pub(crate) fn new(house: &House, token: &str) -> Program {
        Program {
            client: Client::script(house.address()),
            token: token.to_owned(),
        }
    }

    pub(crate) fn post(&mut self, path: &str, body: &Value) -> Reply {
        let bearer = format!("Bearer {}", self.token);
        let headers = [
            ("authorization", &*bearer),
            ("content-type", "application/json"),
        ];
        let text = body.to_string();
        self.client.send("POST", path, &headers, &text).unwrap()
    }

    pub(crate) fn answer(&mut self, body: &Value) -> Reply {
        self.post("/api/bot/answer", body)
    }

    /// A practice game; its address.
    pub(crate) fn practise(&mut self, body: &Value) -> String {
        let made = self.post("/api/bot/play", body);
        assert_eq!(made.status, 201, "{}", made.body);
        made.json()["page"].as_str().unwrap().to_owned()
    }

    fn who(&mut self) -> Reply {
        let bearer = format!("Bearer {}", self.token);
        let headers = [("authorization", &*bearer)];
        self.client.send("GET", "/api/bot", &headers, "").unwrap()
    }

    /// Opens the stream.
    pub(crate) fn listen(&self) -> Stream {
        let mut stream = TcpStream::connect(self.client.address).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(20)))
            .unwrap();
        let head = format!(
            "GET /api/bot/stream HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\n\r\n",
            self.client.address, self.token
        );
        stream.write_all(head.as_bytes()).unwrap();
        Stream(BufReader::new(stream), HashSet::new())
    }
}

/// What a program hears, and the tables at which it was greeted: at each once.
pub(crate) struct Stream(BufReader<TcpStream>, HashSet<String>);

impl Stream {
    /// The next line that says something; nothing when the stream has ended. Every line fits the schema.
    fn hear(&mut self) -> Option<Value> {
        let end = Instant::now() + Duration::from_mins(1);
        loop {
            assert!(Instant::now() < end, "nothing but signs of life");
            let mut text = String::new();
            if self.0.read_line(&mut text).unwrap() == 0 || text.trim() == "0" {
                return None;
            }
            // Between the lines are the head, and the sizes of chunks.
            if text.starts_with('{') {
                let line: Value = serde_json::from_str(&text).unwrap();
                if let Err(why) = schema().holds("house", &line) {
                    panic!("{why}");
                }
                if line.get("hello").is_some() {
                    let table = format!("{} seat {}", line["table"], line["seat"]);
                    assert!(self.1.insert(table), "greeted twice: {line}");
                }
                return Some(line);
            }
        }
    }

    /// The next line with such a key.
    pub(crate) fn until(&mut self, key: &str) -> Value {
        loop {
            let line = self
                .hear()
                .unwrap_or_else(|| panic!("no {key} before the end"));
            if line.get(key).is_some() {
                return line;
            }
        }
    }
}

#[test]
fn tokens_are_shown_once_hashed_and_withdrawn() {
    let house = house();
    let mut me = house.visitor();
    let (id, token) = bot(&mut me, "one");
    let secret = token.split_once('.').unwrap().1;
    assert_eq!(secret.len(), 64, "256 bits");
    for path in ["/bots", &format!("/bots/{id}")] {
        let page = me.get(path).unwrap().body;
        assert!(page.contains("one") && !page.contains(secret), "{path}");
    }
    let kept = house.store.blob("bot", &id).unwrap().unwrap();
    let kept: Value = serde_json::from_slice(&kept.bytes).unwrap();
    assert_eq!(kept["token"], sha256(&token), "{kept}");
    assert!(!kept.to_string().contains(&secret[..8]), "{kept}");

    let mut program = Program::new(&house, &token);
    assert_eq!(program.who().json()["name"], "one");
    let mut stream = program.listen();
    stream.until("welcome");
    // Another token: the old one is out at once, and whoever listens with it is told.
    let renewed = me.post(&format!("/bots/{id}/token"), &json!({})).unwrap();
    let other = renewed.json()["token"].as_str().unwrap().to_owned();
    assert_eq!(stream.until("error")["error"]["code"], "elsewhere");
    assert!(stream.hear().is_none());
    assert_eq!(program.who().status, 401);
    let mut program = Program::new(&house, &other);
    assert_eq!(program.who().status, 200);
    // Withdrawn by its owner, and by nobody else.
    let withdraw = format!("/bots/{id}/withdraw");
    let theirs = house.visitor().post(&withdraw, &json!({})).unwrap();
    assert_eq!(theirs.status, 403, "{}", theirs.body);
    assert_eq!(program.who().status, 200);
    me.post(&withdraw, &json!({})).unwrap();
    assert_eq!(program.who().status, 401);
    assert_eq!(
        program
            .post("/api/bot/play", &json!({"game": "tictactoe"}))
            .status,
        401
    );
    for wrong in ["", "b-0.0", &format!("{id}."), &format!("{id}.{secret}0")] {
        assert_eq!(Program::new(&house, wrong).who().status, 401, "{wrong:?}");
    }
}

/// SHA-256 in hexadecimal, by another program.
fn sha256(text: &str) -> String {
    let code = "import hashlib, sys; print(hashlib.sha256(sys.argv[1].encode()).hexdigest())";
    let output = std::process::Command::new("python3")
        .args(["-c", code, text])
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

#[test]
fn turns_are_answered_once_and_resumed() {
    let house = house();
    let mut me = house.visitor();
    let (_, token) = bot(&mut me, "one");
    let mut program = Program::new(&house, &token);
    let mut stream = program.listen();
    let page = program.practise(&json!({"game": "tictactoe", "opponent": "random", "seat": 1}));
    let hello = stream.until("hello");
    assert_eq!(
        (&hello["seat"], &hello["rated"]),
        (&json!(1), &json!(false))
    );
    assert_eq!(hello["page"], page);
    assert_eq!(
        program
            .answer(&json!({"name": "test", "version": "1"}))
            .json(),
        json!({"named": true})
    );
    let turn = stream.until("turn");
    assert_eq!(turn["legal"].as_array().unwrap().len(), 9);
    let answer = json!({"turn": turn["id"], "move": "b2", "say": "the middle", "lines": [{"moves": ["b2"], "value": 0.5}]});
    assert_eq!(program.answer(&answer).json(), json!({"played": true}));
    // Once more does no harm, another move is too late.
    assert_eq!(program.answer(&answer).json(), json!({"played": false}));
    let stale = program.answer(&json!({"turn": turn["id"], "move": "a1"}));
    assert_eq!(
        (stale.status, &stale.json()["error"]["code"]),
        (409, &json!("turn"))
    );
    // The connection is lost in the middle: the same turn is told again.
    let open = stream.until("turn");
    drop(stream);
    let mut stream = program.listen();
    stream.until("welcome");
    assert_eq!(stream.until("hello"), hello, "the seed, too");
    assert_eq!(stream.until("turn"), open);
    // What the bot said about its move is its thread.
    let thread = me.get(&format!("{page}/thread/0")).unwrap();
    assert!(thread.body.contains("the middle"), "{}", thread.body);
    // Undo is refused, giving up is not.
    let undo = program.answer(&json!({"turn": open["id"], "undo": true}));
    assert_eq!(
        (undo.status, &undo.json()["error"]["code"]),
        (409, &json!("undo"))
    );
    let resign = json!({"turn": open["id"], "resign": true});
    assert_eq!(program.answer(&resign).json(), json!({"played": true}));
    let over = stream.until("over");
    assert_eq!(over["payoffs"], json!([-1, 1]));
    assert_eq!(program.answer(&resign).json(), json!({"played": false}));
    let shown = me.get(&page).unwrap().body;
    assert!(shown.contains("one (bot)"), "a bot is marked as one");
}

#[test]
fn a_practice_game_has_three_lives() {
    let house = house();
    let mut me = house.visitor();
    let (id, token) = bot(&mut me, "clumsy");
    let mut program = Program::new(&house, &token);
    let mut stream = program.listen();
    program.practise(&json!({"game": "tictactoe"}));
    let turn = stream.until("turn");
    let slips = [
        (json!({"turn": turn["id"], "move": "z9"}), "illegal"),
        (json!({"turn": turn["id"], "says": "a1"}), "unreadable"),
        (json!({"turn": turn["id"], "move": "z9"}), "illegal"),
    ];
    for (left, (slip, code)) in [2, 1, 0].into_iter().zip(slips) {
        let reply = program.answer(&slip);
        let error = reply.json()["error"].clone();
        assert_eq!(
            (reply.status, &error["code"]),
            (422, &json!(code)),
            "{error}"
        );
        let hint = error["hint"].as_str().unwrap();
        let words = if left > 0 {
            format!("{left} ")
        } else {
            "lost".to_owned()
        };
        assert!(hint.contains(&words), "{left}: {hint}");
        let why = error["message"].as_str().unwrap();
        assert!(
            code != "illegal" || why.contains("a1, b1"),
            "the legal moves: {why}"
        );
    }
    assert_eq!(stream.until("over")["payoffs"], json!([-1, 1]));
    // The word is for everybody, the sentence for the owner.
    let page = format!("/bots/{id}");
    let mine = me.get(&page).unwrap().body;
    let theirs = house.visitor().get(&page).unwrap().body;
    assert!(mine.contains("<strong>illegal</strong>") && mine.contains("a1, b1"));
    assert!(theirs.contains("<strong>illegal</strong>") && !theirs.contains("a1, b1"));
    // A program that breaks down loses at once, and its last words are kept.
    program.practise(&json!({"game": "tictactoe"}));
    let turn = stream.until("turn");
    let words = "Traceback: ZeroDivisionError";
    let crash = program.answer(&json!({"turn": turn["id"], "crash": words}));
    assert_eq!(crash.json()["error"]["code"], "crashed", "{}", crash.body);
    assert!(me.get(&page).unwrap().body.contains(words));
}

#[test]
fn nobody_answers_for_a_bot_of_others() {
    let house = house();
    let (mut me, mut you) = (house.visitor(), house.visitor());
    let (_, mine) = bot(&mut me, "mine");
    let (_, yours) = bot(&mut you, "yours");
    let (mut one, mut other) = (Program::new(&house, &mine), Program::new(&house, &yours));
    let mut stream = one.listen();
    one.practise(&json!({"game": "tictactoe"}));
    let turn = stream.until("turn");
    let answer = json!({"turn": turn["id"], "move": "a1"});
    assert_eq!(other.answer(&answer).status, 403);
    assert_eq!(
        other
            .answer(&json!({"turn": turn["id"], "crash": "x"}))
            .json(),
        json!({"played": false})
    );
    assert_eq!(one.answer(&answer).json(), json!({"played": true}));
    for refused in [
        json!({"move": "a1"}),
        json!({"turn": "x", "move": "a1"}),
        json!([]),
        json!({"turn": format!("{}-3", "0".repeat(32)), "move": "a1"}),
    ] {
        let status = one.answer(&refused).status;
        assert!((400..500).contains(&status), "{status}: {refused}");
    }
}

#[test]
fn a_token_has_a_limit_of_its_own() {
    let house = house();
    let mut me = house.visitor();
    let (_, busy) = bot(&mut me, "busy");
    let (_, calm) = bot(&mut me, "calm");
    let mut program = Program::new(&house, &busy);
    let practice = json!({"game": "chess"});
    let replies: Vec<Reply> = (0..60)
        .map(|_| program.post("/api/bot/play", &practice))
        .collect();
    let slowed: Vec<&Reply> = replies.iter().filter(|r| r.status == 429).collect();
    assert!(replies[..20].iter().all(|r| r.status == 422));
    assert!(!slowed.is_empty(), "no request was refused");
    assert!(
        slowed[0]
            .header("retry-after")
            .is_some_and(|s| s.parse::<u32>().is_ok())
    );
    assert!(
        slowed[0].body.contains("1 time a second"),
        "{}",
        slowed[0].body
    );
    assert_eq!(
        Program::new(&house, &calm)
            .post("/api/bot/play", &practice)
            .status,
        422
    );
}

#[test]
fn a_bot_is_challenged_on_its_page_and_paused() {
    let house = house();
    let (mut me, mut you) = (house.visitor(), house.visitor());
    let (id, token) = bot(&mut me, "one");
    let mut program = Program::new(&house, &token);
    let challenge = format!("/bots/{id}/challenge");
    let order = json!({"game": "tictactoe", "side": "1"});
    let away = you.post(&challenge, &order).unwrap();
    assert_eq!(
        (away.status, &away.json()["error"]["code"]),
        (409, &json!("away"))
    );
    let mut stream = program.listen();
    stream.until("welcome");
    let begun = you.post(&challenge, &order).unwrap();
    assert!(begun.status < 400, "{}", begun.body);
    let page = begun.json()["page"].as_str().unwrap().to_owned();
    assert_eq!(stream.until("hello")["seat"], 2);
    let first = you
        .post(
            &format!("{page}/move"),
            &json!({"ply": 0, "seat": 1, "move": "a1"}),
        )
        .unwrap();
    assert_eq!(first.status, 200, "{}", first.body);
    let turn = stream.until("turn");
    assert_eq!(turn["history"], json!(["a1"]));
    let cup = json!({"title": "Cup", "game": "tictactoe"});
    let cup = me.post("/arena/open", &cup).unwrap().json()["page"].clone();
    // A paused bot goes on with its games, and begins no other.
    me.post(&format!("/bots/{id}/pause"), &json!({})).unwrap();
    let played = program.answer(&json!({"turn": turn["id"], "move": "b2"}));
    assert_eq!(played.json(), json!({"played": true}));
    assert_eq!(you.post(&challenge, &order).unwrap().status, 409);
    let refused = program.post("/api/bot/play", &json!({"game": "tictactoe"}));
    assert_eq!(
        (refused.status, &refused.json()["error"]["code"]),
        (409, &json!("paused"))
    );
    // It was paused between two requests of its program.
    let join = json!({"tournament": cup});
    assert_eq!(program.post("/api/bot/join", &join).status, 409);
    me.post(&format!("/bots/{id}/pause"), &json!({})).unwrap();
    assert!(you.post(&challenge, &order).unwrap().status < 400);
    let joined = program.post("/api/bot/join", &join);
    assert_eq!(joined.json()["joined"], true, "{}", joined.body);
}

#[test]
fn clients_and_the_schema_come_from_the_server() {
    let house = house();
    let mut anybody = house.visitor();
    for (name, begins) in [
        ("wits_bot.py", "\"\"\"Play"),
        ("wits_bot.js", "// Play"),
        ("bots.schema.json", "{"),
    ] {
        let file = anybody.get(&format!("/clients/{name}")).unwrap();
        assert_eq!(file.status, 200, "{name}");
        assert!(file.body.starts_with(begins), "{name}: {}", file.body);
    }
    assert_eq!(anybody.get("/clients/secret.py").unwrap().status, 404);
}

/// A bot that is gone keeps its own next game waiting, and nobody else's.
#[test]
fn nobody_waits_for_a_bot_that_is_gone() {
    let house = house();
    let mut me = house.visitor();
    let order = json!({"title": "Cup", "game": "tictactoe", "seconds": 600});
    let cup = me.post("/arena/open", &order).unwrap().json()["page"].clone();
    let page = cup.as_str().unwrap();
    let (gone, _) = bot(&mut me, "gone");
    let joined = me.post(&format!("{page}/join"), &json!({"bot": gone}));
    assert_eq!(joined.unwrap().status, 200);
    let mut programs: Vec<(Program, Stream)> = Vec::new();
    for name in ["one", "other"] {
        let (_, token) = bot(&mut me, name);
        let mut program = Program::new(&house, &token);
        let mut stream = program.listen();
        stream.until("welcome");
        let joined = program.post("/api/bot/join", &json!({"tournament": cup}));
        assert_eq!(joined.json()["joined"], true, "{}", joined.body);
        programs.push((program, stream));
    }
    me.post(&format!("{page}/start"), &json!({})).unwrap();
    std::thread::scope(|scope| {
        for (mut program, mut stream) in programs {
            // Both games against the other are over long before the clock of the one who is gone.
            scope.spawn(move || {
                let mut mine = Vec::new();
                let mut over = 0;
                while over < 2 {
                    let line = stream.hear().unwrap();
                    let players = line["players"].to_string();
                    if !players.contains("gone") && line.get("hello").is_some() {
                        mine.push(line["table"].clone());
                    }
                    if line.get("legal").is_some() {
                        let answer = json!({"turn": line["id"], "move": line["legal"][0]});
                        assert_eq!(program.answer(&answer).status, 200);
                    }
                    over += u32::from(line.get("over").is_some() && mine.contains(&line["table"]));
                }
            });
        }
    });
}

/// The seeds of all games of a tournament in which three programs play with hidden hands.
fn seeds_of_a_tournament(house: &House) -> Vec<u64> {
    let owner = &mut house.visitor();
    let order = json!({"title": "Cup", "game": "tricks"});
    let cup = owner.post("/arena/open", &order).unwrap().json()["page"].clone();
    let page = cup.as_str().unwrap();
    let mut programs = Vec::new();
    for name in ["one", "two", "three"] {
        let (id, token) = bot(owner, name);
        let mut program = Program::new(house, &token);
        let mut stream = program.listen();
        stream.until("welcome");
        let joined = program.post("/api/bot/join", &json!({"tournament": cup}));
        assert_eq!(joined.json()["joined"], true, "{}", joined.body);
        programs.push((id, program, stream));
    }
    let started = owner.post(&format!("{page}/start"), &json!({})).unwrap();
    assert_eq!(started.status, 200, "{}", started.body);
    std::thread::scope(|scope| {
        let mut bots = Vec::new();
        for (id, mut program, mut stream) in programs {
            bots.push(id);
            scope.spawn(move || {
                while let Some(line) = stream.hear() {
                    if line.get("legal").is_some() {
                        let answer = json!({"turn": line["id"], "move": line["legal"][0]});
                        assert_eq!(program.answer(&answer).status, 200);
                    }
                }
            });
        }
        let end = Instant::now() + Duration::from_mins(1);
        while !owner.get(page).unwrap().body.contains("Over. ") {
            assert!(Instant::now() < end, "the tournament does not end");
            std::thread::sleep(Duration::from_millis(20));
        }
        // Then the programs are sent home.
        for id in bots {
            owner
                .post(&format!("/bots/{id}/withdraw"), &json!({}))
                .unwrap();
        }
    });
    let shown = owner.get(page).unwrap().body;
    let run = shown.split_once("/arena/run?name=").unwrap().1;
    let run = run.split('"').next().unwrap();
    let games = owner.get(&format!("/arena/run/games.csv?name={run}"));
    let games = games.unwrap().body;
    let pages = games.lines().skip(1).map(|game| game.rsplit(',').next());
    pages
        .map(|page| {
            let record = owner
                .get(&format!("{}/record", page.unwrap()))
                .unwrap()
                .body;
            let header: Value = serde_json::from_str(record.lines().next().unwrap()).unwrap();
            header["seed"].as_u64().unwrap()
        })
        .collect()
}

/// The record of a game that is over says how the cards lay: in no other game of any tournament they lie so.
#[test]
fn no_two_games_of_tournaments_share_hidden_hands() {
    let house = house();
    let mut seeds = seeds_of_a_tournament(&house);
    seeds.extend(seeds_of_a_tournament(&house));
    let different: HashSet<&u64> = seeds.iter().collect();
    assert!(seeds.len() >= 4, "{seeds:?}");
    assert_eq!(different.len(), seeds.len(), "{seeds:?}");
}

/// A cheat keeps every line of every game and compares. Where its seat sees the same, its lines are the same, byte
/// by byte, whatever the others hold: so there is nothing to learn from.
#[test]
fn a_cheat_learns_nothing_about_other_hands() {
    let house = house();
    let mut me = house.visitor();
    let (id, token) = bot(&mut me, "cheat");
    let mut program = Program::new(&house, &token);
    let mut stream = program.listen();
    stream.until("welcome");
    let mut seen: HashMap<String, Vec<(String, String)>> = HashMap::new();
    let mut compared = 0;
    for seed in 0..60 {
        let seats = [
            format!("bot:id={id}"),
            "random".to_owned(),
            "random".to_owned(),
        ];
        let order = json!({"game": "tricks", "seats": seats, "seed": seed.to_string()});
        let begun = me.post("/games", &order).unwrap();
        assert_eq!(begun.status, 201, "{}", begun.body);
        let page = begun.json()["page"].as_str().unwrap().to_owned();
        let mut lines = Vec::new();
        loop {
            let mut line = stream.hear().unwrap();
            if line.get("over").is_some() {
                break;
            }
            if line.get("turn").is_none() {
                continue;
            }
            // What names this table and no other.
            let answer = json!({"turn": line["id"], "move": line["legal"][0]});
            for key in ["id", "table", "spent_ms"] {
                line.as_object_mut().unwrap().remove(key);
            }
            lines.push(line);
            // While the game goes on, its seat may not read the record.
            let record = program.client.get(&format!("{page}/record")).unwrap();
            assert!(record.status >= 400, "{}", record.body);
            assert_eq!(program.answer(&answer).json(), json!({"played": true}));
        }
        let record = me.get(&format!("{page}/record")).unwrap().body;
        let deal = record.lines().nth(1).unwrap().to_owned();
        for line in lines {
            let looks = json!([line["view"], line["history"], line["seat"]]).to_string();
            let alike = seen.entry(looks).or_default();
            for (other, hands) in &*alike {
                assert_eq!(*other, line.to_string());
                compared += u32::from(*hands != deal);
            }
            alike.push((line.to_string(), deal.clone()));
        }
    }
    assert!(compared > 0, "no two deals looked the same");
}
