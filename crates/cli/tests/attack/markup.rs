//! Markup in every text that a user can send: it comes back as text, on every page and picture.

use std::collections::{BTreeSet, VecDeque};
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use wits_web::testing::{Client, Reply, measured};

use crate::common::{Server, run};

/// What would be an element, an attribute, or the end of one, if anybody forgot to escape.
const EVIL: &str = "\"><wits-evil onload=x>&lt</title></textarea></script>";
const RAW: &str = "<wits-evil";
const ESCAPED: &str = "&lt;wits-evil";
/// The same where names are short.
const SHORT: &str = "\"><wits-evil>";

/// What browsers send.
const HTML: (&str, &str) = ("accept", "text/html");
const FORM: (&str, &str) = ("content-type", "application/x-www-form-urlencoded");

/// Addresses that take words.
const ADDRESSES: &[&str] = &[
    "/",
    "/new/{}",
    "/games/{}",
    "/thue?word={}&symbols={}&variant={}",
    "/thue/windows?word={}",
    "/thue/tree?word={}",
    "/othello?board={}",
    "/othello/board?board={}&moves={}",
    "/othello/setup?board={}",
    "/othello/scores?board={}",
    "/othello/review?moves={}",
    "/othello/export/{}",
    "/othello/export/board.svg?board={}",
    "/rainbow?n={}&k={}&c={}&colouring={}",
    "/rainbow/picture/{}",
    "/matchbox/{}",
    "/maxsum?numbers={}&n={}",
    "/expert/query?base={}&goal={}",
    "/expert/query?base=bicycle&goal={}",
    "/expert/base/{}",
    "/learn?name={}",
    "/learn/data/{}",
    "/learn/runs/{}",
    "/transit?from={}&to={}&feed={}&at={}",
    "/transit/board?stop={}",
    "/transit/reach?stop={}&at={}",
    "/transit/tour?start={}&via={}",
    "/transit/search?from={}&to={}",
    "/transit/stops?q={}",
    "/transit/map?feed={}",
    "/arena/run?name={}",
    "/arena/ladder?game={}",
    "/threads?{}",
    "/{}",
];

fn encoded(text: &str) -> String {
    text.bytes().fold(String::new(), |mut out, byte| {
        let _ = write!(out, "%{byte:02X}");
        out
    })
}

#[derive(Default)]
struct Search {
    pages: u32,
    /// Pages and pictures that show the markup as text.
    shown: u32,
    pictures: u32,
    /// Answers that are data, with the markup in them.
    data: u32,
    seen: BTreeSet<String>,
    open: VecDeque<String>,
}

impl Search {
    /// Looks at an answer: no raw markup where a browser would read it as such.
    fn look(&mut self, path: &str, reply: &Reply) {
        self.pages += 1;
        let kind = reply.header("content-type").unwrap_or_default().to_owned();
        assert_eq!(
            reply.header("x-content-type-options"),
            Some("nosniff"),
            "{path}"
        );
        if kind.starts_with("text/html") || kind.contains("svg") || kind.contains("xml") {
            assert!(
                !reply.body.contains(RAW),
                "{path} ({kind}) shows raw markup: …{}…",
                reply.body.find(RAW).map_or("", |at| {
                    let from = (0..=at.saturating_sub(80))
                        .rev()
                        .find(|i| reply.body.is_char_boundary(*i));
                    &reply.body[from.unwrap_or(0)..at + RAW.len()]
                })
            );
            self.shown += u32::from(reply.body.contains(ESCAPED));
            self.pictures += u32::from(kind.contains("svg"));
            for mark in ["href=\"/", "src=\"/", "action=\"/"] {
                for (at, _) in reply.body.match_indices(mark) {
                    let rest = &reply.body[at + mark.len() - 1..];
                    let link = rest.split('"').next().unwrap_or_default();
                    let link = link.replace("&amp;", "&");
                    let link = link.split('#').next().unwrap_or_default().to_owned();
                    if !link.starts_with("/assets/") && self.seen.insert(link.clone()) {
                        self.open.push_back(link);
                    }
                }
            }
        } else {
            // What is no page must not be taken for one.
            self.data += u32::from(reply.body.contains(RAW));
            for safe in [
                "application/",
                "text/plain",
                "text/csv",
                "text/css",
                "text/javascript",
                "text/event-stream",
            ] {
                if kind.starts_with(safe) || kind.is_empty() {
                    return;
                }
            }
            panic!("{path}: {kind}");
        }
    }
}

