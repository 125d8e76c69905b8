//! What machines make of a word: the thesis's scores, how soon it is lost, and how long they think.

use std::time::Duration;

use axum::extract::Query;
use axum::http::HeaderMap;
use axum::response::Response;
use maud::{Markup, PreEscaped, html};
use wits_game::{Figure, Seed};
use wits_search::{Budget, Limits};
use wits_thue::fits::{self, Children};
use wits_thue::game::Insertion;
use wits_thue::players::{Round, play_round};
use wits_thue::solve::{Depth, Solver};
use wits_thue::thesis::Chart;
use wits_thue::threads;
use wits_thue::words::stretches;

use super::asked::{Asked, Subject};
use super::lab::sent;
use crate::pages::{say, written};
use crate::routes::blocking;
use crate::think::soon;
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// The longest word whose gaps are scored.
const SCORED: usize = 80;
/// The longest word that the solver is asked about.
const SOLVED: usize = 30;
/// The largest alphabet that it takes.
const SOLVED_SYMBOLS: usize = 8;
/// The most picks that are searched.
const DEEPEST: u32 = 20;
/// The most positions that are searched for one page: about half a second.
const POSITIONS: u64 = 60_000;
/// On a slow or busy machine a page does not wait longer than this for the search.
const WAIT: Duration = Duration::from_secs(2);
/// The memory of one search.
const MEMORY: usize = 8 << 20;
/// The longest round whose decisions are timed.
const TIMED: usize = 200;
/// A decision that takes longer ends the round.
const PATIENCE: Duration = Duration::from_millis(200);

/// How soon the Builder wins from a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Lost {
    /// Within so many picks, with this gap first.
    Within { picks: u32, gap: usize },
    /// Not within so many; more was not searched.
    NotWithin(u32),
    /// The solver does not take this word.
    TooLarge,
}

/// What was thought about a word.
pub(super) struct Thought {
    /// How much fits after each symbol; nothing for long words.
    scores: Option<Children>,
    /// How soon it is lost.
    lost: Lost,
    /// How many positions the solver looked at.
    positions: u64,
    /// A round whose decisions were timed.
    round: Option<Round>,
}

fn solve(subject: &Subject, budget: &Budget) -> (Lost, u64) {
    let word = &subject.word;
    let fits = word.len() <= SOLVED && subject.symbols <= SOLVED_SYMBOLS;
    let Ok(solver) = Solver::new(subject.variant, subject.symbols.min(SOLVED_SYMBOLS), MEMORY)
    else {
        return (Lost::TooLarge, 0);
    };
    if !fits {
        return (Lost::TooLarge, 0);
    }
    let mut lost = Lost::NotWithin(0);
    for depth in 1..=DEEPEST {
        match solver.at_depth(word, depth, budget) {
            Depth::Won => {
                // Most answers about the gaps are in the table by now; the rest may cost as much again.
                let more = crate::engine::budget(Limits::nodes(2 * POSITIONS), budget.flag());
                let gap = solver.winning_gap(word, depth, &more);
                lost = gap.map_or(lost, |gap| Lost::Within { picks: depth, gap });
                break;
            }
            Depth::Refuted => lost = Lost::NotWithin(depth),
            Depth::Unknown => break,
        }
    }
    (lost, solver.positions())
}

/// What a page knows of a machine's thoughts.
pub(super) enum Thoughts {
    /// There is nothing to think about.
    None,
    /// Every thinker is busy with others.
    Later,
    /// These.
    Here(Thought),
}

