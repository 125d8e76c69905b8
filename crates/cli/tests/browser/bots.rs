//! A teacher opens a tournament, programs join it, and the class looks on.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::driver::Page;
use crate::journeys::journey;

/// A program of a student, for as long as the test lasts.
struct Program(Child);

impl Program {
    fn start(base: &str, token: &str, more: &[&str]) -> Program {
        let clients = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../clients/python");
        let mut command = Command::new("python3");
        command.arg("-B").arg(clients.join("random_bot.py"));
        command.args(["--server", base]).args(more);
        command.env("WITS_TOKEN", token).stdin(Stdio::null());
        let quiet = command.stdout(Stdio::null()).stderr(Stdio::null());
        Program(quiet.spawn().unwrap())
    }
}

impl Program {
    /// Waits until it leaves by itself.
    fn leaves(&mut self) {
        let end = Instant::now() + Duration::from_mins(1);
        while self.0.try_wait().unwrap().is_none() {
            assert!(Instant::now() < end, "the program goes on without a token");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Makes a bot on the page; its token, which is shown there.
async fn make(page: &Page, base: &str, name: &str) -> String {
    page.open(&format!("{base}/bots")).await;
    page.run(&format!(
        "document.querySelector('#make #name').value = {}",
        Value::from(name)
    ))
    .await;
    page.click("#make button").await;
    page.text("#token").await
}

#[test]
fn a_tournament_is_opened_joined_and_watched() {
    journey(|driver, base| async move {
        let page = driver.browser(1100, false).await;
        let ada = make(&page, &base, "Ada").await;
        let commands = page.text("#commands").await;
        assert!(
            commands.lines().count() == 3 && commands.contains(&ada),
            "{commands}"
        );
        page.accessible("a new bot").await;
        page.picture("bot-made").await;
        let bob = make(&page, &base, "Bob").await;

        page.open(&format!("{base}/arena#open")).await;
        page.click("#open summary").await;
        page.accessible("the form of an open tournament").await;
        page.run("document.querySelector('#open-name').value = 'Class 7b'; document.querySelector('#open-game').value = 'tictactoe'")
            .await;
        page.click("#open-order button[type=submit]").await;
        let link = page.text("#link").await;
        assert!(link.starts_with(&format!("{base}/arena/open/o-")), "{link}");
        page.accessible("an open tournament").await;
        // One joins by the form, one by the link, and a machine is the measure; who looks on sees them come.
        page.click("#join form button").await;
        page.until("document.querySelectorAll('#entrants li').length === 1")
            .await;
        let first = page.text("#entrants li").await;
        let other = if first.contains("Ada") { &bob } else { &ada };
        let _joins = Program::start(&base, other, &["--join", &link]);
        page.until("document.querySelectorAll('#entrants li').length === 2")
            .await;
        let away = if first.contains("Ada") { &ada } else { &bob };
        let _listens = Program::start(&base, away, &[]);
        page.run("document.querySelector('#machine').value = 'perfect'")
            .await;
        page.click("#deeds form[action$='/machine'] button").await;
        page.until("document.querySelectorAll('#entrants li').length === 3")
            .await;
        let all = page.text("#entrants").await;
        assert!(
            all.contains("Ada (bot)") && all.contains("Bob (bot)"),
            "{all}"
        );
        page.picture("open-tournament").await;
        // Both listen.
        page.until("[...document.querySelectorAll('#entrants li')].filter(li => li.textContent.includes(' · ')).length === 2")
            .await;

        page.click("#deeds form[action$='/start'] button").await;
        page.click("#to-run").await;
        page.find("#standings").await;
        page.until("!('running' in document.querySelector('#live').dataset)")
            .await;
        let state = page.text("#state").await;
        assert!(state.contains("6 games"), "{state}");
        let names = "return [...document.querySelectorAll('#standings tbody th')].map(th => th.textContent).join()";
        let names = page.run(names).await;
        for name in ["Ada (bot)", "Bob (bot)"] {
            assert!(names.as_str().unwrap().contains(name), "{names}");
        }
        page.accessible("a tournament of bots").await;
        page.picture("open-tournament-run").await;
        // Every game can be opened.
        page.click("#cross a").await;
        page.click("#games tbody tr button").await;
        page.find("main.game wits-board svg").await;
        page.until("document.querySelector('#status.over')").await;
        let players = page.text("main.game").await;
        assert!(players.contains("(bot)"), "a bot is marked as one");
        // And the bot's own page has its games.
        page.open(&format!("{base}/bots")).await;
        page.click("#own a").await;
        page.find("#games tbody tr").await;
        page.accessible("a bot").await;
        page.picture("bot").await;
        page.client.close().await.unwrap();
    });
}

/// Opens the page of a bot until its program listens.
async fn listens(page: &Page, own: &str) {
    let end = Instant::now() + Duration::from_mins(1);
    page.open(own).await;
    while page.client.find("#challenge").await.is_err() {
        assert!(Instant::now() < end, "nobody listens");
        page.open(own).await;
    }
}

#[test]
fn a_bot_is_challenged_and_its_token_is_renewed_and_withdrawn() {
    journey(|driver, base| async move {
        let page = driver.browser(1100, false).await;
        let first = make(&page, &base, "Eve").await;
        let mut old = Program::start(&base, &first, &[]);
        page.open(&format!("{base}/bots")).await;
        page.click("#own a").await;
        page.find("#deeds").await;
        let own = page.run("return location.href").await;
        let own = own.as_str().unwrap().to_owned();
        listens(&page, &own).await;
        // Another token sends the program home that has the old one.
        page.click("#deeds form[action$='/token'] button").await;
        let second = page.text("#token").await;
        assert_ne!(first, second);
        old.leaves();
        let mut program = Program::start(&base, &second, &[]);
        listens(&page, &own).await;
        page.run("document.querySelector('#challenge #game').value = 'tictactoe'")
            .await;
        page.click("#challenge button").await;
        page.until("document.querySelector('wits-board .playable')")
            .await;
        page.type_move("b2").await;
        // It answers, and the turn is ours again.
        page.until("document.querySelectorAll('#moves li').length >= 2")
            .await;
        page.until("document.querySelector('wits-board .playable')")
            .await;
        let names = page.text("main.game").await;
        assert!(names.contains("Eve (bot)"), "{names}");
        page.picture("bot-challenged").await;
        page.open(&own).await;
        page.click("#deeds form[action$='/withdraw'] button").await;
        page.find("#away").await;
        program.leaves();
        page.client.close().await.unwrap();
    });
}
