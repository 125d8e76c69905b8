//! `wits thread gallery`: one thread of every machine and of every desk, as the page *Threads* shows them.

mod desks;

use std::path::Path;

use anyhow::Result;
use serde_json::{Value as Json, json};
use wits_game::{Dice, Seat, Seed, Stream};
use wits_play::{AnyDesk, AnyGame, AnyMatch, Budget, Catalog, Choice, Recorder, Shelf, Spec};
use wits_search::{Kind, Line, Thread};

use crate::args::ThreadGalleryArgs;
use crate::out::Out;
use crate::{Answer, Problem, shelf};

/// A file of the gallery is at most this large, in bytes.
const LARGEST: usize = 150_000;
/// How many steps are kept at first; half as many where that is too much.
const STEPS: usize = 400;
/// So many steps make a thread worth following.
const ENOUGH: usize = 20;
/// How many moves are made at random before the decision.
const PLIES: u32 = 4;
const SEED: Seed = Seed::new(7);
/// In so many random games a position is looked for in which there is something to decide.
const SEEDS: u64 = 6;
/// Boards on which a machine shows what it is made for; on the usual one its argument does not hold, its proof takes too
/// long, or it cannot sit down at all. Beside them, how many random moves its argument survives.
const BOARDS: [(&str, &str, &str, u32); 8] = [
    ("othello", "matchbox", "othello:size=4", PLIES),
    ("rainbow", "matchbox", "rainbow:n=5,k=3,c=3", 1),
    ("rainbow", "pairing", "rainbow:n=30,k=10,c=10", PLIES),
    ("rainbow", "perfect", "rainbow:n=9,k=3,c=5", PLIES),
    ("rainbow", "potential", "rainbow:n=40,k=16,c=16", PLIES),
    ("thue", "levels12", "thue:symbols=12", 1),
    ("thue", "perfect", "thue:symbols=3", PLIES),
    ("thue-append", "matchbox", "thue-append:symbols=3,goal=8", 2),
];

/// The board of a machine that does not show itself on the usual one, and how many random moves come before.
fn board(game: &str, by: &str) -> Option<(&'static str, u32)> {
    let own = |(one, who, ..): &&(&str, &str, &str, u32)| (*one, *who) == (game, by);
    BOARDS
        .iter()
        .find(own)
        .map(|(.., spec, plies)| (*spec, *plies))
}

/// `wits thread gallery FOLDER`: writes `GAME-PLAYER.thread` for every machine of the catalog, and some threads of every desk.
pub(crate) fn run(catalog: &Catalog, args: &ThreadGalleryArgs, out: &Out) -> Result<Answer> {
    std::fs::create_dir_all(&args.folder).map_err(|e| Problem::file(&args.folder, &e))?;
    let mut shown = Vec::new();
    if let Some(name) = &args.game
        && !desks::DESKS.contains(&name.as_str())
    {
        catalog.entry(name)?;
    }
    let wanted = |id: &str| args.game.as_ref().is_none_or(|game| game == id);
    for entry in catalog.entries().iter().filter(|e| wanted(e.id())) {
        let mut cards = entry.players();
        cards.retain(|card| card.id != "human");
        // Who sits down in some variants only has a board here where there is one.
        let some = entry.unlisted().into_iter();
        cards.extend(some.filter(|card| board(entry.id(), card.id).is_some()));
        for card in &cards {
            let (spec, plies) = match board(entry.id(), card.id) {
                Some((spec, plies)) => (spec.parse()?, plies),
                None => (Spec::named(entry.id()), PLIES),
            };
            let shelf = shelf::fill(catalog, &spec, &[])?;
            let game = catalog.game(&spec, &shelf)?;
            let by = Spec::named(card.id);
            let text = smallest(&*game, (&by, plies), &shelf, |seat| card.roles.allow(seat))?;
            shown.push((format!("{}-{}", entry.id(), card.id), text));
        }
    }
    for desk in desks::DESKS.into_iter().filter(|desk| wanted(desk)) {
        shown.extend(desks::of(desk, catalog)?);
    }
    let (files, mut bytes) = (shown.len(), 0);
    for (name, text) in shown {
        write(&args.folder.join(format!("{name}.thread")), &text)?;
        bytes += text.len();
    }
    let value =
        json!({"folder": args.folder.display().to_string(), "files": files, "bytes": bytes});
    out.tell(&value, || {
        format!("{files} threads, {} KB in all\n", bytes / 1000)
    })?;
    Ok(Answer::Yes)
}

