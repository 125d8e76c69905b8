//! Training on the page: an analysis in slices, with a learning curve that grows.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::{Extension, Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use maud::{Markup, PreEscaped, html};
use wits_game::{Message, Seat, Seed};
use wits_matchbox::svg::learning_curve;
use wits_matchbox::{Band, Cabinet, Chart, Machine, Opponent, Point, Sums, TooLarge, Trained};
use wits_store::Store;

use super::shelf::{self, Kept, Name};
use super::{back, field, refusal};
use crate::engine::{Account, Job, Urgency};
use crate::keep::{CSV, SVG, download};
use crate::own::not_yours;
use crate::pages::{frame, page, say};
use crate::routes::{Wish, blocking};
use crate::told::told;
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

/// The most games of one course.
const MOST_GAMES: u32 = 1_000_000;
/// A curve has about so many points.
const POINTS: u32 = 200;
/// A point counts at least so many of the last games.
const WINDOW: u64 = 20;
/// How long a slice may hold a thinker.
const SLICE: Duration = Duration::from_millis(100);
/// The table beside a curve has at most about so many lines.
const LINES: usize = 20;

/// The last course of each machine.
#[derive(Default)]
pub(super) struct Schools(Mutex<BTreeMap<String, Arc<School>>>);

/// One course: who learns from whom, and how far it has come.
pub(super) struct School {
    machine: String,
    game: String,
    opponent: String,
    games: u32,
    seed: Seed,
    /// Who sent it there.
    visitor: u128,
    stop: AtomicBool,
    progress: Mutex<Progress>,
}

