//! The score sheet of a game that was played here.

use wits_game::Game;
use wits_play::Event;

use super::gcg::{Act, Entry, Sheet};
use crate::table::{Done, Move, Phase, Scrabble, Table};

/// The turns of a game from its events, as far as it was played; the player of each is its seat, from zero.
pub fn turns(game: &Scrabble, start: &Table, events: &[Event]) -> Vec<Entry> {
    let mut table = start.clone();
    let mut turns = Turns::new();
    for event in events {
        let (Event::Move { text, .. } | Event::Deal { text, .. }) = event else {
            continue;
        };
        let Ok(mv) = game.read(&table, text) else {
            break;
        };
        let seat = usize::from(table.turn);
        let rack = table.racks[seat].clone();
        let before = table.clone();
        game.play(&mut table, &mv);
        let gained = table.scores[seat] - before.scores[seat];
        match mv {
            Move::Play(play) => {
                // The end of the game is settled on lines of its own.
                let score = table.last.map_or(gained, |last| last.score);
                turns.push((
                    seat,
                    rack,
                    Act::Play(play),
                    score,
                    before.scores[seat] + score,
                ));
            }
            Move::Exchange(given) => {
                let count = given.len() as u8;
                turns.push((
                    seat,
                    rack,
                    Act::Exchange(given, count),
                    0,
                    before.scores[seat],
                ));
            }
            Move::Pass | Move::Late => {
                let on = mv == Move::Late && !game.grace().is_zero();
                if !on && !matches!(table.phase, Phase::Out(_)) {
                    turns.push((seat, rack.clone(), Act::Pass, 0, before.scores[seat]));
                }
                if mv == Move::Late && gained < 0 && matches!(table.phase, Phase::Move) {
                    turns.push((seat, rack, Act::Time, gained, table.scores[seat]));
                }
            }
            Move::Challenge => challenge(&before, &table, seat, rack, &mut turns),
            Move::Bag { .. } | Move::Mix(_) => {}
        }
        settle(game, &before, &table, &mut turns);
    }
    let entry = |(player, rack, act, points, total)| Entry {
        line: 0,
        player,
        rack,
        act,
        points,
        total,
        note: String::new(),
    };
    turns.into_iter().map(entry).collect()
}

/// The sheet of a game from its events, as far as it was played. Names are given seat by seat; the sheet lists the seat that moved
/// first at the top, as readers expect.
pub fn transcript(game: &Scrabble, start: &Table, events: &[Event], names: &[String]) -> Sheet {
    let seats = usize::from(game.seats());
    let turns = turns(game, start, events);
    let first = turns.first().map_or(0, |t| t.player);
    let turned = |seat: usize| (seat + seats - first) % seats;
    let name = |seat: usize| {
        names
            .get(seat)
            .cloned()
            .unwrap_or_else(|| format!("seat {}", seat + 1))
    };
    let players = (0..seats)
        .map(|at| {
            let full = name((at + first) % seats);
            let mut short: String = full
                .chars()
                .filter(|c| c.is_alphanumeric() || *c == '-')
                .collect();
            if short.is_empty() {
                "player".clone_into(&mut short);
            }
            (format!("{short}_{}", at + 1), full)
        })
        .collect();
    Sheet {
        players,
        head: vec![(
            "lexicon".to_owned(),
            game.engine().lexicon().name().to_owned(),
        )],
        turns: turns
            .into_iter()
            .map(|turn| Entry {
                player: turned(turn.player),
                ..turn
            })
            .collect(),
    }
}

type Turns = Vec<(usize, Vec<u8>, Act, i32, i32)>;

fn challenge(before: &Table, after: &Table, seat: usize, rack: Vec<u8>, turns: &mut Turns) {
    let Some(last) = before.last else { return };
    let owner = usize::from(last.seat);
    if matches!(after.last.map(|l| l.done), Some(Done::Back(_))) {
        let held = after.racks[owner].clone();
        turns.push((
            owner,
            held,
            Act::Withdrawn,
            -last.score,
            after.scores[owner],
        ));
        return;
    }
    let gained = after.scores[owner] - before.scores[owner];
    if gained > 0 && matches!(after.phase, Phase::Move) {
        turns.push((
            owner,
            before.racks[owner].clone(),
            Act::Challenged,
            gained,
            after.scores[owner],
        ));
    } else if matches!(after.last.map(|l| l.done), Some(Done::Lost)) {
        turns.push((seat, rack, Act::Pass, 0, before.scores[seat]));
    }
}

/// The lines that settle what is left in the racks.
fn settle(game: &Scrabble, before: &Table, after: &Table, turns: &mut Turns) {
    if before.phase == after.phase || !matches!(after.phase, Phase::Out(_) | Phase::Quiet) {
        return;
    }
    let values = game.engine().values();
    let held: Vec<i32> = (0..after.racks.len())
        .map(|s| after.held(s, values))
        .collect();
    let all: i32 = held.iter().sum();
    let totals = &after.scores;
    if let Phase::Out(out) = after.phase {
        let out = usize::from(out);
        let mut left: Vec<u8> = after.racks.iter().flatten().copied().collect();
        left.sort_unstable();
        let doubled =
            after.scores.len() == 2 && game.settings().leftover == crate::Leftover::Doubled;
        if !doubled {
            for seat in (0..held.len()).filter(|&s| s != out && held[s] > 0) {
                let rack = after.racks[seat].clone();
                turns.push((
                    seat,
                    rack.clone(),
                    Act::Left(rack),
                    -held[seat],
                    totals[seat],
                ));
            }
        }
        let gain = if doubled { 2 * all } else { all };
        if gain > 0 {
            turns.push((out, Vec::new(), Act::Out(left), gain, totals[out]));
        }
        return;
    }
    for seat in 0..held.len() {
        let rack = after.racks[seat].clone();
        if held[seat] > 0 {
            turns.push((
                seat,
                rack.clone(),
                Act::Left(rack),
                -held[seat],
                totals[seat],
            ));
        }
    }
}
