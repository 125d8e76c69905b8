//! A table people like to sit at, and a house in which nobody meets a spec.

use serde_json::{Value, json};

use crate::driver::Page;
use crate::journeys::journey;

/// Begins a game as the sheet would; the page of it is open afterwards.
pub(crate) async fn begin(page: &Page, base: &str, game: &str, seats: impl Into<Value>) {
    let seats = seats.into();
    page.open(base).await;
    let body = json!({"game": game, "seats": seats, "seed": 7});
    let script = format!(
        "return fetch('/games', {{method: 'POST', headers: {{'Content-Type': 'application/json', Accept: 'application/json'}}, body: JSON.stringify({body})}}).then(r => r.json()).then(v => v.page)"
    );
    let to = page.run(&script).await;
    page.open(&format!("{base}{}", to.as_str().unwrap())).await;
    page.find("wits-board svg, scrabble-board .scr-grid").await;
}

/// Whether everything that these selectors name lies within the first screen, unscrolled.
async fn in_first_screen(page: &Page, all: &[&str]) -> Vec<String> {
    let script = format!(
        "window.scrollTo(0, 0);
         return {}.filter(css => {{ const e = [...document.querySelectorAll(css)].find(e => e.offsetParent !== null || e.getClientRects().length);
             if (!e) return true; const box = e.getBoundingClientRect(); return box.top < 0 || box.bottom > innerHeight + 1 || box.width === 0; }})",
        json!(all)
    );
    serde_json::from_value(page.run(&script).await).unwrap()
}

/// What every game with a board has on its first screen.
const BOARD: &[&str] = &["wits-board svg", "form.hint button", "#status"];

#[test]
fn board_hand_and_main_button_are_on_the_first_screen() {
    journey(|driver, base| async move {
        let games: [(&str, &[&str], &[&str]); 16] = [
            (
                "othello",
                &["human", "random"],
                &["wits-board svg", "form.hint button", "#status"],
            ),
            (
                "hexapawn",
                &["human", "random"],
                &["wits-board svg", "form.hint button", "#status"],
            ),
            (
                "thue",
                &["random", "human"],
                &["wits-board svg", ".targets .swatch", "#status"],
            ),
            (
                "rainbow",
                &["human", "random"],
                &[
                    "wits-board svg",
                    ".rb-colours .swatch",
                    "form.hint button",
                    "#status",
                ],
            ),
            (
                "thue-solitaire",
                &["human"],
                &[
                    "wits-board svg",
                    ".targets .swatch",
                    "form.hint button",
                    "#status",
                ],
            ),
            ("tictactoe", &["human", "random"], BOARD),
            ("chomp", &["human", "random"], BOARD),
            ("nim", &["human", "random"], BOARD),
            ("tactix", &["human", "random"], BOARD),
            ("domineering", &["human", "random"], BOARD),
            ("notakto", &["human", "random"], BOARD),
            ("connect3", &["human", "random"], BOARD),
            ("mnk", &["human", "random"], BOARD),
            ("thue-append", &["human", "random"], BOARD),
            ("thue-erase", &["human", "random"], BOARD),
            (
                "scrabble",
                &["human", "random"],
                &["scrabble-board .scr-grid", "#rack", "#send", "#status"],
            ),
        ];
        for (width, height) in [(1366, 768), (390, 844)] {
            let page = driver.screen(width, height).await;
            for (game, seats, parts) in games {
                begin(&page, &base, game, seats).await;
                if game == "rainbow" {
                    page.until("document.querySelector('wits-board .playable')")
                        .await;
                    page.click("wits-board .playable").await;
                    page.find(".rb-colours .swatch").await;
                }
                if game == "scrabble" {
                    page.until("document.querySelectorAll('#rack [data-tile]').length === 7")
                        .await;
                }
                if game == "thue-solitaire" {
                    page.click("wits-board .playable").await;
                }
                if game.starts_with("thue") && parts.contains(&".targets .swatch") {
                    page.until("document.querySelector('.targets .swatch')")
                        .await;
                }
                let missing = in_first_screen(&page, parts).await;
                assert!(
                    missing.is_empty(),
                    "{game} at {width}x{height}: {missing:?}"
                );
                page.fits(game).await;
            }
            page.client.close().await.unwrap();
        }
    });
}

