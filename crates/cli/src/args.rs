//! The command line, as clap reads it. Help texts carry an example each.

use std::path::PathBuf;

use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use wits_desk::Room;
use wits_game::{Lang, Seed};
use wits_play::Spec;

use crate::rooms;

/// Match wits with machines: play against, watch, question and measure machines that search, reason and learn.
#[derive(Parser)]
#[command(name = "wits", version, after_help = "Example: wits play tictactoe")]
pub(crate) struct Cli {
    /// Print exactly one JSON object on standard output
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// The language of what is said: en, pl or cs (`WITS_LANG` says it for every command); JSON stays English
    #[arg(long, global = true, value_name = "LANG", value_parser = ["en", "pl", "cs"])]
    lang: Option<String>,
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// The language in which the person is answered. Scripts get English, whatever is set around them.
pub(crate) fn language() -> Lang {
    let given: Vec<String> = std::env::args_os()
        .map(|arg| arg.to_string_lossy().into_owned())
        .collect();
    if given.iter().any(|arg| arg == "--json") {
        return Lang::En;
    }
    let after = given.iter().position(|arg| arg == "--lang");
    let beside = given.iter().find_map(|arg| arg.strip_prefix("--lang="));
    let said = after.and_then(|at| given.get(at + 1)).map(String::as_str);
    let said = said.or(beside).map(str::to_owned);
    let said = said.or_else(|| std::env::var("WITS_LANG").ok());
    said.and_then(|code| Lang::of_code(&code))
        .unwrap_or_default()
}

/// What a command line asks for.
pub(crate) enum Asked {
    /// A command of the program.
    Command(Box<Cli>),
    /// Perhaps a verb that a room describes: the command line as clap read it.
    Verb {
        /// Whether one JSON object is wanted.
        json: bool,
        /// What was given.
        matches: clap::ArgMatches,
    },
}

/// The whole command line, with the verbs that rooms describe.
pub(crate) fn command(rooms: &[Room]) -> clap::Command {
    crate::desk::extend(Cli::command(), rooms)
}

/// Reads the command line. A number below zero is the value of what stands before it, so that the
/// error is about the number, and not about an option that nobody meant.
pub(crate) fn read(rooms: &[Room]) -> Result<Asked, clap::Error> {
    fn with_numbers(command: clap::Command) -> clap::Command {
        let below_zero = |arg: clap::Arg| {
            let takes = arg.get_action().takes_values();
            arg.allow_negative_numbers(takes)
        };
        command.mut_args(below_zero).mut_subcommands(with_numbers)
    }
    let mut command = with_numbers(command(rooms));
    let matches = command.try_get_matches_from_mut(std::env::args_os());
    let read = matches.and_then(|matches| {
        if crate::desk::asked(rooms, &matches).is_some() {
            let json = matches.get_flag("json");
            return Ok(Asked::Verb { json, matches });
        }
        Cli::from_arg_matches(&matches).map(|cli| Asked::Command(Box::new(cli)))
    });
    read.map_err(|error| error.format(&mut command))
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// List the games
    #[command(after_help = "Example: wits games")]
    Games,
    /// List who can play a game, with every parameter
    #[command(after_help = "Examples:\n  wits players tictactoe\n  wits players --markdown")]
    Players {
        /// The game, such as `tictactoe`
        #[arg(required_unless_present = "markdown")]
        game: Option<String>,
        /// Print every game and player with every parameter, as the page of the manual
        #[arg(long, conflicts_with = "game")]
        markdown: bool,
    },
    /// Play a game in the terminal, or let machines play one
    #[command(
        after_help = "Examples:\n  wits play tictactoe\n  wits play tictactoe --seat human --seat alphabeta\n  wits play tictactoe --seat mcts:nodes=500 --seat random --seed 7 --json\n  wits play --resume game.record"
    )]
    Play(PlayArgs),
    /// Let two machines play many games
    #[command(after_help = "Example: wits match tictactoe --a alphabeta --b random --games 1000")]
    Match(MatchArgs),
    /// Follow one decision of a machine, step by step
    #[command(
        after_help = "Examples:\n  wits watch tictactoe --by alphabeta --position \"X-O/-X-/--O\"\n  wits watch tictactoe --by mcts --moves \"b2 a1\" --save decision.thread\n  wits watch tictactoe --by alphabeta --moves a1 --why-not b1\n  wits watch tictactoe --by alphabeta --moves a1 --forbid b2"
    )]
    Watch(WatchArgs),
    /// Show a record or a thread again
    #[command(after_help = "Examples:\n  wits replay game.record\n  wits replay decision.thread")]
    Replay(ReplayArgs),
    /// Try programs of your own as players, and look into what they did
    #[command(
        after_help = "Examples:\n  wits bot try \"python3 mine.py\" --game othello\n  wits bot debug \"python3 mine.py\" --record lost.record --turn 12"
    )]
    Bot {
        #[command(subcommand)]
        command: crate::bot::BotCommand,
    },
    /// Check a thread with the rules of its game alone
    #[command(
        after_help = "Examples:\n  wits thread check decision.thread\n  wits thread check --generate 500 --seed 1"
    )]
    Thread {
        #[command(subcommand)]
        command: ThreadCommand,
    },
    /// Open the house in the browser (what plain `wits` does)
    #[command(
        after_help = "Examples:\n  wits serve --open\n  wits serve --listen 127.0.0.1:9000 --data ~/wits-data"
    )]
    Serve(ServeArgs),
    /// Copy the store into one file, also while it is served
    #[command(
        after_help = "Examples:\n  wits backup monday.wits\n  wits backup monday.wits --data ~/wits-data"
    )]
    Backup(BackupArgs),
    /// Put a backup in the place of the store, which is kept aside
    #[command(
        after_help = "Examples:\n  wits restore monday.wits\n  wits restore monday.wits --data ~/wits-data"
    )]
    Restore(RestoreArgs),
    /// Measure: figures of the rooms beside their baselines
    #[command(
        after_help = "Examples:\n  wits bench\n  wits bench thue --json\n  wits bench --save today.json --against before.json\n  wits bench --markdown docs/performance.md\n  wits bench learn --markdown docs/performance.md\n  wits bench transit --feed city.zip"
    )]
    Bench(BenchArgs),
    /// Check what the program needs here, and say what to do
    #[command(
        after_help = "Examples:\n  wits doctor\n  wits doctor --data ~/wits-data --port 9000"
    )]
    Doctor(DoctorArgs),
    /// Print completions for a shell
    #[command(
        after_help = "Example: wits completions bash > ~/.local/share/bash-completion/completions/wits"
    )]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    #[command(flatten)]
    Room(rooms::Room),
}

