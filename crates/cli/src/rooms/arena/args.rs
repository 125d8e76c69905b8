//! What can be asked of the arena.

use std::path::PathBuf;

use clap::builder::NonEmptyStringValueParser;
use clap::{Args, Subcommand};
use wits_arena::stats::{Counts, Model};
use wits_arena::{EntrantFile, File, OpeningsFile};
use wits_play::Spec;

use super::crew::CrewArgs;
use crate::args::{Seeded, TimeArgs};

/// Tournaments, ratings and tests
#[derive(Subcommand)]
pub(crate) enum Verb {
    /// Play a tournament, or go on with it
    #[command(
        after_help = "Examples:\n  wits arena run tournaments/othello-naive.toml\n  wits arena run --game othello --player random --player first --player corners-greedy --games 100 --random-plies 4 --seed 1\n  wits arena run cup.toml --format knockout --name cup-2\n  wits arena run cup.toml --nats nats://127.0.0.1:4222"
    )]
    Run(Box<RunArgs>),
    /// Test whether A is stronger than B, and stop as soon as it is clear
    #[command(
        after_help = "Examples:\n  wits arena sprt --counts 40,400,1200,480,60 --elo0 0 --elo1 5\n  wits arena sprt --game othello --a alphabeta:depth=3 --b alphabeta:depth=2 --elo0 0 --elo1 50 --random-plies 6"
    )]
    Sprt(Box<SprtArgs>),
    /// Turn the numbers in a player's spec until it plays better
    #[command(
        after_help = "Examples:\n  wits arena tune tournaments/tune-othello-linear.toml\n  wits arena tune mine.toml --generations 20 --threads 4"
    )]
    Tune(TuneArgs),
    /// Show how far tournaments are, or the table of one
    #[command(
        after_help = "Examples:\n  wits arena status\n  wits arena status othello-naive\n  wits arena status --nats nats://127.0.0.1:4222"
    )]
    Status {
        /// The tournament; all if none is named
        name: Option<String>,
        /// Ask this NATS server, too: jobs, workers, throughput
        #[arg(long, value_name = "URL", conflicts_with = "name")]
        nats: Option<String>,
        #[command(flatten)]
        place: Place,
    },
    /// Stop a tournament that workers play; what was played is kept
    #[command(after_help = "Example: wits arena stop othello-naive --nats nats://127.0.0.1:4222")]
    Stop {
        /// The tournament
        name: String,
        /// The NATS server that carries it
        #[arg(long, value_name = "URL")]
        nats: String,
    },
    /// Let workers finish what they have in hand, and leave
    #[command(
        after_help = "Examples:\n  wits arena drain --nats nats://127.0.0.1:4222\n  wits arena drain lab-3-4711 --nats nats://127.0.0.1:4222"
    )]
    Drain {
        /// The worker; all if none is named
        worker: Option<String>,
        /// The NATS server they work for
        #[arg(long, value_name = "URL")]
        nats: String,
    },
    /// Show ratings by three methods, or the ladder of a game over all tournaments
    #[command(
        after_help = "Examples:\n  wits arena ratings othello-naive\n  wits arena ratings --game othello --anchor random"
    )]
    Ratings(RatingsArgs),
    /// Forget a tournament with all its results
    #[command(after_help = "Example: wits arena forget othello-naive")]
    Forget {
        /// The tournament
        name: String,
        #[command(flatten)]
        place: Place,
    },
}

/// Where results are kept.
#[derive(Args)]
pub(crate) struct Place {
    /// Where everything is kept
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// Keep everything in this database instead (a `PostgreSQL` URL; needs the feature `postgres`)
    #[arg(long, value_name = "URL", conflicts_with = "data")]
    pub(crate) database: Option<String>,
}

