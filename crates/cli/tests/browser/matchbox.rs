//! A class teaches a machine of boxes and beads by hand and by playing.

use serde_json::Value;

use crate::driver::Page;
use crate::journeys::journey;

/// How many beads the machine of this page has.
async fn beads(page: &Page) -> u64 {
    page.text("#total").await.parse().unwrap()
}

/// Plays White against the machine as well as one can; true if the machine lost.
async fn play(page: &Page) -> bool {
    page.click("form.play button").await;
    page.find("wits-board svg").await;
    loop {
        page.until("document.querySelector('wits-board .playable') || document.querySelector('#status.over') !== null").await;
        let verdict = "return document.querySelector('.turn-card').dataset.verdict";
        let verdict = page.run(verdict).await;
        if verdict != "" {
            return verdict == "won";
        }
        let moves = page
            .run("return document.querySelectorAll('#moves li').length")
            .await;
        let hint = page
            .client
            .execute_async(
                "const done = arguments[arguments.length - 1]; fetch(document.querySelector('main.game').dataset.base + '/hint', {method: 'POST', headers: {Accept: 'application/json'}}).then(r => r.json()).then(v => done(v.move ?? null))",
                vec![],
            )
            .await
            .unwrap();
        let Value::String(hint) = hint else {
            continue;
        };
        page.type_move(&hint).await;
        page.until(&format!("document.querySelectorAll('#moves li').length > {moves} || document.querySelector('#status.over') !== null")).await;
    }
}

async fn build(page: &Page, base: &str, name: &str) {
    page.open(base).await;
    page.click("a[href='/matchbox']").await;
    page.find("#name").await.send_keys(name).await.unwrap();
    page.click("form.sheet button[type=submit]").await;
    page.find("#wall").await;
}

#[test]
fn a_machine_loses_a_game_and_a_bead_vanishes() {
    journey(|driver, base| async move {
        let page = driver.browser(1100, false).await;
        page.open(&format!("{base}/matchbox")).await;
        page.accessible("no machine yet").await;
        build(&page, &base, "her").await;
        page.accessible("a fresh machine").await;
        page.picture("matchbox").await;
        let all = beads(&page).await;
        let boxes = page
            .run("return document.querySelectorAll('.mb-box').length")
            .await;
        assert_eq!(boxes, 24);
        // A fresh machine draws blindly: somebody who plays well beats it before long.
        let mut games = 0;
        while !play(&page).await {
            games += 1;
            assert!(games < 60, "it never lost");
            page.open(&format!("{base}/matchbox/her")).await;
            assert_eq!(beads(&page).await, all, "a won game takes no bead");
        }
        page.open(&format!("{base}/matchbox/her")).await;
        assert_eq!(beads(&page).await, all - 1, "the last bead drawn is gone");
        let gone = page
            .run("return document.querySelectorAll('.mb-list li[data-count=\"0\"]').length")
            .await;
        assert_eq!(gone, 1);
        page.until("document.querySelector('wits-thread input[type=range]')")
            .await;
        page.run("const r = document.querySelector('wits-thread input[type=range]'); r.value = r.max; r.dispatchEvent(new Event('input', {bubbles: true}))").await;
        page.until(
            "/fewer|is gone/.test(document.querySelector('wits-thread .sentence').textContent)",
        )
        .await;
        page.accessible("a machine with a lesson").await;
        page.picture("matchbox-lesson").await;
        page.client.close().await.unwrap();
    });
}

#[test]
fn a_box_beside_the_board_gains_and_loses_beads() {
    journey(|driver, base| async move {
        let page = driver.browser(1366, false).await;
        page.open(&format!("{base}/matchbox")).await;
        page.find("#name").await.send_keys("both").await.unwrap();
        page.run("document.querySelector('#teaching').value = 'reward'")
            .await;
        page.click("form.sheet button[type=submit]").await;
        page.find("#wall").await;
        let (mut gained, mut lost) = (false, false);
        let mut games = 0;
        while !(gained && lost) {
            games += 1;
            assert!(games < 60, "gained: {gained}, lost: {lost}");
            let before = beads(&page).await;
            let beaten = play(&page).await;
            let sign = if beaten { '−' } else { '+' };
            // The beads that were drawn say what became of them, and there are as many as the number says.
            let touched = ".game-boxes li.touched:has(b)";
            page.until(&format!("[...document.querySelectorAll('{touched} b')].some(b => b.textContent.includes('{sign}'))")).await;
            let shown = page.run(&format!(
                "return [...document.querySelectorAll('{touched}')].map(li => [li.querySelectorAll('.bead').length, Number(li.querySelector('.number').firstChild.data), Number(li.querySelector('b').textContent.trim().replace('−', '-'))])"
            )).await;
            let rows: Vec<(u64, u64, i64)> = serde_json::from_value(shown).unwrap();
            assert!(
                rows.iter().all(|(drawn, count, _)| drawn == count),
                "{rows:?}"
            );
            let change: i64 = rows.iter().map(|(_, _, change)| change).sum();
            page.open(&format!("{base}/matchbox/both")).await;
            assert_eq!(
                beads(&page).await,
                before.saturating_add_signed(change),
                "{rows:?}"
            );
            gained |= !beaten;
            lost |= beaten;
        }
        page.client.close().await.unwrap();
    });
}

#[test]
fn beads_are_changed_by_hand_and_taken_back() {
    journey(|driver, base| async move {
        let page = driver.phone(false).await;
        build(&page, &base, "by-hand").await;
        let all = beads(&page).await;
        page.open(&format!("{base}/matchbox/by-hand?view=edit"))
            .await;
        page.accessible("beads to change").await;
        page.click("#box-1 button[name=take]").await;
        page.until(&format!(
            "document.querySelector('#total').textContent === '{}'",
            all - 1
        ))
        .await;
        page.find("#box-1 li[data-count='0']").await;
        page.click("form.undo button").await;
        page.until(&format!(
            "document.querySelector('#total').textContent === '{all}'"
        ))
        .await;
        page.until("document.querySelector('form.undo button').disabled")
            .await;
        page.fits("beads").await;
        page.picture("matchbox-phone").await;
        page.client.close().await.unwrap();
    });
}

#[test]
fn a_machine_goes_to_school_until_nobody_beats_it() {
    journey(|driver, base| async move {
        let page = driver.browser(900, true).await;
        build(&page, &base, "pupil").await;
        page.run("document.querySelector('#games').value = 500")
            .await;
        page.click("form.train button").await;
        page.until("document.querySelector('#school svg polyline') && !document.querySelector('#school[data-running]')").await;
        page.until(
            "document.querySelector('#school [role=status]').textContent.includes('is saved')",
        )
        .await;
        page.picture("matchbox-school").await;
        page.open(&format!("{base}/matchbox/pupil?view=knows"))
            .await;
        page.until("document.querySelector('#summary').textContent.includes('cannot be beaten')")
            .await;
        page.accessible("what a machine knows").await;
        page.open(&format!("{base}/matchbox/pupil/labels")).await;
        page.find(".mb-sheet svg").await;
        page.accessible("labels").await;
        page.open(&format!("{base}/maxsum?n=3000&seed=1")).await;
        page.find("figure svg").await;
        page.accessible("the largest fragment").await;
        page.picture("maxsum").await;
        page.client.close().await.unwrap();
    });
}
