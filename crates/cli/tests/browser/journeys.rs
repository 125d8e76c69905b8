//! What people do here.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::common::Server;
use crate::driver::{self, Driver, Page};

/// Runs a journey over a fresh server, or skips it where there is no browser.
pub(crate) fn journey<F: Future<Output = ()>>(walk: impl FnOnce(Driver, String) -> F) {
    journey_in(|driver, base, _| walk(driver, base));
}

/// The same for who needs the server's folder too.
pub(crate) fn journey_in<F: Future<Output = ()>>(walk: impl FnOnce(Driver, String, PathBuf) -> F) {
    let Some(driver) = Driver::start() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let base = format!("http://{}", server.address);
    driver::walk(walk(driver, base, folder.path().to_owned()));
}

/// Plays the first square that can be clicked, by clicking, until the game is over.
async fn play_on(page: &Page) {
    loop {
        page.until("document.querySelector('wits-board .playable') || document.querySelector('#status.over') !== null").await;
        let over = page
            .run("return document.querySelector('#status.over') !== null")
            .await;
        if over == true {
            return;
        }
        let before = page
            .run("return document.querySelectorAll('#moves li').length")
            .await;
        page.click("wits-board .playable").await;
        page.until(&format!("document.querySelectorAll('#moves li').length > {before} || document.querySelector('#status.over') !== null")).await;
    }
}

async fn begin(page: &Page, base: &str, game: &str) {
    page.open(base).await;
    page.click(&format!("a[href='/new/{game}']")).await;
    page.click("form.new-game .begin button").await;
    page.find("wits-board svg").await;
}

#[test]
fn home_then_a_full_game_then_its_thread() {
    journey(|driver, base| async move {
        let page = driver.browser(1100, false).await;
        page.open(&base).await;
        page.find(".card").await;
        page.accessible("home").await;
        page.picture("home").await;
        page.click("a[href='/new/tictactoe']").await;
        page.find("form.new-game").await;
        page.accessible("new game").await;
        page.picture("new-game").await;
        page.click("form.new-game .begin button").await;
        page.find("wits-board svg").await;
        play_on(&page).await;
        page.accessible("a finished game").await;
        page.run("document.querySelector('#moves [data-ply]').click()")
            .await;
        page.until("document.querySelector('wits-thread svg')")
            .await;
        page.until("document.querySelector('wits-thread input[type=range]') && Number(document.querySelector('wits-thread input[type=range]').max) > 10").await;
        let sentence = "document.querySelector('wits-thread .sentence').textContent";
        let first = page.run(&format!("return {sentence}")).await;
        page.run("const r = document.querySelector('wits-thread input[type=range]'); r.value = Math.floor(r.max / 2); r.dispatchEvent(new Event('input', {bubbles: true}))").await;
        page.until(&format!("{sentence} !== {first}")).await;
        // The board of that step, the next cut by a key, and why another move was not played.
        page.until("document.querySelector('.thread-board:not([hidden]) wits-board svg')")
            .await;
        page.run("document.querySelector('.thread-player').dispatchEvent(new KeyboardEvent('keydown', {key: 'c', bubbles: true}))")
            .await;
        page.until("document.querySelector('wits-thread .sentence').dataset.kind === 'cut'")
            .await;
        page.run("document.querySelector('form.why-not').requestSubmit()")
            .await;
        page.until("document.querySelector('.why-not-answer').textContent.length > 10")
            .await;
        page.accessible("a thread").await;
        page.picture("game").await;
        page.client.close().await.unwrap();
    });
}

#[test]
fn reload_in_the_middle_and_go_on() {
    journey(|driver, base| async move {
        let page = driver.browser(800, true).await;
        begin(&page, &base, "tictactoe").await;
        page.until("document.querySelector('wits-board .playable')")
            .await;
        page.click("wits-board .playable").await;
        page.until("document.querySelectorAll('#moves li').length === 2")
            .await;
        let moves = page.text("#moves").await;
        page.client.refresh().await.unwrap();
        page.until("document.querySelectorAll('#moves li').length === 2")
            .await;
        assert_eq!(page.text("#moves").await, moves);
        page.picture("dark").await;
        page.accessible("a game in the dark").await;
        page.click("form.undo button").await;
        page.until("document.querySelectorAll('#moves li').length === 0")
            .await;
        play_on(&page).await;
        page.client.close().await.unwrap();
    });
}

