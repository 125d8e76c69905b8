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

/// Games that are given up at once, to see their end.
const GAMES: [(&str, [&str; 2]); 6] = [
    ("othello", ["engine:level=2,book=false", "human"]),
    ("hexapawn", ["perfect", "human"]),
    ("tictactoe", ["perfect", "human"]),
    ("thue", ["nested:level=1", "human"]),
    ("rainbow:n=9,k=3,c=5,first=maker", ["human", "hint:level=0"]),
    ("scrabble", ["human", "level:level=1"]),
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
                let game = game.split(':').next().unwrap();
                shoot(&page, &folder, &name(&format!("{game}-table"))).await;
                page.run("return fetch(document.querySelector('main.game').dataset.base + '/resign', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: '{}'}).then(r => r.status)").await;
                page.until("document.querySelector('#status.over')").await;
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
