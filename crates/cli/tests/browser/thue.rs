//! Words without repetition: alone, against a machine, and in the laboratory.

use std::time::{Duration, Instant};

use crate::driver::Page;
use crate::journeys::journey;

const OVER: &str = "document.querySelector('#status').classList.contains('over')";

/// How many moves the page lists.
async fn moves(page: &Page) -> u64 {
    page.run("return document.querySelectorAll('#moves li').length")
        .await
        .as_u64()
        .unwrap()
}

/// Clicks something and waits until the page has one more move, or the game is over.
async fn act(page: &Page, css: &str) {
    let before = moves(page).await;
    page.click(css).await;
    page.until(&format!(
        "document.querySelectorAll('#moves li').length > {before} || {OVER}"
    ))
    .await;
}

#[test]
fn solitaire_to_a_square_and_the_score_is_kept() {
    journey(|driver, base| async move {
        let page = driver.phone(false).await;
        page.open(&base).await;
        page.click("a[href='/thue']").await;
        page.find("#scores .muted").await;
        page.click("form.solitaire button").await;
        page.find("wits-board svg").await;
        // 01, 010, then another 0 at the end: a square.
        for symbol in ["1", "0", "0"] {
            let before = moves(&page).await;
            // The board may be drawn anew after the list of moves: a mark on an old gap is lost, and set again.
            let deadline = Instant::now() + Duration::from_secs(20);
            while moves(&page).await == before {
                assert!(Instant::now() < deadline, "no gap could be clicked");
                page.run("const gaps = document.querySelectorAll('wits-board .playable'); if (gaps.length) gaps[gaps.length - 1].dataset.last = 'yes'")
                    .await;
                if let Ok(gap) = page.client.find("wits-board .playable[data-last]").await {
                    let _ = gap.click().await;
                }
                std::thread::sleep(Duration::from_millis(100));
            }
            act(&page, &format!(".targets [data-move='{symbol}']")).await;
        }
        page.until(OVER).await;
        page.picture("thue-square").await;
        page.open(&format!("{base}/thue")).await;
        page.find("form.keep input[name=name]")
            .await
            .send_keys("Ada")
            .await
            .unwrap();
        page.accessible("a score to keep").await;
        page.click("form.keep button").await;
        page.until("document.querySelector('.thue-best tbody tr')")
            .await;
        let line = page.text(".thue-best tbody tr").await;
        assert!(line.contains("Ada") && line.contains('3'), "{line}");
        page.until("!document.querySelector('form.keep')").await;
        page.fits("the best scores").await;
        page.picture("thue-phone").await;
        page.click(".thue-best a").await;
        page.find(".thue-replay").await;
        let halves = "document.querySelectorAll('.thue-half').length";
        page.until(&format!("{halves} === 2")).await;
        page.run("const r = document.querySelector('.thue-replay input'); r.value = 2; r.dispatchEvent(new Event('input', {bubbles: true}))").await;
        page.until(&format!(
            "document.querySelectorAll('.thue-tile').length === 2 && {halves} === 0"
        ))
        .await;
        page.accessible("a replay").await;
        page.client.close().await.unwrap();
    });
}

#[test]
fn a_match_against_the_machine() {
    journey(|driver, base| async move {
        let page = driver.browser(1000, false).await;
        for (form, person) in [("form.build", "Builder"), ("form.paint", "Painter")] {
            page.open(&format!("{base}/thue")).await;
            page.run(&format!("document.querySelector('{form} input[name=\"p.symbols\"]').value = 3; document.querySelector('{form} select').value = 'nested:level=1'")).await;
            page.click(&format!("{form} button")).await;
            page.find("wits-board svg").await;
            let mine = "wits-board .playable, .targets [data-move]";
            let mut turns = 0;
            loop {
                page.until(&format!("document.querySelector('{mine}') || {OVER}"))
                    .await;
                if page.run(&format!("return {OVER}")).await == true {
                    break;
                }
                act(&page, mine).await;
                turns += 1;
                assert!(turns < 400, "three symbols do not last so long");
            }
            let players = page.text("#clocks").await;
            assert!(players.contains(person), "{players}");
            assert!(turns > 0, "the person had a turn as {person}");
        }
        page.picture("thue-match").await;
        page.client.close().await.unwrap();
    });
}

#[test]
fn the_laboratory_shows_gaps_halves_and_what_is_lost() {
    journey(|driver, base| async move {
        let page = driver.browser(1100, true).await;
        page.open(&format!("{base}/thue")).await;
        page.find(".thue-gap.dead").await;
        page.until("document.querySelector('#lost').textContent.includes('Lost in 1')")
            .await;
        page.accessible("the laboratory").await;
        page.picture("thue-lab").await;
        let word = page.find("#word").await;
        word.clear().await.unwrap();
        word.send_keys("abcabc").await.unwrap();
        page.click("form.look button").await;
        page.until("document.querySelectorAll('.thue-half').length === 6")
            .await;
        assert!(page.text("#answer").await.contains("012"));
        page.accessible("a word with a square").await;
        page.open(&format!("{base}/thue?builder=1&painter=1&symbols=4&word=0"))
            .await;
        page.until("document.querySelectorAll('#times svg').length === 2")
            .await;
        page.until("document.querySelector('#lost').textContent.includes('Lost in 6')")
            .await;
        page.accessible("decision times").await;
        page.open(&format!("{base}/thue?word=01%3F2")).await;
        assert!(page.text(".error").await.contains("is no symbol"));
        page.client.close().await.unwrap();
    });
}

#[test]
fn the_page_comes_first_and_thoughts_follow() {
    journey(|driver, base| async move {
        // A machine thinks about this person's game: until it is done, nothing else is thought for them.
        for (room, part, there) in [
            ("/thue", "#thoughts-part[data-later]", "#lost"),
            ("/rainbow", "#sheet-part[data-later]", "#forecast"),
            ("/transit", "#main[data-later]", "main.transit[data-ready]"),
        ] {
            let page = driver.browser(1000, false).await;
            page.open(&base).await;
            page.run(
                "return (async () => {
                   const headers = {'Content-Type': 'application/json', Accept: 'application/json'};
                   const post = async (to, what) => (await fetch(to, {method: 'POST', headers, body: JSON.stringify(what)})).json();
                   const game = await post('/games', {game: 'othello', seats: ['human', 'mcts:nodes=1000000']});
                   await fetch(`${game.page}/state`);
                   await post(`${game.page}/move`, {ply: 0, seat: 1, move: 'f5'});
                 })()",
            )
            .await;
            page.open(&format!("{base}{room}")).await;
            page.find(part).await;
            page.find("h1").await;
            page.accessible("a page without its thoughts").await;
            page.until(&format!("document.querySelector('{there}')"))
                .await;
            page.client.close().await.unwrap();
        }
    });
}
