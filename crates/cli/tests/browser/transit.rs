//! Somebody plans a journey on the map, watches the searches race, and beats a round trip.

use serde_json::{Value, json};

use crate::driver::Page;
use crate::journeys::journey;

const READY: &str = "document.querySelector('main.transit')?.dataset.ready === 'yes'";

/// Types letters one by one and takes the first suggestion.
async fn choose(page: &Page, css: &str, letters: &str) -> String {
    let field = page.find(css).await;
    field.clear().await.unwrap();
    field.send_keys(letters).await.unwrap();
    page.until(&format!(
        "document.querySelector('{css}').getAttribute('aria-expanded') === 'true'"
    ))
    .await;
    field.send_keys("\u{e015}").await.unwrap();
    field.send_keys("\u{e007}").await.unwrap();
    let value = page
        .run(&format!("return document.querySelector('{css}').value"))
        .await;
    value.as_str().unwrap().to_owned()
}

/// The letters of a name without marks, as somebody without a Polish keyboard types them.
fn plain(name: &str) -> String {
    name.chars()
        .map(|c| match c {
            'ą' => 'a',
            'ć' => 'c',
            'ę' => 'e',
            'ł' | 'Ł' => 'l',
            'ń' => 'n',
            'ó' => 'o',
            'ś' | 'Ś' => 's',
            'ź' | 'ż' | 'Ź' | 'Ż' => 'z',
            c => c,
        })
        .collect()
}

#[test]
fn a_journey_is_planned_and_its_searches_are_followed() {
    journey(|driver, base| async move {
        let page = driver.browser(1280, false).await;
        page.open(&base).await;
        page.click("a[href='/transit']").await;
        page.until(READY).await;
        page.accessible("the transit room").await;
        page.picture("transit").await;
        let example = page.text(".tr-examples a").await;
        let (from, to) = example.split_once(" → ").unwrap();
        let (from, to) = (from.to_owned(), to.to_owned());
        // Typed with a slip and without marks, the names are found all the same.
        assert_eq!(choose(&page, "#from", &plain(&from)).await, from);
        assert_eq!(choose(&page, "#to", &plain(&to)).await, to);
        page.until("document.querySelectorAll('.tr-journey').length > 0")
            .await;
        let cards = page
            .run("return document.querySelectorAll('.tr-journey').length")
            .await;
        let drawn = page
            .run("return document.querySelector('main.transit').transitMap.state.kind")
            .await;
        assert_eq!(drawn, "journeys");
        assert!(page.text(".tr-journey h3").await.contains(" → "));
        page.accessible("journeys").await;
        page.picture("transit-journeys").await;
        if cards.as_u64() > Some(1) {
            page.click(".tr-journey:nth-of-type(2) .tr-show").await;
            page.until("document.querySelectorAll('.tr-show[aria-pressed=true]').length === 1")
                .await;
        }
        // Zooming and moving by keys.
        let scale = "document.querySelector('main.transit').transitMap.state.scale";
        let before = page.run(&format!("return {scale}")).await;
        page.find("#map").await.send_keys("+").await.unwrap();
        page.until(&format!("{scale} > {before}")).await;
        page.click("[data-zoom=fit]").await;
        // A click on a stop offers what can be done with it.
        let script = "const map = document.querySelector('#map'); map.scrollIntoView({block: 'center'}); const [x, y] = document.querySelector('main.transit').transitMap.place(arguments[0]); const box = map.getBoundingClientRect(); for (const type of ['pointerdown', 'pointerup']) map.dispatchEvent(new PointerEvent(type, {pointerId: 1, isPrimary: true, bubbles: true, clientX: box.left + x, clientY: box.top + y}));";
        let script = script.replace(
            "map.scrollIntoView",
            "map.setPointerCapture = () => {}; map.scrollIntoView",
        );
        page.client
            .execute(&script, vec![json!(from)])
            .await
            .unwrap();
        page.until("!document.querySelector('#stop-card').hidden")
            .await;
        assert!(page.text("#stop-card").await.contains(&from));
        page.picture("transit-stop").await;
        page.click("a[href^='/transit/search']").await;
        page.until(READY).await;
        page.until("document.querySelectorAll('wits-thread .thread-player').length === 4")
            .await;
        let rows = page.run("return [...document.querySelectorAll('#searches tbody tr')].map(r => [r.cells[1].textContent, r.cells[2].textContent])").await;
        let rows: Vec<(String, String)> = serde_json::from_value(rows).unwrap();
        assert_eq!(rows.len(), 4);
        for exact in [0, 2, 3] {
            assert_eq!(rows[exact].1, rows[0].1, "{rows:?}");
        }
        assert!(
            rows.iter().all(|r| r.0.parse::<u32>().unwrap() > 0),
            "{rows:?}"
        );
        // One slider moves all four; at its end every thread has made its choice.
        page.run("const s = document.querySelector('wits-threads .common input'); s.value = s.max / 3; s.dispatchEvent(new Event('input', {bubbles: true}))").await;
        let steps = page
            .run("return [...document.querySelectorAll('wits-thread')].map(t => t.index)")
            .await;
        let steps: Vec<u64> = serde_json::from_value(steps).unwrap();
        assert!(steps.iter().all(|&s| s > 0), "{steps:?}");
        let settled = page.run("return [...document.querySelectorAll('wits-thread .legend .number')].map(t => t.textContent)").await;
        assert_eq!(settled.as_array().unwrap().len(), 4, "{settled}");
        page.run("document.querySelector('#threads').scrollIntoView()")
            .await;
        page.picture_here("transit-threads").await;
        page.run("const s = document.querySelector('wits-threads .common input'); s.value = s.max; s.dispatchEvent(new Event('input', {bubbles: true}))").await;
        page.until("[...document.querySelectorAll('wits-thread .sentence')].every(s => s.dataset.kind === 'choose')").await;
        page.accessible("the searches").await;
        page.client.close().await.unwrap();
    });
}

