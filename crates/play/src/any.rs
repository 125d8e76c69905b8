//! The one erased seam: what a front end sees of any game.

use std::any::Any;
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value as Json;
use wits_game::{Dice, End, Eyes, Game, Illegal, Lang, Message, Outcome, Scene, Seat, Seed, Turn};
use wits_search::{Budget, Recorder, Thread, ThreadHeader};

use crate::contract::{Breach, Laws};
use crate::record::BadRecord;
use crate::{
    Account, Args, Choice, Comparison, Desk, Entry, Event, FaultName, Header, Match, Param, Player,
    Record, Refusal, Roles, Shelf, Spec, Thought, WORDS,
};

/// A player as lists and help show it.
#[derive(Clone, Debug, Serialize)]
pub struct PlayerCard {
    /// Its name in specs.
    pub id: &'static str,
    /// What it is, in a sentence.
    pub about: Message,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Which seats it can take.
    pub roles: Roles,
}

/// A game has no player of that name, but these, and whoever sits at the keyboard.
pub fn unknown_player<'a>(
    game: &str,
    name: &str,
    players: impl IntoIterator<Item = &'a str>,
) -> Refusal {
    let why = WORDS.say("unknown-player").with("game", game);
    let all: Vec<&str> = std::iter::once("human").chain(players).collect();
    Refusal::unknown("unknown-player", why.with("name", name), name, &all)
}

/// A game of the catalog, whatever its type.
pub trait AnyEntry: Send + Sync {
    /// Its name in specs.
    fn id(&self) -> &'static str;
    /// What people call it.
    fn title(&self) -> Message;
    /// What it is, in a sentence.
    fn about(&self) -> Message;
    /// How it is played, in a few sentences.
    fn rules(&self) -> Message;
    /// How few and how many can sit at the table.
    fn seats(&self) -> (u8, u8);
    /// The parameters of the game.
    fn params(&self) -> &[Param];
    /// Who can play it, `human` first.
    fn players(&self) -> Vec<PlayerCard>;
    /// Players that fit some of its variants only: nobody is offered them, but they come to who names them.
    fn unlisted(&self) -> Vec<PlayerCard> {
        Vec::new()
    }
    /// What two machines are compared by.
    fn comparison(&self) -> Comparison;
    /// One variant of the game.
    fn game(&self, spec: &Spec, shelf: &Shelf) -> Result<Arc<dyn AnyGame>, Refusal>;
}

/// One variant of a game, whatever its type.
pub trait AnyGame: Send + Sync {
    /// The entry it comes from.
    fn id(&self) -> &'static str;
    /// What people call it.
    fn title(&self) -> Message;
    /// The canonical spec, all defaults written out.
    fn spec(&self) -> &str;
    /// The version of its rules.
    fn rules(&self) -> u32;
    /// How many sit at this table.
    fn seats(&self) -> u8;
    /// What players call a seat.
    fn seat_name(&self, seat: Seat) -> Message;
    /// Does any seat know less than all?
    fn hidden(&self) -> bool;
    /// Do the options list every legal move, or only some?
    fn complete(&self) -> bool;
    /// How much more time a seat is given after being late.
    fn grace(&self) -> std::time::Duration;
    /// What two machines are compared by.
    fn comparison(&self) -> Comparison;
    /// A new match.
    fn begin(&self, seed: Seed, max_moves: Option<u32>) -> Box<dyn AnyMatch>;
    /// A new match that starts from a position, as players write it.
    fn begin_from(
        &self,
        position: &str,
        seed: Seed,
        max_moves: Option<u32>,
    ) -> Result<Box<dyn AnyMatch>, Illegal>;
    /// A machine that gives a newcomer a game, for a seat.
    fn opponent(&self, seat: Seat) -> Spec;
    /// The machine whose values a review goes by, for a seat; nothing where no machine searches.
    fn analyst(&self, seat: Seat) -> Option<Spec>;
    /// A match from its record.
    fn replay(&self, record: &Record) -> Result<Box<dyn AnyMatch>, BadRecord>;
    /// A machine for a seat.
    fn player(&self, spec: &Spec, seat: Seat, shelf: &Shelf)
    -> Result<Box<dyn AnyPlayer>, Refusal>;
    /// Checks the laws of the contract that concern the rules.
    fn laws(&self, laws: &Laws) -> Result<(), Breach>;
}

/// A move that stands, for one reader.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Told {
    /// How many moves and deals came before.
    pub ply: u32,
    /// Who moved; nobody when chance did.
    pub seat: Option<Seat>,
    /// The move, without what the reader may not know.
    #[serde(rename = "move")]
    pub text: String,
    /// How long the seat thought, where somebody measured it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<u64>,
}

