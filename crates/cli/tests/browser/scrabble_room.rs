//! Scrabble: tiles laid by tapping, typing and dragging, refusals, positions and games looked at, and a table of four that
//! survives a killed server.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use wits_play::Shelf;
use wits_scrabble::files::cgp::Position;
use wits_scrabble::files::gcg::{self, Act, Sheet};
use wits_scrabble::players::Step;
use wits_scrabble::{Board, Play, Standing, TileSet, Values, house, shown};

use crate::common::Server;
use crate::driver::{Driver, Page};
use crate::journeys::journey;

/// What the page's own seat sees.
async fn room(page: &Page) -> Value {
    let script =
        "return fetch(document.querySelector('main').dataset.base + '/state').then(r => r.json())";
    page.run(script).await["room"].clone()
}

/// The best play that the seat could make, found by the library from what the page shows.
fn best(room: &Value, lexicon: &str) -> Option<Play> {
    let engine = house::engine(lexicon, &Shelf::new()).unwrap();
    let tiles = engine.tiles();
    let byte = |face: &str| {
        let read = tiles.read_placed(face).unwrap();
        read[0].unwrap().byte()
    };
    let mut board = Board::default();
    for (square, tile) in room["board"].as_array().unwrap().iter().enumerate() {
        if let Some(face) = tile[0].as_str() {
            let blank = tile[2] == true;
            let face = if blank {
                face.to_lowercase()
            } else {
                face.to_owned()
            };
            board.put(square, byte(&face));
        }
    }
    let rack: String = room["rack"]
        .as_array()?
        .iter()
        .map(|f| f.as_str().unwrap())
        .collect();
    let mut rack: Vec<u8> = tiles
        .read_rack(&rack)
        .unwrap()
        .iter()
        .map(|t| t.byte())
        .collect();
    rack.sort_unstable();
    let seats = room["scores"].as_array().unwrap().len().max(2);
    let mut racks = vec![Vec::new(); seats];
    racks[0] = rack;
    let position = Position {
        board,
        racks,
        scores: vec![0; seats],
        quiet: 0,
        lexicon: None,
    };
    let rated = Standing::new(engine, position).rated(usize::MAX);
    rated.iter().find_map(|r| match r.step {
        Step::Lay(play, _) => Some(play),
        _ => None,
    })
}

/// What a play lays: squares, the faces in the hand, and what a blank stands for.
fn laid(play: &Play, tiles: &TileSet) -> Vec<(usize, String, Option<String>)> {
    play.laid()
        .map(|(square, byte)| {
            let letter = tiles
                .write_tile(wits_scrabble::tile(shown(byte)))
                .to_owned();
            if byte == shown(byte) {
                (square, letter, None)
            } else {
                (square, "?".to_owned(), Some(letter))
            }
        })
        .collect()
}

/// Lays a play tile by tile: a tap on the tile, a tap on the square.
async fn tap(page: &Page, play: &Play, tiles: &TileSet) {
    for (square, face, stands) in laid(play, tiles) {
        let pick = format!(
            "[...document.querySelectorAll('#rack [data-tile]')].find(t => (t.querySelector('b').textContent.trim() || '?') === '{face}')"
        );
        page.run(&format!("{pick}.click()")).await;
        page.run(&format!(
            "document.querySelector('[data-square=\"{square}\"]').click()"
        ))
        .await;
        if let Some(letter) = stands {
            page.click(&format!("#blank [data-face='{letter}']")).await;
        }
        page.until(&format!(
            "document.querySelector('[data-square=\"{square}\"] .scr-tile.own')"
        ))
        .await;
    }
}

/// One turn of a person: the best play by tapping, an exchange or a pass where there is none.
async fn turn(page: &Page) {
    let room = room(page).await;
    let tiles = TileSet::english();
    let before = room["sheet"].as_array().unwrap().len();
    if let Some(play) = best(&room, "english").filter(|_| room["can"]["lay"] == true) {
        tap(page, &play, &tiles).await;
        page.until("/points/.test(document.querySelector('#preview').textContent)")
            .await;
        page.click("#send").await;
    } else {
        page.click("#pass").await;
    }
    page.until(&format!(
        "document.querySelectorAll('#sheet tr').length > {before}"
    ))
    .await;
}

