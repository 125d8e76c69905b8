//! The laws that every game and every player of the catalog keeps.
//!
//! A room's tests, and the test over the whole catalog, call [`check_entry`]; a breach names the
//! law and what was seen. The laws about rules run typed ([`Laws::check`]), those about players
//! run through the erased seam, as the server and the arena will.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use wits_game::{Dice, Eyes, Game, Lang, Seat, Seed, Stream, Turn};
use wits_search::{Budget, Kind, Limits, Recorder, Thread};

use crate::{
    AnyDesk, AnyEntry, AnyGame, AnyMatch, Choice, Event, Header, Match, Record, Shelf, Spec,
};

/// A law that was broken, and how it showed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Breach {
    /// The law, in a few words.
    pub law: &'static str,
    /// What was seen.
    pub seen: String,
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.law, self.seen)
    }
}

impl std::error::Error for Breach {}

/// Breaks off with a breach unless something holds.
macro_rules! law {
    ($law:expr, $holds:expr, $($seen:tt)+) => {
        if !$holds {
            return Err(Breach { law: $law, seen: format!($($seen)+) });
        }
    };
}

/// How hard to look.
#[derive(Clone, Debug)]
pub struct Laws {
    /// How many random games to play.
    pub games: u32,
    /// A random game that is longer than this does not end.
    pub longest: u32,
    /// Where all chance comes from.
    pub seed: Seed,
    /// Text that no game reads as a move.
    pub nonsense: Vec<String>,
    /// Whether to hold players to the law of threads ([`follows`]), too.
    pub threads: bool,
}

impl Default for Laws {
    fn default() -> Laws {
        let nonsense = [
            "",
            "  ",
            "\u{0}",
            "nonsense!",
            "🂡🂡🂡",
            "-1",
            "99999999999999999999",
            "a1b2c3d4e5f6g7h8",
        ];
        Laws {
            games: 20,
            longest: 5_000,
            seed: Seed::new(2024),
            nonsense: nonsense
                .iter()
                .map(ToString::to_string)
                .chain([String::from("x").repeat(10_000)])
                .collect(),
            threads: false,
        }
    }
}

impl Laws {
    /// Plays random games and checks the laws of the rules at every position.
    pub fn check<G: Game>(&self, game: &Arc<G>) -> Result<(), Breach> {
        law!(
            "one to four sit at a table",
            (1..=Seat::MOST).contains(&game.seats()),
            "{}",
            game.seats()
        );
        for n in 0..self.games {
            self.one_game(game, self.seed.nth(u64::from(n)))?;
        }
        Ok(())
    }

    fn one_game<G: Game>(&self, game: &Arc<G>, seed: Seed) -> Result<(), Breach> {
        let mut table = Match::new(Arc::clone(game), seed, None);
        loop {
            Laws::position(game, table.state(), seed)?;
            if table.settle() > 0 {
                continue;
            }
            let Turn::Of(seat) = table.turn() else { break };
            law!(
                "random games end",
                table.ply() < self.longest,
                "not over after {} moves",
                table.ply()
            );
            self.refusals(&table, seat)?;
            let view = game.view(table.state(), Eyes::Seat(seat)).into_owned();
            let options = game.options(&view);
            let Some(mv) = table.dice(seat).pick(&options).cloned() else {
                return Err(Breach {
                    law: "a seat to move has an option",
                    seen: format!("{:?}", table.state()),
                });
            };
            let played = table.play_move(&mv, None).cloned();
            law!(
                "options are legal",
                played.is_ok(),
                "{mv:?} in {:?}: {played:?}",
                table.state()
            );
        }
        let Turn::Over(outcome) = table.turn() else {
            unreachable!("the loop ends when the game does")
        };
        law!(
            "every seat is paid",
            outcome.payoffs.len() == usize::from(game.seats()),
            "{outcome:?}"
        );
        replays(game, &table, seed)
    }

