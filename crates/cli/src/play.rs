//! `wits play`: people and machines at one terminal.

use std::io::IsTerminal;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use serde_json::json;
use wits_game::{Dice, End, Eyes, Seat, Stream, Turn};
use wits_play::{
    AnyDesk, AnyGame, AnyMatch, AnyPlayer, Budget, Catalog, Choice, Clock, Comparison, Event,
    Fault, Header, Limits, Record, Refusal, Shelf, Sitting, Spec, Thought, TimeControl, WORDS, ask,
};

use crate::args::{PlayArgs, TimeArgs};
use crate::out::Out;
use crate::record_file::RecordFile;
use crate::{Answer, Problem, board, data, input, shelf, stop};

/// A table in the terminal: who sits there, and where the record is kept.
struct Terminal<'a> {
    game: Arc<dyn AnyGame>,
    table: Box<dyn AnyMatch>,
    specs: Vec<Spec>,
    machines: Vec<Option<Box<dyn AnyPlayer>>>,
    shelf: Shelf,
    header: Header,
    file: Option<RecordFile>,
    clock: Clock,
    time: Limits,
    /// What machines did that ended the game.
    faults: Vec<(Seat, Fault)>,
    out: &'a Out,
}

/// `wits play`
pub(crate) fn run(catalog: &Catalog, args: &PlayArgs, out: &Out) -> Result<Answer> {
    let mut sitting = match &args.resume {
        Some(path) => Terminal::resume(catalog, path, args, out)?,
        None => Terminal::begin(catalog, args, out)?,
    };
    let humans = sitting.machines.iter().filter(|m| m.is_none()).count();
    if out.json {
        if humans > 0 {
            let ids: Vec<&str> = catalog
                .entry(sitting.game.id())?
                .players()
                .iter()
                .map(|c| c.id)
                .filter(|id| *id != "human")
                .collect();
            return Err(Refusal::new(
                "human",
                WORDS.say("human"),
                WORDS.say("human-hint").with("all", ids.join(", ")),
            )
            .into());
        }
        return sitting.machines_only();
    }
    sitting.welcome(humans)?;
    sitting.at_the_table()
}

/// The rule of the clocks from the flags.
pub(crate) fn control(time: &TimeArgs) -> TimeControl {
    let ms = |s: f64| (s * 1000.0) as u64;
    match (time.move_time, time.game_time) {
        (Some(s), _) => TimeControl::PerMove { ms: ms(s) },
        (None, Some(s)) => TimeControl::PerGame {
            ms: ms(s),
            increment_ms: ms(time.increment.unwrap_or(0.0)),
        },
        (None, None) => TimeControl::None,
    }
}

/// What one decision may cost from the flags.
pub(crate) fn limits(time: Option<f64>) -> Limits {
    time.map_or(Limits::NONE, |s| Limits::time(Duration::from_secs_f64(s)))
}