#[test]
fn a_slow_guess_of_astar_is_seen_to_fail() {
    journey(|driver, base| async move {
        let page = driver.browser(1280, true).await;
        page.open(&format!("{base}/transit/search")).await;
        page.until("document.querySelector('#bold-says a')").await;
        page.run("const s = document.querySelector('#bold'); s.value = 0; s.dispatchEvent(new Event('input', {bubbles: true}))").await;
        page.until("/^5 /.test(document.querySelector('#bold').getAttribute('aria-valuetext'))")
            .await;
        page.accessible("the speeds, dark").await;
        page.run("document.querySelector('#speeds').scrollIntoView()")
            .await;
        page.picture_here("transit-speeds-dark").await;
        // The slowest guess is wrong for some query: follow it there.
        page.click("#bold-says a").await;
        page.until("document.querySelector('#searches tr.tr-wrong')")
            .await;
        assert!(
            page.text("#searches tr.tr-wrong")
                .await
                .contains("too late")
        );
        page.until("document.querySelectorAll('wits-thread .thread-player').length === 4")
            .await;
        page.picture("transit-wrong-dark").await;
        page.client.close().await.unwrap();
    });
}

#[test]
fn a_tour_is_reordered_and_solved() {
    journey(|driver, base| async move {
        let page = driver.browser(1280, false).await;
        page.open(&format!("{base}/transit/tour")).await;
        page.until(READY).await;
        page.click("#try-tour").await;
        page.until(READY).await;
        page.find("#tour-result").await;
        let names =
            "[...document.querySelectorAll('#via li:not(.tr-new) input')].map(i => i.value)";
        let order: Vec<String> =
            serde_json::from_value(page.run(&format!("return {names}")).await).unwrap();
        assert!(order.len() >= 3);
        // The second stop goes first, by its button.
        page.click("#via li:nth-child(2) .up").await;
        page.until(&format!("{names}[0] === {}", json!(order[1])))
            .await;
        page.until(&format!(
            "new URLSearchParams(location.search).getAll('via')[0] === {}",
            json!(order[1])
        ))
        .await;
        // And the third before it, by dragging.
        let drag = "const rows = [...document.querySelectorAll('#via li')]; const data = new DataTransfer(); const fire = (row, type, y) => row.dispatchEvent(new DragEvent(type, {bubbles: true, cancelable: true, dataTransfer: data, clientY: y})); fire(rows[2], 'dragstart', 0); fire(rows[0], 'dragover', rows[0].getBoundingClientRect().top + 1); fire(rows[2], 'dragend', 0);";
        page.run(drag).await;
        page.until(&format!("{names}[0] === {}", json!(order[2])))
            .await;
        page.until(&format!(
            "new URLSearchParams(location.search).getAll('via')[0] === {}",
            json!(order[2])
        ))
        .await;
        page.until("!document.querySelector('main.busy')").await;
        page.accessible("a tour").await;
        page.picture("transit-tour").await;
        let gap = page
            .run("return Number(document.querySelector('#tour-result').dataset.gap)")
            .await;
        assert!(gap.as_i64() >= Some(0), "{gap}");
        if gap.as_i64() > Some(0) {
            page.click("#take-best").await;
            page.until("document.querySelector('#tour-result')?.dataset.gap === '0'")
                .await;
        }
        assert!(
            page.text("#tour-result")
                .await
                .contains("no order is better")
        );
        page.click("details#thread summary").await;
        page.until("document.querySelector('details#thread .thread-player')")
            .await;
        page.run("document.querySelector('details#thread').scrollIntoView()")
            .await;
        page.picture_here("transit-tabu").await;
        page.accessible("a tour with its thread").await;
        page.client.close().await.unwrap();
    });
}

