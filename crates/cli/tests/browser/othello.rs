//! Othello: a game with scores beside it, the analysis board, and positions set up by hand.

use crate::driver::Page;
use crate::journeys::journey;

const DONE: &str =
    "/ahead, [^ ]+ positions\\.$|over/.test(document.querySelector('#score-note').textContent)";

async fn count(page: &Page, css: &str) -> u64 {
    let script = format!("return document.querySelectorAll({css:?}).length");
    page.run(&script).await.as_u64().unwrap()
}

#[test]
fn a_game_with_scores_then_its_analysis() {
    journey(|driver, base| async move {
        let page = driver.browser(1100, false).await;
        page.open(&base).await;
        page.click("a[href='/othello']").await;
        page.find("#play form").await;
        page.accessible("the Othello room").await;
        page.picture("othello-room").await;
        page.run("document.querySelector('#machine').value = 'score-greedy'")
            .await;
        page.click("#play button").await;
        page.until("document.querySelectorAll('wits-board .playable').length === 4")
            .await;
        assert_eq!(count(&page, ".remark").await, 0, "scores only on demand");
        page.click("#show-scores").await;
        page.until("document.querySelectorAll('wits-board .remark').length === 4")
            .await;
        page.until("document.querySelectorAll('#score-rows tr').length === 4")
            .await;
        let sure = page.text("#score-rows").await;
        assert!(
            sure.contains("estimate") || sure.contains("selective"),
            "{sure}"
        );
        page.click("wits-board [aria-label^='f5,']").await;
        page.until("document.querySelectorAll('#moves li').length === 2")
            .await;
        page.until("document.querySelectorAll('wits-board .remark').length > 0 && document.querySelectorAll('wits-board .remark').length === document.querySelectorAll('wits-board .playable').length").await;
        page.accessible("a game with scores").await;
        page.picture("othello-game").await;
        page.click("a[href^='/othello/game/']").await;
        page.until("document.querySelectorAll('#moves li').length === 2 && document.querySelector('#curve svg')").await;
        page.client.close().await.unwrap();
    });
}

#[test]
fn a_pasted_game_is_walked_through_and_its_losing_moves_are_marked() {
    journey(|driver, base| async move {
        let page = driver.browser(1100, false).await;
        page.open(&format!("{base}/othello")).await;
        page.find("#paste textarea")
            .await
            .send_keys("E6F4 E3F6, g5 d6 e7f5c5")
            .await
            .unwrap();
        page.click("#paste button").await;
        page.until("document.querySelectorAll('#moves li').length === 9")
            .await;
        assert!(page.text("#status").await.contains("13-0"));
        assert_eq!(count(&page, "#breakdown [data-heuristic]").await, 19);
        // Back by one: discs turn, the heuristics follow, the engine looks at the one position.
        page.click(".review-steps a[data-ply='8']").await;
        page.until("document.querySelector('main').dataset.ply === '8'")
            .await;
        page.until("document.querySelector('#status').textContent === 'Black to move'")
            .await;
        page.until(DONE).await;
        let best = page.text("#score-rows tr.best").await;
        assert!(best.contains("c5") && best.contains("+64"), "{best}");
        // The whole game, and which moves lost it.
        page.click("#analyse").await;
        page.until("document.querySelector('#analyse').disabled === false && document.querySelectorAll('.review-curve .point').length === 10").await;
        page.until("document.querySelector('#marks li.decisive')")
            .await;
        let marks = page.text("#marks").await;
        assert!(marks.contains("gives the game away"), "{marks}");
        assert!(count(&page, ".review-sign:not(:empty)").await > 0);
        page.accessible("an analysed game").await;
        page.picture("othello-analysis").await;
        page.click("#marks li.decisive a").await;
        page.until("document.querySelector('main').dataset.ply !== '8'")
            .await;
        // Another move at this place begins a variation, and the remarks are gone.
        let ply = page
            .run("return Number(document.querySelector('main').dataset.ply)")
            .await;
        let ply = ply.as_u64().unwrap();
        page.run("const played = document.querySelector(`#moves li:nth-child(${Number(document.querySelector('main').dataset.ply) + 1}) a`).textContent; const other = [...document.querySelectorAll('wits-board .playable')].find(c => !c.getAttribute('aria-label').startsWith(played)); other.id = 'other'").await;
        page.click("#other").await;
        page.until(&format!(
            "document.querySelectorAll('#moves li').length === {}",
            ply + 1
        ))
        .await;
        assert_eq!(count(&page, "#marks li").await, 0);
        page.client.back().await.unwrap();
        page.until("document.querySelectorAll('#moves li').length === 9")
            .await;
        page.client.close().await.unwrap();
    });
}