/// A town whose stops, lines and companies have markup for names, packed by the program itself.
fn town(folder: &std::path::Path) -> Vec<u8> {
    let name = EVIL.replace(['"', ','], "");
    let mut graph = "id,company,line,departure_time,arrival_time,start_stop,end_stop,start_stop_lat,start_stop_lon,end_stop_lat,end_stop_lon\n".to_owned();
    for n in 0..8 {
        let _ = writeln!(
            graph,
            "{n},{name},{name},08:0{n}:00,08:0{}:00,{name} {n},{name} {},51.1{n},17.0{n},51.1{},17.0{}",
            n + 1,
            n + 1,
            n + 1,
            n + 1
        );
    }
    std::fs::write(folder.join("connection_graph.csv"), graph).unwrap();
    let args = ["transit", "pack", "connection_graph.csv", "-o", "town.wits"];
    let packed = run(folder, &args, "");
    assert!(
        packed.status.success(),
        "{}",
        String::from_utf8_lossy(&packed.stderr)
    );
    std::fs::read(folder.join("town.wits")).unwrap()
}

/// Files with markup wherever a file may have words: a table, a timetable, rules, a machine, a score sheet.
fn send_files(me: &mut Client, search: &mut Search, folder: &std::path::Path) {
    let evil = encoded(EVIL);
    let plain = EVIL.replace('"', "");
    let csv = format!(
        "{plain},b,class\n1.5,2,{plain}\n2.5,3,y\n1.4,1,{plain}\n2.6,3.1,y\n1.6,2.2,{plain}\n2.7,2.9,y\n"
    );
    let table = format!("/learn/data?name={evil}");
    let csv_kind = ("content-type", "text/csv");
    let reply = me.send("POST", &table, &[HTML, csv_kind], &csv).unwrap();
    search.look(&table, &reply);
    let learned = reply.header("location").expect("the table is taken");
    for view in ["", "/compare", "/pipeline", "/what-if", "/draw/scatter"] {
        search.open.push_back(format!("{learned}{view}"));
    }
    let packed = town(folder);
    let feed = "/transit/feed";
    let reply = me.send_bytes("POST", feed, &[], &packed).unwrap();
    assert_eq!(reply.status, 200, "{}", reply.body);
    search.look(feed, &reply);
    let base = std::fs::read_to_string(
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../expert/bases/bicycle.pl"),
    )
    .unwrap();
    // Every quoted sentence of the base gets markup in front.
    let base = base
        .replace(", \"", &format!(", \"{plain}"))
        .replace(", '", &format!(", '{plain}"));
    let fields = format!("name=bad&text={}", encoded(&base));
    let reply = me
        .send("POST", "/expert/base", &[HTML, FORM], &fields)
        .unwrap();
    assert!(reply.status < 400, "the base is kept: {}", reply.body);
    search.look("/expert/base", &reply);
    for path in ["/expert/base/bad", "/expert/base/bad/file", "/expert"] {
        search.open.push_back(path.to_owned());
    }
    let talk = me.post("/expert/talk", &json!({"base": "bad"})).unwrap();
    let page = talk.json()["page"].as_str().unwrap().to_owned();
    search.open.push_back(format!("{page}/state"));
    search.open.push_back(page);
    // A machine of boxes that is called so.
    let made = "name=honest&kind=menace";
    let reply = me.send("POST", "/matchbox", &[HTML, FORM], made).unwrap();
    assert!(reply.status < 400, "{}", reply.body);
    let mut file = me.get("/matchbox/honest/file").unwrap().json();
    file["name"] = json!(SHORT);
    let fields = format!("name=evil&file={}", encoded(&file.to_string()));
    let reply = me
        .send("POST", "/matchbox", &[HTML, FORM], &fields)
        .unwrap();
    search.look("/matchbox", &reply);
    search.open.push_back("/matchbox".to_owned());
    search.open.push_back("/matchbox/evil".to_owned());
    let gcg = format!(
        "#player1 a {plain}\n#player2 b {plain}\n#note {plain}\n>a: EIRSTUV 8D VIRTUES +76 76\n#note {plain}\n"
    );
    let fields = format!("lexicon=english&gcg={}", encoded(&gcg));
    let reply = me
        .send("POST", "/scrabble/open", &[HTML, FORM], &fields)
        .unwrap();
    search.look("/scrabble/open", &reply);
    if let Some(to) = reply.header("location") {
        search.open.push_back(to.to_owned());
    }
}

/// Plays a word until it has a square, and keeps its score under a name.
fn send_score(me: &mut Client, search: &mut Search) {
    let body = json!({"game": "thue-solitaire", "seats": ["human"]});
    let page = me.post("/games", &body).unwrap().json()["page"]
        .as_str()
        .unwrap()
        .to_owned();
    for _ in 0..40 {
        let state = me.get(&format!("{page}/state")).unwrap().json();
        let targets = state["scene"]["targets"].as_array().unwrap();
        let text = |t: &Value| t["text"].as_str().unwrap_or_default().to_owned();
        // The symbol that is there already makes a square soonest.
        let zero = targets.iter().map(text).find(|t| t == "0");
        let Some(chosen) = zero.or_else(|| targets.last().map(text)) else {
            break;
        };
        let deed = json!({"ply": state["ply"], "seat": 1, "move": chosen});
        assert_eq!(me.post(&format!("{page}/move"), &deed).unwrap().status, 200);
    }
    let id = page.rsplit('/').next().unwrap();
    let path = format!("/thue/scores/{id}");
    let fields = format!("name={}", encoded(SHORT));
    let reply = me.send("POST", &path, &[HTML, FORM], &fields).unwrap();
    assert!(reply.status < 400, "the score is kept: {}", reply.body);
    search.look(&path, &reply);
    search.open.push_back("/thue".to_owned());
}