/// Whether it is the turn of the page's own seat.
const MY_TURN: &str = "return !document.querySelector('#pass').disabled && !document.querySelector('.scr-tools').hidden";

async fn over(page: &Page) -> bool {
    page.run("return !document.querySelector('#after').hidden")
        .await
        == true
}

/// Puts up a table with a seed, so that every run is the same.
async fn begin(page: &Page, base: &str, fields: &str) {
    page.open(&format!("{base}/scrabble")).await;
    page.find("#first button").await;
    let to = page
        .run(&format!(
            "return fetch('/scrabble/new', {{method: 'POST', headers: {{Accept: 'application/json'}}, body: new URLSearchParams('{fields}')}}).then(r => r.json()).then(v => v.page)"
        ))
        .await;
    page.open(&format!("{base}{}", to.as_str().unwrap())).await;
    page.until("document.querySelector('.scr-grid')").await;
}

#[test]
fn a_first_word_by_one_click_and_a_few_keys() {
    journey(|driver, base| async move {
        let page = driver.browser(1200, false).await;
        page.open(&base).await;
        page.click("a[href='/scrabble']").await;
        page.find("#first button").await;
        page.accessible("the Scrabble room").await;
        page.picture("scrabble-room").await;
        page.click("#first button[lang=en]").await;
        page.until("document.querySelectorAll('#rack [data-tile]').length === 7")
            .await;
        page.accessible("a fresh table").await;
        page.picture("scrabble-fresh").await;
        begin(
            &page,
            &base,
            "lexicon=english&seat.1=human&seat.2=level:level=2&seed=5",
        )
        .await;
        page.until("document.querySelectorAll('#rack [data-tile]').length === 7")
            .await;
        let state = room(&page).await;
        let tiles = TileSet::english();
        let play = best(&state, "english").unwrap();
        // Typed: the cursor on the first square, Space for the way, letters, and Backspace once.
        let (first, _, _) = laid(&play, &tiles)[0].clone();
        let cell = format!("[data-square='{first}']");
        page.run(&format!("document.querySelector(\"{cell}\").focus()"))
            .await;
        page.run(&format!(
            "document.querySelector('scrabble-board').go({first})"
        ))
        .await;
        let word: String = laid(&play, &tiles)
            .into_iter()
            .map(|(_, face, stands)| stands.unwrap_or(face))
            .collect();
        for key in word.to_lowercase().chars() {
            page.client
                .active_element()
                .await
                .unwrap()
                .send_keys(&key.to_string())
                .await
                .unwrap();
        }
        page.until(&format!(
            "document.querySelectorAll('.scr-tile.own').length === {}",
            play.count()
        ))
        .await;
        page.until("document.querySelector('#preview.fine')").await;
        let score = play.score(&Board::default(), &Values::new(&tiles), 7, 50);
        assert!(
            page.text("#preview")
                .await
                .starts_with(&format!("{score} points: ")),
            "{}",
            page.text("#preview").await
        );
        page.picture("scrabble-placed").await;
        let focused = page.client.active_element().await.unwrap();
        focused.send_keys("\u{e003}").await.unwrap();
        page.until(&format!(
            "document.querySelectorAll('.scr-tile.own').length === {}",
            play.count() - 1
        ))
        .await;
        page.click("#recall").await;
        page.until("document.querySelectorAll('.scr-tile.own').length === 0")
            .await;
        page.click("#shuffle").await;
        page.until("document.querySelectorAll('#rack [data-tile]').length === 7")
            .await;
        // Dragged: the first tile to the centre and back.
        drag(&page, "#rack [data-tile]", "[data-square='112']").await;
        page.until("document.querySelector('[data-square=\"112\"] .scr-tile.own') || document.querySelector('#blank').open")
            .await;
        page.run("document.querySelector('#blank').open && document.querySelector('#blank [data-face]').click()").await;
        page.until("document.querySelector('[data-square=\"112\"] .scr-tile.own')")
            .await;
        drag(&page, "[data-square='112'] .scr-tile", "#rack").await;
        page.until("document.querySelectorAll('#rack [data-tile]').length === 7")
            .await;
        turn(&page).await;
        page.until("document.querySelectorAll('#sheet tr').length === 2 && !document.querySelector('#pass').disabled")
            .await;
        // Study: alone among machines there is help.
        page.run("const o = document.querySelector('#overlay'); o.value = 'across'; o.dispatchEvent(new Event('change'))").await;
        page.until("document.querySelectorAll('.scr-anchor').length > 3 && document.querySelectorAll('.scr-fit').length > 3")
            .await;
        page.click("#think").await;
        page.until("document.querySelectorAll('#race .candidate').length > 3 && /draws/.test(document.querySelector('#race-note').textContent)")
            .await;
        page.accessible("a table with help").await;
        page.picture("scrabble-help").await;
        page.client.close().await.unwrap();
    });
}