/// A match of any game: see [`Match`], whose methods these are.
pub trait AnyMatch: Send + Sync {
    /// Whose turn it is, or how it ended.
    fn turn(&self) -> Turn;
    /// How many moves and deals stand.
    fn ply(&self) -> u32;
    /// Everything that happened, nothing left out: for the disk only.
    fn events(&self) -> &[Event];
    /// The moves that stand, for one reader.
    fn told(&self, eyes: Eyes) -> Vec<Told>;
    /// What these eyes see, as plain data.
    fn view(&self, eyes: Eyes) -> Json;
    /// What these eyes see, as a picture.
    fn scene(&self, eyes: Eyes) -> Scene;
    /// What the seat to move may do, as players write it.
    fn options(&self) -> Vec<String>;
    /// The position as players write it, where the game has a notation.
    fn notation(&self) -> Option<String>;
    /// What the seat to move knows of the position, as players write it, where the game has secrets and can write that.
    fn seen(&self) -> Option<String>;
    /// What each seat has so far, where the game counts before its end.
    fn points(&self) -> Option<Vec<i32>>;
    /// Makes a move for a seat. Refused moves change nothing.
    fn play(&mut self, seat: Seat, text: &str, ms: Option<u64>) -> Result<Event, Illegal>;
    /// Lets chance move until a seat is to move or the game is over; the events that gave.
    fn settle(&mut self) -> Vec<Event>;
    /// Ends the game from outside its rules.
    fn end(&mut self, seat: Seat, how: End) -> Result<Event, Illegal>;
    /// Names the fault by which a seat has just lost.
    fn blame(&mut self, seat: Seat, name: FaultName);
    /// Takes moves back until `to` remain.
    fn undo(&mut self, to: u32) -> Result<Event, Illegal>;
    /// Stops the game without an outcome.
    fn abort(&mut self, why: &str) -> Result<Event, Illegal>;
    /// Whether the game was stopped without an outcome.
    fn aborted(&self) -> bool;
    /// The dice of a seat for its next decision.
    fn dice(&self, seat: Seat) -> Dice;
    /// The dice of a seat before anything happened: the same during the whole game.
    fn first_dice(&self, seat: Seat) -> Dice;
    /// A copy to think with.
    fn copy(&self) -> Box<dyn AnyMatch>;
    /// The typed match, for a player of the same game.
    fn as_any(&self) -> &dyn Any;
}

/// The desk of an erased player.
pub struct AnyDesk<'a> {
    /// What the decision may cost.
    pub budget: &'a Budget,
    /// The seat's dice for this ply.
    pub dice: Dice,
    /// Somebody who listens to thoughts.
    pub tell: &'a mut (dyn FnMut(&Thought<String>) + Send),
    /// Where the steps go, if somebody wants to follow them.
    pub record: Option<&'a mut Recorder>,
}

/// A machine of any game. It lives over many games, so learners can live behind the seam.
pub trait AnyPlayer: Send {
    /// The canonical spec, all defaults written out.
    fn spec(&self) -> &str;
    /// What to do in a match of the game it was made for.
    fn choose(&mut self, table: &dyn AnyMatch, desk: AnyDesk<'_>) -> Choice<String>;
    /// What there is to say of the last choice: programs of others are charged their processor time,
    /// and may be at fault.
    fn account(&mut self) -> Account {
        Account::default()
    }
    /// Whether it wants to be taught after a game.
    fn learns(&self) -> bool;
    /// The game is over: learn from your own decisions. Everybody is told, also who does not learn.
    fn learn(&mut self, table: &dyn AnyMatch, seat: Seat);
    /// What a learner keeps between games.
    fn memory(&self) -> Option<Json>;
    /// How its thread is best drawn.
    fn lens(&self) -> &'static str;

    /// Ends a recorder as the thread of one decision in a match.
    fn thread(
        &self,
        recorder: Recorder,
        game: &dyn AnyGame,
        table: &dyn AnyMatch,
        seed: Seed,
        result: &str,
    ) -> Thread {
        let who = table
            .turn()
            .seat()
            .map_or_else(|| "-".to_owned(), |s| game.seat_name(s).to_string());
        let header = ThreadHeader {
            game: game.spec().to_owned(),
            subject: table
                .notation()
                .or_else(|| table.seen())
                .unwrap_or_else(|| {
                    // What the machine did not see does not belong into its thread.
                    let eyes = match table.turn().seat() {
                        Some(seat) if game.hidden() => Eyes::Seat(seat),
                        _ => Eyes::All,
                    };
                    let moves: Vec<String> = table.told(eyes).into_iter().map(|t| t.text).collect();
                    moves.join(" ")
                }),
            by: self.spec().to_owned(),
            seat: who.clone(),
            seed: seed.number(),
            title: WORDS
                .say("title-decision")
                .with("who", who)
                .with("by", self.spec())
                .to_string(),
            ..ThreadHeader::new(game.id(), self.lens())
        };
        let mut thread = recorder.finish(&header, result, Lang::spoken());
        // Viewers open a thread with the steps that its decision rests on.
        crate::check::mark(table, &mut thread);
        thread
    }
}

/// A list of games. Adding a game is adding one line to such a list.
#[derive(Clone, Default)]
pub struct Catalog {
    entries: Vec<Arc<dyn AnyEntry>>,
}

impl Catalog {
    /// A catalog of these entries.
    pub fn new(entries: Vec<Arc<dyn AnyEntry>>) -> Catalog {
        Catalog { entries }
    }