#[test]
fn boards_reach_and_mistakes_on_a_phone() {
    journey(|driver, base| async move {
        let page = driver.phone(false).await;
        page.open(&format!("{base}/transit/board")).await;
        page.until(READY).await;
        page.click("#answer a.button").await;
        page.find(".tr-board").await;
        let rows = page
            .run("return document.querySelectorAll('.tr-board tbody tr').length")
            .await;
        assert_eq!(rows, 10);
        let hidden = page
            .run("const box = document.querySelector('.tr-scroll'); return box.scrollHeight - box.clientHeight")
            .await;
        assert!(
            hidden.as_i64() <= Some(1),
            "rows are out of sight: {hidden}"
        );
        page.fits("a board").await;
        // Stops that would run together are not drawn until there is room for them.
        let crowd = page
            .run("const map = document.querySelector('main.transit').transitMap; map.fit(); return new Promise((told) => requestAnimationFrame(() => requestAnimationFrame(() => told(map.state))))")
            .await;
        let (drawn, stops) = (crowd["drawn"].as_u64(), crowd["stops"].as_u64());
        assert!(drawn > Some(0) && drawn < stops, "{crowd}");
        page.accessible("a board on a phone").await;
        page.picture("transit-board-phone").await;
        page.click("nav.tabs a[href^='/transit/reach']").await;
        page.until(READY).await;
        page.find(".tr-bands").await;
        let few: Value = page
            .run("return document.querySelectorAll('#answer details tbody tr').length")
            .await;
        page.run("const s = document.querySelector('#minutes'); s.value = 60; s.dispatchEvent(new Event('input', {bubbles: true}))").await;
        page.until(&format!(
            "document.querySelectorAll('#answer details tbody tr').length > {few}"
        ))
        .await;
        page.fits("reach").await;
        page.accessible("reach on a phone").await;
        page.run("document.querySelector('#map').scrollIntoView({block: 'center'})")
            .await;
        page.picture_here("transit-reach-phone").await;
        // What cannot be is said in a sentence, with what may have been meant.
        page.open(&format!("{base}/transit?from=zzzzqqq&to=x&at=08:00"))
            .await;
        assert!(page.text("#answer .error").await.contains("zzzzqqq"));
        page.open(&format!("{base}/transit?from=a&to=b&at=25:61"))
            .await;
        page.find("#answer .error").await;
        page.accessible("a mistake").await;
        page.client.close().await.unwrap();
    });
}

