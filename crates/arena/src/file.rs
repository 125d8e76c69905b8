//! A tournament as people write it.

use serde::Deserialize;
use wits_game::{Seat, Seed};
use wits_play::{AnyGame, Catalog, Refusal, Shelf, Spec, TimeControl};

use crate::{ArenaError, Entrant, Format, Opening, Openings, Rules, Ties, Tournament, VERSION};

/// A tournament file. Keys are written with hyphens; what is left out has the default.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct File {
    /// The name that results are kept under; the name of the file if left out.
    pub name: Option<String>,
    /// What it is about, for readers.
    pub about: Option<String>,
    /// The game as a spec.
    pub game: String,
    /// Who takes part.
    pub players: Vec<EntrantFile>,
    /// `round-robin`, `gauntlet`, `swiss` or `knockout`.
    pub format: Option<String>,
    /// In a gauntlet: the first so many meet all others.
    pub heroes: Option<usize>,
    /// In a Swiss tournament: how many rounds.
    pub rounds: Option<u32>,
    /// How many games the same players have (in every round).
    pub games: Option<u32>,
    /// Whether every opening is played in all seatings.
    pub paired: Option<bool>,
    /// Where games begin: moves separated by spaces, or `position = "..."`.
    pub openings: Option<Vec<OpeningsFile>>,
    /// How many random moves each pairing begins with.
    pub random_plies: Option<u32>,
    /// Time and node limits.
    pub limits: Option<LimitsFile>,
    /// `half`, `time`, `brightwell` or `replay`.
    pub ties: Option<String>,
    /// How much an opponent's point counts in Brightwell's quotient.
    pub brightwell: Option<f64>,
    /// How often a drawn game is played again at most.
    pub replays: Option<u32>,
    /// Where all chance comes from.
    pub seed: Option<Seed>,
    /// How many threads play, unless the command line says otherwise.
    pub threads: Option<usize>,
    /// The player whose rating is fixed; the average of all if none is named.
    pub anchor: Option<String>,
    /// The rating of the anchor.
    pub anchor_rating: Option<f64>,
}

/// A player in a file: a spec, or a name and a spec.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(untagged)]
pub enum EntrantFile {
    /// The spec is the name.
    Spec(String),
    /// A player with a name of its own.
    Named {
        /// What tables call it.
        name: String,
        /// What it is.
        spec: String,
    },
}

/// An opening in a file.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(untagged)]
pub enum OpeningsFile {
    /// Moves separated by spaces.
    Moves(String),
    /// A position, and perhaps moves after it.
    Position {
        /// The position as players write it.
        position: String,
        /// Moves separated by spaces.
        #[serde(default)]
        moves: String,
    },
}

/// Limits in a file. Times are in seconds.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct LimitsFile {
    /// A machine looks at no more positions than this for a move.
    pub nodes: Option<u64>,
    /// A machine looks no deeper than this.
    pub depth: Option<u32>,
    /// A machine is asked to answer within this time.
    pub think: Option<f64>,
    /// Who thinks longer about a move loses.
    pub move_time: Option<f64>,
    /// Who thinks longer in a whole game loses.
    pub game_time: Option<f64>,
    /// What every move adds to the time for the game.
    pub increment: Option<f64>,
    /// A game ends undecided after this many moves.
    pub max_moves: Option<u32>,
    /// Who does not answer for this long hangs, and loses; ten minutes if left out.
    pub patience: Option<f64>,
}

/// No tournament of ours has more players.
const MOST_PLAYERS: usize = 1000;

impl File {
    /// Reads a file. `name` is what the file is called, for messages and as the name of the run.
    pub fn read(text: &str, name: &str) -> Result<File, ArenaError> {
        let mut file: File = toml::from_str(text).map_err(|e| ArenaError::File {
            name: name.to_owned(),
            detail: e.to_string().trim_end().replace('\n', "\n  "),
        })?;
        file.name.get_or_insert_with(|| name.to_owned());
        Ok(file)
    }

