//! A class tournament: how long it takes where every bot plays one game at a time, and some say nothing.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use maud::html;
use wits_arena::{EntrantFile, File, Ledger, Plan, Tournament};
use wits_play::Budget;

use super::asked::{Asked, MOVE, late};
use super::charts::{Bar, bars};
use super::guess::Guess;
use super::parts::{Live, decimal, slider};
use crate::pages::say;
use crate::rooms::can_begin;
use crate::{App, Fault, WORDS};

/// A lesson, in seconds.
const LESSON: u64 = 600;
/// What the reader may say.
const GUESSES: [&str; 3] = ["before", "slowest", "serial"];

/// When a tournament was over, in seconds, and when each bot had played all its games.
#[derive(PartialEq, Eq, Debug)]
struct Course {
    end: u64,
    each: Vec<u64>,
}

/// A round robin in which every two bots meet once in each seat.
fn tournament(app: &App, bots: usize) -> Result<Tournament, Fault> {
    let player = |number: usize| EntrantFile::Named {
        name: number.to_string(),
        spec: "random".to_owned(),
    };
    let file = File {
        game: "tictactoe".to_owned(),
        players: (1..=bots).map(player).collect(),
        games: Some(2),
        ..File::default()
    };
    Ok(file.tournament(&app.catalog, &app.shelf)?)
}

/// Plays the plan of a tournament by the clock, as the server does: the last bots say nothing, and lose each game
/// when their time is up.
fn course(plan: &Tournament, silent: usize, clock: u64, game: u64) -> Course {
    let bots = plan.players.len();
    let jobs = Plan::new(plan).stage(&Ledger::new(plan, [])).jobs;
    let mut pairings: Vec<(Vec<usize>, usize)> = jobs
        .into_iter()
        .map(|job| (job.players, job.seatings.len()))
        .collect();
    let (mut busy, mut now) = (BTreeSet::new(), 0);
    let mut under_way = BinaryHeap::new();
    let mut each = vec![0; bots];
    loop {
        let waiting: Vec<usize> = (0..pairings.len()).filter(|&i| pairings[i].1 > 0).collect();
        let players = waiting.iter().map(|&i| &*pairings[i].0);
        for at in can_begin(players, busy.clone(), under_way.len()) {
            let (players, left) = &mut pairings[waiting[at]];
            *left -= 1;
            busy.extend(players.iter().copied());
            let quiet = players.iter().any(|&player| player >= bots - silent);
            let takes = if quiet { clock } else { game };
            under_way.push(Reverse((now + takes, waiting[at])));
        }
        let Some(Reverse((then, at))) = under_way.pop() else {
            return Course { end: now, each };
        };
        now = then;
        for &player in &pairings[at].0 {
            busy.remove(&player);
            each[player] = now;
        }
    }
}

/// Minutes and seconds.
fn minutes(seconds: u64) -> String {
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

/// The question, and the same tournament with other numbers.
pub(super) fn run(app: &App, asked: &Asked, budget: &Budget) -> Result<Live, Fault> {
    let bots: usize = asked.number("bots", 20, 4, 40)?;
    let clock: u64 = asked.number("clock", 10, 2, 60)?;
    let game: u64 = asked.number("game", 2, 1, 20)?;
    let silent: usize = asked.number("silent", 1, 0, 4)?;
    let (silent, game) = (silent.min(bots - 2), game.min(clock));
    let plan = tournament(app, bots)?;
    let before = course(&plan, 0, clock, game);
    let one = course(&plan, 1, clock, game);
    let now = course(&plan, silent, clock, game);
    if budget.late() || budget.stopped() {
        return Err(late());
    }
    let own = 2 * (bots as u64 - 1);
    let games = own * bots as u64 / 2;
    let serial = own * clock + (games - own) * game;
    let given = asked.text(MOVE).filter(|g| GUESSES.contains(g));
    let rows = |course: &Course, silent: usize| -> Vec<Bar> {
        let row = |(bot, end): (usize, &u64)| Bar {
            name: WORDS.say("lesson-bot").with("number", bot + 1).to_string(),
            value: *end as f64,
            shown: minutes(*end),
            mark: bot >= bots - silent,
        };
        course.each.iter().enumerate().map(row).collect()
    };
    let heads = [say("lesson-bot-name"), say("lesson-done-after")];
    let heads = [&*heads[0], &*heads[1]];
    let about = |silent: usize| {
        let says = WORDS.say("lesson-course").with("silent", silent);
        says.to_string()
    };
    let shown = if given.is_some() {
        (&one, 1)
    } else {
        (&before, 0)
    };
    let picture = bars(&about(shown.1), heads, &rows(shown.0, shown.1));
    let guess = Guess::about(picture.page)
        .keys(&GUESSES)
        .right(given.map(|g| g == "slowest"));
    Ok(Live::default()
        .ask(guess)
        .say("bots", bots)
        .say("clock", clock)
        .say("game", game)
        .say("silent", silent)
        .say("own", own)
        .say("games", games)
        .say("before", minutes(before.end))
        .say("slowest", minutes(own * clock))
        .say("serial", minutes(serial))
        .say("real", minutes(one.end))
        .say("now", minutes(now.end))
        .say("times", decimal(one.end as f64 / before.end as f64, 1))
        .say("most", LESSON / own)
        .part(
            "form",
            html! {
                (slider("bots", "lesson-bots", bots, [4, 40, 1]))
                (slider("clock", "lesson-bot-clock", clock, [2, 60, 1]))
                (slider("game", "lesson-bot-game", game, [1, 20, 1]))
                (slider("silent", "lesson-bots-silent", silent, [0, 4, 1]))
            },
        )
        .part("course", bars(&about(silent), heads, &rows(&now, silent))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(bots: usize) -> Tournament {
        let app = App::new(
            crate::Config::default(),
            wits_catalog::all(),
            wits_play::Shelf::new(),
            std::sync::Arc::new(wits_store::Store::memory().unwrap()),
        );
        tournament(&app, bots).unwrap()
    }

    /// Nobody can play all games in less time than they take one after the other.
    #[test]
    fn the_silent_bot_decides_how_long_it_takes() {
        for bots in [4, 8, 20, 31] {
            let plan = plan(bots);
            let own = 2 * (bots as u64 - 1);
            let before = course(&plan, 0, 10, 2);
            assert!(before.end >= own * 2, "{bots}: {before:?}");
            let one = course(&plan, 1, 10, 2);
            assert!(one.end >= own * 10, "{bots}: {one:?}");
            assert_eq!(one.each[bots - 1], one.end, "{bots}: {one:?}");
            // A silent bot waits for its next opponent for one of the others' games at most.
            assert!(one.end <= own * 10 + 20, "{bots}: {one:?}");
        }
    }
}
