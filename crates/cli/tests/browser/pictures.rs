//! Pictures of the house: the first page, every room, every game's end and every lesson, on a desktop screen and
//! on a phone, light and dark. `WITS_PICTURES=FOLDER` says where they go; without it nothing is drawn.

use std::path::PathBuf;

use serde_json::json;

use crate::driver::Page;
use crate::journeys::journey;

/// Every room and page with a face of its own.
const PAGES: [&str; 20] = [
    "/",
    "/matchbox",
    "/othello",
    "/scrabble",
    "/thue",
    "/rainbow",
    "/transit",
    "/expert",
    "/expert/scratch",
    "/learn",
    "/arena",
    "/threads",
    "/threads/othello-engine",
    "/lessons",
    "/games",
    "/new/othello",
    "/maxsum",
    "/glossary",
    "/desk",
    "/docs",
];

/// Every game with a table. What is over soon is played to its end; Scrabble is given up.
const GAMES: [(&str, &[&str]); 17] = [
    ("othello", &["engine:level=2,book=false", "human"]),
    ("hexapawn", &["perfect", "human"]),
    // Boxes that are taught stand beside the board.
    ("hexapawn", &["human", "matchbox:learn=true"]),
    ("tictactoe", &["perfect", "human"]),
    ("thue:symbols=4", &["nested:level=1", "human"]),
    ("thue-solitaire", &["human"]),
    ("thue-append", &["human", "mcts"]),
    ("thue-erase:max_moves=20", &["human", "mcts"]),
    (
        "rainbow:n=9,k=3,c=5,first=maker",
        &["human", "hint:level=0"],
    ),
    ("scrabble", &["human", "level:level=1"]),
    ("chomp", &["perfect", "human"]),
    ("nim", &["perfect", "human"]),
    ("tactix", &["perfect", "human"]),
    ("domineering", &["perfect", "human"]),
    ("notakto", &["perfect", "human"]),
    ("connect3", &["perfect", "human"]),
    ("mnk", &["perfect", "human"]),
];

/// What the README shows, and which picture it is.
const README: [(&str, &str); 3] = [
    ("home-1366-light", "home"),
    ("othello-table-1366-light", "table"),
    ("threads-othello-engine-1366-light", "thread"),
];

async fn shoot(page: &Page, folder: &std::path::Path, name: &str) {
    std::thread::sleep(std::time::Duration::from_millis(700));
    let png = page.client.screenshot().await.unwrap();
    std::fs::write(folder.join(format!("{name}.png")), png).unwrap();
}

/// Plays the first move that the page offers until the game is over.
async fn play_on(page: &Page) {
    const READY: &str = "document.querySelector('wits-board .playable, .choices [data-move], .targets [data-move]')";
    const OVER: &str = "document.querySelector('#status.over')";
    for _ in 0..500 {
        page.until(&format!("{OVER} || {READY}")).await;
        if page.run(&format!("return {OVER} !== null")).await == true {
            return;
        }
        // A move may need two clicks: what to move, and then where to.
        page.run("const all = (css) => [...document.querySelectorAll(css)].find(e => e.getClientRects().length && !e.disabled);
            (all('.choices [data-move]') ?? all('wits-board .playable') ?? all('.targets [data-move]'))?.dispatchEvent(new MouseEvent('click', {bubbles: true}))").await;
        std::thread::sleep(std::time::Duration::from_millis(150));
    }
    panic!("a game that should be short does not end");
}

#[test]
fn the_house_is_drawn_where_somebody_asks_for_it() {
    let Some(folder) = std::env::var_os("WITS_PICTURES").map(PathBuf::from) else {
        println!("skipped: WITS_PICTURES names no folder");
        return;
    };
    std::fs::create_dir_all(&folder).unwrap();
    journey(|driver, base| async move {
        for (width, height, dark) in [
            (1366, 768, false),
            (1366, 768, true),
            (390, 844, false),
            (390, 844, true),
        ] {
            let page = driver.screen(width, height).await;
            let scheme = if dark { "dark" } else { "light" };
            let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
            page.client
                .command("Emulation.setEmulatedMedia", json!({"features": features}))
                .await
                .unwrap();
            let name = |what: &str| {
                format!(
                    "{}-{width}-{scheme}",
                    what.trim_matches('/').replace('/', "-")
                )
            };
            for path in PAGES {
                page.open(&format!("{base}{path}")).await;
                page.find("main").await;
                shoot(
                    &page,
                    &folder,
                    &name(if path == "/" { "home" } else { path }),
                )
                .await;
            }
            page.open(&format!("{base}/lessons")).await;
            let lessons = page.run("return [...document.querySelectorAll('main a[href^=\"/lessons/\"]')].map(a => a.getAttribute('href'))").await;
            for path in lessons
                .as_array()
                .unwrap()
                .iter()
                .filter_map(|path| path.as_str())
            {
                page.open(&format!("{base}{path}")).await;
                page.find("main").await;
                shoot(&page, &folder, &name(path)).await;
            }
            for (game, seats) in GAMES {
                let body = json!({"game": game, "seats": seats, "seed": 7});
                let begin = format!(
                    "return fetch('/games', {{method: 'POST', headers: {{'Content-Type': 'application/json', Accept: 'application/json'}}, body: JSON.stringify({body})}}).then(r => r.json()).then(v => v.page)"
                );
                let to = page.run(&begin).await;
                page.open(&format!("{base}{}", to.as_str().unwrap())).await;
                page.until("document.querySelector('wits-board .playable, .targets [data-move], #rack [data-tile]')").await;
                let boxes = if seats.contains(&"matchbox:learn=true") {
                    "-boxes"
                } else {
                    ""
                };
                let game = format!("{}{boxes}", game.split(':').next().unwrap());
                shoot(&page, &folder, &name(&format!("{game}-table"))).await;
                if game == "scrabble" {
                    page.run("return fetch(document.querySelector('main.game').dataset.base + '/resign', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: '{}'}).then(r => r.status)").await;
                    page.until("document.querySelector('#status.over')").await;
                } else {
                    play_on(&page).await;
                }
                page.run("window.scrollTo(0, 0)").await;
                shoot(&page, &folder, &name(&format!("{game}-end"))).await;
            }
            page.client.close().await.unwrap();
        }
        let readme = folder.join("readme");
        std::fs::create_dir_all(&readme).unwrap();
        for (name, shown) in README {
            let from = folder.join(format!("{name}.png"));
            std::fs::copy(from, readme.join(format!("{shown}.png"))).unwrap();
        }
    });
}