#[derive(Args)]
pub(crate) struct RunArgs {
    /// The tournament as a TOML file; flags take the place of what it says
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// The game
    #[arg(long, value_name = "GAMESPEC")]
    pub(crate) game: Option<Spec>,
    /// A player; give it once for each
    #[arg(long = "player", value_name = "SPEC")]
    pub(crate) players: Vec<Spec>,
    /// Who meets whom: `round-robin`, `gauntlet`, `swiss`, `knockout`
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<String>,
    /// In a gauntlet, the first so many players meet all others
    #[arg(long, value_name = "N")]
    pub(crate) heroes: Option<usize>,
    /// In a Swiss tournament, how many rounds
    #[arg(long, value_name = "N")]
    pub(crate) rounds: Option<u32>,
    /// How many games the same players have
    #[arg(long, value_name = "N")]
    pub(crate) games: Option<u32>,
    /// Play every opening once, with alternating seats, instead of once in every seating
    #[arg(long)]
    pub(crate) unpaired: bool,
    /// An opening: moves separated by spaces; give it once for each
    #[arg(long = "opening", value_name = "MOVES")]
    pub(crate) openings: Vec<String>,
    /// Begin every pairing with so many random moves
    #[arg(long, value_name = "N")]
    pub(crate) random_plies: Option<u32>,
    /// What becomes of drawn games: `half`, `time`, `brightwell`, `replay`
    #[arg(long, value_name = "RULE")]
    pub(crate) ties: Option<String>,
    /// Positions a machine may look at for a move
    #[arg(long, value_name = "N")]
    pub(crate) nodes: Option<u64>,
    #[command(flatten)]
    pub(crate) time: TimeArgs,
    /// End every game undecided after this many moves
    #[arg(long, value_name = "M")]
    pub(crate) max_moves: Option<u32>,
    /// Seconds after which a machine that does not answer has lost
    #[arg(long, value_name = "SECONDS", value_parser = crate::args::seconds)]
    pub(crate) patience: Option<f64>,
    #[command(flatten)]
    pub(crate) seed: Seeded,
    #[command(flatten)]
    pub(crate) crew: CrewArgs,
    /// The player whose rating is fixed; the average if none is named
    #[arg(long, value_name = "NAME")]
    pub(crate) anchor: Option<String>,
    /// The rating of the anchor
    #[arg(long, value_name = "ELO")]
    pub(crate) anchor_rating: Option<f64>,
    /// The name that results are kept under
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) name: Option<String>,
    /// Forget results under this name, and begin
    #[arg(long)]
    pub(crate) anew: bool,
    #[command(flatten)]
    pub(crate) place: Place,
}

impl RunArgs {
    /// Puts what the flags say in the place of what the file says.
    pub(crate) fn put_into(&self, file: &mut File) {
        fn put<T: Clone>(given: Option<&T>, into: &mut Option<T>) {
            if let Some(value) = given {
                *into = Some(value.clone());
            }
        }
        if let Some(game) = &self.game {
            file.game = game.to_string();
        }
        if !self.players.is_empty() {
            let named = |spec: &Spec| EntrantFile::Spec(spec.to_string());
            file.players = self.players.iter().map(named).collect();
        }
        if !self.openings.is_empty() {
            let moves = |text: &String| OpeningsFile::Moves(text.clone());
            file.openings = Some(self.openings.iter().map(moves).collect());
        }
        if self.unpaired {
            file.paired = Some(false);
        }
        put(self.name.as_ref(), &mut file.name);
        put(self.format.as_ref(), &mut file.format);
        put(self.heroes.as_ref(), &mut file.heroes);
        put(self.rounds.as_ref(), &mut file.rounds);
        put(self.games.as_ref(), &mut file.games);
        put(self.random_plies.as_ref(), &mut file.random_plies);
        put(self.ties.as_ref(), &mut file.ties);
        put(self.seed.seed.as_ref(), &mut file.seed);
        put(self.anchor.as_ref(), &mut file.anchor);
        put(self.anchor_rating.as_ref(), &mut file.anchor_rating);
        let mut limits = file.limits.take().unwrap_or_default();
        put(self.nodes.as_ref(), &mut limits.nodes);
        put(self.time.time.as_ref(), &mut limits.think);
        put(self.time.move_time.as_ref(), &mut limits.move_time);
        put(self.time.game_time.as_ref(), &mut limits.game_time);
        put(self.time.increment.as_ref(), &mut limits.increment);
        put(self.max_moves.as_ref(), &mut limits.max_moves);
        put(self.patience.as_ref(), &mut limits.patience);
        file.limits = Some(limits);
    }
}

