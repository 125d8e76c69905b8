//! The rules as the spine asks for them.

use std::borrow::Cow;
use std::sync::Arc;

use wits_game::{Dice, End, Eyes, Game, Illegal, Outcome, Scene, Seat, Turn};

use super::notation;
use super::state::{Done, HIDDEN, Last, PATIENCE, Phase, Table};
use crate::WORDS;
use crate::generate::{Engine, Hand};
use crate::play::Play;
use crate::settings::{Challenge, Late, Settings, Start};

/// A move of a seat or of chance.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Move {
    /// Lay a word.
    Play(Play),
    /// Give back these tiles (in order, a blank being zero) and draw as many.
    Exchange(Vec<u8>),
    /// Do nothing; where the other seat has gone out, accept it.
    Pass,
    /// The time ran out: pass, and pay for it where the table says so.
    Late,
    /// Say that the last play made a word that is none.
    Challenge,
    /// Chance: the bag from beginning to end, who starts, and what each seat drew for that.
    Bag {
        /// The tiles.
        order: Vec<u8>,
        /// Who starts.
        first: u8,
        /// One tile for each seat, where they drew.
        drawn: Vec<u8>,
    },
    /// Chance: where in the bag each tile that was given back goes.
    Mix(Vec<(u8, u8)>),
}

/// The rules of one table with its lexicon.
#[derive(Clone, Debug)]
pub struct Scrabble {
    engine: Arc<Engine>,
    settings: Settings,
}

impl Scrabble {
    /// A table.
    pub fn new(engine: Arc<Engine>, settings: Settings) -> Scrabble {
        let seats = settings.seats.clamp(1, Seat::MOST);
        Scrabble {
            engine,
            settings: Settings { seats, ..settings },
        }
    }

    /// The lexicon made ready for play.
    pub fn engine(&self) -> &Arc<Engine> {
        &self.engine
    }

    /// What the table agreed on.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// A move as players write it, nothing left out.
    pub fn text(&self, table: &Table, mv: &Move) -> String {
        notation::write(self.engine.tiles(), table, mv, Eyes::All)
    }

    /// Whether the seat to move may exchange.
    pub fn may_exchange(&self, table: &Table) -> bool {
        let least = usize::from(self.settings.exchange.max(1));
        self.bag_size(table) >= least && !self.only_accept(table)
    }

    /// How many tiles are in the bag once the last player has drawn.
    pub fn bag_size(&self, table: &Table) -> usize {
        let owed = table.last.filter(|last| last.open).map_or(0, |last| {
            crate::settings::RACK - table.racks[usize::from(last.seat)].len()
        });
        table.bag.len().saturating_sub(owed)
    }

    /// Whether the last play can be challenged.
    pub fn may_challenge(&self, table: &Table) -> bool {
        table.last.is_some_and(|last| last.open)
    }

    /// Whether the last player has gone out, so that only accepting and challenging are left.
    pub fn only_accept(&self, table: &Table) -> bool {
        table.last.is_some_and(|last| {
            last.open && table.bag.is_empty() && table.racks[usize::from(last.seat)].is_empty()
        })
    }

    /// The last player draws, unless that was done.
    fn close(table: &mut Table) {
        if let Some(last) = table.last.as_mut().filter(|last| last.open) {
            last.open = false;
            let seat = usize::from(last.seat);
            table.draw(seat);
        }
    }

    fn lay(&self, table: &mut Table, play: &Play) {
        Scrabble::close(table);
        let score = play.score(
            &table.board,
            self.engine.values(),
            crate::settings::RACK,
            self.settings.bingo,
        );
        let seat = usize::from(table.turn);
        table.take(play.taken());
        play.lay(&mut table.board);
        table.scores[seat] += score;
        let open = self.settings.challenge.possible();
        let done = Done::Play(*play);
        let quiet = table.quiet_after(&self.settings, &done, score);
        table.last = Some(Last {
            seat: table.turn,
            done,
            score,
            open,
            quiet: table.quiet,
        });
        table.quiet = quiet;
        table.idle = 0;
        if open {
            // The seat draws when the next one does something else than challenge.
            self.pass_on(table);
            return;
        }
        table.draw(seat);
        if table.racks[seat].is_empty() {
            self.over(table, Phase::Out(seat as u8));
        } else {
            self.pass_on(table);
        }
    }

    fn pass_on(&self, table: &mut Table) {
        table.pass_on(&self.settings);
        if table.phase == Phase::Quiet {
            self.over(table, Phase::Quiet);
        }
    }

