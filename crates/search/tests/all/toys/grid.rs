//! A map of squares: `S` start, `G` goal, `.` free at a cost of one, digits free at that cost, `#` wall.

use wits_search::path::Graph;

/// A map.
pub struct Grid {
    rows: Vec<Vec<char>>,
}

/// Row and column.
pub type Square = (usize, usize);

impl Grid {
    /// Reads a map from its picture.
    pub fn read(picture: &str) -> Grid {
        let rows = picture
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .map(|line| line.chars().collect())
            .collect();
        Grid { rows }
    }

    fn find(&self, what: char) -> Square {
        let found = self.rows.iter().enumerate().find_map(|(r, row)| {
            let column = row.iter().position(|&square| square == what)?;
            Some((r, column))
        });
        found.expect("the picture has a start and a goal")
    }

    /// Where `S` is.
    pub fn start(&self) -> Square {
        self.find('S')
    }

    /// Whether this is `G`.
    pub fn is_goal(&self, at: &Square) -> bool {
        *at == self.find('G')
    }

    /// How far `G` is at least.
    #[allow(dead_code, reason = "not every user of this file estimates")]
    pub fn far(&self, at: &Square) -> u32 {
        let goal = self.find('G');
        (goal.0.abs_diff(at.0) + goal.1.abs_diff(at.1)) as u32
    }
}

impl Graph for Grid {
    type Node = Square;
    type Cost = u32;

    fn edges(&self, &(row, column): &Square) -> Vec<(Square, u32)> {
        [(0, 1), (1, 0), (0, -1), (-1, 0)]
            .into_iter()
            .filter_map(|(down, right)| {
                let to = (
                    row.checked_add_signed(down)?,
                    column.checked_add_signed(right)?,
                );
                let cost = match *self.rows.get(to.0)?.get(to.1)? {
                    '#' => return None,
                    square => square.to_digit(10).unwrap_or(1),
                };
                Some((to, cost))
            })
            .collect()
    }

    fn name(&self, &(row, column): &Square) -> String {
        format!("{row}/{column}")
    }
}
