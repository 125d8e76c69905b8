//! What attackers send: goals, tables and files that cost far more than they look.

use std::sync::OnceLock;

use wits_transit::{Builder, Calendar, Mode, Projection, pack};
use wits_web::testing::Client;

use crate::zip::{files, zip};

pub(crate) fn coded(goal: &str) -> String {
    goal.bytes().fold(String::new(), |mut out, b| {
        use std::fmt::Write as _;
        let _ = write!(out, "%{b:02X}");
        out
    })
}

/// Asks a goal on the page and reads what came of it.
pub(crate) fn ask(me: &mut Client, goal: &str) -> String {
    let path = format!("/expert/query?goal={}", coded(goal));
    let reply = me
        .send("GET", &path, &[("accept", "text/html")], "")
        .unwrap();
    // Who has much waiting is told so in the end.
    assert!([200, 503].contains(&reply.status), "{goal}: {}", reply.body);
    reply.body
}

/// Goals that never end, each with a step that takes long.
pub(crate) const ENDLESS: [&str; 5] = [
    "X is 3**2000000, repeat, Y is X*X mod 7, Y =:= 100.",
    "numlist(1,300000,L), between(1,100000000,_), copy_term(L,_), fail.",
    "numlist(1,300000,L), between(1,100000000,_), msort(L,_), fail.",
    "numlist(1,300000,L), between(1,100000000,_), format(atom(_),\"~w\",[L]), fail.",
    "numlist(1,300000,L), between(1,100000000,_), ground(L), fail.",
];

/// Goals that want all the memory there is; the first two take most in a short time.
pub(crate) const GREEDY: [&str; 5] = [
    "numlist(1,1000,L), repeat, assertz(p(L)), fail.",
    "numlist(1,300000,L), findall(L, repeat, _).",
    "numlist(1,100000,L), atomic_list_concat(L,A), between(1,1000000,I), atom_concat(A,I,B), fail.",
    "numlist(1,50000,L), sum_list(L,S).",
    "length(L,100000000), fail.",
];

/// Verbs that take as long as they may, and what they are asked, for scripts.
pub(crate) const DEAR: [(&str, &str); 2] = [
    ("thue/marathon", r#"{"moves": 200000000}"#),
    ("thue/survival", r#"{"games": 1000000}"#),
];

/// Asks one of them; the status of the answer.
pub(crate) fn ask_dear(me: &mut Client, n: usize) -> Option<u16> {
    let (verb, args) = DEAR[n % DEAR.len()];
    let json = [("content-type", "application/json")];
    let sent = me.send("POST", &format!("/api/{verb}"), &json, args);
    sent.ok().map(|reply| reply.status)
}

/// A table of 18,000 rows and 30 columns, whose classes are hard to tell apart.
pub(crate) fn large_table() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(made_table)
}

fn made_table() -> String {
    let mut seed = 7_u64;
    let mut next = || {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % 1000
    };
    let names: Vec<String> = (0..30).map(|n| format!("x{n}")).collect();
    let mut text = names.join(",") + ",class\n";
    for _ in 0..18_000 {
        let row: Vec<String> = (0..30).map(|_| next().to_string()).collect();
        text += &row.join(",");
        text += [",a\n", ",b\n", ",c\n"][next() as usize % 3];
    }
    text
}

/// Begins a grid that takes minutes; its address, unless it was refused.
pub(crate) fn start_grid(me: &mut Client) -> Option<String> {
    let csv = [("content-type", "text/csv")];
    let sent = me.send("POST", "/learn/data?name=rows", &csv, large_table());
    let page = sent.ok()?.json()["page"].as_str()?.to_owned();
    let form = [("content-type", "application/x-www-form-urlencoded")];
    let fields = "target=class&imputer=mean&transformer=passthrough&classifier=naive-bayes&classifier=svc-rbf&classifier=boosting";
    let sent = me.send("POST", &format!("{page}/grid"), &form, fields);
    Some(sent.ok()?.json()["page"].as_str()?.to_owned())
}

/// A packed timetable of one pattern with many stops, whose trips all share one run: small as a
/// file, and larger than any memory once it is laid out.
fn wide_timetable(stops: u32, trips: usize) -> Vec<u8> {
    let mut builder = Builder::new("wide", Calendar::EveryDay);
    let calls: Vec<(u32, i32, i32)> = (0..stops)
        .map(|i| (builder.stop("x", "", None), i as i32, i as i32))
        .collect();
    let line = builder.line("1", "", Mode::Bus);
    builder.trip(line, 0, None, &calls);
    let mut table = builder.finish(Projection::Ellipsoid);
    table.trips = vec![table.trips[0]; trips];
    pack::write(&table)
}

/// Packed timetables that are small as files; the last one is as large as it may be, and is read.
pub(crate) fn crafted() -> &'static [Vec<u8>; 3] {
    static FILES: OnceLock<[Vec<u8>; 3]> = OnceLock::new();
    FILES.get_or_init(|| {
        [
            wide_timetable(60_000, 60_000),
            wide_timetable(400_000, 500_000),
            // Many stops and few trips.
            wide_timetable(190_000, 30),
        ]
    })
}

/// Zips of some hundred kilobytes that unpack to 400 MB: one is honest about it.
pub(crate) fn bombs() -> &'static [Vec<u8>; 2] {
    static FILES: OnceLock<[Vec<u8>; 2]> = OnceLock::new();
    FILES.get_or_init(|| {
        let line = b"t,08:00:00,08:00:00,a,1\n";
        let mut all: Vec<_> = files().into_iter().map(|(n, b)| (n, b, None)).collect();
        all[4].1.extend(line.repeat((400 << 20) / line.len()));
        let honest = zip(&all);
        all[4].2 = Some(1000);
        [honest, zip(&all)]
    })
}

/// A sound timetable of about 15 MB: its stops have very long names, of which no two are alike.
pub(crate) fn large_timetable() -> &'static [u8] {
    static FILE: OnceLock<Vec<u8>> = OnceLock::new();
    FILE.get_or_init(made_large)
}

fn made_large() -> Vec<u8> {
    let mut builder = Builder::new("large", Calendar::EveryDay);
    let mut seed = 1_u64;
    let mut name = || {
        let mut text = String::new();
        while text.len() < 1_000 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            text += &(seed >> 4).to_string();
        }
        text
    };
    let calls: Vec<(u32, i32, i32)> = (0..15_000)
        .map(|i| (builder.stop(&name(), "", None), i, i))
        .collect();
    let line = builder.line("1", "", Mode::Bus);
    builder.trip(line, 0, None, &calls);
    pack::write(&builder.finish(Projection::Ellipsoid))
}
