//! The course of a game on a page of analysis: going through it, its moves, and the curve of what they are worth.
//! `review.js` keeps these parts alive; rooms with a board of their own lay out the same ones.

use maud::{Markup, PreEscaped, Render, html};
use serde_json::{Value, json};
use wits_game::Scene;

use super::{board, embedded, say};

/// A move of the game.
pub(crate) struct Made {
    /// Who made it.
    pub(crate) who: String,
    /// The move.
    pub(crate) text: String,
    /// What else happened.
    pub(crate) note: Option<String>,
}

/// A game on a page of analysis, and a place in it.
pub(crate) struct Course {
    /// The page.
    pub(crate) address: String,
    /// What names the game on this page, without the place.
    pub(crate) fields: Vec<(&'static str, String)>,
    /// How many moves are made on the board.
    pub(crate) ply: usize,
    /// All moves.
    pub(crate) moves: Vec<Made>,
}

/// The curve of a game: what is drawn before a machine has looked at it, and what the axis counts.
pub(crate) struct Curve {
    /// Where a machine's remarks come from.
    pub(crate) review: String,
    /// How far the seat that looks on is ahead after so many moves, where the board shows it.
    pub(crate) counted: Option<(&'static str, Vec<i64>)>,
    /// What the axis counts.
    pub(crate) axis: String,
    /// What the curve shows, in a sentence or two.
    pub(crate) about: String,
    /// What is said where no move lost anything.
    pub(crate) none: String,
}

/// Two triangles and a bar, one way and the other: the signs of first, back, on, last.
const SHAPES: [&str; 4] = [
    "M6 5v14M19 5 9 12l10 7z",
    "M17 5 7 12l10 7z",
    "M7 5l10 7-10 7z",
    "M18 5v14M5 5l10 7-10 7z",
];

impl Course {
    /// What names the game, as an address says it.
    pub(crate) fn query(&self) -> String {
        let mut out = form_urlencoded::Serializer::new(String::new());
        out.extend_pairs(&self.fields).finish()
    }

    /// The address of the board at a place in the game.
    pub(crate) fn at(&self, ply: usize) -> String {
        let query = self.query();
        let and = if query.is_empty() { "" } else { "&" };
        format!("{}?{query}{and}ply={ply}", self.address)
    }

    fn hidden(&self) -> Markup {
        html! { @for (name, value) in &self.fields { input type="hidden" name=(name) value=(value); } }
    }

    /// The board, whose squares play a move at this place; without scripts they are buttons of a form.
    pub(crate) fn board(&self, scene: &Scene, label: &str) -> Markup {
        html! {
            form.plain action=(self.address) method="get" {
                (self.hidden())
                input type="hidden" name="ply" value=(self.ply);
                wits-board live label=(label) {
                    script.scene type="application/json" { (embedded(&serde_json::to_value(scene).unwrap_or_default())) }
                    (PlainMoves(scene))
                }
            }
            p #message role="alert" {}
        }
    }

    /// Going through the game.
    pub(crate) fn steps(&self) -> Markup {
        let (ply, most) = (self.ply, self.moves.len());
        let places = [0, ply.saturating_sub(1), (ply + 1).min(most), most];
        let keys = ["step-first", "step-back", "step-on", "step-last"];
        let link = |at: usize| {
            let (key, to) = (keys[at], places[at]);
            html! {
                a.button.quiet.icon href=(self.at(to)) data-ply=(to) aria-label=(say(key)) title=(say(key)) { svg viewBox="0 0 24 24" aria-hidden="true" { path d=(SHAPES[at]) {} } }
            }
        };
        html! {
            form.row.review-steps action=(self.address) method="get" {
                (self.hidden())
                (link(0)) (link(1))
                input #ply name="ply" type="range" min="0" max=(most) value=(ply) aria-label=(say("review-move-number"));
                output for="ply" { (ply) " / " (most) }
                (link(2)) (link(3))
                button.button.no-script type="submit" { (say("review-show")) }
            }
        }
    }

    /// The moves of the game, each with its place and the sign that a review gives it.
    pub(crate) fn moves(&self) -> Markup {
        html! {
            section.panel #played {
                h2 { (say("moves")) }
                @if self.moves.is_empty() { p.muted { (say("review-no-moves")) } }
                ol #moves tabindex="0" aria-label=(say("moves")) {
                    @for (at, made) in self.moves.iter().enumerate() {
                        li.current[at + 1 == self.ply] {
                            span.muted.who { (made.who) } " "
                            a.move-text href=(self.at(at + 1)) data-ply=(at + 1) aria-current=[(at + 1 == self.ply).then_some("step")] { (made.text) }
                            span.review-sign data-sign=(at) {}
                            @if let Some(note) = &made.note { " " span.muted { (note) } }
                        }
                    }
                }
            }
        }
    }

    /// The curve of the game and what a machine remarks on its moves.
    pub(crate) fn graph(&self, curve: &Curve) -> Markup {
        let names: Vec<&str> = self.moves.iter().map(|made| made.text.as_str()).collect();
        let counted = curve.counted.as_ref();
        let words = json!({
            "move": say("review-move-number"), "axis": curve.axis, "none": curve.none, "stopped": say("review-stopped"),
            "lost": say("review-lost"), "curve": say("review-curve"),
        });
        let data: Value =
            json!({"counted": counted.map(|(_, all)| all), "moves": names, "words": words});
        let mut heads = vec!["review-move-number", "review-move"];
        heads.extend(counted.map(|(key, _)| *key));
        heads.extend(["review-machine", "review-best", "review-sure"]);
        html! {
            section.panel #graph data-review=(curve.review) {
                h2 { (say("review-curve")) }
                @if self.moves.is_empty() {
                    p.muted { (say("review-curve-empty")) }
                } @else {
                    script #curve-data type="application/json" { (embedded(&data)) }
                    p.muted { (curve.about) }
                    figure #curve {}
                    p.no-script { (say("review-needs-script")) }
                    div.row {
                        button.button.primary #analyse type="button" { (say("review-analyse")) }
                        button.button.quiet #stop type="button" hidden { (say("review-stop")) }
                        progress #review-bar max=(names.len()) value="0" hidden aria-label=(say("review-analyse")) {}
                        span.muted #review-note role="status" {}
                    }
                    ol #marks aria-label=(say("review-marks")) {}
                    details #numbers {
                        summary { (say("review-numbers")) }
                        div.row {
                            button.button.quiet #save-svg type="button" { (say("review-save-svg")) }
                            button.button.quiet #save-csv type="button" { (say("review-save-csv")) }
                        }
                        div.mb-scroll.oth-scroll tabindex="0" role="region" aria-label=(say("review-numbers")) {
                            table.data {
                                thead { tr { @for key in heads { th scope="col" { (say(key)) } } } }
                                tbody #number-rows {
                                    @for (at, name) in names.iter().enumerate() {
                                        tr data-row=(at) {
                                            td { (at + 1) } td { code { (name) } }
                                            @if let Some((_, all)) = counted { td { (all[at + 1]) } }
                                            td.worth {} td.best {} td.sure {}
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The plain board, whose buttons play by `play` here.
struct PlainMoves<'a>(&'a Scene);

impl Render for PlainMoves<'_> {
    fn render(&self) -> Markup {
        let plain = board(self.0).into_string();
        PreEscaped(plain.replace("name=\"move\"", "name=\"play\""))
    }
}
