//! What a lesson gives to its page: numbers, forms, threads.

use std::fmt::Display;

use maud::{Markup, html};
use wits_game::{Figure, Lang};

use super::charts::Part;
use super::guess::Guess;
use crate::pages::say;

/// What a run of a lesson gives: numbers for the text, and parts that stand in it.
#[derive(Default)]
pub(crate) struct Live {
    says: Vec<(&'static str, String)>,
    parts: Vec<(&'static str, Part)>,
    /// The question at the top.
    pub(super) guess: Guess,
}

impl Live {
    /// A number or a phrase for a hole of the text; whole numbers as the reader's language writes them.
    pub(super) fn say(mut self, hole: &'static str, value: impl Display) -> Live {
        let text = value.to_string();
        let number = text.parse::<i64>().ok().filter(|_| !text.starts_with('+'));
        self.says.push((hole, number.map_or(text, whole)));
        self
    }

    /// The question at the top.
    pub(super) fn ask(mut self, guess: Guess) -> Live {
        self.guess = guess;
        self
    }

    /// A part of the page.
    pub(super) fn part(mut self, name: &'static str, part: impl Into<Part>) -> Live {
        self.parts.push((name, part.into()));
        self
    }

    /// What stands for a hole: the value itself, or for `name:game|games` the form that goes with it.
    pub(super) fn said(&self, hole: &str) -> Option<String> {
        let (name, forms) = hole
            .split_once(':')
            .map_or((hole, None), |(name, forms)| (name, Some(forms)));
        let (_, value) = self.says.iter().find(|(known, _)| *known == name)?;
        Some(forms.map_or_else(
            || value.clone(),
            |forms| Lang::spoken().form(value, forms).to_owned(),
        ))
    }

    /// The part of that name.
    pub(super) fn part_named(&self, name: &str) -> Option<&Part> {
        let found = self.parts.iter().find(|(known, _)| *known == name);
        found.map(|(_, part)| part)
    }
}

/// A share as people write it.
pub(super) fn percent(share: f64) -> String {
    Figure::share(share).to(Lang::spoken())
}

/// How many, as people write it.
pub(super) fn whole(number: impl TryInto<i64>) -> String {
    Figure::whole(number).to(Lang::spoken())
}

/// A number with so many digits behind the point, as people write it.
pub(super) fn decimal(number: f64, digits: usize) -> String {
    Figure::Decimal(number, digits).to(Lang::spoken())
}

/// A score with its sign, as people write it.
pub(super) fn signed(score: i32) -> String {
    match score {
        0 => "0".to_owned(),
        1.. => format!("+{score}"),
        _ => format!("−{}", score.unsigned_abs()),
    }
}

/// A slider with its number beside it.
pub(super) fn slider(
    name: &str,
    label: &'static str,
    value: impl Display,
    bounds: [i64; 3],
) -> Markup {
    let [least, most, step] = bounds;
    html! {
        div.field.lesson-slider {
            label for={ "ls-" (name) } { (say(label)) }
            div.row {
                input id={ "ls-" (name) } name=(name) type="range" min=(least) max=(most) step=(step) value=(value);
                output for={ "ls-" (name) } { (value) }
            }
        }
    }
}

/// A choice of words: what is sent, and what is shown.
pub(super) fn choice(
    name: &str,
    label: &'static str,
    chosen: &str,
    options: &[(&str, String)],
) -> Markup {
    html! {
        div.field {
            label for={ "ls-" (name) } { (say(label)) }
            select id={ "ls-" (name) } name=(name) {
                @for (value, shown) in options { option value=(value) selected[*value == chosen] { (shown) } }
            }
        }
    }
}

/// A line of text to type.
pub(super) fn line(
    name: &str,
    label: &'static str,
    about: &'static str,
    value: &str,
    most: usize,
) -> Markup {
    html! {
        div.field.wide {
            label for={ "ls-" (name) } { (say(label)) }
            input id={ "ls-" (name) } name=(name) type="text" value=(value) maxlength=(most) autocomplete="off" spellcheck="false";
            small { (say(about)) }
        }
    }
}

/// A thread that can be followed.
pub(super) fn thread(src: &str) -> Markup {
    html! { wits-thread src=(src) {} }
}