#[test]
fn two_browsers_on_one_game() {
    journey(|driver, base| async move {
        let (a, b) = (driver.browser(900, false).await, driver.phone(false).await);
        a.open(&format!("{base}/new/tictactoe")).await;
        a.run("document.querySelector('input[name=opponent][value=human]').click()")
            .await;
        a.click("form.new-game .begin button").await;
        a.find("wits-board svg").await;
        let url = a.client.current_url().await.unwrap();
        b.open(&url).await;
        b.click("form.sit button").await;
        b.until("!document.querySelector('form.sit')").await;
        b.picture("phone").await;
        b.accessible("a phone").await;
        b.fits("a game").await;
        for turn in 0..5 {
            let (mover, other) = if turn % 2 == 0 { (&a, &b) } else { (&b, &a) };
            mover
                .until("document.querySelector('wits-board .playable')")
                .await;
            mover.click("wits-board .playable").await;
            other
                .until(&format!(
                    "document.querySelectorAll('#moves li').length === {}",
                    turn + 1
                ))
                .await;
        }
        a.client.close().await.unwrap();
        b.client.close().await.unwrap();
    });
}

#[test]
fn a_refused_move_is_explained_on_the_page() {
    journey(|driver, base| async move {
        let page = driver.browser(900, false).await;
        begin(&page, &base, "tictactoe").await;
        page.type_move("z9").await;
        page.until("document.querySelector('#message').textContent.includes('is not a square')")
            .await;
        page.client.close().await.unwrap();
    });
}

#[test]
fn a_saved_thread_is_opened_on_its_page() {
    journey(|driver, base| async move {
        let page = driver.browser(900, false).await;
        page.open(&format!("{base}/threads")).await;
        page.find("wits-thread input[type=file]").await;
        page.accessible("threads").await;
        // One that an older program wrote says less, and is read, kept and shared all the same.
        let old = [
            json!({"thread": 1, "room": "tictactoe", "subject": "X to move", "by": "minimax:depth=1", "seed": 7, "lens": "tree", "title": "X to move"}),
            json!({"at": 0, "kind": "open", "text": "X to move", "data": {"id": 0, "parent": null, "move": null}}),
            json!({"at": 1, "kind": "open", "text": "try b2", "data": {"id": 1, "parent": 0, "move": "b2"}}),
            json!({"at": 2, "kind": "close", "text": "b2 is worth 0", "data": {"id": 1, "value": 0}}),
            json!({"end": true, "counts": {"open": 2, "close": 1}, "kept": 3, "dropped": 0, "result": "b2"}),
        ];
        let old: Vec<String> = old.iter().map(Value::to_string).collect();
        let open = format!(
            "const files = new DataTransfer(); files.items.add(new File([{}], 'old.thread')); const input = document.querySelector('wits-thread input[type=file]'); input.files = files.files; input.dispatchEvent(new Event('change', {{bubbles: true}}))",
            json!(old.join("\n") + "\n")
        );
        page.run(&open).await;
        page.until("document.querySelector('wits-thread')?.length === 3")
            .await;
        page.run("document.querySelector('wits-thread').index = 2")
            .await;
        assert_eq!(page.text("wits-thread .sentence").await, "b2 is worth 0");
        page.click(".thread-keep button").await;
        page.until("document.querySelector('.thread-keep a')").await;
        let address = page
            .run("return document.querySelector('.thread-keep a').href")
            .await;
        let other = driver.phone(false).await;
        other.open(address.as_str().unwrap()).await;
        other
            .until("document.querySelector('wits-thread')?.length === 3")
            .await;
        other.client.close().await.unwrap();
        assert_eq!(page.complaints().await, Vec::<String>::new());
        page.client.close().await.unwrap();
    });
}
