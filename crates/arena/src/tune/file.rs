//! A tuning as people write it.

use serde::{Deserialize, Serialize};
use wits_game::{Seat, Seed};
use wits_play::{Catalog, ParamKind, Shelf, Spec, Value};
use wits_search::evolve::Cma;

use super::{Gene, Method, Tuning};
use crate::stats::Sprt;
use crate::{ArenaError, LimitsFile, VERSION};

/// A tuning file. Keys are written with hyphens; what is left out has the default.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct TuneFile {
    /// The name that results are kept under; the name of the file if left out.
    pub name: Option<String>,
    /// What it is about, for readers.
    pub about: Option<String>,
    /// The game as a spec.
    pub game: String,
    /// The player whose numbers are turned, with those that stay.
    pub player: String,
    /// The numbers.
    #[serde(rename = "gene")]
    pub genes: Vec<GeneFile>,
    /// `genetic`, `cma-es` or `spsa`.
    pub method: Option<String>,
    /// How many candidates a generation has.
    pub population: Option<usize>,
    /// How many generations at most.
    pub generations: Option<u64>,
    /// In a genetic tuning, the share of the best that live on.
    pub elite: Option<f64>,
    /// In a genetic tuning, the share that is drawn anew.
    pub newcomers: Option<f64>,
    /// In a tuning by SPSA, how far a difference of one Elo point moves, in steps.
    pub gain: Option<f64>,
    /// Whom candidates meet; each other if left out.
    pub against: Option<Vec<String>>,
    /// How many rounds a generation has where candidates meet each other.
    pub rounds: Option<u32>,
    /// How many games the same two have.
    pub games: Option<u32>,
    /// How many random moves each pairing begins with.
    pub random_plies: Option<u32>,
    /// Time and node limits.
    pub limits: Option<LimitsFile>,
    /// The player that must be beaten; the player itself as it is now if left out.
    pub reference: Option<String>,
    /// When it ends before the last generation.
    pub stop: Option<StopFile>,
    /// The match at the end.
    pub validate: Option<ValidateFile>,
    /// Where all chance comes from.
    pub seed: Option<Seed>,
    /// How many threads play, unless the command line says otherwise.
    pub threads: Option<usize>,
}

/// A number that is turned.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct GeneFile {
    /// The parameter of the player.
    pub param: String,
    /// The least value of the first candidates.
    pub from: Option<f64>,
    /// The greatest value of the first candidates.
    pub to: Option<f64>,
    /// How far one change goes; a twentieth of the range if left out.
    pub step: Option<f64>,
}

/// A test of the best candidate against the reference that may end the tuning.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct StopFile {
    /// Every so many generations.
    #[serde(default = "five")]
    pub every: u64,
    /// No stronger than this: go on.
    #[serde(default)]
    pub elo0: f64,
    /// As strong as this: enough.
    pub elo1: f64,
    /// At most so many games.
    #[serde(default = "thousand")]
    pub games: u32,
}

impl StopFile {
    /// The test.
    pub fn sprt(&self) -> Sprt {
        Sprt::new(self.elo0, self.elo1)
    }
}

/// The match of the winner against the reference on fresh seeds.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ValidateFile {
    /// How many games.
    pub games: u32,
}

impl Default for ValidateFile {
    fn default() -> Self {
        ValidateFile { games: 400 }
    }
}

fn five() -> u64 {
    5
}

fn thousand() -> u32 {
    1000
}

impl TuneFile {
    /// Reads a file. `name` is what the file is called, for messages and as the name of the run.
    pub fn read(text: &str, name: &str) -> Result<TuneFile, ArenaError> {
        let mut file: TuneFile = toml::from_str(text).map_err(|e| ArenaError::File {
            name: name.to_owned(),
            detail: e.to_string().trim_end().replace('\n', "\n  "),
        })?;
        file.name.get_or_insert_with(|| name.to_owned());
        Ok(file)
    }

    /// The specs of the game and of all players, to fetch the files they name.
    pub fn specs(&self) -> Result<(Spec, Vec<Spec>), ArenaError> {
        let read = |text: &String| {
            text.parse::<Spec>()
                .map_err(|error| ArenaError::spec(format!("`{text}`"), error))
        };
        let others = self.against.iter().flatten().chain(&self.reference);
        let players = std::iter::once(&self.player).chain(others);
        Ok((
            read(&self.game)?,
            players.map(read).collect::<Result<_, _>>()?,
        ))
    }

