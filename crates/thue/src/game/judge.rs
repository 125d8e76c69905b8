//! What an unfinished round looks like at the horizon of a search.

use wits_game::Seat;
use wits_search::Worth;
use wits_search::tree::Judge;

use super::{Insertion, Position};
use crate::fits;

/// Points so far, and how much room the Painter has: its tightest gap first, then the average.
#[derive(Clone, Copy, Debug, Default)]
pub struct RoomToPaint;

impl Judge<Insertion> for RoomToPaint {
    fn judge(&self, game: &Insertion, position: &Position, seat: Seat) -> Worth {
        let room = if let Some(gap) = position.gap() {
            f64::from(game.fits(&position.word, gap).count_ones())
        } else {
            let fits = game.all_fits(&position.word);
            let tightest = fits.iter().map(|fit| fit.count_ones()).min().unwrap_or(0);
            let average = fits::total(&fits) as f64 / fits.len() as f64;
            f64::from(tightest) + average / (game.symbols + 1) as f64
        };
        let worth = Worth::heuristic(position.points() as f64 + room);
        if seat == Seat::FIRST && !game.alone {
            -worth
        } else {
            worth
        }
    }
}