impl<'a> Terminal<'a> {
    fn begin(catalog: &Catalog, args: &PlayArgs, out: &'a Out) -> Result<Terminal<'a>> {
        let spec = args
            .game
            .clone()
            .expect("clap asks for a game unless a record is given");
        let shelf = shelf::fill(catalog, &spec, &args.seats.iter().collect::<Vec<_>>())?;
        let game = catalog.game(&spec, &shelf)?;
        let specs = seats(&*game, &args.seats)?;
        let seed = args.seed.or_fresh();
        let mut header = Header::new(game.rules(), game.spec().to_owned(), seed, Vec::new());
        header.shelf = shelf.hashes();
        header.max_moves = args.max_moves;
        header.clock = control(&args.time);
        header.repeatable = args.time.time.is_none() && header.clock == TimeControl::None;
        let table = match &args.position {
            None => game.begin(seed, args.max_moves),
            Some(text) => {
                let table = game
                    .begin_from(text, seed, args.max_moves)
                    .map_err(Problem::from)?;
                header.start = table.notation().or_else(|| Some(text.clone()));
                table
            }
        };
        let mut sitting = Terminal::sit(game, table, specs, shelf, header, args, out)?;
        let human = sitting.machines.iter().any(Option::is_none);
        let path = match &args.save {
            Some(path) => Some(path.clone()),
            None if human && !out.json => {
                let folder = data::directory(args.data.clone()).join("games");
                Some(unused(&folder, &format!("{}-{seed}", sitting.game.id())))
            }
            None => None,
        };
        if let Some(path) = path {
            sitting.file = Some(RecordFile::create(&path, &sitting.header)?);
        }
        Ok(sitting)
    }

    fn resume(
        catalog: &Catalog,
        path: &std::path::Path,
        args: &PlayArgs,
        out: &'a Out,
    ) -> Result<Terminal<'a>> {
        let (file, record) = RecordFile::open(path)?;
        let spec: Spec = record.header.game.parse()?;
        let specs: Vec<Spec> = record
            .header
            .players
            .iter()
            .map(|p| p.parse())
            .collect::<Result<_, Refusal>>()?;
        let shelf = shelf::fill(catalog, &spec, &specs.iter().collect::<Vec<_>>())?;
        let game = catalog.game(&spec, &shelf)?;
        let table = game.replay(&record).map_err(Problem::from)?;
        let mut sitting = Terminal::sit(game, table, specs, shelf, record.header, args, out)?;
        sitting.file = Some(file);
        Ok(sitting)
    }

