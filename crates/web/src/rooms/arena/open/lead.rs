//! Leading open tournaments: everybody plays one game at a time, results are written down pairing by pairing,
//! and after a kill everything goes on from the store.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use wits_arena::{
    Completed, Coordinator, FaultKind, FaultNote, GameResult, Job, JobResult, set_up,
};
use wits_game::{Eyes, Seat, Seed, Turn};
use wits_play::{AnyGame, Fault as Slip, Header, Spec};
use wits_store::{Id, Then};

use super::{KIND, Open, State, change, drawn, read, start};
use crate::seal::hex;
use crate::table::{Table, bot_of};
use crate::visitor::Visitor;
use crate::{App, Fault};

/// How often is looked whether a game has ended, and whether it is time to start.
const LOOK: Duration = Duration::from_millis(50);
/// How often the store is asked for tournaments that others opened.
const SEARCH: u32 = 100;
/// The most games of one tournament at once.
const AT_ONCE: usize = 32;

/// The bell of whoever leads.
#[derive(Default)]
pub(crate) struct Opens {
    rung: Mutex<bool>,
    bell: Condvar,
    /// Games under way, by run, for pages.
    now: Mutex<BTreeMap<String, Vec<Id>>>,
}

impl Opens {
    /// Something changed: look again.
    pub(super) fn ring(&self) {
        *self.rung.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.bell.notify_all();
    }

    /// Waits for the bell, but not long; whether it rang.
    fn wait(&self) -> bool {
        let rung = self.rung.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.bell.wait_timeout_while(rung, LOOK, |rung| !*rung);
        let (mut rung, _) = waited.unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *rung)
    }

    /// The games of a run that are played now.
    pub(super) fn playing(&self, run: &str) -> Vec<Id> {
        let now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        now.get(run).cloned().unwrap_or_default()
    }
}

/// A game: its job, and which of the job's games it is.
type Key = (String, usize);

/// A tournament that is being led.
struct Led {
    run: String,
    owner: String,
    secret: String,
    /// Games under way, with who plays, seat by seat.
    playing: BTreeMap<Key, (Arc<Table>, Vec<usize>)>,
    /// Who was busy at the last step.
    busy: BTreeSet<usize>,
    /// Games that are over, of pairings that are not.
    done: BTreeMap<Key, GameResult>,
    /// Whether games from before were looked for.
    found: bool,
}

/// Leads all open tournaments for as long as `going` says so.
pub(crate) fn lead(app: &App, going: impl Fn() -> bool) {
    let mut led = BTreeMap::<String, Led>::new();
    let mut waiting = BTreeMap::<String, i64>::new();
    // Those that a panic ended; the others go on.
    let mut broken = BTreeSet::<String>::new();
    let mut round = 0_u32;
    while going() {
        if app.opens.wait() || round.is_multiple_of(SEARCH) {
            // What the store cannot say now it says later.
            let _ = search(app, &mut led, &mut waiting);
            led.retain(|id, _| !broken.contains(id));
        }
        round = round.wrapping_add(1);
        let now = app.now();
        let due: Vec<String> = waiting
            .iter()
            .filter(|(_, until)| **until <= now)
            .map(|(id, _)| id.clone())
            .collect();
        for id in due {
            waiting.remove(&id);
            if start(app, &id).is_err() {
                // Nobody came: it is over before it began.
                let _ = change(app, &id, |open| {
                    if open.state == State::Joining {
                        open.state = State::CalledOff;
                    }
                    Ok(())
                });
            }
        }
        led.retain(|id, one| {
            let step = catch_unwind(AssertUnwindSafe(|| one.step(app)));
            match step {
                Ok(Ok(true)) => {
                    let _ = change(app, id, |open| {
                        open.state = State::Over;
                        Ok(())
                    });
                    false
                }
                // What could not be done now is tried again.
                Ok(Ok(false) | Err(_)) => true,
                Err(_) => {
                    broken.insert(id.clone());
                    false
                }
            }
        });
        let mut all = app.opens.now.lock().unwrap_or_else(PoisonError::into_inner);
        *all = led
            .values()
            .map(|one| {
                (
                    one.run.clone(),
                    one.playing.values().map(|(t, _)| t.id).collect(),
                )
            })
            .collect();
    }
}

/// Finds tournaments that are to be led, and those that wait for their time.
fn search(
    app: &App,
    led: &mut BTreeMap<String, Led>,
    waiting: &mut BTreeMap<String, i64>,
) -> Result<(), Fault> {
    waiting.clear();
    for info in app.store.blobs(KIND)? {
        let Some(open) = app.store.blob(KIND, &info.name)?.as_ref().and_then(read) else {
            continue;
        };
        match (&open.state, &open.run, open.until) {
            (State::Joining, _, Some(until)) => {
                waiting.insert(info.name, until);
            }
            (State::Playing, Some(run), _) => {
                let Open { owner, secret, .. } = &open;
                led.entry(info.name).or_insert_with(|| Led {
                    run: run.clone(),
                    owner: owner.clone(),
                    secret: secret.clone(),
                    playing: BTreeMap::new(),
                    busy: BTreeSet::new(),
                    done: BTreeMap::new(),
                    found: false,
                });
            }
            (State::CalledOff | State::Over, _, _) => {
                led.remove(&info.name);
            }
            _ => {}
        }
    }
    Ok(())
}