/// Where all chance comes from.
#[derive(Args, Clone, Copy)]
pub(crate) struct Seeded {
    /// Where all chance comes from; the same seed gives the same run
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<Seed>,
}

impl Seeded {
    /// The seed that was given, or a fresh one.
    pub(crate) fn or_fresh(self) -> Seed {
        use std::hash::{BuildHasher, Hasher, RandomState};
        self.seed
            .unwrap_or_else(|| Seed::new(RandomState::new().build_hasher().finish() >> 22))
    }
}

#[derive(Args)]
pub(crate) struct PlayArgs {
    /// The game, such as `tictactoe` or `hexapawn:rows=4,cols=4`
    #[arg(required_unless_present = "resume", value_name = "GAMESPEC")]
    pub(crate) game: Option<Spec>,
    /// Who sits, seat by seat: `human` or a machine (see `wits players GAME`)
    #[arg(long = "seat", value_name = "SPEC")]
    pub(crate) seats: Vec<Spec>,
    #[command(flatten)]
    pub(crate) seed: Seeded,
    /// Start from this position
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) position: Option<String>,
    /// End the game undecided after this many moves
    #[arg(long, value_name = "M")]
    pub(crate) max_moves: Option<u32>,
    /// Keep the record of the game here, event by event
    #[arg(long, value_name = "FILE")]
    pub(crate) save: Option<PathBuf>,
    /// Go on with a game from its record
    #[arg(long, value_name = "FILE", conflicts_with_all = ["game", "seats", "seed", "save", "position", "max_moves"])]
    pub(crate) resume: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) time: TimeArgs,
    /// Where games are kept when no file is named
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
}

/// Clocks.
#[derive(Args, Clone, Copy)]
pub(crate) struct TimeArgs {
    /// Seconds a machine may think about a move
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) time: Option<f64>,
    /// Seconds every seat has for each move, or it loses
    #[arg(long, value_name = "SECONDS", value_parser = seconds, conflicts_with = "game_time")]
    pub(crate) move_time: Option<f64>,
    /// Seconds every seat has for the whole game, or it loses
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) game_time: Option<f64>,
    /// Seconds added after every move
    #[arg(long, value_name = "SECONDS", value_parser = seconds, requires = "game_time")]
    pub(crate) increment: Option<f64>,
}

/// A length of time that makes sense on a clock.
pub(crate) fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(s) if (0.001..=31_536_000.0).contains(&s) => Ok(s),
        _ => Err("give seconds, from 0.001 to a year".to_owned()),
    }
}

