//! The words of a lesson: Markdown with holes for live numbers, `{name}`, and lines `[[part]]` where
//! a form, a picture or a thread stands.

use maud::{Markup, PreEscaped, html};
use wits_game::Lang;

use super::asked::Asked;
use super::charts::Part;
use super::parts::Live;
use crate::markdown::render;
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
    "dawg",
    "cross-checks",
    "cross-validation",
    "chance",
);

/// A lesson's words in the reader's language.
pub(super) struct Prose {
    /// What it is called.
    pub(super) title: String,
    /// What it is about, in a sentence or two.
    pub(super) about: String,
    rest: &'static str,
}

/// The words of a lesson in a language, if they are written.
pub(super) fn text(name: &str, lang: Lang) -> Option<&'static str> {
    let found = TEXTS.iter().find(|(n, l, _)| *n == name && *l == lang);
    found.map(|(_, _, text)| *text)
}

/// The words of a lesson.
pub(super) fn of(name: &str) -> Prose {
    let text = text(name, Lang::spoken())
        .or_else(|| text(name, Lang::En))
        .unwrap_or_default();
    let (title, rest) = text.split_once('\n').unwrap_or((text, ""));
    let (about, rest) = rest.trim_start().split_once("\n\n").unwrap_or((rest, ""));
    Prose {
        title: title.trim_start_matches("# ").trim().to_owned(),
        about: about.replace('\n', " "),
        rest,
    }
}

impl Prose {
    /// The lesson itself, everything live in its place.
    pub(super) fn body(&self, name: &str, live: &Live, asked: &Asked) -> Markup {
        let region = say("lesson-wide");
        let fill = |hole: &str| live.said(hole);
        let words = |text: &str| {
            let html = render(text, &fill, &str::to_owned, &region).html;
            html! { div data-part { (PreEscaped(html)) } }
        };
        let mut parts = Vec::new();
        let mut text = String::new();
        for line in self.rest.lines() {
            let part = line
                .trim()
                .strip_prefix("[[")
                .and_then(|l| l.strip_suffix("]]"));
            let Some(part) = part else {
                text.push_str(line);
                text.push('\n');
                continue;
            };
            if !text.trim().is_empty() {
                parts.push(words(&text));
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
        if !text.trim().is_empty() {
            parts.push(words(&text));
        }
        html! { @for part in &parts { (part) } }
    }
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
