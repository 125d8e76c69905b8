//! The whole site as a visitor's browser fetches it: light, at home, and without dead links.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::common::Server;
use wits_web::testing::{Client, Reply};

/// What the first page may weigh with everything that it loads.
const FIRST_PAGE: usize = 210_000;
/// Pages that are looked at, at most.
const PAGES: usize = 150;

fn fetch(client: &mut Client, path: &str) -> Reply {
    client
        .send("GET", path, &[("accept", "text/html")], "")
        .unwrap()
}

/// The values of an attribute, wherever it stands.
fn values<'a>(html: &'a str, attribute: &str) -> Vec<&'a str> {
    let start = format!(" {attribute}=\"");
    let ends = html.match_indices(&start).map(|(at, _)| at + start.len());
    ends.filter_map(|at| html[at..].split('"').next()).collect()
}

/// Everything of ours that a script, a style or a page names, in quotes or in parentheses.
fn assets(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for start in ["/assets/", "\"./"] {
        for (at, _) in text.match_indices(start) {
            let name: String = text[at + start.len()..]
                .chars()
                .take_while(|c| c.is_ascii_alphanumeric() || "-._".contains(*c))
                .collect();
            if name.contains('.') {
                found.insert(format!("/assets/{name}"));
            }
        }
    }
    found
}

/// Addresses of other machines in a text. Names of namespaces are no addresses.
fn foreign(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for start in [
        "http://", "https://", "ws://", "wss://", "url(//", "=\"//", "\"//",
    ] {
        for (at, _) in text.match_indices(start) {
            let shown: String = text[at..].chars().take(60).collect();
            if !shown.starts_with("http://www.w3.org/") {
                found.push(shown);
            }
        }
    }
    found
}

/// The parts of a page that make a browser fetch something by itself: all tags but links to click.
fn loading(html: &str) -> String {
    let tags = html
        .match_indices('<')
        .filter_map(|(at, _)| html[at..].split('>').next());
    let tags = tags.filter(|tag| !tag.starts_with("<a "));
    tags.collect::<Vec<_>>().join("\n")
}

#[test]
fn the_first_page_is_light() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let mut client = Client::new(server.address);
    let page = fetch(&mut client, "/");
    let mut total = page.body.len();
    let mut seen = BTreeSet::new();
    let mut open: VecDeque<String> = assets(&page.body).into_iter().collect();
    while let Some(path) = open.pop_front() {
        if seen.insert(path.clone()) {
            let file = client.get(&path).unwrap();
            assert_eq!(file.status, 200, "{path}");
            total += file.body.len();
            open.extend(assets(&file.body));
        }
    }
    assert!(seen.contains("/assets/wits.css") && seen.contains("/assets/icon.svg"));
    assert!(total < FIRST_PAGE, "{total} bytes in {seen:?}");
}

#[test]
fn no_page_calls_other_machines_and_no_link_is_dead() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let mut client = Client::new(server.address);
    let mut from: BTreeMap<String, String> = BTreeMap::new();
    let mut open = VecDeque::from(["/".to_owned()]);
    let mut files = BTreeSet::new();
    let mut pages: BTreeMap<String, String> = BTreeMap::new();
    while let Some(path) = open.pop_front() {
        if pages.len() >= PAGES {
            break;
        }
        let page = fetch(&mut client, &path);
        let came = from.get(&path).cloned().unwrap_or_default();
        assert_eq!(page.status, 200, "{path}, linked on {came}");
        let kind = page.header("content-type").unwrap_or_default().to_owned();
        if !kind.starts_with("text/html") {
            continue;
        }
        assert_eq!(foreign(&loading(&page.body)), [""; 0], "{path}");
        files.extend(assets(&page.body));
        for link in values(&page.body, "href") {
            let link = link.replace("&amp;", "&");
            let link = link.split('#').next().unwrap_or_default().to_owned();
            // One question a page is enough: the same form would answer all others.
            let plain = link.split('?').next().unwrap_or_default().to_owned();
            let ours = plain.starts_with('/') && !plain.starts_with("/assets/");
            if ours && !from.contains_key(&plain) {
                from.insert(plain, path.clone());
                from.insert(link.clone(), path.clone());
                open.push_back(link);
            }
        }
        pages.insert(path, page.body);
    }
    let mut seen = BTreeSet::new();
    let mut open: VecDeque<String> = files.into_iter().collect();
    while let Some(path) = open.pop_front() {
        if seen.insert(path.clone()) {
            let file = client.get(&path).unwrap();
            assert_eq!(file.status, 200, "{path}");
            assert_eq!(foreign(&file.body), [""; 0], "{path}");
            open.extend(assets(&file.body));
        }
    }
    for room in ["/matchbox", "/othello", "/learn", "/transit", "/arena"] {
        assert!(
            pages.contains_key(room),
            "{room} is not reached from the first page"
        );
    }
    // A link to a part of a page leads to that part.
    for (path, html) in &pages {
        for link in values(html, "href") {
            let Some((to, part)) = link.split_once('#') else {
                continue;
            };
            let to = if to.is_empty() { path } else { to };
            if let Some(page) = pages.get(to) {
                assert!(page.contains(&format!("id=\"{part}\"")), "{link} on {path}");
            }
        }
    }
}

