//! The sheet for a new game: what is agreed, what that already decides, and how strong the machine is.

use maud::{Markup, html};
use wits_play::Budget;
use wits_rainbow::forecast::{Forecast, forecast};
use wits_rainbow::{Side, Terms};

use super::room::Asked;
use super::{Wrong, given, number};
use crate::WORDS;
use crate::pages::say;

/// What a new game usually is: the terms of the document this room follows.
const USUAL: (u64, u64, u64) = (30, 5, 10);

/// A game that can be started.
pub(super) struct Sheet {
    terms: Terms,
    /// The person's side.
    side: Side,
    forecast: Forecast,
}

impl Sheet {
    /// What the form says, with what it decides.
    pub(super) fn of(asked: &Asked, budget: &Budget) -> Result<Sheet, Wrong> {
        let (n, k, c) = USUAL;
        let n = number("n", asked.n.as_ref(), n)?;
        let k = number("k", asked.k.as_ref(), k)?;
        let c = number("c", asked.c.as_ref(), c)?;
        let first = side(asked.first.as_ref(), Side::Maker)?;
        let side = side(asked.side.as_ref(), Side::Breaker)?;
        let terms = Terms::new(n, k, c, first)?;
        let forecast = forecast(&terms, budget);
        Ok(Sheet {
            terms,
            side,
            forecast,
        })
    }

    /// What is decided, and the button that starts.
    pub(super) fn show(&self) -> Markup {
        let terms = &self.terms;
        let machine = self.side.other();
        let (mine, seat) = (self.side.seat(), machine.seat());
        // The five strategies are Maker's; Breaker's are the five hints.
        let (player, about) = match machine {
            Side::Maker => ("level", "param-level"),
            Side::Breaker => ("hint", "param-hint"),
        };
        html! {
            div.panel.rb-decided {
                p {
                    (WORDS.say("rainbow-terms")
                        .with("n", terms.n()).with("k", terms.k()).with("c", terms.c())
                        .with("first", terms.first().name()).with("side", self.side.name()))
                }
                p #forecast {
                    b { (say(if self.forecast.winner.is_some() { "rainbow-decided" } else { "rainbow-undecided" })) }
                    " " (self.forecast.why)
                }
                form #start action="/games" method="post" {
                    input type="hidden" name="game" value="rainbow";
                    input type="hidden" name="p.n" value=(terms.n());
                    input type="hidden" name="p.k" value=(terms.k());
                    input type="hidden" name="p.c" value=(terms.c());
                    input type="hidden" name="p.first" value=(terms.first());
                    input type="hidden" name={ "seats." (mine) } value="human";
                    div.field {
                        label for="machine" { (say("rainbow-machine")) }
                        select #machine name={ "seats." (seat) } {
                            option value=(player) selected { (say("rainbow-machine-level")) }
                            option value="strong" { (say("rainbow-machine-strong")) }
                            option value="perfect" { (say("rainbow-machine-perfect")) }
                        }
                    }
                    div.field {
                        label for="level" { (say("rainbow-level")) " " output for="level" { "3" } }
                        input #level type="range" min="0" max="4" step="1" value="3" name={ "seats." (seat) "." (player) ".level" } aria-describedby="level-about";
                        small #level-about { (wits_rainbow::WORDS.say(about)) }
                    }
                    div.field {
                        label for="seed" { (say("seed")) }
                        input #seed name="seed" type="number" min="0" max="9007199254740991";
                        small { (say("seed-about")) }
                    }
                    button.button.primary type="submit" { (say("begin")) }
                }
            }
        }
    }
}

fn side(field: Option<&String>, usual: Side) -> Result<Side, Wrong> {
    given(field).map_or(Ok(usual), |word| word.parse().map_err(Wrong::from))
}

/// The form of the terms, as it was filled in.
pub(super) fn form(asked: &Asked) -> Markup {
    let (n, k, c) = USUAL;
    let most = u64::from(Terms::MOST_NUMBERS);
    let fields = [
        ("n", "param-n", &asked.n, n, 2, most),
        ("k", "param-k", &asked.k, k, 2, most),
        ("c", "param-c", &asked.c, c, 1, Terms::MOST_COLOURS.into()),
    ];
    let sides = [
        ("first", "rainbow-first", &asked.first, Side::Maker),
        ("side", "rainbow-side", &asked.side, Side::Breaker),
    ];
    html! {
        form.rb-form #terms action="/rainbow" method="get" {
            @for (name, about, field, usual, least, most) in fields {
                div.field {
                    label for=(name) { (name) }
                    input id=(name) name=(name) type="number" min=(least) max=(most) required value=(given(field.as_ref()).map_or(usual.to_string(), str::to_owned));
                    small { (wits_rainbow::WORDS.say(about)) }
                }
            }
            @for (name, label, field, usual) in sides {
                @let chosen = side(field.as_ref(), usual).unwrap_or(usual);
                div.field {
                    label for=(name) { (say(label)) }
                    select id=(name) name=(name) {
                        @for side in Side::BOTH {
                            option value=(side) selected[side == chosen] { (side.name()) }
                        }
                    }
                }
            }
            button.button type="submit" { (say("rainbow-look")) }
        }
    }
}
