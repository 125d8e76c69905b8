//! Somebody writes a program of their own, asks it, and looks at proofs.

use crate::driver::Page;
use crate::journeys::journey;

/// Control and Enter, as the protocol writes them.
const CTRL_ENTER: &str = "\u{e009}\u{e007}";

/// Replaces the program and the query.
async fn write(page: &Page, program: &str, goal: &str) {
    let script = format!(
        "for (const [id, text] of [['program', {program:?}], ['goal', {goal:?}]]) {{
            const field = document.getElementById(id);
            field.value = text;
            field.dispatchEvent(new Event('input', {{ bubbles: true }}));
         }}"
    );
    page.run(&script).await;
}

/// Asks as people do who do not take their hands off the keyboard.
async fn ask(page: &Page) {
    page.find("#goal")
        .await
        .send_keys(CTRL_ENTER)
        .await
        .unwrap();
}

async fn answers(page: &Page, count: usize) {
    page.until(&format!(
        "document.querySelectorAll('.scratch-answers > li').length === {count}"
    ))
    .await;
}

#[test]
fn a_program_is_asked_answer_by_answer() {
    journey(|driver, base| async move {
        let page = driver.browser(1366, false).await;
        page.open(&format!("{base}/expert")).await;
        page.click("a[href='/expert/scratch']").await;
        page.until("document.querySelector('.scratch-colours .token-variable')")
            .await;
        page.until("document.querySelectorAll('.scratch-examples a').length === 4")
            .await;
        page.accessible("the scratchpad").await;
        // One answer at a time, then all of them.
        write(
            &page,
            "p(1).\np(2).\np(3).\nq(X) :- p(X), X > 1.\n",
            "p(X).",
        )
        .await;
        ask(&page).await;
        answers(&page, 1).await;
        page.click("#next").await;
        answers(&page, 2).await;
        page.click("#all").await;
        answers(&page, 3).await;
        page.until("document.querySelector('#end').textContent.includes('No more answers')")
            .await;
        // The proof says that it was checked.
        page.click(".scratch-answers > li:last-child details summary")
            .await;
        let proof = page.text(".scratch-answers > li:last-child details").await;
        assert!(proof.contains("every step follows"), "{proof}");
        // Why an answer is not another one.
        write(
            &page,
            "p(1).\np(2).\np(3).\nq(X) :- p(X), X > 1.\n",
            "q(X).",
        )
        .await;
        ask(&page).await;
        answers(&page, 1).await;
        page.click(".scratch-why-not summary").await;
        page.run("document.querySelector('.scratch-why-not input').value = 'X = 1'")
            .await;
        page.click(".scratch-why-not button").await;
        page.until(
            "document.querySelector('.scratch-why-not [aria-live]').textContent.includes('1>1')",
        )
        .await;
        page.accessible("an answer with its proof").await;
        page.picture("scratchpad").await;
    });
}

#[test]
fn a_program_with_errors_questions_and_no_end() {
    journey(|driver, base| async move {
        let page = driver.browser(1366, false).await;
        page.open(&format!("{base}/expert/scratch")).await;
        page.until("document.querySelector('.expert-lines li')")
            .await;
        // Every error of the text has its line, and so has one at run time.
        write(&page, "p(.\nq(1).\nr(]).\n", "q(X).").await;
        ask(&page).await;
        page.until("document.querySelectorAll('.expert-lines .wrong').length === 2")
            .await;
        write(&page, "q(1).\nr(X) :- q(X),\n  Y is X/0, q(Y).\n", "r(X).").await;
        ask(&page).await;
        page.until("document.querySelector('.expert-lines li:nth-child(3)').className === 'wrong'")
            .await;
        // What the program reads is a question.
        write(&page, "greet :- read(X), write(hello(X)).\n", "greet.").await;
        ask(&page).await;
        page.find("#end [name=line]")
            .await
            .send_keys("ada.\u{e007}")
            .await
            .unwrap();
        answers(&page, 1).await;
        page.until("document.querySelector('.scratch-answers').textContent.includes('hello(ada)')")
            .await;
        // Nobody has to wait for a loop.
        write(&page, "loop :- repeat, fail.\n", "loop.").await;
        ask(&page).await;
        page.click("#stop").await;
        page.until("document.querySelector('#end').textContent.includes('Stopped')")
            .await;
        // The address fills the page in for somebody else.
        page.click("#share").await;
        page.until("location.search.includes('program=loop')").await;
        let address = page.run("return location.href").await;
        let other = driver.phone(false).await;
        other.open(address.as_str().unwrap()).await;
        other
            .until("document.querySelector('#program').value.includes('repeat, fail')")
            .await;
        other.fits("the scratchpad on a phone").await;
    });
}
