//! What readers once stumbled on, each held by what they would see.

use serde_json::json;

use crate::driver::Page;
use crate::faces::begin;
use crate::journeys::journey;

/// What is cut off inside its frame: text that is wider than its place and cannot be scrolled to.
const CUT: &str = "return [...document.querySelectorAll('main *')].filter(e => e.clientWidth > 0
    && ['hidden', 'clip'].includes(getComputedStyle(e).overflowX) && e.scrollWidth > e.clientWidth + 1
    && !e.closest('.sr-only') && getComputedStyle(e).textOverflow !== 'ellipsis')
    .map(e => e.tagName + '.' + (e.getAttribute('class') ?? '') + ' ' + e.textContent.trim().slice(0, 40))";

/// Asks the page's server for something by a form, and opens what comes of it.
async fn post(page: &Page, to: &str, fields: &[(&str, &str)]) {
    let script = format!(
        "const form = document.createElement('form'); form.method = 'post'; form.action = {to:?};
         for (const [name, value] of {}) {{ const field = document.createElement('textarea'); field.name = name; field.value = value; form.append(field); }}
         document.body.append(form); form.submit()",
        json!(fields)
    );
    page.run(&script).await;
}

#[test]
fn a_piece_that_slides_goes_over_the_squares() {
    journey(|driver, base| async move {
        let page = driver.moving(1100, 900).await;
        begin(&page, &base, "hexapawn", ["human", "random"]).await;
        page.until("document.querySelectorAll('wits-board .playable').length > 0")
            .await;
        page.type_move("a1a2").await;
        // Whoever moved last is drawn last.
        page.until("document.querySelectorAll('#moves li').length >= 2")
            .await;
        page.until(
            "(() => { const under = document.querySelector('wits-board svg > g[aria-hidden]'); const top = under.lastElementChild;
               const at = [...document.querySelectorAll('wits-board .cell')].find(e => e.getAttribute('transform') === top.getAttribute('transform'));
               return top.querySelector('.token.pawn') && /last move/.test(at.getAttribute('aria-label')); })()",
        )
        .await;
        page.client.close().await.unwrap();
    });
}

#[test]
fn othello_is_played_on_green() {
    journey(|driver, base| async move {
        for dark in [false, true] {
            let page = driver.browser(1100, dark).await;
            begin(&page, &base, "othello", ["human", "random"]).await;
            let colour = page
                .run(
                    "const paint = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
                     paint.fillStyle = getComputedStyle(document.querySelector('wits-board .field')).fill;
                     paint.fillRect(0, 0, 1, 1); return [...paint.getImageData(0, 0, 1, 1).data]",
                )
                .await;
            let [red, green, blue] = [0, 1, 2].map(|i| colour[i].as_i64().unwrap());
            assert!(green > red + 20 && green > blue + 20, "{colour}");
            page.client.close().await.unwrap();
        }
    });
}

#[test]
fn a_tall_window_tears_no_column_apart() {
    journey(|driver, base| async move {
        let page = driver.screen(1366, 1700).await;
        for (game, seats) in [
            ("othello", ["human", "random"]),
            ("hexapawn", ["human", "random"]),
            ("rainbow", ["human", "random"]),
            ("scrabble", ["human", "random"]),
        ] {
            begin(&page, &base, game, seats).await;
            let gaps = page
                .run(
                    "const parts = [...document.querySelectorAll('.game > .game-head, .game > .turn-card, .game > .side > *')]
                         .map(e => e.getBoundingClientRect()).filter(box => box.height > 0).sort((a, b) => a.top - b.top);
                     return parts.slice(1).map((box, i) => Math.round(box.top - parts[i].bottom)).filter(gap => gap > 48)",
                )
                .await;
            assert_eq!(gaps, json!([]), "{game}");
        }
        page.client.close().await.unwrap();
    });
}

#[test]
fn a_review_is_cut_off_nowhere() {
    journey(|driver, base| async move {
        for (width, height) in [(1366, 768), (1920, 1080)] {
            let page = driver.screen(width, height).await;
            page.open(&format!(
                "{base}/othello/board?moves=f5d6c3d3c4f4c5b3c2&ply=8"
            ))
            .await;
            page.until("document.querySelectorAll('#score-rows tr').length > 3")
                .await;
            let cut = page.run(CUT).await;
            assert_eq!(cut, json!([]), "{width}x{height}");
            // What is read beside the board lies within the window without being pushed.
            page.fits("a review").await;
            let pushed = page
                .run("return [...document.querySelectorAll('main table')].filter(t => t.offsetParent && t.parentElement.scrollWidth > t.parentElement.clientWidth + 1).map(t => t.id || t.textContent.slice(0, 60))")
                .await;
            assert_eq!(pushed, json!([]), "{width}x{height}");
            page.client.close().await.unwrap();
        }
    });
}

