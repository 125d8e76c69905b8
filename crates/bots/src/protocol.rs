//! The lines of the protocol: what the house says, and what a program may answer.
//!
//! Every line is one JSON object. Unknown keys are ignored on both sides, so that a newer house and
//! an older program understand each other; what changes the meaning of a line raises [`PROTOCOL`].

use serde::Serialize;
use serde_json::{Map, Value};
use wits_game::{Eyes, Message, Outcome, Seat};
use wits_play::{AnyGame, AnyMatch};

use crate::WORDS;

/// The version of the protocol that this program speaks.
pub const PROTOCOL: u32 = 1;

/// More legal moves than this are not listed; `more` says so.
pub const MOST_LEGAL: usize = 2000;

/// The longest line that is read, in bytes.
pub const MOST_LINE: usize = 1 << 20;

/// The longest remark that is kept, in characters.
pub const MOST_SAID: usize = 500;

/// The most lines of play, and the most moves of each, that are kept.
pub const MOST_LINES: usize = 64;

/// The first line of a game: what is played, and which seat the program has.
#[derive(Clone, Debug, Serialize)]
pub struct Hello {
    /// The version of the protocol.
    pub hello: u32,
    /// The game.
    pub game: String,
    /// The version of its rules.
    pub rules: u32,
    /// Its canonical spec, all defaults written out.
    pub spec: String,
    /// The program's seat, from 1.
    pub seat: u32,
    /// What players call that seat.
    pub seat_name: String,
    /// How many seats there are.
    pub seats: u8,
    /// A number of the program's own for its dice. It is derived one way from the game's and never
    /// the game's own, which would tell what is hidden.
    pub seed: u64,
    /// Does any seat know less than all?
    pub hidden: bool,
    /// Does `legal` list every legal move, where it is not cut?
    pub complete: bool,
    /// The limits that are the same for the whole game.
    pub limits: Limits,
}

/// What is the same for a whole game.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Limits {
    /// Legal moves that are listed at most.
    pub legal: usize,
    /// Bytes of a line at most.
    pub line: usize,
    /// Mebibytes of memory, where the house enforces a limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
}

/// The program is to move.
#[derive(Clone, Debug, Serialize)]
pub struct Ask {
    /// How many moves and deals came before.
    pub turn: u32,
    /// The name of this turn; the answer names it.
    pub id: String,
    /// The seat that is to move, from 1.
    pub seat: u32,
    /// What the seat knows, as plain data.
    pub view: Value,
    /// The same as players write it, where the game has a notation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notation: Option<String>,
    /// What the seat may play, as players write it.
    pub legal: Vec<String>,
    /// Whether there are more legal moves than are listed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub more: bool,
    /// The moves and deals so far, as this seat may read them.
    pub history: Vec<String>,
    /// Who made each of them: a seat from 1, or 0 for chance.
    pub by: Vec<u32>,
    /// What each seat has so far, where the game counts before its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<Vec<i32>>,
    /// Milliseconds that are left; nothing where there is no clock.
    pub clock_ms: Option<u64>,
    /// Milliseconds added after every move, where the house knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub increment_ms: Option<u64>,
    /// Milliseconds that the program has been charged so far in this game.
    pub spent_ms: u64,
}

/// The game has ended.
#[derive(Clone, Debug, Serialize)]
pub struct Over {
    /// Always true.
    pub over: bool,
    /// What each seat gets; nothing where the game was broken off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payoffs: Option<Vec<i32>>,
    /// Why it ended, in a sentence.
    pub why: String,
}

/// Moves were taken back.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Undone {
    /// How many moves and deals stand.
    pub undo: u32,
}

/// Something the program said was wrong, and it may try again.
#[derive(Clone, Debug, Serialize)]
pub struct Wrong {
    /// What was wrong.
    pub error: WrongWhat,
}

/// What was wrong with a line.
#[derive(Clone, Debug, Serialize)]
pub struct WrongWhat {
    /// A word for it.
    pub code: &'static str,
    /// A sentence.
    pub message: String,
}

/// A line of the house as text, without its end.
///
/// # Panics
/// Never: every line is plain data.
pub fn line(what: &impl Serialize) -> String {
    serde_json::to_string(what).expect("a line is plain data")
}