    /// All entries, in order.
    pub fn entries(&self) -> &[Arc<dyn AnyEntry>] {
        &self.entries
    }

    /// The entry of that name, or the nearest names.
    pub fn entry(&self, name: &str) -> Result<&Arc<dyn AnyEntry>, Refusal> {
        self.entries
            .iter()
            .find(|entry| entry.id() == name)
            .ok_or_else(|| {
                let all: Vec<&str> = self.entries.iter().map(|entry| entry.id()).collect();
                Refusal::unknown(
                    "unknown-game",
                    WORDS.say("unknown-game").with("name", name),
                    name,
                    &all,
                )
            })
    }

    /// The game of a spec.
    pub fn game(&self, spec: &Spec, shelf: &Shelf) -> Result<Arc<dyn AnyGame>, Refusal> {
        self.entry(&spec.name)?.game(spec, shelf)
    }
}

/// An entry behind the seam.
pub(crate) struct Erased<G: Game>(pub(crate) Arc<Entry<G>>);

impl<G: Game> AnyEntry for Erased<G> {
    fn id(&self) -> &'static str {
        self.0.id
    }

    fn title(&self) -> Message {
        self.0.title.clone()
    }

    fn about(&self) -> Message {
        self.0.about.clone()
    }

    fn rules(&self) -> Message {
        self.0.rules.clone()
    }

    fn seats(&self) -> (u8, u8) {
        self.0.seats
    }

    fn params(&self) -> &[Param] {
        &self.0.params
    }

    fn players(&self) -> Vec<PlayerCard> {
        let human = PlayerCard {
            id: "human",
            about: WORDS.say("about-human"),
            params: Vec::new(),
            roles: Roles::Any,
        };
        let machines = self.0.players.iter().map(|p| PlayerCard {
            id: p.id,
            about: p.about.clone(),
            params: p.params.clone(),
            roles: p.roles.clone(),
        });
        std::iter::once(human).chain(machines).collect()
    }

    fn comparison(&self) -> Comparison {
        self.0.comparison
    }

    fn game(&self, spec: &Spec, shelf: &Shelf) -> Result<Arc<dyn AnyGame>, Refusal> {
        let args = Args::check(spec, &self.0.params)?;
        let game = Arc::new((self.0.build)(&args, shelf)?);
        Ok(Arc::new(Table {
            entry: Arc::clone(&self.0),
            game,
            spec: args.spec().to_string(),
        }))
    }
}

/// One variant behind the seam.
struct Table<G: Game> {
    entry: Arc<Entry<G>>,
    game: Arc<G>,
    spec: String,
}

impl<G: Game> Table<G> {
    /// The first of these players that the game has for a seat.
    fn seated<'a>(
        &self,
        mut ids: impl Iterator<Item = &'a &'static str>,
        seat: Seat,
    ) -> Option<&'static str> {
        let players = &self.entry.players;
        let fits = |id: &str| players.iter().any(|p| p.id == id && p.roles.allow(seat));
        ids.find(|id| fits(id)).copied()
    }
}