/// Presses on one thing, moves, and lets go over another.
async fn drag(page: &Page, from: &str, to: &str) {
    let script = format!(
        "const [a, b] = [{from:?}, {to:?}].map(q => document.querySelector(q)); \
         const mid = (e) => {{ const r = e.getBoundingClientRect(); return {{clientX: r.x + r.width / 2, clientY: r.y + r.height / 2}}; }}; \
         b.scrollIntoView({{block: 'center'}}); \
         const fire = (on, type, at) => on.dispatchEvent(new PointerEvent(type, {{bubbles: true, cancelable: true, pointerId: 7, button: 0, ...at}})); \
         fire(a, 'pointerdown', mid(a)); fire(document, 'pointermove', mid(b)); fire(document, 'pointermove', mid(b)); fire(document, 'pointerup', mid(b));"
    );
    page.run(&script).await;
    std::thread::sleep(std::time::Duration::from_millis(100));
}

#[test]
fn what_is_refused_is_lit_and_nothing_is_lost() {
    journey(|driver, base| async move {
        let page = driver.phone(true).await;
        begin(
            &page,
            &base,
            "lexicon=english&seat.1=human&seat.2=level:level=1&seed=5",
        )
        .await;
        page.until("document.querySelectorAll('#rack [data-tile]').length === 7")
            .await;
        page.fits("the page").await;
        let state = room(&page).await;
        let engine = house::engine("english", &Shelf::new()).unwrap();
        let tiles = engine.tiles();
        let faces: Vec<&str> = state["rack"]
            .as_array()
            .unwrap()
            .iter()
            .map(|f| f.as_str().unwrap())
            .filter(|f| *f != "?")
            .collect();
        let (a, b) = faces
            .iter()
            .flat_map(|a| faces.iter().map(move |b| (*a, *b)))
            .find(|(a, b)| {
                a != b && {
                    let word = tiles.read_word(&format!("{a}{b}")).unwrap();
                    !engine.lexicon().contains(&word)
                }
            })
            .unwrap();
        let put = |face: &str, square: usize| {
            format!(
                "[...document.querySelectorAll('#rack [data-tile]')].find(t => t.querySelector('b').textContent === '{face}').click(); document.querySelector('[data-square=\"{square}\"]').click()"
            )
        };
        // Off the centre: a rule, by name.
        page.run(&put(a, 0)).await;
        page.run(&put(b, 1)).await;
        page.until("/centre/.test(document.querySelector('#preview.refused.rule').textContent)")
            .await;
        page.click("#send").await;
        page.until("/centre/.test(document.querySelector('#message').textContent)")
            .await;
        page.click("#recall").await;
        // On the centre: no such word, and the tiles are lit.
        page.run(&put(a, 112)).await;
        page.run(&put(b, 113)).await;
        page.until("document.querySelectorAll('.scr-tile.bad').length === 2")
            .await;
        page.click("#send").await;
        page.until("/not in the lexicon/.test(document.querySelector('#message').textContent)")
            .await;
        page.accessible("a refused word on a phone in the dark")
            .await;
        page.picture("scrabble-refused-phone").await;
        assert_eq!(
            page.run("return document.querySelectorAll('.scr-tile.own').length")
                .await,
            2,
            "the tiles stay where they are"
        );
        // An exchange of two tiles: back to the bag, and the other side moves.
        page.click("#recall").await;
        page.click("#exchange").await;
        page.run("for (const t of [...document.querySelectorAll('#rack [data-tile]')].slice(0, 2).map(t => t.dataset.tile)) document.querySelector(`#rack [data-tile=\"${t}\"]`).click()").await;
        page.until("document.querySelectorAll('#rack [aria-pressed=true]').length === 2")
            .await;
        page.click("#exchange").await;
        page.until("/exchange/.test(document.querySelector('#sheet').textContent)")
            .await;
        page.click("#zoom").await;
        page.fits("the page").await;
        page.client.close().await.unwrap();
    });
}

