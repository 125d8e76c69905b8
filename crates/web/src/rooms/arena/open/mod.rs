//! Open tournaments: a person opens one and shares its link, bots and machines of the house join until it
//! starts, and the house leads it to its end.
//!
//! - this file: a tournament as it is kept, who joins, and how it starts;
//! - `lead`: the games, one at a time for everybody;
//! - `door`: its page; `sheets`: its tables as CSV.

mod door;
mod lead;
mod sheets;

use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use wits_arena::{Coordinator, EntrantFile, File, Header, LimitsFile};
use wits_game::Seed;
use wits_play::{Shelf, Spec};
use wits_store::{Blob, Id};

use crate::bots::Bot;
use crate::table::{BOT, bot_of};
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

pub(super) use door::{form, playing, routes};
pub(crate) use lead::{Opens, can_begin, lead};

/// The kind under which they are kept.
const KIND: &str = "open";
/// The most who take part in one.
const MOST: usize = 64;
/// The most games of one.
const MOST_GAMES: u64 = 20_000;
/// How many of them one visitor may have under way.
const MOST_OWN: usize = 5;
/// And the whole house.
const MOST_ALL: usize = 20;

/// How far an open tournament is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum State {
    Joining,
    Playing,
    Over,
    CalledOff,
}

/// Who takes part.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Entered {
    spec: String,
    /// Whose bot it is; nobody's where it is a machine of the house.
    owner: Option<String>,
}

/// An open tournament.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Open {
    title: String,
    /// The canonical spec of the game.
    game: String,
    format: String,
    /// Games of every two.
    games: u32,
    /// Seconds for a game, and what every move adds.
    seconds: f64,
    increment: f64,
    /// When it starts by itself, in microseconds; only its owner starts it where nothing is said.
    until: Option<i64>,
    seed: u64,
    /// What the seeds of its games are drawn from; nobody is shown it.
    #[serde(default)]
    secret: String,
    owner: String,
    entrants: Vec<Entered>,
    state: State,
    /// The name under which its results are kept, once it is played.
    run: Option<String>,
    begun: i64,
}

/// A seed that nobody can foresee who does not know the secret.
fn drawn(secret: &str, what: &str) -> Seed {
    let digest = Sha256::digest(format!("{secret} {what}"));
    let bytes = digest.iter().take(8);
    Seed::new(bytes.fold(0, |number, &byte| (number << 8) | u64::from(byte)))
}

fn refused(code: &'static str, key: &'static str, hint: &'static str) -> Fault {
    Fault::new(StatusCode::CONFLICT, code, WORDS.say(key), WORDS.say(hint))
}

/// The address of the page.
fn address(id: &str) -> String {
    format!("/arena/open/{id}")
}

/// The setting that says which open tournament a run is.
fn run_key(run: &str) -> String {
    format!("arena-open/{run}")
}

/// The open tournament that a run is, if it is one.
pub(super) fn of_run(app: &App, run: &str) -> Result<Option<String>, Fault> {
    let kept = app.store.setting(&run_key(run))?;
    Ok(kept.and_then(|value| Some(value.as_str()?.to_owned())))
}

fn read(blob: &Blob) -> Option<Open> {
    serde_json::from_slice(&blob.bytes).ok()
}

/// No tournament has this id: most often its link was copied in part.
fn no_tournament() -> Fault {
    let (why, hint) = (WORDS.say("open-none"), WORDS.say("open-none-hint"));
    Fault::new(StatusCode::NOT_FOUND, "no-tournament", why, hint)
}

/// An open tournament by its id.
fn get(app: &App, id: &str) -> Result<Open, Fault> {
    let blob = app.store.blob(KIND, id)?.ok_or_else(no_tournament)?;
    read(&blob).ok_or_else(no_tournament)
}

/// All of them that are not over.
fn all(app: &App) -> Result<Vec<(String, Open)>, Fault> {
    let mut all = Vec::new();
    for info in app.store.blobs(KIND)? {
        if let Some(open) = app.store.blob(KIND, &info.name)?.as_ref().and_then(read)
            && matches!(open.state, State::Joining | State::Playing)
        {
            all.push((info.name, open));
        }
    }
    all.sort_by_key(|(_, open)| std::cmp::Reverse(open.begun));
    Ok(all)
}

fn blob_of(app: &App, id: &str, open: &Open) -> Result<Blob, Fault> {
    let bytes = serde_json::to_vec(open).map_err(|e| Fault::unreadable(e.to_string()))?;
    Ok(Blob {
        kind: KIND.to_owned(),
        name: id.to_owned(),
        hash: Shelf::hash(&bytes),
        bytes,
        at: app.now(),
    })
}

/// Changes one; whoever changes it meanwhile is not lost.
fn change<T>(
    app: &App,
    id: &str,
    mut deed: impl FnMut(&mut Open) -> Result<T, Fault>,
) -> Result<T, Fault> {
    loop {
        let old = app.store.blob(KIND, id)?.ok_or_else(no_tournament)?;
        let mut open = read(&old).ok_or_else(no_tournament)?;
        let done = deed(&mut open)?;
        let new = blob_of(app, id, &open)?;
        if new.hash == old.hash || app.store.swap_blob(&new, Some(&old.hash))? {
            app.opens.ring();
            return Ok(done);
        }
    }
}

