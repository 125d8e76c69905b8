//! The semantic network as a picture: parts in boxes, what sits in what, the parts in question lit.

use std::collections::{BTreeMap, BTreeSet};

use maud::{Markup, html};
use wits_expert::network::{Light, spots};
use wits_expert::{Base, Part};

use crate::WORDS;
use crate::pages::say;

/// Width of a box and distance between columns.
const BOX: usize = 172;
const COLUMN: usize = 212;
/// Height of a box and distance between rows.
const HIGH: usize = 30;
const ROW: f64 = 38.0;

/// The parts of a base; those in question are lit, and named below.
pub(super) fn picture(base: &Base, lit: &BTreeMap<String, Light>) -> Markup {
    let Some(drawn) = drawing(base, lit, &summary(base, lit)) else {
        return html! { p.muted { (say("expert-no-parts")) } };
    };
    html! {
        figure.expert-network {
            div.expert-scroll tabindex="0" role="region" aria-label=(say("expert-network")) { (drawn) }
            figcaption { (summary(base, lit)) }
        }
    }
}

/// The largest parts as a small picture of what a base is about, few enough to be read on a card: the first part that
/// holds several, and what it holds. Nothing where a base names no parts.
pub(super) fn sketch(base: &Base) -> Option<Markup> {
    let spots = spots(base);
    let many = |depth: &usize| spots.iter().filter(|s| s.depth == *depth).count() > 1;
    let deepest = spots.iter().map(|s| s.depth).max()?;
    let shown = (0..=deepest).find(many).unwrap_or(deepest);
    let large: BTreeSet<usize> = (spots.iter())
        .filter(|s| s.depth <= shown && s.depth + 1 >= shown)
        .map(|s| s.part)
        .collect();
    let mut top = base.clone();
    let mut at = 0..;
    top.parts
        .retain(|_| at.next().is_some_and(|i| large.contains(&i)));
    let drawn = drawing(&top, &BTreeMap::new(), &base.title)?;
    Some(html! { div.expert-sketch { (drawn) } })
}

/// The boxes and what sits in what; nothing where there are no parts.
fn drawing(base: &Base, lit: &BTreeMap<String, Light>, label: &str) -> Option<Markup> {
    let spots = spots(base);
    let deepest = spots.iter().map(|s| s.depth).max()?;
    let lowest = spots.iter().map(|s| s.row).fold(0.0, f64::max);
    let (width, height) = (
        deepest * COLUMN + BOX + 8,
        (lowest * ROW) as usize + HIGH + 8,
    );
    let place = |depth: usize, row: f64| (depth * COLUMN + 4, row * ROW + 4.0);
    let by_part: BTreeMap<usize, (usize, f64)> =
        spots.iter().map(|s| (s.part, (s.depth, s.row))).collect();
    let light = |part: &Part| lit.get(&part.id).copied();
    Some(html! {
        svg viewBox={ "0 0 " (width) " " (height) } width=(width) height=(height) role="img" aria-label=(label) {
            @for spot in &spots {
                @if let Some((depth, row)) = spot.parent.and_then(|p| by_part.get(&p)) {
                    @let (x1, y1) = place(*depth, *row);
                    @let (x2, y2) = place(spot.depth, spot.row);
                    @let (x1, y1, y2) = ((x1 + BOX) as f64, y1 + HIGH as f64 / 2.0, y2 + HIGH as f64 / 2.0);
                    @let middle = f64::midpoint(x1, x2 as f64);
                    path.expert-edge.lit[light(&base.parts[spot.part]).is_some()] d={ "M" (x1) " " (y1) "C" (middle) " " (y1) " " (middle) " " (y2) " " (x2) " " (y2) } {}
                }
            }
            @for spot in &spots {
                @let part = &base.parts[spot.part];
                @let (x, y) = place(spot.depth, spot.row);
                g.expert-part.possible[light(part) == Some(Light::Possible)].named[light(part) == Some(Light::Named)] {
                    title { (part.label) @if !part.tags.is_empty() { ": " (part.tags.join(", ")) } }
                    rect x=(x) y=(y) width=(BOX) height=(HIGH) rx="8" {}
                    text x=(x + 10) y=(y + 20.0) { (mark(light(part))) (shown(&part.label)) }
                }
            }
        }
    })
}

/// A light is doubled by a sign.
const fn mark(light: Option<Light>) -> &'static str {
    match light {
        Some(Light::Named) => "● ",
        Some(Light::Possible) => "○ ",
        None => "",
    }
}

fn shown(label: &str) -> String {
    if label.chars().count() > 22 {
        label.chars().take(21).chain(['…']).collect()
    } else {
        label.to_owned()
    }
}

/// The parts in question in one sentence.
fn summary(base: &Base, lit: &BTreeMap<String, Light>) -> String {
    let named = |light: Light| {
        let parts = base.parts.iter();
        let parts = parts.filter(|p| lit.get(&p.id) == Some(&light));
        let labels: Vec<&str> = parts.map(|p| p.label.as_str()).collect();
        labels.join(", ")
    };
    let (sure, maybe) = (named(Light::Named), named(Light::Possible));
    let says = match (sure.is_empty(), maybe.is_empty()) {
        (true, true) => WORDS.say("expert-lit-none").with("count", base.parts.len()),
        (false, true) => WORDS.say("expert-lit-named").with("parts", sure),
        (true, false) => WORDS.say("expert-lit-possible").with("parts", maybe),
        (false, false) => {
            let says = WORDS.say("expert-lit-both").with("parts", sure);
            says.with("possible", maybe)
        }
    };
    says.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use wits_expert::BASES;

    #[test]
    fn a_card_shows_few_parts_in_large_letters() {
        for (name, text) in BASES {
            let base = Base::read(name, text).expect("a base of the house");
            let drawn = sketch(&base).expect("a base with parts");
            let boxes = drawn.into_string().matches("<rect").count();
            assert!((2..=12).contains(&boxes), "{name}: {boxes} boxes");
            assert!(boxes < base.parts.len(), "{name} shows everything");
        }
    }
}