    fn over(&self, table: &mut Table, phase: Phase) {
        table.phase = phase;
        table.settle(&self.settings, self.engine.values());
    }

    /// What a minute of overtime costs, where the seat goes on with its turn.
    fn minute(&self) -> Option<i32> {
        match self.settings.late {
            Late::Minutes(points) => Some(points),
            _ => None,
        }
    }

    /// A turn without a word.
    fn idle(&self, table: &mut Table, done: Done) {
        let quiet = table.quiet_after(&self.settings, &done, 0);
        table.last = Some(Last {
            seat: table.turn,
            done,
            score: 0,
            open: false,
            quiet: table.quiet,
        });
        table.quiet = quiet;
        table.idle = table.idle.saturating_add(1);
    }

    fn challenge(&self, table: &mut Table) {
        let Some(last) = table.last.filter(|last| last.open) else {
            return;
        };
        let Done::Play(play) = last.done else { return };
        let owner = usize::from(last.seat);
        let mut before = table.board;
        play.lift(&mut before);
        if self.bad_words(&play.words(&before)).is_empty() {
            let out = self.only_accept(table);
            Scrabble::close(table);
            match self.settings.challenge {
                Challenge::Single => table.scores[owner] += self.settings.penalty,
                Challenge::Double if !out => {
                    self.idle(table, Done::Lost);
                    self.pass_on(table);
                }
                _ => {}
            }
            if out {
                self.over(table, Phase::Out(last.seat));
            }
            return;
        }
        table.board = before;
        table.racks[owner].extend(play.taken());
        table.racks[owner].sort_unstable();
        table.scores[owner] -= last.score;
        table.quiet = last.quiet;
        let done = Done::Back(play);
        table.quiet = table.quiet_after(&self.settings, &done, 0);
        table.idle = table.idle.saturating_add(1);
        table.last = Some(Last {
            done,
            score: 0,
            open: false,
            ..last
        });
        // The turn of the seat that challenged goes on, unless the lost turn was the last quiet one.
        table.turn = last.seat;
        self.pass_on(table);
    }
}

impl Game for Scrabble {
    const HIDDEN: bool = true;
    // Where words are not looked up, more can be laid than the lexicon has.
    const COMPLETE: bool = false;

    type State = Table;
    type View = Table;
    type Move = Move;

    fn seats(&self) -> u8 {
        self.settings.seats
    }

    fn start(&self) -> Table {
        Table::new(self.settings.seats)
    }

    fn turn(&self, table: &Table) -> Turn {
        let over = |key| {
            Turn::Over(Outcome {
                payoffs: table.scores.clone(),
                why: WORDS.say(key),
            })
        };
        match table.phase {
            Phase::Shake | Phase::Mix => Turn::Chance,
            Phase::Move => Turn::Of(table.seat()),
            Phase::Out(seat) => Turn::Over(Outcome {
                payoffs: table.scores.clone(),
                why: WORDS.say("over-out").with("seat", seat + 1),
            }),
            Phase::Quiet => over("over-quiet"),
        }
    }

    fn options(&self, view: &Table) -> Vec<Move> {
        if view.phase != Phase::Move {
            return Vec::new();
        }
        let mut options = Vec::new();
        let hand = Hand::new(view.rack());
        if !self.only_accept(view) {
            let field = self.engine.field(&view.board);
            let plays = self.engine.plays(&field, &hand, self.settings.bingo);
            options.extend(plays.into_iter().map(|(play, _)| Move::Play(play)));
            if self.may_exchange(view) {
                options.extend(handfuls(&hand).into_iter().map(Move::Exchange));
            }
        }
        if self.may_challenge(view) {
            options.push(Move::Challenge);
        }
        options.push(Move::Pass);
        options
    }