/// Thinks on a thinker's thread, so that pages and moves go on. Nothing for a word with a
/// repetition, unless a round is to be timed.
pub(super) async fn thoughts(
    app: &App,
    visitor: Visitor,
    headers: &HeaderMap,
    subject: &Subject,
    levels: Option<(u32, u32)>,
) -> Result<Thoughts, Fault> {
    let free = stretches::free_of(&subject.word, subject.variant);
    if !free && levels.is_none() {
        return Ok(Thoughts::None);
    }
    let subject = subject.clone();
    let thought = soon(app, visitor, headers, WAIT, move |budget| {
        let limits = Limits::nodes(POSITIONS).and(Limits::time(WAIT));
        let budget = crate::engine::budget(limits, budget.flag());
        let scored = free && subject.word.len() <= SCORED;
        let scores =
            scored.then(|| fits::children(&subject.word, subject.symbols, subject.variant));
        let (lost, positions) = if free {
            // One thread of its own: a search must not take all cores from the games.
            wits_thue::with_threads(1, || solve(&subject, &budget)).unwrap_or((Lost::TooLarge, 0))
        } else {
            (Lost::TooLarge, 0)
        };
        let game = Insertion {
            max_moves: TIMED,
            ..Insertion::new(subject.variant, subject.symbols)
        };
        let round = levels.map(|(builder, painter)| {
            play_round(&game, builder, painter, Seed::new(1), Some(PATIENCE))
        });
        Thought {
            scores,
            lost,
            positions,
            round,
        }
    });
    Ok(thought.await?.map_or(Thoughts::Later, Thoughts::Here))
}

/// The part of the page about what machines think.
pub(super) fn section(subject: &Subject, thoughts: &Thought) -> Markup {
    html! {
        @if stretches::free_of(&subject.word, subject.variant) {
            section #thoughts {
                h3 { (say("thue-lost-title")) }
                (meter(thoughts))
                @if let Some(scores) = &thoughts.scores {
                    h3 { (say("thue-thoughts")) }
                    p { (say("thue-thoughts-about")) }
                    (table(subject, scores))
                    details.panel {
                        summary { (say("thue-tree")) }
                        wits-thread src={ "/thue/tree?" (subject.query()) } {}
                    }
                }
            }
        }
    }
}

fn meter(thoughts: &Thought) -> Markup {
    html! {
        @match thoughts.lost {
            Lost::Within { picks, gap } => {
                p.thue-lost #lost {
                    meter min="0" max=(DEEPEST) value=(picks) aria-label=(say("thue-lost-title")) {} " "
                    (WORDS.say("thue-lost").with("picks", picks).with("gap", gap).with("positions", thoughts.positions))
                }
            }
            Lost::NotWithin(depth) => {
                p.thue-lost #lost {
                    meter min="0" max=(DEEPEST) value=(DEEPEST) aria-label=(say("thue-lost-title")) {} " "
                    (WORDS.say("thue-not-lost").with("picks", depth).with("positions", thoughts.positions))
                }
            }
            Lost::TooLarge => p.muted #lost { (WORDS.say("thue-unsolved").with("symbols", SOLVED_SYMBOLS).with("length", SOLVED)) },
        }
    }
}

/// The scores of each gap and symbol at level one.
fn table(subject: &Subject, known: &Children) -> Markup {
    let sum = |gap: usize| -> u64 {
        fits::symbols(known.fits[gap])
            .map(|symbol| known.total(gap, symbol))
            .sum()
    };
    let sums: Vec<u64> = (0..known.fits.len()).map(sum).collect();
    let (least, most) = (
        sums.iter().copied().min().unwrap_or(0),
        sums.iter().copied().max().unwrap_or(0).max(1),
    );
    html! {
        div.mb-scroll tabindex="0" role="region" aria-label=(say("thue-thoughts")) {
            table.data.thue-scores {
                thead { tr { @for key in ["thue-gap", "thue-sum", "thue-bar", "thue-after"] { th scope="col" { (say(key)) } } } }
                tbody {
                    @for (gap, &total) in sums.iter().enumerate() {
                        tr.best[total == least] {
                            th scope="row" { (gap) @if total == least { " ←" } }
                            td { (total) }
                            td {
                                svg.thue-sum viewBox="0 0 100 12" width="100" height="12" aria-hidden="true" {
                                    rect x="0" y="2" height="8" width=(total * 100 / most) {}
                                }
                            }
                            td { (after(subject, known, gap)) }
                        }
                    }
                }
            }
        }
    }
}

