//! The hall: where one job is played.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::Duration;

use wits_game::{Dice, End, Seat, Seed, Stream, Turn};
use wits_play::{
    AnyGame, AnyMatch, AnyPlayer, Catalog, Event, Fault, Finished, Record, Runner, Shelf, Spec,
};
use wits_search::Gate;

use crate::guard::{Guarded, Watched};
use crate::{FaultKind, FaultNote, GameResult, Job, JobResult, Opening, VERSION, digest};

/// Why a job was not played. It can be played later, or elsewhere.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refused {
    /// Somebody stopped it.
    #[error("it was stopped")]
    Stopped,
    /// The job is of another version.
    #[error("the job is of wits {job}, this is wits {here}; use the same version everywhere")]
    Version {
        /// The version of the job.
        job: String,
        /// The version of this program.
        here: &'static str,
    },
    /// A file that the players need is not here, or is another one.
    #[error("`{name}` is not here, or differs from the one the tournament was begun with")]
    Shelf {
        /// Its name.
        name: String,
    },
    /// A player is a program that this machine may not start; another may.
    #[error("{0}")]
    Program(String),
    /// The game or a player cannot be made here.
    #[error("{0}")]
    Spec(String),
    /// The opening cannot be played.
    #[error("the opening cannot be played: {0}")]
    Opening(String),
}

/// A place to play: a catalog, a shelf, and games that are made once.
#[derive(Clone)]
pub struct Hall {
    catalog: Catalog,
    shelf: Arc<Shelf>,
    games: Arc<Mutex<BTreeMap<String, Arc<dyn AnyGame>>>>,
    gate: Option<Arc<dyn Gate>>,
}

/// How long a player that was told to stop may go on before it is left behind.
const GRACE: Duration = Duration::from_secs(2);

/// How often we look after a game that takes long.
const TICK: Duration = Duration::from_millis(20);

/// Searches recurse; the stack of a game is never the reason that it ends.
const STACK: usize = 32 << 20;

impl Hall {
    /// A hall for the games of a catalog.
    pub fn new(catalog: Catalog, shelf: Shelf) -> Hall {
        Hall {
            catalog,
            shelf: Arc::new(shelf),
            games: Arc::default(),
            gate: None,
        }
    }

    /// The same hall, whose players wait at a gate while others have their turn. A wait there is no
    /// thinking: nobody oversteps their time by it.
    pub fn at_gate(&self, gate: Arc<dyn Gate>) -> Hall {
        Hall {
            gate: Some(gate),
            ..self.clone()
        }
    }

    /// What lies on its shelf.
    pub fn shelf(&self) -> &Shelf {
        &self.shelf
    }

    /// The same hall with one more thing on its shelf.
    pub fn with_item(&self, name: &str, bytes: Vec<u8>) -> Hall {
        let mut shelf = Shelf::clone(&self.shelf);
        shelf.put(name, bytes);
        // Games may have been made from what lay there before, so they are made anew.
        Hall {
            gate: self.gate.clone(),
            ..Hall::new(self.catalog.clone(), shelf)
        }
    }

    /// Plays a job. The result depends on the job alone, unless a clock decides.
    ///
    /// Players that break the rules, break down, overstep their time or never answer lose their
    /// game and are named. A thread that never answers is left behind.
    pub fn play(&self, job: &Job, stop: &AtomicBool) -> Result<JobResult, Refused> {
        let game = self.admit(job)?;
        let mut games = Vec::new();
        if job.life > 1 {
            games = self.life(job, &game, stop)?;
        } else {
            for seating in &job.seatings {
                let mut crew = Crew::new(self.clone(), Arc::clone(&game), job.clone());
                games.push(crew.game(seating, job.seed, stop)?.0);
            }
        }
        Ok(JobResult {
            players: job.players.clone(),
            round: job.round,
            index: job.index,
            games,
        })
    }

    /// Plays one game of a job once more, for whoever wants to look at it: the same seed plays the same game,
    /// unless a clock decides. Games of a life need those before them, for players remember. A game that was
    /// forfeited without a move has no record.
    pub fn again(
        &self,
        job: &Job,
        number: usize,
        stop: &AtomicBool,
    ) -> Result<(GameResult, Option<Record>), Refused> {
        let game = self.admit(job)?;
        let seatings = job.seatings.len();
        if number >= seatings * job.life.max(1) as usize {
            return Err(Refused::Spec("there is no such game".to_owned()));
        }
        let mut crew = Crew::new(self.clone(), game, job.clone());
        let first = if job.life > 1 { 0 } else { number };
        for before in first..number {
            crew.nth(before, seatings, stop)?;
        }
        crew.nth(number, seatings, stop)
    }

