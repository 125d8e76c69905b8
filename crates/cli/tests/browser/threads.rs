//! Threads: from every button of the first page to a decision, kept ones, and how fast a large one opens.

use serde_json::{Value, json};

use crate::driver::Page;
use crate::expert;
use crate::journeys::journey;

/// How many steps the open thread has in all; what the steps rest on is shown first.
const STEPS: &str = "(() => {
    const player = document.querySelector('wits-thread .thread-player')?.closest('wits-thread');
    const told = player?.querySelector('.trimming button')?.textContent.replace(/\\D/g, '');
    return player ? Math.max(player.length, Number(told ?? 0)) : 0;
})()";

/// Opens the thread of the first machine's move, once there is one.
async fn follow(page: &Page) {
    page.until("document.querySelector('#moves button[data-ply]')")
        .await;
    page.run("document.querySelector('#moves button[data-ply]').click()")
        .await;
}

/// The thread that is open is worth looking at.
async fn is_good(page: &Page, name: &str, picture: &str) {
    page.until(&format!("{STEPS} >= 10")).await;
    page.until(picture).await;
    page.until("document.querySelector('wits-thread .thread-summary')?.textContent.length > 20")
        .await;
    page.picture_here(&format!("first-{name}")).await;
    assert_eq!(page.complaints().await, Vec::<String>::new(), "{name}");
}

const BOARD: &str = "document.querySelector('.thread-board:not([hidden]) wits-board svg')";
const MAP: &str = "document.querySelector('wits-thread canvas.map')";

/// Presses the button of a room on the first page.
async fn press(page: &Page, base: &str, room: &str) {
    page.open(base).await;
    let button = format!(
        "const card = [...document.querySelectorAll('.card.room')].find(c => c.querySelector('h2 a').getAttribute('href') === '{room}'); card.querySelector('.try').click()"
    );
    page.run(&button).await;
    page.until("location.pathname !== '/'").await;
}

#[test]
fn every_button_of_the_first_page_leads_to_a_thread_with_a_picture() {
    journey(|driver, base| async move {
        let page = driver.browser(1100, false).await;
        page.open(&base).await;
        let rooms = page.run("return [...document.querySelectorAll('.card.room')].filter(c => c.querySelector('.try')).map(c => c.querySelector('h2 a').getAttribute('href'))").await;
        let known = [
            "/matchbox",
            "/othello",
            "/scrabble",
            "/thue",
            "/rainbow",
            "/transit",
            "/expert",
            "/learn",
            "/arena",
        ];
        assert_eq!(rooms, json!(known), "a new button needs its thread here");
        // Games in which the machine begins.
        for room in ["/matchbox", "/othello", "/thue"] {
            press(&page, &base, room).await;
            follow(&page).await;
            is_good(&page, &room[1..], BOARD).await;
        }
        // Games in which the person begins.
        press(&page, &base, "/rainbow").await;
        page.until(
            "document.querySelector('[data-board] button:not([disabled]), wits-board .playable')",
        )
        .await;
        page.run("document.querySelector('#typed').value = '1 1'; document.querySelector('#typed').form.requestSubmit()")
            .await;
        follow(&page).await;
        is_good(&page, "rainbow", BOARD).await;
        // What is hidden can be followed after the end.
        press(&page, &base, "/scrabble").await;
        page.until(
            "document.querySelector('#typed') && !document.querySelector('#typed').disabled",
        )
        .await;
        let pass = "const main = document.querySelector('main.game'); return fetch(main.dataset.base + '/move', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify({ply: %, move: 'pass'})}).then(r => r.status)";
        let ply = page
            .run("return fetch(document.querySelector('main.game').dataset.base + '/state').then(r => r.json()).then(s => s.ply)")
            .await;
        let status = page.run(&pass.replace('%', &ply.to_string())).await;
        assert_eq!(status, json!(200));
        page.until(&format!(
            "document.querySelectorAll('#moves li').length >= 2 || {ply} > 99"
        ))
        .await;
        page.run("return fetch(document.querySelector('main.game').dataset.base + '/resign', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: '{}'}).then(r => r.status)")
            .await;
        follow(&page).await;
        is_good(&page, "scrabble", BOARD).await;
        // Desks.
        press(&page, &base, "/transit").await;
        is_good(&page, "transit", MAP).await;
        press(&page, &base, "/expert").await;
        for (question, answer) in [
            ("What is it about?", "2"),
            ("Which of these", "4"),
            ("at the front", "n"),
            ("tray at the back", "n"),
            ("battery fitted", "y"),
        ] {
            expert::asks(&page, question).await;
            expert::press(&page, answer).await;
        }
        expert::asks(&page, "Try this").await;
        page.click("#thread summary").await;
        is_good(
            &page,
            "expert",
            "document.querySelectorAll('wits-thread .proof-picture svg .goal-box').length > 3",
        )
        .await;
        // The two buttons above the rooms: a game, and the thread of the picture beside them.
        page.open(&base).await;
        page.click(".hero form button.primary").await;
        page.until("location.pathname.startsWith('/games/')").await;
        follow(&page).await;
        is_good(&page, "hero-play", BOARD).await;
        page.open(&base).await;
        page.click(".hero a.button").await;
        page.until("location.pathname.startsWith('/threads/')")
            .await;
        is_good(&page, "hero-watch", BOARD).await;
        page.client.close().await.unwrap();
    });
}

