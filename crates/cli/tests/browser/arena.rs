//! Somebody starts a tournament with one click and watches it being played.

use crate::driver::Page;
use crate::journeys::journey;

async fn results(page: &Page) -> u64 {
    let found = page
        .run("return Number(document.querySelector('#live').dataset.results ?? 0)")
        .await;
    found.as_u64().unwrap_or(0)
}

#[test]
fn a_tournament_is_watched_live() {
    journey(|driver, base| async move {
        let page = driver.browser(1100, false).await;
        page.open(&base).await;
        page.click("a[href='/arena']").await;
        page.find(".arena-try").await;
        page.accessible("the arena").await;
        page.picture("arena").await;
        // The depth tournament takes long enough to be watched.
        page.click("li.panel:nth-child(2) .arena-try button").await;
        page.find("#standings").await;
        page.until("document.querySelector('#live').dataset.results > 0")
            .await;
        let first = results(&page).await;
        // A quick machine may be done by now.
        page.until(&format!(
            "document.querySelector('#live').dataset.results > {first} || !('running' in document.querySelector('#live').dataset)"
        ))
        .await;
        page.picture("arena-live").await;
        page.until("!('running' in document.querySelector('#live').dataset)")
            .await;
        let state = page.text("#state").await;
        assert!(state.contains("Finished: 120 games"), "{state}");
        let best = page
            .run("return document.querySelector('#standings tbody th').textContent")
            .await;
        assert_eq!(best, "alphabeta:depth=3");
        let cells = page
            .run("return document.querySelectorAll('#cross tbody td').length")
            .await;
        assert_eq!(cells, 9);
        page.accessible("a tournament").await;
        page.picture("arena-run").await;
        page.open(&format!("{base}/arena/ladder?game=othello"))
            .await;
        page.find("#ladder").await;
        page.accessible("a ladder").await;
        page.picture("arena-ladder").await;
        page.client.close().await.unwrap();
    });
}

#[test]
fn what_is_wrong_is_said_and_a_phone_shows_it_all() {
    journey(|driver, base| async move {
        let page = driver.phone(true).await;
        page.open(&format!("{base}/arena")).await;
        page.click("#own summary").await;
        page.run("document.querySelector('#players').value = 'random\\nmtcs'")
            .await;
        page.click("#own button").await;
        page.find("p.error").await;
        let said = page.text("main").await;
        assert!(said.contains("mtcs") && said.contains("mcts"), "{said}");
        page.open(&format!("{base}/arena")).await;
        page.click("li.panel:nth-child(3) .arena-try button").await;
        page.find("#live").await;
        page.until("!('running' in document.querySelector('#live').dataset)")
            .await;
        page.accessible("a tournament on a phone").await;
        page.fits("a tournament").await;
        page.picture("arena-phone").await;
        page.client.close().await.unwrap();
    });
}
