//! A game turn by turn: what was laid beside the best that could be, and its score sheet as a file.

use std::sync::{Arc, LazyLock};

use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, PreEscaped, html};
use serde::{Deserialize, Serialize};
use wits_game::{Figure, Lang, Seed, Turn};
use wits_scrabble::files::gcg::{self, Act, Sheet};
use wits_scrabble::files::transcript;
use wits_scrabble::report;
use wits_scrabble::review::{By, Depth, Review, Reviewed, before, chart, review};
use wits_scrabble::{Settings, Standing, TileSet};
use wits_search::{Budget, Limits};
use wits_store::{Id, Over};

use super::look::{PATIENCE, Shown, best, board, plays_panel, study};
use super::state::{names, rules, start, told};
use super::{bad, engine, room};
use crate::ending::reason;
use crate::keep::{TEXT, download};
use crate::own::Put;
use crate::pages::{frame, page, say, sentence};
use crate::recent::Recent;
use crate::routes::{blocking, fields, open as open_table};
use crate::snapshot::{Place, ended};
use crate::table::Table;
use crate::think::think;
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

const KIND: &str = "scrabble-sheet";
/// The longest sheet that is read: a game of four with remarks is far shorter.
pub(super) const LONGEST: usize = 100_000;

/// A pasted sheet as the store keeps it.
#[derive(Serialize, Deserialize)]
struct Kept {
    lexicon: String,
    gcg: String,
}

/// Which turn is looked at.
#[derive(Deserialize)]
pub(super) struct At {
    turn: Option<usize>,
}

/// A game to look at.
struct Subject {
    sheet: Sheet,
    lexicon: String,
    settings: Settings,
    /// The address of the page, without the turn.
    address: String,
    /// The address of the file, where there is one.
    file: Option<String>,
    /// How the game ended for the visitor, where it was played here.
    ended: Option<String>,
}

/// The lexicon that a sheet is looked up in: the one it names or that stands for it, else the one that was chosen, else the one
/// whose tiles it was played with.
fn judged_by(text: &str, chosen: Option<&str>) -> String {
    if let Some((_, Some(related))) = gcg::named(text) {
        return related.ours.to_owned();
    }
    let reads = |set: &TileSet| gcg::read(text, set).is_ok();
    let chosen = chosen.unwrap_or("english");
    if TileSet::named(chosen).is_some_and(|set| reads(&set)) {
        return chosen.to_owned();
    }
    match gcg::guess(text, TileSet::shipped()) {
        Ok((set, _)) => set.name().to_owned(),
        Err(_) => chosen.to_owned(),
    }
}

