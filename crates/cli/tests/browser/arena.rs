//! Somebody starts a tournament with one click and watches it being played.

use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::common::wits;
use crate::driver::Page;
use crate::journeys::{journey, journey_in};

/// Somebody else at work on the same store, for as long as the test lasts.
struct Elsewhere(Child);

impl Elsewhere {
    fn start(folder: &Path, file: &str, text: &str, verb: &str) -> Elsewhere {
        std::fs::write(folder.join(file), text).unwrap();
        let mut command = wits(folder);
        command.args(["arena", verb, file, "--threads", "1"]);
        let quiet = command.stdin(Stdio::null()).stdout(Stdio::null());
        Elsewhere(quiet.stderr(Stdio::null()).spawn().unwrap())
    }
}

impl Drop for Elsewhere {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Opens a page again and again until something is on it.
async fn appears(page: &Page, address: &str, css: &str) {
    let missing = format!("return document.querySelector({css:?}) === null");
    let deadline = Instant::now() + Duration::from_secs(30);
    page.open(address).await;
    while page.run(&missing).await == true {
        assert!(
            Instant::now() < deadline,
            "{css} never appears at {address}"
        );
        page.open(address).await;
    }
}

/// A number on the page once it is there and greater than another.
async fn grows(page: &Page, number: &str, from: f64) -> f64 {
    page.until(&format!("({number}) > {from}")).await;
    let now = page.run(&format!("return {number}")).await;
    now.as_f64().unwrap()
}

/// A tournament that another process plays: who plays, how many jobs are out, how fast it goes.
#[test]
fn workers_and_throughput_are_watched() {
    journey_in(|driver, base, folder| async move {
        let cup = "game = \"othello\"\nplayers = [\"alphabeta:depth=4\", \"alphabeta:depth=3\"]\ngames = 100000\nrandom-plies = 6\nseed = 1\n";
        let _leader = Elsewhere::start(&folder, "cup.toml", cup, "run");
        let page = driver.browser(1100, false).await;
        // The list is not live; the run appears as soon as it has begun.
        appears(
            &page,
            &format!("{base}/arena"),
            "a[href='/arena/run?name=cup']",
        )
        .await;
        page.click("a[href='/arena/run?name=cup']").await;
        let done =
            "Number(document.querySelector('#workers tbody tr td:nth-of-type(3)')?.textContent)";
        let first = grows(&page, done, 0.0).await;
        let worker = page.text("#workers tbody th").await;
        assert_eq!(worker, "here");
        let bar = "document.querySelector('#live progress').value";
        let far = grows(&page, bar, 0.0).await;
        let jobs = page.text("#jobs").await;
        page.picture("arena-workers").await;
        assert!(grows(&page, done, first).await > first);
        assert!(grows(&page, bar, far).await > far);
        let said = format!(
            "document.querySelector('#jobs').textContent !== {}",
            serde_json::Value::from(jobs.clone())
        );
        assert!(jobs.chars().any(|c| c.is_ascii_digit()), "{jobs}");
        let speed = "Number(document.querySelector('#live > p.muted').textContent.match(/[0-9]+(\\.[0-9]+)?/)?.[0])";
        let quick = grows(&page, speed, 0.0).await;
        page.until(&format!("{said} || ({speed}) !== {quick}"))
            .await;
        page.accessible("a tournament that another process plays")
            .await;
        page.client.close().await.unwrap();
    });
}

/// A tuning that another process runs: its chart gets a point for every generation.
#[test]
fn a_tuning_grows_on_the_page() {
    journey_in(|driver, base, folder| async move {
        let tuning = "game = \"othello\"\nplayer = \"linear:depth=2\"\nreference = \"alphabeta:depth=2,eval=le064\"\npopulation = 8\ngenerations = 500\nrounds = 3\ngames = 8\nrandom-plies = 6\nseed = 5\n[[gene]]\nparam = \"discs-b\"\nfrom = -1\nto = 1\n[[gene]]\nparam = \"edge-b\"\nfrom = -1\nto = 1\n";
        let _tuner = Elsewhere::start(&folder, "breed.toml", tuning, "tune");
        let page = driver.browser(1100, false).await;
        let address = format!("{base}/arena/tuning?name=breed");
        appears(&page, &address, "#live").await;
        let points = "document.querySelectorAll('#live svg circle').length";
        let few = grows(&page, points, 0.0).await;
        let more = grows(&page, points, few + 1.0).await;
        assert!(more >= few + 2.0);
        let rows = page
            .run("return document.querySelectorAll('#generations tbody tr').length")
            .await;
        assert!(rows.as_f64().unwrap() >= more, "a row for each point");
        page.accessible("a tuning").await;
        page.picture("arena-tuning").await;
        page.client.close().await.unwrap();
    });
}

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
        assert_eq!(best, "Alpha-beta, looks 3 moves ahead");
        let cells = page
            .run("return document.querySelectorAll('#cross tbody td').length")
            .await;
        assert_eq!(cells, 9);
        page.accessible("a tournament").await;
        page.picture("arena-run").await;
        page.open(&format!("{base}/arena/ladder?game=othello"))
            .await;
        page.find(".ladder").await;
        page.accessible("a ladder").await;
        page.picture("arena-ladder").await;
        page.client.close().await.unwrap();
    });
}

#[test]
fn opponents_are_ticked_and_every_game_can_be_opened() {
    journey(|driver, base| async move {
        let page = driver.browser(1366, false).await;
        page.open(&format!("{base}/arena?game=tictactoe")).await;
        page.find("#own[open] #order").await;
        page.accessible("opponents to tick").await;
        page.picture("arena-own").await;
        for spec in ["random", "perfect", "alphabeta:depth=2"] {
            page.run(&format!(
                "document.querySelector('#order input[value=\"{spec}\"]').checked = true"
            ))
            .await;
        }
        page.run("document.querySelector('#order #games').value = 4")
            .await;
        page.click("#order > button").await;
        page.find("#live").await;
        page.until("!('running' in document.querySelector('#live').dataset)")
            .await;
        // People meet names, and a number that weighs everybody's games.
        let heading = page.text("main h1").await;
        assert!(
            heading.contains("Perfect play") && !heading.contains('='),
            "{heading}"
        );
        let ahead = page.text("#standings tbody tr td:nth-of-type(4)").await;
        assert!(ahead.ends_with('%'), "{ahead}");
        page.accessible("a tournament of one's own").await;
        page.click("#cross a").await;
        page.find("#games tbody tr").await;
        let rows = page
            .run("return document.querySelectorAll('#games tbody tr').length")
            .await;
        assert_eq!(rows, 4);
        page.accessible("the games of two players").await;
        page.picture("arena-games").await;
        page.click("#games tbody tr button").await;
        page.find("main.game wits-board svg").await;
        page.until("document.querySelector('#status.over')").await;
        page.accessible("a game of a tournament").await;
        // It is stepped through, and a decision followed.
        page.run("document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowLeft', bubbles: true}))").await;
        page.until("document.querySelector('main.away')").await;
        page.click("#moves [data-ply]").await;
        page.until("document.querySelector('#thread wits-thread .thread-title')")
            .await;
        let first = page.client.current_url().await.unwrap();
        // Opened again it is the same table.
        page.run("history.back()").await;
        page.click("#games tbody tr button").await;
        page.find("main.game wits-board svg").await;
        assert_eq!(page.client.current_url().await.unwrap(), first);
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
        page.click("#order > button").await;
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
