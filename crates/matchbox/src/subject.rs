//! The games that machines of this room learn, and the machines people know by name.

use std::fmt;
use std::sync::Arc;

use serde::Serialize;
use wits_game::{Game, Illegal, Seat, Turn};
use wits_play::Spec;

use crate::boxed::{Boxed, Scheme, Twins};
use crate::cabinet::{Cabinet, Label};
use crate::chart::Chart;
use crate::graph::Graph;
use crate::hexapawn::Hexapawn;
use crate::machine::{Drawn, Machine};
use crate::mini::{Kind, Mini};
use crate::survey::TooLarge;
use crate::teaching::Teaching;
use crate::tictactoe::TicTacToe;

/// A board with more positions than this gets no boxes: nobody has room for them.
pub const MOST_POSITIONS: usize = 200_000;

/// What a machine learns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Subject {
    /// Hexapawn on some board.
    Hexapawn(Hexapawn),
    /// Tic-tac-toe.
    TicTacToe(TicTacToe),
    /// One of the mini-games.
    Mini(Mini),
    /// Any other small game of the catalog.
    Graph(Graph),
}

/// A spec that names no game of this room.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "`{0}` is not a game that boxes learn; there are: hexapawn:rows=R,cols=C, tictactoe, and chomp, nim, tactix, domineering, notakto, connect3, mnk with rows and cols, mnk with line, too"
)]
pub struct NoSuchSubject(pub String);

/// Calls the same code for whichever game it is.
macro_rules! each {
    ($subject:expr, $game:ident => $body:expr) => {
        match $subject {
            Subject::Hexapawn($game) => $body,
            Subject::TicTacToe($game) => $body,
            Subject::Mini($game) => $body,
            Subject::Graph($game) => $body,
        }
    };
}

impl Subject {
    /// The game of a spec.
    pub fn named(text: &str) -> Result<Subject, NoSuchSubject> {
        let wrong = || NoSuchSubject(crate::words::shown(text));
        let spec: Spec = text.parse().map_err(|_| wrong())?;
        let number_or = |key: &str, usual: u8| match spec.value(key) {
            None => Ok(usual),
            Some(value) => value.to_string().parse::<u8>().map_err(|_| wrong()),
        };
        let known = |keys: &[&str]| {
            spec.args
                .iter()
                .all(|(key, _)| keys.contains(&key.as_str()))
        };
        match spec.name.as_str() {
            "tictactoe" if known(&[]) => Ok(Subject::TicTacToe(TicTacToe)),
            "hexapawn" if known(&["rows", "cols"]) => {
                let game = Hexapawn::new(number_or("rows", 3)?, number_or("cols", 3)?);
                game.map(Subject::Hexapawn).map_err(|_| wrong())
            }
            name => {
                let kind = Kind::ALL.into_iter().find(|kind| kind.id() == name);
                let kind = kind.ok_or_else(wrong)?;
                let (rows, cols) = kind.usual();
                let (rows, cols) = (number_or("rows", rows)?, number_or("cols", cols)?);
                let game = match kind {
                    Kind::Mnk if known(&["rows", "cols", "line"]) => {
                        Mini::mnk(rows, cols, number_or("line", 3)?)
                    }
                    _ if known(&["rows", "cols"]) => Mini::new(kind, rows, cols),
                    _ => return Err(wrong()),
                };
                game.map(Subject::Mini).map_err(|_| wrong())
            }
        }
    }

    /// The canonical spec.
    pub fn spec(&self) -> String {
        each!(self, game => game.spec())
    }

    /// What people call the game.
    pub fn title(&self) -> wits_game::Message {
        let key = match self {
            Subject::Graph(game) => return game.title(),
            Subject::Hexapawn(_) => "hexapawn-title",
            Subject::TicTacToe(_) => "tictactoe-title",
            Subject::Mini(game) => match game.kind() {
                Kind::Chomp => "chomp-title",
                Kind::Nim => "nim-title",
                Kind::TacTix => "tactix-title",
                Kind::Domineering => "domineering-title",
                Kind::Notakto => "notakto-title",
                Kind::Connect3 => "connect3-title",
                Kind::Mnk => "mnk-title",
            },
        };
        crate::WORDS.say(key)
    }

    /// What players call a seat.
    pub fn seat_name(&self, seat: Seat) -> wits_game::Message {
        each!(self, game => game.seat_name(seat))
    }

    /// The boxes for a seat.
    pub fn cabinet(&self, seat: Seat, scheme: Scheme, twins: Twins) -> Result<Cabinet, TooLarge> {
        each!(self, game => Cabinet::build(game, seat, scheme, twins, MOST_POSITIONS))
    }

    /// The whole game as numbers, with the boxes of the seats that have some.
    pub fn chart(&self, cabinets: [Option<&Cabinet>; 2]) -> Result<Chart, TooLarge> {
        each!(self, game => Chart::build(game, cabinets, MOST_POSITIONS))
    }

    /// The beads that a machine drew in a game, from the moves of the game. Moves for which there
    /// is no box (forced ones) are left out.
    pub fn drawn(&self, cabinet: &Cabinet, moves: &[String]) -> Result<Vec<Drawn>, Illegal> {
        each!(self, game => drawn(game, cabinet, moves))
    }
}