/// Opens one, and gives its id.
fn open(app: &App, mut open: Open, visitor: Visitor) -> Result<String, Fault> {
    app.gate.admit()?;
    app.has_room()?;
    let under_way = all(app)?;
    let own = under_way.iter().filter(|(_, o)| o.owner == visitor.text());
    if own.count() >= MOST_OWN || under_way.len() >= MOST_ALL {
        let why = WORDS
            .say("open-many")
            .with("own", MOST_OWN)
            .with("all", MOST_ALL);
        let hint = WORDS.say("open-many-hint");
        return Err(Fault::new(StatusCode::CONFLICT, "many", why, hint));
    }
    open.owner = visitor.text();
    let id = format!("o-{}", Id::random()?);
    app.store.put_blob(&blob_of(app, &id, &open)?)?;
    app.opens.ring();
    Ok(id)
}

/// A bot joins; once more does no harm.
pub(crate) fn enter(app: &App, id: &str, bot: &Bot) -> Result<Value, Fault> {
    bot.takes_games()?;
    let joined = change(app, id, |open| {
        let mine = |one: &Entered| {
            let spec = one.spec.parse::<Spec>().ok();
            spec.and_then(|spec| bot_of(&spec)).as_ref() == Some(&bot.id)
        };
        if open.entrants.iter().any(mine) {
            return Ok(false);
        }
        if open.state != State::Joining {
            return Err(refused("started", "open-started", "open-started-hint"));
        }
        if open.entrants.len() >= MOST {
            return Err(refused("full", "open-full", "open-started-hint"));
        }
        open.entrants.push(Entered {
            spec: bot.spec().to_string(),
            owner: Some(bot.owner.clone()),
        });
        Ok(true)
    })?;
    let open = get(app, id)?;
    Ok(json!({
        "joined": joined, "tournament": id, "title": open.title, "game": open.game, "page": address(id),
        "starts": open.until, "entrants": open.entrants.len(),
    }))
}

/// Starts one: from here on nobody joins.
fn start(app: &App, id: &str) -> Result<String, Fault> {
    let open = get(app, id)?;
    if let Some(run) = open.run {
        return Ok(run);
    }
    if open.state != State::Joining {
        return Err(refused("started", "open-started", "open-started-hint"));
    }
    let tournament = tournament(app, id, &open)?;
    let run = tournament.name.clone();
    let header = Header {
        tournament,
        begun: app.now(),
        anchor: None,
        anchor_rating: 1000.0,
    };
    // Who was entered meanwhile is not left out: then it is begun once more, for nothing was played yet.
    app.store.set(&run_key(&run), &json!(id))?;
    Coordinator::begin(&app.store, header)?;
    let same = open.entrants.clone();
    let started = change(app, id, |now| {
        if now.entrants != same {
            return Ok(false);
        }
        now.state = State::Playing;
        now.run = Some(run.clone());
        Ok(true)
    })?;
    if started { Ok(run) } else { start(app, id) }
}

/// The tournament as the arena knows it.
fn tournament(app: &App, id: &str, open: &Open) -> Result<wits_arena::Tournament, Fault> {
    let game: Spec = open.game.parse()?;
    let made = app.catalog.game(&game, &app.shelf)?;
    if open.entrants.len() < usize::from(made.seats()) {
        let why = WORDS.say("open-few").with("seats", made.seats());
        let hint = WORDS.say("open-few-hint");
        return Err(Fault::new(StatusCode::CONFLICT, "few", why, hint));
    }
    // The catalog knows no bots: a player that can take every seat stands in for each, and is replaced.
    let stands_in = |(at, one): (usize, &Entered)| {
        let bot = one.spec.parse::<Spec>().is_ok_and(|spec| spec.name == BOT);
        if bot {
            EntrantFile::Named {
                name: format!("{BOT} {at}"),
                spec: "random".to_owned(),
            }
        } else {
            EntrantFile::Spec(one.spec.clone())
        }
    };
    let n = open.entrants.len() as u32;
    let seatings: u32 = (1..=u32::from(made.seats())).product();
    let file = File {
        name: Some(format!("{} · {}", open.title, &id[2..8])),
        game: open.game.clone(),
        players: open.entrants.iter().enumerate().map(stands_in).collect(),
        format: Some(open.format.clone()),
        rounds: (open.format == "swiss")
            .then(|| (n.next_power_of_two().ilog2() + 1).min(n - 1).max(1)),
        games: Some(open.games),
        // Otherwise every opening is played once, and seats alternate.
        paired: Some(open.games.is_multiple_of(seatings)),
        // Who plays the same two more than once does not play the same game again.
        random_plies: Some(if open.games > 2 { 2 } else { 0 }),
        seed: Some(Seed::new(open.seed)),
        limits: Some(LimitsFile {
            game_time: Some(open.seconds),
            increment: (open.increment > 0.0).then_some(open.increment),
            max_moves: Some(2_000),
            ..LimitsFile::default()
        }),
        ..File::default()
    };
    let mut tournament = file.tournament(&app.catalog, &app.shelf)?;
    for (entrant, one) in tournament.players.iter_mut().zip(&open.entrants) {
        if entrant.name.starts_with(BOT) {
            entrant.name.clone_from(&one.spec);
            entrant.given.clone_from(&one.spec);
            entrant.spec.clone_from(&one.spec);
        }
    }
    let total = wits_arena::Plan::new(&tournament).total();
    if total.saturating_mul(2) > MOST_GAMES {
        return Err(refused(
            "too-large",
            "open-too-large",
            "open-too-large-hint",
        ));
    }
    Ok(tournament)
}
