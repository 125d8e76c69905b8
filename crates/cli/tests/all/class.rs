//! A class tournament: programs in Python play a round robin over HTTP on a server that is killed twice in the
//! middle, and five of them do what students' programs do. Eight of them play Hexapawn; with `WITS_CLASS=20`
//! twenty of them play Othello, and so with any other number from 8 on.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;
use wits_game::Turn;
use wits_play::{Event, Record, Shelf};
use wits_web::testing::Client;

use crate::common::Server;

/// What students write, and the fault that the house has to find.
const FAULTY: [(&str, &str); 5] = [
    ("crashing", "crashed"),
    ("slow", "late"),
    ("cheating", "illegal"),
    ("silent", "silent"),
    ("vanishing", "disconnected"),
];

/// Those that do what they should, as many of each as there is room for.
const GOOD: [&str; 3] = ["greedy", "alphabeta", "random"];

/// The columns of faults in the table.
const FAULTS: [&str; 6] = [
    "illegal",
    "crashed",
    "late",
    "silent",
    "disconnected",
    "unreadable",
];

/// What is played.
struct Plan {
    bots: usize,
    game: &'static str,
    /// Seconds for a game.
    seconds: u32,
    /// How long all of it may take.
    patience: Duration,
}

impl Plan {
    fn asked() -> Plan {
        let asked = std::env::var("WITS_CLASS").ok();
        match asked.and_then(|text| text.parse().ok()) {
            Some(bots) => Plan {
                bots,
                game: "othello",
                seconds: 5,
                patience: Duration::from_mins(20),
            },
            None => Plan {
                bots: FAULTY.len() + GOOD.len(),
                game: "hexapawn",
                seconds: 1,
                patience: Duration::from_mins(4),
            },
        }
    }

    /// Games of everybody against everybody, once in each seat.
    fn games(&self) -> usize {
        self.bots * (self.bots - 1)
    }
}

/// One process.
struct Student {
    name: String,
    fault: Option<&'static str>,
    /// The moves that were acknowledged, one a line.
    log: PathBuf,
    process: Child,
}

impl Drop for Student {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// How many answers took at most so long, as the servers said before they were killed.
#[derive(Default)]
struct Answers(BTreeMap<String, u64>);

impl Answers {
    fn add(&mut self, server: &Server) {
        let mut operator = Client::script(server.metrics.unwrap());
        let text = operator.get("/metrics").unwrap().body;
        for line in text.lines() {
            let bucket = line.strip_prefix("wits_bot_answer_seconds_bucket{le=\"");
            let Some((most, count)) = bucket.and_then(|rest| rest.split_once("\"} ")) else {
                continue;
            };
            *self.0.entry(most.to_owned()).or_insert(0) += count.parse::<u64>().unwrap();
        }
    }

    fn all(&self) -> u64 {
        self.0["+Inf"]
    }

    /// The end of the bucket that holds the slowest of 99 in 100, in seconds.
    fn p99(&self) -> f64 {
        let enough = self.all() - self.all() / 100;
        let ends = self.0.iter().filter(|(_, count)| **count >= enough);
        let ends = ends.filter_map(|(most, _)| most.parse().ok());
        ends.fold(f64::INFINITY, f64::min)
    }
}

/// A table of comma-separated values, by the names of its columns.
fn table(text: &str) -> Vec<BTreeMap<String, String>> {
    let mut lines = text.lines().map(|line| {
        let (mut cells, mut quoted) = (vec![String::new()], false);
        for c in line.chars() {
            match c {
                '"' => quoted = !quoted,
                ',' if !quoted => cells.push(String::new()),
                c => cells.last_mut().unwrap().push(c),
            }
        }
        cells
    });
    let heads = lines.next().unwrap();
    lines
        .map(|cells| heads.iter().cloned().zip(cells).collect())
        .collect()
}

/// The tournament, its server and its players.
struct Class {
    plan: Plan,
    folder: tempfile::TempDir,
    server: Option<Server>,
    teacher: Client,
    students: Vec<Student>,
    answers: Answers,
    /// The page of the tournament.
    page: String,
}

impl Class {
    fn open(plan: Plan) -> Class {
        let folder = tempfile::tempdir().unwrap();
        let server = Server::start(folder.path(), &["--metrics", "127.0.0.1:0"]);
        let mut teacher = Client::new(server.address);
        let order = json!({
            "title": "Class", "game": plan.game, "format": "round-robin", "games": 2, "seconds": plan.seconds,
        });
        let made = teacher.post("/arena/open", &order).unwrap();
        let page = made.json()["page"].as_str().unwrap().to_owned();
        Class {
            plan,
            folder,
            server: Some(server),
            teacher,
            students: Vec::new(),
            answers: Answers::default(),
            page,
        }
    }

    fn site(&self) -> String {
        format!("http://{}", self.teacher.address)
    }

