//! One game being played: rules, position and everything that happened, in one place.

use std::sync::Arc;

use wits_game::{Dice, End, Eyes, Game, Illegal, Outcome, Seat, Seed, Stream, Turn};

use crate::record::BadRecord;
use crate::{Event, FaultName, Record, Seen, WORDS};

/// A game being played. Every change is an [`Event`]; the same events give the same match.
pub struct Match<G: Game> {
    game: Arc<G>,
    seed: Seed,
    max_moves: Option<u32>,
    start: G::State,
    state: G::State,
    ended: Option<Outcome>,
    aborted: bool,
    events: Vec<Event>,
    said: Vec<Said>,
}

/// A move that stands, as each reader may read it.
#[derive(Clone, Debug)]
struct Said {
    seat: Option<Seat>,
    all: String,
    public: String,
    seats: Vec<String>,
    ms: Option<u64>,
}

impl Said {
    fn to(&self, eyes: Eyes) -> &str {
        match eyes {
            Eyes::All => &self.all,
            Eyes::Public => &self.public,
            Eyes::Seat(seat) => self.seats.get(seat.index()).unwrap_or(&self.all),
        }
    }
}

impl<G: Game> Clone for Match<G> {
    fn clone(&self) -> Self {
        Match {
            game: Arc::clone(&self.game),
            seed: self.seed,
            max_moves: self.max_moves,
            start: self.start.clone(),
            state: self.state.clone(),
            ended: self.ended.clone(),
            aborted: self.aborted,
            events: self.events.clone(),
            said: self.said.clone(),
        }
    }
}

impl<G: Game> Match<G> {
    /// A new game.
    pub fn new(game: Arc<G>, seed: Seed, max_moves: Option<u32>) -> Match<G> {
        let start = game.start();
        Match::from(game, start, seed, max_moves)
    }

    /// A game that starts from some position.
    pub fn from(game: Arc<G>, start: G::State, seed: Seed, max_moves: Option<u32>) -> Match<G> {
        Match {
            game,
            seed,
            max_moves,
            state: start.clone(),
            start,
            ended: None,
            aborted: false,
            events: Vec::new(),
            said: Vec::new(),
        }
    }

    /// Plays a record again, event by event.
    pub fn replay(game: Arc<G>, record: &Record) -> Result<Match<G>, BadRecord> {
        if record.header.rules != G::RULES {
            let why = WORDS
                .say("newer-rules")
                .with("found", record.header.rules)
                .with("known", G::RULES)
                .with("game", &record.header.game);
            return Err(BadRecord { line: 1, why });
        }
        let start = match &record.header.start {
            None => game.start(),
            Some(text) => game.position(text).map_err(|illegal| BadRecord {
                line: 1,
                why: WORDS.say("bad-move").with("detail", illegal.why().clone()),
            })?,
        };
        let mut replayed = Match::from(game, start, record.header.seed, record.header.max_moves);
        for (i, event) in record.events.iter().enumerate() {
            replayed.apply(event).map_err(|illegal| BadRecord {
                line: i + 2,
                why: WORDS.say("bad-move").with("detail", illegal.why().clone()),
            })?;
        }
        Ok(replayed)
    }

    /// The rules.
    pub fn game(&self) -> &Arc<G> {
        &self.game
    }

    /// The position.
    pub fn state(&self) -> &G::State {
        &self.state
    }

    /// Where all chance comes from.
    pub fn seed(&self) -> Seed {
        self.seed
    }

    /// How many moves and deals stand.
    pub fn ply(&self) -> u32 {
        self.said.len() as u32
    }

    /// Everything that happened.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Whether the game was stopped without an outcome.
    pub fn aborted(&self) -> bool {
        self.aborted
    }

    /// Whose turn it is, or how it ended.
    pub fn turn(&self) -> Turn {
        match &self.ended {
            Some(outcome) => Turn::Over(outcome.clone()),
            None => self.game.turn(&self.state),
        }
    }

    /// The moves that stand, for one reader: who, and the text. Deals have no seat.
    pub fn moves(&self, eyes: Eyes) -> impl Iterator<Item = (Option<Seat>, &str, Option<u64>)> {
        self.said
            .iter()
            .map(move |said| (said.seat, said.to(eyes), said.ms))
    }