    /// Checks everything and writes it out.
    pub fn tuning(&self, catalog: &Catalog, shelf: &Shelf) -> Result<Tuning, ArenaError> {
        let (game_spec, specs) = self.specs()?;
        let place = |what: &str| {
            let place = what.to_owned();
            move |error| ArenaError::spec(place, error)
        };
        let game = catalog.game(&game_spec, shelf).map_err(place("the game"))?;
        for spec in &specs {
            game.player(spec, Seat::FIRST, shelf)
                .or_else(|_| game.player(spec, Seat::SECOND, shelf))
                .map_err(place(&format!("player `{spec}`")))?;
        }
        let player = &specs[0];
        if let Some((first, again)) = (1..self.genes.len())
            .flat_map(|i| (0..i).map(move |j| (j, i)))
            .find(|&(j, i)| self.genes[j].param == self.genes[i].param)
        {
            return Err(ArenaError::bad(
                format!(
                    "`{}` is turned twice, as number {} and {}",
                    self.genes[again].param,
                    first + 1,
                    again + 1
                ),
                "leave one of them out",
            ));
        }
        let genes = self.genes(catalog, &game_spec, player)?;
        let games = self.games.unwrap_or(2);
        let validate = self.validate.unwrap_or_default();
        let stop_games = self.stop.map_or(2, |s| s.games);
        for games in [games, validate.games, stop_games] {
            if games == 0 || games % 2 == 1 {
                return Err(ArenaError::bad(
                    format!("{games} games cannot be split into pairs"),
                    "every opening is played with both colours: give an even number",
                ));
            }
        }
        if let Some(stop) = &self.stop {
            stop.sprt()
                .check()
                .map_err(|e| ArenaError::bad(e.to_string(), "mend `[stop]`"))?;
        }
        Ok(Tuning {
            name: self.name.clone().unwrap_or_else(|| "tuning".to_owned()),
            game: game.spec().to_owned(),
            player: player.to_string(),
            method: self.method(genes.len())?,
            genes,
            generations: self.generations.unwrap_or(60).max(1),
            against: self.against.clone().unwrap_or_default(),
            rounds: self.rounds.unwrap_or(8).clamp(1, 1000),
            games,
            random_plies: self.random_plies.unwrap_or(6),
            hall: self.limits.clone().unwrap_or_default().rules()?,
            reference: self
                .reference
                .clone()
                .unwrap_or_else(|| self.player.clone()),
            stop: self.stop,
            validate,
            seed: self.seed.unwrap_or_default(),
            version: VERSION.to_owned(),
        })
    }

    fn method(&self, genes: usize) -> Result<Method, ArenaError> {
        let size = |usual: usize| self.population.unwrap_or(usual).clamp(2, 1000);
        let share = |key: &str, given: Option<f64>, usual: f64| match given {
            None => Ok(usual),
            Some(share) if (0.0..=1.0).contains(&share) => Ok(share),
            Some(share) => Err(ArenaError::bad(
                format!("`{key} = {share}` is not a share"),
                "give a number from 0 to 1",
            )),
        };
        match self.method.as_deref().unwrap_or("genetic") {
            "genetic" => Ok(Method::Genetic {
                population: size(60),
                elite: share("elite", self.elite, 0.25)?,
                newcomers: share("newcomers", self.newcomers, 0.10)?,
            }),
            "cma-es" => Ok(Method::CmaEs {
                population: size(Cma::usual_size(genes)).max(4),
            }),
            "spsa" => Ok(Method::Spsa {
                population: size(2).next_multiple_of(2),
                gain: self.gain.filter(|g| g.is_finite()).unwrap_or(0.02),
            }),
            other => Err(ArenaError::bad(
                format!("`{other}` is not a way to tune"),
                "there are: genetic, cma-es, spsa",
            )),
        }
    }

    fn genes(
        &self,
        catalog: &Catalog,
        game: &Spec,
        player: &Spec,
    ) -> Result<Vec<Gene>, ArenaError> {
        let entry = catalog
            .entry(&game.name)
            .map_err(|error| ArenaError::spec("the game", error))?;
        let cards = entry.players();
        let params = cards
            .iter()
            .find(|card| card.id == player.name)
            .map(|card| card.params.as_slice())
            .unwrap_or_default();
        let numeric: Vec<&str> = params
            .iter()
            .filter(|p| matches!(p.kind, ParamKind::Int { .. } | ParamKind::Real { .. }))
            .map(|p| p.name)
            .collect();
        if self.genes.is_empty() {
            return Err(ArenaError::bad(
                "no number is to be turned",
                format!(
                    "give `[[gene]]` with `param` one of: {}",
                    numeric.join(", ")
                ),
            ));
        }
        let one = |file: &GeneFile| {
            let param = params.iter().find(|p| p.name == file.param);
            let (whole, allowed) = match param.map(|p| &p.kind) {
                Some(ParamKind::Int { min, max }) => (true, (*min as f64, *max as f64)),
                Some(ParamKind::Real { min, max }) => (false, (*min, *max)),
                _ => {
                    return Err(ArenaError::bad(
                        format!("`{}` has no number `{}`", player.name, file.param),
                        format!("there are: {}", numeric.join(", ")),
                    ));
                }
            };
            let given = match player.value(&file.param) {
                Some(Value::Text(text)) => text.parse().ok(),
                _ => None,
            };
            let usual = param
                .and_then(|p| p.default.as_ref())
                .and_then(|d| d.parse().ok());
            let range = (file.from.unwrap_or(allowed.0), file.to.unwrap_or(allowed.1));
            let inside = allowed.0 <= range.0 && range.0 < range.1 && range.1 <= allowed.1;
            let step = file.step.unwrap_or((range.1 - range.0) / 20.0);
            if !inside || !step.is_finite() || step <= 0.0 {
                return Err(ArenaError::bad(
                    format!(
                        "`{}` cannot be turned from {} to {} by {step}",
                        file.param, range.0, range.1
                    ),
                    format!("it may be from {} to {}", allowed.0, allowed.1),
                ));
            }
            Ok(Gene {
                param: file.param.clone(),
                whole,
                allowed,
                range,
                step,
                start: given
                    .or(usual)
                    .unwrap_or_else(|| f64::midpoint(range.0, range.1)),
            })
        };
        self.genes.iter().map(one).collect()
    }
}
