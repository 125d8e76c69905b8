//! The first page starts things, lessons answer, the manual and the glossary can be read by everybody.

use serde_json::json;

use crate::journeys::journey;

/// A game in which the machine has made its move.
const MACHINE_MOVED: &str = "document.querySelector('wits-board svg') && document.querySelectorAll('#moves li').length >= 1";

/// Every button of the first page, and what shows that something runs after it.
pub(crate) const TRIES: [(&str, &str); 9] = [
    ("/matchbox", MACHINE_MOVED),
    ("/othello", MACHINE_MOVED),
    (
        "scrabble",
        "document.querySelectorAll('#rack [data-tile]').length === 7",
    ),
    ("/thue", MACHINE_MOVED),
    ("/rainbow", "document.querySelector('wits-board svg')"),
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
        assert_eq!(count, 9);
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

#[test]
fn lessons_manual_and_glossary_are_for_everybody() {
    journey(|driver, base| async move {
        for (width, dark) in [(1000, false), (360, true)] {
            let page = if width == 360 {
                driver.phone(dark).await
            } else {
                driver.browser(width, dark).await
            };
            let lessons = [
                "hexapawn",
                "beads",
                "alphabeta",
                "astar",
                "endgame",
                "dawg",
                "cross-checks",
                "cross-validation",
                "chance",
            ];
            let mut pages: Vec<String> = lessons.iter().map(|l| format!("/lessons/{l}")).collect();
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