#[test]
fn grids_and_tournaments_of_the_first_page_leave_threads_too() {
    journey(|driver, base| async move {
        let page = driver.browser(1100, false).await;
        press(&page, &base, "/learn").await;
        page.until("document.querySelector('wits-thread')").await;
        page.run("for (const fold of document.querySelectorAll('details')) fold.open = true")
            .await;
        is_good(
            &page,
            "learn",
            "document.querySelector('wits-thread table.grid')",
        )
        .await;
        press(&page, &base, "/arena").await;
        page.until(
            "document.querySelector('#thread') && !document.querySelector('#thread').hidden",
        )
        .await;
        page.click("#thread summary").await;
        is_good(
            &page,
            "arena",
            "document.querySelector('wits-thread table.grid')",
        )
        .await;
        page.client.close().await.unwrap();
    });
}

#[test]
fn the_line_of_an_engine_is_lit_to_its_end() {
    journey(|driver, base| async move {
        let page = driver.browser(1100, false).await;
        page.open(&format!("{base}/threads/othello-engine")).await;
        // The line goes through positions that were looked at again with a wider window.
        page.until("[...document.querySelectorAll('.tree .node.lit .label')].some(label => label.textContent === 'again')")
            .await;
        let lit = page
            .run("return document.querySelectorAll('.tree .node.lit').length")
            .await;
        assert!(lit.as_u64() > Some(10), "{lit}");
        assert_eq!(page.complaints().await, Vec::<String>::new());
        page.picture("thread-engine").await;
        // On a phone it is in sight, too, from side to side.
        let phone = driver.phone(false).await;
        phone.open(&format!("{base}/threads/othello-engine")).await;
        phone
            .until("document.querySelectorAll('.tree .node.lit').length > 10")
            .await;
        let inside = "const [sheet, ...lit] = [...document.querySelectorAll('svg.tree, .tree .node.lit .frame')].map(one => one.getBoundingClientRect()); return lit.every(one => one.left >= sheet.left && one.right <= sheet.right)";
        assert_eq!(phone.run(inside).await, json!(true));
        phone.client.close().await.unwrap();
        page.client.close().await.unwrap();
    });
}

/// A candidate that is told of by its name before it has a number is one candidate.
#[test]
fn every_candidate_has_one_bar() {
    journey(|driver, base| async move {
        let page = driver.browser(1100, false).await;
        for thread in ["rainbow-strong", "scrabble-sim", "thue-nested"] {
            page.open(&format!("{base}/threads/{thread}")).await;
            page.until("document.querySelectorAll('wits-thread .candidate').length > 1")
                .await;
            let named = "return [...document.querySelectorAll('wits-thread .candidate')].map(bar => bar.querySelector('[title]').title)";
            let named: Vec<String> = serde_json::from_value(page.run(named).await).unwrap();
            let different: std::collections::BTreeSet<&String> = named.iter().collect();
            assert_eq!(different.len(), named.len(), "{thread}: {named:?}");
        }
        page.client.close().await.unwrap();
    });
}