    /// What is refused says why and changes nothing; so does a move of the wrong seat.
    fn refusals<G: Game>(&self, table: &Match<G>, seat: Seat) -> Result<(), Breach> {
        let mut tried = table.clone();
        for text in &self.nonsense {
            let Err(why) = tried.play(seat, text, None).map(|_| ()) else {
                tried = table.clone();
                continue;
            };
            let why = why.to_string();
            law!(
                "a refusal says why",
                !why.is_empty() && !why.contains('{'),
                "`{text}`: {why}"
            );
            law!(
                "what is refused changes nothing",
                tried.state() == table.state() && tried.events() == table.events(),
                "`{text}` changed {:?}",
                table.state()
            );
        }
        for other in Seat::all(table.game().seats()).filter(|&other| other != seat) {
            for mv in table
                .game()
                .options(&table.game().view(table.state(), Eyes::Seat(seat)))
                .iter()
                .take(3)
            {
                let text = table.game().write(table.state(), mv, Eyes::All);
                let refused = tried.play(other, &text, None).is_err();
                law!(
                    "only the seat to move may move",
                    refused,
                    "seat {other} played `{text}`"
                );
            }
        }
        Ok(())
    }

    /// The laws of one position.
    fn position<G: Game>(game: &Arc<G>, state: &G::State, seed: Seed) -> Result<(), Breach> {
        let json = serde_json::to_string(state).map_err(|e| Breach {
            law: "states survive JSON",
            seen: e.to_string(),
        })?;
        let back: Result<G::State, _> = serde_json::from_str(&json);
        law!(
            "states survive JSON",
            back.as_ref().is_ok_and(|b| b == state),
            "{json} came back as {back:?}"
        );
        if let Some(text) = game.notation(state) {
            let read = game.position(&text);
            law!(
                "a written position is read back",
                read.as_ref() == Ok(state),
                "`{text}` was read as {read:?}"
            );
        }
        for eyes in Seat::all(game.seats())
            .map(Eyes::Seat)
            .chain([Eyes::Public])
        {
            let view = game.view(state, eyes);
            let scene = game.scene(&view);
            law!(
                "targets point at cells",
                scene
                    .targets
                    .iter()
                    .all(|t| t.path.iter().all(|&i| i < scene.cells.len())),
                "{scene:?}"
            );
        }
        let Turn::Of(seat) = game.turn(state) else {
            return Ok(());
        };
        let view = game.view(state, Eyes::Seat(seat)).into_owned();
        let options = game.options(&view);
        law!(
            "options come in a fixed order",
            game.options(&view) == options,
            "{options:?}"
        );
        let mut texts = BTreeSet::new();
        for mv in &options {
            let text = game.write(state, mv, Eyes::All);
            let read = game.read(state, &text);
            law!(
                "read undoes write",
                read.as_ref() == Ok(mv),
                "{mv:?} is written `{text}` and read as {read:?}"
            );
            law!(
                "each option has its own text",
                texts.insert(text.clone()),
                "`{text}` means two moves"
            );
        }
        let mut dice = Dice::at(seed, Stream::Aside, 0);
        let imagined = game.imagine(&view, &mut dice);
        law!(
            "what is imagined agrees with the view",
            *game.view(&imagined, Eyes::Seat(seat)) == view,
            "{imagined:?} does not look like {view:?}"
        );
        law!(
            "what is imagined is somebody's turn",
            game.turn(&imagined) == Turn::Of(seat),
            "{imagined:?}"
        );
        let again = game.options(&game.view(&imagined, Eyes::Seat(seat)));
        law!(
            "options depend on what is known only",
            again == options,
            "{again:?} is not {options:?}"
        );
        if G::HIDDEN {
            hides(game, state, &imagined, seat)?;
        }
        Ok(())
    }
}

/// What is written for other eyes does not tell two positions apart that look the same to them.
fn hides<G: Game>(
    game: &Arc<G>,
    state: &G::State,
    imagined: &G::State,
    seat: Seat,
) -> Result<(), Breach> {
    let view = game.view(state, Eyes::Seat(seat));
    for mv in game.options(&view).iter().take(20) {
        for eyes in [Eyes::Seat(seat), Eyes::Public] {
            if game.view(state, eyes) == game.view(imagined, eyes)
                && game.legal(imagined, mv).is_ok()
            {
                let (here, there) = (game.write(state, mv, eyes), game.write(imagined, mv, eyes));
                law!(
                    "what others read holds nothing secret",
                    here == there,
                    "`{here}` is not `{there}`"
                );
            }
        }
    }
    Ok(())
}