#[test]
fn the_end_speaks_to_the_person_and_the_game_can_be_stepped_through() {
    journey(|driver, base| async move {
        let page = driver.browser(1366, false).await;
        begin(&page, &base, "hexapawn", ["perfect", "human"]).await;
        page.until("document.querySelector('wits-board .playable')")
            .await;
        assert!(
            page.text("#said").await.contains("Perfect play"),
            "who played what"
        );
        let last = "document.querySelectorAll('wits-board .lamp.last').length";
        assert_eq!(
            page.run(&format!("return {last}")).await,
            2,
            "from where, to where"
        );
        page.run("document.querySelector('form.resign button').click()")
            .await;
        page.run("document.querySelector('form.resign button').click()")
            .await;
        page.until("document.querySelector('#status.over')").await;
        assert_eq!(page.text("#status").await, "You lost");
        assert_eq!(
            page.run("return document.querySelector('.turn-card').dataset.verdict")
                .await,
            "lost"
        );
        page.accessible("an end").await;
        page.picture("end").await;
        // Arrow keys step through the game.
        let pieces = "return [...document.querySelectorAll('wits-board [data-cell]')].map(c => c.getAttribute('aria-label')).join()";
        let end = page.run(pieces).await;
        page.run("document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowLeft', bubbles: true}))").await;
        page.until("document.querySelector('main.away')").await;
        assert_ne!(page.run(pieces).await, end, "the position before");
        page.run("document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true}))").await;
        page.until("!document.querySelector('main.away')").await;
        assert_eq!(page.run(pieces).await, end);
        // The thread of the last decision is one click away, the next game another.
        page.click("#follow-last").await;
        page.until("document.querySelector('#thread wits-thread svg')")
            .await;
        let old = page.client.current_url().await.unwrap();
        page.click(".swap-sides button").await;
        page.until("document.querySelector('.seat-who')").await;
        assert_ne!(page.client.current_url().await.unwrap(), old);
        page.until("/You/.test(document.querySelector('#clocks li').textContent)")
            .await;
        // Both games are found again.
        page.open(&format!("{base}/games")).await;
        assert_eq!(
            page.run("return document.querySelectorAll('.games li').length")
                .await,
            2
        );
        assert_eq!(
            page.run("return document.querySelectorAll('.games li[data-verdict=lost]').length")
                .await,
            1
        );
        page.accessible("my games").await;
        page.client.close().await.unwrap();
    });
}

#[test]
fn a_move_is_shown_before_the_reply() {
    journey(|driver, base| async move {
        let page = driver.moving(1366, 900).await;
        begin(&page, &base, "tictactoe", ["human", "perfect"]).await;
        page.until("document.querySelector('wits-board .playable')")
            .await;
        // When each mark appears on the board.
        page.run("window.seen = []; new MutationObserver(() => { const n = document.querySelectorAll('wits-board .token').length; if (n !== window.seen.at(-1)?.[0]) window.seen.push([n, performance.now()]); }).observe(document.querySelector('wits-board'), {childList: true, subtree: true})").await;
        page.click("wits-board .playable").await;
        page.until("window.seen.at(-1)?.[0] === 2").await;
        let seen = page.run("return window.seen").await;
        let at = |marks: u64| {
            let found = seen.as_array().unwrap().iter().find(|one| one[0] == marks);
            found.unwrap_or_else(|| panic!("{marks} marks were never shown: {seen}"))[1]
                .as_f64()
                .unwrap()
        };
        assert!(
            at(2) - at(1) >= 250.0,
            "the reply came with the move: {seen}"
        );
        page.client.close().await.unwrap();
    });
}

#[test]
fn an_error_moves_nothing() {
    journey(|driver, base| async move {
        let page = driver.browser(1366, false).await;
        begin(&page, &base, "tictactoe", ["human", "perfect"]).await;
        page.until("document.querySelector('wits-board .playable')")
            .await;
        let place = "return ['wits-board svg', 'form.hint', 'form.undo'].map(css => Math.round(document.querySelector(css).getBoundingClientRect().top))";
        let before = page.run(place).await;
        page.run("document.querySelector('#typed').value = 'z9'; document.querySelector('#typed').form.requestSubmit()").await;
        page.until("document.querySelector('#message').textContent.includes('is not a square')")
            .await;
        assert_eq!(page.run(place).await, before);
        page.client.close().await.unwrap();
    });
}