#[derive(Args)]
pub(crate) struct MatchArgs {
    /// The game
    #[arg(value_name = "GAMESPEC")]
    pub(crate) game: Spec,
    /// The first machine
    #[arg(long, value_name = "SPEC")]
    pub(crate) a: Spec,
    /// The second machine
    #[arg(long, value_name = "SPEC")]
    pub(crate) b: Spec,
    /// How many games; seats alternate
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub(crate) games: u64,
    /// How many games at once (0: one for each core)
    #[arg(long, value_name = "T", default_value_t = 0)]
    pub(crate) threads: usize,
    #[command(flatten)]
    pub(crate) seed: Seeded,
    /// End every game undecided after this many moves
    #[arg(long, value_name = "M")]
    pub(crate) max_moves: Option<u32>,
    #[command(flatten)]
    pub(crate) time: TimeArgs,
}

#[derive(Args)]
pub(crate) struct WatchArgs {
    /// The game
    #[arg(value_name = "GAMESPEC")]
    pub(crate) game: Spec,
    /// The machine to watch
    #[arg(long, value_name = "SPEC")]
    pub(crate) by: Option<Spec>,
    /// The moves before, separated by spaces (a move may have a space of its own: `8H POLES`)
    #[arg(
        long,
        value_name = "MOVES",
        default_value = "",
        allow_hyphen_values = true
    )]
    pub(crate) moves: String,
    /// Start from this position
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) position: Option<String>,
    #[command(flatten)]
    pub(crate) seed: Seeded,
    /// Seconds the machine may think
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) time: Option<f64>,
    /// Keep at most about this many steps
    #[arg(long, value_name = "STEPS", default_value_t = 4000, value_parser = clap::value_parser!(u32).range(10..=1_000_000))]
    pub(crate) limit: u32,
    /// Save the thread here instead of printing it
    #[arg(long, value_name = "FILE")]
    pub(crate) save: Option<PathBuf>,
    /// Ask why it did not play this legal move
    #[arg(long, value_name = "MOVE", allow_hyphen_values = true)]
    pub(crate) why_not: Option<String>,
    /// Forbid this legal move, and show how it decides among the others
    #[arg(
        long,
        value_name = "MOVE",
        conflicts_with = "why_not",
        allow_hyphen_values = true
    )]
    pub(crate) forbid: Option<String>,
}

#[derive(Args, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(crate) struct ServeArgs {
    /// Where to listen; without a port that was asked for, the next free one is taken
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub(crate) listen: Option<std::net::SocketAddr>,
    /// Open the browser
    #[arg(long)]
    pub(crate) open: bool,
    /// Where everything is kept
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// Keep everything in this database instead (a `PostgreSQL` URL; needs the feature `postgres`)
    #[arg(long, value_name = "URL", conflicts_with = "data")]
    pub(crate) database: Option<String>,
    /// Seconds a machine may think about a move
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "10")]
    pub(crate) time: Option<f64>,
    /// How many machines may think at once (0: one for each core but one)
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) threads: usize,
    /// Let in only who has the link that this prints
    #[arg(long)]
    pub(crate) invite: bool,
    /// Make a new link; the old one and everybody who came in by it count no longer
    #[arg(long, requires = "invite")]
    pub(crate) new_invite: bool,
    /// A name of this machine that is answered beside its addresses, as often as needed
    #[arg(long, value_name = "NAME")]
    pub(crate) host: Vec<String>,
    /// Print a link to a page for whoever runs the server: what is used, removing, closing
    #[arg(long)]
    pub(crate) operator: bool,
    /// Gigabytes that everything kept may take
    #[arg(long, value_name = "GB", default_value = "4", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(crate) disk: Option<u64>,
    /// The name (with its port, if any) of a proxy with TLS before this server; the last address in
    /// its `X-Forwarded-For` is taken for the asker's
    #[arg(long, value_name = "NAME")]
    pub(crate) proxy: Option<String>,
    /// What to write on standard error besides refusals: a line for each request; `json` makes every
    /// line a JSON object. Both: `requests,json`
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    pub(crate) log: Vec<LogWhat>,
    /// Where to answer `/metrics` with figures for Prometheus, such as 127.0.0.1:9100
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub(crate) metrics: Option<std::net::SocketAddr>,
    /// The timetable that visitors see who brought none: GTFS, zipped, or packed
    #[arg(long, value_name = "FILE")]
    pub(crate) timetable: Option<PathBuf>,
    /// GTFS-Realtime of that timetable, read anew every 30 seconds: a file, or a URL (http://), which
    /// only this flag can name
    #[arg(long, value_name = "FILE|URL", requires = "timetable")]
    pub(crate) realtime: Option<String>,
    /// Programs that visitors may seat as players: the executable files of this folder, by name
    #[arg(long, value_name = "DIR")]
    pub(crate) programs: Option<PathBuf>,
    /// If the store is damaged, go on with a new one that holds what can be read; the damaged one is
    /// kept aside
    #[arg(long, conflicts_with = "database")]
    pub(crate) salvage: bool,
}

