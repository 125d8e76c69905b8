//! The house in Polish and Czech.

use wits_game::Lang;
use wits_web::WORDS;

use crate::driver::Page;
use crate::journeys::journey;

/// English texts of the book that a page still shows: whole texts, and long ones also inside others.
/// Texts that a language has in common with English are no trace.
async fn english_left(page: &Page, lang: Lang) -> Vec<String> {
    // Names that are typed into specs are the same in every language.
    let script = "const names = new Set([...document.querySelectorAll('option, input')].flatMap(e => [e.value, ...e.name?.split('.') ?? []]));
        const told = ['aria-label', 'title', 'placeholder'];
        const read = (node) => node.nodeType === 3 ? [node.data] : node.nodeName === 'SCRIPT' ? []
            : told.map(name => node.getAttribute?.(name) ?? '').concat(...[...node.childNodes].map(read));
        return read(document.documentElement).map(t => t.trim()).filter(t => t && !names.has(t))";
    let texts = page.run(script).await;
    let texts: Vec<&str> = texts
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|t| t.as_str())
        .collect();
    let mut left = Vec::new();
    for key in WORDS.keys() {
        let english = WORDS.text(Lang::En, key).unwrap();
        if english.contains('{') || Some(english) == WORDS.text(lang, key) {
            continue;
        }
        let long = english.len() > 12;
        // The same word may be the right one elsewhere in the other language.
        let right = WORDS
            .keys()
            .iter()
            .any(|k| WORDS.text(lang, k) == Some(english));
        let shown = texts
            .iter()
            .any(|t| *t == english || (long && t.contains(english)));
        if shown && !right {
            left.push(format!("{key}: {english}"));
        }
    }
    left
}

/// Plays the first square that can be clicked until nothing can be played any more.
async fn play_to_the_end(page: &Page) {
    let over = "document.querySelector('#status.over')";
    loop {
        page.until(&format!(
            "document.querySelector('wits-board .playable') || {over}"
        ))
        .await;
        if page.run(&format!("return Boolean({over})")).await == true {
            return;
        }
        let moves = "document.querySelectorAll('#moves li').length";
        let before = page.run(&format!("return {moves}")).await;
        page.click("wits-board .playable").await;
        // A pawn is chosen first, then its goal; what can be played then changes.
        page.until(&format!(
            "{moves} > {before} || document.querySelector('wits-board .picked') || {over}"
        ))
        .await;
        if page
            .run("return Boolean(document.querySelector('wits-board .picked'))")
            .await
            == true
        {
            page.click("wits-board .playable").await;
            page.until(&format!("{moves} > {before} || {over}")).await;
        }
    }
}

/// One reader's way: the first page, a game of Hexapawn to its end, its thread, a page of faults.
async fn read_and_play(page: &Page, base: &str, lang: Lang) {
    page.open(base).await;
    page.until(&format!(
        "document.documentElement.lang === '{}'",
        lang.code()
    ))
    .await;
    let nothing: Vec<String> = Vec::new();
    assert_eq!(english_left(page, lang).await, nothing, "on the first page");
    page.accessible("the first page").await;
    page.picture(&format!("home-{}", lang.code())).await;

    page.open(&format!("{base}/new/hexapawn")).await;
    assert_eq!(english_left(page, lang).await, nothing, "on the sheet");
    page.accessible("the sheet").await;
    page.click("form.new-game .begin button").await;
    page.find("wits-board svg").await;
    page.until("document.querySelector('#status').textContent !== ''")
        .await;
    assert_eq!(
        english_left(page, lang).await,
        nothing,
        "as the game begins"
    );
    play_to_the_end(page).await;
    let status = page.text("#status").await;
    let ends = ["you-won", "you-lost"].map(|key| WORDS.text(lang, key).unwrap());
    assert!(ends.contains(&status.as_str()), "{status}");
    page.run("document.querySelector('#moves [data-ply]').click()")
        .await;
    page.until("document.querySelector('wits-thread .sentence')?.textContent")
        .await;
    assert_eq!(
        english_left(page, lang).await,
        nothing,
        "as the game is over"
    );
    page.accessible("a finished game").await;
    page.picture(&format!("game-{}", lang.code())).await;

    page.open(&format!("{base}/nothing")).await;
    let missing = WORDS.say("missing").to(lang);
    assert!(page.text(".error").await.eq_ignore_ascii_case(&missing));
    page.accessible("a fault").await;
}

#[test]
fn a_polish_browser_gets_polish_and_plays_a_game_in_it() {
    journey(|driver, base| async move {
        let page = driver.browser_for(1100, false, "pl").await;
        read_and_play(&page, &base, Lang::Pl).await;
        page.client.close().await.unwrap();
    });
}

#[test]
fn the_switch_changes_the_language_and_keeps_it() {
    journey(|driver, base| async move {
        let page = driver.phone(false).await;
        page.open(&format!("{base}/threads")).await;
        page.until("document.documentElement.lang === 'en'").await;
        page.click(".languages button[value=cs]").await;
        page.until("document.documentElement.lang === 'cs'").await;
        page.until("location.pathname === '/threads'").await;
        page.picture("threads-cs-narrow").await;
        read_and_play(&page, &base, Lang::Cs).await;
        page.click(".languages button[value=en]").await;
        page.until("document.documentElement.lang === 'en'").await;
        page.client.close().await.unwrap();
    });
}