    /// The dice of a seat for its next decision.
    pub fn dice(&self, seat: Seat) -> Dice {
        Dice::at(self.seed, Stream::Seat(seat), self.ply())
    }

    /// The dice of a seat before anything happened: the same during the whole game.
    pub fn first_dice(&self, seat: Seat) -> Dice {
        Dice::at(self.seed, Stream::Seat(seat), 0)
    }

    /// Makes a move for a seat. Refused moves change nothing.
    pub fn play(&mut self, seat: Seat, text: &str, ms: Option<u64>) -> Result<&Event, Illegal> {
        match self.turn() {
            Turn::Of(whose) if whose == seat => {}
            Turn::Of(whose) => {
                let whose = self.game.seat_name(whose);
                return Err(wits_game::WORDS
                    .say("not-your-turn")
                    .with("whose", whose)
                    .into());
            }
            _ => return Err(Illegal::say(&wits_game::WORDS, "over")),
        }
        let mv = self.game.read(&self.state, text)?;
        self.game.legal(&self.state, &mv)?;
        let ply = self.ply();
        self.make(Some(seat), &mv, ms);
        let text = self.said[ply as usize].all.clone();
        Ok(self.happened(Event::Move {
            ply,
            seat,
            text,
            ms,
        }))
    }

    /// Makes a typed move for the seat to move. Refused moves change nothing.
    pub fn play_move(&mut self, mv: &G::Move, ms: Option<u64>) -> Result<&Event, Illegal> {
        let Turn::Of(seat) = self.turn() else {
            return Err(Illegal::say(&wits_game::WORDS, "over"));
        };
        self.game.legal(&self.state, mv)?;
        let ply = self.ply();
        self.make(Some(seat), mv, ms);
        let text = self.said[ply as usize].all.clone();
        Ok(self.happened(Event::Move {
            ply,
            seat,
            text,
            ms,
        }))
    }

    /// Lets chance move until a seat is to move or the game is over. Says how many deals there were.
    pub fn settle(&mut self) -> usize {
        let mut dealt = 0;
        while self.turn() == Turn::Chance {
            let ply = self.ply();
            let mv = self
                .game
                .deal(&self.state, &mut Dice::at(self.seed, Stream::Chance, ply));
            self.make(None, &mv, None);
            let text = self.said[ply as usize].all.clone();
            self.happened(Event::Deal { ply, text });
            dealt += 1;
        }
        if let (Turn::Of(seat), Some(most)) = (self.turn(), self.max_moves)
            && self.said.iter().filter(|s| s.seat.is_some()).count() >= most as usize
        {
            self.ended = Some(self.game.forfeit(&self.state, seat, End::Limit));
            self.happened(Event::Limit { seat });
            dealt += 1;
        }
        dealt
    }

    /// Ends the game from outside its rules. Where they let it go on without a seat that ran out of time, that
    /// seat makes the move they name instead.
    pub fn end(&mut self, seat: Seat, how: End) -> Result<&Event, Illegal> {
        if matches!(self.turn(), Turn::Over(_)) {
            return Err(Illegal::say(&wits_game::WORDS, "over"));
        }
        if how == End::Flagged
            && self.turn() == Turn::Of(seat)
            && let Some(mv) = self.game.late(&self.state)
        {
            return self.play_move(&mv, None);
        }
        self.ended = Some(self.game.forfeit(&self.state, seat, how));
        Ok(self.happened(match how {
            End::Resigned => Event::Resign { seat, fault: None },
            End::Flagged => Event::Flag { seat, fault: None },
            End::Limit => Event::Limit { seat },
        }))
    }

    /// Names the fault by which a seat has just lost, for everybody who reads how the game ended. Nothing happens
    /// where the game ended otherwise, or goes on.
    pub fn blame(&mut self, whose: Seat, name: FaultName) {
        let (Some(Event::Resign { seat, fault } | Event::Flag { seat, fault }), Some(outcome)) =
            (self.events.last_mut(), &mut self.ended)
        else {
            return;
        };
        if *seat == whose {
            *fault = Some(name);
            outcome.why = WORDS
                .say(name.sentence())
                .with("who", self.game.seat_name(whose));
        }
    }