impl<G: Game> AnyGame for Table<G> {
    fn id(&self) -> &'static str {
        self.entry.id
    }

    fn title(&self) -> Message {
        self.entry.title.clone()
    }

    fn spec(&self) -> &str {
        &self.spec
    }

    fn rules(&self) -> u32 {
        G::RULES
    }

    fn seats(&self) -> u8 {
        self.game.seats()
    }

    fn seat_name(&self, seat: Seat) -> Message {
        self.game.seat_name(seat)
    }

    fn hidden(&self) -> bool {
        G::HIDDEN
    }

    fn complete(&self) -> bool {
        G::COMPLETE
    }

    fn grace(&self) -> std::time::Duration {
        self.game.grace()
    }

    fn comparison(&self) -> Comparison {
        self.entry.comparison
    }

    fn begin(&self, seed: Seed, max_moves: Option<u32>) -> Box<dyn AnyMatch> {
        Box::new(Match::new(Arc::clone(&self.game), seed, max_moves))
    }

    fn begin_from(
        &self,
        position: &str,
        seed: Seed,
        max_moves: Option<u32>,
    ) -> Result<Box<dyn AnyMatch>, Illegal> {
        let start = self.game.position(position)?;
        Ok(Box::new(Match::from(
            Arc::clone(&self.game),
            start,
            seed,
            max_moves,
        )))
    }

    fn opponent(&self, seat: Seat) -> Spec {
        let ids = self.entry.opponents.iter();
        let id = self.seated(ids.chain(&["alphabeta", "mcts", "ismcts"]), seat);
        Spec::named(id.unwrap_or("random"))
    }

    fn analyst(&self, seat: Seat) -> Option<Spec> {
        let ids = self.entry.analysts.iter();
        let id = self.seated(ids.chain(&["perfect", "alphabeta"]), seat);
        id.map(Spec::named)
    }

    fn replay(&self, record: &Record) -> Result<Box<dyn AnyMatch>, BadRecord> {
        if record.header.game != self.spec {
            let why = WORDS
                .say("other-game")
                .with("found", &record.header.game)
                .with("wanted", &self.spec);
            return Err(BadRecord { line: 1, why });
        }
        Ok(Box::new(Match::replay(Arc::clone(&self.game), record)?))
    }

    fn player(
        &self,
        spec: &Spec,
        seat: Seat,
        shelf: &Shelf,
    ) -> Result<Box<dyn AnyPlayer>, Refusal> {
        let ids: Vec<&str> = self.entry.players.iter().map(|p| p.id).collect();
        if spec.name == "human" {
            let hint = WORDS.say("human-hint").with("all", ids.join(", "));
            return Err(Refusal::new("human", WORDS.say("human"), hint));
        }
        let Some(entry) = self.entry.players.iter().find(|p| p.id == spec.name) else {
            return Err(unknown_player(self.entry.id, &spec.name, ids));
        };
        let args = Args::check(spec, &entry.params)?;
        if !entry.roles.allow(seat) {
            let names: Vec<String> = Seat::all(self.seats())
                .filter(|&s| entry.roles.allow(s))
                .map(|s| format!("{s} ({})", self.game.seat_name(s)))
                .collect();
            let why = WORDS
                .say("wrong-seat")
                .with("player", entry.id)
                .with("seat", seat)
                .with("game", self.entry.id);
            return Err(Refusal::new(
                "wrong-seat",
                why,
                WORDS.say("wrong-seat-hint").with("seats", names.join(", ")),
            ));
        }
        let player = (entry.build)(&self.game, &args, shelf)?;
        Ok(Box::new(Seated {
            player,
            spec: args.spec().to_string(),
        }))
    }

    fn laws(&self, laws: &Laws) -> Result<(), Breach> {
        laws.check(&self.game)
    }
}

impl<G: Game> AnyMatch for Match<G> {
    fn turn(&self) -> Turn {
        Match::turn(self)
    }

    fn ply(&self) -> u32 {
        Match::ply(self)
    }

    fn events(&self) -> &[Event] {
        Match::events(self)
    }

    fn told(&self, eyes: Eyes) -> Vec<Told> {
        let told = |(ply, (seat, text, ms)): (usize, (Option<Seat>, &str, Option<u64>))| Told {
            ply: ply as u32,
            seat,
            text: text.to_owned(),
            ms,
        };
        self.moves(eyes).enumerate().map(told).collect()
    }

    fn view(&self, eyes: Eyes) -> Json {
        let view = self.game().view(self.state(), eyes);
        serde_json::to_value(&*view).unwrap_or(Json::Null)
    }

    fn scene(&self, eyes: Eyes) -> Scene {
        let mut scene = self.game().scene(&self.game().view(self.state(), eyes));
        if self.turn().seat().is_none() {
            scene.targets.clear();
        }
        scene
    }

    fn options(&self) -> Vec<String> {
        let Turn::Of(seat) = self.turn() else {
            return Vec::new();
        };
        let view = self.game().view(self.state(), Eyes::Seat(seat));
        self.game()
            .options(&view)
            .iter()
            .map(|mv| self.game().write(self.state(), mv, Eyes::Seat(seat)))
            .collect()
    }

