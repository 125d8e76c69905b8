//! A browser under our hand.
#![allow(
    clippy::unused_async,
    reason = "journeys wait for what they ask, whatever carries it"
)]

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::process::{Child, Command, Stdio};
use std::task::{Context, Waker};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::webdriver::{Client, Element};

/// How wide a small phone is.
const PHONE: u32 = 360;

/// Runs a journey to its end. What it waits for has come when it is asked for: the driver is asked on
/// this very thread.
pub(crate) fn walk(journey: impl Future<Output = ()>) {
    let mut context = Context::from_waker(Waker::noop());
    let mut journey = pin!(journey);
    while journey.as_mut().poll(&mut context).is_pending() {}
}

/// One chromedriver process with as many browser windows as asked for.
pub(crate) struct Driver {
    child: Child,
    port: u16,
}

impl Driver {
    /// Starts chromedriver, where journeys are asked for: they take minutes.
    pub(crate) fn start() -> Option<Driver> {
        if std::env::var_os("WITS_REQUIRE_BROWSER").is_none() {
            println!("skipped: WITS_REQUIRE_BROWSER=1 asks for journeys in a browser");
            return None;
        }
        let port = TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap()
            .port();
        let child = Command::new("chromedriver")
            .arg(format!("--port={port}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        match child {
            Ok(child) => Some(Driver { child, port }),
            Err(error) => panic!("chromedriver cannot be started: {error}"),
        }
    }

    /// A fresh browser of some width; windows are never narrower than the browser lets them be,
    /// which is about 500 pixels: see [`Driver::phone`].
    pub(crate) async fn browser(&self, width: u32, dark: bool) -> Page {
        self.browser_for(width, dark, "en").await
    }

    /// A fresh browser with a screen as narrow as a small phone's.
    pub(crate) async fn phone(&self, dark: bool) -> Page {
        let screen = json!({"width": PHONE, "height": 800, "pixelRatio": 1});
        let more = json!({"mobileEmulation": {"deviceMetrics": screen}});
        self.begin(PHONE, dark, "en", more).await
    }

    /// A fresh browser with a screen of an exact size.
    pub(crate) async fn screen(&self, width: u32, height: u32) -> Page {
        let screen =
            json!({"width": width, "height": height, "pixelRatio": 1, "mobile": width < 500});
        let more = json!({"mobileEmulation": {"deviceMetrics": screen}});
        self.begin(width, false, "en", more).await
    }

    /// A fresh browser in which things may move.
    pub(crate) async fn moving(&self, width: u32, height: u32) -> Page {
        let page = self.screen(width, height).await;
        let features = json!([{"name": "prefers-reduced-motion", "value": "no-preference"}]);
        page.client
            .command("Emulation.setEmulatedMedia", json!({"features": features}))
            .await
            .unwrap();
        page
    }

    /// A fresh browser of somebody who reads a language.
    pub(crate) async fn browser_for(&self, width: u32, dark: bool, lang: &str) -> Page {
        self.begin(width, dark, lang, json!({})).await
    }

    async fn begin(&self, width: u32, dark: bool, lang: &str, more: Value) -> Page {
        let profile = tempfile::tempdir().unwrap();
        let mut args = vec![
            "--headless=new".to_owned(),
            "--no-sandbox".to_owned(),
            "--disable-gpu".to_owned(),
            "--disable-quic".to_owned(),
            "--no-first-run".to_owned(),
            "--disable-background-networking".to_owned(),
            "--disable-component-update".to_owned(),
            "--disable-sync".to_owned(),
            "--force-prefers-reduced-motion".to_owned(),
            format!("--window-size={width},1500"),
            format!("--user-data-dir={}", profile.path().display()),
        ];
        if dark {
            args.push("--force-dark-mode".to_owned());
        }
        let prefs = json!({"intl.accept_languages": lang});
        let mut options = more;
        options["args"] = json!(args);
        options["prefs"] = prefs;
        let caps = json!({
            "browserName": "chrome",
            "goog:chromeOptions": options,
            "goog:loggingPrefs": {"browser": "ALL"},
            // A busy machine takes its time for axe-core.
            "timeouts": {"script": 120_000},
        });
        let deadline = Instant::now() + Duration::from_secs(30);
        loop {
            match Client::open(self.port, &caps) {
                Ok(client) => {
                    return Page {
                        client,
                        width,
                        _profile: profile,
                    };
                }
                Err(error) if Instant::now() > deadline => panic!("no browser: {error}"),
                Err(_) => std::thread::sleep(Duration::from_millis(100)),
            }
        }
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A browser window.
pub(crate) struct Page {
    pub(crate) client: Client,
    width: u32,
    _profile: tempfile::TempDir,
}

impl Page {
    pub(crate) async fn open(&self, url: &str) {
        self.client.goto(url).await.unwrap();
    }

    /// The element, once it is there.
    pub(crate) async fn find(&self, css: &str) -> Element {
        let deadline = Instant::now() + Duration::from_secs(20);
        loop {
            match self.client.find(css).await {
                Ok(element) => return element,
                Err(error) if Instant::now() > deadline => panic!("no `{css}`: {error}"),
                Err(_) => std::thread::sleep(Duration::from_millis(50)),
            }
        }
    }

    pub(crate) async fn click(&self, css: &str) {
        // What is live may be drawn anew, or still move, between finding it and pressing it.
        let deadline = Instant::now() + Duration::from_secs(20);
        while let Err(error) = self.find(css).await.click().await {
            assert!(
                Instant::now() < deadline,
                "`{css}` cannot be clicked: {error}"
            );
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Types a move into the field under *More* and sends it.
    pub(crate) async fn type_move(&self, text: &str) {
        self.run("document.querySelector('.more-deeds')?.setAttribute('open', '')")
            .await;
        self.find("#typed").await.send_keys(text).await.unwrap();
        self.click("form.move.row button").await;
    }

    /// What a script says. One that fails is asked again for a while: the element it speaks of
    /// may belong to a page that is still on its way.
    pub(crate) async fn run(&self, script: &str) -> Value {
        let deadline = Instant::now() + Duration::from_secs(10);
        loop {
            match self.client.execute(script, vec![]).await {
                Ok(value) => return value,
                Err(error) if Instant::now() > deadline => panic!("{script}\n{error}"),
                Err(_) => std::thread::sleep(Duration::from_millis(50)),
            }
        }
    }

    /// Waits until a script says something true. A script that fails is asked again: the page
    /// it speaks of may not be there yet.
    pub(crate) async fn until(&self, script: &str) {
        let deadline = Instant::now() + Duration::from_secs(30);
        let asked = format!("return Boolean({script})");
        loop {
            let value = self.client.execute(&asked, vec![]).await;
            if matches!(&value, Ok(found) if *found == true) {
                return;
            }
            if Instant::now() > deadline {
                let body = self.run("return document.body.innerText").await;
                panic!(
                    "never true: {script}\n{value:?}\n{}",
                    body.as_str().unwrap_or("")
                );
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Keeps a picture of the page as test output.
    pub(crate) async fn picture(&self, name: &str) {
        self.run("window.scrollTo(0, 0)").await;
        self.picture_here(name).await;
    }

    /// Keeps a picture of the part of the page that is in sight.
    pub(crate) async fn picture_here(&self, name: &str) {
        let folder = screenshots();
        std::fs::create_dir_all(&folder).unwrap();
        let png = self.client.screenshot().await.unwrap();
        std::fs::write(folder.join(format!("{name}.png")), png).unwrap();
    }

    /// Nothing is wider than the page is meant to be, so nobody has to move it sideways. A phone that
    /// finds a wide page shows it smaller, so what counts there is the width of its screen.
    pub(crate) async fn fits(&self, name: &str) {
        let most = if self.width < 500 {
            self.width.to_string()
        } else {
            "window.innerWidth".to_owned()
        };
        let script = format!(
            "const most = {most} + 1, wide = document.documentElement.scrollWidth;
             const out = (e) => e.getBoundingClientRect().right > most;
             return wide <= most ? [] : [wide, ...[...document.querySelectorAll('body *')].filter(out).slice(0, 8)
                 .map(e => e.tagName + '.' + (e.getAttribute('class') ?? '') + ' ' + e.textContent.trim().slice(0, 40))]"
        );
        let found = self.run(&script).await;
        assert_eq!(found, json!([]), "{name} is too wide");
    }

    /// What the browser complained of since it was asked last.
    pub(crate) async fn complaints(&self) -> Vec<String> {
        let reply = self.client.log().await.unwrap();
        let lines = reply.as_array().unwrap_or_else(|| panic!("{reply}"));
        let bad = lines
            .iter()
            .filter(|l| l["level"] == "SEVERE" || l["level"] == "WARNING");
        bad.map(|l| l["message"].to_string()).collect()
    }

    /// axe-core finds nothing wrong.
    pub(crate) async fn accessible(&self, name: &str) {
        let path = std::env::var_os("WITS_AXE").expect("WITS_AXE names axe-core's script");
        let axe = std::fs::read_to_string(Path::new(&path)).unwrap();
        self.run(&axe).await;
        let script = "const done = arguments[arguments.length - 1]; axe.run().then(r => done(r.violations.map(v => v.id + ': ' + v.help + ' ' + v.nodes.map(n => n.target.join(' ')).join(', '))));";
        let found = self.client.execute_async(script, vec![]).await.unwrap();
        assert_eq!(found, json!([]), "axe-core on {name}");
    }

    pub(crate) async fn text(&self, css: &str) -> String {
        // What is live may be drawn anew between finding it and reading it.
        for _ in 0..20 {
            if let Ok(text) = self.find(css).await.text().await {
                return text;
            }
        }
        panic!("{css} is drawn anew all the time");
    }
}

fn screenshots() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/screenshots")
}