/// The number of a seat in the protocol: seats are counted from 1, as people do.
pub fn number(seat: Seat) -> u32 {
    seat.index() as u32 + 1
}

impl Hello {
    /// The first line for a seat of a game.
    pub fn new(game: &dyn AnyGame, seat: Seat, seed: u64, memory: Option<u64>) -> Hello {
        Hello {
            hello: PROTOCOL,
            game: game.id().to_owned(),
            rules: game.rules(),
            spec: game.spec().to_owned(),
            seat: number(seat),
            seat_name: game.seat_name(seat).to_string(),
            seats: game.seats(),
            seed,
            hidden: game.hidden(),
            complete: game.complete(),
            limits: Limits {
                legal: MOST_LEGAL,
                line: MOST_LINE,
                memory,
            },
        }
    }
}

impl Ask {
    /// What a seat is told on its turn: nothing that its eyes may not see.
    pub fn new(game: &dyn AnyGame, table: &dyn AnyMatch, seat: Seat, id: String) -> Ask {
        let eyes = Eyes::Seat(seat);
        let told = table.told(eyes);
        let mut legal = table.options();
        let more = legal.len() > MOST_LEGAL;
        legal.truncate(MOST_LEGAL);
        // A whole position says more than a seat may know.
        let notation = if game.hidden() {
            table.seen()
        } else {
            table.notation()
        };
        Ask {
            turn: table.ply(),
            id,
            seat: number(seat),
            view: table.view(eyes),
            notation,
            legal,
            more,
            by: told.iter().map(|t| t.seat.map_or(0, number)).collect(),
            history: told.into_iter().map(|t| t.text).collect(),
            points: table.points(),
            clock_ms: None,
            increment_ms: None,
            spent_ms: 0,
        }
    }
}

impl Over {
    /// The last line of a game; without an outcome it was broken off.
    pub fn new(outcome: Option<&Outcome>) -> Over {
        Over {
            over: true,
            payoffs: outcome.map(|o| o.payoffs.clone()),
            why: outcome.map_or_else(
                || wits_game::WORDS.say("aborted").to_string(),
                |o| o.why.to_string(),
            ),
        }
    }
}

/// What a program says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Card {
    /// Its name.
    pub name: String,
    /// Its version, where it says one.
    pub version: Option<String>,
    /// Whether the same seed and turns always get the same moves.
    pub deterministic: bool,
}

/// A line of play with what the program thinks of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Thoughts {
    /// The moves, the first one to be played now.
    pub moves: Vec<String>,
    /// What it is worth to the program, where it says so.
    pub value: Option<f64>,
}

/// What a program answers on its turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// The turn it answers; a program on this machine may leave it out.
    pub turn: Option<String>,
    /// What it does.
    pub does: Does,
    /// A remark.
    pub say: Option<String>,
    /// What it looked at, the best first.
    pub lines: Vec<Thoughts>,
}

/// What a program does on its turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Does {
    /// Plays a move.
    Move(String),
    /// Gives up.
    Resign,
    /// Asks to take its last move back.
    Undo,
}

/// The answers that authors are shown.
pub(crate) const NAME: &str = r#"{"name":"my bot"}"#;
const MOVE: &str = r#"{"turn":"g1-0","move":"d3"}"#;
const RESIGN: &str = r#"{"resign":true}"#;

/// Why a line cannot be understood.
pub type Unreadable = Message;

fn object(line: &str) -> Result<Map<String, Value>, Unreadable> {
    match serde_json::from_str(line) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(WORDS.say("not-an-object")),
        Err(error) => Err(WORDS.say("not-json").with("why", error.to_string())),
    }
}

/// A text under a key; anything else there is refused.
fn text(of: &Map<String, Value>, key: &'static str) -> Result<Option<String>, Unreadable> {
    match of.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(WORDS.say("not-text").with("key", key)),
    }
}

fn flag(of: &Map<String, Value>, key: &'static str) -> Result<bool, Unreadable> {
    match of.get(key) {
        None | Some(Value::Null) => Ok(false),
        Some(Value::Bool(flag)) => Ok(*flag),
        Some(_) => Err(WORDS.say("not-bool").with("key", key)),
    }
}

/// What others read of a program: one line, no control characters, not endless.
fn tidy(text: &str, most: usize) -> String {
    let plain = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    plain.take(most).collect::<String>().trim().to_owned()
}