#[test]
fn a_review_can_be_stopped_and_a_search_followed() {
    journey(|driver, base| async move {
        let page = driver.phone(true).await;
        let perfect = "f5d6c3d3c4f4f6f3e6e7d7c5b6d8c6c7d2b5a5a6a7g5e3b4c8g6g4c2e8d1f7e2g3h4f1e1f2g1b1f8g8b3h3b2h5b7a3a4a1a2c1h2h1g2b8a8g7h8h7h6";
        page.open(&format!("{base}/othello/board?moves={perfect}&ply=56"))
            .await;
        page.until(DONE).await;
        assert!(page.text("#score-rows").await.contains("exact"));
        page.click("#analyse").await;
        // A review takes about a second: pressed in one go, before it is over.
        page.until("document.querySelectorAll('.review-curve .point').length > 4 && (document.querySelector('#stop').click(), true)")
            .await;
        page.until("document.querySelector('#review-note').textContent === 'Stopped.'")
            .await;
        page.fits("the page").await;
        page.accessible("a phone in the dark").await;
        page.picture("othello-phone").await;
        page.click("#thread summary").await;
        page.run("document.querySelector('#method').value = 'both'")
            .await;
        page.click(".oth-follow button").await;
        page.until("document.querySelectorAll('#threads wits-thread svg').length === 2 || document.querySelectorAll('#threads .tree').length === 2").await;
        let cuts = page
            .run("return fetch(document.querySelector('#threads wits-thread:last-of-type').getAttribute('src')).then(r => r.text()).then(t => t.split('\"kind\":\"cut\"').length - 1)")
            .await;
        assert!(cuts.as_u64().unwrap() > 0, "alpha-beta cuts");
        page.accessible("two searches").await;
        page.client.close().await.unwrap();
    });
}

#[test]
fn a_position_is_set_up_and_asked_about() {
    journey(|driver, base| async move {
        let page = driver.browser(1000, false).await;
        page.open(&format!("{base}/othello/setup")).await;
        page.until("document.querySelectorAll('#editor .playable').length === 64")
            .await;
        // A black disc on f5 and e5 turned over: the first move of every game.
        page.click("#editor [aria-label^='f5,']").await;
        page.click("#editor [aria-label^='e5,']").await;
        let text = page
            .run("return document.querySelector('#text').value")
            .await;
        assert!(text.as_str().unwrap().contains("0 0 0 1 1 1 0 0"), "{text}");
        page.accessible("a position set up").await;
        page.picture("othello-setup").await;
        page.click("button[name=ask]").await;
        page.until("document.querySelector('#reach')?.dataset.answer === 'othello-reach-yes'")
            .await;
        page.accessible("a position that can come up").await;
        page.picture("othello-reach").await;
        page.click("#reach a.button").await;
        page.until("document.querySelectorAll('#moves li').length === 1")
            .await;
        page.click(".review-steps a[data-ply='1']").await;
        page.until("document.querySelector('#status').textContent === 'White to move'")
            .await;
        let corner = format!("X{}OX------XO{}", "-".repeat(26), "-".repeat(27));
        page.open(&format!("{base}/othello/setup?text={corner}&ask=reach"))
            .await;
        page.until("document.querySelector('#reach')?.dataset.answer === 'othello-reach-no'")
            .await;
        assert!(page.text("#reach").await.contains("a1"));
        page.client.close().await.unwrap();
    });
}
