//! What a table says and marks: what a move did, why a round is over, what a machine thinks, in one palette and from
//! one side.

use serde_json::{Value, json};

use crate::driver::Page;
use crate::faces::begin;
use crate::journeys::journey;

/// Waits until so many moves are listed.
async fn moves(page: &Page, count: usize) {
    page.until(&format!(
        "document.querySelectorAll('#moves li').length >= {count}"
    ))
    .await;
}

/// The numbers that elements show, with any minus sign.
async fn numbers(page: &Page, css: &str) -> Vec<f64> {
    let script = format!(
        "return [...document.querySelectorAll({css:?})].map(e => parseFloat(e.textContent.trim().replace('−', '-')))"
    );
    serde_json::from_value(page.run(&script).await).unwrap()
}

#[test]
fn a_move_is_said_with_what_it_did() {
    journey(|driver, base| async move {
        let page = driver.screen(1366, 768).await;
        begin(
            &page,
            &base,
            "othello",
            ["human", "engine:level=2,book=false"],
        )
        .await;
        page.until("document.querySelector('wits-board .playable')")
            .await;
        page.click("wits-board .playable").await;
        moves(&page, 2).await;
        let said = page.text("#said").await;
        assert!(said.contains("turned 1 disc."), "{said}");
        let changed = "return document.querySelectorAll('wits-board .changed').length";
        assert_eq!(page.run(changed).await, 1, "the disc that was turned");
        // Still there when the page comes anew, and gone with the move when one steps back.
        page.client.refresh().await.unwrap();
        page.until("document.querySelectorAll('wits-board .changed').length === 1")
            .await;
        page.run("document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'Home', bubbles: true}))").await;
        page.until("document.querySelector('main.away') && document.querySelectorAll('wits-board .changed').length === 0").await;

        begin(&page, &base, "hexapawn", ["human", "perfect"]).await;
        page.until("document.querySelector('wits-board .playable')")
            .await;
        page.type_move("b1-b2").await;
        moves(&page, 2).await;
        let said = page.text("#said").await;
        assert!(said.contains("and took 1 piece."), "{said}");

        begin(&page, &base, "thue", ["nested:level=1", "human"]).await;
        page.until("document.querySelector('.targets [data-move]')")
            .await;
        let said = page.text("#said").await;
        assert!(said.contains("picked gap "), "{said}");

        let small = "rainbow:n=9,k=3,c=5,first=maker";
        begin(&page, &base, small, ["human", "hint:level=2"]).await;
        let goal = page.text(".game-head .lead").await;
        assert!(goal.contains("Get 3 numbers at equal distances"), "{goal}");
        page.until("document.querySelector('wits-board .playable')")
            .await;
        page.type_move("1=1").await;
        moves(&page, 2).await;
        let said = page.text("#said").await;
        assert!(
            said.contains("gave number ") && said.contains(" colour "),
            "{said}"
        );
        page.client.close().await.unwrap();
    });
}

#[test]
fn the_end_says_what_happened_and_nothing_twice() {
    journey(|driver, base| async move {
        let page = driver.screen(1366, 768).await;
        begin(&page, &base, "thue:symbols=2", ["nested:level=1", "human"]).await;
        // The symbol that stands there already.
        page.click(".targets [data-move='0']").await;
        page.until("document.querySelector('#status.over')").await;
        let said = page.text("#said").await;
        assert!(said.starts_with("0 now stands twice in a row."), "{said}");
        assert!(
            !said.contains("thesis") && !said.contains("period"),
            "{said}"
        );
        // Two corners are left; both players pass only when the board is full.
        let position = format!("{}-X", "X".repeat(62).replacen('X', "O", 1));
        let body = json!({"game": "othello", "seats": ["human", "random"], "seed": 7, "position": format!("{position} X")});
        let script = format!(
            "return fetch('/games', {{method: 'POST', headers: {{'Content-Type': 'application/json', Accept: 'application/json'}}, body: JSON.stringify({body})}}).then(r => r.json()).then(v => v.page ?? JSON.stringify(v))"
        );
        let to = page.run(&script).await;
        page.open(&format!("{base}{}", to.as_str().unwrap())).await;
        page.until("document.querySelector('#status.over')").await;
        let (status, said) = (page.text("#status").await, page.text("#said").await);
        assert!(status.starts_with("You won "), "{status}");
        let points = status.trim_start_matches("You won ");
        let hyphen = points.replace('–', "-");
        assert!(
            !said.contains(points) && !said.contains(&hyphen),
            "{status} / {said}"
        );
        page.client.close().await.unwrap();
    });
}

#[test]
fn who_gives_up_is_told_no_points_that_decided_nothing() {
    journey(|driver, base| async move {
        let page = driver.screen(390, 844).await;
        begin(&page, &base, "othello", ["human", "random"]).await;
        page.run("return fetch(document.querySelector('main.game').dataset.base + '/resign', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: '{}'}).then(r => r.status)").await;
        page.until("document.querySelector('#status.over')").await;
        assert_eq!(page.text("#status").await, "You lost");
        page.client.close().await.unwrap();
    });
}