impl Card {
    /// Reads the answer to [`Hello`].
    pub fn read(line: &str) -> Result<Card, Unreadable> {
        let object = object(line)?;
        let name = text(&object, "name")?.map(|name| tidy(&name, 60));
        let Some(name) = name.filter(|name| !name.is_empty()) else {
            return Err(WORDS.say("no-name").with("example", NAME));
        };
        let version = match object.get("version") {
            Some(Value::Number(number)) => Some(number.to_string()),
            _ => text(&object, "version")?.map(|version| tidy(&version, 40)),
        };
        Ok(Card {
            name,
            version,
            deterministic: flag(&object, "deterministic")?,
        })
    }
}

impl Reply {
    /// Reads the answer to [`Ask`].
    pub fn read(line: &str) -> Result<Reply, Unreadable> {
        let object = object(line)?;
        let turn = match object.get("turn") {
            Some(Value::Number(number)) => Some(number.to_string()),
            _ => text(&object, "turn")?,
        };
        let does = match text(&object, "move")? {
            Some(mv) => Does::Move(mv),
            None if flag(&object, "resign")? => Does::Resign,
            None if flag(&object, "undo")? => Does::Undo,
            None => {
                let why = WORDS.say("no-move").with("example", MOVE);
                return Err(why.with("resign", RESIGN));
            }
        };
        let say = text(&object, "say")?.map(|said| tidy(&said, MOST_SAID));
        Ok(Reply {
            turn,
            does,
            say: say.filter(|said| !said.is_empty()),
            lines: lines(object.get("lines"))?,
        })
    }
}

fn lines(value: Option<&Value>) -> Result<Vec<Thoughts>, Unreadable> {
    let bad = || WORDS.say("bad-lines");
    let list = match value {
        None | Some(Value::Null) => return Ok(Vec::new()),
        Some(Value::Array(list)) => list,
        Some(_) => return Err(bad()),
    };
    list.iter()
        .take(MOST_LINES)
        .map(|line| {
            let moves = line
                .get("moves")
                .and_then(Value::as_array)
                .ok_or_else(bad)?;
            let moves: Option<Vec<String>> = moves
                .iter()
                .take(MOST_LINES)
                .map(|mv| mv.as_str().map(|mv| tidy(mv, 200)))
                .collect();
            let value = match line.get("value") {
                None | Some(Value::Null) => None,
                Some(value) => Some(value.as_f64().ok_or_else(bad)?),
            };
            let moves = moves.filter(|moves| !moves.is_empty()).ok_or_else(bad)?;
            Ok(Thoughts { moves, value })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_and_unknown_keys_ignored() {
        let reply = Reply::read(
            r#"{"turn":"t3","move":"d3","say":"a\nb","lines":[{"moves":["d3","c4"],"value":0.4},{"moves":["c4"]}],"later":1}"#,
        )
        .unwrap();
        assert_eq!(reply.does, Does::Move("d3".to_owned()));
        assert_eq!(reply.say.as_deref(), Some("a b"));
        assert_eq!(reply.lines[0].value, Some(0.4));
        assert_eq!(reply.lines[1].moves, ["c4"]);
        assert_eq!(
            Reply::read(r#"{"resign":true}"#).unwrap().does,
            Does::Resign
        );
        assert_eq!(
            Card::read(r#"{"name":"corner bot","version":3,"deterministic":true}"#).unwrap(),
            Card {
                name: "corner bot".to_owned(),
                version: Some("3".to_owned()),
                deterministic: true
            }
        );
    }

    #[test]
    fn what_cannot_be_read_says_what_is_missing() {
        for (line, says) in [
            ("d3", "no JSON"),
            ("[1]", "not a JSON object"),
            ("{}", "\"move\""),
            (r#"{"move":3}"#, "`move`"),
            (r#"{"move":"d3","lines":3}"#, "`lines`"),
            (r#"{"move":"d3","lines":[{"moves":[]}]}"#, "`lines`"),
            (r#"{"resign":"yes"}"#, "`resign`"),
        ] {
            let why = Reply::read(line).unwrap_err().to_string();
            assert!(why.contains(says), "{line}: {why}");
        }
        assert!(Card::read(r#"{"name":""}"#).is_err());
        assert!(Card::read(r#"{"version":"2"}"#).is_err());
    }
}