    /// The specs of the game and of all players, to fetch the files they name.
    pub fn specs(&self) -> Result<(Spec, Vec<Spec>), ArenaError> {
        let read = |place: String, text: &str| {
            text.parse().map_err(|error| ArenaError::spec(place, error))
        };
        let game = read("the game".to_owned(), &self.game)?;
        let players = self
            .players
            .iter()
            .map(|p| read(format!("player `{}`", p.name()), p.spec()))
            .collect::<Result<_, _>>()?;
        Ok((game, players))
    }

    /// Checks everything and writes it out.
    pub fn tournament(&self, catalog: &Catalog, shelf: &Shelf) -> Result<Tournament, ArenaError> {
        let (game_spec, specs) = self.specs()?;
        let spec_error = |place: &str| {
            let place = place.to_owned();
            move |error: Refusal| ArenaError::spec(place, error)
        };
        let game = catalog
            .game(&game_spec, shelf)
            .map_err(spec_error("the game"))?;
        if game.seats() < 2 {
            return Err(ArenaError::bad(
                format!("`{}` is played alone", game.id()),
                "choose a game for two or more; see `wits games`",
            ));
        }
        let mut players = Vec::new();
        for (entrant, spec) in self.players.iter().zip(&specs) {
            players.push(enter(&*game, entrant, spec, shelf)?);
        }
        self.check_players(&players, game.seats())?;
        let paired = self.paired.unwrap_or(true);
        let tournament = Tournament {
            name: self.name.clone().unwrap_or_else(|| "tournament".to_owned()),
            game: game.spec().to_owned(),
            rules: game.rules(),
            seats: game.seats(),
            compare: game.comparison().into(),
            format: self.format(players.len(), game.seats())?,
            pairings: self.pairings(paired, &players, game.seats())?,
            paired,
            openings: self.openings(&*game)?,
            hall: self.limits.clone().unwrap_or_default().rules()?,
            ties: self.ties(game.seats())?,
            seed: self.seed.unwrap_or_default(),
            shelf: shelf.hashes(),
            version: VERSION.to_owned(),
            players,
        };
        if crate::Plan::new(&tournament).meetings().is_empty() {
            return Err(ArenaError::bad(
                "no two of the players can sit at one table",
                "players bound to a seat need others for the other seats; see `wits players GAME`",
            ));
        }
        Ok(tournament)
    }

    fn check_players(&self, players: &[Entrant], seats: u8) -> Result<(), ArenaError> {
        if players.len() < usize::from(seats.max(2)) {
            return Err(ArenaError::bad(
                format!(
                    "{} players are too few for a table of {seats}",
                    players.len()
                ),
                "add players: `players = [\"random\", \"mcts\"]`, or `--player` once for each",
            ));
        }
        if players.len() > MOST_PLAYERS {
            return Err(ArenaError::bad(
                format!("{} players are too many", players.len()),
                format!("at most {MOST_PLAYERS} can take part"),
            ));
        }
        let mut names: Vec<&str> = players.iter().map(|p| p.name.as_str()).collect();
        names.sort_unstable();
        if let Some([twice, ..]) = names.windows(2).find(|w| w[0] == w[1]) {
            return Err(ArenaError::bad(
                format!("`{twice}` is entered twice"),
                "give them names: `{ name = \"twin\", spec = \"...\" }`",
            ));
        }
        if let Some(anchor) = &self.anchor
            && !names.contains(&anchor.as_str())
        {
            return Err(ArenaError::bad(
                format!("the anchor `{anchor}` is not among the players"),
                format!("there are: {}", names.join(", ")),
            ));
        }
        Ok(())
    }