#[test]
fn addresses_of_others_are_found() {
    assert_eq!(
        foreign("<script src=\"https://cdn.example/x.js\">").len(),
        1
    );
    assert_eq!(foreign("@import url(//cdn.example/x.css)").len(), 1);
    assert!(foreign("createElementNS(\"http://www.w3.org/2000/svg\")").is_empty());
    assert!(foreign(&loading("<a href=\"https://example.org\">x</a>")).is_empty());
    assert_eq!(
        assets("url(\"/assets/icon.svg\") import \"./dom.js\"").len(),
        2
    );
}

#[test]
fn charts_of_lessons_can_be_kept() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let mut client = Client::at(server.address, server.address.ip());
    let mut axes = 0;
    for (lesson, charts, tables) in [
        ("chance?games=600", 1, 1),
        ("beads?games=20", 1, 1),
        ("dawg", 1, 0),
        ("astar", 1, 1),
    ] {
        let page = fetch(&mut client, &format!("/lessons/{lesson}")).body;
        let links = values(&page, "href");
        let kept = |kind: &str| -> Vec<String> {
            let links = links.iter().filter(|l| l.contains("/keep/"));
            let path = |l: &str| l.split('?').next().unwrap_or_default().to_owned();
            let links = links.filter(|l| path(l).ends_with(kind));
            links.map(|l| l.replace("&amp;", "&")).collect()
        };
        let (pictures, numbers) = (kept(".svg"), kept(".csv"));
        assert_eq!(
            (pictures.len(), numbers.len()),
            (charts, tables),
            "{lesson}"
        );
        for link in &pictures {
            let file = client.get(link).unwrap();
            assert!(
                file.body.starts_with("<svg xmlns="),
                "{link}: {}",
                file.body
            );
            assert_eq!(foreign(&file.body), [""; 0], "{link}");
            // Whoever keeps a chart with axes must know later what lies on both.
            if file.body.contains("class=\"ls-grid\"") {
                let (_, turned) = file.body.split_once("rotate(-90)").unwrap_or_default();
                let name = turned.split(['>', '<']).nth(1).unwrap_or_default();
                assert!(!name.is_empty(), "{link}: {}", file.body);
                axes += 1;
            }
            let head = file.header("content-disposition").unwrap_or_default();
            assert!(head.contains(".svg\""), "{head}");
        }
        for link in &numbers {
            let file = client.get(link).unwrap().body;
            let commas = |line: &str| line.matches(',').count();
            let first = commas(file.lines().next().unwrap());
            assert!(first > 0 && file.lines().count() > 2, "{link}: {file}");
        }
        // What was changed is in the file, too.
        if lesson.starts_with("chance") {
            assert!(pictures[0].contains("games=600"), "{pictures:?}");
            assert!(client.get(&pictures[0]).unwrap().body.contains("600"));
        }
    }
    assert_eq!(axes, 3, "charts with axes");
    assert_eq!(
        client.get("/lessons/dawg/keep/none.svg").unwrap().status,
        404
    );
    assert_eq!(
        client.get("/lessons/dawg/keep/tree.csv").unwrap().status,
        404
    );
}