    fn legal(&self, table: &Table, mv: &Move) -> Result<(), Illegal> {
        let asleep = || Err(Illegal::say(&wits_game::WORDS, "over"));
        match (mv, table.phase) {
            (Move::Late, Phase::Move) if self.settings.late != Late::Lose => Ok(()),
            (Move::Bag { .. }, Phase::Shake)
            | (Move::Mix(_), Phase::Mix)
            | (Move::Pass, Phase::Move) => Ok(()),
            (Move::Play(_) | Move::Exchange(_), Phase::Move) if self.only_accept(table) => {
                Err(Illegal::say(&WORDS, "rule-only-accept"))
            }
            (Move::Play(play), Phase::Move) => match self.judge(table, play) {
                Ok(judged) if judged.play == *play => Ok(()),
                Ok(_) => Err(Illegal::say(&WORDS, "rule-gap")),
                Err(refusal) => Err(self.explain(&refusal)),
            },
            (Move::Exchange(tiles), Phase::Move) => {
                if tiles.is_empty() {
                    return Err(Illegal::say(&WORDS, "rule-exchange-nothing"));
                }
                if Hand::new(table.rack())
                    .without(tiles.iter().copied())
                    .is_none()
                {
                    return Err(Illegal::say(&WORDS, "rule-exchange-not-held"));
                }
                if !self.may_exchange(table) {
                    let message = WORDS
                        .say("rule-exchange-bag")
                        .with("least", self.settings.exchange.max(1))
                        .with("left", self.bag_size(table));
                    return Err(message.into());
                }
                Ok(())
            }
            (Move::Challenge, Phase::Move) => {
                if self.may_challenge(table) {
                    Ok(())
                } else if self.settings.challenge.possible() {
                    Err(Illegal::say(&WORDS, "rule-nothing-to-challenge"))
                } else {
                    Err(Illegal::say(&WORDS, "rule-no-challenges"))
                }
            }
            _ => asleep(),
        }
    }

    fn play(&self, table: &mut Table, mv: &Move) {
        match mv {
            Move::Play(play) => self.lay(table, play),
            Move::Exchange(tiles) => {
                Scrabble::close(table);
                table.take(tiles.iter().copied());
                let seat = usize::from(table.turn);
                table.draw(seat);
                table.returned.clone_from(tiles);
                self.idle(table, Done::Exchange(tiles.len() as u8));
                table.phase = Phase::Mix;
            }
            Move::Late if self.minute().is_some() => {
                let seat = usize::from(table.turn);
                table.scores[seat] -= self.minute().unwrap_or(0);
                table.idle = table.idle.saturating_add(1);
                if table.idle >= PATIENCE {
                    self.over(table, Phase::Quiet);
                }
            }
            Move::Pass | Move::Late if self.only_accept(table) => {
                let seat = table.last.map_or(0, |last| last.seat);
                if let Some(last) = table.last.as_mut() {
                    last.open = false;
                }
                self.over(table, Phase::Out(seat));
            }
            Move::Pass | Move::Late => {
                if let (Move::Late, Late::Points(points)) = (mv, self.settings.late) {
                    let seat = usize::from(table.turn);
                    table.scores[seat] -= points;
                }
                Scrabble::close(table);
                self.idle(table, Done::Pass);
                self.pass_on(table);
            }
            Move::Challenge => self.challenge(table),
            Move::Bag { order, first, .. } => {
                table.bag.clone_from(order);
                table.phase = Phase::Move;
                let seats = table.racks.len();
                if table.board.is_empty()
                    && table.last.is_none()
                    && table.scores.iter().all(|&s| s == 0)
                {
                    table.turn = *first % seats.max(1) as u8;
                }
                let starts = usize::from(table.turn);
                for step in 0..seats {
                    table.draw((starts + step) % seats);
                }
                let empty = table.racks.iter().position(Vec::is_empty);
                if let Some(seat) = empty.filter(|_| table.bag.is_empty()) {
                    self.over(table, Phase::Out(seat as u8));
                }
            }
            Move::Mix(places) => {
                for &(at, tile) in places {
                    let at = usize::from(at).min(table.bag.len());
                    table.bag.insert(at, tile);
                }
                table.returned.clear();
                table.phase = Phase::Move;
                self.pass_on(table);
            }
        }
    }

    fn read(&self, table: &Table, text: &str) -> Result<Move, Illegal> {
        notation::read(self.engine.tiles(), table, text)
    }

    fn write(&self, table: &Table, mv: &Move, to: Eyes) -> String {
        notation::write(self.engine.tiles(), table, mv, to)
    }

