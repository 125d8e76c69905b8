//! What every heuristic says of a position, side by side.

use maud::{Markup, html};
use wits_game::Figure;
use wits_othello::{Heuristic, Position, bits, stable};

use crate::WORDS;
use crate::pages::{say, written};

/// What both sides have: the numbers that the heuristics are made of.
fn counts(p: &Position) -> [(&'static str, u32, u32); 5] {
    let empty = !p.taken();
    let stable = stable(p.black, p.white);
    let count = |set: u64| set.count_ones();
    [
        ("othello-count-discs", count(p.black), count(p.white)),
        (
            "othello-count-moves",
            count(bits::moves(p.black, p.white)),
            count(bits::moves(p.white, p.black)),
        ),
        (
            "othello-count-frontier",
            count(bits::around(p.black) & empty),
            count(bits::around(p.white) & empty),
        ),
        (
            "othello-count-corners",
            count(p.black & bits::CORNERS),
            count(p.white & bits::CORNERS),
        ),
        (
            "othello-count-stable",
            count(stable & p.black),
            count(stable & p.white),
        ),
    ]
}

const fn about(heuristic: Heuristic) -> &'static str {
    match heuristic {
        Heuristic::MaximumDisc => "othello-h-max-disc",
        Heuristic::MinimumDisc => "othello-h-min-disc",
        Heuristic::WeightedMaggs | Heuristic::WeightedSannidhanam | Heuristic::WeightedKorman => {
            "othello-h-weighted"
        }
        Heuristic::CornersOwned => "othello-h-corn-own",
        Heuristic::CornerCloseness => "othello-h-corn-close",
        Heuristic::CurrentMobility => "othello-h-cur-mob",
        Heuristic::PotentialMobility => "othello-h-pot-mob",
        Heuristic::Stability => "othello-h-stab",
        Heuristic::InternalStability => "othello-h-int-stab",
        Heuristic::EdgeStability => "othello-h-edge-stab",
        Heuristic::Korman => "othello-h-korman",
        Heuristic::Iago => "othello-h-iago",
        Heuristic::Le051
        | Heuristic::Le064
        | Heuristic::Le148
        | Heuristic::Le162
        | Heuristic::Le215
        | Heuristic::Own(_) => "othello-h-linear",
    }
}

/// A bar from the middle: to the right where it is good for Black, to the left where for White.
fn bar(value: f64, bound: f64) -> Markup {
    let length = (value.abs() / bound * 60.0).min(60.0);
    let left = if value < 0.0 { 60.0 - length } else { 60.0 };
    let side = if value < 0.0 { "white" } else { "black" };
    html! {
        svg.oth-bar viewBox="0 0 120 16" width="120" height="16" aria-hidden="true" {
            rect.oth-track x="0" y="3" width="120" height="10" {}
            rect class={ "oth-" (side) } x=(format!("{left:.1}")) y="3" width=(format!("{length:.1}")) height="10" {}
            path.oth-middle d="M60 0V16" {}
        }
    }
}

/// The part of the page about heuristics.
pub(super) fn section(position: &Position) -> Markup {
    html! {
        section.panel #breakdown {
            h2 { (say("othello-breakdown")) }
            p.muted { (WORDS.say("othello-breakdown-about").with("move", i64::from(position.move_number()))) }
            div.oth-pair {
                div.mb-scroll {
                    table.data.oth-counts {
                        thead { tr { th scope="col" { (say("othello-count")) } th scope="col" { (say("othello-black")) } th scope="col" { (say("othello-white")) } } }
                        tbody {
                            @for (key, black, white) in counts(position) {
                                tr { th scope="row" { (say(key)) } td { (black) } td { (white) } }
                            }
                        }
                    }
                }
                div.mb-scroll tabindex="0" role="region" aria-label=(say("othello-breakdown")) {
                    table.data.oth-heuristics {
                        thead { tr { @for key in ["othello-heuristic", "othello-value", "othello-for", "othello-means"] { th scope="col" { (say(key)) } } } }
                        tbody {
                            @for heuristic in Heuristic::ALL {
                                @let value = heuristic.value(position);
                                tr data-heuristic=(heuristic.id()) {
                                    th scope="row" { code { (heuristic.id()) } }
                                    td { (written(Figure::Signed(value, 1))) }
                                    td { (bar(value, heuristic.bound())) }
                                    td { (say(about(heuristic))) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