fn write(path: &Path, text: &str) -> Result<()> {
    shelf::write_whole(path, text.as_bytes())?;
    Ok(())
}

/// The thread of a decision with as many steps as fit into a file.
fn smallest(
    game: &dyn AnyGame,
    (by, most): (&Spec, u32),
    shelf: &Shelf,
    may_sit: impl Fn(Seat) -> bool,
) -> Result<String> {
    let budget = Budget::endless();
    // Whether there was something to decide, how many steps it took, and the file.
    let mut best = (false, 0, String::new());
    // In a small game little is left after some moves, so the decision is an earlier one there.
    for (seed, plies) in (0..SEEDS).flat_map(|n| (0..=most).rev().map(move |plies| (n, plies))) {
        let seed = if seed == 0 { SEED } else { SEED.nth(seed) };
        let table = middle(game, seed, plies, &may_sit);
        let mut steps = STEPS;
        loop {
            let recorder = Recorder::new(steps);
            let thread = decide(game, table.as_ref(), by, shelf, (recorder, &budget))?;
            let text = thread.text();
            if text.len() > LARGEST && steps >= 20 {
                steps /= 2;
                continue;
            }
            let found = (decides(table.as_ref(), &thread), thread.steps.len(), text);
            if (found.0, found.1) > (best.0, best.1) {
                best = found;
            }
            break;
        }
        if best.0 && best.1 >= ENOUGH {
            break;
        }
    }
    Ok(best.2)
}

/// Whether there was something to decide: the game goes on after the move that was chosen, and where the thread gives values
/// to the moves, they are not all the same.
fn decides(table: &dyn AnyMatch, thread: &Thread) -> bool {
    let mut next = table.copy();
    let goes_on = next.turn().seat().is_some_and(|seat| {
        let played = next.play(seat, &thread.footer.result, None).is_ok();
        played && next.turn().outcome().is_none()
    });
    let of_root = |line: &&Line| {
        line.kind == Kind::Open && line.data["parent"] == 0 && line.data["move"].is_string()
    };
    let roots: Vec<&Json> = thread
        .steps
        .iter()
        .filter(of_root)
        .map(|line| &line.data["id"])
        .collect();
    let closed = |line: &&Line| line.kind == Kind::Close && roots.contains(&&line.data["id"]);
    let mut values: Vec<String> = thread
        .steps
        .iter()
        .filter(closed)
        .filter(|line| line.data.get("value").is_some_and(Json::is_number))
        .map(|line| format!("{} {:?}", line.data["value"], line.data.get("is")))
        .collect();
    values.sort();
    values.dedup();
    goes_on && values.len() != 1
}

/// A game under way after about so many random moves, at a move of a seat that the machine can take, with something to
/// choose from.
pub(crate) fn middle(
    game: &dyn AnyGame,
    seed: Seed,
    plies: u32,
    may_sit: impl Fn(Seat) -> bool,
) -> Box<dyn AnyMatch> {
    let mut dice = Dice::at(seed, Stream::Aside, 0);
    let mut table = game.begin(seed, None);
    table.settle();
    let mut best = table.copy();
    for ply in 0..plies * 4 + 4 {
        let Some(seat) = table.turn().seat() else {
            break;
        };
        let options = table.options();
        if may_sit(seat) && options.len() > 1 {
            best = table.copy();
            if ply >= plies {
                break;
            }
        }
        let mv = &options[dice.below(options.len())];
        if table.play(seat, mv, None).is_err() {
            break;
        }
        table.settle();
    }
    best
}

/// The thread of a decision of a machine in a position.
pub(crate) fn decide(
    game: &dyn AnyGame,
    table: &dyn AnyMatch,
    by: &Spec,
    shelf: &Shelf,
    (mut recorder, budget): (Recorder, &Budget),
) -> Result<Thread> {
    let seat = table.turn().seat().unwrap_or(Seat::FIRST);
    let mut player = game.player(by, seat, shelf)?;
    let desk = AnyDesk {
        budget,
        dice: table.dice(seat),
        tell: &mut |_| {},
        record: Some(&mut recorder),
    };
    let result = match player.choose(table, desk) {
        Choice::Move(text) => text,
        Choice::Resign => "resign".to_owned(),
    };
    Ok(player.thread(recorder, game, table, SEED, &result))
}