#[test]
fn saved_players_sit_at_a_polish_table() {
    journey(|driver, base| async move {
        let page = driver.browser(1000, false).await;
        page.open(&format!("{base}/scrabble")).await;
        for (name, player) in [("Ola", "human"), ("Robot Zenek", "level:level=1")] {
            page.find("#profile-name")
                .await
                .send_keys(name)
                .await
                .unwrap();
            page.run(&format!(
                "document.querySelector('#profile-player').value = '{player}'"
            ))
            .await;
            page.click("#players > form button").await;
            page.until(&format!(
                "document.querySelector('#players')?.textContent.includes('{name}')"
            ))
            .await;
        }
        page.accessible("saved players").await;
        page.run("document.querySelector('#own-lexicon').value = 'polish'; document.getElementById('seat.1').value = 'profile:0'; document.getElementById('seat.2').value = 'profile:1'; document.querySelector('#start-rule').value = 'seat'").await;
        page.click("#own button[type=submit]").await;
        page.until("document.querySelectorAll('#rack [data-tile]').length === 7")
            .await;
        assert!(page.text("#clocks").await.contains("Ola"));
        assert!(page.text("#clocks").await.contains("Robot Zenek"));
        let label = page
            .run("return document.querySelector('[data-square=\"0\"]').getAttribute('aria-label') + document.querySelector('[data-square=\"0\"] .scr-premium').dataset.shown")
            .await;
        assert!(
            label.as_str().unwrap().contains("potrójna premia słowna3S"),
            "{label}"
        );
        assert!(page.text("#unseen").await.contains('Ź'));
        page.picture("scrabble-polish").await;
        page.client.close().await.unwrap();
    });
}

#[test]
fn a_position_and_a_game_are_looked_at() {
    journey(|driver, base| async move {
        let page = driver.browser(1200, false).await;
        page.open(&format!("{base}/scrabble")).await;
        page.click("#position button").await;
        page.until("document.querySelectorAll('#plays tr').length > 5")
            .await;
        page.click("#plays .scr-play").await;
        page.until("document.querySelectorAll('.scr-tile.own').length === 7")
            .await;
        page.accessible("a position").await;
        page.picture("scrabble-position").await;
        page.open(&format!("{base}/scrabble")).await;
        page.click("#games button").await;
        page.until("document.querySelectorAll('.scr-turns tbody tr').length > 20")
            .await;
        page.until("document.querySelector('#summary a')").await;
        page.click("#summary a").await;
        page.until(
            "/turn=/.test(location.search) && document.querySelector('.scr-turns tr.current')",
        )
        .await;
        page.run("const o = document.querySelector('#overlay'); o.value = 'down'; o.dispatchEvent(new Event('change'))").await;
        page.until("document.querySelectorAll('.scr-fit').length > 3")
            .await;
        page.click("#think").await;
        page.until("document.querySelector('#race .candidate.cut') || /best after/.test(document.querySelector('#race-note').textContent)")
            .await;
        page.accessible("a game looked at").await;
        page.picture("scrabble-game-judged").await;
        page.open(&format!("{base}/scrabble")).await;
        page.run("document.querySelector('#gcg').value = '#player1 a A\\n>a: ABC 8Z CAB +14 14'")
            .await;
        page.click("#games button").await;
        page.until("/line 2, column/.test(document.querySelector('#games .error')?.textContent)")
            .await;
        page.open(&format!(
            "{base}/scrabble?words=qi,qqq,żółw&lexicon=english"
        ))
        .await;
        let found = page.text(".scr-found").await;
        assert!(
            found.contains("qi ✓") && found.contains("qqq ✗") && found.contains("does not know"),
            "{found}"
        );
        page.client.close().await.unwrap();
    });
}