/// While a machine looks through a game, the moves of the position that it looks at stand as bars.
#[test]
fn an_analysis_shows_the_moves_that_it_looks_at() {
    journey(|driver, base| async move {
        let page = driver.browser(1100, false).await;
        page.open(&base).await;
        let begin = "return fetch('/games', {method: 'POST', headers: {'Content-Type': 'application/json', Accept: 'application/json'}, body: JSON.stringify({game: 'rainbow:n=200,k=12,c=20', seats: ['random', 'random'], seed: 7})}).then(r => r.json()).then(r => r.page)";
        let to = page.run(begin).await;
        let to = to.as_str().unwrap();
        page.open(&format!("{base}{to}")).await;
        page.until("document.querySelector('#status.over')").await;
        page.open(&format!("{base}{to}/review")).await;
        page.click("#analyse").await;
        page.until("document.querySelectorAll('.live-bars:not([hidden]) .candidate').length > 1")
            .await;
        let told = page.text(".live-bars .muted").await;
        assert!(told.starts_with("before move"), "{told}");
        page.picture("live-bars-review").await;
        page.click("#stop").await;
        page.until("document.querySelector('.live-bars').hidden")
            .await;
        page.client.close().await.unwrap();
    });
}

#[test]
fn a_reader_guesses_first() {
    journey(|driver, base| async move {
        let page = driver.browser(1100, false).await;
        page.open(&format!("{base}/threads/tictactoe-mcts")).await;
        page.until(
            "/follow from the rules/.test(document.querySelector('.thread-seal')?.textContent)",
        )
        .await;
        // Where trial games decided, the board shows how they were spread.
        page.until("document.querySelectorAll('.thread-board .weight').length > 1")
            .await;
        // The tree counts the trial games of each node under its mean.
        page.until(
            "[...document.querySelectorAll('.tree .node .value')].filter(v => /×\\d/.test(v.textContent)).length > 3",
        )
        .await;
        page.picture("thread-mcts").await;
        page.click(".guess button").await;
        // Nothing gives the answer away.
        let hidden = "return [...document.querySelectorAll('.thread-summary, .stage, .sentence, .counts, .controls, .sentences')].every(e => !e.checkVisibility())";
        assert_eq!(page.run(hidden).await, json!(true));
        page.until("document.querySelectorAll('.guess button').length > 1")
            .await;
        page.accessible("a guess").await;
        page.click(".guess button").await;
        page.until("/machine/.test(document.querySelector('.guess').textContent)")
            .await;
        assert_eq!(page.run(hidden).await, json!(false));
        assert!(page.text(".guess").await.contains("of 1 time"));
        // Another thread beside it, on one slider.
        page.open(&format!(
            "{base}/threads/tictactoe-alphabeta?beside=tictactoe-minimax"
        ))
        .await;
        page.until("document.querySelectorAll('wits-threads .thread-player').length === 2 && !document.querySelector('.common').hidden")
            .await;
        page.accessible("two threads").await;
        page.picture("threads-beside").await;
        page.client.close().await.unwrap();
    });
}

#[test]
fn a_reader_forbids_a_move_and_plays_another() {
    journey(|driver, base| async move {
        let page = driver.browser(1100, false).await;
        press(&page, &base, "/matchbox").await;
        follow(&page).await;
        page.until("document.querySelector('form.why-not')").await;
        page.run("document.querySelector('form.why-not').requestSubmit()")
            .await;
        page.until("document.querySelector('.why-not-answer').textContent.length > 10")
            .await;
        page.run("[...document.querySelectorAll('.why-not button')].find(b => /^Forbid/.test(b.textContent)).click()")
            .await;
        page.until("document.querySelectorAll('.forbidden .thread-player').length === 2")
            .await;
        page.until("/forbidden/.test(document.querySelectorAll('.forbidden .thread-summary')[1]?.textContent)")
            .await;
        page.accessible("a forbidden move").await;
        page.picture("thread-forbidden").await;
        let before = page.client.current_url().await.unwrap();
        page.run("[...document.querySelectorAll('.why-not button')].find(b => /yourself/.test(b.textContent)).click()")
            .await;
        page.until(&format!("location.href !== {:?}", before.as_str()))
            .await;
        page.until("document.querySelectorAll('#moves li').length > 0")
            .await;
        page.client.close().await.unwrap();
    });
}