    /// All games of a pairing in sequence, with players that live through them.
    fn life(
        &self,
        job: &Job,
        game: &Arc<dyn AnyGame>,
        stop: &AtomicBool,
    ) -> Result<Vec<GameResult>, Refused> {
        let mut crew = Crew::new(self.clone(), Arc::clone(game), job.clone());
        let mut games = Vec::new();
        for year in 0..job.life {
            for seating in &job.seatings {
                let seed = job.seed.nth(u64::from(year));
                games.push(crew.game(seating, seed, stop)?.0);
            }
        }
        Ok(games)
    }

    /// Checks that this hall can play the job, and gives its game.
    fn admit(&self, job: &Job) -> Result<Arc<dyn AnyGame>, Refused> {
        if job.version != VERSION {
            return Err(Refused::Version {
                job: job.version.clone(),
                here: VERSION,
            });
        }
        for (name, hash) in &job.shelf {
            if self.shelf.get(name).is_none_or(|item| item.hash != *hash) {
                return Err(Refused::Shelf { name: name.clone() });
            }
        }
        let mut games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(game) = games.get(&job.game) {
            return Ok(Arc::clone(game));
        }
        let spec: Spec = job.game.parse().map_err(refused)?;
        let game = self.catalog.game(&spec, &self.shelf).map_err(refused)?;
        games.insert(job.game.clone(), Arc::clone(&game));
        Ok(game)
    }
}

#[expect(clippy::needless_pass_by_value, reason = "handed to `map_err`")]
fn refused(error: wits_play::Refusal) -> Refused {
    Refused::Spec(error.to_string())
}

/// Why a player cannot be made. Which programs may be started is for each machine to say.
fn no_player(spec: &Spec, error: &wits_play::Refusal) -> Refused {
    let guest = ["program", "gtp", "nboard"].contains(&spec.name.as_str());
    if guest && ["unknown-player", "no-such-program"].contains(&&*error.code) {
        return Refused::Program(error.to_string());
    }
    Refused::Spec(error.to_string())
}

/// How much of what a player did wrong is kept, in characters: a sentence, and the last words of a program.
const DETAIL: usize = 2000;

type Seated = Vec<Box<dyn AnyPlayer>>;

/// What came of a game, and what happened in it where a move was made.
type Played = (GameResult, Option<Record>);

/// The players of a job, who come and go with the thread they play on.
struct Crew {
    hall: Hall,
    game: Arc<dyn AnyGame>,
    job: Arc<Job>,
    watched: Watched,
    /// The job's players, in its order; nobody before the first game.
    players: Option<Seated>,
    /// Who hung in an earlier game of this life: such a player never comes back.
    gone: Option<usize>,
}

impl Crew {
    fn new(hall: Hall, game: Arc<dyn AnyGame>, job: Job) -> Crew {
        Crew {
            hall,
            game,
            job: Arc::new(job),
            watched: Watched::default(),
            players: None,
            gone: None,
        }
    }

    /// The game of a job with this number, counted over all years of a life.
    fn nth(
        &mut self,
        number: usize,
        seatings: usize,
        stop: &AtomicBool,
    ) -> Result<Played, Refused> {
        let job = Arc::clone(&self.job);
        let seating = &job.seatings[number % seatings];
        let seed = if job.life > 1 {
            job.seed.nth((number / seatings) as u64)
        } else {
            job.seed
        };
        self.game(seating, seed, stop)
    }

    /// One game, played again while it is drawn and the rules of the tournament say so.
    fn game(
        &mut self,
        seating: &[usize],
        seed: Seed,
        stop: &AtomicBool,
    ) -> Result<Played, Refused> {
        let mut replayed = 0;
        loop {
            let seed = if replayed == 0 {
                seed
            } else {
                seed.nth(u64::from(replayed))
            };
            let (mut result, record) = self.once(seating, seed, stop)?;
            let drawn = result.payoffs.windows(2).all(|w| w[0] == w[1]);
            if !drawn || replayed == self.job.replays {
                result.replayed = replayed;
                return Ok((result, record));
            }
            replayed += 1;
        }
    }

