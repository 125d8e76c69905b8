//! The learning desk: look at Glass, run a grid live, click a mistake, ask what if, bring a table.

use std::fmt::Write as _;

use crate::driver::Page;
use crate::journeys::journey;

/// Every picture of the page has come.
async fn pictures_are_drawn(page: &Page) {
    page.run("for (const d of document.querySelectorAll('details')) d.open = true; for (const i of document.images) i.loading = 'eager'").await;
    page.until("[...document.images].length > 0 && [...document.images].every(i => i.complete && i.naturalWidth > 50)").await;
}

#[test]
fn glass_is_explored_a_grid_fills_live_and_a_sample_is_predicted() {
    journey(|driver, base| async move {
        let page = driver.browser(1200, false).await;
        page.open(&base).await;
        page.click("a[href='/learn']").await;
        page.find("#own .drop input").await;
        // What is seen first is a picture, not a form.
        let first = "const top = q => document.querySelector(q).getBoundingClientRect().top; return top('#samples img') < innerHeight && top('#samples img') < top('#own')";
        assert_eq!(page.run(first).await, true);
        pictures_are_drawn(&page).await;
        page.accessible("the door of the desk").await;
        page.picture("learn-door").await;
        page.click("#glass").await;
        assert!(page.text("#shape").await.contains("214 rows"));
        assert!(page.text("#notes").await.contains("rows 39 and 40"));
        page.find("#draw-boxes img").await;
        page.accessible("a first look").await;
        pictures_are_drawn(&page).await;
        page.picture("learn-look").await;

        page.click(".learn-tabs a[href*='/grid']").await;
        page.until("document.querySelector('#count').textContent.includes('15 pipelines')")
            .await;
        page.run("document.querySelector('#missing').value = 5; document.querySelector('#missing').dispatchEvent(new Event('input', {bubbles: true}))").await;
        page.until("document.querySelector('#count').textContent.includes('30 pipelines')")
            .await;
        page.accessible("the sheet of a grid").await;
        page.picture("learn-sheet").await;
        page.click("#grid button[type=submit]").await;
        // Cells come while the page stays: the mark is lost if it is loaded anew.
        page.find("#cells").await;
        page.run("window.stayed = true").await;
        page.until("document.querySelectorAll('#cells td.known').length > 0")
            .await;
        page.until("document.querySelectorAll('#board tbody tr').length === 20")
            .await;
        assert_eq!(page.run("return window.stayed").await, true);
        let filled = page
            .run("return document.querySelectorAll('#cells td.known').length")
            .await;
        assert_eq!(filled, 30);
        // Cells of one score look the same in every column.
        let scale = "const cells = [...document.querySelectorAll('#cells td.known')]; const by = new Map(); for (const c of cells) { const v = Number(c.dataset.value).toFixed(3); const look = getComputedStyle(c).backgroundColor; by.set(v, (by.get(v) ?? new Set()).add(look)); } return [...by.values()].every(s => s.size <= 2) && new Set(cells.map(c => c.dataset.shade)).size > 3";
        assert_eq!(page.run(scale).await, true);
        assert!(
            page.text("#verdict")
                .await
                .contains("cannot be told from it")
        );
        page.until("document.querySelector('wits-thread .thread-player, wits-thread table')")
            .await;
        page.accessible("a grid that is done").await;
        page.picture("learn-run").await;
        pictures_are_drawn(&page).await;
        page.accessible("a grid with its thread open").await;

        page.click("#board tbody a").await;
        page.find("#confusion").await;
        page.run("const wrong = [...document.querySelectorAll('#confusion td:not(.right) a')]; wrong[0].dataset.wrong = wrong[0].textContent").await;
        let count = page.text("#confusion a[data-wrong]").await;
        page.click("#confusion a[data-wrong]").await;
        page.until(&format!(
            "document.querySelectorAll('#rows tbody tr').length === {count}"
        ))
        .await;
        page.accessible("a pipeline with its mistakes").await;
        pictures_are_drawn(&page).await;
        page.find("#plot-regions img").await;
        page.picture("learn-pipeline").await;

        page.click("#rows tbody a").await;
        page.find("#sliders").await;
        let before = page.text("#answer").await;
        page.run("for (const s of document.querySelectorAll('#sliders input[type=range]')) { s.value = s.max; s.dispatchEvent(new Event('input', {bubbles: true})); }").await;
        page.until(&format!(
            "document.querySelector('#answer').innerText !== {}",
            serde_json::Value::from(before)
        ))
        .await;
        assert!(
            page.text("#answer .learn-class")
                .await
                .starts_with("It says")
        );
        page.until("document.querySelector('#response img').naturalWidth > 50")
            .await;
        page.accessible("what if").await;
        page.picture("learn-what-if").await;

        page.click(".learn-tabs a[href*='/compare']").await;
        page.click(".learn-ask button").await;
        page.find("#answer").await;
        page.accessible("two pipelines").await;
        page.picture("learn-compare").await;
        page.client.close().await.unwrap();
    });
}