/// The id of a game, the same however often the tournament is taken up again: the first half of a SHA-256.
pub(super) fn game_id(job: &str, number: usize) -> Id {
    let digest = Sha256::digest(format!("open game {job} {number}").as_bytes());
    let half = digest.iter().take(16);
    Id::from_bits(half.fold(0, |bits, &byte| (bits << 8) | u128::from(byte)))
}

/// Which of the pairings that wait can begin, in the order of the plan: those whose players are all free, as far
/// as there is room beside `playing` games.
pub(crate) fn can_begin<'a>(
    waiting: impl IntoIterator<Item = &'a [usize]>,
    mut busy: BTreeSet<usize>,
    playing: usize,
) -> Vec<usize> {
    let mut found = Vec::new();
    for (at, players) in waiting.into_iter().enumerate() {
        if playing + found.len() >= AT_ONCE {
            break;
        }
        if players.iter().all(|player| !busy.contains(player)) {
            busy.extend(players);
            found.push(at);
        }
    }
    found
}

impl Led {
    /// Does what can be done now; true when nothing is left.
    fn step(&mut self, app: &App) -> Result<bool, Fault> {
        let before = self.playing.len();
        self.collect(app)?;
        let same = self.playing.len() == before && self.busy == self.busy(app);
        if self.found && same && before > 0 {
            return Ok(false);
        }
        let mut coordinator = Coordinator::open(&app.store, &self.run)?;
        let mut pending = coordinator.pending();
        if !self.found {
            self.find(app, &pending)?;
            self.found = true;
        }
        let complete: Vec<Completed> = pending
            .iter()
            .filter_map(|job| self.complete(job))
            .collect();
        if !complete.is_empty() {
            let jobs: BTreeSet<String> = complete.iter().map(|one| one.job.clone()).collect();
            coordinator.accept(complete, app.now())?;
            self.done.retain(|(job, _), _| !jobs.contains(job));
            pending = coordinator.pending();
        }
        if pending.is_empty() {
            return Ok(true);
        }
        self.begin(app, &pending)?;
        self.busy = self.busy(app);
        Ok(false)
    }

    /// Who is in a game. A bot that is gone keeps nobody waiting: as long as its clock runs, its opponents may begin
    /// other games.
    fn busy(&self, app: &App) -> BTreeSet<usize> {
        let mut busy = BTreeSet::new();
        for (table, players) in self.playing.values() {
            match table.gone(app) {
                Some(seat) => busy.extend(players.get(seat.index())),
                None => busy.extend(players),
            }
        }
        busy
    }

    /// Takes the games that have ended.
    fn collect(&mut self, app: &App) -> Result<(), Fault> {
        let over: Vec<Key> = self
            .playing
            .iter()
            .filter(|(_, (table, _))| matches!(table.lock().table.turn(), Turn::Over(_)))
            .map(|(key, _)| key.clone())
            .collect();
        for key in over {
            let (table, _) = &self.playing[&key];
            let result = result(app, table)?;
            self.done.insert(key.clone(), result);
            self.playing.remove(&key);
        }
        Ok(())
    }

    /// The result of a pairing, if all its games are over.
    fn complete(&self, job: &Job) -> Option<Completed> {
        let games = job.seatings.iter().enumerate().map(|(number, seating)| {
            let game = self.done.get(&(job.id.clone(), number))?;
            Some(GameResult {
                seating: seating.clone(),
                ..game.clone()
            })
        });
        let result = JobResult {
            players: job.players.clone(),
            round: job.round,
            index: job.index,
            games: games.collect::<Option<_>>()?,
        };
        Some(Completed {
            job: job.id.clone(),
            worker: "wits serve".to_owned(),
            result,
        })
    }

    /// Takes up games that were under way when the house was closed.
    fn find(&mut self, app: &App, pending: &[Job]) -> Result<(), Fault> {
        for job in pending {
            for number in 0..job.seatings.len() {
                match app.store.session(game_id(&job.id, number)) {
                    Ok(_) => {
                        let table = self.put_up(app, job, number)?;
                        let key = (job.id.clone(), number);
                        self.playing.insert(key, (table, seated(job, number)));
                    }
                    Err(wits_store::Error::Missing { .. }) => break,
                    Err(other) => return Err(other.into()),
                }
            }
        }
        self.collect(app)
    }