#[test]
fn boxes_are_counted_in_words_and_letters_stand_in_lines() {
    journey(|driver, base| async move {
        for width in [390, 1366] {
            let page = driver.screen(width, 800).await;
            page.open(&base).await;
            let machine = [
                ("name", "one"),
                ("kind", "nim/2"),
                ("scheme", ""),
                ("teaching", ""),
            ];
            post(&page, "/matchbox", &machine).await;
            page.find("#wall").await;
            let stacked = page
                .run(
                    "return [...document.querySelectorAll('main h1, main h2, main h3, main summary, main th, main label')]
                         .filter(e => e.offsetParent && e.textContent.trim().length > 3).filter(e => { const box = e.getBoundingClientRect();
                             return box.height > 3 * box.width && box.width < 40; }).map(e => e.textContent.trim())",
                )
                .await;
            assert_eq!(stacked, json!([]), "at {width}");
            let text = page.text("main").await;
            for wrong in ["1 boxes", "1 beads", "1 games", "1 moves"] {
                let found = text
                    .match_indices(wrong)
                    .any(|(i, _)| !text[..i].ends_with(|c: char| c.is_ascii_digit() || c == ','));
                assert!(!found, "{wrong} at {width}");
            }
            page.fits("a wall of boxes").await;
            page.client.close().await.unwrap();
        }
    });
}

#[test]
fn the_sheet_of_a_new_game_is_opponents_and_one_button() {
    journey(|driver, base| async move {
        let page = driver.screen(1366, 768).await;
        for game in ["othello", "scrabble", "thue", "rainbow", "hexapawn"] {
            page.open(&format!("{base}/new/{game}")).await;
            page.find(".opponent").await;
            // What is asked at once is who plays; parameters are folded.
            let fields = page
                .run("return [...document.querySelectorAll('.new-game input, .new-game select')].filter(e => e.checkVisibility() && !['radio', 'hidden'].includes(e.type)).map(e => e.name)")
                .await;
            assert!(fields.as_array().unwrap().len() <= 2, "{game}: {fields}");
            let cards = page
                .run("return [...document.querySelectorAll('.opponent')].filter(e => !e.querySelector('b')?.textContent.trim() || e.querySelector('.opponent-words span')?.textContent.trim().length < 10).map(e => e.textContent)")
                .await;
            assert_eq!(
                cards,
                json!([]),
                "every opponent has a name and a sentence: {game}"
            );
            // A lexicon is chosen, not typed.
            let typed = page
                .run("return [...document.querySelectorAll('[name$=lexicon]')].filter(e => e.tagName === 'INPUT' && e.type === 'text').length")
                .await;
            assert_eq!(typed, 0, "{game}");
            // What begins the game is in sight.
            let button = page
                .run("const box = document.querySelector('.new-game .begin button').getBoundingClientRect(); return box.bottom <= innerHeight && box.top >= 0")
                .await;
            assert_eq!(button, true, "{game}");
        }
        page.client.close().await.unwrap();
    });
}

#[test]
fn players_who_never_met_stand_on_scales_of_their_own() {
    journey(|driver, base| async move {
        let page = driver.browser(1366, false).await;
        for players in [
            "random\nalphabeta:depth=1",
            "alphabeta:depth=3\nalphabeta:depth=4",
        ] {
            page.open(&base).await;
            let order = [("game", "tictactoe"), ("players", players), ("games", "4")];
            post(&page, "/arena", &order).await;
            page.find("#live").await;
            page.until("!('running' in document.querySelector('#live').dataset)")
                .await;
        }
        page.open(&format!("{base}/arena/ladder?game=tictactoe"))
            .await;
        page.find(".ladder").await;
        let tables = page
            .run("return document.querySelectorAll('table.ladder').length")
            .await;
        assert_eq!(tables, 2);
        page.accessible("two groups").await;
        // One button lets the best of both meet.
        page.click("form[action='/arena'] button").await;
        page.find("#live").await;
        page.until("!('running' in document.querySelector('#live').dataset)")
            .await;
        page.open(&format!("{base}/arena/ladder?game=tictactoe"))
            .await;
        page.find(".ladder").await;
        let tables = page
            .run("return document.querySelectorAll('table.ladder').length")
            .await;
        assert_eq!(tables, 1);
        page.client.close().await.unwrap();
    });
}

