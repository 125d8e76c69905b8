//! What people said of a game's page before it spoke to them: names and sentences of machines, matches of two rounds,
//! games played alone, games found again, boxes beside the board, sound, numbers as a language writes them.

use serde_json::json;

use crate::faces::begin;
use crate::journeys::journey;

#[test]
fn two_rounds_are_a_match_in_one_sitting() {
    journey(|driver, base| async move {
        let page = driver.screen(1366, 768).await;
        begin(&page, &base, "thue:symbols=2", ["nested:level=1", "human"]).await;
        // The symbol that stands there already: a repetition at once.
        page.click(".targets [data-move='0']").await;
        page.until("document.querySelector('#status.over')").await;
        assert_eq!(page.text("#status").await, "Round one is over");
        page.accessible("the end of a round").await;
        page.click(".second-round button").await;
        page.until("/You/.test(document.querySelector('#clocks li')?.textContent ?? '')")
            .await;
        // With two symbols no word of four letters is without a square.
        loop {
            page.until("document.querySelector('#status.over') || document.querySelector('wits-board .playable')").await;
            if page
                .run("return document.querySelector('#status.over') !== null")
                .await
                == true
            {
                break;
            }
            let made = page
                .run("return document.querySelectorAll('#moves li').length")
                .await;
            page.click("wits-board .playable").await;
            page.until(&format!("document.querySelectorAll('#moves li').length > {made} || document.querySelector('#status.over')")).await;
        }
        // The machine painted longer than the person, and that is said of the whole match.
        let said = page.text("#status").await;
        assert!(said.starts_with("You lost 0–"), "{said}");
        let next = "return [...document.querySelectorAll('#after button')].filter(e => e.offsetParent).map(e => e.textContent)";
        let next = page.run(next).await;
        assert!(!next.to_string().contains("Second round"), "{next}");
        page.picture("match-of-two-rounds").await;
        page.client.close().await.unwrap();
    });
}

#[test]
fn whoever_plays_alone_is_told_how_far_they_came() {
    journey(|driver, base| async move {
        let page = driver.screen(390, 844).await;
        begin(&page, &base, "thue-solitaire", ["human"]).await;
        // A gap, then the symbol that stands beside it.
        page.click("wits-board .playable").await;
        page.click(".choices [data-move], .targets [data-move]")
            .await;
        page.until("document.querySelector('#status.over')").await;
        let said = page.text("#status").await;
        assert_eq!(said, "The game is over");
        page.client.close().await.unwrap();
    });
}

#[test]
fn a_machine_goes_by_a_name_and_a_sentence_of_its_level() {
    journey(|driver, base| async move {
        let page = driver.screen(1366, 768).await;
        begin(
            &page,
            &base,
            "othello",
            ["human", "engine:level=2,book=false"],
        )
        .await;
        let seat = page.text("#clocks li:nth-child(2)").await;
        assert!(seat.contains("Othello engine, level 2"), "{seat}");
        assert!(
            seat.contains("3 moves ahead") && seat.contains("careless"),
            "{seat}"
        );
        // A thread calls the machine the same, its spec is a fold away.
        page.open(&format!("{base}/threads/othello-engine")).await;
        let title = page.text(".thread-title").await;
        assert!(title.contains("Othello engine, level 10"), "{title}");
        assert!(!title.contains('='), "{title}");
        assert!(
            page.run("return document.querySelector('.thread-spec code').textContent")
                .await
                .as_str()
                .unwrap()
                .contains("level=10")
        );
        page.client.close().await.unwrap();
    });
}