    fn sit(
        game: Arc<dyn AnyGame>,
        table: Box<dyn AnyMatch>,
        specs: Vec<Spec>,
        shelf: Shelf,
        mut header: Header,
        args: &PlayArgs,
        out: &'a Out,
    ) -> Result<Terminal<'a>> {
        let machines = specs
            .iter()
            .zip(Seat::all(game.seats()))
            .map(|(spec, seat)| {
                if spec.name == "human" {
                    Ok(None)
                } else {
                    game.player(spec, seat, &shelf).map(Some)
                }
            })
            .collect::<Result<Vec<_>, Refusal>>()?;
        let written = |(spec, machine): (&Spec, &Option<Box<dyn AnyPlayer>>)| {
            machine
                .as_ref()
                .map_or_else(|| spec.to_string(), |m| m.spec().to_owned())
        };
        header.players = specs.iter().zip(&machines).map(written).collect();
        let clock = Clock::after(header.clock, &*game, &*table);
        let time = limits(args.time.time);
        Ok(Terminal {
            game,
            table,
            specs,
            machines,
            shelf,
            header,
            file: None,
            clock,
            time,
            faults: Vec::new(),
            out,
        })
    }

    /// Writes down what happened since the last time.
    fn keep(&mut self) -> Result<()> {
        match &mut self.file {
            Some(file) => file.append(self.table.events()),
            None => Ok(()),
        }
    }

    fn name(&self, seat: Seat) -> String {
        self.game.seat_name(seat).to_string()
    }

    fn welcome(&self, humans: usize) -> Result<()> {
        let out = self.out;
        let sides: Vec<String> = Seat::all(self.game.seats())
            .map(|s| format!("{} is {}", self.name(s), self.header.players[s.index()]))
            .collect();
        out.say(format!(
            "{}: {}. Seed {}.",
            out.bold(&self.game.title().to_string()),
            sides.join(", "),
            self.header.seed
        ))?;
        if humans > 0 {
            out.say("Type a move, or: undo, hint, moves, save FILE, resign, quit, help.")?;
            if let Some(file) = &self.file {
                out.say(out.faint(&format!("Every move is kept in {}", file.path.display())))?;
            }
        }
        Ok(())
    }

    /// The game, move by move, until it is over or the person leaves.
    fn at_the_table(&mut self) -> Result<Answer> {
        let mut keyboard = std::io::stdin().lock();
        let mut shown_at = u32::MAX;
        let mut began = Instant::now();
        loop {
            self.table.settle();
            self.keep()?;
            match self.table.turn() {
                Turn::Over(_) => return self.farewell(),
                Turn::Chance => {}
                Turn::Of(seat) if self.machines[seat.index()].is_some() => {
                    self.machine_moves(seat)?;
                }
                Turn::Of(seat) => {
                    if shown_at != self.table.ply() {
                        shown_at = self.table.ply();
                        began = Instant::now();
                        self.out.say(format!(
                            "\n{}",
                            board::draw(&self.table.scene(self.eyes(seat)), self.out).trim_end()
                        ))?;
                    }
                    self.out.prompt(&format!("{}> ", self.name(seat)))?;
                    let Some(line) = input::line(&mut keyboard)? else {
                        self.out.say("")?;
                        return self.leave();
                    };
                    if !std::io::stdin().is_terminal() {
                        self.out.say("")?;
                    }
                    if self.person_says(seat, line.trim(), began.elapsed())? {
                        return self.leave();
                    }
                    if self.table.ply() < shown_at {
                        shown_at = u32::MAX;
                    }
                }
            }
        }
    }

    /// What the person at the keyboard may see. People who share one keyboard share nothing more
    /// than each one's own view on their own turn.
    fn eyes(&self, seat: Seat) -> Eyes {
        if self.game.hidden() {
            Eyes::Seat(seat)
        } else {
            Eyes::All
        }
    }

    fn machine_moves(&mut self, seat: Seat) -> Result<()> {
        let flag = stop::flag();
        let time = self.clock.left(seat).map_or(Limits::NONE, Limits::time);
        let budget = Budget::with_stop(self.time.and(time), Arc::clone(&flag));
        let machine = self.machines[seat.index()].as_deref_mut();
        let machine = machine.expect("it is a machine's turn");
        let dice = self.table.dice(seat);
        let ((choice, spent), thought) = think(machine, &*self.table, dice, &budget);
        if flag.load(std::sync::atomic::Ordering::Relaxed) {
            self.leave()?;
            std::process::exit(stop::CODE.into());
        }
        let said = match &choice {
            Ok(Choice::Move(text)) => Some(text.clone()),
            _ => None,
        };
        let fault = self.sitting().decide(seat, choice, spent);
        self.keep()?;
        let name = self.name(seat);
        if let Some(fault) = fault {
            let did = did(&fault);
            self.faults.push((seat, fault));
            return self.out.say(format!("{name} {did}"));
        }
        let Some(text) = said else {
            return Ok(());
        };
        let why = thought.and_then(|t| t.why).filter(|_| !self.game.hidden());
        let why = why.map_or(String::new(), |why| self.out.faint(&format!("  ({why})")));
        self.out
            .say(format!("{name}: {}{why}", self.out.bold(&text)))
    }

    /// The table as decisions meet it.
    fn sitting(&mut self) -> Sitting<'_> {
        Sitting {
            game: &*self.game,
            table: &mut *self.table,
            clock: &mut self.clock,
            timed: true,
        }
    }

    /// Does what the person typed. True if they leave.
    fn person_says(&mut self, seat: Seat, line: &str, spent: Duration) -> Result<bool> {
        let (word, rest) = line
            .split_once(' ')
            .map_or((line, ""), |(w, r)| (w, r.trim()));
        match word {
            "" => {}
            "help" | "?" => self.out.say("A move as players write it (`moves` lists them). undo: take your last move back. hint: ask a machine. save FILE: keep the record there, too. resign, quit.")?,
            "quit" | "exit" => return Ok(true),
            "moves" => self.out.say(self.table.options().join(" "))?,
            "undo" => self.undo(seat)?,
            "hint" => self.hint(seat)?,
            "resign" => {
                self.table.end(seat, End::Resigned).map_err(Problem::from)?;
                self.keep()?;
            }
            "save" if rest.is_empty() => self.out.say("save where? Type `save FILE`.")?,
            "save" => self.save(rest)?,
            _ => match self.sitting().play(seat, line, spent) {
                Ok(()) => self.keep()?,
                Err(illegal) => self.out.say(illegal.to_string())?,
            },
        }
        Ok(false)
    }

    /// Back to the person's own last decision.
    fn undo(&mut self, seat: Seat) -> Result<()> {
        let told = self.table.told(Eyes::All);
        let Some(last) = told.iter().rev().find(|t| t.seat == Some(seat)) else {
            return self.out.say(WORDS.say("undo-nothing").to_string());
        };
        match self.table.undo(last.ply) {
            Ok(_) => self.keep(),
            Err(illegal) => self.out.say(illegal.to_string()),
        }
    }

    /// What a machine would do here. Its dice are aside, so the game goes on as it would have.
    fn hint(&mut self, seat: Seat) -> Result<()> {
        let spec = self.game.opponent(seat);
        let mut machine = self.game.player(&spec, seat, &self.shelf)?;
        let budget = Budget::start(Limits::time(Duration::from_secs(2)));
        let dice = Dice::at(self.header.seed, Stream::Aside, self.table.ply());
        match think(&mut *machine, &*self.table, dice, &budget) {
            ((Ok(Choice::Move(text)), _), thought) => {
                let why = thought
                    .and_then(|t| t.why)
                    .map_or(String::new(), |w| format!(": {w}"));
                self.out.say(format!(
                    "{} would play {}{why}",
                    machine.spec(),
                    self.out.bold(&text)
                ))
            }
            ((Ok(Choice::Resign), _), _) => {
                self.out.say(format!("{} would resign", machine.spec()))
            }
            ((Err(fault), _), _) => {
                self.out
                    .say(format!("{} broke down: {}", machine.spec(), fault.why()))
            }
        }
    }

    fn save(&mut self, name: &str) -> Result<()> {
        match RecordFile::create(std::path::Path::new(name), &self.header) {
            Ok(mut file) => {
                file.append(self.table.events())?;
                self.out.say(format!(
                    "kept in {name}; go on with `wits play --resume {name}`"
                ))?;
                self.file = Some(file);
            }
            Err(error) => self.out.say(error.to_string())?,
        }
        Ok(())
    }

    fn leave(&mut self) -> Result<Answer> {
        self.keep()?;
        if let Some(file) = &self.file {
            self.out.say(format!(
                "The game is kept. Go on with: wits play --resume {}",
                file.path.display()
            ))?;
        }
        Ok(Answer::Yes)
    }

    fn farewell(&mut self) -> Result<Answer> {
        let Turn::Over(outcome) = self.table.turn() else {
            return Ok(Answer::Yes);
        };
        self.out.say(format!(
            "\n{}",
            board::draw(&self.table.scene(Eyes::All), self.out).trim_end()
        ))?;
        // A round of two decides nothing yet: only points are gained and lost in it.
        let result = match outcome.winner() {
            _ if self.game.comparison() == Comparison::Pair => "the round is over".to_owned(),
            Some(winner) => format!("{} wins", self.name(winner)),
            None => "a draw".to_owned(),
        };
        self.out
            .say(format!("{}: {}.", self.out.bold(&result), outcome.why))?;
        if outcome.payoffs.iter().any(|p| p.abs() > 1) {
            let points: Vec<String> = Seat::all(self.game.seats())
                .map(|s| format!("{} {}", self.name(s), outcome.payoff(s)))
                .collect();
            self.out.say(points.join(", "))?;
        }
        self.teach()?;
        if let Some(file) = &self.file {
            self.out.say(
                self.out
                    .faint(&format!("The record is in {}", file.path.display())),
            )?;
        }
        Ok(Answer::Yes)
    }

    /// Machines that learn are taught, and what they know is kept.
    fn teach(&mut self) -> Result<()> {
        for seat in Seat::all(self.game.seats()) {
            if let Some(machine) = &mut self.machines[seat.index()] {
                machine.learn(&*self.table, seat);
                shelf::keep(
                    &self.specs[seat.index()],
                    machine.memory().as_ref().filter(|_| machine.learns()),
                )?;
            }
        }
        Ok(())
    }

    /// One whole game among machines, as one JSON object.
    fn machines_only(&mut self) -> Result<Answer> {
        let started = Instant::now();
        let seed = self.header.seed;
        while let Turn::Of(seat) = {
            self.table.settle();
            self.keep()?;
            self.table.turn()
        } {
            self.machine_moves(seat)?;
        }
        let record = Record {
            header: self.header.clone(),
            events: self.table.events().to_vec(),
            cut: false,
        };
        let Turn::Over(outcome) = self.table.turn() else {
            unreachable!("the loop ends when the game does")
        };
        let moves: Vec<String> = self
            .table
            .told(Eyes::All)
            .into_iter()
            .map(|t| t.text)
            .collect();
        let limit = matches!(record.events.last(), Some(Event::Limit { .. }));
        self.teach()?;
        let mut result = json!({
            "game": self.game.spec(), "seed": seed, "players": self.header.players, "moves": moves,
            "payoffs": outcome.payoffs, "over": !limit, "why": outcome.why,
            "seconds": started.elapsed().as_secs_f64(),
        });
        if let Some((seat, fault)) = self.faults.first() {
            result["fault"] =
                json!({"seat": seat.index() + 1, "what": fault.name(), "why": fault.why()});
        }
        self.out.tell(&result, String::new)?;
        Ok(Answer::Yes)
    }
}