    fn once(
        &mut self,
        seating: &[usize],
        seed: Seed,
        stop: &AtomicBool,
    ) -> Result<Played, Refused> {
        if let Some(gone) = self.gone {
            let seat = seating.iter().position(|&p| p == gone).unwrap_or(0);
            return Ok((self.forfeit(seating, seat, seed)?, None));
        }
        let halt = Arc::new(AtomicBool::new(false));
        let (send, receive) = mpsc::channel();
        let (hall, game, job) = (
            self.hall.clone(),
            Arc::clone(&self.game),
            Arc::clone(&self.job),
        );
        let (watched, flag) = (self.watched.clone(), Arc::clone(&halt));
        let players = self.players.take();
        let seating_there = seating.to_vec();
        std::thread::Builder::new()
            .name("game".to_owned())
            .stack_size(STACK)
            .spawn(move || {
                let played = catch_unwind(AssertUnwindSafe(|| {
                    play(
                        &hall,
                        &*game,
                        &job,
                        &seating_there,
                        seed,
                        players,
                        &watched,
                        &flag,
                    )
                }));
                // Nobody may be waiting any more.
                let _ = send.send(played.unwrap_or_else(|_| {
                    Err(Refused::Spec("a player could not be made".to_owned()))
                }));
            })
            .map_err(|e| Refused::Spec(format!("no thread could be started: {e}")))?;
        let patience = Duration::from_millis(self.job.hall.patience_ms);
        let mut hung = None;
        let mut waited = Duration::ZERO;
        loop {
            match receive.recv_timeout(TICK) {
                Ok(played) => {
                    let (result, players) = played?;
                    self.players = Some(players);
                    return match (result, hung) {
                        (_, Some(seat)) => Ok((self.hang(seating, seat, seed, false)?, None)),
                        (Some(played), None) => Ok(played),
                        (None, None) => Err(Refused::Stopped),
                    };
                }
                Err(mpsc::RecvTimeoutError::Disconnected) => {
                    return Err(Refused::Spec("a game broke off".to_owned()));
                }
                Err(mpsc::RecvTimeoutError::Timeout) => {}
            }
            if stop.load(Ordering::Relaxed) {
                halt.store(true, Ordering::Relaxed);
                waited += TICK;
                if waited > GRACE {
                    return Err(Refused::Stopped);
                }
            } else if let Some(seat) = hung {
                waited += TICK;
                if waited > GRACE {
                    return Ok((self.hang(seating, seat, seed, true)?, None));
                }
            } else if let Some((seat, since)) = self.watched.thinking()
                && since > patience
            {
                hung = Some(seat.index());
                halt.store(true, Ordering::Relaxed);
            }
        }
    }

    /// A player did not answer in time. If it did not even stop, it is gone for good.
    fn hang(
        &mut self,
        seating: &[usize],
        seat: usize,
        seed: Seed,
        gone: bool,
    ) -> Result<GameResult, Refused> {
        if gone {
            self.gone = Some(seating[seat]);
            self.players = None;
            self.watched = Watched::default();
        }
        self.forfeit(seating, seat, seed)
    }

    /// The game as it counts when a seat does not answer.
    fn forfeit(&self, seating: &[usize], seat: usize, seed: Seed) -> Result<GameResult, Refused> {
        let seats = seating.len();
        let seat = Seat::at(seat).unwrap_or(Seat::FIRST);
        let mut table =
            set_up(&*self.game, &self.job.opening, seed, None).map_err(Refused::Opening)?;
        let _ = table.end(seat, End::Flagged);
        let payoffs = match table.turn() {
            Turn::Over(outcome) => outcome.payoffs,
            _ => vec![0; seats],
        };
        Ok(GameResult {
            seating: seating.to_vec(),
            payoffs,
            moves: vec![0; seats],
            micros: vec![0; seats],
            nodes: vec![0; seats],
            fault: Some(FaultNote {
                seat,
                kind: FaultKind::Hang,
                detail: String::new(),
            }),
            replayed: 0,
            line: String::new(),
        })
    }
}

/// The match as it stands after an opening. The same seed gives the same random moves.
///
/// # Errors
/// When a position or a move of the opening is none of the game.
pub fn set_up(
    game: &dyn AnyGame,
    opening: &Opening,
    seed: Seed,
    max_moves: Option<u32>,
) -> Result<Box<dyn AnyMatch>, String> {
    let begin = || -> Result<Box<dyn AnyMatch>, String> {
        let mut table = match &opening.position {
            None => game.begin(seed, max_moves),
            Some(text) => game
                .begin_from(text, seed, max_moves)
                .map_err(|why| why.to_string())?,
        };
        for text in &opening.moves {
            table.settle();
            let Turn::Of(seat) = table.turn() else {
                return Err(format!("the game is over before `{text}`"));
            };
            table
                .play(seat, text, None)
                .map_err(|why| format!("`{text}`: {why}"))?;
        }
        table.settle();
        Ok(table)
    };
    // Random moves may run into the end of the game; then others are tried, and at last fewer.
    for attempt in 0..40 {
        let mut table = begin()?;
        let plies = opening.random_plies.saturating_sub(attempt / 8);
        let mut dice = Dice::at(seed, Stream::Aside, attempt);
        for _ in 0..plies {
            let Turn::Of(seat) = table.turn() else { break };
            let options = table.options();
            let Some(text) = dice.pick(&options) else {
                break;
            };
            table
                .play(seat, text, None)
                .map_err(|why| format!("`{text}`: {why}"))?;
            table.settle();
        }
        if matches!(table.turn(), Turn::Of(_)) {
            return Ok(table);
        }
        if opening.random_plies == 0 {
            return Err("the game is over before anybody moves".to_owned());
        }
    }
    begin()
}

