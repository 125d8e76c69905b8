//! The boxes of a machine as a wall, move by move: to look at, to change, or with what they are
//! worth.

use maud::{Markup, html};
use wits_matchbox::{Label, Machine};

use super::picture;
use super::shelf::Name;
use crate::WORDS;
use crate::pages::say;

/// A wall with more boxes than this shows one move at a time.
const MOST_AT_ONCE: usize = 60;
/// So many beads of a colour are drawn one by one.
const DRAWN: u32 = 6;

/// How a wall is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum View {
    /// Boxes and beads.
    #[default]
    Wall,
    /// With buttons to put beads in and take them out.
    Edit,
    /// With what each move is worth against best play.
    Knows,
}

impl View {
    pub(super) const ALL: [View; 3] = [View::Wall, View::Edit, View::Knows];

    /// The word in addresses; anything unknown is the plain wall.
    pub(super) fn named(word: &str) -> View {
        let known = View::ALL.into_iter().find(|view| view.word() == word);
        known.unwrap_or_default()
    }

    pub(super) const fn word(self) -> &'static str {
        match self {
            View::Wall => "wall",
            View::Edit => "edit",
            View::Knows => "knows",
        }
    }

    const fn title(self) -> &'static str {
        match self {
            View::Wall => "matchbox-view-wall",
            View::Edit => "matchbox-view-edit",
            View::Knows => "matchbox-view-knows",
        }
    }
}

/// Which part of a wall, and how.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Look {
    pub(super) view: View,
    /// The boxes of this move only.
    pub(super) number: Option<u32>,
}

impl Look {
    /// The address of a machine's page that looks this way.
    pub(super) fn address(self, name: &Name) -> String {
        let number = self.number.map_or(String::new(), |n| format!("&move={n}"));
        format!("{}?view={}{number}", name.page(), self.view.word())
    }

    /// What is shown when nothing is asked for: everything, or the first move of a large machine.
    pub(super) fn settled(self, machine: &Machine) -> Look {
        let numbers = numbers(machine);
        let asked = self.number.filter(|n| numbers.contains(n));
        let first = (machine.cabinet().len() > MOST_AT_ONCE)
            .then(|| numbers.first().copied())
            .flatten();
        Look {
            number: asked.or(first),
            ..self
        }
    }
}

/// In which moves of the game the machine has boxes.
fn numbers(machine: &Machine) -> Vec<u32> {
    let mut all: Vec<u32> = (machine.cabinet().labels().iter())
        .map(|l| l.number)
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// The links above the wall: how to look, and at which move.
pub(super) fn tabs(name: &Name, machine: &Machine, look: Look) -> Markup {
    let numbers = numbers(machine);
    let small = machine.cabinet().len() <= MOST_AT_ONCE;
    html! {
        nav.row.tabs aria-label=(say("matchbox-views")) {
            @for view in View::ALL.into_iter().filter(|v| *v != View::Edit || name.is_mine()) {
                a.button.quiet href=(Look { view, ..look }.address(name)) aria-current=[(view == look.view).then_some("page")] { (say(view.title())) }
            }
        }
        nav.row.tabs aria-label=(say("matchbox-by-move")) {
            @if small {
                a.button.quiet.small href=(Look { number: None, ..look }.address(name)) aria-current=[look.number.is_none().then_some("page")] { (say("matchbox-all-moves")) }
            }
            @for &n in &numbers {
                a.button.quiet.small href=(Look { number: Some(n), ..look }.address(name)) aria-current=[(look.number == Some(n)).then_some("page")] { (WORDS.say("matchbox-move").with("number", n)) }
            }
        }
    }
}

/// The wall itself.
pub(super) fn wall(name: &Name, machine: &Machine, look: Look) -> Markup {
    let labels = machine.cabinet().labels();
    let shown = numbers(machine)
        .into_iter()
        .filter(|&n| look.number.is_none_or(|only| only == n));
    html! {
        div #wall {
            @for number in shown {
                @let here = labels.iter().enumerate().filter(|(_, l)| l.number == number);
                section {
                    h2 { (WORDS.say("matchbox-move").with("number", number)) " " span.muted { (WORDS.say("matchbox-boxes").with("count", here.clone().count())) } }
                    ul.mb-wall.(look.view.word()) {
                        @for (at, label) in here { (one(name, machine, at, label, look)) }
                    }
                }
            }
        }
    }
}

/// What a move is worth, as a word and a sign.
fn worth(label: &Label, bead: usize) -> (&'static str, &'static str) {
    match label.worth[bead] {
        1.. => ("good", "matchbox-wins"),
        0 => ("even", "matchbox-draws"),
        _ => ("bad", "matchbox-loses"),
    }
}

fn one(name: &Name, machine: &Machine, at: usize, label: &Label, look: Look) -> Markup {
    let scene = machine.cabinet().scene(at);
    let beads = machine.beads(at);
    let empty = beads.iter().all(|&n| n == 0);
    let knows = look.view == View::Knows;
    // Buttons need the room.
    let drawn = if look.view == View::Edit { 1 } else { DRAWN };
    html! {
        li.mb-box.empty[empty] id={ "box-" (at + 1) } {
            p.box-name {
                b { (WORDS.say("matchbox-box").with("box", at + 1)) }
                @if empty { " " span.badge { (say("matchbox-resigns")) } }
                @if knows && label.value < 0 { " " span.badge { (say("matchbox-lost-here")) } }
            }
            @if let Some(scene) = &scene { (picture::board(scene, label, beads, knows)) }
            form action={ (name.page()) "/bead" } method="post" data-part {
                @if look.view == View::Edit {
                    input type="hidden" name="box" value=(at);
                    input type="hidden" name="look" value=(look.number.map_or(String::new(), |n| n.to_string()));
                }
                ul.mb-list {
                    @for (bead, (text, &count)) in label.moves.iter().zip(beads).enumerate() {
                        @let colour = picture::colour(scene.as_ref(), label, bead);
                        li.none[count == 0] data-bead=(text) data-count=(count) {
                            (picture::row(colour, count, drawn))
                            span.move-text { (text) }
                            @if knows {
                                @let (kind, key) = worth(label, bead);
                                span.worth.(kind) { (say(key)) }
                            }
                            span.number { "×" (count) }
                            @if look.view == View::Edit {
                                span.hand {
                                    button.button.small type="submit" name="take" value=(bead) disabled[count == 0] aria-label=(WORDS.say("matchbox-take").with("move", text).with("box", at + 1)) { "−" }
                                    button.button.small type="submit" name="add" value=(bead) aria-label=(WORDS.say("matchbox-add").with("move", text).with("box", at + 1)) { "+" }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
