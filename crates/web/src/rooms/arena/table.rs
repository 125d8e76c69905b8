//! Standings and cross table as HTML.

use maud::{Markup, html};
use wits_arena::{Cell, Coordinator, Faults, Format, Live, Row, Table, Tournament};
use wits_game::{Figure, Lang, Message};

use crate::WORDS;
use crate::pages::{machines, say, written};

/// What is played, on one line.
pub(super) fn line(t: &Tournament, title: String) -> Message {
    let format = match t.format {
        Format::RoundRobin => "arena-format-round-robin",
        Format::Gauntlet { .. } => "arena-format-gauntlet",
        Format::Swiss { .. } => "arena-format-swiss",
        Format::Knockout => "arena-format-knockout",
    };
    let line = WORDS.say("arena-line").with("game", title);
    line.with("format", WORDS.say(format))
        .with("seed", t.seed.number())
}

/// Everything about a run that changes while it is played.
pub(super) fn live(
    coordinator: &Coordinator<'_>,
    speed: Option<f64>,
    now: Option<&Live>,
) -> Markup {
    let table = coordinator.table();
    let far = coordinator.progress();
    let workers: Vec<String> = coordinator
        .workers()
        .iter()
        .map(|(name, count)| {
            let worker = WORDS.say("arena-worker").with("name", name);
            worker.with("count", *count).to_string()
        })
        .collect();
    html! {
        p #state role="status" {
            @if far.finished {
                (WORDS.say("arena-over").with("games", table.games).with("distinct", table.distinct))
            } @else {
                (WORDS.say("arena-progress").with("done", far.done).with("total", far.total).with("games", far.games))
            }
        }
        progress.arena-bar max=(far.total) value=(far.done) aria-label=(say("arena-bar")) {}
        p.muted {
            @if let Some(speed) = now.map(|now| now.speed).or(speed) { (WORDS.say("arena-speed").with("speed", Figure::Decimal(speed, 1))) ". " }
            @if !workers.is_empty() { (WORDS.say("arena-workers").with("list", workers.join(", "))) "." }
        }
        @if let Some(now) = now { (at_work(now)) }
        h2 { (say("arena-table")) }
        (standings(&table))
        @if table.bounded { p.muted { (say("arena-bounded")) } }
        @if table.games > 2 && table.distinct * 4 < table.games { p.muted { (say("arena-repeats")) } }
        (faults(&table))
        h2 { (say("arena-cross")) }
        p.muted { (say("arena-cross-lead")) }
        (cross(&coordinator.tournament().name, &table))
    }
}

/// A share in whole per cent.
pub(super) fn percent(share: f64) -> String {
    let gap = if Lang::spoken() == Lang::En {
        ""
    } else {
        "\u{a0}"
    };
    format!("{}{gap}%", written(Figure::Decimal(100.0 * share, 0)))
}

/// Who plays it now, and how many jobs are on their way.
fn at_work(now: &Live) -> Markup {
    let jobs = WORDS
        .say("arena-jobs")
        .with("out", now.out)
        .with("playing", now.playing)
        .with("again", now.again);
    html! {
        h2 { (say("arena-now")) }
        p #jobs { (jobs) }
        @if now.workers.is_empty() { p.muted { (say("arena-no-workers")) } } @else {
            div.arena-scroll tabindex="0" role="region" aria-label=(say("arena-now")) {
                table.data #workers {
                    thead { tr {
                        th.words scope="col" { (say("arena-worker-name")) }
                        th scope="col" { (say("arena-worker-playing")) }
                        th scope="col" { (say("arena-worker-threads")) }
                        th scope="col" { (say("arena-worker-done")) }
                        th.words scope="col" { (say("arena-state")) }
                    } }
                    tbody { @for worker in &now.workers {
                        tr {
                            th.words scope="row" { (worker.name) }
                            td { (worker.playing.len()) }
                            td { (worker.threads) }
                            td { (worker.done) }
                            td.words { (say(if worker.state == wits_queue::State::Draining { "arena-worker-leaves" } else { "arena-worker-works" })) }
                        }
                    } }
                }
            }
        }
    }
}

fn standings(table: &Table) -> Markup {
    let range = || table.rows.iter().map(|r| r.rating.elo);
    let (low, high) = (
        range().fold(f64::MAX, f64::min) - 60.0,
        range().fold(f64::MIN, f64::max) + 60.0,
    );
    let faults = table.rows.iter().any(|r| r.faults.total() > 0);
    let names = machines::apart(table.rows.iter().map(|row| row.name.as_str()));
    html! {
        div.arena-scroll tabindex="0" role="region" aria-label=(say("arena-wide-table")) {
            table.data #standings {
                thead { tr {
                    th scope="col" { (say("arena-rank")) }
                    th.words scope="col" { (say("arena-player")) }
                    th scope="col" { (say("arena-rating")) }
                    th scope="col" { (say("arena-between")) }
                    th scope="col" { (say("arena-next")) }
                    th scope="col" { (say("arena-score")) }
                    th scope="col" { (say("arena-won")) }
                    th scope="col" { (say("arena-drawn")) }
                    th scope="col" { (say("arena-lost")) }
                    th scope="col" { (say("arena-ms")) }
                    th scope="col" { (say("arena-nodes")) }
                    @if faults { th scope="col" { (say("arena-faults")) } }
                } }
                tbody { @for ((place, row), name) in (1..).zip(&table.rows).zip(&names) { (standing((place, name), row, (low, high), faults)) } }
            }
        }
    }
}