    /// Everybody makes a bot on the page, and starts a program that joins by the link.
    fn sit_down(&mut self) {
        let clients = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../clients/python");
        let code = self.folder.path().join("student.py");
        std::fs::write(&code, include_str!("student.py")).unwrap();
        for number in 0..self.plan.bots {
            let (kind, fault) = match FAULTY.get(number) {
                Some((kind, fault)) => (*kind, Some(*fault)),
                None => (GOOD[number % GOOD.len()], None),
            };
            let name = format!("{kind} {number}");
            let mut person = Client::new(self.teacher.address);
            let made = person.post("/bots", &json!({ "name": name })).unwrap();
            let token = made.json()["token"].as_str().unwrap().to_owned();
            let log = self.folder.path().join(format!("{number}.moves"));
            let process = Command::new("python3")
                .arg(&code)
                .args([kind.as_ref(), log.as_os_str()])
                .args(["--join", &format!("{}{}", self.site(), self.page)])
                .env("WITS_TOKEN", token)
                .env("PYTHONPATH", &clients)
                .env("PYTHONDONTWRITEBYTECODE", "1")
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .expect("python3 is there");
            let student = Student {
                name: format!("{name} (bot)"),
                fault,
                log,
                process,
            };
            self.students.push(student);
        }
        let end = Instant::now() + Duration::from_mins(1);
        while self.teacher_sees().matches("<li>").count() < self.plan.bots {
            assert!(Instant::now() < end, "{}", self.teacher_sees());
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Who has joined, as the page lists them.
    fn teacher_sees(&mut self) -> String {
        let page = self.teacher.get(&self.page).unwrap().body;
        let list = page.split_once("<ol id=\"entrants\">");
        let list = list.and_then(|(_, rest)| rest.split_once("</ol>"));
        list.map(|(list, _)| list.to_owned()).unwrap_or_default()
    }

    /// The name of the tournament's results, once it is played.
    fn run(&mut self) -> String {
        let page = self.teacher.get(&self.page).unwrap().body;
        let link = page.split_once("/arena/run?name=").unwrap().1;
        link.split('"').next().unwrap().to_owned()
    }

    /// The games that are over and written down.
    fn games(&mut self, run: &str) -> Vec<BTreeMap<String, String>> {
        let csv = self
            .teacher
            .get(&format!("/arena/run/games.csv?name={run}"));
        table(&csv.unwrap().body)
    }

    /// Waits until so many games are over.
    fn wait(&mut self, run: &str, games: usize) {
        let end = Instant::now() + self.plan.patience;
        loop {
            let done = self.games(run).len();
            if done >= games {
                return;
            }
            assert!(Instant::now() < end, "{done} of {games} games are over");
            std::thread::sleep(Duration::from_millis(200));
        }
    }

    /// SIGKILL, and the same server again.
    fn kill(&mut self) {
        let server = self.server.take().unwrap();
        let address = server.address.to_string();
        self.answers.add(&server);
        server.kill();
        let again = Server::start_at(self.folder.path(), &address, &["--metrics", "127.0.0.1:0"]);
        self.server = Some(again);
    }
}

/// The record of a game.
fn record(client: &mut Client, page: &str) -> Record {
    let text = client.get(&format!("{page}/record")).unwrap().body;
    Record::read(&text).unwrap_or_else(|why| panic!("{page}: {why}"))
}

/// What each seat got.
fn payoffs(game: &BTreeMap<String, String>) -> [i32; 2] {
    ["payoff 1", "payoff 2"].map(|seat| game[seat].parse().unwrap())
}

/// Every fault is named, and is of the one who has it; who has none has none.
fn check_faults(class: &Class, games: &[BTreeMap<String, String>]) {
    let mut found = BTreeMap::<&str, usize>::new();
    for game in games.iter().filter(|game| !game["fault"].is_empty()) {
        let by = class.students.iter().find(|one| one.name == game["by"]);
        let by = by.unwrap_or_else(|| panic!("nobody is blamed: {game:?}"));
        // Who is too slow for a first move has said nothing in that game: a server that was killed meanwhile heard none of it.
        let unheard = by.fault == Some("late") && game["fault"] == "silent";
        if !unheard || game["moves"].parse::<u32>().unwrap() > 1 {
            assert_eq!(by.fault, Some(game["fault"].as_str()), "{game:?}");
        }
        *found.entry(&by.name).or_insert(0) += 1;
        let loser = usize::from(game["seat 2"] == game["by"]);
        let payoffs = payoffs(game);
        assert!(payoffs[loser] < payoffs[1 - loser], "{game:?}");
    }
    for one in class.students.iter().filter(|one| one.fault.is_some()) {
        // The other faulty ones may be quicker with their own faults, and who vanishes plays well until then.
        let least = 2 * (class.plan.bots - FAULTY.len());
        let games = found.get(one.name.as_str()).copied().unwrap_or(0);
        let least = match one.fault {
            Some("silent") => least,
            Some("disconnected") => least / 2,
            _ => 1,
        };
        assert!(games >= least, "{}: {games} of at least {least}", one.name);
    }
}

/// The table is what the games add up to.
fn check_table(
    class: &Class,
    games: &[BTreeMap<String, String>],
    table: &[BTreeMap<String, String>],
) {
    assert_eq!(table.len(), class.plan.bots);
    let mut met = BTreeMap::<(&str, &str), usize>::new();
    for game in games {
        *met.entry((&game["seat 1"], &game["seat 2"])).or_insert(0) += 1;
    }
    assert_eq!(met.len(), class.plan.games(), "everybody met everybody");
    assert!(met.values().all(|count| *count == 1), "{met:?}");
    let mut before = f64::INFINITY;
    for row in table {
        let name = &row["name"];
        let (mut won, mut drawn, mut lost) = (0, 0, 0);
        for game in games {
            let Some(seat) = ["seat 1", "seat 2"].iter().position(|s| game[*s] == *name) else {
                continue;
            };
            let payoffs = payoffs(game);
            match payoffs[seat].cmp(&payoffs[1 - seat]) {
                std::cmp::Ordering::Greater => won += 1,
                std::cmp::Ordering::Equal => drawn += 1,
                std::cmp::Ordering::Less => lost += 1,
            }
        }
        let number = |key: &str| row[key].parse::<f64>().unwrap();
        let told = ["won", "drawn", "lost"].map(|key| row[key].parse::<i32>().unwrap());
        assert_eq!(told, [won, drawn, lost], "{row:?}");
        let points = f64::from(won) + f64::from(drawn) / 2.0;
        assert!((number("points") - points).abs() < 1e-9, "{row:?}");
        assert!(points <= before, "the best stand first: {row:?}");
        before = points;
        for fault in FAULTS {
            let named = games
                .iter()
                .filter(|game| game["by"] == *name && game["fault"] == fault);
            assert_eq!(row[fault], named.count().to_string(), "{fault}: {row:?}");
        }
    }
}

/// Every game can be opened, and the rules give the result that the table has. Every move that was acknowledged to
/// a student is in its game.
fn check_records(class: &Class, games: &[BTreeMap<String, String>]) -> usize {
    let catalog = wits_catalog::all();
    let mut visitor = Client::new(class.teacher.address);
    let mut records = BTreeMap::new();
    for game in games {
        let page = visitor.get(&game["page"]).unwrap();
        assert_eq!(page.status, 200, "{game:?}");
        let record = record(&mut visitor, &game["page"]);
        let rules = catalog.game(&record.header.game.parse().unwrap(), &Shelf::new());
        let played = rules.unwrap().replay(&record).unwrap();
        let Turn::Over(outcome) = played.turn() else {
            panic!("{} is not over", game["page"]);
        };
        assert_eq!(payoffs(game), outcome.payoffs[..], "{game:?}");
        let id = game["page"].rsplit('/').next().unwrap().to_owned();
        records.insert(id, record);
    }
    let mut acknowledged = 0;
    for student in &class.students {
        let log = std::fs::read_to_string(&student.log).unwrap_or_default();
        for line in log.lines() {
            let (turn, mv) = line.split_once(' ').unwrap();
            let (id, event) = turn.split_once('-').unwrap();
            let event = records[id].events.get(event.parse::<usize>().unwrap());
            let same = matches!(event, Some(Event::Move { text, .. }) if text == mv);
            assert!(same, "{}: {line}, but {event:?}", student.name);
            acknowledged += 1;
        }
    }
    acknowledged
}

#[test]
fn a_class_tournament_survives_two_kills_and_names_every_fault() {
    let mut class = Class::open(Plan::asked());
    class.sit_down();
    let began = Instant::now();
    let started = class
        .teacher
        .post(&format!("{}/start", class.page), &json!({}));
    assert_eq!(started.unwrap().status, 200);
    let (run, all) = (class.run(), class.plan.games());
    for third in 1..3 {
        class.wait(&run, all * third / 3);
        class.kill();
    }
    class.wait(&run, all);
    let took = began.elapsed();
    class.answers.add(class.server.as_ref().unwrap());
    let games = class.games(&run);
    assert_eq!(games.len(), all);
    let rows = class.teacher.get(&format!("/arena/run/csv?name={run}"));
    let rows = table(&rows.unwrap().body);
    check_faults(&class, &games);
    check_table(&class, &games, &rows);
    let ladder = class
        .teacher
        .get(&format!("/arena/ladder?game={}", class.plan.game));
    let ladder = ladder.unwrap().body;
    for student in &class.students {
        assert!(ladder.contains(&student.name), "{}: {ladder}", student.name);
    }
    let acknowledged = check_records(&class, &games);
    let (answers, p99) = (class.answers.all(), class.answers.p99());
    // The row of the table in `docs/bots.md`, without the machine.
    let figures = format!(
        "{} bots, {}, {all} games, {:.0} s, {acknowledged} moves in the records, {answers} answers, p99 at most {} ms",
        class.plan.bots,
        class.plan.game,
        took.as_secs_f64(),
        1000.0 * p99,
    );
    let _ = writeln!(std::io::stderr(), "class: {figures}");
    // What was answered between a look at the figures and the kill is not in them.
    assert!(acknowledged > all && answers as usize > acknowledged * 9 / 10);
    assert!(p99 <= 0.05, "{figures}: {:?}", class.answers.0);
}
