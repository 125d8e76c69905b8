//! The overall test of the thesis: every pair of levels on every alphabet.

use std::collections::BTreeSet;
use std::time::Duration;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use wits_game::Seed;
use wits_search::Budget;

use crate::game::Insertion;
use crate::players::play_round;
use crate::words::Variant;

/// One game of the grid.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Cell {
    /// How many symbols.
    pub symbols: usize,
    /// The level of the Builder.
    pub builder: u32,
    /// The level of the Painter.
    pub painter: u32,
}

/// A game of the grid that was played.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Played {
    /// Which one.
    #[serde(flatten)]
    pub cell: Cell,
    /// The thesis's count of moves; so far, where it was broken off.
    pub moves: usize,
    /// Whether a repetition was forced; else the limit of moves was reached or a thinker took too long.
    pub finished: bool,
    /// Whether a thinker took too long.
    pub aborted: bool,
    /// How long the game took.
    pub seconds: f64,
}

/// The grid: the thesis says 6*6*6, but levels 0 to 6 and alphabets 1 to 7 make 343.
#[derive(Clone, PartialEq, Debug)]
pub struct Grid {
    /// What counts as a repetition.
    pub variant: Variant,
    /// The highest level.
    pub levels: u32,
    /// The largest alphabet.
    pub symbols: usize,
    /// The longest a decision may take.
    pub think: Duration,
    /// The longest game.
    pub max_moves: usize,
    /// Where all chance comes from.
    pub seed: Seed,
}

/// A line of a kept grid that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: this is not a game of the grid ({detail})")]
pub struct BadGrid {
    /// Which line.
    pub line: usize,
    /// Why not.
    pub detail: String,
}

impl Grid {
    /// All games, small alphabets and low levels first.
    pub fn cells(&self) -> Vec<Cell> {
        let mut cells = Vec::new();
        for symbols in 1..=self.symbols {
            for builder in 0..=self.levels {
                for painter in 0..=self.levels {
                    cells.push(Cell {
                        symbols,
                        builder,
                        painter,
                    });
                }
            }
        }
        cells
    }

    /// Plays one game of the grid.
    pub fn play(&self, cell: Cell) -> Played {
        let game = Insertion {
            max_moves: self.max_moves,
            ..Insertion::new(self.variant, cell.symbols)
        };
        let clock = Budget::endless();
        let number =
            (cell.symbols as u64) << 16 | u64::from(cell.builder) << 8 | u64::from(cell.painter);
        let round = play_round(
            &game,
            cell.builder,
            cell.painter,
            self.seed.nth(number),
            Some(self.think),
        );
        let seconds = clock.elapsed().as_secs_f64();
        Played {
            cell,
            moves: round.moves,
            finished: round.finished,
            aborted: round.aborted,
            seconds,
        }
    }

    /// Plays all games that are not done yet, on as many threads as the pool has; `each` hears of every game when it ends.
    pub fn run(
        &self,
        done: &[Played],
        budget: &Budget,
        each: impl Fn(&Played) + Sync,
    ) -> Vec<Played> {
        let known: BTreeSet<Cell> = done.iter().map(|played| played.cell).collect();
        let open: Vec<Cell> = self
            .cells()
            .into_iter()
            .filter(|cell| !known.contains(cell))
            .collect();
        let play = |cell: &Cell| {
            if budget.stopped() || budget.late() {
                return None;
            }
            let played = self.play(*cell);
            each(&played);
            Some(played)
        };
        let mut all: Vec<Played> = done
            .iter()
            .cloned()
            .chain(open.par_iter().filter_map(play).collect::<Vec<_>>())
            .collect();
        all.sort_by_key(|played| played.cell);
        all
    }

    /// Reads kept games, one JSON object a line. A last line that was cut short is left out.
    pub fn read(text: &str) -> Result<Vec<Played>, BadGrid> {
        let lines: Vec<&str> = text.lines().collect();
        let mut done = Vec::new();
        for (i, line) in lines
            .iter()
            .enumerate()
            .filter(|(_, line)| !line.trim().is_empty())
        {
            match serde_json::from_str(line) {
                Ok(played) => done.push(played),
                Err(_) if i + 1 == lines.len() && !text.ends_with('\n') => {}
                Err(e) => {
                    return Err(BadGrid {
                        line: i + 1,
                        detail: e.to_string(),
                    });
                }
            }
        }
        Ok(done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid() -> Grid {
        Grid {
            variant: Variant::Square,
            levels: 1,
            symbols: 4,
            think: Duration::from_secs(5),
            max_moves: 100,
            seed: Seed::new(1),
        }
    }

    #[test]
    fn a_grid_can_be_taken_up_again() {
        let whole = grid().run(&[], &Budget::endless(), |_| {});
        assert_eq!(whole.len(), 16);
        let text: String = whole[..7]
            .iter()
            .map(|p| serde_json::to_string(p).unwrap() + "\n")
            .collect();
        let kept = Grid::read(&format!("{text}{{\"symbols\":4,\"buil")).unwrap();
        assert_eq!(kept.len(), 7);
        let again = grid().run(&kept, &Budget::endless(), |played| {
            assert!(!kept.contains(played));
        });
        let moves = |all: &[Played]| {
            all.iter()
                .map(|p| (p.cell, p.moves, p.finished))
                .collect::<Vec<_>>()
        };
        assert_eq!(moves(&again), moves(&whole));
        assert!(Grid::read("{}\n{}\n").is_err());
        assert_eq!(
            Grid {
                levels: 6,
                symbols: 7,
                ..grid()
            }
            .cells()
            .len(),
            343
        );
        let value = |symbols| {
            whole
                .iter()
                .find(|p| {
                    p.cell
                        == Cell {
                            symbols,
                            builder: 1,
                            painter: 1,
                        }
                })
                .unwrap()
                .moves
        };
        assert_eq!([value(1), value(3), value(4)], [2, 5, 7]);
    }

    #[test]
    fn slow_thinkers_are_marked() {
        let slow = Grid {
            think: Duration::from_nanos(1),
            ..grid()
        };
        assert!(
            slow.play(Cell {
                symbols: 4,
                builder: 1,
                painter: 1
            })
            .aborted
        );
    }
}
