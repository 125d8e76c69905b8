//! The first page starts things, lessons answer, the manual and the glossary can be read by everybody.

use serde_json::json;

use crate::journeys::journey;

/// A game in which the machine has made its move.
const MACHINE_MOVED: &str = "document.querySelector('wits-board svg') && document.querySelectorAll('#moves li').length >= 1";

/// Every lesson, as addresses name it.
const LESSONS: [&str; 14] = [
    "hexapawn",
    "beads",
    "alphabeta",
    "astar",
    "endgame",
    "proofs",
    "squarefree",
    "pairing",
    "dawg",
    "cross-checks",
    "cross-validation",
    "chance",
    "rating",
    "tournament",
];

/// Every button of the first page, and what shows that something runs after it.
pub(crate) const TRIES: [(&str, &str); 9] = [
    ("/matchbox", MACHINE_MOVED),
    ("/othello", MACHINE_MOVED),
    (
        "scrabble",
        "document.querySelectorAll('#rack [data-tile]').length === 7",
    ),
    ("/thue", MACHINE_MOVED),
    (
        "/rainbow",
        // The first page has a board of its own.
        "location.pathname !== '/' && document.querySelector('wits-board svg')",
    ),
    (
        "/transit",
        "document.querySelectorAll('wits-thread').length === 4 && document.querySelector('.tr-wrong')",
    ),
    (
        "/expert",
        "/talk/.test(location.pathname) && document.querySelector('main form')",
    ),
    (
        "/learn",
        "/learn\\/runs/.test(location.pathname) && document.querySelector('main table tbody tr')",
    ),
    ("/arena", "document.querySelector('#standings tbody tr')"),
];

#[test]
fn one_click_on_the_first_page_starts_something_in_every_room() {
    journey(|driver, base| async move {
        let page = driver.browser(1100, false).await;
        page.open(&base).await;
        page.accessible("home").await;
        page.picture("home").await;
        let rooms = page
            .run("return document.querySelectorAll('.card.room').length")
            .await;
        let tries = page
            .run("return document.querySelectorAll('.card.room .try').length")
            .await;
        assert_eq!((rooms, tries), (json!(TRIES.len()), json!(TRIES.len())));
        for (room, runs) in TRIES {
            page.open(&base).await;
            let card = format!(".card.room:has(h2 a[href*='{room}']) .try");
            page.click(&card).await;
            page.until(runs).await;
        }
        page.client.close().await.unwrap();
    });
}

#[test]
fn a_lesson_that_is_changed_shows_another_picture() {
    journey(|driver, base| async move {
        let page = driver.browser(1000, false).await;
        page.open(&format!("{base}/lessons")).await;
        page.accessible("the lessons").await;
        let count = page
            .run("return document.querySelectorAll('.lessons .card').length")
            .await;
        assert_eq!(count, LESSONS.len());
        page.click("a[href='/lessons/chance']").await;
        page.find(".lesson-chart svg").await;
        let picture = "document.querySelector('.lesson-chart svg').innerHTML";
        let before = page.run(&format!("return {picture}")).await;
        let set = "const f = document.querySelector('#ls-games'); f.value = 600; f.dispatchEvent(new Event('input', {bubbles: true}))";
        page.run(set).await;
        page.until(&format!("{picture} !== {before}")).await;
        page.until("/games=600/.test(location.search)").await;
        let said = page.text("main").await;
        assert!(said.contains("336 wins in 600 games"), "{said}");
        // Without scripts the same address shows the same picture.
        page.open(&format!("{base}/lessons/chance?games=600")).await;
        assert!(page.text("main").await.contains("336 wins in 600 games"));
        // A thread of a lesson can be followed.
        page.open(&format!("{base}/lessons/alphabeta?moves=b2+a1&depth=3"))
            .await;
        page.until("document.querySelectorAll('wits-thread svg').length >= 2")
            .await;
        page.picture("lesson-alphabeta").await;
        page.client.close().await.unwrap();
    });
}

/// A click on a square of the question, by the square's name.
fn on(square: &str) -> String {
    format!(".guess-picture [aria-label^='{square},']")
}

