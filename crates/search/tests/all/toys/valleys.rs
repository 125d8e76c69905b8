//! Places in a row with heights; one may step to the left or to the right.

use wits_search::local::Problem;

/// The heights.
pub struct Row(pub Vec<f64>);

impl Problem for Row {
    type Solution = usize;
    type Move = usize;
    type Mark = (usize, usize);

    fn moves(&self, &here: &usize) -> Vec<usize> {
        let left = here.checked_sub(1);
        let right = (here + 1 < self.0.len()).then_some(here + 1);
        left.into_iter().chain(right).collect()
    }

    fn apply(&self, here: &mut usize, to: &usize) {
        *here = *to;
    }

    fn cost(&self, &here: &usize) -> f64 {
        self.0[here]
    }

    /// The step between two places, in either direction.
    fn mark(&self, &here: &usize, &to: &usize) -> (usize, usize) {
        (here.min(to), here.max(to))
    }

    fn name(&self, _: &usize, to: &usize) -> String {
        format!("to {to}")
    }
}
