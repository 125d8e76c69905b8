//! How games end: said to the person, at the table and on the page of analysis, in numbers as people write them.

use serde_json::{Value, json};

use crate::driver::Page;
use crate::faces::begin;
use crate::journeys::journey;

const OVER: &str = "document.querySelector('#status.over')";

async fn give_up(page: &Page) {
    page.run("return fetch(document.querySelector('main.game').dataset.base + '/resign', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: '{}'}).then(r => r.status)").await;
    page.until(OVER).await;
}

/// Plays these moves one after the other, each as soon as it is the person's turn.
async fn play(page: &Page, moves: &[&str]) {
    for (at, text) in moves.iter().enumerate() {
        page.until("document.querySelector('wits-board .playable, .targets [data-move]')")
            .await;
        page.type_move(text).await;
        page.until(&format!(
            "{OVER} || document.querySelectorAll('#moves li').length > {at} && !document.querySelector('main').hasAttribute('aria-busy')"
        ))
        .await;
    }
}

/// Begins a game from a position, as the sheet would.
async fn begin_at(page: &Page, base: &str, (game, position): (&str, &str), seats: [&str; 2]) {
    page.open(base).await;
    let body = json!({"game": game, "seats": seats, "seed": 7, "position": position});
    let script = format!(
        "return fetch('/games', {{method: 'POST', headers: {{'Content-Type': 'application/json', Accept: 'application/json'}}, body: JSON.stringify({body})}}).then(r => r.json()).then(v => v.page ?? JSON.stringify(v))"
    );
    let to = page.run(&script).await;
    page.open(&format!("{base}{}", to.as_str().unwrap())).await;
}

/// Opens the review of the game and waits until it is done.
async fn reviewed(page: &Page) {
    page.click("#review").await;
    page.until("document.querySelector('main.review #analyse')")
        .await;
    page.until("document.querySelector('#curve circle.point') && !document.querySelector('#analyse').disabled")
        .await;
}

#[test]
fn a_game_of_scrabble_that_was_resigned_at_once_can_be_reviewed() {
    journey(|driver, base| async move {
        let page = driver.screen(1366, 768).await;
        begin(&page, &base, "scrabble", ["human", "random"]).await;
        give_up(&page).await;
        page.click("#review").await;
        page.find("main.scr-page scrabble-board .scr-grid").await;
        assert_eq!(page.text("#ended").await, "You lost. You resigned.");
        let status = page.text("#status").await;
        assert!(status.starts_with("Nothing was played"), "{status}");
        page.accessible("a review of nothing").await;
        page.client.close().await.unwrap();
    });
}

#[test]
fn the_review_of_a_round_of_words_ends_as_the_table_does_and_counts_symbols() {
    journey(|driver, base| async move {
        let page = driver.screen(1366, 768).await;
        begin(&page, &base, "thue:symbols=2", ["nested:level=1", "human"]).await;
        // The symbol that stands there already.
        play(&page, &["0"]).await;
        let said = page.text("#said").await;
        reviewed(&page).await;
        let status = page.text("#status").await;
        let ending = "0 now stands twice in a row. You painted 0 symbols before that.";
        assert!(said.starts_with(ending), "{said}");
        assert!(status.ends_with(ending), "{status}");
        let marks = page.text("#marks").await;
        let painted = "0 ends the round with 0 symbols painted; 1 would have brought";
        assert!(marks.contains(painted), "{marks}");
        page.client.close().await.unwrap();
    });
}

#[test]
fn a_move_that_loses_is_marked_where_the_game_was_open() {
    journey(|driver, base| async move {
        let page = driver.screen(1366, 768).await;
        begin_at(&page, &base, ("thue-append", "121"), ["human", "random"]).await;
        // The Avoider makes 1212.
        play(&page, &["2"]).await;
        page.until(OVER).await;
        reviewed(&page).await;
        let marks = page.text("#marks").await;
        assert!(marks.contains("1. 2?"), "{marks}");
        assert!(marks.contains("leads to a loss"), "{marks}");
        assert!(marks.contains("would have kept the game open"), "{marks}");
        let status = page.text("#status").await;
        assert!(status.contains("12 now stands twice in a row."), "{status}");
        page.client.close().await.unwrap();
    });
}

#[test]
fn every_end_speaks_to_the_person() {
    journey(|driver, base| async move {
        for (lang, said) in [
            ("en", "You ate the poisoned square."),
            ("pl", "Zatruta kostka przypadła Tobie."),
            ("cs", "Otrávený kousek zbyl na vás."),
        ] {
            let page = driver.browser_for(1100, false, lang).await;
            begin(&page, &base, "chomp", ["human", "random"]).await;
            play(&page, &["a1"]).await;
            page.until(OVER).await;
            assert_eq!(page.text("#said").await, said);
            page.client.close().await.unwrap();
        }
        let page = driver.screen(1366, 768).await;
        begin(&page, &base, "hexapawn", ["human", "perfect"]).await;
        let first = "return fetch(document.querySelector('main.game').dataset.base + '/state').then(r => r.json()).then(s => s.over ? null : s.scene.targets[0].text)";
        let mut count = 0;
        while let Value::String(text) = page.run(first).await {
            page.type_move(&text).await;
            count += 2;
            page.until(&format!(
                "{OVER} || document.querySelectorAll('#moves li').length === {count} && document.querySelector('wits-board .playable')"
            ))
            .await;
        }
        page.until(OVER).await;
        let said = page.text("#said").await;
        let ends = [
            "Your opponent's pawn reached the far side.",
            "You have no move left.",
        ];
        assert!(ends.contains(&said.as_str()), "{said}");
        page.client.close().await.unwrap();
    });
}

