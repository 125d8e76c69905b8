//! The question that a lesson begins with: the reader answers it before the machine does.

use maud::{Markup, html};

use super::asked::{Asked, MOVE};
use super::parts::Live;
use super::prose::Prose;
use crate::pages::say;

/// A question, what it is about, and what the reader said.
#[derive(Default)]
pub(super) struct Guess {
    picture: Markup,
    surprise: Markup,
    options: Vec<(String, String)>,
    right: Option<bool>,
}

impl Guess {
    /// A question about a picture; a board in it may be clicked.
    pub(super) fn about(picture: Markup) -> Guess {
        Guess {
            picture,
            ..Guess::default()
        }
    }

    /// What shows the surprise besides words.
    pub(super) fn showing(mut self, surprise: Markup) -> Guess {
        self.surprise = surprise;
        self
    }

    /// Buttons to answer with, whose words the lesson's text has.
    pub(super) fn keys(mut self, keys: &[&str]) -> Guess {
        let each = keys.iter().map(|key| ((*key).to_owned(), String::new()));
        self.options.extend(each);
        self
    }

    /// Buttons to answer with: what is sent, and what is shown.
    pub(super) fn options(mut self, options: impl IntoIterator<Item = (String, String)>) -> Guess {
        self.options.extend(options);
        self
    }

    /// Whether what the reader said is right; nothing while nothing is said.
    pub(super) fn right(mut self, right: Option<bool>) -> Guess {
        self.right = right;
        self
    }

    /// The question on its page.
    pub(super) fn on_page(&self, name: &str, prose: &Prose, live: &Live, asked: &Asked) -> Markup {
        let given = asked.text(MOVE).unwrap_or_default();
        let page = format!("/lessons/{name}");
        html! {
            form.lesson-guess data-part="guess" method="get" action=(page) data-lesson=(name) {
                (asked.hidden(&[MOVE]))
                div.guess-words {
                    p.guess-first { (say("lesson-guess-first")) }
                    h2.guess-ask { (prose.plain("ask", live)) }
                    @if !self.options.is_empty() {
                        div.row.guess-options role="group" aria-label=(say("lesson-guess-first")) {
                            @for (value, shown) in &self.options {
                                button.button type="submit" name=(MOVE) value=(value) aria-pressed=[self.right.map(|_| (value == given).to_string())] {
                                    @if shown.is_empty() { (prose.plain(value, live)) } @else { (shown) }
                                }
                            }
                        }
                    }
                    @if let Some(right) = self.right {
                        div.guess-said.right[right].wrong[!right] data-right=(right) tabindex="-1" {
                            (prose.words(if right { "right" } else { "wrong" }, live))
                            p { a.button.quiet.small href=(asked.without(MOVE, &page)) { (say("lesson-guess-again")) } }
                        }
                    } @else {
                        p.muted.guess-how {
                            @if prose.key("how").is_some() { (prose.plain("how", live)) }
                            @else if self.options.is_empty() { (say("lesson-guess-board")) }
                            @else { (say("lesson-guess-button")) }
                        }
                    }
                    div.surprise { (prose.words("surprise", live)) (self.surprise) }
                }
                div.guess-picture { (self.picture) }
            }
        }
    }
}