/// The colours of the beads of a box, by their moves.
async fn colours(page: &Page, rows: &str, name: &str, bead: &str) -> Value {
    let script = format!(
        "return Object.fromEntries([...document.querySelectorAll({rows:?})].map(row => [row.querySelector({name:?}).textContent, getComputedStyle(row.querySelector({bead:?})).fill]))"
    );
    page.run(&script).await
}

#[test]
fn beads_have_one_colour_on_the_wall_and_at_the_table() {
    journey(|driver, base| async move {
        let page = driver.browser(1366, false).await;
        page.open(&format!("{base}/matchbox")).await;
        page.find("#name").await.send_keys("palette").await.unwrap();
        page.click("form.sheet button[type=submit]").await;
        page.find("#wall").await;
        let wall = colours(&page, "#box-1 .mb-list li", ".move-text", "circle").await;
        assert_eq!(wall.as_object().unwrap().len(), 3, "{wall}");
        page.click("form.play button").await;
        page.until("document.querySelector('wits-board .playable')")
            .await;
        page.type_move("a1-a2").await;
        page.until("document.querySelector('.game-boxes .matchbox')")
            .await;
        let table = colours(
            &page,
            ".game-boxes .matchbox li",
            ".move-text",
            "circle.bead",
        )
        .await;
        assert_eq!(table, wall);
        // The position of a box is a board with pawns, and the next box is another one.
        let pawns = "return document.querySelectorAll('.game-boxes .matchbox:first-child svg.position .pawn').length";
        assert_eq!(page.run(pawns).await, 6);
        page.until("document.querySelector('wits-board .playable') || document.querySelector('#status.over')").await;
        if page
            .run("return document.querySelector('#status.over')")
            .await
            .is_null()
        {
            page.click("wits-board .playable").await;
            page.until("document.querySelector('wits-board .picked') || document.querySelectorAll('#moves li').length > 2").await;
            if page
                .run("return document.querySelector('wits-board .picked')")
                .await
                != Value::Null
            {
                page.click("wits-board .playable").await;
            }
            page.until("document.querySelectorAll('.game-boxes .matchbox').length === 2 || document.querySelector('#status.over')").await;
            let names = "return [...document.querySelectorAll('.game-boxes .box-name')].map(e => e.textContent)";
            let names = page.run(names).await;
            let all = names.as_array().unwrap();
            assert!(all.len() < 2 || all[0] != all[1], "{names}");
        }
        page.accessible("boxes beside the board").await;
        page.client.close().await.unwrap();
    });
}

#[test]
fn lines_of_a_machine_come_the_best_first_and_short() {
    journey(|driver, base| async move {
        let page = driver.screen(1366, 768).await;
        begin(
            &page,
            &base,
            "othello",
            ["human", "engine:level=1,book=false"],
        )
        .await;
        for count in [2, 4, 6] {
            page.until("document.querySelector('wits-board .playable')")
                .await;
            page.click("wits-board .playable").await;
            moves(&page, count).await;
            page.until("document.querySelector('.best-lines .worth')")
                .await;
            let worths = numbers(&page, ".best-lines .worth").await;
            assert!(
                worths.windows(2).all(|two| two[0] >= two[1]),
                "after {count} moves: {worths:?}"
            );
            let long = "return [...document.querySelectorAll('.best-lines .worth')].filter(e => /[.]\\d{3}/.test(e.textContent)).length";
            assert_eq!(page.run(long).await, 0, "digits that mean nothing");
            assert_eq!(
                page.run("return document.querySelectorAll('.best-lines .chosen').length")
                    .await,
                1
            );
        }
        // Where a game is won or lost, words say so.
        begin(&page, &base, "hexapawn", ["human", "perfect"]).await;
        page.until("document.querySelector('wits-board .playable')")
            .await;
        page.type_move("b1-b2").await;
        page.until("document.querySelector('.best-lines .worth')?.textContent === 'wins'")
            .await;
        page.client.close().await.unwrap();
    });
}