    fn format(&self, players: usize, seats: u8) -> Result<Format, ArenaError> {
        let format = match self.format.as_deref().unwrap_or("round-robin") {
            "round-robin" => Format::RoundRobin,
            "gauntlet" => {
                let heroes = self.heroes.unwrap_or(1);
                if heroes == 0 || heroes >= players {
                    return Err(ArenaError::bad(
                        format!("{heroes} heroes among {players} players make no gauntlet"),
                        "the first `heroes` players meet all others: give at least one, and fewer than players",
                    ));
                }
                Format::Gauntlet { heroes }
            }
            "swiss" => Format::Swiss {
                rounds: self.rounds.unwrap_or_else(|| enough_rounds(players)),
            },
            "knockout" => Format::Knockout,
            other => {
                return Err(ArenaError::bad(
                    format!("`{other}` is not a format"),
                    "there are: round-robin, gauntlet, swiss, knockout",
                ));
            }
        };
        if seats != 2 && matches!(format, Format::Swiss { .. } | Format::Knockout) {
            return Err(ArenaError::bad(
                format!("this format is for two, and {seats} sit at this table"),
                "use `round-robin` or `gauntlet`",
            ));
        }
        if matches!(format, Format::Swiss { rounds } if rounds == 0 || rounds > 10_000) {
            return Err(ArenaError::bad(
                "a Swiss tournament has from 1 to 10000 rounds",
                "give `rounds`, or leave it out",
            ));
        }
        Ok(format)
    }

    /// How many pairings make the games that were asked for.
    fn pairings(&self, paired: bool, players: &[Entrant], seats: u8) -> Result<u32, ArenaError> {
        let games = self.games.unwrap_or(if paired { 100 } else { 50 });
        let free = players.iter().all(|p| p.seats.len() == usize::from(seats));
        let each: u32 = if paired && free {
            (1..=u32::from(seats)).product()
        } else {
            1
        };
        if games == 0 || !games.is_multiple_of(each) {
            return Err(ArenaError::bad(
                format!("{games} games cannot be split into pairings of {each}"),
                format!(
                    "every opening is played in all {each} seatings: give a multiple of {each}, or `paired = false`"
                ),
            ));
        }
        Ok(games / each)
    }

    fn openings(&self, game: &dyn AnyGame) -> Result<Openings, ArenaError> {
        match (&self.openings, self.random_plies) {
            (Some(_), Some(_)) => Err(ArenaError::bad(
                "both `openings` and `random-plies` are given",
                "give one of them",
            )),
            (None, plies) => {
                let plies = plies.unwrap_or(0);
                if plies > 1000 {
                    return Err(ArenaError::bad(
                        format!("{plies} random moves leave no game to play"),
                        "give `random-plies` from 0 to 1000; 4 to 12 are usual",
                    ));
                }
                Ok(Openings::Random(plies))
            }
            (Some(list), None) if list.is_empty() => Err(ArenaError::bad(
                "`openings` is empty",
                "leave it out to begin from the usual start",
            )),
            (Some(list), None) => {
                let openings: Vec<Opening> = list.iter().map(OpeningsFile::opening).collect();
                for (n, opening) in openings.iter().enumerate() {
                    crate::hall::set_up(game, opening, Seed::default(), None).map_err(|why| {
                        ArenaError::bad(
                            format!("opening {} cannot be played: {why}", n + 1),
                            "mend it or leave it out; moves are separated by spaces",
                        )
                    })?;
                }
                Ok(Openings::List(openings))
            }
        }
    }

    fn ties(&self, seats: u8) -> Result<Ties, ArenaError> {
        let ties = match self.ties.as_deref().unwrap_or("half") {
            "half" => Ties::Half,
            "time" => Ties::Time,
            "brightwell" => Ties::Brightwell {
                c: self.brightwell.unwrap_or(6.0),
            },
            "replay" => Ties::Replay {
                times: self.replays.unwrap_or(3).clamp(1, 100),
            },
            other => {
                return Err(ArenaError::bad(
                    format!("`{other}` is not a rule for draws"),
                    "there are: half, time, brightwell, replay",
                ));
            }
        };
        if seats != 2 && ties != Ties::Half {
            return Err(ArenaError::bad(
                format!("at a table of {seats} a draw is always shared"),
                "leave out `ties`",
            ));
        }
        Ok(ties)
    }
}

