//! The complexity corner: the largest fragment of a list, three ways, and how their times grow.

use std::time::Instant;

use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use maud::{Markup, PreEscaped, html};
use serde::Deserialize;
use wits_game::Seed;
use wits_matchbox::growth::amount;
use wits_matchbox::maxsum::{
    Careful, Method, Race, RaceRules, careful, overflowing_numbers, race, random_numbers,
};
use wits_matchbox::svg::growth_chart;

use crate::pages::{frame, page, say};
use crate::think::analyse;
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// The longest list that is made here.
const MOST: usize = 1_000_000;
/// The longest list that is typed in.
const MOST_TYPED: usize = 2_000;
/// Random numbers go from minus this to this.
const WIDTH: u32 = 100;
/// A list up to this length is shown whole, with the fragment marked.
const SHOWN: usize = 200;
/// A method that would take longer than this many seconds is predicted.
const PATIENCE: f64 = 0.8;

/// What the form says.
#[derive(Clone, Default, Deserialize)]
pub(super) struct Asked {
    numbers: Option<String>,
    n: Option<String>,
    seed: Option<String>,
}

/// A race that was run, and the careful answer of its quickest method.
struct Run {
    numbers: Vec<i64>,
    race: Race,
    careful: Careful,
}

fn bad(code: &'static str, message: wits_game::Message) -> Fault {
    Fault::new(
        StatusCode::UNPROCESSABLE_ENTITY,
        code,
        message,
        WORDS.say("maxsum-bad-hint"),
    )
}

/// Numbers as people type them: parted by blanks, commas or semicolons.
fn typed(text: &str) -> Result<Vec<i64>, Fault> {
    let parts = text.split(|c: char| c.is_whitespace() || c == ',' || c == ';');
    let mut numbers = Vec::new();
    for part in parts.filter(|part| !part.is_empty()) {
        let plain = part.replace('−', "-");
        let number = plain.parse::<i64>().map_err(|_| {
            let shown: String = part.chars().take(40).collect();
            let which = numbers.len() + 1;
            bad(
                "bad-number",
                WORDS
                    .say("maxsum-bad-number")
                    .with("text", shown)
                    .with("which", which),
            )
        })?;
        numbers.push(number);
        if numbers.len() > MOST_TYPED {
            return Err(bad(
                "too-many",
                WORDS.say("maxsum-too-many").with("most", MOST_TYPED),
            ));
        }
    }
    Ok(numbers)
}

impl Asked {
    /// The list that is asked for, if any is.
    fn list(&self) -> Result<Option<Vec<i64>>, Fault> {
        let given = |field: &Option<String>| {
            let text = field.as_deref().unwrap_or_default().trim();
            (!text.is_empty()).then(|| text.to_owned())
        };
        if let Some(text) = given(&self.numbers) {
            return typed(&text).map(Some);
        }
        let Some(n) = given(&self.n) else {
            return Ok(None);
        };
        let count = n.parse::<usize>().ok().filter(|n| (1..=MOST).contains(n));
        let count = count.ok_or_else(|| {
            let shown: String = n.chars().take(40).collect();
            let why = WORDS
                .say("maxsum-bad-n")
                .with("text", shown)
                .with("most", MOST);
            bad("bad-n", why)
        })?;
        let seed = given(&self.seed).map_or(Ok(Seed::new(1)), |text| {
            text.parse::<Seed>()
                .map_err(|e| Fault::unreadable(e.to_string()))
        })?;
        Ok(Some(random_numbers(count, WIDTH, seed)))
    }
}

/// `GET /maxsum`
pub(super) async fn show(
    State(app): State<App>,
    Query(asked): Query<Asked>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let list = asked.list().map_err(|f| f.for_reader(&headers))?;
    let run = match list {
        Some(numbers) => Some(measure(&app, visitor, numbers).await?),
        None => None,
    };
    let title = say("maxsum-title");
    let example: Vec<String> = overflowing_numbers().iter().map(i64::to_string).collect();
    let body = html! {
        main #main {
            h1 { (title) }
            p.lead { (say("maxsum-lead")) }
            form.sheet.mb-gap action="/maxsum" method="get" {
                div.field.wide {
                    label for="numbers" { (say("maxsum-numbers")) }
                    textarea #numbers name="numbers" rows="3" { (asked.numbers.as_deref().unwrap_or("3 -5 4 -1 6 -9 2")) }
                    small { (WORDS.say("maxsum-numbers-about").with("most", MOST_TYPED)) " " (say("maxsum-overflowing")) " " code { (example.join(" ")) } }
                }
                button.button.primary type="submit" { (say("maxsum-run")) }
            }
            form.row action="/maxsum" method="get" {
                span.mb-pair {
                    label for="n" { (say("maxsum-n")) }
                    input #n name="n" type="number" min="1" max=(MOST) value=(asked.n.as_deref().unwrap_or("10000")) required;
                }
                span.mb-pair {
                    label for="seed" { (say("seed")) }
                    input #seed name="seed" type="number" min="0" max="9007199254740991" value=(asked.seed.as_deref().unwrap_or("1"));
                }
                button.button type="submit" { (say("maxsum-run")) }
            }
            @if let Some(run) = &run { (answer(run)) }
        }
    };
    Ok(page(visitor, frame(&title, &[], &body)))
}

