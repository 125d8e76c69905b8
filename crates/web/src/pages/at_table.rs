//! The pieces of every game's page: the goal, whose turn it is and how it ended, who sits where, what can
//! be done, the moves, the thread. Rooms with a page of their own lay out the same pieces.

use maud::{Markup, PreEscaped, html};
use serde_json::Value;
use wits_play::AnyEntry;

use super::{say, sentence};
use crate::WORDS;

/// A game as one visitor sees it.
pub(crate) struct AtTable<'a> {
    pub(crate) id: &'a str,
    pub(crate) game: &'a str,
    pub(crate) state: &'a Value,
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

impl AtTable<'_> {
    /// Where the game's own addresses begin.
    pub(crate) fn base(&self) -> String {
        format!("/games/{}", self.id)
    }

    fn can(&self, what: &str) -> bool {
        self.state["can"][what] == true
    }

    /// Whether the visitor is to move.
    pub(crate) fn mine(&self) -> bool {
        let you = self.state["you"].as_array();
        self.state["turn"].is_number() && you.is_some_and(|you| you.contains(&self.state["turn"]))
    }

    /// The title, the goal in one line, and the rules one click away.
    pub(crate) fn head(title: &str, goal: &str, entry: Option<&dyn AnyEntry>) -> Markup {
        html! {
            header.game-head {
                h1 { (title) }
                p.lead { (goal) }
                @if let Some(entry) = entry {
                    details.rules { summary { (say("rules")) } p { (entry.rules()) } }
                }
            }
        }
    }

    /// The goal of a game: what its entry says of it.
    pub(crate) fn goal(entry: &dyn AnyEntry) -> String {
        sentence(&entry.about().to_string())
    }

    /// Whose turn it is, what happened last; at the end the result and what to do next.
    pub(crate) fn turn(&self) -> Markup {
        let over = !self.state["over"].is_null();
        let again = format!("{}/again", self.base());
        html! {
            section.panel.turn-card aria-label=(say("turn-card")) data-verdict=(text(&self.state["over"], "verdict")) {
                p #status.over[over] aria-live="polite" { (text(self.state, "status")) }
                p #said { (text(self.state, "said")) }
                div.row #after hidden[!over] {
                    form.second-round action=(again) method="post" {
                        input type="hidden" name="swap" value="yes";
                        button.button.primary type="submit" { (say("second-round")) }
                    }
                    form action=(again) method="post" { button.button.primary type="submit" { (say("rematch")) } }
                    @if self.state["seats"].as_array().is_some_and(|seats| seats.len() > 1) {
                        form.swap-sides action=(again) method="post" {
                            input type="hidden" name="swap" value="yes";
                            button.button type="submit" { (say("swap-sides")) }
                        }
                    }
                    a.button #review href=[self.state["review"].as_str()] hidden[!self.state["review"].is_string()] { (say("review")) }
                    button.button #follow-last type="button" hidden { (say("thread")) }
                }
                p.muted #turned role="status" hidden {}
            }
        }
    }

    /// Who sits where. `game.js` draws the same and keeps it up to date.
    pub(crate) fn seats(&self) -> Markup {
        html! {
            section.panel.seats aria-label=(say("seats")) {
                ul #clocks {
                    @for seat in self.state["seats"].as_array().into_iter().flatten() { (self.seat(seat)) }
                }
            }
        }
    }

    fn seat(&self, seat: &Value) -> Markup {
        let you = seat["you"] == true;
        html! {
            li.to-move[seat["seat"] == self.state["turn"]] {
                span.seat-side { (text(seat, "name")) }
                div.seat-who {
                    b { @if you { (say("js-you")) } @else { (text(seat, "who")) } }
                    @if let Some(about) = seat["about"].as_str() { span.muted { (about) } }
                    @if let Some(machine) = seat["boxes"].as_str() { a href=(machine) { (say("js-its-boxes")) } }
                }
                @if !seat["points"].is_null() { span.seat-points { (seat["points"]) } }
                @if seat["free"] == true {
                    form.sit action={ (self.base()) "/sit" } method="post" {
                        input type="hidden" name="seat" value=(seat["seat"]);
                        p { (WORDS.say("js-free-seat").with("name", text(seat, "name"))) }
                        button.button type="submit" { (say("js-sit")) }
                    }
                }
            }
        }
    }

    /// What can be done under the board: step through the game, take back, ask at an address of the room or of the
    /// game, give up.
    pub(crate) fn controls(&self, hint: Option<&str>) -> Markup {
        let base = self.base();
        let hint = hint.map_or_else(|| format!("{base}/hint"), str::to_owned);
        html! {
            div.row.controls-row {
                @if self.can("replay") {
                    span.steps #steps hidden {
                        button.button.icon type="button" data-step="first" aria-label=(say("step-first")) { (ICON_FIRST) }
                        button.button.icon type="button" data-step="back" aria-label=(say("step-back")) aria-keyshortcuts="ArrowLeft" { (ICON_BACK) }
                        button.button.icon type="button" data-step="on" aria-label=(say("step-on")) aria-keyshortcuts="ArrowRight" { (ICON_ON) }
                        button.button.icon type="button" data-step="last" aria-label=(say("step-last")) { (ICON_LAST) }
                    }
                }
                @for (name, to) in [("undo", format!("{base}/undo")), ("hint", hint), ("resign", format!("{base}/resign"))] {
                    form.(name) id={ "to-" (name) } action=(to) method="post" {
                        button.button type="submit" disabled[!self.can(name)] { (say(name)) }
                    }
                }
                details.more-deeds {
                    summary.button { (say("more-deeds")) }
                    div.more-box {
                        form.move.row action={ (base) "/move" } method="post" {
                            input type="hidden" name="ply" value=(self.state["ply"]);
                            label for="typed" { (say("type-move")) }
                            input #typed name="move" type="text" autocomplete="off" maxlength="4000" required;
                            button.button type="submit" { (say("send")) }
                        }
                        div.row #deeds {
                            a.button.quiet href={ "/new/" (self.game) } { (say("new-game")) }
                            a.button.quiet href={ (base) "/record" } { (say("record")) }
                        }
                        ul.specs {
                            @for seat in self.state["seats"].as_array().into_iter().flatten() {
                                li { (text(seat, "name")) ": " code { (text(seat, "player")) } }
                            }
                        }
                    }
                }
            }
        }
    }

    /// What the machine thought, and the moves.
    pub(crate) fn thoughts(&self) -> Markup {
        html! {
            section.panel.thoughts {
                h2 { (say("lines")) }
                div #lines { p.muted { (say("lines-none")) } }
            }
            (self.moves())
        }
    }

    /// The moves so far.
    pub(crate) fn moves(&self) -> Markup {
        html! {
            section.panel {
                h2 { (say("moves")) }
                ol #moves {
                    @for mv in self.state["moves"].as_array().into_iter().flatten() {
                        li { span.muted { (text(mv, "name")) } " " (text(mv, "move")) }
                    }
                }
            }
        }
    }

    /// Where the thread of a decision opens.
    pub(crate) fn thread() -> Markup {
        html! {
            details.panel #thread hidden {
                summary { (say("thread")) }
                p.muted { (say("thread-none")) }
                wits-thread {}
            }
        }
    }
}

const ICON_FIRST: PreEscaped<&str> = PreEscaped(
    r#"<svg viewBox="0 0 20 20" aria-hidden="true"><path d="M4 4v12M16 4 7 10l9 6Z"/></svg>"#,
);
const ICON_BACK: PreEscaped<&str> =
    PreEscaped(r#"<svg viewBox="0 0 20 20" aria-hidden="true"><path d="M14 4 5 10l9 6Z"/></svg>"#);
const ICON_ON: PreEscaped<&str> =
    PreEscaped(r#"<svg viewBox="0 0 20 20" aria-hidden="true"><path d="M6 4l9 6-9 6Z"/></svg>"#);
const ICON_LAST: PreEscaped<&str> = PreEscaped(
    r#"<svg viewBox="0 0 20 20" aria-hidden="true"><path d="M16 4v12M4 4l9 6-9 6Z"/></svg>"#,
);
