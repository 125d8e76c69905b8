//! What tables may agree on before the game: every rule that differs between sets and countries.

use serde::{Deserialize, Serialize};

/// Tiles in a full rack.
pub const RACK: usize = 7;

/// Who moves first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Start {
    /// The first seat: machines change seats between games, so nobody draws.
    #[default]
    Seat,
    /// Everybody draws a tile; the one nearest the start of the alphabet moves first, a blank before
    /// all letters; who ties draws again.
    Draw,
}

/// When a game that nobody goes out of is over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ending {
    /// After this many turns in a row that score nothing: the English tournament rule, six.
    Scoreless(u8),
    /// After this many passes in a row; an exchange is no pass: the Polish federation's rule, four.
    Passes(u8),
    /// After this many rounds in which nobody lays a word: two in Czech play.
    Rounds(u8),
}

/// What the tiles that are left count when somebody goes out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Leftover {
    /// Everybody loses what is left in the own rack, and who went out gets all of it.
    #[default]
    Moved,
    /// Who went out gets twice what the others have left, and they lose nothing: English tournaments
    /// for two. With more players it is the same as `moved`.
    Doubled,
}

/// What happens to a word that is not in the lexicon.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Challenge {
    /// It is refused before it counts; nobody can challenge.
    #[default]
    Void,
    /// It stands until the next player challenges. A wrong challenge costs points.
    Single,
    /// It stands until the next player challenges. A wrong challenge costs the turn.
    Double,
    /// It stands until the next player challenges. A wrong challenge costs nothing.
    Free,
    /// It stands: words are not looked up at all.
    Off,
}

impl Challenge {
    /// Whether the next player may challenge.
    pub const fn possible(self) -> bool {
        matches!(
            self,
            Challenge::Single | Challenge::Double | Challenge::Free
        )
    }
}

/// What happens to a seat whose time has run out; how much time there is is for the table's clock to say.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Late {
    /// It passes, as in the thesis.
    #[default]
    Pass,
    /// It passes and loses so many points.
    Points(i32),
    /// It plays on, and loses so many points for every minute that it begins: the tournament rule for a clock over the whole game.
    Minutes(i32),
    /// It loses the game.
    Lose,
}

/// The rules of one table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// How many sit at the table: one to four.
    pub seats: u8,
    /// Who moves first.
    pub start: Start,
    /// What laying all seven tiles adds.
    pub bingo: i32,
    /// How many tiles must be in the bag for an exchange.
    pub exchange: u8,
    /// When a game is over that nobody goes out of.
    pub ending: Ending,
    /// What the tiles that are left count.
    pub leftover: Leftover,
    /// What happens to a word that is not in the lexicon.
    pub challenge: Challenge,
    /// What a wrong challenge costs where it costs points.
    pub penalty: i32,
    /// What happens when a clock runs out.
    pub late: Late,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            seats: 2,
            start: Start::Seat,
            bingo: 50,
            exchange: 7,
            ending: Ending::Scoreless(6),
            leftover: Leftover::Moved,
            challenge: Challenge::Void,
            penalty: 5,
            late: Late::Pass,
        }
    }
}

impl Settings {
    /// What is usual in a language: how the game ends by passing.
    pub fn usual(language: &str) -> Settings {
        let ending = match language {
            "pl" => Ending::Passes(4),
            "cs" => Ending::Rounds(2),
            _ => Ending::Scoreless(6),
        };
        Settings {
            ending,
            ..Settings::default()
        }
    }
}