/// Reads an exported sheet with another engine, which finds every play and its points for itself.
fn peer_agrees(text: &str, sheet: &Sheet, tiles: &TileSet) {
    use scrabble::formats::gcg::{Gcg, GcgEvent};
    // Of points lost for tiles that are left it knows the short form only, without the rack before it.
    let short = |line: &str| match line.split_once(": ") {
        Some((who, rest)) if rest.split(' ').nth(1).is_some_and(|p| p.starts_with('(')) => {
            let (_, lost) = rest.split_once(' ').unwrap();
            format!("{who}: {lost}\n")
        }
        _ => format!("{line}\n"),
    };
    let read = Gcg::parse(&text.lines().map(short).collect::<String>()).unwrap();
    assert_eq!(read.players.len(), sheet.players.len(), "{text}");
    assert_eq!(read.events.len(), sheet.turns.len(), "{text}");
    let mut words = BTreeSet::new();
    for (number, turn) in sheet.turns.iter().enumerate() {
        if let Act::Play(play) = &turn.act {
            let made = play.words(&sheet.board(number));
            words.extend(made.iter().map(|w| tiles.write_word(&w.letters)));
        }
    }
    let config = scrabble::rules::GameConfig::standard();
    let lexicon =
        scrabble::lexicon::Lexicon::from_words(&config.alphabet, words.iter().map(String::as_str))
            .unwrap();
    let mut generator = scrabble::movegen::MoveGenerator::new(&config);
    let mut board = scrabble::board::Board::new(&config.layout);
    let mut plays = 0;
    for event in &read.events {
        let GcgEvent::Move {
            rack,
            coord,
            dir,
            word,
            score,
            ..
        } = event
        else {
            continue;
        };
        let across = matches!(dir, scrabble::board::Direction::Horizontal);
        let wanted: BTreeSet<(usize, u8, bool)> = word
            .chars()
            .enumerate()
            .filter(|(_, c)| *c != '.')
            .map(|(at, c)| {
                let (row, column) = if across {
                    (coord.row, coord.col + at)
                } else {
                    (coord.row + at, coord.col)
                };
                let letter = c.to_ascii_uppercase() as u8 - b'A';
                (row * 15 + column, letter, c.is_ascii_lowercase())
            })
            .collect();
        let rack = scrabble::rack::Rack::parse(&config.alphabet, rack).unwrap();
        // On an empty board the peer gives only plays across; down is the same, turned.
        let turned: BTreeSet<(usize, u8, bool)> = wanted
            .iter()
            .map(|&(s, letter, blank)| (s % 15 * 15 + s / 15, letter, blank))
            .collect();
        let empty = board.is_empty();
        let found = generator
            .generate(&board, &rack, &lexicon)
            .iter()
            .find(|play| {
                let laid: BTreeSet<(usize, u8, bool)> = play
                    .placements()
                    .map(|(at, t)| (at.row * 15 + at.col, t.index_unchecked(), t.is_blank()))
                    .collect();
                laid == wanted || (empty && laid == turned)
            });
        let found = found.unwrap_or_else(|| panic!("the peer finds {word} at {coord:?}\n{text}"));
        assert_eq!(found.score(), *score, "{word}\n{text}");
        for &(square, letter, blank) in &wanted {
            let tile = if blank {
                scrabble::tile::Square::blank_letter(letter)
            } else {
                scrabble::tile::Square::letter(letter)
            };
            board.set(square / 15, square % 15, tile);
        }
        plays += 1;
    }
    assert!(plays > 8, "{text}");
}