/// A feed of two stops and one line, as a person has it: files in a zip, with a route that is missing.
const DROP: &str = r#"
const files = [
  ["agency.txt", "agency_id,agency_name,agency_timezone\nm,Municipal,Europe/Warsaw\n"],
  ["stops.txt", "stop_id,stop_name,stop_lat,stop_lon\na,Alpha,51,17\nb,Beta,51.05,17\n"],
  ["routes.txt", "route_id,agency_id,route_short_name,route_type,route_color\n1,m,7,3,123456\n"],
  ["trips.txt", "route_id,service_id,trip_id\n1,w,t\n1,w,late\n9,w,odd\n"],
  ["calendar.txt", "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\nw,1,1,1,1,1,0,0,20240101,20241231\n"],
  ["stop_times.txt", "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nt,08:00:00,08:00:00,a,1\nt,08:10:00,08:10:00,b,2\nlate,08:30:00,08:30:00,a,1\nlate,09:45:00,09:45:00,b,2\n"],
];
const word = (n, size) => [...Array(size)].map((_, i) => (n >> (8 * i)) & 255);
const [body, index] = [[], []];
for (const [name, text] of files) {
  const [n, t] = [name, text].map((s) => [...new TextEncoder().encode(s)]);
  const fields = [...word(20, 2), ...word(0, 12), ...word(t.length, 4), ...word(t.length, 4), ...word(n.length, 2), ...word(0, 2)];
  index.push(80, 75, 1, 2, 20, 0, ...fields, ...word(0, 10), ...word(body.length, 4), ...n);
  body.push(80, 75, 3, 4, ...fields, ...n, ...t);
}
const end = [80, 75, 5, 6, ...word(0, 4), ...word(files.length, 2), ...word(files.length, 2), ...word(index.length, 4), ...word(body.length, 4), 0, 0];
drop("town.zip", [...body, ...index, ...end]);
"#;

/// Lets go of a file over the page, as a hand does.
async fn drop_file(page: &Page, script: &str) {
    let drop = "const drop = (name, bytes) => { const data = new DataTransfer(); data.items.add(new File([new Uint8Array(bytes)], name)); for (const type of ['dragover', 'drop']) document.querySelector('main.transit').dispatchEvent(new DragEvent(type, {bubbles: true, cancelable: true, dataTransfer: data})); };";
    page.run(&format!("{drop}{script}")).await;
}

#[test]
fn a_feed_is_dropped_on_the_page_and_runs_as_a_realtime_feed_says() {
    journey(|driver, base| async move {
        let page = driver.browser(1280, false).await;
        page.open(&format!("{base}/transit")).await;
        page.until(READY).await;
        drop_file(&page, DROP).await;
        page.until(&format!(
            "location.search.startsWith('?feed=t-') && {READY}"
        ))
        .await;
        let said = page.text("#diagnosis").await;
        assert!(
            said.contains("town: 2 stops, 1 line, 2 trips") && said.contains("1 remark"),
            "{said}"
        );
        assert!(said.contains("the route is not in routes.txt"), "{said}");
        assert!(page.text("#timetable").await.starts_with("town, 2024-"));
        page.accessible("a feed that was brought").await;
        page.picture("transit-own").await;
        let state = page
            .run("return document.querySelector('main.transit').transitMap.state")
            .await;
        assert_eq!((&state["stops"], &state["drawn"]), (&json!(2), &json!(2)));
        assert!(state["bar"].as_str().unwrap().ends_with('m'), "{state}");
        // A realtime feed: version 2.0, the first trip departs 300 s late at its first call.
        drop_file(&page, "drop('trips.pb', [10,5,10,3,50,46,48,18,22,10,1,120,26,17,10,3,10,1,116,18,10,26,3,8,172,2,34,1,97,40,0])").await;
        page.until("/off schedule: 1/.test(document.querySelector('#diagnosis')?.textContent)")
            .await;
        let feed = page
            .run("return new URLSearchParams(location.search).get('feed')")
            .await;
        let feed = feed.as_str().unwrap();
        page.open(&format!(
            "{base}/transit?feed={feed}&from=Alpha&to=Beta&at=07:55"
        ))
        .await;
        page.until(READY).await;
        let heads = page
            .run("return [...document.querySelectorAll('.tr-journey h3')].map(h => h.textContent)")
            .await;
        // Then comes the first one of the next day.
        assert_eq!(heads[0], "08:05 → 08:15", "{heads}");
        assert_eq!(heads[1], "08:30 → 09:45", "{heads}");
        let first = page.text(".tr-journey").await;
        assert!(first.contains("5 min late"), "{first}");
        let second = page
            .run("return document.querySelectorAll('.tr-journey')[1].textContent")
            .await;
        assert!(second.as_str().unwrap().contains("1 h 15 min"), "{second}");
        // The line is painted in the colours of the feed.
        let paint = page
            .run("return getComputedStyle(document.querySelector('.tr-journey .tr-line')).backgroundColor")
            .await;
        assert_eq!(paint, "rgb(18, 52, 86)");
        // What one may ask about a journey is answered on its card.
        for (ask, answer) in [
            ("prove", "the certificate holds"),
            ("cancel", "no way"),
            ("miss", "1 h 30 min lost"),
        ] {
            page.run(&format!(
                "document.querySelector('[data-ask={ask}]').click()"
            ))
            .await;
            page.until(&format!(
                "document.querySelector('.tr-told[data-ask={ask}]')?.textContent.includes('{answer}')"
            ))
            .await;
        }
        page.accessible("an answer on a card").await;
        // The day as a plot is there, and a day without service keeps the map.
        page.until("document.querySelector('#day img')?.naturalWidth > 0")
            .await;
        page.open(&format!(
            "{base}/transit?feed={feed}&from=Alpha&to=Beta&at=07:55&date=2031-05-05"
        ))
        .await;
        page.until(READY).await;
        page.click("#nearest").await;
        page.until("document.querySelectorAll('.tr-journey').length > 0")
            .await;
        assert!(page.complaints().await.is_empty());
        page.client.close().await.unwrap();
    });
}