#[derive(Args)]
pub(crate) struct SprtArgs {
    /// Results that are known: lost,drawn,won, or pairs that gave 0, ½, 1, 1½ and 2 points
    #[arg(long, value_name = "L,D,W", conflicts_with_all = ["game", "a", "b"], required_unless_present = "game")]
    pub(crate) counts: Option<Counts>,
    /// The game
    #[arg(long, value_name = "GAMESPEC", requires = "a", requires = "b")]
    pub(crate) game: Option<Spec>,
    /// The machine that may be stronger
    #[arg(long, value_name = "SPEC", requires = "game")]
    pub(crate) a: Option<Spec>,
    /// The machine it is compared with
    #[arg(long, value_name = "SPEC", requires = "game")]
    pub(crate) b: Option<Spec>,
    /// Accepted if A is no more than about this much stronger
    #[arg(
        long,
        value_name = "ELO",
        default_value_t = 0.0,
        allow_negative_numbers = true
    )]
    pub(crate) elo0: f64,
    /// Accepted if A is at least about this much stronger
    #[arg(
        long,
        value_name = "ELO",
        default_value_t = 5.0,
        allow_negative_numbers = true
    )]
    pub(crate) elo1: f64,
    /// How often `elo0` may be taken for `elo1`
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    pub(crate) alpha: f64,
    /// How often `elo1` may be taken for `elo0`
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    pub(crate) beta: f64,
    /// What the bounds are measured in: `normalised` or `logistic`
    #[arg(long, value_name = "MODEL", default_value = "normalised")]
    pub(crate) model: Model,
    /// At most so many games
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(2..=10_000_000))]
    pub(crate) games: u32,
    /// Begin every pairing with so many random moves
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub(crate) random_plies: u32,
    /// Positions a machine may look at for a move
    #[arg(long, value_name = "N")]
    pub(crate) nodes: Option<u64>,
    #[command(flatten)]
    pub(crate) time: TimeArgs,
    #[command(flatten)]
    pub(crate) seed: Seeded,
    #[command(flatten)]
    pub(crate) crew: CrewArgs,
    #[command(flatten)]
    pub(crate) place: Place,
}

#[derive(Args)]
pub(crate) struct RatingsArgs {
    /// The tournament
    pub(crate) name: Option<String>,
    /// The ladder of this game, over all tournaments
    #[arg(long, value_name = "GAMESPEC", conflicts_with = "name")]
    pub(crate) game: Option<Spec>,
    /// The player whose rating is fixed; the average if none is named
    #[arg(long, value_name = "NAME")]
    pub(crate) anchor: Option<String>,
    /// The rating of the anchor
    #[arg(long, value_name = "ELO", default_value_t = 1000.0)]
    pub(crate) anchor_rating: f64,
    #[command(flatten)]
    pub(crate) place: Place,
}

#[derive(Args)]
pub(crate) struct TuneArgs {
    /// The tuning as a TOML file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) crew: CrewArgs,
    /// How many generations at most, instead of what the file says
    #[arg(long, value_name = "N")]
    pub(crate) generations: Option<u64>,
    /// The name that results are kept under
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) name: Option<String>,
    /// Forget what is kept under this name, and begin
    #[arg(long)]
    pub(crate) anew: bool,
    #[command(flatten)]
    pub(crate) place: Place,
}