    fn notation(&self) -> Option<String> {
        self.game().notation(self.state())
    }

    fn seen(&self) -> Option<String> {
        let Turn::Of(seat) = self.turn() else {
            return None;
        };
        let view = self.game().view(self.state(), Eyes::Seat(seat));
        self.game().seen(&view)
    }

    fn points(&self) -> Option<Vec<i32>> {
        self.game().points(self.state())
    }

    fn play(&mut self, seat: Seat, text: &str, ms: Option<u64>) -> Result<Event, Illegal> {
        Match::play(self, seat, text, ms).cloned()
    }

    fn settle(&mut self) -> Vec<Event> {
        let from = Match::events(self).len();
        Match::settle(self);
        Match::events(self)[from..].to_vec()
    }

    fn end(&mut self, seat: Seat, how: End) -> Result<Event, Illegal> {
        Match::end(self, seat, how).cloned()
    }

    fn blame(&mut self, seat: Seat, name: FaultName) {
        Match::blame(self, seat, name);
    }

    fn undo(&mut self, to: u32) -> Result<Event, Illegal> {
        Match::undo(self, to).cloned()
    }

    fn abort(&mut self, why: &str) -> Result<Event, Illegal> {
        Match::abort(self, why).cloned()
    }

    fn aborted(&self) -> bool {
        Match::aborted(self)
    }

    fn dice(&self, seat: Seat) -> Dice {
        Match::dice(self, seat)
    }

    fn first_dice(&self, seat: Seat) -> Dice {
        Match::first_dice(self, seat)
    }

    fn copy(&self) -> Box<dyn AnyMatch> {
        Box::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// A typed player behind the seam.
struct Seated<G: Game> {
    player: Box<dyn Player<G>>,
    spec: String,
}

fn typed<G: Game>(table: &dyn AnyMatch) -> &Match<G> {
    table
        .as_any()
        .downcast_ref()
        .expect("a player is only asked about the game it was made for")
}

impl<G: Game> AnyPlayer for Seated<G> {
    fn spec(&self) -> &str {
        &self.spec
    }

    fn choose(&mut self, table: &dyn AnyMatch, desk: AnyDesk<'_>) -> Choice<String> {
        let table = typed::<G>(table);
        let Turn::Of(seat) = table.turn() else {
            return Choice::Resign;
        };
        let (game, state) = (table.game(), table.state());
        let view = game.view(state, Eyes::Seat(seat));
        let AnyDesk {
            budget,
            dice,
            tell,
            record,
        } = desk;
        let mut tell =
            |thought: &Thought<G::Move>| tell(&thought.map(|line| write_line(table, line)));
        let mut desk = Desk {
            budget,
            dice,
            tell: &mut tell,
            record,
        };
        match self.player.choose(game, &view, &mut desk) {
            Choice::Move(mv) => Choice::Move(game.write(state, &mv, Eyes::All)),
            Choice::Resign => Choice::Resign,
        }
    }

    fn learns(&self) -> bool {
        self.player.learns()
    }

    fn learn(&mut self, table: &dyn AnyMatch, seat: Seat) {
        let table = typed::<G>(table);
        if let (true, Turn::Over(outcome), false) =
            (self.player.learns(), table.turn(), table.aborted())
        {
            self.player
                .learn(table.game(), &table.seen(seat), &outcome, seat);
        }
    }

    fn memory(&self) -> Option<Json> {
        self.player.memory()
    }

    fn lens(&self) -> &'static str {
        self.player.lens()
    }
}

/// A line of moves as text, played through so that each is written in its own position. Where
/// something is hidden only the first move is certain to be writable.
fn write_line<G: Game>(table: &Match<G>, line: &[G::Move]) -> Vec<String> {
    let game = table.game();
    let mut state = table.state().clone();
    let mut out = Vec::with_capacity(line.len());
    for mv in line {
        if game.legal(&state, mv).is_err() {
            break;
        }
        out.push(game.write(&state, mv, Eyes::All));
        if G::HIDDEN {
            break;
        }
        game.play(&mut state, mv);
    }
    out
}

/// The header of a new record.
pub(crate) fn header(
    game: &dyn AnyGame,
    seed: Seed,
    players: Vec<String>,
    shelf: &Shelf,
) -> Header {
    let mut header = Header::new(game.rules(), game.spec().to_owned(), seed, players);
    header.shelf = shelf.hashes();
    header
}

/// The single winner's or the drawn outcome, if the match is over.
pub(crate) fn outcome(table: &dyn AnyMatch) -> Option<Outcome> {
    match table.turn() {
        Turn::Over(outcome) => Some(outcome),
        _ => None,
    }
}