#[test]
fn scores_on_the_analysis_board_are_read_and_of_one_side() {
    journey(|driver, base| async move {
        let page = driver.screen(1366, 768).await;
        // Black wins everything with c5.
        let game = "/othello/board?moves=e6f4e3f6g5d6e7f5&ply=8";
        for (whose, who, worth) in [("", "Black", 64.0), ("&for=O", "White", -64.0)] {
            page.open(&format!("{base}{game}{whose}")).await;
            page.until("document.querySelector('#score-rows tr[data-move=c5].best')")
                .await;
            let head = page.text(".oth-table thead th:nth-of-type(2)").await;
            assert_eq!(head, format!("discs for {who}"));
            let shown = numbers(&page, "#score-rows tr[data-move=c5] td:nth-of-type(2)").await;
            assert_eq!(shown, [worth], "for {who}");
            let about = page.text("#graph").await;
            assert!(
                about.contains(&format!("Above the line {who} is ahead")),
                "{about}"
            );
        }
        // White on green, and the way through the game on the first screen.
        let fill = "return getComputedStyle(document.querySelector('wits-board .remark:not(.best)') ?? document.querySelector('wits-board .remark')).fill";
        let fill = page.run(fill).await;
        assert!(
            ["rgb(255, 255, 255)", "rgb(255, 224, 138)"].contains(&fill.as_str().unwrap()),
            "{fill}"
        );
        let low = "return document.querySelector('.review-steps').getBoundingClientRect().bottom - innerHeight";
        let low = page.run(low).await.as_f64().unwrap();
        assert!(low <= 0.0, "the steps end {low} pixels below the screen");
        page.client.close().await.unwrap();
    });
}

#[test]
fn the_opponent_that_is_ticked_comes_first_and_the_game_begins_at_once() {
    journey(|driver, base| async move {
        for (width, height) in [(1366, 768), (390, 844)] {
            let page = driver.screen(width, height).await;
            for game in ["othello", "scrabble"] {
                page.open(&format!("{base}/new/{game}")).await;
                let ticked = "return document.querySelector('.opponent-cards .opponent:first-child input[name=opponent]').checked";
                assert_eq!(page.run(ticked).await, true, "{game}");
                let low = "return document.querySelector('form.new-game .begin button').getBoundingClientRect().bottom - innerHeight";
                let low = page.run(low).await.as_f64().unwrap();
                assert!(low <= 0.0, "{game}: the button is {low} pixels too low");
                page.accessible(game).await;
            }
            page.client.close().await.unwrap();
        }
    });
}

#[test]
fn scrabble_is_played_in_the_language_of_the_reader() {
    journey(|driver, base| async move {
        for (lang, lexicon) in [("en", "english"), ("pl", "polish"), ("cs", "czech")] {
            let page = driver.browser_for(1100, false, lang).await;
            page.open(&base).await;
            page.click(".card.room:has(h2 a[href='/scrabble']) .try")
                .await;
            page.until("document.querySelectorAll('#rack [data-tile]').length === 7")
                .await;
            let spec = "return fetch(document.querySelector('main').dataset.base + '/state').then(r => r.json()).then(s => s.spec)";
            let spec = page.run(spec).await;
            assert!(
                spec.as_str().unwrap().contains(lexicon),
                "{lang} plays {spec}"
            );
            page.client.close().await.unwrap();
        }
    });
}

#[test]
fn the_picture_of_a_colouring_has_the_colours_of_its_board() {
    journey(|driver, base| async move {
        let page = driver.screen(1366, 768).await;
        let small = "rainbow:n=9,k=3,c=5,first=maker";
        begin(&page, &base, small, ["human", "hint:level=2"]).await;
        page.until("document.querySelector('wits-board .playable')")
            .await;
        page.type_move("1=2").await;
        moves(&page, 2).await;
        page.run("return fetch(document.querySelector('main.game').dataset.base + '/resign', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: '{}'}).then(r => r.status)").await;
        page.until("document.querySelector('#picture:not([hidden]) svg rect.c2')")
            .await;
        let pair = "return [document.querySelector('#picture svg rect.c2'), document.querySelector('wits-board .token.c2 .fill')].map(e => getComputedStyle(e).fill)";
        let pair = page.run(pair).await;
        assert_eq!(pair[0], pair[1]);
        page.client.close().await.unwrap();
    });
}

#[test]
fn a_review_looks_at_once_and_a_tried_line_is_kept() {
    journey(|driver, base| async move {
        let page = driver.screen(1366, 768).await;
        begin(&page, &base, "tictactoe", ["human", "perfect"]).await;
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
        // Nobody pressed anything: the machine looks through the game that was lost.
        page.until("document.querySelectorAll('#curve circle.point').length === 7")
            .await;
        page.until("document.querySelector('#marks a')").await;
        page.click("#marks a").await;
        page.until("document.querySelector('wits-board .cell.hinted')")
            .await;
        page.run("document.querySelector('wits-board').dispatchEvent(new CustomEvent('move', {detail: {text: 'c1'}}))")
            .await;
        page.until("new URL(location.href).searchParams.getAll('try').join() === 'c1'")
            .await;
        page.click("#keep-line").await;
        page.until("document.querySelectorAll('#kept:not([hidden]) li').length === 1")
            .await;
        page.accessible("a kept line").await;
        // Found again from the game itself, and forgotten when nobody wants it.
        let line = page.client.current_url().await.unwrap();
        page.open(line.split('?').next().unwrap()).await;
        page.click("#kept li a").await;
        page.until("new URL(location.href).searchParams.getAll('try').join() === 'c1'")
            .await;
        page.click("#kept li button").await;
        page.until("document.querySelector('#kept').hidden").await;
        page.client.close().await.unwrap();
    });
}