/// A record replays exactly, whole and cut anywhere.
fn replays<G: Game>(game: &Arc<G>, table: &Match<G>, seed: Seed) -> Result<(), Breach> {
    let header = Header::new(G::RULES, "contract".into(), seed, Vec::new());
    let record = Record {
        header,
        events: table.events().to_vec(),
        cut: false,
    };
    let read = Record::read(&record.text());
    law!(
        "records survive their file",
        read.as_ref() == Ok(&record),
        "{read:?}"
    );
    let again = Match::replay(Arc::clone(game), &record);
    law!(
        "replay is identical",
        again.as_ref().is_ok_and(|m| m.state() == table.state()
            && m.events() == table.events()
            && m.turn() == table.turn()),
        "{:?}",
        again.err()
    );
    Ok(())
}

/// Checks a game of the catalog, with its default parameters, and everyone who can play it.
pub fn check_entry(entry: &dyn AnyEntry, shelf: &Shelf, laws: &Laws) -> Result<(), Breach> {
    law!(
        "an entry is named by a plain word",
        plain(entry.id()),
        "`{}`",
        entry.id()
    );
    let texts = [entry.title(), entry.about(), entry.rules()];
    for text in texts.iter().chain(entry.params().iter().map(|p| &p.about)) {
        told(text)?;
    }
    let game = entry
        .game(&Spec::named(entry.id()), shelf)
        .map_err(|e| Breach {
            law: "defaults make a game",
            seen: e.to_string(),
        })?;
    law!(
        "seats are as announced",
        (entry.seats().0..=entry.seats().1).contains(&game.seats()),
        "{}",
        game.seats()
    );
    let canonical = game
        .spec()
        .parse::<Spec>()
        .ok()
        .and_then(|spec| entry.game(&spec, shelf).ok());
    law!(
        "the canonical spec makes the same game",
        canonical.is_some_and(|g| g.spec() == game.spec()),
        "{}",
        game.spec()
    );
    game.laws(laws)?;
    for card in entry.players().iter().filter(|card| card.id != "human") {
        told(&card.about)?;
        for param in &card.params {
            told(&param.about)?;
        }
        for seat in Seat::all(game.seats()).filter(|&seat| card.roles.allow(seat)) {
            check_player(game.as_ref(), &Spec::named(card.id), seat, shelf, laws)?;
        }
    }
    Ok(())
}

fn plain(id: &str) -> bool {
    !id.is_empty()
        && id
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
}

/// A sentence is in its book.
fn told(text: &wits_game::Message) -> Result<(), Breach> {
    let english = text.to(Lang::En);
    law!(
        "every sentence is in its book",
        !english.starts_with(&format!("{}(", text.key())),
        "{english}"
    );
    Ok(())
}

/// Checks one player in one seat: it answers legally inside a node budget, obeys stop, gives the
/// same answer for the same seed, and the same answer watched and unwatched.
pub fn check_player(
    game: &dyn AnyGame,
    spec: &Spec,
    seat: Seat,
    shelf: &Shelf,
    laws: &Laws,
) -> Result<(), Breach> {
    for n in 0..3 {
        let seed = laws.seed.nth(1_000 + n);
        let mut table = game.begin(seed, None);
        wander(table.as_mut(), seat, 2 * n as u32);
        if table.turn() != Turn::Of(seat) {
            continue;
        }
        let ask = |limits: Limits, stop: bool, record: Option<&mut Recorder>| {
            let mut player = game.player(spec, seat, shelf).map_err(|e| Breach {
                law: "defaults make a player",
                seen: e.to_string(),
            })?;
            let budget = Budget::start(limits);
            if stop {
                budget.stop();
            }
            let mut tell = |_: &_| {};
            let desk = AnyDesk {
                budget: &budget,
                dice: table.dice(seat),
                tell: &mut tell,
                record,
            };
            let choice = player.choose(table.as_ref(), desk);
            Ok((choice, player))
        };
        let few = Limits::nodes(300);
        let choice = ask(few, false, None)?.0;
        allowed(table.as_ref(), seat, spec, &choice)?;
        let stopped = ask(Limits::NONE, true, None)?.0;
        allowed(table.as_ref(), seat, spec, &stopped)?;
        law!(
            "same seed, same choice",
            ask(few, false, None)?.0 == choice,
            "{spec}"
        );
        let mut recorder = Recorder::default();
        let (watched, player) = ask(few, false, Some(&mut recorder))?;
        law!(
            "watched equals unwatched",
            watched == choice,
            "{spec}: {watched:?} is not {choice:?}"
        );
        if laws.threads {
            let result = match &choice {
                Choice::Move(text) => text,
                Choice::Resign => "resign",
            };
            let thread = player.thread(recorder, game, table.as_ref(), seed, result);
            follows(game, table.as_ref(), &thread)?;
        }
    }
    Ok(())
}