#[test]
fn every_card_says_how_strong_its_machine_is_or_why_nobody_knows() {
    journey(|driver, base| async move {
        let page = driver.browser(1366, false).await;
        for game in [
            "othello",
            "hexapawn",
            "tictactoe",
            "scrabble",
            "thue",
            "thue-append",
            "thue-erase",
            "rainbow",
            "chomp",
        ] {
            page.open(&format!("{base}/new/{game}")).await;
            let cards = page.run("return [...document.querySelectorAll('.opponent')].filter(e => e.querySelector('input[name=opponent]').value !== 'human').map(e => [e.querySelector('input[name=opponent]').value, e.querySelector('.badge')?.textContent ?? '', e.querySelector('.opponent-words').textContent])").await;
            let cards: Vec<[String; 3]> = serde_json::from_value(cards).unwrap();
            assert!(cards.len() > 3, "{game}: {cards:?}");
            for [machine, strength, words] in &cards {
                assert!(!strength.is_empty(), "{machine} in {game}");
                assert!(
                    !words.contains('`') && !words.contains("Shannon"),
                    "{words}"
                );
            }
            let of = |id: &str| cards.iter().find(|card| card[0] == id).unwrap()[1].clone();
            assert_eq!(of("random"), "strength 500", "{game}");
        }
        // Levels are chosen by what they do.
        page.open(&format!("{base}/new/rainbow")).await;
        let third = "return document.querySelector('[name=\"opponent.hint.level\"] option:nth-child(4)').textContent";
        let third = page.run(third).await;
        let does = "3: spoils the progression nearest";
        assert!(third.as_str().unwrap().starts_with(does), "{third}");
        page.client.close().await.unwrap();
    });
}

#[test]
fn numbers_are_written_as_the_language_writes_them() {
    journey(|driver, base| async move {
        let page = driver.browser(1366, false).await;
        page.open(&base).await;
        page.until("/[0-9][.][0-9] disc/.test(document.querySelector('#hero-says').textContent)")
            .await;
        for (lang, words) in [("pl", "krąż"), ("cs", "kamen")] {
            page.open(&base).await;
            page.click(&format!(".languages button[value={lang}]"))
                .await;
            page.until(&format!("document.documentElement.lang === '{lang}'"))
                .await;
            page.until(&format!(
                "/[0-9],[0-9]/.test(document.querySelector('#hero-says').textContent) && document.querySelector('#hero-says').textContent.includes('{words}')"
            ))
            .await;
        }
        page.client.close().await.unwrap();
    });
}

#[test]
fn games_are_found_again_filtered_replayed_and_deleted() {
    journey(|driver, base| async move {
        let page = driver.browser(1366, false).await;
        begin(&page, &base, "tictactoe", ["human", "perfect"]).await;
        page.until("document.querySelector('wits-board .playable')")
            .await;
        page.type_move("a1").await;
        page.until("document.querySelectorAll('#moves li').length >= 2")
            .await;
        page.run("return fetch(document.querySelector('main.game').dataset.base + '/resign', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: '{}'}).then(r => r.status)").await;
        begin(&page, &base, "hexapawn", ["human", "perfect"]).await;
        let shown = "return [...document.querySelectorAll('.games li b')].map(b => b.textContent)";
        for (query, titles) in [
            ("", json!(["Hexapawn", "Tic-tac-toe"])),
            ("?state=running", json!(["Hexapawn"])),
            ("?state=finished", json!(["Tic-tac-toe"])),
            ("?game=tictactoe", json!(["Tic-tac-toe"])),
        ] {
            page.open(&format!("{base}/games{query}")).await;
            page.find(".games li").await;
            assert_eq!(page.run(shown).await, titles, "{query}");
        }
        assert_ne!(
            page.run("return document.querySelector('.games a[href$=\"/record\"]')")
                .await,
            json!(null)
        );
        // Replayed by keys.
        page.click(".games .row a").await;
        page.until("document.querySelector('#status.over')").await;
        page.run("document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'Home', bubbles: true}))").await;
        page.until("document.querySelector('main.away') && document.querySelectorAll('wits-board .token').length === 0").await;
        page.run("document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true}))").await;
        page.until("document.querySelectorAll('wits-board .token').length === 1")
            .await;
        page.open(&format!("{base}/games?state=finished")).await;
        page.click(".games form[action$='/delete'] button").await;
        page.until(
            "location.pathname === '/games' && document.querySelectorAll('.games li').length === 1",
        )
        .await;
        page.client.close().await.unwrap();
    });
}

#[test]
fn sound_is_there_and_off() {
    journey(|driver, base| async move {
        let page = driver.browser(1366, false).await;
        begin(&page, &base, "tictactoe", ["human", "perfect"]).await;
        let pressed = "return [...document.querySelectorAll('[aria-pressed]')].find(b => b.textContent === 'Sound')?.ariaPressed";
        assert_eq!(page.run(pressed).await, "false");
        page.run("document.querySelector('.more-deeds').open = true; [...document.querySelectorAll('[aria-pressed]')].find(b => b.textContent === 'Sound').click()").await;
        assert_eq!(page.run(pressed).await, "true");
        page.client.close().await.unwrap();
    });
}