/// What fits after each symbol of a gap; the Painter's best is marked.
fn after(subject: &Subject, known: &Children, gap: usize) -> Markup {
    let scores: Vec<(u8, u64)> = fits::symbols(known.fits[gap])
        .map(|symbol| (symbol, known.total(gap, symbol)))
        .collect();
    let best = scores.iter().map(|&(_, score)| score).max();
    html! {
        @if scores.is_empty() { (say("thue-dead-gap")) }
        @for (symbol, score) in scores {
            a.thue-choice.best[Some(score) == best] href=(subject.with(&subject.word.with(gap, symbol))) {
                span class={ "thue-fit c" (symbol % 8) } { (symbol) } " " (score) @if Some(score) == best { " ★" }
                span.sr-only { " " (WORDS.say("thue-choice").with("symbol", symbol).with("gap", gap)) }
            } " "
        }
    }
}

/// How long each decision of the timed round took.
pub(super) fn times(round: &Round) -> Markup {
    let points = |builder: bool| -> Vec<(f64, f64)> {
        let own = round.decisions.iter().filter(|d| d.builder == builder);
        own.map(|d| (d.length as f64, d.seconds * 1000.0)).collect()
    };
    html! {
        p #round role="status" {
            (WORDS.say(if round.aborted { "thue-round-cut" } else if round.finished { "thue-round" } else { "thue-round-full" })
                .with("builder", round.builder).with("painter", round.painter)
                .with("moves", round.moves).with("points", round.last.points()))
        }
        @for (builder, key) in [(true, "thue-times-builder"), (false, "thue-times-painter")] {
            @let chart = Chart { title: say(key), upright: say("thue-times-axis"), points: points(builder) };
            // The library escapes every text it draws.
            figure.mb-chart { (PreEscaped(chart.svg())) }
        }
        details.panel {
            summary { (say("thue-times-table")) }
            div.mb-scroll tabindex="0" role="region" aria-label=(say("thue-times-table")) {
                table.data {
                    thead { tr { @for key in ["thue-length", "thue-who", "thue-chose", "thue-fitting", "thue-simulated", "thue-times-axis"] { th scope="col" { (say(key)) } } } }
                    tbody {
                        @for d in &round.decisions {
                            tr {
                                td { (d.length) }
                                td { (say(if d.builder { "thue-builder" } else { "thue-painter" })) }
                                td { (d.choice) } td { (d.fits) } td { (d.simulated) }
                                td { (written(Figure::Decimal(d.seconds * 1000.0, 3))) }
                            }
                        }
                    }
                }
            }
        }
    }
}

impl Thought {
    /// The round whose decisions were timed.
    pub(super) fn round(&self) -> Option<&Round> {
        self.round.as_ref()
    }
}

/// `GET /thue/tree`: gaps, symbols and sums as a tree that grows.
pub(super) async fn tree(
    Query(asked): Query<Asked>,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let subject = asked.subject().map_err(|f| f.for_reader(&headers))?;
    let free = stretches::free_of(&subject.word, subject.variant);
    if !free || subject.word.len() > SCORED {
        return Err(Fault::missing().for_reader(&headers));
    }
    blocking(move || {
        let (word, symbols) = (&subject.word, subject.symbols);
        Ok(sent(&threads::tree(word, symbols, subject.variant)))
    })
    .await
}

#[cfg(test)]
mod tests {
    use wits_thue::Variant;

    use super::*;

    fn lost(word: &str, symbols: usize, variant: Variant) -> Lost {
        let word = word.parse().unwrap();
        let subject = Subject {
            word,
            symbols,
            variant,
        };
        solve(&subject, &Budget::start(Limits::nodes(POSITIONS))).0
    }

    #[test]
    fn the_meter_knows_the_values_of_the_facts() {
        let picks = |word, symbols, variant| match lost(word, symbols, variant) {
            Lost::Within { picks, .. } => Some(picks),
            _ => None,
        };
        assert_eq!(picks("0", 2, Variant::Square), Some(2));
        assert_eq!(picks("0", 3, Variant::Square), Some(4));
        assert_eq!(picks("0", 4, Variant::Square), Some(6));
        assert_eq!(picks("0", 2, Variant::Overlap), Some(4));
        assert_eq!(picks("0212", 3, Variant::Square), Some(1), "gap 1 is dead");
        assert!(matches!(lost("0", 5, Variant::Square), Lost::NotWithin(n) if n >= 8));
        assert_eq!(lost("0", 12, Variant::Square), Lost::TooLarge);
    }
}