/// The law of threads: where there is something to choose, every legal move is shown with a value or a reason, or
/// counted; the decision comes last; the header sums it up; and nothing in it is false.
pub fn follows(game: &dyn AnyGame, table: &dyn AnyMatch, thread: &Thread) -> Result<(), Breach> {
    let by = &thread.header.by;
    let at = &thread.header.subject;
    let report = crate::check::check_from(game, table, thread);
    law!(
        "a thread survives its check",
        report.ok(),
        "{by} at `{at}`: {:?}",
        report.failures.first()
    );
    let options = table.options();
    if options.len() < 2 || thread.footer.result == "resign" {
        return Ok(());
    }
    let mut shown = BTreeSet::new();
    let mut skipped = 0;
    let mut looks = Vec::new();
    let mut roots = Vec::new();
    // What the moves of the root are worth, as the thread writes it.
    let mut values = BTreeSet::new();
    for step in &thread.steps {
        let get = |key: &str| step.data.get(key);
        let (id, parent) = (get("id"), get("parent"));
        let mv = get("move").and_then(|mv| mv.as_str());
        let inside = |looks: &Vec<_>, id: Option<&_>| id.is_some_and(|id| looks.contains(id));
        match step.kind {
            // A second look at a position deeper down shows no move of the root.
            Kind::Open
                if mv.is_none() && parent.is_none_or(|p| p.is_null() || looks.contains(p)) =>
            {
                looks.extend(id.cloned());
            }
            Kind::Open if inside(&looks, parent) => {
                roots.extend(id.cloned());
                shown.insert(mv.unwrap_or(""));
            }
            Kind::Close if inside(&roots, id) => {
                let value = get("value").filter(|value| value.is_number());
                values.extend(value.map(ToString::to_string));
            }
            Kind::Cut if inside(&looks, id) => {
                let rest = get("rest").and_then(serde_json::Value::as_u64);
                skipped = skipped.max(rest.unwrap_or(0));
            }
            _ => {}
        }
    }
    let unseen = options.iter().filter(|mv| !shown.contains(mv.as_str()));
    let unseen: Vec<&String> = unseen.collect();
    law!(
        "every legal move is in the thread",
        unseen.len() as u64 <= skipped,
        "{by} at `{at}`: nothing about {}",
        unseen[0]
    );
    let last = thread.steps.iter().rev().find(|s| s.kind != Kind::Count);
    law!(
        "the decision comes last",
        last.is_some_and(|step| step.kind == Kind::Choose
            && step.data.get("answer").and_then(|a| a.as_str()) == Some(&thread.footer.result)),
        "{by} at `{at}`: {last:?}"
    );
    law!(
        "a thread says whose gain it counts",
        !thread.header.seat.is_empty(),
        "{by} at `{at}`"
    );
    // What was done and what decided; where values differ there is a runner-up, and it lacked something.
    let summary = &thread.header.summary;
    let least = if values.len() > 1 { 3 } else { 2 };
    law!(
        "a thread is summed up in three sentences",
        summary.ends_with('.') && (least..=3).contains(&summary.split(". ").count()),
        "{by} at `{at}`: {summary}"
    );
    Ok(())
}

fn allowed(
    table: &dyn AnyMatch,
    seat: Seat,
    spec: &Spec,
    choice: &Choice<String>,
) -> Result<(), Breach> {
    let Choice::Move(text) = choice else {
        return Ok(());
    };
    let played = table.copy().play(seat, text, None);
    law!(
        "every player answers legally",
        matches!(played, Ok(Event::Move { .. })),
        "{spec} played `{text}`: {played:?}"
    );
    Ok(())
}

/// Plays a few random moves until it is this seat's turn, some way into the game.
fn wander(table: &mut dyn AnyMatch, seat: Seat, least: u32) {
    for _ in 0..200 {
        table.settle();
        let Turn::Of(whose) = table.turn() else {
            return;
        };
        if whose == seat && table.ply() >= least {
            return;
        }
        let options = table.options();
        let Some(text) = table.dice(whose).pick(&options).cloned() else {
            return;
        };
        let _ = table.play(whose, &text, None);
    }
}
