//! Lessons over HTTP, as plain pages: each asks first, shows its surprise at once, and answers a guess.

use wits_store::Store;
use wits_web::testing::{Client, House};

/// Every lesson, and what its question can be answered with: some right and some wrong.
const LESSONS: [(&str, &str); 14] = [
    ("hexapawn", "wits-board"),
    ("beads", "mb-box"),
    ("alphabeta", "wits-board"),
    ("astar", "ls-net"),
    ("endgame", "wits-board"),
    ("proofs", "wits-board"),
    ("squarefree", "wits-board"),
    ("pairing", "wits-board"),
    ("dawg", "ls-state"),
    ("cross-checks", "wits-board"),
    ("cross-validation", "lesson-bars"),
    ("chance", "lesson-bars"),
    ("rating", "wits-board"),
    ("tournament", "lesson-bars"),
];

fn open() -> House {
    let store = Store::memory().unwrap();
    House::open(wits_catalog::all(), store, |_| {})
}

fn page(client: &mut Client, path: &str, lang: &str) -> String {
    let kind = [("accept", "text/html"), ("accept-language", lang)];
    let reply = client.send("GET", path, &kind, "").unwrap();
    assert_eq!(reply.status, 200, "{path}: {}", reply.body);
    reply.body
}

/// What stands between two marks.
fn between<'a>(text: &'a str, from: &str, to: &str) -> &'a str {
    let (_, rest) = text.split_once(from).unwrap_or_else(|| panic!("no {from}"));
    rest.split_once(to).map_or(rest, |(inner, _)| inner)
}

/// The words of some HTML.
fn words(html: &str) -> String {
    let parts = html
        .split('<')
        .map(|p| p.split_once('>').map_or(p, |(_, t)| t));
    parts.collect::<String>()
}

/// Everything that a guess on this page may be: buttons, links, and moves of a board for scripts.
fn guesses(page: &str) -> Vec<String> {
    let form = between(page, "class=\"lesson-guess\"", "</form>");
    let buttons = form.split("name=\"move\" value=\"").skip(1);
    let links = form.split("move=").skip(1);
    let mut all: Vec<String> = buttons
        .map(|rest| rest.split('"').next().unwrap().to_owned())
        .chain(links.map(|rest| rest.split(['"', '&']).next().unwrap().to_owned()))
        .collect();
    all.sort();
    all.dedup();
    all
}

/// Whether a guess is right, and the sentences of its story.
fn answered(client: &mut Client, lesson: &str, guess: &str) -> (bool, Vec<String>) {
    let guess = guess.replace('=', "%3D");
    let page = page(client, &format!("/lessons/{lesson}?move={guess}"), "en");
    let right = between(&page, "data-right=\"", "\"") == "true";
    let story = page
        .split_once("class=\"story\"")
        .map_or("", |(_, rest)| rest);
    let says = between(&format!("{story}</ol>"), ">", "</ol>").to_owned();
    let items = says.split("<li>").skip(1).map(words).collect();
    (right, items)
}

#[test]
fn every_lesson_asks_first_and_shows_its_surprise_at_once() {
    let house = open();
    let mut me = house.guest();
    for (lesson, drawn) in LESSONS {
        let path = format!("/lessons/{lesson}");
        for lang in ["en", "pl", "cs"] {
            let page = page(&mut me, &path, lang);
            let question = words(between(&page, "class=\"guess-ask\">", "</h2>"));
            assert!(question.ends_with('?'), "{lesson} in {lang}: {question}");
            let picture = between(&page, "class=\"guess-picture\"", "</form>");
            assert!(picture.contains(drawn), "{lesson}: {drawn} is not drawn");
            let surprise = words(between(&page, "class=\"surprise\">", "</p>"));
            let told = surprise.chars().any(|c| c.is_ascii_digit());
            assert!(
                told && !surprise.contains('{'),
                "{lesson} in {lang}: {surprise}"
            );
            // Nothing is answered yet, and nothing is left unfilled.
            assert!(!page.contains("guess-said"), "{lesson}");
            let main = words(between(&page, "<main", "</main>"));
            let holes: Vec<&str> = main
                .split('{')
                .skip(1)
                .filter(|r| r.starts_with(char::is_alphabetic))
                .collect();
            assert!(
                holes.is_empty(),
                "{lesson} in {lang}: {:?}",
                holes[0].get(..30)
            );
            let fold = between(&page, "lesson-teachers", "</details>");
            assert_eq!(fold.matches("<h2>").count(), 3, "{lesson} in {lang}");
            assert!(
                fold.matches("<li>").count() >= 3,
                "{lesson} has no plan in {lang}"
            );
        }
    }
}

#[test]
fn a_wrong_guess_is_answered_by_what_punishes_it() {
    let house = open();
    let mut me = house.guest();
    for (lesson, _) in LESSONS {
        let first = page(&mut me, &format!("/lessons/{lesson}"), "en");
        let all = guesses(&first);
        assert!(all.len() > 1, "{lesson}: {all:?}");
        let mut seen = [false; 2];
        for guess in all.iter().take(8) {
            let (right, story) = answered(&mut me, lesson, guess);
            seen[usize::from(right)] = true;
            let told =
                ["hexapawn", "beads", "alphabeta", "endgame", "cross-checks"].contains(&lesson);
            assert!(!told || story.len() > 2, "{lesson} {guess}: {story:?}");
        }
        assert_eq!(
            seen, [true; 2],
            "{lesson}: {all:?} are all right or all wrong"
        );
    }
}

#[test]
fn corners_hold_and_edges_lose_with_a_fork() {
    let house = open();
    let mut me = house.guest();
    for (square, holds) in [("a3", true), ("c1", true), ("b1", false), ("c2", false)] {
        let (right, story) = answered(&mut me, "alphabeta", square);
        assert_eq!(right, holds, "{square}: {story:?}");
        let last = story.last().unwrap();
        assert_eq!(last.contains("three in a row"), !holds, "{square}: {last}");
    }
}

#[test]
fn a_position_is_made_by_clicking_and_taking_back() {
    let house = open();
    let mut me = house.guest();
    let moves = |page: &str| between(page, "name=\"pick\" value=\"", "\"").to_owned();
    let first = page(&mut me, "/lessons/alphabeta", "en");
    assert_eq!(moves(&first), "b2 a1 c3");
    let on = page(&mut me, "/lessons/alphabeta?pick=b2+a1+c3&move=c1", "en");
    assert_eq!(moves(&on), "b2 a1 c3 c1");
    assert!(!on.contains("guess-said"), "a click beneath is no guess");
    let empty = page(&mut me, "/lessons/alphabeta?pick=b2&back=all&depth=3", "en");
    assert_eq!(moves(&empty), "-");
}