#[test]
fn a_guess_is_answered_on_the_board_and_remembered() {
    journey(|driver, base| async move {
        let page = driver.browser(1366, false).await;
        // Whoever comes from elsewhere is asked before machines work.
        page.open(&base).await;
        page.open(&format!("{base}/lessons/alphabeta")).await;
        page.find(".guess-picture [data-cell].playable").await;
        let answered = "document.querySelector('.guess-said')";
        assert_eq!(page.run(&format!("return {answered}")).await, json!(null));
        // The question, its board and the surprise are in the first screen.
        let low = "return Math.max(...['.guess-ask', '.guess-picture svg.board', '.surprise p'].map((c) => document.querySelector(c).getBoundingClientRect().bottom)) - innerHeight";
        let low = page.run(low).await.as_f64().unwrap();
        assert!(
            low <= 40.0,
            "the first frame ends {low} pixels below the screen"
        );
        // A wrong guess: without motion the reply is on the board at once, and the rest a click away.
        page.click(&on("b3")).await;
        page.until(&format!("{answered}?.dataset.right === 'false'"))
            .await;
        page.until("document.activeElement.matches('.guess-said')")
            .await;
        let current = "document.querySelector('ol.story li[aria-current]')";
        page.until(&format!("{current}.textContent.startsWith('X answers')"))
            .await;
        page.click("ol.story li:last-child button").await;
        page.until(&format!("{current}.textContent.includes('three in a row')"))
            .await;
        page.until("document.querySelectorAll('.guess-picture .lamp.win').length === 3")
            .await;
        page.accessible("a wrong guess").await;
        page.fits("a wrong guess").await;
        page.picture("lesson-guess-wrong").await;
        // The sentences go back to their positions.
        page.click("ol.story li:nth-child(2) button").await;
        page.until("document.querySelectorAll('.guess-picture .lamp.win').length === 0")
            .await;
        // By keyboard: another guess, the right one.
        page.click(".guess-said a").await;
        page.until("!document.querySelector('.guess-said') && document.querySelector('.guess-picture .playable')").await;
        page.run("document.querySelector('.guess-picture [tabindex=\"0\"]').focus()")
            .await;
        let cell = page.client.active_element().await.unwrap();
        cell.send_keys("\u{E014}\u{E014}\n").await.unwrap();
        page.until(&format!("{answered}?.dataset.right === 'true'"))
            .await;
        // The first guess is the one that counts.
        page.open(&format!("{base}/lessons")).await;
        page.until(
            "document.querySelector('[data-lesson-card=alphabeta]').textContent.includes('wrong')",
        )
        .await;
        page.client.close().await.unwrap();
    });
}

#[test]
fn a_position_is_made_by_clicking() {
    journey(|driver, base| async move {
        let page = driver.browser(1000, false).await;
        page.open(&base).await;
        page.open(&format!("{base}/lessons/alphabeta")).await;
        page.find(".lesson-picker .playable").await;
        let moves = "document.querySelector('[name=pick]').value";
        page.click(".lesson-picker [aria-label^='c1,']").await;
        page.until(&format!("{moves} === 'b2 a1 c3 c1'")).await;
        assert_eq!(
            page.run("return document.querySelector('.guess-said')")
                .await,
            json!(null)
        );
        page.click(".lesson-picker [value=all]").await;
        page.until(&format!("{moves} === '-'")).await;
        page.click(".lesson-picker [aria-label^='b2,']").await;
        page.until(&format!("{moves} === 'b2'")).await;
        // A state of a tree is a link, and is answered in place, too.
        page.open(&format!("{base}/lessons/dawg")).await;
        page.click(".guess-picture a[aria-label*='“e”']").await;
        page.until("document.querySelector('.guess-said')?.dataset.right === 'true'")
            .await;
        page.until("/move=/.test(location.search)").await;
        page.client.close().await.unwrap();
    });
}

#[test]
fn lessons_manual_and_glossary_are_for_everybody() {
    journey(|driver, base| async move {
        for (width, dark) in [(1000, false), (360, true)] {
            let page = if width == 360 {
                driver.phone(dark).await
            } else {
                driver.browser(width, dark).await
            };
            page.open(&base).await;
            let mut pages: Vec<String> = LESSONS.iter().map(|l| format!("/lessons/{l}")).collect();
            pages.extend(
                [
                    "/",
                    "/lessons",
                    "/glossary",
                    "/docs",
                    "/docs/manual",
                    "/docs/commands",
                    "/docs/add-a-game",
                ]
                .map(str::to_owned),
            );
            for path in &pages {
                page.open(&format!("{base}{path}")).await;
                page.find("main h1").await;
                if path.starts_with("/lessons/") {
                    page.find(".lesson-guess .guess-ask").await;
                }
                page.accessible(path).await;
                page.fits(path).await;
                page.picture(&format!(
                    "{}-{width}",
                    path.trim_matches('/').replace('/', "-")
                ))
                .await;
            }
            page.client.close().await.unwrap();
        }
    });
}
