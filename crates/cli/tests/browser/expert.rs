//! Somebody finds out what is wrong, asks why, takes an answer back, and writes a base.

use crate::driver::Page;
use crate::journeys::journey;

/// Waits until the page shows this as its question.
pub(crate) async fn asks(page: &Page, text: &str) {
    page.until(&format!(
        "document.querySelector('#question h1')?.textContent.includes({text:?})"
    ))
    .await;
}

/// Presses a key where no field has the focus.
pub(crate) async fn press(page: &Page, key: &str) {
    let body = page.find("body").await;
    body.send_keys(key).await.unwrap();
}

#[test]
fn a_diagnosis_with_an_undo_and_an_explanation() {
    journey(|driver, base| async move {
        let page = driver.browser(1100, false).await;
        page.open(&base).await;
        page.click("a[href='/expert']").await;
        page.find(".expert-card").await;
        page.accessible("the expert's page").await;
        page.picture("expert").await;
        page.click(".expert-card button").await;
        asks(&page, "What is it about?").await;
        page.accessible("a menu").await;
        // Printing, then a jam, by keys.
        press(&page, "2").await;
        asks(&page, "Which of these").await;
        press(&page, "4").await;
        asks(&page, "at the front").await;
        assert!(page.text(".expert-network figcaption").await.len() > 10);
        press(&page, "w").await;
        page.until("document.querySelector('#why[open] li')").await;
        let why = page.text("#why").await;
        assert!(why.contains("1.00 bits") && why.contains("If yes"), "{why}");
        page.accessible("a question").await;
        page.picture("expert-question").await;
        press(&page, "y").await;
        asks(&page, "Try this").await;
        assert!(page.text(".expert-steps").await.contains("towards you"));
        // No, that was not so: back, and the other answer.
        press(&page, "u").await;
        asks(&page, "at the front").await;
        page.click(".expert-answers button[data-key=n]").await;
        asks(&page, "tray at the back").await;
        press(&page, "d").await;
        asks(&page, "battery fitted").await;
        // Any earlier answer can be changed.
        page.click("#answers li:nth-child(2) button[value=yes]")
            .await;
        asks(&page, "Try this").await;
        assert!(page.text(".expert-steps").await.contains("from the back"));
        // How it was found, the proof, and why nothing else.
        page.click("#how summary").await;
        let how = page.text("#how").await;
        assert!(how.contains("“yes” to: Does a sheet stick out"), "{how}");
        page.click("#proof summary").await;
        page.until("document.querySelectorAll('#proof .expert-proof li').length >= 3")
            .await;
        page.click("#why-not > summary").await;
        page.click("#why-not > details > summary").await;
        let not = page.text("#why-not").await;
        assert!(not.contains("would need the answer yes"), "{not}");
        page.click("#thread summary").await;
        page.until("document.querySelectorAll('.proof .goal').length > 0")
            .await;
        page.click("#thread [aria-label='Last step']").await;
        page.until("/Advice|fix/.test(document.querySelector('.proof-now code').textContent)")
            .await;
        page.until("/=/.test(document.querySelector('.proof-now').textContent)")
            .await;
        page.accessible("advice with everything unfolded").await;
        page.picture("expert-advice").await;
        // The same conversation after a reload; then it helped.
        page.open(&page.client.current_url().await.unwrap()).await;
        asks(&page, "Try this").await;
        page.click(".expert-answers button[data-key=y]").await;
        asks(&page, "That was it").await;
        let report = page
            .client
            .execute_async("const done = arguments[0]; fetch(document.querySelector('a[href$=\"/report\"]').href).then(r => r.text()).then(done)", vec![])
            .await
            .unwrap();
        let report = report.as_str().unwrap();
        assert!(
            report.contains("This helped:\n- Pull the sheet out"),
            "{report}"
        );
        page.client.close().await.unwrap();
    });
}

