//! Somebody plays for the rainbow with hints, and asks how many colours force one.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::driver::Page;
use crate::journeys::journey;

const OVER: &str = "document.querySelector('#status.over')";

/// Changes a field as somebody would who types.
async fn fill(page: &Page, css: &str, value: &str) {
    page.run(&format!(
        "const f = document.querySelector('{css}'); f.value = '{value}'; f.dispatchEvent(new Event('input', {{bubbles: true}}))"
    ))
    .await;
}

/// Asks for hints of a level without playing them.
async fn ask(page: &Page, level: &str, times: u32) -> Vec<Value> {
    let script = "const [level, times, done] = arguments; (async () => { const all = []; for (let i = 0; i < times; i++) { const reply = await fetch(`/rainbow/hint?game=${document.querySelector('main.game').dataset.id}&level=${level}`, {method: 'POST', headers: {Accept: 'application/json'}}); all.push(await reply.json()); } done(all); })()";
    let args = vec![json!(level), json!(times)];
    let found = page.client.execute_async(script, args).await.unwrap();
    serde_json::from_value(found).unwrap()
}

/// Asks for a hint and plays what it says, until the game is over; says how many hints were played.
async fn follow_hints(page: &Page) -> u32 {
    let mut played = 0;
    loop {
        page.until(&format!(
            "{OVER} || document.querySelector('form.hint button:enabled')"
        ))
        .await;
        if page.run(&format!("return Boolean({OVER})")).await == true {
            return played;
        }
        let before = page
            .run("return document.querySelectorAll('#moves li').length")
            .await;
        page.click("form.hint button").await;
        page.until("document.querySelector('#lines .hint-line')")
            .await;
        let line = page.text("#lines .hint-line").await;
        assert!(
            line.contains("progression") || line.contains("colour"),
            "no reason: {line}"
        );
        let text = page.text("#lines .hint-line .move-text").await;
        page.type_move(&text).await;
        page.until(&format!(
            "{OVER} || document.querySelectorAll('#moves li').length > {before}"
        ))
        .await;
        page.run("document.querySelector('#lines').replaceChildren()")
            .await;
        played += 1;
        assert!(played < 40, "it never ends");
    }
}

#[test]
fn maker_follows_the_hints_to_a_rainbow() {
    journey(|driver, base| async move {
        let page = driver.browser(1100, false).await;
        page.open(&base).await;
        page.click("a[href='/rainbow']").await;
        page.find("#start").await;
        page.accessible("the rainbow room").await;
        page.picture("rainbow").await;
        // Four colours force a rainbow of three among nine, and Maker brings five.
        for (field, value) in [("#n", "9"), ("#k", "3"), ("#c", "5"), ("#side", "maker")] {
            fill(&page, field, value).await;
        }
        page.until("/Maker wins/.test(document.querySelector('#forecast')?.textContent) && document.querySelector('#start button').disabled === false").await;
        fill(&page, "#level", "0").await;
        fill(&page, "#seed", "7").await;
        page.until("document.querySelector('output[for=level]').value === '0'")
            .await;
        page.click("#start button[type=submit]").await;
        page.find("wits-board svg").await;
        page.find("form.hint").await;
        let some = ask(&page, "1", 12).await;
        let different: BTreeSet<String> = some.iter().map(|v| v["move"].to_string()).collect();
        assert!(different.len() > 1, "random hints differ: {some:?}");
        assert_eq!(ask(&page, "0", 1).await[0]["move"], Value::Null);
        assert_eq!(ask(&page, "5", 1).await[0]["error"]["code"], "bad-level");
        let hints = follow_hints(&page).await;
        assert!(hints >= 2, "a rainbow of three needs two moves of Maker");
        assert_eq!(page.text("#status").await, "You won");
        page.until("document.querySelector('#picture:not([hidden]) svg path')")
            .await;
        let moves = page.text("#moves").await;
        assert!(moves.contains('='), "{moves}");
        page.accessible("a finished rainbow game").await;
        page.picture("rainbow-game").await;
        page.client.close().await.unwrap();
    });
}

#[test]
fn two_hundred_colours_are_found_by_their_number() {
    journey(|driver, base| async move {
        let page = driver.browser(1100, false).await;
        page.open(&format!("{base}/rainbow")).await;
        for (field, value) in [("#n", "30"), ("#k", "5"), ("#c", "200"), ("#side", "maker")] {
            fill(&page, field, value).await;
        }
        page.until("document.querySelector('#start button')?.disabled === false && document.querySelector('#start input[name=\"p.c\"][value=\"200\"]')").await;
        page.click("#start button[type=submit]").await;
        page.find("wits-board svg").await;
        page.until("document.querySelector('form.hint button:enabled')")
            .await;
        page.type_move("1=1").await;
        page.until("document.querySelectorAll('#moves li').length >= 2 && document.querySelector('.cell.playable')").await;
        page.click(".cell.playable").await;
        let field = page.find(".choices input[type=search]").await;
        let all = "return document.querySelectorAll('.rb-colours button').length";
        assert_eq!(page.run(all).await, 200);
        field.send_keys("15").await.unwrap();
        assert_eq!(page.run(all).await, 12, "15, 115, and 150 to 159");
        page.accessible("the palette").await;
        field.send_keys("0\u{e007}").await.unwrap();
        page.until("/=150/.test(document.querySelector('#moves').textContent)")
            .await;
        page.client.close().await.unwrap();
    });
}

#[test]
fn numbers_are_explored_and_colourings_checked() {
    journey(|driver, base| async move {
        let page = driver.phone(true).await;
        page.open(&format!("{base}/rainbow")).await;
        fill(&page, "#aw-n", "9").await;
        fill(&page, "#aw-k", "3").await;
        page.click("#numbers button").await;
        page.until("document.querySelector('#aw #answer')?.textContent.startsWith('aw(9, 3) = 4')")
            .await;
        page.find("#aw svg").await;
        page.open(&format!("{base}/rainbow?aw-n=500&aw-k=4")).await;
        assert!(page.text("#numbers .error").await.contains("too long"));
        page.open(&format!("{base}/rainbow?colouring=abcabc&check-k=3"))
            .await;
        let arcs = page
            .run("return document.querySelectorAll('#rainbows svg path').length")
            .await;
        assert_eq!(
            arcs, 6,
            "four windows of three, and two progressions of step two"
        );
        page.accessible("arcs on a phone").await;
        page.fits("arcs").await;
        page.picture("rainbow-phone").await;
        page.client.close().await.unwrap();
    });
}