fn drawn<G: Boxed>(game: &G, cabinet: &Cabinet, moves: &[String]) -> Result<Vec<Drawn>, Illegal> {
    let mut state = game.start();
    let mut out = Vec::new();
    for text in moves {
        let mv = game.read(&state, text)?;
        game.legal(&state, &mv)?;
        if game.turn(&state) == Turn::Of(cabinet.seat())
            && let Some((at, how)) = cabinet.find(game, &state)
            && let Some(bead) = cabinet.bead(game, at, how, mv)
        {
            out.push(Drawn { at, bead });
        }
        game.play(&mut state, &mv);
    }
    Ok(out)
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.spec())
    }
}

/// A kind of machine: what it learns, for which seat, with which boxes, and how it is taught.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Preset {
    /// What people call it.
    pub name: String,
    /// What it learns.
    pub subject: Subject,
    /// For which seat.
    pub seat: Seat,
    /// How images share boxes.
    pub scheme: Scheme,
    /// Whether moves that are the same by symmetry share a colour.
    pub twins: Twins,
    /// How it is taught.
    pub teaching: Teaching,
}

/// A name that no kind of machine has.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is not a kind of machine; there are: her, him, menace, menace2")]
pub struct NoSuchMachine(String);

impl Preset {
    /// `her`, `him`, `menace` or `menace2` (MENACE as the second player).
    pub fn named(name: &str) -> Result<Preset, NoSuchMachine> {
        let (subject, seat) = match name.to_ascii_lowercase().as_str() {
            "her" => (Subject::Hexapawn(Hexapawn::CLASSIC), Seat::SECOND),
            "him" => (Subject::Hexapawn(Hexapawn::CLASSIC), Seat::FIRST),
            "menace" => (Subject::TicTacToe(TicTacToe), Seat::FIRST),
            "menace2" => (Subject::TicTacToe(TicTacToe), Seat::SECOND),
            _ => return Err(NoSuchMachine(crate::words::shown(name))),
        };
        Ok(Preset::of(subject, seat))
    }

    /// The usual machine for a seat of a game.
    pub fn of(subject: Subject, seat: Seat) -> Preset {
        match subject {
            Subject::Hexapawn(_) => Preset {
                name: if seat == Seat::FIRST { "HIM" } else { "HER" }.to_owned(),
                subject,
                seat,
                scheme: Scheme::Gardner,
                twins: Twins::Merge,
                teaching: Teaching::punish_last(),
            },
            Subject::TicTacToe(_) => Preset {
                name: "MENACE".to_owned(),
                subject,
                seat,
                scheme: Scheme::Full,
                twins: Twins::Keep,
                teaching: Teaching::menace(),
            },
            Subject::Mini(ref game) => small(game.kind().id(), &subject, seat),
            Subject::Graph(ref game) => small(game.id(), &subject, seat),
        }
    }

    /// The same kind with other boxes. Without any use of symmetry every move has its own colour.
    pub fn with_scheme(self, scheme: Scheme) -> Preset {
        let usual = Preset::of(self.subject.clone(), self.seat).twins;
        let twins = if scheme == Scheme::None {
            Twins::Keep
        } else {
            usual
        };
        Preset {
            scheme,
            twins,
            ..self
        }
    }

    /// The same kind, taught in another way.
    pub fn with_teaching(self, teaching: Teaching) -> Preset {
        Preset { teaching, ..self }
    }

    /// The boxes.
    pub fn cabinet(&self) -> Result<Cabinet, TooLarge> {
        self.subject.cabinet(self.seat, self.scheme, self.twins)
    }

    /// A machine of this kind that was never taught.
    pub fn machine(&self) -> Result<Machine, TooLarge> {
        let cabinet = Arc::new(self.cabinet()?);
        Ok(Machine::fresh(
            self.name.clone(),
            cabinet,
            self.teaching.clone(),
        ))
    }
}

/// The usual machine for a seat of a game that nobody gave a name.
fn small(id: &str, subject: &Subject, seat: Seat) -> Preset {
    Preset {
        name: id.to_uppercase(),
        subject: subject.clone(),
        seat,
        scheme: Scheme::Full,
        twins: Twins::Merge,
        teaching: Teaching::menace(),
    }
}

/// How many boxes and beads a machine has, in the words that scripts read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Boxes {
    /// What people call it.
    pub machine: String,
    /// The spec of the game.
    pub game: String,
    /// The seat.
    pub seat: Seat,
    /// How images share boxes.
    pub scheme: Scheme,
    /// How many boxes.
    pub boxes: usize,
    /// How many beads.
    pub beads: u64,
    /// How many kinds of beads in all boxes together.
    pub colours: usize,
    /// How many of those lead to a position that is lost against best play.
    pub losing: usize,
    /// How many boxes for each of the machine's moves.
    pub by_move: Vec<usize>,
}

impl From<&Machine> for Boxes {
    fn from(machine: &Machine) -> Boxes {
        let cabinet = machine.cabinet();
        let lost = |label: &Label| label.worth.iter().filter(|&&worth| worth < 0).count();
        let losing = cabinet.labels().iter().map(lost);
        Boxes {
            machine: machine.name().to_owned(),
            game: cabinet.game().to_owned(),
            seat: cabinet.seat(),
            scheme: cabinet.scheme(),
            boxes: cabinet.len(),
            beads: machine.total(),
            colours: cabinet.slots(),
            losing: losing.sum(),
            by_move: cabinet.by_move(),
        }
    }
}