#[test]
fn a_long_grid_is_stopped_and_keeps_what_it_knows() {
    journey(|driver, base| async move {
        let page = driver.browser(1000, true).await;
        page.open(&format!(
            "{base}/learn/data/glass/grid?preset=report&missing=5"
        ))
        .await;
        page.run("document.querySelector('#repeats').value = 3; for (const c of document.querySelectorAll('#grid [value^=boosting]')) c.checked = true").await;
        page.click("#grid button[type=submit]").await;
        page.until("document.querySelectorAll('#cells td.known').length > 0")
            .await;
        page.accessible("a grid at work").await;
        page.picture("learn-live-dark").await;
        page.click("#stop button").await;
        page.find("#board tbody tr").await;
        assert!(page.text("#status").await.contains("Stopped"));
        page.picture("learn-stopped-dark").await;
        // The same page, opened again from the store, knows the same.
        let address = page.run("return location.href").await;
        page.open(&format!("{base}/learn")).await;
        page.click("#runs a").await;
        assert_eq!(page.run("return location.href").await, address);
        page.find("#board tbody tr").await;
        page.client.close().await.unwrap();
    });
}

#[test]
fn a_table_is_brought_and_a_wrong_one_is_refused_with_line_and_column() {
    journey(|driver, base| async move {
        let page = driver.phone(false).await;
        page.open(&format!("{base}/learn")).await;
        let send = |text: &str| {
            let text = serde_json::Value::from(text);
            format!(
                "const list = new DataTransfer(); list.items.add(new File([{text}], 'mine.csv', {{type: 'text/csv'}})); const input = document.querySelector('#file'); input.files = list.files; input.dispatchEvent(new Event('change', {{bubbles: true}}))"
            )
        };
        page.find("#file").await;
        let mut rows = String::new();
        for i in 0..30 {
            let kind = ["yes", "no"][i as usize % 2];
            writeln!(rows, "{},{},{kind}", i % 7, f64::from(i) * 0.5).unwrap();
        }
        page.run(&send(&format!("a,b,kind\n{rows}1,oops,yes\n")))
            .await;
        page.until("!document.querySelector('#message').hidden")
            .await;
        let said = page.text("#message").await;
        assert!(
            said.contains("line 32") && said.contains("`b`") && said.contains("`oops`"),
            "{said}"
        );
        page.accessible("a file that cannot be read").await;
        page.run(&send(&format!("a,b,kind\n{rows}"))).await;
        page.find("#shape").await;
        assert!(page.text("h1").await.contains("mine.csv"));
        page.fits("a first look").await;
        page.picture("learn-phone-look").await;
        for (path, css) in [
            ("grid", "#grid"),
            ("pipeline", "#confusion"),
            ("what-if", "#sliders"),
            ("compare", ".learn-ask"),
        ] {
            page.click(&format!(".learn-tabs a[href*='/{path}']")).await;
            page.find(css).await;
            page.fits(path).await;
            page.accessible(path).await;
            page.picture(&format!("learn-phone-{path}")).await;
        }
        // The score stands beside the name, where nobody has to scroll.
        page.click(".learn-tabs a[href*='/grid']").await;
        page.find("#grid").await;
        page.click("#grid button[type=submit]").await;
        page.find("#board tbody tr").await;
        let beside = "const score = document.querySelector('#board .learn-beside'); const box = score.getBoundingClientRect(); return score.textContent.includes('%') && box.width > 0 && box.right <= innerWidth";
        assert_eq!(page.run(beside).await, true);
        page.fits("a leaderboard").await;
        page.client.close().await.unwrap();
    });
}