/// Plays one game on the thread it is called on; nothing if it was stopped.
#[expect(
    clippy::too_many_arguments,
    reason = "everything crosses a thread here"
)]
fn play(
    hall: &Hall,
    game: &dyn AnyGame,
    job: &Job,
    seating: &[usize],
    seed: Seed,
    players: Option<Seated>,
    watched: &Watched,
    halt: &Arc<AtomicBool>,
) -> Result<(Option<Played>, Seated), Refused> {
    let mut players = match players {
        Some(players) => players,
        None => make(hall, game, job, seating, watched)?,
    };
    let table = set_up(game, &job.opening, seed, job.hall.max_moves).map_err(Refused::Opening)?;
    let before = table.events().len();
    let runner = Runner {
        limits: job.hall.limits(),
        clock: job.hall.clock,
        max_moves: job.hall.max_moves,
        stop: Arc::clone(halt),
        gate: hall.gate.clone(),
    };
    let mut slots: Vec<Option<&mut dyn AnyPlayer>> =
        players.iter_mut().map(|p| Some(&mut **p as _)).collect();
    let mut seated: Vec<&mut dyn AnyPlayer> = seating
        .iter()
        .map(|&p| slots[p].take().expect("a seating names every player once"))
        .collect();
    let finished = runner.run_on(game, table, &mut seated, seed, &hall.shelf);
    drop(seated);
    drop(slots);
    if finished.stopped {
        return Ok((None, players));
    }
    let result = result(&finished, seating, before);
    let mut record = finished.record;
    record.header.start.clone_from(&job.opening.position);
    Ok((Some((result, Some(record))), players))
}

fn make(
    hall: &Hall,
    game: &dyn AnyGame,
    job: &Job,
    seating: &[usize],
    watched: &Watched,
) -> Result<Seated, Refused> {
    job.specs
        .iter()
        .enumerate()
        .map(|(place, text)| {
            let spec: Spec = text.parse().map_err(refused)?;
            let seat = seating.iter().position(|&p| p == place).unwrap_or(0);
            let seat = Seat::at(seat).unwrap_or(Seat::FIRST);
            let player = game.player(&spec, seat, &hall.shelf);
            let player = player.map_err(|error| no_player(&spec, &error))?;
            Ok(Box::new(Guarded {
                player,
                watched: watched.clone(),
            }) as Box<dyn AnyPlayer>)
        })
        .collect()
}

fn result(finished: &Finished, seating: &[usize], opening: usize) -> GameResult {
    let mut moves = vec![0; seating.len()];
    let mut line = String::new();
    for (n, event) in finished.record.events.iter().enumerate() {
        match event {
            Event::Move { seat, text, .. } => {
                if n >= opening {
                    moves[seat.index()] += 1;
                }
                line.push_str(text);
                line.push(' ');
            }
            Event::Deal { text, .. } => {
                line.push_str(text);
                line.push(' ');
            }
            _ => {}
        }
    }
    let fault = finished.fault.as_ref().map(|(seat, fault)| {
        let kind = match fault {
            Fault::Illegal(_) => FaultKind::Illegal,
            Fault::Crash(_) => FaultKind::Crash,
            Fault::Late(_) => FaultKind::Late,
            Fault::Silent(_) => FaultKind::Hang,
            Fault::Disconnected(_) => FaultKind::Disconnected,
            Fault::Unreadable(_) => FaultKind::Unreadable,
        };
        FaultNote {
            seat: *seat,
            kind,
            detail: fault.why().chars().take(DETAIL).collect(),
        }
    });
    let mut line = digest(&line);
    line.truncate(12);
    GameResult {
        seating: seating.to_vec(),
        payoffs: finished.outcome.payoffs.clone(),
        moves,
        micros: finished
            .thought
            .iter()
            .map(|t| t.as_micros() as u64)
            .collect(),
        nodes: finished.nodes.clone(),
        fault,
        replayed: 0,
        line,
    }
}