/// `POST /scrabble/open`: a pasted sheet is read, kept and shown.
pub(super) async fn open(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Fault> {
    let fields = fields(&headers, &body).map_err(|f| f.for_reader(&headers))?;
    let text = fields.get("gcg").cloned().unwrap_or_default();
    let chosen = fields.get("lexicon").cloned();
    let pasted = text.clone();
    let house = app.clone();
    let kept = blocking(move || {
        if pasted.len() > LONGEST {
            let why = WORDS.say("scrabble-too-long").with("most", LONGEST);
            return Err(bad("too-long", why));
        }
        let lexicon = judged_by(&pasted, chosen.as_deref());
        let tiles = engine(&lexicon)?.tiles().clone();
        let sheet = gcg::read(&pasted, &tiles).map_err(|e| {
            let why = WORDS.say("scrabble-bad-gcg").with("why", e.to_string());
            bad("bad-gcg", why)
        })?;
        if sheet.turns.is_empty() {
            return Err(bad("bad-gcg", WORDS.say("scrabble-empty-gcg")));
        }
        let kept = Kept {
            lexicon,
            gcg: pasted,
        };
        let bytes = serde_json::to_vec(&kept).unwrap_or_default();
        let put = Put {
            kind: KIND,
            name: Some(&Id::random()?.to_string()),
            title: "",
            bytes,
            over: Over::Anything,
        };
        Ok(house.keep(visitor, put)?.name)
    })
    .await;
    match kept {
        Ok(name) => Ok(Redirect::to(&format!("/scrabble/sheet/{name}")).into_response()),
        // Nobody should paste it twice.
        Err(fault) if crate::fault::reads_pages(&headers) => {
            room::with_fault(&app, visitor, &fault, &text).await
        }
        Err(fault) => Err(fault),
    }
}

/// `GET /scrabble/sheet/HASH`
pub(super) async fn stored(
    State(app): State<App>,
    Path(hash): Path<String>,
    Query(at): Query<At>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let house = app.clone();
    let subject = blocking(move || {
        let blob = house.store.blob(KIND, &hash)?.ok_or_else(Fault::missing)?;
        let kept: Kept = serde_json::from_slice(&blob.bytes).map_err(|_| Fault::missing())?;
        let tiles = engine(&kept.lexicon)?.tiles().clone();
        let sheet = gcg::read(&kept.gcg, &tiles).map_err(|_| Fault::missing())?;
        Ok(Subject {
            sheet,
            lexicon: kept.lexicon,
            settings: Settings::usual(tiles.language()),
            address: format!("/scrabble/sheet/{hash}"),
            file: None,
            ended: None,
        })
    })
    .await
    .map_err(|f| f.for_reader(&headers))?;
    show(&app, visitor, subject, at.turn)
        .await
        .map_err(|f| f.for_reader(&headers))
}

/// The sheet of a game that was played here; only when it is over, because racks stand in it.
fn played(table: &Table, id: &str, place: &Place) -> Result<Subject, Fault> {
    let game = rules(table).ok_or_else(Fault::missing)?;
    let inside = table.lock();
    let Turn::Over(outcome) = inside.table.turn() else {
        let (why, hint) = (WORDS.say("not-yet"), WORDS.say("not-yet-hint"));
        return Err(Fault::new(StatusCode::FORBIDDEN, "not-yet", why, hint));
    };
    let result = ended(table, &*inside.table, &outcome, place);
    let why = reason(table, &*inside.table, &outcome, place);
    Ok(Subject {
        sheet: transcript(
            &game,
            &start(&game, table),
            inside.table.events(),
            &names(table),
        ),
        lexicon: game.engine().lexicon().name().to_owned(),
        settings: *game.settings(),
        address: format!("/scrabble/game/{id}"),
        file: Some(format!("/scrabble/game/{id}/gcg")),
        ended: Some(format!("{} {why}", sentence(&result.to_string()))),
    })
}

/// `GET /scrabble/game/ID`
pub(super) async fn of_game(
    State(app): State<App>,
    Path(id): Path<String>,
    Query(at): Query<At>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let work = async {
        let table = open_table(&app, &id).await?;
        let house = app.clone();
        let subject = blocking(move || {
            let place = Place::of(&house, &table, visitor)?;
            played(&table, &id, &place)
        });
        let subject = subject.await?;
        show(&app, visitor, subject, at.turn).await
    };
    work.await.map_err(|f| f.for_reader(&headers))
}

/// `GET /scrabble/game/ID/gcg`
pub(super) async fn export(
    State(app): State<App>,
    Path(id): Path<String>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let work = async {
        let table = open_table(&app, &id).await?;
        let (house, at) = (app.clone(), id.clone());
        blocking(move || {
            let subject = played(&table, &at, &Place::of(&house, &table, visitor)?)?;
            let tiles = engine(&subject.lexicon)?.tiles().clone();
            Ok(gcg::write(&subject.sheet, &tiles))
        })
        .await
    };
    let text = work.await.map_err(|f| f.for_reader(&headers))?;
    let short: String = id.chars().take(8).collect();
    Ok(download(TEXT, &format!("scrabble-{short}.gcg"), text))
}

/// The reviews that were made last: stepping through a game asks for one again and again.
static REVIEWS: LazyLock<Recent<Reviewed>> = LazyLock::new(Recent::default);

/// How closely a page looks: some seconds for a game. The verb `analyse` looks closer.
const ROLLOUTS: u64 = 200;
const CANDIDATES: usize = 8;

/// Every turn by simulation and exact endings. What the budget did not allow is not kept.
fn reviewed(subject: &Subject, budget: &Budget) -> Result<Arc<Reviewed>, Fault> {
    let engine = engine(&subject.lexicon)?;
    let name = format!(
        "{}\n{}",
        subject.lexicon,
        gcg::write(&subject.sheet, engine.tiles())
    );
    if let Some(known) = REVIEWS.get(&name) {
        return Ok(known);
    }
    let depth = Depth {
        rollouts: ROLLOUTS,
        candidates: CANDIDATES,
        threads: 1,
        seed: Seed::new(1),
    };
    let made = review(
        &engine,
        &subject.settings,
        &subject.sheet,
        &depth,
        budget,
        &mut |_, _| (),
    );
    if made.complete {
        return Ok(REVIEWS.put(name, made));
    }
    Ok(Arc::new(made))
}

async fn show(
    app: &App,
    visitor: Visitor,
    subject: Subject,
    at: Option<usize>,
) -> Result<Response, Fault> {
    let last = subject.sheet.turns.len().saturating_sub(1);
    let looks = |t: &wits_scrabble::files::gcg::Entry| {
        matches!(t.act, Act::Play(_) | Act::Exchange(..) | Act::Pass)
    };
    let turn = at.unwrap_or(0).min(last);
    let work = think(app, visitor, PATIENCE, move |budget| {
        // Half of the time is left for the rest of the page.
        let some = budget.within(Limits::time(PATIENCE / 2));
        let judged = reviewed(&subject, &some)?;
        let here = before(&subject.sheet, turn, &engine(&subject.lexicon)?);
        let plays = if here.hand.tiles().is_empty() {
            Vec::new()
        } else {
            best(&here)
        };
        Ok::<_, Fault>((subject, judged, here, plays))
    });
    let (subject, judged, here, plays) = work.await??;
    let Some(entry) = subject.sheet.turns.get(turn) else {
        return Ok(nothing_played(visitor, &subject, &here));
    };
    let tiles = here.engine.tiles();
    let lit: Vec<usize> = match &entry.act {
        Act::Play(play) => play.laid().map(|(s, _)| s).collect(),
        _ => Vec::new(),
    };
    let made = of_turn(&judged, turn).map(|j| Shown {
        listed: j.turn.played.clone(),
        play: match entry.act {
            Act::Play(play) => Some(play),
            _ => None,
        },
    });
    let did = told(entry, &here.position.board, tiles, true);
    let title = say("scrabble-game-title");
    let who = &subject.sheet.players[entry.player].1;
    let says = WORDS
        .say("scrabble-turn-says")
        .with("turn", turn + 1)
        .with("all", last + 1)
        .with("who", who)
        .with("did", did)
        .with("points", entry.points);
    let step = |to: Option<usize>, key: &'static str, rel: &'static str| -> Markup {
        html! {
            @if let Some(to) = to { a.button href={ (subject.address) "?turn=" (to) } rel=(rel) { (say(key)) } }
            @else { span.button.quiet aria-disabled="true" { (say(key)) } }
        }
    };
    let body = html! {
        main.game.scr-page #main {
            h1 { (title) }
            div.table { div.stay {
                @if let Some(ended) = &subject.ended { p #ended { (ended) } }
                p #status { (says) }
                (board(&here, &lit))
                nav.row.scr-steps aria-label=(say("scrabble-steps")) {
                    (step(turn.checked_sub(1), "scrabble-step-back", "prev"))
                    (step(Some(turn + 1).filter(|t| *t <= last), "scrabble-step-on", "next"))
                    @if let Some(file) = &subject.file { a.button.quiet href=(file) { (say("scrabble-gcg")) } }
                }
                (turns_panel(&subject, &judged, turn))
            } }
            div.side {
                @if looks(entry) { (plays_panel(&here, &plays, made.as_ref())) }
                (study(&here))
                (curve(&subject, &judged))
                (summary(&subject, &judged))
            }
            p.muted { a href="/scrabble" { (say("to-room")) } }
        }
    };
    Ok(page(visitor, frame(&title, &["scrabble-look.js"], &body)))
}

/// The page of a game that ended before the first turn.
fn nothing_played(visitor: Visitor, subject: &Subject, here: &Standing) -> Response {
    let title = say("scrabble-game-title");
    let body = html! {
        main.game.scr-page #main {
            h1 { (title) }
            @if let Some(ended) = &subject.ended { p #ended { (ended) } }
            p #status { (say("scrabble-nothing-played")) }
            (board(here, &[]))
            p.muted { a href="/scrabble" { (say("to-room")) } }
        }
    };
    page(visitor, frame(&title, &["scrabble-look.js"], &body))
}

/// The judgement of a turn, where its rack is known.
fn of_turn(judged: &Reviewed, turn: usize) -> Option<&Review> {
    judged.turns.iter().find(|j| j.turn.turn == turn)
}

/// The chance to win, turn by turn, and the dearest mistakes.
fn curve(subject: &Subject, judged: &Reviewed) -> Markup {
    let Some(svg) = chart(&subject.sheet, judged) else {
        return html! {};
    };
    let dearest = judged.dearest(3);
    html! {
        section.panel #chances {
            h2 { (say("scrabble-chances")) }
            div.scr-wide tabindex="0" role="region" aria-label=(say("scrabble-chances")) { (PreEscaped(svg)) }
            @if !judged.complete { p.muted { (say("scrabble-review-part")) } }
            @if dearest.is_empty() { p { (say("scrabble-no-mistakes")) } }
            @else {
                ol #mistakes {
                    @for turn in dearest {
                        li {
                            a href={ (subject.address) "?turn=" (turn.turn.turn) } { (WORDS.say("scrabble-missed-turn").with("turn", turn.turn.turn + 1)) }
                            " " span.move-text { (turn.turn.played.text) } " → " span.move-text { (turn.turn.best.text) }
                            " " (lost(turn))
                        }
                    }
                }
            }
        }
    }
}

