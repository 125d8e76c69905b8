//! Every page that can be reached from the first one, on a phone, in every language.
//!
//! On each page the browser complains of nothing, nothing is fetched from elsewhere, and nothing is
//! wider than the screen, and nobody reads a spec. axe-core, which takes longer than all that, looks at
//! each page in one of the languages, turn by turn, and at a sample of them after dark.

use std::collections::{BTreeSet, VecDeque};

use serde_json::json;
use wits_game::Lang;

use crate::driver::Page;
use crate::faces::specs;
use crate::journeys::journey;
use crate::lessons::TRIES;

/// Pages that are looked at, at most; fewer are a sign that the way to them is lost.
const MOST: usize = 240;
const FEWEST: usize = 180;
/// Of so many pages one is looked at after dark, too.
const DARK: usize = 7;

/// Where the links of a page lead; what is only to be kept is left out.
async fn links(page: &Page) -> Vec<String> {
    let script = "return [...document.querySelectorAll('a[href^=\"/\"]:not([download])')].map(a => a.getAttribute('href').split('#')[0])";
    let found = page.run(script).await;
    let links = found.as_array().unwrap().iter();
    links
        .filter_map(|l| l.as_str().map(str::to_owned))
        .collect()
}

/// Whether an address is a page and not a file, a picture or a stream.
async fn is_page(page: &Page, path: &str) -> bool {
    let script = format!(
        "return fetch({path:?}, {{headers: {{accept: 'text/html'}}}}).then(r => {{ const kind = r.headers.get('content-type') ?? ''; r.body?.cancel(); return r.ok && kind.startsWith('text/html') && !r.headers.has('content-disposition'); }})"
    );
    page.run(&script).await == true
}

/// Looks at the page that is open.
async fn look(page: &Page, path: &str, base: &str, thorough: bool) {
    page.find("main h1, main h2").await;
    page.until("document.readyState === 'complete'").await;
    page.fits(path).await;
    if thorough {
        page.accessible(path).await;
    }
    let script = "return performance.getEntriesByType('resource').map(e => e.name)";
    let loaded = page.run(script).await;
    for name in loaded.as_array().unwrap().iter().filter_map(|n| n.as_str()) {
        let ours = [base, "data:", "blob:"].iter().any(|s| name.starts_with(s));
        assert!(ours, "{path} fetches {name}");
    }
    assert_eq!(page.complaints().await, [""; 0], "on {path}");
}

/// Every page from the first one on; one question a page is enough, the same form answers all others.
async fn found(page: &Page, base: &str) -> Vec<String> {
    let (mut seen, mut pages) = (BTreeSet::new(), Vec::new());
    let mut open = VecDeque::from(["/".to_owned()]);
    // What the buttons of the first page start has pages of its own.
    for (room, runs) in TRIES {
        page.open(base).await;
        let card = format!(".card.room:has(h2 a[href*='{room}']) .try");
        page.click(&card).await;
        page.until(runs).await;
        let here = page.run("return location.pathname + location.search").await;
        open.push_back(here.as_str().unwrap().to_owned());
    }
    while let Some(path) = open.pop_front() {
        let plain = path.split('?').next().unwrap_or_default().to_owned();
        if pages.len() >= MOST || !seen.insert(plain) || !is_page(page, &path).await {
            continue;
        }
        page.open(&format!("{base}{path}")).await;
        page.find("main").await;
        open.extend(links(page).await);
        pages.push(path);
    }
    pages
}

#[test]
fn every_page_is_for_every_reader_on_a_phone() {
    journey(|driver, base| async move {
        let first = driver.phone(false).await;
        let pages = found(&first, &base).await;
        assert!(pages.len() >= FEWEST, "{pages:?}");
        println!("{} pages", pages.len());
        let _ = first.complaints().await;
        let mut shows = Vec::new();
        for (turn, lang) in Lang::ALL.into_iter().enumerate() {
            // The same reader, since games and tables are seen by who began them.
            first.open(&base).await;
            first
                .click(&format!(".languages button[value={}]", lang.code()))
                .await;
            first
                .until(&format!(
                    "document.documentElement.lang === '{}'",
                    lang.code()
                ))
                .await;
            for (i, path) in pages.iter().enumerate() {
                first.open(&format!("{base}{path}")).await;
                look(&first, path, &base, i % Lang::ALL.len() == turn).await;
                let shown = specs(&first).await;
                shows.extend(
                    shown
                        .iter()
                        .map(|spec| format!("{path} ({}): {spec}", lang.code())),
                );
            }
        }
        // A sample of them after dark.
        let features = json!([{"name": "prefers-color-scheme", "value": "dark"}]);
        first
            .client
            .command("Emulation.setEmulatedMedia", json!({"features": features}))
            .await
            .unwrap();
        for path in pages.iter().step_by(DARK) {
            first.open(&format!("{base}{path}")).await;
            look(&first, path, &base, true).await;
        }
        assert_eq!(shows, [""; 0], "pages show specs");
        let lang = first.run("return document.documentElement.lang").await;
        assert_eq!(lang, json!("cs"), "the last language was spoken");
        first.client.close().await.unwrap();
    });
}