#[test]
fn a_thread_is_kept_by_a_button_and_read_by_its_address() {
    journey(|driver, base| async move {
        let (page, other) = (driver.browser(1100, false).await, driver.phone(true).await);
        page.open(&format!("{base}/threads/tictactoe-alphabeta"))
            .await;
        page.until(
            "/follow from the rules/.test(document.querySelector('.thread-seal')?.textContent)",
        )
        .await;
        // Boards are the nodes of this tree.
        page.until("document.querySelectorAll('.tree .small-board').length > 3")
            .await;
        page.accessible("a thread of the gallery").await;
        page.click(".thread-keep button").await;
        page.until("document.querySelector('.thread-keep a')").await;
        let address = page
            .run("return document.querySelector('.thread-keep a').href")
            .await;
        let address = address.as_str().unwrap().to_owned();
        other.open(&address).await;
        other
            .until("document.querySelector('.thread-player')")
            .await;
        other.fits("a thread that somebody kept").await;
        other.accessible("a thread that somebody kept").await;
        other.picture("thread-kept-phone").await;
        page.open(&format!("{base}/threads")).await;
        page.until("document.querySelectorAll('.kept-threads li').length === 1")
            .await;
        page.accessible("the gallery with a kept thread").await;
        page.picture("threads-kept").await;
        page.click(".kept-threads form button").await;
        page.until("!document.querySelector('.kept-threads')").await;
        page.client.close().await.unwrap();
        other.client.close().await.unwrap();
    });
}

#[test]
fn a_machine_that_thinks_for_long_shows_its_moves_as_bars() {
    journey(|driver, base| async move {
        let page = driver.browser(1100, false).await;
        page.open(&base).await;
        let begin = "return fetch('/games', {method: 'POST', headers: {'Content-Type': 'application/json', Accept: 'application/json'}, body: JSON.stringify({game: 'othello', seats: ['mcts:nodes=200000', 'human'], seed: 7})}).then(r => r.json()).then(r => r.page)";
        let to = page.run(begin).await;
        page.open(&format!("{base}{}", to.as_str().unwrap())).await;
        page.until("document.querySelectorAll('.live-bars:not([hidden]) .candidate').length > 1")
            .await;
        let told = page.text(".live-bars .muted").await;
        assert!(told.contains("moves so far"), "{told}");
        page.picture("live-bars").await;
        page.client.close().await.unwrap();
    });
}

/// On a usual laptop the bars are in the first screen, and nothing else of the page stands elsewhere because of them.
#[test]
fn bars_of_a_machine_that_thinks_are_in_sight_and_move_nothing() {
    journey(|driver, base| async move {
        for (width, height) in [(1366, 625), (900, 1000)] {
            let page = driver.screen(width, height).await;
            page.open(&base).await;
            let begin = "return fetch('/games', {method: 'POST', headers: {'Content-Type': 'application/json', Accept: 'application/json'}, body: JSON.stringify({game: 'othello', seats: ['mcts:nodes=200000', 'human'], seed: 7})}).then(r => r.json()).then(r => r.page)";
            let to = page.run(begin).await;
            page.open(&format!("{base}{}", to.as_str().unwrap())).await;
            let shown = "document.querySelectorAll('.live-bars:not([hidden]) .candidate').length";
            page.until(&format!("{shown} > 2")).await;
            let outside = "return [...document.querySelectorAll('.live-bars, .live-bars .candidate')].map(one => one.getBoundingClientRect()).filter(one => one.top < 0 || one.bottom > innerHeight || one.left < 0 || one.right > innerWidth).length";
            assert_eq!(page.run(outside).await, json!(0), "{width}x{height}");
            let stand = "const bars = document.querySelector('.live-bars'); const stand = () => JSON.stringify([document.body.scrollHeight, ...['.game-head', '.turn-card', '.table', '.side', '#lines', '#moves', '.game-foot'].map(one => document.querySelector(one).getBoundingClientRect().top)]); const shown = stand(); bars.hidden = true; const hidden = stand(); bars.hidden = false; return [shown, hidden]";
            let tops = page.run(stand).await;
            assert_eq!(tops[0], tops[1], "{width}x{height}");
            page.picture_here(&format!("live-bars-{width}")).await;
            page.client.close().await.unwrap();
        }
    });
}

/// What a keyboard sends for these keys (`WebDriver`, 17.4.2).
const HOME: &str = "\u{e011}";
const END: &str = "\u{e010}";
const LEFT: &str = "\u{e012}";
const RIGHT: &str = "\u{e014}";