/// Names and words in forms and in JSON.
fn send_names(me: &mut Client, search: &mut Search) {
    let (evil, short) = (encoded(EVIL), encoded(SHORT));
    for (path, body) in [
        ("/matchbox", format!("name={evil}&kind=menace")),
        ("/scrabble/players", format!("name={short}&player=human")),
        ("/games", format!("game={evil}")),
        ("/games", format!("game=tictactoe&seats.1={evil}")),
        ("/games", format!("game=tictactoe&position={evil}")),
        ("/games", format!("game=tictactoe&seed={evil}")),
        ("/games", format!("game=scrabble&p.lexicon={evil}")),
        ("/expert/talk", format!("base={evil}")),
        ("/expert/base", format!("name={evil}&text={evil}")),
        ("/expert/check", format!("name=x&text={evil}")),
        (
            "/arena",
            format!("name={evil}&game=tictactoe&players=random%0Aperfect&games=2"),
        ),
        (
            "/arena",
            format!("name=x&game={evil}&players={evil}&games={evil}"),
        ),
        ("/arena/run/stop", format!("name={evil}")),
        ("/login", format!("invite={evil}")),
        ("/rainbow/hint", format!("id={evil}&n={evil}")),
        ("/transit/feed/forget", format!("feed={evil}&name={evil}")),
    ] {
        let reply = me.send("POST", path, &[HTML, FORM], &body).unwrap();
        search.look(path, &reply);
        if let Some(to) = reply.header("location").filter(|to| to.starts_with('/')) {
            search.open.push_back(to.to_owned());
        }
    }
    // The same words as JSON: what comes back says that it is data.
    for (path, body) in [
        ("/games", json!({"game": EVIL})),
        ("/games", json!({"game": "tictactoe", "seats": [EVIL]})),
        ("/expert/talk", json!({"base": EVIL})),
    ] {
        let reply = me.post(path, &body).unwrap();
        search.look(path, &reply);
    }
    let body = json!({"game": "thue", "seats": ["human", "human"]});
    let page = me.post("/games", &body).unwrap().json()["page"]
        .as_str()
        .unwrap()
        .to_owned();
    let deed = format!("{page}/move");
    let fields = format!("ply=0&move={evil}");
    let reply = me.send("POST", &deed, &[HTML, FORM], &fields).unwrap();
    search.look(&deed, &reply);
    search.open.push_back(page);
}

/// Scripts put words into pages as text only; one takes a table that the server has escaped.
fn look_at_scripts() -> usize {
    let mut raw = 0;
    let assets = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/assets");
    for file in std::fs::read_dir(assets).unwrap().flatten() {
        let text = std::fs::read_to_string(file.path()).unwrap();
        let count = [
            "innerHTML =",
            "insertAdjacentHTML",
            "document.write",
            "eval(",
        ]
        .iter()
        .map(|word| text.matches(word).count())
        .sum::<usize>();
        let most = usize::from(file.file_name() == "arena.js");
        assert!(count <= most, "{} writes raw markup", file.path().display());
        raw += count;
    }
    raw
}

#[test]
fn markup_stays_text() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &["--time", "1"]);
    let mut me = Client::new(server.address);
    let mut search = Search::default();
    send_files(&mut me, &mut search, folder.path());
    send_score(&mut me, &mut search);
    send_names(&mut me, &mut search);
    let evil = encoded(EVIL);
    for path in ADDRESSES {
        search.open.push_back(path.replace("{}", &evil));
    }
    let begun = Instant::now();
    while let Some(path) = search.open.pop_front() {
        // What was sent is looked at first; then as much of the rest as there is time for.
        if search.pages > 400 || (search.pages > 150 && begun.elapsed() > Duration::from_secs(20)) {
            break;
        }
        // Streams do not end.
        if path.contains("/events") {
            continue;
        }
        let reply = me.send("GET", &path, &[HTML], "").unwrap();
        search.look(&path, &reply);
    }
    let raw = look_at_scripts();
    assert!(
        search.pages > 80 && search.shown >= 10 && search.pictures >= 2 && search.data >= 2,
        "{} answers, the words seen in {}, {} pictures, {} answers of data",
        search.pages,
        search.shown,
        search.pictures,
        search.data
    );
    measured(
        "markup",
        format!(
            "{} answers looked at, {} pictures among them: the markup shown as text in {}, raw on no page and in no picture, in {} answers that say they are data; {raw} script takes escaped markup from the server",
            search.pages, search.pictures, search.shown, search.data
        ),
    );
}