#[test]
fn two_people_and_two_machines_survive_a_killed_server() {
    let Some(driver) = Driver::start() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    crate::driver::walk(async move {
        let server = Server::start(folder.path(), &[]);
        let base = format!("http://{}", server.address);
        let (ann, bo) = (driver.browser(1100, false).await, driver.phone(false).await);
        begin(&ann, &base, "lexicon=english&seat.1=human&seat.2=level:level=4&seat.3=human&seat.4=greedy&start=draw&seed=3").await;
        let path = ann.run("return location.pathname").await;
        let path = path.as_str().unwrap().to_owned();
        bo.open(&format!("{base}{path}")).await;
        // Who has no seat sees no rack.
        bo.until("document.querySelector('form.sit button')").await;
        assert_eq!(room(&bo).await["rack"], json!(null));
        bo.click("form.sit button").await;
        bo.until("document.querySelectorAll('#rack [data-tile]').length === 7")
            .await;
        for page in [&ann, &bo] {
            let seen = room(page).await;
            assert!(
                seen["racks"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .all(|r| r["tiles"].is_null())
            );
            let unseen: u64 = seen["unseen"]
                .as_array()
                .unwrap()
                .iter()
                .map(|u| u[1].as_u64().unwrap())
                .sum();
            let board = seen["board"]
                .as_array()
                .unwrap()
                .iter()
                .filter(|t| !t.is_null())
                .count() as u64;
            assert_eq!(
                unseen,
                100 - 7 - board,
                "everything but the board and the own tiles"
            );
            assert_eq!(seen["can"]["help"], false, "no help among people");
            let refused = page.run("return fetch(document.querySelector('main').dataset.room + '/gcg').then(r => r.status)").await;
            assert_eq!(refused, 403);
        }
        let mut turns = 0;
        let mut server = Some(server);
        let mut idle = 0;
        loop {
            let mut moved = false;
            for page in [&ann, &bo] {
                if page.run(MY_TURN).await != true || over(page).await {
                    continue;
                }
                turn(page).await;
                (moved, turns) = (true, turns + 1);
                if turns == 4 {
                    let sheet = room(&ann).await["sheet"].clone();
                    server.take().unwrap().kill();
                    let again = Server::start(folder.path(), &[]);
                    let base = format!("http://{}", again.address);
                    server = Some(again);
                    ann.open(&format!("{base}{path}")).await;
                    bo.open(&format!("{base}{path}")).await;
                    ann.until("document.querySelectorAll('#sheet tr').length > 0")
                        .await;
                    let now = room(&ann).await["sheet"].clone();
                    let (old, new) = (sheet.as_array().unwrap(), now.as_array().unwrap());
                    assert_eq!(&new[..old.len()], &old[..], "nothing is lost");
                }
            }
            if over(&ann).await {
                break;
            }
            idle = if moved { 0 } else { idle + 1 };
            assert!(idle < 600, "somebody moves: {}", ann.text("main").await);
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        assert!(turns > 6, "{turns}");
        ann.until("!document.querySelector('#after').hidden").await;
        ann.accessible("a finished table of four").await;
        ann.picture("scrabble-four").await;
        bo.picture("scrabble-four-phone").await;
        let text = ann.run("return fetch(document.querySelector('main').dataset.room + '/gcg').then(r => r.text())").await;
        let text = text.as_str().unwrap().to_owned();
        let tiles = TileSet::english();
        let sheet = gcg::read(&text, &tiles).unwrap();
        assert_eq!(sheet.players.len(), 4, "{text}");
        assert_eq!(sheet.slips(&Values::new(&tiles), 50), vec![], "{text}");
        let scores = room(&ann).await["scores"].clone();
        let mut scores: Vec<i64> = serde_json::from_value(scores).unwrap();
        let last = |p: usize| sheet.turns.iter().rev().find(|t| t.player == p).unwrap();
        let mut totals: Vec<i64> = (0..4).map(|p| i64::from(last(p).total)).collect();
        scores.sort_unstable();
        totals.sort_unstable();
        assert_eq!(totals, scores, "{text}");
        peer_agrees(&text, &sheet, &tiles);
        // What was hidden is open now: the analysis, and the machines' threads.
        ann.click("#review").await;
        ann.until("document.querySelectorAll('.scr-turns tbody tr').length > 10")
            .await;
        ann.client.close().await.unwrap();
        bo.client.close().await.unwrap();
        drop(server);
    });
}