/// A choice of `--log`.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum LogWhat {
    /// One line a request
    Requests,
    /// Lines are JSON objects
    Json,
}

#[derive(Args)]
pub(crate) struct BackupArgs {
    /// The file to write; there must be none
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Where everything is kept
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// The database that everything is kept in (a `PostgreSQL` URL)
    #[arg(long, value_name = "URL", conflicts_with = "data")]
    pub(crate) database: Option<String>,
}

#[derive(Args)]
pub(crate) struct RestoreArgs {
    /// A file that `wits backup` has written
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Where everything is kept
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// The database that everything is kept in (a `PostgreSQL` URL)
    #[arg(long, value_name = "URL", conflicts_with = "data")]
    pub(crate) database: Option<String>,
}

#[derive(Args, Default)]
pub(crate) struct BenchArgs {
    /// The room; all if none is named
    pub(crate) room: Option<String>,
    /// A timetable for the transit room instead of the generated city
    #[arg(long, value_name = "FILE")]
    pub(crate) feed: Option<PathBuf>,
    /// Queries for the transit room, `from;to;HH:MM` on a line; random ones are written there
    /// if there is no such file
    #[arg(long, value_name = "FILE")]
    pub(crate) queries: Option<PathBuf>,
    /// In the room `learn`: only the work with this in its name, such as `boosting`; in `threads`: only the games
    #[arg(long, value_name = "NAME")]
    pub(crate) only: Option<String>,
    /// Keep the figures here, as JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) save: Option<PathBuf>,
    /// Print each figure as a ratio to this kept run, too
    #[arg(long, value_name = "FILE")]
    pub(crate) against: Option<PathBuf>,
    /// Write the figures here as a page; those of one room take their place in a page that is there
    #[arg(long, value_name = "FILE")]
    pub(crate) markdown: Option<PathBuf>,
}

#[derive(Args)]
pub(crate) struct DoctorArgs {
    /// Where everything is to be kept
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// The database that is to be used instead (a `PostgreSQL` URL)
    #[arg(long, value_name = "URL", conflicts_with = "data")]
    pub(crate) database: Option<String>,
    /// The port that is to be listened on (0: any)
    #[arg(long, value_name = "PORT", default_value_t = 8080)]
    pub(crate) port: u16,
}

#[derive(Subcommand)]
pub(crate) enum ThreadCommand {
    /// Replay a thread with the rules alone: legal moves, values that follow from each other, a best choice
    #[command(after_help = "Example: wits thread check decision.thread")]
    Check(ThreadCheckArgs),
    /// Write one thread of every machine into a folder, from fixed seeds: the gallery of the page *Threads*
    #[command(
        after_help = "Examples:\n  wits thread gallery threads\n  wits thread gallery threads --game hexapawn"
    )]
    Gallery(ThreadGalleryArgs),
}

#[derive(Args)]
pub(crate) struct ThreadGalleryArgs {
    /// Where to write them; made if it is not there
    #[arg(value_name = "FOLDER")]
    pub(crate) folder: PathBuf,
    /// The machines of this game only
    #[arg(long, value_name = "GAME")]
    pub(crate) game: Option<String>,
}

#[derive(Args)]
pub(crate) struct ThreadCheckArgs {
    /// A thread, as `wits watch --save FILE` writes it
    #[arg(value_name = "FILE", required_unless_present = "generate")]
    pub(crate) file: Option<PathBuf>,
    /// Record and check so many decisions instead: every machine in every seat it can take, in turn
    #[arg(long, value_name = "N", conflicts_with = "file")]
    pub(crate) generate: Option<u64>,
    /// Positions that a machine may look at for one of these decisions
    #[arg(long, value_name = "N", default_value_t = 5_000)]
    pub(crate) nodes: u64,
    #[command(flatten)]
    pub(crate) seed: Seeded,
    /// Seconds for one of these decisions
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) time: Option<f64>,
    /// How many threads (0: one for each core)
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) threads: usize,
}

#[derive(Args)]
pub(crate) struct ReplayArgs {
    /// A record or a thread; they are told apart by their first line
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Show the board after each of the moves
    #[arg(long)]
    pub(crate) boards: bool,
    /// Stop after this many moves or steps
    #[arg(long, value_name = "N")]
    pub(crate) to: Option<usize>,
}