#[test]
fn the_end_says_where_the_game_turned() {
    journey(|driver, base| async move {
        let page = driver.screen(1366, 768).await;
        page.open(&format!("{base}/othello/board?moves=e6f4e3f6g5d6e7"))
            .await;
        page.find("wits-board svg").await;
        let board = page
            .run("return document.querySelector('main').dataset.board")
            .await;
        begin_at(
            &page,
            &base,
            ("othello", board.as_str().unwrap()),
            ["engine:level=5", "human"],
        )
        .await;
        // Black then takes everything with c5.
        play(&page, &["f5"]).await;
        page.until(OVER).await;
        assert_eq!(page.text("#status").await, "You lost 0–13");
        let said = page.text("#said").await;
        assert!(said.ends_with("to the winner: 0–64."), "{said}");
        page.until("/^The game turned at move 1: you played f5, and [a-h][1-8] was better[.]$/.test(document.querySelector('#turned').textContent)")
            .await;
        page.accessible("where a game turned").await;
        page.picture("turned").await;

        begin(&page, &base, "tictactoe", ["human", "perfect"]).await;
        play(&page, &["c3", "b3", "c2"]).await;
        page.until(OVER).await;
        page.until("/^The game turned at move [1-7]: you played [a-c][1-3], and /.test(document.querySelector('#turned').textContent)")
            .await;
        page.client.close().await.unwrap();
    });
}

#[test]
fn numbers_at_the_table_have_one_digit_and_a_true_minus() {
    journey(|driver, base| async move {
        for lang in ["pl", "cs"] {
            let page = driver.browser_for(1366, false, lang).await;
            begin(
                &page,
                &base,
                "othello",
                ["human", "alphabeta:depth=2,eval=korman"],
            )
            .await;
            for count in [2, 4] {
                page.until("document.querySelector('wits-board .playable')")
                    .await;
                page.click("wits-board .playable").await;
                page.until(&format!(
                    "document.querySelectorAll('#moves li').length >= {count}"
                ))
                .await;
                page.until("document.querySelector('.best-lines .worth')")
                    .await;
                let told = page.text("#lines").await;
                let wrong = format!(
                    "return ({}).match(/-[0-9]|[0-9][.][0-9]|,[0-9]{{2}}/)",
                    json!(told)
                );
                assert!(page.run(&wrong).await.is_null(), "{lang}: {told}");
            }
            page.client.close().await.unwrap();
        }
    });
}

#[test]
fn hints_of_the_rainbow_are_sentences() {
    journey(|driver, base| async move {
        let page = driver.screen(1366, 768).await;
        for seats in [["human", "hint"], ["level", "human"]] {
            begin(&page, &base, "rainbow:n=9,k=3,c=4,first=maker", seats).await;
            page.until("document.querySelector('wits-board .playable')")
                .await;
            for level in 1..=4 {
                let script = format!(
                    "return fetch(`/rainbow/hint?game=${{document.querySelector('main.game').dataset.id}}&level={level}`, {{method: 'POST', headers: {{Accept: 'application/json'}}}}).then(r => r.json()).then(v => v.why)"
                );
                let why = page.run(&script).await;
                let why = why.as_str().unwrap();
                let fine = [
                    "can still become a rainbow, so ",
                    "is as near to a rainbow as any",
                    "any colour will do",
                ];
                assert!(fine.iter().any(|part| why.contains(part)), "{level}: {why}");
            }
            let about = page.text("#level-about").await;
            assert!(!about.contains(" rather "), "{about}");
        }
        page.client.close().await.unwrap();
    });
}

#[test]
fn the_curve_of_a_review_is_on_the_side_of_the_person() {
    journey(|driver, base| async move {
        let page = driver.screen(1366, 768).await;
        // Whoever moves first wins at chomp: the second player is behind all the time.
        begin(&page, &base, "chomp", ["perfect", "human"]).await;
        play(&page, &["a1"]).await;
        page.until(OVER).await;
        reviewed(&page).await;
        let below = "const zero = Number(document.querySelector('#curve path.zero').getAttribute('d').split(' ')[1].split('H')[0]);
            return [...document.querySelectorAll('#curve circle.point')].map(point => Number(point.getAttribute('cy')) > zero)";
        assert_eq!(page.run(below).await, json!([true, true, true]));
        let about = page.text("#graph").await;
        assert!(about.contains("Above the line Second is ahead"), "{about}");
        let axis = "return [...document.querySelectorAll('#curve text')].map(e => e.textContent).filter(t => /1$/.test(t))";
        let axis: Value = page.run(axis).await;
        assert!(axis.as_array().unwrap().contains(&json!("−1")), "{axis}");
        page.client.close().await.unwrap();
    });
}
