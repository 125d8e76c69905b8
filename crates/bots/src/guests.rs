//! A catalog in which programs may sit down, too: every game as it is, with a few players more.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use wits_game::{Illegal, Message, Seat, Seed};
use wits_play::contract::{Breach, Laws};
use wits_play::{
    Account, AnyEntry, AnyGame, AnyMatch, AnyPlayer, Args, BadRecord, Catalog, Comparison, Param,
    PlayerCard, Record, Refusal, Roles, Shelf, Spec, unknown_player,
};

use crate::engines::{Engine, Tongue};
use crate::player::Program;
use crate::{Launch, WORDS, split};

/// Which programs may be started.
#[derive(Clone, Debug)]
pub enum Admission {
    /// Any command: whoever types it could start it without us.
    Any,
    /// The executable files of one folder, by their names alone.
    Folder(PathBuf),
}

/// The catalog with `program` in every game, and `gtp` and `nboard` in Othello.
pub fn welcome(catalog: &Catalog, admission: &Admission, supervisor: Option<&Path>) -> Catalog {
    let house = Arc::new(House {
        admission: admission.clone(),
        supervisor: supervisor.map(Path::to_owned),
    });
    let host = |entry: &Arc<dyn AnyEntry>| -> Arc<dyn AnyEntry> {
        Arc::new(Hosting {
            entry: Arc::clone(entry),
            house: Arc::clone(&house),
        })
    };
    Catalog::new(catalog.entries().iter().map(host).collect())
}

struct House {
    admission: Admission,
    supervisor: Option<PathBuf>,
}

/// MiB of memory that programs have, where nobody says more.
const MEMORY: i64 = 1024;
/// MiB that whoever sits at this machine may give them.
const MUCH: i64 = 65_536;
/// Seconds of silence, where no clock decides.
const SILENCE: f64 = 60.0;

/// The players that are added to a game. Who is not at this machine gives no program more than usual.
fn guests(game: &str, admission: &Admission) -> Vec<PlayerCard> {
    let run = || Param::text("run", &WORDS, "param-run").required();
    let (most, longest) = match admission {
        Admission::Any => (MUCH, 3600.0),
        Admission::Folder(_) => (MEMORY, SILENCE),
    };
    let (least, usual) = (16, MEMORY);
    let memory = || Param::int("memory", least, most, usual, &WORDS, "param-memory");
    let silence = || Param::real("silence", 0.1, longest, SILENCE, &WORDS, "param-silence");
    let card = |id, about, params| PlayerCard {
        id,
        about: WORDS.say(about),
        params,
        roles: Roles::Any,
    };
    let usual = vec![run(), memory(), silence()];
    let mut cards = vec![card("program", "about-program", usual.clone())];
    if game == "othello" {
        let depth = Param::int("depth", 1, 60, 8, &WORDS, "param-engine-depth").optional();
        let deep = [usual.clone(), vec![depth]].concat();
        cards.push(card("gtp", "about-gtp", usual));
        cards.push(card("nboard", "about-nboard", deep));
    }
    cards
}

impl House {
    /// What is started for a command.
    fn launch(&self, args: &Args) -> Result<Launch, Refusal> {
        let run = args.text("run");
        let (command, folder, environment) = match &self.admission {
            Admission::Any => {
                let words = split(run).map_err(|bad| {
                    let why = WORDS.say("bad-command").with("run", run).with("why", bad.0);
                    Refusal::new("bad-command", why, WORDS.say("bad-command-hint"))
                })?;
                (words, None, true)
            }
            Admission::Folder(folder) => {
                let all = executables(folder);
                if !all.iter().any(|name| name == run) {
                    let why = WORDS.say("no-such-program").with("name", run);
                    let hint = if all.is_empty() {
                        WORDS.say("no-programs")
                    } else {
                        WORDS
                            .say("no-such-program-hint")
                            .with("all", all.join(", "))
                    };
                    return Err(Refusal::new("no-such-program", why, hint));
                }
                let path = folder.join(run);
                let path = path.canonicalize().unwrap_or(path);
                let word = path.to_string_lossy().into_owned();
                (vec![word], Some(folder.clone()), false)
            }
        };
        Ok(Launch {
            memory: (args.int("memory") as u64) << 20,
            folder,
            environment,
            supervisor: self.supervisor.clone(),
            ..Launch::new(command)
        })
    }
}

/// The names of the executable files of a folder, in order.
fn executables(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries
        .filter(|entry| runs(&entry.path()))
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    names.sort();
    names
}

fn runs(path: &Path) -> bool {
    let Ok(about) = std::fs::metadata(path) else {
        return false;
    };
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        about.is_file() && about.permissions().mode() & 0o111 != 0
    }
    #[cfg(not(unix))]
    about.is_file()
}

/// A game with guests.
struct Hosting {
    entry: Arc<dyn AnyEntry>,
    house: Arc<House>,
}