    /// Stops the game without an outcome: nobody wins.
    pub fn abort(&mut self, why: &str) -> Result<&Event, Illegal> {
        if matches!(self.turn(), Turn::Over(_)) {
            return Err(Illegal::say(&wits_game::WORDS, "over"));
        }
        self.aborted = true;
        self.ended = Some(Outcome::draw(
            self.game.seats(),
            wits_game::WORDS.say("aborted"),
        ));
        Ok(self.happened(Event::Abort {
            why: why.to_owned(),
        }))
    }

    /// Takes moves back until `to` remain. Refused where it would show what was hidden or drawn.
    pub fn undo(&mut self, to: u32) -> Result<&Event, Illegal> {
        if to >= self.ply() || self.ended.is_some() {
            return Err(Illegal::say(&WORDS, "undo-nothing"));
        }
        if G::HIDDEN
            || self.said[to as usize..]
                .iter()
                .any(|said| said.seat.is_none())
        {
            return Err(Illegal::say(&WORDS, "undo-secret"));
        }
        let kept = self.said[..to as usize].to_vec();
        let mut state = self.start.clone();
        for said in &kept {
            let mv = self.game.read(&state, &said.all)?;
            self.game.play(&mut state, &mv);
        }
        self.state = state;
        self.said = kept;
        Ok(self.happened(Event::Undo { to }))
    }

    /// The decisions of one seat, as it saw them: what a learner is taught from.
    pub fn seen(&self, seat: Seat) -> Vec<Seen<G::View, G::Move>> {
        let mut state = self.start.clone();
        let mut seen = Vec::new();
        for said in &self.said {
            let Ok(mv) = self.game.read(&state, &said.all) else {
                break;
            };
            if said.seat == Some(seat) {
                let view = self.game.view(&state, Eyes::Seat(seat)).into_owned();
                seen.push(Seen {
                    view,
                    choice: mv.clone(),
                });
            }
            self.game.play(&mut state, &mv);
        }
        seen
    }

    fn make(&mut self, seat: Option<Seat>, mv: &G::Move, ms: Option<u64>) {
        let write = |eyes| self.game.write(&self.state, mv, eyes);
        let all = write(Eyes::All);
        let said = if G::HIDDEN {
            let seats = Seat::all(self.game.seats())
                .map(|s| write(Eyes::Seat(s)))
                .collect();
            Said {
                seat,
                public: write(Eyes::Public),
                seats,
                all,
                ms,
            }
        } else {
            Said {
                seat,
                public: all.clone(),
                seats: Vec::new(),
                all,
                ms,
            }
        };
        self.game.play(&mut self.state, mv);
        self.said.push(said);
    }

    fn happened(&mut self, event: Event) -> &Event {
        self.events.push(event);
        self.events.last().expect("an event was pushed just now")
    }

    /// Makes an event of a record happen again.
    fn apply(&mut self, event: &Event) -> Result<(), Illegal> {
        let wrong_ply = |ply: u32, now: u32| {
            Err(WORDS
                .say("wrong-ply")
                .with("ply", ply)
                .with("now", now)
                .into())
        };
        match event {
            Event::Move { ply, .. } | Event::Deal { ply, .. } if *ply != self.ply() => {
                return wrong_ply(*ply, self.ply());
            }
            Event::Move { seat, text, ms, .. } => {
                self.play(*seat, text, *ms)?;
            }
            Event::Deal { ply, text } => {
                if self.turn() != Turn::Chance {
                    return wrong_ply(*ply, self.ply());
                }
                let mv = self.game.read(&self.state, text)?;
                self.game.legal(&self.state, &mv)?;
                self.make(None, &mv, None);
                self.happened(event.clone());
            }
            Event::Resign { seat, fault } | Event::Flag { seat, fault } => {
                let flagged = matches!(event, Event::Flag { .. });
                let how = if flagged { End::Flagged } else { End::Resigned };
                self.end(*seat, how)?;
                if let Some(name) = fault {
                    self.blame(*seat, *name);
                }
            }
            Event::Limit { seat } => {
                self.end(*seat, End::Limit)?;
            }
            Event::Undo { to } => {
                self.undo(*to)?;
            }
            Event::Abort { why } => {
                self.abort(why)?;
            }
        }
        Ok(())
    }
}