/// What a turn gave away: games won where two play, else points.
fn lost(turn: &Review) -> String {
    match turn.lost_win {
        Some(win) if win > 0.0 => format!("−{}", Figure::Share(win).to(Lang::spoken())),
        Some(win) => Figure::Share(win).to(Lang::spoken()),
        None => Figure::Signed(-turn.turn.loss, 1).to(Lang::spoken()),
    }
}

/// All turns with what each gave away.
fn turns_panel(subject: &Subject, judged: &Reviewed, turn: usize) -> Markup {
    let sheet = &subject.sheet;
    let set = engine(&subject.lexicon).map(|e| e.tiles().clone());
    html! {
        section.panel {
            h2 { (say("scrabble-turns")) }
            p.muted { (say("scrabble-turns-about")) }
            div.scr-wide tabindex="0" role="region" aria-label=(say("scrabble-turns")) {
                table.data.scr-turns {
                    thead { tr { @for key in ["scrabble-turn", "scrabble-who", "scrabble-rack", "scrabble-did", "scrabble-points", "scrabble-total", "scrabble-win", "scrabble-better", "scrabble-loss", "scrabble-luck"] { th scope="col" { (say(key)) } } } }
                    tbody {
                        @for (n, entry) in sheet.turns.iter().enumerate() {
                            @let judgement = of_turn(judged, n);
                            @let board = sheet.board(n);
                            tr.current[n == turn] data-loss=[judgement.map(|j| format!("{:.1}", j.turn.loss))] {
                                td { a href={ (subject.address) "?turn=" (n) } aria-current=[(n == turn).then_some("true")] { (n + 1) } }
                                td { (sheet.players[entry.player].1) }
                                td.move-text { @if let Ok(set) = &set { (report::rack_text(&entry.rack, set)) } }
                                td.move-text { @if let Ok(set) = &set { (told(entry, &board, set, true)) } }
                                td { (Figure::Signed(f64::from(entry.points), 0).to(Lang::spoken())) } td { (entry.total) }
                                @if let Some(j) = judgement {
                                    td { @if let Some(win) = j.win { (Figure::Share(win).to(Lang::spoken())) } }
                                    td.move-text {
                                        @if j.turn.withdrawn { (say("scrabble-withdrawn")) " " }
                                        @else if !j.turn.phonies.is_empty() { (say("scrabble-phony")) " " (j.turn.phonies.join(", ")) " " }
                                        @if j.mistake() { (j.turn.best.text) " (" (j.turn.best.score) ")" } @else if j.turn.phonies.is_empty() { "★" }
                                    }
                                    td.(grade(j)) { (lost(j)) @if j.by == By::FirstSight { " ?" } }
                                    td { @if let Some(luck) = j.luck { (Figure::Signed(luck.points, 1).to(Lang::spoken())) } }
                                } @else { td {} td {} td {} td {} }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn grade(turn: &Review) -> &'static str {
    // Two points are about one game in a hundred.
    let loss = turn.lost_win.map_or(turn.turn.loss, |win| 200.0 * win);
    match loss {
        l if l >= 20.0 => "grave",
        l if l >= 8.0 => "slip",
        _ => "fine",
    }
}

/// What each player gave away, and the bingos that were missed.
fn summary(subject: &Subject, judged: &Reviewed) -> Markup {
    let sheet = &subject.sheet;
    html! {
        section.panel #summary {
            h2 { (say("scrabble-summary")) }
            table.data {
                thead { tr { @for key in ["scrabble-who", "scrabble-total", "scrabble-loss-turn", "scrabble-luck", "scrabble-missed"] { th scope="col" { (say(key)) } } } }
                tbody {
                    @for (n, (_, name)) in sheet.players.iter().enumerate() {
                        @let own: Vec<&Review> = judged.turns.iter().filter(|j| j.turn.player == n).collect();
                        @let total = sheet.turns.iter().rev().find(|t| t.player == n).map_or(0, |t| t.total);
                        @let mean = own.iter().fold(0.0, |sum, j| sum + j.turn.loss) / (own.len().max(1) as f64);
                        @let luck: f64 = own.iter().filter_map(|j| j.luck).map(|luck| luck.points).sum();
                        tr { td { (name) } td { (total) } td { (Figure::Decimal(mean, 1).to(Lang::spoken())) } td { (Figure::Signed(luck, 1).to(Lang::spoken())) } td { (own.iter().filter(|j| j.turn.missed_bingo.is_some()).count()) } }
                    }
                }
            }
            @for missed in judged.turns.iter().filter_map(|j| Some((j.turn.turn, j.turn.missed_bingo.as_ref()?))) {
                p { a href={ (subject.address) "?turn=" (missed.0) } { (WORDS.say("scrabble-missed-one").with("turn", missed.0 + 1)) } " " span.move-text { (missed.1) } }
            }
        }
    }
}