/// How a machine lost by its own fault, with the sentence for its author.
pub(crate) fn did(fault: &Fault) -> String {
    let did = match fault {
        Fault::Crash(_) => "broke down",
        Fault::Illegal(_) => "played what the rules refuse",
        Fault::Late(_) => "was late",
        Fault::Silent(_) => "did not answer",
        Fault::Disconnected(_) => "went away",
        Fault::Unreadable(_) => "said what nobody understands",
    };
    match fault.why() {
        "" => format!("{did} and loses"),
        why => format!("{did} and loses: {why}"),
    }
}

/// A name in a folder that no record has yet.
fn unused(folder: &std::path::Path, stem: &str) -> std::path::PathBuf {
    let name = |n: u32| {
        folder.join(if n == 1 {
            format!("{stem}.record")
        } else {
            format!("{stem}-{n}.record")
        })
    };
    let mut n = 1;
    while name(n).exists() {
        n += 1;
    }
    name(n)
}

/// Who sits where: what was given, the rest people; a machine opposite where nothing was given.
fn seats(game: &dyn AnyGame, given: &[Spec]) -> Result<Vec<Spec>> {
    let count = usize::from(game.seats());
    if given.len() > count {
        let why = WORDS
            .say("wrong-seats")
            .with("game", game.id())
            .with("seats", game.seats())
            .with("given", given.len());
        let names: Vec<String> = Seat::all(game.seats())
            .map(|s| game.seat_name(s).to_string())
            .collect();
        return Err(Refusal::new(
            "wrong-seats",
            why,
            WORDS
                .say("wrong-seats-hint")
                .with("names", names.join(", ")),
        )
        .into());
    }
    let mut specs = given.to_vec();
    for seat in Seat::all(game.seats()).skip(specs.len()) {
        let person = !given.is_empty() || seat == Seat::FIRST;
        specs.push(if person {
            Spec::named("human")
        } else {
            game.opponent(seat)
        });
    }
    Ok(specs)
}

/// What a machine chose, or what went wrong, and the time it is charged for that.
type Decision = (Result<Choice<String>, Fault>, Duration);

/// Asks a machine, and keeps the last thing it thought.
pub(crate) fn think(
    machine: &mut dyn AnyPlayer,
    table: &dyn AnyMatch,
    dice: Dice,
    budget: &Budget,
) -> (Decision, Option<Thought<String>>) {
    let mut last = None;
    let mut tell = |thought: &Thought<String>| last = Some(thought.clone());
    let desk = AnyDesk {
        budget,
        dice,
        tell: &mut tell,
        record: None,
    };
    (ask(machine, table, desk), last)
}
