//! The player that knows the whole game by heart.

use wits_game::{Eyes, Seat, Turn};
use wits_play::{Choice, Desk, Line, Player, Thought, Worth};
use wits_search::tree::{Oracle, StrategyOptions, strategy};

use crate::WORDS;
use crate::boxed::Boxed;
use crate::survey::Survey;

/// Plays a move that keeps the value of the position: the quickest win, the latest loss, and any of
/// several that are equally good.
#[derive(Debug)]
pub struct Perfect<G: Boxed> {
    survey: Survey<G>,
}

impl<G: Boxed> Perfect<G> {
    /// Learns a small game by heart. Meant for games of a few thousand positions.
    pub fn new(game: &G) -> Perfect<G> {
        let survey = Survey::take(game, true, usize::MAX).expect("there is no limit to exceed");
        Perfect { survey }
    }

    /// The best moves of a position, with what they are worth and how many plies the game then lasts.
    pub fn best(&self, game: &G, state: &G::State) -> Vec<(G::Move, i8, u16)> {
        let Turn::Of(seat) = game.turn(state) else {
            return Vec::new();
        };
        let judged: Vec<(G::Move, i8, u16)> = game
            .options(&game.view(state, Eyes::All))
            .into_iter()
            .filter_map(|mv| {
                let mut next = *state;
                game.play(&mut next, &mv);
                let (worth, plies) = self.survey.outlook(game, &next, seat)?;
                Some((mv, worth, plies))
            })
            .collect();
        let rank = |&(_, worth, plies): &(G::Move, i8, u16)| {
            let plies = i32::from(plies);
            (
                worth,
                if worth > 0 {
                    -plies
                } else {
                    plies * i32::from(worth < 0)
                },
            )
        };
        let best = judged.iter().map(rank).max();
        judged
            .into_iter()
            .filter(|judged| Some(rank(judged)) == best)
            .collect()
    }
}

/// What the survey of a whole game knows, for the strategy that a thread shows.
struct Known<'a, G: Boxed>(&'a Survey<G>);

impl<G: Boxed> Oracle<G> for Known<'_, G> {
    fn worth(&mut self, game: &G, state: &G::State, seat: Seat) -> Option<i32> {
        let (worth, _) = self.0.outlook(game, state, seat)?;
        Some(i32::from(worth))
    }

    fn plies(&mut self, game: &G, state: &G::State) -> u32 {
        let outlook = self.0.outlook(game, state, Seat::FIRST);
        outlook.map_or(0, |(_, plies)| u32::from(plies))
    }
}

impl<G: Boxed> Player<G> for Perfect<G> {
    fn choose(
        &mut self,
        game: &G,
        view: &G::View,
        desk: &mut Desk<'_, G::Move>,
    ) -> Choice<G::Move> {
        let state = game.board(view);
        let best = self.best(game, &state);
        let Some(&(mv, worth, plies)) = desk.dice.pick(&best) else {
            return Choice::Resign;
        };
        if let Some(record) = desk.record.as_deref_mut() {
            let options = StrategyOptions::default();
            strategy(
                game,
                &state,
                &mv,
                &mut Known(&self.survey),
                &options,
                record,
            );
        }
        let key = match worth {
            1.. => "perfect-wins",
            0 => "perfect-draws",
            _ => "perfect-loses",
        };
        let when = WORDS.say("in-plies").with("plies", plies + 1);
        let why = WORDS
            .say(key)
            .with("move", game.write(&state, &mv, Eyes::All))
            .with("when", when);
        let line = Line {
            moves: vec![mv],
            worth: Worth::exact(i32::from(worth)),
        };
        let nodes = best.len() as u64;
        desk.say(Thought {
            lines: vec![line],
            nodes,
            why: Some(why),
            ..Thought::default()
        });
        Choice::Move(mv)
    }
}