#[derive(Default)]
struct Progress {
    running: bool,
    done: u32,
    curve: Vec<Point>,
    /// Beads left that give a position away, point by point.
    bad: Vec<u64>,
    said: Option<Message>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing inside is ever half done.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Schools {
    /// The last course of a machine.
    pub(super) fn of(&self, name: &Name) -> Option<Arc<School>> {
        lock(&self.0).get(name.key()).cloned()
    }

    /// Ends and forgets the course of a machine that is thrown away.
    pub(super) fn forget(&self, name: &Name) {
        if let Some(school) = lock(&self.0).remove(name.key()) {
            school.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Enters a course, unless one runs.
    fn enter(&self, name: &Name, school: &Arc<School>) -> Result<(), Fault> {
        let mut all = lock(&self.0);
        if all
            .get(name.key())
            .is_some_and(|s| lock(&s.progress).running)
        {
            return Err(refusal(
                StatusCode::CONFLICT,
                "at-school",
                "matchbox-at-school",
                "matchbox-at-school-hint",
            ));
        }
        all.insert(name.key().to_owned(), Arc::clone(school));
        Ok(())
    }
}

impl School {
    /// The course so far, as the library draws it.
    fn trained(&self) -> Trained {
        let none = || Sums::default().summary();
        Trained {
            machine: self.machine.clone(),
            game: self.game.clone(),
            opponent: self.opponent.clone(),
            learner: wits_matchbox::Method::Beads,
            machines: 1,
            games: self.games,
            seed: self.seed,
            stopped: self.stop.load(Ordering::Relaxed),
            curve: lock(&self.progress).curve.clone(),
            losses_to_perfect: none(),
            games_to_perfect: none(),
            first_losses: none(),
            first: 0,
            perfect: 0,
            resigned: 0,
            losses_histogram: Vec::new(),
        }
    }
}

/// All positions of a game as numbers, with the boxes of one seat.
pub(super) fn chart(cabinet: &Cabinet) -> Result<Chart, TooLarge> {
    let mine = |seat| (cabinet.seat() == seat).then_some(cabinet);
    cabinet
        .subject()
        .chart([mine(Seat::FIRST), mine(Seat::SECOND)])
}

/// A machine at school: what goes from slice to slice.
struct Pupil {
    store: Arc<Store>,
    name: Name,
    school: Arc<School>,
    opponent: Opponent,
    machine: Machine,
    /// The hash of the machine as it came.
    hash: String,
    chart: Option<Chart>,
    account: Account,
    /// Won, drawn and lost games of the last few steps.
    recent: VecDeque<[u64; 3]>,
}

impl Drop for Pupil {
    /// Whatever ends a course, nobody waits for it any more.
    fn drop(&mut self) {
        lock(&self.school.progress).running = false;
    }
}

impl Pupil {
    fn job(self) -> Job {
        Job {
            account: self.account,
            urgency: Urgency::Analysis,
            // A course that is stopped still keeps what was learned, so the job itself must run.
            stop: Arc::default(),
            work: Box::new(move || self.slice()),
        }
    }

    /// Some games, then the rest as a new job; at the end what was learned is kept.
    fn slice(mut self) -> Option<Job> {
        let begun = Instant::now();
        let chart = match self.chart.take() {
            Some(chart) => chart,
            None => chart(self.machine.cabinet()).ok()?,
        };
        let school = Arc::clone(&self.school);
        loop {
            let done = lock(&school.progress).done;
            if done >= school.games || school.stop.load(Ordering::Relaxed) {
                self.keep(done);
                return None;
            }
            if begun.elapsed() > SLICE {
                self.chart = Some(chart);
                return Some(self.job());
            }
            let step = school.games.div_ceil(POINTS).min(school.games - done);
            self.step(&chart, done, step);
        }
    }

    /// The next few games: one more point of the curve.
    fn step(&mut self, chart: &Chart, done: u32, games: u32) {
        let before = self.machine.taught();
        let seed = self.school.seed.nth(u64::from(done));
        let after = wits_matchbox::school(chart, &self.machine, &self.opponent, games, seed);
        let now = after.taught();
        self.recent.push_back([
            now.wins - before.wins,
            now.draws - before.draws,
            now.losses - before.losses,
        ]);
        let count = |recent: &VecDeque<[u64; 3]>| recent.iter().flatten().sum::<u64>();
        while self.recent.len() > 1
            && count(&self.recent) - self.recent[0].iter().sum::<u64>() >= WINDOW
        {
            self.recent.pop_front();
        }
        let all = count(&self.recent).max(1) as f64;
        let share = |k: usize| self.recent.iter().map(|r| r[k]).sum::<u64>() as f64 / all;
        let (win, draw, loss) = (share(0), share(1), share(2));
        let score = win + draw / 2.0;
        let seat = after.cabinet().seat();
        let perfect = chart.perfect(seat, after.all_beads(), &mut Vec::new());
        let point = Point {
            game: done + games,
            win,
            draw,
            loss,
            resigned: 0.0,
            perfect: f64::from(u8::from(perfect)),
            losses: exactly(now.losses as f64),
            score: exactly(score),
        };
        let mut progress = lock(&self.school.progress);
        progress.done = done + games;
        progress.curve.push(point);
        progress.bad.push(after.bad_beads());
        drop(progress);
        self.machine = after;
    }

    fn keep(&self, done: u32) {
        let kept = shelf::put(&self.store, &self.name, &self.machine, &self.hash);
        let said = match kept {
            Ok(Some(_)) => WORDS.say("matchbox-learned").with("games", done),
            Ok(None) => WORDS.say("matchbox-not-kept"),
            Err(fault) => fault.message,
        };
        lock(&self.school.progress).said = Some(said);
    }
}

/// One machine has no spread.
fn exactly(value: f64) -> Band {
    Band {
        low: value,
        median: value,
        high: value,
    }
}

/// A number of a form within limits.
fn games_of(text: &str) -> Result<u32, Fault> {
    let games = text.parse::<u32>().ok();
    games
        .filter(|n| (1..=MOST_GAMES).contains(n))
        .ok_or_else(|| {
            let shown: String = text.chars().take(60).collect();
            let why = WORDS
                .say("matchbox-bad-games")
                .with("text", shown)
                .with("most", MOST_GAMES);
            Fault::new(
                StatusCode::UNPROCESSABLE_ENTITY,
                "bad-games",
                why,
                WORDS.say("matchbox-bad-games-hint"),
            )
        })
}

/// `POST /matchbox/NAME/train`
pub(super) async fn begin(
    Extension(schools): Extension<Arc<Schools>>,
    wish: Wish,
) -> Result<Response, Fault> {
    let (visitor, headers) = (wish.visitor, wish.headers.clone());
    let work = blocking(move || {
        let Wish { app, name, .. } = &wish;
        let fields = wish.fields()?;
        let name = Name::find(app, visitor, name)?.taught()?;
        app.gate.admit()?;
        let Kept { machine, hash } = shelf::load(&app.store, &name)?;
        let opponent: Opponent =
            field(&fields, "opponent")
                .parse()
                .map_err(|e: wits_matchbox::NoSuchOpponent| {
                    Fault::new(
                        StatusCode::UNPROCESSABLE_ENTITY,
                        "unknown-word",
                        WORDS.say("matchbox-unknown").with("what", told(e)),
                        WORDS.say("matchbox-unknown-hint"),
                    )
                })?;
        let games = games_of(field(&fields, "games"))?;
        let seed = match field(&fields, "seed") {
            "" => {
                let mut bytes = [0; 4];
                getrandom::fill(&mut bytes).map_err(|e| Fault::unreadable(e.to_string()))?;
                Seed::new(u64::from(u32::from_le_bytes(bytes)))
            }
            text => text
                .parse::<Seed>()
                .map_err(|e| Fault::unreadable(e.to_string()))?,
        };
        let school = Arc::new(School {
            machine: name.to_string(),
            game: machine.cabinet().game().to_owned(),
            opponent: opponent.to_string(),
            games,
            seed,
            visitor: visitor.token,
            stop: AtomicBool::new(false),
            progress: Mutex::new(Progress {
                running: true,
                ..Progress::default()
            }),
        });
        schools.enter(&name, &school)?;
        let pupil = Pupil {
            store: Arc::clone(&app.store),
            name: name.clone(),
            school,
            opponent,
            machine,
            hash,
            chart: None,
            account: visitor.account(),
            recent: VecDeque::new(),
        };
        app.engine.put(pupil.job());
        Ok(name)
    });
    let name = work.await.map_err(|f| f.for_reader(&headers))?;
    Ok(back(&headers, visitor, &format!("{}#school", name.page())))
}

/// The machine of an address.
async fn found(
    app: App,
    visitor: Visitor,
    name: String,
    headers: &HeaderMap,
) -> Result<Name, Fault> {
    let work = blocking(move || Name::find(&app, visitor, &name));
    work.await.map_err(|f| f.for_reader(headers))
}

/// `POST /matchbox/NAME/stop`: its owner ends a course, and who began it.
pub(super) async fn stop(
    State(app): State<App>,
    Extension(schools): Extension<Arc<Schools>>,
    Path(name): Path<String>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let name = found(app, visitor, name, &headers).await?;
    if let Some(school) = schools.of(&name) {
        if !name.is_mine() && school.visitor != visitor.token {
            return Err(not_yours().for_reader(&headers));
        }
        school.stop.store(true, Ordering::Relaxed);
    }
    Ok(back(&headers, visitor, &format!("{}#school", name.page())))
}

/// `GET /matchbox/NAME/school`: the course alone, for a page that fetches it again and again.
pub(super) async fn show(
    State(app): State<App>,
    Extension(schools): Extension<Arc<Schools>>,
    Path(name): Path<String>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let name = found(app, visitor, name, &headers).await?;
    let school = schools.of(&name);
    let title = say("matchbox-train-title");
    let body = html! {
        main.matchbox-page #main data-base=(name.page()) {
            h1 { (title) }
            (section(&name, school.as_deref()))
            p { a.button href=(name.page()) { (say("matchbox-back")) } }
        }
    };
    Ok(page(visitor, frame(&title, &["matchbox.js"], &body)))
}

/// `GET /matchbox/NAME/curve/svg` and `/csv`
pub(super) async fn curve(
    State(app): State<App>,
    Extension(schools): Extension<Arc<Schools>>,
    Path((name, kind)): Path<(String, String)>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let missing = || Fault::missing().for_reader(&headers);
    let name = found(app, visitor, name, &headers).await?;
    let school = schools.of(&name).ok_or_else(missing)?;
    let (mime, text) = match kind.as_str() {
        "svg" => (SVG, learning_curve(&school.trained())),
        "csv" => (CSV, csv(&school)),
        _ => return Err(missing()),
    };
    Ok(download(mime, &format!("{name}-curve.{kind}"), text))
}

fn csv(school: &School) -> String {
    let progress = lock(&school.progress);
    let mut out = String::from("game,won,drawn,lost,losing_beads,perfect\n");
    for (point, bad) in progress.curve.iter().zip(&progress.bad) {
        let (win, draw, loss) = (point.win, point.draw, point.loss);
        let perfect = point.perfect;
        let _ = writeln!(
            out,
            "{},{win:.4},{draw:.4},{loss:.4},{bad},{perfect}",
            point.game
        );
    }
    out
}

/// The form that sends a machine to school.
pub(super) fn form(name: &Name) -> Markup {
    html! {
        p { (say("matchbox-train-lead")) }
        form.row.train action={ (name.page()) "/train" } method="post" data-part {
            span.mb-pair {
                label for="opponent" { (say("matchbox-opponent")) }
                select #opponent name="opponent" {
                    option value="random" { (say("matchbox-random")) }
                    option value="perfect" selected { (say("matchbox-perfectly")) }
                    option value="punishing" { (say("matchbox-punishing")) }
                }
            }
            span.mb-pair {
                label for="games" { (say("matchbox-games")) }
                input #games name="games" type="number" min="1" max=(MOST_GAMES) value="100" required;
            }
            span.mb-pair {
                label for="train-seed" { (say("seed")) }
                input #train-seed name="seed" type="number" min="0" max="9007199254740991";
            }
            button.button type="submit" { (say("matchbox-train")) }
        }
    }
}

/// How the last course went, or goes.
pub(super) fn section(name: &Name, school: Option<&School>) -> Markup {
    let Some(school) = school else {
        return html! { section #school {} };
    };
    let picture = learning_curve(&school.trained());
    let progress = lock(&school.progress);
    let every = progress.curve.len().div_ceil(LINES).max(1);
    let lines = progress.curve.iter().zip(&progress.bad).enumerate();
    let lines = lines.filter(|(i, _)| (i + 1) % every == 0 || i + 1 == progress.curve.len());
    let percent = |share: f64| format!("{:.0} %", share * 100.0);
    html! {
        section.panel #school data-running[progress.running] {
            div.row {
                progress max=(school.games) value=(progress.done) aria-label=(say("matchbox-progress")) {}
                span.number { (WORDS.say("matchbox-done").with("done", progress.done).with("games", school.games)) }
                @if progress.running {
                    form action={ (name.page()) "/stop" } method="post" data-part {
                        button.button.quiet type="submit" { (say("matchbox-stop")) }
                    }
                    a.button.quiet.no-script href={ (name.page()) "/school" } { (say("matchbox-refresh")) }
                }
            }
            p role="status" { @if let Some(said) = &progress.said { (said) } }
            @if !progress.curve.is_empty() {
                // The library escapes every text it draws.
                figure.mb-chart { (PreEscaped(picture)) }
                details {
                    summary { (say("matchbox-table")) }
                    p {
                        a href={ (name.page()) "/curve/svg" } { "SVG" } " · "
                        a href={ (name.page()) "/curve/csv" } { "CSV" }
                    }
                    div.mb-scroll tabindex="0" role="region" aria-label=(say("matchbox-table")) {
                        table.data {
                            thead { tr {
                                @for key in ["matchbox-game", "matchbox-won", "matchbox-drawn", "matchbox-lost", "matchbox-bad-beads"] { th scope="col" { (say(key)) } }
                            } }
                            tbody {
                                @for (_, (point, bad)) in lines {
                                    tr { td { (point.game) } td { (percent(point.win)) } td { (percent(point.draw)) } td { (percent(point.loss)) } td { (bad) } }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