fn standing(
    (place, name): (usize, &str),
    row: &Row,
    (low, high): (f64, f64),
    faults: bool,
) -> Markup {
    let (least, most) = row.rating.interval;
    html! {
        tr {
            td { (place) }
            th.words scope="row" title=(row.name) {
                (name)
                @if let Some(seats) = &row.bound {
                    " " small.muted { (WORDS.say("arena-bound").with("seats", seats.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))) }
                }
            }
            td { strong { (elo(row.rating.elo)) } }
            td { (elo(least)) " – " (elo(most)) " " (whisker(row.rating.elo, least, most, low, high)) }
            td { @if let Some(ahead) = row.ahead { (percent(ahead)) } }
            td { (written(Figure::share(row.score))) }
            td { (row.wins) }
            td { (row.draws) }
            td { (row.losses) }
            td { (written(Figure::Decimal(row.ms_per_move, if row.ms_per_move < 10.0 { 2 } else { 0 }))) }
            td { (written(Figure::whole(row.nodes_per_move.round() as i64))) }
            @if faults { td { (row.faults.total()) } }
        }
    }
}

/// A rating to the nearest point.
pub(super) fn elo(rating: f64) -> String {
    written(Figure::Decimal(rating.round() + 0.0, 0))
}

/// Who lost by faults, and by which: one line for each.
fn faults(table: &Table) -> Markup {
    let names = machines::apart(table.rows.iter().map(|row| row.name.as_str()));
    let faulty = |(row, _): &(&Row, String)| row.faults.total() > 0;
    let mut rows = table.rows.iter().zip(names).filter(faulty).peekable();
    html! {
        @if rows.peek().is_some() {
            ul #faults { @for (row, name) in rows {
                li { (WORDS.say("arena-fault-line").with("name", name).with("total", row.faults.total()).with("list", fault_words(row.faults))) }
            } }
        }
    }
}

fn fault_words(faults: Faults) -> String {
    let counts = [
        ("bot-fault-illegal", faults.illegal),
        ("bot-fault-crashed", faults.crash),
        ("bot-fault-late", faults.late),
        ("bot-fault-silent", faults.hang),
        ("bot-fault-disconnected", faults.disconnected),
        ("bot-fault-unreadable", faults.unreadable),
    ];
    let there = counts.into_iter().filter(|(_, count)| *count > 0);
    let words = there.map(|(key, count)| format!("{} {count}×", say(key)));
    words.collect::<Vec<_>>().join(", ")
}

/// A rating with its interval as a line with a dot; the numbers stand beside it.
pub(super) fn whisker(at: f64, least: f64, most: f64, low: f64, high: f64) -> Markup {
    let place = |elo: f64| (2.0 + 76.0 * (elo - low) / (high - low).max(1.0)).clamp(2.0, 78.0);
    let number = |x: f64| format!("{x:.1}");
    html! {
        svg.arena-whisker viewBox="0 0 80 12" width="80" height="12" aria-hidden="true" {
            line x1=(number(place(least))) x2=(number(place(most))) y1="6" y2="6" {}
            circle cx=(number(place(at))) cy="6" r="4" {}
        }
    }
}

fn cross(run: &str, table: &Table) -> Markup {
    let order: Vec<usize> = table.rows.iter().map(|r| r.player).collect();
    let names = machines::apart(table.rows.iter().map(|row| row.name.as_str()));
    html! {
        div.arena-scroll tabindex="0" role="region" aria-label=(say("arena-cross")) {
            table.data #cross {
                thead { tr {
                    td {}
                    @for place in 1..=order.len() { th scope="col" { (place) } }
                } }
                tbody {
                    @for ((place, row), name) in (1..).zip(&table.rows).zip(&names) {
                        tr {
                            th scope="row" title=(row.name) { (place) ". " (name) }
                            @for &other in &order { (meeting(run, (row.player, other), table.cross[row.player][other].as_ref())) }
                        }
                    }
                }
            }
        }
    }
}

/// What two players did against each other, which leads to their games.
fn meeting(run: &str, (a, b): (usize, usize), cell: Option<&Cell>) -> Markup {
    let Some(cell) = cell else {
        return html! { td { @if a == b { "·" } @else { "–" } } };
    };
    let lead = if cell.superiority >= 0.95 {
        "ahead"
    } else if cell.superiority <= 0.05 {
        "behind"
    } else {
        "even"
    };
    html! {
        td class={ "arena-" (lead) } {
            a.number href=(super::games::address(run, a, b)) title=(say("arena-open-games")) { "+" (cell.wins) " =" (cell.draws) " −" (cell.losses) }
            br;
            small { (percent(cell.superiority)) }
        }
    }
}