#[test]
fn the_race_is_the_first_thing_seen_and_plays_at_once() {
    journey(|driver, base| async move {
        let page = driver.moving(1366, 768).await;
        page.open(&format!("{base}/transit/search")).await;
        page.until("document.querySelectorAll('wits-thread .thread-player').length === 4")
            .await;
        let top = page
            .run("return document.querySelector('wits-threads').getBoundingClientRect().top / innerHeight")
            .await;
        assert!(top.as_f64() < Some(0.6), "{top}");
        let heads = page
            .run("return [...document.querySelectorAll('.thread-title')].map(h => h.textContent).join()")
            .await;
        let heads = heads.as_str().unwrap();
        assert!(
            heads.contains("Dijkstra's algorithm") && !heads.contains("graph="),
            "{heads}"
        );
        // It stands at three tenths until it plays; then it runs to the end by itself.
        page.until("document.querySelector('wits-threads .common input').value === '10000'")
            .await;
        page.client.close().await.unwrap();
    });
}

/// Two threads whose steps come when the test says: the first reply is written piece by piece.
const SLOW: &str = r#"
const steps = ['{"thread":2,"room":"transit","lens":"map","subject":"a","by":"csa"}', '{"at":1,"kind":"visit","text":"Alpha is reached","data":{"node":0,"x":0,"y":0}}', '{"at":2,"kind":"choose","text":"there","data":{"line":[0]}}', '{"end":true,"steps":2,"kept":2,"result":"08:00"}'].join("\n");
const real = window.fetch;
window.replies = [];
window.fetch = (src, how) => /^\/slow/.test(src) ? new Promise((reply) => window.replies.push(() => { let pen; reply(new Response(new ReadableStream({start: (p) => { pen = p; }}))); const bytes = new TextEncoder(); return {write: (text) => pen.enqueue(bytes.encode(text)), end: () => pen.close()}; })) : real(src, how);
window.steps = steps;
for (const n of [1, 2]) { const one = document.createElement("wits-thread"); one.id = `slow${n}`; document.querySelector("main").prepend(one); one.setAttribute("src", `/slow${n}`); }
"#;

#[test]
fn a_thread_says_how_far_it_is_and_is_drawn_before_the_others_are_there() {
    journey(|driver, base| async move {
        let page = driver.browser(1280, false).await;
        page.open(&format!("{base}/transit/search")).await;
        page.until("document.querySelectorAll('wits-thread .thread-player').length === 4")
            .await;
        page.run(SLOW).await;
        page.until("/awaited: [1-9]/.test(document.querySelector('#slow1').textContent)")
            .await;
        page.run("window.pen = window.replies[0](); window.pen.write(window.steps.slice(0, 100) + ' '.repeat(3000));")
            .await;
        page.until("/3 kB so far/.test(document.querySelector('#slow1').textContent)")
            .await;
        page.run("window.pen.write(window.steps.slice(100)); window.pen.end();")
            .await;
        page.until("document.querySelector('#slow1 .thread-player')")
            .await;
        // The other one is still awaited, and says so.
        page.until("/awaited: [2-9]/.test(document.querySelector('#slow2').textContent)")
            .await;
        page.client.close().await.unwrap();
    });
}
