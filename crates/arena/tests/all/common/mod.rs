//! A catalog with players that misbehave, and short ways to run tournaments on it.
#![allow(dead_code, reason = "each test file uses its own part")]

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use wits_arena::{Coordinator, File, Hall, Header, Stop, Table, Tournament, run};
use wits_game::{Game, Turn};
use wits_matchbox::tictactoe::{self, TicTacToe};
use wits_play::{Catalog, Choice, Desk, Player, PlayerEntry, Shelf};
use wits_store::Store;

static WORDS: wits_game::Book =
    wits_game::Book::new("bad", &[(wits_game::Lang::En, "about-bad = misbehaves")]);

#[derive(Clone, Copy)]
enum Bad {
    /// Breaks down.
    Panics,
    /// Plays on a square that is taken.
    Cheats,
    /// Never answers and never stops.
    Hangs,
    /// Thinks for as long as it is let, whatever the clock says.
    Dawdles,
}

type Square = <TicTacToe as Game>::Move;
type View = <TicTacToe as Game>::View;

impl Player<TicTacToe> for Bad {
    fn choose(
        &mut self,
        game: &TicTacToe,
        view: &View,
        desk: &mut Desk<'_, Square>,
    ) -> Choice<Square> {
        let options = game.options(view);
        let first = options
            .first()
            .copied()
            .expect("somebody is asked only while there is a move");
        match self {
            Bad::Panics => panic!("the gears jammed"),
            Bad::Cheats => {
                let taken = game
                    .options(&game.start())
                    .into_iter()
                    .find(|s| !options.contains(s));
                Choice::Move(taken.unwrap_or(first))
            }
            Bad::Hangs => loop {
                std::thread::sleep(Duration::from_millis(5));
            },
            Bad::Dawdles => {
                while !desk.budget.stopped() {
                    std::thread::sleep(Duration::from_millis(1));
                    if matches!(game.turn(view), Turn::Over(_))
                        || desk.budget.elapsed() > Duration::from_millis(500)
                    {
                        break;
                    }
                }
                Choice::Move(first)
            }
        }
    }
}

fn bad(id: &'static str, bad: Bad) -> PlayerEntry<TicTacToe> {
    PlayerEntry::new(id, &WORDS, "about-bad", move |_: &_, _: &_, _: &_| Ok(bad))
}

/// Tic-tac-toe with honest and other players, Othello, and a game for three with a learner.
pub(crate) fn catalog() -> Catalog {
    let tictactoe = tictactoe::entry()
        .player(bad("panics", Bad::Panics))
        .player(bad("cheats", Bad::Cheats))
        .player(bad("hangs", Bad::Hangs))
        .player(bad("dawdles", Bad::Dawdles));
    Catalog::new(vec![
        tictactoe.erase(),
        wits_othello::entry().erase(),
        wits_play::toys::tricks().erase(),
    ])
}

pub(crate) fn tournament(text: &str) -> Tournament {
    let file = File::read(text, "test").unwrap();
    file.tournament(&catalog(), &Shelf::new()).unwrap()
}

pub(crate) fn header(tournament: Tournament) -> Header {
    Header {
        tournament,
        begun: 1,
        anchor: None,
        anchor_rating: 1000.0,
    }
}

pub(crate) fn hall() -> Hall {
    Hall::new(catalog(), Shelf::new())
}

/// Plays a whole tournament in memory.
pub(crate) fn table(text: &str, threads: usize) -> Table {
    let store = Store::memory().unwrap();
    let mut coordinator = Coordinator::begin(&store, header(tournament(text))).unwrap();
    let stop = AtomicBool::new(false);
    let end = run(
        &mut coordinator,
        &hall(),
        threads,
        &stop,
        &|| 2,
        &mut |_| ControlFlow::Continue(()),
    );
    assert_eq!(end.unwrap(), Stop::Finished);
    coordinator.reload().unwrap();
    coordinator.table()
}

/// A table without what a clock measured, to be compared.
pub(crate) fn timeless(mut table: Table) -> Table {
    for row in &mut table.rows {
        row.ms_per_move = 0.0;
    }
    table
}