    /// Begins the games whose players are free, in the order of the plan.
    fn begin(&mut self, app: &App, pending: &[Job]) -> Result<(), Fault> {
        let waiting = pending.iter().map(|job| &*job.players);
        for at in can_begin(waiting, self.busy(app), self.playing.len()) {
            let job = &pending[at];
            let next = (0..job.seatings.len()).find(|&number| {
                let key = (job.id.clone(), number);
                !self.done.contains_key(&key) && !self.playing.contains_key(&key)
            });
            let Some(number) = next else { continue };
            let table = self.put_up(app, job, number)?;
            let key = (job.id.clone(), number);
            self.playing.insert(key, (table, seated(job, number)));
        }
        Ok(())
    }

    /// The seed of a game. Records of games that are over can be read while others are played, so no two games share
    /// what is hidden. Where nothing is, and openings are drawn, those who meet exchange seats on the same one.
    fn seed(&self, game: &dyn AnyGame, job: &Job, number: usize) -> Seed {
        let shared = job.opening.random_plies > 0 && !game.hidden();
        if shared || self.secret.is_empty() {
            return job.seed;
        }
        drawn(&self.secret, &format!("{} {number}", job.id))
    }

    /// Puts a game up, or what of it is there already: every step may have been the last one before a kill.
    fn put_up(&self, app: &App, job: &Job, number: usize) -> Result<Arc<Table>, Fault> {
        let id = game_id(&job.id, number);
        let spec: Spec = job.game.parse()?;
        let game = app.catalog.game(&spec, &app.shelf)?;
        let seating = &job.seatings[number];
        let players: Vec<String> = seating.iter().map(|&at| job.specs[at].clone()).collect();
        let seed = self.seed(&*game, job, number);
        let opening = set_up(&*game, &job.opening, seed, job.hall.max_moves);
        let opening = opening.map_err(Fault::unreadable)?;
        let opened = opening.ply();
        let session = match app.store.session(id) {
            Ok(session) => session,
            Err(wits_store::Error::Missing { .. }) => {
                let name = id.to_string();
                app.put_item("rated", &name, self.run.as_bytes())?;
                app.put_item("opened", &name, opened.to_string().as_bytes())?;
                let key = format!("{}/{number}", job.id);
                app.put_item("arena-game", &key, name.as_bytes())?;
                let mut header =
                    Header::new(game.rules(), game.spec().to_owned(), seed, players.clone());
                header.clock = job.hall.clock;
                header.max_moves = job.hall.max_moves;
                header.repeatable = false;
                header.start.clone_from(&job.opening.position);
                let owner = Visitor::absent(&self.owner).ok_or_else(Fault::forbidden)?;
                app.begin_session(owner, id, "game", &json!(header))?;
                app.store.session(id)?
            }
            Err(other) => return Err(other.into()),
        };
        if session.events == 0 && !opening.events().is_empty() {
            let events: Vec<Value> = opening.events().iter().map(|e| json!(e)).collect();
            app.store
                .append_all(id, 0, &events, Then::Open, app.now())?;
        }
        for (seat, player) in players.iter().enumerate() {
            if let Some(bot) = player.parse().ok().and_then(|spec: Spec| bot_of(&spec)) {
                app.store.claim(id, seat as u8, &bot)?;
            }
        }
        let table = app.table(id)?;
        table.go(app);
        Ok(table)
    }
}

/// Who sits where in a game of a job.
fn seated(job: &Job, number: usize) -> Vec<usize> {
    let seating = job.seatings[number].iter();
    seating.map(|&at| job.players[at]).collect()
}

/// What came of a game, seat by seat.
fn result(app: &App, table: &Table) -> Result<GameResult, Fault> {
    let fault = table.fault_of(app)?;
    let inside = table.lock();
    let seats = usize::from(table.game.seats());
    let payoffs = match inside.table.turn() {
        Turn::Over(outcome) => outcome.payoffs,
        _ => vec![0; seats],
    };
    let (mut moves, mut micros) = (vec![0; seats], vec![0; seats]);
    let mut line = String::new();
    for told in inside.table.told(Eyes::All) {
        line += &told.text;
        line.push(' ');
        if let (Some(seat), true) = (told.seat, told.ply >= table.opened) {
            moves[seat.index()] += 1;
            micros[seat.index()] += told.ms.unwrap_or(0) * 1000;
        }
    }
    let mut line = hex(&Sha256::digest(line.as_bytes()));
    line.truncate(12);
    Ok(GameResult {
        seating: (0..seats).collect(),
        payoffs,
        moves,
        micros,
        nodes: vec![0; seats],
        fault: fault.map(note),
        replayed: 0,
        line,
    })
}

/// A slip as results tell it. What its author reads on the bot's own page stays there.
fn note((seat, slip): (Seat, Slip)) -> FaultNote {
    let kind = match slip {
        Slip::Illegal(_) => FaultKind::Illegal,
        Slip::Crash(_) => FaultKind::Crash,
        Slip::Late(_) => FaultKind::Late,
        Slip::Silent(_) => FaultKind::Hang,
        Slip::Disconnected(_) => FaultKind::Disconnected,
        Slip::Unreadable(_) => FaultKind::Unreadable,
    };
    FaultNote {
        seat,
        kind,
        detail: String::new(),
    }
}