#[test]
fn symptoms_on_a_phone_in_the_dark() {
    journey(|driver, base| async move {
        let page = driver.phone(true).await;
        page.open(&format!("{base}/expert")).await;
        page.click(".expert-card:nth-child(2) button").await;
        asks(&page, "What is it about?").await;
        page.picture("expert-phone-menu").await;
        press(&page, "s").await;
        page.find(".expert-answers").await;
        let mut asked = 0;
        loop {
            page.until("document.querySelector('.expert-answers, .expert-menu')")
                .await;
            let title = page.text("#question h1").await;
            if title == "Try this" || title.starts_with("Which") {
                break;
            }
            // What was unfolded stays so from one question to the next.
            if asked == 0 {
                page.click("#why summary").await;
            }
            let why = page.text("#why").await;
            assert!(why.contains('%'), "{why}");
            let now = format!("document.querySelector('#question h1').textContent !== {title:?}");
            page.click(".expert-answers button[data-key=n]").await;
            page.until(&now).await;
            asked += 1;
            if asked == 2 {
                page.click("#candidates summary").await;
                page.run("document.querySelector('#candidates').scrollIntoView()")
                    .await;
                page.accessible("candidates on a phone").await;
                page.picture("expert-phone").await;
                page.fits("the page").await;
            }
            assert!(asked < 30, "it never ends");
        }
        assert!(asked >= 2, "{asked} questions");
        page.client.close().await.unwrap();
    });
}

#[test]
fn goals_are_asked_and_answered_in_a_table() {
    journey(|driver, base| async move {
        let page = driver.browser(1100, true).await;
        page.open(&format!("{base}/expert/query")).await;
        page.click(".expert-examples a").await;
        page.until("document.querySelectorAll('.expert-table tbody tr').length >= 18")
            .await;
        page.click(".expert-table details summary").await;
        page.accessible("solutions").await;
        page.picture("expert-query").await;
        let goal = page.find("#goal").await;
        goal.clear().await.unwrap();
        goal.send_keys("clear_jam(How, Steps).").await.unwrap();
        page.click(".expert-ask button").await;
        page.until("/come part of the way/.test(document.querySelector('#question')?.textContent)")
            .await;
        page.click("#question a.button").await;
        page.until("/front/.test(document.querySelector('.expert-table')?.textContent)")
            .await;
        for (goal, text) in [
            ("part_parnt(X, printer).", "part_parent/2"),
            ("foo(", "^"),
            ("part_parent(printer, X).", "does not hold"),
            ("repeat, fail.", "it was still searching"),
        ] {
            let coded: Vec<String> = goal.bytes().map(|b| format!("%{b:02x}")).collect();
            let coded = coded.concat();
            page.open(&format!("{base}/expert/query?goal={coded}"))
                .await;
            let answer = page.text("#answer").await;
            assert!(answer.contains(text), "{goal}: {answer}");
        }
        page.client.close().await.unwrap();
    });
}

