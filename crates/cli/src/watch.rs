//! `wits watch`: the thread of one decision.

use std::time::Duration;

use anyhow::Result;
use serde_json::{Value, json};
use wits_game::{Eyes, Turn};
use wits_play::{AnyDesk, AnyMatch, Budget, Catalog, Choice, Decision, Limits, Recorder, WhyNot};

use crate::args::WatchArgs;
use crate::out::Out;
use crate::play::limits;
use crate::replay::tell_thread;
use crate::{Answer, Problem, board, shelf, stop};

/// How long a machine may think about a move that somebody points at.
const THINK: Duration = Duration::from_millis(700);
/// How long a machine may decide anew where a move is forbidden.
const AGAIN: Duration = Duration::from_secs(2);

/// `wits watch`
pub(crate) fn run(catalog: &Catalog, args: &WatchArgs, out: &Out) -> Result<Answer> {
    let named: Vec<&wits_play::Spec> = args.by.iter().collect();
    let shelf = shelf::fill(catalog, &args.game, &named)?;
    let game = catalog.game(&args.game, &shelf)?;
    let seed = args.seed.or_fresh();
    let mut table = match &args.position {
        None => game.begin(seed, None),
        Some(text) => game.begin_from(text, seed, None).map_err(Problem::from)?,
    };
    play_all(&mut *table, &args.moves)?;
    let Turn::Of(seat) = table.turn() else {
        return Err(Problem::new(
            "over",
            "the game is over in that position; there is nothing to decide",
            "give fewer moves or another position",
        )
        .into());
    };
    let spec = args.by.clone().unwrap_or_else(|| game.opponent(seat));
    let mut player = game.player(&spec, seat, &shelf)?;
    let budget = Budget::with_stop(limits(args.time), stop::flag());
    let mut recorder = Recorder::new(args.limit as usize);
    let mut tell = |_: &_| {};
    let desk = AnyDesk {
        budget: &budget,
        dice: table.dice(seat),
        tell: &mut tell,
        record: Some(&mut recorder),
    };
    let mut result = match player.choose(&*table, desk) {
        Choice::Move(text) => text,
        Choice::Resign => "resign".to_owned(),
    };
    if let Some(fault) = player.account().fault {
        let what = format!("{}: {}", fault.name(), fault.why());
        let hint = "`wits bot try COMMAND --game GAMESPEC` tells what a program should do";
        return Err(Problem::new("fault", what, hint).into());
    }
    let mut thread = player.thread(recorder, &*game, &*table, seed, &result);
    let decision = Decision {
        game: &*game,
        table: &*table,
        by: &spec,
        shelf: &shelf,
        thread: &thread,
    };
    let within = |most: Duration| {
        let limits = Limits {
            time: Some(args.time.map_or(most, Duration::from_secs_f64).min(most)),
            ..Limits::NONE
        };
        Budget::with_stop(limits, stop::flag())
    };
    let mut why_not: Option<WhyNot> = None;
    if let Some(text) = &args.why_not {
        let answer = decision.why_not(text, &within(THINK));
        why_not = Some(answer.map_err(Problem::from)?);
    } else if let Some(text) = &args.forbid {
        let again = decision.without(text, &within(AGAIN));
        thread = again.map_err(Problem::from)?;
        result.clone_from(&thread.footer.result);
    }
    if let Some(path) = &args.save {
        shelf::write_whole(path, thread.text().as_bytes())?;
        let mut saved = json!({"saved": path.display().to_string(), "result": result, "steps": thread.lines.len() - 2});
        if let Some(why_not) = &why_not {
            saved["why_not"] = json!(why_not);
        }
        out.tell(&saved, || {
            let answer = why_not.as_ref().map(|answer| format!("{}\n", answer.text));
            format!(
                "{}{result}: {} steps kept in {}\nsee them with: wits replay {}",
                answer.unwrap_or_default(),
                thread.lines.len() - 2,
                path.display(),
                path.display()
            )
        })?;
        return Ok(Answer::Yes);
    }
    let lines: Vec<Value> = thread
        .lines
        .iter()
        .map(|l| serde_json::from_str(l))
        .collect::<Result<_, _>>()?;
    let shown = why_not.as_ref().map(|answer| {
        let mut scene = answered(&*table, &answer.line).scene(Eyes::Seat(seat));
        if game.hidden() {
            // What would be drawn after the move is nobody's to know.
            scene.trays = table.scene(Eyes::Seat(seat)).trays;
        }
        (answer, board::draw(&scene, out))
    });
    tell_thread(&lines, None, shown, out)?;
    Ok(Answer::Yes)
}

/// Makes moves that are separated by spaces. In some games a move has a space of its own, so a word that is no move is read
/// together with the next one.
fn play_all(table: &mut dyn AnyMatch, moves: &str) -> Result<()> {
    let words: Vec<&str> = moves.split_whitespace().collect();
    let mut at = 0;
    while let Some(word) = words.get(at) {
        table.settle();
        let Some(seat) = table.turn().seat() else {
            break;
        };
        at += 1;
        if let Err(illegal) = table.play(seat, word, None) {
            let two = words.get(at).map(|next| format!("{word} {next}"));
            if two.is_none_or(|two| table.play(seat, &two, None).is_err()) {
                return Err(Problem::from(illegal).into());
            }
            at += 1;
        }
    }
    table.settle();
    Ok(())
}

/// The match after a move that somebody pointed at and the reply to it.
fn answered(table: &dyn AnyMatch, line: &[String]) -> Box<dyn AnyMatch> {
    let mut copy = table.copy();
    for mv in line.iter().take(2) {
        copy.settle();
        let Some(seat) = copy.turn().seat() else {
            break;
        };
        if copy.play(seat, mv, None).is_err() {
            break;
        }
    }
    copy
}