#[test]
fn a_thread_is_walked_through_by_keys() {
    journey(|driver, base| async move {
        let page = driver.browser(1100, false).await;
        page.open(&format!("{base}/threads/othello-engine")).await;
        // Cuts and improvements are among the steps that the decision does not rest on.
        page.click(".thread-player .trimming button").await;
        let player = "document.querySelector('wits-thread')";
        page.until(&format!("{player}.length > 150")).await;
        let all = page.run(&format!("return {player}.length")).await;
        let last = all.as_u64().unwrap() - 1;
        let stands = async |keys: &str| {
            let button = page.find(".thread-player .buttons button").await;
            button.send_keys(keys).await.unwrap();
            let told = format!(
                "return [{player}.index, document.querySelector('wits-thread .sentence').dataset.kind]"
            );
            let told = page.run(&told).await;
            let kind = told[1].as_str().unwrap().to_owned();
            (told[0].as_u64().unwrap(), kind)
        };
        assert_eq!(stands(HOME).await.0, 0);
        assert_eq!(stands(LEFT).await.0, 0, "nothing is before the first step");
        assert_eq!(stands(RIGHT).await.0, 1);
        assert_eq!(stands(&RIGHT.repeat(3)).await.0, 4);
        assert_eq!(stands(LEFT).await.0, 3);
        assert_eq!(stands(END).await.0, last);
        assert_eq!(stands("d").await.1, "choose");
        for (key, kind) in [("c", "cut"), ("i", "improve")] {
            let (first, told) = stands(&format!("{HOME}{key}")).await;
            let (next, again) = stands(key).await;
            assert_eq!((told.as_str(), again.as_str()), (kind, kind));
            assert!(next > first, "{kind}: {first}, then {next}");
        }
        page.client.close().await.unwrap();
    });
}

/// A large thread can be looked at after so many milliseconds.
const BAR: f64 = 300.0;

/// Milliseconds that the page has worked so far, by the clock of its own thread: what else the machine does is not in them.
async fn worked(page: &Page) -> f64 {
    let told = page.client.command("Performance.getMetrics", json!({}));
    let told = told.await.unwrap();
    let metrics = told["metrics"].as_array().unwrap();
    let task = metrics.iter().find(|one| one["name"] == "TaskDuration");
    1e3 * task.unwrap()["value"].as_f64().unwrap()
}

/// Milliseconds until the thread of an Othello engine's decision of 200,000 positions can be looked at, from its text.
#[test]
fn a_large_thread_opens_at_once() {
    journey(|driver, base| async move {
        let page = driver.browser(1100, false).await;
        page.open(&base).await;
        let begin = "return fetch('/games', {method: 'POST', headers: {'Content-Type': 'application/json', Accept: 'application/json'}, body: JSON.stringify({game: 'othello', seats: ['engine:nodes=200000,book=false', 'human'], seed: 7, position: ''})}).then(r => r.json()).then(r => r.page)";
        let to = page.run(begin).await;
        page.open(&format!("{base}{}", to.as_str().unwrap())).await;
        page.until("document.querySelector('#moves button[data-ply]')")
            .await;
        page.run("return fetch(document.querySelector('main.game').dataset.base + '/thread/0').then((r) => r.text()).then((text) => { window.large = text; return text.length; })")
            .await;
        page.client
            .command("Performance.enable", json!({"timeDomain": "threadTicks"}))
            .await
            .unwrap();
        let open = "const done = arguments[arguments.length - 1];
            const player = document.createElement('wits-thread');
            document.querySelector('main').prepend(player);
            player.addEventListener('opened', () => requestAnimationFrame(() => setTimeout(() => done([performance.now() - begun, window.large.length, player.length]))));
            const begun = performance.now();
            player.text = window.large;";
        let (mut best, mut clock) = (f64::INFINITY, f64::INFINITY);
        let mut told = Value::Null;
        for _ in 0..3 {
            let before = worked(&page).await;
            told = page.client.execute_async(open, vec![]).await.unwrap();
            best = best.min(worked(&page).await - before);
            clock = clock.min(told[0].as_f64().unwrap());
        }
        println!("opened with {best:.0} ms of work, within {clock:.0} ms by the clock: {told}");
        assert!(told[1].as_u64() > Some(100_000), "{told}");
        assert!(told[2].as_u64() > Some(10), "{told}");
        assert!(best > 0.0 && best < BAR, "{best} ms");
        page.client.close().await.unwrap();
    });
}