/// Measures on a thinker's thread, so that pages and moves go on.
async fn measure(app: &App, visitor: Visitor, numbers: Vec<i64>) -> Result<Run, Fault> {
    analyse(app, visitor, move |_| {
        let begun = Instant::now();
        let mut clock = || begun.elapsed().as_secs_f64();
        let rules = RaceRules {
            patience: PATIENCE,
            ..RaceRules::default()
        };
        let race = race(&numbers, rules, &mut clock);
        let careful = careful(Method::Linear, &numbers);
        Run {
            numbers,
            race,
            careful,
        }
    })
    .await
}

fn answer(run: &Run) -> Markup {
    let race = &run.race;
    let place = match (race.first, race.last) {
        (Some(first), Some(last)) => WORDS
            .say("maxsum-answer")
            .with("sum", run.careful.fragment.sum.to_string())
            .with("first", first + 1)
            .with("last", last + 1)
            .with("n", race.n),
        _ => WORDS.say("maxsum-empty"),
    };
    let seconds = [
        race.seconds.cubic,
        race.seconds.quadratic,
        race.seconds.linear,
    ];
    let mut answers = race.answers.iter();
    let rows: Vec<_> = Method::ALL
        .into_iter()
        .zip(seconds)
        .zip(&race.growth)
        .map(|((method, time), growth)| {
            let sum = time.and_then(|_| answers.next());
            (method, time, sum, growth)
        })
        .collect();
    html! {
        h2 { (say("maxsum-result")) }
        p { (place) }
        @if let Some(overflow) = run.careful.overflow {
            p.error { (WORDS.say("maxsum-overflow").with("index", overflow.index + 1).with("wrong", run.careful.unchecked.to_string())) }
        }
        @if run.numbers.len() <= SHOWN { (list(run)) }
        div.mb-scroll tabindex="0" role="region" aria-label=(say("maxsum-methods")) {
            table.data {
                thead { tr {
                    @for key in ["maxsum-method", "maxsum-sum", "maxsum-time", "maxsum-law", "maxsum-million"] { th scope="col" { (say(key)) } }
                } }
                tbody {
                    @for (method, time, sum, growth) in &rows {
                        tr {
                            th scope="row" { (method.name()) }
                            td { @if let Some(sum) = sum { (sum) } @else { "–" } }
                            td { @if let Some(time) = time { (amount(*time, "s")) } @else { (say("maxsum-too-slow")) } }
                            td { @if let Some(law) = growth.law { (law) } @else { "–" } }
                            td { @if let Some(then) = growth.predicted { (WORDS.say("maxsum-about-time").with("time", amount(then, "s"))) } @else { "–" } }
                        }
                    }
                }
            }
        }
        @if race.growth.iter().any(|g| g.samples.len() > 1) {
            // The library escapes every text it draws.
            figure.mb-chart { (PreEscaped(growth_chart(&say("maxsum-chart"), &race.growth, "s"))) }
            details {
                summary { (say("maxsum-measured")) }
                @for growth in &race.growth {
                    p { b { (growth.name) } ": " @for (i, sample) in growth.samples.iter().enumerate() { @if i > 0 { ", " } (sample.n) " → " (amount(sample.cost, "s")) } }
                }
            }
        } @else {
            p.muted { (say("maxsum-too-few")) }
        }
    }
}

/// The numbers with the fragment marked.
fn list(run: &Run) -> Markup {
    let inside = |i: usize| {
        (run.race.first.zip(run.race.last)).is_some_and(|(first, last)| (first..=last).contains(&i))
    };
    html! {
        p.mb-numbers {
            @for (i, number) in run.numbers.iter().enumerate() {
                @if inside(i) { mark { (number) } } @else { span { (number) } }
                " "
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_people_type_them() {
        assert_eq!(typed("1, -2;3\n −4").unwrap(), [1, -2, 3, -4]);
        assert!(typed("").unwrap().is_empty());
        assert_eq!(typed("1 two").unwrap_err().code, "bad-number");
        assert_eq!(
            typed("99999999999999999999").unwrap_err().code,
            "bad-number"
        );
        assert_eq!(typed(&"1 ".repeat(3000)).unwrap_err().code, "too-many");
    }

    #[test]
    fn lists_are_made_within_limits() {
        let asked = |n: &str| Asked {
            n: Some(n.to_owned()),
            ..Asked::default()
        };
        assert_eq!(asked("5").list().unwrap().unwrap().len(), 5);
        assert!(asked("").list().unwrap().is_none());
        for n in ["0", "-1", "1000001", "many"] {
            assert_eq!(asked(n).list().unwrap_err().code, "bad-n", "{n}");
        }
    }
}