/// Enough rounds to find the best of so many.
fn enough_rounds(players: usize) -> u32 {
    players.max(2).next_power_of_two().trailing_zeros() + 1
}

impl EntrantFile {
    /// What tables call it.
    pub fn name(&self) -> &str {
        match self {
            EntrantFile::Spec(spec) => spec,
            EntrantFile::Named { name, .. } => name,
        }
    }

    /// What it is.
    pub fn spec(&self) -> &str {
        match self {
            EntrantFile::Spec(spec) | EntrantFile::Named { spec, .. } => spec,
        }
    }
}

impl OpeningsFile {
    fn opening(&self) -> Opening {
        let split = |text: &str| text.split_whitespace().map(str::to_owned).collect();
        match self {
            OpeningsFile::Moves(moves) => Opening {
                moves: split(moves),
                ..Opening::default()
            },
            OpeningsFile::Position { position, moves } => Opening {
                position: Some(position.clone()),
                moves: split(moves),
                random_plies: 0,
            },
        }
    }
}

impl LimitsFile {
    pub(crate) fn rules(&self) -> Result<Rules, ArenaError> {
        let ms = |key: &str, seconds: f64| {
            if (0.001..=31_536_000.0).contains(&seconds) {
                Ok((seconds * 1000.0).round() as u64)
            } else {
                Err(ArenaError::bad(
                    format!("`{key} = {seconds}` is not a length of time"),
                    "give seconds, from 0.001 to a year",
                ))
            }
        };
        let maybe = |key: &str, seconds: Option<f64>| seconds.map(|s| ms(key, s)).transpose();
        let clock = match (self.move_time, self.game_time) {
            (Some(_), Some(_)) => {
                return Err(ArenaError::bad(
                    "both `move-time` and `game-time` are given",
                    "give one of them",
                ));
            }
            (Some(seconds), None) => TimeControl::PerMove {
                ms: ms("move-time", seconds)?,
            },
            (None, Some(seconds)) => TimeControl::PerGame {
                ms: ms("game-time", seconds)?,
                increment_ms: maybe("increment", self.increment)?.unwrap_or(0),
            },
            (None, None) => TimeControl::None,
        };
        let usual = Rules::default();
        Ok(Rules {
            nodes: self.nodes,
            depth: self.depth,
            think_ms: maybe("think", self.think)?,
            clock,
            max_moves: self.max_moves,
            patience_ms: maybe("patience", self.patience)?.unwrap_or(usual.patience_ms),
        })
    }
}

/// Checks a player: it can be made, and takes some seat.
fn enter(
    game: &dyn AnyGame,
    entrant: &EntrantFile,
    spec: &Spec,
    shelf: &Shelf,
) -> Result<Entrant, ArenaError> {
    let mut made = None;
    let mut seats = Vec::new();
    let mut error = None;
    for seat in Seat::all(game.seats()) {
        match game.player(spec, seat, shelf) {
            Ok(player) => {
                seats.push(seat);
                made.get_or_insert((player.spec().to_owned(), player.learns()));
            }
            Err(e) => error = Some(e),
        }
    }
    match (made, error) {
        (Some((spec, learns)), _) => Ok(Entrant {
            name: entrant.name().trim().to_owned(),
            given: entrant.spec().trim().to_owned(),
            spec,
            seats,
            learns,
        }),
        (None, Some(error)) => {
            let place = format!("player `{}`", entrant.name());
            Err(ArenaError::spec(place, error))
        }
        (None, None) => Err(ArenaError::bad(
            "this game has no seats",
            "choose another game",
        )),
    }
}
