//! How much time a seat has.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use wits_game::Seat;

/// The rule of the clocks, agreed before the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "clock")]
pub enum TimeControl {
    /// Nobody is in a hurry.
    #[default]
    None,
    /// Every move has this long.
    PerMove {
        /// Milliseconds for a move.
        ms: u64,
    },
    /// A stock of time for the whole game, and a little more with every move.
    PerGame {
        /// Milliseconds at the start.
        ms: u64,
        /// Milliseconds added after a move.
        increment_ms: u64,
    },
}

/// The clocks of a table: pure book-keeping; somebody else measures the time.
///
/// ```
/// use std::time::Duration;
/// use wits_game::Seat;
/// use wits_play::{Clock, TimeControl};
/// let mut clock = Clock::new(TimeControl::PerGame { ms: 1000, increment_ms: 100 }, 2);
/// assert!(clock.spend(Seat::FIRST, Duration::from_millis(300)));
/// assert_eq!(clock.left(Seat::FIRST), Some(Duration::from_millis(800)));
/// assert!(!clock.spend(Seat::FIRST, Duration::from_millis(801)));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clock {
    control: TimeControl,
    left: Vec<Duration>,
}

impl Clock {
    /// Full clocks for every seat.
    pub fn new(control: TimeControl, seats: u8) -> Clock {
        let full = match control {
            TimeControl::None => Duration::MAX,
            TimeControl::PerMove { ms } | TimeControl::PerGame { ms, .. } => {
                Duration::from_millis(ms)
            }
        };
        Clock {
            control,
            left: vec![full; usize::from(seats)],
        }
    }

    /// The rule.
    pub const fn control(&self) -> TimeControl {
        self.control
    }

    /// How long a seat may still think; nothing where there is no clock.
    pub fn left(&self, seat: Seat) -> Option<Duration> {
        match self.control {
            TimeControl::None => None,
            _ => self.left.get(seat.index()).copied(),
        }
    }

    /// A seat is given more time.
    pub fn grant(&mut self, seat: Seat, more: Duration) {
        if let (TimeControl::PerGame { .. }, Some(left)) =
            (self.control, self.left.get_mut(seat.index()))
        {
            *left += more;
        }
    }

    /// A seat thought this long and moved. False if its time had run out.
    pub fn spend(&mut self, seat: Seat, thought: Duration) -> bool {
        let Some(left) = self.left.get_mut(seat.index()) else {
            return false;
        };
        match self.control {
            TimeControl::None => true,
            TimeControl::PerMove { .. } => thought <= *left,
            TimeControl::PerGame { increment_ms, .. } => {
                let rest = left.checked_sub(thought);
                *left = rest.map_or(Duration::ZERO, |r| r + Duration::from_millis(increment_ms));
                rest.is_some()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_clock_that_ran_out_can_be_given_more() {
        let control = TimeControl::PerGame {
            ms: 50,
            increment_ms: 0,
        };
        let mut clock = Clock::new(control, 2);
        assert!(!clock.spend(Seat::FIRST, Duration::MAX));
        clock.grant(Seat::FIRST, Duration::from_mins(1));
        assert_eq!(clock.left(Seat::FIRST), Some(Duration::from_mins(1)));
        assert_eq!(clock.left(Seat::SECOND), Some(Duration::from_millis(50)));
    }

    #[test]
    fn a_move_clock_is_full_again_every_time() {
        let mut clock = Clock::new(TimeControl::PerMove { ms: 50 }, 2);
        for _ in 0..3 {
            assert!(clock.spend(Seat::SECOND, Duration::from_millis(50)));
        }
        assert!(!clock.spend(Seat::SECOND, Duration::from_millis(51)));
        assert_eq!(Clock::new(TimeControl::None, 2).left(Seat::FIRST), None);
    }
}