    fn view<'a>(&self, table: &'a Table, eyes: Eyes) -> Cow<'a, Table> {
        if eyes == Eyes::All {
            return Cow::Borrowed(table);
        }
        let mut view = table.clone();
        for (seat, rack) in view.racks.iter_mut().enumerate() {
            if Seat::at(seat).map(Eyes::Seat) != Some(eyes) {
                rack.fill(HIDDEN);
            }
        }
        view.bag.fill(HIDDEN);
        view.returned.fill(HIDDEN);
        Cow::Owned(view)
    }

    fn scene(&self, view: &Table) -> Scene {
        super::scene::scene(self, view)
    }

    fn position(&self, text: &str) -> Result<Table, Illegal> {
        crate::files::cgp::read(text, self.engine.tiles())
            .map(|found| found.table(self.settings.seats))
            .map_err(|e| WORDS.say("bad-cgp").with("detail", e.to_string()).into())
    }

    fn notation(&self, table: &Table) -> Option<String> {
        // A position in play has an order in its bag, which the notation has no room for.
        (table.phase == Phase::Shake).then(|| {
            crate::files::cgp::write(&crate::files::cgp::Position::of(table), self.engine.tiles())
        })
    }

    fn seen(&self, view: &Table) -> Option<String> {
        // A word that can still be challenged is not part of a position as it is written.
        let open = view.last.is_some_and(|last| last.open);
        (view.phase == Phase::Move && !open).then(|| {
            crate::files::cgp::write(&crate::files::cgp::Position::of(view), self.engine.tiles())
        })
    }

    fn points(&self, table: &Table) -> Option<Vec<i32>> {
        Some(table.scores.clone())
    }

    fn imagine(&self, view: &Table, dice: &mut Dice) -> Table {
        let pool = view.unseen(self.engine.tiles());
        let mut tiles: Vec<u8> = (0..64_u8)
            .flat_map(|kind| std::iter::repeat_n(kind, usize::from(pool[usize::from(kind)])))
            .collect();
        // What is seen of the bag is no longer unseen.
        for &known in view
            .bag
            .iter()
            .chain(&view.returned)
            .filter(|&&t| t != HIDDEN)
        {
            if let Some(at) = tiles.iter().position(|&t| t == known) {
                tiles.remove(at);
            }
        }
        dice.shuffle(&mut tiles);
        let mut table = view.clone();
        for rack in &mut table.racks {
            let mut filled = false;
            for tile in rack.iter_mut().filter(|t| **t == HIDDEN) {
                *tile = tiles.pop().unwrap_or(0);
                filled = true;
            }
            if filled {
                rack.sort_unstable();
            }
        }
        for tile in table
            .returned
            .iter_mut()
            .chain(&mut table.bag)
            .filter(|t| **t == HIDDEN)
        {
            *tile = tiles.pop().unwrap_or(0);
        }
        table
    }

    fn deal(&self, table: &Table, dice: &mut Dice) -> Move {
        if table.phase == Phase::Mix {
            let mut size = table.bag.len();
            let place = |&tile: &u8| {
                size += 1;
                (dice.below(size) as u8, tile)
            };
            return Move::Mix(table.returned.iter().map(place).collect());
        }
        let pool = table.unseen(self.engine.tiles());
        let mut order: Vec<u8> = (0..64_u8)
            .flat_map(|kind| std::iter::repeat_n(kind, usize::from(pool[usize::from(kind)])))
            .collect();
        dice.shuffle(&mut order);
        let mut first = table.turn;
        let mut drawn = Vec::new();
        if self.settings.start == Start::Draw && table.board.is_empty() {
            // The bag is put back and shaken again, so its order tells nothing of this.
            let mut tiles = order.clone();
            loop {
                dice.shuffle(&mut tiles);
                drawn = tiles[..usize::from(self.settings.seats).min(tiles.len())].to_vec();
                let least = drawn.iter().min();
                if drawn.iter().filter(|t| Some(*t) == least).count() == 1 {
                    first = drawn.iter().position(|t| Some(t) == least).unwrap_or(0) as u8;
                    break;
                }
                if drawn.len() < 2 {
                    break;
                }
            }
        }
        Move::Bag {
            order,
            first,
            drawn,
        }
    }

    fn late(&self, table: &Table) -> Option<Move> {
        (self.settings.late != Late::Lose && table.phase == Phase::Move).then_some(Move::Late)
    }

    fn grace(&self) -> std::time::Duration {
        std::time::Duration::from_secs(if self.minute().is_some() { 60 } else { 0 })
    }

    fn forfeit(&self, table: &Table, seat: Seat, how: End) -> Outcome {
        let why = how.tell(self.seat_name(seat));
        if how == End::Limit {
            return Outcome {
                payoffs: table.scores.clone(),
                why,
            };
        }
        // Who gives up is last, whatever the points say.
        let least = table.scores.iter().copied().min().unwrap_or(0) - 1;
        let mut payoffs = table.scores.clone();
        payoffs[seat.index()] = least.min(payoffs[seat.index()]);
        Outcome { payoffs, why }
    }
}

/// Every handful of tiles that can be given back, each once, in a fixed order.
fn handfuls(hand: &Hand) -> Vec<Vec<u8>> {
    let all = hand.left;
    let mut handfuls: Vec<Vec<u8>> = (1..=all).map(|mask| hand.kept(mask).collect()).collect();
    handfuls.sort();
    handfuls.dedup();
    handfuls
}