#[test]
fn light_and_dark_can_be_chosen_and_are_remembered() {
    journey(|driver, base| async move {
        let page = driver.browser(1366, false).await;
        page.open(&base).await;
        let paper = "return getComputedStyle(document.body).backgroundColor";
        let light = page.run(paper).await;
        page.click("#theme").await;
        let dark = page.run(paper).await;
        assert_ne!(light, dark);
        page.open(&format!("{base}/lessons")).await;
        assert_eq!(page.run(paper).await, dark);
        page.click("#theme").await;
        assert_eq!(page.run(paper).await, light);
        page.client.close().await.unwrap();
    });
}

/// Words that look like `name:key=value` and stand where people read: not in details, in code or in the manual.
pub(crate) async fn specs(page: &Page) -> Vec<Value> {
    let script = "const seen = []; const walk = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
        while (walk.nextNode()) { const at = walk.currentNode.parentElement;
            if (at.closest('details, code, pre, kbd, script, style, textarea, .doc')) continue;
            if (/\\b[a-z][a-z0-9-]*:[a-z][a-z_-]*=[^\\s]/.test(walk.currentNode.data)) seen.push(walk.currentNode.data.trim().slice(0, 80)); }
        return seen";
    serde_json::from_value(page.run(script).await).unwrap()
}

#[test]
fn a_review_is_walked_by_keys_and_shows_the_better_move() {
    journey(|driver, base| async move {
        let page = driver.screen(1366, 768).await;
        page.open(&format!(
            "{base}/othello/board?moves=f5d6c3d3c4f4c5b3c2&ply=9"
        ))
        .await;
        page.find("wits-board svg").await;
        let key = |name: &str| {
            format!(
                "document.body.dispatchEvent(new KeyboardEvent('keydown', {{key: '{name}', bubbles: true}}))"
            )
        };
        page.run(&key("ArrowLeft")).await;
        page.until("document.querySelector('main').dataset.ply === '8'")
            .await;
        page.run(&key("Home")).await;
        page.until("document.querySelector('main').dataset.ply === '0'")
            .await;
        page.run(&key("End")).await;
        page.until("document.querySelector('main').dataset.ply === '9'")
            .await;
        // The chart stands beside the board, and the board stays in sight while the moves are read.
        let beside = "const [a, b] = ['wits-board svg', '#graph'].map(css => document.querySelector(css).getBoundingClientRect()); return b.left >= a.right";
        assert_eq!(page.run(beside).await, true);
        page.run("window.scrollTo(0, 400)").await;
        let seen = page
            .run("return document.querySelector('wits-board svg').getBoundingClientRect().top >= 0")
            .await;
        assert_eq!(seen, true, "the board scrolled out of sight");
        page.client.close().await.unwrap();
    });
}

#[test]
fn a_lost_game_of_any_kind_is_reviewed_and_another_move_tried() {
    journey(|driver, base| async move {
        let page = driver.screen(1366, 768).await;
        begin(&page, &base, "tictactoe", ["human", "perfect"]).await;
        // The last free square in reading order each time: a game that is lost.
        for text in ["c3", "b3", "c2"] {
            page.until("document.querySelector('wits-board .playable')")
                .await;
            page.type_move(text).await;
            page.until(&format!(
                "[...document.querySelectorAll('#moves li')].some(li => li.textContent.includes('{text}'))"
            ))
            .await;
        }
        page.until("document.querySelector('#status.over')").await;
        page.click("#review").await;
        page.click("#analyse").await;
        page.until("document.querySelectorAll('#curve circle.point').length === 7")
            .await;
        page.until("!document.querySelector('#analyse').disabled")
            .await;
        let marks = page.text("#marks").await;
        assert!(marks.contains("would have kept a draw"), "{marks}");
        page.accessible("a review").await;
        page.picture("review").await;
        // Where something was lost the better move is pointed at, and can be tried.
        page.click("#marks a").await;
        page.until("document.querySelector('wits-board .cell.hinted')")
            .await;
        page.run("document.querySelector('wits-board').dispatchEvent(new CustomEvent('move', {detail: {text: 'c1'}}))")
            .await;
        page.until("new URL(location.href).searchParams.getAll('try').join() === 'c1'")
            .await;
        page.until("/tried/.test(document.querySelector('#moves').textContent)")
            .await;
        page.fits("a review").await;
        page.client.close().await.unwrap();
    });
}