#[test]
fn the_first_page_has_pictures_that_are_whole() {
    journey(|driver, base| async move {
        for (width, height) in [(1366, 768), (390, 844)] {
            let page = driver.screen(width, height).await;
            page.open(&base).await;
            page.until("document.querySelectorAll('#hero .remark').length > 1")
                .await;
            let bare = page
                .run("return [...document.querySelectorAll('.card.room')].filter(card => (card.querySelector('svg.picture')?.querySelectorAll('*').length ?? 0) < 5).map(card => card.textContent)")
                .await;
            assert_eq!(bare, json!([]), "rooms without a picture");
            // Words and tiles lie within their picture, and words in their bubble.
            let out = page
                .run(
                    "const inside = (a, b) => a.left >= b.left - 1 && a.right <= b.right + 1 && a.top >= b.top - 1 && a.bottom <= b.bottom + 1;
                     const wrong = [];
                     for (const svg of document.querySelectorAll('svg.picture')) {
                         const frame = svg.getBoundingClientRect();
                         for (const e of svg.querySelectorAll('text, .tile')) if (!inside(e.getBoundingClientRect(), frame)) wrong.push(e.textContent);
                         for (const e of svg.querySelectorAll('text.said')) {
                             const box = e.getBoundingClientRect();
                             if (![...svg.querySelectorAll('.bubble')].some(b => inside(box, b.getBoundingClientRect()))) wrong.push(e.textContent);
                         }
                     }
                     return wrong",
                )
                .await;
            assert_eq!(out, json!([]), "at {width}");
            // What a value rounds to is written as one would write it.
            let remarks = page
                .run("return [...document.querySelectorAll('#hero .remark')].map(e => e.textContent).join(' ') + document.querySelector('#hero-says').textContent")
                .await;
            assert!(!remarks.as_str().unwrap().contains("−0.0"), "{remarks}");
            page.client.close().await.unwrap();
        }
    });
}

#[test]
fn lessons_show_boards_and_have_a_fold_for_teachers() {
    journey(|driver, base| async move {
        let page = driver.screen(1366, 768).await;
        page.open(&format!("{base}/lessons")).await;
        let all = page
            .run("return [...new Set([...document.querySelectorAll('.lessons a[href^=\"/lessons/\"]')].map(a => a.getAttribute('href')))]")
            .await;
        let all: Vec<String> = serde_json::from_value(all).unwrap();
        assert!(all.len() >= 13, "{all:?}");
        for lesson in all {
            page.open(&format!("{base}{lesson}")).await;
            page.find("main svg, main .plain-board").await;
            let folds = page
                .run("return document.querySelectorAll('details.lesson-teachers').length")
                .await;
            assert!(folds.as_u64().unwrap() >= 1, "{lesson}");
            // No thread opens on one lonely node.
            let lonely = page
                .run("return [...document.querySelectorAll('wits-thread .tree svg')].filter(svg => svg.querySelectorAll('.node').length === 1).length")
                .await;
            assert_eq!(lonely, 0, "{lesson}");
        }
        page.client.close().await.unwrap();
    });
}

#[test]
fn what_stands_below_a_table_is_not_covered_by_its_board() {
    journey(|driver, base| async move {
        let page = driver.screen(1366, 768).await;
        for (game, seats) in [
            ("scrabble", ["human", "level:level=1"]),
            ("othello", ["human", "engine:level=1"]),
        ] {
            begin(&page, &base, game, seats).await;
            // The board goes along with the page, but no further than what stands beside it.
            let over = page
                .run(
                    "window.scrollTo(0, document.body.scrollHeight);
                     const board = document.querySelector('.game > .table').lastElementChild.getBoundingClientRect();
                     return [...document.querySelectorAll('.game > .table ~ p.muted, .game > .table ~ details')].filter(e => e.offsetParent)
                         .map(e => e.getBoundingClientRect()).filter(box => box.width > 1 && box.top < board.bottom - 1).length",
                )
                .await;
            assert_eq!(over, 0, "{game}");
        }
        page.client.close().await.unwrap();
    });
}

#[test]
fn a_line_that_was_played_though_it_is_not_the_best_is_marked_in_words() {
    journey(|driver, base| async move {
        let page = driver.browser(1366, false).await;
        begin(&page, &base, "othello", ["human", "random"]).await;
        let text = page
            .run(
                "return import('/assets/game-lines.js').then(({showLines}) => {
                 const line = (move, value) => ({moves: [move], worth: {value, proof: 'estimate', text: String(value)}});
                 const place = document.createElement('div');
                 showLines(place, {seat: 1, lines: [line('c3', -1.5), line('e3', 2.5)], why: 'because'}, null);
                 return [...place.querySelectorAll('li')].map(e => e.textContent) })",
            )
            .await;
        let rows: Vec<String> = serde_json::from_value(text).unwrap();
        assert!(rows[0].ends_with("e3"), "{rows:?}");
        assert!(
            rows[1].contains("c3 ") && !rows[1].contains("object"),
            "{rows:?}"
        );
        page.client.close().await.unwrap();
    });
}