impl AnyEntry for Hosting {
    fn id(&self) -> &'static str {
        self.entry.id()
    }

    fn title(&self) -> Message {
        self.entry.title()
    }

    fn about(&self) -> Message {
        self.entry.about()
    }

    fn rules(&self) -> Message {
        self.entry.rules()
    }

    fn seats(&self) -> (u8, u8) {
        self.entry.seats()
    }

    fn params(&self) -> &[Param] {
        self.entry.params()
    }

    fn players(&self) -> Vec<PlayerCard> {
        let mut all = self.entry.players();
        all.extend(guests(self.entry.id(), &self.house.admission));
        all
    }

    fn unlisted(&self) -> Vec<PlayerCard> {
        self.entry.unlisted()
    }

    fn comparison(&self) -> Comparison {
        self.entry.comparison()
    }

    fn game(&self, spec: &Spec, shelf: &Shelf) -> Result<Arc<dyn AnyGame>, Refusal> {
        let cards = self.players();
        let ids = cards.iter().map(|card| card.id);
        Ok(Arc::new(Table {
            game: self.entry.game(spec, shelf)?,
            players: ids.filter(|id| *id != "human").collect(),
            house: Arc::clone(&self.house),
        }))
    }
}

/// One variant with guests.
struct Table {
    game: Arc<dyn AnyGame>,
    /// The names of all machines, guests among them.
    players: Vec<&'static str>,
    house: Arc<House>,
}

impl Table {
    fn guest(&self, spec: &Spec, card: &PlayerCard) -> Result<Box<dyn AnyPlayer>, Refusal> {
        let args = Args::check(spec, &card.params)?;
        let launch = self.house.launch(&args)?;
        let silence = Duration::from_secs_f64(args.real("silence"));
        let spec = args.spec().to_string();
        let tongue = match card.id {
            "gtp" => Tongue::Gtp,
            "nboard" => Tongue::NBoard,
            _ => {
                return Ok(Box::new(Program {
                    spec,
                    game: Arc::clone(&self.game),
                    launch,
                    silence,
                    live: None,
                    games: 0,
                    account: Account::default(),
                    last: None,
                }));
            }
        };
        if self.game.spec() != "othello:size=8,start=othello,nomove=pass" {
            let why = WORDS.say("engine-game").with("player", card.id);
            return Err(Refusal::new(
                "engine-game",
                why,
                WORDS.say("engine-game-hint"),
            ));
        }
        // GTP has no word for it.
        let deep = (tongue == Tongue::NBoard).then(|| args.int_if("depth"));
        let depth = deep.flatten().map(|depth| depth as u32);
        let game = Arc::clone(&self.game);
        Ok(Box::new(Engine::new(
            spec, game, tongue, launch, silence, depth,
        )))
    }
}

impl AnyGame for Table {
    fn id(&self) -> &'static str {
        self.game.id()
    }

    fn title(&self) -> Message {
        self.game.title()
    }

    fn spec(&self) -> &str {
        self.game.spec()
    }

    fn rules(&self) -> u32 {
        self.game.rules()
    }

    fn seats(&self) -> u8 {
        self.game.seats()
    }

    fn seat_name(&self, seat: Seat) -> Message {
        self.game.seat_name(seat)
    }

    fn hidden(&self) -> bool {
        self.game.hidden()
    }

    fn complete(&self) -> bool {
        self.game.complete()
    }

    fn grace(&self) -> Duration {
        self.game.grace()
    }

    fn comparison(&self) -> Comparison {
        self.game.comparison()
    }

    fn begin(&self, seed: Seed, max_moves: Option<u32>) -> Box<dyn AnyMatch> {
        self.game.begin(seed, max_moves)
    }

    fn begin_from(
        &self,
        position: &str,
        seed: Seed,
        max_moves: Option<u32>,
    ) -> Result<Box<dyn AnyMatch>, Illegal> {
        self.game.begin_from(position, seed, max_moves)
    }

    fn opponent(&self, seat: Seat) -> Spec {
        self.game.opponent(seat)
    }

    fn analyst(&self, seat: Seat) -> Option<Spec> {
        self.game.analyst(seat)
    }

    fn replay(&self, record: &Record) -> Result<Box<dyn AnyMatch>, BadRecord> {
        self.game.replay(record)
    }

    fn player(
        &self,
        spec: &Spec,
        seat: Seat,
        shelf: &Shelf,
    ) -> Result<Box<dyn AnyPlayer>, Refusal> {
        let cards = guests(self.game.id(), &self.house.admission);
        match cards.iter().find(|card| card.id == spec.name) {
            Some(card) => self.guest(spec, card),
            None => self.game.player(spec, seat, shelf).map_err(|refusal| {
                if refusal.code != "unknown-player" {
                    return refusal;
                }
                let players = self.players.iter().copied();
                unknown_player(self.game.id(), &spec.name, players)
            }),
        }
    }

    fn laws(&self, laws: &Laws) -> Result<(), Breach> {
        self.game.laws(laws)
    }
}
