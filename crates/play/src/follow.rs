//! One decision held to the law of threads, and to its answers when somebody asks *why not?*

use wits_game::{Seed, Turn};
use wits_search::{Budget, Limits, Recorder, Thread};

use crate::contract::{Breach, follows};
use crate::{AnyDesk, AnyGame, AnyMatch, Choice, Decision, Shelf, Spec};

/// Has a player decide in this position twice, unwatched and watched, and returns its thread. The choice must be the same, the
/// thread must keep the law ([`follows`]), and about each of the first `asked` legal moves the player must be able to say
/// why it was not played, by a line that can be played.
pub fn check_decision(
    game: &dyn AnyGame,
    table: &dyn AnyMatch,
    spec: &Spec,
    shelf: &Shelf,
    limits: Limits,
    asked: usize,
) -> Result<Thread, Breach> {
    let breach = |law: &'static str, seen: String| Breach {
        law,
        seen: format!("{spec} at {:?}: {seen}", table.notation()),
    };
    let Turn::Of(seat) = table.turn() else {
        return Err(breach("somebody is to move", "the game is over".to_owned()));
    };
    let choose = |record: Option<&mut Recorder>| {
        let player = game.player(spec, seat, shelf);
        let mut player = player.map_err(|e| breach("the spec makes a player", e.to_string()))?;
        let desk = AnyDesk {
            budget: &Budget::start(limits),
            dice: table.dice(seat),
            tell: &mut |_| {},
            record,
        };
        let choice = player.choose(table, desk);
        Ok((choice, player))
    };
    let (alone, _) = choose(None)?;
    let mut recorder = Recorder::default();
    let (watched, player) = choose(Some(&mut recorder))?;
    if alone != watched {
        let seen = format!("{watched:?} is not {alone:?}");
        return Err(breach("watched equals unwatched", seen));
    }
    let result = match &watched {
        Choice::Move(text) => text,
        Choice::Resign => "resign",
    };
    let thread = player.thread(recorder, game, table, Seed::new(0), result);
    follows(game, table, &thread)?;
    let decision = Decision {
        game,
        table,
        by: spec,
        shelf,
        thread: &thread,
    };
    for mv in table.options().iter().take(asked) {
        let answer = decision
            .why_not(mv, &Budget::start(limits))
            .map_err(|e| breach("every legal move can be asked about", e.to_string()))?;
        let text = answer.text.to_string();
        if text.contains('{') || !text.contains(mv.as_str()) || answer.line.first() != Some(mv) {
            return Err(breach("an answer is about the move", text));
        }
        if answer.less.is_some_and(|less| less.is_nan() || less <= 0.0) {
            return Err(breach("what is told as less is less", text));
        }
        let mut copy = table.copy();
        for played in &answer.line {
            copy.settle();
            let whose = copy.turn().seat().unwrap_or(seat);
            copy.play(whose, played, None)
                .map_err(|e| breach("the line of an answer can be played", e.to_string()))?;
        }
    }
    Ok(thread)
}
