//! The words of a lesson, a file for each language.
//!
//! A file begins with its title and keyed lines, a blank line ends them: `lead`, the question `ask`, what
//! is said to a `right` and a `wrong` guess, the `surprise` that is seen at once, and for teachers
//! `question`, `pitfall` and `plan`; other keys name the buttons of the question. Lines that begin with
//! two spaces go on with the one before. Markdown follows, with lines `[[part]]` where a form, a picture
//! or a thread stands. Everywhere `{name}` is a hole for something that the lesson worked out.

use maud::{Markup, PreEscaped, html};
use wits_game::Lang;

use super::asked::Asked;
use super::charts::Part;
use super::parts::Live;
use crate::markdown::{filled, render};
use crate::pages::say;

/// The files of a lesson.
macro_rules! written {
    ($($name:literal),* $(,)?) => {
        /// Every text: its lesson, its language, its words.
        const TEXTS: &[(&str, Lang, &str)] = &[$(
            ($name, Lang::En, include_str!(concat!("../../texts/lessons/en/", $name, ".md"))),
            ($name, Lang::Pl, include_str!(concat!("../../texts/lessons/pl/", $name, ".md"))),
            ($name, Lang::Cs, include_str!(concat!("../../texts/lessons/cs/", $name, ".md"))),
        )*];
    };
}
written!(
    "hexapawn",
    "beads",
    "alphabeta",
    "astar",
    "endgame",
    "proofs",
    "squarefree",
    "pairing",
    "dawg",
    "cross-checks",
    "cross-validation",
    "chance",
    "rating",
    "tournament",
);

/// A lesson's words in the reader's language.
pub(super) struct Prose {
    /// What it is called.
    pub(super) title: String,
    keyed: Vec<(&'static str, String)>,
    rest: &'static str,
}

/// The words of a lesson in a language, if they are written.
pub(super) fn text(name: &str, lang: Lang) -> Option<&'static str> {
    let found = TEXTS.iter().find(|(n, l, _)| *n == name && *l == lang);
    found.map(|(_, _, text)| *text)
}

/// The words of a lesson.
pub(super) fn of(name: &str) -> Prose {
    let text = text(name, Lang::spoken()).or_else(|| text(name, Lang::En));
    Prose::read(text.unwrap_or_default())
}

impl Prose {
    /// Reads a file.
    pub(super) fn read(text: &'static str) -> Prose {
        let (head, rest) = text.split_once("\n\n").unwrap_or((text, ""));
        let mut lines = head.lines();
        let title = lines.next().unwrap_or_default().trim_start_matches("# ");
        let mut keyed: Vec<(&str, String)> = Vec::new();
        for line in lines {
            match (
                line.strip_prefix("  "),
                line.split_once(':'),
                keyed.last_mut(),
            ) {
                (Some(more), _, Some((_, text))) => {
                    text.push('\n');
                    text.push_str(more);
                }
                (_, Some((key, text)), _) => keyed.push((key, text.trim().to_owned())),
                _ => {}
            }
        }
        Prose {
            title: title.to_owned(),
            keyed,
            rest,
        }
    }

    /// The words behind a key.
    pub(super) fn key(&self, key: &str) -> Option<&str> {
        let found = self.keyed.iter().find(|(known, _)| *known == key);
        found.map(|(_, text)| text.as_str())
    }

    /// The words behind a key without markup, everything live in its place.
    pub(super) fn plain(&self, key: &str, live: &Live) -> String {
        filled(self.key(key).unwrap_or_default(), &|hole| live.said(hole))
    }

    /// The words behind a key as they stand on the page.
    pub(super) fn words(&self, key: &str, live: &Live) -> Markup {
        rendered(self.key(key).unwrap_or_default(), live)
    }

    /// The lesson itself, everything live in its place.
    pub(super) fn body(&self, name: &str, live: &Live, asked: &Asked) -> Markup {
        let mut parts = Vec::new();
        let mut text = String::new();
        // A last part that is never there lets go of the words behind it, too.
        for line in self.rest.lines().chain(["[[]]"]) {
            let inner = line.trim().strip_prefix("[[");
            let Some(part) = inner.and_then(|l| l.strip_suffix("]]")) else {
                text.push_str(line);
                text.push('\n');
                continue;
            };
            if !text.trim().is_empty() {
                parts.push(html! { div data-part { (rendered(&text, live)) } });
            }
            text.clear();
            match live.part_named(part) {
                Some(fields) if part == "form" => parts.push(html! {
                    form.lesson-form.panel method="get" action={ "/lessons/" (name) } {
                        (fields.page)
                        button.button.primary type="submit" { (say("lesson-run")) }
                    }
                }),
                Some(shown) => parts.push(html! {
                    div.lesson-part data-part=(part) {
                        (shown.page)
                        (kept(shown, &format!("/lessons/{name}/keep/{part}"), asked))
                    }
                }),
                None => {}
            }
        }
        html! { @for part in &parts { (part) } }
    }

    /// What teachers need, folded away.
    pub(super) fn teachers(&self, live: &Live) -> Markup {
        let parts = [
            ("question", "lesson-teach-question"),
            ("pitfall", "lesson-teach-pitfall"),
            ("plan", "lesson-teach-plan"),
        ];
        html! {
            details.lesson-teachers.panel {
                summary { (say("lesson-teachers")) }
                div data-part {
                    @for (key, title) in parts { h2 { (say(title)) } (self.words(key, live)) }
                }
            }
        }
    }
}

fn rendered(text: &str, live: &Live) -> Markup {
    let fill = |hole: &str| live.said(hole);
    html! { (PreEscaped(render(text, &fill, &str::to_owned, &say("lesson-wide")).html)) }
}

/// Links to what can be kept of a part.
fn kept(part: &Part, path: &str, asked: &Asked) -> Markup {
    let Some(picture) = &part.picture else {
        return html! {};
    };
    let link = |kind: &str| {
        let (address, file) = (asked.at(&format!("{path}.{kind}")), kind.to_uppercase());
        html! { a href=(address) download aria-label={ (file) ": " (picture.title) } { (file) } }
    };
    html! {
        p.row.lesson-keep {
            (link("svg"))
            @if part.csv().is_some() { (link("csv")) }
        }
    }
}