#[test]
fn a_base_is_written_checked_and_tried() {
    journey(|driver, base| async move {
        let page = driver.browser(1100, false).await;
        page.open(&format!("{base}/expert/base/new")).await;
        page.until("document.querySelectorAll('.expert-lines li').length > 20")
            .await;
        page.accessible("the editor").await;
        // A slip shows at its line while typing.
        let area = page.find("#text").await;
        page.run("const t = document.querySelector('#text'); t.focus(); t.setSelectionRange(t.value.length, t.value.length)").await;
        area.send_keys("\u{e007}broken( .").await.unwrap();
        page.until("document.querySelector('.expert-findings .wrong [data-goto]')")
            .await;
        page.find(".expert-lines .wrong").await;
        page.picture("expert-editor").await;
        page.accessible("an error at its line").await;
        page.click(".expert-findings [data-goto]").await;
        let line = page.run("const t = document.querySelector('#text'); return t.value.slice(0, t.selectionStart).split('\\n').length").await;
        let marked = page
            .run("return Number(document.querySelector('.expert-lines .wrong').textContent)")
            .await;
        assert_eq!(line, marked);
        page.run("const t = document.querySelector('#text'); t.value = t.value.replace('broken( .', 'sample(\"wrong one\", stuck, [locked-yes], push).'); t.dispatchEvent(new Event('input', {bubbles: true}))").await;
        page.until("document.querySelectorAll('.expert-samples li.wrong').length === 1")
            .await;
        let samples = page.text("#samples").await;
        assert!(
            samples.contains("2 of 3") && samples.contains("instead of `push`"),
            "{samples}"
        );
        page.run("const t = document.querySelector('#text'); t.value = t.value.replace('[locked-yes], push', '[locked-no], push')").await;
        page.click("#samples button").await;
        page.until("/3 of 3/.test(document.querySelector('#samples').textContent)")
            .await;
        page.click("#draft button.primary").await;
        page.until("location.pathname === '/expert/base/mine'")
            .await;
        page.click(".expert-samples form button").await;
        asks(&page, "Try this").await;
        assert!(page.text(".expert-steps").await.contains("Turn the key"));
        let talk = page.client.current_url().await.unwrap();
        // The base changes under the conversation: it says so, and the answers can be replayed.
        page.open(&format!("{base}/expert/base/mine")).await;
        page.run("const t = document.querySelector('#text'); t.value = t.value.replace('Turn the key.', 'Turn the key twice.')").await;
        page.click("#draft button.primary").await;
        page.until("/twice/.test(document.querySelector('#text').value)")
            .await;
        page.open(&talk).await;
        assert!(page.text("#changed").await.contains("has changed"));
        page.accessible("a base that changed").await;
        page.click(".expert-say button").await;
        asks(&page, "Try this").await;
        assert!(page.text(".expert-steps").await.contains("twice"));
        page.client.close().await.unwrap();
    });
}

/// A base that asks for a choice and a number.
const TYRE: &str = include_str!("../../../expert/tests/tyre.pl");

#[test]
fn a_choice_and_a_number_in_a_conversation() {
    journey(|driver, base| async move {
        let page = driver.phone(false).await;
        page.open(&format!("{base}/expert/base/new")).await;
        let text = serde_json::to_string(TYRE).unwrap();
        page.run(&format!("document.querySelector('#name').value = 'tyre'; document.querySelector('#text').value = {text}")).await;
        page.click("#draft button.primary").await;
        page.until("location.pathname === '/expert/base/tyre'")
            .await;
        page.click("form.row[action='/expert/talk'] button").await;
        asks(&page, "What is it about?").await;
        press(&page, "1").await;
        asks(&page, "Which of these").await;
        press(&page, "1").await;
        let (mut numbers, mut choices) = (0, 0);
        loop {
            page.until(
                "document.querySelector('#expert-number, #question .expert-menu, .expert-answers')",
            )
            .await;
            let title = page.text("#question h1").await;
            if title == "Try this" {
                break;
            }
            let next = format!("document.querySelector('#question h1').textContent !== {title:?}");
            if title.contains("gauge") {
                numbers += 1;
                page.accessible("a number is asked").await;
                page.picture("expert-number").await;
                page.fits("a number is asked").await;
                let field = page.find("#expert-number").await;
                // The field refuses what is out of range, and takes what is not.
                field.send_keys("12").await.unwrap();
                let fits = page
                    .run("return document.querySelector('#expert-number').checkValidity()")
                    .await;
                assert_eq!(fits, false);
                field.clear().await.unwrap();
                field.send_keys("6.5\u{e007}").await.unwrap();
            } else if title.contains("colour") {
                choices += 1;
                page.accessible("a choice is asked").await;
                page.picture("expert-choice").await;
                press(&page, "2").await;
            } else {
                press(&page, "n").await;
            }
            page.until(&next).await;
        }
        assert_eq!((numbers, choices), (1, 1));
        assert!(page.text(".expert-steps").await.contains("Wash the tyre"));
        let said = page.text("#answers").await;
        assert!(
            said.contains("6.5") && said.contains("light brown"),
            "{said}"
        );
        // Another colour by one click, and back again.
        page.click("#answers button[value=unknown]").await;
        page.until("/daylight/.test(document.querySelector('.expert-steps')?.textContent)")
            .await;
        press(&page, "u").await;
        page.until("/Wash/.test(document.querySelector('.expert-steps')?.textContent)")
            .await;
        page.accessible("advice after a choice and a number").await;
        page.client.close().await.unwrap();
    });
}
